/* Edges in slices: neighbouring nodes' edges side by side, which is how neighbouring work-items read them. */
#include "fe/internal.h"

static int32_t degree(const fe_space *s, int32_t i) { return s->start[i + 1] - s->start[i]; }

/* Rounds of `lanes` edges that the fullest of the nodes first ... last-1 takes. */
static int32_t rounds(const fe_space *s, int32_t lanes, int32_t first, int32_t last) {
  int32_t most = 0;
  for (int32_t i = first; i < last; i++)
    if (degree(s, i) > most) most = degree(s, i);
  return (most + lanes - 1) / lanes;
}

ew_status fe_slice(const fe_space *s, fe_slicing how, int32_t *start, int32_t *slots, ew_error *err) {
  const int32_t nodes = how.width / how.lanes;
  int64_t base = 0;
  for (int32_t first = 0; first < s->n; first += nodes) {
    int32_t last = first + nodes < s->n ? first + nodes : s->n;
    if (base > FE_MOST_EDGES) break;
    for (int32_t i = first; start && i < last; i++) start[i] = (int32_t)base + (i - first) * how.lanes;
    base += (int64_t)how.width * rounds(s, how.lanes, first, last);
  }
  if (base > FE_MOST_EDGES)
    return ew_fail(err, EW_INPUT,
                   "edges in slices: more slots than this version can number (%d); some nodes have far more "
                   "neighbours than others.\nhint: another setting of `edges` in the schedule",
                   FE_MOST_EDGES);
  *slots = (int32_t)base;
  return EW_OK;
}

static int32_t slot_of(fe_slicing how, int32_t start, int32_t entry) {
  return start + entry / how.lanes * how.width + entry % how.lanes;
}

void fe_edge_slot(const fe_space *s, fe_slicing how, const int32_t *start, int32_t *out) {
#pragma omp parallel for schedule(static)
  for (int32_t i = 0; i < s->n; i++)
    for (int32_t k = 0; k < degree(s, i); k++) out[s->start[i] + k] = slot_of(how, start[i], k);
}

void fe_slot_node(const fe_space *s, fe_slicing how, const int32_t *start, int32_t *out) {
#pragma omp parallel for schedule(static)
  for (int32_t i = 0; i < s->n; i++)
    for (int32_t k = 0; k < degree(s, i); k++) out[slot_of(how, start[i], k)] = s->next[s->start[i] + k];
}
