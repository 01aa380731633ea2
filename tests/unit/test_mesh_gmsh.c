/* The Gmsh reader: files written by gmsh in every format (skipped without gmsh), files put together here byte
 * by byte, and malformed ones with the messages they deserve. */
#include "test_mesh_fixture.h"

#include <math.h>
#include <unistd.h>
#include <zlib.h>

#include "mesh/gmsh/gmsh.h"

static ew_status read_text(const char *text, mesh **m, ew_error *err) {
  return mesh_read_gmsh_memory(text, strlen(text), "t.msh", m, err);
}

static mesh *read_good(const char *text) {
  ew_error err;
  mesh *m;
  assert_fine(read_text(text, &m, &err), &err);
  assert_valid(m);
  return m;
}

#define FORMAT22 "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n"
#define SQUARE   "$Nodes\n4\n1 0 0 0\n2 1 0 0\n3 1 1 0\n4 0 1 0\n$EndNodes\n"
#define PAIR     "$Elements\n2\n1 2 2 9 1 1 2 3\n2 2 2 9 1 1 3 4\n$EndElements\n"
#define CUBE                                                                                                 \
  "$Nodes\n9\n1 0 0 0\n2 1 0 0\n3 1 1 0\n4 0 1 0\n5 0 0 1\n6 1 0 1\n7 1 1 1\n8 0 1 1\n9 .5 .5 "              \
  "1.5\n$EndNodes\n"

/* --- files put together here --- */

static void a_pair_of_triangles(void **state) {
  (void)state;
  mesh *m = read_good(
      "// a comment\n" FORMAT22 "$Comments\nanything $Nodes here\n$EndComments\n" SQUARE
      "$Elements\n4\n1 1 2 5 1 1 2\n2 15 2 3 1 1\n11 2 2 9 1 1 2 3\n12 2 2 9 1 1 4 3\n$EndElements\n");
  assert_int_equal(m->dim, 2);
  assert_int_equal(m->n_cells, 2);
  assert_int_equal(m->n_patches, 2);
  assert_string_equal(m->patch[0].name, "boundary_5");
  assert_string_equal(m->patch[1].name, "unnamed");
  assert_int_equal(m->patch[1].count, 3);
  assert_string_equal(m->region[0].name, "region_9");
  assert_int_equal(m->cell_region[1], 9);
  assert_near(total_volume(m), 1, 1e-15); /* the second triangle was clockwise in the file */
  mesh_destroy(&m);
}

static void names_groups_and_windows_lines(void **state) {
  (void)state;
  mesh *m =
      read_good("$MeshFormat\r\n2.2 0 8\r\n$EndMeshFormat\r\n$PhysicalNames\r\n4\r\n1 5 \"the wall\"\r\n"
                "1 6 \"the wall\"\r\n1 7 \"\"\r\n2 9 \"fluid\"\r\n$EndPhysicalNames\r\n"
                "$Nodes\r\n4\r\n10 0 0 3\r\n200000000000 1 0 3\r\n3 1 1 3\r\n-4 0 1 3\r\n$EndNodes\r\n"
                "$Elements\r\n4\r\n1 1 1 5 10 200000000000\r\n2 1 1 6 3 -4\r\n3 1 1 -7 -4 10\r\n"
                "7 3 3 9 1 0 10 200000000000 3 -4\r\n$EndElements\r\n");
  assert_int_equal(m->n_patches, 3);
  assert_string_equal(m->patch[0].name, "the wall");
  assert_int_equal(m->patch[0].count, 2);
  assert_string_equal(m->patch[1].name, "boundary_7");
  assert_string_equal(m->patch[2].name, "unnamed");
  assert_string_equal(m->region[0].name, "fluid");
  assert_int_equal(m->cell_type[0], MESH_QUAD);
  mesh_destroy(&m);
}

