/* Boundary rules at nodes. A `fix` holds the value of a state or equation, or projects it; an `add` adds to an equation. Each
 * rule in use and target make a hold with rows of its own, over which a small kernel runs: on the start values, after every
 * assignment and stage of a state at the time that the new value belongs to, before solves, and behind the kernel of an equation.
 * Values come before projections; where two rules give one value, the case's order decides, and the rows of the second say so. */
#include "schedule/nodes.h"

#include <string.h>

/* ---- rows' own symbols: arguments, normal, area -------------------------------------------------------------------- */

typedef struct cloning {
  planner *pl;
  int hold; /* 1 + its number */
} cloning;

static bool is_by_row(const ir_symbol *q) {
  if (q->kind == IR_RULE_ARGUMENT) return true;
  bool geometry = q->kind == IR_GEOMETRY && q->place == IR_NODES;
  return geometry && (strcmp(q->text, "normal") == 0 || strcmp(q->text, "area") == 0);
}

static ir_sym clone_of(cloning *c, ir_sym sym) {
  planner *pl = c->pl;
  for (int i = 0; i < pl->row_symbol.n; i++)
    if (pl->row_symbol.at[i].of == sym && pl->row_symbol.at[i].hold == c->hold)
      return pl->row_symbol.at[i].sym;
  ir_symbol copy = *ir_symbol_get(pl->from, sym);
  copy.root[0] = copy.root[1] = 0;
  ir_sym clone = ir_symbol_add(pl->from, copy);
  vec_push(pl->memory, &pl->row_symbol, ((row_symbol){sym, clone, c->hold}));
  return clone;
}

static ir_id read_by_row(void *ctx, ir_module *m, ir_id id) {
  cloning *c = ctx;
  ir_node n = *ir_get(m, id);
  if ((n.op != IR_READ && n.op != IR_PARAM) || !is_by_row(ir_symbol_get(m, n.read.sym))) return 0;
  n.read.sym = clone_of(c, n.read.sym);
  return ir_rebuild(m, &n, NULL);
}

/* ---- sums in rules ----------------------------------------------------------------------------------------------- */

static bool is_same_in_all_rows(const ir_module *m, const planner *pl, ir_id id) {
  ir_reached all = ir_reach(m, &id, 1);
  for (int i = 0; i < all.n; i++) {
    const ir_node *n = ir_get(m, all.at[i]);
    for (int k = 0; (n->op == IR_READ || n->op == IR_PARAM) && k < pl->row_symbol.n; k++)
      if (pl->row_symbol.at[k].sym == n->read.sym) return false;
  }
  return true;
}

/* A sum over neighbours becomes an equation, so that it is complete before the first row changes a value. */
static ir_id read_sum(void *ctx, ir_module *m, ir_id id) {
  planner *pl = ctx;
  const ir_node n = *ir_get(m, id);
  if (n.op != IR_REDUCE || !is_same_in_all_rows(m, pl, id)) return 0;
  const char *text = arena_printf(pl->memory, "rule_sum%d", pl->hoists.n + 1);
  ir_sym sym = ir_symbol_add(m, (ir_symbol){.text = intern_str(pl->names, text),
                                            .kind = IR_EQUATION,
                                            .place = IR_NODES,
                                            .type = ir_scalar(),
                                            .dims = m->dims,
                                            .root = {id},
                                            .at = m->origin.at[id].at});
  vec_push(pl->memory, &pl->hoists, ((struct hoisted_sum){sym, false}));
  return rewrite_read(m, sym, IR_NOW, IR_AT_HERE, 0);
}

/* ---- preparing -------------------------------------------------------------------------------------------------------- */

static void prepare_hold(planner *pl, uint32_t rule, const ir_rule_entry *e) {
  const ir_symbol q = *ir_symbol_get(pl->from, e->target);
  bool add = e->kind == IR_ADD_RULE;
  if ((e->kind != IR_FIX && !add) || q.place != IR_NODES) return;
  cloning c = {pl, pl->hold.n + 1};
  node_hold h = {.rule = rule, .target = e->target, .add = add, .rows = -1, .at = e->at};
  h.projection = !add && rewrite_reads(pl->from, e->root, e->target);
  h.root = rewrite_value(pl->from, e->root, read_by_row, &c);
  h.root = rewrite_value(pl->from, h.root, read_sum, pl);
  vec_push(pl->memory, &pl->hold, h);
}

static bool reads_time(const planner *pl, ir_id root) {
  return pl->time && rewrite_reads(pl->from, root, pl->time);
}

void prepare_holds(planner *pl) {
  if (pl->from->on_grid) return;
  int n = pl->from->rule.n;
  for (int r = 1; r < n; r++) {
    const ir_rule rule = pl->from->rule.at[r];
    for (int i = 0; pl->rule_used[r] && i < rule.entry.n; i++)
      prepare_hold(pl, (uint32_t)r, &rule.entry.at[i]);
  }
  for (int i = 0; i < pl->hold.n && !pl->stage; i++)
    if (reads_time(pl, pl->hold.at[i].root))
      pl->stage = ir_symbol_add(
          pl->from,
          (ir_symbol){.text = intern_str(pl->names, "stage"), .kind = IR_TIME, .type = ir_scalar()});
}

bool is_held(const planner *pl, ir_sym target, bool values_only) {
  for (int i = 0; i < pl->hold.n; i++) {
    const node_hold *h = &pl->hold.at[i];
    if (h->target == target && !(values_only && (h->projection || h->add))) return true;
  }
  return false;
}

