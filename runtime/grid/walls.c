/* Faces with gas on one side only. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "grid/internal.h"

static const char LETTER[] = "xyz";

/* ---- what lies on both sides of a face ---------------------------------------------------------------------------- */

typedef struct finder {
  grid *g;
  int16_t *const *side; /* names on the sides of the box */
  double
      uneven; /* how much wider or narrower than the cell before it the worst cell behind a solid's surface is */
  const grid_wall *worst;
} finder;

/* The boundary that a cell beside a face belongs to: -1 for gas. `at` may lie one beyond the box along `axis`. */
static int beyond(const finder *f, int axis, const int32_t at[3]) {
  const grid *g = f->g;
  int32_t c[3] = {at[0], at[1], at[2]}, n = g->axis[axis].n;
  if (c[axis] < 0 || c[axis] >= n) {
    int s = 2 * axis + (c[axis] >= n), u = axis == 0 ? 1 : 0, v = axis == 2 ? 1 : 2;
    if (!g->axis[axis].periodic) return f->side[s][(size_t)c[v] * (size_t)g->axis[u].n + (size_t)c[u]];
    c[axis] = c[axis] < 0 ? n - 1 : 0;
  }
  return g->solid[grid_cell(g, c[0], c[1], c[2])] - 1;
}

/* The wall between the cell below and the cell at `at`, if there is one. */
static bool wall_at(const finder *f, int axis, const int32_t at[3], grid_wall *w) {
  int32_t lower[3] = {at[0], at[1], at[2]};
  lower[axis]--;
  int n = f->g->axis[axis].n;
  bool outside_low = lower[axis] < 0 && !f->g->axis[axis].periodic;
  bool outside_high = at[axis] >= n && !f->g->axis[axis].periodic;
  int below = beyond(f, axis, lower), above = beyond(f, axis, at);
  if ((below < 0) == (above < 0) || (outside_low && above >= 0) || (outside_high && below >= 0)) return false;
  *w = (grid_wall){.at = {at[0], at[1], at[2]},
                   .axis = (int8_t)axis,
                   .boundary = (int16_t)(below < 0 ? above : below),
                   .gas_above = above < 0};
  return true;
}

/* ---- all of them ----------------------------------------------------------------------------------------------------- */

typedef void wall_visit(finder *f, const grid_wall *w);

static void each_wall(finder *f, int axis, wall_visit *visit) {
  const grid *g = f->g;
  int32_t end[3], at[3];
  for (int d = 0; d < 3; d++) end[d] = d == axis ? grid_points(g, d) : g->axis[d].n;
  for (at[2] = 0; at[2] < end[2]; at[2]++)
    for (at[1] = 0; at[1] < end[1]; at[1]++)
      for (at[0] = 0; at[0] < end[0]; at[0]++) {
        grid_wall w;
        if (wall_at(f, axis, at, &w)) visit(f, &w);
      }
}

static void count(finder *f, const grid_wall *w) {
  f->g->n_walls++;
  f->g->boundary[w->boundary].n_walls[w->axis]++;
}

static void keep(finder *f, const grid_wall *w) { f->g->wall[f->g->n_walls++] = *w; }

/* ---- gaps one cell wide ------------------------------------------------------------------------------------------------ */

/* The gas cell beside the wall. */
static int64_t cell_beside(const grid *g, const grid_wall *w) {
  int32_t c[3] = {w->at[0], w->at[1], w->at[2]};
  const int n = g->axis[w->axis].n;
  if (!w->gas_above) c[w->axis] = (c[w->axis] + n - 1) % n;
  return grid_cell(g, c[0], c[1], c[2]);
}

ew_status grid_each_gap(const grid *g, int axis, grid_gap_visit *visit, void *ctx, ew_error *err) {
  ew_status status = EW_OK;
  int64_t *below = NULL; /* by cell: 1 + the number of the wall below it */
  EW_CHECK(EW_NEW(below, g->n_cells));
  for (int64_t w = 0; w < g->n_walls; w++)
    if (g->wall[w].axis == axis && g->wall[w].gas_above) below[cell_beside(g, &g->wall[w])] = 1 + w;
  for (int64_t w = 0; w < g->n_walls; w++) {
    const grid_wall *above = &g->wall[w];
    const int64_t other = above->axis == axis && !above->gas_above ? below[cell_beside(g, above)] : 0;
    if (other) visit(ctx, &g->wall[other - 1], above);
  }
cleanup:
  free(below);
  return status;
}

/* ---- cells of another width behind a surface ------------------------------------------------------------------------------ */

/* Formulas take the widths that the axis has, and rules give values for the mirror image of what is before the wall. On the box's own
 * sides the padding is the mirror image; in a solid it need not be. */
static void look_behind(finder *f, const grid_wall *w) {
  const grid_axis *a = &f->g->axis[w->axis];
  int32_t face = w->at[w->axis];
  if (face <= 0 || face >= a->n) return;
  double below = grid_width(a, face - 1), above = grid_width(a, face);
  double ratio = below > above ? below / above : above / below;
  if (ratio > f->uneven) f->uneven = ratio, f->worst = w;
}

static ew_status note_uneven(finder *f, ew_error *err) {
  static const double ENOUGH = 1.01;
  char text[96];
  double x[3];
  for (int64_t w = 0; w < f->g->n_walls; w++) look_behind(f, &f->g->wall[w]);
  if (f->uneven < ENOUGH) return EW_OK;
  grid_wall_centre(f->g, f->worst, x);
  return grid_note(
      f->g, err,
      "at a surface of solid \"%s\", at %s, one of the two cells is %.3g times as wide as the other: "
      "differences across such walls are as far off; place faces evenly on both sides of a surface",
      f->g->boundary[f->worst->boundary].name, grid_point_text(f->g->dim, x, text), f->uneven);
}

/* ---- all notes ------------------------------------------------------------------------------------------------------------ */

typedef struct gaps {
  int64_t n;
  const grid_wall *first; /* below the first one */
} gaps;

static void count_gap(void *ctx, const grid_wall *below, const grid_wall *above) {
  gaps *all = ctx;
  (void)above;
  if (all->n++ == 0) all->first = below;
}

static ew_status note_gaps(finder *f, ew_error *err) {
  const grid *g = f->g;
  ew_status status = EW_OK;
  for (int d = 0; d < g->dim; d++) {
    char text[96];
    double x[3];
    gaps all = {0};
    if (g->axis[d].n == 1) continue; /* that is how a grid of fewer axes is made */
    EW_CHECK(grid_each_gap(g, d, count_gap, &all, err));
    if (all.n == 0) continue;
    grid_cell_centre(g, cell_beside(g, all.first), x);
    EW_CHECK(grid_note(f->g, err,
                       "one active cell lies between walls along %c in %lld place%s, the first at %s: what "
                       "happens in such a gap is "
                       "not resolved",
                       LETTER[d], (long long)all.n, all.n == 1 ? "" : "s", grid_point_text(g->dim, x, text)));
  }
cleanup:
  return status;
}

ew_status grid_make_walls(grid *g, int16_t *const side[GRID_SIDES], ew_error *err) {
  ew_status status = EW_OK;
  finder f = {.g = g, .side = side};
  g->n_walls = 0;
  for (int d = 0; d < g->dim; d++) each_wall(&f, d, count);
  EW_CHECK(EW_NEW(g->wall, g->n_walls));
  g->n_walls = 0;
  for (int d = 0; d < g->dim; d++) each_wall(&f, d, keep);
  EW_CHECK(note_gaps(&f, err));
  status = note_uneven(&f, err);
cleanup:
  return status;
}
