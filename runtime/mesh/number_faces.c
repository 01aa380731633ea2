/* Faces get their numbers: interior ones in the order of the cells, then the boundary patch by patch. */
#include "mesh/build.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/* The boundary sides with the patch each belongs to. */
typedef struct boundary {
  face_id n;
  cell_id *cell;
  int32_t *side; /* number of the side over all cells */
  int32_t *patch;
} boundary;

static void boundary_free(boundary *b) {
  free(b->cell);
  free(b->side);
  free(b->patch);
}

static int compare_marks(const void *pa, const void *pb) {
  const mesh_mark *a = pa, *b = pb;
  for (int i = 0; i < MESH_MAX_SIDE_NODES; i++)
    if (a->node[i] != b->node[i]) return a->node[i] < b->node[i] ? -1 : 1;
  return 0;
}

/* Sorts the marks by key; equal marks must name the same patch. */
static ew_status sort_marks(mesh_draft *draft, ew_error *err) {
  const mesh *m = draft->mesh;
  for (size_t i = 0; i < draft->n_marks; i++) {
    node_id key[MESH_MAX_SIDE_NODES];
    mesh_side_key(draft->mark[i].node, MESH_MAX_SIDE_NODES, key);
    memcpy(draft->mark[i].node, key, sizeof key);
  }
  if (draft->n_marks) qsort(draft->mark, draft->n_marks, sizeof *draft->mark, compare_marks);
  for (size_t i = 1; i < draft->n_marks; i++) {
    const mesh_mark *a = &draft->mark[i - 1], *b = &draft->mark[i];
    if (compare_marks(a, b) || a->patch == b->patch) continue;
    char text[96];
    return ew_fail(
        err, EW_INPUT,
        "the boundary face with a node at %s lies in two groups, \"%s\" and \"%s\"; it can be in one",
        mesh_point_text(m->dim, m->node_x + (size_t)m->dim * (size_t)b->node[0], text),
        m->patch[a->patch].name, m->patch[b->patch].name);
  }
  return EW_OK;
}

static int32_t patch_of(const mesh_draft *draft, const node_id *node, int n) {
  mesh_mark wanted;
  mesh_side_key(node, n, wanted.node);
  if (!draft->n_marks) return -1;
  const mesh_mark *found = bsearch(&wanted, draft->mark, draft->n_marks, sizeof wanted, compare_marks);
  return found ? found->patch : -1;
}

static ew_status collect_boundary(const mesh_draft *draft, const int32_t *mate, boundary *b, ew_error *err) {
  ew_status status = EW_OK;
  const mesh *m = draft->mesh;
  face_id n = 0;
  for (int32_t s = 0; s < m->sides.start[m->n_cells]; s++) n += mate[s] < 0;
  EW_CHECK(EW_NEW(b->cell, n));
  EW_CHECK(EW_NEW(b->side, n));
  EW_CHECK(EW_NEW(b->patch, n));
  for (cell_id c = 0; c < m->n_cells; c++)
    for (int32_t s = m->sides.start[c]; s < m->sides.start[c + 1]; s++) {
      if (mate[s] >= 0) continue;
      node_id node[MESH_MAX_SIDE_NODES];
      int n_nodes = mesh_side_nodes(m, c, s - m->sides.start[c], node);
      b->cell[b->n] = c;
      b->side[b->n] = s;
      b->patch[b->n++] = patch_of(draft, node, n_nodes);
    }
cleanup:
  return status;
}

/* Faces without a mark join the patch "unnamed", which is appended for them unless the input has it. */
static ew_status adopt_unmarked(mesh *m, boundary *b, ew_error *err) {
  ew_status status = EW_OK;
  bool any = false;
  for (face_id i = 0; i < b->n; i++) any |= b->patch[i] < 0;
  if (!any) return EW_OK;
  int unnamed = mesh_find_patch(m, "unnamed");
  if (unnamed < 0) {
    size_t capacity = (size_t)m->n_patches;
    EW_CHECK(ew_reserve((void **)&m->patch, &capacity, capacity + 1, sizeof *m->patch, err));
    mesh_patch added = {.name = ew_copy_text("unnamed", err)};
    if (!added.name) return EW_FAIL;
    unnamed = m->n_patches++;
    m->patch[unnamed] = added;
  }
  for (face_id i = 0; i < b->n; i++)
    if (b->patch[i] < 0) b->patch[i] = unnamed;
cleanup:
  return status;
}

/* Places the patches one after the other and drops empty ones. `next` [n_patches] receives the first face of
 * each, in the numbering boundary.patch uses. */
