/* A kernel's arguments. Which of them it has, what it reads and writes of them and how often, is the account of the kernel as it was built
 * (kernel/account.h). What the kernel does not tell, and what is noted here before it is built:
 *
 *   the order of its buffers   that of the scheme's values, which is nowhere in the code that is made of them
 *   read_by_value, stored      whether outputs have to wait for each other, which their code depends on: see stores_interfere
 *   by_walls                   what functions near walls read: they are written behind all kernels that call them */
#include "emit/emit.h"

#include <stdlib.h>
#include <string.h>

#include "back/source_kinds.h"

/* ---- buffers in their order ------------------------------------------------------------------------------------------- */

/* The place noted may be that of an earlier kernel's slot. */
slot *arguments_note(emitter *e, int buffer) {
  int *place = &e->args.slot_of[buffer];
  if (*place < e->args.slot.n && e->args.slot.at[*place].buffer == buffer) return &e->args.slot.at[*place];
  *place = e->args.slot.n;
  vec_push(e->memory, &e->args.slot, (slot){.buffer = buffer});
  return &e->args.slot.at[e->args.slot.n - 1];
}

void arguments_note_table(emitter *e, int buffer) {
  if (buffer >= 0) arguments_note(e, buffer);
}

bool arguments_strided(const dslc_buffer *b) {
  return b->place != DSLC_NOWHERE && b->kind != DSLC_BUFFER_PARTIALS && b->width > 1 && !b->aos;
}

int arguments_read_buffer(const emitter *e, const ir_node *n, int *component) {
  *component = 0;
  if (n->op != IR_READ && n->op != IR_PARAM) return -1;
  const plan_location *at = &e->p->location[n->read.sym];
  const ir_symbol *s = ir_symbol_get(e->m, n->read.sym);
  if (s->kind == IR_PARAMETER || at->launch != PLAN_LAUNCH_NONE) return -1;
  *component = at->first + n->read.first;
  if (s->kind == IR_TIME || s->kind == IR_GLOBAL) return e->p->scalars;
  int level = n->op == IR_READ ? n->read.level : IR_NOW;
  return at->buffer[level];
}

double arguments_row_length(const emitter *e, ir_binder binder) {
  if (binder == IR_OVER_NEAR)
    return e->m->dims == 3 ? 14 : 6; /* neighbours of a node in meshes of simplices */
  return e->p->program->space.faces_per_cell > 0 ? e->p->program->space.faces_per_cell : 6;
}

static void note_node(emitter *e, ir_id id) {
  const ir_node *n = ir_get(e->m, id);
  if (n->op != IR_READ && n->op != IR_PARAM) return;
  if (e->p->program->space.on_grid && plan_called(e->p, id, e->at_wall.function) >= 0)
    return; /* its function reads */
  int component, buffer = arguments_read_buffer(e, n, &component);
  if (buffer < 0 || window_keeps(e, buffer)) return;
  if (buffer == e->p->scalars) {
    arguments_note(e, buffer);
    return;
  }
  if (patch_holds(e, n)) {
    patch_note_read(e, buffer, component);
    return;
  }
  arguments_note(e, buffer)->read_by_value = true;
  plan_edge_index index = e->p->location[n->read.sym].index;
  if (index == PLAN_EDGE_PAIR) arguments_note_table(e, e->p->mesh.edge_pair);
  if (index == PLAN_EDGE_SLOT && n->read.at != IR_AT_E) arguments_note_table(e, e->p->mesh.edge_slot);
}

static void note_loop(emitter *e, const loop *l) {
  const plan *p = e->p;
  if (l->binder == IR_OVER_NEAR) {
    arguments_note_table(e, p->mesh.node_start);
    arguments_note_table(e, body_steps_slots(e) ? p->mesh.slot_start : p->mesh.edge_slot);
    if (l->uses_neighbour)
      arguments_note_table(e, p->mesh.slot_node >= 0 ? p->mesh.slot_node : p->mesh.edge_node);
    return;
  }
  const bool face = l->uses_face || l->uses_outward || l->uses_sides,
             across = l->uses_across || l->uses_sides;
  if (p->program->space.faces_per_cell == 0) arguments_note_table(e, p->mesh.cell_start);
  if (face) arguments_note_table(e, e->patch ? p->mesh.patch.side : p->mesh.cell_face);
  if (across) arguments_note_table(e, p->mesh.cell_across);
}

