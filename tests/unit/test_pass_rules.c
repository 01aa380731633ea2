/* Single rules of the passes: facts, folding, strength, deltas and cost, on graphs small enough to read; and the
 * golden files tests/golden/ir/PASS_*.ir (input, a line `---`, expected output; EW_BLESS=1 rewrites them). */
#include "test_ir_fixture.h"

#include <dirent.h>

/* Reads the text, which declares %1.. and gives `value C = ...`. */
#define SYMBOLS                                                                                              \
  "module m on mesh 2\n"                                                                                     \
  "symbol 1 parameter eps : scalar @ nowhere\n"                                                              \
  "symbol 2 state x : scalar @ cells\n"                                                                      \
  "symbol 3 state y : scalar @ cells\n"                                                                      \
  "symbol 4 equation C : scalar @ cells\n"                                                                   \
  "symbol 5 equation F : scalar @ faces\n"                                                                   \
  "symbol 6 state B : bool @ cells\n"                                                                        \
  "symbol 7 geometry area : scalar @ faces\n"                                                                \
  "symbol 8 equation E : scalar @ cells\n"                                                                   \
  "%1 = read x : scalar\n%2 = read y : scalar\n%3 = param eps : scalar\n"                                    \
  "%4 = const 0 : scalar\n%5 = const 1 : scalar\n%6 = const -1 : scalar\n%7 = const 2 : scalar\n"

static ir_module *module_of(arena *a, const char *lines) {
  return fixture_parse(a, intern_create(a), arena_printf(a, "%s%s", SYMBOLS, lines));
}

static ir_id root_of(const ir_module *m, const char *symbol) {
  return m->symbol.at[ir_symbol_find(m, intern_str(m->names, symbol))].root[0];
}

static char *formula(const ir_module *m, const char *symbol) {
  char *text = NULL;
  size_t size = 0;
  FILE *out = open_memstream(&text, &size);
  ir_dump_expression(m, root_of(m, symbol), 20, out);
  fclose(out);
  char *copy = arena_strndup(m->memory, text, size - 1);
  free(text);
  return copy;
}

/* ---- facts ------------------------------------------------------------------------------------------------ */

/* Letters: f finite, 0 nonzero, n nonnegative, p positive, m nonpositive. */
static const char *letters(arena *a, ir_facts f) {
  return arena_printf(a, "%s%s%s%s%s", f.finite ? "f" : "", f.nonzero ? "0" : "", f.nonnegative ? "n" : "",
                      f.positive ? "p" : "", f.nonpositive ? "m" : "");
}

