#include "csr/cycle.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "csr/internal.h"
#include "multigrid_cl.h"
#include "dialect_cl.h"

/* ---- polynomials -------------------------------------------------------------------------------------------------- */

cycle_polynomial cycle_smoother(int degree) {
  cycle_polynomial p = {.degree = degree};
  for (int k = 0; k < degree; k++) {
    p.forward[k] = k == 0 ? 0 : (2.0 * k - 1) / (2 * k + 3);
    p.step[k] = (8.0 * k + 4) / (2 * k + 3);
  }
  return p;
}

cycle_polynomial cycle_chebyshev(int degree, double lowest) {
  const double theta = 0.5 * (1 + lowest), delta = 0.5 * (1 - lowest);
  cycle_polynomial p = {.degree = degree, .unit_diagonal = true, .step = {1 / theta}};
  double rho = delta / theta;
  for (int k = 1; k < degree; k++) {
    const double next = 1 / (2 * theta / delta - rho);
    p.forward[k] = next * rho;
    p.step[k] = 2 * next / delta;
    rho = next;
  }
  return p;
}

/* ---- what a cycle has ---------------------------------------------------------------------------------------------- */

typedef enum {
  ROOTS,
  TAKE,
  BEGIN,
  SMOOTH,
  FINISH,
  RESIDUAL,
  RESTRICT,
  PROLONG,
  DENSE,
  WIDEN,
  N_KERNELS
} cycle_kernel;

static const char *const KERNEL_NAME[N_KERNELS] = {"mg_roots",  "mg_take",     "mg_begin",    "mg_smooth",
                                                   "mg_finish", "mg_residual", "mg_restrict", "mg_prolong",
                                                   "mg_dense",  "mg_widen"};

enum { MANY_LANES_BITS = 3, SLICE_BITS = 5 };

/* Sparse rows as lines in slices: see kernels/multigrid.cl. */
typedef struct cycle_rows {
  int lanes_bits; /* log2 of the lanes of a row: 0, or MANY_LANES_BITS */
  dev_buffer *start, *col, *value;
} cycle_rows;

typedef struct cycle_level {
  int32_t n;
  cycle_rows matrix, prolong, restrict_;
  dev_buffer *rest, *inverse;
  dev_buffer *x, *other; /* two of the recurrence's iterates */
  dev_buffer *b, *r;
} cycle_level;

struct cycle {
  dev_context *device;
  int n_levels;
  int slice, group_bits;
  double scale;
  cycle_polynomial smoother;
  dev_kernel *kernel[2][N_KERNELS]; /* one lane a row, and many */
  cycle_level level[MG_MOST_LEVELS];
  dev_buffer *scaling; /* v of the finest level: its matrix is V A V */
  dev_buffer *dense;
};

static void clear_rows(cycle_rows *r) {
  dev_buffer_destroy(&r->start);
  dev_buffer_destroy(&r->col);
  dev_buffer_destroy(&r->value);
}

static void clear_level(cycle_level *l) {
  clear_rows(&l->matrix);
  clear_rows(&l->prolong);
  clear_rows(&l->restrict_);
  dev_buffer **own[] = {&l->rest, &l->inverse, &l->x, &l->other, &l->b, &l->r};
  for (size_t k = 0; k < sizeof own / sizeof *own; k++) dev_buffer_destroy(own[k]);
}

void cycle_destroy(cycle **c) {
  if (!c || !*c) return;
  for (int l = 0; l < (*c)->n_levels; l++) clear_level(&(*c)->level[l]);
  for (int k = 0; k < 2 * N_KERNELS; k++) dev_kernel_destroy(&(*c)->kernel[k / N_KERNELS][k % N_KERNELS]);
  dev_buffer_destroy(&(*c)->scaling);
  dev_buffer_destroy(&(*c)->dense);
  free(*c);
  *c = NULL;
}

/* ---- from host to device --------------------------------------------------------------------------------------------- */

