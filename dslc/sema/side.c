/* Sides of face quantities under exchange of the two cells: even, odd, or sided; and the symmetry of matrices under exchange
 * of the two nodes. What a flux claims (odd), what a fluctuation must obey (to R is to L seen from the other side) and what a
 * solver needs is proved (proof.c) or else tested at random points; the report says which.
 *
 * Of the samples some have values of order one, some values that coincide, so that the sides of comparisons are equal. Where
 * nothing is proved there are more: some in which one quantity is 0, as velocities are at rest, more in which values coincide, of all magnitudes, and
 * around each number that the formulas hold, as max(T - 300, 0) is 0 for all that is of order one. A sample is a number for every leaf: by its symbol, its side and the sample's number, so that two evaluations of one sample
 * agree. Equations that are read are evaluated, not drawn, so samples keep the relations between quantities; parameters have their defaults in
 * some samples, gamma = 1.4, and in others what a case might give instead. Each symbol is evaluated once per sample, from a copy of its part of
 * the graph: the cost is linear in the size of the scheme. */
#include <math.h>
#include <stdint.h>

#include "base/defects.h"
#include "sema/internal.h"
#include "sema/proof.h"

enum {
  SAMPLES = 96,
  MAGNITUDES = 64,
  ZEROS = 24,
  TIES = 96,
  MOST_THRESHOLDS = 16,
  AROUND = 24,
  DEEPEST = 20,
  VIEWS = 3
};

/* A symbol's formula by itself, with its values in all samples, plain and with the two sides exchanged. */
typedef struct formula {
  ir_module *graph;
  ir_id root;
  VEC(ir_id) original; /* node of the scheme's graph, per node of `graph` */
  int n;
  double *value;        /* [sample][exchanged][n], then of the last far sample [view][n] */
  unsigned char *known; /* [sample][exchanged] */
  int far[VIEWS];       /* which far sample is known: its turn */
} formula;

/* Key: symbol, which of its two roots, at which end of the face it is evaluated. */
struct side_samples {
  VEC(formula *) of;
  VEC(double) thresholds; /* numbers in the formulas under test, but those of order one */
  VEC(double) coinciding; /* 0, 1, -1, and numbers in the formulas */
  double typical;         /* size of the formula under test, where all is of order one */
  int turn;               /* far samples so far */
};

typedef struct sample {
  sema *s;
  int number;
  uint64_t seed;
  bool exchanged;
  bool disturbed;       /* by a little, to see how much rounding may do */
  double scale, around; /* of what is drawn beyond the first samples; 0: of order one */
  bool ties;            /* all is one of the numbers that coincide */
  int zeros; /* 1 + k: of quantities a few are 0, in one of ZEROS samples each, or the vectors, or all; 0: none */
  bool signs;    /* scalars of both signs instead of positive ones */
  ir_at end;     /* inside a cell's or node's equation: the end of the face or edge that it stands at */
  uint8_t level; /* of all that is read, if that is not the present */
  int depth;
  const formula *formula;
  bool *outside; /* set where an equation has no finite value: not a state the scheme is meant for */
} sample;

/* ---- numbers ---------------------------------------------------------------------------------------------------- */

static uint64_t mix(uint64_t x) {
  x ^= x >> 33;
  x *= 0xff51afd7ed558ccdULL;
  x ^= x >> 33;
  x *= 0xc4ceb9fe1a85ec53ULL;
  return x ^ x >> 33;
}

static double uniform(const sample *p, uint64_t key, uint64_t side, uint64_t component) {
  uint64_t bits = mix(p->seed + mix(key * 1000003u + side * 9176u + component * 31u + 7u));
  return (double)(bits >> 11) / 9007199254740992.0;
}

/* Of the sample's magnitude, of one sign or both; or around a threshold: near it, within twice of it, or near its negative. */
static double far_number(const sample *p, double u, bool vector) {
  double whole = floor(6 * u), part = 6 * u - whole, c = p->around;
  if (c == 0) return p->scale * (vector || p->signs ? 2 * u - 1 : 0.05 + 2 * u);
  if (whole == 0) return p->signs ? -2 * c * part : 2 * part;
  if (whole == 1) return c + (2 * part - 1);
  return whole < 4 ? 2 * c * part : c * (0.8 + 0.4 * part);
}

