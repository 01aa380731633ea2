/* Demand: before a value is computed, all that it reads must be valid. Stored equations and globals that are not are
 * collected into a batch, ordered by level, and those of one level and place share a kernel. */
#include <string.h>

#include "base/defects.h"
#include "schedule/grid.h"
#include "schedule/nodes.h"

typedef struct item {
  ir_sym sym;      /* equation, or global to finish */
  ir_id reduction; /* a global's reduction over all: its partials; 0 otherwise */
  ir_place place;
  int level;
  dslc_subset subset;
  int rule;
  bool done;
} item;

typedef struct batch {
  planner *pl;
  VEC(item) item;
} batch;

/* ---- validity ------------------------------------------------------------------------------------------------------- */

static void forget(planner *pl, ir_sym sym) {
  symbol_state *now = &pl->now[sym];
  const symbol_storage *sp = &pl->storage[sym];
  if (!sp->lasts) now->valid = false, now->at_boundary = 0;
  if (!sp->ghosts_last) now->ghosts_valid = false;
}

/* dt: once a step. What an integrator goes over: once a statement. */
static bool is_held_through(const planner *pl, ir_sym sym) {
  return pl->use[sym].once || sym == pl->in->dt ||
         (ir_symbol_get(pl->from, sym)->purpose.role == IR_INTERVAL &&
          !defect_is_back("intervals_of_stages"));
}

void invalidate(planner *pl, ir_sym state) {
  empty_tables(pl);
  pl->now[state].ghosts_valid = false;
  const uint64_t *followers = dependence_followers(pl->dependence, state);
  for (int w = 0; followers && w < set_words(pl->from->symbol.n); w++)
    for (uint64_t rest = followers[w]; rest; rest &= rest - 1) {
      const int s = w * SET_BITS + __builtin_ctzll(rest);
      if (!is_held_through(pl, (ir_sym)s)) forget(pl, (ir_sym)s);
    }
}

/* What does not change in a run stays valid once the setup has computed it. */
void invalidate_all(planner *pl) {
  empty_tables(pl);
  for (int s = 1; s < pl->to->symbol.n; s++) {
    pl->now[s].at_boundary = 0;
    const bool made = pl->at.current != DSLC_SECTION_SETUP;
    pl->now[s].valid = made && (pl->storage[s].fixed || pl->storage[s].lasts);
    pl->now[s].ghosts_valid = made && (pl->storage[s].fixed || pl->storage[s].ghosts_last);
  }
  if (pl->at.current <= DSLC_SECTION_STEP) return;
  if (pl->in->dt) pl->now[pl->in->dt].valid = true; /* shown: the last step's */
  for (int s = 1; s < pl->to->symbol.n; s++)
    if (pl->use[s].once)
      pl->now[s].valid = true,
      pl->now[s].ghosts_valid = !pl->from->on_grid; /* the step makes those it reads */
}

/* ---- collecting -------------------------------------------------------------------------------------------------------- */

static int need_at(batch *b, ir_sym sym, dslc_subset subset);
static int need_symbol(batch *b, ir_sym sym) { return need_at(b, sym, DSLC_OWNED); }

/* In a rim: of cells that are not valid everywhere. */
static int rim_reach(dslc_subset subset) { return subset == DSLC_RIM ? 1 : 2; }

static bool has_points(dslc_subset subset, dslc_subset wanted) {
  if (!dslc_is_rim(subset)) return true;
  return dslc_is_rim(wanted) && rim_reach(wanted) <= rim_reach(subset);
}

/* What is computed in a rim first, and everywhere later, is two items. */
static int find_item(const batch *b, ir_sym sym, dslc_subset subset) {
  for (int i = 0; i < b->item.n; i++) {
    const item *it = &b->item.at[i];
    if (it->sym == sym && !it->reduction && !it->done && has_points(it->subset, subset)) return i;
  }
  return -1;
}

typedef struct level_search {
  batch *b;
  int level;
} level_search;

