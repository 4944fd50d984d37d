#define _GNU_SOURCE
#include "TarReading.h"

#include <locale.h>
#include <stdlib.h>
#ifdef __APPLE__
#include <xlocale.h>
#endif

struct tar_reading {
  struct archive *archive;
  locale_t plain;
};

tar_reading *tar_reading_new(void) {
  tar_reading *reading = calloc(1, sizeof *reading);
  if (!reading) return NULL;
  reading->plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
  reading->archive = archive_read_new();
  if (reading->plain && reading->archive && archive_read_support_format_tar(reading->archive) == ARCHIVE_OK) return reading;
  tar_reading_free(reading);
  return NULL;
}

void tar_reading_free(tar_reading *reading) {
  if (reading->archive) archive_read_free(reading->archive);
  if (reading->plain) freelocale(reading->plain);
  free(reading);
}

struct archive *tar_reading_archive(tar_reading *reading) { return reading->archive; }

int tar_reading_open(tar_reading *reading, void *context, archive_read_callback *read) {
  locale_t before = uselocale(reading->plain);
  int status = archive_read_open(reading->archive, context, NULL, read, NULL);
  uselocale(before);
  return status;
}

int tar_reading_next(tar_reading *reading, struct archive_entry **entry) {
  locale_t before = uselocale(reading->plain);
  int status = archive_read_next_header(reading->archive, entry);
  uselocale(before);
  return status;
}

la_ssize_t tar_reading_data(tar_reading *reading, void *buffer, size_t size) {
  locale_t before = uselocale(reading->plain);
  la_ssize_t count = archive_read_data(reading->archive, buffer, size);
  uselocale(before);
  return count;
}
