/* What of a case does not fit its scheme: names, numbers of components, missing values, times. */
#include <math.h>
#include <string.h>

#include "case/problems.h"
#include "case/sample.h"
#include "dslc_reference.h"
#include "fields/on_nodes.h"
#include "fields/parts.h"

/* Of what the case lacks: the line of `case`. */
static case_where whole(const exec_checker *k) {
  return k->c->at.line ? k->c->at : (case_where){k->c->file, 0};
}

/* ---- lists of values --------------------------------------------------------------------------------------------------- */

static const case_value *find(const case_value *v, int n, const char *name) {
  for (int i = 0; i < n; i++)
    if (strcmp(v[i].name, name) == 0) return &v[i];
  return NULL;
}

static void check_twice(exec_checker *k, const char *what, const case_value *v, int i) {
  if (find(v, i, v[i].name)) exec_complain(k, v[i].at, "%s '%s' is given twice", what, v[i].name);
}

static void check_components(exec_checker *k, const char *what, const case_value *v, int components) {
  int have = exec_value_components(v, components);
  if (have == components) return;
  exec_complain(k, v->at, "%s '%s' has %d component%s here, the scheme expects %d", what, v->name, have,
                have == 1 ? "" : "s", components);
}

static void check_over_time(exec_checker *k, const char *what, const case_value *v, bool allowed) {
  if (case_value_changes(v) && !allowed)
    exec_complain(k, v->at, "%s '%s' depends on time here, but is not declared `over time` in the scheme",
                  what, v->name);
}

static void check_raster(exec_checker *k, const char *what, const case_value *v) {
  exec_sampler *s = NULL;
  ew_error err = {0};
  if (v->kind != CASE_RASTER) return;
  case_value bare = *v; /* the problem carries the place */
  bare.at = (case_where){0};
  if (exec_sampler_create(k->c, &bare, 1, &s, &err) != EW_OK && exec_is_problem(k, &err))
    exec_complain(k, v->at, "%s '%s': %s", what, v->name, err.text);
  exec_sampler_destroy(&s);
}

/* A group that the mesh file does not have would silently be nowhere. */
static void check_groups(exec_checker *k, const char *what, const case_value *v) {
  char hint[512];
  for (int i = 0; k->m && i < v->n_pieces; i++) {
    const char *wanted = v->piece[i].region;
    exec_names names = {0};
    bool found = !wanted;
    for (int r = 0; r < k->m->n_regions; r++) {
      found = found || strcmp(k->m->region[r].name, wanted) == 0;
      exec_names_add(&names, k->m->region[r].name);
    }
    if (!found)
      exec_complain(k, v->at, "%s '%s': the mesh has no group of cells '%s'%s", what, v->name, wanted,
                    exec_suggest(&names, wanted, hint, sizeof hint));
    exec_names_clear(&names);
  }
}

void exec_check_source(exec_checker *k, const char *what, const case_value *v) {
  check_raster(k, what, v);
  check_groups(k, what, v);
}

/* Names, steps and components; where it has holes is found when it is asked for everywhere. */
static void check_data(exec_checker *k, const char *what, const case_value *v, int components) {
  const mesh_data *d;
  ew_error err = {0};
  if (v->kind == CASE_LEVEL) check_data(k, what, v->part, 1);
  if (v->kind != CASE_DATA || !exec_domain_dim(k->domain)) return;
  if (!k->m) {
    exec_complain(k, v->at, "%s '%s': mesh_data \"%s\" needs a mesh from a file (mesh.gmsh)", what, v->name,
                  v->data->name);
    return;
  }
  if (mesh_data_find(k->m, v->data, &d, &err) != EW_OK) {
    if (exec_is_problem(k, &err)) exec_complain(k, v->at, "%s '%s': %s", what, v->name, err.text);
  } else if (mesh_data_components(k->m, d) != components)
    exec_complain(k, v->at, "%s '%s': the mesh's data \"%s\" has %d component%s, the scheme expects %d", what,
                  v->name, d->name, mesh_data_components(k->m, d),
                  mesh_data_components(k->m, d) == 1 ? "" : "s", components);
}

