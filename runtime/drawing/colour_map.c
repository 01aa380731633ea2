#include "drawing/colour_map.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

enum { MOST_CONTROLS = 9 };

typedef struct control_table {
  const char *name;
  int n;
  rgb control[MOST_CONTROLS]; /* at equal distances */
} control_table;

static const control_table TABLE[] = {
    [COLOUR_VIRIDIS] = {"viridis",
                        9,
                        {{68, 1, 84},
                         {71, 44, 122},
                         {59, 81, 139},
                         {44, 113, 142},
                         {33, 144, 141},
                         {39, 173, 129},
                         {92, 200, 99},
                         {170, 220, 50},
                         {253, 231, 37}}},
    [COLOUR_WATER] = {"water",
                      7,
                      {{226, 243, 250},
                       {183, 222, 240},
                       {128, 193, 226},
                       {74, 155, 206},
                       {32, 112, 174},
                       {14, 70, 130},
                       {7, 34, 78}}},
    [COLOUR_TERRAIN] =
        {"terrain",
         6,
         {{96, 132, 82}, {148, 166, 103}, {199, 190, 134}, {181, 150, 107}, {146, 113, 84}, {238, 234, 228}}},
    [COLOUR_DIVERGING] = {"diverging",
                          7,
                          {{33, 70, 150},
                           {92, 138, 196},
                           {168, 198, 226},
                           {245, 245, 243},
                           {240, 182, 158},
                           {211, 100, 84},
                           {150, 22, 38}}},
    [COLOUR_GREY] = {"grey", 2, {{40, 40, 40}, {240, 240, 240}}},
};

enum { N_TABLES = sizeof TABLE / sizeof TABLE[0] };

static uint8_t between(uint8_t a, uint8_t b, double s) { return (uint8_t)lround(a + s * (b - a)); }

rgb colour_at(colour_map map, double s) {
  if (isnan(s)) return (rgb){255, 0, 255};
  const control_table *t = &TABLE[map];
  double at = fmin(fmax(s, 0), 1) * (t->n - 1);
  int i = at >= t->n - 1 ? t->n - 2 : (int)at;
  rgb a = t->control[i], b = t->control[i + 1];
  return (rgb){between(a.r, b.r, at - i), between(a.g, b.g, at - i), between(a.b, b.b, at - i)};
}

ew_status colour_map_parse(const char *name, colour_map *out, ew_error *err) {
  for (int i = 0; i < N_TABLES; i++)
    if (strcmp(TABLE[i].name, name) == 0) {
      *out = (colour_map)i;
      return EW_OK;
    }
  return ew_fail(err, EW_INPUT, "no colour map '%s': there are viridis, water, terrain, diverging, grey",
                 name);
}

rgb colour_shade(rgb c, double factor) {
  return (rgb){(uint8_t)fmin(255, c.r * factor), (uint8_t)fmin(255, c.g * factor),
               (uint8_t)fmin(255, c.b * factor)};
}
