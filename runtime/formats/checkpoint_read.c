#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "base/regular.h"
#include "formats/checkpoint.h"
#include "formats/checkpoint_format.h"

typedef struct label_read {
  char *name, *value;
} label_read;

typedef struct array_read {
  char *name;
  uint32_t type, crc;
  uint64_t count;
  void *data;
} array_read;

struct checkpoint {
  char *path;
  label_read *label;
  array_read *array;
  uint32_t n_labels, n_arrays;
};

/* What is left of the head. Every take checks that it is there. */
typedef struct cursor {
  const unsigned char *at;
  size_t left;
} cursor;

static bool take(cursor *c, void *to, size_t size) {
  if (c->left < size) return false;
  memcpy(to, c->at, size);
  c->at += size;
  c->left -= size;
  return true;
}

static char *take_text(cursor *c) {
  uint32_t length;
  if (!take(c, &length, sizeof length) || c->left < length) return NULL;
  char *text = malloc((size_t)length + 1);
  if (!text) return NULL;
  take(c, text, length);
  text[length] = '\0';
  return text;
}

/* A count of entries that need `least` bytes each: rubbish must not ask for more memory than the head has
 * bytes. */
static bool take_count(cursor *c, uint32_t *count, size_t least) {
  return take(c, count, sizeof *count) && *count <= c->left / least;
}

static bool take_labels(cursor *c, checkpoint *to) {
  uint32_t n;
  if (!take_count(c, &n, 2 * sizeof(uint32_t))) return false;
  to->label = calloc((size_t)n + 1, sizeof *to->label);
  if (!to->label) return false;
  to->n_labels = n;
  for (uint32_t i = 0; i < n; i++) {
    label_read *l = &to->label[i];
    if (!(l->name = take_text(c)) || !(l->value = take_text(c))) return false;
  }
  return true;
}

static bool take_arrays(cursor *c, checkpoint *to) {
  uint32_t n;
  if (!take_count(c, &n, 3 * sizeof(uint32_t) + sizeof(uint64_t))) return false;
  to->array = calloc((size_t)n + 1, sizeof *to->array);
  if (!to->array) return false;
  to->n_arrays = n;
  for (uint32_t i = 0; i < n; i++) {
    array_read *a = &to->array[i];
    if (!(a->name = take_text(c)) || !take(c, &a->type, sizeof a->type) ||
        !take(c, &a->count, sizeof a->count) || !take(c, &a->crc, sizeof a->crc) ||
        a->type > CHECKPOINT_INTEGER)
      return false;
  }
  return c->left == 0;
}

static ew_status damaged(const checkpoint *c, const char *what, ew_error *err) {
  return ew_fail(err, EW_CHECKPOINT, "the checkpoint '%s' is damaged: %s (hint: resume from the one before)",
                 c->path, what);
}

static ew_status check_start(const checkpoint *c, const checkpoint_start *start, uint64_t file_size,
                             ew_error *err) {
  if (memcmp(start->magic, CHECKPOINT_MAGIC, sizeof start->magic) != 0)
    return ew_fail(err, EW_CHECKPOINT, "'%s' is not a checkpoint: it does not start with \"EWCHKPT\"",
                   c->path);
  if (start->byte_order != CHECKPOINT_BYTE_ORDER)
    return ew_fail(
        err, EW_CHECKPOINT,
        "the checkpoint '%s' has byte order mark 0x%08x, this machine expects 0x%08x: it was written on a "
        "machine of another kind",
        c->path, start->byte_order, CHECKPOINT_BYTE_ORDER);
  if (start->version != CHECKPOINT_VERSION)
    return ew_fail(err, EW_CHECKPOINT,
                   "the checkpoint '%s' has format version %u, this program reads version %u", c->path,
                   start->version, CHECKPOINT_VERSION);
  if (file_size < sizeof *start + sizeof(uint32_t) ||
      start->head_size > file_size - sizeof *start - sizeof(uint32_t))
    return damaged(c, "it ends inside its head", err);
  return EW_OK;
}

