/* sweep: a case with several values of its arguments, each with its own folder of output. */
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "case/paths.h"
#include "case/sample.h"
#include "cli/shell.h"
#include "formats/atomic_file.h"
#include "formats/csv_table.h"
#include "lua/case_file.h"
#include "run/ensemble.h"
#include "run/leave.h"

enum { AT_ONCE = 64, MOST_MEMBERS = 100000 };

/* An argument, and the values that it takes in turn. */
typedef struct axis {
  char *text; /* "name", and the values, each ending with 0 */
  const char **value;
  int n;
} axis;

typedef struct sweep {
  const cli_call *call;
  char *command; /* for the members' records */
  int n_axes, n_members;
  axis *axis;
  csv_texts table; /* of --members: a row a member; no rows: not given */
  bool shared;
  bool saved;      /* a member was stopped with a checkpoint */
  const char *why; /* members did not share their steps */
} sweep;

typedef struct member {
  const sweep *of;
  exec_member place; /* in its ensemble */
  int number;        /* in the sweep, from 0 */
  pthread_t thread;
  char folder[EW_PATH];
  exec_summary summary;
  ew_status status;
  ew_error err;
} member;

/* ---- which members there are ------------------------------------------------------------------------------------------------- */

static ew_status read_axis(axis *a, const char *given, ew_error *err) {
  const char *equals = strchr(given, '=');
  if (!equals || equals == given) return ew_fail(err, EW_USAGE, "-D needs name=value, found '%s'", given);
  int n = 1;
  for (const char *c = equals; *c; c++) n += *c == ',';
  a->text = strdup(given);
  a->value = calloc((size_t)n, sizeof *a->value);
  if (!a->text || !a->value) return ew_fail(err, EW_FAIL, "out of memory for the values of an argument");
  for (char *next = a->text + (equals - given); next; next = strchr(next, ',')) {
    *next++ = '\0';
    a->value[a->n++] = next;
  }
  return EW_OK;
}

static ew_status read_members(sweep *s, const char *path, ew_error *err) {
  if (!path) return EW_OK;
  ew_error inner = {0};
  FILE *in = fopen(path, "r");
  if (!in) return ew_fail(err, EW_IO, "cannot read '%s'", path);
  ew_status status = csv_texts_read(in, &s->table, &inner);
  fclose(in);
  if (status != EW_OK) return ew_fail(err, status, "%s: %s", path, inner.text);
  return s->table.n_rows > 0 ? EW_OK
                             : ew_fail(err, EW_INPUT, "%s: it has no row, so there is no member", path);
}

static int n_defines(const sweep *s) { return s->n_axes + s->table.n_columns; }

static const char *name_of(const sweep *s, int k) {
  return k < s->n_axes ? s->axis[k].text : s->table.name[k - s->n_axes];
}

/* Given twice, one of its values would count, and the table of members show both. */
static ew_status check_names(const sweep *s, ew_error *err) {
  for (int k = 1; k < n_defines(s); k++)
    for (int i = 0; i < k; i++) {
      if (strcmp(name_of(s, i), name_of(s, k)) != 0) continue;
      const char *where = k < s->n_axes    ? "by two -D"
                          : i >= s->n_axes ? "by two columns of --members"
                                           : "by -D and by a column of --members";
      return ew_fail(err, EW_USAGE, "the argument '%s' is given %s: give it once", name_of(s, k), where);
    }
  return EW_OK;
}

static ew_status refuse_one_member(const sweep *s, ew_error *err) {
  for (int k = 0; k < s->n_axes; k++)
    if (!*s->axis[k].value[0])
      return ew_fail(err, EW_USAGE, "-D %s=: there are no values behind it: -D %s=VALUE,VALUE,...",
                     s->axis[k].text, s->axis[k].text);
  return ew_fail(err, EW_USAGE,
                 "there is nothing to sweep over: -D NAME=VALUE,VALUE,... or --members FILE.csv");
}

