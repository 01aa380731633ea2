/* What the tests of runtime/formats and runtime/drawing share: a scratch folder, files as text, and small meshes made by hand. */
#ifndef EW_TEST_IO_FIXTURE_H
#define EW_TEST_IO_FIXTURE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "mesh/mesh.h"

/* Group setup and teardown: run the tests in an empty folder of their own. */
static inline int enter_scratch(void **state) {
  char folder[] = "/tmp/ew_io_XXXXXX";
  if (!mkdtemp(folder) || chdir(folder) != 0) return -1;
  *state = strdup(folder);
  return 0;
}

static inline int leave_scratch(void **state) {
  char command[128];
  snprintf(command, sizeof command, "rm -rf '%s'", (char *)*state);
  free(*state);
  return chdir("/") == 0 && system(command) == 0 ? 0 : -1;
}

/* The whole file as a string (with `size` if wanted), or NULL if there is none. */
static inline char *slurp(const char *path, size_t *size) {
  FILE *in = fopen(path, "rb");
  if (!in) return NULL;
  char *text = NULL;
  size_t n = 0;
  FILE *out = open_memstream(&text, &n);
  for (int c; (c = fgetc(in)) != EOF;) fputc(c, out);
  fclose(out);
  fclose(in);
  if (size) *size = n;
  return text;
}

static inline void spill(const char *path, const void *data, size_t size) {
  FILE *out = fopen(path, "wb");
  assert_non_null(out);
  assert_int_equal(fwrite(data, 1, size, out), size);
  fclose(out);
}

static inline void assert_file(const char *path, const char *expected) {
  char *text = slurp(path, NULL);
  assert_non_null(text);
  assert_string_equal(text, expected);
  free(text);
}

/* Files in the current folder. */
static inline int count_files(void) {
  FILE *in = popen("ls -A | wc -l", "r");
  int n = -1;
  assert_int_equal(fscanf(in, "%d", &n), 1);
  pclose(in);
  return n;
}

/* A plane grid of nx x ny quads over [0, width] x [0, height], or twice as many triangles; only nodes and
 * cells. */
static inline mesh plane_grid(int nx, int ny, double width, double height, int triangles) {
  int corners = triangles ? 3 : 4, per_quad = triangles ? 2 : 1;
  mesh m = {.dim = 2, .n_nodes = (nx + 1) * (ny + 1), .n_cells = nx * ny * per_quad};
  m.node_x = calloc((size_t)m.n_nodes, 2 * sizeof(double));
  m.cell_type = calloc((size_t)m.n_cells, 1);
  m.cell_start = calloc((size_t)m.n_cells + 1, sizeof(int32_t));
  m.cell_node = calloc((size_t)(m.n_cells * corners), sizeof(int32_t));
  for (int i = 0; i < m.n_nodes; i++) {
    m.node_x[2 * i] = width * (i % (nx + 1)) / nx;
    m.node_x[2 * i + 1] = height * (i / (nx + 1)) / ny;
  }
  for (int q = 0; q < nx * ny; q++) {
    int a = q / nx * (nx + 1) + q % nx, b = a + 1, c = a + nx + 2, d = a + nx + 1;
    int node[6] = {a, b, c, triangles ? a : d, c, d};
    memcpy(m.cell_node + q * corners * per_quad, node, sizeof(int) * (size_t)(corners * per_quad));
  }
  for (int i = 0; i < m.n_cells; i++) {
    m.cell_type[i] = triangles ? MESH_TRIANGLE : MESH_QUAD;
    m.cell_start[i + 1] = (i + 1) * corners;
  }
  return m;
}

static inline void free_grid(mesh *m) {
  free(m->node_x);
  free(m->cell_type);
  free(m->cell_start);
  free(m->cell_node);
}

#endif
