/* VTU, VTI and VTR files, read back by test_io_vtk.py, which knows only the format's description. */
#include "test_io_fixture.h"

#include <errno.h>
#include <math.h>
#include <signal.h>
#include <sys/resource.h>

#include "formats/vtu.h"

/* What the script prints about the file; the test is skipped without python3. */
static char *read_back(const char *path) {
  char *command = NULL, *text = NULL;
  size_t size = 0;
  if (system("command -v python3 >/dev/null 2>&1") != 0) skip();
  assert_true(asprintf(&command, "python3 '%s' %s", READER, path) > 0);
  FILE *in = popen(command, "r"), *out = open_memstream(&text, &size);
  for (int c; (c = fgetc(in)) != EOF;) fputc(c, out);
  fclose(out);
  free(command);
  assert_int_equal(pclose(in), 0);
  return text;
}

static void assert_reads_back(const char *path, const char *expected) {
  char *text = read_back(path);
  assert_string_equal(text, expected);
  free(text);
}

static double node_2d[] = {0, 0, 1, 0, 1, 1, 0, 1, 2, 0};
static uint8_t type_2d[] = {MESH_QUAD, MESH_TRIANGLE};
static int32_t start_2d[] = {0, 4, 7};
static int32_t cells_2d[] = {0, 1, 2, 3, 1, 4, 2};

static mesh mixed_2d(void) {
  return (mesh){.dim = 2,
                .n_nodes = 5,
                .node_x = node_2d,
                .n_cells = 2,
                .cell_type = type_2d,
                .cell_start = start_2d,
                .cell_node = cells_2d};
}

static void mixed_mesh_in_the_plane(void **state) {
  (void)state;
  ew_error err = {0};
  mesh m = mixed_2d();
  double h[] = {0.1, 1e-300}, v[] = {1, 2, 3, 4}, z[] = {5, 6, 7, 8, 9};
  int32_t region[] = {-3, 2147483647};
  vtu_array array[] = {{"h", VTU_CELLS, 1, h, NULL, NULL},
                       {"a<b & \"c\"", VTU_CELLS, 2, v, NULL, NULL},
                       {"z", VTU_NODES, 1, z, NULL, NULL},
                       {"region", VTU_CELLS, 1, NULL, region, NULL}};
  vtu_options options = {.time = 0.1, .elevation = z};
  assert_int_equal(vtu_write("a.vtu", &m, array, 4, &options, &err), EW_OK);
  assert_reads_back("a.vtu", "UnstructuredGrid NumberOfPoints=5 NumberOfCells=2\n"
                             "time 0.10000000000000001\n"
                             "Points Points Float64 3 0 0 5 1 0 6 1 1 7 0 1 8 2 0 9\n"
                             "Cells connectivity Int32 1 0 1 2 3 1 4 2\n"
                             "Cells offsets Int32 1 4 7\n"
                             "Cells types UInt8 1 9 5\n"
                             "PointData z Float64 1 5 6 7 8 9\n"
                             "CellData h Float64 1 0.1 1e-300\n"
                             "CellData a<b & \"c\" Float64 3 1 2 0 3 4 0\n"
                             "CellData region Int32 1 -3 2147483647\n");
}

