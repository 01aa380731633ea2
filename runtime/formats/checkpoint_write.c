#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "base/memory_text.h"
#include "formats/atomic_file.h"
#include "formats/checkpoint.h"
#include "formats/checkpoint_format.h"

static void put_u32(FILE *out, uint32_t value) { fwrite(&value, sizeof value, 1, out); }

static void put_text(FILE *out, const char *text) {
  put_u32(out, (uint32_t)strlen(text));
  fputs(text, out);
}

static const void *bytes_of(const checkpoint_array *a) {
  return a->real ? (const void *)a->real : a->integer;
}

static size_t size_of(const checkpoint_array *a) {
  return a->count * (a->real ? sizeof(double) : a->integer ? sizeof(int32_t) : 0);
}

static void put_array(FILE *out, const checkpoint_array *a) {
  uint64_t count = a->count;
  put_text(out, a->name);
  put_u32(out, a->integer ? CHECKPOINT_INTEGER : CHECKPOINT_REAL);
  fwrite(&count, sizeof count, 1, out);
  put_u32(out, (uint32_t)crc32_z(crc32_z(0, NULL, 0), bytes_of(a), size_of(a)));
}

/* The head as one string of bytes; NULL without memory. */
static char *make_head(const checkpoint_content *c, size_t *size) {
  memory_text head;
  FILE *out = memory_text_open(&head);
  if (!out) return NULL;
  put_u32(out, (uint32_t)c->n_labels);
  for (size_t i = 0; i < c->n_labels; i++) {
    put_text(out, c->label[i].name);
    put_text(out, c->label[i].value);
  }
  put_u32(out, (uint32_t)c->n_arrays);
  for (size_t i = 0; i < c->n_arrays; i++) put_array(out, &c->array[i]);
  char *text = memory_text_close(&head);
  *size = head.size;
  return text;
}

static ew_status write_head(atomic_file *out, const char *head, size_t size, ew_error *err) {
  checkpoint_start start = {
      .version = CHECKPOINT_VERSION, .byte_order = CHECKPOINT_BYTE_ORDER, .head_size = size};
  memcpy(start.magic, CHECKPOINT_MAGIC, sizeof start.magic);
  uLong sum = crc32_z(crc32_z(0, NULL, 0), (const Bytef *)&start, sizeof start);
  uint32_t crc = (uint32_t)crc32_z(sum, (const Bytef *)head, size);
  ew_status status;
  EW_CHECK(atomic_file_write(out, &start, sizeof start, err));
  EW_CHECK(atomic_file_write(out, head, size, err));
  EW_CHECK(atomic_file_write(out, &crc, sizeof crc, err));
cleanup:
  return status;
}

/* A kill between this and the commit leaves the one before, under its new name. */
static ew_status make_way(const char *path, const char *before, ew_error *err) {
  if (!before || rename(path, before) == 0 || errno == ENOENT) return EW_OK;
  return ew_fail(err, EW_IO, "cannot rename '%s' to '%s': %s", path, before, strerror(errno));
}

ew_status checkpoint_write(const char *path, const char *before, const checkpoint_content *c, ew_error *err) {
  ew_status status;
  atomic_file *out = NULL;
  size_t size = 0;
  char *head = make_head(c, &size);
  if (!head) return ew_fail(err, EW_FAIL, "out of memory while writing the checkpoint '%s'", path);
  EW_CHECK(atomic_file_create(&out, path, err));
  EW_CHECK(write_head(out, head, size, err));
  for (size_t i = 0; i < c->n_arrays; i++)
    EW_CHECK(atomic_file_write(out, bytes_of(&c->array[i]), size_of(&c->array[i]), err));
  EW_CHECK(atomic_file_sync(out, err));
  EW_CHECK(make_way(path, before, err));
  status = atomic_file_commit(&out, true, err);
cleanup:
  atomic_file_destroy(&out);
  free(head);
  return status;
}
