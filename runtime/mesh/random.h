/* xorshift64* (Vigna 2016): the same numbers on every machine, from a state the caller holds. */
#ifndef EW_MESH_RANDOM_H
#define EW_MESH_RANDOM_H

#include <stdint.h>

/* A non-zero state that differs in most bits between neighbouring seeds. */
static inline uint64_t random_seed(uint64_t seed) {
  uint64_t s = seed + 0x9e3779b97f4a7c15u;
  s = (s ^ (s >> 30)) * 0xbf58476d1ce4e5b9u;
  s = (s ^ (s >> 27)) * 0x94d049bb133111ebu;
  s ^= s >> 31;
  return s ? s : 1;
}

static inline uint64_t random_next(uint64_t *state) {
  *state ^= *state >> 12;
  *state ^= *state << 25;
  *state ^= *state >> 27;
  return *state * 0x2545f4914f6cdd1du;
}

/* Uniform in [-1, 1). */
static inline double random_signed(uint64_t *state) {
  return (double)(random_next(state) >> 11) * 0x1p-52 - 1;
}

/* Uniform in [0, n), n > 0; the bias of at most n / 2^64 does not matter here. */
static inline uint64_t random_below(uint64_t *state, uint64_t n) { return random_next(state) % n; }

#endif
