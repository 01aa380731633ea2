/* The graph of a space: which dofs share a cell. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "fe/internal.h"

/* ---- the corners around every dof --------------------------------------------------------------------------------------- */

static ew_status collect_corners(fe_space *s, ew_error *err) {
  ew_status status = EW_OK;
  const mesh *m = s->m;
  int32_t n = m->cell_start[m->n_cells], *fill = NULL;
  free(s->around);
  free(s->corner);
  s->around = s->corner = NULL;
  EW_CHECK(EW_NEW(s->around, (size_t)s->n + 1));
  EW_CHECK(EW_NEW(s->corner, n));
  EW_CHECK(EW_NEW(fill, (size_t)s->n + 1));
  for (int32_t k = 0; k < n; k++) s->around[s->dof[m->cell_node[k]] + 1]++;
  for (int32_t i = 0; i < s->n; i++) s->around[i + 1] += s->around[i];
  memcpy(fill, s->around, (size_t)s->n * sizeof *fill);
  for (int32_t k = 0; k < n; k++) s->corner[fill[s->dof[m->cell_node[k]]]++] = k;
cleanup:
  free(fill);
  return status;
}

/* ---- neighbours ---------------------------------------------------------------------------------------------------------------- */

/* The first of n increasing entries that is not below j. */
static int32_t lower_bound(const int32_t *list, int32_t n, int32_t j) {
  int32_t low = 0, high = n;
  while (low < high) {
    int32_t middle = low + (high - low) / 2;
    if (list[middle] < j) low = middle + 1;
    else high = middle;
  }
  return low;
}

static int32_t insert(int32_t *list, int32_t n, int32_t j) {
  int32_t at = lower_bound(list, n, j);
  if (at < n && list[at] == j) return n;
  memmove(list + at + 1, list + at, (size_t)(n - at) * sizeof *list);
  list[at] = j;
  return n + 1;
}

/* The neighbours of dof i, increasing; `list` has room for D of each corner. */
static int32_t neighbours(const fe_space *s, int32_t i, int32_t *list) {
  const mesh *m = s->m;
  int32_t n = 0, corners = m->dim + 1;
  for (int32_t k = s->around[i]; k < s->around[i + 1]; k++) {
    int32_t first = s->corner[k] / corners * corners; /* all cells are simplices */
    for (int32_t b = first; b < first + corners; b++)
      if (s->dof[m->cell_node[b]] != i) n = insert(list, n, s->dof[m->cell_node[b]]);
  }
  return n;
}

static int32_t most_corners(const fe_space *s) {
  int32_t most = 0;
  for (int32_t i = 0; i < s->n; i++)
    if (s->around[i + 1] - s->around[i] > most) most = s->around[i + 1] - s->around[i];
  return most;
}

/* Counts the rows into start[i + 1], or with `next` set fills them. */
static ew_status sweep_rows(fe_space *s, ew_error *err) {
  size_t room = (size_t)most_corners(s) * (size_t)s->m->dim + 1;
  bool failed = false;
#pragma omp parallel
  {
    int32_t *list = malloc(room * sizeof *list);
    if (!list) {
#pragma omp atomic write
      failed = true;
    }
#pragma omp for schedule(static)
    for (int32_t i = 0; i < s->n; i++) {
      if (!list) continue;
      int32_t n = neighbours(s, i, list);
      if (s->next) memcpy(s->next + s->start[i], list, (size_t)n * sizeof *list);
      else s->start[i + 1] = n;
    }
    free(list);
  }
  return failed ? ew_fail(err, EW_FAIL, "out of memory for the graph of %d nodes", s->n) : EW_OK;
}

ew_status fe_connect(fe_space *s, ew_error *err) {
  ew_status status = EW_OK;
  int64_t edges = 0;
  EW_CHECK(collect_corners(s, err));
  free(s->start);
  free(s->next);
  s->start = s->next = NULL;
  EW_CHECK(EW_NEW(s->start, (size_t)s->n + 1));
  EW_CHECK(sweep_rows(s, err));
  for (int32_t i = 0; i < s->n; i++) edges += s->start[i + 1];
  if (edges > FE_MOST_EDGES)
    return ew_fail(err, EW_INPUT, "%lld edges are more than this version can number (%d)", (long long)edges,
                   FE_MOST_EDGES);
  for (int32_t i = 0; i < s->n; i++) s->start[i + 1] += s->start[i];
  EW_CHECK(EW_NEW(s->next, edges));
  EW_CHECK(sweep_rows(s, err));
cleanup:
  return status;
}

