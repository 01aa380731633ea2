/* The statements of a kernel's body: regions, branches, loops. */
#include "emit/emit.h"

#include <string.h>

/* ---- where a statement comes from ---- */

static const char *origin_note(emitter *e, ir_id id) {
  const ir_origin *o = &e->m->origin.at[id];
  if (ir_get(e->m, id)->op == IR_READ) return NULL; /* it names itself */
  if (!e->p->sources || o->at.end <= o->at.start || o->at.file >= (uint32_t)source_count(e->p->sources))
    return NULL;
  const int line = source_line_number(e->p->sources, o->at.file, o->at.start);
  const char *file = source_name_in_comment(e->memory, source_get(e->p->sources, o->at.file)->path);
  const char *tag = o->tag ? source_in_comment(e->memory, o->tag) : "";
  return arena_printf(e->memory, "%s:%d%s%s", file, line, *tag ? " " : "", tag);
}

void body_note(emitter *e, ir_id id) {
  const char *note = origin_note(e, id);
  bool repeated = note && e->own.last_note && strcmp(note, e->own.last_note) == 0;
  if (note) e->own.last_note = note;
  if (note && !repeated) kir_note(e->b, note);
}

/* ---- regions ---- */

static bool wants_name(const emitter *e, ir_id id) {
  const ir_node *n = ir_get(e->m, id);
  return e->m->origin.at[id].hint && n->op != IR_READ && n->op != IR_PARAM && !e->values.node[id].is_output;
}

static void write_node(emitter *e, ir_id id) {
  node_state *s = &e->values.node[id];
  if (s->value) return; /* a reduction: its loop wrote it */
  value_write(e, id);
  if (s->keep || s->uses > 1 || wants_name(e, id)) value_temporary(e, id);
}

static void write_region(emitter *e, scope *s, int number, int from, int to);

/* A variable that is set later; the node's value from now on. */
static void declare_value(emitter *e, ir_id id, const char *otherwise) {
  e->values.node[id].value = kir_let(e->b, value_type(e, id), value_name(e, id, otherwise), NULL);
}

static void write_arm(emitter *e, scope *s, const branch_group *b, int arm) {
  write_region(e, s, arm == 1 ? b->then_region : b->else_region, -1, INT32_MAX);
  for (int i = 0; i < b->member.n; i++) {
    ir_id id = b->member.at[i];
    kir_assign(e->b, e->values.node[id].value, KIR_NONE, value_of(e, ir_args(e->m, ir_get(e->m, id))[arm]));
  }
}

static void write_group(emitter *e, scope *s, int number) {
  branch_group b = s->group.at[number];
  if (b.flat) {
    for (int i = 0; i < b.member.n; i++) write_node(e, b.member.at[i]);
    return;
  }
  for (int i = 0; i < b.member.n; i++) declare_value(e, b.member.at[i], "choice");
  kir_line(e->b, "if (%e) {", value_of(e, b.condition));
  body_note(e, b.member.at[0]);
  write_arm(e, s, &b, 1);
  kir_line(e->b, "} else {");
  write_arm(e, s, &b, 2);
  kir_line(e->b, "}");
}

/* The region's statements of the stages in (from, to]. The recursion is as deep as arms are nested: place.c
 * bounds it. */
static void write_region(emitter *e, scope *s, int number, int from, int to) {
  const region r = s->region.at[number];
  for (int i = 0; i < r.item.n; i++) {
    int item = r.item.at[i];
    int stage = item < 0 ? s->group.at[-1 - item].stage : e->values.node[item].stage;
    if (stage <= from || stage > to) continue;
    if (item < 0) write_group(e, s, -1 - item);
    else write_node(e, (ir_id)item);
  }
}

/* ---- loops ---- */

static void declare_reductions(emitter *e, const loop *l) {
  static const char *const stem[] = {"sum", "smallest", "largest"};
  for (int i = 0; i < l->reduction.n; i++) {
    ir_id id = l->reduction.at[i];
    int kind = ir_get(e->m, id)->reduce.kind;
    declare_value(e, id, stem[kind]);
    e->b->last->value = kernel_neutral(e, (ir_reduce)kind);
  }
}

/* An entry of a table of so many a cell, or of rows of different lengths. */
static kir_expr *entry_of_cell(emitter *e, int buffer) {
  kir_expr *k = kir_name(e->b, "k");
  if (e->p->program->space.faces_per_cell > 0) return access_table(e, buffer, k, kir_name(e->b, "i"));
  return access_element(e, buffer, 0, k);
}

