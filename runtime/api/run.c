/* The life of an edgewise_run. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "api/internal.h"
#include "case/paths.h"
#include "run/leave.h"

/* ---- every call -------------------------------------------------------------------------------------------------------------- */

void api_enter(edgewise_run *run) {
  run->outside = uselocale(run->c);
  run->err = (ew_error){0};
  free(run->text);
  run->text = NULL;
}

edgewise_status api_leave(edgewise_run *run, ew_status status) {
  uselocale(run->outside);
  return (edgewise_status)status;
}

ew_status api_check(edgewise_run *run) {
  return run->life ? EW_OK
                   : ew_fail(&run->err, EW_USAGE, "the run could not be opened: it can only be closed");
}

ew_status api_check_given(edgewise_run *run, const void *pointer, const char *what) {
  return pointer ? EW_OK : ew_fail(&run->err, EW_USAGE, "%s is NULL", what);
}

exec_run *api_exec(const edgewise_run *run) { return exec_life_run(run->life); }

ew_status api_check_size(edgewise_run *run, const void *structure, size_t least, const char *what) {
  size_t size;
  memcpy(&size, structure, sizeof size);
  return size >= least ? EW_OK : ew_fail(&run->err, EW_USAGE, "%s", what);
}

void api_fill(void *to, const void *from, size_t size) {
  size_t room;
  memcpy(&room, to, sizeof room);
  if (room > size) room = size;
  if (room > sizeof room)
    memcpy((char *)to + sizeof room, (const char *)from + sizeof room, room - sizeof room);
}

const char *edgewise_version(void) { return EW_VERSION; }

const char *edgewise_message(const edgewise_run *run) {
  if (!run) return "out of memory";
  return run->text ? run->text : run->err.text;
}

/* ---- opening ------------------------------------------------------------------------------------------------------------------- */

static ew_status refuse_script(void *context, ew_case *c, const exec_hooks *hooks, exec_summary *summary,
                               ew_error *err) {
  (void)context, (void)c, (void)hooks, (void)summary;
  return ew_fail(err, EW_INPUT,
                 "the script runs its cases itself: a program that decides when a run goes on needs a case\n"
                 "  hint: end it with `return case { ... }` instead of run(case { ... })");
}

static ew_status open_file(edgewise_run *run, const edgewise_options *o) {
  case_file_options options = {.path = o->path ? o->path : "case.lua",
                               .text = o->text,
                               .n_defines = o->n_defines,
                               .define = o->define,
                               .print = run->print.file,
                               .stop = &run->stop,
                               .device = o->device,
                               .run = refuse_script};
  if (!o->path && !o->text)
    return ew_fail(&run->err, EW_USAGE, "edgewise_open: neither `path` nor `text` is given");
  ew_status status = case_file_create(&options, &run->file, &run->err);
  if (status == EW_OK) status = problems_status(case_file_problems(run->file), &run->err);
  if (status == EW_OK && !case_file_get(run->file))
    status = ew_fail(&run->err, EW_INPUT, "the script gives no case: end it with `return case { ... }`");
  return status;
}

/* The caller's word over the case's. */
static ew_status apply(edgewise_run *run, ew_case *c, const edgewise_options *o) {
  ew_error *err = &run->err;
  if (o->device && !(c->build.device = case_text(c, o->device, err))) return EW_FAIL;
  if (o->output && *o->output && !(c->output.folder = case_text(c, o->output, err))) return EW_FAIL;
  for (int i = 0; i < o->n_show; i++) {
    const char **name = case_append(c, &c->added.show, &c->added.n_shows, sizeof *name, err);
    if (!name || !(*name = case_text(c, o->show[i], err))) return EW_FAIL;
  }
  return EW_OK;
}

