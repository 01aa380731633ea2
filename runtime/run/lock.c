#include "run/lock.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/regular.h"

enum { TRIES = 16, WAITS = 40, WAIT = 50 /* ms */ };

/* Of the file's one line, only what can be printed. */
static void read_holder(int fd, char *text, size_t size) {
  ssize_t n = pread(fd, text, size - 1, 0);
  text[n > 0 ? n : 0] = '\0';
  for (char *at = text; *at; at++)
    if (*at < ' ' || *at > '~') *at = '\0';
}

static void write_holder(int fd) {
  char host[HOST_NAME_MAX + 1] = "", since[32], text[HOST_NAME_MAX + 128];
  time_t now = time(NULL);
  struct tm utc;
  gethostname(host, sizeof host - 1);
  strftime(since, sizeof since, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &utc));
  int n = snprintf(text, sizeof text, "process %ld on %s, since %s\n", (long)getpid(), host, since);
  /* what cannot be written is missing in a message, no more */
  if (ftruncate(fd, 0) == 0 && pwrite(fd, text, (size_t)n, 0) < 0) return;
}

/* Did a process of this machine write that line which is there no more? */
static bool is_of_the_dead(int fd) {
  char text[256], host[HOST_NAME_MAX + 1] = "", name[HOST_NAME_MAX + 1];
  long process;
  read_holder(fd, text, sizeof text);
  gethostname(host, sizeof host - 1);
  if (sscanf(text, "process %ld on %64[^,]", &process, name) != 2 || strcmp(name, host) != 0) return false;
  return process > 0 && kill((pid_t)process, 0) != 0 && errno == ESRCH;
}

/* A compiler that a killed run was about to begin holds the lock until it has begun. False: errno tells why. */
static bool lock_file(int fd) {
  for (int waits = 0; flock(fd, LOCK_EX | LOCK_NB) != 0; waits++) {
    const int why = errno;
    const bool waiting = why == EWOULDBLOCK && waits < WAITS && is_of_the_dead(fd);
    errno = why;
    if (!waiting) return false;
    nanosleep(&(struct timespec){.tv_nsec = WAIT * 1000000L}, NULL);
  }
  return true;
}

static ew_status is_held(const char *folder, int fd, ew_error *err) {
  char holder[256];
  read_holder(fd, holder, sizeof holder);
  return ew_fail(
      err, EW_BUSY,
      "another run writes into %s: %s\nhint: wait for it, or give this one a folder of its own with -o",
      folder, *holder ? holder : "it does not say who");
}

/* Who held the lock before may have removed the file in between. */
static bool has_its_name(const char *path, int fd) {
  struct stat mine, there;
  return fstat(fd, &mine) == 0 && lstat(path, &there) == 0 && mine.st_ino == there.st_ino &&
         mine.st_dev == there.st_dev;
}

static ew_status open_file(const char *path, int *fd, ew_error *err) {
  struct stat info;
  *fd = ew_open_regular(path, O_RDWR | O_CREAT | O_NOFOLLOW, &info);
  if (*fd >= 0) return EW_OK;
  if (errno == 0) return ew_fail(err, EW_IO, "cannot lock with '%s': it is not a regular file", path);
  return ew_fail(err, EW_IO, "cannot write '%s': %s", path,
                 errno == ELOOP ? "it is a symbolic link" : strerror(errno));
}

ew_status exec_lock_take(const char *folder, FILE *messages, exec_lock *out, ew_error *err) {
  ew_status status = EW_OK;
  char *path = NULL;
  *out = (exec_lock){.fd = -1};
  if (asprintf(&path, "%s/run.lock", folder) < 0)
    return ew_fail(err, EW_FAIL, "out of memory for the lock of %s", folder);
  for (int i = 0; i < TRIES && !out->path; i++) {
    int fd = -1;
    EW_CHECK(open_file(path, &fd, err));
    bool locked = lock_file(fd);
    int why = errno;
    if (!locked && why == EWOULDBLOCK) status = is_held(folder, fd, err);
    else if (!locked && messages)
      fprintf(messages, "warning: %s cannot be locked (%s): nothing keeps a second run out\n", folder,
              strerror(why));
    if (locked && has_its_name(path, fd)) {
      write_holder(fd);
      *out = (exec_lock){strdup(path), fd};
      if (!out->path) status = ew_fail(err, EW_FAIL, "out of memory for the lock of %s", folder);
    }
    if (!out->path) close(fd);
    if (status != EW_OK || !locked) break;
  }
cleanup:
  free(path);
  return status;
}

void exec_lock_release(exec_lock *lock) {
  if (!lock->path) return;
  unlink(lock->path); /* while it is locked: who opened it in between looks at its name again */
  close(lock->fd);
  free(lock->path);
  *lock = (exec_lock){.fd = -1};
}
