/* Reads the printed form back. Hand-written text may number its nodes with gaps; nodes that turn out equal
 * become one, as in any module. What is read is sound enough to be verified, not verified. */
#include "ir/parse.h"

#include <string.h>

enum { DEEPEST_STATEMENT = 64 };

/* ---- symbols ------------------------------------------------------------------------------------------- */

static bool parse_symbol_line(parser *p) {
  uint32_t number;
  int kind, place;
  ir_symbol s = {0};
  attributes a;
  if (!parse_unsigned(p, UINT32_MAX, "a symbol's number", &number)) return false;
  if (number != (uint32_t)p->m->symbol.n)
    return parse_fail(p, "symbol %u where %d is due", number, p->m->symbol.n);
  if (!parse_enum(p, &ir_kind_words, "kind of symbol", &kind) || !parse_name(p, &s.text)) return false;
  if (!parse_expect(p, ":") || !parse_type(p, &s.type) || !parse_expect(p, "@")) return false;
  if (!parse_enum(p, &ir_place_words, "place", &place) || !parse_attributes(p, &a)) return false;
  s.kind = (ir_symbol_kind)kind;
  s.place = (ir_place)place;
  s.unit = a.symbol.unit, s.bounds = a.symbol.bounds;
  s.tag = a.tag, s.at = a.at, s.integral.form = a.symbol.form, s.integral.weight = a.symbol.weight;
  s.dims = a.symbol.dims, s.stored = a.symbol.stored, s.rule = a.rule;
  s.side = (ir_side)a.symbol.side, s.evidence = (ir_evidence)a.symbol.evidence;
  s.is_flux = a.symbol.flux, s.is_fluctuation = a.symbol.fluctuation, s.symmetric = a.symbol.symmetric,
  s.over_time = a.symbol.over_time;
  s.purpose.role = (ir_role)a.symbol.role, s.purpose.of = a.symbol.of,
  s.purpose.constraint = a.symbol.constraint, s.purpose.ahead = a.ahead;
  s.tuple.n_parts = a.symbol.n_parts;
  memcpy(s.tuple.part, a.symbol.part, sizeof s.tuple.part);
  memcpy(s.tuple.part_sym, a.symbol.part_sym, sizeof s.tuple.part_sym);
  ir_sym sym = ir_symbol_add(p->m, s);
  if (name_map_get(p->first, s.text) == NULL) name_map_put(p->first, s.text, (void *)(uintptr_t)sym);
  return true;
}

static bool parse_root_line(parser *p, int part) {
  ir_sym sym;
  ir_id id;
  if (!parse_symbol(p, &sym) || !parse_expect(p, "=") || !parse_id(p, &id)) return false;
  p->m->symbol.at[sym].root[part] = id;
  return true;
}

/* ---- nodes --------------------------------------------------------------------------------------------- */

static bool parse_component(parser *p, uint8_t *first) {
  uint32_t x;
  if (!parse_accept(p, "[")) return true;
  if (!parse_unsigned(p, UINT8_MAX + 1, "a component", &x) || !parse_expect(p, "]")) return false;
  *first = (uint8_t)x;
  return true;
}

static bool parse_offsets(parser *p, ir_node *n) {
  n->read.at = IR_AT_SHIFT;
  for (int i = 0; i < 3; i++) {
    int x;
    if (i > 0 && !parse_expect(p, ",")) return false;
    if (!parse_signed(p, INT8_MIN, INT8_MAX, &x)) return false;
    n->read.off[i] = (int8_t)x;
  }
  return parse_expect(p, ")");
}

static bool parse_access(parser *p, ir_node *n) {
  int at = IR_AT_HERE, level = IR_NOW;
  if (!parse_symbol(p, &n->read.sym) || !parse_component(p, &n->read.first)) return false;
  if (parse_accept(p, "@(")) {
    if (!parse_offsets(p, n)) return false;
  } else if (parse_accept(p, "@")) {
    if (!parse_enum(p, &ir_at_words, "index", &at)) return false;
    n->read.at = (uint8_t)at;
  }
  if (!parse_accept(p, ":")) {
    if (!parse_enum(p, &ir_level_words, "time level", &level) || !parse_expect(p, ":")) return false;
  }
  n->read.level = (uint8_t)level;
  return true;
}

static bool parse_reduction(parser *p, ir_node *n) {
  int kind, binder, place = IR_NOWHERE;
  if (!parse_enum(p, &ir_reduce_words, "reduction", &kind)) return false;
  if (!parse_enum(p, &ir_binder_words, "binder", &binder)) return false;
  if (parse_accept(p, "in ") && !parse_enum(p, &ir_place_words, "place", &place)) return false;
  if (parse_accept(p, "rule ") && !parse_unsigned(p, INT32_MAX, "a rule", &n->reduce.rule)) return false;
  n->reduce.kind = (uint8_t)kind;
  n->reduce.binder = (uint8_t)binder;
  n->reduce.place = (uint8_t)place;
  return true;
}

