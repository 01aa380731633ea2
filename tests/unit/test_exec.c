/* Runs of a program made by hand: against a plain loop, on every kind of device, whatever the host's habits. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <unistd.h>

#include "run/internal.h"
#include "mesh/check.h"
#include "test_exec_fixture.h"

static const char *const specs[] = {"c", "cpu"};
enum { N_SPECS = 2 };

#define OK(call)                                                                                             \
  do {                                                                                                       \
    ew_error err = {EW_OK, ""};                                                                              \
    if ((call) != EW_OK) fail_msg("%s: %s", #call, err.text);                                                \
  } while (0)
#define CONTAINS(text, part)                                                                                 \
  do {                                                                                                       \
    if (!strstr(text, part)) fail_msg("'%s' lacks '%s'", text, part);                                        \
  } while (0)

/* A run with what it borrows. */
typedef struct stage {
  ew_case *c;
  mesh *m;
  dev_context *device;
  exec_run *run;
  double *T;
} stage;

static stage open_program(const char *spec, ew_case *c, const dslc_program *program) {
  stage s = {.c = c};
  OK(exec_mesh(c, &s.m, &err));
  OK(mesh_check(s.m, &err));
  OK(dev_context_create(spec, &s.device, &err));
  if (!program) program = heat_program(dev_get_language(s.device) == DEV_OPENCL_C);
  OK(exec_create(s.device, program, &(exec_domain){.m = s.m}, c, &s.run, &err));
  s.T = malloc((size_t)s.m->n_cells * sizeof *s.T);
  return s;
}

static stage open_stage(const char *spec, ew_case *c) { return open_program(spec, c, NULL); }

static void close_stage(stage *s) {
  free(s->T);
  exec_destroy(&s->run);
  dev_context_destroy(&s->device);
  mesh_destroy(&s->m);
  case_destroy(&s->c);
}

static void advance(stage *s, double t, int64_t steps, int look) {
  exec_until until = {.t_stop = t, .max_steps = steps, .look = look};
  OK(exec_advance(s->run, &until, &err));
}

static double *field(stage *s, const char *name) {
  OK(exec_read(s->run, name, s->T, &err));
  return s->T;
}

static ew_status swinging(void *context, const double *x, double t, double *out, int n, ew_error *err) {
  (void)context, (void)n, (void)err;
  out[0] = sin(40 * t) + x[1];
  return EW_OK;
}

/* ---- the same by a plain loop ------------------------------------------------------------------------------------------------ */

static double wall_at(const mesh *m, face_id f, double t, bool swings) {
  const double *x = m->face_centre + 2 * (size_t)f;
  if (x[0] < 0.5) return swings ? sin(40 * t) + x[1] : 0.5;
  return -0.25;
}

static double beyond(const mesh *m, const double *T, face_id f, double t, bool swings) {
  cell_id source = m->ghost_source[f - m->n_interior], left = m->face_left[f];
  if (source >= 0) return T[source];
  double nx = m->face_normal[2 * (size_t)f];
  return fabs(nx) > 0.5 ? 2 * wall_at(m, f, t, swings) - T[left] : T[left];
}

static double flux(const mesh *m, const double *T, face_id f, double t, bool swings) {
  cell_id l = m->face_left[f], r = m->face_right[f];
  const double *a = m->cell_centre + 2 * (size_t)l, *b = m->cell_centre + 2 * (size_t)r;
  double other = r < m->n_cells ? T[r] : beyond(m, T, f, t, swings);
  return m->face_area[f] * 0.5 * (T[l] - other) / hypot(b[0] - a[0], b[1] - a[1]);
}

