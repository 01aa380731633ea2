#include "case/sample.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "run/run.h"
#include "mesh/build.h"
#include "mesh/inside.h"
#include "mesh/raster.h"

struct exec_sampler {
  const case_value *value;
  int components;
  raster *grid;
  exec_sampler *level, *bed;   /* of a depth */
  const char *bounds;          /* that hold, NULL: none */
  const char *rule, *boundary; /* whose they are; NULL: a given's, of this scheme */
  const char *scheme;
  const char *region; /* of the point, NULL: unknown; "": in no group */
  const mesh *mesh;   /* NULL: the point is no entity of a mesh */
  mesh_entity entity;
  const mesh_data *data;
  double at, now[DSLC_MOST_COMPONENTS]; /* of a series: its values at the time asked for last */
  bool asked;
  char where[512];
  uint64_t told, hash; /* numbers given so far; their exec_hash_number */
  double low, high;
};

const char *exec_where(case_where at, char *text, size_t size) {
  *text = '\0';
  if (at.file && at.line > 0) snprintf(text, size, "%s:%d: ", at.file, at.line);
  else if (at.file) snprintf(text, size, "%s: ", at.file);
  return text;
}

int exec_value_components(const case_value *v, int wanted) {
  /* one that was misread is nan, and has been told */
  bool zero = v->kind == CASE_NUMBERS && v->n == 1 && (v->number[0] == 0 || isnan(v->number[0]));
  const bool any =
      v->kind == CASE_FUNCTION || v->kind == CASE_SECTION || v->kind == CASE_DATA; /* data: the mesh knows */
  if (any || zero) return wanted;
  return v->kind == CASE_RASTER || v->kind == CASE_LEVEL || v->kind == CASE_PIECES ? 1 : v->n;
}

int exec_case_components(const dslc_field *f, int dim) { return f->flux ? dim : f->components; }

static ew_status check_components(const exec_sampler *s, ew_error *err) {
  const case_value *v = s->value;
  int have = exec_value_components(v, s->components);
  if (have == s->components) return EW_OK;
  return ew_fail(err, EW_INPUT, "%s'%s' has %d component%s here, the scheme expects %d", s->where, v->name,
                 have, have == 1 ? "" : "s", s->components);
}

static const case_value *find_value(const case_value *v, int n, const char *name) {
  for (int i = 0; i < n; i++)
    if (strcmp(v[i].name, name) == 0) return &v[i];
  return NULL;
}

/* A depth needs the bed that the case gives. */
static ew_status open_level(const ew_case *c, exec_sampler *s, ew_error *err) {
  ew_status status = EW_OK;
  const case_value *v = s->value, *bed = find_value(c->values.given, c->values.n_givens, v->bed);
  if (!bed) bed = find_value(c->values.initial, c->values.n_initial, v->bed);
  if (!bed)
    return ew_fail(
        err, EW_INPUT,
        "%s'%s' is a depth over '%s', which the case does not give; level(eta, \"name\") names another bed",
        s->where, v->name, v->bed);
  if (bed->kind == CASE_LEVEL)
    return ew_fail(err, EW_INPUT, "%s'%s': the bed '%s' is a level itself", s->where, v->name, v->bed);
  EW_CHECK(exec_sampler_create(c, v->part, 1, &s->level, err));
  EW_CHECK(exec_sampler_create(c, bed, 1, &s->bed, err));
cleanup:
  return status;
}

ew_status exec_sampler_create(const ew_case *c, const case_value *value, int components, exec_sampler **out,
                              ew_error *err) {
  ew_status status = EW_OK;
  exec_sampler *s = calloc(1, sizeof *s);
  if (!s) return ew_fail(err, EW_FAIL, "out of memory for the value of '%s'", value->name);
  s->value = value;
  s->hash = EXEC_HASH_BEGIN;
  s->components = components;
  exec_where(value->at, s->where, sizeof s->where);
  EW_CHECK(check_components(s, err));
  if (value->kind == CASE_LEVEL) EW_CHECK(open_level(c, s, err));
  if (value->kind == CASE_RASTER) {
    char path[EW_PATH];
    exec_find_file(c, value->path, false, path, sizeof path);
    status = raster_read(path, &s->grid, err);
    if (status != EW_OK) ew_context(err, "%sthe raster of '%s'", s->where, value->name);
  }
cleanup:
  if (status != EW_OK) exec_sampler_destroy(&s);
  *out = s;
  return status;
}

void exec_sampler_destroy(exec_sampler **s) {
  if (!s || !*s) return;
  raster_destroy(&(*s)->grid);
  exec_sampler_destroy(&(*s)->level);
  exec_sampler_destroy(&(*s)->bed);
  free(*s);
  *s = NULL;
}

