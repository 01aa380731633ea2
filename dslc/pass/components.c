/* Vectors, tensors, lists and tuples become scalars. Each live node turns into type.n scalar nodes; sums run
 * left to right, so that the result does not depend on how the compiler walks. */
#include "pass/pass.h"

enum { MOST = 255 };

typedef struct splitter {
  const ir_module *from;
  ir_module *to;
  uint32_t *first; /* old node -> its components in `pool` */
  VEC(ir_id) pool;
} splitter;

static const ir_id *components(const splitter *s, ir_id old) { return s->pool.at + s->first[old]; }

static ir_type component_type(ir_type t) {
  return t.n == 1 && (t.rank == IR_BOOL || t.rank == IR_INT) ? t : ir_scalar();
}

/* ---- products ------------------------------------------------------------------------------------------ */

static ir_id inner(ir_module *m, const ir_id *a, int step_a, const ir_id *b, int step_b, int n) {
  ir_id sum = ir_binary(m, IR_MUL, a[0], b[0]);
  for (int i = 1; i < n; i++)
    sum = ir_binary(m, IR_ADD, sum, ir_binary(m, IR_MUL, a[i * step_a], b[i * step_b]));
  return sum;
}

static void split_multiply(splitter *s, ir_type ta, const ir_id *a, ir_type tb, const ir_id *b, ir_id *out) {
  ir_module *m = s->to;
  int d = m->dims, n = ta.n > tb.n ? ta.n : tb.n;
  if (ta.n == 1 || tb.n == 1) {
    for (int i = 0; i < n; i++) out[i] = ir_binary(m, IR_MUL, a[ta.n == 1 ? 0 : i], b[tb.n == 1 ? 0 : i]);
  } else if (tb.rank == IR_VECTOR) {
    for (int i = 0; i < d; i++) out[i] = inner(m, a + i * d, 1, b, 1, d);
  } else {
    for (int i = 0; i < d * d; i++) out[i] = inner(m, a + i / d * d, 1, b + i % d, d, d);
  }
}

/* Equal ranks: all components; a tensor and a vector: (T v)_i = T_ij v_j, (v T)_j = v_i T_ij. */
static void split_dot(splitter *s, ir_type ta, const ir_id *a, ir_type tb, const ir_id *b, ir_id *out) {
  int d = s->to->dims;
  if (ta.n == tb.n) out[0] = inner(s->to, a, 1, b, 1, ta.n);
  else
    for (int i = 0; i < d; i++)
      out[i] = tb.rank == IR_VECTOR ? inner(s->to, a + i * d, 1, b, 1, d) : inner(s->to, a, 1, b + i, d, d);
}

static ir_id cross_component(ir_module *m, const ir_id *a, const ir_id *b, int j, int k) {
  return ir_binary(m, IR_SUB, ir_binary(m, IR_MUL, a[j], b[k]), ir_binary(m, IR_MUL, a[k], b[j]));
}

static void split_cross(splitter *s, const ir_id *a, const ir_id *b, ir_id *out) {
  if (s->to->dims == 2) out[0] = cross_component(s->to, a, b, 0, 1);
  else
    for (int i = 0; i < 3; i++) out[i] = cross_component(s->to, a, b, (i + 1) % 3, (i + 2) % 3);
}

static ir_id trace(splitter *s, const ir_id *a) {
  ir_id sum = a[0];
  for (int i = 1; i < s->to->dims; i++) sum = ir_binary(s->to, IR_ADD, sum, a[i * (s->to->dims + 1)]);
  return sum;
}

static ir_id norm(splitter *s, const ir_id *a, int n) {
  if (n == 1) return ir_unary(s->to, IR_ABS, a[0]);
  return ir_unary(s->to, IR_SQRT, inner(s->to, a, 1, a, 1, n));
}

/* ---- the rest ------------------------------------------------------------------------------------------ */

static void split_access(splitter *s, const ir_node *n, ir_id *out) {
  ir_node c = *n;
  c.type = component_type(n->type);
  for (int i = 0; i < n->type.n; i++) {
    c.read.first = (uint8_t)(n->read.first + i);
    out[i] = ir_rebuild(s->to, &c, NULL);
  }
}

static void split_tuple(const splitter *s, const ir_node *n, ir_id *out) {
  for (int k = 0; k < n->n_args; k++) {
    ir_id arg = ir_args(s->from, n)[k];
    for (int i = 0; i < ir_get(s->from, arg)->type.n; i++) *out++ = components(s, arg)[i];
  }
}

