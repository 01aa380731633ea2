#include "formats/ascii_grid.h"

#include <math.h>

#include "formats/atomic_file.h"

enum { NODATA = -9999, DIGITS = 9 };

static ew_status print_row(atomic_file *f, const double *value, int n, ew_error *err) {
  ew_status status = EW_OK;
  for (int i = 0; i < n; i++)
    EW_CHECK(atomic_file_print(f, err, "%.*g%c", DIGITS, isnan(value[i]) ? NODATA : value[i],
                               i + 1 < n ? ' ' : '\n'));
cleanup:
  return status;
}

ew_status ascii_grid_write(const char *path, const ascii_grid *g, ew_error *err) {
  ew_status status = EW_OK;
  atomic_file *f = NULL;
  EW_CHECK(atomic_file_create(&f, path, err));
  EW_CHECK(atomic_file_print(f, err,
                             "ncols %d\nnrows %d\nxllcorner %.15g\nyllcorner %.15g\ncellsize %.15g\n"
                             "NODATA_value %d\n",
                             g->n_columns, g->n_rows, g->x0, g->y0, g->size, NODATA));
  for (int row = g->n_rows - 1; row >= 0; row--)
    EW_CHECK(print_row(f, g->value + (size_t)row * (size_t)g->n_columns, g->n_columns, err));
  EW_CHECK(atomic_file_commit(&f, false, err));
cleanup:
  atomic_file_destroy(&f);
  return status;
}
