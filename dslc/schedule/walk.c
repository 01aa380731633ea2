/* The walk: from the statements of a step to sections of launches. */
#include <float.h>
#include <stdarg.h>
#include <string.h>

#include "base/defects.h"
#include "schedule/grid.h"
#include "schedule/nodes.h"

void note(planner *pl, const char *subject, const char *fmt, ...) {
  va_list ap;
  va_start(ap, fmt);
  const char *text = arena_vprintf(pl->memory, fmt, ap);
  va_end(ap);
  dslc_note made = {.text = text};
  if (subject) made = (dslc_note){arena_printf(pl->memory, "%s: %s", subject, text), (int)strlen(subject)};
  vec_push(pl->memory, &pl->made->note, made);
}

/* ---- updates --------------------------------------------------------------------------------------------------------- */

static int state_field(const planner *pl, ir_sym state) {
  int n = 0;
  for (ir_sym s = 1; s < state; s++) n += ir_symbol_get(pl->to, s)->kind == IR_STATE;
  return n;
}

/* On grids: is the old value of the state looked at from other points, or from another of the same kernel's places? A fix that
 * looks inside does. */
typedef struct old_search {
  const planner *pl;
  ir_sym state;
  bool found;
} old_search;

static void find_old(void *ctx, ir_id id) {
  old_search *s = ctx;
  const ir_node *n = ir_get(s->pl->to, id);
  if (n->op == IR_READ && n->read.sym == s->state && n->read.level == IR_NOW) s->found = true;
}

/* What is being assigned to a point inside is computed again, from old values there, unless it stands in a table. */
static void search_assigned(planner *pl, const plan_function *f, ir_id value, old_search *s) {
  ir_reached all = ir_reach(pl->to, &value, 1);
  for (int i = 0; i < all.n; i++) {
    int called = plan_called(pl->plan, all.at[i], f);
    const plan_function *assigned = called < 0 ? NULL : &pl->plan->function.at[called];
    if (assigned && assigned->kind == PLAN_FUNCTION_VALUE && !assigned->table)
      each_node(pl, &assigned->value, 1, find_old, s);
  }
}

static void search_fix(planner *pl, int function, old_search *s) {
  const plan_function *f = &pl->plan->function.at[function];
  for (int i = 0; i < f->fix.n; i++) {
    each_node(pl, &f->fix.at[i].value, 1, find_old, s);
    search_assigned(pl, f, f->fix.at[i].value, s);
  }
  if (f->fresh && f->fresh[s->state]) s->found = true;
}

static bool read_at_other_points(planner *pl, const pending_list *all, ir_sym state) {
  old_search s = {pl, state, false};
  for (int i = 0; i < all->n && !s.found; i++) {
    ir_reached reached = ir_reach(pl->to, all->at[i].value, all->at[i].n);
    for (int k = 0; k < reached.n; k++) {
      const ir_node n = *ir_get(pl->to, reached.at[k]);
      if (n.op == IR_READ && n.read.at != IR_AT_HERE) find_old(&s, reached.at[k]);
      if (plan_called(pl->plan, reached.at[k], NULL) >= 0 && n.op == IR_READ)
        each_node(pl, &reached.at[k], 1, find_old, &s);
      if (n.op == IR_FIXED) search_fix(pl, n.first, &s);
    }
  }
  return s.found;
}

static bool is_target(const pending_list *all, ir_sym sym) {
  for (int i = 0; i < all->n; i++)
    if (all->at[i].target == sym) return true;
  return false;
}

/* Must the new values go to a second buffer? Yes if some work-item reads another's old value. */
static bool read_elsewhere(planner *pl, const pending_list *all, ir_sym state) {
  if (pl->from->on_grid) return window_reads(pl, state) || read_at_other_points(pl, all, state);
  for (int i = 0; i < all->n; i++) {
    ir_reached reached = ir_reach(pl->to, all->at[i].value, all->at[i].n);
    bool other_place = ir_symbol_get(pl->to, all->at[i].target)->place != ir_symbol_get(pl->to, state)->place;
    for (int k = 0; k < reached.n; k++) {
      const ir_node *n = ir_get(pl->to, reached.at[k]);
      if (n->op == IR_READ && n->read.sym == state && n->read.level == IR_NOW &&
          (other_place || n->read.at != IR_AT_HERE))
        return true;
      if (patch_reads_state(pl, reached.at[k], state)) return true;
    }
  }
  return false;
}

