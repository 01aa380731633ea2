/* Sections of prelude.cl with their placeholders filled in. */
#include "back/file.h"

#include <string.h>

#include "prelude_cl.h"

static const dialect opencl = {.opencl = true,
                               .global = "__global ",
                               .header = "header_opencl",
                               .check = "fail_check_opencl",
                               .bits = "bits_opencl"};
static const dialect plain_c = {
    .global = "", .header = "header_c", .check = "fail_check_c", .bits = "bits_c"};
static const dialect openmp_c = {
    .openmp = true, .global = "", .header = "header_c", .check = "fail_check_openmp", .bits = "bits_c"};

const dialect *dialect_of(dslc_emit emit) {
  switch (emit) {
  case DSLC_EMIT_OPENCL: return &opencl;
  case DSLC_EMIT_C: return &plain_c;
  case DSLC_EMIT_C_OPENMP: return &openmp_c;
  case DSLC_EMIT_REFERENCE: break; /* nothing is emitted */
  }
  return &opencl;
}

/* The text between the section's first line and the next section, without blank lines at its end. */
static const char *find_section(const char *section, size_t *size) {
  size_t n = strlen(section);
  for (const char *at = strstr(prelude_cl, "//@ "); at; at = strstr(at + 1, "//@ ")) {
    if (strncmp(at + 4, section, n) != 0 || at[4 + n] != '\n') continue;
    const char *start = at + 5 + n, *end = strstr(start, "//@ ");
    if (!end) end = start + strlen(start);
    while (end > start && end[-1] == '\n') end--;
    *size = (size_t)(end - start);
    return start;
  }
  *size = 0;
  return "";
}

static const char *replace_all(arena *a, const char *text, const char *what, const char *with) {
  size_t n = strlen(what);
  for (const char *at = strstr(text, what); at; at = strstr(text, what))
    text = arena_printf(a, "%.*s%s%s", (int)(at - text), text, with, at + n);
  return text;
}

const char *skeleton_section(arena *a, const char *section, const dialect *d, const char *kind) {
  size_t size;
  const char *found = find_section(section, &size);
  const char *text = arena_strndup(a, found, size);
  text = replace_all(a, text, "$global", d->global);
  return kind ? replace_all(a, text, "$kind", kind) : text;
}

const char *skeleton_part(arena *a, prelude_part part, const dialect *d, bool tree) {
  static const char *const plain[PRELUDE_PART_COUNT] = {
      [PRELUDE_SCALARS] = "scalars",       [PRELUDE_FLAGS] = "flags",
      [PRELUDE_SUM_OF] = "sum_of",         [PRELUDE_MIN_OF] = "min_of",
      [PRELUDE_MAX_OF] = "max_of",         [PRELUDE_AT_LEAST] = "at_least",
      [PRELUDE_AT_MOST] = "at_most",       [PRELUDE_SIGN_OF] = "sign_of",
      [PRELUDE_TIME_BEGIN] = "time_begin", [PRELUDE_CUBE_ROOT] = "cube_root",
      [PRELUDE_QUOTIENT] = "quotient",     [PRELUDE_SQUARE_ROOT] = "square_root",
      [PRELUDE_CLEAR_ROWS] = "clear_rows", [PRELUDE_OUTERMOST] = "outermost",
      [PRELUDE_STREAM] = "stream",         [PRELUDE_TIME_END] = "time_end"};
  const char *group = tree ? "group_tree" : "group_serial";
  switch (part) {
  case PRELUDE_GROUP_SUM: return skeleton_section(a, group, d, "sum");
  case PRELUDE_GROUP_MIN: return skeleton_section(a, group, d, "min");
  case PRELUDE_GROUP_MAX: return skeleton_section(a, group, d, "max");
  case PRELUDE_BITS: return skeleton_section(a, d->bits, d, NULL);
  case PRELUDE_FAIL_CHECK: return skeleton_section(a, d->check, d, NULL);
  default: return skeleton_section(a, plain[part], d, NULL);
  }
}
