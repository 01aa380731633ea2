#include "grid/internal.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "base/memory.h"

/* ---- names --------------------------------------------------------------------------------------------------- */

static const char *const SIDE[GRID_SIDES] = {"left", "right", "bottom", "top", "back", "front"};

const char *grid_side_name(int side) { return SIDE[side]; }

int grid_side(const char *name) {
  for (int s = 0; s < GRID_SIDES; s++)
    if (strcmp(SIDE[s], name) == 0) return s;
  return -1;
}

int grid_find_boundary(const grid *g, const char *name) {
  for (int b = 0; b < g->n_boundaries; b++)
    if (strcmp(g->boundary[b].name, name) == 0) return b;
  return -1;
}

int grid_add_boundary(grid *g, const char *name, ew_error *err) {
  int found = grid_find_boundary(g, name);
  if (found >= 0) return found;
  if (g->n_boundaries == GRID_MOST_BOUNDARIES) {
    ew_fail(err, EW_INPUT, "a grid can have %d boundary names; \"%s\" is one more", GRID_MOST_BOUNDARIES,
            name);
    return -1;
  }
  grid_boundary *grown = realloc(g->boundary, ((size_t)g->n_boundaries + 1) * sizeof *grown);
  if (grown) g->boundary = grown;
  char *copy = grown ? ew_copy_text(name, err) : NULL;
  if (!grown) ew_fail(err, EW_FAIL, "out of memory for the boundary \"%s\"", name);
  if (!copy) return -1;
  g->boundary[g->n_boundaries] = (grid_boundary){.name = copy};
  return g->n_boundaries++;
}

ew_status grid_note(grid *g, ew_error *err, const char *fmt, ...) {
  char *text = NULL;
  va_list args;
  va_start(args, fmt);
  if (vasprintf(&text, fmt, args) < 0) text = NULL;
  va_end(args);
  char **grown = text ? realloc(g->note, ((size_t)g->n_notes + 1) * sizeof *grown) : NULL;
  if (!grown) return free(text), ew_fail(err, EW_FAIL, "out of memory for the grid's notes");
  g->note = grown;
  g->note[g->n_notes++] = text;
  return EW_OK;
}

const char *grid_point_text(int dim, const double *x, char text[96]) {
  size_t used = 0;
  for (int d = 0; d < dim; d++)
    used += (size_t)snprintf(text + used, 96 - used, "%s%.6g", d ? ", " : "(", x[d]);
  snprintf(text + used, 96 - used, ")");
  return text;
}

/* ---- places ---------------------------------------------------------------------------------------------------- */

void grid_cell_at(const grid *g, int64_t cell, int32_t at[3]) {
  for (int d = 0; d < 3; d++) {
    at[d] = (int32_t)(cell % g->axis[d].n);
    cell /= g->axis[d].n;
  }
}

void grid_cell_centre(const grid *g, int64_t cell, double *x) {
  int32_t at[3];
  grid_cell_at(g, cell, at);
  for (int d = 0; d < g->dim; d++) x[d] = grid_middle(&g->axis[d], at[d]);
}

double grid_cell_volume(const grid *g, int64_t cell) {
  int32_t at[3];
  double volume = 1;
  grid_cell_at(g, cell, at);
  for (int d = 0; d < g->dim; d++) volume *= grid_width(&g->axis[d], at[d]);
  return volume;
}

void grid_wall_centre(const grid *g, const grid_wall *w, double *x) {
  for (int d = 0; d < g->dim; d++)
    x[d] = d == w->axis ? g->axis[d].face[w->at[d]] : grid_middle(&g->axis[d], w->at[d]);
}

int64_t grid_find_cell(const grid *g, const double *x) {
  int32_t at[3] = {0, 0, 0};
  for (int d = 0; d < g->dim; d++)
    if ((at[d] = grid_find(&g->axis[d], x[d])) < 0) return -1;
  return grid_cell(g, at[0], at[1], at[2]);
}

/* ---- life -------------------------------------------------------------------------------------------------------- */

/* Before anything is allocated for them; points and padding are counted in 32 bits too. */
static ew_status count_cells(grid *g, const grid_options *o, ew_error *err) {
  enum { MOST_CELLS = INT32_MAX - (1 << 16) };
  g->n_cells = 1;
  for (int d = 0; d < o->dim; d++) {
    if (o->axis[d].n < 1) return EW_OK; /* the axis says so */
    g->n_cells *= o->axis[d].n;
    if (g->n_cells > MOST_CELLS)
      return ew_fail(err, EW_INPUT, "%lld cells are too many: at most %d", (long long)g->n_cells, MOST_CELLS);
  }
  return EW_OK;
}

static ew_status make_axes(grid *g, const grid_options *o, ew_error *err) {
  ew_status status = EW_OK;
  g->dim = o->dim;
  if (o->dim < 1 || o->dim > 3) return ew_fail(err, EW_INPUT, "a grid has one to three axes, not %d", o->dim);
  EW_CHECK(count_cells(g, o, err));
  for (int d = 0; d < 3; d++) g->axis[d].n = 1;
  for (int d = 0; d < o->dim; d++) EW_CHECK(grid_axis_create(&o->axis[d], d, &g->axis[d], err));
cleanup:
  return status;
}

ew_status grid_create(const grid_options *o, grid **out, ew_error *err) {
  ew_status status = EW_OK;
  int16_t *side[GRID_SIDES] = {NULL};
  grid *g = *out = calloc(1, sizeof *g);
  if (!g) return ew_fail(err, EW_FAIL, "out of memory for a grid");
  EW_CHECK(make_axes(g, o, err));
  EW_CHECK(grid_make_sides(g, o, side, err));
  EW_CHECK(grid_make_solids(g, o, err));
  EW_CHECK(grid_make_walls(g, side, err));
cleanup:
  for (int s = 0; s < GRID_SIDES; s++) free(side[s]);
  if (status != EW_OK) grid_destroy(out);
  return status;
}

void grid_destroy(grid **out) {
  if (!out || !*out) return;
  grid *g = *out;
  for (int d = 0; d < 3; d++) free(g->axis[d].face);
  for (int b = 0; b < g->n_boundaries; b++) free(g->boundary[b].name);
  for (int i = 0; i < g->n_notes; i++) free(g->note[i]);
  free(g->boundary);
  free(g->note);
  free(g->solid);
  free(g->wall);
  free(g);
  *out = NULL;
}

void grid_hash(const grid *g, char hash[33]) {
  XXH64_hash_t part[2];
  int32_t shape[7] = {g->dim};
  for (int d = 0; d < 3; d++) shape[1 + 2 * d] = g->axis[d].n, shape[2 + 2 * d] = g->axis[d].periodic;
  for (int i = 0; i < 2; i++) {
    XXH64_hash_t h = XXH64(shape, sizeof shape, (XXH64_hash_t)i);
    for (int d = 0; d < g->dim; d++)
      h = XXH64(g->axis[d].face, ((size_t)g->axis[d].n + 1) * sizeof(double), h);
    h = XXH64(g->solid, (size_t)g->n_cells * sizeof *g->solid, h);
    for (int64_t w = 0; w < g->n_walls; w++) h = XXH64(&g->wall[w].boundary, sizeof g->wall[w].boundary, h);
    for (int b = 0; b < g->n_boundaries; b++) h = XXH64(g->boundary[b].name, strlen(g->boundary[b].name), h);
    part[i] = h;
  }
  snprintf(hash, 33, "%016llx%016llx", (unsigned long long)part[0], (unsigned long long)part[1]);
}
