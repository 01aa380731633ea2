/* What a kernel touches, from its LOADs and STOREs alone: which arguments it reads and writes, which components of them, how often an
 * item does so, and how far from its own point of a grid.
 *
 * An index is a polynomial of the kernel's integers, as far as declarations that nothing assigns to say what they are; everything else
 * (a loop's counter, a number that was read) is an unknown of its own. The component is then what stands before the stride, or the rest
 * by the width. Where that cannot be told, `unclear` says so. */
#ifndef DSLC_KERNEL_ACCOUNT_H
#define DSLC_KERNEL_ACCOUNT_H

#include "kernel/kernel.h"

/* How an argument's components lie: at component*stride + i, or at i*width + component. */
typedef struct kir_layout {
  int width;  /* 0: not asked for */
  bool apart; /* by the stride; NULL: the kernel has none, so all it uses is component 0 */
  const kir_variable *stride;
  bool is_row_start; /* a loop from one of its entries to the next one has as many turns as rows are long */
  bool is_wall_distance; /* what is done only where it is small is done aside, at few points */
} kir_layout;

typedef struct kir_account {    /* of one parameter */
  bool read, written;           /* by the kernel or what it calls; through a pointer, or the number itself */
  bool read_here, written_here; /* by the kernel's own statements, but not aside */
  double loads, stores;         /* of an item, by those */
  bool unclear;                 /* some index does not tell its component */
  bool *component_read, *component_written; /* [width] */
  int64_t lowest, highest;                  /* constants in indices: at points of a grid, offsets along x */
} kir_account;

/* `layout`, `account`: one for each of the kernel's parameters; what `account` points to lives in the program's arena. `row_length`:
 * turns of loops over a row. Not to be called for one program by two threads at a time. */
void kir_take_account(kir_program *p, const kir_function *kernel, const kir_layout *layout, double row_length,
                      kir_account *account);

#endif