static void facts_of_expressions(void **state) {
  (void)state;
  static const struct {
    const char *lines, *facts;
  } cases[] = {
      {"value C = %1\n", "f"},
      {"value C = %6\n", "f0m"},
      {"%8 = * %1 %1 : scalar\nvalue C = %8\n", "fn"},
      {"%8 = * %1 %2 : scalar\nvalue C = %8\n", "f"},
      {"%8 = max %1 %5 : scalar\nvalue C = %8\n", "f0np"},
      {"%8 = min %1 %6 : scalar\nvalue C = %8\n", "f0m"},
      {"%8 = max %1 %4 : scalar\n%9 = + %8 %5 : scalar\nvalue C = %9\n", "f0np"},
      {"%8 = sqrt %1 : scalar\nvalue C = %8\n", "n"},
      {"%8 = abs %1 : scalar\n%9 = sqrt %8 : scalar\nvalue C = %9\n", "fn"},
      {"%8 = / %1 %2 : scalar\nvalue C = %8\n", ""},
      {"%8 = / %1 %7 : scalar\nvalue C = %8\n", "f"},
      {"%8 = / %5 %2 : scalar\nvalue C = %8\n", "0"},
      {"%8 = log %1 : scalar\nvalue C = %8\n", ""},
      {"%8 = exp %1 : scalar\nvalue C = %8\n", "n"},
      {"%8 = * %1 %1 : scalar\n%9 = neg %8 : scalar\n%10 = exp %9 : scalar\nvalue C = %10\n", "fn"},
      {"%8 = ^ %1 %7 : scalar\nvalue C = %8\n", "fn"},
      {"%8 = const 0.5 : scalar\n%9 = ^ %1 %8 : scalar\nvalue C = %9\n", ""},
      {"%8 = ^ %1 %6 : scalar\nvalue C = %8\n", ""},
      {"%8 = sign %1 : scalar\nvalue C = %8\n", "f"},
      {"%8 = asin %1 : scalar\nvalue C = %8\n", ""},
      /* the sum over faces of areas is positive; a maximum has the sign of either operand, or is a NaN */
      {"%8 = read area @F : scalar\n%9 = reduce sum faces %8 : scalar\nvalue C = %9\n", "f0np"},
      {"%8 = sqrt %1 : scalar\n%9 = max %8 %2 : scalar\nvalue C = %9\n", "n"},
      /* through another equation, also one that comes later in the table */
      {"%8 = read E : scalar\n%9 = max %1 %5 : scalar\nvalue C = %8\nvalue E = %9\n", "f0np"},
      /* `require` on a field and on a parameter; a field's does not hold across a boundary with ghosts */
      {"%8 = > %1 %4 : bool\nrequire %8 @ cells\nvalue C = %1\n", "f0np"},
      {"%8 = >= %1 %4 : bool\nrequire %8 @ cells\nvalue C = %1\n", "fn"},
      {"%8 = < %4 %3 : bool\n%9 = >= %1 %3 : bool\n%10 = and %8 %9 : bool\nrequire %10 @ cells\nvalue C = "
       "%1\n",
       "f0np"},
      {"%8 = != %1 %4 : bool\nrequire %8 @ cells\nvalue C = %1\n", "f0"},
      {"%8 = > %1 %4 : bool\n%9 = > %2 %4 : bool\n%10 = or %8 %9 : bool\nrequire %10 @ cells\nvalue C = %1\n",
       "f"},
      {"%8 = > %1 %4 : bool\nrequire %8 @ cells\n%9 = read x @R : scalar\nvalue C = %4\nvalue F = %9\n"
       "rule 1 wall {\n  ghost x = %6\n}\n",
       "fnm"},
      /* a condition holds in its arm */
      {"%8 = > %1 %4 : bool\n%9 = / %5 %1 : scalar\n%10 = select %8 %9 %4 : scalar\nvalue C = %10\n", "fn"},
      {"%8 = <= %1 %4 : bool\n%9 = / %2 %1 : scalar\n%10 = select %8 %4 %9 : scalar\nvalue C = %10\n", "f"},
      {"%8 = <= %1 %4 : bool\n%9 = / %2 %1 : scalar\n%10 = select %8 %9 %4 : scalar\nvalue C = %10\n", ""},
      {"%8 = == %1 %4 : bool\n%9 = / %2 %1 : scalar\n%10 = select %8 %4 %9 : scalar\nvalue C = %10\n", "f"},
      /* not (x <= NaN) does not make x positive */
      {"%8 = sqrt %2 : scalar\n%9 = <= %1 %8 : bool\n%10 = / %5 %1 : scalar\n%11 = select %9 %4 %10 : "
       "scalar\n"
       "value C = %11\n",
       ""},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    arena *a = fixture_arena();
    ir_module *m = module_of(a, cases[i].lines);
    fixture_verify(m);
    const char *found = letters(a, ir_facts_compute(m)[root_of(m, "C")]);
    if (strcmp(found, cases[i].facts) != 0)
      fail_msg("%sexpected `%s`, found `%s`", cases[i].lines, cases[i].facts, found);
    arena_destroy(&a);
  }
}

