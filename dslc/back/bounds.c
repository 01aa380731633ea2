/* Bounds of parameters and arguments as manifests and messages have them: `>= 0 and < 1`. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "dslc.h"

static void narrow(dslc_bounds *b, bool lower, bool open, double limit) {
  if (lower && (limit > b->low || (limit == b->low && open))) b->low = limit, b->low_open = open;
  if (!lower && (limit < b->high || (limit == b->high && open))) b->high = limit, b->high_open = open;
}

/* One comparison from `text`: false if it is none. */
static bool read_one(const char **text, dslc_bounds *b) {
  const bool lower = **text == '>', open = **text == '\0' || (*text)[1] != '=';
  char *end;
  if (!lower && **text != '<') return false;
  const char *number = *text + 1 + !open;
  const double limit = strtod(number, &end);
  if (end == number) return false;
  narrow(b, lower, open, limit);
  *text = end;
  return true;
}

bool dslc_bounds_read(const char *text, dslc_bounds *b) {
  static const char and[] = " and ";
  const size_t n = sizeof and-1;
  *b = (dslc_bounds){-INFINITY, INFINITY, false, false};
  if (!text) return true;
  if (!read_one(&text, b)) return false;
  if (strncmp(text, and, n) == 0) {
    text += n;
    if (!read_one(&text, b)) return false;
  }
  return *text == '\0';
}

bool dslc_within(const char *bounds, double value) {
  dslc_bounds b;
  if (!dslc_bounds_read(bounds, &b)) return false;
  return (b.low_open ? value > b.low : value >= b.low) && (b.high_open ? value < b.high : value <= b.high);
}
