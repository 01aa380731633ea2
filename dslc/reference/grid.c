/* What a read on a grid means. A reader looks along an axis, cell by cell. Where it leaves the active cells it meets a wall, and
 * what lies beyond is what that wall's rule says: a ghost belongs to its reader, since a solid one cell thick has two walls. */
#include <stdlib.h>
#include <string.h>

#include "reference/reference.h"

/* ---- points -------------------------------------------------------------------------------------------------------------- */

bool ref_staggered(ir_place place, int axis) { return ir_place_on_faces(place, axis); }

int32_t ref_extent(const dslc_reference *r, ir_place place, int axis) {
  if (axis >= r->world.d->dim) return 1;
  return r->world.grid->n[axis] + (ref_staggered(place, axis) && !r->world.grid->periodic[axis]);
}

void ref_point_at(const dslc_reference *r, ir_place place, int32_t entity, int32_t p[3]) {
  for (int a = 0; a < 3; a++) {
    int32_t n = ref_extent(r, place, a);
    p[a] = entity % n;
    entity /= n;
  }
}

int32_t ref_point_number(const dslc_reference *r, ir_place place, const int32_t p[3]) {
  int32_t number = 0, pitch = 1;
  for (int a = 0; a < 3; a++) {
    int32_t n = ref_extent(r, place, a), i = p[a];
    if (a < r->world.d->dim && r->world.grid->periodic[a]) i = (i % n + n) % n;
    if (i < 0 || i >= n) return -1;
    number += i * pitch;
    pitch *= n;
  }
  return number;
}

static bool is_active(const dslc_reference *r, const int32_t cell[3]) {
  int32_t number = ref_point_number(r, IR_CELLS, cell);
  return number >= 0 && !r->world.grid->solid[number];
}

bool ref_touches_active(const dslc_reference *r, ir_place place, const int32_t p[3]) {
  int32_t number = ref_point_number(r, place, p);
  return number >= 0 && ref_is_there(r, place, number);
}

/* Twice the coordinate, in cells. */
int32_t ref_halves(ir_place place, const int32_t p[3], int axis) {
  return 2 * p[axis] + !ref_staggered(place, axis);
}

int32_t ref_wall_at(const dslc_reference *r, int axis, const int32_t face[3]) {
  int32_t number = ref_point_number(r, (ir_place)(IR_XFACES + axis), face);
  return number < 0 ? -1 : r->world.grid->wall[axis][number];
}

/* The columns of cells on which a point lies, along an axis: more than one where its place is staggered along others. */
static int columns(const dslc_reference *r, ir_place place, const int32_t p[3], int axis,
                   int32_t column[4][3]) {
  int n = 0;
  for (int corner = 0; corner < 8; corner++) {
    bool fits = true;
    for (int a = 0; a < 3; a++) {
      bool below = corner >> a & 1;
      fits = fits && (!below || (a != axis && a < r->world.d->dim && ref_staggered(place, a)));
      column[n][a] = p[a] - below;
    }
    n += fits;
    if (n == 4) break;
  }
  return n;
}

/* Of two that are next to each other the one for the other where it is none. */
static void replace_missing(int32_t *a, int32_t *b) {
  if (*a < 0) *a = *b;
  if (*b < 0) *b = *a;
}

int ref_walls_beside(const dslc_reference *r, const ref_stand *at, int32_t wall[4]) {
  const ref_met *m = &at->met;
  int32_t point[3], column[4][3];
  wall[0] = at->at;
  if (ref_halves(at->place, at->p, m->axis) == 2 * m->face[m->axis]) return 1;
  for (int a = 0; a < 3; a++) point[a] = a == m->axis ? m->face[a] : at->p[a] - m->other[a];
  const int n = columns(r, at->place, point, m->axis, column);
  for (int i = 0; i < n; i++) {
    wall[i] = ref_wall_at(r, m->axis, column[i]);
    if (wall[i] >= 0 && r->world.grid->wall_rule[wall[i]] != r->world.grid->wall_rule[at->at]) wall[i] = -1;
  }
  if (n > 1) replace_missing(&wall[0], &wall[1]);
  if (n > 2) replace_missing(&wall[2], &wall[3]);
  if (n > 2) replace_missing(&wall[0], &wall[2]), replace_missing(&wall[1], &wall[3]);
  for (int i = 0; i < n; i++)
    if (wall[i] < 0) wall[i] = at->at;
  return n;
}

int ref_walls_on(const dslc_reference *r, ir_place place, const int32_t p[3], ref_met wall[12]) {
  int n = 0;
  int32_t column[4][3];
  for (int a = 0; a < r->world.d->dim; a++) {
    if (!ref_staggered(place, a)) continue;
    int n_columns = columns(r, place, p, a, column);
    for (int i = 0; i < n_columns; i++) {
      ref_met m = {.wall = ref_wall_at(r, a, column[i]), .axis = a};
      memcpy(m.face, column[i], sizeof m.face);
      if (m.wall >= 0) wall[n++] = m;
    }
  }
  return n;
}

/* ---- looking along an axis --------------------------------------------------------------------------------------------------- */

/* Does the way enter the cells of this column through a wall? */
static ref_met met_at(const dslc_reference *r, int axis, int32_t column[4][3], int n, int32_t cell, int dir) {
  ref_met none = {.wall = -1};
  for (int i = 0; i < n; i++) {
    column[i][axis] = cell;
    if (is_active(r, column[i])) return none;
  }
  for (int i = 0; i < n; i++) {
    ref_met m = {.axis = axis, .face = {column[i][0], column[i][1], column[i][2]}};
    m.face[axis] = dir > 0 ? cell : cell + 1;
    m.wall = ref_wall_at(r, axis, m.face);
    if (m.wall >= 0) return m;
  }
  return none;
}

static int32_t half(int32_t n) { return n >= 0 ? n / 2 : -((1 - n) / 2); } /* rounded down */

/* The first wall on the way from a point to another one, which differs along one axis only. */
ref_met ref_look(const dslc_reference *r, ir_place from, const int32_t p[3], ir_place to, const int32_t q[3],
                 int axis) {
  int32_t column[4][3];
  int n = columns(r, to, q, axis, column);
  int32_t begin = ref_halves(from, p, axis), end = ref_halves(to, q, axis);
  int dir = end < begin ? -1 : 1;
  int32_t first = dir > 0 ? half(begin + 1) : half(begin) - 1, last = dir > 0 ? half(end - 1) : half(end);
  for (int32_t cell = first; dir > 0 ? cell <= last : cell >= last; cell += dir) {
    ref_met m = met_at(r, axis, column, n, cell, dir);
    if (m.wall >= 0) return m;
  }
  return (ref_met){.wall = -1};
}
