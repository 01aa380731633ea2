/* A scheme against itself: the reference, and other ways to compute it. */
#include <errno.h>
#include <fenv.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/timing.h"
#include "mesh/random.h"
#include "random.h"

bool save_text(const char *folder, const char *name, const char *text) {
  char path[1200];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  FILE *f = fopen(path, "w");
  if (!f) return fprintf(stderr, "cannot write %s: %s\n", path, strerror(errno)), false;
  fputs(text, f);
  return fclose(f) == 0;
}

void remove_folder(const char *folder) {
  static const char *const names[] = {"scheme.ew", "base.ew", "mesh.msh"};
  char path[1200];
  for (int i = 0; i < 3; i++) {
    snprintf(path, sizeof path, "%s/%s", folder, names[i]);
    unlink(path);
  }
  rmdir(folder);
}

/* ---- parts ---------------------------------------------------------------------------------------------------------------- */

typedef struct work {
  dslc_program *scheme;
  ew_case *c;
  verify_result base, other;
  char *messages;
  size_t size;
  FILE *stream;
  ew_error err;
} work;

static void clear(work *w) {
  verify_result_clear(&w->base);
  verify_result_clear(&w->other);
  case_destroy(&w->c);
  dslc_program_destroy(&w->scheme);
  if (w->stream) fclose(w->stream);
  free(w->messages);
}

/* The scheme described; its file lies in the folder. */
static bool open_scheme(const options *o, const char *text, int dims, work *w) {
  char path[1200];
  snprintf(path, sizeof path, "%s/scheme.ew", o->folder);
  w->stream = open_memstream(&w->messages, &w->size);
  if (!w->stream || !save_scheme(o->folder, text)) return false;
  bool good = verify_describe(path, dims, w->stream, &w->scheme, &w->err) == EW_OK;
  fflush(w->stream);
  return good;
}

static bool make_case(const options *o, const verify_setup *setup, bool show, work *w) {
  char path[1200];
  snprintf(path, sizeof path, "%s/scheme.ew", o->folder);
  const verify_source of = {w->scheme, path, o->folder, show};
  return verify_make_case(&of, setup, &w->c, &w->err) == EW_OK;
}

/* The first message of the compiler if there is one, else the error. */
static const char *why_not(const work *w) {
  const char *error = w->messages ? strstr(w->messages, "error[") : NULL;
  return error ? error : w->err.text;
}

enum { SIMILAR = 10 }; /* one difference is as large as another one, or up to so much larger */

/* A difference that is as large as what the reference makes of its own roundings, done otherwise, says nothing of how the scheme is
 * computed; nor does an infinite one where they decide, too, whether a value overflows. */
static bool is_as_roundings(const options *o, work *w, double difference) {
  verify_way plain = verify_plain_way(w->scheme, o->reference);
  verify_result rounded = {0};
  ew_error err = {0};
  if (fesetround(FE_UPWARD) != 0) return false;
  bool runs = verify_run(w->c, &plain, w->stream, &rounded, &err) == EW_OK;
  fesetround(FE_TONEAREST);
  const double own = runs ? verify_compare(&w->base, &rounded, 1).most : 0;
  verify_result_clear(&rounded);
  return isfinite(own) ? difference <= SIMILAR * own
                       : isinf(difference); /* a number and infinity, both times */
}

/* The reference solves systems by elimination, a device until its residual is small: as much as the same way differs from itself where
 * it stops ten times earlier. */
static bool is_as_stopping(const trial *t, work *w, double difference) {
  verify_result earlier = {0};
  ew_error err = {0};
  const double tolerance = w->c->solver.tolerance;
  if (tolerance == 0 || t->pairs) return false; /* nothing is solved, or not by doubles */
  w->c->solver.tolerance = 10 * tolerance;
  const bool runs = verify_run(w->c, &t->way, w->stream, &earlier, &err) == EW_OK;
  w->c->solver.tolerance = tolerance;
  const bool similar = runs && difference <= SIMILAR * verify_compare(&w->other, &earlier, 1).most;
  verify_result_clear(&earlier);
  return similar;
}

/* A scheme may be drawn that makes any difference large, as the cosine of a large number does: it differs from itself. A solver that
 * stops is no excuse for what is far from rounding. */
