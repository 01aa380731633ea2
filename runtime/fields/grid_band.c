/* The points near walls: those that touch a cell at most `band` cells from what is not gas, in the order of their own cells'
 * distances, then of their entries: kernels that need only the nearest ones find them side by side. */
#include <stdlib.h>

#include "fields/on_grid.h"

/* Distance of the cell with these numbers; 0: beyond the box. Across periodic sides: of the cell there. */
static int distance(const grid *g, const uint8_t *near, const int32_t at[3]) {
  int32_t c[3];
  for (int d = 0; d < 3; d++) {
    int32_t n = g->axis[d].n;
    c[d] = g->axis[d].periodic ? (at[d] % n + n) % n : at[d];
    if (c[d] < 0 || c[d] >= n) return 0;
  }
  return near[grid_cell(g, c[0], c[1], c[2])];
}

/* A point touches the cell of its own number and those before it. */
static bool is_in_band(const grid *g, const uint8_t *near, const int32_t at[3], int band) {
  for (int corner = 0; corner < 1 << g->dim; corner++) {
    int32_t cell[3];
    for (int d = 0; d < 3; d++) cell[d] = at[d] - (corner >> d & 1);
    int n = distance(g, near, cell);
    if (n > 0 && n <= band) return true;
  }
  return false;
}

enum { DISTANCES = 256 }; /* of cells: 0 to 255 */

/* Counts the points whose cells have each distance; where entries are wanted, `next[distance]` is where the next one goes. */
static void find_points(const exec_run *run, const uint8_t *near, int64_t *next, int32_t *entry) {
  const grid *g = run->g;
  int32_t at[3];
  for (at[2] = 0; at[2] < grid_points(g, 2); at[2]++)
    for (at[1] = 0; at[1] < grid_points(g, 1); at[1]++)
      for (at[0] = 0; at[0] < grid_points(g, 0); at[0]++) {
        if (!is_in_band(g, near, at, run->program->space.band)) continue;
        int64_t n = next[distance(g, near, at)]++;
        if (entry) entry[n] = (int32_t)grid_entry(&run->on_grid->layout, at[0], at[1], at[2]);
      }
}

/* From how many there are of each distance to where the first of each goes; how many there are of all. */
static int64_t begin_each(int64_t *next) {
  int64_t all = 0;
  for (int d = 0; d < DISTANCES; d++) {
    int64_t here = next[d];
    next[d] = all;
    all += here;
  }
  return all;
}

ew_status exec_grid_find_band(exec_run *run, ew_error *err) {
  exec_grid *on = run->on_grid;
  ew_status status = EW_OK;
  int64_t next[DISTANCES] = {0};
  uint8_t *near = malloc((size_t)run->g->n_cells + 1);
  if (!near) EXEC_LEAVE(err, EW_FAIL, "out of memory for distances in the grid");
  grid_near(run->g, near);
  find_points(run, near, next, NULL);
  on->n_band = (int32_t)begin_each(next);
  on->band = malloc(((size_t)on->n_band + 1) * sizeof *on->band);
  if (!on->band) EXEC_LEAVE(err, EW_FAIL, "out of memory for %d points near walls", on->n_band);
  find_points(run, near, next, on->band);
cleanup:
  free(near);
  return status;
}

ew_status exec_grid_put_band(exec_run *run, int buffer, ew_error *err) {
  return dev_buffer_write(run->buffer[buffer], 0, (uint64_t)run->on_grid->n_band * sizeof(int32_t),
                          run->on_grid->band, err);
}

ew_status exec_grid_put_numbers(exec_run *run, int buffer, ew_error *err) {
  const exec_grid *on = run->on_grid;
  size_t size = (size_t)on->layout.size;
  int32_t *number = calloc(size + 1, sizeof *number);
  if (!number) return ew_fail(err, EW_FAIL, "out of memory for the numbers of points near walls");
  for (int32_t i = 0; i < on->n_band; i++) number[on->band[i]] = i;
  for (int32_t i = 0; i < on->n_pairs; i++) number[on->host_pair[2 * i]] = number[on->host_pair[2 * i + 1]];
  ew_status status = dev_buffer_write(run->buffer[buffer], 0, size * sizeof *number, number, err);
  free(number);
  return status;
}