static void unused_nodes_and_inner_groups_are_left_out(void **state) {
  (void)state;
  mesh *m = read_good(
      FORMAT22
      "$Nodes\n5\n7 9 9 9\n1 0 0 0\n2 1 0 0\n3 1 1 0\n4 0 1 0\n$EndNodes\n"
      "$Elements\n4\n1 1 2 5 1 1 3\n2 1 2 6 1 7 1\n3 2 2 9 1 1 2 3\n4 2 2 9 1 1 3 4\n$EndElements\n");
  assert_int_equal(m->n_nodes, 4);
  assert_int_equal(m->n_patches, 1);
  assert_string_equal(m->patch[0].name, "unnamed");
  mesh_destroy(&m);
}

static void every_cell_of_3d(void **state) {
  (void)state;
  mesh *m = read_good(FORMAT22 CUBE "$Elements\n2\n1 5 0 1 2 3 4 5 6 7 8\n2 7 0 5 6 7 8 9\n$EndElements\n");
  assert_int_equal(m->n_interior, 1);
  assert_near(m->cell_volume[0], 1, 1e-15);
  assert_near(m->cell_volume[1], 1. / 6, 1e-15);
  assert_near(m->cell_centre[5], 1 + 0.125, 1e-15);
  mesh_destroy(&m);
  m = read_good(FORMAT22 CUBE "$Elements\n2\n1 6 0 1 2 3 5 6 7\n2 6 0 1 4 3 5 8 7\n$EndElements\n");
  assert_int_equal(m->n_interior, 1);
  assert_near(m->cell_volume[0], 0.5, 1e-15);
  assert_near(m->cell_volume[1], 0.5, 1e-15);
  mesh_destroy(&m);
  m = read_good(FORMAT22 CUBE "$Elements\n1\n1 4 0 1 2 4 5\n$EndElements\n");
  assert_near(m->cell_volume[0], 1. / 6, 1e-15);
  assert_int_equal(m->n_nodes, 4);
  mesh_destroy(&m);
}

/* --- binary files, in either byte order --- */

typedef struct bytes {
  char data[4096];
  size_t n;
  bool swap;
} bytes;

static void put_text(bytes *b, const char *text) {
  memcpy(b->data + b->n, text, strlen(text));
  b->n += strlen(text);
}

static void put(bytes *b, const void *value, size_t size) {
  for (size_t i = 0; i < size; i++) b->data[b->n++] = ((const char *)value)[b->swap ? size - 1 - i : i];
}

static void put_ints(bytes *b, int n, const int32_t *values) {
  for (int i = 0; i < n; i++) put(b, &values[i], 4);
}

static void put_sizes(bytes *b, int n, const uint64_t *values) {
  for (int i = 0; i < n; i++) put(b, &values[i], 8);
}

static void put_reals(bytes *b, int n, const double *values) {
  for (int i = 0; i < n; i++) put(b, &values[i], 8);
}

#define INTS(b, ...)  put_ints(b, sizeof((int32_t[]){__VA_ARGS__}) / 4, (int32_t[]){__VA_ARGS__})
#define SIZES(b, ...) put_sizes(b, sizeof((uint64_t[]){__VA_ARGS__}) / 8, (uint64_t[]){__VA_ARGS__})

static const double corners[4][3] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}};

static void begin_binary(bytes *b, const char *version) {
  put_text(b, "$MeshFormat\n");
  put_text(b, version);
  put_text(b, " 1 8\n");
  INTS(b, 1);
  put_text(b, "\n$EndMeshFormat\n$PhysicalNames\n1\n1 5 \"wall\"\n$EndPhysicalNames\n");
}

static void put_binary_22(bytes *b) {
  begin_binary(b, "2.2");
  put_text(b, "$Nodes\n4\n");
  for (int i = 0; i < 4; i++) {
    INTS(b, i + 1);
    put_reals(b, 3, corners[i]);
  }
  put_text(b, "\n$EndNodes\n$Elements\n3\n");
  INTS(b, 1, 1, 2, 1, 5, 1, 1, 2);
  INTS(b, 2, 2, 2, 2, 9, 1, 1, 2, 3, 3, 9, 1, 1, 3, 4);
  put_text(b, "\n$EndElements\n");
}

