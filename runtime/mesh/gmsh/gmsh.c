#include "mesh/gmsh/gmsh.h"

#include <stdlib.h>
#include <string.h>

#include "mesh/gmsh/gmsh_file.h"
#include "mesh/load.h"

static void file_free(gmsh_file *f) {
  for (size_t i = 0; i < f->n_groups; i++) free(f->group[i].name);
  for (size_t i = 0; i < f->n_data; i++) gmsh_data_free(&f->data[i]);
  free(f->group);
  free(f->data);
  free(f->entity);
  gmsh_nodes_free(&f->nodes);
  for (int dim = 0; dim < 4; dim++) {
    free(f->elements[dim].element);
    free(f->elements[dim].node);
  }
}

typedef struct section {
  const char *name;
  ew_status (*read)(gmsh_file *f);
} section;

static const section sections[] = {
    {"MeshFormat", gmsh_read_format},  {"PhysicalNames", gmsh_read_names},
    {"Entities", gmsh_read_entities},  {"PartitionedEntities", gmsh_read_partitioned_entities},
    {"Nodes", gmsh_read_nodes},        {"Elements", gmsh_read_elements},
    {"NodeData", gmsh_read_node_data}, {"ElementData", gmsh_read_element_data},
};

static ew_status read_section(gmsh_file *f, const char *name) {
  if (!strcmp(name, "NOD"))
    return gmsh_fail(&f->cursor, "Gmsh's format 1 is not read; save as 2.2, 4.0 or 4.1 (gmsh -format msh41)");
  if (!strcmp(name, "ParametricNodes"))
    return gmsh_fail(&f->cursor,
                     "$ParametricNodes are not read; save without them (Mesh.SaveParametric = 0)");
  for (size_t i = 0; i < sizeof sections / sizeof *sections; i++) {
    if (strcmp(name, sections[i].name) != 0) continue;
    if (i > 0 && !f->has_format) return gmsh_fail(&f->cursor, "$%s comes before $MeshFormat", name);
    return sections[i].read(f);
  }
  return gmsh_skip_section(&f->cursor, name);
}

static ew_status read_sections(gmsh_file *f) {
  ew_status status = EW_OK;
  char name[64];
  bool found;
  if (!gmsh_left(&f->cursor)) return gmsh_fail(&f->cursor, "the file is empty");
  for (;;) {
    EW_CHECK(gmsh_next_section(&f->cursor, name, sizeof name, &found));
    if (!found) break;
    EW_CHECK(read_section(f, name));
  }
  if (!f->has_format) return gmsh_fail(&f->cursor, "no $MeshFormat: this is not a Gmsh mesh (.msh)");
  if (!f->has_elements) return gmsh_fail(&f->cursor, "no $Elements: is the file truncated?");
cleanup:
  return status;
}

ew_status mesh_read_gmsh_memory(const void *bytes, size_t size, const char *name, mesh **out, ew_error *err) {
  ew_status status = EW_OK;
  ew_error ignored;
  const char *begin = size ? bytes : "";
  gmsh_file f = {.cursor = {.name = name, .begin = begin, .at = begin, .end = begin + size, .line = 1}};
  f.cursor.err = err ? err : &ignored;
  *out = NULL;
  EW_CHECK(read_sections(&f));
  EW_CHECK(gmsh_assemble(&f, out));
cleanup:
  file_free(&f);
  return status;
}

ew_status mesh_read_gmsh(const char *path, mesh **out, ew_error *err) {
  ew_status status = EW_OK;
  char *bytes = NULL;
  size_t size;
  *out = NULL;
  EW_CHECK(mesh_load_file(path, &bytes, &size, err));
  EW_CHECK(mesh_read_gmsh_memory(bytes, size, path, out, err));
cleanup:
  free(bytes);
  return status;
}
