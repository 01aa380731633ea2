#include "mesh/info.h"

#include <math.h>
#include <string.h>

static void print_counts(const mesh_info *i, FILE *out) {
  fprintf(out, "Mesh stats (%dD)\n", i->dim);
  fprintf(out, "    nodes:            %d\n    faces:            %d\n    internal faces:   %d\n", i->n_nodes,
          i->n_faces, i->n_interior);
  fprintf(out, "    cells:            %d\n", i->n_cells);
  for (int t = 0; t < MESH_N_CELL_TYPES; t++)
    if (i->n_cells_of_type[t])
      fprintf(out, "        %s:%*s%d\n", mesh_shape_of(t)->plural,
              (int)(13 - strlen(mesh_shape_of(t)->plural)), "", i->n_cells_of_type[t]);
  fprintf(out, "    boundary patches: %d\n    bandwidth:        %d\n", i->n_patches, i->bandwidth);
}

static int widest_name(const mesh_info *i) {
  size_t widest = 8;
  for (int p = 0; p < i->n_patches; p++)
    if (strlen(i->patch[p].name) > widest) widest = strlen(i->patch[p].name);
  for (int r = 0; r < i->n_regions; r++)
    if (strlen(i->region[r].name) > widest) widest = strlen(i->region[r].name);
  return (int)widest;
}

static void print_names(const mesh_info *i, FILE *out) {
  int width = widest_name(i);
  fprintf(out, "\n    %-*s %10s  %s\n", width, "Patch", "Faces", i->dim == 2 ? "Length" : "Area");
  for (int p = 0; p < i->n_patches; p++)
    fprintf(out, "    %-*s %10d  %.6g%s\n", width, i->patch[p].name, i->patch[p].n_faces, i->patch[p].area,
            i->patch[p].periodic ? "  (periodic)" : "");
  if (!i->n_regions) return;
  fprintf(out, "\n    %-*s %10s  %s\n", width, "Region", "Cells", i->dim == 2 ? "Area" : "Volume");
  for (int r = 0; r < i->n_regions; r++)
    fprintf(out, "    %-*s %10d  %.6g\n", width, i->region[r].name, i->region[r].n_cells,
            i->region[r].volume);
}

static void print_range(const mesh_data *d, int32_t n, FILE *out) {
  double low = INFINITY, high = -INFINITY;
  for (size_t i = 0; i < (size_t)n * (size_t)d->components; i++) {
    low = fmin(low, d->value[i]); /* fmin and fmax pass over NaN */
    high = fmax(high, d->value[i]);
  }
  if (low <= high) fprintf(out, "from %.6g to %.6g", low, high);
  else fputs("no values", out);
}

/* What mesh_data "name" may ask for. */
static void print_data(const mesh_info *i, FILE *out) {
  int width = 8;
  for (int k = 0; k < i->n_data; k++)
    if ((int)strlen(i->data[k].name) > width) width = (int)strlen(i->data[k].name);
  if (i->n_data) fprintf(out, "\n    %-*s %10s  Values\n", width, "Data", "At");
  for (int k = 0; k < i->n_data; k++) {
    const mesh_data *d = &i->data[k];
    fprintf(out, "    %-*s %10s  ", width, d->name, d->at_nodes ? "nodes" : "cells");
    if (d->components > 1) fprintf(out, "%d components ", d->components);
    print_range(d, d->at_nodes ? i->n_nodes : i->n_cells, out);
    if (d->step) fprintf(out, ", step %d", d->step);
    if (d->n_missing) fprintf(out, ", none at %d of them", d->n_missing);
    if (d->n_elsewhere) fprintf(out, ", %d elsewhere", d->n_elsewhere);
    fputc('\n', out);
  }
}

/* What was read otherwise than it stands in the file. */
static void print_left_out(const mesh_info *i, FILE *out) {
  if (i->n_left_out || i->odd.n_unused || i->odd.n_turned) fputc('\n', out);
  for (int k = 0; k < i->n_left_out; k++)
    fprintf(out, "    Left out: \"%s\", %s\n", i->left_out[k].name, i->left_out[k].why);
  if (i->odd.n_unused)
    fprintf(out, "    Left out: %d node%s that no cell uses\n", i->odd.n_unused,
            i->odd.n_unused == 1 ? "" : "s");
  if (i->odd.n_turned)
    fprintf(out, "    Turned: %d cell%s whose nodes went the wrong way round\n", i->odd.n_turned,
            i->odd.n_turned == 1 ? "" : "s");
}

