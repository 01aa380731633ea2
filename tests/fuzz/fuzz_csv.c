/* The two readers of CSV files on arbitrary bytes. What `plot` accepts is written again and read back to the same names and bits; a run
 * that goes on behind the file's end leaves the bytes before it as they are, or refuses. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "formats/csv.h"
#include "formats/csv_table.h"
#include "fuzz_file.h"
#include "mutate.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static void require(int condition) {
  if (!condition) abort();
}

static ew_status read_path(const char *path, csv_table *t) {
  ew_error err = {0};
  FILE *in = fopen(path, "r");
  fuzz_need(in != NULL);
  ew_status status = csv_table_read(in, t, &err);
  require(status == EW_OK || err.text[0] != '\0');
  fclose(in);
  return status;
}

static void write_again(const csv_table *t, const csv_column *column, const char *path) {
  ew_error err;
  csv *file;
  fuzz_need(csv_create(&file, path, column, (size_t)t->n_columns, &err) == EW_OK);
  for (size_t row = 0; row < t->n_rows; row++) {
    double value[CSV_MOST_COLUMNS];
    for (int i = 0; i < t->n_columns; i++) value[i] = t->value[i][row];
    fuzz_need(csv_row(file, value, &err) == EW_OK);
  }
  csv_destroy(&file);
}

static int same_number(double a, double b) { return memcmp(&a, &b, sizeof a) == 0 || (a != a && b != b); }

static void expect_same(const csv_table *a, const csv_table *b) {
  require(a->n_columns == b->n_columns && a->n_rows == b->n_rows);
  for (int i = 0; i < a->n_columns; i++) {
    require(strcmp(a->name[i], b->name[i]) == 0);
    for (size_t row = 0; row < a->n_rows; row++) require(same_number(a->value[i][row], b->value[i][row]));
  }
}

static void go_on(const csv_column *column, const csv_table *t, const uint8_t *bytes, size_t size) {
  char *after = malloc(size + 1);
  ew_error err = {0};
  csv *file = NULL;
  const char *path = fuzz_file("on.csv", bytes, size);
  fuzz_need(path && after);
  if (csv_continue(&file, path, column, (size_t)t->n_columns, size, &err) == EW_OK)
    require(csv_size(file) == size);
  else require(err.text[0] != '\0' && file == NULL);
  csv_destroy(&file);
  FILE *in = fopen(path, "rb");
  fuzz_need(in);
  require(fread(after, 1, size + 1, in) == size && memcmp(after, bytes, size) == 0);
  fclose(in);
  free(after);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  csv_table t, again;
  csv_column column[CSV_MOST_COLUMNS];
  const char *path = fuzz_file("t.csv", bytes, size);
  if (path && read_path(path, &t) == EW_OK) {
    for (int i = 0; i < t.n_columns; i++) column[i] = (csv_column){.name = t.name[i]};
    const char *other = fuzz_file("again.csv", "", 0);
    write_again(&t, column, other);
    fuzz_need(read_path(other, &again) == EW_OK);
    expect_same(&t, &again);
    csv_table_clear(&again);
    go_on(column, &t, bytes, size);
  }
  if (path) csv_table_clear(&t);
  return 0;
}
