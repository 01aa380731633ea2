/* GMRES: kernels/gmres.cl. */
#include "csr/internal.h"
#include "gmres_cl.h"

enum { P, W, Z };
enum { OPEN, NEXT, LOOK, PRODUCT, DOTS, TOTALS, TAKE_OFF, ROTATE, SUBSTITUTE, COMBINE, ADD, RESIDUAL, AGAIN };

/* Kernels do nothing while idle[0] is not 0. */
static csr_call begin(csr_system *s, int kernel, ew_error *err) {
  csr_call c = csr_call_begin(s->op, s->kernel[kernel], err);
  csr_call_buffer(&c, s->progress.idle);
  return c;
}

/* ---- the basis -------------------------------------------------------------------------------------------------- */

static ew_status next(csr_system *s, int k, const dev_buffer *from, ew_error *err) {
  csr_call c = begin(s, NEXT, err);
  csr_call_buffer(&c, s->small);
  csr_call_int(&c, k);
  csr_call_buffer(&c, csr_operator_diagonal(s->op));
  csr_call_buffer(&c, from);
  csr_call_buffer(&c, s->basis);
  csr_call_buffer(&c, s->vector[P]);
  return csr_call_vector(&c);
}

static ew_status start(csr_system *s, ew_error *err) {
  csr_call c = begin(s, OPEN, err);
  csr_call_buffer(&c, s->progress.state);
  csr_call_buffer(&c, s->small);
  ew_status status = csr_call_one(&c);
  return status == EW_OK ? next(s, 0, s->r, err) : status;
}

static ew_status product(csr_system *s, ew_error *err) {
  ew_status status = EW_OK;
  if (s->class) EW_CHECK(s->class->apply(s->precondition, s->progress.idle, s->vector[P], s->vector[Z], err));
  csr_call c = csr_call_begin(s->op, s->kernel[PRODUCT], err);
  csr_call_matrix(&c);
  csr_call_buffer(&c, s->progress.idle);
  csr_call_buffer(&c, s->vector[s->class ? Z : P]);
  csr_call_buffer(&c, s->vector[W]);
  EW_CHECK(csr_call_rows(&c));
cleanup:
  return status;
}

/* One pass of Gram and Schmidt against `count` vectors. */
static ew_status orthogonalise(csr_system *s, int count, bool again, ew_error *err) {
  ew_status status = EW_OK;
  csr_call c = begin(s, DOTS, err);
  csr_call_buffer(&c, s->basis);
  csr_call_buffer(&c, s->vector[W]);
  csr_call_int(&c, count);
  csr_call_buffer(&c, s->wide);
  EW_CHECK(csr_call_vector(&c));
  c = begin(s, TOTALS, err);
  csr_call_buffer(&c, s->wide);
  csr_call_int(&c, csr_operator_vector_groups(s->op));
  csr_call_int(&c, count);
  csr_call_int(&c, again);
  csr_call_buffer(&c, s->small);
  EW_CHECK(csr_call_one(&c));
  c = begin(s, TAKE_OFF, err);
  csr_call_buffer(&c, s->basis);
  csr_call_buffer(&c, s->small);
  csr_call_int(&c, count);
  csr_call_buffer(&c, s->vector[W]);
  csr_call_buffer(&c, s->partial[0]);
  EW_CHECK(csr_call_vector(&c));
cleanup:
  return status;
}

static ew_status rotate(csr_system *s, int k, ew_error *err) {
  csr_call c = begin(s, ROTATE, err);
  csr_call_buffer(&c, s->partial[0]);
  csr_call_int(&c, csr_operator_vector_groups(s->op));
  csr_call_int(&c, k);
  csr_call_buffer(&c, s->small);
  return csr_call_one(&c);
}

/* ---- the solution from it -------------------------------------------------------------------------------------------- */

