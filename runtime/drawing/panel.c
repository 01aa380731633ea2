#include "drawing/panel.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "drawing/cell_field.h"
#include "drawing/flat_cell.h"
#include "drawing/font.h"
#include "drawing/raster.h"
#include "mesh/locate.h"

enum {
  SHORTEST_SIDE = 90,
  TICK_DISTANCE = 90,
  BAR_GAP = 18,
  BAR_WIDTH = 18,
  BAR_TICK = 5,
  TITLE_HEIGHT = 30
};

static const rgb OUTSIDE = {240, 241, 243}, DRY = {196, 192, 184}, OUTLINE = {110, 112, 118},
                 CONTOUR = {24, 26, 30};

static bool is_dry(const picture_panel *p, cell_id c) { return p->mask && p->mask[c] == 0; }

static void widen(double value, double *low, double *high) {
  *low = fmin(*low, value);
  *high = fmax(*high, value);
}

/* Of the cells that show: a slice's colours should not be spent on the rest of the mesh. */
static void value_range(const picture_panel *p, double z, double *low, double *high) {
  flat_cell flat;
  *low = INFINITY, *high = -INFINITY;
  for (cell_id c = 0; c < p->m->n_cells; c++) {
    if (!isfinite(p->value[c]) || is_dry(p, c) || !flat_cell_make(&flat, p->m, c, z)) continue;
    if (!p->node_value) widen(p->value[c], low, high);
    for (int i = 0; p->node_value && i < flat.n; i++)
      widen((1 - flat.part[i]) * p->node_value[flat.a[i]] + flat.part[i] * p->node_value[flat.b[i]], low,
            high);
  }
}

/* A range that a colour bar can show, also when all values are (nearly) the same or there are none. */
static void colour_range(const picture_panel *p, double z, double *low, double *high) {
  *low = p->low, *high = p->high;
  if (!(p->low < p->high)) value_range(p, z, low, high);
  if (*low > *high) *low = 0, *high = 1;
  double largest = fmax(fabs(*low), fabs(*high));
  if (*high - *low > 1e-9 * largest) return;
  double middle = *low / 2 + *high / 2, half = largest > 0 ? largest / 2 : 1;
  *low = fmax(middle - half, -DBL_MAX), *high = fmin(middle + half, DBL_MAX);
}

/* Equal axes, except where a domain is so slender that its shorter side would not be seen. */
static void size_frame(panel_layout *l, const double span[2], int size) {
  const char *name = l->panel->x_name ? l->panel->x_name : "x [m]";
  double longer = fmax(span[0], span[1]), stretch = 1;
  int *side[2] = {&l->f.width, &l->f.height};
  for (int d = 0; d < 2; d++) {
    double equal = size * span[d] / longer;
    *side[d] = (int)lround(fmax(equal, SHORTEST_SIDE));
    if (equal < SHORTEST_SIDE) stretch = *side[d] / equal;
  }
  if (stretch > 1.05)
    snprintf(l->x_name, sizeof l->x_name, "%.60s   (%s stretched x%.3g)", name, span[0] < span[1] ? "x" : "y",
             stretch);
  else snprintf(l->x_name, sizeof l->x_name, "%.60s", name);
}

static axis make_axis(const char *name, double low, double high, int pixels, int tick_distance) {
  axis a = {.name = name, .low = low, .high = high};
  int wanted = pixels / tick_distance;
  axis_make_ticks(&a.ticks, low, high, wanted < 2 ? 2 : wanted, false);
  return a;
}

ew_status panel_measure(panel_layout *l, const picture_panel *panel, int size, ew_error *err) {
  double low[3], high[3];
  *l = (panel_layout){.panel = panel, .z = panel->z};
  if (size > IMAGE_LARGEST_SIDE) /* before its sums with margins leave the integers */
    return ew_fail(err, EW_INPUT, "a picture of %d pixels: expected 1 to %d a side", size,
                   IMAGE_LARGEST_SIDE);
  if (panel->m->n_cells < 1) return ew_fail(err, EW_INPUT, "a picture of a mesh without cells");
  ew_status status = flat_check_height(panel->m, &l->z, err);
  if (status != EW_OK) return status;
  flat_bounds(panel->m, low, high);
  double span[2] = {high[0] - low[0], high[1] - low[1]};
  if (!(span[0] > 0 && span[1] > 0)) return ew_fail(err, EW_INPUT, "a picture of a mesh without extent");
  colour_range(panel, l->z, &l->low, &l->high);
  size_frame(l, span, size);
  l->f.horizontal = (axis){.name = l->x_name, .low = low[0], .high = high[0]};
  axis_make_ticks_along(&l->f.horizontal.ticks, low[0], high[0], l->f.width, false);
  l->f.vertical =
      make_axis(panel->y_name ? panel->y_name : "y [m]", low[1], high[1], l->f.height, TICK_DISTANCE * 2 / 3);
  axis bar = make_axis(NULL, l->low, l->high, l->f.height, TICK_DISTANCE / 2);
  l->bar_ticks = bar.ticks;
  l->f.x = frame_left_margin(&l->f);
  l->f.y = TITLE_HEIGHT;
  const int below = frame_right_margin(&l->f),
            beside = BAR_GAP + BAR_WIDTH + 2 * BAR_TICK + axis_label_width(&bar.ticks);
  l->width = l->f.x + l->f.width + (beside > below ? beside : below);
  l->height = l->f.y + l->f.height + frame_bottom_margin(&l->f);
  return EW_OK;
}

