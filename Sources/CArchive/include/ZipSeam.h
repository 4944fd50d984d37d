#pragma once
#include <archive.h>
#include <archive_entry.h>
#include <stdbool.h>
#include <stddef.h>

/*
 The seam between libarchive's ZIP writer and what lies below it.

 libarchive fixes the deflate level when an archive is opened and writes DOS times in the process's time zone. It is linked
 statically, so its calls of deflateInit2_, deflate, deflateEnd and localtime_r bind to the functions of ZipSeam.c. These pass
 every call on to zlib and libc, unless the calling thread is inside one of the functions below: then the seam decides the
 level, lets ISA-L do the work where that is asked for, keeps the memory from entry to entry, and answers with UTC. They are
 hidden, so no other library in the process ever meets them, and code linked into the same image gets what zlib and libc
 answer.
*/
typedef struct zip_seam zip_seam;

/* A seam for one archive; NULL when memory is short. */
zip_seam *zip_seam_new(void);

/* Ends the archive's deflate streams, frees the archive (unclosed unless it was closed) and the seam, in this order, because
   the streams lie inside the archive. */
void zip_seam_free(zip_seam *seam, struct archive *archive);

/* The level of ISA-L's deflate; zlib's level 1 where this was built without it. */
enum { zip_level_fast = -1 };
bool zip_level_fast_is_built(void);

/* What holds for the next header: zlib's level (0 to 9) or zip_level_fast, and the time whose UTC date the DOS field shows
   (seconds since 1970, within the years 1980 to 2107). */
void zip_seam_prepare(zip_seam *seam, int level, long long modified);

/* archive_write_header, archive_write_data, archive_write_finish_entry, archive_write_close with the seam in force. */
int zip_seam_header(zip_seam *seam, struct archive *archive, struct archive_entry *entry);
la_ssize_t zip_seam_data(zip_seam *seam, struct archive *archive, const void *bytes, size_t count);
int zip_seam_finish_entry(zip_seam *seam, struct archive *archive);
int zip_seam_close(zip_seam *seam, struct archive *archive);

/* How many times libarchive has asked this seam for a deflate stream, and for a date. Where they stay 0, libarchive isn't
   linked through the seam. */
unsigned long long zip_seam_streams(const zip_seam *seam);
unsigned long long zip_seam_dates(const zip_seam *seam);

/* AE_IFREG and AE_IFDIR are casts, which Swift can't import. */
static inline unsigned int zip_regular_file(void) { return AE_IFREG; }
static inline unsigned int zip_folder(void) { return AE_IFDIR; }
