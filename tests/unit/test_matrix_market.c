/* Matrix Market: what is read, and every message. */
#include <stdarg.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "formats/matrix_market.h"

static csr_rows *read_text(const char *text) {
  ew_error err = {0};
  csr_rows *m = NULL;
  if (mm_read_memory(text, strlen(text), "a.mtx", &m, &err) != EW_OK) fail_msg("%s", err.text);
  return m;
}

/* The matrix as "row col value" lines. */
static void expect_entries(const char *text, const char *expected) {
  char found[1024] = "";
  csr_rows *m = read_text(text);
  size_t used = (size_t)snprintf(found, sizeof found, "%dx%d", m->rows, m->columns);
  for (int i = 0; i < m->rows; i++)
    for (int k = m->start[i]; k < m->start[i + 1]; k++)
      used += (size_t)snprintf(found + used, sizeof found - used, " %d,%d:%g", i, m->col[k], m->value[k]);
  assert_string_equal(found, expected);
  csr_rows_destroy(&m);
}

static void expect_error(const char *text, const char *expected) {
  ew_error err = {0};
  csr_rows *m = NULL;
  assert_int_equal(mm_read_memory(text, strlen(text), "a.mtx", &m, &err), EW_INPUT);
  assert_null(m);
  assert_string_equal(err.text, expected);
}

static void reads_every_kind(void **state) {
  (void)state;
  expect_entries(
      "%%MatrixMarket matrix coordinate real general\n% hello\n\n2 3 3\n2 3 1.5\n1 1 -2e0\n2 1 4\n",
      "2x3 0,0:-2 1,0:4 1,2:1.5");
  expect_entries("%%matrixmarket MATRIX Coordinate Real Symmetric\r\n2 2 2\r\n1 1 2\r\n2 1 -1\r\n",
                 "2x2 0,0:2 0,1:-1 1,0:-1");
  expect_entries("%%MatrixMarket matrix coordinate pattern symmetric\n2 2 2\n1 1\n2 1\n",
                 "2x2 0,0:1 0,1:1 1,0:1");
  expect_entries("%%MatrixMarket matrix coordinate integer skew-symmetric\n2 2 1\n2 1 3\n",
                 "2x2 0,1:-3 1,0:3");
  expect_entries("%%MatrixMarket matrix array real general\n2 2\n1\n2\n% between\n3\n4",
                 "2x2 0,0:1 0,1:3 1,0:2 1,1:4");
  expect_entries("%%MatrixMarket matrix array real symmetric\n2 2\n1 2 3\n", "2x2 0,0:1 0,1:2 1,0:2 1,1:3");
  expect_entries("%%MatrixMarket matrix array integer skew-symmetric\n2 2\n7\n", "2x2 0,1:-7 1,0:7");
}

static void reads_what_fortran_and_editors_write(void **state) {
  (void)state;
  expect_entries("%%MatrixMarket matrix coordinate real general\n1 3 3\n1 1 1.5D+1\n1 2 -2d-1\n1 3 3.D0\n",
                 "1x3 0,0:15 0,1:-0.2 0,2:3");
  expect_entries("\xef\xbb\xbf%%MatrixMarket matrix array real general\n1 1\n4\n", "1x1 0,0:4");
  expect_entries("%%MatrixMarket matrix coordinate real hermitian\n2 2 1\n2 1 3\n", "2x2 0,1:3 1,0:3");
}

/* Complex files are read where they are real. */
static void reads_complex_files_without_imaginary_parts(void **state) {
  (void)state;
  expect_entries("%%MatrixMarket matrix coordinate complex hermitian\n2 2 2\n1 1 2 0\n2 1 -1.5D0 -0.0\n",
                 "2x2 0,0:2 0,1:-1.5 1,0:-1.5");
  expect_entries("%%MatrixMarket matrix array complex general\n2 1\n1 0\n3 0.\n", "2x1 0,0:1 1,0:3");
  expect_error("%%MatrixMarket matrix coordinate complex hermitian\n2 2 1\n2 1 3 0.25\n",
               "a.mtx:3: an imaginary part of 0.25: complex systems are not solved here\n"
               "hint: A + i B with x + i y is the real system of the rows (A -B) and (B A), twice as large");
  expect_error("%%MatrixMarket matrix coordinate complex general\n2 2 1\n2 1 3\n",
               "a.mtx:3: an entry has 3 words; expected row, column, real and imaginary part");
  expect_error("%%MatrixMarket matrix array complex general\n2 1\n1 0\n3\n",
               "a.mtx:4: the file ends after 1 of 2 entries: was it cut short?");
  expect_error("%%MatrixMarket matrix coordinate complex general\n1 1 1\n1 1 3 nan\n",
               "a.mtx:3: the value nan is not finite");
}

