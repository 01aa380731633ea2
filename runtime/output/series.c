/* Probes and history: rows over time. Where the run lets them be taken between the steps that it queues, many are fetched together, and
 * printed while the next steps run; else what a row needs is fetched while the next steps run, and printed when the next is due, or somebody
 * looks. Files are written once a second and where it must be known that they are there. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/timing.h"
#include "fields/gather.h"
#include "output/output.h"
#include "case/products.h"
#include "case/paths.h"
#include "output/show.h"
#include "formats/csv.h"

enum { MOST_COMPONENTS = DSLC_MOST_COMPONENTS, MOST_ROWS = 64 };

typedef struct probe {
  csv *file;
  exec_spot where;
  int n_fields;
  exec_component *field; /* component -1: all of them */
  double *row;           /* time and all components */
} probe;

struct exec_series {
  exec_run *run;
  csv *history;
  int n_probes;
  probe *probe;
  double *row; /* of the history */
  int *show;   /* [n_shows] the sections that compute what is shown, each once */
  int n_shows;
  exec_gather
      *gather;  /* the probes' entries in the order of their columns; those of the history behind them */
  int pending;  /* samples that were taken, their rows are not written */
  bool at_time; /* one that was taken at time `t`; else they know their times themselves */
  double t;
  double written; /* when files were written last [s] */
  exec_tap tap;
  exec_gaps gaps;
};

/* ---- files ------------------------------------------------------------------------------------------------------------------ */

/* As run->files.series has them: "file history.csv". */
static void series_key(const char *stem, char *key, size_t size) { snprintf(key, size, "file %s.csv", stem); }

typedef struct columns {
  const csv_column *at; /* [n] */
  size_t n;
} columns;

static void note_begin(exec_series *s, const char *path) {
  if (s->run->files.outputs == 0) return; /* nor has the run begun */
  if (s->gaps.begin++ == 0) snprintf(s->gaps.first_begin, sizeof s->gaps.first_begin, "%s", path);
}

/* Those that the case does not name any more. */
static void note_ends(exec_series *s) {
  const case_output *o = &s->run->c->output;
  const exec_pairs *kept = &s->run->files.series;
  for (int i = 0; i < kept->n; i++) {
    char key[NAME_MAX + 16];
    series_key("history", key, sizeof key);
    bool goes_on = o->n_history > 0 && strcmp(kept->item[i].name, key) == 0;
    for (int k = 0; k < o->n_probes && !goes_on; k++) {
      series_key(o->probe[k].name, key, sizeof key);
      goes_on = strcmp(kept->item[i].name, key) == 0;
    }
    if (goes_on || s->gaps.end++ > 0) continue;
    exec_output_file(s->run->c, kept->item[i].name + strlen("file "), s->gaps.first_end,
                     sizeof s->gaps.first_end);
  }
}

static ew_status open_csv(exec_series *s, const char *stem, columns of, bool resume, csv **out,
                          ew_error *err) {
  const exec_run *run = s->run;
  char key[NAME_MAX + 16], path[EW_PATH];
  series_key(stem, key, sizeof key);
  exec_output_file(run->c, key + strlen("file "), path, sizeof path);
  const char *kept = resume ? exec_pairs_find(&run->files.series, key) : NULL;
  if (resume && (!kept || access(path, F_OK) != 0)) note_begin(s, path);
  return kept ? csv_continue(out, path, of.at, of.n, strtoull(kept, NULL, 10), err)
              : csv_create(out, path, of.at, of.n, err);
}

static ew_status mark_csv(exec_run *run, const char *stem, csv *file, ew_error *err) {
  char key[NAME_MAX + 16], size[32];
  ew_status status = csv_sync(file, err);
  if (status != EW_OK) return status;
  series_key(stem, key, sizeof key);
  snprintf(size, sizeof size, "%llu", (unsigned long long)csv_size(file));
  return exec_pairs_add(&run->files.series, key, size, err);
}

