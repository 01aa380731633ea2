/* Functions near walls. For a quantity X the file may hold
 *
 *   X_at(walls, point)                       its value at a point: as an equation, or what a rule fixes it to
 *   X_at_walls(walls, point)                 GPUs: the same where a wall is met; X_at then asks for that first
 *   X_near_x(walls, first, dir, steps)       as seen along x from the point before `first`: steps further on, or its
 *                                            ghost if a wall lies between
 *   X_across(walls, target, steps...)        seen diagonally: the mean of both ways round
 *   X_around(walls, target, steps...)        the same where both ways may lead through walls; X_around_3: three
 *   X_between(walls, between, target, steps...)  the same for a reader between two cells, the far one of which may be
 *                                            solid; X_between_3: three
 *   X_beside_x(walls, first, dir, steps, steps...)  for these: as X_near_x, but what the rule reads inside is seen
 *                                            along the other axes
 *   X_fixed(walls, point, otherwise)         what rules fix a state to
 *   X_fixed_inside(walls, point, otherwise)  the same as a rule sees it that reads this point inside; in 3D
 *                                            X_fixed_inside_2, _3: as a rule of that one does
 *
 * They are kept out of line: called near walls only, and in many places. What they read of a kernel's arguments stands in a
 * struct, under the arguments' names, so that the file's macros work in them. */
#include "emit/walls.h"

#include <stdlib.h>

enum { MOST_ARGUMENTS = 8 };

const char walls_axis[] = "xyz";
const char *const walls_pitch[] = {"1", "pitch_y", "pitch_z"};

const plan_function *walls_function(const emitter *e, int number) { return &e->p->function.at[number]; }

ir_place walls_place(const emitter *e, const plan_function *f) { return ir_symbol_get(e->m, f->sym)->place; }

bool walls_computes(const plan_function *f) { return f->value != 0; }

/* Is there one struct for a work-group? Of one for each work-item, in private memory, GPUs spend more time on writing and reading
 * it than on all else. */
bool walls_are_shared(const emitter *e) { return e->d->opencl && !e->p->how.loop; }

/* ---- which part a call means ------------------------------------------------------------------------------------- */

/* What fills a table computes the value; everybody else looks it up. */
static plan_part part_of(const emitter *e, ir_id id, int called, const plan_function *within) {
  return e->k->fills && !within ? PLAN_PART_AT : plan_part_called(e->p, id, called);
}

bool walls_has_table(const emitter *e, const plan_function *f) {
  return f->table && !(e->k->fills && !e->at_wall.function);
}

/* Half points from a place to the shifted one, along an axis. */
static int displacement(const emitter *e, const ir_node *n, int axis) {
  ir_place to = ir_symbol_get(e->m, n->read.sym)->place;
  bool from_centre = !grid_staggered((ir_place)n->read.from, axis), to_centre = !grid_staggered(to, axis);
  return 2 * n->read.off[axis] + (int)to_centre - (int)from_centre;
}

unsigned walls_axes(const emitter *e, const ir_node *n) {
  unsigned axes = 0;
  for (int a = 0; a < e->m->dims; a++)
    if (displacement(e, n, a)) axes |= 1u << a;
  return axes;
}

unsigned walls_between(const emitter *e, const ir_node *n) {
  unsigned axes = 0;
  for (int a = 0; a < e->m->dims; a++)
    if (grid_staggered((ir_place)n->read.from, a) && displacement(e, n, a) % 2 &&
        abs(displacement(e, n, a)) > 2)
      axes |= 1u << a;
  return axes;
}

/* ---- planning ------------------------------------------------------------------------------------------------------ */

static void note_buffer(emitter *e, wall_part *p, int buffer) {
  for (int i = 0; i < p->buffer.n; i++)
    if (p->buffer.at[i] == buffer) return;
  vec_push(e->memory, &p->buffer, buffer);
}

static void plan_use(emitter *e, int number, plan_part part);

static bool is_seen(plan_part part) { return part == PLAN_PART_NEAR || part >= PLAN_PART_ACROSS; }

