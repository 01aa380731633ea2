/* Each construct of the grammar, and what the tree holds of it. */
#include "test_front_fixture.h"

static const ast_decl *only(const ast_file *tree) {
  assert_int_equal(tree->scheme->n_decls, 1);
  return tree->scheme->decls[0];
}

/* Canonical text of the formula of `x = formula`. */
static void check_text(const char *formula, const char *expected) {
  fixture f;
  char text[500];
  snprintf(text, sizeof text, "x = %s", formula);
  const ast_decl *d = only(fixture_scheme(&f, text));
  assert_int_equal(d->kind, AST_GLOBAL);
  assert_string_equal(ast_expr_text(f.memory, d->body.expr), expected);
  fixture_destroy(&f);
}

/* ---- file and scheme ----------------------------------------------------------------------------------- */

static void file_holds_imports_functions_and_a_scheme(void **state) {
  (void)state;
  fixture f = fixture_create(
      "a.ew", "import limiters import more\n-- minimal\nfn minmod(r, s) = max(0, min(r, s))  -- (4)\n"
              "-- Two lines\n-- of text.\nscheme a on grid(3) { }\n");
  const ast_file *tree = fixture_parse(&f);
  assert_int_equal(diag_errors(f.sink), 0);
  assert_int_equal(tree->n_imports, 2);
  assert_string_equal(tree->imports[1].file, "more");
  assert_int_equal(tree->n_functions, 1);
  assert_string_equal(tree->functions[0]->head.text, "minmod");
  assert_int_equal(tree->functions[0]->head.n_params, 2);
  assert_string_equal(tree->functions[0]->tag, "(4)");
  assert_string_equal(tree->functions[0]->comment, "minimal");
  assert_true(tree->scheme->on_grid);
  assert_int_equal(tree->scheme->dim, 3);
  assert_string_equal(tree->scheme->comment, "Two lines\nof text.");
  fixture_destroy(&f);
}

static void dimension_may_be_a_letter(void **state) {
  (void)state;
  fixture f = fixture_create("a.ew", "scheme a on mesh(D) { }");
  const ast_scheme *s = fixture_parse(&f)->scheme;
  assert_false(s->on_grid);
  assert_int_equal(s->dim, 0);
  assert_string_equal(s->dim_letter, "D");
  fixture_destroy(&f);
}

static void empty_file_is_an_empty_tree(void **state) {
  (void)state;
  fixture f = fixture_create("a.ew", "\xEF\xBB\xBF -- nothing\n");
  const ast_file *tree = fixture_parse(&f);
  assert_int_equal(diag_errors(f.sink), 0);
  assert_null(tree->scheme);
  fixture_destroy(&f);
}

/* ---- declarations -------------------------------------------------------------------------------------- */

static void parameters_have_type_unit_and_default_in_any_order(void **state) {
  (void)state;
  fixture f;
  const ast_decl *d =
      only(fixture_scheme(&f, "parameter nu [m^2/s], vel : vector [m/s] = (0, 0), w [m/s] : vector = (1, 2), "
                              "tol = 1e-6 over time, k : real[4]"));
  assert_int_equal(d->n_params, 5);
  assert_null(d->params[0].value);
  assert_int_equal(d->params[0].unit->n, 2);
  assert_int_equal(d->params[1].type->rank, AST_VECTOR);
  assert_non_null(d->params[1].unit);
  assert_int_equal(d->params[1].value->kind, AST_TUPLE);
  assert_int_equal(d->params[2].type->rank, AST_VECTOR);
  assert_true(d->params[3].over_time);
  assert_false(d->params[2].over_time);
  assert_int_equal(d->params[4].type->rank, AST_REAL_N);
  assert_int_equal(d->params[4].type->n, 4);
  fixture_destroy(&f);
}

static void units_have_rational_exponents(void **state) {
  (void)state;
  fixture f;
  const ast_decl *d = only(fixture_scheme(
      &f, "parameter n [s/m^(1/3)], p [kg/(m*s^2)], q [1/min], r [(m/s)^2], s [m^-2*K^(-2/4)], t [1]"));
  const ast_unit *u = d->params[0].unit;
  assert_string_equal(u->factor[1].base, "m");
  assert_int_equal(u->factor[1].num, -1);
  assert_int_equal(u->factor[1].den, 3);
  u = d->params[1].unit;
  assert_int_equal(u->n, 3);
  assert_int_equal(u->factor[2].num, -2);
  assert_string_equal(d->params[2].unit->factor[0].base, "min");
  assert_int_equal(d->params[2].unit->factor[0].num, -1);
  assert_int_equal(d->params[3].unit->factor[1].num, -2);
  assert_int_equal(d->params[4].unit->factor[1].num, -1);
  assert_int_equal(d->params[4].unit->factor[1].den, 2);
  assert_int_equal(d->params[5].unit->n, 0);
  fixture_destroy(&f);
}

