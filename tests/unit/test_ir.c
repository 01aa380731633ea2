/* The IR's core: hash-consing, types, evaluation, mapping, and that its size costs linear time. */
#include "test_ir_fixture.h"

#include <time.h>

/* ---- nodes ------------------------------------------------------------------------------------------------ */

static void equal_nodes_are_one(void **state) {
  (void)state;
  fixture f = fixture_create(2);
  ir_id a = fixture_read(&f, f.scalar[0], IR_AT_HERE), b = fixture_read(&f, f.scalar[1], IR_AT_HERE);
  ir_id sum = ir_binary(f.m, IR_ADD, a, b);
  int n = f.m->node.n;
  assert_int_equal(ir_binary(f.m, IR_ADD, a, b), sum);
  assert_int_equal(fixture_read(&f, f.scalar[0], IR_AT_HERE), a);
  assert_int_equal(f.m->node.n, n);
  assert_int_not_equal(ir_binary(f.m, IR_ADD, b, a), sum);
  assert_int_not_equal(ir_binary(f.m, IR_SUB, a, b), sum);
  fixture_destroy(&f);
}

static void accesses_differ_by_every_attribute(void **state) {
  (void)state;
  fixture f = fixture_create(2);
  ir_sym s = f.scalar[0];
  ir_id here = ir_read(f.m, s, IR_NOW, IR_AT_HERE, NULL);
  assert_int_not_equal(ir_read(f.m, s, IR_PREV, IR_AT_HERE, NULL), here);
  assert_int_not_equal(ir_read(f.m, s, IR_NOW, IR_AT_D, NULL), here);
  ir_id east = ir_read(f.m, s, IR_NOW, IR_AT_SHIFT, (int8_t[]){1, 0, 0});
  ir_id west = ir_read(f.m, s, IR_NOW, IR_AT_SHIFT, (int8_t[]){-1, 0, 0});
  assert_int_not_equal(east, west);
  assert_int_not_equal(ir_read(f.m, s, IR_NOW, IR_AT_SHIFT, (int8_t[]){0, 0, 1}), east);
  assert_int_equal(ir_read(f.m, s, IR_NOW, IR_AT_SHIFT, (int8_t[]){1, 0, 0}), east);
  fixture_destroy(&f);
}

static void constants_are_told_apart_by_bits(void **state) {
  (void)state;
  fixture f = fixture_create(2);
  assert_int_not_equal(ir_const(f.m, 0.0), ir_const(f.m, -0.0));
  assert_int_equal(ir_const(f.m, NAN), ir_const(f.m, NAN));
  assert_int_not_equal(ir_const(f.m, 1), ir_bool(f.m, true));
  assert_int_equal(ir_const(f.m, 0.1), ir_const(f.m, 0.1));
  fixture_destroy(&f);
}

static void reductions_and_parts_differ_by_attributes(void **state) {
  (void)state;
  fixture f = fixture_create(2);
  ir_id u = fixture_read(&f, f.vector[0], IR_AT_HERE), d = fixture_read(&f, f.scalar[0], IR_AT_D);
  assert_int_not_equal(ir_part(f.m, u, 0, ir_scalar()), ir_part(f.m, u, 1, ir_scalar()));
  ir_id sum = ir_reduction(f.m, IR_SUM, IR_OVER_FACES, IR_NOWHERE, 0, d);
  assert_int_not_equal(ir_reduction(f.m, IR_REDUCE_MAX, IR_OVER_FACES, IR_NOWHERE, 0, d), sum);
  assert_int_equal(ir_reduction(f.m, IR_SUM, IR_OVER_FACES, IR_NOWHERE, 0, d), sum);
  fixture_destroy(&f);
}

static void lookup_finds_without_adding(void **state) {
  (void)state;
  fixture f = fixture_create(2);
  ir_id a = fixture_read(&f, f.scalar[0], IR_AT_HERE), b = fixture_read(&f, f.scalar[1], IR_AT_HERE);
  ir_node n = {.op = IR_MUL, .type = ir_scalar(), .n_args = 2};
  int before = f.m->node.n;
  assert_int_equal(ir_lookup(f.m, &n, (ir_id[]){a, b}), 0);
  assert_int_equal(f.m->node.n, before);
  ir_id product = ir_binary(f.m, IR_MUL, a, b);
  assert_int_equal(ir_lookup(f.m, &n, (ir_id[]){a, b}), product);
  fixture_destroy(&f);
}

