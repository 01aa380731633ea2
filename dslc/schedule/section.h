/* Which section of a profile is about what is compiled. `edgewise tune` writes them, [scheme NAME VARIANT=CHOICE on mesh 2D 3], and runs
 * take them by the same rules (docs/tuning.md), but for sizes and the number of compute units, of which the compiler knows nothing. */
#ifndef DSLC_SCHEDULE_SECTION_H
#define DSLC_SCHEDULE_SECTION_H

#include <stdbool.h>

#include "base/source.h"
#include "dslc.h"

typedef struct section_wanted {
  const dslc_options *options; /* target, and the settings that are given by themselves */
  const char *subject;   /* "NAME VARIANT=CHOICE on mesh 2D 3"; 0 faces: they differ, or it is not said */
  const char *text_hash; /* of the scheme and its imports */
} section_wanted;

typedef struct section_choice {
  uint32_t general_end; /* bytes [0, general_end) are for every scheme */
  uint32_t start, end;  /* those of the section, behind its head; empty: none is taken, */
  bool found, any;      /* but one may be and set nothing; the file has sections */
  const char *why;      /* none is found */
} section_choice;

section_choice section_choose(arena *a, const source_file *f, const section_wanted *wanted);

/* A line of a profile without comment and white space around it, copied. */
char *section_line(arena *a, const source_file *f, uint32_t start, uint32_t end);
/* Without white space around [text, end), in place. */
char *section_trim(char *text, char *end);

#endif