static void fields_variants_and_conditions(void **state) {
  (void)state;
  fixture f;
  const ast_scheme *s =
      fixture_scheme(&f, "variant time = implicit | explicit\nstate p, T @ cells [Pa]\n"
                         "given wind : vector @ faces [m/s] over time\nrequire p > 0 and T > 0")
          ->scheme;
  assert_int_equal(s->n_decls, 4);
  assert_int_equal(s->decls[0]->part.variant.n, 2);
  assert_string_equal(s->decls[0]->part.variant.choice[1], "explicit");
  assert_int_equal(s->decls[1]->n_names, 2);
  assert_string_equal(s->decls[1]->place, "cells");
  assert_non_null(s->decls[1]->unit);
  assert_true(s->decls[2]->over_time);
  assert_int_equal(s->decls[2]->type->rank, AST_VECTOR);
  assert_int_equal(s->decls[3]->kind, AST_REQUIRE);
  assert_int_equal(s->decls[3]->body.expr->op, AST_AND);
  fixture_destroy(&f);
}

static void equations_of_all_forms(void **state) {
  (void)state;
  fixture f;
  const ast_scheme *s =
      fixture_scheme(&f,
                     "rho[i,j] @ cells [kg/m^3] = p/T  -- (12), (13): state\n"
                     "grad(s) : vector @ nodes = sum(J near I) G*s[J]\n"
                     "F.x @ xfaces = a*b where a = 1,  -- (9)\n (b, c) = split(a)\n"
                     "flux q @ faces = T[L] - T[R]\n"
                     "wave @ faces {  -- (29)\n let un = 1, c = 2  -- (8)\n flux = un*c  to L = 1  to R = 2\n"
                     " speed = abs(un)  -- (30)\n}\ndt = 1")
          ->scheme;
  assert_int_equal(s->n_decls, 6);
  const ast_decl *const *d = (const ast_decl *const *)s->decls;
  assert_string_equal(d[0]->tag, "(12), (13)");
  assert_int_equal(d[0]->head.n_index, 2);
  assert_string_equal(d[0]->head.index[1], "j");
  assert_non_null(d[0]->unit);
  assert_string_equal(d[1]->head.param[0], "s");
  assert_int_equal(d[1]->type->rank, AST_VECTOR);
  assert_string_equal(d[2]->head.text, "F.x");
  assert_int_equal(d[2]->body.n_where, 2);
  assert_int_equal(d[2]->body.where[1].n_names, 2);
  assert_string_equal(d[2]->body.where[0].tag, "(9)");
  assert_true(d[3]->is_flux);
  assert_int_equal(d[4]->part.block.n, 5);
  assert_string_equal(d[4]->tag, "(29)");
  assert_int_equal(d[4]->part.block.result[0].kind, AST_RESULT_LET);
  assert_int_equal(d[4]->part.block.result[0].n_bindings, 2);
  assert_string_equal(d[4]->part.block.result[0].tag, "(8)");
  assert_string_equal(d[4]->part.block.result[0].bindings[1].tag, "(8)");
  assert_int_equal(d[4]->part.block.result[1].kind, AST_RESULT_FLUX);
  assert_int_equal(d[4]->part.block.result[2].kind, AST_RESULT_TO_L);
  assert_int_equal(d[4]->part.block.result[3].kind, AST_RESULT_TO_R);
  assert_string_equal(d[4]->part.block.result[4].text, "speed");
  assert_string_equal(d[4]->part.block.result[4].tag, "(30)");
  assert_int_equal(d[5]->kind, AST_GLOBAL);
  fixture_destroy(&f);
}

static void matrices(void **state) {
  (void)state;
  fixture f;
  const ast_decl *d = only(fixture_scheme(
      &f, "matrix H symmetric @ nodes {\n H[I,J] = a  -- (45)\n H[I,I] = -sum(J near I) H[I,J]\n}"));
  assert_true(d->part.matrix.symmetric);
  assert_int_equal(d->part.matrix.n_assign, 2);
  assert_string_equal(d->part.matrix.assign[0].tag, "(45)");
  assert_null(d->part.matrix.assign[1].tag);
  assert_string_equal(d->part.matrix.assign[1].target.index[1], "I");
  fixture_destroy(&f);
}