/* Before the first step what is shown of the start of the last one is what is now: the setup has to say so. */
static void note_looking_back(planner *pl, const ir_node *n) {
  const bool back = n->read.level == IR_PREV || pl->use[n->read.sym].once;
  if (n->op == IR_READ && back && pl->at.current > DSLC_SECTION_STEP) pl->found[n->read.sym].asked = true;
}

/* On grids what a kernel reads was computed by an earlier one: near walls it is read by functions, at any point. What these say of an
 * equation at the start of the step they compute. */
static void raise_level(void *ctx, ir_id id) {
  level_search *s = ctx;
  const ir_node q = *ir_get(s->b->pl->to, id);
  if (q.op != IR_READ && q.op != IR_PARAM) return;
  note_looking_back(s->b->pl, &q);
  const bool computed = q.op == IR_READ && q.read.level == IR_PREV &&
                        ir_symbol_get(s->b->pl->to, q.read.sym)->kind == IR_EQUATION;
  if (computed) return;
  int above = need_symbol(s->b, q.read.sym) + 1;
  s->level = above > s->level ? above : s->level;
}

/* Where somebody who is computed over a subset wants what it reads. */
static dslc_subset wanted_over(const planner *pl, const ir_node *q, dslc_subset over) {
  if (patch_can_compute(pl, q)) return DSLC_BOUNDARY;
  const bool cell = q->op == IR_READ && q->read.level == IR_NOW && pl->storage[q->read.sym].rim;
  if (!cell) return DSLC_OWNED;
  if (over == DSLC_RULE && q->read.at == IR_AT_L) return DSLC_RIM;
  if (over == DSLC_RIM && q->read.at == IR_AT_D) return DSLC_WIDE_RIM;
  return dslc_is_rim(over) && q->read.at == IR_AT_HERE ? over : DSLC_OWNED;
}

/* The lowest level at which these values can be computed at `place`: above all that they read elsewhere, and not below what
 * they read at their own point. */
static int level_of(batch *b, const ir_id *values, int n, ir_place place, dslc_subset over) {
  planner *pl = b->pl;
  int level = 0;
  if (pl->from->on_grid) {
    level_search s = {b, 0};
    plan_each_node(pl->plan, values, n, (walk_scope){.past_tables = true}, raise_level, &s);
    return s.level;
  }
  ir_reached reached = ir_reach(pl->to, values, n);
  for (int i = 0; i < reached.n; i++) {
    const ir_node q = *ir_get(pl->to, reached.at[i]);
    if (q.op != IR_READ && q.op != IR_PARAM) continue;
    note_looking_back(pl, &q);
    int of = need_at(b, q.read.sym, wanted_over(pl, &q, over));
    if (of < 0) continue;
    bool here = q.op == IR_READ && q.read.at == IR_AT_HERE &&
                ir_symbol_get(pl->to, q.read.sym)->place == place && !pl->storage[q.read.sym].scatter &&
                !pl->use[q.read.sym].flux_rule && !pl->use[q.read.sym].held;
    int above = here ? of : of + 1;
    level = above > level ? above : level;
  }
  return level;
}

static int symbol_values(planner *pl, ir_sym sym, ir_id *out) {
  const ir_symbol q = *ir_symbol_get(pl->from, sym);
  int n = 0;
  for (int part = 0; part < (q.is_fluctuation ? 2 : 1); part++)
    for (int k = 0; k < q.type.n; k++, n++) {
      out[n] = expand_own(&pl->shared, sym, part, k);
      if (pl->from->on_grid) out[n] = fix_value(pl, sym, k, out[n], NULL);
    }
  return n;
}

/* What the faces add for one of their cells into a scattered sum. */
static ir_id added(expander *x, ir_sym sum, expand_key side) {
  const ir_module *m = x->pl->from;
  return expand(x, ir_args(m, ir_get(m, ir_symbol_get(m, sum)->root[0]))[0], side);
}

