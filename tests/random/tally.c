/* The account of a campaign: what ran, what was refused and why, what failed, what the schemes held. */
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "random.h"

void count_constructs(tally *t, const int count[CONSTRUCTS]) {
  for (int c = 0; c < CONSTRUCTS; c++) t->uses[c] += count[c], t->schemes[c] += count[c] > 0;
}

void count_failure(tally *t, uint64_t seed) {
  t->failures++;
  if (t->n_failed < MOST_FAILED) t->failed[t->n_failed++] = seed;
}

/* The same but for the names in it, which stand between backquotes, and for those of a cycle? */
static bool same_reason(const char *a, const char *b) {
  static const char cycle[] = "leads in a cycle";
  while (*a && *a == *b && strncmp(a, cycle, sizeof cycle - 1) != 0) {
    const bool name = *a == '`';
    a++, b++;
    if (!name) continue;
    a += strcspn(a, "`"), b += strcspn(b, "`");
    if (*a && *b) a++, b++;
  }
  return *a == *b;
}

/* Refusals are told apart by what their messages say; the seed shown is the smallest. */
static void add_refusals(tally *t, const refusal *r) {
  for (int i = 0; i < t->n_refusals; i++)
    if (same_reason(t->refusal[i].text, r->text)) {
      int n = t->refusal[i].n + r->n;
      if (r->seed < t->refusal[i].seed) t->refusal[i] = *r;
      t->refusal[i].n = n;
      return;
    }
  if (t->n_refusals < MOST_REFUSALS) t->refusal[t->n_refusals++] = *r;
}

void count_refusal(tally *t, const char *text, uint64_t seed) {
  refusal r = {.n = 1, .seed = seed};
  snprintf(r.text, sizeof r.text, "%.*s", (int)strcspn(text, "\n"), text);
  t->refused++;
  add_refusals(t, &r);
}

void merge_tally(tally *into, const tally *from) {
  into->made += from->made;
  into->ran += from->ran;
  into->compared += from->compared;
  into->read_back += from->read_back;
  into->pairs += from->pairs;
  into->sensitive += from->sensitive;
  into->unsolved += from->unsolved;
  into->faulty += from->faulty;
  into->refused += from->refused;
  into->diverged += from->diverged;
  into->failures += from->failures;
  into->largest = fmax(into->largest, from->largest);
  for (int c = 0; c < CONSTRUCTS; c++) into->uses[c] += from->uses[c], into->schemes[c] += from->schemes[c];
  for (int i = 0; i < from->n_refusals; i++) add_refusals(into, &from->refusal[i]);
  for (int i = 0; i < from->n_failed && into->n_failed < MOST_FAILED; i++)
    into->failed[into->n_failed++] = from->failed[i];
}

static void print_coverage(const tally *t) {
  printf("\nconstruct                                        schemes  uses\n");
  for (int c = 0; c < CONSTRUCTS; c++)
    printf("%-48s %7d %5d\n", construct_text((construct)c), t->schemes[c], t->uses[c]);
}

static int by_number(const void *a, const void *b) {
  uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
  return (x > y) - (x < y);
}

static void print_failed(const tally *t) {
  uint64_t seed[MOST_FAILED];
  memcpy(seed, t->failed, sizeof seed);
  qsort(seed, (size_t)t->n_failed, sizeof *seed, by_number);
  for (int i = 0; i < t->n_failed; i++)
    printf("%s%llu%s", i ? " " : "  failed: ", (unsigned long long)seed[i], i + 1 == t->n_failed ? "\n" : "");
}

void print_runs(const tally *t, double seconds) {
  printf("%d schemes, %d ran, %d runs compared in %.1f s; %d refused, %d stopped by their own checks, %d "
         "failures; largest difference %.1e\n",
         t->made, t->ran, t->compared, seconds, t->refused, t->diverged, t->failures, t->largest);
}

void print_tally(const options *o, const tally *t, double seconds) {
  print_runs(t, seconds);
  if (t->read_back)
    printf("  of %d ways what is printed after a step, the manifest and the kernels were read back, and a "
           "report made\n",
           t->read_back);
  if (t->pairs) printf("  %d ways were run with two floats for each double, too\n", t->pairs);
  if (t->sensitive)
    printf("  %d runs differed by more than the tolerance, as they do with other roundings or where a solver "
           "stops "
           "earlier\n",
           t->sensitive);
  if (t->unsolved)
    printf("  %d runs ended where the scheme's solver finds no solution, in the plainest schedule too\n",
           t->unsolved);
  if (t->faulty) printf("  %d runs were refused for a known fault of the driver, or as the device has too little local memory\n", t->faulty);
  for (int i = 0; i < t->n_refusals; i++)
    printf("  refused %5d times: %s (seed %llu)\n", t->refusal[i].n, t->refusal[i].text,
           (unsigned long long)t->refusal[i].seed);
  print_failed(t);
  if (o->coverage) print_coverage(t);
}
