#include "fuzz_file.h"

#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_FILES = 8 };

/* A fuzz target is called with bytes alone, so that its folder is remembered here. */
static char folder[PATH_MAX / 2], path[MOST_FILES][PATH_MAX];
static int n_files;

static void remove_all(void) {
  for (int i = 0; i < n_files; i++) unlink(path[i]);
  rmdir(folder);
}

static void make_folder(void) {
  const char *tmp = getenv("TMPDIR");
  /* longer than the strings of which Lua keeps one each (40): of others there are many that are equal */
  snprintf(folder, sizeof folder, "%s/fuzz-with-a-name-of-more-than-forty-letters-XXXXXX",
           tmp && *tmp ? tmp : "/tmp");
  if (!mkdtemp(folder)) {
    perror(folder);
    abort();
  }
  atexit(remove_all);
}

static const char *path_of(const char *name) {
  for (int i = 0; i < n_files; i++)
    if (strcmp(strrchr(path[i], '/') + 1, name) == 0) return path[i];
  if (n_files == 0) make_folder();
  if (n_files == MOST_FILES) abort();
  snprintf(path[n_files], sizeof path[0], "%s/%s", folder, name);
  return path[n_files++];
}

const char *fuzz_file(const char *name, const void *bytes, size_t size) {
  const char *to = path_of(name);
  int fd = open(to, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  if (fd < 0) return NULL;
  bool whole = write(fd, bytes, size) == (ssize_t)size;
  return close(fd) == 0 && whole ? to : NULL;
}
