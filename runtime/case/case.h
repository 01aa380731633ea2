/* One case as plain data: what the Lua layer reads from a case file, and what the executor runs.
 *
 * Memory     Everything a case points to is allocated with case_alloc, case_text or case_append and lives
 * until case_destroy. Contexts of callbacks are borrowed: they must outlive the case. Paths      As the user
 * wrote them; relative ones are taken from `folder`, except output.folder (see there). Defaults   case_create
 * sets every default named below. Zero means "not given" where nothing else is said. Units      SI as far as
 * the case keeps to it; the executor converts nothing. */
#ifndef EW_EXEC_CASE_H
#define EW_EXEC_CASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "dslc.h"
#include "base/error.h"
#include "base/path.h"
#include "grid/grid.h"
#include "drawing/colour_map.h"
#include "mesh/data.h"
#include "mesh/generate.h"
#include "mesh/renumber.h"

/* Where an item stands in the case file, for messages. */
typedef struct case_where {
  const char *file; /* NULL: unknown */
  int line;         /* from 1; 0: unknown */
} case_where;

/* A name and a text: variants, settings of the schedule, numbers of a gmsh recipe. */
typedef struct case_setting {
  const char *name, *value;
  case_where at;
} case_setting;

/* ---- values -------------------------------------------------------------------------------------------- */

/* Gives the `n` components at the point x ([dim]) and time t [s] in `out`. A failure stops the run. */
typedef ew_status case_function(void *context, const double *x, double t, double *out, int n, ew_error *err);

typedef enum case_value_kind {
  CASE_NUMBERS,  /* the same everywhere: number[n]; one number stands for a scalar; 0 for zeros of any kind */
  CASE_FUNCTION, /* of place, and of time if over_time */
  CASE_RASTER,   /* file `path`, an ESRI ASCII grid, bilinear between its centres; scalars only */
  CASE_LEVEL, /* the depth below a level: max(0, part[0] - z), z being the given or state `bed` of the case */
  CASE_PIECES, /* the number of the first piece that holds the point, else number[0], if `otherwise` */
  CASE_DATA,   /* of the mesh file, by name: `data`, where there is none `fill` */
  CASE_SECTION, /* vectors at faces, from the section of the same place in the list (see case_section): made, never read */
  CASE_SERIES /* of time: linear between time[i], constant before the first and after the last */
} case_value_kind;

/* Where a number holds: in a polygon, or in the cells of a named group of the mesh file. */
typedef struct case_piece {
  double number;
  const char *region; /* NULL: the polygon */
  int n_points;
  const double *point; /* [n_points * 2] m */
} case_piece;

/* What is taken where a raster has no data. */
typedef enum case_fill { CASE_FILL_NONE, CASE_FILL_NUMBER, CASE_FILL_NEAREST } case_fill;

typedef struct case_value {
  const char *name; /* of the parameter, state, given or argument */
  case_value_kind kind;
  int n; /* numbers; columns of a series */
  double number[DSLC_MOST_COMPONENTS];
  case_function *function;
  void *context;
  bool over_time, of_time_alone; /* the function depends on t; on nothing else */
  const char *path;
  case_fill fill; /* of a raster or data; CASE_FILL_NUMBER: number[0] */
  const mesh_data_name *data;
  const struct case_value *part;
  const char *bed;
  int n_pieces;
  const case_piece *piece;
  bool otherwise;
  int n_times;
  const double *time;   /* [n_times], increasing */
  const double *series; /* [n_times * n] */
  const struct case_section *section;
  case_where at;
} case_value;

/* ---- mesh ---------------------------------------------------------------------------------------------- */

typedef enum case_mesh_kind {
  CASE_MESH_NONE,
  CASE_MESH_RECTANGLE,
  CASE_MESH_BOX,
  CASE_MESH_FILE,   /* .msh, plain or gzip */
  CASE_MESH_RECIPE, /* .geo: meshed by the gmsh command into the output folder, unless that is newer */
  CASE_MESH_GRID
} case_mesh_kind;

typedef struct case_periodic {
  const char *patch, *partner;
  case_where at;
} case_periodic;

typedef struct case_mesh {
  case_mesh_kind kind;
  mesh_rectangle_options rectangle;
  mesh_box_options box;
  grid_options grid;
  struct case_value *mask; /* grid: cells where it is above 0.5 are solid, of the boundary "mask"; or NULL */
  const char *path;        /* file or recipe */
  bool trusted;            /* recipe: may do whatever gmsh can; set by the command line alone */
  int n_numbers;           /* recipe: -setnumber NAME VALUE */
  case_setting *number;
  int n_periodic; /* pairs of patches of a file or recipe; generators have their own options */
  case_periodic *periodic;
  mesh_cell_order cells; /* default rcm */
  mesh_face_order faces; /* default sorted */
  mesh_cell_order nodes; /* of the unknowns of schemes on nodes; default rcm */
  uint64_t seed;         /* of random orders */
  case_where at;
} case_mesh;