static expander with_values(planner *pl, const pending_list *all) {
  expander x = expander_create(pl);
  x.stage = pl->shared.stage;
  x.value = arena_array(pl->memory, const ir_id *, pl->from->symbol.n);
  for (int i = 0; i < all->n; i++) x.value[all->at[i].target] = all->at[i].value;
  return x;
}

/* Does the pass end behind this update? */
static bool is_judged(const planner *pl, int next) { return pl->pass.st && next >= pl->at.n_list; }

/* Also where the condition of a repeat, judged behind the pass's last update, asks for the old value. */
static bool needs_second_buffer(planner *pl, pending_list *all, ir_sym state, int next) {
  if (read_elsewhere(pl, all, state)) return true;
  if (!is_judged(pl, next)) return false;
  expander x = with_values(pl, all);
  return residuals_need_old(pl, ir_symbol_get(pl->to, state)->place, &x, all, state);
}

static bool is_new_value(void *ctx, ir_id id) {
  const pending_list *all = ctx;
  for (int i = 0; i < all->n; i++)
    for (int k = 0; k < all->at[i].n; k++)
      if (all->at[i].value[k] == id) return true;
  return false;
}

/* A state or a given where it is itself: what it depends on are its ghosts only. */
static bool is_inside(const planner *pl, const ir_node *n) {
  if (n->op != IR_READ) return false;
  ir_symbol_kind kind = ir_symbol_get(pl->to, n->read.sym)->kind;
  return (kind == IR_STATE || kind == IR_GIVEN) && n->read.at != IR_AT_R && n->read.at != IR_AT_D;
}

static bool reads_target(const planner *pl, const pending_list *all, const ir_node *n) {
  if (n->op != IR_READ && n->op != IR_PARAM) return false;
  if (is_target(all, n->read.sym) && n->read.level == IR_NOW) return true;
  for (int k = 0; k < all->n; k++)
    if (n->read.sym != pl->in->dt && !is_inside(pl, n) &&
        depends_on(pl->dependence, n->read.sym, all->at[k].target))
      return true;
  return false;
}

static bool looks_at_target(planner *pl, const pending_list *all, ir_id id) {
  return reads_target(pl, all, ir_get(pl->to, id)) || plan_called(pl->plan, id, NULL) >= 0;
}

/* Do these values, expanded with the pending ones, still look at what is being replaced? Below a pending value old values are
 * meant: only what is reached without passing one counts. */
static bool sees_old_beside(planner *pl, pending_list *all, ir_id value) {
  const ir_reached reached = ir_reach_below(pl->to, &value, 1, is_new_value, all);
  for (int i = 0; i < reached.n; i++)
    if (!is_new_value(all, reached.at[i]) && looks_at_target(pl, all, reached.at[i])) return true;
  return false;
}

/* Is a formula of these values the same as that of a pending one? Then nobody can tell the new value from what is made of old ones in the same way. */
static bool repeats_pending(planner *pl, pending_list *all, ir_id plain) {
  if (defect_is_back("formulas_of_pending_values")) return false;
  const ir_reached reached = ir_reach_below(pl->to, &plain, 1, is_new_value, all);
  for (int i = 0; i < reached.n; i++) {
    if (!is_new_value(all, reached.at[i])) continue;
    const ir_reached own = ir_reach(pl->to, &reached.at[i], 1);
    for (int k = 0; k < own.n; k++)
      if (looks_at_target(pl, all, own.at[k])) return true;
  }
  return false;
}

bool sees_old(planner *pl, pending_list *all, ir_id value, ir_id plain) {
  return sees_old_beside(pl, all, value) || repeats_pending(pl, all, plain);
}

bool any_held(const planner *pl, const pending_list *all) {
  for (int i = 0; i < all->n; i++)
    if (pl->use[all->at[i].target].held) return true;
  return false;
}

void attach_finite(planner *pl, plan_kernel *k, const pending *p) {
  ir_module *m = pl->to;
  ir_id all = 0;
  const double most = pl->storage[p->target].single ? FLT_MAX : DBL_MAX; /* that a buffer can hold */
  for (int c = 0; c < p->n; c++) {
    ir_id one = ir_binary(m, IR_LE, ir_unary(m, IR_ABS, p->value[c]), ir_const(m, most));
    all = all ? ir_binary(m, IR_AND, all, one) : one;
  }
  const ir_symbol q = *ir_symbol_get(m, p->target);
  int check = check_add(pl, arena_printf(pl->memory, "%s is finite", q.text), q.place,
                        state_field(pl, p->target), q.at);
  kernel_output(pl, k, PLAN_CHECK, pl->plan->flags, check, all);
}

