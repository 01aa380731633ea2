/* The printed form: header, symbols, nodes, then what refers to nodes (values of symbols, rules, requires,
 * step).
 *
 *   module waves on mesh 2
 *   symbol 3 state h : scalar @ cells unit="m"
 *   %12 = read h @L prev : scalar name="hL" tag="(9)" at=0:512-530
 *   value wave.speed = %12
 *
 * Attributes that have their default are left out. Names that are no plain words, or that would read as a
 * keyword of the text, stand in quotes; a name that several symbols share is followed by the symbol's number,
 * eta#7. */
#include "ir/ir_internal.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct printer {
  const ir_module *m;
  FILE *out;
  name_map *first; /* name -> the first symbol that has it */
} printer;

/* ---- pieces -------------------------------------------------------------------------------------------- */

static void print_string(FILE *out, const char *s) {
  fputc('"', out);
  for (; *s; s++) {
    unsigned char c = (unsigned char)*s;
    if (c == '"' || c == '\\') fprintf(out, "\\%c", c);
    else if (c < 0x20 || c == 0x7f) fprintf(out, "\\x%02x", c);
    else fputc(c, out);
  }
  fputc('"', out);
}

static bool is_plain(const char *s) {
  if (!isalpha((unsigned char)*s) && *s != '_') return false;
  for (; *s; s++)
    if (!isalnum((unsigned char)*s) && *s != '_' && *s != '.') return false;
  return true;
}

static void print_name(FILE *out, const char *s) {
  if (is_plain(s)) fputs(s, out);
  else print_string(out, s);
}

static void print_symbol_name(const printer *p, ir_sym sym) {
  const ir_symbol *s = &p->m->symbol.at[sym];
  print_name(p->out, s->text);
  if (name_map_get(p->first, s->text) != s) fprintf(p->out, "#%u", sym);
}

static void print_type(FILE *out, ir_type t) {
  fputs(ir_word(&ir_rank_words, t.rank), out);
  if (t.rank != IR_SCALAR && t.rank != IR_BOOL && t.rank != IR_INT) fprintf(out, "(%d)", t.n);
}

/* The shortest decimal form that reads back as the same number; a NaN by its bits. */
static void print_number(FILE *out, double x) {
  uint64_t bits;
  memcpy(&bits, &x, sizeof bits);
  char text[40];
  int digits = 15;
  do snprintf(text, sizeof text, "%.*g", digits, x);
  while (digits++ < 17 && strtod(text, NULL) != x);
  if (x != x) fprintf(out, "nan(0x%llx)", (unsigned long long)bits);
  else fputs(text, out);
}

static void print_span(FILE *out, span at) {
  if (at.file || at.start || at.end) fprintf(out, " at=%u:%u-%u", at.file, at.start, at.end);
}

static void print_text(FILE *out, const char *key, const char *text) {
  if (text == NULL) return;
  fprintf(out, " %s=", key);
  print_string(out, text);
}

static void print_id(FILE *out, const char *key, ir_id id) {
  if (id) fprintf(out, " %s=%%%u", key, id);
}

static void print_where(FILE *out, const char *tag, span at) {
  print_text(out, "tag", tag);
  print_span(out, at);
}

/* ---- symbols ------------------------------------------------------------------------------------------- */

static void print_flags(FILE *out, const ir_symbol *s) {
  if (s->is_flux) fputs(" flux", out);
  if (s->is_fluctuation) fputs(" fluctuation", out);
  if (s->symmetric) fputs(" symmetric", out);
  if (s->over_time) fputs(" over_time", out);
  if (s->side != IR_EVEN) fprintf(out, " side=%s", ir_word(&ir_side_words, (int)s->side));
  if (s->evidence != IR_CLAIMED) fprintf(out, " evidence=%s", ir_word(&ir_evidence_words, (int)s->evidence));
}

static void print_parts(FILE *out, const ir_symbol *s) {
  for (int i = 0; i < s->tuple.n_parts && i < IR_MOST_PARTS; i++)
    fprintf(out, "%s%u:%u", i ? "," : " parts=", s->tuple.part[i], s->tuple.part_sym[i]);
}

static void print_symbol_key(const printer *p, const char *key, ir_sym sym) {
  if (sym == 0) return;
  fprintf(p->out, " %s=", key);
  print_symbol_name(p, sym);
}

