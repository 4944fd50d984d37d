// Starting and ending programs: what needs macros, flags of one system only, or calls that libc has no name for.
#pragma once
#include <stdbool.h>
#include <sys/types.h>

/// How a process ended.
struct cprocess_end {
  /// Its exit status, or the signal that ended it.
  int number;
  bool by_signal;
};

/// A pipe whose ends are closed in every program that is started; the reading end never waits. Both are above 2, so that neither is
/// overwritten where a program's own 0, 1 and 2 are put. 0, or an errno value.
int cprocess_pipe(int *reading, int *writing);

/// Starts a program in a process group of its own: standard input is empty, `output` and `error` are its 1 and 2, every other descriptor is
/// closed, every signal has its default action and none is blocked. `folder` is where it starts, NULL for this process's own.
/// 0, or an errno value: that of exec too.
int cprocess_spawn(pid_t *process, const char *path, char *const arguments[], char *const environment[], const char *folder, int output,
                   int error);

/// A descriptor that is readable once a child has ended; negative where the system has none.
int cprocess_watch(pid_t process);

/// Whether a child has ended. It stays a zombie, and its number and its group's taken, until it is reaped. 1, 0, or a negative errno value.
int cprocess_has_ended(pid_t process);

/// Waits for the end of a child and forgets it. 0, or an errno value.
int cprocess_reap(pid_t process, struct cprocess_end *end);

/// Has a thread of its own wait for the end of a child, and forget it. 0, or an errno value where there is no thread for it.
int cprocess_reap_later(pid_t process);

/// Waits for any of the descriptors to be readable, or the time (milliseconds; negative: without end). `ready` tells which; a negative
/// descriptor is passed over. 0, or an errno value; a signal that comes is no error.
int cprocess_await(const int *descriptors, bool *ready, int count, int milliseconds);

/// This process's own environment: `NAME=value` each, NULL at the end.
char *const *cprocess_environment(void);
