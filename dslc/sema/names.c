/* Declared names: parameters, states, equations and so on, entered before anything is lowered. */
#include <string.h>

#include "sema/declared.h"
#include "sema/extend.h"
#include "front/tokens.h"
#include "sema/internal.h"

entity *find_entity(sema *s, name text) { return name_map_get(s->table.entities, text); }

/* centre.x, normal.y: what those vectors have by themselves. */
static bool is_part_of_builtin(name text) {
  static const char *const vectors[] = {"centre.", "normal.", "tangent."};
  for (int i = 0; i < 3; i++) {
    const size_t n = strlen(vectors[i]);
    if (strncmp(text, vectors[i], n) == 0 && is_component(text + n, strlen(text + n))) return true;
  }
  return false;
}

/* Names that mean something by themselves. */
static const char *reserved_because(sema *s, name text, entity_kind kind) {
  const char *dot = strrchr(text, '.'), *last = dot ? dot + 1 : "";
  if (strcmp(text, "dt") == 0 && kind != ENTITY_GLOBAL)
    return "the time step: one value, without a place, as in  dt = 1e-3";
  if (strcmp(text, "dt") == 0) return NULL;
  if (strncmp(text, "dt.", 3) == 0) return "a name of the time step's own, as dt.free is";
  if (is_builtin_name(text)) return "a built-in name";
  if (is_part_of_builtin(text)) return "a component of a built-in vector";
  if (text == s->scheme->dim_letter) return "the number of dimensions of this scheme";
  if (strcmp(last, "prev") == 0) return "the value of a quantity at the start of the step";
  if (strcmp(last, "old") == 0) return "the value of a quantity at the start of the pass";
  return NULL;
}

/* L and R, I and J, i, j and k stand in brackets, where no declaration changes what they mean. */
static void warn_letter(sema *s, name text, entity_kind kind, span at) {
  bool field =
      kind == ENTITY_STATE || kind == ENTITY_GIVEN || kind == ENTITY_EQUATION || kind == ENTITY_PARAMETER;
  if (!field || s->options->quiet || strlen(text) != 1 || !strchr("LRIJijk", *text)) return;
  bool used = s->module->on_grid && *text - 'i' >= 0 && *text - 'i' < s->dims;
  const char *home = strchr("LR", *text) ? "faces" : strchr("IJ", *text) ? "nodes" : NULL;
  for (int i = 0; i < s->scheme->n_decls && home && !s->module->on_grid; i++) {
    const ast_decl *d = s->scheme->decls[i];
    used = used || (d->place && strcmp(d->place, home) == 0);
  }
  if (!used) return;
  diag *d =
      complain(s, DIAG_SHADOWED, at, "`%s` is an index letter: in brackets it goes on to mean that", text);
  diag_with_hint(s->sink, d, "choose another name, for example `%s_`", text);
}

/* What is called has a name without dots. */
static void check_name(sema *s, const ast_head *h) {
  if (h->n_params == 0 || !strchr(h->text, '.')) return;
  diag *d = complain(s, DIAG_NOT_CALLABLE, h->at,
                     "`%s` has arguments, and a dot in its name: it could not be called", h->text);
  diag_with_hint(s->sink, d, "names of functions and operators have no dots");
}

static bool repeats(const ast_stmt *st, int n) {
  for (int i = 0; i < n; i++)
    if (st[i].kind == AST_REPEAT || repeats(st[i].body, st[i].n_body) || repeats(st[i].other, st[i].n_other))
      return true;
  return false;
}

/* A case asks for the passes of repeats by this name. */
static void warn_iterations(sema *s, const ast_decl *global) {
  bool counts = false;
  if (s->options->quiet || strcmp(global->head.text, "iterations") != 0) return;
  for (int i = 0; i < s->scheme->n_decls && !counts; i++) {
    const ast_decl *d = s->scheme->decls[i];
    counts = d->kind == AST_STEP && repeats(d->part.step.stmt, d->part.step.n);
  }
  if (!counts) return;
  diag *w =
      complain(s, DIAG_SHADOWED, global->head.at,
               "`iterations` hides the number of passes of `repeat`, which a case asks for by this name");
  diag_with_hint(s->sink, w, "choose another name, for example `iterations_`");
}