/* ---- parameters ----------------------------------------------------------------------------------------------------------- */

static int find_parameter(const dslc_program *p, const char *name) {
  for (int i = 0; i < p->model.n_parameters; i++)
    if (strcmp(p->model.parameter[i].name, name) == 0) return i;
  return -1;
}

/* Says so of a name that the scheme knows as something else. */
static bool belongs_elsewhere(exec_checker *k, const case_value *v) {
  static const char *const kinds[] = {"a state: its value at the start belongs under `initial`",
                                      "a given: its value belongs under `given`",
                                      "an equation: it follows from the scheme"};
  const dslc_program *p = k->program;
  const int field = exec_find_field(p, v->name);
  const char *is = field >= 0                        ? kinds[p->model.field[field].kind]
                   : find_parameter(p, v->name) >= 0 ? "a parameter: its value belongs under `parameters`"
                                                     : NULL;
  if (is) exec_complain(k, v->at, "'%s' of scheme '%s' is %s", v->name, p->identity.scheme, is);
  return is != NULL;
}

static void unknown_parameter(exec_checker *k, const case_value *v) {
  char hint[512];
  exec_names names = {0};
  if (belongs_elsewhere(k, v)) return;
  for (int i = 0; i < k->program->model.n_parameters; i++)
    exec_names_add(&names, k->program->model.parameter[i].name);
  exec_complain(k, v->at, "scheme '%s' has no parameter '%s'%s", k->program->identity.scheme, v->name,
                exec_suggest(&names, v->name, hint, sizeof hint));
  exec_names_clear(&names);
}

static void check_bounds(exec_checker *k, const dslc_parameter *p, const case_value *v) {
  if (v->kind != CASE_NUMBERS || v->n != 1 || isnan(*v->number) || dslc_within(p->bounds, *v->number)) return;
  exec_complain(k, v->at, "parameter '%s' is %.6g: scheme '%s' needs %s %s%s%s%s", v->name, *v->number,
                k->program->identity.scheme, v->name, p->bounds, p->unit ? " [" : "", p->unit ? p->unit : "",
                p->unit ? "]" : "");
}

static void check_parameters(exec_checker *k) {
  const dslc_program *p = k->program;
  for (int i = 0; i < k->c->values.n_parameters; i++) {
    const case_value *v = &k->c->values.parameter[i];
    int found = find_parameter(p, v->name);
    check_twice(k, "parameter", k->c->values.parameter, i);
    if (v->kind != CASE_NUMBERS)
      exec_complain(k, v->at, "parameter '%s' must be a number or a vector", v->name);
    else if (found < 0) unknown_parameter(k, v);
    else check_components(k, "parameter", v, p->model.parameter[found].components);
    if (found >= 0) check_bounds(k, &p->model.parameter[found], v);
  }
  for (int i = 0; i < p->model.n_parameters; i++)
    if (!p->model.parameter[i].formula &&
        !find(k->c->values.parameter, k->c->values.n_parameters, p->model.parameter[i].name))
      exec_complain(k, whole(k), "parameter '%s'%s%s%s of scheme '%s' has no default: the case must give it",
                    p->model.parameter[i].name, p->model.parameter[i].unit ? " [" : "",
                    p->model.parameter[i].unit ? p->model.parameter[i].unit : "",
                    p->model.parameter[i].unit ? "]" : "", p->identity.scheme);
}

/* ---- states and givens ------------------------------------------------------------------------------------------------------ */

static void unknown_field(exec_checker *k, const char *what, const case_value *v, dslc_field_kind kind) {
  char hint[512];
  exec_names names = {0};
  const dslc_program *p = k->program;
  if (belongs_elsewhere(k, v)) return;
  for (int i = 0; i < p->model.n_fields; i++)
    if (p->model.field[i].kind == kind) exec_names_add(&names, p->model.field[i].name);
  exec_complain(k, v->at, "scheme '%s' has no %s '%s'%s", p->identity.scheme, what, v->name,
                exec_suggest(&names, v->name, hint, sizeof hint));
  exec_names_clear(&names);
}