static bool is_zero_of(const sample *p, uint64_t key, bool vector) {
  const int k = p->zeros - 1;
  return k == ZEROS - 1 || (k == ZEROS - 2 && vector) || key % (ZEROS - 2) == (uint64_t)k;
}

static double number(const sample *p, uint64_t key, uint64_t side, uint64_t component, bool vector) {
  double u = uniform(p, key, side, component);
  if (p->zeros && is_zero_of(p, key, vector)) return 0;
  if (p->ties) return p->s->samples->coinciding.at[(int)(u * p->s->samples->coinciding.n)];
  if (p->scale != 0 && !defect_is_back("sampled_symmetry")) {
    double x = far_number(p, u, vector);
    return p->disturbed ? x * (1 + 1e-10 * (uniform(p, key + 1, side + 5, component) - 0.5)) : x;
  }
  bool coarse = p->seed % 4 == 3; /* values that coincide: zeros and ones */
  if (coarse) return vector || p->signs ? floor(2 * u + 0.5) - 1 : floor(3 * u) / 2 + 0.25; /* half are 0 */
  return vector || p->signs ? 2 * u - 1 : 0.05 + 2 * u;
}

static void draw(const sample *p, uint64_t key, uint64_t side, int n, double *out) {
  for (int i = 0; i < n; i++) out[i] = number(p, key, side, (uint64_t)i, n > 1);
}

static bool is_condition(const ir_symbol *q, ir_type t) {
  return t.rank == IR_BOOL || (q && (is_region(q) || q->purpose.role == IR_HELD_MASK));
}

/* Is it what the scheme says that it is: positive by a `require`, within the bounds of a given? */
static bool is_allowed(const sample *p, const ir_symbol *q, double x) {
  if (q->bounds && !dslc_within(q->bounds, x)) return false;
  return x > 0 || !name_map_get(p->s->positive, q->text);
}

static void keep_allowed(const sample *p, const ir_symbol *q, int n, double *out) {
  for (int i = 0; i < n; i++) {
    if (is_allowed(p, q, out[i])) continue;
    out[i] = fabs(out[i]) + (out[i] == 0);
    *p->outside = *p->outside || !is_allowed(p, q, out[i]);
  }
}

/* Of a symbol, or of what has none. */
static void draw_value(const sample *p, uint64_t key, uint64_t side, const ir_symbol *q, ir_type t,
                       double *out) {
  sample as = *p;
  const bool drawn = q && (q->kind == IR_STATE || q->kind == IR_GIVEN || q->kind == IR_PARAMETER);
  as.signs = p->signs && !(q && !is_allowed(p, q, -1));
  if (q && (!drawn || q->kind == IR_PARAMETER)) as.zeros = 0; /* volumes */
  if (!is_condition(q, t) || defect_is_back("conditions_that_hold")) draw(&as, key, side, t.n, out);
  else out[0] = uniform(p, key, side, 0) < 0.5;
  if (drawn && t.rank != IR_BOOL) keep_allowed(p, q, t.n, out);
}

static void draw_normal(const sample *p, int dims, double *out) {
  double length = 0;
  for (int d = 0; d < dims; d++) {
    out[d] = 2 * uniform(p, 12345, 0, (uint64_t)d) - 1;
    if (p->ties && d != p->number % dims) out[d] = 0; /* along an axis */
    length += out[d] * out[d];
  }
  length = sqrt(length);
  for (int d = 0; d < dims; d++) out[d] *= (p->exchanged ? -1 : 1) / length;
}

/* Integrals over two basis functions: exchanging I and J transposes a tensor, and turns N*dN into dN*N. */
static void draw_integral(const sample *p, const ir_symbol *q, double *out) {
  bool mixed = q->integral.form[0] == 'N' && q->integral.form[1] == '*' && q->integral.form[2] == 'd',
       turned = q->integral.form[0] == 'd' && q->integral.form[1] == 'N';
  uint64_t key = q->type.rank == IR_VECTOR ? 777 : 888 + (uint64_t)q->integral.form[0];
  key += 65536 * (uint64_t)q->integral.weight;
  uint64_t side = q->type.rank == IR_VECTOR && (mixed || turned) ? (uint64_t)(mixed != p->exchanged) : 0;
  draw(p, key, side, q->type.n, out);
  int d = q->dims;
  for (int i = 0; i < d && q->type.rank == IR_TENSOR && p->exchanged; i++)
    for (int j = 0; j < i; j++) {
      double t = out[i * d + j];
      out[i * d + j] = out[j * d + i];
      out[j * d + i] = t;
    }
}

