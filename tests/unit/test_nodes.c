/* What the planner makes of schemes at nodes and edges: rules as holds, linear systems, quantities that look back, what is
 * computed once; seen in the program, whose answers tests/physics compares with an independent solver. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "dslc.h"

static const char *const integrals = "  M    @ nodes = integral(N[I])\n"
                                     "  grad @ edges = integral(N[I]*dN[J])\n"
                                     "  Ld   @ edges = integral(outer(dN[I], dN[J]))\n";

/* `body` stands behind the integrals. Settings are pairs of texts, NULL at the end. */
static dslc_program *build(const char *body, const char *const *settings) {
  char text[4096];
  snprintf(text, sizeof text, "scheme s on mesh(2) {\n%s%s\n}\n", integrals, body);
  dslc_setting schedule[8];
  int n = 0;
  for (; settings && settings[2 * n]; n++) schedule[n] = (dslc_setting){settings[2 * n], settings[2 * n + 1]};
  dslc_options o = {
      .path = "s.ew", .text = text, .dims = 2, .n_rules = -1, .schedule = schedule, .n_schedule = n};
  dslc_program *p = NULL;
  dslc_messages *messages;
  if (dslc_compile(&o, &p, &messages) != 0) dslc_messages_print(messages, stderr, false);
  dslc_messages_destroy(&messages);
  assert_non_null(p);
  return p;
}

static bool binds(const dslc_program *p, const dslc_op *op, const char *buffer) {
  for (int i = 0; op->kind == DSLC_OP_LAUNCH && i < op->n_buffers; i++)
    if (strcmp(p->execution.buffer[op->buffer[i]].name, buffer) == 0) return true;
  return false;
}

/* How many launches of a section bind the buffer. */
static int launches_with(const dslc_program *p, int section, const char *buffer) {
  int n = 0;
  for (int i = 0; i < p->execution.section[section].n_ops; i++)
    n += binds(p, &p->execution.section[section].op[i], buffer);
  return n;
}

static bool has_note(const dslc_program *p, const char *text) {
  for (int i = 0; i < p->n_notes; i++)
    if (strstr(p->note[i].text, text)) return true;
  return false;
}

/* ---- holds ---------------------------------------------------------------------------------------------------------- */

static const char *const slipping = "  state u : vector @ nodes\n"
                                    "  rate @ nodes = -1/M * sum(J near I) trace(Ld)*(u[J] - u[I])\n"
                                    "  boundary slip { fix u = u - dot(u, normal)*normal }\n"
                                    "  boundary held(U : vector) { fix u = U }\n"
                                    "  boundary pushed(f : vector) { add rate = f*area/M }\n"
                                    "  dt = 1e-3\n"
                                    "  step { integrate u' = rate by rk4 over dt }\n";

static void rules_become_holds(void **state) {
  (void)state;
  dslc_program *p = build(slipping, NULL);
  assert_int_equal(p->model.n_holds, 3);
  assert_string_equal(p->model.hold[0].target, "u");
  assert_true(p->model.hold[0].projection && !p->model.hold[0].add);
  assert_true(!p->model.hold[1].projection && !p->model.hold[1].add);
  assert_string_equal(p->model.hold[2].target, "rate");
  assert_true(p->model.hold[2].add);
  int with_rows = 0;
  for (int b = 0; b < p->execution.n_buffers; b++) with_rows += p->execution.buffer[b].hold > 0;
  assert_int_equal(with_rows, 7); /* nodes of three; a normal; a velocity; a force and an area */
  dslc_program_destroy(&p);
}