/* ---- boundary ------------------------------------------------------------------------------------------ */

typedef struct case_boundary {
  int n_names;
  const char **name; /* of the mesh's patches */
  const char *rule;
  int n_arguments;
  case_value *argument; /* at the faces' centres, of schemes on nodes at the nodes */
  case_where at;
} case_boundary;

/* ---- linear systems ------------------------------------------------------------------------------------ */

/* Which value an unknown has where, if its system leaves a constant open. */
typedef struct case_pin {
  const char *field; /* NULL: nothing is pinned */
  const double *at;  /* [n]; the nearest node is meant */
  int n;
  double value;
  case_where where;
} case_pin;

/* What the case says instead of the scheme, for all its systems. */
typedef struct case_solver {
  const char *method, *preconditioner; /* NULL: the scheme's, or by rule */
  const char *precision;               /* NULL: double */
  double tolerance;                    /* 0: the scheme's */
  int iterations;                      /* 0: the scheme's */
  const char *form;                    /* of the product; NULL: tuned or by rule */
  int group_bits, rows_bits, kernels;  /* 0: tuned or by rule */
  case_pin pin;
  double tune; /* s to measure at the start where nothing is stored; 0: not at all */
  case_where at;
} case_solver;

/* ---- output -------------------------------------------------------------------------------------------- */

/* A component of a field, as schemes write it: "h", "velocity.x", "stress.xy", also by number from 1; a vector without component
 * stands for its length. Used by pictures, plots and probes. */

typedef struct case_picture {
  const char *name; /* file name's stem; NULL: the field's name */
  int n_fields;
  const char **field; /* a panel for each */
  int columns;        /* of panels; 0: as many as rows */
  const char *title;  /* NULL: name and unit */
  colour_map map;     /* default viridis */
  double low, high;   /* low >= high: the range of the values */
  int contours;
  bool show_cells;
  double z;   /* height of the slice through a 3D mesh */
  bool has_z; /* the case gives it */
  const char *
      *surface; /* [n_surfaces] instead of a slice: boundaries of a 3D mesh, seen from the direction `view` */
  int n_surfaces;
  double view[3];
  const char *mask; /* field: cells where it is <= mask_above are drawn as land; NULL: none */
  double mask_above;
  const char *terrain; /* field that shades the land, or NULL */
  int size;            /* pixels of the longer side, 0: default */
  case_where at;
} case_picture;

typedef struct case_curve {
  const char *field;       /* NULL: function */
  case_function *function; /* an exact solution: one component at (x, t) */
  void *context;
  const char *label; /* NULL: the field's name */
} case_curve;

/* Fields along a straight line, written at every output. */
typedef struct case_plot {
  const char *name; /* file name's stem; NULL: "plot" and a number */
  const char *title;
  double from[3], to[3];
  int n_from, n_to; /* how many coordinates the case gives them; 0: as many as there are axes */
  int samples;      /* 0: 400 */
  double low, high; /* of the vertical axis; low >= high: from the values */
  int n_curves;
  case_curve *curve;
  case_where at;
} case_plot;

typedef struct case_probe {
  const char *name; /* file NAME.csv */
  double x[3];      /* the cell that holds the point is read */
  int n;            /* how many of them the case gives; 0: as many as there are axes */
  int n_fields;     /* 0: all states */
  const char **field;
  case_where at;
} case_probe;

/* Fields on a grid of square cells, written at every output. */
typedef struct case_raster {
  const char
      *name; /* file name's stem, with the field's behind it if there are several; NULL: the field's name */
  int n_fields;
  const char **field; /* components, one file each */
  double size;        /* side of a cell [m] */
  double x[2], y[2];  /* extent; low >= high: that of the mesh */
  const char *mask;   /* field: where it is <= mask_above there is no data; NULL: none */
  double mask_above;
  bool geotiff;    /* instead of an ESRI ASCII grid */
  const char *srs; /* of a GeoTIFF, "EPSG:25832", or NULL */
  case_where at;
} case_raster;

typedef struct case_output {
  const char *folder; /* relative to the working directory; NULL: "out" in the case's folder */
  double every;       /* s between outputs; 0: only times, or just start and end */
  int n_times;
  const double *time; /* increasing */
  case_where times_at;
  bool vtu; /* default true */
  bool single_precision;
  int n_fields; /* 0: all states */
  const char **field;
  const char *elevation; /* scalar field lifting a 2D mesh's nodes in VTU files, or NULL */
  int n_pictures;
  case_picture *picture;
  int n_plots;
  case_plot *plot;
  int n_rasters;
  case_raster *raster;
  int n_probes;
  case_probe *probe;
  int n_history; /* globals: history.csv */
  const char **history;
  int sample; /* rows of probes and history so many steps behind their last row, and at every output; default 1 */
  double checkpoint; /* s of wall time between checkpoints; 0: only when stopped */
  bool run_json;     /* default true */
  case_where at;
} case_output;

