/* Hand-built plans for the back ends' tests: a small triangle mesh, modules built node by node, and an
 * executor that runs the emitted kernels on a device exactly as their argument lists say. */
#ifndef TEST_BACK_FIXTURE_H
#define TEST_BACK_FIXTURE_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "back/file.h"
#include "device/device.h"
#include "schedule/plan.h"
#include "emit/program.h"

enum {
  NX = 9,
  NY = 7,
  N_CELLS = 2 * NX * NY,
  MAX_FACES = 3 * N_CELLS,
  MAX_BUFFERS = 64,
  MAX_SYMBOLS = 64,
  MAX_OPS = 16
};

typedef struct fixture {
  arena *memory;
  ir_module *m;
  plan p;
  dslc_program g;
  dslc_buffer buffer[MAX_BUFFERS];
  dslc_parameter parameter[8];
  dslc_op op[MAX_OPS];
  dslc_section section;
  plan_rebind rebind[8];
  int n_rebinds;
  double *number[MAX_BUFFERS]; /* host copies: F64 buffers */
  int32_t *integer[MAX_BUFFERS];
  size_t count[MAX_BUFFERS];
  double value[8][9]; /* parameters */
  int n_faces, n_interior, n_cells, n_all_cells, capacity, stride[DSLC_PLACE_COUNT];
  int left[MAX_FACES], right[MAX_FACES], cell_face[3][N_CELLS], across[3][N_CELLS];
  int colour_first[16], n_colours, colour_face[MAX_FACES];
} fixture;

__attribute__((unused)) static void out_of_memory(void *ctx, size_t size) {
  (void)ctx;
  (void)size;
  abort();
}

/* A fixed sequence of numbers in [0, 1): the same on every machine. */
__attribute__((unused)) static double noise(uint32_t *state) {
  *state = *state * 1664525u + 1013904223u;
  return (double)(*state >> 8) / 16777216.0;
}

/* ---- mesh ---- */

__attribute__((unused)) static void triangle_nodes(int c, int node[3]) {
  int square = c / 2, x = square % NX, y = square / NX, a = y * (NX + 1) + x, up = NX + 1;
  int lower[3] = {a, a + 1, a + up + 1}, upper[3] = {a, a + up + 1, a + up};
  memcpy(node, c % 2 ? upper : lower, sizeof lower);
}

__attribute__((unused)) static int find_face(const int (*ends)[2], int n, int a, int b) {
  for (int f = 0; f < n; f++)
    if ((ends[f][0] == a && ends[f][1] == b) || (ends[f][0] == b && ends[f][1] == a)) return f;
  return -1;
}

__attribute__((unused)) static void build_faces(fixture *x) {
  static int ends[MAX_FACES][2];
  x->n_faces = 0;
  for (int c = 0; c < N_CELLS; c++) {
    int node[3];
    triangle_nodes(c, node);
    for (int k = 0; k < 3; k++) {
      int a = node[k], b = node[(k + 1) % 3], f = find_face((const int(*)[2])ends, x->n_faces, a, b);
      if (f < 0) {
        f = x->n_faces++;
        ends[f][0] = a;
        ends[f][1] = b;
        x->left[f] = c;
        x->right[f] = -1;
      } else x->right[f] = c;
      x->cell_face[k][c] = x->left[f] == c ? f : ~f;
    }
  }
}

/* Ghost cells follow the cells, in the order of their faces. */
__attribute__((unused)) static void build_ghosts(fixture *x) {
  x->n_cells = N_CELLS;
  x->n_all_cells = N_CELLS;
  for (int f = 0; f < x->n_faces; f++)
    if (x->right[f] < 0) x->right[f] = x->n_all_cells++;
  for (int c = 0; c < N_CELLS; c++)
    for (int k = 0; k < 3; k++) {
      int side = x->cell_face[k][c], f = side < 0 ? ~side : side;
      x->across[k][c] = side < 0 ? x->left[f] : x->right[f];
    }
}

