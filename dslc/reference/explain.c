/* What went wrong, in words: which value, where, when, from what. A value that is not finite is evaluated once more, and the first
 * operation that makes such a value of finite ones is the reason. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reference/reference.h"

static arena *text_memory(dslc_reference *r) { return r->step_memory ? r->step_memory : r->memory; }

int ref_line(const dslc_reference *r, span at) {
  int line = 0, column = 0;
  if (at.end > at.start) source_position(r->from->sources, at.file, at.start, &line, &column);
  return line;
}

const char *ref_line_text(dslc_reference *r, span at) {
  const char *path = source_get(r->from->sources, at.file)->path;
  const char *slash = strrchr(path, '/');
  const bool own = strcmp(path, r->from->path) == 0;
  return arena_printf(text_memory(r), "line %d%s%s", ref_line(r, at), own ? "" : " of ",
                      own     ? ""
                      : slash ? slash + 1
                              : path);
}

/* ---- places ----------------------------------------------------------------------------------------------------------------- */

static const char *coordinates(dslc_reference *r, const double *x) {
  const char *text = "";
  for (int d = 0; d < r->world.d->dim; d++)
    text = arena_printf(text_memory(r), "%s%s%.9g", text, d ? ", " : "", x[d]);
  return arena_printf(text_memory(r), "(%s)", text);
}

static void point_of(dslc_reference *r, ir_place place, const int32_t p[3], double *x) {
  for (int a = 0; a < r->world.d->dim; a++) {
    const double *face = r->world.grid->face[a];
    bool on_face = ref_staggered(place, a);
    x[a] = on_face ? face[p[a]] : 0.5 * (face[p[a]] + face[p[a] + 1]);
  }
}

static bool centre_of(dslc_reference *r, ir_place place, int32_t entity, double *x) {
  static const dslc_source centre = {.kind = DSLC_SOURCE_CENTRE};
  int dim = r->world.d->dim;
  size_t n = (size_t)r->world.count[place] + (place == IR_CELLS ? (size_t)r->world.mesh->n_ghosts : 0);
  double *all = arena_array(text_memory(r), double, n *(size_t)dim + 1);
  if ((size_t)entity >= n || !r->world.d->geometry(r->world.d->context, (dslc_place)place, &centre, dim, all))
    return false;
  memcpy(x, all + (size_t)entity * (size_t)dim, (size_t)dim * sizeof *x);
  return true;
}

const char *ref_index_text(dslc_reference *r, const int32_t p[3]) {
  const char *index = "";
  for (int a = 0; a < r->world.d->dim; a++)
    index = arena_printf(text_memory(r), "%s%s%d", index, a ? "," : "", p[a]);
  return index;
}

static const char *point_text(dslc_reference *r, ir_place place, int32_t entity) {
  int32_t p[3];
  double x[3];
  ref_point_at(r, place, entity, p);
  point_of(r, place, p, x);
  return arena_printf(text_memory(r), " at %s [%s], %s", ir_place_text(place), ref_index_text(r, p),
                      coordinates(r, x));
}

/* " at cell 12, (0.5, 0.25)"; "" where there is no place. */
static const char *place_text(dslc_reference *r, ir_place place, int32_t entity) {
  static const char *const words[] = {"", "cell", "face", "node", "edge"};
  double x[3];
  if (place == IR_NOWHERE || entity < 0) return "";
  if (r->world.grid) return point_text(r, place, entity);
  if (place == IR_EDGES)
    return arena_printf(text_memory(r), " at the edge from node %d to node %d", r->world.edge_first[entity],
                        r->world.mesh->edge_second[entity]);
  bool ghost = place == IR_CELLS && entity >= r->world.mesh->n_cells;
  const char *where = centre_of(r, place, entity, x) ? coordinates(r, x) : "";
  if (ghost) return arena_printf(text_memory(r), " beyond the boundary, %s", where);
  return arena_printf(text_memory(r), " at %s %d, %s", words[place], entity, where);
}

/* ---- messages ------------------------------------------------------------------------------------------------------------------ */

static const char *vformat(dslc_reference *r, const char *fmt, va_list ap) {
  return arena_vprintf(r->memory, fmt, ap);
}

void ref_fail(dslc_reference *r, dslc_ref_status status, const char *fmt, ...) {
  va_list ap;
  va_start(ap, fmt);
  r->end.message = vformat(r, fmt, ap);
  va_end(ap);
  r->end.status = status;
  r->work.tracing = false;
  longjmp(r->end.recovery, 1);
}

enum { MOST_TOLD = 8 };

/* "`dt`, which must be above 0," */
static bool ends_in_comma(const char *text) { return *text && text[strlen(text) - 1] == ','; }

/* What is being evaluated, innermost first. */
static const char *trail_text(dslc_reference *r) {
  const char *text = "";
  int told = 0;
  for (const ref_trail *t = r->work.trail; t && told < MOST_TOLD; t = t->outer, told++) {
    const bool known = ref_line(r, t->at) > 0;
    text = arena_printf(text_memory(r), "%s\n  %s %s%s", text, told ? "needed for" : "in", t->what,
                        place_text(r, t->place, t->entity));
    if (known)
      text = arena_printf(text_memory(r), "%s%s %s", text, ends_in_comma(text) ? "" : ",",
                          ref_line_text(r, t->at));
  }
  return text;
}