/* Of the values placed last. */
void arguments_note_values(emitter *e) {
  for (int i = 0; i < e->values.loop.n; i++) note_loop(e, &e->values.loop.at[i]);
  for (int i = 0; i < e->values.live.n; i++) note_node(e, e->values.live.at[i]);
}

static void note_output(emitter *e, const plan_output *o) {
  if (o->index == PLAN_EDGE_SLOT) arguments_note_table(e, e->p->mesh.edge_slot);
  if (o->index == PLAN_EDGE_PAIR) arguments_note_table(e, e->p->mesh.edge_pair);
  const bool adds = o->kind == PLAN_ADD_L || o->kind == PLAN_ADD_R;
  if (o->kind != PLAN_STORE && o->kind != PLAN_GHOST && o->kind != PLAN_PARTIAL && o->kind != PLAN_TABLE &&
      !adds)
    return;
  arguments_note(e, o->buffer)->stored = true;
  if (o->kind != PLAN_TABLE) e->file.access[o->buffer][o->component].stored_by = 1 + e->own.number;
}

static bool writes_scalars(const plan_kernel *k) {
  bool writes = k->time != PLAN_TIME_NONE;
  for (int i = 0; i < k->output.n; i++) writes = writes || k->output.at[i].kind == PLAN_SCALAR;
  return writes;
}

void arguments_begin(emitter *e) {
  e->args.slot.n = e->args.touched.of.n = 0;
  e->args.arg = (__typeof__(e->args.arg)){0};
}

void arguments_end(emitter *e) {
  const plan_kernel *k = e->k;
  const plan *p = e->p;
  for (int i = 0; i < k->partial.n; i++) arguments_note(e, k->partial.at[i].buffer);
  for (int i = 0; i < k->output.n; i++) note_output(e, &k->output.at[i]);
  arguments_note_table(e, p->mesh.face_left);
  arguments_note_table(e, p->mesh.face_right);
  arguments_note_table(e, p->mesh.edge_from);
  arguments_note_table(e, p->mesh.edge_node);
  if (k->coloured) arguments_note_table(e, p->mesh.colour_face);
  if (k->rim) arguments_note_table(e, p->mesh.rim_cell);
  if (k->rows) arguments_note_table(e, k->rows - 1);
  if (writes_scalars(k)) arguments_note(e, p->scalars)->stored = true;
  arguments_note(e, p->flags);
}

void arguments_collect(emitter *e) {
  arguments_begin(e);
  arguments_note_values(e);
  arguments_end(e);
}

/* ---- the account -------------------------------------------------------------------------------------------------------- */

/* Numbers of arguments in the kernel IR: buffers have their own. */
int arguments_parameter(const emitter *e, int number) { return e->p->program->execution.n_buffers + number; }

int arguments_stage(const emitter *e) {
  return arguments_parameter(e, DSLC_MOST_COMPONENTS * e->p->program->model.n_parameters);
}

int arguments_weight(const emitter *e, int number) { return arguments_stage(e) + 1 + number; }

static bool is_control(const dslc_buffer *b) {
  return b->kind == DSLC_BUFFER_SCALARS || b->kind == DSLC_BUFFER_FLAGS;
}

void arguments_lay_out(emitter *e) {
  const dslc_program *g = e->p->program;
  const int n = arguments_weight(e, MOST_WEIGHTS);
  e->args.slot_of = arena_array(e->memory, int, g->execution.n_buffers + 1);
  e->args.layout = arena_array(e->memory, kir_layout, n + 1);
  for (int b = 0; b < g->execution.n_buffers; b++)
    if (!is_control(&g->execution.buffer[b])) e->args.layout[b].width = g->execution.buffer[b].width;
  e->args.touched = (kir_accounts){
      .memory = e->memory, .layout = e->args.layout, .place = arena_array(e->memory, int, n + 1)};
}