/* A global has no arguments: what was meant is a function, or an operator at a place. */
static void declare_global(sema *s, const ast_decl *d) {
  declare(s, d->head.text, ENTITY_GLOBAL, d, d->head.at);
  warn_iterations(s, d);
  if (d->head.n_params == 0) return;
  entity *e = find_entity(s, d->head.text);
  diag *g = complain(s, DIAG_NOT_CALLABLE, d->head.at, "`%s` has arguments but no place", d->head.text);
  diag_with_hint(
      s->sink, g,
      "a function of values is written  fn %s(%s%s) = ... , an operator on fields  %s(%s%s) @ cells = ...",
      d->head.text, d->head.param[0], d->head.n_params > 1 ? ", ..." : "", d->head.text, d->head.param[0],
      d->head.n_params > 1 ? ", ..." : "");
  if (e && e->decl == d) e->progress = FAILED;
}

/* Several imports may bring the same function. */
static bool is_brought_again(const sema *s, const entity *old, entity_kind kind, span at) {
  return kind == ENTITY_FUNCTION && is_same_place(old->at, at) && at.file != s->files->file->file;
}

entity *declare(sema *s, name text, entity_kind kind, const ast_decl *decl, span at) {
  entity *old = find_entity(s, text);
  if (old && is_brought_again(s, old, kind, at)) return NULL;
  if (old) {
    diag *d = complain(s, DIAG_DUPLICATE_NAME, at, "`%s` is declared twice", text);
    diag_with_span(s->sink, d, old->at, "it was declared here");
    return NULL;
  }
  const char *reserved = reserved_because(s, text, kind);
  if (reserved) {
    diag *d = complain(s, DIAG_RESERVED_NAME, at, "`%s` cannot be declared: it is %s", text, reserved);
    if (strcmp(text, "dt") == 0) s->dt_reported = true;
    else {
      const size_t n = is_part_of_builtin(text) ? strcspn(text, ".") : strlen(text);
      diag_with_hint(s->sink, d, "choose another name, for example `%.*s_%s`", (int)n, text, text + n);
    }
    return NULL;
  }
  entity *e = arena_new(s->memory, entity);
  *e = (entity){.text = text, .kind = kind, .decl = decl, .at = at};
  name_map_put(s->table.entities, text, e);
  warn_letter(s, text, kind, at);
  return e;
}

bool find_place(sema *s, name text, span at, ir_place *place) {
  static const struct {
    const char *text;
    ir_place place;
    bool grid, mesh;
  } places[] = {{"cells", IR_CELLS, true, true},     {"faces", IR_FACES, false, true},
                {"nodes", IR_NODES, false, true},    {"edges", IR_EDGES, false, true},
                {"xfaces", IR_XFACES, true, false},  {"yfaces", IR_YFACES, true, false},
                {"zfaces", IR_ZFACES, true, false},  {"xedges", IR_XEDGES, true, false},
                {"yedges", IR_YEDGES, true, false},  {"zedges", IR_ZEDGES, true, false},
                {"corners", IR_CORNERS, true, false}};
  const char *legal[12];
  int n = 0;
  for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
    bool here = s->module->on_grid ? places[i].grid : places[i].mesh;
    if (s->module->on_grid && places[i].place == IR_YFACES && s->dims < 2) here = false;
    if (s->module->on_grid && places[i].place >= IR_ZFACES && places[i].place <= IR_ZEDGES && s->dims < 3)
      here = false;
    if (here && strcmp(places[i].text, text) == 0) {
      *place = places[i].place;
      return true;
    }
    if (here) legal[n++] = places[i].text;
  }
  diag *d = complain(s, DIAG_UNKNOWN_PLACE, at, "`%s` is not a place of a %s", text,
                     s->module->on_grid ? "grid" : "mesh");
  const char *near = nearest_name(text, legal, n), *list = legal[0];
  for (int i = 1; i < n; i++) list = arena_printf(s->memory, "%s, %s", list, legal[i]);
  diag_did_you_mean(s->sink, d, near);
  bool between = strcmp(text, "xedges") == 0 || strcmp(text, "yedges") == 0 || strcmp(text, "zedges") == 0;
  diag_with_hint(s->sink, d, "the places are %s%s", list,
                 between && s->module->on_grid ? "; edges are places of 3D grids, in 2D they are the corners"
                                               : "");
  if (!s->module->on_grid && strcmp(text, "c") == 0)
    diag_with_hint(s->sink, d, "what belongs to one cell: the faces of it are `f of c`");
  if (!s->module->on_grid && strcmp(text, "I") == 0)
    diag_with_hint(s->sink, d, "what belongs to one node: its neighbours are `J near I`");
  return false;
}