static bool is_as_sensitive(const options *o, const trial *t, work *w, double difference) {
  return is_as_roundings(o, w, difference) || (difference < 1e-5 && is_as_stopping(t, w, difference));
}

/* ---- single precision in memory ------------------------------------------------------------------------------------------- */

#define HALF_DIGIT    0x1p-24 /* of a number in single precision, */
#define HALF_OF_PAIRS 0x1p-47 /* and of two floats that stand for a double */
enum { ROUNDINGS = 64 };      /* of what is stored may add up to a difference */

/* By how much a plain way differs from the reference. */
static double error_of(work *w, const verify_way *way) {
  verify_result result = {0};
  ew_error err = {0};
  const bool runs = verify_run(w->c, way, w->stream, &result, &err) == EW_OK;
  const double most = runs ? verify_compare(&w->base, &result, 1).most : 0;
  verify_result_clear(&result);
  return isfinite(most) ? most : 0;
}

/* As what the start's last digit makes of the result, and what the model machine makes of it that stores the same in the same forms. */
static bool is_as_single(const options *o, const trial *t, work *w, double difference) {
  verify_way nudged = verify_plain_way(w->scheme, o->reference), same = t->way;
  const double digit = verify_way_is_single(&t->way) ? HALF_DIGIT : t->pairs ? HALF_OF_PAIRS : 0;
  if (digit == 0) return false;
  nudged.nudge = digit;
  same.device = strcmp(t->way.device, "model") == 0 ? "c" : "model";
  same.cells = same.nodes = MESH_CELLS_AS_IS;
  double allowed = error_of(w, &nudged) + (double)w->base.steps * digit;
  if (difference <= ROUNDINGS * allowed) return true;
  return !t->pairs && difference <= ROUNDINGS * (allowed + error_of(w, &same));
}

/* A number is too large for it, at the start or later. */
static bool is_too_large(const trial *t, const work *w) {
  if (!verify_way_is_single(&t->way) && !t->pairs) return false;
  return strstr(w->err.text, "single precision cannot") ||
         strstr(w->err.text, "beyond the range of single precision") ||
         (w->other.diverged && strstr(w->other.why, "is finite"));
}

static bool solves(work *w, const verify_way *way) {
  verify_result result = {0};
  ew_error err = {0};
  const ew_status status = verify_run(w->c, way, w->stream, &result, &err);
  verify_result_clear(&result);
  return status != EW_NOT_CONVERGED;
}

/* In the plainest way on the same device, however the mesh is numbered and whatever the last digits of the start are: of a matrix that
 * is hardly regular these decide. */
static bool is_solved(const trial *t, work *w) {
  verify_way plain = verify_plain_way(w->scheme, t->way.device);
  plain.resumed = t->way.resumed;
  bool solved = true;
  for (int i = 0; i < 8 && solved; i++) {
    plain.cells = plain.nodes = (mesh_cell_order)(i % 4);
    plain.nudge = i < 4 ? 0 : 0x1p-40;
    solved = solves(w, &plain);
  }
  return solved;
}

/* Kronecker deltas rest on products of finite numbers that do not overflow (docs/schedules.md, `select`). Where one does in the side that
 * is not taken, the run stops at a value that is not finite, and goes on with the ternary form. */
static bool overflows_where_not_taken(const options *o, const trial *t, work *w) {
  const char *select = verify_way_setting(&t->way, "select");
  if (!select || strcmp(select, "delta") != 0 || w->base.diverged || !w->other.diverged ||
      !strstr(w->other.why, "is finite"))
    return false;
  verify_way ternary = t->way;
  verify_result result = {0};
  ew_error err = {0};
  const bool agrees = verify_way_set(&ternary, "select", "ternary") &&
                      verify_run(w->c, &ternary, w->stream, &result, &err) == EW_OK &&
                      verify_compare(&w->base, &result, 1).most <= o->tolerance;
  verify_result_clear(&result);
  return agrees;
}

/* Without fp64 the device computes with pairs of floats. */
static bool runs_way(const trial *t, work *w) {
  if (t->pairs) setenv("EDGEWISE_FP64", "off", 1);
  const bool runs = verify_run(w->c, &t->way, w->stream, &w->other, &w->err) == EW_OK;
  unsetenv("EDGEWISE_FP64");
  return runs;
}

