#define _GNU_SOURCE
#include "CCrashPoints.h"
#include <signal.h>
#include <stdatomic.h>
#include <sys/types.h>
#include <unistd.h>

static atomic_long count, fatal;

void crashpoints_arm(long number) {
  count = 0;
  fatal = number;
}

long crashpoints_count(void) { return count; }

#ifdef __linux__
#include <sys/syscall.h>

static void pass(void) {
  if (++count == fatal) kill(getpid(), SIGKILL);
}

// What a program defines comes before what libraries do, for the libraries too: SQLite's calls come here as well.
int unlinkat(int directory, const char *path, int flags) {
  pass();
  return (int)syscall(SYS_unlinkat, directory, path, flags);
}

int unlink(const char *path) {
  pass();
  return (int)syscall(SYS_unlinkat, -100 /* AT_FDCWD */, path, 0);
}

int renameat2(int from, const char *name, int to, const char *other, unsigned flags) {
  pass();
  return (int)syscall(SYS_renameat2, from, name, to, other, flags);
}

int fsync(int descriptor) {
  pass();
  return (int)syscall(SYS_fsync, descriptor);
}

int fdatasync(int descriptor) {
  pass();
  return (int)syscall(SYS_fdatasync, descriptor);
}

ssize_t pwrite64(int descriptor, const void *bytes, size_t size, off_t offset) {
  pass();
  return syscall(SYS_pwrite64, descriptor, bytes, size, offset);
}

int ftruncate64(int descriptor, off_t length) {
  pass();
  return (int)syscall(SYS_ftruncate, descriptor, length);
}
#endif
