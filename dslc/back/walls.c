/* Functions near walls. For a quantity X the file may hold
 *
 *   X_at(walls, point)                       its value at a point: as an equation, or what a rule fixes it to
 *   X_near_x(walls, first, dir, steps)       as seen along x from the point before `first`: steps further on, or its
 *                                            ghost if a wall lies between
 *   X_across(walls, target, steps...)        seen diagonally: the mean of both ways round
 *   X_fixed(walls, point, otherwise)         what rules fix a state to
 *
 * They are kept out of line: called near walls only, and in many places. What they read of a kernel's arguments stands in a
 * struct, under the arguments' names, so that the file's macros work in them. */
#include "back/emit.h"

#include <string.h>

typedef struct call {
  int function;
  plan_part part;
} call;

typedef struct wall_part {
  VEC(call) call;
  VEC(int) buffer;
  bool used, written, planned;
  bool *parameter;
} wall_part;

typedef struct wall_function {
  const char *name;
  wall_part part[PLAN_PARTS];
  unsigned axes; /* of NEAR: along which it is called */
  bool across;
} wall_function;

static const char axis_letter[] = "xyz";
static const char *const pitch_text[] = {"1", "pitch_y", "pitch_z"};

static const plan_function *function_at(const emitter *e, int number) { return &e->p->function.at[number]; }

static ir_place place_of(const emitter *e, const plan_function *f) {
  return ir_symbol_get(e->m, f->sym)->place;
}

static bool is_called_at(const plan_function *f) { return f->value != 0; }

/* Is there one struct for a work-group? Of one for each work-item, in private memory, GPUs spend more time on writing and reading
 * it than on all else. */
static bool is_shared(const emitter *e) { return e->d->opencl && !e->p->loop; }

/* ---- which part a call means ------------------------------------------------------------------------------------- */

/* What fills a table computes the value; everybody else looks it up. */
static plan_part part_of(const emitter *e, ir_id id, int called, const plan_function *within) {
  return e->k->fills && !within ? PLAN_PART_AT : plan_part_called(e->p, id, called);
}

static bool has_table(const emitter *e, const plan_function *f) {
  return f->table && !(e->k->fills && !e->function);
}

/* Half points from a place to the shifted one, along an axis. */
static int displacement(const emitter *e, const ir_node *n, int axis) {
  ir_place to = ir_symbol_get(e->m, n->read.sym)->place;
  bool from_centre = !grid_staggered((ir_place)n->read.from, axis), to_centre = !grid_staggered(to, axis);
  return 2 * n->read.off[axis] + (int)to_centre - (int)from_centre;
}

static unsigned axes_of(const emitter *e, const ir_node *n) {
  unsigned axes = 0;
  for (int a = 0; a < e->m->dims; a++)
    if (displacement(e, n, a)) axes |= 1u << a;
  return axes;
}

/* ---- planning ------------------------------------------------------------------------------------------------------ */

static void note_buffer(emitter *e, wall_part *p, int buffer) {
  for (int i = 0; i < p->buffer.n; i++)
    if (p->buffer.at[i] == buffer) return;
  vec_push(e->memory, &p->buffer, buffer);
}

static void plan_use(emitter *e, int number, plan_part part);

static void note_near(emitter *e, wall_function *w, const ir_node *n) {
  if (n->read.from == IR_NOWHERE) return; /* along the caller's axis: see plan_part */
  unsigned axes = axes_of(e, n);
  w->axes |= axes;
  if (axes & (axes - 1)) w->across = true;
}

/* What one value calls and reads. */
static void plan_value(emitter *e, wall_part *p, ir_id value, const plan_function *within) {
  ir_reached all = ir_reach(e->m, &value, 1);
  for (int i = 0; i < all.n; i++) {
    const ir_node *n = ir_get(e->m, all.at[i]);
    int called = plan_called(e->p, all.at[i], within);
    if (called >= 0) {
      plan_part part = part_of(e, all.at[i], called, within);
      vec_push(e->memory, &p->call, ((call){called, part}));
      if (part == PLAN_PART_NEAR) note_near(e, &e->walls[called], n);
      plan_use(e, called, part);
      continue;
    }
    if (n->op != IR_READ && n->op != IR_PARAM) continue;
    int component, buffer = slots_read_buffer(e, n, &component);
    const ir_symbol *s = ir_symbol_get(e->m, n->read.sym);
    if (buffer >= 0) note_buffer(e, p, buffer);
    else if (s->kind == IR_PARAMETER)
      p->parameter[e->p->location[n->read.sym].parameter * 9 + n->read.first] = true;
    else if (e->p->location[n->read.sym].launch == PLAN_LAUNCH_STAGE) e->walls_stage = true;
  }
}

