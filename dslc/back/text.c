#include "back/text.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/defects.h"

/* Prefixes that the OpenCL headers and the generated code claim wholesale. */
static const char *const reserved_prefix[] = {
    "__",    "as_",    "atom_",   "atomic_", "cl_",      "CL_",    "CLK_",         "clk_",        "convert_",
    "vload", "vstore", "stride_", "weight_", "get_",     "GROUP_", "EDGEWISE_",    "ds_",         "FP_",
    "DBL_",  "FLT_",   "LDBL_",   "HALF_",   "PTHREAD_", "MATH_",  "memory_order", "memory_scope"};

/* Keywords, types and built-in functions of C11 and OpenCL C 1.2, and words of the generated code itself. */
/* clang-format off */
static const char *const reserved_word[] = {
    /* C11 and OpenCL C */
    "auto", "break", "case", "char", "const", "continue", "default", "do", "double", "else", "enum",
    "extern", "float", "for", "goto", "if", "inline", "int", "long", "register", "restrict", "return",
    "short", "signed", "sizeof", "static", "struct", "switch", "typedef", "union", "unsigned", "void",
    "volatile", "while", "bool", "true", "false", "half", "quad", "complex", "imaginary", "uchar", "ushort",
    "uint", "ulong", "size_t", "ptrdiff_t", "intptr_t", "uintptr_t", "event_t", "sampler_t", "global",
    "local", "constant", "private", "kernel", "pipe", "read_only", "write_only", "read_write", "uniform",
    "generic", "asm", "typeof", "main", "NULL", "NAN", "INFINITY", "HUGE_VAL", "HUGE_VALF", "MAXFLOAT", "I",
    "linux", "unix", "queue_t", "ndrange_t", "reserve_id_t", "kernel_exec", "HUGE_VALL", "CHAR_BIT", "PIPE_BUF", "MAX_CANON",
    "MAX_INPUT", "fpclassify", "math_errhandling",
    /* mathematics */
    "acos", "acosh", "acospi", "asin", "asinh", "asinpi", "atan", "atan2", "atanh", "atanpi", "atan2pi",
    "cbrt", "ceil", "copysign", "cos", "cosh", "cospi", "erf", "erfc", "exp", "exp2", "exp10", "expm1",
    "fabs", "fdim", "floor", "fma", "fmax", "fmin", "fmod", "fract", "frexp", "hypot", "ilogb", "ldexp",
    "lgamma", "lgamma_r", "log", "log2", "log10", "log1p", "logb", "mad", "maxmag", "minmag", "modf", "nan",
    "nextafter", "pow", "pown", "powr", "remainder", "remquo", "rint", "rootn", "round", "rsqrt", "sin",
    "sincos", "sinh", "sinpi", "sqrt", "tan", "tanh", "tanpi", "tgamma", "trunc", "abs", "abs_diff",
    "add_sat", "hadd", "rhadd", "clamp", "clz", "ctz", "mad_hi", "mad_sat", "max", "min", "mul_hi",
    "rotate", "sub_sat", "upsample", "popcount", "mad24", "mul24", "degrees", "mix", "radians", "step",
    "smoothstep", "sign", "cross", "dot", "distance", "length", "normalize", "fast_distance", "fast_length",
    "fast_normalize", "isequal", "isnotequal", "isgreater", "isgreaterequal", "isless", "islessequal",
    "islessgreater", "isfinite", "isinf", "isnan", "isnormal", "isordered", "isunordered", "signbit", "any",
    "all", "bitselect", "select", "shuffle", "shuffle2", "printf", "mem_fence", "barrier", "prefetch",
    "read_mem_fence", "write_mem_fence", "wait_group_events", "vec_step", "gamma", "j0", "j1", "jn", "y0",
    "y1", "yn", "scalb", "drem", "significand", "nearbyint", "nexttoward", "scalbn", "scalbln", "lrint",
    "lround", "llrint", "llround", "exit", "abort", "free", "malloc", "index", "time", "div", "labs",
    "random", "signgam",
    /* of the preprocessor, pragmas and attributes */
    "defined", "OPENCL", "EXTENSION", "FP_CONTRACT", "ON", "OFF", "enable", "disable", "unroll", "clang", "loop", "vectorize_width", "diagnostic",
    "ignored", "omp", "parallel", "schedule", "collapse", "critical", "noinline", "reqd_work_group_size", "work_group_size_hint",
    "vec_type_hint", "packed", "aligned",
    /* the generated code's own */
    "args", "begin", "done", "edge", "end", "group", "groups", "item", "items", "i", "j", "k", "e", "f",
    "d", "n", "L", "R", "J", "from", "to", "left", "outward", "scratch", "lane", "place", "active", "width",
    "node", "LANES", "slot", "SLICE", "next", "first", "stride", "min_of", "max_of", "sum_of", "all_groups", "comes_last", "others_follow", "pass_gate", "DEVICE_FENCE", "at_least", "at_most",
    "sign_of", "from_lane", "bits_of", "number_of", "cube_root", "quotient", "square_root", "clear_rows", "outermost",
    "fetch_near", "fetch", "write_past", "read_once", "read_past", "group_sum", "group_min", "group_max",
    "time_begin", "time_end", "fail_check", "GROUP", "FACES_PER_CELL", "stage", "point", "col", "row",
    "layer", "item_x", "item_y", "item_z", "before", "stop", "walls", "wall", "dir", "steps", "face",
    "wall_0", "wall_1", "wall_2", "wall_3", "inner", "inner_face", "inner_beside", "mirror", "mirror_face", "target", "beside", "otherwise",
    "wall_first", "wall_second", "on_way", "thin", "fixed_sum", "fixed_by", "points_x", "points_y",
    "points_z", "pitch_y", "pitch_z", "origin", "HALO", "RUN", "walls_seen", "walls_of_group", "pass",
    "strip_width", "last_pass", "column", "column_x", "column_y", "column_z", "below", "above", "begin_x", "begin_y", "kept_col", "strip",
    "strips", "band", "bands", "turn", "walls_in_reach", "nearest", "after_next", "rows", "SIZED", "VECTOR",
    "TIME_NOW", "TIME_STEP", "TIME_STOP", "TIME_NEXT", "TIME_STEP_FREE", "TIME_STEP_MOST", "FIRST_GLOBAL", "FLAG_DONE",
    "FLAG_STEPS", "FLAG_MAX_STEPS", "n_near", "n_inner", "n_faces", "face_ahead", "ends_ahead", "first_ring", "first_face", "at",
    "ends", "PATCH_CELLS", "PATCH_FACES", "FLAG_FAULT", "FIRST_REPEAT", "FIRST_PASSES", "FIRST_CHECK",
};
/* clang-format on */

