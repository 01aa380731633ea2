/* The IR as text, and the verifier: the text makes broken modules easy to write down. */
#include "test_ir_fixture.h"

/* ---- round trips ------------------------------------------------------------------------------------------ */

static char *read_golden(arena *a, const char *file) {
  FILE *in = fopen(arena_printf(a, "%s/tests/golden/ir/%s", EW_SOURCE_DIR, file), "rb");
  assert_non_null(in);
  char *text = arena_alloc(a, 65536);
  size_t n = fread(text, 1, 65535, in);
  assert_in_range(n, 1, 65534);
  fclose(in);
  return text;
}

static ir_sym symbol_named(const ir_module *m, const char *text) {
  return ir_symbol_find(m, intern_str(m->names, text));
}

static void every_construct_reads_back(void **state) {
  (void)state;
  arena *a = fixture_arena();
  const char *text = read_golden(a, "everything.ir");
  ir_module *m = fixture_parse(a, intern_create(a), text);
  fixture_verify(m);
  assert_string_equal(fixture_text(m), text);
  /* a few values, so that a printer and a parser that confuse the same things are found out */
  const ir_symbol *roe = &m->symbol.at[symbol_named(m, "roe")];
  assert_true(roe->is_fluctuation && roe->side == IR_SIDED && roe->evidence == IR_SAMPLED);
  assert_int_equal(roe->root[IR_TO_R], roe->root[IR_TO_L]);
  assert_int_equal(m->symbol.at[symbol_named(m, "U")].tuple.part_sym[1], symbol_named(m, "q"));
  assert_int_equal(m->rule.at[2].axis, 'x');
  assert_int_equal(m->rule.at[1].entry.at[0].kind, IR_GHOST);
  assert_int_equal(m->symbol.at[m->rule.at[2].arg.at[0]].rule, 2);
  const ir_stmt *outer = &m->step.at[2];
  assert_string_equal(outer->body.at[0].method, "cg");
  assert_string_equal(outer->body.at[0].option.at[1].text, "iterations");
  assert_int_equal(outer->body.at[1].body.at[0].assign.n, 1);
  assert_string_equal(m->require.at[0].text, "h >= g");
  assert_true(symbol_named(m, "say \"x\"\\\t") > 0);
  arena_destroy(&a);
}

static void printing_is_a_fixed_point_of_random_modules(void **state) {
  (void)state;
  for (uint64_t seed = 0; seed < 200; seed++) {
    fixture f = fixture_create(1 + (int)(seed % 3));
    if (f.m->dims > 1) fixture_fill(&f, seed, 120, true);
    const char *once = fixture_text(f.m);
    ir_module *again = fixture_parse(f.memory, f.m->names, once);
    assert_string_equal(fixture_text(again), once);
    fixture_destroy(&f);
  }
}

static void doubles_survive_text(void **state) {
  (void)state;
  fixture f = fixture_create(2);
  double values[] = {0.1, 1.0 / 3, 5e-324, 1.7976931348623157e308, -0.0, INFINITY, -INFINITY,
                     NAN, 1e23,    -2.5};
  int n = (int)(sizeof values / sizeof *values);
  ir_id id[16];
  for (int i = 0; i < n; i++) id[i] = ir_const(f.m, values[i]);
  ir_module *again = fixture_parse(f.memory, f.m->names, fixture_text(f.m));
  for (int i = 0; i < n; i++)
    assert_memory_equal(&ir_get(again, id[i])->value, &ir_get(f.m, id[i])->value, sizeof(double));
  fixture_destroy(&f);
}

