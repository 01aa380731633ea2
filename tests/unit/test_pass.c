/* Passes keep values: random graphs of all ranks are evaluated before and after. */
#include "test_ir_fixture.h"

enum { GRAPHS = 1500, SIZE = 80 };

static bool same(double a, double b) { return a == b || (isnan(a) && isnan(b)); }

static bool near(double a, double b) { return same(a, b) || fabs(a - b) <= 1e-12 * (fabs(a) + fabs(b) + 1); }

/* Hazards make infinities and NaNs; what passes may change about them is tested elsewhere. */
static void expect_same_values(const fixture *f, const ir_module *m, uint32_t seed,
                               bool (*equal)(double, double)) {
  for (int i = 0; i < 5; i++) {
    ir_id before = f->m->symbol.at[f->result[i]].root[0], after = m->symbol.at[f->result[i]].root[0];
    double a[16], b[16];
    fixture_point p = {seed, 0};
    ir_evaluate(f->m, before, fixture_leaf, &p, a);
    ir_evaluate(m, after, fixture_leaf, &p, b);
    assert_int_equal(ir_get(f->m, before)->type.n, ir_get(m, after)->type.n);
    for (int k = 0; k < ir_get(m, after)->type.n; k++)
      if (!equal(a[k], b[k]))
        fail_msg("graph %u, result %d[%d]: %.17g became %.17g\n%s", seed, i, k, a[k], b[k],
                 fixture_text(f->m));
  }
}

static void keeps_values(ir_module *(*pass)(const ir_module *), bool hazards, bool (*equal)(double, double)) {
  for (uint32_t seed = 0; seed < GRAPHS; seed++) {
    fixture f = fixture_create(2 + (int)(seed % 2));
    fixture_fill(&f, seed, SIZE, hazards);
    ir_module *m = pass(f.m);
    fixture_verify(m);
    expect_same_values(&f, m, seed, equal);
    fixture_destroy(&f);
  }
}

/* ---- components ------------------------------------------------------------------------------------------- */

static ir_module *components_only_scalars(const ir_module *m) {
  ir_module *to = pass_components(m);
  for (ir_id id = 1; id < (ir_id)to->node.n; id++) {
    const ir_node *n = ir_get(to, id);
    if (n->op == IR_TUPLE) assert_int_equal(n->n_args, n->type.n);
    else assert_int_equal(n->type.n, 1);
    assert_true(n->op != IR_PART && n->op != IR_DOT && n->op != IR_IDENTITY && n->op != IR_NORM);
  }
  return to;
}

static void components_keep_values(void **state) {
  (void)state;
  keeps_values(components_only_scalars, true, same);
}

static void components_are_named_after_their_vector(void **state) {
  (void)state;
  fixture f = fixture_create(2);
  ir_id u = fixture_read(&f, f.vector[0], IR_AT_HERE), w = fixture_read(&f, f.vector[1], IR_AT_HERE);
  ir_id sum = ir_binary(f.m, IR_ADD, u, w);
  ir_name(f.m, sum, intern_str(f.m->names, "total"), "(3)", (span){0, 1, 2});
  f.m->symbol.at[f.result[2]].root[0] = sum;
  ir_module *m = pass_components(f.m);
  const ir_node *root = ir_get(m, m->symbol.at[f.result[2]].root[0]);
  assert_int_equal(root->op, IR_TUPLE);
  assert_string_equal(m->origin.at[ir_args(m, root)[0]].hint, "total.x");
  assert_string_equal(m->origin.at[ir_args(m, root)[1]].hint, "total.y");
  assert_string_equal(m->origin.at[ir_args(m, root)[1]].tag, "(3)");
  const ir_node *read = ir_get(m, ir_args(m, ir_get(m, ir_args(m, root)[1]))[0]);
  assert_int_equal(read->op, IR_READ);
  assert_int_equal(read->read.first, 1);
  fixture_destroy(&f);
}

static void one_dimension_has_vectors_of_one(void **state) {
  (void)state;
  fixture f = fixture_create(1);
  ir_id u = fixture_read(&f, f.vector[0], IR_AT_HERE);
  f.m->symbol.at[f.result[2]].root[0] = ir_binary(f.m, IR_MUL, ir_unary(f.m, IR_NORM, u), u);
  ir_module *m = pass_components(f.m);
  fixture_verify(m);
  ir_id root = m->symbol.at[f.result[2]].root[0];
  assert_int_equal(ir_get(m, root)->op, IR_MUL);
  assert_int_equal(ir_get(m, ir_args(m, ir_get(m, root))[0])->op, IR_ABS);
  fixture_destroy(&f);
}