static void open_faces_loop(emitter *e, const loop *l) {
  const plan *p = e->p;
  if (p->program->space.faces_per_cell > 0) kir_line(e->b, "for (int k = 0; k < FACES_PER_CELL; ++k) {");
  else
    kir_line(e->b, "for (int k = %e; k < %e; ++k) {", access_at(e, p->mesh.cell_start, 0, "i"),
             access_element(e, p->mesh.cell_start, 0, kir_quote(e->b, "i + 1")));
  e->b->last->over = KIR_OVER_FACES;
  bool left = l->uses_left || l->uses_outward || l->uses_sides;
  if (l->uses_face || left)
    kir_line(e->b, "const int side = %e; // ~f where the cell lies right of its face f",
             entry_of_cell(e, e->patch ? p->mesh.patch.side : p->mesh.cell_face));
  if (left) kir_line(e->b, "const bool left = side >= 0;");
  if (l->uses_face) kir_line(e->b, "const int f = side >= 0 ? side : ~side;");
  if (l->uses_outward) kir_line(e->b, "const double outward = left ? 1.0 : -1.0;");
  if (l->uses_across || l->uses_sides) {
    kir_line(e->b, "const int d = %e;", entry_of_cell(e, p->mesh.cell_across));
    e->b->last->variable->is_neighbour = true;
  }
  if (l->uses_sides) kir_line(e->b, "const int L = left ? i : d, R = left ? d : i;");
}

/* Slots are laid out for as many work-items a node as most kernels have; others look up where an edge is. */
bool body_steps_slots(const emitter *e) {
  return e->p->mesh.slot_start >= 0 && (e->k->lanes > 1 ? e->k->lanes : 1) == e->p->mesh.slot_lanes;
}

/* A slot ahead, so that what is read at the neighbour does not wait for its number. Behind the last slot is room for one more slice. */
static void write_next_neighbour(emitter *e) {
  kir_line(e->b, "const int j = next;");
  e->b->last->variable->is_neighbour = true;
  kir_line(e->b, "next = %e;", access_element(e, e->p->mesh.slot_node, 0, kir_quote(e->b, "slot + SLICE")));
}

/* From edge to edge, by lanes; and from slot to slot, with the neighbour's number a slot ahead. */
static void open_edges(emitter *e, bool steps, bool ahead) {
  const bool lanes = e->k->lanes > 1;
  const char *lane = lanes ? " + lane" : "";
  kir_expr *begin = access_at(e, e->p->mesh.node_start, 0, "i"),
           *end = access_element(e, e->p->mesh.node_start, 0, kir_quote(e->b, "i + 1"));
  const char *active = lanes ? "active && " : "", *to_next = lanes ? "e += LANES" : "++e";
  if (!steps) {
    kir_line(e->b, "for (int e = %e%s; %se < %e; %s) {", begin, lane, active, end, to_next);
    return;
  }
  kir_expr *first = access_at(e, e->p->mesh.slot_start, 0, "i");
  if (!ahead)
    kir_line(e->b, "for (int e = %e%s, slot = %e%s;\n %se < %e; %s, slot += SLICE) {", begin, lane, first,
             lane, active, end, to_next);
  else
    kir_line(e->b, "for (int e = %e%s, slot = %e%s, next = %e;\n %se < %e; %s, slot += SLICE) {", begin, lane,
             first, lane, access_at(e, e->p->mesh.slot_node, 0, "slot"), active, end, to_next);
}

static void open_near_loop(emitter *e, const loop *l) {
  const plan *p = e->p;
  bool slots = p->mesh.slot_start >= 0, steps = body_steps_slots(e);
  open_edges(e, steps, l->uses_neighbour);
  e->b->last->over = KIR_OVER_NEIGHBOURS;
  if (slots && !steps) kir_line(e->b, "const int slot = %e;", access_at(e, p->mesh.edge_slot, 0, "e"));
  if (slots && !steps && !l->uses_neighbour)
    kir_line(e->b, "(void)slot; // where nothing of the edge lies in slices");
  if (l->uses_neighbour && steps) write_next_neighbour(e);
  else if (l->uses_neighbour) {
    kir_line(e->b, "const int j = %e;",
             slots ? access_at(e, p->mesh.slot_node, 0, "slot") : access_at(e, p->mesh.edge_node, 0, "e"));
    e->b->last->variable->is_neighbour = true;
  }
}

/* What is to be read first stands in declarations of its own, which pass_reads.c moves; but in an arm of a branch. */
static void keep_reads(emitter *e, const loop *l) {
  const region *pass = &l->body.region.at[0];
  const bool across = (l->uses_across || l->uses_sides) && e->p->how.unroll > 0;
  if (!e->p->how.reads_first || !(l->binder == IR_OVER_NEAR || across)) return;
  for (int i = 0; i < pass->item.n; i++)
    if (pass->item.at[i] >= 0 && ir_get(e->m, (ir_id)pass->item.at[i])->op == IR_READ)
      e->values.node[pass->item.at[i]].keep = true;
}

static ir_reduce reduction_kind(const emitter *e, ir_id id) {
  return (ir_reduce)ir_get(e->m, id)->reduce.kind;
}

static void accumulate(emitter *e, ir_id id) {
  kir_expr *value = value_of(e, ir_args(e->m, ir_get(e->m, id))[0]);
  kernel_write_combine(e, reduction_kind(e, id), e->values.node[id].value, value);
}

