/* Explicit Runge-Kutta methods by their tableaus. Stages live in buffers of their own, never in the state: launches of a
 * later stage bind the state's buffer to the stage's, and everything that depends on the state is computed anew. */
#include <string.h>

#include "schedule/grid.h"
#include "schedule/nodes.h"

/* ---- values -------------------------------------------------------------------------------------------------------- */

static ir_id read_component(planner *pl, ir_sym sym, ir_level level, int k) {
  ir_node n = *ir_get(pl->to, ir_read(pl->to, sym, level, IR_AT_HERE, NULL));
  n.type = ir_scalar();
  n.read.first = (uint8_t)k;
  return ir_rebuild(pl->to, &n, NULL);
}

typedef struct stage {
  planner *pl;
  const ir_stmt *st;
  const tableau *t;
  int i;
  ir_id dt;
  double start,
      part; /* of dt: where the interval begins, and how long it is; or 0 and 1, with planner.interval */
} stage;

/* When the values hold that a stage begins with; stage number `t->stages` is the end. */
static double time_of(const stage *g, int i) {
  return g->start + g->part * (i < g->t->stages ? g->t->c[i] : 1);
}

static ir_sym slope(const stage *g, int state, int j) {
  return lower_slope(g->pl->to, g->st->assign.at[state].target, j);
}

static ir_sym stage_of(const stage *g, int state, int i) {
  return lower_stage_value(g->pl->to, g->st->assign.at[state].target, i);
}

static bool slope_needed(const stage *g) {
  if (g->i + 1 >= g->t->stages) return false;
  bool needed = g->t->b[g->i] != 0;
  for (int later = g->i + 2; later < g->t->stages; later++) needed = needed || g->t->a[later][g->i] != 0;
  return needed;
}

static ir_id add_term(ir_module *m, ir_id sum, double weight, ir_id value) {
  if (weight == 0) return sum;
  if (weight != 1) value = ir_binary(m, IR_MUL, ir_const(m, weight), value);
  return sum ? ir_binary(m, IR_ADD, sum, value) : value;
}

/* u + dt*(w0 k0 + w1 k1 + ... ), the newest slope being `rate`. */
static ir_id combine(const stage *g, int state, int k, const double *w, ir_id rate) {
  planner *pl = g->pl;
  ir_sym u = g->st->assign.at[state].target;
  ir_id sum = 0;
  for (int j = 0; j < g->i; j++)
    if (w[j] != 0) sum = add_term(pl->to, sum, w[j], read_component(pl, slope(g, state, j), IR_NOW, k));
  sum = add_term(pl->to, sum, w[g->i], rate);
  ir_id base = read_component(pl, u, g->i == 0 ? IR_NOW : IR_BEGIN, k);
  return ir_binary(pl->to, IR_ADD, base, ir_binary(pl->to, IR_MUL, g->dt, sum));
}

/* ---- bindings --------------------------------------------------------------------------------------------------------- */

void move_time(planner *pl, double when) {
  if (when != pl->at.stage_at) invalidate_timed(pl);
  pl->at.stage_at = when;
}

/* In stage i > 0 the state's buffer is that of the stage before; the alias `u.old` is the state itself. */
static void bind_stage(const stage *g) {
  planner *pl = g->pl;
  pl->at.binding.n = 0;
  move_time(pl, time_of(g, g->i));
  for (int s = 0; s < g->st->assign.n; s++) {
    ir_sym u = g->st->assign.at[s].target;
    invalidate(pl, u);
    if (g->i == 0) continue;
    int now = buffer_of(pl, u, IR_NOW), alias = buffer_of(pl, u, IR_BEGIN);
    pl->made->buffer.at[alias].kind = DSLC_BUFFER_ALIAS;
    vec_push(pl->memory, &pl->at.binding,
             ((plan_rebind){.from = now, .to = buffer_of(pl, stage_of(g, s, g->i - 1), IR_NOW)}));
    vec_push(pl->memory, &pl->at.binding, ((plan_rebind){.from = alias, .to = now}));
  }
}

