/* Places of a grid as expressions. A point (col, row, layer) owns the cell there and the faces and the corner on its lower sides; all
 * arrays have one layout, so a shift is one number whatever lives there. */
#include "emit/emit.h"

#include <stdlib.h>

static const char *const pitch[] = {"1", "pitch_y", "pitch_z"};

bool grid_staggered(ir_place place, int axis) { return ir_place_on_faces(place, axis); }

/* n points along an axis. */
static kir_expr *multiple(emitter *e, int n, int axis) {
  if (axis == 0) return kir_whole(e->b, n);
  kir_expr *of = kir_name(e->b, pitch[axis]);
  return n == 1 ? of : kir_binary(e->b, KIR_MUL, kir_whole(e->b, n), of);
}

kir_expr *grid_shifted(emitter *e, kir_expr *point, const int8_t off[3]) {
  for (int a = e->m->dims - 1; a >= 0; a--)
    if (off[a]) point = kir_binary(e->b, off[a] < 0 ? KIR_SUB : KIR_ADD, point, multiple(e, abs(off[a]), a));
  return point;
}

/* The coordinate along an axis of a point given by its number. */
static kir_expr *coordinate(emitter *e, kir_expr *point, int axis) {
  int dims = e->m->dims;
  if (dims == 1) return point;
  if (axis == 0) return kir_quote(e->b, "(%e)%%pitch_y", point);
  if (axis == dims - 1) return kir_quote(e->b, "(%e)/%s", point, pitch[axis]);
  return kir_quote(e->b, "(%e)%%pitch_z/pitch_y", point);
}

/* In a kernel over the line itself: its ends stand for what lies beyond; nobody looks there. */
static kir_expr *index_along(emitter *e, int off) {
  if (off == 0) return kir_name(e->b, "i");
  if (off < 0) return kir_quote(e->b, "i >= %d ? i - %d : 0", -off, -off);
  return kir_quote(e->b, "i + %d < items ? i + %d : items - 1", off, off);
}

/* A point that lies `steps` (a variable) further along an axis. */
static kir_expr *stepped(emitter *e, kir_expr *point, const char *steps, int axis) {
  if (axis == 0) return kir_quote(e->b, "%e + %s", point, steps);
  return kir_quote(e->b, "%e + %s*%s", point, steps, pitch[axis]);
}

/* Beyond several walls a rule reads in the row beyond the others: what no rule gives there, lines and givens, is there itself. */
static kir_expr *in_row_beyond(emitter *e, const ir_node *n, kir_expr *point) {
  static const char *const steps[] = {"dx", "dy", "dz"};
  const int function = plan_beside(e->p, n);
  const ir_place place = ir_symbol_get(e->m, n->read.sym)->place;
  if (!e->at_wall.beyond || (function >= 0 && e->p->function.at[function].ghost.n > 0)) return point;
  if ((int)place == IR_XLINE + e->at_wall.axis) return point;
  for (int a = 0; a < e->m->dims; a++)
    if (a != e->at_wall.axis) point = stepped(e, point, steps[a], a);
  return point;
}

static kir_expr *in_column(emitter *e, ir_place place, kir_expr *point);

static kir_expr *line_point(emitter *e, const ir_node *n) {
  kir_expr *point = kir_name(e->b, n->read.at == IR_AT_INNER ? "inner" : "mirror"),
           *in = in_column(e, ir_symbol_get(e->m, n->read.sym)->place, point);
  return in ? in : point;
}

/* Of a READ at the point that the caller's path leads to. */
static kir_expr *behind(emitter *e, const ir_node *n) {
  return grid_shifted(e, kir_quote(e->b, "first + steps*step"), n->read.off);
}

static kir_expr *line_index(emitter *e, const ir_node *n, int axis) {
  static const char *const variable[] = {"col", "row", "layer"};
  if (n->read.at == IR_AT_INNER || n->read.at == IR_AT_MIRROR)
    return coordinate(e, in_row_beyond(e, n, line_point(e, n)), axis);
  if (n->read.at == IR_AT_NEAR && n->read.from == IR_NOWHERE)
    return coordinate(e, in_row_beyond(e, n, behind(e, n)), axis);
  if (e->k->place >= IR_XLINE && !e->at_wall.function) return index_along(e, n->read.off[axis]);
  kir_expr *at =
      e->at_wall.function ? coordinate(e, kir_name(e->b, "point"), axis) : kir_name(e->b, variable[axis]);
  int off = n->read.off[axis];
  return off ? kir_binary(e->b, off < 0 ? KIR_SUB : KIR_ADD, at, kir_whole(e->b, abs(off))) : at;
}

/* A fix at a corner speaks of the wall's faces beside it. What is staggered as the corner is lies before the corner itself, along the
 * other axes before the face. NULL: the names that stand for the face, or for the point, say it. */
static kir_expr *before_corner(emitter *e, ir_place place, bool from_face) {
  int8_t off[3] = {0};
  bool same = true;
  for (int a = 0; e->at_wall.wall_face && a < e->m->dims; a++) {
    if (!grid_staggered(place, a)) off[a] = e->at_wall.wall_face[a];
    same = same && off[a] == (from_face ? e->at_wall.wall_face[a] : 0);
  }
  if (same) return NULL;
  kir_expr *beside = grid_shifted(e, kir_name(e->b, "point"), off), *above = beside;
  const char *step = pitch[e->at_wall.axis];
  if (grid_staggered(place, e->at_wall.axis)) above = kir_quote(e->b, "%e + %s", beside, step);
  return kir_quote(e->b, "(up ? %e : %e - %s)", above, beside, step);
}

