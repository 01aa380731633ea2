/* verify: whether a scheme gives the same numbers however it is computed. */
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/shell.h"
#include "profile/profile.h"
#include "run/leave.h"
#include "run/run.h"
#include "verify/verify.h"

typedef struct job {
  const cli_call *call;
  const char *reference, *device, *keep;
  long schedules, meshes, steps;
  uint64_t seed;
  double tolerance;
  const char **set; /* NAME=VALUE, of the schedule of all ways */
  int n_set;
  const char *variants;                  /* of a profile's entry, or NULL */
  int dims;                              /* of its domain; 0: the scheme's own, or in turn */
  bool drawn;                            /* the case was: it need not fit the scheme */
  char folder[64];                       /* for mesh files */
  const dslc_program *scheme;            /* the one that ways are drawn for */
  int compared, refused, differ, faulty; /* faulty: refused for a known fault of the driver */
  double largest, *allowed;              /* allowed: of the case's small fields, see verify_small_find */
} job;

/* ---- one case in all ways -------------------------------------------------------------------------------------------- */

static bool copy_file(const char *from, const char *to) {
  char some[4096];
  FILE *in = fopen(from, "rb"), *out = in ? fopen(to, "wb") : NULL;
  bool good = in && out;
  for (size_t n; good && (n = fread(some, 1, sizeof some, in)) > 0;) good = fwrite(some, 1, n, out) == n;
  good = good && !ferror(in);
  if (out && fclose(out) != 0) good = false;
  if (in) fclose(in);
  return good;
}

/* FOLDER/N/case.lua, for `edgewise run`; with its mesh, where that is a file. */
static void keep_case(const job *j, const ew_case *c, const verify_way *way) {
  char folder[1100], path[1200], scheme[PATH_MAX];
  ew_error err = {0};
  if (!j->keep) return;
  const char *found = realpath(c->build.scheme, scheme); /* first, as it leaves an errno of its own */
  mkdir(j->keep, 0777);
  snprintf(folder, sizeof folder, "%s/%d", j->keep, j->differ);
  mkdir(folder, 0777);
  snprintf(path, sizeof path, "%s/mesh.msh", folder);
  bool good = c->mesh.kind != CASE_MESH_FILE || copy_file(c->mesh.path, path);
  snprintf(path, sizeof path, "%s/case.lua", folder);
  FILE *out = good ? fopen(path, "w") : NULL;
  good = out && verify_write_case(c, found ? found : c->build.scheme, way, out, &err) == EW_OK;
  if (out && fclose(out) != 0) good = false;
  if (good) fprintf(j->call->out, "  kept: edgewise run %s\n", path);
  else fprintf(j->call->err, "cannot write %s: %s\n", path, strerror(errno));
}

static void judge(job *j, const ew_case *c, const verify_way *way, const verify_result *base,
                  const verify_result *other) {
  char text[2048];
  verify_difference d = verify_compare(base, other, 1e-6 * verify_largest(base));
  const verify_difference small = verify_small_compare(base, other, j->allowed);
  j->compared++;
  if (d.most <= j->tolerance && small.most > 0) d = small;
  else if (d.most <= j->tolerance) {
    j->largest = fmax(j->largest, d.most);
    return;
  }
  j->differ++;
  verify_way_text(way, text, sizeof text);
  fprintf(j->call->out, "  DIFFERS by %.2g: %s\n    %s\n", d.most, d.text, text);
  if (c->file && strcmp(c->file, "case.lua") == 0) keep_case(j, c, way);
}

static ew_status add_settings(const job *j, verify_way *way, ew_error *err) {
  for (int i = 0; i < j->n_set; i++) {
    char name[VERIFY_TEXT];
    const char *equals = strchr(j->set[i], '=');
    const int n = equals ? (int)(equals - j->set[i]) : 0;
    if (n == 0) return ew_fail(err, EW_USAGE, "--schedule needs name=value, found '%s'", j->set[i]);
    snprintf(name, sizeof name, "%.*s", n, j->set[i]);
    if (n >= VERIFY_TEXT || !verify_way_set(way, name, equals + 1))
      return ew_fail(err, EW_USAGE, "--schedule %s: too long, or too many of them", j->set[i]);
  }
  return EW_OK;
}

