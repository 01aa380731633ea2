/* Reductions over a mesh, the time step, checks and flags: emitted, run on every target, compared with plain loops. */
#include "test_back_fixture.h"

typedef struct reduced {
  fixture *x;
  ir_sym h, size;
  int partials;
} reduced;

/* Cells: the minimum of size/h and the sum and maximum of h as partials; then dt, mass and top by one group. */
static reduced reduction_plan(plan_reduce_form form, int group, int finishing_group) {
  fixture *x = fixture_create();
  reduced r = {.x = x};
  x->p.how.reduce = form;
  r.h = add_field(x, "h", IR_STATE, IR_CELLS, ir_scalar(), false, 1, 2);
  r.size = add_field(x, "size", IR_GEOMETRY, IR_CELLS, ir_scalar(), false, 1, 2);
  r.partials = add_buffer(x, "partials", DSLC_BUFFER_PARTIALS, DSLC_F64, DSLC_NOWHERE, 3, false);
  plan_kernel *cells = add_kernel(x, "reduce", IR_CELLS);
  cells->local_size = group;
  ir_id h = get(x, r.h, IR_AT_HERE, 0), body = quotient(x, get(x, r.size, IR_AT_HERE, 0), h);
  add_output(x, cells, PLAN_PARTIAL, r.partials, 0, body);
  add_output(x, cells, PLAN_PARTIAL, r.partials, 1, h);
  add_output(x, cells, PLAN_PARTIAL, r.partials, 2, h);
  static const ir_reduce kind[] = {IR_REDUCE_MIN, IR_SUM, IR_REDUCE_MAX};
  plan_kernel *finish = add_kernel(x, "finish", IR_NOWHERE);
  finish->local_size = finishing_group;
  finish->time = PLAN_TIME_BEGIN;
  for (int i = 0; i < 3; i++) {
    x->p.kernel.at[0].output.at[i].reduce = kind[i];
    ir_id node = ir_reduction(x->m, kind[i], IR_OVER_ALL, IR_CELLS, 0, i ? h : body);
    plan_partial p = {.node = node, .buffer = r.partials, .component = i, .reduce = kind[i]};
    vec_push(x->memory, &finish->partial, p);
    ir_id value = i == 0 ? mul(x, number(x, 0.9), node) : node;
    add_output(x, finish, PLAN_SCALAR, x->p.scalars, i == 0 ? DSLC_SCALAR_DT_FREE : DSLC_SCALAR_GLOBALS + i,
               value);
  }
  finish->time_check = 3;
  add_launch(x, 0, DSLC_OWNED);
  x->op[add_launch(x, 1, DSLC_OWNED)].groups_of = 0;
  x->number[x->p.scalars][DSLC_SCALAR_T_STOP] = 100;
  x->number[x->p.scalars][DSLC_SCALAR_MOST] = INFINITY;
  return r;
}

static void check_reduction(reduced *r) {
  fixture *x = r->x;
  double least = INFINITY, sum = 0, most = 0;
  for (int c = 0; c < x->n_cells; c++) {
    double h = field(x, r->h)[c], ratio = field(x, r->size)[c] / h;
    least = ratio < least ? ratio : least;
    most = h > most ? h : most;
    sum += h;
  }
  const double *scalars = x->number[x->p.scalars];
  assert_near(scalars[DSLC_SCALAR_DT_FREE], 0.9 * least);
  assert_near(scalars[DSLC_SCALAR_DT], 0.9 * least);
  assert_near(scalars[DSLC_SCALAR_T_NEXT], 0.9 * least);
  assert_near(scalars[DSLC_SCALAR_GLOBALS + 1], sum);
  assert_true(scalars[DSLC_SCALAR_GLOBALS + 2] == most);
  assert_int_equal(x->integer[x->p.flags][DSLC_FLAG_FAULT], 0);
}

static void test_reduction(void **state) {
  (void)state;
  static const int group[][2] = {{16, 16}, {16, 8}, {7, 5}, {64, 1}, {256, 64}};
  each_target(emit) {
    for (size_t i = 0; i < sizeof group / sizeof *group; i++)
      for (int form = PLAN_REDUCE_TREE; form <= PLAN_REDUCE_SERIAL + 1; form++) { /* the last: in a loop */
        if (emit != DSLC_EMIT_OPENCL && form >= PLAN_REDUCE_SERIAL) continue;
        reduced r = reduction_plan((plan_reduce_form)(form % 2), group[i][0], group[i][1]);
        r.x->p.how.loop = form > PLAN_REDUCE_SERIAL;
        emit_and_check(r.x, emit);
        run_on(r.x, emit);
        check_reduction(&r);
        fixture_destroy(r.x);
      }
  }
}