/* ---- formulas --------------------------------------------------------------------------------------------------- */

/* Where `id` stands in an increasing list. */
static int position(const id_list *all, ir_id id) {
  int lo = 0, hi = all->n - 1;
  while (lo < hi) {
    int mid = (lo + hi) / 2;
    if (all->at[mid] < id) lo = mid + 1;
    else hi = mid;
  }
  return lo;
}

static struct side_samples *samples_of(sema *s) {
  if (!s->samples) s->samples = arena_new(s->memory, struct side_samples);
  return s->samples;
}

static formula *new_formula(sema *s, ir_id root) {
  formula *f = arena_new(s->memory, formula);
  f->graph = ir_create(s->memory, s->names);
  f->graph->dims = s->dims;
  f->n = ir_get(s->module, root)->type.n;
  f->value = arena_array(s->memory, double, (2 * SAMPLES + VIEWS) * f->n);
  f->known = arena_array(s->memory, unsigned char, 2 * SAMPLES);
  id_list all = reached(s, root);
  ir_id *copy = arena_array(s->memory, ir_id, all.n);
  vec_push(s->memory, &f->original, 0);
  for (int i = 0; i < all.n; i++) {
    const ir_node *n = ir_get(s->module, all.at[i]);
    ir_id args[IR_MOST_ARGS];
    for (int k = 0; k < n->n_args; k++) args[k] = copy[position(&all, ir_args(s->module, n)[k])];
    copy[i] = ir_rebuild(f->graph, n, args);
    while (f->original.n <= (int)copy[i]) vec_push(s->memory, &f->original, all.at[i]);
  }
  f->root = copy[all.n - 1];
  return f;
}

static formula *formula_of(sema *s, ir_sym sym, int part, ir_at end, uint8_t level) {
  struct side_samples *samples = samples_of(s);
  int key = (((int)sym * 2 + part) * 2 + (level == IR_PREV)) * IR_AT_COUNT + (int)end;
  while (samples->of.n <= key) vec_push(s->memory, &samples->of, NULL);
  if (!samples->of.at[key]) samples->of.at[key] = new_formula(s, ir_symbol_get(s->module, sym)->root[part]);
  return samples->of.at[key];
}

static void sample_leaf(void *ctx, const ir_module *m, ir_id id, double *out);

/* The values of a formula in sample `p`, with its two ends as `p` says. */
static const double *evaluate_formula(const sample *p, formula *f, ir_at end) {
  bool far = p->number >= SAMPLES;
  int shown = p->disturbed ? 2 : p->exchanged, entry = 2 * (far ? SAMPLES : p->number) + shown;
  double *out = f->value + (size_t)entry * (size_t)f->n;
  if (far ? f->far[shown] != p->s->samples->turn : !f->known[entry]) {
    sample inner = *p;
    inner.end = end;
    inner.depth++;
    inner.formula = f;
    ir_evaluate(f->graph, f->root, sample_leaf, &inner, out);
    if (far) f->far[shown] = p->s->samples->turn;
    else f->known[entry] = 1;
  }
  return out;
}

static const double *evaluate(const sample *p, ir_sym sym, int part, ir_at end) {
  return evaluate_formula(p, formula_of(p->s, sym, part, end, p->level), end);
}

/* ---- leaves ----------------------------------------------------------------------------------------------------- */

static void copy_values(const sample *p, const double *from, int n, bool must_be_finite, double *out) {
  for (int i = 0; i < n; i++) {
    out[i] = from[i];
    if (must_be_finite && !isfinite(out[i])) *p->outside = true;
  }
}

/* An equation's value at the start of the step is the equation of what was there. */
static bool sample_equation(const sample *p, const ir_node *n, const ir_symbol *q, double *out) {
  bool two_ended = q->place == IR_FACES || q->place == IR_EDGES,
       one_ended = q->place == IR_CELLS || q->place == IR_NODES;
  if (q->kind != IR_EQUATION || !q->root[0] || (n->read.level != IR_NOW && n->read.level != IR_PREV))
    return false;
  sample inner = *p;
  if (n->read.level == IR_PREV) inner.level = IR_PREV;
  ir_at end = n->read.at == IR_AT_HERE ? p->end : (ir_at)n->read.at;
  if (two_ended && end == IR_AT_HERE)
    copy_values(p, evaluate(&inner, n->read.sym, 0, IR_AT_HERE), q->type.n, false, out);
  else if (one_ended && end != IR_AT_HERE && p->depth < DEEPEST)
    copy_values(p, evaluate(&inner, n->read.sym, 0, end), q->type.n, true, out);
  else return false;
  *p->outside = *p->outside || (q->type.n == 1 && !is_allowed(p, q, out[0]));
  return true;
}