static void note_near(emitter *e, wall_function *w, const ir_node *n, plan_part part) {
  if (n->read.from == IR_NOWHERE) return; /* along the caller's axis: see plan_part */
  unsigned axes = walls_axes(e, n), crossed = plan_crossed(e->p, n);
  w->axes |= axes;
  for (int a = 0; a < e->m->dims; a++)
    if (abs(displacement(e, n, a)) > 2) w->far |= 1u << a;
  for (int a = 0; a < e->m->dims; a++) /* from a face to the next one a whole cell lies between */
    if (abs(displacement(e, n, a)) >= 2) w->thin |= 1u << a;
  if (part >= PLAN_PART_ACROSS && walls_between(e, n)) w->part[part].from_between = true;
  w->across = w->across || ((axes & (axes - 1)) && !(crossed & (crossed - 1)));
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
      if (is_seen(part)) note_near(e, &e->walls[called], n, part);
      plan_use(e, called, part);
      continue;
    }
    if (n->op != IR_READ && n->op != IR_PARAM) continue;
    int component, buffer = arguments_read_buffer(e, n, &component);
    const ir_symbol *s = ir_symbol_get(e->m, n->read.sym);
    if (buffer >= 0) note_buffer(e, p, buffer);
    else if (s->kind == IR_PARAMETER)
      p->parameter[e->p->location[n->read.sym].parameter * DSLC_MOST_COMPONENTS + n->read.first] = true;
    else if (e->p->location[n->read.sym].launch == PLAN_LAUNCH_STAGE) e->named.walls_stage = true;
  }
}

static bool has_case(const plan_wall_case *c, int n, int axis) {
  for (int i = 0; i < n; i++)
    if (!c[i].axis || c[i].axis == walls_axis[axis]) return true;
  return false;
}

/* On which walls does some rule fix the quantity? */
unsigned walls_fixed_axes(const emitter *e, const plan_function *f) {
  unsigned axes = 0;
  for (int a = 0; a < e->m->dims; a++)
    if (grid_staggered(walls_place(e, f), a) && has_case(f->fix.at, f->fix.n, a)) axes |= 1u << a;
  return axes;
}

static void plan_walls(emitter *e, wall_part *p, unsigned axes) {
  if (axes) note_buffer(e, p, e->p->grid.near);
  for (int a = 0; a < e->m->dims; a++)
    if (axes >> a & 1) note_buffer(e, p, e->p->grid.wall[a]);
}

/* The ghost of a derived quantity follows the path of its caller: whatever it calls is called along the same axes. */
static void plan_ghosts(emitter *e, int number, wall_part *p) {
  const plan_function *f = walls_function(e, number);
  for (int i = 0; i < f->ghost.n; i++) {
    plan_value(e, p, f->ghost.at[i].value, f);
    ir_reached all = ir_reach(e->m, &f->ghost.at[i].value, 1);
    for (int k = 0; k < all.n; k++) {
      int called = plan_called(e->p, all.at[k], f);
      if (called < 0 || ir_get(e->m, all.at[k])->read.at != IR_AT_NEAR) continue;
      const ir_node *n = ir_get(e->m, all.at[k]);
      bool faces = walls_place(e, walls_function(e, called)) != walls_place(e, f), far = false;
      for (int a = 0; a < e->m->dims; a++) far = far || (n->read.off[a] & ~1);
      e->walls[called].axes |= e->walls[number].axes;
      e->walls[called].far |= far ? e->walls[number].axes : e->walls[number].far;
      e->walls[called].thin |= faces ? e->walls[number].axes : e->walls[number].thin;
    }
  }
}

/* What it is called with for its own point: computed or looked up. */
static void plan_own(emitter *e, int number, wall_part *caller) {
  plan_part part = walls_function(e, number)->table ? PLAN_PART_TABLE : PLAN_PART_AT;
  vec_push(e->memory, &caller->call, ((call){number, part}));
  plan_use(e, number, part);
}

static void plan_call(emitter *e, wall_part *p, int number, plan_part part) {
  vec_push(e->memory, &p->call, ((call){number, part}));
  plan_use(e, number, part);
}

/* Beyond several walls: the rules along each axis, and what their formulas read as seen along the others. */
static void plan_across(emitter *e, int number, plan_part part, wall_part *p) {
  const plan_function *f = walls_function(e, number);
  plan_call(e, p, number, plan_part_beside(part));
  plan_call(e, p, number, PLAN_PART_NEAR);
  if (part == PLAN_PART_ACROSS_3) plan_call(e, p, number, PLAN_PART_ACROSS);
  for (int i = 0; i < f->ghost.n; i++) plan_value(e, p, f->ghost.at[i].value, f);
  for (int i = 0; i < f->beside.n; i++) plan_call(e, p, f->beside.at[i], plan_part_beside(part));
  for (int i = 0; i < f->along.n; i++) plan_call(e, p, f->along.at[i], part);
}

/* A point inside may lie on a wall of its own. */
static void plan_inside(emitter *e, const plan_function *f, plan_part inside, wall_part *p) {
  for (int i = 0; i < f->fix.n; i++) {
    ir_reached all = ir_reach(e->m, &f->fix.at[i].value, 1);
    for (int k = 0; k < all.n; k++) {
      int fix = plan_fixed_inside(e->p, ir_get(e->m, all.at[k]), f);
      if (fix >= 0) plan_call(e, p, fix, inside);
    }
  }
}

