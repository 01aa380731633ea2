/* Whether a scheme gives the same numbers however it is computed: on small random meshes and grids, with schedules drawn from all
 * there are, on any device, against a reference.
 *
 * A setting-up is a value (verify_setup): which mesh or grid, which rule on which side, which numbers. From it and what the compiler
 * tells of a scheme a case is made, the same each time, in memory or as a case file. A way (verify_way) is how the case is
 * computed: device, schedule, order of the mesh. Results are compared entity by entity, in an order that no renumbering changes.
 *
 * Lengths are in metres, angles in radians. Errors as in run/run.h. Nothing here prints. */
#ifndef EW_VERIFY_VERIFY_H
#define EW_VERIFY_VERIFY_H

#include <stdio.h>

#include "run/run.h"

/* ---- what is computed --------------------------------------------------------------------------------------- */

typedef enum verify_cells { VERIFY_SIMPLICES, VERIFY_BLOCKS, VERIFY_MIXED } verify_cells;

enum { VERIFY_SIDES = 6, VERIFY_SOLIDS = 2, VERIFY_MOST_CELLS = 24 };

/* Cells low[a] to high[a] - 1 along each axis. */
typedef struct verify_solid {
  int low[3], high[3];
} verify_solid;

typedef struct verify_setup {
  int dim;
  bool on_grid;
  int n[3];           /* blocks of a mesh, cells of a grid, along each axis */
  verify_cells cells; /* meshes */
  bool all_cut;       /* of mixed ones: all squares are, to triangles */
  double jitter;      /* meshes: part of the spacing */
  bool uneven;        /* grids: widths from 0.7 to 1.3 of the spacing */
  bool periodic[3];
  double spacing;           /* m */
  int rule[VERIFY_SIDES];   /* index of the rule's name, see verify_rules */
  int n_solids, solid_rule; /* grids */
  verify_solid solid[VERIFY_SOLIDS];
  bool plain;                      /* arguments of rules are plain numbers, givens do not depend on time */
  bool all_parameters;             /* those that have a default get a number too */
  bool zeros;                      /* some values are 0 wherever they would be negative */
  double base, amplitude, vectors; /* values are base + amplitude*wave; those of vectors vectors*wave */
  uint64_t seed;                   /* of all values, of jitter and widths */
  int steps;
  const char *variants; /* "friction=cell a=b", borrowed; those that it does not name, or all where it is NULL, by chance */
} verify_setup;

/* What values a scheme may have. */
typedef enum verify_values {
  VERIFY_POSITIVE, /* scalars from 0.7 to 1.3, vectors short: densities, depths, temperatures */
  VERIFY_SIGNED    /* all from -1 to 1 */
} verify_values;

/* What the compiler tells of a scheme with all its rules and quantities; compiled for `dims` dimensions (0: the scheme's own, 2 for
 * `mesh(D)`). Messages go to `messages` or nowhere. */
ew_status verify_describe(const char *path, int dims, FILE *messages, dslc_program **out, ew_error *err);

/* Does the scheme ask for parts of a mesh by names of its own? Only flat meshes that are drawn have such. */
bool verify_names_parts(const dslc_program *p);

/* Draws one. EW_INPUT if no rule of the scheme fits a side. */
ew_status verify_draw_setup(const dslc_program *scheme, verify_values values, uint64_t seed,
                            verify_setup *out, ew_error *err);

/* Instead of the rules drawn, the first that takes no arguments, where there is one: mostly a wall. Numbers that are made up let water and gas
 * pile up without end. */
void verify_close_sides(const dslc_program *scheme, verify_setup *setup);

typedef struct verify_source {
  const dslc_program *scheme; /* described */
  const char *path;           /* of its file */
  const char *folder;         /* of the case: where a mesh file is written if one is needed (mixed cells) */
  bool show;                  /* all fields and globals are asked for */
} verify_source;

/* The case of a scheme file. */
ew_status verify_make_case(const verify_source *of, const verify_setup *setup, ew_case **out, ew_error *err);

/* ---- how it is computed --------------------------------------------------------------------------------------- */

enum { VERIFY_SETTINGS = 96, VERIFY_TEXT = 64 };

/* Who goes on half-way from a checkpoint that is written there, in the case's folder. */
typedef enum verify_resumed {
  VERIFY_NOT_RESUMED,
  VERIFY_RESUMED,              /* another run of the same program */
  VERIFY_RESUMED_OTHERWISE,    /* one with the default schedule */
  VERIFY_RESUMED_BY_REFERENCE, /* the reference interpreter */
  VERIFY_BEGUN_BY_REFERENCE,   /* the way itself: it goes on from the interpreter's */
  VERIFY_RESUMED_COUNT
} verify_resumed;

