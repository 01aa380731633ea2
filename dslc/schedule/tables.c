/* Tables near walls. There every equation that is not stored is a function of its point, so that what it reads is resolved as
 * seen from where it stands. Called wherever it is read, such a function computes its operands again, and those theirs: a
 * thousand dependent reads at one point, which on a GPU all others wait for. With tables, small kernels ahead compute each
 * function once for each point near walls, those first whose tables others look into; a call then is one read. */
#include <stdlib.h>

#include "schedule/asked.h"
#include "schedule/grid.h"
#include "schedule/nodes.h"

/* Operations and reads. What takes fewer is as well computed in every call; kernels that take fewer near walls call functions, as
 * filling tables costs a launch. */
enum { EXPENSIVE = 70, EXPENSIVE_KERNEL = 300 };

static int most(int a, int b) { return a > b ? a : b; }

/* ---- which functions have one -------------------------------------------------------------------------------------- */

bool tables_wanted(const planner *pl) {
  return pl->in->schedule->grid.walls != WALLS_CALLS && pl->in->options->emit == DSLC_EMIT_OPENCL &&
         !pl->in->schedule->loop;
}

static bool is_expensive(const planner *pl, int effort, int least) {
  return effort > (pl->in->schedule->grid.walls == WALLS_TABLES ? 1 : least);
}

/* Operations and reads of one evaluation, those of what it calls included. */
static int effort_of(const planner *pl, ir_id value, const plan_function *within) {
  ir_reached all = ir_reach(pl->to, &value, 1);
  int effort = all.n;
  for (int i = 0; i < all.n; i++) {
    int called = plan_called(pl->plan, all.at[i], within);
    if (called < 0) continue;
    const plan_function *f = &pl->plan->function.at[called];
    plan_part part = plan_part_called(pl->plan, all.at[i], called);
    if (part != PLAN_PART_TABLE && !f->table) effort += f->effort;
    if (part == PLAN_PART_NEAR || part >= PLAN_PART_ACROSS) effort += f->effort_beyond;
  }
  return effort;
}

static int effort_of_cases(const planner *pl, const plan_wall_case *c, int n, const plan_function *within) {
  int effort = 0;
  for (int i = 0; i < n; i++) effort = most(effort, effort_of(pl, c[i].value, within));
  return effort;
}

/* Functions are made after those that they call. */
void choose_table(planner *pl, plan_function *f) {
  if (!tables_wanted(pl)) return;
  f->effort = effort_of_cases(pl, f->fix.at, f->fix.n, f) + (f->value ? effort_of(pl, f->value, f) : 1);
  f->effort_beyond = effort_of_cases(pl, f->ghost.at, f->ghost.n, f);
  bool can = f->kind == PLAN_FUNCTION_AT && f->value && !f->stored;
  if (can && is_expensive(pl, f->effort, EXPENSIVE)) f->table = PLAN_TABLE_WANTED;
}

/* ---- which must be filled, in which order --------------------------------------------------------------------------- */

/* A part of a function, along an axis. */
typedef struct asked {
  int number;
  int level; /* from which on it can be called; 0 while that is found: what asks for itself would be a cycle, and refused */
} asked;

/* A function whose table is to be filled, and when. */
typedef struct wanted {
  int function, level;
} wanted;

typedef struct search {
  planner *pl;
  int *place;     /* by function, part and axis */
  VEC(asked) ask; /* those that are asked for */
  VEC(wanted) table;
  int last; /* level */
} search;

/* From which level on what is evaluated can be: above the tables that it looks into. */
typedef struct readiness {
  search *s;
  const plan_asked *by; /* NULL: a kernel */
  int level;
} readiness;

static int ready(search *s, plan_asked a);

static void ready_part(void *ctx, plan_asked a) {
  readiness *r = ctx;
  r->level = most(r->level, ready(r->s, a));
}

static void ready_value(void *ctx, ir_id value, int rule) {
  const readiness *r = ctx;
  ir_reached all = ir_reach(r->s->pl->to, &value, 1);
  (void)rule;
  for (int i = 0; i < all.n; i++) plan_asked_by(r->s->pl->plan, all.at[i], r->by, ready_part, ctx);
}

