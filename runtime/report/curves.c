#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/path.h"
#include "base/words.h"
#include "formats/csv_table.h"
#include "report/chart.h"
#include "report/html.h"
#include "report/parts.h"

/* A file of measurements. */
typedef struct measured {
  csv_table table;
  const char *path;
  bool drawn[CSV_MOST_COLUMNS];
  char other_time
      [512]; /* "'t [s]', as in history.csv": what its first column is not, though another fits; "": none */
} measured;

/* A file of columns, and those of measurements. */
typedef struct curve_set {
  const csv_table *table;
  measured *beside; /* [n_beside] */
  int n_beside;
  const char *file;
  const run_folder *run;
  bool starved; /* of memory */
} curve_set;

/* Measurements may come through a pipe, as what somebody asked for; files of the run may not. */
static FILE *open_table(const char *path, bool of_the_run, ew_error *err) {
  if (of_the_run) return folder_file(path, err);
  FILE *f = fopen(path, "r");
  if (!f) ew_fail(err, EW_IO, "cannot read '%s': %s", path, strerror(errno));
  return f;
}

static ew_status read_table(const char *path, bool of_the_run, csv_table *t, ew_error *err) {
  FILE *f = open_table(path, of_the_run, err);
  if (!f) return err->status;
  ew_status status = csv_table_read(f, t, err);
  if (status != EW_OK) ew_context(err, "%s", path);
  fclose(f);
  return status;
}

/* "h at gauge 3 [m]": "[m]"; "" of numbers without a unit. */
static const char *unit_of(const char *name) {
  const char *unit = strrchr(name, '[');
  return unit ? unit : "";
}