/* What sizes say is not believed: no memory is asked for that the file could not fill. */
static void hostile_sizes(void **state) {
  (void)state;
  expect_error("%%MatrixMarket matrix coordinate real general\n2 2 9223372036854775807\n1 1 1\n",
               "a.mtx:2: the number of entries is 9223372036854775807; expected a number up to 1073741823");
  expect_error("%%MatrixMarket matrix array complex general\n40000 40000\n1 0\n",
               "a.mtx:2: a matrix of 40000 x 40000 in a file of 60 bytes: was it cut short?");
  expect_error("%%MatrixMarket matrix coordinate real general\n99999999999999999999 1 1\n1 1 1\n",
               "a.mtx:2: the number of rows is 99999999999999999999; expected a number up to 2147483646");
}

static void adds_what_comes_twice(void **state) {
  (void)state;
  expect_entries("%%MatrixMarket matrix coordinate real general\n3 3 4\n3 3 1\n1 2 1\n1 2 2\n3 3 5\n",
                 "3x3 0,1:3 2,2:6");
}

static void vectors(void **state) {
  (void)state;
  ew_error err = {0};
  double x[3];
  csr_rows *m = read_text("%%MatrixMarket matrix coordinate real general\n3 1 1\n2 1 4\n");
  assert_int_equal(mm_to_vector(m, "b.mtx", 3, x, &err), EW_OK);
  assert_true(x[0] == 0 && x[1] == 4 && x[2] == 0);
  assert_int_equal(mm_to_vector(m, "b.mtx", 4, x, &err), EW_INPUT);
  assert_string_equal(err.text, "b.mtx: is 3 x 1; expected a vector of 4 rows and one column");
  csr_rows_destroy(&m);
}

static void what_is_written_is_read(void **state) {
  (void)state;
  ew_error err = {0};
  const double value[3] = {1.0 / 3, -1e-300, 6.02e23};
  double again[3];
  csr_rows *m = NULL;
  char path[] = "/tmp/test_matrix_market_XXXXXX";
  close(mkstemp(path));
  assert_int_equal(mm_write_vector(path, "three numbers", value, 3, &err), EW_OK);
  assert_int_equal(mm_read(path, &m, &err), EW_OK);
  assert_int_equal(mm_to_vector(m, path, 3, again, &err), EW_OK);
  assert_memory_equal(value, again, sizeof value);
  csr_rows_destroy(&m);
  unlink(path);
  assert_int_equal(mm_read(path, &m, &err), EW_IO);
}

#define REAL_GENERAL   "%%MatrixMarket matrix coordinate real general\n"
#define REAL_SYMMETRIC "%%MatrixMarket matrix coordinate real symmetric\n"

static void malformed_headers(void **state) {
  (void)state;
  expect_error("", "a.mtx:1: the file is empty; expected a first line like \"%%MatrixMarket matrix "
                   "coordinate real symmetric\"");
  expect_error(
      "1 1 1\n",
      "a.mtx:1: not a Matrix Market file: expected a first line like \"%%MatrixMarket matrix coordinate real "
      "symmetric\"");
  expect_error("%%MatrixMarket matrix coordinate real\n",
               "a.mtx:1: the header has 4 words; expected five, like \"%%MatrixMarket matrix coordinate real "
               "symmetric\"");
  expect_error("%%MatrixMarket vector coordinate real general\n",
               "a.mtx:1: holds a \"vector\"; only matrices are read");
  expect_error("%%MatrixMarket matrix elemental real general\n",
               "a.mtx:1: the format is \"elemental\"; expected coordinate or array");
  expect_error("%%MatrixMarket matrix coordinate rael general\n",
               "a.mtx:1: the field is \"rael\"; expected real, integer, pattern or complex");
  expect_error("%%MatrixMarket matrix coordinate real lopsided\n",
               "a.mtx:1: the symmetry is \"lopsided\"; expected general, symmetric, skew-symmetric or "
               "hermitian");
  expect_error("%%MatrixMarket matrix array pattern general\n",
               "a.mtx:1: an array of patterns has no values; expected array real");
}

