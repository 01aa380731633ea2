#include "base/line.h"

#include <errno.h>
#include <stdlib.h>

enum { LONGEST = 16 << 20 };

/* For one more byte and the zero behind it. */
static int make_room(char **line, size_t *room, size_t n) {
  if (*line && *room > n + 1) return 1;
  const size_t more = *line && *room > 0 ? 2 * *room + 2 : 256;
  char *bigger = realloc(*line, more);
  if (!bigger) return 0;
  *line = bigger;
  *room = more;
  return 1;
}

ssize_t ew_next_line(char **line, size_t *room, FILE *in) {
  size_t n = 0;
  int c = 0;
  errno = 0;
  while (c != '\n') {
    if (n == LONGEST) return errno = EFBIG, -1;
    if (!make_room(line, room, n)) return errno = ENOMEM, -1;
    if ((c = getc(in)) == EOF) break;
    (*line)[n++] = (char)c;
  }
  if (n == 0 || ferror(in)) return -1;
  (*line)[n] = '\0';
  return (ssize_t)n;
}