/* `m2` for `m^2`: the unit that the letters name, or NULL. */
static const char *unit_with_digits(sema *s, const char *text) {
  size_t letters = strcspn(text, "0123456789");
  const unit *known;
  if (letters == 0 || letters == strlen(text) || text[letters + strspn(text + letters, "0123456789")])
    return NULL;
  name base = intern_str(s->names, arena_printf(s->memory, "%.*s", (int)letters, text));
  return units_named(s->unit.units, base, &known) ? arena_printf(s->memory, "%s^%s", base, text + letters)
                                                  : NULL;
}

const unit *lower_unit(sema *s, const ast_unit *u) {
  if (!u) return units_unknown(s->unit.units);
  const unit *r = NULL;
  for (int i = 0; i < u->n; i++) {
    const unit *f;
    if (!units_named(s->unit.units, u->factor[i].base, &f)) {
      int n;
      const char *const *known = units_names(&n);
      const char *near = nearest_name(u->factor[i].base, known, n);
      diag *d = complain(s, DIAG_UNKNOWN_UNIT, u->factor[i].at, "`%s` is not a unit", u->factor[i].base);
      const char *power = unit_with_digits(s, u->factor[i].base);
      if (power) diag_with_edit(s->sink, diag_with_label(s->sink, d, "write `%s`", power), power);
      else diag_did_you_mean(s->sink, d, near);
      diag_with_hint(s->sink, d,
                     "units are m s kg K A mol cd and N Pa J W Hz C V F Ohm S T Wb H; scale factors are not "
                     "units: write numbers in these");
      f = units_unknown(s->unit.units);
    }
    r = units_product(s->unit.units, r, units_power(s->unit.units, f, u->factor[i].num, u->factor[i].den));
  }
  return r;
}

value_type declared_type(sema *s, const ast_type *t, const unit *u) {
  if (!t) return type_scalar(u);
  switch (t->rank) {
  case AST_SCALAR: break;
  case AST_VECTOR: return type_of(IR_VECTOR, s->dims, u);
  case AST_TENSOR: return type_of(IR_TENSOR, s->dims * s->dims, u);
  case AST_BOOL: return type_of(IR_BOOL, 1, NULL);
  case AST_INT: return type_scalar(NULL); /* whole numbers are exact in a real: a number without unit */
  case AST_REAL_N:
    if (t->n <= MAX_COMPONENTS) return type_of(IR_LIST, t->n, u);
    complain(s, DIAG_TUPLE_SHAPE, t->at, "a real[n] has at most %d elements, this has %d", MAX_COMPONENTS,
             t->n);
  }
  return type_scalar(u);
}

void refuse_whole(sema *s, name text, const ast_type *t) {
  if (!t || t->rank != AST_INT) return;
  diag *d = complain(s, DIAG_UNKNOWN_TYPE, t->at,
                     "`%s` cannot be an int: states, givens and equations are real", text);
  diag_with_hint(s->sink, d, "leave the type out; floor(...) makes a number whole");
}

