#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* RTLD_NEXT */
#endif
#include "ZipSeam.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <zlib.h>

enum { largest_stored_block = 65535, stored_header_size = 5 };

struct zip_seam {
  time_t modified;
  unsigned long long streams;
  unsigned long long dates;
  /* libarchive's z_stream, while an entry is open. */
  z_streamp stream;
  /* What is handed over of the chunk that libarchive is writing: finished bytes that are left; of a stored chunk, those of the
     block that is open, and of the block's header. */
  struct zip_chunk chunk;
  const unsigned char *next;
  size_t left, left_in_block;
  unsigned char header[stored_header_size];
  size_t header_left;
  /* Whether libarchive's next sum is the chunk's. */
  bool is_summing;
  /* Whether the final block has been handed over. */
  bool has_ended;
};

/* The seam in force on this thread, if any. */
static _Thread_local zip_seam *in_force;

/* What would be called if the functions below weren't there. */
static struct {
  int (*deflate_init)(z_streamp, int, int, int, int, int, const char *, int);
  int (*deflate)(z_streamp, int);
  int (*deflate_end)(z_streamp);
  uLong (*crc32)(uLong, const Bytef *, uInt);
  struct tm *(*local_time)(const time_t *, struct tm *);
} next;
static pthread_once_t next_once = PTHREAD_ONCE_INIT;

static void find_next(void) {
  next.deflate_init = dlsym(RTLD_NEXT, "deflateInit2_");
  next.deflate = dlsym(RTLD_NEXT, "deflate");
  next.deflate_end = dlsym(RTLD_NEXT, "deflateEnd");
  next.crc32 = dlsym(RTLD_NEXT, "crc32");
  next.local_time = dlsym(RTLD_NEXT, "localtime_r");
}

/* MARK: handing over */

static void put(z_streamp stream, const unsigned char **from, size_t *left) {
  size_t count = *left < stream->avail_out ? *left : stream->avail_out;
  memcpy(stream->next_out, *from, count);
  stream->next_out += count;
  stream->avail_out -= (uInt)count;
  stream->total_out += count;
  *from += count;
  *left -= count;
}

static void open_stored_block(zip_seam *seam) {
  size_t size = seam->left < largest_stored_block ? seam->left : largest_stored_block;
  seam->header[0] = seam->chunk.is_last && size == seam->left;
  seam->header[1] = (unsigned char)size;
  seam->header[2] = (unsigned char)(size >> 8);
  seam->header[3] = (unsigned char)~size;
  seam->header[4] = (unsigned char)(~size >> 8);
  seam->header_left = stored_header_size;
  seam->left_in_block = size;
}

static void put_stored_blocks(zip_seam *seam, z_streamp stream) {
  while (stream->avail_out > 0 && (seam->left > 0 || seam->header_left > 0)) {
    if (seam->header_left == 0 && seam->left_in_block == 0) open_stored_block(seam);
    const unsigned char *header = seam->header + stored_header_size - seam->header_left;
    put(stream, &header, &seam->header_left);
    size_t before = seam->left_in_block;
    put(stream, &seam->next, &seam->left_in_block);
    seam->left -= before - seam->left_in_block;
  }
}

/* Gives as much of the chunk as there is room for. Input counts as used when all of it is given: until then libarchive asks
   again. */
static void hand_over(zip_seam *seam, z_streamp stream) {
  if (seam->chunk.is_stored) {
    put_stored_blocks(seam, stream);
  } else {
    put(stream, &seam->next, &seam->left);
  }
  if (seam->left > 0 || seam->header_left > 0) return;
  stream->total_in += stream->avail_in;
  stream->next_in += stream->avail_in;
  stream->avail_in = 0;
}

/* MARK: the functions that libarchive binds to */

#if defined(__linux__)

/* Defined strongly on purpose: with a static zlib beside them the linker says "multiple definition" rather than leave them
   unheeded. */
#define seam_function __attribute__((visibility("hidden")))

seam_function int deflateInit2_(z_streamp stream, int level, int method, int window_bits, int memory_level, int strategy,
                                const char *version, int stream_size) {
  zip_seam *seam = in_force;
  if (seam) {
    seam->streams += 1;
    seam->stream = stream;
    seam->has_ended = false;
    stream->total_in = stream->total_out = 0;
    return Z_OK;
  }
  pthread_once(&next_once, find_next);
  if (!next.deflate_init) return Z_VERSION_ERROR;
  return next.deflate_init(stream, level, method, window_bits, memory_level, strategy, version, stream_size);
}

