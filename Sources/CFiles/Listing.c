#define _GNU_SOURCE
#include "CFiles.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static uint8_t kind_of(unsigned type) {
  switch (type) {
  case DT_UNKNOWN: return 0;
  case DT_REG: return 1;
  case DT_DIR: return 2;
  case DT_LNK: return 3;
  default: return 4;
  }
}

static bool is_dots(const char *name) { return name[0] == '.' && (!name[1] || (name[1] == '.' && !name[2])); }

#ifdef __linux__
// The system call itself: `readdir` would need a descriptor of its own, and drops the position after an interrupted call.
struct cfiles_listing {
  int directory;
  ssize_t at, filled;
  _Alignas(struct dirent64) char buffer[1 << 15];
};

int cfiles_listing_open(int directory, struct cfiles_listing **listing) {
  if (lseek(directory, 0, SEEK_SET) < 0) return errno;
  *listing = malloc(sizeof **listing);
  if (!*listing) return ENOMEM;
  (*listing)->directory = directory;
  (*listing)->at = (*listing)->filled = 0;
  return 0;
}

static int fill(struct cfiles_listing *listing) {
  do listing->filled = getdents64(listing->directory, listing->buffer, sizeof listing->buffer);
  while (listing->filled < 0 && errno == EINTR);
  listing->at = 0;
  return listing->filled < 0 ? -errno : listing->filled > 0;
}

int cfiles_listing_next(struct cfiles_listing *listing, struct cfiles_entry *entry) {
  while (true) {
    if (listing->at >= listing->filled) {
      int more = fill(listing);
      if (more <= 0) return more;
    }
    const struct dirent64 *found = (const struct dirent64 *)(listing->buffer + listing->at);
    listing->at += found->d_reclen;
    if (is_dots(found->d_name)) continue;
    *entry = (struct cfiles_entry){found->d_name, (uint32_t)strlen(found->d_name), kind_of(found->d_type)};
    return 1;
  }
}

void cfiles_listing_close(struct cfiles_listing *listing) { free(listing); }
#else
struct cfiles_listing {
  DIR *stream;
};

int cfiles_listing_open(int directory, struct cfiles_listing **listing) {
  int own = fcntl(directory, F_DUPFD_CLOEXEC, 0);
  if (own < 0) return errno;
  DIR *stream = fdopendir(own);
  if (!stream) {
    int code = errno;
    close(own);
    return code;
  }
  rewinddir(stream);
  *listing = malloc(sizeof **listing);
  if (!*listing) {
    closedir(stream);
    return ENOMEM;
  }
  (*listing)->stream = stream;
  return 0;
}

int cfiles_listing_next(struct cfiles_listing *listing, struct cfiles_entry *entry) {
  while (true) {
    errno = 0;
    const struct dirent *found = readdir(listing->stream);
    if (!found && errno == EINTR) continue;
    if (!found) return -errno;
    if (is_dots(found->d_name)) continue;
    *entry = (struct cfiles_entry){found->d_name, found->d_namlen, kind_of(found->d_type)};
    return 1;
  }
}

void cfiles_listing_close(struct cfiles_listing *listing) {
  if (!listing) return;
  closedir(listing->stream);
  free(listing);
}
#endif
