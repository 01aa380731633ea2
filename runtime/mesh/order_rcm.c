/* Reverse Cuthill-McKee (Cuthill & McKee 1969, George & Liu 1979): breadth first from a vertex at the rim of
 * the graph, neighbours by ascending degree, the whole reversed. Every step is linear in the number of vertices.
 */
#include "mesh/order.h"

#include <stdbool.h>
#include <stdlib.h>

#include "base/memory.h"

#define MAX_SWEEPS 8 /* of the search for the rim; two or three do on real meshes */

typedef struct search {
  const order_graph *g;
  int32_t *degree;
  int32_t *seen; /* number of the last sweep that met a vertex */
  int32_t sweep;
  int32_t *queue;
} search;

static bool is_neighbour(const order_graph *g, int32_t v) { return v < g->n; }

static ew_status search_create(search *s, const order_graph *g, ew_error *err) {
  ew_status status = EW_OK;
  s->g = g;
  EW_CHECK(EW_NEW(s->degree, g->n));
  EW_CHECK(EW_NEW(s->seen, g->n));
  EW_CHECK(EW_NEW(s->queue, g->n));
  for (int32_t c = 0; c < g->n; c++)
    for (int32_t i = g->start[c]; i < g->start[c + 1]; i++) s->degree[c] += is_neighbour(g, g->next[i]);
cleanup:
  return status;
}

static void search_free(search *s) {
  free(s->degree);
  free(s->seen);
  free(s->queue);
}

static void push_neighbours(search *s, int32_t c, int32_t *tail) {
  for (int32_t i = s->g->start[c]; i < s->g->start[c + 1]; i++) {
    int32_t next = s->g->next[i];
    if (!is_neighbour(s->g, next) || s->seen[next] == s->sweep) continue;
    s->seen[next] = s->sweep;
    s->queue[(*tail)++] = next;
  }
}

/* Breadth first from root: the number of levels, and in *far the vertex of least degree in the last one. */
static int32_t sweep_from(search *s, int32_t root, int32_t *far) {
  int32_t head = 0, tail = 0, level_start = 0;
  int32_t levels = 0;
  s->sweep++;
  s->seen[root] = s->sweep;
  s->queue[tail++] = root;
  while (head < tail) {
    level_start = head;
    levels++;
    for (int32_t level_end = tail; head < level_end; head++) push_neighbours(s, s->queue[head], &tail);
  }
  *far = s->queue[level_start];
  for (int32_t i = level_start; i < tail; i++)
    if (s->degree[s->queue[i]] < s->degree[*far]) *far = s->queue[i];
  return levels;
}

/* A vertex from which the graph is about as deep as it gets (George & Liu's pseudo-peripheral node). */
static int32_t find_rim(search *s, int32_t root) {
  int32_t far, next;
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

/* Appends the component of root to the order at [first, ...); `placed` marks vertices that have their place. */
static int32_t append_component(const search *s, int32_t root, int32_t *order, int32_t first, bool *placed) {
  const order_graph *g = s->g;
  int32_t tail = first;
  order[tail++] = root;
  placed[root] = true;
  for (int32_t head = first; head < tail; head++) {
    int32_t c = order[head], new_ones = tail;
    for (int32_t i = g->start[c]; i < g->start[c + 1]; i++) {
      int32_t next = g->next[i];
      if (!is_neighbour(g, next) || placed[next]) continue;
      placed[next] = true;
      int32_t k = tail++;
      for (; k > new_ones && s->degree[order[k - 1]] > s->degree[next]; k--) order[k] = order[k - 1];
      order[k] = next;
    }
  }
  return tail;
}

ew_status order_graph_rcm(const order_graph *g, int32_t *old_of_new, ew_error *err) {
  ew_status status = EW_OK;
  search s = {0};
  bool *placed = NULL;
  EW_CHECK(search_create(&s, g, err));
  EW_CHECK(EW_NEW(placed, g->n));
  int32_t n = 0;
  for (int32_t c = 0; c < g->n; c++)
    if (!placed[c]) n = append_component(&s, find_rim(&s, c), old_of_new, n, placed);
  for (int32_t i = 0, k = g->n - 1; i < k; i++, k--) {
    int32_t c = old_of_new[i];
    old_of_new[i] = old_of_new[k];
    old_of_new[k] = c;
  }
cleanup:
  search_free(&s);
  free(placed);
  return status;
}
