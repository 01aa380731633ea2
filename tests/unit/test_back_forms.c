/* Layouts, branches, neighbours, boundary rules, names and long expressions: emitted, run on every target, compared. */
#include "test_back_fixture.h"

/* ---- fluctuations and layouts ---- */

/* What a face sends to its two cells, for a pair (h, q) with a vector q: to L the jump, to R the mean, both scaled. */
static void fluctuation(dslc_emit emit, bool aos) {
  fixture *x = fixture_create();
  ir_sym h = add_field(x, "h", IR_STATE, IR_CELLS, ir_scalar(), aos, 1, 2);
  ir_sym q = add_field(x, "q", IR_STATE, IR_CELLS, ir_vector(x->m), aos, -1, 1);
  ir_type two_sided = {IR_TUPLE_RANK, 6}, tuple = {IR_TUPLE_RANK, 3};
  ir_sym roe = add_field(x, "roe", IR_EQUATION, IR_FACES, two_sided, aos, 0, 0);
  ir_symbol *s = ir_symbol_get(x->m, roe);
  s->type = tuple;
  s->is_fluctuation = true;
  s->tuple.n_parts = 2;
  s->tuple.part[0] = 1;
  s->tuple.part[1] = 2;
  s->tuple.part_sym[0] = h;
  s->tuple.part_sym[1] = q;
  ir_sym out = add_field(x, "U.new", IR_EQUATION, IR_CELLS, tuple, aos, 0, 0);
  plan_kernel *faces = add_kernel(x, "roe", IR_FACES);
  for (int k = 0; k < 3; k++) {
    ir_sym state = k ? q : h;
    int c = k ? k - 1 : 0;
    ir_id l = get(x, state, IR_AT_L, c), r = get(x, state, IR_AT_R, c);
    add_output(x, faces, PLAN_STORE, buffer_of(x, roe), k, sub(x, r, l));
    add_output(x, faces, PLAN_STORE, buffer_of(x, roe), 3 + k, mul(x, number(x, 0.25), add(x, l, r)));
  }
  plan_kernel *cells = add_kernel(x, "update", IR_CELLS);
  for (int k = 0; k < 3; k++)
    add_output(x, cells, PLAN_STORE, buffer_of(x, out), k, over_faces(x, IR_SUM, get(x, roe, IR_AT_OUT, k)));
  add_launch(x, 0, DSLC_OWNED);
  add_launch(x, 1, DSLC_OWNED);
  emit_and_check(x, emit);
  assert_null(strstr(strstr(x->g.execution.source, "void update"),
                     "}\n\n  double")); /* one loop for the three sums */
  run_on(x, emit);
  for (int c = 0; c < x->n_cells; c++)
    for (int k = 0; k < 3; k++) {
      double sum = 0;
      int b = buffer_of(x, k ? q : h), d = k ? k - 1 : 0;
      for (int n = 0; n < 3; n++) {
        double own = element(x, b, d, c), other = element(x, b, d, x->across[n][c]);
        sum += x->cell_face[n][c] >= 0 ? other - own : 0.25 * (own + other);
      }
      assert_near(element(x, buffer_of(x, out), k, c), sum);
    }
  const dslc_kernel *gather = &x->g.execution.kernel[1];
  for (int a = 0; a < gather->n_args; a++) {
    if (gather->arg[a].kind != DSLC_ARG_BUFFER) continue;
    int b = x->op[1].buffer[gather->arg[a].number];
    if (b == buffer_of(x, roe)) assert_true(gather->arg[a].reads == 6 && gather->arg[a].writes == 0);
    if (b == buffer_of(x, out)) assert_true(gather->arg[a].reads == 0 && gather->arg[a].writes == 3);
  }
  fixture_destroy(x);
}

static void test_fluctuations(void **state) {
  (void)state;
  each_target(emit) {
    fluctuation(emit, false);
    fluctuation(emit, true);
  }
}

/* ---- selects ---- */