static void first_name_wins(void **state) {
  (void)state;
  fixture f = fixture_create(2);
  ir_id a = ir_unary(f.m, IR_NEG, fixture_read(&f, f.scalar[0], IR_AT_HERE)), one = ir_const(f.m, 1);
  ir_name(f.m, a, "first", NULL, (span){1, 2, 3});
  ir_name(f.m, a, "second", "(7)", (span){4, 5, 6});
  ir_name(f.m, one, "one", "(1)", (span){1, 2, 3});
  assert_string_equal(f.m->origin.at[a].hint, "first");
  assert_string_equal(f.m->origin.at[a].tag, "(7)");
  assert_int_equal(f.m->origin.at[a].at.file, 1);
  assert_null(f.m->origin.at[one].hint);
  fixture_destroy(&f);
}

/* ---- types ------------------------------------------------------------------------------------------------ */

static ir_rank rank_of(const fixture *f, ir_id id) { return (ir_rank)ir_get(f->m, id)->type.rank; }

static void operators_give_their_types(void **state) {
  (void)state;
  fixture f = fixture_create(3);
  ir_id s = fixture_read(&f, f.scalar[0], IR_AT_HERE), u = fixture_read(&f, f.vector[0], IR_AT_HERE);
  ir_id K = fixture_read(&f, f.tensor, IR_AT_HERE);
  assert_int_equal(rank_of(&f, ir_binary(f.m, IR_MUL, s, u)), IR_VECTOR);
  assert_int_equal(rank_of(&f, ir_binary(f.m, IR_MUL, u, s)), IR_VECTOR);
  assert_int_equal(rank_of(&f, ir_binary(f.m, IR_MUL, K, u)), IR_VECTOR);
  assert_int_equal(rank_of(&f, ir_binary(f.m, IR_MUL, K, K)), IR_TENSOR);
  assert_int_equal(rank_of(&f, ir_binary(f.m, IR_DIV, K, s)), IR_TENSOR);
  assert_int_equal(rank_of(&f, ir_binary(f.m, IR_DOT, u, u)), IR_SCALAR);
  assert_int_equal(rank_of(&f, ir_binary(f.m, IR_DOT, K, K)), IR_SCALAR);
  assert_int_equal(rank_of(&f, ir_binary(f.m, IR_DOT, u, K)), IR_VECTOR);
  assert_int_equal(rank_of(&f, ir_binary(f.m, IR_OUTER, u, u)), IR_TENSOR);
  assert_int_equal(rank_of(&f, ir_binary(f.m, IR_CROSS, u, u)), IR_VECTOR);
  assert_int_equal(rank_of(&f, ir_unary(f.m, IR_NORM, u)), IR_SCALAR);
  assert_int_equal(rank_of(&f, ir_binary(f.m, IR_LT, s, s)), IR_BOOL);
  assert_int_equal(rank_of(&f, ir_select(f.m, ir_bool(f.m, true), u, u)), IR_VECTOR);
  fixture_destroy(&f);
}

static void functions_are_found_by_name(void **state) {
  (void)state;
  ir_op op;
  assert_true(ir_op_find_function("atan2", &op));
  assert_int_equal(op, IR_ATAN2);
  assert_true(ir_op_find_function("trace", &op));
  assert_int_equal(op, IR_TRACE);
  assert_false(ir_op_find_function("select", &op));
  assert_false(ir_op_find_function("+", &op));
  assert_false(ir_op_find_function("and", &op));
  assert_false(ir_op_find_function("sinus", &op));
}

/* ---- evaluation ------------------------------------------------------------------------------------------- */

static void constant_leaf(void *ctx, const ir_module *m, ir_id id, double *out) {
  const double *values = ctx;
  for (int i = 0; i < ir_get(m, id)->type.n; i++) out[i] = values[i];
}