/* Operators that act on each component by itself; operands of one component serve all. */
static void split_componentwise(splitter *s, const ir_node *n, ir_id *out) {
  const ir_id *args = ir_args(s->from, n);
  ir_node c = *n;
  c.type = component_type(n->type);
  for (int i = 0; i < n->type.n; i++) {
    ir_id a[3];
    for (int k = 0; k < n->n_args; k++)
      a[k] = components(s, args[k])[ir_get(s->from, args[k])->type.n == 1 ? 0 : i];
    out[i] = ir_rebuild(s->to, &c, a);
  }
}

static void split_tensor_operation(splitter *s, const ir_node *n, ir_id *out) {
  const ir_id *args = ir_args(s->from, n);
  const ir_id *a = n->n_args > 0 ? components(s, args[0]) : NULL,
              *b = n->n_args > 1 ? components(s, args[1]) : NULL;
  ir_type ta = n->n_args > 0 ? ir_get(s->from, args[0])->type : n->type;
  ir_type tb = n->n_args > 1 ? ir_get(s->from, args[1])->type : n->type;
  int d = s->to->dims;
  switch (n->op) {
  case IR_IDENTITY:
    for (int i = 0; i < d * d; i++) out[i] = ir_const(s->to, i % (d + 1) == 0);
    break;
  case IR_MUL: split_multiply(s, ta, a, tb, b, out); break;
  case IR_DOT: split_dot(s, ta, a, tb, b, out); break;
  case IR_OUTER:
    for (int i = 0; i < d * d; i++) out[i] = ir_binary(s->to, IR_MUL, a[i / d], b[i % d]);
    break;
  case IR_CROSS: split_cross(s, a, b, out); break;
  case IR_TRACE: out[0] = trace(s, a); break;
  case IR_TRANSPOSE:
    for (int i = 0; i < d * d; i++) out[i] = a[i % d * d + i / d];
    break;
  default: out[0] = norm(s, a, ta.n); break;
  }
}

static void split_node(splitter *s, const ir_node *n, ir_id *out) {
  switch (n->op) {
  case IR_PARAM:
  case IR_READ: split_access(s, n, out); break;
  case IR_TUPLE: split_tuple(s, n, out); break;
  case IR_PART:
    for (int i = 0; i < n->type.n; i++) out[i] = components(s, ir_args(s->from, n)[0])[n->first + i];
    break;
  case IR_IDENTITY:
  case IR_MUL:
  case IR_DOT:
  case IR_OUTER:
  case IR_CROSS:
  case IR_TRACE:
  case IR_TRANSPOSE:
  case IR_NORM: split_tensor_operation(s, n, out); break;
  default: split_componentwise(s, n, out); break;
  }
}

/* ---- names and roots ----------------------------------------------------------------------------------- */

/* u -> u.x; a tensor's Ld -> Ld.xy; anything else is numbered from 1, as in the language. */
static name component_name(const ir_module *m, name hint, ir_type t, int i) {
  static const char axis[] = "xyz";
  if (hint == NULL || t.n == 1) return hint;
  const char *text = t.rank == IR_VECTOR ? arena_printf(m->memory, "%s.%c", hint, axis[i])
                     : t.rank == IR_TENSOR
                         ? arena_printf(m->memory, "%s.%c%c", hint, axis[i / m->dims], axis[i % m->dims])
                         : arena_printf(m->memory, "%s.%d", hint, i + 1);
  return intern_str(m->names, text);
}

static void keep_components(splitter *s, ir_id id, const ir_id *out) {
  const ir_type t = ir_get(s->from, id)->type;
  const ir_origin *o = &s->from->origin.at[id];
  s->first[id] = (uint32_t)s->pool.n;
  for (int i = 0; i < t.n; i++) {
    vec_push(s->to->memory, &s->pool, out[i]);
    ir_name(s->to, out[i], component_name(s->to, o->hint, t, i), o->tag, o->at);
  }
}

static void redirect(void *ctx, ir_id *root) {
  splitter *s = ctx;
  const ir_type t = ir_get(s->from, *root)->type;
  const ir_id *c = components(s, *root);
  const ir_origin *o = &s->from->origin.at[*root];
  *root = t.n == 1 ? c[0] : ir_make(s->to, IR_TUPLE, t, t.n, c);
  ir_name(s->to, *root, o->hint, o->tag, o->at);
}

ir_module *pass_components(const ir_module *m) {
  splitter s = {.from = m, .to = ir_create_like(m), .first = arena_array(m->memory, uint32_t, m->node.n)};
  const unsigned char *live = ir_live(m);
  for (ir_id id = 1; id < (ir_id)m->node.n; id++) {
    ir_id out[MOST];
    if (!live[id]) continue;
    split_node(&s, ir_get(m, id), out);
    keep_components(&s, id, out);
  }
  ir_each_root(s.to, redirect, &s);
  return s.to;
}
