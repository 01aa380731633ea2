#include "csr/setup.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"

enum { ROUNDS = 6 }; /* of founding, between two looks */

/* Neither programs rewritten for devices without fp64 nor the model machine know the atomics it takes. */
bool setup_serves(const dev_context *device) {
  const dev_info *info = dev_get_info(device);
  return !cycle_loops(device) && info->fp64 && !info->model;
}

/* ---- life ------------------------------------------------------------------------------------------------------- */

ew_status setup_create(dev_context *device, int group_bits, setup **out, ew_error *err) {
  setup *s = *out = calloc(1, sizeof *s);
  if (!s) return ew_fail(err, EW_FAIL, "out of memory for multigrid");
  const ew_status status = mg_device_create(device, group_bits, &s->device, err);
  if (status != EW_OK) setup_destroy(out);
  return status;
}

static void clear_level(setup_level *l) {
  mg_device_rows *rows[] = {&l->own, &l->prolong, &l->restrict_, &l->product};
  dev_buffer **own[] = {&l->diagonal, &l->reach, &l->aggregate, &l->from};
  for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) mg_device_rows_clear(rows[k]);
  for (size_t k = 0; k < sizeof own / sizeof *own; k++) dev_buffer_destroy(own[k]);
  *l = (setup_level){0};
}

static void clear_levels(setup *s) {
  for (int l = 0; l < MG_MOST_LEVELS; l++) clear_level(&s->level[l]);
  dev_buffer_destroy(&s->scaling);
  s->n_levels = 0;
}

void setup_destroy(setup **s) {
  if (!s || !*s) return;
  clear_levels(*s);
  mg_device_destroy(&(*s)->device);
  free(*s);
  *s = NULL;
}

static ew_status create(setup *s, const char *name, uint64_t bytes, dev_buffer **out, ew_error *err) {
  return *out ? EW_OK : dev_buffer_create(s->device->context, name, bytes, out, err);
}

/* ---- scaling: see near_null.c ------------------------------------------------------------------------------------- */

typedef struct survey {
  double mean, most, magnitude; /* how far rows are short; the sum of the diagonal's magnitudes */
} survey;

static ew_status survey_of(setup *s, const mg_device_matrix *a, const dev_buffer *v, survey *out,
                           ew_error *err) {
  ew_status status = EW_OK;
  const uint64_t bytes = 3 * 8 * (uint64_t)MG_SURVEYORS;
  dev_buffer *partial;
  double *seen = NULL;
  *out = (survey){0};
  EW_CHECK(EW_NEW(seen, 3 * (size_t)MG_SURVEYORS));
  EW_CHECK(mg_device_room(s->device, MG_PARTIAL, bytes, &partial, err));
  EW_CHECK(mg_device_run(s->device, MG_SURVEY, a->n, err, "bbbbbb", a->start, a->col, a->off, a->diagonal, v,
                         partial));
  EW_CHECK(dev_buffer_read(partial, 0, bytes, seen, err));
  for (int k = 0; k < MG_SURVEYORS; k++) {
    out->mean += seen[k] * 0x1p-24 / a->n;
    out->most = fmax(out->most, seen[MG_SURVEYORS + k]);
    out->magnitude += seen[2 * MG_SURVEYORS + k];
  }
cleanup:
  free(seen);
  return status;
}

static ew_status fill_ones(dev_buffer *v, int32_t n, ew_error *err) {
  const double one = 1;
  return dev_buffer_fill(v, 0, 8 * (uint64_t)n, &one, sizeof one, err);
}

