#include "mesh/gmsh/gmsh_cursor.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LARGEST_COORDINATE 1e30

int64_t gmsh_where(const gmsh_cursor *c) { return c->binary ? c->at - c->begin : c->line; }

ew_status gmsh_context(const gmsh_cursor *c, int64_t where) {
  if (c->binary) return ew_context(c->err, "%.300s: byte %lld", c->name, (long long)where);
  return ew_context(c->err, "%.300s:%lld", c->name, (long long)where);
}

ew_status gmsh_fail(const gmsh_cursor *c, const char *fmt, ...) {
  char text[1024];
  va_list ap;
  va_start(ap, fmt);
  vsnprintf(text, sizeof text, fmt, ap);
  va_end(ap);
  ew_fail(c->err, EW_INPUT, "%s", text);
  gmsh_context(c, gmsh_where(c));
  return EW_INPUT;
}

size_t gmsh_left(const gmsh_cursor *c) { return (size_t)(c->end - c->at); }

static bool is_space(char ch) { return ch == ' ' || ch == '\n' || ch == '\r' || ch == '\t'; }

static void skip_space(gmsh_cursor *c) {
  for (; c->at < c->end && is_space(*c->at); c->at++) c->line += *c->at == '\n';
}

void gmsh_skip_line(gmsh_cursor *c) {
  const char *newline = c->at < c->end ? memchr(c->at, '\n', gmsh_left(c)) : NULL;
  c->line += newline != NULL;
  c->at = newline ? newline + 1 : c->end;
}

/* Copies the next word; what is longer than any number is cut, which no number survives. */
static ew_status next_word(gmsh_cursor *c, const char *what, char *word, size_t size) {
  skip_space(c);
  if (c->at == c->end) return gmsh_fail(c, "the file ends where %s was expected", what);
  size_t n = 0;
  for (; c->at < c->end && !is_space(*c->at); c->at++)
    if (n + 1 < size) word[n++] = *c->at >= 32 && *c->at < 127 ? *c->at : '?';
  word[n] = 0;
  return EW_OK;
}

static ew_status unexpected(const gmsh_cursor *c, const char *what, const char *word) {
  return gmsh_fail(c, "expected %s, found \"%.40s\"", what, word);
}

/* Decimal digits with a sign, at most 18 of them. */
static bool parse_int(const char *word, int64_t *value) {
  bool negative = *word == '-';
  word += *word == '-' || *word == '+';
  int digits = 0;
  int64_t v = 0;
  for (; *word >= '0' && *word <= '9' && digits < 18; word++, digits++) v = 10 * v + (*word - '0');
  *value = negative ? -v : v;
  return digits > 0 && !*word;
}

ew_status gmsh_text_int(gmsh_cursor *c, const char *what, int64_t *value) {
  ew_status status = EW_OK;
  char word[64];
  EW_CHECK(next_word(c, what, word, sizeof word));
  if (!parse_int(word, value)) return unexpected(c, what, word);
cleanup:
  return status;
}

static ew_status check_real(const gmsh_cursor *c, const char *what, double value) {
  if (isfinite(value) && fabs(value) <= LARGEST_COORDINATE) return EW_OK;
  return gmsh_fail(c, "%s is %g; expected a finite number of magnitude up to %g", what, value,
                   LARGEST_COORDINATE);
}

ew_status gmsh_text_real(gmsh_cursor *c, const char *what, double *value) {
  ew_status status = EW_OK;
  char word[64], *rest;
  EW_CHECK(next_word(c, what, word, sizeof word));
  *value = strtod(word, &rest);
  if (rest == word || *rest) return unexpected(c, what, word);
  EW_CHECK(check_real(c, what, *value));
cleanup:
  return status;
}

ew_status gmsh_text_quoted(gmsh_cursor *c, const char *what, char *text, size_t size) {
  skip_space(c);
  if (c->at == c->end || *c->at != '"') return gmsh_fail(c, "expected %s in double quotes", what);
  c->at++;
  size_t n = 0;
  for (; c->at < c->end && *c->at != '"'; c->at++) {
    if ((unsigned char)*c->at < 32)
      return gmsh_fail(c, "%s holds a control character or is not closed", what);
    if (n + 1 >= size) return gmsh_fail(c, "%s is longer than %zu bytes", what, size - 1);
    text[n++] = *c->at;
  }
  if (c->at == c->end) return gmsh_fail(c, "the file ends inside %s", what);
  c->at++;
  text[n] = 0;
  return EW_OK;
}

