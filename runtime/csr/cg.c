/* Conjugate gradients, fused, merged and in three terms: kernels/cg.cl. Vectors: w, then the second pair, then z if it is explicit; or
 * the second buffers of what the merged kernel reads of other rows. */
#include "cg_cl.h"
#include "csr/internal.h"

enum { W, P, S, Z };
enum { R_NEXT = Z, W_NEXT, S_NEXT };
enum { PRODUCT, START, UPDATE };

/* Of the iterations, which are in single precision if the system is mixed. */
static dev_buffer *residual_of(const csr_system *s) { return s->single.r ? s->single.r : s->r; }
static dev_buffer *solution_of(const csr_system *s) { return s->single.x ? s->single.x : s->current.x; }

static void add_matrix(csr_call *c, const csr_system *s) {
  if (s->single.off) csr_call_values(c, s->single.off, s->single.diagonal);
  else csr_call_matrix(c);
}

static ew_status start(csr_system *s, ew_error *err) {
  if (s->options.mixed) return csr_single_start(s, s->kernel[START], err);
  csr_call c = csr_call_begin(s->op, s->kernel[START], err);
  csr_call_buffer(&c, s->progress.idle);
  csr_call_buffer(&c, csr_operator_diagonal(s->op));
  csr_call_buffer(&c, s->r);
  csr_call_buffer(&c, s->vector[P]);
  csr_call_buffer(&c, s->vector[S]);
  return csr_call_vector(&c);
}

static ew_status product(csr_system *s, dev_buffer *r, ew_error *err) {
  ew_status status = EW_OK;
  if (s->class) EW_CHECK(s->class->apply(s->precondition, s->progress.idle, r, s->vector[Z], err));
  csr_call c = csr_call_begin(s->op, s->kernel[PRODUCT], err);
  add_matrix(&c, s);
  csr_call_buffer(&c, s->progress.idle);
  if (s->class) csr_call_buffer(&c, s->vector[Z]);
  csr_call_buffer(&c, r);
  csr_call_buffer(&c, s->vector[W]);
  csr_call_buffer(&c, s->partial[0]);
  EW_CHECK(csr_call_rows(&c));
cleanup:
  return status;
}

/* What every update needs to know of the iteration. */
static void add_iteration(csr_call *c, csr_system *s, const dev_buffer *partial, int32_t iteration) {
  csr_call_buffer(c, s->progress.state);
  csr_call_buffer(c, s->progress.idle);
  csr_call_buffer(c, s->progress.history);
  csr_call_buffer(c, partial);
  csr_call_int(c, csr_operator_row_groups(s->op));
  csr_call_int(c, iteration);
  csr_call_int(c, s->current.request->iterations);
}

/* The arguments that the updates of two kernels begin with. */
static csr_call begin_update(csr_system *s, int32_t iteration, ew_error *err) {
  csr_call c = csr_call_begin(s->op, s->kernel[UPDATE], err);
  add_iteration(&c, s, s->partial[0], iteration);
  csr_call_buffer(&c, s->vector[W]);
  if (s->class) csr_call_buffer(&c, s->vector[Z]);
  return c;
}

static ew_status iterate(csr_system *s, int32_t iteration, ew_error *err) {
  ew_status status = product(s, residual_of(s), err);
  if (status != EW_OK) return status;
  csr_call c = begin_update(s, iteration, err);
  csr_call_buffer(&c, residual_of(s));
  csr_call_buffer(&c, s->vector[P]);
  csr_call_buffer(&c, s->vector[S]);
  csr_call_buffer(&c, solution_of(s));
  return csr_call_vector(&c);
}

static ew_status finish(csr_system *s, int32_t iteration, ew_error *err) {
  (void)iteration;
  return s->options.mixed ? csr_single_add(s, err) : EW_OK;
}

static dev_buffer *solution(csr_system *s, int32_t iteration) {
  (void)iteration;
  return s->current.x;
}

/* ---- one kernel an iteration -------------------------------------------------------------------------------------- */

