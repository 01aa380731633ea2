/* Shared by the files of this folder only. */
#ifndef DSLC_IR_IR_INTERNAL_H
#define DSLC_IR_IR_INTERNAL_H

#include "ir/ir.h"

enum { IR_MOST_PARTS = 16 };

/* The printed words of an enumeration, in its order. */
typedef struct ir_words {
  const char *const *text;
  int n;
} ir_words;

extern const ir_words ir_place_words, ir_at_words, ir_level_words, ir_binder_words, ir_reduce_words,
    ir_rank_words, ir_kind_words, ir_side_words, ir_evidence_words, ir_rule_words, ir_stmt_words,
    ir_role_words;

const char *ir_word(const ir_words *w, int i);                   /* "?" out of range */
int ir_word_find(const ir_words *w, const char *text, size_t n); /* -1 if absent */
int ir_op_find(const char *text, size_t n);                      /* any operator; -1 if absent */

/* Of ir_reach and ir_symbol_find: what can be found again at any time. */
struct ir_marks {
  VEC(uint32_t) round;   /* by node: the last round that reached it */
  VEC(ir_id) found;      /* in the present round */
  VEC(uint64_t) bits;    /* one for each node, all clear between rounds */
  VEC(ir_reached) known; /* by node: what it is computed from, once that was asked for; nodes never change */
  uint32_t now;
  name_map *by_name; /* the first symbol of each name, of those looked at so far */
  int named;         /* so many */
};

/* Of ir_entries_of: entries by target. */
struct ir_targets {
  bool known;
  int n_symbols;
  int *first; /* [n_symbols + 1] */
  ir_entry_place *at;
};

/* Finds or adds the node. The arguments are copied. */
ir_id ir_intern(ir_module *m, ir_node n, const ir_id *args);

/* The result type of operator `op` by its rule, or false if the operands do not fit. Operators with
 * attributes and leaves (CONST, PARAM, READ, PART, VECTOR, TUPLE) have no rule here: false. */
bool ir_result_type(ir_op op, int dims, int n, const ir_type *arg, ir_type *result);

/* A scalar or an int: what arithmetic takes as one number. */
static inline bool ir_is_number(ir_type t) { return t.n == 1 && (t.rank == IR_SCALAR || t.rank == IR_INT); }

#endif
