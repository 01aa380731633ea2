/* Which mesh or grid, and which rule where: drawn by chance. */
#include <string.h>

#include "fields/on_nodes.h"
#include "mesh/random.h"
#include "verify/internal.h"

enum { MOST_RULES = 32 };

/* ---- rules ---------------------------------------------------------------------------------------------------- */

int verify_rules(const dslc_program *p, const char *name[], int most) {
  int n = 0;
  for (int r = 0; r < p->model.n_rules; r++) {
    bool known = false;
    for (int i = 0; i < n; i++) known = known || strcmp(name[i], p->model.rule[r].name) == 0;
    if (!known && n < most) name[n++] = p->model.rule[r].name;
  }
  return n;
}

bool verify_rule_across(const dslc_program *p, const char *name, int axis) {
  for (int r = 0; r < p->model.n_rules; r++)
    if (strcmp(p->model.rule[r].name, name) == 0 &&
        (!p->model.rule[r].axis || p->model.rule[r].axis == "xyz"[axis]))
      return true;
  return false;
}

/* A rule for a side across the axis, -1: none. */
static int draw_rule(const dslc_program *p, int axis, uint64_t *state) {
  const char *name[MOST_RULES];
  int n = verify_rules(p, name, MOST_RULES), fit[MOST_RULES], n_fit = 0;
  for (int r = 0; r < n; r++)
    if (!p->space.on_grid || verify_rule_across(p, name[r], axis)) fit[n_fit++] = r;
  return n_fit ? fit[verify_below(state, n_fit)] : -1;
}

static bool takes_arguments(const dslc_program *p, const char *name) {
  for (int r = 0; r < p->model.n_rules; r++)
    if (strcmp(p->model.rule[r].name, name) == 0 && p->model.rule[r].n_arguments > 0) return true;
  return false;
}

void verify_close_sides(const dslc_program *p, verify_setup *s) {
  const char *name[MOST_RULES];
  const int n = verify_rules(p, name, MOST_RULES);
  for (int side = 0; side < 2 * s->dim; side++)
    for (int r = n - 1; r >= 0; r--)
      if (!takes_arguments(p, name[r]) && (!p->space.on_grid || verify_rule_across(p, name[r], side / 2)))
        s->rule[side] = r;
}

/* One that has a version across every axis, -1: none. */
static int draw_solid_rule(const dslc_program *p, int dim, uint64_t *state) {
  const char *name[MOST_RULES];
  int n = verify_rules(p, name, MOST_RULES), fit[MOST_RULES], n_fit = 0;
  for (int r = 0; r < n; r++) {
    bool all = true;
    for (int a = 0; a < dim; a++) all = all && verify_rule_across(p, name[r], a);
    if (all) fit[n_fit++] = r;
  }
  return n_fit ? fit[verify_below(state, n_fit)] : -1;
}

/* ---- shapes ----------------------------------------------------------------------------------------------------- */

static void draw_size(verify_setup *s, uint64_t *state) {
  static const int least[2][4] = {{0, 0, 3, 2}, {0, 8, 5, 4}}, more[2][4] = {{0, 0, 5, 2}, {0, 12, 7, 4}};
  for (int a = 0; a < 3; a++)
    s->n[a] = a < s->dim ? least[s->on_grid][s->dim] + verify_below(state, more[s->on_grid][s->dim]) : 1;
  s->spacing = verify_uniform(state, 0.6, 1.4);
  s->uneven = verify_below(state, 2);
}

/* Some grids have so many cells that no wall is in reach of some work-groups, and work-groups stand beside each other along both axes. By
 * draws of their own. */
static void widen(verify_setup *s) {
  uint64_t state = random_seed(s->seed + 424242);
  if (!s->on_grid || s->dim != 2 || verify_below(&state, 16)) return;
  for (int a = 0; a < 2; a++) s->n[a] = 16 + verify_below(&state, 24);
}

static bool is_solid(const verify_setup *s, int x, int y, int z) {
  for (int b = 0; b < s->n_solids; b++) {
    const verify_solid *box = &s->solid[b];
    if (x >= box->low[0] && x < box->high[0] && y >= box->low[1] && y < box->high[1] && z >= box->low[2] &&
        z < box->high[2])
      return true;
  }
  return false;
}

