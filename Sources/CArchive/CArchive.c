#include "CArchive.h"

#include <errno.h>

/* libarchive's ZIP writer needs this one function of archive_write_set_format.c, whose other half names every format there
   is. Were that file linked, libxml2, liblzma and libbz2 would have to come along for formats that are never written. Weak,
   so that a program which does use them gets libarchive's own. */
__attribute__((weak, visibility("hidden"))) void __archive_write_entry_filetype_unsupported(
    struct archive *archive, struct archive_entry *entry, const char *format) {
  archive_set_error(archive, EINVAL, "%s: an entry of type %#o cannot be written", format,
                    (unsigned)archive_entry_filetype(entry));
}
