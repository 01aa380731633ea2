/* Windowed kernels: what an update reads of other equations, and nobody after it, its kernel computes itself, row by row.
 *
 * To the planner such an equation is a stored one whose value is there already: its reads stay reads. What the kernel of the
 * update adds to its outputs is the equations' values; window_derive puts them in order. Reads are found with the shift from
 * the kernel's own point: also those in functions near walls, where what a rule says of a ghost may look at the mirror
 * point or the nearest one inside. */
#include <stdlib.h>
#include <string.h>

#include "base/defects.h"
#include "schedule/grid.h"
#include "schedule/window.h"

/* ---- reads with their shifts ------------------------------------------------------------------------------------ */

/* Shifts from the kernel's point, from lo to hi along the columns and the rows. `apart`: the point lies half a point off, */
typedef struct box {
  int lo[2], hi[2];
  bool apart, half[2]; /* along these */
} box;

/* Of a member of the window at those shifts; by a function: as a place in local memory. */
typedef void member_visitor(void *ctx, ir_sym sym, const box *at, bool by_function);

/* A read of a member, or a call of a function that reads some; axis: of the rule, 0: any, or not in a rule. */
typedef struct leaf {
  ir_id id;
  char axis;
} leaf;

/* From where, and as which part. */
typedef struct walked {
  box at;
  plan_part part;
} walked;

typedef struct function_summary {
  bool known;
  VEC(leaf) leaf;
  bool beside; /* what is seen from inside one wall beyond another reads some */
  VEC(walked) walked;
} function_summary;

typedef struct read_walk {
  planner *pl;
  const ir_sym *member;
  int n_members;
  member_visitor *visit;
  void *ctx;
  function_summary *function;
} read_walk;

static bool is_member(const read_walk *w, ir_sym sym) {
  for (int i = 0; i < w->n_members; i++)
    if (w->member[i] == sym) return true;
  return false;
}

static bool reads_members(read_walk *w, int number);

static bool any_reads_members(read_walk *w, const int *functions, int n) {
  bool any = false;
  for (int i = 0; i < n; i++) any = reads_members(w, functions[i]) || any;
  return any;
}

static void add_leaves(read_walk *w, function_summary *to, ir_id value, const plan_function *within,
                       char axis) {
  ir_reached all = ir_reach(w->pl->to, &value, 1);
  VEC(leaf) found = {0};
  for (int i = 0; i < all.n; i++) {
    const ir_node *n = ir_get(w->pl->to, all.at[i]);
    if (n->op == IR_READ || n->op == IR_FIXED) vec_push(w->pl->memory, &found, ((leaf){all.at[i], axis}));
  }
  for (int i = 0; i < found.n; i++) {
    const ir_node n = *ir_get(w->pl->to, found.at[i].id);
    bool member = n.op == IR_READ && n.read.level == IR_NOW && is_member(w, n.read.sym);
    if (member || reads_members(w, plan_called(w->pl->plan, found.at[i].id, within)))
      vec_push(w->pl->memory, &to->leaf, found.at[i]);
  }
}

/* Functions refer to each other as deeply as equations do, and never in a circle, but for what lies beside several walls. */
static bool reads_members(read_walk *w, int number) {
  if (number < 0) return false;
  function_summary *s = &w->function[number];
  if (s->known) return s->leaf.n > 0 || s->beside;
  s->known = true;
  const plan_function f = w->pl->plan->function.at[number];
  if (f.value) add_leaves(w, s, f.value, &f, 0);
  for (int i = 0; i < f.ghost.n; i++) add_leaves(w, s, f.ghost.at[i].value, &f, f.ghost.at[i].axis);
  for (int i = 0; i < f.fix.n; i++) add_leaves(w, s, f.fix.at[i].value, &f, f.fix.at[i].axis);
  s->beside = any_reads_members(w, f.beside.at, f.beside.n) || any_reads_members(w, f.along.at, f.along.n);
  return s->leaf.n > 0 || s->beside;
}

static void walk_function(read_walk *w, int number, const box *at, plan_part part);

