/* What a report says of equations and how they are computed. */
#include <string.h>

#include "schedule/planner.h"

/* How it is known that a flux does not depend on which cell is L. */
static void note_side(planner *pl, const ir_symbol *q) {
  if (!q->is_flux && !q->is_fluctuation) return;
  const char *how = q->evidence == IR_PROVED    ? "proved"
                    : q->evidence == IR_SAMPLED ? "sampled"
                                                : "taken from the scheme";
  if (q->side == IR_SIDED) note(pl, q->text, "what R gets is not what L gets seen from R (sampled)");
  else note(pl, q->text, "the same from both sides of a face (%s)", how);
}

void note_selects(planner *pl, const select_report *r) {
  if (r->total == 0 || pl->in->schedule->select != SELECT_DELTA) return;
  note(pl, NULL,
       "of %d choices %d are Kronecker deltas, %d of them with a guard; %d stay, since an arm may not be "
       "finite",
       r->total, r->delta, r->guarded, r->kept);
}

/* Of an equation at one point, its uses of others not expanded. */
static ir_cost cost_alone(const planner *pl, const ir_symbol *q) {
  int faces = pl->program->space.faces_per_cell ? pl->program->space.faces_per_cell : 6;
  int neighbours = pl->from->dims == 3 ? 14 : 6; /* of a node, among simplices */
  return ir_cost_of(pl->from, q->root, q->root[1] ? 2 : 1, q->place == IR_NODES ? neighbours : faces);
}

/* A window is asked for, and there is none. Where the axes are not two, reading the setting says so. */
static void warn_of_window(planner *pl, const ir_symbol *q, bool windowed) {
  if (!pl->from->on_grid || pl->from->dims != 2 || windowed) return;
  if (schedule_form(pl->in->schedule, q->text) != FORM_WINDOW) return;
  diag *d = diag_report(pl->in->sink, DIAG_SCHEDULE_IMPOSSIBLE, q->at,
                        "`%s` is not computed in a window, though the schedule says so", q->text);
  diag_with_hint(pl->in->sink, d,
                 "an `update` can keep rows of what it reads and nobody needs before; stages of `integrate` "
                 "and globals read what is stored. `dslc report` says why");
}

/* What the schedule says of this equation itself; NULL: nothing, or a window. */
static const char *asked_word(const planner *pl, const ir_symbol *q) {
  static const char *const words[] = {
      [FORM_INLINE] = "inline", [FORM_STORE] = "store", [FORM_SCATTER] = "scatter", [FORM_PATCH] = "patch"};
  const schedule *s = pl->in->schedule;
  const form f = schedule_form(s, q->text);
  bool named = false; /* what holds for all parts of a block may be for one of them alone */
  for (int i = 0; i < s->choice.n; i++) named = named || strcmp(s->choice.at[i].text, q->text) == 0;
  return named && f != FORM_AUTO && f != FORM_WINDOW ? words[f] : NULL;
}

/* Why it has another form than it is asked to have; `made_so`: why it has that one. */
static const char *why_not(const ir_symbol *q, const char *asked, const char *made_so) {
  const bool scatter = strcmp(asked, "scatter") == 0, patch = strcmp(asked, "patch") == 0;
  if ((scatter || patch) && q->place != IR_FACES) return "that is for what lives at the faces of a mesh";
  if (scatter && !q->is_flux && !q->is_fluctuation)
    return "faces add into their cells what is a flux, or what a block gives to both sides";
  if (patch && strcmp(made_so, "the schedule says so") == 0) return "no cell sums it over its faces";
  return made_so;
}

/* Another form is asked for than the one that is made; `why` that is. */
static void warn_of_form(planner *pl, const ir_symbol *q, const char *made, const char *why) {
  const char *asked = asked_word(pl, q);
  if (!asked || !why || strcmp(asked, made) == 0) return;
  diag *d = diag_report(pl->in->sink, DIAG_SCHEDULE_IMPOSSIBLE, q->at,
                        "`%s` is not computed by `%s`, though the schedule says so: %s", q->text, asked,
                        why_not(q, asked, why));
  diag_with_hint(pl->in->sink, d, "it is computed by `%s`; results are the same", made);
}

static const char *type_word(ir_type t) {
  static const char *const words[] = {
      [IR_SCALAR] = "scalar", [IR_VECTOR] = "vector", [IR_TENSOR] = "tensor", [IR_TUPLE_RANK] = "tuple",
      [IR_LIST] = "list",     [IR_BOOL] = "bool",     [IR_INT] = "int"};
  return words[t.rank];
}

/* Do faces add it into a sum that is asked for? */
static bool is_scattered(const planner *pl, ir_sym sym) {
  for (int s = 1; s < pl->from->symbol.n && pl->storage[sym].scatter; s++)
    if (storage_adds(pl->from, (ir_sym)s, sym) && pl->found[s].kernel >= 0) return true;
  return false;
}

void add_report(planner *pl) {
  for (int s = 1; s < pl->from->symbol.n; s++) {
    const ir_symbol *q = ir_symbol_get(pl->from, (ir_sym)s);
    const symbol_storage *sp = &pl->storage[s];
    const bool windowed = pl->found[s].windowed, scattered = is_scattered(pl, (ir_sym)s);
    if ((q->kind != IR_EQUATION && q->kind != IR_GLOBAL) || !q->root[0]) continue;
    if (q->tuple.n_parts > 0 && !q->is_flux && !q->is_fluctuation) continue; /* a name for several states */
    ir_cost cost = cost_alone(pl, q);
    dslc_equation e = {.name = q->text,
                       .tag = q->tag,
                       .place = (dslc_place)q->place,
                       .kernel = pl->found[s].kernel,
                       .made = q->purpose.role != IR_AS_WRITTEN,
                       .flops_written = cost.written,
                       .flops = cost.shared,
                       .loads = cost.loads,
                       .file = other_file(pl, q->at),
                       .type = type_word(q->type),
                       .unit = q->unit,
                       .form = q->kind == IR_GLOBAL ? "global"
                               : windowed           ? "window"
                               : sp->patch          ? "patch"
                               : sp->stored         ? "store"
                               : scattered          ? "scatter"
                                                    : "inline"};
    int column;
    line_text(pl, q->at, &e.line, &column);
    vec_push(pl->memory, &pl->made->equation, e);
    const char *why = windowed                    ? "kept in rows it saves more work than it costs"
                      : sp->scatter && !scattered ? "nothing asks for the sums that faces would add it into"
                                                  : sp->why;
    if (why && !pl->use[s].hidden) note(pl, q->text, "%s, %s", e.form, why);
    warn_of_window(pl, q, windowed);
    if (!windowed && !pl->use[s].hidden && scattered == sp->scatter) warn_of_form(pl, q, e.form, sp->why);
    note_side(pl, q);
  }
}
