/* From values to planned kernels and launches. A kernel that computes what another one computes already is that one. */
#include <string.h>

#include "base/defects.h"
#include "schedule/grid.h"
#include "schedule/nodes.h"

/* ---- sections ------------------------------------------------------------------------------------------------------ */

void section_begin(planner *pl, const char *text) {
  vec_push(pl->memory, &pl->made->section, ((dslc_section){.name = text}));
  pl->at.current = pl->made->section.n - 1;
  pl->at.op.n = pl->at.op.cap = 0;
  pl->at.op.at = NULL;
  pl->at.binding.n = 0;
  pl->at.stage_at = 0;
  invalidate_all(pl);
}

void section_end(planner *pl) {
  pl->made->section.at[pl->at.current].n_ops = pl->at.op.n;
  pl->made->section.at[pl->at.current].op = pl->at.op.at;
}

void op_add(planner *pl, dslc_op op) { vec_push(pl->memory, &pl->at.op, op); }

/* ---- what a kernel reads -------------------------------------------------------------------------------------------- */

typedef struct reading {
  VEC(ir_sym) ghosts; /* read beyond the boundary */
  bool near;          /* loops over neighbours */
  bool replaced;      /* what is looked at now is, at boundaries, by rules: see plan_output */
} reading;

/* A given's ghosts are copies of the cells inside, made when the run begins, unless a rule says otherwise. */
static bool carries_ghosts(const planner *pl, ir_sym sym) {
  const ir_symbol *q = ir_symbol_get(pl->to, sym);
  return q->place == IR_CELLS &&
         (q->kind == IR_STATE || q->kind == IR_EQUATION || (q->kind == IR_GIVEN && pl->use[sym].ghost_rule));
}

static void note_read(planner *pl, const plan_kernel *k, const ir_node *n, reading *out) {
  buffer_of(pl, n->read.sym, (ir_level)n->read.level);
  ir_at at = (ir_at)n->read.at;
  pl->mesh.first_node = pl->mesh.first_node || (at == IR_AT_I && k->place == IR_EDGES);
  pl->mesh.second_node = pl->mesh.second_node || at == IR_AT_J;
  pl->mesh.left_right = pl->mesh.left_right || at == IR_AT_L || at == IR_AT_R;
  pl->mesh.cell_face = pl->mesh.cell_face || at == IR_AT_F || at == IR_AT_OUT;
  pl->mesh.across = pl->mesh.across || at == IR_AT_D;
  bool beyond = (at == IR_AT_R || at == IR_AT_D) && !out->replaced;
  if (beyond && carries_ghosts(pl, n->read.sym) && n->read.level == IR_NOW) {
    pl->found[n->read.sym].wants_ghosts = true;
    for (int i = 0; i < out->ghosts.n; i++)
      if (out->ghosts.at[i] == n->read.sym) return;
    vec_push(pl->memory, &out->ghosts, n->read.sym);
  }
}

static void note_leaf(planner *pl, const plan_kernel *k, ir_id id, reading *out) {
  const ir_node *n = ir_get(pl->to, id);
  if (n->op == IR_READ) note_read(pl, k, n, out);
  if (n->op == IR_REDUCE && n->reduce.binder == IR_OVER_NEAR) pl->mesh.near = out->near = true;
  if (n->op == IR_SIGN_OUT) pl->mesh.cell_face = true;
  if (n->op == IR_PARAM && ir_symbol_get(pl->to, n->read.sym)->kind == IR_RULE_ARGUMENT)
    buffer_of(pl, n->read.sym, IR_NOW);
}

typedef struct point_reading {
  planner *pl;
  reading *out;
  bool elsewhere; /* what is read at the own point is that of another one */
} point_reading;

static void note_point_read(void *ctx, ir_id id);

/* What is assigned to another point, which a rule fixes this one to, is computed there. */
static void note_assigned(const point_reading *r, int function) {
  planner *pl = r->pl;
  const plan_function f = pl->plan->function.at[function];
  point_reading there = {pl, r->out, true};
  for (int i = 0; i < f.fix.n && !r->elsewhere; i++) {
    ir_reached all = ir_reach(pl->to, &f.fix.at[i].value, 1);
    for (int k = 0; k < all.n; k++) {
      int called = plan_called(pl->plan, all.at[k], &f);
      const plan_function *g = called < 0 ? NULL : &pl->plan->function.at[called];
      if (g && g->kind == PLAN_FUNCTION_VALUE) each_node(pl, &g->value, 1, note_point_read, &there);
    }
  }
}

