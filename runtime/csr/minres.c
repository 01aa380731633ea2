/* MINRES: kernels/minres.cl. */
#include "csr/internal.h"
#include "minres_cl.h"

enum { V, Z = 2, W = 4, Q = 6 }; /* V, Z and W: two each */
enum { START, PRODUCT, UPDATE };

static ew_status start(csr_system *s, ew_error *err) {
  csr_call c = csr_call_begin(s->op, s->kernel[START], err);
  csr_call_buffer(&c, s->progress.idle);
  csr_call_buffer(&c, s->small);
  csr_call_buffer(&c, csr_operator_diagonal(s->op));
  csr_call_buffer(&c, s->r);
  for (int k = V; k < Q; k++) csr_call_buffer(&c, s->vector[k]);
  return csr_call_vector(&c);
}

static ew_status product(csr_system *s, int turn, ew_error *err) {
  ew_status status = EW_OK;
  dev_buffer *const v = s->vector[V + turn], *const z = s->vector[Z + turn];
  if (s->class) EW_CHECK(s->class->apply(s->precondition, s->progress.idle, v, z, err));
  csr_call c = csr_call_begin(s->op, s->kernel[PRODUCT], err);
  csr_call_matrix(&c);
  csr_call_buffer(&c, s->progress.idle);
  csr_call_buffer(&c, z);
  csr_call_buffer(&c, v);
  csr_call_buffer(&c, s->r);
  csr_call_buffer(&c, s->vector[Q]);
  csr_call_buffer(&c, s->partial[0]);
  EW_CHECK(csr_call_rows(&c));
cleanup:
  return status;
}

static ew_status iterate(csr_system *s, int32_t iteration, ew_error *err) {
  const int turn = (iteration - s->current.began) % 2;
  const ew_status status = product(s, turn, err);
  if (status != EW_OK) return status;
  csr_call c = csr_call_begin(s->op, s->kernel[UPDATE], err);
  csr_call_buffer(&c, s->progress.state);
  csr_call_buffer(&c, s->small);
  csr_call_buffer(&c, s->progress.idle);
  csr_call_buffer(&c, s->progress.history);
  csr_call_buffer(&c, s->partial[0]);
  csr_call_int(&c, csr_operator_row_groups(s->op));
  csr_call_int(&c, iteration);
  csr_call_int(&c, s->current.request->iterations);
  csr_call_buffer(&c, csr_operator_diagonal(s->op));
  csr_call_buffer(&c, s->vector[Q]);
  csr_call_buffer(&c, s->vector[V + turn]);
  csr_call_buffer(&c, s->vector[V + !turn]);
  csr_call_buffer(&c, s->vector[Z + !turn]);
  csr_call_buffer(&c, s->vector[W + turn]);
  csr_call_buffer(&c, s->vector[W + !turn]);
  csr_call_buffer(&c, s->r);
  csr_call_buffer(&c, s->current.x);
  return csr_call_vector(&c);
}

static dev_buffer *solution(csr_system *s, int32_t iteration) {
  (void)iteration;
  return s->current.x;
}

const csr_recurrence csr_minres = {.text = minres_cl,
                                   .vectors = 7,
                                   .numbers = 2 * MINRES_SIZE,
                                   .kernel = {"minres_start", "minres_product", "minres_update"},
                                   .start = start,
                                   .iterate = iterate,
                                   .solution = solution};
