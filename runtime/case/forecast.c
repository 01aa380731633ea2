/* How much memory a case takes on a device, before any of it is taken. */
#include "case/domain.h"

/* Entries of a place. Directed edges come from Euler's formula: faces are the edges of a mesh in the plane. */
double exec_entries(const dslc_program *p, const exec_domain *d, dslc_place place) {
  double points = 1;
  if (place == DSLC_NOWHERE) return 1;
  if (d->g) {
    bool line = place >= DSLC_XLINE && place <= DSLC_ZLINE;
    for (int a = 0; a < d->g->dim; a++)
      if (!line || a == (int)(place - DSLC_XLINE)) points *= d->g->axis[a].n + 2.0 * p->space.halo;
    return points;
  }
  const mesh *m = d->m;
  switch (place) {
  case DSLC_CELLS: return (double)m->n_cells + m->n_ghosts;
  case DSLC_NODES: return m->n_nodes;
  case DSLC_EDGES: return 2.0 * (m->dim == 2 ? m->n_faces : (double)m->n_nodes + m->n_faces - m->n_cells);
  default: return m->n_faces;
  }
}

double exec_forecast(const dslc_program *p, const exec_domain *d) {
  double bytes = 0;
  for (int i = 0; i < p->execution.n_buffers; i++) {
    const dslc_buffer *b = &p->execution.buffer[i];
    bool small =
        b->kind == DSLC_BUFFER_ALIAS || b->kind == DSLC_BUFFER_ARGUMENT || b->kind == DSLC_BUFFER_PARTIALS;
    if (!small) bytes += b->width * exec_entries(p, d, b->place) * (double)exec_element_size(b->element);
  }
  return bytes;
}
