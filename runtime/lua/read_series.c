/* A series of a CSV file: its first column is the time, another the value. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/memory_text.h"
#include "base/words.h"
#include "formats/csv_table.h"
#include "lua/host.h"
#include "lua/reader.h"

/* The name of a column, with blanks around it and its unit, "Q [m^3/s]", or without: the same as `wanted`? */
static bool is_column(const char *name, const char *wanted, bool with_unit) {
  name += strspn(name, " \t");
  size_t n = with_unit ? strlen(name) : strcspn(name, "[");
  while (n > 0 && strchr(" \t", name[n - 1])) n--;
  return strlen(wanted) == n && strncmp(name, wanted, n) == 0;
}

enum { NO_COLUMN = -1, MANY_COLUMNS = -2 };

/* The column of that name; without a name the second of two. */
static int find_column(const csv_table *t, const char *wanted) {
  int found = NO_COLUMN;
  if (!wanted) return t->n_columns == 2 ? 1 : NO_COLUMN;
  for (int with_unit = 1; with_unit >= 0 && found == NO_COLUMN; with_unit--)
    for (int i = 0; i < t->n_columns; i++)
      if (is_column(t->name[i], wanted, with_unit)) found = found == NO_COLUMN ? i : MANY_COLUMNS;
  return found;
}

/* What the case says of a series. */
typedef struct wish {
  reader *r;
  const char *owner; /* of the value */
  const site *at;
  const char *file, *column; /* NULL: no column is named */
  double scale;
} wish;

static bool complain(const wish *w, const char *what) {
  problems_add(w->r->p, w->at->file, site_line(w->r->L, w->at), "%s: series of %s: %s", w->owner, w->file,
               what);
  return false;
}

/* `found`: 0, the time, NO_COLUMN or MANY_COLUMNS. */
static bool say_columns(const wish *w, const csv_table *t, int found) {
  char names[600] = "";
  size_t used = 0;
  for (int i = 0; i < t->n_columns && used < sizeof names; i++)
    used += (size_t)snprintf(names + used, sizeof names - used, "%s%s", i ? ", " : "", t->name[i]);
  char text[800];
  if (found == 0)
    snprintf(text, sizeof text, "column '%s' is the time: name another one; there are %s", w->column, names);
  else if (found == MANY_COLUMNS)
    snprintf(text, sizeof text, "several columns are called '%s'; there are %s", w->column, names);
  else if (w->column) snprintf(text, sizeof text, "it has no column '%s'; there are %s", w->column, names);
  else
    snprintf(text, sizeof text, "say which column: series { file = ..., column = ... }; there are %s", names);
  return complain(w, text);
}

/* Words for other units of time than the second; the short ones may be names of their own where no bracket stands before them. */
static const struct {
  const char *word;
  bool alone;
} OTHER_UNIT[] = {{"hour", true},         {"hours", true},       {"minute", true}, {"minutes", true},
                  {"day", true},          {"days", true},        {"week", true},   {"weeks", true},
                  {"month", true},        {"months", true},      {"year", true},   {"years", true},
                  {"milliseconds", true}, {"millisecond", true}, {"h", false},     {"hr", false},
                  {"hrs", false},         {"min", false},        {"mins", false},  {"d", false},
                  {"wk", false},          {"a", false},          {"y", false},     {"yr", false},
                  {"yrs", false},         {"ms", false},         {"msec", false},  {"us", false}};

static bool is_other_unit(const char *word, size_t n, bool in_brackets) {
  for (size_t i = 0; i < sizeof OTHER_UNIT / sizeof *OTHER_UNIT; i++)
    if ((OTHER_UNIT[i].alone || in_brackets) && strlen(OTHER_UNIT[i].word) == n &&
        strncasecmp(OTHER_UNIT[i].word, word, n) == 0)
      return true;
  return false;
}