/* In the setup, on every stage's values at the stage's time, and on the new ones; values before projections. */
static void holds_act_on_every_stage(void **state) {
  (void)state;
  dslc_program *p = build(slipping, NULL);
  static const double at[] = {0.5, 0.5, 1, 1};
  static const char *const on[] = {"u.stage1", "u.stage2", "u.stage1", "u"};
  const dslc_section *step = &p->execution.section[DSLC_SECTION_STEP];
  int fixes = 0, last = -1;
  for (int i = 0; i < step->n_ops; i++) {
    const dslc_op *op = &step->op[i];
    if (op->kind != DSLC_OP_LAUNCH || op->subset != DSLC_HOLD || p->model.hold[op->rule].add) continue;
    assert_int_equal(op->rule, fixes % 2 == 0 ? 1 : 0);
    assert_true(op->stage == at[fixes / 2]);
    assert_true(binds(p, op, on[fixes / 2]));
    last = i;
    fixes++;
  }
  assert_int_equal(fixes, 8);
  assert_true(last > 0);
  int in_setup = 0;
  for (int i = 0; i < p->execution.section[DSLC_SECTION_SETUP].n_ops; i++)
    in_setup += p->execution.section[DSLC_SECTION_SETUP].op[i].subset == DSLC_HOLD;
  assert_int_equal(in_setup, 2);
  dslc_program_destroy(&p);
}

/* ---- systems --------------------------------------------------------------------------------------------------------------- */

#define POTENTIAL(entry, method)                                                                             \
  "  parameter sharp = 1e-9\n"                                                                               \
  "  state p @ nodes\n  given a @ nodes\n"                                                                   \
  "  matrix H @ nodes {\n    H[I,J] = " entry "\n    H[I,I] = -sum(J near I) H[I,J]\n  }\n"                  \
  "  boundary open(value) { fix p = value }\n"                                                               \
  "  step { solve H*p = M*a by " method " }\n"

static void solves_say_what_is_known(void **state) {
  (void)state;
  dslc_program *p =
      build(POTENTIAL("mean(a)*trace(Ld)", "cg(tol = sharp, preconditioner = chebyshev)"), NULL);
  assert_int_equal(p->execution.n_solves, 1);
  const dslc_solve *s = &p->execution.solve[0];
  assert_true(s->symmetric && s->sums_to_zero);
  assert_true(has_note(p, "H: symmetric (proved)"));
  assert_string_equal(s->method, "cg");
  assert_string_equal(s->preconditioner, "chebyshev");
  assert_string_equal(s->tolerance, "$sharp");
  assert_int_equal(p->execution.buffer[s->off].place, DSLC_EDGES);
  assert_int_equal(p->execution.buffer[s->diagonal].place, DSLC_NODES);
  assert_int_equal(launches_with(p, DSLC_SECTION_STEP, "H.entry"), 0); /* it never changes */
  assert_int_equal(launches_with(p, DSLC_SECTION_SETUP, "H.entry"), 1);
  assert_true(launches_with(p, DSLC_SECTION_STEP, "held:p") > 0);
  dslc_program_destroy(&p);
  p = build(POTENTIAL("a[I]*trace(Ld)", "bicgstab"), NULL);
  assert_false(p->execution.solve[0].symmetric);
  dslc_program_destroy(&p);
  p = build(POTENTIAL("a[I]*trace(Ld)", "gmres"), NULL);
  assert_false(p->execution.solve[0].symmetric);
  assert_string_equal(p->execution.solve[0].method, "gmres");
  dslc_program_destroy(&p);
  p = build(POTENTIAL("trace(Ld)", "minres"), NULL);
  assert_true(p->execution.solve[0].symmetric);
  dslc_program_destroy(&p);
}

static void manifest_keeps_holds_and_solves(void **state) {
  (void)state;
  dslc_program *p = build(POTENTIAL("trace(Ld)", "cg_three_term"), NULL), *q = NULL;
  char path[] = "test_nodes_XXXXXX", file[64], error[200] = "";
  assert_non_null(mkdtemp(path));
  snprintf(file, sizeof file, "%s/s.json", path);
  assert_int_equal(dslc_manifest_write(p, file, error, sizeof error), 0);
  assert_int_equal(dslc_manifest_read(file, &q, error, sizeof error), 0);
  assert_int_equal(q->model.n_holds, 1);
  assert_int_equal(q->execution.n_solves, 1);
  assert_string_equal(q->execution.solve[0].method, "cg_three_term");
  assert_int_equal(q->execution.solve[0].off, p->execution.solve[0].off);
  assert_int_equal(q->model.hold[0].rule, p->model.hold[0].rule);
  for (int b = 0; b < p->execution.n_buffers; b++)
    assert_int_equal(q->execution.buffer[b].hold, p->execution.buffer[b].hold);
  dslc_program_destroy(&p);
  dslc_program_destroy(&q);
  unlink(file);
  snprintf(file, sizeof file, "%s/s.cl", path);
  unlink(file);
  rmdir(path);
}

