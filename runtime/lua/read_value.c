#include <math.h>
#include <stdio.h>
#include <string.h>

#include "lua/host.h"
#include "lua/keys.h"
#include "lua/reader.h"

enum { MOST_COMPONENTS = DSLC_MOST_COMPONENTS };

/* ---- functions -------------------------------------------------------------------------------------------------------------- */

typedef struct lua_callback {
  lua_host *host;
  int function; /* reference in the registry */
  host_shape shape;
  bool truth; /* it says true or false */
} lua_callback;

static void print_point(const lua_callback *f, const double *x, double t, char *to, size_t room) {
  size_t used = 0;
  *to = '\0'; /* a function of nothing */
  for (int i = 0, d = 0; i < f->shape.n && used < room; i++) {
    bool time = i == f->shape.time_at;
    used += (size_t)snprintf(to + used, room - used, "%s%s%.6g", i ? ", " : "", time ? "t = " : "",
                             time ? t : x[d++]);
  }
}

/* Takes the numbers that start at stack index `first`, given one by one. */
static bool take_results(lua_State *L, int first, int n, double *out) {
  for (int d = 0; d < n; d++) {
    if (lua_type(L, first + d) != LUA_TNUMBER) return false;
    out[d] = lua_tonumber(L, first + d);
  }
  return true;
}

/* The same from a table: {qx, qy}. */
static bool take_table(lua_State *L, int index, int n, double *out) {
  if (!lua_istable(L, index) || keys_list(L, index) != n) return false;
  bool good = true;
  for (int d = 0; d < n; d++) {
    lua_rawgeti(L, index, d + 1);
    good = good && lua_type(L, -1) == LUA_TNUMBER;
    out[d] = lua_tonumber(L, -1);
    lua_pop(L, 1);
  }
  return good;
}

/* Without raising errors: this runs outside of any protected call. */
static void describe_results(lua_State *L, int first, char *to, size_t room) {
  int n = lua_gettop(L) - first + 1;
  if (n == 0) snprintf(to, room, "nothing");
  else if (lua_istable(L, first) && keys_list(L, first) < 0) snprintf(to, room, "a table that is no list");
  else if (lua_istable(L, first)) snprintf(to, room, "a table with %d entries", keys_list(L, first));
  else if (lua_type(L, first) == LUA_TNUMBER) snprintf(to, room, "%d number%s", n, n == 1 ? "" : "s");
  else snprintf(to, room, "%s", lua_isnil(L, first) ? "nil" : luaL_typename(L, first));
}

static ew_status wrong_results(const lua_callback *f, int first, const double *x, double t, int n,
                               ew_error *err) {
  char place[128], point[140] = "", found[64];
  print_point(f, x, t, place, sizeof place);
  if (*place) snprintf(point, sizeof point, " at (%s)", place); /* it may take no parameters */
  describe_results(f->host->L, first, found, sizeof found);
  if (n == 1) return ew_fail(err, EW_INPUT, "the function%s returned %s, expected a number", point, found);
  return ew_fail(err, EW_INPUT, "the function%s returned %s, expected %d numbers or a list of %d", point,
                 found, n, n);
}

static ew_status call_function(void *context, const double *x, double t, double *out, int n, ew_error *err) {
  const lua_callback *f = context;
  lua_State *L = f->host->L;
  int top = lua_gettop(L);
  if (!lua_checkstack(L, HOST_MOST_PARAMETERS + 8)) return ew_fail(err, EW_FAIL, "Lua's stack is full");
  lua_rawgeti(L, LUA_REGISTRYINDEX, f->function);
  for (int i = 0, d = 0; i < f->shape.n; i++) lua_pushnumber(L, i == f->shape.time_at ? t : x[d++]);
  ew_status status = host_call(f->host, f->shape.n, LUA_MULTRET, err);
  if (status == EW_OK) {
    int count = lua_gettop(L) - top;
    bool good =
        (count == n && take_results(L, top + 1, n, out)) || (count == 1 && take_table(L, top + 1, n, out));
    if (f->truth && count == 1 && lua_isboolean(L, top + 1)) *out = lua_toboolean(L, top + 1), good = true;
    if (!good) status = wrong_results(f, top + 1, x, t, n, err);
  }
  lua_settop(L, top);
  return status;
}

static int axes_of(const ew_case *c) {
  return c->mesh.kind == CASE_MESH_RECTANGLE ? 2 : c->mesh.kind == CASE_MESH_GRID ? c->mesh.grid.dim : 3;
}

void read_truth(case_value *v) {
  if (v->kind == CASE_FUNCTION) ((lua_callback *)v->context)->truth = true;
}