static bool is_filled(const planner *pl, int function) {
  for (int i = 0; i < pl->walls.filled.n; i++)
    if (pl->walls.filled.at[i] == function) return true;
  return false;
}

static int find_ready(search *s, plan_asked a) {
  readiness r = {s, &a, 0};
  const bool table = a.part == PLAN_PART_TABLE;
  if (table && is_filled(s->pl, a.function)) return 0;
  plan_asked_parts(s->pl->plan, a, ready_value, ready_part, &r);
  if (!table) return r.level;
  vec_push(s->pl->memory, &s->table, ((wanted){a.function, r.level}));
  s->last = most(s->last, r.level);
  return r.level + 1;
}

/* By the axis, as functions may need each other in turn along different ones. */
static int ready(search *s, plan_asked a) {
  const int number = plan_asked_number(a), place = s->place[number];
  if (place < s->ask.n && s->ask.at[place].number == number) return s->ask.at[place].level;
  const int own = s->place[number] = s->ask.n;
  vec_push(s->pl->memory, &s->ask, ((asked){number, 0}));
  const int level = find_ready(s, a);
  s->ask.at[own].level = level;
  return level;
}

/* ---- what kernels write near walls ------------------------------------------------------------------------------------ */

/* The node that stands for it; what it would be otherwise is of no interest. */
static ir_id own_output(planner *pl, int function) {
  ir_id none = ir_const(pl->to, 0);
  ir_node n = {.op = IR_FIXED, .type = ir_scalar(), .n_args = 1};
  n.first = function;
  ir_id own = ir_rebuild(pl->to, &n, &none);
  const ir_origin o = pl->to->origin.at[pl->plan->function.at[function].value];
  if (o.hint) ir_name(pl->to, own, o.hint, o.tag, o.at);
  return own;
}

/* The symbol, level and component that lie there; 0: none. */
static ir_sym symbol_of(const planner *pl, const plan_output *o, ir_level *level, int *component) {
  for (int s = 1; s < pl->to->symbol.n; s++) {
    const plan_location *at = &pl->plan->location[s];
    *component = o->component - at->first;
    if (*component < 0 || *component >= ir_symbol_get(pl->to, (ir_sym)s)->type.n) continue;
    for (int l = IR_NOW; l < IR_LEVEL_COUNT; l++)
      if (at->buffer[l] == o->buffer) {
        *level = (ir_level)l;
        return (ir_sym)s;
      }
  }
  return 0;
}

/* Does it call anything, where no table holds that? Weights of a Runge-Kutta stage come with the launch of the kernel, reductions
 * with its loops: such a value cannot be computed elsewhere. */
static bool calls_apart(const planner *pl, ir_id value) {
  ir_reached all = ir_reach(pl->to, &value, 1);
  bool calls = false;
  for (int i = 0; i < all.n; i++) {
    const ir_node *n = ir_get(pl->to, all.at[i]);
    if (n->op == IR_REDUCE) return false;
    if (n->op == IR_PARAM && pl->plan->location[n->read.sym].launch == PLAN_LAUNCH_WEIGHT) return false;
    int called = plan_called(pl->plan, all.at[i], NULL);
    calls = calls || (called >= 0 && plan_part_called(pl->plan, all.at[i], called) != PLAN_PART_TABLE);
  }
  return calls;
}

/* A kernel that calls functions pays for that at all its points, in registers; the rows of a window wait for each call. */
static bool is_expensive_near(const planner *pl, const plan_kernel *k) {
  int effort = 0;
  if (k->window) return true;
  for (int i = 0; i < k->output.n; i++) effort += effort_of(pl, k->output.at[i].near, NULL);
  return is_expensive(pl, effort, EXPENSIVE_KERNEL);
}

