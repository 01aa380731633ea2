/* A case on the reference interpreter and on a device: all states, all quantities and all globals are compared, at the start and
 * after every step.
 *
 *   agree CASE.lua [-D name=value]... [steps=N] [first=0] [tolerance=1e-12] [device=c] [each] [states] [schedule.NAME=VALUE]... */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lua/case_file.h"
#include "run/run.h"

enum { MOST = 64 };

typedef struct options {
  const char *path, *device;
  const char *define[MOST];
  int n_defines, steps;
  case_setting schedule[MOST];
  int n_schedule;
  double tolerance;
  int first;         /* step at whose end the comparison begins */
  bool each, states; /* tell of every quantity; compare states only */
} options;

typedef struct side {
  dev_context *device;
  dslc_program *program;
  exec_run *run;
} side;

/* ---- two runs of one case -------------------------------------------------------------------------------------------------- */

static void add_name(ew_case *c, const char ***list, int *n, const char *name, ew_error *err) {
  const char **slot = case_append(c, list, n, sizeof *slot, err);
  if (slot) *slot = case_text(c, name, err);
}

/* All that the scheme has is asked for. */
static ew_status ask_for_all(ew_case *c, const exec_domain *domain, ew_error *err) {
  ew_status status = EW_OK;
  dev_context *device = NULL;
  dslc_program *p = NULL;
  EW_CHECK(dev_context_create("reference", &device, err));
  EW_CHECK(exec_program(c, domain, device, stderr, &p, err));
  c->output.n_fields = c->output.n_history = 0;
  c->output.field = c->output.history = NULL;
  for (int i = 0; i < p->model.n_fields; i++)
    add_name(c, &c->output.field, &c->output.n_fields, p->model.field[i].name, err);
  for (int i = 0; i < p->model.n_globals; i++)
    add_name(c, &c->output.history, &c->output.n_history, p->model.global[i].name, err);
cleanup:
  dslc_program_destroy(&p);
  dev_context_destroy(&device);
  return status;
}

static ew_status open_side(const char *device, const ew_case *c, const exec_domain *domain, side *s,
                           ew_error *err) {
  ew_status status = EW_OK;
  EW_CHECK(dev_context_create(device, &s->device, err));
  EW_CHECK(exec_program(c, domain, s->device, stderr, &s->program, err));
  EW_CHECK(exec_create(s->device, s->program, domain, c, &s->run, err));
cleanup:
  return status;
}

static void close_side(side *s) {
  exec_destroy(&s->run);
  dslc_program_destroy(&s->program);
  dev_context_destroy(&s->device);
}

/* ---- comparing ----------------------------------------------------------------------------------------------------------------- */

static bool on_face(dslc_place place, int axis) {
  return place == DSLC_CORNERS || (int)place - (int)DSLC_XFACES == axis;
}

/* On grids only points count that touch an active cell: what lies in solids is nobody's. */
static bool counts(const grid *g, dslc_place place, int64_t point) {
  int32_t p[3] = {0, 0, 0}, cell[3];
  if (!g) return true;
  for (int a = 0; a < g->dim; a++) {
    int32_t n = on_face(place, a) ? grid_points(g, a) : g->axis[a].n;
    p[a] = (int32_t)(point % n), point /= n;
  }
  for (int corner = 0; corner < 8; corner++) {
    bool touches = true;
    for (int a = 0; a < 3; a++) {
      int below = corner >> a & 1;
      touches = touches && (!below || (a < g->dim && on_face(place, a)));
      cell[a] = p[a] - below;
      if (a < g->dim && g->axis[a].periodic) cell[a] = (cell[a] + g->axis[a].n) % g->axis[a].n;
      touches = touches && cell[a] >= 0 && cell[a] < (a < g->dim ? g->axis[a].n : 1);
    }
    if (touches && !g->solid[grid_cell(g, cell[0], cell[1], cell[2])]) return true;
  }
  return false;
}

typedef struct worst {
  double error;
  char name[64];
  int64_t at;
  double value[2];
  int step;
} worst;

static void note(worst *w, const char *name, int64_t at, int step, const double *v, double scale) {
  double error =
      v[0] == v[1] || (isnan(v[0]) && isnan(v[1])) ? 0 : fabs(v[0] - v[1]) / (scale > 0 ? scale : 1);
  if (isnan(error)) error = INFINITY;
  if (error <= w->error) return;
  *w = (worst){.error = error, .at = at, .value = {v[0], v[1]}, .step = step};
  snprintf(w->name, sizeof w->name, "%s", name);
}

static ew_status compare_field(side *s, const dslc_field *f, int step, worst *w, ew_error *err) {
  ew_status status = EW_OK;
  const grid *g = exec_get_domain(s[0].run)->g;
  int64_t n = exec_count(s[0].run, f->name);
  double *v[2] = {NULL, NULL}, scale = 0;
  for (int k = 0; k < 2; k++) {
    v[k] = calloc((size_t)n * (size_t)f->components + 1, sizeof **v);
    EW_CHECK(exec_read(s[k].run, f->name, v[k], err));
  }
  for (int64_t i = 0; i < n * f->components; i++)
    if (counts(g, f->place, i / f->components) && isfinite(v[0][i])) scale = fmax(scale, fabs(v[0][i]));
  for (int64_t i = 0; i < n * f->components; i++) {
    double pair[2] = {v[0][i], v[1][i]};
    if (counts(g, f->place, i / f->components)) note(w, f->name, i / f->components, step, pair, scale);
  }
cleanup:
  free(v[0]);
  free(v[1]);
  return status;
}