static ew_status open_history(exec_series *s, bool resume, ew_error *err) {
  ew_status status = EW_OK;
  const case_output *o = &s->run->c->output;
  csv_column *column = calloc((size_t)o->n_history + 1, sizeof *column);
  s->row = calloc((size_t)o->n_history + 1, sizeof *s->row);
  if (!column || !s->row) EXEC_LEAVE(err, EW_FAIL, "out of memory for the history");
  column[0] = (csv_column){"t", exec_has_units(s->run->program) ? "s" : NULL};
  for (int i = 0; i < o->n_history; i++) {
    int g = exec_find_global(s->run->program, o->history[i]);
    column[i + 1] = (csv_column){o->history[i], g >= 0 ? s->run->program->model.global[g].unit : NULL};
  }
  EW_CHECK(open_csv(s, "history", (columns){column, (size_t)o->n_history + 1}, resume, &s->history, err));
cleanup:
  free(column);
  return status;
}

/* ---- probes ------------------------------------------------------------------------------------------------------------------- */

/* As schemes write it. */
static void component_name(const dslc_field *f, int d, int dim, char *text, size_t size) {
  if (f->components == 1) snprintf(text, size, "%s", f->name);
  else if (f->components == dim) snprintf(text, size, "%s.%c", f->name, "xyz"[d]);
  else if (f->components == dim * dim)
    snprintf(text, size, "%s.%c%c", f->name, "xyz"[d / dim], "xyz"[d % dim]);
  else snprintf(text, size, "%s.%d", f->name, d + 1);
}

/* Which components of a field its columns show. */
static void range_of(const dslc_program *p, exec_component c, int *first, int *end) {
  *first = c.component < 0 ? 0 : c.component;
  *end = c.component < 0 ? p->model.field[c.field].components : c.component + 1;
}

static bool has_column(const dslc_program *program, const probe *p, int field, int d) {
  for (int i = 0, first, end; i < p->n_fields; i++) {
    range_of(program, p->field[i], &first, &end);
    if (p->field[i].field == field && first <= d && d < end) return true;
  }
  return false;
}

/* The columns of `c` that are not there already: "T" behind "T.xy" adds the others. */
static void add_columns(const dslc_program *program, probe *p, exec_component c) {
  int first, end;
  for (range_of(program, c, &first, &end); first < end; first++)
    if (!has_column(program, p, c.field, first)) p->field[p->n_fields++] = (exec_component){c.field, first};
}

static ew_status choose_fields(exec_run *run, const case_probe *p, probe *out, ew_error *err) {
  const dslc_program *program = run->program;
  const size_t most = (size_t)program->model.n_fields + (size_t)p->n_fields * MOST_COMPONENTS + 1;
  out->field = calloc(most, sizeof *out->field);
  if (!out->field) return ew_fail(err, EW_FAIL, "out of memory for probe '%s'", p->name);
  for (int i = 0; i < p->n_fields; i++) {
    exec_component c;
    if (!exec_find_component(program, p->field[i], &c) || program->model.field[c.field].buffer < 0)
      return ew_fail(err, EW_INPUT, "probe '%s': there is no field '%s'", p->name, p->field[i]);
    add_columns(program, out, c);
  }
  for (int i = 0; p->n_fields == 0 && i < program->model.n_fields; i++) {
    const dslc_field *f = &program->model.field[i];
    if (exec_can_show(program, f->place) && f->buffer >= 0 &&
        case_shows_unasked(run->c, f->name, f->kind == DSLC_STATE))
      out->field[out->n_fields++] = (exec_component){i, -1};
  }
  return EW_OK;
}

static ew_status open_probe_file(exec_series *s, const case_probe *p, probe *out, bool resume,
                                 ew_error *err) {
  ew_status status = EW_OK;
  const exec_run *run = s->run;
  size_t most = (size_t)out->n_fields * MOST_COMPONENTS + 1, n = 1;
  csv_column *column = calloc(most, sizeof *column);
  char(*name)[96] = calloc(most, sizeof *name);
  out->row = calloc(most, sizeof *out->row);
  if (!column || !name || !out->row) EXEC_LEAVE(err, EW_FAIL, "out of memory for probe '%s'", p->name);
  column[0] = (csv_column){"t", exec_has_units(run->program) ? "s" : NULL};
  for (int i = 0; i < out->n_fields; i++) {
    const dslc_field *f = &run->program->model.field[out->field[i].field];
    int d, end;
    for (range_of(run->program, out->field[i], &d, &end); d < end && d < MOST_COMPONENTS; d++, n++) {
      component_name(f, d, run->dim, name[n], sizeof name[n]);
      column[n] = (csv_column){name[n], f->unit};
    }
  }
  EW_CHECK(open_csv(s, p->name, (columns){column, n}, resume, &out->file, err));
cleanup:
  free(column);
  free(name);
  return status;
}

