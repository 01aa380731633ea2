#include "formats/csv_table.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/line.h"
#include "base/words.h"

void csv_table_clear(csv_table *t) {
  for (int i = 0; i < t->n_columns; i++) free(t->value[i]);
  free(t->header);
  *t = (csv_table){0};
}

/* Cuts the name that begins at *at out of the line, in place; *at goes behind the comma, or to NULL behind the last. NULL: its quotes
 * do not end, or something stands between them and the comma. */
static const char *take_name(char **at) {
  char *name = *at, *to = *at, *from = *at;
  bool quoted = *from == '"';
  if (quoted) {
    for (from++; *from && (*from != '"' || from[1] == '"'); from++) {
      from += *from == '"';
      *to++ = *from;
    }
    if (*from != '"' || !strchr(",", *++from)) return NULL;
  } else to = from += strcspn(from, ",");
  *at = *from ? from + 1 : NULL;
  *to = '\0';
  return name;
}

/* Rows without a header: the first would be taken for names, and the table would begin with the second. */
static bool is_number(const char *name) {
  char *end;
  strtod(name, &end);
  return end != name && !end[strspn(end, " ")];
}

static ew_status read_header(csv_table *t, const char *line, ew_error *err) {
  line += words_mark(line, strlen(line));
  t->header = strndup(line, strcspn(line, "\r\n"));
  if (!t->header) return ew_fail(err, EW_FAIL, "out of memory");
  for (char *rest = t->header; rest;) {
    if (t->n_columns == CSV_MOST_COLUMNS)
      return ew_fail(err, EW_INPUT, "more than %d columns", CSV_MOST_COLUMNS);
    const char *name = take_name(&rest);
    if (!name)
      return ew_fail(err, EW_INPUT, "line 1: the quotes of column %d do not end before a comma",
                     t->n_columns + 1);
    t->name[t->n_columns++] = name;
  }
  if (is_number(t->name[0]))
    return ew_fail(err, EW_INPUT, "line 1 must name the columns, as 't,Q' does; found the number %.40s",
                   t->name[0]);
  return EW_OK;
}

static ew_status grow(csv_table *t, ew_error *err) {
  size_t room = t->room ? 2 * t->room : 64;
  for (int i = 0; i < t->n_columns; i++) {
    double *bigger = realloc(t->value[i], room * sizeof *bigger);
    if (!bigger) return ew_fail(err, EW_FAIL, "out of memory");
    t->value[i] = bigger;
  }
  t->room = room;
  return EW_OK;
}

static ew_status read_row(csv_table *t, const char *line, ew_error *err) {
  if (t->n_rows == t->room) {
    ew_status status = grow(t, err);
    if (status != EW_OK) return status;
  }
  const char *at = line;
  for (int i = 0; i < t->n_columns; i++) {
    char *end;
    t->value[i][t->n_rows] = strtod(at, &end);
    end += strspn(end, " \t");
    if (end == at || !strchr(",\r\n", *end))
      return ew_fail(err, EW_INPUT, "line %zu, column %d: a number is expected, found '%.*s'", t->n_rows + 2,
                     i + 1, (int)strcspn(at, ",\r\n"), at);
    bool last = i + 1 == t->n_columns;
    if (last == (*end == ','))
      return ew_fail(err, EW_INPUT, "line %zu: %d columns are expected, as in line 1", t->n_rows + 2,
                     t->n_columns);
    at = end + 1;
  }
  t->n_rows++;
  return EW_OK;
}

/* What would be read wrongly, or passed over without a word: all behind a zero byte, and behind a carriage return that ends no line here. */
static const char *wrong_with(const char *line, size_t n, size_t number) {
  const char *end = line + strcspn(line, "\r");
  end += strspn(end, "\r");
  if (number == 1 && words_utf16(line, n)) return "it is UTF-16; save it as UTF-8";
  if (strlen(line) != n) return "a zero byte; it is no text";
  if (*end && *end != '\n')
    return "it has a carriage return within; save the file with line feeds at the ends of lines";
  return NULL;
}

/* The next line; false at the end. */
static bool next_line(FILE *in, char **line, size_t *room, size_t number, ew_status *status, ew_error *err) {
  ssize_t n = ew_next_line(line, room, in);
  if (n < 0 && errno == EFBIG)
    *status = ew_fail(err, EW_INPUT, "line %zu: more than 16 MiB; it is no table", number);
  else if (n < 0 && ferror(in)) *status = ew_fail(err, EW_IO, "cannot be read: %s", strerror(errno));
  else if (n < 0 && errno == ENOMEM) *status = ew_fail(err, EW_FAIL, "out of memory");
  if (n < 0) return false;
  const char *wrong = wrong_with(*line, (size_t)n, number);
  if (wrong) *status = ew_fail(err, EW_INPUT, "line %zu: %s", number, wrong);
  return !wrong;
}

static bool is_blank(const char *line) { return !line[strspn(line, " \t\r\n")]; }

/* Editors leave blank lines at the end, where they mean nothing; between rows something may be missing. */
static ew_status read_rows(FILE *in, csv_table *t, char **line, size_t *room, ew_error *err) {
  ew_status status = EW_OK;
  size_t blank = 0;
  while (status == EW_OK && next_line(in, line, room, t->n_rows + blank + 2, &status, err)) {
    if (is_blank(*line)) blank++;
    else if (blank > 0)
      status = ew_fail(err, EW_INPUT, "line %zu: it is blank, and rows follow", t->n_rows + 2);
    else status = read_row(t, *line, err);
  }
  return status;
}

ew_status csv_table_read(FILE *in, csv_table *out, ew_error *err) {
  ew_status status = EW_OK;
  char *line = NULL;
  size_t room = 0;
  *out = (csv_table){0};
  if (next_line(in, &line, &room, 1, &status, err)) status = read_header(out, line, err);
  else if (status == EW_OK) status = ew_fail(err, EW_INPUT, "the file is empty");
  if (status == EW_OK) status = read_rows(in, out, &line, &room, err);
  free(line);
  return status;
}
