/* Divisors that only depend on one axis of a grid, as in (f[i] - f[i-1])/(dx[i] + dx[i-1]): the setup computes their reciprocals
 * once, an array along the axis for all that differ by a shift only, and quotients become products. Even beside two loads a
 * division costs ten to twenty products, and stencils on stretched grids are full of them. Each such quotient gains one
 * rounding, as in pass/reciprocal.c. */
#include <string.h>

#include "lower/lower.h"

enum { DEEPEST_LINE = 16 }; /* equations, one reading the other, that a divisor is made of */

typedef struct line_inverse {
  ir_id divisor; /* shifted so that its farthest read is at 0 */
  ir_sym sym;    /* the equation 1/divisor */
} line_inverse;

/* What a value reads, if that is lines of one axis only: at shifts from lo to hi along it. */
typedef struct line_reads {
  bool fits;
  ir_place line; /* IR_NOWHERE: it is a constant */
  int lo, hi;
  int depth;   /* of the equations that it reads */
  bool centre; /* it follows from where points lie, which goes on across a periodic side; equations do not */
} line_reads;

/* An equation's body at one shift, equations inserted. */
typedef struct shifted_body {
  ir_id root, result;
  int8_t shift[3];
} shifted_body;

/* Found once for each equation, as equations are read again and again; `root`: its body then. */
typedef struct equation_lines {
  ir_id root;
  line_reads reads;
  VEC(shifted_body) shifted;
} equation_lines;

typedef struct line_finder {
  lowering *l;
  bool seams; /* what is assigned is computed again from points across a periodic side, see seam_centres.c */
  VEC(line_inverse) found;
  VEC(equation_lines) of; /* by symbol */
  int named[3];           /* by axis: the names that have been looked at */
} line_finder;

static equation_lines *lines_of(line_finder *f, ir_sym sym) {
  while (f->of.n <= (int)sym) vec_push(f->l->m->memory, &f->of, (equation_lines){0});
  return &f->of.at[sym];
}

/* ---- what only depends on one axis ------------------------------------------------------------------------------------ */

static bool has_any_rule(const lowering *l, ir_sym sym) {
  return lower_has_rule(l, sym, IR_GHOST) || lower_has_rule(l, sym, IR_FIX);
}

static void join_lines(line_reads *r, const line_reads *other) {
  bool first = r->line == IR_NOWHERE, none = other->line == IR_NOWHERE;
  r->fits = r->fits && other->fits && (first || none || r->line == other->line);
  r->depth = other->depth > r->depth ? other->depth : r->depth;
  r->centre = r->centre || other->centre;
  if (!r->fits || none) return;
  r->line = other->line;
  r->lo = first || other->lo < r->lo ? other->lo : r->lo;
  r->hi = first || other->hi > r->hi ? other->hi : r->hi;
}

static line_reads reads_of_equation(line_finder *f, ir_sym sym, int depth);

/* A line itself, or an equation that is made of nothing else. */
static line_reads reads_of_leaf(line_finder *f, const ir_node *n, int depth) {
  const lowering *l = f->l;
  const line_reads no = {0};
  const ir_symbol *q = ir_symbol_get(l->m, n->read.sym);
  bool plain = (n->read.at == IR_AT_HERE || n->read.at == IR_AT_SHIFT) && n->read.level == IR_NOW;
  if (!plain) return no;
  line_reads r = {.fits = true, .line = q->place};
  const bool equation = q->place < IR_XLINE || q->kind != IR_GEOMETRY;
  r.centre = !equation && q->text[1] == 'c';
  if (equation) {
    bool formula = q->kind == IR_EQUATION && q->root[0] && q->type.n == 1 && !has_any_rule(l, n->read.sym);
    if (!formula || depth > DEEPEST) return no;
    r = reads_of_equation(f, n->read.sym, depth);
  }
  if (!r.fits || r.line == IR_NOWHERE) return r;
  int off = n->read.off[r.line - IR_XLINE];
  if (equation && r.centre && l->periodic && (off != 0 || f->seams)) return no;
  r.lo += off, r.hi += off;
  return r;
}

/* Of a node whose operands have been looked at. */
static line_reads reads_of_node(line_finder *f, const ir_reached *all, const line_reads *known,
                                const ir_node *n, int depth) {
  const lowering *l = f->l;
  line_reads r = {.fits = true, .line = IR_NOWHERE};
  if (n->op == IR_CONST) return r;
  if (n->op == IR_READ) return reads_of_leaf(f, n, depth);
  if (n->op == IR_PARAM) r.fits = ir_symbol_get(l->m, n->read.sym)->kind == IR_PARAMETER;
  if (n->op == IR_REDUCE || n->type.n != 1) r.fits = false;
  for (int a = 0; a < n->n_args && r.fits; a++)
    join_lines(&r, &known[ir_reached_place(all, ir_args(l->m, n)[a])]);
  return r;
}