static int reference(const mesh *m, double *T, double t_stop, int max_steps, bool swings) {
  double *sum = malloc((size_t)m->n_cells * sizeof *sum), t = 0, dt = INFINITY;
  int steps = 0;
  for (cell_id c = 0; c < m->n_cells; c++) dt = fmin(dt, 0.1 * m->cell_volume[c] / 0.5);
  for (; t < t_stop && (max_steps == 0 || steps < max_steps); steps++) {
    bool last = t_stop - t <= dt;
    double h = last ? t_stop - t : dt;
    memset(sum, 0, (size_t)m->n_cells * sizeof *sum);
    for (face_id f = 0; f < m->n_faces; f++) {
      double q = flux(m, T, f, t, swings);
      sum[m->face_left[f]] += q;
      if (m->face_right[f] < m->n_cells) sum[m->face_right[f]] -= q;
    }
    for (cell_id c = 0; c < m->n_cells; c++) T[c] += h * (0.25 - sum[c] / m->cell_volume[c]);
    t = last ? t_stop : t + h;
  }
  free(sum);
  return steps;
}

static double *start_values(const mesh *m) {
  double *T = malloc((size_t)m->n_cells * sizeof *T);
  for (cell_id c = 0; c < m->n_cells; c++) hot_spot(NULL, m->cell_centre + 2 * (size_t)c, 0, &T[c], 1, NULL);
  return T;
}

static void assert_close(const double *a, const double *b, int n, double tolerance) {
  for (int i = 0; i < n; i++)
    if (!(fabs(a[i] - b[i]) <= tolerance)) fail_msg("entry %d: %.17g, expected %.17g", i, a[i], b[i]);
}

/* ---- tests ----------------------------------------------------------------------------------------------------------------------- */

static void compare(const char *spec, bool periodic, bool swings) {
  ew_case *c = heat_case(periodic);
  if (swings) {
    case_value *v = &c->boundary[0].argument[0];
    v->kind = CASE_FUNCTION;
    v->function = swinging;
    v->over_time = true;
  }
  stage s = open_stage(spec, c);
  double *expected = start_values(s.m);
  assert_close(field(&s, "T"), expected, s.m->n_cells, 0);
  int steps = reference(s.m, expected, 0.01, 0, swings);
  assert_true(steps > 20);
  advance(&s, 0.01, 0, 0);
  assert_int_equal(exec_steps(s.run), steps);
  assert_true(exec_time(s.run) == 0.01);
  assert_close(field(&s, "T"), expected, s.m->n_cells, 1e-12);
  free(expected);
  close_stage(&s);
}

static void agrees_with_a_plain_loop(void **state) {
  (void)state;
  for (int i = 0; i < N_SPECS; i++) compare(specs[i], false, false);
}

static void treats_periodic_faces_like_interior_ones(void **state) {
  (void)state;
  for (int i = 0; i < N_SPECS; i++) compare(specs[i], true, false);
}

static void evaluates_arguments_over_time_in_every_step(void **state) {
  (void)state;
  for (int i = 0; i < N_SPECS; i++) compare(specs[i], false, true);
}

/* However many steps are queued beyond the last one: the same number is made, with the same bits. */
static void looking_changes_no_bit(void **state) {
  (void)state;
  for (int i = 0; i < N_SPECS; i++) {
    stage a = open_stage(specs[i], heat_case(false));
    advance(&a, 0.01, 0, 1);
    field(&a, "T");
    for (int look = 2; look <= 64; look += 31) {
      stage b = open_stage(specs[i], heat_case(false));
      advance(&b, 0.004, 0, look);
      assert_true(exec_time(b.run) == 0.004);
      advance(&b, 0.0041, 2, look);
      close_stage(&b);
      b = open_stage(specs[i], heat_case(false));
      advance(&b, 0.01, 7, look);
      assert_int_equal(exec_steps(b.run), 7);
      advance(&b, 0.01, 0, look);
      assert_int_equal(exec_steps(b.run), exec_steps(a.run));
      assert_memory_equal(field(&b, "T"), a.T, (size_t)a.m->n_cells * sizeof(double));
      close_stage(&b);
    }
    close_stage(&a);
  }
}

