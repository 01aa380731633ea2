/* random_sides FIRST-LAST: fluxes that are odd under the exchange of L and R, or nearly so, against what `check` says of them. A formula is evaluated
 * here at many points where values coincide, and seen from both sides. One that `check` takes without a word is odd at all of them, and one that is
 * odd by the way it is made is not refused. Exit status 1 if one is not so; how many were only tested (W0251) and are not odd is told. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dslc.h"
#include "mesh/random.h"

enum { MOST_NODES = 4000, DEEPEST = 3, POINTS = 4000 };

typedef enum op {
  OP_H_L,
  OP_H_R,
  OP_Z_L,
  OP_Z_R,
  OP_UN,
  OP_JUMP,
  OP_MEAN,
  OP_CONST, /* leaves */
  OP_NEG,
  OP_ABS,
  OP_SIGN,
  OP_SQUARE,
  OP_INVERSE,
  OP_NOT,
  OP_ADD,
  OP_SUB,
  OP_MUL,
  OP_MAX,
  OP_MIN,
  OP_AND,
  OP_OR,
  OP_LT,
  OP_LE,
  OP_GT,
  OP_GE,
  OP_EQ,
  OP_NE,
  OP_IF
} op; // clang-format off

static const char *const form[] = {
    "h[L]", "h[R]", "z[L]", "z[R]", "un", "jump(h)", "mean(z)", NULL,
    "(-%)", "abs(%)", "sign(%)", "(%)^2", "1/(%)", "(not %)",
    "(% + %)", "(% - %)", "(%*%)", "max(%, %)", "min(%, %)", "(% and %)", "(% or %)", "(% < %)", "(% <= %)", "(% > %)", "(% >= %)", "(% == %)", "(% != %)",
    "(if % then % else %)"}; // clang-format on

typedef struct node {
  op op;
  double value;
  const struct node *arg[3];
} node;

typedef struct maker {
  uint64_t state;
  bool inverses; /* formulas may have some */
  int n;
  node at[MOST_NODES];
} maker;

typedef struct point {
  double h[2], z[2], un;
} point;

static int below(maker *m, int n) { return (int)random_below(&m->state, (uint64_t)n); }

static const node *make(maker *m, op o, const node *a, const node *b, const node *c) {
  if (m->n == MOST_NODES) exit(2);
  node *n = &m->at[m->n++];
  *n = (node){o, 0, {a, b, c}};
  return n;
}

/* ---- formulas ---------------------------------------------------------------------------------------------------------- */

static const node *number(maker *m, double value) {
  node *n = (node *)make(m, OP_CONST, NULL, NULL, NULL);
  n->value = value;
  return n;
}

static const node *leaf(maker *m) {
  static const double some[] = {0, 0, 1, 2, 0.5};
  const int k = below(m, OP_CONST + 2);
  return k < OP_CONST ? make(m, (op)k, NULL, NULL, NULL) : number(m, some[below(m, 5)]);
}

static const node *condition(maker *m, int depth);

static const node *formula(maker *m, int depth) {
  static const op some[] = {OP_NEG, OP_ABS, OP_SIGN, OP_SQUARE, OP_ADD, OP_SUB, OP_MUL,
                            OP_MUL, OP_MAX, OP_MIN,  OP_IF,     OP_IF,  OP_IF};
  if (depth == 0 || below(m, 7) == 0) return leaf(m);
  if (m->inverses && below(m, 5) == 0) return make(m, OP_INVERSE, formula(m, depth - 1), NULL, NULL);
  const op o = some[below(m, sizeof some / sizeof *some)];
  const node *a = o == OP_IF ? condition(m, depth - 1) : formula(m, depth - 1);
  const node *b = o >= OP_ADD ? formula(m, depth - 1) : NULL;
  return make(m, o, a, b, o == OP_IF ? formula(m, depth - 1) : NULL);
}

static const node *condition(maker *m, int depth) {
  const int k = below(m, 10);
  if (k == 0 && depth > 0) return make(m, OP_NOT, condition(m, depth - 1), NULL, NULL);
  if (k < 3 && depth > 0)
    return make(m, k == 1 ? OP_AND : OP_OR, condition(m, depth - 1), condition(m, depth - 1), NULL);
  const node *a = formula(m, depth), *b = below(m, 2) ? number(m, 0) : formula(m, depth);
  return make(m, (op)(OP_LT + below(m, 6)), a, b, NULL);
}

