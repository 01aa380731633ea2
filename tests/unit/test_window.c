/* The windowed schedule. What is derived from shifts is compared with the paper's appendix and with rows counted by hand, and
 * executed: a model of a work-group runs the passes with the rings, registers and barriers as derived, and complains of every
 * value that is missing, overwritten too early, or read or written without a barrier between two items. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "schedule/window.h"

/* ---- windows typed in by hand --------------------------------------------------------------------------------- */

static void out_of_memory(void *ctx, size_t size) {
  (void)ctx;
  (void)size;
  abort();
}

static int piece(arena *a, window *w, const char *name, bool output) {
  vec_push(a, &w->piece, ((window_piece){.name = name, .output = output, .words = 1}));
  return w->piece.n - 1;
}

static void reads(arena *a, window *w, int c, int p, int di, int dj) {
  vec_push(a, &w->piece.at[c].read, ((window_read){p, {di, dj}}));
}

/* p at the point and at one other */
static void reads_two(arena *a, window *w, int c, int p, int di, int dj) {
  reads(a, w, c, p, 0, 0);
  reads(a, w, c, p, di, dj);
}

enum { TS_T, TS_U_HAT, TS_U_D, TS_V_HAT, TS_V_D, TS_P, TS_U, TS_V };

/* SIMPLE-TS: what the update of T, p, u, v reads of each other, (13), (14) and (22) of the paper. */
static window simple_ts(arena *a) {
  static const char *names[] = {"T", "u_hat", "u_d", "v_hat", "v_d", "p", "u", "v"};
  window w = {.first_row = 0};
  for (int i = 0; i < 8; i++) piece(a, &w, names[i], i == TS_T || i >= TS_P);
  reads(a, &w, TS_P, TS_T, 0, 0);
  for (int k = 0; k < 2; k++) {
    reads_two(a, &w, TS_P, TS_U_HAT + k, 1, 0);
    reads_two(a, &w, TS_P, TS_V_HAT + k, 0, 1);
    reads(a, &w, TS_U, TS_U_HAT + k, 0, 0);
    reads(a, &w, TS_V, TS_V_HAT + k, 0, 0);
  }
  reads_two(a, &w, TS_U, TS_P, -1, 0);
  reads_two(a, &w, TS_V, TS_P, 0, -1);
  return w;
}

static void five_points(arena *a, window *w, int c, int p) {
  reads(a, w, c, p, 0, 0);
  for (int s = -1; s <= 1; s += 2) {
    reads(a, w, c, p, s, 0);
    reads(a, w, c, p, 0, s);
  }
}

/* A Laplacian of a Laplacian of ... */
static window laplacians(arena *a, int n) {
  window w = {.first_row = 0};
  for (int i = 0; i < n; i++) {
    piece(a, &w, NULL, i == n - 1);
    if (i) five_points(a, &w, i, i - 1);
  }
  return w;
}

static window nine_points(arena *a) {
  window w = {.first_row = 0};
  int inner = piece(a, &w, "inner", false), outer = piece(a, &w, "outer", true);
  for (int di = -1; di <= 1; di++)
    for (int dj = -1; dj <= 1; dj++) reads(a, &w, outer, inner, di, dj);
  return w;
}

/* Both updates of a leapfrog on a Yee grid in one pass. */
static window yee(arena *a) {
  window w = {.first_row = 0};
  int hz = piece(a, &w, "Hz", true), ex = piece(a, &w, "Ex", true), ey = piece(a, &w, "Ey", true);
  reads_two(a, &w, ex, hz, 0, -1);
  reads_two(a, &w, ey, hz, -1, 0);
  return w;
}

/* ---- the machine ------------------------------------------------------------------------------------------------ */

typedef enum fault { FINE, WRONG, RACE, OUTSIDE, TWICE, MISSING } fault;
static const char *fault_name[] = {"fine",          "a value is missing or overwritten",
                                   "a race",        "a column outside the work-group",
                                   "written twice", "an output is missing"};