static void dump_is_depth_limited(void **state) {
  (void)state;
  fixture f = fixture_create(2);
  ir_id x = ir_binary(f.m, IR_ADD, fixture_read(&f, f.scalar[0], IR_AT_HERE), ir_const(f.m, 2));
  ir_id y = ir_select(f.m, ir_binary(f.m, IR_LT, x, ir_param(f.m, f.param)), x, ir_unary(f.m, IR_SQRT, x));
  char *text = NULL;
  size_t size = 0;
  FILE *out = open_memstream(&text, &size);
  ir_dump_expression(f.m, y, 10, out);
  ir_dump_expression(f.m, y, 1, out);
  ir_dump_expression(f.m, 0, 1, out);
  fclose(out);
  char *expected = arena_printf(f.memory,
                                "(if ((a + 2) < g) then (a + 2) else sqrt((a + 2)))\n"
                                "(if %%%u then %%%u else %%%u)\n(none)\n",
                                ir_args(f.m, ir_get(f.m, y))[0], x, ir_args(f.m, ir_get(f.m, y))[2]);
  assert_string_equal(text, expected);
  free(text);
  fixture_destroy(&f);
}

/* ---- text that does not parse ----------------------------------------------------------------------------- */

#define HEAD "module m on mesh 2\nsymbol 1 state h : scalar @ cells\n"

