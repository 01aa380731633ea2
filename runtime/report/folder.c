#include "report/folder.h"

#include <cJSON.h>
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/words.h"
#include "base/json.h"
#include "base/memory.h"
#include "base/path.h"
#include "base/regular.h"

/* Larger files are no record of ours. */
enum { MOST_BYTES = 64 << 20, MOST_OUTPUTS = 1 << 20 };

FILE *folder_file(const char *path, ew_error *err) {
  struct stat info;
  FILE *f = ew_regular_file(path, &info);
  if (!f)
    ew_fail(err, EW_IO, "cannot read '%s': %s", path, errno ? strerror(errno) : "it is no regular file");
  return f;
}

static ew_status read_all(const char *path, char **text, ew_error *err) {
  FILE *f = folder_file(path, err);
  if (!f) return err->status;
  size_t room = 0, n = 0, got = 1;
  ew_status status = EW_OK;
  *text = NULL;
  while (status == EW_OK && got > 0 && n < MOST_BYTES) {
    status = ew_reserve((void **)text, &room, n + 65536, 1, err);
    if (status != EW_OK) break;
    got = fread(*text + n, 1, 65535, f);
    n += got;
  }
  if (status == EW_OK && ferror(f))
    status = ew_fail(err, EW_IO, "cannot read '%s': %s", path, strerror(errno));
  fclose(f);
  if (status == EW_OK) (*text)[n] = '\0';
  else free(*text), *text = NULL;
  return status;
}

static ew_status join(char *path, size_t size, const char *folder, const char *name, ew_error *err) {
  int n = snprintf(path, size, "%s/%s", folder, name);
  return n < 0 || (size_t)n >= size ? ew_fail(err, EW_IO, "'%s/%s': the path is too long", folder, name)
                                    : EW_OK;
}

static ew_status read_record(run_folder *f, ew_error *err) {
  char path[EW_PATH], *text = NULL;
  ew_status status = join(path, sizeof path, f->path, "run.json", err);
  if (status == EW_OK) status = read_all(path, &text, err);
  if (status != EW_OK) return ew_context(err, "'%s' holds no finished run", f->path), status;
  status = ew_parse_json(text, &f->record, err);
  free(text);
  if (status != EW_OK) return ew_context(err, "%s", path), status;
  if (!cJSON_IsObject(f->record))
    return ew_fail(err, EW_INPUT, "'%s' is no record of a run: it is not valid JSON", path);
  return EW_OK;
}

/* ---- names ---------------------------------------------------------------------------------------------------------- */

static bool ends_with(const char *name, const char *end) {
  size_t n = strlen(name), m = strlen(end);
  return n > m && strcmp(name + n - m, end) == 0;
}

static ew_status add_name(char ***list, int *n, const char *name, ew_error *err) {
  char **longer = realloc(*list, ((size_t)*n + 1) * sizeof *longer);
  if (!longer) return ew_fail(err, EW_FAIL, "out of memory");
  *list = longer;
  longer[*n] = ew_copy_text(name, err);
  if (!longer[*n]) return EW_FAIL;
  ++*n;
  return EW_OK;
}

/* How much of a name stands before the number of its output, "heat_0012.vtu"; 0 if it has none. */
static size_t numbered_stem(const char *name, int *number) {
  const char *suffix = strrchr(name, '.');
  size_t digits = suffix ? (size_t)(suffix - name) : 0, begin = digits;
  while (begin > 0 && isdigit((unsigned char)name[begin - 1])) begin--;
  if (digits - begin < 4 || digits - begin > 6 || begin < 2 || name[begin - 1] != '_') return 0;
  *number = atoi(name + begin);
  return begin - 1;
}

/* ---- whose they are ------------------------------------------------------------------------------------------------------ */

/* "heat_0012.vtu" beside "heat_0000.vtu", which the record has for all of them. */
static bool is_of_series(const char *name, size_t stem, const char *first) {
  int number;
  return numbered_stem(first, &number) == stem && strncmp(first, name, stem) == 0 &&
         strcmp(strrchr(first, '.'), strrchr(name, '.')) == 0;
}

