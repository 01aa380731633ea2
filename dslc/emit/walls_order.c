/* Functions near walls need each other in turn, never themselves: `push` along x what `e` is at its point, and `e` what `push` is along y.
 * Written one quantity after the other some stand ahead of what they call, behind a declaration. Each function along one axis is
 * one of its own, so there is an order in which none does, and no declaration is needed. */
#include "emit/walls.h"

typedef struct ordering {
  emitter *e;
  name_map *number;  /* by name: 1 + which of the bodies, as a pointer into `at` */
  kir_function **at; /* the bodies, as they were written */
  int n;
  unsigned char *open, *done;
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

/* Of the functions from this one on. */
void walls_order(emitter *e, int first) {
  kir_program *p = e->b->program;
  ordering o = begin(e, first);
  if (o.n == p->functions.n - first) return;
  const kir_body head = p->functions.at[first]->head, none = {0};
  for (int i = 0; i < o.n; i++) put(&o, i);
  if (o.circle) return;
  p->functions.at[first]->head = none;
  for (int i = 0; i < o.n; i++) p->functions.at[first + i] = o.in_order.at[i];
  p->functions.n = first + o.n;
  p->functions.at[first]->head = head;
}
