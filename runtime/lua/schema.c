#include "lua/schema.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "lua/host.h"
#include "lua/keys.h"
#include "options.h"

/* ---- places --------------------------------------------------------------------------------------------------------------- */

static site site_down(const site *s, scan_step step) {
  site down = *s;
  if (down.depth < SITE_MOST_STEPS) down.step[down.depth++] = step;
  return down;
}

site site_key(const site *s, const char *name) { return site_down(s, (scan_step){.name = name}); }
site site_item(const site *s, int index) { return site_down(s, (scan_step){.index = index}); }

int site_line(lua_State *L, const site *s) {
  const char *text = s->file ? host_text(L, s->file) : NULL;
  int line = text && s->function ? scan_find(text, s->function, s->line, s->step, s->depth) : 0;
  return line ? line : s->line;
}

void schema_mark(lua_State *L, int index, const char *constructor) {
  index = lua_absindex(L, index);
  int line;
  const char *file = host_where(L, 1, &line);
  lua_newtable(L);
  lua_pushstring(L, constructor);
  lua_setfield(L, -2, "edgewise");
  lua_pushstring(L, file);
  lua_setfield(L, -2, "file");
  lua_pushinteger(L, line);
  lua_setfield(L, -2, "line");
  lua_setmetatable(L, index);
}

const char *schema_mark_of(lua_State *L, int index, site *at) {
  /* only tables are marked: all strings share a metatable, which scripts can change */
  if (!lua_istable(L, index) || luaL_getmetafield(L, index, "edgewise") == LUA_TNIL) return NULL;
  const char *constructor = lua_tostring(L, -1); /* kept alive by the metatable */
  lua_pop(L, 1);
  if (!at || !constructor) return constructor;
  *at = (site){0};
  if (luaL_getmetafield(L, index, "file") != LUA_TNIL) {
    at->file = lua_tostring(L, -1);
    lua_pop(L, 1);
  }
  if (luaL_getmetafield(L, index, "line") != LUA_TNIL) {
    at->line = (int)lua_tointeger(L, -1);
    lua_pop(L, 1);
  }
  const char *dot = strrchr(constructor, '.');
  at->function = dot ? dot + 1 : constructor;
  return constructor;
}

/* ---- kinds ---------------------------------------------------------------------------------------------------------------- */

static bool is_number(lua_State *L, int i) {
  return lua_type(L, i) == LUA_TNUMBER && isfinite(lua_tonumber(L, i));
}
static bool is_positive(lua_State *L, int i) { return is_number(L, i) && lua_tonumber(L, i) > 0; }

static bool is_whole(lua_State *L, int i, double least) {
  double x = is_number(L, i) ? lua_tonumber(L, i) : -1;
  return x >= least && x == floor(x) && x < 9e15;
}
static bool is_count(lua_State *L, int i) { return is_whole(L, i, 0); }
static bool is_size(lua_State *L, int i) { return is_whole(L, i, 1); }
static bool is_flag(lua_State *L, int i) { return lua_isboolean(L, i); }
static bool is_text(lua_State *L, int i) { return lua_type(L, i) == LUA_TSTRING; }
static bool is_function(lua_State *L, int i) { return lua_isfunction(L, i); }
static bool is_table(lua_State *L, int i) { return lua_istable(L, i); }
static bool is_any(lua_State *L, int i) { return !lua_isnil(L, i); }

/* A list, all of whose items pass. Its length, or -1. */
static int list_of(lua_State *L, int i, bool (*test)(lua_State *, int)) {
  const int n = lua_istable(L, i) ? keys_list(L, i) : -1;
  bool good = true;
  i = lua_absindex(L, i);
  for (int k = 1; k <= n && good; k++) {
    lua_rawgeti(L, i, k);
    good = test(L, -1);
    lua_pop(L, 1);
  }
  return good ? n : -1;
}

static bool is_numbers(lua_State *L, int i) { return list_of(L, i, is_number) >= 1; }

static bool is_point(lua_State *L, int i) {
  int n = list_of(L, i, is_number);
  return n >= 1 && n <= 3;
}

static bool is_direction(lua_State *L, int i) {
  int n = list_of(L, i, is_number);
  return n == 2 || n == 3;
}

static bool is_increasing(lua_State *L, int i) {
  int n = list_of(L, i, is_number);
  double last = -INFINITY;
  for (int k = 1; k <= n; k++) {
    lua_rawgeti(L, i, k);
    double x = lua_tonumber(L, -1);
    lua_pop(L, 1);
    if (x <= last) return false;
    last = x;
  }
  return n >= 2;
}

static bool is_range(lua_State *L, int i) { return is_increasing(L, i) && lua_rawlen(L, i) == 2; }
static bool is_names(lua_State *L, int i) { return is_text(L, i) || list_of(L, i, is_text) >= 1; }