/* Faces of a periodic side are there twice, once with each side's name: neither would be right for the face between the two cells. */
static void check_periodic_part(exec_checker *k, const dslc_field *f, const char *name) {
  const int p = strncmp(f->name, "patch(", 6) == 0 ? mesh_find_patch(k->m, name) : -1;
  if (p < 0 || !k->m->patch[p].periodic) return;
  exec_complain(k, k->c->mesh.at,
                "scheme '%s' asks for %s, but that side is periodic: its faces lie between two cells, on no "
                "boundary\n"
                "  hint: a given at faces can mark them: it has one value at such a face",
                k->program->identity.scheme, f->name);
}

/* What the mesh says, not the case: has it such a part? False: the field is none. */
static bool check_part(exec_checker *k, const dslc_field *f) {
  char name[EXEC_PART_NAME], hint[512];
  if (!exec_part_of_mesh(f, name)) return false;
  bool cells = strncmp(f->name, "region(", 7) == 0 || strncmp(f->name, "outside(", 8) == 0;
  if (!k->m) return true;
  if (exec_has_part(k->m, f, name)) return check_periodic_part(k, f, name), true;
  exec_names names = {0};
  for (int i = 0; cells && i < k->m->n_regions; i++) exec_names_add(&names, k->m->region[i].name);
  for (int i = 0; !cells && i < k->m->n_patches; i++) exec_names_add(&names, k->m->patch[i].name);
  exec_complain(k, k->c->mesh.at, "scheme '%s' asks for %s, but the mesh has no %s of that name%s",
                k->program->identity.scheme, f->name, cells ? "group of cells" : "part of the boundary",
                exec_suggest(&names, name, hint, sizeof hint));
  exec_names_clear(&names);
  return true;
}

/* Numbers, and all entries of a series: functions are asked where and when they are needed. */
static void check_bounds_of_field(exec_checker *k, const dslc_field *f, const case_value *v) {
  char when[64] = "";
  const double *value = v->kind == CASE_SERIES ? v->series : v->number;
  const int n = v->kind == CASE_SERIES ? v->n_times : v->kind == CASE_NUMBERS;
  if (!f->bounds || v->n != 1) return;
  for (int i = 0; i < n; i++) {
    if (isnan(value[i]) || dslc_within(f->bounds, value[i])) continue;
    if (v->kind == CASE_SERIES) snprintf(when, sizeof when, " at t = %.6g s", v->time[i]);
    exec_complain(k, v->at, "given '%s' is %.6g%s: scheme '%s' needs %s %s%s%s%s", v->name, value[i], when,
                  k->program->identity.scheme, v->name, f->bounds, f->unit ? " [" : "",
                  f->unit ? f->unit : "", f->unit ? "]" : "");
    return;
  }
}

static void check_fields(exec_checker *k, const case_value *value, int n, dslc_field_kind kind) {
  const dslc_program *p = k->program;
  const char *what = kind == DSLC_STATE ? "state" : "given";
  for (int i = 0; i < n; i++) {
    const case_value *v = &value[i];
    int found = exec_find_field(p, v->name);
    check_twice(k, what, value, i);
    if (found < 0 || p->model.field[found].kind != kind) {
      unknown_field(k, what, v, kind);
      continue;
    }
    char part[EXEC_PART_NAME];
    if (exec_part_of_mesh(&p->model.field[found], part))
      exec_complain(k, v->at, "'%s' is what the mesh says, not the case", v->name);
    const int components = exec_case_components(&p->model.field[found], exec_domain_dim(k->domain));
    if (p->model.field[found].flux && exec_value_components(v, components) != components)
      exec_complain(
          k, v->at,
          "state '%s' points through faces: give a vector, of which each face takes its part along the "
          "normal, or 0",
          v->name);
    else check_components(k, what, v, components);
    check_raster(k, what, v);
    check_groups(k, what, v);
    check_data(k, what, v, components);
    if (p->model.field[found].place == DSLC_NOWHERE && v->kind != CASE_NUMBERS)
      exec_complain(k, v->at, "%s '%s' is one value: give a number, no function of place", what, v->name);
    check_bounds_of_field(k, &p->model.field[found], v);
    /* an initial value is taken at t = 0, so a function of time may stand there */
    if (kind == DSLC_GIVEN) check_over_time(k, what, v, p->model.field[found].over_time);
  }
  for (int i = 0; i < p->model.n_fields; i++)
    if (p->model.field[i].kind == kind && !find(value, n, p->model.field[i].name) &&
        !check_part(k, &p->model.field[i]))
      exec_complain(k, whole(k), "%s '%s' of scheme '%s' has no value: give it under `%s`", what,
                    p->model.field[i].name, p->identity.scheme, kind == DSLC_STATE ? "initial" : "given");
}