static void sample_read(sample *p, const ir_node *n, const ir_symbol *q, double *out) {
  bool here = n->read.at == IR_AT_HERE && !p->end;
  if (ir_is_patch(q)) out[0] = 0; /* see proof.c */
  else if (here && q->kind == IR_GEOMETRY && q->side == IR_ODD) draw_normal(p, p->s->dims, out);
  else if (here && q->kind == IR_INTEGRAL && q->place == IR_EDGES) draw_integral(p, q, out);
  else if (!sample_equation(p, n, q, out)) {
    ir_at end = n->read.at == IR_AT_HERE ? p->end : (ir_at)n->read.at;
    unsigned level = n->read.level != IR_NOW ? n->read.level : p->level;
    if (p->exchanged) end = ir_other_end(end);
    draw_value(p, n->read.sym, end + 16u * level, q, n->type, out);
    const bool turned = p->exchanged && q->kind == IR_STATE && q->side == IR_ODD;
    for (int i = 0; i < n->type.n && turned; i++) out[i] = -out[i];
  }
}

static bool has_defaults(int number) { return number / 8 % 2 == 0; }

/* What a case might say instead of a default: a switch is on or off, 0 may be anything, a whole number is another one, and of the rest gamma = 1.4
 * stays above 1. */
static double other_number(double x, bool whole, double u) {
  const double part = 2 * u - floor(2 * u);
  if (x == 0) return u < 0.5 && !whole ? part : 1 + floor(2 * part);
  if (x == 1 && u < 0.5) return 0;
  return whole ? x + floor(2 * part) * 2 - 1 : x * (0.8 + 0.45 * part);
}

/* Beside a number that stands in the formulas, with which it may be compared. */
static double number_beside(const sample *p, bool whole, double u) {
  const struct side_samples *all = p->s->samples;
  const double place = u * all->coinciding.n, part = place - floor(place);
  const double x = all->coinciding.at[(int)place];
  return whole ? floor(x) + floor(3 * part) : x + 0.5 * (floor(3 * part) - 1);
}

/* Within its bounds. */
static void draw_parameter(const sample *p, ir_sym sym, const ir_symbol *q, double *out) {
  copy_values(p, evaluate(p, sym, 0, IR_AT_HERE), q->type.n, false, out);
  dslc_bounds b = {0};
  if (q->bounds) dslc_bounds_read(q->bounds, &b);
  for (int i = 0; i < q->type.n && !has_defaults(p->number); i++) {
    const double u = uniform(p, sym, 91, (uint64_t)i);
    const bool beside = p->number >= SAMPLES && p->number % 2;
    const double x = beside ? number_beside(p, b.whole, u) : other_number(out[i], b.whole, u);
    if (!q->bounds || dslc_within(q->bounds, x)) out[i] = x;
  }
}

static void sample_leaf(void *ctx, const ir_module *m, ir_id id, double *out) {
  sample *p = ctx;
  const ir_node *n = ir_get(m, id);
  if (n->op != IR_READ &&
      n->op != IR_PARAM) { /* sign_out, reductions over a cell's faces: any number of that cell */
    draw_value(p, p->formula->original.at[id], p->exchanged ? ir_other_end(p->end) : p->end, NULL, n->type,
               out);
    return;
  }
  const ir_symbol *q = ir_symbol_get(p->s->module, n->read.sym);
  if (n->op == IR_READ) sample_read(p, n, q, out);
  else if (q->kind == IR_PARAMETER && q->root[0] && p->depth < DEEPEST)
    draw_parameter(p, n->read.sym, q, out);
  else draw_value(p, n->read.sym, 0, q, n->type, out);
}

/* ---- verdicts --------------------------------------------------------------------------------------------------- */

static bool close_to(double a, double b, double scale) {
  return fabs(a - b) <= 1e-9 * (scale + fabs(a) + fabs(b));
}

typedef struct verdict {
  bool even, odd; /* not refuted */
  int tested;
} verdict;