/* One cell that is not a number must reach dt, wherever it lies, and stop the run. */
static void test_nan_is_not_swallowed(void **state) {
  (void)state;
  each_target(emit) for (int bad = 0; bad < N_CELLS; bad += 41) {
    reduced r = reduction_plan(PLAN_REDUCE_TREE, 16, 8);
    fixture *x = r.x;
    x->p.how.loop = bad % 2 == 0;
    field(x, r.h)[bad] = NAN;
    emit_text(x, emit);
    run_on(x, emit);
    assert_true(isnan(x->number[x->p.scalars][DSLC_SCALAR_DT_FREE]));
    assert_true(isnan(x->number[x->p.scalars][DSLC_SCALAR_GLOBALS + 2]));
    assert_int_equal(x->integer[x->p.flags][DSLC_FLAG_FAULT], 1);
    assert_int_equal(x->integer[x->p.flags][DSLC_FLAG_DONE], 1);
    assert_int_equal(x->integer[x->p.flags][DSLC_FLAG_CHECKS + 2], 0);
    assert_int_equal(x->integer[x->p.flags][DSLC_FLAG_CHECKS + 1], INT32_MAX);
    fixture_destroy(x);
  }
}

/* ---- time ---- */

typedef struct time_case {
  double t, free, stop; /* before */
  int steps, max_steps, fault;
  double dt, next; /* after */
  int done;
} time_case;

static void check_time(dslc_emit emit, const time_case *c) {
  fixture *x = fixture_create();
  double *scalars = x->number[x->p.scalars];
  int32_t *flags = x->integer[x->p.flags];
  plan_kernel *begin = add_kernel(x, "begin_step", IR_NOWHERE);
  begin->time = PLAN_TIME_BEGIN;
  add_output(x, begin, PLAN_SCALAR, x->p.scalars, DSLC_SCALAR_DT_FREE, number(x, c->free));
  plan_kernel *end = add_kernel(x, "end_step", IR_NOWHERE);
  end->time = PLAN_TIME_END;
  add_launch(x, 0, DSLC_OWNED);
  add_launch(x, 1, DSLC_OWNED);
  scalars[DSLC_SCALAR_T] = c->t;
  scalars[DSLC_SCALAR_T_STOP] = c->stop;
  scalars[DSLC_SCALAR_MOST] = INFINITY;
  flags[DSLC_FLAG_STEPS] = c->steps;
  flags[DSLC_FLAG_MAX_STEPS] = c->max_steps;
  flags[DSLC_FLAG_FAULT] = c->fault;
  emit_and_check(x, emit);
  run_on(x, emit);
  assert_true(scalars[DSLC_SCALAR_DT] == c->dt);
  assert_true(scalars[DSLC_SCALAR_T] == c->next);
  assert_int_equal(flags[DSLC_FLAG_STEPS], c->steps + 1);
  assert_int_equal(flags[DSLC_FLAG_DONE], c->done);
  fixture_destroy(x);
}

static void test_time(void **state) {
  (void)state;
  static const time_case cases[] = {
      {.t = 1, .free = 0.25, .stop = 2, .dt = 0.25, .next = 1.25},
      {.t = 1, .free = 0.75, .stop = 2, .dt = 0.5, .next = 1.5},
      {.t = 1, .free = 1, .stop = 2, .dt = 1, .next = 2, .done = 1},
      {.t = 1, .free = 1 - 1e-14, .stop = 2, .dt = 1, .next = 2, .done = 1},
      {.t = 0.1, .free = 5, .stop = 0.7, .dt = 0.7 - 0.1, .next = 0.7, .done = 1},
      {.t = 1, .free = 0.25, .stop = 2, .steps = 3, .max_steps = 5, .dt = 0.25, .next = 1.25},
      {.t = 1, .free = 0.25, .stop = 2, .steps = 4, .max_steps = 5, .dt = 0.25, .next = 1.25, .done = 1},
      {.t = 1, .free = 0.25, .stop = 2, .fault = 1, .dt = 0.25, .next = 1.25, .done = 1},
  };
  each_target(emit) for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) check_time(emit, &cases[i]);
}

static void test_bad_steps_stop(void **state) {
  (void)state;
  static const double bad[] = {0, -1, INFINITY, NAN};
  each_target(emit) for (int i = 0; i < 4; i++) {
    fixture *x = fixture_create();
    plan_kernel *begin = add_kernel(x, "begin_step", IR_NOWHERE);
    begin->time = PLAN_TIME_BEGIN;
    begin->time_check = 1;
    add_output(x, begin, PLAN_SCALAR, x->p.scalars, DSLC_SCALAR_DT_FREE, number(x, bad[i]));
    plan_kernel *end = add_kernel(x, "end_step", IR_NOWHERE);
    end->time = PLAN_TIME_END;
    add_launch(x, 0, DSLC_OWNED);
    add_launch(x, 1, DSLC_OWNED);
    x->number[x->p.scalars][DSLC_SCALAR_T_STOP] = 1;
    x->number[x->p.scalars][DSLC_SCALAR_MOST] = INFINITY;
    emit_and_check(x, emit);
    run_on(x, emit);
    assert_int_equal(x->integer[x->p.flags][DSLC_FLAG_FAULT], 1);
    assert_int_equal(x->integer[x->p.flags][DSLC_FLAG_CHECKS], 0);
    assert_int_equal(x->integer[x->p.flags][DSLC_FLAG_STEPS], 0); /* the last good state is kept */
    fixture_destroy(x);
  }
}