static int ascending(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* What is positive throughout and spans three decades is drawn by its logarithm if it falls, as residuals do, or if the middle half of its values
 * spans some too. What rises from next to nothing to where it stays is not. */
static bool spans_decades(curve_set *s, int column) {
  const csv_table *t = s->table;
  size_t n = 0;
  double *v = malloc(t->n_rows * sizeof *v + 1);
  s->starved = s->starved || !v;
  if (!v) return false;
  for (size_t i = 0; i < t->n_rows; i++)
    if (isfinite(t->value[column][i]) && t->value[column][i] != 0) v[n++] = t->value[column][i];
  const double first = n > 0 ? v[0] : 0;
  qsort(v, n, sizeof *v, ascending);
  bool spans = n > 0 && v[0] > 0 && v[n - 1] > 1e3 * v[0] &&
               (v[n - 1] < 1e3 * first || v[n - 1 - n / 4] > 30 * v[n / 4]);
  free(v);
  return spans;
}

static int find_named(const csv_table *t, const char *name) {
  for (int i = 1; i < t->n_columns; i++)
    if (strcmp(t->name[i], name) == 0) return i;
  return -1;
}

static void add_measured(const curve_set *s, const char *name, int style, chart_curve *curve, int *n,
                         int most) {
  for (int b = 0; b < s->n_beside && *n < most; b++) {
    measured *m = &s->beside[b];
    const int column = find_named(&m->table, name);
    if (column < 0) continue;
    if (strcmp(unit_of(m->table.name[0]), unit_of(s->table->name[0])) != 0)
      snprintf(m->other_time, sizeof m->other_time, "'%s', as in %s", s->table->name[0], s->file);
    m->drawn[column] = true;
    curve[(*n)++] = (chart_curve){.label = "measured",
                                  .x = m->table.value[0],
                                  .y = m->table.value[column],
                                  .n = m->table.n_rows,
                                  .style = style,
                                  .points = true};
  }
}

/* A chart of one column is called as the column, one of several as their file and unit. */
static void name_chart(const curve_set *s, const char *column, bool one, char *title, size_t size) {
  char unit[96];
  words_of_unit(unit_of(column), unit, sizeof unit);
  if (one) run_folder_name(s->run, column, title, size);
  else snprintf(title, size, "%s%s%s", s->file, *unit ? " " : "", unit);
}

/* Does a chart of columns before this one already hold it? Charts take columns of one unit and kind of axis, so many as have a style. */
static void chart_from(FILE *out, curve_set *s, int first, bool *taken) {
  enum { MOST = 4 * CHART_STYLES };
  chart_curve curve[MOST];
  char title[256], label[CHART_STYLES][256], unit[96];
  const csv_table *t = s->table;
  bool log = spans_decades(s, first);
  int n = 0, styles = 0;
  for (int i = first; i < t->n_columns && styles < CHART_STYLES && n < MOST; i++) {
    if (taken[i] || strcmp(unit_of(t->name[i]), unit_of(t->name[first])) != 0 || spans_decades(s, i) != log)
      continue;
    taken[i] = true;
    run_folder_name(s->run, t->name[i], label[styles], sizeof label[styles]);
    curve[n++] = (chart_curve){.label = label[styles],
                               .x = t->value[0],
                               .y = t->value[i],
                               .n = t->n_rows,
                               .style = styles,
                               .points = t->n_rows == 1};
    add_measured(s, t->name[i], styles++, curve, &n, MOST);
  }
  name_chart(s, t->name[first], styles == 1, title, sizeof title);
  words_of_unit(unit_of(t->name[first]), unit, sizeof unit);
  chart c = {.title = title, .x_name = t->name[0], .y_name = unit, .log_y = log, .n = n, .curve = curve};
  if (chart_write(out, &c)) return;
  fputs("<p class=\"quiet\">", out);
  html_text(out, title);
  fputs(": no finite numbers.</p>\n", out);
}

static void write_set(FILE *out, curve_set *s) {
  bool taken[CSV_MOST_COLUMNS] = {false};
  fputs("<h3>", out);
  html_text(out, s->file);
  fputs("</h3>\n<div class=\"charts\">\n", out);
  for (int i = 1; i < s->table->n_columns; i++)
    if (!taken[i]) chart_from(out, s, i, taken);
  fputs("</div>\n", out);
}

static ew_status write_file(FILE *out, const run_folder *f, const char *name, curve_set *s, ew_error *err) {
  char path[EW_PATH];
  csv_table t = {0};
  snprintf(path, sizeof path, "%s/%s", f->path, name);
  ew_status status = read_table(path, true, &t, err);
  s->table = &t;
  s->file = name;
  if (status == EW_OK && t.n_columns > 1 && t.n_rows > 0) write_set(out, s);
  if (s->starved) status = ew_fail(err, EW_FAIL, "out of memory for the curves of %s", path);
  csv_table_clear(&t);
  return status;
}

/* ---- measurements ----------------------------------------------------------------------------------------------------------- */

/* Points that are asked for and cannot be drawn, or at other times than they were measured, are no page to look at; a column more than the run
 * has is said. */
static ew_status check_measured(const measured *m, FILE *said, ew_error *err) {
  const csv_table *t = &m->table;
  int drawn = 0;
  if (*m->other_time)
    return ew_fail(err, EW_INPUT, "%s: the first column is '%s', expected %s: times of one unit", m->path,
                   t->name[0], m->other_time);
  for (int i = 1; i < t->n_columns; i++) drawn += m->drawn[i];
  if (drawn == 0)
    return ew_fail(
        err, EW_INPUT,
        "%s: nothing to draw, no column behind the first is called as one of the run's histories and "
        "probes: found '%s'\nhint: name and unit have to be those in the run's CSV files, to the letter, as "
        "in 'h [m]'",
        m->path, t->n_columns > 1 ? t->name[1] : "");
  for (int i = 1; i < t->n_columns && said; i++)
    if (!m->drawn[i])
      fprintf(said, "warning: %s: '%s' is no column of the run's histories and probes: it is not drawn\n",
              m->path, t->name[i]);
  return EW_OK;
}

static ew_status write_files(FILE *out, curve_set *s, ew_error *err) {
  ew_status status = EW_OK;
  const run_folder *f = s->run;
  if (f->n_csv == 0) return EW_OK;
  fputs("<section id=\"curves\"><h2>Histories and probes</h2>\n", out);
  for (int i = 0; status == EW_OK && i < f->n_csv; i++) status = write_file(out, f, f->csv[i], s, err);
  fputs("</section>\n", out);
  return status;
}

ew_status page_curves(FILE *out, const run_folder *f, const report_options *options, FILE *said,
                      ew_error *err) {
  ew_status status = EW_OK;
  measured *beside = calloc((size_t)options->n_beside + 1, sizeof *beside);
  if (!beside) return ew_fail(err, EW_FAIL, "out of memory");
  curve_set s = {.beside = beside, .n_beside = options->n_beside, .run = f};
  for (int i = 0; status == EW_OK && i < options->n_beside; i++) {
    beside[i].path = options->beside[i];
    status = read_table(options->beside[i], false, &beside[i].table, err);
  }
  if (status == EW_OK) status = write_files(out, &s, err);
  for (int i = 0; status == EW_OK && i < options->n_beside; i++)
    status = check_measured(&beside[i], said, err);
  for (int i = 0; i < options->n_beside; i++) csv_table_clear(&beside[i].table);
  free(beside);
  return status;
}
