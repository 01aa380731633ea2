/* ESRI ASCII grids. */
#include "test_mesh_fixture.h"

#include <math.h>

#include "mesh/random.h"
#include "mesh/raster.h"

static ew_status read_text(const char *text, raster **r, ew_error *err) {
  return raster_read_memory(text, strlen(text), "t.asc", r, err);
}

static raster *read_good(const char *text) {
  ew_error err;
  raster *r;
  assert_fine(read_text(text, &r, &err), &err);
  return r;
}

static void expect(const raster *r, double x, double y, double value) {
  double found;
  assert_int_equal(raster_sample(r, x, y, &found), RASTER_OK);
  assert_near(found, value, 1e-13);
}

#define HEAD "ncols 3\nnrows 2\nxllcorner 10\nyllcorner 20\ncellsize 2\n"

static void values_sit_at_centres(void **state) {
  (void)state;
  raster *r = read_good(HEAD "1 2 3\n4 5 6\n");
  raster_bounds b = raster_get_bounds(r);
  assert_true(b.x0 == 10 && b.x1 == 16 && b.y0 == 20 && b.y1 == 24 && b.min == 1 && b.max == 6 &&
              b.n_holes == 0);
  expect(r, 11, 21, 4); /* the first row of the file is the northern one */
  expect(r, 15, 23, 3);
  expect(r, 12, 22, 3); /* the mean of 1 2 4 5 */
  expect(r, 13.5, 21, 5.25);
  expect(r, 10, 20, 4); /* constant in the outer half cell */
  expect(r, 16, 24, 3);
  raster_destroy(&r);
  assert_null(r);
}

/* A bilinear function is reproduced between the centres. */
static void bilinear_functions_are_exact(void **state) {
  (void)state;
  char text[2000];
  int n = sprintf(text, "NCOLS 5\nNROWS 4\nXLLCENTER 0\nYLLCENTER 0\nCELLSIZE 1\n");
  for (int j = 3; j >= 0; j--)
    for (int i = 0; i < 5; i++) n += sprintf(text + n, "%d ", 1 + 2 * i - 3 * j + i * j);
  raster *r = read_good(text);
  for (double x = 0; x <= 4; x += 0.3)
    for (double y = 0; y <= 3; y += 0.3) expect(r, x, y, 1 + 2 * x - 3 * y + x * y);
  raster_destroy(&r);
}

static void holes_and_outside(void **state) {
  (void)state;
  double value;
  raster *r = read_good(HEAD "NODATA_value -1\n1 -1 3\n4 5 nan\n");
  assert_int_equal(raster_get_bounds(r).n_holes, 2);
  assert_int_equal(raster_sample(r, 13, 22.5, &value), RASTER_HOLE);
  expect(r, 12, 22, (1 + 4 + 5) / 3.); /* the corner of four cells, one of them a hole */
  expect(r, 11, 22, 2.5);              /* needs only the first column */
  assert_int_equal(raster_sample(r, 9.99, 22, &value), RASTER_OUTSIDE);
  assert_int_equal(raster_sample(r, 11, 24.01, &value), RASTER_OUTSIDE);
  assert_int_equal(raster_sample(r, 0. / 0., 22, &value), RASTER_OUTSIDE);
  assert_true(value == 0);
  raster_destroy(&r);
  r = read_good("ncols 1 nrows 1 xllcorner 0 yllcorner 0 cellsize 1\n-9999");
  assert_int_equal(raster_sample(r, .5, .5, &value), RASTER_HOLE);
  assert_true(raster_get_bounds(r).max == 0);
  raster_destroy(&r);
  r = read_good(HEAD
                "NODATA_value -3.4028234663852886e+38\n1 -3.40282347e+38 3\n4 -3.40282346639e+38 -9999\n");
  assert_int_equal(raster_get_bounds(r).n_holes, 2);
  raster_destroy(&r);
}

/* A hole stays as large as its cell, whatever fills it; around it nothing of the filling is seen. */
static void holes_are_filled_where_they_are(void **state) {
  (void)state;
  const double seven = 7, size = 0.5, x0 = 3512345.1, y0 = 5567890.7; /* far away: the border is found, too */
  char text[2000];
  uint64_t random = random_seed(3);
  for (int turn = 0; turn < 20; turn++) {
    bool hole[5][6];
    int n =
        sprintf(text, "ncols 6\nnrows 5\nxllcorner %.17g\nyllcorner %.17g\ncellsize %g\nNODATA_value %s\n",
                x0, y0, size, turn % 2 ? "nan" : "-9999");
    for (int j = 4; j >= 0; j--)
      for (int i = 0; i < 6; i++) {
        hole[j][i] = random_signed(&random) > 0.3;
        n += sprintf(text + n, "%s ", !hole[j][i] ? "2.5" : turn % 2 ? "nan" : "-9999");
      }
    raster *r = read_good(text);
    for (int j = 0; j <= 50; j++)
      for (int i = 0; i <= 60; i++) {
        const double x = x0 + i * size / 10, y = y0 + j * size / 10;
        bool border = i % 10 == 0 || j % 10 == 0;
        const bool here = hole[j == 50 ? 4 : j / 10][i == 60 ? 5 : i / 10];
        double value, near;
        assert_true(raster_sample_filled(r, x, y, &seven, &value));
        if (!border) assert_near(value, here ? 7 : 2.5, 1e-12);
        else assert_true(value == 7 || fabs(value - 2.5) < 1e-12);
        assert_true(raster_sample_filled(r, x, y, NULL, &near));
        assert_near(near, 2.5, 1e-12);
      }
    raster_destroy(&r);
  }
}