static bool is_diagonal(const box *b) {
  bool columns = b->lo[0] || b->hi[0] || b->half[0], rows = b->lo[1] || b->hi[1] || b->half[1];
  return columns && rows;
}

/* Where a rule looks: of a ghost as deep inside as that lies outside, or less; of a fixed face to the points beside it. A point half
 * a point off that is seen diagonally may be reached from its other side: there the reader's own half point counts twice. */
static box inside_of(const box *b, char axis, const plan_function *within, bool apart) {
  box r = *b;
  bool round = is_diagonal(b) && !defect_is_back("windows_beside_solids");
  for (int a = 0; a < 2; a++) {
    if (axis && axis != "xy"[a] && !within->across) continue;
    int far = abs(b->lo[a]) > abs(b->hi[a]) ? abs(b->lo[a]) : abs(b->hi[a]);
    bool fix = within->kind == PLAN_FUNCTION_FIX;
    int beyond = far + apart + (round && b->half[a]);
    int beside =
        1 + (within->fresh != NULL &&
             !defect_is_back("windows_beside_solids")); /* the point inside may lie on a wall of its own */
    r.lo[a] = fix ? b->lo[a] - beside : -beyond;
    r.hi[a] = fix ? b->hi[a] + beside : beyond;
  }
  return r;
}

static void walk_leaf(read_walk *w, const leaf *l, const box *at, const plan_function *within);

static bool is_walked(function_summary *s, const box *at, plan_part part) {
  for (int i = 0; i < s->walked.n; i++)
    if (s->walked.at[i].part == part && memcmp(&s->walked.at[i].at, at, sizeof *at) == 0) return true;
  return false;
}

/* Beyond two walls the rules hold one axis after the other: what is seen beside one is seen across the other only, and from there
 * no farther. A quantity may stand beside itself, so this ends the walk. */
static void walk_beside(read_walk *w, const plan_function *f, const box *at) {
  const box inside = inside_of(at, 0, f, at->apart);
  for (int i = 0; i < f->beside.n; i++) walk_function(w, f->beside.at[i], &inside, PLAN_PART_NEAR);
  for (int i = 0; i < f->along.n; i++) walk_function(w, f->along.at[i], at, PLAN_PART_ACROSS);
}

static void walk_function(read_walk *w, int number, const box *at, plan_part part) {
  if (!reads_members(w, number)) return;
  function_summary *s = &w->function[number];
  if (is_walked(s, at, part)) return;
  vec_push(w->pl->memory, &s->walked, ((walked){*at, part}));
  const plan_function f = w->pl->plan->function.at[number];
  for (int i = 0; i < s->leaf.n; i++) walk_leaf(w, &s->leaf.at[i], at, &f);
  if (part == PLAN_PART_ACROSS) walk_beside(w, &f, at);
}

static bool is_half_off(const ir_node *n, ir_place place, const box *at, int axis) {
  if (n->read.at != IR_AT_NEAR) return false;
  if (n->read.from == IR_NOWHERE) return at->half[axis];
  return (n->read.from == IR_CORNERS || n->read.from == (uint8_t)(IR_XFACES + axis)) !=
         (place == IR_CORNERS || place == (ir_place)(IR_XFACES + axis));
}

static void walk_leaf(read_walk *w, const leaf *l, const box *at, const plan_function *within) {
  planner *pl = w->pl;
  const ir_node n = *ir_get(pl->to, l->id);
  int called = plan_called(pl->plan, l->id, within);
  plan_part part = called < 0 ? PLAN_PART_AT : plan_part_called(pl->plan, l->id, called);
  if (n.op != IR_READ) {
    walk_function(w, called, at, part);
    return;
  }
  ir_place place = ir_symbol_get(pl->to, n.read.sym)->place;
  bool rule = n.read.at == IR_AT_INNER || n.read.at == IR_AT_MIRROR;
  bool other = within && ir_symbol_get(pl->to, within->sym)->place != place;
  box b = rule ? inside_of(at, l->axis, within, at->apart || other) : *at;
  for (int a = 0; a < 2; a++) b.lo[a] += n.read.off[a], b.hi[a] += n.read.off[a];
  b.apart = n.read.at == IR_AT_NEAR &&
            (n.read.from == IR_NOWHERE ? at->apart || other : n.read.from != (uint8_t)place);
  for (int a = 0; a < 2; a++) b.half[a] = is_half_off(&n, place, at, a);
  if (n.read.level == IR_NOW && is_member(w, n.read.sym))
    w->visit(w->ctx, n.read.sym, &b, within || called >= 0);
  walk_function(w, called, &b, part);
}

