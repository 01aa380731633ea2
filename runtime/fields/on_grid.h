/* What a run has of a grid: where points lie in arrays, which row of which rule a wall's face is. Internal to the runtime. */
#ifndef EW_EXEC_ON_GRID_H
#define EW_EXEC_ON_GRID_H

#include "fields/asked.h"
#include "run/internal.h"

typedef struct exec_grid {
  grid_layout layout;
  int *entry;       /* [n_boundaries] of the case's list; -1: none */
  int32_t *rule;    /* [n_walls] */
  int32_t *row;     /* [n_walls] within the rule */
  dev_buffer *pair; /* entries to copy behind periodic sides: target, source */
  int32_t n_pairs;
  int32_t *host_pair;
  int32_t *
      band; /* [n_band] entries of the points near walls, those of the nearest cells first: see dslc_program.band */
  int32_t n_band;
} exec_grid;

/* Points of a place along an axis: a cell's number also numbers the faces and the corner on its lower sides. */
int32_t exec_grid_extent(const grid *g, dslc_place place, int axis);
/* Whether the place lies on the faces across an axis: else in the middle between two of them. */
bool exec_grid_on_face(dslc_place place, int axis);
int64_t exec_grid_count(const grid *g, dslc_place place);
/* The point of the place at (i, j, k), [dim]. */
void exec_grid_point(const grid *g, dslc_place place, const int32_t at[3], double *x);

/* The program's rule for a wall across an axis: the one for this axis, or for any; -1: none. */
int exec_grid_rule(const dslc_program *p, const char *name, int axis);

/* places.c leaves grids to these. */
ew_status exec_grid_create(exec_run *run, ew_error *err);
void exec_grid_destroy(exec_run *run);

/* grid_band.c: the points near walls, and the topology that names them. */
ew_status exec_grid_find_band(exec_run *run, ew_error *err);
ew_status exec_grid_put_band(exec_run *run, int buffer, ew_error *err);
ew_status exec_grid_put_numbers(exec_run *run, int buffer, ew_error *err);

/* Geometry along lines and topology of points. */
ew_status exec_grid_geometry(exec_run *run, ew_error *err);
/* Elements of a geometry or topology buffer. */
size_t exec_grid_elements(const exec_run *run, const dslc_buffer *b);

/* A field's components at all entries of its buffer, values[size * width]: points beyond the boundary copy those inside. */
ew_status exec_grid_fill(exec_run *run, const dslc_field *f, exec_sampler *s, double t, double *values,
                         ew_error *err);
/* The values of a rule's argument by row; those that the case does not give are `fallback`. */
ew_status exec_grid_argument(exec_run *run, int rule, const exec_asked *asked, ew_error *err);

/* Values at the points of a field's place, x fastest, from or to the entries of its buffer: [size * width]. */
void exec_grid_gather(const exec_run *run, const dslc_field *f, int width, const double *entries,
                      double *points);
void exec_grid_scatter(const exec_run *run, const dslc_field *f, int width, const double *points,
                       double *entries);
/* Every entry of the padding and the entry of the point inside nearest to it, whose value it starts with. */
typedef void exec_copy_entry(void *context, int64_t to, int64_t from);
void exec_grid_beyond(const exec_run *run, dslc_place place, exec_copy_entry *copy, void *context);
/* Means at the cells of values at the points of another place. */
void exec_grid_to_cells(const grid *g, dslc_place place, int components, const double *points, double *cells);
/* Entries of the points around a cell that lie at the place: 1, 2, 4 or 8. */
int exec_grid_around(const exec_run *run, dslc_place place, cell_id cell, int32_t entry[8]);

/* Of a subdomain of a windowed kernel: `most`, or fewer, where the device's compute units would lack work on strips of so many rows. */
int exec_fitting_rows(int most, int64_t rows, int64_t strips, const dev_info *of);
int exec_grid_rows(const exec_run *run, const dslc_kernel *k);
/* The launch of a kernel over points: dimensions and sizes; returns the number of its groups. */
int32_t exec_grid_range(const exec_run *run, const dslc_kernel *k, unsigned *dims, uint64_t global[3],
                        size_t local[3]);

/* Copies behind periodic sides. */
ew_status exec_grid_ghosts(exec_run *run, int buffer, ew_error *err);

/* Place and coordinates of an entry, for messages: false if it is no point of the grid. */
bool exec_grid_locate(const exec_run *run, dslc_place place, int32_t entry, int32_t at[3], double *x);

#endif
