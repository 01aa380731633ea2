/* A case of this folder as a case file. */
#include <math.h>
#include <string.h>

#include "lua/quote.h"
#include "verify/internal.h"

static void write_numbers(FILE *out, const double *x, int n) {
  if (n == 1) fprintf(out, "%.17g", x[0]);
  for (int i = 0; n > 1 && i < n; i++) fprintf(out, "%s%.17g", i ? ", " : "{", x[i]);
  if (n > 1) fputc('}', out);
}

static void write_wave(FILE *out, const verify_wave *w, int n, bool timed) {
  static const char *const names[] = {"", "x", "x, y", "x, y, z"};
  fprintf(out, "function(%s%s) return ", names[w->dim], timed ? ", t" : "");
  for (int d = 0; d < n; d++) {
    fprintf(out, "%s%s%.17g + %.17g*math.sin(", d ? ", " : "", w->cut ? "math.max(0.0, " : "", w->base,
            w->amplitude);
    for (int a = 0; a < w->dim; a++) fprintf(out, "%s%.17g*%c", a ? " + " : "", w->k[a], "xyz"[a]);
    if (timed) fprintf(out, " + %.17g*t", w->omega);
    fprintf(out, " + %.17g + 0.7*%d)%s", w->phase, d, w->cut ? ")" : "");
  }
  fputs(" end", out);
}

static void write_series(FILE *out, const case_value *v) {
  fputs("series { ", out);
  for (int i = 0; i < v->n_times; i++) {
    fprintf(out, "{%.17g", v->time[i]);
    for (int d = 0; d < v->n; d++) fprintf(out, ", %.17g", v->series[i * v->n + d]);
    fputs("}, ", out);
  }
  fputc('}', out);
}

static void write_value(FILE *out, const case_value *v) {
  fprintf(out, "%s = ", v->name);
  if (v->kind == CASE_NUMBERS) write_numbers(out, v->number, v->n);
  else if (v->kind == CASE_SERIES) write_series(out, v);
  else write_wave(out, v->context, v->n, v->over_time);
  fputs(", ", out);
}

static void write_values(FILE *out, const char *what, const case_value *v, int n) {
  if (n == 0) return;
  fprintf(out, "  %s = {\n", what);
  for (int i = 0; i < n; i++) fputs("    ", out), write_value(out, &v[i]), fputc('\n', out);
  fputs("  },\n", out);
}

/* ---- meshes ------------------------------------------------------------------------------------------------------ */

static void write_periodic(FILE *out, bool x, bool y, bool z) {
  if (x || y || z) fprintf(out, ", periodic = \"%s%s%s\"", x ? "x" : "", y ? "y" : "", z ? "z" : "");
}

static void write_orders(FILE *out, const verify_way *w) {
  if (!w) return;
  fprintf(out, ", order = \"%s\", faces = \"%s\", nodes = \"%s\"", mesh_cell_order_name(w->cells),
          mesh_face_order_name(w->faces), mesh_cell_order_name(w->nodes));
}

static void write_rectangle(FILE *out, const mesh_rectangle_options *o) {
  fprintf(out, "mesh.rectangle { x = {0, %.17g}, y = {0, %.17g}, nx = %d, ny = %d, jitter = %.17g", o->x1,
          o->y1, o->nx, o->ny, o->jitter);
  fprintf(out, ", cells = \"%s\", pattern = \"%s\"", o->kind == MESH_BLOCKS ? "quads" : "triangles",
          o->diagonal == MESH_DIAGONAL_RIGHT ? "right" : "alternating");
  write_periodic(out, o->periodic_x, o->periodic_y, false);
}

static void write_box(FILE *out, const mesh_box_options *o) {
  fprintf(
      out,
      "mesh.box { x = {0, %.17g}, y = {0, %.17g}, z = {0, %.17g}, nx = %d, ny = %d, nz = %d, jitter = %.17g",
      o->x1, o->y1, o->z1, o->nx, o->ny, o->nz, o->jitter);
  fprintf(out, ", cells = \"%s\"", o->kind == MESH_BLOCKS ? "hexahedra" : "tetrahedra");
  write_periodic(out, o->periodic_x, o->periodic_y, o->periodic_z);
}

