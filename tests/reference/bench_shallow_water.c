/* The speed of the hand-written solver, to be set against the generated code's: a dam breaks over a rough bed
 * with a dry part, Manning's friction and walls, on 2 * nx * ny triangles (default 500 x 500, 500 000
 * triangles). Usage: bench_shallow_water [nx ny steps threads]. Prints million cell-steps per second, the
 * best of three runs. */
#include "rectangle.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void dam_break(const rectangle *r, double *h, double *q, double *z, double *n) {
  for (int32_t c = 0; c < r->mesh.n_cells; c++) {
    double x = r->centre[2 * c], y = r->centre[2 * c + 1];
    z[c] = 0.3 * sin(6 * x) * cos(5 * y) + 0.5 * fmax(0, x - 7);
    h[c] = fmax(0, (x < 4 ? 2.5 : 0.5) - z[c]);
    q[c] = 0;
    n[c] = 0.03;
  }
}

static double best_rate(sw_solver *s, int32_t cells, int steps) {
  double best = 0;
  for (int k = 0; k < 3; k++) {
    double start = now();
    sw_run(s, INFINITY, steps);
    best = fmax(best, cells * (double)steps / (now() - start));
  }
  return best;
}

int main(int argc, char **argv) {
  int nx = argc > 1 ? atoi(argv[1]) : 500, ny = argc > 2 ? atoi(argv[2]) : 500;
  int steps = argc > 3 ? atoi(argv[3]) : 60, threads = argc > 4 ? atoi(argv[4]) : 0;
  int failed = 1;
  sw_solver *s = NULL;
  rectangle *r = NULL;
  double *h = NULL;
  if (nx < 1 || ny < 1 || steps < 1) {
    fprintf(stderr, "usage: bench_shallow_water [nx ny steps threads]\n");
    return 2;
  }
  r = rectangle_create((rectangle_spec){.x1 = 10, .y1 = 10, .nx = nx, .ny = ny, .jitter = 0.2});
  if (!r) goto cleanup;
  int32_t cells = r->mesh.n_cells;
  h = malloc(4 * (size_t)cells * sizeof *h);
  sw_params p = sw_default_params();
  p.threads = threads;
  if (!h || !sw_create(&s, &r->mesh, &p, r->boundary)) goto cleanup;
  double *q = h + cells, *z = q + cells, *n = z + cells;
  dam_break(r, h, q, z, n);
  sw_set_state(s, h, q, q, z, n);
  sw_run(s, INFINITY, 20);
  double rate = best_rate(s, cells, steps);
  printf("cells %d  steps %d  t %.4g s  %.2f Mcell-steps/s\n", cells, steps, sw_time(s), rate * 1e-6);
  failed = 0;

cleanup:
  if (failed) fprintf(stderr, "bench_shallow_water: out of memory\n");
  sw_destroy(&s);
  rectangle_destroy(&r);
  free(h);
  return failed;
}
