/* What two runs differ in. */
#include <cJSON.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "base/path.h"
#include "base/words.h"
#include "formats/csv_table.h"
#include "mesh/raster.h"
#include "report/folder.h"
#include "report/grid_file.h"
#include "report/report.h"

typedef struct comparison {
  const run_folder *a, *b;
  report_agreement within;
  FILE *out;
  int differences; /* of what decides the answer, or is the answer */
} comparison;

/* ---- numbers ------------------------------------------------------------------------------------------------------------------ */

typedef struct largest {
  double absolute, relative; /* relative: to the largest value of both */
  size_t at;
  bool differs;
} largest;

static largest compare_numbers(const double *a, const double *b, size_t n, report_agreement within) {
  largest l = {0};
  double scale = 0;
  for (size_t i = 0; i < n; i++) {
    if (isfinite(a[i])) scale = fmax(scale, fabs(a[i]));
    if (isfinite(b[i])) scale = fmax(scale, fabs(b[i]));
    if (a[i] == b[i] || (isnan(a[i]) && isnan(b[i]))) continue;
    double d = fabs(a[i] - b[i]);
    if (!isfinite(d)) d = INFINITY;
    if (d <= within.absolute) continue;
    if (d > l.absolute) l.absolute = d, l.at = i;
  }
  l.relative = scale > 0 ? l.absolute / scale : l.absolute;
  l.differs = l.relative > within.relative;
  return l;
}

/* ---- the records -------------------------------------------------------------------------------------------------------- */

/* Of "solve.p.iterations", what tells of the work: a resumed run counts its own part alone, and the interpreter solves without iterations. */
static bool is_work_of_solve(const char *key) {
  static const char *const parts[] = {"solves",  "iterations", "most_iterations", "restarts", "looks",
                                      "seconds", "outside",    "last_residual",   "ended",    "form"};
  const char *last = strrchr(key, '.');
  if (strncmp(key, "solve.", 6) != 0 || !last) return false;
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
    if (strcmp(last + 1, parts[i]) == 0) return true;
  return false;
}

/* What a program reads nowhere may be anything: whether it has to read is up to its schedule, and the interpreter's to ask. Parameters that follow
 * from others are rounded in one way or another. */
static bool is_same_input(const char *key, const cJSON *a, const cJSON *b) {
  static const double rounding = 1e-12;
  if (strncmp(key, "inputs.", 7) != 0 || !cJSON_IsString(a) || !cJSON_IsString(b)) return false;
  if (strcmp(a->valuestring, "nowhere") == 0 || strcmp(b->valuestring, "nowhere") == 0) return true;
  return strncmp(key, "inputs.parameter ", 17) == 0 && words_agree(a->valuestring, b->valuestring, rounding);
}

/* What two runs of one case differ in anyway, and what says where, when and how fast; scheme.hash holds the device and its schedule too. */
static bool is_circumstance(const char *key) {
  static const char *const parts[] = {
      "started",    "wall",    "rate",     "counts",  "memory",   "device", "roofs",
      "kernels",    "command", "versions", "resumed", "schedule", "files",  "files_each_output",
      "iterations", "warnings"};
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
    size_t n = strlen(parts[i]);
    if (strncmp(key, parts[i], n) == 0 && (key[n] == '.' || key[n] == '\0')) return true;
  }
  return is_work_of_solve(key) || strcmp(key, "scheme.path") == 0 || strcmp(key, "scheme.hash") == 0 ||
         strcmp(key, "case.file") == 0;
}

/* Numbers, of which steps make what they round to: --tolerance is for them. Counts are the same or not. */
static bool is_same_result(const comparison *c, const char *key, const cJSON *a, const cJSON *b) {
  if (strcmp(key, "result.t") != 0 && strcmp(key, "result.dt") != 0) return false;
  return cJSON_IsNumber(a) && cJSON_IsNumber(b) &&
         !compare_numbers(&a->valuedouble, &b->valuedouble, 1, c->within).differs;
}

