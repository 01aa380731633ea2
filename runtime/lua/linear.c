#include "lua/linear.h"

#include <math.h>
#include <string.h>

#include "csr/linear.h"
#include "csr/precondition.h"
#include "formats/matrix_market.h"
#include "lua/host.h"
#include "lua/keys.h"
#include "lua/schema.h"
#include "tune/linear.h"

static const char MATRIX[] = "edgewise.matrix", RESULT[] = "edgewise.linear_result";

/* ---- matrices as userdata -------------------------------------------------------------------------------------------- */

static csr_rows **push_matrix(lua_State *L) {
  csr_rows **m = lua_newuserdatauv(L, sizeof *m, 0);
  *m = NULL;
  luaL_setmetatable(L, MATRIX);
  return m;
}

static csr_rows *matrix_at(lua_State *L, int index) {
  csr_rows **m = luaL_testudata(L, index, MATRIX);
  return m ? *m : NULL;
}

static int matrix_free(lua_State *L) {
  csr_rows_destroy(luaL_checkudata(L, 1, MATRIX));
  return 0;
}

/* A file's name as scripts have it, seen from the script's folder. */
static const char *path_of(lua_State *L, const char *name) {
  const char *folder = host_case_folder(host_of(L));
  if (name[0] == '/' || !*folder) return name;
  return lua_pushfstring(L, "%s/%s", folder, name);
}

/* ---- lists of numbers --------------------------------------------------------------------------------------------------- */

/* The list at `index` as numbers in a block that belongs to Lua, pushed. */
static double *push_numbers(lua_State *L, int index, const char *what, size_t expected) {
  index = lua_absindex(L, index);
  if (!lua_istable(L, index))
    luaL_error(L, "%s must be a list of %d numbers, found %s", what, (int)expected, host_describe(L, index));
  const char *stray = keys_stray(L, index);
  if (stray) luaL_error(L, "%s is a list: its entries have no names; found %s", what, stray);
  if (lua_rawlen(L, index) != expected)
    luaL_error(L, "%s has %d numbers; expected %d", what, (int)lua_rawlen(L, index), (int)expected);
  double *out = lua_newuserdatauv(L, (expected + 1) * sizeof *out, 0);
  for (size_t i = 0; i < expected; i++) {
    if (lua_rawgeti(L, index, (lua_Integer)i + 1) != LUA_TNUMBER || !isfinite(lua_tonumber(L, -1)))
      luaL_error(L, "%s: number %d is %s; expected a finite number", what, (int)i + 1, host_describe(L, -1));
    out[i] = lua_tonumber(L, -1);
    lua_pop(L, 1);
  }
  return out;
}

static void push_list(lua_State *L, const double *value, int n) {
  lua_createtable(L, n, 0);
  for (int i = 0; i < n; i++) {
    lua_pushnumber(L, value[i]);
    lua_rawseti(L, -2, i + 1);
  }
}

/* Indices from 1 in Lua, from 0 here. */
static int32_t *push_indices(lua_State *L, int index, const char *what, size_t expected, int32_t below) {
  const double *value = push_numbers(L, index, what, expected);
  int32_t *out = lua_newuserdatauv(L, (expected + 1) * sizeof *out, 0);
  for (size_t i = 0; i < expected; i++) {
    if (value[i] < 1 || value[i] > below || value[i] != floor(value[i]))
      luaL_error(L, "%s: number %d is %f; expected a whole number from 1 to %d", what, (int)i + 1, value[i],
                 below);
    out[i] = (int32_t)value[i] - 1;
  }
  return out;
}

/* ---- arguments checked by schemas ------------------------------------------------------------------------------------------ */

static const key_spec MATRIX_KEYS[] = {
    {"rows", KEY_SIZE, true, .doc = "number of rows"},
    {"columns", KEY_SIZE, .doc = "number of columns; as many as rows if absent"},
    {"row", KEY_LIST, true, .doc = "the entries' rows, from 1", .type = "integer[]"},
    {"column", KEY_LIST, true, .doc = "their columns, from 1", .type = "integer[]"},
    {"value", KEY_LIST, true, .doc = "their values; what is given twice is added", .type = "number[]"},
};
static const schema SCHEMA_MATRIX = {"linear.matrix", "A sparse matrix from its entries.", MATRIX_KEYS, 5};

