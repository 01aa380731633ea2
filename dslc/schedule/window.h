/* The windowed schedule, derived from shifts alone.
 *
 * A pass evaluates pieces (equations between the inputs and the outputs of one update) at the points of a grid. A work-group
 * covers a strip of columns and marches along the rows; in pass number r piece e is computed at row r + o(e). What another
 * piece still needs of earlier rows is kept in a ring of rows in local memory, or in a register.
 *
 * For every read of piece p by piece c at shift (di, dj): o(p) >= o(c) + dj, outputs at 0 at least (longest paths; a cycle
 * cannot be windowed). The value read is o(p) - o(c) - dj passes old. Rows kept: the oldest reader's age + 1; a register if
 * that is 1 and every di = 0. A slot may be overwritten once a barrier lies between its last reader at another column and the
 * write; otherwise one row more. (docs/windows.md; findings.md 2.) Nothing here knows an equation: pieces and shifts only. */
#ifndef DSLC_SCHEDULE_WINDOW_H
#define DSLC_SCHEDULE_WINDOW_H

#include <stdbool.h>

#include "base/arena.h"

typedef struct window_read {
  int piece;  /* that is read */
  int off[2]; /* columns, rows */
} window_read;

typedef struct window_piece {
  const char *name; /* for reasons; NULL: its number */
  VEC(window_read) read;
  bool output;    /* written to global memory: computed at row 0 of the pass at least */
  int words;      /* doubles per point */
  bool in_memory; /* never in a register: something looks it up by its place */

  /* derived */
  int row;  /* o(piece) */
  int rows; /* kept; 0: no piece reads it */
  bool in_register;
  int first; /* row of the subdomain from which on it is computed (<= 0 for outputs): in earlier passes it rests */
  int lo,
      hi; /* columns beyond the strip on either side at which it is computed; negative: not at all columns of the strip */
  int order;    /* position within a pass; -1: nothing needs it, it is never computed */
  bool barrier; /* before it in a pass */
} window_piece;

typedef struct window {
  VEC(window_piece) piece;

  /* derived */
  VEC(int) order; /* the pieces of a pass */
  int first_row;  /* passes before the first row of the subdomain: first_row .. -1 run as prologue (<= 0) */
  int halo_lo, halo_hi; /* columns of a work-group that only help */
  int local_words;      /* doubles of local memory per column of the work-group */
  bool closing;         /* a barrier closes the pass */
  int barriers;         /* in one pass, the one that closes it included */
} window;

/* Fills the derived parts. NULL on success, else why it cannot be windowed. */
const char *window_derive(arena *a, window *w);

/* How many passes old a value is when piece c reads it. */
int window_age(const window *w, const window_piece *c, const window_read *r);

#endif