enum { MARGIN = 24, CELLS = 64, PIECES = 10, ITEMS = 64, RING = 32 };

/* A word of local memory: what it holds, and who touched it since which barrier. */
typedef struct word {
  uint64_t value;
  int writer, written; /* in which stretch between barriers */
  int reader, read;    /* the last; reader -1: several */
} word;

typedef struct machine {
  const window *w;
  int columns, rows; /* of the domain */
  uint64_t truth[PIECES][CELLS][CELLS];
  bool done[PIECES][CELLS][CELLS];
  word ring[PIECES][RING][ITEMS];
  uint64_t reg[PIECES][ITEMS];
  int x0, y0, wide, high; /* of the subdomain */
  int items, stretch;
  uint32_t random;
  fault fault;
} machine;

static uint32_t next_random(uint32_t *s) {
  *s ^= *s << 13;
  *s ^= *s >> 17;
  return *s ^= *s << 5;
}

static int pick(uint32_t *s, int n) { return (int)(next_random(s) % (uint32_t)n); }

static uint64_t mix(uint64_t h, uint64_t v) {
  h = (h ^ v) * 0x9E3779B97F4A7C15u;
  return h ^ (h >> 29);
}

static uint64_t input(int e, int x, int y) {
  return mix(mix(mix(17, (uint64_t)e), (uint64_t)(x + 1000)), (uint64_t)(y + 1000));
}

/* All pieces at all points, one piece after the other: numbers of producers are smaller, as in every window here. */
static void unfused(machine *m) {
  for (int e = 0; e < m->w->piece.n; e++)
    for (int x = 0; x < CELLS; x++)
      for (int y = 0; y < CELLS; y++) {
        uint64_t v = input(e, x - MARGIN, y - MARGIN);
        const window_piece *c = &m->w->piece.at[e];
        for (int k = 0; k < c->read.n; k++) {
          int px = x + c->read.at[k].off[0], py = y + c->read.at[k].off[1];
          bool inside = px >= 0 && px < CELLS && py >= 0 && py < CELLS; /* else too far out to matter */
          v = mix(v, inside ? m->truth[c->read.at[k].piece][px][py] : 0);
        }
        m->truth[e][x][y] = v;
      }
}

static void complain(machine *m, fault f) {
  if (!m->fault) m->fault = f;
}

static word *word_at(machine *m, int e, int item, int row) {
  int rows = m->w->piece.at[e].rows;
  if (rows < 1) rows = 1;
  return &m->ring[e][((row % rows) + rows) % rows][item];
}

static uint64_t load(machine *m, int e, int from, int item, int row) {
  if (from < 0 || from >= m->items) {
    complain(m, OUTSIDE);
    return 0;
  }
  if (m->w->piece.at[e].in_register) {
    if (from != item) complain(m, RACE);
    return m->reg[e][item];
  }
  word *s = word_at(m, e, from, row);
  if (s->writer != item && s->written == m->stretch) complain(m, RACE);
  s->reader = s->read == m->stretch && s->reader != item ? -1 : item;
  s->read = m->stretch;
  return s->value;
}

static void store(machine *m, int e, int item, int row, uint64_t value) {
  if (m->w->piece.at[e].in_register) {
    m->reg[e][item] = value;
    return;
  }
  word *s = word_at(m, e, item, row);
  if ((s->read == m->stretch && s->reader != item) || (s->written == m->stretch && s->writer != item))
    complain(m, RACE);
  *s = (word){value, item, m->stretch, s->reader, s->read};
}

static void output(machine *m, int e, int column, int row, uint64_t value) {
  if (column < 0 || column >= m->wide || row < 0 || row >= m->high) return;
  int x = m->x0 + column + MARGIN, y = m->y0 + row + MARGIN;
  if (m->done[e][x][y]) complain(m, TWICE);
  m->done[e][x][y] = true;
  if (value != m->truth[e][x][y]) complain(m, WRONG);
}

