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

static const char *line_behind(const char *at) {
  const char *end = strchr(at, '\n');
  return end ? end + 1 : at + strlen(at);
}

static bool begins_section(const char *line) { return strncmp(line, "//@ ", 4) == 0; }

/* The text between the section's first line and the next section, without blank lines at its end. */
static const char *find_section(const char *section, size_t *size) {
  const size_t n = strlen(section);
  const char *start = prelude_cl;
  while (*start && !(begins_section(start) && strncmp(start + 4, section, n) == 0 && start[4 + n] == '\n'))
    start = line_behind(start);
  start = line_behind(start);
  const char *end = start;
  while (*end && !begins_section(end)) end = line_behind(end);
  while (end > start && end[-1] == '\n') end--;
  *size = (size_t)(end - start);
  return start;
}

/* `$global` and `$kind` are what they stand for here; NULL: no placeholder. */
static const char *stands_for(const char *at, const dialect *d, const char *kind, size_t *size) {
  const bool global = strncmp(at, "$global", 7) == 0;
  *size = global ? 7 : 5;
  if (global) return d->global;
  return kind && strncmp(at, "$kind", 5) == 0 ? kind : NULL;
}

const char *skeleton_section(arena *a, const char *section, const dialect *d, const char *kind) {
  VEC(char) text = {0};
  size_t size, n;
  const char *found = find_section(section, &size);
  for (size_t i = 0; i < size; i += n) {
    const char *with = found[i] == '$' ? stands_for(found + i, d, kind, &n) : NULL;
    if (!with) {
      n = 1;
      vec_push(a, &text, found[i]);
    }
    for (const char *c = with; c && *c; c++) vec_push(a, &text, *c);
  }
  vec_push(a, &text, '\0');
  return text.at;
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
      [PRELUDE_STREAM] = "stream",         [PRELUDE_TIME_END] = "time_end",
      [PRELUDE_FROM_LANE] = "from_lane"};
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

bool skeleton_needs(const bool used[PRELUDE_PART_COUNT], prelude_part part, bool tree) {
  return part == PRELUDE_FROM_LANE && tree &&
         (used[PRELUDE_GROUP_SUM] || used[PRELUDE_GROUP_MIN] || used[PRELUDE_GROUP_MAX]);
}
