/* Parts of a mesh by name, as formulas ask for them: a given field region(NAME) at cells is 1 in the cells of that group of the mesh,
 * outside(NAME,NAME) is 1 in those of none of the groups, patch(NAME) at faces is 1 on that part of the boundary, distance_to(NAME,NAME) at cells and nodes is the distance to the nearest of
 * these parts [m]. The mesh knows them, not the case. */
#ifndef EW_FIELDS_PARTS_H
#define EW_FIELDS_PARTS_H

#include <stdbool.h>
#include <stddef.h>

#include "dslc.h"
#include "fe/fe.h"
#include "mesh/mesh.h"

enum { EXEC_PART_NAME = 512 };

/* Is the field such a part, or the distance to some, and of which name or names, as the scheme has them? */
bool exec_part_of_mesh(const dslc_field *f, char name[EXEC_PART_NAME]);
/* The first of a list of such names, which are parted by commas and may stand in quotes; returns what follows it, NULL: none was left. */
const char *exec_next_part(const char *list, char name[EXEC_PART_NAME]);
/* Has the mesh all of them? Else `name` becomes the first that it has not. */
bool exec_has_part(const mesh *m, const dslc_field *f, char name[EXEC_PART_NAME]);
/* A field that is such a part, of that name, and where it is asked for. */
typedef struct exec_part {
  const mesh *m;
  const fe_space *fe; /* for fields at nodes */
  const dslc_field *f;
  const char *name;
} exec_part;

/* Writes the values of all cells, faces or nodes, `width` apart. Errors: memory. */
ew_status exec_part_fill(const exec_part *part, size_t width, double *values, ew_error *err);

#endif