int variant_choice(sema *s, const entity *e) {
  for (int i = 0; i < s->info->n_variants; i++)
    if (s->info->variant[i].text == e->text) return s->info->variant[i].chosen;
  return 0;
}

/* ---- symbols ------------------------------------------------------------------------------------------------ */

static ir_sym add_symbol(sema *s, entity *e, ir_symbol_kind kind) {
  ir_symbol sym = {.text = e->text,
                   .kind = kind,
                   .place = e->place,
                   .type = ir_type_of(e->type),
                   .dims = s->dims,
                   .at = e->at,
                   .tag = e->decl->tag,
                   .over_time = e->decl->over_time};
  e->sym = ir_symbol_add(s->module, sym);
  e->progress = DONE;
  return e->sym;
}

static void declare_parameters(sema *s, const ast_decl *d) {
  for (int i = 0; i < d->n_params; i++) {
    entity *e = declare(s, d->params[i].text, ENTITY_PARAMETER, d, d->params[i].at);
    if (!e) continue;
    e->type = declared_type(s, d->params[i].type, lower_unit(s, d->params[i].unit));
    add_symbol(s, e, IR_PARAMETER);
  }
}

static void declare_variant(sema *s, const ast_decl *d) {
  entity *e = declare(s, d->text, ENTITY_VARIANT, d, d->name_at);
  if (!e) return;
  for (int i = 1; i < d->part.variant.n; i++)
    for (int k = 0; k < i; k++)
      if (d->part.variant.choice[i] == d->part.variant.choice[k])
        complain(s, DIAG_DUPLICATE_NAME, d->part.variant.at[i], "variant `%s` has the choice `%s` twice",
                 d->text, d->part.variant.choice[i]);
  sema_variant v = {.text = d->text, .n_choices = d->part.variant.n, .choice = d->part.variant.choice};
  for (int k = 0; k < s->options->n_variants; k++) {
    if (strcmp(s->options->variant[k].name, d->text) != 0) continue;
    v.chosen = -1;
    for (int i = 0; i < d->part.variant.n; i++)
      if (strcmp(d->part.variant.choice[i], s->options->variant[k].value) == 0) v.chosen = i;
    if (v.chosen >= 0) continue;
    const char *near = nearest_name(s->options->variant[k].value, (const char *const *)d->part.variant.choice,
                                    d->part.variant.n);
    diag *g = complain(s, DIAG_VARIANT_VALUE, d->at, "variant `%s` has no choice `%s`", d->text,
                       s->options->variant[k].value);
    if (near) diag_with_hint(s->sink, g, "did you mean `%s`?", near);
    v.chosen = 0;
  }
  sema_info *info = s->info;
  sema_variant *grown = arena_array(s->memory, sema_variant, info->n_variants + 1);
  if (info->n_variants) memcpy(grown, info->variant, sizeof *grown * (size_t)info->n_variants);
  grown[info->n_variants++] = v;
  info->variant = grown;
}

/* What was declared at a place that does not exist is not unknown where it is used. */
static void misplace(sema *s, name text) { name_map_put(s->table.misplaced, text, (void *)text); }

static bool is_misplaced(sema *s, name text) {
  for (const char *end = text + strlen(text); end; end = strrchr(text, '.')) {
    text = intern_str(s->names, arena_printf(s->memory, "%.*s", (int)(end - text), text));
    if (name_map_get(s->table.misplaced, text)) return true;
  }
  return false;
}

/* A case gives of such a state a vector, of which each face takes its part along the normal. */
static void refuse_rank_of_flux(sema *s, const entity *e) {
  diag *d = complain(s, DIAG_RANK_MISMATCH, e->at,
                     "`%s` is a state that points from L to R, so it is a scalar, not a %s", e->text,
                     type_text(s, e->type));
  diag_with_hint(s->sink, d,
                 "declare a flux for each component, or a vector without `flux`:  state %s : vector @ faces",
                 e->text);
}