/* Whether the run of the record wrote the file: a folder may hold files of runs before. A record of a version that kept no list tells only how
 * many outputs there were. */
static bool is_of_run(const run_folder *f, const char *name) {
  int number = 0;
  const size_t stem = numbered_stem(name, &number);
  const double outputs = run_folder_number(f, "result.outputs");
  const cJSON *single = cJSON_GetObjectItemCaseSensitive(f->record, "files"),
              *each = cJSON_GetObjectItemCaseSensitive(f->record, "files_each_output"), *one;
  const bool beyond = stem && number >= outputs;
  if (!cJSON_IsArray(single) || !cJSON_IsArray(each)) return !beyond;
  cJSON_ArrayForEach(one, single) if (cJSON_IsString(one) && strcmp(one->valuestring, name) == 0) return true;
  if (!stem || beyond) return false;
  cJSON_ArrayForEach(one,
                     each) if (cJSON_IsString(one) && is_of_series(name, stem, one->valuestring)) return true;
  return false;
}

/* ---- files ---------------------------------------------------------------------------------------------------------- */

static ew_status add_picture(run_folder *f, const char *name, ew_error *err) {
  int number = 0;
  size_t stem = numbered_stem(name, &number);
  if (!stem) return EW_OK;
  folder_series *s = NULL;
  for (int i = 0; i < f->n_series && !s; i++)
    if (strlen(f->series[i].name) == stem && strncmp(f->series[i].name, name, stem) == 0) s = &f->series[i];
  if (!s) {
    folder_series *longer = realloc(f->series, ((size_t)f->n_series + 1) * sizeof *longer);
    if (!longer) return ew_fail(err, EW_FAIL, "out of memory");
    f->series = longer;
    s = &longer[f->n_series];
    *s = (folder_series){.name = strndup(name, stem)};
    if (!s->name) return ew_fail(err, EW_FAIL, "out of memory");
    f->n_series++;
  }
  int *longer = realloc(s->number, ((size_t)s->n + 1) * sizeof *longer);
  if (!longer) return ew_fail(err, EW_FAIL, "out of memory");
  s->number = longer;
  s->number[s->n++] = number;
  return EW_OK;
}

static int by_name(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }
static int by_series_name(const void *a, const void *b) {
  return strcmp(((const folder_series *)a)->name, ((const folder_series *)b)->name);
}
static int by_number(const void *a, const void *b) {
  int x = *(const int *)a, y = *(const int *)b;
  return (x > y) - (x < y);
}

static void sort_files(run_folder *f) {
  if (f->n_csv > 0) qsort(f->csv, (size_t)f->n_csv, sizeof *f->csv, by_name);
  if (f->n_grids > 0) qsort(f->grid, (size_t)f->n_grids, sizeof *f->grid, by_name);
  if (f->n_rasters > 0) qsort(f->raster, (size_t)f->n_rasters, sizeof *f->raster, by_name);
  if (f->n_series > 0) qsort(f->series, (size_t)f->n_series, sizeof *f->series, by_series_name);
  for (int i = 0; i < f->n_series; i++)
    qsort(f->series[i].number, (size_t)f->series[i].n, sizeof(int), by_number);
}

/* ---- times of outputs -------------------------------------------------------------------------------------------------- */

static ew_status keep_time(run_folder *f, int number, double time, ew_error *err) {
  if (number < 0 || number >= MOST_OUTPUTS) return EW_OK;
  if (number >= f->n_times) {
    double *longer = realloc(f->time, ((size_t)number + 1) * sizeof *longer);
    if (!longer) return ew_fail(err, EW_FAIL, "out of memory");
    f->time = longer;
    for (int i = f->n_times; i <= number; i++) longer[i] = NAN;
    f->n_times = number + 1;
  }
  f->time[number] = time;
  return EW_OK;
}

