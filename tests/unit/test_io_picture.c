/* Pictures: the geometry behind them, and single pixels of the PNG files, read back with libpng. */
#include "test_io_fixture.h"

#include <math.h>

#include <png.h>

#include "drawing/axes.h"
#include "drawing/cell_field.h"
#include "drawing/colour_map.h"
#include "drawing/font.h"
#include "drawing/legend.h"
#include "drawing/picture.h"
#include "drawing/plot.h"
#include "drawing/raster.h"

/* A file's pixels; the caller frees them. */
static image read_png(const char *path) {
  png_image png = {.version = PNG_IMAGE_VERSION};
  assert_true(png_image_begin_read_from_file(&png, path));
  png.format = PNG_FORMAT_RGB;
  image im = {(int)png.width, (int)png.height, malloc(PNG_IMAGE_SIZE(png))};
  assert_true(png_image_finish_read(&png, NULL, im.pixel, 0, NULL));
  return im;
}

/* Pixels whose channels are all within 2 of the colour's. */
static int count_colour(const image *im, rgb c) {
  int n = 0;
  for (int i = 0; i < im->width * im->height; i++) {
    rgb p = im->pixel[i];
    n += abs(p.r - c.r) <= 2 && abs(p.g - c.g) <= 2 && abs(p.b - c.b) <= 2;
  }
  return n;
}

static image draw_panel(const picture_panel *panel, int size) {
  ew_error err = {0};
  ew_status status = picture_write("p.png", panel, 1, &(picture_options){.size = size}, &err);
  assert_string_equal(err.text, "");
  assert_int_equal(status, EW_OK);
  return read_png("p.png");
}

static void cells_have_the_colours_of_their_values(void **state) {
  (void)state;
  mesh m = plane_grid(2, 1, 2, 1, 0);
  double value[] = {0, 1};
  picture_panel panel = {.m = &m, .value = value, .map = COLOUR_WATER};
  image im = draw_panel(&panel, 200);
  int low = count_colour(&im, colour_at(COLOUR_WATER, 0)),
      high = count_colour(&im, colour_at(COLOUR_WATER, 1));
  assert_in_range(low, 9900, 10200); /* 100 x 100 pixels, and an end of the colour bar */
  assert_in_range(high, 9900, 10200);
  free(im.pixel);
  free_grid(&m);
}

static void a_fixed_range_is_used(void **state) {
  (void)state;
  mesh m = plane_grid(2, 1, 2, 1, 0);
  double value[] = {0, 1};
  picture_panel panel = {.m = &m, .value = value, .low = -1, .high = 1};
  image im = draw_panel(&panel, 200);
  assert_in_range(count_colour(&im, colour_at(COLOUR_VIRIDIS, 0.5)), 9900, 10200);
  free(im.pixel);
  free_grid(&m);
}

static void dry_and_faulty_cells_stand_out(void **state) {
  (void)state;
  mesh m = plane_grid(3, 1, 3, 1, 0);
  double value[] = {(double)NAN, 1, 2}, mask[] = {1, 0, 1}, terrain[] = {0, 10, 20};
  picture_panel panel = {.m = &m, .value = value, .mask = mask};
  image im = draw_panel(&panel, 300);
  assert_in_range(count_colour(&im, (rgb){255, 0, 255}), 9900, 10100);
  assert_in_range(count_colour(&im, (rgb){196, 192, 184}), 9900, 10100);
  free(im.pixel);
  panel.terrain = terrain;
  im = draw_panel(&panel, 300);
  assert_int_equal(count_colour(&im, (rgb){196, 192, 184}), 0);
  free(im.pixel);
  free_grid(&m);
}

/* Columns of pixels of which more than `least` differ: where each group of such columns begins. */
static int changed_columns(const image *a, const image *b, int least, int begin[16]) {
  int n = 0;
  assert_true(a->width == b->width && a->height == b->height);
  for (int x = 0, before = 0; x < a->width; x++) {
    int changed = 0;
    for (int y = 0; y < a->height; y++)
      changed += memcmp(&a->pixel[y * a->width + x], &b->pixel[y * a->width + x], sizeof(rgb)) != 0;
    if (changed > least && !before && n < 16) begin[n++] = x;
    before = changed > least;
  }
  return n;
}

