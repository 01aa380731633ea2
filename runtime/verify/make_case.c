/* A case for any scheme: names are asked from the compiler. */
#include <stdlib.h>
#include <string.h>

#include "base/shipped.h"
#include "mesh/random.h"
#include "verify/internal.h"

/* Which scheme: with the first choice of each variant that is not named. */
typedef struct wanted_scheme {
  const char *path;
  int dims, n_variants;
  const dslc_setting *variant;
} wanted_scheme;

static ew_status describe(const wanted_scheme *w, FILE *messages, dslc_program **out, ew_error *err) {
  shipped ours;
  dslc_options o = {.path = w->path,
                    .dims = w->dims,
                    .n_variants = w->n_variants,
                    .variant = w->variant,
                    .n_rules = -1,
                    .n_show = -1,
                    .periodic = true,
                    .emit = DSLC_EMIT_C,
                    .cpu = true,
                    .sources.import_path = shipped_find(&ours, "schemes")};
  dslc_messages *m = NULL;
  int code = dslc_compile(&o, out, &m);
  if (messages) dslc_messages_print(m, messages, false);
  dslc_messages_destroy(&m);
  if (code == 0) return EW_OK;
  if (code == 1) return ew_fail(err, EW_FAIL, "out of memory to compile %s", w->path);
  return ew_fail(err, code == 70 ? EW_INTERNAL : EW_INPUT, "%s: errors in the scheme", w->path);
}

ew_status verify_describe(const char *path, int dims, FILE *messages, dslc_program **out, ew_error *err) {
  return describe(&(wanted_scheme){.path = path, .dims = dims}, messages, out, err);
}

/* ---- mesh or grid --------------------------------------------------------------------------------------------- */

/* n + 1 coordinates with widths from 0.7 to 1.3 of the spacing, or all alike. */
static double *draw_axis(ew_case *c, const verify_setup *s, int axis, ew_error *err) {
  uint64_t state = random_seed(s->seed + 1000 + (uint64_t)axis);
  double *x = case_alloc(c, sizeof *x * (size_t)(s->n[axis] + 1), err);
  for (int i = 0; x && i < s->n[axis]; i++)
    x[i + 1] = x[i] + s->spacing * (s->uneven ? verify_uniform(&state, 0.7, 1.3) : 1);
  return x;
}

static ew_status set_grid(ew_case *c, const verify_setup *s, ew_error *err) {
  grid_options *g = &c->mesh.grid;
  c->mesh.kind = CASE_MESH_GRID;
  *g = (grid_options){.dim = s->dim, .n_solids = s->n_solids};
  grid_solid_options *solid = case_alloc(c, sizeof *solid * VERIFY_SOLIDS, err);
  if (!solid) return EW_FAIL;
  g->solid = solid;
  for (int b = 0; b < s->n_solids; b++) solid[b].name = "block";
  for (int a = 0; a < s->dim; a++) {
    const double *x = draw_axis(c, s, a, err);
    if (!x) return EW_FAIL;
    g->axis[a] = (grid_axis_options){.n = s->n[a], .face = x, .periodic = s->periodic[a]};
    for (int b = 0; b < s->n_solids; b++)
      solid[b].low[a] = x[s->solid[b].low[a]], solid[b].high[a] = x[s->solid[b].high[a]];
  }
  return EW_OK;
}

static ew_status set_mixed(ew_case *c, const dslc_program *p, const verify_setup *s, const char *folder,
                           ew_error *err) {
  verify_parts parts;
  char path[1024];
  if (snprintf(path, sizeof path, "%s/mesh.msh", folder) >= (int)sizeof path)
    return ew_fail(err, EW_IO, "the path %s is too long", folder);
  c->mesh.kind = CASE_MESH_FILE;
  c->mesh.path = case_text(c, path, err);
  verify_find_parts(p, &parts);
  return c->mesh.path ? verify_write_mixed(s, &parts, path, err) : EW_FAIL;
}

