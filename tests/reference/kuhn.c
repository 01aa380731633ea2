#include "kuhn.h"

#include <stdlib.h>

/* A pseudo-random number in [-1, 1) that depends on k alone. */
static double noise(uint64_t k) {
  k = (k + 0x9e3779b97f4a7c15u) * 0xbf58476d1ce4e5b9u;
  k = (k ^ (k >> 29)) * 0x94d049bb133111ebu;
  return (double)((k ^ (k >> 32)) >> 11) * 0x1p-52 - 1.0;
}

static int points(const kuhn_spec *s, int axis) {
  if (axis >= s->dim) return 1;
  return s->periodic[axis] ? s->n[axis] : s->n[axis] + 1;
}

static int cells(const kuhn_spec *s, int axis) { return axis < s->dim ? s->n[axis] : 1; }

static int32_t node_at(const kuhn_spec *s, const int *at) {
  int32_t index = 0;
  for (int k = s->dim - 1; k >= 0; k--) index = index * points(s, k) + at[k] % points(s, k);
  return index;
}

static void put_node(kuhn *k, const kuhn_spec *s, const int *at) {
  int32_t i = node_at(s, at);
  const int dim = s->dim == 3 ? 3 : 2;
  bool boundary = false;
  for (int c = 0; c < dim; c++) boundary |= !s->periodic[c] && (at[c] == 0 || at[c] == s->n[c]);
  for (int c = 0; c < dim; c++) {
    double moved = boundary ? 0 : s->jitter * noise((uint64_t)i * 3 + (uint64_t)c);
    k->x[i * dim + c] = s->size[c] * (at[c] + moved) / s->n[c];
  }
  k->boundary[i] = boundary;
}

/* The simplex of the walk from the cell's lowest corner that takes the axes in the given order. */
static void put_simplex(kuhn *k, const kuhn_spec *s, const int *cell, const int *order) {
  int at[3] = {cell[0], cell[1], cell[2]};
  int32_t *corner = k->element + k->mesh.n_elements++ * (s->dim + 1);
  *corner++ = node_at(s, at);
  for (int step = 0; step < s->dim; step++) {
    at[order[step]]++;
    *corner++ = node_at(s, at);
  }
}

static void put_cell(kuhn *k, const kuhn_spec *s, const int *cell) {
  static const int flat[2][3] = {{0, 1}, {1, 0}};
  static const int solid[6][3] = {{0, 1, 2}, {1, 2, 0}, {2, 0, 1}, {1, 0, 2}, {0, 2, 1}, {2, 1, 0}};
  for (int o = 0; o < (s->dim == 3 ? 6 : 2); o++) put_simplex(k, s, cell, s->dim == 3 ? solid[o] : flat[o]);
}

kuhn *kuhn_create(kuhn_spec s) {
  int p[3] = {points(&s, 0), points(&s, 1), points(&s, 2)}, c[3] = {cells(&s, 0), cells(&s, 1), cells(&s, 2)};
  size_t n = (size_t)p[0] * (size_t)p[1] * (size_t)p[2], dim = (size_t)s.dim;
  size_t elements = (size_t)c[0] * (size_t)c[1] * (size_t)c[2] * (s.dim == 3 ? 6 : 2);
  kuhn *k = calloc(1, sizeof *k);
  if (!k) return NULL;
  k->x = calloc(n * dim, sizeof *k->x);
  k->element = calloc(elements * (dim + 1), sizeof *k->element);
  k->boundary = calloc(n, sizeof *k->boundary);
  if (!k->x || !k->element || !k->boundary) {
    kuhn_destroy(&k);
    return NULL;
  }
  for (int z = 0; z < p[2]; z++)
    for (int y = 0; y < p[1]; y++)
      for (int x = 0; x < p[0]; x++) put_node(k, &s, (int[]){x, y, z});
  for (int z = 0; z < c[2]; z++)
    for (int y = 0; y < c[1]; y++)
      for (int x = 0; x < c[0]; x++) put_cell(k, &s, (int[]){x, y, z});
  k->mesh.dim = s.dim;
  k->mesh.n_nodes = (int32_t)n;
  k->mesh.x = k->x;
  k->mesh.element = k->element;
  for (int axis = 0; axis < s.dim; axis++) k->mesh.period[axis] = s.periodic[axis] ? s.size[axis] : 0;
  return k;
}

void kuhn_destroy(kuhn **pointer) {
  kuhn *k = *pointer;
  *pointer = NULL;
  if (!k) return;
  free(k->x);
  free(k->element);
  free(k->boundary);
  free(k);
}
