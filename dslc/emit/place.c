/* Placement: what becomes a temporary, in which order, and in which loop or arm of a branch.
 *
 * Every node belongs to one scope: a loop's body if its value depends on the loop's index, else the
 * kernel's body. So whatever does not depend on the loop is hoisted. Reductions with one binder whose
 * bodies depend on equally many loops in a chain share a loop. The kernel's statements are in stages:
 * stage s stands behind the loops of level s; a value is computed in the last stage in which all its users
 * can still have it.
 *
 * Within a scope a node's region is the lowest common ancestor of the regions of its uses: a value needed
 * in one arm only is computed in that arm. Selects on one condition with equally many branches below them
 * cannot depend on each other and become one if/else. Ordered by (branches below, groups first, number)
 * all operands stand before their users. */
#include "emit/emit.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_REGION_DEPTH = 8 };

static const ir_node *node_of(const emitter *e, ir_id id) { return ir_get(e->m, id); }

static bool is_partial(const emitter *e, ir_id id, int *index) {
  for (int i = 0; i < e->k->partial.n; i++)
    if (e->k->partial.at[i].node == id) {
      if (index) *index = i;
      return true;
    }
  return false;
}

bool place_is_trivial(const emitter *e, ir_id id) {
  const ir_node *n = node_of(e, id);
  if (n->op == IR_CONST || n->op == IR_SIGN_OUT) return true;
  if (n->op != IR_PARAM) return false;
  const plan_location *at = &e->p->location[n->read.sym];
  ir_symbol_kind kind = ir_symbol_get(e->m, n->read.sym)->kind;
  return kind == IR_PARAMETER || (kind == IR_TIME && at->launch != PLAN_LAUNCH_NONE);
}

/* t, dt and globals are read once, under their names. */
static bool is_scalar_entry(const emitter *e, ir_id id) {
  return node_of(e, id)->op == IR_PARAM && !place_is_trivial(e, id) &&
         arguments_read_buffer(e, node_of(e, id), &(int){0}) == e->p->scalars;
}

static bool is_loop(const emitter *e, ir_id id) {
  return node_of(e, id)->op == IR_REDUCE && !is_partial(e, id, NULL);
}

/* Whether the node itself names what a loop of this kernel runs over. */
static bool names_loop_index(const emitter *e, const ir_node *n) {
  if (n->op == IR_SIGN_OUT) return true;
  if (n->op != IR_READ) return false;
  switch (n->read.at) {
  case IR_AT_F:
  case IR_AT_OUT:
  case IR_AT_D: return true;
  case IR_AT_L:
  case IR_AT_R: return e->k->place == IR_CELLS;
  case IR_AT_J:
  case IR_AT_E: return e->k->place == IR_NODES;
  default: return false;
  }
}

/* ---- what is needed, and which loops there are ---- */

static void add_live(emitter *e, ir_id id) {
  if (e->values.node[id].live) return;
  e->values.node[id].live = true;
  vec_push(e->memory, &e->values.live, id);
}

/* Lists what the kernel needs, operands first (they have smaller numbers than their users), instead of what the last
 * one did. */
static void find_live(emitter *e) {
  for (int i = 0; i < e->values.live.n; i++) e->values.node[e->values.live.at[i]] = (node_state){0};
  e->values.live.n = 0;
  for (int i = 0; i < e->k->output.n; i++)
    if (e->k->output.at[i].value) add_live(e, e->k->output.at[i].value);
  for (int i = 0; i < e->values.live.n; i++) {
    ir_id id = e->values.live.at[i];
    const ir_node *n = node_of(e, id);
    if (is_partial(e, id, NULL)) continue;
    for (int a = 0; a < n->n_args; a++) add_live(e, ir_args(e->m, n)[a]);
  }
  ir_sort(e->values.live.at, e->values.live.n);
}

static void find_dependence(emitter *e, ir_id id) {
  const ir_node *n = node_of(e, id);
  node_state *s = &e->values.node[id];
  s->in_loop = names_loop_index(e, n);
  s->points = n->op == IR_READ ? 1u << n->read.at : n->op == IR_SIGN_OUT ? 1u << IR_AT_F : 0;
  if (is_partial(e, id, NULL)) return;
  for (int a = 0; a < n->n_args; a++) {
    const node_state *arg = &e->values.node[ir_args(e->m, n)[a]];
    s->in_loop |= arg->in_loop;
    s->points |= arg->points;
    if (arg->early > s->early) s->early = arg->early;
  }
  if (n->op != IR_REDUCE) return;
  s->in_loop = false;
  s->early++;
}