static line_reads *reads_of_all(line_finder *f, const ir_reached *all, int depth) {
  line_reads *known = arena_array(f->l->m->memory, line_reads, all->n + 1);
  for (int i = 0; i < all->n; i++)
    known[i] = reads_of_node(f, all, known, ir_get(f->l->m, all->at[i]), depth);
  return known;
}

static line_reads reads_of_equation(line_finder *f, ir_sym sym, int depth) {
  ir_id root = ir_symbol_get(f->l->m, sym)->root[0];
  equation_lines *known = lines_of(f, sym);
  if (known->root == root) return known->reads;
  ir_reached all = ir_reach(f->l->m, &root, 1);
  line_reads r = reads_of_all(f, &all, depth + 1)[ir_reached_place(&all, root)];
  r.fits = r.fits && ++r.depth <= DEEPEST_LINE;
  known = lines_of(f, sym); /* the list may have grown */
  known->root = root, known->reads = r, known->shifted.n = 0;
  return r;
}

/* ---- arrays for them ---------------------------------------------------------------------------------------------------- */

/* Sums and products of the same reads are one, in whichever order they are written. */
static bool out_of_order(const ir_module *m, const ir_node *n, const ir_id *args) {
  if (n->op != IR_ADD && n->op != IR_MUL) return false;
  const ir_node *a = ir_get(m, args[0]), *b = ir_get(m, args[1]);
  if (a->op != IR_READ || b->op != IR_READ) return false;
  for (int k = 0; k < 3; k++)
    if (a->read.off[k] != b->read.off[k]) return a->read.off[k] < b->read.off[k];
  return a->read.sym > b->read.sym;
}

static ir_id shifted_line(line_finder *f, ir_id root, const int8_t shift[3]);

static ir_id shifted_equation(line_finder *f, ir_sym sym, const int8_t shift[3]) {
  ir_id root = ir_symbol_get(f->l->m, sym)->root[0];
  equation_lines *known = lines_of(f, sym);
  for (int i = 0; i < known->shifted.n; i++)
    if (known->shifted.at[i].root == root && memcmp(known->shifted.at[i].shift, shift, 3) == 0)
      return known->shifted.at[i].result;
  shifted_body b = {.root = root, .result = shifted_line(f, root, shift)};
  memcpy(b.shift, shift, sizeof b.shift);
  vec_push(f->l->m->memory, &lines_of(f, sym)->shifted, b);
  return b.result;
}

static ir_id shifted_leaf(line_finder *f, ir_node n, const int8_t shift[3]) {
  const ir_symbol *q = ir_symbol_get(f->l->m, n.read.sym);
  int8_t off[3];
  for (int a = 0; a < 3; a++) off[a] = (int8_t)(shift[a] + n.read.off[a]);
  if (q->kind == IR_EQUATION) return shifted_equation(f, n.read.sym, off);
  int axis = (int)q->place - (int)IR_XLINE;
  for (int a = 0; a < 3; a++) n.read.off[a] = a == axis ? off[a] : 0;
  n.read.at = n.read.off[axis] ? IR_AT_SHIFT : IR_AT_HERE;
  return ir_rebuild(f->l->m, &n, NULL);
}

/* The value, all its reads shifted, equations inserted. */
static ir_id shifted_line(line_finder *f, ir_id root, const int8_t shift[3]) {
  ir_module *m = f->l->m;
  ir_reached all = ir_reach(m, &root, 1);
  ir_id *copy = arena_array(f->l->m->memory, ir_id, all.n + 1);
  for (int i = 0; i < all.n; i++) {
    const ir_node n = *ir_get(m, all.at[i]);
    ir_id args[IR_MOST_ARGS];
    for (int k = 0; k < n.n_args; k++) args[k] = copy[ir_reached_place(&all, ir_args(m, &n)[k])];
    if (out_of_order(m, &n, args)) {
      ir_id first = args[0];
      args[0] = args[1], args[1] = first;
    }
    copy[i] = n.op == IR_CONST || n.op == IR_PARAM ? all.at[i]
              : n.op == IR_READ                    ? shifted_leaf(f, n, shift)
                                                   : ir_rebuild(m, &n, args);
  }
  return copy[ir_reached_place(&all, root)];
}

static name line_name(line_finder *f, ir_place line) {
  const lowering *l = f->l;
  for (;;) {
    int n = ++f->named[line - IR_XLINE];
    const char *number = n > 1 ? arena_printf(l->m->memory, "%d", n) : "";
    const char *text = arena_printf(l->m->memory, "inverse_d%c%s", "xyz"[line - IR_XLINE], number);
    if (!ir_symbol_find(l->m, intern_str(l->m->names, text))) return intern_str(l->m->names, text);
  }
}