static void declare_fields(sema *s, const ast_decl *d, entity_kind kind) {
  ir_place place = IR_NOWHERE; /* a state of one value */
  bool found = !d->place || find_place(s, d->place, d->place_at, &place);
  if (found && d->is_flux && place != IR_FACES) {
    report_flux_place(s, place, d->place_at);
    found = false;
  }
  if (!found) {
    for (int i = 0; i < d->n_names; i++) misplace(s, d->names[i]);
    return;
  }
  for (int i = 0; i < d->n_names; i++) {
    entity *e = declare(s, d->names[i], kind, d, d->names_at[i]);
    if (!e) continue;
    e->place = place;
    e->type = declared_type(s, d->type, lower_unit(s, d->unit));
    refuse_whole(s, e->text, d->type);
    if (d->is_flux && e->type.rank != IR_SCALAR) refuse_rank_of_flux(s, e);
    add_symbol(s, e, kind == ENTITY_STATE ? IR_STATE : IR_GIVEN);
    if (kind == ENTITY_STATE && place == IR_FACES && !s->module->on_grid) {
      ir_symbol *q = ir_symbol_get(s->module, e->sym);
      q->is_flux = d->is_flux, q->side = d->is_flux ? IR_ODD : IR_EVEN; /* every step is held to it */
    }
    if (e->type.rank == IR_BOOL) ir_symbol_get(s->module, e->sym)->bounds = DSLC_BOUNDS_BOOL;
  }
}

/* A block declares its own name (read as the flux, if it has one) and one name per result: block.result. */
static void declare_equation(sema *s, const ast_decl *d) {
  ir_place place;
  if (!find_place(s, d->place, d->place_at, &place)) {
    misplace(s, d->head.text);
    return;
  }
  entity *e = declare(s, d->head.text, ENTITY_EQUATION, d, d->head.at);
  if (!e) return;
  e->place = place;
  if (d->part.block.n == 0 && !d->body.expr) {
    diag *g = complain(s, DIAG_UNKNOWN_MEMBER, d->head.at, "the block of `%s` is empty", e->text);
    diag_with_hint(s->sink, g,
                   "a block gives results:  flux = ...  or  to L = ...  to R = ...  or  name = ...");
    e->progress = FAILED;
    return;
  }
  e->has_block = d->part.block.n > 0;
  if (e->has_block && d->head.n_params) {
    diag *g = complain(s, DIAG_NOT_CALLABLE, d->head.at,
                       "`%s` has arguments and a block: an operator is one formula", e->text);
    diag_with_hint(s->sink, g, "write  %s(...) @ %s = ... where ..., or leave out the arguments", e->text,
                   d->place);
    e->progress = FAILED;
    return;
  }
  for (int i = 0; i < d->part.block.n; i++) {
    const ast_result *r = &d->part.block.result[i];
    if (r->kind != AST_RESULT_NAME) continue;
    name text = intern_str(s->names, arena_printf(s->memory, "%s.%s", d->head.text, r->text));
    entity *part = declare(s, text, ENTITY_EQUATION, d, r->at);
    if (!part) continue;
    part->place = place;
    part->result = r;
    part->has_block = true;
  }
}

static void check_formals(sema *s, const ast_head *h) {
  for (int i = 0; i < h->n_params; i++) warn_hiding(s, h->param[i], h->param_at[i]);
  for (int i = 1; i < h->n_params; i++)
    for (int k = 0; k < i; k++)
      if (h->param[i] == h->param[k])
        complain(s, DIAG_DUPLICATE_NAME, h->param_at[i], "`%s` has two arguments `%s`", h->text, h->param[i]);
}