/* ---- lanes that share a loop ---- */

void body_write_scratch(emitter *e) {
  int most = 0;
  for (int i = 0; i < e->values.loop.n; i++)
    if (e->values.loop.at[i].reduction.n > most) most = e->values.loop.at[i].reduction.n;
  if (most > 1) kir_line(e->b, "__local double scratch[%d*%s];", most, e->own.group_size);
  else kir_line(e->b, "__local double scratch[%s];", e->own.group_size);
}

static kir_expr *scratch_at(emitter *e, int number, const char *index) {
  if (number == 0) return kir_quote(e->b, "scratch[%s]", index);
  if (number == 1) return kir_quote(e->b, "scratch[%s + %s]", e->own.group_size, index);
  return kir_quote(e->b, "scratch[%d*%s + %s]", number, e->own.group_size, index);
}

static void put_scratch(emitter *e, const loop *l) {
  for (int i = 0; i < l->reduction.n; i++)
    kir_assign(e->b, scratch_at(e, i, "place"), KIR_NONE, e->values.node[l->reduction.at[i]].value);
}

/* The first lane's values for all of them. */
static void share_values(emitter *e, const loop *l) {
  kir_line(e->b, "if (lane == 0) {");
  put_scratch(e, l);
  kir_line(e->b, "}\nbarrier(CLK_LOCAL_MEM_FENCE);");
  for (int i = 0; i < l->reduction.n; i++)
    kir_assign(e->b, e->values.node[l->reduction.at[i]].value, KIR_NONE, scratch_at(e, i, "place - lane"));
}

/* Do all lanes read what the first one then writes? */
static bool writes_what_lanes_read(const emitter *e) {
  int component;
  for (int i = 0; i < e->values.live.n; i++) {
    const ir_node *n = ir_get(e->m, e->values.live.at[i]);
    const node_state *s = &e->values.node[e->values.live.at[i]];
    if (n->op != IR_READ || (!s->in_loop && s->stage == INT32_MAX - 1)) continue;
    for (int k = 0; k < e->k->output.n; k++)
      if (e->k->output.at[k].buffer == arguments_read_buffer(e, n, &component)) return true;
  }
  return false;
}

/* What the lanes of an entity have found, together in the first one: half of them hand theirs to the other half, again and again; in a
 * fixed order. All of a level at once, for the barriers' sake. A place is written by its own lane, once the lanes that read it have
 * done so: at most half as many write next. */
static void join_lanes(emitter *e, const loop *l, bool first, bool last) {
  if (!first) kir_line(e->b, "barrier(CLK_LOCAL_MEM_FENCE); // all have read what scratch held");
  kir_line(e->b, "for (int width = LANES/2; width > 0; width /= 2) {");
  kir_line(e->b, "if (lane >= width && lane < 2*width) {");
  put_scratch(e, l);
  kir_line(e->b, "}");
  kir_line(e->b, "barrier(CLK_LOCAL_MEM_FENCE%s);",
           writes_what_lanes_read(e) ? " | CLK_GLOBAL_MEM_FENCE" : "");
  kir_line(e->b, "if (lane < width) {");
  for (int i = 0; i < l->reduction.n; i++)
    kernel_write_combine(e, reduction_kind(e, l->reduction.at[i]), e->values.node[l->reduction.at[i]].value,
                         scratch_at(e, i, "place + width"));
  kir_line(e->b, "}");
  kir_line(e->b, "}");
  if (!last) share_values(e, l);
}

/* ---- all ---- */

static void write_loop(emitter *e, loop *l, bool first, bool last) {
  place_loop(e, l);
  kir_blank(e->b);
  declare_reductions(e, l);
  if (l->binder == IR_OVER_NEAR) open_near_loop(e, l);
  else open_faces_loop(e, l);
  keep_reads(e, l);
  write_region(e, &l->body, 0, -1, INT32_MAX);
  for (int i = 0; i < l->reduction.n; i++) accumulate(e, l->reduction.at[i]);
  kir_line(e->b, "}\n");
  if (e->k->lanes > 1) join_lanes(e, l, first, last);
}

void body_write(emitter *e) {
  int levels = 0, written = 0;
  for (int i = 0; i < e->values.loop.n; i++)
    if (e->values.loop.at[i].level > levels) levels = e->values.loop.at[i].level;
  for (int stage = 0; stage <= levels; stage++) {
    if (stage == levels && e->k->lanes > 1) { /* the caller closes it */
      kir_line(e->b, "if (lane == 0 && active) {");
    }
    write_region(e, &e->values.body, 0, stage - 1, stage < levels ? stage : INT32_MAX);
    for (int i = 0; i < e->values.loop.n; i++)
      if (e->values.loop.at[i].level == stage + 1)
        write_loop(e, &e->values.loop.at[i], written++ == 0, stage + 1 == levels);
  }
}
