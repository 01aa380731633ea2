/* Bounds of parameters, arguments and fields as manifests and messages have them: `>= 0 and < 1`, `>= 1 and whole`, `0 or 1`. */
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

static bool takes(const char **text, const char *word) {
  const size_t n = strlen(word);
  if (strncmp(*text, word, n) != 0) return false;
  *text += n;
  return true;
}

bool dslc_bounds_read(const char *text, dslc_bounds *b) {
  *b = (dslc_bounds){.low = -INFINITY, .high = INFINITY};
  if (!text) return true;
  if (strcmp(text, DSLC_BOUNDS_BOOL) == 0) return *b = (dslc_bounds){.low = 0, .high = 1, .whole = true}, true;
  do {
    if (takes(&text, DSLC_BOUNDS_INT)) b->whole = true;
    else if (!read_one(&text, b)) return false;
  } while (takes(&text, " and "));
  return *text == '\0';
}

bool dslc_within(const char *bounds, double value) {
  dslc_bounds b;
  if (!dslc_bounds_read(bounds, &b) || (b.whole && value != floor(value))) return false;
  return (b.low_open ? value > b.low : value >= b.low) && (b.high_open ? value < b.high : value <= b.high);
}
