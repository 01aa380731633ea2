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

/* Of the functions from this one on; kernels stand before it. */
void walls_order(emitter *e, int first) {
  kir_program *p = e->b->program;
  ordering o = begin(e, first);
  const bool declared = o.n < p->functions.n - first;
  find_called(&o, first);
  count_calls(&o, first);
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