/* Takes the function off the stack. */
static bool parameter_astray(reader *r, const host_shape *shape, const char *owner, const site *at) {
  char text[HOST_SHAPE_TEXT];
  lua_pop(r->L, 1);
  problems_add(
      r->p, at->file, site_line(r->L, at),
      "%s: the function's parameter %c would get %c, as coordinates are given in turn, x, y, z; write %s",
      owner, shape->astray, shape->gets, host_shape_text(shape, axes_of(r->c), text));
  return false;
}

/* Whether a mesh from a file has a third coordinate shows only when it is read; that is why z has to be called z. */
bool read_function(reader *r, int index, const char *owner, const site *at, case_value *out) {
  lua_State *L = r->L;
  lua_callback f = {.host = host_of(L)};
  lua_pushvalue(L, index);
  if (!host_read_shape(L, &f.shape)) {
    lua_pop(L, 1);
    problems_add(
        r->p, at->file, site_line(L, at),
        "%s: the function must name its parameters, function(x, y), function(x, y, z) or with t for the time",
        owner);
    return false;
  }
  int axes = axes_of(r->c), coordinates = f.shape.n - (f.shape.time_at >= 0);
  if (f.shape.astray) return parameter_astray(r, &f.shape, owner, at);
  if (coordinates > axes || f.shape.third) {
    lua_pop(L, 1);
    problems_add(r->p, at->file, site_line(L, at), "%s: %s; the time's parameter is called t", owner,
                 coordinates <= axes ? "the function's third coordinate must be called z"
                 : axes == 1         ? "the grid is a line, and the function takes more than one coordinate"
                                     : "the mesh is plane, and the function takes three coordinates");
    return false;
  }
  f.function = luaL_ref(L, LUA_REGISTRYINDEX);
  lua_callback *kept = reader_alloc(r, sizeof *kept);
  *kept = f;
  out->function = call_function;
  out->context = kept;
  out->over_time = f.shape.time_at >= 0;
  out->of_time_alone = out->over_time && coordinates == 0;
  return true;
}

/* ---- series ------------------------------------------------------------------------------------------------------------------ */

/* One row {t, value...} of the list on the top; false if it is none, or its length is not `n`. */
static bool read_row(lua_State *L, int i, int n, double *row) {
  lua_rawgeti(L, -1, i);
  bool good = take_table(L, lua_gettop(L), n, row);
  lua_pop(L, 1);
  return good;
}

/* `times`: of row number `row` - 1 and of `row`, where it is they that do not increase, or NULL. */
static bool bad_series(reader *r, const site *at, const char *owner, int row, const double *times) {
  char where[160] = "";
  if (times && times[1] <= times[0])
    snprintf(where, sizeof where, "; row %d: %g comes behind %g%s", row + 1, times[1], times[0],
             times[1] == times[0] ? " (a jump is two rows close to each other)" : "");
  problems_add(r->p, at->file, site_line(r->L, at),
               "%s: a series lists { {t, value}, ... } with increasing t%s", owner, where);
  return false;
}

static bool read_series(reader *r, int index, const char *owner, const site *at, case_value *out) {
  lua_State *L = r->L;
  lua_pushvalue(L, index);
  int n = (int)lua_rawlen(L, -1), width = 0;
  if (n > 0 && lua_rawgeti(L, -1, 1) == LUA_TTABLE) width = (int)lua_rawlen(L, -1);
  if (n > 0) lua_pop(L, 1);
  bool good = width >= 2 && width <= MOST_COMPONENTS + 1;
  double *time = good ? reader_alloc(r, (size_t)n * sizeof *time) : NULL;
  double *value = good ? reader_alloc(r, (size_t)n * (size_t)width * sizeof *value) : NULL;
  for (int i = 0; i < n && good; i++) {
    double row[MOST_COMPONENTS + 1];
    good = read_row(L, i + 1, width, row) && isfinite(row[0]);
    if (good && i > 0 && row[0] <= time[i - 1]) {
      lua_pop(L, 1);
      return bad_series(r, at, owner, i, (double[2]){time[i - 1], row[0]});
    }
    if (!good) break;
    time[i] = row[0];
    memcpy(value + (size_t)i * (size_t)(width - 1), row + 1, (size_t)(width - 1) * sizeof *value);
  }
  lua_pop(L, 1);
  if (!good) return bad_series(r, at, owner, 0, NULL);
  out->kind = CASE_SERIES, out->n = width - 1, out->n_times = n, out->time = time, out->series = value;
  return true;
}

/* ---- values ------------------------------------------------------------------------------------------------------------------- */

static bool read_components(lua_State *L, int index, case_value *out) {
  int n = (int)lua_rawlen(L, index);
  out->kind = CASE_NUMBERS, out->n = n;
  if (n < 1 || n > MOST_COMPONENTS || !take_table(L, index, n, out->number)) return false;
  for (int d = 0; d < n; d++)
    if (!isfinite(out->number[d])) return false;
  return true;
}

