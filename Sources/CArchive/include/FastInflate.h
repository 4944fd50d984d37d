#pragma once
#include <stddef.h>

/*
 Inflates raw deflate data (RFC 1951) by ISA-L, about twice as fast as zlib. It is not as strict as zlib about code tables that
 a writer should not make: it is for reading back what this package has written itself, never for telling whether others can read a ZIP.
*/
typedef struct fast_inflater fast_inflater;

/* NULL where memory is short, or this was built without ISA-L. */
fast_inflater *fast_inflater_new(void);
void fast_inflater_free(fast_inflater *inflater);

/* Begins a stream. */
void fast_inflater_reset(fast_inflater *inflater);

/* What a step came to: everything that the input allows is put out; the stream has ended; the input is no deflate data. */
enum fast_inflated { fast_inflated_more, fast_inflated_end, fast_inflated_invalid };

/* Takes as much input as fills the room or is there, and says how much was used and put out. At most 1 GiB of each. */
enum fast_inflated fast_inflater_step(
    fast_inflater *inflater, const void *input, size_t count, void *output, size_t room, size_t *used, size_t *made);
