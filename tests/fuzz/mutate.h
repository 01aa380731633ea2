#ifndef EW_FUZZ_MUTATE_H
#define EW_FUZZ_MUTATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What a language has beside the tokens that stand in the text. */
typedef struct mutation_words {
  int n;
  const char *const *word;
} mutation_words;

/* The text with some of its tokens or lines exchanged, doubled, gone or joined by words, in place, as the seed determines; returns its
 * new size, at most `most`. */
size_t mutate_tokens(unsigned char *text, size_t size, size_t most, const mutation_words *words,
                     uint64_t seed);

/* For what only want of memory may keep from being so: where a replay lets allocations fail, it goes on with the next; else the program is wrong. */
void fuzz_need(bool condition);

#endif
