/* Values that Gmsh files give at nodes and for elements: read from every format, kept true by renumbering, taken where fields live. */
#include "test_mesh_fixture.h"

#include <math.h>
#include <unistd.h>

#include "mesh/data.h"
#include "mesh/gmsh/gmsh.h"
#include "mesh/renumber.h"

#define FORMAT22 "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n"
#define FORMAT41 "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n"
#define SQUARE   "$Nodes\n4\n1 0 0 0\n2 1 0 0\n3 1 1 0\n4 0 1 0\n$EndNodes\n"
#define PAIR     "$Elements\n3\n7 1 2 5 1 1 2\n8 2 2 9 1 1 2 3\n9 2 2 9 1 1 3 4\n$EndElements\n"
#define PAIR41                                                                                               \
  "$Nodes\n1 4 1 4\n2 1 0 4\n1\n2\n3\n4\n0 0 0\n1 0 0\n1 1 0\n0 1 0\n$EndNodes\n"                            \
  "$Elements\n1 2 8 9\n2 1 2 2\n8 1 2 3\n9 1 3 4\n$EndElements\n"
#define DEPTH "$NodeData\n1\n\"depth\"\n1\n0.5\n3\n0\n1\n4\n1 10\n2 20\n3 30\n4 40\n$EndNodeData\n"
#define ROUGH "$ElementData\n2\n\"rough\"\n\"scheme\"\n0\n4\n0\n1\n2\n3\n9 0.25\n8 0.125\n$EndElementData\n"

static mesh *read_good(const char *text) {
  ew_error err;
  mesh *m;
  assert_fine(mesh_read_gmsh_memory(text, strlen(text), "t.msh", &m, &err), &err);
  assert_valid(m);
  return m;
}

static const mesh_data *find(const mesh *m, const char *name) {
  const mesh_data *d;
  ew_error err;
  assert_fine(mesh_data_find(m, &(mesh_data_name){.name = name}, &d, &err), &err);
  return d;
}

static double take(const mesh *m, const char *name, mesh_place place, int32_t at) {
  double out[9] = {NAN};
  int32_t missing;
  ew_error err;
  assert_fine(mesh_data_take(m, find(m, name), (mesh_entity){place, at}, out, &missing, &err), &err);
  assert_int_equal(missing, -1);
  return *out;
}

/* The second triangle has the nodes 1, 3, 4 of the file. */
static void means_of_corners(void **state) {
  (void)state;
  static const char *const texts[] = {FORMAT22 SQUARE PAIR DEPTH ROUGH, FORMAT41 PAIR41 DEPTH ROUGH,
                                      FORMAT22 DEPTH ROUGH SQUARE PAIR};
  for (int i = 0; i < 3; i++) {
    mesh *m = read_good(texts[i]);
    assert_int_equal(m->file.n_data, 2);
    assert_near(take(m, "depth", MESH_IN_CELLS, 0), 20, 1e-14);
    assert_near(take(m, "depth", MESH_IN_CELLS, 1), 80. / 3, 1e-14);
    assert_near(take(m, "depth", MESH_AT_NODES, 2), 30, 0);
    assert_near(take(m, "rough", MESH_IN_CELLS, 0), 0.125, 0);
    assert_near(take(m, "rough", MESH_IN_CELLS, 1), 0.25, 0);
    for (face_id f = 0; f < m->n_faces; f++) {
      const node_id *node = m->face_node + m->face_start[f];
      assert_near(take(m, "depth", MESH_AT_FACES, f), 5. * (node[0] + node[1] + 2), 1e-14);
    }
    mesh_destroy(&m);
  }
}

