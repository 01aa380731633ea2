/* Names of the faces on the sides of the box. */
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "grid/internal.h"

static const char LETTER[] = "xyz";

/* The two axes along the side, the lower first; beyond dim they have one cell. */
static void along(int side, int axis[2]) {
  int across = side / 2;
  axis[0] = across == 0 ? 1 : 0;
  axis[1] = across == 2 ? 1 : 2;
}

static bool exists(const grid *g, int side) { return side / 2 < g->dim && !g->axis[side / 2].periodic; }

static ew_status check_patch(const grid *g, const grid_patch_options *p, ew_error *err) {
  if (p->side < 0 || p->side >= 2 * g->dim)
    return ew_fail(err, EW_INPUT, "patch \"%s\" lies on the side \"%s\", which a grid of %d ax%ss has not",
                   p->name, p->side >= 0 && p->side < GRID_SIDES ? grid_side_name(p->side) : "?", g->dim,
                   g->dim == 1 ? "i" : "e");
  if (!exists(g, p->side))
    return ew_fail(err, EW_INPUT,
                   "patch \"%s\" lies on the side \"%s\", but %c is periodic: that side does not exist",
                   p->name, grid_side_name(p->side), LETTER[p->side / 2]);
  return EW_OK;
}

static ew_status patch_span(const grid *g, const grid_patch_options *p, int d, grid_span *span,
                            ew_error *err) {
  *span = (grid_span){0, 1};
  if (d >= g->dim) return EW_OK;
  const grid_axis *a = &g->axis[d];
  if (isnan(p->low[d]) || isnan(p->high[d]) || !(p->low[d] < p->high[d]))
    return ew_fail(err, EW_INPUT, "patch \"%s\": %c runs from %g to %g: increasing bounds are expected",
                   p->name, LETTER[d], p->low[d], p->high[d]);
  *span = grid_covered(a, p->low[d], p->high[d]);
  if (span->first >= span->end)
    return ew_fail(
        err, EW_INPUT,
        "patch \"%s\" of side \"%s\" holds no face's centre: %c runs from %g to %g, the grid's from %g to %g",
        p->name, grid_side_name(p->side), LETTER[d], p->low[d], p->high[d], a->face[0], a->face[a->n]);
  return EW_OK;
}

static ew_status add_patch(grid *g, const grid_patch_options *p, int16_t *const side[], ew_error *err) {
  ew_status status = EW_OK;
  int axis[2];
  grid_span u, v;
  EW_CHECK(check_patch(g, p, err));
  along(p->side, axis);
  EW_CHECK(patch_span(g, p, axis[0], &u, err));
  EW_CHECK(patch_span(g, p, axis[1], &v, err));
  int boundary = grid_add_boundary(g, p->name, err), whole = grid_find_boundary(g, grid_side_name(p->side));
  if (boundary < 0) return EW_FAIL;
  for (int32_t n = v.first; n < v.end; n++)
    for (int32_t m = u.first; m < u.end; m++) {
      int16_t *face = &side[p->side][(size_t)n * (size_t)g->axis[axis[0]].n + (size_t)m];
      if (*face != whole && *face != boundary)
        return ew_fail(err, EW_INPUT, "patches \"%s\" and \"%s\" of side \"%s\" overlap at %c = %g",
                       g->boundary[*face].name, p->name, grid_side_name(p->side), LETTER[axis[0]],
                       axis[0] < g->dim ? grid_middle(&g->axis[axis[0]], m) : 0.0);
      *face = (int16_t)boundary;
    }
cleanup:
  return status;
}

ew_status grid_make_sides(grid *g, const grid_options *o, int16_t *side[GRID_SIDES], ew_error *err) {
  ew_status status = EW_OK;
  for (int s = 0; s < GRID_SIDES; s++) {
    int axis[2];
    if (!exists(g, s)) continue;
    along(s, axis);
    size_t n = (size_t)g->axis[axis[0]].n * (size_t)g->axis[axis[1]].n;
    int boundary = grid_add_boundary(g, grid_side_name(s), err);
    if (boundary < 0) return EW_FAIL;
    EW_CHECK(EW_NEW(side[s], n));
    for (size_t i = 0; i < n; i++) side[s][i] = (int16_t)boundary;
  }
  for (int i = 0; i < o->n_patches; i++) EW_CHECK(add_patch(g, &o->patch[i], side, err));
cleanup:
  return status;
}
