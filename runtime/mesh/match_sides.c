/* Which sides of cells coincide. Sides are dropped into one bucket per smallest node (a counting sort) and
 * each bucket, a handful of entries on any reasonable mesh, is sorted by the other nodes: O(n) and
 * deterministic. */
#include "mesh/build.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/* A side by its sorted nodes without the smallest, which the bucket stands for. */
typedef struct side_ref {
  node_id rest[3];
  int32_t side;
} side_ref;

typedef struct side_table {
  int32_t n_sides;
  int32_t *bucket; /* [n_nodes + 1] into ref */
  side_ref *ref;   /* [n_sides] */
  cell_id *cell;   /* [n_sides] */
} side_table;

static void table_free(side_table *t) {
  free(t->bucket);
  free(t->ref);
  free(t->cell);
}

/* Numbers all sides: cell c has [cell_face_start[c], cell_face_start[c + 1]). */
static ew_status number_sides(mesh *m, side_table *t, ew_error *err) {
  ew_status status = EW_OK;
  EW_CHECK(EW_NEW(m->sides.start, m->n_cells + 1));
  int64_t n = 0;
  for (cell_id c = 0; c < m->n_cells; c++) {
    n += mesh_cell_shape(m, c)->n_sides;
    if (n > INT32_MAX - 1)
      return ew_fail(err, EW_INPUT, "the mesh is too large: more than %d sides of cells", INT32_MAX - 1);
    m->sides.start[c + 1] = (int32_t)n;
  }
  t->n_sides = (int32_t)n;
  EW_CHECK(EW_NEW(t->cell, n));
  for (cell_id c = 0; c < m->n_cells; c++)
    for (int32_t s = m->sides.start[c]; s < m->sides.start[c + 1]; s++) t->cell[s] = c;
cleanup:
  return status;
}

static void key_of(const mesh *m, const side_table *t, int32_t side, node_id key[MESH_MAX_SIDE_NODES]) {
  cell_id c = t->cell[side];
  node_id node[MESH_MAX_SIDE_NODES];
  int n = mesh_side_nodes(m, c, side - m->sides.start[c], node);
  mesh_side_key(node, n, key);
}

static ew_status fill_buckets(const mesh *m, side_table *t, ew_error *err) {
  ew_status status = EW_OK;
  node_id key[MESH_MAX_SIDE_NODES];
  EW_CHECK(EW_NEW(t->bucket, m->n_nodes + 2));
  EW_CHECK(EW_NEW(t->ref, t->n_sides));
  /* Counted two places up, so that after the filling pass bucket[k] is where k starts. */
  int32_t *fill = t->bucket + 1;
  for (int32_t s = 0; s < t->n_sides; s++) {
    key_of(m, t, s, key);
    fill[key[0] + 1]++;
  }
  for (node_id k = 0; k < m->n_nodes; k++) fill[k + 1] += fill[k];
  for (int32_t s = 0; s < t->n_sides; s++) {
    key_of(m, t, s, key);
    side_ref *r = &t->ref[fill[key[0]]++];
    *r = (side_ref){{key[1], key[2], key[3]}, s};
  }
cleanup:
  return status;
}

static int compare_rest(const side_ref *a, const side_ref *b) {
  for (int i = 0; i < 3; i++)
    if (a->rest[i] != b->rest[i]) return a->rest[i] < b->rest[i] ? -1 : 1;
  return 0;
}

static int compare_refs(const void *pa, const void *pb) {
  const side_ref *a = pa, *b = pb;
  int order = compare_rest(a, b);
  return order ? order : (a->side > b->side) - (a->side < b->side);
}

static void sort_bucket(side_ref *ref, int32_t n) {
  if (n > 32) { /* a node with very many cells */
    qsort(ref, (size_t)n, sizeof *ref, compare_refs);
    return;
  }
  for (int32_t i = 1; i < n; i++) {
    side_ref r = ref[i];
    int32_t k = i;
    for (; k > 0 && compare_refs(&ref[k - 1], &r) > 0; k--) ref[k] = ref[k - 1];
    ref[k] = r;
  }
}

static int compare_nodes(const void *pa, const void *pb) {
  node_id a = *(const node_id *)pa, b = *(const node_id *)pb;
  return (a > b) - (a < b);
}

static bool same_nodes(const mesh *m, cell_id a, cell_id b) {
  node_id node[2][MESH_MAX_CELL_NODES];
  cell_id cell[2] = {a, b};
  if (m->cell_type[a] != m->cell_type[b]) return false;
  size_t n = (size_t)mesh_cell_shape(m, a)->n_nodes;
  for (int i = 0; i < 2; i++) {
    memcpy(node[i], m->cell_node + m->cell_start[cell[i]], n * sizeof(node_id));
    qsort(node[i], n, sizeof(node_id), compare_nodes);
  }
  return !memcmp(node[0], node[1], n * sizeof(node_id));
}

