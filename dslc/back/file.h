/* What a generated file holds, as the emitter gives it to the printer: everything has been decided. */
#ifndef DSLC_BACK_FILE_H
#define DSLC_BACK_FILE_H

#include "dslc.h"
#include "kernel/pass.h"

/* Sections of the skeleton file prelude.cl, pasted when a kernel uses them. */
typedef enum prelude_part {
  PRELUDE_SCALARS,
  PRELUDE_FLAGS,
  PRELUDE_SUM_OF,
  PRELUDE_MIN_OF,
  PRELUDE_MAX_OF,
  PRELUDE_AT_LEAST,
  PRELUDE_AT_MOST,
  PRELUDE_SIGN_OF,
  PRELUDE_BITS,
  PRELUDE_CUBE_ROOT,
  PRELUDE_QUOTIENT,
  PRELUDE_SQUARE_ROOT,
  PRELUDE_CLEAR_ROWS,
  PRELUDE_OUTERMOST,
  PRELUDE_STREAM,
  PRELUDE_FROM_LANE, /* for those behind it: skeleton_needs */
  PRELUDE_GROUP_SUM,
  PRELUDE_GROUP_MIN,
  PRELUDE_GROUP_MAX,
  PRELUDE_FAIL_CHECK,
  PRELUDE_TIME_BEGIN,
  PRELUDE_TIME_END,
  PRELUDE_PART_COUNT
} prelude_part;

typedef struct dialect {
  bool opencl, openmp;
  const char *global; /* address space of buffers, with a blank behind */
  const char *header; /* section of the skeleton: includes, pragmas */
  const char *check;  /* section with fail_check */
  const char *bits;   /* section with bits_of */
} dialect;

const dialect *dialect_of(dslc_emit emit);

/* Statements are comments and definitions. */
typedef struct kernel_file {
  const dslc_program *program;
  const dialect *dialect;
  bool part[PRELUDE_PART_COUNT];
  bool tree;          /* work-groups reduce as a tree, not in order */
  kir_body constants; /* the schedule's choices */
  bool sized;         /* some kernels state their size through a macro */
  kir_body macros;    /* fields at an entity, tables, rows that are kept */
  kir_program *kernels;
  int n_kernels;         /* of its functions; the others stand before them */
  kir_choices how;       /* what passes are to do */
  const char *beginning; /* the text before its functions: back_begin */
} kernel_file;

/* Once all definitions are known; passes over its kernels may follow. */
void back_begin(kernel_file *f, arena *a);
/* Its text, in the arena. */
const char *back_print(const kernel_file *f, arena *a);

/* ---- Sections of prelude.cl ---- */

const char *skeleton_section(arena *a, const char *section, const dialect *d, const char *kind);
const char *skeleton_part(arena *a, prelude_part part, const dialect *d, bool tree);
/* Does a section that is used call the one of `part`? */
bool skeleton_needs(const bool used[PRELUDE_PART_COUNT], prelude_part part, bool tree);

#endif
