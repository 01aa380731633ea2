/* `repeat`: passes until a condition holds. The reductions of the condition are computed by the pass's last update where they
 * look at its values only, else by kernels of their own; a last kernel judges and sets a flag on the device, at which all
 * kernels of later passes return. */
#include "base/defects.h"
#include "schedule/grid.h"
#include "schedule/nodes.h"

/* ---- values at the start of the pass -------------------------------------------------------------------------------- */

/* How often statements assign a state, where anything but an update counts twice. */
static int assignments(const ir_stmt *list, int n, ir_sym state) {
  int count = 0;
  for (int i = 0; i < n; i++) {
    for (int k = 0; k < list[i].assign.n; k++)
      if (list[i].assign.at[k].target == state) count += list[i].kind == IR_UPDATE ? 1 : 2;
    if (list[i].kind == IR_SOLVE && list[i].unknown == state) count += 2;
    count += 2 * assignments(list[i].body.at, list[i].body.n, state);
  }
  return count;
}

static bool reads_old(planner *pl, ir_id id, ir_sym state) {
  ir_reached reached = ir_reach(pl->from, &id, 1);
  for (int i = 0; i < reached.n; i++) {
    const ir_node *n = ir_get(pl->from, reached.at[i]);
    if (n->op == IR_READ && n->read.sym == state && n->read.level == IR_OLD) return true;
  }
  return false;
}

/* The pass's last update has the value before it at hand, in its kernel and in the buffer that it swaps with, if nothing else assigns the
 * state. */
static bool last_update_has_old(const ir_stmt *st, ir_sym state) {
  const ir_stmt *last = st->body.n ? &st->body.at[st->body.n - 1] : NULL;
  return last && last->kind == IR_UPDATE && assignments(last, 1, state) == 1 &&
         assignments(st->body.at, st->body.n, state) == 1;
}

/* Does the condition look at what the state was at other points, beyond boundaries too? */
static bool reads_old_elsewhere(planner *pl, ir_id id, ir_sym state) {
  ir_reached reached = ir_reach(pl->from, &id, 1);
  for (int i = 0; i < reached.n; i++) {
    const ir_node *n = ir_get(pl->from, reached.at[i]);
    if (n->op == IR_READ && n->read.sym == state && n->read.level == IR_OLD && ir_reads_elsewhere(n))
      return true;
  }
  return false;
}

/* Elsewhere a copy at the start of the pass keeps what the condition calls `X.old`. */
static void keep_pass_start(planner *pl, const ir_stmt *st) {
  for (int s = 1; s < pl->to->symbol.n; s++) {
    ir_sym sym = (ir_sym)s;
    pl->pass.pass_start[s] = -1;
    if (ir_symbol_get(pl->from, sym)->kind != IR_STATE || !reads_old(pl, st->until, sym)) continue;
    if (last_update_has_old(st, sym) && (pl->from->on_grid || !reads_old_elsewhere(pl, st->until, sym)))
      continue;
    int *old = &pl->plan->location[s].buffer[IR_OLD], before = *old;
    *old = -1;
    pl->pass.pass_start[s] = buffer_of(pl, sym, IR_OLD);
    *old = before;
    if (pl->from->on_grid || ir_symbol_get(pl->to, sym)->place == IR_CELLS) refresh_ghosts(pl, &sym, 1);
    op_add(pl, (dslc_op){.kind = DSLC_OP_COPY,
                         .a = buffer_of(pl, sym, IR_NOW),
                         .b = pl->pass.pass_start[s],
                         .groups_of = -1});
  }
}

static bool sees_pass_start(planner *pl, ir_sym residual) {
  for (int s = 1; s < pl->to->symbol.n; s++)
    if (pl->pass.pass_start[s] >= 0 && reads_old(pl, ir_symbol_get(pl->from, residual)->root[0], (ir_sym)s))
      return true;
  return false;
}

/* ---- residuals ------------------------------------------------------------------------------------------------------ */

/* By residual: does the statement's condition read it? */
static bool *residuals_of(planner *pl, const ir_stmt *st) {
  bool *in = arena_array(pl->memory, bool, pl->in->residuals.n + 1);
  ir_reached reached = ir_reach(pl->from, &st->until, 1);
  for (int i = 0; i < pl->in->residuals.n; i++)
    in[i] = ir_reached_place(&reached, ir_symbol_get(pl->from, pl->in->residuals.at[i])->root[0]) >= 0;
  return in;
}

static ir_id body_of_residual(planner *pl, expander *x, ir_sym residual) {
  ir_id reduction = expand_own(x, residual, 0, 0);
  return ir_args(pl->to, ir_get(pl->to, reduction))[0];
}

