/* Functions near walls need each other in turn, never themselves: `push` along x what `e` is at its point, and `e` what `push` is along y.
 * Written one quantity after the other some stand ahead of what they call, behind a declaration. Each function along one axis is
 * one of its own, so there is an order in which none does, and no declaration is needed. Functions that no kernel leads to are left out: they
 * may read what no kernel hands on. */
#include <string.h>

#include "emit/walls.h"

typedef struct ordering {
  emitter *e;
  name_map *number;  /* by name: 1 + which of the bodies, as a pointer into `at` */
  kir_function **at; /* the bodies, as they were written */
  int n;
  unsigned char *called, *open, *done;
  VEC(kir_function *) in_order;
  bool circle;
} ordering;

typedef struct called_functions {
  const ordering *o;
  VEC(int) number;
} called_functions;

static void note_call(kir_expr *x, void *context) {
  called_functions *c = context;
  kir_function **to =
      x->kind == KIR_CALL ? name_map_get(c->o->number, intern_str(c->o->e->m->names, x->spelling)) : NULL;
  if (to) vec_push(c->o->e->memory, &c->number, (int)(to - c->o->at));
}

static void put(ordering *o, int number) {
  o->circle = o->circle || o->open[number];
  if (o->done[number] || o->circle) return;
  called_functions called = {.o = o};
  o->open[number] = 1;
  kir_each_expr(&o->at[number]->body->body, note_call, &called);
  for (int i = 0; i < called.number.n; i++) put(o, called.number.at[i]);
  o->open[number] = 0;
  o->done[number] = 1;
  vec_push(o->e->memory, &o->in_order, o->at[number]);
}

static ordering begin(emitter *e, int first) {
  const kir_program *p = e->b->program;
  const int most = p->functions.n - first + 1;
  ordering o = {.e = e,
                .number = name_map_create(e->memory),
                .at = arena_array(e->memory, kir_function *, most),
                .called = arena_array(e->memory, unsigned char, most),
                .open = arena_array(e->memory, unsigned char, most),
                .done = arena_array(e->memory, unsigned char, most)};
  for (int i = first; i < p->functions.n; i++) {
    if (p->functions.at[i]->is_prototype) continue;
    o.at[o.n] = p->functions.at[i];
    name_map_put(o.number, intern_str(e->m->names, o.at[o.n]->name), &o.at[o.n]);
    o.n++;
  }
  return o;
}

/* What kernels call, and what that calls. */
static void find_called(ordering *o, int first) {
  called_functions called = {.o = o};
  for (int i = 0; i < first; i++)
    kir_each_expr(&o->e->b->program->functions.at[i]->body->body, note_call, &called);
  while (called.number.n > 0) {
    const int next = called.number.at[--called.number.n];
    if (o->called[next]) continue;
    o->called[next] = 1;
    kir_each_expr(&o->at[next]->body->body, note_call, &called);
  }
}

/* ---- drivers that inline all functions --------------------------------------------------------------------------------- */

/* Of a body: the calls in it, and those in what they lead to. */
static double calls_within(const ordering *o, double *known, const kir_body *body) {
  called_functions called = {.o = o};
  double n = 0;
  kir_each_expr(body, note_call, &called);
  for (int i = 0; i < called.number.n; i++) {
    double *of = &known[called.number.at[i]];
    if (*of == 0) *of = 1, *of = 1 + calls_within(o, known, &o->at[called.number.at[i]]->body->body);
    n += *of;
  }
  return n;
}

/* As PoCL does; a function that calls three others, each of which does so, has nine copies of those. */
static void count_calls(const ordering *o, int first) {
  const kir_program *p = o->e->b->program;
  dslc_execution *x = &o->e->p->program->execution;
  double *known = arena_array(o->e->memory, double, o->n + 1);
  for (int i = 0; i < first; i++) {
    const double n = calls_within(o, known, &p->functions.at[i]->body->body);
    for (int k = 0; k < x->n_kernels && n > DSLC_MANY_CALLS; k++)
      if (strcmp(x->kernel[k].name, p->functions.at[i]->name) == 0)
        x->kernel[k].calls = n < 1e9 ? (int)n : 1000000000;
  }
}