/* One line in group 5 and one surface in group 9; boxes left zero. */
static void put_entities(bytes *b) {
  put_text(b, "$Entities\n");
  SIZES(b, 0, 1, 1, 0);
  for (int dim = 1; dim <= 2; dim++) {
    INTS(b, dim);
    put_reals(b, 3, corners[0]);
    put_reals(b, 3, corners[2]);
    SIZES(b, 1);
    INTS(b, dim == 1 ? 5 : 9);
    SIZES(b, 2);
    INTS(b, 1, -2);
  }
  put_text(b, "\n$EndEntities\n");
}

static void put_binary_40(bytes *b) {
  begin_binary(b, "4");
  put_entities(b);
  put_text(b, "$Nodes\n");
  SIZES(b, 1, 4);
  INTS(b, 2, 2, 0);
  SIZES(b, 4);
  for (int i = 0; i < 4; i++) {
    INTS(b, i + 1);
    put_reals(b, 3, corners[i]);
  }
  put_text(b, "\n$EndNodes\n$Elements\n");
  SIZES(b, 2, 3);
  INTS(b, 1, 1, 1);
  SIZES(b, 1);
  INTS(b, 1, 1, 2);
  INTS(b, 2, 2, 2);
  SIZES(b, 2);
  INTS(b, 2, 1, 2, 3, 3, 1, 3, 4);
  put_text(b, "\n$EndElements\n");
}

static void put_binary_41(bytes *b) {
  begin_binary(b, "4.1");
  put_entities(b);
  put_text(b, "$Nodes\n");
  SIZES(b, 1, 4, 1, 4);
  INTS(b, 2, 2, 0);
  SIZES(b, 4, 1, 2, 3, 4);
  for (int i = 0; i < 4; i++) put_reals(b, 3, corners[i]);
  put_text(b, "\n$EndNodes\n$Elements\n");
  SIZES(b, 2, 3, 1, 3);
  INTS(b, 1, 1, 1);
  SIZES(b, 1, 1, 1, 2);
  INTS(b, 2, 2, 2);
  SIZES(b, 2, 2, 1, 2, 3, 3, 1, 3, 4);
  put_text(b, "\n$EndElements\n");
}

static void (*const put_binary[])(bytes *b) = {put_binary_22, put_binary_40, put_binary_41};

static void binary_files_of_either_byte_order(void **state) {
  (void)state;
  for (int i = 0; i < 6; i++) {
    ew_error err;
    mesh *m;
    bytes b = {.swap = i % 2};
    put_binary[i / 2](&b);
    assert_fine(mesh_read_gmsh_memory(b.data, b.n, "t.msh", &m, &err), &err);
    assert_valid(m);
    assert_int_equal(m->n_cells, 2);
    assert_string_equal(m->patch[0].name, "wall");
    assert_int_equal(m->patch[0].count, 1);
    assert_int_equal(m->cell_region[1], 9);
    assert_near(total_volume(m), 1, 1e-15);
    mesh_destroy(&m);
  }
}

/* A file cut anywhere before its last marker is an error, whatever the format; so is any single byte's loss
 * of sense. */
static void truncated_binary_files(void **state) {
  (void)state;
  for (int i = 0; i < 3; i++) {
    bytes b = {.swap = false};
    put_binary[i](&b);
    for (size_t n = 0; n + 1 < b.n; n++) {
      ew_error err;
      mesh *m;
      char *exact = malloc(n + 1); /* so that a sanitizer sees one byte too far */
      assert_non_null(exact);
      memcpy(exact, b.data, n);
      assert_int_equal(mesh_read_gmsh_memory(exact, n, "t.msh", &m, &err), EW_INPUT);
      assert_null(m);
      assert_int_equal(strncmp(err.text, "t.msh:", 6), 0);
      free(exact);
    }
  }
}

static void byte_offsets_in_messages(void **state) {
  (void)state;
  ew_error err;
  mesh *m;
  bytes b = {.swap = false};
  put_binary_41(&b);
  char *nodes = memmem(b.data, b.n, "$Nodes\n", 7);
  assert_non_null(nodes);
  uint64_t absurd = (uint64_t)1 << 60;
  memcpy(nodes + 7 + 8, &absurd, 8);
  assert_int_equal(mesh_read_gmsh_memory(b.data, b.n, "t.msh", &m, &err), EW_INPUT);
  char expected[64];
  snprintf(expected, sizeof expected, "t.msh: byte %d: ", (int)(nodes + 7 + 16 - b.data));
  assert_contains(err.text, expected);
  assert_contains(err.text, "the number of nodes is 1152921504606846976, more than the");
}

