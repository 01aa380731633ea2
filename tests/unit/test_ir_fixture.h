/* Shared by test_ir*.c and test_pass*.c: an arena that fails the test when memory runs out, a module with a symbol of
 * every kind the tests need, leaves with reproducible values, and random graphs. */
#ifndef TEST_IR_FIXTURE_H
#define TEST_IR_FIXTURE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <math.h>

#include <cmocka.h>

#include "ir/ir.h"
#include "pass/pass.h"

static inline void fixture_out_of_memory(void *ctx, size_t size) {
  (void)ctx, (void)size;
  fail_msg("out of memory");
  abort();
}

static inline arena *fixture_arena(void) { return arena_create(fixture_out_of_memory, NULL); }

/* ---- text ------------------------------------------------------------------------------------------------- */

static inline char *fixture_text(const ir_module *m) {
  char *text = NULL;
  size_t size = 0;
  FILE *out = open_memstream(&text, &size);
  assert_non_null(out);
  ir_print(m, out);
  fclose(out);
  char *copy = arena_strndup(m->memory, text, size);
  free(text);
  return copy;
}

static inline ir_module *fixture_parse(arena *a, intern_pool *names, const char *text) {
  const char *error = NULL;
  ir_module *m = ir_parse(a, names, text, &error);
  if (m == NULL) fail_msg("%s", error);
  return m;
}

static inline void fixture_verify(const ir_module *m) {
  const char *wrong = ir_verify(m);
  if (wrong != NULL) fail_msg("%s\n%s", wrong, fixture_text(m));
}

/* ---- symbols ---------------------------------------------------------------------------------------------- */

typedef struct fixture {
  arena *memory;
  ir_module *m;
  ir_sym param, scalar[3], zero, vector[2], tensor, face, normal, result[5];
} fixture;

static inline ir_sym fixture_symbol(ir_module *m, const char *text, ir_symbol_kind kind, ir_place place,
                                    ir_type type) {
  ir_symbol s = {
      .text = intern_str(m->names, text), .kind = kind, .place = place, .type = type, .dims = m->dims};
  return ir_symbol_add(m, s);
}

/* `result` are cell equations of a scalar, bool, vector, tensor and a tuple of 3; without roots yet. */
static inline fixture fixture_create(int dims) {
  fixture f = {.memory = fixture_arena()};
  ir_module *m = f.m = ir_create(f.memory, intern_create(f.memory));
  m->scheme = intern_str(m->names, "test");
  m->dims = dims;
  f.param = fixture_symbol(m, "g", IR_PARAMETER, IR_NOWHERE, ir_scalar());
  f.scalar[0] = fixture_symbol(m, "a", IR_STATE, IR_CELLS, ir_scalar());
  f.scalar[1] = fixture_symbol(m, "b", IR_STATE, IR_CELLS, ir_scalar());
  f.scalar[2] = fixture_symbol(m, "c", IR_GIVEN, IR_CELLS, ir_scalar());
  f.zero = fixture_symbol(m, "nil", IR_STATE, IR_CELLS, ir_scalar());
  f.vector[0] = fixture_symbol(m, "u", IR_STATE, IR_CELLS, ir_vector(m));
  f.vector[1] = fixture_symbol(m, "w", IR_STATE, IR_CELLS, ir_vector(m));
  f.tensor = fixture_symbol(m, "K", IR_GIVEN, IR_CELLS, ir_tensor(m));
  f.face = fixture_symbol(m, "area", IR_GEOMETRY, IR_FACES, ir_scalar());
  f.normal = fixture_symbol(m, "normal", IR_GEOMETRY, IR_FACES, ir_vector(m));
  m->symbol.at[f.normal].side = IR_ODD;
  ir_type type[5] = {ir_scalar(), ir_boolean(), ir_vector(m), ir_tensor(m), {IR_TUPLE_RANK, 3}};
  const char *text[5] = {"rs", "rb", "rv", "rt", "rp"};
  for (int i = 0; i < 5; i++) f.result[i] = fixture_symbol(m, text[i], IR_EQUATION, IR_CELLS, type[i]);
  return f;
}

static inline void fixture_destroy(fixture *f) { arena_destroy(&f->memory); }

static inline ir_id fixture_read(fixture *f, ir_sym sym, ir_at at) {
  return ir_read(f->m, sym, IR_NOW, at, NULL);
}

/* ---- values ----------------------------------------------------------------------------------------------- */

enum { FIXTURE_TURNS = 3 };

/* What a leaf's value depends on besides the leaf itself. */
typedef struct fixture_point {
  uint32_t seed;
  int turn; /* of the loop being evaluated */
} fixture_point;