/* Of values that rise along x contours stand upright at round values; outlines where cells meet. */
static void lines_stand_where_they_should(void **state) {
  (void)state;
  enum { SIDE = 4, SIZE = 200 };
  mesh m = plane_grid(SIDE, SIDE, SIDE, SIDE, 1);
  double node[(SIDE + 1) * (SIDE + 1)], value[2 * SIDE * SIDE] = {0};
  int begin[16];
  for (int i = 0; i < m.n_nodes; i++) node[i] = m.node_x[2 * i];
  for (int c = 0; c < m.n_cells; c++)
    for (int k = m.cell_start[c]; k < m.cell_start[c + 1]; k++) value[c] += node[m.cell_node[k]] / 3;
  picture_panel panel = {.m = &m, .value = value, .node_value = node, .low = 0, .high = 4};
  image plain = draw_panel(&panel, SIZE);
  panel.contours = 4;
  image lines = draw_panel(&panel, SIZE);
  const int contours = changed_columns(&plain, &lines, SIZE / 2, begin);
  assert_in_range(contours, 3, 5); /* at 1, 2, 3, and perhaps along the two sides */
  for (int i = 1; i < contours; i++)
    assert_in_range(begin[i] - begin[i - 1], SIZE / SIDE - 2, SIZE / SIDE + 2);
  const int second = begin[1];
  free(lines.pixel);
  panel.contours = 0, panel.show_cells = true;
  lines = draw_panel(&panel, SIZE);
  assert_in_range(changed_columns(&plain, &lines, SIZE / 2, begin), 3, 5); /* and perhaps the two sides */
  int at = 0;
  while (at < 4 && abs(begin[at] - second) > 1) at++;
  assert_true(at < 4); /* contours stand where cells meet */
  free(lines.pixel);
  panel.show_cells = false, panel.node_value = NULL; /* from means over cells */
  image cells = draw_panel(&panel, SIZE);
  panel.contours = 4;
  lines = draw_panel(&panel, SIZE);
  const int n = changed_columns(&cells, &lines, SIZE / 4, begin);
  assert_in_range(n, 1, 6);
  assert_true(changed_columns(&cells, &lines, 0, begin) > 0);
  free(lines.pixel);
  free(cells.pixel);
  free(plain.pixel);
  free_grid(&m);
}

static void panels_stand_side_by_side(void **state) {
  (void)state;
  mesh m = plane_grid(2, 1, 2, 1, 0);
  double value[] = {0, 1};
  picture_panel panel[3] = {{.m = &m, .value = value}, {.m = &m, .value = value}, {.m = &m, .value = value}};
  image one = draw_panel(panel, 200);
  assert_int_equal(picture_write("q.png", panel, 3, &(picture_options){.size = 200, .columns = 3}, NULL),
                   EW_OK);
  image three = read_png("q.png");
  assert_true(three.width > 3 * one.width - 50);
  assert_int_equal(three.height, one.height);
  int low = count_colour(&one, colour_at(COLOUR_VIRIDIS, 0));
  assert_int_equal(count_colour(&three, colour_at(COLOUR_VIRIDIS, 0)), 3 * low);
  free(one.pixel);
  free(three.pixel);
  free_grid(&m);
}

static void wrong_requests_are_named(void **state) {
  (void)state;
  ew_error err = {0};
  double x[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1}, value[] = {1};
  uint8_t type[] = {MESH_TETRA};
  int32_t start[] = {0, 4}, node[] = {0, 1, 2, 3};
  mesh m = {.dim = 3,
            .n_nodes = 4,
            .node_x = x,
            .n_cells = 1,
            .cell_type = type,
            .cell_start = start,
            .cell_node = node};
  picture_panel panel = {.m = &m, .value = value, .z = 2};
  assert_int_equal(picture_write("s.png", &panel, 1, &(picture_options){0}, &err), EW_INPUT);
  assert_string_equal(
      err.text, "cannot draw 's.png': a slice at z = 2 m misses the mesh, which reaches from z = 0 to 1 m");
  panel.z = 0;
  assert_int_equal(picture_write("s.png", &panel, 1, &(picture_options){0}, &err), EW_OK);
  assert_int_equal(picture_write("no/s.png", &panel, 1, &(picture_options){0}, &err), EW_IO);
  assert_int_equal(picture_write("b.png", &panel, 1, &(picture_options){.size = 40000}, &err), EW_INPUT);
  assert_non_null(strstr(err.text, "expected 1 to 32768 a side"));
  m.n_cells = 0;
  assert_int_equal(picture_write("s.png", &panel, 1, &(picture_options){0}, &err), EW_INPUT);
  assert_int_equal(picture_write("s.png", &panel, 0, &(picture_options){0}, &err), EW_INPUT);
}