/* Greedy: no two faces of a colour share a cell. */
__attribute__((unused)) static void build_colours(fixture *x) {
  static int colour[MAX_FACES];
  int done = 0;
  for (int f = 0; f < x->n_faces; f++) colour[f] = -1;
  for (x->n_colours = 0; done < x->n_faces; x->n_colours++) {
    static bool taken[N_CELLS + MAX_FACES];
    memset(taken, 0, sizeof taken);
    x->colour_first[x->n_colours] = done;
    for (int f = 0; f < x->n_faces; f++) {
      if (colour[f] >= 0 || taken[x->left[f]] || taken[x->right[f]]) continue;
      taken[x->left[f]] = taken[x->right[f]] = true;
      colour[f] = x->n_colours;
      x->colour_face[done++] = f;
    }
  }
  x->colour_first[x->n_colours] = done;
}

/* ---- buffers and symbols ---- */

__attribute__((unused)) static int add_buffer(fixture *x, const char *text, dslc_buffer_kind kind,
                                              dslc_element element, dslc_place place, int width, bool aos) {
  int b = x->g.execution.n_buffers++;
  assert_true(b < MAX_BUFFERS);
  x->buffer[b] = (dslc_buffer){
      .name = text, .kind = kind, .element = element, .place = place, .width = width, .aos = aos};
  size_t entries = place == DSLC_NOWHERE ? 64 : (size_t)x->stride[place];
  if (kind == DSLC_BUFFER_PARTIALS) entries = (size_t)x->capacity;
  x->count[b] = entries * (size_t)width;
  if (element == DSLC_I32) x->integer[b] = arena_array(x->memory, int32_t, x->count[b]);
  else x->number[b] = arena_array(x->memory, double, x->count[b]);
  return b;
}

__attribute__((unused)) static int add_topology(fixture *x, const char *text, dslc_place place, int width,
                                                const int *entry, int n, int row) {
  int b = add_buffer(x, text, DSLC_BUFFER_TOPOLOGY, DSLC_I32, place, width, false);
  for (int k = 0; k < width; k++)
    for (int i = 0; i < n; i++) x->integer[b][k * x->stride[place] + i] = entry[k * row + i];
  return b;
}

/* A field in a buffer of its own, filled with numbers in [low, high). */
__attribute__((unused)) static ir_sym add_field(fixture *x, const char *text, ir_symbol_kind kind,
                                                ir_place place, ir_type type, bool aos, double low,
                                                double high) {
  ir_symbol s = {
      .text = intern_str(x->m->names, text), .kind = kind, .place = place, .type = type, .dims = 2};
  ir_sym sym = ir_symbol_add(x->m, s);
  dslc_buffer_kind buffer_kind = kind == IR_GEOMETRY ? DSLC_BUFFER_GEOMETRY
                                 : kind == IR_GIVEN  ? DSLC_BUFFER_GIVEN
                                 : kind == IR_STATE  ? DSLC_BUFFER_STATE
                                                     : DSLC_BUFFER_WORK;
  int b = add_buffer(x, text, buffer_kind, DSLC_F64, (dslc_place)place, type.n, aos);
  x->p.location[sym] = (plan_location){.buffer = {b, -1, -1, -1}, .scalar = -1};
  uint32_t seed = (uint32_t)(b + 1) * 7919u;
  for (size_t i = 0; i < x->count[b]; i++) x->number[b][i] = low + (high - low) * noise(&seed);
  return sym;
}

__attribute__((unused)) static ir_sym add_parameter(fixture *x, const char *text, double value) {
  ir_symbol s = {.text = intern_str(x->m->names, text), .kind = IR_PARAMETER, .type = ir_scalar()};
  ir_sym sym = ir_symbol_add(x->m, s);
  int number = x->g.model.n_parameters++;
  x->parameter[number] = (dslc_parameter){.name = text, .components = 1};
  x->value[number][0] = value;
  x->p.location[sym] = (plan_location){.buffer = {-1, -1, -1, -1}, .parameter = number, .scalar = -1};
  return sym;
}

