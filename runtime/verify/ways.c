/* Ways to compute: settings of the schedule and orders of the mesh, drawn from all that there are. */
#include <string.h>

#include "mesh/random.h"
#include "verify/internal.h"

/* Words to choose from, separated by blanks; "-" leaves the setting open. */
typedef struct choice {
  const char *name, *words;
} choice;

static const choice general[] = {{"select", "- ternary branch delta"}, {"layout", "- soa aos"},
                                 {"group", "- 16 32 64 128 256 512"},  {"items", "- each loop"},
                                 {"reduce", "- tree serial"},          {"divide", "- auto plain refined"}},
                    meshes[] = {{"faces", "- inline store scatter patch"},
                                {"unroll", "- yes no"},
                                {"reads", "- first as_used"}},
                    nodes[] = {{"edges", "- apart lean packed pairs sliced"}, {"reads", "- first as_used"}},
                    grids[] = {{"grid.tile", "- 1 2 4 8 16"},
                               {"grid.walls", "- auto tables calls"},
                               {"grid.window", "- auto auto off"},
                               {"grid.columns", "- 16 17 24 32 33 64"},
                               {"grid.rows", "- auto 1 2 3 5 8 64"},
                               {"grid.registers", "- auto off 64"},
                               {"grid.local", "- 4096 16384 49152 262144"}};

static void set(verify_way *w, const char *name, const char *value, size_t length) {
  if (w->n >= VERIFY_SETTINGS || strlen(name) >= VERIFY_TEXT || length >= sizeof w->set->value) return;
  memcpy(w->set[w->n].name, name, strlen(name) + 1);
  memcpy(w->set[w->n].value, value, length);
  w->set[w->n++].value[length] = '\0';
}

static void set_one_of(verify_way *w, const char *name, const char *words, uint64_t *state) {
  int n = 1;
  for (const char *p = words; *p; p++) n += *p == ' ';
  for (int skip = verify_below(state, n); skip > 0; skip--) words += strcspn(words, " ") + 1;
  size_t length = strcspn(words, " ");
  if (*words != '-') set(w, name, words, length);
}

const char *verify_way_setting(const verify_way *w, const char *name) {
  for (int i = 0; i < w->n; i++)
    if (strcmp(w->set[i].name, name) == 0) return w->set[i].value;
  return NULL;
}

/* A node's work-items belong to one work-group. */
static void set_lanes(verify_way *w, uint64_t *state) {
  const char *group = verify_way_setting(w, "group");
  set_one_of(w, "lanes", group && strcmp(group, "16") == 0 ? "- 1 2 4 8 16" : "- 1 2 4 8 16 32", state);
}

static void set_all(verify_way *w, const choice *list, size_t n, uint64_t *state) {
  for (size_t i = 0; i < n; i++) set_one_of(w, list[i].name, list[i].words, state);
}

static bool at_nodes(const dslc_program *p) {
  for (int i = 0; i < p->execution.n_buffers; i++)
    if (p->execution.buffer[i].place == DSLC_NODES) return true;
  return false;
}

static bool is_part(const char *name, const char *whole) {
  size_t n = strlen(whole);
  return strncmp(name, whole, n) == 0 && name[n] == '.';
}

/* What the compiler made by itself has no setting: what never changes, reciprocals, parts of a linear system. Nor have
 * calls of operators. */
static bool can_be_set(const dslc_program *p, const dslc_equation *e) {
  for (int i = 0; i < p->execution.n_solves; i++)
    if (is_part(e->name, p->execution.solve[i].matrix) || is_part(e->name, p->execution.solve[i].unknown))
      return false;
  return !e->made && e->line > 0 && strpbrk(e->name, "()[], ") == NULL;
}

static void set_equations(verify_way *w, const dslc_program *p, uint64_t *state) {
  for (int i = 0; i < p->model.n_equations && w->n < VERIFY_SETTINGS - 12; i++) {
    const dslc_equation *e = &p->model.equation[i];
    bool faces = e->place == DSLC_FACES;
    if (e->place == DSLC_NOWHERE || !can_be_set(p, e) || verify_below(state, 2)) continue;
    set_one_of(w, e->name,
               p->space.on_grid ? "inline store window"
               : faces          ? "inline store scatter patch"
                                : "inline store",
               state);
  }
  for (int i = 0; i < p->model.n_fields && w->n < VERIFY_SETTINGS; i++) {
    char name[VERIFY_TEXT];
    if (p->model.field[i].kind != DSLC_STATE || verify_below(state, 3)) continue;
    if (snprintf(name, sizeof name, "%s.layout", p->model.field[i].name) < (int)sizeof name)
      set_one_of(w, name, "soa aos", state);
  }
}

/* One by one, whole chains of equations are hardly drawn to be windowed, nor what lies around a wall then: of ways on grids in the plane one in
 * three windows all that can be. By draws of their own. */
static void window_all(verify_way *w, const dslc_program *p, uint64_t seed) {
  uint64_t state = random_seed(seed + 515151);
  if (!p->space.on_grid || p->space.dims != 2 || verify_below(&state, 3)) return;
  for (int i = 0; i < p->model.n_equations && w->n < VERIFY_SETTINGS - 12; i++) {
    const dslc_equation *e = &p->model.equation[i];
    if (e->place != DSLC_NOWHERE && can_be_set(p, e)) verify_way_set(w, e->name, "window");
  }
}

