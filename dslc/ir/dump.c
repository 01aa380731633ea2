/* A root as an infix formula, for debugging: depth-limited, hence safe on graphs of any size. */
#include "ir/ir_internal.h"

typedef struct dumper {
  const ir_module *m;
  FILE *out;
} dumper;

static void dump(const dumper *d, ir_id id, int depth);

static void dump_number(const dumper *d, const ir_node *n) {
  if (n->type.rank == IR_BOOL) fputs(n->value != 0 ? "true" : "false", d->out);
  else fprintf(d->out, "%.6g", n->value);
}

static void dump_access(const dumper *d, const ir_node *n) {
  const ir_symbol *s = &d->m->symbol.at[n->read.sym];
  fputs(s->text, d->out);
  if (n->read.level != IR_NOW) fprintf(d->out, ".%s", ir_word(&ir_level_words, n->read.level));
  if (n->type.n != s->type.n) fprintf(d->out, ".%d", n->read.first);
  if (n->read.at == IR_AT_SHIFT)
    fprintf(d->out, "[%+d,%+d,%+d]", n->read.off[0], n->read.off[1], n->read.off[2]);
  else if (n->read.at != IR_AT_HERE) fprintf(d->out, "[%s]", ir_at_text((ir_at)n->read.at));
}

static void dump_list(const dumper *d, const char *open, const ir_node *n, int depth) {
  const ir_id *args = ir_args(d->m, n);
  fputs(open, d->out);
  for (int k = 0; k < n->n_args; k++) {
    if (k) fputs(", ", d->out);
    dump(d, args[k], depth);
  }
  fputc(')', d->out);
}

static void dump_infix(const dumper *d, const ir_node *n, int depth) {
  const ir_id *args = ir_args(d->m, n);
  fputc('(', d->out);
  dump(d, args[0], depth);
  fprintf(d->out, " %s ", ir_op_get((ir_op)n->op)->text);
  dump(d, args[1], depth);
  fputc(')', d->out);
}

static void dump_select(const dumper *d, const ir_node *n, int depth) {
  static const char *const word[] = {"(if ", " then ", " else "};
  for (int k = 0; k < 3; k++) {
    fputs(word[k], d->out);
    dump(d, ir_args(d->m, n)[k], depth);
  }
  fputc(')', d->out);
}

static bool is_infix(ir_op op) {
  return (op >= IR_ADD && op <= IR_POW && op != IR_NEG) || (op >= IR_LT && op <= IR_OR);
}

static void dump(const dumper *d, ir_id id, int depth) {
  const ir_node *n = ir_get(d->m, id);
  ir_op op = (ir_op)n->op;
  if (op == IR_CONST) dump_number(d, n);
  else if (op == IR_PARAM || op == IR_READ) dump_access(d, n);
  else if (n->n_args > 0 && depth <= 0) fprintf(d->out, "%%%u", id);
  else if (op == IR_SELECT) dump_select(d, n, depth - 1);
  else if (is_infix(op)) dump_infix(d, n, depth - 1);
  else if (n->n_args == 0) fputs(ir_op_get(op)->text, d->out);
  else {
    if (op == IR_REDUCE)
      fprintf(d->out, "%s over %s ", ir_word(&ir_reduce_words, n->reduce.kind),
              ir_word(&ir_binder_words, n->reduce.binder));
    else if (op != IR_TUPLE) fputs(ir_op_get(op)->text, d->out);
    dump_list(d, "(", n, depth - 1);
    if (op == IR_PART) fprintf(d->out, "[%d..%d]", n->first, n->first + n->type.n - 1);
  }
}

void ir_dump_expression(const ir_module *m, ir_id root, int depth, FILE *out) {
  dumper d = {m, out};
  if (root == 0 || root >= (ir_id)m->node.n) fputs("(none)", out);
  else dump(&d, root, depth);
  fputc('\n', out);
}
