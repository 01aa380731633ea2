/* What a step should take, from what the compiler counts and what the device reaches at most: for each launch the longer of moving its
 * bytes and doing its operations (the roofline of Williams, Waterman and Patterson, 2009), a part of the shorter one, and the launch itself. Bytes are compulsory
 * traffic: each component once a launch. On GPUs, where a work-item waits for each of its loads, a launch takes at least as long as
 * what a work-item does one after the other. It ranks candidates; it does not replace measuring. */
#include <math.h>
#include <string.h>

#include "fields/on_grid.h"
#include "tune/schedule_internal.h"

enum {
  SLOW = 14,     /* additions of a division or a root */
  PASSES = 8,    /* of a repeat */
  AT_WALLS = 14, /* times as slow is what asks at walls, */
  SIMPLE = 64    /* if it does more operations */
};
static const double BESIDE = 0.25; /* of the shorter one of moving and computing is not hidden */
static const double BETWEEN = 0.5; /* of a launch, from a kernel's end to the next one's beginning */
enum { COLOURS = 4 };              /* of the faces of a mesh, about; each is a launch */

/* Points that an operation is over. Boundaries and layers near walls are few; the colours of faces are together all. */
static double items_of(const dslc_program *p, const exec_domain *d, const dslc_kernel *k, const dslc_op *op) {
  const bool few = op->subset == DSLC_RULE || op->subset == DSLC_HOLD || op->subset == DSLC_BOUNDARY ||
                   dslc_is_rim(op->subset) || k->place == DSLC_NEAR_WALLS;
  return few ? 0 : exec_entries(p, d, k->place);
}

/* The faces of each colour lead all over the cells. */
static double bytes_of(const dslc_program *p, const exec_domain *d, const dslc_op *op, double items) {
  const dslc_kernel *k = &p->execution.kernel[op->kernel];
  const double own = exec_entries(p, d, k->place);
  double bytes = 0;
  for (int a = 0; a < k->n_args; a++) {
    const dslc_arg *arg = &k->arg[a];
    if (arg->kind != DSLC_ARG_BUFFER || arg->number < 0 || arg->number >= op->n_buffers) continue;
    const dslc_buffer *b = &p->execution.buffer[op->buffer[arg->number]];
    if (b->place == DSLC_NOWHERE || b->kind == DSLC_BUFFER_PARTIALS || own <= 0) continue;
    const double others = b->place == k->place ? items : exec_entries(p, d, b->place) * items / own;
    const double entries = others * (op->subset == DSLC_COLOUR && b->place != k->place ? COLOURS : 1);
    bytes += (arg->reads + arg->writes) * entries * (double)exec_element_size(b->element);
  }
  return bytes;
}

/* ---- waiting, on GPUs ------------------------------------------------------------------------------------------------------ */

/* Of a compute unit of the GPUs of the last ten years, about; and of a point or a row, whose loads wait for each other. */
enum { RESIDENT_ITEMS = 2048, RESIDENT_GROUPS = 32 };
static const double WAIT = 1e-6; /* s */

/* Work-groups of a launch, and how many points or rows each item of them takes one after the other. */
typedef struct chain {
  double groups, length;
} chain;

static chain of_window(const tune_model *m, const dslc_kernel *k) {
  const double across = k->tile[0] - k->overlap, rows = grid_points(m->domain->g, 1);
  const double strips = ceil(grid_points(m->domain->g, 0) / fmax(across, 1));
  const int fit = k->fit_rows ? exec_fitting_rows(k->rows, (int64_t)rows, (int64_t)strips, m->info) : k->rows;
  return (chain){strips * ceil(rows / fit), k->loop ? (double)k->tile[0] * fit : fit};
}

static chain of_kernel(const tune_model *m, const dslc_kernel *k, double items) {
  const double local = k->local_size > 0 ? k->local_size : 1;
  if (k->rows > 0 && m->domain->g) return of_window(m, k);
  if (!k->loop) return (chain){0, 0};
  if (k->grid && m->domain->g) {
    const double row = grid_points(m->domain->g, 0);
    return (chain){items / row, row};
  }
  return (chain){k->patches ? m->n_pieces : items / local, local};
}

static double waiting(const tune_model *m, const dslc_kernel *k, double items) {
  const chain c = of_kernel(m, k, items);
  const double in_group = k->loop || k->tile[0] < 1 ? 1 : k->tile[0];
  const double resident = fmin(RESIDENT_GROUPS, RESIDENT_ITEMS / in_group) * fmax(m->info->compute_units, 1);
  return m->info->type == DEV_GPU ? ceil(c.groups / resident) * c.length * WAIT : 0;
}

