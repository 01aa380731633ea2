#include "schedule/window.h"

#include <limits.h>

/* Every step below is one walk over the reads, in an order in which producers come before their readers, or backwards. */
typedef void visit_read(window *w, window_piece *reader, const window_read *r);

static int max_of(int a, int b) { return a > b ? a : b; }
static int min_of(int a, int b) { return a < b ? a : b; }

static const char *name_of(arena *a, const window *w, int piece) {
  const char *name = w->piece.at[piece].name;
  return name ? name : arena_printf(a, "piece %d", piece);
}

/* ---- order of computing ------------------------------------------------------------------------------------- */

static bool reads_are_placed(const window_piece *p, const bool *placed) {
  for (int k = 0; k < p->read.n; k++)
    if (!placed[p->read.at[k].piece]) return false;
  return true;
}

/* Names a cycle: every piece that could not be placed reads such a piece, so following those reads comes back to itself. */
static const char *describe_cycle(arena *a, const window *w, const bool *placed) {
  int *seen = arena_array(a, int, w->piece.n), at = 0;
  while (placed[at]) at++;
  const char *text = "";
  int steps = 0, start = 0;
  for (int turn = 0; turn < 2;
       turn++) { /* the first turn finds a piece on the cycle, the second names what lies on it */
    start = at;
    do {
      seen[at] = ++steps;
      const window_piece *p = &w->piece.at[at];
      if (turn) text = arena_printf(a, "%s%s, which reads ", text, name_of(a, w, at));
      for (int k = 0; k < p->read.n; k++)
        if (!placed[p->read.at[k].piece]) at = p->read.at[k].piece;
    } while (turn ? at != start : !seen[at]);
  }
  return arena_printf(a, "%s%s: a cycle has no first row", text, name_of(a, w, start));
}

/* Producers before readers; of several possible pieces the one with the smallest number first. */
static const char *sort_pieces(arena *a, window *w) {
  bool *placed = arena_array(a, bool, w->piece.n);
  for (int n = 0; n < w->piece.n; n++) {
    int next = 0;
    while (next < w->piece.n && (placed[next] || !reads_are_placed(&w->piece.at[next], placed))) next++;
    if (next == w->piece.n) return describe_cycle(a, w, placed);
    placed[next] = true;
    vec_push(a, &w->order, next);
  }
  return NULL;
}

static void each_read_forwards(window *w, visit_read *visit) {
  for (int i = 0; i < w->order.n; i++) {
    window_piece *c = &w->piece.at[w->order.at[i]];
    for (int k = 0; k < c->read.n; k++) visit(w, c, &c->read.at[k]);
  }
}

static void each_read_backwards(window *w, visit_read *visit) {
  for (int i = w->order.n - 1; i >= 0; i--) {
    window_piece *c = &w->piece.at[w->order.at[i]];
    for (int k = 0; k < c->read.n; k++) visit(w, c, &c->read.at[k]);
  }
}

/* Pieces from which no output follows are left out. */
static void drop_unneeded(arena *a, window *w) {
  bool *needed = arena_array(a, bool, w->piece.n);
  int kept = 0;
  for (int i = w->order.n - 1; i >= 0; i--) {
    const window_piece *p = &w->piece.at[w->order.at[i]];
    needed[w->order.at[i]] |= p->output;
    for (int k = 0; k < p->read.n; k++) needed[p->read.at[k].piece] |= needed[w->order.at[i]];
  }
  for (int i = 0; i < w->order.n; i++)
    if (needed[w->order.at[i]]) w->order.at[kept++] = w->order.at[i];
  w->order.n = kept;
}

/* ---- rows and columns --------------------------------------------------------------------------------------- */

static void start(window_piece *p) {
  int none = INT_MIN / 2;
  p->row = p->lo = p->hi = p->output ? 0 : none;
  p->first = p->output ? 0 : -none;
  p->rows = 0;
  p->order = -1;
  p->in_register = p->barrier = false;
}

static void need_backwards(window *w, window_piece *c, const window_read *r) {
  window_piece *p = &w->piece.at[r->piece];
  p->row = max_of(p->row, c->row + r->off[1]);
  p->first = min_of(p->first, c->first + r->off[1]);
  p->lo = max_of(p->lo, c->lo - r->off[0]);
  p->hi = max_of(p->hi, c->hi + r->off[0]);
}

int window_age(const window *w, const window_piece *c, const window_read *r) {
  return w->piece.at[r->piece].row - c->row - r->off[1];
}

static void keep_rows(window *w, window_piece *c, const window_read *r) {
  window_piece *p = &w->piece.at[r->piece];
  if (!p->rows) p->in_register = !p->in_memory;
  p->rows = max_of(p->rows, window_age(w, c, r) + 1);
  p->in_register = p->in_register && p->rows == 1 && r->off[0] == 0;
}

/* ---- barriers ------------------------------------------------------------------------------------------------ */

/* Pieces between two barriers are a level: numbers from 0 in a pass, `order` meanwhile. A piece stands one level higher than
 * what it reads of the same pass at another column. */
