/* The linear system that `edgewise bench linear` hands to its peers: a file of int32 rows, int32 entries, int32 start[rows + 1],
 * int32 col[entries], double value[entries], double b[rows], of this machine's byte order; rows with their diagonal, columns
 * increasing. A peer is called with it, a tolerance and a number of repeats. It measures as edgewise measures itself - everything
 * once more than that, the first time not counted, medians - and prints one line for every solver:
 *   NAME METHOD SPMV_SECONDS SETUP_SECONDS SOLVE_SECONDS ITERATIONS RELATIVE_RESIDUAL */
#ifndef EW_PEERS_SYSTEM_FILE_H
#define EW_PEERS_SYSTEM_FILE_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct system_file {
  int32_t rows, entries;
  int32_t *start, *col;
  double *value, *b;
} system_file;

static inline void *system_read(FILE *file, size_t n, size_t size) {
  void *to = malloc(n * size + 1);
  if (!to || fread(to, size, n, file) != n) {
    fprintf(stderr, "the system's file is too short, or memory is\n");
    exit(1);
  }
  return to;
}

static inline system_file system_load(const char *path) {
  system_file s;
  FILE *file = fopen(path, "rb");
  if (!file || fread(&s.rows, 4, 1, file) != 1 || fread(&s.entries, 4, 1, file) != 1) {
    fprintf(stderr, "%s: no system\n", path);
    exit(1);
  }
  s.start = (int32_t *)system_read(file, (size_t)s.rows + 1, 4);
  s.col = (int32_t *)system_read(file, (size_t)s.entries, 4);
  s.value = (double *)system_read(file, (size_t)s.entries, 8);
  s.b = (double *)system_read(file, (size_t)s.rows, 8);
  fclose(file);
  return s;
}

enum { SYSTEM_PRODUCTS = 20, SYSTEM_MOST_REPEATS = 100 };

/* The number of repeats in `text`, within bounds. */
static inline int system_repeats(const char *text) {
  int n = atoi(text);
  return n < 1 ? 1 : n > SYSTEM_MOST_REPEATS ? SYSTEM_MOST_REPEATS : n;
}

static inline int system_by_size(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* Of x[1] ... x[repeats]: the first does not count. Sorts them. */
static inline double system_median(double *x, int repeats) {
  qsort(x + 1, (size_t)repeats, sizeof *x, system_by_size);
  return 0.5 * (x[(repeats + 1) / 2] + x[repeats / 2 + 1]);
}

#endif