/* ---- variants and time -------------------------------------------------------------------------------------------------------- */

static void check_variant(exec_checker *k, const case_setting *s) {
  char hint[512];
  exec_names names = {0}, choices = {0};
  const dslc_program *p = k->program;
  const dslc_variant *found = NULL;
  bool legal = false;
  for (int i = 0; i < p->model.n_variants; i++) {
    exec_names_add(&names, p->model.variant[i].name);
    if (strcmp(p->model.variant[i].name, s->name) == 0) found = &p->model.variant[i];
  }
  for (int i = 0; found && i < found->n_choices; i++) {
    exec_names_add(&choices, found->choice[i]);
    legal |= strcmp(found->choice[i], s->value) == 0;
  }
  if (!found)
    exec_complain(k, s->at, "scheme '%s' has no variant '%s'%s", p->identity.scheme, s->name,
                  exec_suggest(&names, s->name, hint, sizeof hint));
  else if (!legal)
    exec_complain(k, s->at, "variant '%s' has no choice '%s'%s", s->name, s->value,
                  exec_suggest(&choices, s->value, hint, sizeof hint));
  else if (k->c->build.manifest && strcmp(found->choice[found->chosen], s->value) != 0)
    exec_complain(k, s->at, "variant '%s' is '%s' in the kernels that are built: build '%s' anew for '%s'",
                  s->name, found->choice[found->chosen], k->c->build.manifest, s->value);
  exec_names_clear(&names);
  exec_names_clear(&choices);
}

/* Of two that bound the steps the larger one would count nowhere. */
static void check_bounds_of_steps(exec_checker *k) {
  const double first = k->c->time.first_step, largest = k->c->time.largest_step,
               fixed = k->c->time.fixed_step;
  const case_where at = k->c->time.at;
  if (fixed > 0 && largest > 0 && largest < fixed)
    exec_complain(
        k, at,
        "time.step is %g s, longer than time.largest, %g s: `step` fixes every step; give one of the two",
        fixed, largest);
  if (largest > 0 && first > largest)
    exec_complain(k, at, "time.first is %g s, longer than time.largest, %g s", first, largest);
  else if (fixed > 0 && first > fixed)
    exec_complain(k, at, "time.first is %g s, more than time.step, %g s, by which every step is fixed", first,
                  fixed);
}

static void check_time(exec_checker *k) {
  const ew_case *c = k->c;
  if (c->time.stop < 0)
    exec_complain(k, c->time.at, "the time to stop at is %g: a positive number is expected", c->time.stop);
  else if (c->time.stop == 0 && c->time.max_steps <= 0)
    exec_complain(k, c->time.at, "the case needs a time to stop at (greater than 0) or a number of steps");
  if (k->program && !exec_advances(k->program) && c->time.max_steps <= 0)
    exec_complain(
        k, c->time.at,
        "scheme '%s' has no dt, so time stands still: give the number of steps, time = { steps = 1 }",
        k->program->identity.scheme);
  bool sized = c->time.first_step > 0 || c->time.largest_step > 0 || c->time.fixed_step > 0;
  if (k->program && !exec_advances(k->program) && sized)
    exec_complain(k, c->time.at, "scheme '%s' has no dt: its steps have no size",
                  k->program->identity.scheme);
  check_bounds_of_steps(k);
}