/* What the head of a column of times names in place of seconds, "[h]", "(min)", "hours"; NULL: nothing. */
static const char *other_unit(const char *head) {
  static const char LETTERS[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
  const char *square = strrchr(head, '['), *round = strrchr(head, '(');
  if (square) return strcmp(square, "[s]") == 0 ? NULL : square;
  if (round && strcmp(round, "(s)") == 0) return NULL;
  for (const char *word = head; *(word += strcspn(word, LETTERS));) {
    const size_t n = strspn(word, LETTERS);
    const bool in_brackets = round && word > round;
    if (is_other_unit(word, n, in_brackets)) return in_brackets ? round : word;
    word += n;
  }
  return NULL;
}

/* A series has seconds. */
static bool has_seconds(const wish *w, const csv_table *t) {
  const char *unit = other_unit(t->name[0]);
  char text[160];
  if (!unit) return true;
  snprintf(text, sizeof text,
           "its times are in %.40s, and a case's are in [s]: write the column '%.40s' in seconds", unit,
           t->name[0]);
  return complain(w, text);
}

static bool take_rows(const wish *w, const csv_table *t, int column, case_value *out) {
  const size_t n = t->n_rows;
  char text[160];
  double *time = reader_alloc(w->r, n * sizeof *time + 1), *value = reader_alloc(w->r, n * sizeof *value + 1);
  for (size_t i = 0; i < n; i++) {
    time[i] = t->value[0][i], value[i] = w->scale * t->value[column][i];
    if (isfinite(time[i]) && isfinite(value[i]) && (i == 0 || time[i] > time[i - 1])) continue;
    snprintf(text, sizeof text, "row %zu: times must increase, and all numbers be finite; found %g, %g%s",
             i + 1, time[i], value[i],
             i > 0 && time[i] == time[i - 1] ? " (a jump is two rows close to each other)" : "");
    return complain(w, text);
  }
  out->kind = CASE_SERIES, out->n = 1, out->n_times = (int)n, out->time = time, out->series = value;
  return n > 0 || complain(w, "it has no rows");
}

/* Words of a line with blanks between them; a unit in brackets belongs to the name before it. -1: it has other things between them. */
static int count_words(const char *line) {
  int n = 0;
  for (line += strspn(line, " \t"); !strchr("\r\n", *line);) {
    const bool unit = *line == '[' && n > 0;
    n += !unit;
    line += strcspn(line, unit ? "];\t\r\n" : " ;\t\r\n");
    line += *line == ']';
    line += strspn(line, " ");
    if (strchr("\r\n", line[strspn(line, " \t")])) return n;
    if (*line == ';' || *line == '\t') return -1;
  }
  return n;
}

/* Whether a blank alone stands between columns: all lines then have as many words. Otherwise there may be blanks in names. */
static bool are_words(const char *text) {
  int columns = 0;
  for (const char *line = text; *line; line += strcspn(line, "\n"), line += *line == '\n') {
    const int n = count_words(line);
    if (n == 0) continue;
    if (columns == 0) columns = n;
    if (n != columns) return false;
  }
  return columns > 1;
}

/* Tabs, semicolons and runs of blanks, or all blanks of texts of words, become one comma each, in place. */
static void put_commas(char *text) {
  const bool words = are_words(text);
  char *to = text;
  for (const char *from = text; *from;) {
    const size_t n = strspn(from, " \t;");
    if (words && *from == '[') { /* with its blanks */
      while (!strchr("]\r\n", *from)) *to++ = *from++;
      continue;
    }
    const bool unit = words && from[n] == '[';
    const bool separates = (words && !unit) || strcspn(from, "\t;") < n || (n > 1 && !unit);
    const bool outside = to == text || to[-1] == '\n' || strchr("\r\n", from[n]);
    if (n == 0 || !separates) *to++ = *from++;
    else {
      if (!outside) *to++ = ',';
      from += n;
    }
  }
  *to = '\0';
}

enum { MOST_BYTES = 256 << 20 }; /* of a file: what never ends is refused before it has all memory */

/* The file as a text whose columns have commas between them: they may come with tabs, semicolons or blanks, where the first line has no comma.
 * NULL with `err` set. */
static char *read_columns(FILE *in, ew_error *err) {
  memory_text read;
  FILE *out = memory_text_open(&read);
  bool first = true, commas = false;
  size_t n = 0;
  for (int c = ' '; out && c != '\0' && n <= MOST_BYTES && (c = getc(in)) != EOF; n++) {
    commas = commas || (first && c == ',');
    first = first && c != '\n';
    putc(c, out);
  }
  const int unread = ferror(in) ? errno : 0;
  char *text = memory_text_close(&read);
  if (text && unread) { /* what came before is no series: it ends where nobody said */
    ew_fail(err, EW_IO, "cannot be read: %s", strerror(unread));
    return free(text), NULL;
  }
  const char *wrong = !text                       ? "out of memory"
                      : n > MOST_BYTES            ? "more than 256 MiB are no series"
                      : words_utf16(text, n)      ? "it is UTF-16; save it as UTF-8"
                      : strlen(text) != read.size ? "a zero byte; it is no text"
                      : n == 0                    ? "it is empty"
                                                  : NULL;
  if (!wrong && !commas) put_commas(text);
  if (!wrong) return text;
  ew_fail(err, text ? EW_INPUT : EW_FAIL, "%s", wrong);
  free(text);
  return NULL;
}

static FILE *open_columns(const char *path, char **text, ew_error *err) {
  FILE *in = fopen(path, "rb");
  if (!in) ew_fail(err, errno == ENOMEM ? EW_FAIL : EW_IO, "%s", strerror(errno));
  *text = in ? read_columns(in, err) : NULL;
  if (in) fclose(in);
  FILE *columns = *text ? fmemopen(*text, strlen(*text), "rb") : NULL;
  if (*text && !columns) ew_fail(err, EW_FAIL, "out of memory");
  return columns;
}

static bool check_keys(reader *r, int index, const char *owner, const site *at) {
  lua_State *L = r->L;
  for (lua_pushnil(L); lua_next(L, index); lua_pop(L, 1)) {
    const char *key = lua_type(L, -2) == LUA_TSTRING ? lua_tostring(L, -2) : "";
    int kind = lua_type(L, -1);
    bool text = strcmp(key, "file") == 0 || strcmp(key, "column") == 0;
    if (text ? kind == LUA_TSTRING : strcmp(key, "scale") == 0 && kind == LUA_TNUMBER) continue;
    lua_pop(L, 2);
    problems_add(r->p, at->file, site_line(L, at),
                 "%s: a series of a file is series { file = \"flow.csv\", column = \"Q\", scale = 1 }; found "
                 "something else",
                 owner);
    return false;
  }
  return true;
}

bool read_series_file(reader *r, int index, const char *owner, const site *at, case_value *out) {
  const char *folder = host_case_folder(host_of(r->L));
  wish w = {.r = r, .owner = owner, .at = at, .scale = 1};
  csv_table t = {0};
  ew_error err = {0};
  if (!check_keys(r, index, owner, at)) return false;
  read_text(r, index, "file", &w.file);
  read_text(r, index, "column", &w.column);
  read_number(r, index, "scale", &w.scale);
  char path[4096];
  snprintf(path, sizeof path, "%s%s%s", *w.file == '/' ? "" : folder, *w.file == '/' || !*folder ? "" : "/",
           w.file);
  char *text = NULL;
  FILE *in = open_columns(path, &text, &err);
  ew_status status = in ? csv_table_read(in, &t, &err) : err.status;
  if (in) fclose(in);
  if (status == EW_FAIL) { /* no fault of the case's */
    csv_table_clear(&t);
    free(text);
    host_raise_error(r->L, &err);
  }
  int column = find_column(&t, w.column);
  bool good = status != EW_OK ? complain(&w, err.text)
              : column < 1    ? say_columns(&w, &t, column)
                              : has_seconds(&w, &t) && take_rows(&w, &t, column, out);
  csv_table_clear(&t);
  free(text);
  return good;
}
