/* What the files that make code share. */
#ifndef DSLC_KERNEL_LOWER_H
#define DSLC_KERNEL_LOWER_H

#include "kernel/code.h"

typedef uint32_t
    kir_reg; /* a register's number; with kir_constant_bit: of a constant, until all code is made */
enum { kir_no_register = 0x7fffffff };
#define kir_constant_bit 0x80000000u

typedef VEC(uint32_t) kir_labels; /* instructions that jump to one place, which is not known yet */

typedef struct kir_target { /* of break and continue */
  kir_labels breaks, continues;
  struct kir_target *outer;
  bool is_switch;
} kir_target;

typedef struct
    kir_patch { /* a field of an instruction that counts from a function's registers, or is its begin */
  uint32_t insn;
  int field; /* 'a', 'b', or 'j': a is where it begins and b its first register */
  const kir_function *callee;
} kir_patch;

typedef struct lowering {
  arena *arena;
  kir_program *program;
  kir_code *code;
  const kir_function *function;
  uint32_t base;       /* the function's registers begin here: the way back, the result, parameters, ... */
  uint32_t top, limit; /* the next free one, and behind the highest so far */
  int line;
  kir_target *target;
  VEC(kir_patch) patches;
  bool failed;
  kir_message *message;
} lowering;

/* A place in registers or in memory. */
typedef struct kir_place {
  const kir_type *type;
  bool in_memory, tracked, is_volatile, long_index;
  kir_reg at;     /* the register, or the pointer's */
  kir_reg index;  /* kir_no_register: none */
  int64_t offset; /* without an index: bytes behind the pointer */
  const kir_variable *variable;
} kir_place;

/* Their order in opcodes.def. */
typedef enum kir_class { CLASS_I, CLASS_U, CLASS_L, CLASS_Z, CLASS_D, CLASS_F } kir_class;
kir_class kir_class_of(const kir_type *t);

uint32_t kir_emit(lowering *x, int op, kir_reg a, kir_reg b, kir_reg c);
uint32_t kir_emit_with(lowering *x, int op, unsigned extra, kir_reg a, kir_reg b, kir_reg c);
void kir_here(lowering *x, const kir_labels *labels); /* those jump to the next instruction */
void kir_jump(lowering *x, int op, kir_labels *to, kir_reg b, kir_reg c);
kir_reg kir_take(lowering *x, int64_t n); /* n registers, until the statement or block ends */
kir_reg kir_integer(lowering *x, int64_t value);
kir_reg kir_number(lowering *x, kir_slot value);
void kir_lower_fail(lowering *x, int line, const char *text);

int kir_slots_of(const kir_type *t);                 /* registers that a value takes */
kir_reg kir_result_offset(void);                     /* in a function's registers */
kir_reg kir_parameter_offset(const kir_function *f); /* of the first one */

kir_reg kir_value(lowering *x,
                  const kir_expr *e); /* where it lies: a variable's own register, or one taken */
void kir_value_to(lowering *x, const kir_expr *e, kir_reg to);
/* Jumps if the condition is `when`. */
void kir_branch(lowering *x, const kir_expr *condition, bool when, kir_labels *to);
void kir_move(lowering *x, kir_reg to, kir_reg from, int n);
/* By class; `to` kir_no_register: into one taken, or where it is. */
kir_reg kir_change(lowering *x, kir_reg value, const kir_type *from, const kir_type *to);

bool kir_is_tracked(const kir_variable *v);
void kir_make_object(lowering *x, kir_variable *v);
kir_reg kir_object_pointer(lowering *x, const kir_variable *v);
kir_place kir_place_of(lowering *x, const kir_expr *e);
kir_reg kir_load(lowering *x, const kir_place *from);
void kir_store(lowering *x, const kir_place *to, kir_reg from);

#endif