/* Every sample of a meshed rectangle belongs to a cell, and to the one whose triangle it lies in. */
static void cells_tile_the_samples(void **state) {
  (void)state;
  mesh m = plane_grid(7, 5, 7, 5, 1);
  pixel_map r = {{70, 50}, {0, 0}, {7, 5}, NULL};
  assert_int_equal(pixel_map_create(&r, &m, 0, NULL), EW_OK);
  for (int j = 0; j < 50; j++)
    for (int i = 0; i < 70; i++) {
      double x = (i + 0.5) / 10, y = (49.5 - j) / 10, u = x - floor(x), v = y - floor(y);
      int quad = (int)y * 7 + (int)x, cell = r.cell[j * 70 + i];
      assert_int_equal(cell / 2, quad);
      if (fabs(u - v) > 1e-9) assert_int_equal(cell % 2, v > u);
    }
  pixel_map_destroy(&r);
  free_grid(&m);
}

/* Both cells at a side agree on its samples to the last bit, also where the side's ends are no round numbers. */
static void no_sample_falls_between_cells(void **state) {
  (void)state;
  for (int n = 3; n < 40; n++) {
    mesh m = plane_grid(n, n, 1, 1, 1);
    pixel_map r = {{20 * n, 20 * n}, {0, 0}, {1, 1}, NULL};
    assert_int_equal(pixel_map_create(&r, &m, 0, NULL), EW_OK);
    for (int i = 0; i < 400 * n * n; i++) assert_true(r.cell[i] >= 0);
    pixel_map_destroy(&r);
    free_grid(&m);
  }
}

/* Samples that fall on nodes and sides belong to one of the cells there, also at the boundary: half of it is
 * out. */
static void samples_on_nodes_are_taken_once(void **state) {
  (void)state;
  mesh m = plane_grid(4, 4, 4, 4, 1);
  pixel_map r = {{5, 5}, {-0.5, -0.5}, {4.5, 4.5}, NULL};
  int found = 0;
  assert_int_equal(pixel_map_create(&r, &m, 0, NULL), EW_OK);
  for (int i = 0; i < 25; i++) found += r.cell[i] >= 0;
  assert_int_equal(found, 16);
  pixel_map_destroy(&r);
  free_grid(&m);
}

static double polygon_area(const flat_cell *c) {
  double twice = 0;
  for (int i = 0; i < c->n; i++) {
    const double *a = c->x[i], *b = c->x[(i + 1) % c->n];
    twice += a[0] * b[1] - b[0] * a[1];
  }
  return twice / 2;
}

static void cuts_of_solid_cells_have_the_right_area(void **state) {
  (void)state;
  static double x[] = {0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0, 0, 0, 1, 1, 0, 1, 1, 1, 1, 0, 1, 1};
  static uint8_t type[] = {MESH_HEX, MESH_PRISM, MESH_PYRAMID, MESH_TETRA};
  static int32_t start[] = {0, 8, 14, 19, 23},
                 node[] = {0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 4, 5, 6, 0, 1, 2, 3, 4, 0, 1, 2, 4};
  const double z = 0.25, area[] = {1, 0.5, 0.5625, 0.28125};
  mesh m = {.dim = 3,
            .n_nodes = 8,
            .node_x = x,
            .n_cells = 4,
            .cell_type = type,
            .cell_start = start,
            .cell_node = node};
  for (int c = 0; c < 4; c++) {
    flat_cell cut;
    assert_true(flat_cell_make(&cut, &m, c, z));
    assert_true(fabs(polygon_area(&cut) - area[c]) < 1e-14);
    assert_false(flat_cell_make(&cut, &m, c, 1.5));
    assert_false(flat_cell_make(&cut, &m, c, -0.5));
  }
}

typedef struct trace {
  double length, worst;
} trace;