static inline double fixture_hash(uint64_t key) {
  key = (key ^ key >> 31) * 0x9E3779B97F4A7C15u;
  key = (key ^ key >> 29) * 0xBF58476D1CE4E5B9u;
  key ^= key >> 32;
  return (double)(key >> 11) / 9007199254740992.0 * 4 - 2; /* within [-2, 2) */
}

static inline double fixture_component(const fixture_point *p, const ir_module *m, const ir_node *n, int k) {
  const char *text = m->symbol.at[n->read.sym].text;
  bool in_loop = n->read.at == IR_AT_D || n->read.at == IR_AT_F || n->read.at == IR_AT_OUT;
  uint64_t key =
      n->read.sym | (uint64_t)n->read.at << 8 | (uint64_t)(n->read.first + k) << 16 | (uint64_t)p->seed << 32;
  if (in_loop) key |= (uint64_t)(p->turn + 1) << 24;
  if (strcmp(text, "nil") == 0) return 0;
  double x = fixture_hash(key);
  return strcmp(text, "area") == 0 || strcmp(text, "g") == 0 ? fabs(x) + 0.1 : x;
}

static inline void fixture_leaf(void *ctx, const ir_module *m, ir_id id, double *out);

/* Three turns stand for a cell's faces. */
static inline void fixture_reduce(const fixture_point *p, const ir_module *m, const ir_node *n, double *out) {
  fixture_point inside = *p;
  for (inside.turn = 0; inside.turn < FIXTURE_TURNS; inside.turn++) {
    double body[256];
    ir_evaluate(m, ir_args(m, n)[0], fixture_leaf, &inside, body);
    for (int i = 0; i < n->type.n; i++) {
      double x = body[i];
      if (inside.turn == 0) out[i] = x;
      else
        out[i] = n->reduce.kind == IR_SUM          ? out[i] + x
                 : n->reduce.kind == IR_REDUCE_MIN ? fmin(out[i], x)
                                                   : fmax(out[i], x);
    }
  }
}

static inline void fixture_leaf(void *ctx, const ir_module *m, ir_id id, double *out) {
  const fixture_point *p = ctx;
  const ir_node *n = ir_get(m, id);
  if (n->op == IR_REDUCE) fixture_reduce(p, m, n, out);
  else if (n->op == IR_SIGN_OUT) out[0] = p->turn % 2 ? -1 : 1;
  else
    for (int i = 0; i < n->type.n; i++) out[i] = fixture_component(p, m, n, i);
}

static inline double fixture_value(const ir_module *m, ir_id root, uint32_t seed) {
  double out[256];
  fixture_point p = {seed, 0};
  ir_evaluate(m, root, fixture_leaf, &p, out);
  return out[0];
}

/* ---- random graphs ---------------------------------------------------------------------------------------- */

enum { FIXTURE_POOL = 400 };

typedef struct fixture_pool {
  ir_id at[FIXTURE_POOL];
  int n, leaves;
} fixture_pool;

/* Nodes by rank; products take one factor from the leaves, so that values stay far from overflow. */
typedef struct fixture_graph {
  fixture *f;
  uint64_t state;
  fixture_pool scalar, boolean, vector, tensor, tuple;
  bool hazards; /* quotients, roots and logarithms of anything; else of what is harmless */
} fixture_graph;

static inline uint32_t fixture_random(fixture_graph *g, uint32_t below) {
  g->state = g->state * 6364136223846793005u + 1442695040888963407u;
  return (uint32_t)(g->state >> 33) % below;
}

static inline void fixture_keep(fixture_pool *p, ir_id id) {
  if (p->n < FIXTURE_POOL) p->at[p->n++] = id;
}

static inline ir_id fixture_any(fixture_graph *g, const fixture_pool *p) {
  return p->at[fixture_random(g, (uint32_t)p->n)];
}

static inline ir_id fixture_leaf_of(fixture_graph *g, const fixture_pool *p) {
  return p->at[fixture_random(g, (uint32_t)p->leaves)];
}

