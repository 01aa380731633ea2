/* Reads CSV files of numbers, as runs write them: a header of names (RFC 4180: quoted, where they hold commas), then rows with as many
 * numbers; blank lines may follow. Errors: EW_INPUT with the line, EW_FAIL without memory. */
#ifndef EW_IO_CSV_TABLE_H
#define EW_IO_CSV_TABLE_H

#include <stddef.h>
#include <stdio.h>

#include "base/error.h"

enum { CSV_MOST_COLUMNS = 64 };

typedef struct csv_table {
  char *header; /* the names' bytes */
  const char *name[CSV_MOST_COLUMNS];
  int n_columns;
  double *value[CSV_MOST_COLUMNS]; /* [n_rows] each */
  size_t n_rows, room;
} csv_table;

/* Reads to the end of the file. The caller releases the table with csv_table_clear, also after an error. */
ew_status csv_table_read(FILE *in, csv_table *out, ew_error *err);
void csv_table_clear(csv_table *t);

#endif
