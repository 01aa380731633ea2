/* Windowed kernels against all others: a case of a scheme on a grid is run unfused as serial C, and with windows of odd sizes as C,
 * as OpenMP C and in OpenCL, by work-items and by loops, and compared point by point. Same run, same bits.
 *
 *   windows SCHEME.ew [variant=choice ...] [+equation ...] [every=2 | every=2+1]
 *
 * +equation: windowed, beside what is so by rule; every=2, every=2+1: every second of devices on every shape, beginning with the
 * first or the second: variants of one scheme, whose kernels take long to build, share them.
 *
 * The grids are not divisible by anything; one has solids that end where subdomains do, one is periodic. The same compiler gives
 * the same to the last bit or so; another one fuses other multiplications and additions, which limiters enlarge. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "run/run.h"

enum { STEPS = 4, MOST = 40 };

typedef enum shape { SOLIDS, PERIODIC, SHAPES } shape;
static const char *const shape_name[SHAPES] = {"solids", "periodic along x"};

typedef struct subject {
  const char *scheme;
  int n_variants, n_windows;
  int every, first;
  case_setting variant[MOST];
  const char *window[MOST];
} subject;

typedef struct variation {
  const char *device, *items, *columns, *rows;
  bool windowed;
  const char *walls; /* grid.walls, or NULL */
} variation;

/* ---- a case for any scheme on a grid ----------------------------------------------------------------------------- */

/* Smooth values near 1, those of places on faces near 0. */
static ew_status value_at(void *context, const double *x, double t, double *out, int n, ew_error *err) {
  (void)t, (void)err;
  const char *name = context;
  double shift = 0;
  for (const char *p = name; *p; p++) shift += *p;
  for (int d = 0; d < n; d++) {
    double wave = sin(2 * x[0] + shift + d) * cos(3 * x[1] - shift);
    out[d] = strchr("pTe", *name) ? 1 + 0.1 * wave : 0.2 * wave;
  }
  return EW_OK;
}

static void add(ew_case *c, case_value **list, int *n, case_value v, ew_error *err) {
  case_value *slot = case_append(c, list, n, sizeof **list, err);
  if (slot) *slot = v;
}

static void fill_values(ew_case *c, const dslc_program *p, ew_error *err) {
  for (int i = 0; i < p->model.n_fields; i++) {
    const char *name = case_text(c, p->model.field[i].name, err);
    case_value v = {.name = name, .kind = CASE_FUNCTION, .function = value_at, .context = (void *)name};
    if (p->model.field[i].kind == DSLC_STATE) add(c, &c->values.initial, &c->values.n_initial, v, err);
    if (p->model.field[i].kind == DSLC_GIVEN) add(c, &c->values.given, &c->values.n_givens, v, err);
  }
  for (int i = 0; i < p->model.n_parameters; i++) {
    case_value v = {.name = case_text(c, p->model.parameter[i].name, err),
                    .kind = CASE_NUMBERS,
                    .n = 1,
                    .number = {0.05}};
    if (!p->model.parameter[i].formula) add(c, &c->values.parameter, &c->values.n_parameters, v, err);
  }
}

static void add_boundary(ew_case *c, const char *name, const dslc_rule *r, ew_error *err) {
  case_boundary *b = case_append(c, &c->boundary, &c->n_boundaries, sizeof *b, err);
  if (!b) return;
  b->name = case_alloc(c, sizeof *b->name, err);
  b->name[b->n_names++] = name;
  b->rule = case_text(c, r->name, err);
  for (int k = 0; k < r->n_arguments; k++) {
    case_value v = {
        .name = case_text(c, r->argument[k].name, err), .kind = CASE_NUMBERS, .n = r->argument[k].components};
    for (int d = 0; d < v.n; d++) v.number[d] = v.n > 1 ? 0.1 * (d + 1) : 1.1;
    add(c, &b->argument, &b->n_arguments, v, err);
  }
}

/* Rules in turn; what is declared across x and across y has one name and counts once. */
static const dslc_rule *rule_in_turn(const dslc_program *p, int turn) {
  const dslc_rule *distinct[MOST];
  int n = 0;
  for (int i = 0; i < p->model.n_rules && n < MOST; i++) {
    bool known = false;
    for (int k = 0; k < n; k++) known = known || strcmp(distinct[k]->name, p->model.rule[i].name) == 0;
    if (!known) distinct[n++] = &p->model.rule[i];
  }
  return distinct[turn % n];
}

