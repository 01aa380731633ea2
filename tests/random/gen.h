/* Random schemes: valid texts in the scheme language that use all it has, the same for the same seed.
 *
 * Expressions are typed and tame: values stay near 1, no quotient's divisor comes near 0, comparisons have odd numbers beside them so
 * that no rounding decides; so results differ between schedules by rounding only, or something is wrong. */
#ifndef EW_RANDOM_GEN_H
#define EW_RANDOM_GEN_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

typedef enum construct {
#define CONSTRUCT(id, text) C_##id,
#include "constructs.def"
#undef CONSTRUCT
  CONSTRUCTS
} construct;

const char *construct_text(construct c);

static inline bool is_in_name(char c) {
  return c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

/* The scheme's text (the caller frees it), and how many dimensions it is to be compiled for; counts what it holds. NULL: no memory. */
char *gen_scheme(uint64_t seed, int *dims, int count[CONSTRUCTS]);

#endif