static ew_status read_axes(sweep *s, ew_error *err) {
  ew_status status = EW_OK;
  const char **given = calloc((size_t)s->call->n_given + 1, sizeof *given);
  if (!given) return ew_fail(err, EW_FAIL, "out of memory");
  const int n = cli_list(s->call, "D", given);
  double members = 1;
  s->axis = calloc((size_t)n + 1, sizeof *s->axis);
  if (!s->axis) EXEC_LEAVE(err, EW_FAIL, "out of memory");
  for (; s->n_axes < n; members *= s->axis[s->n_axes++].n)
    EW_CHECK(read_axis(&s->axis[s->n_axes], given[s->n_axes], err));
  EW_CHECK(read_members(s, cli_text(s->call, "members"), err));
  if (s->table.n_rows > 0) members *= (double)s->table.n_rows;
  else if (members < 2) EW_CHECK(refuse_one_member(s, err));
  EW_CHECK(check_names(s, err));
  if (members > MOST_MEMBERS)
    EXEC_LEAVE(err, EW_USAGE, "%.0f members are more than the %d that a sweep may have", members,
               MOST_MEMBERS);
  s->n_members = (int)members;
cleanup:
  free(given);
  return status;
}

/* The value of a member's k-th argument: the last axis varies fastest, rows of the table slowest. */
static const char *value_of(const sweep *s, int number, int k) {
  int left = number;
  for (int i = s->n_axes - 1; i >= 0; i--) {
    const axis *a = &s->axis[i];
    if (i == k) return a->value[left % a->n];
    left /= a->n;
  }
  return s->table.cell[(size_t)left * (size_t)s->table.n_columns + (size_t)(k - s->n_axes)];
}

/* ---- a member ---------------------------------------------------------------------------------------------------------------------- */

/* The table of a sweep before is none of this one's, which may be killed before it writes its own. */
static ew_status retire_table(const char *members, const char *folder, ew_error *err) {
  char path[EW_PATH + 32], previous[EW_PATH + 32];
  snprintf(path, sizeof path, "%s/members.csv", folder);
  snprintf(previous, sizeof previous, "%s/members.previous.csv", folder);
  if (members && (cli_same_file(members, path) || cli_same_file(members, previous)))
    return ew_fail(err, EW_USAGE,
                   "--members: the sweep writes its own table to '%s'; give yours another name", path);
  if (rename(path, previous) == 0 || errno == ENOENT || errno == ENOTDIR) return EW_OK;
  return ew_fail(err, EW_IO, "'%s' cannot be renamed to '%s': %s", path, previous, strerror(errno));
}

static ew_status run_case(member *m, ew_case *c, const exec_hooks *hooks, ew_error *err) {
  ew_status status = EW_OK;
  const cli_call *call = m->of->call;
  char path[EW_PATH], started[32];
  EW_CHECK(shell_override(call, c, err));
  exec_output_folder(c, path, sizeof path);
  if (snprintf(m->folder, sizeof m->folder, "%s/%05d", path, m->number) >= (int)sizeof m->folder)
    EXEC_LEAVE(err, EW_FAIL, "the name of a folder is too long");
  struct stat info;
  if (lstat(m->folder, &info) == 0 && S_ISLNK(info.st_mode))
    EXEC_LEAVE(err, EW_IO, "'%s' is a symbolic link, expected a folder or a new name", m->folder);
  EW_CHECK(retire_table(cli_text(call, "members"), path, err));
  c->output.folder = m->folder;
  if (c->build.scheme && !c->build.manifest) EW_CHECK(exec_find_scheme(c, path, sizeof path, err));
  shell_now(started);
  const exec_options options = {.hooks = *hooks,
                                .stop = &shell_stop,
                                .messages = call->err,
                                .quiet = true,
                                .member = &m->place,
                                .started = started,
                                .command = m->of->command};
  EW_CHECK(exec_run_case(c, &options, &m->summary, err));
cleanup:
  return status;
}