__attribute__((unused)) static ir_sym add_scalar(fixture *x, const char *text, ir_symbol_kind kind,
                                                 int entry) {
  ir_symbol s = {.text = intern_str(x->m->names, text), .kind = kind, .type = ir_scalar()};
  ir_sym sym = ir_symbol_add(x->m, s);
  x->p.location[sym] = (plan_location){.buffer = {-1, -1, -1, -1}, .scalar = entry};
  return sym;
}

__attribute__((unused)) static int buffer_of(const fixture *x, ir_sym s) {
  return x->p.location[s].buffer[IR_NOW];
}

__attribute__((unused)) static double *field(fixture *x, ir_sym s) { return x->number[buffer_of(x, s)]; }

/* Component d of entity i of a field's buffer. */
__attribute__((unused)) static double element(const fixture *x, int b, int d, int i) {
  const dslc_buffer *k = &x->buffer[b];
  return x->number[b][k->aos ? i * k->width + d : d * x->stride[k->place] + i];
}

__attribute__((unused)) static fixture *fixture_create(void) {
  arena *a = arena_create(out_of_memory, NULL);
  fixture *x = arena_new(a, fixture);
  x->memory = a;
  build_faces(x);
  build_ghosts(x);
  build_colours(x);
  x->stride[DSLC_CELLS] = x->n_all_cells + x->n_faces + 3;
  x->stride[DSLC_FACES] = x->n_faces + 5;
  x->stride[DSLC_NODES] = (NX + 1) * (NY + 1) + 2;
  x->stride[DSLC_EDGES] = 1024;
  x->capacity = 64;
  x->m = ir_create(a, intern_create(a));
  x->m->dims = 2;
  x->g = (dslc_program){.identity.scheme = "test",
                        .identity.path = "schemes/test.ew",
                        .space.dims = 2,
                        .space.faces_per_cell = 3,
                        .execution.buffer = x->buffer,
                        .model.parameter = x->parameter,
                        .execution.section = &x->section,
                        .execution.n_sections = 1};
  x->section = (dslc_section){.name = "step", .op = x->op};
  x->p = (plan){.module = x->m, .program = &x->g, .memory = a, .how = {.unroll = 3}};
  x->p.location = arena_array(a, plan_location, MAX_SYMBOLS);
  x->p.scalars = add_buffer(x, "scalars", DSLC_BUFFER_SCALARS, DSLC_F64, DSLC_NOWHERE, 1, false);
  x->p.flags = add_buffer(x, "flags", DSLC_BUFFER_FLAGS, DSLC_I32, DSLC_NOWHERE, 1, false);
  for (int i = DSLC_FLAG_CHECKS; i < 64; i++) x->integer[x->p.flags][i] = INT32_MAX;
  x->p.mesh.face_left = add_topology(x, "face_left", DSLC_FACES, 1, x->left, x->n_faces, 0);
  x->p.mesh.face_right = add_topology(x, "face_right", DSLC_FACES, 1, x->right, x->n_faces, 0);
  x->p.mesh.cell_face = add_topology(x, "cell_face", DSLC_CELLS, 3, x->cell_face[0], N_CELLS, N_CELLS);
  x->p.mesh.cell_across = add_topology(x, "cell_across", DSLC_CELLS, 3, x->across[0], N_CELLS, N_CELLS);
  x->p.mesh.colour_face = add_topology(x, "colour_face", DSLC_FACES, 1, x->colour_face, x->n_faces, 0);
  x->p.mesh.cell_start = x->p.mesh.node_start = x->p.mesh.edge_node = x->p.mesh.edge_from =
      x->p.mesh.slot_start = x->p.mesh.slot_node = -1;
  x->p.mesh.edge_slot = -1;
  return x;
}

__attribute__((unused)) static void fixture_destroy(fixture *x) {
  arena *a = x->memory;
  arena_destroy(&a);
}

/* ---- nodes ---- */