/* The file is our own: each output a line, `timestep="T" ... file="NAME_0003.vtu"`. */
static ew_status read_times(run_folder *f, const char *name, ew_error *err) {
  char path[EW_PATH], *text = NULL;
  ew_status status = join(path, sizeof path, f->path, name, err);
  if (status == EW_OK) status = read_all(path, &text, err);
  for (char *at = text; status == EW_OK && at && (at = strstr(at, "timestep=\"")) != NULL;) {
    at += strlen("timestep=\"");
    char *end = strstr(at, "\"/>"), *number = end;
    if (!end) break;
    while (number > at && *number != '.' && *number != '=') number--;
    while (number > at && isdigit((unsigned char)number[-1])) number--;
    if (isdigit((unsigned char)*number)) status = keep_time(f, atoi(number), strtod(at, NULL), err);
    at = end;
  }
  free(text);
  return status;
}

static ew_status add_file(run_folder *f, const char *name, ew_error *err) {
  if (!is_of_run(f, name)) return EW_OK;
  if (ends_with(name, ".csv")) return add_name(&f->csv, &f->n_csv, name, err);
  if (ends_with(name, ".vtu") || ends_with(name, ".vti") || ends_with(name, ".vtr"))
    return add_name(&f->grid, &f->n_grids, name, err);
  if (ends_with(name, ".asc") || ends_with(name, ".tif"))
    return add_name(&f->raster, &f->n_rasters, name, err);
  if (ends_with(name, ".png")) return add_picture(f, name, err);
  return ends_with(name, ".pvd") ? read_times(f, name, err) : EW_OK;
}

ew_status run_folder_open(run_folder *out, const char *path, ew_error *err) {
  *out = (run_folder){.path = path};
  ew_status status = read_record(out, err);
  DIR *d = status == EW_OK ? opendir(path) : NULL;
  if (status == EW_OK && !d) status = ew_fail(err, EW_IO, "cannot read '%s': %s", path, strerror(errno));
  for (struct dirent *e; status == EW_OK && (e = readdir(d)) != NULL;) status = add_file(out, e->d_name, err);
  if (d) closedir(d);
  if (status == EW_OK) sort_files(out);
  else run_folder_close(out);
  return status;
}

void run_folder_close(run_folder *f) {
  for (int i = 0; i < f->n_csv; i++) free(f->csv[i]);
  for (int i = 0; i < f->n_grids; i++) free(f->grid[i]);
  for (int i = 0; i < f->n_rasters; i++) free(f->raster[i]);
  for (int i = 0; i < f->n_series; i++) free(f->series[i].name), free(f->series[i].number);
  free(f->csv);
  free(f->grid);
  free(f->raster);
  free(f->series);
  free(f->time);
  cJSON_Delete(f->record);
  *f = (run_folder){0};
}

/* ---- the record ------------------------------------------------------------------------------------------------------------ */

const struct cJSON *run_folder_value(const run_folder *f, const char *key) {
  const cJSON *at = f->record;
  while (at && *key) {
    char part[128];
    size_t n = strcspn(key, ".");
    if (n >= sizeof part) return NULL;
    memcpy(part, key, n);
    part[n] = '\0';
    at = cJSON_GetObjectItemCaseSensitive(at, part);
    key += n + (key[n] == '.');
  }
  return at;
}

const char *run_folder_text(const run_folder *f, const char *key) {
  const cJSON *v = run_folder_value(f, key);
  return cJSON_IsString(v) ? v->valuestring : "";
}

double run_folder_number(const run_folder *f, const char *key) {
  const cJSON *v = run_folder_value(f, key);
  return cJSON_IsNumber(v) ? v->valuedouble : NAN;
}

void run_folder_name(const run_folder *f, const char *name, char *text, size_t size) {
  char key[160], unit[96] = "";
  const char *bracket = strrchr(name, '[');
  int all = bracket && bracket > name ? (int)(bracket - name - 1) : (int)strlen(name);
  snprintf(key, sizeof key, "scheme.fields.%.*s", (int)strcspn(name, ". ["), name);
  const char *words = run_folder_text(f, key);
  if (bracket) words_of_unit(bracket, unit, sizeof unit);
  snprintf(text, size, "%.*s%s%s%s%s", all, name, *words ? ", " : "", words, bracket ? " " : "", unit);
}