/* On grids: copies beyond periodic sides must be there for whatever is read at another point. */
static void note_point_read(void *ctx, ir_id id) {
  const point_reading *r = ctx;
  planner *pl = r->pl;
  const ir_node n = *ir_get(pl->to, id);
  if (n.op == IR_FIXED) note_assigned(r, plan_called(pl->plan, id, NULL));
  if (n.op == IR_PARAM && ir_symbol_get(pl->to, n.read.sym)->kind == IR_RULE_ARGUMENT)
    buffer_of(pl, n.read.sym, IR_NOW);
  if (n.op != IR_READ) return;
  int function = plan_called(pl->plan, id, NULL);
  bool rule = n.read.at == IR_AT_INNER || n.read.at == IR_AT_MIRROR;
  if ((function >= 0 && pl->plan->function.at[function].value && !pl->plan->function.at[function].stored) ||
      (rule && n.read.level == IR_NEW))
    return;
  buffer_of(pl, n.read.sym, (ir_level)n.read.level);
  const ir_symbol *q = ir_symbol_get(pl->to, n.read.sym);
  if (window_computes(pl, n.read.sym) || q->place >= IR_XLINE) return;
  bool here = n.read.at == IR_AT_HERE && !pl->window &&
              !r->elsewhere; /* columns that only help lie beyond periodic sides */
  if (here || n.read.level != IR_NOW || (q->kind != IR_STATE && q->kind != IR_EQUATION)) return;
  pl->found[n.read.sym].wants_ghosts = true;
  for (int i = 0; i < r->out->ghosts.n; i++)
    if (r->out->ghosts.at[i] == n.read.sym) return;
  vec_push(pl->memory, &r->out->ghosts, n.read.sym);
}

/* What functions near walls read at their own point they read at another one than the kernel's: beyond periodic sides, too. */
static void note_called(planner *pl, reading *r, const ir_id *values, int n) {
  if (!pl->in->options->periodic) return;
  const ir_reached all = ir_reach(pl->to, values, n);
  VEC(ir_id) call = {0};
  for (int i = 0; i < all.n; i++)
    if (plan_called(pl->plan, all.at[i], NULL) >= 0) vec_push(pl->memory, &call, all.at[i]);
  if (call.n) each_node(pl, call.at, call.n, note_point_read, &(point_reading){pl, r, true});
}

/* Of the outputs that rules replace at all boundaries, or of the others. */
static void note_outputs(planner *pl, const plan_kernel *k, bool replaced, reading *r) {
  VEC(ir_id) roots = {0};
  for (int i = 0; i < k->output.n; i++)
    if (k->output.at[i].replaced == replaced) vec_push(pl->memory, &roots, k->output.at[i].value);
  if (roots.n == 0) return;
  const ir_reached reached = ir_reach(pl->to, roots.at, roots.n);
  r->replaced = replaced;
  for (int i = 0; i < reached.n; i++) {
    const ir_node *n = ir_get(pl->to, reached.at[i]);
    if (n->op == IR_REDUCE && n->reduce.binder == IR_OVER_FACES)
      pl->mesh.cell_face = true; /* rows of any length start there */
    if (!(n->op == IR_REDUCE && n->reduce.binder == IR_OVER_ALL)) note_leaf(pl, k, reached.at[i], r);
  }
}

static reading reads_of(planner *pl, const plan_kernel *k) {
  reading r = {0};
  if (!pl->from->on_grid) {
    note_outputs(pl, k, false, &r);
    note_outputs(pl, k, true, &r);
    return r;
  }
  VEC(ir_id) roots = {0};
  for (int i = 0; i < k->output.n; i++) vec_push(pl->memory, &roots, k->output.at[i].value);
  if (roots.n == 0) return r;
  each_node(pl, roots.at, roots.n, note_point_read, &(point_reading){pl, &r, false});
  note_called(pl, &r, roots.at, roots.n);
  return r;
}

void refresh_for_all(planner *pl, const pending_list *all) {
  bool several = false;
  for (int i = 1; i < all->n; i++)
    several = several || ir_symbol_get(pl->to, all->at[i].target)->place !=
                             ir_symbol_get(pl->to, all->at[0].target)->place;
  for (int i = 0; i < all->n && several && !pl->from->on_grid; i++) {
    plan_kernel k = {.place = ir_symbol_get(pl->to, all->at[i].target)->place};
    for (int c = 0; c < all->at[i].n; c++) kernel_output(pl, &k, PLAN_STORE, 0, c, all->at[i].value[c]);
    const reading r = reads_of(pl, &k);
    refresh_ghosts(pl, r.ghosts.at, r.ghosts.n);
  }
}