bool launched_at(const planner *pl, ir_place target, ir_place place) {
  return target == place || (pl->from->on_grid && target != IR_NOWHERE && place != IR_NOWHERE);
}

static void launch_place(planner *pl, pending_list *all, ir_place place, int next, span at) {
  plan_kernel k = {0};
  bool begun = false;
  for (int i = 0; i < all->n; i++) {
    const pending *p = &all->at[i];
    const ir_symbol q = *ir_symbol_get(pl->to, p->target);
    if (!launched_at(pl, q.place, place)) continue;
    if (!begun) {
      k = kernel_begin(pl, arena_printf(pl->memory, "update_%s", q.text), place, 0);
      kernel_from(pl, &k, at);
      k.what = arena_printf(pl->memory, "update of %s", q.text);
      begun = true;
    } else k.what = arena_printf(pl->memory, "%s, %s", k.what, q.text);
    int buffer = buffer_of(pl, p->target, p->swapped ? IR_NEW : IR_NOW);
    for (int c = 0; c < p->n && (c < 9 || !defect_is_back("long_lists")); c++)
      kernel_output(pl, &k, PLAN_STORE, buffer, c, p->value[c]);
  }
  if (!begun) return;
  for (int i = 0; i < all->n; i++)
    if (launched_at(pl, ir_symbol_get(pl->to, all->at[i].target)->place, place))
      attach_finite(pl, &k, &all->at[i]);
  if (place == IR_NOWHERE) k.local_size = 1;
  else {
    expander x = with_values(pl, all);
    attach_requirements(pl, &k, &x, all, next);
    if (is_judged(pl, next)) attach_residuals(pl, &k, &x, all);
  }
  if (pl->window && place != IR_NOWHERE) window_kernel(pl, &k);
  residuals_launched(pl, kernel_launch(pl, k, DSLC_OWNED, -1, -1));
}

static void demand_named_by(planner *pl, const pending_list *all) {
  for (int i = 0; i < all->n; i++) demand_named(pl, &all->at[i].target, 1);
}

void launch_update(planner *pl, pending_list *all, int next, double when, span at) {
  demand_named_by(pl, all);
  refresh_for_all(pl, all);
  for (int i = 0; i < all->n; i++) all->at[i].swapped = needs_second_buffer(pl, all, all->at[i].target, next);
  if (pl->from->on_grid && is_judged(pl, next)) refresh_for_residuals(pl, all);
  int last = pl->from->on_grid ? IR_CELLS : IR_EDGES;
  for (int place = IR_CELLS; place <= last; place++) launch_place(pl, all, (ir_place)place, next, at);
  launch_place(pl, all, IR_NOWHERE, next, at); /* behind the others, which may read the old value */
  for (int i = 0; i < all->n; i++) {
    ir_sym s = all->at[i].target;
    if (all->at[i].swapped)
      op_add(pl, (dslc_op){.kind = DSLC_OP_SWAP,
                           .a = buffer_of(pl, s, IR_NOW),
                           .b = buffer_of(pl, s, IR_NEW),
                           .groups_of = -1});
    invalidate(pl, s);
  }
  for (int i = 0; i < all->n; i++)
    if (pl->use[all->at[i].target].held) apply_holds(pl, all->at[i].target, when);
}

void fix_pending(planner *pl, pending_list *all, double at) {
  const int *fresh = fresh_values(pl, all);
  pl->at.fix_at = at;
  for (int i = 0; i < all->n; i++)
    for (int c = 0; c < all->at[i].n; c++)
      all->at[i].value[c] = fix_value(pl, all->at[i].target, c, all->at[i].value[c], fresh);
  pl->at.fix_at = 0;
}

pending_list expand_update(planner *pl, expander *x, const ir_stmt *st) {
  pending_list mine = {0};
  for (int i = 0; i < st->assign.n; i++) {
    pending p = {.target = st->assign.at[i].target};
    p.n = ir_symbol_get(pl->from, p.target)->type.n;
    p.value = arena_array(pl->memory, ir_id, p.n);
    x->place = ir_symbol_get(pl->from, p.target)->place;
    for (int c = 0; c < p.n; c++)
      p.value[c] = expand(x, root_component(pl->from, st->assign.at[i].value, c), KEY_HERE);
    vec_push(pl->memory, &mine, p);
  }
  return mine;
}

