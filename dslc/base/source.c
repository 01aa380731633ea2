#include "base/source.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct entry {
  source_file file;
  uint32_t *line_start; /* of each line, ascending */
  int n_lines;
} entry;

struct source_set {
  arena *memory;
  VEC(entry *) entries; /* pointers, so that source_get's result stays valid */
};

source_set *source_create(arena *a) {
  source_set *s = arena_new(a, source_set);
  s->memory = a;
  return s;
}

static void find_lines(arena *a, entry *e) {
  VEC(uint32_t) starts = {0};
  vec_push(a, &starts, 0);
  for (uint32_t i = 0; i < e->file.size; i++)
    if (e->file.text[i] == '\n') vec_push(a, &starts, i + 1);
  e->line_start = starts.at;
  e->n_lines = starts.n;
}

uint32_t source_add(source_set *s, const char *path, const char *text, uint32_t size) {
  entry *e = arena_new(s->memory, entry);
  e->file.path = arena_strndup(s->memory, path, strlen(path));
  e->file.text = arena_strndup(s->memory, text, size);
  e->file.size = size;
  find_lines(s->memory, e);
  vec_push(s->memory, &s->entries, e);
  return (uint32_t)s->entries.n - 1;
}

/* Reads a stream of unknown length (a pipe has no size to ask for). 0 or errno; *text is malloc'ed. */
static int read_all(FILE *in, char **text, size_t *size) {
  size_t have = 0, room = 64 * 1024;
  char *buffer = malloc(room);
  if (buffer == NULL) return ENOMEM;
  for (;;) {
    have += fread(buffer + have, 1, room - have, in);
    if (have < room) break;
    char *larger = room > UINT32_MAX / 4 ? NULL : realloc(buffer, 2 * room);
    if (larger == NULL) {
      free(buffer);
      return room > UINT32_MAX / 4 ? EFBIG : ENOMEM;
    }
    buffer = larger;
    room *= 2;
  }
  if (ferror(in)) {
    int error = errno ? errno : EIO;
    free(buffer);
    return error;
  }
  *text = buffer;
  *size = have;
  return 0;
}

int source_load(source_set *s, const char *path, uint32_t *file) {
  char *text = NULL;
  size_t size = 0;
  errno = 0;
  FILE *in = fopen(path, "rb");
  if (in == NULL) return errno;
  int error = read_all(in, &text, &size);
  fclose(in);
  if (error) return error;
  *file = source_add(s, path, text, (uint32_t)size);
  free(text);
  return 0;
}

const source_file *source_get(const source_set *s, uint32_t file) { return &s->entries.at[file]->file; }

int source_count(const source_set *s) { return s->entries.n; }

/* The last line that starts at or before the offset; from 0. */
static int line_of(const entry *e, uint32_t offset) {
  int lo = 0, hi = e->n_lines - 1;
  while (lo < hi) {
    int mid = lo + (hi - lo + 1) / 2;
    if (e->line_start[mid] <= offset) lo = mid;
    else hi = mid - 1;
  }
  return lo;
}

int source_line_number(const source_set *s, uint32_t file, uint32_t offset) {
  const entry *e = s->entries.at[file];
  return line_of(e, offset > e->file.size ? e->file.size : offset) + 1;
}

void source_position(const source_set *s, uint32_t file, uint32_t offset, int *line, int *column) {
  const entry *e = s->entries.at[file];
  if (offset > e->file.size) offset = e->file.size;
  int at = line_of(e, offset), characters = 0;
  for (uint32_t i = e->line_start[at]; i < offset; i++)
    characters += ((unsigned char)e->file.text[i] & 0xC0) != 0x80;
  *line = at + 1;
  *column = characters + 1;
}

const char *source_line(const source_set *s, uint32_t file, int line, int *length) {
  const entry *e = s->entries.at[file];
  uint32_t start = e->line_start[line - 1];
  uint32_t end = line < e->n_lines ? e->line_start[line] - 1 : e->file.size;
  if (end > start && e->file.text[end - 1] == '\r') end--;
  *length = (int)(end - start);
  return e->file.text + start;
}

span span_join(span a, span b) {
  return (span){a.file, a.start < b.start ? a.start : b.start, a.end > b.end ? a.end : b.end};
}

const char *source_in_comment(arena *a, const char *text) {
  char *line = arena_strndup(a, text, strlen(text));
  for (char *c = line; *c; c++)
    if ((unsigned char)*c < ' ' || *c == 127) *c = '?';
  return line;
}

const char *source_name_in_comment(arena *a, const char *path) {
  const char *slash = strrchr(path, '/');
  return source_in_comment(a, slash ? slash + 1 : path);
}

const char *source_folder(arena *a, const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? arena_strndup(a, path, (size_t)(slash - path + 1)) : "";
}
