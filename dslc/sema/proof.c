/* Proofs that a quantity at faces is even or odd under the exchange of its two cells, that a matrix is symmetric, that what R gets
 * is what L gets seen from R.
 *
 * Both views of the formula are evaluated at one random point of prime fields (field.h), where rational expressions are equal if
 * they are the same. What is not rational is a random number that its arguments determine, chosen so that the laws hold that an
 * exchange needs: f(-x) = -f(x) or f(x) for odd and even functions, min and max by |a - b|. A condition is a number c, and
 * `if c then a else b` is c*a + (1-c)*b; `a > b` and `b > a` are c and 1 - c. If this proves nothing, each condition is set to 0
 * and to 1 in all combinations, which adds c*c = c.
 *
 * That holds where no comparison has equal sides. A tie matters only if two uses of one comparison would then go different ways,
 * as `un > 0` does when seen from both sides, or if the case was ruled out but for the tie, as that |u| > 0 is false. Then a variable in which
 * a - b is a quotient of linear functions is set to its root, and both views are compared there; so are they where another comparison is tied as well, and a third.
 *
 * Only faces between two cells can be seen from two sides: there no condition patch(...) is true. At the boundary the normal points
 * outwards and L is the cell inside, whatever the numbering.
 *
 * What is even or odd for a proved reason is a number of its own; equations of cells and nodes first too, and
 * are written out if that proves nothing. The budget bounds the work of each formula, whatever it reads. */
#include "sema/proof.h"

#include <string.h>

#include "base/defects.h"
#include "sema/prover.h"

enum { MOST_NODES = 20000, MOST_CASES = 256, MOST_ROOTS = 8, MOST_LENGTHS = 12 };

/* ---- verdicts ---------------------------------------------------------------------------------------------------------- */

typedef struct claim {
  ir_id plain, turned;
} claim;

typedef struct verdict {
  bool even, odd;
} verdict;

static verdict compare_views(prover *p, claim c) {
  int n = ir_get(p->s->module, c.plain)->type.n;
  prover_forget(p);
  const field *a = prover_value(p, (view){.root = c.plain}),
              *b = prover_value(p, (view){.root = c.turned, .exchanged = true});
  verdict v = {!p->hopeless, !p->hopeless};
  for (int i = 0; i < n; i++) {
    v.even = v.even && field_equal(a[i], b[i]);
    v.odd = v.odd && field_equal(a[i], field_neg(b[i]));
  }
  return v;
}

/* ---- what cannot be ------------------------------------------------------------------------------------------------------ */

/* a - b of a comparison, with `x` as the value of the variable. */
static field difference(prover *p, const condition *c, const field *which, field x) {
  const ir_module *m = p->s->module;
  const ir_id *args = ir_args(m, ir_get(m, c->node));
  view a = c->where, b = c->where;
  a.root = args[0];
  b.root = args[1];
  prover_forget(p);
  p->variable = which;
  p->root = x;
  field d = field_sub(*prover_value(p, a), *prover_value(p, b));
  p->variable = NULL;
  return d;
}

/* What two comparisons of one case say is positive, added up. */
typedef struct positive_sum {
  const condition *c[2];
  bool negative[2];
} positive_sum;

static field total(prover *p, const positive_sum *t, const field *which, field x) {
  field sum = field_whole(0);
  for (int i = 0; i < 2 && t->c[i]; i++) {
    field d = difference(p, t->c[i], which, x);
    sum = t->negative[i] ? field_sub(sum, d) : field_add(sum, d);
  }
  return sum;
}

/* Is x a negative multiple, k/4 for a small k, of y? */
static bool is_small_negative(field x, field y) {
  const field four = field_mul(x, field_whole(4));
  field multiple = field_neg(y);
  for (int k = 1; k <= 16; k++, multiple = field_sub(multiple, y))
    if (field_equal(four, multiple)) return true;
  return false;
}

/* -(i*x + j*y)/4 with small i, j of two of the lengths? Lengths of which others are made cannot be varied alone. */
static bool is_small_combination(field rest, const field *length, int n) {
  for (int i = 0; i < n; i++)
    for (int k = 1; k <= 8; k++) {
      field without = field_add(rest, field_div(field_mul(length[i], field_whole(k)), field_whole(4)));
      for (int j = i; j < n; j++)
        if (field_is_zero(without) || is_small_negative(without, length[j])) return true;
    }
  return false;
}

/* The lengths in both comparisons, each once. */
static int lengths_of(prover *p, const positive_sum *t, field *out) {
  int n = 0;
  for (int k = 0; k < 2 && t->c[k]; k++) {
    difference(p, t->c[k], NULL, field_whole(0));
    for (int i = 0; i < p->lengths.n && n < MOST_LENGTHS; i++) {
      bool again = false;
      for (int j = 0; j < n; j++) again = again || field_equal(out[j], p->lengths.at[i]);
      if (!again) out[n++] = p->lengths.at[i];
    }
  }
  return n;
}