/* u = h > dry ? q/h : 0 for both components, nested in a second choice, beside values that both arms share. */
static void selects(dslc_emit emit, select_form form) {
  fixture *x = fixture_create();
  x->p.how.select = form;
  ir_sym h = add_field(x, "h", IR_STATE, IR_CELLS, ir_scalar(), false, 0, 2);
  ir_sym q = add_field(x, "q", IR_STATE, IR_CELLS, ir_vector(x->m), false, -1, 1);
  ir_sym u = add_field(x, "u", IR_EQUATION, IR_CELLS, ir_vector(x->m), false, 0, 0);
  ir_sym flag = add_field(x, "wet", IR_EQUATION, IR_CELLS, ir_scalar(), false, 0, 0);
  ir_sym dry = add_parameter(x, "h_dry", 0.5);
  ir_id depth = get(x, h, IR_AT_HERE, 0), deep = ir_binary(x->m, IR_GT, depth, param(x, dry));
  ir_id root = ir_unary(x->m, IR_SQRT, depth);
  plan_kernel *k = add_kernel(x, "velocity", IR_CELLS);
  for (int c = 0; c < 2; c++) {
    ir_id value = quotient(x, get(x, q, IR_AT_HERE, c), depth);
    ir_id fast = ir_binary(x->m, IR_GT, value, number(x, 0.3));
    ir_id limited = ir_select(x->m, fast, add(x, number(x, 0.3), mul(x, root, number(x, 0.1))), value);
    named(x, limited, c ? "u.y" : "u.x");
    add_output(x, k, PLAN_STORE, buffer_of(x, u), c,
               ir_select(x->m, deep, limited, mul(x, root, number(x, 2))));
  }
  add_output(x, k, PLAN_STORE, buffer_of(x, flag), 0, ir_select(x->m, deep, number(x, 1), number(x, 0)));
  add_launch(x, 0, DSLC_OWNED);
  emit_and_check(x, emit);
  const char *text = strstr(x->g.execution.source, "void velocity");
  if (form == SELECT_BRANCH) {
    const char *first = strstr(text, "if (part) {"),
               *second = first ? strstr(first + 1, "if (part) {") : NULL;
    assert_non_null(first);
    assert_null(second); /* both components share one branch */
  } else assert_null(strstr(text, "} else {"));
  if (form == SELECT_DELTA) assert_non_null(strstr(text, "(double)"));
  run_on(x, emit);
  for (int c = 0; c < x->n_cells; c++) {
    double d = field(x, h)[c];
    assert_true(field(x, flag)[c] == (d > 0.5));
    for (int a = 0; a < 2; a++) {
      double v = element(x, buffer_of(x, q), a, c) / d, l = v > 0.3 ? 0.3 + sqrt(d) * 0.1 : v;
      assert_near(element(x, buffer_of(x, u), a, c), d > 0.5 ? l : sqrt(d) * 2);
    }
  }
  fixture_destroy(x);
}

static void test_selects(void **state) {
  (void)state;
  each_target(emit) for (int form = SELECT_TERNARY; form <= SELECT_BRANCH; form++)
      selects(emit, (select_form)form);
}

/* A long chain of choices, each used in the next: nesting is bounded, and so are the columns. */
static void test_deep_selects(void **state) {
  (void)state;
  for (int form = SELECT_TERNARY; form <= SELECT_BRANCH; form++) {
    dslc_emit emit = is_inner_run() ? DSLC_EMIT_OPENCL : DSLC_EMIT_C;
    fixture *x = fixture_create();
    x->p.how.select = (select_form)form;
    ir_sym h = add_field(x, "h", IR_STATE, IR_CELLS, ir_scalar(), false, 0, 2);
    ir_id v = get(x, h, IR_AT_HERE, 0);
    for (int i = 0; i < 100; i++) {
      ir_id c = ir_binary(x->m, IR_LT, get(x, h, IR_AT_HERE, 0), number(x, 0.02 * i));
      v = ir_select(x->m, c, mul(x, v, number(x, 1 + 1e-3 * i)), add(x, v, number(x, 1e-3 * i)));
      if (i % 2) v = ir_select(x->m, c, number(x, i), sub(x, v, number(x, 1e-4)));
    }
    plan_kernel *k = add_kernel(x, "chain", IR_CELLS);
    ir_sym out = add_field(x, "out", IR_EQUATION, IR_CELLS, ir_scalar(), false, 0, 0);
    add_output(x, k, PLAN_STORE, buffer_of(x, out), 0, v);
    add_launch(x, 0, DSLC_OWNED);
    emit_and_check(x, emit);
    run_on(x, emit);
    for (int cell = 0; cell < x->n_cells; cell++) {
      double d = field(x, h)[cell], e = d;
      for (int i = 0; i < 100; i++) {
        bool c = d < 0.02 * i;
        e = c ? e * (1 + 1e-3 * i) : e + 1e-3 * i;
        if (i % 2) e = c ? i : e - 1e-4;
      }
      assert_near(field(x, out)[cell], e);
    }
    fixture_destroy(x);
  }
}