static void vectors_lose_z(void **state) {
  (void)state;
  mesh *m = read_good(FORMAT22 SQUARE PAIR
                      "$NodeData\n1\n\"u\"\n0\n3\n0\n3\n4\n1 1 2 0\n2 1 2 0\n3 4 5 0\n4 0 0 1\n$EndNodeData\n"
                      "$ElementData\n1\n\"s\"\n0\n3\n0\n9\n2\n8 1 2 0 3 4 0 0 0 0\n9 0 0 0 0 0 0 0 0 "
                      "0\n$EndElementData\n");
  double out[9];
  int32_t missing;
  ew_error err;
  const mesh_data *u = find(m, "u"), *s = find(m, "s");
  assert_int_equal(mesh_data_components(m, u), 2);
  assert_fine(mesh_data_take(m, u, (mesh_entity){MESH_IN_CELLS, 0}, out, &missing, &err), &err);
  assert_near(out[0], 2, 1e-14);
  assert_near(out[1], 3, 1e-14);
  assert_int_equal(mesh_data_take(m, u, (mesh_entity){MESH_IN_CELLS, 1}, out, &missing, &err), EW_INPUT);
  assert_string_equal(err.text, "the mesh's data \"u\" of node 4 is 1 along z, but the mesh is plane");
  assert_int_equal(mesh_data_components(m, s), 4);
  assert_fine(mesh_data_take(m, s, (mesh_entity){MESH_IN_CELLS, 0}, out, &missing, &err), &err);
  for (int k = 0; k < 4; k++) assert_near(out[k], k + 1, 0);
  mesh_destroy(&m);
}

/* In 3D all three components stay. */
static void vectors_of_boxes(void **state) {
  (void)state;
  mesh *m = read_good(FORMAT22 "$Nodes\n4\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n$EndNodes\n"
                               "$Elements\n1\n1 4 0 1 2 3 4\n$EndElements\n"
                               "$ElementData\n1\n\"u\"\n0\n3\n0\n3\n1\n1 1 2 3\n$EndElementData\n");
  double out[9];
  int32_t missing;
  ew_error err;
  assert_int_equal(mesh_data_components(m, find(m, "u")), 3);
  assert_fine(mesh_data_take(m, find(m, "u"), (mesh_entity){MESH_IN_CELLS, 0}, out, &missing, &err), &err);
  assert_near(out[2], 3, 0);
  mesh_destroy(&m);
}

static void what_is_missing_is_named(void **state) {
  (void)state;
  mesh *m =
      read_good(FORMAT22 SQUARE PAIR "$NodeData\n1\n\"d\"\n0\n3\n0\n1\n3\n1 1\n2 2\n3 3\n$EndNodeData\n"
                                     "$ElementData\n1\n\"e\"\n0\n3\n0\n1\n2\n7 1\n8 2\n$EndElementData\n");
  double out[9];
  int32_t missing;
  ew_error err;
  assert_near(take(m, "d", MESH_IN_CELLS, 0), 2, 1e-14);
  assert_fine(mesh_data_take(m, find(m, "d"), (mesh_entity){MESH_IN_CELLS, 1}, out, &missing, &err), &err);
  assert_int_equal(find(m, "d")->tag[missing], 4);
  assert_fine(mesh_data_take(m, find(m, "e"), (mesh_entity){MESH_IN_CELLS, 1}, out, &missing, &err), &err);
  assert_int_equal(find(m, "e")->tag[missing], 9);
  assert_int_equal(find(m, "e")->n_missing, 1);
  assert_int_equal(find(m, "e")->n_elsewhere, 1); /* of the line, element 7 */
  assert_int_equal(mesh_data_take(m, find(m, "e"), (mesh_entity){MESH_AT_NODES, 0}, out, &missing, &err),
                   EW_INPUT);
  assert_contains(err.text, "only a field in cells can take it, not one at nodes");
  mesh_destroy(&m);
}

static void assert_unfound(const mesh *m, mesh_data_name name, const char *message) {
  const mesh_data *d;
  ew_error err;
  assert_int_equal(mesh_data_find(m, &name, &d, &err), EW_INPUT);
  assert_string_equal(err.text, message);
}

