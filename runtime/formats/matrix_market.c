#include "formats/matrix_market.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/memory.h"
#include "formats/atomic_file.h"
#include "mesh/load.h"

enum { WORD = 64, MOST_WORDS = 6 };

typedef struct mm_file {
  const char *name, *at, *end;
  size_t size;
  long line; /* of `text`, from 1 */
  bool array, pattern, whole /* numbers are integers */, complex /* two numbers a value, the second 0 */;
  bool symmetric, skew;
  int64_t rows, columns;
  ew_error *err;
} mm_file;

/* Entries as the file has them, from 0. */
typedef struct mm_entries {
  int32_t *row, *col;
  double *value;
  size_t n, capacity[3];
} mm_entries;

/* The words of one line; longer ones are cut, which no number survives. */
typedef struct mm_words {
  int n; /* MOST_WORDS + 1: there are more */
  char word[MOST_WORDS][WORD];
} mm_words;

__attribute__((format(printf, 2, 3))) static ew_status fail(const mm_file *f, const char *fmt, ...) {
  char text[1024];
  va_list ap;
  va_start(ap, fmt);
  vsnprintf(text, sizeof text, fmt, ap);
  va_end(ap);
  return ew_fail(f->err, EW_INPUT, "%.300s:%ld: %s", f->name, f->line, text);
}

/* ---- lines and numbers ------------------------------------------------------------------------------------ */

static void take_words(const char *at, const char *end, mm_words *w) {
  w->n = 0;
  while (at < end) {
    while (at < end && isspace((unsigned char)*at)) at++;
    if (at == end) return;
    if (w->n == MOST_WORDS) {
      w->n++;
      return;
    }
    char *to = w->word[w->n++];
    size_t n = 0;
    for (; at < end && !isspace((unsigned char)*at); at++)
      if (n + 1 < WORD) to[n++] = *at >= 32 && *at < 127 ? *at : '?';
    to[n] = '\0';
  }
}

static bool next_raw_line(mm_file *f, const char **begin, const char **end) {
  if (f->at == f->end) return false;
  const char *newline = memchr(f->at, '\n', (size_t)(f->end - f->at));
  *begin = f->at;
  *end = newline ? newline : f->end;
  f->at = newline ? newline + 1 : f->end;
  f->line++;
  return true;
}

/* The next line that is neither blank nor a comment. */
static bool next_line(mm_file *f, mm_words *w) {
  const char *begin, *end;
  while (next_raw_line(f, &begin, &end)) {
    while (begin < end && isspace((unsigned char)*begin)) begin++;
    if (begin == end || *begin == '%') continue;
    take_words(begin, end, w);
    return true;
  }
  return false;
}

static ew_status whole_number(const mm_file *f, const char *word, const char *what, int64_t most,
                              int64_t *value) {
  char *rest;
  long long v = strtoll(word, &rest, 10);
  if (rest == word || *rest) return fail(f, "expected %s, found \"%.40s\"", what, word);
  if (v < 0 || v > most)
    return fail(f, "%s is %.40s; expected a number up to %lld", what, word, (long long)most);
  *value = v;
  return EW_OK;
}

/* Also with the exponents of Fortran's double precision: 1.5D-3. */
static ew_status real_number(const mm_file *f, const char *word, double *value) {
  char *rest, plain[WORD];
  snprintf(plain, sizeof plain, "%s", word);
  for (char *c = plain; *c; c++)
    if ((*c == 'd' || *c == 'D') && c > plain && (isdigit((unsigned char)c[-1]) || c[-1] == '.')) *c = 'e';
  *value = strtod(plain, &rest);
  if (rest == plain || *rest) return fail(f, "expected a number, found \"%.40s\"", word);
  if (!isfinite(*value)) return fail(f, "the value %.40s is not finite", word);
  if (f->whole && *value != floor(*value))
    return fail(f, "the header says integer, but the value is %.40s", word);
  return EW_OK;
}

/* A complex number's second part: systems are real. */
static ew_status no_imaginary_part(const mm_file *f, const char *word) {
  double value;
  const ew_status status = real_number(f, word, &value);
  if (status != EW_OK || value == 0) return status;
  return fail(f,
              "an imaginary part of %.40s: complex systems are not solved here\n"
              "hint: A + i B with x + i y is the real system of the rows (A -B) and (B A), twice as large",
              word);
}