void ref_fault(dslc_reference *r, ir_place place, int32_t entity, const char *fmt, ...) {
  va_list ap;
  const ref_trail *t = r->work.trail;
  va_start(ap, fmt);
  const char *what = vformat(r, fmt, ap);
  va_end(ap);
  r->end.where = (dslc_place)place, r->end.entity = entity;
  for (; t && (entity < 0 || place == IR_NOWHERE); t = t->outer) place = t->place, entity = t->entity;
  if (r->end.where == DSLC_NOWHERE) r->end.where = (dslc_place)place, r->end.entity = entity;
  ref_fail(r, DSLC_REF_FAULT, "at t = %.9g%s: %s%s", r->now.t,
           t == r->work.trail ? place_text(r, place, entity) : "", what, trail_text(r));
}

/* ---- values ---------------------------------------------------------------------------------------------------------------------- */

static const char *numbers_text(dslc_reference *r, const double *v, int n) {
  const char *text = "";
  for (int i = 0; i < n && i < 9; i++)
    text = arena_printf(text_memory(r), "%s%s%.9g", text, i ? ", " : "", isnan(v[i]) ? NAN : v[i]);
  return n > 1 ? arena_printf(text_memory(r), "(%s)", text) : text;
}

const char *ref_formula_text(dslc_reference *r, ir_id id) { return ir_show(r->m, r->memory, id); }

/* One more line of operands; none of a number as it is written. */
static const char *with_operand(dslc_reference *r, const char *operands, ir_id id, const double *value) {
  const ir_node *n = ir_get(r->m, id);
  if (n->op == IR_CONST) return operands;
  const char *text = n->type.rank == IR_BOOL
                         ? arena_printf(text_memory(r), "is %s", value[0] != 0 ? "true" : "false")
                         : arena_printf(text_memory(r), "= %s", numbers_text(r, value, n->type.n));
  return arena_printf(text_memory(r), "%s\n    %s %s", operands, ref_formula_text(r, id), text);
}

static bool is_bad(const dslc_reference *r, const double *v, int n) {
  for (int i = 0; i < n; i++)
    if (r->work.wants_nan ? isnan(v[i]) : !isfinite(v[i])) return true;
  return false;
}

void ref_look_at(dslc_reference *r, ir_id id, const double *value, const double *const *arg) {
  const ir_node *n = ir_get(r->m, id);
  const ir_id *args = ir_args(r->m, n);
  bool leaf = n->op == IR_READ || n->op == IR_PARAM;
  if (n->op == IR_CONST || !is_bad(r, value, n->type.n)) return;
  for (int k = 0; k < n->n_args; k++)
    if (is_bad(r, arg[k], ir_get(r->m, args[k])->type.n)) return; /* it comes from farther down */
  ir_symbol_kind kind = leaf ? ir_symbol_get(r->m, n->read.sym)->kind : IR_EQUATION;
  if (leaf && (kind == IR_EQUATION || kind == IR_GLOBAL || kind == IR_MATRIX)) return;
  const char *operands = "";
  for (int k = 0; k < n->n_args && k < 6; k++) operands = with_operand(r, operands, args[k], arg[k]);
  r->work.tracing = false;
  ref_fault(r, IR_NOWHERE, -1, "%s is %s%s", ref_formula_text(r, id), numbers_text(r, value, n->type.n),
            operands);
}

/* ---- explanations ------------------------------------------------------------------------------------------------------------------ */

void ref_explain(dslc_reference *r, ref_env *env, const ref_stand *at, ir_id root, const char *what,
                 span where) {
  double value[256];
  const ref_trail trail = {.what = what, .at = where, .place = at->place, .entity = at->at};
  ref_evaluate(r, env, at, root, value);
  int n = ir_get(r->m, root)->type.n;
  r->work.trail = &trail;
  r->work.wants_nan = false;
  for (int i = 0; i < n; i++) r->work.wants_nan = r->work.wants_nan || isnan(value[i]);
  r->work.tracing = is_bad(r, value, n);
  double again[256];
  ref_changed(env);
  if (r->work.tracing) ref_evaluate(r, env, at, root, again);
  r->work.tracing = false;
  r->work.trail = NULL;
  ref_fault(r, at->place, at->at, "%s: %s is %s", ref_line_text(r, where), what, numbers_text(r, value, n));
}

/* The operands of a requirement that does not hold. */
void ref_explain_false(dslc_reference *r, ref_env *env, const ref_stand *at, const ir_require *q) {
  const ir_node *n = ir_get(r->m, q->condition);
  const char *operands = "";
  r->work.trail = NULL;
  for (int k = 0; k < n->n_args; k++) {
    double value[256];
    ir_id arg = ir_args(r->m, n)[k];
    ref_evaluate(r, env, at, arg, value);
    operands = with_operand(r, operands, arg, value);
  }
  ref_fault(r, at->place, at->at, "%s: `require %s` does not hold%s", ref_line_text(r, q->at), q->text,
            operands);
}