static void boundaries(void **state) {
  (void)state;
  fixture f;
  const ast_decl *d =
      only(fixture_scheme(&f, "boundary wall(w : vector = (0, 0), T_w [K] = 1 [K], qn over time) across y {\n"
                              " let k = 2, m = 3\n ghost v = 2*w.y - v[mirror]  fix momentum.y.hat = 0\n "
                              "flux q = -qn  add r = 1\n}"));
  assert_int_equal(d->n_params, 3);
  assert_true(d->params[2].over_time);
  assert_string_equal(d->part.boundary.axis, "y");
  assert_int_equal(d->part.boundary.n_rules, 5);
  assert_int_equal(d->part.boundary.rules[0].kind, AST_RULE_LET);
  assert_int_equal(d->part.boundary.rules[0].n_bindings, 2);
  assert_int_equal(d->part.boundary.rules[1].kind, AST_RULE_GHOST);
  assert_int_equal(d->part.boundary.rules[2].kind, AST_RULE_FIX);
  assert_string_equal(d->part.boundary.rules[2].target.text, "momentum.y.hat");
  assert_int_equal(d->part.boundary.rules[3].kind, AST_RULE_FLUX);
  assert_int_equal(d->part.boundary.rules[4].kind, AST_RULE_ADD);
  fixture_destroy(&f);
}

static void exchanges(void **state) {
  (void)state;
  fixture f;
  const ast_decl *d = only(fixture_scheme(&f, "exchange x <-> y, u <-> v { F.y @ yfaces = v  dt = 1 }"));
  assert_int_equal(d->part.exchange.n_pairs, 2);
  assert_string_equal(d->part.exchange.pair[1][0], "u");
  assert_null(d->part.exchange.pair[1][2]);
  assert_int_equal(d->part.exchange.n_decls, 2);
  fixture_destroy(&f);
  d = only(fixture_scheme(&f, "exchange x -> y -> z, u -> v -> w { }"));
  assert_string_equal(d->part.exchange.pair[0][2], "z");
  assert_string_equal(d->part.exchange.pair[1][2], "w");
  fixture_destroy(&f);
}

static void steps(void **state) {
  (void)state;
  fixture f;
  const ast_decl *d = only(fixture_scheme(
      &f, "step {\n update U = U - dt*r  -- (14)\n update { u = a  v = b }\n"
          " integrate u' = r, v' = s by rk4 over dt\n integrate { u' = r  v' = s } by euler over dt/2\n"
          " solve H*p = f by cg(tol = 1e-6, iterations = 20)  -- (16)\n solve H*p = f by cg\n"
          " repeat { update u = 1 } until max(c in cells) abs(u) < tol at most 500\n}"));
  assert_int_equal(d->part.step.n, 7);
  const ast_stmt *s = d->part.step.stmt;
  assert_string_equal(s[0].tag, "(14)");
  assert_int_equal(s[1].n_assign, 2);
  assert_int_equal(s[2].n_rates, 2);
  assert_string_equal(s[2].method, "rk4");
  assert_int_equal(s[3].n_rates, 2);
  assert_string_equal(s[3].rate[1].state, "v");
  assert_int_equal(s[3].over->op, AST_DIV);
  assert_string_equal(s[4].solve.matrix, "H");
  assert_string_equal(s[4].solve.unknown, "p");
  assert_int_equal(s[4].n_options, 2);
  assert_string_equal(s[4].tag, "(16)");
  assert_int_equal(s[5].n_options, 0);
  assert_int_equal(s[6].n_body, 1);
  assert_int_equal(s[6].until->op, AST_LT);
  assert_true(s[6].at_most->number == 500);
  fixture_destroy(&f);
}

/* ---- expressions --------------------------------------------------------------------------------------- */

