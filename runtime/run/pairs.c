#include "run/pairs.h"

#include <stdlib.h>
#include <string.h>

static bool has_room(exec_pairs *p) {
  if (p->n < p->room) return true;
  int room = p->room ? 2 * p->room : 16;
  exec_pair *grown = realloc(p->item, (size_t)room * sizeof *grown);
  if (!grown) return false;
  p->item = grown;
  p->room = room;
  return true;
}

ew_status exec_pairs_add(exec_pairs *p, const char *name, const char *value, ew_error *err) {
  exec_pair pair = {strdup(name), strdup(value)};
  if (pair.name && pair.value && has_room(p)) {
    p->item[p->n++] = pair;
    return EW_OK;
  }
  free(pair.name);
  free(pair.value);
  return ew_fail(err, EW_FAIL, "out of memory for what a run depends on");
}

const char *exec_pairs_find(const exec_pairs *p, const char *name) {
  for (int i = 0; i < p->n; i++)
    if (strcmp(p->item[i].name, name) == 0) return p->item[i].value;
  return NULL;
}

void exec_pairs_cut(exec_pairs *p, int n) {
  while (p->n > n) {
    p->n--;
    free(p->item[p->n].name);
    free(p->item[p->n].value);
  }
}

void exec_pairs_clear(exec_pairs *p) {
  exec_pairs_cut(p, 0);
  free(p->item);
  *p = (exec_pairs){0};
}