static const key_spec LAPLACIAN_KEYS[] = {
    {"n", KEY_SIZE, true, .doc = "nodes along a side of the unit cube, at least 2"},
    {"fixed", KEY_FLAG, .fallback = "true",
     .doc = "values on the cube's faces are given; else rows sum to zero"},
};
static const schema SCHEMA_LAPLACIAN = {
    "linear.laplacian", "The P1 Laplacian on jittered tetrahedra: n^3 rows.", LAPLACIAN_KEYS, 2};

static const key_spec SOLVE_KEYS[] = {
    {"matrix", KEY_ANY, true, .doc = "a matrix, or the name of a Matrix Market file",
     .type = "EdgewiseMatrix|string"},
    {"rhs", KEY_ANY, .doc = "the right-hand side: a list or a file's name; all ones if absent",
     .type = "number[]|string"},
    {"guess", KEY_ANY, .doc = "where to begin: a list or a file's name; zeros if absent",
     .type = "number[]|string"},
    {"method", KEY_CHOICE, .doc = "how; by the matrix if absent",
     .choices = "cg|cg_three_term|minres|bicgstab|gmres"},
    {"preconditioner", KEY_CHOICE, .doc = "what makes iterations few; by the matrix if absent",
     .choices = "none|jacobi|chebyshev|multigrid"},
    {"precision", KEY_CHOICE, .fallback = "double",
     .doc = "of the iterations of cg with none or jacobi; mixed: single, refined to the same tolerance",
     .choices = "double|mixed"},
    {"tolerance", KEY_POSITIVE, .fallback = "1e-8",
     .doc = "of the residual over the right-hand side, in 2-norms"},
    {"iterations", KEY_COUNT, .fallback = "1000", .doc = "at most"},
    {"device", KEY_TEXT, .doc = "cpu, gpu, c, c-openmp, an index, or a part of a device's name"},
    {"may_fail", KEY_FLAG, .fallback = "false",
     .doc = "give what was reached, with `converged` false, instead of ending the script with status 9"},
};
static const schema SCHEMA_SOLVE = {"linear.solve", "Solves a linear system on a device.", SOLVE_KEYS,
                                    sizeof SOLVE_KEYS / sizeof *SOLVE_KEYS};

static int problems_free(lua_State *L) {
  problems_clear(luaL_checkudata(L, 1, "edgewise.problems"));
  return 0;
}

/* Checks the table of arguments at index 1; all that is wrong with it is raised at once. */
static void check_arguments(lua_State *L, const schema *s) {
  const char *dot = strchr(s->name, '.') + 1;
  if (!lua_istable(L, 1))
    luaL_error(L, "%s takes a table: %s { ... }, found %s", s->name, s->name, host_describe(L, 1));
  lua_settop(L, 1);
  site at = {.function = dot};
  at.file = host_where(L, 1, &at.line);
  problem_list *p = lua_newuserdatauv(L, sizeof *p, 0);
  *p = (problem_list){0};
  luaL_setmetatable(L, "edgewise.problems");
  schema_check(L, 1, s, &at, p);
  problems_sort(p);
  ew_error err = {0};
  if (problems_status(p, &err) != EW_OK) host_raise_error(L, &err);
  lua_settop(L, 1);
}

static const char *text_field(lua_State *L, const char *key) {
  lua_getfield(L, 1, key);
  return lua_tostring(L, -1); /* kept alive by the table */
}

static double number_field(lua_State *L, const char *key, double absent) {
  return lua_getfield(L, 1, key) == LUA_TNIL ? absent : lua_tonumber(L, -1);
}

static bool flag_field(lua_State *L, const char *key, bool absent) {
  return lua_getfield(L, 1, key) == LUA_TNIL ? absent : lua_toboolean(L, -1);
}

/* ---- files and matrices ------------------------------------------------------------------------------------------------------- */

