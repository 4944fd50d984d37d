#pragma once
#include <archive.h>
#include <archive_entry.h>
#include <stddef.h>

/*
 libarchive's tar reader, for a stream that comes from a callback. It turns names between character sets by the locale, and so
 would change them: composed characters for decomposed ones. So every call below runs in the locale "C", in its own thread and
 for its own time, where a name that can't be turned is left as the bytes that it is.
*/
typedef struct tar_reading tar_reading;

/* A reader of tar and of nothing else, compressed streams too; NULL where memory is short. */
tar_reading *tar_reading_new(void);
void tar_reading_free(tar_reading *reading);
struct archive *tar_reading_archive(tar_reading *reading);

/* Begins to read what `read` gives; `context` is its own. A status of libarchive. */
int tar_reading_open(tar_reading *reading, void *context, archive_read_callback *read);

/* The next member, valid until the next call. A status of libarchive: ARCHIVE_EOF at the end. */
int tar_reading_next(tar_reading *reading, struct archive_entry **entry);

/* Bytes of the member that was begun, its holes as zeros. Their number, 0 at the end, or a status of libarchive. */
la_ssize_t tar_reading_data(tar_reading *reading, void *buffer, size_t size);

/* AE_IFREG and its like are casts, which Swift can't import. */
enum tar_kind { tar_kind_file, tar_kind_folder, tar_kind_link, tar_kind_special };
static inline enum tar_kind tar_kind_of(struct archive_entry *entry) {
  switch (archive_entry_filetype(entry)) {
  case AE_IFREG: return tar_kind_file;
  case AE_IFDIR: return tar_kind_folder;
  case AE_IFLNK: return tar_kind_link;
  default: return tar_kind_special;
  }
}
