/* Places of a grid as text. A point (col, row, layer) owns the cell there and the faces and the corner on its lower sides; all
 * arrays have one layout, so a shift is one number whatever lives there. */
#include "back/emit.h"

#include <stdlib.h>
#include <string.h>

static const char *const pitch[] = {"1", "pitch_y", "pitch_z"};

bool grid_staggered(ir_place place, int axis) {
  return place == IR_CORNERS || (int)place - (int)IR_XFACES == axis;
}

static const char *multiple(emitter *e, int n, const char *of) {
  if (strcmp(of, "1") == 0) return arena_printf(e->memory, "%d", n);
  return n == 1 ? of : arena_printf(e->memory, "%d*%s", n, of);
}

const char *grid_shifted(emitter *e, const char *point, const int8_t off[3]) {
  const char *text = point;
  for (int a = e->m->dims - 1; a >= 0; a--)
    if (off[a])
      text = arena_printf(e->memory, "%s %c %s", text, off[a] < 0 ? '-' : '+',
                          multiple(e, abs(off[a]), pitch[a]));
  return text;
}

/* The coordinate along an axis of a point given by its number. */
static const char *coordinate(emitter *e, const char *point, int axis) {
  int dims = e->m->dims;
  if (dims == 1) return point;
  if (axis == 0) return arena_printf(e->memory, "(%s)%%pitch_y", point);
  if (axis == dims - 1) return arena_printf(e->memory, "(%s)/%s", point, pitch[axis]);
  return arena_printf(e->memory, "(%s)%%pitch_z/pitch_y", point);
}

/* In a kernel over the line itself: its ends stand for what lies beyond; nobody looks there. */
static const char *index_along(emitter *e, int off) {
  if (off == 0) return "i";
  if (off < 0) return arena_printf(e->memory, "i >= %d ? i - %d : 0", -off, -off);
  return arena_printf(e->memory, "i + %d < items ? i + %d : items - 1", off, off);
}

/* Beyond several walls a rule reads in the row beyond the others: what no rule gives there, lines and givens, is there itself. */
static const char *in_row_beyond(emitter *e, const ir_node *n, const char *point) {
  static const char *const steps[] = {"dx", "dy", "dz"};
  const int function = plan_beside(e->p, n);
  const ir_place place = ir_symbol_get(e->m, n->read.sym)->place;
  if (!e->at_wall.beyond || (function >= 0 && e->p->function.at[function].ghost.n > 0)) return point;
  if ((int)place == IR_XLINE + e->at_wall.axis) return point;
  for (int a = 0; a < e->m->dims; a++)
    if (a != e->at_wall.axis)
      point = arena_printf(e->memory, "%s + %s%s%s", point, steps[a], a ? "*" : "", a ? pitch[a] : "");
  return point;
}

static const char *in_column(emitter *e, ir_place place, const char *point);

static const char *line_point(emitter *e, const ir_node *n) {
  const char *point = n->read.at == IR_AT_INNER ? "inner" : "mirror",
             *in = in_column(e, ir_symbol_get(e->m, n->read.sym)->place, point);
  return in ? in : point;
}

static const char *line_index(emitter *e, const ir_node *n, int axis) {
  static const char *const variable[] = {"col", "row", "layer"};
  if (n->read.at == IR_AT_INNER || n->read.at == IR_AT_MIRROR)
    return coordinate(e, in_row_beyond(e, n, line_point(e, n)), axis);
  if (n->read.at == IR_AT_NEAR && n->read.from == IR_NOWHERE)
    return coordinate(e, in_row_beyond(e, n, "first + steps*step"), axis);
  if (e->k->place >= IR_XLINE && !e->at_wall.function) return index_along(e, n->read.off[axis]);
  const char *at = e->at_wall.function ? coordinate(e, "point", axis) : variable[axis];
  int off = n->read.off[axis];
  return off ? arena_printf(e->memory, "%s %c %d", at, off < 0 ? '-' : '+', abs(off)) : at;
}

/* A fix at a corner speaks of the wall's faces beside it. What is staggered as the corner is lies before the corner itself, along the
 * other axes before the face. NULL: the names that stand for the face, or for the point, say it. */
