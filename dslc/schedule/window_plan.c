/* Windowed kernels: what an update reads of other equations, and nobody after it, its kernel computes itself, row by row.
 *
 * A window is a candidate: it is planned on a branch of the walk (branch.c), which nobody else sees. Where it can be carried out and
 * costs no more than to store the same equations, the walk goes on from the branch; else the branch is forgotten.
 *
 * To the planner such an equation is a stored one whose value is there already: its reads stay reads. What the kernel of the
 * update adds to its outputs is the equations' values; window_derive puts them in order. */
#include <stdlib.h>
#include <string.h>

#include "schedule/grid.h"
#include "schedule/window.h"

/* ---- the update being planned ------------------------------------------------------------------------------------- */

typedef struct member {
  ir_sym sym;
  int n;
  ir_id *value; /* [n] */
} member;

typedef struct window_plan {
  VEC(member) member;
  expander outside;
  const symbol_storage *storage_outside;
  int columns, helping; /* of a work-group; and how many of them are its neighbours' */
  plan_window *made;
} window_plan;

static int find_member(const window_plan *wp, ir_sym sym) {
  for (int i = 0; i < wp->member.n; i++)
    if (wp->member.at[i].sym == sym) return i;
  return -1;
}

bool window_computes(const planner *pl, ir_sym sym) {
  return pl->window && find_member(pl->window, sym) >= 0;
}

typedef struct state_search {
  planner *pl;
  ir_sym state;
  bool found;
} state_search;

static void find_state(void *ctx, ir_id id) {
  state_search *s = ctx;
  const ir_node *n = ir_get(s->pl->to, id);
  s->found = s->found || (n->op == IR_READ && n->read.sym == s->state && n->read.level == IR_NOW);
}

bool window_reads(planner *pl, ir_sym state) {
  state_search s = {pl, state, false};
  for (int i = 0; pl->window && i < pl->window->member.n && !s.found; i++)
    each_node(pl, pl->window->member.at[i].value, pl->window->member.at[i].n, find_state, &s);
  return s.found;
}

/* ---- which equations -------------------------------------------------------------------------------------------------- */

enum { MOST_WINDOWS = 250 };

/* May the choice begin anew for what is stored because it is expensive, and goes stale with this update? */
static bool is_free(const planner *pl, const ir_stmt *st, ir_sym sym) {
  const ir_symbol *q = ir_symbol_get(pl->from, sym);
  const symbol_storage *sp = &pl->storage[sym];
  if (q->kind != IR_EQUATION || !sp->stored || pl->use[sym].once || pl->now[sym].valid) return false;
  if (sp->fixed || sp->reduces || sp->placed || !pl->in->schedule->grid.window) return false;
  return problem_form(pl->in, sym) == FORM_AUTO && window_changes(pl, st, sym);
}

/* As if each of these equations were stored, or none of those that are free. */
static symbol_storage *storage_with(const planner *pl, const window_choice *stored) {
  symbol_storage *copy = arena_array(pl->memory, symbol_storage, pl->from->symbol.n);
  memcpy(copy, pl->storage, sizeof *copy * (size_t)pl->from->symbol.n);
  for (int i = 0; i < stored->n; i++) copy[stored->at[i]].stored = true;
  return copy;
}

static void return_storage(const planner *pl, const symbol_storage *s) {
  arena_return_array(pl->memory, s, pl->from->symbol.n);
}

static symbol_storage *storage_without_free(const planner *pl, const ir_stmt *st, const bool *read) {
  symbol_storage *copy = storage_with(pl, &(window_choice){0});
  for (int s = 1; s < pl->from->symbol.n; s++)
    if (read[s] && is_free(pl, st, (ir_sym)s)) copy[s].stored = false;
  return copy;
}

/* Within the window what its kernel computes counts as stored and valid. */
static void open_branch(planner *b, const symbol_storage *free, const window_choice *chosen) {
  b->window = arena_new(b->memory, window_plan);
  b->window->outside = b->shared;
  b->window->storage_outside = b->storage;
  b->shared = expander_create(b);
  b->shared.stage = b->window->outside.stage;
  b->storage = free;
  b->storage = storage_with(b, chosen);
  for (int i = 0; i < chosen->n; i++) {
    vec_push(b->memory, &b->window->member, ((member){.sym = chosen->at[i]}));
    b->now[chosen->at[i]].valid = true;
  }
}

/* An equation that a kernel of its own computes first cannot read what only the update's kernel has, neither in its formula nor, where
 * functions near walls are called, in what a rule says of something it reads. */
