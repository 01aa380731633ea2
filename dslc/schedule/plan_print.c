/* The three values of a plan as text, for `--dump-after` and for people. */
#include "schedule/tasks.h"

/* ---- storage ------------------------------------------------------------------------------------------------------------- */

static const char *form_of(const ir_symbol *q, const symbol_storage *s) {
  if (q->kind == IR_GLOBAL) return "global";
  bool formula = q->kind == IR_EQUATION && q->root[0];
  if (!formula) return s->stored ? "stored" : "given";
  return s->scatter ? "scattered" : s->stored ? "stored" : "inlined";
}

static void print_marks(FILE *out, const symbol_use *u, const symbol_storage *s) {
  if (s->fixed) fputs(" constant", out);
  if (s->prev) fputs(" previous", out);
  if (u->once) fputs(" once", out);
  if (u->held) fputs(" constrained", out);
  if (u->ghost_rule) fputs(" ghosts", out);
  if (u->flux_rule) fputs(" replaced", out);
}

static void print_dependences(FILE *out, const ir_module *m, const dependence *d, ir_sym sym) {
  const char *before = " depends on ";
  for (int k = 0; k < d->changing.n; k++) {
    if (!d->on[sym][k]) continue;
    fprintf(out, "%s%s", before, ir_symbol_get(m, d->changing.at[k])->text);
    before = ", ";
  }
}

void storage_print(FILE *out, const problem *p, const symbol_use *use, const dependence *d,
                   const symbol_storage *s) {
  fputs("storage {\n", out);
  for (int k = 1; k < p->from->symbol.n; k++) {
    const ir_symbol *q = ir_symbol_get(p->from, (ir_sym)k);
    if (q->kind != IR_STATE && q->kind != IR_GIVEN && q->kind != IR_EQUATION && q->kind != IR_GLOBAL)
      continue;
    fprintf(out, "  %s", q->text);
    if (q->place != IR_NOWHERE) fprintf(out, " @ %s", ir_place_text(q->place));
    fprintf(out, " %s", q->kind == IR_STATE ? "state" : form_of(q, &s[k]));
    print_marks(out, &use[k], &s[k]);
    print_dependences(out, p->from, d, (ir_sym)k);
    if (s[k].why) fprintf(out, ": %s", s[k].why);
    fputc('\n', out);
  }
  fputs("}\n", out);
}

/* ---- tasks --------------------------------------------------------------------------------------------------------------- */

static const char *const verbs[] = {[PLAN_STORE] = "stores",
                                    [PLAN_ADD_L] = "adds to the left",
                                    [PLAN_ADD_R] = "adds to the right",
                                    [PLAN_GHOST] = "stores beyond the boundary",
                                    [PLAN_PARTIAL] = "reduces into"};

static void print_task(FILE *out, const plan *p, const plan_kernel *k, const task *t) {
  const dslc_buffer *buffer = p->program->execution.buffer;
  fprintf(out, "task %s", k->text);
  if (k->place != IR_NOWHERE) fprintf(out, " @ %s", ir_place_text(k->place));
  fprintf(out, " {%s%s\n", k->what ? " # " : "", k->what ? k->what : "");
  for (int i = 0; i < t->read.n; i++)
    fprintf(out, "  reads %s%s%s\n", buffer[t->read.at[i].buffer].name,
            t->read.at[i].elsewhere ? " at other points" : "", t->read.at[i].beyond ? " and ghosts" : "");
  for (int i = 0; i < t->table_read.n; i++)
    fprintf(out, "  looks up %s near walls\n",
            ir_symbol_get(p->module, p->function.at[t->table_read.at[i]].sym)->text);
  for (int i = 0; i < t->keep.n; i++) fprintf(out, "  keeps rows of %s\n", buffer[t->keep.at[i]].name);
  for (int i = 0; i < t->write.n; i++)
    fprintf(out, "  %s %s component %d\n", verbs[t->write.at[i].kind], buffer[t->write.at[i].buffer].name,
            t->write.at[i].component);
  for (int i = 0; i < t->table_written.n; i++)
    fprintf(out, "  fills the table of %s near walls\n",
            ir_symbol_get(p->module, p->function.at[t->table_written.at[i]].sym)->text);
  for (int i = 0; i < t->scalar_written.n; i++)
    fprintf(out, "  computes scalar %d\n", t->scalar_written.at[i]);
  fputs("}\n", out);
}

static void print_candidate(FILE *out, const plan_candidate *c) {
  fprintf(out, "candidate for %s: %s %s # %g bytes, %.0f operations a point, at most %d launch%s; %s%s%s\n",
          c->update, c->way, c->equations, c->cost.bytes, c->cost.operations, c->cost.launches,
          c->cost.launches == 1 ? "" : "es", c->kept ? "kept" : "dropped", c->why_not ? ": " : "",
          c->why_not ? c->why_not : "");
}

void tasks_print(FILE *out, const plan *p) {
  task_list all = tasks_of(p);
  for (int i = 0; i < all.n; i++) print_task(out, p, &p->kernel.at[i], &all.at[i]);
  for (int i = 0; i < p->candidate.n; i++) print_candidate(out, &p->candidate.at[i]);
}

/* ---- launches ------------------------------------------------------------------------------------------------------------ */

static void print_launch(FILE *out, const launches *l, const dslc_op *op) {
  static const char *const subsets[] = {"all", "inside", "rule", "each colour", "rows"};
  fprintf(out, "launch %s over %s", l->plan->kernel.at[op->kernel].text, subsets[op->subset]);
  if (op->subset == DSLC_RULE) fprintf(out, " %s", l->program->model.rule[op->rule].name);
  if (op->stage != 0) fprintf(out, " at %g", op->stage);
  if (op->groups_of >= 0) fprintf(out, " reading the partials of %d", op->groups_of);
}

static void print_op(FILE *out, const launches *l, const dslc_op *op) {
  const dslc_buffer *buffer = l->program->execution.buffer;
  switch (op->kind) {
  case DSLC_OP_LAUNCH: print_launch(out, l, op); break;
  case DSLC_OP_SWAP: fprintf(out, "swap %s, %s", buffer[op->a].name, buffer[op->b].name); break;
  case DSLC_OP_COPY: fprintf(out, "copy %s to %s", buffer[op->a].name, buffer[op->b].name); break;
  case DSLC_OP_GHOSTS: fprintf(out, "periodic ghosts of %s", buffer[op->a].name); break;
  case DSLC_OP_REPEAT: fprintf(out, "repeat the next %d at most %d times", op->count, op->limit); break;
  case DSLC_OP_SOLVE: fprintf(out, "solve for %s", l->program->execution.solve[op->a].unknown); break;
  }
}

void launches_print(FILE *out, const launches *l) {
  for (int s = 0, next = 0; s < l->program->execution.n_sections; s++) {
    const dslc_section *section = &l->program->execution.section[s];
    fprintf(out, "section %s {\n", section->name);
    for (int i = 0; i < section->n_ops; i++) {
      fprintf(out, "  %d ", i);
      print_op(out, l, &section->op[i]);
      for (next = 0; next < l->n_rebinds; next++) {
        const plan_rebind *b = &l->rebind[next];
        if (b->section == s && b->op == i)
          fprintf(out, ", %s is %s", l->program->execution.buffer[b->from].name,
                  l->program->execution.buffer[b->to].name);
      }
      fputc('\n', out);
    }
    fputs("}\n", out);
  }
}