static bool starts_with(const char *s, const char *prefix) {
  return *s == *prefix && strncmp(s, prefix, strlen(prefix)) == 0;
}

static bool is_size(const char *text) {
  while (text_is_digit(*text) || *text == 'x') text++;
  return !*text;
}

/* double2, uint16, float4x4: vector and matrix types. */
static bool is_vector_type(const char *word) {
  static const char *const base[] = {"char",  "uchar", "short",  "ushort", "int",  "uint", "long",
                                     "ulong", "float", "double", "half",   "bool", "quad"};
  for (size_t i = 0; i < sizeof base / sizeof *base; i++) {
    if (*word != *base[i]) continue;
    size_t n = strlen(base[i]);
    if (strncmp(word, base[i], n) == 0 && word[n] && is_size(word + n)) return true;
  }
  return false;
}

static bool ends_with(const char *word, const char *end) {
  const size_t n = strlen(word), m = strlen(end);
  return n > m && strcmp(word + n - m, end) == 0;
}

/* image2d_array_t: OpenCL has more of them with each version, and with extensions. */
static bool is_image_type(const char *word) { return starts_with(word, "image") && ends_with(word, "_t"); }

/* INT_MAX, SSIZE_MAX, M_PI, M_E_F: the headers have what a system adds. M_i is ours. */
static bool is_constant(const char *word) {
  if (!starts_with(word, "M_") && !ends_with(word, "_MAX") && !ends_with(word, "_MIN")) return false;
  while (*word && !(*word >= 'a' && *word <= 'z')) word++;
  return !*word;
}

static bool has_reserved_prefix(const char *word) {
  for (size_t i = 0; i < sizeof reserved_prefix / sizeof *reserved_prefix; i++)
    if (starts_with(word, reserved_prefix[i])) return true;
  return false;
}

/* row_1_of_3: where a column lies in the rows that a window keeps. */
static bool is_row_of_ring(const char *word) {
  int row, rows, end = 0;
  return starts_with(word, "row_") && sscanf(word, "row_%d_of_%d%n", &row, &rows, &end) == 2 && !word[end];
}

