/* What the last check found out about names, by name: a scheme of 10 000 lines has as many, and an outline asks for each. */
#include <stdlib.h>
#include <string.h>

#include "lsp/server.h"

static int by_name(const void *a, const void *b) {
  return strcmp((*(const cJSON *const *)a)->string, (*(const cJSON *const *)b)->string);
}

void facts_free(fact_list *f) {
  cJSON_Delete(f->all);
  free(f->sorted);
  *f = (fact_list){0};
}

void facts_set(fact_list *f, cJSON *all) {
  const cJSON *one;
  facts_free(f);
  f->all = all;
  f->sorted = malloc(sizeof *f->sorted * (size_t)(cJSON_GetArraySize(all) + 1));
  if (!f->sorted) return;
  cJSON_ArrayForEach(one, all) f->sorted[f->n++] = one;
  qsort(f->sorted, (size_t)f->n, sizeof *f->sorted, by_name);
}

const cJSON *facts_find(const fact_list *f, const char *key) {
  int lo = 0, hi = f->n;
  while (lo < hi) {
    const int mid = lo + (hi - lo) / 2, order = strcmp(f->sorted[mid]->string, key);
    if (order == 0) return f->sorted[mid];
    if (order < 0) lo = mid + 1;
    else hi = mid;
  }
  return NULL;
}