static void tensors_evaluate_by_hand(void **state) {
  (void)state;
  fixture f = fixture_create(2);
  double values[4] = {1, 2, 3, 4}, out[4]; /* u = (1, 2), K = (1 2; 3 4) */
  ir_id u = fixture_read(&f, f.vector[0], IR_AT_HERE), K = fixture_read(&f, f.tensor, IR_AT_HERE);
  ir_evaluate(f.m, ir_binary(f.m, IR_DOT, K, u), constant_leaf, values, out);
  assert_true(out[0] == 5 && out[1] == 11);
  ir_evaluate(f.m, ir_binary(f.m, IR_DOT, u, K), constant_leaf, values, out);
  assert_true(out[0] == 7 && out[1] == 10);
  ir_evaluate(f.m, ir_binary(f.m, IR_MUL, K, K), constant_leaf, values, out);
  assert_true(out[0] == 7 && out[1] == 10 && out[2] == 15 && out[3] == 22);
  ir_evaluate(f.m, ir_binary(f.m, IR_OUTER, u, u), constant_leaf, values, out);
  assert_true(out[0] == 1 && out[1] == 2 && out[2] == 2 && out[3] == 4);
  ir_evaluate(f.m, ir_unary(f.m, IR_TRANSPOSE, K), constant_leaf, values, out);
  assert_true(out[0] == 1 && out[1] == 3 && out[2] == 2 && out[3] == 4);
  ir_evaluate(f.m, ir_unary(f.m, IR_TRACE, K), constant_leaf, values, out);
  assert_true(out[0] == 5);
  ir_evaluate(f.m, ir_unary(f.m, IR_NORM, K), constant_leaf, values, out);
  assert_true(out[0] == sqrt(30));
  ir_evaluate(f.m, ir_make(f.m, IR_IDENTITY, ir_tensor(f.m), 0, NULL), constant_leaf, values, out);
  assert_true(out[0] == 1 && out[1] == 0 && out[2] == 0 && out[3] == 1);
  fixture_destroy(&f);
}

static void operators_follow_ieee(void **state) {
  (void)state;
  double nan_first[2] = {NAN, 1}, negative[1] = {-0.5}, choose[3] = {0, NAN, 2};
  double nan_last[2] = {1, NAN}, numbers[2] = {2, 1};
  assert_true(isnan(ir_apply(IR_MAX, nan_first)) && isnan(ir_apply(IR_MAX, nan_last)) &&
              isnan(ir_apply(IR_MIN, nan_first)) && isnan(ir_apply(IR_MIN, nan_last))); /* as in kernels */
  assert_true(ir_apply(IR_MAX, numbers) == 2 && ir_apply(IR_MIN, numbers) == 1);
  assert_true(ir_apply(IR_LT, nan_first) == 0 && ir_apply(IR_GE, nan_first) == 0 &&
              ir_apply(IR_NE, nan_first) == 1);
  assert_true(ir_apply(IR_SIGN, nan_first) == 0 && ir_apply(IR_SIGN, negative) == -1);
  assert_true(ir_apply(IR_SELECT, choose) == 2);
  assert_true(isnan(ir_apply(IR_SQRT, negative)));
}

/* ---- mapping ---------------------------------------------------------------------------------------------- */

static ir_id negate_reads(void *ctx, ir_module *to, const ir_node *n, const ir_id *args, ir_id old) {
  (void)old;
  ++*(int *)ctx;
  ir_id id = ir_rebuild(to, n, args);
  return n->op == IR_READ ? ir_unary(to, IR_NEG, id) : id;
}

static void map_redirects_every_root(void **state) {
  (void)state;
  fixture f = fixture_create(2);
  ir_module *m = f.m;
  ir_id a = fixture_read(&f, f.scalar[0], IR_AT_HERE), dead = ir_unary(m, IR_ABS, ir_const(m, 77));
  ir_id condition = ir_binary(m, IR_GT, a, ir_const(m, 0));
  (void)dead;
  m->symbol.at[f.result[0]].root[0] = m->symbol.at[f.result[0]].root[1] = a;
  ir_rule rule = {.text = intern_str(m->names, "wall")};
  vec_push(f.memory, &rule.entry, ((ir_rule_entry){.kind = IR_GHOST, .target = f.scalar[0], .root = a}));
  vec_push(f.memory, &m->rule, rule);
  vec_push(f.memory, &m->require, ((ir_require){.condition = condition, .place = IR_CELLS}));
  ir_stmt inner = {.kind = IR_UPDATE, .over = a, .rhs = a, .until = condition, .at_most = a};
  vec_push(f.memory, &inner.assign, ((ir_assign){.target = f.scalar[0], .value = a}));
  vec_push(f.memory, &inner.option, ((ir_option){.text = "tol", .value = a}));
  ir_stmt outer = {.kind = IR_REPEAT};
  vec_push(f.memory, &outer.body, inner);
  vec_push(f.memory, &m->step, outer);
  ir_name(m, a, "height", "(3)", (span){0, 1, 2});
  int calls = 0;
  ir_module *to = ir_map(m, negate_reads, &calls);
  assert_int_equal(calls, 3); /* dead nodes are not visited */
  const ir_stmt *s = &to->step.at[0].body.at[0];
  ir_id roots[] = {to->symbol.at[f.result[0]].root[0],
                   to->symbol.at[f.result[0]].root[1],
                   to->rule.at[1].entry.at[0].root,
                   s->over,
                   s->rhs,
                   s->at_most,
                   s->assign.at[0].value,
                   s->option.at[0].value};
  for (size_t i = 0; i < sizeof roots / sizeof *roots; i++)
    assert_int_equal(ir_get(to, roots[i])->op, IR_NEG);
  assert_int_equal(ir_get(to, ir_args(to, ir_get(to, s->until))[0])->op, IR_NEG);
  assert_int_equal(ir_get(to, to->require.at[0].condition)->op, IR_GT);
  assert_string_equal(to->origin.at[roots[0]].hint, "height");
  assert_string_equal(to->origin.at[roots[0]].tag, "(3)");
  /* the old module is as it was */
  assert_int_equal(m->step.at[0].body.at[0].assign.at[0].value, a);
  assert_int_equal(m->rule.at[1].entry.at[0].root, a);
  assert_int_equal(m->symbol.at[f.result[0]].root[0], a);
  fixture_destroy(&f);
}