/* Places stay exact: in UTM coordinates 32 bits are half a metre. What 32 bits cannot hold keeps 64. */
static void single_precision_rounds_fields_only(void **state) {
  (void)state;
  ew_error err = {0};
  double far[] = {500000.1,  5400000.1, 500000.2,  5400000.1, 500000.2,
                  5400000.2, 500000.1,  5400000.2, 500000.3,  5400000.1};
  mesh m = mixed_2d();
  m.node_x = far;
  double h[] = {0.1, (double)INFINITY}, large[] = {0.1, -3.5e38};
  vtu_array array[] = {{"h", VTU_CELLS, 1, h, NULL, NULL}, {"large", VTU_CELLS, 1, large, NULL, NULL}};
  vtu_options options = {.single_precision = true};
  assert_int_equal(vtu_write("f.vtu", &m, array, 2, &options, &err), EW_OK);
  assert_reads_back("f.vtu", "UnstructuredGrid NumberOfPoints=5 NumberOfCells=2\n"
                             "time 0\n"
                             "Points Points Float64 3 500000.1 5400000.1 0 500000.2 5400000.1 0 500000.2 "
                             "5400000.2 0 500000.1 5400000.2 0 500000.3 5400000.1 0\n"
                             "Cells connectivity Int32 1 0 1 2 3 1 4 2\n"
                             "Cells offsets Int32 1 4 7\n"
                             "Cells types UInt8 1 9 5\n"
                             "CellData h Float32 1 0.100000001 inf\n"
                             "CellData large Float64 1 0.1 -3.5e+38\n");
  vtk_grid grid = {.cells = {2, 1, 0}, .lines = {far, far + 3, NULL}};
  assert_int_equal(vtr_write("f.vtr", &grid, array, 1, &options, &err), EW_OK);
  char *text = read_back("f.vtr");
  assert_non_null(strstr(text, "Coordinates x Float64 1 500000.1 5400000.1 500000.2\n"));
  free(text);
}

static void all_cells_in_space(void **state) {
  (void)state;
  ew_error err = {0};
  double x[3 * 8] = {0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0, 0, 0, 1, 1, 0, 1, 1, 1, 1, 0, 1, 1};
  uint8_t type[] = {MESH_TETRA, MESH_HEX, MESH_PRISM, MESH_PYRAMID};
  int32_t start[] = {0, 4, 12, 18, 23},
          node[23] = {0, 1, 2, 4, 0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 4, 5, 6, 0, 1, 2, 3, 4};
  mesh m = {.dim = 3,
            .n_nodes = 8,
            .node_x = x,
            .n_cells = 4,
            .cell_type = type,
            .cell_start = start,
            .cell_node = node};
  assert_int_equal(vtu_write("s.vtu", &m, NULL, 0, &(vtu_options){.time = 1}, &err), EW_OK);
  assert_reads_back("s.vtu", "UnstructuredGrid NumberOfPoints=8 NumberOfCells=4\n"
                             "time 1\n"
                             "Points Points Float64 3 0 0 0 1 0 0 1 1 0 0 1 0 0 0 1 1 0 1 1 1 1 0 1 1\n"
                             "Cells connectivity Int32 1 0 1 2 4 0 1 2 3 4 5 6 7 0 1 2 4 5 6 0 1 2 3 4\n"
                             "Cells offsets Int32 1 4 12 18 23\n"
                             "Cells types UInt8 1 10 12 13 14\n");
}

/* More than one block, the last one full, partial, or of a single value. */
static void arrays_of_many_blocks(void **state) {
  (void)state;
  int sizes[] = {4095, 4096, 4097, 8192, 20000};
  for (size_t k = 0; k < sizeof sizes / sizeof sizes[0]; k++) {
    mesh m = plane_grid(sizes[k], 1, 1, 1, 0);
    double *u = calloc((size_t)m.n_cells, sizeof *u), sum = 0;
    char expected[256];
    for (int i = 0; i < m.n_cells; i++) sum += u[i] = i % 2 ? 1.0 / 1024 * i : -i;
    vtu_array array = {"u", VTU_CELLS, 1, u, NULL, NULL};
    assert_int_equal(vtu_write("b.vtu", &m, &array, 1, &(vtu_options){0}, NULL), EW_OK);
    snprintf(expected, sizeof expected, "CellData u Float64 1 count %d first %.17g last %.17g sum %.17g\n",
             m.n_cells, u[0], u[m.n_cells - 1], sum);
    char *text = read_back("b.vtu");
    assert_non_null(strstr(text, expected));
    free(text);
    free(u);
    free_grid(&m);
  }
}

static void non_finite_values_survive(void **state) {
  (void)state;
  mesh m = mixed_2d();
  double h[] = {(double)NAN, (double)INFINITY};
  vtu_array array = {"h", VTU_CELLS, 1, h, NULL, NULL};
  assert_int_equal(vtu_write("n.vtu", &m, &array, 1, &(vtu_options){0}, NULL), EW_OK);
  char *text = read_back("n.vtu");
  assert_non_null(strstr(text, "CellData h Float64 1 nan inf\n"));
  free(text);
}

