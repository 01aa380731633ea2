#include "sema/sema.h"

#include <string.h>

#include "sema/internal.h"

/* ---- functions shared by files ------------------------------------------------------------------------------ */

static void declare_function(sema *s, ast_decl *d) {
  entity *e = declare(s, d->head.text, ENTITY_FUNCTION, d, d->head.at);
  if (e) e->used = true;
}

/* ---- parameters' defaults -------------------------------------------------------------------------------------- */

static void lower_defaults(sema *s) {
  for (int i = 0; i < s->scheme->n_decls; i++)
    for (int k = 0; s->scheme->decls[i]->kind == AST_PARAMETER && k < s->scheme->decls[i]->n_params; k++) {
      const ast_param *p = &s->scheme->decls[i]->params[k];
      entity *e = find_entity(s, p->text);
      if (!e || e->kind != ENTITY_PARAMETER) continue;
      ir_id root = lower_default(s, p, e->type);
      ir_symbol *q = ir_symbol_get(s->module, e->sym);
      q->root[0] = root;
      q->bounds = lower_bounds(s, p, e->type, root);
    }
  check_default_cycles(s);
}

/* ---- bounds of givens -------------------------------------------------------------------------------------------- */

static void lower_bounds_of_givens(sema *s) {
  for (int i = 0; i < s->scheme->n_decls; i++) {
    const ast_decl *d = s->scheme->decls[i];
    for (int k = 0; d->kind == AST_GIVEN && d->bound && k < d->n_names; k++) {
      const entity *e = find_entity(s, d->names[k]);
      if (!e || e->kind != ENTITY_GIVEN || !e->sym) continue;
      const ast_param p = {.text = e->text, .at = d->names_at[k], .unit = d->unit, .bound = d->bound};
      const char *bounds = lower_bounds(s, &p, e->type, 0);
      ir_symbol_get(s->module, e->sym)->bounds = bounds;
    }
  }
}

/* ---- units ---------------------------------------------------------------------------------------------------------- */

static bool scheme_has_units(const ast_scheme *scheme) {
  for (int i = 0; i < scheme->n_decls; i++) {
    const ast_decl *d = scheme->decls[i];
    if (d->unit) return true;
    for (int k = 0; k < d->n_params; k++)
      if (d->params[k].unit || (d->params[k].value && d->params[k].value->unit)) return true;
  }
  return false;
}

static void publish_unit(sema *s, const entity *e) {
  if (!e->sym || !s->unit.check_units) return;
  ir_symbol *q = ir_symbol_get(s->module, e->sym);
  if (e->type.rank == IR_TUPLE_RANK || e->type.rank == IR_BOOL ||
      !units_is_known(s->unit.units, e->type.unit))
    return;
  q->unit = units_text(s->unit.units, e->type.unit, s->memory);
}

/* A parameter whose unit nothing forces: the check sees less than it could. (The unit of a state of a linear scheme is
 * free, and rightly so.) */
static void note_undetermined(sema *s, const entity *e) {
  if (s->options->quiet || e->kind != ENTITY_PARAMETER || !e->used || !s->unit.check_units ||
      e->type.rank == IR_BOOL || units_is_known(s->unit.units, e->type.unit))
    return;
  diag *d =
      complain(s, DIAG_UNIT_UNDETERMINED, e->at, "the unit of `%s` is not determined by its use", e->text);
  diag_with_hint(s->sink, d, "say it in brackets, [1] if it has none");
}

static void publish_units(sema *s) {
  for (int i = 0; i < name_map_size(s->table.entities); i++) {
    publish_unit(s, name_map_value(s->table.entities, i));
    note_undetermined(s, name_map_value(s->table.entities, i));
  }
  for (int i = 0; i < s->arguments.n; i++) publish_unit(s, s->arguments.at[i]);
  for (int i = 0; i < name_map_size(s->table.instances); i++)
    publish_unit(s, name_map_value(s->table.instances, i));
}

/* ---- the whole -------------------------------------------------------------------------------------------------------- */

static bool choose_dims(sema *s) {
  const ast_scheme *scheme = s->scheme;
  s->dims = scheme->dim ? scheme->dim : s->options->dims ? s->options->dims : 2;
  int least = scheme->on_grid ? 1 : 2;
  if (s->dims >= least && s->dims <= 3 &&
      (!scheme->dim || !s->options->dims || scheme->dim == s->options->dims))
    return true;
  if (scheme->dim && s->dims >= least && s->dims <= 3)
    complain(s, DIAG_TARGET, scheme->name_at, "scheme `%s` is written for %dD, not %dD", scheme->text,
             scheme->dim, s->options->dims);
  else
    complain(s, DIAG_TARGET, scheme->name_at, "a %s has %d to 3 dimensions, not %d",
             scheme->on_grid ? "grid" : "mesh", least, s->dims);
  return false;
}