static const char *read_before(planner *pl, const bool *seen) {
  for (int s = 1; s < pl->from->symbol.n; s++) {
    const ir_symbol *q = ir_symbol_get(pl->from, (ir_sym)s);
    if (!seen[s] || !pl->storage[s].stored || pl->now[s].valid || q->kind != IR_EQUATION) continue;
    const bool *below = window_reads_of(pl, NULL, (ir_sym)s, !tables_wanted(pl));
    for (int i = 0; i < pl->window->member.n; i++)
      if (below[pl->window->member.at[i].sym])
        return arena_printf(pl->memory, "%s is stored, and reads %s", q->text,
                            ir_symbol_get(pl->from, pl->window->member.at[i].sym)->text);
  }
  return NULL;
}

/* The same of globals, which kernels before the update's reduce: those of its first statement are there, of one that joins it perhaps not.
 * asked: by symbol; what rules say of what one is reduced from may read that same one. */
static bool any_reduced_before(planner *pl, const bool *seen, bool *asked) {
  for (int s = 1; s < pl->from->symbol.n; s++) {
    const ir_sym global = ir_known_with(pl->from, (ir_sym)s);
    const ir_symbol *q = ir_symbol_get(pl->from, global);
    if (!seen[s] || q->kind != IR_GLOBAL || !q->root[0] || pl->now[global].valid || asked[global]) continue;
    asked[global] = true;
    const bool *below = window_reads_of_value(pl, q->root[0]);
    for (int i = 0; i < pl->window->member.n; i++)
      if (below[pl->window->member.at[i].sym]) return true;
    if (read_before(pl, below) || any_reduced_before(pl, below, asked)) return true;
  }
  return false;
}

static bool reduced_before(planner *pl, const bool *seen) {
  return any_reduced_before(pl, seen, arena_array(pl->memory, bool, pl->from->symbol.n));
}

/* Near walls: from its table, or computed and fixed like an update's value. */
static ir_id value_of_member(planner *pl, ir_sym sym, int c) {
  if (!tables_wanted(pl)) return fix_value(pl, sym, c, expand_own(&pl->shared, sym, 0, c), NULL);
  ir_id root = root_component(pl->from, ir_symbol_get(pl->from, sym)->root[0], c);
  ir_id plain = expand_versions(&pl->shared, root, IR_NOWHERE);
  return ir_binary(pl->to, IR_VERSIONS, plain, value_near(pl, function_of(pl, sym, c, IR_NOW)));
}

static void expand_members(planner *pl) {
  for (int i = 0; i < pl->window->member.n; i++) {
    member *m = &pl->window->member.at[i];
    m->n = ir_symbol_get(pl->from, m->sym)->type.n;
    m->value = arena_array(pl->memory, ir_id, m->n);
    for (int c = 0; c < m->n; c++) m->value[c] = value_of_member(pl, m->sym, c);
  }
}

/* ---- deriving ------------------------------------------------------------------------------------------------------------ */

typedef struct reading {
  planner *pl;
  window *w;
  int piece;
} reading;

static void add_read(arena *a, window_piece *p, window_read r) {
  for (int i = 0; i < p->read.n; i++)
    if (memcmp(&p->read.at[i], &r, sizeof r) == 0) return;
  vec_push(a, &p->read, r);
}

static void note_member_read(void *ctx, ir_sym sym, const window_box *at, bool by_function) {
  reading *r = ctx;
  int p = find_member(r->pl->window, sym);
  if (by_function) r->w->piece.at[p].in_memory = true;
  for (int di = at->lo[0]; di <= at->hi[0]; di++)
    for (int dj = at->lo[1]; dj <= at->hi[1]; dj++)
      add_read(r->pl->memory, &r->w->piece.at[r->piece], (window_read){p, {di, dj}});
}

static void read_members(planner *pl, window *w, int piece, const ir_id *value, int n) {
  const window_plan *wp = pl->window;
  ir_sym *sym = arena_array(pl->memory, ir_sym, wp->member.n + 1);
  for (int i = 0; i < wp->member.n; i++) sym[i] = wp->member.at[i].sym;
  ir_id *seen =
      arena_array(pl->memory, ir_id, n + 1); /* with tables nothing near walls is looked up in the window */
  for (int i = 0; i < n; i++) seen[i] = tables_wanted(pl) ? version_of(pl, value[i], 0) : value[i];
  const window_search search = {pl, sym, wp->member.n, note_member_read, &(reading){pl, w, piece}};
  window_each_read(&search, seen, n);
}

