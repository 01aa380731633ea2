/* What a read on a grid means. Seen along one axis, a point behind a wall has the value that the wall's rule gives: its ghost, or
 * what follows from ghosts point by point. Seen diagonally, the ways round count. */
#include <stdlib.h>
#include <string.h>

#include "reference/reference.h"

static void read_point(dslc_reference *r, ref_env *env, const ref_stand *at, ir_sym sym, const int32_t q[3],
                       double *out);

ref_env *ref_env_of(dslc_reference *r, ref_env *env, ir_level level) {
  return level == IR_PREV ? &r->prev : level == IR_OLD ? r->old : env;
}

/* ---- lines ------------------------------------------------------------------------------------------------------------------- */

/* Along an axis widths and centres continue beyond the ends: periodically, or as in a mirror. */
static double line_value(const dslc_reference *r, const ir_symbol *q, int32_t i) {
  int axis = (int)q->place - IR_XLINE;
  int32_t n = r->world.grid->n[axis];
  const double *face = r->world.grid->face[axis], low = face[0], high = face[n];
  bool width = q->text[0] == 'd';
  if (i >= 0 && i < n) return width ? face[i + 1] - face[i] : 0.5 * (face[i] + face[i + 1]);
  if (r->world.grid->periodic[axis]) {
    double inside = line_value(r, q, i < 0 ? i + n : i - n);
    return width ? inside : i < 0 ? inside - (high - low) : inside + (high - low);
  }
  double image = line_value(r, q, i < 0 ? -1 - i : 2 * n - 1 - i);
  return width ? image : 2 * (i < 0 ? low : high) - image;
}

/* As a point has it that lies behind a wall, or beside it: not as its reader sees it, across a periodic side. `i` is where the point lies,
 * along the wall's own axis the cell inside. */
static double line_of_point(const dslc_reference *r, const ref_met *m, const ir_symbol *q, int32_t i,
                            int off) {
  const int axis = (int)q->place - IR_XLINE;
  const int32_t n = r->world.grid->n[axis];
  if (m->wall < 0 || !r->world.grid->periodic[axis]) return line_value(r, q, i + off);
  const bool along = axis == m->axis;
  const int32_t base = along ? m->face[axis] - !r->world.grid->wall_active_above[m->wall] : i;
  const int32_t turns = base >= 0 ? base / n : -((n - 1 - base) / n);
  return line_value(r, q, i + off - turns * n);
}

/* ---- points that are there ----------------------------------------------------------------------------------------------------- */

/* `t`: when givens hold. */
static void read_at_time(dslc_reference *r, ref_env *env, double t, ir_sym sym, const int32_t q[3],
                         double *out) {
  const ir_symbol *s = ir_symbol_get(r->m, sym);
  int32_t number = ref_point_number(r, s->place, q);
  bool constant = s->kind == IR_GIVEN || s->kind == IR_GEOMETRY;
  if (number < 0)
    ref_fault(r, IR_NOWHERE, -1, "`%s` is read at [%s], which is not a point of the grid", s->text,
              ref_index_text(r, q));
  const double *value = constant ? ref_constant(r, t, sym, number) : ref_value(r, env, sym, 0, number);
  memcpy(out, value, sizeof *out * s->type.n);
}

static void read_plain(dslc_reference *r, ref_env *env, ir_sym sym, const int32_t q[3], double *out) {
  read_at_time(r, env, ref_env_time(r, env), sym, q, out);
}

/* ---- beyond a wall ----------------------------------------------------------------------------------------------------------- */

static bool above(const dslc_reference *r, const ref_met *m) {
  return r->world.grid->wall_active_above[m->wall];
}

/* How many points of the place lie between the point and the wall. */
static int depth_of(const ref_met *m, ir_place place, const int32_t q[3]) {
  int32_t away = abs(ref_halves(place, q, m->axis) - 2 * m->face[m->axis]);
  return (away + 1) / 2 - 1;
}

