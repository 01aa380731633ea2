/* Outlines as text, for `--dump-after` and for people. */
#include "schedule/outline.h"

const char *const outline_verbs[] = {[PLAN_STORE] = "stores",
                                     [PLAN_ADD_L] = "adds to the left",
                                     [PLAN_ADD_R] = "adds to the right",
                                     [PLAN_GHOST] = "stores beyond the boundary",
                                     [PLAN_PARTIAL] = "reduces into",
                                     NULL};
const char *const outline_subsets[] = {"all",        "inside", "rule",     "each colour", "rows",
                                       "boundaries", "rim",    "wide rim", NULL};

/* ---- what there is ----------------------------------------------------------------------------------------------------- */

static void print_head(FILE *out, const outline *o) {
  fprintf(out, "plan on %s%s {\n", o->on_grid ? "grid" : "mesh", o->periodic ? ", periodic" : "");
  for (int i = 0; i < o->rule.n; i++)
    fprintf(out, "  rule %s%s\n", o->rule.at[i].text, o->rule.at[i].used ? "" : " unused");
  for (int i = 0; i < o->buffer.n; i++) {
    const outline_buffer *b = &o->buffer.at[i];
    fprintf(out, "  buffer %s%s%s%s%s%s", b->text, b->given ? " given" : "", b->lasting ? " lasting" : "",
            b->shown ? " shown" : "", b->ghosts ? " ghosts" : "", b->start ? " start" : "");
    for (int k = 0; k < b->replaced.n; k++)
      fprintf(out, "%s%s", k ? ", " : " replaced by ", o->rule.at[b->replaced.at[k]].text);
    fputc('\n', out);
  }
  for (int i = 0; i < o->global.n; i++)
    fprintf(out, "  global %s%s%s\n", o->global.at[i].text, o->global.at[i].known ? " known" : "",
            o->global.at[i].lasting ? " lasting" : "");
  for (int i = 0; i < o->function.n; i++)
    fprintf(out, "  function %s in table %d\n", o->function.at[i].text, o->function.at[i].table);
  fputs("}\n", out);
}

/* ---- tasks ------------------------------------------------------------------------------------------------------------------- */

static void print_reads(FILE *out, const outline *o, const task *t) {
  for (int i = 0; i < t->read.n; i++)
    fprintf(out, "  reads %s%s%s%s\n", o->buffer.at[t->read.at[i].buffer].text,
            t->read.at[i].elsewhere ? " at other points" : "", t->read.at[i].beyond ? " and ghosts" : "",
            t->read.at[i].boundary ? " at boundaries" : "");
  for (int i = 0; i < t->scalar_read.n; i++)
    fprintf(out, "  reads the global %s\n", o->global.at[t->scalar_read.at[i]].text);
  for (int i = 0; i < t->table_read.n; i++)
    fprintf(out, "  looks up %s near walls\n", o->function.at[t->table_read.at[i]].text);
  for (int i = 0; i < t->keep.n; i++) fprintf(out, "  keeps rows of %s\n", o->buffer.at[t->keep.at[i]].text);
}

static void print_task(FILE *out, const outline *o, const outline_task *k) {
  const task *t = &k->does;
  fprintf(out, "task %s", k->text);
  if (k->place != IR_NOWHERE) fprintf(out, " @ %s", ir_place_text(k->place));
  fprintf(out, " {%s%s\n", k->what ? " # " : "", k->what ? k->what : "");
  print_reads(out, o, t);
  for (int i = 0; i < t->write.n; i++)
    fprintf(out, "  %s %s component %d\n", outline_verbs[t->write.at[i].kind],
            o->buffer.at[t->write.at[i].buffer].text, t->write.at[i].component);
  for (int i = 0; i < t->table_written.n; i++)
    fprintf(out, "  fills the table of %s near walls\n", o->function.at[t->table_written.at[i]].text);
  for (int i = 0; i < t->scalar_written.n; i++)
    fprintf(out, "  computes the global %s\n", o->global.at[t->scalar_written.at[i]].text);
  fputs("}\n", out);
}

static void print_candidate(FILE *out, const plan_candidate *c) {
  fprintf(out, "candidate for %s: %s %s # %g bytes, %.0f operations a point, at most %d launch%s; %s%s%s\n",
          c->update, c->way, c->equations, c->cost.bytes, c->cost.operations, c->cost.launches,
          c->cost.launches == 1 ? "" : "es", c->kept ? "kept" : "dropped", c->why_not ? ": " : "",
          c->why_not ? c->why_not : "");
}

/* ---- launches ---------------------------------------------------------------------------------------------------------------- */

static void print_launch(FILE *out, const outline *o, const outline_op *op) {
  fprintf(out, "launch %s over %s", o->task.at[op->task].text, outline_subsets[op->subset]);
  if (op->subset == DSLC_RULE) fprintf(out, " %s", o->rule.at[op->rule].text);
  if (op->subset == DSLC_HOLD) fprintf(out, " of constraint %d", op->rule);
  if (op->stage != 0) fprintf(out, " at %.17g", op->stage);
  if (op->groups_of >= 0) fprintf(out, " reading the partials of %d", op->groups_of);
}

static void print_solve(FILE *out, const outline *o, const outline_op *op) {
  fprintf(out, "solve for %s with", op->unknown);
  for (int i = 0; i < 4; i++) fprintf(out, "%s %s", i ? "," : "", o->buffer.at[op->solve[i]].text);
}

static void print_op(FILE *out, const outline *o, const outline_op *op) {
  switch (op->kind) {
  case DSLC_OP_LAUNCH: print_launch(out, o, op); break;
  case DSLC_OP_SWAP: fprintf(out, "swap %s, %s", o->buffer.at[op->a].text, o->buffer.at[op->b].text); break;
  case DSLC_OP_COPY: fprintf(out, "copy %s to %s", o->buffer.at[op->a].text, o->buffer.at[op->b].text); break;
  case DSLC_OP_GHOSTS: fprintf(out, "periodic ghosts of %s", o->buffer.at[op->a].text); break;
  case DSLC_OP_REPEAT: fprintf(out, "repeat the next %d at most %d times", op->count, op->limit); break;
  case DSLC_OP_SOLVE: print_solve(out, o, op); break;
  }
  for (int i = 0; i < op->bound.n; i++)
    fprintf(out, ", %s is %s", o->buffer.at[op->bound.at[i].from].text,
            o->buffer.at[op->bound.at[i].to].text);
}

void outline_print(FILE *out, const outline *o) {
  print_head(out, o);
  for (int i = 0; i < o->task.n; i++) print_task(out, o, &o->task.at[i]);
  for (int i = 0; i < o->candidate.n; i++) print_candidate(out, &o->candidate.at[i]);
  for (int s = 0; s < o->section.n; s++) {
    fprintf(out, "section %s {\n", o->section.at[s].text);
    for (int i = 0; i < o->section.at[s].op.n; i++) {
      fprintf(out, "  %d ", i);
      print_op(out, o, &o->section.at[s].op.at[i]);
      fputc('\n', out);
    }
    fputs("}\n", out);
  }
}
