/* Structured grids: one to three axes cut into cells, some of which may be solid.
 *
 * Places     Cell (i, j, k) lies between the faces i and i + 1 along x, and so on; face (i, j, k) across x is its lower one.
 * Cells are numbered with x running fastest. Axes beyond `dim` have one cell and no length.
 * Boundaries A name and the faces that belong to it: what is left of a side ("left", "right", "bottom", "top", "back",
 * "front") after its patches, a patch, or the surface of all solids of one name. Several may share a name: then they
 * are one boundary. Periodic axes have no sides.
 * Walls      The faces with gas on one side only, each of one boundary. Faces between solid cells are none.
 * Lengths are in metres. A grid belongs to whoever created it; destroy accepts NULL and nulls. */
#ifndef EW_GRID_GRID_H
#define EW_GRID_GRID_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/* ---- what a grid is made of ------------------------------------------------------------------------------ */

typedef enum grid_stretch {
  GRID_UNIFORM,
  GRID_RATIO, /* each cell is `strength` times as wide as the one before */
  GRID_TANH   /* finer towards both ends: tanh(strength*s)/tanh(strength), s from -1 to 1 */
} grid_stretch;

typedef struct grid_axis_options {
  int32_t n; /* cells */
  double from, to;
  const double *face; /* [n + 1], increasing: instead of from, to and stretch; or NULL */
  grid_stretch stretch;
  double strength;
  bool periodic;
} grid_axis_options;

/* The cells whose centres lie in the box. Ends that are infinite reach to the grid's. */
typedef struct grid_solid_options {
  const char *name;
  double low[3], high[3];
} grid_solid_options;

/* The faces of a side whose centres lie in the box; the side's own axis does not count. */
typedef struct grid_patch_options {
  const char *name;
  int side; /* 0..5: left, right, bottom, top, back, front */
  double low[3], high[3];
} grid_patch_options;

/* Whether the cell with its centre at x ([dim]) is solid. A failure ends the making of the grid. */
typedef ew_status grid_mask(void *context, const double *x, bool *solid, ew_error *err);

typedef struct grid_options {
  int dim;
  grid_axis_options axis[3];
  int n_solids, n_patches;
  const grid_solid_options *solid;
  const grid_patch_options *patch;
  grid_mask *mask; /* more solid cells, or NULL */
  void *mask_context;
  const char *mask_name; /* their boundary */
} grid_options;

/* ---- the grid --------------------------------------------------------------------------------------------- */

typedef struct grid_axis {
  int32_t n;
  bool periodic;
  double *face; /* [n + 1]; NULL beyond dim */
} grid_axis;

typedef struct grid_boundary {
  char *name;
  int64_t n_walls[3]; /* faces across each axis */
} grid_boundary;

/* A face with gas on one side. */
typedef struct grid_wall {
  int32_t at[3];
  int16_t boundary;
  int8_t axis; /* it lies across */
  bool gas_above;
} grid_wall;

typedef struct grid {
  int dim;
  grid_axis axis[3];
  int64_t n_cells, n_gas;
  int n_boundaries;
  grid_boundary *boundary; /* sides first, then patches and solids in the order given */
  int16_t *solid;          /* [n_cells] 0: gas; else 1 + the boundary of its surface */
  int64_t n_walls;
  grid_wall *wall; /* axis by axis, x fastest within */
  int n_notes;
  char **note; /* what is allowed but may not be meant, a sentence each */
} grid;

/* EW_INPUT: counts, lengths; a patch or solid outside of the grid, without a face or cell, or over another of a different
 * name; no gas left. Messages carry names and coordinates. */
ew_status grid_create(const grid_options *options, grid **out, ew_error *err);
void grid_destroy(grid **g);

/* Points along an axis: cells + 1, or cells if it is periodic. */
static inline int32_t grid_points(const grid *g, int axis) {
  return axis >= g->dim ? 1 : g->axis[axis].n + !g->axis[axis].periodic;
}

static inline double grid_width(const grid_axis *a, int32_t i) { return a->face[i + 1] - a->face[i]; }
static inline double grid_middle(const grid_axis *a, int32_t i) {
  return 0.5 * (a->face[i] + a->face[i + 1]);
}

static inline int64_t grid_cell(const grid *g, int32_t i, int32_t j, int32_t k) {
  return ((int64_t)k * g->axis[1].n + j) * g->axis[0].n + i;
}

/* Where cell number `cell` lies, and its centre ([dim]). */
void grid_cell_at(const grid *g, int64_t cell, int32_t at[3]);
void grid_cell_centre(const grid *g, int64_t cell, double *x);
double grid_cell_volume(const grid *g, int64_t cell); /* m^dim */
/* The middle of a face, [dim]. */
void grid_wall_centre(const grid *g, const grid_wall *w, double *x);

/* The cell along one axis that holds the coordinate, -1 outside; on a face the lower one. */
int32_t grid_find(const grid_axis *a, double x);
/* The cell that holds the point x ([dim]), -1 if it lies outside of the grid. */
int64_t grid_find_cell(const grid *g, const double *x);

int grid_find_boundary(const grid *g, const char *name); /* -1: none */

/* Calls visit for every two walls across the axis between which one active cell lies. */
typedef void grid_gap_visit(void *ctx, const grid_wall *below, const grid_wall *above);
ew_status grid_each_gap(const grid *g, int axis, grid_gap_visit *visit, void *ctx, ew_error *err);

/* Distance in cells, the largest of the axes', to the nearest cell that is not gas: beyond the box or in a solid; at most
 * 255. near[n_cells]. */
void grid_near(const grid *g, uint8_t *near);

/* 0..5 for "left", "right", "bottom", "top", "back", "front"; -1 else. */
int grid_side(const char *name);
const char *grid_side_name(int side);

/* 32 hex digits that name coordinates, periods, solids and boundaries. */
void grid_hash(const grid *g, char hash[33]);

/* ---- arrays over points ------------------------------------------------------------------------------------ */

/* All places of a grid share one layout: rows of points padded by `halo` on both sides of every axis;
 * a row is a multiple of cache lines long. */
typedef struct grid_layout {
  int halo;
  int32_t low[3], high[3]; /* points run over [low, high) with the padding */
  int64_t pitch[3];        /* entries from a point to the next along an axis; pitch[0] = 1 */
  int64_t origin, size;    /* entry of point (0, 0, 0); entries in all */
} grid_layout;

grid_layout grid_layout_make(const grid *g, int halo);

static inline int64_t grid_entry(const grid_layout *l, int32_t i, int32_t j, int32_t k) {
  return l->origin + i + j * l->pitch[1] + k * l->pitch[2];
}

/* The copies behind periodic sides: pairs (target, source) of entries, 2 * count numbers, which the caller frees. Every
 * source is a point of the grid; edges and corners of the padding are among the targets. */
ew_status grid_copies(const grid *g, const grid_layout *l, int32_t **pair, int32_t *count, ew_error *err);

#endif