/* Given values are the case's wherever the grid has a point, and outside those of the nearest one inside. */
static void read_given(dslc_reference *r, ref_env *env, ir_sym sym, const ref_met *m, const int32_t q[3],
                       double *out) {
  ir_place place = ir_symbol_get(r->m, sym)->place;
  int32_t p[3] = {q[0], q[1], q[2]};
  for (int a = 0; a < r->world.d->dim; a++) {
    int32_t last = ref_extent(r, place, a) - 1;
    if (!r->world.grid->periodic[a]) p[a] = p[a] < 0 ? 0 : p[a] > last ? last : p[a];
  }
  (void)m;
  read_plain(r, env, sym, p, out);
}

/* The point inside that [inner] or [mirror] names, for a quantity of this place. */
static void point_inside(const dslc_reference *r, const ref_stand *at, ir_place place, bool mirror,
                         int32_t q[3]) {
  const ref_met *m = &at->met;
  int32_t face = m->face[m->axis];
  int inwards = above(r, m) ? 1 : -1;
  for (int a = 0; a < 3; a++)
    q[a] = ref_staggered(at->place, a) && !ref_staggered(place, a) ? m->face[a] : at->p[a] - m->other[a];
  if (!ref_staggered(place, m->axis))
    q[m->axis] = (above(r, m) ? face : face - 1) + (mirror ? inwards * at->deep : 0);
  else if (mirror) q[m->axis] = face + inwards * (1 + at->deep);
  else q[m->axis] = at->on_wall ? face : face + inwards;
}

static bool is_zero(const int32_t v[3]) { return v[0] == 0 && v[1] == 0 && v[2] == 0; }

/* What this wall's rule gives nothing for, as a rule beside it may read beyond a corner, or a formula there, or a reader behind that of a solid:
 * the point inside, still beyond the other walls. Of a state that no rule gives a rule itself has the point in its reader's row: see read_in_rule. */
static void read_inside(dslc_reference *r, ref_env *env, ir_sym sym, const ref_stand *at, double *out) {
  ref_stand inside = {.kind = REF_POINT, .place = at->place, .met = {.wall = -1}};
  int32_t q[3];
  point_inside(r, at, at->place, false, inside.p);
  for (int a = 0; a < 3; a++) q[a] = inside.p[a] + at->met.other[a];
  if (is_zero(at->met.other)) read_plain(r, env, sym, inside.p, out);
  else read_point(r, env, &inside, sym, q, out);
}

/* Does an equation's own formula hold behind a wall across the axis whose rule does not give it? Where it follows behind walls across another
 * axis alone, it is only read beside its reader: then it is as [inner], like what another rule gives. */
static bool holds_beyond(dslc_reference *r, ir_sym sym, int axis) {
  const ir_symbol *s = ir_symbol_get(r->m, sym);
  if (s->kind != IR_EQUATION || !s->root[0]) return false;
  return ref_follows_beyond(r, sym, axis) || (!r->work.across && !ref_is_beyond(r, sym));
}

static void compute_beyond(dslc_reference *r, ref_env *env, ir_sym sym, const ref_met *m, const int32_t q[3],
                           double *out) {
  const ir_symbol *s = ir_symbol_get(r->m, sym);
  int rule = r->world.grid->wall_rule[m->wall];
  const ir_rule_entry *ghost = ref_entry(r, rule, IR_GHOST, sym);
  ref_stand at = {.kind = ghost ? REF_GRID_WALL : REF_POINT, .place = s->place, .at = m->wall, .met = *m};
  memcpy(at.p, q, sizeof at.p);
  at.deep = depth_of(m, s->place, q);
  at.on_wall = !ref_entry(r, rule, IR_FIX, sym);
  if (ghost) ref_evaluate(r, env, &at, ghost->root, out);
  else if (s->kind == IR_GIVEN || s->kind == IR_GEOMETRY) read_given(r, env, sym, m, q, out);
  else if (holds_beyond(r, sym, m->axis)) ref_evaluate(r, env, &at, s->root[0], out);
  else if (r->work.across || ref_is_beyond(r, sym)) read_inside(r, env, sym, &at, out);
  else
    ref_fault(r, IR_NOWHERE, -1, "`%s` is read at [%s], beyond a wall where the rule `%s` does not give it",
              s->text, ref_index_text(r, q), r->m->rule.at[rule + 1].text);
}