static bool has_case(const plan_wall_case *c, int n, int axis) {
  for (int i = 0; i < n; i++)
    if (!c[i].axis || c[i].axis == axis_letter[axis]) return true;
  return false;
}

/* On which walls does some rule fix the quantity? */
static unsigned fixed_axes(const emitter *e, const plan_function *f) {
  unsigned axes = 0;
  for (int a = 0; a < e->m->dims; a++)
    if (grid_staggered(place_of(e, f), a) && has_case(f->fix.at, f->fix.n, a)) axes |= 1u << a;
  return axes;
}

static void plan_walls(emitter *e, wall_part *p, unsigned axes) {
  if (axes) note_buffer(e, p, e->p->near);
  for (int a = 0; a < e->m->dims; a++)
    if (axes >> a & 1) note_buffer(e, p, e->p->wall[a]);
}

/* The ghost of a derived quantity follows the path of its caller: whatever it calls is called along the same axes. */
static void plan_ghosts(emitter *e, int number, wall_part *p) {
  const plan_function *f = function_at(e, number);
  for (int i = 0; i < f->ghost.n; i++) {
    plan_value(e, p, f->ghost.at[i].value, f);
    ir_reached all = ir_reach(e->m, &f->ghost.at[i].value, 1);
    for (int k = 0; k < all.n; k++) {
      int called = plan_called(e->p, all.at[k], f);
      if (called >= 0 && ir_get(e->m, all.at[k])->read.at == IR_AT_NEAR)
        e->walls[called].axes |= e->walls[number].axes;
    }
  }
}

/* What it is called with for its own point: computed or looked up. */
static void plan_own(emitter *e, int number, wall_part *caller) {
  plan_part part = function_at(e, number)->table ? PLAN_PART_TABLE : PLAN_PART_AT;
  vec_push(e->memory, &caller->call, ((call){number, part}));
  plan_use(e, number, part);
}

static void plan_use(emitter *e, int number, plan_part part) {
  wall_part *p = &e->walls[number].part[part];
  const plan_function *f = function_at(e, number);
  p->used = true;
  if (p->planned) return;
  p->planned = true;
  p->parameter = arena_array(e->memory, bool, 9 * e->p->program->n_parameters + 9);
  if (part == PLAN_PART_TABLE) {
    note_buffer(e, p, e->p->tables);
    note_buffer(e, p, e->p->wall_number);
    return;
  }
  plan_walls(e, p, part == PLAN_PART_NEAR ? (1u << e->m->dims) - 1 : fixed_axes(e, f));
  if (part == PLAN_PART_AT && f->value) plan_value(e, p, f->value, f);
  int buffer = e->p->location[f->sym].buffer[f->level];
  if (part == PLAN_PART_AT && (f->stored || !is_called_at(f)) && buffer >= 0) note_buffer(e, p, buffer);
  if (part == PLAN_PART_AT && f->stored) note_buffer(e, p, e->p->near); /* is there a point to be read? */
  if (part != PLAN_PART_NEAR)
    for (int i = 0; i < f->fix.n; i++) plan_value(e, p, f->fix.at[i].value, f);
  if (part != PLAN_PART_NEAR) return;
  plan_ghosts(e, number, p);
  if (is_called_at(f)) plan_own(e, number, p);
  else if (buffer >= 0) note_buffer(e, p, buffer);
}

const char *walls_text(emitter *e, int number) {
  const plan_function *f = function_at(e, number);
  static const char *const level[] = {"", "_prev", "_old", "_new"};
  const ir_symbol *s = ir_symbol_get(e->m, f->sym);
  const char *component = s->type.n > 1 ? arena_printf(e->memory, "_%d", f->component + 1) : "";
  const char *kind = f->kind == PLAN_FUNCTION_VALUE ? "_assigned" : "";
  bool has_level = f->kind == PLAN_FUNCTION_AT || f->kind == PLAN_FUNCTION_OUTPUT;
  return arena_printf(e->memory, "%s%s%s%s", s->text, component, has_level ? level[f->level] : "", kind);
}