/* How rows are cut: into lines, of which `size` make a slice. */
typedef struct slices {
  int lanes, size;
  int32_t *start; /* [slices + 1] first places */
} slices;

/* How many of a row's n entries are on its line number `lane`. */
static int32_t line_length(int32_t n, int lanes, int lane) { return (n - lane + lanes - 1) / lanes; }

static ew_status slice_starts(const mg_rows *r, slices *cut, ew_error *err) {
  int64_t at = 0;
  int32_t s = 0;
  const int32_t rows = cut->size / cut->lanes > 1 ? cut->size / cut->lanes : 1; /* of a slice */
  for (int32_t first = 0; first < r->rows; first += rows) {
    int32_t width = 0;
    for (int32_t i = first; i < first + rows && i < r->rows; i++) {
      const int32_t n = line_length(r->start[i + 1] - r->start[i], cut->lanes, 0);
      if (n > width) width = n;
    }
    cut->start[s++] = (int32_t)at;
    at += (int64_t)width * cut->size;
    if (at > INT32_MAX)
      return ew_fail(err, EW_FAIL, "multigrid: rows too long to be cut into slices of %d", cut->size);
  }
  cut->start[s] = (int32_t)at;
  return EW_OK;
}

/* Columns and values (where there are values) in their places; filling points at the row's first column, or at row 0. */
static void fill_slices(const mg_rows *r, const slices *cut, double scale, int32_t *col, float *value) {
  const int lanes = cut->lanes, slice = cut->size;
  const int32_t *start = cut->start;
  for (int32_t i = 0; i < r->rows; i++) {
    const int32_t begin = r->start[i], n = r->start[i + 1] - begin;
    for (int lane = 0; lane < lanes; lane++) {
      const int64_t line = (int64_t)i * lanes + lane;
      const int32_t first = start[line / slice] + (int32_t)(line % slice);
      const int32_t width = (start[line / slice + 1] - start[line / slice]) / slice;
      for (int32_t k = 0, from = lane; k < width; k++, from += lanes) {
        col[first + k * slice] = from < n ? r->col[begin + from] : n ? r->col[begin] : 0;
        if (value) value[first + k * slice] = from < n ? (float)(scale * r->value[begin + from]) : 0;
      }
    }
  }
}

/* Long rows keep many items busy, which a small level has need of; where items loop over rows there is one lane. */
static int lanes_bits_for(const cycle *c, const mg_rows *r) {
  enum { LONG_ROW = 24 };
  return c->group_bits > 0 && r->value && r->start[r->rows] >= (int64_t)LONG_ROW * r->rows ? MANY_LANES_BITS
                                                                                           : 0;
}

static ew_status upload_rows(cycle *c, const mg_rows *r, double scale, cycle_rows *out, ew_error *err) {
  ew_status status = EW_OK;
  const int lanes = 1 << (out->lanes_bits = lanes_bits_for(c, r));
  const int32_t n = (int32_t)(((int64_t)r->rows * lanes + c->slice - 1) / c->slice);
  slices cut = {lanes, c->slice, NULL};
  int32_t *col = NULL;
  float *value = NULL;
  EW_CHECK(EW_NEW(cut.start, (size_t)n + 1));
  EW_CHECK(slice_starts(r, &cut, err));
  const uint64_t places = (uint64_t)cut.start[n];
  EW_CHECK(EW_NEW(col, places));
  if (r->value) EW_CHECK(EW_NEW(value, places));
  fill_slices(r, &cut, scale, col, value);
  EW_CHECK(
      dev_buffer_upload(c->device, "multigrid rows", cut.start, 4 * ((uint64_t)n + 1), &out->start, err));
  EW_CHECK(dev_buffer_upload(c->device, "multigrid columns", col, 4 * places, &out->col, err));
  if (value) EW_CHECK(dev_buffer_upload(c->device, "multigrid values", value, 4 * places, &out->value, err));
  else EW_CHECK(dev_buffer_create(c->device, "multigrid values", 4 * places, &out->value, err));
cleanup:
  free(cut.start);
  free(col);
  free(value);
  return status;
}

