#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "fields/on_grid.h"
#include "fields/on_nodes.h"

size_t exec_element_size(dslc_element e) { return e == DSLC_F64 ? sizeof(double) : e == DSLC_U8 ? 1 : 4; }

size_t exec_element(const exec_run *run, const dslc_buffer *b, int32_t i, int d) {
  if (b->aos) return (size_t)i * (size_t)b->width + (size_t)d;
  return (size_t)d * (size_t)run->points.place[b->place].stride + (size_t)i;
}

/* ---- sizes ------------------------------------------------------------------------------------------------- */

/* A launch fills one value per work-group in each of the buffer's arrays, which then lie `groups` apart. */
static size_t partials(const exec_run *run, int buffer) {
  const dslc_program *p = run->program;
  int32_t most = 1;
  for (int s = 0; s < p->execution.n_sections; s++)
    for (int i = 0; i < p->execution.section[s].n_ops; i++) {
      const dslc_op *op = &p->execution.section[s].op[i];
      for (int k = 0; op->kind == DSLC_OP_LAUNCH && k < op->n_buffers; k++)
        if (op->buffer[k] == buffer && exec_groups(run, op) > most) most = exec_groups(run, op);
    }
  return (size_t)most * (size_t)p->execution.buffer[buffer].width;
}

static size_t piece_entries(const mesh_pieces *p, dslc_source_kind kind) {
  const int32_t *last = p->start + (size_t)p->n * MESH_PIECE_WIDTH;
  return (size_t)last[kind == DSLC_SOURCE_PATCH_RING ? MESH_PIECE_RING : MESH_PIECE_FACE];
}

static size_t topology(const exec_run *run, const dslc_buffer *b) {
  if (run->g) return exec_grid_elements(run, b);
  if (exec_is_nodal(b)) return exec_node_elements(run, b);
  const mesh *m = run->m;
  size_t cells = (size_t)run->points.place[DSLC_CELLS].stride;
  switch (b->source.kind) {
  case DSLC_SOURCE_PATCH_START: return ((size_t)run->points.pieces->n + 1) * MESH_PIECE_WIDTH;
  case DSLC_SOURCE_PATCH_RING:
  case DSLC_SOURCE_PATCH_FACE:
  case DSLC_SOURCE_PATCH_ENDS: return piece_entries(run->points.pieces, b->source.kind);
  case DSLC_SOURCE_PATCH_SIDE:
  case DSLC_SOURCE_CELL_FACE:
  case DSLC_SOURCE_CELL_ACROSS:
    return run->program->space.faces_per_cell ? cells * (size_t)run->program->space.faces_per_cell
                                              : (size_t)m->sides.start[m->n_cells];
  case DSLC_SOURCE_CELL_START: return (size_t)m->n_cells + 1;
  case DSLC_SOURCE_GHOST_CELL: return (size_t)m->n_ghosts;
  default: return (size_t)run->points.place[DSLC_FACES].stride;
  }
}

int32_t exec_argument_count(const exec_run *run, const dslc_buffer *b) {
  return b->hold ? run->nodes.hold[b->hold - 1]->n : run->points.rule[b->rule].count;
}

static size_t elements(const exec_run *run, int buffer) {
  const dslc_buffer *b = &run->program->execution.buffer[buffer];
  size_t stride = (size_t)run->points.place[b->place].stride, width = (size_t)b->width;
  switch (b->kind) {
  case DSLC_BUFFER_PARTIALS: return partials(run, buffer);
  case DSLC_BUFFER_SCALARS: return (size_t)run->seen.n_scalars;
  case DSLC_BUFFER_FLAGS: return (size_t)run->seen.n_flags;
  case DSLC_BUFFER_ALIAS: return 0; /* launches bind another buffer in its place */
  case DSLC_BUFFER_TOPOLOGY: return topology(run, b);
  case DSLC_BUFFER_ARGUMENT: {
    size_t count = (size_t)exec_argument_count(run, b);
    return b->aos || width == 1 ? width * count : (width - 1) * stride + count;
  }
  default: return width * stride;
  }
}

static int most(int a, int b) { return a > b ? a : b; }

/* The control buffers hold what program, globals, checks and repeats ask for. */
static void size_control(exec_run *run) {
  const dslc_program *p = run->program;
  run->seen.scalars = run->seen.flags = -1;
  run->seen.n_scalars = DSLC_SCALAR_GLOBALS;
  run->seen.n_flags = DSLC_FLAG_CHECKS + p->execution.n_checks;
  for (int g = 0; g < p->model.n_globals; g++)
    run->seen.n_scalars = most(run->seen.n_scalars, p->model.global[g].scalar + 1);
  for (int s = 0; s < p->execution.n_sections; s++)
    for (int i = 0; i < p->execution.section[s].n_ops; i++)
      if (p->execution.section[s].op[i].kind == DSLC_OP_REPEAT)
        run->seen.n_flags = most(run->seen.n_flags, p->execution.section[s].op[i].a + 1);
  for (int b = 0; b < p->execution.n_buffers; b++) {
    if (p->execution.buffer[b].kind == DSLC_BUFFER_SCALARS)
      run->seen.scalars = b, run->seen.n_scalars = most(run->seen.n_scalars, p->execution.buffer[b].width);
    if (p->execution.buffer[b].kind == DSLC_BUFFER_FLAGS)
      run->seen.flags = b, run->seen.n_flags = most(run->seen.n_flags, p->execution.buffer[b].width);
  }
}

