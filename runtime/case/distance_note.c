/* Two-point differences on meshes that are not orthogonal. (p[R] - p[L])/distance is the derivative along the line of centres; where that
 * is not the face's normal, what the flux leaves out is of the order of the gradient itself, so no refinement mends it. A few such faces
 * spoil little, and where the angles have no common direction much cancels: the mean says whether the whole answer is wrong. */
#include <math.h>

#include "case/domain.h"
#include "case/sample.h"
#include "mesh/build.h"
#include "mesh/info.h"

/* Degrees. Triangles in the pattern "right" have 17.7; what Gmsh makes of a plane some 3 to 7, and differences converge there at first order
 * or close to it. */
#define MEAN_ANGLE_THAT_SPOILS 10.0

static const char *remedy(const ew_case *c) {
  if (c->mesh.kind == CASE_MESH_RECTANGLE && c->mesh.rectangle.kind == MESH_SIMPLICES)
    return c->mesh.rectangle.diagonal == MESH_DIAGONAL_RIGHT && c->mesh.rectangle.jitter == 0
               ? "take pattern = \"alternating\" or cells = \"quads\", or reconstruct gradients from all "
                 "faces"
               : "take cells = \"quads\" or less jitter, or reconstruct gradients from all faces";
  if (c->mesh.kind == CASE_MESH_BOX && c->mesh.box.kind == MESH_SIMPLICES)
    return "take cells = \"hexahedra\", or reconstruct gradients from all faces";
  return "take a mesh with smaller angles (`edgewise mesh info` says them), or reconstruct gradients from "
         "all faces";
}

void exec_distance_note(const ew_case *c, const exec_domain *d, const dslc_program *p, FILE *out) {
  char where[512], point[96];
  mesh_quality q = {0};
  if (!d->m || !p->space.by_distance) return;
  mesh_measure_angles(d->m, &q);
  if (q.mean_non_orthogonality < MEAN_ANGLE_THAT_SPOILS) return;
  fprintf(
      out,
      "%swarning: scheme '%s' reads `distance`, and between the cells of this mesh the line of centres is "
      "%.3g degrees off the face's normal on average, %.3g at most, at %s: a difference over `distance` "
      "across such faces is not consistent, the error need not fall "
      "as the mesh is refined: %s\n",
      exec_where(c->mesh.at, where, sizeof where), p->identity.scheme, q.mean_non_orthogonality,
      q.max_non_orthogonality,
      mesh_point_text(d->m->dim, d->m->face_centre + (size_t)d->m->dim * (size_t)q.worst_non_orthogonal_face,
                      point),
      remedy(c));
}
