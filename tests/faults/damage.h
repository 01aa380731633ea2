/* Changes at random to the bytes of a file, as a careless or hostile hand makes them; the same ones for the same seed. */
#ifndef FAULTS_DAMAGE_H
#define FAULTS_DAMAGE_H

#include <stddef.h>
#include <stdint.h>

typedef enum damage_kind {
  DAMAGE_BYTES, /* cut off, bits and words of bytes changed, blocks twice or gone */
  DAMAGE_TEXT,  /* also lines, numbers, words, nesting, long words, characters that are none */
  DAMAGE_JSON   /* also values and entries of lists */
} damage_kind;

/* A file in memory; `most` bytes are there for it, one more for a zero behind it. */
typedef struct damage {
  uint64_t random; /* never 0 */
  char *bytes;
  size_t size, most;
} damage;

/* A number below `below`. */
size_t damage_draw(damage *d, size_t below);

/* One change. What finds no place for its change may leave the file as it is. */
void damage_once(damage *d, damage_kind kind);

#endif
