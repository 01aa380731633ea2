#include <stdio.h>
#include <string.h>

#include "lua/host.h"
#include "lua/reader.h"

/* {x}, {x, y} or {x, y, z} */
static int read_point(reader *r, int index, const char *key, double to[3]) {
  const double *x = NULL;
  int n = 0;
  read_numbers(r, index, key, &x, &n);
  for (int d = 0; d < n && d < 3; d++) to[d] = x[d];
  return n;
}

static bool has_key(reader *r, int index, const char *key) {
  const bool has = read_push(r, index, key);
  lua_pop(r->L, 1);
  return has;
}

/* A key that only says more about another one would silently do nothing alone. */
static void needs_key(reader *r, int index, const site *at, const char *key, const char *other) {
  const site here = site_key(at, key);
  if (has_key(r, index, key) && !has_key(r, index, other))
    problems_add(r->p, at->file, site_line(r->L, &here), "'%s' has no effect without '%s'", key, other);
}

static void read_map(reader *r, int index, colour_map *map) {
  const char *word = NULL;
  read_text(r, index, "map", &word);
  if (word) colour_map_parse(word, map, NULL); /* the schema let only its names pass */
}

static void read_picture(reader *r, int index, const site *at) {
  case_picture p = {.at = reader_where(r, at), .view = {-1, -1, 0.5}};
  read_names(r, index, "field", &p.field, &p.n_fields);
  if (p.n_fields == 0) return;
  read_int(r, index, "columns", &p.columns);
  read_text(r, index, "name", &p.name);
  read_text(r, index, "title", &p.title);
  read_map(r, index, &p.map);
  read_pair(r, index, "range", &p.low, &p.high);
  read_int(r, index, "contours", &p.contours);
  read_flag(r, index, "cells", &p.show_cells);
  p.has_z = has_key(r, index, "z");
  read_number(r, index, "z", &p.z);
  read_names(r, index, "surface", &p.surface, &p.n_surfaces);
  read_point(r, index, "view", p.view);
  read_text(r, index, "mask", &p.mask);
  read_number(r, index, "mask_below", &p.mask_above);
  read_text(r, index, "terrain", &p.terrain);
  read_int(r, index, "size", &p.size);
  needs_key(r, index, at, "view", "surface");
  needs_key(r, index, at, "mask_below", "mask");
  needs_key(r, index, at, "terrain", "mask");
  case_output *o = &r->c->output;
  *(case_picture *)reader_append(r, &o->picture, &o->n_pictures, sizeof p) = p;
}

static void read_exact(reader *r, int index, const site *at, case_plot *p) {
  case_value exact = {.name = "exact"};
  site here = site_key(at, "exact");
  if (read_push(r, index, "exact") && read_function(r, lua_gettop(r->L), "exact", &here, &exact))
    *(case_curve *)reader_append(r, &p->curve, &p->n_curves, sizeof *p->curve) =
        (case_curve){.function = exact.function, .context = exact.context, .label = "exact"};
  lua_pop(r->L, 1);
}

static void read_plot(reader *r, int index, const site *at) {
  case_plot p = {.at = reader_where(r, at)};
  const char **field = NULL;
  int n = 0;
  read_names(r, index, "field", &field, &n);
  for (int i = 0; i < n; i++)
    *(case_curve *)reader_append(r, &p.curve, &p.n_curves, sizeof *p.curve) = (case_curve){.field = field[i]};
  read_exact(r, index, at, &p);
  read_text(r, index, "name", &p.name);
  read_text(r, index, "title", &p.title);
  p.n_from = read_point(r, index, "from", p.from);
  p.n_to = read_point(r, index, "to", p.to);
  read_pair(r, index, "range", &p.low, &p.high);
  read_int(r, index, "samples", &p.samples);
  case_output *o = &r->c->output;
  *(case_plot *)reader_append(r, &o->plot, &o->n_plots, sizeof p) = p;
}