static void names_and_steps(void **state) {
  (void)state;
  const mesh_data *d;
  ew_error err;
  mesh *m =
      read_good(FORMAT22 SQUARE PAIR DEPTH "$NodeData\n1\n\"depth\"\n0\n3\n4\n1\n1\n1 7\n$EndNodeData\n" ROUGH
                                           "$NodeData\n1\n\"rough\"\n0\n3\n0\n1\n0\n$EndNodeData\n");
  assert_unfound(m, (mesh_data_name){.name = "deep"},
                 "the mesh has no data \"deep\"; there is \"depth\", \"rough\"");
  assert_unfound(
      m, (mesh_data_name){.name = "depth"},
      "the mesh has data \"depth\" of several steps: 0, 4; mesh_data { \"depth\", step = ... } takes one of "
      "them");
  assert_unfound(m, (mesh_data_name){.name = "depth", .has_step = true, .step = 2},
                 "the mesh's data \"depth\" has no step 2; there is 0, 4");
  assert_unfound(
      m, (mesh_data_name){.name = "rough"},
      "the mesh file has data \"rough\" twice, at nodes and for elements; give one of them another name");
  assert_fine(mesh_data_find(m, &(mesh_data_name){"depth", true, 4}, &d, &err), &err);
  assert_near(d->value[0], 7, 0);
  mesh_destroy(&m);
  m = read_good(FORMAT22 SQUARE PAIR);
  assert_unfound(m, (mesh_data_name){.name = "deep"},
                 "the mesh has no data \"deep\", nor any other: it comes from $NodeData and $ElementData of "
                 "a mesh file");
  mesh_destroy(&m);
}

/* Files of partitions have a section for each of them. */
static void sections_of_one_step_are_one(void **state) {
  (void)state;
  mesh *m =
      read_good(FORMAT22 SQUARE PAIR "$ElementData\n1\n\"e\"\n0\n4\n0\n1\n1\n1\n9 4\n$EndElementData\n"
                                     "$ElementData\n1\n\"e\"\n0\n4\n0\n1\n1\n2\n8 3\n$EndElementData\n");
  assert_int_equal(m->file.n_data, 1);
  assert_near(take(m, "e", MESH_IN_CELLS, 0), 3, 0);
  assert_near(take(m, "e", MESH_IN_CELLS, 1), 4, 0);
  mesh_destroy(&m);
}

static void malformed_data(void **state) {
  (void)state;
  static const struct {
    const char *data, *message;
  } bad[] = {
      {"$NodeData\n0\n0\n3\n0\n1\n0\n$EndNodeData\n", "the data has no name"},
      {"$NodeData\n-1\n", "the number of texts of the data is -1; it cannot be negative"},
      {"$NodeData\n1\ndepth\n", "expected the name of the data in double quotes"},
      {"$NodeData\n1\n\"d\"\n999999\n", "the number of reals of the data is 999999, more than the"},
      {"$NodeData\n1\n\"d\"\n0\n2\n0\n1\n", "the data has 2 integers; expected 3 or more"},
      {"$NodeData\n1\n\"d\"\n0\n3\n0\n2\n0\n$EndNodeData\n", "the data has 2 components; expected 1, 3"},
      {"$NodeData\n1\n\"d\"\n0\n3\n9999999999\n1\n0\n$EndNodeData\n", "the step of the data is 9999999999"},
      {"$NodeData\n1\n\"d\"\n0\n3\n0\n1\n5\n1 1\n$EndNodeData\n", "the number of values is 5, more than the"},
      {"$NodeData\n1\n\"d\"\n0\n3\n0\n1\n2\n1 1\n$EndNodeData\n", "expected the number of a node"},
      {"$NodeData\n1\n\"d\"\n0\n3\n0\n1\n1\n1 1\n2 2\n$EndNodeData\n", "expected $EndNodeData, found \"2\""},
      {"$NodeData\n1\n\"d\"\n0\n3\n0\n1\n1\n1 nan\n$EndNodeData\n", "a value"},
      {"$NodeData\n1\n\"d\"\n0\n3\n0\n1\n2\n1 1\n1 2\n$EndNodeData\n",
       "t.msh:17: the data \"d\" has two values for node 1 in step 0"},
      {"$NodeData\n1\n\"d\"\n0\n3\n0\n1\n1\n5 1\n$EndNodeData\n",
       "the data \"d\" has a value for node 5, which $Nodes does not list"},
      {"$ElementData\n1\n\"d\"\n0\n3\n0\n1\n2\n8 1\n8 2\n$EndElementData\n", "two values for element 8"},
  };
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    char text[1024];
    ew_error err;
    mesh *m;
    snprintf(text, sizeof text, "%s%s", FORMAT22 SQUARE PAIR, bad[i].data);
    if (mesh_read_gmsh_memory(text, strlen(text), "t.msh", &m, &err) != EW_INPUT)
      fail_msg("accepted: %s", bad[i].data);
    assert_null(m);
    assert_contains(err.text, bad[i].message);
  }
}

