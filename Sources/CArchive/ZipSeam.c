#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* RTLD_NEXT */
#endif
#include "ZipSeam.h"

#include "FastDeflate.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <time.h>
#include <zlib.h>

enum { level_count = 10 };

struct zip_seam {
  int level;
  time_t modified;
  unsigned long long streams;
  unsigned long long dates;
  /* libarchive's z_stream: one, at one address for the archive's whole life, which is what lets its states be kept. */
  z_streamp stream;
  int stream_level;
  bool stream_open;
  /* Between entries, the states of the streams that ended, by level. A state is some 260 KB, mapped and cleared anew for each
     of 100,000 small files otherwise. One for each level, since deflateParams on a used state is not the same in every zlib. */
  struct internal_state *idle[level_count];
  /* What zlib allocated them with. libarchive clears these fields before it asks for a stream. */
  alloc_func allocate;
  free_func release;
  voidpf opaque;
  /* ISA-L's streams, once one is asked for, and whether the one that is open is of these. */
  fast_deflate *fast;
  bool fast_open;
};

/* The seam in force on this thread, if any. */
static _Thread_local zip_seam *in_force;

/* What would be called if the functions below weren't there. */
static struct {
  int (*deflate_init)(z_streamp, int, int, int, int, int, const char *, int);
  int (*deflate)(z_streamp, int);
  int (*deflate_end)(z_streamp);
  struct tm *(*local_time)(const time_t *, struct tm *);
} next;
static pthread_once_t next_once = PTHREAD_ONCE_INIT;

static void find_next(void) {
  next.deflate_init = dlsym(RTLD_NEXT, "deflateInit2_");
  next.deflate = dlsym(RTLD_NEXT, "deflate");
  next.deflate_end = dlsym(RTLD_NEXT, "deflateEnd");
  next.local_time = dlsym(RTLD_NEXT, "localtime_r");
}

static int next_deflate_end(z_streamp stream) {
  pthread_once(&next_once, find_next);
  return next.deflate_end ? next.deflate_end(stream) : Z_STREAM_ERROR;
}

/* Puts an idle state back into the stream that it came from. */
static void resume(zip_seam *seam, int level) {
  seam->stream->state = seam->idle[level];
  seam->stream->zalloc = seam->allocate;
  seam->stream->zfree = seam->release;
  seam->stream->opaque = seam->opaque;
  seam->idle[level] = NULL;
}

/* MARK: the functions that libarchive binds to */

#if defined(__linux__)

/* Defined strongly on purpose: with a static zlib beside them the linker says "multiple definition" rather than leave levels
   unheeded. */
#define seam_function __attribute__((visibility("hidden")))

seam_function int deflateInit2_(z_streamp stream, int level, int method, int window_bits, int memory_level, int strategy,
                                const char *version, int stream_size) {
  pthread_once(&next_once, find_next);
  if (!next.deflate_init) return Z_VERSION_ERROR;
  zip_seam *seam = in_force;
  if (!seam) return next.deflate_init(stream, level, method, window_bits, memory_level, strategy, version, stream_size);

  seam->streams += 1;
  /* zlib's states know their stream: one is used again for the same alone. */
  bool is_same = seam->stream == stream;
  seam->stream = stream;
  if (seam->level == zip_level_fast) {
    if (!seam->fast) seam->fast = fast_deflate_new();
    if (!seam->fast) return Z_MEM_ERROR;
    fast_deflate_begin(seam->fast);
    stream->total_in = stream->total_out = 0;
    seam->fast_open = true;
    return Z_OK;
  }
  int status;
  if (seam->idle[seam->level] && is_same) {
    resume(seam, seam->level);
    status = deflateReset(stream);
  } else {
    status = next.deflate_init(stream, seam->level, method, window_bits, memory_level, strategy, version, stream_size);
  }
  seam->stream_level = seam->level;
  seam->stream_open = status == Z_OK;
  return status;
}

seam_function int deflate(z_streamp stream, int flush) {
  zip_seam *seam = in_force;
  if (seam && seam->fast_open && seam->stream == stream) return fast_deflate_step(seam->fast, stream, flush);
  pthread_once(&next_once, find_next);
  return next.deflate ? next.deflate(stream, flush) : Z_STREAM_ERROR;
}

seam_function int deflateEnd(z_streamp stream) {
  zip_seam *seam = in_force;
  if (seam && seam->fast_open && seam->stream == stream) {
    seam->fast_open = false;
    return Z_OK;
  }
  if (!seam || !seam->stream_open || seam->stream != stream) return next_deflate_end(stream);
  seam->idle[seam->stream_level] = stream->state;
  seam->allocate = stream->zalloc;
  seam->release = stream->zfree;
  seam->opaque = stream->opaque;
  stream->state = Z_NULL;
  seam->stream_open = false;
  return Z_OK;
}

seam_function struct tm *localtime_r(const time_t *time, struct tm *result) {
  zip_seam *seam = in_force;
  if (seam) {
    seam->dates += 1;
    return gmtime_r(&seam->modified, result);
  }
  pthread_once(&next_once, find_next);
  if (next.local_time) return next.local_time(time, result);
  errno = ENOSYS;
  return NULL;
}

#endif

/* MARK: the calls with the seam in force */

bool zip_level_fast_is_built(void) { return fast_deflate_is_built(); }

zip_seam *zip_seam_new(void) { return calloc(1, sizeof(zip_seam)); }

void zip_seam_prepare(zip_seam *seam, int level, long long modified) {
  if (level == zip_level_fast && !fast_deflate_is_built()) level = 1;
  seam->level = level == zip_level_fast ? level : level < 0 ? 0 : level >= level_count ? level_count - 1 : level;
  seam->modified = (time_t)modified;
}

void zip_seam_free(zip_seam *seam, struct archive *archive) {
  if (seam->stream_open) next_deflate_end(seam->stream);
  for (int level = 0; level < level_count; level++) {
    if (!seam->idle[level]) continue;
    resume(seam, level);
    next_deflate_end(seam->stream);
  }
  archive_write_free(archive);
  fast_deflate_free(seam->fast);
  free(seam);
}

int zip_seam_header(zip_seam *seam, struct archive *archive, struct archive_entry *entry) {
  zip_seam *outer = in_force;
  in_force = seam;
  int status = archive_write_header(archive, entry);
  in_force = outer;
  return status;
}

la_ssize_t zip_seam_data(zip_seam *seam, struct archive *archive, const void *bytes, size_t count) {
  zip_seam *outer = in_force;
  in_force = seam;
  la_ssize_t written = archive_write_data(archive, bytes, count);
  in_force = outer;
  return written;
}

int zip_seam_finish_entry(zip_seam *seam, struct archive *archive) {
  zip_seam *outer = in_force;
  in_force = seam;
  int status = archive_write_finish_entry(archive);
  in_force = outer;
  return status;
}

int zip_seam_close(zip_seam *seam, struct archive *archive) {
  zip_seam *outer = in_force;
  in_force = seam;
  int status = archive_write_close(archive);
  in_force = outer;
  return status;
}

unsigned long long zip_seam_streams(const zip_seam *seam) { return seam->streams; }

unsigned long long zip_seam_dates(const zip_seam *seam) { return seam->dates; }