/* ---- drivers that lose count of branches ------------------------------------------------------------------------------- */

typedef struct depths {
  const ordering *o;
  int *known; /* by body: 1 + its depth; 0: not known yet */
  int called; /* the deepest of what an expression calls */
} depths;

static int depth_of(depths *d, const kir_body *body);

static void note_depth(kir_expr *x, void *context) {
  depths *d = context;
  called_functions called = {.o = d->o};
  note_call(x, &called);
  for (int i = 0; i < called.number.n; i++) {
    int *of = &d->known[called.number.at[i]];
    if (*of == 0) {
      depths within = {d->o, d->known, 0};
      *of = 1; /* a circle ends here */
      *of = 1 + depth_of(&within, &d->o->at[called.number.at[i]]->body->body);
    }
    if (*of - 1 > d->called) d->called = *of - 1;
  }
}

/* So many branches and loops stand within one another, those of what is called included. */
static int depth_of(depths *d, const kir_body *body) {
  int deepest = 0;
  for (int i = 0; i < body->n; i++) {
    const kir_stmt *s = body->at[i];
    const bool parts = s->kind == KIR_IF || s->kind == KIR_FOR || s->kind == KIR_WHILE || s->kind == KIR_DO ||
                       s->kind == KIR_SWITCH;
    const kir_body *const within[] = {&s->first, &s->body, &s->otherwise};
    depths here = {d->o, d->known, 0};
    kir_walk_expr(s->value, note_depth, &here);
    kir_walk_expr(s->step, note_depth, &here);
    int depth = here.called;
    for (int k = 0; k < 3; k++) {
      const int inner = parts + depth_of(d, within[k]);
      if (within[k]->n > 0 && inner > depth) depth = inner;
    }
    if (depth > deepest) deepest = depth;
  }
  return deepest;
}

static bool reduces(const plan_kernel *k) {
  for (int i = 0; i < k->output.n; i++)
    if (k->output.at[i].kind == PLAN_PARTIAL) return true;
  return false;
}

/* Behind its branches the items of such a kernel meet at a barrier. Of what is made for a CPU nobody asks. */
static void count_branches(const ordering *o, int first) {
  const kir_program *p = o->e->b->program;
  const plan *made = o->e->p;
  depths d = {o, arena_array(o->e->memory, int, o->n + 1), 0};
  for (int i = 0; i < first && !made->how.cpu; i++)
    for (int k = 0; k < made->kernel.n; k++) {
      dslc_kernel *kernel = &made->program->execution.kernel[k];
      if (!reduces(&made->kernel.at[k]) || strcmp(kernel->name, p->functions.at[i]->name) != 0) continue;
      const int depth = depth_of(&d, &p->functions.at[i]->body->body);
      if (depth > DSLC_DEEP_BRANCHES) kernel->branches = depth;
    }
}

/* Of the functions from this one on; kernels stand before it. */
void walls_order(emitter *e, int first) {
  kir_program *p = e->b->program;
  ordering o = begin(e, first);
  const bool declared = o.n < p->functions.n - first;
  find_called(&o, first);
  count_calls(&o, first);
  count_branches(&o, first);
  for (int i = 0; i < o.n; i++) {
    if (!o.called[i]) continue;
    if (declared) put(&o, i);
    else vec_push(e->memory, &o.in_order, o.at[i]);
  }
  if (o.circle || o.in_order.n == 0) return;
  const kir_body head = p->functions.at[first]->head, none = {0};
  p->functions.at[first]->head = none;
  for (int i = 0; i < o.in_order.n; i++) p->functions.at[first + i] = o.in_order.at[i];
  p->functions.n = first + o.in_order.n;
  p->functions.at[first]->head = head;
}