/* ---- header ------------------------------------------------------------------------------------------------ */

/* Position of `word` in the list, or -1. */
static int find_word(const char *word, const char *const *list, int n) {
  for (int i = 0; i < n; i++)
    if (strcasecmp(word, list[i]) == 0) return i;
  return -1;
}

static ew_status read_kind(mm_file *f, const mm_words *w) {
  static const char *const FORMAT[] = {"coordinate", "array"},
                           *const FIELD[] = {"real", "integer", "pattern", "complex"},
                           *const SYMMETRY[] = {"general", "symmetric", "skew-symmetric", "hermitian"};
  int format = find_word(w->word[2], FORMAT, 2), field = find_word(w->word[3], FIELD, 4);
  int symmetry = find_word(w->word[4], SYMMETRY, 4);
  if (strcasecmp(w->word[1], "matrix") != 0)
    return fail(f, "holds a \"%.40s\"; only matrices are read", w->word[1]);
  if (format < 0) return fail(f, "the format is \"%.40s\"; expected coordinate or array", w->word[2]);
  if (field < 0)
    return fail(f, "the field is \"%.40s\"; expected real, integer, pattern or complex", w->word[3]);
  if (symmetry < 0)
    return fail(f, "the symmetry is \"%.40s\"; expected general, symmetric, skew-symmetric or hermitian",
                w->word[4]);
  if (format == 1 && field == 2) return fail(f, "an array of patterns has no values; expected array real");
  f->array = format == 1;
  f->whole = field == 1;
  f->pattern = field == 2;
  f->complex = field == 3;
  f->symmetric = symmetry == 1 || symmetry == 3; /* a real hermitian matrix is symmetric */
  f->skew = symmetry == 2;
  return EW_OK;
}

static ew_status read_header(mm_file *f) {
  const char *begin, *end;
  mm_words w = {0};
  static const char EXPECTED[] = "%%MatrixMarket matrix coordinate real symmetric";
  if (!next_raw_line(f, &begin, &end)) {
    f->line = 1;
    return fail(f, "the file is empty; expected a first line like \"%s\"", EXPECTED);
  }
  static const char MARK[] = "\xef\xbb\xbf"; /* UTF-8's byte order mark, which some editors put first */
  if (end - begin >= 3 && memcmp(begin, MARK, 3) == 0) begin += 3;
  take_words(begin, end, &w);
  if (w.n < 1 || strcasecmp(w.word[0], "%%MatrixMarket") != 0)
    return fail(f, "not a Matrix Market file: expected a first line like \"%s\"", EXPECTED);
  if (w.n != 5) return fail(f, "the header has %d words; expected five, like \"%s\"", w.n, EXPECTED);
  return read_kind(f, &w);
}

/* No file so short can mean so large a matrix: such numbers are damage, and memory for them is not asked for. */
static ew_status check_size(const mm_file *f) {
  const int64_t most = 64 * (int64_t)f->size + 1024;
  if (f->rows == 0 || f->columns == 0)
    return fail(f, "the matrix has no entries (%lld x %lld)", (long long)f->rows, (long long)f->columns);
  if (f->rows > most || f->columns > most)
    return fail(f, "a matrix of %lld x %lld in a file of %zu bytes: was it cut short?", (long long)f->rows,
                (long long)f->columns, f->size);
  if ((f->symmetric || f->skew) && f->rows != f->columns)
    return fail(f, "a symmetric matrix is square; found %lld x %lld", (long long)f->rows,
                (long long)f->columns);
  return EW_OK;
}

static ew_status read_size(mm_file *f, int64_t *n) {
  ew_status status = EW_OK;
  mm_words w;
  const int expected = f->array ? 2 : 3;
  if (!next_line(f, &w)) return fail(f, "the file ends before the line of sizes");
  if (w.n != expected)
    return fail(f, "the line of sizes has %d numbers; expected %s", w.n,
                f->array ? "rows and columns" : "rows, columns and entries");
  EW_CHECK(whole_number(f, w.word[0], "the number of rows", INT32_MAX - 1, &f->rows));
  EW_CHECK(whole_number(f, w.word[1], "the number of columns", INT32_MAX - 1, &f->columns));
  EW_CHECK(check_size(f));
  if (f->array) {
    int64_t r = f->rows;
    *n = f->symmetric ? r * (r + 1) / 2 : f->skew ? r * (r - 1) / 2 : r * f->columns;
    if (*n > INT32_MAX / 2)
      return fail(f, "an array of %lld numbers is more than can be solved here", (long long)*n);
  } else {
    EW_CHECK(whole_number(f, w.word[2], "the number of entries", INT32_MAX / 2, n));
  }
cleanup:
  return status;
}

