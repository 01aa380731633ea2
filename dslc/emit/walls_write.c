/* The functions near walls that walls.c has planned. */
#include <string.h>

#include "base/defects.h"
#include "emit/walls.h"

/* ---- functions ----------------------------------------------------------------------------------------------------------- */

/* A member of the struct under its name. */
static void unpack(emitter *e, const kir_type *type, const char *text) {
  kir_expr *value = kir_member(e->b, kir_name(e->b, "walls"), true, text, type);
  kir_let_typed(e->b, kir_qualified(e->b->program, type, true, false), text, value);
}

/* What a function's body names of the struct. */
typedef struct named_members {
  emitter *e;
  VEC(ir_id) buffer; /* numbers, some of them again */
  name_map *text;    /* of arguments: not NULL */
} named_members;

static void note_member(kir_expr *x, void *context) {
  named_members *named = context;
  emitter *e = named->e;
  if (x->kind == KIR_NAMED && !name_map_get(named->text, x->spelling))
    name_map_put(named->text, x->spelling, x);
  if (x->kind != KIR_ELEMENT || !x->part.argument) return; /* of rows that are kept: see window_unpack */
  vec_push(e->memory, &named->buffer, (ir_id)x->part.argument - 1);
  if (x->part.index) vec_push(e->memory, &named->buffer, (ir_id)x->part.index - 1); /* where it lies there */
}

static bool names(const named_members *named, const char *text) {
  return name_map_get(named->text, intern_str(named->e->m->names, text)) != NULL;
}

static void unpack_buffers(emitter *e, named_members *named) {
  bool stride[DSLC_PLACE_COUNT] = {0};
  const int scalars = e->p->scalars;
  if (scalars >= 0 && names(named, e->file.buffer_arg[scalars]))
    vec_push(e->memory, &named->buffer, (ir_id)scalars);
  ir_sort(named->buffer.at, named->buffer.n);
  for (int i = 0; i < named->buffer.n; i++) {
    const ir_id number = named->buffer.at[i];
    const dslc_buffer *b = &e->p->program->execution.buffer[number];
    if (i > 0 && number == named->buffer.at[i - 1]) continue;
    unpack(e, walls_pointer(e, b), e->file.buffer_arg[number]);
    if (arguments_strided(b)) stride[b->place] = true;
  }
  for (int k = 0; k < DSLC_PLACE_COUNT; k++) {
    const char *place = ir_place_text((ir_place)k);
    if (stride[k])
      kir_line(e->b, "const int stride_%s = walls->stride_%s;\n(void)stride_%s;", place, place, place);
  }
}

/* The members that the body names, under their names. */
static void write_prologue(emitter *e, const kir_body *body) {
  const kir_type *number = kir_scalar(e->b->program, KIR_DOUBLE), *index = kir_scalar(e->b->program, KIR_INT);
  named_members named = {.e = e, .text = name_map_create(e->memory)};
  kir_each_expr(body, note_member, &named);
  if (e->m->dims > 1) unpack(e, index, "pitch_y");
  if (e->m->dims > 2) unpack(e, index, "pitch_z");
  unpack_buffers(e, &named);
  for (int i = 0; i < DSLC_MOST_COMPONENTS * e->p->program->model.n_parameters; i++)
    if (e->named.walls_parameter[i] && names(&named, e->file.parameter[i]))
      unpack(e, number, e->file.parameter[i]);
  if (names(&named, "stage")) unpack(e, number, "stage");
  window_unpack(e, body);
  if (e->m->dims > 1) kir_line(e->b, "(void)pitch_y%s;", e->m->dims > 2 ? ", (void)pitch_z" : "");
  kir_line(e->b, "(void)walls;");
}

static kir_function *open_function(emitter *e, int number, const char *suffix, const char *parameters) {
  const char *text = arena_printf(e->memory, "%s_%s", e->walls[number].name, suffix);
  kir_function *f = kir_open_function(e->b, text, KIR_DOUBLE);
  kir_parameters(e->b, "%sconst walls_seen *walls, %s", walls_are_shared(e) ? "__local " : "", parameters);
  kir_open_body(e->b);
  f->margin = 2;
  return f;
}

/* What a body names is known behind it: its prologue comes last. What it takes is the struct and `parameters`, as in C. */
static void begin_body(emitter *e, int number, const char *suffix, const char *parameters) {
  e->own.locals = name_scope_create(e->memory, e->m->names, e->file.names);
  open_function(e, number, suffix, parameters);
}

