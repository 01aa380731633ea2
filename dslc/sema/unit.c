#include "sema/unit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* One factor: a base unit (id < N_BASE) or an unknown (id >= N_BASE), with exponent num/den in lowest terms. */
typedef struct factor {
  int id;
  long num, den;
} factor;

struct unit {
  int n;
  factor f[]; /* by increasing id, no zero exponents */
};

enum { M, S, KG, K, A, MOL, CD, N_BASE };
static const char *const base_name[N_BASE] = {"m", "s", "kg", "K", "A", "mol", "cd"};

/* Derived units as exponents of the base units. */
static const struct {
  const char *text;
  signed char exponent[N_BASE];
} derived[] = {
    {"rad", {0}},
    {"N", {1, -2, 1}},
    {"Pa", {-1, -2, 1}},
    {"J", {2, -2, 1}},
    {"W", {2, -3, 1}},
    {"Hz", {0, -1}},
    {"C", {0, 1, 0, 0, 1}},
    {"V", {2, -3, 1, 0, -1}},
    {"F", {-2, 4, -1, 0, 2}},
    {"Ohm", {2, -3, 1, 0, -2}},
    {"S", {-2, 3, -1, 0, 2}},
    {"T", {0, -2, 1, 0, -1}},
    {"Wb", {2, -2, 1, 0, -1}},
    {"H", {2, -2, 1, 0, -2}},
};

struct unit_system {
  arena *memory;
  VEC(span) solved_at;        /* the text that solved it */
  VEC(const unit *) solution; /* of unknown id - N_BASE; NULL entry while free (solved 1 is an empty unit) */
};

unit_system *units_create(arena *a) {
  unit_system *u = arena_new(a, unit_system);
  u->memory = a;
  return u;
}

static long gcd(long a, long b) {
  while (b) {
    long t = a % b;
    a = b;
    b = t;
  }
  return a < 0 ? -a : a;
}

/* Exponents are kept below this: their products then fit a long. Nobody
 * writes a unit beyond it. */
enum { LARGEST_EXPONENT = 1000000 };

static factor make_factor(int id, long num, long den) {
  long g = gcd(num, den);
  if (g == 0) g = 1;
  if (den < 0) g = -g;
  factor f = {id, num / g, den / g};
  if (f.num > LARGEST_EXPONENT) f.num = LARGEST_EXPONENT;
  if (f.num < -LARGEST_EXPONENT) f.num = -LARGEST_EXPONENT;
  if (f.den > LARGEST_EXPONENT) f.den = LARGEST_EXPONENT;
  return f;
}

static unit *make_unit(unit_system *u, int capacity) {
  unit *r = arena_alloc(u->memory, sizeof(unit) + sizeof(factor) * (size_t)capacity);
  return r;
}

/* a * b^(num/den) */
static const unit *combine(unit_system *u, const unit *a, const unit *b, long num, long den) {
  int na = a ? a->n : 0, nb = b ? b->n : 0, i = 0, j = 0;
  unit *r = make_unit(u, na + nb);
  while (i < na || j < nb) {
    bool take_a = j == nb || (i < na && a->f[i].id <= b->f[j].id);
    bool take_b = i == na || (j < nb && b->f[j].id <= a->f[i].id);
    factor fa = take_a ? a->f[i++] : (factor){0, 0, 1};
    factor fb = take_b ? b->f[j++] : (factor){0, 0, 1};
    fb = make_factor(fb.id, fb.num * num, fb.den * den);
    factor sum = make_factor(take_a ? fa.id : fb.id, fa.num * fb.den + fb.num * fa.den, fa.den * fb.den);
    if (sum.num != 0) r->f[r->n++] = sum;
  }
  return r;
}

static const unit *resolve(unit_system *u, const unit *a);

/* The solution of unknown `k`, itself resolved, so that long chains are followed once. */
static const unit *solution_of(unit_system *u, int k) {
  const unit *r = resolve(u, u->solution.at[k]);
  u->solution.at[k] = r;
  return r;
}

/* `a` with all solved unknowns replaced. */
static const unit *resolve(unit_system *u, const unit *a) {
  bool solved = false;
  for (int i = 0; a && i < a->n; i++)
    solved = solved || (a->f[i].id >= N_BASE && u->solution.at[a->f[i].id - N_BASE]);
  if (!solved) return a;
  const unit *r = NULL;
  for (int i = 0; i < a->n; i++) {
    factor f = a->f[i];
    int k = f.id - N_BASE;
    unit *one = make_unit(u, 1);
    one->n = 1;
    one->f[0] = f;
    if (k >= 0 && u->solution.at[k]) r = combine(u, r, solution_of(u, k), f.num, f.den);
    else r = combine(u, r, one, 1, 1);
  }
  return r;
}

bool units_named(unit_system *u, const char *text, const unit **out) {
  for (int i = 0; i < N_BASE; i++)
    if (strcmp(text, base_name[i]) == 0) {
      unit *r = make_unit(u, 1);
      r->n = 1;
      r->f[0] = (factor){i, 1, 1};
      *out = r;
      return true;
    }
  for (size_t d = 0; d < sizeof derived / sizeof *derived; d++)
    if (strcmp(text, derived[d].text) == 0) {
      unit *r = make_unit(u, N_BASE);
      for (int i = 0; i < N_BASE; i++)
        if (derived[d].exponent[i]) r->f[r->n++] = (factor){i, derived[d].exponent[i], 1};
      *out = r;
      return true;
    }
  return false;
}