static ew_status refuse_shown(edgewise_run *run, const dslc_program *p, const char *name) {
  for (int i = 0; i < p->model.n_equations; i++) {
    const dslc_equation *e = &p->model.equation[i];
    if (strcmp(e->name, name) == 0 && e->place != DSLC_NOWHERE && !exec_can_show(p, e->place))
      return ew_fail(&run->err, EW_INPUT,
                     "edgewise_open: '%s' lives at %s; only quantities at cells and nodes can be shown", name,
                     e->place == DSLC_EDGES ? "edges" : "faces");
  }
  return ew_fail(&run->err, EW_INPUT,
                 "edgewise_open: scheme '%s' has no quantity or global '%s' to be shown; integrals, matrices "
                 "and tuples are none",
                 p->identity.scheme, name);
}

/* The compiler takes the names that it knows. */
static ew_status check_shown(edgewise_run *run, const ew_case *c) {
  const dslc_program *p = exec_get_program(api_exec(run));
  for (int i = 0; i < c->added.n_shows; i++)
    if (exec_components(api_exec(run), c->added.show[i]) == 0 && !exec_has_global(p, c->added.show[i]))
      return refuse_shown(run, p, c->added.show[i]);
  return EW_OK;
}

static ew_status open_life(edgewise_run *run, const edgewise_options *o) {
  ew_status status = EW_OK;
  char path[EW_PATH], started[32];
  time_t now = time(NULL);
  struct tm utc;
  ew_case *c = case_file_get(run->file);
  strftime(started, sizeof started, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &utc));
  EW_CHECK(apply(run, c, o));
  exec_options options = {.hooks = case_file_hooks(run->file),
                          .stop = &run->stop,
                          .messages = run->notes.file,
                          .no_files = !o->output,
                          .started = case_text(c, started, &run->err)};
  if (c->build.scheme && !c->build.manifest) EW_CHECK(exec_find_scheme(c, path, sizeof path, &run->err));
  EW_CHECK(exec_life_create(c, &options, &run->life, &run->err));
  EW_CHECK(check_shown(run, c));
  if (o->output) exec_output_folder(c, run->folder, sizeof run->folder);
cleanup:
  return status;
}

/* What was noted on the way stands before the failure: it tells more than how many errors there were. */
static void tell(edgewise_run *run) {
  char *text = run->kept ? malloc(run->n_kept + strlen(run->err.text) + 1) : NULL;
  if (!text) return;
  memcpy(text, run->kept, run->n_kept);
  strcpy(text + run->n_kept, run->err.text);
  run->text = text;
}

static ew_status check_texts(edgewise_run *run, const char *name, const char *number, const char *const *text,
                             int n) {
  if (n < 0) return ew_fail(&run->err, EW_USAGE, "edgewise_open: options.%s is less than 0", number);
  if (n > 0 && !text) return ew_fail(&run->err, EW_USAGE, "edgewise_open: options.%s is NULL", name);
  for (int i = 0; i < n; i++)
    if (!text[i]) return ew_fail(&run->err, EW_USAGE, "edgewise_open: options.%s[%d] is NULL", name, i);
  return EW_OK;
}

/* `o`: what `given` holds as far as this version of the library knows it. */
static ew_status check_options(edgewise_run *run, const edgewise_options *given, const edgewise_options *o) {
  ew_status status = EW_OK;
  EW_CHECK(api_check_given(run, given, "edgewise_open: options"));
  if (o->size < offsetof(edgewise_options, context) + sizeof o->context)
    EXEC_LEAVE(&run->err, EW_USAGE, "edgewise_open: options.size is not set to sizeof(edgewise_options)");
  EW_CHECK(check_texts(run, "define", "n_defines", o->define, o->n_defines));
  EW_CHECK(check_texts(run, "show", "n_show", o->show, o->n_show));
cleanup:
  return status;
}