/* In a march along rows, what is the same at all points and expensive is a temporary: pass_constants.c moves it before the march. */
static void find_same(emitter *e, ir_id id) {
  const ir_node *n = node_of(e, id);
  node_state *s = &e->values.node[id];
  const ir_op_info *op = ir_op_get((ir_op)n->op);
  bool function = n->n_args == 1 && op->type == IR_TYPE_REAL;
  bool sum = n->op == IR_ADD || n->op == IR_SUB || n->op == IR_MUL || n->op == IR_DIV || n->op == IR_NEG;
  s->same = n->op == IR_CONST || n->op == IR_PARAM || function || sum;
  s->expensive = n->op == IR_DIV || (function && !sum) || (n->op == IR_PARAM && !place_is_trivial(e, id));
  for (int a = 0; a < n->n_args; a++) {
    const node_state *arg = &e->values.node[ir_args(e->m, n)[a]];
    s->same = s->same && arg->same;
    s->expensive = s->expensive || arg->expensive;
  }
  s->expensive = s->expensive && s->same;
  for (int a = 0; a < n->n_args && !s->same; a++) {
    node_state *arg = &e->values.node[ir_args(e->m, n)[a]];
    arg->keep = arg->keep || arg->expensive;
  }
}

static loop *loop_for(emitter *e, ir_binder binder, int level) {
  for (int i = 0; i < e->values.loop.n; i++)
    if (e->values.loop.at[i].binder == binder && e->values.loop.at[i].level == level)
      return &e->values.loop.at[i];
  vec_push(e->memory, &e->values.loop, ((loop){.binder = binder, .level = level}));
  return &e->values.loop.at[e->values.loop.n - 1];
}

/* Which index variables the loop's body needs. */
static void note_index_use(emitter *e, loop *l, const ir_node *n) {
  l->uses_outward |= n->op == IR_SIGN_OUT;
  if (n->op != IR_READ) return;
  const ir_symbol *s = ir_symbol_get(e->m, n->read.sym);
  bool out = n->read.at == IR_AT_OUT;
  l->uses_face |= out || n->read.at == IR_AT_F;
  l->uses_left |= out && s->is_fluctuation;
  l->uses_outward |= out && !s->is_fluctuation && (s->is_flux || s->side == IR_ODD);
  l->uses_across |= n->read.at == IR_AT_D;
  l->uses_sides |= n->read.at == IR_AT_L || n->read.at == IR_AT_R;
  l->uses_neighbour |= n->read.at == IR_AT_J;
}

/* The nodes a loop computes itself, ascending: those its reductions reach through nodes that depend on its
 * index. */
static void collect_loop_nodes(emitter *e, loop *l) {
  for (int i = 0; i < l->reduction.n; i++)
    e->values.node[ir_args(e->m, node_of(e, l->reduction.at[i]))[0]].mark = true;
  VEC(ir_id) down = {0};
  for (int i = e->values.live.n - 1; i >= 0; i--) {
    ir_id id = e->values.live.at[i];
    node_state *s = &e->values.node[id];
    if (!s->mark) continue;
    s->mark = false;
    if (!s->in_loop) { /* hoisted into the root region */
      if (s->uses < 1) s->uses = 1;
      s->keep = true;
      if (s->stage > l->level - 1) s->stage = l->level - 1;
      continue;
    }
    if (!place_is_trivial(e, id)) vec_push(e->memory, &down, id);
    const ir_node *n = node_of(e, id);
    note_index_use(e, l, n);
    for (int a = 0; a < n->n_args; a++) e->values.node[ir_args(e->m, n)[a]].mark = true;
  }
  for (int i = down.n - 1; i >= 0; i--) vec_push(e->memory, &l->body.node, down.at[i]);
}

/* ---- regions of one scope ---- */

static int region_new(emitter *e, scope *s, int parent) {
  region r = {.parent = parent, .depth = parent < 0 ? 0 : s->region.at[parent].depth + 1};
  vec_push(e->memory, &s->region, r);
  return s->region.n - 1;
}

static int common_region(const scope *s, int a, int b) {
  while (a != b) {
    if (s->region.at[a].depth >= s->region.at[b].depth) a = s->region.at[a].parent;
    else b = s->region.at[b].parent;
  }
  return a;
}

typedef struct placement {
  emitter *e;
  scope *s;
  bool loop; /* the scope is a loop's body */
} placement;