/* x += M V y with `count` vectors, unless idle[0]. */
static ew_status add_up(csr_system *s, int count, const dev_buffer *idle, ew_error *err) {
  ew_status status = EW_OK;
  csr_call c = csr_call_begin(s->op, s->kernel[SUBSTITUTE], err);
  csr_call_buffer(&c, idle);
  csr_call_int(&c, count);
  csr_call_buffer(&c, s->small);
  EW_CHECK(csr_call_one(&c));
  c = csr_call_begin(s->op, s->kernel[COMBINE], err);
  csr_call_buffer(&c, idle);
  csr_call_buffer(&c, s->basis);
  csr_call_buffer(&c, s->small);
  csr_call_int(&c, count);
  csr_call_buffer(&c, csr_operator_diagonal(s->op));
  csr_call_buffer(&c, s->vector[P]);
  EW_CHECK(csr_call_vector(&c));
  if (s->class) EW_CHECK(s->class->apply(s->precondition, idle, s->vector[P], s->vector[Z], err));
  c = csr_call_begin(s->op, s->kernel[ADD], err);
  csr_call_buffer(&c, idle);
  csr_call_buffer(&c, s->vector[s->class ? Z : P]);
  csr_call_buffer(&c, s->current.x);
  EW_CHECK(csr_call_vector(&c));
cleanup:
  return status;
}

/* A full basis: x from it, and a new one from the residual. */
static ew_status begin_again(csr_system *s, ew_error *err) {
  ew_status status = EW_OK;
  EW_CHECK(add_up(s, GMRES_BASIS, s->progress.idle, err));
  csr_call c = csr_call_begin(s->op, s->kernel[RESIDUAL], err);
  csr_call_matrix(&c);
  csr_call_buffer(&c, s->progress.idle);
  csr_call_buffer(&c, s->progress.state);
  csr_call_buffer(&c, s->current.b);
  csr_call_buffer(&c, s->current.x);
  csr_call_buffer(&c, s->r);
  csr_call_buffer(&c, s->partial[0]);
  EW_CHECK(csr_call_rows(&c));
  c = begin(s, AGAIN, err);
  csr_call_buffer(&c, s->partial[0]);
  csr_call_int(&c, csr_operator_row_groups(s->op));
  csr_call_buffer(&c, s->small);
  EW_CHECK(csr_call_one(&c));
  EW_CHECK(next(s, 0, s->r, err));
cleanup:
  return status;
}

/* ---- an iteration ------------------------------------------------------------------------------------------------------ */

static ew_status look(csr_system *s, int k, int32_t iteration, ew_error *err) {
  csr_call c = csr_call_begin(s->op, s->kernel[LOOK], err);
  csr_call_buffer(&c, s->progress.state);
  csr_call_buffer(&c, s->progress.idle);
  csr_call_buffer(&c, s->progress.history);
  csr_call_buffer(&c, s->small);
  csr_call_int(&c, k);
  csr_call_int(&c, iteration);
  csr_call_int(&c, s->current.request->iterations);
  return csr_call_one(&c);
}

static ew_status iterate(csr_system *s, int32_t iteration, ew_error *err) {
  ew_status status = EW_OK;
  const int k = (iteration - s->current.began) % GMRES_BASIS;
  if (k == 0 && iteration > s->current.began) EW_CHECK(begin_again(s, err));
  EW_CHECK(look(s, k, iteration, err));
  EW_CHECK(product(s, err));
  EW_CHECK(orthogonalise(s, k + 1, false, err));
  EW_CHECK(orthogonalise(s, k + 1, true, err));
  EW_CHECK(rotate(s, k, err));
  if (k + 1 < GMRES_BASIS) EW_CHECK(next(s, k + 1, s->vector[W], err));
cleanup:
  return status;
}

/* What the basis has gathered since it was begun; the flag is that of iterations, which are over. */
static ew_status finish(csr_system *s, int32_t iteration, ew_error *err) {
  const int k = (iteration - s->current.began) % GMRES_BASIS;
  return k > 0 ? add_up(s, k, s->progress.never, err) : EW_OK;
}

static dev_buffer *solution(csr_system *s, int32_t iteration) {
  (void)iteration;
  return s->current.x;
}

const csr_recurrence csr_gmres = {.text = gmres_cl,
                                  .vectors = 2,
                                  .more_vectors = 1,
                                  .basis = GMRES_BASIS,
                                  .numbers = GMRES_SIZE,
                                  .kernel = {"gmres_open", "gmres_next", "gmres_look", "gmres_product",
                                             "gmres_dots", "gmres_totals", "gmres_take_off", "gmres_rotate",
                                             "gmres_substitute", "gmres_combine", "gmres_add",
                                             "gmres_residual", "gmres_again"},
                                  .start = start,
                                  .iterate = iterate,
                                  .finish = finish,
                                  .solution = solution};