/* *v [n]: from the better guess, relaxed. */
static ew_status relax(setup *s, const mg_device_matrix *a, double ones, dev_buffer **v, ew_error *err) {
  ew_status status = EW_OK;
  survey guessed;
  dev_buffer *now = NULL, *next = NULL;
  EW_CHECK(dev_buffer_create(s->device->context, "multigrid scaling", 8 * (uint64_t)a->n, &now, err));
  EW_CHECK(dev_buffer_create(s->device->context, "multigrid scaling", 8 * (uint64_t)a->n, &next, err));
  EW_CHECK(mg_device_run(s->device, MG_GUESS, a->n, err, "bb", a->diagonal, now));
  EW_CHECK(survey_of(s, a, now, &guessed, err));
  if (guessed.mean >= ones) EW_CHECK(fill_ones(now, a->n, err));
  for (int sweep = 0; sweep < MG_RELAX_SWEEPS; sweep++) {
    EW_CHECK(mg_device_run(s->device, MG_RELAX, a->n, err, "bbbbbb", a->start, a->col, a->off, a->diagonal,
                           now, next));
    dev_buffer *swap = now;
    now = next;
    next = swap;
  }
  *v = now;
  now = NULL;
cleanup:
  dev_buffer_destroy(&now);
  dev_buffer_destroy(&next);
  return status;
}

/* *v: as mg_near_null, NULL where constants serve; `seen`: with constants. */
static ew_status near_null(setup *s, const mg_device_matrix *a, survey *seen, dev_buffer **v, ew_error *err) {
  ew_status status = EW_OK;
  dev_buffer *ones;
  *v = NULL;
  EW_CHECK(mg_device_room(s->device, MG_ROOTS, 8 * (uint64_t)a->n, &ones, err));
  EW_CHECK(fill_ones(ones, a->n, err));
  EW_CHECK(survey_of(s, a, ones, seen, err));
  if (!mg_constants_serve(seen->mean, seen->most)) EW_CHECK(relax(s, a, seen->mean, v, err));
cleanup:
  return status;
}

static ew_status scale(setup *s, const mg_device_matrix *a, const dev_buffer *v, setup_level *l,
                       ew_error *err) {
  return mg_device_run(s->device, MG_SCALE, a->n, err, "bbbbb", a->start, a->col, v, l->own.value,
                       l->diagonal);
}

/* The finest level shows the caller's matrix, or V A V. */
static ew_status take_finest(setup *s, const csr_matrix *matrix, ew_error *err) {
  ew_status status = EW_OK;
  setup_level *l = &s->level[0];
  mg_device_matrix *a = &l->matrix;
  const csr_pattern *p = &matrix->pattern;
  const uint64_t n = (uint64_t)p->n, entries = (uint64_t)p->start[p->n];
  survey seen;
  *a = (mg_device_matrix){p->n, p->start[p->n], matrix->start, matrix->col, matrix->off, matrix->diagonal};
  dev_buffer_destroy(&s->scaling);
  EW_CHECK(near_null(s, a, &seen, &s->scaling, err));
  if (s->scaling) {
    EW_CHECK(create(s, "multigrid values", 8 * entries, &l->own.value, err));
    EW_CHECK(create(s, "multigrid diagonal", 8 * n, &l->diagonal, err));
    if (entries) EW_CHECK(dev_buffer_copy(l->own.value, 0, matrix->off, 0, 8 * entries, err));
    EW_CHECK(dev_buffer_copy(l->diagonal, 0, matrix->diagonal, 0, 8 * n, err));
    EW_CHECK(scale(s, a, s->scaling, l, err));
    a->off = l->own.value;
    a->diagonal = l->diagonal;
    EW_CHECK(survey_of(s, a, s->scaling, &seen, err));
  }
  s->scale = mg_scale_of(seen.magnitude, p->n);
cleanup:
  return status;
}

/* What interpolates from unknowns x interpolates from V^-1 x as P V. */
static ew_status scale_next(setup *s, setup_level *fine, setup_level *next, ew_error *err) {
  ew_status status = EW_OK;
  survey seen;
  dev_buffer *v = NULL;
  EW_CHECK(near_null(s, &next->matrix, &seen, &v, err));
  if (!v) goto cleanup;
  EW_CHECK(scale(s, &next->matrix, v, next, err));
  EW_CHECK(mg_device_run(s->device, MG_SCALE_COLUMNS, fine->prolong.entries, err, "bbb", fine->prolong.col, v,
                         fine->prolong.value));
  EW_CHECK(mg_device_run(s->device, MG_PERMUTE, fine->restrict_.entries, err, "bbb", fine->from,
                         fine->prolong.value, fine->restrict_.value));
cleanup:
  dev_buffer_destroy(&v);
  return status;
}