/* rest and inverse of a level that the host has made: see mg_take. */
static ew_status upload_diagonals(cycle *c, const mg_matrix *a, cycle_level *to, ew_error *err) {
  ew_status status = EW_OK;
  float *rest = NULL, *inverse = NULL;
  EW_CHECK(EW_NEW(rest, a->n));
  EW_CHECK(EW_NEW(inverse, a->n));
  for (int32_t i = 0; i < a->n; i++) {
    double sum = a->diagonal[i], magnitude = fabs(sum);
    for (int32_t k = a->start[i]; k < a->start[i + 1]; k++) {
      sum += a->off[k];
      magnitude += fabs(a->off[k]);
    }
    rest[i] = (float)(c->scale * sum);
    inverse[i] = magnitude > 0 ? (float)(1 / (c->scale * magnitude)) : 0;
  }
  EW_CHECK(dev_buffer_upload(c->device, "multigrid rests", rest, 4 * (uint64_t)a->n, &to->rest, err));
  EW_CHECK(
      dev_buffer_upload(c->device, "multigrid diagonal", inverse, 4 * (uint64_t)a->n, &to->inverse, err));
cleanup:
  free(rest);
  free(inverse);
  return status;
}

static ew_status create_vectors(cycle *c, cycle_level *l, ew_error *err) {
  ew_status status = EW_OK;
  dev_buffer **vector[] = {&l->x, &l->other, &l->b, &l->r};
  for (size_t k = 0; k < sizeof vector / sizeof *vector; k++)
    EW_CHECK(dev_buffer_create(c->device, "multigrid vector", 4 * (uint64_t)l->n, vector[k], err));
cleanup:
  return status;
}

static ew_status create_level(cycle *c, const mg_hierarchy *h, int number, ew_error *err) {
  ew_status status = EW_OK;
  const mg_level *from = &h->level[number];
  const mg_matrix *a = &from->matrix;
  cycle_level *to = &c->level[number];
  /* shown, not owned; the finest level's values come from the device, each time anew */
  mg_rows off = {a->n, a->n, (int32_t *)a->start, (int32_t *)a->col, number ? (double *)a->off : NULL};
  to->n = a->n;
  EW_CHECK(upload_rows(c, &off, c->scale, &to->matrix, err));
  if (number) {
    EW_CHECK(upload_diagonals(c, a, to, err));
  } else {
    EW_CHECK(dev_buffer_create(c->device, "multigrid rests", 4 * (uint64_t)a->n, &to->rest, err));
    EW_CHECK(dev_buffer_create(c->device, "multigrid diagonal", 4 * (uint64_t)a->n, &to->inverse, err));
  }
  if (number < h->n_levels - 1) {
    EW_CHECK(upload_rows(c, &from->prolong, 1, &to->prolong, err));
    EW_CHECK(upload_rows(c, &from->restrict_, 1, &to->restrict_, err));
  }
  EW_CHECK(create_vectors(c, to, err));
cleanup:
  return status;
}

static ew_status create_dense(cycle *c, const mg_hierarchy *h, ew_error *err) {
  ew_status status = EW_OK;
  const uint64_t n = (uint64_t)c->level[c->n_levels - 1].n;
  float *dense = NULL;
  if (!h->dense) return EW_OK;
  EW_CHECK(EW_NEW(dense, n * n));
  for (size_t k = 0; k < n * n; k++) dense[k] = (float)(h->dense[k] / c->scale);
  EW_CHECK(dev_buffer_upload(c->device, "multigrid inverse", dense, 4 * n * n, &c->dense, err));
cleanup:
  free(dense);
  return status;
}

