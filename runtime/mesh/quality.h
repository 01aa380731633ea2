/* Measures of quality with the definitions of OpenFOAM's primitiveMeshTools. Internal to runtime/mesh. */
#ifndef EW_MESH_QUALITY_H
#define EW_MESH_QUALITY_H

#include "mesh/mesh.h"

/* Largest over smallest of the cell's projected areas along the axes; in 3D at least surface over 6 V^(2/3).
 */
double mesh_aspect_ratio(const mesh *m, cell_id c);

/* Degrees between an interior face's normal and the line through its cells' centres. */
double mesh_non_orthogonality(const mesh *m, face_id f);

/* How far from a face's centre the line through its cells' centres (on the boundary: the foot of the cell's
 * centre) meets the face's plane, over the face's reach in that direction. */
double mesh_skewness(const mesh *m, face_id f);

#endif