static void plan_use(emitter *e, int number, plan_part part) {
  wall_part *p = &e->walls[number].part[part];
  const plan_function *f = walls_function(e, number);
  p->used = true;
  if (p->planned) return;
  p->planned = true;
  p->parameter = arena_array(e->memory, bool, DSLC_MOST_COMPONENTS *(e->p->program->model.n_parameters + 1));
  if (part == PLAN_PART_TABLE) {
    note_buffer(e, p, e->p->grid.tables);
    note_buffer(e, p, e->p->grid.wall_number);
    return;
  }
  plan_walls(e, p, is_seen(part) ? (1u << e->m->dims) - 1 : walls_fixed_axes(e, f));
  if (plan_part_inside(e->p, part)) plan_inside(e, f, plan_part_inside(e->p, part), p);
  if (part >= PLAN_PART_ACROSS) plan_across(e, number, part, p);
  if (part == PLAN_PART_AT && f->value) plan_value(e, p, f->value, f);
  int buffer = e->p->location[f->sym].buffer[f->level];
  if (part == PLAN_PART_AT && (f->stored || !walls_computes(f)) && buffer >= 0) note_buffer(e, p, buffer);
  if (part == PLAN_PART_AT && f->stored)
    note_buffer(e, p, e->p->grid.near); /* is there a point to be read? */
  if (!is_seen(part))
    for (int i = 0; i < f->fix.n; i++) plan_value(e, p, f->fix.at[i].value, f);
  if (!is_seen(part)) return;
  if (part == PLAN_PART_NEAR) plan_ghosts(e, number, p);
  if (walls_computes(f)) plan_own(e, number, p);
  else if (buffer >= 0) note_buffer(e, p, buffer);
}

const char *walls_text(emitter *e, int number) {
  const plan_function *f = walls_function(e, number);
  static const char *const level[] = {"", "_prev", "_old", "_new", "_begin"};
  const ir_symbol *s = ir_symbol_get(e->m, f->sym);
  const char *component = s->type.n > 1 ? arena_printf(e->memory, "_%d", f->component + 1) : "";
  const char *kind = f->kind == PLAN_FUNCTION_VALUE ? "_assigned" : "";
  bool has_level = f->kind == PLAN_FUNCTION_AT || f->kind == PLAN_FUNCTION_OUTPUT;
  return arena_printf(e->memory, "%s%s%s%s", s->text, component, has_level ? level[f->level] : "", kind);
}

static void plan_outputs(emitter *e) {
  wall_part top = {.parameter = arena_array(e->memory, bool,
                                            DSLC_MOST_COMPONENTS *(e->p->program->model.n_parameters + 1))};
  for (int k = 0; k < e->p->kernel.n; k++) {
    e->k = &e->p->kernel.at[k];
    for (int i = 0; i < e->k->output.n; i++)
      if (e->k->output.at[i].near) plan_value(e, &top, e->k->output.at[i].near, NULL);
  }
}

/* What is seen from inside one wall, beyond another. */
static bool plan_axes_beside(emitter *e, int number) {
  const plan_function *f = walls_function(e, number);
  bool more = false;
  if (!e->walls[number].part[PLAN_PART_ACROSS].planned && !e->walls[number].part[PLAN_PART_ACROSS_3].planned)
    return false;
  for (int i = 0; i < f->beside.n + f->along.n; i++) {
    wall_function *other = &e->walls[i < f->beside.n ? f->beside.at[i] : f->along.at[i - f->beside.n]];
    unsigned axes = other->axes | e->walls[number].axes;
    more = more || axes != other->axes || axes != other->far;
    other->axes = other->far = other->thin = axes;
  }
  return more;
}

/* Until they stay: the axes along which a function is called may be found after what it calls was planned. */
static void plan_all_axes(emitter *e) {
  for (bool more = true; more;) {
    more = false;
    for (int f = 0; f < e->p->function.n; f++) {
      wall_part *near = &e->walls[f].part[PLAN_PART_NEAR];
      unsigned along = 1 + e->walls[f].axes + (e->walls[f].far << 3) + (e->walls[f].thin << 6);
      if (!near->planned || near->ghosts_along == along) continue;
      near->ghosts_along = along;
      plan_ghosts(e, f, near);
      more = true;
    }
    for (int f = 0; f < e->p->function.n; f++) more = plan_axes_beside(e, f) || more;
  }
}