/* Members in order, then one piece for all outputs. NULL, or why there is no such window. */
static const char *derive(planner *pl, const ir_id *output, int n, window *w) {
  const window_plan *wp = pl->window;
  *w = (window){.first_row = 0};
  for (int i = 0; i <= wp->member.n; i++) {
    bool last = i == wp->member.n;
    vec_push(pl->memory, &w->piece, ((window_piece){.output = last, .words = last ? 0 : wp->member.at[i].n}));
    w->piece.at[i].name = last ? "the update" : ir_symbol_get(pl->from, wp->member.at[i].sym)->text;
  }
  for (int i = 0; i < wp->member.n; i++) read_members(pl, w, i, wp->member.at[i].value, wp->member.at[i].n);
  read_members(pl, w, wp->member.n, output, n);
  return window_derive(pl->memory, w);
}

/* Larger work-groups state their size, and with it how few registers an item may take at most. */
enum { LIMITED_COLUMNS = 256 };

/* Is a column a work-item? */
static bool each_item(const planner *pl) {
  return pl->in->options->emit == DSLC_EMIT_OPENCL && !pl->in->schedule->loop;
}

/* How far to the side pieces look: items compute all columns of their work-group, and at its edges look beyond it. */
static int margin_of(const planner *pl, const window *w) {
  int most = 0;
  for (int i = 0; i < w->piece.n && each_item(pl); i++)
    for (int r = 0; r < w->piece.at[i].read.n; r++)
      if (abs(w->piece.at[i].read.at[r].off[0]) > most) most = abs(w->piece.at[i].read.at[r].off[0]);
  return most;
}

static int local_bytes(const planner *pl, const window *w, int columns) {
  int scratch = each_item(pl) ? columns + 1
                              : 0;    /* for what the work-group reduces, and whether it has walls in reach */
  int margins = 2 * margin_of(pl, w); /* at most: one a row, and one more a ring */
  return 8 * (w->local_words * (columns + margins) + scratch);
}

/* Narrower strips than asked for if that makes it fit, as long as most of their columns are written. */
static const char *choose_columns(planner *pl, const window *w) {
  const schedule *s = pl->in->schedule;
  bool items = each_item(pl);
  int columns = s->grid.columns, halo = w->halo_lo + w->halo_hi, most = items ? s->grid.local_bytes : 1 << 20;
  while (local_bytes(pl, w, columns) > most && columns >= 64 && 8 * halo <= columns) columns /= 2;
  pl->window->columns = columns;
  if (2 * halo > columns)
    return arena_printf(pl->memory, "of %d columns of a work-group %d would only help their neighbours",
                        columns, halo);
  if (local_bytes(pl, w, columns) > most)
    return arena_printf(pl->memory, "%d rows of %d columns take %d bytes of local memory, more than %d",
                        w->local_words, columns, local_bytes(pl, w, columns), most);
  return NULL;
}

/* Rows that no piece reads: what rules say may name an equation that the update's own points never meet. */
static const char *unread_member(const planner *pl, const window *w) {
  for (int i = 0; i < pl->window->member.n; i++)
    if (w->piece.at[i].order < 0)
      return arena_printf(pl->memory, "nothing that the update reads needs %s", w->piece.at[i].name);
  return NULL;
}

/* What hinders it, else NULL. */
static const char *plan_branch(planner *b, const ir_stmt *st, const bool *seen) {
  const char *why = read_before(b, seen);
  if (why) return why;
  expand_members(b);
  pending_list all = expand_update(b, &b->shared, st);
  fix_pending(b, &all, 1);
  VEC(ir_id) output = {0};
  for (int i = 0; i < all.n; i++)
    for (int c = 0; c < all.at[i].n; c++) vec_push(b->memory, &output, all.at[i].value[c]);
  window w;
  why = derive(b, output.at, output.n, &w);
  why = why ? why : unread_member(b, &w);
  why = why ? why : choose_columns(b, &w);
  if (!why) b->window->helping = w.halo_lo + w.halo_hi;
  return why;
}

static const char *names_of(const planner *pl, const window_choice *chosen) {
  const char *text = "";
  for (int i = 0; i < chosen->n; i++)
    text =
        arena_printf(pl->memory, "%s%s%s", text, i ? ", " : "", ir_symbol_get(pl->from, chosen->at[i])->text);
  return text;
}

