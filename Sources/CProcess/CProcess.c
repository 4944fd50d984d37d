#define _GNU_SOURCE
#include "CProcess.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/syscall.h>
#endif

/// Puts a descriptor above 2, closed on exec. The descriptor, or a negative errno value; the old one is closed where it moved.
static int above_two(int descriptor) {
  if (descriptor > 2) return descriptor;
  int raised = fcntl(descriptor, F_DUPFD_CLOEXEC, 3);
  int code = errno;
  close(descriptor);
  return raised < 0 ? -code : raised;
}

int cprocess_pipe(int *reading, int *writing) {
  int ends[2];
#ifdef __linux__
  if (pipe2(ends, O_CLOEXEC) != 0) return errno;
#else
  if (pipe(ends) != 0) return errno;
  fcntl(ends[0], F_SETFD, FD_CLOEXEC);
  fcntl(ends[1], F_SETFD, FD_CLOEXEC);
#endif
  *reading = above_two(ends[0]);
  *writing = above_two(ends[1]);
  int code = *reading < 0 ? -*reading : *writing < 0 ? -*writing : 0;
  if (code == 0 && fcntl(*reading, F_SETFL, O_NONBLOCK) != 0) code = errno;
  if (code == 0) return 0;
  if (*reading >= 0) close(*reading);
  if (*writing >= 0) close(*writing);
  return code;
}

static int add_actions(posix_spawn_file_actions_t *actions, const char *folder, int output, int error) {
  int code = 0;
  if (folder) code = posix_spawn_file_actions_addchdir_np(actions, folder);
  if (code == 0) code = posix_spawn_file_actions_addopen(actions, 0, "/dev/null", O_RDONLY, 0);
  if (code == 0) code = posix_spawn_file_actions_adddup2(actions, output, 1);
  if (code == 0) code = posix_spawn_file_actions_adddup2(actions, error, 2);
#ifdef __linux__
  if (code == 0) code = posix_spawn_file_actions_addclosefrom_np(actions, 3);
#endif
  return code;
}

static int set_attributes(posix_spawnattr_t *attributes) {
  sigset_t all, none;
  sigfillset(&all);
  sigemptyset(&none);
  short flags = POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK;
#ifdef __APPLE__
  flags |= POSIX_SPAWN_CLOEXEC_DEFAULT;
#endif
  int code = posix_spawnattr_setflags(attributes, flags);
  if (code == 0) code = posix_spawnattr_setpgroup(attributes, 0);
  if (code == 0) code = posix_spawnattr_setsigdefault(attributes, &all);
  if (code == 0) code = posix_spawnattr_setsigmask(attributes, &none);
  return code;
}

int cprocess_spawn(pid_t *process, const char *path, char *const arguments[], char *const environment[], const char *folder, int output,
                   int error) {
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  int code = posix_spawn_file_actions_init(&actions);
  if (code != 0) return code;
  code = posix_spawnattr_init(&attributes);
  if (code == 0) {
    code = add_actions(&actions, folder, output, error);
    if (code == 0) code = set_attributes(&attributes);
    if (code == 0) code = posix_spawn(process, path, &actions, &attributes, arguments, environment);
    posix_spawnattr_destroy(&attributes);
  }
  posix_spawn_file_actions_destroy(&actions);
  return code;
}

int cprocess_watch(pid_t process) {
#ifdef SYS_pidfd_open
  return (int)syscall(SYS_pidfd_open, process, 0);
#else
  (void)process;
  return -1;
#endif
}

int cprocess_has_ended(pid_t process) {
  siginfo_t info;
  info.si_pid = 0;
  int failed;
  do failed = waitid(P_PID, (id_t)process, &info, WEXITED | WNOHANG | WNOWAIT);
  while (failed != 0 && errno == EINTR);
  if (failed != 0) return -errno;
  return info.si_pid == process;
}

int cprocess_reap(pid_t process, struct cprocess_end *end) {
  int status;
  pid_t got;
  do got = waitpid(process, &status, 0);
  while (got < 0 && errno == EINTR);
  if (got < 0) return errno;
  end->by_signal = WIFSIGNALED(status);
  end->number = end->by_signal ? WTERMSIG(status) : WEXITSTATUS(status);
  return 0;
}

static void *reap(void *process) {
  while (waitpid((pid_t)(intptr_t)process, NULL, 0) < 0 && errno == EINTR) {}
  return NULL;
}

int cprocess_reap_later(pid_t process) {
  pthread_attr_t attributes;
  int code = pthread_attr_init(&attributes);
  if (code != 0) return code;
  code = pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  pthread_t thread;
  if (code == 0) code = pthread_create(&thread, &attributes, reap, (void *)(intptr_t)process);
  pthread_attr_destroy(&attributes);
  return code;
}

int cprocess_await(const int *descriptors, bool *ready, int count, int milliseconds) {
  struct pollfd places[8];
  if (count > 8) return EINVAL;
  for (int i = 0; i < count; i++) {
    places[i].fd = descriptors[i];
    places[i].events = POLLIN;
    places[i].revents = 0;
  }
  int found = poll(places, (nfds_t)count, milliseconds);
  if (found < 0 && errno != EINTR) return errno;
  for (int i = 0; i < count; i++) ready[i] = found > 0 && places[i].revents != 0;
  return 0;
}

#ifdef __APPLE__
#include <crt_externs.h>
char *const *cprocess_environment(void) { return *_NSGetEnviron(); }
#else
char *const *cprocess_environment(void) { return environ; }
#endif
