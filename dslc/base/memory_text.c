#include "base/memory_text.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

/* For `more` bytes and a zero byte behind them. */
static bool make_room(memory_text *t, size_t more) {
  if (t->room - t->size > more) return true;
  size_t room = t->size + more + 1 + t->room; /* twice as much at least */
  char *bytes = realloc(t->bytes, room);
  if (!bytes) return false;
  t->bytes = bytes;
  t->room = room;
  return true;
}

static ssize_t keep(void *text, const char *bytes, size_t n) {
  memory_text *t = text;
  t->lost = t->lost || !make_room(t, n);
  if (t->lost) return errno = ENOMEM, 0;
  memcpy(t->bytes + t->size, bytes, n);
  t->size += n;
  return (ssize_t)n;
}

FILE *memory_text_open(memory_text *t) {
  *t = (memory_text){0};
  t->to = fopencookie(t, "w", (cookie_io_functions_t){.write = keep});
  return t->to;
}

char *memory_text_close(memory_text *t) {
  char *bytes = NULL;
  bool whole = t->to && !ferror(t->to);
  if (t->to && fclose(t->to) != 0) whole = false;
  t->to = NULL;
  if (whole && !t->lost && make_room(t, 0)) {
    bytes = t->bytes;
    bytes[t->size] = '\0';
  } else free(t->bytes);
  t->bytes = NULL;
  return bytes;
}
