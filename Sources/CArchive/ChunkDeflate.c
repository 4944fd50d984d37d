#include "ChunkDeflate.h"

#include <limits.h>
#include <stdlib.h>
#include <zlib.h>

#if ISAL
#include <isa-l/crc.h>
#include <isa-l/igzip_lib.h>
#endif

enum { level_count = 10 };

/* An entry up to so many bytes gets the format's fixed codes: to make codes of its own takes 10 us, seven times as long, and to
   write them down some 60 bytes, which is what they save in a text of this length. */
enum { tiny_size = 256 };

struct chunk_deflater {
  /* zlib's states, by level, since deflateParams on a used state is not the same in every zlib; made when they are asked for. */
  z_stream streams[level_count];
  bool is_made[level_count];
#if ISAL
  struct isal_zstream fast;
  uint8_t fast_memory[ISAL_DEF_LVL2_DEFAULT];
#endif
};

chunk_deflater *chunk_deflater_new(void) {
  chunk_deflater *deflater = calloc(1, sizeof *deflater);
#if ISAL
  if (deflater) {
    isal_deflate_init(&deflater->fast);
    /* Of level 0 alone: the others make codes of their own. */
    isal_deflate_set_hufftables(&deflater->fast, NULL, IGZIP_HUFFTABLE_STATIC);
  }
#endif
  return deflater;
}

void chunk_deflater_free(chunk_deflater *deflater) {
  if (!deflater) return;
  for (int level = 0; level < level_count; level++) {
    if (deflater->is_made[level]) deflateEnd(&deflater->streams[level]);
  }
  free(deflater);
}

static size_t deflate_by_zlib(
    chunk_deflater *deflater, int level, const void *bytes, size_t count, bool is_last, void *output, size_t room) {
  level = level < 1 ? 1 : level >= level_count ? level_count - 1 : level;
  z_streamp stream = &deflater->streams[level];
  int status = deflater->is_made[level] ? deflateReset(stream)
                                        : deflateInit2(stream, level, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY);
  if (status != Z_OK) return 0;
  deflater->is_made[level] = true;
  stream->next_in = (Bytef *)bytes; /* it is only read */
  stream->avail_in = (uInt)count;
  stream->next_out = output;
  stream->avail_out = (uInt)room;
  status = deflate(stream, is_last ? Z_FINISH : Z_FULL_FLUSH);
  /* A flush that has filled the room may not be all of it. */
  bool is_whole = is_last ? status == Z_STREAM_END : status == Z_OK && stream->avail_in == 0 && stream->avail_out > 0;
  return is_whole ? room - stream->avail_out : 0;
}

#if ISAL

bool zip_level_fast_is_built(void) { return true; }

uint32_t chunk_crc32(uint32_t crc, const void *bytes, size_t count) {
  return count == 0 ? crc : crc32_gzip_refl(crc, bytes, count);
}

static size_t deflate_by_isal(
    chunk_deflater *deflater, const void *bytes, size_t count, bool is_last, void *output, size_t room) {
  struct isal_zstream *stream = &deflater->fast;
  isal_deflate_reset(stream);
  stream->gzip_flag = IGZIP_DEFLATE;
  bool is_tiny = is_last && count <= tiny_size;
  /* Level 3 takes more than twice as long as level 2, and makes text 0 to 5 % smaller. */
  stream->level = is_tiny ? 0 : 2;
  stream->level_buf = is_tiny ? NULL : deflater->fast_memory;
  stream->level_buf_size = is_tiny ? 0 : sizeof deflater->fast_memory;
  stream->next_in = (uint8_t *)bytes; /* it is only read */
  stream->avail_in = (uint32_t)count;
  stream->next_out = output;
  stream->avail_out = (uint32_t)room;
  stream->end_of_stream = is_last;
  stream->flush = is_last ? NO_FLUSH : FULL_FLUSH;
  int end = is_last ? ZSTATE_END : ZSTATE_NEW_HDR;
  int status;
  do {
    status = isal_deflate(stream);
  } while (status == COMP_OK && stream->avail_out > 0 && (stream->avail_in > 0 || stream->internal_state.state != (unsigned)end));
  return status == COMP_OK && stream->avail_out > 0 ? room - stream->avail_out : 0;
}

#else

bool zip_level_fast_is_built(void) { return false; }

uint32_t chunk_crc32(uint32_t crc, const void *bytes, size_t count) {
  return count == 0 ? crc : (uint32_t)crc32_z(crc, bytes, count);
}

#endif

size_t chunk_deflate(chunk_deflater *deflater, int level, const void *bytes, size_t count, bool is_last, void *output, size_t room) {
  if (count > chunk_size || room > INT_MAX) return 0;
#if ISAL
  if (level == zip_level_fast) return deflate_by_isal(deflater, bytes, count, is_last, output, room);
#endif
  return deflate_by_zlib(deflater, level, bytes, count, is_last, output, room);
}
