/* Failures as files: scheme.ew and case.lua for `edgewise run`, why.txt for a reader, trial.txt for --replay. */
#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "mesh/random.h"
#include "random.h"

/* ---- trial.txt: a line for each part, in this order -------------------------------------------------------------------- */

static void write_trial(FILE *f, const trial *t) {
  const verify_setup *s = &t->setup;
  fprintf(f, "dims %d show %d grid %d dim %d n %d %d %d cells %d jitter %.17g uneven %d\n", t->dims, t->show,
          s->on_grid, s->dim, s->n[0], s->n[1], s->n[2], (int)s->cells, s->jitter, s->uneven);
  fprintf(f, "periodic %d %d %d spacing %.17g rule %d %d %d %d %d %d solids %d %d\n", s->periodic[0],
          s->periodic[1], s->periodic[2], s->spacing, s->rule[0], s->rule[1], s->rule[2], s->rule[3],
          s->rule[4], s->rule[5], s->n_solids, s->solid_rule);
  for (int b = 0; b < VERIFY_SOLIDS; b++) {
    const verify_solid *x = &s->solid[b];
    fprintf(f, "solid %d %d %d to %d %d %d\n", x->low[0], x->low[1], x->low[2], x->high[0], x->high[1],
            x->high[2]);
  }
  fprintf(f, "plain %d base %.17g amplitude %.17g vectors %.17g seed %llu steps %d\n",
          s->plain + 2 * s->all_parameters + 4 * s->zeros, s->base, s->amplitude, s->vectors,
          (unsigned long long)s->seed, s->steps);
  fprintf(f, "way %s %d %d %d %d%s%s%s\n", t->way.device, (int)t->way.cells, (int)t->way.nodes,
          (int)t->way.faces, t->way.n,
          t->way.built_ahead   ? " manifest ahead"
          : t->way.by_manifest ? " manifest"
                               : "",
          verify_resumed_text(t->way.resumed), t->pairs ? " pairs" : "");
  for (int i = 0; i < t->way.n; i++) fprintf(f, "%s %s\n", t->way.set[i].name, t->way.set[i].value);
}

static bool read_shape(FILE *f, trial *t) {
  verify_setup *s = &t->setup;
  int show, on_grid, cells, uneven, p[3];
  bool good =
      fscanf(f, " dims %d show %d grid %d dim %d n %d %d %d cells %d jitter %lf uneven %d", &t->dims, &show,
             &on_grid, &s->dim, &s->n[0], &s->n[1], &s->n[2], &cells, &s->jitter, &uneven) == 10;
  good = good && fscanf(f, " periodic %d %d %d spacing %lf rule %d %d %d %d %d %d solids %d %d", &p[0], &p[1],
                        &p[2], &s->spacing, &s->rule[0], &s->rule[1], &s->rule[2], &s->rule[3], &s->rule[4],
                        &s->rule[5], &s->n_solids, &s->solid_rule) == 12;
  if (!good) return false;
  t->show = show, s->on_grid = on_grid, s->cells = (verify_cells)cells, s->uneven = uneven;
  for (int a = 0; a < 3; a++) s->periodic[a] = p[a];
  return true;
}

static bool read_trial(FILE *f, trial *t, char device[VERIFY_TEXT]) {
  verify_setup *s = &t->setup;
  unsigned long long seed;
  int plain, cells, nodes, faces;
  char rest[64] = "";
  bool good = read_shape(f, t);
  for (int b = 0; good && b < VERIFY_SOLIDS; b++) {
    verify_solid *x = &s->solid[b];
    good = fscanf(f, " solid %d %d %d to %d %d %d", &x->low[0], &x->low[1], &x->low[2], &x->high[0],
                  &x->high[1], &x->high[2]) == 6;
  }
  good = good && fscanf(f, " plain %d base %lf amplitude %lf vectors %lf seed %llu steps %d", &plain,
                        &s->base, &s->amplitude, &s->vectors, &seed, &s->steps) == 6;
  good = good && fscanf(f, " way %63s %d %d %d %d", device, &cells, &nodes, &faces, &t->way.n) == 5;
  good = good && fgets(rest, sizeof rest, f) != NULL;
  if (!good || t->way.n < 0 || t->way.n > VERIFY_SETTINGS) return false;
  s->plain = plain & 1, s->all_parameters = plain >> 1 & 1, s->zeros = plain >> 2 & 1, s->seed = seed;
  t->way.device = device, t->way.cells = (mesh_cell_order)cells, t->way.nodes = (mesh_cell_order)nodes;
  t->way.faces = (mesh_face_order)faces;
  t->way.by_manifest = strstr(rest, "manifest") != NULL, t->way.built_ahead = strstr(rest, "ahead") != NULL;
  t->pairs = strstr(rest, "pairs") != NULL;
  t->way.resumed = verify_resumed_in(rest);
  for (int i = 0; i < t->way.n; i++)
    if (fscanf(f, " %63s %23s", t->way.set[i].name, t->way.set[i].value) != 2) return false;
  return true;
}