static ew_status parse_head(checkpoint *c, const checkpoint_start *start, const unsigned char *head,
                            ew_error *err) {
  size_t size = (size_t)start->head_size;
  uint32_t stored, found;
  memcpy(&stored, head + size, sizeof stored);
  uLong sum = crc32_z(crc32_z(0, NULL, 0), (const Bytef *)start, sizeof *start);
  found = (uint32_t)crc32_z(sum, head, size);
  if (stored != found) {
    char what[80];
    snprintf(what, sizeof what, "its head has CRC %08x, expected %08x", found, stored);
    return damaged(c, what, err);
  }
  cursor at = {head, size};
  errno = 0;
  if (take_labels(&at, c) && take_arrays(&at, c)) return EW_OK;
  if (errno == ENOMEM) return ew_fail(err, EW_FAIL, "out of memory while reading '%s'", c->path);
  return damaged(c, "its head does not parse", err);
}

static ew_status read_head(checkpoint *c, FILE *in, uint64_t file_size, uint64_t *head_end, ew_error *err) {
  checkpoint_start start;
  if (fread(&start, sizeof start, 1, in) != 1)
    return ew_fail(err, EW_CHECKPOINT, "'%s' is not a checkpoint: %llu bytes, expected at least %zu", c->path,
                   (unsigned long long)file_size, sizeof start);
  ew_status status = check_start(c, &start, file_size, err);
  if (status != EW_OK) return status;
  size_t size = (size_t)start.head_size + sizeof(uint32_t);
  unsigned char *head = malloc(size);
  if (!head) return ew_fail(err, EW_FAIL, "out of memory while reading the checkpoint '%s'", c->path);
  status = fread(head, 1, size, in) == size ? parse_head(c, &start, head, err)
                                            : damaged(c, "its head could not be read", err);
  free(head);
  *head_end = sizeof start + size;
  return status;
}

static size_t value_bytes(const array_read *a) {
  return a->type == CHECKPOINT_REAL ? sizeof(double) : sizeof(int32_t);
}

/* Before anything of an array's claimed size is allocated. */
static ew_status check_size(const checkpoint *c, uint64_t data, ew_error *err) {
  uint64_t left = data;
  for (uint32_t i = 0; i < c->n_arrays; i++) {
    const array_read *a = &c->array[i];
    if (a->count > left / value_bytes(a))
      return ew_fail(err, EW_CHECKPOINT,
                     "the checkpoint '%s' is cut off: array '%s' of %llu values is not complete", c->path,
                     a->name, (unsigned long long)a->count);
    left -= a->count * value_bytes(a);
  }
  return left == 0 ? EW_OK : damaged(c, "there is data after its end", err);
}

static ew_status read_array(const checkpoint *c, array_read *a, FILE *in, ew_error *err) {
  size_t size = (size_t)a->count * value_bytes(a);
  a->data = malloc(size + 1);
  if (!a->data) return ew_fail(err, EW_FAIL, "out of memory while reading the checkpoint '%s'", c->path);
  if (fread(a->data, 1, size, in) != size)
    return ew_fail(err, EW_CHECKPOINT, "array '%s' of the checkpoint '%s' could not be read", a->name,
                   c->path);
  uint32_t found = (uint32_t)crc32_z(crc32_z(0, NULL, 0), a->data, size);
  if (found == a->crc) return EW_OK;
  return ew_fail(
      err, EW_CHECKPOINT,
      "the checkpoint '%s' is damaged: array '%s' has CRC %08x, expected %08x (hint: resume from the one "
      "before)",
      c->path, a->name, found, a->crc);
}

static ew_status read_all(checkpoint *c, FILE *in, uint64_t size, ew_error *err) {
  ew_status status;
  uint64_t head_end = 0;
  EW_CHECK(read_head(c, in, size, &head_end, err));
  EW_CHECK(check_size(c, size - head_end, err));
  for (uint32_t i = 0; i < c->n_arrays; i++) EW_CHECK(read_array(c, &c->array[i], in, err));
cleanup:
  return status;
}