static void the_rim_of_a_hole(void **state) {
  (void)state;
  double value;
  raster *r = read_good(HEAD "1 2 nan\n4 5 6\n");
  assert_int_equal(raster_sample(r, 13.5, 22.5, &value), RASTER_OK);
  assert_near(value, (0.75 * 0.75 * 2 + 0.25 * 0.75 * 5 + 0.25 * 0.25 * 6) / (1 - 0.25 * 0.75), 1e-14);
  assert_int_equal(raster_sample(r, 14.5, 22.5, &value), RASTER_HOLE);
  assert_true(value == 0);
  assert_int_equal(raster_sample(r, 14.5, 21.5, &value), RASTER_OK);
  raster_destroy(&r);
}

static void one_cell(void **state) {
  (void)state;
  raster *r = read_good("ncols 1 nrows 1 xllcorner 0 yllcorner 0 cellsize 1\n7\n");
  expect(r, 0, 1, 7);
  raster_destroy(&r);
}

static const struct {
  const char *text, *message;
} bad_files[] = {
    {"", "the header has no ncols"},
    {"hello", "t.asc:1: expected ncols, nrows, xllcorner or xllcenter"},
    {"ncols 3\nrows 2\n", "t.asc:2: expected ncols, nrows"},
    {"ncols 3\nncols 3\n", "t.asc:2: expected each key of the header once, found \"ncols\""},
    {"ncols three\n", "t.asc:1: expected a finite number after the key, found \"three\""},
    {"ncols 3\nnrows 2\nxllcorner 0\nyllcorner 0\n1 2 3\n", "the header has no cellsize"},
    {"ncols 3\nnrows 2\nxllcorner 0\ncellsize 1\n1 2 3\n", "expected either yllcorner or yllcenter"},
    {"ncols 3\nnrows 2\nxllcorner 0\nxllcenter 0\nyllcorner 0\ncellsize 1\n1 2 3\n",
     "either xllcorner or xllcenter"},
    {"ncols 2.5\nnrows 2\nxllcorner 0\nyllcorner 0\ncellsize 1\n1 2 3\n", "ncols must be a whole number"},
    {"ncols 2\nnrows -2\nxllcorner 0\nyllcorner 0\ncellsize 1\n1 2 3\n", "nrows must be a whole number"},
    {"ncols 2\nnrows 2\nxllcorner 0\nyllcorner 0\ncellsize 0\n1 2 3\n", "cellsize must be positive"},
    {"ncols 20000\nnrows 20000\nxllcorner 0\nyllcorner 0\ncellsize 1\n1 2 3\n", "is it truncated?"},
    {HEAD "1 2 3\n4 five 6\n", "t.asc:7: expected a value of the grid, found \"five\""},
    {HEAD "1 2 3\n4     5\n", "the file ends where a value of the grid was expected"},
    {HEAD "1 2 3\n4 5 6\n7\n",
     "t.asc:8: expected the end of the file after ncols * nrows values, found \"7\""},
};

static void malformed_files(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof bad_files / sizeof *bad_files; i++) {
    ew_error err;
    raster *r;
    if (read_text(bad_files[i].text, &r, &err) != EW_INPUT) fail_msg("accepted: %s", bad_files[i].text);
    assert_null(r);
    assert_contains(err.text, bad_files[i].message);
  }
}

static void missing_file(void **state) {
  (void)state;
  ew_error err;
  raster *r;
  assert_int_equal(raster_read("/nowhere/terrain.asc", &r, &err), EW_IO);
  assert_contains(err.text, "/nowhere/terrain.asc: cannot be opened: No such file or directory");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(values_sit_at_centres),
      cmocka_unit_test(bilinear_functions_are_exact),
      cmocka_unit_test(holes_and_outside),
      cmocka_unit_test(one_cell),
      cmocka_unit_test(holes_are_filled_where_they_are),
      cmocka_unit_test(the_rim_of_a_hole),
      cmocka_unit_test(malformed_files),
      cmocka_unit_test(missing_file),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
