/* Reverse Cuthill-McKee (Cuthill & McKee 1969, George & Liu 1979): breadth first from a cell at the rim of
 * the graph, neighbours by ascending degree, the whole reversed. Every step is linear in the number of cells.
 */
#include "mesh/permute.h"

#include <stdlib.h>

#include "mesh/memory.h"

#define MAX_SWEEPS 8 /* of the search for the rim; two or three do on real meshes */

typedef struct search {
  const mesh *m;
  uint8_t *degree;
  int32_t *seen; /* number of the last sweep that met a cell */
  int32_t sweep;
  cell_id *queue;
} search;

static bool is_neighbour(const mesh *m, cell_id c) { return c < m->n_cells; }

static ew_status search_create(search *s, const mesh *m, ew_error *err) {
  ew_status status = EW_OK;
  s->m = m;
  EW_CHECK(MESH_NEW(s->degree, m->n_cells));
  EW_CHECK(MESH_NEW(s->seen, m->n_cells));
  EW_CHECK(MESH_NEW(s->queue, m->n_cells));
  for (cell_id c = 0; c < m->n_cells; c++)
    for (int32_t i = m->cell_face_start[c]; i < m->cell_face_start[c + 1]; i++)
      s->degree[c] += is_neighbour(m, m->cell_across[i]);
cleanup:
  return status;
}

static void search_free(search *s) {
  free(s->degree);
  free(s->seen);
  free(s->queue);
}

static void push_neighbours(search *s, cell_id c, cell_id *tail) {
  for (int32_t i = s->m->cell_face_start[c]; i < s->m->cell_face_start[c + 1]; i++) {
    cell_id next = s->m->cell_across[i];
    if (!is_neighbour(s->m, next) || s->seen[next] == s->sweep) continue;
    s->seen[next] = s->sweep;
    s->queue[(*tail)++] = next;
  }
}

/* Breadth first from root: the number of levels, and in *far the cell of least degree in the last one. */
static int32_t sweep_from(search *s, cell_id root, cell_id *far) {
  cell_id head = 0, tail = 0, level_start = 0;
  int32_t levels = 0;
  s->sweep++;
  s->seen[root] = s->sweep;
  s->queue[tail++] = root;
  while (head < tail) {
    level_start = head;
    levels++;
    for (cell_id level_end = tail; head < level_end; head++) push_neighbours(s, s->queue[head], &tail);
  }
  *far = s->queue[level_start];
  for (cell_id i = level_start; i < tail; i++)
    if (s->degree[s->queue[i]] < s->degree[*far]) *far = s->queue[i];
  return levels;
}

/* A cell from which the graph is about as deep as it gets (George & Liu's pseudo-peripheral node). */
static cell_id find_rim(search *s, cell_id root) {
  cell_id far, next;
  int32_t depth = sweep_from(s, root, &far);
  for (int i = 0; i < MAX_SWEEPS; i++) {
    int32_t deeper = sweep_from(s, far, &next);
    root = far;
    if (deeper <= depth) break;
    depth = deeper;
    far = next;
  }
  return root;
}

/* Appends the component of root to the order at [first, ...); `placed` marks cells that have their place. */
static cell_id append_component(const search *s, cell_id root, cell_id *order, cell_id first, bool *placed) {
  const mesh *m = s->m;
  cell_id tail = first;
  order[tail++] = root;
  placed[root] = true;
  for (cell_id head = first; head < tail; head++) {
    cell_id c = order[head], new_ones = tail;
    for (int32_t i = m->cell_face_start[c]; i < m->cell_face_start[c + 1]; i++) {
      cell_id next = m->cell_across[i];
      if (!is_neighbour(m, next) || placed[next]) continue;
      placed[next] = true;
      cell_id k = tail++;
      for (; k > new_ones && s->degree[order[k - 1]] > s->degree[next]; k--) order[k] = order[k - 1];
      order[k] = next;
    }
  }
  return tail;
}

ew_status mesh_order_rcm(const mesh *m, cell_id *old_of_new, ew_error *err) {
  ew_status status = EW_OK;
  search s = {0};
  bool *placed = NULL;
  EW_CHECK(search_create(&s, m, err));
  EW_CHECK(MESH_NEW(placed, m->n_cells));
  cell_id n = 0;
  for (cell_id c = 0; c < m->n_cells; c++)
    if (!placed[c]) n = append_component(&s, find_rim(&s, c), old_of_new, n, placed);
  for (cell_id i = 0, k = m->n_cells - 1; i < k; i++, k--) {
    cell_id c = old_of_new[i];
    old_of_new[i] = old_of_new[k];
    old_of_new[k] = c;
  }
cleanup:
  search_free(&s);
  free(placed);
  return status;
}