const char *const *units_names(int *n) {
  static const char *const all[] = {"m", "s",  "kg", "K", "A", "mol", "cd", "rad", "N",  "Pa", "J",
                                    "W", "Hz", "C",  "V", "F", "Ohm", "S",  "T",   "Wb", "H"};
  *n = (int)(sizeof all / sizeof *all);
  return all;
}

const unit *units_unknown(unit_system *u) {
  vec_push(u->memory, &u->solution, NULL);
  vec_push(u->memory, &u->solved_at, ((span){0}));
  unit *r = make_unit(u, 1);
  r->n = 1;
  r->f[0] = (factor){N_BASE + u->solution.n - 1, 1, 1};
  return r;
}

const unit *units_product(unit_system *u, const unit *a, const unit *b) { return combine(u, a, b, 1, 1); }
const unit *units_quotient(unit_system *u, const unit *a, const unit *b) { return combine(u, a, b, -1, 1); }

const unit *units_power(unit_system *u, const unit *a, long num, long den) {
  return combine(u, NULL, a, num, den);
}

bool units_equate(unit_system *u, const unit *a, const unit *b, span at) {
  const unit *d = resolve(u, units_quotient(u, a, b));
  if (d->n == 0) return true;
  factor last = d->f[d->n - 1]; /* unknowns have the largest ids */
  if (last.id < N_BASE) return false;
  unit *x = make_unit(u, 1);
  x->n = 1;
  x->f[0] = last;
  /* last * rest = 1, so unknown = rest^(-1/exponent) */
  const unit *rest = units_quotient(u, d, x);
  u->solution.at[last.id - N_BASE] = units_power(u, rest, -last.den, last.num);
  u->solved_at.at[last.id - N_BASE] = at;
  return true;
}

bool units_origin(unit_system *u, const unit *a, int *unknown, span *at) {
  for (int i = 0; a && i < a->n; i++) {
    int k = a->f[i].id - N_BASE;
    if (k < 0 || !u->solution.at[k] || u->solved_at.at[k].end == 0) continue;
    *unknown = a->f[i].id;
    *at = u->solved_at.at[k];
    return true;
  }
  return false;
}

bool units_is_unknown(const unit *a, int unknown) {
  return a && a->n == 1 && a->f[0].id == unknown && a->f[0].num == 1 && a->f[0].den == 1;
}

const unit *units_resolved(unit_system *u, const unit *a) { return resolve(u, a); }

bool units_is_one(unit_system *u, const unit *a) {
  a = resolve(u, a);
  return !a || a->n == 0;
}

bool units_is_known(unit_system *u, const unit *a) {
  a = resolve(u, a);
  return !a || a->n == 0 || a->f[a->n - 1].id < N_BASE;
}

static void print_factor(char *out, size_t size, factor f, bool inverted) {
  long num = inverted ? -f.num : f.num;
  char unknown[16];
  const char *text = unknown;
  if (f.id < N_BASE) text = base_name[f.id];
  else snprintf(unknown, sizeof unknown, "?%d", f.id - N_BASE);
  if (num == 1 && f.den == 1) snprintf(out, size, "%s", text);
  else if (f.den == 1) snprintf(out, size, "%s^%ld", text, num);
  else snprintf(out, size, "%s^(%ld/%ld)", text, num, f.den);
}

/* Units in the order people write them: mass before length before time. */
static int print_rank(int id) {
  static const int rank[N_BASE] = {[KG] = 0, [M] = 1, [S] = 2, [K] = 3, [A] = 4, [MOL] = 5, [CD] = 6};
  return id < N_BASE ? rank[id] : id;
}

static int compare_print_order(const void *a, const void *b) {
  return print_rank(((const factor *)a)->id) - print_rank(((const factor *)b)->id);
}

const char *units_text(unit_system *u, const unit *a, arena *out) {
  a = resolve(u, a);
  if (!a || a->n == 0) return "1";
  factor *f = arena_array(out, factor, a->n);
  memcpy(f, a->f, sizeof *f * (size_t)a->n);
  qsort(f, (size_t)a->n, sizeof *f, compare_print_order);
  char *over = "", *under = "", text[64];
  int n_under = 0;
  for (int i = 0; i < a->n; i++) {
    bool inverted = f[i].num < 0;
    print_factor(text, sizeof text, f[i], inverted);
    char **side = inverted ? &under : &over;
    *side = arena_printf(out, "%s%s%s", *side, **side ? "*" : "", text);
    n_under += inverted;
  }
  if (!*under) return over;
  return arena_printf(out, n_under > 1 ? "%s/(%s)" : "%s/%s", *over ? over : "1", under);
}

bool units_fraction(double x, long *num, long *den) {
  for (long d = 1; d <= 12; d++) {
    double n = round(x * (double)d);
    if (fabs(n) < 1e6 && fabs(x - n / (double)d) < 1e-12) {
      *num = (long)n;
      *den = d;
      return true;
    }
  }
  return false;
}