/* Is the sum made of negative multiples of lengths? Then it is not positive. */
static bool is_contradiction(prover *p, positive_sum t) {
  const field one = field_whole(1), nothing = field_whole(0);
  for (int i = 0; i < 2 && t.c[i]; i++) t.negative[i] = t.c[i]->flipped != field_is_zero(t.c[i]->value);
  field rest = total(p, &t, NULL, nothing), length[MOST_LENGTHS], d[3];
  int n = lengths_of(p, &t, length);
  for (int i = 0; i < n && !p->hopeless; i++) {
    field x = length[i];
    for (int k = 0; k < 3; k++, x = field_add(x, one)) d[k] = total(p, &t, &length[i], x);
    field slope = field_sub(d[1], d[0]);
    if (field_equal(slope, field_sub(d[2], d[1])) && is_small_negative(slope, one))
      rest = field_sub(rest, field_mul(slope, length[i]));
  }
  return !p->hopeless && (field_is_zero(rest) || is_small_combination(rest, length, n));
}

static void copy_conditions(const prover *from, prover *to) {
  for (int i = 0; i < from->conditions.n; i++)
    vec_push(to->s->memory, &to->conditions, from->conditions.at[i]);
}

/* In the case, may its two sides be equal? Not where uses go different ways then: no case is like that. */
static bool may_be_tied(const condition *c) { return c->ties == (field_is_zero(c->value) ? 1u : 2u); }

/* Of two comparisons together that is, as `min(a, b) > 0` and `max(a, b) < 0`. With whatever ties: what is so for all values is so there, if
 * no comparison is met that is none of the case's, as one that is tied. Where both sides may be equal in all of them, that is what is left. */
static bool is_impossible(prover *p) {
  for (int i = 0; i < p->conditions.n; i++)
    for (int k = i; k < p->conditions.n; k++) {
      prover q = {.s = p->s, .expand = p->expand, .cases = true, .budget = MOST_NODES};
      copy_conditions(p, &q);
      const condition a = p->conditions.at[i], b = p->conditions.at[k];
      if (a.equality || b.equality) continue;
      const bool never = is_contradiction(&q, (positive_sum){.c = {&a, k > i ? &b : NULL}});
      if (!never || q.conditions.n != p->conditions.n) continue;
      if (may_be_tied(&a) && may_be_tied(&b) && !defect_is_back("ties_ruled_out"))
        vec_push(p->s->memory, &p->excluded, a);
      return true;
    }
  return false;
}

/* ---- cases ---------------------------------------------------------------------------------------------------------------- */

/* The next combination of conditions: the last one that is 0 becomes 1, and those behind it are found anew. */
static bool next_case(prover *p) {
  while (p->conditions.n > 0) {
    condition *last = &p->conditions.at[p->conditions.n - 1];
    if (!last->set) {
      last->set = true;
      last->value = field_whole(1);
      return true;
    }
    p->conditions.n--;
  }
  return false;
}

static verdict compare_cases(prover *p, claim c) {
  verdict all = {true, true};
  p->cases = true;
  p->conditions.n = 0;
  for (int i = 0;; i++) {
    verdict v = compare_views(p, c);
    if (!(all.even && v.even) && !(all.odd && v.odd) && is_impossible(p)) v = all;
    all = (verdict){all.even && v.even, all.odd && v.odd};
    if (i == MOST_CASES || (!all.even && !all.odd)) all = (verdict){false, false};
    if ((!all.even && !all.odd) || !next_case(p)) break;
  }
  p->cases = false;
  return all;
}

static verdict judge(prover *p, claim c) {
  p->conditions.n = p->excluded.n = 0;
  verdict v = compare_views(p, c);
  return v.even || v.odd || p->conditions.n == 0 ? v : compare_cases(p, c);
}

/* ---- ties ---------------------------------------------------------------------------------------------------------------- */

/* Gives the first n ties their values, with those of the others as they are: where a - b, in its variable a quotient of linear functions, is
 * 0. There 1/(a - b) has its pole, which follows from three values. */
static bool settle(prover *p, int n) {
  if (n == 0) return true;
  tie *t = &p->tie[n - 1];
  const field one = field_whole(1), nothing = field_whole(0);
  field inverse[3];
  t->value = t->variable;
  for (int i = 0; i < 3; i++, t->value = field_add(t->value, one)) {
    if (!settle(p, n - 1)) return false;
    const field d = difference(p, &t->of, NULL, nothing);
    if (p->hopeless || !field_invertible(d)) return false;
    inverse[i] = field_div(one, d);
  }
  const field first = field_sub(inverse[0], inverse[1]), second = field_sub(inverse[1], inverse[2]);
  if (!field_invertible(second)) return false;
  const field away = field_sub(one, field_div(first, second));
  if (!field_invertible(away)) return false;
  t->value = field_add(t->variable, field_div(field_whole(2), away));
  return settle(p, n - 1) && field_is_zero(difference(p, &t->of, NULL, nothing)) && !p->hopeless;
}