static ew_status open_probes(exec_series *s, const exec_locator *locator, bool resume, ew_error *err) {
  ew_status status = EW_OK;
  const case_output *o = &s->run->c->output;
  s->probe = calloc((size_t)o->n_probes + 1, sizeof *s->probe);
  if (!s->probe) return ew_fail(err, EW_FAIL, "out of memory for %d probes", o->n_probes);
  for (int i = 0; i < o->n_probes; i++) {
    probe *p = &s->probe[s->n_probes++];
    p->where = exec_spot_at(&s->run->domain, exec_locate(locator, o->probe[i].x), o->probe[i].x);
    EW_CHECK(choose_fields(s->run, &o->probe[i], p, err));
    EW_CHECK(open_probe_file(s, &o->probe[i], p, resume, err));
  }
cleanup:
  return status;
}

/* ---- what is fetched -------------------------------------------------------------------------------------------------------------- */

/* Whether the history's entry i is a scalar of the device, and which; the other figures are the host's. */
static bool on_device(const exec_series *s, int i, const dslc_global **g) {
  const char *name = s->run->c->output.history[i];
  double ignored;
  int global = exec_solve_figure(s->run, name, &ignored) ? -1 : exec_find_global(s->run->program, name);
  if (global >= 0) *g = &s->run->program->model.global[global];
  return global >= 0;
}

static void add_show(exec_series *s, int section) {
  for (int i = 0; i < s->n_shows; i++)
    if (s->show[i] == section) return;
  if (section >= 0) s->show[s->n_shows++] = section;
}

/* Adds the entries of a probe, or counts them where `entry` is NULL. */
static int probe_entries(exec_series *s, const probe *p, exec_entry *entry) {
  const dslc_program *program = s->run->program;
  int n = 0;
  for (int i = 0; i < p->n_fields; i++) {
    const dslc_field *f = &program->model.field[p->field[i].field];
    int32_t at[8];
    double weight[8];
    int around = exec_entries_at(s->run, f, &p->where, at, weight), d, end;
    if (f->kind == DSLC_QUANTITY && entry) add_show(s, f->show);
    for (range_of(program, p->field[i], &d, &end); d < end && d < MOST_COMPONENTS; d++)
      for (int k = 0; k < around; k++, n++)
        if (entry)
          entry[n] = (exec_entry){
              f->buffer, exec_element(s->run, &program->execution.buffer[f->buffer], at[k], f->first + d)};
  }
  return n;
}

static int history_entries(exec_series *s, exec_entry *entry) {
  const dslc_global *g;
  int n = 0;
  for (int i = 0; i < s->run->c->output.n_history; i++) {
    if (!on_device(s, i, &g)) continue;
    if (entry) add_show(s, g->show);
    if (entry) entry[n] = (exec_entry){s->run->seen.scalars, (size_t)g->scalar};
    n++;
  }
  return n;
}

static int all_entries(exec_series *s, exec_entry *entry) {
  int n = 0;
  for (int i = 0; i < s->n_probes; i++) n += probe_entries(s, &s->probe[i], entry ? entry + n : NULL);
  n += history_entries(s, entry ? entry + n : NULL);
  if (entry) entry[n] = (exec_entry){s->run->seen.scalars, DSLC_SCALAR_T};
  return n + 1;
}

static ew_status plan_gather(exec_series *s, ew_error *err) {
  ew_status status = EW_OK;
  int n = all_entries(s, NULL);
  const dslc_program *p = s->run->program;
  exec_entry *entry = calloc((size_t)n + 1, sizeof *entry);
  s->show = calloc((size_t)p->model.n_fields + (size_t)p->model.n_globals + 1, sizeof *s->show);
  if (!entry || !s->show) EXEC_LEAVE(err, EW_FAIL, "out of memory for probes and history");
  all_entries(s, entry);
  EW_CHECK(exec_gather_create(s->run, entry, n, MOST_ROWS, &s->gather, err));
cleanup:
  free(entry);
  return status;
}

