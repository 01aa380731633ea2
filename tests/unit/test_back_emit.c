/* The emitters on hand-built plans: each case is emitted in every dialect, checked by a strict compiler, run,
 * and compared with the same formulas written out here. */
#include "test_back_fixture.h"

typedef struct heat {
  ir_sym T, T_new, q, power, distance, area, volume, kappa, dt;
} heat;

static heat add_heat(fixture *x) {
  heat h;
  h.T = add_field(x, "T", IR_STATE, IR_CELLS, ir_scalar(), false, 1, 2);
  h.T_new = add_field(x, "T.new", IR_EQUATION, IR_CELLS, ir_scalar(), false, 0, 0);
  h.q = add_field(x, "q", IR_EQUATION, IR_FACES, ir_scalar(), false, 0, 0);
  h.power = add_field(x, "power", IR_GIVEN, IR_CELLS, ir_scalar(), false, 0, 1);
  h.distance = add_field(x, "distance", IR_GEOMETRY, IR_FACES, ir_scalar(), false, 1, 2);
  h.area = add_field(x, "area", IR_GEOMETRY, IR_FACES, ir_scalar(), false, 1, 2);
  h.volume = add_field(x, "volume", IR_GEOMETRY, IR_CELLS, ir_scalar(), false, 3, 4);
  h.kappa = add_parameter(x, "kappa", 0.7);
  h.dt = add_scalar(x, "dt", IR_TIME, DSLC_SCALAR_DT);
  ir_symbol_get(x->m, h.q)->is_flux = true;
  x->number[x->p.scalars][DSLC_SCALAR_DT] = 0.01;
  return h;
}

static double heat_flux(fixture *x, const heat *h, int f) {
  const double *T = field(x, h->T);
  return 0.7 * (T[x->left[f]] - T[x->right[f]]) / field(x, h->distance)[f];
}

static double heat_expected(fixture *x, const heat *h, int c) {
  double sum = 0;
  for (int k = 0; k < 3; k++) {
    int side = x->cell_face[k][c], f = side < 0 ? ~side : side;
    sum += (side < 0 ? -1 : 1) * heat_flux(x, h, f) * field(x, h->area)[f];
  }
  return field(x, h->T)[c] + 0.01 * field(x, h->power)[c] - 0.01 / field(x, h->volume)[c] * sum;
}

static ir_id heat_update(fixture *x, const heat *h, ir_id sum) {
  ir_id dt = param(x, h->dt);
  ir_id gain = mul(x, dt, get(x, h->power, IR_AT_HERE, 0));
  ir_id loss = mul(x, quotient(x, dt, get(x, h->volume, IR_AT_HERE, 0)), sum);
  return named(x, sub(x, add(x, get(x, h->T, IR_AT_HERE, 0), gain), loss), "T.new");
}

static void check_heat(fixture *x, const heat *h, dslc_emit emit) {
  emit_and_check(x, emit);
  run_on(x, emit);
  for (int c = 0; c < x->n_cells; c++) assert_near(field(x, h->T_new)[c], heat_expected(x, h, c));
}

static void stored_flux(dslc_emit emit, int unroll, int faces_per_cell) {
  fixture *x = fixture_create();
  heat h = add_heat(x);
  x->p.how.unroll = unroll;
  if (faces_per_cell == 0) { /* rows of any length: the same faces, in CSR order */
    x->g.space.faces_per_cell = 0;
    x->p.mesh.cell_start = add_buffer(x, "cell_start", DSLC_BUFFER_TOPOLOGY, DSLC_I32, DSLC_CELLS, 1, false);
    for (int c = 0; c <= N_CELLS; c++) x->integer[x->p.mesh.cell_start][c] = 3 * c;
    for (int c = 0; c < N_CELLS; c++)
      for (int k = 0; k < 3; k++) {
        x->integer[x->p.mesh.cell_face][3 * c + k] = x->cell_face[k][c];
        x->integer[x->p.mesh.cell_across][3 * c + k] = x->across[k][c];
      }
  }
  ir_id jump = sub(x, get(x, h.T, IR_AT_L, 0), get(x, h.T, IR_AT_R, 0));
  ir_id flux = quotient(x, mul(x, param(x, h.kappa), jump), get(x, h.distance, IR_AT_HERE, 0));
  plan_kernel *faces = add_kernel(x, "q", IR_FACES);
  faces->what = "flux q @ faces = kappa*(T[L] - T[R])/distance";
  add_output(x, faces, PLAN_STORE, buffer_of(x, h.q), 0, flux);
  ir_id sum = over_faces(x, IR_SUM, mul(x, get(x, h.area, IR_AT_F, 0), get(x, h.q, IR_AT_OUT, 0)));
  plan_kernel *cells = add_kernel(x, "update", IR_CELLS);
  cells->what = "update T = T + dt*power - dt/volume * sum(f of c) area*q";
  add_output(x, cells, PLAN_STORE, buffer_of(x, h.T_new), 0, heat_update(x, &h, sum));
  add_launch(x, 0, DSLC_OWNED);
  add_launch(x, 1, DSLC_OWNED);
  check_heat(x, &h, emit);
  for (int f = 0; f < x->n_faces; f++) assert_near(field(x, h.q)[f], heat_flux(x, &h, f));
  char place[80];
  assert_int_equal(dslc_scheme_place(&x->g, 1 << 20, place, sizeof place), 7);
  fixture_destroy(x);
}