/* The same seen from the other side. */
static const node *turned(maker *m, const node *n) {
  static const op other[] = {OP_H_R, OP_H_L, OP_Z_R, OP_Z_L};
  if (n->op <= OP_Z_R) return make(m, other[n->op], NULL, NULL, NULL);
  if (n->op == OP_UN || n->op == OP_JUMP) return make(m, OP_NEG, n, NULL, NULL);
  if (n->op == OP_MEAN || n->op == OP_CONST) return n;
  const node *arg[3] = {NULL};
  for (int i = 0; i < 3 && n->arg[i]; i++) arg[i] = turned(m, n->arg[i]);
  return make(m, n->op, arg[0], arg[1], arg[2]);
}

/* Odd, whatever `a` is: in three ways. */
static const node *odd_of(maker *m, const node *a) {
  const node *b = turned(m, a), *way, *none;
  switch (below(m, 3)) {
  case 0: return make(m, OP_SUB, a, b, NULL);
  case 1: return make(m, OP_MUL, make(m, OP_UN, NULL, NULL, NULL), make(m, OP_ADD, a, b, NULL), NULL);
  default:
    way = make(m, OP_GT, make(m, OP_UN, NULL, NULL, NULL), number(m, 0), NULL);
    none = make(m, OP_LT, make(m, OP_UN, NULL, NULL, NULL), number(m, 0), NULL);
    return make(m, OP_IF, way, a, make(m, OP_IF, none, make(m, OP_NEG, b, NULL, NULL), number(m, 0)));
  }
}

static int count(const node *n) {
  int sum = 1;
  for (int i = 0; i < 3 && n->arg[i]; i++) sum += count(n->arg[i]);
  return sum;
}

static op another(maker *m, op o) {
  if (o <= OP_Z_R) return (op)(o ^ 1);
  if (o >= OP_LT && o <= OP_NE) return (op)(OP_LT + below(m, 6));
  if (o == OP_MAX || o == OP_MIN) return o == OP_MAX ? OP_MIN : OP_MAX;
  if (o == OP_AND || o == OP_OR) return o == OP_AND ? OP_OR : OP_AND;
  return o == OP_ADD ? OP_SUB : o == OP_SUB ? OP_ADD : o == OP_UN ? OP_JUMP : o;
}

/* A copy in which one node, `*left` nodes further, is another. */
static const node *changed(maker *m, const node *n, int *left) {
  if (n->op == OP_CONST) return (*left)-- == 0 ? number(m, n->value + 1) : n;
  const op o = (*left)-- == 0 ? another(m, n->op) : n->op;
  const node *arg[3] = {NULL};
  for (int i = 0; i < 3 && n->arg[i]; i++) arg[i] = changed(m, n->arg[i], left);
  return make(m, o, arg[0], arg[1], arg[2]);
}

static void print(const node *n, FILE *out) {
  if (n->op == OP_CONST) {
    fprintf(out, "%g", n->value);
    return;
  }
  int k = 0;
  for (const char *c = form[n->op]; *c; c++)
    if (*c == '%') print(n->arg[k++], out);
    else fputc(*c, out);
}

/* ---- values ------------------------------------------------------------------------------------------------------------ */

/* Of a 0 that is made of others the sign hangs on how, which is not followed. */
static bool is_plain(const node *n) { return n->op < OP_CONST || (n->op == OP_NEG && is_plain(n->arg[0])); }

/* NAN as soon as a part is: there the sides have nothing to agree about. */
static double value(const node *n, const point *p) {
  double x[3] = {0};
  if (n->op == OP_IF) {
    const double way = value(n->arg[0], p);
    return isnan(way) ? way : value(n->arg[way != 0 ? 1 : 2], p);
  }
  for (int i = 0; i < 3 && n->arg[i]; i++) {
    x[i] = value(n->arg[i], p);
    if (isnan(x[i])) return x[i];
  }
  switch (n->op) {
  case OP_H_L: return p->h[0];
  case OP_H_R: return p->h[1];
  case OP_Z_L: return p->z[0];
  case OP_Z_R: return p->z[1];
  case OP_UN: return p->un;
  case OP_JUMP: return p->h[1] - p->h[0];
  case OP_MEAN: return (p->z[0] + p->z[1]) / 2;
  case OP_CONST: return n->value;
  case OP_NEG: return -x[0];
  case OP_ABS: return fabs(x[0]);
  case OP_SIGN: return (x[0] > 0) - (x[0] < 0);
  case OP_SQUARE: return x[0] * x[0];
  case OP_INVERSE: return x[0] == 0 && !is_plain(n->arg[0]) ? NAN : 1 / x[0];
  case OP_NOT: return x[0] == 0;
  case OP_ADD: return x[0] + x[1];
  case OP_SUB: return x[0] - x[1];
  case OP_MUL: return x[0] * x[1];
  case OP_MAX: return x[0] > x[1] ? x[0] : x[1];
  case OP_MIN: return x[0] < x[1] ? x[0] : x[1];
  case OP_AND: return x[0] != 0 && x[1] != 0;
  case OP_OR: return x[0] != 0 || x[1] != 0;
  case OP_LT: return x[0] < x[1];
  case OP_LE: return x[0] <= x[1];
  case OP_GT: return x[0] > x[1];
  case OP_GE: return x[0] >= x[1];
  case OP_EQ: return x[0] == x[1];
  case OP_NE: return x[0] != x[1];
  case OP_IF: break;
  }
  return NAN;
}