static ew_status duplicate(mesh_draft *draft, cell_id a, cell_id b, ew_error *err) {
  draft->culprit = b;
  return ew_fail(
      err, EW_INPUT,
      "%s %lld repeats %s %lld: the same nodes (in format 2.2 a cell in two physical groups is written "
      "twice; put it in one)",
      mesh_cell_shape(draft->mesh, b)->name, mesh_cell_label(draft, b), mesh_cell_shape(draft->mesh, a)->name,
      mesh_cell_label(draft, a));
}

static ew_status shared_by_three(mesh_draft *draft, const side_table *t, const side_ref *r, ew_error *err) {
  cell_id c[3];
  for (int i = 0; i < 3; i++) {
    c[i] = t->cell[r[i].side];
    for (int k = 0; k < i; k++)
      if (same_nodes(draft->mesh, c[k], c[i])) return duplicate(draft, c[k], c[i], err);
  }
  draft->culprit = c[2];
  return ew_fail(err, EW_INPUT, "cells %lld, %lld and %lld share one face; a face has at most two",
                 mesh_cell_label(draft, c[0]), mesh_cell_label(draft, c[1]), mesh_cell_label(draft, c[2]));
}

/* Whether b lists the nodes of a in the same sense of rotation (step 1) or the opposite one (step -1). */
static bool same_cycle(const node_id *a, const node_id *b, int n, int step) {
  int k = 0;
  while (k < n - 1 && b[k] != a[0]) k++;
  for (int i = 0; i < n; i++)
    if (b[(k + n + step * i) % n] != a[i]) return false;
  return true;
}

/* Two cells of positive volume go round their common face in opposite senses. If they go the same way they overlap; if
 * they disagree about which nodes are neighbours, one of them is twisted. */
static ew_status check_pair(mesh_draft *draft, const side_table *t, int32_t sa, int32_t sb, ew_error *err) {
  const mesh *m = draft->mesh;
  cell_id a = t->cell[sa], b = t->cell[sb];
  node_id of_a[MESH_MAX_SIDE_NODES] = {0}, of_b[MESH_MAX_SIDE_NODES] = {0};
  int n = mesh_side_nodes(m, a, sa - m->sides.start[a], of_a);
  mesh_side_nodes(m, b, sb - m->sides.start[b], of_b);
  if (n == 2 ? of_a[0] == of_b[1] : same_cycle(of_a, of_b, n, -1)) return EW_OK;
  if (same_nodes(m, a, b)) return duplicate(draft, a, b, err);
  draft->culprit = b;
  const char *why = n == 2 || same_cycle(of_a, of_b, n, 1)
                        ? "overlap: both lie on the same side of their common face"
                        : "are twisted: they go round the nodes of their common face in different orders";
  return ew_fail(err, EW_INPUT, "cells %lld and %lld %s", mesh_cell_label(draft, a),
                 mesh_cell_label(draft, b), why);
}

static ew_status match_bucket(mesh_draft *draft, const side_table *t, side_ref *ref, int32_t n, int32_t *mate,
                              ew_error *err) {
  ew_status status = EW_OK;
  sort_bucket(ref, n);
  for (int32_t i = 0, next; i < n; i = next) {
    for (next = i + 1; next < n && !compare_rest(&ref[i], &ref[next]);) next++;
    mate[ref[i].side] = -1;
    if (next - i > 2) EW_CHECK(shared_by_three(draft, t, ref + i, err));
    if (next - i != 2) continue;
    EW_CHECK(check_pair(draft, t, ref[i].side, ref[i + 1].side, err));
    mate[ref[i].side] = ref[i + 1].side;
    mate[ref[i + 1].side] = ref[i].side;
  }
cleanup:
  return status;
}

ew_status mesh_match_sides(mesh_draft *draft, int32_t **mate, ew_error *err) {
  ew_status status = EW_OK;
  mesh *m = draft->mesh;
  side_table t = {0};
  EW_CHECK(number_sides(m, &t, err));
  EW_CHECK(fill_buckets(m, &t, err));
  EW_CHECK(EW_NEW(*mate, t.n_sides));
  for (node_id k = 0; k < m->n_nodes; k++)
    EW_CHECK(match_bucket(draft, &t, t.ref + t.bucket[k], t.bucket[k + 1] - t.bucket[k], *mate, err));
cleanup:
  table_free(&t);
  return status;
}