static void fill_grid(ew_case *c, const dslc_program *p, shape form, ew_error *err) {
  static const char *const sides[] = {"left", "right", "bottom", "top"};
  static const grid_solid_options solid[] = {{"one", {0.9, 0.3, -INFINITY}, {1.25, 0.55, INFINITY}},
                                             {"two", {1.6, 0.7, -INFINITY}, {2.1, 1.0, INFINITY}}};
  bool line = p->space.dims == 1;
  c->mesh.kind = CASE_MESH_GRID;
  c->mesh.grid =
      (grid_options){.dim = p->space.dims,
                     .axis = {{.n = form == SOLIDS ? 47 : 37, .to = 2.6, .periodic = form == PERIODIC},
                              {.n = 23, .to = 1.3, .stretch = GRID_TANH, .strength = 1.2}}};
  if (form == SOLIDS && !line) c->mesh.grid.solid = solid, c->mesh.grid.n_solids = 2;
  for (int i = form == PERIODIC ? 2 : 0; i < (line ? 2 : 4); i++)
    add_boundary(c, sides[i], rule_in_turn(p, i), err);
  if (form == SOLIDS && !line)
    add_boundary(c, "one", rule_in_turn(p, 0), err), add_boundary(c, "two", rule_in_turn(p, 0), err);
}

static void set(ew_case *c, const char *name, const char *value, ew_error *err) {
  case_setting *s = value ? case_append(c, &c->build.schedule, &c->build.n_schedule, sizeof *s, err) : NULL;
  if (s) *s = (case_setting){.name = name, .value = value};
}

static ew_status make_case(const subject *s, const variation *v, const dslc_program *names, shape form,
                           ew_case **out, ew_error *err) {
  ew_status status = case_create(out, err);
  if (status != EW_OK) return status;
  ew_case *c = *out;
  c->file = "windows";
  c->folder = ".";
  c->build.scheme = s->scheme;
  c->build.device = v->device;
  c->time.stop = 1e9;
  c->time.max_steps = STEPS;
  for (int i = 0; i < s->n_variants; i++) {
    case_setting *slot = case_append(c, &c->build.variant, &c->build.n_variants, sizeof *slot, err);
    if (slot) *slot = s->variant[i];
  }
  set(c, "items", v->items, err);
  set(c, "grid.window", v->windowed ? "auto" : "off", err);
  set(c, "grid.columns", v->columns, err);
  set(c, "grid.rows", v->rows, err);
  set(c, "grid.walls", v->walls, err);
  set(c, "grid.local", "262144", err);
  for (int i = 0; v->windowed && i < s->n_windows; i++) set(c, s->window[i], "window", err);
  fill_values(c, names, err);
  fill_grid(c, names, form, err);
  return EW_OK;
}

/* ---- running ------------------------------------------------------------------------------------------------------ */

typedef struct result {
  int n;
  double *value;
  int passes;
} result;

static ew_status collect(exec_run *run, result *out, ew_error *err) {
  const dslc_program *p = exec_get_program(run);
  ew_status status = EW_OK;
  for (int i = 0; i < p->model.n_fields; i++)
    if (p->model.field[i].kind == DSLC_STATE)
      out->n += p->model.field[i].components * exec_count(run, p->model.field[i].name);
  if (out->n == 0) return ew_fail(err, EW_FAIL, "no state to compare");
  out->value = calloc((size_t)out->n, sizeof(double));
  if (!out->value) return ew_fail(err, EW_FAIL, "out of memory");
  int first = 0;
  for (int i = 0; i < p->model.n_fields && status == EW_OK; i++) {
    if (p->model.field[i].kind != DSLC_STATE) continue;
    status = exec_read(run, p->model.field[i].name, out->value + first, err);
    first += p->model.field[i].components * exec_count(run, p->model.field[i].name);
  }
  return status;
}

static bool has_window(const dslc_program *p) {
  for (int i = 0; i < p->execution.n_kernels; i++)
    if (p->execution.kernel[i].rows > 0) return true;
  return false;
}

static ew_status run_once(const subject *s, const variation *v, const dslc_program *names, shape form,
                          result *out, ew_error *err) {
  ew_case *c = NULL;
  exec_domain domain = {0};
  dev_context *device = NULL;
  dslc_program *p = NULL;
  exec_run *run = NULL;
  ew_status status;
  EW_CHECK(make_case(s, v, names, form, &c, err));
  EW_CHECK(exec_domain_create(c, &domain, err));
  EW_CHECK(dev_context_create(v->device, &device, err));
  EW_CHECK(exec_program(c, &domain, device, stderr, &p, err));
  if (has_window(p) != v->windowed)
    EW_CHECK(ew_fail(err, EW_FAIL, "%s",
                     v->windowed ? "nothing is windowed" : "a window where none was asked for"));
  EW_CHECK(exec_create(device, p, &domain, c, &run, err));
  exec_until until = {.t_stop = 1e9, .max_steps = STEPS, .look = 7};
  EW_CHECK(exec_advance(run, &until, err));
  EW_CHECK(collect(run, out, err));
cleanup:
  exec_destroy(&run);
  dslc_program_destroy(&p);
  dev_context_destroy(&device);
  exec_domain_clear(&domain);
  case_destroy(&c);
  return status;
}

