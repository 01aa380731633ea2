/* Tables near walls. There every equation that is not stored is a function of its point, so that what it reads is resolved as
 * seen from where it stands. Called wherever it is read, such a function computes its operands again, and those theirs: a
 * thousand dependent reads at one point, which on a GPU all others wait for. With tables, small kernels ahead compute each
 * function once for each point near walls, those first whose tables others look into; a call then is one read. */
#include <stdlib.h>

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

enum { AXES = 4 }; /* and none */

/* A part of a function, along an axis. */
typedef struct asked {
  int number;
  int level; /* from which on it can be called; 0 while that is found: what asks for itself would be a cycle, and refused */
} asked;

/* What evaluates a value: a part of a function. */
typedef struct caller {
  const plan_function *function;
  plan_part part;
  int axis; /* -1: none */
} caller;

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

static int ready(search *s, int function, plan_part part, int axis);

/* Seen along each axis along which it looks; a rule's own reads at the same ghost, along its caller's. */
static int ready_near(search *s, int called, const ir_node *n, int axis) {
  unsigned axes = n->read.from != IR_NOWHERE ? plan_axes(s->pl->plan, n) : axis >= 0 ? 1u << axis : 7;
  int level = 0;
  for (int a = 0; a < s->pl->from->dims; a++)
    if (axes >> a & 1) level = most(level, ready(s, called, PLAN_PART_NEAR, a));
  return level;
}

static int ready_value(search *s, ir_id value, const caller *by) {
  planner *pl = s->pl;
  const plan_function *within = by->function;
  ir_reached all = ir_reach(pl->to, &value, 1);
  int level = 0;
  for (int i = 0; i < all.n; i++) {
    const ir_node n = *ir_get(pl->to, all.at[i]);
    const int called = plan_called(pl->plan, all.at[i], within);
    const plan_part part = called >= 0 ? plan_part_called(pl->plan, all.at[i], called) : 0;
    if (called >= 0 && part == PLAN_PART_NEAR) level = most(level, ready_near(s, called, &n, by->axis));
    else if (called >= 0) level = most(level, ready(s, called, part, -1));
    /* A rule that reads a point which another rule fixes asks that one, and with it the tables that it looks into; those that ask for each
     * other do so in turn, to an end. */
    const plan_part inside = plan_part_inside(pl->plan, by->part);
    const int fix = inside ? plan_fixed_inside(pl->plan, &n, within) : -1;
    if (fix >= 0) level = most(level, ready(s, fix, inside, -1));
  }
  return level;
}

/* The rules of walls that are not met along the axis say nothing. */
static int ready_cases(search *s, const plan_wall_case *c, int n, const caller *by) {
  int level = 0;
  for (int i = 0; i < n; i++)
    if (by->axis < 0 || !c[i].axis || c[i].axis == "xyz"[by->axis])
      level = most(level, ready_value(s, c[i].value, by));
  return level;
}

static bool is_filled(const planner *pl, int function) {
  for (int i = 0; i < pl->walls.filled.n; i++)
    if (pl->walls.filled.at[i] == function) return true;
  return false;
}

/* Beyond several walls: along each axis, and what the rules read there along the others. */
static int ready_across(search *s, int function, plan_part part) {
  const plan_function *f = &s->pl->plan->function.at[function];
  const plan_part beside = plan_part_beside(part);
  int level = 0;
  for (int a = 0; a < s->pl->from->dims; a++) {
    level = most(level, ready(s, function, PLAN_PART_NEAR, a));
    for (int i = 0; i < f->beside.n; i++)
      level = most(level, ready(s, f->beside.at[i], beside, beside == PLAN_PART_NEAR ? a : -1));
  }
  for (int i = 0; i < f->along.n; i++) level = most(level, ready(s, f->along.at[i], part, -1));
  return level;
}

static int find_ready(search *s, int function, plan_part part, int axis) {
  const plan_function *f = &s->pl->plan->function.at[function];
  const caller here = {f, part, part == PLAN_PART_NEAR ? axis : -1};
  switch (part) {
  case PLAN_PART_FIXED:
  case PLAN_PART_FIXED_INSIDE:
  case PLAN_PART_FIXED_INSIDE_2:
  case PLAN_PART_FIXED_INSIDE_3: return ready_cases(s, f->fix.at, f->fix.n, &here);
  case PLAN_PART_NEAR: {
    int own = f->value ? ready(s, function, f->table ? PLAN_PART_TABLE : PLAN_PART_AT, -1) : 0;
    return most(own, ready_cases(s, f->ghost.at, f->ghost.n, &here));
  }
  case PLAN_PART_ACROSS:
  case PLAN_PART_ACROSS_3: return ready_across(s, function, part);
  case PLAN_PART_TABLE: {
    if (is_filled(s->pl, function)) return 0;
    int level = ready(s, function, PLAN_PART_AT, -1);
    vec_push(s->pl->memory, &s->table, ((wanted){function, level}));
    s->last = most(s->last, level);
    return level + 1;
  }
  default:
    return most(f->value ? ready_value(s, f->value, &here) : 0, ready_cases(s, f->fix.at, f->fix.n, &here));
  }
}

