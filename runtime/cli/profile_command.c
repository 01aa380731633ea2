/* probe and profile: what is known of devices, measured, shown, checked, given away and taken in. */
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/shipped.h"
#include "cli/shell.h"
#include "profile/profile.h"
#include "run/leave.h"
#include "run/run.h"
#include "tune/schedule.h"

/* ---- probe -------------------------------------------------------------------------------------------------------------------- */

static int probe(cli_call *call) {
  ew_error err = {0};
  char path[PATH_MAX];
  dev_info info;
  dev_rates rates;
  ew_status status =
      tune_probe(cli_text(call, "device"), (double)cli_integer(call, "patience", 120), &info, &rates, &err);
  if (status != EW_OK) return shell_fail(call, &err);
  fprintf(call->out, "%s (%s, driver %s): %u compute units, %.1f GiB, %llu bytes of local memory\n",
          info.name, info.platform, info.driver, info.compute_units, (double)info.memory_bytes / 1073741824.0,
          (unsigned long long)info.local_bytes);
  fprintf(call->out, "triad %.1f GB/s (%.1f in cache), copy %.1f GB/s, fma %.1f Gflop/s, a launch %.2f us\n",
          rates.triad_gbs, rates.cached_gbs, rates.copy_gbs, rates.fma_gflops, rates.launch_us);
  status = tune_probe_keep(&info, &rates, path, sizeof path, &err);
  if (status != EW_OK) return shell_fail(call, &err);
  if (*path) fprintf(call->out, "stored in %s\n", path);
  return EW_OK;
}

/* ---- profile: files by name or by device -------------------------------------------------------------------------------------- */

/* A file if there is one of that name, else the user's profiles of the device that the text names, of which there is at least one; NULL: the
 * default device. */
static ew_status find_profiles(const char *text, profile_files *out, ew_error *err) {
  ew_status status = EW_OK;
  dev_list *list = NULL;
  size_t at;
  out->n = 0;
  if (text && access(text, F_OK) == 0) {
    if ((size_t)snprintf(out->path[0], sizeof out->path[0], "%s", text) >= sizeof out->path[0])
      return ew_fail(err, EW_USAGE, "the path is too long");
    out->n = 1;
    return EW_OK;
  }
  EW_CHECK(dev_list_create_for(text, &list, err));
  EW_CHECK(dev_list_choose(list, text, &at, err));
  if (!profile_path(&list->items[at], out->path[0], sizeof out->path[0]))
    EXEC_LEAVE(err, EW_IO, "there is no folder for profiles: set EDGEWISE_DATA_DIR or HOME");
  profile_list(&list->items[at], out);
  if (out->n == 0)
    EXEC_LEAVE(err, EW_INPUT,
               "nothing is known of %s: there is no %s; `edgewise probe` or `edgewise tune` makes it",
               list->items[at].name, out->path[0]);
cleanup:
  dev_list_destroy(&list);
  return status;
}

typedef ew_status file_work(const cli_call *call, const char *path, ew_error *err);

/* With each of them. */
static ew_status for_each(const cli_call *call, file_work *work, ew_error *err) {
  profile_files files;
  ew_status status = find_profiles(call->n_arguments > 1 ? call->argument[1] : NULL, &files, err);
  for (int i = 0; i < files.n && status == EW_OK; i++) status = work(call, files.path[i], err);
  return status;
}

/* ---- the scheme of an entry --------------------------------------------------------------------------------------------------- */

/* "friction=cell a=b" as settings that point into `text`; returns how many. */
static int split_variants(char *text, dslc_setting *out, int most) {
  int n = 0;
  for (char *word = strtok(text, " "); word && n < most; word = strtok(NULL, " ")) {
    char *equals = strchr(word, '=');
    if (equals) *equals = '\0';
    out[n++] = (dslc_setting){word, equals ? equals + 1 : ""};
  }
  return n;
}

/* Of a cell, by the entry's domain: "mesh 2D 3"; -1: it says none. */
static int faces_of(const device_profile_entry *e) {
  int dims, faces;
  return sscanf(e->of.domain, "mesh %dD %d", &dims, &faces) == 2 ? faces : -1;
}