/* A hash table of what is known beyond walls: by quantity, wall, and place relative to the wall; to rules beside this one, and to others. */
static void key_of(ir_sym sym, const ref_met *m, const int32_t q[3], bool across, uint64_t key[2]) {
  key[0] = (uint64_t)sym << 32 | (uint64_t)across << 31 | (uint32_t)m->wall;
  key[1] = 0;
  for (int a = 0; a < 3; a++)
    key[1] = (key[1] << 8 | (uint8_t)(q[a] - m->face[a])) << 8 | (uint8_t)m->other[a];
}

static ref_ghost *find_ghost(const ref_env *env, const uint64_t key[2]) {
  uint64_t h = (key[0] * 0x9e3779b97f4a7c15ULL ^ key[1]) * 0xff51afd7ed558ccdULL;
  uint32_t i = (uint32_t)(h >> 32) & (env->ghost_room - 1);
  while (env->ghost[i].value && (env->ghost[i].key[0] != key[0] || env->ghost[i].key[1] != key[1]))
    i = (i + 1) & (env->ghost_room - 1);
  return &env->ghost[i];
}

static void grow_ghosts(ref_env *env) {
  ref_ghost *old = env->ghost;
  uint32_t room = env->ghost_room;
  if (2 * (env->n_ghosts + 1) < room) return;
  env->ghost_room *= 2;
  env->ghost = arena_array(env->memory, ref_ghost, env->ghost_room);
  for (uint32_t i = 0; i < room; i++)
    if (old[i].value) *find_ghost(env, old[i].key) = old[i];
}

static void read_beyond(dslc_reference *r, ref_env *env, ir_sym sym, const ref_met *m, const int32_t q[3],
                        double *out) {
  int n = ir_symbol_get(r->m, sym)->type.n;
  uint64_t key[2];
  key_of(sym, m, q, r->work.across > 0, key);
  ref_ghost *g = find_ghost(env, key);
  if (ref_is_of_reader(r, env)) { /* of another time with each reader */
    compute_beyond(r, env, sym, m, q, out);
    return;
  }
  if (g->value && g->age == env->age) {
    memcpy(out, g->value, sizeof *out * (size_t)n);
    return;
  }
  const ref_trail trail = {
      .what = arena_printf(r->step_memory, "%s[%s]", ir_symbol_get(r->m, sym)->text, ref_index_text(r, q)),
      .at = ir_symbol_get(r->m, sym)->at,
      .outer = r->work.trail};
  r->work.trail = &trail;
  compute_beyond(r, env, sym, m, q, out);
  r->work.trail = trail.outer;
  grow_ghosts(env);
  g = find_ghost(env, key); /* what was computed may have made others */
  if (!g->value) {
    *g = (ref_ghost){.key = {key[0], key[1]}, .value = arena_array(env->memory, double, n)};
    env->n_ghosts++;
  }
  g->age = env->age;
  memcpy(g->value, out, sizeof *out * (size_t)n);
}

/* ---- as seen from a point ------------------------------------------------------------------------------------------------------- */

/* What is read: a quantity at a point, as seen from where its reader stands. */
typedef struct grid_read {
  const ref_stand *at;
  ir_sym sym;
  const int32_t *q;
} grid_read;

/* Along one axis: what is there, or what the first wall on the way says. */
static void read_along(dslc_reference *r, ref_env *env, const grid_read *g, int axis, double *out) {
  ir_place place = ir_symbol_get(r->m, g->sym)->place;
  ref_met m = ref_look(r, g->at->place, g->at->p, place, g->q, axis);
  if (m.wall >= 0) read_beyond(r, env, g->sym, &m, g->q, out);
  else read_plain(r, env, g->sym, g->q, out);
}