static bool parse_operands(parser *p, ir_node *n, ir_id *args) {
  while (!parse_accept(p, ":")) {
    uint8_t first = 0;
    if (n->op == IR_PART && parse_accept(p, "[")) {
      p->at--;
      if (!parse_component(p, &first)) return false;
      n->first = first;
      continue;
    }
    if (n->n_args == IR_MOST_ARGS) return parse_fail(p, "more than %d operands", IR_MOST_ARGS);
    if (!parse_id(p, &args[n->n_args++])) return false;
  }
  return true;
}

/* Everything behind the operator up to the type, the colon included. */
static bool parse_body(parser *p, ir_node *n, ir_id *args) {
  switch (n->op) {
  case IR_CONST: return parse_double(p, &n->value) && parse_expect(p, ":");
  case IR_PARAM:
  case IR_READ: return parse_access(p, n);
  case IR_REDUCE: return parse_reduction(p, n) && parse_operands(p, n, args);
  default: return parse_operands(p, n, args);
  }
}

static bool parse_node_line(parser *p) {
  uint32_t number;
  ir_id args[IR_MOST_ARGS];
  attributes a;
  if (!parse_unsigned(p, p->n_node, "a node's number", &number) || !parse_expect(p, "=")) return false;
  parse_at_end(p); /* skips blanks: `=`, `==` and `<=` are operators too */
  size_t size = strcspn(p->at, " \t\r\n");
  int op = ir_op_find(p->at, size);
  if (op < 0) return parse_fail(p, "unknown operator `%.*s`", (int)(size < 40 ? size : 40), p->at);
  p->at += size;
  ir_node n = {.op = (uint8_t)op};
  if (!parse_body(p, &n, args) || !parse_type(p, &n.type) || !parse_attributes(p, &a)) return false;
  if (number == 0 || p->node[number] != 0)
    return parse_fail(p, "%%%u cannot be defined, or not again", number);
  p->node[number] = ir_rebuild(p->m, &n, args);
  ir_name(p->m, p->node[number], a.hint, a.tag, a.at);
  return true;
}

/* ---- rules --------------------------------------------------------------------------------------------- */

static bool parse_rule_item(parser *p, ir_rule *r) {
  ir_rule_entry e = {0};
  attributes a;
  word w = parse_word(p);
  if (parse_is(w, "arg")) {
    if (!parse_symbol(p, &e.target)) return false;
    vec_push(p->m->memory, &r->arg, e.target);
    return true;
  }
  int kind = ir_word_find(&ir_rule_words, w.at, w.n);
  if (kind < 0) return parse_fail(p, "expected `arg`, `ghost`, `fix`, `flux` or `add` before `%.20s`", w.at);
  e.kind = (ir_rule_kind)kind;
  if (!parse_symbol(p, &e.target) || !parse_expect(p, "=") || !parse_id(p, &e.root)) return false;
  if (!parse_attributes(p, &a)) return false;
  e.projection = a.projection, e.tag = a.tag, e.at = a.at;
  vec_push(p->m->memory, &r->entry, e);
  return true;
}

/* Items up to the closing brace, one a line. */
static bool parse_block(parser *p, void *into, bool (*item)(parser *p, void *into)) {
  if (!parse_expect(p, "{") || !parse_end_of_line(p)) return false;
  while (!parse_accept(p, "}")) {
    if (*p->at == '\0') return parse_fail(p, "the text ends before a `}`");
    if (!item(p, into) || !parse_end_of_line(p)) return false;
  }
  return true;
}

static bool rule_item(parser *p, void *into) { return parse_rule_item(p, into); }

static bool parse_rule(parser *p) {
  uint32_t number;
  ir_rule r = {0};
  attributes a;
  if (!parse_unsigned(p, UINT32_MAX, "a rule's number", &number)) return false;
  if (number != (uint32_t)p->m->rule.n) return parse_fail(p, "rule %u where %d is due", number, p->m->rule.n);
  if (!parse_name(p, &r.text) || !parse_attributes(p, &a)) return false;
  r.axis = a.axis ? a.axis[0] : 0;
  r.at = a.at;
  if (!parse_block(p, &r, rule_item)) return false;
  vec_push(p->m->memory, &p->m->rule, r);
  return true;
}

static bool parse_constraint(parser *p) {
  ir_constraint c = {0};
  attributes a;
  if (!parse_symbol(p, &c.target) || !parse_expect(p, "=") || !parse_id(p, &c.root)) return false;
  if (!parse_attributes(p, &a)) return false;
  c.rule = a.rule, c.add = a.add, c.projection = a.projection, c.at = a.at;
  vec_push(p->m->memory, &p->m->constraint, c);
  return true;
}

static bool parse_require(parser *p) {
  ir_require r = {0};
  attributes a;
  int place;
  if (!parse_id(p, &r.condition) || !parse_expect(p, "@")) return false;
  if (!parse_enum(p, &ir_place_words, "place", &place) || !parse_attributes(p, &a)) return false;
  r.place = (ir_place)place, r.text = a.text, r.of_step = a.of_step, r.at = a.at;
  vec_push(p->m->memory, &p->m->require, r);
  return true;
}