/* By the axis, as functions may need each other in turn along different ones. */
static int ready(search *s, int function, plan_part part, int axis) {
  const int number = (function * PLAN_PARTS + (int)part) * AXES + axis + 1;
  const int place = s->place[number];
  if (place < s->ask.n && s->ask.at[place].number == number) return s->ask.at[place].level;
  const int own = s->place[number] = s->ask.n;
  vec_push(s->pl->memory, &s->ask, ((asked){number, 0}));
  const int level = find_ready(s, function, part, axis);
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
        g->value == f->value && g->window == f->window)
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
  n.read.window = (uint8_t)f->window;
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
  const int views = pl->plan->function.n * PLAN_PARTS * AXES + 1;
  if (!tables_wanted(pl)) return;
  search s = {.pl = pl, .place = places_for(pl->memory, &pl->walls.places->view, views), .last = -1};
  for (int i = 0; i < k->output.n; i++)
    if (k->output.at[i].near) ready_value(&s, k->output.at[i].near, &(caller){NULL, PLAN_PART_AT, -1});
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

/* A function that another one calls for a point at most `shift` from its own. */
typedef struct question {
  int called, shift;
  bool along;  /* seen along the caller's own way */
  bool beside; /* seen from the points inside that the caller's rules read */
  enum {
    ANYWHERE,
    BEYOND,
    ON_WALL
  } where; /* the caller's value itself, or what rules say of it beyond and on walls */
} question;

typedef VEC(question) questions;

typedef struct asking {
  planner *pl;
  questions *of;       /* by function */
  int *met;            /* by function: how far from walls somebody asks for it across one */
  unsigned char *open; /* how often it is being asked for: at its point, and along each axis */
} asking;

/* A rule's points inside of the wall lie beside the one on it, whatever the shift. */
static int shift_of(const planner *pl, const ir_node *n) {
  bool in_rule = n->read.at == IR_AT_INNER || n->read.at == IR_AT_MIRROR;
  return n->op != IR_READ ? 0 : most(farthest_shift(pl, n), in_rule);
}

static void note_questions(planner *pl, questions *q, ir_id value, const plan_function *within, int where) {
  ir_reached all = ir_reach(pl->to, &value, 1);
  for (int i = 0; i < all.n; i++) {
    int called = plan_called(pl->plan, all.at[i], within);
    question c = {.called = called, .where = where};
    if (called < 0) continue;
    const ir_node *n = ir_get(pl->to, all.at[i]);
    c.shift = shift_of(pl, n);
    c.along = n->op == IR_READ && n->read.at == IR_AT_NEAR && n->read.from == IR_NOWHERE;
    vec_push(pl->memory, q, c);
  }
}

static void note_function(planner *pl, questions *q, const plan_function *f) {
  if (f->value) note_questions(pl, q, f->value, f, ANYWHERE);
  for (int i = 0; i < f->ghost.n; i++) note_questions(pl, q, f->ghost.at[i].value, f, BEYOND);
  for (int i = 0; i < f->fix.n; i++) note_questions(pl, q, f->fix.at[i].value, f, ON_WALL);
  for (int i = 0; i < f->beside.n; i++)
    vec_push(pl->memory, q, ((question){.called = f->beside.at[i], .beside = true, .where = BEYOND}));
}

static void ask(asking *a, int number, int from, int shift);

/* What somebody beyond a wall asks is asked by points that are no farther from it than the shift; points on walls touch one. */
static void ask_on(asking *a, const question *c, int far, int met, int shift) {
  if (c->where == ANYWHERE) ask(a, c->called, far, c->shift);
  else if (c->where == ON_WALL) ask(a, c->called, far >= 1, c->shift);
  else if (c->beside) ask(a, c->called, met, shift);
  else if (c->along) ask(a, c->called, most(met - shift, 0), shift + c->shift);
  else ask(a, c->called, met, c->shift);
}

/* Somebody at most `from` cells from walls asks for the function at a shift. */
static void ask(asking *a, int number, int from, int shift) {
  plan_function *f = &a->pl->plan->function.at[number];
  questions *q = &a->of[number];
  int far = from + shift, met = 1 + shift < far ? 1 + shift : far;
  if (a->open[number] > a->pl->from->dims || (f->asked > far && a->met[number] >= met)) return;
  if (!f->asked) note_function(a->pl, q, f);
  f->asked = most(f->asked, 1 + far);
  a->met[number] = most(a->met[number], met);
  a->open[number]++;
  for (int i = 0; i < q->n; i++) ask_on(a, &q->at[i], far, met, shift);
  a->open[number]--;
}

static void ask_outputs(asking *a, const plan_kernel *k, int first, int n, int reach) {
  questions q = {0};
  for (int i = first; i < first + n; i++)
    if (k->output.at[i].near) note_questions(a->pl, &q, k->output.at[i].near, NULL, ANYWHERE);
  for (int i = 0; i < q.n; i++) ask(a, q.at[i].called, reach, q.at[i].shift);
}

/* Kernels ask as far from walls as they take the version near walls; what fills a table asks where that is looked up. */
int find_band(planner *pl) {
  plan *p = pl->plan;
  int n = p->function.n + 1, band = 0;
  asking a = {pl, arena_array(pl->memory, questions, n), arena_array(pl->memory, int, n),
              arena_array(pl->memory, unsigned char, n)};
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