/* Near walls a rule may repeat what another point computes, as an outlet does with the last value inside. Both must agree to the
 * bit, as limiters tell equal from nearly equal; so no operation is fused in one place and not in the other. */
void walls_write_exactly(emitter *e) {
  if (e->d->opencl) kir_line(e->b, "#pragma OPENCL FP_CONTRACT OFF");
}

/* Compiled in line, or kept out of it. */
static void set_kind(const emitter *e, kir_function *f, bool in_line) {
  f->is_inline = in_line;
  f->noinline = !in_line;
  f->is_static = in_line || !e->d->opencl;
}

static void end_body(emitter *e, bool in_line) {
  set_kind(e, e->b->function, in_line);
  const kir_body body = *kir_open_prologue(e->b);
  walls_write_exactly(e);
  write_prologue(e, &body);
  kir_close_prologue(e->b);
  kir_close_function(e->b);
}

/* The statements of a value; itself. */
static kir_expr *write_value(emitter *e, ir_id value) {
  plan_kernel k = {.place = IR_CELLS};
  vec_push(e->memory, &k.output, ((plan_output){.kind = PLAN_STORE, .value = value}));
  const plan_kernel *outer = e->k;
  e->k = &k;
  place_kernel(e);
  body_write(e);
  kir_expr *result = value_of(e, value);
  e->k = outer;
  return result;
}

static bool holds_along(const plan_wall_case *c, int axis) { return !c->axis || c->axis == walls_axis[axis]; }

/* Rules that say the same share their statements. */
static bool is_same(const plan_wall_case *a, const plan_wall_case *b) {
  return a->value == b->value && a->fixes == b->fixes;
}

/* Case i, and those behind it that say the same. */
static void write_case(emitter *e, const plan_wall_case *c, int i, int n, const char *result) {
  const char *names = e->p->program->model.rule[c[i].rule].name;
  int last = c[i].rule;
  for (int k = i + 1; k < n; k++) {
    if (!holds_along(&c[k], e->at_wall.axis) || !is_same(&c[i], &c[k])) continue;
    kir_line(e->b, "case %d:", last);
    last = c[k].rule;
    names = arena_printf(e->memory, "%s, %s", names, e->p->program->model.rule[last].name);
  }
  kir_line(e->b, "case %d: { // %s", last, names);
  name_scope *outer = e->own.locals;
  e->own.locals = name_scope_create(e->memory, e->m->names, outer);
  e->at_wall.on_boundary = !c[i].fixes;
  kir_expr *value = write_value(e, c[i].value);
  e->at_wall.on_boundary = false;
  kir_line(e->b, result, value);
  e->own.locals = outer;
  kir_line(e->b, "}");
}

static void write_cases(emitter *e, const plan_wall_case *c, int n, int axis, const char *result) {
  e->at_wall.axis = axis;
  kir_line(e->b, "switch (wall & 63) {");
  for (int i = 0; i < n; i++) {
    bool known = false;
    for (int k = 0; k < i; k++) known = known || (holds_along(&c[k], axis) && is_same(&c[k], &c[i]));
    if (holds_along(&c[i], axis) && !known && !c[i].unused) write_case(e, c, i, n, result);
  }
  kir_line(e->b, "default: break;");
  kir_line(e->b, "}");
  e->at_wall.axis = -1;
}

/* A wall on which the point lies: what the rule says. Several walls that meet there: their mean. */
static void write_fixes(emitter *e, const plan_function *f) {
  ir_place place = walls_place(e, f);
  unsigned axes = walls_fixed_axes(e, f);
  if (axes == 0) return;
  kir_line(e->b, "double fixed_sum = 0.0, fixed_by = 0.0;");
  for (int a = 0; a < e->m->dims; a++) {
    if (!(axes >> a & 1)) continue;
    int8_t off[8][3];
    int n = walls_faces(e, place, a, off);
    for (int i = 0; i < n; i++) {
      kir_expr *face = grid_shifted(e, kir_name(e->b, "point"), off[i]);
      kir_line(e->b, "if (%e >= 0) { // on a wall across %c", access_element(e, e->p->grid.wall[a], 0, face),
               walls_axis[a]);
      kir_line(e->b, "const int wall = %e;", access_element(e, e->p->grid.wall[a], 0, face));
      kir_line(e->b, "const bool up = %e != 0;", access_element(e, e->p->grid.near, 0, face));
      kir_line(e->b, "const int inner = up ? %e : %e - %s;", face, face, walls_pitch[a]);
      kir_line(e->b, "const int inner_beside = up ? point : point - %s;", walls_pitch[a]);
      kir_line(e->b, "const int inner_face = up ? %e + %s : %e - %s;", face, walls_pitch[a], face,
               walls_pitch[a]);
      kir_line(e->b, "const int mirror = inner, mirror_face = inner_face;");
      kir_line(e->b, "(void)mirror, (void)mirror_face, (void)inner_face, (void)inner, (void)inner_beside;");
      e->at_wall.wall_face = off[i];
      write_cases(e, f->fix.at, f->fix.n, a, "fixed_sum += %e; fixed_by += 1.0; break;");
      e->at_wall.wall_face = NULL;
      kir_line(e->b, "}");
    }
  }
}