static const char *before_corner(emitter *e, ir_place place, bool from_face) {
  int8_t off[3] = {0};
  bool same = true;
  for (int a = 0; e->at_wall.wall_face && a < e->m->dims; a++) {
    if (!grid_staggered(place, a)) off[a] = e->at_wall.wall_face[a];
    same = same && off[a] == (from_face ? e->at_wall.wall_face[a] : 0);
  }
  if (same) return NULL;
  const char *beside = grid_shifted(e, "point", off), *step = pitch[e->at_wall.axis];
  const char *above = grid_staggered(place, e->at_wall.axis) ? arena_printf(e->memory, " + %s", step) : "";
  return arena_printf(e->memory, "(up ? %s%s : %s - %s)", beside, above, beside, step);
}

/* A face or a corner lies beside several columns of cells, of which one has met the wall: what does not lie so stands in that one. NULL:
 * the names say it. */
static const char *in_column(emitter *e, ir_place place, const char *point) {
  static const char *const column[] = {"column_x", "column_y", "column_z"};
  const char *text = point;
  for (int a = 0; e->at_wall.ghost_place && a < e->m->dims; a++)
    if (a != e->at_wall.axis && grid_staggered(e->at_wall.ghost_place, a) && !grid_staggered(place, a) &&
        (place < IR_XLINE || (int)place == IR_XLINE + a))
      text = arena_printf(e->memory, "%s + %s%s%s", text, column[a], a ? "*" : "", a ? pitch[a] : "");
  return text == point ? NULL : arena_printf(e->memory, "(%s)", text);
}

/* The mirror image, or the point next to the wall where that is none: `mirror` says so for cells. */
static const char *mirror_of(emitter *e, ir_place place, bool face) {
  const char *in = in_column(e, place, face ? "mirror_face" : "(inner + mirror_face - inner_face)");
  if (!e->at_wall.is_far || (place == IR_CELLS && !in))
    return in ? in_column(e, place, face ? "mirror_face" : "inner") : face ? "mirror_face" : "mirror";
  const char *image = in     ? in
                      : face ? "mirror_face"
                             : "(inner + mirror_face - inner_face)",
             *inner = !face                    ? "inner"
                      : e->at_wall.on_boundary ? "face"
                                               : "inner_face";
  if (in) inner = in_column(e, place, inner);
  return arena_printf(e->memory, "(%s ? %s : %s)", grid_out(e, place, image), inner, image);
}

static const char *index_inside(emitter *e, const ir_node *n, ir_place place) {
  bool face = e->at_wall.axis >= 0 && grid_staggered(place, e->at_wall.axis);
  const char *before = before_corner(e, place, face || place == IR_CELLS || n->read.at == IR_AT_MIRROR);
  if (before) return before;
  if (n->read.at == IR_AT_MIRROR) return mirror_of(e, place, face);
  const char *inner = !face                    ? place == IR_CELLS ? "inner" : "inner_beside"
                      : e->at_wall.on_boundary ? "face"
                                               : "inner_face";
  const char *in = in_column(e, place, inner);
  return in ? in : inner;
}

const char *grid_index(emitter *e, const ir_node *n) {
  if (n->op == IR_PARAM) return "wall >> 6";
  const ir_symbol *q = ir_symbol_get(e->m, n->read.sym);
  if (q->place >= IR_XLINE) return line_index(e, n, (int)q->place - (int)IR_XLINE);
  bool inside = n->read.at == IR_AT_INNER || n->read.at == IR_AT_MIRROR;
  if (n->read.at == IR_AT_NEAR && n->read.from == IR_NOWHERE)
    return in_row_beyond(e, n, "first + steps*step");
  if (!inside) return grid_shifted(e, "point", n->read.off);
  const char *point = index_inside(e, n, q->place);
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

const char *grid_out_of_all(emitter *e, unsigned places, const char *point) {
  const char *text = NULL;
  for (int corner = 0; corner < 1 << e->m->dims; corner++) {
    if (!any_touches(e, places, corner)) continue;
    int8_t off[3] = {0};
    for (int a = 0; a < e->m->dims; a++) off[a] = corner >> a & 1 ? -1 : 0;
    const char *one = access_element(e, e->p->grid.near, 0, grid_shifted(e, point, off));
    text =
        text ? arena_printf(e->memory, "%s && %s == 0", text, one) : arena_printf(e->memory, "%s == 0", one);
  }
  return text;
}

const char *grid_out(emitter *e, ir_place place, const char *point) {
  return grid_out_of_all(e, 1u << place, point);
}