/* ---- loops that depend on loops, and values that a loop does not change ---- */

static void test_chained_loops(void **state) {
  (void)state;
  each_target(emit) {
    fixture *x = fixture_create();
    ir_sym s = add_field(x, "s", IR_STATE, IR_CELLS, ir_scalar(), false, 1, 2);
    ir_sym out = add_field(x, "out", IR_EQUATION, IR_CELLS, ir_scalar(), false, 0, 0);
    ir_id own = get(x, s, IR_AT_HERE, 0), other = get(x, s, IR_AT_D, 0);
    ir_id most = over_faces(x, IR_REDUCE_MAX, other), least = over_faces(x, IR_REDUCE_MIN, other);
    ir_id range = named(x, sub(x, most, least), "range");
    ir_id limited = over_faces(x, IR_SUM, ir_binary(x->m, IR_MIN, range, mul(x, own, sub(x, other, own))));
    plan_kernel *k = add_kernel(x, "limit", IR_CELLS);
    add_output(x, k, PLAN_STORE, buffer_of(x, out), 0, add(x, limited, ir_unary(x->m, IR_EXP, own)));
    add_launch(x, 0, DSLC_OWNED);
    emit_and_check(x, emit);
    run_on(x, emit);
    for (int c = 0; c < x->n_cells; c++) {
      const double *v = field(x, s);
      double hi = -INFINITY, lo = INFINITY, sum = 0;
      for (int n = 0; n < 3; n++) hi = fmax(hi, v[x->across[n][c]]), lo = fmin(lo, v[x->across[n][c]]);
      for (int n = 0; n < 3; n++) sum += fmin(hi - lo, v[c] * (v[x->across[n][c]] - v[c]));
      assert_near(field(x, out)[c], sum + exp(v[c]));
    }
    fixture_destroy(x);
  }
}

/* ---- nodes and edges ---- */