/* Calls visit for every read of members that the values make, directly or in functions near walls. */
static void each_member_read(read_walk *w, const ir_id *value, int n) {
  function_summary top = {0};
  int functions = w->pl->plan->function.n;
  w->function = arena_array(w->pl->memory, function_summary, functions + 1);
  for (int i = 0; i < n; i++) add_leaves(w, &top, value[i], NULL, 0);
  box here;
  memset(&here, 0, sizeof here); /* boxes are compared byte by byte */
  for (int i = 0; i < top.leaf.n; i++) walk_leaf(w, &top.leaf.at[i], &here, NULL);
}

/* ---- the update being planned ------------------------------------------------------------------------------------- */

typedef struct member {
  ir_sym sym;
  int n;
  ir_id *value; /* [n] */
  bool was_stored;
} member;

typedef struct window_plan {
  VEC(member) member;
  expander outside;
  const symbol_storage *storage_outside;
  int columns;
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
  if (sp->fixed || sp->reduces || !pl->in->schedule->window) return false;
  return schedule_form(pl->in->schedule, q->text) == FORM_AUTO && window_changes(pl, st, sym);
}

static symbol_storage *copy_storage(const planner *pl, const symbol_storage *of) {
  symbol_storage *copy = arena_array(pl->memory, symbol_storage, pl->from->symbol.n);
  memcpy(copy, of, sizeof *copy * (size_t)pl->from->symbol.n);
  return copy;
}

/* Within the window what its kernel computes counts as stored and valid. */
static void choose(planner *pl, const ir_stmt *st, const bool *read) {
  symbol_storage *mine = copy_storage(pl, pl->storage);
  for (int s = 1; s < pl->from->symbol.n; s++)
    if (read[s] && is_free(pl, st, (ir_sym)s)) mine[s].stored = false;
  pl->storage = mine;
  const window_choice chosen = window_choose(pl, st, read);
  for (int i = 0; i < chosen.n; i++) {
    ir_sym sym = chosen.at[i];
    vec_push(pl->memory, &pl->window->member, ((member){.sym = sym, .was_stored = mine[sym].stored}));
    mine[sym].stored = pl->now[sym].valid = true;
  }
}