static bool is_asked_for(const planner *pl, const window_choice *chosen) {
  bool asked = false;
  for (int i = 0; i < chosen->n; i++) asked = asked || problem_form(pl->in, chosen->at[i]) == FORM_WINDOW;
  return asked;
}

/* ---- choosing between candidates ----------------------------------------------------------------------------------------- */

/* The same equations in rows of a window, or stored by kernels before the update's. */
typedef struct candidates {
  planner *branch; /* the walk within the window */
  window_choice chosen;
  plan_candidate window, stored;
} candidates;

/* `read` by the update's values; `seen`, also through what rules say. */
static candidates candidates_of(const planner *pl, const ir_stmt *update, const bool *read,
                                const bool *seen) {
  const symbol_storage *free = storage_without_free(pl, update, read);
  candidates c = {.chosen = window_choose(pl, free, update, read)};
  if (c.chosen.n) c.branch = planner_branch(pl);
  else return_storage(pl, free);
  if (!c.chosen.n) return c;
  const char *what = ir_symbol_get(pl->from, update->assign.at[0].target)->text,
             *names = names_of(pl, &c.chosen);
  open_branch(c.branch, free, &c.chosen);
  c.window = (plan_candidate){.update = what, .way = "a window computes", .equations = names};
  c.stored = (plan_candidate){.update = what, .way = "kernels before it store", .equations = names};
  c.window.why_not = plan_branch(c.branch, update, seen);
  const symbol_storage *with = storage_with(pl, &c.chosen);
  c.stored.cost = window_cost(pl, with, update, read, NULL);
  c.window.cost = window_cost(pl, c.branch->storage, update, read, &c.chosen);
  return_storage(pl, with);
  return_storage(pl, free);
  if (c.window.why_not) return c;
  const int columns = c.branch->window->columns;
  c.window.cost.operations *= (double)columns / (columns - c.branch->window->helping);
  return c;
}

/* What was expanded so far holds the equations that are stored from here on. */
static void store_instead(planner *pl, const window_choice *chosen) {
  const bool stage = pl->shared.stage;
  pl->storage = storage_with(pl, chosen);
  pl->shared = expander_create(pl);
  pl->shared.stage = stage;
}

/* Globals are computed with everything stored or expanded as elsewhere: before. */
static void demand_globals(planner *pl, const bool *read) {
  demand(pl, NULL, 0);
  for (int s = 1; s < pl->from->symbol.n; s++)
    if (read[s] && ir_symbol_get(pl->from, (ir_sym)s)->kind == IR_GLOBAL) demand_symbol(pl, (ir_sym)s);
}

void window_open(planner *pl, const ir_stmt *update) {
  if (pl->from->dims != 2 || pl->at.windows >= MOST_WINDOWS) return;
  const bool *read = window_reads_of(pl, update, 0, false), *seen = window_reads_of(pl, update, 0, true);
  demand_globals(pl, seen);
  pl->at.windows++;
  candidates c = candidates_of(pl, update, read, seen);
  if (!c.chosen.n) return;
  if (!c.window.why_not && !is_asked_for(pl, &c.chosen) &&
      plan_cost_time(&c.window.cost) > plan_cost_time(&c.stored.cost))
    c.window.why_not = "it costs more";
  c.window.kept = !c.window.why_not, c.stored.kept = !c.window.kept;
  if (c.window.kept) {
    planner_forget(pl);
    *pl = *c.branch;
    pl->shared.pl = pl;
  } else {
    return_storage(pl, c.branch->storage);
    planner_forget(c.branch);
    note(pl, c.window.equations, "stored, not windowed: %s", c.window.why_not);
    store_instead(pl, &c.chosen);
  }
  vec_push(pl->memory, &pl->plan->candidate, c.window);
  vec_push(pl->memory, &pl->plan->candidate, c.stored);
  for (int i = 0; pl->window && i < pl->window->member.n; i++)
    demand(pl, pl->window->member.at[i].value, pl->window->member.at[i].n);
}

bool window_takes(planner *pl, const ir_stmt *st) {
  if (!pl->window) return true;
  const bool *seen = window_reads_of(pl, st, 0, true);
  return !read_before(pl, seen) && !reduced_before(pl, seen);
}

bool window_takes_value(planner *pl, ir_id value) {
  if (!pl->window) return true;
  const bool *seen = window_reads_of_value(pl, value);
  return !read_before(pl, seen) && !reduced_before(pl, seen);
}