bool is_projected(const planner *pl, ir_sym target) {
  for (int i = 0; i < pl->hold.n; i++)
    if (pl->hold.at[i].target == target && pl->hold.at[i].projection) return true;
  return false;
}

void mark_holds(planner *pl) {
  for (int i = 0; i < pl->hold.n; i++) {
    pl->sym[pl->hold.at[i].target].held = true;
    ir_reached all = ir_reach(pl->from, &pl->hold.at[i].root, 1);
    for (int k = 0; k < all.n; k++)
      if (ir_get(pl->from, all.at[k])->op == IR_READ)
        pl->sym[ir_get(pl->from, all.at[k])->read.sym].in_rule = true;
  }
  for (int i = 0; i < pl->row_symbol.n; i++) {
    pl->sym[pl->row_symbol.at[i].sym].row_of = pl->row_symbol.at[i].hold;
    pl->sym[pl->row_symbol.at[i].sym].hidden = true;
  }
}

/* ---- launching ------------------------------------------------------------------------------------------------------------ */

static int rows_of(planner *pl, int number) {
  node_hold *h = &pl->hold.at[number];
  if (h->rows >= 0) return h->rows;
  const char *text = arena_printf(pl->memory, "%s.%s.node", pl->to->rule.at[h->rule].text,
                                  ir_symbol_get(pl->to, h->target)->text);
  h->rows = buffer_add(pl, (dslc_buffer){.name = text,
                                         .kind = DSLC_BUFFER_TOPOLOGY,
                                         .element = DSLC_I32,
                                         .place = DSLC_NODES,
                                         .width = 1,
                                         .source = "hold_node",
                                         .rule = (int)h->rule - 1,
                                         .argument = -1,
                                         .hold = 1 + number});
  return h->rows;
}

/* A row must not look at values that other rows change. */
static void refuse_neighbours(planner *pl, node_hold *h, const ir_id *values, int n) {
  ir_reached all = ir_reach(pl->to, values, n);
  for (int i = 0; i < all.n && !h->refused; i++) {
    const ir_node *q = ir_get(pl->to, all.at[i]);
    if (q->op != IR_READ || q->read.sym != h->target || q->read.level != IR_NOW || q->read.at == IR_AT_HERE)
      continue;
    const char *text = ir_symbol_get(pl->to, h->target)->text;
    diag *d = diag_report(
        pl->sink, DIAG_TARGET, h->at,
        "a rule cannot give `%s` from `%s` at other nodes and from its own arguments at once", text, text);
    diag_with_hint(pl->sink, d, "make the sum over neighbours, without the rule's arguments, an equation");
    h->refused = true;
  }
}

static ir_id held_value(expander *x, const node_hold *h, int k) {
  planner *pl = x->pl;
  ir_id value = expand(x, root_component(pl->from, h->root, k), KEY_HERE);
  if (!h->add) return value;
  return ir_binary(pl->to, IR_ADD, rewrite_read(pl->to, h->target, IR_NOW, IR_AT_HERE, k), value);
}

static void launch_hold(planner *pl, int number) {
  node_hold *h = &pl->hold.at[number];
  const char *rule = pl->to->rule.at[h->rule].text;
  const ir_symbol q = *ir_symbol_get(pl->to, h->target);
  plan_kernel k = kernel_begin(pl, arena_printf(pl->memory, "%s_%s", rule, q.text), IR_NODES, 0);
  int column;
  line_text(pl, h->at, &k.line, &column);
  k.what = arena_printf(pl->memory, "%s %s by `%s`", h->add ? "add to" : "fix", q.text, rule);
  k.rows = 1 + rows_of(pl, number);
  expander x = expander_create(pl);
  x.stage = pl->stage != 0;
  VEC(ir_id) values = {0};
  for (int c = 0; c < q.type.n; c++) {
    vec_push(pl->memory, &values, held_value(&x, h, c));
    kernel_output(pl, &k, PLAN_STORE, buffer_of(pl, h->target, IR_NOW), c, values.at[c]);
  }
  demand(pl, values.at, values.n);
  refuse_neighbours(pl, h, values.at, values.n);
  kernel_launch(pl, k, DSLC_HOLD, number, -1);
}

void apply_holds(planner *pl, ir_sym target, double stage) {
  double before = pl->stage_at;
  pl->stage_at = stage;
  bool state = ir_symbol_get(pl->to, target)->kind == IR_STATE, valid = pl->sym[target].valid;
  pl->sym[target].valid = true;        /* of an equation: what the hold changes is there */
  for (int pass = 0; pass < 3; pass++) /* additions, values, projections */
    for (int i = 0; i < pl->hold.n; i++) {
      const node_hold *h = &pl->hold.at[i];
      if (h->target != target || pass != (h->add ? 0 : h->projection ? 2 : 1)) continue;
      launch_hold(pl, i);
      invalidate(pl, target);
      if (!state) pl->sym[target].valid = true;
    }
  if (state) pl->sym[target].valid = valid;
  pl->stage_at = before;
}

void publish_holds(planner *pl) {
  dslc_hold *all = arena_array(pl->memory, dslc_hold, pl->hold.n + 1);
  for (int i = 0; i < pl->hold.n; i++)
    all[i] = (dslc_hold){.rule = (int)pl->hold.at[i].rule - 1,
                         .target = ir_symbol_get(pl->to, pl->hold.at[i].target)->text,
                         .add = pl->hold.at[i].add,
                         .projection = pl->hold.at[i].projection};
  pl->program->hold = all;
  pl->program->n_holds = pl->hold.n;
}