/* `other`: from which a number is told. */
static void print_value(FILE *out, const cJSON *v, const cJSON *other) {
  char text[40], beside[40] = "";
  if (cJSON_IsNumber(v)) snprintf(text, sizeof text, "%.10g", v->valuedouble);
  if (cJSON_IsNumber(other)) snprintf(beside, sizeof beside, "%.10g", other->valuedouble);
  if (!v) fputs("(none)", out);
  else if (cJSON_IsString(v)) fprintf(out, "%s", v->valuestring);
  else if (cJSON_IsNumber(v) && strcmp(text, beside) == 0) fprintf(out, "%.17g", v->valuedouble);
  else if (cJSON_IsNumber(v)) fputs(text, out);
  else fputs(cJSON_IsTrue(v) ? "yes" : cJSON_IsFalse(v) ? "no" : cJSON_IsNull(v) ? "null" : "(several)", out);
}

/* Whether two values say the same, the members of objects in any order. cJSON_Compare looks at an object from both sides, which takes twice as long
 * for each level of the objects in it. */
static bool is_same(const cJSON *a, const cJSON *b) {
  if (!a || !b || (a->type & 0xff) != (b->type & 0xff)) return false;
  if (cJSON_IsString(a)) return strcmp(a->valuestring, b->valuestring) == 0;
  if (cJSON_IsNumber(a)) return a->valuedouble == b->valuedouble;
  if (cJSON_GetArraySize(a) != cJSON_GetArraySize(b)) return false;
  const cJSON *one = NULL, *next = b->child;
  cJSON_ArrayForEach(one, a) {
    if (!is_same(one, cJSON_IsArray(a) ? next : cJSON_GetObjectItemCaseSensitive(b, one->string)))
      return false;
    next = next->next;
  }
  return true;
}

static void say_values(comparison *c, const char *key, const cJSON *a, const cJSON *b, bool counts) {
  fprintf(c->out, "  %-28s ", key);
  print_value(c->out, a, b);
  fputs(" | ", c->out);
  print_value(c->out, b, a);
  fputc('\n', c->out);
  c->differences += counts;
}

/* Settings that only one of two runs has are named, one by one, and so is what it stores in single precision. */
static bool is_named_alone(const char *key) {
  return strncmp(key, "schedule.", 9) == 0 || strcmp(key, "in_single_precision") == 0;
}

/* Members of one object beside the other's; NULL: it has none. `circumstances`: those alone, or all but those. */
static void compare_objects(comparison *c, const cJSON *a, const cJSON *b, const char *prefix,
                            bool circumstances) {
  for (int side = 0; side < 2; side++) {
    const cJSON *one = NULL, *from = side ? b : a;
    cJSON_ArrayForEach(one, from) {
      char key[256];
      const cJSON *other = cJSON_GetObjectItemCaseSensitive(side ? a : b, one->string);
      snprintf(key, sizeof key, "%s%s%s", prefix, *prefix ? "." : "", one->string);
      if (side && other) continue; /* compared from the other side */
      if (cJSON_IsObject(one) && (cJSON_IsObject(other) || (!other && is_named_alone(key)))) {
        compare_objects(c, side ? NULL : one, side ? one : other, key, circumstances);
        continue;
      }
      const bool interpreted = !other && strcmp(key, "solve") == 0; /* exactly, with no method to tell of */
      const bool unknown = !other && strcmp(key, "inputs") == 0;    /* a version that did not keep them */
      bool seen = is_circumstance(key) || interpreted || unknown;
      bool leaves = interpreted || unknown || (!cJSON_IsObject(one) && strncmp(key, "files", 5) != 0);
      if (seen != circumstances || (circumstances && !leaves)) continue;
      if (is_same(one, other) || is_same_input(key, one, other) || is_same_result(c, key, one, other))
        continue;
      say_values(c, key, side ? NULL : one, side ? one : other, !circumstances);
    }
  }
}

/* ---- what is said ------------------------------------------------------------------------------------------------------------------ */

static void say_largest(comparison *c, const char *what, const largest *l, const char *where) {
  fprintf(c->out, "  %-28s differs by %.3g at most, %.3g of the largest value (%s %zu)\n", what, l->absolute,
          l->relative, where, l->at);
  c->differences++;
}

