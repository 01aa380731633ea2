/* What is proved of the two ends of a face (L and R) or an edge (I and J): see proof.c. */
#ifndef DSLC_SEMA_PROOF_H
#define DSLC_SEMA_PROOF_H

#include "sema/internal.h"

typedef struct side_proof {
  bool even, odd; /* for all values at which no two sides of a comparison are equal; both: it is 0 */
  bool ties;      /* and where they are equal too */
  span tie;       /* else the first comparison of which that is not proved, as far as its place is known */
  bool pole;      /* or, at `tie`, what makes a number of a quotient whose divisor turns: see poles.c */
} side_proof;

/* Compares one formula with another one, or itself, seen from the other side. */
side_proof prove_sides(sema *s, ir_id plain, ir_id turned);

/* Stays the formula the same if the mesh is moved: does it read `centre` in differences only, as centre - centre[L]? False too where
 * neither is proved. */
bool prove_unmoved(sema *s, ir_id formula);

#endif