static void compare(const double *a, const double *b, int n, double loss, verdict *v) {
  double scale = 1e9 * loss;
  for (int i = 0; i < n; i++) {
    if (!isfinite(a[i]) || !isfinite(b[i])) return;
    scale = fmax(scale, fmax(fabs(a[i]), fabs(b[i])));
  }
  v->tested++;
  for (int i = 0; i < n; i++) {
    v->even = v->even && close_to(a[i], b[i], scale);
    v->odd = v->odd && close_to(a[i], -b[i], scale);
  }
}

static sample sample_of(sema *s, int number, bool *outside) {
  sample p = {.s = s,
              .number = number,
              .outside = outside,
              .seed = mix((uint64_t)number + 1) & ~3ULL,
              .signs = number % 8 == 5 || (number % 8 == 7 && !defect_is_back("ties_ruled_out"))};
  p.seed |= (uint64_t)number & 3u;
  if (number < SAMPLES) return p;
  int far = number - SAMPLES, tied = far - MAGNITUDES - ZEROS, beyond = tied - TIES;
  const bool magnitudes = far < MAGNITUDES;
  p.signs = number % 3 == 2 || number % 4 == 3;
  p.scale = !magnitudes ? 1 : number % 4 == 3 ? 0 : pow(10, far % 13 - 6); /* of 0: of values that coincide */
  p.zeros = !magnitudes && tied < 0 ? 1 + far - MAGNITUDES : 0;
  p.ties = tied >= 0 && beyond < 0;
  if (beyond >= 0) p.around = s->samples->thresholds.at[beyond / AROUND];
  return p;
}

/* Two formulas, or one twice, of which the second is seen from the other side. */
typedef struct pair {
  ir_id root[2];
  formula *plain, *mirror;
} pair;

static pair pair_of(sema *s, ir_sym sym, int part, int mirror) {
  const ir_symbol *q = ir_symbol_get(s->module, sym);
  pair p = {.root = {q->root[part], q->root[mirror]}};
  p.plain = formula_of(s, sym, part, IR_AT_HERE, IR_NOW);
  p.mirror = formula_of(s, sym, mirror, IR_AT_HERE, IR_NOW);
  return p;
}

/* How far rounding may take the two apart: what a small disturbance does is ten thousand times more. */
static double rounding(sample p, pair of, const double *a, int n) {
  double most = 0;
  p.exchanged = false;
  p.disturbed = true;
  const double *b = evaluate_formula(&p, of.plain, IR_AT_HERE);
  for (int i = 0; i < n; i++) most = fmax(most, fabs(a[i] - b[i]));
  return most;
}

/* What may cancel to something like 1e-17. */
static void find_typical(sema *s, pair of) {
  s->samples->typical = 0;
  for (int i = 0; i < 8; i++) {
    bool outside = false;
    const sample p = sample_of(s, i, &outside);
    const double *a = evaluate_formula(&p, of.plain, IR_AT_HERE);
    for (int k = 0; k < of.plain->n && !outside; k++)
      if (isfinite(a[k])) s->samples->typical = fmax(s->samples->typical, fabs(a[k]));
  }
}

/* What the sides may differ by for rounding alone. Where values coincide a disturbance would part them: there the sides differ by much, or not. */
static double loss_of(const sample *p, pair of, const double *a) {
  double most = p->s->samples->typical;
  if (p->number < SAMPLES) return 1e-13 * most;
  if (p->scale != 0 && !p->ties) return rounding(*p, of, a, of.plain->n);
  for (int i = 0; i < of.plain->n; i++) most = fmax(most, fabs(a[i]));
  return 1e-6 * most;
}

/* Compares the first formula at (L, R, n) with the second at (R, L, -n), in samples from `first` on; at edges (I, J) with (J, I). */
static void compare_sides(sema *s, pair of, int first, int n, verdict *v) {
  for (int i = first; i < n && (v->even || v->odd); i++) {
    bool outside = false;
    sample p = sample_of(s, i, &outside);
    s->samples->turn++;
    const double *a = evaluate_formula(&p, of.plain, IR_AT_HERE);
    p.exchanged = true;
    const double *b = evaluate_formula(&p, of.mirror, IR_AT_HERE);
    int components = of.plain->n;
    if (!outside) compare(a, b, components, loss_of(&p, of, a), v);
  }
}

/* ---- thresholds ------------------------------------------------------------------------------------------------- */