/* Twice: the axes along which a function is called may be found after what it calls was planned. */
void walls_plan(emitter *e) {
  int n = e->p->function.n;
  if (n == 0) return;
  e->walls = arena_array(e->memory, wall_function, n + 1);
  e->walls_buffer = arena_array(e->memory, bool, e->p->program->n_buffers + 1);
  e->walls_parameter = arena_array(e->memory, bool, 9 * e->p->program->n_parameters + 9);
  for (int i = 0; i < n; i++)
    e->walls[i].name = name_fresh(e->macros, arena_printf(e->memory, "%s_of", walls_text(e, i)), "_f");
  wall_part top = {.parameter = arena_array(e->memory, bool, 9 * e->p->program->n_parameters + 9)};
  for (int pass = 0; pass < 2; pass++)
    for (int k = 0; k < e->p->kernel.n; k++) {
      e->k = &e->p->kernel.at[k];
      for (int i = 0; i < e->k->output.n; i++) {
        for (int f = 0; pass == 1 && f < n; f++)
          if (e->walls[f].part[PLAN_PART_NEAR].planned) plan_ghosts(e, f, &e->walls[f].part[PLAN_PART_NEAR]);
        if (e->k->output.at[i].near) plan_value(e, &top, e->k->output.at[i].near, NULL);
      }
    }
}

/* ---- calls ------------------------------------------------------------------------------------------------------------ */

static const char *walls_variable(const emitter *e) {
  return e->function || is_shared(e) ? "walls" : "&walls";
}

/* Along one axis: the first point beyond the caller, and how many more to the target. */
static const char *near_call(emitter *e, const wall_function *w, const ir_node *n, int axis) {
  int d = displacement(e, n, axis), dir = d < 0 ? -1 : 1, steps = (d * dir - 1) / 2;
  int8_t off[3] = {n->read.off[0], n->read.off[1], n->read.off[2]};
  off[axis] = (int8_t)(off[axis] - dir * steps);
  return arena_printf(e->memory, "%s_near_%c(%s, %s, %d, %d)", w->name, axis_letter[axis], walls_variable(e),
                      grid_shifted(e, "point", off), dir, steps);
}

/* Diagonally: the target, and how many points of its place lie from this side to it along each axis, itself counted. */
static const char *across_call(emitter *e, const wall_function *w, const ir_node *n) {
  const char *text = arena_printf(e->memory, "%s_across(%s, %s", w->name, walls_variable(e),
                                  grid_shifted(e, "point", n->read.off));
  for (int a = 0; a < e->m->dims; a++) {
    int halves = displacement(e, n, a);
    text = arena_printf(e->memory, "%s, %d", text, halves < 0 ? (halves - 1) / 2 : (halves + 1) / 2);
  }
  return arena_printf(e->memory, "%s)", text);
}

static const char *element_or_call(emitter *e, int number, const char *point) {
  const plan_function *f = function_at(e, number);
  if (has_table(e, f)) return tables_element(e, number, point);
  if (is_called_at(f))
    return arena_printf(e->memory, "%s_at(%s, %s)", e->walls[number].name, walls_variable(e), point);
  const plan_location *l = &e->p->location[f->sym];
  return access_element(e, l->buffer[f->level], l->first + f->component, point);
}

const char *walls_call(emitter *e, ir_id id) {
  int number = plan_called(e->p, id, e->function);
  if (number < 0) return NULL;
  const ir_node *n = ir_get(e->m, id);
  const wall_function *w = &e->walls[number];
  if (function_at(e, number)->kind == PLAN_FUNCTION_OUTPUT) return element_or_call(e, number, "point");
  if (n->op == IR_FIXED)
    return arena_printf(e->memory, "%s_fixed(%s, point, %s)", w->name, walls_variable(e),
                        value_text(e, ir_args(e->m, n)[0]));
  if (n->read.at != IR_AT_NEAR) return element_or_call(e, number, grid_index(e, n));
  if (function_at(e, number)->ghost.n == 0 || (e->k->fills && !e->function))
    return element_or_call(e, number, grid_shifted(e, "point", n->read.off));
  if (n->read.from == IR_NOWHERE)
    return arena_printf(e->memory, "%s_near_%c(walls, first, dir, steps)", w->name, axis_letter[e->axis]);
  unsigned axes = axes_of(e, n);
  for (int a = 0; a < e->m->dims; a++)
    if (axes == 1u << a) return near_call(e, w, n, a);
  if (axes == 0) return element_or_call(e, number, "point");
  return across_call(e, w, n);
}