/* ---- entries ------------------------------------------------------------------------------------------------ */

static ew_status add_entry(const mm_file *f, mm_entries *e, int64_t row, int64_t col, double value) {
  ew_status status;
  EW_CHECK(ew_reserve((void **)&e->row, &e->capacity[0], e->n + 1, sizeof *e->row, f->err));
  EW_CHECK(ew_reserve((void **)&e->col, &e->capacity[1], e->n + 1, sizeof *e->col, f->err));
  EW_CHECK(ew_reserve((void **)&e->value, &e->capacity[2], e->n + 1, sizeof *e->value, f->err));
  e->row[e->n] = (int32_t)row;
  e->col[e->n] = (int32_t)col;
  e->value[e->n] = value;
  e->n++;
cleanup:
  return status;
}

/* An entry and, in symmetric files, its mirror image. */
static ew_status add_entries(const mm_file *f, mm_entries *e, int64_t row, int64_t col, double value) {
  ew_status status;
  EW_CHECK(add_entry(f, e, row, col, value));
  if ((f->symmetric || f->skew) && row != col) EW_CHECK(add_entry(f, e, col, row, f->skew ? -value : value));
cleanup:
  return status;
}

static ew_status check_place(const mm_file *f, int64_t row, int64_t col) {
  if (row < 1 || row > f->rows || col < 1 || col > f->columns)
    return fail(f,
                "entry (%lld, %lld) is outside of the matrix of %lld x %lld; rows and columns count from 1",
                (long long)row, (long long)col, (long long)f->rows, (long long)f->columns);
  if (f->symmetric && col > row)
    return fail(f, "entry (%lld, %lld) lies above the diagonal; a symmetric file holds the lower triangle",
                (long long)row, (long long)col);
  if (f->skew && col >= row)
    return fail(f, "entry (%lld, %lld): a skew-symmetric file holds what lies below the diagonal",
                (long long)row, (long long)col);
  return EW_OK;
}

static ew_status read_coordinate(mm_file *f, mm_entries *e) {
  ew_status status = EW_OK;
  mm_words w = {0};
  int64_t row, col;
  double value = 1;
  const int expected = f->pattern ? 2 : f->complex ? 4 : 3;
  if (!next_line(f, &w)) return EW_STOPPED;
  if (w.n != expected)
    return fail(f, "an entry has %s%d words; expected %s", w.n > MOST_WORDS ? "more than " : "",
                w.n > MOST_WORDS ? MOST_WORDS : w.n,
                f->pattern   ? "row and column"
                : f->complex ? "row, column, real and imaginary part"
                             : "row, column and value");
  EW_CHECK(whole_number(f, w.word[0], "the row", INT32_MAX, &row));
  EW_CHECK(whole_number(f, w.word[1], "the column", INT32_MAX, &col));
  EW_CHECK(check_place(f, row, col));
  if (!f->pattern) EW_CHECK(real_number(f, w.word[2], &value));
  if (f->complex) EW_CHECK(no_imaginary_part(f, w.word[3]));
  EW_CHECK(add_entries(f, e, row - 1, col - 1, value));
cleanup:
  return status;
}

static ew_status cut_short(const mm_file *f, int64_t have, int64_t declared) {
  return fail(f, "the file ends after %lld of %lld entries: was it cut short?", (long long)have,
              (long long)declared);
}

static ew_status read_coordinates(mm_file *f, int64_t n, mm_entries *e) {
  for (int64_t k = 0; k < n; k++) {
    ew_status status = read_coordinate(f, e);
    if (status == EW_STOPPED) return cut_short(f, k, n);
    if (status != EW_OK) return status;
  }
  return EW_OK;
}

