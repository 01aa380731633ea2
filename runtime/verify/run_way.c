/* One run of a case, that way, and all its numbers in an order that no renumbering changes. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fields/on_grid.h"
#include "mesh/random.h"
#include "run/leave.h"
#include "verify/internal.h"

void verify_result_clear(verify_result *r) {
  for (int i = 0; i < r->n_fields; i++) free(r->field[i].value);
  free(r->field);
  *r = (verify_result){0};
}

/* ---- order ------------------------------------------------------------------------------------------------------ */

typedef struct point {
  double x[3];
  int32_t number;
} point;

static int by_place(const void *a, const void *b) {
  const point *p = a, *q = b;
  for (int d = 0; d < 3; d++)
    if (p->x[d] != q->x[d]) return p->x[d] < q->x[d] ? -1 : 1;
  return 0;
}

/* From the cell of the lower first number to the other: as L and R lie, or the other way. */
static bool is_turned(const mesh *m, face_id f) {
  return f < m->n_interior && m->cell_origin[m->face_left[f]] > m->cell_origin[m->face_right[f]];
}

/* A face by its two cells' first numbers, at a boundary by one; where they share several, by where these look. */
static void mark_face(const mesh *m, face_id f, point *p) {
  const bool turned = is_turned(m, f);
  double way = 0;
  p->x[0] = m->cell_origin[turned ? m->face_right[f] : m->face_left[f]];
  p->x[1] = f >= m->n_interior ? -1 : m->cell_origin[turned ? m->face_left[f] : m->face_right[f]];
  for (int d = 0; d < m->dim; d++) way += (d + 1.25) * m->face_normal[f * m->dim + d];
  p->x[2] = turned ? -way : way;
}

static int32_t *ranks(const exec_run *run, dslc_place place, int32_t n);

/* An edge by its two nodes. False: no memory. */
static bool mark_edges(const exec_run *run, int32_t n, point *p) {
  int32_t *rank = ranks(run, DSLC_NODES, exec_get_mesh(run)->n_nodes);
  for (int32_t i = 0; rank && i < n; i++) {
    node_id node[2];
    exec_edge_nodes(run, i, node);
    p[i].x[0] = rank[node[0]], p[i].x[1] = rank[node[1]];
  }
  free(rank);
  return rank != NULL;
}

/* rank[i]: where entity i of the mesh's order goes; faces, nodes and edges have no first number. The caller frees it. */
static int32_t *ranks(const exec_run *run, dslc_place place, int32_t n) {
  const mesh *m = exec_get_mesh(run);
  int32_t *rank = malloc(sizeof *rank * (size_t)(n + 1));
  for (int32_t i = 0; rank && i < n; i++) rank[i] = m && place == DSLC_CELLS ? m->cell_origin[i] : i;
  if (!rank || !m || place == DSLC_CELLS || place == DSLC_NOWHERE) return rank;
  point *p = calloc((size_t)n + 1, sizeof *p);
  if (p && place == DSLC_EDGES && !mark_edges(run, n, p)) free(p), p = NULL;
  for (int32_t i = 0; p && i < n; i++) {
    p[i].number = i;
    if (place == DSLC_FACES) mark_face(m, i, &p[i]);
    for (int d = 0; d < m->dim && place == DSLC_NODES; d++) p[i].x[d] = m->node_x[i * m->dim + d];
  }
  if (p) qsort(p, (size_t)n, sizeof *p, by_place);
  for (int32_t i = 0; p && i < n; i++) rank[p[i].number] = i;
  free(p);
  return rank;
}

/* ---- solids ------------------------------------------------------------------------------------------------- */

/* Whether a cell at the point has gas; `lower[a]`: the one before it along axis a. */
static bool has_gas(const grid *g, const int32_t p[3], const int lower[3]) {
  int32_t c[3];
  for (int a = 0; a < 3; a++) {
    c[a] = p[a] - lower[a];
    if (g->axis[a].periodic && a < g->dim) c[a] = (c[a] + g->axis[a].n) % g->axis[a].n;
    if (c[a] < 0 || c[a] >= (a < g->dim ? g->axis[a].n : 1)) return false;
  }
  return !g->solid[grid_cell(g, c[0], c[1], c[2])];
}

/* No equation holds at points all of whose cells are solid. */
static bool is_inside_solid(const grid *g, dslc_place place, const int32_t p[3]) {
  int lower[3], n[3];
  for (int a = 0; a < 3; a++) n[a] = a < g->dim && exec_grid_on_face(place, a);
  for (lower[2] = 0; lower[2] <= n[2]; lower[2]++)
    for (lower[1] = 0; lower[1] <= n[1]; lower[1]++)
      for (lower[0] = 0; lower[0] <= n[0]; lower[0]++)
        if (has_gas(g, p, lower)) return false;
  return true;
}