enum { FEW = 16 }; /* operations */

/* A few operations on what is stored or stands in tables: compiled in line. */
static bool is_small(const emitter *e, int number) {
  const plan_function *f = walls_function(e, number);
  ir_reached all = ir_reach(e->m, &f->value, 1);
  if (f->stored || walls_fixed_axes(e, f) || all.n > FEW) return false;
  for (int i = 0; i < all.n; i++) {
    int called = plan_called(e->p, all.at[i], f);
    plan_part part = called < 0 ? PLAN_PART_TABLE : plan_part_called(e->p, all.at[i], called);
    if (part == PLAN_PART_TABLE) continue;
    if (part != PLAN_PART_AT || (walls_function(e, called)->value && !is_small(e, called))) return false;
  }
  return true;
}

static void write_at_walls(emitter *e, int number, const char *suffix) {
  const plan_function *f = walls_function(e, number);
  begin_body(e, number, suffix, "const int point");
  if (f->stored) {
    const plan_location *l = &e->p->location[f->sym];
    kir_line(e->b, "if (!(%e)) return %e;", grid_out_at(e, walls_place(e, f), "point"),
             access_at(e, l->buffer[f->level], l->first + f->component, "point"));
  }
  write_fixes(e, f);
  if (walls_fixed_axes(e, f)) kir_line(e->b, "if (fixed_by > 0.0) return fixed_sum/fixed_by;");
  kir_line(e->b, "return %e;", write_value(e, f->value));
  end_body(e, is_small(e, number));
}

/* ---- away from walls ----------------------------------------------------------------------------------------------------- */

/* Is it worth a version away from walls? Small ones without a table are mostly called on walls. */
static bool stands_apart(emitter *e, int number) {
  const plan_function *f = walls_function(e, number);
  bool much = f->table || ir_reach(e->m, &f->value, 1).n > FEW;
  return walls_are_shared(e) && !f->stored && !is_small(e, number) && much && walls_may_be_met(e, f);
}

static void write_at(emitter *e, int number) {
  const plan_function *f = walls_function(e, number);
  bool apart = stands_apart(e, number);
  write_at_walls(e, number, apart ? "at_walls" : "at");
  if (!apart) return;
  begin_body(e, number, "at", "const int point");
  kir_line(e->b, "if (%e) return %s_at_walls(walls, point);", walls_met(e, f, "point"),
           e->walls[number].name);
  e->at_wall.meets_no_wall = true;
  kir_expr *value = write_value(e, f->value);
  e->at_wall.meets_no_wall = false;
  kir_line(e->b, "return %e;", value);
  end_body(e, false);
}

static void write_fixed(emitter *e, int number, plan_part part) {
  const plan_function *f = walls_function(e, number);
  begin_body(e, number, walls_fixed_suffix(part), "const int point, const double otherwise");
  e->at_wall.inside = plan_part_inside(e->p, part);
  write_fixes(e, f);
  if (walls_fixed_axes(e, f)) kir_line(e->b, "return fixed_by > 0.0 ? fixed_sum/fixed_by : otherwise;");
  else kir_line(e->b, "return otherwise;");
  end_body(e, false);
  e->at_wall.inside = 0;
}

/* Is a place not staggered along another axis as the quantity itself is? */
static bool stands_beside(const emitter *e, ir_place own, ir_place place, int axis) {
  for (int a = 0; a < e->m->dims; a++)
    if (a != axis && grid_staggered(own, a) && !grid_staggered(place, a) &&
        (place < IR_XLINE || (int)place == IR_XLINE + a))
      return true;
  return false;
}