/* In the entry's dimensions and variants; `how`: the other options. As dslc_compile, or -1: there is no such scheme here. */
static int compile_entry(const device_profile_entry *e, const dslc_options *how, dslc_program **program,
                         dslc_messages **messages) {
  char path[EW_PATH], variants[sizeof e->of.variants];
  ew_case named = {.folder = ".", .build.scheme = e->of.scheme};
  dslc_setting variant[sizeof variants / 2];
  ew_error missing = {0};
  shipped ours;
  const int faces = faces_of(e);
  if (exec_find_scheme(&named, path, sizeof path, &missing) != EW_OK) return -1;
  memcpy(variants, e->of.variants, sizeof variants);
  dslc_options options = *how;
  options.path = path;
  options.sources.import_path = shipped_find(&ours, "schemes");
  options.dims = profile_dims(&e->of);
  options.faces_per_cell = faces > 0 ? faces : 0;
  options.n_variants = split_variants(variants, variant, sizeof variant / sizeof *variant);
  options.variant = variant;
  options.n_rules = -1;
  return dslc_compile(&options, program, messages);
}

static bool is_of_text(const device_profile_entry *e, const dslc_program *program) {
  return !*e->of.text || strcmp(e->of.text, program->identity.text_hash) == 0;
}

/* Of another version than the scheme that is here. */
static ew_status find_stale(const device_profile_entry *e, bool *stale, ew_error *err) {
  const dslc_options how = {.emit = DSLC_EMIT_REFERENCE};
  dslc_program *program = NULL;
  dslc_messages *messages = NULL;
  const int code = *e->of.text ? compile_entry(e, &how, &program, &messages) : -1;
  *stale = code == 0 && !is_of_text(e, program);
  dslc_messages_destroy(&messages);
  dslc_program_destroy(&program);
  return code == EW_FAIL ? ew_fail(err, EW_FAIL, "out of memory for the scheme %s", e->of.scheme) : EW_OK;
}

/* ---- show --------------------------------------------------------------------------------------------------------------------- */

static ew_status show_entry(FILE *out, const device_profile_entry *e, ew_error *err) {
  bool stale;
  const ew_status status = find_stale(e, &stale, err);
  if (status != EW_OK) return status;
  fprintf(out, "%s%s%s on %s, %lld cells%s%s: ", e->of.scheme, *e->of.variants ? " " : "", e->of.variants,
          e->of.domain, (long long)e->of.cells, *e->of.with ? ", with " : "", e->of.with);
  if (e->n == 0) fputs("the default", out);
  for (int i = 0; i < e->n; i++) fprintf(out, "%s%s=%s", i ? " " : "", e->set[i].name, e->set[i].value);
  if (e->n > 0 && e->how.gain > 0) fprintf(out, ", %.2f times as fast", e->how.gain);
  fprintf(out, " (%s, %d candidates)%s\n", e->how.date, e->how.candidates,
          stale ? ": of another version of the scheme, not used" : "");
  return EW_OK;
}

/* What stands before the first section. */
static void show_general(FILE *out, const device_profile *p) {
  if (p->n_general == 0) return;
  fputs("every scheme:", out);
  for (int i = 0; i < p->n_general; i++) fprintf(out, " %s=%s", p->general[i].name, p->general[i].value);
  fputc('\n', out);
}

static ew_status show_file(const cli_call *call, const char *path, ew_error *err) {
  ew_status status;
  device_profile p = {0};
  EW_CHECK(profile_read(path, &p, err));
  fprintf(call->out, "%s\n%s (%s, driver %s), %s, %u compute units\n", path, p.device.name, p.device.platform,
          p.device.driver, p.device.kind, p.device.units);
  if (p.roofs.triad_gbs > 0)
    fprintf(call->out, "triad %.1f GB/s, fma %.1f Gflop/s, a launch %.2f us (%s)\n", p.roofs.triad_gbs,
            p.roofs.fma_gflops, p.roofs.launch_us, p.probed);
  show_general(call->out, &p);
  for (int i = 0; i < p.n_entries; i++) EW_CHECK(show_entry(call->out, &p.entry[i], err));
cleanup:
  profile_clear(&p);
  return status;
}

static ew_status show(const cli_call *call, ew_error *err) { return for_each(call, show_file, err); }

/* ---- check ------------------------------------------------------------------------------------------------------------------------ */

typedef struct checking {
  const cli_call *call;
  const device_profile *profile;
  bool faults_only; /* not what is well */
  int unusable, stale, contradictions;
} checking;

/* `e` NULL: what is said for every scheme. */
static void contradict(checking *c, const device_profile_entry *e, const char *what) {
  if (!e) fprintf(c->call->out, "every scheme: %s\n", what);
  else
    fprintf(c->call->out, "%s%s%s on %s: %s\n", e->of.scheme, *e->of.variants ? " " : "", e->of.variants,
            e->of.domain, what);
  c->contradictions++;
}