/* ---- checks and flags ---- */

static void test_checks(void **state) {
  (void)state;
  each_target(emit) for (int loop = 0; loop < 2; loop++) {
    fixture *x = fixture_create();
    x->p.how.loop = loop;
    ir_sym h = add_field(x, "h", IR_STATE, IR_CELLS, ir_scalar(), false, 1, 2);
    plan_kernel *k = add_kernel(x, "check", IR_CELLS);
    ir_id value = get(x, h, IR_AT_HERE, 0);
    add_output(x, k, PLAN_CHECK, x->p.flags, 4, ir_binary(x->m, IR_GE, value, number(x, 0)));
    add_output(x, k, PLAN_CHECK, x->p.flags, 5, ir_binary(x->m, IR_LT, value, number(x, 5)));
    add_launch(x, 0, DSLC_OWNED);
    field(x, h)[90] = -1;
    field(x, h)[71] = NAN;
    field(x, h)[72] = -2;
    emit_and_check(x, emit);
    run_on(x, emit);
    const int32_t *flags = x->integer[x->p.flags];
    assert_int_equal(flags[DSLC_FLAG_FAULT], 1);
    assert_int_equal(flags[DSLC_FLAG_CHECKS + 4], 71);
    assert_int_equal(flags[DSLC_FLAG_CHECKS + 5], 71);
    assert_int_equal(flags[DSLC_FLAG_CHECKS + 3], INT32_MAX);
    fixture_destroy(x);
  }
}

/* The end of a repeat: a flag is set on the device, and kernels that look at it do nothing from then on. */
static void test_stop_flag(void **state) {
  (void)state;
  each_target(emit) {
    fixture *x = fixture_create();
    ir_sym h = add_field(x, "h", IR_STATE, IR_CELLS, ir_scalar(), false, 1, 2);
    ir_sym rest = add_scalar(x, "rest", IR_GLOBAL, DSLC_SCALAR_GLOBALS);
    plan_kernel *count = add_kernel(x, "count", IR_CELLS);
    count->stop_flag = 1 + 40;
    add_output(x, count, PLAN_STORE, buffer_of(x, h), 0, add(x, get(x, h, IR_AT_HERE, 0), number(x, 1)));
    plan_kernel *until = add_kernel(x, "until", IR_NOWHERE);
    until->stop_flag = 1 + 40;
    add_output(x, until, PLAN_SCALAR, x->p.scalars, DSLC_SCALAR_GLOBALS,
               sub(x, param(x, rest), number(x, 1)));
    add_output(x, until, PLAN_FLAG, x->p.flags, 40, ir_binary(x->m, IR_LT, param(x, rest), number(x, 1.5)));
    x->number[x->p.scalars][DSLC_SCALAR_GLOBALS] = 3;
    x->integer[x->p.flags][40] = 0;
    double before = field(x, h)[5];
    for (int i = 0; i < 5; i++) {
      add_launch(x, 0, DSLC_OWNED);
      add_launch(x, 1, DSLC_OWNED);
    }
    emit_and_check(x, emit);
    run_on(x, emit);
    assert_near(field(x, h)[5], before + 3);
    assert_true(x->number[x->p.scalars][DSLC_SCALAR_GLOBALS] == 0);
    fixture_destroy(x);
  }
}

/* Everything returns at once while DONE is set. */
static void test_done(void **state) {
  (void)state;
  each_target(emit) for (int loop = 0; loop < 2; loop++) {
    reduced r = reduction_plan(PLAN_REDUCE_TREE, 16, 8);
    r.x->p.how.loop = loop;
    r.x->integer[r.x->p.flags][DSLC_FLAG_DONE] = 1;
    emit_text(r.x, emit);
    run_on(r.x, emit);
    assert_true(r.x->number[r.x->p.scalars][DSLC_SCALAR_DT_FREE] == 0);
    assert_true(r.x->number[r.partials][0] == 0);
    fixture_destroy(r.x);
  }
}

static const char *self; /* this program, for oclgrind */

static void test_oclgrind(void **state) {
  (void)state;
  check_with_oclgrind(self);
}

int main(int argc, char **argv) {
  (void)argc;
  self = argv[0];
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_reduction), cmocka_unit_test(test_nan_is_not_swallowed),
      cmocka_unit_test(test_time),      cmocka_unit_test(test_bad_steps_stop),
      cmocka_unit_test(test_checks),    cmocka_unit_test(test_stop_flag),
      cmocka_unit_test(test_done),      cmocka_unit_test(test_oclgrind),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