/* Does some rule read such at [inner] or [mirror]? */
static bool needs_column(const emitter *e, const plan_function *f, int axis) {
  for (int i = 0; i < f->ghost.n; i++) {
    ir_reached all = ir_reach(e->m, &f->ghost.at[i].value, 1);
    for (int k = 0; k < all.n; k++) {
      const ir_node *n = ir_get(e->m, all.at[k]);
      bool inside = n->op == IR_READ && (n->read.at == IR_AT_INNER || n->read.at == IR_AT_MIRROR);
      if (inside && stands_beside(e, walls_place(e, f), ir_symbol_get(e->m, n->read.sym)->place, axis))
        return true;
    }
  }
  return false;
}

/* The mirror image of what is asked for. */
static void write_mirror(emitter *e) {
  kir_line(e->b, "int mirror = inner - (steps - s)*step, mirror_face = inner_face - (steps - s)*step;");
  kir_line(e->b, "if (%e) mirror = inner; // narrower than what is read", grid_out_at(e, IR_CELLS, "mirror"));
}

/* Of the point inside, where no wall stands. */
typedef kir_expr *value_inside(emitter *e, int number, int axis);

static kir_expr *name_inside(emitter *e, int number, int axis) {
  return kir_name(e->b,
                  grid_staggered(walls_place(e, walls_function(e, number)), axis) ? "inner_face" : "inner");
}

static kir_expr *element_inside(emitter *e, int number, int axis) {
  return walls_element(e, number, name_inside(e, number, axis));
}

static kir_expr *beside_inside(emitter *e, int number, int axis) {
  const int outer = e->at_wall.axis;
  e->at_wall.axis = axis;
  kir_expr *value = walls_beside(e, number, name_inside(e, number, axis));
  e->at_wall.axis = outer;
  return value;
}

/* Which point is inside of the wall that was met at point t, and where the wall's face is noted; the value where no wall stands there.
 * Paths to points beyond several walls may begin so far outside that the mirror image lies in no array: a wall says that it does. */
static void write_wall(emitter *e, int number, int axis, value_inside *otherwise) {
  const plan_function *f = walls_function(e, number);
  const ir_place place = walls_place(e, f);
  const char *pitch = walls_pitch[axis];
  if (grid_staggered(place, axis)) {
    kir_line(e->b, "const int face = t - step, inner_face = face - step, inner = dir > 0 ? face - %s : face;",
             pitch);
    kir_line(e->b, "(void)face;");
  } else {
    kir_line(e->b, "const int face = dir > 0 ? t : t - step, inner_face = face - step, inner = t - step;");
  }
  if (!f->across) write_mirror(e);
  int8_t off[8][3];
  int n = walls_faces(e, place, axis, off);
  kir_line(e->b, "int wall = %e;", access_at(e, e->p->grid.wall[axis], 0, "face"));
  e->at_wall.ghost_place = n > 1 && needs_column(e, f, axis) ? place : 0;
  for (int a = 0; e->at_wall.ghost_place && a < e->m->dims; a++)
    if (a != axis) kir_line(e->b, "int column_%c = 0;\n(void)column_%c;", walls_axis[a], walls_axis[a]);
  for (int i = 1; i < n; i++) walls_write_candidate(e, axis, off[i]);
  if (f->across) {
    kir_line(e->b, "if (wall < 0) return %e;", otherwise(e, number, axis));
    write_mirror(e);
  }
  kir_line(e->b, "const int inner_beside = inner;");
  kir_line(e->b, "(void)mirror, (void)mirror_face, (void)inner_face, (void)inner, (void)inner_beside;");
  if (!f->across) kir_line(e->b, "if (wall < 0) return %e;", otherwise(e, number, axis));
  e->at_wall.faces = walls_write_faces(e, f, axis, n, off);
}

static bool sees_thin(const emitter *e, int number, int axis) {
  return grid_staggered(walls_place(e, walls_function(e, number)), axis) &&
         (e->walls[number].thin >> axis & 1);
}

/* Is point t behind a wall? A face has gas beside it on the far side of a solid one cell thick too: the cell on the way to it says it,
 * where gas stands before that one. */
static void write_behind(emitter *e, int number, int axis) {
  ir_place place = walls_place(e, walls_function(e, number));
  kir_expr *out = grid_out_at(e, place, "t");
  if (!sees_thin(e, number, axis)) {
    kir_line(e->b, "if (%e) break;", out);
    return;
  }
  kir_line(e->b, "const int on_way = dir > 0 ? t - step : t; // a cell");
  kir_line(e->b, "const bool thin = %e && !(%e);", walls_way_out(e, place, axis, "on_way"),
           walls_way_out(e, place, axis, "on_way - step"));
  kir_line(e->b, "if ((%e) || thin) break;", out);
}

