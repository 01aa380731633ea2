#include "mesh/distance.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "mesh/inside.h"
#include "mesh/vector.h"

enum { LEAF = 4, MOST_SHIFTS = 27 };

typedef struct piece { /* of the boundary: an edge or a triangle */
  double corner[3][3];
} piece;

typedef struct
    box { /* of pieces first .. first + count - 1; parted: its halves follow at `left` and `left + 1` */
  double low[3], high[3];
  int32_t first, count, left;
} box;

struct mesh_distance {
  int dim, n_shifts;
  double shift[MOST_SHIFTS][3]; /* to the images across periodic sides; the first is 0 */
  int32_t n, n_boxes;
  piece *piece;
  box *box;
};

/* ---- the tree ----------------------------------------------------------------------------------------------------------------- */

static double middle(const mesh_distance *d, int32_t i, int axis) {
  double sum = 0;
  for (int k = 0; k < d->dim; k++) sum += d->piece[i].corner[k][axis];
  return sum;
}

static void bound(const mesh_distance *d, box *b) {
  for (int axis = 0; axis < 3; axis++) b->low[axis] = INFINITY, b->high[axis] = -INFINITY;
  for (int32_t i = b->first; i < b->first + b->count; i++)
    for (int k = 0; k < d->dim; k++)
      for (int axis = 0; axis < d->dim; axis++) {
        b->low[axis] = fmin(b->low[axis], d->piece[i].corner[k][axis]);
        b->high[axis] = fmax(b->high[axis], d->piece[i].corner[k][axis]);
      }
}

/* Hoare's selection: afterwards the pieces below `half` lie below those behind it. */
static void part(mesh_distance *d, int32_t first, int32_t last, int32_t half, int axis) {
  while (first < last) {
    const double pivot = middle(d, first + (last - first) / 2, axis);
    int32_t i = first, j = last;
    while (i <= j) {
      while (middle(d, i, axis) < pivot) i++;
      while (middle(d, j, axis) > pivot) j--;
      if (i > j) break;
      const piece moved = d->piece[i];
      d->piece[i++] = d->piece[j], d->piece[j--] = moved;
    }
    if (half <= j) last = j;
    else if (half >= i) first = i;
    else return;
  }
}

/* Box after box, those that are made come behind: no recursion. */
static void build(mesh_distance *d) {
  d->box[0] = (box){.count = d->n};
  d->n_boxes = 1;
  for (int32_t k = 0; k < d->n_boxes; k++) {
    box *b = &d->box[k];
    int axis = 0;
    bound(d, b);
    if (b->count <= LEAF) continue;
    for (int i = 1; i < d->dim; i++)
      if (b->high[i] - b->low[i] > b->high[axis] - b->low[axis]) axis = i;
    const int32_t half = b->count / 2;
    part(d, b->first, b->first + b->count - 1, b->first + half, axis);
    b->left = d->n_boxes;
    d->box[d->n_boxes++] = (box){.first = b->first, .count = half};
    d->box[d->n_boxes++] = (box){.first = b->first + half, .count = b->count - half};
  }
}

static double to_box(const mesh_distance *d, const box *b, const double *x) {
  double sum = 0;
  for (int axis = 0; axis < d->dim; axis++) {
    const double beyond = fmax(fmax(b->low[axis] - x[axis], x[axis] - b->high[axis]), 0);
    sum += beyond * beyond;
  }
  return sum;
}

/* The square of the distance, if it is less than `best`. The half that lies nearer first. */
static double search(const mesh_distance *d, const double *x, double best) {
  enum { DEEPEST = 96 };
  int32_t open[DEEPEST], n = 0;
  open[n++] = 0;
  while (n > 0) {
    const box *b = &d->box[open[--n]];
    if (to_box(d, b, x) >= best) continue;
    for (int32_t i = b->first; !b->left && i < b->first + b->count; i++) {
      const piece *p = &d->piece[i];
      best = fmin(best, d->dim == 2 ? mesh_square_to_edge(2, p->corner[0], p->corner[1], x)
                                    : mesh_square_to_triangle(p->corner[0], p->corner[1], p->corner[2], x));
    }
    if (!b->left) continue;
    const bool left_first = to_box(d, &d->box[b->left], x) < to_box(d, &d->box[b->left + 1], x);
    open[n++] = b->left + left_first;
    open[n++] = b->left + !left_first;
  }
  return best;
}

