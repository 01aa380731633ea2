/* Parts of a mesh by name, as formulas ask for them: a given field region(NAME) at cells is 1 in the cells of that group of the mesh,
 * patch(NAME) at faces is 1 on that part of the boundary. The mesh knows them, not the case. */
#ifndef EW_FIELDS_PARTS_H
#define EW_FIELDS_PARTS_H

#include <stdbool.h>
#include <stddef.h>

#include "dslc.h"
#include "mesh/mesh.h"

enum { EXEC_PART_NAME = 128 };

/* Is the field such a part, and of which name? */
bool exec_part_of_mesh(const dslc_field *f, char name[EXEC_PART_NAME]);
bool exec_has_part(const mesh *m, const dslc_field *f, const char *name);
/* Writes 1 and 0 for all cells or faces, `width` apart. */
void exec_part_fill(const mesh *m, const dslc_field *f, const char *name, size_t width, double *values);

#endif
