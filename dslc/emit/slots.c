/* What a kernel touches: its buffers with the components read and written, its index variables, its
 * argument list. */
#include "emit/emit.h"

#include <string.h>

/* The place noted may be that of an earlier kernel's slot. */
slot *access_slot(emitter *e, int buffer) {
  int *place = &e->args.slot_of[buffer];
  if (*place < e->args.slot.n && e->args.slot.at[*place].buffer == buffer) return &e->args.slot.at[*place];
  *place = e->args.slot.n;
  int width = e->p->program->execution.buffer[buffer].width;
  slot s = {.buffer = buffer};
  s.read = arena_array(e->memory, bool, width + 1);
  s.written = arena_array(e->memory, bool, width + 1);
  s.moved = arena_array(e->memory, bool, width + 1);
  vec_push(e->memory, &e->args.slot, s);
  return &e->args.slot.at[e->args.slot.n - 1];
}

bool slots_strided(const dslc_buffer *b) {
  return b->place != DSLC_NOWHERE && b->kind != DSLC_BUFFER_PARTIALS && b->width > 1 && !b->aos;
}

static void need_stride(emitter *e, int buffer, bool beyond_first) {
  const dslc_buffer *b = &e->p->program->execution.buffer[buffer];
  if (beyond_first && slots_strided(b)) e->args.uses.stride[b->place] = true;
}

static void read_component(emitter *e, int buffer, int component, double times) {
  slot *s = access_slot(e, buffer);
  s->read[component] = s->moved[component] = true;
  s->loads += times;
  need_stride(e, buffer, component > 0);
}

void slots_note_component(emitter *e, int buffer, int component, double times, bool moves) {
  const bool moved = access_slot(e, buffer)->moved[component];
  read_component(e, buffer, component, times);
  access_slot(e, buffer)->moved[component] = moved || moves;
}

static void write_component(emitter *e, int buffer, int component, double times) {
  slot *s = access_slot(e, buffer);
  s->written[component] = true;
  s->stores += times;
  need_stride(e, buffer, component > 0);
}

/* Topology is read once an item, or once a pass of a loop. */
static void need_index(emitter *e, int buffer, double times) {
  if (buffer < 0) return;
  slot *s = access_slot(e, buffer);
  s->loads += times;
  s->read[0] = s->moved[0] = true;
  e->file.access[buffer][0].used = true;
}

