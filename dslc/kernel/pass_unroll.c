/* Loops over the faces of a cell, where all cells have as many: several turns at once, as the schedule says. Compilers do it, when told. */
#include "kernel/pass.h"

static int unroll(kir_program *p, const kir_choices *how, kir_body *body, int at) {
  if (!kir_has_known_length(body->at[at])) return at;
  kir_insert(p, body, at, KIR_PRAGMA)->text =
      arena_printf(p->arena, how->opencl ? "unroll %d" : "GCC unroll %d", how->unroll);
  return at + 1;
}

void kir_pass_unroll(kir_program *p, const kir_choices *how) {
  if (how->unroll > 0) kir_each_loop(p, how, KIR_OVER_FACES, unroll);
}