/* Does what a rule fixes the target to follow from a state, be it through globals? Its own values inside are those being assigned. */
static bool fix_follows(const planner *pl, ir_id root, ir_sym target, ir_sym state) {
  if (defect_is_back("fix_before_update")) return false;
  const ir_reached all = ir_reach(pl->from, &root, 1);
  for (int i = 0; i < all.n; i++) {
    const ir_node *n = ir_get(pl->from, all.at[i]);
    if ((n->op != IR_READ && n->op != IR_PARAM) || n->read.level == IR_PREV) continue;
    const bool kept =
        n->read.sym == target || n->read.sym == pl->in->dt; /* dt belongs to the start of the step */
    if (!kept && (n->read.sym == state || depends_on_near_walls(pl->dependence, n->read.sym, state)))
      return true;
  }
  return false;
}

/* Does what rules fix the target to follow from what is being replaced? */
static bool fix_sees_old(const planner *pl, const pending_list *all, ir_sym target) {
  const ir_entries said = ir_entries_of(pl->from, target);
  for (int i = 0; i < said.n; i++) {
    const ir_rule_entry *e = ir_entry_at(pl->from, &said, i);
    if (!pl->in->rule_used[said.at[i].rule] || e->kind != IR_FIX) continue;
    for (int k = 0; k < all->n; k++)
      if (fix_follows(pl, e->root, target, all->at[k].target)) return true;
  }
  return false;
}

/* Meshes: does what rules name that fix these states follow from what is being replaced? It is that of their own statement. */
static bool named_sees_old(const planner *pl, const pending_list *all, const pending_list *mine) {
  for (int i = 0; i < mine->n; i++)
    for (int k = 0; k < all->n; k++)
      if (named_depends(pl, mine->at[i].target, all->at[k].target)) return true;
  return false;
}

typedef VEC(ir_id) value_list;

static value_list values_of(planner *pl, const pending_list *all) {
  value_list values = {0};
  for (int i = 0; i < all->n; i++)
    for (int c = 0; c < all->at[i].n; c++) vec_push(pl->memory, &values, all->at[i].value[c]);
  return values;
}

static bool statement_sees_old(planner *pl, pending_list *all, value_list values, const ir_stmt *st) {
  const pending_list alone = expand_update(pl, &pl->shared, st);
  const value_list plain = values_of(pl, &alone);
  for (int i = 0; i < values.n; i++)
    if (sees_old(pl, all, values.at[i], plain.at[i])) return true;
  return false;
}

static int add_pending(planner *pl, pending_list *all, expander *x, const ir_stmt *st) {
  pending_list mine = expand_update(pl, x, st);
  value_list values = values_of(pl, &mine);
  if (all->n && statement_sees_old(pl, all, values, st)) return 0;
  if (named_sees_old(pl, all, &mine) || (all->n && !window_takes(pl, st))) return 0;
  for (int i = 0; pl->from->on_grid && i < mine.n; i++)
    if (fix_sees_old(pl, all, mine.at[i].target)) return 0;
  if (pl->from->on_grid) fix_pending(pl, &mine, 1);
  values = values_of(pl, &mine);
  for (int i = 0; all->n && i < values.n; i++)
    if (!window_fits_beside(pl, all, values.at[i])) return 0;
  if (all->n && !window_is_read(pl, all, &mine)) return 0;
  demand(pl, values.at, values.n);
  for (int i = 0; i < mine.n; i++) {
    bool replaced = false;
    for (int k = 0; k < all->n; k++)
      if (all->at[k].target == mine.at[i].target) all->at[k] = mine.at[i], replaced = true;
    if (!replaced) vec_push(pl->memory, all, mine.at[i]);
  }
  return 1;
}

static bool one_place(planner *pl, const pending_list *all, const ir_stmt *st) {
  ir_place place = ir_symbol_get(pl->to, all->at[0].target)->place;
  for (int i = 0; i < st->assign.n; i++)
    if (ir_symbol_get(pl->to, st->assign.at[i].target)->place != place) return false;
  return true;
}