static void precedence_and_canonical_text(void **state) {
  (void)state;
  static const char *const cases[][2] = {
      {"a+b*c^2", "a + b*c^2"},
      {"((a+b))*(c)", "(a + b)*c"},
      {"a-(b-c)-d", "a - (b - c) - d"},
      {"a/(b/c)/d", "a/(b/c)/d"},
      {"2^3^2", "2^3^2"},
      {"(2^3)^2", "(2^3)^2"},
      {"-a^2", "-a^2"},
      {"(-a)^2", "(-a)^2"},
      {"2^-1", "2^(-1)"},
      {"-(a*b)", "-(a*b)"},
      {"- - a", "-(-a)"},
      {"a - -b", "a - -b"},
      {"not a and b or c", "not a and b or c"},
      {"not (a and (b or c))", "not (a and (b or c))"},
      {"a < b and not c == d", "a < b and not c == d"},
      {"(a < b) == (c < d)", "(a < b) == (c < d)"},
      {"if a then b else if c then d else e + 1", "if a then b else if c then d else e + 1"},
      {"(if a then b else c) + d", "(if a then b else c) + d"},
      {"sum(f of c) area*q/volume + 1", "sum(f of c) area*q/volume + 1"},
      {"(sum(f of c) area)*q", "(sum(f of c) area)*q"},
      {"a*sum(f of c to d) s[d]*b", "a * sum(f of c to d) s[d]*b"},
      {"(a*sum(f of c) b)*c", "(a * sum(f of c) b)*c"},
      {"-sum(J near I) x", "-sum(J near I) x"},
      {"max(f of c) area/x", "max(f of c) (area/x)"},
      {"min(f in faces(wall)) -x", "min(f in faces(wall)) -x"},
      {"max(c in cells) max(a, b)", "max(c in cells) max(a, b)"},
      {"sum(m in j-1..j+1) F.x[i+1,m]", "sum(m in j-1..j+1) F.x[i+1,m]"},
      {"psi(v[i-2 .. i+1, j], f[2])", "psi(v[i-2..i+1,j], f[2])"},
      {"u[i - -1]", "u[i - -1]"},
      {"grad(p - p.prev)[J]", "grad(p - p.prev)[J]"},
      {"u.2.prev[I].x", "u.2.prev[I].x"},
      {"(h, q, (a, b))", "(h, q, (a, b))"},
      {"1e-06 [m/s^2]", "1e-6 [m/s^2]"},
      {"0.1 + 1000000 + 1e30 + 0.3333333333333333", "0.1 + 1e6 + 1e30 + 0.3333333333333333"},
      {"2 [s/m^(1/3)] + 3 [1] + 4 [1/(m*s)]", "2 [s/m^(1/3)] + 3 [1] + 4 [1/m/s]"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) check_text(cases[i][0], cases[i][1]);
}

static void reductions_hold_their_binders(void **state) {
  (void)state;
  fixture f;
  const ast_expr *e = only(fixture_scheme(&f, "x = min(f in faces(wall)) a"))->body.expr;
  assert_int_equal(e->kind, AST_REDUCTION);
  assert_int_equal(e->reduce, AST_MIN);
  assert_int_equal(e->binder->kind, AST_IN);
  assert_string_equal(e->binder->domain, "faces");
  assert_string_equal(e->binder->rule, "wall");
  fixture_destroy(&f);
  e = only(fixture_scheme(&f, "x = sum(f of c to d) a"))->body.expr;
  assert_string_equal(e->binder->other, "d");
  assert_string_equal(e->binder->anchor, "c");
  fixture_destroy(&f);
  e = only(fixture_scheme(&f, "x = max(a, b)"))->body.expr;
  assert_int_equal(e->kind, AST_CALL);
  assert_string_equal(e->arg[0]->text, "max");
  fixture_destroy(&f);
}

static void spans_cover_what_was_typed(void **state) {
  (void)state;
  fixture f;
  const ast_decl *d = only(fixture_scheme(&f, "q @ faces = kappa*(T[L] - T.prev)"));
  const char *text = source_get(f.sources, f.file)->text;
  assert_memory_equal(text + d->at.start, "q @ faces = kappa*(T[L] - T.prev)", d->at.end - d->at.start);
  assert_memory_equal(text + d->place_at.start, "faces", 5);
  const ast_expr *e = d->body.expr;
  assert_memory_equal(text + e->at.start, "kappa*(T[L] - T.prev)", e->at.end - e->at.start);
  const ast_expr *member = e->arg[1]->arg[1];
  assert_memory_equal(text + member->text_at.start, "prev", member->text_at.end - member->text_at.start);
  fixture_destroy(&f);
}

static void formulas_go_on_before_operators(void **state) {
  (void)state;
  check_text("a\n  + b\n  - c", "a + b - c");
  check_text("a  -- comment\n  * b; -- another\n", "a*b");
}

static void only_numbers_of_equations_are_tags(void **state) {
  (void)state;
  static const char *const cases[][2] = {{"(14)", "(14)"},
                                         {"(5), divided by |q|", "(5)"},
                                         {"(25)-(27)", "(25)-(27)"},
                                         {"(A1) and (10.48): text", "(A1) and (10.48)"},
                                         {"(see below)", NULL},
                                         {"of (14)", NULL},
                                         {"()", NULL},
                                         {"(14", NULL}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    fixture f = fixture_create("", "");
    const char *text = arena_printf(f.memory, "x = 1 -- %s\n", cases[i][0]);
    fixture g;
    const ast_decl *d = only(fixture_scheme(&g, text));
    if (cases[i][1]) assert_string_equal(d->tag, cases[i][1]);
    else assert_null(d->tag);
    fixture_destroy(&g);
    fixture_destroy(&f);
  }
}

static void comments_above_belong_to_declarations(void **state) {
  (void)state;
  fixture f;
  const ast_scheme *s = fixture_scheme(&f, "-- section\n\n-- one\n--two\na = 1  -- not above\nb = 2")->scheme;
  assert_string_equal(s->decls[0]->comment, "one\ntwo");
  assert_null(s->decls[1]->comment);
  fixture_destroy(&f);
}

/* ---- size ---------------------------------------------------------------------------------------------- */

static char *repeated(arena *a, const char *head, const char *part, int n, const char *tail) {
  size_t size = strlen(part);
  char *text = arena_alloc(a, strlen(head) + size * (size_t)n + strlen(tail) + 1), *to = text + strlen(head);
  memcpy(text, head, strlen(head));
  for (int i = 0; i < n; i++, to += size) memcpy(to, part, size);
  memcpy(to, tail, strlen(tail));
  return text;
}

static void long_sums_are_flat(void **state) {
  (void)state;
  fixture f = fixture_create("", "");
  const char *text = repeated(f.memory, "scheme s on mesh(2) { x = a", " + a*b", 100000, "}");
  f.file = source_add(f.sources, "long.ew", text, (uint32_t)strlen(text));
  const ast_expr *e = only(fixture_parse(&f))->body.expr;
  assert_int_equal(diag_errors(f.sink), 0);
  assert_int_equal(e->depth, 3);
  assert_int_equal(strlen(ast_expr_text(f.memory, e)), 1 + 6 * 100000);
  assert_true(arena_used(f.memory) < 100u << 20);
  fixture_destroy(&f);
}

static void deep_nesting_is_an_error(void **state) {
  (void)state;
  static const char *const parts[][3] = {{"(", "x", ")"},
                                         {"- ", "x", ""},
                                         {"not ", "x", ""},
                                         {"2^", "2", ""},
                                         {"if a then ", "1", " else 2"},
                                         {"f(", "x", ")"},
                                         {"u[", "i", "]"},
                                         {"if a then 1 else ", "2", ""},
                                         {"sum(f of c) ", "x", ""}};
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
    for (int n = 150; n <= 1500000; n *= 100) {
      fixture f = fixture_create("", "");
      const char *head = repeated(f.memory, "scheme s on mesh(2) { x = ", parts[i][0], n, parts[i][1]);
      const char *text = repeated(f.memory, head, parts[i][2], n, " }");
      uint32_t size = (uint32_t)strlen(text);
      f.file = source_add(f.sources, "deep.ew", text, size < 15000000 ? size : 15000000);
      fixture_parse(&f);
      if (n == 150) assert_int_equal(diag_errors(f.sink), 0);
      else assert_int_equal(diag_first(f.sink)->code, DIAG_NESTING);
      fixture_destroy(&f);
    }
  }
}