static void ghosts_obey_their_rules_only(void **state) {
  (void)state;
  arena *a = fixture_arena();
  ir_module *m = module_of(
      a, "%8 = > %1 %4 : bool\nrequire %8 @ cells\n%9 = read x @R : scalar\n"
         "%10 = read E @R : scalar\n%11 = read x @L : scalar\n%12 = read y @R : scalar\n"
         "%13 = + %9 %10 : scalar\n%14 = + %13 %11 : scalar\n%15 = + %14 %12 : scalar\n"
         "%16 = - %7 %11 : scalar\nvalue F = %15\nvalue E = %1\nrule 1 wall {\n  ghost x = %16\n}\n");
  const ir_facts *f = ir_facts_compute(m);
  ir_id read[4] = {0};
  for (ir_id id = 1; id < (ir_id)m->node.n; id++) {
    const ir_node *n = ir_get(m, id);
    if (n->op != IR_READ || n->read.at == IR_AT_HERE) continue;
    const char *text = m->symbol.at[n->read.sym].text;
    read[n->read.at == IR_AT_L ? 0 : text[0] == 'x' ? 1 : text[0] == 'E' ? 2 : 3] = id;
  }
  assert_true(f[read[0]].positive);                       /* x[L] is inside */
  assert_true(f[read[1]].finite && !f[read[1]].positive); /* x[R] may be the ghost 2 - x[L] */
  assert_true(f[read[2]].finite && !f[read[2]].positive); /* E = x, evaluated at the ghost */
  assert_true(f[read[3]].finite);
  arena_destroy(&a);
}

/* ---- folding ---------------------------------------------------------------------------------------------- */