/* ---- aggregates --------------------------------------------------------------------------------------------------- */

/* What a level's aggregates are made with. */
typedef struct founding {
  dev_buffer *root, *candidate, *claim, *other, *left, *founder;
} founding;

static ew_status make_room(setup *s, int32_t n, founding *f, ew_error *err) {
  ew_status status = EW_OK;
  const struct {
    mg_scratch which;
    dev_buffer **room;
    uint64_t bytes;
  } all[] = {{MG_ROOTS, &f->root, 8 * (uint64_t)n},          {MG_CANDIDATES, &f->candidate, 4 * (uint64_t)n},
             {MG_CLAIMS, &f->claim, 4 * (uint64_t)n},        {MG_OTHERS, &f->other, 4 * (uint64_t)n},
             {MG_FOUNDERS_OF, &f->founder, 4 * (uint64_t)n}, {MG_LEFT, &f->left, 4 * ROUNDS}};
  for (size_t k = 0; k < sizeof all / sizeof *all; k++)
    EW_CHECK(mg_device_room(s->device, all[k].which, all[k].bytes, all[k].room, err));
cleanup:
  return status;
}

static int32_t bits_for(int32_t n) {
  int32_t bits = 0;
  while (((int64_t)1 << bits) < n) bits++;
  return bits;
}

/* Rounds until there is no candidate. */
static ew_status found(setup *s, const setup_level *l, founding *f, bool second, ew_error *err) {
  ew_status status = EW_OK;
  const mg_device_matrix *a = &l->matrix;
  const int32_t bits = bits_for(a->n), zero = 0;
  for (int32_t left = 1; left;) {
    EW_CHECK(dev_buffer_fill(f->left, 0, 4 * ROUNDS, &zero, sizeof zero, err));
    for (int32_t round = 0; round < ROUNDS; round++) {
      EW_CHECK(mg_device_run(s->device, MG_CLAIM, a->n, err, "bbbiiibbbb", a->start, l->reach, f->founder,
                             bits, (int32_t)second, round, f->candidate, f->claim, f->other, f->left));
      EW_CHECK(mg_device_run(s->device, MG_FOUND, a->n, err, "bbbbiiibb", a->start, l->reach, f->candidate,
                             f->claim, bits, (int32_t)second, round, f->left, f->founder));
      dev_buffer *swap = f->claim;
      f->claim = f->other;
      f->other = swap;
    }
    EW_CHECK(dev_buffer_read(f->left, 4 * (ROUNDS - 1), 4, &left, err));
  }
cleanup:
  return status;
}

/* l->aggregate of the strong couplings in l->reach; *n: how many. */
static ew_status number(setup *s, setup_level *l, const founding *f, int32_t *n, ew_error *err) {
  ew_status status = EW_OK;
  const mg_device_matrix *a = &l->matrix;
  dev_buffer *flags, *numbers;
  EW_CHECK(mg_device_room(s->device, MG_COUNTS, 4 * (uint64_t)a->n, &flags, err));
  EW_CHECK(mg_device_room(s->device, MG_NUMBERS, 4 * ((uint64_t)a->n + 1), &numbers, err));
  EW_CHECK(mg_device_run(s->device, MG_FOUNDERS, a->n, err, "bb", f->founder, flags));
  EW_CHECK(mg_device_scan(s->device, a->n, &numbers, n, err));
  EW_CHECK(create(s, "multigrid aggregates", 4 * (uint64_t)a->n, &l->aggregate, err));
  EW_CHECK(mg_device_run(s->device, MG_JOIN, a->n, err, "bbbbbb", a->start, l->reach, a->off, f->founder,
                         numbers, l->aggregate));
cleanup:
  return status;
}