int slots_read_buffer(const emitter *e, const ir_node *n, int *component) {
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

double slots_row_length(const emitter *e, ir_binder binder) {
  if (binder == IR_OVER_NEAR)
    return e->m->dims == 3 ? 14 : 6; /* neighbours of a node in meshes of simplices */
  return e->p->program->space.faces_per_cell > 0 ? e->p->program->space.faces_per_cell : 6;
}

/* ---- from nodes ---- */

static void note_parameter(emitter *e, const ir_node *n) {
  const plan_location *at = &e->p->location[n->read.sym];
  if (ir_symbol_get(e->m, n->read.sym)->kind == IR_PARAMETER)
    e->args.uses.parameter[at->parameter * DSLC_MOST_COMPONENTS + n->read.first] = true;
  else if (at->launch == PLAN_LAUNCH_STAGE) e->args.uses.stage = true;
  else if (at->launch == PLAN_LAUNCH_WEIGHT) e->args.uses.weight[(at->first + n->read.first) & 7] = true;
}

static void note_index(emitter *e, ir_at at) {
  bool in_loop = e->k->place == IR_CELLS;
  if (at == IR_AT_L && !in_loop) e->args.uses.left = true;
  if (at == IR_AT_R && !in_loop) e->args.uses.right = true;
  if (at == IR_AT_I && e->k->place == IR_EDGES) e->args.uses.first_node = true;
  if (at == IR_AT_J && e->k->place == IR_EDGES) e->args.uses.second_node = true;
}

static bool computes(const loop *l, ir_id id) { /* its nodes are in rising order */
  int low = 0, high = l->body.node.n;
  while (low < high) {
    int middle = (low + high) / 2;
    if (l->body.node.at[middle] < id) low = middle + 1;
    else high = middle;
  }
  return low < l->body.node.n && l->body.node.at[low] == id;
}

/* How often a node's access is executed per item: in every turn of every loop that needs it. */
static double passes(const emitter *e, ir_id id) {
  int loops = 0;
  if (!e->values.node[id].in_loop) return patch_passes(e);
  for (int i = 0; i < e->values.loop.n; i++) loops += computes(&e->values.loop.at[i], id);
  return (loops ? loops : 1) * slots_row_length(e, e->k->place == IR_NODES ? IR_OVER_NEAR : IR_OVER_FACES);
}

static void note_node(emitter *e, ir_id id) {
  const ir_node *n = ir_get(e->m, id);
  if (n->op != IR_READ && n->op != IR_PARAM) return;
  if (e->p->program->space.on_grid && plan_called(e->p, id, e->at_wall.function) >= 0)
    return; /* its function reads */
  int component, buffer = slots_read_buffer(e, n, &component);
  if (buffer < 0) {
    note_parameter(e, n);
    return;
  }
  if (buffer == e->p->scalars) {
    access_slot(e, buffer);
    return;
  }
  if (window_keeps(e, buffer)) return;
  if (patch_holds(e, n)) {
    patch_note_read(e, buffer, component);
    return;
  }
  read_component(e, buffer, component, passes(e, id));
  access_slot(e, buffer)->read_by_value = true;
  plan_edge_index index = e->p->location[n->read.sym].index;
  if (index == PLAN_EDGE_PAIR) need_index(e, e->p->mesh.edge_pair, passes(e, id));
  if (index == PLAN_EDGE_SLOT && n->read.at != IR_AT_E) need_index(e, e->p->mesh.edge_slot, passes(e, id));
  const ir_symbol *s = ir_symbol_get(e->m, n->read.sym);
  if (n->op == IR_READ && n->read.at == IR_AT_OUT &&
      s->is_fluctuation) { /* each face is seen from both its cells */
    slot *of = access_slot(e, buffer);
    of->read[component + s->type.n] = of->moved[component + s->type.n] = true;
    need_stride(e, buffer, true);
  }
  if (n->op == IR_READ) note_index(e, n->read.at);
}

static void note_output(emitter *e, const plan_output *o) {
  if (o->index == PLAN_EDGE_SLOT) need_index(e, e->p->mesh.edge_slot, 1);
  if (o->index == PLAN_EDGE_PAIR) {
    need_index(e, e->p->mesh.edge_pair, 1);
    e->args.uses.first_node = e->args.uses.second_node = true;
  }
  bool adds = o->kind == PLAN_ADD_L || o->kind == PLAN_ADD_R;
  if (o->kind == PLAN_ADD_L) e->args.uses.left = true;
  if (o->kind == PLAN_ADD_R || o->kind == PLAN_GHOST) e->args.uses.right = true;
  if (o->kind == PLAN_STORE || o->kind == PLAN_GHOST || o->kind == PLAN_PARTIAL || adds)
    write_component(e, o->buffer, o->component, 1);
  if (o->kind == PLAN_TABLE) write_component(e, o->buffer, e->p->function.at[o->component].table - 1, 1);
  if (adds) read_component(e, o->buffer, o->component, 1);
}

static void note_loop(emitter *e, const loop *l) {
  double length = slots_row_length(e, l->binder);
  if (l->binder == IR_OVER_NEAR) {
    bool steps = body_steps_slots(e);
    need_index(e, e->p->mesh.node_start, 2);
    need_index(e, steps ? e->p->mesh.slot_start : e->p->mesh.edge_slot, steps ? 1 : length);
    if (l->uses_neighbour) /* slots are read one ahead */
      need_index(e, e->p->mesh.slot_node >= 0 ? e->p->mesh.slot_node : e->p->mesh.edge_node,
                 steps ? length + 1 : length);
    return;
  }
  bool face = l->uses_face || l->uses_outward || l->uses_sides, across = l->uses_across || l->uses_sides;
  if (e->p->program->space.faces_per_cell == 0) need_index(e, e->p->mesh.cell_start, 2);
  else if (face || across) e->args.uses.stride[DSLC_CELLS] = true;
  if (face) need_index(e, e->patch ? e->p->mesh.patch.side : e->p->mesh.cell_face, length);
  if (across) need_index(e, e->p->mesh.cell_across, length);
}

/* ---- arguments ---- */

bool slots_over_points(const emitter *e) {
  return e->p->program->space.on_grid && e->k->place != IR_NOWHERE && e->k->place < IR_XLINE && !e->k->fills;
}

static void add_arg(emitter *e, dslc_arg_kind kind, int number, int component, const char *text) {
  dslc_arg a = {.kind = kind, .number = number, .component = component, .name = text};
  vec_push(e->memory, &e->args.arg, a);
}

static int count_true(const bool *flag, int n) {
  int count = 0;
  for (int i = 0; i < n; i++) count += flag[i];
  return count;
}

static void add_buffer_args(emitter *e) {
  for (int i = 0; i < e->args.slot.n; i++) {
    const slot *s = &e->args.slot.at[i];
    const dslc_buffer *b = &e->p->program->execution.buffer[s->buffer];
    add_arg(e, DSLC_ARG_BUFFER, i, 0, e->file.buffer_arg[s->buffer]);
    dslc_arg *a = &e->args.arg.at[e->args.arg.n - 1];
    bool per_entity = b->kind != DSLC_BUFFER_SCALARS && b->kind != DSLC_BUFFER_FLAGS;
    a->reads = per_entity ? count_true(s->moved, b->width) : 0;
    a->writes = per_entity ? count_true(s->written, b->width) : 0;
    bool table = s->buffer == e->p->mesh.cell_face || s->buffer == e->p->mesh.cell_across ||
                 s->buffer == e->p->mesh.patch.side;
    if (table) a->reads = slots_row_length(e, IR_OVER_FACES);
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

static void add_args(emitter *e) {
  if (slots_over_points(e)) add_grid_args(e);
  else if (e->k->place != IR_NOWHERE) add_arg(e, DSLC_ARG_ITEMS, 0, 0, "items");
  if (e->k->fills) add_pitch_args(e);
  if (e->k->first || e->k->coloured) add_arg(e, DSLC_ARG_FIRST, 0, 0, "first");
  if (e->k->partial.n > 0) add_arg(e, DSLC_ARG_GROUPS, 0, 0, "groups");
  for (int p = 0; p < DSLC_PLACE_COUNT; p++)
    if (e->args.uses.stride[p])
      add_arg(e, DSLC_ARG_STRIDE, p, 0, arena_printf(e->memory, "stride_%s", ir_place_text((ir_place)p)));
  for (int i = 0; i < DSLC_MOST_COMPONENTS * e->p->program->model.n_parameters; i++)
    if (e->args.uses.parameter[i])
      add_arg(e, DSLC_ARG_PARAMETER, i / DSLC_MOST_COMPONENTS, i % DSLC_MOST_COMPONENTS,
              e->file.parameter[i]);
  if (e->args.uses.stage) add_arg(e, DSLC_ARG_STAGE, 0, 0, "stage");
  for (int i = 0; i < 8; i++)
    if (e->args.uses.weight[i]) add_arg(e, DSLC_ARG_WEIGHT, 0, i, arena_printf(e->memory, "weight_%d", i));
  add_buffer_args(e);
}

static void reset(emitter *e) {
  e->args.slot.n = 0;
  e->args.arg = (__typeof__(e->args.arg)){0};
  e->args.uses.left = e->args.uses.right = e->args.uses.first_node = e->args.uses.second_node =
      e->args.uses.stage = false;
  memset(e->args.uses.stride, 0, sizeof e->args.uses.stride);
  memset(e->args.uses.weight, 0, sizeof e->args.uses.weight);
  memset(e->args.uses.parameter, 0,
         sizeof *e->args.uses.parameter * (size_t)(DSLC_MOST_COMPONENTS * e->p->program->model.n_parameters));
}

void slots_begin(emitter *e) { reset(e); }

/* Of the values placed last. */
void slots_note_values(emitter *e) {
  for (int i = 0; i < e->values.loop.n; i++) note_loop(e, &e->values.loop.at[i]);
  for (int i = 0; i < e->values.live.n; i++) note_node(e, e->values.live.at[i]);
}

void slots_forget_traffic(emitter *e) {
  for (int i = 0; i < e->args.slot.n; i++) {
    slot *s = &e->args.slot.at[i];
    s->loads = s->stores = 0;
    memset(s->moved, 0, (size_t)e->p->program->execution.buffer[s->buffer].width * sizeof *s->moved);
  }
}

void slots_note_index(emitter *e, int buffer) { need_index(e, buffer, 1); }

void slots_end(emitter *e) {
  const plan_kernel *k = e->k;
  for (int i = 0; i < k->partial.n; i++)
    read_component(e, k->partial.at[i].buffer, k->partial.at[i].component, 0);
  bool scalars = k->time != PLAN_TIME_NONE;
  for (int i = 0; i < k->output.n; i++) {
    note_output(e, &k->output.at[i]);
    scalars |= k->output.at[i].kind == PLAN_SCALAR;
  }
  if (e->args.uses.left) need_index(e, e->p->mesh.face_left, 1);
  if (e->args.uses.right) need_index(e, e->p->mesh.face_right, 1);
  if (e->args.uses.first_node) need_index(e, e->p->mesh.edge_from, 1);
  if (e->args.uses.second_node) need_index(e, e->p->mesh.edge_node, 1);
  if (k->coloured) need_index(e, e->p->mesh.colour_face, 1);
  if (k->rows) need_index(e, k->rows - 1, 1);
  if (scalars) access_slot(e, e->p->scalars)->written[0] = true;
  slot *flags = access_slot(e, e->p->flags);
  for (int i = 0; i < k->output.n; i++)
    flags->written[0] |= k->output.at[i].kind == PLAN_CHECK || k->output.at[i].kind == PLAN_FLAG;
  flags->written[0] |= k->time != PLAN_TIME_NONE;
  add_args(e);
}

void slots_collect(emitter *e) {
  slots_begin(e);
  slots_note_values(e);
  slots_end(e);
}