static ew_status run_file(member *m, const char *const *defines, ew_error *err) {
  ew_status status = EW_OK;
  const cli_call *call = m->of->call;
  case_file *file = NULL;
  const case_file_options options = {.path = call->argument[0],
                                     .n_defines = n_defines(m->of),
                                     .define = defines,
                                     .print = call->err,
                                     .stop = &shell_stop,
                                     .in_lua = &shell_in_lua,
                                     .device = cli_text(call, "device"),
                                     .run = shell_refuse_run,
                                     .context = "sweep"};
  EW_CHECK(case_file_create(&options, &file, err));
  if (case_file_problems(file)->n > 0)
    EXEC_LEAVE(err, EW_INPUT, "%zu problems in the case: `edgewise check` with its arguments tells which",
               case_file_problems(file)->n);
  ew_case *c = case_file_get(file);
  if (!c)
    EXEC_LEAVE(err, EW_USAGE,
               "a script that returns no case has none to sweep: end it with `return case { ... }`");
  const exec_hooks hooks = case_file_hooks(file);
  EW_CHECK(run_case(m, c, &hooks, err));
cleanup:
  case_file_destroy(&file);
  return status;
}

static void say(const member *m, char *const *defines) {
  FILE *out = m->of->call->err;
  if (cli_flag(m->of->call, "quiet") && m->status == EW_OK) return;
  fprintf(out, "member %d", m->number);
  for (int k = 0; k < n_defines(m->of); k++) fprintf(out, "%s %s", k ? "," : ":", defines[k]);
  if (m->status != EW_OK) fprintf(out, ": %s\n", m->err.text);
  else fprintf(out, ": t = %.6g s, %lld steps\n", m->summary.t, (long long)m->summary.steps);
}

static ew_status run_member(member *m, ew_error *err) {
  ew_status status = EW_OK;
  const int n = n_defines(m->of);
  char **defines = calloc((size_t)n + 1, sizeof *defines);
  if (!defines) return ew_fail(err, EW_FAIL, "out of memory");
  for (int k = 0; k < n; k++) {
    if (asprintf(&defines[k], "%s=%s", name_of(m->of, k), value_of(m->of, m->number, k)) < 0) {
      defines[k] = NULL;
      EXEC_LEAVE(err, EW_FAIL, "out of memory");
    }
  }
  m->status = run_file(m, (const char *const *)defines, err);
  say(m, defines);
  status = m->status;
cleanup:
  for (int k = 0; k < n; k++) free(defines[k]);
  free(defines);
  return status;
}

static void *live(void *context) {
  member *m = context;
  exec_ensemble_enter(&m->place);
  m->status = run_member(m, &m->err);
  exec_ensemble_leave(&m->place);
  return NULL;
}

/* ---- all of them --------------------------------------------------------------------------------------------------------------------- */

/* Those that are set up at once. */
static ew_status run_some(sweep *s, member *m, int n, ew_error *err) {
  ew_status status = EW_OK;
  exec_ensemble *e = NULL;
  int begun = 0;
  EW_CHECK(exec_ensemble_create(n, &e, err));
  for (int i = 0; i < n; i++) m[i].place = (exec_member){e, i};
  while (begun < n && pthread_create(&m[begun].thread, NULL, live, &m[begun]) == 0) begun++;
  for (int i = begun; i < n; i++) { /* the others do without */
    exec_ensemble_enter(&m[i].place);
    m[i].status =
        ew_fail(&m[i].err, EW_FAIL, "the system has no more threads; `--at-once %d`", begun > 0 ? begun : 1);
    exec_ensemble_leave(&m[i].place);
  }
  for (int i = 0; i < begun; i++) pthread_join(m[i].thread, NULL);
  s->shared = exec_ensemble_shared(e, &s->why);
cleanup:
  exec_ensemble_destroy(&e);
  return status;
}

/* As of `edgewise run` of the member alone. */
static int exit_code(const member *m) {
  return m->status == EW_STOPPED && shell_stop && !*m->summary.folder ? 128 + shell_stop : (int)m->status;
}