/* It leaves the product for the next iteration; the first one is here. */
static ew_status start_merged(csr_system *s, ew_error *err) {
  ew_status status = start(s, err);
  return status == EW_OK ? product(s, residual_of(s), err) : status;
}

/* r, w, s and the sums alternate between two buffers; with a kernel for each turn arguments stay as they are. */
static ew_status iterate_merged(csr_system *s, int32_t iteration, ew_error *err) {
  const int turn = (iteration - s->current.began) % 2;
  dev_buffer *const r[] = {residual_of(s), s->vector[R_NEXT]}, *const w[] = {s->vector[W], s->vector[W_NEXT]},
                    *const image[] = {s->vector[S], s->vector[S_NEXT]};
  csr_call c = csr_call_begin(s->op, s->kernel[UPDATE + turn], err);
  add_matrix(&c, s);
  add_iteration(&c, s, s->partial[turn], iteration);
  csr_call_buffer(&c, w[turn]);
  csr_call_buffer(&c, image[turn]);
  csr_call_buffer(&c, r[turn]);
  csr_call_buffer(&c, w[!turn]);
  csr_call_buffer(&c, image[!turn]);
  csr_call_buffer(&c, r[!turn]);
  csr_call_buffer(&c, s->vector[P]);
  csr_call_buffer(&c, solution_of(s));
  csr_call_buffer(&c, s->partial[!turn]);
  return csr_call_rows(&c);
}

/* Where iterations go on in the same directions, the first of them reads the images of those where the last turn left them. */
static ew_status finish_merged(csr_system *s, int32_t iteration, ew_error *err) {
  if ((iteration - s->current.began) % 2) {
    dev_buffer *last = s->vector[S_NEXT];
    s->vector[S_NEXT] = s->vector[S];
    s->vector[S] = last;
  }
  return finish(s, iteration, err);
}

/* ---- in three terms ------------------------------------------------------------------------------------------------- */

/* Both x and r alternate between two buffers, beginning at the place of `first`. */
static dev_buffer *other_of(csr_system *s, dev_buffer *first) {
  return first == s->r ? s->vector[S] : s->vector[P];
}

static dev_buffer *turn(csr_system *s, dev_buffer *first, int32_t turns) {
  return turns % 2 ? other_of(s, first) : first;
}

static ew_status iterate_three_term(csr_system *s, int32_t iteration, ew_error *err) {
  int32_t turns = iteration - s->current.began;
  dev_buffer *r = turn(s, s->r, turns);
  ew_status status = product(s, r, err);
  if (status != EW_OK) return status;
  csr_call c = begin_update(s, iteration, err);
  csr_call_buffer(&c, r);
  csr_call_buffer(&c, turn(s, s->r, turns + 1));
  csr_call_buffer(&c, turn(s, s->current.x, turns));
  csr_call_buffer(&c, turn(s, s->current.x, turns + 1));
  return csr_call_vector(&c);
}

static dev_buffer *solution_three_term(csr_system *s, int32_t iteration) {
  return turn(s, s->current.x, iteration - s->current.began);
}

const csr_recurrence csr_cg = {.text = cg_cl,
                               .vectors = 3,
                               .more_vectors = 1,
                               .kernel = {"cg_product", "cg_start", "cg_update"},
                               .start = start,
                               .iterate = iterate,
                               .finish = finish,
                               .solution = solution};

const csr_recurrence csr_cg_merged = {.text = cg_cl,
                                      .vectors = 6,
                                      .kernel = {"cg_product", "cg_start", "cg_merged", "cg_merged"},
                                      .start = start_merged,
                                      .iterate = iterate_merged,
                                      .finish = finish_merged,
                                      .solution = solution};

const csr_recurrence csr_three_term = {.text = cg_cl,
                                       .vectors = 3,
                                       .more_vectors = 1,
                                       .kernel = {"cg_product", "cg_start", "cg_three_term"},
                                       .start = start,
                                       .iterate = iterate_three_term,
                                       .solution = solution_three_term};
