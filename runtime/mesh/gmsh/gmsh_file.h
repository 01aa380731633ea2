/* What the sections of a Gmsh file hold, as read. Internal to the Gmsh reader. */
#ifndef EW_MESH_GMSH_FILE_H
#define EW_MESH_GMSH_FILE_H

#include "mesh/build.h"
#include "mesh/gmsh/gmsh_cursor.h"

typedef enum gmsh_version { GMSH_2, GMSH_40, GMSH_41 } gmsh_version;

typedef struct gmsh_group {
  int dim;
  int32_t tag;
  char *name;
} gmsh_group;

/* A geometrical entity and the first two physical groups it lies in (0: none). */
typedef struct gmsh_entity {
  int dim;
  int32_t tag, group, second_group;
} gmsh_entity;

typedef struct gmsh_nodes {
  bool read;
  size_t n, capacity_x, capacity_tag, capacity_where;
  double *x;      /* [3 * n] */
  int64_t *tag;   /* [n] */
  int64_t *where; /* [n] for messages */
  /* From tag to index: a table when the tags are dense, otherwise sorted pairs. */
  int64_t first_tag, table_size;
  node_id *table; /* [table_size] -1 where there is no node */
  struct gmsh_tag *sorted;
} gmsh_nodes;

typedef struct gmsh_element {
  int64_t tag, where;
  int32_t group, second_group;
  int32_t type; /* Gmsh's number */
} gmsh_element;

/* All elements of one dimension. */
typedef struct gmsh_elements {
  size_t n, capacity, n_nodes, capacity_nodes;
  gmsh_element *element;
  node_id *node; /* indices into gmsh_nodes, element after element */
} gmsh_elements;

/* One section of values by tag, as it stands. */
typedef struct gmsh_data {
  char *name;
  bool at_nodes; /* else at elements */
  int step, components;
  size_t n;
  int64_t *tag;  /* [n] */
  double *value; /* [n * components] */
  int64_t where; /* for messages */
} gmsh_data;

typedef struct gmsh_file {
  gmsh_cursor cursor;
  gmsh_version version;
  bool has_format, has_elements;
  size_t n_groups, capacity_groups;
  gmsh_group *group;
  size_t n_entities, capacity_entities;
  gmsh_entity *entity; /* sorted by (dim, tag) before elements are read */
  gmsh_nodes nodes;
  gmsh_elements elements[4]; /* by dimension; points are not kept */
  size_t n_data, capacity_data;
  gmsh_data *data;
} gmsh_file;

/* An element type of first order; cell_type is -1 for points and lines. */
typedef struct gmsh_type {
  int dim, n_nodes, cell_type;
  const char *name;
} gmsh_type;

/* NULL for types the reader does not know; gmsh_type_name names those of higher order, or returns NULL. */
const gmsh_type *gmsh_type_of(int64_t number);
const char *gmsh_higher_order_name(int64_t number);

/* One function a section; the cursor stands behind the line with the section's name. */
ew_status gmsh_read_format(gmsh_file *f);
ew_status gmsh_read_names(gmsh_file *f);
ew_status gmsh_read_entities(gmsh_file *f);
ew_status gmsh_read_partitioned_entities(gmsh_file *f);
ew_status gmsh_read_nodes(gmsh_file *f);
ew_status gmsh_read_elements(gmsh_file *f);
ew_status gmsh_read_node_data(gmsh_file *f);
ew_status gmsh_read_element_data(gmsh_file *f);

/* Data in the order of the mesh; node_number [nodes.n]: the mesh's number of a node of the file, -1 if no cell uses it. */
ew_status gmsh_place_data(const gmsh_file *f, const node_id *node_number, mesh *m);
void gmsh_data_free(gmsh_data *d);

/* NULL if the file lists no such entity. */
const gmsh_entity *gmsh_find_entity(const gmsh_file *f, int dim, int64_t tag);
void gmsh_sort_entities(gmsh_file *f);

/* The index of a node, -1 if there is none with this tag. */
node_id gmsh_find_node(const gmsh_nodes *nodes, int64_t tag);
void gmsh_nodes_free(gmsh_nodes *nodes);

/* The mesh of everything read. */
ew_status gmsh_assemble(gmsh_file *f, mesh **out);

#endif
