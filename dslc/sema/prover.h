/* One proof of proof.h: what its two steps share. Formulas are evaluated in proof_value.c, verdicts found in proof.c. */
#ifndef DSLC_SEMA_PROVER_H
#define DSLC_SEMA_PROVER_H

#include "sema/field.h"
#include "sema/proof.h"

enum { MOST_CONDITIONS = 40, MOST_TIES = 3 };

/* A formula evaluated at one end, from one side. */
typedef struct view {
  ir_id root;
  ir_at end;
  uint8_t level;
  bool exchanged;
} view;

typedef struct known_view {
  view of;
  const field *value;
} known_view;

/* A comparison, whichever way it was written: of a - b > 0 and of b - a > 0 one is `key` > 0. */
typedef struct condition {
  field key, value;
  view where;
  ir_id node;
  bool equality; /* == or != */
  bool flipped;  /* there, a - b is -key */
  unsigned ties; /* bit 0, 1: where both sides are equal a use takes `key` > 0 for false, for true */
  bool set;      /* the value is 0 or 1 by choice */
} condition;

/* Both sides of a comparison are equal where this variable has this value. */
typedef struct tie {
  condition of;
  field variable, value;
} tie;

/* A divisor, of either sign. */
typedef struct pole {
  field key;
  bool flipped; /* it is -key */
  ir_id node;   /* the quotient */
} pole;

typedef struct prover {
  sema *s;
  bool expand; /* equations of cells and nodes are written out */
  bool cases;
  /* compared with itself on a moved mesh: what faces have for a proved reason is written out */
  bool elsewhere;
  bool moved;    /* and now it is moved */
  int budget;
  bool hopeless;
  VEC(known_view) views;
  VEC(condition) conditions;
  VEC(field) drawn;      /* the variables */
  VEC(field) lengths;    /* those of them that are roots and absolute values, so not negative */
  const field *variable; /* which has the value `root` instead */
  field root;
  VEC(pole) poles;         /* of all that was evaluated */
  VEC(condition) excluded; /* cases were ruled out but for this comparison's equal sides */
  int n_ties;              /* comparisons of which both sides are equal */
  tie tie[MOST_TIES];
} prover;

/* The value of a formula; rubbish once the proof is hopeless. */
const field *prover_value(prover *p, view v);

/* What makes a number, as tanh(1/x) does, of a quotient whose divisor has the other sign seen from the other side, and may be 0; in the formula, or in
 * the second one, seen from there, or in what they read. 0: nothing does. For a prover that has evaluated nothing. */
ir_id lost_pole(prover *p, ir_id plain, ir_id turned);

/* What was evaluated and drawn. */
void prover_forget(prover *p);

#endif