static void follow(void *context, const double a[2], const double b[2]) {
  trace *t = context;
  t->length += hypot(b[0] - a[0], b[1] - a[1]);
  t->worst = fmax(t->worst, fmax(fabs(a[0] + a[1] - 3.7), fabs(b[0] + b[1] - 3.7)));
}

/* The contour x + y = 3.7 of a linear field, away from the boundary where node values are one-sided. */
static void contours_of_a_linear_field_are_straight(void **state) {
  (void)state;
  mesh m = plane_grid(8, 8, 8, 8, 0);
  double value[64], node[81];
  for (int c = 0; c < 64; c++) value[c] = c % 8 + 0.5 + c / 8 + 0.5;
  assert_int_equal(field_at_nodes(&m, value, NULL, node, NULL), EW_OK);
  for (int j = 0; j < 9; j++)
    for (int i = 0; i < 9; i++) node[9 * j + i] = (i % 8 && j % 8) ? node[9 * j + i] : i + j;
  trace t = {0};
  for (int c = 0; c < 64; c++) {
    flat_cell flat;
    assert_true(flat_cell_make(&flat, &m, c, 0));
    field_contour(&flat, node, value[c], 3.7, follow, &t);
  }
  assert_true(t.worst < 1e-12);
  assert_true(fabs(t.length - 3.7 * sqrt(2)) < 1e-12);
  free_grid(&m);
}

/* The square from (0, 0) to (2, 2) as two quadrangles, one of them not convex: together they have the square's contour, no more. */
static void contours_stay_in_cells_that_are_not_convex(void **state) {
  (void)state;
  static const double x[5][2] = {{0, 0}, {2, 0}, {2, 2}, {0, 2}, {1.8, 0.1}};
  static const node_id corner[2][4] = {{0, 1, 2, 4}, {4, 2, 3, 0}};
  double node[5];
  for (int i = 0; i < 5; i++) node[i] = x[i][0] + x[i][1];
  for (double level = 0.05; level < 4; level += 0.1)
    for (int first = 0; first < 4; first++) {
      trace t = {0};
      for (int c = 0; c < 2; c++) {
        flat_cell flat = {.n = 4};
        double middle = 0;
        for (int i = 0; i < 4; i++) {
          flat.a[i] = flat.b[i] = corner[c][(i + first) % 4];
          flat.x[i][0] = x[flat.a[i]][0], flat.x[i][1] = x[flat.a[i]][1];
          middle += node[flat.a[i]] / 4;
        }
        field_contour(&flat, node, middle, level, follow, &t);
      }
      assert_true(fabs(t.length - sqrt(2) * fmin(level, 4 - level)) < 1e-12);
    }
}

static void relief_is_lit_from_the_upper_left(void **state) {
  (void)state;
  mesh m = plane_grid(8, 8, 8, 8, 1);
  double height[128], light[128];
  for (int c = 0; c < 128; c++) height[c] = 1;
  assert_int_equal(field_relief(&m, height, light, NULL), EW_OK);
  assert_true(light[60] == 1);
  for (int sign = -1; sign <= 1; sign += 2)
    for (int along_y = 0; along_y < 2; along_y++) {
      for (int c = 0; c < 128; c++) height[c] = sign * (along_y ? -(c / 16) : c / 2 % 8);
      assert_int_equal(field_relief(&m, height, light, NULL), EW_OK);
      assert_true(sign > 0 ? light[56] > 1.02
                           : light[56] < 0.98); /* rising to the right or down: faces the light */
    }
  free_grid(&m);
}

static void assert_ticks(double low, double high, bool logarithmic, const char *expected) {
  axis_ticks t;
  char text[512] = "";
  axis_make_ticks(&t, low, high, 5, logarithmic);
  for (int i = 0; i < t.n; i++) {
    strcat(text, i ? " " : "");
    strcat(text, t.label[i]);
  }
  assert_string_equal(text, expected);
}

static void ticks_are_two_at_least(void **state) {
  (void)state;
  axis_ticks t;
  for (int wanted = 0; wanted < 4; wanted++)
    for (double low = 0.01; low < 1; low += 0.013) {
      axis_make_ticks(&t, low, low + 0.24, wanted, false);
      assert_true(t.n >= 2 && t.at[0] >= low - 1e-9 && t.at[t.n - 1] <= low + 0.24 + 1e-9);
    }
}

