/* A dam breaks inside another program: what libedgewise.so is for, in forty lines. Prints the water's volume before and after, and how far
 * the wave has come. tests/consumer/run.sh builds it outside of the tree, against what `make install` laid down. */
#include <edgewise.h>
#include <stdio.h>

static const char DAM[] = "return case { scheme = 'shallow_water', parameters = { g = 9.81 },\n"
                          "  mesh = mesh.rectangle { x = {0, 10}, y = {0, 1}, nx = 50, ny = 5 },\n"
                          "  given = { z = 0, n = 0 }, initial = { h = function(x) return x < 5 and 1 or 0.1 end, q = {0, 0} },\n"
                          "  boundary = { { {'left', 'right', 'bottom', 'top'}, 'wall' } }, time = { stop = 1 } }";

static void listen(void *out, edgewise_kind kind, const char *line) { fprintf(out, "%s%s\n", kind ? "" : "# ", line); }

static int look(edgewise_run *run) {
  edgewise_view h = {.size = sizeof h};
  const double *x, *volume;
  int64_t n;
  double water = 0, front = 0;
  if (edgewise_coordinates(run, EDGEWISE_CELLS, &x, &n) || edgewise_volumes(run, &volume, &n)) return 1;
  if (edgewise_map(run, "h", EDGEWISE_READ, &h)) return 1;
  for (int64_t c = 0; c < n; c++) {
    double depth = *(const double *)((const char *)h.data + c * h.stride[0]);
    water += volume[c] * depth;
    if (depth > 0.11 && x[2 * c] > front) front = x[2 * c];
  }
  printf("t = %.1f s: %.9f m3 of water, the front is at %.1f m\n", edgewise_time(run), water, front);
  return edgewise_unmap(run, "h");
}

int main(int argc, char **argv) {
  edgewise_options options = {.size = sizeof options, .text = DAM, .device = argc > 1 ? argv[1] : "c",
                              .say = listen, .context = stderr};
  edgewise_run *run;
  int failed = edgewise_open(&options, &run) || look(run) || edgewise_finish(run) || look(run);
  if (failed) fprintf(stderr, "%s\n", edgewise_message(run));
  edgewise_close(&run);
  return failed;
}