typedef struct verify_way {
  const char *device; /* borrowed */
  mesh_cell_order cells, nodes;
  mesh_face_order faces;
  double nudge;     /* states begin changed by that much of themselves, up or down by chance; 0: not */
  bool by_manifest; /* what is run has been written to files in the case's folder, and read again */
  bool
      built_ahead; /* as `dslc build --periodic` makes it, without the case: with every rule, and whatever can be shown */
  verify_resumed resumed;
  const volatile sig_atomic_t *stop; /* ends the run with EW_STOPPED; borrowed, or NULL */
  int n;
  struct {
    char name[VERIFY_TEXT], value[24];
  } set[VERIFY_SETTINGS];
} verify_way;

/* Everything by itself in the plainest form, the mesh as it was made. */
verify_way verify_plain_way(const dslc_program *scheme, const char *device);
/* One of all ways: each setting of a schedule is set, or left open, by chance. */
verify_way verify_draw_way(const dslc_program *scheme, const char *device, uint64_t seed);
/* What of it lies in memory in single precision, by chance; such ways differ from a reference by much more than others. */
void verify_draw_store(verify_way *way, const dslc_program *scheme, uint64_t seed);
bool verify_way_is_single(const verify_way *way);
/* "", " resumed", " resumed by reference"; and the other way, wherever it stands in a line. */
const char *verify_resumed_text(verify_resumed how);
verify_resumed verify_resumed_in(const char *line);
/* What it sets of that name, or NULL. */
const char *verify_way_setting(const verify_way *way, const char *name);
/* Sets one more, or anew; false: no room. */
bool verify_way_set(verify_way *way, const char *name, const char *value);
/* "faces=store q=inline ...; cells random, faces sorted" */
void verify_way_text(const verify_way *way, char *text, size_t size);

/* ---- the numbers ------------------------------------------------------------------------------------------------ */

typedef struct verify_field {
  char name[VERIFY_TEXT];
  int n; /* numbers: entities times components */
  double *value;
} verify_field;

typedef struct verify_result {
  int n_fields;
  verify_field *field; /* states and what is shown; a global is a field of one number */
  double t;
  int64_t steps;
  bool diverged;  /* a check failed: `why` */
  bool cut_short; /* by the interpreter, which stops within the step that fails; kernels look behind it */
  bool faulty; /* it was not run, as the device's driver is known to compute such a program wrongly: `why` */
  char why[512];
} verify_result;

void verify_result_clear(verify_result *r);

/* Runs the case that way for its number of steps. EW_OK also if a check failed on the device, see `diverged`. The case is as before
 * afterwards. Messages of the compiler go to `messages` or nowhere. */
ew_status verify_run(ew_case *c, const verify_way *way, FILE *messages, verify_result *out, ew_error *err);

/* What a run's fields and globals hold now. `out` is empty before; the caller clears it, also after an error. */
ew_status verify_collect(exec_run *run, verify_result *out, ew_error *err);

typedef struct verify_difference {
  double most;    /* relative to the largest value of the field, at least to `least`; inf: not comparable */
  char text[768]; /* where, and both numbers */
} verify_difference;

/* least: fields all of whose values are smaller are compared as if one were so large. */
verify_difference verify_compare(const verify_result *a, const verify_result *b, double least);
/* Of one field of `a`, relative to its own largest value. */
verify_difference verify_compare_own(const verify_result *a, const verify_result *b, int field);
double verify_largest_of(const verify_field *f);
double verify_largest(const verify_result *r); /* of all fields */

/* Fields below 1e-6 of the largest one are held against themselves. (*allowed) [n_fields of base], freed by the caller, also after a failure: the
 * difference that start values `off` by so much of themselves make in `plain`, which base is of; 0 of fields that are not small. */
ew_status verify_small_find(ew_case *c, const verify_way *plain, const verify_result *base, double off,
                            double **allowed, ew_error *err);
/* The largest of those that are not allowed; 0: there is none. */
verify_difference verify_small_compare(const verify_result *base, const verify_result *other,
                                       const double *allowed);
/* Those of which more than a millionth is allowed. */
void verify_small_print(const verify_result *base, const double *allowed, FILE *out);

/* ---- as files ------------------------------------------------------------------------------------------------------ */

/* A case file that does the same: `edgewise run`. `scheme`: where it finds the scheme, NULL: beside it. `way` may be NULL. A mesh that is no
 * constructor's is mesh.msh beside it. */
ew_status verify_write_case(const ew_case *c, const char *scheme, const verify_way *way, FILE *out,
                            ew_error *err);

#endif