/* ---- statements ---------------------------------------------------------------------------------------- */

static bool statement_item(parser *p, void *into);

static bool parse_statement(parser *p, int kind, ir_stmt *s) {
  attributes a;
  *s = (ir_stmt){.kind = (ir_stmt_kind)kind};
  if (!parse_attributes(p, &a)) return false;
  s->method = a.statement.method, s->over = a.statement.over, s->matrix = a.statement.matrix,
  s->unknown = a.statement.unknown, s->rhs = a.statement.rhs;
  s->entry = a.symbol.entry, s->diagonal = a.symbol.diagonal, s->right_side = a.symbol.right_side;
  s->preconditioner = a.statement.preconditioner;
  s->turn = a.statement.turn;
  s->until = a.statement.until, s->at_most = a.statement.at_most, s->text = a.text, s->tag = a.tag,
  s->at = a.at;
  if (++p->depth > DEEPEST_STATEMENT)
    return parse_fail(p, "statements nested more than %d deep", DEEPEST_STATEMENT);
  bool ok = parse_block(p, s, statement_item);
  p->depth--;
  return ok;
}

static bool parse_assign(parser *p, ir_stmt *s) {
  ir_assign x = {0};
  attributes a;
  if (!parse_symbol(p, &x.target) || !parse_expect(p, "=") || !parse_id(p, &x.value)) return false;
  if (!parse_attributes(p, &a)) return false;
  x.tag = a.tag, x.at = a.at;
  vec_push(p->m->memory, &s->assign, x);
  return true;
}

static bool parse_option(parser *p, ir_stmt *s) {
  ir_option o = {0};
  if (!parse_name(p, &o.text) || !parse_expect(p, "=") || !parse_id(p, &o.value)) return false;
  vec_push(p->m->memory, &s->option, o);
  return true;
}

static bool statement_item(parser *p, void *into) {
  ir_stmt *s = into, inner;
  word w = parse_word(p);
  if (parse_is(w, "assign")) return parse_assign(p, s);
  if (parse_is(w, "option")) return parse_option(p, s);
  int kind = ir_word_find(&ir_stmt_words, w.at, w.n);
  if (kind < 0) return parse_fail(p, "expected a statement before `%.20s`", w.at);
  if (!parse_statement(p, kind, &inner)) return false;
  vec_push(p->m->memory, &s->body, inner);
  return true;
}

static bool step_item(parser *p, void *into) {
  ir_stmt s;
  (void)into;
  word w = parse_word(p);
  int kind = ir_word_find(&ir_stmt_words, w.at, w.n);
  if (kind < 0) return parse_fail(p, "expected a statement before `%.20s`", w.at);
  if (!parse_statement(p, kind, &s)) return false;
  vec_push(p->m->memory, &p->m->step, s);
  return true;
}

/* ---- the module ---------------------------------------------------------------------------------------- */

static bool parse_header(parser *p) {
  uint32_t dims;
  while (parse_at_end(p) && *p->at != '\0') p->at++;
  if (!parse_expect(p, "module") || !parse_name(p, &p->m->scheme) || !parse_expect(p, "on")) return false;
  p->m->on_grid = parse_accept(p, "grid");
  if (!p->m->on_grid && !parse_expect(p, "mesh")) return false;
  if (!parse_unsigned(p, 4, "the dimension", &dims)) return false;
  p->m->dims = (int)dims;
  return parse_end_of_line(p);
}

static bool parse_line(parser *p) {
  if (parse_accept(p, "%")) return parse_node_line(p);
  word w = parse_word(p);
  if (parse_is(w, "symbol")) return parse_symbol_line(p);
  if (parse_is(w, "value") || parse_is(w, "to_L") || parse_is(w, "entry")) return parse_root_line(p, 0);
  if (parse_is(w, "second") || parse_is(w, "to_R") || parse_is(w, "diagonal")) return parse_root_line(p, 1);
  if (parse_is(w, "rule")) return parse_rule(p);
  if (parse_is(w, "constraint")) return parse_constraint(p);
  if (parse_is(w, "require")) return parse_require(p);
  if (parse_is(w, "step")) return parse_block(p, NULL, step_item);
  return parse_fail(p, "expected a symbol, a node, a value, a rule, a require or the step before `%.20s`",
                    w.at);
}

ir_module *ir_parse(arena *a, intern_pool *names, const char *text, const char **error) {
  parser p = {.m = ir_create(a, names), .start = text, .at = text, .first = name_map_create(a)};
  p.n_node = (uint32_t)strnlen(text, UINT32_MAX / 8) + 1; /* a node takes more than one character */
  p.node = arena_array(a, ir_id, p.n_node);
  bool ok = parse_header(&p);
  while (ok && *p.at != '\0') ok = parse_line(&p) && parse_end_of_line(&p);
  if (error) *error = p.error;
  return ok ? p.m : NULL;
}