/* One piece of one pass for one item. */
static void execute(machine *m, int e, int pass, int item) {
  const window_piece *c = &m->w->piece.at[e];
  int row = pass + c->row, column = item - m->w->halo_lo;
  if (row < c->first || column < -c->lo || column >= m->wide + c->hi) return;
  int x = m->x0 + column, y = m->y0 + row;
  uint64_t v = input(e, x, y);
  for (int k = 0; k < c->read.n; k++) {
    const window_read *r = &c->read.at[k];
    uint64_t got = load(m, r->piece, item + r->off[0], item, row + r->off[1]);
    if (got != m->truth[r->piece][x + r->off[0] + MARGIN][y + r->off[1] + MARGIN]) complain(m, WRONG);
    v = mix(v, got);
  }
  store(m, e, item, row, v);
  if (c->output) output(m, e, column, row, v);
}

typedef struct instruction {
  int pass, piece;
} instruction;

/* What stands between two barriers: each item runs all of it, in an order of items that chance chooses. Every pair of uses of
 * a word by two items in one stretch, one of them a write, is a race in any order. */
static void run_stretch(machine *m, const instruction *at, int n) {
  int item[ITEMS];
  for (int i = 0; i < m->items; i++) item[i] = i;
  for (int i = m->items - 1; i > 0; i--) {
    int j = pick(&m->random, i + 1), t = item[i];
    item[i] = item[j];
    item[j] = t;
  }
  for (int i = 0; i < m->items; i++)
    for (int k = 0; k < n; k++) execute(m, at[k].piece, at[k].pass, item[i]);
  m->stretch++;
}

static void run_group(machine *m) {
  instruction at[PIECES * (CELLS + MARGIN)];
  int n = 0;
  memset(m->ring, 0, sizeof m->ring);
  memset(m->reg, 0, sizeof m->reg);
  m->stretch = 1;
  m->items = m->wide + m->w->halo_lo + m->w->halo_hi;
  for (int pass = m->w->first_row; pass < m->high; pass++) {
    for (int i = 0; i < m->w->order.n; i++) {
      if (m->w->piece.at[m->w->order.at[i]].barrier) {
        run_stretch(m, at, n);
        n = 0;
      }
      at[n++] = (instruction){pass, m->w->order.at[i]};
    }
    if (!m->w->closing) continue;
    run_stretch(m, at, n);
    n = 0;
  }
  run_stretch(m, at, n);
}

static void expect_all_outputs(machine *m) {
  for (int e = 0; e < m->w->piece.n; e++)
    for (int x = 0; m->w->piece.at[e].output && x < m->columns; x++)
      for (int y = 0; y < m->rows; y++)
        if (!m->done[e][x + MARGIN][y + MARGIN]) complain(m, MISSING);
}

/* The domain in subdomains of `wide` x `high`, the last ones smaller. */
static fault run(const window *w, int columns, int rows, int wide, int high, uint32_t seed) {
  machine *m = calloc(1, sizeof *m);
  assert_non_null(m);
  m->w = w;
  m->columns = columns;
  m->rows = rows;
  m->random = seed | 1;
  unfused(m);
  for (m->x0 = 0; m->x0 < columns; m->x0 += wide)
    for (m->y0 = 0; m->y0 < rows; m->y0 += high) {
      m->wide = columns - m->x0 < wide ? columns - m->x0 : wide;
      m->high = rows - m->y0 < high ? rows - m->y0 : high;
      run_group(m);
    }
  expect_all_outputs(m);
  fault f = m->fault;
  free(m);
  return f;
}

static void expect_runs(const window *w, uint32_t seed) {
  static const int shapes[][4] = {{11, 9, 11, 9}, {13, 7, 5, 3}, {7, 11, 1, 4}, {10, 6, 4, 1}};
  for (int i = 0; i < 4; i++) {
    fault f = run(w, shapes[i][0], shapes[i][1], shapes[i][2], shapes[i][3], seed + (uint32_t)i);
    if (f) fail_msg("window %u, shape %d: %s", seed, i, fault_name[f]);
  }
}

