/* Kernels over the points of a grid: what they read, which version holds where, what the rules fix. */
#include <stdlib.h>
#include <string.h>

#include "back/source_kinds.h"
#include "schedule/asked.h"
#include "schedule/grid.h"
#include "schedule/nodes.h"

/* ---- what values read ------------------------------------------------------------------------------------------ */

typedef struct walk {
  const plan *p;
  node_visitor *visit;
  void *ctx;
  walk_scope scope;
  unsigned char *seen; /* by function, part and axis */
} walk;

/* What one value asks for. */
typedef struct step {
  walk *w;
  const plan_asked *by; /* NULL: a kernel */
} step;

static void walk_part(void *ctx, plan_asked a);

static void walk_values(step *s, const ir_id *values, int n) {
  const plan *p = s->w->p;
  ir_reached all = ir_reach(p->module, values, n);
  for (int i = 0; i < all.n; i++) {
    s->w->visit(s->w->ctx, all.at[i]);
    plan_asked_by(p, all.at[i], s->by, walk_part, s);
  }
}

static void walk_value(void *ctx, ir_id value, int rule) {
  (void)rule;
  walk_values(ctx, &value, 1);
}

/* Functions refer to each other as deeply as equations do. */
static void walk_part(void *ctx, plan_asked a) {
  walk *w = ((const step *)ctx)->w;
  if (w->scope.any_axis) a.axis = -1;
  unsigned char *seen = &w->seen[plan_asked_number(a)];
  if (*seen || (a.part == PLAN_PART_TABLE && !w->scope.past_tables)) return;
  *seen = 1;
  plan_asked_parts(w->p, a, walk_value, walk_part, &(step){w, &a});
}

void plan_each_node(const plan *p, const ir_id *values, int n, walk_scope scope, node_visitor *visit,
                    void *ctx) {
  const int parts = (p->function.n + 1) * PLAN_PARTS * PLAN_AXES;
  walk w = {p, visit, ctx, scope, arena_array(p->memory, unsigned char, parts)};
  if (n > 0) walk_values(&(step){&w, NULL}, values, n);
  arena_return_array(p->memory, w.seen, parts);
}

void each_node(planner *pl, const ir_id *values, int n, node_visitor *visit, void *ctx) {
  plan_each_node(pl->plan, values, n, (walk_scope){.past_tables = true, .any_axis = true}, visit, ctx);
}

/* ---- fixes --------------------------------------------------------------------------------------------------------- */

bool fix_reads(const planner *pl, ir_sym sym) { return pl->dependence->in_fix[sym]; }

const int *fresh_values(planner *pl, const pending_list *all) {
  int *fresh = arena_array(pl->memory, int, pl->to->symbol.n);
  bool any = false;
  for (int i = 0; i < all->n; i++) {
    const pending *p = &all->at[i];
    if (!fix_reads(pl, p->target)) continue;
    any = true;
    for (int c = 0; c < p->n; c++) {
      int number = function_of_value(pl, p->target, c, p->value[c]);
      if (c == 0) fresh[p->target] = 1 + number;
    }
  }
  return any ? fresh : NULL;
}

static ir_id fixed(planner *pl, int function, ir_id value) {
  ir_node n = {.op = IR_FIXED, .type = ir_get(pl->to, value)->type, .n_args = 1};
  n.first = function;
  return ir_rebuild(pl->to, &n, &value);
}

ir_id fix_value(planner *pl, ir_sym target, int component, ir_id value, const int *fresh) {
  if (!has_rule(pl, target, IR_FIX)) return value;
  int function = function_of_fix(pl, target, component, fresh);
  return ir_binary(pl->to, IR_VERSIONS, version_of(pl, value, 0),
                   fixed(pl, function, version_of(pl, value, 1)));
}

static pending present_values(planner *pl, ir_sym s) {
  pending p = {.target = s, .n = ir_symbol_get(pl->to, s)->type.n};
  p.value = arena_array(pl->memory, ir_id, p.n);
  for (int c = 0; c < p.n; c++) p.value[c] = rewrite_read(pl->to, s, IR_NOW, IR_AT_HERE, c);
  return p;
}

/* Points without a wall in reach keep what they have. What some rule reads is not written in place: another point may be
 * reading it. */
/* What is fixed is then written apart from what rules read. */
static bool fix_follows(const planner *pl, ir_sym sym) {
  return fix_reads(pl, sym) || dependence_fixes_follow(pl->dependence, sym);
}

static void fix_start(planner *pl, plan_kernel *k, const pending *p) {
  ir_sym s = p->target;
  bool apart = fix_follows(pl, s);
  if (apart)
    op_add(pl, (dslc_op){.kind = DSLC_OP_COPY,
                         .a = buffer_of(pl, s, IR_NOW),
                         .b = buffer_of(pl, s, IR_NEW),
                         .groups_of = -1});
  for (int c = 0; c < p->n; c++)
    kernel_output(pl, k, PLAN_STORE, buffer_of(pl, s, apart ? IR_NEW : IR_NOW), c, p->value[c]);
}

