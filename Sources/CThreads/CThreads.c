#define _GNU_SOURCE /* pthread_setname_np */
#include "CThreads.h"

#include <pthread.h>

int cthreads_name_this(const char *name) {
#ifdef __APPLE__
  return pthread_setname_np(name);
#else
  return pthread_setname_np(pthread_self(), name);
#endif
}
