#define _GNU_SOURCE
#include "CSQLite.h"
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>
#ifdef __linux__
#include <linux/close_range.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#ifndef FICLONE
#define FICLONE _IOW(0x94, 9, int)
#endif
#endif

int csqlite_configure(sqlite3 *database, int option, int on) { return sqlite3_db_config(database, option, on, (int *)0); }

int csqlite_bind_copied_text(sqlite3_stmt *statement, int index, const void *bytes, int count) {
  return sqlite3_bind_text(statement, index, bytes, count, SQLITE_TRANSIENT);
}

int csqlite_bind_copied_text_as(sqlite3_stmt *statement, int index, const void *bytes, uint64_t count, unsigned char encoding) {
  return sqlite3_bind_text64(statement, index, bytes, count, SQLITE_TRANSIENT, encoding);
}

int csqlite_bind_copied_blob(sqlite3_stmt *statement, int index, const void *bytes, uint64_t count) {
  return sqlite3_bind_blob64(statement, index, bytes, count, SQLITE_TRANSIENT);
}

static int bytewise(void *context, int first_count, const void *first, int second_count, const void *second) {
  (void)context;
  int order = memcmp(first, second, (size_t)(first_count < second_count ? first_count : second_count));
  return order ? order : first_count - second_count;
}

static void collation_needed(void *context, sqlite3 *database, int representation, const char *name) {
  (void)context;
  // A failure here shows as "no such collation sequence" in the statement that asked.
  (void)sqlite3_create_collation_v2(database, name, representation, 0, bytewise, 0);
}

int csqlite_accept_any_collation(sqlite3 *database) { return sqlite3_collation_needed(database, 0, collation_needed); }

enum { STEPS_BETWEEN_LOOKS = 100000 };

static int worked(void *context) {
  struct csqlite_work *work = context;
  work->done += STEPS_BETWEEN_LOOKS;
  return work->done > work->limit;
}

void csqlite_limit_work(sqlite3 *database, struct csqlite_work *work) {
  sqlite3_progress_handler(database, work ? STEPS_BETWEEN_LOOKS : 0, work ? worked : 0, work);
}

int csqlite_own_descriptors(void) {
#if defined(__linux__) && defined(SYS_close_range)
  return syscall(SYS_close_range, 3U, ~0U, CLOSE_RANGE_UNSHARE) == 0 ? 0 : errno;
#else
  return ENOSYS;
#endif
}

// The lock bytes of SQLite's file format, section 1.2.1 "the lock-byte page", used as in its os_unix.c.
enum { PENDING_BYTE = 0x40000000, RESERVED_BYTE = PENDING_BYTE + 1, SHARED_FIRST = PENDING_BYTE + 2, SHARED_SIZE = 510 };

#ifdef F_OFD_SETLK
static int set_lock(int descriptor, short type, off_t start, off_t length) {
  struct flock lock = {.l_type = type, .l_whence = SEEK_SET, .l_start = start, .l_len = length};
  if (fcntl(descriptor, F_OFD_SETLK, &lock) == 0) return 0;
  return errno == EACCES ? EAGAIN : errno;
}

static int is_locked(int descriptor, off_t start, off_t length, bool *locked) {
  struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = start, .l_len = length};
  if (fcntl(descriptor, F_OFD_GETLK, &lock) != 0) return errno;
  *locked = lock.l_type != F_UNLCK;
  return 0;
}

static int simplified(int code) {
  return code == EINVAL || code == ENOLCK || code == ENOSYS || code == EOPNOTSUPP ? ENOTSUP : code;
}

int csqlite_lock_shared(int descriptor) {
  int code = set_lock(descriptor, F_RDLCK, PENDING_BYTE, 1);
  if (code) return simplified(code);
  code = set_lock(descriptor, F_RDLCK, SHARED_FIRST, SHARED_SIZE);
  int unlocked = set_lock(descriptor, F_UNLCK, PENDING_BYTE, 1);
  return simplified(code ? code : unlocked);
}

int csqlite_probe_locks(int descriptor, bool *reserved, bool *others) {
  *reserved = *others = false;
  int code = is_locked(descriptor, RESERVED_BYTE, 1, reserved);
  if (!code) code = is_locked(descriptor, PENDING_BYTE, 2 + SHARED_SIZE, others);
  return simplified(code);
}
#else
int csqlite_lock_shared(int descriptor) { (void)descriptor; return ENOTSUP; }
int csqlite_probe_locks(int descriptor, bool *reserved, bool *others) {
  (void)descriptor;
  *reserved = *others = false;
  return ENOTSUP;
}
#endif

int csqlite_clone(int from, int to) {
#ifdef __linux__
  return ioctl(to, FICLONE, from) == 0 ? 0 : errno;
#else
  (void)from, (void)to;
  return ENOTSUP;
#endif
}

int64_t csqlite_copy_range(int from, int to, int64_t offset, uint64_t count) {
#ifdef __linux__
  off64_t in = offset, out = offset;
  ssize_t copied = copy_file_range(from, &in, to, &out, count, 0);
  return copied < 0 ? -errno : copied;
#else
  (void)from, (void)to, (void)offset, (void)count;
  return -ENOTSUP;
#endif
}