static bool has_file(reader *r, int index) {
  bool has = read_push(r, index, "file");
  lua_pop(r->L, 1);
  return has;
}

/* Of the table at `index`, the one of a constructor or none; others see to their entries when they are called. */
static bool check_entries(reader *r, int index, const char *mark, const site *at) {
  static const struct {
    const char *mark;
    keys_kind kind;
  } OF[] = {{"series", KEYS_LIST}, {"by_region", KEYS_NAMED}, {"by_polygon", KEYS_BOTH}};
  keys_kind kind = mark ? KEYS_FREE : KEYS_LIST;
  for (size_t i = 0; mark && i < sizeof OF / sizeof *OF; i++)
    if (strcmp(mark, OF[i].mark) == 0) kind = OF[i].kind;
  return keys_check(r->L, index, kind, KEYS_LIST, at, r->p);
}

/* "found" in a message: of a list the number that is none, too. */
static const char *describe(lua_State *L, int index, const char *mark, char text[80]) {
  const int n = lua_istable(L, index) && !mark ? (int)lua_rawlen(L, index) : 0;
  snprintf(text, 80, "%.70s", mark ? mark : host_describe(L, index));
  for (int i = 1; i <= n; i++) {
    const bool none = lua_rawgeti(L, index, i) == LUA_TNUMBER && !isfinite(lua_tonumber(L, -1));
    if (none) snprintf(text, 80, "%g in a list", lua_tonumber(L, -1));
    lua_pop(L, 1);
    if (none) break;
  }
  return text;
}

/* One number, or a list of them, all finite. */
static bool take_numbers(lua_State *L, int index, const char *mark, case_value *out) {
  if (lua_type(L, index) != LUA_TNUMBER)
    return !mark && lua_istable(L, index) && read_components(L, index, out);
  out->kind = CASE_NUMBERS, out->n = 1, out->number[0] = lua_tonumber(L, index);
  return isfinite(out->number[0]);
}

bool read_numbers_only(reader *r, int index, const char *owner, const site *at, case_value *out) {
  lua_State *L = r->L;
  index = lua_absindex(L, index);
  const char *mark = schema_mark_of(L, index, NULL);
  char found[80];
  out->at = reader_where(r, at);
  if (!mark && lua_istable(L, index) && !check_entries(r, index, mark, at)) return false;
  if (take_numbers(L, index, mark, out)) return true;
  problems_add(r->p, at->file, site_line(L, at), "%s must be a number or a list of numbers; found %s", owner,
               describe(L, index, mark, found));
  return false;
}

bool read_value(reader *r, int index, const char *owner, const site *at, case_value *out) {
  lua_State *L = r->L;
  index = lua_absindex(L, index);
  const char *mark = schema_mark_of(L, index, NULL);
  out->at = reader_where(r, at);
  if (mark && strcmp(mark, "series") == 0 && has_file(r, index))
    return read_series_file(r, index, owner, at, out);
  if (lua_istable(L, index) && !check_entries(r, index, mark, at)) return false;
  if (mark && strcmp(mark, "raster") == 0) {
    lua_rawgeti(L, index, 1);
    out->kind = CASE_RASTER, out->n = 1, out->path = reader_text(r, -1);
    bool filled = read_push(r, index, "fill"), number = lua_type(L, -1) == LUA_TNUMBER;
    out->fill = !filled ? CASE_FILL_NONE : number ? CASE_FILL_NUMBER : CASE_FILL_NEAREST;
    out->number[0] = lua_tonumber(L, -1);
    lua_pop(L, 2);
    return true;
  }
  if (mark && strcmp(mark, "mesh_data") == 0) return read_mesh_data(r, index, out);
  if (mark && strcmp(mark, "level") == 0) return read_level(r, index, owner, at, out);
  if (mark && strcmp(mark, "by_region") == 0) return read_regions(r, index, owner, at, out);
  if (mark && strcmp(mark, "by_polygon") == 0) return read_polygons(r, index, owner, at, out);
  if (mark && strcmp(mark, "series") == 0) return read_series(r, index, owner, at, out);
  if (lua_isfunction(L, index)) {
    out->kind = CASE_FUNCTION;
    return read_function(r, index, owner, at, out);
  }
  if (take_numbers(L, index, mark, out)) return true;
  char found[80];
  const char *hint = lua_isboolean(L, index) ? ": write 1 or 0" : "";
  problems_add(r->p, at->file, site_line(L, at),
               "%s must be a number, a list of numbers, a function of place, raster \"file\" or series { ... "
               "}; found %s%s",
               owner, describe(L, index, mark, found), hint);
  return false;
}