void walls_plan(emitter *e) {
  int n = e->p->function.n;
  if (n == 0) return;
  kir_add_struct(e->b, "walls_seen");
  e->walls = arena_array(e->memory, wall_function, n + 1);
  e->named.walls_buffer = arena_array(e->memory, bool, e->p->program->execution.n_buffers + 1);
  e->named.walls_parameter =
      arena_array(e->memory, bool, DSLC_MOST_COMPONENTS *(e->p->program->model.n_parameters + 1));
  for (int i = 0; i < n; i++)
    e->walls[i].name = name_fresh(e->file.macros, arena_printf(e->memory, "%s_of", walls_text(e, i)), "_f");
  plan_outputs(e);
  plan_all_axes(e);
}

/* ---- calls ------------------------------------------------------------------------------------------------------------ */

static kir_expr *walls_variable(const emitter *e) {
  return kir_quote(e->b, e->at_wall.function || walls_are_shared(e) ? "walls" : "&walls");
}

/* A call of one of the functions: the struct, and what else it takes. */
static kir_expr *call_of(const emitter *e, const char *stem, const char *part, kir_expr *const *more, int n) {
  kir_expr *arg[MOST_ARGUMENTS];
  arg[0] = walls_variable(e);
  for (int i = 0; i < n; i++) arg[i + 1] = more[i];
  return kir_call(e->b, arena_printf(e->memory, "%s_%s", stem, part), KIR_DOUBLE, arg, n + 1);
}

way walls_way(const emitter *e, const ir_node *n, int axis) {
  int d = displacement(e, n, axis), dir = d < 0 ? -1 : 1, steps = (d * dir - 1) / 2;
  way w = {{n->read.off[0], n->read.off[1], n->read.off[2]}, dir, steps};
  w.first[axis] = (int8_t)(w.first[axis] - dir * steps);
  return w;
}

static kir_expr *near_call(emitter *e, const wall_function *w, const ir_node *n, int axis) {
  way along = walls_way(e, n, axis);
  kir_expr *arg[] = {grid_shifted(e, kir_name(e->b, "point"), along.first), kir_whole(e->b, along.dir),
                     kir_whole(e->b, along.steps)};
  return call_of(e, w->name, arena_printf(e->memory, "near_%c", walls_axis[axis]), arg, 3);
}

const char *walls_across_suffix(plan_part part) {
  return part == PLAN_PART_ACROSS_3 ? "around_3" : part == PLAN_PART_ACROSS ? "around" : "across";
}

const char *walls_between_suffix(plan_part part) {
  return part == PLAN_PART_ACROSS_3 ? "between_3" : "between";
}

const char *walls_fixed_suffix(plan_part part) {
  static const char *const suffix[] = {"fixed_inside", "fixed_inside_2", "fixed_inside_3"};
  return part == PLAN_PART_FIXED ? "fixed" : suffix[part - PLAN_PART_FIXED_INSIDE];
}

/* Diagonally: the target, and how many points of its place lie from this side to it along each axis, itself counted. */
static kir_expr *across_call(emitter *e, int number, ir_id id) {
  const ir_node *n = ir_get(e->m, id);
  const plan_part part = plan_part_called(e->p, id, number);
  const unsigned between = part >= PLAN_PART_ACROSS ? walls_between(e, n) : 0;
  kir_expr *arg[MOST_ARGUMENTS];
  int n_args = 0;
  if (between) arg[n_args++] = kir_whole(e->b, (int)between);
  arg[n_args++] = grid_shifted(e, kir_name(e->b, "point"), n->read.off);
  for (int a = 0; a < e->m->dims; a++) {
    int halves = displacement(e, n, a);
    arg[n_args++] = kir_whole(e->b, halves < 0 ? (halves - 1) / 2 : (halves + 1) / 2);
  }
  const char *suffix = between ? walls_between_suffix(part) : walls_across_suffix(part);
  return call_of(e, e->walls[number].name, suffix, arg, n_args);
}

kir_expr *walls_element(emitter *e, int number, kir_expr *point) {
  const plan_function *f = walls_function(e, number);
  if (walls_has_table(e, f)) return tables_element(e, number, point);
  if (walls_computes(f)) return call_of(e, e->walls[number].name, "at", &point, 1);
  const plan_location *l = &e->p->location[f->sym];
  return access_widened(e, access_element(e, l->buffer[f->level], l->first + f->component, point));
}

static const char *const steps_along[] = {"dx", "dy", "dz"};

/* As seen along an axis from a point that is there. What lies before that is no matter: where the point itself may lie on a wall, the way
 * begins behind it. */