/* ---- once ---------------------------------------------------------------------------------------------------------------------- */

static void what_looks_back_is_computed_once(void **state) {
  (void)state;
  dslc_program *p = build("  state u @ nodes\n"
                          "  rough @ nodes = sum(J near I) abs(u[J] - u[I])\n"
                          "  rate @ nodes = sum(J near I) rough.prev[J]*(u[J] - u[I])\n"
                          "  dt = 1e-3\n  step { integrate u' = rate by rk4 over dt }\n",
                          NULL);
  assert_int_equal(launches_with(p, DSLC_SECTION_STEP, "rough.prev"), 1 + 4);
  dslc_program_destroy(&p);
}

static void what_stages_share_is_computed_once(void **state) {
  (void)state;
  dslc_program *p = build("  state u @ nodes\n  state p @ nodes\n"
                          "  push @ nodes = sum(J near I) trace(Ld)*p[J]\n"
                          "  rate @ nodes = push - sum(J near I) trace(Ld)*u[J]\n"
                          "  dt = 1e-3\n  step { integrate u' = rate by rk4 over dt  update p = u }\n",
                          NULL);
  assert_int_equal(launches_with(p, DSLC_SECTION_STEP, "push"), 1 + 4);
  assert_true(has_note(p, "push: store, it is the same in all stages"));
  dslc_program_destroy(&p);
}

static const char *const carried = "  state c @ nodes\n  given a : vector @ nodes\n"
                                   "  rate @ nodes = -sum(J near I) dot(grad, a[I])*(c[J] - c[I])\n"
                                   "  dt = 1e-3\n  step { integrate c' = rate by heun over dt }\n";

static void constants_are_made_by_the_setup(void **state) {
  (void)state;
  dslc_program *p = build(carried, NULL);
  assert_int_equal(launches_with(p, DSLC_SECTION_STEP, "grad"), 0);
  assert_int_equal(launches_with(p, DSLC_SECTION_SETUP, "grad"), 1);
  dslc_program_destroy(&p);
}

/* A global keeps its value as long as what it depends on: then the setup computes it, if somebody asks. */
static void globals_are_made_by_the_setup(void **state) {
  (void)state;
  dslc_program *p = build("  state u @ nodes\n"
                          "  whole  = sum(I in nodes) M\n"
                          "  share  = 1/whole\n"
                          "  middle = sum(I in nodes) M*u*share\n"
                          "  unused = max(I in nodes) M\n"
                          "  paced  = max(I in nodes) M*dt\n"
                          "  dt = 1e-3\n  step { update u = u - middle*share + u*paced }\n",
                          NULL);
  assert_int_equal(launches_with(p, DSLC_SECTION_SETUP, "whole.partial"), 2);
  assert_int_equal(launches_with(p, DSLC_SECTION_STEP, "whole.partial"), 0);
  assert_int_equal(launches_with(p, DSLC_SECTION_STEP, "middle.partial"), 2);
  assert_int_equal(launches_with(p, DSLC_SECTION_SETUP, "unused.partial"), 0);
  assert_int_equal(launches_with(p, DSLC_SECTION_STEP, "paced.partial"), 2);
  dslc_program_destroy(&p);
}