/* --- malformed text --- */

typedef struct bad_file {
  const char *text, *message;
} bad_file;

static const bad_file bad_files[] = {
    {"", "t.msh:1: the file is empty"},
    {"hello\n", "t.msh:2: no $MeshFormat: this is not a Gmsh mesh"},
    {"$NOD\n", "format 1 is not read; save as 2.2, 4.0 or 4.1"},
    {"$MeshFormat\n3 0 8\n$EndMeshFormat\n", "t.msh:2: Gmsh format 3 is not known"},
    {"$MeshFormat\n2.2 2 8\n$EndMeshFormat\n", "the file type is 2; expected 0 (ASCII) or 1 (binary)"},
    {"$MeshFormat\n2.2 0 4\n$EndMeshFormat\n", "real numbers of 4 bytes; expected 8"},
    {"$Nodes\n1\n", "t.msh:1: $Nodes comes before $MeshFormat"},
    {FORMAT22, "no $Elements: is the file truncated?"},
    {FORMAT22 PAIR, "t.msh:4: $Elements comes before $Nodes"},
    {FORMAT22 SQUARE SQUARE, "t.msh:11: a second $Nodes"},
    {FORMAT22 "$Nodes\n-1\n", "t.msh:5: the number of nodes is -1; it cannot be negative"},
    {FORMAT22 "$Nodes\n1000000000\n1 0 0 0\n", "t.msh:5: the number of nodes is 1000000000, more than the"},
    {FORMAT22 "$Nodes\n99999999999999999999\n",
     "expected the number of nodes, found \"99999999999999999999\""},
    {FORMAT22 "$Nodes\n2\n1 0 0 0\n1 nan 0 0\n$EndNodes\n",
     "t.msh:7: coordinate x of a node is nan; expected a finite"},
    {FORMAT22 "$Nodes\n2\n1 0 0 0\n2 0 0x 0\n$EndNodes\n",
     "t.msh:7: expected coordinate y of a node, found \"0x\""},
    {FORMAT22 "$Nodes\n2\n1 0 0 0\n1 1 0 0\n$EndNodes\n", "t.msh:7: node 1 is listed twice"},
    {FORMAT22 "$Nodes\n2\n1 0 0 0\n2 1 0 0\n3 1 1 0\n$EndNodes\n",
     "t.msh:8: expected $EndNodes, found \"3\""},
    {FORMAT22 "$Nodes\n2\n1 0 0 0\n2 1 0 0\n", "the file ends where $EndNodes was expected"},
    {FORMAT22 "$Stuff\n1 2 3\n", "section $Stuff has no $EndStuff"},
    {FORMAT22 SQUARE "$Elements\n1\n1 2 2 9 1 1 2 8\n$EndElements\n",
     "t.msh:13: triangle 1 refers to node 8, which $Nodes does not list"},
    {FORMAT22 SQUARE "$Elements\n1\n1 9 2 9 1 1 2 3 1 2 3\n$EndElements\n",
     "t.msh:13: element type 9 (6-node triangle) is of higher order; save with order 1"},
    {FORMAT22 SQUARE "$Elements\n1\n1 77 2 9 1 1 2 3\n$EndElements\n", "element type 77 is not known"},
    {FORMAT22 SQUARE "$Elements\n1\n1 2 -2 9 1 1 2 3\n$EndElements\n",
     "tags of an element is -2; it cannot be negative"},
    {FORMAT22 SQUARE "$Elements\n1\n1 2 2000000 9 1 1 2 3\n$EndElements\n",
     "tags of an element is 2000000, more than"},
    {FORMAT22 SQUARE "$Elements\n1\n1 2 2 9 1 1 2 2\n$EndElements\n",
     "t.msh:13: triangle 1 with nodes at (0, 0), (1, 0)"},
    {FORMAT22 SQUARE "$Elements\n3\n1 2 0 1 2 3\n5 2 0 1 3 4\n6 2 0 3 2 1\n$EndElements\n",
     "t.msh:15: triangle 6 repeats triangle 1"},
    {FORMAT22 SQUARE "$Elements\n2\n1 2 0 1 2 3\n5 2 0 1 2 4\n$EndElements\n",
     "t.msh:14: cells 1 and 5 overlap"},
    {FORMAT22 "$Nodes\n5\n1 0 0 0\n2 1 0 0\n3 .5 1 0\n4 .5 -1 0\n5 .5 2 0\n$EndNodes\n"
              "$Elements\n3\n7 2 0 1 2 3\n8 2 0 1 2 4\n9 2 0 1 2 5\n$EndElements\n",
     "t.msh:16: cells 7, 8 and 9 share one face"},
    {FORMAT22 SQUARE "$Elements\n1\n1 3 0 1 2 4 3\n$EndElements\n", "t.msh:13: quadrangle 1 with nodes at"},
    {FORMAT22 SQUARE "$Elements\n3\n1 1 1 5 1 2\n2 1 1 6 2 1\n3 2 0 1 2 3\n$EndElements\n",
     "lies in two groups, \"boundary_5\" and \"boundary_6\""},
    {FORMAT22 SQUARE "$Elements\n1\n1 1 1 5 1 2\n$EndElements\n",
     "t.msh: no cells, only 1 lines; was the mesh generated"},
    {FORMAT22 SQUARE "$Elements\n0\n$EndElements\n", "no cells"},
    {FORMAT22 CUBE "$Elements\n2\n1 2 0 1 2 3\n2 2 0 5 6 7\n$EndElements\n",
     "a surface mesh with z from 0 to 1"},
    {FORMAT22 CUBE "$Elements\n1\n1 4 0 1 2 3 4\n$EndElements\n", "is degenerate: its volume is zero"},
    {FORMAT22 "$Nodes\n12\n1 0 0 0\n2 1 0 0\n3 1 1 0\n4 0 1 0\n5 0 0 1\n6 1 0 1\n7 1 1 1\n8 0 1 1\n"
              "9 0 0 2\n10 1 0 2\n11 1 1 2\n12 0 1 2\n$EndNodes\n"
              "$Elements\n2\n1 5 0 1 2 3 4 5 6 7 8\n2 5 0 5 7 6 8 9 10 11 12\n$EndElements\n",
     "t.msh:22: cells 1 and 2 are twisted: they go round the nodes of their common face in different orders"},
    {FORMAT22 "$PhysicalNames\n1\n1 5 wall\n",
     "t.msh:6: expected the name of a physical group in double quotes"},
    {FORMAT22 "$PhysicalNames\n1\n1 5 \"wall\n", "holds a control character or is not closed"},
    {FORMAT22 "$PhysicalNames\n1\n7 5 \"wall\"\n", "has dimension 7; expected 0 to 3"},
    {"$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$Nodes\n1 3 1 3\n2 1 0 2\n1\n2\n0 0 0\n1 0 0\n$EndNodes\n",
     "3 nodes are announced, but the blocks hold 2"},
    {"$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$PhysicalNames\n2\n2 3 \"left part\"\n2 7 "
     "\"all\"\n$EndPhysicalNames\n"
     "$Entities\n0 0 1 0\n1 0 0 0 1 1 0 2 3 7 0\n$EndEntities\n"
     "$Nodes\n1 3 1 3\n2 1 0 3\n1\n2\n3\n0 0 0\n1 0 0\n0 1 0\n$EndNodes\n"
     "$Elements\n1 1 1 1\n2 1 2 1\n1 1 2 3\n$EndElements\n",
     "t.msh:26: triangle 1 lies in two physical groups, \"left part\" and \"all\": put each cell in one; "
     "what "
     "holds for all cells needs no group"},
    {"$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$Entities\n0 -1 0 0\n",
     "the number of entities is -1; it cannot be negative"},
    {"$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$Nodes\n1 1 1 1\n9 1 0 1\n1\n0 0 0\n$EndNodes\n",
     "has dimension 9; expected 0 to 3"},
};