static kir_expr *seen_beside(emitter *e, int number, int axis, kir_expr *point) {
  const char *stem = e->walls[number].name, *d = steps_along[axis], *pitch = walls_pitch[axis];
  if (!grid_staggered(walls_place(e, walls_function(e, number)), axis))
    return kir_quote(e->b, "%s_near_%c(walls, %e, %s < 0 ? -1 : 1, %s < 0 ? -%s : %s)", stem,
                     walls_axis[axis], point, d, d, d, d);
  return kir_quote(
      e->b, "%s_near_%c(walls, %s < 0 ? %e - %s : %e + %s, %s < 0 ? -1 : 1, %s < 0 ? -%s - 1 : %s - 1)", stem,
      walls_axis[axis], d, point, pitch, point, pitch, d, d, d, d);
}

/* The quantity at a point inside of the wall across e->axis, as seen from there along the axes that are left. */
kir_expr *walls_beside(emitter *e, int number, kir_expr *point) {
  if (walls_function(e, number)->ghost.n == 0) return walls_element(e, number, point);
  const wall_function *w = &e->walls[number];
  kir_expr *seen = NULL, *arg[MOST_ARGUMENTS] = {point};
  for (int a = 0; a < e->m->dims; a++) {
    const char *d = steps_along[a];
    arg[1 + a] = a == e->at_wall.axis ? kir_whole(e->b, 0) : kir_name(e->b, d);
    if (a == e->at_wall.axis) continue;
    arg[0] =
        a ? kir_quote(e->b, "%e + %s*%s", arg[0], d, walls_pitch[a]) : kir_quote(e->b, "%e + %s", arg[0], d);
    if (!(w->axes >> a & 1)) continue;
    kir_expr *one = seen_beside(e, number, a, point);
    seen = seen ? kir_quote(e->b, "%s != 0 ? %e : %e", d, one, seen) : one;
  }
  if (e->at_wall.beyond == PLAN_PART_ACROSS_3)
    return call_of(e, w->name, walls_across_suffix(PLAN_PART_ACROSS), arg, 1 + e->m->dims);
  if (!seen) return walls_element(e, number, point);
  return e->m->dims > 2 ? kir_enclose(e->b, seen) : seen;
}

/* The way on to what lies behind the wall too: to the same point; or, from the first cell behind it, to a face of the same line. On the
 * far side that is the way on from behind the first point of the caller's. On this side the wall's own face comes first, and then those
 * beyond it, as seen back from there. */
typedef struct onward {
  kir_expr *arg[MOST_ARGUMENTS]; /* first, direction, steps */
  kir_expr *this_side;           /* when it is the wall's face; NULL: never */
} onward;

/* From any cell behind the wall that was met at t: what lies back along the line is on this side, the wall's own face, or still behind
 * it. */
static onward way_to_far_face(emitter *e, int off) {
  const char *pitch = walls_pitch[e->at_wall.axis], *back = off > 1 ? "dir < 0" : "dir > 0";
  const int far =
      off > 1 ? off - 1
              : -off; /* from that many cells on behind t, what lies back is no longer before the wall */
  const char *side = arena_printf(e->memory, off > 1 ? "t + 2*%s" : "t - %s", pitch);
  return (onward){
      {kir_quote(e->b, "%s && steps - s < %d ? %s : dir > 0 ? t + step : t", back, far, side),
       kir_quote(e->b, "%s && steps - s < %d ? -dir : dir", back, far),
       kir_quote(e->b, "!(%s) ? steps - s + %d : steps - s < %d ? %d - (steps - s) : steps - s - %d", back,
                 far, far, far - 1, far + 1)},
      kir_quote(e->b, "steps - s == %d && %s", far, back)};
}

/* Of faces before the cell and behind it the one kind lies on this side, by the direction. */
static onward way_to_face(emitter *e, int off) {
  const char *pitch = walls_pitch[e->at_wall.axis], *up = off ? "<" : ">";
  if (e->at_wall.is_far && off != 0 && off != 1) return way_to_far_face(e, off);
  if (off == 0 || off == 1)
    return (onward){{kir_quote(e->b, "dir > 0 ? first + step : first"), kir_name(e->b, "dir"),
                     kir_quote(e->b, "steps - (dir %s 0)", up)},
                    kir_quote(e->b, "steps == 0 && dir %s 0", up)};
  if (off > 1)
    return (onward){{kir_quote(e->b, "dir > 0 ? first + step : first + steps*step + 2*%s", pitch),
                     kir_whole(e->b, 1), kir_quote(e->b, "dir > 0 ? steps + %d : %d", off - 1, off - 2)},
                    NULL};
  return (onward){{kir_quote(e->b, "dir > 0 ? first + steps*step - %s : first", pitch), kir_quote(e->b, "-1"),
                   kir_quote(e->b, "dir > 0 ? %d : steps + %d", -off - 1, -off)},
                  NULL};
}