/* ---- rows between queued steps --------------------------------------------------------------------------------------------------- */

static ew_status take_row(void *context, int row, ew_error *err) {
  exec_series *s = context;
  ew_status status = EW_OK;
  for (int i = 0; i < s->n_shows; i++) EW_CHECK(exec_section(s->run, s->show[i], err));
  EW_CHECK(exec_gather_row(s->gather, row, err));
cleanup:
  return status;
}

/* The device is busy with the steps now: so rows of before are printed. */
static ew_status fetch_rows(void *context, int rows, ew_error *err) {
  exec_series *s = context;
  ew_status status = exec_series_finish(s, err);
  return status == EW_OK ? exec_gather_fetch(s->gather, rows, err) : status;
}

static void keep_rows(void *context, int rows) {
  exec_series *s = context;
  s->pending = rows;
  s->at_time = false;
}

static ew_status present_row(void *context, ew_error *err) { return exec_series_row(context, err); }

/* Rows that hold nothing but what the device knows may be taken there. */
static void open_tap(exec_series *s) {
  const case_output *o = &s->run->c->output;
  const dslc_global *g;
  bool hosts = s->n_probes == 0 && !s->history;
  for (int i = 0; i < o->n_history; i++) hosts = hosts || !on_device(s, i, &g);
  s->tap = (exec_tap){.context = s,
                      .every = o->sample > 0 ? o->sample : 1,
                      .rows = MOST_ROWS,
                      .computes = s->n_shows > 0,
                      .take = take_row,
                      .fetch = fetch_rows,
                      .keep = keep_rows,
                      .row = present_row};
  if (!hosts) s->run->queue.tap = &s->tap;
}

/* ---- life --------------------------------------------------------------------------------------------------------------------------- */

ew_status exec_series_create(exec_run *run, const exec_locator *locator, bool resume, exec_series **out,
                             ew_error *err) {
  ew_status status = EW_OK;
  exec_series *s = calloc(1, sizeof *s);
  if (!s) return ew_fail(err, EW_FAIL, "out of memory for probes and history");
  s->run = run;
  if (run->c->output.n_history) EW_CHECK(open_history(s, resume, err));
  EW_CHECK(open_probes(s, locator, resume, err));
  if (resume) note_ends(s);
  EW_CHECK(plan_gather(s, err));
  open_tap(s);
cleanup:
  if (status != EW_OK) exec_series_destroy(&s);
  *out = s;
  return status;
}

void exec_series_destroy(exec_series **s) {
  if (!s || !*s) return;
  if ((*s)->run->queue.tap == &(*s)->tap) (*s)->run->queue.tap = NULL;
  exec_series_finish(*s, NULL);
  exec_gather_destroy(&(*s)->gather);
  free((*s)->show);
  for (int i = 0; i < (*s)->n_probes; i++) {
    csv_destroy(&(*s)->probe[i].file);
    free((*s)->probe[i].field);
    free((*s)->probe[i].row);
  }
  csv_destroy(&(*s)->history);
  free((*s)->probe);
  free((*s)->row);
  free(*s);
  *s = NULL;
}

/* ---- residuals ----------------------------------------------------------------------------------------------------------------------- */

static ew_status residual_rows(const exec_run *run, csv *file, ew_error *err) {
  ew_status status = EW_OK;
  for (int i = 0; i < run->program->execution.n_solves; i++) {
    int n;
    const double *history = exec_solve_history(run, i, &n);
    for (int k = 0; k < n; k++) EW_CHECK(csv_row(file, (const double[]){i + 1, k, history[k]}, err));
  }
  EW_CHECK(csv_flush(file, err));
cleanup:
  return status;
}

ew_status exec_output_residuals(exec_run *run, char *path, size_t size, ew_error *err) {
  ew_status status = EW_OK;
  csv *file = NULL;
  const csv_column column[] = {{"solve", NULL}, {"iteration", NULL}, {"residual", NULL}};
  exec_output_file(run->c, "failed_residuals.csv", path, size);
  EW_CHECK(csv_create(&file, path, column, 3, err));
  EW_CHECK(residual_rows(run, file, err));
cleanup:
  csv_destroy(&file);
  return status;
}

/* ---- rows ----------------------------------------------------------------------------------------------------------------------------- */

