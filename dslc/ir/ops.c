/* The tables of words: operators from ops.def, and the printed forms of the IR's enumerations. */
#include "ir/ir_internal.h"

#include <string.h>

static const ir_op_info ops[IR_OP_COUNT] = {
#define OP(id, text, arity, type, unit, cl, c, flops)                                                        \
  [IR_##id] = {text, arity, IR_TYPE_##type, IR_UNIT_##unit, cl, c, flops},
#include "ir/ops.def"
#undef OP
};

const ir_op_info *ir_op_get(ir_op op) { return &ops[op]; }

int ir_op_find(const char *text, size_t n) {
  for (int op = 0; op < IR_OP_COUNT; op++)
    if (strlen(ops[op].text) == n && memcmp(ops[op].text, text, n) == 0) return op;
  return -1;
}

/* Functions stand in the table in two runs: min .. floor and dot .. norm. */
bool ir_op_find_function(const char *text, ir_op *op) {
  int found = ir_op_find(text, strlen(text));
  bool is_function = (found >= IR_MIN && found <= IR_FLOOR) || (found >= IR_DOT && found <= IR_NORM);
  if (is_function) *op = (ir_op)found;
  return is_function;
}

static const char *const words_of_place[] = {"nowhere", "cells",  "faces",  "nodes",     "edges",  "xfaces",
                                             "yfaces",  "zfaces", "xedges", "yedges",    "zedges", "corners",
                                             "xline",   "yline",  "zline",  "near_walls"};
static const char *const words_of_at[] = {"HERE", "L", "R",     "F",     "OUT",    "D",   "I",
                                          "J",    "E", "SHIFT", "INNER", "MIRROR", "NEAR"};
static const char *const words_of_level[] = {"now", "prev", "old", "new", "begin"};
static const char *const words_of_binder[] = {"faces", "near", "all"};
static const char *const words_of_reduce[] = {"sum", "min", "max"};
static const char *const words_of_rank[] = {"scalar", "vector", "tensor", "tuple", "list", "bool", "int"};
static const char *const words_of_kind[] = {"parameter", "time",     "state",  "given",  "geometry",
                                            "integral",  "equation", "global", "matrix", "argument"};
static const char *const words_of_side[] = {"even", "odd", "sided"};
static const char *const words_of_evidence[] = {"claimed", "proved", "sampled"};
static const char *const words_of_rule[] = {"ghost", "fix", "flux", "add"};
static const char *const words_of_role[] = {
    "written",       "stage_time", "by_row",   "held_mask",  "rule_mask",  "own_centre", "mesh_source",
    "row_start",     "late",       "interval", "step_bound", "step_most",  "slope",
    "stage",         "step_start", "rule_sum", "invariant",  "reciprocal", "sum_over_faces",
    "scattered_sum", "part",       "residual", "entry",      "diagonal",   "right_side"};
static const char *const words_of_stmt[] = {"update", "integrate", "solve", "repeat"};

#define TABLE(words)                                                                                         \
  { words, (int)(sizeof words / sizeof *words) }
const ir_words ir_place_words = TABLE(words_of_place);
const ir_words ir_at_words = TABLE(words_of_at);
const ir_words ir_level_words = TABLE(words_of_level);
const ir_words ir_binder_words = TABLE(words_of_binder);
const ir_words ir_reduce_words = TABLE(words_of_reduce);
const ir_words ir_rank_words = TABLE(words_of_rank);
const ir_words ir_kind_words = TABLE(words_of_kind);
const ir_words ir_side_words = TABLE(words_of_side);
const ir_words ir_evidence_words = TABLE(words_of_evidence);
const ir_words ir_rule_words = TABLE(words_of_rule);
const ir_words ir_stmt_words = TABLE(words_of_stmt);
const ir_words ir_role_words = TABLE(words_of_role);

const char *ir_word(const ir_words *w, int i) { return i >= 0 && i < w->n ? w->text[i] : "?"; }

int ir_word_find(const ir_words *w, const char *text, size_t n) {
  for (int i = 0; i < w->n; i++)
    if (strlen(w->text[i]) == n && memcmp(w->text[i], text, n) == 0) return i;
  return -1;
}

bool ir_role_is_stored(ir_role role) { return role >= IR_SLOPE; }

const char *ir_place_text(ir_place p) { return ir_word(&ir_place_words, (int)p); }

const char *ir_axes_text(arena *a, unsigned axes) {
  const char *text = NULL;
  for (int k = 0; k < 3; k++)
    if (axes >> k & 1) text = arena_printf(a, "%s%c", text ? text : "", "xyz"[k]);
  return text;
}
const char *ir_at_text(ir_at at) { return ir_word(&ir_at_words, (int)at); }