static int find_output(const planner *pl, const plan_function *f) {
  for (int i = 0; i < pl->plan->function.n; i++) {
    const plan_function *g = &pl->plan->function.at[i];
    if (g->kind == f->kind && g->sym == f->sym && g->component == f->component && g->level == f->level &&
        g->value == f->value && g->context == f->context)
      return i;
  }
  plan_add_function(pl->plan, f);
  return pl->plan->function.n - 1;
}

typedef struct exchange {
  ir_id from, to;
} exchange;

static ir_id exchanged(void *ctx, ir_module *m, ir_id id) {
  const exchange *x = ctx;
  (void)m;
  return id == x->from ? x->to : 0;
}

/* Checks and residuals look at what is written. */
void table_outputs(planner *pl, plan_kernel *k) {
  if (!tables_wanted(pl) || !is_expensive_near(pl, k)) return;
  for (int i = 0; i < k->output.n; i++) {
    const plan_output *o = &k->output.at[i];
    plan_function f = {.kind = PLAN_FUNCTION_OUTPUT, .value = o->near, .table = PLAN_TABLE_WANTED};
    if ((o->kind == PLAN_STORE || o->kind == PLAN_KEEP) && calls_apart(pl, o->near))
      f.sym = symbol_of(pl, o, &f.level, &f.component);
    if (!f.sym) continue;
    exchange x = {o->near, own_output(pl, find_output(pl, &f))};
    for (int j = 0; j < k->output.n; j++)
      k->output.at[j].near = rewrite_value(pl->to, k->output.at[j].near, exchanged, &x);
  }
}

/* ---- filling -------------------------------------------------------------------------------------------------------- */

ir_id value_near(planner *pl, int function) {
  const plan_function *f = &pl->plan->function.at[function];
  if (f->kind == PLAN_FUNCTION_OUTPUT) return own_output(pl, function);
  ir_node n = {.op = IR_READ, .type = ir_scalar()};
  n.read.sym = f->sym;
  n.read.first = (uint8_t)f->component;
  n.read.level = (uint8_t)f->level;
  n.read.at = IR_AT_NEAR;
  n.read.context = (uint8_t)f->context;
  n.read.from = (uint8_t)ir_symbol_get(pl->to, f->sym)->place;
  return ir_rebuild(pl->to, &n, NULL);
}

static int buffer_of_tables(planner *pl) {
  plan *p = pl->plan;
  if (p->grid.tables < 0)
    p->grid.tables = buffer_add(pl, (dslc_buffer){.name = "by_walls",
                                                  .kind = DSLC_BUFFER_WORK,
                                                  .element = DSLC_F64,
                                                  .place = DSLC_NEAR_WALLS,
                                                  .rule = -1,
                                                  .argument = -1});
  return p->grid.tables;
}

static void fill_level(planner *pl, const search *s, int level) {
  plan_kernel k = kernel_begin(pl, "near_walls", IR_NEAR_WALLS, 0);
  k.fills = true;
  k.what = "equations near walls";
  for (int w = 0; w < s->table.n; w++) {
    if (s->table.at[w].level != level) continue;
    const int i = s->table.at[w].function;
    const plan_function *f = &pl->plan->function.at[i];
    kernel_output(pl, &k, PLAN_TABLE, buffer_of_tables(pl), i, value_near(pl, i));
    plan_output *o = &k.output.at[k.output.n - 1];
    o->near = o->value;
    o->place = ir_symbol_get(pl->to, f->sym)->place;
    vec_push(pl->memory, &pl->walls.filled, i);
  }
  kernel_launch(pl, k, DSLC_OWNED, -1, -1);
}

static int by_function(const void *a, const void *b) {
  return ((const wanted *)a)->function - ((const wanted *)b)->function;
}

void fill_tables(planner *pl, const plan_kernel *k) {
  const int views = pl->plan->function.n * PLAN_PARTS * PLAN_AXES + 1;
  if (!tables_wanted(pl)) return;
  search s = {.pl = pl, .place = places_for(pl->memory, &pl->walls.places->view, views), .last = -1};
  for (int i = 0; i < k->output.n; i++)
    if (k->output.at[i].near) ready_value(&(readiness){.s = &s}, k->output.at[i].near, -1);
  if (s.table.n > 0) qsort(s.table.at, (size_t)s.table.n, sizeof *s.table.at, by_function);
  for (int level = 0; level <= s.last; level++) fill_level(pl, &s, level);
}

