#include "report/grid_file.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "base/memory.h"
#include "report/folder.h"

/* A file in memory; `data`: where offsets count from; `room`: bytes that its arrays may still become. */
typedef struct source {
  const char *path;
  char *bytes;
  size_t size, data;
  uint64_t room;
} source;

/* zlib makes of a byte at most some 1032. */
enum { MOST_INFLATED = 1100, MOST_COMPONENTS = 1 << 20 };

static ew_status bad(const source *s, const char *why, ew_error *err) {
  return ew_fail(err, EW_INPUT, "'%s' is no output as runs write it: %s", s->path, why);
}

static ew_status read_bytes(source *s, ew_error *err) {
  ew_status status = EW_OK;
  FILE *f = folder_file(s->path, err);
  if (!f) return err->status;
  long size = fseek(f, 0, SEEK_END) == 0 ? ftell(f) : -1;
  if (size < 0 || fseek(f, 0, SEEK_SET) != 0)
    EW_CHECK(ew_fail(err, EW_IO, "cannot read '%s': %s", s->path, strerror(errno)));
  EW_CHECK(EW_NEW(s->bytes, (size_t)size + 1));
  s->size = fread(s->bytes, 1, (size_t)size, f);
  s->room = MOST_INFLATED * (uint64_t)s->size;
  if (s->size != (size_t)size) EW_CHECK(ew_fail(err, EW_IO, "cannot read '%s': it became shorter", s->path));
cleanup:
  fclose(f);
  return status;
}

/* The XML ends with <AppendedData encoding="raw">, an underscore, and then the data. */
static ew_status find_data(source *s, ew_error *err) {
  static const char mark[] = "<AppendedData encoding=\"raw\">";
  const char *at = memmem(s->bytes, s->size, mark, sizeof mark - 1);
  const char *data = at ? memchr(at, '_', s->size - (size_t)(at - s->bytes)) : NULL;
  if (!data) return bad(s, "it has no appended raw data", err);
  s->data = (size_t)(data + 1 - s->bytes);
  s->bytes[at - s->bytes] = '\0'; /* the XML is text now */
  return EW_OK;
}

/* The text of an attribute of an element, which stands alone; "" if it has none. */
static void attribute(const char *element, const char *name, char *value, size_t size) {
  char key[40];
  snprintf(key, sizeof key, " %s=\"", name);
  const char *found = strstr(element, key);
  *value = '\0';
  if (!found) return;
  found += strlen(key);
  size_t n = strcspn(found, "\"");
  if (n < size) memcpy(value, found, n), value[n] = '\0';
}

static size_t size_of_type(const char *type) {
  static const struct {
    const char *name;
    size_t size;
  } known[] = {{"UInt8", 1}, {"Int32", 4}, {"Float32", 4}, {"Float64", 8}};
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    if (strcmp(type, known[i].name) == 0) return known[i].size;
  return 0;
}

static double value_at(const char *type, const unsigned char *p) {
  int32_t i;
  float f;
  double d;
  if (strcmp(type, "UInt8") == 0) return *p;
  if (strcmp(type, "Int32") == 0) return memcpy(&i, p, sizeof i), i;
  if (strcmp(type, "Float32") == 0) return memcpy(&f, p, sizeof f), (double)f;
  return memcpy(&d, p, sizeof d), d;
}

/* An array of the file: `n` blocks of `size` bytes, the last of `last` unless that is 0. The next block to unpack has its compressed bytes at `from`,
 * and how many these are stands at `sizes`. */
typedef struct blocks {
  uint64_t n, size, last, total;
  size_t sizes, from;
} blocks;

/* [blocks, bytes of a block, bytes of a last partial block or 0, compressed bytes of each...], then the blocks. */
static ew_status read_head(source *s, size_t at, size_t bytes, blocks *b, ew_error *err) {
  uint64_t head[3];
  if (at > s->size || s->size - at < sizeof head) return bad(s, "an array begins behind its end", err);
  memcpy(head, s->bytes + at, sizeof head);
  const size_t left = s->size - at - sizeof head;
  if (head[0] > left / 8 || head[1] == 0 || head[1] > (1u << 26) || head[2] >= head[1] || head[1] % bytes ||
      head[2] % bytes)
    return bad(s, "the sizes of an array's blocks cannot be", err);
  *b = (blocks){.n = head[0], .size = head[1], .last = head[2], .sizes = at + sizeof head};
  b->from = b->sizes + 8 * b->n;
  b->total = b->n ? (b->n - (b->last != 0)) * b->size + b->last : 0;
  if (b->total > s->room) return bad(s, "its arrays are larger than its data can hold", err);
  s->room -= b->total;
  return EW_OK;
}

