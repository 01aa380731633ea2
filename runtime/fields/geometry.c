#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "fields/on_grid.h"
#include "fields/on_nodes.h"

/* ---- geometry: double ------------------------------------------------------------------------------------------ */

/* Width 1: the entities' values are computed into `out`; else the mesh's own array is returned. */
static double *sizes(const mesh *m, double *out) {
  for (int32_t i = 0; i < m->n_cells + m->n_ghosts; i++)
    out[i] = m->dim == 2 ? sqrt(m->cell_volume[i]) : cbrt(m->cell_volume[i]);
  return out;
}

/* Between the centres on both sides: behind a boundary that is the mirror image's. */
static double *distances(const mesh *m, double *out) {
  for (face_id f = 0; f < m->n_faces; f++) {
    const double *a = m->cell_centre + (size_t)m->face_left[f] * (size_t)m->dim;
    const double *b = m->cell_centre + (size_t)m->face_right[f] * (size_t)m->dim;
    double sum = 0;
    for (int d = 0; d < m->dim; d++) sum += (b[d] - a[d]) * (b[d] - a[d]);
    out[f] = sqrt(sum);
  }
  return out;
}

/* A face of a periodic side is there twice. */
static double *shares(const mesh *m, double *out) {
  for (face_id f = 0; f < m->n_faces; f++)
    out[f] = f >= m->n_interior && m->ghost_source[f - m->n_interior] >= 0 ? 0.5 : 1;
  return out;
}

static const double *cell_values(const mesh *m, dslc_source_kind kind, double *room) {
  switch (kind) {
  case DSLC_SOURCE_VOLUME: return m->cell_volume;
  case DSLC_SOURCE_CENTRE: return m->cell_centre;
  case DSLC_SOURCE_SIZE: return sizes(m, room);
  default: return NULL;
  }
}

static const double *face_values(const mesh *m, dslc_source_kind kind, double *room) {
  switch (kind) {
  case DSLC_SOURCE_AREA: return m->face_area;
  case DSLC_SOURCE_NORMAL: return m->face_normal;
  case DSLC_SOURCE_CENTRE: return m->face_centre;
  case DSLC_SOURCE_DISTANCE: return distances(m, room);
  case DSLC_SOURCE_SHARE: return shares(m, room);
  default: return NULL;
  }
}

const double *exec_mesh_geometry(const mesh *m, dslc_place place, dslc_source_kind kind, double *room) {
  if (place == DSLC_CELLS) return cell_values(m, kind, room);
  return place == DSLC_FACES ? face_values(m, kind, room) : NULL;
}

static ew_status fill_geometry(exec_run *run, int buffer, ew_error *err) {
  const dslc_buffer *b = &run->program->execution.buffer[buffer];
  if (exec_is_nodal(b)) return exec_node_geometry(run, buffer, err);
  int32_t n = run->points.place[b->place].all;
  double *room = malloc(((size_t)n + 1) * sizeof *room);
  if (!room) return ew_fail(err, EW_FAIL, "out of memory for '%s'", b->name);
  const double *values = exec_mesh_geometry(run->m, b->place, b->source.kind, room);
  ew_status status = values ? exec_put(run, buffer, values, n, err)
                            : ew_fail(err, EW_INTERNAL, "the mesh has no geometry '%s' for buffer '%s'",
                                      dslc_source_text(b->source.kind), b->name);
  free(room);
  return status;
}

/* ---- topology: int32 --------------------------------------------------------------------------------------------- */

static int32_t seen_from(const mesh *m, cell_id c, face_id f) { return m->face_left[f] == c ? f : ~f; }

static int32_t row_entry(const exec_run *run, dslc_source_kind kind, cell_id c, int32_t i) {
  if (kind == DSLC_SOURCE_PATCH_SIDE) return run->points.pieces->side[i];
  return kind == DSLC_SOURCE_CELL_FACE ? seen_from(run->m, c, run->m->sides.face[i])
                                       : run->m->sides.across[i];
}

static void fill_rows(const exec_run *run, dslc_source_kind kind, int32_t *out) {
  const mesh *m = run->m;
  int32_t stride = run->points.place[DSLC_CELLS].stride;
  for (cell_id c = 0; c < m->n_cells; c++)
    for (int32_t i = m->sides.start[c]; i < m->sides.start[c + 1]; i++) {
      size_t k = (size_t)(i - m->sides.start[c]);
      size_t at = run->program->space.faces_per_cell ? k * (size_t)stride + (size_t)c : (size_t)i;
      out[at] = row_entry(run, kind, c, i);
    }
}

/* As many entries as the buffer has, see piece_entries in buffers.c. */
static bool piece_values(const mesh_pieces *p, dslc_source_kind kind, int32_t *out) {
  if (!p) return false;
  const int32_t *last = p->start + (size_t)p->n * MESH_PIECE_WIDTH;
  const size_t faces = (size_t)last[MESH_PIECE_FACE] * sizeof *out;
  switch (kind) {
  case DSLC_SOURCE_PATCH_START:
    memcpy(out, p->start, ((size_t)p->n + 1) * MESH_PIECE_WIDTH * sizeof *out);
    return true;
  case DSLC_SOURCE_PATCH_RING: memcpy(out, p->ring, (size_t)last[MESH_PIECE_RING] * sizeof *out); return true;
  case DSLC_SOURCE_PATCH_FACE: memcpy(out, p->face, faces); return true;
  case DSLC_SOURCE_PATCH_ENDS: memcpy(out, p->ends, faces); return true;
  default: return false;
  }
}

