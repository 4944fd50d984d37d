#define _GNU_SOURCE
#include "CFiles.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/sysmacros.h>
#include <sys/vfs.h>
#else
#include <sys/mount.h>
#include <sys/param.h>
#endif

#ifdef __linux__
static int status_at(int directory, const char *path, struct cfiles_status *status) {
  struct statx x;
  int flags = AT_SYMLINK_NOFOLLOW | AT_NO_AUTOMOUNT | (path[0] ? 0 : AT_EMPTY_PATH);
  if (statx(directory, path, flags, STATX_BASIC_STATS | STATX_BTIME | 0x1000 /* STATX_MNT_ID */, &x) != 0) return errno;
  status->mode = x.stx_mode;
  status->device = makedev(x.stx_dev_major, x.stx_dev_minor);
  status->inode = x.stx_ino;
  status->size = x.stx_size;
  status->blocks = x.stx_blocks;
  status->links = x.stx_nlink;
  status->mount = (x.stx_mask & 0x1000) ? x.stx_mnt_id : 0;
  status->uid = x.stx_uid;
  status->gid = x.stx_gid;
  status->modified_seconds = x.stx_mtime.tv_sec;
  status->modified_nanoseconds = x.stx_mtime.tv_nsec;
  status->changed_seconds = x.stx_ctime.tv_sec;
  status->changed_nanoseconds = x.stx_ctime.tv_nsec;
  status->has_created = (x.stx_mask & STATX_BTIME) != 0;
  status->created_seconds = x.stx_btime.tv_sec;
  status->created_nanoseconds = x.stx_btime.tv_nsec;
  return 0;
}
#else
static int status_at(int directory, const char *path, struct cfiles_status *status) {
  struct stat s;
  int failed = path[0] ? fstatat(directory, path, &s, AT_SYMLINK_NOFOLLOW) : fstat(directory, &s);
  if (failed != 0) return errno;
  status->mode = s.st_mode;
  status->device = (uint64_t)s.st_dev;
  status->inode = s.st_ino;
  status->size = (uint64_t)s.st_size;
  status->blocks = (uint64_t)s.st_blocks;
  status->links = s.st_nlink;
  status->uid = s.st_uid;
  status->gid = s.st_gid;
  status->modified_seconds = s.st_mtimespec.tv_sec;
  status->modified_nanoseconds = (uint32_t)s.st_mtimespec.tv_nsec;
  status->changed_seconds = s.st_ctimespec.tv_sec;
  status->changed_nanoseconds = (uint32_t)s.st_ctimespec.tv_nsec;
  status->has_created = true;
  status->created_seconds = s.st_birthtimespec.tv_sec;
  status->created_nanoseconds = (uint32_t)s.st_birthtimespec.tv_nsec;
  return 0;
}
#endif

int cfiles_status_at(int directory, const char *path, struct cfiles_status *status) {
  memset(status, 0, sizeof *status);
  return status_at(directory, path, status);
}

int cfiles_open_at(int directory, const char *path, int flags, unsigned mode) {
  int descriptor;
  do descriptor = openat(directory, path, flags | O_CLOEXEC, mode);
  while (descriptor < 0 && errno == EINTR);
  return descriptor < 0 ? -errno : descriptor;
}

int cfiles_open_through(int directory, const char *name) {
#ifdef O_PATH
  int flags = O_PATH | O_DIRECTORY | O_NOFOLLOW;
#else
  int flags = O_SEARCH | O_NOFOLLOW;
#endif
  return cfiles_open_at(directory, name, flags, 0);
}