static void tell(const worst *w) {
  printf("  largest difference %.3g (%s at %lld after step %d: %.17g and %.17g)\n", w->error, w->name,
         (long long)w->at, w->step, w->value[0], w->value[1]);
}

static ew_status compare(side *s, int step, const options *o, worst *w, ew_error *err) {
  ew_status status = EW_OK;
  const dslc_program *p = s[0].program;
  for (int i = 0; i < p->model.n_fields; i++) {
    const dslc_field *f = &p->model.field[i];
    bool kept = f->kind == DSLC_STATE || (f->kind == DSLC_QUANTITY && f->show >= 0 && !o->states);
    worst own = {0};
    if (kept && exec_count(s[1].run, f->name) > 0) EW_CHECK(compare_field(s, f, step, &own, err));
    if (o->each && own.error > 0) tell(&own);
    if (own.error > w->error) *w = own;
  }
  for (int i = 0; i < p->model.n_globals && !o->states; i++) {
    double v[2];
    for (int k = 0; k < 2; k++) EW_CHECK(exec_global(s[k].run, p->model.global[i].name, &v[k], err));
    note(w, p->model.global[i].name, -1, step, v, fabs(v[0]));
  }
  double t[2] = {exec_time(s[0].run), exec_time(s[1].run)};
  note(w, "t", -1, step, t, fabs(t[0]));
cleanup:
  return status;
}

static ew_status agree(const options *o, ew_case *c, worst *w, ew_error *err) {
  ew_status status = EW_OK;
  exec_domain domain = {0};
  side s[2] = {{0}, {0}};
  EW_CHECK(exec_domain_create(c, &domain, err));
  if (!o->states) EW_CHECK(ask_for_all(c, &domain, err)); /* not all of simple_ts has a value on walls */
  EW_CHECK(open_side("reference", c, &domain, &s[0], err));
  EW_CHECK(open_side(o->device, c, &domain, &s[1], err));
  for (int step = 0; step <= o->steps; step++) {
    exec_until until = {.t_stop = c->time.stop > 0 ? c->time.stop : INFINITY, .max_steps = 1};
    for (int k = 0; k < 2 && step > 0; k++) EW_CHECK(exec_advance(s[k].run, &until, err));
    if (step >= o->first) EW_CHECK(compare(s, step, o, w, err));
  }
cleanup:
  close_side(&s[0]);
  close_side(&s[1]);
  exec_domain_clear(&domain);
  return status;
}

/* ---- the program ------------------------------------------------------------------------------------------------------------------ */

static options read_options(int argc, char **argv) {
  options o = {.path = argc > 1 ? argv[1] : "", .device = "c", .steps = 3, .tolerance = 1e-12};
  for (int i = 2; i < argc; i++) {
    const char *a = argv[i];
    char *equals = strchr(argv[i], '=');
    if (strcmp(a, "-D") == 0 && i + 1 < argc) o.define[o.n_defines++] = argv[++i];
    else if (strncmp(a, "steps=", 6) == 0) o.steps = atoi(a + 6);
    else if (strcmp(a, "each") == 0) o.each = true;
    else if (strcmp(a, "states") == 0) o.states = true;
    else if (strncmp(a, "first=", 6) == 0) o.first = atoi(a + 6);
    else if (strncmp(a, "tolerance=", 10) == 0) o.tolerance = atof(a + 10);
    else if (strncmp(a, "device=", 7) == 0) o.device = a + 7;
    else if (strncmp(a, "schedule.", 9) == 0 && equals) {
      *equals = '\0';
      o.schedule[o.n_schedule++] = (case_setting){.name = a + 9, .value = equals + 1};
    }
  }
  return o;
}

int main(int argc, char **argv) {
  options o = read_options(argc, argv);
  ew_error err = {0};
  case_file *file = NULL;
  worst w = {0};
  case_file_options how = {.path = o.path, .n_defines = o.n_defines, .define = o.define, .print = stdout};
  ew_status status = case_file_create(&how, &file, &err);
  ew_case *c = status == EW_OK ? case_file_get(file) : NULL;
  if (c) status = problems_status(case_file_problems(file), &err);
  for (int i = 0; c && i < o.n_schedule; i++) {
    case_setting *s = case_append(c, &c->build.schedule, &c->build.n_schedule, sizeof *s, &err);
    if (s) *s = o.schedule[i];
  }
  if (c && status == EW_OK) status = agree(&o, c, &w, &err);
  case_file_destroy(&file);
  if (status != EW_OK || !c) {
    printf("FAIL %s: %s\n", o.path, err.text);
    return 1;
  }
  bool good = w.error <= o.tolerance;
  printf("%s %s\n", good ? "ok  " : "FAIL", o.path);
  if (w.error > 0) tell(&w);
  return good ? 0 : 1;
}