void fix_start_values(planner *pl) {
  plan_kernel k = kernel_begin(pl, "fix_start", IR_CELLS, 0);
  k.what = "boundary rules at the start";
  pending_list all = {0};
  for (int s = 1; s < pl->to->symbol.n; s++)
    if (ir_symbol_get(pl->to, (ir_sym)s)->kind == IR_STATE && has_rule(pl, (ir_sym)s, IR_FIX))
      vec_push(pl->memory, &all, present_values(pl, (ir_sym)s));
  fix_pending(pl, &all, 0); /* as if all were assigned what they are */
  for (int i = 0; i < all.n; i++) fix_start(pl, &k, &all.at[i]);
  for (int i = 0; i < k.output.n; i++) demand(pl, &k.output.at[i].value, 1);
  if (k.output.n) kernel_launch(pl, k, DSLC_OWNED, -1, -1);
  for (int s = 1; s < pl->to->symbol.n; s++)
    if (ir_symbol_get(pl->to, (ir_sym)s)->kind == IR_STATE && has_rule(pl, (ir_sym)s, IR_FIX) &&
        fix_follows(pl, (ir_sym)s))
      op_add(pl, (dslc_op){.kind = DSLC_OP_SWAP,
                           .a = buffer_of(pl, (ir_sym)s, IR_NOW),
                           .b = buffer_of(pl, (ir_sym)s, IR_NEW),
                           .groups_of = -1});
}

/* ---- kernels --------------------------------------------------------------------------------------------------------- */

static int at_least(int a, int b) { return a > b ? a : b; }

int farthest_shift(const planner *pl, const ir_node *n) {
  ir_place place = ir_symbol_get(pl->from, n->read.sym)->place;
  int most = 0, below = line_depth(pl, n->read.sym);
  for (int k = 0; k < 3; k++) most = at_least(most, abs(n->read.off[k]));
  return below ? at_least(most, abs(n->read.off[place - IR_XLINE] - below)) : most;
}

static void note_offset(planner *pl, ir_id id, int *most) {
  const ir_node *n = ir_get(pl->to, id);
  int far = n->op == IR_READ ? farthest_shift(pl, n) : 0;
  if (far > *most) *most = far;
}

/* Where the version near walls asks rules. The plain version shows most of these points; not that of a quantity whose formula reads
 * nothing, or reads back towards the reader. */
typedef struct asked_point {
  int function;
  int8_t off[3];
} asked_point;

typedef struct asked_points {
  planner *pl;
  VEC(asked_point) point;
} asked_points;

static void note_asked(asked_points *all, asked_point p) {
  for (int i = 0; i < all->point.n; i++) {
    const asked_point *q = &all->point.at[i];
    if (q->function == p.function && memcmp(q->off, p.off, sizeof p.off) == 0) return;
  }
  vec_push(all->pl->memory, &all->point, p);
}

static void note_asked_by(asked_points *all, ir_id value, const plan_function *within, const int8_t from[3]) {
  planner *pl = all->pl;
  ir_reached reached = ir_reach(pl->to, &value, 1);
  for (int i = 0; i < reached.n; i++) {
    const ir_node *n = ir_get(pl->to, reached.at[i]);
    asked_point p = {.function = plan_called(pl->plan, reached.at[i], within)};
    if (p.function < 0 || n->op != IR_READ || n->read.at != IR_AT_NEAR) continue;
    for (int a = 0; a < 3; a++) p.off[a] = (int8_t)(from[a] + n->read.off[a]);
    note_asked(all, p);
  }
}

/* How many cells lie between the reader's own and the first of those that tell the point from one inside. */
static int cells_between(ir_place place, const int8_t off[3]) {
  int most = 0;
  for (int a = 0; a < 3; a++) {
    bool touches_below = ir_place_on_faces(place, a);
    most = at_least(most, off[a] > 0 || !touches_below ? abs(off[a]) - 1 : -off[a]);
  }
  return most;
}

/* A window keeps what it computes: near walls too that is only looked up at other points. */
static int reach_of_rules(planner *pl, ir_id near) {
  asked_points all = {.pl = pl};
  int far = 0;
  if (near) note_asked_by(&all, near, NULL, (int8_t[3]){0});
  for (int i = 0; i < all.point.n; i++) {
    const asked_point p = all.point.at[i];
    const plan_function *f = &pl->plan->function.at[p.function];
    if (f->ghost.n || f->fix.n)
      far = at_least(far, cells_between(ir_symbol_get(pl->to, f->sym)->place, p.off));
    bool moved = p.off[0] || p.off[1] || p.off[2];
    const bool kept = f->level == IR_NOW && window_computes(pl, f->sym);
    if (f->value && !(moved && kept)) note_asked_by(&all, f->value, f, p.off);
  }
  return far;
}

