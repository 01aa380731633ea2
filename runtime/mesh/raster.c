#include "mesh/raster.h"

#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include <unistd.h>

#include "base/memory.h"
#include "base/path.h"
#include "formats/geotiff.h"
#include "mesh/load.h"

struct raster {
  int n_columns, n_rows;
  double x0, y0; /* lower left corner */
  double cell_size;
  double *value; /* [n_rows * n_columns], southernmost row first; NaN where there is no data */
};

typedef struct text_cursor {
  const char *name, *at, *end;
  long line;
  ew_error *err;
} text_cursor;

static bool is_space(char ch) { return ch == ' ' || ch == '\n' || ch == '\r' || ch == '\t'; }

/* Copies the next word, cut to size; an empty one at the end of the file. */
static void next_word(text_cursor *c, char *word, size_t size) {
  for (; c->at < c->end && is_space(*c->at); c->at++) c->line += *c->at == '\n';
  size_t n = 0;
  for (; c->at < c->end && !is_space(*c->at); c->at++)
    if (n + 1 < size) word[n++] = *c->at >= 32 && *c->at < 127 ? *c->at : '?';
  word[n] = 0;
}

static ew_status fail_at(const text_cursor *c, const char *what, const char *found) {
  if (*found) ew_fail(c->err, EW_INPUT, "expected %s, found \"%.40s\"", what, found);
  else ew_fail(c->err, EW_INPUT, "the file ends where %s was expected", what);
  ew_context(c->err, "%.300s:%ld", c->name, c->line);
  return EW_INPUT;
}

static ew_status read_number(text_cursor *c, const char *what, double *value) {
  char word[64], *rest;
  next_word(c, word, sizeof word);
  *value = strtod(word, &rest);
  return rest == word || *rest || !isfinite(*value) ? fail_at(c, what, word) : EW_OK;
}

/* GDAL writes nan where holes are that. */
static ew_status read_nodata(text_cursor *c, double *value) {
  text_cursor before = *c;
  char word[64], *rest;
  next_word(c, word, sizeof word);
  *value = strtod(word, &rest);
  if (isnan(*value) && !*rest) return EW_OK;
  *c = before;
  return read_number(c, "a number after the key", value);
}

enum { NCOLS, NROWS, XLLCORNER, XLLCENTER, YLLCORNER, YLLCENTER, CELLSIZE, NODATA, N_KEYS };

static const char *const keys[N_KEYS] = {"ncols",     "nrows",     "xllcorner", "xllcenter",
                                         "yllcorner", "yllcenter", "cellsize",  "nodata_value"};

typedef struct header {
  double value[N_KEYS];
  bool given[N_KEYS];
} header;

static int find_key(const char *word) {
  for (int k = 0; k < N_KEYS; k++)
    if (!strcasecmp(word, keys[k])) return k;
  return -1;
}

/* Keys in any order, until the first word that is a number. */
static ew_status read_keys(text_cursor *c, header *h) {
  ew_status status = EW_OK;
  for (;;) {
    text_cursor before = *c;
    char word[64];
    next_word(c, word, sizeof word);
    int key = find_key(word);
    if (key < 0) {
      bool letter = (*word | 32) >= 'a' && (*word | 32) <= 'z' && strcasecmp(word, "nan") != 0;
      if (letter)
        return fail_at(c,
                       "ncols, nrows, xllcorner or xllcenter, yllcorner or yllcenter, cellsize, NODATA_value "
                       "or the first value",
                       word);
      *c = before;
      return EW_OK;
    }
    if (h->given[key]) return fail_at(c, "each key of the header once", word);
    EW_CHECK(key == NODATA ? read_nodata(c, &h->value[key])
                           : read_number(c, "a finite number after the key", &h->value[key]));
    h->given[key] = true;
  }
cleanup:
  return status;
}

static ew_status header_fail(const text_cursor *c, const char *text) {
  ew_fail(c->err, EW_INPUT, "%s", text);
  ew_context(c->err, "%.300s:%ld", c->name, c->line);
  return EW_INPUT;
}