static ew_status sample_raster(const exec_sampler *s, int dim, const double *x, double *out, ew_error *err) {
  const bool number = s->value->fill == CASE_FILL_NUMBER;
  if (s->value->fill != CASE_FILL_NONE &&
      raster_sample_filled(s->grid, x[0], x[1], number ? s->value->number : NULL, out))
    return EW_OK;
  raster_hit hit = raster_sample(s->grid, x[0], x[1], out);
  if (hit == RASTER_OK) return EW_OK;
  char point[96];
  mesh_point_text(dim, x, point);
  raster_bounds b = raster_get_bounds(s->grid);
  if (hit == RASTER_HOLE)
    return ew_fail(
        err, EW_INPUT,
        "%s'%s': the raster %s has no data at %s; raster { \"%s\", fill = \"nearest\" } takes what "
        "is nearest, fill = 0 a number",
        s->where, s->value->name, s->value->path, point, s->value->path);
  return ew_fail(
      err, EW_INPUT,
      "%s'%s': the raster %s covers x from %.10g to %.10g and y from %.10g to %.10g; the mesh needs it at %s",
      s->where, s->value->name, s->value->path, b.x0, b.x1, b.y0, b.y1, point);
}

/* ---- numbers by place ------------------------------------------------------------------------------------------------- */

static const char *region_of(const mesh *m, cell_id cell) {
  const char *region = "";
  for (int i = 0; i < m->n_regions; i++)
    if (m->region[i].tag == m->cell_region[cell]) region = m->region[i].name;
  return region;
}

/* At a boundary the group of the cell inside; between two cells, or at a seam, the one that both are in. NULL: they are in two. */
static const char *region_beside(const mesh *m, face_id f) {
  const char *region = region_of(m, m->face_left[f]);
  const cell_id other = f < m->n_interior ? m->face_right[f] : m->ghost_source[f - m->n_interior];
  return other < 0 || strcmp(region, region_of(m, other)) == 0 ? region : NULL;
}

void exec_sampler_at(exec_sampler *s, const mesh *m, mesh_place place, int32_t entity) {
  s->mesh = m, s->entity = (mesh_entity){place, entity};
  s->region = place == MESH_IN_CELLS   ? region_of(m, entity)
              : place == MESH_AT_FACES ? region_beside(m, entity)
                                       : NULL;
  if (s->level) exec_sampler_at(s->level, m, place, entity);
  if (s->bed) exec_sampler_at(s->bed, m, place, entity);
}

/* What rounding makes of coordinates as large as the polygon's and the point's. */
static double polygon_slack(const case_piece *p, const double *x) {
  double far = fmax(fabs(x[0]), fabs(x[1]));
  for (int i = 0; i < 2 * p->n_points; i++) far = fmax(far, fabs(p->point[i]));
  return 4 * DBL_EPSILON * far;
}

/* Crossings of a ray to the right; what lies on a side, to rounding, is in the polygon. */
static bool holds(const case_piece *p, const double *x) {
  const double slack = polygon_slack(p, x);
  bool inside = false;
  for (int i = 0, j = p->n_points - 1; i < p->n_points; j = i++) {
    const double *a = p->point + 2 * (size_t)i, *b = p->point + 2 * (size_t)j;
    if (mesh_square_to_edge(2, a, b, x) <= slack * slack) return true;
    if ((a[1] > x[1]) != (b[1] > x[1]) && x[0] < a[0] + (b[0] - a[0]) * (x[1] - a[1]) / (b[1] - a[1]))
      inside = !inside;
  }
  return inside;
}

static ew_status sample_pieces(const exec_sampler *s, int dim, const double *x, double *out, ew_error *err) {
  const case_value *v = s->value;
  char point[96];
  mesh_point_text(dim, x, point);
  for (int i = 0; i < v->n_pieces; i++) {
    const case_piece *p = &v->piece[i];
    if (p->region && !s->region)
      return ew_fail(
          err, EW_INPUT, "%s'%s' is given by the groups of the mesh's cells, but asked for %s, at %s",
          s->where, v->name,
          s->mesh && s->entity.place == MESH_AT_FACES ? "between two of them" : "elsewhere", point);
    if (p->region ? strcmp(p->region, s->region) == 0 : holds(p, x)) return *out = p->number, EW_OK;
  }
  if (v->otherwise) return *out = v->number[0], EW_OK;
  return ew_fail(err, EW_INPUT,
                 "%s'%s' has no value at %s, which lies in none of its %s; say `otherwise = ...`", s->where,
                 v->name, point, v->n_pieces && v->piece[0].region ? "groups" : "polygons");
}