/* The later of two counts, and nobody sees that from the earlier one. */
static void find_doubles(checking *c, const profile_setting *set, int n, const device_profile_entry *e) {
  char text[4 * PROFILE_WORD];
  for (int i = 0; i < n; i++)
    for (int k = 0; k < i; k++) {
      if (strcmp(set[i].name, set[k].name) != 0) continue;
      snprintf(text, sizeof text, "%s is given twice, %s and %s", set[i].name, set[k].value, set[i].value);
      contradict(c, e, text);
    }
}

/* Numbers in files are rounded to four digits. */
static void find_contradictions(checking *c, const device_profile_entry *e) {
  static const double ROUNDING = 0.01;
  char text[160];
  const profile_measure *m = &e->how;
  const double gain = m->best_seconds > 0 ? m->default_seconds / m->best_seconds : 0;
  find_doubles(c, e->set, e->n, e);
  if (profile_rival(c->profile, &e->of) != e)
    contradict(c, e, "an entry before it is of the same, and of about as many cells");
  if (gain <= 0 || m->gain <= 0 || fabs(gain / m->gain - 1) <= ROUNDING) return;
  snprintf(text, sizeof text, "@gain is %.4g, but by @default and @best it is %.4g", m->gain, gain);
  contradict(c, e, text);
}

/* An entry is looked for by all variants of its scheme, in their order. */
static void check_variants(checking *c, const device_profile_entry *e, const dslc_program *program) {
  const exec_domain nowhere = {NULL, NULL};
  profile_subject subject;
  char text[512];
  exec_subject(program, &nowhere, &subject);
  if (strcmp(subject.variants, e->of.variants) == 0) return;
  snprintf(text, sizeof text, "no run asks for it: its variants read \"%s\", those of the scheme \"%s\"",
           e->of.variants, subject.variants);
  contradict(c, e, text);
}

/* What is said for every scheme, and the entry's; returns how many. */
static int join_settings(const device_profile *p, const device_profile_entry *e, dslc_setting *set) {
  for (int i = 0; i < p->n_general; i++) set[i] = (dslc_setting){p->general[i].name, p->general[i].value};
  for (int i = 0; i < e->n; i++) set[p->n_general + i] = (dslc_setting){e->set[i].name, e->set[i].value};
  return p->n_general + e->n;
}

/* A mesh or a grid of the scheme's dimensions, as a run would write it. */
static void check_domain(checking *c, const device_profile_entry *e, const dslc_program *program) {
  const char *kind = program->space.on_grid ? "grid" : "mesh";
  char right[32], text[256];
  int n = snprintf(right, sizeof right, "%s %dD", kind, program->space.dims);
  if (!program->space.on_grid) {
    const int faces = faces_of(e);
    n += snprintf(right + n, sizeof right - (size_t)n, " %d", faces > 0 ? faces : 0);
  }
  if (strcmp(right, e->of.domain) == 0) return;
  snprintf(text, sizeof text, "no run asks for it: its domain would read \"%s\"%s", right,
           program->space.on_grid ? "" : ", with the faces of a cell, 0 where they differ");
  contradict(c, e, text);
}

/* The scheme compiled with the entry's settings, as a run would: settings that it does not take are found here. */
static ew_status check_entry(checking *c, const device_profile_entry *e, ew_error *err) {
  const cli_call *call = c->call;
  dslc_setting set[2 * PROFILE_SETTINGS];
  dslc_program *program = NULL;
  dslc_messages *messages = NULL;
  const bool host = strcmp(c->profile->device.kind, "host") == 0;
  const dslc_options how = {.emit = host ? DSLC_EMIT_C : DSLC_EMIT_OPENCL,
                            .cpu = strcmp(c->profile->device.kind, "gpu") != 0,
                            .n_schedule = join_settings(c->profile, e, set),
                            .schedule = set};
  const int code = compile_entry(e, &how, &program, &messages);
  if (code < 0) {
    if (!c->faults_only) fprintf(call->out, "%s: not checked, there is no such scheme here\n", e->of.scheme);
    return EW_OK;
  }
  if (code == EW_FAIL) {
    dslc_messages_destroy(&messages);
    return ew_fail(err, EW_FAIL, "out of memory for the scheme %s", e->of.scheme);
  }
  const bool same = code == 0 && is_of_text(e, program), usable = same && e->of.cells > 0;
  if (code != 0) dslc_messages_print(messages, call->err, false);
  if (!usable || !c->faults_only)
    fprintf(call->out, "%s on %s: %s\n", e->of.scheme, e->of.domain,
            code     ? "its settings are refused"
            : !same  ? "of another version of the scheme: not used"
            : usable ? "ok"
                     : "it does not say on how many cells it was tuned (@cells): not used");
  c->stale += code == 0 && !same;
  c->unusable += !usable && (code != 0 || same);
  if (same) check_variants(c, e, program);
  if (same) check_domain(c, e, program);
  dslc_messages_destroy(&messages);
  dslc_program_destroy(&program);
  return EW_OK;
}