/* Ghosts part a step in two launches, and buffers are exchanged in the second of them; without periodic sides the ghosts have none. */
static void launches_together_change_no_bit(void **state) {
  (void)state;
  for (int periodic = 0; periodic < 2; periodic++) {
    dslc_program joined = *heat_program(true);
    joined.execution.together = 1;
    stage a = open_stage("model-gpu", heat_case(periodic));
    stage b = open_program("model-gpu", heat_case(periodic), &joined);
    advance(&a, 0.01, 7, 16);
    advance(&b, 0.01, 7, 16);
    assert_int_equal(exec_get_counters(b.run).launches, periodic ? 7 * 3 : 7 * 2);
    assert_true(exec_get_counters(a.run).launches > exec_get_counters(b.run).launches);
    assert_true(exec_time(a.run) == exec_time(b.run));
    field(&b, "T");
    assert_memory_equal(field(&a, "T"), b.T, (size_t)a.m->n_cells * sizeof(double));
    close_stage(&a);
    close_stage(&b);
  }
}

/* A state of odd age lies in the second buffer. */
static void stops_after_a_number_of_steps(void **state) {
  (void)state;
  for (int steps = 1; steps <= 4; steps++) {
    stage s = open_stage("c", heat_case(false));
    double *expected = start_values(s.m);
    reference(s.m, expected, 1, steps, false);
    advance(&s, 1, steps, 16);
    assert_int_equal(exec_steps(s.run), steps);
    assert_close(field(&s, "T"), expected, s.m->n_cells, 1e-13);
    free(expected);
    close_stage(&s);
  }
}

static void shows_quantities_and_globals(void **state) {
  (void)state;
  for (int i = 0; i < N_SPECS; i++) {
    stage s = open_stage(specs[i], heat_case(false));
    advance(&s, 0.01, 3, 0);
    double *T = malloc((size_t)s.m->n_cells * sizeof *T), dt = 0;
    memcpy(T, field(&s, "T"), (size_t)s.m->n_cells * sizeof *T);
    field(&s, "twice");
    for (cell_id c = 0; c < s.m->n_cells; c++) assert_true(s.T[c] == 2 * T[c]);
    OK(exec_global(s.run, "dt", &dt, &err));
    assert_true(dt > 0 && dt == exec_dt(s.run));
    assert_int_equal(exec_components(s.run, "nothing"), 0);
    assert_int_equal(exec_read(s.run, "nothing", T, NULL), EW_INPUT);
    free(T);
    close_stage(&s);
  }
}

static void faces_of_one_colour_share_no_cell(void **state) {
  (void)state;
  stage s = open_stage("c", heat_case(true));
  int *seen = malloc((size_t)s.m->n_cells * sizeof *seen), faces = 0;
  for (cell_id c = 0; c < s.m->n_cells; c++) seen[c] = -1;
  assert_true(s.run->points.colours.n >= 3 && s.run->points.colours.n <= 5);
  for (int k = 0; k < s.run->points.colours.n; k++)
    for (int32_t i = s.run->points.colours.start[k]; i < s.run->points.colours.start[k + 1]; i++, faces++) {
      cell_id side[] = {s.m->face_left[s.run->points.colours.face[i]],
                        s.m->face_right[s.run->points.colours.face[i]]};
      for (int j = 0; j < 2; j++) {
        if (side[j] >= s.m->n_cells) continue;
        assert_int_not_equal(seen[side[j]], k);
        seen[side[j]] = k;
      }
    }
  assert_int_equal(faces, s.m->n_faces);
  free(seen);
  close_stage(&s);
}

static void scattering_equals_gathering(void **state) {
  (void)state;
  for (int i = 0; i < N_SPECS; i++) {
    stage s = open_stage(specs[i], heat_case(true));
    double *T = start_values(s.m), *sum = calloc((size_t)s.m->n_cells, sizeof *sum);
    for (face_id f = 0; f < s.m->n_faces; f++) {
      double q = flux(s.m, T, f, 0, false);
      sum[s.m->face_left[f]] += q;
      if (s.m->face_right[f] < s.m->n_cells) sum[s.m->face_right[f]] -= q;
    }
    assert_close(field(&s, "sum"), sum, s.m->n_cells, 1e-13);
    free(T);
    free(sum);
    close_stage(&s);
  }
}