static ew_status next_bytes(gmsh_cursor *c, const char *what, void *out, size_t n) {
  if (gmsh_left(c) < n) return gmsh_fail(c, "the file ends where %s was expected", what);
  char *to = out;
  for (size_t i = 0; i < n; i++) to[i] = c->at[c->swap ? n - 1 - i : i];
  c->at += n;
  return EW_OK;
}

ew_status gmsh_int(gmsh_cursor *c, const char *what, int64_t *value) {
  ew_status status = EW_OK;
  int32_t stored;
  if (c->binary) {
    EW_CHECK(next_bytes(c, what, &stored, sizeof stored));
    *value = stored;
  } else {
    EW_CHECK(gmsh_text_int(c, what, value));
  }
cleanup:
  return status;
}

ew_status gmsh_size(gmsh_cursor *c, const char *what, int64_t *value) {
  ew_status status = EW_OK;
  if (!c->binary) EW_CHECK(gmsh_text_int(c, what, value));
  else EW_CHECK(next_bytes(c, what, value, sizeof *value));
  if (*value < 0) return gmsh_fail(c, "%s is %lld; it cannot be negative", what, (long long)*value);
cleanup:
  return status;
}

ew_status gmsh_real(gmsh_cursor *c, const char *what, double *value) {
  ew_status status = EW_OK;
  if (!c->binary) return gmsh_text_real(c, what, value);
  EW_CHECK(next_bytes(c, what, value, sizeof *value));
  EW_CHECK(check_real(c, what, *value));
cleanup:
  return status;
}

/* Skips n numbers of `bytes` bytes. */
static ew_status skip_numbers(gmsh_cursor *c, const char *what, int64_t n, size_t bytes) {
  ew_status status = EW_OK;
  EW_CHECK(gmsh_check_count(c, what, n, c->binary ? bytes : 2));
  if (c->binary) {
    c->at += (size_t)n * bytes;
    return EW_OK;
  }
  double ignored;
  for (int64_t i = 0; i < n; i++) EW_CHECK(gmsh_text_real(c, what, &ignored));
cleanup:
  return status;
}

ew_status gmsh_skip_ints(gmsh_cursor *c, const char *what, int64_t n) { return skip_numbers(c, what, n, 4); }

ew_status gmsh_skip_reals(gmsh_cursor *c, const char *what, int64_t n) { return skip_numbers(c, what, n, 8); }

ew_status gmsh_check_count(const gmsh_cursor *c, const char *what, int64_t n, size_t item_bytes) {
  if (n < 0) return gmsh_fail(c, "%s is %lld; it cannot be negative", what, (long long)n);
  if ((uint64_t)n <= gmsh_left(c) / item_bytes) return EW_OK;
  return gmsh_fail(c, "%s is %lld, more than the %zu bytes left in the file can hold: is it truncated?", what,
                   (long long)n, gmsh_left(c));
}

ew_status gmsh_next_section(gmsh_cursor *c, char *name, size_t size, bool *found) {
  *found = false;
  for (skip_space(c); c->at < c->end && *c->at != '$'; skip_space(c)) gmsh_skip_line(c);
  if (c->at == c->end) return EW_OK;
  c->at++;
  *found = true;
  return next_word(c, "the name of a section", name, size);
}

ew_status gmsh_end_section(gmsh_cursor *c, const char *name) {
  char word[64], expected[64];
  snprintf(expected, sizeof expected, "$End%s", name);
  ew_status status = next_word(c, expected, word, sizeof word);
  if (status != EW_OK || !strcmp(word, expected)) return status;
  return gmsh_fail(c, "expected %s, found \"%.40s\"; is the count at the section's start right?", expected,
                   word);
}

ew_status gmsh_skip_section(gmsh_cursor *c, const char *name) {
  char marker[72];
  int n = snprintf(marker, sizeof marker, "$End%.60s", name);
  const char *found = memmem(c->at, gmsh_left(c), marker, (size_t)n);
  if (!found) return gmsh_fail(c, "section $%s has no %s: is the file truncated?", name, marker);
  for (; c->at < found; c->at++) c->line += *c->at == '\n';
  c->at = found + n;
  return EW_OK;
}