static void read_raster(reader *r, int index, const site *at) {
  case_raster a = {.at = reader_where(r, at)};
  const char *format = NULL;
  read_names(r, index, "field", &a.field, &a.n_fields);
  read_number(r, index, "size", &a.size);
  if (a.n_fields == 0 || a.size <= 0) return; /* that has been said */
  read_pair(r, index, "x", &a.x[0], &a.x[1]);
  read_pair(r, index, "y", &a.y[0], &a.y[1]);
  read_text(r, index, "name", &a.name);
  read_text(r, index, "mask", &a.mask);
  read_number(r, index, "mask_below", &a.mask_above);
  needs_key(r, index, at, "mask_below", "mask");
  read_text(r, index, "format", &format);
  read_text(r, index, "srs", &a.srs);
  a.geotiff = format && strcmp(format, "tif") == 0;
  case_output *o = &r->c->output;
  *(case_raster *)reader_append(r, &o->raster, &o->n_rasters, sizeof a) = a;
}

/* The value, {x}, {x, y} or {x, y, z}, is on the top of the stack. */
static void visit_probe(reader *r, const char *key, const site *at, void *unused) {
  (void)unused;
  lua_State *L = r->L;
  case_probe probe = {.at = reader_where(r, at)};
  int n = lua_istable(L, -1) ? (int)lua_rawlen(L, -1) : 0;
  bool good = n >= 1 && n <= 3;
  for (int d = 0; d < n && good; d++) {
    good = lua_rawgeti(L, -1, d + 1) == LUA_TNUMBER;
    probe.x[d] = lua_tonumber(L, -1);
    lua_pop(L, 1);
  }
  if (!good) {
    problems_add(r->p, at->file, site_line(L, at),
                 "probes: '%s' must be a point, {x}, {x, y} or {x, y, z}; found %s", key, host_describe(L, -1));
    lua_pop(L, 1);
    return;
  }
  probe.n = n;
  lua_pushstring(L, key);
  probe.name = reader_text(r, -1);
  lua_pop(L, 1);
  case_output *o = &r->c->output;
  *(case_probe *)reader_append(r, &o->probe, &o->n_probes, sizeof probe) = probe;
}

static void read_probes(reader *r, int index, const site *at) {
  case_output *o = &r->c->output;
  const char **field = NULL;
  int n = 0;
  site here = site_key(at, "probes");
  if (read_push(r, index, "probes")) reader_each(r, -1, &here, visit_probe, NULL);
  lua_pop(r->L, 1);
  read_names(r, index, "probe_fields", &field, &n);
  needs_key(r, index, at, "probe_fields", "probes");
  for (int i = 0; i < o->n_probes; i++) o->probe[i].field = field, o->probe[i].n_fields = n;
}

/* Seen from the case's folder, as other paths in a case; the executor takes it from the working directory. */
static void read_folder(reader *r, int index) {
  lua_State *L = r->L;
  if (read_push(r, index, "folder")) {
    const char *folder = lua_tostring(L, -1), *home = host_of(L)->folder;
    if (folder[0] == '/' || strcmp(home, ".") == 0) lua_pushstring(L, folder);
    else lua_pushfstring(L, "%s/%s", home, folder);
    r->c->output.folder = reader_text(r, -1);
    lua_pop(L, 1);
  }
  lua_pop(L, 1);
}

void read_output(reader *r, int index, const site *at) {
  case_output *o = &r->c->output;
  const site times = site_key(at, "times");
  o->at = reader_where(r, at);
  o->times_at = reader_where(r, &times);
  read_folder(r, index);
  read_number(r, index, "every", &o->every);
  read_numbers(r, index, "times", &o->time, &o->n_times);
  read_flag(r, index, "vtu", &o->vtu);
  read_flag(r, index, "single_precision", &o->single_precision);
  read_flag(r, index, "run_json", &o->run_json);
  read_names(r, index, "fields", &o->field, &o->n_fields);
  read_text(r, index, "elevation", &o->elevation);
  read_names(r, index, "history", &o->history, &o->n_history);
  read_int(r, index, "sample", &o->sample);
  read_number(r, index, "checkpoint", &o->checkpoint);
  read_groups(r, index, "picture", at, read_picture);
  read_groups(r, index, "plot", at, read_plot);
  read_groups(r, index, "raster", at, read_raster);
  read_probes(r, index, at);
}
