/* Functions near walls, shared by walls.c, which plans and calls them, walls_write.c, which writes them, and walls_met.c, which finds where
 * they need not be asked. */
#ifndef DSLC_EMIT_WALLS_H
#define DSLC_EMIT_WALLS_H

#include "emit/emit.h"

typedef struct call {
  int function;
  plan_part part;
} call;

typedef struct wall_part {
  VEC(call) call;
  VEC(int) buffer;
  bool used, written, open, planned;
  bool from_between;     /* of ACROSS: some caller stands between two cells, see walls_between */
  unsigned ghosts_along; /* of NEAR: 1 + the axes with which its ghosts were planned last */
  bool *parameter;
} wall_part;

typedef struct wall_function {
  const char *name;
  wall_part part[PLAN_PARTS];
  unsigned axes; /* of NEAR: along which it is called */
  unsigned far;  /* those along which it is asked for beyond the first of its points on the way */
  unsigned thin; /* those along which a solid one cell thick may lie between the reader and what is read */
  bool across;   /* and along several at once, of which walls lie along one */
} wall_function;

/* Along one axis: the first point beyond the caller, in which direction, and how many more to the target. */
typedef struct way {
  int8_t first[3];
  int dir, steps;
} way;

extern const char walls_axis[];         /* letters, by axis */
extern const char *const walls_pitch[]; /* a step along it, as text */

const plan_function *walls_function(const emitter *e, int number);
ir_place walls_place(const emitter *e, const plan_function *f);
bool walls_computes(const plan_function *f); /* a value at its own point; else that is stored */
bool walls_are_shared(const emitter *e);
bool walls_has_table(const emitter *e, const plan_function *f);      /* and is it looked up? */
unsigned walls_axes(const emitter *e, const ir_node *n);             /* along which a READ is shifted */
unsigned walls_fixed_axes(const emitter *e, const plan_function *f); /* across which walls fix it */
way walls_way(const emitter *e, const ir_node *n, int axis);         /* of a READ shifted along one axis */
kir_expr *walls_element(emitter *e, int number, kir_expr *point);    /* at a point: an element, or a call */
const char *walls_fixed_suffix(plan_part part);                      /* of what rules fix */
const char *walls_across_suffix(plan_part part); /* of the name of what is seen along several axes */
/* The axes along which the reader stands between two cells and reads farther than those two. */
unsigned walls_between(const emitter *e, const ir_node *n);
const char *walls_between_suffix(plan_part part);
/* At a point inside of the wall across e->axis, seen along the axes that are left. */
kir_expr *walls_beside(emitter *e, int number, kir_expr *point);
/* walls_faces.c. The shifts, down along the axes along which a place is staggered, that lead from a point to the faces of a side beside which it
 * lies: 1, 2 or 4, the point's own first. */
int walls_faces(const emitter *e, ir_place place, int axis, int8_t (*off)[3]);
/* Takes the wall of the shifted face where the faces before it are none. */
void walls_write_candidate(emitter *e, int axis, const int8_t off[3]);
/* Writes the walls between which a rule's arguments are the mean, and returns how many; 0: there is but one, or no rule reads an argument. */
int walls_write_faces(emitter *e, const plan_function *f, int axis, int n, int8_t (*off)[3]);
/* walls_met.c. Is there no gas in the cells between two neighbouring points along the axis? `cell`: a variable. */
kir_expr *walls_way_out(emitter *e, ir_place place, int axis, const char *cell);
bool walls_may_be_met(emitter *e, const plan_function *f); /* on the way to what it reads */
kir_expr *walls_met(emitter *e, const plan_function *f, const char *point);
const kir_type *walls_pointer(const emitter *e, const dslc_buffer *b); /* to a buffer, as functions see it */
void walls_complete_type(emitter *e);                                  /* the struct: its members */
void walls_order(
    emitter *e,
    int first); /* walls_order.c: the program's functions from this one on, each behind what it calls */

#endif