static int add_partials(batch *b, ir_sym global, ir_id value) {
  planner *pl = b->pl;
  int level = -1;
  ir_reached reached = ir_reach(pl->to, &value, 1);
  for (int i = 0; i < reached.n; i++) {
    const ir_node n = *ir_get(pl->to, reached.at[i]);
    if (n.op != IR_REDUCE || n.reduce.binder != IR_OVER_ALL) continue;
    ir_id body = ir_args(pl->to, &n)[0];
    item one = {.sym = global,
                .reduction = reached.at[i],
                .place = (ir_place)n.reduce.place,
                .rule = (int)n.reduce.rule - 1,
                .subset = n.reduce.rule ? DSLC_RULE : DSLC_OWNED};
    one.level = level_of(b, &body, 1, one.place, DSLC_OWNED);
    level = one.level > level ? one.level : level;
    vec_push(pl->memory, &b->item, one);
  }
  return level;
}

/* The scalar part of a global may read other globals: drag = force/area. */
static int level_of_globals(batch *b, ir_id value) {
  planner *pl = b->pl;
  int level = 0;
  ir_reached reached = ir_reach(pl->to, &value, 1);
  for (int i = 0; i < reached.n; i++) {
    const ir_node q = *ir_get(pl->to, reached.at[i]);
    if (q.op != IR_PARAM) continue;
    int of = need_symbol(b, q.read.sym);
    level = of + 1 > level ? of + 1 : level;
  }
  return level;
}

/* Faces compute it, and read what a cell would recompute. */
static int level_of_scatter(batch *b, ir_sym sum) {
  const ir_id sides[2] = {added(&b->pl->shared, sum, KEY_ADD_L), added(&b->pl->shared, sum, KEY_ADD_R)};
  return level_of(b, sides, 2, IR_PLACE_COUNT, DSLC_OWNED);
}

static bool is_valid(const planner *pl, ir_sym sym, dslc_subset subset) {
  const symbol_state *now = &pl->now[sym];
  if (now->valid || now->here) return true;
  return dslc_is_rim(subset) ? rim_reach(subset) <= now->at_boundary
                             : subset == DSLC_BOUNDARY && now->at_boundary;
}

/* Near walls a kernel asks rules what they say, and so for what these read: its own result, if that is stored. Planning begins anew with
 * what its readers compute instead; where that cannot be, it is refused. */
static void note_circle(planner *pl, ir_sym sym) {
  const ir_symbol *q = ir_symbol_get(pl->from, sym);
  if (!pl->in->circular[sym] && !*pl->in->circle) *pl->in->circle = sym;
  if (!pl->in->circular[sym] || diag_errors(pl->in->sink)) return;
  const bool start = q->purpose.role == IR_STEP_START; /* X.prev(place): what is asked for is X.prev */
  const int n = start ? (int)strcspn(q->text, "(") : (int)strlen(q->text);
  diag *d = diag_report(pl->in->sink, DIAG_TARGET, q->at,
                        "`%.*s` %s: near walls it reads what a rule gives by `%.*s` itself", n, q->text,
                        start ? "depends on the time and cannot be kept from the start of the step"
                              : "cannot be stored",
                        n, q->text);
  diag_with_hint(pl->in->sink, d, "let the rule read a state that an `update` keeps it in");
}

/* The level above all that the symbol reads. */
static int level_of_symbol(batch *b, ir_sym sym, const ir_symbol *q, dslc_subset over) {
  planner *pl = b->pl;
  ir_id *value = arena_array(pl->memory, ir_id, 2 * q->type.n); /* a fluctuation has two parts */
  if (q->kind == IR_GLOBAL) {
    value[0] = expand_own(&pl->shared, sym, 0, 0);
    const int partials = add_partials(b, sym, value[0]) + 1, globals = level_of_globals(b, value[0]);
    return globals > partials ? globals : partials;
  }
  const int n = symbol_values(pl, sym, value);
  return pl->storage[sym].scatter ? level_of_scatter(b, sym) : level_of(b, value, n, q->place, over);
}