static void print_point(const double *x, int dim, FILE *out) {
  for (int d = 0; d < dim; d++) fprintf(out, "%s%.9g", d ? " " : "(", x[d]);
  fputs(")", out);
}

static void print_geometry(const mesh_info *i, FILE *out) {
  fputs("\nChecking geometry...\n    Overall domain bounding box ", out);
  print_point(i->box_min, i->dim, out);
  fputs(" ", out);
  print_point(i->box_max, i->dim, out);
  if (i->odd.n_connected == 1) fputs("\n    Number of regions: 1 (OK).\n", out);
  else
    fprintf(out, "\n   *Number of regions: %d. The mesh has parts that no face connects.\n",
            i->odd.n_connected);
  if (!i->odd.n_twins) return;
  fprintf(out, "   *Boundary nodes at the place of another one: %d, as at ", i->odd.n_twins);
  print_point(i->odd.twin, i->dim, out);
  fputs(". Parts meshed apart?\n     (Gmsh: Coherence or BooleanFragments before meshing, Coherence Mesh "
        "after.)\n",
        out);
}

static void print_quality(const mesh_info *i, FILE *out) {
  bool slender = i->quality.max_aspect_ratio > MESH_WARN_ASPECT_RATIO;
  fprintf(out, "   %cMax aspect ratio = %.6g", slender ? '*' : ' ', i->quality.max_aspect_ratio);
  if (slender)
    fprintf(out, ", more than %g (cell %d).\n", MESH_WARN_ASPECT_RATIO, i->quality.worst_aspect_cell);
  else fputs(" OK.\n", out);
  fprintf(out, "    Minimum face area = %.6g. Maximum face area = %.6g.\n", i->quality.min_area,
          i->quality.max_area);
  fprintf(out, "    Min volume = %.6g. Max volume = %.6g. Total volume = %.9g. Cell volumes OK.\n",
          i->quality.min_volume, i->quality.max_volume, i->quality.total_volume);
  if (i->odd.n_behind)
    fprintf(
        out,
        "   *Cells whose centre lies behind one of their own faces: %d (cell %d). They are far from convex;\n"
        "     distances, gradients and what walls give are poor there.\n",
        i->odd.n_behind, i->odd.behind);
  fprintf(out, "    Mesh non-orthogonality Max: %.6g average: %.6g\n", i->quality.max_non_orthogonality,
          i->quality.mean_non_orthogonality);
  if (i->quality.n_severe_non_orthogonal)
    fprintf(out, "   *Number of severely non-orthogonal (> %g degrees) faces: %d (worst: face %d).\n",
            MESH_WARN_NON_ORTHOGONALITY, i->quality.n_severe_non_orthogonal,
            i->quality.worst_non_orthogonal_face);
  else fputs("    Non-orthogonality check OK.\n", out);
  if (i->quality.n_skewed)
    fprintf(out, "   *Max skewness = %.6g, %d highly skew faces (> %g; worst: face %d).\n",
            i->quality.max_skewness, i->quality.n_skewed, MESH_WARN_SKEWNESS, i->quality.worst_skewed_face);
  else fprintf(out, "    Max skewness = %.6g OK.\n", i->quality.max_skewness);
}

static int failed_checks(const mesh_info *i) {
  return (i->odd.n_connected != 1) + (i->odd.n_twins > 0) + (i->odd.n_behind > 0) +
         (i->quality.max_aspect_ratio > MESH_WARN_ASPECT_RATIO) + (i->quality.n_severe_non_orthogonal > 0) +
         (i->quality.n_skewed > 0);
}

void mesh_info_print(const mesh_info *info, FILE *stream) {
  print_counts(info, stream);
  print_names(info, stream);
  print_data(info, stream);
  print_left_out(info, stream);
  print_geometry(info, stream);
  print_quality(info, stream);
  int failed = failed_checks(info);
  if (failed) fprintf(stream, "\nMesh usable, %d warning%s (marked *).\n", failed, failed == 1 ? "" : "s");
  else fputs("\nMesh OK.\n", stream);
}