static ew_status compare_ways(job *j, ew_case *c, uint64_t seed, const verify_result *base, ew_error *err) {
  for (long k = 0; k < j->schedules; k++) {
    verify_way way = verify_draw_way(j->scheme, j->device, seed * 1000 + (uint64_t)k);
    way.stop = &shell_stop;
    verify_result other = {0};
    ew_status status = shell_go_on(err);
    if (status == EW_OK) status = add_settings(j, &way, err);
    if (status == EW_OK) status = verify_run(c, &way, NULL, &other, err);
    if (status == EW_OK && other.faulty) j->faulty++;
    else if (status == EW_OK) judge(j, c, &way, base, &other);
    verify_result_clear(&other);
    if (status != EW_OK) return status;
  }
  return EW_OK;
}

/* ---- single precision ------------------------------------------------------------------------------------------------ */

/* Half the distance of numbers in single precision; how often that, and what it makes of the start, counts as rounding. */
#define HALF_DIGIT    0x1p-24
#define FEW_ROUNDINGS 0x1p-50 /* in double precision */
#define ROUNDINGS     16

/* Whether a setting is about how numbers lie in memory; `name` ends at `end`. */
static bool is_store(const char *name, const char *end) {
  return end - name > 6 && strncmp(end - 6, ".store", 6) == 0;
}

static bool stores_single(const job *j, const ew_case *c) {
  for (int i = 0; i < j->n_set; i++) {
    const char *equals = strchr(j->set[i], '=');
    if (equals && is_store(j->set[i], equals) && strcmp(equals, "=float") == 0) return true;
  }
  for (int i = 0; i < c->build.n_schedule; i++) {
    const case_setting *s = &c->build.schedule[i];
    if (is_store(s->name, s->name + strlen(s->name)) && strcmp(s->value, "float") == 0) return true;
  }
  return false;
}

/* The plainest form, in double precision whatever the case says. */
static verify_way reference_way(const job *j, const ew_case *c) {
  verify_way way = verify_plain_way(j->scheme, j->reference);
  way.stop = &shell_stop;
  for (int i = 0; i < c->build.n_schedule; i++) {
    const char *name = c->build.schedule[i].name;
    if (is_store(name, name + strlen(name))) verify_way_set(&way, name, "double");
  }
  return way;
}

/* What rounding of what is stored may make: every number that a step writes or looks up is off by HALF_DIGIT, and the scheme makes of such
 * errors what it makes of them at the start, which the reference is asked for. */
static ew_status allow_rounding(const job *j, ew_case *c, const verify_result *base, double *out,
                                ew_error *err) {
  verify_way way = reference_way(j, c);
  verify_result other = {0};
  way.nudge = HALF_DIGIT;
  ew_status status = verify_run(c, &way, NULL, &other, err);
  if (status != EW_OK) return status;
  const double grown = verify_compare(base, &other, 1e-6 * verify_largest(base)).most;
  verify_result_clear(&other);
  *out = ROUNDINGS * (grown + (double)base->steps * HALF_DIGIT);
  fprintf(j->call->out, "  start values changed by %.1e make a difference of %.1e: up to %.1e is rounding\n",
          HALF_DIGIT, grown, *out);
  return EW_OK;
}

/* ---- all ways ---------------------------------------------------------------------------------------------------------- */

