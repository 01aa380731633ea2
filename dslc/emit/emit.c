/* A plan's kernels as kernel IR, and what the program says of them. */
#include "base/defects.h"
#include "emit/program.h"

#include "emit/emit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DEFAULT_GROUP = 64 };

/* ---- preparing ---- */

static bool needs_group(const plan_kernel *k) {
  bool partial = k->partial.n > 0;
  for (int i = 0; i < k->output.n; i++) partial |= k->output.at[i].kind == PLAN_PARTIAL;
  return partial;
}

/* GROUP is the size that most kernels have; the others get a macro of their own. */
static void choose_groups(emitter *e) {
  int most = 0;
  for (int i = 0; i < e->p->kernel.n; i++) {
    plan_kernel *k = &e->p->kernel.at[i];
    if (k->local_size <= 0 && (e->p->how.loop || needs_group(k))) k->local_size = DEFAULT_GROUP;
    int same = 0;
    for (int j = 0; j <= i; j++) same += e->p->kernel.at[j].local_size == k->local_size;
    if (k->local_size <= 0 || same <= most) continue;
    most = same;
    e->file.common_group = k->local_size;
  }
}

/* Sorts all launches by their kernel. */
static void find_launches(emitter *e) {
  const dslc_program *g = e->p->program;
  e->file.launch = arena_array(e->memory, launch_list, e->p->kernel.n + 1);
  for (int s = 0; s < g->execution.n_sections; s++)
    for (int o = 0; o < g->execution.section[s].n_ops; o++)
      if (g->execution.section[s].op[o].kind == DSLC_OP_LAUNCH)
        vec_push(e->memory, &e->file.launch[g->execution.section[s].op[o].kernel], ((launch){s, o}));
}

/* Words of the functions that look beyond walls, and of sums over faces: no quantity is called so there. They are not reserved everywhere:
 * on meshes `s` is a usual name. */
static void take_own_names(emitter *e) {
  static const char *const near_walls[] = {"s", "last", "up", "this_side"};
  if (defect_is_back("names_on_the_way")) return;
  for (int i = 0; e->p->program->space.on_grid && i < 4; i++) name_fresh(e->file.names, near_walls[i], "");
  if (!e->p->program->space.on_grid) name_fresh(e->file.names, "side", "");
}

static void begin(emitter *e, plan *p, dslc_emit emit, kernel_file *out) {
  *e = (emitter){.p = p, .m = p->module, .d = dialect_of(emit), .memory = p->memory};
  e->file.names = name_scope_create(p->memory, p->module->names, NULL);
  take_own_names(e);
  e->file.macros = name_scope_create(p->memory, p->module->names, e->file.names);
  e->values.node = arena_array(p->memory, node_state, p->module->node.n + 1);
  arguments_lay_out(e);
  e->b = kir_builder_create(p->memory, p->module->names);
  e->file.out = out;
  out->dialect = e->d;
  out->kernels = e->b->program;
  choose_groups(e);
  find_launches(e);
  access_name_all(e);
  if (!p->program->execution.kernel && p->kernel.n > 0) {
    p->program->execution.kernel = arena_array(p->memory, dslc_kernel, p->kernel.n);
    p->program->execution.n_kernels = p->kernel.n;
  }
}

/* ---- launches ---- */

static int compare_rebinds(const void *a, const void *b) {
  const plan_rebind *x = a, *y = b;
  if (x->section != y->section) return x->section < y->section ? -1 : 1;
  if (x->op != y->op) return x->op < y->op ? -1 : 1;
  return (x->from > y->from) - (x->from < y->from);
}

static void sort_rebinds(emitter *e, const plan_rebind *rebind, int n) {
  e->file.rebind = arena_array(e->memory, plan_rebind, n + 1);
  e->file.n_rebinds = n;
  if (n > 0) memcpy(e->file.rebind, rebind, sizeof *rebind * (size_t)n);
  qsort(e->file.rebind, (size_t)n, sizeof *e->file.rebind, compare_rebinds);
}

static int bound_buffer(const emitter *e, launch l, int buffer) {
  const plan_rebind key = {.section = l.section, .op = l.op, .from = buffer};
  const plan_rebind *found =
      bsearch(&key, e->file.rebind, (size_t)e->file.n_rebinds, sizeof *e->file.rebind, compare_rebinds);
  return found ? found->to : buffer;
}