/* The next number of an array: one a line, or several. EW_STOPPED at the file's end. */
static ew_status next_number(mm_file *f, mm_words *w, int *at, const char **word) {
  if (*at == w->n) {
    if (!next_line(f, w)) return EW_STOPPED;
    if (w->n > MOST_WORDS) return fail(f, "a line has more than %d numbers; expected one", MOST_WORDS);
    *at = 0;
  }
  *word = w->word[(*at)++];
  return EW_OK;
}

static ew_status read_element(mm_file *f, mm_words *w, int *at, double *value) {
  ew_status status;
  const char *word = NULL;
  EW_CHECK(next_number(f, w, at, &word));
  EW_CHECK(real_number(f, word, value));
  if (!f->complex) return EW_OK;
  EW_CHECK(next_number(f, w, at, &word));
  EW_CHECK(no_imaginary_part(f, word));
cleanup:
  return status;
}

/* Column after column. */
static ew_status read_array(mm_file *f, int64_t n, mm_entries *e) {
  ew_status status = EW_OK;
  mm_words w = {0};
  int at = 0;
  int64_t k = 0;
  for (int64_t col = 0; col < f->columns; col++)
    for (int64_t row = f->symmetric ? col : f->skew ? col + 1 : 0; row < f->rows; row++, k++) {
      double value = 0;
      status = read_element(f, &w, &at, &value);
      if (status == EW_STOPPED) return cut_short(f, k, n);
      EW_CHECK(status);
      EW_CHECK(add_entries(f, e, row, col, value));
    }
  if (at < w.n)
    return fail(f, "more than %lld numbers in an array of %lld x %lld", (long long)n, (long long)f->rows,
                (long long)f->columns);
cleanup:
  return status;
}

/* ---- files ---------------------------------------------------------------------------------------------------- */

ew_status mm_read_memory(const void *bytes, size_t size, const char *name, csr_rows **out, ew_error *err) {
  ew_status status;
  mm_words w;
  mm_entries e = {0};
  const char *begin = size ? bytes : "";
  mm_file f = {.name = name, .at = begin, .end = begin + size, .size = size, .err = err};
  int64_t n;
  *out = NULL;
  EW_CHECK(read_header(&f));
  EW_CHECK(read_size(&f, &n));
  EW_CHECK(f.array ? read_array(&f, n, &e) : read_coordinates(&f, n, &e));
  if (next_line(&f, &w))
    EW_CHECK(fail(&f, "expected the end of the file after %lld entries, found \"%.40s\"", (long long)n,
                  w.word[0]));
  const csr_entries entries = {(int32_t)f.rows, (int32_t)f.columns, e.n, e.row, e.col, e.value};
  EW_CHECK(csr_rows_create(&entries, out, err));
cleanup:
  free(e.row);
  free(e.col);
  free(e.value);
  return status;
}

ew_status mm_read(const char *path, csr_rows **out, ew_error *err) {
  ew_status status;
  char *bytes = NULL;
  size_t size;
  *out = NULL;
  EW_CHECK(mesh_load_file(path, &bytes, &size, err));
  EW_CHECK(mm_read_memory(bytes, size, path, out, err));
cleanup:
  free(bytes);
  return status;
}

ew_status mm_to_vector(const csr_rows *m, const char *name, int32_t rows, double *out, ew_error *err) {
  if (m->columns != 1 || m->rows != rows)
    return ew_fail(err, EW_INPUT, "%s: is %d x %d; expected a vector of %d rows and one column", name,
                   m->rows, m->columns, rows);
  for (int32_t i = 0; i < rows; i++) out[i] = m->start[i + 1] > m->start[i] ? m->value[m->start[i]] : 0;
  return EW_OK;
}

ew_status mm_write_vector(const char *path, const char *comment, const double *value, int32_t n,
                          ew_error *err) {
  ew_status status;
  atomic_file *file = NULL;
  EW_CHECK(atomic_file_create(&file, path, err));
  EW_CHECK(atomic_file_print(file, err, "%%%%MatrixMarket matrix array real general\n"));
  if (comment) EW_CHECK(atomic_file_print(file, err, "%% %s\n", comment));
  EW_CHECK(atomic_file_print(file, err, "%d 1\n", n));
  for (int32_t i = 0; i < n; i++) EW_CHECK(atomic_file_print(file, err, "%.17g\n", value[i]));
  EW_CHECK(atomic_file_commit(&file, false, err));
cleanup:
  atomic_file_destroy(&file);
  return status;
}
