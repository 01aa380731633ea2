/* Sides of face quantities under exchange of the two cells: even, odd, or sided; and the symmetry of matrices under exchange
 * of the two nodes. What a flux claims (odd), what a fluctuation must obey (to R is to L seen from the other side) and what a
 * solver needs is tested at random points; the report says "sampled".
 *
 * A sample is a number for every leaf: by its symbol, its side and the sample's number, so that two evaluations of one sample
 * agree. Equations that are read are evaluated, not drawn, so samples keep the relations between quantities. Each symbol is
 * evaluated once per sample, from a copy of its part of the graph: the cost is linear in the size of the scheme. */
#include <math.h>
#include <stdint.h>

#include "sema/internal.h"

enum { SAMPLES = 96, DEEPEST = 20 };

/* A symbol's formula by itself, with its values in all samples, plain and with the two sides exchanged. */
typedef struct formula {
  ir_module *graph;
  ir_id root;
  VEC(ir_id) original; /* node of the scheme's graph, per node of `graph` */
  int n;
  double *value;        /* [sample][exchanged][n] */
  unsigned char *known; /* [sample][exchanged] */
} formula;

/* Key: symbol, which of its two roots, at which end of the face it is evaluated. */
struct side_samples {
  VEC(formula *) of;
};

typedef struct sample {
  sema *s;
  int number;
  uint64_t seed;
  bool exchanged;
  bool signs; /* scalars of both signs instead of positive ones */
  ir_at end;  /* inside a cell's or node's equation: the end of the face or edge that it stands at */
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

static double number(const sample *p, uint64_t key, uint64_t side, uint64_t component, bool vector) {
  double u = uniform(p, key, side, component);
  bool coarse = p->seed % 4 == 3; /* values that coincide: zeros and ones */
  if (coarse) return vector || p->signs ? floor(3 * u) - 1 : floor(3 * u) / 2 + 0.25;
  return vector || p->signs ? 2 * u - 1 : 0.05 + 2 * u;
}

static void draw(const sample *p, uint64_t key, uint64_t side, int n, double *out) {
  for (int i = 0; i < n; i++) out[i] = number(p, key, side, (uint64_t)i, n > 1);
}

static void draw_normal(const sample *p, int dims, double *out) {
  double length = 0;
  for (int d = 0; d < dims; d++) {
    out[d] = 2 * uniform(p, 12345, 0, (uint64_t)d) - 1;
    length += out[d] * out[d];
  }
  length = sqrt(length);
  for (int d = 0; d < dims; d++) out[d] *= (p->exchanged ? -1 : 1) / length;
}

static ir_at other_end(ir_at end) {
  switch (end) {
  case IR_AT_L: return IR_AT_R;
  case IR_AT_R: return IR_AT_L;
  case IR_AT_I: return IR_AT_J;
  case IR_AT_J: return IR_AT_I;
  default: return end;
  }
}

/* Integrals over two basis functions: exchanging I and J transposes a tensor, and turns N*dN into dN*N. */
static void draw_integral(const sample *p, const ir_symbol *q, double *out) {
  bool mixed = q->form[0] == 'N' && q->form[1] == '*' && q->form[2] == 'd',
       turned = q->form[0] == 'd' && q->form[1] == 'N';
  uint64_t key = q->type.rank == IR_VECTOR ? 777 : 888 + (uint64_t)q->form[0];
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

static formula *new_formula(sema *s, ir_id root) {
  formula *f = arena_new(s->memory, formula);
  f->graph = ir_create(s->memory, s->names);
  f->graph->dims = s->dims;
  f->n = ir_get(s->module, root)->type.n;
  f->value = arena_array(s->memory, double, 2 * SAMPLES * f->n);
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

static formula *formula_of(sema *s, ir_sym sym, int part, ir_at end) {
  if (!s->samples) s->samples = arena_new(s->memory, struct side_samples);
  int key = ((int)sym * 2 + part) * IR_AT_COUNT + (int)end;
  while (s->samples->of.n <= key) vec_push(s->memory, &s->samples->of, NULL);
  if (!s->samples->of.at[key]) {
    formula *f = new_formula(s, ir_symbol_get(s->module, sym)->root[part]);
    s->samples->of.at[key] = f;
  }
  return s->samples->of.at[key];
}

static void sample_leaf(void *ctx, const ir_module *m, ir_id id, double *out);

/* The values of a symbol's formula in sample `p`, with its two ends as `p` says. */
static const double *evaluate(const sample *p, ir_sym sym, int part, ir_at end) {
  formula *f = formula_of(p->s, sym, part, end);
  int entry = 2 * p->number + p->exchanged;
  double *out = f->value + (size_t)entry * (size_t)f->n;
  if (!f->known[entry]) {
    sample inner = *p;
    inner.end = end;
    inner.depth++;
    inner.formula = f;
    ir_evaluate(f->graph, f->root, sample_leaf, &inner, out);
    f->known[entry] = 1;
  }
  return out;
}

/* ---- leaves ----------------------------------------------------------------------------------------------------- */

static void copy_values(const sample *p, const double *from, int n, bool must_be_finite, double *out) {
  for (int i = 0; i < n; i++) {
    out[i] = from[i];
    if (must_be_finite && !isfinite(out[i])) *p->outside = true;
  }
}

static void sample_read(sample *p, const ir_node *n, const ir_symbol *q, double *out) {
  bool here = n->read.at == IR_AT_HERE && !p->end, two_ended = q->place == IR_FACES || q->place == IR_EDGES;
  bool formula_known = q->kind == IR_EQUATION && q->root[0] && n->read.level == IR_NOW;
  if (here && q->kind == IR_GEOMETRY && q->side == IR_ODD) draw_normal(p, p->s->dims, out);
  else if (here && q->kind == IR_INTEGRAL && q->place == IR_EDGES) draw_integral(p, q, out);
  else if (here && formula_known && two_ended)
    copy_values(p, evaluate(p, n->read.sym, 0, IR_AT_HERE), q->type.n, false, out);
  else {
    ir_at end = n->read.at == IR_AT_HERE ? p->end : (ir_at)n->read.at;
    if (formula_known && (q->place == IR_CELLS || q->place == IR_NODES) && end != IR_AT_HERE &&
        p->depth < DEEPEST) {
      copy_values(p, evaluate(p, n->read.sym, 0, end), q->type.n, true, out);
      return;
    }
    if (p->exchanged) end = other_end(end);
    draw(p, n->read.sym, end + 16u * n->read.level, n->type.n, out);
  }
}

static void sample_leaf(void *ctx, const ir_module *m, ir_id id, double *out) {
  sample *p = ctx;
  const ir_node *n = ir_get(m, id);
  if (n->op != IR_READ &&
      n->op != IR_PARAM) { /* sign_out, reductions over a cell's faces: any number of that cell */
    draw(p, p->formula->original.at[id], p->exchanged ? other_end(p->end) : p->end, n->type.n, out);
    return;
  }
  const ir_symbol *q = ir_symbol_get(p->s->module, n->read.sym);
  if (n->op == IR_READ) sample_read(p, n, q, out);
  else if (q->kind == IR_PARAMETER && q->root[0] &&
           p->depth < DEEPEST) /* as a run would have it: gamma = 1.4, not any number */
    copy_values(p, evaluate(p, n->read.sym, 0, IR_AT_HERE), q->type.n, false, out);
  else draw(p, n->read.sym, 0, n->type.n, out);
}

/* ---- verdicts --------------------------------------------------------------------------------------------------- */

static bool close_to(double a, double b, double scale) {
  return fabs(a - b) <= 1e-9 * (scale + fabs(a) + fabs(b));
}

typedef struct verdict {
  bool even, odd; /* not refuted */
  int tested;
} verdict;

static void compare(const double *a, const double *b, int n, verdict *v) {
  double scale = 0;
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

/* Compares root `part` at (L, R, n) with root `mirror` at (R, L, -n); at edges (I, J) with (J, I). */
static verdict compare_sides(sema *s, ir_sym sym, int part, int mirror) {
  verdict v = {true, true, 0};
  for (int i = 0; i < SAMPLES; i++) {
    bool outside = false;
    sample p = {
        .s = s, .number = i, .outside = &outside, .seed = mix((uint64_t)i + 1) & ~3ULL, .signs = i % 8 == 5};
    p.seed |= (uint64_t)i & 3u;
    const double *a = evaluate(&p, sym, part, IR_AT_HERE);
    p.exchanged = true;
    const double *b = evaluate(&p, sym, mirror, IR_AT_HERE);
    if (!outside) compare(a, b, formula_of(s, sym, part, IR_AT_HERE)->n, &v);
  }
  return v;
}

bool is_symmetric(sema *s, ir_sym matrix) {
  verdict v = compare_sides(s, matrix, 0, 0);
  return v.even || !v.tested;
}

void infer_side(sema *s, ir_sym sym, span at) {
  ir_symbol *q = ir_symbol_get(s->module, sym);
  q->evidence = IR_SAMPLED;
  if (q->is_fluctuation) { /* a matching pair is "odd": inline evaluation may then take each cell as L */
    verdict v = compare_sides(s, sym, IR_TO_L, IR_TO_R);
    q->side = v.even && v.tested ? IR_ODD : IR_SIDED;
    return;
  }
  verdict v = compare_sides(s, sym, 0, 0);
  q->side = !v.tested ? IR_SIDED : v.even ? IR_EVEN : v.odd ? IR_ODD : IR_SIDED;
  if (q->is_flux && !v.tested) {
    q->side = IR_ODD;
    q->evidence = IR_CLAIMED;
  }
  if (q->is_flux && v.tested && !v.odd) {
    diag *d = complain(s, DIAG_NOT_ODD, at,
                       "the flux `%s` does not change its sign when L and R are exchanged: the result would "
                       "depend on how the mesh is numbered",
                       q->text);
    diag_with_hint(
        s->sink, d,
        "a flux points from L to R: use jump(...), dot(..., normal), or upwinding by the sign of a "
        "normal velocity");
  }
}