static inline void fixture_leaves(fixture_graph *g) {
  fixture *f = g->f;
  static const double constant[] = {0, 1, -1, 2, 0.5, 3, 4};
  for (int i = 0; i < 3; i++) fixture_keep(&g->scalar, fixture_read(f, f->scalar[i], IR_AT_HERE));
  fixture_keep(&g->scalar, fixture_read(f, f->zero, IR_AT_HERE));
  fixture_keep(&g->scalar, ir_param(f->m, f->param));
  for (size_t i = 0; i < sizeof constant / sizeof *constant; i++)
    fixture_keep(&g->scalar, ir_const(f->m, constant[i]));
  for (int i = 0; i < 2; i++) fixture_keep(&g->vector, fixture_read(f, f->vector[i], IR_AT_HERE));
  fixture_keep(&g->tensor, fixture_read(f, f->tensor, IR_AT_HERE));
  fixture_keep(&g->tensor, ir_make(f->m, IR_IDENTITY, ir_tensor(f->m), 0, NULL));
  fixture_keep(&g->boolean, ir_bool(f->m, true));
  fixture_keep(&g->boolean, ir_binary(f->m, IR_LT, g->scalar.at[0], g->scalar.at[1]));
  ir_id parts[2] = {g->vector.at[0], g->scalar.at[0]};
  ir_type three = {IR_TUPLE_RANK, 3};
  if (f->m->dims == 2) fixture_keep(&g->tuple, ir_make(f->m, IR_TUPLE, three, 2, parts));
  ir_id scalars[3] = {g->scalar.at[0], g->scalar.at[1], g->scalar.at[2]};
  fixture_keep(&g->tuple, ir_make(f->m, IR_TUPLE, three, 3, scalars));
  g->scalar.leaves = g->scalar.n, g->vector.leaves = g->vector.n, g->tensor.leaves = g->tensor.n;
  g->boolean.leaves = g->boolean.n, g->tuple.leaves = g->tuple.n;
}

/* A sum, minimum or maximum over the faces of the cell. */
static inline ir_id fixture_loop(fixture_graph *g, bool vector) {
  fixture *f = g->f;
  ir_id across = fixture_read(f, vector ? f->vector[0] : f->scalar[0], IR_AT_D);
  ir_id here = vector ? fixture_leaf_of(g, &g->vector) : fixture_leaf_of(g, &g->scalar);
  ir_id body = ir_binary(f->m, IR_SUB, across, here);
  body = ir_binary(f->m, IR_MUL, fixture_read(f, f->face, IR_AT_F), body);
  if (fixture_random(g, 2))
    body = vector ? ir_binary(f->m, IR_ADD, body, fixture_read(f, f->normal, IR_AT_OUT))
                  : ir_binary(f->m, IR_MUL, body, ir_make(f->m, IR_SIGN_OUT, ir_scalar(), 0, NULL));
  return ir_reduction(f->m, (ir_reduce)fixture_random(g, 3), IR_OVER_FACES, IR_NOWHERE, 0, body);
}

static inline ir_id fixture_divisor(fixture_graph *g) {
  ir_module *m = g->f->m;
  ir_id x = fixture_leaf_of(g, &g->scalar);
  if (g->hazards) return x;
  return ir_binary(m, IR_MAX, ir_unary(m, IR_ABS, x), ir_const(m, 0.25));
}

static inline ir_id fixture_nonnegative(fixture_graph *g) {
  ir_module *m = g->f->m;
  ir_id x = fixture_any(g, &g->scalar);
  return g->hazards ? x : ir_unary(m, IR_ABS, x);
}

static inline ir_id fixture_scalar(fixture_graph *g) {
  ir_module *m = g->f->m;
  static const ir_op function[] = {IR_ABS,  IR_SIGN,  IR_SIN,  IR_COS, IR_ATAN,
                                   IR_TANH, IR_FLOOR, IR_CBRT, IR_NEG};
  static const double exponent[] = {0, 1, 2, 3};
  ir_id a = fixture_any(g, &g->scalar), b = fixture_any(g, &g->scalar), leaf = fixture_leaf_of(g, &g->scalar);
  switch (fixture_random(g, 20)) {
  case 0:
  case 1: return ir_binary(m, IR_ADD, a, b);
  case 2:
  case 3: return ir_binary(m, IR_SUB, a, b);
  case 4:
  case 5: return fixture_random(g, 2) ? ir_binary(m, IR_MUL, a, leaf) : ir_binary(m, IR_MUL, leaf, a);
  case 6: return ir_binary(m, IR_DIV, a, fixture_divisor(g));
  case 7: return ir_binary(m, IR_MIN, a, b);
  case 8: return ir_binary(m, IR_MAX, a, b);
  case 9: return ir_unary(m, function[fixture_random(g, 9)], a);
  case 10: return ir_unary(m, IR_SQRT, fixture_nonnegative(g));
  case 11: return ir_binary(m, IR_POW, leaf, ir_const(m, exponent[fixture_random(g, 4)]));
  case 12:
  case 13: return ir_select(m, fixture_any(g, &g->boolean), a, b);
  case 14: return ir_binary(m, IR_DOT, fixture_any(g, &g->vector), fixture_leaf_of(g, &g->vector));
  case 15: return ir_binary(m, IR_DOT, fixture_any(g, &g->tensor), fixture_leaf_of(g, &g->tensor));
  case 16: return ir_unary(m, IR_TRACE, fixture_any(g, &g->tensor));
  case 17: return ir_unary(m, IR_NORM, fixture_any(g, &g->vector));
  case 18: return ir_part(m, fixture_any(g, &g->tuple), (int)fixture_random(g, 3), ir_scalar());
  default: return fixture_loop(g, false);
  }
}