static bool topology_values(const exec_run *run, const dslc_buffer *b, int32_t *out, ew_error *err) {
  const mesh *m = run->m;
  size_t faces = (size_t)m->n_faces * sizeof *out;
  if (exec_is_nodal(b)) return exec_node_topology(run, b, out, err);
  switch (b->source.kind) {
  case DSLC_SOURCE_FACE_LEFT: memcpy(out, m->face_left, faces); return true;
  case DSLC_SOURCE_FACE_RIGHT: memcpy(out, m->face_right, faces); return true;
  case DSLC_SOURCE_PATCH_SIDE:
  case DSLC_SOURCE_CELL_FACE:
  case DSLC_SOURCE_CELL_ACROSS: fill_rows(run, b->source.kind, out); return true;
  case DSLC_SOURCE_CELL_START:
    memcpy(out, m->sides.start, ((size_t)m->n_cells + 1) * sizeof *out);
    return true;
  case DSLC_SOURCE_GHOST_CELL: memcpy(out, m->ghost_source, (size_t)m->n_ghosts * sizeof *out); return true;
  case DSLC_SOURCE_COLOUR_FACE:
    if (run->points.colours.face) memcpy(out, run->points.colours.face, faces);
    return true;
  case DSLC_SOURCE_RIM_CELL:
    if (run->points.rim.cell) memcpy(out, run->points.rim.cell, (size_t)m->n_cells * sizeof *out);
    return true;
  default: return piece_values(run->points.pieces, b->source.kind, out);
  }
}

static ew_status fill_topology(exec_run *run, int buffer, ew_error *err) {
  const dslc_buffer *b = &run->program->execution.buffer[buffer];
  uint64_t bytes = dev_buffer_bytes(run->buffer[buffer]);
  int32_t *values = calloc(1, bytes);
  if (!values) return ew_fail(err, EW_FAIL, "out of memory for '%s'", b->name);
  ew_status status = topology_values(run, b, values, err)
                         ? dev_buffer_write(run->buffer[buffer], 0, bytes, values, err)
                         : ew_fail(err, EW_INTERNAL, "the mesh has no topology '%s' for buffer '%s'",
                                   dslc_source_text(b->source.kind), b->name);
  free(values);
  return status;
}

/* Rows of fixed length have no room for a cell with another number of faces. */
static ew_status check_rows(const exec_run *run, ew_error *err) {
  const mesh *m = run->m;
  int per_cell = run->program->space.faces_per_cell;
  for (cell_id c = 0; per_cell && c < m->n_cells; c++)
    if (m->sides.start[c + 1] - m->sides.start[c] != per_cell)
      return ew_fail(
          err, EW_INPUT,
          "the kernels of scheme '%s' are built for cells with %d faces, cell %d of the mesh has %d",
          run->program->identity.scheme, per_cell, m->cell_origin[c],
          m->sides.start[c + 1] - m->sides.start[c]);
  return EW_OK;
}

ew_status exec_geometry_fill(exec_run *run, ew_error *err) {
  ew_status status = EW_OK;
  const dslc_program *p = run->program;
  const mesh *m = run->m;
  if (run->g) return exec_grid_geometry(run, err);
  if (p->space.dims && p->space.dims != m->dim)
    EXEC_LEAVE(err, EW_INPUT, "scheme '%s' is built for %d dimensions, the mesh has %d", p->identity.scheme,
               p->space.dims, m->dim);
  EW_CHECK(check_rows(run, err));
  for (int b = 0; b < p->execution.n_buffers; b++) {
    if (p->execution.buffer[b].kind == DSLC_BUFFER_GEOMETRY) EW_CHECK(fill_geometry(run, b, err));
    if (p->execution.buffer[b].kind == DSLC_BUFFER_TOPOLOGY) EW_CHECK(fill_topology(run, b, err));
  }
  EW_CHECK(dev_buffer_create(run->device, "ghost_source", sizeof(int32_t) * ((size_t)m->n_ghosts + 1),
                             &run->builtin.ghost_source, err));
  EW_CHECK(dev_buffer_write(run->builtin.ghost_source, 0, sizeof(int32_t) * (size_t)m->n_ghosts,
                            m->ghost_source, err));
cleanup:
  return status;
}

/* ---- the mesh's name in checkpoints ------------------------------------------------------------------------------- */

void exec_hash_mesh(const mesh *m, char hash[33]) {
  XXH64_hash_t part[2];
  size_t faces = (size_t)m->n_faces * sizeof(int32_t);
  int32_t counts[] = {m->dim, m->n_nodes, m->n_cells, m->n_ghosts, m->n_faces, m->n_interior};
  for (int i = 0; i < 2; i++) {
    XXH64_hash_t h = XXH64(counts, sizeof counts, (XXH64_hash_t)i);
    h = XXH64(m->node_x, (size_t)m->n_nodes * (size_t)m->dim * sizeof(double), h);
    h = XXH64(m->cell_node, (size_t)m->cell_start[m->n_cells] * sizeof(int32_t), h);
    h = XXH64(m->face_left, faces, h);
    h = XXH64(m->face_right, faces, h);
    part[i] = XXH64(m->ghost_source, (size_t)m->n_ghosts * sizeof(int32_t), h);
  }
  snprintf(hash, 33, "%016llx%016llx", (unsigned long long)part[0], (unsigned long long)part[1]);
}

void exec_hash_order(const int32_t *dof, node_id n, char hash[33]) {
  XXH64_hash_t part[2];
  for (int i = 0; i < 2; i++) {
    part[i] = XXH64(hash, 32, (XXH64_hash_t)i);
    part[i] = XXH64(dof, (size_t)n * sizeof *dof, part[i]);
  }
  snprintf(hash, 33, "%016llx%016llx", (unsigned long long)part[0], (unsigned long long)part[1]);
}
