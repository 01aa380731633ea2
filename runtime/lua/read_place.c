/* Values by place: depths below a level, numbers by groups of the mesh file, numbers by polygons. */
#include <math.h>
#include <string.h>

#include "lua/host.h"
#include "lua/reader.h"

/* ---- level(eta, "z") ------------------------------------------------------------------------------------------------------ */

bool read_level(reader *r, int index, const char *owner, const site *at, case_value *out) {
  lua_State *L = r->L;
  case_value *eta = reader_alloc(r, sizeof *eta);
  lua_rawgeti(L, index, 2);
  out->bed = reader_text(r, -1);
  lua_rawgeti(L, index, 1);
  bool good = read_value(r, -1, owner, at, eta);
  lua_pop(L, 2);
  eta->name = "level";
  out->kind = CASE_LEVEL, out->n = 1, out->part = eta;
  out->over_time = eta->over_time;
  return good;
}

/* ---- mesh_data { "depth", fill = 0, step = 2 } ---------------------------------------------------------------------------- */

bool read_mesh_data(reader *r, int index, case_value *out) {
  lua_State *L = r->L;
  mesh_data_name *data = reader_alloc(r, sizeof *data);
  lua_rawgeti(L, index, 1);
  data->name = reader_text(r, -1);
  out->fill = read_push(r, index, "fill") ? CASE_FILL_NUMBER : CASE_FILL_NONE;
  out->number[0] = lua_tonumber(L, -1);
  data->has_step = read_push(r, index, "step");
  data->step = (int)lua_tointeger(L, -1);
  lua_pop(L, 3);
  out->kind = CASE_DATA, out->data = data;
  return true;
}

/* ---- numbers by place ------------------------------------------------------------------------------------------------------- */

static bool bad_piece(reader *r, const char *owner, const site *at, const char *expected) {
  problems_add(r->p, at->file, site_line(r->L, at), "%s: %s", owner, expected);
  return false;
}

/* A finite number on the top of the stack. */
static bool is_number(lua_State *L) {
  return lua_type(L, -1) == LUA_TNUMBER && isfinite(lua_tonumber(L, -1));
}

typedef struct pieces {
  case_value *to;
  case_piece *piece;
  bool good;
} pieces;

static void visit_region(reader *r, const char *key, const site *at, void *context) {
  pieces *p = context;
  (void)at;
  p->good = p->good && is_number(r->L);
  double number = lua_tonumber(r->L, -1);
  if (strcmp(key, "otherwise") == 0) {
    p->to->otherwise = true, p->to->number[0] = number;
    return;
  }
  lua_pushstring(r->L, key);
  const char *region = reader_text(r, -1);
  lua_pop(r->L, 1);
  *(case_piece *)reader_append(r, &p->piece, &p->to->n_pieces, sizeof(case_piece)) =
      (case_piece){.number = number, .region = region};
}

bool read_regions(reader *r, int index, const char *owner, const site *at, case_value *out) {
  pieces p = {.to = out, .good = true};
  out->kind = CASE_PIECES, out->n = 1;
  reader_each(r, index, at, visit_region, &p);
  out->piece = p.piece;
  if (p.good && out->n_pieces > 0) return true;
  return bad_piece(r, owner, at,
                   "by_region names groups of the mesh file's cells and their numbers: by_region { river = "
                   "0.03, otherwise = 0.05 }");
}

/* The entry { number, {x, y}, {x, y}, {x, y}, ... } on the top of the stack. */
static bool read_polygon(reader *r, case_piece *p) {
  lua_State *L = r->L;
  int n = lua_istable(L, -1) ? (int)lua_rawlen(L, -1) - 1 : 0;
  if (n < 3) return false;
  lua_rawgeti(L, -1, 1);
  bool good = is_number(L);
  p->number = lua_tonumber(L, -1);
  lua_pop(L, 1);
  double *point = reader_alloc(r, 2 * sizeof *point * (size_t)n);
  for (int i = 0; i < n && good; i++) {
    good = lua_rawgeti(L, -1, i + 2) == LUA_TTABLE && lua_rawlen(L, -1) == 2;
    for (int d = 0; d < 2 && good; d++) {
      lua_rawgeti(L, -1, d + 1);
      good = is_number(L);
      point[2 * (size_t)i + (size_t)d] = lua_tonumber(L, -1);
      lua_pop(L, 1);
    }
    lua_pop(L, 1);
  }
  p->point = point, p->n_points = n;
  return good;
}

/* `otherwise` is the only name there. */
static bool check_names(reader *r, int index, const char *owner, const site *at) {
  lua_State *L = r->L;
  bool good = true;
  for (lua_pushnil(L); lua_next(L, index); lua_pop(L, 1)) {
    const char *name = lua_type(L, -2) == LUA_TSTRING ? lua_tostring(L, -2) : "otherwise";
    if (strcmp(name, "otherwise") == 0) continue;
    problems_add(r->p, at->file, site_line(L, at),
                 "%s: entries of by_polygon have no names, but `otherwise`; found '%s'", owner, name);
    good = false;
  }
  return good;
}

bool read_polygons(reader *r, int index, const char *owner, const site *at, case_value *out) {
  lua_State *L = r->L;
  case_piece *all = NULL;
  bool good = true;
  int n = (int)lua_rawlen(L, index);
  if (!check_names(r, index, owner, at)) return false;
  out->kind = CASE_PIECES, out->n = 1;
  for (int i = 1; i <= n && good; i++) {
    case_piece p = {0};
    lua_rawgeti(L, index, i);
    good = read_polygon(r, &p);
    lua_pop(L, 1);
    *(case_piece *)reader_append(r, &all, &out->n_pieces, sizeof p) = p;
  }
  out->piece = all;
  out->otherwise = read_push(r, index, "otherwise");
  good = good && n > 0 && (!out->otherwise || is_number(L));
  out->number[0] = lua_tonumber(L, -1);
  lua_pop(L, 1);
  if (good) return true;
  return bad_piece(r, owner, at,
                   "by_polygon lists numbers and the corners of their polygons: by_polygon { { 0.03, {x, y}, "
                   "{x, y}, {x, y} }, "
                   "otherwise = 0.05 }");
}