/* Of a work-group that has a patch the items that have a cell: how compact patches are is a matter of the mesh's order. 0 to 1. */
static double busy(const tune_model *m, const dslc_kernel *k) {
  if (!k->patches || k->loop || m->n_pieces <= 0 || k->local_size <= 0) return 1;
  return fmin(1, (double)m->domain->m->n_cells / ((double)m->n_pieces * k->local_size));
}

/* Pieces are cut once for all programs with the same limits. */
static void count_pieces(tune_model *m, const dslc_patch *most) {
  const mesh_piece_limits limits = {most->cells, most->ring, most->faces};
  mesh_pieces *pieces = NULL;
  ew_error err = {0};
  if (limits.cells <= 0 || !m->domain->m || memcmp(&limits, &m->limits, sizeof limits) == 0) return;
  m->limits = limits;
  m->n_pieces = mesh_pieces_create(m->domain->m, limits, &pieces, &err) == EW_OK ? pieces->n : 0;
  mesh_pieces_destroy(&pieces);
}

/* ---- a step ---------------------------------------------------------------------------------------------------------------- */

/* What the program keeps on the device lies in its last-level cache, or does not. */
static double bytes_a_second(const tune_model *m, const dslc_program *p) {
  double bytes = 0;
  for (int i = 0; i < p->execution.n_buffers; i++) {
    const dslc_buffer *b = &p->execution.buffer[i];
    if (b->place == DSLC_NOWHERE || b->kind == DSLC_BUFFER_PARTIALS) continue;
    bytes += exec_entries(p, m->domain, b->place) * b->width * (double)exec_element_size(b->element);
  }
  const bool cached = bytes <= (double)m->info->cache_bytes && m->rates->cached_gbs > 0;
  return 1e9 * (cached ? m->rates->cached_gbs : m->rates->triad_gbs);
}

/* A GPU does half of what its multiply-adds would allow, its loads beside them. A processor's loads and stores are instructions like others,
 * and what compilers make of schemes, gathers and branches among them, reaches a fifth of full vectors. */
static double computing(const tune_model *m, const dslc_kernel *k, double items) {
  const bool gpu = m->info->type == DEV_GPU;
  const double done = k->cost.flops + SLOW * k->cost.slow + (gpu ? 0 : k->cost.loads + k->cost.stores);
  return done * items / ((gpu ? 0.5e9 : 0.2e9) * m->rates->fma_gflops);
}

/* Points that ask at walls themselves what rules say keep those of a GPU beside them waiting, and the registers of all those functions: it does
 * not show where these are simple, as what the kernel computes elsewhere is. */
static bool asks_much_at_walls(const dslc_program *p, const dslc_kernel *k, const dslc_op *op) {
  if (k->place == DSLC_NEAR_WALLS || k->cost.flops <= SIMPLE) return false;
  for (int a = 0; a < k->n_args; a++) {
    const dslc_arg *arg = &k->arg[a];
    if (arg->kind == DSLC_ARG_BUFFER && arg->number >= 0 && arg->number < op->n_buffers &&
        p->execution.buffer[op->buffer[arg->number]].source.kind == DSLC_SOURCE_WALL)
      return true;
  }
  return false;
}

/* A GPU's queue has the next launch ready while a kernel runs. */
static double with_launches(const tune_model *m, double body, double launches) {
  const double launch = launches * 1e-6 * m->rates->launch_us;
  return m->info->type == DEV_GPU ? fmax(body + BETWEEN * launch, launch) : body + launch;
}

static double launch_seconds(const tune_model *m, const dslc_program *p, const dslc_op *op, double rate) {
  const dslc_kernel *k = &p->execution.kernel[op->kernel];
  const double items = items_of(p, m->domain, k, op), launches = op->subset == DSLC_COLOUR ? COLOURS : 1;
  const double moved = bytes_of(p, m->domain, op, items) / rate, computed = computing(m, k, items);
  const double work = fmax(moved, computed) + BESIDE * fmin(moved, computed);
  const double slower = m->info->type == DEV_GPU && asks_much_at_walls(p, k, op) ? AT_WALLS : 1;
  return with_launches(m, slower * fmax(work / busy(m, k), waiting(m, k, items)), launches);
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

double tune_predict(tune_model *m, const dslc_program *p) {
  double seconds = 0;
  const dslc_section *step = &p->execution.section[DSLC_SECTION_STEP];
  if (m->rates->triad_gbs <= 0 || m->rates->fma_gflops <= 0 || p->execution.n_sections <= DSLC_SECTION_STEP)
    return 0;
  const double rate = bytes_a_second(m, p);
  count_pieces(m, &p->space.patch);
  for (int i = 0; i < step->n_ops; i++)
    if (step->op[i].kind == DSLC_OP_LAUNCH)
      seconds += times_done(step, i) * launch_seconds(m, p, &step->op[i], rate);
  return seconds;
}