static bool leaves_a_cell(const verify_setup *s) {
  for (int z = 0; z < (s->dim > 2 ? s->n[2] : 1); z++)
    for (int y = 0; y < (s->dim > 1 ? s->n[1] : 1); y++)
      for (int x = 0; x < s->n[0]; x++)
        if (!is_solid(s, x, y, z)) return true;
  return false;
}

/* Boxes of cells inside the grid; they may touch its sides and each other, at a face, an edge or a corner. */
static void draw_solids(const dslc_program *p, verify_setup *s, uint64_t *state) {
  s->solid_rule = draw_solid_rule(p, s->dim, state);
  if (!s->on_grid || s->dim == 1 || s->solid_rule < 0 || verify_below(state, 2)) return;
  for (int b = 0; b < VERIFY_SOLIDS && (b == 0 || verify_below(state, 2)); b++) {
    verify_solid *box = &s->solid[s->n_solids++];
    for (int a = 0; a < 3; a++) {
      box->low[a] = a < s->dim ? verify_below(state, s->n[a]) : 0;
      box->high[a] = a < s->dim ? box->low[a] + 1 + verify_below(state, 2) : 1;
      if (box->high[a] > s->n[a]) box->high[a] = s->n[a];
    }
    if (!leaves_a_cell(s)) s->n_solids--;
  }
}

static ew_status draw_sides(const dslc_program *p, verify_setup *s, uint64_t *state, ew_error *err) {
  bool blocks = s->dim == 2 && s->cells == VERIFY_MIXED;
  verify_parts parts;
  verify_find_parts(p, &parts);
  for (int a = 0; a < s->dim; a++) {
    s->periodic[a] = !blocks && verify_below(state, 5) == 0;
    if (parts.named[2 * a] || parts.named[2 * a + 1]) s->periodic[a] = false;
    for (int k = 0; k < 2; k++) {
      s->rule[2 * a + k] = draw_rule(p, a, state);
      if (s->rule[2 * a + k] < 0) s->periodic[a] = true;
    }
    if (s->periodic[a] && !s->on_grid && s->n[a] < 4)
      s->n[a] = 4;                               /* no node meets one neighbour on both sides */
    if (s->periodic[a] && blocks && !s->on_grid) /* a file's mesh */
      return ew_fail(err, EW_INPUT, "scheme '%s' has no boundary rule", p->identity.scheme);
  }
  return EW_OK;
}

/* Also where only a global sums over nodes. */
static bool at_nodes(const dslc_program *p) {
  for (int i = 0; i < p->model.n_fields; i++)
    if (p->model.field[i].place == DSLC_NODES) return true;
  return exec_uses_nodes(p);
}

/* Only a file has the scheme's own names of parts. */
static bool needs_file(const dslc_program *p, const verify_setup *s) {
  return s->dim == 2 && verify_names_parts(p);
}

ew_status verify_draw_setup(const dslc_program *scheme, verify_values values, uint64_t seed,
                            verify_setup *out, ew_error *err) {
  uint64_t state = random_seed(seed);
  bool positive = values == VERIFY_POSITIVE;
  *out =
      (verify_setup){.dim = scheme->space.dims, .on_grid = scheme->space.on_grid, .seed = seed, .steps = 3};
  out->base = positive ? 1 : 0.2;
  out->amplitude = positive ? 0.3 : 0.8;
  out->vectors = positive ? 0.2 : 0.8;
  draw_size(out, &state);
  widen(out);
  bool simplices = at_nodes(scheme);
  out->cells = simplices ? VERIFY_SIMPLICES : (verify_cells)verify_below(&state, 3);
  if (out->dim == 3 && out->cells == VERIFY_MIXED) out->cells = VERIFY_BLOCKS;
  if (needs_file(scheme, out)) out->cells = VERIFY_MIXED, out->all_cut = simplices;
  if (out->dim == 3 && verify_names_parts(scheme))
    return ew_fail(err, EW_INPUT,
                   "scheme '%s' names parts of a mesh, and in 3D none is drawn that has them: give a case, "
                   "whose mesh has",
                   scheme->identity.scheme);
  if (scheme->model.n_rules == 0 && out->cells == VERIFY_MIXED) out->cells = VERIFY_BLOCKS;
  out->jitter = verify_below(&state, 3) ? 0.2 : 0;
  draw_solids(scheme, out, &state);
  out->plain = verify_below(&state, 3) == 0;
  out->steps = 2 + verify_below(&state, 3);
  return draw_sides(scheme, out, &state, err);
}