/* Runs look for a profile by all three; `name` and `platform` also name its file. */
static ew_status check_device(const profile_device *d, const char *path, ew_error *err) {
  if (!*d->name) return ew_fail(err, EW_INPUT, "%s does not say of which device it is", path);
  if (strcmp(d->kind, "gpu") == 0 || strcmp(d->kind, "cpu") == 0 || strcmp(d->kind, "host") == 0)
    return EW_OK;
  if (*d->kind)
    return ew_fail(err, EW_INPUT, "%s: the kind of its device is gpu, cpu or host, found '%s'", path,
                   d->kind);
  return ew_fail(err, EW_INPUT,
                 "%s does not say in [device] of which kind its device is: kind = gpu, cpu or host", path);
}

/* Counts and tells what is wrong below the device; EW_INPUT for what no run may take. Stale entries are none of that: they wait for another
 * version of their scheme. */
static ew_status check_entries(checking *c, const char *path, ew_error *err) {
  const device_profile *p = c->profile;
  find_doubles(c, p->general, p->n_general, NULL);
  for (int i = 0; i < p->n_entries; i++) {
    const ew_status status = check_entry(c, &p->entry[i], err);
    if (status != EW_OK) return status;
    find_contradictions(c, &p->entry[i]);
  }
  if (c->unusable)
    return ew_fail(err, EW_INPUT, "%s has entries that cannot be used; `edgewise tune` measures anew", path);
  if (c->contradictions)
    return ew_fail(err, EW_INPUT, "%s contradicts itself in %d place%s", path, c->contradictions,
                   c->contradictions == 1 ? "" : "s");
  return EW_OK;
}

static ew_status check_file(const cli_call *call, const char *path, ew_error *err) {
  ew_status status;
  device_profile p = {0};
  checking c = {.call = call, .profile = &p};
  EW_CHECK(profile_read(path, &p, err));
  EW_CHECK(check_device(&p.device, path, err));
  show_general(call->out, &p);
  EW_CHECK(check_entries(&c, path, err));
  if (c.stale)
    EXEC_LEAVE(err, EW_INPUT, "%s has entries that cannot be used; `edgewise tune` measures anew", path);
  fprintf(call->out, "%s: %d entries, no problems\n", path, p.n_entries);
cleanup:
  profile_clear(&p);
  return status;
}

static ew_status check(const cli_call *call, ew_error *err) { return for_each(call, check_file, err); }

/* ---- export, import, merge ------------------------------------------------------------------------------------------------------- */

/* What runs would take, in one file. */
static ew_status join_files(const profile_files *files, device_profile *out, ew_error *err) {
  int taken;
  ew_status status = profile_read(files->path[0], out, err);
  for (int i = 1; i < files->n && status == EW_OK; i++) {
    device_profile more = {0};
    status = profile_read(files->path[i], &more, err);
    if (status == EW_OK) status = profile_merge(out, &more, &taken, err);
    profile_clear(&more);
  }
  return status;
}

static ew_status export(const cli_call *call, ew_error *err) {
  ew_status status;
  profile_files files;
  device_profile p = {0};
  if (call->n_arguments != 3) return ew_fail(err, EW_USAGE, "profile export takes a device and a file");
  EW_CHECK(find_profiles(call->argument[1], &files, err));
  EW_CHECK(join_files(&files, &p, err));
  for (int i = 0; i < files.n; i++)
    if (cli_same_file(files.path[i], call->argument[2]))
      EXEC_LEAVE(err, EW_USAGE, "'%s' is that profile itself; give the copy another name", call->argument[2]);
  EW_CHECK(profile_write(&p, call->argument[2], err));
  fprintf(call->out, "%s is", call->argument[2]);
  for (int i = 0; i < files.n; i++) fprintf(call->out, "%s %s", i ? " and" : "", files.path[i]);
  fputc('\n', call->out);
cleanup:
  profile_clear(&p);
  return status;
}