/* ---- kernels ---------------------------------------------------------------------------------------------------------- */

/* Letters, digits and underscores only: names of buffers and equations have dots and brackets. */
static const char *identifier(planner *pl, const char *text) {
  char *copy = arena_strndup(pl->memory, text, strlen(text)), *to = copy;
  for (char *p = copy; *p; p++) {
    bool word = (*p >= 'a' && *p <= 'z') || (*p >= 'A' && *p <= 'Z') || (*p >= '0' && *p <= '9');
    if (word) *to++ = *p;
    else if (to > copy && to[-1] != '_') *to++ = '_';
  }
  while (to > copy && to[-1] == '_') to--;
  *to = '\0';
  return *copy ? copy : text;
}

plan_kernel kernel_begin(planner *pl, const char *text, ir_place place, ir_sym about) {
  plan_kernel k = {.text = intern_str(pl->in->names, identifier(pl, text)),
                   .place = place,
                   .rule = -1,
                   .local_size = pl->in->schedule->group};
  if (about) {
    const ir_symbol *q = ir_symbol_get(pl->to, about);
    kernel_from(pl, &k, q->at);
    k.what = q->tag ? arena_printf(pl->memory, "%s %s", q->text, q->tag) : q->text;
  }
  return k;
}

/* Of a GPU's many groups: so few items would ask for one number after the other. What becomes one kernel has groups of one size. */
enum { FINISHING_GROUP = 256 };

void kernel_choose_finish(const planner *pl, plan_kernel *k) {
  const bool gpu = pl->in->options->emit == DSLC_EMIT_OPENCL && !pl->in->options->cpu &&
                   !pl->in->schedule->loop && !pl->in->schedule->together;
  if (k->partial.n == 0) k->local_size = 1;
  else if (gpu && k->local_size > 0 && k->local_size < FINISHING_GROUP) k->local_size = FINISHING_GROUP;
}

void kernel_output(planner *pl, plan_kernel *k, plan_output_kind kind, int buffer, int component,
                   ir_id value) {
  plan_output o = {.kind = kind, .buffer = buffer, .component = component, .value = value};
  vec_push(pl->memory, &k->output, o);
}

static bool same_output(const plan_output *a, const plan_output *b) {
  return a->kind == b->kind && a->buffer == b->buffer && a->component == b->component &&
         a->value == b->value && a->reduce == b->reduce && a->near == b->near;
}

static bool same_kernel(const plan_kernel *a, const plan_kernel *b) {
  bool same = a->place == b->place && a->output.n == b->output.n && a->partial.n == b->partial.n &&
              a->time == b->time && a->rule == b->rule && a->coloured == b->coloured && a->rim == b->rim &&
              a->first == b->first && a->stop_flag == b->stop_flag && a->rows == b->rows &&
              a->window == b->window && a->fills == b->fills;
  for (int i = 0; same && i < a->output.n; i++) same = same_output(&a->output.at[i], &b->output.at[i]);
  for (int i = 0; same && i < a->partial.n; i++)
    same =
        a->partial.at[i].node == b->partial.at[i].node && a->partial.at[i].buffer == b->partial.at[i].buffer;
  return same;
}

static bool is_taken(const planner *pl, name text) {
  for (int i = 0; i < pl->plan->kernel.n; i++)
    if (pl->plan->kernel.at[i].text == text) return true;
  return false;
}

static name unique_name(planner *pl, name wanted) {
  name text = wanted;
  for (int n = 2; is_taken(pl, text); n++)
    text = intern_str(pl->in->names, arena_printf(pl->memory, "%s_%d", wanted, n));
  return text;
}

static int kernel_number(planner *pl, plan_kernel *k) {
  for (int i = 0; i < pl->plan->kernel.n; i++)
    if (same_kernel(&pl->plan->kernel.at[i], k)) return i;
  k->text = unique_name(pl, k->text);
  vec_push(pl->memory, &pl->plan->kernel, *k);
  return pl->plan->kernel.n - 1;
}

typedef struct touched_buffers {
  const planner *pl;
  bool *is; /* by buffer */
} touched_buffers;

static void note_buffer(void *ctx, ir_id id) {
  touched_buffers *t = ctx;
  const ir_node *n = ir_get(t->pl->to, id);
  int buffer = n->op == IR_READ ? t->pl->plan->location[n->read.sym].buffer[n->read.level] : -1;
  if (buffer >= 0) t->is[buffer] = true;
}

