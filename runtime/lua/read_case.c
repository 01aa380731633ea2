#include <math.h>
#include <stdio.h>
#include <string.h>

#include "lua/host.h"
#include "lua/reader.h"

/* Where reader_each puts what it reads. */
typedef struct value_target {
  const char *owner; /* "initial" */
  case_value **to;
  int *n;
  bool numbers_only;
} value_target;

static ew_status no_value(void *context, const double *x, double t, double *out, int n, ew_error *err) {
  (void)context, (void)x, (void)t, (void)out, (void)n;
  return ew_fail(err, EW_INTERNAL, "a value with a problem was used");
}

/* A value that was misread is reported once: in its place stands one that fits everywhere, so that nobody also calls it
 * missing. A case with problems is never run. */
static void stand_in(case_value *value) {
  value->kind = CASE_FUNCTION;
  value->function = no_value;
  value->over_time = value->of_time_alone = false;
}

/* The same of a parameter. */
static void stand_in_number(case_value *value) {
  value->kind = CASE_NUMBERS;
  value->n = 1;
  value->number[0] = (double)NAN;
}

static void visit_value(reader *r, const char *key, const site *at, void *context) {
  const value_target *target = context;
  lua_State *L = r->L;
  char owner[128];
  snprintf(owner, sizeof owner, "%s: '%s'", target->owner, key);
  case_value value = {0};
  if (target->numbers_only) {
    if (!read_numbers_only(r, -1, owner, at, &value)) stand_in_number(&value);
  } else if (!read_value(r, -1, owner, at, &value)) stand_in(&value);
  lua_pushstring(L, key);
  value.name = reader_text(r, -1);
  lua_pop(L, 1);
  *(case_value *)reader_append(r, target->to, target->n, sizeof value) = value;
}

/* A string, or a number where the setting is one (a work-group's size). */
static void visit_setting(reader *r, const char *key, const site *at, void *context) {
  const value_target *target = context;
  lua_State *L = r->L;
  int kind = lua_type(L, -1);
  if (kind != LUA_TSTRING && kind != LUA_TNUMBER) {
    problems_add(r->p, at->file, site_line(L, at), "%s: '%s' must be a string; found %s", target->owner, key,
                 host_describe(L, -1));
    lua_pop(L, 1);
    return;
  }
  lua_pushstring(L, key);
  const char *name = reader_text(r, -1);
  lua_pop(L, 1);
  const char *text = luaL_tolstring(L, -1, NULL);
  lua_pushstring(L, text);
  const char *value = reader_text(r, -1);
  lua_pop(L, 2);
  case_where where = reader_where(r, at);
  *(case_setting *)reader_append(r, target->to, target->n, sizeof(case_setting)) =
      (case_setting){name, value, where};
}

static void read_each(reader *r, int index, const char *key, const site *at, reader_visit *visit,
                      value_target target) {
  site here = site_key(at, key);
  target.owner = key;
  if (read_push(r, index, key)) reader_each(r, -1, &here, visit, &target);
  lua_pop(r->L, 1);
}

/* ---- boundary -------------------------------------------------------------------------------------------------------------- */

/* The names at [1]: one or a list. False if they are neither. */
static bool read_patches(reader *r, int rule, case_boundary *b) {
  lua_State *L = r->L;
  int kind = lua_rawgeti(L, rule, 1), names = lua_gettop(L);
  int n = kind == LUA_TTABLE ? (int)lua_rawlen(L, names) : 0;
  bool good = kind == LUA_TSTRING || n > 0;
  if (kind == LUA_TSTRING)
    *(const char **)reader_append(r, &b->name, &b->n_names, sizeof *b->name) = reader_text(r, names);
  for (int i = 1; i <= n; i++) {
    good = lua_rawgeti(L, names, i) == LUA_TSTRING && good;
    const char *name = good ? reader_text(r, -1) : NULL;
    if (name) *(const char **)reader_append(r, &b->name, &b->n_names, sizeof *b->name) = name;
    lua_pop(L, 1);
  }
  lua_pop(L, 1);
  return good;
}