seam_function int deflate(z_streamp stream, int flush) {
  zip_seam *seam = in_force;
  if (seam && seam->stream == stream) {
    hand_over(seam, stream);
    if (flush != Z_FINISH) return Z_OK;
    if (seam->left > 0 || !seam->has_ended) return Z_STREAM_ERROR;
    return Z_STREAM_END;
  }
  pthread_once(&next_once, find_next);
  return next.deflate ? next.deflate(stream, flush) : Z_STREAM_ERROR;
}

seam_function int deflateEnd(z_streamp stream) {
  zip_seam *seam = in_force;
  if (seam && seam->stream == stream) {
    seam->stream = NULL;
    return Z_OK;
  }
  pthread_once(&next_once, find_next);
  return next.deflate_end ? next.deflate_end(stream) : Z_STREAM_ERROR;
}

seam_function uLong crc32(uLong crc, const Bytef *bytes, uInt count) {
  zip_seam *seam = in_force;
  if (seam && seam->is_summing) {
    seam->is_summing = false;
    return crc == 0 ? seam->chunk.crc : crc32_combine(crc, seam->chunk.crc, (z_off_t)seam->chunk.plain_count);
  }
  pthread_once(&next_once, find_next);
  return next.crc32 ? next.crc32(crc, bytes, count) : 0;
}

seam_function struct tm *localtime_r(const time_t *time, struct tm *result) {
  zip_seam *seam = in_force;
  if (seam) {
    seam->dates += 1;
    return gmtime_r(&seam->modified, result);
  }
  pthread_once(&next_once, find_next);
  if (next.local_time) return next.local_time(time, result);
  errno = ENOSYS;
  return NULL;
}

bool zip_seam_is_built(void) { return true; }

#else

bool zip_seam_is_built(void) { return false; }

#endif

/* MARK: the calls with the seam in force */

zip_seam *zip_seam_new(void) { return calloc(1, sizeof(zip_seam)); }

void zip_seam_prepare(zip_seam *seam, long long modified) { seam->modified = (time_t)modified; }

void zip_seam_free(zip_seam *seam, struct archive *archive) {
  zip_seam *outer = in_force;
  in_force = seam;
  archive_write_free(archive);
  in_force = outer;
  free(seam);
}

int zip_seam_header(zip_seam *seam, struct archive *archive, struct archive_entry *entry) {
  zip_seam *outer = in_force;
  in_force = seam;
  int status = archive_write_header(archive, entry);
  in_force = outer;
  return status;
}

static void take(zip_seam *seam, const struct zip_chunk *chunk) {
  seam->chunk = *chunk;
  seam->next = chunk->bytes;
  seam->left = chunk->count;
  seam->left_in_block = seam->header_left = 0;
  seam->has_ended = chunk->is_last;
}

la_ssize_t zip_seam_chunk(zip_seam *seam, struct archive *archive, const struct zip_chunk *chunk) {
  zip_seam *outer = in_force;
  take(seam, chunk);
  seam->is_summing = true;
  in_force = seam;
  /* The data itself is looked at by nobody. */
  la_ssize_t written = archive_write_data(archive, chunk->bytes, chunk->plain_count);
  in_force = outer;
  seam->is_summing = false;
  return written;
}

la_ssize_t zip_seam_data(struct archive *archive, const void *bytes, size_t count) {
  return archive_write_data(archive, bytes, count);
}

int zip_seam_finish_entry(zip_seam *seam, struct archive *archive) {
  static const unsigned char nothing[] = {3, 0}; /* a final block of fixed codes that holds no more than its end */
  zip_seam *outer = in_force;
  if (seam->stream && !seam->has_ended && seam->stream->total_in == 0) {
    take(seam, &(struct zip_chunk){.bytes = nothing, .count = sizeof nothing, .is_last = true});
  }
  in_force = seam;
  int status = archive_write_finish_entry(archive);
  in_force = outer;
  return status;
}

int zip_seam_close(zip_seam *seam, struct archive *archive) {
  zip_seam *outer = in_force;
  in_force = seam;
  int status = archive_write_close(archive);
  in_force = outer;
  return status;
}

unsigned long long zip_seam_streams(const zip_seam *seam) { return seam->streams; }

unsigned long long zip_seam_dates(const zip_seam *seam) { return seam->dates; }
