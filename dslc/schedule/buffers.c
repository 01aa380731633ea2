/* The program's data: buffers, and what a case gives and sees. */
#include <string.h>

#include "back/back.h"
#include "ir/fields.h"
#include "back/source_kinds.h"
#include "ir/mesh_source.h"
#include "schedule/grid.h"
#include "schedule/nodes.h"

int buffer_add(planner *pl, dslc_buffer b) {
  vec_push(pl->memory, &pl->made->buffer, b);
  return pl->made->buffer.n - 1;
}

/* ---- buffers of symbols ------------------------------------------------------------------------------------------ */

static const char *const level_suffix[] = {"", ".prev", ".old", ".new", ".old"};

static int width_of(const ir_symbol *q) { return q->is_fluctuation ? 2 * q->type.n : q->type.n; }

int field_of(const planner *pl, ir_sym sym) {
  for (int i = 0; i < pl->made->field.n; i++)
    if (pl->made->field.at[i].name == ir_symbol_get(pl->to, sym)->text) return i; /* names are interned */
  return -1;
}

/* A rule that acts on several targets has rows, and so arguments, for each, and on a grid one for each time at which it is read:
 * symbols of their own. */
static ir_sym by_row_of(const planner *pl, ir_sym sym) {
  const ir_symbol *q = ir_symbol_get(pl->from, sym);
  return q->purpose.role == IR_BY_ROW || q->purpose.role == IR_LATE ? q->purpose.of : sym;
}

static void place_argument(planner *pl, ir_sym sym, const ir_symbol *q, dslc_buffer *b) {
  const ir_rule *r = &pl->to->rule.at[q->rule];
  b->kind = DSLC_BUFFER_ARGUMENT;
  b->place = b->hold ? DSLC_NODES : DSLC_FACES;
  b->aos = pl->to->on_grid && b->width > 1; /* rows have no stride of their own there */
  b->rule = (int)q->rule - 1;
  for (int i = 0; i < r->arg.n; i++)
    if (r->arg.at[i] == by_row_of(pl, sym)) b->argument = i;
  b->name = arena_printf(pl->memory, "%s.%s", r->text, q->text);
  int *first = &pl->program->model.rule[b->rule].argument[b->argument].buffer;
  if (*first < 0) *first = pl->made->buffer.n;
}

/* Values of another time than the launch's. */
static void place_late(planner *pl, const ir_symbol *q, dslc_buffer *b) {
  b->name = arena_printf(pl->memory, "%s.late", b->name);
  b->ahead = q->purpose.ahead;
  if (q->kind == IR_GIVEN)
    b->source = (dslc_source){.kind = DSLC_SOURCE_GIVEN, .field = field_of(pl, q->purpose.of)};
}

static void place_geometry(planner *pl, const ir_symbol *q, dslc_buffer *b) {
  b->source = ir_mesh_source(pl->to, q);
  if (q->purpose.role == IR_HELD_MASK) b->source.field = field_of(pl, q->purpose.of);
  b->kind = source_kind_get(b->source.kind)->buffer;
  b->element = source_kind_get(b->source.kind)->element;
  if (!b->hold) return;
  const ir_constraint *h = &pl->from->constraint.at[b->hold - 1];
  b->rule = (int)h->rule - 1;
  b->name = arena_printf(pl->memory, "%s.%s.%s", pl->to->rule.at[h->rule].text,
                         ir_symbol_get(pl->to, h->target)->text, q->text);
}

static dslc_buffer buffer_for(planner *pl, ir_sym sym, ir_level level) {
  const ir_symbol *q = ir_symbol_get(pl->to, sym);
  dslc_buffer b = {.name = level == IR_NOW ? q->text
                                           : arena_printf(pl->memory, "%s%s", q->text, level_suffix[level]),
                   .kind = DSLC_BUFFER_WORK,
                   .element = DSLC_F64,
                   .place = (dslc_place)q->place,
                   .width = width_of(q),
                   .rule = -1,
                   .argument = -1,
                   .hold = pl->use[sym].row_of,
                   .has_ghosts = q->place == IR_CELLS};
  if (q->kind == IR_STATE && level == IR_NOW) b.kind = DSLC_BUFFER_STATE;
  bool one = q->kind == IR_STATE && q->place == IR_NOWHERE; /* which has no stride */
  if (q->kind == IR_GIVEN) b.kind = DSLC_BUFFER_GIVEN;
  if (q->kind == IR_GEOMETRY || q->kind == IR_INTEGRAL) place_geometry(pl, q, &b);
  else b.aos = b.width > 1 && (one || schedule_aos(pl->in->schedule, q->text));
  if (q->kind == IR_RULE_ARGUMENT) place_argument(pl, sym, q, &b);
  if (q->purpose.role == IR_LATE) place_late(pl, q, &b);
  if (pl->storage[sym].single && b.element == DSLC_F64 && b.kind != DSLC_BUFFER_ARGUMENT)
    b.element = DSLC_F32;
  return b;
}

