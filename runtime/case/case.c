#include "case/case.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The case's memory is a chain of blocks. */
typedef struct block {
  struct block *next;
  max_align_t data[];
} block;

bool case_value_changes(const case_value *v) {
  while (v && v->kind == CASE_LEVEL) v = v->part;
  return v && (v->kind == CASE_SERIES || (v->kind == CASE_FUNCTION && v->over_time));
}

ew_status case_create(ew_case **out, ew_error *err) {
  ew_case *c = calloc(1, sizeof *c);
  if (!c) return ew_fail(err, EW_FAIL, "out of memory for a case");
  c->mesh.cells = MESH_CELLS_RCM;
  c->mesh.faces = MESH_FACES_SORTED;
  c->mesh.nodes = MESH_CELLS_RCM;
  c->corner_angle = 45;
  c->output.vtu = true;
  c->output.run_json = true;
  c->output.sample = 1;
  *out = c;
  return EW_OK;
}

void case_destroy(ew_case **c) {
  if (!c || !*c) return;
  for (block *b = (*c)->memory, *next; b; b = next) {
    next = b->next;
    free(b);
  }
  free(*c);
  *c = NULL;
}

void *case_alloc(ew_case *c, size_t size, ew_error *err) {
  block *b = size < SIZE_MAX / 2 ? calloc(1, sizeof *b + size) : NULL;
  if (!b) {
    ew_fail(err, EW_FAIL, "out of memory for a case");
    return NULL;
  }
  b->next = c->memory;
  c->memory = b;
  return b->data;
}

const char *case_text(ew_case *c, const char *text, ew_error *err) {
  if (!text) return NULL;
  size_t size = strlen(text) + 1;
  char *copy = case_alloc(c, size, err);
  return copy ? memcpy(copy, text, size) : NULL;
}

/* Capacity is the power of two at or above *n, so it need not be stored. */
void *case_append(ew_case *c, void *array, int *n, size_t size, ew_error *err) {
  void **at = array;
  char *entries = *at;
  bool full = (*n & (*n - 1)) == 0;
  if (full) {
    entries = case_alloc(c, (*n ? 2 * (size_t)*n : 1) * size, err);
    if (!entries) return NULL;
    if (*n) memcpy(entries, *at, (size_t)*n * size);
    *at = entries;
  }
  return entries + (size_t)(*n)++ * size;
}