static void raise_level(window *w, window_piece *c, const window_read *r) {
  if (window_age(w, c, r)) return;
  int level = w->piece.at[r->piece].order + (r->off[0] != 0);
  c->order = max_of(c->order, level);
}

static int top_level(const window *w) {
  int top = 0;
  for (int i = 0; i < w->order.n; i++) top = max_of(top, w->piece.at[w->order.at[i]].order);
  return top;
}

static int set_levels(window *w, const int *least) {
  for (int i = 0; i < w->order.n; i++) w->piece.at[w->order.at[i]].order = least[w->order.at[i]];
  each_read_forwards(w, raise_level);
  return top_level(w);
}

/* Is there no barrier between a row's write at level `from` of a pass and the use at level `to`, `passes` passes later? Barriers
 * stand between levels. */
static bool unguarded(int from, int to, int passes, int top) {
  return passes == 1 ? from == top && to == 0 : passes > 1 && top == 0;
}

static bool read_unguarded(const window *w, const window_piece *c, const window_read *r, int top) {
  return r->off[0] && unguarded(w->piece.at[r->piece].order, c->order, window_age(w, c, r), top);
}

/* Readers, at other columns, of earlier passes' values need a barrier behind those passes: their own, if they can move up a
 * level and the pass has no more levels by it; else one that closes the pass. */
static void place_barriers(arena *a, window *w) {
  int *least = arena_array(a, int, w->piece.n), *plain = arena_array(a, int, w->piece.n);
  int top = set_levels(w, plain);
  bool moved = true;
  while (moved && !w->closing) {
    moved = false;
    for (int i = 0; i < w->order.n; i++) {
      const window_piece *c = &w->piece.at[w->order.at[i]];
      for (int k = 0; k < c->read.n; k++)
        if (read_unguarded(w, c, &c->read.at[k], top)) {
          least[w->order.at[i]] = 1;
          moved = true;
        }
    }
    w->closing = moved && set_levels(w, least) > top;
  }
  if (w->closing) set_levels(w, plain);
}

/* What nobody reads, and what reads its own column only, goes behind the last barrier: no other item need wait for it. */
static void delay_outputs(window *w) {
  int top = top_level(w);
  for (int i = 0; i < w->order.n; i++) {
    window_piece *p = &w->piece.at[w->order.at[i]];
    bool across = p->rows > 0;
    for (int k = 0; k < p->read.n; k++) across |= p->read.at[k].off[0] != 0;
    if (!across) p->order = top;
  }
}

/* One row more where a slot would be overwritten in the pass behind its last reader's without a barrier between them. */
static void spare_rows(arena *a, window *w) {
  int top = top_level(w), *more = arena_array(a, int, w->piece.n);
  if (w->closing) return;
  for (int i = 0; i < w->order.n; i++) {
    const window_piece *c = &w->piece.at[w->order.at[i]];
    for (int k = 0; k < c->read.n; k++) {
      const window_read *r = &c->read.at[k];
      const window_piece *p = &w->piece.at[r->piece];
      if (r->off[0] && unguarded(c->order, p->order, p->rows - window_age(w, c, r), top)) more[r->piece] = 1;
    }
  }
  for (int i = 0; i < w->piece.n; i++) w->piece.at[i].rows += more[i];
}

/* From levels to positions: by level, within a level as sorted. */
static void order_pieces(arena *a, window *w) {
  int n = 0, top = top_level(w), *sorted = arena_array(a, int, w->order.n);
  for (int level = 0; level <= top; level++)
    for (int i = 0, in_level = 0; i < w->order.n; i++) {
      window_piece *p = &w->piece.at[w->order.at[i]];
      if (p->order != level) continue;
      p->barrier = level && !in_level++;
      sorted[n++] = w->order.at[i];
    }
  w->order.at = sorted;
  for (int i = 0; i < n; i++) w->piece.at[sorted[i]].order = i;
  w->barriers = top + w->closing;
}

static void sum_up(window *w) {
  for (int i = 0; i < w->order.n; i++) {
    const window_piece *p = &w->piece.at[w->order.at[i]];
    w->first_row = min_of(w->first_row, p->first - p->row);
    w->halo_lo = max_of(w->halo_lo, p->lo);
    w->halo_hi = max_of(w->halo_hi, p->hi);
    if (!p->in_register) w->local_words += p->rows * p->words;
  }
}

const char *window_derive(arena *a, window *w) {
  *w = (window){.piece = {w->piece.at, w->piece.n, w->piece.cap}};
  for (int i = 0; i < w->piece.n; i++) start(&w->piece.at[i]);
  const char *why = sort_pieces(a, w);
  if (why) return why;
  drop_unneeded(a, w);
  each_read_backwards(w, need_backwards);
  each_read_forwards(w, keep_rows);
  place_barriers(a, w);
  delay_outputs(w);
  spare_rows(a, w);
  order_pieces(a, w);
  sum_up(w);
  return NULL;
}