static void write_step(emitter *e, int axis) {
  if (axis == 0) kir_line(e->b, "const int step = dir;");
  else kir_line(e->b, "const int step = dir*%s;", walls_pitch[axis]);
}

/* Finds the first wall on the way, at point t; if s > steps there is none. The loop leaves nothing else behind: values that some ways out
 * of a loop have and others do not, NVIDIA's assembler mixes up (docs/devices.md). */
static void write_way(emitter *e, int number, int axis) {
  if (!defect_is_back("time_on_the_way"))
    name_fresh(e->own.locals, "t", ""); /* a rule's formula may read the time */
  write_step(e, axis);
  kir_line(e->b, "int s = 0, t = first;");
  kir_line(e->b, "for (; s <= steps; ++s, t += step) {");
  write_behind(e, number, axis);
  kir_line(e->b, "}");
}

static bool rule_is_met(const emitter *e, int rule, int axis) {
  const char across = e->p->program->model.rule[rule].axis;
  return !across || across == walls_axis[axis];
}

static bool has_ghost(const plan_function *f, int rule, int axis) {
  for (int i = 0; i < f->ghost.n; i++)
    if (f->ghost.at[i].rule == rule && !f->ghost.at[i].unused && holds_along(&f->ghost.at[i], axis))
      return true;
  return false;
}

/* Behind a wall whose rule gives nothing, as may be beyond a corner: as [inner] of that wall, which is the face on it where no rule fixes
 * that. A given is at the point itself what the case says. */
static kir_expr *not_given(emitter *e, int number, int axis, value_inside *inside, const char *point_itself) {
  const plan_function *f = walls_function(e, number);
  const plan_location *l = &e->p->location[f->sym];
  if (ir_symbol_get(e->m, f->sym)->kind == IR_GIVEN && !defect_is_back("givens_of_other_rules"))
    return access_widened(e, access_element(e, l->buffer[f->level], l->first + f->component,
                                            kir_quote(e->b, "%s", point_itself)));
  kir_expr *fixed = NULL;
  bool on_wall = false;
  for (int r = 0; r < e->p->program->model.n_rules; r++) {
    if (!grid_staggered(walls_place(e, f), axis) || !rule_is_met(e, r, axis) || has_ghost(f, r, axis))
      continue;
    if (ir_entry_find(e->m, r + 1, f->kept, IR_FIX)) {
      kir_expr *one = kir_quote(e->b, "(wall & 63) == %d", r);
      fixed = fixed ? kir_quote(e->b, "%e || %e", fixed, one) : one;
    } else on_wall = true;
  }
  if (!on_wall) return inside(e, number, axis);
  kir_expr *point = fixed ? kir_quote(e->b, "(%e ? inner_face : face)", fixed) : kir_name(e->b, "face");
  if (inside == element_inside) return walls_element(e, number, point);
  const int outer = e->at_wall.axis;
  e->at_wall.axis = axis;
  kir_expr *value = walls_beside(e, number, point);
  e->at_wall.axis = outer;
  return value;
}

static const char along_axis[] = "const int first, const int dir, const int steps";

static void write_beyond(emitter *e, int number, int axis) {
  const plan_function *f = walls_function(e, number);
  begin_body(e, number, arena_printf(e->memory, "beyond_%c", walls_axis[axis]), along_axis);
  write_way(e, number, axis);
  kir_line(e->b, "if (s > steps) return %e;",
           walls_element(e, number, kir_quote(e->b, "first + steps*step")));
  write_wall(e, number, axis, element_inside);
  e->at_wall.is_far = e->walls[number].far >> axis & 1;
  write_cases(e, f->ghost.at, f->ghost.n, axis, "return %e;");
  e->at_wall.is_far = false;
  e->at_wall.ghost_place = 0, e->at_wall.faces = 0;
  kir_line(e->b, "return %e;", not_given(e, number, axis, element_inside, "first + steps*step"));
  end_body(e, false);
}

/* Mostly no wall lies on a short way: that is seen in line, so that many reads are under way at once; the rest is a call. On GPUs
 * who comes here meets some wall, and all is a call: that takes fewer registers, so that more work-items are under way. */