static const char *name_argument(lua_State *L, const char *function) {
  if (lua_type(L, 1) != LUA_TSTRING)
    luaL_error(L, "%s takes a file's name: %s(\"a.mtx\"), found %s", function, function, host_describe(L, 1));
  host_of(L)->ran = true;
  return path_of(L, lua_tostring(L, 1));
}

static csr_rows *push_file(lua_State *L, const char *path) {
  ew_error err = {0};
  csr_rows **m = push_matrix(L);
  if (mm_read(path, m, &err) != EW_OK) host_raise_error(L, &err);
  return *m;
}

static int read_matrix(lua_State *L) {
  push_file(L, name_argument(L, "linear.read"));
  return 1;
}

/* A vector file's numbers in a block that belongs to Lua, pushed. */
static double *push_vector_file(lua_State *L, const char *name, int32_t rows) {
  ew_error err = {0};
  const char *path = path_of(L, name);
  const csr_rows *m = push_file(L, path);
  if (rows < 0) rows = m->rows;
  double *out = lua_newuserdatauv(L, ((size_t)rows + 1) * sizeof *out, 0);
  if (mm_to_vector(m, path, rows, out, &err) != EW_OK) host_raise_error(L, &err);
  return out;
}

static int read_vector(lua_State *L) {
  const char *path = name_argument(L, "linear.read_vector");
  const csr_rows *m = push_file(L, path);
  const int rows = m->rows;
  push_list(L, push_vector_file(L, path, rows), rows);
  return 1;
}

/* Scripts write where they lie or below, as cases do in their folder. */
static void check_inside(lua_State *L, const char *name) {
  bool up = false;
  for (const char *part = name; part; part = strchr(part, '/')) {
    part += *part == '/';
    up = up || (strncmp(part, "..", 2) == 0 && (part[2] == '/' || !part[2]));
  }
  if (name[0] == '/' || up)
    luaL_error(L, "linear.write_vector: '%s' lies outside the script's folder; expected a name inside", name);
}

/* `edgewise check` writes nothing, and ends the script here. */
static int write_vector(lua_State *L) {
  ew_error err = {0};
  const char *path = name_argument(L, "linear.write_vector");
  check_inside(L, lua_tostring(L, 1));
  if (!lua_istable(L, 2))
    luaL_error(L, "linear.write_vector: the vector must be a list of numbers, found %s", host_describe(L, 2));
  const size_t n = lua_rawlen(L, 2);
  const double *value = push_numbers(L, 2, "linear.write_vector: the vector", n);
  if (!host_of(L)->options.run) return host_end(L);
  if (mm_write_vector(path, "a vector by edgewise", value, (int32_t)n, &err) != EW_OK)
    return host_raise_error(L, &err);
  return 0;
}

static int make_matrix(lua_State *L) {
  ew_error err = {0};
  check_arguments(L, &SCHEMA_MATRIX);
  const double rows = number_field(L, "rows", 0), columns = number_field(L, "columns", rows);
  if (rows > 1e9 || columns > 1e9) luaL_error(L, "linear.matrix: %f x %f is too large", rows, columns);
  lua_getfield(L, 1, "row");
  const size_t n = lua_rawlen(L, -1);
  const int32_t *row = push_indices(L, -1, "linear.matrix: row", n, (int32_t)rows);
  lua_getfield(L, 1, "column");
  const int32_t *col = push_indices(L, -1, "linear.matrix: column", n, (int32_t)columns);
  lua_getfield(L, 1, "value");
  const double *value = push_numbers(L, -1, "linear.matrix: value", n);
  const csr_entries e = {(int32_t)rows, (int32_t)columns, n, row, col, value};
  csr_rows **m = push_matrix(L);
  if (csr_rows_create(&e, m, &err) != EW_OK) host_raise_error(L, &err);
  return 1;
}