static void expect_fails(const window *w, const char *what, int number) {
  if (run(w, 11, 9, 6, 5, 1) == FINE) fail_msg("piece %d: nothing was amiss %s", number, what);
}

/* Nothing that was derived is more than needed, and the machine notices whatever is less. */
static void expect_all_needed(window *w) {
  for (int e = 0; e < w->piece.n; e++) {
    window_piece *p = &w->piece.at[e], kept = *p;
    if (p->rows > 1) p->rows--, expect_fails(w, "with a row less", e);
    *p = kept;
    if (p->barrier) p->barrier = false, expect_fails(w, "without its barrier", e);
    *p = kept;
    if (p->rows) p->first++, expect_fails(w, "with a row of prologue less", e);
    *p = kept;
    if (p->rows) p->lo--, expect_fails(w, "with a column less on the left", e);
    *p = kept;
    if (p->rows) p->hi--, expect_fails(w, "with a column less on the right", e);
    *p = kept;
  }
  if (w->closing) w->closing = false, expect_fails(w, "without the closing barrier", -1), w->closing = true;
  w->first_row++;
  expect_fails(w, "with a pass less", -1);
  w->first_row--;
}

/* ---- derived from known shifts ------------------------------------------------------------------------------------ */

static int setup(void **state) {
  *state = arena_create(out_of_memory, NULL);
  return 0;
}

static int teardown(void **state) {
  arena *a = *state;
  arena_destroy(&a);
  return 0;
}

static void derived(arena *a, window *w) {
  const char *why = window_derive(a, w);
  if (why) fail_msg("%s", why);
}

static void expect_piece(const window *w, int i, int row, int rows, bool in_register, int order,
                         bool barrier) {
  const window_piece *p = &w->piece.at[i];
  if (p->row != row || p->rows != rows || p->in_register != in_register || p->order != order ||
      p->barrier != barrier)
    fail_msg("piece %d: row %d, %d kept, register %d, order %d, barrier %d", i, p->row, p->rows,
             p->in_register, p->order, p->barrier);
}

/* Appendix A: order T u_hat du v_hat dv | p | u v, v_hat and dv one row ahead; Ny_p_local = 2 and its like. */
static void simple_ts_is_the_papers_appendix(void **state) {
  window w = simple_ts(*state);
  derived(*state, &w);
  expect_piece(&w, TS_T, 0, 1, true, 0, false);
  expect_piece(&w, TS_U_HAT, 0, 1, false, 1, false);
  expect_piece(&w, TS_U_D, 0, 1, false, 2, false);
  expect_piece(&w, TS_V_HAT, 1, 2, false, 3, false);
  expect_piece(&w, TS_V_D, 1, 2, false, 4, false);
  expect_piece(&w, TS_P, 0, 2, false, 5, true);
  expect_piece(&w, TS_U, 0, 0, false, 6, true);
  expect_piece(&w, TS_V, 0, 0, false, 7, false);
  assert_int_equal(w.halo_lo, 1);
  assert_int_equal(w.halo_hi, 1);
  assert_int_equal(w.barriers, 2);
  assert_false(w.closing);
  assert_int_equal(w.first_row, -2);
  assert_int_equal(w.local_words, 8);
  expect_runs(&w, 1);
  expect_all_needed(&w);
}

static void laplacian_twice(void **state) {
  window w = laplacians(*state, 2);
  derived(*state, &w);
  expect_piece(&w, 0, 1, 3, false, 0, false);
  expect_piece(&w, 1, 0, 0, false, 1, false);
  assert_int_equal(w.first_row, -2);
  assert_int_equal(w.halo_lo, 1);
  assert_int_equal(w.halo_hi, 1);
  assert_int_equal(w.barriers, 1);
  assert_int_equal(w.local_words, 3);
  expect_runs(&w, 2);
  expect_all_needed(&w);
}