void panel_move(panel_layout *l, int x, int y) {
  l->f.x += x;
  l->f.y += y;
}

/* Heights of the dry cells' terrain, for its colours. */
static void terrain_range(const picture_panel *p, double *low, double *high) {
  *low = INFINITY, *high = -INFINITY;
  for (cell_id c = 0; c < p->m->n_cells; c++)
    if (is_dry(p, c) && isfinite(p->terrain[c])) {
      *low = fmin(*low, p->terrain[c]);
      *high = fmax(*high, p->terrain[c]);
    }
}

static ew_status terrain_colours(const picture_panel *p, rgb *colour, ew_error *err) {
  double low, high, *light = malloc(((size_t)p->m->n_cells + 1) * sizeof *light);
  if (!light) return ew_fail(err, EW_FAIL, "out of memory for a picture of %d cells", p->m->n_cells);
  ew_status status = field_relief(p->m, p->terrain, light, err);
  terrain_range(p, &low, &high);
  for (cell_id c = 0; status == EW_OK && c < p->m->n_cells; c++)
    if (is_dry(p, c)) {
      double s = high > low ? (p->terrain[c] - low) / (high - low) : 0.3;
      colour[c] = colour_shade(colour_at(COLOUR_TERRAIN, s), light[c]);
    }
  free(light);
  return status;
}

static ew_status cell_colours(const panel_layout *l, rgb *colour, ew_error *err) {
  const picture_panel *p = l->panel;
  for (cell_id c = 0; c < p->m->n_cells; c++) {
    double v = isfinite(p->value[c]) ? axis_part(p->value[c], l->low, l->high) : (double)NAN;
    colour[c] = is_dry(p, c) ? DRY : colour_at(p->map, v);
  }
  return p->mask && p->terrain ? terrain_colours(p, colour, err) : EW_OK;
}

/* The colour of one sample: its cell's, or that of the linear function between the cell's nodes. */
static rgb sample_colour(const panel_layout *l, const pixel_map *r, const rgb *colour, int i, int j) {
  const picture_panel *p = l->panel;
  cell_id c = r->cell[(size_t)j * (size_t)r->samples[0] + (size_t)i];
  if (c < 0) return OUTSIDE;
  if (!p->node_value || is_dry(p, c)) return colour[c];
  double x[3] = {r->low[0] + (i + 0.5) / r->samples[0] * (r->high[0] - r->low[0]),
                 r->high[1] - (j + 0.5) / r->samples[1] * (r->high[1] - r->low[1]), l->z};
  double weight[4], value = 0;
  mesh_weights(p->m, c, x, weight);
  for (int k = 0; k <= p->m->dim; k++)
    value += weight[k] * p->node_value[p->m->cell_node[p->m->cell_start[c] + k]];
  return colour_at(p->map, axis_part(value, l->low, l->high));
}

/* The mean colour of a pixel's samples. */
static rgb pixel_colour(const panel_layout *l, const pixel_map *r, const rgb *colour, int x, int y,
                        int samples) {
  int sum[3] = {0, 0, 0}, n = samples * samples;
  for (int j = y * samples; j < (y + 1) * samples; j++)
    for (int i = x * samples; i < (x + 1) * samples; i++) {
      rgb one = sample_colour(l, r, colour, i, j);
      sum[0] += one.r, sum[1] += one.g, sum[2] += one.b;
    }
  return (rgb){(uint8_t)((sum[0] + n / 2) / n), (uint8_t)((sum[1] + n / 2) / n),
               (uint8_t)((sum[2] + n / 2) / n)};
}