static int make_laplacian(lua_State *L) {
  ew_error err = {0};
  check_arguments(L, &SCHEMA_LAPLACIAN);
  const double n = number_field(L, "n", 0);
  const bool fixed = flag_field(L, "fixed", true);
  if (n < 2 || n > 400) luaL_error(L, "linear.laplacian: 'n' must be from 2 to 400; found %f", n);
  csr_rows **m = push_matrix(L);
  if (linear_laplacian((int)n, fixed, m, &err) != EW_OK) host_raise_error(L, &err);
  return 1;
}

static int multiply(lua_State *L) {
  const csr_rows *m = matrix_at(L, 1);
  if (!m)
    luaL_error(L, "multiply is called with a colon, matrix:multiply(x); found %s in the place of the matrix",
               host_describe(L, 1));
  const double *x = push_numbers(L, 2, "multiply: the vector", (size_t)m->columns);
  double *y = lua_newuserdatauv(L, ((size_t)m->rows + 1) * sizeof *y, 0);
  linear_multiply(m, x, y);
  push_list(L, y, m->rows);
  return 1;
}

/* Fields of a matrix: rows, columns, entries, multiply. */
static int matrix_index(lua_State *L) {
  const csr_rows *m = *(csr_rows **)luaL_checkudata(L, 1, MATRIX);
  const char *key = host_word(L, 2, "a matrix", "what is asked of it");
  if (strcmp(key, "rows") == 0) lua_pushinteger(L, m->rows);
  else if (strcmp(key, "columns") == 0) lua_pushinteger(L, m->columns);
  else if (strcmp(key, "entries") == 0) lua_pushinteger(L, m->start[m->rows]);
  else if (strcmp(key, "multiply") == 0) lua_pushcfunction(L, multiply);
  else return luaL_error(L, "a matrix has no '%s'; it has: rows, columns, entries, multiply", key);
  return 1;
}

/* ---- solve ---------------------------------------------------------------------------------------------------------------------- */

/* A vector given as a list or as a file's name: pushed, or NULL if absent. */
static double *push_vector_field(lua_State *L, const char *key, int32_t rows) {
  const int type = lua_getfield(L, 1, key), at = lua_gettop(L);
  if (type == LUA_TNIL) return NULL;
  if (type == LUA_TSTRING) return push_vector_file(L, lua_tostring(L, at), rows);
  return push_numbers(L, at, lua_pushfstring(L, "linear.solve: '%s'", key), (size_t)rows);
}

static csr_rows *push_matrix_field(lua_State *L) {
  if (lua_getfield(L, 1, "matrix") == LUA_TSTRING) return push_file(L, path_of(L, lua_tostring(L, -1)));
  csr_rows *m = matrix_at(L, -1);
  if (!m)
    luaL_error(L, "linear.solve: 'matrix' must be a matrix or a file's name; found %s", host_describe(L, -1));
  return m;
}

static linear_options read_options(lua_State *L) {
  ew_error err = {0};
  linear_options o = linear_defaults();
  const char *method = text_field(L, "method"), *preconditioner = text_field(L, "preconditioner"),
             *precision = text_field(L, "precision");
  o.device = text_field(L, "device");
  if (host_of(L)->options.device) o.device = host_of(L)->options.device;
  o.recall = tune_linear_recall;
  o.tolerance = number_field(L, "tolerance", o.tolerance);
  o.iterations = (int)fmin(number_field(L, "iterations", o.iterations), 1e8);
  o.method_open = !method;
  o.preconditioner_open = !preconditioner;
  if (method && csr_method_find(method, &o.method, &err) != EW_OK) host_raise_error(L, &err);
  if (preconditioner && csr_preconditioner_find(preconditioner, &o.preconditioner, &err) != EW_OK)
    host_raise_error(L, &err);
  if (precision && csr_precision_find(precision, &o.mixed, &err) != EW_OK) host_raise_error(L, &err);
  return o;
}

static int result_free(lua_State *L) {
  linear_result_clear(luaL_checkudata(L, 1, RESULT));
  return 0;
}

static void set_number(lua_State *L, const char *key, double value) {
  lua_pushnumber(L, value);
  lua_setfield(L, -2, key);
}

static void set_word(lua_State *L, const char *key, const char *word) {
  lua_pushstring(L, word);
  lua_setfield(L, -2, key);
}