static void place_patches(mesh *m, const boundary *b, face_id *next) {
  for (face_id i = 0; i < b->n; i++) m->patch[b->patch[i]].count++;
  face_id first = m->n_interior;
  int kept = 0;
  for (int p = 0; p < m->n_patches; p++) {
    mesh_patch patch = m->patch[p];
    next[p] = patch.first = first;
    first += patch.count;
    if (patch.count) m->patch[kept++] = patch;
    else free(patch.name);
  }
  m->n_patches = kept;
}

static ew_status allocate_faces(mesh *m, const int32_t *mate, ew_error *err) {
  ew_status status = EW_OK;
  int32_t n_sides = m->sides.start[m->n_cells], n_boundary = 0;
  for (int32_t s = 0; s < n_sides; s++) n_boundary += mate[s] < 0;
  m->n_interior = (n_sides - n_boundary) / 2;
  m->n_faces = m->n_interior + n_boundary;
  m->n_ghosts = n_boundary;
  if ((int64_t)m->n_cells + n_boundary > INT32_MAX)
    return ew_fail(err, EW_INPUT, "the mesh is too large: more than %d cells and ghosts", INT32_MAX);
  EW_CHECK(EW_NEW(m->face_start, m->n_faces + 1));
  EW_CHECK(EW_NEW(m->face_left, m->n_faces));
  EW_CHECK(EW_NEW(m->face_right, m->n_faces));
  EW_CHECK(EW_NEW(m->sides.face, n_sides));
  EW_CHECK(EW_NEW(m->sides.across, n_sides));
  EW_CHECK(EW_NEW(m->ghost_source, m->n_ghosts));
  for (cell_id g = 0; g < m->n_ghosts; g++) m->ghost_source[g] = -1;
cleanup:
  return status;
}

static void number_interior(mesh *m, const int32_t *mate) {
  face_id f = 0;
  for (cell_id c = 0; c < m->n_cells; c++)
    for (int32_t s = m->sides.start[c]; s < m->sides.start[c + 1]; s++) {
      if (mate[s] < 0) continue;
      if (mate[s] > s) {
        m->face_left[f] = c;
        m->sides.face[s] = m->sides.face[mate[s]] = f++;
      } else {
        m->face_right[m->sides.face[s]] = c;
      }
    }
}

static void number_boundary(mesh *m, const boundary *b, face_id *next) {
  for (face_id i = 0; i < b->n; i++) {
    face_id f = next[b->patch[i]]++;
    m->sides.face[b->side[i]] = f;
    m->face_left[f] = b->cell[i];
    m->face_right[f] = m->n_cells + (f - m->n_interior);
  }
}

void mesh_set_across(mesh *m) {
  for (cell_id c = 0; c < m->n_cells; c++)
    for (int32_t s = m->sides.start[c]; s < m->sides.start[c + 1]; s++) {
      face_id f = m->sides.face[s];
      m->sides.across[s] = m->face_left[f] == c ? m->face_right[f] : m->face_left[f];
    }
}

/* Nodes of every face as its left cell lists them. */
static ew_status fill_face_nodes(mesh *m, ew_error *err) {
  ew_status status = EW_OK;
  node_id node[MESH_MAX_SIDE_NODES];
  for (cell_id c = 0; c < m->n_cells; c++)
    for (int32_t s = m->sides.start[c]; s < m->sides.start[c + 1]; s++)
      m->face_start[m->sides.face[s] + 1] = mesh_side_nodes(m, c, s - m->sides.start[c], node);
  for (face_id f = 0; f < m->n_faces; f++) m->face_start[f + 1] += m->face_start[f];
  EW_CHECK(EW_NEW(m->face_node, m->face_start[m->n_faces]));
  for (cell_id c = 0; c < m->n_cells; c++)
    for (int32_t s = m->sides.start[c]; s < m->sides.start[c + 1]; s++) {
      face_id f = m->sides.face[s];
      if (m->face_left[f] == c) mesh_side_nodes(m, c, s - m->sides.start[c], m->face_node + m->face_start[f]);
    }
cleanup:
  return status;
}

ew_status mesh_number_faces(mesh_draft *draft, const int32_t *mate, ew_error *err) {
  ew_status status = EW_OK;
  mesh *m = draft->mesh;
  boundary b = {0};
  face_id *next = NULL;
  EW_CHECK(sort_marks(draft, err));
  EW_CHECK(collect_boundary(draft, mate, &b, err));
  EW_CHECK(adopt_unmarked(m, &b, err));
  EW_CHECK(allocate_faces(m, mate, err));
  EW_CHECK(EW_NEW(next, m->n_patches));
  place_patches(m, &b, next);
  number_interior(m, mate);
  number_boundary(m, &b, next);
  mesh_set_across(m);
  EW_CHECK(fill_face_nodes(m, err));
cleanup:
  free(next);
  boundary_free(&b);
  return status;
}
