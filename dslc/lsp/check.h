/* The whole compiler over a scheme, in a process of its own: what it finds wrong, then what its equations cost. The editor is answered
 * meanwhile; a newer text ends the check of the older one, and a defect of the compiler ends the check alone. */
#ifndef DSLC_LSP_CHECK_H
#define DSLC_LSP_CHECK_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "dslc.h"

enum { MOST_DYING = 16 };

typedef struct check {
  pid_t process; /* 0: none */
  int from;      /* what it says */
  char *said;
  size_t size, room, taken;
  pid_t dying[MOST_DYING]; /* stopped, not gone yet: nobody waits for them */
  int n_dying;
} check;

/* Starts checking; false: no process could be made. `o` is copied with the process. */
bool check_start(check *c, const dslc_options *o);
/* Ends it, whatever it is doing, and forgets what it said; the process may take a moment to be gone. */
void check_stop(check *c);
void check_free(check *c); /* the same, and waits for it */

/* Reads what there is. False at the end: then `signal` is what ended the process, 0 if it ended by itself. */
bool check_read(check *c, int *signal);
/* The next whole part of what was said, JSON: 'M' the messages (an array as `dslc check --json` prints it), 'F' the facts (facts.c).
 * Owned by the check until the next call of check_read; NULL: not yet. */
const char *check_part(check *c, char *kind);

/* facts.c: what a program knows of its names, as JSON text; free() it. NULL: no memory. */
char *facts_text(const dslc_program *p);

#endif