/* The result as a table, pushed. */
static void push_result(lua_State *L, const linear_result *r, const double *x, const char *failure) {
  lua_newtable(L);
  push_list(L, x, r->rows);
  lua_setfield(L, -2, "x");
  push_list(L, r->history, r->n_history);
  lua_setfield(L, -2, "history");
  lua_pushinteger(L, r->iterations);
  lua_setfield(L, -2, "iterations");
  set_number(L, "residual", r->residual);
  set_number(L, "relative", r->right_hand_side > 0 ? r->residual / r->right_hand_side : 0);
  set_number(L, "outside", r->outside);
  set_number(L, "setup_seconds", r->setup_seconds);
  set_number(L, "seconds", r->solve_seconds);
  set_word(L, "method", csr_method_name(r->method));
  set_word(L, "first_method", csr_method_name(r->first_method));
  set_word(L, "preconditioner", csr_preconditioner_name(r->preconditioner));
  set_word(L, "precision", csr_precision_name(r->mixed));
  set_word(L, "ended", csr_end_name(r->end));
  lua_pushstring(L, r->device);
  lua_setfield(L, -2, "device");
  lua_pushboolean(L, r->null_parts > 0);
  lua_setfield(L, -2, "constant_null");
  lua_pushboolean(L, !failure);
  lua_setfield(L, -2, "converged");
  if (failure) lua_pushstring(L, failure);
  else lua_pushliteral(L, "");
  lua_setfield(L, -2, "message");
  host_make_strict(L, -1, "the result of linear.solve");
}

/* `edgewise check` looks at what comes before, and ends the script here. */
static int solve(lua_State *L) {
  ew_error err = {0};
  lua_host *host = host_of(L);
  check_arguments(L, &SCHEMA_SOLVE);
  const linear_options options = read_options(L);
  const bool may_fail = flag_field(L, "may_fail", false);
  const csr_rows *m = push_matrix_field(L);
  const double *rhs = push_vector_field(L, "rhs", m->rows), *guess = push_vector_field(L, "guess", m->rows);
  host->ran = true;
  if (!host->options.run) return host_end(L);
  double *b = lua_newuserdatauv(L, ((size_t)m->rows + 1) * sizeof *b, 0);
  double *x = lua_newuserdatauv(L, ((size_t)m->rows + 1) * sizeof *x, 0);
  for (int32_t i = 0; i < m->rows; i++) {
    b[i] = rhs ? rhs[i] : 1;
    x[i] = guess ? guess[i] : 0;
  }
  linear_result *r = lua_newuserdatauv(L, sizeof *r, 0);
  *r = (linear_result){0};
  luaL_setmetatable(L, RESULT);
  host_look_for_stop(L, NULL);
  /* in_lua stays: a solve that goes on for long after a stop ends as a function of Lua's library does */
  const ew_status status = linear_solve(m, b, x, &options, r, &err);
  host_look_for_stop(L, NULL);
  if (*r->aside.text && host->options.print)
    fprintf(host->options.print, "warning: a stored tuning is not used: %s\n", r->aside.text);
  if (status != EW_OK && !(status == EW_NOT_CONVERGED && may_fail)) return host_raise_error(L, &err);
  push_result(L, r, x, status == EW_OK ? NULL : err.text);
  return 1;
}

/* ---- the global ------------------------------------------------------------------------------------------------------------------- */

static void set_collector(lua_State *L, const char *name, lua_CFunction collect) {
  luaL_newmetatable(L, name);
  lua_pushcfunction(L, collect);
  lua_setfield(L, -2, "__gc");
  lua_pushliteral(L, "locked");
  lua_setfield(L, -2, "__metatable");
  lua_pop(L, 1);
}