/* Level of the symbol in this batch, or -1 if it is valid already (or no equation). */
static int need_at(batch *b, ir_sym sym, dslc_subset subset) {
  planner *pl = b->pl;
  sym = ir_known_with(pl->from, sym);
  const ir_symbol q = *ir_symbol_get(pl->from, sym);
  bool computed = (q.kind == IR_EQUATION && pl->storage[sym].stored) || (q.kind == IR_GLOBAL && q.root[0]);
  if (q.kind == IR_GLOBAL && pl->storage[sym].fixed) pl->found[sym].asked = true;
  if (!computed || is_valid(pl, sym, subset)) return -1;
  int known = find_item(b, sym, subset);
  if (known >= 0 && subset == DSLC_OWNED) b->item.at[known].subset = subset;
  if (known >= 0) return b->item.at[known].level;
  if (pl->now[sym].asking) return note_circle(pl, sym), -1;
  pl->now[sym].asking = true;
  item one = {.sym = sym, .place = q.place, .subset = subset, .rule = -1};
  one.level = level_of_symbol(b, sym, &q, subset);
  pl->now[sym].asking = false;
  vec_push(pl->memory, &b->item, one);
  return one.level;
}

/* ---- computing ------------------------------------------------------------------------------------------------------------ */

static int end_of_level(const batch *b, int first) {
  int end = first;
  while (end < b->item.n && b->item.at[end].level == b->item.at[first].level) end++;
  return end;
}

/* What faces of one colour add into cells: both sides of the bodies of the cells' sums, for all sums of this level. */
static void launch_scatter(batch *b, int first) {
  planner *pl = b->pl;
  int end = end_of_level(b, first);
  ir_sym lead = b->item.at[first].sym;
  plan_kernel clear = kernel_begin(pl, "clear_sums", IR_CELLS, lead),
              add = kernel_begin(pl, "scatter_sums", IR_FACES, lead);
  clear.what = "sums set to 0";
  add.what = "faces add into their cells";
  expander x = expander_create(pl);
  x.stage = pl->shared.stage;
  for (int i = first; i < end; i++) {
    item *it = &b->item.at[i];
    if (it->done || it->reduction || !pl->storage[it->sym].scatter) continue;
    int buffer = buffer_of(pl, it->sym, IR_NOW);
    kernel_output(pl, &clear, PLAN_STORE, buffer, 0, ir_const(pl->to, 0));
    kernel_output(pl, &add, PLAN_ADD_L, buffer, 0, added(&x, it->sym, KEY_ADD_L));
    kernel_output(pl, &add, PLAN_ADD_R, buffer, 0, added(&x, it->sym, KEY_ADD_R));
    it->done = pl->now[it->sym].valid = true;
  }
  kernel_launch(pl, clear, DSLC_OWNED, -1, -1);
  const int op = kernel_launch(pl, add, DSLC_COLOUR, -1, -1);
  for (int i = first; i < end; i++)
    if (pl->storage[b->item.at[i].sym].scatter) pl->found[b->item.at[i].sym].kernel = pl->at.op.at[op].kernel;
}

/* Does every rule in use say what it is at its faces? */
static bool is_replaced(const planner *pl, ir_sym sym) {
  const ir_symbol *q = ir_symbol_get(pl->from, sym);
  bool all = q->place == IR_FACES && q->purpose.role == IR_AS_WRITTEN && !pl->in->options->periodic;
  for (int r = 1; all && r < pl->from->rule.n; r++)
    all = !pl->in->rule_used[r] || ir_entry_find(pl->from, r, sym, IR_FLUX);
  return all;
}

static void output_symbol(planner *pl, plan_kernel *k, expander *x, ir_sym sym) {
  const ir_symbol q = *ir_symbol_get(pl->from, sym);
  int buffer = buffer_of(pl, sym, IR_NOW), c = pl->plan->location[sym].first;
  const bool replaced = is_replaced(pl, sym);
  for (int part = 0; part < (q.is_fluctuation ? 2 : 1); part++)
    for (int i = 0; i < q.type.n; i++, c++) {
      ir_id value = expand_own(x, sym, part, i);
      if (pl->from->on_grid) value = fix_value(pl, sym, i, value, NULL);
      kernel_output(pl, k, PLAN_STORE, buffer, c, value);
      k->output.at[k->output.n - 1].index = pl->plan->location[sym].index;
      k->output.at[k->output.n - 1].replaced = replaced;
    }
}

typedef VEC(ir_id) reduction_list;