static void ticks_are_round_and_distinct(void **state) {
  (void)state;
  assert_ticks(0, 1, false, "0.0 0.2 0.4 0.6 0.8 1.0");
  assert_ticks(-3, 3, false, "-2 0 2");
  assert_ticks(0, 1200, false, "0 500 1000");
  assert_ticks(1e5, 1.003e5, false, "1.000e5 1.001e5 1.002e5 1.003e5");
  assert_ticks(-2e-6, 2e-6, false, "-2e-6 -1e-6 0 1e-6 2e-6");
  assert_ticks(99, 99.004, false, "99.000 99.001 99.002 99.003 99.004");
  assert_ticks(1e-5, 1, true, "1e-5 1e-3 0.1");
  assert_ticks(1e-3, 1e4, true, "1e-3 0.1 10 1000");
  assert_ticks(0.04, 0.6, true, "0.05 0.1 0.2 0.5");
  assert_ticks(3.1, 3.4, true, "3.1 3.2 3.3 3.4");
}

static void text_is_as_wide_as_measured(void **state) {
  (void)state;
  ew_error err = {0};
  image *im = NULL;
  assert_int_equal(image_create(&im, 60, 60, &err), EW_OK);
  font_draw(im, 5, 5, "H", (rgb){0, 0, 0});
  for (int i = 0; i < im->width * im->height; i++)
    if (im->pixel[i].r < 255)
      assert_true(i % 60 >= 5 && i % 60 < 5 + font_width("H") && i / 60 >= 5 && i / 60 < 19);
  int black = count_colour(im, (rgb){0, 0, 0});
  assert_true(black >= 14 * 2);
  font_draw_upwards(im, 50, 50, "\xff", (rgb){0, 0, 0}); /* not a character: a mark of its own, no crash */
  assert_true(count_colour(im, (rgb){0, 0, 0}) > black);
  assert_true(font_width("m\xc2\xb2") < font_width("m2") && font_width("m\xc2\xb2") > font_width("m"));
  assert_int_equal(font_width("\xe2\x82"), 2 * font_width("\xff")); /* cut in the middle of a character */
  assert_true(font_width("iii") < font_width("mmm"));
  image_destroy(&im);
}

/* Leftmost and rightmost column that is not white, and how many pixels are not. */
static int inked(const image *im, int *left, int *right) {
  int n = 0;
  *left = im->width, *right = -1;
  for (int i = 0; i < im->width * im->height; i++) {
    if (im->pixel[i].r == 255) continue;
    n++;
    if (i % im->width < *left) *left = i % im->width;
    if (i % im->width > *right) *right = i % im->width;
  }
  return n;
}

static void titles_stay_within_their_bounds(void **state) {
  (void)state;
  static const char *const TITLE[] = {
      "depth", "depth [m] along the channel",
      "depth [m] along the channel, and the exact solution of Stoker beside it"};
  const int bounds[2] = {20, 180};
  for (int i = 0; i < 3; i++)
    for (int x = 0; x <= 200; x += 50) {
      ew_error err = {0};
      image *im = NULL;
      int left, right;
      assert_int_equal(image_create(&im, 200, 40, &err), EW_OK);
      font_draw_within(im, x, 10, bounds, TITLE[i], (rgb){0, 0, 0});
      assert_true(inked(im, &left, &right) > 100);
      assert_true(left >= 20 && right < 181);
      if (i == 0 && x == 100) assert_true(abs(left + right - 200) <= 4); /* centred where there is room */
      if (i > 0) assert_true(right - left > 140);                        /* all of the room is used */
      image_destroy(&im);
    }
}

static void colour_maps_have_their_ends(void **state) {
  (void)state;
  ew_error err = {0};
  colour_map map;
  assert_int_equal(colour_map_parse("terrain", &map, &err), EW_OK);
  assert_int_equal(map, COLOUR_TERRAIN);
  assert_int_equal(colour_map_parse("jet", &map, &err), EW_INPUT);
  assert_string_equal(err.text, "no colour map 'jet': there are viridis, water, terrain, diverging, grey");
  rgb low = colour_at(COLOUR_VIRIDIS, -5), high = colour_at(COLOUR_VIRIDIS, (double)INFINITY);
  assert_true(low.r == 68 && low.g == 1 && low.b == 84);
  assert_true(high.r == 253 && high.g == 231 && high.b == 37);
}