/* A given is the same before and after a step: all its levels are one buffer. */
static bool has_levels(const planner *pl, ir_sym sym) { return ir_symbol_get(pl->to, sym)->kind != IR_GIVEN; }

int buffer_of(planner *pl, ir_sym sym, ir_level level) {
  plan_location *l = &pl->plan->location[sym];
  if (l->buffer[level] >= 0) return l->buffer[level];
  if (level != IR_NOW && !has_levels(pl, sym)) return l->buffer[level] = buffer_of(pl, sym, IR_NOW);
  if (level != IR_NOW || !place_at_edges(pl, sym))
    l->buffer[level] = buffer_add(pl, buffer_for(pl, sym, level));
  return l->buffer[level];
}

/* ---- scalars -------------------------------------------------------------------------------------------------------- */

static void place_scalars(planner *pl) {
  int next = DSLC_SCALAR_GLOBALS;
  for (int s = 1; s < pl->to->symbol.n; s++) {
    const ir_symbol *q = ir_symbol_get(pl->to, (ir_sym)s);
    plan_location *l = &pl->plan->location[s];
    if (q->kind == IR_TIME && (ir_sym)s == pl->in->time) l->scalar = DSLC_SCALAR_T;
    if (q->kind != IR_GLOBAL) continue;
    l->scalar = (ir_sym)s == pl->in->dt            ? DSLC_SCALAR_DT
                : q->purpose.role == IR_STEP_BOUND ? DSLC_SCALAR_DT_FREE
                : q->purpose.role == IR_STEP_MOST  ? DSLC_SCALAR_MOST
                                                   : next++;
  }
  dslc_buffer scalars = {.name = "scalars", .kind = DSLC_BUFFER_SCALARS, .element = DSLC_F64, .width = next};
  dslc_buffer flags = {
      .name = "flags", .kind = DSLC_BUFFER_FLAGS, .element = DSLC_I32, .width = DSLC_FLAG_CHECKS};
  pl->plan->scalars = buffer_add(pl, scalars);
  pl->plan->flags = buffer_add(pl, flags);
}

/* ---- parameters, rules, variants --------------------------------------------------------------------------------------- */

static void make_parameters(planner *pl) {
  VEC(dslc_parameter) all = {0};
  for (int s = 1; s < pl->to->symbol.n; s++) {
    const ir_symbol *q = ir_symbol_get(pl->to, (ir_sym)s);
    if (q->kind != IR_PARAMETER) continue;
    pl->plan->location[s].parameter = all.n;
    const char *formula = q->root[0] ? back_formula(pl->from, q->root[0], pl->memory) : NULL;
    dslc_parameter p = {
        .name = q->text, .components = q->type.n, .unit = q->unit, .formula = formula, .bounds = q->bounds};
    vec_push(pl->memory, &all, p);
  }
  pl->program->model.n_parameters = all.n;
  pl->program->model.parameter = all.at;
}

/* A case gives an argument once for a rule's name, whatever walls that speaks of. */
static bool may_be_timed(planner *pl, const ir_rule *named, name argument) {
  bool may = true;
  for (int r = 1; r < pl->to->rule.n; r++) {
    const ir_rule *rule = &pl->to->rule.at[r];
    for (int k = 0; k < rule->arg.n && rule->text == named->text; k++) {
      const ir_sym sym = rule->arg.at[k];
      if (ir_symbol_get(pl->to, sym)->text == argument)
        may = may && lower_may_be_timed(pl->in->low, sym) && !start_asks_for(pl, sym);
    }
  }
  return may;
}