bool window_fits_beside(planner *pl, const pending_list *all, ir_id value) {
  VEC(ir_id) output = {0};
  window w;
  if (!pl->window) return true;
  for (int i = 0; i < all->n; i++)
    for (int c = 0; c < all->at[i].n; c++) vec_push(pl->memory, &output, all->at[i].value[c]);
  vec_push(pl->memory, &output, value);
  const int columns = pl->window->columns;
  const bool fits = !derive(pl, output.at, output.n, &w) && !choose_columns(pl, &w);
  if (!fits) pl->window->columns = columns;
  return fits;
}

static bool assigns(const pending_list *all, ir_sym target) {
  for (int i = 0; i < all->n; i++)
    if (all->at[i].target == target) return true;
  return false;
}

bool window_is_read(planner *pl, const pending_list *all, const pending_list *later) {
  VEC(ir_id) output = {0};
  window w;
  if (!pl->window) return true;
  for (int i = 0; i < all->n; i++)
    for (int c = 0; c < all->at[i].n && !assigns(later, all->at[i].target); c++)
      vec_push(pl->memory, &output, all->at[i].value[c]);
  for (int i = 0; i < later->n; i++)
    for (int c = 0; c < later->at[i].n; c++) vec_push(pl->memory, &output, later->at[i].value[c]);
  return !derive(pl, output.at, output.n, &w) && !unread_member(pl, &w);
}

/* What was valid within the window only is so no longer. */
void window_close(planner *pl) {
  window_plan *wp = pl->window;
  if (!wp) return;
  for (int i = 0; i < wp->member.n; i++) {
    pl->found[wp->member.at[i].sym].windowed = true;
    pl->now[wp->member.at[i].sym].valid = false;
  }
  return_storage(pl, pl->storage);
  pl->storage = wp->storage_outside;
  pl->shared = wp->outside;
  pl->window = NULL;
}

/* ---- the kernel ------------------------------------------------------------------------------------------------------------ */

static void add_ring(planner *pl, plan_window *to, int i, const window_piece *p) {
  const member *m = &pl->window->member.at[i];
  for (int c = 0; c < m->n; c++)
    vec_push(pl->memory, &to->ring, ((plan_ring){buffer_of(pl, m->sym, IR_NOW), c, p->rows, p->in_register}));
}

static bool reads_any_of(const window_piece *p, const int *members, int n) {
  for (int i = 0; i < p->read.n; i++)
    for (int k = 0; k < n; k++)
      if (p->read.at[i].piece == members[k]) return true;
  return false;
}

/* Neighbours in the pass's order that are computed at the same points share a body, and what is common to them. Where each item
 * computes all at its column, in as many rows as any of them wants, rows that are the same suffice. */
static bool joins(const planner *pl, const window *w, int before, int next, const int *body, int n) {
  const window_piece *a = &w->piece.at[before], *b = &w->piece.at[next];
  bool same = a->first == b->first && a->lo == b->lo && a->hi == b->hi;
  return !b->barrier && a->row == b->row && (same || each_item(pl)) && !b->output &&
         !reads_any_of(b, body, n);
}

/* Pieces that are computed together. */
typedef struct joint_body {
  int *piece, n;
} joint_body;

static void add_piece(planner *pl, plan_window *to, plan_kernel *k, const plan_kernel *own, const window *w,
                      joint_body together) {
  const int *body = together.piece, n = together.n;
  const window_piece *p = &w->piece.at[body[0]];
  plan_piece piece = {.first_output = k->output.n,
                      .row = p->row,
                      .first = p->first,
                      .lo = p->lo,
                      .hi = p->hi,
                      .barrier = p->barrier};
  for (int i = 0; i < n; i++) {
    const window_piece *one = &w->piece.at[body[i]];
    if (one->first < piece.first) piece.first = one->first;
    if (one->lo > piece.lo) piece.lo = one->lo;
    if (one->hi > piece.hi) piece.hi = one->hi;
    bool outputs = body[i] == pl->window->member.n;
    for (int o = 0; outputs && o < own->output.n; o++) vec_push(pl->memory, &k->output, own->output.at[o]);
    const member *m = outputs ? NULL : &pl->window->member.at[body[i]];
    for (int c = 0; m && c < m->n; c++)
      kernel_output(pl, k, PLAN_KEEP, buffer_of(pl, m->sym, IR_NOW), c, m->value[c]);
  }
  piece.n_outputs = k->output.n - piece.first_output;
  vec_push(pl->memory, &to->piece, piece);
}