double mesh_distance_from(const mesh_distance *d, const double *x) {
  double best = INFINITY;
  for (int s = 0; s < d->n_shifts; s++) {
    double at[3] = {0, 0, 0};
    for (int axis = 0; axis < d->dim; axis++) at[axis] = x[axis] + d->shift[s][axis];
    best = search(d, at, best);
  }
  return sqrt(best);
}

/* ---- making it ---------------------------------------------------------------------------------------------------------------- */

/* Whether the diagonal from node 0 to 2 parts the quadrangle: of one that is not convex only one does. */
static bool is_inner_diagonal(const mesh *m, const node_id *node) {
  double across[3][3], one[3], two[3];
  for (int k = 0; k < 3; k++)
    vec_sub(3, m->node_x + 3 * (size_t)node[k + 1], m->node_x + 3 * (size_t)node[0], across[k]);
  vec_cross(across[0], across[1], one);
  vec_cross(across[1], across[2], two);
  return vec_dot(3, one, two) >= 0;
}

static void add_face(mesh_distance *d, const mesh *m, face_id f) {
  const node_id *node = m->face_node + m->face_start[f];
  const int n = (int)(m->face_start[f + 1] - m->face_start[f]);
  const int first = n == 4 && !is_inner_diagonal(m, node) ? 1 : 0;
  for (int k = 0; k + d->dim <= n; k++) { /* triangles share the corner `first` */
    piece *p = &d->piece[d->n++];
    for (int c = 0; c < d->dim; c++) {
      const node_id at = node[(first + (c == 0 ? 0 : k + c)) % n];
      memcpy(p->corner[c], m->node_x + (size_t)m->dim * (size_t)at, (size_t)m->dim * sizeof(double));
    }
  }
}

/* Both sides of each pair say their vector: sums of up to three of them, of different pairs. */
static void find_shifts(mesh_distance *d, const mesh *m) {
  d->n_shifts = 1;
  for (int p = 0; p < m->n_patches; p++) {
    const mesh_patch *side = &m->patch[p];
    const cell_id ghost = m->n_cells + side->first - m->n_interior;
    double vector[3] = {0, 0, 0};
    bool known = !side->periodic || side->count == 0;
    if (known) continue;
    const cell_id source = m->ghost_source[ghost - m->n_cells];
    vec_sub(m->dim, m->cell_centre + (size_t)m->dim * (size_t)ghost,
            m->cell_centre + (size_t)m->dim * (size_t)source, vector);
    for (int s = 0; s < d->n_shifts; s++) /* its partner was here */
      known = known || vec_distance(m->dim, d->shift[s], vector) <= 1e-9 * vec_norm(m->dim, vector);
    for (int s = d->n_shifts - 1; !known && s >= 0; s--)
      for (int sign = -1; sign <= 1 && d->n_shifts < MOST_SHIFTS; sign += 2) {
        memcpy(d->shift[d->n_shifts], d->shift[s], sizeof vector);
        vec_add_scaled(m->dim, d->shift[d->n_shifts++], sign, vector);
      }
  }
}

ew_status mesh_distance_create(const mesh *m, const int *patch, int n, mesh_distance **out, ew_error *err) {
  ew_status status = EW_OK;
  mesh_distance *d;
  int64_t pieces = 0;
  *out = NULL;
  EW_CHECK(EW_NEW(d, 1));
  d->dim = m->dim;
  for (int i = 0; i < n; i++)
    for (face_id f = m->patch[patch[i]].first; f < m->patch[patch[i]].first + m->patch[patch[i]].count; f++)
      pieces += m->face_start[f + 1] - m->face_start[f] - m->dim + 1;
  EW_CHECK(EW_NEW(d->piece, pieces + 1));
  EW_CHECK(EW_NEW(d->box, 2 * pieces + 2));
  for (int i = 0; i < n; i++)
    for (face_id f = m->patch[patch[i]].first; f < m->patch[patch[i]].first + m->patch[patch[i]].count; f++)
      add_face(d, m, f);
  find_shifts(d, m);
  build(d);
  *out = d;
  d = NULL;
cleanup:
  mesh_distance_destroy(&d);
  return status;
}

void mesh_distance_destroy(mesh_distance **d) {
  if (!d || !*d) return;
  free((*d)->piece);
  free((*d)->box);
  free(*d);
  *d = NULL;
}