static void test_stored_flux(void **state) {
  (void)state;
  each_target(emit) {
    stored_flux(emit, 3, 3);
    stored_flux(emit, 0, 0);
  }
}

/* The flux expanded into the loop; T[L] and T[R] once as the two sides of the face, once as here and across.
 */
static void inline_flux(dslc_emit emit, bool sides) {
  fixture *x = fixture_create();
  heat h = add_heat(x);
  ir_id own = get(x, h.T, sides ? IR_AT_L : IR_AT_HERE, 0), other = get(x, h.T, sides ? IR_AT_R : IR_AT_D, 0);
  ir_id flux = quotient(x, mul(x, param(x, h.kappa), sub(x, own, other)), get(x, h.distance, IR_AT_F, 0));
  if (sides) flux = mul(x, ir_make(x->m, IR_SIGN_OUT, ir_scalar(), 0, NULL), flux);
  ir_id sum = over_faces(x, IR_SUM, mul(x, get(x, h.area, IR_AT_F, 0), flux));
  plan_kernel *cells = add_kernel(x, "update", IR_CELLS);
  cells->local_size = 32;
  add_output(x, cells, PLAN_STORE, buffer_of(x, h.T_new), 0, heat_update(x, &h, sum));
  add_launch(x, 0, DSLC_OWNED);
  check_heat(x, &h, emit);
  fixture_destroy(x);
}

static void test_inline_flux(void **state) {
  (void)state;
  each_target(emit) {
    inline_flux(emit, false);
    inline_flux(emit, true);
  }
}

/* Faces of one colour at a time add into their two cells. */
static void scatter(dslc_emit emit) {
  fixture *x = fixture_create();
  heat h = add_heat(x);
  ir_id jump = sub(x, get(x, h.T, IR_AT_L, 0), get(x, h.T, IR_AT_R, 0));
  ir_id flux = quotient(x, mul(x, param(x, h.kappa), jump), get(x, h.distance, IR_AT_HERE, 0));
  ir_id through = mul(x, mul(x, flux, get(x, h.area, IR_AT_HERE, 0)), param(x, h.dt));
  ir_id loss = quotient(x, through, get(x, h.volume, IR_AT_L, 0)),
        gain = quotient(x, through, get(x, h.volume, IR_AT_R, 0));
  plan_kernel *start = add_kernel(x, "start", IR_CELLS);
  ir_id rest = add(x, get(x, h.T, IR_AT_HERE, 0), mul(x, param(x, h.dt), get(x, h.power, IR_AT_HERE, 0)));
  add_output(x, start, PLAN_STORE, buffer_of(x, h.T_new), 0, rest);
  plan_kernel *faces = add_kernel(x, "scatter", IR_FACES);
  faces->first = faces->coloured = true;
  add_output(x, faces, PLAN_ADD_L, buffer_of(x, h.T_new), 0, ir_unary(x->m, IR_NEG, loss));
  add_output(x, faces, PLAN_ADD_R, buffer_of(x, h.T_new), 0, gain);
  add_launch(x, 0, DSLC_OWNED);
  add_launch(x, 1, DSLC_COLOUR);
  check_heat(x, &h, emit);
  fixture_destroy(x);
}

static void test_scatter(void **state) {
  (void)state;
  each_target(emit) scatter(emit);
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
      cmocka_unit_test(test_stored_flux),
      cmocka_unit_test(test_inline_flux),
      cmocka_unit_test(test_scatter),
      cmocka_unit_test(test_oclgrind),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