/* Those that are used, in their order. What is none of these should have been noted: it comes last. */
static void keep_touched(emitter *e) {
  const kir_accounts *all = &e->args.touched;
  int n = 0;
  for (int i = 0; i < all->of.n; i++)
    if (all->of.at[i].argument < e->p->program->execution.n_buffers)
      arguments_note(e, all->of.at[i].argument)->used = true;
  for (int i = 0; i < e->args.slot.n; i++) {
    slot *s = &e->args.slot.at[i];
    if (!s->used && !s->by_walls) continue;
    s->account = kir_account_of(all, s->buffer);
    e->args.slot_of[s->buffer] = n;
    e->args.slot.at[n++] = *s;
  }
  e->args.slot.n = n;
}

bool arguments_reads(const emitter *e, int buffer, int component) {
  const slot *s = &e->args.slot.at[e->args.slot_of[buffer]];
  const kir_account *a = s->account;
  return s->by_walls || (a->component_read && a->component_read[component]) ||
         (a->component_aside && a->component_aside[component]);
}

/* ---- arguments ---------------------------------------------------------------------------------------------------------- */

bool arguments_over_points(const emitter *e) {
  return e->p->program->space.on_grid && e->k->place != IR_NOWHERE && e->k->place < IR_XLINE && !e->k->fills;
}

static void add_arg(emitter *e, dslc_arg_kind kind, int number, int component, const char *text) {
  dslc_arg a = {.kind = kind, .number = number, .component = component, .name = text};
  vec_push(e->memory, &e->args.arg, a);
}

static int count_true(const bool *flag, int n) {
  int count = 0;
  for (int i = 0; flag && i < n; i++) count += flag[i];
  return count;
}

/* Of a patch as a whole, and of what lies around it, there is little. */
static bool is_few(const emitter *e, int buffer) {
  return e->patch && (buffer == e->p->mesh.patch.start || buffer == e->p->mesh.patch.ring);
}

static bool counts(const emitter *e, const slot *s) {
  return s->account && !is_control(&e->p->program->execution.buffer[s->buffer]) && !is_few(e, s->buffer);
}

static void add_buffer_args(emitter *e) {
  for (int i = 0; i < e->args.slot.n; i++) {
    const slot *s = &e->args.slot.at[i];
    const int width = e->p->program->execution.buffer[s->buffer].width;
    add_arg(e, DSLC_ARG_BUFFER, i, 0, e->file.buffer_arg[s->buffer]);
    dslc_arg *a = &e->args.arg.at[e->args.arg.n - 1];
    if (!counts(e, s)) continue;
    a->reads = count_true(s->account->component_read, width);
    a->writes = count_true(s->account->component_written, width);
    bool table = s->buffer == e->p->mesh.cell_face || s->buffer == e->p->mesh.cell_across ||
                 s->buffer == e->p->mesh.patch.side;
    if (table) a->reads = arguments_row_length(e, IR_OVER_FACES);
  }
}

static void add_pitch_args(emitter *e) {
  if (e->m->dims > 1) add_arg(e, DSLC_ARG_PITCH, 1, 0, "pitch_y");
  if (e->m->dims > 2) add_arg(e, DSLC_ARG_PITCH, 2, 0, "pitch_z");
}

/* Of the grid: how many points, and where they lie. */
static void add_grid_args(emitter *e) {
  static const char *const points[] = {"points_x", "points_y", "points_z"};
  for (int a = 0; a < e->m->dims; a++) add_arg(e, DSLC_ARG_POINTS, a, 0, points[a]);
  add_pitch_args(e);
  add_arg(e, DSLC_ARG_ORIGIN, 0, 0, "origin");
  if (e->k->window) add_arg(e, DSLC_ARG_ROWS, 0, 0, "rows");
}

