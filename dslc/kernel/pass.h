/* Passes: kernel IR as it was built in, kernel IR out, one file each. They know nothing of schemes and plans. What they leave is looked over
 * as what was built is: resolved, verified, printed for --dump-after (dslc.c). */
#ifndef DSLC_KERNEL_PASS_H
#define DSLC_KERNEL_PASS_H

#include "kernel/kernel.h"

/* The schedule's choices that passes carry out. */
typedef struct kir_choices {
  bool opencl;      /* else C11 */
  int unroll;       /* loops over the faces of a cell: so many turns at once; 0: as they are */
  bool reads_first; /* in loops over neighbours and over faces */
} kir_choices;

typedef struct kir_pass {
  const char *name; /* for --dump-after */
  void (*run)(kir_program *p, const kir_choices *how);
} kir_pass;

/* All of them in their order. */
const kir_pass *kir_passes(int *n);

void kir_pass_constants(kir_program *p, const kir_choices *how); /* before a march along rows */
void kir_pass_march(kir_program *p, const kir_choices *how);     /* rows in registers from pass to pass */
void kir_pass_reads(kir_program *p, const kir_choices *how);     /* loads before arithmetic */
void kir_pass_gather(kir_program *p,
                     const kir_choices *how); /* what all faces of a cell read, before the first computes */
void kir_pass_unroll(kir_program *p, const kir_choices *how); /* loops of a known length */
void kir_pass_unused(kir_program *p, const kir_choices *how); /* declarations that nothing names */

/* ---- What they share ---- */

/* Of all loops of a range: the block that a loop stands in, and where. What is put before it moves it: the new place is to be returned. */
typedef int kir_loop_visit(kir_program *p, const kir_choices *how, kir_body *body, int at);
void kir_each_loop(kir_program *p, const kir_choices *how, kir_range over, kir_loop_visit *visit);

/* Up to a constant: rows of different lengths stay loops. */
bool kir_has_known_length(const kir_stmt *loop);

kir_expr *kir_made(kir_program *p, kir_expr_kind kind, const kir_type *type);
kir_expr *kir_named(kir_program *p, kir_variable *v);
void kir_clear_twins(kir_program *p);                     /* looking a program over leaves some */
kir_expr *kir_copied(kir_program *p, const kir_expr *of); /* with each variable's twin in its place */

/* A declaration whose value is an element of a buffer. */
bool kir_is_load(const kir_stmt *s);
bool kir_waits(const kir_stmt *load); /* for the number of a neighbour, which has to be looked up */

kir_stmt *kir_insert(kir_program *p, kir_body *body, int at, kir_stmt_kind kind);

#endif