static bool in_scope(const placement *p, ir_id id) {
  return p->e->values.node[id].in_loop == p->loop && !place_is_trivial(p->e, id);
}

static bool is_plain(const placement *p, ir_id id) {
  ir_op op = node_of(p->e, id)->op;
  if (p->e->values.node[id].expensive) return true; /* it will stand elsewhere */
  return op == IR_CONST || op == IR_PARAM || op == IR_READ || op == IR_REDUCE || !in_scope(p, id);
}

/* A select is worth a branch if an arm has something to compute. */
static bool worth_a_branch(const placement *p, ir_id id) {
  const ir_node *n = node_of(p->e, id);
  if (p->e->p->how.select != SELECT_BRANCH || n->op != IR_SELECT) return false;
  const ir_id *arg = ir_args(p->e->m, n);
  return !is_plain(p, arg[1]) || !is_plain(p, arg[2]);
}

static void join_group(placement *p, ir_id id) {
  node_state *s = &p->e->values.node[id];
  ir_id condition = ir_args(p->e->m, node_of(p->e, id))[0];
  for (int g = p->s->group.n - 1; g >= 0 && s->group < 0; g--) {
    const branch_group *b = &p->s->group.at[g];
    if (b->condition == condition && b->depth == s->depth && b->early == s->early) s->group = g;
  }
  if (s->group < 0) {
    branch_group b = {
        .condition = condition, .early = s->early, .stage = INT32_MAX, .depth = s->depth, .region = -1};
    vec_push(p->e->memory, &p->s->group, b);
    s->group = p->s->group.n - 1;
  }
  vec_push(p->e->memory, &p->s->group.at[s->group].member, id);
}

static void find_depths(placement *p) {
  for (int i = 0; i < p->s->node.n; i++) {
    ir_id id = p->s->node.at[i];
    const ir_node *n = node_of(p->e, id);
    node_state *s = &p->e->values.node[id];
    s->group = -1;
    s->depth = 0;
    for (int a = 0; a < n->n_args && n->op != IR_REDUCE; a++) {
      ir_id arg = ir_args(p->e->m, n)[a];
      if (in_scope(p, arg) && p->e->values.node[arg].depth > s->depth)
        s->depth = p->e->values.node[arg].depth;
    }
    s->branch = worth_a_branch(p, id);
    if (!s->branch) continue;
    s->depth++;
    join_group(p, id);
  }
}

static void use(placement *p, ir_id id, int where, int stage) {
  if (!in_scope(p, id)) return;
  node_state *s = &p->e->values.node[id];
  s->region = s->uses == 0 ? where : common_region(p->s, s->region, where);
  if (s->stage > stage) s->stage = stage;
  s->uses++;
}

static void use_operands(placement *p, ir_id id) {
  const ir_node *n = node_of(p->e, id);
  const node_state *s = &p->e->values.node[id];
  if (n->op == IR_REDUCE) return; /* its body belongs to the loop */
  for (int a = 0; a < n->n_args; a++) use(p, ir_args(p->e->m, n)[a], s->region, s->stage);
}

/* Opens the arms once all users of all members are known. */
static void place_group(placement *p, int number) {
  branch_group b = p->s->group.at[number];
  b.region = -1;
  for (int i = 0; i < b.member.n; i++) {
    const node_state *s = &p->e->values.node[b.member.at[i]];
    b.region = b.region < 0 ? s->region : common_region(p->s, b.region, s->region);
    if (s->stage < b.stage) b.stage = s->stage;
  }
  b.flat = p->s->region.at[b.region].depth >= MAX_REGION_DEPTH;
  b.then_region = b.flat ? b.region : region_new(p->e, p->s, b.region);
  b.else_region = b.flat ? b.region : region_new(p->e, p->s, b.region);
  for (int i = 0; i < (b.flat ? b.member.n : 1); i++) use(p, b.condition, b.region, b.stage);
  for (int i = 0; i < b.member.n; i++) {
    node_state *s = &p->e->values.node[b.member.at[i]];
    const ir_id *arg = ir_args(p->e->m, node_of(p->e, b.member.at[i]));
    s->region = b.region;
    s->stage = b.stage;
    use(p, arg[1], b.then_region, b.stage);
    use(p, arg[2], b.else_region, b.stage);
  }
  p->s->group.at[number] = b;
}

/* ---- order ---- */

/* A statement: a node, or (item < 0) a group. */
typedef struct ordered {
  int stage, depth, kind, item;
} ordered;