static void declare_one(sema *s, const ast_decl *d) {
  check_formals(s, &d->head);
  check_name(s, &d->head);
  entity *e;
  switch (d->kind) {
  case AST_PARAMETER: declare_parameters(s, d); break;
  case AST_VARIANT: declare_variant(s, d); break;
  case AST_STATE: declare_fields(s, d, ENTITY_STATE); break;
  case AST_GIVEN: declare_fields(s, d, ENTITY_GIVEN); break;
  case AST_FUNCTION: declare(s, d->head.text, ENTITY_FUNCTION, d, d->head.at); break;
  case AST_EQUATION: declare_equation(s, d); break;
  case AST_GLOBAL: declare_global(s, d); break;
  case AST_MATRIX:
    e = declare(s, d->text, ENTITY_MATRIX, d, d->name_at);
    if (e) e->place = IR_EDGES;
    break;
  case AST_BOUNDARY:
  case AST_EXCHANGE:
  case AST_REQUIRE:
  case AST_STEP: break;
  }
}

/* `u.x` is what the vector `u` has there, and nothing else. */
static void check_component(sema *s, const ast_decl *d) {
  const char *dot = d->head.text ? strrchr(d->head.text, '.') : NULL;
  if (!dot || !is_component(dot + 1, strlen(dot + 1))) return;
  const name owner = intern(s->names, d->head.text, (size_t)(dot - d->head.text));
  const entity *e = find_entity(s, owner);
  const ast_type *t = e && e->decl ? e->decl->type : NULL;
  const bool typed = t && (t->rank == AST_VECTOR || t->rank == AST_TENSOR);
  if (!e || !(typed || e->type.rank == IR_VECTOR || e->type.rank == IR_TENSOR)) return;
  diag *g = complain(s, DIAG_DUPLICATE_NAME, d->head.at, "`%s` is declared twice: it is a component of `%s`",
                     d->head.text, owner);
  diag_with_span(s->sink, g, e->at, "it was declared here");
}

void declare_all(sema *s) {
  for (int i = 0; i < s->scheme->n_decls; i++) declare_one(s, s->scheme->decls[i]);
  for (int i = 0; i < s->scheme->n_decls; i++) check_component(s, s->scheme->decls[i]);
  for (int k = 0; k < s->options->n_variants; k++) {
    bool known = false;
    const char *names[64];
    int n = 0;
    for (int i = 0; i < s->info->n_variants; i++) {
      known = known || strcmp(s->info->variant[i].text, s->options->variant[k].name) == 0;
      if (n < 64) names[n++] = s->info->variant[i].text;
    }
    if (known) continue;
    diag *d = complain(s, DIAG_VARIANT_VALUE, s->scheme->name_at, "scheme `%s` has no variant `%s`",
                       s->scheme->text, s->options->variant[k].name);
    const char *near = nearest_name(s->options->variant[k].name, names, n);
    if (near) diag_with_hint(s->sink, d, "did you mean `%s`?", near);
  }
}

/* ---- unknown names ---------------------------------------------------------------------------------------------- */

static bool report_no_dt(sema *s, name text, span at) {
  if (strcmp(text, "dt") != 0) return false;
  if (s->dt_reported) return true;
  s->dt_reported = true;
  diag *d = complain(s, DIAG_NO_DT, at, "`dt` is used, but scheme `%s` does not say how long a time step is",
                     s->scheme->text);
  diag_with_hint(s->sink, d, "add an equation  dt = ...  above the step");
  return true;
}

enum { MANY_ERRORS = 50 }; /* then looking for near names takes longer than it helps */

#define SAY_HOW "it as sums or differences: operators are equations with arguments, gradient(s) @ cells = ..."

/* Functions of other languages that are written otherwise here. */
static void hint_at_own_form(sema *s, diag *d, name text) {
  static const char *const form[][2] = {{"pow", "s^2"},
                                        {"ln", "log(s)"},
                                        {"distance",
                                         "distance_to(wall) for the distance to a part of the "
                                         "boundary; at faces `distance` is that between the cells"},
                                        {"fabs", "abs(s)"},
                                        {"ceil", "-floor(-s)"},
                                        {"round", "floor(s + 1/2)"},
                                        {"mod", "s - n*floor(s/n)"},
                                        {"fmod", "s - n*floor(s/n)"},
                                        {"heaviside", "if s > 0 then 1 else 0"},
                                        {"average", "mean(q), at faces that of both sides"},
                                        {"avg", "mean(q), at faces that of both sides"},
                                        {"sum", "what is summed over, as in  sum(f of c) area*q"},
                                        {"grad", SAY_HOW},
                                        {"gradient", SAY_HOW},
                                        {"div", SAY_HOW},
                                        {"divergence", SAY_HOW},
                                        {"laplacian", SAY_HOW},
                                        {"laplace", SAY_HOW},
                                        {"curl", SAY_HOW}};
  for (size_t i = 0; i < sizeof form / sizeof *form; i++)
    if (strcmp(text, form[i][0]) == 0) diag_with_hint(s->sink, d, "write %s", form[i][1]);
}