/* Numbers whose sums, differences, products and halves are exact, and coincide often. */
static double draw(maker *m) {
  static const double some[] = {0, 0, 1, -1, 2, 0.5, -2, 3};
  return some[below(m, 8)];
}

/* Is it odd at all points? Else *at is one where it is not. */
static bool is_odd(maker *m, const node *n, point *at) {
  for (int i = 0; i < POINTS; i++) {
    const point p = {{draw(m), draw(m)}, {draw(m), draw(m)}, draw(m)},
                q = {{p.h[1], p.h[0]}, {p.z[1], p.z[0]}, -p.un};
    const double a = value(n, &p), b = value(n, &q);
    *at = p;
    if (isfinite(a) && isfinite(b) && fabs(a + b) > 1e-12 * (1 + fabs(a)))
      return false; /* 1/3 is not exact */
  }
  return true;
}

/* ---- what `check` says ------------------------------------------------------------------------------------------------- */

typedef enum answer { TAKEN, TESTED, REFUSED, ANOTHER } answer;

static answer ask(const char *text) {
  dslc_messages *m = NULL;
  dslc_program *p = NULL;
  const dslc_options options = {.path = "side.ew", .text = text, .dims = 2, .check_only = true};
  dslc_compile(&options, &p, &m);
  char *said = NULL;
  size_t size;
  FILE *out = open_memstream(&said, &size);
  if (!out) exit(2);
  dslc_messages_print(m, out, false);
  fclose(out);
  const answer a = strstr(said, "E0215")         ? REFUSED
                   : dslc_messages_errors(m) > 0 ? ANOTHER
                   : strstr(said, "W0251")       ? TESTED
                                                 : TAKEN;
  free(said);
  dslc_messages_destroy(&m);
  dslc_program_destroy(&p);
  return a;
}

static char *scheme_of(const node *flux) {
  char *text = NULL;
  size_t size;
  FILE *out = open_memstream(&text, &size);
  if (!out) exit(2);
  fputs("scheme side on mesh(2) {\n  state h @ cells\n  state z @ cells\n  given w : vector @ faces\n  flux "
        "F @ faces = ",
        out);
  print(flux, out);
  fputs(" where un = dot(w, normal)\n  boundary b { ghost h = h[L]  ghost z = z[L] }\n  dt = 0.1\n"
        "  step { update h = h - dt/volume*sum(f of c) area*F  update z = 0.9*z }\n}\n",
        out);
  fclose(out);
  return text;
}

static int fault(uint64_t seed, const char *what, const char *text, const point *p) {
  printf("FAIL seed %llu: %s\n%s", (unsigned long long)seed, what, text);
  if (p) printf("  at h = %g, %g, z = %g, %g, un = %g\n", p->h[0], p->h[1], p->z[0], p->z[1], p->un);
  return 1;
}

int main(int argc, char **argv) {
  unsigned long long first, last;
  if (argc != 2 || sscanf(argv[1], "%llu-%llu", &first, &last) != 2)
    return fputs("random_sides FIRST-LAST\n", stderr), 2;
  int faults = 0, said[4] = {0}, missed = 0;
  maker *m = malloc(sizeof *m);
  for (uint64_t seed = first; m && seed <= last; seed++) {
    *m = (maker){.state = random_seed(seed)};
    const bool made_odd = below(m, 4) == 0;
    m->inverses = !made_odd && below(m, 3) == 0; /* 1/0 may spoil what is made odd */
    const node *flux = odd_of(m, formula(m, 1 + below(m, DEEPEST)));
    int left = below(m, count(flux));
    if (!made_odd) flux = changed(m, flux, &left);
    point at;
    const bool odd = is_odd(m, flux, &at);
    char *text = scheme_of(flux);
    const answer a = ask(text);
    said[a]++, missed += a == TESTED && !odd;
    if (a == TAKEN && !odd) faults += fault(seed, "passes for odd, and is not", text, &at);
    if (a == REFUSED && made_odd) faults += fault(seed, "is odd, and refused", text, NULL);
    free(text);
  }
  free(m);
  printf("%d fluxes: %d taken, %d tested (of these %d are not odd), %d refused, %d with other errors; %d "
         "failures\n",
         said[0] + said[1] + said[2] + said[3], said[TAKEN], said[TESTED], missed, said[REFUSED],
         said[ANOTHER], faults);
  return faults > 0;
}