static void clear_solids(const grid *g, dslc_place place, int components, double *value) {
  int32_t n[3], p[3];
  size_t at = 0;
  for (int a = 0; a < 3; a++)
    n[a] = a >= g->dim ? 1 : g->axis[a].n + (exec_grid_on_face(place, a) && !g->axis[a].periodic);
  for (p[2] = 0; p[2] < n[2]; p[2]++)
    for (p[1] = 0; p[1] < n[1]; p[1]++)
      for (p[0] = 0; p[0] < n[0]; p[0]++, at += (size_t)components)
        if (is_inside_solid(g, place, p)) memset(value + at, 0, sizeof *value * (size_t)components);
}

/* ---- reading ------------------------------------------------------------------------------------------------------ */

static verify_field *new_field(verify_result *r, const char *name, int n, ew_error *err) {
  verify_field *f = &r->field[r->n_fields];
  f->n = n;
  f->value = calloc((size_t)n + 1, sizeof *f->value);
  if (!f->value) return ew_fail(err, EW_FAIL, "out of memory for the values of '%s'", name), NULL;
  snprintf(f->name, sizeof f->name, "%s", name);
  r->n_fields++;
  return f;
}

static ew_status read_field(exec_run *run, const dslc_field *f, verify_result *r, ew_error *err) {
  ew_status status = EW_OK;
  int32_t n = exec_count(run, f->name);
  int k = f->components;
  double *raw = calloc((size_t)n * (size_t)k + 1, sizeof *raw);
  int32_t *rank = ranks(run, f->place, n);
  verify_field *to = new_field(r, f->name, n * k, err);
  if (!raw || !rank || !to) EXEC_LEAVE(err, EW_FAIL, "out of memory to read '%s'", f->name);
  EW_CHECK(exec_read(run, f->name, raw, err));
  for (int32_t i = 0; i < n; i++) {
    memcpy(to->value + (size_t)rank[i] * (size_t)k, raw + (size_t)i * (size_t)k, sizeof *raw * (size_t)k);
    if (f->flux && is_turned(exec_get_mesh(run), i)) to->value[rank[i]] *= -1;
  }
  const exec_domain *d = exec_get_domain(run);
  if (d->g && f->place != DSLC_NOWHERE) clear_solids(d->g, f->place, k, to->value);
cleanup:
  free(raw);
  free(rank);
  return status;
}

static bool is_read(const dslc_program *p, const dslc_field *f) {
  if (f->kind == DSLC_STATE) return true;
  return f->kind == DSLC_QUANTITY && f->buffer >= 0 && f->show >= 0 && exec_can_show(p, f->place);
}

ew_status verify_collect(exec_run *run, verify_result *r, ew_error *err) {
  ew_status status = EW_OK;
  const dslc_program *p = exec_get_program(run);
  r->field = calloc((size_t)(p->model.n_fields + p->model.n_globals + 1), sizeof *r->field);
  if (!r->field) return ew_fail(err, EW_FAIL, "out of memory for results");
  r->t = exec_time(run);
  r->steps = exec_steps(run);
  for (int i = 0; i < p->model.n_fields; i++)
    if (is_read(p, &p->model.field[i])) EW_CHECK(read_field(run, &p->model.field[i], r, err));
  for (int i = 0; i < p->model.n_globals && !r->diverged; i++) {
    if (exec_global_is_left_out(p, p->model.global[i].name)) continue;
    verify_field *f = new_field(r, p->model.global[i].name, 1, err);
    if (!f) return EW_FAIL;
    EW_CHECK(exec_global(run, p->model.global[i].name, f->value, err));
  }
cleanup:
  return status;
}

/* ---- the start ---------------------------------------------------------------------------------------------------- */

static ew_status nudge_field(exec_run *run, const dslc_field *f, double by, uint64_t *chance, ew_error *err) {
  ew_status status = EW_OK;
  const size_t n = (size_t)exec_count(run, f->name) * (size_t)f->components;
  double *value = calloc(n + 1, sizeof *value);
  if (!value) EXEC_LEAVE(err, EW_FAIL, "out of memory to read '%s'", f->name);
  EW_CHECK(exec_read(run, f->name, value, err));
  for (size_t i = 0; i < n; i++) value[i] *= 1 + (verify_below(chance, 2) ? by : -by);
  EW_CHECK(exec_write(run, f->name, value, err));
cleanup:
  free(value);
  return status;
}

static ew_status nudge(exec_run *run, double by, ew_error *err) {
  const dslc_program *p = exec_get_program(run);
  uint64_t chance = random_seed(24);
  for (int i = 0; i < p->model.n_fields; i++) {
    const dslc_field *f = &p->model.field[i];
    if (f->kind != DSLC_STATE || f->place == DSLC_NOWHERE) continue;
    ew_status status = nudge_field(run, f, by, &chance, err);
    if (status != EW_OK) return status;
  }
  return EW_OK;
}