static ew_status set_mesh(ew_case *c, const dslc_program *p, const verify_setup *s, const char *folder,
                          ew_error *err) {
  mesh_cell_kind kind = s->cells == VERIFY_BLOCKS ? MESH_BLOCKS : MESH_SIMPLICES;
  c->mesh.seed = s->seed % 1000;
  if (s->on_grid) return set_grid(c, s, err);
  if (s->cells == VERIFY_MIXED) return set_mixed(c, p, s, folder, err);
  c->mesh.kind = s->dim == 2 ? CASE_MESH_RECTANGLE : CASE_MESH_BOX;
  c->mesh.rectangle =
      (mesh_rectangle_options){.x1 = s->n[0] * s->spacing,
                               .y1 = s->n[1] * s->spacing,
                               .nx = s->n[0],
                               .ny = s->n[1],
                               .kind = kind,
                               .diagonal = s->seed % 2 ? MESH_DIAGONAL_RIGHT : MESH_DIAGONAL_ALTERNATING,
                               .jitter = s->jitter,
                               .seed = s->seed % 1000,
                               .periodic_x = s->periodic[0],
                               .periodic_y = s->periodic[1]};
  c->mesh.box = (mesh_box_options){.x1 = s->n[0] * s->spacing,
                                   .y1 = s->n[1] * s->spacing,
                                   .z1 = s->n[2] * s->spacing,
                                   .nx = s->n[0],
                                   .ny = s->n[1],
                                   .nz = s->n[2],
                                   .kind = kind,
                                   .jitter = s->jitter,
                                   .seed = s->seed % 1000,
                                   .periodic_x = s->periodic[0],
                                   .periodic_y = s->periodic[1],
                                   .periodic_z = s->periodic[2]};
  return EW_OK;
}

/* ---- values ------------------------------------------------------------------------------------------------------- */

static ew_status add_value(ew_case *c, const verify_setup *s, const verify_value_request *r, void *list,
                           int *n, ew_error *err) {
  case_value *v = case_append(c, list, n, sizeof *v, err);
  return v ? verify_value(c, s, r, v, err) : EW_FAIL;
}

static ew_status add_fields(ew_case *c, const dslc_program *p, const verify_setup *s, ew_error *err) {
  ew_status status = EW_OK;
  for (int i = 0; i < p->model.n_fields && status == EW_OK; i++) {
    const dslc_field *f = &p->model.field[i];
    bool timed = f->over_time && !s->plain;
    bool one = f->place == DSLC_NOWHERE;
    verify_value_request r = {f->name, f->flux ? s->dim : f->components,
                              one     ? VERIFY_NUMBERS
                              : timed ? VERIFY_TIME
                                      : VERIFY_PLACE,
                              1, f->bounds};
    if (f->kind == DSLC_STATE) status = add_value(c, s, &r, &c->values.initial, &c->values.n_initial, err);
    if (f->kind == DSLC_GIVEN && !strchr(f->name, '('))
      status = add_value(c, s, &r, &c->values.given, &c->values.n_givens, err);
  }
  for (int i = 0; i < p->model.n_parameters && status == EW_OK; i++) {
    verify_value_request r = {p->model.parameter[i].name, p->model.parameter[i].components, VERIFY_NUMBERS, 2,
                              p->model.parameter[i].bounds};
    if (!p->model.parameter[i].formula || s->all_parameters)
      status = add_value(c, s, &r, &c->values.parameter, &c->values.n_parameters, err);
  }
  return status;
}

/* What `variants` names for it, or NULL. */
static const char *named_choice(const char *variants, const dslc_variant *v) {
  const size_t name = strlen(v->name);
  for (const char *at = variants; at && *at; at += strspn(at, " ")) {
    const size_t word = strcspn(at, " ");
    for (int k = 0; word > name && strncmp(at, v->name, name) == 0 && at[name] == '=' && k < v->n_choices;
         k++)
      if (strlen(v->choice[k]) == word - name - 1 &&
          strncmp(at + name + 1, v->choice[k], word - name - 1) == 0)
        return v->choice[k];
    at += word;
  }
  return NULL;
}