/* Updates that follow and look only at their own point's new values go into the same kernel. Returns the next statement. */
static int plan_update(planner *pl, int i) {
  pending_list all = {0};
  const ir_stmt *st = &pl->at.list[i];
  if (pl->from->on_grid) window_open(pl, st);
  add_pending(pl, &all, &pl->shared, st);
  int next = i + 1;
  while (all.n && !any_held(pl, &all) && next < pl->at.n_list && pl->at.list[next].kind == IR_UPDATE &&
         pl->at.list[next].over == st->over) {
    /* values move when the list grows: the expander looks at a copy */
    pending_list old = {0};
    for (int k = 0; k < all.n; k++) vec_push(pl->memory, &old, all.at[k]);
    expander x = with_values(pl, &old);
    if (!one_place(pl, &all, &pl->at.list[next]) || !add_pending(pl, &all, &x, &pl->at.list[next])) break;
    note(pl, NULL,
         "statement %d of the step is computed in the kernel of the one before: it looks only at its own "
         "point",
         next + 1);
    next++;
  }
  launch_update(pl, &all, next, 1, st->at);
  window_close(pl);
  return next;
}

/* ---- the step -------------------------------------------------------------------------------------------------------------- */

static void launch_time(planner *pl, plan_time when, const char *text) {
  plan_kernel k = kernel_begin(pl, text, IR_NOWHERE, 0);
  k.time = when;
  k.local_size = 1;
  k.what = when == PLAN_TIME_END ? "end of the step" : "begin of the step";
  if (when == PLAN_TIME_BEGIN)
    k.time_check = 1 + check_add(pl, "dt > 0", IR_NOWHERE, -1, ir_symbol_get(pl->to, pl->in->dt)->at);
  kernel_launch(pl, k, DSLC_OWNED, -1, -1);
}

/* What follows is read at another moment of the step: `list` around it at `outside`, where readers see the stage's time if `stage`.
 * Nothing expanded before is used: statements between may have changed what is stored. */
void enter_moment(planner *pl, double moment, double outside, bool stage) {
  if (moment == pl->at.stage_at) return;
  if (pl->in->dt) demand_symbol(pl, pl->in->dt);
  move_time(pl, moment);
  pl->shared = expander_create(pl);
  pl->shared.stage = moment == outside ? stage : pl->in->stage != 0;
  if (pl->in->dt) pl->now[pl->in->dt].valid = true;
}

void plan_statements(planner *pl, const ir_stmt *list, int n) {
  const ir_stmt *outer = pl->at.list;
  int n_outer = pl->at.n_list;
  pl->at.list = list, pl->at.n_list = n;
  const double outside = pl->at.stage_at;
  const bool stage = pl->shared.stage;
  for (int i = 0; i < n;) {
    enter_moment(pl, lower_moment(pl->from, &list[i]), outside, stage);
    if (list[i].kind == IR_INTEGRATE) plan_integrate(pl, &list[i], i), i++;
    else if (list[i].kind == IR_REPEAT) plan_repeat(pl, &list[i++]);
    else if (list[i].kind == IR_SOLVE) plan_solve(pl, &list[i++]);
    else i = plan_update(pl, i);
    if (pl->in->dt) pl->now[pl->in->dt].valid = true; /* evaluated once a step */
  }
  enter_moment(pl, outside, outside, stage);
  pl->at.list = outer, pl->at.n_list = n_outer;
}

static void plan_step(planner *pl) {
  section_begin(pl, "step");
  pl->at.checked = arena_array(pl->memory, bool, pl->from->require.n + 1);
  copy_previous(pl, false);
  if (pl->in->dt && pl->dependence->fixed[pl->in->dt]) { /* the setup has computed it */
    launch_time(pl, PLAN_TIME_BEGIN, "begin_step");
    pl->now[pl->in->dt].valid = true;
  }
  demand_previous(pl, false);
  plan_statements(pl, pl->from->step.at, pl->from->step.n);
  if (pl->in->dt) demand_symbol(pl, pl->in->dt); /* where no statement has asked for it */
  require_at_end(pl);
  launch_time(pl, PLAN_TIME_END, "end_step");
  section_end(pl);
}

/* ---- setup and show ---------------------------------------------------------------------------------------------------------- */