static void test_nodes(void **state) {
  (void)state;
  each_target(emit) {
    fixture *x = fixture_create();
    enum { NODES = (NX + 1) * (NY + 1) };
    plan *p = &x->p;
    p->mesh.node_start = add_buffer(x, "node_start", DSLC_BUFFER_TOPOLOGY, DSLC_I32, DSLC_NODES, 1, false);
    p->mesh.edge_node = add_buffer(x, "edge_node", DSLC_BUFFER_TOPOLOGY, DSLC_I32, DSLC_EDGES, 1, false);
    p->mesh.edge_from = add_buffer(x, "edge_from", DSLC_BUFFER_TOPOLOGY, DSLC_I32, DSLC_EDGES, 1, false);
    int edges = 0; /* each node with the next three */
    for (int n = 0; n < NODES; n++)
      for (int k = 1; k <= 3; k++, edges++) {
        x->integer[p->mesh.edge_from][edges] = n;
        x->integer[p->mesh.edge_node][edges] = (n + k) % NODES;
        x->integer[p->mesh.node_start][n + 1] = edges + 1;
      }
    ir_sym u = add_field(x, "u", IR_STATE, IR_NODES, ir_vector(x->m), false, 0, 1);
    ir_sym G = add_field(x, "G", IR_INTEGRAL, IR_EDGES, ir_vector(x->m), false, 0, 1);
    ir_sym div = add_field(x, "div(w)", IR_EQUATION, IR_NODES, ir_scalar(), false, 0, 0);
    ir_id sum = number(x, 0);
    for (int d = 0; d < 2; d++) {
      ir_id jump = sub(x, get(x, u, IR_AT_J, d), get(x, u, IR_AT_I, d));
      ir_id term = mul(x, get(x, G, IR_AT_E, d), jump);
      sum = d ? add(x, sum, term) : term;
    }
    plan_kernel *k = add_kernel(x, "div(w)", IR_NODES);
    ir_id reduce = ir_reduction(x->m, IR_SUM, IR_OVER_NEAR, IR_EDGES, 0, sum);
    add_output(x, k, PLAN_STORE, buffer_of(x, div), 0, reduce);
    add_launch(x, 0, DSLC_OWNED);
    emit_and_check(x, emit);
    run_on(x, emit);
    for (int n = 0; n < NODES; n++) {
      double expected = 0;
      for (int e = 3 * n; e < 3 * n + 3; e++) {
        double part = 0;
        for (int d = 0; d < 2; d++) {
          int to = x->integer[p->mesh.edge_node][e], b = buffer_of(x, u);
          part += element(x, buffer_of(x, G), d, e) * (element(x, b, d, to) - element(x, b, d, n));
        }
        expected += part;
      }
      assert_near(field(x, div)[n], expected);
    }
    fixture_destroy(x);
  }
}

/* ---- boundary rules, aliased buffers, launch values ---- */

static void test_ghosts_of_a_rule(void **state) {
  (void)state;
  each_target(emit) {
    fixture *x = fixture_create();
    ir_sym T = add_field(x, "T", IR_STATE, IR_CELLS, ir_scalar(), false, 1, 2);
    ir_sym Tw = add_field(x, "half", IR_RULE_ARGUMENT, IR_FACES, ir_scalar(), false, 5, 6);
    x->buffer[buffer_of(x, Tw)].kind = DSLC_BUFFER_ARGUMENT;
    plan_kernel *k = add_kernel(x, "held", IR_FACES);
    k->first = true;
    ir_id value = sub(x, mul(x, number(x, 2), get(x, Tw, IR_AT_HERE, 0)), get(x, T, IR_AT_L, 0));
    add_output(x, k, PLAN_GHOST, buffer_of(x, T), 0, value);
    add_launch(x, 0, DSLC_RULE);
    static double before[N_CELLS];
    memcpy(before, field(x, T), sizeof before);
    x->colour_first[0] =
        0; /* DSLC_ARG_FIRST; the executor launches all faces, so keep to those with ghosts */
    for (int f = 0; f < x->n_faces; f++) /* interior faces: harmless targets behind the ghosts */
      if (x->right[f] < N_CELLS) x->integer[x->p.mesh.face_right][f] = x->n_all_cells + f;
    emit_and_check(x, emit);
    run_on(x, emit);
    for (int f = 0; f < x->n_faces; f++)
      if (x->right[f] >= N_CELLS)
        assert_near(field(x, T)[x->right[f]], 2 * field(x, Tw)[f] - before[x->left[f]]);
    fixture_destroy(x);
  }
}

