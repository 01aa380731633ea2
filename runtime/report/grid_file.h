/* Reads the data arrays of VTK files as runs write them: appended raw data, UInt64 headers, zlib blocks, this machine's byte order.
 * What its arrays become in memory together is bounded by the file's size: a damaged file is refused. */
#ifndef EW_REPORT_GRID_FILE_H
#define EW_REPORT_GRID_FILE_H

#include <stddef.h>

#include "base/error.h"

typedef struct grid_array {
  char name[128];
  int components;
  size_t n;      /* values, components counted */
  double *value; /* [n] */
} grid_array;

typedef struct grid_file {
  int n;
  grid_array *array;
} grid_file;

/* EW_IO, EW_INPUT: not a file as runs write it. */
ew_status grid_file_read(const char *path, grid_file *out, ew_error *err);
void grid_file_clear(grid_file *f);

const grid_array *grid_file_find(const grid_file *f, const char *name);

#endif
