/* One expression at one point: plain recursion over its operands, each of which is evaluated at most once. Of a choice only the
 * arm that is chosen is looked at. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "reference/reference.h"

typedef struct frame {
  dslc_reference *r;
  ref_env *env;
  const ref_stand *at;
  ref_scratch *s;
} frame;

/* ---- reductions --------------------------------------------------------------------------------------------------- */

static void accumulate(const ir_node *n, const double *term, double *total) {
  for (int i = 0; i < n->type.n; i++) {
    const double pair[2] = {total[i], term[i]};
    if (n->reduce.kind == IR_SUM) total[i] += term[i];
    else total[i] = ir_apply(n->reduce.kind == IR_REDUCE_MIN ? IR_MIN : IR_MAX, pair);
  }
}

/* A rule's sum over neighbours at nodes is complete before its first row changes a value. */
static ref_env *env_of_sum(const frame *f) {
  const bool acts = f->at->fixes && f->at->in_row && f->env == &f->r->now;
  return acts && f->r->rules.found ? f->r->rules.found : f->env;
}

static void over_row(frame *f, const ir_node *n, double *total) {
  const dslc_ref_mesh *m = f->r->world.mesh;
  bool faces = n->reduce.binder == IR_OVER_FACES;
  const int32_t *start = faces ? m->cell_start : m->node_start;
  double term[256];
  ref_stand inner = *f->at;
  inner.kind = faces ? REF_CELL_FACE : REF_NODE_EDGE;
  if (faces && f->at->at >= m->n_cells)
    ref_fault(f->r, IR_CELLS, f->at->at, "a sum over the faces of a cell beyond the boundary");
  for (int32_t k = start[f->at->at]; k < start[f->at->at + 1]; k++) {
    inner.slot = faces ? m->cell_face[k] : k;
    ref_evaluate(f->r, env_of_sum(f), &inner, ir_args(f->r->m, n)[0], term);
    accumulate(n, term, total);
  }
}

/* Is the entity one that the reduction runs over? */
bool ref_counts(const dslc_reference *r, const ir_node *n, int32_t entity) {
  if (r->world.grid) return ref_is_there(r, (ir_place)n->reduce.place, entity);
  return n->reduce.rule == 0 || r->world.mesh->face_rule[entity] == (int32_t)n->reduce.rule - 1;
}

/* Does the sum ask whether a face is of this part of the boundary, as in `if patch(inlet) then`? */
static bool is_asked_for(dslc_reference *r, double t, const ir_node *n, int32_t face) {
  const ir_reached all = ir_reach(r->m, ir_args(r->m, n), 1);
  for (int i = 0; i < all.n; i++) {
    const ir_node *read = ir_get(r->m, all.at[i]);
    if (read->op == IR_READ && ir_is_patch(ir_symbol_get(r->m, read->read.sym)) &&
        *ref_constant(r, t, read->read.sym, face) != 0)
      return true;
  }
  return false;
}

/* A face of a periodic side is there twice: half of it, unless the sum asks for this end of it. */
static double share_of(dslc_reference *r, double t, const ir_node *n, int32_t i) {
  const dslc_ref_mesh *m = r->world.mesh;
  const bool sums_faces = m && n->reduce.kind == IR_SUM && n->reduce.place == IR_FACES && n->reduce.rule == 0;
  const int32_t ghost = sums_faces ? m->face_right[i] - m->n_cells : -1;
  return ghost >= 0 && m->ghost_source[ghost] >= 0 && !is_asked_for(r, t, n, i) ? 0.5 : 1;
}

static void over_all(frame *f, const ir_node *n, double *total) {
  ir_place place = (ir_place)n->reduce.place;
  double term[256];
  for (int32_t i = 0; i < f->r->world.count[place]; i++) {
    if (!ref_counts(f->r, n, i)) continue;
    ref_stand at = ref_stand_at(f->r, place, i);
    ref_evaluate(f->r, f->env, &at, ir_args(f->r->m, n)[0], term);
    const double share = share_of(f->r, f->env->t, n, i);
    for (int d = 0; d < n->type.n; d++) term[d] *= share;
    accumulate(n, term, total);
  }
}