/* `what` names the case in the list. */
static ew_status verify_case(job *j, ew_case *c, uint64_t seed, const char *what, ew_error *err) {
  verify_way plain = reference_way(j, c);
  verify_result base = {0};
  int before = j->differ;
  ew_status status = verify_run(c, &plain, NULL, &base, err);
  if (status == EW_INPUT && j->drawn) {
    fprintf(j->call->out, "%s: not compared, the scheme does not take this: %.*s\n", what,
            (int)strcspn(err->text, "\n"), err->text);
    *err = (ew_error){0};
    j->refused++;
    return EW_OK;
  }
  if (status == EW_OK && base.diverged) {
    fprintf(j->call->out, "%s: not compared, the reference stops: %s\n", what, base.why);
    j->refused++;
  } else if (status == EW_OK) {
    fprintf(j->call->out, "%s: %lld steps, %ld ways\n", what, (long long)base.steps, j->schedules);
    const double off = stores_single(j, c) ? HALF_DIGIT : FEW_ROUNDINGS;
    j->tolerance = 1e-9;
    if (stores_single(j, c)) status = allow_rounding(j, c, &base, &j->tolerance, err);
    if (status == EW_OK) status = verify_small_find(c, &plain, &base, off, &j->allowed, err);
    if (status == EW_OK) verify_small_print(&base, j->allowed, j->call->out);
    if (status == EW_OK) status = compare_ways(j, c, seed, &base, err);
    free(j->allowed);
    j->allowed = NULL;
    if (status == EW_OK && j->differ == before) fprintf(j->call->out, "  all agree\n");
  }
  verify_result_clear(&base);
  return status;
}

/* ---- a scheme on random meshes or grids -------------------------------------------------------------------------------- */

static void describe_setup(const verify_setup *s, char *text, size_t size) {
  static const char *const cells[2][3] = {{"triangles", "quadrangles", "triangles and quadrangles"},
                                          {"tetrahedra", "hexahedra", "tetrahedra"}};
  char shape[64] = "";
  size_t used = 0;
  for (int a = 0; a < s->dim; a++)
    used += (size_t)snprintf(shape + used, sizeof shape - used, "%s%d", a ? " x " : "", s->n[a]);
  if (s->on_grid)
    snprintf(text, size, "grid of %s%s%s", shape, s->uneven ? ", uneven" : "",
             s->n_solids ? ", a solid" : "");
  else
    snprintf(text, size, "mesh of %s blocks, %s", shape,
             cells[s->dim == 3][s->all_cut ? VERIFY_SIMPLICES : s->cells]);
  for (int a = 0; a < s->dim; a++)
    if (s->periodic[a] && strlen(text) + 16 < size) strcat(text, ", periodic"), a = s->dim;
}

static ew_status verify_on(job *j, const char *path, uint64_t seed, ew_error *err) {
  ew_status status;
  ew_case *c = NULL;
  verify_setup setup;
  char shape[160], what[256];
  EW_CHECK(verify_draw_setup(j->scheme, VERIFY_POSITIVE, seed, &setup, err));
  setup.steps = (int)j->steps;
  setup.variants = j->variants;
  j->drawn = true;
  const verify_source of = {j->scheme, path, j->folder, false};
  EW_CHECK(verify_make_case(&of, &setup, &c, err));
  describe_setup(&setup, shape, sizeof shape);
  snprintf(what, sizeof what, "seed %llu, %s", (unsigned long long)seed, shape);
  EW_CHECK(verify_case(j, c, seed, what, err));
cleanup:
  case_destroy(&c);
  return status;
}

static ew_status verify_scheme(job *j, const char *name, ew_error *err) {
  ew_status status;
  char found[PATH_MAX], path[PATH_MAX];
  dslc_program *scheme = NULL;
  ew_case named = {.folder = ".", .build.scheme = name};
  EW_CHECK(exec_find_scheme(&named, found, sizeof found, err));
  if (!realpath(found, path)) EXEC_LEAVE(err, EW_IO, "%s: %s", found, strerror(errno));
  for (long m = 0; m < j->meshes; m++) { /* `mesh(D)`: both in turn, where names of parts allow */
    EW_CHECK(shell_go_on(err));
    const bool third = j->dims == 0 && m % 2 && scheme && !verify_names_parts(scheme);
    dslc_program_destroy(&scheme);
    status = third ? verify_describe(path, 3, NULL, &scheme, err) : EW_FAIL;
    if (status != EW_OK) EW_CHECK(verify_describe(path, j->dims, m == 0 ? j->call->err : NULL, &scheme, err));
    j->scheme = scheme;
    EW_CHECK(verify_on(j, path, j->seed + (uint64_t)m, err));
  }
cleanup:
  dslc_program_destroy(&scheme);
  return status;
}