/* ---- what is accumulated while the run goes on ------------------------------------------------------------ */

typedef enum case_product_kind {
  CASE_MAX,      /* the largest value so far */
  CASE_MIN,      /* the smallest */
  CASE_WHEN_MAX, /* the time of the largest [s] */
  CASE_FIRST,    /* the time at which a condition held first [s]; -1: not yet */
  CASE_DURATION, /* for how long it held [s] */
  CASE_INTEGRAL, /* over time */
  CASE_MEAN,     /* over time */
  CASE_N_PRODUCT_KINDS
} case_product_kind;

/* A quantity of the scheme's language, followed at every point. It becomes part of the scheme: a state on the device, saved with the
 * others, and an equation of the product's name. */
typedef struct case_product {
  const char *name;
  case_product_kind kind;
  const char *formula;
  const char *place; /* where it lives; NULL: "cells" */
  case_where at;
} case_product;

/* A line across a plane mesh and what flows through it, from its left to its right as seen from its first point: a global. */
typedef struct case_section {
  const char *name;
  int n_points;
  const double *point; /* [n_points * 2] m */
  const char *flux; /* through a face of cell c to cell d, per length, outwards, in the scheme's language */
  case_where at;
} case_section;

/* ---- the case ------------------------------------------------------------------------------------------ */

/* What is built and for which device. */
typedef struct case_build {
  const char *scheme;   /* .ew: from the case's folder, else from the shipped schemes */
  const char *manifest; /* instead of compiling: kernels and manifest made before, or NULL */
  int n_variants;
  case_setting *variant;
  const char *
      profile; /* schedule file; "none": nor is one looked for; NULL: what was tuned on the device, if anything */
  bool by_rule; /* for tools: as if the profile were "none" */
  bool ahead;   /* for tools: kernels as `dslc build --periodic` makes them, see compile.c */
  int n_schedule;
  case_setting *schedule;
  const char *device; /* as dev_list_choose reads it; NULL: the default */
  case_where at;
} case_build;

/* What the case gives to the scheme. */
typedef struct case_values {
  int n_parameters;
  case_value *parameter; /* CASE_NUMBERS */
  int n_initial;
  case_value *initial; /* states at the start */
  int n_givens;
  case_value *given;
} case_values;

/* How far the run goes and by which steps. */
typedef struct case_time {
  double stop;       /* s; required unless max_steps is given */
  int64_t max_steps; /* 0: no bound */
  int look;          /* the host looks every so many steps; 0: 16 */
  double
      first_step; /* s; at most, each step behind it at most twice as long as the one before; 0: no such bound */
  double largest_step; /* s; 0: no such bound */
  double fixed_step;   /* s; the run fails where the scheme's own bound is smaller; 0: the scheme's */
  bool whole_steps; /* steps are not shortened: outputs come behind their times, knots of series are passed */
  bool finish_repeats; /* a repeat that reaches its limit ends the run (EW_NOT_CONVERGED) */
  case_where at;
} case_time;

/* What becomes part of the scheme because the case asks for it. */
typedef struct case_additions {
  int n_products;
  case_product *product;
  int n_sections;
  case_section *section;
  int n_shows;
  const char **show; /* quantities that are built to be looked at, besides those of the output */
} case_additions;

typedef struct ew_case {
  const char *file, *folder; /* the case file and the folder it lies in */
  const char *name;          /* for headings; NULL: the folder's name */
  case_where at;             /* of `case` itself */
  case_build build;
  case_mesh mesh;
  case_values values;
  int n_boundaries;
  case_boundary *boundary;
  double corner_angle; /* degrees; faces that meet at more make an edge or a corner; default 45 */
  case_solver solver;
  case_time time;
  case_additions added;
  case_output output;
  void *memory; /* owner of all of the above */
} ew_case;

/* A series, a function of the time, a depth below a level that is one. NULL: no. */
bool case_value_changes(const case_value *v);

ew_status case_create(ew_case **out, ew_error *err);
void case_destroy(ew_case **c);

/* Zeroed memory that lives as long as the case; NULL with the error set. */
void *case_alloc(ew_case *c, size_t size, ew_error *err);
/* A copy; text NULL gives NULL and no error. */
const char *case_text(ew_case *c, const char *text, ew_error *err);
/* Room for one more zeroed entry at the end of *array, whose *n entries count up: returns the new entry, or
 * NULL with the error set. Entries move when the array grows. */
void *case_append(ew_case *c, void *array, int *n, size_t size, ew_error *err);

#endif