static void check_dimensions(exec_checker *k) {
  int dim = exec_domain_dim(k->domain);
  const char *word = exec_domain_word(k->domain);
  if (dim == 0) return;
  if (k->program->space.on_grid != (k->domain->g != NULL))
    exec_complain(k, k->c->mesh.at, "scheme '%s' runs on a %s, the case gives a %s",
                  k->program->identity.scheme, k->program->space.on_grid ? "grid" : "mesh", word);
  else if (k->program->space.dims && k->program->space.dims != dim)
    exec_complain(k, k->c->mesh.at, "scheme '%s' has %d dimensions, the %s %d", k->program->identity.scheme,
                  k->program->space.dims, word, dim);
  else if (k->c->build.manifest && exec_domain_is_periodic(k->domain) && !k->program->space.periodic)
    exec_complain(
        k, k->c->mesh.at,
        "the %s is periodic, and the kernels of '%s' are built for one that is not: build them with "
        "`dslc build --periodic`, or run the scheme itself",
        word, k->c->build.manifest);
}

static void check_cells(exec_checker *k) {
  ew_error err = {0};
  if (!k->m || !exec_uses_nodes(k->program)) return;
  if (fe_check_mesh(k->m, &err) != EW_OK && exec_is_problem(k, &err))
    exec_complain(k, k->c->mesh.at, "mesh: %s", err.text);
}

/* ---- what has no effect, or none that is meant ---------------------------------------------------------------------------------- */

/* The name of a boundary on which the entry's rule gives the unknown's value; NULL: none with faces. */
static const char *held_on(const exec_checker *k, const case_boundary *b, int field) {
  const dslc_model *p = &k->program->model;
  for (int h = 0; h < p->n_holds; h++) {
    const dslc_hold *hold = &p->hold[h];
    if (hold->add || hold->projection || hold->field != field || strcmp(p->rule[hold->rule].name, b->rule))
      continue;
    for (int i = 0; i < b->n_names; i++) {
      const int patch = mesh_find_patch(k->m, b->name[i]);
      if (patch >= 0 && k->m->patch[patch].count > 0) return b->name[i];
    }
  }
  return NULL;
}

/* A pin says which of many solutions is meant: there are such if rows sum to zero and nobody holds a value. */
static void check_open(exec_checker *k, const dslc_solve *s) {
  const case_pin *pin = &k->c->solver.pin;
  if (!s->sums_to_zero) {
    exec_complain(k, pin->where,
                  "pin: matrix '%s' leaves no constant of '%s' open: its rows do not sum to zero", s->matrix,
                  s->unknown);
    return;
  }
  for (int b = 0; k->m && b < k->c->n_boundaries; b++) {
    const char *name = held_on(k, &k->c->boundary[b], s->field);
    if (!name) continue;
    exec_complain(k, pin->where,
                  "pin: matrix '%s' leaves no constant of '%s' open: rule '%s' gives its value on \"%s\"; "
                  "leave the pin out",
                  s->matrix, s->unknown, k->c->boundary[b].rule, name);
    return;
  }
}

static void check_pin(exec_checker *k) {
  const case_pin *pin = &k->c->solver.pin;
  const dslc_program *p = k->program;
  const int dim = exec_domain_dim(k->domain);
  if (!pin->field) return;
  if (dim > 0 && pin->n != dim)
    exec_complain(k, pin->where, "pin: 'at' has %d coordinates; the mesh has %d dimensions", pin->n, dim);
  for (int i = 0; i < p->execution.n_solves; i++)
    if (strcmp(p->execution.solve[i].unknown, pin->field) == 0) {
      check_open(k, &p->execution.solve[i]);
      return;
    }
  exec_complain(k, pin->where, "pin: scheme '%s' solves no linear system for '%s'", p->identity.scheme,
                pin->field);
}