/* One choice of each variant. */
static ew_status add_variants(ew_case *c, const dslc_program *p, const verify_setup *s, ew_error *err) {
  uint64_t state = random_seed(s->seed + 5000);
  for (int i = 0; i < p->model.n_variants; i++) {
    const dslc_variant *v = &p->model.variant[i];
    case_setting *to = case_append(c, &c->build.variant, &c->build.n_variants, sizeof *to, err);
    if (!to) return EW_FAIL;
    to->name = case_text(c, v->name, err);
    const char *drawn = v->choice[verify_below(&state, v->n_choices)], *named = named_choice(s->variants, v);
    to->value = case_text(c, named ? named : drawn, err);
    if (!to->name || !to->value) return EW_FAIL;
  }
  return EW_OK;
}

/* Are all parts that the one scheme asks for known to the mesh that was drawn for the other? */
static bool has_parts_of(const verify_parts *drawn, const verify_parts *asked) {
  for (int i = 0; i < asked->n_groups; i++) {
    bool known = false;
    for (int k = 0; k < drawn->n_groups; k++) known = known || strcmp(drawn->group[k], asked->group[i]) == 0;
    if (!known) return false;
  }
  for (int i = 0; i < VERIFY_SIDES; i++)
    if (strcmp(asked->side[i], drawn->side[i]) != 0 || (asked->named[i] && !drawn->named[i])) return false;
  return true;
}

/* What one choice reads, parts of the mesh among it, another one may not. `*chosen`: the scheme with choices that are drawn, or NULL: with
 * the first ones, for which the mesh was drawn; so it stays where the others ask for parts that this mesh does not have. */
static ew_status choose_variants(ew_case *c, const dslc_program *p, const verify_setup *s,
                                 dslc_program **chosen, ew_error *err) {
  verify_parts drawn, asked;
  if (p->model.n_variants == 0) return EW_OK;
  if (add_variants(c, p, s, err) != EW_OK) return EW_FAIL;
  dslc_setting *variant = case_alloc(c, sizeof *variant * (size_t)c->build.n_variants, err);
  if (!variant) return EW_FAIL;
  for (int i = 0; i < c->build.n_variants; i++)
    variant[i] = (dslc_setting){c->build.variant[i].name, c->build.variant[i].value};
  const wanted_scheme with = {c->build.scheme, s->dim, c->build.n_variants, variant};
  ew_error ignored;
  verify_find_parts(p, &drawn);
  if (describe(&with, NULL, chosen, &ignored) != EW_OK) return EW_OK; /* the run will say why */
  verify_find_parts(*chosen, &asked);
  if (!has_parts_of(&drawn, &asked)) dslc_program_destroy(chosen), c->build.n_variants = 0;
  return EW_OK;
}

static bool has_argument(const case_boundary *b, const char *name) {
  for (int i = 0; i < b->n_arguments; i++)
    if (strcmp(b->argument[i].name, name) == 0) return true;
  return false;
}

/* Arguments of all versions of the rule; those with a default are left out by chance. */
static ew_status add_arguments(ew_case *c, const dslc_program *p, const verify_setup *s, case_boundary *b,
                               ew_error *err) {
  ew_status status = EW_OK;
  uint64_t state = random_seed(s->seed + (uint64_t)b->name[0][0]);
  for (int r = 0; r < p->model.n_rules && status == EW_OK; r++) {
    if (strcmp(p->model.rule[r].name, b->rule) != 0) continue;
    for (int k = 0; k < p->model.rule[r].n_arguments && status == EW_OK; k++) {
      const dslc_argument *a = &p->model.rule[r].argument[k];
      verify_kind kind = (verify_kind)verify_below(&state, 4);
      bool left_out = a->formula && verify_below(&state, 2);
      if (s->plain) kind = VERIFY_NUMBERS;
      if (!a->over_time && kind > VERIFY_PLACE) kind = VERIFY_PLACE;
      if (has_argument(b, a->name) || left_out) continue;
      verify_value_request q = {a->name, a->components, kind, 3 + (uint64_t)b->name[0][0], a->bounds};
      status = add_value(c, s, &q, &b->argument, &b->n_arguments, err);
    }
  }
  return status;
}

