/* Units of measure: products of base units with rational exponents, and unknowns still to be found. Two units that must be
 * equal give a linear equation over the exponents; the unknowns are solved one by one as equations arrive. */
#ifndef DSLC_SEMA_UNIT_H
#define DSLC_SEMA_UNIT_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/source.h"

typedef struct unit unit; /* immutable; NULL is the unit 1 */
typedef struct unit_system unit_system;

unit_system *units_create(arena *a);

/* A base or derived unit by name: m s kg K A mol cd rad, N Pa J W Hz C V F Ohm T Wb H; false if unknown. */
bool units_named(unit_system *u, const char *text, const unit **out);
const char *const *units_names(int *n);

const unit *units_unknown(unit_system *u); /* a fresh unknown */
const unit *units_product(unit_system *u, const unit *a, const unit *b);
const unit *units_quotient(unit_system *u, const unit *a, const unit *b);
const unit *units_power(unit_system *u, const unit *a, long num, long den);

/* Demands a == b, as the text at `at` does. False if that is impossible. */
bool units_equate(unit_system *u, const unit *a, const unit *b, span at);
/* Does `a` hold an unknown that was solved since? Then which, and by the text at `at`. */
bool units_origin(unit_system *u, const unit *a, int *unknown, span *at);
bool units_is_unknown(const unit *a, int unknown);                 /* is `a` just that unknown? */
const unit *units_resolved(unit_system *u, const unit *a);         /* with all known unknowns replaced */
bool units_is_one(unit_system *u, const unit *a);                  /* known to be 1 */
bool units_is_known(unit_system *u, const unit *a);                /* no unknowns left */
const char *units_text(unit_system *u, const unit *a, arena *out); /* "m/s^2", "s/m^(1/3)", "1" */

/* The fraction num/den nearest to x with den <= 12; false if x is none within 1e-12. */
bool units_fraction(double x, long *num, long *den);

#endif