static void reduce(frame *f, const ir_node *n, double *out) {
  double start = n->reduce.kind == IR_SUM ? 0 : n->reduce.kind == IR_REDUCE_MIN ? INFINITY : -INFINITY;
  for (int i = 0; i < n->type.n; i++) out[i] = start;
  if (n->reduce.binder == IR_OVER_ALL) over_all(f, n, out);
  else over_row(f, n, out);
}

/* ---- nodes -------------------------------------------------------------------------------------------------------- */

static const double *value_of(frame *f, ir_id id);

static void choose(frame *f, const ir_node *n, double *out) {
  const ir_id *args = ir_args(f->r->m, n);
  const bool any = args[1] == args[2]; /* what decides is not asked then: it need not be known */
  ir_id chosen = any || value_of(f, args[0])[0] != 0 ? args[1] : args[2];
  memcpy(out, value_of(f, chosen), sizeof *out * n->type.n);
}

static void operate(frame *f, const ir_node *n, double *out) {
  const double *arg[255];
  for (int k = 0; k < n->n_args; k++) arg[k] = value_of(f, ir_args(f->r->m, n)[k]);
  ir_apply_node(f->r->m, n, arg, out);
  if (f->r->work.tracing) ref_look_at(f->r, (ir_id)(n - f->r->m->node.at), out, arg);
}

static double sign_out(const frame *f) {
  return f->r->world.mesh->face_left[f->at->slot] == f->at->at ? 1 : -1;
}

/* A global or equation that a rule reads by name while it fixes a state is that of the statement, from the values before. */
ref_env *ref_env_named(dslc_reference *r, ref_env *env, const ref_stand *at, ir_sym sym) {
  const ir_symbol_kind kind = ir_symbol_get(r->m, sym)->kind;
  const bool now = env == &r->now || (env && env == r->rules.found);
  const bool named = at->fixes && now && (kind == IR_GLOBAL || kind == IR_EQUATION);
  return named && r->rules.before ? r->rules.before : env;
}

static const double *value_of(frame *f, ir_id id) {
  const ir_node *n = ir_get(f->r->m, id);
  double *out = f->s->value + f->r->work.first[id];
  if (f->s->round[id] == f->s->now) return out;
  switch (n->op) {
  case IR_PARAM: ref_param(f->r, ref_env_named(f->r, f->env, f->at, n->read.sym), f->at, n, out); break;
  case IR_READ:
    if (f->r->world.grid) ref_read_grid(f->r, f->env, f->at, n, out);
    else ref_read_mesh(f->r, f->env, f->at, n, out);
    break;
  case IR_SIGN_OUT: *out = sign_out(f); break;
  case IR_REDUCE: reduce(f, n, out); break;
  case IR_SELECT: choose(f, n, out); break;
  default: operate(f, n, out);
  }
  bool leaf = n->op == IR_READ || n->op == IR_PARAM;
  if (leaf && f->r->work.tracing) ref_look_at(f->r, id, out, NULL);
  f->s->round[id] = f->s->now;
  return out;
}

/* ---- evaluations nest ----------------------------------------------------------------------------------------------- */

static ref_scratch *scratch_of(dslc_reference *r) {
  if (r->work.depth >= REF_DEEPEST)
    ref_fail(r, DSLC_REF_CIRCLE, "equations ask for each other %d deep: they need themselves", REF_DEEPEST);
  if (r->work.depth == r->work.deepest) {
    ref_scratch *s = r->work.scratch[r->work.deepest] = arena_new(r->memory, ref_scratch);
    s->round = arena_array(r->memory, uint32_t, r->m->node.n);
    s->value = arena_array(r->memory, double, r->work.n_components + 1);
    r->work.deepest++;
  }
  return r->work.scratch[r->work.depth];
}

void ref_evaluate(dslc_reference *r, ref_env *env, const ref_stand *at, ir_id root, double *out) {
  frame f = {r, env, at, scratch_of(r)};
  r->work.depth++;
  if (++f.s->now == 0) { /* after 2^32 evaluations */
    memset(f.s->round, 0, sizeof *f.s->round * (size_t)r->m->node.n);
    f.s->now = 1;
  }
  memcpy(out, value_of(&f, root), sizeof *out * ir_get(r->m, root)->type.n);
  r->work.depth--;
}

double ref_number(dslc_reference *r, ref_env *env, const ref_stand *at, ir_id root) {
  double out[256];
  ref_evaluate(r, env, at, root, out);
  return out[0];
}
