#include "formats/csv.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "formats/atomic_file.h"

struct csv {
  char *path;
  FILE *stream;
  size_t n_columns;
};

static ew_status fail_on(const char *path, ew_error *err) {
  return ew_fail(err, EW_IO, "cannot write '%s': %s", path, strerror(errno));
}

/* RFC 4180: a field with a comma, a quote or a line end is quoted, its quotes doubled. */
static void print_field(FILE *out, const csv_column *column) {
  const char *unit = column->unit ? column->unit : "";
  const char *part[] = {column->name, *unit ? " [" : "", unit, *unit ? "]" : ""};
  bool quoted = strpbrk(column->name, ",\"\r\n") || strpbrk(unit, ",\"\r\n");
  if (quoted) fputc('"', out);
  for (int i = 0; i < 4; i++)
    for (const char *p = part[i]; *p; p++) {
      if (*p == '"') fputc('"', out);
      fputc(*p, out);
    }
  if (quoted) fputc('"', out);
}

/* The header line, with its line end, as a new string; NULL without memory. */
static char *header_text(const csv_column *column, size_t n_columns) {
  char *text = NULL;
  size_t size = 0;
  FILE *out = open_memstream(&text, &size);
  if (!out) return NULL;
  for (size_t i = 0; i < n_columns; i++) {
    if (i) fputc(',', out);
    print_field(out, &column[i]);
  }
  fputc('\n', out);
  if (fclose(out) == 0) return text;
  free(text);
  return NULL;
}

static ew_status open_csv(csv **out, const char *path, const char *mode, size_t n_columns, ew_error *err) {
  csv *file = calloc(1, sizeof *file);
  if (file) file->path = strdup(path);
  if (!file || !file->path) {
    csv_destroy(&file);
    return ew_fail(err, EW_FAIL, "out of memory while opening '%s'", path);
  }
  file->n_columns = n_columns;
  file->stream = fopen(path, mode);
  if (!file->stream) {
    ew_status status = fail_on(path, err);
    csv_destroy(&file);
    return status;
  }
  *out = file;
  return EW_OK;
}

ew_status csv_create(csv **out, const char *path, const csv_column *column, size_t n_columns, ew_error *err) {
  *out = NULL;
  char *header = header_text(column, n_columns);
  if (!header) return ew_fail(err, EW_FAIL, "out of memory while opening '%s'", path);
  ew_status status = open_csv(out, path, "we", n_columns, err);
  if (status == EW_OK && (fputs(header, (*out)->stream) < 0 || fflush((*out)->stream) != 0)) {
    status = fail_on(path, err);
    csv_destroy(out);
  }
  free(header);
  return status;
}

static ew_status compare_header(const char *path, const char *found, const char *expected, ew_error *err) {
  if (strcmp(found, expected) == 0) return EW_OK;
  return ew_fail(err, EW_IO,
                 "cannot continue '%s': its columns are not this run's\n  found:    %.*s\n  expected: %.*s\n"
                 "hint: move the file away, or resume with the case that wrote it",
                 path, (int)strcspn(found, "\r\n"), found, (int)strcspn(expected, "\n"), expected);
}

/* A line counts when it ends: a crash can leave half a line. */
static bool keep_line(const char *line, double until) {
  char *end;
  double first = strtod(line, &end);
  return end != line && first <= until && strchr(line, '\n');
}

/* Copies the rows to keep through an atomic file, so that a crash in between loses nothing. */
static ew_status keep_rows(FILE *in, const char *path, const char *header, double until, ew_error *err) {
  ew_status status;
  atomic_file *out = NULL;
  char *line = NULL;
  size_t room = 0;
  EW_CHECK(compare_header(path, getline(&line, &room, in) < 0 ? "(an empty file)" : line, header, err));
  EW_CHECK(atomic_file_create(&out, path, err));
  EW_CHECK(atomic_file_print(out, err, "%s", header));
  while (getline(&line, &room, in) >= 0)
    if (keep_line(line, until)) EW_CHECK(atomic_file_print(out, err, "%s", line));
  if (ferror(in)) EW_CHECK(ew_fail(err, EW_IO, "cannot read '%s': %s", path, strerror(errno)));
  status = atomic_file_commit(&out, false, err);
cleanup:
  atomic_file_destroy(&out);
  free(line);
  return status;
}

ew_status csv_continue(csv **out, const char *path, const csv_column *column, size_t n_columns, double until,
                       ew_error *err) {
  *out = NULL;
  FILE *in = fopen(path, "re");
  if (!in && errno == ENOENT) return csv_create(out, path, column, n_columns, err);
  if (!in) return ew_fail(err, EW_IO, "cannot read '%s': %s", path, strerror(errno));
  char *header = header_text(column, n_columns);
  ew_status status = header ? keep_rows(in, path, header, until, err)
                            : ew_fail(err, EW_FAIL, "out of memory while opening '%s'", path);
  fclose(in);
  free(header);
  return status == EW_OK ? open_csv(out, path, "ae", n_columns, err) : status;
}

ew_status csv_row(csv *file, const double *value, ew_error *err) {
  for (size_t i = 0; i < file->n_columns; i++)
    if (fprintf(file->stream, "%s%.17g", i ? "," : "", value[i]) < 0) return fail_on(file->path, err);
  if (fputc('\n', file->stream) == EOF || fflush(file->stream) != 0) return fail_on(file->path, err);
  return EW_OK;
}

void csv_destroy(csv **file) {
  csv *f = *file;
  if (!f) return;
  if (f->stream) fclose(f->stream); /* every row is flushed: nothing can be lost here */
  free(f->path);
  free(f);
  *file = NULL;
}