/* What the kernel writes or reads. */
static const bool *buffers_touched(planner *pl, const plan_kernel *k) {
  touched_buffers t = {pl, arena_array(pl->memory, bool, pl->made->buffer.n + 1)};
  VEC(ir_id) values = {0};
  for (int i = 0; i < k->output.n; i++) {
    const plan_output *o = &k->output.at[i];
    if (o->kind <= PLAN_GHOST && o->buffer >= 0) t.is[o->buffer] = true;
    if (o->value) vec_push(pl->memory, &values, o->value);
    if (o->near) vec_push(pl->memory, &values, o->near);
  }
  each_node(pl, values.at, values.n, note_buffer, &t);
  return t.is;
}

static void bind_launch(planner *pl, const plan_kernel *k) {
  const bool *touched = pl->at.binding.n ? buffers_touched(pl, k) : NULL;
  for (int i = 0; i < pl->at.binding.n; i++) {
    plan_rebind b = pl->at.binding.at[i];
    b.section = pl->at.current;
    b.op = pl->at.op.n;
    if (touched[b.from]) vec_push(pl->memory, &pl->made->rebind, b);
  }
}

/* Work-items that share a node, where they do: those of a group, not the passes of a loop over it. */
int shared_lanes(const planner *pl) {
  bool can = pl->in->options->emit == DSLC_EMIT_OPENCL && !pl->in->schedule->loop;
  return can && pl->in->schedule->lanes > 1 ? pl->in->schedule->lanes : 1;
}

/* Several work-items a node pay where there is a loop to share; reductions over all nodes have one each. */
static int lanes_of(const planner *pl, const plan_kernel *k, const reading *r, dslc_subset subset) {
  bool shares = r->near && k->place == IR_NODES && subset == DSLC_OWNED;
  for (int i = 0; i < k->output.n; i++) shares = shares && k->output.at[i].kind != PLAN_PARTIAL;
  return shares && shared_lanes(pl) > 1 ? shared_lanes(pl) : 0;
}

/* The entry of the scalars that `stage` counts in, 0: dt. */
static int interval_scalar(const planner *pl) {
  if (!pl->at.interval) return 0;
  const ir_node *n = ir_get(pl->to, pl->at.interval);
  int scalar = n->op == IR_PARAM ? pl->plan->location[n->read.sym].scalar : 0;
  return scalar > 0 ? scalar : 0;
}

void kernel_prepare(planner *pl, plan_kernel *k, dslc_subset subset) {
  if (!pl->from->on_grid) patch_kernel(pl, k, subset);
  use_what_is_read(pl, k);
  const reading r = reads_of(pl, k);
  refresh_ghosts(pl, r.ghosts.at, r.ghosts.n);
  k->lanes = lanes_of(pl, k, &r, subset);
}

int kernel_launch_prepared(planner *pl, plan_kernel k, dslc_subset subset, int rule, int groups_of) {
  bool over_points = pl->from->on_grid && k.place != IR_NOWHERE && k.place < IR_XLINE && !k.fills;
  if (over_points) kernel_over_points(pl, &k);
  if (over_points) table_outputs(pl, &k);
  if (over_points) fill_tables(pl, &k);
  k.first = subset != DSLC_OWNED;
  k.coloured = subset == DSLC_COLOUR;
  k.rule = rule;
  k.stop_flag = pl->pass.stop_flag;
  k.rim = dslc_is_rim(subset);
  pl->mesh.colour = pl->mesh.colour || k.coloured;
  pl->mesh.rim = pl->mesh.rim || k.rim;
  for (int i = 0; i < k.output.n; i++) {
    plan_output_kind kind = k.output.at[i].kind;
    if (k.output.at[i].index == PLAN_EDGE_PAIR) pl->mesh.first_node = pl->mesh.second_node = true;
    pl->mesh.left_right =
        pl->mesh.left_right || kind == PLAN_ADD_L || kind == PLAN_ADD_R || kind == PLAN_GHOST;
  }
  int number = kernel_number(pl, &k);
  bind_launch(pl, &k);
  op_add(pl, (dslc_op){.kind = DSLC_OP_LAUNCH,
                       .kernel = number,
                       .subset = subset,
                       .rule = rule,
                       .groups_of = groups_of,
                       .stage = defect_is_back("arguments_at_start") ? 0 : pl->at.stage_at,
                       .a = interval_scalar(pl)});
  return pl->at.op.n - 1;
}

int kernel_launch(planner *pl, plan_kernel k, dslc_subset subset, int rule, int groups_of) {
  kernel_prepare(pl, &k, subset);
  return kernel_launch_prepared(pl, k, subset, rule, groups_of);
}
