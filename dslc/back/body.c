/* The statements of a kernel's body: regions, branches, loops. */
#include "back/emit.h"

#include <string.h>

/* ---- where a statement comes from ---- */

static const char *base_name(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

static const char *origin_note(emitter *e, ir_id id) {
  const ir_origin *o = &e->m->origin.at[id];
  if (ir_get(e->m, id)->op == IR_READ) return NULL; /* it names itself */
  if (!e->p->sources || o->at.end <= o->at.start || o->at.file >= (uint32_t)source_count(e->p->sources))
    return NULL;
  int line, column;
  source_position(e->p->sources, o->at.file, o->at.start, &line, &column);
  const char *file = base_name(source_get(e->p->sources, o->at.file)->path);
  return arena_printf(e->memory, "%s:%d%s%s", file, line, o->tag ? " " : "", o->tag ? o->tag : "");
}

void body_note(emitter *e, ir_id id, const char *statement) {
  const char *note = origin_note(e, id);
  bool repeated = note && e->last_note && strcmp(note, e->last_note) == 0;
  if (note) e->last_note = note;
  write_line_with_comment(e->w, repeated ? NULL : note, "%s", statement);
}

/* ---- regions ---- */

static bool wants_name(const emitter *e, ir_id id) {
  const ir_node *n = ir_get(e->m, id);
  return e->m->origin.at[id].hint && n->op != IR_READ && n->op != IR_PARAM && !e->node[id].is_output;
}

static void write_node(emitter *e, ir_id id) {
  node_state *s = &e->node[id];
  if (s->text) return; /* a reduction: its loop wrote it */
  value_write(e, id);
  if (s->keep || s->uses > 1 || wants_name(e, id)) value_temporary(e, id);
}

static void write_region(emitter *e, scope *s, int number, int from, int to);

static void declare_members(emitter *e, const branch_group *b) {
  for (int i = 0; i < b->member.n; i++) {
    ir_id id = b->member.at[i];
    const char *variable = value_name(e, id, "choice");
    write_line(e->w, "%s %s;", value_type(e, id), variable);
    e->node[id].text = variable;
    e->node[id].precedence = PREC_PRIMARY;
  }
}

static void write_arm(emitter *e, scope *s, const branch_group *b, int arm) {
  writer_indent(e->w);
  write_region(e, s, arm == 1 ? b->then_region : b->else_region, -1, INT32_MAX);
  for (int i = 0; i < b->member.n; i++) {
    ir_id id = b->member.at[i];
    write_line(e->w, "%s = %s;", e->node[id].text, value_text(e, ir_args(e->m, ir_get(e->m, id))[arm]));
  }
  writer_dedent(e->w);
}

static void write_group(emitter *e, scope *s, int number) {
  branch_group b = s->group.at[number];
  if (b.flat) {
    for (int i = 0; i < b.member.n; i++) write_node(e, b.member.at[i]);
    return;
  }
  declare_members(e, &b);
  const char *statement = arena_printf(e->memory, "if (%s) {", value_text(e, b.condition));
  body_note(e, b.member.at[0], statement);
  write_arm(e, s, &b, 1);
  write_line(e->w, "} else {");
  write_arm(e, s, &b, 2);
  write_line(e->w, "}");
}

/* The region's statements of the stages in (from, to]. The recursion is as deep as arms are nested: place.c
 * bounds it. */
static void write_region(emitter *e, scope *s, int number, int from, int to) {
  const region r = s->region.at[number];
  for (int i = 0; i < r.item.n; i++) {
    int item = r.item.at[i];
    int stage = item < 0 ? s->group.at[-1 - item].stage : e->node[item].stage;
    if (stage <= from || stage > to) continue;
    if (item < 0) write_group(e, s, -1 - item);
    else write_node(e, (ir_id)item);
  }
}

/* ---- loops ---- */

static const char *neutral(ir_reduce kind) {
  return kind == IR_SUM ? "0.0" : kind == IR_REDUCE_MIN ? "INFINITY" : "-INFINITY";
}

static void declare_reductions(emitter *e, const loop *l) {
  static const char *const stem[] = {"sum", "smallest", "largest"};
  for (int i = 0; i < l->reduction.n; i++) {
    ir_id id = l->reduction.at[i];
    int kind = ir_get(e->m, id)->reduce.kind;
    const char *variable = value_name(e, id, stem[kind]);
    write_line(e->w, "double %s = %s;", variable, neutral((ir_reduce)kind));
    e->node[id].text = variable;
    e->node[id].precedence = PREC_PRIMARY;
  }
}

static void write_unroll(emitter *e) {
  if (e->p->how.unroll <= 0 || e->p->program->space.faces_per_cell == 0) return;
  if (e->d->opencl) write_line(e->w, "#pragma unroll %d", e->p->how.unroll);
  else write_line(e->w, "#pragma GCC unroll %d", e->p->how.unroll);
}

static void open_faces_loop(emitter *e, const loop *l) {
  const plan *p = e->p;
  bool table = p->program->space.faces_per_cell > 0;
  write_unroll(e);
  if (table) write_line(e->w, "for (int k = 0; k < FACES_PER_CELL; ++k) {");
  else
    write_line(e->w, "for (int k = %s; k < %s; ++k) {", access_element(e, p->mesh.cell_start, 0, "i"),
               access_element(e, p->mesh.cell_start, 0, "i + 1"));
  writer_indent(e->w);
  const char *at = table ? "k, i" : "k";
  bool left = l->uses_left || l->uses_outward || l->uses_sides;
  if (l->uses_face || left) {
    const char *face = access_element(e, p->mesh.cell_face, 0, at);
    write_line(e->w, "const int side = %s; // ~f where the cell lies right of its face f", face);
  }
  if (left) write_line(e->w, "const bool left = side >= 0;");
  if (l->uses_face) write_line(e->w, "const int f = side >= 0 ? side : ~side;");
  if (l->uses_outward) write_line(e->w, "const double outward = left ? 1.0 : -1.0;");
  if (l->uses_across || l->uses_sides)
    write_line(e->w, "const int d = %s;", access_element(e, p->mesh.cell_across, 0, at));
  if (l->uses_sides) write_line(e->w, "const int L = left ? i : d, R = left ? d : i;");
}

/* Slots are laid out for as many work-items a node as most kernels have; others look up where an edge is. */
bool body_steps_slots(const emitter *e) {
  return e->p->mesh.slot_start >= 0 && (e->k->lanes > 1 ? e->k->lanes : 1) == e->p->mesh.slot_lanes;
}

/* A slot ahead, so that what is read at the neighbour does not wait for its number. Behind the last slot is room for one more slice. */
static void write_next_neighbour(emitter *e) {
  write_line(e->w, "const int j = next;");
  write_line(e->w, "next = %s;", access_element(e, e->p->mesh.slot_node, 0, "slot + SLICE"));
}

static void open_near_loop(emitter *e, const loop *l) {
  const plan *p = e->p;
  bool slots = p->mesh.slot_start >= 0, steps = body_steps_slots(e);
  const char *begin = access_element(e, p->mesh.node_start, 0, "i"),
             *end = access_element(e, p->mesh.node_start, 0, "i + 1"),
             *lane = e->k->lanes > 1 ? " + lane" : "";
  write_text(e->w, "for (int e = %s%s", begin, lane);
  if (steps) write_text(e->w, ", slot = %s%s", access_element(e, p->mesh.slot_start, 0, "i"), lane);
  if (steps && l->uses_neighbour)
    write_text(e->w, ", next = %s", access_element(e, p->mesh.slot_node, 0, "slot"));
  write_line(e->w, ";%s%se < %s; %s%s) {", steps ? "\n     " : " ", *lane ? "active && " : "", end,
             *lane ? "e += LANES" : "++e", steps ? ", slot += SLICE" : "");
  writer_indent(e->w);
  if (slots && !steps) write_line(e->w, "const int slot = %s;", access_element(e, p->mesh.edge_slot, 0, "e"));
  if (slots && !steps && !l->uses_neighbour)
    write_line(e->w, "(void)slot; // where nothing of the edge lies in slices");
  if (l->uses_neighbour && steps) write_next_neighbour(e);
  else if (l->uses_neighbour)
    write_line(e->w, "const int j = %s;",
               slots ? access_element(e, p->mesh.slot_node, 0, "slot")
                     : access_element(e, p->mesh.edge_node, 0, "e"));
}

/* The reads of a pass at such points, but those in an arm of a branch: a pass may not need them. */
static int write_reads_at(emitter *e, const region *pass, ir_at at) {
  int n = 0;
  for (int i = 0; i < pass->item.n; i++) {
    int item = pass->item.at[i];
    const ir_node *read = item < 0 ? NULL : ir_get(e->m, (ir_id)item);
    if (!read || read->op != IR_READ || read->read.at != at) continue;
    e->node[item].keep = true;
    write_node(e, (ir_id)item);
    n++;
  }
  return n;
}

/* A pass over a neighbour reads little and computes little, so what it takes is the time of its reads: how many of them are under way at
 * once decides. Compilers that keep registers low put reads next to their uses, in batches that wait for each other; they move none across
 * a fence. Nothing is shared: the cheapest fence will do, and it need not be met by all work-items. What lies at edges comes first, for it
 * does not wait for the neighbour's number. */
static void write_reads(emitter *e, const loop *l) {
  if (!e->p->how.reads_first || l->binder != IR_OVER_NEAR) return;
  int n = write_reads_at(e, &l->body.region.at[0], IR_AT_E);
  n += write_reads_at(e, &l->body.region.at[0], IR_AT_J);
  if (n > 1) write_line(e->w, "mem_fence(CLK_LOCAL_MEM_FENCE); // no read moves behind it");
}

static ir_reduce reduction_kind(const emitter *e, ir_id id) {
  return (ir_reduce)ir_get(e->m, id)->reduce.kind;
}

static void accumulate(emitter *e, ir_id id) {
  const char *value = value_text(e, ir_args(e->m, ir_get(e->m, id))[0]);
  kernel_write_combine(e, reduction_kind(e, id), e->node[id].text, value);
}

/* ---- lanes that share a loop ---- */

void body_write_scratch(emitter *e) {
  int most = 0;
  for (int i = 0; i < e->loop.n; i++)
    if (e->loop.at[i].reduction.n > most) most = e->loop.at[i].reduction.n;
  if (most > 1) write_line(e->w, "__local double scratch[%d*%s];", most, e->group_size);
  else write_line(e->w, "__local double scratch[%s];", e->group_size);
}

static const char *scratch_at(emitter *e, int number, const char *index) {
  if (number == 0) return arena_printf(e->memory, "scratch[%s]", index);
  if (number == 1) return arena_printf(e->memory, "scratch[%s + %s]", e->group_size, index);
  return arena_printf(e->memory, "scratch[%d*%s + %s]", number, e->group_size, index);
}

static void put_scratch(emitter *e, const loop *l) {
  for (int i = 0; i < l->reduction.n; i++)
    write_line(e->w, "%s = %s;", scratch_at(e, i, "place"), e->node[l->reduction.at[i]].text);
}

/* The first lane's values for all of them. */
static void share_values(emitter *e, const loop *l) {
  write_line(e->w, "if (lane == 0) {");
  writer_indent(e->w);
  put_scratch(e, l);
  writer_dedent(e->w);
  write_line(e->w, "}");
  write_line(e->w, "barrier(CLK_LOCAL_MEM_FENCE);");
  for (int i = 0; i < l->reduction.n; i++)
    write_line(e->w, "%s = %s;", e->node[l->reduction.at[i]].text, scratch_at(e, i, "place - lane"));
}

/* Do all lanes read what the first one then writes? */
static bool writes_what_lanes_read(const emitter *e) {
  int component;
  for (int i = 0; i < e->live.n; i++) {
    const ir_node *n = ir_get(e->m, e->live.at[i]);
    const node_state *s = &e->node[e->live.at[i]];
    if (n->op != IR_READ || (!s->in_loop && s->stage == INT32_MAX - 1)) continue;
    for (int k = 0; k < e->k->output.n; k++)
      if (e->k->output.at[k].buffer == slots_read_buffer(e, n, &component)) return true;
  }
  return false;
}

/* What the lanes of an entity have found, together in the first one: half of them hand theirs to the other half, again and again; in a
 * fixed order. All of a level at once, for the barriers' sake. A place is written by its own lane, once the lanes that read it have
 * done so: at most half as many write next. */
static void join_lanes(emitter *e, const loop *l, bool first, bool last) {
  if (!first) write_line(e->w, "barrier(CLK_LOCAL_MEM_FENCE); // all have read what scratch held");
  write_line(e->w, "for (int width = LANES/2; width > 0; width /= 2) {");
  writer_indent(e->w);
  write_line(e->w, "if (lane >= width && lane < 2*width) {");
  writer_indent(e->w);
  put_scratch(e, l);
  writer_dedent(e->w);
  write_line(e->w, "}");
  write_line(e->w, "barrier(CLK_LOCAL_MEM_FENCE%s);",
             writes_what_lanes_read(e) ? " | CLK_GLOBAL_MEM_FENCE" : "");
  write_line(e->w, "if (lane < width) {");
  writer_indent(e->w);
  for (int i = 0; i < l->reduction.n; i++)
    kernel_write_combine(e, reduction_kind(e, l->reduction.at[i]), e->node[l->reduction.at[i]].text,
                         scratch_at(e, i, "place + width"));
  writer_dedent(e->w);
  write_line(e->w, "}");
  writer_dedent(e->w);
  write_line(e->w, "}");
  if (!last) share_values(e, l);
}

/* ---- all ---- */

static void write_loop(emitter *e, loop *l, bool first, bool last) {
  place_loop(e, l);
  write_line(e->w, "%s", "");
  declare_reductions(e, l);
  if (l->binder == IR_OVER_NEAR) open_near_loop(e, l);
  else open_faces_loop(e, l);
  write_reads(e, l);
  write_region(e, &l->body, 0, -1, INT32_MAX);
  for (int i = 0; i < l->reduction.n; i++) accumulate(e, l->reduction.at[i]);
  writer_dedent(e->w);
  write_line(e->w, "}\n");
  if (e->k->lanes > 1) join_lanes(e, l, first, last);
}

void body_write(emitter *e) {
  int levels = 0, written = 0;
  for (int i = 0; i < e->loop.n; i++)
    if (e->loop.at[i].level > levels) levels = e->loop.at[i].level;
  for (int stage = 0; stage <= levels; stage++) {
    if (stage == levels && e->k->lanes > 1) { /* the caller closes it */
      write_line(e->w, "if (lane == 0 && active) {");
      writer_indent(e->w);
    }
    write_region(e, &e->body, 0, stage - 1, stage < levels ? stage : INT32_MAX);
    for (int i = 0; i < e->loop.n; i++)
      if (e->loop.at[i].level == stage + 1)
        write_loop(e, &e->loop.at[i], written++ == 0, stage + 1 == levels);
  }
}