static ew_status aggregate(setup *s, setup_level *l, double threshold, int32_t *n, ew_error *err) {
  ew_status status = EW_OK;
  const mg_device_matrix *a = &l->matrix;
  founding f;
  EW_CHECK(make_room(s, a->n, &f, err));
  EW_CHECK(create(s, "multigrid couplings", 4 * (uint64_t)a->entries, &l->reach, err));
  EW_CHECK(mg_device_run(s->device, MG_ROOTS_OF, a->n, err, "bb", a->diagonal, f.root));
  EW_CHECK(mg_device_run(s->device, MG_COUPLINGS, a->n, err, "bbbbrbbbbb", a->start, a->col, a->off, f.root,
                         threshold, l->reach, f.founder, f.candidate, f.claim, f.other));
  EW_CHECK(found(s, l, &f, false, err));
  EW_CHECK(mg_device_run(s->device, MG_REOPEN, a->n, err, "bbbbbb", a->start, l->reach, f.founder,
                         f.candidate, f.claim, f.other));
  EW_CHECK(found(s, l, &f, true, err));
  EW_CHECK(number(s, l, &f, n, err));
  EW_CHECK(mg_device_run(s->device, MG_REACH, a->n, err, "bbbrb", a->start, a->off, f.root, MG_ROW_SHARE,
                         l->reach));
cleanup:
  return status;
}

/* ---- levels ------------------------------------------------------------------------------------------------------- */

static ew_status prolong_pattern(setup *s, setup_level *l, int32_t n, ew_error *err) {
  ew_status status = EW_OK;
  const mg_device_matrix *a = &l->matrix;
  mg_device_rows *p = &l->prolong;
  dev_buffer *counts;
  *p = (mg_device_rows){.rows = a->n, .columns = n};
  EW_CHECK(mg_device_room(s->device, MG_COUNTS, 4 * (uint64_t)a->n, &counts, err));
  EW_CHECK(mg_device_run(s->device, MG_PROLONG_COUNT, a->n, err, "bbbb", a->start, l->reach, l->aggregate,
                         counts));
  EW_CHECK(mg_device_scan(s->device, a->n, &p->start, &p->entries, err));
  EW_CHECK(mg_device_rows_fill(s->device, p, err));
  EW_CHECK(mg_device_run(s->device, MG_PROLONG_FILL, a->n, err, "bbbbbb", a->start, l->reach, l->aggregate,
                         p->start, p->col, p->row));
cleanup:
  return status;
}

static ew_status prolong_values(setup *s, setup_level *l, ew_error *err) {
  ew_status status = EW_OK;
  const mg_device_matrix *a = &l->matrix;
  const mg_device_rows *p = &l->prolong;
  EW_CHECK(mg_device_run(s->device, MG_PROLONG_VALUES, a->n, err, "bbbbbbbb", a->start, l->reach, a->off,
                         a->diagonal, l->aggregate, p->start, p->col, p->value));
  EW_CHECK(mg_device_run(s->device, MG_PERMUTE, l->restrict_.entries, err, "bbb", l->from, p->value,
                         l->restrict_.value));
cleanup:
  return status;
}

/* Values of A P and P' A P. */
static ew_status galerkin_values(setup *s, setup_level *fine, setup_level *next, ew_error *err) {
  ew_status status = EW_OK;
  EW_CHECK(mg_device_product_values(s->device, &fine->matrix, &fine->prolong, &fine->product, err));
  EW_CHECK(
      mg_device_square_values(s->device, &fine->restrict_, &fine->product, &next->own, next->diagonal, err));
  if (s->scaling) EW_CHECK(scale_next(s, fine, next, err));
cleanup:
  return status;
}

static ew_status galerkin(setup *s, setup_level *fine, setup_level *next, ew_error *err) {
  ew_status status = EW_OK;
  mg_device_rows *own = &next->own;
  EW_CHECK(mg_device_product(s->device, &fine->matrix, &fine->prolong, &fine->product, err));
  EW_CHECK(mg_device_square(s->device, &fine->restrict_, &fine->product, own, err));
  EW_CHECK(create(s, "multigrid diagonal", 8 * (uint64_t)own->rows, &next->diagonal, err));
  next->matrix =
      (mg_device_matrix){own->rows, own->entries, own->start, own->col, own->value, next->diagonal};
  EW_CHECK(galerkin_values(s, fine, next, err));
cleanup:
  return status;
}