static void laplacians_in_a_chain(void **state) {
  for (int n = 2; n <= 5; n++) {
    window w = laplacians(*state, n);
    derived(*state, &w);
    for (int i = 0; i < n - 1; i++) expect_piece(&w, i, n - 1 - i, 3, false, i, false);
    assert_int_equal(w.first_row, -2 * (n - 1));
    assert_int_equal(w.halo_lo, n - 1);
    assert_int_equal(w.barriers, 1);
    expect_runs(&w, 3);
    expect_all_needed(&w);
  }
}

/* The oldest row is read at other columns, behind the last barrier: one row more than the age says. */
static void a_row_more_instead_of_a_barrier(void **state) {
  window w = nine_points(*state);
  derived(*state, &w);
  expect_piece(&w, 0, 1, 4, false, 0, false);
  expect_piece(&w, 1, 0, 0, false, 1, true);
  assert_int_equal(w.barriers, 1);
  assert_false(w.closing);
  expect_runs(&w, 4);
  expect_all_needed(&w);
}

static void both_updates_of_a_yee_grid(void **state) {
  window w = yee(*state);
  derived(*state, &w);
  expect_piece(&w, 0, 0, 2, false, 0, false);
  expect_piece(&w, 1, 0, 0, false, 1, true);
  expect_piece(&w, 2, 0, 0, false, 2, false);
  assert_int_equal(w.first_row, -1);
  assert_int_equal(w.halo_lo, 1);
  assert_int_equal(w.halo_hi, 0);
  assert_int_equal(w.barriers, 1);
  expect_runs(&w, 5);
  expect_all_needed(&w);
}

/* Values read at their own point only live in registers: no memory, no barrier, no halo. */
static void points_alone_need_nothing(void **state) {
  window w = {.first_row = 0};
  for (int i = 0; i < 3; i++) {
    piece(*state, &w, NULL, i == 2);
    if (i) reads(*state, &w, i, i - 1, 0, 0);
  }
  derived(*state, &w);
  expect_piece(&w, 0, 0, 1, true, 0, false);
  expect_piece(&w, 1, 0, 1, true, 1, false);
  assert_int_equal(w.barriers, 0);
  assert_int_equal(w.local_words, 0);
  assert_int_equal(w.first_row, 0);
  assert_int_equal(w.halo_lo + w.halo_hi, 0);
  expect_runs(&w, 6);
}

/* What is read only ahead, or only behind, is computed just then. */
static void one_sided_reads(void **state) {
  window w = {.first_row = 0};
  int ahead = piece(*state, &w, "ahead", false), behind = piece(*state, &w, "behind", false),
      out = piece(*state, &w, "out", true);
  reads(*state, &w, out, ahead, 2, 3);
  reads(*state, &w, out, behind, -1, -2);
  derived(*state, &w);
  assert_int_equal(w.piece.at[ahead].row, 3);
  assert_int_equal(w.piece.at[behind].row, -2);
  assert_int_equal(w.piece.at[ahead].lo, -2);
  assert_int_equal(w.halo_lo, 1);
  assert_int_equal(w.halo_hi, 2);
  assert_int_equal(w.first_row, 0);
  expect_runs(&w, 7);
}

static void unneeded_pieces_are_left_out(void **state) {
  window w = {.first_row = 0};
  int a = piece(*state, &w, "a", false), b = piece(*state, &w, "b", false),
      out = piece(*state, &w, "out", true);
  reads(*state, &w, b, a, 5, 5);
  derived(*state, &w);
  assert_int_equal(w.piece.at[a].order, -1);
  assert_int_equal(w.piece.at[b].order, -1);
  assert_int_equal(w.piece.at[out].order, 0);
  assert_int_equal(w.order.n, 1);
  assert_int_equal(w.halo_hi, 0);
}

