/* Kernels over patches: a work-group owns some consecutive cells of a mesh, brings what fluxes read at them and at the ring of cells around
 * them into local memory, computes what they sum over their faces once a face, and sums from there. What has a ghost on its other side is
 * computed by kernels over the faces of boundaries, as rules want it, and read by patches. */
#include "schedule/planner.h"

bool patch_can_compute(const planner *pl, const ir_node *n) {
  return n->op == IR_READ && n->read.level == IR_NOW && (n->read.at == IR_AT_OUT || n->read.at == IR_AT_F) &&
         pl->storage[n->read.sym].patch;
}

/* ---- limits --------------------------------------------------------------------------------------------------------- */

/* In a compact piece of a mesh in the order of a space-filling curve a ring has a quarter as many cells as a patch of 128 triangles, and
 * about as many as one of tetrahedra. Where cells lie otherwise, patches have fewer cells. */
dslc_patch patch_limits(const planner *pl) {
  enum { LEAST_RING = 32 };
  const int group = pl->in->schedule->group, dims = pl->from->dims;
  const int fixed = pl->in->options->faces_per_cell, sides = fixed ? fixed : dims == 3 ? 6 : 4;
  dslc_patch l = {.cells = group, .ring = dims == 3 ? group : group / 2};
  if (l.ring < LEAST_RING) l.ring = LEAST_RING;
  l.faces = (sides * group + l.ring + l.ring / 2) / 2;
  if (l.faces < 2 * LEAST_RING) l.faces = 2 * LEAST_RING;
  return l;
}

typedef struct patch_need {
  planner *pl;
  plan_kernel *k;
  VEC(ir_node) cell; /* reads at the cells on both sides, a component once */
  int faces;         /* numbers at each face */
} patch_need;

static bool same_value(const ir_node *a, const ir_node *b) {
  return a->read.sym == b->read.sym && a->read.level == b->read.level && a->read.first == b->read.first;
}

static void note_cells(patch_need *need, ir_id value) {
  const ir_module *m = need->pl->to;
  ir_reached all = ir_reach(m, &value, 1);
  for (int i = 0; i < all.n; i++) {
    const ir_node *n = ir_get(m, all.at[i]);
    bool known = n->op != IR_READ || (n->read.at != IR_AT_L && n->read.at != IR_AT_R);
    for (int k = 0; k < need->cell.n && !known; k++) known = same_value(&need->cell.at[k], n);
    if (!known) vec_push(need->pl->memory, &need->cell, *n);
  }
}

/* Of local memory, for a patch as large as it may be. */
static int bytes_of(const patch_need *need) {
  const dslc_patch l = patch_limits(need->pl);
  return 8 * (need->cell.n * (l.cells + l.ring) + need->faces * l.faces);
}

/* ---- what a kernel's cells sum ------------------------------------------------------------------------------------------ */

/* Nodes that the kernel's outputs reach: a loop over a cell's faces is the only place for reads at OUT and F. */
static ir_reached nodes_of(planner *pl, const plan_kernel *k) {
  VEC(ir_id) roots = {0};
  for (int i = 0; i < k->output.n; i++)
    if (k->output.at[i].value) vec_push(pl->memory, &roots, k->output.at[i].value);
  return ir_reach(pl->to, roots.at, roots.n);
}

static bool is_asked(const planner *pl, const ir_node *n) {
  return patch_can_compute(pl, n) && !pl->now[n->read.sym].valid;
}

static void add_face(patch_need *need, int buffer, int component, ir_id value) {
  for (int i = 0; i < need->k->output.n; i++) {
    const plan_output *o = &need->k->output.at[i];
    if (o->kind == PLAN_FACE && o->buffer == buffer && o->component == component) return;
  }
  kernel_output(need->pl, need->k, PLAN_FACE, buffer, component, value);
  need->faces++;
  note_cells(need, value);
}