/* trace(Ld) is kept, and read where little else is; where all of Ld is read anyway it is made of that. */
static void what_is_read_anyway_is_used(void **state) {
  (void)state;
  static const char *const body = "  state u : vector @ nodes\n"
                                  "  L @ edges = trace(Ld)\n"
                                  "  rate @ nodes = sum(J near I) (L*(u[J] - u[I])%s)\n"
                                  "  dt = 1e-3\n  step { update u = u + dt*rate }\n";
  char text[512];
  snprintf(text, sizeof text, body, "");
  dslc_program *p = build(text, NULL);
  assert_int_equal(launches_with(p, DSLC_SECTION_STEP, "L"), 1);
  assert_int_equal(launches_with(p, DSLC_SECTION_STEP, "Ld"), 0);
  dslc_program_destroy(&p);
  snprintf(text, sizeof text, body, " + Ld*(u[J] - u[I])");
  p = build(text, NULL);
  assert_int_equal(launches_with(p, DSLC_SECTION_STEP, "L"), 0);
  assert_int_equal(launches_with(p, DSLC_SECTION_STEP, "Ld"), 1);
  dslc_program_destroy(&p);
}

/* ---- schedules ------------------------------------------------------------------------------------------------------------------- */

static void lanes_share_nodes(void **state) {
  (void)state;
  dslc_program *p = build(carried, (const char *[]){"lanes", "8", "group", "64", NULL});
  int with_lanes = 0;
  for (int k = 0; k < p->execution.n_kernels; k++) {
    with_lanes += p->execution.kernel[k].lanes == 8;
    assert_true(p->execution.kernel[k].lanes == 0 ||
                (p->execution.kernel[k].local_size == 64 && p->execution.kernel[k].place == DSLC_NODES));
  }
  assert_true(with_lanes >= 2);
  dslc_program_destroy(&p);
}

/* Numbers at edges that the step reads lie in so many buffers. */
static int edge_buffers_of_step(const dslc_program *p) {
  int n = 0;
  for (int b = 0; b < p->execution.n_buffers; b++)
    n += p->execution.buffer[b].place == DSLC_EDGES && p->execution.buffer[b].element == DSLC_F64 &&
         launches_with(p, DSLC_SECTION_STEP, p->execution.buffer[b].name) > 0;
  return n;
}

static void edges_lie_as_asked(void **state) {
  (void)state;
  const char *body =
      "  state u : vector @ nodes\n"
      "  rate @ nodes = sum(J near I) (dot(grad, u[I])*(u[J] - u[I]) + dot(u[J], Ld*u[I])*u[J])\n"
      "  dt = 1e-3\n  step { update u = u + dt*rate }\n";
  dslc_program *p = build(body, (const char *[]){"edges", "apart", NULL});
  assert_int_equal(edge_buffers_of_step(p), 2);
  dslc_program_destroy(&p);
  p = build(body, (const char *[]){"edges", "lean", NULL});
  assert_int_equal(edge_buffers_of_step(p), 1);
  dslc_program_destroy(&p);
  p = build(body, (const char *[]){"edges", "packed", NULL});
  for (int b = 0; b < p->execution.n_buffers; b++)
    if (strcmp(p->execution.buffer[b].name, "edges") == 0)
      assert_true(p->execution.buffer[b].width == 9 && p->execution.buffer[b].aos);
  assert_int_equal(edge_buffers_of_step(p), 1);
  dslc_program_destroy(&p);
}

/* 0: there is no such buffer. */
static int lanes_of(const dslc_program *p, dslc_source_kind kind) {
  for (int b = 0; b < p->execution.n_buffers; b++)
    if (p->execution.buffer[b].source.kind == kind) return p->execution.buffer[b].source.lanes;
  return 0;
}

/* Slots are laid out for the work-items that a node has, one where it has no choice. */
static void slices_know_their_lanes(void **state) {
  (void)state;
  const char *body = "  state u : vector @ nodes\n"
                     "  rate @ nodes = sum(J near I) dot(grad, u[I])*(u[J] - u[I])\n"
                     "  dt = 1e-3\n  step { update u = u + dt*rate }\n";
  dslc_program *p = build(body, (const char *[]){"edges", "sliced", "lanes", "8", NULL});
  assert_int_equal(lanes_of(p, DSLC_SOURCE_SLOT_START), 8);
  assert_int_equal(lanes_of(p, DSLC_SOURCE_SLOT_NODE), 8);
  assert_int_equal(lanes_of(p, DSLC_SOURCE_EDGE_SLOT), 8);
  assert_non_null(strstr(p->execution.source, "grad_x(slot)"));
  assert_null(strstr(p->execution.source, "grad_x(e)"));
  dslc_program_destroy(&p);
  p = build(body, (const char *[]){"edges", "sliced", "lanes", "8", "items", "loop", NULL});
  assert_int_equal(lanes_of(p, DSLC_SOURCE_SLOT_START), 1);
  dslc_program_destroy(&p);
  p = build(body, (const char *[]){"edges", "apart", NULL});
  assert_int_equal(lanes_of(p, DSLC_SOURCE_SLOT_START), 0);
  dslc_program_destroy(&p);
}