static void folding_rules(void **state) {
  (void)state;
  static const struct {
    const char *lines, *result;
  } cases[] = {
      {"%8 = * %1 %5 : scalar\nvalue C = %8\n", "x"},
      {"%8 = * %6 %1 : scalar\nvalue C = %8\n", "neg(x)"},
      {"%8 = + %4 %1 : scalar\nvalue C = %8\n", "x"},
      {"%8 = - %4 %1 : scalar\nvalue C = %8\n", "neg(x)"},
      {"%8 = - %1 %1 : scalar\nvalue C = %8\n", "0"},
      {"%8 = * %1 %4 : scalar\nvalue C = %8\n", "0"},
      {"%8 = / %1 %5 : scalar\nvalue C = %8\n", "x"},
      {"%8 = neg %2 : scalar\n%9 = + %1 %8 : scalar\nvalue C = %9\n", "(x - y)"},
      {"%8 = neg %2 : scalar\n%9 = - %1 %8 : scalar\nvalue C = %9\n", "(x + y)"},
      {"%8 = neg %1 : scalar\n%9 = + %8 %2 : scalar\nvalue C = %9\n", "(y - x)"},
      {"%8 = neg %1 : scalar\n%9 = neg %8 : scalar\nvalue C = %9\n", "x"},
      {"%8 = + %5 %7 : scalar\n%9 = * %8 %7 : scalar\n%10 = ^ %9 %7 : scalar\nvalue C = %10\n", "36"},
      {"%8 = const -8 : scalar\n%9 = const 0.33333333333333331 : scalar\n%10 = ^ %8 %9 : scalar\nvalue C = "
       "%10\n",
       "-2"},
      {"%8 = ^ %1 %5 : scalar\nvalue C = %8\n", "x"},
      {"%8 = ^ %1 %4 : scalar\nvalue C = %8\n", "1"},
      {"%8 = < %5 %7 : bool\n%9 = select %8 %1 %2 : scalar\nvalue C = %9\n", "x"},
      {"%8 = < %1 %2 : bool\n%9 = select %8 %1 %1 : scalar\nvalue C = %9\n", "x"},
      {"%8 = < %1 %2 : bool\n%9 = not %8 : bool\n%10 = select %9 %1 %2 : scalar\nvalue C = %10\n",
       "(if (x < y) then y else x)"},
      {"%8 = < %1 %2 : bool\n%9 = select %8 %1 %2 : scalar\n%10 = select %8 %9 %4 : scalar\nvalue C = %10\n",
       "(if (x < y) then x else 0)"},
      {"%8 = == %1 %2 : bool\n%9 = not %8 : bool\n%10 = select %9 %5 %2 : scalar\nvalue C = %10\n",
       "(if (x != y) then 1 else y)"},
      /* what must stay */
      {"%8 = < %1 %2 : bool\n%9 = not %8 : bool\n%10 = not %9 : bool\n%11 = and %9 %10 : bool\n"
       "%12 = select %11 %5 %2 : scalar\nvalue C = %12\n",
       "(if (not((x < y)) and (x < y)) then 1 else y)"},
      {"%8 = / %1 %1 : scalar\nvalue C = %8\n", "(x / x)"},
      {"%8 = sqrt %1 : scalar\n%9 = - %8 %8 : scalar\nvalue C = %9\n", "(sqrt(x) - sqrt(x))"},
      {"%8 = / %5 %1 : scalar\n%9 = * %4 %8 : scalar\nvalue C = %9\n", "(0 * (1 / x))"},
      {"%8 = / %4 %1 : scalar\nvalue C = %8\n", "(0 / x)"},
      {"%8 = + %1 %5 : scalar\n%9 = + %8 %7 : scalar\nvalue C = %9\n", "((x + 1) + 2)"},
      {"%8 = reduce sum faces %4 : scalar\nvalue C = %8\n", "0"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    arena *a = fixture_arena();
    ir_module *m = pass_fold(module_of(a, cases[i].lines));
    fixture_verify(m);
    if (strcmp(formula(m, "C"), cases[i].result) != 0)
      fail_msg("%sexpected `%s`, found `%s`", cases[i].lines, cases[i].result, formula(m, "C"));
    arena_destroy(&a);
  }
}

/* ---- strength --------------------------------------------------------------------------------------------- */

static void point_leaf(void *ctx, const ir_module *m, ir_id id, double *out) {
  const double *value = ctx;
  out[0] = value[ir_get(m, id)->read.sym];
}

static double at_point(const ir_module *m, const char *symbol, double x, double y) {
  double value[16] = {[1] = 1e-6, [2] = x, [3] = y, [7] = 1}, out;
  ir_evaluate(m, root_of(m, symbol), point_leaf, value, &out);
  return out;
}

/* Against the real power k/of, which the double nearest to 7/3 misses by more than the roundings. */
static void powers_become_products(void **state) {
  (void)state;
  static const struct {
    int k, of;
  } exponents[] = {{2, 1}, {3, 1}, {4, 1},  {5, 1}, {6, 1}, {7, 1}, {8, 1}, {-1, 1}, {-2, 1}, {-3, 1}, {1, 2},
                   {3, 2}, {5, 2}, {-1, 2}, {1, 3}, {2, 3}, {4, 3}, {5, 3}, {7, 3},  {8, 3},  {-4, 3}};
  for (size_t i = 0; i < sizeof exponents / sizeof *exponents; i++) {
    arena *a = fixture_arena();
    int k = exponents[i].k, of = exponents[i].of;
    const char *lines = arena_printf(
        a, "%%8 = const %.17g : scalar\n%%9 = ^ %%1 %%8 : scalar\nvalue C = %%9\n", (double)k / of);
    ir_module *m = pass_strength(module_of(a, lines));
    assert_null(strstr(formula(m, "C"), "^"));
    for (int j = 1; j < 400; j++) {
      double x = 1e-3 * j * j, found = at_point(m, "C", x, 0), ulp = 2.3e-16;
      long double exact = powl(x, (long double)k / of);
      double units = of == 3 ? 5 : k == 8 ? 3.5 : 2.5; /* glibc's cbrt is off by up to 3.7 */
      if (fabsl(found - exact) > units * ulp * exact)
        fail_msg("%g^(%d/%d): %.17g, not %.17Lg", x, k, of, found, exact);
    }
    arena_destroy(&a);
  }
}

static void other_powers_stay(void **state) {
  (void)state;
  double exponents[] = {9, 0.3, 1.234, -20, 0.25, 11.5};
  for (size_t i = 0; i < sizeof exponents / sizeof *exponents; i++) {
    arena *a = fixture_arena();
    const char *lines = arena_printf(
        a, "%%8 = const %.17g : scalar\n%%9 = ^ %%1 %%8 : scalar\nvalue C = %%9\n", exponents[i]);
    assert_non_null(strstr(formula(pass_strength(module_of(a, lines)), "C"), "^"));
    arena_destroy(&a);
  }
}

static void squares_are_shared(void **state) {
  (void)state;
  arena *a = fixture_arena();
  ir_module *m = module_of(a, "%8 = const 4 : scalar\n%9 = ^ %1 %7 : scalar\n%10 = ^ %1 %8 : scalar\n"
                              "%11 = + %9 %10 : scalar\nvalue C = %11\n");
  m = pass_strength(m);
  assert_string_equal(formula(m, "C"), "((x * x) + ((x * x) * (x * x)))");
  ir_id root = root_of(m, "C");
  assert_true(ir_cost_of(m, &root, 1, 1).shared == 3);
  arena_destroy(&a);
}

static void only_exact_reciprocals(void **state) {
  (void)state;
  static const struct {
    const char *divisor, *result;
  } cases[] = {{"4", "(x * 0.25)"},
               {"-0.5", "(x * -2)"},
               {"3", "(x / 3)"},
               {"0", "(x / 0)"},
               {"1e-310", "(x / 1e-310)"}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    arena *a = fixture_arena();
    const char *lines = arena_printf(a, "%%8 = const %s : scalar\n%%9 = / %%1 %%8 : scalar\nvalue C = %%9\n",
                                     cases[i].divisor);
    assert_string_equal(formula(pass_strength(module_of(a, lines)), "C"), cases[i].result);
    arena_destroy(&a);
  }
}

/* ---- common subexpressions -------------------------------------------------------------------------------- */

static void twins_meet_and_others_stay(void **state) {
  (void)state;
  static const struct {
    const char *lines, *result;
  } cases[] = {
      {"%8 = + %1 %2 : scalar\n%9 = + %2 %1 : scalar\n%10 = * %8 %9 : scalar\nvalue C = %10\n",
       "((x + y) * (x + y))"},
      {"%8 = - %1 %2 : scalar\n%9 = - %2 %1 : scalar\n%10 = * %8 %9 : scalar\nvalue C = %10\n",
       "((x - y) * (y - x))"},
      {"%8 = + %2 %1 : scalar\nvalue C = %8\n", "(y + x)"}, /* alone, a sum stays as written */
      {"%8 = < %1 %2 : bool\n%9 = > %2 %1 : bool\n%10 = and %8 %9 : bool\n%11 = select %10 %1 %2 : "
       "scalar\nvalue C = %11\n",
       "(if ((x < y) and (x < y)) then x else y)"},
      {"%8 = > %1 %2 : bool\n%9 = < %2 %1 : bool\n%10 = and %8 %9 : bool\n%11 = select %10 %1 %2 : "
       "scalar\nvalue C = %11\n",
       "(if ((x > y) and (x > y)) then x else y)"},
      {"%8 = <= %1 %2 : bool\n%9 = >= %2 %1 : bool\n%10 = and %8 %9 : bool\n%11 = select %10 %1 %2 : "
       "scalar\nvalue C = %11\n",
       "(if ((x <= y) and (x <= y)) then x else y)"},
      {"%8 = >= %2 %1 : bool\n%9 = < %1 %2 : bool\n%10 = and %8 %9 : bool\n%11 = select %10 %1 %2 : "
       "scalar\nvalue C = %11\n",
       "(if ((y >= x) and (x < y)) then x else y)"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    arena *a = fixture_arena();
    assert_string_equal(formula(pass_cse(module_of(a, cases[i].lines)), "C"), cases[i].result);
    arena_destroy(&a);
  }
}

/* ---- deltas ----------------------------------------------------------------------------------------------- */

#define DELTA "(if (x > y) then 1 else 0)"

static void deltas_are_taken_guarded_or_refused(void **state) {
  (void)state;
  static const struct {
    const char *lines, *result;
    select_report report;
  } cases[] = {
      {"%8 = > %1 %2 : bool\n%9 = select %8 %1 %2 : scalar\nvalue C = %9\n",
       "((" DELTA " * x) + ((1 - " DELTA ") * y))",
       {1, 1, 0, 0}},
      {"%8 = > %1 %2 : bool\n%9 = select %8 %1 %4 : scalar\nvalue C = %9\n",
       "((" DELTA " * x) + 0)", /* x may be negative: 0, not -0 */
       {1, 1, 0, 0}},
      {"%8 = > %1 %2 : bool\n%9 = abs %1 : scalar\n%10 = select %8 %9 %4 : scalar\nvalue C = %10\n",
       "(" DELTA " * abs(x))",
       {1, 1, 0, 0}},
      {"%8 = > %1 %2 : bool\n%9 = select %8 %5 %4 : scalar\nvalue C = %9\n", DELTA, {0, 0, 0, 0}},
      {"%8 = > %1 %2 : bool\n%9 = select %8 %4 %5 : scalar\nvalue C = %9\n", "(1 - " DELTA ")", {1, 1, 0, 0}},
      {"%8 = > %1 %2 : bool\n%9 = / %1 %2 : scalar\n%10 = select %8 %9 %4 : scalar\nvalue C = %10\n",
       "((" DELTA " * (x / ((" DELTA " * y) + (1 - " DELTA ")))) + 0)",
       {1, 0, 1, 0}},
      {"%8 = > %1 %2 : bool\n%9 = sqrt %1 : scalar\n%10 = select %8 %4 %9 : scalar\nvalue C = %10\n",
       "((1 - " DELTA ") * sqrt((((1 - " DELTA ") * x) + " DELTA ")))",
       {1, 0, 1, 0}},
      {"%8 = > %1 %2 : bool\n%9 = exp %1 : scalar\n%10 = select %8 %9 %4 : scalar\nvalue C = %10\n",
       "(if (x > y) then exp(x) else 0)",
       {1, 0, 0, 1}},
      {"%8 = > %1 %2 : bool\n%9 = const inf : scalar\n%10 = select %8 %9 %1 : scalar\nvalue C = %10\n",
       "(if (x > y) then inf else x)",
       {1, 0, 0, 1}},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    arena *a = fixture_arena();
    select_report r;
    ir_module *m = pass_select(module_of(a, cases[i].lines), SELECT_DELTA, &r);
    fixture_verify(m);
    if (strcmp(formula(m, "C"), cases[i].result) != 0)
      fail_msg("%sexpected `%s`, found `%s`", cases[i].lines, cases[i].result, formula(m, "C"));
    assert_memory_equal(&r, &cases[i].report, sizeof r);
    arena_destroy(&a);
  }
}

/* The wet-dry quotient of shallow water: in the plain delta form 0 * (q/0) would be a NaN. */
static void guarded_quotient_has_no_nan(void **state) {
  (void)state;
  arena *a = fixture_arena();
  ir_module *m = module_of(
      a, "%8 = > %2 %3 : bool\n%9 = / %1 %2 : scalar\n%10 = sqrt %2 : scalar\n%11 = / %9 %10 : scalar\n"
         "%12 = select %8 %11 %4 : scalar\nvalue C = %12\n");
  ir_module *delta = pass_select(m, SELECT_DELTA, NULL);
  double y[] = {0, -0.0, -1, 1e-9, 1, 2};
  for (size_t i = 0; i < sizeof y / sizeof *y; i++) {
    assert_true(isfinite(at_point(m, "C", 3, y[i])));
    assert_true(at_point(delta, "C", 3, y[i]) == at_point(m, "C", 3, y[i]));
  }
  arena_destroy(&a);
}

static void other_forms_only_count(void **state) {
  (void)state;
  arena *a = fixture_arena();
  ir_module *m = module_of(a, "%8 = > %1 %2 : bool\n%9 = select %8 %1 %4 : scalar\nvalue C = %9\n");
  for (int form = 0; form < 3; form++) {
    select_report r;
    ir_module *to = pass_select(m, (select_form)form, &r);
    assert_int_equal(r.total, 1);
    assert_int_equal(r.kept, form == SELECT_DELTA ? 0 : 1);
    assert_int_equal(strcmp(formula(to, "C"), formula(m, "C")) == 0, form != SELECT_DELTA);
  }
  arena_destroy(&a);
}

/* ---- cost ------------------------------------------------------------------------------------------------- */

static void loops_count_their_turns(void **state) {
  (void)state;
  arena *a = fixture_arena();
  /* sum(f of c) area * (x[d] - x) * (x*x), where x*x is the same in every turn, divided by y */
  ir_module *m =
      module_of(a, "%8 = read x @D : scalar\n%9 = - %8 %1 : scalar\n%10 = read area @F : scalar\n"
                   "%11 = * %10 %9 : scalar\n%12 = * %1 %1 : scalar\n%13 = * %11 %12 : scalar\n"
                   "%14 = reduce sum faces %13 : scalar\n%15 = / %14 %2 : scalar\nvalue C = %15\n");
  ir_id root = root_of(m, "C");
  ir_cost c = ir_cost_of(m, &root, 1, 3);
  assert_true(c.shared == 3 * 3 + 1 + 3 + 1); /* - * * each turn, x*x once, three additions, one division */
  assert_true(c.written == 3 * (4 + 1) + 1);
  assert_true(c.slow == 1);
  assert_int_equal(c.loads, 4);
  arena_destroy(&a);
}

static void vectors_count_before_and_after_components(void **state) {
  (void)state;
  fixture f = fixture_create(3);
  ir_id u = fixture_read(&f, f.vector[0], IR_AT_HERE), w = fixture_read(&f, f.vector[1], IR_AT_HERE);
  ir_id K = fixture_read(&f, f.tensor, IR_AT_HERE);
  ir_id x = ir_binary(f.m, IR_DOT, ir_binary(f.m, IR_MUL, K, ir_binary(f.m, IR_CROSS, u, w)), w);
  ir_id root = f.m->symbol.at[f.result[0]].root[0] = ir_binary(f.m, IR_ADD, x, ir_unary(f.m, IR_NORM, u));
  ir_cost before = ir_cost_of(f.m, &root, 1, 3);
  ir_module *m = pass_components(f.m);
  root = m->symbol.at[f.result[0]].root[0];
  ir_cost after = ir_cost_of(m, &root, 1, 3);
  assert_true(before.shared == after.shared);
  assert_true(before.slow == after.slow && after.slow == 1);
  assert_int_equal(before.loads, after.loads);
  fixture_destroy(&f);
}

/* ---- golden files ----------------------------------------------------------------------------------------- */

static ir_module *run_pass(const char *file, const ir_module *m) {
  if (strncmp(file, "components_", 11) == 0) return pass_components(m);
  if (strncmp(file, "delta_", 6) == 0) return pass_select(pass_components(m), SELECT_DELTA, NULL);
  if (strncmp(file, "pipeline_", 9) == 0) return pass_cse(pass_strength(pass_fold(pass_components(m))));
  return NULL;
}

static void check_golden(const char *file) {
  arena *a = fixture_arena();
  const char *path = arena_printf(a, "%s/tests/golden/ir/%s", EW_SOURCE_DIR, file);
  FILE *in = fopen(path, "rb");
  assert_non_null(in);
  char *text = arena_alloc(a, 65536);
  assert_in_range(fread(text, 1, 65535, in), 1, 65534);
  fclose(in);
  char *expected = strstr(text, "---\n");
  assert_non_null(expected);
  *expected = '\0';
  ir_module *before = fixture_parse(a, intern_create(a), text);
  fixture_verify(before);
  ir_module *m = run_pass(file, before);
  fixture_verify(m);
  const char *found = fixture_text(m);
  if (getenv("EW_BLESS") != NULL) {
    FILE *out = fopen(path, "wb");
    assert_non_null(out);
    fprintf(out, "%s---\n%s", text, found);
    fclose(out);
  } else {
    assert_string_equal(found, expected + 4);
  }
  arena_destroy(&a);
}

static void golden_files(void **state) {
  (void)state;
  DIR *dir = opendir(EW_SOURCE_DIR "/tests/golden/ir");
  assert_non_null(dir);
  int checked = 0;
  for (struct dirent *e; (e = readdir(dir)) != NULL;) {
    if (strchr(e->d_name, '_') == NULL || strstr(e->d_name, ".ir") == NULL) continue;
    check_golden(e->d_name);
    checked++;
  }
  closedir(dir);
  assert_true(checked >= 3);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(facts_of_expressions),
      cmocka_unit_test(ghosts_obey_their_rules_only),
      cmocka_unit_test(folding_rules),
      cmocka_unit_test(powers_become_products),
      cmocka_unit_test(other_powers_stay),
      cmocka_unit_test(squares_are_shared),
      cmocka_unit_test(only_exact_reciprocals),
      cmocka_unit_test(twins_meet_and_others_stay),
      cmocka_unit_test(deltas_are_taken_guarded_or_refused),
      cmocka_unit_test(guarded_quotient_has_no_nan),
      cmocka_unit_test(other_forms_only_count),
      cmocka_unit_test(loops_count_their_turns),
      cmocka_unit_test(vectors_count_before_and_after_components),
      cmocka_unit_test(golden_files),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
