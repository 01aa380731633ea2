#include <math.h>
#include <stdio.h>
#include <string.h>

#include "lua/host.h"
#include "lua/reader.h"

/* One axis of a generated mesh: {from, to} with n blocks, or all grid lines. */
typedef struct axis_target {
  const char *name, *count; /* "x", "nx" */
  double *from, *to;
  int32_t *n;
  const double **lines;
} axis_target;

static void read_axis(reader *r, int index, const site *at, const axis_target *axis) {
  const double *x = NULL;
  int n = 0, blocks = 0;
  read_numbers(r, index, axis->name, &x, &n);
  read_int(r, index, axis->count, &blocks);
  site here = site_key(at, axis->name);
  if (n == 0) return; /* reported by the schema */
  *axis->from = x[0];
  *axis->to = x[n - 1];
  *axis->n = blocks ? blocks : n - 1;
  if (n > 2) *axis->lines = x;
  if (n == 2 && !blocks && !r->quiet)
    problems_add(r->p, at->file, site_line(r->L, &here), "%s = {from, to} needs %s, the number of blocks",
                 axis->name, axis->count);
  if (n > 2 && blocks && blocks != n - 1)
    problems_add(r->p, at->file, site_line(r->L, &here),
                 "%s has %d grid lines, which make %d blocks; %s says %d", axis->name, n, n - 1, axis->count,
                 blocks);
}

static void read_seed(reader *r, int index, uint64_t *seed) {
  double x = 0;
  read_number(r, index, "seed", &x);
  *seed = (uint64_t)x;
}

static bool has_letter(const char *word, char letter) { return word && strchr(word, letter); }

static void read_jitter(reader *r, int index, const site *at, double *jitter) {
  read_number(r, index, "jitter", jitter);
  if (*jitter >= 0 && *jitter <= 0.45) return;
  site here = site_key(at, "jitter");
  problems_add(r->p, at->file, site_line(r->L, &here), "jitter must lie between 0 and 0.45; found %g",
               *jitter);
  *jitter = 0;
}

static void read_rectangle(reader *r, int index, const site *at) {
  mesh_rectangle_options *m = &r->c->mesh.rectangle;
  const char *cells = NULL, *pattern = NULL, *periodic = NULL;
  r->c->mesh.kind = CASE_MESH_RECTANGLE;
  read_axis(r, index, at, &(axis_target){"x", "nx", &m->x0, &m->x1, &m->nx, &m->xs});
  read_axis(r, index, at, &(axis_target){"y", "ny", &m->y0, &m->y1, &m->ny, &m->ys});
  read_text(r, index, "cells", &cells);
  read_text(r, index, "pattern", &pattern);
  read_text(r, index, "periodic", &periodic);
  read_jitter(r, index, at, &m->jitter);
  read_seed(r, index, &m->seed);
  m->kind = cells && strcmp(cells, "quads") == 0 ? MESH_BLOCKS : MESH_SIMPLICES;
  m->diagonal =
      pattern && strcmp(pattern, "alternating") == 0 ? MESH_DIAGONAL_ALTERNATING : MESH_DIAGONAL_RIGHT;
  m->periodic_x = has_letter(periodic, 'x');
  m->periodic_y = has_letter(periodic, 'y');
}

static void read_box(reader *r, int index, const site *at) {
  mesh_box_options *m = &r->c->mesh.box;
  const char *cells = NULL, *periodic = NULL;
  r->c->mesh.kind = CASE_MESH_BOX;
  read_axis(r, index, at, &(axis_target){"x", "nx", &m->x0, &m->x1, &m->nx, &m->xs});
  read_axis(r, index, at, &(axis_target){"y", "ny", &m->y0, &m->y1, &m->ny, &m->ys});
  read_axis(r, index, at, &(axis_target){"z", "nz", &m->z0, &m->z1, &m->nz, &m->zs});
  read_text(r, index, "cells", &cells);
  read_text(r, index, "periodic", &periodic);
  read_jitter(r, index, at, &m->jitter);
  read_seed(r, index, &m->seed);
  m->kind = cells && strcmp(cells, "hexahedra") == 0 ? MESH_BLOCKS : MESH_SIMPLICES;
  m->periodic_x = has_letter(periodic, 'x');
  m->periodic_y = has_letter(periodic, 'y');
  m->periodic_z = has_letter(periodic, 'z');
}

/* ---- gmsh ---------------------------------------------------------------------------------------------------------------------- */

static void add_number(reader *r, const char *name, const char *value, const site *at) {
  case_mesh *m = &r->c->mesh;
  case_where where = reader_where(r, at);
  case_setting *s = reader_append(r, &m->number, &m->n_numbers, sizeof *s);
  *s = (case_setting){name, value, where};
}

static bool has_number(const case_mesh *m, const char *name) {
  for (int i = 0; i < m->n_numbers; i++)
    if (strcmp(m->number[i].name, name) == 0) return true;
  return false;
}