static void write_cell(FILE *out, const char *text) {
  putc(',', out);
  csv_text_write(out, text);
}

static void write_rows(const sweep *s, const member *m, FILE *out) {
  fputs("member", out);
  for (int k = 0; k < n_defines(s); k++) write_cell(out, name_of(s, k));
  fputs(",status,t,steps\n", out);
  for (int i = 0; i < s->n_members; i++) {
    fprintf(out, "%d", i);
    for (int k = 0; k < n_defines(s); k++) write_cell(out, value_of(s, i, k));
    fprintf(out, ",%d,%.17g,%lld\n", exit_code(&m[i]), m[i].summary.t, (long long)m[i].summary.steps);
  }
}

/* Each once, with the first member that took it. */
static void say_profiles(const sweep *s, const member *m) {
  if (cli_flag(s->call, "quiet")) return;
  for (int i = 0; i < s->n_members; i++) {
    const char *one = m[i].summary.profile;
    int first = 0;
    while (first < i && strcmp(m[first].summary.profile, one) != 0) first++;
    if (!*one || first < i) continue;
    fprintf(s->call->err, "profile %s", one);
    if (i > 0) fprintf(s->call->err, " (from member %d on)", i);
    fputc('\n', s->call->err);
  }
}

/* Beside the members' folders. */
static ew_status write_table(const sweep *s, const member *m, ew_error *err) {
  ew_status status = EW_OK;
  char path[EW_PATH + 16];
  atomic_file *file = NULL;
  int first = 0; /* that came as far as its folder */
  while (first < s->n_members && !*m[first].summary.folder) first++;
  if (first == s->n_members) return EW_OK;
  const char *folder = m[first].folder;
  snprintf(path, sizeof path, "%.*s/members.csv", (int)(strrchr(folder, '/') - folder), folder);
  EW_CHECK(atomic_file_create(&file, path, err));
  write_rows(s, m, atomic_file_stream(file));
  EW_CHECK(atomic_file_commit(&file, true, err));
  if (!cli_flag(s->call, "quiet")) fprintf(s->call->err, "%s has the members\n", path);
cleanup:
  atomic_file_destroy(&file);
  return status;
}

typedef struct ends {
  int well, failed, stopped, unbegun; /* stopped: with a checkpoint */
} ends;

static ends count_ends(sweep *s, const member *m) {
  ends n = {0};
  for (int i = 0; i < s->n_members; i++) {
    const int code = exit_code(&m[i]);
    if (code == EW_OK) n.well++;
    else if (code == EW_STOPPED) n.stopped++;
    else if (m[i].status == EW_STOPPED) n.unbegun++;
    else n.failed++;
  }
  s->saved = n.stopped > 0;
  return n;
}

/* The table, and how all ended: a stop goes before what failed, of which the first counts. */
static ew_status conclude(sweep *s, const member *m, ew_error *err) {
  ew_status status = EW_OK;
  ew_error other = {0};
  const ends n = count_ends(s, m);
  for (int i = s->n_members - 1; i >= 0; i--)
    if (m[i].status != EW_OK) status = m[i].status;
  if (n.unbegun > 0 || (n.stopped > 0 && shell_stop)) status = EW_STOPPED;
  say_profiles(s, m);
  const ew_status written = write_table(s, m, &other);
  if (status == EW_OK && written != EW_OK) return *err = other, written;
  if (status == EW_STOPPED)
    return ew_fail(err, status,
                   "stopped on request: of %d members %d came to their end, %d left a checkpoint, %d did not "
                   "begin their steps, %d failed",
                   s->n_members, n.well, n.stopped, n.unbegun, n.failed);
  if (status != EW_OK) ew_fail(err, status, "%d of %d members failed", s->n_members - n.well, s->n_members);
  return status;
}