static ew_status draw_cells(image *im, const panel_layout *l, int samples, ew_error *err) {
  ew_status status;
  const frame *f = &l->f;
  pixel_map r = {{f->width * samples, f->height * samples},
                 {f->horizontal.low, f->vertical.low},
                 {f->horizontal.high, f->vertical.high},
                 NULL};
  rgb *colour = malloc(((size_t)l->panel->m->n_cells + 1) * sizeof *colour);
  if (!colour) return ew_fail(err, EW_FAIL, "out of memory for a picture of %d cells", l->panel->m->n_cells);
  EW_CHECK(cell_colours(l, colour, err));
  EW_CHECK(pixel_map_create(&r, l->panel->m, l->z, err));
  for (int y = 0; y < f->height; y++)
    for (int x = 0; x < f->width; x++)
      image_blend(im, f->x + x, f->y + y, pixel_colour(l, &r, colour, x, y, samples), 1);
cleanup:
  pixel_map_destroy(&r);
  free(colour);
  return status;
}

typedef struct stroke {
  image *im;
  const frame *f;
  rgb colour;
  double width;
} stroke;

static void draw_stroke(void *context, const double from[2], const double to[2]) {
  const stroke *s = context;
  double a[2] = {frame_x(s->f, from[0]), frame_y(s->f, from[1])};
  double b[2] = {frame_x(s->f, to[0]), frame_y(s->f, to[1])};
  image_line(s->im, a, b, s->width, s->colour);
}

static void draw_outlines(image *im, const panel_layout *l) {
  stroke s = {im, &l->f, OUTLINE, 0.4};
  flat_cell p;
  for (cell_id c = 0; c < l->panel->m->n_cells; c++) {
    if (!flat_cell_make(&p, l->panel->m, c, l->z)) continue;
    for (int i = 0; i < p.n; i++) draw_stroke(&s, p.x[i], p.x[(i + 1) % p.n]);
  }
}

/* The mean over the corners. (With the cell's own value lines would be jagged where a cell at the boundary and its corners there,
 * means of such cells, are all but equal.) */
static double middle_of(const flat_cell *flat, const double *node) {
  double sum = 0;
  for (int i = 0; i < flat->n; i++)
    sum += (1 - flat->part[i]) * node[flat->a[i]] + flat->part[i] * node[flat->b[i]];
  return sum / flat->n;
}

static void draw_contours_of(image *im, const panel_layout *l, const double *node) {
  const picture_panel *p = l->panel;
  stroke s = {im, &l->f, CONTOUR, 0.9};
  axis_ticks levels;
  flat_cell flat;
  axis_make_ticks(&levels, l->low, l->high, p->contours, false);
  for (cell_id c = 0; c < p->m->n_cells; c++) {
    if (is_dry(p, c) || !flat_cell_make(&flat, p->m, c, l->z)) continue;
    for (int k = 0; k < levels.n; k++)
      field_contour(&flat, node, middle_of(&flat, node), levels.at[k], draw_stroke, &s);
  }
}

static ew_status draw_contours(image *im, const panel_layout *l, ew_error *err) {
  const picture_panel *p = l->panel;
  if (p->node_value) return draw_contours_of(im, l, p->node_value), EW_OK;
  double *node = malloc(((size_t)p->m->n_nodes + 1) * sizeof *node);
  if (!node) return ew_fail(err, EW_FAIL, "out of memory for the values at %d nodes", p->m->n_nodes);
  ew_status status = field_at_nodes(p->m, p->value, p->mask, node, err);
  if (status == EW_OK) draw_contours_of(im, l, node);
  free(node);
  return status;
}

static void draw_bar(image *im, const panel_layout *l) {
  const frame *f = &l->f;
  int x = f->x + f->width + BAR_GAP, y = f->y, height = f->height;
  image_rectangle(im, x - 1, y - 1, BAR_WIDTH + 2, height + 2, INK);
  for (int j = 0; j < height; j++)
    image_rectangle(im, x, y + j, BAR_WIDTH, 1, colour_at(l->panel->map, 1 - (j + 0.5) / height));
  for (int i = 0; i < l->bar_ticks.n; i++) {
    double s = (l->bar_ticks.at[i] - l->low) / (l->high - l->low);
    int at = y + (int)lround((1 - s) * (height - 1));
    image_rectangle(im, x + BAR_WIDTH, at, BAR_TICK, 1, INK);
    font_draw(im, x + BAR_WIDTH + 2 * BAR_TICK, at - FONT_HEIGHT / 2, l->bar_ticks.label[i], INK);
  }
}

ew_status panel_draw(image *im, const panel_layout *l, int samples, ew_error *err) {
  ew_status status = draw_cells(im, l, samples, err);
  if (status != EW_OK) return status;
  if (l->panel->show_cells) draw_outlines(im, l);
  if (l->panel->contours > 0) status = draw_contours(im, l, err);
  frame_draw(im, &l->f, false);
  draw_bar(im, l);
  const int left = l->f.x - frame_left_margin(&l->f), bounds[2] = {left, left + l->width};
  if (l->panel->title)
    font_draw_within(im, l->f.x + l->f.width / 2, l->f.y - TITLE_HEIGHT + 4, bounds, l->panel->title, INK);
  return status;
}