/* The comparisons that the two views take different ways at, where both sides are equal, and those by which cases were ruled out. */
static int open_ties(const prover *p, condition *out) {
  int n = 0;
  for (int i = 0; i < p->conditions.n; i++)
    if (p->conditions.at[i].ties == 3) out[n++] = p->conditions.at[i];
  for (int i = 0; i < p->excluded.n && n < MOST_CONDITIONS; i++) out[n++] = p->excluded.at[i];
  return n;
}

static bool tie_is_proved(prover *p, const condition *c, claim of, verdict want);

/* Those that the two views have besides the ties that there are. */
static bool other_ties_are_proved(prover *p, claim of, verdict want) {
  condition ties[MOST_CONDITIONS];
  p->conditions.n = 0;
  compare_views(p, of);
  const int n = p->hopeless ? 0 : open_ties(p, ties);
  for (int i = 0; i < n; i++)
    if (!tie_is_proved(p, &ties[i], of, want)) return false;
  return !p->hopeless;
}

/* Is the claim true where the sides of c are equal, with the ties that there are? */
static bool tie_is_proved(prover *p, const condition *c, claim of, verdict want) {
  if (p->n_ties == MOST_TIES) return false;
  p->conditions.n = 0;
  difference(p, c, NULL, field_whole(0));
  const bool chosen =
      p->conditions.n > 0; /* by an `if` in it: for other values of that condition the root is another one */
  VEC(field) variables = {0};
  for (int i = 0; i < p->drawn.n; i++) vec_push(p->s->memory, &variables, p->drawn.at[i]);
  int roots = 0;
  bool proved = true;
  for (int i = 0; i < variables.n && roots < MOST_ROOTS && proved; i++) {
    p->tie[p->n_ties++] = (tie){.of = *c, .variable = variables.at[i]};
    if (settle(p, p->n_ties)) {
      roots++;
      p->conditions.n = 0;
      const verdict v = chosen ? compare_views(p, of) : judge(p, of);
      proved = (!want.even || v.even) && (!want.odd || v.odd) && other_ties_are_proved(p, of, want);
    }
    p->n_ties--;
  }
  return proved && (roots > 0 || variables.n == 0);
}

static side_proof prove(prover *p, claim c) {
  verdict v = judge(p, c);
  side_proof r = {.even = v.even, .odd = v.odd, .ties = v.even || v.odd};
  if (!r.ties) return r;
  p->conditions.n = 0;
  compare_views(p, c);
  condition ties[MOST_CONDITIONS];
  int n = p->hopeless ? 0 : open_ties(p, ties);
  for (int i = 0; i < n && r.ties; i++) {
    r.ties = tie_is_proved(p, &ties[i], c, v);
    if (!r.ties) r.tie = p->s->module->origin.at[ties[i].node].at;
  }
  return r;
}

/* A long formula without cases is proved by looking at either view twice. */
static int budget_of(const sema *s, claim c) {
  return MOST_NODES + 3 * (ir_reach(s->module, &c.plain, 1).n + ir_reach(s->module, &c.turned, 1).n);
}

static side_proof prove_by_laws(sema *s, claim c) {
  prover p = {.s = s, .budget = budget_of(s, c)};
  side_proof r = prove(&p, c);
  if (r.ties) return r;
  prover q = {.s = s, .budget = budget_of(s, c), .expand = true};
  side_proof expanded = prove(&q, c);
  return expanded.ties || !(r.even || r.odd) ? expanded : r;
}

/* The laws hold for finite numbers. */
side_proof prove_sides(sema *s, ir_id plain, ir_id turned) {
  const claim c = {plain, turned};
  side_proof r = prove_by_laws(s, c);
  prover p = {.s = s, .budget = budget_of(s, c), .expand = true};
  const ir_id lost = r.ties && !(r.even && r.odd) ? lost_pole(&p, plain, turned) : 0;
  if (!lost) return r;
  r.ties = false, r.pole = true;
  r.tie = s->module->origin.at[lost].at;
  return r;
}

bool prove_unmoved(sema *s, ir_id formula) {
  const claim c = {formula, formula};
  const int n = ir_get(s->module, formula)->type.n;
  prover p = {.s = s, .budget = budget_of(s, c), .elsewhere = true};
  const field *here = prover_value(&p, (view){.root = formula});
  bool same = !p.hopeless;
  prover_forget(&p);
  p.moved = true;
  const field *there = prover_value(&p, (view){.root = formula});
  for (int i = 0; i < n; i++) same = same && field_equal(here[i], there[i]);
  return same && !p.hopeless;
}