static void curves_go_through_their_points(void **state) {
  (void)state;
  ew_error err = {0};
  double x[] = {0, 1, 2, 3}, y[] = {1, 1, (double)NAN, 1}, far[] = {-1e300, 1e300, 0, 0};
  plot_curve curve[] = {{"data", x, y, 4}, {NULL, x, far, 4}};
  plot_axes axes = {.curve = curve, .n_curves = 2, .y_low = 0, .y_high = 2};
  assert_int_equal(plot_lines("l.png", &axes, &(plot_options){.width = 300, .height = 200}, &err), EW_OK);
  image im = read_png("l.png");
  rgb blue = {0, 114, 178};
  assert_in_range(count_colour(&im, blue), 180,
                  280); /* a third of the width, two pixels high, and the legend */
  free(im.pixel);
}

/* Whether nothing but white is in a column of pixels. */
static bool column_is_white(const image *im, int x) {
  for (int y = 0; y < im->height; y++) {
    rgb p = im->pixel[y * im->width + x];
    if (p.r < 255 || p.g < 255 || p.b < 255) return false;
  }
  return true;
}

/* Coordinates as of maps, spans of many sizes: labels of ticks lie in the picture, and apart from each other. */
static void labels_of_ticks_are_not_cut(void **state) {
  (void)state;
  ew_error err = {0};
  for (int k = 0; k < 60; k++) {
    const double origin = pow(10, k % 10) * (k % 3 - 1), span = pow(10, 3 - k % 7) * (1 + k % 5);
    const double x[] = {origin, origin + span}, y[] = {0, k % 2 ? 1 : 1e-6 * span};
    plot_curve curve[] = {{"data", x, y, 2}};
    plot_axes axes = {.curve = curve, .n_curves = 1, .x_name = "x", .y_name = k % 4 ? "y" : NULL};
    assert_int_equal(plot_lines("k.png", &axes, &(plot_options){0}, &err), EW_OK);
    image im = read_png("k.png");
    if (!column_is_white(&im, 0) || !column_is_white(&im, im.width - 1))
      fail_msg("from %g, %g long: a label is cut", origin, span);
    free(im.pixel);
    axis_ticks t;
    axis_make_ticks_along(&t, x[0], x[1], 640, false);
    assert_true(t.n >= 2);
    for (int i = 1; i < t.n && t.n > 2; i++)
      assert_true(640 * (t.at[i] - t.at[i - 1]) / span >=
                  (font_width(t.label[i]) + font_width(t.label[i - 1])) / 2.0);
  }
}

/* The same in pictures, whose legend of colours stands there. */
static void labels_below_pictures_are_not_cut(void **state) {
  (void)state;
  mesh m = plane_grid(2, 1, 2, 1, 0);
  double value[] = {0, 1};
  for (int k = 0; k < 10; k++) {
    mesh moved = m;
    moved.node_x = malloc(2 * (size_t)m.n_nodes * sizeof *moved.node_x);
    for (int i = 0; i < m.n_nodes; i++) {
      moved.node_x[2 * i] = pow(10, k) + m.node_x[2 * i];
      moved.node_x[2 * i + 1] = m.node_x[2 * i + 1];
    }
    picture_panel panel = {.m = &moved, .value = value, .map = COLOUR_WATER};
    image im = draw_panel(&panel, 200);
    assert_true(column_is_white(&im, 0) && column_is_white(&im, im.width - 1));
    free(im.pixel);
    free(moved.node_x);
  }
  free_grid(&m);
}

