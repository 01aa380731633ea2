/* Schedules: where each equation is evaluated, and how kernels are shaped. A schedule is a list of settings `name = value`,
 * from a profile file (one setting a line, `--` comments), from a case, or from the command line; what it leaves open is
 * decided by rule. It never changes the mathematics: every point of the space is correct. */
#ifndef DSLC_SCHEDULE_SCHEDULE_H
#define DSLC_SCHEDULE_SCHEDULE_H

#include "base/diag.h"
#include "schedule/plan.h"

typedef enum form {
  FORM_AUTO,
  FORM_INLINE,
  FORM_STORE,
  FORM_SCATTER, /* meshes: what faces add into their cells */
  FORM_PATCH, /* meshes: what work-groups compute once a face, in local memory, for the cells that they own */
  FORM_WINDOW /* grids: kept in rows of local memory by the kernel of an update */
} form;

typedef struct schedule_choice { /* of one equation or one group of states */
  name text;
  form form;
  const char *aos;   /* "soa", "aos", or NULL */
  const char *store; /* "double", "float", or NULL */
} schedule_choice;

/* Of which groups numbers lie in memory in single precision, where nothing is said of one by its name. */
typedef struct store_groups {
  bool geometry, states, givens, fluxes;
} store_groups;

/* What never changes at edges: every quantity in arrays of its own; all that the step reads together for each edge; all integrals as
 * in the paper (16 numbers in 3D); what is the same from both ends once for both; the edges of neighbouring nodes side by side. */
typedef enum edge_form { EDGES_APART, EDGES_LEAN, EDGES_PACKED, EDGES_PAIRS, EDGES_SLICED } edge_form;

/* Near walls: every reader computes what it reads, as do readers of what is cheap, or nobody but small kernels ahead. */
typedef enum wall_form { WALLS_CALLS, WALLS_AUTO, WALLS_TABLES } wall_form;

/* On grids. */
typedef struct grid_schedule {
  wall_form walls;   /* whether what functions near walls compute is kept, or computed in every call */
  bool window;       /* what would be stored for one update only is windowed */
  int tile;          /* rows of a work-group over points of a grid */
  int columns, rows; /* of a subdomain of a windowed kernel; columns with those that only help */
  bool fit_rows;     /* rows are the most: a device with many compute units takes fewer */
  int registers; /* the most of a work-item of a windowed kernel, where the device's compiler lets itself be told; 0: no limit */
  int local_bytes; /* local memory that a work-group may take */
} grid_schedule;

typedef struct schedule {
  form faces; /* of what cells sum over their faces, where an equation says nothing itself */
  select_form select;
  divide_form divide;
  plan_reduce_form reduce;
  bool aos; /* of states and stored vectors */
  store_groups single;
  int group; /* entities of a work-group */
  bool loop; /* one work-item takes them all in a loop */
  int unroll;
  int lanes;        /* work-items that share a node's loop over its neighbours */
  edge_form edges;  /* how what never changes at edges lies in memory */
  bool reads_first; /* a pass of a loop over neighbours asks for all it reads before it computes */
  grid_schedule grid;
  bool
      together; /* launches that follow each other become one kernel, for devices whose launches cost more than their work */
  VEC(schedule_choice) choice;
  const char *profile; /* its name, or NULL */
} schedule;

/* Settings and their meaning, for messages and the reference page. */
typedef struct schedule_key {
  const char *name, *values, *meaning;
} schedule_key;
const schedule_key *schedule_keys(int *n);

/* What a schedule is read for. subject: as sections of profiles name it, "NAME VARIANT=CHOICE on mesh 2D 3". */
typedef struct schedule_for {
  const dslc_options *options;
  const ir_module *module;
  const char *subject, *text_hash; /* the latter: of the scheme and its imports */
} schedule_for;

/* The default for a CPU or a GPU, then the profile's settings, then single ones. Complaints go to the sink. */
schedule schedule_read(arena *a, intern_pool *names, source_set *sources, diag_sink *sink,
                       const schedule_for *what);

/* False, and a report, where no schedule can carry the scheme out; the rest is found by planning. */
bool schedule_can_plan(const ir_module *m, diag_sink *sink);
/* Does what boundary rules say lead to an end? No: reported. Every use of a scheme asks this, of all its rules. */
bool schedule_rules_end(const ir_module *m, diag_sink *sink);

form schedule_form(const schedule *s, name equation);
bool schedule_aos(const schedule *s, name group);
/* "double", "float", or NULL: nothing is said of it by its name. */
const char *schedule_store(const schedule *s, name text);
/* Whether what a choice is about is that quantity, or holds it. */
bool schedule_covers(const schedule_choice *c, const char *quantity);

#endif