static void say(comparison *c, const char *what, const char *words) {
  fprintf(c->out, "  %-28s %s\n", what, words);
  c->differences++;
}

/* ---- CSV files ------------------------------------------------------------------------------------------------------------------ */

static ew_status open_table(const char *folder, const char *name, csv_table *t, ew_error *err) {
  char path[EW_PATH];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  FILE *f = folder_file(path, err);
  if (!f) return err->status;
  ew_status status = csv_table_read(f, t, err);
  fclose(f);
  return status == EW_OK ? EW_OK : ew_context(err, "%s", path);
}

static int find_column(const csv_table *t, const char *name) {
  int k = 0;
  while (k < t->n_columns && strcmp(t->name[k], name) != 0) k++;
  return k < t->n_columns ? k : -1;
}

static void compare_tables(comparison *c, const char *name, const csv_table *a, const csv_table *b) {
  size_t rows = a->n_rows < b->n_rows ? a->n_rows : b->n_rows;
  char what[256];
  if (a->n_rows != b->n_rows) {
    snprintf(what, sizeof what, "has %zu and %zu rows; the first %zu are compared", a->n_rows, b->n_rows,
             rows);
    say(c, name, what);
  }
  for (int i = 0; i < a->n_columns; i++) {
    const int k = find_column(b, a->name[i]);
    snprintf(what, sizeof what, "%s, %s", name, a->name[i]);
    if (k < 0) {
      say(c, what, "is a column of the first alone");
      continue;
    }
    largest l = compare_numbers(a->value[i], b->value[k], rows, c->within);
    l.at++; /* rows count from 1, behind the header, as those of rasters do */
    if (l.differs) say_largest(c, what, &l, "row");
  }
  for (int i = 0; i < b->n_columns; i++)
    if (find_column(a, b->name[i]) < 0) {
      snprintf(what, sizeof what, "%s, %s", name, b->name[i]);
      say(c, what, "is a column of the second alone");
    }
}

static ew_status compare_csv(comparison *c, const char *name, ew_error *err) {
  csv_table a = {0}, b = {0};
  ew_status status = open_table(c->a->path, name, &a, err);
  if (status == EW_OK) status = open_table(c->b->path, name, &b, err);
  if (status == EW_OK) compare_tables(c, name, &a, &b);
  csv_table_clear(&a);
  csv_table_clear(&b);
  return status;
}

/* ---- fields ---------------------------------------------------------------------------------------------------------------------- */

static void compare_arrays(comparison *c, const char *name, const grid_file *a, const grid_file *b) {
  char what[256];
  for (int i = 0; i < a->n; i++) {
    const grid_array *x = &a->array[i], *y = grid_file_find(b, x->name);
    snprintf(what, sizeof what, "%s, %s", name, x->name);
    if (!y) say(c, what, "is a field of the first alone");
    else if (x->n != y->n || x->components != y->components)
      say(c, what, "has other sizes: the meshes differ");
    else {
      largest l = compare_numbers(x->value, y->value, x->n, c->within);
      l.at /= (size_t)x->components;
      if (l.differs) say_largest(c, what, &l, "entry");
    }
  }
  for (int i = 0; i < b->n; i++)
    if (!grid_file_find(a, b->array[i].name)) {
      snprintf(what, sizeof what, "%s, %s", name, b->array[i].name);
      say(c, what, "is a field of the second alone");
    }
}

static ew_status compare_grids(comparison *c, const char *name, ew_error *err) {
  char path[EW_PATH];
  grid_file a = {0}, b = {0};
  snprintf(path, sizeof path, "%s/%s", c->a->path, name);
  ew_status status = grid_file_read(path, &a, err);
  snprintf(path, sizeof path, "%s/%s", c->b->path, name);
  if (status == EW_OK) status = grid_file_read(path, &b, err);
  if (status == EW_OK) compare_arrays(c, name, &a, &b);
  grid_file_clear(&a);
  grid_file_clear(&b);
  return status;
}

/* ---- rasters -------------------------------------------------------------------------------------------------------------------- */