static void add_pieces(planner *pl, plan_window *to, plan_kernel *k, const plan_kernel *own,
                       const window *w) {
  int *body = arena_array(pl->memory, int, w->order.n + 1);
  for (int i = 0; i < w->order.n;) {
    int n = 0;
    body[n++] = w->order.at[i++];
    while (i < w->order.n && joins(pl, w, body[n - 1], w->order.at[i], body, n)) body[n++] = w->order.at[i++];
    add_piece(pl, to, k, own, w, (joint_body){body, n});
  }
}

static void describe(planner *pl, plan_kernel *k, const window *w, const plan_window *to) {
  const char *rows = "";
  for (int i = 0; i < pl->window->member.n; i++) {
    const window_piece *p = &w->piece.at[i];
    const char *kept = p->in_register ? "a register"
                       : p->rows == 1 ? "1 row"
                                      : arena_printf(pl->memory, "%d rows", p->rows);
    rows = arena_printf(pl->memory, "%s%s%s %s", rows, i ? ", " : "", p->name, kept);
  }
  note(pl, k->what,
       "a window keeps %s; %d of %d columns written, %d bytes of local memory, %d barrier%s a row, %d "
       "row%s ahead of a "
       "subdomain of %d",
       rows, to->columns - to->halo_lo - to->halo_hi, to->columns, local_bytes(pl, w, to->columns),
       to->barriers, to->barriers == 1 ? "" : "s", -to->first_row, to->first_row == -1 ? "" : "s", to->rows);
}

void window_kernel(planner *pl, plan_kernel *k) {
  plan_kernel own = *k;
  VEC(ir_id) output = {0};
  for (int i = 0; i < own.output.n; i++) vec_push(pl->memory, &output, own.output.at[i].value);
  window w;
  derive(pl, output.at, output.n, &w);
  plan_window *to = arena_new(pl->memory, plan_window);
  *to = (plan_window){.number = pl->at.windows - 1,
                      .first_row = w.first_row,
                      .halo_lo = w.halo_lo,
                      .halo_hi = w.halo_hi,
                      .columns = pl->window->columns,
                      .rows = pl->in->schedule->grid.rows,
                      .fit_rows = pl->in->schedule->grid.fit_rows,
                      .margin = margin_of(pl, &w),
                      .local_words = w.local_words,
                      .closing = w.closing,
                      .barriers = w.barriers};
  k->output = (__typeof__(k->output)){0};
  add_pieces(pl, to, k, &own, &w);
  for (int i = 0; i < pl->window->member.n; i++) add_ring(pl, to, i, &w.piece.at[i]);
  k->local_size = to->columns;
  to->limited = each_item(pl) && pl->in->schedule->grid.registers > 0 && to->columns <= LIMITED_COLUMNS;
  if (to->limited) pl->program->execution.registers = pl->in->schedule->grid.registers;
  k->window = pl->window->made = to;
  describe(pl, k, &w, to);
}

int window_reaches(planner *pl, plan_kernel *k) {
  plan_window *w = pl->window->made;
  int far = 0;
  for (int i = 0; i < w->piece.n; i++) {
    plan_piece *p = &w->piece.at[i];
    p->reach = reach_of_outputs(pl, k, p->first_output, p->n_outputs);
    bool all = each_item(pl); /* all items compute all pieces, and read their columns in all passes */
    int below = all ? -w->first_row - (p->row < 0 ? p->row : 0) : -p->first;
    int sides[4] = {all ? w->halo_lo : p->lo, all ? w->halo_hi : p->hi, below, p->row};
    for (int s = 0; s < 4; s++)
      if (p->reach + sides[s] > far) far = p->reach + sides[s];
  }
  return far;
}

static bool is_filled(const planner *pl, int buffer) {
  for (int i = 0; i < pl->plan->kernel.n; i++)
    for (int o = 0; o < pl->plan->kernel.at[i].output.n; o++) {
      const plan_output *out = &pl->plan->kernel.at[i].output.at[o];
      if (out->kind == PLAN_STORE && out->buffer == buffer) return true;
    }
  return false;
}

void window_finish(planner *pl) {
  for (int i = 0; i < pl->plan->kernel.n; i++) {
    const plan_window *w = pl->plan->kernel.at[i].window;
    for (int r = 0; w && r < w->ring.n; r++)
      if (!is_filled(pl, w->ring.at[r].buffer))
        pl->made->buffer.at[w->ring.at[r].buffer].kind = DSLC_BUFFER_ALIAS;
  }
}