/* A stage of a Runge-Kutta method: one launch reads and writes one buffer through two slots. */
static void test_rebinding(void **state) {
  (void)state;
  each_target(emit) {
    fixture *x = fixture_create();
    ir_sym u = add_field(x, "u", IR_STATE, IR_CELLS, ir_scalar(), false, 1, 2);
    ir_sym v = add_field(x, "v", IR_STATE, IR_CELLS, ir_scalar(), false, 1, 2);
    ir_sym stage = add_scalar(x, "stage_time", IR_TIME, -1), weight = add_scalar(x, "w", IR_TIME, -1);
    x->p.location[stage].launch = PLAN_LAUNCH_STAGE;
    x->p.location[weight].launch = PLAN_LAUNCH_WEIGHT;
    x->p.location[weight].first = 2;
    int scratch = add_buffer(x, "u.stage", DSLC_BUFFER_WORK, DSLC_F64, DSLC_CELLS, 2, false);
    plan_kernel *k = add_kernel(x, "advance", IR_CELLS);
    ir_id sum = add(x, get(x, u, IR_AT_HERE, 0), mul(x, param(x, weight), get(x, v, IR_AT_HERE, 0)));
    add_output(x, k, PLAN_STORE, scratch, 0, sum);
    add_output(x, k, PLAN_STORE, scratch, 1, add(x, get(x, u, IR_AT_HERE, 0), param(x, stage)));
    x->op[add_launch(x, 0, DSLC_OWNED)].stage = 0.5;
    x->op[0].weight[2] = 3;
    int both = add_buffer(x, "both", DSLC_BUFFER_WORK, DSLC_F64, DSLC_CELLS, 2, false);
    x->rebind[0] = (plan_rebind){0, 0, scratch, both};
    x->rebind[1] = (plan_rebind){0, 0, buffer_of(x, u), both};
    x->n_rebinds = 2;
    for (int c = 0; c < N_CELLS; c++) x->number[both][c] = field(x, u)[c];
    emit_and_check(x, emit);
    assert_null(strstr(x->g.execution.source, "double *restrict u_stage_"));
    assert_non_null(strstr(x->g.execution.source, "double *restrict v_"));
    run_on(x, emit);
    for (int c = 0; c < N_CELLS; c++) {
      assert_near(element(x, both, 0, c), field(x, u)[c] + 3 * field(x, v)[c]);
      assert_near(element(x, both, 1, c), field(x, u)[c] + 0.5);
    }
    fixture_destroy(x);
  }
}

/* Two states, each updated from both in place: all values before any store. */
static void test_updates_in_place(void **state) {
  (void)state;
  each_target(emit) {
    fixture *x = fixture_create();
    ir_sym a = add_field(x, "a", IR_STATE, IR_CELLS, ir_scalar(), false, 1, 2);
    ir_sym b = add_field(x, "b", IR_STATE, IR_CELLS, ir_scalar(), false, 1, 2);
    plan_kernel *k = add_kernel(x, "rotate", IR_CELLS);
    ir_id va = get(x, a, IR_AT_HERE, 0), vb = get(x, b, IR_AT_HERE, 0);
    add_output(x, k, PLAN_STORE, buffer_of(x, a), 0, vb);
    add_output(x, k, PLAN_STORE, buffer_of(x, b), 0, va);
    add_launch(x, 0, DSLC_OWNED);
    double was_a = field(x, a)[3], was_b = field(x, b)[3];
    emit_and_check(x, emit);
    run_on(x, emit);
    assert_true(field(x, a)[3] == was_b && field(x, b)[3] == was_a);
    fixture_destroy(x);
  }
}

/* ---- operators, names, long expressions ---- */

static double reference(int op, double a, double b) {
  switch (op) {
  case IR_POW: return pow(a, b);
  case IR_MIN: return a < b ? a : b;
  case IR_MAX: return a > b ? a : b;
  case IR_ABS: return fabs(a);
  case IR_SIGN: return (a > 0) - (a < 0);
  case IR_SQRT: return sqrt(a);
  case IR_CBRT: return cbrt(a);
  case IR_EXP: return exp(a);
  case IR_LOG: return log(a);
  case IR_SIN: return sin(a);
  case IR_COS: return cos(a);
  case IR_TAN: return tan(a);
  case IR_ASIN: return asin(a);
  case IR_ACOS: return acos(a);
  case IR_ATAN: return atan(a);
  case IR_ATAN2: return atan2(a, b);
  case IR_SINH: return sinh(a);
  case IR_COSH: return cosh(a);
  case IR_TANH: return tanh(a);
  case IR_FLOOR: return floor(a);
  default: return NAN;
  }
}