static ew_status add_boundary(ew_case *c, const dslc_program *p, const verify_setup *s, const char *side,
                              int rule, ew_error *err) {
  const char *name[VERIFY_MOST_CELLS];
  int n = verify_rules(p, name, VERIFY_MOST_CELLS);
  case_boundary *b = case_append(c, &c->boundary, &c->n_boundaries, sizeof *b, err);
  if (!b) return EW_FAIL;
  if (rule < 0 || rule >= n) return ew_fail(err, EW_INPUT, "no boundary rule fits \"%s\"", side);
  b->name = case_alloc(c, sizeof *b->name, err);
  if (!b->name) return EW_FAIL;
  b->name[b->n_names++] = side;
  b->rule = case_text(c, name[rule], err);
  return b->rule ? add_arguments(c, p, s, b, err) : EW_FAIL;
}

/* A side wholly behind solids has no faces: a case need not, but may, give it a rule. */
static ew_status add_boundaries(ew_case *c, const dslc_program *p, const verify_setup *s, ew_error *err) {
  ew_status status = EW_OK;
  verify_parts parts;
  verify_find_parts(p, &parts);
  for (int i = 0; i < 2 * s->dim && status == EW_OK; i++) {
    const char *side = case_text(c, parts.side[i], err);
    if (!side) return EW_FAIL;
    if (!s->periodic[i / 2]) status = add_boundary(c, p, s, side, s->rule[i], err);
  }
  if (s->n_solids && status == EW_OK) status = add_boundary(c, p, s, "block", s->solid_rule, err);
  return status;
}

static ew_status add_shown(ew_case *c, const dslc_program *p, ew_error *err) {
  case_output *o = &c->output;
  size_t most = (size_t)(p->model.n_fields + p->model.n_globals + 1);
  o->field = case_alloc(c, most * sizeof *o->field, err);
  o->history = case_alloc(c, most * sizeof *o->history, err);
  if (!o->field || !o->history) return EW_FAIL;
  for (int i = 0; i < p->model.n_fields; i++) {
    const dslc_field *f = &p->model.field[i];
    bool open = f->kind == DSLC_QUANTITY && f->show < 0; /* on boundaries it has no value */
    if (!exec_can_show(p, f->place) || open) continue;
    if (!(o->field[o->n_fields++] = case_text(c, f->name, err))) return EW_FAIL;
  }
  for (int i = 0; i < p->model.n_globals; i++) {
    const char *name = p->model.global[i].name;
    if (exec_global_is_left_out(p, name)) continue;
    if (!(o->history[o->n_history++] = case_text(c, name, err))) return EW_FAIL;
  }
  return EW_OK;
}

/* Linear systems are solved to the last digits that a residual has, so that what differs is not what a scheme's own tolerance leaves open. */
static void set_solver(ew_case *c, const dslc_program *p) {
  if (p->execution.n_solves == 0) return;
  c->solver.tolerance = 1e-13;
  c->solver.iterations = 20000; /* of some hundred rows, in one of the slow ways to compute */
}

ew_status verify_make_case(const verify_source *of, const verify_setup *setup, ew_case **out, ew_error *err) {
  const dslc_program *scheme = of->scheme;
  ew_status status = case_create(out, err);
  if (status != EW_OK) return status;
  ew_case *c = *out;
  dslc_program *chosen = NULL;
  c->file = "case.lua";
  c->folder = case_text(c, of->folder, err);
  c->build.scheme = case_text(c, of->path, err);
  if (!c->folder || !c->build.scheme) EW_CHECK(EW_FAIL);
  c->time.stop = 1e9;
  c->time.max_steps = setup->steps;
  c->output.vtu = false;
  EW_CHECK(set_mesh(c, scheme, setup, of->folder, err));
  EW_CHECK(choose_variants(c, scheme, setup, &chosen, err));
  set_solver(c, chosen ? chosen : scheme);
  EW_CHECK(add_fields(c, scheme, setup, err));
  EW_CHECK(add_boundaries(c, scheme, setup, err));
  if (of->show) EW_CHECK(add_shown(c, chosen ? chosen : scheme, err));
cleanup:
  dslc_program_destroy(&chosen);
  if (status != EW_OK) case_destroy(out), *out = NULL;
  return status;
}