static onward way_behind(emitter *e, const ir_node *n) {
  const int axis = e->at_wall.axis;
  const ir_place to = ir_symbol_get(e->m, n->read.sym)->place;
  if (grid_staggered(to, axis) != grid_staggered(walls_place(e, e->at_wall.function), axis))
    return way_to_face(e, n->read.off[axis]);
  return (onward){{kir_name(e->b, "first"), kir_name(e->b, "dir"), kir_name(e->b, "steps")}, NULL};
}

/* What the caller's path leads to. */
static kir_expr *end_of_way(emitter *e, const ir_node *n) {
  return grid_shifted(e, kir_quote(e->b, "first + steps*step"), n->read.off);
}

static kir_expr *unless_this_side(emitter *e, const onward *w, kir_expr *this_side, kir_expr *beyond) {
  return w->this_side ? kir_quote(e->b, "(%e ? %e : %e)", w->this_side, this_side, beyond) : beyond;
}

/* In a rule beyond several walls. */
static kir_expr *beyond_call(emitter *e, const ir_node *n) {
  if (n->op != IR_READ || ir_symbol_get(e->m, n->read.sym)->place >= IR_XLINE) return NULL;
  bool along = n->read.at == IR_AT_NEAR && n->read.from == IR_NOWHERE;
  if (!along && n->read.at != IR_AT_INNER && n->read.at != IR_AT_MIRROR) return NULL;
  int number = plan_beside(e->p, n);
  if (number < 0) return NULL;
  if (!along && walls_function(e, number)->nowhere) /* in the reader's row */
    return walls_element(e, number, grid_index(e, n));
  if (!along) return walls_beside(e, number, grid_index(e, n));
  if (walls_function(e, number)->ghost.n == 0) return NULL;
  onward on = way_behind(e, n);
  for (int a = 0; a < e->m->dims; a++) on.arg[3 + a] = kir_name(e->b, steps_along[a]);
  const char *suffix =
      arena_printf(e->memory, "beside%s_%c", e->at_wall.beyond == PLAN_PART_ACROSS_3 ? "_3" : "",
                   walls_axis[e->at_wall.axis]);
  return unless_this_side(e, &on, walls_beside(e, number, end_of_way(e, n)),
                          call_of(e, e->walls[number].name, suffix, on.arg, 3 + e->m->dims));
}

/* What a READ near walls sees of a quantity that has ghosts. */
static kir_expr *seen_call(emitter *e, int number, ir_id id) {
  const ir_node *n = ir_get(e->m, id);
  const wall_function *w = &e->walls[number];
  if (n->read.from == IR_NOWHERE) {
    onward on = way_behind(e, n);
    const char *suffix = arena_printf(e->memory, "near_%c", walls_axis[e->at_wall.axis]);
    return unless_this_side(e, &on, walls_element(e, number, end_of_way(e, n)),
                            call_of(e, w->name, suffix, on.arg, 3));
  }
  unsigned axes = walls_axes(e, n);
  for (int a = 0; a < e->m->dims; a++)
    if (axes == 1u << a) return near_call(e, w, n, a);
  if (axes == 0) return walls_element(e, number, kir_name(e->b, "point"));
  return across_call(e, number, id);
}

/* What a rule reads at a point inside that may lie on a wall of its own; NULL: no rule fixes it there. */
static kir_expr *inside_call(emitter *e, int number, const ir_node *n) {
  int fix = e->at_wall.function && e->at_wall.inside ? plan_fixed_inside(e->p, n, e->at_wall.function) : -1;
  if (fix < 0) return NULL;
  kir_expr *arg[] = {grid_index(e, n), walls_element(e, number, grid_index(e, n))};
  return call_of(e, e->walls[fix].name, walls_fixed_suffix(e->at_wall.inside), arg, 2);
}

