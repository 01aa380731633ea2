/* What a step should take, from what the compiler counts and what the device reaches at most: for each launch the longer of moving its
 * bytes and doing its operations (the roofline of Williams, Waterman and Patterson, 2009), and the launch itself. Bytes are compulsory
 * traffic: each component once a launch. It ranks candidates; it does not replace measuring. */
#include "tune/schedule_internal.h"

enum { SLOW = 14, PASSES = 8 }; /* additions of a division or a root; passes of a repeat */
enum { COLOURS = 4 };           /* of the faces of a mesh, about; each is a launch */

/* Points that an operation is over. Boundaries and layers near walls are few; the colours of faces are together all. */
static double items_of(const dslc_program *p, const exec_domain *d, const dslc_kernel *k, const dslc_op *op) {
  const bool few = op->subset == DSLC_RULE || op->subset == DSLC_HOLD || op->subset == DSLC_BOUNDARY ||
                   k->place == DSLC_NEAR_WALLS;
  return few ? 0 : exec_entries(p, d, k->place);
}

static double bytes_of(const dslc_program *p, const exec_domain *d, const dslc_op *op, double items) {
  const dslc_kernel *k = &p->execution.kernel[op->kernel];
  const double own = exec_entries(p, d, k->place);
  double bytes = 0;
  for (int a = 0; a < k->n_args; a++) {
    const dslc_arg *arg = &k->arg[a];
    if (arg->kind != DSLC_ARG_BUFFER || arg->number < 0 || arg->number >= op->n_buffers) continue;
    const dslc_buffer *b = &p->execution.buffer[op->buffer[arg->number]];
    if (b->place == DSLC_NOWHERE || b->kind == DSLC_BUFFER_PARTIALS || own <= 0) continue;
    const double entries = b->place == k->place ? items : exec_entries(p, d, b->place) * items / own;
    bytes += (arg->reads + arg->writes) * entries * (double)exec_element_size(b->element);
  }
  return bytes;
}

static double launch_seconds(const dslc_program *p, const exec_domain *d, const dslc_op *op,
                             const dev_rates *rates) {
  const dslc_kernel *k = &p->execution.kernel[op->kernel];
  const double items = items_of(p, d, k, op), launches = op->subset == DSLC_COLOUR ? COLOURS : 1;
  const double moved = bytes_of(p, d, op, items) / (1e9 * rates->triad_gbs);
  const double computed = (k->flops + SLOW * k->slow) * items / (0.5e9 * rates->fma_gflops);
  return (moved > computed ? moved : computed) + launches * 1e-6 * rates->launch_us;
}

/* How often operation `i` of a step is done. */
static double times_done(const dslc_section *step, int i) {
  double times = 1;
  for (int k = 0; k < i; k++) {
    const dslc_op *op = &step->op[k];
    if (op->kind == DSLC_OP_REPEAT && i >= op->b && i < op->b + op->count)
      times *= op->limit < PASSES ? op->limit : PASSES;
  }
  return times;
}

double tune_predict(const dslc_program *p, const exec_domain *d, const dev_rates *rates) {
  double seconds = 0;
  const dslc_section *step = &p->execution.section[DSLC_SECTION_STEP];
  if (rates->triad_gbs <= 0 || rates->fma_gflops <= 0 || p->execution.n_sections <= DSLC_SECTION_STEP)
    return 0;
  for (int i = 0; i < step->n_ops; i++)
    if (step->op[i].kind == DSLC_OP_LAUNCH)
      seconds += times_done(step, i) * launch_seconds(p, d, &step->op[i], rates);
  return seconds;
}