/* How many points of the target's place lie on the way to it along an axis, itself counted. */
static int32_t steps_to(ir_place place, const int32_t q[3], const ref_stand *at, int axis) {
  int32_t away = ref_halves(place, q, axis) - ref_halves(at->place, at->p, axis);
  return away < 0 ? (away - 1) / 2 : (away + 1) / 2;
}

/* How far this side is from a point: along axes, and how many steps along each. */
typedef struct steps_back {
  int32_t step[3];
} steps_back;

/* The point with some of its axes - bits - taken back to the reader's side. */
static void beside(const int32_t q[3], const steps_back *back, unsigned axes, int32_t out[3]) {
  for (int a = 0; a < 3; a++) out[a] = q[a] - (axes >> a & 1 ? back->step[a] : 0);
}

/* From an active point beside the target across one wall; where several axes lie between, this one's rule reads what lies beyond the
 * others. */
static void read_way(dslc_reference *r, ref_env *env, const grid_read *g, const int32_t side[3], int axis,
                     double *out) {
  ir_place place = ir_symbol_get(r->m, g->sym)->place;
  const int32_t *q = g->q;
  int32_t behind[3];
  memcpy(behind, side, sizeof behind);
  behind[axis] = q[axis];
  ref_met m = ref_look(r, place, side, place, behind, axis);
  for (int a = 0; a < 3; a++) m.other[a] = q[a] - behind[a];
  if (m.wall >= 0) read_beyond(r, env, g->sym, &m, q, out);
  else read_plain(r, env, g->sym, q, out);
}

static int count_bits(unsigned axes) { return (int)((axes & 1) + (axes >> 1 & 1) + (axes >> 2 & 1)); }

/* Diagonally: the ways that lead from an active point along the fewest axes, and of these the mean. Along several, as beyond a corner,
 * the walls' rules hold one after the other: all orders count. False: no way leads there. */
static bool read_ways(dslc_reference *r, ref_env *env, const grid_read *g, const steps_back *back,
                      double *out) {
  const ir_symbol *s = ir_symbol_get(r->m, g->sym);
  double sum[256] = {0}, value[256];
  unsigned moved = 0;
  int ways = 0;
  for (int a = 0; a < 3; a++)
    if (back->step[a]) moved |= 1u << a;
  for (int n = 1; n <= 3 && ways == 0; n++)
    for (unsigned axes = 1; axes < 8; axes++) {
      int32_t side[3];
      beside(g->q, back, axes, side);
      if (count_bits(axes) != n || (axes & ~moved) || !ref_touches_active(r, s->place, side)) continue;
      for (int a = 0; a < r->world.d->dim; a++) {
        if (!(axes >> a & 1)) continue;
        read_way(r, env, g, side, a, value);
        for (int i = 0; i < s->type.n; i++) sum[i] += value[i];
        ways++;
      }
    }
  for (int i = 0; i < s->type.n; i++) out[i] = ways ? sum[i] / ways : 0;
  return ways > 0;
}

/* The axes along which the reader stands between two cells and reads farther than those two. */
static unsigned between(const dslc_reference *r, const grid_read *g) {
  const ir_place place = ir_symbol_get(r->m, g->sym)->place;
  unsigned axes = 0;
  for (int a = 0; a < r->world.d->dim; a++) {
    const int32_t away = ref_halves(place, g->q, a) - ref_halves(g->at->place, g->at->p, a);
    if (ref_staggered(g->at->place, a) && away % 2 && abs(away) > 2) axes |= 1u << a;
  }
  return axes;
}

/* This side of a reader between two cells is that of the far one, as seen from the target; where that leads nowhere, as in a passage one
 * cell wide, the near one counts: along as few axes as can be, and where several choices of them lead there the mean. */