/* What a function that looks for walls is called behind the quantity's name, see walls.c: `_of_beyond_x`, `_of_2_at`. */
static bool ends_as_of_walls(const char *at) {
  static const char *const part[] = {"at",      "at_walls", "fixed",   "fixed_inside", "fixed_inside_2",
                                     "around",  "across",   "between", "around_3",     "fixed_inside_3",
                                     "beside_", "beyond_",  "near_",   "beside_3_",    "between_3"};
  if (!starts_with(at, "_of_")) return false;
  const char *rest = at + 4;
  while (text_is_digit(*rest)) rest++;
  if (rest > at + 4 && *rest == '_') rest++;
  for (size_t i = 0; i < sizeof part / sizeof *part; i++) {
    const size_t n = strlen(part[i]), axis = part[i][n - 1] == '_'; /* its letter follows */
    if (starts_with(rest, part[i]) && strlen(rest) == n + axis) return true;
  }
  return false;
}

static bool is_of_walls(const char *word) {
  while (*word && !ends_as_of_walls(word)) word++;
  return *word;
}

static bool is_reserved(const name_scope *s, name word) {
  return name_map_get(s->reserved, word) || has_reserved_prefix(word) || is_vector_type(word) ||
         is_row_of_ring(word) || is_of_walls(word) || is_image_type(word) || is_constant(word);
}

static name_map *map_reserved(arena *a, intern_pool *pool) {
  name_map *all = name_map_create(a);
  for (size_t i = 0; i < sizeof reserved_word / sizeof *reserved_word; i++)
    if (!defect_is_back("names_beside_columns") || !starts_with(reserved_word[i], "column_"))
      name_map_put(all, intern_str(pool, reserved_word[i]), (void *)1);
  return all;
}

name_scope *name_scope_create(arena *a, intern_pool *pool, const name_scope *outer) {
  name_scope *s = arena_new(a, name_scope);
  *s = (name_scope){.used = name_map_create(a), .outer = outer, .memory = a, .pool = pool};
  s->reserved = outer ? outer->reserved : map_reserved(a, pool);
  return s;
}

static bool is_used(const name_scope *s, name text) {
  for (; s; s = s->outer)
    if (name_map_get(s->used, text)) return true;
  return false;
}

static char *identifier(arena *a, const char *text) {
  char *s = arena_printf(a, "%s%s", *text >= '0' && *text <= '9' ? "_" : "", text);
  char *to = s;
  for (const char *c = s; *c; c++) {
    if (text_is_letter(*c) || text_is_digit(*c)) *to++ = *c;
    else if (to == s || to[-1] != '_') *to++ = '_';
  }
  while (to > s + 1 && to[-1] == '_') to--; /* `grad_weak(p)` ends in a bracket; buffers own the final `_` */
  *to = '\0';
  return s;
}

bool name_is_given(const name_scope *s, const char *text) {
  return name_map_get(s->used, intern_str(s->pool, identifier(s->memory, text))) != NULL;
}

/* The map's value counts the names given out for one stem, so numbering many of them stays linear. */
const char *name_fresh(name_scope *s, const char *text, const char *suffix) {
  const char *stem = identifier(s->memory, text);
  if (strcmp(stem, "_") == 0) stem = "underscore"; /* not s_, which is the buffer of s */
  if (has_reserved_prefix(stem)) stem = arena_printf(s->memory, "s_%s", stem);
  if (is_reserved(s, intern_str(s->pool, stem))) stem = arena_printf(s->memory, "%s%s", stem, suffix);
  name wanted = intern_str(s->pool, stem);
  uintptr_t count = (uintptr_t)name_map_get(s->used, wanted);
  name given = wanted;
  while (is_used(s, given)) {
    count = count ? count + 1 : 2;
    given = intern_str(s->pool, arena_printf(s->memory, "%s_%d", stem, (int)count));
  }
  name_map_put(s->used, wanted, (void *)(count ? count : 1)); // NOLINT(performance-no-int-to-ptr)
  if (given != wanted) name_map_put(s->used, given, (void *)1);
  return given;
}

const char *text_number(arena *a, double value) {
  if (isnan(value)) return "NAN";
  if (isinf(value)) return value > 0 ? "INFINITY" : "-INFINITY";
  char digits[40];
  if (fabs(value) < 1e9 && value == (int)value && !(value == 0 && signbit(value)))
    return arena_printf(a, "%d.0", (int)value);
  for (int precision = 15; precision <= 17; precision++) {
    snprintf(digits, sizeof digits, "%.*g", precision, value);
    if (strtod(digits, NULL) == value) break;
  }
  bool plain = !strchr(digits, '.') && !strchr(digits, 'e');
  return arena_printf(a, "%s%s", digits, plain ? ".0" : "");
}