static void output_residual(planner *pl, plan_kernel *k, ir_sym residual, ir_id body) {
  ir_node n = *ir_get(pl->from, ir_symbol_get(pl->from, residual)->root[0]);
  plan_location *l = &pl->plan->location[residual];
  if (l->buffer[IR_NOW] < 0)
    l->buffer[IR_NOW] = buffer_add(
        pl,
        (dslc_buffer){.name = arena_printf(pl->memory, "%s.partial", ir_symbol_get(pl->to, residual)->text),
                      .kind = DSLC_BUFFER_PARTIALS,
                      .element = DSLC_F64,
                      .width = 1,
                      .rule = -1,
                      .argument = -1,
                      .place = (dslc_place)n.reduce.place});
  kernel_output(pl, k, PLAN_PARTIAL, l->buffer[IR_NOW], 0, body);
  k->output.at[k->output.n - 1].reduce = (ir_reduce)n.reduce.kind;
}

/* In that kernel what `X.old` means still is X: the new values are not swapped in yet. */
static ir_id old_is_now(void *ctx, ir_module *m, ir_id id) {
  ir_node n = *ir_get(m, id);
  (void)ctx;
  if (n.op != IR_READ || n.read.level != IR_OLD) return 0;
  n.read.level = IR_NOW;
  return ir_rebuild(m, &n, NULL);
}

static ir_id old_as_now(planner *pl, ir_id id) { return rewrite_value(pl->to, id, old_is_now, NULL); }

/* Of a residual whose kernel is being put together: other operations may still come before its launch. */
enum { NEXT_LAUNCH = -3 };

/* What the residual reduces, if it looks at new values only; else 0. Not what rules give behind the update, and not what the state was
 * before an earlier one. */
static ir_id attached_body(planner *pl, ir_sym residual, ir_place place, expander *x, pending_list *all) {
  const ir_id root = ir_symbol_get(pl->from, residual)->root[0];
  if ((ir_place)ir_get(pl->from, root)->reduce.place != place && !pl->from->on_grid) return 0;
  if (ir_get(pl->from, root)->reduce.rule) return 0; /* not of all points */
  if (sees_pass_start(pl, residual) || any_held(pl, all) || !window_takes_value(pl, root)) return 0;
  ir_id body = body_of_residual(pl, x, residual);
  return sees_old(pl, all, body, body_of_residual(pl, &pl->shared, residual)) ||
                 !window_fits_beside(pl, all, body)
             ? 0
             : body;
}

/* In the kernel of an update. `x` expands with its new values. */
void attach_residuals(planner *pl, plan_kernel *k, expander *x, pending_list *all) {
  for (int i = 0; pl->pass.st && i < pl->in->residuals.n; i++) {
    ir_sym sym = pl->in->residuals.at[i];
    ir_id body = pl->pass.residual_in[i] ? attached_body(pl, sym, k->place, x, all) : 0;
    if (!body) continue;
    body = old_as_now(pl, body);
    demand(pl, &body, 1);
    output_residual(pl, k, sym, body);
    pl->pass.residual_op[i] = NEXT_LAUNCH;
    k->has_residual = true;
  }
}

/* From points that other work-items of the update's kernel replace meanwhile? */
static bool looks_beside(planner *pl, ir_sym residual, ir_sym state) {
  const ir_id root = ir_symbol_get(pl->from, residual)->root[0];
  return (ir_place)ir_get(pl->from, root)->reduce.place != ir_symbol_get(pl->from, state)->place ||
         reads_old_elsewhere(pl, root, state);
}

bool residuals_need_old(planner *pl, ir_place place, expander *x, pending_list *all, ir_sym state) {
  for (int i = 0; i < pl->in->residuals.n; i++) {
    ir_sym sym = pl->in->residuals.at[i];
    bool reads = pl->pass.residual_in[i] && reads_old(pl, ir_symbol_get(pl->from, sym)->root[0], state);
    if (reads && !sees_pass_start(pl, sym) &&
        (looks_beside(pl, sym, state) || !attached_body(pl, sym, place, x, all)))
      return true;
  }
  return false;
}

/* Grids: the values before the update go with their copies beyond periodic sides to the buffer in which the condition finds them. */
void refresh_for_residuals(planner *pl, const pending_list *all) {
  for (int i = 0; i < pl->in->residuals.n; i++) {
    const ir_id root = ir_symbol_get(pl->from, pl->in->residuals.at[i])->root[0];
    for (int k = 0; pl->pass.residual_in[i] && k < all->n; k++)
      if (reads_old_elsewhere(pl, root, all->at[k].target)) refresh_ghosts(pl, &all->at[k].target, 1);
  }
}

void residuals_launched(planner *pl, int op) {
  for (int i = 0; pl->pass.st && i < pl->in->residuals.n; i++)
    if (pl->pass.residual_op[i] == NEXT_LAUNCH) pl->pass.residual_op[i] = op;
}