static void write_near(emitter *e, int number, int axis) {
  ir_place place = walls_place(e, walls_function(e, number));
  const bool thin = sees_thin(e, number, axis);
  begin_body(e, number, arena_printf(e->memory, "near_%c", walls_axis[axis]), along_axis);
  write_step(e, axis);
  if (thin)
    kir_line(e->b,
             "const int before = dir > 0 ? first - step : first; // a cell\n"
             "const bool wall_first = (%e) || (%e);",
             grid_out_at(e, place, "first"), walls_way_out(e, place, axis, "before"));
  else kir_line(e->b, "const bool wall_first = %e;", grid_out_at(e, place, "first"));
  if (thin && e->walls[number].far >> axis & 1)
    kir_line(e->b,
             "const int on_way = dir > 0 ? first : first + step; // a cell\n"
             "const bool wall_second = steps > 0 && %e;",
             walls_way_out(e, place, axis, "on_way"));
  else
    kir_line(e->b, "const bool wall_second = steps > 0 && %e;",
             grid_out(e, place, kir_quote(e->b, "first + step")));
  kir_line(e->b, "if (wall_first || wall_second || steps > 1) return %s_beyond_%c(walls, first, dir, steps);",
           e->walls[number].name, walls_axis[axis]);
  kir_line(e->b, "return %e;", walls_element(e, number, kir_quote(e->b, "first + steps*step")));
  end_body(e, !walls_are_shared(e));
}

static const char *beside_suffix(const emitter *e, plan_part part, int axis) {
  return arena_printf(e->memory, "beside%s_%c", part == PLAN_PART_ACROSS_3 ? "_3" : "", walls_axis[axis]);
}

/* Locals of the bodies that have them are called otherwise: a rule may read the width `dx`. */
static const char *steps_parameters(const emitter *e) {
  return e->m->dims == 2 ? "const int dx, const int dy" : "const int dx, const int dy, const int dz";
}

/* Locals of the bodies that have them are called otherwise: a rule may read the width `dx`. */
static void begin_body_with_steps(emitter *e, int number, const char *suffix, const char *parameters) {
  static const char *const taken[] = {"dx", "dy", "dz"};
  begin_body(e, number, suffix, arena_printf(e->memory, "%s, %s", parameters, steps_parameters(e)));
  for (int a = 0; a < e->m->dims; a++) name_fresh(e->own.locals, taken[a], "_of");
}

/* The point that lies beyond the other walls too. */
static const char *target_beside(const emitter *e, int axis) {
  static const char *const steps[] = {" + dx", " + dy*pitch_y", " + dz*pitch_z"};
  const char *text = "last";
  for (int a = 0; a < e->m->dims; a++)
    if (a != axis) text = arena_printf(e->memory, "%s%s", text, steps[a]);
  return text;
}

/* Beyond several walls: the rule of the wall across the axis, its formula reading what lies beyond the other ones. */
static void write_beside(emitter *e, int number, plan_part part, int axis) {
  const plan_function *f = walls_function(e, number);
  begin_body_with_steps(e, number, beside_suffix(e, part, axis), along_axis);
  e->at_wall.beyond = part;
  kir_line(e->b, "(void)dx, (void)dy%s;", e->m->dims > 2 ? ", (void)dz" : "");
  write_way(e, number, axis);
  e->at_wall.axis = axis;
  kir_line(e->b, "const int last = first + steps*step;");
  kir_line(e->b, "if (s > steps) return %e;", walls_beside(e, number, kir_name(e->b, "last")));
  e->at_wall.axis = -1;
  write_wall(e, number, axis, beside_inside);
  e->at_wall.axis = axis;
  e->at_wall.is_far = e->walls[number].far >> axis & 1;
  write_cases(e, f->ghost.at, f->ghost.n, axis, "return %e;");
  e->at_wall.is_far = false;
  e->at_wall.ghost_place = 0, e->at_wall.faces = 0;
  e->at_wall.axis = axis;
  kir_line(e->b, "return %e;", not_given(e, number, axis, beside_inside, target_beside(e, axis)));
  e->at_wall.axis = -1;
  e->at_wall.beyond = 0;
  end_body(e, false);
}

/* Adds up what one way along each axis gives: to the point beside the target, then on across the wall; beyond several walls from
 * this side. */
