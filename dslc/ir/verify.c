/* Invariants between passes: what every module must satisfy. The table is swept once per kind of check, so
 * that a broken module is described and never followed. */
#include "ir/ir_internal.h"
#include "ir/verify.h"

const char *ir_complain(const ir_module *m, ir_id id, const char *fmt, ...) {
  va_list ap;
  va_start(ap, fmt);
  const char *what = arena_vprintf(m->memory, fmt, ap);
  va_end(ap);
  const ir_node *n = ir_get(m, id);
  const char *hint = m->origin.at[id].hint;
  return arena_printf(m->memory, "%%%u = %s%s%s%s: %s", id,
                      n->op < IR_OP_COUNT ? ir_op_get((ir_op)n->op)->text : "?", hint ? " (" : "",
                      hint ? hint : "", hint ? ")" : "", what);
}

static bool type_is_sound(const ir_module *m, ir_type t) {
  switch (t.rank) {
  case IR_SCALAR:
  case IR_BOOL:
  case IR_INT: return t.n == 1;
  case IR_VECTOR: return t.n == m->dims;
  case IR_TENSOR: return t.n == m->dims * m->dims;
  case IR_TUPLE_RANK:
  case IR_LIST: return t.n > 0;
  default: return false;
  }
}

/* ---- single nodes -------------------------------------------------------------------------------------- */

static const char *check_shape(const ir_module *m, ir_id id) {
  const ir_node *n = ir_get(m, id);
  if (n->op >= IR_OP_COUNT) return ir_complain(m, id, "unknown operator %d", n->op);
  if (!type_is_sound(m, n->type))
    return ir_complain(m, id, "a %s of %d components in %d dimensions", ir_word(&ir_rank_words, n->type.rank),
                       n->type.n, m->dims);
  int arity = ir_op_get((ir_op)n->op)->arity;
  if (arity >= 0 && n->n_args != arity)
    return ir_complain(m, id, "%d operands instead of %d", n->n_args, arity);
  if ((uint64_t)n->first_arg + n->n_args > (uint64_t)m->arg.n)
    return ir_complain(m, id, "operands outside the pool");
  for (int k = 0; k < n->n_args; k++) {
    ir_id arg = ir_args(m, n)[k];
    if (arg == 0 || arg >= id)
      return ir_complain(m, id, "operand %d is %%%u, which does not come before", k + 1, arg);
  }
  return NULL;
}

/* The whole symbol, or components [first, first + n) of it. */
static const char *check_components(const ir_module *m, ir_id id) {
  const ir_node *n = ir_get(m, id);
  if (n->read.sym == 0 || n->read.sym >= (ir_sym)m->symbol.n)
    return ir_complain(m, id, "no symbol %u", n->read.sym);
  const ir_symbol *s = &m->symbol.at[n->read.sym];
  bool whole = n->read.first == 0 && ir_type_equal(n->type, s->type);
  bool component = n->type.n == 1 && n->read.first < s->type.n &&
                   n->type.rank == (s->type.n == 1 && s->type.rank >= IR_BOOL ? s->type.rank : IR_SCALAR);
  if (!whole && !component)
    return ir_complain(m, id, "component %d, %s of %d, of `%s`, which is a %s of %d", n->read.first,
                       ir_word(&ir_rank_words, n->type.rank), n->type.n, s->text,
                       ir_word(&ir_rank_words, s->type.rank), s->type.n);
  if (n->read.level > IR_NEW) return ir_complain(m, id, "unknown time level %d", n->read.level);
  if (n->read.at >= IR_AT_COUNT) return ir_complain(m, id, "unknown index %d", n->read.at);
  bool shifted = n->read.off[0] || n->read.off[1] || n->read.off[2];
  if (shifted && n->read.at != IR_AT_SHIFT) return ir_complain(m, id, "a shift on an access that is none");
  if (n->op == IR_PARAM && n->read.at != IR_AT_HERE) return ir_complain(m, id, "a parameter has no index");
  if (n->op == IR_PARAM && s->place != IR_NOWHERE && s->kind != IR_RULE_ARGUMENT)
    return ir_complain(m, id, "`%s` is a field: it must be read", s->text);
  if (n->op == IR_READ && (s->kind == IR_PARAMETER || s->kind == IR_RULE_ARGUMENT))
    return ir_complain(m, id, "`%s` is a parameter: it cannot be read as a field", s->text);
  return NULL;
}

static const char *check_const(const ir_module *m, ir_id id) {
  const ir_node *n = ir_get(m, id);
  if (n->type.n != 1) return ir_complain(m, id, "a constant has one component");
  if (n->type.rank == IR_BOOL && n->value != 0 && n->value != 1)
    return ir_complain(m, id, "a bool is 0 or 1");
  return NULL;
}

static const char *check_tuple(const ir_module *m, ir_id id) {
  const ir_node *n = ir_get(m, id);
  int total = 0;
  for (int k = 0; k < n->n_args; k++) total += ir_get(m, ir_args(m, n)[k])->type.n;
  return total == n->type.n ? NULL : ir_complain(m, id, "%d components from parts of %d", n->type.n, total);
}

