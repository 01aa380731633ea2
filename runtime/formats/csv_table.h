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

/* The same of texts, without the blanks around those that have no quotes. */
typedef struct csv_texts {
  char *header;
  const char *name[CSV_MOST_COLUMNS];
  int n_columns;
  char **line;       /* [n_rows] the rows' bytes */
  const char **cell; /* [n_rows * n_columns] */
  size_t n_rows, room;
} csv_texts;

ew_status csv_texts_read(FILE *in, csv_texts *out, ew_error *err);
void csv_texts_clear(csv_texts *t);
/* One of them, in quotes where it needs them. */
void csv_text_write(FILE *out, const char *text);

#endif
