/* What a kernel touches, from its LOADs and STOREs alone: which arguments it reads and writes, which components of them, how often an
 * item does so, and how far from its own point of a grid. The manifest's account of a kernel is this one, taken of what was built; taken
 * once more of the finished text it says whether that does the same (agree.h).
 *
 * What was built says which component of which argument an ELEMENT is (kir_part). Of a text, an index is a polynomial of the kernel's
 * integers, as far as declarations that nothing assigns to say what they are; everything else (a loop's counter, a number that was read)
 * is an unknown of its own. The component is then what stands before the stride, or the rest by the width. Where that cannot be told,
 * `unclear` says so. */
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

typedef struct kir_account { /* of one argument */
  int argument;
  bool read, written;           /* by the kernel or what it calls; through a pointer, or the number itself */
  bool read_here, written_here; /* by the kernel's own statements, but not aside */
  double loads, stores;         /* of a point's items, by those */
  bool unclear;                 /* some index does not tell its component */
  bool *component_read, *component_written; /* [width]: by those; NULL: none is */
  bool *component_aside;                    /* [width]: of what was built: read aside; NULL: none is */
  int64_t lowest, highest;                  /* constants in indices: at points of a grid, offsets along x */
} kir_account;

/* Arguments have numbers: those of kir_part, or, where a function has its parameters, their places. */
typedef struct kir_accounts {
  arena *memory;
  const kir_layout *layout; /* by argument */
  int *place;               /* by argument: where its account stands, if that one is its own */
  VEC(kir_account) of;      /* those that are touched, in the order in which they are */
  double row_length;        /* turns of loops over a row */
  int items;                /* of the kernel, to each point or entity */
} kir_accounts;

/* Adds to the accounts. Not to be called for one program by two threads at a time. */
void kir_take_account(kir_program *p, const kir_function *kernel, kir_accounts *accounts);

/* Adds one to them, if it is not there; valid until the next one is added. */
kir_account *kir_touch(kir_accounts *accounts, int argument);
kir_account *kir_account_of(const kir_accounts *accounts, int argument); /* NULL: it is not touched */

/* How often an item of a kernel comes by, where those of a range are loops over something else. */
double kir_turns(kir_range over, double row_length);

#endif