/* Their distance is infinite: the curve is there all the same, from one corner to the other, and ticks are numbers. */
static void the_largest_numbers_are_drawn(void **state) {
  static const double end[][2] = {{-1e308, 1e308},      {-1.7e308, 1.7e308}, {0, 1.7e308},
                                  {-1.7e308, -1.6e308}, {1e-308, 1e308},     {1.7e308, 1.7e308}};
  (void)state;
  ew_error err = {0};
  for (size_t i = 0; i < sizeof end / sizeof *end; i++)
    for (int logarithmic = 0; logarithmic <= (end[i][0] > 0); logarithmic++) {
      const double x[] = {0, 0.5, 1}, y[] = {end[i][0], end[i][0] / 2 + end[i][1] / 2, end[i][1]};
      plot_curve curve[] = {{NULL, x, y, 3}};
      plot_axes axes = {.curve = curve, .n_curves = 1, .log_y = logarithmic};
      assert_int_equal(plot_lines("g.png", &axes, &(plot_options){.width = 300, .height = 200}, &err), EW_OK);
      image im = read_png("g.png");
      const rgb colour = legend_colour(0);
      int n = 0;
      for (int p = 0; p < im.width * im.height; p++) n += memcmp(&im.pixel[p], &colour, sizeof colour) == 0;
      if (n < 200) fail_msg("from %g to %g: %d pixels of the curve", end[i][0], end[i][1], n);
      free(im.pixel);
      axis_ticks t;
      axis_make_ticks(&t, end[i][0], fmax(end[i][1], end[i][0] + 1e300), 5, logarithmic);
      for (int k = 0; k < t.n; k++) assert_true(isfinite(t.at[k]) && !strstr(t.label[k], "nan"));
    }
  mesh m = plane_grid(2, 1, 2, 1, 0);
  double value[] = {-1e308, 1e308};
  picture_panel panel = {.m = &m, .value = value, .map = COLOUR_GREY};
  image im = draw_panel(&panel, 200);
  int ends[2] = {0, 0};
  for (int p = 0; p < im.width * im.height; p++)
    ends[0] += im.pixel[p].r == 40 && im.pixel[p].b == 40,
        ends[1] += im.pixel[p].r == 240 && im.pixel[p].b == 240;
  assert_true(ends[0] > 5000 && ends[1] > 5000);
  free(im.pixel);
  free_grid(&m);
}

static void plots_without_data_are_refused(void **state) {
  (void)state;
  ew_error err = {0};
  double x[] = {-1, 0}, y[] = {1, 2};
  plot_curve curve[] = {{"data", x, y, 2}};
  plot_axes axes = {.curve = curve, .n_curves = 1, .log_x = true};
  assert_int_equal(plot_lines("m.png", &axes, &(plot_options){0}, &err), EW_INPUT);
  assert_string_equal(err.text, "cannot draw 'm.png': no curve has a point that can be drawn "
                                "(a logarithmic axis needs values > 0)");
  axes.x_low = -1, axes.x_high = 1;
  assert_int_equal(plot_lines("m.png", &axes, &(plot_options){0}, &err), EW_INPUT);
  assert_null(slurp("m.png", NULL));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(cells_have_the_colours_of_their_values),
      cmocka_unit_test(a_fixed_range_is_used),
      cmocka_unit_test(dry_and_faulty_cells_stand_out),
      cmocka_unit_test(lines_stand_where_they_should),
      cmocka_unit_test(panels_stand_side_by_side),
      cmocka_unit_test(wrong_requests_are_named),
      cmocka_unit_test(cells_tile_the_samples),
      cmocka_unit_test(no_sample_falls_between_cells),
      cmocka_unit_test(samples_on_nodes_are_taken_once),
      cmocka_unit_test(cuts_of_solid_cells_have_the_right_area),
      cmocka_unit_test(contours_of_a_linear_field_are_straight),
      cmocka_unit_test(contours_stay_in_cells_that_are_not_convex),
      cmocka_unit_test(relief_is_lit_from_the_upper_left),
      cmocka_unit_test(ticks_are_two_at_least),
      cmocka_unit_test(ticks_are_round_and_distinct),
      cmocka_unit_test(text_is_as_wide_as_measured),
      cmocka_unit_test(titles_stay_within_their_bounds),
      cmocka_unit_test(colour_maps_have_their_ends),
      cmocka_unit_test(curves_go_through_their_points),
      cmocka_unit_test(labels_of_ticks_are_not_cut),
      cmocka_unit_test(labels_below_pictures_are_not_cut),
      cmocka_unit_test(the_largest_numbers_are_drawn),
      cmocka_unit_test(plots_without_data_are_refused),
  };
  return cmocka_run_group_tests_name("io_picture", tests, enter_scratch, leave_scratch);
}