/* ---- comparing ------------------------------------------------------------------------------------------------------ */

static double difference(const result *a, const result *b) {
  double scale = 0, worst = a->n == b->n ? 0 : INFINITY;
  for (int i = 0; i < b->n; i++) scale = fmax(scale, fabs(b->value[i]));
  for (int i = 0; i < a->n && i < b->n; i++) {
    double d = fabs(a->value[i] - b->value[i]) / scale;
    if (!(d <= worst)) worst = d; /* a NaN stays */
  }
  return worst;
}

static bool compare(const subject *s, const variation *v, const dslc_program *names, shape form,
                    const result *base) {
  result a = {0}, b = {0};
  ew_error err = {0};
  bool ran = run_once(s, v, names, form, &a, &err) == EW_OK && run_once(s, v, names, form, &b, &err) == EW_OK;
  double d = ran ? difference(&a, base) : INFINITY;
  bool same = ran && memcmp(a.value, b.value, sizeof(double) * (size_t)a.n) == 0;
  bool good = same && d <= (v->device[0] == 'c' && v->device[1] == 'p' ? 1e-11 : 1e-13);
  printf("  %s %-8s %-4s items, %s columns, %s rows, walls by %-6s, %s: ", good ? "ok  " : "FAIL", v->device,
         v->items ? v->items : "-", v->columns, v->rows, v->walls ? v->walls : "calls", shape_name[form]);
  printf("%.1e%s %s\n", d, ran && !same ? ", two runs differ" : "", err.text);
  free(a.value);
  free(b.value);
  return good;
}

static bool run_all(const subject *s, const dslc_program *names) {
  static const variation all[] = {{"c", NULL, "24", "7", true, NULL},
                                  {"c-openmp", NULL, "64", "1", true, NULL},
                                  {"model", "loop", "33", "6", true, NULL},
                                  {"model-gpu", "each", "32", "4", true, "calls"},
                                  {"cpu", "each", "32", "5", true, "tables"}};
  bool good = true;
  for (int form = 0; form < SHAPES; form++) {
    result base = {0};
    ew_error err = {0};
    variation unfused = {"c", NULL, "32", "8", false, NULL};
    if (run_once(s, &unfused, names, (shape)form, &base, &err) != EW_OK) {
      printf("  FAIL unfused, %s: %s\n", shape_name[form], err.text);
      return false;
    }
    for (int i = 0; i < (int)(sizeof all / sizeof *all); i++)
      if ((i + form + s->first) % s->every == 0)
        good = compare(s, &all[i], names, (shape)form, &base) && good;
    free(base.value);
  }
  return good;
}

static dslc_program *program_of(const subject *s) {
  dslc_setting variant[MOST];
  for (int i = 0; i < s->n_variants; i++)
    variant[i] = (dslc_setting){s->variant[i].name, s->variant[i].value};
  dslc_options o = {
      .path = s->scheme, .n_rules = -1, .n_variants = s->n_variants, .variant = variant, .emit = DSLC_EMIT_C};
  dslc_program *p = NULL;
  dslc_messages *messages;
  if (dslc_compile(&o, &p, &messages) != 0) dslc_messages_print(messages, stdout, false);
  dslc_messages_destroy(&messages);
  return p;
}

int main(int argc, char **argv) {
  subject s = {.scheme = argc > 1 ? argv[1] : "", .every = 1};
  for (int i = 2; i < argc && s.n_windows < MOST && s.n_variants < MOST; i++) {
    char *equals = strchr(argv[i], '=');
    if (sscanf(argv[i], "every=%d+%d", &s.every, &s.first) >= 1) continue;
    if (argv[i][0] == '+') s.window[s.n_windows++] = argv[i] + 1;
    else if (equals)
      *equals = '\0', s.variant[s.n_variants++] = (case_setting){.name = argv[i], .value = equals + 1};
  }
  if (s.every < 1) s.every = 1;
  dslc_program *names = program_of(&s);
  bool good = names && run_all(&s, names);
  dslc_program_destroy(&names);
  return good ? 0 : 1;
}