static void print_symbol(const printer *p, int i) {
  const ir_symbol *s = &p->m->symbol.at[i];
  fprintf(p->out, "symbol %d %s ", i, ir_word(&ir_kind_words, (int)s->kind));
  print_name(p->out, s->text);
  fputs(" : ", p->out);
  print_type(p->out, s->type);
  fprintf(p->out, " @ %s", ir_place_text(s->place));
  print_text(p->out, "unit", s->unit);
  print_text(p->out, "bounds", s->bounds);
  print_flags(p->out, s);
  if (s->dims) fprintf(p->out, " dims=%d", s->dims);
  print_parts(p->out, s);
  if (s->rule) fprintf(p->out, " rule=%u", s->rule);
  print_text(p->out, "form", s->integral.form);
  print_symbol_key(p, "weight", s->integral.weight);
  if (s->stored) fprintf(p->out, " stored=%d", s->stored);
  if (s->purpose.role) fprintf(p->out, " role=%s", ir_word(&ir_role_words, (int)s->purpose.role));
  print_symbol_key(p, "of", s->purpose.of);
  if (s->purpose.role == IR_BY_ROW) fprintf(p->out, " constraint=%d", s->purpose.constraint);
  if (s->purpose.role == IR_LATE) fputs(" ahead=", p->out), print_number(p->out, s->purpose.ahead);
  print_where(p->out, s->tag, s->at);
  fputc('\n', p->out);
}

static void print_values(const printer *p, int i) {
  const ir_symbol *s = &p->m->symbol.at[i];
  for (int part = 0; part < 2; part++) {
    if (s->root[part] == 0) continue;
    const char *key = part ? "second" : "value";
    if (s->is_fluctuation) key = part ? "to_R" : "to_L";
    if (s->kind == IR_MATRIX) key = part ? "diagonal" : "entry";
    fprintf(p->out, "%s ", key);
    print_symbol_name(p, (ir_sym)i);
    fprintf(p->out, " = %%%u\n", s->root[part]);
  }
}

/* ---- nodes --------------------------------------------------------------------------------------------- */

static void print_access(const printer *p, const ir_node *n) {
  fputc(' ', p->out);
  print_symbol_name(p, n->read.sym);
  if (n->read.first) fprintf(p->out, " [%d]", n->read.first);
  if (n->read.at == IR_AT_SHIFT)
    fprintf(p->out, " @(%d,%d,%d)", n->read.off[0], n->read.off[1], n->read.off[2]);
  else if (n->read.at != IR_AT_HERE) fprintf(p->out, " @%s", ir_at_text((ir_at)n->read.at));
  if (n->read.level != IR_NOW) fprintf(p->out, " %s", ir_word(&ir_level_words, n->read.level));
}

static void print_reduction(const printer *p, const ir_node *n) {
  fprintf(p->out, " %s %s", ir_word(&ir_reduce_words, n->reduce.kind),
          ir_word(&ir_binder_words, n->reduce.binder));
  if (n->reduce.place) fprintf(p->out, " in %s", ir_place_text((ir_place)n->reduce.place));
  if (n->reduce.rule) fprintf(p->out, " rule %u", n->reduce.rule);
}

static void print_node(const printer *p, ir_id id) {
  const ir_node *n = ir_get(p->m, id);
  fprintf(p->out, "%%%u = %s", id, ir_op_get((ir_op)n->op)->text);
  if (n->op == IR_CONST) {
    fputc(' ', p->out);
    print_number(p->out, n->value);
  }
  if (n->op == IR_PARAM || n->op == IR_READ) print_access(p, n);
  if (n->op == IR_REDUCE) print_reduction(p, n);
  for (int k = 0; k < n->n_args; k++) fprintf(p->out, " %%%u", ir_args(p->m, n)[k]);
  if (n->op == IR_PART) fprintf(p->out, " [%d]", n->first);
  fputs(" : ", p->out);
  print_type(p->out, n->type);
  const ir_origin *o = &p->m->origin.at[id];
  print_text(p->out, "name", o->hint);
  print_where(p->out, o->tag, o->at);
  fputc('\n', p->out);
}

/* ---- rules and statements ------------------------------------------------------------------------------ */