static void compare_cells(comparison *c, const char *name, const raster *a, const raster *b) {
  const raster_bounds x = raster_get_bounds(a), y = raster_get_bounds(b);
  if (x.n_columns != y.n_columns || x.n_rows != y.n_rows || x.x0 != y.x0 || x.y0 != y.y0 ||
      x.cell_size != y.cell_size) {
    say(c, name, "has other cells");
    return;
  }
  const size_t n = (size_t)x.n_columns * (size_t)x.n_rows;
  const largest l = compare_numbers(raster_values(a), raster_values(b), n, c->within);
  char where[60];
  const size_t row = (size_t)x.n_rows - l.at / (size_t)x.n_columns; /* as the file counts them, from 1 */
  snprintf(where, sizeof where, "row %zu, column", row);
  if (l.differs)
    say_largest(c, name, &(largest){l.absolute, l.relative, l.at % (size_t)x.n_columns + 1, true}, where);
}

static ew_status compare_rasters(comparison *c, const char *name, ew_error *err) {
  char path[EW_PATH];
  raster *a = NULL, *b = NULL;
  snprintf(path, sizeof path, "%s/%s", c->a->path, name);
  ew_status status = raster_read(path, &a, err);
  snprintf(path, sizeof path, "%s/%s", c->b->path, name);
  if (status == EW_OK) status = raster_read(path, &b, err);
  if (status == EW_OK) compare_cells(c, name, a, b);
  raster_destroy(&a);
  raster_destroy(&b);
  return status;
}

/* ---- both ------------------------------------------------------------------------------------------------------------------------ */

typedef struct name_list {
  char *const *name;
  int n;
} name_list;

static bool holds(name_list list, const char *name) {
  for (int i = 0; i < list.n; i++)
    if (strcmp(list.name[i], name) == 0) return true;
  return false;
}

typedef ew_status (*compare_file)(comparison *c, const char *name, ew_error *err);

static ew_status compare_files(comparison *c, name_list a, name_list b, compare_file one, ew_error *err) {
  ew_status status = EW_OK;
  for (int i = 0; status == EW_OK && i < a.n; i++) {
    if (holds(b, a.name[i])) status = one(c, a.name[i], err);
    else say(c, a.name[i], "is a file of the first alone");
  }
  for (int i = 0; i < b.n; i++)
    if (!holds(a, b.name[i])) say(c, b.name[i], "is a file of the second alone");
  return status;
}

static bool has_numbers(const run_folder *f) { return f->n_csv + f->n_grids + f->n_rasters > 0; }

static ew_status compare_all(comparison *c, ew_error *err) {
  ew_status status = EW_OK;
  fputs("what decides the answer, and the answer:\n", c->out);
  compare_objects(c, c->a->record, c->b->record, "", false);
  EW_CHECK(compare_files(c, (name_list){c->a->csv, c->a->n_csv}, (name_list){c->b->csv, c->b->n_csv},
                         compare_csv, err));
  EW_CHECK(compare_files(c, (name_list){c->a->grid, c->a->n_grids}, (name_list){c->b->grid, c->b->n_grids},
                         compare_grids, err));
  EW_CHECK(compare_files(c, (name_list){c->a->raster, c->a->n_rasters},
                         (name_list){c->b->raster, c->b->n_rasters}, compare_rasters, err));
  if (c->differences == 0) fputs("  no difference\n", c->out);
  if (!has_numbers(c->a) && !has_numbers(c->b))
    fputs("  neither run kept histories, fields or rasters: the records alone are compared\n", c->out);
  fputs("where, when and how fast:\n", c->out);
  compare_objects(c, c->a->record, c->b->record, "", true);
cleanup:
  return status;
}

ew_status report_compare(const char *a, const char *b, report_agreement within, FILE *out, int *same,
                         ew_error *err) {
  run_folder x, y;
  ew_status status = run_folder_open(&x, a, err);
  if (status != EW_OK) return status;
  status = run_folder_open(&y, b, err);
  if (status == EW_OK) {
    comparison c = {.a = &x, .b = &y, .within = within, .out = out};
    status = compare_all(&c, err);
    *same = c.differences == 0;
    run_folder_close(&y);
  }
  run_folder_close(&x);
  return status;
}