static void write_ways(emitter *e, int number, plan_part part, bool beyond) {
  static const char *const delta[] = {"dx", "dy", "dz"};
  const char *stem = e->walls[number].name;
  ir_place place = walls_place(e, walls_function(e, number));
  for (int a = 0; a < e->m->dims; a++) {
    const char *times = a ? "*" : "", *pitch = a ? walls_pitch[a] : "";
    if (!(e->walls[number].axes >> a & 1)) continue;
    kir_line(e->b, "if (%s != 0) {", delta[a]);
    if (beyond) {
      kir_line(e->b, "const int dir = %s < 0 ? -1 : 1;", delta[a]);
      kir_line(e->b, "fixed_sum += %s_%s(walls, this_side + dir%s%s, dir, dir*%s - 1, %s);", stem,
               beside_suffix(e, part, a), times, pitch, delta[a], e->m->dims == 2 ? "dx, dy" : "dx, dy, dz");
      kir_line(e->b, "fixed_by += 1.0;");
    } else {
      kir_line(e->b, "const int dir = %s < 0 ? -1 : 1, beside = target - %s%s%s;", delta[a], delta[a], times,
               pitch);
      kir_line(e->b, "if (!(%e)) {", grid_out_at(e, place, "beside"));
      kir_line(e->b, "fixed_sum += %s_near_%c(walls, beside + dir%s%s, dir, dir*%s - 1);", stem,
               walls_axis[a], times, pitch, delta[a]);
      kir_line(e->b, "fixed_by += 1.0;");
      kir_line(e->b, "}");
    }
    kir_line(e->b, "}");
  }
}

/* Beyond three walls as seen from a point that may lie beyond one of them itself: along two axes, where that leads to a point inside. */
static void write_pairs(emitter *e, int number) {
  static const char *const delta[] = {"dx", "dy", "dz"};
  ir_place place = walls_place(e, walls_function(e, number));
  for (int c = 2; c >= 0; c--) {
    const int a = c == 0 ? 1 : 0, b = c == 2 ? 1 : 2;
    kir_expr *side = kir_quote(e->b, "target - %s%s%s - %s*%s", delta[a], a ? "*" : "",
                               a ? walls_pitch[a] : "", delta[b], walls_pitch[b]);
    kir_line(e->b, "if (%s != 0 && %s != 0 && !(%e)) {", delta[a], delta[b], grid_out(e, place, side));
    kir_line(e->b, "fixed_sum += 2.0*%s_%s(walls, target, %s, %s, %s);", e->walls[number].name,
             walls_across_suffix(PLAN_PART_ACROSS), c == 0 ? "0" : "dx", c == 1 ? "0" : "dy",
             c == 2 ? "0" : "dz");
    kir_line(e->b, "fixed_by += 2.0;");
    kir_line(e->b, "}");
  }
}

/* The mean of the ways round; a way through a wall does not count. Where all lead through walls, as beyond a corner, the rules hold
 * one axis after the other: the mean of the orders. */
static void write_across(emitter *e, int number, plan_part part) {
  const plan_function *f = walls_function(e, number);
  ir_place place = walls_place(e, f);
  bool several = part >= PLAN_PART_ACROSS;
  for (int a = 0; several && a < e->m->dims; a++)
    if (e->walls[number].axes >> a & 1) write_beside(e, number, part, a);
  begin_body_with_steps(e, number, walls_across_suffix(part), "const int target");
  const char *this_side =
      e->m->dims > 2 ? "target - dx - dy*pitch_y - dz*pitch_z" : "target - dx - dy*pitch_y";
  kir_line(e->b, "if (!(%e)) return %e;", grid_out_at(e, place, "target"),
           walls_element(e, number, kir_name(e->b, "target")));
  kir_line(e->b, "double fixed_sum = 0.0, fixed_by = 0.0;");
  write_ways(e, number, part, false);
  if (several) {
    kir_line(e->b, "if (fixed_by > 0.0) return fixed_sum/fixed_by;");
    if (part == PLAN_PART_ACROSS_3) {
      write_pairs(e, number);
      kir_line(e->b, "if (fixed_by > 0.0) return fixed_sum/fixed_by;");
    }
    kir_line(e->b, "const int this_side = %s;", this_side);
    write_ways(e, number, part, true);
    kir_line(e->b, "return fixed_sum/fixed_by;");
  } else
    kir_line(e->b, "return fixed_by > 0.0 ? fixed_sum/fixed_by : %e;",
             walls_element(e, number, kir_quote(e->b, "%s", this_side)));
  end_body(e, false);
}

/* Is there no point beside the target on this side, along any of the axes? By so many steps as the locals say. */
static kir_expr *no_way(emitter *e, ir_place place) {
  static const char *const step[] = {"nearer_x", "nearer_y*pitch_y", "nearer_z*pitch_z"};
  kir_expr *none = NULL;
  for (int axes = 1; axes < 1 << e->m->dims; axes++) {
    kir_expr *side = kir_name(e->b, "target");
    for (int a = 0; a < e->m->dims; a++)
      if (axes >> a & 1) side = kir_quote(e->b, "%e - %s", side, step[a]);
    kir_expr *out = grid_out(e, place, side);
    none = none ? kir_binary(e->b, KIR_BOTH, none, out) : out;
  }
  return none;
}

