/* The faces of a side beside which a point behind it lies: one, or, where its place is staggered along the side, two, in 3D up to four. The first that
 * is a wall says which rule holds; a rule's argument is the mean of its values at those which have this rule, so that what varies along a side is
 * met between its faces to second order. */
#include <string.h>

#include "base/defects.h"
#include "emit/walls.h"

/* Entry of the wall face at which the walls array is to be asked: the point itself, or shifted down along the other axes along
 * which the place is staggered. Up to four candidates. */
int walls_faces(const emitter *e, ir_place place, int axis, int8_t (*off)[3]) {
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

/* One more column in which the wall may stand. */
void walls_write_candidate(emitter *e, int axis, const int8_t off[3]) {
  kir_expr *wall = access_element(e, e->p->grid.wall[axis], 0, grid_shifted(e, kir_name(e->b, "face"), off));
  const char *columns = "";
  for (int a = 0; e->at_wall.ghost_place && a < e->m->dims; a++)
    if (a != axis) columns = arena_printf(e->memory, "%s, column_%c = %d", columns, walls_axis[a], off[a]);
  kir_line(e->b, "if (wall < 0) wall = %e%s;", wall, columns);
}

/* ---- arguments ------------------------------------------------------------------------------------------------------------- */

static bool reads_argument(const emitter *e, const plan_function *f) {
  for (int i = 0; i < f->ghost.n; i++) {
    const ir_reached all = ir_reach(e->m, &f->ghost.at[i].value, 1);
    for (int k = 0; k < all.n; k++) {
      const ir_node *n = ir_get(e->m, all.at[k]);
      if (n->op == IR_PARAM && ir_symbol_get(e->m, n->read.sym)->kind == IR_RULE_ARGUMENT) return true;
    }
  }
  return false;
}

/* Of four faces all; of two only the second, the first being `wall`, or another face if that one is no wall. */
static const char *const beside[] = {"wall_0", "wall_1", "wall_2", "wall_3"};

int walls_write_faces(emitter *e, const plan_function *f, int axis, int n, int8_t (*off)[3]) {
  if (n == 1 || !reads_argument(e, f) || defect_is_back("arguments_between_faces")) return 0;
  for (int i = n == 2; i < n; i++) {
    kir_expr *face = grid_shifted(e, kir_name(e->b, "face"), off[i]);
    kir_line(e->b, "int %s = %e;", beside[i], access_element(e, e->p->grid.wall[axis], 0, face));
    kir_line(e->b, "if (%s < 0 || (%s & 63) != (wall & 63)) %s = %s;", beside[i], beside[i], beside[i],
             n == 2 ? "wall" : "-1");
  }
  if (n == 4)
    kir_line(e->b, "if (wall_0 < 0) wall_0 = wall_1;\n"
                   "if (wall_1 < 0) wall_1 = wall_0;\n"
                   "if (wall_2 < 0) wall_2 = wall_3;\n"
                   "if (wall_3 < 0) wall_3 = wall_2;\n"
                   "if (wall_0 < 0) wall_0 = wall_2, wall_1 = wall_3;\n"
                   "if (wall_2 < 0) wall_2 = wall_0, wall_3 = wall_1;");
  return n;
}

static kir_expr *argument_at(emitter *e, int buffer, int component, const char *wall) {
  return access_widened(e, access_element(e, buffer, component, kir_quote(e->b, "%s >> 6", wall)));
}

kir_expr *walls_mean_argument(emitter *e, int buffer, int component) {
  const bool two = e->at_wall.faces == 2;
  kir_expr *mean =
      kir_quote(e->b, "0.5*(%e + %e)", argument_at(e, buffer, component, two ? "wall" : beside[0]),
                argument_at(e, buffer, component, beside[1]));
  if (two) return mean;
  return kir_quote(e->b, "0.5*(%e + 0.5*(%e + %e))", mean, argument_at(e, buffer, component, beside[2]),
                   argument_at(e, buffer, component, beside[3]));
}