static void test_functions(void **state) {
  (void)state;
  each_target(emit) {
    fixture *x = fixture_create();
    ir_sym a = add_field(x, "sin", IR_STATE, IR_CELLS, ir_scalar(), false, 0.1, 0.9);
    ir_sym b = add_field(x, "float4", IR_STATE, IR_CELLS, ir_scalar(), false, 0.1, 0.9);
    ir_type list = {IR_LIST, 32};
    ir_sym out = add_field(x, "kernel", IR_EQUATION, IR_CELLS, list, true, 0, 0);
    plan_kernel *k = add_kernel(x, "main", IR_CELLS);
    static const int ops[] = {IR_POW,  IR_MIN,   IR_MAX,  IR_ABS,  IR_SIGN, IR_SQRT, IR_CBRT,
                              IR_EXP,  IR_LOG,   IR_SIN,  IR_COS,  IR_TAN,  IR_ASIN, IR_ACOS,
                              IR_ATAN, IR_ATAN2, IR_SINH, IR_COSH, IR_TANH, IR_FLOOR};
    enum { N = sizeof ops / sizeof *ops };
    ir_id va = get(x, a, IR_AT_HERE, 0), vb = get(x, b, IR_AT_HERE, 0);
    for (int i = 0; i < N; i++) {
      bool two = ir_op_get((ir_op)ops[i])->arity == 2;
      add_output(x, k, PLAN_STORE, buffer_of(x, out), i,
                 two ? ir_binary(x->m, (ir_op)ops[i], va, vb) : ir_unary(x->m, (ir_op)ops[i], va));
    }
    add_launch(x, 0, DSLC_OWNED);
    emit_and_check(x, emit);
    run_on(x, emit);
    for (int c = 0; c < N_CELLS; c += 5)
      for (int i = 0; i < N; i++)
        assert_near(element(x, buffer_of(x, out), i, c), reference(ops[i], field(x, a)[c], field(x, b)[c]));
    fixture_destroy(x);
  }
}

/* min and max let a NaN through on whichever side it stands, also beside a literal or a parameter. */
static void test_nan_in_min(void **state) {
  (void)state;
  each_target(emit) {
    fixture *x = fixture_create();
    ir_sym a = add_field(x, "a", IR_STATE, IR_CELLS, ir_scalar(), false, 1, 2);
    ir_sym b = add_field(x, "b", IR_STATE, IR_CELLS, ir_scalar(), false, 1, 2);
    ir_sym bound = add_parameter(x, "bound", 1.5);
    ir_type list = {IR_LIST, 12};
    ir_sym out = add_field(x, "out", IR_EQUATION, IR_CELLS, list, false, 0, 0);
    plan_kernel *k = add_kernel(x, "bounds", IR_CELLS);
    int n = 0;
    for (int op = IR_MIN; op <= IR_MAX; op++) {
      ir_id va = get(x, a, IR_AT_HERE, 0), vb = get(x, b, IR_AT_HERE, 0), vp = param(x, bound),
            one = number(x, 1.25);
      ir_id left[] = {va, vb, va, vp, va, one}, right[] = {vb, va, vp, va, one, va};
      for (int i = 0; i < 6; i++) {
        ir_id value = ir_binary(x->m, (ir_op)op, left[i], right[i]);
        add_output(x, k, PLAN_STORE, buffer_of(x, out), n++, value);
      }
    }
    add_launch(x, 0, DSLC_OWNED);
    field(x, a)[4] = NAN;
    emit_and_check(x, emit);
    run_on(x, emit);
    for (int i = 0; i < n; i++) assert_true(isnan(element(x, buffer_of(x, out), i, 4)));
    for (int c = 5; c < N_CELLS; c++)
      for (int i = 0; i < n; i++) {
        double v = field(x, a)[c], w = i % 6 < 2 ? field(x, b)[c] : i % 6 < 4 ? 1.5 : 1.25;
        assert_true(element(x, buffer_of(x, out), i, c) == reference(i < 6 ? IR_MIN : IR_MAX, v, w));
      }
    fixture_destroy(x);
  }
}