/* ---- writing ------------------------------------------------------------------------------------------------------------- */

static void write_case(const trial *t, const char *folder, const char *why) {
  char path[1200];
  ew_error err = {0};
  dslc_program *scheme = NULL;
  ew_case *c = NULL;
  FILE *f = NULL;
  snprintf(path, sizeof path, "%s/scheme.ew", folder);
  if (verify_describe(path, t->dims, NULL, &scheme, &err) == EW_OK &&
      verify_make_case(&(verify_source){scheme, path, folder, t->show}, &t->setup, &c, &err) == EW_OK) {
    snprintf(path, sizeof path, "%s/case.lua", folder);
    f = fopen(path, "w");
  }
  if (f) {
    fprintf(f, "-- %.*s\n", (int)strcspn(why, "\n"), why);
    verify_write_case(c, NULL, &t->way, f, &err);
    fclose(f);
  }
  case_destroy(&c);
  dslc_program_destroy(&scheme);
}

void keep_trial(const options *o, const trial *t, uint64_t seed, const char *why) {
  char folder[1024], path[1200];
  mkdir(o->keep, 0777);
  snprintf(folder, sizeof folder, "%s/%llu", o->keep, (unsigned long long)seed);
  mkdir(folder, 0777);
  if (!save_scheme(folder, t->text) || !save_text(folder, "why.txt", why)) return;
  snprintf(path, sizeof path, "%s/trial.txt", folder);
  FILE *f = fopen(path, "w");
  if (f) write_trial(f, t), fclose(f);
  write_case(t, folder, why);
  printf("  kept in %s\n", folder);
}

/* ---- replay ---------------------------------------------------------------------------------------------------------------- */

char *read_whole(const char *path) {
  char *text = NULL;
  size_t size = 0;
  FILE *f = fopen(path, "r");
  if (!f || getdelim(&text, &size, '\0', f) < 0) free(text), text = NULL;
  if (f) fclose(f);
  return text;
}

static char *read_part(const char *folder, const char *name) {
  char path[1200];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  return read_whole(path);
}

static int is_case(const struct dirent *d) { return d->d_name[0] != '.'; }

char *draw_kept(const char *folder, uint64_t seed) {
  struct dirent **d;
  char path[1024];
  uint64_t state = random_seed(seed ^ 0xf01dULL);
  const int n = scandir(folder, &d, is_case, alphasort);
  if (n < 0) return perror(folder), NULL;
  const int k = n ? (int)random_below(&state, (uint64_t)n) : -1;
  if (n) snprintf(path, sizeof path, "%s/%s", folder, d[k]->d_name);
  for (int i = 0; i < n; i++) free(d[i]);
  free(d);
  char *text = n ? join_schemes(read_part(path, "base.ew"), read_part(path, "scheme.ew")) : NULL;
  if (!text) fprintf(stderr, "%s: no case to begin with\n", folder);
  return text;
}

int replay(const options *o) {
  static const char *const words[] = {"agrees",
                                      "differs as roundings make it",
                                      "finds no solution",
                                      "meets a known fault of the driver",
                                      "is refused",
                                      "fails",
                                      "differs"};
  char path[1200], why[1024] = "", device[VERIFY_TEXT];
  double difference = 0;
  trial t = {.text = join_schemes(read_part(o->replay, "base.ew"), read_part(o->replay, "scheme.ew"))};
  snprintf(path, sizeof path, "%s/trial.txt", o->replay);
  FILE *f = fopen(path, "r");
  bool good = f && t.text && read_trial(f, &t, device);
  if (f) fclose(f);
  if (!good) return free(t.text), fprintf(stderr, "%s: cannot be read\n", path), 2;
  if (o->n_devices > 0 && o->devices_given) t.way.device = o->device[0];
  outcome found = judge(o, &t, &difference, why, sizeof why);
  printf("%s: %s: %s\n", o->replay, words[found], why);
  free(t.text);
  return found <= FAULTY ? 0 : 1;
}