ew_status checkpoint_read(checkpoint **out, const char *path, ew_error *err) {
  *out = NULL;
  struct stat info;
  FILE *in = ew_regular_file(path, &info);
  if (!in)
    return ew_fail(err, EW_IO, "cannot read the checkpoint '%s': %s", path,
                   errno ? strerror(errno) : "not a regular file");
  checkpoint *c = calloc(1, sizeof *c);
  if (c) c->path = strdup(path);
  ew_status status = c && c->path
                         ? read_all(c, in, (uint64_t)info.st_size, err)
                         : ew_fail(err, EW_FAIL, "out of memory while reading the checkpoint '%s'", path);
  fclose(in);
  if (status == EW_OK) *out = c;
  else checkpoint_destroy(&c);
  return status;
}

void checkpoint_destroy(checkpoint **c) {
  checkpoint *p = *c;
  if (!p) return;
  for (uint32_t i = 0; i < p->n_labels; i++) {
    free(p->label[i].name);
    free(p->label[i].value);
  }
  for (uint32_t i = 0; i < p->n_arrays; i++) {
    free(p->array[i].name);
    free(p->array[i].data);
  }
  free(p->label);
  free(p->array);
  free(p->path);
  free(p);
  *c = NULL;
}

const char *checkpoint_text(const checkpoint *c, const char *name) {
  for (uint32_t i = 0; i < c->n_labels; i++)
    if (strcmp(c->label[i].name, name) == 0) return c->label[i].value;
  return NULL;
}

bool checkpoint_label_at(const checkpoint *c, size_t i, checkpoint_label *out) {
  if (i >= c->n_labels) return false;
  *out = (checkpoint_label){c->label[i].name, c->label[i].value};
  return true;
}

size_t checkpoint_count(const checkpoint *c, const char *name) {
  for (uint32_t i = 0; i < c->n_arrays; i++)
    if (strcmp(c->array[i].name, name) == 0) return (size_t)c->array[i].count;
  return 0;
}

ew_status checkpoint_require(const checkpoint *c, const char *name, const char *expected, ew_error *err) {
  const char *found = checkpoint_text(c, name);
  if (found && strcmp(found, expected) == 0) return EW_OK;
  return ew_fail(err, EW_CHECKPOINT,
                 "the checkpoint '%s' does not fit this run: %s\n  checkpoint: %s\n  this run:   %s", c->path,
                 name, found ? found : "(none)", expected);
}

static ew_status copy_array(const checkpoint *c, const char *name, checkpoint_type type, void *to,
                            size_t count, ew_error *err) {
  static const char *const KIND[] = {"real", "integer"};
  const array_read *a = c->array;
  while (a < c->array + c->n_arrays && strcmp(a->name, name) != 0) a++;
  if (a == c->array + c->n_arrays)
    return ew_fail(err, EW_CHECKPOINT, "the checkpoint '%s' has no array '%s'", c->path, name);
  if (a->type != (uint32_t)type || a->count != count)
    return ew_fail(err, EW_CHECKPOINT,
                   "array '%s' of the checkpoint '%s' does not fit this run\n  checkpoint: %llu %s values\n"
                   "  this run:   %zu %s values",
                   name, c->path, (unsigned long long)a->count, KIND[a->type], count, KIND[type]);
  if (count) memcpy(to, a->data, count * value_bytes(a));
  return EW_OK;
}

ew_status checkpoint_reals(const checkpoint *c, const char *name, double *to, size_t count, ew_error *err) {
  return copy_array(c, name, CHECKPOINT_REAL, to, count, err);
}

ew_status checkpoint_integers(const checkpoint *c, const char *name, int32_t *to, size_t count,
                              ew_error *err) {
  return copy_array(c, name, CHECKPOINT_INTEGER, to, count, err);
}