/* The next block, into room for `want` bytes. */
static ew_status unpack_block(const source *s, blocks *b, unsigned char *block, size_t want, ew_error *err) {
  uint64_t packed;
  uLongf got = (uLongf)want;
  memcpy(&packed, s->bytes + b->sizes, sizeof packed);
  if (b->from > s->size || packed > s->size - b->from) return bad(s, "a block of an array is damaged", err);
  const int code = uncompress(block, &got, (const Bytef *)s->bytes + b->from, (uLong)packed);
  b->sizes += sizeof packed;
  b->from += packed;
  if (code == Z_MEM_ERROR) return ew_fail(err, EW_FAIL, "out of memory while reading '%s'", s->path);
  return code == Z_OK && got == want ? EW_OK : bad(s, "a block of an array is damaged", err);
}

static ew_status unpack(const source *s, blocks *b, const char *type, grid_array *a, ew_error *err) {
  const size_t bytes = size_of_type(type);
  size_t k = 0;
  unsigned char *block = malloc(b->n > 1 ? b->size : b->total + 1);
  a->n = b->total / bytes;
  a->value = malloc((a->n + 1) * sizeof *a->value);
  ew_status status =
      block && a->value ? EW_OK : ew_fail(err, EW_FAIL, "out of memory for an array of '%s'", s->path);
  for (size_t i = 0; status == EW_OK && i < b->n; i++) {
    const size_t want = i + 1 == b->n && b->last ? b->last : b->size;
    status = unpack_block(s, b, block, want, err);
    for (size_t at = 0; status == EW_OK && at < want; at += bytes) a->value[k++] = value_at(type, block + at);
  }
  free(block);
  return status;
}

static ew_status add_array(source *s, const char *element, grid_file *out, ew_error *err) {
  char type[24], format[24], offset[24], components[24];
  grid_array a = {0};
  blocks b = {0};
  attribute(element, "type", type, sizeof type);
  attribute(element, "format", format, sizeof format);
  attribute(element, "offset", offset, sizeof offset);
  attribute(element, "NumberOfComponents", components, sizeof components);
  attribute(element, "Name", a.name, sizeof a.name);
  if (strcmp(format, "appended") != 0) return EW_OK; /* the output's time */
  if (!size_of_type(type)) return bad(s, "an array has numbers of an unknown type", err);
  const long n = *components ? strtol(components, NULL, 10) : 1;
  if (n < 1 || n > MOST_COMPONENTS) return bad(s, "an array's number of components cannot be", err);
  a.components = (int)n;
  ew_status status = read_head(s, s->data + strtoull(offset, NULL, 10), size_of_type(type), &b, err);
  if (status == EW_OK) status = unpack(s, &b, type, &a, err);
  grid_array *longer = status == EW_OK ? realloc(out->array, ((size_t)out->n + 1) * sizeof *longer) : NULL;
  if (status == EW_OK && !longer)
    status = ew_fail(err, EW_FAIL, "out of memory for an array of '%s'", s->path);
  if (status != EW_OK) return free(a.value), status;
  out->array = longer;
  longer[out->n++] = a;
  return EW_OK;
}

/* Each element is cut out as a text of its own: it is looked through five times, and the rest of the file is not. */
static ew_status add_arrays(source *s, grid_file *out, ew_error *err) {
  ew_status status = EW_OK;
  for (char *at = s->bytes, *end; status == EW_OK && (at = strstr(at, "<DataArray")) != NULL; at = end + 1) {
    end = strchr(at, '>');
    if (!end) return bad(s, "an element of it does not end", err);
    *end = '\0';
    status = add_array(s, at, out, err);
  }
  return status;
}

ew_status grid_file_read(const char *path, grid_file *out, ew_error *err) {
  source s = {.path = path};
  *out = (grid_file){0};
  ew_status status = read_bytes(&s, err);
  if (status == EW_OK) status = find_data(&s, err);
  if (status == EW_OK) status = add_arrays(&s, out, err);
  free(s.bytes);
  if (status != EW_OK) grid_file_clear(out);
  return status;
}

void grid_file_clear(grid_file *f) {
  for (int i = 0; i < f->n; i++) free(f->array[i].value);
  free(f->array);
  *f = (grid_file){0};
}

const grid_array *grid_file_find(const grid_file *f, const char *name) {
  for (int i = 0; i < f->n; i++)
    if (strcmp(f->array[i].name, name) == 0) return &f->array[i];
  return NULL;
}