static outcome run_other(const options *o, const trial *t, work *w, double *difference, char *why,
                         size_t size) {
  fflush(w->stream);
  size_t before = w->size;
  *difference = 0;
  if (!runs_way(t, w)) {
    if (is_too_large(t, w)) return SENSITIVE;
    fflush(w->stream);
    const char *error = w->size > before ? strstr(w->messages + before, "error[") : NULL;
    snprintf(why, size, "%.600s", error ? error : w->err.text);
    if (w->err.status == EW_NOT_CONVERGED && !is_solved(t, w)) return UNSOLVED;
    if (strstr(w->err.text, "bytes of local memory for a work-group") && !strstr(w->err.text, "'step_"))
      return FAULTY; /* it has too little; of launches that are one kernel, what does not fit is left apart */
    return error && strncmp(error, "error[E0299]", 12) != 0 ? REFUSED
                                                            : FAILS; /* of the compiler: no refusal */
  }
  if (w->other.faulty) return snprintf(why, size, "%s", w->other.why), FAULTY;
  verify_difference d = verify_compare(&w->base, &w->other, 1);
  *difference = d.most;
  snprintf(why, size, "%.3g at %s", d.most, d.text);
  if (d.most <= o->tolerance || is_as_single(o, t, w, d.most)) return AGREES;
  if (is_too_large(t, w) || overflows_where_not_taken(o, t, w)) return SENSITIVE;
  return is_as_sensitive(o, t, w, d.most) ? SENSITIVE : DIFFERS;
}

/* What the interpreter says of itself, or that a value needs itself in a scheme that the compiler lets pass. */
static bool needs_itself(const options *o, const work *w, int dims) {
  const subject s = {.dims = dims};
  return w->err.status == EW_INTERNAL || (strstr(w->err.text, " has no end: ") && check_accepts(o, &s));
}

/* What the compiler says of itself is no refusal. */
static bool is_internal(const char *why) { return strstr(why, "error[E0299]") != NULL; }

static outcome judge_as_is(const options *o, const trial *t, double *difference, char *why, size_t size) {
  work w = {0};
  outcome found = REFUSED;
  verify_way plain;
  *difference = 0;
  if (open_scheme(o, t->text, t->dims, &w) && make_case(o, &t->setup, t->show, &w)) {
    plain = verify_plain_way(w.scheme, o->reference);
    if (verify_run(w.c, &plain, w.stream, &w.base, &w.err) == EW_OK)
      found = run_other(o, t, &w, difference, why, size);
    else {
      snprintf(why, size, "reference: %.600s", why_not(&w));
      if (needs_itself(o, &w, t->dims)) found = FAILS;
    }
  } else {
    snprintf(why, size, "%.600s", why_not(&w));
    if (is_internal(why)) found = FAILS;
  }
  clear(&w);
  return found;
}

/* In a build that puts back a mended defect, see dslc/base/defects.h: what fails without it too says nothing of it. */
static bool fails_without_defect(const options *o, const trial *t) {
#ifdef EW_DEFECTS
  char why[1024], *defect = getenv("EW_DEFECT") ? strdup(getenv("EW_DEFECT")) : NULL;
  double difference;
  outcome found = AGREES;
  if (defect && strcmp(defect, "none") != 0) {
    setenv("EW_DEFECT", "none", 1);
    found = judge_as_is(o, t, &difference, why, sizeof why);
    setenv("EW_DEFECT", defect, 1);
  }
  free(defect);
  return found == FAILS || found == DIFFERS;
#else
  (void)o, (void)t;
  return false;
#endif
}

outcome judge(const options *o, const trial *t, double *difference, char *why, size_t size) {
  const outcome found = judge_as_is(o, t, difference, why, size);
  const bool wrong = found == FAILS || found == DIFFERS;
  return wrong && fails_without_defect(o, t) ? SENSITIVE : found;
}

/* ---- failures ----------------------------------------------------------------------------------------------------------------- */