/* ---- a case of the user's ------------------------------------------------------------------------------------------------ */

static ew_status verify_own_case(job *j, ew_case *c, ew_error *err) {
  ew_status status;
  char path[1024];
  dslc_program *scheme = NULL;
  exec_domain domain = {NULL, NULL};
  if (c->build.manifest)
    return ew_fail(
        err, EW_INPUT,
        "%s: the case names kernels that are built already, manifest = \"%s\"; verify compares ways to "
        "build a scheme\n  hint: name the scheme instead",
        j->call->argument[0], c->build.manifest);
  EW_CHECK(exec_find_scheme(c, path, sizeof path, err));
  EW_CHECK(exec_domain_create(c, &domain, err));
  EW_CHECK(verify_describe(path, exec_domain_dim(&domain), j->call->err, &scheme, err));
  if (exec_domain_cells(&domain) > 20000)
    fprintf(j->call->err,
            "note: %lld cells: the reference interprets every equation, a small mesh takes seconds\n",
            (long long)exec_domain_cells(&domain));
  j->scheme = scheme;
  c->time.max_steps = j->steps;
  c->output.n_fields = c->output.n_history = 0;
  EW_CHECK(verify_case(j, c, j->seed, j->call->argument[0], err));
cleanup:
  exec_domain_clear(&domain);
  dslc_program_destroy(&scheme);
  return status;
}

static ew_status verify_case_file(job *j, int *code, ew_error *err) {
  const cli_call *call = j->call;
  case_file *file = NULL;
  const char **define = calloc((size_t)call->n_given + 1, sizeof *define);
  if (!define) return ew_fail(err, EW_FAIL, "out of memory");
  const case_file_options options = {.path = call->argument[0],
                                     .n_defines = cli_list(call, "D", define),
                                     .define = define,
                                     .print = call->err,
                                     .stop = &shell_stop,
                                     .in_lua = &shell_in_lua};
  ew_status status = case_file_create(&options, &file, err);
  if (status == EW_OK && !case_file_get(file))
    status = ew_fail(err, EW_INPUT, "%s returns no case", call->argument[0]);
  if (status == EW_OK && case_file_problems(file)->n > 0) *code = shell_check(call, file, false, 0);
  else if (status == EW_OK) status = verify_own_case(j, case_file_get(file), err);
  case_file_destroy(&file);
  free(define);
  return status;
}

/* ---- tuned schedules ----------------------------------------------------------------------------------------------------- */

/* By the scheme's name, or that of its file. */
static bool is_wanted(const job *j, const device_profile_entry *e) {
  if (j->call->n_arguments == 0) return true;
  const char *slash = strrchr(j->call->argument[0], '/'), *name = slash ? slash + 1 : j->call->argument[0];
  const size_t n = strlen(e->of.scheme);
  return strncmp(name, e->of.scheme, n) == 0 && (!name[n] || strcmp(name + n, ".ew") == 0);
}

/* Into text and set, as NAME=VALUE; returns how many. */
static int write_settings(const profile_setting *from, int n, char (*text)[2 * PROFILE_WORD],
                          const char **set) {
  for (int i = 0; i < n; i++) {
    snprintf(text[i], sizeof text[i], "%s=%s", from[i].name, from[i].value);
    set[i] = text[i];
  }
  return n;
}