/* Where the condition finds the values before the pass: a copy, or the buffer that the update has swapped with. The kernels of all
 * repeats name one buffer; where this one's is another, its launches bind that. */
static void bind_pass_start(planner *pl) {
  for (int s = 1; s < pl->to->symbol.n; s++) {
    int *old = &pl->plan->location[s].buffer[IR_OLD], start = pl->pass.pass_start[s];
    if (ir_symbol_get(pl->to, (ir_sym)s)->kind != IR_STATE || !reads_old(pl, pl->pass.st->until, (ir_sym)s))
      continue;
    if (start < 0) start = pl->plan->location[s].buffer[IR_NEW];
    if (start >= 0 && *old >= 0 && *old != start)
      vec_push(pl->memory, &pl->at.binding, ((plan_rebind){.from = *old, .to = start}));
    else if (start >= 0) *old = start;
  }
}

/* By kernels of their own. */
static void launch_residuals(planner *pl) {
  const int bindings = pl->at.binding.n;
  bind_pass_start(pl);
  for (int i = 0; i < pl->in->residuals.n; i++) {
    ir_sym sym = pl->in->residuals.at[i];
    if (!pl->pass.residual_in[i] || pl->pass.residual_op[i] >= 0) continue;
    const ir_node reduction = *ir_get(pl->from, ir_symbol_get(pl->from, sym)->root[0]);
    const bool of_rule = reduction.reduce.rule > 0 && !defect_is_back("residuals_of_rules");
    ir_id body = body_of_residual(pl, &pl->shared, sym);
    demand(pl, &body, 1);
    plan_kernel k = kernel_begin(pl, "residual_partial", (ir_place)reduction.reduce.place, sym);
    output_residual(pl, &k, sym, body);
    pl->pass.residual_op[i] = kernel_launch(pl, k, of_rule ? DSLC_RULE : DSLC_OWNED,
                                            of_rule ? (int)reduction.reduce.rule - 1 : -1, -1);
  }
  pl->at.binding.n = bindings;
}

static ir_id own_reduction(void *ctx, ir_module *m, ir_id id) {
  planner *pl = ctx;
  const ir_node n = *ir_get(m, id);
  for (int k = 0; n.op == IR_PARAM && k < pl->in->residuals.n; k++)
    if (pl->in->residuals.at[k] == n.read.sym) return expand_own(&pl->shared, n.read.sym, 0, 0);
  return 0;
}

/* The condition with every residual's reduction in its place. */
static ir_id condition_of(planner *pl, const ir_stmt *st) {
  return rewrite_value(pl->to, expand(&pl->shared, st->until, KEY_HERE), own_reduction, pl);
}

/* Those of one launch have equally many partials: one kernel finishes them; the last one judges. */
static void launch_judge(planner *pl, int op, bool judges, ir_id condition) {
  plan_kernel k = kernel_begin(pl, judges ? "judge" : "residual", IR_NOWHERE, 0);
  k.what = judges ? "is the pass the last?" : "residual";
  for (int i = 0; i < pl->in->residuals.n; i++) {
    ir_sym sym = pl->in->residuals.at[i];
    if (!pl->pass.residual_in[i] || pl->pass.residual_op[i] != op) continue;
    ir_id value = expand_own(&pl->shared, sym, 0, 0);
    plan_partial p = {.node = value,
                      .buffer = pl->plan->location[sym].buffer[IR_NOW],
                      .reduce = (ir_reduce)ir_get(pl->to, value)->reduce.kind};
    vec_push(pl->memory, &k.partial, p);
    kernel_output(pl, &k, PLAN_SCALAR, pl->plan->scalars, pl->plan->location[sym].scalar, value);
  }
  if (judges) kernel_output(pl, &k, PLAN_FLAG, pl->plan->flags, pl->pass.stop_flag - 1, condition);
  kernel_choose_finish(pl, &k);
  kernel_launch(pl, k, DSLC_OWNED, -1, op >= 0 ? op : -1);
}

/* What the condition reads besides its own reductions is what the pass makes of it. */
static void demand_globals_of(planner *pl, const ir_stmt *st) {
  const ir_id condition = expand(&pl->shared, st->until, KEY_HERE);
  const ir_reached reached = ir_reach(pl->to, &condition, 1);
  for (int i = 0; i < reached.n; i++) {
    const ir_node n = *ir_get(pl->to, reached.at[i]);
    if (n.op == IR_PARAM && ir_symbol_get(pl->to, n.read.sym)->purpose.role != IR_RESIDUAL)
      demand_symbol(pl, n.read.sym);
  }
}