static void visit_argument(reader *r, const char *key, const site *at, void *context) {
  case_boundary *b = context;
  char owner[128];
  snprintf(owner, sizeof owner, "%s: '%s'", b->rule, key);
  case_value value = {0};
  if (!read_value(r, -1, owner, at, &value)) stand_in(&value);
  lua_pushstring(r->L, key);
  value.name = reader_text(r, -1);
  lua_pop(r->L, 1);
  *(case_value *)reader_append(r, &b->argument, &b->n_arguments, sizeof value) = value;
}

/* The entry is on the top of the stack. */
static void read_rule(reader *r, const site *at) {
  lua_State *L = r->L;
  int rule = lua_gettop(L);
  case_boundary b = {.at = reader_where(r, at)};
  bool good = lua_istable(L, rule) && lua_rawlen(L, rule) == 2 && read_patches(r, rule, &b);
  if (good) {
    good = lua_rawgeti(L, rule, 2) == LUA_TSTRING;
    b.rule = good ? reader_text(r, -1) : NULL;
    lua_pop(L, 1);
  }
  if (!good) {
    problems_add(
        r->p, at->file, site_line(L, at),
        "boundary: an entry is { names, rule, argument = value }, as { \"left\", \"wall\" } or { {\"top\", "
        "\"bottom\"}, \"inflow\", qn = 2 }; found %s",
        lua_istable(L, rule) ? "another table" : host_describe(L, rule));
    lua_settop(L, rule);
    return;
  }
  reader_each(r, rule, at, visit_argument, &b);
  *(case_boundary *)reader_append(r, &r->c->boundary, &r->c->n_boundaries, sizeof b) = b;
}

static void read_boundary(reader *r, int index, const site *at) {
  lua_State *L = r->L;
  index = lua_absindex(L, index);
  for (int i = 1, n = (int)lua_rawlen(L, index); i <= n; i++) {
    site here = site_item(at, i);
    lua_rawgeti(L, index, i);
    read_rule(r, &here);
    lua_pop(L, 1);
  }
}

/* ---- the whole ---------------------------------------------------------------------------------------------------------------- */

static void read_time(reader *r, int index, const site *at) {
  ew_case *c = r->c;
  double steps = 0;
  c->time.at = reader_where(r, at);
  read_number(r, index, "stop", &c->time.stop);
  /* A misread one has been reported and taken away: it is not missing as well. Such a case is never run. */
  site stop = site_key(at, "stop");
  if (!read_push(r, index, "stop") && problems_on_line(r->p, site_line(r->L, &stop))) c->time.stop = 1;
  lua_pop(r->L, 1);
  read_number(r, index, "steps", &steps);
  read_int(r, index, "look", &c->time.look);
  read_number(r, index, "first", &c->time.first_step);
  read_number(r, index, "largest", &c->time.largest_step);
  read_number(r, index, "step", &c->time.fixed_step);
  bool shorten = true;
  read_flag(r, index, "shorten", &shorten);
  c->time.whole_steps = !shorten;
  const char *unfinished = NULL;
  read_text(r, index, "unfinished", &unfinished);
  c->time.finish_repeats = unfinished && strcmp(unfinished, "stop") == 0;
  c->time.max_steps = (int64_t)steps;
}

static void read_texts(reader *r, int index, const site *at) {
  ew_case *c = r->c;
  site scheme = site_key(at, "scheme");
  c->build.at = reader_where(r, &scheme);
  c->at = c->time.at = reader_where(r, at); /* of the time until read_time knows better */
  read_text(r, index, "name", &c->name);
  read_text(r, index, "scheme", &c->build.scheme);
  read_text(r, index, "profile", &c->build.profile);
  read_text(r, index, "manifest", &c->build.manifest);
  if (!c->build.scheme && !c->build.manifest && !read_push(r, index, "scheme"))
    problems_add(r->p, at->file, at->line,
                 "case needs 'scheme': a shipped scheme's name, or a path seen from its folder");
  read_text(r, index, "device", &c->build.device);
}

