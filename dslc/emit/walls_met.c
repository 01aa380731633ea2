/* Which walls can be met on the way to what a function near walls reads. */
#include <string.h>

#include "emit/walls.h"

/* Most points near walls have none within what one function reads. On GPUs these take the same value with plain reads and without
 * branches: all reads are under way at once, while those that first ask for a wall wait for each other. */

/* Is there no gas in all of these cells near the point? */
typedef struct question {
  int8_t cell[8][2][3]; /* two shifts, one after the other */
  int n;
  bool at_once; /* asked of all together, not of one after the other */
} question;

typedef struct condition {
  VEC(question) term; /* each once; any of them */
} condition;

static bool asks_the_same(const question *a, const question *b) {
  if (a->n != b->n || (a->n > 1 && a->at_once != b->at_once)) return false;
  return memcmp(a->cell, b->cell, sizeof a->cell[0] * (size_t)a->n) == 0;
}

static void add_term(emitter *e, condition *c, const question *q) {
  for (int i = 0; i < c->term.n; i++)
    if (asks_the_same(&c->term.at[i], q)) return;
  vec_push(e->memory, &c->term, *q);
}

static void add_cell(question *q, const int8_t off[3], const int8_t further[3]) {
  memcpy(q->cell[q->n][0], off, sizeof q->cell[0][0]);
  memcpy(q->cell[q->n++][1], further, sizeof q->cell[0][1]);
}

/* The cells that touch a point of the place: all of them, or any, no gas. */
static void add_out(emitter *e, condition *c, ir_place place, const int8_t off[3], bool any) {
  question all = {.at_once = true};
  for (int corner = 0; corner < 1 << e->m->dims; corner++) {
    int8_t cell[3] = {off[0], off[1], off[2]};
    bool touches = true;
    for (int a = 0; a < e->m->dims; a++) {
      cell[a] = (int8_t)(cell[a] - (corner >> a & 1));
      touches = touches && (!(corner >> a & 1) || grid_staggered(place, a));
    }
    if (!touches) continue;
    question one = {.at_once = true};
    add_cell(any ? &one : &all, cell, (int8_t[3]){0});
    if (any) add_term(e, c, &one);
  }
  if (!any) add_term(e, c, &all);
}

/* The cells between two neighbouring points along the axis, from the one given. */
static question cells_between(const emitter *e, ir_place place, int axis, const int8_t from[3]) {
  question q = {0};
  for (int corner = 0; corner < 1 << e->m->dims; corner++) {
    int8_t further[3] = {0};
    bool touches = true;
    for (int a = 0; a < e->m->dims; a++) {
      if (!(corner >> a & 1)) continue;
      further[a] = -1;
      touches = touches && a != axis && grid_staggered(place, a);
    }
    if (touches) add_cell(&q, from, further);
  }
  return q;
}

/* near(a) == 0 && near(b) == 0, or (near(a) | near(b)) == 0. */
static kir_expr *answer(emitter *e, const question *q, kir_expr *point) {
  kir_expr *all = NULL;
  for (int i = 0; i < q->n; i++) {
    kir_expr *cell = grid_shifted(e, grid_shifted(e, point, q->cell[i][0]), q->cell[i][1]);
    kir_expr *near = access_element(e, e->p->grid.near, 0, cell);
    if (!q->at_once) near = kir_quote(e->b, "%e == 0", near);
    all = all ? kir_binary(e->b, q->at_once ? KIR_BOR : KIR_BOTH, all, near) : near;
  }
  if (!q->at_once) return all;
  return kir_quote(e->b, q->n > 1 ? "(%e) == 0" : "%e == 0", all);
}

/* Is there no gas in the cells between two neighbouring points along the axis? */
kir_expr *walls_way_out(emitter *e, ir_place place, int axis, const char *cell) {
  const question q = cells_between(e, place, axis, (int8_t[3]){0});
  return answer(e, &q, kir_quote(e->b, "%s", cell));
}

/* The cells on the way to a point of such a location, behind another of them. */
static void add_way_out(emitter *e, condition *c, ir_place place, int axis, way along) {
  int8_t off[3] = {along.first[0], along.first[1], along.first[2]};
  if (along.dir > 0) off[axis]--;
  const question q = cells_between(e, place, axis, off);
  add_term(e, c, &q);
}

/* What a call looks at before it takes the plain value. */
static void add_ways(emitter *e, condition *c, int number, const ir_node *n) {
  ir_place place = walls_place(e, walls_function(e, number));
  unsigned axes = walls_axes(e, n);
  way along = {{n->read.off[0], n->read.off[1], n->read.off[2]}, 0, 0};
  int axis = 0;
  while (axis < e->m->dims && axes != 1u << axis) axis++;
  if (axis < e->m->dims) along = walls_way(e, n, axis);
  const bool thin = axis < e->m->dims && grid_staggered((ir_place)n->read.from, axis);
  for (int s = 0; axes && s <= along.steps; s++) {
    add_out(e, c, place, along.first, false);
    if ((s > 0 || thin) && grid_staggered(place, axis)) add_way_out(e, c, place, axis, along);
    if (along.steps) along.first[axis] = (int8_t)(along.first[axis] + along.dir);
  }
}

static condition find_condition(emitter *e, const plan_function *f) {
  condition c = {0};
  ir_reached all = ir_reach(e->m, &f->value, 1);
  if (walls_fixed_axes(e, f)) add_out(e, &c, walls_place(e, f), (int8_t[3]){0}, true);
  for (int i = 0; i < all.n; i++) {
    const ir_node *n = ir_get(e->m, all.at[i]);
    int called = plan_called(e->p, all.at[i], f);
    bool asks = called >= 0 && n->op == IR_READ && n->read.at == IR_AT_NEAR && n->read.from != IR_NOWHERE;
    if (asks && walls_function(e, called)->ghost.n > 0) add_ways(e, &c, called, n);
  }
  return c;
}

bool walls_may_be_met(emitter *e, const plan_function *f) { return find_condition(e, f).term.n > 0; }

kir_expr *walls_met(emitter *e, const plan_function *f, const char *point) {
  const condition c = find_condition(e, f);
  kir_expr *any = NULL;
  for (int i = 0; i < c.term.n; i++) {
    kir_expr *one = kir_enclose(e->b, answer(e, &c.term.at[i], kir_name(e->b, point)));
    any = any ? kir_binary(e->b, KIR_BOR, any, one) : one;
  }
  return any;
}