/* The reductions over all of a value, in order. */
static reduction_list reductions_of(const planner *pl, ir_id value) {
  reduction_list all = {0};
  ir_reached reached = ir_reach(pl->to, &value, 1);
  for (int i = 0; i < reached.n; i++) {
    const ir_node *q = ir_get(pl->to, reached.at[i]);
    if (q->op == IR_REDUCE && q->reduce.binder == IR_OVER_ALL) vec_push(pl->memory, &all, reached.at[i]);
  }
  return all;
}

/* The same reduction, expanded with what this kernel computes itself. */
static ir_id reduction_body(planner *pl, expander *x, ir_sym global, ir_id reduction) {
  reduction_list own = reductions_of(pl, expand_own(x, global, 0, 0)),
                 plain = reductions_of(pl, expand_own(&pl->shared, global, 0, 0));
  int which = -1;
  for (int i = 0; i < plain.n; i++)
    if (plain.at[i] <= reduction) which = i;
  ir_id found = which >= 0 && which < own.n ? own.at[which] : reduction;
  return ir_args(pl->to, ir_get(pl->to, found))[0];
}

static void output_partial(planner *pl, plan_kernel *k, expander *x, const item *it) {
  const ir_node n = *ir_get(pl->to, it->reduction);
  plan_location *l = &pl->plan->location[it->sym];
  if (l->buffer[IR_NOW] < 0)
    l->buffer[IR_NOW] = buffer_add(
        pl,
        (dslc_buffer){.name = arena_printf(pl->memory, "%s.partial", ir_symbol_get(pl->to, it->sym)->text),
                      .kind = DSLC_BUFFER_PARTIALS,
                      .element = DSLC_F64,
                      .width = 1,
                      .rule = -1,
                      .argument = -1,
                      .place = (dslc_place)it->place});
  kernel_output(pl, k, PLAN_PARTIAL, l->buffer[IR_NOW], 0, reduction_body(pl, x, it->sym, it->reduction));
  k->output.at[k->output.n - 1].reduce = (ir_reduce)n.reduce.kind;
}

/* On grids a kernel goes over points, whose cell, faces and corner it computes together. What faces add up has its own kernels. */
static bool shares(const planner *pl, const item *a, const item *b) {
  bool points = pl->from->on_grid && a->place != IR_NOWHERE && a->place < IR_XLINE;
  bool together = a->place == b->place || (points && b->place != IR_NOWHERE && b->place < IR_XLINE);
  if (!b->reduction && pl->storage[b->sym].scatter) return false;
  return !b->done && together && a->subset == b->subset && a->rule == b->rule && a->place != IR_NOWHERE;
}

/* The equations of the kernel that item `first` leads, as far as a line takes them. */
static const char *equations_of(const batch *b, int first, int end) {
  enum { LONGEST = 90 };
  const planner *pl = b->pl;
  const char *text = "";
  for (int i = first; i < end; i++) {
    const ir_symbol *q = ir_symbol_get(pl->to, b->item.at[i].sym);
    if (!shares(pl, &b->item.at[first], &b->item.at[i]) || b->item.at[i].reduction) continue;
    if (strlen(text) > LONGEST) return arena_printf(pl->memory, "%s, ...", text);
    text = arena_printf(pl->memory, "%s%s%s%s%s", text, *text ? ", " : "", q->text, q->tag ? " " : "",
                        q->tag ? q->tag : "");
  }
  return text;
}

/* Ghosts belong to what was made last. */
static void note_made(planner *pl, const item *it) {
  symbol_state *now = &pl->now[it->sym];
  now->valid = it->subset != DSLC_BOUNDARY && !dslc_is_rim(it->subset);
  now->at_boundary = rim_reach(it->subset);
  if (pl->storage[it->sym].rim && !pl->storage[it->sym].ghosts_last) now->ghosts_valid = false;
}

