#include <string.h>

#include "cli/shell.h"
#include "fe/info.h"
#include "mesh/gmsh/gmsh.h"
#include "mesh/info.h"

/* Meshes with other cells than simplices have no graph of nodes that schemes could use. */
static bool has_graph(const mesh_info *info) {
  return info->n_cells_of_type[info->dim == 2 ? MESH_TRIANGLE : MESH_TETRA] == info->n_cells &&
         info->n_cells > 0;
}

static int mesh_command(cli_call *call) {
  ew_status status = EW_OK;
  ew_error err = {0};
  mesh *m = NULL;
  mesh_info *info = NULL;
  if (strcmp(call->argument[0], "info") != 0)
    return cli_fail(call, EW_USAGE, "mesh has no '%s'; it has: info", call->argument[0]);
  EW_CHECK(mesh_read_gmsh(call->argument[1], &m, &err));
  EW_CHECK(mesh_info_create(m, &info, &err));
  mesh_info_print(info, call->out);
  if (has_graph(info)) {
    fe_info graph;
    EW_CHECK(fe_info_create(m, &graph, &err));
    fe_info_print(&graph, call->out);
  }
cleanup:
  mesh_info_destroy(&info);
  mesh_destroy(&m);
  return status == EW_OK ? EW_OK : shell_fail(call, &err);
}

const cli_command COMMAND_MESH = {.name = "mesh",
                                  .arguments = "info FILE.msh",
                                  .summary = "counts, names, extent and quality of a mesh",
                                  .details =
                                      "Quality in the words and with the thresholds of OpenFOAM's checkMesh.",
                                  .least = 2,
                                  .most = 2,
                                  .complete = "file",
                                  .run = mesh_command};