/* The data that is meant, found once; its components can be held against the scheme's only now. */
static ew_status find_data(exec_sampler *s, ew_error *err) {
  const case_value *v = s->value;
  if (s->data) return EW_OK;
  if (!s->mesh)
    return ew_fail(err, EW_INPUT, "%s'%s': mesh_data \"%s\" needs a mesh from a file (mesh.gmsh)", s->where,
                   v->name, v->data->name);
  ew_status status = mesh_data_find(s->mesh, v->data, &s->data, err);
  if (status != EW_OK) return ew_context(err, "%s'%s'", s->where, v->name);
  const int have = mesh_data_components(s->mesh, s->data);
  if (have == s->components) return EW_OK;
  return ew_fail(err, EW_INPUT, "%s'%s': the mesh's data \"%s\" has %d component%s, the scheme expects %d",
                 s->where, v->name, v->data->name, have, have == 1 ? "" : "s", s->components);
}

static ew_status no_data(const exec_sampler *s, int dim, const double *x, int32_t missing, ew_error *err) {
  const mesh_data *d = s->data;
  const char *name = s->value->data->name;
  char point[96], corner[128] = "", at[96];
  mesh_point_text(dim, x, point);
  mesh_point_text(dim, s->mesh->node_x + (size_t)dim * (size_t)missing * (size_t)d->at_nodes, at);
  if (d->at_nodes && s->entity.place != MESH_AT_NODES)
    snprintf(corner, sizeof corner, " at %s, a corner of the %s", at,
             s->entity.place == MESH_IN_CELLS ? "cell" : "face");
  return ew_fail(err, EW_INPUT,
                 "%s'%s': the mesh file has no \"%s\" for %s %lld%s at %s; mesh_data { \"%s\", fill = 0 } "
                 "takes a number there",
                 s->where, s->value->name, name, d->at_nodes ? "node" : "element", (long long)d->tag[missing],
                 corner, point, name);
}

static ew_status sample_data(exec_sampler *s, int dim, const double *x, double *out, ew_error *err) {
  int32_t missing;
  ew_status status = find_data(s, err);
  if (status != EW_OK) return status;
  status = mesh_data_take(s->mesh, s->data, s->entity, out, &missing, err);
  if (status != EW_OK) return ew_context(err, "%s'%s'", s->where, s->value->name);
  if (missing < 0) return EW_OK;
  if (s->value->fill == CASE_FILL_NONE) return no_data(s, dim, x, missing, err);
  for (int k = 0; k < s->components; k++) out[k] = s->value->number[0];
  return EW_OK;
}

static ew_status sample_level(const exec_sampler *s, int dim, const double *x, double t, double *out,
                              ew_error *err) {
  ew_status status = EW_OK;
  double eta, z;
  EW_CHECK(exec_sample(s->level, dim, x, t, &eta, err));
  EW_CHECK(exec_sample(s->bed, dim, x, t, &z, err));
  *out = fmax(eta - z, 0);
cleanup:
  return status;
}

/* ---- series ------------------------------------------------------------------------------------------------------------ */

/* Entries at or before t. */
static int entries_before(const case_value *v, double t) {
  int low = 0, high = v->n_times;
  while (low < high) {
    int middle = low + (high - low) / 2;
    if (v->time[middle] <= t) low = middle + 1;
    else high = middle;
  }
  return low;
}

static void interpolate(const case_value *v, double t, double *out) {
  int n = v->n_times, i = entries_before(v, t);
  const double *before = v->series + (size_t)(i > 0 ? i - 1 : 0) * (size_t)v->n;
  const double *after = v->series + (size_t)(i < n ? i : n - 1) * (size_t)v->n;
  double part = i > 0 && i < n ? (t - v->time[i - 1]) / (v->time[i] - v->time[i - 1]) : 0;
  for (int d = 0; d < v->n; d++) out[d] = before[d] + part * (after[d] - before[d]);
}

/* The same at all points. */
static void sample_series(exec_sampler *s, double t, double *out) {
  if (!s->asked || s->at != t) interpolate(s->value, t, s->now);
  s->asked = true;
  s->at = t;
  memcpy(out, s->now, (size_t)s->value->n * sizeof *out);
}

static ew_status check_finite(const exec_sampler *s, int dim, const double *x, double t, const double *out,
                              ew_error *err) {
  for (int d = 0; d < s->components; d++) {
    if (isfinite(out[d])) continue;
    char point[96];
    mesh_point_text(dim, x, point);
    return ew_fail(err, EW_INPUT, "%s'%s' is %g at %s, t = %.6g s: a finite number is expected", s->where,
                   s->value->name, out[d], point, t);
  }
  return EW_OK;
}