static ew_status create_scaling(cycle *c, const mg_hierarchy *h, ew_error *err) {
  ew_status status = EW_OK;
  const int32_t n = c->level[0].n;
  double *ones = NULL;
  if (!h->scaling) EW_CHECK(EW_NEW(ones, n));
  for (int32_t i = 0; ones && i < n; i++) ones[i] = 1;
  EW_CHECK(dev_buffer_upload(c->device, "multigrid scaling", ones ? ones : h->scaling, 8 * (uint64_t)n,
                             &c->scaling, err));
cleanup:
  free(ones);
  return status;
}

static ew_status build_program(cycle *c, const char *text, int lanes_bits, dev_kernel **kernel,
                               ew_error *err) {
  ew_status status = EW_OK;
  dev_program *program = NULL;
  char flags[128];
  snprintf(flags, sizeof flags,
           "-DWORKGROUP_SIZE_BITS=%d -DROWS_PER_WORKGROUP_BITS=%d -DSLICE_BITS=%d -DLANES_BITS=%d",
           c->group_bits, c->group_bits, c->slice > 1 ? SLICE_BITS : 0, lanes_bits);
  EW_CHECK(dev_program_create(c->device, "multigrid", text, flags, &program, err));
  for (int k = 0; k < N_KERNELS; k++) EW_CHECK(dev_kernel_create(program, KERNEL_NAME[k], &kernel[k], err));
cleanup:
  dev_program_destroy(&program);
  return status;
}

static ew_status build_kernels(cycle *c, ew_error *err) {
  ew_status status = EW_OK;
  char *text = malloc(dialect_cl_size + multigrid_cl_size + 1);
  if (!text) return ew_fail(err, EW_FAIL, "out of memory for the text of kernels");
  strcpy(stpcpy(text, dialect_cl), multigrid_cl);
  EW_CHECK(build_program(c, text, 0, c->kernel[0], err));
  if (c->group_bits > 0) EW_CHECK(build_program(c, text, MANY_LANES_BITS, c->kernel[1], err));
cleanup:
  free(text);
  return status;
}

ew_status cycle_create(const csr_matrix *matrix, const mg_hierarchy *hierarchy, double scale,
                       const cycle_polynomial *smoother, cycle **out, ew_error *err) {
  ew_status status = EW_OK;
  const dev_type type = dev_get_info(matrix->device)->type;
  const bool loops = type == DEV_CPU || type == DEV_HOST;
  cycle *c = *out = calloc(1, sizeof *c);
  if (!c) return ew_fail(err, EW_FAIL, "out of memory for multigrid");
  c->device = matrix->device;
  c->scale = scale;
  c->smoother = *smoother;
  c->group_bits = loops ? 0 : 7;
  c->slice = loops ? 1 : 1 << SLICE_BITS;
  EW_CHECK(build_kernels(c, err));
  for (c->n_levels = 0; c->n_levels < hierarchy->n_levels;)
    EW_CHECK(create_level(c, hierarchy, c->n_levels++, err));
  EW_CHECK(create_scaling(c, hierarchy, err));
  EW_CHECK(create_dense(c, hierarchy, err));
cleanup:
  if (status != EW_OK) cycle_destroy(out);
  return status;
}

/* ---- launches --------------------------------------------------------------------------------------------------------- */

/* A launch over n rows: arguments in the kernel's order, beginning with idle; the first failure sticks. */
typedef struct call {
  cycle *c;
  dev_kernel *kernel;
  int32_t n;
  int lanes_bits;
  unsigned position;
  ew_status status;
  ew_error *err;
} call;

static void add(call *k, const dev_buffer *buffer) {
  if (k->status == EW_OK) k->status = dev_kernel_set_buffer(k->kernel, k->position++, buffer, k->err);
}

static void add_real(call *k, double value) {
  if (k->status == EW_OK) k->status = dev_kernel_set_f64(k->kernel, k->position++, value, k->err);
}