/* Makes the next level, unless aggregates would hardly make it smaller. */
static ew_status coarsen(setup *s, double threshold, bool *done, ew_error *err) {
  ew_status status = EW_OK;
  setup_level *fine = &s->level[s->n_levels - 1];
  int32_t n;
  EW_CHECK(aggregate(s, fine, threshold, &n, err));
  *done = n == 0 || n > MG_LEAST_GAIN * fine->matrix.n;
  if (*done) goto cleanup;
  EW_CHECK(prolong_pattern(s, fine, n, err));
  EW_CHECK(mg_device_transpose(s->device, &fine->prolong, &fine->restrict_, &fine->from, err));
  EW_CHECK(prolong_values(s, fine, err));
  EW_CHECK(galerkin(s, fine, fine + 1, err));
  s->n_levels++;
cleanup:
  return status;
}

ew_status setup_make(setup *s, const csr_matrix *matrix, ew_error *err) {
  ew_status status = EW_OK;
  double threshold = MG_THRESHOLD;
  bool done = false;
  clear_levels(s);
  s->n_levels = 1;
  EW_CHECK(take_finest(s, matrix, err));
  for (; !done && s->n_levels < MG_MOST_LEVELS && s->level[s->n_levels - 1].matrix.n > MG_MOST_DENSE;
       threshold /= 2)
    EW_CHECK(coarsen(s, threshold, &done, err));
cleanup:
  if (status != EW_OK) clear_levels(s);
  return status;
}

/* ---- what the cycle takes -------------------------------------------------------------------------------------------- */

/* The inverse of the last level, by sweeps from one array to another. */
static ew_status dense_values(setup *s, dev_buffer *dense, ew_error *err) {
  ew_status status = EW_OK;
  const mg_device_matrix *a = &s->level[s->n_levels - 1].matrix;
  const int32_t side = a->n, all = side * side;
  dev_context *context = s->device->context;
  dev_buffer *m = NULL, *next = NULL, *zero = NULL;
  EW_CHECK(dev_buffer_create(context, "multigrid inverse", 8 * (uint64_t)all, &m, err));
  EW_CHECK(dev_buffer_create(context, "multigrid inverse", 8 * (uint64_t)all, &next, err));
  EW_CHECK(dev_buffer_create(context, "multigrid pivots", 4 * (uint64_t)side, &zero, err));
  EW_CHECK(mg_device_run(s->device, MG_SPREAD, side, err, "bbbbb", a->start, a->col, a->off, a->diagonal, m));
  for (int32_t k = 0; k < side; k++) {
    EW_CHECK(mg_device_run(s->device, MG_SWEEP, all, err, "iibbbb", side, k, a->diagonal, m, next, zero));
    dev_buffer *swap = m;
    m = next;
    next = swap;
  }
  EW_CHECK(mg_device_run(s->device, MG_INVERSE, all, err, "irbbb", side, s->scale, m, zero, dense));
cleanup:
  dev_buffer_destroy(&m);
  dev_buffer_destroy(&next);
  dev_buffer_destroy(&zero);
  return status;
}

static ew_status level_values(setup *s, const setup_level *from, cycle_level *to, ew_error *err) {
  ew_status status = EW_OK;
  const mg_device_matrix *a = &from->matrix;
  if (from != &s->level[0]) {
    EW_CHECK(mg_device_cut_values(s->device, &from->own, s->scale, &to->matrix, err));
    EW_CHECK(mg_device_run(s->device, MG_RESTS, a->n, err, "bbbrbb", a->start, a->off, a->diagonal, s->scale,
                           to->rest, to->inverse));
  }
  if (to->prolong.col) {
    EW_CHECK(mg_device_cut_values(s->device, &from->prolong, 1, &to->prolong, err));
    EW_CHECK(mg_device_cut_values(s->device, &from->restrict_, 1, &to->restrict_, err));
  }
cleanup:
  return status;
}