static const char *check_part(const ir_module *m, ir_id id) {
  const ir_node *n = ir_get(m, id);
  int of = ir_get(m, ir_args(m, n)[0])->type.n;
  if (n->first >= 0 && n->first + n->type.n <= of) return NULL;
  return ir_complain(m, id, "components [%d, %d) of an operand of %d", n->first, n->first + n->type.n, of);
}

static const char *check_reduce(const ir_module *m, ir_id id) {
  const ir_node *n = ir_get(m, id);
  if (n->reduce.kind > IR_REDUCE_MAX) return ir_complain(m, id, "unknown kind %d", n->reduce.kind);
  if (n->reduce.binder > IR_OVER_ALL) return ir_complain(m, id, "unknown binder %d", n->reduce.binder);
  if (n->reduce.place >= IR_PLACE_COUNT) return ir_complain(m, id, "unknown place %d", n->reduce.place);
  if (n->reduce.rule >= (uint32_t)m->rule.n) return ir_complain(m, id, "no rule %u", n->reduce.rule);
  if (n->reduce.rule != 0 && n->reduce.binder != IR_OVER_ALL)
    return ir_complain(m, id, "only a reduction over a whole place can be restricted to a rule");
  if (n->reduce.binder == IR_OVER_ALL && n->reduce.place == IR_NOWHERE)
    return ir_complain(m, id, "a reduction over no place");
  return NULL;
}

static bool fits(ir_type have, ir_type rule) {
  return ir_type_equal(have, rule) || (ir_is_number(have) && ir_is_number(rule));
}

static const char *check_types(const ir_module *m, ir_id id) {
  const ir_node *n = ir_get(m, id);
  ir_type arg[3] = {{0, 0}}, result;
  for (int k = 0; k < n->n_args && k < 3; k++) arg[k] = ir_get(m, ir_args(m, n)[k])->type;
  if (!ir_result_type((ir_op)n->op, m->dims, n->n_args, arg, &result))
    return ir_complain(m, id, "operands of these ranks (%s, %s) do not fit",
                       ir_word(&ir_rank_words, arg[0].rank),
                       n->n_args > 1 ? ir_word(&ir_rank_words, arg[1].rank) : "-");
  if (fits(n->type, result)) return NULL;
  return ir_complain(m, id, "a %s of %d where its operator gives a %s of %d",
                     ir_word(&ir_rank_words, n->type.rank), n->type.n, ir_word(&ir_rank_words, result.rank),
                     result.n);
}

static const char *check_node(const ir_module *m, ir_id id) {
  const char *wrong = check_shape(m, id);
  if (wrong) return wrong;
  switch (ir_get(m, id)->op) {
  case IR_CONST: return check_const(m, id);
  case IR_PARAM:
  case IR_READ: return check_components(m, id);
  case IR_TUPLE: return check_tuple(m, id);
  case IR_PART: return check_part(m, id);
  case IR_REDUCE: wrong = check_reduce(m, id); return wrong ? wrong : check_types(m, id);
  default: return check_types(m, id);
  }
}

/* ---- symbols ------------------------------------------------------------------------------------------- */

static const char *check_symbol(const ir_module *m, const ir_symbol *s) {
  const char *what = NULL;
  if (s->text == NULL) what = "has no name";
  else if ((unsigned)s->kind >= IR_SYMBOL_KIND_COUNT) what = "is of an unknown kind";
  else if ((unsigned)s->place >= IR_PLACE_COUNT) what = "lives at an unknown place";
  else if (!type_is_sound(m, s->type)) what = "has an impossible type";
  else if (s->tuple.n_parts < 0 || s->tuple.n_parts > IR_MOST_PARTS) what = "has too many parts";
  else if (s->rule >= (uint32_t)m->rule.n) what = "belongs to a rule that is not there";
  int total = 0;
  for (int i = 0; what == NULL && i < s->tuple.n_parts; i++) {
    total += s->tuple.part[i];
    if (s->tuple.part_sym[i] >= (ir_sym)m->symbol.n) what = "has a part that is no symbol";
  }
  if (what == NULL && s->tuple.n_parts > 0 && total != s->type.n) what = "has parts that do not add up";
  if (what == NULL) return NULL;
  return arena_printf(m->memory, "symbol %d (%s) %s", (int)(s - m->symbol.at), s->text ? s->text : "?", what);
}

static const char *check_symbols(const ir_module *m) {
  for (int i = 1; i < m->symbol.n; i++) {
    const char *wrong = check_symbol(m, &m->symbol.at[i]);
    if (wrong) return wrong;
  }
  return NULL;
}

const char *ir_verify(const ir_module *m) {
  if (m->dims < 1 || m->dims > 3) return arena_printf(m->memory, "a module in %d dimensions", m->dims);
  const char *wrong = check_symbols(m);
  for (ir_id id = 1; wrong == NULL && id < (ir_id)m->node.n; id++) wrong = check_node(m, id);
  if (wrong == NULL) wrong = ir_verify_roots(m);
  return wrong;
}