void linear_open(lua_State *L) {
  static const luaL_Reg FUNCTION[] = {{"read", read_matrix},
                                      {"read_vector", read_vector},
                                      {"write_vector", write_vector},
                                      {"matrix", make_matrix},
                                      {"laplacian", make_laplacian},
                                      {"solve", solve},
                                      {NULL, NULL}};
  set_collector(L, RESULT, result_free);
  set_collector(L, "edgewise.problems", problems_free);
  set_collector(L, MATRIX, matrix_free);
  luaL_getmetatable(L, MATRIX);
  lua_pushcfunction(L, matrix_index);
  lua_setfield(L, -2, "__index");
  lua_pop(L, 1);
  lua_newtable(L);
  luaL_newlib(L, FUNCTION);
  host_make_strict(L, -1, "edgewise.linear");
  lua_setfield(L, -2, "linear");
  host_make_strict(L, -1, "edgewise");
  lua_setglobal(L, "edgewise");
}

/* ---- annotations --------------------------------------------------------------------------------------------------------------------- */

static const char CLASSES[] =
    "---A sparse matrix of linear systems.\n---@class EdgewiseMatrix\n---@field rows integer\n---@field "
    "columns integer\n"
    "---@field entries integer stored ones\nlocal Matrix = {}\n"
    "---The product with a vector.\n---@param x number[]\n---@return number[]\nfunction Matrix:multiply(x) "
    "end\n\n"
    "---@class EdgewiseSolution\n---@field x number[] the solution\n---@field iterations integer\n"
    "---@field residual number its 2-norm\n---@field relative number the same over the right-hand side's\n"
    "---@field history number[] the residual's norm, iteration after iteration from 0\n"
    "---@field setup_seconds number transfer, preconditioner and kernels\n---@field seconds number the "
    "iterations\n"
    "---@field device string\n---@field method string that solved\n---@field first_method string that began\n"
    "---@field preconditioner string\n---@field ended string why: converged, limit, stagnated, breakdown, "
    "...\n"
    "---@field outside number the share of the right-hand side that no solution reaches: its mean, taken "
    "out\n"
    "---@field converged boolean\n---@field message string why it did not converge\n"
    "---@field constant_null boolean the matrix, or a part of it, is singular by a constant: the right-hand "
    "side's mean was "
    "taken out\n\n";

static const char FUNCTIONS[] =
    "---Linear systems: matrices, Matrix Market files, solvers.\nedgewise = { linear = {} }\n"
    "---Reads a Matrix Market file.\n---@param name string\n---@return EdgewiseMatrix\nfunction "
    "edgewise.linear.read(name) end\n"
    "---Reads a Matrix Market file of one column.\n---@param name string\n---@return number[]\n"
    "function edgewise.linear.read_vector(name) end\n"
    "---Writes a Matrix Market file of one column.\n---@param name string\n---@param x number[]\n"
    "function edgewise.linear.write_vector(name, x) end\n";

static void print_argument(const schema *s, const char *class, const char *result, FILE *out) {
  fprintf(out, "---@class %s\n", class);
  for (int i = 0; i < s->n; i++) {
    const key_spec *key = &s->key[i];
    fprintf(out, "---@field %s%s ", key->name, key->required ? "" : "?");
    if (key->choices) {
      for (const char *c = key->choices; *c; c += strcspn(c, "|"), c += *c == '|')
        fprintf(out, "%s\"%.*s\"", c == key->choices ? "" : "|", (int)strcspn(c, "|"), c);
    } else {
      fputs(key_annotation(key), out);
    }
    fprintf(out, " %s%s%s%s\n", key->doc, key->fallback ? " (default " : "",
            key->fallback ? key->fallback : "", key->fallback ? ")" : "");
  }
  fprintf(out, "\n---%s\n---@param what %s\n---@return %s\nfunction edgewise.%s(what) end\n", s->doc, class,
          result, s->name);
}

void linear_annotations(FILE *out) {
  fputc('\n', out);
  fputs(CLASSES, out);
  fputs(FUNCTIONS, out);
  print_argument(&SCHEMA_MATRIX, "EdgewiseMatrixEntries", "EdgewiseMatrix", out);
  print_argument(&SCHEMA_LAPLACIAN, "EdgewiseLaplacian", "EdgewiseMatrix", out);
  print_argument(&SCHEMA_SOLVE, "EdgewiseSystem", "EdgewiseSolution", out);
}