static void states_can_be_written(void **state) {
  (void)state;
  stage s = open_stage("cpu", heat_case(false));
  advance(&s, 0.01, 1, 0);
  double *T = malloc((size_t)s.m->n_cells * sizeof *T);
  for (cell_id c = 0; c < s.m->n_cells; c++) T[c] = c;
  OK(exec_write(s.run, "T", T, &err));
  assert_memory_equal(field(&s, "T"), T, (size_t)s.m->n_cells * sizeof *T);
  assert_int_equal(exec_write(s.run, "twice", T, NULL), EW_INPUT);
  free(T);
  close_stage(&s);
}

static void a_failed_check_names_the_cell(void **state) {
  (void)state;
  for (int i = 0; i < N_SPECS; i++) {
    stage s = open_stage(specs[i], heat_case(false));
    advance(&s, 1, 5, 0);
    double *T = malloc((size_t)s.m->n_cells * sizeof *T);
    memcpy(T, field(&s, "T"), (size_t)s.m->n_cells * sizeof *T);
    T[17] = 1e6;
    OK(exec_write(s.run, "T", T, &err));
    exec_until until = {.t_stop = 1};
    ew_error err = {EW_OK, ""};
    assert_int_equal(exec_advance(s.run, &until, &err), EW_DIVERGED);
    CONTAINS(err.text, "step 6");
    CONTAINS(err.text, "T < 1000 (heat.ew:7)");
    const exec_fault *f = exec_get_fault(s.run);
    assert_int_equal(f->check, 0);
    assert_true(f->cell >= 0 && f->origin == s.m->cell_origin[f->cell]);
    assert_true(f->x[0] == s.m->cell_centre[2 * (size_t)f->cell]);
    assert_int_equal(exec_steps(s.run), 6);
    field(&s, "T");
    assert_true(s.T[f->cell] >= 1000);
    assert_int_equal(exec_advance(s.run, &until, &err), EW_DIVERGED);
    free(T);
    close_stage(&s);
  }
}

static void a_set_flag_stops_the_run(void **state) {
  (void)state;
  stage s = open_stage("c", heat_case(false));
  volatile sig_atomic_t stop = 1;
  exec_until until = {.t_stop = 1, .stop = &stop};
  assert_int_equal(exec_advance(s.run, &until, NULL), EW_STOPPED);
  assert_int_equal(exec_steps(s.run), 0);
  close_stage(&s);
}

static void resuming_gives_the_same_bits(void **state) {
  (void)state;
  const char *path = "test_exec.checkpoint";
  for (int i = 0; i < N_SPECS; i++) {
    stage a = open_stage(specs[i], heat_case(true)), b = open_stage(specs[i], heat_case(true));
    advance(&a, 0.01, 7, 0);
    OK(exec_checkpoint_write(a.run, path, NULL, &err));
    advance(&a, 0.01, 0, 0);
    OK(exec_checkpoint_read(b.run, path, NULL, &err));
    assert_int_equal(exec_steps(b.run), 7);
    advance(&b, 0.01, 0, 0);
    assert_int_equal(exec_steps(b.run), exec_steps(a.run));
    field(&a, "T");
    assert_memory_equal(field(&b, "T"), a.T, (size_t)a.m->n_cells * sizeof(double));
    close_stage(&a);
    close_stage(&b);
    ew_error err = {EW_OK, ""};
    b = open_stage(specs[i], heat_case(false));
    assert_int_equal(exec_checkpoint_read(b.run, path, NULL, &err), EW_CHECKPOINT);
    CONTAINS(err.text, "mesh hash");
    close_stage(&b);
    unlink(path);
  }
}

