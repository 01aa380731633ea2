/* What is the same at all points of a windowed kernel and expensive, a quotient, a root or a load: `dt`, `inverse_dt`. It is computed once,
 * before the march, and pieces name it. Compilers do not: between the pieces stand barriers and conditions. */
#include "emit/emit.h"

typedef struct constant {
  ir_id value;
  kir_expr *variable; /* NULL: not written yet */
} constant;

typedef enum sameness { VARIES, SAME, SAME_AND_DEAR } sameness;

struct constants {
  VEC(constant) at;
  sameness *is; /* by node, of those that pieces need */
};

void constants_begin(emitter *e) {
  e->window.constants = arena_new(e->memory, struct constants);
  e->window.constants->is = arena_array(e->memory, sameness, e->m->node.n + 1);
}

void constants_end(emitter *e) {
  arena_return_array(e->memory, e->window.constants->is, e->m->node.n + 1);
  e->window.constants = NULL;
}

static bool is_arithmetic(ir_op op) {
  return op == IR_ADD || op == IR_SUB || op == IR_MUL || op == IR_DIV || op == IR_NEG;
}

static sameness find_sameness(const emitter *e, ir_id id) {
  const ir_node *n = ir_get(e->m, id);
  if (n->op == IR_CONST) return SAME;
  if (n->op == IR_PARAM) return place_is_trivial(e, id) ? SAME : SAME_AND_DEAR;
  bool function = n->n_args == 1 && ir_op_get((ir_op)n->op)->type == IR_TYPE_REAL;
  if (!function && !is_arithmetic((ir_op)n->op)) return VARIES;
  sameness most = function || n->op == IR_DIV ? SAME_AND_DEAR : SAME;
  for (int a = 0; a < n->n_args; a++) {
    sameness arg = e->window.constants->is[ir_args(e->m, n)[a]];
    if (arg == VARIES) return VARIES;
    if (arg > most) most = arg;
  }
  return most;
}

static void note(emitter *e, ir_id id) {
  if (e->window.constants->is[id] != SAME_AND_DEAR) return;
  for (int i = 0; i < e->window.constants->at.n; i++)
    if (e->window.constants->at.at[i].value == id) return;
  vec_push(e->memory, &e->window.constants->at, ((constant){.value = id}));
}

/* Operands have smaller numbers than their users. */
void constants_note(emitter *e) {
  for (int i = 0; i < e->values.live.n; i++) {
    ir_id id = e->values.live.at[i];
    const ir_node *n = ir_get(e->m, id);
    e->window.constants->is[id] = find_sameness(e, id);
    for (int a = 0; a < n->n_args && e->window.constants->is[id] == VARIES; a++) note(e, ir_args(e->m, n)[a]);
  }
  for (int i = 0; i < e->k->output.n; i++) note(e, e->k->output.at[i].value);
}

kir_expr *constants_find(const emitter *e, ir_id id) {
  for (int i = 0; e->window.constants && i < e->window.constants->at.n; i++)
    if (e->window.constants->at.at[i].value == id) return e->window.constants->at.at[i].variable;
  return NULL;
}

void constants_write(emitter *e) {
  const plan_kernel *whole = e->k;
  plan_kernel part = *e->k;
  const int n = e->window.constants->at.n;
  part.partial.n = 0;
  part.output.n = n;
  part.output.at = arena_array(e->memory, plan_output, n + 1);
  for (int i = 0; i < n; i++) part.output.at[i] = (plan_output){.value = e->window.constants->at.at[i].value};
  e->k = &part;
  place_kernel(e);
  for (int i = 0; i < n; i++) e->values.node[e->window.constants->at.at[i].value].keep = true;
  body_write(e);
  for (int i = 0; i < n; i++)
    e->window.constants->at.at[i].variable = e->values.node[e->window.constants->at.at[i].value].value;
  e->k = whole;
}