/* A cycle is refused whatever its length in rows: ahead it has no first row, behind no first pass. */
static void circles_are_refused(void **state) {
  for (int dj = -1; dj <= 1; dj++) {
    window w = {.first_row = 0};
    int out = piece(*state, &w, "out", true), a = piece(*state, &w, "a", false),
        b = piece(*state, &w, NULL, false);
    reads(*state, &w, out, a, 0, 0);
    reads(*state, &w, a, b, 1, dj);
    reads(*state, &w, b, a, -1, 0);
    const char *why = window_derive(*state, &w);
    assert_non_null(why);
    assert_string_equal(why, "a, which reads piece 2, which reads a: a cycle has no first row");
  }
  window w = {.first_row = 0};
  int self = piece(*state, &w, "self", true);
  reads(*state, &w, self, self, 0, -1);
  assert_string_equal(window_derive(*state, &w), "self, which reads self: a cycle has no first row");
}

/* ---- random ones -------------------------------------------------------------------------------------------------- */

/* Each piece reads some of the earlier ones; shifts of up to `reach`, of some windows only along the rows or forwards. */
static window random_window(arena *a, uint32_t seed) {
  uint32_t s = seed * 2654435761u + 99991u;
  window w = {.first_row = 0};
  int n = 1 + pick(&s, 7), kind = pick(&s, 4), reach = n > 5 ? 1 : 2;
  for (int e = 0; e < n; e++) {
    piece(a, &w, NULL, e == n - 1 || pick(&s, 3) == 0);
    for (int k = e ? pick(&s, 5) : 0; k > 0; k--) {
      int di = pick(&s, 2 * reach + 1) - reach, dj = pick(&s, 2 * reach + 1) - reach;
      if (kind == 1) dj = 0;
      if (kind == 2) di = abs(di);
      if (kind == 3 && pick(&s, 2)) di = 0;
      reads(a, &w, e, pick(&s, e), di, dj);
    }
  }
  return w;
}

static void random_windows_run(void **state) {
  (void)state;
  for (uint32_t seed = 0; seed < 2000; seed++) {
    arena *a = arena_create(out_of_memory, NULL);
    window w = random_window(a, seed);
    derived(a, &w);
    expect_runs(&w, seed);
    arena_destroy(&a);
  }
}

/* Of random windows every barrier is needed too. */
static void random_barriers_are_needed(void **state) {
  (void)state;
  int barriers = 0;
  for (uint32_t seed = 0; seed < 1000; seed++) {
    arena *a = arena_create(out_of_memory, NULL);
    window w = random_window(a, seed);
    derived(a, &w);
    for (int e = 0; e < w.piece.n; e++) {
      if (w.piece.at[e].order < 0 || !w.piece.at[e].barrier) continue;
      w.piece.at[e].barrier = false;
      if (!run(&w, 11, 9, 6, 5, seed)) fail_msg("window %u: no need of the barrier before piece %d", seed, e);
      w.piece.at[e].barrier = true;
      barriers++;
    }
    arena_destroy(&a);
  }
  assert_true(barriers > 500);
}

int main(void) {
#define WITH_ARENA(f) cmocka_unit_test_setup_teardown(f, setup, teardown)
  const struct CMUnitTest tests[] = {
      WITH_ARENA(simple_ts_is_the_papers_appendix),
      WITH_ARENA(laplacian_twice),
      WITH_ARENA(laplacians_in_a_chain),
      WITH_ARENA(a_row_more_instead_of_a_barrier),
      WITH_ARENA(both_updates_of_a_yee_grid),
      WITH_ARENA(points_alone_need_nothing),
      WITH_ARENA(one_sided_reads),
      WITH_ARENA(unneeded_pieces_are_left_out),
      WITH_ARENA(circles_are_refused),
      cmocka_unit_test(random_windows_run),
      cmocka_unit_test(random_barriers_are_needed),
  };
  return cmocka_run_group_tests_name("window", tests, NULL, NULL);
}