/* Does the kernel name a component behind the first one, or hand all of them to functions? Tables are indexed by the component. */
static bool needs_stride(const emitter *e, const slot *s) {
  const kir_account *a = s->account;
  const int width = e->p->program->execution.buffer[s->buffer].width;
  if (s->by_walls || access_is_table(e, s->buffer)) return true;
  if (s->buffer == e->p->grid.tables && (a->component_read || a->component_aside)) return true;
  const bool *const of[] = {a->component_read, a->component_written, a->component_aside};
  int beyond = 0;
  for (int i = 0; i < 3; i++) beyond += of[i] ? count_true(of[i] + 1, width - 1) : 0;
  return beyond > 0;
}

static void add_stride_args(emitter *e) {
  bool stride[DSLC_PLACE_COUNT] = {0};
  for (int i = 0; i < e->args.slot.n; i++) {
    const slot *s = &e->args.slot.at[i];
    const dslc_buffer *b = &e->p->program->execution.buffer[s->buffer];
    if (arguments_strided(b) && needs_stride(e, s)) stride[b->place] = true;
  }
  for (int p = 0; p < DSLC_PLACE_COUNT; p++)
    if (stride[p])
      add_arg(e, DSLC_ARG_STRIDE, p, 0, arena_printf(e->memory, "stride_%s", ir_place_text((ir_place)p)));
}

/* Parameters, stage and weights that are touched, by their numbers. */
static void add_number_args(emitter *e) {
  VEC(ir_id) numbers = {0};
  const int n_buffers = e->p->program->execution.n_buffers, stage = arguments_stage(e);
  for (int i = 0; i < e->args.touched.of.n; i++)
    if (e->args.touched.of.at[i].argument >= n_buffers)
      vec_push(e->memory, &numbers, (ir_id)e->args.touched.of.at[i].argument);
  ir_sort(numbers.at, numbers.n);
  for (int i = 0; i < numbers.n; i++) {
    const int of = (int)numbers.at[i], parameter = of - n_buffers, weight = of - stage - 1;
    if (of < stage)
      add_arg(e, DSLC_ARG_PARAMETER, parameter / DSLC_MOST_COMPONENTS, parameter % DSLC_MOST_COMPONENTS,
              e->file.parameter[parameter]);
    else if (of == stage) add_arg(e, DSLC_ARG_STAGE, 0, 0, "stage");
    else add_arg(e, DSLC_ARG_WEIGHT, 0, weight, arena_printf(e->memory, "weight_%d", weight));
  }
}

static void add_args(emitter *e) {
  if (arguments_over_points(e)) add_grid_args(e);
  else if (e->k->place != IR_NOWHERE) add_arg(e, DSLC_ARG_ITEMS, 0, 0, "items");
  if (e->k->fills) add_pitch_args(e);
  if (e->k->first || e->k->coloured) add_arg(e, DSLC_ARG_FIRST, 0, 0, "first");
  if (e->k->partial.n > 0) add_arg(e, DSLC_ARG_GROUPS, 0, 0, "groups");
  add_stride_args(e);
  add_number_args(e);
  add_buffer_args(e);
}

void arguments_take_account(emitter *e) {
  const bool near_walls = e->k->place == IR_NEAR_WALLS;
  if (e->p->program->space.on_grid) e->args.layout[e->p->grid.near].is_wall_distance = !near_walls;
  e->args.touched.row_length =
      arguments_row_length(e, e->k->place == IR_NODES ? IR_OVER_NEAR : IR_OVER_FACES);
  e->args.touched.items = e->k->fills ? e->k->output.n : 1;
  kir_take_account(e->b->program, e->b->function, &e->args.touched);
  keep_touched(e);
  add_args(e);
}

/* Partial results are few where they are read. */
void arguments_fill_traffic(const emitter *e, dslc_kernel *out) {
  for (int i = 0; i < e->args.slot.n; i++) {
    const slot *s = &e->args.slot.at[i];
    if (!counts(e, s)) continue;
    const dslc_buffer *b = &e->p->program->execution.buffer[s->buffer];
    const double loads = b->kind == DSLC_BUFFER_PARTIALS ? 0 : s->account->loads;
    out->cost.loads += loads;
    out->cost.stores += s->account->stores;
    out->cost.bytes += (loads + s->account->stores) * element_bytes(b->element);
  }
}