static void test_long_expressions(void **state) {
  (void)state;
  each_target(emit) {
    fixture *x = fixture_create();
    ir_sym h = add_field(x, "a_rather_long_name_of_a_quantity", IR_STATE, IR_CELLS, ir_scalar(), false, 1, 2);
    ir_sym out = add_field(x, "out", IR_EQUATION, IR_CELLS, ir_scalar(), false, 0, 0);
    ir_id v = get(x, h, IR_AT_HERE, 0), sum = v;
    for (int i = 1; i < 200; i++)
      sum = i % 3 ? sub(x, sum,
                        quotient(x, add(x, v, number(x, -i)), sub(x, number(x, i + 0.1), number(x, -1e-300))))
                  : ir_unary(x->m, IR_NEG, ir_unary(x->m, IR_NEG, mul(x, sum, number(x, -1 - 1e-3 * i))));
    plan_kernel *k = add_kernel(x, "long", IR_CELLS);
    add_output(x, k, PLAN_STORE, buffer_of(x, out), 0, sum);
    add_launch(x, 0, DSLC_OWNED);
    emit_and_check(x, emit);
    run_on(x, emit);
    for (int c = 0; c < N_CELLS; c++) {
      double d = field(x, h)[c], e = d;
      for (int i = 1; i < 200; i++) e = i % 3 ? e - (d + -i) / (i + 0.1 - -1e-300) : e * (-1 - 1e-3 * i);
      assert_near(field(x, out)[c], e);
    }
    fixture_destroy(x);
  }
}

/* The order of operations is the scheme's: brackets stand where C would read it otherwise. */
static void test_brackets(void **state) {
  (void)state;
  each_target(emit) {
    fixture *x = fixture_create();
    ir_sym f = add_field(x, "f", IR_STATE, IR_CELLS, ir_scalar(), false, 1, 2);
    ir_type list = {IR_LIST, 8};
    ir_sym out = add_field(x, "out", IR_EQUATION, IR_CELLS, list, false, 0, 0);
    ir_id a = get(x, f, IR_AT_HERE, 0), two = number(x, 2), three = number(x, 3),
          m = x->m ? ir_unary(x->m, IR_NEG, a) : 0;
    ir_id less = ir_binary(x->m, IR_LT, a, two), more = ir_binary(x->m, IR_GT, a, number(x, 1.5));
    ir_id both = ir_binary(x->m, IR_AND, ir_binary(x->m, IR_OR, less, more), ir_unary(x->m, IR_NOT, more));
    ir_id values[] = {sub(x, a, sub(x, two, a)),
                      quotient(x, a, mul(x, two, a)),
                      quotient(x, a, quotient(x, three, a)),
                      sub(x, two, m),
                      mul(x, m, m),
                      mul(x, add(x, a, two), sub(x, three, a)),
                      ir_select(x->m, both, ir_select(x->m, less, a, two), three),
                      add(x, two, number(x, -0.0))};
    plan_kernel *k = add_kernel(x, "brackets", IR_CELLS);
    for (int i = 0; i < 8; i++) add_output(x, k, PLAN_STORE, buffer_of(x, out), i, values[i]);
    add_launch(x, 0, DSLC_OWNED);
    emit_and_check(x, emit);
    run_on(x, emit);
    for (int c = 0; c < N_CELLS; c++) {
      double v = field(x, f)[c];
      bool b = (v < 2 || v > 1.5) && !(v > 1.5);
      double expected[] = {v - (2 - v), v / (2 * v),       v / (3 / v), 2 + v,
                           v * v,       (v + 2) * (3 - v), b ? v : 3,   2};
      for (int i = 0; i < 8; i++) assert_near(element(x, buffer_of(x, out), i, c), expected[i]);
    }
    fixture_destroy(x);
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
      cmocka_unit_test(test_fluctuations),
      cmocka_unit_test(test_selects),
      cmocka_unit_test(test_deep_selects),
      cmocka_unit_test(test_chained_loops),
      cmocka_unit_test(test_nodes),
      cmocka_unit_test(test_ghosts_of_a_rule),
      cmocka_unit_test(test_rebinding),
      cmocka_unit_test(test_updates_in_place),
      cmocka_unit_test(test_functions),
      cmocka_unit_test(test_nan_in_min),
      cmocka_unit_test(test_long_expressions),
      cmocka_unit_test(test_brackets),
      cmocka_unit_test(test_oclgrind),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
