/* How far cells are from what is not gas. */
#include "grid/grid.h"

/* The neighbours that come before a cell in the order of numbers. */
typedef struct sweep {
  const grid *g;
  uint8_t *near;
  int n;
  int step[13][3];
  int64_t offset[13]; /* of those, in numbers of cells */
} sweep;

static void find_steps(sweep *s) {
  const grid *g = s->g;
  int reach[3];
  for (int d = 0; d < 3; d++) reach[d] = d < g->dim;
  for (int z = -reach[2]; z <= 0; z++)
    for (int y = -reach[1]; y <= (z < 0 ? reach[1] : 0); y++)
      for (int x = -1; x <= (z < 0 || y < 0 ? 1 : -1); x++) {
        int *step = s->step[s->n];
        step[0] = x, step[1] = y, step[2] = z;
        s->offset[s->n++] = grid_cell(g, x, y, z);
      }
}

static bool is_at_edge(const grid *g, const int32_t at[3]) {
  for (int d = 0; d < g->dim; d++)
    if (at[d] == 0 || at[d] == g->axis[d].n - 1) return true;
  return false;
}

/* The distance of a neighbour; beyond the box 0, across a periodic side that of the cell there. */
static int across(const sweep *s, const int32_t at[3], const int step[3], int sign) {
  const grid *g = s->g;
  int32_t c[3];
  for (int d = 0; d < 3; d++) {
    c[d] = at[d] + sign * step[d];
    if (c[d] >= 0 && c[d] < g->axis[d].n) continue;
    if (!g->axis[d].periodic) return 0;
    c[d] = c[d] < 0 ? g->axis[d].n - 1 : 0;
  }
  return s->near[grid_cell(g, c[0], c[1], c[2])];
}

/* Lowers the cell to one more than its nearest neighbour among those before it (sign -1: after it). */
static bool relax(const sweep *s, int64_t cell, const int32_t at[3], int sign) {
  int own = s->near[cell], best = own - 1;
  bool edge = is_at_edge(s->g, at);
  for (int i = 0; i < s->n; i++) {
    int other = edge ? across(s, at, s->step[i], sign) : s->near[cell + sign * s->offset[i]];
    if (other < best) best = other;
  }
  s->near[cell] = (uint8_t)(best + 1);
  return best + 1 < own;
}

static bool relax_all(const sweep *s, int sign) {
  const grid *g = s->g;
  bool changed = false;
  int32_t n[3], at[3], i[3];
  for (int d = 0; d < 3; d++) n[d] = g->axis[d].n;
  for (i[2] = 0; i[2] < n[2]; i[2]++)
    for (i[1] = 0; i[1] < n[1]; i[1]++)
      for (i[0] = 0; i[0] < n[0]; i[0]++) {
        for (int d = 0; d < 3; d++) at[d] = sign > 0 ? i[d] : n[d] - 1 - i[d];
        int64_t cell = grid_cell(g, at[0], at[1], at[2]);
        if (s->near[cell]) changed |= relax(s, cell, at, sign);
      }
  return changed;
}

/* The chessboard distance: two sweeps give it exactly (Rosenfeld and Pfaltz 1966), except across periodic sides, for which
 * they are repeated until nothing changes. */
void grid_near(const grid *g, uint8_t *near) {
  sweep s = {.g = g, .near = near};
  bool periodic = g->axis[0].periodic || g->axis[1].periodic || g->axis[2].periodic, changed = true;
  find_steps(&s);
  for (int64_t c = 0; c < g->n_cells; c++) near[c] = g->solid[c] ? 0 : UINT8_MAX;
  while (changed) {
    changed = relax_all(&s, 1);
    changed |= relax_all(&s, -1);
    changed &= periodic;
  }
}
