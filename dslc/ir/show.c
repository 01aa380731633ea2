/* A root as a formula in the scheme's own words, for messages: with no more brackets and indices than the language asks for, and cut where it
 * is long, which also bounds the work on graphs of any size. */
#include <stdio.h>
#include <string.h>

#include "ir/ir_internal.h"

enum { MOST_SHOWN = 150, DEEPEST = 60 };

#define CUT "\xE2\x80\xA6" /* … */

/* Loosest first, as in the grammar. */
enum { LOOSEST, OR_LEVEL, AND_LEVEL, NOT_LEVEL, COMPARE, SUM, REDUCTION, PRODUCT, NEGATION, POWER, PRIMARY };

typedef struct shown {
  const ir_module *m;
  char text[MOST_SHOWN + 8];
  size_t used;
  int deep;
  bool cut; /* nothing more is written */
} shown;

static void show(shown *s, ir_id id, int at_least);

static void put(shown *s, const char *text) {
  const size_t n = strlen(text);
  if (s->cut) return;
  s->cut = s->used + n > MOST_SHOWN;
  if (s->cut) text = CUT;
  memcpy(s->text + s->used, text, strlen(text) + 1);
  s->used += strlen(text);
}

/* ---- what is read ------------------------------------------------------------------------------------------------------------ */

static void put_letter(shown *s, int axis, int off, bool *first) {
  char text[16];
  if (off) snprintf(text, sizeof text, "%s%c%+d", *first ? "" : ",", "ijk"[axis], off);
  else snprintf(text, sizeof text, "%s%c", *first ? "" : ",", "ijk"[axis]);
  *first = false;
  put(s, text);
}

/* As many letters as the quantity has; none at the point itself. */
static void show_shift(shown *s, const ir_symbol *q, const int8_t off[3]) {
  const bool line = q->place >= IR_XLINE && q->place <= IR_ZLINE;
  bool first = true;
  if (!off[0] && !off[1] && !off[2]) return;
  put(s, "[");
  for (int a = 0; a < s->m->dims; a++)
    if (!line || (int)q->place - (int)IR_XLINE == a) put_letter(s, a, off[a], &first);
  put(s, "]");
}

/* Of the faces in a loop, and of the point itself, the bare name stands for the value. */
static bool is_bare(ir_at at) {
  return at == IR_AT_HERE || at == IR_AT_F || at == IR_AT_OUT || at == IR_AT_E;
}

static const char *word_at(ir_at at) {
  return at == IR_AT_MIRROR ? "mirror" : at == IR_AT_INNER ? "inside" : ir_at_text(at);
}

static void show_access(shown *s, const ir_node *n) {
  const ir_symbol *q = &s->m->symbol.at[n->read.sym];
  put(s, q->text);
  if (n->read.level != IR_NOW) put(s, "."), put(s, ir_word(&ir_level_words, n->read.level));
  if (n->op == IR_PARAM || is_bare((ir_at)n->read.at)) return;
  if (n->read.at == IR_AT_SHIFT) {
    show_shift(s, q, n->read.off);
    return;
  }
  put(s, "["), put(s, word_at((ir_at)n->read.at)), put(s, "]");
}

static void show_number(shown *s, const ir_node *n) {
  char text[40];
  snprintf(text, sizeof text, "%.6g", n->value);
  put(s, n->type.rank == IR_BOOL ? n->value != 0 ? "true" : "false" : text);
}

/* ---- operators ----------------------------------------------------------------------------------------------------------------- */

static int level_of(const ir_node *n) {
  switch ((ir_op)n->op) {
  case IR_SELECT: return LOOSEST;
  case IR_OR: return OR_LEVEL;
  case IR_AND: return AND_LEVEL;
  case IR_NOT: return NOT_LEVEL;
  case IR_LT:
  case IR_GT:
  case IR_LE:
  case IR_GE:
  case IR_EQ:
  case IR_NE: return COMPARE;
  case IR_ADD:
  case IR_SUB: return SUM;
  case IR_MUL:
  case IR_DIV: return PRODUCT;
  case IR_REDUCE: return REDUCTION;
  case IR_NEG: return NEGATION;
  case IR_POW: return POWER;
  case IR_CONST: return n->value < 0 ? NEGATION : PRIMARY;
  default: return PRIMARY;
  }
}