static void visit_number(reader *r, const char *key, const site *at, void *unused) {
  (void)unused;
  if (lua_type(r->L, -1) != LUA_TNUMBER) {
    problems_add(r->p, at->file, site_line(r->L, at), "numbers: '%s' must be a number; found %s", key,
                 host_describe(r->L, -1));
    return;
  }
  if (!isfinite(lua_tonumber(r->L, -1))) {
    problems_add(r->p, at->file, site_line(r->L, at), "numbers: '%s' must be finite", key);
    return;
  }
  lua_pushstring(r->L, key);
  const char *name = reader_text(r, -1);
  lua_pushfstring(r->L, "%f", lua_tonumber(r->L, -2));
  add_number(r, name, reader_text(r, -1), at);
  lua_pop(r->L, 2);
}

/* Entry i of the list on the top: {"left", "right"}. */
static void read_partners(reader *r, int i, const site *at) {
  lua_State *L = r->L;
  case_mesh *m = &r->c->mesh;
  const char *name[2] = {NULL, NULL};
  lua_rawgeti(L, -1, i);
  for (int k = 0; k < 2 && lua_istable(L, -1); k++) {
    if (lua_rawgeti(L, -1, k + 1) == LUA_TSTRING) name[k] = reader_text(r, -1);
    lua_pop(L, 1);
  }
  lua_pop(L, 1);
  if (!name[0] || !name[1]) {
    problems_add(r->p, at->file, site_line(L, at),
                 "periodic lists pairs of boundary names: { {\"left\", \"right\"} }");
    return;
  }
  case_where where = reader_where(r, at);
  case_periodic *p = reader_append(r, &m->periodic, &m->n_periodic, sizeof *p);
  *p = (case_periodic){name[0], name[1], where};
}

static void read_gmsh(reader *r, int index, const site *at) {
  lua_State *L = r->L;
  const char *file = NULL, *recipe = NULL;
  read_text(r, index, "file", &file);
  read_text(r, index, "recipe", &recipe);
  if (!file == !recipe) {
    problems_add(r->p, at->file, at->line, "mesh.gmsh needs either 'file' (.msh) or 'recipe' (.geo)%s",
                 file ? ", not both" : "");
    return;
  }
  r->c->mesh.kind = file ? CASE_MESH_FILE : CASE_MESH_RECIPE;
  r->c->mesh.path = file ? file : recipe;
  read_seed(r, index, &r->c->mesh.seed);
  site numbers = site_key(at, "numbers"), size = site_key(at, "size"), periodic = site_key(at, "periodic");
  if (read_push(r, index, "numbers")) reader_each(r, -1, &numbers, visit_number, NULL);
  lua_pop(L, 1);
  const bool has_size = has_number(&r->c->mesh, "size");
  if (read_push(r, index, "size")) {
    visit_number(r, "size", &size, NULL);
    if (has_size)
      problems_add(r->p, at->file, site_line(L, &size),
                   "the recipe's number 'size' is given twice: by 'size', and under 'numbers'");
  }
  lua_pop(L, 1);
  if (r->c->mesh.n_numbers && file)
    problems_add(r->p, at->file, at->line,
                 "'size' and 'numbers' are for recipes (.geo); this mesh is read from a file");
  if (read_push(r, index, "periodic"))
    for (int i = 1, n = (int)lua_rawlen(L, -1); i <= n; i++) {
      site here = site_item(&periodic, i);
      read_partners(r, i, &here);
    }
  lua_pop(L, 1);
}

void read_mesh(reader *r, int index) {
  static const struct {
    const schema *schema;
    void (*read)(reader *r, int index, const site *at);
  } KIND[] = {{&SCHEMA_RECTANGLE, read_rectangle},
              {&SCHEMA_BOX, read_box},
              {&SCHEMA_GMSH, read_gmsh},
              {&SCHEMA_GRID, read_grid}};
  site at;
  index = lua_absindex(r->L, index);
  const char *mark = schema_mark_of(r->L, index, &at), *cells = NULL, *faces = NULL, *nodes = NULL;
  for (size_t i = 0; i < sizeof KIND / sizeof *KIND; i++) {
    if (strcmp(KIND[i].schema->name, mark) != 0) continue;
    size_t before = r->p->n;
    schema_check(r->L, index, KIND[i].schema, &at, r->p);
    r->quiet = r->p->n > before; /* what is absent may only have been misspelt */
    KIND[i].read(r, index, &at);
    if (r->p->n > before) r->c->mesh.kind = CASE_MESH_NONE; /* nothing below may build half a mesh */
  }
  read_text(r, index, "order", &cells);
  read_text(r, index, "faces", &faces);
  if (cells) mesh_cell_order_parse(cells, &r->c->mesh.cells);
  read_text(r, index, "nodes", &nodes);
  if (nodes) mesh_cell_order_parse(nodes, &r->c->mesh.nodes);
  if (faces) mesh_face_order_parse(faces, &r->c->mesh.faces);
  if (r->c->mesh.kind == CASE_MESH_RECTANGLE) r->c->mesh.seed = r->c->mesh.rectangle.seed;
  if (r->c->mesh.kind == CASE_MESH_BOX) r->c->mesh.seed = r->c->mesh.box.seed;
  r->c->mesh.at = reader_where(r, &at);
}