/* Kernels count the elements of a buffer with `int`. */
static ew_status check_sizes(const exec_run *run, ew_error *err) {
  for (int b = 0; b < run->program->execution.n_buffers; b++) {
    size_t n = elements(run, b);
    if (n > INT32_MAX)
      return ew_fail(
          err, EW_INPUT,
          "'%s' would hold %zu numbers on this %s of %d cells, kernels can count to %d: take fewer cells",
          run->program->execution.buffer[b].name, n, exec_domain_word(&run->domain), (int)run->points.n_cells,
          INT32_MAX);
  }
  return EW_OK;
}

/* All buffers together, before the first is taken: systems grant more memory than there is, and end the program later. */
static ew_status check_memory(const exec_run *run, ew_error *err) {
  const dev_info *device = dev_get_info(run->device);
  double bytes = 0;
  for (int b = 0; b < run->program->execution.n_buffers; b++)
    bytes += (double)elements(run, b) * (double)exec_element_size(run->program->execution.buffer[b].element);
  if (device->memory_bytes == 0 || bytes <= (double)device->memory_bytes) return EW_OK;
  return ew_fail(
      err, EW_DEVICE,
      "the buffers of scheme '%s' take %.1f GiB on this %s of %d cells; device '%s' has %.1f GiB in all\n"
      "hint: a smaller %s, or a device with more memory",
      run->program->identity.scheme, bytes / 0x1p30, exec_domain_word(&run->domain), (int)run->points.n_cells,
      device->name, (double)device->memory_bytes / 0x1p30, exec_domain_word(&run->domain));
}

/* ---- life --------------------------------------------------------------------------------------------------- */

ew_status exec_buffers_create(exec_run *run, ew_error *err) {
  ew_status status = EW_OK;
  const dslc_program *p = run->program;
  size_control(run);
  if (run->seen.scalars < 0 || run->seen.flags < 0)
    EXEC_LEAVE(err, EW_INTERNAL, "scheme '%s': the program has no scalars or no flags", p->identity.scheme);
  EW_CHECK(check_sizes(run, err));
  EW_CHECK(check_memory(run, err));
  run->buffer = calloc((size_t)p->execution.n_buffers + 1, sizeof(dev_buffer *));
  run->seen.scalar_values = calloc((size_t)run->seen.n_scalars, sizeof(double));
  run->seen.flag_values = calloc((size_t)run->seen.n_flags, sizeof(int32_t));
  if (!run->buffer || !run->seen.scalar_values || !run->seen.flag_values)
    EXEC_LEAVE(err, EW_FAIL, "out of memory for %d buffers", p->execution.n_buffers);
  for (int b = 0; b < p->execution.n_buffers; b++) {
    uint64_t bytes = elements(run, b) * exec_element_size(p->execution.buffer[b].element);
    bytes = (bytes + 7) / 8 * 8; /* copies move eight bytes at a time */
    EW_CHECK(
        dev_buffer_create(run->device, p->execution.buffer[b].name, bytes ? bytes : 8, &run->buffer[b], err));
    if (p->execution.buffer[b].element == DSLC_F64) dev_buffer_hold_doubles(run->buffer[b]);
    /* Time and counts begin at 0. What other buffers begin with must not matter: kernels write before they read. */
    const bool control = p->execution.buffer[b].kind == DSLC_BUFFER_SCALARS ||
                         p->execution.buffer[b].kind == DSLC_BUFFER_FLAGS;
    if (control && bytes)
      EW_CHECK(dev_buffer_fill(run->buffer[b], 0, bytes, &(int64_t){0}, sizeof(int64_t), err));
  }
cleanup:
  return status;
}

static bool op_uses(const dslc_op *op, int buffer) {
  for (int k = 0; k < op->n_buffers; k++)
    if (op->buffer[k] == buffer) return true;
  return op->kind != DSLC_OP_LAUNCH && (op->a == buffer || op->b == buffer);
}

/* Whether anything behind the setup does: the step, outputs, linear systems. */
static bool is_used_later(const dslc_program *p, int buffer) {
  for (int s = DSLC_SECTION_STEP; s < p->execution.n_sections; s++)
    for (int i = 0; i < p->execution.section[s].n_ops; i++)
      if (op_uses(&p->execution.section[s].op[i], buffer)) return true;
  for (int f = 0; f < p->model.n_fields; f++)
    if (p->model.field[f].buffer == buffer) return true;
  for (int i = 0; i < p->execution.n_solves; i++) {
    const dslc_solve *s = &p->execution.solve[i];
    if (s->off == buffer || s->diagonal == buffer || s->rhs == buffer || s->solution == buffer) return true;
  }
  return false;
}

