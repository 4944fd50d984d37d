#pragma once
#include <archive.h>
#include <archive_entry.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 The seam between libarchive's ZIP writer and what lies below it.

 libarchive deflates and sums an entry's data itself, on the thread that hands it over, and writes DOS times in the process's
 time zone. It is linked statically, so its calls of deflateInit2_, deflate, deflateEnd, crc32 and localtime_r bind to the
 functions of ZipSeam.c. These pass every call on to zlib and libc, unless the calling thread is inside one of the functions
 below: then deflate() only copies what has been deflated before, wherever that was, crc32() gives the sum that came with it,
 and dates are in UTC. They are hidden, so no other library in the process ever meets them, and code linked into the same
 image gets what zlib and libc answer.
*/
typedef struct zip_seam zip_seam;

/* Whether this system's linker lets the seam be met; where it doesn't, zip_seam_data takes data as it is. */
bool zip_seam_is_built(void);

/* A seam for one archive; NULL when memory is short. */
zip_seam *zip_seam_new(void);

/* Frees the archive (unclosed unless it was closed) and the seam. */
void zip_seam_free(zip_seam *seam, struct archive *archive);

/* What holds for the next header: the time whose UTC date the DOS field shows (seconds since 1970, within the years 1980 to
   2107). */
void zip_seam_prepare(zip_seam *seam, long long modified);

/* A chunk of an entry's data, not empty: so many bytes with this sum, and what they were deflated to; or, where it is stored,
   the bytes themselves, which the seam cuts into stored blocks. The last chunk ends the deflate stream. */
struct zip_chunk {
  size_t plain_count;
  uint32_t crc;
  const void *bytes;
  size_t count;
  bool is_stored, is_last;
};

/* archive_write_header, archive_write_data, archive_write_finish_entry, archive_write_close with the seam in force. An entry
   that is finished without a chunk is empty. */
int zip_seam_header(zip_seam *seam, struct archive *archive, struct archive_entry *entry);
la_ssize_t zip_seam_chunk(zip_seam *seam, struct archive *archive, const struct zip_chunk *chunk);
int zip_seam_finish_entry(zip_seam *seam, struct archive *archive);
int zip_seam_close(zip_seam *seam, struct archive *archive);

/* archive_write_data, for where the seam isn't built. */
la_ssize_t zip_seam_data(struct archive *archive, const void *bytes, size_t count);

/* How many times libarchive has asked this seam for a deflate stream, and for a date. Where they stay 0, libarchive isn't
   linked through the seam. */
unsigned long long zip_seam_streams(const zip_seam *seam);
unsigned long long zip_seam_dates(const zip_seam *seam);

/* AE_IFREG and AE_IFDIR are casts, which Swift can't import. */
static inline unsigned int zip_regular_file(void) { return AE_IFREG; }
static inline unsigned int zip_folder(void) { return AE_IFDIR; }