static void add_rows(call *k, const cycle_rows *r) {
  add(k, r->start);
  add(k, r->col);
  add(k, r->value);
}

static void add_level(call *k, const cycle_level *l) {
  add_rows(k, &l->matrix);
  add(k, l->rest);
  add(k, l->inverse);
}

/* `rows`: what the kernel's lanes deal with; NULL for kernels without. */
static call begin_call(cycle *c, cycle_kernel which, int32_t n, const cycle_rows *rows,
                       const dev_buffer *idle, ew_error *err) {
  const int lanes_bits = rows ? rows->lanes_bits : 0;
  call k = {.c = c, .kernel = c->kernel[lanes_bits > 0][which], .n = n, .lanes_bits = lanes_bits, .err = err};
  k.status = dev_kernel_set_i32(k.kernel, k.position++, n, err);
  if (idle) add(&k, idle);
  return k;
}

/* A lone item takes many rows, so that the last group of a small level is not one of few rows; wider groups one line an item. */
static ew_status launch(call *k) {
  enum { LEAST_ROWS = 256 };
  const int64_t size = (int64_t)1 << k->c->group_bits, units = dev_get_info(k->c->device)->compute_units;
  int64_t groups = (((int64_t)k->n << k->lanes_bits) + size - 1) / size;
  if (size == 1) groups = k->n / LEAST_ROWS < 4 * units ? k->n / LEAST_ROWS + 1 : 4 * units;
  if (k->status == EW_OK)
    k->status = dev_kernel_launch(k->kernel, (uint64_t)(groups * size), (size_t)size, k->err);
  return k->status;
}

static ew_status take_roots(cycle *c, const csr_matrix *matrix, ew_error *err) {
  call k = begin_call(c, ROOTS, c->level[0].n, NULL, NULL, err);
  add(&k, matrix->diagonal);
  add(&k, c->scaling);
  return launch(&k);
}

ew_status cycle_take(cycle *c, const csr_matrix *matrix, ew_error *err) {
  cycle_level *l = &c->level[0];
  if (c->smoother.unit_diagonal) {
    const ew_status status = take_roots(c, matrix, err);
    if (status != EW_OK) return status;
  }
  call k = begin_call(c, TAKE, l->n, NULL, NULL, err);
  add(&k, matrix->start);
  add(&k, matrix->col);
  add(&k, matrix->off);
  add(&k, matrix->diagonal);
  add(&k, c->scaling);
  add_real(&k, c->scale);
  add(&k, l->matrix.start);
  add(&k, l->matrix.value);
  add(&k, l->rest);
  add(&k, l->inverse);
  return launch(&k);
}

/* ---- the cycle ---------------------------------------------------------------------------------------------------------- */

/* One cycle being queued. */
typedef struct run {
  cycle *c;
  const dev_buffer *idle, *r;
  dev_buffer *z;
  ew_error *err;
} run;

/* Step `k` of the polynomial; the iterate before the first is the start, which is 0 if so said. */
static call begin_step(const run *u, cycle_kernel which, cycle_level *l, int k, bool from_zero) {
  const cycle_polynomial *p = &u->c->smoother;
  call step = begin_call(u->c, which, l->n, &l->matrix, u->idle, u->err);
  add_level(&step, l);
  add(&step, l->b);
  add(&step, l->x);
  add_real(&step, p->forward[k]);
  add_real(&step, from_zero && k == 1 ? 0 : p->forward[k]);
  add_real(&step, p->step[k]);
  add(&step, l->other);
  return step;
}

static ew_status smooth(const run *u, cycle_level *l, int first, int last, bool from_zero) {
  ew_status status = EW_OK;
  for (int k = first; k < last; k++) {
    call step = begin_step(u, SMOOTH, l, k, from_zero);
    EW_CHECK(launch(&step));
    dev_buffer *swap = l->x;
    l->x = l->other;
    l->other = swap;
  }
cleanup:
  return status;
}