static void malformed_sizes(void **state) {
  (void)state;
  expect_error(REAL_GENERAL "% only this\n", "a.mtx:2: the file ends before the line of sizes");
  expect_error(REAL_GENERAL "2 2\n",
               "a.mtx:2: the line of sizes has 2 numbers; expected rows, columns and entries");
  expect_error(REAL_GENERAL "2 x 1\n", "a.mtx:2: expected the number of columns, found \"x\"");
  expect_error(REAL_GENERAL "-2 2 1\n",
               "a.mtx:2: the number of rows is -2; expected a number up to 2147483646");
  expect_error(REAL_GENERAL "0 0 0\n", "a.mtx:2: the matrix has no entries (0 x 0)");
  expect_error(REAL_SYMMETRIC "2 3 1\n", "a.mtx:2: a symmetric matrix is square; found 2 x 3");
  expect_error(REAL_GENERAL "2000000000 2000000000 1\n1 1 1\n",
               "a.mtx:2: a matrix of 2000000000 x 2000000000 in a file of 76 bytes: was it cut short?");
}

static void malformed_entries(void **state) {
  (void)state;
  expect_error(REAL_GENERAL "2 2 3\n1 1 1\n2 2 1\n",
               "a.mtx:4: the file ends after 2 of 3 entries: was it cut short?");
  expect_error("%%MatrixMarket matrix array real general\n3 1\n1\n2\n",
               "a.mtx:4: the file ends after 2 of 3 entries: was it cut short?");
  expect_error(REAL_GENERAL "2 2 1\n3 1 1\n",
               "a.mtx:3: entry (3, 1) is outside of the matrix of 2 x 2; rows and columns count from 1");
  expect_error(REAL_GENERAL "2 2 1\n0 1 1\n",
               "a.mtx:3: entry (0, 1) is outside of the matrix of 2 x 2; rows and columns count from 1");
  expect_error(REAL_GENERAL "2 2 1\n1 1\n", "a.mtx:3: an entry has 2 words; expected row, column and value");
  expect_error(REAL_GENERAL "2 2 1\n1 1 1,5\n", "a.mtx:3: expected a number, found \"1,5\"");
  expect_error(REAL_GENERAL "2 2 1\n1 1 nan\n", "a.mtx:3: the value nan is not finite");
  expect_error(REAL_GENERAL "2 2 1\n1 1 1\n2 2 1\n",
               "a.mtx:4: expected the end of the file after 1 entries, found \"2\"");
  expect_error(REAL_SYMMETRIC "2 2 1\n1 2 1\n",
               "a.mtx:3: entry (1, 2) lies above the diagonal; a symmetric file holds the lower triangle");
  expect_error("%%MatrixMarket matrix coordinate real skew-symmetric\n2 2 1\n1 1 1\n",
               "a.mtx:3: entry (1, 1): a skew-symmetric file holds what lies below the diagonal");
  expect_error("%%MatrixMarket matrix coordinate integer general\n1 1 1\n1 1 1.5\n",
               "a.mtx:3: the header says integer, but the value is 1.5");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(reads_every_kind),
      cmocka_unit_test(reads_what_fortran_and_editors_write),
      cmocka_unit_test(reads_complex_files_without_imaginary_parts),
      cmocka_unit_test(hostile_sizes),
      cmocka_unit_test(adds_what_comes_twice),
      cmocka_unit_test(vectors),
      cmocka_unit_test(what_is_written_is_read),
      cmocka_unit_test(malformed_headers),
      cmocka_unit_test(malformed_sizes),
      cmocka_unit_test(malformed_entries),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
