#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 Deflates an entry's data in chunks that know nothing of each other, so that any thread can do any of them, in any order.

 A chunk is raw deflate data (RFC 1951) that ends with a byte: the last one of an entry with the final block, any other with
 a full flush. Put one after the other they are one deflate stream.
*/

/* The most bytes of an entry that one chunk holds. */
enum { chunk_size = 1 << 20 };

/* The level of ISA-L's deflate; zlib's level 1 where this was built without it. */
enum { zip_level_fast = -1 };
bool zip_level_fast_is_built(void);

/* What chunks are deflated with, one at a time, used again: a state of zlib's is some 260 KB, mapped and cleared anew for each
   of 100,000 small files otherwise. NULL where memory is short. */
typedef struct chunk_deflater chunk_deflater;
chunk_deflater *chunk_deflater_new(void);
void chunk_deflater_free(chunk_deflater *deflater);

/* Deflates a chunk by zlib's level 1 to 9, or zip_level_fast. The result depends on nothing but what is given.

   Gives the number of bytes put out; 0 where they don't fit into the room, or memory is short. */
size_t chunk_deflate(chunk_deflater *deflater, int level, const void *bytes, size_t count, bool is_last, void *output, size_t room);

/* Room that is enough for a chunk of so many bytes, unless its data is such that stored blocks are better. */
static inline size_t chunk_room(size_t count) { return count + (count >> 6) + 512; }

/* The CRC-32 of earlier bytes, continued over more: by ISA-L, where it is there, four times as fast as by zlib. */
uint32_t chunk_crc32(uint32_t crc, const void *bytes, size_t count);