/* ---- size ------------------------------------------------------------------------------------------------- */

static double seconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Everything that walks a module, on one sum of `terms` terms. */
static double time_of_sum(int terms, double *value) {
  fixture f = fixture_create(2);
  double start = seconds();
  ir_id sum = fixture_read(&f, f.scalar[0], IR_AT_HERE);
  for (int i = 0; i < terms; i++) {
    ir_id term = ir_binary(f.m, IR_MUL, ir_const(f.m, i), fixture_read(&f, f.scalar[1], IR_AT_HERE));
    sum = ir_binary(f.m, IR_ADD, sum, term);
  }
  f.m->symbol.at[f.result[0]].root[0] = sum;
  fixture_verify(f.m);
  ir_module *m = pass_cse(pass_strength(pass_fold(pass_components(f.m))));
  m = pass_select(pass_sweep(m), SELECT_DELTA, NULL);
  fixture_verify(m);
  ir_id root = m->symbol.at[f.result[0]].root[0];
  ir_cost cost = ir_cost_of(m, &root, 1, 3);
  assert_true(cost.shared > terms);
  *value = fixture_value(m, root, 1) - fixture_value(f.m, sum, 1);
  ir_module *again = fixture_parse(f.memory, m->names, fixture_text(m));
  assert_int_equal(again->node.n, m->node.n);
  double elapsed = seconds() - start;
  fixture_destroy(&f);
  return elapsed;
}

static void ten_thousand_terms(void **state) {
  (void)state;
  double difference;
  time_of_sum(10000, &difference);
  assert_true(difference == 0);
}

/* A quadratic walk would need a hundred times as long for ten times the nodes; the factor allowed is a noisy
 * machine's. */
static void time_is_linear(void **state) {
  (void)state;
  double difference, small = 1e9;
  for (int i = 0; i < 3; i++) small = fmin(small, time_of_sum(5000, &difference));
  double large = time_of_sum(50000, &difference);
  if (large > 50 * small) fail_msg("5 000 terms: %g s, 50 000 terms: %g s", small, large);
}

static void deep_sharing_stays_small(void **state) {
  (void)state;
  fixture f = fixture_create(2);
  ir_id x = fixture_read(&f, f.scalar[0], IR_AT_HERE);
  for (int i = 0; i < 1000; i++) x = ir_binary(f.m, IR_ADD, x, x); /* 2^1000 terms as written */
  f.m->symbol.at[f.result[0]].root[0] = x;
  ir_module *m = pass_cse(pass_fold(pass_components(f.m)));
  ir_id root = m->symbol.at[f.result[0]].root[0];
  ir_cost cost = ir_cost_of(m, &root, 1, 1);
  assert_true(cost.shared == 1000);
  assert_true(cost.written == 1e15);
  assert_int_equal(cost.loads, 1);
  fixture_destroy(&f);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(equal_nodes_are_one),
      cmocka_unit_test(accesses_differ_by_every_attribute),
      cmocka_unit_test(constants_are_told_apart_by_bits),
      cmocka_unit_test(reductions_and_parts_differ_by_attributes),
      cmocka_unit_test(lookup_finds_without_adding),
      cmocka_unit_test(first_name_wins),
      cmocka_unit_test(operators_give_their_types),
      cmocka_unit_test(functions_are_found_by_name),
      cmocka_unit_test(tensors_evaluate_by_hand),
      cmocka_unit_test(operators_follow_ieee),
      cmocka_unit_test(map_redirects_every_root),
      cmocka_unit_test(ten_thousand_terms),
      cmocka_unit_test(time_is_linear),
      cmocka_unit_test(deep_sharing_stays_small),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
