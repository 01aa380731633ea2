/* A mesh of triangles and quadrangles, as a Gmsh file: no generator makes one. */
#include <errno.h>
#include <string.h>

#include "mesh/random.h"
#include "verify/internal.h"

enum { FIRST_GROUP = 5 }; /* sides have the numbers before it */

static void write_nodes(FILE *out, const verify_setup *s, uint64_t *state) {
  int nx = s->n[0], ny = s->n[1];
  fprintf(out, "$Nodes\n%d\n", (nx + 1) * (ny + 1));
  for (int j = 0; j <= ny; j++)
    for (int i = 0; i <= nx; i++) {
      bool inside = i > 0 && i < nx && j > 0 && j < ny;
      double dx = inside ? s->jitter * random_signed(state) : 0;
      double dy = inside ? s->jitter * random_signed(state) : 0;
      fprintf(out, "%d %.17g %.17g 0\n", j * (nx + 1) + i + 1, (i + dx) * s->spacing, (j + dy) * s->spacing);
    }
  fputs("$EndNodes\n", out);
}

static void write_side(FILE *out, int *number, int group, const int node[2]) {
  fprintf(out, "%d 1 2 %d %d %d %d\n", ++*number, group, group, node[0], node[1]);
}

static void write_sides(FILE *out, const verify_setup *s, int *number) {
  int nx = s->n[0], ny = s->n[1], row = nx + 1;
  for (int j = 0; j < ny; j++) {
    write_side(out, number, 1, (int[]){j * row + 1, (j + 1) * row + 1});
    write_side(out, number, 2, (int[]){j * row + nx + 1, (j + 1) * row + nx + 1});
  }
  for (int i = 0; i < nx; i++) {
    write_side(out, number, 3, (int[]){i + 1, i + 2});
    write_side(out, number, 4, (int[]){ny * row + i + 1, ny * row + i + 2});
  }
}

/* Returns how many were written; only counts if `out` is NULL. */
static int write_cells(FILE *out, const verify_setup *s, int n_groups, uint64_t state, int number) {
  uint64_t groups = random_seed(s->seed + 78);
  int row = s->n[0] + 1;
  for (int j = 0; j < s->n[1]; j++)
    for (int i = 0; i < s->n[0]; i++) {
      int a = j * row + i + 1, b = a + 1, c = b + row, d = a + row;
      bool cut = verify_below(&state, 2) == 1 || s->all_cut;
      const int drawn = n_groups ? verify_below(&groups, n_groups + 1) : 0, square = j * s->n[0] + i;
      const int in = FIRST_GROUP + (square < n_groups ? square + 1 : drawn); /* none stays empty */
      number += 1 + cut;
      if (!out) continue;
      if (!cut) fprintf(out, "%d 3 2 %d %d %d %d %d %d\n", number, in, in, a, b, c, d);
      else
        fprintf(out, "%d 2 2 %d %d %d %d %d\n%d 2 2 %d %d %d %d %d\n", number - 1, in, in, a, b, c, number,
                in, in, a, c, d);
    }
  return number;
}

/* Of the sides, then of the cells: "all" first. */
static void write_parts(FILE *out, const verify_parts *parts) {
  fprintf(out, "$PhysicalNames\n%d\n", FIRST_GROUP + parts->n_groups);
  for (int i = 0; i < FIRST_GROUP - 1; i++) fprintf(out, "1 %d \"%s\"\n", i + 1, parts->side[i]);
  fprintf(out, "2 %d \"all\"\n", FIRST_GROUP);
  for (int i = 0; i < parts->n_groups; i++)
    fprintf(out, "2 %d \"%s\"\n", FIRST_GROUP + 1 + i, parts->group[i]);
  fputs("$EndPhysicalNames\n", out);
}

ew_status verify_write_mixed(const verify_setup *s, const verify_parts *parts, const char *path,
                             ew_error *err) {
  FILE *out = fopen(path, "w");
  uint64_t state = random_seed(s->seed + 77);
  int sides = 2 * (s->n[0] + s->n[1]), number = 0;
  if (!out) return ew_fail(err, EW_IO, "cannot write %s: %s", path, strerror(errno));
  fputs("$MeshFormat\n2.2 0 8\n$EndMeshFormat\n", out);
  write_parts(out, parts);
  write_nodes(out, s, &state);
  fprintf(out, "$Elements\n%d\n", write_cells(NULL, s, parts->n_groups, state, sides));
  write_sides(out, s, &number);
  write_cells(out, s, parts->n_groups, state, number);
  fputs("$EndElements\n", out);
  return fclose(out) == 0 ? EW_OK : ew_fail(err, EW_IO, "cannot write %s: %s", path, strerror(errno));
}
