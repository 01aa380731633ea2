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

/* Along a periodic axis an odd number of blocks brings two of the same diagonal together: a strip of the pattern "right", too narrow to raise
 * the mean, which spoils the order all the same. */
static void seam_note(const ew_case *c, FILE *out) {
  char where[512];
  const mesh_rectangle_options *o = &c->mesh.rectangle;
  if (c->mesh.kind != CASE_MESH_RECTANGLE || o->kind != MESH_SIMPLICES ||
      o->diagonal != MESH_DIAGONAL_ALTERNATING)
    return;
  const bool x = o->periodic_x && o->nx % 2, y = o->periodic_y && o->ny % 2;
  if (!x && !y) return;
  fprintf(
      out,
      "%swarning: the pattern \"alternating\" does not alternate where the mesh continues at its other side, "
      "as %s%s%s: a "
      "difference over `distance` is not consistent there: take even numbers of blocks along periodic axes\n",
      exec_where(c->mesh.at, where, sizeof where), x ? "nx is odd" : "", x && y ? ", and " : "",
      y ? "ny is odd" : "");
}

void exec_distance_note(const ew_case *c, const exec_domain *d, const dslc_program *p, FILE *out) {
  char where[512], point[96];
  mesh_quality q = {0};
  if (!d->m || !p->space.by_distance) return;
  seam_note(c, out);
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