/* Component `first` of a field, as after the pass `components`. */
__attribute__((unused)) static ir_id get(fixture *x, ir_sym s, ir_at at, int first) {
  ir_id id = ir_read(x->m, s, IR_NOW, at, NULL);
  if (x->m->node.at[id].read.first == first && x->m->node.at[id].type.n == 1) return id;
  ir_node n = *ir_get(x->m, id);
  n.read.first = (uint8_t)first;
  n.type = ir_scalar();
  return ir_rebuild(x->m, &n, NULL);
}

__attribute__((unused)) static ir_id add(fixture *x, ir_id a, ir_id b) {
  return ir_binary(x->m, IR_ADD, a, b);
}
__attribute__((unused)) static ir_id sub(fixture *x, ir_id a, ir_id b) {
  return ir_binary(x->m, IR_SUB, a, b);
}
__attribute__((unused)) static ir_id mul(fixture *x, ir_id a, ir_id b) {
  return ir_binary(x->m, IR_MUL, a, b);
}
__attribute__((unused)) static ir_id quotient(fixture *x, ir_id a, ir_id b) {
  return ir_binary(x->m, IR_DIV, a, b);
}
__attribute__((unused)) static ir_id number(fixture *x, double v) { return ir_const(x->m, v); }
__attribute__((unused)) static ir_id param(fixture *x, ir_sym s) { return ir_param(x->m, s); }
__attribute__((unused)) static ir_id over_faces(fixture *x, ir_reduce kind, ir_id body) {
  return ir_reduction(x->m, kind, IR_OVER_FACES, IR_FACES, 0, body);
}
__attribute__((unused)) static ir_id named(fixture *x, ir_id id, const char *hint) {
  ir_name(x->m, id, intern_str(x->m->names, hint), NULL, (span){0, 0, 0});
  return id;
}

/* ---- kernels and launches ---- */

__attribute__((unused)) static plan_kernel *add_kernel(fixture *x, const char *text, ir_place place) {
  plan_kernel k = {.text = intern_str(x->m->names, text), .place = place, .line = 7};
  vec_push(x->memory, &x->p.kernel, k);
  return &x->p.kernel.at[x->p.kernel.n - 1];
}

__attribute__((unused)) static void add_output(fixture *x, plan_kernel *k, plan_output_kind kind, int buffer,
                                               int component, ir_id value) {
  plan_output o = {.kind = kind, .buffer = buffer, .component = component, .value = value};
  vec_push(x->memory, &k->output, o);
}

__attribute__((unused)) static int add_launch(fixture *x, int kernel, dslc_subset subset) {
  int o = x->section.n_ops++;
  assert_true(o < MAX_OPS);
  x->op[o] = (dslc_op){.kind = DSLC_OP_LAUNCH, .kernel = kernel, .subset = subset, .groups_of = -1};
  return o;
}

/* The run that oclgrind watches has only OpenCL to do, and no other compilers to call. */
__attribute__((unused)) static bool is_inner_run(void) { return getenv("TEST_BACK_INNER") != NULL; }

/* ---- execution ---- */

#define must(call, err)                                                                                      \
  do {                                                                                                       \
    if ((call) != EW_OK) fail_msg("%s", (err)->text);                                                        \
  } while (0)

__attribute__((unused)) static int items_of(const fixture *x, const dslc_op *op, int colour) {
  const dslc_kernel *k = &x->g.execution.kernel[op->kernel];
  if (op->subset == DSLC_COLOUR) return x->colour_first[colour + 1] - x->colour_first[colour];
  switch (k->place) {
  case DSLC_CELLS: return x->n_cells;
  case DSLC_FACES: return x->n_faces;
  case DSLC_NODES: return (NX + 1) * (NY + 1);
  default: return k->one_group ? k->local_size : 1;
  }
}

__attribute__((unused)) static int groups_of(const fixture *x, const dslc_op *op) {
  const dslc_op *written_by = &x->op[op->groups_of];
  int size = x->g.execution.kernel[written_by->kernel].local_size;
  return (items_of(x, written_by, 0) + size - 1) / size;
}