kir_expr *walls_call(emitter *e, ir_id id) {
  const ir_node *n = ir_get(e->m, id);
  kir_expr *beyond = e->at_wall.beyond ? beyond_call(e, n) : NULL;
  if (beyond) return beyond;
  int number = plan_called(e->p, id, e->at_wall.function);
  if (number < 0) return NULL;
  const plan_function *f = walls_function(e, number);
  kir_expr *point = kir_name(e->b, "point");
  if (f->kind == PLAN_FUNCTION_OUTPUT) return walls_element(e, number, point);
  if (n->op == IR_FIXED) {
    kir_expr *arg[] = {point, value_of(e, ir_args(e->m, n)[0])};
    return call_of(e, e->walls[number].name, "fixed", arg, 2);
  }
  kir_expr *inside = inside_call(e, number, n);
  if (inside) return inside;
  if (n->read.at != IR_AT_NEAR) return walls_element(e, number, grid_index(e, n));
  if (n->read.from == IR_NOWHERE && f->ghost.n == 0) { /* as it is given there, or by its formula */
    const bool given = ir_symbol_get(e->m, n->read.sym)->kind == IR_GIVEN;
    return walls_element(e, number, given ? grid_index(e, n) : end_of_way(e, n));
  }
  if (f->ghost.n == 0 || (e->k->fills && !e->at_wall.function) || e->at_wall.meets_no_wall)
    return walls_element(e, number, grid_shifted(e, point, n->read.off));
  return seen_call(e, number, id);
}

/* ---- what a kernel needs for its calls --------------------------------------------------------------------------------- */

static void close_part(emitter *e, call c, unsigned char *seen) {
  unsigned char *mark = &seen[c.function * PLAN_PARTS + c.part];
  if (*mark) return;
  *mark = 1;
  const wall_part *p = &e->walls[c.function].part[c.part];
  for (int i = 0; i < p->buffer.n; i++) {
    const dslc_buffer *b = &e->p->program->execution.buffer[p->buffer.at[i]];
    if (window_keeps(e, p->buffer.at[i])) continue;
    if (e->calls_walls) e->named.walls_buffer[p->buffer.at[i]] = true;
    slot *s = arguments_note(e, p->buffer.at[i]);
    s->read_by_value = s->by_walls = true;
    if (arguments_strided(b) && e->calls_walls) e->named.in_walls_struct[b->place] = true;
  }
  for (int i = 0; i < DSLC_MOST_COMPONENTS * e->p->program->model.n_parameters; i++)
    if (p->parameter[i]) {
      kir_touch(&e->args.touched, arguments_parameter(e, i));
      e->named.walls_parameter[i] = true;
    }
  for (int i = 0; i < p->call.n; i++) close_part(e, p->call.at[i], seen);
}

/* Is the node one that calls a function? A look-up in a table is none. */
static bool is_call(const emitter *e, ir_id id, call *c) {
  c->function = plan_called(e->p, id, NULL);
  c->part = c->function < 0 ? PLAN_PART_TABLE : part_of(e, id, c->function, NULL);
  return c->part != PLAN_PART_TABLE;
}

/* What is stored, and of which no rule says anything, is read as an element: no function is called for it. */
static bool has_function(const emitter *e, const call *c) {
  return c->part != PLAN_PART_AT || walls_computes(walls_function(e, c->function));
}

void walls_note_kernel(emitter *e) {
  const int parts = PLAN_PARTS * e->p->function.n + 1;
  unsigned char *seen = arena_array(e->memory, unsigned char, parts);
  call c;
  e->calls_walls = false;
  for (int i = 0; i < e->values.live.n; i++)
    if (is_call(e, e->values.live.at[i], &c)) e->calls_walls = e->calls_walls || has_function(e, &c);
  for (int i = 0; i < e->values.live.n; i++) /* the struct has what any of them reads, also the first */
    if (is_call(e, e->values.live.at[i], &c)) close_part(e, c, seen);
  arena_return_array(e->memory, seen, parts);
  if (!e->k->fills) tables_note_reads(e);
  if (e->calls_walls && e->named.walls_stage) kir_touch(&e->args.touched, arguments_stage(e));
}

/* ---- the struct -------------------------------------------------------------------------------------------------------- */

static void each_member(emitter *e, window_member *visit) {
  const dslc_program *g = e->p->program;
  const kir_type *number = kir_scalar(e->b->program, KIR_DOUBLE), *index = kir_scalar(e->b->program, KIR_INT);
  if (e->m->dims > 1) visit(e, index, "pitch_y");
  if (e->m->dims > 2) visit(e, index, "pitch_z");
  for (int p = 0; p < DSLC_PLACE_COUNT; p++)
    if (e->named.in_walls_struct[p])
      visit(e, index, arena_printf(e->memory, "stride_%s", ir_place_text((ir_place)p)));
  for (int i = 0; i < DSLC_MOST_COMPONENTS * g->model.n_parameters; i++)
    if (e->named.walls_parameter[i]) visit(e, number, e->file.parameter[i]);
  if (e->named.walls_stage) visit(e, number, "stage");
  for (int b = 0; b < g->execution.n_buffers; b++)
    if (e->named.walls_buffer[b]) visit(e, walls_pointer(e, &g->execution.buffer[b]), e->file.buffer_arg[b]);
}