static bool is_mesh(lua_State *L, int i) {
  const char *mark = schema_mark_of(L, i, NULL);
  return mark && strncmp(mark, "mesh.", 5) == 0;
}

static const struct {
  bool (*test)(lua_State *L, int index);
  const char *expected, *annotation;
  keys_kind entries;
} KIND[] = {
    [KEY_NUMBER] = {is_number, "a number", "number"},
    [KEY_POSITIVE] = {is_positive, "a number > 0", "number"},
    [KEY_COUNT] = {is_count, "a whole number >= 0", "integer"},
    [KEY_SIZE] = {is_size, "a whole number >= 1", "integer"},
    [KEY_FLAG] = {is_flag, "true or false", "boolean"},
    [KEY_TEXT] = {is_text, "a string", "string"},
    [KEY_CHOICE] = {is_text, "a string", "string"},
    [KEY_RANGE] = {is_range, "{low, high}, two increasing numbers", "number[]", KEYS_LIST},
    [KEY_LINE] = {is_increasing, "{from, to} or a list of grid lines, in increasing order", "number[]",
                  KEYS_LIST},
    [KEY_POINT] = {is_point, "a point, {x}, {x, y} or {x, y, z}", "number[]", KEYS_LIST},
    [KEY_DIRECTION] = {is_direction, "a direction, {x, y} or {x, y, z}", "number[]", KEYS_LIST},
    [KEY_NUMBERS] = {is_numbers, "a list of numbers", "number[]", KEYS_LIST},
    [KEY_NAMES] = {is_names, "a name or a list of names", "string|string[]", KEYS_LIST},
    [KEY_FUNCTION] = {is_function, "a function", "function"},
    [KEY_MESH] = {is_mesh, "a mesh: mesh.rectangle, mesh.box, mesh.gmsh or mesh.grid", "EdgewiseMesh"},
    [KEY_TABLE] = {is_table, "a table", "table", KEYS_NAMED},
    [KEY_LIST] = {is_table, "a list", "table[]", KEYS_LIST},
    [KEY_GROUP] = {is_table, "a table", "table"},
    [KEY_GROUPS] = {is_table, "a table, or a list of tables", "table"},
    [KEY_ANY] = {is_any, "a value", "any"},
};

keys_kind key_entries(const key_spec *key) { return KIND[key->kind].entries; }
const char *key_expected(const key_spec *key) { return KIND[key->kind].expected; }
const char *key_annotation(const key_spec *key) { return key->type ? key->type : KIND[key->kind].annotation; }

/* ---- checks --------------------------------------------------------------------------------------------------------------- */

static const key_spec *find_key(const schema *s, const char *name) {
  for (int i = 0; i < s->n; i++)
    if (strcmp(s->key[i].name, name) == 0) return &s->key[i];
  return NULL;
}

/* The one table of a case that has such a key instead of this one of a case; NULL: none has, or several have. */
static const schema *owner_of(const schema *s, const char *name) {
  static const schema *const all[] = {&SCHEMA_CASE, &SCHEMA_TIME,    &SCHEMA_OUTPUT, &SCHEMA_PICTURE,
                                      &SCHEMA_PLOT, &SCHEMA_RASTER,  &SCHEMA_SOLVER, &SCHEMA_TUNING,
                                      &SCHEMA_PIN,  &SCHEMA_PRODUCT, &SCHEMA_SECTION};
  const schema *found = NULL;
  bool of_case = false;
  int n = 0;
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    of_case = of_case || all[i] == s;
    if (find_key(all[i], name)) found = all[i], n++;
  }
  return of_case && n == 1 ? found : NULL;
}

static void report_unknown(lua_State *L, const schema *s, const char *name, const site *at, problem_list *p) {
  const char *names[64] = {NULL};
  int n = 0;
  for (; n < s->n && n < 64; n++) names[n] = s->key[n].name;
  const char *near = cli_nearest(name, names, n);
  site here = site_key(at, name);
  int line = site_line(L, &here);
  const schema *owner = owner_of(s, name);
  if (owner) {
    problems_add(p, at->file, line, "%s has no key '%s': it belongs to %s", s->name, name, owner->name);
    return;
  }
  if (near) {
    problems_add(p, at->file, line, "%s has no key '%s'; did you mean '%s'?", s->name, name, near);
    return;
  }
  char all[1024];
  size_t used = 0;
  for (int i = 0; i < n && used < sizeof all; i++)
    used += (size_t)snprintf(all + used, sizeof all - used, "%s%s", i ? ", " : "", names[i]);
  problems_add(p, at->file, line, "%s has no key '%s'; it has: %s", s->name, name, all);
}