void empty_tables(planner *pl) {
  for (int i = 0; i < pl->walls.filled.n; i++)
    vec_push(pl->memory, &pl->walls.together, pl->walls.filled.at[i]);
  if (pl->walls.filled.n) vec_push(pl->memory, &pl->walls.together, -1);
  pl->walls.filled.n = 0;
}

/* ---- functions that share a table ----------------------------------------------------------------------------------- */

/* Marks the tables of those that are filled at the same time as the function. */
static void mark_taken(const planner *pl, int function, bool *taken) {
  const int *list = pl->walls.together.at;
  for (int begin = 0, end; begin < pl->walls.together.n; begin = end + 1) {
    bool in_it = false;
    for (end = begin; list[end] >= 0; end++) in_it = in_it || list[end] == function;
    for (int i = begin; in_it && i < end; i++) {
      int table = pl->plan->function.at[list[i]].table;
      if (table > 0) taken[table] = true;
    }
  }
}

/* Nobody asked for these: where they are written down after all, as behind a wall that no kernel meets, they are computed. */
static void drop_unfilled(plan *p) {
  for (int i = 0; i < p->function.n; i++)
    if (p->function.at[i].table == PLAN_TABLE_WANTED) p->function.at[i].table = 0;
}

/* A table belongs to several functions where no two of them are filled at one time. */
void finish_tables(planner *pl) {
  plan *p = pl->plan;
  empty_tables(pl);
  for (int i = 0; i < pl->walls.together.n; i++) {
    int function = pl->walls.together.at[i];
    if (function < 0 || p->function.at[function].table > 0) continue;
    bool *taken = arena_array(pl->memory, bool, p->function.n + 2);
    mark_taken(pl, function, taken);
    int table = 1;
    while (taken[table]) table++;
    arena_return_array(pl->memory, taken, p->function.n + 2);
    p->function.at[function].table = table;
    pl->made->buffer.at[p->grid.tables].width = most(pl->made->buffer.at[p->grid.tables].width, table);
  }
  drop_unfilled(p);
}

/* ---- how far from walls they are asked for --------------------------------------------------------------------------- */

/* What a part of a function asks for, at a point at most `shift` from its own. */
typedef struct question {
  plan_asked of;
  int shift;
  bool same;   /* at the same point, for the same asker: what the part consists of */
  bool along;  /* seen along the caller's own way */
  bool beside; /* seen from the points inside that the caller's rules read */
  enum {
    ANYWHERE,
    BEYOND,
    ON_WALL
  } where; /* the caller's value itself, or what rules say of it beyond and on walls */
} question;

typedef VEC(question) questions;

/* A part of a function, along an axis. */
typedef struct asked_part {
  questions question;
  int far;   /* 1 + how far from walls somebody asks for it; 0: nobody yet */
  int met;   /* how far from walls somebody asks for it across one */
  bool open; /* being asked for: what needs itself is refused */
} asked_part;

typedef struct asking {
  planner *pl;
  asked_part *part; /* by plan_asked_number */
} asking;

/* What asks, and whom its questions are noted for. */
typedef struct asker {
  planner *pl;
  const plan_asked *by; /* NULL: a kernel */
  question like;        /* shift, along and where are those of the value at hand */
  questions *to;
} asker;

/* A rule's points inside of the wall lie beside the one on it, whatever the shift. */
static int shift_of(const planner *pl, const ir_node *n) {
  bool in_rule = n->read.at == IR_AT_INNER || n->read.at == IR_AT_MIRROR;
  return n->op != IR_READ ? 0 : most(farthest_shift(pl, n), in_rule);
}

static void note_question(void *ctx, plan_asked of) {
  const asker *by = ctx;
  question q = by->like;
  q.of = of;
  vec_push(by->pl->memory, by->to, q);
}