const kir_type *walls_pointer(const emitter *e, const dslc_buffer *b) {
  const kir_type *element = kir_scalar(e->b->program, access_kind(b));
  return kir_pointer_to(e->b->program, kir_qualified(e->b->program, element, true, false),
                        e->d->opencl ? KIR_GLOBAL : KIR_PRIVATE);
}

static void add_member(emitter *e, const kir_type *type, const char *text) {
  kir_struct *walls = e->b->program->structs.at[0];
  vec_push(e->memory, &walls->fields, ((kir_field){text, type}));
}

void walls_complete_type(emitter *e) {
  each_member(e, add_member);
  window_each_member(e, add_member);
}

static void write_initialiser(emitter *e, kir_expr *walls, const kir_type *type, const char *text) {
  kir_expr *member = kir_member(e->b, walls, walls_are_shared(e), text, type);
  kir_assign(e->b, member, KIR_NONE, kir_name(e->b, text));
}

/* Not of a buffer: see write_members. */
static bool is_member(const emitter *e, const dslc_arg *a) {
  switch (a->kind) {
  case DSLC_ARG_PITCH: return true;
  case DSLC_ARG_STAGE: return e->named.walls_stage;
  case DSLC_ARG_STRIDE: return e->named.in_walls_struct[a->number];
  case DSLC_ARG_PARAMETER: return e->named.walls_parameter[a->number * DSLC_MOST_COMPONENTS + a->component];
  default: return false;
  }
}

/* Those of the struct's members that the kernel is given, in the struct's order: its arguments are in that, but for buffers. */
static void write_members(emitter *e, kir_expr *walls) {
  const dslc_program *g = e->p->program;
  VEC(ir_id) buffers = {0};
  for (int i = 0; i < e->args.arg.n; i++) {
    const dslc_arg *a = &e->args.arg.at[i];
    const kir_kind kind = a->kind == DSLC_ARG_PARAMETER || a->kind == DSLC_ARG_STAGE ? KIR_DOUBLE : KIR_INT;
    const int buffer = a->kind == DSLC_ARG_BUFFER ? e->args.slot.at[a->number].buffer : -1;
    if (buffer >= 0 && e->named.walls_buffer[buffer]) vec_push(e->memory, &buffers, (ir_id)buffer);
    if (is_member(e, a)) write_initialiser(e, walls, kir_scalar(e->b->program, kind), a->name);
  }
  ir_sort(buffers.at, buffers.n);
  for (int i = 0; i < buffers.n; i++) {
    const ir_id b = buffers.at[i];
    write_initialiser(e, walls, walls_pointer(e, &g->execution.buffer[b]), e->file.buffer_arg[b]);
  }
}

/* Here, once the kernel's arguments are known. */
static void leave_place(emitter *e) {
  kir_body *body = e->b->open.at[e->b->open.n - 1].body;
  vec_push(e->memory, &e->rest.members, ((member_place){body, body->n, kir_name(e->b, "walls")}));
  window_write_members(e, walls_are_shared(e) ? "walls->" : "walls.");
}

static void write_members_at(emitter *e, const member_place *place) {
  kir_body members = {0}, *body = place->body;
  kir_open(e->b, NULL, &members);
  write_members(e, place->walls);
  kir_close_block(e->b);
  for (int i = 0; i < members.n; i++) vec_push(e->memory, body, members.at[i]);
  for (int i = body->n - 1; i >= place->at + members.n; i--) body->at[i] = body->at[i - members.n];
  for (int i = 0; i < members.n; i++) body->at[place->at + i] = members.at[i];
}

/* From the last one to the first: places before stay where they are. */
void walls_write_members(emitter *e) {
  for (int i = e->rest.members.n - 1; i >= 0; i--) write_members_at(e, &e->rest.members.at[i]);
}

void walls_write_struct(emitter *e) {
  bool calls = false;
  call c;
  for (int i = 0; i < e->values.live.n; i++)
    calls = calls || (is_call(e, e->values.live.at[i], &c) && has_function(e, &c));
  if (!calls || walls_are_shared(e)) return;
  kir_line(e->b, "walls_seen walls;");
  leave_place(e);
}

/* LLVM 15 in PoCL crashes where it knows which variable in local memory such pointers come from: that index is 0. */
void walls_write_shared(emitter *e) {
  if (!e->calls_walls || !walls_are_shared(e)) return;
  kir_line(e->b, "__local walls_seen walls_of_group[1], *const walls = walls_of_group + get_local_id(2);");
  kir_line(e->b, "if (get_local_id(0) + get_local_id(1) == 0) {");
  leave_place(e);
  kir_line(e->b, "}\nbarrier(CLK_LOCAL_MEM_FENCE);");
}