static ew_status run_all(sweep *s, member *m, ew_error *err) {
  ew_status status = EW_OK;
  long at_once = cli_integer(s->call, "at-once", AT_ONCE), steps, look;
  if (at_once > s->n_members) at_once = s->n_members;
  if (at_once < 1) return ew_fail(err, EW_USAGE, "--at-once needs a number of members, 1 or more");
  EW_CHECK(shell_steps(s->call, &steps, &look, err)); /* which every member takes */
  for (int i = 0; i < s->n_members; i++) m[i].of = s, m[i].number = i;
  int begun = 0;
  for (int i = 0; i < s->n_members && !shell_stop; i = begun) {
    const int left = s->n_members - i;
    begun += left < at_once ? left : (int)at_once;
    EW_CHECK(run_some(s, m + i, begun - i, err));
  }
  for (int i = begun; i < s->n_members; i++) m[i].status = shell_go_on(&m[i].err);
  if (!s->shared && *s->why && !cli_flag(s->call, "quiet"))
    fprintf(s->call->err, "note: members ran one after the other: %s\n", s->why);
  status = conclude(s, m, err);
cleanup:
  return status;
}

static int sweep_case(cli_call *call) {
  ew_error err = {0};
  sweep s = {.call = call, .command = shell_command_text(call), .why = ""};
  member *m = NULL;
  shell_watch_signals();
  shell_outlive_readers();
  ew_status status = s.command ? read_axes(&s, &err) : ew_fail(&err, EW_FAIL, "out of memory");
  if (status == EW_OK && !(m = calloc((size_t)s.n_members, sizeof *m)))
    status = ew_fail(&err, EW_FAIL, "out of memory for %d members", s.n_members);
  if (status == EW_OK) status = run_all(&s, m, &err);
  for (int i = 0; i < s.n_axes; i++) free(s.axis[i].text), free(s.axis[i].value);
  free(s.axis);
  csv_texts_clear(&s.table);
  free(s.command);
  free(m);
  return status == EW_OK ? EW_OK : shell_end(call, &err, s.saved);
}

static const cli_option SWEEP_OPTION[] = {
    {NULL, 'D', CLI_LIST, "NAME=V,V,...",
     "values of an argument that the case declares; of several: all with all", NULL},
    {"members", 0, CLI_TEXT, "FILE.csv",
     "a header of arguments, and a row of values a member, as -D takes them", "file"},
    {"at-once", 0, CLI_INTEGER, "N", "members that are set up at the same time (64)", NULL},
    {"device", 0, CLI_TEXT, "SPEC", "cpu, gpu, c, c-openmp, reference, an index, or part of a name",
     "cpu gpu c c-openmp reference"},
    {"output", 'o', CLI_TEXT, "FOLDER", "where members' folders go, instead of the case's folder", "folder"},
    {"steps", 0, CLI_INTEGER, "N", "stop each member after N steps", NULL},
    {"look", 0, CLI_INTEGER, "N", "synchronise with the device every N steps (default 1024)", NULL},
    {"trust-recipes", 0, CLI_FLAG, NULL, "let mesh recipes run programs and write files", NULL},
    {"schedule", 0, CLI_LIST, "NAME=VALUE", "one choice of the schedule: roe=inline", NULL},
    {"profile-file", 0, CLI_TEXT, "FILE", "schedule file of a device", "file"},
    {"quiet", 'q', CLI_FLAG, NULL, "say nothing but errors", NULL}};

const cli_command COMMAND_SWEEP = {
    .name = "sweep",
    .arguments = "CASE.lua",
    .summary = "run a case with several values of its arguments",
    .details =
        "Members are numbered from 0; the output of number 7 is in FOLDER/00007, and FOLDER/members.csv "
        "tells what each was given and how it ended. "
        "On a GPU members with small meshes make their steps side by side.",
    .least = 1,
    .most = 1,
    .complete = "file",
    .options = SWEEP_OPTION,
    .n_options = sizeof SWEEP_OPTION / sizeof *SWEEP_OPTION,
    .run = sweep_case};
