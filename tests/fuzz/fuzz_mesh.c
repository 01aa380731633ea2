/* The readers of meshes on arbitrary bytes: whatever is accepted must satisfy the mesh's
 * invariants, and everything that works on meshes must cope with it. Seeds: the files of any case, `gmsh
 * -format msh22|msh40|msh41`. */
#include <stdint.h>
#include <stdlib.h>

#include "mesh/check.h"
#include "mesh/gmsh/gmsh.h"
#include "mesh/info.h"
#include "mesh/locate.h"
#include "mesh/renumber.h"

#include "mutate.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static void require(int condition) {
  if (!condition) abort();
}

static void use_mesh(mesh *m) {
  ew_error err;
  mesh_info *info;
  mesh_locator *locator;
  cell_id found;
  double x[3] = {0, 0, 0};
  fuzz_need(mesh_check(m, &err) == EW_OK);
  fuzz_need(mesh_renumber(m, MESH_CELLS_RANDOM, MESH_FACES_RANDOM, 1, &err) == EW_OK);
  fuzz_need(mesh_check(m, &err) == EW_OK);
  fuzz_need(mesh_renumber(m, MESH_CELLS_RCM, MESH_FACES_SORTED, 1, &err) == EW_OK);
  fuzz_need(mesh_renumber(m, MESH_CELLS_HILBERT, MESH_FACES_SORTED, 1, &err) == EW_OK);
  fuzz_need(mesh_check(m, &err) == EW_OK);
  fuzz_need(mesh_info_create(m, &info, &err) == EW_OK);
  fuzz_need(mesh_locator_create(m, &locator, &err) == EW_OK);
  mesh_find_cell(locator, x, &found);
  require(found >= 0 && found < m->n_cells);
  if (m->n_patches > 1) (void)mesh_make_periodic(m, m->patch[0].name, m->patch[1].name, &err);
  fuzz_need(mesh_check(m, &err) == EW_OK);
  mesh_locator_destroy(&locator);
  mesh_info_destroy(&info);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  ew_error err;
  mesh *m;
  if (mesh_read_gmsh_memory(bytes, size, "fuzz", &m, &err) == EW_OK) use_mesh(m);
  mesh_destroy(&m);
  return 0;
}
