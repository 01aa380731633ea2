/* BiCGStab: kernels/bicgstab.cl. */
#include "bicgstab_cl.h"
#include "csr/internal.h"

enum { SHADOW, P, V, Y, Z, T };
enum { START, DIRECTION, PRODUCT, HALF, SECOND, UPDATE };

static ew_status start(csr_system *s, ew_error *err) {
  csr_call c = csr_call_begin(s->op, s->kernel[START], err);
  csr_call_buffer(&c, s->progress.idle);
  csr_call_buffer(&c, s->r);
  csr_call_buffer(&c, s->vector[SHADOW]);
  csr_call_buffer(&c, s->vector[P]);
  csr_call_buffer(&c, s->vector[V]);
  csr_call_buffer(&c, s->partial[1]);
  return csr_call_vector(&c);
}

static ew_status direction(csr_system *s, int32_t iteration, ew_error *err) {
  csr_call c = csr_call_begin(s->op, s->kernel[DIRECTION], err);
  csr_call_buffer(&c, s->progress.state);
  csr_call_buffer(&c, s->progress.idle);
  csr_call_buffer(&c, s->progress.history);
  csr_call_buffer(&c, s->partial[1]);
  csr_call_int(&c, csr_operator_vector_groups(s->op));
  csr_call_int(&c, iteration);
  csr_call_int(&c, s->current.request->iterations);
  csr_call_buffer(&c, csr_operator_diagonal(s->op));
  csr_call_buffer(&c, s->r);
  csr_call_buffer(&c, s->vector[V]);
  csr_call_buffer(&c, s->vector[P]);
  csr_call_buffer(&c, s->vector[Y]);
  return csr_call_vector(&c);
}

/* `image` = A `of`, with the sums against `against`. An explicit preconditioner has its turn first: of = M from. */
typedef struct product_of {
  dev_buffer *from, *of, *against, *image;
} product_of;

static ew_status product(csr_system *s, int kernel, product_of v, ew_error *err) {
  ew_status status = EW_OK;
  if (s->class) EW_CHECK(s->class->apply(s->precondition, s->progress.idle, v.from, v.of, err));
  csr_call c = csr_call_begin(s->op, s->kernel[kernel], err);
  csr_call_matrix(&c);
  csr_call_buffer(&c, s->progress.idle);
  csr_call_buffer(&c, v.of);
  csr_call_buffer(&c, v.against);
  csr_call_buffer(&c, v.image);
  csr_call_buffer(&c, s->partial[0]);
  EW_CHECK(csr_call_rows(&c));
cleanup:
  return status;
}

static ew_status half(csr_system *s, int32_t iteration, ew_error *err) {
  csr_call c = csr_call_begin(s->op, s->kernel[HALF], err);
  csr_call_buffer(&c, s->progress.state);
  csr_call_buffer(&c, s->progress.idle);
  csr_call_buffer(&c, s->partial[0]);
  csr_call_int(&c, csr_operator_row_groups(s->op));
  csr_call_int(&c, iteration);
  csr_call_buffer(&c, csr_operator_diagonal(s->op));
  csr_call_buffer(&c, s->vector[V]);
  csr_call_buffer(&c, s->r);
  csr_call_buffer(&c, s->vector[Z]);
  csr_call_buffer(&c, s->middle);
  return csr_call_vector(&c);
}

static ew_status update(csr_system *s, int32_t iteration, ew_error *err) {
  csr_call c = csr_call_begin(s->op, s->kernel[UPDATE], err);
  csr_call_buffer(&c, s->progress.state);
  csr_call_buffer(&c, s->progress.idle);
  csr_call_buffer(&c, s->partial[0]);
  csr_call_int(&c, csr_operator_row_groups(s->op));
  csr_call_int(&c, iteration);
  csr_call_buffer(&c, s->middle);
  csr_call_buffer(&c, s->vector[Y]);
  csr_call_buffer(&c, s->vector[Z]);
  csr_call_buffer(&c, s->vector[T]);
  csr_call_buffer(&c, s->vector[SHADOW]);
  csr_call_buffer(&c, s->r);
  csr_call_buffer(&c, s->current.x);
  csr_call_buffer(&c, s->partial[1]);
  return csr_call_vector(&c);
}

static ew_status iterate(csr_system *s, int32_t iteration, ew_error *err) {
  dev_buffer **v = s->vector;
  ew_status status = EW_OK;
  EW_CHECK(direction(s, iteration, err));
  EW_CHECK(product(s, PRODUCT, (product_of){v[P], v[Y], v[SHADOW], v[V]}, err));
  EW_CHECK(half(s, iteration, err));
  EW_CHECK(product(s, SECOND, (product_of){s->r, v[Z], s->r, v[T]}, err));
  EW_CHECK(update(s, iteration, err));
cleanup:
  return status;
}

static dev_buffer *solution(csr_system *s, int32_t iteration) {
  (void)iteration;
  return s->current.x;
}

const csr_recurrence csr_bicgstab = {
    .text = bicgstab_cl,
    .vectors = 6,
    .kernel = {"bicg_start", "bicg_direction", "bicg_product", "bicg_half", "bicg_second", "bicg_update"},
    .start = start,
    .iterate = iterate,
    .solution = solution};
