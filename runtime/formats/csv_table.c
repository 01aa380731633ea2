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

/* Cuts the name that begins at *at out of the line, in place, with its quotes or the blanks around it; *at goes behind the comma, or to NULL behind the last. NULL: its quotes
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
  } else {
    to = from += strcspn(from, ",");
    name += strspn(name, " \t");
    while (to > name && strchr(" \t", to[-1])) to--;
  }
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

/* The header and, in `name`, where its names begin. */
static ew_status read_header(const char *line, char **header, const char **name, int *n, ew_error *err) {
  line += words_mark(line, strlen(line));
  *header = strndup(line, strcspn(line, "\r\n"));
  if (!*header) return ew_fail(err, EW_FAIL, "out of memory");
  for (char *rest = *header; rest; ++*n) {
    if (*n == CSV_MOST_COLUMNS) return ew_fail(err, EW_INPUT, "more than %d columns", CSV_MOST_COLUMNS);
    name[*n] = take_name(&rest);
    if (!name[*n])
      return ew_fail(err, EW_INPUT, "line 1: the quotes of column %d do not end before a comma", *n + 1);
  }
  if (is_number(name[0]))
    return ew_fail(err, EW_INPUT, "line 1 must name the columns, as 't,Q' does; found the number %.40s",
                   name[0]);
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

/* What is read: numbers, or texts. */
typedef struct reading {
  FILE *in;
  csv_table *table;
  csv_texts *texts; /* one of them is NULL */
} reading;

static ew_status take_line(const reading *r, size_t number, const char *line, ew_error *err);

/* Editors leave blank lines at the end, where they mean nothing; between rows something may be missing. */
static ew_status read_rows(const reading *r, char **line, size_t *room, ew_error *err) {
  ew_status status = EW_OK;
  size_t blank = 0;
  for (size_t number = 1; status == EW_OK && next_line(r->in, line, room, number, &status, err); number++) {
    if (number > 1 && is_blank(*line)) blank = blank > 0 ? blank : number;
    else if (blank > 0) status = ew_fail(err, EW_INPUT, "line %zu: it is blank, and rows follow", blank);
    else status = take_line(r, number, *line, err);
  }
  return status;
}

/* ---- texts ------------------------------------------------------------------------------------------------------------- */

void csv_texts_clear(csv_texts *t) {
  for (size_t i = 0; i < t->n_rows; i++) free(t->line[i]);
  free(t->line);
  free(t->cell);
  free(t->header);
  *t = (csv_texts){0};
}

static ew_status grow_texts(csv_texts *t, ew_error *err) {
  const size_t room = t->room ? 2 * t->room : 64;
  char **line = realloc(t->line, room * sizeof *line);
  if (line) t->line = line;
  const char **cell = line ? realloc(t->cell, room * (size_t)t->n_columns * sizeof *cell) : NULL;
  if (!cell) return ew_fail(err, EW_FAIL, "out of memory");
  t->cell = cell, t->room = room;
  return EW_OK;
}

static ew_status read_texts(csv_texts *t, const char *line, ew_error *err) {
  ew_status status = t->n_rows == t->room ? grow_texts(t, err) : EW_OK;
  if (status != EW_OK) return status;
  char *rest = strndup(line, strcspn(line, "\r\n"));
  if (!rest) return ew_fail(err, EW_FAIL, "out of memory");
  const size_t row = t->n_rows++;
  t->line[row] = rest;
  int n = 0;
  for (; rest && n < t->n_columns; n++) {
    t->cell[row * (size_t)t->n_columns + (size_t)n] = take_name(&rest);
    if (!t->cell[row * (size_t)t->n_columns + (size_t)n])
      return ew_fail(err, EW_INPUT, "line %zu: the quotes of column %d do not end before a comma", row + 2,
                     n + 1);
  }
  if (rest || n < t->n_columns)
    return ew_fail(err, EW_INPUT, "line %zu: %d columns are expected, as in line 1", row + 2, t->n_columns);
  return EW_OK;
}

void csv_text_write(FILE *out, const char *text) {
  const size_t n = strlen(text);
  const bool edge = n > 0 && (strchr(" \t", text[0]) || strchr(" \t", text[n - 1]));
  if (!edge && !strpbrk(text, ",\"\r\n")) {
    fputs(text, out);
    return;
  }
  putc('"', out);
  for (; *text; text++) {
    if (*text == '"') putc('"', out);
    putc(*text, out);
  }
  putc('"', out);
}

/* ---- the whole --------------------------------------------------------------------------------------------------------- */

static ew_status take_line(const reading *r, size_t number, const char *line, ew_error *err) {
  csv_table *t = r->table;
  csv_texts *s = r->texts;
  if (number > 1) return t ? read_row(t, line, err) : read_texts(s, line, err);
  return t ? read_header(line, &t->header, t->name, &t->n_columns, err)
           : read_header(line, &s->header, s->name, &s->n_columns, err);
}

static ew_status read_all(const reading *r, ew_error *err) {
  char *line = NULL;
  size_t room = 0;
  ew_status status = read_rows(r, &line, &room, err);
  const bool empty = !(r->table ? r->table->header : r->texts->header);
  if (status == EW_OK && empty) status = ew_fail(err, EW_INPUT, "the file is empty");
  free(line);
  return status;
}

ew_status csv_table_read(FILE *in, csv_table *out, ew_error *err) {
  *out = (csv_table){0};
  return read_all(&(reading){in, out, NULL}, err);
}

ew_status csv_texts_read(FILE *in, csv_texts *out, ew_error *err) {
  *out = (csv_texts){0};
  return read_all(&(reading){in, NULL, out}, err);
}