/* What some kernel reads of that which never changes: at nodes, edges and lines in common kernels. */
static void demand_fixed(planner *pl) {
  VEC(ir_sym) all = {0};
  for (int s = 1; s < pl->to->symbol.n; s++) {
    ir_place place = ir_symbol_get(pl->to, (ir_sym)s)->place;
    bool used = pl->storage[s].fixed && pl->storage[s].stored && pl->plan->location[s].buffer[IR_NOW] >= 0;
    if (used && (place == IR_NODES || place == IR_EDGES || place >= IR_XLINE))
      vec_push(pl->memory, &all, (ir_sym)s);
  }
  demand_symbols(pl, all.at, all.n);
}

static void plan_setup(planner *pl) {
  pl->at.current = DSLC_SECTION_SETUP;
  pl->at.op.n = pl->at.op.cap = 0;
  pl->at.op.at = NULL;
  invalidate_all(pl);
  copy_integrals(pl); /* what follows reads them */
  pl->at.before_stages = stages_near_walls(pl) && dt_follows_from_time(pl);
  keep_start_values(pl);
  if (!pl->from->on_grid) plan_start_values(pl);
  if (pl->in->dt && pl->dependence->fixed[pl->in->dt]) demand_symbol(pl, pl->in->dt);
  demand_fixed(pl);
  keep_for_dt(pl);
  for (int s = 1; s < pl->to->symbol.n; s++) {
    const bool global =
        ir_symbol_get(pl->to, (ir_sym)s)->kind == IR_GLOBAL; /* what X.prev reads comes below */
    if (pl->found[s].asked && global && !pl->use[s].once) demand_symbol(pl, (ir_sym)s);
    const symbol_storage *sp = &pl->storage[s];
    if (!sp->stored || pl->plan->location[s].buffer[IR_NOW] < 0) continue;
    if (sp->fixed || sp->lasts) demand_symbol(pl, (ir_sym)s);
    ir_sym sym = (ir_sym)s;
    if (pl->found[s].wants_ghosts && (sp->fixed || sp->ghosts_last)) refresh_ghosts(pl, &sym, 1);
  }
  if (pl->from->on_grid) plan_start_values(pl);
  copy_previous(pl, true);
  demand_previous(pl, true);
  require_at_start(pl);
  pl->at.before_stages = false;
  section_end(pl);
}

bool is_shown(const planner *pl, const char *text) {
  if (pl->in->options->n_show < 0) return true;
  for (int i = 0; i < pl->in->options->n_show; i++)
    if (strcmp(pl->in->options->show[i], text) == 0) return true;
  return false;
}

/* Where what no buffer holds is written to be shown. */
static void add_show_buffer(planner *pl, dslc_field *f) {
  dslc_buffer b = {.name = arena_printf(pl->memory, "show.%s", f->name),
                   .kind = DSLC_BUFFER_WORK,
                   .element = DSLC_F64,
                   .place = f->place,
                   .width = f->components,
                   .rule = -1,
                   .argument = -1};
  f->buffer = buffer_add(pl, b);
}

static ir_id show_component(planner *pl, ir_sym sym, int c) {
  const ir_symbol *q = ir_symbol_get(pl->from, sym);
  pl->shared.place = q->place;
  ir_id value = expand(&pl->shared, root_component(pl->from, q->root[0], c), KEY_HERE);
  return pl->from->on_grid ? fix_value(pl, sym, c, value, NULL) : value;
}

static void show_field(planner *pl, dslc_field *f, ir_sym sym) {
  section_begin(pl, arena_printf(pl->memory, "show %s", f->name));
  f->show = pl->at.current;
  if (pl->storage[sym].stored) {
    demand_symbol(pl, sym);
    f->buffer = buffer_of(pl, sym, IR_NOW);
  } else {
    add_show_buffer(pl, f);
    plan_kernel k = kernel_begin(pl, arena_printf(pl->memory, "show_%s", f->name), (ir_place)f->place, sym);
    for (int c = 0; c < f->components; c++) {
      ir_id value = show_component(pl, sym, c);
      demand(pl, &value, 1);
      kernel_output(pl, &k, PLAN_STORE, f->buffer, c, value);
    }
    kernel_launch(pl, k, DSLC_OWNED, -1, -1);
  }
  section_end(pl);
}

static void show_global(planner *pl, ir_sym sym) {
  const ir_symbol *q = ir_symbol_get(pl->to, sym);
  if (pl->use[sym].hidden) return;
  dslc_global g = {.name = q->text, .unit = q->unit, .scalar = pl->plan->location[sym].scalar, .show = -1};
  if (sym != pl->in->dt && q->root[0] && is_shown(pl, q->text) && shown_start_is_known(pl, sym)) {
    section_begin(pl, arena_printf(pl->memory, "show %s", q->text));
    g.show = pl->at.current;
    demand_symbol(pl, sym);
    section_end(pl);
  }
  vec_push(pl->memory, &pl->made->global, g);
}