static void malformed_files(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof bad_files / sizeof *bad_files; i++) {
    ew_error err;
    mesh *m;
    if (read_text(bad_files[i].text, &m, &err) != EW_INPUT) fail_msg("accepted: %s", bad_files[i].text);
    assert_null(m);
    assert_contains(err.text, bad_files[i].message);
  }
}

static void truncated_text(void **state) {
  (void)state;
  static const char text[] = FORMAT22 SQUARE PAIR;
  for (size_t n = 0; n < sizeof text - 2; n++) {
    mesh *m;
    assert_int_equal(mesh_read_gmsh_memory(text, n, "t.msh", &m, NULL), EW_INPUT);
  }
}

static void degenerate_cells_are_named(void **state) {
  (void)state;
  ew_error err;
  mesh *m;
  assert_int_equal(read_text(FORMAT22 "$Nodes\n3\n1 0 0 0\n2 0.5 0.5 0\n3 2 2 0\n$EndNodes\n"
                                      "$Elements\n1\n42 2 0 1 2 3\n$EndElements\n",
                             &m, &err),
                   EW_INPUT);
  assert_string_equal(
      err.text,
      "t.msh:12: triangle 42 with nodes at (0, 0), (0.5, 0.5), (2, 2) is degenerate: its area is zero");
}

