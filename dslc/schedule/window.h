/* The windowed schedule, derived from shifts alone.
 *
 * A pass evaluates pieces (equations between the inputs and the outputs of one update) at the points of a grid. A work-group
 * covers a strip of columns and marches along the rows; in pass number r piece e is computed at row r + o(e). What another
 * piece still needs of earlier rows is kept in a ring of rows in local memory, or in a register.
 *
 * For every read of piece p by piece c at shift (di, dj, ...): o(p) >= o(c) + dj (longest paths; a circle with positive length
 * cannot be windowed). Rows kept = max(o(p) - o(c) - dj) + 1 over the readers; a register if that is 1 and every di = 0. A
 * slot may be overwritten once a barrier lies between its last reader at another column and the write; otherwise one row more.
 * (language.md, "The window, in full"; findings.md 2.) Nothing here knows an equation: pieces and shifts only. */
#ifndef DSLC_SCHEDULE_WINDOW_H
#define DSLC_SCHEDULE_WINDOW_H

#include <stdbool.h>

#include "base/arena.h"

typedef struct window_read {
  int piece;  /* that is read */
  int off[2]; /* columns, rows */
} window_read;

typedef struct window_piece {
  VEC(window_read) read;
  bool output; /* written to global memory: computed at row 0 of the pass at least */
  int words;   /* doubles per point */

  /* derived */
  int row;       /* o(piece) */
  int rows;      /* kept; 0: nobody reads it */
  bool in_register;
  int lo, hi;    /* columns beyond the strip on either side at which it is computed */
  int order;     /* position within a pass */
  bool barrier;  /* before it in a pass */
} window_piece;

typedef struct window {
  VEC(window_piece) piece;
  int first_row; /* passes before the first row of the subdomain: rows first_row .. -1 run as prologue (<= 0) */
  int halo_lo, halo_hi; /* columns of a work-group that only help */
  int local_words;      /* doubles of local memory per column of the work-group */
  int barriers;         /* in one pass, the one that closes it included */
} window;

/* Fills the derived parts. NULL on success, else why it cannot be windowed (names are the caller's: pieces are numbered). */
const char *window_derive(arena *a, window *w);

#endif
