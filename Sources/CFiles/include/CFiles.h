// What Swift's Glibc module can't import: macros, variadics, and structures behind feature macros.
#pragma once
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/// What `fstatat` and `statx` tell of a file, in one shape on every system. Times are nanoseconds since 1970 split in two.
struct cfiles_status {
  uint32_t mode;
  uint64_t device, inode, size, blocks, links, mount;
  uint32_t uid, gid;
  int64_t modified_seconds, changed_seconds, created_seconds;
  uint32_t modified_nanoseconds, changed_nanoseconds, created_nanoseconds;
  bool has_created;
};

/// `fstatat` that never follows a final link; with an empty path, the descriptor itself. 0, or an errno value.
int cfiles_status_at(int directory, const char *path, struct cfiles_status *status);

/// `openat` with `O_CLOEXEC` always set. A descriptor, or a negative errno value.
int cfiles_open_at(int directory, const char *path, int flags, unsigned mode);

/// A folder in a directory, to go through only: the right to look into it isn't needed. A descriptor, or a negative errno value.
int cfiles_open_through(int directory, const char *name);

/// A file without a name in a directory, `O_TMPFILE` (0600). A descriptor, or a negative errno value.
int cfiles_open_unnamed(int directory);

/// Gives a file without a name its name in a directory; never replaces one. 0, or an errno value.
int cfiles_link_unnamed(int descriptor, int directory, const char *name);

/// Renames within a directory; `replace` false refuses an existing target. 0, or an errno value.
int cfiles_rename_at(int directory, const char *from, const char *to, bool replace);

/// Whether a descriptor lies on a file system that is kept in memory (tmpfs, ramfs).
bool cfiles_is_in_memory(int descriptor);

/// Bytes free to an unprivileged user on the file system of a descriptor; UINT64_MAX where it can't tell.
uint64_t cfiles_free_bytes(int descriptor);

/// `fsync`, through to the disk itself where the system tells the two apart. 0, or an errno value.
int cfiles_sync(int descriptor);

/// Says that a file is read from its beginning to its end, so that more of it is fetched ahead. It changes nothing else, and may do nothing.
void cfiles_will_read_in_order(int descriptor);

/// Takes the exclusive lock of a file or folder (`flock`), without waiting. 0, or an errno value: EWOULDBLOCK where another holds it.
int cfiles_lock(int descriptor);

/// Whether a descriptor lies on a file system that the kernel makes up (proc, sysfs, cgroup …): no one's documents, and some never end.
bool cfiles_is_kernel_made(int descriptor);

/// One name of a folder. `kind` is a hint and 0 where the folder doesn't tell: 1 file, 2 folder, 3 link, 4 special.
struct cfiles_entry {
  const char *name;
  uint32_t length;
  uint8_t kind;
};

/// A folder being read, from its beginning. It uses the descriptor, and doesn't own it.
struct cfiles_listing;

/// Begins to read a folder. 0, or an errno value.
int cfiles_listing_open(int directory, struct cfiles_listing **listing);

/// The next name but `.` and `..`, valid until the next call. 1, 0 at the end, or a negative errno value.
int cfiles_listing_next(struct cfiles_listing *listing, struct cfiles_entry *entry);

/// Ends reading a folder; NULL does nothing.
void cfiles_listing_close(struct cfiles_listing *listing);