ew_status setup_values(setup *s, cycle_parts *parts, ew_error *err) {
  ew_status status = EW_OK;
  const int32_t n = s->level[0].matrix.n;
  parts->scale = s->scale;
  for (int l = 0; l < s->n_levels; l++) EW_CHECK(level_values(s, &s->level[l], &parts->level[l], err));
  if (s->scaling) EW_CHECK(dev_buffer_copy(parts->scaling, 0, s->scaling, 0, 8 * (uint64_t)n, err));
  else EW_CHECK(fill_ones(parts->scaling, n, err));
  if (parts->dense) EW_CHECK(dense_values(s, parts->dense, err));
cleanup:
  return status;
}

static ew_status cut(setup *s, const mg_device_rows *r, cycle_rows *out, ew_error *err) {
  out->lanes_bits = cycle_many_lanes(s->device->context, r->rows, r->entries) ? CYCLE_MANY_LANES_BITS : 0;
  return mg_device_cut(s->device, r->rows, r->start, r->col, out, err);
}

/* The finest level, of which the cycle has the values from elsewhere, has one lane a row. */
static ew_status create_level(setup *s, int number, cycle_level *to, ew_error *err) {
  ew_status status = EW_OK;
  dev_context *context = s->device->context;
  const setup_level *from = &s->level[number];
  const mg_device_matrix *a = &from->matrix;
  const uint64_t bytes = 4 * (uint64_t)a->n;
  if (number) EW_CHECK(cut(s, &from->own, &to->matrix, err));
  else EW_CHECK(mg_device_cut(s->device, a->n, a->start, a->col, &to->matrix, err));
  EW_CHECK(dev_buffer_create(context, "multigrid rests", bytes, &to->rest, err));
  EW_CHECK(dev_buffer_create(context, "multigrid diagonal", bytes, &to->inverse, err));
  if (number < s->n_levels - 1) {
    EW_CHECK(cut(s, &from->prolong, &to->prolong, err));
    EW_CHECK(cut(s, &from->restrict_, &to->restrict_, err));
  }
  EW_CHECK(cycle_create_vectors(context, a->n, to, err));
cleanup:
  return status;
}

ew_status setup_parts(setup *s, cycle_parts *out, ew_error *err) {
  ew_status status = EW_OK;
  dev_context *context = s->device->context;
  const uint64_t last = (uint64_t)s->level[s->n_levels - 1].matrix.n;
  *out = (cycle_parts){.n_levels = s->n_levels};
  for (int l = 0; l < s->n_levels; l++) EW_CHECK(create_level(s, l, &out->level[l], err));
  EW_CHECK(dev_buffer_create(context, "multigrid scaling", 8 * (uint64_t)s->level[0].matrix.n, &out->scaling,
                             err));
  if (last <= MG_MOST_DENSE)
    EW_CHECK(dev_buffer_create(context, "multigrid inverse", 4 * last * last, &out->dense, err));
  EW_CHECK(setup_values(s, out, err));
cleanup:
  if (status != EW_OK) cycle_parts_clear(out);
  return status;
}

/* ---- new values ---------------------------------------------------------------------------------------------------- */

static ew_status refresh_level(setup *s, int number, dev_buffer *changed, ew_error *err) {
  ew_status status = EW_OK;
  setup_level *l = &s->level[number];
  EW_CHECK(
      mg_device_run(s->device, MG_CHANGED, l->matrix.entries, err, "bbb", l->reach, l->matrix.off, changed));
  EW_CHECK(prolong_values(s, l, err));
  EW_CHECK(galerkin_values(s, l, l + 1, err));
cleanup:
  return status;
}

ew_status setup_refresh(setup *s, const csr_matrix *matrix, bool *kept, ew_error *err) {
  ew_status status = EW_OK;
  const bool scaled = s->scaling != NULL;
  int32_t flag = 0;
  dev_buffer *changed = NULL;
  EW_CHECK(take_finest(s, matrix, err));
  EW_CHECK(dev_buffer_create(s->device->context, "multigrid changes", sizeof flag, &changed, err));
  for (int l = 0; l < s->n_levels - 1; l++) EW_CHECK(refresh_level(s, l, changed, err));
  EW_CHECK(dev_buffer_read(changed, 0, sizeof flag, &flag, err));
  *kept = !flag && scaled == (s->scaling != NULL);
cleanup:
  dev_buffer_destroy(&changed);
  return status;
}