/* Marks slots that some launch binds to one buffer. */
static void find_aliases(emitter *e) {
  if (!e->file.n_rebinds) return;
  const launch_list *of = &e->file.launch[e->own.number];
  const int buffers = e->p->program->execution.n_buffers + 1;
  int *slot_of = arena_array(e->memory, int, buffers); /* 1 + the last slot bound to it */
  for (int i = 0; i < of->n; i++) {
    for (int k = 0; k < e->args.slot.n; k++) {
      int *other = &slot_of[bound_buffer(e, of->at[i], e->args.slot.at[k].buffer)];
      if (*other) e->args.slot.at[k].aliased = e->args.slot.at[*other - 1].aliased = true;
      *other = k + 1;
    }
    for (int k = 0; k < e->args.slot.n; k++)
      slot_of[bound_buffer(e, of->at[i], e->args.slot.at[k].buffer)] = 0;
  }
  arena_return_array(e->memory, slot_of, buffers);
}

static void bind_launches(emitter *e) {
  const launch_list *of = &e->file.launch[e->own.number];
  for (int i = 0; i < of->n; i++) {
    launch l = of->at[i];
    dslc_op *op = &e->p->program->execution.section[l.section].op[l.op];
    op->n_buffers = e->args.slot.n;
    op->buffer = arena_array(e->memory, int, e->args.slot.n + 1);
    for (int k = 0; k < e->args.slot.n; k++) op->buffer[k] = bound_buffer(e, l, e->args.slot.at[k].buffer);
  }
}

/* ---- one kernel ---- */

ir_cost emit_cost_of(const emitter *e, const plan_kernel *k, double length) {
  ir_id *root = arena_array(e->memory, ir_id, k->output.n + 1);
  int n = 0, formulas = 0;
  for (int checks = 0; checks < 2; checks++) {
    for (int i = 0; i < k->output.n; i++)
      if (k->output.at[i].value && (k->output.at[i].kind == PLAN_CHECK) == checks)
        root[n++] = k->output.at[i].value;
    if (!checks) formulas = n;
  }
  ir_cost cost = ir_cost_of(e->m, root, n, length);
  cost.written = ir_cost_of(e->m, root, formulas, length).written;
  return cost;
}

static void fill_cost(emitter *e, dslc_kernel *out) {
  const plan_kernel *k = e->k;
  const ir_cost cost =
      emit_cost_of(e, k, arguments_row_length(e, k->place == IR_NODES ? IR_OVER_NEAR : IR_OVER_FACES));
  out->cost.flops = cost.shared;
  out->cost.flops_written = cost.written;
  out->cost.slow = cost.slow;
  if (k->patches) patch_fill_cost(e, out);
  arguments_fill_traffic(e, out);
}

static void fill_kernel(emitter *e, dslc_kernel *out) {
  const plan_kernel *k = e->k;
  *out = (dslc_kernel){
      .name = e->own.name, .place = (dslc_place)k->place, .n_args = e->args.arg.n, .arg = e->args.arg.at};
  out->local_size = k->local_size;
  out->lanes = k->lanes;
  out->patches = k->patches;
  out->parts = k->fills ? k->output.n : 0;
  out->loop = e->d->opencl && e->p->how.loop;
  if (arguments_over_points(e)) {
    out->grid = e->m->dims;
    out->loop = !e->d->opencl || e->p->how.loop;
    out->tile[1] = out->loop || k->local_size <= 0 ? 1 : e->p->how.tile;
    out->tile[0] = k->local_size > 0 ? k->local_size / out->tile[1] : 1;
    if (k->window) {
      out->rows = k->window->rows, out->fit_rows = k->window->fit_rows;
      out->overlap = k->window->halo_lo + k->window->halo_hi;
      out->tile[0] = k->local_size, out->tile[1] = 1;
    }
  }
  out->one_group = k->partial.n > 0 || (k->place == IR_NOWHERE && k->local_size > 0);
  out->line = k->line;
  out->what = k->what ? k->what : k->text;
  fill_cost(e, out);
}

static void emit_kernel(emitter *e, int number) {
  e->own.number = number;
  e->k = &e->p->kernel.at[number];
  const bool given =
      name_is_given(e->file.macros, e->k->text); /* kernels are often named after what they store */
  e->own.name = name_fresh(e->file.macros,
                           given ? arena_printf(e->memory, "compute_%s", e->k->text) : e->k->text, "_kernel");
  e->patch = NULL;
  if (arguments_over_points(e)) points_prepare(e);
  else if (e->k->patches) patch_prepare(e);
  else if (e->k->fills) tables_prepare(e);
  else {
    place_kernel(e);
    arguments_collect(e);
  }
  find_aliases(e);
  kernel_write(e);
  fill_kernel(e, &e->p->program->execution.kernel[number]);
  bind_launches(e);
}

