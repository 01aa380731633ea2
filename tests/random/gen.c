#include "gen_internal.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "mesh/random.h"

static const char *const construct_name[] = {
#define CONSTRUCT(id, text) text,
#include "constructs.def"
#undef CONSTRUCT
};

const char *construct_text(construct c) { return construct_name[c]; }

/* ---- strings and chance ------------------------------------------------------------------------------------------- */

const char *fmt(gen *g, const char *format, ...) {
  char *text = NULL;
  va_list args;
  va_start(args, format);
  if (vasprintf(&text, format, args) < 0) text = NULL;
  va_end(args);
  if (!text || g->n_strings == MOST_STRINGS) {
    g->no_memory = true;
    free(text);
    return "1";
  }
  return g->string[g->n_strings++] = text;
}

void emit(gen *g, const char *format, ...) {
  va_list args;
  va_start(args, format);
  vfprintf(g->out, format, args);
  va_end(args);
}

int below(gen *g, int n) { return (int)random_below(&g->state, (uint64_t)n); }
bool chance(gen *g, int percent) { return below(g, 100) < percent; }
bool chance_in(gen *g, int percent, int crowded) { return chance(g, g->crowded ? crowded : percent); }
void hit(gen *g, construct c) { g->count[c]++; }
const char *number(gen *g) { return fmt(g, "%.4g", 0.0137 + 0.0913 * below(g, 10) + 0.0001 * below(g, 10)); }

sym *add_sym(gen *g, const char *name, where at, rank r) {
  static sym spare;
  sym *s = g->n_syms < MOST_SYMS ? &g->sym[g->n_syms++] : &spare;
  *s = (sym){.at = at, .rank = r};
  snprintf(s->name, sizeof s->name, "%s", name);
  return s;
}

const char *where_name(where w) {
  static const char *const names[] = {"cells",  "faces",  "nodes",  "edges",  "xfaces", "yfaces",
                                      "zfaces", "xedges", "yedges", "zedges", "corners"};
  return w <= W_CORNERS ? names[w] : "";
}

where place_of_states(const gen *g) { return g->family == F_NODES ? W_NODES : W_CELLS; }

const char *seen_from(gen *g, const char *template, char own, char other, bool swapped) {
  char text[16384];
  size_t n = 0;
  for (const char *p = template; *p && n + 64 < sizeof text; p++) {
    if (*p == '@') text[n++] = swapped ? other : own;
    else if (*p == '#') text[n++] = swapped ? own : other;
    else if (*p != '$') text[n++] = *p;
    else {
      size_t k = strspn(p + 1, "abcdefghijklmnopqrstuvwxyz0123456789.");
      n += (size_t)snprintf(text + n, sizeof text - n, swapped ? "(-%.*s)" : "%.*s", (int)k, p + 1);
      p += k;
    }
  }
  text[n] = '\0';
  return fmt(g, "%s", text);
}

/* ---- the whole ------------------------------------------------------------------------------------------------------ */

static void choose_family(gen *g) {
  int k = below(g, 10);
  g->family = g->crowded ? F_GRID : k < 4 ? F_CELLS : k < 8 ? F_GRID : F_NODES;
  if (g->crowded) hit(g, C_CROWDED), g->dim = chance(g, 55) ? 2 : 3;
  else g->dim = g->family == F_GRID ? 1 + (below(g, 8) + 3) / 4 : chance(g, 75) ? 2 : 3;
  g->letter_d = g->family != F_GRID && chance(g, 40);
  g->exchange = g->family == F_GRID && g->dim == 2 && chance(g, 25);
  if (g->family == F_NODES) hit(g, C_AT_NODES);
  if (g->family == F_GRID) hit(g, (construct)(C_ON_GRID1 + g->dim - 1));
  else hit(g, g->letter_d ? C_ON_MESH_D : g->dim == 2 ? C_ON_MESH2 : C_ON_MESH3);
}

/* Short schemes, each of one thing: one of so many seeds, drawn in this order; others are long and have a little of all. */
typedef struct short_kind {
  uint64_t salt;
  int one_of;
  bool anywhere; /* else of one family, and in so many of a hundred in 3D */
  family family;
  int in_3d;
  void (*write)(gen *g);
} short_kind;