static void read_values(reader *r, int index, const site *at) {
  ew_case *c = r->c;
  read_each(r, index, "variants", at, visit_setting,
            (value_target){.to = (void *)&c->build.variant, .n = &c->build.n_variants});
  read_each(r, index, "schedule", at, visit_setting,
            (value_target){.to = (void *)&c->build.schedule, .n = &c->build.n_schedule});
  read_each(r, index, "parameters", at, visit_value,
            (value_target){.to = &c->values.parameter, .n = &c->values.n_parameters, .numbers_only = true});
  read_each(r, index, "given", at, visit_value,
            (value_target){.to = &c->values.given, .n = &c->values.n_givens});
  read_each(r, index, "initial", at, visit_value,
            (value_target){.to = &c->values.initial, .n = &c->values.n_initial});
}

static void read_tuning(reader *r, int index, const site *at) {
  case_solver *s = &r->c->solver;
  (void)at;
  read_text(r, index, "form", &s->form);
  read_int(r, index, "group_bits", &s->group_bits);
  read_int(r, index, "rows_bits", &s->rows_bits);
  read_int(r, index, "kernels", &s->kernels);
}

static void read_pin(reader *r, int index, const site *at) {
  case_pin *p = &r->c->solver.pin;
  p->where = reader_where(r, at);
  read_text(r, index, "field", &p->field);
  read_numbers(r, index, "at", &p->at, &p->n);
  read_number(r, index, "value", &p->value);
}

/* Calls read for the field if it is there. */
static void read_part(reader *r, int index, const char *key, const site *at,
                      void (*read)(reader *r, int index, const site *at)) {
  site here = site_key(at, key);
  if (read_push(r, index, key)) read(r, lua_gettop(r->L), &here);
  lua_pop(r->L, 1);
}

static void read_solver(reader *r, int index, const site *at) {
  case_solver *s = &r->c->solver;
  s->at = reader_where(r, at);
  read_text(r, index, "method", &s->method);
  read_text(r, index, "preconditioner", &s->preconditioner);
  read_text(r, index, "precision", &s->precision);
  read_number(r, index, "tolerance", &s->tolerance);
  read_int(r, index, "iterations", &s->iterations);
  read_part(r, index, "tuning", at, read_tuning);
  read_part(r, index, "pin", at, read_pin);
  read_number(r, index, "tune", &s->tune);
}

static void read_corner_angle(reader *r, int index, const site *at) {
  double *angle = &r->c->corner_angle;
  site here = site_key(at, "corner_angle");
  read_number(r, index, "corner_angle", angle);
  if (*angle <= 90) return;
  problems_add(r->p, at->file, site_line(r->L, &here),
               "corner_angle is %g: it must lie between 0 and 90 degrees", *angle);
  *angle = 45;
}

void read_case(reader *r, int index) {
  lua_State *L = r->L;
  site at;
  luaL_checkstack(L, 32, NULL);
  index = lua_absindex(L, index);
  int top = lua_gettop(L);
  schema_mark_of(L, index, &at);
  schema_check(L, index, &SCHEMA_CASE, &at, r->p);
  read_texts(r, index, &at);
  if (read_push(r, index, "mesh")) read_mesh(r, -1);
  lua_settop(L, top);
  read_values(r, index, &at);
  read_part(r, index, "boundary", &at, read_boundary);
  read_corner_angle(r, index, &at);
  read_part(r, index, "solver", &at, read_solver);
  lua_settop(L, top);
  read_part(r, index, "time", &at, read_time);
  lua_settop(L, top);
  read_part(r, index, "output", &at, read_output);
  lua_settop(L, top);
  read_products(r, index, &at);
  problems_sort(r->p);
}