/* What a loop reads of its face: computed there, or read, once for both cells. Of a fluctuation a patch may hold both cells. */
static void add_read(patch_need *need, expander *x, const ir_node *n) {
  planner *pl = need->pl;
  const ir_symbol q = *ir_symbol_get(pl->from, n->read.sym);
  const int buffer = buffer_of(pl, n->read.sym, (ir_level)n->read.level);
  const int parts = q.is_fluctuation && n->read.at == IR_AT_OUT ? 2 : 1;
  for (int part = 0; part < parts; part++) {
    ir_node at_face = *n;
    at_face.read.at = IR_AT_HERE;
    at_face.read.first = (uint8_t)(n->read.first + part * q.type.n);
    ir_id value = is_asked(pl, n) ? expand_own(x, n->read.sym, part, n->read.first)
                                  : ir_rebuild(pl->to, &at_face, NULL);
    add_face(need, buffer, pl->plan->location[n->read.sym].first + at_face.read.first, value);
  }
}

/* How many there are, or how many of them are not made at boundaries. */
static int count_asked(planner *pl, const plan_kernel *k, bool unmade) {
  ir_reached all = nodes_of(pl, k);
  int count = 0;
  for (int i = 0; i < all.n; i++) {
    const ir_node *n = ir_get(pl->to, all.at[i]);
    count += is_asked(pl, n) && !(unmade && pl->now[n->read.sym].at_boundary);
  }
  return count;
}

/* Of the kernel as it is: its loops' reads at faces. */
static void add_faces(patch_need *need) {
  planner *pl = need->pl;
  expander x = expander_create(pl);
  x.stage = pl->shared.stage;
  ir_reached all = nodes_of(pl, need->k);
  for (int i = 0; i < all.n; i++) {
    const ir_node n = *ir_get(pl->to, all.at[i]);
    if (n.op == IR_READ && (n.read.at == IR_AT_OUT || n.read.at == IR_AT_F)) add_read(need, &x, &n);
  }
}

static void store_instead(planner *pl, const plan_kernel *k, const char *why) {
  ir_reached all = nodes_of(pl, k);
  for (int i = 0; i < all.n; i++) {
    const ir_node n = *ir_get(pl->to, all.at[i]);
    if (!is_asked(pl, &n)) continue;
    note(pl, ir_symbol_get(pl->to, n.read.sym)->text, "stored for %s, %s", k->text, why);
    demand_symbol(pl, n.read.sym);
  }
}

void patch_kernel(planner *pl, plan_kernel *k, dslc_subset subset) {
  if (k->place == IR_NOWHERE || count_asked(pl, k, false) == 0)
    return; /* what finishes reductions reads none */
  if (k->place != IR_CELLS || subset != DSLC_OWNED || count_asked(pl, k, true) > 0) {
    store_instead(pl, k, "which is not over all cells");
    return;
  }
  plan_kernel with = *k;
  with.output.at = arena_array(pl->memory, plan_output, k->output.n + 1);
  for (int i = 0; i < k->output.n; i++) with.output.at[i] = k->output.at[i];
  with.output.cap = k->output.n;
  patch_need need = {.pl = pl, .k = &with};
  add_faces(&need);
  const int bytes = bytes_of(&need), most = pl->in->schedule->grid.local_bytes;
  if (bytes > most) {
    store_instead(
        pl, k,
        arena_printf(pl->memory, "as a patch would take %d bytes of local memory, not %d", bytes, most));
    return;
  }
  note(pl, k->text, "a patch keeps %d numbers at each of its cells and %d at each face, %d bytes at most",
       need.cell.n, need.faces, bytes);
  with.patches = pl->mesh.patches = true;
  *k = with;
}

/* ---- what an update reads --------------------------------------------------------------------------------------------- */

bool patch_reads_state(planner *pl, ir_id id, ir_sym state) {
  const ir_node n = *ir_get(pl->to, id);
  return patch_can_compute(pl, &n) && depends_on(pl->dependence, n.read.sym, state);
}
