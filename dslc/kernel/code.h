/* A kernel as code of the model machine: registers that hold 64 bits each, three operands an instruction.
 *
 * Functions do not recur, so every function has its registers at a place of its own behind those of all that call it (as Fortran had
 * it), and an item's state is its registers and one counter: it can be left at a barrier and taken up again.
 *
 * An int lies in the low half of its register. Pointers are numbers: region << 48 | offset in bytes (signed, 48 bits). Regions:
 * 0: nothing; 1 ... n_parameters: what the pointer that is argument number region-1 points to; then the objects in their order: arrays,
 * and whatever & is applied to. Structs have 8 bytes for each field, wherever they lie. */
#ifndef DSLC_KERNEL_CODE_H
#define DSLC_KERNEL_CODE_H

#include "kernel/kernel.h"

typedef union kir_slot {
  double f;
  float s;
  int32_t i;
  uint32_t u;
  int64_t l;
  uint64_t w;
} kir_slot;

typedef enum kir_opcode {
#define OP(ID) KIR_OP_##ID,
#include "kernel/opcodes.def"
#undef OP
  KIR_OP_COUNT
} kir_opcode;

typedef struct kir_insn {
  uint16_t op, extra;
  uint32_t a, b, c;
} kir_insn;

typedef struct kir_object {
  const char *name;
  kir_space space; /* PRIVATE or LOCAL */
  int64_t bytes;
  uint32_t slot;  /* PRIVATE: where it begins */
  int64_t offset; /* LOCAL: in the work-group's memory */
  int shift;      /* of an element's bytes: what is written at once */
  int line;
} kir_object;

typedef struct kir_frame { /* a function's code */
  const kir_function *function;
  uint32_t begin, end;
  uint32_t base, limit; /* its registers; base: where to return to */
} kir_frame;

typedef struct kir_code {
  const kir_program *program;
  const kir_function *kernel;
  VEC(kir_insn) insns;
  VEC(int) lines;
  VEC(kir_slot) constants; /* behind all other registers */
  VEC(kir_object) objects;
  VEC(kir_frame) frames;             /* the kernel first */
  VEC(const kir_variable *) tracked; /* for messages: by CHECK's extra operand */
  uint32_t n_slots, first_constant;
  uint32_t parameter; /* the first one's register; they stand side by side */
  int64_t local_bytes;
  bool has_barrier;
} kir_code;

enum { KIR_REGION_BITS = 16, KIR_OFFSET_BITS = 48 };

/* NULL and a message for what the machine has no room for. */
kir_code *kir_lower(kir_program *p, const kir_function *kernel, kir_message *message);

const char *kir_opcode_name(int op);

#endif
