/* Kernel IR that was built, as a program that is typed and whole: what the parser makes of its text, without that text.
 *
 * What is built names things: macros of the file, functions and constants of the prelude, types that C converts unasked. Here each name
 * finds what it stands for: elements become indices into arguments, calls have their function, conversions are nodes. What the verifier,
 * the account and the model machine work on. */
#ifndef DSLC_KERNEL_RESOLVE_H
#define DSLC_KERNEL_RESOLVE_H

#include "kernel/kernel.h"

/* A file of kernels as built. `beginning`: what stands before its functions and is the same in many files: prelude and macros, as text.
 * Of the functions the first `n_kernels` stand behind the others. `source`: the file's text, for messages, or NULL. */
typedef struct kir_unit {
  const kir_program *built;
  int n_kernels;
  const char *beginning, *source;
} kir_unit;

/* NULL and a message for what no compiler would take: a name that is declared nowhere, or that stands for another variable where it is
 * used; types that do not fit. `a` must outlive the program; `options` as of kir_parse. Not for one unit by two threads at a time. */
kir_program *kir_resolve(arena *a, const kir_unit *unit, const char *options, kir_message *message);

#endif