static void make_rules(planner *pl) {
  dslc_program *g = pl->program;
  g->model.n_rules = pl->to->rule.n - 1;
  g->model.rule = ir_rules(pl->from, pl->memory);
  for (int i = 0; i < g->model.n_rules; i++)
    for (int k = 0; k < g->model.rule[i].n_arguments; k++) {
      const ir_sym sym = pl->to->rule.at[i + 1].arg.at[k];
      const ir_id value = ir_symbol_get(pl->to, sym)->root[0];
      dslc_argument *argument = &g->model.rule[i].argument[k];
      argument->formula = value ? back_formula(pl->from, value, pl->memory) : NULL;
      argument->over_time = may_be_timed(pl, &pl->to->rule.at[i + 1], ir_symbol_get(pl->to, sym)->text);
    }
}

static void make_locations(planner *pl) {
  pl->plan->location = arena_array(pl->memory, plan_location, pl->to->symbol.n);
  for (int s = 0; s < pl->to->symbol.n; s++)
    pl->plan->location[s] = (plan_location){.buffer = {-1, -1, -1, -1, -1}, .parameter = -1, .scalar = -1};
}

void make_tables(planner *pl) {
  make_locations(pl);
  make_parameters(pl);
  make_rules(pl);
  place_scalars(pl);
}

/* ---- fields and globals -------------------------------------------------------------------------------------------------- */

static void add_field(planner *pl, ir_sym sym, dslc_field_kind kind) {
  const ir_symbol *q = ir_symbol_get(pl->to, sym);
  dslc_field f = ir_field(q, kind);
  if (kind != DSLC_QUANTITY) f.buffer = buffer_of(pl, sym, IR_NOW);
  vec_push(pl->memory, &pl->made->field, f);
}

/* States first, in the order of the scheme, so that a state's number is its field's. */
void make_fields(planner *pl) {
  static const struct {
    ir_symbol_kind from;
    dslc_field_kind to;
  } order[] = {{IR_STATE, DSLC_STATE}, {IR_GIVEN, DSLC_GIVEN}, {IR_EQUATION, DSLC_QUANTITY}};
  for (int k = 0; k < 3; k++)
    for (int s = 1; s < pl->to->symbol.n; s++) {
      const ir_symbol *q = ir_symbol_get(pl->to, (ir_sym)s);
      if (q->kind == order[k].from && !ir_hides(q) && !pl->use[s].hidden)
        add_field(pl, (ir_sym)s, order[k].to);
    }
}

/* ---- topology --------------------------------------------------------------------------------------------------------------- */

static int topology(planner *pl, const char *text, dslc_source_kind kind, dslc_place place) {
  dslc_buffer b = {.name = text,
                   .kind = DSLC_BUFFER_TOPOLOGY,
                   .element = source_kind_get(kind)->element,
                   .place = place,
                   .source = {.kind = kind},
                   .rule = -1,
                   .argument = -1};
  b.width = source_width_of(pl->program, &b.source);
  return buffer_add(pl, b);
}

/* Slots depend on how many work-items a node has. */
static int slots(planner *pl, const char *text, dslc_source_kind kind, dslc_place place) {
  int buffer = topology(pl, text, kind, place);
  pl->made->buffer.at[buffer].source.lanes = pl->plan->mesh.slot_lanes;
  return buffer;
}

static void make_slots(planner *pl) {
  plan *p = pl->plan;
  p->mesh.slot_start = p->mesh.slot_node = p->mesh.edge_slot = -1;
  p->mesh.slot_lanes = shared_lanes(pl);
  if (!pl->mesh.slots) return;
  p->mesh.slot_start = slots(pl, "slot_start", DSLC_SOURCE_SLOT_START, DSLC_NODES);
  p->mesh.slot_node = slots(pl, "slot_node", DSLC_SOURCE_SLOT_NODE, DSLC_EDGES);
  p->mesh.edge_slot = slots(pl, "edge_slot", DSLC_SOURCE_EDGE_SLOT, DSLC_EDGES);
}

