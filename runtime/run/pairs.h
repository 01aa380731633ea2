/* Lists of names with texts, owned. */
#ifndef EW_RUN_PAIRS_H
#define EW_RUN_PAIRS_H

#include <stdbool.h>

#include "base/error.h"

typedef struct exec_pair {
  char *name, *value;
} exec_pair;

typedef struct exec_pairs {
  int n, room;
  exec_pair *item;
} exec_pairs;

/* Copies both. */
ew_status exec_pairs_add(exec_pairs *p, const char *name, const char *value, ew_error *err);
/* The value of the first of that name, or NULL. */
const char *exec_pairs_find(const exec_pairs *p, const char *name);
/* Keeps the first n. */
void exec_pairs_cut(exec_pairs *p, int n);
void exec_pairs_clear(exec_pairs *p);

#endif