/* ---- running ------------------------------------------------------------------------------------------------------ */

/* A check that fails is a result, whether when the run begins, in its steps, or where fields are asked for. */
static ew_status note_check(ew_status status, verify_result *out, ew_error *err) {
  if (status != EW_DIVERGED) return status;
  out->diverged = true;
  snprintf(out->why, sizeof out->why, "%.500s", err->text);
  *err = (ew_error){0};
  return EW_OK;
}

/* What a run computes with. */
typedef struct means {
  const exec_domain *domain;
  dev_context *device;
  dslc_program *program;
  const volatile sig_atomic_t *stop; /* or NULL */
} means;

static ew_status advance(exec_run *run, const ew_case *c, int64_t steps, const means *by, verify_result *out,
                         ew_error *err) {
  exec_until until = {
      .t_stop = c->time.stop > 0 ? c->time.stop : 1e9, .max_steps = steps, .look = 3, .stop = by->stop};
  const ew_status status = note_check(exec_advance(run, &until, err), out, err);
  out->cut_short = out->diverged && dev_get_info(by->device)->language == DEV_REFERENCE;
  return status;
}

static ew_status check_case(const ew_case *c, const dslc_program *p, const exec_domain *d, ew_error *err) {
  exec_problems found = {0};
  ew_status status = exec_check(c, p, d, &found, err);
  if (status == EW_OK && found.n > 0)
    status = ew_fail(err, EW_INPUT, "the case: %.1000s", found.item[0].text);
  exec_problems_clear(&found);
  return status;
}

/* What a manifest says is all that its reader knows: the program, or what is missing. The files are gone afterwards. */
static ew_status through_manifest(const ew_case *c, dslc_program **p, ew_error *err) {
  char path[1024], source[1024], error[512] = "";
  const char *extension = strcmp((*p)->identity.target, "opencl") == 0 ? "cl" : "c";
  int n = snprintf(path, sizeof path, "%s/manifest.json", c->folder);
  int m = snprintf(source, sizeof source, "%s/%s.%s", c->folder, (*p)->identity.scheme, extension);
  if (n >= (int)sizeof path || m >= (int)sizeof source)
    return ew_fail(err, EW_IO, "the path %.500s is too long", c->folder);
  dslc_program *read = NULL;
  bool good = dslc_manifest_write(*p, path, error, sizeof error) == 0 &&
              dslc_manifest_read(path, &read, error, sizeof error) == 0;
  unlink(path), unlink(source);
  if (!good) return ew_fail(err, EW_INTERNAL, "a manifest just written: %.400s", error);
  dslc_program_destroy(p);
  *p = read;
  return EW_OK;
}

/* A checkpoint's doubles do not hold all of two floats that lie far apart. */
static const double lost_of_pairs = 1e-12;

/* Another run in the place of this one, from a checkpoint, which is gone afterwards. It shows what this one does, unless its schedule is
 * another one: that may round otherwise, and does not know what was shown of the start of the last step. */
static ew_status begin_anew(exec_run **run, const means *by, ew_case *c, bool same, ew_error *err) {
  ew_status status = EW_OK;
  char path[1024];
  verify_result before = {0}, after = {0};
  if (snprintf(path, sizeof path, "%s/checkpoint.ew", c->folder) >= (int)sizeof path)
    return ew_fail(err, EW_IO, "the path %.500s is too long", c->folder);
  EW_CHECK(verify_collect(*run, &before, err));
  EW_CHECK(exec_checkpoint_write(*run, path, NULL, err));
  exec_destroy(run);
  EW_CHECK(exec_create(by->device, by->program, by->domain, c, run, err));
  EW_CHECK(exec_checkpoint_read(*run, path, NULL, err));
  EW_CHECK(verify_collect(*run, &after, err));
  const verify_difference d = verify_compare(&before, &after, 1);
  const double allowed = dev_get_info(by->device)->fp64 ? 0 : lost_of_pairs;
  if (same && !(d.most <= allowed))
    status = ew_fail(err, EW_INTERNAL, "resumed, it shows another value: %s", d.text);
cleanup:
  unlink(path);
  verify_result_clear(&before);
  verify_result_clear(&after);
  return status;
}

/* `then`: who goes on half-way; NULL: nobody else. */
static ew_status advance_all(exec_run **run, const means *by, const means *then, ew_case *c,
                             verify_result *out, ew_error *err) {
  ew_status status = EW_OK;
  const int64_t half = then ? c->time.max_steps / 2 : 0;
  if (half > 0) {
    EW_CHECK(advance(*run, c, half, by, out, err));
    if (out->diverged) return EW_OK;
    EW_CHECK(note_check(begin_anew(run, then, c, then->program == by->program, err), out, err));
    if (out->diverged) return EW_OK;
  }
  EW_CHECK(advance(*run, c, c->time.max_steps - half, half > 0 ? then : by, out, err));
cleanup:
  return status;
}

