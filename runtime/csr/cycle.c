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

struct cycle {
  dev_context *device;
  int group_bits;
  cycle_polynomial smoother;
  dev_kernel *kernel[2][N_KERNELS]; /* one lane a row, and many */
  cycle_parts parts;
};

static void clear_rows(cycle_rows *r) {
  dev_buffer_destroy(&r->own[0]);
  dev_buffer_destroy(&r->own[1]);
  dev_buffer_destroy(&r->value);
}

static void clear_level(cycle_level *l) {
  clear_rows(&l->matrix);
  clear_rows(&l->prolong);
  clear_rows(&l->restrict_);
  dev_buffer **own[] = {&l->rest, &l->inverse, &l->x, &l->other, &l->b, &l->r};
  for (size_t k = 0; k < sizeof own / sizeof *own; k++) dev_buffer_destroy(own[k]);
}

void cycle_parts_clear(cycle_parts *p) {
  for (int l = 0; l < MG_MOST_LEVELS; l++) clear_level(&p->level[l]);
  dev_buffer_destroy(&p->scaling);
  dev_buffer_destroy(&p->dense);
  *p = (cycle_parts){0};
}

void cycle_destroy(cycle **c) {
  if (!c || !*c) return;
  cycle_parts_clear(&(*c)->parts);
  for (int k = 0; k < 2 * N_KERNELS; k++) dev_kernel_destroy(&(*c)->kernel[k / N_KERNELS][k % N_KERNELS]);
  free(*c);
  *c = NULL;
}

void cycle_put(cycle *c, cycle_parts *parts) {
  cycle_parts_clear(&c->parts);
  c->parts = *parts;
  *parts = (cycle_parts){0};
}

cycle_parts *cycle_get(cycle *c) { return &c->parts; }

/* ---- kernels ------------------------------------------------------------------------------------------------------- */

bool cycle_loops(const dev_context *device) {
  const dev_type type = dev_get_info(device)->type;
  return type == DEV_CPU || type == DEV_HOST;
}

int cycle_group_bits(const dev_context *device) { return cycle_loops(device) ? 0 : 7; }

static ew_status build_program(cycle *c, const char *text, int lanes_bits, dev_kernel **kernel,
                               ew_error *err) {
  ew_status status = EW_OK;
  dev_program *program = NULL;
  char flags[128];
  snprintf(flags, sizeof flags,
           "-DWORKGROUP_SIZE_BITS=%d -DROWS_PER_WORKGROUP_BITS=%d -DSLICE_BITS=%d -DLANES_BITS=%d",
           c->group_bits, c->group_bits, c->group_bits > 0 ? CYCLE_SLICE_BITS : 0, lanes_bits);
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
  if (c->group_bits > 0) EW_CHECK(build_program(c, text, CYCLE_MANY_LANES_BITS, c->kernel[1], err));
cleanup:
  free(text);
  return status;
}

ew_status cycle_create(dev_context *device, const cycle_polynomial *smoother, cycle **out, ew_error *err) {
  cycle *c = *out = calloc(1, sizeof *c);
  if (!c) return ew_fail(err, EW_FAIL, "out of memory for multigrid");
  c->device = device;
  c->smoother = *smoother;
  c->group_bits = cycle_group_bits(device);
  const ew_status status = build_kernels(c, err);
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
  call k = begin_call(c, ROOTS, c->parts.level[0].n, NULL, NULL, err);
  add(&k, matrix->diagonal);
  add(&k, c->parts.scaling);
  return launch(&k);
}

ew_status cycle_take(cycle *c, const csr_matrix *matrix, ew_error *err) {
  cycle_level *l = &c->parts.level[0];
  if (c->smoother.unit_diagonal) {
    const ew_status status = take_roots(c, matrix, err);
    if (status != EW_OK) return status;
  }
  call k = begin_call(c, TAKE, l->n, NULL, NULL, err);
  add(&k, matrix->start);
  add(&k, matrix->col);
  add(&k, matrix->off);
  add(&k, matrix->diagonal);
  add(&k, c->parts.scaling);
  add_real(&k, c->parts.scale);
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
  add(&step, u->c->parts.scaling);
  add(&step, u->z);
  return launch(&step);
}

static ew_status begin(const run *u) {
  cycle_level *l = &u->c->parts.level[0];
  call k = begin_call(u->c, BEGIN, l->n, NULL, u->idle, u->err);
  add(&k, u->r);
  add(&k, u->c->parts.scaling);
  add_real(&k, u->c->parts.scale);
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
  if (!u->c->parts.dense) return smooth(u, l, 1, u->c->smoother.degree, true);
  call k = begin_call(u->c, DENSE, l->n, NULL, u->idle, u->err);
  add(&k, u->c->parts.dense);
  add(&k, l->b);
  add(&k, l->x);
  return launch(&k);
}

/* All there is is the finest level. */
static ew_status apply_single(const run *u, cycle_level *l) {
  ew_status status = EW_OK;
  const int degree = u->c->smoother.degree;
  if (!u->c->parts.dense && degree > 1) {
    EW_CHECK(smooth(u, l, 1, degree - 1, true));
    return finish(u, l, true);
  }
  EW_CHECK(turn(u, l));
  call k = begin_call(u->c, WIDEN, l->n, NULL, u->idle, u->err);
  add(&k, l->x);
  add(&k, u->c->parts.scaling);
  add(&k, u->z);
  EW_CHECK(launch(&k));
cleanup:
  return status;
}

ew_status cycle_apply(cycle *c, const dev_buffer *idle, const dev_buffer *r, dev_buffer *z, ew_error *err) {
  ew_status status = EW_OK;
  const run u = {.c = c, .idle = idle, .r = r, .z = z, .err = err};
  const int last = c->parts.n_levels - 1;
  EW_CHECK(begin(&u));
  if (last == 0) return apply_single(&u, &c->parts.level[0]);
  for (int l = 0; l < last; l++) EW_CHECK(go_down(&u, &c->parts.level[l]));
  EW_CHECK(turn(&u, &c->parts.level[last]));
  for (int l = last - 1; l >= 0; l--) EW_CHECK(go_up(&u, &c->parts.level[l], l == 0));
cleanup:
  return status;
}