/* ---- stages --------------------------------------------------------------------------------------------------------------- */

/* A slope that was stored is there, but not yet beyond periodic sides, even if that of an integrator before this one was. */
static void note_slopes(const stage *g) {
  for (int s = 0; s < g->st->assign.n && slope_needed(g); s++) {
    g->pl->now[slope(g, s, g->i)].valid = true;
    g->pl->now[slope(g, s, g->i)].ghosts_valid = false;
  }
}

/* The states' values at the end of the stage; on grids what rules fix them to. */
static pending_list stage_values(const stage *g, const double *w, ir_id **rate) {
  planner *pl = g->pl;
  pending_list all = {0};
  for (int s = 0; s < g->st->assign.n; s++) {
    pending p = {.target = g->st->assign.at[s].target};
    p.n = ir_symbol_get(pl->to, p.target)->type.n;
    p.value = arena_array(pl->memory, ir_id, p.n);
    for (int c = 0; c < p.n; c++) p.value[c] = combine(g, s, c, w, rate[s][c]);
    vec_push(pl->memory, &all, p);
  }
  if (!pl->from->on_grid) return all;
  fix_pending(pl, &all, time_of(g, g->i + 1));
  /* What rules fix may read what no rate does. */
  for (int s = 0; s < all.n; s++) demand(pl, all.at[s].value, all.at[s].n);
  return all;
}

/* Where the last stage writes a state: in place, unless what a rule fixes is read from what is assigned to other points. */
static ir_level last_level(const planner *pl, ir_sym state) {
  const bool points = pl->from->on_grid && ir_symbol_get(pl->from, state)->place != IR_NOWHERE;
  return points && fix_reads(pl, state) ? IR_NEW : IR_BEGIN;
}

/* What a stage makes of the states at a place: on meshes places have kernels of their own, as in updates. */
static void launch_stage_at(const stage *g, ir_place place, ir_id **rate, const pending_list *value) {
  planner *pl = g->pl;
  const bool last = g->i + 1 == g->t->stages;
  plan_kernel k = {0};
  for (int s = 0; s < value->n; s++) {
    const ir_sym u = value->at[s].target;
    const ir_symbol q = *ir_symbol_get(pl->to, u);
    if (!launched_at(pl, q.place, place)) continue;
    if (!k.output.n) {
      k = kernel_begin(pl, arena_printf(pl->memory, "%s_stage_%d", q.text, g->i + 1), q.place, 0);
      kernel_from(pl, &k, g->st->at);
      k.what = arena_printf(pl->memory, "%s, stage %d of %d", g->st->method, g->i + 1, g->t->stages);
    }
    int target = last ? buffer_of(pl, u, last_level(pl, u)) : buffer_of(pl, stage_of(g, s, g->i), IR_NOW);
    for (int c = 0; c < q.type.n; c++) {
      if (slope_needed(g))
        kernel_output(pl, &k, PLAN_STORE, buffer_of(pl, slope(g, s, g->i), IR_NOW), c, rate[s][c]);
      kernel_output(pl, &k, PLAN_STORE, target, c, value->at[s].value[c]);
    }
  }
  if (!k.output.n) return;
  for (int s = 0; s < value->n && last; s++)
    if (launched_at(pl, ir_symbol_get(pl->to, value->at[s].target)->place, place))
      attach_finite(pl, &k, &value->at[s]);
  if (place == IR_NOWHERE) k.local_size = 1;
  kernel_launch(pl, k, DSLC_OWNED, -1, -1);
}

static void launch_stage(const stage *g, ir_id **rate) {
  planner *pl = g->pl;
  const ir_stmt *st = g->st;
  for (int s = 0; s < st->assign.n; s++) demand_named(pl, &st->assign.at[s].target, 1);
  const bool last = g->i + 1 == g->t->stages;
  const pending_list value = stage_values(g, last ? g->t->b : g->t->a[g->i + 1], rate);
  const int last_place = pl->from->on_grid ? IR_CELLS : IR_EDGES;
  for (int place = IR_CELLS; place <= last_place; place++) launch_stage_at(g, (ir_place)place, rate, &value);
  launch_stage_at(g, IR_NOWHERE, rate, &value);
  note_slopes(g);
}