static void shipped_prototypes_parse(void **state) {
  (void)state;
  fixture f = fixture_create("", "");
  uint32_t file;
  assert_int_equal(source_load(f.sources, EW_SOURCE_DIR "/tests/golden/fmt/simple_ts.ew", &file), 0);
  const ast_file *tree = parse_file(f.memory, f.names, f.sources, file, f.sink);
  assert_int_equal(diag_errors(f.sink), 0);
  assert_int_equal(tree->scheme->n_decls, 26);
  fixture_destroy(&f);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(file_holds_imports_functions_and_a_scheme),
      cmocka_unit_test(dimension_may_be_a_letter),
      cmocka_unit_test(empty_file_is_an_empty_tree),
      cmocka_unit_test(parameters_have_type_unit_and_default_in_any_order),
      cmocka_unit_test(units_have_rational_exponents),
      cmocka_unit_test(fields_variants_and_conditions),
      cmocka_unit_test(equations_of_all_forms),
      cmocka_unit_test(matrices),
      cmocka_unit_test(boundaries),
      cmocka_unit_test(exchanges),
      cmocka_unit_test(steps),
      cmocka_unit_test(precedence_and_canonical_text),
      cmocka_unit_test(reductions_hold_their_binders),
      cmocka_unit_test(spans_cover_what_was_typed),
      cmocka_unit_test(formulas_go_on_before_operators),
      cmocka_unit_test(only_numbers_of_equations_are_tags),
      cmocka_unit_test(comments_above_belong_to_declarations),
      cmocka_unit_test(long_sums_are_flat),
      cmocka_unit_test(deep_nesting_is_an_error),
      cmocka_unit_test(shipped_prototypes_parse),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