/* The kernel of all items of the level and place of item `first`. */
static plan_kernel kernel_of_group(const batch *b, int first, int end) {
  planner *pl = b->pl;
  const item *lead = &b->item.at[first];
  for (int i = first; i < end; i++)
    if (shares(pl, lead, &b->item.at[i]) && !b->item.at[i].reduction) pl->now[b->item.at[i].sym].here = true;
  expander x = expander_create(pl);
  x.stage = pl->shared.stage;
  const char *text = ir_symbol_get(pl->to, lead->sym)->text;
  plan_kernel k = kernel_begin(pl, lead->reduction ? arena_printf(pl->memory, "%s_partial", text) : text,
                               lead->place, lead->sym);
  if (!lead->reduction) k.what = equations_of(b, first, end);
  for (int i = first; i < end; i++) {
    if (!shares(pl, lead, &b->item.at[i])) continue;
    if (b->item.at[i].reduction) output_partial(pl, &k, &x, &b->item.at[i]);
    else output_symbol(pl, &k, &x, b->item.at[i].sym);
  }
  for (int i = first; i < end; i++) pl->now[b->item.at[i].sym].here = false;
  return k;
}

/* Ghosts that the group's kernel reads may be made of what stands in the group, too: that has been computed before them, and is not once more,
 * which would leave its own ghosts behind it. */
static bool leave_out_made(batch *b, int first, int end) {
  const item lead = b->item.at[first];
  bool any = false;
  for (int i = first; i < end; i++) {
    item *it = &b->item.at[i];
    if (!shares(b->pl, &lead, it) || it->reduction || !is_valid(b->pl, it->sym, it->subset)) continue;
    any = it->done = true;
  }
  return any;
}

/* All items of one kernel. What is left of a group whose first one is made meanwhile is another group. */
static void launch_group(batch *b, int first, int *launched) {
  planner *pl = b->pl;
  const int end = end_of_level(b, first);
  plan_kernel k = kernel_of_group(b, first, end);
  kernel_prepare(pl, &k, b->item.at[first].subset);
  while (leave_out_made(b, first, end)) {
    if (b->item.at[first].done) return;
    k = kernel_of_group(b, first, end);
    kernel_prepare(pl, &k, b->item.at[first].subset);
  }
  const item pattern = b->item.at[first];
  const int op = kernel_launch_prepared(pl, k, pattern.subset, pattern.rule, -1);
  VEC(ir_sym) stored = {0};
  for (int i = first; i < end; i++) {
    item *it = &b->item.at[i];
    if (!shares(pl, &pattern, it)) continue;
    it->done = true;
    launched[i] = op;
    if (it->reduction) continue;
    note_made(pl, it);
    pl->found[it->sym].kernel = pl->at.op.at[op].kernel;
    vec_push(pl->memory, &stored, it->sym);
  }
  launch_rules(pl, stored.at, stored.n);
}

static void launch_finish(batch *b, int at, const int *launched) {
  planner *pl = b->pl;
  item *it = &b->item.at[at];
  const ir_symbol q = *ir_symbol_get(pl->from, it->sym);
  bool is_dt = it->sym == pl->in->dt;
  plan_kernel k = kernel_begin(pl, q.text, IR_NOWHERE, it->sym);
  ir_id value = expand_own(&pl->shared, it->sym, 0, 0);
  int scalar = is_dt ? DSLC_SCALAR_DT_FREE : pl->plan->location[it->sym].scalar, groups_of = -1;
  kernel_output(pl, &k, PLAN_SCALAR, pl->plan->scalars, scalar, value);
  for (int i = 0; i < b->item.n; i++) {
    if (b->item.at[i].sym != it->sym || !b->item.at[i].reduction) continue;
    plan_partial p = {.node = b->item.at[i].reduction,
                      .buffer = pl->plan->location[it->sym].buffer[IR_NOW],
                      .reduce = (ir_reduce)ir_get(pl->to, b->item.at[i].reduction)->reduce.kind};
    vec_push(pl->memory, &k.partial, p);
    groups_of = launched[i];
  }
  if (is_dt && pl->at.current != DSLC_SECTION_SETUP) {
    k.time = PLAN_TIME_BEGIN;
    k.time_check = 1 + check_add(pl, "dt > 0", IR_NOWHERE, -1, q.at);
  }
  kernel_choose_finish(pl, &k);
  kernel_launch(pl, k, DSLC_OWNED, -1, groups_of);
  it->done = true;
  pl->now[it->sym].valid = true;
}