/* ---- what a kernel needs for its calls --------------------------------------------------------------------------------- */

static void close_part(emitter *e, call c, unsigned char *seen) {
  unsigned char *mark = &seen[c.function * PLAN_PARTS + c.part];
  if (*mark) return;
  *mark = 1;
  const wall_part *p = &e->walls[c.function].part[c.part];
  for (int i = 0; i < p->buffer.n; i++) {
    const dslc_buffer *b = &e->p->program->buffer[p->buffer.at[i]];
    if (window_keeps(e, p->buffer.at[i])) continue;
    if (e->calls_walls) e->walls_buffer[p->buffer.at[i]] = true;
    int known = e->slot.n;
    slot *s = access_slot(e, p->buffer.at[i]);
    if (e->slot.n > known) s->walls_only = true;
    for (int k = 0; k < b->width; k++) s->read[k] = true;
    s->read_by_value = true;
    if (slots_strided(b)) e->uses_stride[b->place] = true;
    if (slots_strided(b) && e->calls_walls) e->in_walls_struct[b->place] = true;
  }
  for (int i = 0; i < 9 * e->p->program->n_parameters; i++)
    if (p->parameter[i]) e->uses_parameter[i] = e->walls_parameter[i] = true;
  for (int i = 0; i < p->call.n; i++) close_part(e, p->call.at[i], seen);
}

/* Is the node one that calls a function? A look-up in a table is none. */
static bool is_call(const emitter *e, ir_id id, call *c) {
  c->function = plan_called(e->p, id, NULL);
  c->part = c->function < 0 ? PLAN_PART_TABLE : part_of(e, id, c->function, NULL);
  return c->part != PLAN_PART_TABLE;
}

void walls_note_kernel(emitter *e) {
  unsigned char *seen = arena_array(e->memory, unsigned char, PLAN_PARTS * e->p->function.n + 1);
  call c;
  e->calls_walls = false;
  for (int i = 0; i < e->live.n; i++) {
    if (!is_call(e, e->live.at[i], &c)) continue;
    e->calls_walls = true;
    close_part(e, c, seen);
  }
  if (!e->k->fills) tables_note_reads(e);
  if (e->calls_walls && e->walls_stage) e->uses_stage = true;
}

/* ---- the struct -------------------------------------------------------------------------------------------------------- */

typedef window_member member_visitor;

static void write_member(emitter *e, const char *type, const char *text) {
  write_line(e->w, "%s%s;", type, text);
}

static void each_member(emitter *e, member_visitor *visit) {
  const dslc_program *g = e->p->program;
  if (e->m->dims > 1) visit(e, "int ", "pitch_y");
  if (e->m->dims > 2) visit(e, "int ", "pitch_z");
  for (int p = 0; p < DSLC_PLACE_COUNT; p++)
    if (e->in_walls_struct[p])
      visit(e, "int ", arena_printf(e->memory, "stride_%s", ir_place_text((ir_place)p)));
  for (int i = 0; i < 9 * g->n_parameters; i++)
    if (e->walls_parameter[i]) visit(e, "double ", e->parameter[i]);
  if (e->walls_stage) visit(e, "double ", "stage");
  for (int b = 0; b < g->n_buffers; b++)
    if (e->walls_buffer[b])
      visit(e, arena_printf(e->memory, "%sconst %s *", e->d->global, kernel_element_type(&g->buffer[b])),
            e->buffer_arg[b]);
  if (visit == write_member) window_each_member(e, visit);
}

static void write_struct_type(emitter *e) {
  write_line(e->w, "\n// What functions near walls see of a kernel's arguments.");
  write_line(e->w, "typedef struct walls_seen {");
  writer_indent(e->w);
  each_member(e, write_member);
  writer_dedent(e->w);
  write_line(e->w, "} walls_seen;");
}

static bool is_argument(const emitter *e, const char *text) {
  for (int i = 0; i < e->arg.n; i++)
    if (strcmp(e->arg.at[i].name, text) == 0) return true;
  return false;
}

