#include "device/workplace.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

enum { TRIES = 8, RANDOM_LETTERS = 6 };

static const char PREFIX[] = "edgewise-";

static const char *temporary_files(void) {
  const char *tmp = getenv("TMPDIR");
  return tmp && *tmp ? tmp : "/tmp";
}

/* ---- what killed programs left ------------------------------------------------------------------------------------------- */

static bool is_ours(int parent, const char *name) {
  struct stat info;
  return strncmp(name, PREFIX, strlen(PREFIX)) == 0 && strlen(name) == strlen(PREFIX) + RANDOM_LETTERS &&
         fstatat(parent, name, &info, AT_SYMLINK_NOFOLLOW) == 0 && S_ISDIR(info.st_mode) &&
         info.st_uid == geteuid();
}

/* Of the folder only what is built in it; one that holds anything else stays. */
static void remove_one(int parent, const char *name) {
  int fd = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (fd < 0) return;
  if (flock(fd, LOCK_EX | LOCK_NB) == 0) {
    unlinkat(fd, "kernels.c", 0);
    unlinkat(fd, "kernels.so", 0);
    unlinkat(parent, name, AT_REMOVEDIR);
  }
  close(fd);
}

static void clean(const char *tmp) {
  DIR *d = opendir(tmp);
  for (const struct dirent *e; d && (e = readdir(d));)
    if (is_ours(dirfd(d), e->d_name)) remove_one(dirfd(d), e->d_name);
  if (d) closedir(d);
}

/* ---- life ------------------------------------------------------------------------------------------------------------------ */

/* Somebody who cleans up may take a folder between its making and its locking for one left behind: then it has no name any more. */
static bool lock(workplace *w) {
  struct stat mine, there;
  w->lock = open(w->dir, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (w->lock < 0) return false;
  flock(w->lock, LOCK_EX); /* file systems without locks have nobody who cleans either */
  if (fstat(w->lock, &mine) == 0 && lstat(w->dir, &there) == 0 && mine.st_ino == there.st_ino) return true;
  close(w->lock);
  w->lock = -1;
  return false;
}

ew_status workplace_open(workplace *w, ew_error *err) {
  const char *tmp = temporary_files();
  *w = (workplace){.lock = -1};
  clean(tmp);
  for (int i = 0; i < TRIES && w->lock < 0; i++) {
    int n = snprintf(w->dir, sizeof w->dir, "%s/%sXXXXXX", tmp, PREFIX);
    if ((size_t)n < sizeof w->dir && mkdtemp(w->dir)) lock(w);
    else break;
  }
  if (w->lock < 0) {
    w->dir[0] = '\0';
    return ew_fail(err, EW_IO,
                   "cannot make a folder in %s to compile in: %s\nhint: set TMPDIR to a writable folder", tmp,
                   strerror(errno));
  }
  snprintf(w->source, sizeof w->source, "%s/kernels.c", w->dir);
  snprintf(w->object, sizeof w->object, "%s/kernels.so", w->dir);
  return EW_OK;
}

void workplace_close(workplace *w) {
  if (!w->dir[0]) return;
  unlink(w->source);
  unlink(w->object);
  rmdir(w->dir);
  close(w->lock);
  w->dir[0] = '\0';
}
