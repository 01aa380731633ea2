/* Random schemes: each is computed in many ways, which have to agree.
 *
 *   random_schemes [--seeds A-B] [--schedules N] [--reference DEVICE] [--devices D,D,...] [--seconds S] [--keep FOLDER]
 *                  [--tolerance X] [--reduce S] [--kind mesh|grid|nodes|crowded|corners|chains|values|ranks|sides|named] [--jobs N] [--account S] [--coverage] [--single] [--known FILE] [--print SEED] [--replay FOLDER]
 *                  [--scheme FILE] [--from FOLDER] [--read-back N] [--vary N]
 *
 * A seed gives a scheme, a mesh or grid, values and schedules, the same on every machine. What disagrees, fails, or is refused by
 * `build` though `check` accepts it is reduced and kept in a folder: scheme.ew, case.lua, and schedule.txt, for --replay and for
 * `edgewise run`. Exit status 1 if anything was found. --known names a file of seeds that are left out, with reasons; --kind leaves
 * out all schemes but those on meshes, on grids, with states at nodes, or those on grids where much meets at walls. --jobs says by how
 * many processes; the account is one, and the same for any number of them, said every S seconds too with --account. --single: each way stores some numbers in single precision, by chance;
 * such ways may differ by the rounding of what they store. --scheme: seeds draw all but the scheme, which is the one of the file. --read-back:
 * of one way in so many (10) what is printed on the way is read back, see read_back.c, and one in 30 times as many computes with pairs of floats. --vary: each scheme
 * is changed in up to N places, see vary.c; with --from it is not drawn but that of one of the folder's cases (kept), and parts of another come in.
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
  else if (strcmp(name, "--read-back") == 0) return (o->read_back = atoi(value)) > 0;
  else if (strcmp(name, "--seconds") == 0) o->seconds = atof(value);
  else if (strcmp(name, "--account") == 0) o->account = atoi(value);
  else if (strcmp(name, "--jobs") == 0) o->jobs = atoi(value);
  else if (strcmp(name, "--reduce") == 0) o->reduce = atof(value);
  else if (strcmp(name, "--vary") == 0) return (o->vary = atoi(value)) > 0;
  else if (strcmp(name, "--known") == 0) o->known = value;
  else if (strcmp(name, "--kind") == 0) return (o->kind = value, kind_is_known(value));
  else if (strcmp(name, "--keep") == 0) o->keep = value;
  else if (strcmp(name, "--tolerance") == 0) o->tolerance = atof(value);
  else if (strcmp(name, "--print") == 0) o->print = true, o->first = o->last = strtoull(value, NULL, 10);
  else if (strcmp(name, "--scheme") == 0) o->scheme = value;
  else if (strcmp(name, "--from") == 0) o->from = value;
  else if (strcmp(name, "--replay") == 0) o->replay = value;
  else return false;
  return true;
}

static bool read_options(options *o, int argc, char **argv) {
  for (int i = 1; i < argc; i++) {
    if (strcmp(argv[i], "--coverage") == 0) o->coverage = true;
    else if (strcmp(argv[i], "--single") == 0) o->single = true;
    else if (i + 1 < argc && take_option(o, argv[i], argv[i + 1])) i++;
    else return fprintf(stderr, "random_schemes: cannot read '%s'\n", argv[i]), false;
  }
  if (o->from && !o->vary) return fprintf(stderr, "random_schemes: --from takes --vary\n"), false;
  if (o->jobs < 1 || o->jobs > MOST_JOBS)
    return fprintf(stderr, "random_schemes: --jobs takes 1 to %d\n", MOST_JOBS), false;
  return true;
}

int main(int argc, char **argv) {
  options o = {.first = 1,
               .last = 100,
               .schedules = 4,
               .jobs = 1,
               .read_back = 10,
               .reference = "c",
               .device = {"c"},
               .n_devices = 1,
               .keep = "random_found",
               .tolerance = 1e-11,
               .reduce = 20};
  char folder[1024];
  const char *tmp = getenv("TMPDIR");
  snprintf(folder, sizeof folder, "%s/random_schemes-XXXXXX", tmp && *tmp ? tmp : "/tmp");
  if (!read_options(&o, argc, argv)) return 2;
  tally *t = calloc(1, sizeof *t);
  if (!t || !mkdtemp(folder)) return free(t), perror(folder), 1;
  o.folder = folder;
  setenv("EDGEWISE_CACHE", "off", 1); /* no scheme comes twice */
  double start = ew_seconds();
  bool good = o.replay ? replay(&o) == 0 : run_campaign(&o, t);
  if (!o.replay) print_tally(&o, t, ew_seconds() - start);
  remove_folder(folder);
  good = good && t->failures == 0;
  free(t);
  return good ? 0 : 1;
}