static void write_grid(FILE *out, const grid_options *g) {
  fputs("mesh.grid { ", out);
  for (int a = 0; a < g->dim; a++) {
    fprintf(out, "%s%c = {", a ? ", " : "", "xyz"[a]);
    for (int i = 0; i <= g->axis[a].n; i++) fprintf(out, "%s%.17g", i ? ", " : "", g->axis[a].face[i]);
    fputc('}', out);
    if (g->axis[a].n == 1)
      fprintf(out, ", n%c = 1", "xyz"[a]); /* two numbers alone are from where to where */
  }
  for (int b = 0; b < g->n_solids; b++) {
    fprintf(out, "%s{ name = ", b ? ", " : ",\n    solids = { ");
    lua_quote(out, g->solid[b].name);
    for (int a = 0; a < g->dim; a++)
      fprintf(out, ", %c = {%.17g, %.17g}", "xyz"[a], g -> solid[b].low[a], g->solid[b].high[a]);
    fputs(b + 1 == g->n_solids ? " } }" : " }", out);
  }
  write_periodic(out, g->axis[0].periodic, g->axis[1].periodic, g->axis[2].periodic);
}

static void write_mesh(FILE *out, const ew_case *c, const verify_way *way) {
  fputs("  mesh = ", out);
  if (c->mesh.kind == CASE_MESH_GRID) write_grid(out, &c->mesh.grid);
  else if (c->mesh.kind == CASE_MESH_RECTANGLE) write_rectangle(out, &c->mesh.rectangle);
  else if (c->mesh.kind == CASE_MESH_BOX) write_box(out, &c->mesh.box);
  else fputs("mesh.gmsh { file = \"mesh.msh\"", out);
  if (c->mesh.kind != CASE_MESH_GRID) {
    write_orders(out, way);
    fprintf(out, ", seed = %llu", (unsigned long long)c->mesh.seed); /* of jitter and orders */
  }
  fputs(" },\n", out);
}

/* ---- the whole --------------------------------------------------------------------------------------------------- */

static void write_boundary(FILE *out, const ew_case *c) {
  if (c->n_boundaries == 0) return;
  fputs("  boundary = {\n", out);
  for (int b = 0; b < c->n_boundaries; b++) {
    fputs("    { ", out);
    lua_quote(out, c->boundary[b].name[0]);
    fprintf(out, ", \"%s\", ", c->boundary[b].rule);
    for (int i = 0; i < c->boundary[b].n_arguments; i++) write_value(out, &c->boundary[b].argument[i]);
    fputs("},\n", out);
  }
  fputs("  },\n", out);
}

static void write_names(FILE *out, const char *what, const char *const *name, int n) {
  if (n == 0) return;
  fprintf(out, ", %s = {", what);
  for (int i = 0; i < n; i++) {
    if (i) fputs(", ", out);
    lua_quote(out, name[i]);
  }
  fputc('}', out);
}

ew_status verify_write_case(const ew_case *c, const char *scheme, const verify_way *way, FILE *out,
                            ew_error *err) {
  const char *slash = strrchr(c->build.scheme, '/');
  if (!scheme) scheme = slash ? slash + 1 : c->build.scheme;
  fputs("return case {\n  scheme = ", out);
  lua_quote(out, scheme);
  fputs(",\n", out);
  if (way && way->n) {
    fputs("  schedule = {", out);
    for (int i = 0; i < way->n; i++)
      fprintf(out, "%s[\"%s\"] = \"%s\"", i ? ", " : " ", way->set[i].name, way->set[i].value);
    fputs(" },\n", out);
  }
  if (c->build.n_variants) {
    fputs("  variants = {", out);
    for (int i = 0; i < c->build.n_variants; i++)
      fprintf(out, "%s%s = \"%s\"", i ? ", " : " ", c->build.variant[i].name, c->build.variant[i].value);
    fputs(" },\n", out);
  }
  write_mesh(out, c, way);
  write_values(out, "parameters", c->values.parameter, c->values.n_parameters);
  write_values(out, "initial", c->values.initial, c->values.n_initial);
  write_values(out, "given", c->values.given, c->values.n_givens);
  write_boundary(out, c);
  if (c->solver.tolerance > 0)
    fprintf(out, "  solver = { tolerance = %g, iterations = %d },\n", c->solver.tolerance,
            c->solver.iterations);
  fprintf(out, "  time = { steps = %lld },\n  output = { folder = \"out\", vtu = false",
          (long long)c->time.max_steps);
  write_names(out, "fields", c->output.field, c->output.n_fields);
  write_names(out, "history", c->output.history, c->output.n_history);
  fputs(" },\n}\n", out);
  return ferror(out) ? ew_fail(err, EW_IO, "cannot write the case") : EW_OK;
}