/* Whether `first` stands before `second` in the generated text, once both are in it. */
static bool stands_before(const dslc_program *p, const char *first, const char *second) {
  const char *a = strstr(p->execution.source, first), *b = strstr(p->execution.source, second);
  return a && b && a < b;
}

static const char *const fence = "mem_fence(CLK_LOCAL_MEM_FENCE)";

/* What a pass over a neighbour reads: at the edge, at the neighbour, then what it makes of it. */
static void passes_read_first(void **state) {
  (void)state;
  const char *body = "  state u @ nodes\n  state w @ nodes\n"
                     "  rate @ nodes = sum(J near I) (u[J] - u[I])*trace(Ld)*w[J]\n"
                     "  dt = 1e-3\n  step { update u = u + dt*rate }\n";
  dslc_program *p = build(body, NULL);
  assert_true(stands_before(p, "constant1_e = ", "u_j = u(j)"));
  assert_true(stands_before(p, "u_j = u(j)", "w_j = w(j)"));
  assert_true(stands_before(p, "w_j = w(j)", fence));
  assert_true(stands_before(p, fence, "rate += "));
  dslc_program_destroy(&p);
  p = build(body, (const char *[]){"reads", "as_used", NULL});
  assert_null(strstr(p->execution.source, fence));
  dslc_program_destroy(&p);
  /* One work-item with all nodes: compilers vectorise such loops, and a fence would stop them. */
  p = build(body, (const char *[]){"reads", "first", "items", "loop", NULL});
  assert_null(strstr(p->execution.source, fence));
  dslc_program_destroy(&p);
}

/* What an arm of a branch reads alone is read there, for a pass may not need it; with nothing to read together there is no fence. */
static void arms_keep_their_reads(void **state) {
  (void)state;
  dslc_program *p = build("  state u @ nodes\n  state w @ nodes\n  state c @ nodes\n"
                          "  rate @ nodes = sum(J near I) (if u[J] > c[J] then sqrt(w[J]) else 2*u[J])\n"
                          "  dt = 1e-3\n  step { update u = u + dt*rate }\n",
                          NULL);
  assert_true(stands_before(p, "c_j = c(j)", fence));
  assert_true(stands_before(p, fence, "w(j)"));
  dslc_program_destroy(&p);
  p = build("  state u @ nodes\n  rate @ nodes = sum(J near I) (u[J] - u[I])\n"
            "  dt = 1e-3\n  step { update u = u + dt*rate }\n",
            NULL);
  assert_null(strstr(p->execution.source, fence));
  dslc_program_destroy(&p);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(rules_become_holds),
      cmocka_unit_test(holds_act_on_every_stage),
      cmocka_unit_test(solves_say_what_is_known),
      cmocka_unit_test(manifest_keeps_holds_and_solves),
      cmocka_unit_test(what_looks_back_is_computed_once),
      cmocka_unit_test(what_stages_share_is_computed_once),
      cmocka_unit_test(constants_are_made_by_the_setup),
      cmocka_unit_test(globals_are_made_by_the_setup),
      cmocka_unit_test(what_is_read_anyway_is_used),
      cmocka_unit_test(lanes_share_nodes),
      cmocka_unit_test(edges_lie_as_asked),
      cmocka_unit_test(slices_know_their_lanes),
      cmocka_unit_test(passes_read_first),
      cmocka_unit_test(arms_keep_their_reads),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