static void report(const options *o, tally *t, trial *x, uint64_t seed, outcome found, const char *why) {
  char text[2048], again[1024];
  double difference;
  verify_way_text(&x->way, text, sizeof text);
  count_failure(t, seed);
  printf("FAIL seed %llu: %.*s\n  with %s\n", (unsigned long long)seed,
         found == FAILS ? 800 : (int)strcspn(why, "\n"), why, text);
  char *first = strdup(x->text);
  if (!first) return;
  x->text = first;
  t->lost = found == FAILS && strstr(why, "CL_");
  if (!t->lost) { /* else whatever is left of it would fail as well */
    const double start = ew_seconds();
    if (o->reduce > 0) reduce(o, x, found, o->reduce);
    judge(o, x, &difference, again, sizeof again);
    printf("  reduced in %.1f s to %zu characters: %.*s\n", ew_seconds() - start, strlen(x->text),
           (int)strcspn(again, "\n"), again);
  }
  keep_trial(o, x, seed, t->lost ? why : again);
  free(x->text);
}

static void try_way(const options *o, tally *t, work *w, trial *x, const subject *s) {
  char why[1024];
  double difference;
  outcome found = run_other(o, x, w, &difference, why, sizeof why);
  verify_result_clear(&w->other);
  t->compared += found != FAULTY;
  if (found == SENSITIVE) t->sensitive++;
  else if (found == UNSOLVED) t->unsolved++;
  else if (found == FAULTY) t->faulty++;
  else if (found == AGREES) t->largest = fmax(t->largest, difference);
  else if (!fails_without_defect(o, x)) report(o, t, x, s->seed, found, why);
}

enum {
  IN_PAIRS = 300
}; /* one way of the model machine in so many: pairs cost it some thirty times as much */

/* No solver reaches its tolerance in pairs. */
static void try_pairs(const options *o, tally *t, work *w, trial *x, const subject *s, uint64_t seed) {
  if (random_seed(seed ^ 0xf32) % (unsigned)(o->read_back * IN_PAIRS) ||
      strncmp(x->way.device, "model", 5) != 0)
    return;
  if (verify_way_is_single(&x->way) || w->scheme->execution.n_solves > 0) return;
  x->pairs = true;
  t->pairs++;
  try_way(o, t, w, x, s);
  x->pairs = false;
}

static bool run_base(const options *o, tally *t, work *w, trial *x, const subject *s) {
  x->way = verify_plain_way(w->scheme, o->reference);
  if (verify_run(w->c, &x->way, w->stream, &w->base, &w->err) == EW_OK) return true;
  fflush(w->stream);
  if (needs_itself(o, w, s->dims)) {
    if (!fails_without_defect(o, x)) report(o, t, x, s->seed, FAILS, why_not(w));
    return false;
  }
  /* Of what the generator writes no mesh or value that is drawn may be refused, but for walls too near each other for some rules; a change may
   * ask for others. */
  const bool walls = strstr(why_not(w), "one cell lies between the walls") != NULL;
  const bool singular = w->err.status == EW_NOT_CONVERGED; /* the matrix that comes of it */
  const bool by_case =
      (o->vary || walls) && (singular || (w->err.status == EW_INPUT && !strstr(why_not(w), "error[")));
  if (by_case || !check_accepts(o, s))
    return count_refusal(t, why_not(w), s->seed), false; /* for these choices too */
  printf("FAIL seed %llu: `check` accepts what the reference refuses: %.600s\n", (unsigned long long)s->seed,
         why_not(w));
  count_failure(t, s->seed);
  return false;
}

/* `check` asks for all choices of a variant, the case has one. */
static bool is_refused_otherwise(const options *o, tally *t, const subject *s) {
  if (check_accepts(o, s)) return false;
  count_refusal(t, "by `check`, in another choice of its variant", s->seed);
  return true;
}

/* It is not taken at all, whatever mesh and way there might be. */
static void note_refusal(const options *o, tally *t, trial *x, const char *why, uint64_t seed) {
  count_refusal(t, why, seed);
  x->way.device = o->device[0];
  if (is_internal(why) && !fails_without_defect(o, x)) report(o, t, x, seed, FAILS, why);
}

/* The folder holds the scheme, in one file or in two. */
static void ask_check(const options *o, tally *t, const subject *s) {
  char why[1000];
  if (check_agrees(o, s, why, sizeof why)) return;
  printf("FAIL seed %llu: %s\n", (unsigned long long)s->seed, why);
  count_failure(t, s->seed);
}