static const short_kind short_kinds[] = {{811, 8, false, F_GRID, 60, gen_corner_scheme},
                                         {816, 6, false, F_CELLS, 20, gen_chain_scheme},
                                         {820, 6, true, F_GRID, 0, gen_value_scheme},
                                         {823, 8, true, F_GRID, 0, gen_rank_scheme},
                                         {824, 8, false, F_CELLS, 20, gen_side_scheme}};

static const short_kind *short_kind_of(uint64_t seed) {
  for (size_t i = 0; i < sizeof short_kinds / sizeof *short_kinds; i++)
    if (random_seed(seed + short_kinds[i].salt) % (unsigned)short_kinds[i].one_of == 0)
      return &short_kinds[i];
  return NULL;
}

static void write_short(gen *g, const short_kind *k) {
  g->crowded = false;
  if (k->anywhere) choose_family(g);
  else {
    g->family = k->family, g->dim = chance(g, k->in_3d) ? 3 : 2;
    hit(g, k->family == F_GRID ? (construct)(C_ON_GRID1 + g->dim - 1)
           : g->dim == 2       ? C_ON_MESH2
                               : C_ON_MESH3);
  }
  k->write(g);
}

static void write_long(gen *g) {
  choose_family(g);
  g->steady =
      g->stillness == 0 || (g->family == F_NODES && g->stillness < 4); /* where there are systems to solve */
  g->imports = chance(g, 5);
  if (g->imports) {
    bool one = chance(g, 50);
    hit(g, one ? C_IMPORT_NAME : C_IMPORT);
    emit(g, one ? "import minmod of limiters\n" : "import limiters\n");
  }
  if (g->letter_d) emit(g, "scheme random on mesh(D) {\n");
  else emit(g, "scheme random on %s(%d) {\n", g->family == F_GRID ? "grid" : "mesh", g->dim);
  gen_declarations(g);
  gen_functions(g);
  if (g->family == F_CELLS) gen_mesh_equations(g);
  if (g->family == F_NODES) gen_node_equations(g);
  if (g->family == F_GRID) gen_grid_equations(g);
  gen_globals(g);
  gen_step(g); /* before the rules: these give all that is read beyond the boundary */
  if (g->family == F_CELLS) gen_mesh_rules(g);
  if (g->family == F_NODES) gen_node_rules(g);
  if (g->family == F_GRID) gen_grid_rules(g);
  emit(g, "}\n");
}

char *gen_scheme(uint64_t seed, int *dims, int count[CONSTRUCTS]) {
  char *text = NULL;
  size_t size = 0;
  gen *g = calloc(1, sizeof *g);
  if (!g) return NULL;
  g->state = random_seed(seed);
  g->one = random_seed(seed + 777) % 4 == 0;
  g->tabled = random_seed(seed + 778) % 3 == 0;
  g->turns = random_seed(seed + 779) % 6 == 0;
  g->bounded = random_seed(seed + 780) % 5 == 0;
  g->differs = random_seed(seed + 792) % 2 == 0; /* not of those seeds that docs/devices.md names */
  g->crowded = random_seed(seed + 793) % 4 == 0;
  g->again = random_seed(seed + 795) % 4 == 0; /* none of those seeds either */
  if (g->crowded && random_seed(seed + 794) % 3 == 0) g->turns = true;
  g->governed = random_seed(seed + 812) % 4 == 0;
  g->stillness = (int)(random_seed(seed + 808) % 16);
  g->backward = random_seed(seed + 807) % 3 == 0;
  g->staggered = random_seed(seed + 815) % 4 == 0;
  g->count = count;
  g->out = open_memstream(&text, &size);
  const short_kind *kind = short_kind_of(seed);
  if (g->out && kind) write_short(g, kind);
  else if (g->out) write_long(g);
  if (g->out) fclose(g->out);
  *dims = g->dim;
  for (int i = 0; i < g->n_strings; i++) free(g->string[i]);
  if (g->no_memory) free(text), text = NULL;
  free(g);
  return text;
}