static void read_across(dslc_reference *r, ref_env *env, const grid_read *g, double *out) {
  const ir_symbol *s = ir_symbol_get(r->m, g->sym);
  const unsigned free = between(r, g);
  double sum[256] = {0}, value[256];
  int found = 0;
  for (int n = 0; n <= 3 && found == 0; n++)
    for (unsigned near = 0; near < 8; near++) {
      steps_back back = {{0}};
      if (count_bits(near) != n || (near & ~free)) continue;
      for (int a = 0; a < r->world.d->dim; a++) {
        const int32_t steps = steps_to(s->place, g->q, g->at, a);
        back.step[a] = near >> a & 1 ? steps - (steps < 0 ? -1 : 1) : steps;
      }
      if (!read_ways(r, env, g, &back, value)) continue;
      for (int i = 0; i < s->type.n; i++) sum[i] += value[i];
      found++;
    }
  if (found == 0)
    ref_fault(r, IR_NOWHERE, -1, "`%s` is read at [%s], which no way leads to", s->text,
              ref_index_text(r, g->q));
  for (int i = 0; i < s->type.n; i++) out[i] = sum[i] / found;
}

/* A point's nearest one on or before the wall, on this side of the others. */
static ref_stand before(const dslc_reference *r, const ref_met *m, ir_place place, const int32_t q[3]) {
  ref_stand at = {.kind = REF_POINT, .place = place, .met = {.wall = -1}};
  bool on_face = ref_staggered(place, m->axis);
  for (int a = 0; a < 3; a++) at.p[a] = q[a] - m->other[a];
  at.p[m->axis] = m->face[m->axis] - (!on_face && !above(r, m));
  return at;
}

/* The wall at the point's own place, or the one met so far where there is none. */
static void move_along(const dslc_reference *r, ref_met *m, ir_place place, const int32_t q[3]) {
  ref_met there = *m;
  for (int below = 0; below < 2; below++) {
    for (int a = 0; a < 3; a++)
      if (a != m->axis) there.face[a] = q[a] - m->other[a] - (below && ref_staggered(place, a));
    there.wall = ref_wall_at(r, m->axis, there.face);
    if (there.wall < 0) continue;
    *m = there;
    return;
  }
}

/* From behind a wall to another point behind it: along the wall, or beyond others that stand in the way on this side. */
static ref_met met_behind(const dslc_reference *r, const ref_stand *at, ir_place place, const int32_t q[3]) {
  ref_met m = at->met;
  ref_stand from = before(r, &m, at->place, at->p), to = before(r, &m, place, q);
  int moved = 0, axis = 0;
  for (int a = 0; a < r->world.d->dim; a++)
    if (a != m.axis && ref_halves(place, q, a) != ref_halves(at->place, at->p, a)) axis = a, moved++;
  if (moved == 0) return m;
  bool free = ref_touches_active(r, place, to.p);
  if (free && moved == 1) free = ref_look(r, at->place, from.p, place, to.p, axis).wall < 0;
  for (int a = 0; a < r->world.d->dim && !free; a++)
    if (a != m.axis) m.other[a] += steps_to(place, q, at, a);
  if (free) move_along(r, &m, place, q);
  return m;
}

/* From where a point behind a wall sees another one on or before it, which may lie beyond others: on this side of these, and straight before
 * the wall from the point there, if no wall stands before it. */
static ref_stand this_side(const dslc_reference *r, const ref_stand *at, ir_place place, const int32_t q[3]) {
  const ref_met *m = &at->met;
  const ref_stand side = before(r, m, at->place, at->p);
  ref_stand straight = {.kind = REF_POINT, .place = place, .met = {.wall = -1}};
  for (int a = 0; a < 3; a++) {
    straight.p[a] = q[a] - m->other[a];
    if (a != m->axis && ref_halves(place, q, a) != ref_halves(at->place, at->p, a)) return side;
  }
  return ref_look(r, at->place, side.p, place, straight.p, m->axis).wall < 0 ? straight : side;
}

/* From a point behind a wall: what lies behind it too is that wall's, what lies on or before it is there, beyond the others of the point as a
 * rule sees it: what these do not give is as [inner] of them. */