/* A face is touched by the cells on both its sides: one cell more than the farthest shift. */
int reach_of_outputs(planner *pl, const plan_kernel *k, int first, int n) {
  int most = 0;
  for (int i = first; i < first + n; i++) {
    ir_reached all = ir_reach(pl->to, &k->output.at[i].value, 1);
    for (int j = 0; j < all.n; j++) note_offset(pl, all.at[j], &most);
    most = at_least(most, reach_of_rules(pl, k->output.at[i].near));
  }
  return most + 1;
}

static ir_place place_of_output(const planner *pl, const plan_output *o) {
  if (o->kind == PLAN_CHECK) return (ir_place)pl->made->check.at[o->component].place;
  return (ir_place)pl->made->buffer.at[o->buffer].place;
}

void kernel_over_points(planner *pl, plan_kernel *k) {
  k->place = IR_CELLS;
  for (int i = 0; i < k->output.n; i++) {
    plan_output *o = &k->output.at[i];
    ir_id both = o->value;
    o->value = version_of(pl, both, 0);
    o->near = version_of(pl, both, 1);
    o->place = place_of_output(pl, o);
  }
  k->reach = k->window ? window_reaches(pl, k) : reach_of_outputs(pl, k, 0, k->output.n);
}

/* ---- the program ------------------------------------------------------------------------------------------------------- */

static int topology(planner *pl, const char *text, dslc_source_kind kind, dslc_place place) {
  return buffer_add(pl, (dslc_buffer){.name = text,
                                      .kind = DSLC_BUFFER_TOPOLOGY,
                                      .element = source_kind_get(kind)->element,
                                      .place = place,
                                      .width = 1,
                                      .source = {.kind = kind},
                                      .rule = -1,
                                      .argument = -1});
}

/* Does a rule fix a point to what lies inside of it? There another wall's rule may hold, and so on. */
static bool fixes_to_inside(const planner *pl) {
  const ir_module *m = pl->from;
  for (int r = 1; r < m->rule.n; r++)
    for (int e = 0; e < m->rule.at[r].entry.n; e++) {
      const ir_rule_entry *entry = &m->rule.at[r].entry.at[e];
      const ir_reached all = ir_reach(m, &entry->root, entry->kind == IR_FIX);
      for (int i = 0; i < all.n; i++) {
        const ir_node *n = ir_get(m, all.at[i]);
        if (n->op == IR_READ && (n->read.at == IR_AT_INNER || n->read.at == IR_AT_MIRROR)) return true;
      }
    }
  return false;
}

/* The kernels' own reach; near walls what they call, and one point beyond to see what it is. Rules that fix points in turn lead from wall to wall
 * of solids, once more than there are sides to a corner, and across a periodic side as far beyond it. */
static int halo_of(planner *pl) {
  const plan *p = pl->plan;
  const bool leads_on = pl->in->options->periodic && fixes_to_inside(pl);
  int most = depth_near(pl) + 2 + (leads_on ? 2 * pl->from->dims : 0);
  for (int i = 0; i < p->kernel.n; i++) most = at_least(most, p->kernel.at[i].reach + 1);
  return most;
}

void finish_grid(planner *pl) {
  static const char *const wall[] = {"wall_x", "wall_y", "wall_z"};
  plan *p = pl->plan;
  pl->program->space.on_grid = true;
  finish_tables(pl);
  pl->program->space.halo = halo_of(pl);
  p->grid.near = topology(pl, "near", DSLC_SOURCE_WALL_DISTANCE, DSLC_CELLS);
  for (int a = 0; a < pl->from->dims; a++)
    p->grid.wall[a] = topology(pl, wall[a], DSLC_SOURCE_WALL, (dslc_place)(DSLC_XFACES + a));
  if (p->grid.tables < 0) return;
  pl->program->space.band = find_band(pl);
  p->grid.wall_point = topology(pl, "wall_point", DSLC_SOURCE_WALL_POINT, DSLC_NEAR_WALLS);
  p->grid.wall_number = topology(pl, "wall_number", DSLC_SOURCE_WALL_NUMBER, DSLC_CELLS);
}

/* How far from its own entry, at most, such an array was computed from: its reads lie at -n .. 0. */
int line_depth(const planner *pl, ir_sym sym) {
  const ir_symbol *q = ir_symbol_get(pl->from, sym);
  int lowest = 0;
  if (q->kind != IR_EQUATION || q->place < IR_XLINE) return 0;
  ir_reached all = ir_reach(pl->from, q->root, 1);
  for (int i = 0; i < all.n; i++) {
    const ir_node *n = ir_get(pl->from, all.at[i]);
    int off = n->op == IR_READ ? n->read.off[q->place - IR_XLINE] : 0;
    if (off < lowest) lowest = off;
  }
  return -lowest;
}
