#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/commands.h"

enum { MOST_BYTES = 1 << 28 }; /* what never ends is refused before it has all memory */

static char *read_all(FILE *f) {
  size_t room = 1 << 16, n = 0;
  char *text = malloc(room);
  while (text) {
    n += fread(text + n, 1, room - 1 - n, f);
    if (n < room - 1) break;
    char *bigger = room < MOST_BYTES ? realloc(text, room *= 2) : NULL;
    if (room >= MOST_BYTES && !bigger) errno = EFBIG;
    if (!bigger) free(text);
    text = bigger;
  }
  if (text && ferror(f)) {
    free(text);
    return NULL;
  }
  if (text) text[n] = '\0';
  return text;
}

char *file_read(const char *path) {
  FILE *f = fopen(path, "rb");
  if (!f) return NULL;
  char *text = read_all(f);
  int why = errno;
  fclose(f);
  errno = why;
  return text;
}

/* The new file keeps the old one's permissions. */
static bool write_and_rename(int fd, const char *temporary, const char *path, const char *text) {
  struct stat old;
  mode_t mask = umask(0);
  umask(mask);
  FILE *f = fdopen(fd, "wb");
  if (!f) {
    close(fd);
    return false;
  }
  bool good = fchmod(fd, stat(path, &old) == 0 ? old.st_mode & 07777 : 0666 & ~mask) == 0;
  good = fputs(text, f) >= 0 && good;
  good = fflush(f) == 0 && fsync(fd) == 0 && good;
  good = fclose(f) == 0 && good;
  return good && rename(temporary, path) == 0;
}

static bool write_over(const char *path, const char *text) {
  size_t n = strlen(path);
  char *temporary = malloc(n + sizeof ".XXXXXX");
  if (!temporary) return false;
  memcpy(temporary, path, n);
  memcpy(temporary + n, ".XXXXXX", sizeof ".XXXXXX");
  int fd = mkstemp(temporary);
  bool good = fd >= 0 && write_and_rename(fd, temporary, path, text);
  int why = errno;
  if (fd >= 0 && !good) unlink(temporary);
  free(temporary);
  errno = why;
  return good;
}

/* A link stays one: what it leads to is written. */
bool file_write(const char *path, const char *text) {
  char *target = realpath(path, NULL); /* NULL: nothing is there yet, or it leads nowhere */
  bool good = write_over(target ? target : path, text);
  int why = errno;
  free(target);
  errno = why;
  return good;
}
