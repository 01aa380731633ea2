/* Colours of values: small control tables, interpolated linearly. */
#ifndef EW_IO_COLOUR_MAP_H
#define EW_IO_COLOUR_MAP_H

#include "base/error.h"
#include "drawing/image.h"

typedef enum colour_map {
  COLOUR_VIRIDIS,   /* perceptually even, safe for the colour-blind; the default */
  COLOUR_WATER,     /* pale to deep blue: depths */
  COLOUR_TERRAIN,   /* green to brown to white: heights */
  COLOUR_DIVERGING, /* blue - white - red: differences, signs */
  COLOUR_GREY
} colour_map;

/* The colour at s in [0, 1], clamped; NaN gives magenta, which no map contains. */
rgb colour_at(colour_map map, double s);

/* "viridis", "water", "terrain", "diverging", "grey"; else EW_INPUT with the names there are. */
ew_status colour_map_parse(const char *name, colour_map *out, ew_error *err);

/* Lighter (factor > 1) or darker. */
rgb colour_shade(rgb colour, double factor);

#endif