/* --- files written by gmsh --- */

static const char square_geo[] =
    "Point(1)={0,0,2,.3};Point(2)={1,0,2,.3};Point(3)={1,1,2,.3};Point(4)={0,1,2,.3};\n"
    "Line(1)={1,2};Line(2)={2,3};Line(3)={3,4};Line(4)={4,1};\n"
    "Line Loop(1)={1,2,3,4};Plane Surface(1)={1};\n"
    "Physical Line(\"wall\")={1,3};Physical Line(70)={2};Physical Line(\"in\")={4};\n"
    "Physical Surface(\"fluid\")={1};\n";

/* Tetrahedra, pyramids and hexahedra or prisms one above the other. */
static const char tower_geo[] =
    "Point(1)={0,0,0,.4};Point(2)={1,0,0,.4};Point(3)={1,1,0,.4};Point(4)={0,1,0,.4};\n"
    "Line(1)={1,2};Line(2)={2,3};Line(3)={3,4};Line(4)={4,1};\n"
    "Line Loop(1)={1,2,3,4};Plane Surface(1)={1};\n"
    "t[] = Extrude {0,0,1} { Surface{1}; };\n"
    "p[] = Extrude {0,0,.5} { Surface{t[0]}; Layers{2}; Recombine; };\n"
    "Physical Surface(\"bottom\")={1};Physical Surface(\"top\")={p[0]};\n"
    "Physical Volume(\"tets\")={t[1]};Physical Volume(\"prisms\")={p[1]};\n";

static bool run_gmsh(const char *geo, const char *options, char *folder) {
  char path[128], command[512];
  if (system("command -v gmsh >/dev/null 2>&1") != 0) return false;
  assert_non_null(mkdtemp(folder));
  snprintf(path, sizeof path, "%s/a.geo", folder);
  FILE *f = fopen(path, "w");
  assert_non_null(f);
  assert_true(fputs(geo, f) >= 0 && fclose(f) == 0);
  snprintf(command, sizeof command, "cd %s && gmsh -nopopup %s a.geo -o a.msh >log 2>&1", folder, options);
  assert_int_equal(system(command), 0);
  return true;
}

static void remove_folder(const char *folder) {
  char command[128];
  snprintf(command, sizeof command, "rm -rf %s", folder);
  assert_int_equal(system(command), 0);
}

static mesh *read_made(const char *geo, const char *options, ew_error *err, ew_status *status) {
  char folder[] = "/tmp/ew_mesh_XXXXXX", path[128];
  mesh *m;
  if (!run_gmsh(geo, options, folder)) skip();
  snprintf(path, sizeof path, "%s/a.msh", folder);
  *status = mesh_read_gmsh(path, &m, err);
  remove_folder(folder);
  return m;
}