static int compare(const void *a, const void *b) {
  const ordered *x = a, *y = b;
  if (x->stage != y->stage) return x->stage < y->stage ? -1 : 1;
  if (x->depth != y->depth) return x->depth < y->depth ? -1 : 1;
  if (x->kind != y->kind) return x->kind < y->kind ? -1 : 1;
  if (x->kind == 0) return x->item > y->item ? -1 : x->item < y->item; /* groups in order of creation */
  return x->item < y->item ? -1 : x->item > y->item;
}

/* All statements of the scope in order; `staged` false before the stages are known. */
static ordered *sorted(const placement *p, bool staged, int *n) {
  ordered *o = arena_array(p->e->memory, ordered, p->s->node.n + p->s->group.n + 1);
  int count = 0;
  for (int i = 0; i < p->s->node.n; i++) {
    const node_state *s = &p->e->values.node[p->s->node.at[i]];
    if (!s->branch) o[count++] = (ordered){staged ? s->stage : 0, s->depth, 1, (int)p->s->node.at[i]};
  }
  for (int g = 0; g < p->s->group.n; g++)
    o[count++] = (ordered){staged ? p->s->group.at[g].stage : 0, p->s->group.at[g].depth, 0, -1 - g};
  int first = 1;
  while (first < count && compare(&o[first - 1], &o[first]) < 0) first++;
  if (first < count) qsort(o, (size_t)count, sizeof *o, compare); /* without branches they are in order */
  *n = count;
  return o;
}

static void fill_regions(placement *p) {
  int n;
  const ordered *o = sorted(p, true, &n);
  for (int i = 0; i < n; i++) {
    int where = o[i].item < 0 ? p->s->group.at[-1 - o[i].item].region : p->e->values.node[o[i].item].region;
    vec_push(p->e->memory, &p->s->region.at[where].item, o[i].item);
  }
}

/* Uses from outside the scope are already counted; the rest goes from the users down to what they use. */
static void place_scope(placement *p) {
  int n;
  const ordered *o = sorted(p, false, &n);
  for (int i = n - 1; i >= 0; i--) {
    if (o[i].item < 0) place_group(p, -1 - o[i].item);
    else use_operands(p, (ir_id)o[i].item);
  }
  fill_regions(p);
}

/* ---- entry points ---- */

void place_loop(emitter *e, loop *l) {
  placement p = {e, &l->body, true};
  region_new(e, &l->body, -1);
  for (int i = 0; i < l->body.node.n; i++) {
    node_state *s = &e->values.node[l->body.node.at[i]];
    *s = (node_state){.live = true, .in_loop = true, .early = s->early, .points = s->points, .group = -1};
  }
  find_depths(&p);
  for (int i = 0; i < l->reduction.n; i++) use(&p, ir_args(e->m, node_of(e, l->reduction.at[i]))[0], 0, 0);
  place_scope(&p);
}

void place_kernel(emitter *e) {
  e->values.loop.n = 0;
  e->values.body = (scope){0};
  find_live(e);
  for (int i = 0; i < e->values.live.n; i++) {
    ir_id id = e->values.live.at[i];
    find_dependence(e, id);
    e->values.node[id].stage = INT32_MAX;
    e->values.node[id].group = -1;
    e->values.node[id].keep = is_scalar_entry(e, id);
    if (e->window.march) find_same(e, id);
    bool reduction = is_loop(e, id);
    if (reduction) {
      loop *l = loop_for(e, node_of(e, id)->reduce.binder, e->values.node[id].early);
      vec_push(e->memory, &l->reduction, id);
      e->values.node[id].keep = true;
    }
    if (!e->values.node[id].in_loop && !place_is_trivial(e, id))
      vec_push(e->memory, &e->values.body.node, id);
  }
  placement p = {e, &e->values.body, false};
  region_new(e, &e->values.body, -1);
  find_depths(&p);
  for (int i = 0; i < e->values.loop.n; i++) collect_loop_nodes(e, &e->values.loop.at[i]);
  for (int i = 0; i < e->k->output.n; i++)
    if (e->k->output.at[i].value) {
      if (e->values.node[e->k->output.at[i].value].expensive)
        e->values.node[e->k->output.at[i].value].keep = true;
      use(&p, e->k->output.at[i].value, 0, INT32_MAX - 1);
      e->values.node[e->k->output.at[i].value].is_output = true;
    }
  place_scope(&p);
}