static void note_value(void *ctx, ir_id value, int rule) {
  asker *by = ctx;
  const bool near = by->by && by->by->part == PLAN_PART_NEAR;
  ir_reached all = ir_reach(by->pl->to, &value, 1);
  for (int i = 0; i < all.n; i++) {
    const ir_node *n = ir_get(by->pl->to, all.at[i]);
    const bool along = n->op == IR_READ && n->read.at == IR_AT_NEAR && n->read.from == IR_NOWHERE;
    by->like = (question){.shift = shift_of(by->pl, n),
                          .along = along,
                          .where = near        ? BEYOND
                                   : rule >= 0 ? ON_WALL
                                               : ANYWHERE};
    plan_asked_by(by->pl->plan, all.at[i], by->by, note_question, by);
  }
}

/* Beyond several walls those along one axis are asked as anybody asks them, others from the points that they read inside. */
static void note_part(void *ctx, plan_asked of) {
  asker *by = ctx;
  const bool own = of.function == by->by->function;
  by->like = (question){.same = own, .beside = !own, .where = BEYOND};
  note_question(by, of);
}

static void ask(asking *a, plan_asked of, int from, int shift);

/* What somebody beyond a wall asks is asked by points that are no farther from it than the shift; points on walls touch one. */
static void ask_on(asking *a, const question *c, int from, int far, int met, int shift) {
  if (c->same) ask(a, c->of, from, shift);
  else if (c->where == ANYWHERE) ask(a, c->of, far, c->shift);
  else if (c->where == ON_WALL) ask(a, c->of, far >= 1, c->shift);
  else if (c->beside) ask(a, c->of, met, shift);
  else if (c->along) ask(a, c->of, most(met - shift, 0), shift + c->shift);
  else ask(a, c->of, met, c->shift);
}

/* Somebody at most `from` cells from walls asks for it at a shift. */
static void ask(asking *a, plan_asked of, int from, int shift) {
  plan_function *f = &a->pl->plan->function.at[of.function];
  asked_part *p = &a->part[plan_asked_number(of)];
  const int far = from + shift, met = 1 + shift < far ? 1 + shift : far;
  if (p->open || (p->far > far && p->met >= met)) return;
  if (!p->far)
    plan_asked_parts(a->pl->plan, of, note_value, note_part, &(asker){a->pl, &of, .to = &p->question});
  f->asked = most(f->asked, 1 + far);
  p->far = most(p->far, 1 + far);
  p->met = most(p->met, met);
  p->open = true;
  for (int i = 0; i < p->question.n; i++) ask_on(a, &p->question.at[i], from, far, met, shift);
  p->open = false;
}

static void ask_outputs(asking *a, const plan_kernel *k, int first, int n, int reach) {
  questions q = {0};
  for (int i = first; i < first + n; i++)
    if (k->output.at[i].near) note_value(&(asker){a->pl, .to = &q}, k->output.at[i].near, -1);
  for (int i = 0; i < q.n; i++) ask(a, q.at[i].of, reach, q.at[i].shift);
}

/* Kernels ask as far from walls as they take the version near walls; what fills a table asks where that is looked up. */
int find_band(planner *pl) {
  plan *p = pl->plan;
  int band = 0;
  asking a = {pl, arena_array(pl->memory, asked_part, p->function.n * PLAN_PARTS * PLAN_AXES + 1)};
  for (int i = 0; i < p->kernel.n; i++) {
    const plan_kernel *k = &p->kernel.at[i];
    if (k->fills) continue;
    if (!k->window) ask_outputs(&a, k, 0, k->output.n, k->reach);
    for (int j = 0; k->window && j < k->window->piece.n; j++) {
      const plan_piece *piece = &k->window->piece.at[j];
      ask_outputs(&a, k, piece->first_output, piece->n_outputs, piece->reach);
    }
  }
  for (int i = 0; i < p->function.n; i++)
    if (p->function.at[i].table > 0) band = most(band, p->function.at[i].asked);
  return band;
}