/* Values of order one are tried anyway. */
static void note_threshold(sema *s, double x) {
  bool known = !isfinite(x) || s->samples->coinciding.n >= 2 * MOST_THRESHOLDS;
  for (int i = 0; i < s->samples->coinciding.n && !known; i++) known = s->samples->coinciding.at[i] == x;
  if (!known) vec_push(s->memory, &s->samples->coinciding, x);
  x = fabs(x);
  if (!isfinite(x) || x < 1e-20 || (0.4 < x && x < 2.1)) return;
  for (int i = 0; i < s->samples->thresholds.n; i++)
    if (s->samples->thresholds.at[i] == x) return;
  vec_push(s->memory, &s->samples->thresholds, x);
}

/* Of the nodes below one root; symbols that are met for the first time are left to do. */
typedef VEC(ir_sym) symbol_list;
static void gather_below(sema *s, ir_id root, symbol_list *todo, unsigned char *seen) {
  id_list all = reached(s, root);
  for (int i = 0; i < all.n; i++) {
    const ir_node *n = ir_get(s->module, all.at[i]);
    if (n->op == IR_CONST) note_threshold(s, n->value);
    if ((n->op != IR_READ && n->op != IR_PARAM) || seen[n->read.sym]) continue;
    seen[n->read.sym] = 1;
    vec_push(s->memory, todo, n->read.sym);
  }
}

/* The numbers in the formulas, in equations that they read, and in defaults of parameters. Is there such a parameter? */
static bool gather_thresholds(sema *s, pair of) {
  static const double always[] = {0, 0, 1, -1};
  symbol_list todo = {0};
  bool defaults = false;
  s->samples->thresholds.n = s->samples->coinciding.n = 0;
  for (int i = 0; i < 4; i++) vec_push(s->memory, &s->samples->coinciding, always[i]);
  unsigned char *seen = arena_array(s->memory, unsigned char, s->module->symbol.n);
  gather_below(s, of.root[0], &todo, seen);
  if (of.root[1] != of.root[0]) gather_below(s, of.root[1], &todo, seen);
  for (int next = 0; next < todo.n && s->samples->thresholds.n < MOST_THRESHOLDS; next++) {
    const ir_symbol *q = ir_symbol_get(s->module, todo.at[next]);
    defaults = defaults || (q->kind == IR_PARAMETER && q->root[0]);
    for (int part = 0; part < 2; part++)
      if (q->root[part]) gather_below(s, q->root[part], &todo, seen);
  }
  return defaults;
}

static int all_samples(const sema *s) {
  const int n = s->samples->thresholds.n;
  return SAMPLES + MAGNITUDES + ZEROS + TIES + AROUND * (n < MOST_THRESHOLDS ? n : MOST_THRESHOLDS);
}

/* ---- what is found ---------------------------------------------------------------------------------------------- */

typedef struct finding {
  pair of;
  verdict tested;
  side_proof proof;
  bool even, odd, proved;
  bool known; /* what it is not, it is not: it was tested, or what is proved tells */
} finding;

/* Tests, then proves what the tests leave possible; what is not proved is tested again, and harder. */
static finding look_at_sides(sema *s, pair of) {
  finding f = {.of = of, .tested = {true, true, 0}};
  samples_of(s); /* are there */
  find_typical(s, of);
  compare_sides(s, of, 0, SAMPLES, &f.tested);
  bool refuted = !f.tested.even && !f.tested.odd;
  f.proof = prove_sides(s, of.root[0], of.root[1]);
  f.even = f.tested.even && f.proof.even && f.proof.ties;
  f.odd = f.tested.odd && f.proof.odd && f.proof.ties;
  f.proved = f.even || f.odd;
  f.known = f.tested.tested || f.proved;
  if (f.proved || refuted) return f;
  gather_thresholds(s, of);
  compare_sides(s, of, SAMPLES, all_samples(s), &f.tested);
  f.known = f.tested.tested > 0;
  f.even = f.tested.even && f.known;
  f.odd = f.tested.odd && f.known;
  return f;
}

/* Is what was refuted so with the defaults of parameters? Tested anew, as the tests end where it is refuted. */
static verdict with_defaults(sema *s, pair of) {
  verdict v = {gather_thresholds(s, of), true, 0};
  v.odd = v.even;
  for (int i = 0; i < all_samples(s); i++)
    if (has_defaults(i)) compare_sides(s, of, i, i + 1, &v);
  return v;
}