/* ---- files written by gmsh --------------------------------------------------------------------------------------------------- */

static const char made_geo[] =
    "Point(1)={0,0,2,.3};Point(2)={1,0,2,.3};Point(3)={1,1,2,.3};Point(4)={0,1,2,.3};\n"
    "Line(1)={1,2};Line(2)={2,3};Line(3)={3,4};Line(4)={4,1};\n"
    "Line Loop(1)={1,2,3,4};Plane Surface(1)={1};Mesh 2;\n"
    "Plugin(NewView).ViewTag=-1;Plugin(NewView).NumComp=1;Plugin(NewView).Run;\n"
    "Plugin(ModifyComponents).View=0;Plugin(ModifyComponents).Expression0=\"x+2*y\";Plugin(ModifyComponents)."
    "Run;\n"
    "View[0].Name=\"depth\";PostProcessing.SaveMesh=1;\n"
    "Mesh.MshFileVersion=2.2;Mesh.Binary=0;Save View[0] \"0.msh\";Mesh.Binary=1;Save View[0] \"1.msh\";\n"
    "Mesh.MshFileVersion=4.1;Mesh.Binary=0;Save View[0] \"2.msh\";Mesh.Binary=1;Save View[0] \"3.msh\";\n";

/* x + 2 y is linear: its mean over the corners is its value at the centre, in whatever order the cells and nodes are. */
static void assert_linear(mesh *m) {
  ew_error err;
  for (int order = 0; order < 3; order++) {
    for (cell_id c = 0; c < m->n_cells; c++)
      assert_near(take(m, "depth", MESH_IN_CELLS, c), m->cell_centre[2 * c] + 2 * m->cell_centre[2 * c + 1],
                  1e-14);
    for (node_id k = 0; k < m->n_nodes; k++)
      assert_near(take(m, "depth", MESH_AT_NODES, k), m->node_x[2 * k] + 2 * m->node_x[2 * k + 1], 1e-14);
    assert_fine(mesh_renumber(m, order ? MESH_CELLS_RCM : MESH_CELLS_RANDOM, MESH_FACES_SORTED, 3, &err),
                &err);
  }
}

static void files_of_gmsh(void **state) {
  (void)state;
  char folder[] = "/tmp/ew_data_XXXXXX", path[128], command[256];
  if (system("command -v gmsh >/dev/null 2>&1") != 0) skip();
  assert_non_null(mkdtemp(folder));
  snprintf(path, sizeof path, "%s/a.geo", folder);
  FILE *f = fopen(path, "w");
  assert_non_null(f);
  assert_true(fputs(made_geo, f) >= 0 && fclose(f) == 0);
  snprintf(command, sizeof command, "cd %s && gmsh -0 a.geo >log 2>&1", folder);
  assert_int_equal(system(command), 0);
  for (int i = 0; i < 4; i++) {
    ew_error err;
    mesh *m;
    snprintf(path, sizeof path, "%s/%d.msh", folder, i);
    assert_fine(mesh_read_gmsh(path, &m, &err), &err);
    assert_linear(m);
    mesh_destroy(&m);
  }
  snprintf(command, sizeof command, "rm -rf %s", folder);
  assert_int_equal(system(command), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(means_of_corners), cmocka_unit_test(vectors_lose_z),
      cmocka_unit_test(vectors_of_boxes), cmocka_unit_test(what_is_missing_is_named),
      cmocka_unit_test(names_and_steps),  cmocka_unit_test(sections_of_one_step_are_one),
      cmocka_unit_test(malformed_data),   cmocka_unit_test(files_of_gmsh),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