/* What the header must give, with values that make sense for a file of this size. */
static ew_status check_header(const text_cursor *c, const header *h) {
  static const int required[] = {NCOLS, NROWS, CELLSIZE};
  char text[96];
  for (size_t i = 0; i < sizeof required / sizeof *required; i++)
    if (!h->given[required[i]]) {
      snprintf(text, sizeof text, "the header has no %s", keys[required[i]]);
      return header_fail(c, text);
    }
  if (h->given[XLLCORNER] == h->given[XLLCENTER])
    return header_fail(c, "expected either xllcorner or xllcenter");
  if (h->given[YLLCORNER] == h->given[YLLCENTER])
    return header_fail(c, "expected either yllcorner or yllcenter");
  double columns = h->value[NCOLS], rows = h->value[NROWS];
  if (!(columns >= 1 && columns <= INT32_MAX && floor(columns) == columns))
    return header_fail(c, "ncols must be a whole number, 1 or more");
  if (!(rows >= 1 && rows <= INT32_MAX && floor(rows) == rows))
    return header_fail(c, "nrows must be a whole number, 1 or more");
  if (!(h->value[CELLSIZE] > 0)) return header_fail(c, "cellsize must be positive");
  if (columns * rows > (double)(c->end - c->at) / 2 + 1)
    return header_fail(c, "ncols * nrows values do not fit into what is left of the file: is it truncated?");
  return EW_OK;
}

static ew_status apply_header(raster *r, const header *h, ew_error *err) {
  ew_status status = EW_OK;
  double half = h->value[CELLSIZE] / 2;
  r->n_columns = (int)h->value[NCOLS];
  r->n_rows = (int)h->value[NROWS];
  r->cell_size = h->value[CELLSIZE];
  r->x0 = h->given[XLLCORNER] ? h->value[XLLCORNER] : h->value[XLLCENTER] - half;
  r->y0 = h->given[YLLCORNER] ? h->value[YLLCORNER] : h->value[YLLCENTER] - half;
  EW_CHECK(EW_NEW(r->value, (size_t)r->n_columns * (size_t)r->n_rows));
cleanup:
  return status;
}

/* Files of single numbers may write nodata and the values in different digits: -3.4028234663852886e+38 and -3.40282347e+38. */
static bool is_nodata(double value, double nodata) { return fabs(value - nodata) <= 1e-7 * fabs(nodata); }

static ew_status read_values(text_cursor *c, raster *r, double nodata) {
  ew_status status = EW_OK;
  for (int row = r->n_rows - 1; row >= 0; row--)
    for (int column = 0; column < r->n_columns; column++) {
      double value;
      char word[64], *rest;
      next_word(c, word, sizeof word);
      value = strtod(word, &rest);
      if (rest == word || *rest || isinf(value)) return fail_at(c, "a value of the grid", word);
      r->value[(size_t)row * (size_t)r->n_columns + (size_t)column] = is_nodata(value, nodata) ? NAN : value;
    }
  char word[64];
  next_word(c, word, sizeof word);
  if (*word) EW_CHECK(fail_at(c, "the end of the file after ncols * nrows values", word));
cleanup:
  return status;
}

ew_status raster_read_memory(const void *bytes, size_t size, const char *name, raster **out, ew_error *err) {
  ew_status status = EW_OK;
  ew_error ignored;
  header h = {.value = {[NODATA] = -9999}}; /* ESRI's default */
  raster *r = NULL;
  const char *begin = size ? bytes : "";
  text_cursor c = {name, begin, begin + size, 1, err ? err : &ignored};
  *out = NULL;
  EW_CHECK(EW_NEW(r, 1));
  EW_CHECK(read_keys(&c, &h));
  EW_CHECK(check_header(&c, &h));
  EW_CHECK(apply_header(r, &h, err));
  EW_CHECK(read_values(&c, r, h.value[NODATA]));
  *out = r;
  r = NULL;
cleanup:
  raster_destroy(&r);
  return status;
}

/* `file` holds what messages call `path`. */
static ew_status read_file(const char *file, const char *path, raster **out, ew_error *err) {
  ew_status status = EW_OK;
  char *bytes = NULL;
  size_t size;
  EW_CHECK(mesh_load_file(file, &bytes, &size, err));
  EW_CHECK(raster_read_memory(bytes, size, path, out, err));
cleanup:
  free(bytes);
  return status;
}

ew_status raster_read(const char *path, raster **out, ew_error *err) {
  char grid[EW_PATH];
  *out = NULL;
  if (!geotiff_is_name(path)) return read_file(path, path, out, err);
  ew_status status = geotiff_to_grid(path, grid, sizeof grid, err);
  if (status != EW_OK) return status;
  status = read_file(grid, path, out, err);
  if (status != EW_OK)
    ew_context(err,
               "as gdal_translate writes it (cells that are not square: make them so with gdalwarp -tr)");
  unlink(grid);
  return status;
}

void raster_destroy(raster **r) {
  if (!r || !*r) return;
  free((*r)->value);
  free(*r);
  *r = NULL;
}

const double *raster_values(const raster *r) { return r->value; }