/* An equation that a kernel of its own computes first cannot read what only the update's kernel has. */
static const char *read_before(planner *pl, const bool *read) {
  for (int s = 1; s < pl->from->symbol.n; s++) {
    const ir_symbol *q = ir_symbol_get(pl->from, (ir_sym)s);
    if (!read[s] || !pl->storage[s].stored || pl->now[s].valid || q->kind != IR_EQUATION) continue;
    bool *below = arena_array(pl->memory, bool, pl->from->symbol.n + 1);
    window_mark_read(pl, q->root, 1, below);
    for (int i = 0; i < pl->window->member.n; i++)
      if (below[pl->window->member.at[i].sym])
        return arena_printf(pl->memory, "%s is stored, and reads %s", q->text,
                            ir_symbol_get(pl->from, pl->window->member.at[i].sym)->text);
  }
  return NULL;
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

static void note_member_read(void *ctx, ir_sym sym, const box *at, bool by_function) {
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
  read_walk walk = {pl, sym, wp->member.n, note_member_read, &(reading){pl, w, piece}, NULL};
  each_member_read(&walk, seen, n);
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
  int columns = s->columns, halo = w->halo_lo + w->halo_hi, most = items ? s->local_bytes : 1 << 20;
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

static const char *try_window(planner *pl, const ir_stmt *st, const bool *read) {
  const char *why = read_before(pl, read);
  if (why) return why;
  expand_members(pl);
  pending_list all = expand_update(pl, &pl->shared, st);
  fix_pending(pl, &all, 1);
  VEC(ir_id) output = {0};
  for (int i = 0; i < all.n; i++)
    for (int c = 0; c < all.at[i].n; c++) vec_push(pl->memory, &output, all.at[i].value[c]);
  window w;
  why = derive(pl, output.at, output.n, &w);
  return why ? why : choose_columns(pl, &w);
}

/* `stored`: the equations that were chosen are, from here on. */
static void restore(planner *pl, bool stored) {
  window_plan *wp = pl->window;
  symbol_storage *after = copy_storage(pl, wp->storage_outside);
  for (int i = 0; i < wp->member.n; i++) {
    after[wp->member.at[i].sym].stored = stored || wp->member.at[i].was_stored;
    pl->now[wp->member.at[i].sym].valid = false;
  }
  pl->storage = after;
  pl->shared = wp->outside;
  pl->window = NULL;
}

static const char *member_names(planner *pl) {
  const char *text = "";
  for (int i = 0; i < pl->window->member.n; i++)
    text = arena_printf(pl->memory, "%s%s%s", text, i ? ", " : "",
                        ir_symbol_get(pl->from, pl->window->member.at[i].sym)->text);
  return text;
}

/* Globals are computed with everything stored or expanded as elsewhere: before. */
static void demand_globals(planner *pl, const bool *read) {
  demand(pl, NULL, 0);
  for (int s = 1; s < pl->from->symbol.n; s++)
    if (read[s] && ir_symbol_get(pl->from, (ir_sym)s)->kind == IR_GLOBAL) demand_symbol(pl, (ir_sym)s);
}

void window_open(planner *pl, const ir_stmt *update) {
  if (pl->from->dims != 2 || pl->at.windows >= MOST_WINDOWS) return;
  bool *read = window_reads_of(pl, update);
  demand_globals(pl, read);
  pl->window = arena_new(pl->memory, window_plan);
  pl->at.windows++;
  pl->window->outside = pl->shared;
  pl->window->storage_outside = pl->storage;
  pl->shared = expander_create(pl);
  pl->shared.stage = pl->window->outside.stage;
  choose(pl, update, read);
  const char *why = pl->window->member.n ? try_window(pl, update, read) : "";
  if (why) {
    if (*why) note(pl, "%s: stored, not windowed: %s", member_names(pl), why);
    restore(pl, true);
    return;
  }
  for (int i = 0; i < pl->window->member.n; i++)
    demand(pl, pl->window->member.at[i].value, pl->window->member.at[i].n);
}

void window_close(planner *pl) {
  if (!pl->window) return;
  for (int i = 0; i < pl->window->member.n; i++) pl->found[pl->window->member.at[i].sym].windowed = true;
  restore(pl, false);
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

static void add_piece(planner *pl, plan_window *to, plan_kernel *k, const plan_kernel *own, const window *w,
                      const int *body, int n) {
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
    add_piece(pl, to, k, own, w, body, n);
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
  note(pl,
       "%s: a window keeps %s; %d of %d columns written, %d bytes of local memory, %d barrier%s a row, %d "
       "row%s ahead of a "
       "subdomain of %d",
       k->what, rows, to->columns - to->halo_lo - to->halo_hi, to->columns, local_bytes(pl, w, to->columns),
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
                      .rows = pl->in->schedule->rows,
                      .fit_rows = pl->in->schedule->fit_rows,
                      .margin = margin_of(pl, &w),
                      .local_words = w.local_words,
                      .closing = w.closing,
                      .barriers = w.barriers};
  k->output = (__typeof__(k->output)){0};
  add_pieces(pl, to, k, &own, &w);
  for (int i = 0; i < pl->window->member.n; i++)
    if (w.piece.at[i].order >= 0) add_ring(pl, to, i, &w.piece.at[i]);
  k->local_size = to->columns;
  to->limited = each_item(pl) && pl->in->schedule->registers > 0 && to->columns <= LIMITED_COLUMNS;
  if (to->limited) pl->program->registers = pl->in->schedule->registers;
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