static void expand_rates(const stage *g, expander *x, ir_id **rate) {
  planner *pl = g->pl;
  VEC(ir_id) all = {0};
  for (int s = 0; s < g->st->assign.n; s++)
    for (int c = 0; c < ir_symbol_get(pl->to, g->st->assign.at[s].target)->type.n; c++) {
      x->place = ir_symbol_get(pl->from, g->st->assign.at[s].target)->place;
      rate[s][c] = expand(x, root_component(pl->from, g->st->assign.at[s].value, c), KEY_HERE);
      vec_push(pl->memory, &all, rate[s][c]);
    }
  demand(pl, all.at, all.n);
}

/* One stage: the new value is an update like any other, and may need a second buffer. */
static void plan_euler(const stage *g, ir_id **rate, int index) {
  pending_list all = stage_values(g, g->t->b, rate);
  launch_update(g->pl, &all, index + 1, time_of(g, 1), g->st->at);
}

/* The values that a stage begins with are those that rules hold at its time. */
static void hold_stage(const stage *g, ir_sym state) {
  if (g->pl->use[state].held) apply_holds(g->pl, state, time_of(g, g->i));
}

static void set_interval(stage *g, int index) {
  planner *pl = g->pl;
  g->part = ir_part_of_dt(pl->from, g->st->over);
  g->start = lower_start_of(pl->from, pl->at.list, index);
  if (g->part == 0) pl->at.interval = g->dt, g->part = 1;
}

/* It is computed once a statement, from what holds when that begins. */
static void forget_interval(planner *pl, ir_id over) {
  const ir_node *n = ir_get(pl->from, over);
  if (n->op != IR_PARAM || ir_symbol_get(pl->from, n->read.sym)->purpose.role != IR_INTERVAL) return;
  pl->now[n->read.sym].valid = pl->storage[n->read.sym].fixed;
}

void plan_integrate(planner *pl, const ir_stmt *st, int index) {
  stage g = {.pl = pl, .st = st, .t = lower_tableau(st->method)};
  ir_id **rate = arena_array(pl->memory, ir_id *, st->assign.n + 1);
  for (int s = 0; s < st->assign.n; s++)
    rate[s] = arena_array(pl->memory, ir_id, ir_symbol_get(pl->to, st->assign.at[s].target)->type.n);
  expander saved = pl->shared;
  pl->shared = expander_create(pl);
  g.dt = expand(&pl->shared, st->over, KEY_HERE);
  forget_interval(pl, st->over);
  demand(pl, &g.dt, 1); /* its t is that at which the statement begins, not that of a stage */
  set_interval(&g, index);
  pl->shared = expander_create(pl);
  pl->shared.stage = pl->in->stage != 0;
  for (g.i = 0; g.i < g.t->stages; g.i++) {
    bind_stage(&g);
    for (int s = 0; s < st->assign.n && g.i > 0; s++) hold_stage(&g, st->assign.at[s].target);
    expand_rates(&g, &pl->shared, rate);
    if (g.t->stages == 1) plan_euler(&g, rate, index);
    else launch_stage(&g, rate);
  }
  pl->at.binding.n = 0;
  pl->shared = saved;
  move_time(pl, 0);
  for (int s = 0; s < st->assign.n; s++) {
    ir_sym u = st->assign.at[s].target;
    if (g.t->stages > 1 && last_level(pl, u) == IR_NEW)
      op_add(pl, (dslc_op){.kind = DSLC_OP_SWAP,
                           .a = buffer_of(pl, u, IR_NOW),
                           .b = buffer_of(pl, u, IR_NEW),
                           .groups_of = -1});
    invalidate(pl, st->assign.at[s].target);
    if (g.t->stages > 1 && pl->use[st->assign.at[s].target].held)
      apply_holds(pl, st->assign.at[s].target, time_of(&g, g.t->stages));
  }
  pl->at.interval = 0;
}
