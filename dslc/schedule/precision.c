/* Which numbers lie in memory in single precision (schedule settings `.store`). Arithmetic is double everywhere: what is read is
 * widened, what is written rounded once. What a whole run hangs on stays double whatever the schedule says: time and globals, partial
 * sums, arguments of rules, what a linear system is made of and solved for, tables near walls. */
#include <string.h>

#include "schedule/planner.h"

/* What the solvers read and write: they take doubles. */
static void note_systems(const ir_stmt *list, int n, bool *of_system) {
  for (int i = 0; i < n; i++) {
    const ir_stmt *st = &list[i];
    note_systems(st->body.at, st->body.n, of_system);
    if (st->kind != IR_SOLVE) continue;
    of_system[st->entry] = of_system[st->diagonal] = of_system[st->right_side] = of_system[st->unknown] =
        true;
  }
}

static bool by_group(const store_groups *g, const ir_symbol *q, const symbol_storage *s) {
  switch (q->kind) {
  case IR_STATE: return g->states;
  case IR_GIVEN: return g->givens;
  case IR_GEOMETRY:
  case IR_INTEGRAL: return g->geometry;
  case IR_EQUATION: return q->place == IR_EDGES && s->fixed ? g->geometry : g->fluxes;
  default: return false;
  }
}

/* Lines of a grid are few numbers; of what an integral comes from, only the setup reads. */
static bool may_be_single(const ir_symbol *q, const symbol_use *u, const symbol_storage *s) {
  if (q->place == IR_NOWHERE || q->place >= IR_XLINE || u->row_of || q->purpose.role == IR_MESH_SOURCE)
    return false;
  return q->kind != IR_EQUATION || s->stored || s->scatter || s->prev;
}

/* A record of all that edges have is of one type. */
static bool in_record(const problem *p, const ir_symbol *q, const symbol_storage *s) {
  return p->schedule->edges == EDGES_LEAN && q->kind == IR_EQUATION && q->place == IR_EDGES && s->fixed;
}

static const char *why_not(const problem *p, const symbol_storage *made, const bool *of_system, ir_sym sym) {
  const ir_symbol *q = ir_symbol_get(p->from, sym);
  if (of_system[sym]) return "linear systems are made of and solved in double precision";
  if (in_record(p, q, &made[sym]))
    return "with `edges=lean` it lies in one record with the mesh's numbers: set `geometry.store`";
  if (q->kind == IR_EQUATION && !made[sym].stored && !made[sym].scatter)
    return "it is not stored, but computed where it is read";
  return "it is no array";
}

/* What is said of one by its name, and cannot be. */
static void warn_of_choice(const problem *p, const symbol_storage *made, const bool *of_system,
                           const schedule_choice *c) {
  ir_sym named = 0;
  for (int s = 1; s < p->from->symbol.n; s++) {
    const ir_symbol *q = ir_symbol_get(p->from, (ir_sym)s);
    if (q->kind != IR_EQUATION && q->kind != IR_STATE && q->kind != IR_GIVEN) continue;
    if (!schedule_covers(c, q->text)) continue;
    if (made[s].single) return;
    if (!named) named = (ir_sym)s;
  }
  diag_report(p->sink, DIAG_SCHEDULE_IMPOSSIBLE, (span){0},
              "schedule setting `%s.store=float` changes nothing here: %s", c->text,
              named ? why_not(p, made, of_system, named)
                    : "what a state was lies in memory as the state does");
}

/* Kernels of later stages are given what an integrator keeps of a state in the state's place. */
static bool stands_for_state(const ir_symbol *q) {
  return q->purpose.role == IR_STAGE_VALUE || q->purpose.role == IR_SLOPE;
}

static bool is_single(const problem *p, const symbol_storage *made, ir_sym sym) {
  const ir_symbol *q = ir_symbol_get(p->from, sym);
  if (stands_for_state(q)) return made[q->purpose.of].single; /* states stand before what is made of them */
  const char *said = schedule_store(
      p->schedule, q->purpose.role == IR_LATE ? ir_symbol_get(p->from, q->purpose.of)->text : q->text);
  if (in_record(p, q, &made[sym])) return p->schedule->single.geometry;
  return said ? strcmp(said, "float") == 0 : by_group(&p->schedule->single, q, &made[sym]);
}

void precision_decide(const problem *p, const symbol_use *use, symbol_storage *made) {
  const schedule *how = p->schedule;
  bool *of_system = arena_array(p->memory, bool, p->from->symbol.n);
  note_systems(p->from->step.at, p->from->step.n, of_system);
  for (int s = 1; s < p->from->symbol.n; s++)
    if (!of_system[s] && may_be_single(ir_symbol_get(p->from, (ir_sym)s), &use[s], &made[s]))
      made[s].single = is_single(p, made, (ir_sym)s);
  for (int i = 0; i < how->choice.n; i++)
    if (how->choice.at[i].store && strcmp(how->choice.at[i].store, "float") == 0)
      warn_of_choice(p, made, of_system, &how->choice.at[i]);
}

/* ---- looking over ---------------------------------------------------------------------------------------------------------- */

static bool alike(const planner *pl, int a, int b) {
  return pl->made->buffer.at[a].element == pl->made->buffer.at[b].element;
}

bool precision_agrees(const planner *pl) {
  bool good = true;
  for (int i = 0; i < pl->made->rebind.n; i++)
    good = good && alike(pl, pl->made->rebind.at[i].from, pl->made->rebind.at[i].to);
  for (int s = 0; s < pl->made->section.n; s++)
    for (int i = 0; i < pl->made->section.at[s].n_ops; i++) {
      const dslc_op *op = &pl->made->section.at[s].op[i];
      if (op->kind == DSLC_OP_SWAP || op->kind == DSLC_OP_COPY) good = good && alike(pl, op->a, op->b);
    }
  if (!good)
    diag_report(pl->in->sink, DIAG_INTERNAL, (span){0},
                "a buffer in single precision stands for one in double precision, or the other way round");
  return good;
}