static void bad_text_has_a_line_and_a_reason(void **state) {
  (void)state;
  static const struct {
    const char *text, *error;
  } cases[] = {
      {"", "line 1: expected `module`"},
      {"module m on sea 2\n", "line 1: expected `mesh`"},
      {"module m on mesh 4\n", "line 1: the dimension is out of range"},
      {HEAD "symbol 3 state q : scalar @ cells\n", "line 3: symbol 3 where 2 is due"},
      {HEAD "symbol 2 stat q : scalar @ cells\n", "line 3: unknown kind of symbol `stat`"},
      {HEAD "symbol 2 state q : scala @ cells\n", "line 3: unknown rank `scala`"},
      {HEAD "symbol 2 state q : vector(256) @ cells\n", "line 3: a component count is out of range"},
      {HEAD "symbol 2 state q : scalar @ cels\n", "line 3: unknown place `cels`"},
      {HEAD "symbol 2 state q : scalar @ cells colour=3\n", "line 3: unknown attribute `colour`"},
      {HEAD "symbol 2 state q : scalar @ cells tag=\"(1\n", "line 3: a text without its closing quote"},
      {HEAD "symbol 2 state q : scalar @ cells tag=\"\\q\"\n", "line 3: unknown escape"},
      {HEAD "%1 = read q : scalar\n", "line 3: unknown symbol `q`"},
      {HEAD "%1 = read h#9 : scalar\n", "line 3: a symbol's number is out of range"},
      {HEAD "%1 = read h @X : scalar\n", "line 3: unknown index `X`"},
      {HEAD "%1 = read h @(1,2) : scalar\n", "line 3: expected `,`"},
      {HEAD "%1 = read h @(1,2,300) : scalar\n", "line 3: 300 is not within"},
      {HEAD "%1 = frobnicate %2 : scalar\n", "line 3: unknown operator `frobnicate`"},
      {HEAD "%1 = neg %1 : scalar\n", "line 3: %1 is used before its definition"},
      {HEAD "%1 = neg %4000000 : scalar\n", "line 3: a node is out of range"},
      {HEAD "%1 = const : scalar\n", "line 3: expected a number"},
      {HEAD "%1 = const 1 : scalar\n%1 = const 2 : scalar\n", "line 4: %1 cannot be defined"},
      {HEAD "%1 = const 1 : scalar rubbish\n", "line 3: unknown attribute `rubbish`"},
      {HEAD "value h = %1\n", "line 3: "},
      {HEAD "rule 1 wall {\n", "line 4: the text ends before a `}`"},
      {HEAD "rule 1 wall {\n  colour h\n}\n", "line 4: expected `arg`"},
      {HEAD "step {\n  dance {\n  }\n}\n", "line 4: expected a statement"},
      {HEAD "nonsense\n", "line 3: expected a symbol, a node"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    arena *a = fixture_arena();
    const char *error = NULL;
    assert_null(ir_parse(a, intern_create(a), cases[i].text, &error));
    assert_non_null(error);
    if (strncmp(error, cases[i].error, strlen(cases[i].error)) != 0)
      fail_msg("expected: %s\n   found: %s", cases[i].error, error);
    arena_destroy(&a);
  }
}

static void deep_nesting_is_refused(void **state) {
  (void)state;
  arena *a = fixture_arena();
  char *text = arena_alloc(a, 100000);
  strcpy(text, HEAD "step {\n");
  for (int i = 0; i < 5000; i++) strcat(text, "repeat {\n");
  const char *error = NULL;
  assert_null(ir_parse(a, intern_create(a), text, &error));
  assert_non_null(strstr(error, "nested more than"));
  arena_destroy(&a);
}

/* Cutting or changing the text anywhere must give a module or a message, and the module must stand verification. */
static void damaged_text_never_crashes(void **state) {
  (void)state;
  arena *a = fixture_arena();
  const char *text = read_golden(a, "everything.ir");
  size_t size = strlen(text);
  static const char replacement[] = "%0 9(\"}={@x\n-";
  for (size_t i = 0; i < 3000; i++) {
    arena *b = fixture_arena();
    char *copy = arena_strndup(b, text, size);
    size_t at = (i * 7919) % size;
    if (i % 4 == 0) copy[at] = '\0';
    else copy[at] = replacement[i % (sizeof replacement - 1)];
    const char *error = NULL;
    ir_module *m = ir_parse(b, intern_create(b), copy, &error);
    if (m == NULL) assert_non_null(error);
    else (void)ir_verify(m);
    arena_destroy(&b);
  }
  arena_destroy(&a);
}

/* ---- verification ----------------------------------------------------------------------------------------- */

#define SYMBOLS                                                                                              \
  "module m on mesh 2\n"                                                                                     \
  "symbol 1 parameter g : scalar @ nowhere\n"                                                                \
  "symbol 2 state h : scalar @ cells\n"                                                                      \
  "symbol 3 state q : vector(2) @ cells\n"                                                                   \
  "symbol 4 geometry area : scalar @ faces\n"                                                                \
  "symbol 5 state p : scalar @ nodes\n"                                                                      \
  "symbol 6 integral G : scalar @ edges\n"                                                                   \
  "symbol 7 equation C : scalar @ cells\n"                                                                   \
  "symbol 8 equation F : scalar @ faces\n"                                                                   \
  "symbol 9 equation N : scalar @ nodes\n"                                                                   \
  "symbol 10 equation E : scalar @ edges\n"                                                                  \
  "symbol 11 global S : scalar @ nowhere\n"                                                                  \
  "symbol 12 matrix H : scalar @ nodes\n"                                                                    \
  "symbol 13 equation roe : scalar @ faces fluctuation\n"                                                    \
  "symbol 14 given z : scalar @ cells\n"

static const char *verdict(arena *a, const char *text) {
  return ir_verify(fixture_parse(a, intern_create(a), text));
}

static void broken_modules_are_described(void **state) {
  (void)state;
  static const struct {
    const char *text, *found;
  } cases[] = {
      {SYMBOLS "%1 = neg : scalar\n", "0 operands instead of 1"},
      {SYMBOLS "%1 = const 1 : vector(2)\n", "a constant has one component"},
      {SYMBOLS "%1 = const 2 : bool\n", "a bool is 0 or 1"},
      {SYMBOLS "%1 = const 1 : tensor(3)\n", "a tensor of 3 components in 2 dimensions"},
      {SYMBOLS "%1 = read g : scalar\n", "`g` is a parameter"},
      {SYMBOLS "%1 = param h : scalar\n", "`h` is a field"},
      {SYMBOLS "%1 = param g @L : scalar\n", "a parameter has no index"},
      {SYMBOLS "%1 = read h : vector(2)\n", "of `h`, which is a scalar of 1"},
      {SYMBOLS "%1 = read q [2] : scalar\n", "component 2"},
      {SYMBOLS "%1 = read h : bool\n", "component 0, bool"},
      {SYMBOLS "%1 = read h : scalar\n%2 = read q : vector(2)\n%3 = + %1 %2 : vector(2)\n", "do not fit"},
      {SYMBOLS "%2 = read q : vector(2)\n%3 = * %2 %2 : vector(2)\n", "do not fit"},
      {SYMBOLS "%1 = read h : scalar\n%3 = not %1 : bool\n", "do not fit"},
      {SYMBOLS "%1 = read h : scalar\n%3 = select %1 %1 %1 : scalar\n", "do not fit"},
      {SYMBOLS "%1 = read h : scalar\n%3 = < %1 %1 : scalar\n", "where its operator gives a bool"},
      {SYMBOLS "%1 = read q : vector(2)\n%3 = norm %1 : vector(2)\n", "where its operator gives a scalar"},
      {SYMBOLS "%1 = read q : vector(2)\n%3 = part %1 [1] : vector(2)\n",
       "components [1, 3) of an operand of 2"},
      {SYMBOLS "%1 = read q : vector(2)\n%3 = tuple %1 : tuple(3)\n", "3 components from parts of 2"},
      {SYMBOLS "%1 = read h @D : scalar\n%2 = reduce sum faces rule 4 %1 : scalar\n", "no rule 4"},
      {SYMBOLS "%1 = read h : scalar\n%2 = reduce sum all %1 : scalar\n", "a reduction over no place"},
      {SYMBOLS "%1 = read q : vector(2)\nvalue C = %1\n", "the value of `C` is a vector of 2"},
      {SYMBOLS "%1 = const 1 : bool\nvalue C = %1\n", "the value of `C` is a bool"},
      {SYMBOLS "%1 = read h : scalar\nrequire %1 @ cells\n", "a `require` is a scalar"},
      {SYMBOLS "step {\n  solve {\n  }\n}\n", "has no target"},
      {SYMBOLS "symbol 15 state s : tuple(3) @ cells parts=1:1,1:2\n", "has parts that do not add up"},
      {SYMBOLS "symbol 15 state s : tuple(1) @ cells parts=1:99\n", "has a part that is no symbol"},
      {SYMBOLS "symbol 15 argument s : scalar @ cells rule=7\n", "belongs to a rule that is not there"},
      {SYMBOLS "symbol 15 equation s : scalar @ xfaces\n%1 = const 1 : scalar\nvalue s = %1\n",
       "at a place of grids"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    arena *a = fixture_arena();
    const char *wrong = verdict(a, cases[i].text);
    if (wrong == NULL || strstr(wrong, cases[i].found) == NULL)
      fail_msg("expected: %s\n   found: %s", cases[i].found, wrong ? wrong : "no complaint");
    arena_destroy(&a);
  }
}

/* What the text cannot say, because the parser would refuse it. */
static void broken_tables_are_described(void **state) {
  (void)state;
  fixture f = fixture_create(2);
  ir_id a = fixture_read(&f, f.scalar[0], IR_AT_HERE), b = ir_unary(f.m, IR_NEG, a);
  f.m->arg.at[ir_get(f.m, b)->first_arg] = b;
  assert_non_null(strstr(ir_verify(f.m), "does not come before"));
  f.m->arg.at[ir_get(f.m, b)->first_arg] = a;
  assert_null(ir_verify(f.m));
  f.m->node.at[b].first_arg = 1000;
  assert_non_null(strstr(ir_verify(f.m), "outside the pool"));
  f.m->node.at[b].first_arg = 0;
  f.m->node.at[b].op = 200;
  assert_non_null(strstr(ir_verify(f.m), "unknown operator"));
  f.m->node.at[b].op = IR_NEG;
  f.m->node.at[a].read.sym = 99;
  assert_non_null(strstr(ir_verify(f.m), "no symbol 99"));
  f.m->node.at[a].read.sym = f.scalar[0];
  f.m->node.at[a].read.level = 9;
  assert_non_null(strstr(ir_verify(f.m), "time level"));
  f.m->node.at[a].read.level = IR_NOW;
  f.m->node.at[a].read.off[0] = 1;
  assert_non_null(strstr(ir_verify(f.m), "a shift on an access"));
  f.m->node.at[a].read.off[0] = 0;
  f.m->symbol.at[f.result[0]].root[0] = 5000;
  assert_non_null(strstr(ir_verify(f.m), "is not there"));
  fixture_destroy(&f);
}

/* One access, put at a place directly or inside a loop: `good` and `bad` say where it may stand. */
static void accesses_belong_to_contexts(void **state) {
  (void)state;
  static const struct {
    const char *access,
        *contexts; /* of C: cell F: face N: node E: edge S: global; c: in a cell's loop, n: a node's */
  } cases[] = {
      {"read h", "Cc"},        {"read h @L", "F"},     {"read h @R", "F"},      {"read h @D", "c"},
      {"read area", "F"},      {"read area @F", "c"},  {"read area @OUT", "c"}, {"read p", "Nn"},
      {"read p @I", "E"},      {"read p @J", "En"},    {"read G", "E"},         {"read G @E", "n"},
      {"read H", "NEn"},       {"read H @E", "n"},     {"sign_out", "c"},       {"read roe", ""},
      {"read roe @F", ""},     {"read roe @OUT", "c"}, {"param g", "CFNEScn"},  {"read S", "CFNEScn"},
      {"read h @(0,0,0)", ""}, {"read h @MIRROR", ""}, {"read p @F", ""},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    for (const char *c = "CFNEScn"; *c; c++) {
      arena *a = fixture_arena();
      bool loop = *c == 'c' || *c == 'n';
      const char *reduce =
          arena_printf(a, "%%2 = reduce sum %s %%1 : scalar\n", *c == 'c' ? "faces" : "near");
      const char *text =
          arena_printf(a, SYMBOLS "%%1 = %s : scalar\n%svalue %c = %s\n", cases[i].access, loop ? reduce : "",
                       loop ? (*c == 'c' ? 'C' : 'N') : *c, loop ? "%2" : "%1");
      bool legal = strchr(cases[i].contexts, *c) != NULL;
      const char *wrong = verdict(a, text);
      if (legal != (wrong == NULL))
        fail_msg("`%s` in %c: %s", cases[i].access, *c, wrong ? wrong : "no complaint");
      arena_destroy(&a);
    }
}

static void reductions_belong_to_contexts(void **state) {
  (void)state;
  static const struct {
    const char *text;
    bool legal;
  } cases[] = {
      {"%1 = read h : scalar\n%2 = reduce sum all in cells %1 : scalar\nvalue S = %2\n", true},
      {"%1 = read h : scalar\n%2 = reduce sum all in cells %1 : scalar\nvalue C = %2\n", false},
      {"%1 = read h @D : scalar\n%2 = reduce sum faces %1 : scalar\n%3 = reduce max all in cells %2 : "
       "scalar\nvalue S = %3\n",
       true},
      {"%1 = read h @D : scalar\n%2 = reduce sum faces %1 : scalar\nvalue F = %2\n", false},
      {"%1 = read h @D : scalar\n%2 = reduce sum faces %1 : scalar\n%3 = reduce sum faces %2 : scalar\nvalue "
       "C = %3\n",
       false},
      {"%1 = read p @J : scalar\n%2 = reduce sum near %1 : scalar\nvalue E = %2\n", false},
      {"%1 = read h @L : scalar\n%2 = reduce min all in faces %1 : scalar\nvalue S = %2\n", true},
      {"%1 = read h : scalar\n%2 = reduce min all in xfaces %1 : scalar\nvalue S = %2\n", false},
      {"%1 = read h : scalar\nentry H = %1\n", false},
      {"%1 = read G : scalar\nentry H = %1\n", true},
      {"%1 = read H @E : scalar\n%2 = reduce sum near %1 : scalar\ndiagonal H = %2\n", true},
      {"%1 = read h @L : scalar\nrule 1 wall {\n  ghost h = %1\n}\n", true},
      {"%1 = read h @R : scalar\nrule 1 wall {\n  ghost h = %1\n}\n", false},
      {"%1 = read z @R : scalar\nrule 1 wall {\n  ghost h = %1\n}\n", true},
      {"%1 = read h : scalar\nrule 1 wall {\n  ghost h = %1\n}\n", false},
      {"%1 = read p new : scalar\nrule 1 wall {\n  fix p = %1\n}\n", true},
      {"%1 = read h : scalar\nstep {\n  update {\n    assign h = %1\n  }\n}\n", true},
      {"%1 = read h : scalar\nstep {\n  update {\n    assign p = %1\n  }\n}\n", false},
      {"%1 = read p : scalar\nstep {\n  integrate over=%1 {\n  }\n}\n", false},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    arena *a = fixture_arena();
    const char *wrong = verdict(a, arena_printf(a, SYMBOLS "%s", cases[i].text));
    if (cases[i].legal != (wrong == NULL)) fail_msg("%s%s", cases[i].text, wrong ? wrong : "no complaint");
    arena_destroy(&a);
  }
}

#define GRID                                                                                                 \
  "module m on grid 2\nsymbol 1 state p : scalar @ cells\nsymbol 2 state u : scalar @ xfaces\n"              \
  "symbol 3 geometry dx : scalar @ xline\nsymbol 4 equation C : scalar @ cells\n"

static void grids_shift_anywhere(void **state) {
  (void)state;
  static const struct {
    const char *text;
    bool legal;
  } cases[] = {
      {"%1 = read p : scalar\nvalue C = %1\n", true},
      {"%1 = read u @(1,0,0) : scalar\nvalue C = %1\n", true},
      {"%1 = read u : scalar\nvalue C = %1\n", false},
      {"%1 = read dx : scalar\nvalue C = %1\n", true},
      {"%1 = read p @D : scalar\nvalue C = %1\n", false},
      {"%1 = read p @INNER : scalar\nvalue C = %1\n", false},
      {"%1 = read p @INNER : scalar\nrule 1 wall axis=x {\n  ghost p = %1\n}\n", true},
      {"%1 = read u @MIRROR : scalar\nrule 1 wall axis=x {\n  ghost u = %1\n}\n", true},
      {"%1 = read p : scalar\n%2 = reduce sum faces %1 : scalar\nvalue C = %2\n", false},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    arena *a = fixture_arena();
    const char *wrong = verdict(a, arena_printf(a, GRID "%s", cases[i].text));
    if (cases[i].legal != (wrong == NULL)) fail_msg("%s%s", cases[i].text, wrong ? wrong : "no complaint");
    arena_destroy(&a);
  }
}

static void random_modules_verify(void **state) {
  (void)state;
  for (uint64_t seed = 0; seed < 200; seed++) {
    fixture f = fixture_create(2 + (int)(seed % 2));
    fixture_fill(&f, seed, 120, true);
    fixture_verify(f.m);
    fixture_destroy(&f);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_construct_reads_back),
      cmocka_unit_test(printing_is_a_fixed_point_of_random_modules),
      cmocka_unit_test(doubles_survive_text),
      cmocka_unit_test(dump_is_depth_limited),
      cmocka_unit_test(bad_text_has_a_line_and_a_reason),
      cmocka_unit_test(deep_nesting_is_refused),
      cmocka_unit_test(damaged_text_never_crashes),
      cmocka_unit_test(broken_modules_are_described),
      cmocka_unit_test(broken_tables_are_described),
      cmocka_unit_test(accesses_belong_to_contexts),
      cmocka_unit_test(reductions_belong_to_contexts),
      cmocka_unit_test(grids_shift_anywhere),
      cmocka_unit_test(random_modules_verify),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