static void write_initialiser(emitter *e, const char *type, const char *text) {
  (void)type;
  if (is_argument(e, text)) write_line(e->w, "walls%s%s = %s;", is_shared(e) ? "->" : ".", text, text);
}

static void write_members(emitter *e) {
  each_member(e, write_initialiser);
  window_write_members(e, is_shared(e) ? "walls->" : "walls.");
}

void walls_write_struct(emitter *e) {
  bool calls = false;
  call c;
  for (int i = 0; i < e->live.n; i++) calls = calls || is_call(e, e->live.at[i], &c);
  if (!calls || is_shared(e)) return;
  write_line(e->w, "walls_seen walls;");
  write_members(e);
}

/* LLVM 15 in PoCL crashes where it knows which variable in local memory such pointers come from: that index is 0. */
void walls_write_shared(emitter *e) {
  if (!e->calls_walls || !is_shared(e)) return;
  write_line(e->w, "__local walls_seen walls_of_group[1], *const walls = walls_of_group + get_local_id(2);");
  write_line(e->w, "if (get_local_id(0) + get_local_id(1) == 0) {");
  writer_indent(e->w);
  write_members(e);
  writer_dedent(e->w);
  write_line(e->w, "}\nbarrier(CLK_LOCAL_MEM_FENCE);");
}

/* ---- functions ----------------------------------------------------------------------------------------------------------- */

/* The members that the body names, under their names. */
static void write_prologue(emitter *e) {
  const dslc_program *g = e->p->program;
  bool stride[DSLC_PLACE_COUNT] = {0};
  if (e->m->dims > 1) write_line(e->w, "const int pitch_y = walls->pitch_y;");
  if (e->m->dims > 2) write_line(e->w, "const int pitch_z = walls->pitch_z;");
  for (int b = 0; b < g->n_buffers; b++) {
    if (!e->touched[b]) continue;
    write_line(e->w, "%sconst %s *const %s = walls->%s;", e->d->global, kernel_element_type(&g->buffer[b]),
               e->buffer_arg[b], e->buffer_arg[b]);
    if (slots_strided(&g->buffer[b])) stride[g->buffer[b].place] = true;
  }
  for (int k = 0; k < DSLC_PLACE_COUNT; k++) {
    const char *place = ir_place_text((ir_place)k);
    if (stride[k])
      write_line(e->w, "const int stride_%s = walls->stride_%s;\n(void)stride_%s;", place, place, place);
  }
  for (int i = 0; i < 9 * g->n_parameters; i++)
    if (e->touched_parameter[i])
      write_line(e->w, "const double %s = walls->%s;", e->parameter[i], e->parameter[i]);
  if (e->touched_stage) write_line(e->w, "const double stage = walls->stage;");
  window_write_touched(e);
  if (e->m->dims > 1) write_line(e->w, "(void)pitch_y%s;", e->m->dims > 2 ? ", (void)pitch_z" : "");
  write_line(e->w, "(void)walls;");
}

/* A function's body goes to a writer of its own: what it names is known behind it. */
static writer *begin_body(emitter *e) {
  writer *outer = e->w;
  e->locals = name_scope_create(e->memory, e->m->names, e->names);
  memset(e->touched, 0, sizeof *e->touched * (size_t)e->p->program->n_buffers);
  memset(e->touched_parameter, 0, sizeof *e->touched_parameter * (size_t)(9 * e->p->program->n_parameters));
  e->touched_stage = false;
  window_clear_touched(e);
  e->w = writer_create(e->memory);
  writer_set_comment(e->w, "//", "", 72);
  return outer;
}

/* Near walls a rule may repeat what another point computes, as an outlet does with the last value inside. Both must agree to the
 * bit, as limiters tell equal from nearly equal; so no operation is fused in one place and not in the other. */
void walls_write_exactly(emitter *e) {
  if (e->d->opencl) write_line(e->w, "#pragma OPENCL FP_CONTRACT OFF");
}

static void end_body(emitter *e, writer *outer, bool small, int number, const char *suffix,
                     const char *parameters) {
  const char *body = writer_text(e->w);
  e->w = outer;
  const char *how = small          ? "static inline"
                    : e->d->opencl ? "__attribute__((noinline))"
                                   : "static __attribute__((noinline))";
  write_line(e->w, "\n%s double %s_%s(%sconst walls_seen *walls, %s)\n{", how, e->walls[number].name, suffix,
             is_shared(e) ? "__local " : "", parameters);
  writer_indent(e->w);
  walls_write_exactly(e);
  write_prologue(e);
  write_text(e->w, "%s", body);
  writer_dedent(e->w);
  write_line(e->w, "}");
}