static ew_status finish(const run *u, cycle_level *l, bool from_zero) {
  call step = begin_step(u, FINISH, l, u->c->smoother.degree - 1, from_zero);
  add(&step, u->c->scaling);
  add(&step, u->z);
  return launch(&step);
}

static ew_status begin(const run *u) {
  cycle_level *l = &u->c->level[0];
  call k = begin_call(u->c, BEGIN, l->n, NULL, u->idle, u->err);
  add(&k, u->r);
  add(&k, u->c->scaling);
  add_real(&k, u->c->scale);
  add_real(&k, u->c->smoother.step[0]);
  add(&k, l->inverse);
  add(&k, l->b);
  add(&k, l->x);
  return launch(&k);
}

static ew_status go_down(const run *u, cycle_level *l) {
  ew_status status = EW_OK;
  cycle_level *next = l + 1;
  EW_CHECK(smooth(u, l, 1, u->c->smoother.degree, true));
  call k = begin_call(u->c, RESIDUAL, l->n, &l->matrix, u->idle, u->err);
  add_level(&k, l);
  add(&k, l->b);
  add(&k, l->x);
  add(&k, l->r);
  EW_CHECK(launch(&k));
  k = begin_call(u->c, RESTRICT, next->n, &l->restrict_, u->idle, u->err);
  add_rows(&k, &l->restrict_);
  add(&k, l->r);
  add_real(&k, u->c->smoother.step[0]);
  add(&k, next->inverse);
  add(&k, next->b);
  add(&k, next->x);
  EW_CHECK(launch(&k));
cleanup:
  return status;
}

static ew_status go_up(const run *u, cycle_level *l, bool finest) {
  ew_status status = EW_OK;
  const int degree = u->c->smoother.degree;
  call k = begin_call(u->c, PROLONG, l->n, &l->prolong, u->idle, u->err);
  add_rows(&k, &l->prolong);
  add(&k, l[1].x);
  add(&k, l->x);
  EW_CHECK(launch(&k));
  EW_CHECK(smooth(u, l, 0, finest ? degree - 1 : degree, false));
  if (finest) EW_CHECK(finish(u, l, false));
cleanup:
  return status;
}

/* The last level: its inverse, or the smoother alone. */
static ew_status turn(const run *u, cycle_level *l) {
  if (!u->c->dense) return smooth(u, l, 1, u->c->smoother.degree, true);
  call k = begin_call(u->c, DENSE, l->n, NULL, u->idle, u->err);
  add(&k, u->c->dense);
  add(&k, l->b);
  add(&k, l->x);
  return launch(&k);
}

/* All there is is the finest level. */
static ew_status apply_single(const run *u, cycle_level *l) {
  ew_status status = EW_OK;
  const int degree = u->c->smoother.degree;
  if (!u->c->dense && degree > 1) {
    EW_CHECK(smooth(u, l, 1, degree - 1, true));
    return finish(u, l, true);
  }
  EW_CHECK(turn(u, l));
  call k = begin_call(u->c, WIDEN, l->n, NULL, u->idle, u->err);
  add(&k, l->x);
  add(&k, u->c->scaling);
  add(&k, u->z);
  EW_CHECK(launch(&k));
cleanup:
  return status;
}

ew_status cycle_apply(cycle *c, const dev_buffer *idle, const dev_buffer *r, dev_buffer *z, ew_error *err) {
  ew_status status = EW_OK;
  const run u = {.c = c, .idle = idle, .r = r, .z = z, .err = err};
  const int last = c->n_levels - 1;
  EW_CHECK(begin(&u));
  if (last == 0) return apply_single(&u, &c->level[0]);
  for (int l = 0; l < last; l++) EW_CHECK(go_down(&u, &c->level[l]));
  EW_CHECK(turn(&u, &c->level[last]));
  for (int l = last - 1; l >= 0; l--) EW_CHECK(go_up(&u, &c->level[l], l == 0));
cleanup:
  return status;
}