void exec_sampler_bound(exec_sampler *s, const char *rule, const char *boundary, const dslc_argument *a) {
  s->bounds = a->bounds, s->rule = rule, s->boundary = boundary;
}

void exec_sampler_bound_field(exec_sampler *s, const char *scheme, const dslc_field *f) {
  s->bounds = f->bounds, s->rule = s->boundary = NULL, s->scheme = scheme;
}

/* "(0.5, 0.5)", with the entity where it is known: "(0.5, 0.5), cell 12". */
static void print_entity(const exec_sampler *s, int dim, const double *x, char *text, size_t size) {
  static const char *const of[] = {
      [MESH_AT_NODES] = "node", [MESH_AT_FACES] = "face", [MESH_IN_CELLS] = "cell", [MESH_AT_EDGES] = "edge"};
  char point[96];
  mesh_point_text(dim, x, point);
  if (s->mesh) snprintf(text, size, "%s, %s %d", point, of[s->entity.place], (int)s->entity.at);
  else snprintf(text, size, "%s", point);
}

static ew_status check_bounds(const exec_sampler *s, int dim, const double *x, double t, double value,
                              ew_error *err) {
  char point[128];
  if (!s->bounds || dslc_within(s->bounds, value)) return EW_OK;
  if (!s->rule) {
    print_entity(s, dim, x, point, sizeof point);
    return ew_fail(err, EW_INPUT, "%s'%s' is %.6g at %s, t = %.6g s: scheme '%s' needs %s %s", s->where,
                   s->value->name, value, point, t, s->scheme, s->value->name, s->bounds);
  }
  mesh_point_text(dim, x, point);
  return ew_fail(err, EW_INPUT, "%s'%s' is %.6g at %s, t = %.6g s: rule '%s' on \"%s\" needs %s %s", s->where,
                 s->value->name, value, point, t, s->rule, s->boundary, s->value->name, s->bounds);
}

uint64_t exec_hash_number(uint64_t hash, double value) {
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  hash = (hash ^ bits) * 0x100000001b3ULL;
  return hash ^ hash >> 29; /* the product alone never brings high bits down */
}

static void remember(exec_sampler *s, const double *value) {
  for (int d = 0; d < s->components; d++) {
    s->hash = exec_hash_number(s->hash, value[d]);
    if (s->told++ == 0) s->low = s->high = value[d];
    if (value[d] < s->low) s->low = value[d];
    if (value[d] > s->high) s->high = value[d];
  }
}

void exec_number_text(double value, char *text, size_t size) {
  snprintf(text, size, "%.15g", value);
  if (strtod(text, NULL) != value) snprintf(text, size, "%.17g", value);
}

void exec_sampler_tell(const exec_sampler *s, char *text, size_t size) {
  if (s->told == 0) snprintf(text, size, "nowhere");
  else if (s->low == s->high) exec_number_text(s->low, text, size);
  else
    snprintf(text, size, "%llu numbers from %.9g to %.9g (hash %016llx)", (unsigned long long)s->told, s->low,
             s->high, (unsigned long long)s->hash);
}

ew_status exec_sample(exec_sampler *s, int dim, const double *x, double t, double *out, ew_error *err) {
  const case_value *v = s->value;
  ew_status status = EW_OK;
  double at[3] = {
      0}; /* rasters and polygons take a line's y for 0, a function of z finds one on a plane mesh too */
  memcpy(at, x, (size_t)dim * sizeof *at);
  switch (v->kind) {
  case CASE_LEVEL: EW_CHECK(sample_level(s, dim, x, t, out, err)); break;
  case CASE_PIECES: EW_CHECK(sample_pieces(s, dim, at, out, err)); break;
  case CASE_DATA: EW_CHECK(sample_data(s, dim, x, out, err)); break;
  case CASE_SECTION: return ew_fail(err, EW_INTERNAL, "a section was asked for its value at a point");
  case CASE_NUMBERS: memcpy(out, v->number, (size_t)s->components * sizeof *out); break;
  case CASE_SERIES: sample_series(s, t, out); break;
  case CASE_RASTER: EW_CHECK(sample_raster(s, dim, at, out, err)); break;
  case CASE_FUNCTION:
    status = v->function(v->context, at, t, out, s->components, err);
    if (status != EW_OK) return ew_context(err, "%s'%s'", s->where, v->name);
    break;
  }
  status = check_finite(s, dim, x, t, out, err);
  if (status == EW_OK) status = check_bounds(s, dim, x, t, *out, err);
  if (status == EW_OK) remember(s, out);
cleanup:
  return status;
}