/* Seen from a point between two cells. This side of it is that of the far one, as seen from the target; where that leads nowhere, as in
 * a passage one cell wide, the near one counts: along as few axes as can be. */
static void write_between(emitter *e, int number, plan_part part) {
  const ir_place place = walls_place(e, walls_function(e, number));
  const int dims = e->m->dims;
  begin_body_with_steps(e, number, walls_between_suffix(part), "const int between, const int target");
  kir_line(e->b, "if (!(%e)) return %e;", grid_out_at(e, place, "target"),
           walls_element(e, number, kir_name(e->b, "target")));
  kir_line(e->b, "double fixed_sum = 0.0, fixed_by = 0.0;");
  kir_line(e->b, "for (int axes = 0; axes <= %d && !(fixed_by > 0.0); ++axes) {", dims);
  kir_line(e->b, "for (int near = 0; near < %d; ++near) {", 1 << dims);
  kir_line(e->b, "if ((near & ~between) != 0 || (near & 1) + (near >> 1 & 1)%s != axes) continue;",
           dims > 2 ? " + (near >> 2 & 1)" : "");
  for (int a = 0; a < dims; a++)
    kir_line(e->b, "const int nearer_%c = d%c - (near >> %d & 1)*(d%c < 0 ? -1 : 1);", walls_axis[a],
             walls_axis[a], a, walls_axis[a]);
  kir_line(e->b, "if (%e) continue;", no_way(e, place));
  kir_line(e->b, "fixed_sum += %s_%s(walls, target, nearer_x, nearer_y%s);", e->walls[number].name,
           walls_across_suffix(part), dims > 2 ? ", nearer_z" : "");
  kir_line(e->b, "fixed_by += 1.0;");
  kir_line(e->b, "}\n}");
  kir_line(e->b, "return fixed_sum/fixed_by;");
  end_body(e, false);
}

static void write_prototype(emitter *e, int number, const char *suffix, const char *parameters,
                            bool in_line) {
  kir_function *f = open_function(e, number, suffix, parameters);
  set_kind(e, f, in_line);
  f->is_prototype = true;
  kir_close_function(e->b);
}

/* Functions need each other in turn, never themselves: each along other axes than where it was begun. walls_order.c does without. */
static void write_prototypes(emitter *e, int number, plan_part part) {
  if (part == PLAN_PART_AT && !is_small(e, number))
    write_prototype(e, number, "at", "const int point", false);
  for (int a = 0; part == PLAN_PART_NEAR && a < e->m->dims; a++)
    if (e->walls[number].axes >> a & 1)
      write_prototype(e, number, arena_printf(e->memory, "near_%c", walls_axis[a]), along_axis,
                      !walls_are_shared(e));
}

static void write_part(emitter *e, int number, plan_part part) {
  wall_function *w = &e->walls[number];
  wall_part *p = &w->part[part];
  if (p->open) write_prototypes(e, number, part);
  if (p->written) return;
  p->written = p->open = true;
  for (int i = 0; i < p->call.n; i++) write_part(e, p->call.at[i].function, p->call.at[i].part);
  p->open = false;
  e->at_wall.function = walls_function(e, number);
  if (part == PLAN_PART_AT && walls_computes(e->at_wall.function)) write_at(e, number);
  bool fixed = part >= PLAN_PART_FIXED_INSIDE && part <= PLAN_PART_FIXED_INSIDE_3;
  if (part == PLAN_PART_FIXED || fixed) write_fixed(e, number, part);
  for (int a = 0; part == PLAN_PART_NEAR && a < e->m->dims; a++)
    if (w->axes >> a & 1) write_beyond(e, number, a), write_near(e, number, a);
  bool across = part >= PLAN_PART_ACROSS || (part == PLAN_PART_NEAR && w->across);
  if (across) write_across(e, number, part);
  if (p->from_between) write_between(e, number, part);
  e->at_wall.function = NULL;
}

void walls_write(emitter *e) {
  bool any = false;
  e->at_wall.axis = -1;
  for (int i = 0; i < e->p->function.n; i++)
    for (int part = 0; part < PLAN_PARTS; part++) any = any || e->walls[i].part[part].used;
  if (any) walls_complete_type(e);
  const int first = e->b->program->functions.n;
  for (int i = 0; any && i < e->p->function.n; i++)
    for (int part = 0; part < PLAN_PARTS; part++)
      if (e->walls[i].part[part].used) write_part(e, i, part);
  walls_order(e, first);
}