/* What an equation was at the start of the step, where something reads that. */
static void set_starts(verify_way *w, const dslc_program *p, uint64_t *state) {
  for (int i = 0; i < p->model.n_equations && w->n < VERIFY_SETTINGS; i++) {
    char name[VERIFY_TEXT];
    const dslc_equation *e = &p->model.equation[i];
    if (e->place == DSLC_NOWHERE || !can_be_set(p, e) || verify_below(state, 3)) continue;
    if (snprintf(name, sizeof name, "%s.prev", e->name) < (int)sizeof name)
      set_one_of(w, name, "inline store", state);
  }
}

bool verify_way_set(verify_way *way, const char *name, const char *value) {
  const size_t length = strlen(value);
  if (strlen(name) >= VERIFY_TEXT || length >= sizeof way->set->value) return false;
  for (int i = 0; i < way->n; i++)
    if (strcmp(way->set[i].name, name) == 0) {
      memcpy(way->set[i].value, value, length + 1);
      return true;
    }
  if (way->n >= VERIFY_SETTINGS) return false;
  set(way, name, value, length);
  return true;
}

verify_way verify_plain_way(const dslc_program *scheme, const char *device) {
  verify_way w = {.device = device, .cells = MESH_CELLS_AS_IS, .nodes = MESH_CELLS_AS_IS};
  set(&w, "select", "ternary", 7);
  set(&w, "items", "loop", 4);
  if (scheme->space.on_grid) set(&w, "grid.window", "off", 3), set(&w, "grid.walls", "calls", 5);
  else set(&w, "faces", "store", 5);
  return w;
}

verify_way verify_draw_way(const dslc_program *scheme, const char *device, uint64_t seed) {
  uint64_t state = random_seed(seed ^ 0x77a1);
  verify_way w = {.device = device,
                  .cells = (mesh_cell_order)verify_below(&state, 4),
                  .nodes = (mesh_cell_order)verify_below(&state, 4),
                  .faces = (mesh_face_order)verify_below(&state, 3)};
  set_all(&w, general, sizeof general / sizeof *general, &state);
  if (scheme->space.on_grid) set_all(&w, grids, sizeof grids / sizeof *grids, &state);
  else if (!at_nodes(scheme)) set_all(&w, meshes, sizeof meshes / sizeof *meshes, &state);
  if (at_nodes(scheme)) set_all(&w, nodes, sizeof nodes / sizeof *nodes, &state), set_lanes(&w, &state);
  if (verify_below(&state, 3)) set_equations(&w, scheme, &state);
  window_all(&w, scheme, seed);
  w.by_manifest = verify_below(&state, 6) == 0;
  w.built_ahead = w.by_manifest && seed % 2;
  if (!scheme->space.on_grid) set_one_of(&w, "launches", "- apart together together", &state);
  if (verify_below(&state, 3) == 0) set_starts(&w, scheme, &state);
  if (verify_below(&state, 6) == 0) w.resumed = VERIFY_RESUMED;
  if (w.resumed && !w.by_manifest) /* manifests do not know the scheme's text */
    w.resumed =
        (verify_resumed)(VERIFY_RESUMED + verify_below(&state, VERIFY_RESUMED_COUNT - VERIFY_RESUMED));
  return w;
}

void verify_draw_store(verify_way *w, const dslc_program *p, uint64_t seed) {
  static const choice groups[] = {{"geometry.store", "- - float"},
                                  {"states.store", "- - float"},
                                  {"givens.store", "- - float"},
                                  {"fluxes.store", "- - float"}};
  uint64_t state = random_seed(seed ^ 0x51f0);
  set_all(w, groups, sizeof groups / sizeof *groups, &state);
  for (int i = 0; i < p->model.n_fields; i++) {
    char name[VERIFY_TEXT];
    if (p->model.field[i].kind != DSLC_STATE || verify_below(&state, 3)) continue;
    if (snprintf(name, sizeof name, "%s.store", p->model.field[i].name) < (int)sizeof name)
      set_one_of(w, name, "double float", &state);
  }
}

bool verify_way_is_single(const verify_way *w) {
  for (int i = 0; i < w->n; i++) {
    const size_t n = strlen(w->set[i].name);
    const bool store = n > 6 && strcmp(w->set[i].name + n - 6, ".store") == 0;
    if (store && strcmp(w->set[i].value, "float") == 0) return true;
  }
  return false;
}

static const char *const resumed_texts[VERIFY_RESUMED_COUNT] = {
    "", " resumed", " resumed otherwise", " resumed by reference", " begun by reference"};

const char *verify_resumed_text(verify_resumed how) { return resumed_texts[how]; }

verify_resumed verify_resumed_in(const char *line) {
  for (int i = VERIFY_RESUMED_COUNT - 1; i > 0; i--) /* the longer ones first */
    if (strstr(line, resumed_texts[i])) return (verify_resumed)i;
  return VERIFY_NOT_RESUMED;
}

void verify_way_text(const verify_way *way, char *text, size_t size) {
  size_t used = 0;
  *text = '\0';
  for (int i = 0; i < way->n && used < size; i++)
    used += (size_t)snprintf(text + used, size - used, "%s=%s ", way->set[i].name, way->set[i].value);
  if (used < size)
    snprintf(text + used, size - used, "on %s%s%s; cells %s, faces %s, nodes %s", way->device,
             way->built_ahead   ? " by a manifest built ahead"
             : way->by_manifest ? " by a manifest"
                                : "",
             verify_resumed_text(way->resumed), mesh_cell_order_name(way->cells),
             mesh_face_order_name(way->faces), mesh_cell_order_name(way->nodes));
}