__attribute__((unused)) static void set_arg(fixture *x, const dslc_op *op, int colour, int position,
                                            dev_kernel *kernel, dev_buffer **buffer) {
  const dslc_arg *a = &x->g.execution.kernel[op->kernel].arg[position];
  ew_error err;
  unsigned at = (unsigned)position;
  switch (a->kind) {
  case DSLC_ARG_BUFFER:
    must(dev_kernel_set_buffer(kernel, at, buffer[op->buffer[a->number]], &err), &err);
    break;
  case DSLC_ARG_ITEMS: must(dev_kernel_set_i32(kernel, at, items_of(x, op, colour), &err), &err); break;
  case DSLC_ARG_FIRST: must(dev_kernel_set_i32(kernel, at, x->colour_first[colour], &err), &err); break;
  case DSLC_ARG_STRIDE: must(dev_kernel_set_i32(kernel, at, x->stride[a->number], &err), &err); break;
  case DSLC_ARG_PARAMETER:
    must(dev_kernel_set_f64(kernel, at, x->value[a->number][a->component], &err), &err);
    break;
  case DSLC_ARG_STAGE: must(dev_kernel_set_f64(kernel, at, op->stage, &err), &err); break;
  case DSLC_ARG_WEIGHT: must(dev_kernel_set_f64(kernel, at, op->weight[a->component], &err), &err); break;
  case DSLC_ARG_GROUPS: must(dev_kernel_set_i32(kernel, at, groups_of(x, op), &err), &err); break;
  default: fail_msg("kernels of grids are tested elsewhere");
  }
}

__attribute__((unused)) static void launch(fixture *x, dev_program *program, const dslc_op *op,
                                           dev_buffer **buffer) {
  const dslc_kernel *k = &x->g.execution.kernel[op->kernel];
  ew_error err;
  dev_kernel *kernel = NULL;
  must(dev_kernel_create(program, k->name, &kernel, &err), &err);
  int colours = op->subset == DSLC_COLOUR ? x->n_colours : 1;
  for (int colour = 0; colour < colours; colour++) {
    for (int a = 0; a < k->n_args; a++) set_arg(x, op, colour, a, kernel, buffer);
    int items = items_of(x, op, colour), size = k->local_size;
    if (k->loop) items = (items + size - 1) / size, size = 1;
    must(dev_kernel_launch(kernel, (uint64_t)items, (size_t)size, &err), &err);
  }
  dev_kernel_destroy(&kernel);
}

/* Runs the section on the device that takes `emit`'s language; buffers go there and come back. */
__attribute__((unused)) static void run_on(fixture *x, dslc_emit emit) {
  static const char *const spec[] = {"cpu", "c", "c-openmp"};
  ew_error err = {0};
  dev_context *ctx = NULL;
  dev_program *program = NULL;
  dev_buffer *buffer[MAX_BUFFERS] = {0};
  must(dev_context_create(is_inner_run() ? "oclgrind" : spec[emit], &ctx, &err), &err);
  if (dev_program_create(ctx, "test", x->g.execution.source, "", &program, &err) != EW_OK) {
    printf("%s\n", x->g.execution.source);
    fail_msg("%s", err.text);
  }
  for (int b = 0; b < x->g.execution.n_buffers; b++) {
    bool whole = x->buffer[b].element == DSLC_I32;
    uint64_t bytes = x->count[b] * (whole ? sizeof(int32_t) : sizeof(double));
    must(dev_buffer_create(ctx, x->buffer[b].name, bytes, &buffer[b], &err), &err);
    must(dev_buffer_write(buffer[b], 0, bytes, whole ? (void *)x->integer[b] : (void *)x->number[b], &err),
         &err);
  }
  for (int o = 0; o < x->section.n_ops; o++) launch(x, program, &x->op[o], buffer);
  for (int b = 0; b < x->g.execution.n_buffers; b++) {
    bool whole = x->buffer[b].element == DSLC_I32;
    uint64_t bytes = x->count[b] * (whole ? sizeof(int32_t) : sizeof(double));
    must(dev_buffer_read(buffer[b], 0, bytes, whole ? (void *)x->integer[b] : (void *)x->number[b], &err),
         &err);
    dev_buffer_destroy(&buffer[b]);
  }
  dev_program_destroy(&program);
  dev_context_destroy(&ctx);
}