/* The statements of a value, and its text. */
static const char *write_value(emitter *e, ir_id value) {
  plan_kernel k = {.place = IR_CELLS};
  vec_push(e->memory, &k.output, ((plan_output){.kind = PLAN_STORE, .value = value}));
  const plan_kernel *outer = e->k;
  e->k = &k;
  place_kernel(e);
  body_write(e);
  const char *text = value_text(e, value);
  e->k = outer;
  return text;
}

static void write_case(emitter *e, const plan_wall_case *c, const char *result) {
  write_line(e->w, "case %d: { // %s", c->rule, e->p->program->rule[c->rule].name);
  writer_indent(e->w);
  name_scope *outer = e->locals;
  e->locals = name_scope_create(e->memory, e->m->names, outer);
  e->on_boundary = !c->fixes;
  const char *value = write_value(e, c->value);
  e->on_boundary = false;
  write_line(e->w, result, value);
  e->locals = outer;
  writer_dedent(e->w);
  write_line(e->w, "}");
}

static void write_cases(emitter *e, const plan_wall_case *c, int n, int axis, const char *result) {
  e->axis = axis;
  write_line(e->w, "switch (wall & 63) {");
  for (int i = 0; i < n; i++)
    if (!c[i].axis || c[i].axis == axis_letter[axis]) write_case(e, &c[i], result);
  write_line(e->w, "default: break;");
  write_line(e->w, "}");
  e->axis = -1;
}

/* Entry of the wall face at which the walls array is to be asked: the point itself, or shifted down along the other axes along
 * which the place is staggered. Up to four candidates. */
static int wall_candidates(const emitter *e, ir_place place, int axis, int8_t (*off)[3]) {
  int n = 0;
  for (int corner = 0; corner < 1 << e->m->dims; corner++) {
    bool fits = true;
    memset(off[n], 0, sizeof off[n]);
    for (int b = 0; b < e->m->dims; b++) {
      if (!(corner >> b & 1)) continue;
      fits = fits && b != axis && grid_staggered(place, b);
      off[n][b] = -1;
    }
    n += fits;
  }
  return n;
}

/* A wall on which the point lies: what the rule says. Several walls that meet there: their mean. */
static void write_fixes(emitter *e, const plan_function *f) {
  ir_place place = place_of(e, f);
  unsigned axes = fixed_axes(e, f);
  if (axes == 0) return;
  write_line(e->w, "double fixed_sum = 0.0, fixed_by = 0.0;");
  for (int a = 0; a < e->m->dims; a++) {
    if (!(axes >> a & 1)) continue;
    int8_t off[8][3];
    int n = wall_candidates(e, place, a, off);
    for (int i = 0; i < n; i++) {
      const char *face = grid_shifted(e, "point", off[i]);
      write_line(e->w, "if (%s >= 0) { // on a wall across %c", access_element(e, e->p->wall[a], 0, face),
                 axis_letter[a]);
      writer_indent(e->w);
      write_line(e->w, "const int wall = %s;", access_element(e, e->p->wall[a], 0, face));
      write_line(e->w, "const bool up = %s != 0;", access_element(e, e->p->near, 0, face));
      write_line(e->w, "const int inner = up ? %s : %s - %s;", face, face, pitch_text[a]);
      write_line(e->w, "const int inner_beside = up ? point : point - %s;", pitch_text[a]);
      write_line(e->w, "const int inner_face = up ? %s + %s : %s - %s;", face, pitch_text[a], face,
                 pitch_text[a]);
      write_line(e->w, "const int mirror = inner, mirror_face = inner_face;");
      write_line(e->w, "(void)mirror, (void)mirror_face, (void)inner_face, (void)inner, (void)inner_beside;");
      write_cases(e, f->fix.at, f->fix.n, a, "fixed_sum += %s; fixed_by += 1.0; break;");
      writer_dedent(e->w);
      write_line(e->w, "}");
    }
  }
}

