/* Faces with gas on one side only. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "grid/internal.h"

static const char LETTER[] = "xyz";

/* ---- what lies on both sides of a face ---------------------------------------------------------------------------- */

typedef struct finder {
  grid *g;
  int16_t *const *side;           /* names on the sides of the box */
  int64_t thin[3], thin_first[3]; /* gas one cell wide along an axis */
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

static bool is_gas(const finder *f, int axis, const int32_t at[3], int step) {
  int32_t c[3] = {at[0], at[1], at[2]};
  c[axis] += step;
  return beyond(f, axis, c) < 0;
}

/* A wall with gas above and the wall right behind it. */
static void look_for_gap(finder *f, const grid_wall *w) {
  if (!w->gas_above || is_gas(f, w->axis, w->at, 1)) return;
  if (f->thin[w->axis]++ == 0) f->thin_first[w->axis] = grid_cell(f->g, w->at[0], w->at[1], w->at[2]);
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

static ew_status note_gaps(finder *f, ew_error *err) {
  const grid *g = f->g;
  ew_status status = EW_OK;
  for (int d = 0; d < g->dim; d++) {
    char text[96];
    double x[3];
    if (g->axis[d].n == 1) continue; /* that is how a grid of fewer axes is made */
    for (int64_t w = 0; w < g->n_walls; w++)
      if (g->wall[w].axis == d) look_for_gap(f, &g->wall[w]);
    if (f->thin[d] == 0) continue;
    grid_cell_centre(g, f->thin_first[d], x);
    EW_CHECK(grid_note(f->g, err,
                       "one active cell lies between walls along %c in %lld place%s, the first at %s: what "
                       "happens in such a gap is "
                       "not resolved",
                       LETTER[d], (long long)f->thin[d], f->thin[d] == 1 ? "" : "s",
                       grid_point_text(g->dim, x, text)));
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