static void check_solver(exec_checker *k) {
  const case_solver *s = &k->c->solver;
  const dslc_program *p = k->program;
  if (p->execution.n_solves > 0) check_pin(k);
  if (s->pin.field && dslc_reference_solves(p, NULL))
    exec_complain(k, s->pin.where, "pin: the reference interpreter knows none; leave it out");
  if (p->execution.n_solves == 0 && s->at.file && !dslc_reference_solves(p, NULL))
    exec_complain(k, s->at, "scheme '%s' solves no linear systems: `solver` has no effect on it",
                  p->identity.scheme);
  for (int i = 0; i < p->execution.n_solves; i++)
    if (!p->execution.solve[i].symmetric && s->method && strcmp(s->method, "bicgstab") != 0 &&
        strcmp(s->method, "gmres") != 0)
      exec_complain(k, s->at,
                    "solver: matrix '%s' is not declared symmetric: method '%s' cannot solve with it, "
                    "bicgstab and gmres can",
                    p->execution.solve[i].matrix, s->method);
}

/* A product is brought up to date when the next step begins. By then `X.prev` is X, and dt the size of that step. */
static void check_products(exec_checker *k) {
  const ew_case *c = k->c;
  for (int i = 0; i < c->added.n_products; i++) {
    const case_product *p = &c->added.product[i];
    char now[256];
    snprintf(now, sizeof now, "%s_now", p->name);
    const int f = exec_find_field(k->program, now);
    const dslc_field *field = f < 0 ? NULL : &k->program->model.field[f];
    if (field && (field->looks_back || field->reads_dt))
      exec_complain(
          k, p->at,
          "product '%s' depends on %s, and cannot be followed: let a scheme that extends '%s' keep it "
          "in a state, updated behind `step of %s`",
          p->name, field->looks_back ? "how the last step began (`X.prev`)" : "the last step's dt",
          k->program->identity.scheme, k->program->identity.scheme);
  }
}

/* "heat", "mine/heat.ew". */
static bool names_scheme(const char *path, const char *scheme) {
  const char *slash = strrchr(path, '/'), *base = slash ? slash + 1 : path;
  const size_t n = strlen(scheme);
  return strncmp(base, scheme, n) == 0 && (!base[n] || strcmp(base + n, ".ew") == 0);
}

/* What a manifest's kernels were built with cannot be chosen any more. */
static void check_manifest(exec_checker *k) {
  const ew_case *c = k->c;
  if (!c->build.manifest) return;
  for (int i = 0; i < c->build.n_schedule; i++)
    exec_complain(
        k, c->build.schedule[i].at,
        "schedule: '%s' has no effect on kernels that are built: leave it out, or build '%s' anew with it",
        c->build.schedule[i].name, c->build.manifest);
  if (c->added.n_products + c->added.n_sections)
    exec_complain(k, c->added.n_products ? c->added.product[0].at : c->added.section[0].at,
                  "%s cannot be added to kernels that are built: leave `manifest` out, or build '%s' from a "
                  "scheme that extends theirs and follows them",
                  c->added.n_products ? "products" : "sections", c->build.manifest);
  if (c->build.scheme && k->program && !names_scheme(c->build.scheme, k->program->identity.scheme))
    exec_complain(k, whole(k),
                  "`scheme` names '%s', but the kernels of '%s' are those of '%s': leave one of the two out",
                  c->build.scheme, c->build.manifest, k->program->identity.scheme);
  if (c->build.profile)
    exec_complain(
        k, whole(k),
        "profile '%s' has no effect on kernels that are built: leave it out, or build '%s' anew with it",
        c->build.profile, c->build.manifest);
}

ew_status exec_check(const ew_case *c, const dslc_program *program, const exec_domain *domain,
                     exec_problems *problems, ew_error *err) {
  exec_checker k = {c, program, domain, domain->m, problems, EW_OK, err};
  check_time(&k);
  check_manifest(&k);
  if (program) {
    check_dimensions(&k);
    check_cells(&k);
    for (int i = 0; i < c->build.n_variants; i++) check_variant(&k, &c->build.variant[i]);
    check_parameters(&k);
    check_fields(&k, c->values.initial, c->values.n_initial, DSLC_STATE);
    check_fields(&k, c->values.given, c->values.n_givens, DSLC_GIVEN);
    check_solver(&k);
    check_products(&k);
  }
  exec_check_boundaries(&k);
  exec_check_output(&k);
  return k.status;
}