/* A few operations on what is stored: compiled in line. */
static bool is_small(const emitter *e, int number) {
  enum { FEW = 12 };
  const plan_function *f = function_at(e, number);
  return !f->stored && e->walls[number].part[PLAN_PART_AT].call.n == 0 && fixed_axes(e, f) == 0 &&
         ir_reach(e->m, &f->value, 1).n <= FEW;
}

static void write_at(emitter *e, int number) {
  const plan_function *f = function_at(e, number);
  writer *outer = begin_body(e);
  if (f->stored) {
    const plan_location *l = &e->p->location[f->sym];
    write_line(e->w, "if (!(%s)) return %s;", grid_out(e, place_of(e, f), "point"),
               access_element(e, l->buffer[f->level], l->first + f->component, "point"));
  }
  write_fixes(e, f);
  if (fixed_axes(e, f)) write_line(e->w, "if (fixed_by > 0.0) return fixed_sum/fixed_by;");
  const char *value = write_value(e, f->value);
  write_line(e->w, "return %s;", value);
  end_body(e, outer, is_small(e, number), number, "at", "const int point");
}

static void write_fixed(emitter *e, int number) {
  const plan_function *f = function_at(e, number);
  writer *outer = begin_body(e);
  write_fixes(e, f);
  if (fixed_axes(e, f)) write_line(e->w, "return fixed_by > 0.0 ? fixed_sum/fixed_by : otherwise;");
  else write_line(e->w, "return otherwise;");
  end_body(e, outer, false, number, "fixed", "const int point, const double otherwise");
}

/* Which point is inside of the wall that was met at point t, and where the wall's face is noted. */
static void write_wall(emitter *e, ir_place place, int axis) {
  const char *pitch = pitch_text[axis];
  if (grid_staggered(place, axis)) {
    write_line(e->w,
               "const int face = t - step, inner_face = face - step, inner = dir > 0 ? face - %s : face;",
               pitch);
    write_line(e->w, "(void)face;");
  } else {
    write_line(e->w, "const int face = dir > 0 ? t : t - step, inner_face = face - step, inner = t - step;");
  }
  write_line(e->w, "int mirror = inner - (steps - s)*step, mirror_face = inner_face - (steps - s)*step;");
  write_line(e->w, "if (%s) mirror = inner; // narrower than what is read", grid_out(e, IR_CELLS, "mirror"));
  int8_t off[8][3];
  int n = wall_candidates(e, place, axis, off);
  write_line(e->w, "int wall = %s;", access_element(e, e->p->wall[axis], 0, "face"));
  for (int i = 1; i < n; i++)
    write_line(e->w, "if (wall < 0) wall = %s;",
               access_element(e, e->p->wall[axis], 0, grid_shifted(e, "face", off[i])));
  write_line(e->w, "const int inner_beside = inner;");
  write_line(e->w, "(void)mirror, (void)mirror_face, (void)inner_face, (void)inner, (void)inner_beside;");
}

static void write_beyond(emitter *e, int number, int axis) {
  const plan_function *f = function_at(e, number);
  ir_place place = place_of(e, f);
  writer *outer = begin_body(e);
  if (axis == 0) write_line(e->w, "const int step = dir;");
  else write_line(e->w, "const int step = dir*%s;", pitch_text[axis]);
  write_line(e->w, "for (int s = 0, t = first; s <= steps; ++s, t += step) {");
  writer_indent(e->w);
  write_line(e->w, "if (!(%s)) continue;", grid_out(e, place, "t"));
  write_wall(e, place, axis);
  write_line(e->w, "if (wall < 0) return %s;",
             element_or_call(e, number, grid_staggered(place, axis) ? "inner_face" : "inner"));
  write_cases(e, f->ghost.at, f->ghost.n, axis, "return %s;");
  write_line(e->w, "return %s;",
             element_or_call(e, number, grid_staggered(place, axis) ? "inner_face" : "inner"));
  writer_dedent(e->w);
  write_line(e->w, "}");
  write_line(e->w, "return %s;", element_or_call(e, number, "first + steps*step"));
  end_body(e, outer, false, number, arena_printf(e->memory, "beyond_%c", axis_letter[axis]),
           "const int first, const int dir, const int steps");
}

