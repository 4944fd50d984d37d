#pragma once
#include <stdbool.h>
#include <zlib.h>

/*
 Deflate by ISA-L's igzip at its level 2, behind the calls that libarchive makes to zlib: some fifteen times as fast as zlib's
 level 6, for 15 to 25 % more bytes of text. Level 3 takes more than twice as long, and makes text 0 to 5 % smaller. Its streams
 are raw deflate data (RFC 1951), as ZIP wants them.
*/
typedef struct fast_deflate fast_deflate;

/* Whether ISA-L was there when this was built. */
bool fast_deflate_is_built(void);

/* What one stream after the other is made with; NULL where memory is short or ISA-L is missing. */
fast_deflate *fast_deflate_new(void);
void fast_deflate_free(fast_deflate *fast);

/* Begins a stream. */
void fast_deflate_begin(fast_deflate *fast);

/* zlib's deflate() with Z_NO_FLUSH or Z_FINISH: takes from next_in, adds to next_out, counts in both directions. A status of
   zlib. */
int fast_deflate_step(fast_deflate *fast, z_streamp stream, int flush);
