#include "FastDeflate.h"

#include <stddef.h>
#include <stdlib.h>

#if ISAL

#include <isa-l/igzip_lib.h>

struct fast_deflate {
  struct isal_zstream stream;
  uint8_t level_memory[ISAL_DEF_LVL2_DEFAULT];
};

bool fast_deflate_is_built(void) { return true; }

fast_deflate *fast_deflate_new(void) {
  fast_deflate *fast = calloc(1, sizeof *fast);
  if (!fast) return NULL;
  isal_deflate_init(&fast->stream);
  fast->stream.gzip_flag = IGZIP_DEFLATE;
  fast->stream.level = 2;
  fast->stream.level_buf = fast->level_memory;
  fast->stream.level_buf_size = sizeof fast->level_memory;
  return fast;
}

void fast_deflate_free(fast_deflate *fast) { free(fast); }

void fast_deflate_begin(fast_deflate *fast) { isal_deflate_reset(&fast->stream); }

int fast_deflate_step(fast_deflate *fast, z_streamp stream, int flush) {
  struct isal_zstream *isal = &fast->stream;
  if (isal->internal_state.state == ZSTATE_END) return Z_STREAM_END;
  isal->next_in = stream->next_in;
  isal->avail_in = stream->avail_in;
  isal->next_out = stream->next_out;
  isal->avail_out = stream->avail_out;
  isal->flush = NO_FLUSH;
  isal->end_of_stream = flush == Z_FINISH;
  int status;
  do {
    status = isal_deflate(isal);
  } while (status == COMP_OK && isal->avail_out > 0 &&
           (isal->end_of_stream ? isal->internal_state.state != ZSTATE_END : isal->avail_in > 0));
  stream->total_in += stream->avail_in - isal->avail_in;
  stream->total_out += stream->avail_out - isal->avail_out;
  stream->next_in = isal->next_in;
  stream->avail_in = isal->avail_in;
  stream->next_out = isal->next_out;
  stream->avail_out = isal->avail_out;
  if (status != COMP_OK) return Z_STREAM_ERROR;
  return isal->internal_state.state == ZSTATE_END ? Z_STREAM_END : Z_OK;
}

#else

bool fast_deflate_is_built(void) { return false; }

fast_deflate *fast_deflate_new(void) { return NULL; }

void fast_deflate_free(fast_deflate *fast) { (void)fast; }

void fast_deflate_begin(fast_deflate *fast) { (void)fast; }

int fast_deflate_step(fast_deflate *fast, z_streamp stream, int flush) {
  (void)fast, (void)stream, (void)flush;
  return Z_STREAM_ERROR;
}

#endif
