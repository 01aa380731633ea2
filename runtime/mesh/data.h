/* Values that a mesh file gives by name, taken where a field lives: data of nodes as it is at nodes, as the mean of the corners in cells
 * and at faces; data of elements as it is in cells, nowhere else. */
#ifndef EW_MESH_DATA_H
#define EW_MESH_DATA_H

#include "mesh/mesh.h"

typedef enum mesh_place { MESH_AT_NODES, MESH_AT_FACES, MESH_IN_CELLS, MESH_AT_EDGES } mesh_place;

/* A node, face or cell. */
typedef struct mesh_entity {
  mesh_place place;
  int32_t at;
} mesh_entity;

/* Which data is meant. */
typedef struct mesh_data_name {
  const char *name;
  bool has_step; /* else there must be but one */
  int step;
} mesh_data_name;

/* The one data of this name. Errors: EW_INPUT with what there is instead. */
ew_status mesh_data_find(const mesh *m, const mesh_data_name *wanted, const mesh_data **out, ew_error *err);

/* Components that a field has which takes them: those of a plane mesh leave z out. */
int mesh_data_components(const mesh *m, const mesh_data *d);

/* The value at a node, face or cell, out [mesh_data_components]. *missing is -1, or the node or cell without a value that was needed: `out`
 * is not set then. Errors: EW_INPUT where the data cannot be had at such a place, or goes along z in a plane mesh. */
ew_status mesh_data_take(const mesh *m, const mesh_data *d, mesh_entity entity, double *out, int32_t *missing,
                         ew_error *err);

#endif
