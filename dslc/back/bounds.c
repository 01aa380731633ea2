/* Bounds of arguments as manifests and messages have them: `>= 0 and < 1`. */
#include <stdlib.h>
#include <string.h>

#include "dslc.h"

/* One comparison from `text`: false if it is none. `*holds` stays true where it holds. */
static bool read_one(const char **text, double value, bool *holds) {
  const bool above = **text == '>', equal = **text != '\0' && (*text)[1] == '=';
  char *end;
  if (!above && **text != '<') return false;
  const char *number = *text + 1 + equal;
  const double limit = strtod(number, &end);
  if (end == number) return false;
  *holds = *holds && ((above ? value > limit : value < limit) || (equal && value == limit));
  *text = end;
  return true;
}

static bool read_all(const char *text, double value, bool *holds) {
  static const char and[] = " and ";
  const size_t n = sizeof and-1;
  *holds = true;
  if (!text) return true;
  if (!read_one(&text, value, holds)) return false;
  if (strncmp(text, and, n) == 0) {
    text += n;
    if (!read_one(&text, value, holds)) return false;
  }
  return *text == '\0';
}

bool dslc_within(const char *bounds, double value) {
  bool holds;
  return read_all(bounds, value, &holds) && holds;
}

bool dslc_bounds_read(const char *bounds) {
  bool holds;
  return read_all(bounds, 0, &holds);
}