/* A rule in use on whose walls it reads what nothing gives; 0: none. */
static int rule_open(const planner *pl, ir_sym sym) {
  uint64_t open = ir_symbol_get(pl->from, sym)->beyond.open_on;
  for (int r = 1; open && r < pl->from->rule.n; r++)
    if (pl->in->rule_used[r] && open >> r % 64 & 1) return r;
  return 0;
}

static ir_sym symbol_shown(planner *pl, const dslc_field *f) {
  bool shown = f->kind == DSLC_QUANTITY && is_shown(pl, f->name);
  ir_sym sym = shown ? ir_symbol_find(pl->to, intern_str(pl->in->names, f->name)) : 0;
  return sym && !rule_open(pl, sym) && shown_start_is_known(pl, sym) ? sym : 0;
}

/* What the step does not ask for may have no value on a boundary, or none after it: where it is asked for by name, that is said. */
static void refuse_open(planner *pl) {
  for (int i = 0; i < pl->in->options->n_show; i++) {
    const char *text = pl->in->options->show[i];
    ir_sym sym = ir_symbol_find(pl->from, intern_str(pl->in->names, text));
    int rule = sym ? rule_open(pl, sym) : 0;
    if (sym) refuse_shown_start(pl, sym);
    if (!rule) continue;
    diag *d =
        diag_report(pl->in->sink, DIAG_MISSING_GHOST, ir_symbol_get(pl->from, sym)->at,
                    "`%s` cannot be shown: on the boundary it reads what rule `%s` does not give beyond",
                    text, pl->from->rule.at[rule].text);
    diag_with_hint(pl->in->sink, d, "add to the rule: fix %s = ...  or a ghost of what it reads there", text);
  }
}

static void check_place(planner *pl, ir_place place) {
  VEC(ir_id) values = {0};
  plan_kernel k = kernel_begin(pl, "show", place, 0);
  for (int i = 0; i < pl->made->field.n; i++) {
    dslc_field *f = &pl->made->field.at[i];
    ir_sym sym = symbol_shown(pl, f);
    if (!sym || pl->storage[sym].stored || (ir_place)f->place != place) continue;
    add_show_buffer(pl, f);
    for (int c = 0; c < f->components; c++) {
      vec_push(pl->memory, &values, show_component(pl, sym, c));
      kernel_output(pl, &k, PLAN_STORE, f->buffer, c, values.at[values.n - 1]);
    }
  }
  demand(pl, values.at, values.n);
  if (values.n) kernel_launch(pl, k, DSLC_OWNED, -1, -1);
}

/* A check asks only whether all can be computed: together, since equations that read each other have most of their formulas in
 * common, and a kernel for each would be as much work as their number squared. */
static void check_shows(planner *pl) {
  VEC(ir_sym) stored = {0};
  section_begin(pl, "show");
  for (int i = 0; i < pl->made->field.n; i++) {
    ir_sym sym = symbol_shown(pl, &pl->made->field.at[i]);
    if (sym && pl->storage[sym].stored) vec_push(pl->memory, &stored, sym);
  }
  demand_symbols(pl, stored.at, stored.n);
  for (int place = 0; place < IR_PLACE_COUNT; place++) check_place(pl, (ir_place)place);
  section_end(pl);
}

static void plan_shows(planner *pl) {
  refuse_open(pl);
  bool together = pl->in->options->check_only && !pl->in->options->inspect.dump;
  if (together) check_shows(pl);
  for (int i = 0; i < pl->made->field.n && !together; i++) {
    ir_sym sym = symbol_shown(pl, &pl->made->field.at[i]);
    if (sym) show_field(pl, &pl->made->field.at[i], sym);
  }
  for (int s = 1; s < pl->to->symbol.n; s++)
    if (ir_symbol_get(pl->to, (ir_sym)s)->kind == IR_GLOBAL) show_global(pl, (ir_sym)s);
}

void plan_sections(planner *pl) {
  section_begin(pl, "setup"); /* filled last: what it computes is what the others ask for */
  plan_step(pl);
  plan_shows(pl);
  plan_setup(pl);
}