static void judge(planner *pl, const ir_stmt *st) {
  if (!defect_is_back("globals_in_until")) demand_globals_of(pl, st);
  launch_residuals(pl);
  int first = -1;
  bool one = true;
  for (int i = 0; i < pl->in->residuals.n; i++) {
    if (!pl->pass.residual_in[i]) continue;
    one = one && (first < 0 || pl->pass.residual_op[i] == first);
    if (first < 0) first = pl->pass.residual_op[i];
  }
  ir_id condition = one ? condition_of(pl, st) : expand(&pl->shared, st->until, KEY_HERE);
  if (one) {
    launch_judge(pl, first, true, condition);
    return;
  }
  for (int i = 0; i < pl->in->residuals.n; i++) {
    bool seen = !pl->pass.residual_in[i];
    for (int k = 0; k < i; k++) seen = seen || pl->pass.residual_op[k] == pl->pass.residual_op[i];
    if (!seen) launch_judge(pl, pl->pass.residual_op[i], false, 0);
  }
  launch_judge(pl, -2, true, condition);
}

/* ---- the statement -------------------------------------------------------------------------------------------------------- */

static int limit_of(planner *pl, const ir_stmt *st) {
  enum { DEFAULT_LIMIT = 1000 };
  if (!st->at_most) return DEFAULT_LIMIT;
  const ir_node *n = ir_get(pl->from, st->at_most);
  return (int)n->value; /* see refuse.c */
}

/* What keeps its value in all passes is computed before the first. */
static void demand_constants(planner *pl) {
  for (int s = 1; s < pl->to->symbol.n; s++) {
    if (ir_symbol_get(pl->from, (ir_sym)s)->kind != IR_EQUATION || !pl->storage[s].stored || pl->now[s].valid)
      continue;
    if (!pl->use[s].once && !pl->storage[s].fixed) continue;
    demand_symbol(pl, (ir_sym)s);
  }
}

/* Is something in the pass read at another time than the rest? The next pass begins with what that left. */
static bool moves_in_time(const planner *pl, const ir_stmt *list, int n) {
  for (int i = 0; i < n; i++)
    if (list[i].kind == IR_INTEGRATE || lower_moment(pl->from, &list[i]) != pl->at.stage_at ||
        moves_in_time(pl, list[i].body.at, list[i].body.n))
      return true;
  return false;
}

/* What a pass leaves out of date the next one cannot take from before the first. */
static void forget_what_passes_change(planner *pl, const ir_stmt *st) {
  for (int s = 1; s < pl->to->symbol.n; s++)
    if (assignments(st->body.at, st->body.n, (ir_sym)s) > 0) invalidate(pl, (ir_sym)s);
  if (moves_in_time(pl, st->body.at, st->body.n)) invalidate_timed(pl);
}

static void publish_repeat(planner *pl, const ir_stmt *st) {
  int column;
  dslc_repeat r = {.text = st->text ? st->text : "", .flag = pl->pass.stop_flag - 1};
  r.residual = arena_array(pl->memory, int, pl->in->residuals.n + 1);
  for (int i = 0; i < pl->in->residuals.n; i++)
    if (pl->pass.residual_in[i])
      r.residual[r.n_residuals++] = pl->plan->location[pl->in->residuals.at[i]].scalar;
  line_text(pl, st->at, &r.line, &column);
  vec_push(pl->memory, &pl->made->repeat_list, r);
}

void plan_repeat(planner *pl, const ir_stmt *st) {
  const ir_stmt *outer = pl->pass.st;
  const bool *outer_in = pl->pass.residual_in;
  int outer_flag = pl->pass.stop_flag, *outer_ops = pl->pass.residual_op, *outer_start = pl->pass.pass_start;
  if (pl->in->dt) demand_symbol(pl, pl->in->dt);
  demand_constants(pl);
  op_add(pl, (dslc_op){.kind = DSLC_OP_REPEAT, .groups_of = -1});
  int at = pl->at.op.n - 1;
  pl->pass.stop_flag = 1 + DSLC_FLAG_REPEAT + pl->at.repeats++;
  pl->pass.st = st;
  pl->pass.residual_in = residuals_of(pl, st);
  pl->pass.residual_op = arena_array(pl->memory, int, pl->in->residuals.n + 1);
  for (int i = 0; i < pl->in->residuals.n; i++) pl->pass.residual_op[i] = -1;
  pl->pass.pass_start = arena_array(pl->memory, int, pl->to->symbol.n + 1);
  forget_what_passes_change(pl, st);
  keep_pass_start(pl, st);
  plan_statements(pl, st->body.at, st->body.n);
  judge(pl, st);
  pl->at.op.at[at].a = pl->pass.stop_flag - 1;
  pl->at.op.at[at].b = at + 1;
  pl->at.op.at[at].count = pl->at.op.n - at - 1;
  pl->at.op.at[at].limit = limit_of(pl, st);
  publish_repeat(pl, st);
  pl->pass.st = outer, pl->pass.stop_flag = outer_flag, pl->pass.residual_op = outer_ops;
  pl->pass.pass_start = outer_start, pl->pass.residual_in = outer_in;
}
