/* The single settings that a tuner may try. */
#include <stdio.h>
#include <string.h>

#include "tune/schedule_internal.h"

typedef struct choice {
  const char *name, *words; /* separated by blanks */
} choice;

/* In the order in which they are tried where the model sees no difference. */
static const choice cells[] = {{"faces", "inline store scatter patch"},
                               {"reads", "first as_used"},
                               {"unroll", "no"}},
                    nodes[] = {{"lanes", "1 2 4 8"},
                               {"edges", "apart lean pairs sliced"},
                               {"reads", "first as_used"}},
                    grids[] = {{"grid.window", "auto off"},
                               {"grid.walls", "tables calls"},
                               {"grid.columns", "64 256 512"},
                               {"grid.rows", "16 32 64 128"},
                               {"grid.tile", "1 4 16"}},
                    general[] = {{"group", "64 128 256 512 1024"},
                                 {"select", "ternary branch delta"},
                                 {"items", "each loop"},
                                 {"layout", "aos"},
                                 {"reduce", "tree serial"}},
                    gpus_on_meshes[] = {{"launches", "apart together"}},
                    nvidia[] = {{"divide", "plain refined"}, {"grid.registers", "96 168"}};

typedef struct list {
  profile_setting *at;
  int n, most;
} list;

static void add(list *l, const char *name, const char *value, size_t length) {
  if (l->n == l->most || strlen(name) >= PROFILE_WORD || length >= PROFILE_WORD) return;
  profile_setting *s = &l->at[l->n++];
  snprintf(s->name, sizeof s->name, "%s", name);
  snprintf(s->value, sizeof s->value, "%.*s", (int)length, value);
}

static void add_words(list *l, const char *name, const char *words) {
  for (const char *w = words; *w;) {
    const size_t n = strcspn(w, " ");
    add(l, name, w, n);
    w += n + (w[n] == ' ');
  }
}

static void add_choices(list *l, const choice *c, size_t n) {
  for (size_t i = 0; i < n; i++) add_words(l, c[i].name, c[i].words);
}

static bool lives_at(const dslc_program *p, dslc_place place) {
  for (int i = 0; i < p->execution.n_buffers; i++)
    if (p->execution.buffer[i].place == place) return true;
  return false;
}

bool tune_is_of_nodes(const dslc_program *p) { return !p->space.on_grid && lives_at(p, DSLC_NODES); }

/* Cheap ones are as well recomputed: only what takes some operations is tried the other way. */
enum { WORTH_A_TRY = 6, EQUATIONS = 40 };

static bool is_named(const dslc_equation *e) {
  return e->line > 0 && e->place != DSLC_NOWHERE && strpbrk(e->name, "()[], ") == NULL;
}

static void add_equations(list *l, const dslc_program *p) {
  const int before = l->n;
  for (int i = 0; i < p->model.n_equations && l->n - before < EQUATIONS; i++) {
    const dslc_equation *e = &p->model.equation[i];
    if (!is_named(e) || e->flops < WORTH_A_TRY) continue;
    add_words(l, e->name, p->space.on_grid ? "window store inline" : "store inline");
  }
  for (int i = 0; i < p->model.n_fields; i++) {
    char name[PROFILE_WORD];
    const dslc_field *f = &p->model.field[i];
    if (f->kind != DSLC_STATE || f->components < 2) continue;
    if (snprintf(name, sizeof name, "%s.layout", f->name) < (int)sizeof name) add_words(l, name, "aos");
  }
}

int tune_moves(const dslc_program *p, const dev_info *info, profile_setting *moves, int most) {
  list l = {moves, 0, most};
  const bool opencl = info->language == DEV_OPENCL_C;
  if (p->space.on_grid) add_choices(&l, grids, sizeof grids / sizeof *grids);
  else if (tune_is_of_nodes(p)) add_choices(&l, nodes, sizeof nodes / sizeof *nodes);
  if (!p->space.on_grid && lives_at(p, DSLC_CELLS) && lives_at(p, DSLC_FACES))
    add_choices(&l, cells, sizeof cells / sizeof *cells);
  add_choices(&l, general, sizeof general / sizeof *general);
  if (opencl && info->concurrent && !p->space.on_grid)
    add_choices(&l, gpus_on_meshes, sizeof gpus_on_meshes / sizeof *gpus_on_meshes);
  if (opencl && info->limits_registers) add_choices(&l, nvidia, sizeof nvidia / sizeof *nvidia);
  add_equations(&l, p);
  return l.n;
}

/* ---- a space to exhaust -------------------------------------------------------------------------------------------------- */

/* Of each axis what is the default, or near it, comes first: so it does of points that a model cannot tell apart. */
static const choice cell_axes[] = {{"faces", "store inline scatter patch"},
                                   {"items", "loop each"},
                                   {"select", "branch ternary delta"},
                                   {"group", "512 64 128"},
                                   {"layout", "soa aos"}},
                    node_axes[] = {{"edges", "apart lean pairs sliced"},
                                   {"lanes", "1 2 4"},
                                   {"items", "loop each"},
                                   {"reads", "as_used first"},
                                   {"group", "512 64 128"}},
                    grid_axes[] = {{"grid.window", "off auto"},
                                   {"items", "loop each"},
                                   {"grid.walls", "calls tables"},
                                   {"select", "ternary branch delta"},
                                   {"grid.columns", "512 128"},
                                   {"grid.rows", "64 16 200"},
                                   {"group", "512 128"}},
                    nvidia_axes[] = {{"divide", "refined plain"}};

typedef struct axes {
  const choice *at;
  int n;
} axes;

static int words_in(const char *text) {
  int n = 1;
  for (; *text; text++) n += *text == ' ';
  return n;
}

static const char *word(const char *text, int which, size_t *length) {
  for (; which > 0; which--) text += strcspn(text, " ") + 1;
  *length = strcspn(text, " ");
  return text;
}

/* A loop over all of a work-group is for processors: on a GPU it is a hundred times slower, which takes long to measure. */
static const choice on_gpus[] = {{"items", "each"}, {"group", "128 64 512"}};

static const char *words_of(const choice *axis, const dev_info *info) {
  for (size_t i = 0; info->type == DEV_GPU && i < sizeof on_gpus / sizeof *on_gpus; i++)
    if (strcmp(axis->name, on_gpus[i].name) == 0) return on_gpus[i].words;
  return axis->words;
}

/* The last axis runs fastest. What is left of `which` is returned. */
static int choose(const axes *a, const dev_info *info, int which, list *l) {
  for (int i = a->n - 1; i >= 0; i--) {
    const char *words = words_of(&a->at[i], info);
    const int n = words_in(words);
    size_t length;
    const char *text = word(words, which % n, &length);
    add(l, a->at[i].name, text, length);
    which /= n;
  }
  return which;
}

bool tune_point(tune_domain on, const dev_info *info, int which, tune_trial *out) {
  static const axes own[] = {{cell_axes, sizeof cell_axes / sizeof *cell_axes},
                             {node_axes, sizeof node_axes / sizeof *node_axes},
                             {grid_axes, sizeof grid_axes / sizeof *grid_axes}},
                    also = {nvidia_axes, sizeof nvidia_axes / sizeof *nvidia_axes};
  *out = (tune_trial){0};
  list l = {out->set, 0, PROFILE_SETTINGS};
  int left = choose(&own[on], info, which, &l);
  if (info->language == DEV_OPENCL_C && info->limits_registers) left = choose(&also, info, left, &l);
  out->n = l.n;
  return left == 0;
}