static void print_rule(const printer *p, int i) {
  const ir_rule *r = &p->m->rule.at[i];
  fprintf(p->out, "rule %d ", i);
  print_name(p->out, r->text);
  if (r->axis) fprintf(p->out, " axis=\"%c\"", r->axis);
  print_span(p->out, r->at);
  fputs(" {\n", p->out);
  for (int k = 0; k < r->arg.n; k++) {
    fputs("  arg ", p->out);
    print_symbol_name(p, r->arg.at[k]);
    fputc('\n', p->out);
  }
  for (int k = 0; k < r->entry.n; k++) {
    const ir_rule_entry *e = &r->entry.at[k];
    fprintf(p->out, "  %s ", ir_word(&ir_rule_words, (int)e->kind));
    print_symbol_name(p, e->target);
    fprintf(p->out, " = %%%u%s", e->root, e->projection ? " projection" : "");
    print_where(p->out, e->tag, e->at);
    fputc('\n', p->out);
  }
  fputs("}\n", p->out);
}

static void print_constraint(const printer *p, const ir_constraint *c) {
  fputs("constraint ", p->out);
  print_symbol_name(p, c->target);
  fprintf(p->out, " = %%%u rule=%u%s%s", c->root, c->rule, c->add ? " add" : "",
          c->projection ? " projection" : "");
  print_span(p->out, c->at);
  fputc('\n', p->out);
}

static void print_require(const printer *p, const ir_require *r) {
  fprintf(p->out, "require %%%u @ %s%s", r->condition, ir_place_text(r->place), r->of_step ? " of_step" : "");
  print_text(p->out, "text", r->text);
  print_span(p->out, r->at);
  fputc('\n', p->out);
}

static void print_statement(const printer *p, const ir_stmt *s, int depth) {
  int in = 2 * depth;
  fprintf(p->out, "%*s%s", in, "", ir_word(&ir_stmt_words, (int)s->kind));
  print_text(p->out, "by", s->method);
  print_text(p->out, "preconditioner", s->preconditioner);
  print_id(p->out, "over", s->over);
  print_symbol_key(p, "matrix", s->matrix);
  print_symbol_key(p, "unknown", s->unknown);
  print_id(p->out, "rhs", s->rhs);
  print_symbol_key(p, "entry", s->entry);
  print_symbol_key(p, "diagonal", s->diagonal);
  print_symbol_key(p, "right_side", s->right_side);
  print_id(p->out, "until", s->until);
  print_id(p->out, "at_most", s->at_most);
  if (s->turn) fprintf(p->out, " turn=%d", s->turn);
  print_text(p->out, "text", s->text);
  print_where(p->out, s->tag, s->at);
  fputs(" {\n", p->out);
  for (int i = 0; i < s->assign.n; i++) {
    const ir_assign *a = &s->assign.at[i];
    fprintf(p->out, "%*sassign ", in + 2, "");
    print_symbol_name(p, a->target);
    fprintf(p->out, " = %%%u", a->value);
    print_where(p->out, a->tag, a->at);
    fputc('\n', p->out);
  }
  for (int i = 0; i < s->option.n; i++) {
    fprintf(p->out, "%*soption ", in + 2, "");
    print_name(p->out, s->option.at[i].text);
    fprintf(p->out, " = %%%u\n", s->option.at[i].value);
  }
  for (int i = 0; i < s->body.n; i++) print_statement(p, &s->body.at[i], depth + 1);
  fprintf(p->out, "%*s}\n", in, "");
}

void ir_print(const ir_module *m, FILE *out) {
  printer p = {m, out, name_map_create(m->memory)};
  for (int i = m->symbol.n - 1; i > 0; i--) name_map_put(p.first, m->symbol.at[i].text, &m->symbol.at[i]);
  fputs("module ", out);
  print_name(out, m->scheme ? m->scheme : "");
  fprintf(out, " on %s %d\n", m->on_grid ? "grid" : "mesh", m->dims);
  for (int i = 1; i < m->symbol.n; i++) print_symbol(&p, i);
  for (ir_id id = 1; id < (ir_id)m->node.n; id++) print_node(&p, id);
  for (int i = 1; i < m->symbol.n; i++) print_values(&p, i);
  for (int i = 1; i < m->rule.n; i++) print_rule(&p, i);
  for (int i = 0; i < m->constraint.n; i++) print_constraint(&p, &m->constraint.at[i]);
  for (int i = 0; i < m->require.n; i++) print_require(&p, &m->require.at[i]);
  if (m->step.n == 0) return;
  fputs("step {\n", out);
  for (int i = 0; i < m->step.n; i++) print_statement(&p, &m->step.at[i], 1);
  fputs("}\n", out);
}