static void make_patches(planner *pl) {
  plan *p = pl->plan;
  p->mesh.patch.start = p->mesh.patch.ring = p->mesh.patch.face = p->mesh.patch.ends = p->mesh.patch.side =
      -1;
  if (!pl->mesh.patches) return;
  pl->program->space.patch = patch_limits(pl);
  p->mesh.patch.start = topology(pl, "patch_start", DSLC_SOURCE_PATCH_START, DSLC_CELLS);
  p->mesh.patch.ring = topology(pl, "patch_ring", DSLC_SOURCE_PATCH_RING, DSLC_CELLS);
  p->mesh.patch.face = topology(pl, "patch_face", DSLC_SOURCE_PATCH_FACE, DSLC_FACES);
  p->mesh.patch.ends = topology(pl, "patch_ends", DSLC_SOURCE_PATCH_ENDS, DSLC_FACES);
  p->mesh.patch.side = topology(pl, "patch_side", DSLC_SOURCE_PATCH_SIDE, DSLC_CELLS);
}

/* Only what some kernel uses. Called when all kernels are planned. */
void make_topology(planner *pl) {
  plan *p = pl->plan;
  p->mesh.face_left = p->mesh.face_right = p->mesh.cell_face = p->mesh.cell_across = p->mesh.cell_start =
      p->mesh.colour_face = p->mesh.rim_cell = -1;
  p->mesh.node_start = p->mesh.edge_node = p->mesh.edge_from = -1;
  p->grid.near = p->grid.wall[0] = p->grid.wall[1] = p->grid.wall[2] = -1;
  if (pl->mesh.near) p->mesh.node_start = topology(pl, "node_start", DSLC_SOURCE_NODE_START, DSLC_NODES);
  if (pl->mesh.second_node) p->mesh.edge_node = topology(pl, "edge_node", DSLC_SOURCE_EDGE_NODE, DSLC_EDGES);
  p->mesh.edge_pair = pl->mesh.pair ? topology(pl, "edge_pair", DSLC_SOURCE_EDGE_PAIR, DSLC_EDGES) : -1;
  make_slots(pl);
  make_patches(pl);
  if (pl->mesh.first_node) p->mesh.edge_from = topology(pl, "edge_from", DSLC_SOURCE_EDGE_FROM, DSLC_EDGES);
  if (pl->mesh.left_right) {
    p->mesh.face_left = topology(pl, "face_left", DSLC_SOURCE_FACE_LEFT, DSLC_FACES);
    p->mesh.face_right = topology(pl, "face_right", DSLC_SOURCE_FACE_RIGHT, DSLC_FACES);
  }
  if (pl->mesh.cell_face) p->mesh.cell_face = topology(pl, "cell_face", DSLC_SOURCE_CELL_FACE, DSLC_CELLS);
  if (pl->mesh.across) p->mesh.cell_across = topology(pl, "cell_across", DSLC_SOURCE_CELL_ACROSS, DSLC_CELLS);
  if ((pl->mesh.cell_face || pl->mesh.across || pl->mesh.patches) && !pl->program->space.faces_per_cell)
    p->mesh.cell_start = topology(pl, "cell_start", DSLC_SOURCE_CELL_START, DSLC_CELLS);
  if (pl->mesh.rim) p->mesh.rim_cell = topology(pl, "rim_cell", DSLC_SOURCE_RIM_CELL, DSLC_CELLS);
  if (pl->mesh.colour) p->mesh.colour_face = topology(pl, "colour_face", DSLC_SOURCE_COLOUR_FACE, DSLC_FACES);
}

/* ---- checks ------------------------------------------------------------------------------------------------------------------- */

const char *line_text(planner *pl, span at, int *line, int *column) {
  *line = *column = 0;
  if (at.end > at.start) source_position(pl->in->sources, at.file, at.start, line, column);
  return at.end > at.start ? source_get(pl->in->sources, at.file)->path : "";
}

const char *other_file(planner *pl, span at) {
  int line, column;
  const char *path = line_text(pl, at, &line, &column), *own = pl->in->options->path;
  return !*path || (own && strcmp(path, own) == 0) ? NULL : arena_printf(pl->memory, "%s", path);
}

void kernel_from(planner *pl, plan_kernel *k, span at) {
  int column;
  line_text(pl, at, &k->line, &column);
  k->file = other_file(pl, at);
}

int check_add(planner *pl, const char *text, ir_place place, int field, span at) {
  dslc_check c = {.text = text, .place = (dslc_place)place, .field = field};
  line_text(pl, at, &c.line, &c.column);
  c.file = other_file(pl, at);
  vec_push(pl->memory, &pl->made->check, c);
  pl->made->buffer.at[pl->plan->flags].width = DSLC_FLAG_CHECKS + pl->made->check.n;
  return pl->made->check.n - 1;
}