static void show_infix(shown *s, const ir_node *n) {
  const ir_id *args = ir_args(s->m, n);
  const int level = level_of(n);
  const bool loose = level < PRODUCT;
  show(s, args[0], level == COMPARE || level == POWER ? level + 1 : level);
  if (loose) put(s, " ");
  put(s, ir_op_get((ir_op)n->op)->text);
  if (loose) put(s, " ");
  show(s, args[1], level == POWER ? level : level + 1);
}

static void show_select(shown *s, const ir_node *n) {
  static const char *const word[] = {"if ", " then ", " else "};
  for (int k = 0; k < 3; k++) put(s, word[k]), show(s, ir_args(s->m, n)[k], LOOSEST);
}

static void show_reduction(shown *s, const ir_node *n) {
  const ir_place place = (ir_place)n->reduce.place;
  put(s, ir_word(&ir_reduce_words, n->reduce.kind));
  if (n->reduce.binder == IR_OVER_FACES) put(s, "(f of c) ");
  else if (n->reduce.binder == IR_OVER_NEAR) put(s, "(J near I) ");
  else {
    put(s, place == IR_CELLS   ? "(c in "
           : place == IR_NODES ? "(I in "
           : place == IR_FACES ? "(f in "
                               : "(e in ");
    put(s, ir_place_text(place));
    if (n->reduce.rule) put(s, "("), put(s, s->m->rule.at[n->reduce.rule].text), put(s, ")");
    put(s, ") ");
  }
  show(s, ir_args(s->m, n)[0], PRODUCT);
}

/* A component, `u.x`, or a part, `U.2`. */
static void show_part(shown *s, const ir_node *n) {
  const ir_node *of = ir_get(s->m, ir_args(s->m, n)[0]);
  char text[16];
  show(s, ir_args(s->m, n)[0], PRIMARY);
  if (of->type.rank == IR_VECTOR) snprintf(text, sizeof text, ".%c", "xyz"[n->first % 3]);
  else if (of->type.rank == IR_TENSOR)
    snprintf(text, sizeof text, ".%c%c", "xyz"[n->first / s->m->dims % 3], "xyz"[n->first % s->m->dims % 3]);
  else snprintf(text, sizeof text, ".%d", n->first + 1);
  put(s, text);
}

/* min(a, b, c) is min(min(a, b), c). */
static void show_extreme(shown *s, const ir_node *n) {
  const ir_id *args = ir_args(s->m, n);
  const ir_node *left = ir_get(s->m, args[0]);
  if (left->op == n->op && s->deep < DEEPEST) s->deep++, show_extreme(s, left), s->deep--;
  else show(s, args[0], LOOSEST);
  put(s, ", ");
  show(s, args[1], LOOSEST);
}

static void show_call(shown *s, const ir_node *n) {
  if (n->op != IR_TUPLE) put(s, ir_op_get((ir_op)n->op)->text);
  if (n->n_args == 0) return;
  put(s, "(");
  const bool extreme = n->op == IR_MIN || n->op == IR_MAX;
  if (extreme) show_extreme(s, n);
  for (int k = 0; k < n->n_args && !s->cut && !extreme; k++) {
    if (k) put(s, ", ");
    show(s, ir_args(s->m, n)[k], LOOSEST);
  }
  put(s, ")");
}

static void show_bare(shown *s, const ir_node *n) {
  const int level = level_of(n);
  if (n->op == IR_CONST) show_number(s, n);
  else if (n->op == IR_PARAM || n->op == IR_READ) show_access(s, n);
  else if (n->op == IR_SELECT) show_select(s, n);
  else if (n->op == IR_REDUCE) show_reduction(s, n);
  else if (n->op == IR_PART) show_part(s, n);
  else if (n->op == IR_NOT || n->op == IR_NEG) {
    put(s, n->op == IR_NOT ? "not " : "-");
    show(s, ir_args(s->m, n)[0], level + 1);
  } else if (n->n_args == 2 && level < PRIMARY) show_infix(s, n);
  else show_call(s, n);
}

static void show(shown *s, ir_id id, int at_least) {
  const ir_node *n = ir_get(s->m, id);
  const bool brackets = level_of(n) < at_least;
  if (s->cut) return;
  if (s->deep == DEEPEST) {
    put(s, CUT);
    return;
  }
  s->deep++;
  if (brackets) put(s, "(");
  show_bare(s, n);
  if (brackets) put(s, ")");
  s->deep--;
}

const char *ir_show(const ir_module *m, arena *a, ir_id root) {
  shown s = {.m = m};
  show(&s, root, LOOSEST);
  return arena_printf(a, "%s", s.text);
}