/* Systems alone, iterated or not, need no time. */
static bool marches(const ir_stmt *list, int n) {
  for (int i = 0; i < n; i++) {
    if (list[i].kind == IR_REPEAT ? marches(list[i].body.at, list[i].body.n) : list[i].kind != IR_SOLVE)
      return true;
  }
  return false;
}

static void check_dt(sema *s) {
  if (s->dt_reported || find_entity(s, intern_str(s->names, "dt"))) return;
  if (!marches(s->module->step.at, s->module->step.n)) return;
  diag *d = complain(s, DIAG_NO_DT, s->scheme->name_at, "scheme `%s` does not say how long a time step is",
                     s->scheme->text);
  diag_with_hint(s->sink, d, "add an equation  dt = ...  above the step");
}

/* Functions of imports first: a scheme may call them. */
static void declare_functions(sema *s, const sema_files *files) {
  for (int i = 0; i < files->n_imports; i++)
    for (int k = 0; k < files->imports[i]->n_functions; k++)
      declare_function(s, files->imports[i]->functions[k]);
  for (int k = 0; k < files->file->n_functions; k++) declare_function(s, files->file->functions[k]);
}

ir_module *sema_analyse(arena *a, intern_pool *names, const sema_files *files, const sema_options *options,
                        diag_sink *sink, sema_info *info) {
  const ast_file *file = files->file;
  *info = (sema_info){0};
  int before = diag_errors(sink);
  if (!file->scheme) return NULL;
  sema s = {.memory = a,
            .names = names,
            .sink = sink,
            .files = files,
            .module = ir_create(a, names),
            .options = options,
            .info = info,
            .unit.units = units_create(a),
            .table.misplaced = name_map_create(a),
            .table.entities = name_map_create(a),
            .table.instances = name_map_create(a),
            .table.builtins = name_map_create(a),
            .positive = name_map_create(a)};
  s.scheme = file->scheme;
  s.has_exchange = s.scheme->exchanged;
  s.unit.check_units = info->has_units = scheme_has_units(s.scheme);
  if (!choose_dims(&s)) return NULL;
  s.module->scheme = s.scheme->text;
  s.module->dims = s.dims;
  s.module->on_grid = s.scheme->on_grid;
  if (s.module->rule.n == 0) vec_push(a, &s.module->rule, ((ir_rule){0}));
  declare_functions(&s, files);
  declare_all(&s);
  for (int i = 0; i < s.scheme->n_decls; i++)
    if (s.scheme->decls[i]->kind == AST_REQUIRE) note_requirements(&s, s.scheme->decls[i]->body.expr);
  declare_rules(&s);
  lower_defaults(&s);
  lower_bounds_of_givens(&s);
  lower_all(&s);
  lower_boundaries(&s);
  lower_requires(&s);
  lower_step(&s);
  check_dt(&s);
  if (diag_errors(sink) > before) return NULL;
  check_completeness(&s);
  publish_units(&s);
  if (!options->quiet && diag_errors(sink) == before) warn_unused(&s, file);
  return diag_errors(sink) > before ? NULL : s.module;
}

/* ---- variants ------------------------------------------------------------------------------------------------------------ */

/* Of more than a few combinations, some come first: all variants at their k-th choice, for every k, so that each choice occurs; then the
 * defaults with one variant changed. Then all, as far as one looks. */
enum { FEW_COMBINATIONS = 64 };

static bool has_choices(const ast_decl *d) { return d->kind == AST_VARIANT && d->part.variant.n > 0; }

sema_combinations sema_variant_combinations(const ast_file *file) {
  int most = 0;
  sema_combinations n = {.all = 1};
  for (int i = 0; file->scheme && i < file->scheme->n_decls; i++) {
    const ast_decl *d = file->scheme->decls[i];
    if (!has_choices(d)) continue;
    n.all *= d->part.variant.n;
    if (d->part.variant.n > most) most = d->part.variant.n;
    n.first += d->part.variant.n - 1;
  }
  n.first = n.all <= FEW_COMBINATIONS ? 0 : most + n.first;
  n.at_once = most;
  return n;
}

void sema_variant_combination(const ast_file *file, int index, arena *a, sema_options *options) {
  VEC(sema_setting) all = {0};
  const sema_combinations n = sema_variant_combinations(file);
  const bool counted = index >= n.first;
  int change = index - n.at_once, first_change = 0;
  if (counted) index -= n.first;
  for (int i = 0; file->scheme && i < file->scheme->n_decls; i++) {
    const ast_decl *d = file->scheme->decls[i];
    if (!has_choices(d)) continue;
    int k = 0;
    if (counted) k = index % d->part.variant.n, index /= d->part.variant.n;
    else if (change < 0) k = index % d->part.variant.n;
    else if (first_change <= change && change < first_change + d->part.variant.n - 1)
      k = change - first_change + 1;
    first_change += d->part.variant.n - 1;
    vec_push(a, &all, ((sema_setting){d->text, d->part.variant.choice[k]}));
  }
  options->n_variants = all.n;
  options->variant = all.at;
}
