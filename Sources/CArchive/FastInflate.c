#include "FastInflate.h"

#include <stdlib.h>

#if ISAL

#include <isa-l/igzip_lib.h>

struct fast_inflater {
  struct inflate_state state;
};

fast_inflater *fast_inflater_new(void) {
  fast_inflater *inflater = calloc(1, sizeof *inflater);
  if (inflater) isal_inflate_init(&inflater->state);
  return inflater;
}

void fast_inflater_free(fast_inflater *inflater) { free(inflater); }

void fast_inflater_reset(fast_inflater *inflater) {
  isal_inflate_reset(&inflater->state);
  inflater->state.crc_flag = ISAL_DEFLATE;
}

/* ISA-L loads up to eight bytes ahead. Gives those of this step back that it has not used. */
static void give_back(struct inflate_state *state, size_t taken) {
  if (state->read_in_length < 8) return;
  uint32_t ahead = (uint32_t)state->read_in_length / 8;
  if (ahead > taken) ahead = (uint32_t)taken;
  state->read_in_length -= (int32_t)(8 * ahead);
  state->read_in &= state->read_in_length == 0 ? 0 : ~UINT64_C(0) >> (64 - state->read_in_length);
  state->next_in -= ahead;
  state->avail_in += ahead;
}

enum fast_inflated fast_inflater_step(
    fast_inflater *inflater, const void *input, size_t count, void *output, size_t room, size_t *used, size_t *made) {
  struct inflate_state *state = &inflater->state;
  state->next_in = (uint8_t *)input; /* it is only read */
  state->avail_in = (uint32_t)count;
  state->next_out = output;
  state->avail_out = (uint32_t)room;
  int status = isal_inflate(state);
  size_t taken = count - state->avail_in;
  int has_ended = state->block_state == ISAL_BLOCK_FINISH;
  /* Where the room is full, the stream's end may lie within what was loaded: what is behind it must not count as used. Where the
     input is, it lies behind. A header that is cut is kept elsewhere, behind what was loaded. */
  if (status >= 0 && (has_ended || (state->avail_out == 0 && state->tmp_in_size == 0))) give_back(state, taken);
  /* After an error it may have gone back to before this step's input. */
  *used = state->avail_in > count ? 0 : count - state->avail_in;
  *made = room - state->avail_out;
  if (status < 0 || state->avail_in > count) return fast_inflated_invalid;
  return has_ended ? fast_inflated_end : fast_inflated_more;
}

#else

fast_inflater *fast_inflater_new(void) { return NULL; }

void fast_inflater_free(fast_inflater *inflater) { (void)inflater; }

void fast_inflater_reset(fast_inflater *inflater) { (void)inflater; }

enum fast_inflated fast_inflater_step(
    fast_inflater *inflater, const void *input, size_t count, void *output, size_t room, size_t *used, size_t *made) {
  (void)inflater, (void)input, (void)count, (void)output, (void)room;
  *used = *made = 0;
  return fast_inflated_invalid;
}

#endif