/* Every key of the table at `index` must be one of the schema's; keys that are not stay where they are and do no harm. */
static void check_unknown(lua_State *L, int index, const schema *s, const site *at, problem_list *p) {
  for (lua_pushnil(L); lua_next(L, index); lua_pop(L, 1)) {
    if (lua_type(L, -2) == LUA_TSTRING) {
      const char *name = lua_tostring(L, -2);
      if (!find_key(s, name)) report_unknown(L, s, name, at, p);
    } else {
      site here = site_item(at, (int)lua_tointeger(L, -2));
      problems_add(p, at->file, site_line(L, &here),
                   "%s takes only named keys (name = value), found %s without a name", s->name,
                   host_describe(L, -1));
      lua_pop(L, 1);
    }
  }
}

static bool choice_is_listed(const char *choices, const char *word) {
  size_t n = strlen(word);
  for (const char *c = choices; *c; c += strcspn(c, "|"), c += *c == '|')
    if (strcspn(c, "|") == n && strncmp(c, word, n) == 0) return true;
  return false;
}

static void report_choice(lua_State *L, const schema *s, const key_spec *key, const char *word,
                          const site *at, problem_list *p) {
  char list[256];
  size_t used = 0;
  for (const char *c = key->choices; *c && used < sizeof list; c += strcspn(c, "|"), c += *c == '|')
    used += (size_t)snprintf(list + used, sizeof list - used, "%s\"%.*s\"", used ? ", " : "",
                             (int)strcspn(c, "|"), c);
  problems_add(p, at->file, site_line(L, at), "%s: '%s' must be one of %s; found \"%s\"", s->name, key->name,
               list, word);
}

/* One group has names, a list of them numbers. */
static bool has_items(lua_State *L, int index) {
  bool some = false;
  for (lua_pushnil(L); !some && lua_next(L, index); lua_pop(L, 1)) {
    some = lua_isinteger(L, -2);
    if (some) lua_pop(L, 1);
  }
  return some;
}

static void check_groups(lua_State *L, int index, const key_spec *key, const site *at, problem_list *p) {
  index = lua_absindex(L, index);
  if (key->kind == KEY_GROUPS && host_is_empty(L, index)) return;
  if (key->kind == KEY_GROUP || !has_items(L, index)) {
    schema_check(L, index, key->inner, at, p);
    return;
  }
  keys_check(L, index, KEYS_LIST, KEYS_FREE, at, p);
  for (int i = 1, n = (int)lua_rawlen(L, index); i <= n; i++) {
    site here = site_item(at, i);
    lua_rawgeti(L, index, i);
    if (lua_istable(L, -1)) schema_check(L, -1, key->inner, &here, p);
    else if (!lua_isnil(L, -1))
      problems_add(p, at->file, site_line(L, &here), "%s %d must be a table, found %s", key->name, i,
                   host_describe(L, -1)),
          lua_pop(L, 1);
    lua_pop(L, 1);
  }
}

/* As host_describe. */
static const char *describe_value(lua_State *L, int index) {
  if (lua_istable(L, index) && host_is_empty(L, index)) return lua_pushliteral(L, "an empty table");
  return host_describe(L, index);
}

/* The value is on the top of the stack. False if it has a problem. */
static bool check_value(lua_State *L, const schema *s, const key_spec *key, const site *at, problem_list *p) {
  const int value = lua_gettop(L);
  const keys_kind entries = lua_istable(L, value) ? key_entries(key) : KEYS_FREE;
  const bool fits = keys_check(L, value, entries, key->entries ? key->entries : KEYS_LIST, at, p);
  if (!fits && KIND[key->kind].test != is_table) return false;
  if (!KIND[key->kind].test(L, value)) {
    problems_add(p, at->file, site_line(L, at), "%s: '%s' must be %s; found %s", s->name, key->name,
                 key_expected(key), describe_value(L, -1));
    lua_pop(L, 1);
    return false;
  }
  if (key->kind == KEY_CHOICE && !choice_is_listed(key->choices, lua_tostring(L, -1))) {
    report_choice(L, s, key, lua_tostring(L, -1), at, p);
    return false;
  }
  if (key->kind == KEY_GROUP || key->kind == KEY_GROUPS) check_groups(L, -1, key, at, p);
  return true;
}

void schema_check(lua_State *L, int index, const schema *s, const site *at, problem_list *p) {
  index = lua_absindex(L, index);
  luaL_checkstack(L, 16, NULL);
  check_unknown(L, index, s, at, p);
  for (int i = 0; i < s->n; i++) {
    const key_spec *key = &s->key[i];
    lua_pushstring(L, key->name);
    lua_rawget(L, index);
    site here = site_key(at, key->name);
    bool good = true;
    if (!lua_isnil(L, -1)) good = check_value(L, s, key, &here, p);
    else if (key->required)
      problems_add(p, at->file, site_line(L, at), "%s needs '%s': %s", s->name, key->name, key->doc);
    lua_pop(L, 1);
    if (good) continue;
    lua_pushstring(L, key->name);
    lua_pushnil(L);
    lua_rawset(L, index);
  }
}
