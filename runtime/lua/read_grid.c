#include <math.h>
#include <string.h>

#include "lua/host.h"
#include "lua/reader.h"

static const char *const AXIS[] = {"x", "y", "z"}, *const COUNT[] = {"nx", "ny", "nz"};

/* ---- axes ------------------------------------------------------------------------------------------------------------------ */

static void complain(reader *r, const site *at, const char *key, const char *text, const char *axis) {
  site here = site_key(at, key);
  problems_add(r->p, at->file, site_line(r->L, &here), text, axis);
}

/* False if the axis is not there. */
static bool read_one_axis(reader *r, int index, const site *at, int d) {
  grid_axis_options *a = &r->c->mesh.grid.axis[d];
  const double *x = NULL;
  int n = 0, cells = 0;
  site here = site_key(at, AXIS[d]);
  read_numbers(r, index, AXIS[d], &x, &n);
  read_int(r, index, COUNT[d], &cells);
  if (n == 0) {
    if (cells && !r->quiet)
      complain(r, at, COUNT[d], "the cells along %s are counted, but it is not there", AXIS[d]);
    return false;
  }
  *a =
      (grid_axis_options){.from = x[0], .to = x[n - 1], .n = cells ? cells : n - 1, .face = n > 2 ? x : NULL};
  if (n == 2 && !cells && !r->quiet)
    problems_add(r->p, at->file, site_line(r->L, &here), "%s = {from, to} needs %s, the number of cells",
                 AXIS[d], COUNT[d]);
  if (n > 2 && cells && cells != n - 1)
    problems_add(r->p, at->file, site_line(r->L, &here), "%s has %d faces, which make %d cells; %s says %d",
                 AXIS[d], n, n - 1, COUNT[d], cells);
  return true;
}

static void read_axes(reader *r, int index, const site *at) {
  grid_options *g = &r->c->mesh.grid;
  const char *periodic = NULL;
  bool there[3];
  for (int d = 0; d < 3; d++) there[d] = read_one_axis(r, index, at, d);
  g->dim = there[2] ? 3 : there[1] ? 2 : 1;
  if (there[2] && !there[1] && !r->quiet) complain(r, at, "z", "a grid with %s needs y as well", "z");
  read_text(r, index, "periodic", &periodic);
  for (int d = 0; periodic && d < 3; d++) {
    bool named = strchr(periodic, AXIS[d][0]);
    if (named && d >= g->dim)
      complain(r, at, "periodic", "periodic names %s, an axis that the grid has not", AXIS[d]);
    g->axis[d].periodic = named;
  }
}

typedef struct stretch {
  const char *key;
  grid_stretch kind;
} stretch;

/* The strength is on the top of the stack. */
static void visit_strength(reader *r, const char *key, const site *at, void *context) {
  const stretch *s = context;
  grid_options *g = &r->c->mesh.grid;
  int d = 0;
  while (d < g->dim && strcmp(AXIS[d], key) != 0) d++;
  double strength = lua_tonumber(r->L, -1);
  if (d == g->dim || lua_type(r->L, -1) != LUA_TNUMBER || !(strength > 0)) {
    problems_add(r->p, at->file, site_line(r->L, at),
                 "%s gives numbers > 0 by axis, as { y = 1.05 }; found %s = %s", s->key, key,
                 host_describe(r->L, -1));
    lua_pop(r->L, 1);
    return;
  }
  grid_axis_options *a = &g->axis[d];
  if (a->face || a->stretch != GRID_UNIFORM)
    problems_add(r->p, at->file, site_line(r->L, at), "%s of %s: %s", s->key, key,
                 a->face ? "its faces are listed already" : "it has both a ratio and a tanh");
  a->stretch = s->kind;
  a->strength = strength;
}

static void read_stretch(reader *r, int index, const site *at, const char *key, grid_stretch kind) {
  stretch s = {key, kind};
  site here = site_key(at, key);
  if (read_push(r, index, key)) reader_each(r, -1, &here, visit_strength, &s);
  lua_pop(r->L, 1);
}

/* ---- solids and patches ------------------------------------------------------------------------------------------------------ */

static void read_ranges(reader *r, int index, double low[3], double high[3]) {
  for (int d = 0; d < 3; d++) {
    low[d] = -INFINITY, high[d] = INFINITY;
    read_pair(r, index, AXIS[d], &low[d], &high[d]);
  }
}

static void read_solid(reader *r, int index, const site *at) {
  grid_options *g = &r->c->mesh.grid;
  grid_solid_options s = {.name = "solid"};
  (void)at;
  read_text(r, index, "name", &s.name);
  read_ranges(r, index, s.low, s.high);
  *(grid_solid_options *)reader_append(r, &g->solid, &g->n_solids, sizeof s) = s;
}

static void read_patch(reader *r, int index, const site *at) {
  grid_options *g = &r->c->mesh.grid;
  grid_patch_options p = {.side = -1};
  const char *side = NULL;
  read_text(r, index, "name", &p.name);
  read_text(r, index, "side", &side);
  if (!p.name || !side) return; /* reported by the schema */
  p.side = grid_side(side);
  read_ranges(r, index, p.low, p.high);
  int across = p.side / 2;
  if (p.side >= 0 && isfinite(p.low[across])) {
    site here = site_key(at, AXIS[across]);
    problems_add(r->p, at->file, site_line(r->L, &here),
                 "the side \"%s\" lies across %s: it has no part along %s", side, AXIS[across], AXIS[across]);
  }
  *(grid_patch_options *)reader_append(r, &g->patch, &g->n_patches, sizeof p) = p;
}

static void read_mask(reader *r, int index, const site *at) {
  site here = site_key(at, "mask");
  case_value value = {.name = "mask"};
  if (read_push(r, index, "mask") && read_value(r, -1, "mask", &here, &value)) {
    if (value.kind == CASE_FUNCTION || value.kind == CASE_RASTER) {
      r->c->mesh.mask = reader_alloc(r, sizeof value);
      read_truth(&value);
      *r->c->mesh.mask = value;
    } else
      problems_add(r->p, at->file, site_line(r->L, &here), "mask must be a function of place or a raster");
  }
  lua_pop(r->L, 1);
}

void read_grid(reader *r, int index, const site *at) {
  r->c->mesh.kind = CASE_MESH_GRID;
  read_axes(r, index, at);
  read_stretch(r, index, at, "ratio", GRID_RATIO);
  read_stretch(r, index, at, "tanh", GRID_TANH);
  read_groups(r, index, "solids", at, read_solid);
  read_groups(r, index, "patches", at, read_patch);
  read_mask(r, index, at);
}