/* A face or a corner lies beside several columns of cells, of which one has met the wall: what does not lie so stands in that one. NULL:
 * the names say it. */
static kir_expr *in_column(emitter *e, ir_place place, kir_expr *point) {
  static const char *const column[] = {"column_x", "column_y", "column_z"};
  kir_expr *moved = point;
  for (int a = 0; e->at_wall.ghost_place && a < e->m->dims; a++)
    if (a != e->at_wall.axis && grid_staggered(e->at_wall.ghost_place, a) && !grid_staggered(place, a) &&
        (place < IR_XLINE || (int)place == IR_XLINE + a))
      moved = stepped(e, moved, column[a], a);
  return moved == point ? NULL : kir_enclose(e->b, moved);
}

/* The point next to the wall, of a quantity on faces across it or of another one. */
static const char *next_to_wall(const emitter *e, bool face, bool fixed) {
  return !face ? "inner" : e->at_wall.on_boundary && !fixed ? "face" : "inner_face";
}

/* The mirror image, or the point next to the wall where that is none: `mirror` says so for cells. */
static kir_expr *mirror_of(emitter *e, ir_place place, bool face) {
  kir_expr *image = kir_quote(e->b, face ? "mirror_face" : "(inner + mirror_face - inner_face)");
  kir_expr *in = in_column(e, place, image);
  if (!e->at_wall.is_far || (place == IR_CELLS && !in)) {
    if (!in) return kir_name(e->b, face ? "mirror_face" : "mirror");
    return in_column(e, place, kir_name(e->b, face ? "mirror_face" : "inner"));
  }
  kir_expr *inner = kir_name(e->b, next_to_wall(e, face, false));
  if (in) image = in, inner = in_column(e, place, inner);
  return kir_quote(e->b, "(%e ? %e : %e)", grid_out(e, place, image), inner, image);
}

static kir_expr *index_inside(emitter *e, const ir_node *n, ir_place place) {
  bool face = e->at_wall.axis >= 0 && grid_staggered(place, e->at_wall.axis);
  kir_expr *before = before_corner(e, place, face || place == IR_CELLS || n->read.at == IR_AT_MIRROR);
  if (before) return before;
  if (n->read.at == IR_AT_MIRROR) return mirror_of(e, place, face);
  bool beside = !face && place != IR_CELLS;
  const bool fixed = face && n->read.off[e->at_wall.axis];
  kir_expr *inner = kir_name(e->b, beside ? "inner_beside" : next_to_wall(e, face, fixed));
  kir_expr *in = in_column(e, place, inner);
  return in ? in : inner;
}

kir_expr *grid_index(emitter *e, const ir_node *n) {
  if (n->op == IR_PARAM) return kir_quote(e->b, "wall >> 6");
  const ir_symbol *q = ir_symbol_get(e->m, n->read.sym);
  if (q->place >= IR_XLINE) return line_index(e, n, (int)q->place - (int)IR_XLINE);
  bool inside = n->read.at == IR_AT_INNER || n->read.at == IR_AT_MIRROR;
  if (n->read.at == IR_AT_NEAR && n->read.from == IR_NOWHERE) return in_row_beyond(e, n, behind(e, n));
  if (!inside) return grid_shifted(e, kir_name(e->b, "point"), n->read.off);
  kir_expr *point = index_inside(e, n, q->place);
  return q->kind == IR_GIVEN ? in_row_beyond(e, n, point) : point;
}

const char *grid_shift_suffix(emitter *e, const ir_node *n) {
  const char *text = "";
  for (int a = 0; a < e->m->dims; a++) {
    int off = n->read.off[a];
    if (off == 0) continue;
    text = arena_printf(e->memory, "%s%s%c%c", text, *text ? "" : "_", "xyz"[a], off < 0 ? 'm' : 'p');
    if (abs(off) > 1) text = arena_printf(e->memory, "%s%d", text, abs(off));
  }
  return text;
}

/* Does one of the places lie on the lower side of its cell along every axis of the corner? */
static bool any_touches(const emitter *e, unsigned places, int corner) {
  for (int place = 0; place < IR_PLACE_COUNT; place++) {
    bool touches = places >> place & 1;
    for (int a = 0; a < e->m->dims; a++)
      if (corner >> a & 1) touches = touches && grid_staggered((ir_place)place, a);
    if (touches) return true;
  }
  return false;
}

kir_expr *grid_out_of_all(emitter *e, unsigned places, kir_expr *point) {
  kir_expr *all = NULL;
  for (int corner = 0; corner < 1 << e->m->dims; corner++) {
    if (!any_touches(e, places, corner)) continue;
    int8_t off[3] = {0};
    for (int a = 0; a < e->m->dims; a++) off[a] = corner >> a & 1 ? -1 : 0;
    kir_expr *near = access_element(e, e->p->grid.near, 0, grid_shifted(e, point, off));
    kir_expr *out = kir_binary(e->b, KIR_EQ, near, kir_whole(e->b, 0));
    all = all ? kir_binary(e->b, KIR_BOTH, all, out) : out;
  }
  return all;
}

kir_expr *grid_out(emitter *e, ir_place place, kir_expr *point) {
  return grid_out_of_all(e, 1u << place, point);
}

kir_expr *grid_out_at(emitter *e, ir_place place, const char *point) {
  return grid_out(e, place, kir_name(e->b, point));
}