static inline ir_id fixture_boolean(fixture_graph *g) {
  ir_module *m = g->f->m;
  ir_id a = fixture_any(g, &g->boolean), b = fixture_any(g, &g->boolean);
  switch (fixture_random(g, 6)) {
  case 0: return ir_binary(m, IR_AND, a, b);
  case 1: return ir_binary(m, IR_OR, a, b);
  case 2: return ir_unary(m, IR_NOT, a);
  case 3: return ir_select(m, a, b, fixture_any(g, &g->boolean));
  default:
    return ir_binary(m, (ir_op)(IR_LT + fixture_random(g, 6)), fixture_any(g, &g->scalar),
                     fixture_any(g, &g->scalar));
  }
}

static inline ir_id fixture_vector(fixture_graph *g) {
  ir_module *m = g->f->m;
  ir_id a = fixture_any(g, &g->vector), b = fixture_any(g, &g->vector);
  switch (fixture_random(g, 10)) {
  case 0: return ir_binary(m, IR_ADD, a, b);
  case 1: return ir_binary(m, IR_SUB, a, b);
  case 2: return ir_unary(m, IR_NEG, a);
  case 3: return ir_binary(m, IR_MUL, fixture_leaf_of(g, &g->scalar), a);
  case 4: return ir_binary(m, IR_DIV, a, fixture_divisor(g));
  case 5: return ir_binary(m, IR_DOT, fixture_leaf_of(g, &g->tensor), a);
  case 6: return ir_binary(m, IR_DOT, a, fixture_leaf_of(g, &g->tensor));
  case 7: return ir_binary(m, IR_MUL, fixture_leaf_of(g, &g->tensor), a);
  case 8:
    return m->dims == 3 ? ir_binary(m, IR_CROSS, a, fixture_leaf_of(g, &g->vector))
                        : ir_select(m, fixture_any(g, &g->boolean), a, b);
  default: return fixture_loop(g, true);
  }
}

static inline ir_id fixture_tensor(fixture_graph *g) {
  ir_module *m = g->f->m;
  ir_id a = fixture_any(g, &g->tensor), b = fixture_any(g, &g->tensor);
  switch (fixture_random(g, 5)) {
  case 0: return ir_binary(m, IR_ADD, a, b);
  case 1: return ir_unary(m, IR_TRANSPOSE, a);
  case 2: return ir_binary(m, IR_OUTER, fixture_any(g, &g->vector), fixture_leaf_of(g, &g->vector));
  case 3: return ir_binary(m, IR_MUL, a, fixture_leaf_of(g, &g->tensor));
  default: return ir_select(m, fixture_any(g, &g->boolean), a, b);
  }
}

static inline ir_id fixture_tuple(fixture_graph *g) {
  ir_module *m = g->f->m;
  ir_id a = fixture_any(g, &g->tuple), b = fixture_any(g, &g->tuple), s[3];
  for (int i = 0; i < 3; i++) s[i] = fixture_any(g, &g->scalar);
  switch (fixture_random(g, 4)) {
  case 0: return ir_binary(m, IR_SUB, a, b);
  case 1: return ir_binary(m, IR_MUL, a, fixture_leaf_of(g, &g->scalar));
  case 2: return ir_select(m, fixture_any(g, &g->boolean), a, b);
  default: return ir_make(m, IR_TUPLE, (ir_type){IR_TUPLE_RANK, 3}, 3, s);
  }
}

/* Fills the module with some `size` nodes and gives every result symbol a root. */
static inline void fixture_fill(fixture *f, uint64_t seed, int size, bool hazards) {
  fixture_graph *g = arena_new(f->memory, fixture_graph);
  g->f = f;
  g->state = seed * 2654435761u + 12345;
  g->hazards = hazards;
  fixture_leaves(g);
  for (int i = 0; i < size; i++) {
    uint32_t kind = fixture_random(g, 10);
    if (kind < 5) fixture_keep(&g->scalar, fixture_scalar(g));
    else if (kind < 7) fixture_keep(&g->boolean, fixture_boolean(g));
    else if (kind < 8) fixture_keep(&g->vector, fixture_vector(g));
    else if (kind < 9) fixture_keep(&g->tensor, fixture_tensor(g));
    else fixture_keep(&g->tuple, fixture_tuple(g));
  }
  const fixture_pool *pool[5] = {&g->scalar, &g->boolean, &g->vector, &g->tensor, &g->tuple};
  for (int i = 0; i < 5; i++) f->m->symbol.at[f->result[i]].root[0] = pool[i]->at[pool[i]->n - 1];
}

#endif