/* ---- messages --------------------------------------------------------------------------------------------------- */

static void note_tie(sema *s, diag *d, const side_proof *proof) {
  if (proof->ties || proof->tie.end == 0) return;
  diag_with_span(s->sink, d, proof->tie,
                 proof->pole
                     ? "what this is given may be 1/0: from L and from R with one sign; else it is the same"
                     : "where both sides of this are equal, L and R go different ways; else it is the same");
}

static const char of_parameters[] = "with the defaults of its parameters it is so, but a case may give "
                                    "others: let it hold for all of them, or bound them, as in "
                                    "parameter p >= 0 and <= 1 = 0.5";

static void report_not_odd(sema *s, const ir_symbol *q, span at, const finding *f) {
  const side_proof *proof = &f->proof;
  diag *d = complain(s, DIAG_NOT_ODD, at,
                     "the flux `%s` does not change its sign when L and R are exchanged: the result would "
                     "depend on how the mesh is numbered",
                     q->text);
  if (proof->odd) note_tie(s, d, proof);
  diag_with_hint(
      s->sink, d,
      with_defaults(s, f->of).odd ? of_parameters
      : proof->odd
          ? "max(a, 0) and min(a, 0) meet at 0; or write  if a > 0 then x else if a < 0 then y else (x + y)/2"
          : "a flux points from L to R: use jump(...), dot(..., normal), or upwinding by the sign of a "
            "normal velocity");
}

static void report_not_mirrored(sema *s, const ir_symbol *q, span at, const finding *f) {
  diag *d =
      complain(s, DIAG_NOT_MIRRORED, at,
               "in `%s`, what `to R` gives is not what `to L` gives seen from the other side: the result "
               "would depend on how the mesh is numbered",
               q->text);
  if (f->proof.even) note_tie(s, d, &f->proof);
  diag_with_hint(
      s->sink, d,
      with_defaults(s, f->of).even
          ? of_parameters
          : "exchange L and R in `to L`, turn jump(...) and normal around, and `to R` must come out; if what "
            "one cell gets the other loses, write  flux = ...");
}

void warn_sampled(sema *s, span at, const char *what, int n, const side_proof *proof) {
  if (s->options->quiet) return;
  const bool but_ties = proof && !proof->ties && (proof->even || proof->odd);
  const char *count = n > 0 ? arena_printf(s->memory, "%d ", n) : "";
  diag *d = n ? complain(s, DIAG_SAMPLED, at, "%s: it was so at %srandom points, but could not be proved",
                         what, count)
              : complain(s, DIAG_SAMPLED, at,
                         "%s: this is taken from the scheme; it could not be proved, and at no random point "
                         "did the formula have a "
                         "finite value",
                         what);
  if (but_ties && proof->tie.end != 0)
    diag_with_span(s->sink, d, proof->tie,
                   proof->pole ? "it is proved but where this is given 1/0: with one sign, from L and from R"
                               : "it is proved but where both sides of this are equal");
  diag_with_hint(
      s->sink, d,
      but_ties ? "leave ties to what lies between: with  if a > 0 then x else if b < 0 then y else z  they "
                 "go on to z"
               : "it can be proved if both sides are written alike: mean(...), jump(...), max, min, and "
                 "conditions of which one is the other seen from R");
}

/* ---- what is asked ------------------------------------------------------------------------------------------------ */

bool is_symmetric(sema *s, ir_sym matrix) {
  finding f = look_at_sides(s, pair_of(s, matrix, 0, 0));
  ir_symbol *q = ir_symbol_get(s->module, matrix);
  if (f.proved) q->evidence = IR_PROVED;
  else if (f.even || !f.known)
    warn_sampled(s, q->at,
                 arena_printf(s->memory, "matrix `%s` stays the same when I and J are exchanged", q->text),
                 f.tested.tested, &f.proof);
  return f.even || !f.known;
}

static void infer_fluctuation(sema *s, ir_symbol *q, const finding *f, span at) {
  q->side = f->even ? IR_ODD : IR_SIDED; /* a matching pair: inline evaluation may then take each cell as L */
  if (f->known && !f->even && !defect_is_back("unequal_fluctuations")) report_not_mirrored(s, q, at, f);
  else if (!f->proved)
    warn_sampled(s, at, arena_printf(s->memory, "what R gets from `%s` is what L gets, seen from R", q->text),
                 f->tested.tested, &f->proof);
}