void exec_buffers_release(exec_run *run) {
  const dslc_program *p = run->program;
  for (int b = 0; b < p->execution.n_buffers; b++) {
    const dslc_buffer_kind kind = p->execution.buffer[b].kind;
    if ((kind == DSLC_BUFFER_GEOMETRY || kind == DSLC_BUFFER_WORK) && !is_used_later(p, b))
      dev_buffer_destroy(&run->buffer[b]);
  }
}

void exec_buffers_destroy(exec_run *run) {
  for (int b = 0; run->buffer && b < run->program->execution.n_buffers; b++)
    dev_buffer_destroy(&run->buffer[b]);
  dev_buffer_destroy(&run->builtin.ghost_source);
  free(run->buffer);
  free(run->queue.handle);
  free(run->seen.scalar_values);
  free(run->seen.flag_values);
}

/* ---- values in the buffer's layout ---------------------------------------------------------------------------- */

static void store(void *data, dslc_element e, size_t at, double value) {
  if (e == DSLC_F64) ((double *)data)[at] = value;
  else if (e == DSLC_F32) ((float *)data)[at] = (float)value;
  else if (e == DSLC_U8) ((uint8_t *)data)[at] = (uint8_t)value;
  else ((int32_t *)data)[at] = (int32_t)value;
}

static double load(const void *data, dslc_element e, size_t at) {
  if (e == DSLC_F64) return ((const double *)data)[at];
  if (e == DSLC_U8) return ((const uint8_t *)data)[at];
  return e == DSLC_F32 ? (double)((const float *)data)[at] : ((const int32_t *)data)[at];
}

/* Whether single precision has the number at all: the mesh's are divisors too, others may vanish. */
static bool fits_single(const dslc_buffer *b, double value) {
  if (!isfinite(value) || value == 0) return true;
  const bool vanishes = b->kind == DSLC_BUFFER_GEOMETRY && b->width == 1 && fabs(value) < FLT_MIN;
  return fabs(value) <= FLT_MAX && !vanishes;
}

static ew_status refuse_single(const dslc_buffer *b, double value, ew_error *err) {
  const bool of_mesh = b->kind == DSLC_BUFFER_GEOMETRY;
  return ew_fail(err, EW_INPUT,
                 "'%s' holds %g, which single precision cannot\nhint: leave it in double: %s.store=double",
                 b->name, value, of_mesh ? "geometry" : b->name);
}

/* Numbers a millionth of a field's largest keep their seven digits, or the field is too small for single precision. */
static const double SMALLEST_SINGLE = (double)FLT_MIN / FLT_EPSILON;

ew_status exec_check_small(const dslc_buffer *b, const dslc_field *f, const double *values, int32_t n,
                           ew_error *err) {
  double largest = 0;
  if (b->element != DSLC_F32) return EW_OK;
  for (int32_t i = 0; i < n; i++)
    for (int d = f->first; d < f->first + f->components; d++) {
      const double size = fabs(values[(size_t)i * (size_t)b->width + (size_t)d]);
      if (size > largest) largest = size;
    }
  if (largest == 0 || largest >= SMALLEST_SINGLE) return EW_OK;
  return ew_fail(
      err, EW_INPUT,
      "'%s' holds %g at most, which single precision cannot: digits are lost where the largest number "
      "is below %.2g\nhint: leave it in double: %s.store=double",
      f->name, largest, SMALLEST_SINGLE, f->name);
}

ew_status exec_put(exec_run *run, int buffer, const double *values, int32_t n, ew_error *err) {
  const dslc_buffer *b = &run->program->execution.buffer[buffer];
  uint64_t bytes = dev_buffer_bytes(run->buffer[buffer]);
  for (size_t k = 0; b->element == DSLC_F32 && k < (size_t)n * (size_t)b->width; k++)
    if (!fits_single(b, values[k])) return refuse_single(b, values[k], err);
  void *data = calloc(1, bytes);
  if (!data) return ew_fail(err, EW_FAIL, "out of memory for the values of '%s'", b->name);
  for (int32_t i = 0; i < n; i++)
    for (int d = 0; d < b->width; d++) store(data, b->element, exec_element(run, b, i, d), *values++);
  ew_status status = dev_buffer_write(run->buffer[buffer], 0, bytes, data, err);
  free(data);
  return status;
}

ew_status exec_get(exec_run *run, int buffer, double *values, int32_t n, ew_error *err) {
  const dslc_buffer *b = &run->program->execution.buffer[buffer];
  uint64_t bytes = dev_buffer_bytes(run->buffer[buffer]);
  void *data = malloc(bytes);
  if (!data) return ew_fail(err, EW_FAIL, "out of memory for the values of '%s'", b->name);
  ew_status status = dev_buffer_read(run->buffer[buffer], 0, bytes, data, err);
  for (int32_t i = 0; status == EW_OK && i < n; i++)
    for (int d = 0; d < b->width; d++) *values++ = load(data, b->element, exec_element(run, b, i, d));
  free(data);
  return status;
}