static bool read_from_behind(dslc_reference *r, ref_env *env, const ref_stand *at, ir_sym sym,
                             const int32_t q[3], double *out) {
  if (at->met.wall < 0) return false;
  ir_place place = ir_symbol_get(r->m, sym)->place;
  int32_t beyond = ref_halves(place, q, at->met.axis) - 2 * at->met.face[at->met.axis];
  if (above(r, &at->met) ? beyond >= 0 : beyond <= 0) {
    const ref_stand side = this_side(r, at, place, q);
    const int others = !is_zero(at->met.other);
    r->work.across += others;
    read_point(r, env, &side, sym, q, out);
    r->work.across -= others;
    return true;
  }
  ref_met m = met_behind(r, at, place, q);
  read_beyond(r, env, sym, &m, q, out);
  return true;
}

static void read_point(dslc_reference *r, ref_env *env, const ref_stand *at, ir_sym sym, const int32_t q[3],
                       double *out) {
  ir_place place = ir_symbol_get(r->m, sym)->place;
  int axis = -1, n = 0;
  if (read_from_behind(r, env, at, sym, q, out)) return;
  for (int a = 0; a < r->world.d->dim; a++)
    if (ref_halves(place, q, a) != ref_halves(at->place, at->p, a)) axis = a, n++;
  if (n == 0 || (n > 1 && ref_touches_active(r, place, q))) read_plain(r, env, sym, q, out);
  else if (n == 1) read_along(r, env, &(grid_read){at, sym, q}, axis, out);
  else read_across(r, env, &(grid_read){at, sym, q}, out);
}

/* ---- in a rule -------------------------------------------------------------------------------------------------------------------- */

/* Where the active cells are fewer than what is read, the mirror image is the point nearest to the wall. Beyond several walls the
 * value inside of this one is what the others say. */
static void read_in_rule(dslc_reference *r, ref_env *now, const ref_stand *at, const ir_node *n,
                         double *out) {
  ref_env *env = ref_env_of(r, now, (ir_level)n->read.level), *reader = r->work.reader;
  const ir_symbol *s = ir_symbol_get(r->m, n->read.sym);
  bool mirror = n->read.at == IR_AT_MIRROR, line = s->place >= IR_XLINE;
  ir_place place = line ? IR_CELLS : s->place;
  ref_stand inside = {.kind = REF_POINT, .place = place, .met = {.wall = -1}};
  int32_t q[3];
  env = ref_env_named(r, env, at, n->read.sym);
  point_inside(r, at, place, mirror, inside.p);
  if (mirror && !ref_touches_active(r, place, inside.p)) point_inside(r, at, place, false, inside.p);
  for (int a = 0; a < 3; a++) q[a] = inside.p[a] + at->met.other[a];
  if (line) *out = line_of_point(r, &at->met, s, q[s->place - IR_XLINE], 0);
  else if (is_zero(at->met.other)) read_at_time(r, env, ref_time(r, env, at), n->read.sym, q, out);
  else if (!ref_is_beyond(r, n->read.sym)) read_plain(r, env, n->read.sym, inside.p, out);
  else {
    r->work.across++;
    if (env != now) r->work.reader = now;
    read_point(r, env, &inside, n->read.sym, q, out);
    r->work.reader = reader;
    r->work.across--;
  }
}

/* ---- all ---------------------------------------------------------------------------------------------------------------------------- */

void ref_read_grid(dslc_reference *r, ref_env *now, const ref_stand *at, const ir_node *n, double *out) {
  ref_env *env = ref_env_of(r, now, (ir_level)n->read.level);
  const ir_symbol *s = ir_symbol_get(r->m, n->read.sym);
  int32_t q[3];
  if (at->kind == REF_GRID_WALL) {
    read_in_rule(r, now, at, n, out);
    return;
  }
  for (int a = 0; a < 3; a++) q[a] = at->p[a] + n->read.off[a];
  const int axis = (int)s->place - IR_XLINE;
  if (axis >= 0) *out = line_of_point(r, &at->met, s, at->p[axis], n->read.off[axis]);
  else read_point(r, env, at, n->read.sym, q, out);
}