__attribute__((unused)) static bool is_installed(const char *program) {
  char command[256];
  snprintf(command, sizeof command, "command -v %s >/dev/null 2>&1", program);
  return system(command) == 0;
}

#define each_target(emit)                                                                                    \
  for (dslc_emit emit = DSLC_EMIT_OPENCL; emit <= (is_inner_run() ? DSLC_EMIT_OPENCL : DSLC_EMIT_C_OPENMP);  \
       emit++)

#ifdef __SANITIZE_ADDRESS__ /* would have to be loaded before oclgrind */
enum { OCLGRIND_WORKS = 0 };
#else
enum { OCLGRIND_WORKS = 1 };
#endif

/* The whole test program once more under oclgrind, whose exit status says nothing of what it found. */
__attribute__((unused)) static void check_with_oclgrind(const char *self) {
  if (is_inner_run() || !OCLGRIND_WORKS || !is_installed("oclgrind")) skip();
  char command[1024], log[64], line[256];
  snprintf(log, sizeof log, "oclgrind_%d.log", (int)getpid());
  snprintf(command, sizeof command,
           "TEST_BACK_INNER=1 EDGEWISE_CACHE=off oclgrind --data-races --uninitialized %s >/dev/null 2>%s",
           self, log);
  assert_int_equal(system(command), 0);
  FILE *f = fopen(log, "r");
  assert_non_null(f);
  while (fgets(line, sizeof line, f))
    if (strstr(line, "race") || strstr(line, "ninitialized") || strstr(line, "nvalid"))
      fail_msg("oclgrind complains (%s): %s", log, line);
  fclose(f);
  remove(log);
}

/* What every emitted text must satisfy: no line of 110 columns or more, and no complaint of a strict
 * compiler. */
__attribute__((unused)) static void check_text(const fixture *x, dslc_emit emit) {
  for (const char *line = x->g.execution.source; *line;
       line += strcspn(line, "\n") + (line[strcspn(line, "\n")] == '\n'))
    if (strcspn(line, "\n") >= 110)
      fail_msg("a line of %d columns: %.*s", (int)strcspn(line, "\n"), 110, line);
  if (is_inner_run() || !is_installed("clang")) return;
  char path[64], command[512];
  snprintf(path, sizeof path, "test_back_%d.%s", (int)getpid(), emit == DSLC_EMIT_OPENCL ? "cl" : "c");
  FILE *f = fopen(path, "w");
  assert_non_null(f);
  fputs(x->g.execution.source, f);
  fclose(f);
  const char *options = emit == DSLC_EMIT_OPENCL
                            ? "-x cl -cl-std=CL1.2 -target spir64 -Xclang -finclude-default-header"
                            : "-std=c11 -fopenmp -Wextra -Wno-unknown-pragmas";
  snprintf(command, sizeof command, "clang %s -Wall -Werror -fsyntax-only %s", options, path);
  int status = system(command);
  remove(path);
  if (status != 0) fail_msg("clang refuses the text:\n%s", x->g.execution.source);
}

__attribute__((unused)) static void emit_text(fixture *x, dslc_emit emit) {
  int n;
  const kir_pass *pass = kir_passes(&n);
  kernel_file *file = emit_program(&x->p, emit, x->rebind, x->n_rebinds);
  for (int i = 0; i < n; i++) pass[i].run(file->kernels, &file->how);
  x->g.execution.source = back_print(file, x->p.memory);
  if (getenv("SHOW")) printf("%s\n", x->g.execution.source);
}

__attribute__((unused)) static void emit_and_check(fixture *x, dslc_emit emit) {
  emit_text(x, emit);
  check_text(x, emit);
}

__attribute__((unused)) static void assert_near(double a, double b) {
  if (!(fabs(a - b) <= 1e-12 * (fabs(a) + fabs(b)) + 1e-300)) fail_msg("%.17g is not %.17g", a, b);
}

#endif