/* What the profile says for all schemes, the entry's settings, those of the command line: the later ones win. */
static ew_status verify_entry(job *j, const device_profile *p, const device_profile_entry *e, ew_error *err) {
  ew_status status = EW_OK;
  const char **own = j->set, **set = calloc((size_t)(p->n_general + e->n + j->n_set) + 1, sizeof *set);
  const int n_own = j->n_set;
  char text[2 * PROFILE_SETTINGS][2 * PROFILE_WORD];
  if (!set) return ew_fail(err, EW_FAIL, "out of memory for the settings of a profile");
  int n = write_settings(p->general, p->n_general, text, set);
  n += write_settings(e->set, e->n, text + n, set + n);
  for (int i = 0; i < n_own; i++) set[n++] = own[i];
  j->set = set, j->n_set = n;
  j->variants = e->of.variants;
  j->dims = profile_dims(&e->of);
  fprintf(j->call->out, "%s%s%s on %s\n", e->of.scheme, *e->of.variants ? " " : "", e->of.variants,
          e->of.domain);
  status = verify_scheme(j, e->of.scheme, err);
  j->set = own, j->n_set = n_own;
  free(set);
  return status;
}

static ew_status verify_profile(job *j, const char *path, ew_error *err) {
  ew_status status;
  device_profile p = {0};
  int found = 0;
  EW_CHECK(profile_read(path, &p, err));
  for (int i = 0; i < p.n_entries; i++) {
    if (!is_wanted(j, &p.entry[i])) continue;
    found++;
    status = verify_entry(j, &p, &p.entry[i], err);
    if (status == EW_INPUT) ew_context(err, "the entry of %s in %s", p.entry[i].of.scheme, path);
    EW_CHECK(status);
  }
  if (!found)
    EXEC_LEAVE(err, EW_INPUT, "%s has no entry%s%s", path, j->call->n_arguments ? " of " : "",
               j->call->n_arguments ? j->call->argument[0] : "");
cleanup:
  profile_clear(&p);
  return status;
}

static bool is_case(const char *path) {
  size_t n = strlen(path);
  return n > 4 && strcmp(path + n - 4, ".lua") == 0;
}

/* What was asked for: a case, a scheme, or the entries of a profile. */
static ew_status verify_asked(job *j, int *code, ew_error *err) {
  const char *profile = cli_text(j->call, "profile"),
             *what = j->call->n_arguments ? j->call->argument[0] : NULL;
  if (!profile && !what) return ew_fail(err, EW_USAGE, "verify needs a scheme, a case or --profile FILE");
  if (!profile) return is_case(what) ? verify_case_file(j, code, err) : verify_scheme(j, what, err);
  if (what && is_case(what))
    return ew_fail(err, EW_USAGE, "the entries of a profile are of schemes, and %s is a case", what);
  return verify_profile(j, profile, err);
}

/* ---- the command ------------------------------------------------------------------------------------------------------------ */

static void conclude(const job *j) {
  fprintf(j->call->out, "%d comparisons on %s with %s: ", j->compared, j->device, j->reference);
  if (j->differ) fprintf(j->call->out, "%d differ\n", j->differ);
  else fprintf(j->call->out, "largest difference %.1e of a field\n", j->largest);
  if (j->faulty)
    fprintf(j->call->out, "%d more were refused for a fault of the driver: docs/devices.md\n", j->faulty);
}

/* What was compared before a stop says nothing of the rest. */
static int end_stopped(const job *j) {
  ew_error err = {0};
  ew_fail(&err, EW_STOPPED, "stopped on request after %d comparison%s on %s with %s, of which %d differ",
          j->compared, j->compared == 1 ? "" : "s", j->device, j->reference, j->differ);
  return shell_end(j->call, &err, false);
}