static const char *const square_options[] = {"-2 -format msh22",
                                             "-2 -format msh22 -bin",
                                             "-2 -format msh40",
                                             "-2 -format msh41",
                                             "-2 -format msh41 -bin",
                                             "-2 -format msh41 -part 3",
                                             "-2 -format msh40 -part 3",
                                             "-2 -format msh41 -bin -part 3",
                                             "-2 -format msh22 -part 3",
                                             "-2 -format msh41 -parametric",
                                             "-2 -format msh41 -bin -parametric"};

static void gmsh_squares(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof square_options / sizeof *square_options; i++) {
    ew_error err;
    ew_status status;
    mesh *m = read_made(square_geo, square_options[i], &err, &status);
    assert_fine(status, &err);
    assert_valid(m);
    assert_int_equal(m->dim, 2);
    assert_near(total_volume(m), 1, 1e-12);
    assert_int_equal(m->n_patches, 3);
    assert_true(mesh_find_patch(m, "wall") >= 0 && mesh_find_patch(m, "in") >= 0 &&
                mesh_find_patch(m, "boundary_70") >= 0);
    assert_int_equal(m->patch[mesh_find_patch(m, "wall")].count,
                     2 * m->patch[mesh_find_patch(m, "in")].count);
    assert_string_equal(m->region[0].name, "fluid");
    mesh_destroy(&m);
  }
}

static const char *const tower_options[] = {"-3 -format msh22", "-3 -format msh22 -bin", "-3 -format msh40",
                                            "-3 -format msh41", "-3 -format msh41 -bin"};

static void gmsh_towers(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof tower_options / sizeof *tower_options; i++) {
    ew_error err;
    ew_status status;
    mesh *m = read_made(tower_geo, tower_options[i], &err, &status);
    assert_fine(status, &err);
    assert_valid(m);
    assert_int_equal(m->dim, 3);
    assert_near(total_volume(m), 1.5, 1e-12);
    assert_int_equal(m->n_patches, 3);
    assert_string_equal(m->patch[2].name, "unnamed");
    assert_int_equal(m->n_regions, 2);
    mesh_destroy(&m);
  }
}

static void gmsh_second_order(void **state) {
  (void)state;
  ew_error err;
  ew_status status;
  mesh *m = read_made(square_geo, "-2 -order 2 -format msh41", &err, &status);
  assert_int_equal(status, EW_INPUT);
  assert_null(m);
  assert_contains(err.text, "(3-node line) is of higher order; save with order 1");
}

static void compressed_and_missing_files(void **state) {
  (void)state;
  static const char text[] = FORMAT22 SQUARE PAIR;
  char path[] = "/tmp/ew_mesh_XXXXXX";
  ew_error err;
  mesh *m;
  int handle = mkstemp(path);
  assert_true(handle >= 0);
  close(handle);
  gzFile f = gzopen(path, "wb");
  assert_int_equal(gzwrite(f, text, sizeof text - 1), sizeof text - 1);
  assert_int_equal(gzclose(f), Z_OK);
  assert_fine(mesh_read_gmsh(path, &m, &err), &err);
  assert_int_equal(m->n_cells, 2);
  mesh_destroy(&m);
  assert_int_equal(truncate(path, 40), 0);
  assert_int_equal(mesh_read_gmsh(path, &m, &err), EW_INPUT); /* the file is wrong, not its medium */
  assert_contains(err.text, "is cut off or damaged: ");
  unlink(path);
  assert_int_equal(mesh_read_gmsh(path, &m, &err), EW_IO);
  assert_contains(err.text, "cannot be opened: No such file or directory");
  assert_null(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_pair_of_triangles),
      cmocka_unit_test(names_groups_and_windows_lines),
      cmocka_unit_test(unused_nodes_and_inner_groups_are_left_out),
      cmocka_unit_test(every_cell_of_3d),
      cmocka_unit_test(binary_files_of_either_byte_order),
      cmocka_unit_test(truncated_binary_files),
      cmocka_unit_test(byte_offsets_in_messages),
      cmocka_unit_test(malformed_files),
      cmocka_unit_test(truncated_text),
      cmocka_unit_test(degenerate_cells_are_named),
      cmocka_unit_test(gmsh_squares),
      cmocka_unit_test(gmsh_towers),
      cmocka_unit_test(gmsh_second_order),
      cmocka_unit_test(compressed_and_missing_files),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
