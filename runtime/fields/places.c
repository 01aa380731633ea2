#include <stdlib.h>
#include <string.h>

#include "fields/on_grid.h"
#include "fields/on_nodes.h"

enum { STRIDE_MULTIPLE = 32 };

exec_place exec_place_of(int32_t owned, int32_t all) {
  int32_t stride = (all + STRIDE_MULTIPLE - 1) / STRIDE_MULTIPLE * STRIDE_MULTIPLE;
  return (exec_place){owned, all, stride > 0 ? stride : STRIDE_MULTIPLE};
}

static ew_status check_places(const dslc_program *p, ew_error *err) {
  for (int b = 0; b < p->execution.n_buffers; b++)
    if (p->execution.buffer[b].place > DSLC_EDGES)
      return ew_fail(
          err, EW_INPUT,
          "scheme '%s' has quantities on a structured grid ('%s'): this version runs schemes on meshes",
          p->identity.scheme, p->execution.buffer[b].name);
  return EW_OK;
}

static int find_rule(const dslc_program *p, const char *name) {
  for (int r = 0; r < p->model.n_rules; r++)
    if (strcmp(p->model.rule[r].name, name) == 0) return r;
  return -1;
}

/* exec_prepare_mesh laid the patches of a rule side by side; here that is verified. */
static ew_status add_patch(exec_run *run, int rule, const char *name, ew_error *err) {
  int p = mesh_find_patch(run->m, name);
  if (p < 0) return ew_fail(err, EW_INPUT, "the mesh has no boundary \"%s\"", name);
  const mesh_patch *patch = &run->m->patch[p];
  exec_range *r = &run->points.rule[rule];
  if (patch->count == 0) return EW_OK;
  if (r->count == 0) *r = (exec_range){patch->first, patch->count};
  else if (patch->first == r->first + r->count) r->count += patch->count;
  else
    return ew_fail(err, EW_INTERNAL,
                   "the faces of boundary rule '%s' are not contiguous: exec_prepare_mesh was not called",
                   run->program->model.rule[rule].name);
  return EW_OK;
}

static ew_status find_rules(exec_run *run, ew_error *err) {
  const ew_case *c = run->c;
  for (int b = 0; b < c->n_boundaries; b++) {
    int rule = find_rule(run->program, c->boundary[b].rule);
    if (rule < 0)
      return ew_fail(err, EW_INPUT, "scheme '%s' has no boundary rule '%s'", run->program->identity.scheme,
                     c->boundary[b].rule);
    for (int i = 0; i < c->boundary[b].n_names; i++) {
      ew_status status = add_patch(run, rule, c->boundary[b].name[i], err);
      if (status != EW_OK) return status;
    }
  }
  return EW_OK;
}

/* Periodic faces are treated like interior ones: they follow them. */
static ew_status count_inside(exec_run *run, ew_error *err) {
  const mesh *m = run->m;
  int32_t n = m->n_interior;
  while (n < m->n_faces && m->ghost_source[n - m->n_interior] >= 0) n++;
  for (int32_t f = n; f < m->n_faces; f++)
    if (m->ghost_source[f - m->n_interior] >= 0)
      return ew_fail(err, EW_INTERNAL, "periodic faces do not come first: exec_prepare_mesh was not called");
  run->points.n_inside = n;
  return EW_OK;
}

static ew_status find_inside_cells(exec_run *run, ew_error *err) {
  const mesh *m = run->m;
  int32_t all = m->n_cells + m->n_ghosts;
  run->points.inside = malloc(((size_t)all + 1) * sizeof *run->points.inside);
  if (!run->points.inside) return ew_fail(err, EW_FAIL, "out of memory for %d cells", all);
  for (int32_t i = 0; i < m->n_cells; i++) run->points.inside[i] = i;
  for (int32_t g = 0; g < m->n_ghosts; g++) {
    cell_id source = m->ghost_source[g];
    run->points.inside[m->n_cells + g] = source >= 0 ? source : m->face_left[m->n_interior + g];
  }
  return EW_OK;
}

static ew_status make_pieces(exec_run *run, ew_error *err) {
  const dslc_patch *p = &run->program->space.patch;
  return mesh_pieces_create(run->m, (mesh_piece_limits){p->cells, p->ring, p->faces}, &run->points.pieces,
                            err);
}