static ew_status read_counts(job *j, ew_error *err) {
  enum { MOST = 1000000000 };
  ew_status status;
  j->schedules = 8, j->meshes = 4, j->steps = 3;
  EW_CHECK(shell_count(j->call, "schedules", MOST, &j->schedules, err));
  EW_CHECK(shell_count(j->call, "meshes", MOST, &j->meshes, err));
  EW_CHECK(shell_count(j->call, "steps", MOST, &j->steps, err));
cleanup:
  return status;
}

static int verify(cli_call *call) {
  ew_error err = {0};
  int code = EW_OK;
  const char *device = cli_text(call, "device"), *reference = cli_text(call, "reference");
  job j = {.call = call,
           .device = device ? device : "c",
           .reference = reference ? reference : "reference",
           .keep = cli_text(call, "keep"),
           .seed = (uint64_t)cli_integer(call, "seed", 1),
           .tolerance = 1e-9,
           .folder = "/tmp/edgewise-verify-XXXXXX"};
  if (read_counts(&j, &err) != EW_OK) return shell_fail(call, &err);
  j.set = calloc((size_t)call->n_given + 1, sizeof *j.set);
  if (!j.set) return cli_fail(call, EW_FAIL, "out of memory");
  j.n_set = cli_list(call, "schedule", j.set);
  shell_watch_signals();
  if (!mkdtemp(j.folder)) return cli_fail(call, EW_IO, "%s: %s", j.folder, strerror(errno));
  ew_status status = verify_asked(&j, &code, &err);
  char path[96];
  snprintf(path, sizeof path, "%s/mesh.msh", j.folder);
  unlink(path);
  rmdir(j.folder);
  free(j.set);
  if (status != EW_OK && shell_stop)
    return end_stopped(&j); /* whatever the stop met: Ctrl-C ends compilers, too */
  if (status != EW_OK) return shell_fail(call, &err);
  if (code != EW_OK) return code;
  conclude(&j);
  if (j.differ)
    return cli_fail(call, EW_FAIL, "%s depends on how it is computed",
                    call->n_arguments ? call->argument[0] : "a scheme");
  if (j.compared == 0)
    return cli_fail(call, EW_FAIL, "nothing was compared: give a case with values that fit");
  return EW_OK;
}

static const cli_option OPTIONS[] = {
    {"schedules", 0, CLI_INTEGER, "N", "ways to compute on each mesh (8)", NULL},
    {"meshes", 0, CLI_INTEGER, "N", "random meshes or grids (4)", NULL},
    {"steps", 0, CLI_INTEGER, "N", "steps of each run (3)", NULL},
    {"seed", 0, CLI_INTEGER, "N", "of the first mesh and its schedules (1)", NULL},
    {"device", 0, CLI_TEXT, "SPEC", "what is compared: c (default), c-openmp, cpu, gpu, ...",
     "c c-openmp cpu gpu"},
    {"reference", 0, CLI_TEXT, "SPEC", "what it is compared with: the interpreter if not given",
     "reference c"},
    {"keep", 0, CLI_TEXT, "FOLDER", "what differs as cases for `edgewise run`", "folder"},
    {"schedule", 0, CLI_LIST, "NAME=VALUE", "one choice of the schedule, for all ways", NULL},
    {"profile", 0, CLI_TEXT, "FILE",
     "each scheme of a profile with its variants and settings, those of SCHEME alone if named", "file"},
    {NULL, 'D', CLI_LIST, "NAME=VALUE", "value of an argument that the case declares", NULL}};

const cli_command COMMAND_VERIFY = {.name = "verify",
                                    .arguments = "SCHEME|CASE.lua",
                                    .summary =
                                        "compare ways to compute a scheme with the reference interpreter",
                                    .details = "On small random meshes or grids, or on the case's own, with "
                                               "schedules and orders of the mesh drawn by "
                                               "chance.\nExit status 1 if a result depends on the way.",
                                    .least = 0,
                                    .most = 1,
                                    .complete = "file",
                                    .options = OPTIONS,
                                    .n_options = sizeof OPTIONS / sizeof *OPTIONS,
                                    .run = verify};