edgewise_status edgewise_open(const edgewise_options *options, edgewise_run **out) {
  ew_status status = EW_OK;
  edgewise_options o = {.size = options ? options->size : sizeof o};
  if (!out) return EDGEWISE_USAGE;
  edgewise_run *run = *out = calloc(1, sizeof *run);
  if (!run) return EDGEWISE_FAIL;
  if (options) memcpy(&o, options, options->size < sizeof o ? options->size : sizeof o);
  run->c = newlocale(LC_ALL_MASK, "C", (locale_t)0); /* glibc's own object: needs no memory */
  api_enter(run);
  run->say = o.say, run->context = o.context;
  run->opening = true;
  status = check_options(run, options, &o);
  if (status == EW_OK) status = api_stream_open(run, &run->notes, EDGEWISE_NOTE);
  if (status == EW_OK) status = api_stream_open(run, &run->print, EDGEWISE_PRINT);
  if (status == EW_OK) status = open_file(run, &o);
  if (status == EW_OK) status = open_life(run, &o);
  if (run->notes.file) fflush(run->notes.file);
  run->opening = false;
  if (status != EW_OK) tell(run);
  free(run->kept);
  run->kept = NULL;
  return api_leave(run, status);
}

void edgewise_close(edgewise_run **run_) {
  edgewise_run *run = run_ ? *run_ : NULL;
  if (!run) return;
  api_enter(run);
  api_unmap_all(run);
  if (exec_life_destroy(&run->life, &run->err) != EW_OK && run->notes.file)
    fprintf(run->notes.file, "error: %s\n", run->err.text);
  case_file_destroy(&run->file);
  api_stream_close(&run->notes);
  api_stream_close(&run->print);
  for (size_t i = 0; i < sizeof run->point / sizeof *run->point; i++) free(run->point[i]);
  free(run->cell_type);
  free(run->text);
  uselocale(run->outside);
  freelocale(run->c);
  free(run);
  *run_ = NULL;
}

/* ---- going on -------------------------------------------------------------------------------------------------------------------- */

static edgewise_status go_on(edgewise_run *run, double t, int64_t steps) {
  ew_status status = EW_OK;
  if (!run) return EDGEWISE_USAGE;
  api_enter(run);
  EW_CHECK(api_check(run));
  EW_CHECK(api_check_unmapped(run));
  if (isnan(t) || steps < 0) {
    status = ew_fail(&run->err, EW_USAGE, isnan(t) ? "t is not a number" : "fewer than 0 steps");
    goto cleanup;
  }
  EW_CHECK(exec_life_advance(run->life, t, steps, &run->err));
cleanup:
  if (status == EW_STOPPED) run->stop = 0;
  return api_leave(run, status);
}

edgewise_status edgewise_step(edgewise_run *run, int64_t steps) {
  return run && steps == 0 ? EDGEWISE_OK : go_on(run, INFINITY, steps);
}

edgewise_status edgewise_advance(edgewise_run *run, double t) { return go_on(run, t, 0); }
edgewise_status edgewise_go_on(edgewise_run *run, double t, int64_t steps) {
  return run && steps == 0 ? EDGEWISE_OK : go_on(run, t, steps);
}

edgewise_status edgewise_finish(edgewise_run *run) { return go_on(run, INFINITY, 0); }

void edgewise_stop(edgewise_run *run) {
  if (run) run->stop = 1;
}

static bool opened(const edgewise_run *run) { return run && run->life; }

double edgewise_time(const edgewise_run *run) { return opened(run) ? exec_time(api_exec(run)) : 0; }
double edgewise_dt(const edgewise_run *run) { return opened(run) ? exec_dt(api_exec(run)) : 0; }
int64_t edgewise_steps(const edgewise_run *run) { return opened(run) ? exec_steps(api_exec(run)) : 0; }
int edgewise_ended(const edgewise_run *run) { return opened(run) && exec_life_ended(run->life); }

const char *edgewise_device(const edgewise_run *run) {
  return opened(run) ? exec_life_device(run->life)->name : "";
}

const char *edgewise_platform(const edgewise_run *run) {
  return opened(run) ? exec_life_device(run->life)->platform : "";
}

const char *edgewise_folder(const edgewise_run *run) { return run ? run->folder : ""; }
const char *edgewise_picture(const edgewise_run *run) {
  return opened(run) ? exec_life_picture(run->life) : "";
}
