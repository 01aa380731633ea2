/* A place in a Gmsh file held in memory, and the numbers found there. Internal to the Gmsh reader.
 *
 * Every function that can fail leaves a message that starts with "FILE:LINE: " (ASCII) or "FILE: byte N: "
 * (binary). Numbers of text are read in both kinds of file where the format says so (gmsh_text_int), else as
 * the file's kind has it. `what` names the number for messages. */
#ifndef EW_MESH_GMSH_CURSOR_H
#define EW_MESH_GMSH_CURSOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

typedef struct gmsh_cursor {
  const char *name; /* of the file, for messages */
  const char *begin, *at, *end;
  long line;   /* of `at`; meaningful in ASCII files */
  bool binary; /* numbers are stored as bytes */
  bool swap;   /* ... of the other byte order */
  ew_error *err;
} gmsh_cursor;

/* EW_INPUT, with the cursor's place in front. */
ew_status gmsh_fail(const gmsh_cursor *c, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* A place to come back to in messages: the line or the byte. */
int64_t gmsh_where(const gmsh_cursor *c);
/* Puts "FILE:LINE: " of such a place in front of the message. */
ew_status gmsh_context(const gmsh_cursor *c, int64_t where);

size_t gmsh_left(const gmsh_cursor *c);

ew_status gmsh_text_int(gmsh_cursor *c, const char *what, int64_t *value);
ew_status gmsh_text_real(gmsh_cursor *c, const char *what, double *value);
/* What stands between double quotes, copied into text. */
ew_status gmsh_text_quoted(gmsh_cursor *c, const char *what, char *text, size_t size);

ew_status gmsh_int(gmsh_cursor *c, const char *what, int64_t *value);  /* 4 bytes */
ew_status gmsh_size(gmsh_cursor *c, const char *what, int64_t *value); /* 8 bytes, not negative */
ew_status gmsh_real(gmsh_cursor *c, const char *what, double *value);  /* 8 bytes, finite */
ew_status gmsh_skip_ints(gmsh_cursor *c, const char *what, int64_t n);
ew_status gmsh_skip_reals(gmsh_cursor *c, const char *what, int64_t n);

/* A number of items that follow, each at least so many bytes long: refused when the file is too short for
 * them. */
ew_status gmsh_check_count(const gmsh_cursor *c, const char *what, int64_t n, size_t item_bytes);

/* Moves to the next line that starts with '$' and reads its name; *found is false at the end of the file. */
ew_status gmsh_next_section(gmsh_cursor *c, char *name, size_t size, bool *found);
/* Expects $EndNAME. */
ew_status gmsh_end_section(gmsh_cursor *c, const char *name);
/* Moves behind $EndNAME, whatever lies between. */
ew_status gmsh_skip_section(gmsh_cursor *c, const char *name);
/* Moves behind the next newline. */
void gmsh_skip_line(gmsh_cursor *c);

#endif
