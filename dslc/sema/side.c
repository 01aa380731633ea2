/* Sides of face quantities under exchange of the two cells: even, odd, or sided. What a flux claims (odd), and what a
 * fluctuation must obey (to R is to L seen from the other side), is tested at random points; the report says "sampled". */
#include <math.h>
#include <stdint.h>

#include "sema/internal.h"

enum { SAMPLES = 96 };

typedef struct sample {
  const ir_module *module;
  uint64_t seed;
  bool swapped;
  bool signs; /* scalars of both signs instead of positive ones */
  ir_at end;  /* inside a cell's equation: the side of the face that the cell is on */
  int depth;
  bool *outside; /* set where an equation has no finite value: not a state the scheme is meant for */
} sample;

static uint64_t mix(uint64_t x) {
  x ^= x >> 33;
  x *= 0xff51afd7ed558ccdULL;
  x ^= x >> 33;
  x *= 0xc4ceb9fe1a85ec53ULL;
  return x ^ x >> 33;
}

static double uniform(const sample *p, uint64_t sym, uint64_t side, uint64_t component) {
  uint64_t bits = mix(p->seed + mix(sym * 1000003u + side * 9176u + component * 31u + 7u));
  return (double)(bits >> 11) / 9007199254740992.0;
}

static double number(const sample *p, uint64_t sym, uint64_t side, uint64_t component, bool vector) {
  double u = uniform(p, sym, side, component);
  bool coarse = p->seed % 4 == 3; /* values that coincide: zeros and ones */
  if (coarse) return vector || p->signs ? floor(3 * u) - 1 : floor(3 * u) / 2 + 0.25;
  return vector || p->signs ? 2 * u - 1 : 0.05 + 2 * u;
}

static void sample_leaf(void *ctx, const ir_module *m, ir_id id, double *out);

static void sample_normal(const sample *p, int dims, double *out) {
  double length = 0;
  for (int d = 0; d < dims; d++) {
    out[d] = 2 * uniform(p, 12345, 0, (uint64_t)d) - 1;
    length += out[d] * out[d];
  }
  length = sqrt(length);
  for (int d = 0; d < dims; d++) out[d] *= (p->swapped ? -1 : 1) / length;
}

/* Pointwise equations at a cell are evaluated, so that samples keep the relations between quantities (p of rho, m, E). */
static bool sample_cell_equation(const sample *p, const ir_module *m, const ir_node *n, const ir_symbol *q, double *out) {
  if (q->kind != IR_EQUATION || q->place != IR_CELLS || !q->root[0] || p->depth > 20) return false;
  sample inner = *p;
  inner.depth++;
  inner.end = n->read.at == IR_AT_HERE ? p->end : (ir_at)n->read.at;
  ir_evaluate(m, q->root[0], sample_leaf, &inner, out);
  for (int i = 0; i < q->type.n; i++)
    if (!isfinite(out[i])) *p->outside = true;
  return true;
}

static void sample_leaf(void *ctx, const ir_module *m, ir_id id, double *out) {
  sample *p = ctx;
  const ir_node *n = ir_get(m, id);
  if (n->op != IR_READ && n->op != IR_PARAM) { /* sign_out, reductions over a cell's faces: any number of that cell */
    uint64_t side = p->swapped && p->end ? (p->end == IR_AT_L ? IR_AT_R : IR_AT_L) : p->end;
    for (int i = 0; i < n->type.n; i++) out[i] = number(p, id, side, (uint64_t)i, n->type.n > 1);
    return;
  }
  const ir_symbol *q = ir_symbol_get((ir_module *)(uintptr_t)m, n->read.sym);
  bool here = n->op == IR_READ && n->read.at == IR_AT_HERE && !p->end;
  if (here && q->kind == IR_EQUATION && q->place == IR_FACES && q->root[0]) {
    ir_evaluate(m, q->root[0], sample_leaf, p, out);
    return;
  }
  if (here && q->kind == IR_GEOMETRY && q->side == IR_ODD) {
    sample_normal(p, m->dims, out);
    return;
  }
  if (n->op == IR_READ && sample_cell_equation(p, m, n, q, out)) return;
  if (q->kind == IR_PARAMETER && q->root[0]) { /* as a run would have it: gamma = 1.4, not any number */
    ir_evaluate(m, q->root[0], sample_leaf, p, out);
    return;
  }
  uint64_t side = n->op == IR_READ ? n->read.at : 0;
  if (side == IR_AT_HERE && p->end) side = p->end;
  if (p->swapped && (side == IR_AT_L || side == IR_AT_R)) side = side == IR_AT_L ? IR_AT_R : IR_AT_L;
  for (int i = 0; i < n->type.n; i++)
    out[i] = number(p, n->read.sym, side + 16u * (n->op == IR_READ ? n->read.level : 0), (uint64_t)i, n->type.n > 1);
}

static bool close_to(double a, double b, double scale) { return fabs(a - b) <= 1e-9 * (scale + fabs(a) + fabs(b)); }

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

/* Compares `root` at (L, R, n) with `mirror` at (R, L, -n). */
static verdict compare_sides(const ir_module *m, ir_id root, ir_id mirror) {
  verdict v = {true, true, 0};
  double a[64] = {0}, b[64] = {0};
  for (int i = 0; i < SAMPLES; i++) {
    bool outside = false;
    sample p = {.module = m, .outside = &outside, .seed = mix((uint64_t)i + 1) & ~3ULL, .signs = i % 8 == 5};
    p.seed |= (uint64_t)i & 3u;
    ir_evaluate(m, root, sample_leaf, &p, a);
    p.swapped = true;
    ir_evaluate(m, mirror, sample_leaf, &p, b);
    if (!outside) compare(a, b, ir_get(m, root)->type.n, &v);
  }
  return v;
}

void infer_side(sema *s, ir_sym sym, span at) {
  ir_symbol *q = ir_symbol_get(s->module, sym);
  q->evidence = IR_SAMPLED;
  if (q->is_fluctuation) { /* a matching pair is "odd": inline evaluation may then take each cell as L */
    verdict v = compare_sides(s->module, q->root[IR_TO_L], q->root[IR_TO_R]);
    q->side = v.even && v.tested ? IR_ODD : IR_SIDED;
    return;
  }
  verdict v = compare_sides(s->module, q->root[0], q->root[0]);
  q->side = !v.tested ? IR_SIDED : v.even ? IR_EVEN : v.odd ? IR_ODD : IR_SIDED;
  if (q->is_flux && !v.tested) {
    q->side = IR_ODD;
    q->evidence = IR_CLAIMED;
  }
  if (q->is_flux && v.tested && !v.odd) {
    diag *d = diag_report(s->sink, DIAG_NOT_ODD, at, "the flux `%s` does not change sign when L and R are exchanged: the result "
                          "would depend on how the mesh is numbered", q->text);
    diag_with_hint(s->sink, d, "a flux points from L to R: use jump(...), dot(..., normal), or upwinding by the sign of a "
                               "normal velocity");
  }
}