/* For some of the rules, by chance. */
static void ask_check_so(const options *o, tally *t, const work *w, const trial *x, const subject *s) {
  char why[1000];
  const unsigned some = x->way.n ? (unsigned)(s->seed * 2654435761u >> (x->way.n & 7)) : ~0u;
  if (check_agrees_so(o, x, w->scheme, some, why, sizeof why)) return;
  char text[2048];
  verify_way_text(&x->way, text, sizeof text);
  printf("FAIL seed %llu: %s\n  with %s, rules %x\n", (unsigned long long)s->seed, why, text, some);
  count_failure(t, s->seed);
}

static void ask_reading_back(const options *o, tally *t, const work *w, const trial *x, uint64_t seed) {
  char why[1000], text[2048];
  if (random_seed(seed ^ 0xbac) % (unsigned)o->read_back) return;
  t->read_back++;
  const computed by = {w->c, &x->way, seed};
  if (prints_again_so(o, x, w->scheme, &by, why, sizeof why)) return;
  verify_way_text(&x->way, text, sizeof text);
  printf("FAIL seed %llu: %s\n  with %s\n", (unsigned long long)(seed / 1000), why, text);
  count_failure(t, seed / 1000);
}

static void count_split(tally *t, const char *split) {
  static const struct {
    construct kind;
    const char *by;
  } all[] = {{C_EXTENDS, "\nscheme random extends"},
             {C_EXTENDS_REPLACE, " replace "},
             {C_EXTENDS_ADD, "\n  add boundary"}};
  for (int i = 0; split && i < 3; i++)
    if (strstr(split, all[i].by)) t->schemes[all[i].kind]++, t->uses[all[i].kind]++;
}

/* Defaults of parameters are what the compiler may try formulas with, and numbers of order one; cases may say otherwise. What is wrong where
 * values coincide needs some that do. */
static bool draw_setup(uint64_t seed, const char *text, work *w, verify_setup *to) {
  const bool good = verify_draw_setup(w->scheme, VERIFY_SIGNED, seed, to, &w->err) == EW_OK;
  to->all_parameters = seed % 5 < 2, to->zeros = seed % 3 == 0 || strstr(text, " given still ");
  return good;
}

bool try_subject(const options *o, tally *t, const subject *s) {
  work w = {0};
  bool ran = false;
  /* Of what the generator writes alone. */
  char *split = o->vary ? NULL : split_scheme(s->text, s->seed),
       *units = o->scheme || o->vary || s->renamed ? NULL : unite_scheme(s->text, s->dims);
  count_split(t, split);
  if (units) t->schemes[C_UNITS]++, t->uses[C_UNITS]++;
  trial x = {.text = s->text, .dims = s->dims, .show = s->seed % 2};
  if (!open_scheme(o, s->text, s->dims, &w)) note_refusal(o, t, &x, why_not(&w), s->seed);
  else if (!draw_setup(s->seed, s->text, &w, &x.setup) || !make_case(o, &x.setup, x.show, &w))
    count_refusal(t, w.err.text, s->seed);
  else ran = run_base(o, t, &w, &x, s) && !is_refused_otherwise(o, t, s);
  if (ran) t->ran++, t->diverged += w.base.diverged;
  ask_check(o, t, s);
  /* What a requirement stops must be stopped in that step by all; that a value is not finite the interpreter notes where it arises, which kernels
   * look for in states alone. */
  bool compares = ran && (!w.base.diverged || strstr(w.base.why, "does not hold"));
  const int failures = t->failures,
            unsolved = t->unsolved; /* a solver at its limit takes long, in every way */
  for (int k = 0; compares && k < o->schedules && t->failures == failures && t->unsolved == unsolved; k++) {
    x.way = verify_draw_way(w.scheme, o->device[k % o->n_devices], s->seed * 1000 + (uint64_t)k);
    if (o->single) verify_draw_store(&x.way, w.scheme, s->seed * 1000 + (uint64_t)k);
    x.text = k % 2 && split ? split : k % 4 == 2 && units ? units : s->text; /* they mean the same */
    save_scheme(o->folder, x.text);
    ask_check_so(o, t, &w, &x, s);
    ask_reading_back(o, t, &w, &x, s->seed * 1000 + (uint64_t)k);
    try_way(o, t, &w, &x, s);
    if (t->failures == failures) try_pairs(o, t, &w, &x, s, s->seed * 1000 + (uint64_t)k);
  }
  free(split), free(units);
  clear(&w);
  return ran;
}