/* Faces of a periodic side are there twice, at places a period apart. */
static void warn_of_place(sema *s, const ir_symbol *q, span at) {
  if (!s->options->periodic || s->options->quiet || prove_unmoved(s, q->root[0])) return;
  diag *d = complain(s, DIAG_PLACED, at,
                     "the flux `%s` depends on where its face lies: what one cell loses across a periodic "
                     "side the other gains only if it is the same a period further",
                     q->text);
  diag_with_hint(s->sink, d, "differences are, as in  centre - centre[L]");
}

void infer_side(sema *s, ir_sym sym, span at) {
  bool fluctuation = ir_symbol_get(s->module, sym)->is_fluctuation;
  finding f = look_at_sides(s, pair_of(s, sym, 0, fluctuation ? IR_TO_R : 0));
  ir_symbol *q = ir_symbol_get(s->module, sym);
  q->evidence = f.proved ? IR_PROVED : f.tested.tested ? IR_SAMPLED : IR_CLAIMED;
  q->side = f.even ? IR_EVEN : f.odd ? IR_ODD : IR_SIDED;
  if (q->is_fluctuation) infer_fluctuation(s, q, &f, at);
  else if (q->is_flux) {
    q->side = IR_ODD;
    if (f.known && !f.odd) report_not_odd(s, q, at, &f);
    else if (!f.proved)
      warn_sampled(
          s, at,
          arena_printf(s->memory, "the flux `%s` changes its sign when L and R are exchanged", q->text),
          f.tested.tested, &f.proof);
    warn_of_place(s, ir_symbol_get(s->module, sym), at);
  }
}

bool depends_on_numbering(sema *s, ir_id body, ir_place place, const char *what, span at) {
  pair p = {.root = {body, body}, .plain = new_formula(s, body)};
  p.mirror = p.plain;
  finding f = look_at_sides(s, p);
  const char *one = place == IR_FACES ? "L" : "I", *other = place == IR_FACES ? "R" : "J";
  if (f.even && f.proved) return false;
  if (f.even || !f.known) {
    warn_sampled(s, at,
                 arena_printf(s->memory, "what is %s all %s stays the same when %s and %s are exchanged",
                              what, ir_place_text(place), one, other),
                 f.tested.tested, &f.proof);
    return false;
  }
  diag *d = complain(s, DIAG_SIDED, at,
                     "what is %s all %s changes when %s and %s are exchanged: the result would depend on "
                     "how the mesh is numbered",
                     what, ir_place_text(place), one, other);
  if (f.proof.even) note_tie(s, d, &f.proof);
  diag_with_hint(s->sink, d,
                 with_defaults(s, f.of).even ? of_parameters
                 : place == IR_FACES
                     ? "use what is the same from both sides: mean(...), abs(jump(...)), area; or sum over "
                       "one boundary's faces, as in sum(f in faces(wall)), where L is the cell inside"
                     : "use what is the same from both ends: mean(...), abs(jump(...))");
  return true;
}

void require_side(sema *s, ir_id body, const ir_symbol *state, span at) {
  const bool odd = state->side == IR_ODD;
  pair p = {.root = {body, body}, .plain = new_formula(s, body)};
  p.mirror = p.plain;
  const finding f = look_at_sides(s, p);
  if ((odd ? f.odd : f.even) || !f.known) {
    if (!f.proved)
      warn_sampled(s, at,
                   arena_printf(s->memory, "what `%s` becomes %s when L and R are exchanged", state->text,
                                odd ? "changes its sign" : "stays the same"),
                   f.tested.tested, &f.proof);
    return;
  }
  diag *d =
      complain(s, odd ? DIAG_NOT_ODD : DIAG_SIDED, at,
               "what `%s` becomes %s when L and R are exchanged: the result would depend on how the mesh "
               "is numbered",
               state->text, odd ? "does not change its sign" : "changes");
  diag_with_span(s->sink, d, state->at, "`%s` is declared here", state->text);
  if (odd ? f.proof.odd : f.proof.even) note_tie(s, d, &f.proof);
  diag_with_hint(
      s->sink, d,
      odd ? "`state flux` points from L to R: what it becomes is made of fluxes, jump(...), dot(..., normal)"
          : "what points from L to R is declared as  state flux %s @ faces ; what does not is made of "
            "mean(...), abs(...), area",
      state->text);
}