raster_bounds raster_get_bounds(const raster *r) {
  raster_bounds b = {.x0 = r->x0,
                     .x1 = r->x0 + r->n_columns * r->cell_size,
                     .y0 = r->y0,
                     .y1 = r->y0 + r->n_rows * r->cell_size,
                     .n_columns = r->n_columns,
                     .n_rows = r->n_rows,
                     .cell_size = r->cell_size};
  double low = INFINITY, high = -INFINITY;
  size_t n = (size_t)r->n_columns * (size_t)r->n_rows;
  for (size_t i = 0; i < n; i++) {
    b.n_holes += isnan(r->value[i]);
    low = fmin(low, r->value[i]); /* fmin and fmax pass over NaN */
    high = fmax(high, r->value[i]);
  }
  b.min = low <= high ? low : 0;
  b.max = low <= high ? high : 0;
  return b;
}

/* The centre left of a place along one axis, and how far the place is towards the next. */
static int centre_before(double from, double x, double size, int n, double *part) {
  double at = fmin(fmax((x - from) / size - 0.5, 0), n - 1);
  int i = (int)at;
  *part = at - i;
  return i;
}

/* Whether x lies in from..to, or as far beyond as rounding makes of it. */
static bool is_within(double x, double from, double to) {
  const double slack = 4 * DBL_EPSILON * fmax(fabs(from), fabs(to));
  return x >= from - slack && x <= to + slack;
}

raster_hit raster_sample(const raster *r, double x, double y, double *value) {
  *value = 0;
  double right = r->x0 + r->n_columns * r->cell_size, top = r->y0 + r->n_rows * r->cell_size;
  if (!is_within(x, r->x0, right) || !is_within(y, r->y0, top)) return RASTER_OUTSIDE;
  double px, py, sum = 0, weights = 0, heaviest = 0, heaviest_here = 0;
  int i = centre_before(r->x0, x, r->cell_size, r->n_columns, &px);
  int j = centre_before(r->y0, y, r->cell_size, r->n_rows, &py);
  bool whole = true;
  for (int dj = 0; dj < 2; dj++)
    for (int di = 0; di < 2; di++) {
      double weight = (di ? px : 1 - px) * (dj ? py : 1 - py);
      if (weight == 0) continue; /* also keeps the last row and column inside */
      double v = r->value[(size_t)(j + dj) * (size_t)r->n_columns + (size_t)(i + di)];
      heaviest = fmax(heaviest, weight);
      whole = whole && !isnan(v);
      if (isnan(v)) continue;
      heaviest_here = fmax(heaviest_here, weight);
      sum += weight * v;
      weights += weight;
    }
  if (heaviest_here < heaviest) return RASTER_HOLE; /* the centre of the cell at the place weighs most */
  *value = whole ? sum : sum / weights;
  return RASTER_OK;
}

/* Looks at the centres of one ring, `away` columns and rows from (i, j); *best is the square of the least distance so far, in cells. */
static void look_round(const raster *r, const int at[2], int away, const double to[2], double *best,
                       double *value) {
  for (int row = at[1] - away; row <= at[1] + away; row++) {
    const bool whole = row == at[1] - away || row == at[1] + away;
    for (int column = at[0] - away; column <= at[0] + away; column += whole || away == 0 ? 1 : 2 * away) {
      if (row < 0 || row >= r->n_rows || column < 0 || column >= r->n_columns) continue;
      double v = r->value[(size_t)row * (size_t)r->n_columns + (size_t)column];
      double dx = column - to[0], dy = row - to[1], d = dx * dx + dy * dy;
      if (!isnan(v) && d < *best) *best = d, *value = v;
    }
  }
}

bool raster_nearest(const raster *r, double x, double y, double *value) {
  const double to[2] = {(x - r->x0) / r->cell_size - 0.5, (y - r->y0) / r->cell_size - 0.5};
  const int at[2] = {(int)fmin(fmax(round(to[0]), 0), r->n_columns - 1),
                     (int)fmin(fmax(round(to[1]), 0), r->n_rows - 1)};
  const int most = r->n_columns > r->n_rows ? r->n_columns : r->n_rows;
  const double outside = hypot(to[0] - at[0], to[1] - at[1]);
  double best = INFINITY;
  *value = 0;
  /* what lies in a ring is at least away - outside from the place */
  for (int away = 0; away <= most; away++) {
    if (away > outside && best < (away - outside) * (away - outside)) break;
    look_round(r, at, away, to, &best, value);
  }
  return best < INFINITY;
}

bool raster_sample_filled(const raster *r, double x, double y, const double *number, double *value) {
  if (raster_sample(r, x, y, value) == RASTER_OK) return true;
  if (!number) return raster_nearest(r, x, y, value);
  *value = *number;
  return true;
}