static void the_profile_counts_what_ran(void **state) {
  (void)state;
  stage s = open_stage("cpu", heat_case(false));
  exec_profile profile = {0};
  OK(exec_profile_start(s.run, &err));
  advance(&s, 0.01, 10, 5);
  OK(exec_profile_stop(s.run, &profile, &err));
  bool found = false;
  for (int k = 0; k < profile.n; k++) {
    if (strcmp(profile.kernel[k].name, "gather") != 0) continue;
    found = true;
    assert_int_equal(profile.kernel[k].launches, 10);
    assert_true(profile.kernel[k].flops == 20.0 * 10 * s.m->n_cells);
    assert_true(profile.kernel[k].bytes > 10.0 * 8 * s.m->n_cells);
    assert_true(profile.kernel[k].seconds > 0);
  }
  assert_true(found);
  assert_int_equal(profile.steps, 10);
  exec_counters counters = exec_get_counters(s.run);
  assert_int_equal(counters.looks,
                   3); /* behind the first step, whose bound is noted, then behind five at a time */
  exec_profile_clear(&profile);
  close_stage(&s);
}

static void more_numbers_than_kernels_can_count_are_refused(void **state) {
  (void)state;
  ew_case *c = heat_case(false);
  mesh *m = NULL;
  dev_context *device = NULL;
  exec_run *run = NULL;
  ew_error failure = {EW_OK, ""};
  OK(exec_mesh(c, &m, &err));
  OK(dev_context_create("c", &device, &err));
  dslc_program p = *heat_program(false);
  dslc_buffer wide[B_COUNT];
  memcpy(wide, p.execution.buffer, sizeof wide);
  wide[B_TWICE].width = 1 << 24;
  p.execution.buffer = wide;
  assert_int_equal(exec_create(device, &p, &(exec_domain){.m = m}, c, &run, &failure), EW_INPUT);
  assert_non_null(strstr(failure.text, "kernels can count to 2147483647"));
  assert_null(run);
  dev_context_destroy(&device);
  mesh_destroy(&m);
  case_destroy(&c);
}

static void a_build_error_points_at_the_scheme(void **state) {
  (void)state;
  for (int i = 0; i < N_SPECS; i++) {
    ew_case *c = heat_case(false);
    mesh *m = NULL;
    dev_context *device = NULL;
    exec_run *run = NULL;
    ew_error failure = {EW_OK, ""};
    OK(exec_mesh(c, &m, &err));
    OK(dev_context_create(specs[i], &device, &err));
    dslc_program p = *heat_program(i == 1);
    p.execution.source = "\n// heat.ew:12 (3)\nint broken( { }\n";
    assert_int_equal(exec_create(device, &p, &(exec_domain){.m = m}, c, &run, &failure), EW_DEVICE);
    assert_null(run);
    CONTAINS(failure.text, "heat by hand");
    CONTAINS(failure.text, "error");
    dev_context_destroy(&device);
    mesh_destroy(&m);
    case_destroy(&c);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(agrees_with_a_plain_loop),
                                     cmocka_unit_test(treats_periodic_faces_like_interior_ones),
                                     cmocka_unit_test(evaluates_arguments_over_time_in_every_step),
                                     cmocka_unit_test(looking_changes_no_bit),
                                     cmocka_unit_test(launches_together_change_no_bit),
                                     cmocka_unit_test(stops_after_a_number_of_steps),
                                     cmocka_unit_test(shows_quantities_and_globals),
                                     cmocka_unit_test(faces_of_one_colour_share_no_cell),
                                     cmocka_unit_test(scattering_equals_gathering),
                                     cmocka_unit_test(states_can_be_written),
                                     cmocka_unit_test(a_failed_check_names_the_cell),
                                     cmocka_unit_test(a_set_flag_stops_the_run),
                                     cmocka_unit_test(resuming_gives_the_same_bits),
                                     cmocka_unit_test(the_profile_counts_what_ran),
                                     cmocka_unit_test(more_numbers_than_kernels_can_count_are_refused),
                                     cmocka_unit_test(a_build_error_points_at_the_scheme)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