static void structured_grids(void **state) {
  (void)state;
  ew_error err = {0};
  double x[] = {0, 1, 4}, y[] = {-1, 0}, u[] = {1, 2};
  vtk_grid grid = {.cells = {2, 1, 0}, .origin = {0.5, 0, 0}, .spacing = {1, 2, 1}, .lines = {x, y, NULL}};
  vtu_array array = {"u", VTU_CELLS, 1, u, NULL, NULL};
  assert_int_equal(vti_write("g.vti", &grid, &array, 1, &(vtu_options){.time = 2}, &err), EW_OK);
  assert_reads_back("g.vti",
                    "ImageData WholeExtent=0 2 0 1 0 0 Origin=0.5 0 0 Spacing=1 2 1 Extent=0 2 0 1 0 0\n"
                    "time 2\nCellData u Float64 1 1 2\n");
  assert_int_equal(vtr_write("g.vtr", &grid, &array, 1, &(vtu_options){.time = 2}, &err), EW_OK);
  assert_reads_back("g.vtr",
                    "RectilinearGrid WholeExtent=0 2 0 1 0 0 Extent=0 2 0 1 0 0\n"
                    "time 2\n"
                    "Coordinates x Float64 1 0 1 4\nCoordinates y Float64 1 -1 0\nCoordinates z Float64 1 0\n"
                    "CellData u Float64 1 1 2\n");
  grid.lines[1] = NULL;
  assert_int_equal(vtr_write("g2.vtr", &grid, &array, 1, &(vtu_options){0}, &err), EW_INTERNAL);
  assert_non_null(strstr(err.text, "direction 1 has no grid lines"));
}

static void faulty_arrays_are_named(void **state) {
  (void)state;
  ew_error err = {0};
  mesh m = mixed_2d();
  vtu_array array = {"h", VTU_CELLS, 1, NULL, NULL, NULL};
  assert_int_equal(vtu_write("x.vtu", &m, &array, 1, &(vtu_options){0}, &err), EW_INTERNAL);
  assert_non_null(strstr(err.text, "array 'h' needs reals, integers or bytes"));
  assert_null(slurp("x.vtu", NULL));
}

/* A limit on the size of files stands in for a full disk: the old file stays, nothing else is left. */
static void full_disk_leaves_the_old_file(void **state) {
  (void)state;
  ew_error err = {0};
  mesh m = mixed_2d();
  assert_int_equal(vtu_write("d.vtu", &m, NULL, 0, &(vtu_options){.time = 1}, &err), EW_OK);
  char *before = slurp("d.vtu", NULL);
  int files = count_files();
  struct rlimit old, small;
  getrlimit(RLIMIT_FSIZE, &old);
  small = old;
  small.rlim_cur = 600;
  signal(SIGXFSZ, SIG_IGN);
  assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
  ew_status status = vtu_write("d.vtu", &m, NULL, 0, &(vtu_options){.time = 2}, &err);
  assert_int_equal(setrlimit(RLIMIT_FSIZE, &old), 0);
  assert_int_equal(status, EW_IO);
  assert_non_null(strstr(err.text, "cannot write 'd.vtu': File too large"));
  assert_file("d.vtu", before);
  assert_int_equal(count_files(), files);
  free(before);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(mixed_mesh_in_the_plane),   cmocka_unit_test(single_precision_rounds_fields_only),
      cmocka_unit_test(all_cells_in_space),        cmocka_unit_test(arrays_of_many_blocks),
      cmocka_unit_test(non_finite_values_survive), cmocka_unit_test(structured_grids),
      cmocka_unit_test(faulty_arrays_are_named),   cmocka_unit_test(full_disk_leaves_the_old_file),
  };
  return cmocka_run_group_tests_name("io_vtu", tests, enter_scratch, leave_scratch);
}
