/* Solid cells: boxes and a mask. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"
#include "grid/internal.h"

static const char LETTER[] = "xyz";

/* Room for rounding in coordinates that users wrote: a part of the cell's width. */
static const double TOLERANCE = 1e-6;

/* ---- boxes ---------------------------------------------------------------------------------------------------- */

static ew_status check_extent(const grid *g, const grid_solid_options *s, int d, ew_error *err) {
  const grid_axis *a = &g->axis[d];
  double from = a->face[0], to = a->face[a->n], slack = TOLERANCE * (to - from) / a->n;
  if (isnan(s->low[d]) || isnan(s->high[d]) || !(s->low[d] < s->high[d]))
    return ew_fail(err, EW_INPUT, "solid \"%s\": %c runs from %g to %g: increasing bounds are expected",
                   s->name, LETTER[d], s->low[d], s->high[d]);
  bool below = isfinite(s->low[d]) && s->low[d] < from - slack,
       above = isfinite(s->high[d]) && s->high[d] > to + slack;
  if (below || above || s->low[d] > to || s->high[d] < from)
    return ew_fail(err, EW_INPUT,
                   "solid \"%s\" lies outside of the grid: %c runs from %g to %g, the grid's from %g to %g",
                   s->name, LETTER[d], s->low[d], s->high[d], from, to);
  return EW_OK;
}

/* An end between two faces moves to one of them. */
static ew_status note_end(grid *g, const grid_solid_options *s, int d, double wanted, int32_t face,
                          ew_error *err) {
  const grid_axis *a = &g->axis[d];
  double width = grid_width(a, face < a->n ? face : face - 1);
  if (!isfinite(wanted) || fabs(wanted - a->face[face]) <= TOLERANCE * width) return EW_OK;
  return grid_note(g, err,
                   "solid \"%s\" ends at %c = %g, inside of a cell: its surface is taken at the face %c = %g",
                   s->name, LETTER[d], wanted, LETTER[d], a->face[face]);
}

static ew_status find_cells(grid *g, const grid_solid_options *s, grid_span span[3], ew_error *err) {
  ew_status status = EW_OK;
  for (int d = 0; d < 3; d++) {
    span[d] = (grid_span){0, 1};
    if (d >= g->dim) continue;
    EW_CHECK(check_extent(g, s, d, err));
    span[d] = grid_covered(&g->axis[d], s->low[d], s->high[d]);
    if (span[d].first >= span[d].end)
      return ew_fail(
          err, EW_INPUT,
          "solid \"%s\" holds no cell's centre: %c runs from %g to %g, cells there are %g wide", s->name,
          LETTER[d], s->low[d], s->high[d],
          grid_width(&g->axis[d], span[d].first < g->axis[d].n ? span[d].first : g->axis[d].n - 1));
    EW_CHECK(note_end(g, s, d, s->low[d], span[d].first, err));
    EW_CHECK(note_end(g, s, d, s->high[d], span[d].end, err));
  }
cleanup:
  return status;
}

/* ---- overlaps --------------------------------------------------------------------------------------------------- */

typedef struct overlap {
  int64_t count, first;
  int other; /* boundary there */
} overlap;

static void claim(grid *g, int64_t cell, int boundary, overlap *o) {
  int16_t before = g->solid[cell];
  if (before && before - 1 != boundary) {
    if (o->count++ == 0) o->first = cell, o->other = before - 1;
  } else g->solid[cell] = (int16_t)(boundary + 1);
}

static ew_status check_overlap(const grid *g, int boundary, const overlap *o, ew_error *err) {
  char text[96];
  double x[3];
  if (o->count == 0) return EW_OK;
  grid_cell_centre(g, o->first, x);
  return ew_fail(err, EW_INPUT,
                 "solids \"%s\" and \"%s\" overlap in %lld cell%s, the first at %s: which rule holds there "
                 "is not known; "
                 "give them one name, or move them",
                 g->boundary[o->other].name, g->boundary[boundary].name, (long long)o->count,
                 o->count == 1 ? "" : "s", grid_point_text(g->dim, x, text));
}

static ew_status add_box(grid *g, const grid_solid_options *s, ew_error *err) {
  ew_status status = EW_OK;
  grid_span span[3];
  overlap o = {0};
  EW_CHECK(find_cells(g, s, span, err));
  int boundary = grid_add_boundary(g, s->name, err);
  if (boundary < 0) return EW_FAIL;
  for (int32_t k = span[2].first; k < span[2].end; k++)
    for (int32_t j = span[1].first; j < span[1].end; j++)
      for (int32_t i = span[0].first; i < span[0].end; i++) claim(g, grid_cell(g, i, j, k), boundary, &o);
  status = check_overlap(g, boundary, &o, err);
cleanup:
  return status;
}

/* ---- a mask --------------------------------------------------------------------------------------------------------- */

static ew_status add_mask(grid *g, const grid_options *options, ew_error *err) {
  ew_status status = EW_OK;
  overlap o = {0};
  int boundary = grid_add_boundary(g, options->mask_name, err);
  if (boundary < 0) return EW_FAIL;
  for (int64_t c = 0; c < g->n_cells; c++) {
    double x[3];
    bool solid = false;
    grid_cell_centre(g, c, x);
    EW_CHECK(options->mask(options->mask_context, x, &solid, err));
    if (solid) claim(g, c, boundary, &o);
  }
  status = check_overlap(g, boundary, &o, err);
cleanup:
  return status;
}

ew_status grid_make_solids(grid *g, const grid_options *o, ew_error *err) {
  ew_status status = EW_OK;
  EW_CHECK(EW_NEW(g->solid, g->n_cells));
  for (int i = 0; i < o->n_solids; i++) EW_CHECK(add_box(g, &o->solid[i], err));
  if (o->mask) EW_CHECK(add_mask(g, o, err));
  g->n_gas = 0;
  for (int64_t c = 0; c < g->n_cells; c++) g->n_gas += g->solid[c] == 0;
  if (g->n_gas == 0)
    status = ew_fail(err, EW_INPUT, "all %lld cells of the grid are solid", (long long)g->n_cells);
cleanup:
  return status;
}