int cfiles_open_unnamed(int directory) {
#ifdef O_TMPFILE
  int descriptor;
  do descriptor = openat(directory, ".", O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
  while (descriptor < 0 && errno == EINTR);
  return descriptor < 0 ? -errno : descriptor;
#else
  (void)directory;
  return -EOPNOTSUPP;
#endif
}

int cfiles_link_unnamed(int descriptor, int directory, const char *name) {
#ifdef O_TMPFILE
  // The kernel allows this form to few before 6.10, the form by /proc to all, but not everywhere is there a /proc.
  if (linkat(descriptor, "", directory, name, AT_EMPTY_PATH) == 0) return 0;
  if (errno == EEXIST) return errno;
  char path[64];
  snprintf(path, sizeof path, "/proc/self/fd/%d", descriptor);
  return linkat(AT_FDCWD, path, directory, name, AT_SYMLINK_FOLLOW) == 0 ? 0 : errno;
#else
  (void)descriptor, (void)directory, (void)name;
  return EOPNOTSUPP;
#endif
}

int cfiles_rename_at(int directory, const char *from, const char *to, bool replace) {
  if (replace) return renameat(directory, from, directory, to) == 0 ? 0 : errno;
#ifdef __linux__
  if (renameat2(directory, from, directory, to, RENAME_NOREPLACE) == 0) return 0;
  if (errno != EINVAL && errno != ENOSYS) return errno;
  // A file system that can't refuse while renaming can while linking: two names for a moment, never a lost file.
  if (linkat(directory, from, directory, to, 0) != 0) return errno;
  return unlinkat(directory, from, 0) == 0 ? 0 : errno;
#else
  return renameatx_np(directory, from, directory, to, RENAME_EXCL) == 0 ? 0 : errno;
#endif
}

bool cfiles_is_in_memory(int descriptor) {
#ifdef __linux__
  struct statfs fs;
  if (fstatfs(descriptor, &fs) != 0) return false;
  return fs.f_type == 0x01021994 /* TMPFS_MAGIC */ || fs.f_type == (long)0x858458f6 /* RAMFS_MAGIC */;
#else
  (void)descriptor;
  return false;
#endif
}

uint64_t cfiles_free_bytes(int descriptor) {
  struct statvfs fs;
  if (fstatvfs(descriptor, &fs) != 0) return UINT64_MAX;
  return (uint64_t)fs.f_bavail * fs.f_frsize;
}

int cfiles_sync(int descriptor) {
  int failed;
#ifdef __APPLE__
  if (fcntl(descriptor, F_FULLFSYNC) == 0) return 0;
#endif
  do failed = fsync(descriptor);
  while (failed != 0 && errno == EINTR);
  return failed ? errno : 0;
}

void cfiles_will_read_in_order(int descriptor) {
#ifdef __APPLE__
  fcntl(descriptor, F_RDAHEAD, 1);
#else
  posix_fadvise(descriptor, 0, 0, POSIX_FADV_SEQUENTIAL);
#endif
}

int cfiles_lock(int descriptor) {
  int failed;
  do failed = flock(descriptor, LOCK_EX | LOCK_NB);
  while (failed != 0 && errno == EINTR);
  return failed ? errno : 0;
}

bool cfiles_is_kernel_made(int descriptor) {
#ifdef __linux__
  struct statfs fs;
  if (fstatfs(descriptor, &fs) != 0) return false;
  switch ((uint32_t)fs.f_type) {
  case 0x9fa0:      // proc
  case 0x62656572:  // sysfs
  case 0x27e0eb:    // cgroup
  case 0x63677270:  // cgroup2
  case 0x1cd1:      // devpts
  case 0x64626720:  // debugfs
  case 0x74726163:  // tracefs
  case 0x73636673:  // securityfs
  case 0xf97cff8c:  // selinux
  case 0xcafe4a11:  // bpf
  case 0x6165676c:  // pstore
  case 0xde5e81e4:  // efivarfs
  case 0x62656570:  // configfs
  case 0x42494e4d:  // binfmt_misc
  case 0x65735543:  // fusectl
  case 0x19800202:  // mqueue
  case 0x6e736673:  // nsfs
    return true;
  default: return false;
  }
#else
  struct statfs fs;
  return fstatfs(descriptor, &fs) == 0 && strcmp(fs.f_fstypename, "devfs") == 0;
#endif
}