/* From the entries of its columns; returns how many it took. */
static int probe_values(exec_series *s, probe *p, double t, const double *value) {
  size_t n = 0;
  int used = 0;
  p->row[n++] = t;
  for (int i = 0; i < p->n_fields; i++) {
    const dslc_field *f = &s->run->program->model.field[p->field[i].field];
    int32_t at[8];
    double weight[8];
    int around = exec_entries_at(s->run, f, &p->where, at, weight), d, end;
    for (range_of(s->run->program, p->field[i], &d, &end); d < end && d < MOST_COMPONENTS; d++, n++) {
      p->row[n] = 0;
      for (int k = 0; k < around; k++) p->row[n] += weight[k] * value[used++];
    }
  }
  return used;
}

static void history_values(exec_series *s, double t, const double *value) {
  const dslc_global *g;
  s->row[0] = t;
  for (int i = 0; i < s->run->c->output.n_history; i++)
    if (on_device(s, i, &g)) s->row[i + 1] = *value++;
}

/* The files' parts of row k of those that were fetched. */
static ew_status write_row(exec_series *s, int k, ew_error *err) {
  ew_status status = EW_OK;
  const double *value = NULL;
  EW_CHECK(exec_gather_values(s->gather, k, &value, err));
  double t = s->at_time ? s->t : value[all_entries(s, NULL) - 1];
  for (int i = 0; i < s->n_probes; i++) {
    value += probe_values(s, &s->probe[i], t, value);
    EW_CHECK(csv_row(s->probe[i].file, s->probe[i].row, err));
  }
  if (s->history) history_values(s, t, value);
  if (s->history) EW_CHECK(csv_row(s->history, s->row, err));
cleanup:
  return status;
}

ew_status exec_series_flush(exec_series *s, ew_error *err) {
  ew_status status = EW_OK;
  s->written = ew_seconds();
  for (int i = 0; i < s->n_probes; i++) EW_CHECK(csv_flush(s->probe[i].file, err));
  if (s->history) EW_CHECK(csv_flush(s->history, err));
cleanup:
  return status;
}

ew_status exec_series_finish(exec_series *s, ew_error *err) {
  ew_status status = EW_OK;
  int rows = s->pending;
  s->pending = 0;
  for (int k = 0; k < rows; k++) EW_CHECK(write_row(s, k, err));
  if (rows > 0 && ew_seconds() - s->written > 1) EW_CHECK(exec_series_flush(s, err));
cleanup:
  return status;
}

/* Figures of solves and repeats, which the host knows now and not later. */
static ew_status host_figures(exec_series *s, ew_error *err) {
  ew_status status = EW_OK;
  const dslc_global *g;
  for (int i = 0; i < s->run->c->output.n_history; i++)
    if (!on_device(s, i, &g))
      EW_CHECK(exec_global(s->run, s->run->c->output.history[i], &s->row[i + 1], err));
cleanup:
  return status;
}

ew_status exec_series_row(exec_series *s, ew_error *err) {
  ew_status status = EW_OK;
  if (exec_steps(s->run) <= s->run->files.sampled) return EW_OK;
  EW_CHECK(exec_series_finish(s, err));
  s->run->files.sampled = exec_steps(s->run);
  s->t = exec_time(s->run);
  for (int i = 0; i < s->n_shows; i++) EW_CHECK(exec_show(s->run, s->show[i], err));
  EW_CHECK(host_figures(s, err));
  EW_CHECK(exec_gather_row(s->gather, 0, err));
  EW_CHECK(exec_gather_fetch(s->gather, 1, err));
  s->pending = 1;
  s->at_time = true;
cleanup:
  return status;
}

const exec_gaps *exec_series_gaps(const exec_series *s) { return &s->gaps; }

ew_status exec_series_mark(exec_series *s, ew_error *err) {
  ew_status status = EW_OK;
  EW_CHECK(exec_series_finish(s, err));
  exec_pairs_clear(&s->run->files.series);
  for (int i = 0; i < s->n_probes; i++)
    EW_CHECK(mark_csv(s->run, s->run->c->output.probe[i].name, s->probe[i].file, err));
  if (s->history) EW_CHECK(mark_csv(s->run, "history", s->history, err));
cleanup:
  return status;
}