static ir_sym inverse_of(line_finder *f, ir_id divisor, ir_place line, span at) {
  lowering *l = f->l;
  for (int i = 0; i < f->found.n; i++)
    if (f->found.at[i].divisor == divisor) return f->found.at[i].sym;
  ir_symbol s = {.text = line_name(f, line),
                 .kind = IR_EQUATION,
                 .place = line,
                 .type = ir_scalar(),
                 .dims = l->m->dims,
                 .root = {ir_binary(l->m, IR_DIV, ir_const(l->m, 1), divisor)},
                 .purpose.role = IR_RECIPROCAL,
                 .at = at};
  ir_sym sym = ir_symbol_add(l->m, s);
  vec_push(l->m->memory, &f->found, ((line_inverse){divisor, sym}));
  return sym;
}

/* 1/divisor, read where it is needed. */
static ir_id read_inverse(line_finder *f, ir_id divisor, const line_reads *r) {
  lowering *l = f->l;
  int axis = (int)r->line - (int)IR_XLINE;
  int8_t back[3] = {0}, off[3] = {0};
  back[axis] = (int8_t)-r->hi, off[axis] = (int8_t)r->hi;
  ir_sym sym = inverse_of(f, shifted_line(f, divisor, back), r->line, l->m->origin.at[divisor].at);
  return ir_read(l->m, sym, IR_NOW, r->hi ? IR_AT_SHIFT : IR_AT_HERE, off);
}

/* ---- in all values -------------------------------------------------------------------------------------------------------- */

static ir_id multiply_instead(line_finder *f, const ir_node *n, const ir_id *args, ir_id divisor,
                              const line_reads *r) {
  ir_module *m = f->l->m;
  if (!r->fits || r->line == IR_NOWHERE) return ir_rebuild(m, n, args);
  ir_id inverse = read_inverse(f, divisor, r);
  const ir_node *over = ir_get(m, args[0]);
  if (over->op == IR_CONST && over->value == 1) return inverse;
  return ir_binary(m, IR_MUL, args[0], inverse);
}

static void look_at_root(void *ctx, ir_id *root) {
  line_finder *f = ctx;
  ir_module *m = f->l->m;
  ir_reached all = ir_reach(m, root, 1);
  ir_id *copy = arena_array(f->l->m->memory, ir_id, all.n + 1);
  const line_reads *known = reads_of_all(f, &all, 0);
  for (int i = 0; i < all.n; i++) {
    const ir_node n = *ir_get(m, all.at[i]);
    ir_id args[IR_MOST_ARGS], divisor = n.op == IR_DIV ? ir_args(m, &n)[1] : 0;
    for (int k = 0; k < n.n_args; k++) args[k] = copy[ir_reached_place(&all, ir_args(m, &n)[k])];
    copy[i] = divisor && n.type.n == 1
                  ? multiply_instead(f, &n, args, divisor, &known[ir_reached_place(&all, divisor)])
                  : ir_rebuild(m, &n, args);
    const ir_origin o = m->origin.at[all.at[i]];
    if (copy[i] != all.at[i]) ir_name(m, copy[i], o.hint, o.tag, o.at);
  }
  *root = copy[ir_reached_place(&all, *root)];
}

static void look_at_all(line_finder *f) {
  ir_module *m = f->l->m;
  for (int s = 1, n = m->symbol.n; s < n; s++) { /* not those that are being added */
    bool own =
        ir_symbol_get(m, (ir_sym)s)->kind == IR_EQUATION || ir_symbol_get(m, (ir_sym)s)->kind == IR_GLOBAL;
    for (int part = 0; own && part < 2; part++) {
      ir_id root = ir_symbol_get(m, (ir_sym)s)->root[part];
      if (!root) continue;
      look_at_root(f, &root);
      ir_symbol_get(m, (ir_sym)s)->root[part] = root;
    }
  }
}

static void look_at_statements(line_finder *f, ir_stmt *list, int n) {
  for (int i = 0; i < n; i++) {
    for (int k = 0; k < list[i].assign.n; k++) look_at_root(f, &list[i].assign.at[k].value);
    if (list[i].until) look_at_root(f, &list[i].until);
    look_at_statements(f, list[i].body.at, list[i].body.n);
  }
}

static void look_at_rules(line_finder *f) {
  for (int r = 1; r < f->l->m->rule.n; r++)
    for (int i = 0; i < f->l->m->rule.at[r].entry.n; i++)
      look_at_root(f, &f->l->m->rule.at[r].entry.at[i].root);
}

void lower_reciprocals(lowering *l) {
  if (!l->m->on_grid) return;
  line_finder f = {.l = l, .seams = lower_fixes_to_states(l->m, l->rule_used)};
  look_at_all(&f);
  look_at_statements(&f, l->m->step.at, l->m->step.n);
  look_at_rules(&f);
  if (f.found.n)
    lower_note(l, "%d divisor%s only on one axis: the setup computes %s once", f.found.n,
               f.found.n == 1 ? " depends" : "s depend",
               f.found.n == 1 ? "its reciprocal" : "their reciprocals");
}