static bool launches_over(const dslc_program *p, dslc_subset subset) {
  for (int s = 0; s < p->execution.n_sections; s++)
    for (int i = 0; i < p->execution.section[s].n_ops; i++)
      if (p->execution.section[s].op[i].kind == DSLC_OP_LAUNCH &&
          p->execution.section[s].op[i].subset == subset)
        return true;
  return false;
}

ew_status exec_places_create(exec_run *run, ew_error *err) {
  ew_status status = EW_OK;
  const mesh *m = run->m;
  if (run->program->space.on_grid != (run->g != NULL))
    return ew_fail(err, EW_INPUT, "scheme '%s' runs on a %s, the case gives a %s",
                   run->program->identity.scheme, run->program->space.on_grid ? "grid" : "mesh",
                   exec_domain_word(&run->domain));
  if (run->g) {
    grid_hash(run->g, run->mesh_hash);
    return exec_grid_create(run, err);
  }
  exec_hash_mesh(m, run->mesh_hash);
  EW_CHECK(check_places(run->program, err));
  run->points.place[DSLC_NOWHERE] = exec_place_of(1, 1);
  run->points.place[DSLC_CELLS] = exec_place_of(m->n_cells, m->n_cells + m->n_ghosts);
  run->points.place[DSLC_FACES] = exec_place_of(m->n_faces, m->n_faces);
  run->points.rule = calloc((size_t)run->program->model.n_rules + 1, sizeof *run->points.rule);
  if (!run->points.rule) EXEC_LEAVE(err, EW_FAIL, "out of memory for boundary rules");
  EW_CHECK(find_rules(run, err));
  EW_CHECK(count_inside(run, err));
  EW_CHECK(find_inside_cells(run, err));
  if (run->program->space.patch.cells > 0) EW_CHECK(make_pieces(run, err));
  if (launches_over(run->program, DSLC_COLOUR)) EW_CHECK(exec_colours_create(run, err));
  if (launches_over(run->program, DSLC_RIM) || launches_over(run->program, DSLC_WIDE_RIM))
    EW_CHECK(exec_rim_create(run, err));
  EW_CHECK(exec_nodes_create(run, err));
cleanup:
  return status;
}

void exec_places_destroy(exec_run *run) {
  exec_grid_destroy(run);
  exec_nodes_destroy(run);
  free(run->points.rule);
  mesh_pieces_destroy(&run->points.pieces);
  free(run->points.inside);
  free(run->points.colours.start);
  free(run->points.colours.face);
  free(run->points.rim.cell);
}

/* The points of a kernel over a grid, along all of its axes. */
static int32_t grid_points_of(const grid *g) {
  int32_t n = 1;
  for (int d = 0; d < g->dim; d++) n *= grid_points(g, d);
  return n;
}

exec_range exec_items(const exec_run *run, const dslc_op *op, int part) {
  if (run->program->execution.kernel[op->kernel].grid > 0 && run->g)
    return (exec_range){0, grid_points_of(run->g)};
  switch (op->subset) {
  case DSLC_INTERIOR: return (exec_range){0, run->points.n_inside};
  case DSLC_RULE: return run->points.rule[op->rule];
  case DSLC_BOUNDARY: return (exec_range){run->m->n_interior, run->m->n_faces - run->m->n_interior};
  case DSLC_RIM: return (exec_range){0, run->points.rim.n};
  case DSLC_WIDE_RIM: return (exec_range){0, run->points.rim.wide};
  case DSLC_COLOUR:
    return (exec_range){run->points.colours.start[part],
                        run->points.colours.start[part + 1] - run->points.colours.start[part]};
  case DSLC_HOLD: {
    const int32_t *layer = run->nodes.hold[op->rule]->layer;
    return (exec_range){layer[part], layer[part + 1] - layer[part]};
  }
  case DSLC_OWNED: break;
  }
  return (exec_range){0, run->points.place[run->program->execution.kernel[op->kernel].place].owned};
}

int32_t exec_groups(const exec_run *run, const dslc_op *op) {
  const dslc_kernel *k = &run->program->execution.kernel[op->kernel];
  int32_t local = k->local_size > 0 ? k->local_size : 1;
  if (k->one_group) return 1;
  if (k->patches && run->points.pieces) return run->points.pieces->n;
  if (k->grid > 0 && run->g) {
    unsigned dims;
    uint64_t global[3];
    size_t local_nd[3];
    return exec_grid_range(run, k, &dims, global, local_nd);
  }
  return (exec_items(run, op, 0).count + local - 1) / local;
}