/* ---- the file ---- */

static int lanes_of_all(const emitter *e) { /* the same for all kernels that have some */
  int lanes = 0;
  for (int i = 0; i < e->p->kernel.n; i++)
    if (e->p->kernel.at[i].lanes > 1) lanes = e->p->kernel.at[i].lanes;
  return lanes;
}

static void define_constants(emitter *e) {
  const dslc_program *g = e->p->program;
  const int lanes = lanes_of_all(e);
  if (e->file.common_group <= 0 && g->space.faces_per_cell <= 0 && !g->space.on_grid) return;
  kir_line(e->b, "// The schedule's choices.");
  if (e->file.common_group > 0) kir_line(e->b, "#define GROUP %d", e->file.common_group);
  if (g->space.faces_per_cell > 0) kir_line(e->b, "#define FACES_PER_CELL %d", g->space.faces_per_cell);
  if (g->space.on_grid) kir_line(e->b, "#define HALO %d // points around the grid", g->space.halo);
  if (g->space.on_grid && (!e->d->opencl || e->p->how.loop))
    kir_line(e->b, "#define RUN 256 // points taken at once");
  if (g->space.patch.cells > 0) {
    kir_line(e->b, "#define PATCH_CELLS %d // of a patch and around it, at most",
             g->space.patch.cells + g->space.patch.ring);
    kir_line(e->b, "#define PATCH_FACES %d", g->space.patch.faces);
  }
  if (lanes > 1) kir_line(e->b, "#define LANES %d // work-items that share a node", lanes);
  if (e->p->mesh.slot_start >= 0)
    kir_line(e->b, "#define SLICE %d // slots from one of a work-item's edges to the next", DSLC_SLICE);
  if (!e->d->opencl || !e->p->how.loop) return;
  kir_line(e->b, "#define VECTOR 8 // entities side by side in a loop");
  kir_line(e->b,
           "#pragma clang diagnostic ignored \"-Wpass-failed\" // PoCL's first pass cannot, its second can");
}

static void define_all(emitter *e, kernel_file *f) {
  f->sized = e->p->program->execution.registers > 0;
  kir_open(e->b, NULL, &f->constants);
  define_constants(e);
  kir_close_block(e->b);
  kir_open(e->b, NULL, &f->macros);
  access_write_macros(e);
  tables_write_macros(e);
  window_write_macros(e);
  kir_close_block(e->b);
}

/* In debug builds: what is named and declared nowhere is a mistake of the emitter. */
static void check_names(const kir_program *p) {
#ifdef EW_DEBUG_BUILD
  for (int i = 0; i < p->functions.n; i++)
    if (p->functions.at[i]->undeclared) {
      fprintf(stderr, "dslc: %s names %s, which is declared nowhere\n", p->functions.at[i]->name,
              p->functions.at[i]->undeclared);
      abort();
    }
#else
  (void)p;
#endif
}

static kir_choices choices_of(const plan *p, const dialect *d) {
  return (kir_choices){.opencl = d->opencl,
                       .unroll = p->program->space.faces_per_cell > 0 ? p->how.unroll : 0,
                       .reads_first = p->how.reads_first};
}

kernel_file *emit_program(plan *p, dslc_emit emit, const plan_rebind *rebind, int n_rebinds) {
  emitter e;
  kernel_file *file = arena_new(p->memory, kernel_file);
  *file = (kernel_file){.program = p->program, .tree = p->how.reduce == PLAN_REDUCE_TREE};
  begin(&e, p, emit, file);
  file->how = choices_of(p, e.d);
  sort_rebinds(&e, rebind, n_rebinds);
  window_name_all(&e);
  if (p->program->space.on_grid) walls_plan(&e);
  for (int i = 0; i < p->kernel.n; i++) emit_kernel(&e, i);
  file->n_kernels = e.b->program->functions.n;
  if (p->program->space.on_grid) walls_write(&e);
  check_names(e.b->program);
  define_all(&e, file);
  back_begin(file, p->memory);
  p->program->identity.target = emit == DSLC_EMIT_OPENCL ? "opencl" : emit == DSLC_EMIT_C ? "c" : "c-openmp";
  return file;
}
