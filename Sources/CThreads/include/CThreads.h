#ifndef CTHREADS_H
#define CTHREADS_H

/// Names the calling thread, in at most 15 bytes, as the system's tools show it. 0, or an errno value. It opens no descriptor.
int cthreads_name_this(const char *name);

#endif