/* ---- edges ------------------------------------------------------------------------------------------------------------------------- */

int32_t fe_find_edge(const fe_space *s, int32_t i, int32_t j) {
  int32_t n = s->start[i + 1] - s->start[i], at = lower_bound(s->next + s->start[i], n, j);
  return at < n && s->next[s->start[i] + at] == j ? s->start[i] + at : -1;
}

int32_t fe_first_node(const fe_space *s, int32_t edge) {
  int32_t low = 0, high = s->n - 1;
  while (low < high) {
    const int32_t middle = low + (high - low) / 2;
    if (s->start[middle + 1] <= edge) low = middle + 1;
    else high = middle;
  }
  return low;
}

static bool is_lower(int dim, const double *a, const double *b) {
  for (int d = 0; d < dim; d++)
    if (a[d] != b[d]) return a[d] < b[d];
  return false;
}

void fe_edge_middle(const fe_space *s, int32_t edge, double *x) {
  const mesh *m = s->m;
  const size_t dim = (size_t)m->dim;
  const int32_t i = fe_first_node(s, edge), j = s->next[edge], corners = m->dim + 1;
  bool found = false;
  for (int32_t k = s->around[i]; k < s->around[i + 1]; k++) {
    const int32_t own = s->corner[k], first = own / corners * corners;
    for (int32_t b = first; b < first + corners; b++) {
      if (s->dof[m->cell_node[b]] != j) continue;
      double at[3];
      for (size_t d = 0; d < dim; d++)
        at[d] = 0.5 * (m->node_x[dim * (size_t)m->cell_node[own] + d] +
                       m->node_x[dim * (size_t)m->cell_node[b] + d]);
      if (!found || is_lower(m->dim, at, x)) memcpy(x, at, dim * sizeof *x);
      found = true;
    }
  }
}

void fe_edge_from(const fe_space *s, int32_t *out) {
  for (int32_t i = 0; i < s->n; i++)
    for (int32_t k = s->start[i]; k < s->start[i + 1]; k++) out[k] = i;
}

void fe_edge_twin(const fe_space *s, int32_t *out) {
#pragma omp parallel for schedule(static)
  for (int32_t i = 0; i < s->n; i++)
    for (int32_t k = s->start[i]; k < s->start[i + 1]; k++) out[k] = fe_find_edge(s, s->next[k], i);
}

ew_status fe_edge_pair(const fe_space *s, int32_t *out, ew_error *err) {
  ew_status status = EW_OK;
  int32_t pairs = 0, *twin = NULL;
  EW_CHECK(EW_NEW(twin, fe_edges(s)));
  fe_edge_twin(s, twin);
  for (int32_t k = 0; k < fe_edges(s); k++) out[k] = twin[k] < k ? out[twin[k]] : pairs++;
cleanup:
  free(twin);
  return status;
}

ew_status fe_parts(const fe_space *s, int32_t *part, int32_t *n_parts, ew_error *err) {
  ew_status status = EW_OK;
  int32_t *stack = NULL;
  EW_CHECK(EW_NEW(stack, s->n));
  *n_parts = 0;
  for (int32_t i = 0; i < s->n; i++) part[i] = -1;
  for (int32_t first = 0; first < s->n; first++) {
    int32_t height = 0;
    if (part[first] >= 0) continue;
    part[first] = *n_parts;
    stack[height++] = first;
    while (height > 0) {
      int32_t i = stack[--height];
      for (int32_t k = s->start[i]; k < s->start[i + 1]; k++) {
        if (part[s->next[k]] >= 0) continue;
        part[s->next[k]] = *n_parts;
        stack[height++] = s->next[k];
      }
    }
    ++*n_parts;
  }
cleanup:
  free(stack);
  return status;
}