/* By the profile's own word: the device need not be here. */
static ew_status import(const cli_call *call, ew_error *err) {
  ew_status status;
  tune_merged merged = {0};
  device_profile p = {0};
  dev_info info = {0};
  checking c = {.call = call, .profile = &p, .faults_only = true};
  if (call->n_arguments != 2) return ew_fail(err, EW_USAGE, "profile import takes a file");
  EW_CHECK(profile_read(call->argument[1], &p, err));
  if (!*p.device.name || !*p.device.platform)
    EXEC_LEAVE(err, EW_INPUT, "%s does not say of which device and platform it is", call->argument[1]);
  EW_CHECK(check_device(&p.device, call->argument[1], err));
  EW_CHECK(check_entries(&c, call->argument[1], err));
  snprintf(info.name, sizeof info.name, "%s", p.device.name);
  snprintf(info.platform, sizeof info.platform, "%s", p.device.platform);
  EW_CHECK(tune_merge_into_user(&info, &p, &merged, err));
  if (!*merged.path) EXEC_LEAVE(err, EW_IO, "there is no folder for profiles: set EDGEWISE_DATA_DIR or HOME");
  show_general(call->out, &p);
  if (merged.taken < p.n_entries)
    fprintf(call->out, "%d of %d entries taken into %s: it knows the others from the same date, or later\n",
            merged.taken, p.n_entries, merged.path);
  else
    fprintf(call->out, "%d entr%s taken into %s\n", merged.taken, merged.taken == 1 ? "y" : "ies",
            merged.path);
cleanup:
  profile_clear(&p);
  return status;
}

static ew_status merge(const cli_call *call, ew_error *err) {
  ew_status status;
  int taken;
  device_profile a = {0}, b = {0};
  if (call->n_arguments != 4) return ew_fail(err, EW_USAGE, "profile merge takes two files and the new one");
  for (int i = 1; i < 3; i++)
    if (cli_same_file(call->argument[i], call->argument[3]))
      return ew_fail(err, EW_USAGE, "'%s' is one of the two profiles; give the new one another name",
                     call->argument[3]);
  EW_CHECK(profile_read(call->argument[1], &a, err));
  EW_CHECK(profile_read(call->argument[2], &b, err));
  EW_CHECK(profile_merge(&a, &b, &taken, err));
  EW_CHECK(profile_write(&a, call->argument[3], err));
  show_general(call->out, &a);
  fprintf(call->out, "%s: %d entries\n", call->argument[3], a.n_entries);
cleanup:
  profile_clear(&a);
  profile_clear(&b);
  return status;
}

static const struct {
  const char *word;
  ew_status (*work)(const cli_call *call, ew_error *err);
} WORK[] = {{"show", show}, {"check", check}, {"export", export}, {"import", import}, {"merge", merge}};

static int profile(cli_call *call) {
  ew_error err = {0};
  const char *known[sizeof WORK / sizeof *WORK];
  for (size_t i = 0; i < sizeof WORK / sizeof *WORK; i++) {
    known[i] = WORK[i].word;
    if (strcmp(call->argument[0], WORK[i].word) == 0)
      return WORK[i].work(call, &err) == EW_OK ? EW_OK : shell_fail(call, &err);
  }
  const char *near = cli_nearest(call->argument[0], known, sizeof WORK / sizeof *WORK);
  return cli_fail(call, EW_USAGE, "profile has no '%s'%s%s%s It has show, check, export, import and merge",
                  call->argument[0], near ? "; did you mean '" : "", near ? near : "", near ? "'?" : ".");
}

static const cli_option PROBE_OPTION[] = {
    {"device", 'd', CLI_TEXT, "SPEC", "index, part of a name, cpu, gpu, c or c-openmp", NULL},
    {"patience", 0, CLI_INTEGER, "S", "give up after so long (120)", NULL}};

const cli_command COMMAND_PROBE = {.name = "probe",
                                   .summary =
                                       "measure what a device reaches at most, and keep it in its profile",
                                   .options = PROBE_OPTION,
                                   .n_options = sizeof PROBE_OPTION / sizeof *PROBE_OPTION,
                                   .run = probe};

const cli_command COMMAND_PROFILE = {
    .name = "profile",
    .arguments = "show|check [DEVICE|FILE] | export DEVICE FILE | import FILE | merge A B FILE",
    .summary = "show, check, give away and take in what was measured on devices",
    .details =
        "A profile is a text file of one device: what it reaches at most, and the fastest schedule of each "
        "case that was tuned.\nRuns look for one by device, scheme and domain; settings of the case win.",
    .least = 1,
    .most = 4,
    .complete = "show check export import merge",
    .run = profile};
