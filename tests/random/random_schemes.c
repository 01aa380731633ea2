/* Random schemes: each is computed in many ways, which have to agree.
 *
 *   random_schemes [--seeds A-B] [--schedules N] [--reference DEVICE] [--devices D,D,...] [--seconds S] [--keep FOLDER]
 *                  [--tolerance X] [--reduce S] [--coverage] [--known FILE] [--print SEED] [--replay FOLDER]
 *
 * A seed gives a scheme, a mesh or grid, values and schedules, the same on every machine. What disagrees, fails, or is refused by
 * `build` though `check` accepts it is reduced and kept in a folder: scheme.ew, case.lua, and schedule.txt, for --replay and for
 * `edgewise run`. Exit status 1 if anything was found. --known names a file of seeds that are left out, with reasons.
 *
 * Devices `c` and `c-openmp` compile with $CC: with tcc a scheme takes some hundredths of a second. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/timing.h"
#include "random.h"

/* ---- the command line ----------------------------------------------------------------------------------------------- */

static void list_devices(options *o, char *text) {
  char *rest = NULL;
  o->n_devices = 0;
  for (char *d = strtok_r(text, ",", &rest); d && o->n_devices < MOST_DEVICES; d = strtok_r(NULL, ",", &rest))
    o->device[o->n_devices++] = d;
}

static bool take_option(options *o, const char *name, char *value) {
  unsigned long long a, b;
  if (strcmp(name, "--seeds") == 0) {
    int n = sscanf(value, "%llu-%llu", &a, &b);
    if (n < 1) return false;
    o->first = a, o->last = n == 2 ? b : a;
  } else if (strcmp(name, "--schedules") == 0) o->schedules = atoi(value);
  else if (strcmp(name, "--reference") == 0) o->reference = value;
  else if (strcmp(name, "--devices") == 0) list_devices(o, value), o->devices_given = true;
  else if (strcmp(name, "--seconds") == 0) o->seconds = atof(value);
  else if (strcmp(name, "--reduce") == 0) o->reduce = atof(value);
  else if (strcmp(name, "--known") == 0) o->known = value;
  else if (strcmp(name, "--keep") == 0) o->keep = value;
  else if (strcmp(name, "--tolerance") == 0) o->tolerance = atof(value);
  else if (strcmp(name, "--print") == 0) o->print = true, o->first = o->last = strtoull(value, NULL, 10);
  else if (strcmp(name, "--replay") == 0) o->replay = value;
  else return false;
  return true;
}

static bool read_options(options *o, int argc, char **argv) {
  for (int i = 1; i < argc; i++) {
    if (strcmp(argv[i], "--coverage") == 0) o->coverage = true;
    else if (i + 1 < argc && take_option(o, argv[i], argv[i + 1])) i++;
    else return fprintf(stderr, "random_schemes: cannot read '%s'\n", argv[i]), false;
  }
  return true;
}

/* ---- the account ------------------------------------------------------------------------------------------------------ */

static void print_coverage(const tally *t) {
  printf("\nconstruct                                        schemes  uses\n");
  for (int c = 0; c < CONSTRUCTS; c++)
    printf("%-48s %7d %5d\n", construct_text((construct)c), t->schemes[c], t->uses[c]);
}

static void print_tally(const options *o, const tally *t, double seconds) {
  printf("%d schemes, %d ran, %d runs compared in %.1f s; %d refused, %d stopped by their own checks, %d "
         "failures; largest difference %.1e\n",
         t->made, t->ran, t->compared, seconds, t->refused, t->diverged, t->failures, t->largest);
  for (int i = 0; i < t->n_refusals; i++)
    printf("  refused %5d times: %s (seed %llu)\n", t->refusal[i].n, t->refusal[i].text,
           (unsigned long long)t->refusal[i].seed);
  if (o->coverage) print_coverage(t);
}

void count_refusal(tally *t, const char *text, uint64_t seed) {
  size_t n = strcspn(text, "\n");
  t->refused++;
  for (int i = 0; i < t->n_refusals; i++)
    if (strncmp(t->refusal[i].text, text, 12) == 0) {
      t->refusal[i].n++;
      return;
    }
  if (t->n_refusals == MOST_REFUSALS) return;
  refusal *r = &t->refusal[t->n_refusals++];
  r->n = 1;
  r->seed = seed;
  snprintf(r->text, sizeof r->text, "%.*s", (int)n, text);
}

/* ---- the loop ------------------------------------------------------------------------------------------------------------ */

static void count_constructs(tally *t, const int count[CONSTRUCTS]) {
  for (int c = 0; c < CONSTRUCTS; c++) t->uses[c] += count[c], t->schemes[c] += count[c] > 0;
}

/* Whether the file of seeds whose failure is known names this one: a seed begins its line. */
static bool is_known(const options *o, uint64_t seed) {
  char line[256];
  bool found = false;
  FILE *f = o->known ? fopen(o->known, "r") : NULL;
  while (f && !found && fgets(line, sizeof line, f)) found = strtoull(line, NULL, 10) == seed;
  if (f) fclose(f);
  return found;
}

static bool try_seed(const options *o, tally *t, uint64_t seed) {
  int count[CONSTRUCTS] = {0};
  subject s = {.seed = seed};
  s.text = gen_scheme(seed, &s.dims, count);
  if (!s.text) return false;
  if (o->print) fputs(s.text, stdout);
  t->made++;
  bool ran = try_subject(o, t, &s);
  if (ran) count_constructs(t, count);
  free(s.text);
  return true;
}

int main(int argc, char **argv) {
  options o = {.first = 1,
               .last = 100,
               .schedules = 4,
               .reference = "c",
               .device = {"c"},
               .n_devices = 1,
               .keep = "random_found",
               .tolerance = 1e-11,
               .reduce = 20};
  tally *t = calloc(1, sizeof *t);
  char folder[1024];
  const char *tmp = getenv("TMPDIR");
  snprintf(folder, sizeof folder, "%s/random_schemes-XXXXXX", tmp && *tmp ? tmp : "/tmp");
  if (!t || !read_options(&o, argc, argv)) return free(t), 2;
  if (!mkdtemp(folder)) return free(t), perror(folder), 1;
  o.folder = folder;
  setvbuf(stdout, NULL, _IOLBF, BUFSIZ);
  setenv("EDGEWISE_CACHE", "off", 1); /* no scheme comes twice */
  if (o.replay) {
    int code = replay(&o);
    return free(t), remove_folder(folder), code;
  }
  double start = ew_seconds();
  for (uint64_t seed = o.first; seed <= o.last && (o.seconds <= 0 || ew_seconds() - start < o.seconds);
       seed++)
    if (!is_known(&o, seed) && !try_seed(&o, t, seed)) t->failures++;
  print_tally(&o, t, ew_seconds() - start);
  remove_folder(folder);
  int failures = t->failures;
  free(t);
  return failures ? 1 : 0;
}
