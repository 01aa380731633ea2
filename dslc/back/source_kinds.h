/* What buffers can be filled with: one table, from which the manifest's reader and its checks, messages and the documentation
 * follow. */
#ifndef DSLC_BACK_SOURCE_KINDS_H
#define DSLC_BACK_SOURCE_KINDS_H

#include "dslc.h"

typedef enum source_width {
  SOURCE_ONE,
  SOURCE_DIMS,
  SOURCE_BY_FORM,
  SOURCE_FACES_PER_CELL, /* of the program; 1 where that is 0 */
  SOURCE_OF_FIELD
} source_width;

typedef struct source_kind {
  const char *text;
  dslc_buffer_kind buffer;
  dslc_element element;
  unsigned places; /* bits 1 << dslc_place */
  unsigned has;    /* bits DSLC_HAS_... */
  source_width width;
  bool by_row;      /* at nodes: by the rows of a hold */
  const char *what; /* for docs/manifest.md */
} source_kind;

/* NULL: no such number. */
const source_kind *source_kind_get(dslc_source_kind kind);

/* The components of a buffer with this source. */
int source_width_of(const dslc_program *p, const dslc_source *s);

/* Of an element of a buffer. */
double element_bytes(dslc_element e);

#endif