/* Within a level what is made at boundaries only comes behind what is made at all faces, and what one rule's faces or nodes add up behind
 * both: each may read at its own point what the others make there. */
static int turn_of(const item *it) {
  const bool near = it->subset == DSLC_BOUNDARY || it->subset == DSLC_WIDE_RIM;
  return 4 * it->level + (it->subset == DSLC_RULE ? 3 : it->subset == DSLC_RIM ? 2 : near);
}

/* Orders the items by level and, within one, as they were asked for. */
static void sort_by_level(batch *b) {
  int last = -1;
  for (int i = 0; i < b->item.n; i++) last = turn_of(&b->item.at[i]) > last ? turn_of(&b->item.at[i]) : last;
  int *begin = arena_array(b->pl->memory, int, last + 2);
  item *sorted = arena_array(b->pl->memory, item, b->item.n + 1);
  for (int i = 0; i < b->item.n; i++) begin[turn_of(&b->item.at[i]) + 1]++;
  for (int turn = 0; turn <= last; turn++) begin[turn + 1] += begin[turn];
  for (int i = 0; i < b->item.n; i++) sorted[begin[turn_of(&b->item.at[i])]++] = b->item.at[i];
  b->item.at = sorted;
}

static void flush(batch *b) {
  planner *pl = b->pl;
  sort_by_level(b);
  int *launched = arena_array(pl->memory, int, b->item.n + 1);
  for (int i = 0; i < b->item.n; i++) {
    item *it = &b->item.at[i];
    if (it->done) continue;
    if (!it->reduction && is_valid(pl, it->sym, it->subset)) it->done = true;
    else if (!it->reduction && it->place == IR_NOWHERE) launch_finish(b, i, launched);
    else if (!it->reduction && pl->storage[it->sym].scatter) launch_scatter(b, i);
    else launch_group(b, i, launched);
  }
}

bool dt_follows_from_time(const planner *pl) {
  return pl->in->dt && pl->in->time && depends_on_near_walls(pl->dependence, pl->in->dt, pl->in->time);
}

bool stages_near_walls(const planner *pl) { return pl->from->on_grid && pl->in->stage && pl->in->time; }

/* Where the first demand is a stage's, whose readers see its time: that follows from dt. What dt follows from is of the start of the step. On
 * grids functions near walls are those of all stages, so that dt has some of its own. */
static void demand_dt_alone(planner *pl) {
  const expander stage = pl->shared;
  batch b = {.pl = pl};
  pl->shared = expander_create(pl);
  pl->at.before_stages = stages_near_walls(pl);
  need_symbol(&b, pl->in->dt);
  flush(&b);
  pl->at.before_stages = false;
  pl->shared = stage;
}

/* The step's first demand includes dt, which belongs to the states at its start; one kernel may then serve both. Never that of a rule, while
 * that is made for which dt may ask, too. */
static void include_dt(batch *b) {
  planner *pl = b->pl;
  if (!pl->in->dt || pl->at.current != DSLC_SECTION_STEP || pl->at.dt_asked) return;
  pl->at.dt_asked = true;
  if ((pl->shared.stage || stages_near_walls(pl)) && dt_follows_from_time(pl)) demand_dt_alone(pl);
  else need_symbol(b, pl->in->dt);
}

static void demand_over(planner *pl, const ir_id *values, int n, dslc_subset over) {
  batch b = {.pl = pl};
  include_dt(&b);
  level_of(&b, values, n, IR_PLACE_COUNT, over);
  flush(&b);
}

void demand(planner *pl, const ir_id *values, int n) { demand_over(pl, values, n, DSLC_OWNED); }

void demand_at_rule(planner *pl, const ir_id *values, int n) { demand_over(pl, values, n, DSLC_RULE); }

void demand_symbols(planner *pl, const ir_sym *syms, int n) {
  batch b = {.pl = pl};
  if (!defect_is_back("dt_in_rules")) include_dt(&b);
  for (int i = 0; i < n; i++) need_symbol(&b, syms[i]);
  flush(&b);
}

void demand_symbol(planner *pl, ir_sym sym) { demand_symbols(pl, &sym, 1); }