static bool meets_fault(const dslc_program *p, const dev_context *device, verify_result *out) {
  int kernel;
  const dev_fault *fault = exec_known_fault(p, dev_get_info(device), &kernel);
  if (fault) snprintf(out->why, sizeof out->why, "%.500s", fault->what);
  return out->faulty = fault != NULL;
}

/* By none of the way's settings, which stand behind the case's; or by the interpreter, on a device of its own. */
static ew_status other_means(ew_case *c, const verify_way *way, const means *by, FILE *messages, means *out,
                             ew_error *err) {
  ew_status status = EW_OK;
  const bool interprets = way->resumed != VERIFY_RESUMED_OTHERWISE;
  *out = (means){by->domain, interprets ? NULL : by->device, NULL, by->stop};
  c->build.n_schedule -= way->n;
  if (interprets) status = dev_context_create("reference", &out->device, err);
  if (status == EW_OK) status = exec_program(c, by->domain, out->device, messages, &out->program, err);
  c->build.n_schedule += way->n;
  return status;
}

/* Another program or device takes part. In which precision states lie counts. */
static bool is_shared(const verify_way *way) {
  return way->resumed > VERIFY_RESUMED && !verify_way_is_single(way);
}

/* From the start on by `first`, and if it is resumed from half-way on by `then`. */
static ew_status run_by(ew_case *c, const verify_way *way, const means *first, const means *then,
                        verify_result *out, ew_error *err) {
  ew_status status = EW_OK;
  exec_run *run = NULL;
  EW_CHECK(note_check(exec_create(first->device, first->program, first->domain, c, &run, err), out, err));
  if (!run) goto cleanup; /* what is required did not hold at the start */
  if (way->nudge > 0) EW_CHECK(nudge(run, way->nudge, err));
  EW_CHECK(advance_all(&run, first, way->resumed ? then : NULL, c, out, err));
  EW_CHECK(note_check(verify_collect(run, out, err), out, err));
cleanup:
  exec_destroy(&run);
  return status;
}

static ew_status run_case(ew_case *c, const verify_way *way, FILE *messages, verify_result *out,
                          ew_error *err) {
  ew_status status;
  exec_domain domain = {NULL, NULL};
  dev_context *device = NULL;
  dslc_program *p = NULL;
  means other = {0};
  EW_CHECK(exec_domain_create(c, &domain, err));
  EW_CHECK(dev_context_create(c->build.device, &device, err));
  EW_CHECK(exec_program(c, &domain, device, messages, &p, err));
  if (way->by_manifest) EW_CHECK(through_manifest(c, &p, err));
  EW_CHECK(check_case(c, p, &domain, err));
  if (meets_fault(p, device, out)) goto cleanup;
  const means by = {&domain, device, p, way->stop};
  if (is_shared(way)) EW_CHECK(other_means(c, way, &by, messages, &other, err));
  if (other.program && meets_fault(other.program, other.device, out)) goto cleanup;
  const means *then = other.program ? &other : &by;
  const bool begun_by_other = way->resumed == VERIFY_BEGUN_BY_REFERENCE;
  EW_CHECK(run_by(c, way, begun_by_other ? then : &by, begun_by_other ? &by : then, out, err));
cleanup:
  dslc_program_destroy(&p);
  dslc_program_destroy(&other.program);
  if (other.device != device) dev_context_destroy(&other.device);
  dev_context_destroy(&device);
  exec_domain_clear(&domain);
  return status;
}

/* The case's own settings come before those of the way, which win. */
ew_status verify_run(ew_case *c, const verify_way *way, FILE *messages, verify_result *out, ew_error *err) {
  ew_case kept = *c;
  case_setting *all = calloc((size_t)(c->build.n_schedule + way->n) + 1, sizeof *all);
  *out = (verify_result){0};
  if (!all) return ew_fail(err, EW_FAIL, "out of memory for a schedule");
  if (c->build.n_schedule) memcpy(all, c->build.schedule, sizeof *all * (size_t)c->build.n_schedule);
  for (int i = 0; i < way->n; i++)
    all[c->build.n_schedule + i] = (case_setting){.name = way->set[i].name, .value = way->set[i].value};
  c->build.schedule = all;
  c->build.n_schedule += way->n;
  c->build.device = way->device;
  c->build.by_rule = true;
  c->build.ahead = way->built_ahead;
  c->mesh.cells = way->cells;
  c->mesh.faces = way->faces;
  c->mesh.nodes = way->nodes;
  ew_status status = run_case(c, way, messages, out, err);
  if (status != EW_OK) verify_result_clear(out);
  *c = kept;
  free(all);
  return status;
}