/* Names of one `where` or `let` see those before them. */
static bool report_later(sema *s, name text, span at, const context *c) {
  for (int i = 0; i < c->n_later; i++)
    for (int k = 0; k < c->later[i].n_names; k++)
      if (c->later[i].names[k] == text) {
        diag *d = complain(s, DIAG_UNKNOWN_NAME, at, "`%s` is not known yet: it is named further on", text);
        diag_with_span(s->sink, d, c->later[i].names_at[k], "here; each name sees those before it");
        diag_with_hint(s->sink, d, "let `%s = ...` stand before what uses it", text);
        return true;
      }
  return false;
}

static void hint_at_choice(sema *s, diag *d, name text) {
  for (int i = 0; i < name_map_size(s->table.entities); i++) {
    const entity *e = find_entity(s, name_map_key(s->table.entities, i));
    for (int k = 0; e && e->kind == ENTITY_VARIANT && k < e->decl->part.variant.n; k++)
      if (e->decl->part.variant.choice[k] == text)
        diag_with_hint(s->sink, d, "`%s` is a choice of variant `%s`: write  %s == %s", text, e->text,
                       e->text, text);
  }
}

void report_unknown(sema *s, name text, span at, const context *c) {
  if (report_no_dt(s, text, at) || is_misplaced(s, text) || report_later(s, text, at, c)) return;
  if (diag_errors(s->sink) > MANY_ERRORS) {
    complain(s, DIAG_UNKNOWN_NAME, at, "`%s` is not a name of this scheme", text);
    return;
  }
  VEC(const char *) all = {0};
  for (const binding *b = c->env; b; b = b->next) vec_push(s->memory, &all, b->text);
  for (int i = 0; i < name_map_size(s->table.entities); i++)
    vec_push(s->memory, &all, name_map_key(s->table.entities, i));
  int n;
  const char *const *builtin = builtin_names(&n);
  for (int i = 0; i < n; i++) vec_push(s->memory, &all, builtin[i]);
  if (!s->module->on_grid)
    for (int i = 0; i < NAMES_WITH_PARTS; i++) vec_push(s->memory, &all, names_with_parts[i]);
  for (int op = 0; op < IR_OP_COUNT; op++) {
    ir_op found;
    if (ir_op_find_function(ir_op_get((ir_op)op)->text, &found))
      vec_push(s->memory, &all, ir_op_get((ir_op)op)->text);
  }
  const char *near = nearest_name(text, all.at, all.n);
  const bool truth = strcmp(text, "true") == 0 || strcmp(text, "false") == 0;
  diag *d = complain(s, DIAG_UNKNOWN_NAME, at, "`%s` is not a name of this scheme", text);
  if (truth)
    diag_with_hint(s->sink, d, "a condition is a comparison: `%s` is %s", text,
                   text[0] == 't' ? "1 > 0" : "1 < 0");
  else diag_did_you_mean(s->sink, d, near);
  hint_at_own_form(s, d, text);
  hint_at_library(s, d, text);
  hint_at_choice(s, d, text);
  anchor a[6];
  int na = anchors_of(c, a);
  for (int i = 0; i < na; i++)
    if (a[i].letter && strcmp(a[i].letter, text) == 0)
      diag_with_hint(s->sink, d, "`%s` is an index here: it stands in brackets, as in name[%s]", text, text);
}