/* dot(u, T*u) in its forms, and what is none. */
static void quadratic_forms_take_the_symmetric_part(void **state) {
  (void)state;
  for (int kind = 0; kind < 4; kind++) {
    fixture f = fixture_create(3);
    ir_module *m = f.m;
    ir_id u = fixture_read(&f, f.vector[0], IR_AT_HERE), w = fixture_read(&f, f.vector[1], IR_AT_HERE),
          t = fixture_read(&f, f.tensor, IR_AT_HERE);
    ir_id image = kind == 1 ? ir_binary(m, IR_DOT, u, t) : ir_binary(m, IR_MUL, t, kind == 3 ? w : u);
    m->symbol.at[f.result[0]].root[0] =
        kind == 2 ? ir_binary(m, IR_DOT, image, u) : ir_binary(m, IR_DOT, u, image);
    ir_module *to = pass_cse(pass_components(pass_quadratic(m)));
    fixture_verify(to);
    expect_same_values(&f, to, 7, near);
    ir_cost cost = ir_cost_of(to, &to->symbol.at[f.result[0]].root[0], 1, 1);
    assert_int_equal((int)cost.written, kind == 3 ? 20 : 17);
    fixture_destroy(&f);
  }
}

/* ---- the other passes ------------------------------------------------------------------------------------- */

static ir_module *components_and_fold(const ir_module *m) { return pass_fold(pass_components(m)); }
static ir_module *fold_twice(const ir_module *m) { return pass_fold(pass_fold(m)); }
static ir_module *components_and_strength(const ir_module *m) { return pass_strength(pass_components(m)); }
static ir_module *components_and_cse(const ir_module *m) { return pass_cse(pass_components(m)); }

static ir_module *components_and_delta(const ir_module *m) {
  return pass_select(pass_components(m), SELECT_DELTA, NULL);
}

static ir_module *whole_pipeline(const ir_module *m) {
  m = pass_cse(pass_strength(pass_fold(pass_components(pass_quadratic(m)))));
  return pass_sweep(pass_cse(pass_fold(pass_select(m, SELECT_DELTA, NULL))));
}

static void fold_keeps_values(void **state) {
  (void)state;
  keeps_values(components_and_fold, false, same);
  keeps_values(fold_twice, false, same);
}

/* Infinities and NaNs too: nothing is folded away that is not proved finite. */
static void fold_keeps_what_is_not_finite(void **state) {
  (void)state;
  keeps_values(components_and_fold, true, same);
}

static void strength_keeps_values(void **state) {
  (void)state;
  keeps_values(components_and_strength, false, near);
}

static void cse_keeps_bits(void **state) {
  (void)state;
  keeps_values(components_and_cse, true, same);
  keeps_values(pass_cse, true, same);
}

static void sweep_keeps_bits(void **state) {
  (void)state;
  keeps_values(pass_sweep, true, same);
}

static void delta_keeps_values(void **state) {
  (void)state;
  keeps_values(components_and_delta, false, same);
}

/* Where the ternary form is finite, so is the delta form, and equal; where it is not, neither is the other. */
static void delta_makes_no_nan(void **state) {
  (void)state;
  keeps_values(components_and_delta, true, same);
}

static void pipeline_keeps_values(void **state) {
  (void)state;
  keeps_values(whole_pipeline, false, near);
}

static void sweep_drops_what_is_dead(void **state) {
  (void)state;
  fixture f = fixture_create(2);
  fixture_fill(&f, 7, 200, true);
  ir_module *m = pass_sweep(f.m);
  const unsigned char *live = ir_live(m);
  assert_true(m->node.n < f.m->node.n);
  for (int i = 1; i < m->node.n; i++) assert_true(live[i]);
  assert_int_equal(pass_sweep(m)->node.n, m->node.n);
  fixture_destroy(&f);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(components_keep_values),
      cmocka_unit_test(components_are_named_after_their_vector),
      cmocka_unit_test(quadratic_forms_take_the_symmetric_part),
      cmocka_unit_test(one_dimension_has_vectors_of_one),
      cmocka_unit_test(fold_keeps_values),
      cmocka_unit_test(fold_keeps_what_is_not_finite),
      cmocka_unit_test(strength_keeps_values),
      cmocka_unit_test(cse_keeps_bits),
      cmocka_unit_test(sweep_keeps_bits),
      cmocka_unit_test(sweep_drops_what_is_dead),
      cmocka_unit_test(delta_keeps_values),
      cmocka_unit_test(delta_makes_no_nan),
      cmocka_unit_test(pipeline_keeps_values),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