/* Mostly no wall lies on a short way: that is seen in line, so that many reads are under way at once; the rest is a call. */
static void write_near(emitter *e, int number, int axis) {
  ir_place place = place_of(e, function_at(e, number));
  writer *outer = begin_body(e);
  if (axis == 0) write_line(e->w, "const int step = dir;");
  else write_line(e->w, "const int step = dir*%s;", pitch_text[axis]);
  write_line(e->w, "const bool wall_first = %s;", grid_out(e, place, "first"));
  write_line(e->w, "const bool wall_second = steps > 0 && %s;", grid_out(e, place, "first + step"));
  write_line(e->w,
             "if (wall_first || wall_second || steps > 1) return %s_beyond_%c(walls, first, dir, steps);",
             e->walls[number].name, axis_letter[axis]);
  write_line(e->w, "return %s;", element_or_call(e, number, "first + steps*step"));
  end_body(e, outer, true, number, arena_printf(e->memory, "near_%c", axis_letter[axis]),
           "const int first, const int dir, const int steps");
}

/* Two ways round: along one axis to the point beside the target, then along the other; a way through a wall does not count. */
static void write_across(emitter *e, int number) {
  const plan_function *f = function_at(e, number);
  ir_place place = place_of(e, f);
  int dims = e->m->dims;
  writer *outer = begin_body(e);
  write_line(e->w, "if (!(%s)) return %s;", grid_out(e, place, "target"),
             element_or_call(e, number, "target"));
  write_line(e->w, "double fixed_sum = 0.0, fixed_by = 0.0;");
  static const char *const delta[] = {"dx", "dy", "dz"};
  for (int a = 0; a < dims; a++) {
    if (!(e->walls[number].axes >> a & 1)) continue;
    write_line(e->w, "if (%s != 0) {", delta[a]);
    writer_indent(e->w);
    write_line(e->w, "const int dir = %s < 0 ? -1 : 1, beside = target - %s%s%s;", delta[a], delta[a],
               a ? "*" : "", a ? pitch_text[a] : "");
    write_line(e->w, "if (!(%s)) {", grid_out(e, place, "beside"));
    writer_indent(e->w);
    write_line(e->w, "fixed_sum += %s_near_%c(walls, beside + dir%s%s, dir, dir*%s - 1);",
               e->walls[number].name, axis_letter[a], a ? "*" : "", a ? pitch_text[a] : "", delta[a]);
    write_line(e->w, "fixed_by += 1.0;");
    writer_dedent(e->w);
    write_line(e->w, "}");
    writer_dedent(e->w);
    write_line(e->w, "}");
  }
  const char *this_side = dims > 2 ? "target - dx - dy*pitch_y - dz*pitch_z" : "target - dx - dy*pitch_y";
  write_line(e->w, "return fixed_by > 0.0 ? fixed_sum/fixed_by : %s;", element_or_call(e, number, this_side));
  end_body(e, outer, false, number, "across",
           dims == 2 ? "const int target, const int dx, const int dy"
                     : "const int target, const int dx, const int dy, const int dz");
}

static void write_part(emitter *e, int number, plan_part part) {
  wall_function *w = &e->walls[number];
  wall_part *p = &w->part[part];
  if (p->written) return;
  p->written = true;
  for (int i = 0; i < p->call.n; i++) write_part(e, p->call.at[i].function, p->call.at[i].part);
  e->function = function_at(e, number);
  if (part == PLAN_PART_AT && is_called_at(e->function)) write_at(e, number);
  if (part == PLAN_PART_FIXED) write_fixed(e, number);
  for (int a = 0; part == PLAN_PART_NEAR && a < e->m->dims; a++)
    if (w->axes >> a & 1) write_beyond(e, number, a), write_near(e, number, a);
  if (part == PLAN_PART_NEAR && w->across) write_across(e, number);
  e->function = NULL;
}

void walls_write(emitter *e, writer *w) {
  writer *outer = e->w;
  bool any = false;
  e->w = w;
  e->axis = -1;
  e->touched = arena_array(e->memory, bool, e->p->program->n_buffers + 1);
  e->touched_parameter = arena_array(e->memory, bool, 9 * e->p->program->n_parameters + 9);
  for (int i = 0; i < e->p->function.n; i++)
    for (int part = 0; part < PLAN_PARTS; part++) any = any || e->walls[i].part[part].used;
  if (any) write_struct_type(e);
  for (int i = 0; any && i < e->p->function.n; i++)
    for (int part = 0; part < PLAN_PARTS; part++)
      if (e->walls[i].part[part].used) write_part(e, i, part);
  e->w = outer;
}
