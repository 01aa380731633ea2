#include "schedule/schedule.h"
#include "schedule/section.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

static const schedule_key keys[] = {
    {"faces", "inline | store | scatter | patch",
     "how cells get what they sum over their faces: recompute it, read it from a kernel "
     "over faces, let coloured faces add it, or compute it once a face in local memory, patch by patch"},
    {"select", "ternary | branch | delta", "how `if` is computed: c ? a : b, if/else, or Kronecker deltas"},
    {"divide", "auto | plain | refined",
     "quotients and roots on NVIDIA's devices: as the language has them, or from the device's estimate by "
     "Newton's "
     "method, the same but for denormal numbers and without a branch; auto: on meshes, and in kernels with "
     "windows"},
    {"layout", "soa | aos", "components of a field apart, or together for each entity"},
    {"group", "a power of two, 16 to 1024", "entities of a work-group"},
    {"items", "each | loop",
     "a work-item for each entity (GPUs), or one for all of a work-group in a loop, which vectorises (CPUs)"},
    {"reduce", "tree | serial",
     "reductions within a work-group: a tree (GPUs), or one work-item adds up (CPUs)"},
    {"unroll", "yes | no", "loops over the faces of a cell"},
    {"launches", "apart | together",
     "what a step launches on meshes: each kernel by itself, or kernels that follow each other as one, whose "
     "work-groups wait for each other between them: small meshes, whose launches cost more than their work "
     "(GPUs)"},
    {"lanes", "1 | 2 | 4 | 8 | 16 | 32", "work-items that share a node and its loop over neighbours (GPUs)"},
    {"edges", "apart | lean | packed | pairs | sliced",
     "what never changes at edges: each quantity in arrays of its own, together what the step reads, "
     "together all integrals, once for both directions what is the same from both ends, or the edges of "
     "neighbouring nodes side by side"},
    {"reads", "first | as_used",
     "loops over neighbours: all reads of a pass are asked for before it computes (GPUs), or each where it "
     "is used; loops over a known number of faces that look at cells across: those of all faces"},
    {"grid.tile", "a power of two, 1 to 64",
     "grids: rows of a work-group over points; their length is group/grid.tile"},
    {"grid.walls", "auto | tables | calls",
     "grids: what equations are near walls is computed once for each point there, by small kernels ahead, "
     "where that is expensive "
     "or everywhere (GPUs); or again by every reader"},
    {"grid.window", "auto | off",
     "grids: what an update's kernel alone needs, and saves work by it, it keeps in rows of local memory"},
    {"grid.columns", "a whole number, 16 to 1024", "columns of a subdomain of such a kernel: its work-group"},
    {"grid.rows", "auto | a whole number, 1 to 100000",
     "rows of such a subdomain; auto: as many as leave each compute unit of the device enough of them"},
    {"grid.registers", "auto | off | a whole number, 32 to 255",
     "the most registers of a work-item of such a kernel, where the device's compiler takes a limit "
     "(NVIDIA): fewer let "
     "more work-groups run at once; auto: 128; of at most 256 columns"},
    {"grid.local", "a whole number, 1024 to 262144",
     "bytes of local memory that a work-group may take, of patches, too"},
    {"<equation>", "inline | store | scatter | patch | window",
     "how one equation, or all parts of a block, are computed; `window` on grids"},
    {"<state>.layout", "soa | aos", "the layout of one state or stored equation"},
    {"geometry.store", "double | float",
     "meshes: how volumes, areas, normals, integrals, and equations at edges that never change lie in "
     "memory; "
     "what is computed is computed in double precision"},
    {"states.store", "double | float", "the same for states"},
    {"givens.store", "double | float", "the same for givens"},
    {"fluxes.store", "double | float", "the same for equations that are stored"},
    {"<state>.store", "double | float", "the same for one state, given or stored equation"},
};

const schedule_key *schedule_keys(int *n) {
  *n = (int)(sizeof keys / sizeof *keys);
  return keys;
}

/* ---- one setting ------------------------------------------------------------------------------------------------ */

enum { MOST_ROWS = 100, MOST_REGISTERS = 128 };

typedef struct reader {
  schedule *s;
  arena *memory;
  intern_pool *names;
  diag_sink *sink;
  const ir_module *module;
  bool patches;            /* some setting asks for them */
  const char *key, *value; /* the setting that is being read, */
  span at;                 /* and where it stands */
} reader;

static int word_of(const char *text, const char *const *words, int n) {
  for (int i = 0; i < n; i++)
    if (strcmp(words[i], text) == 0) return i;
  return -1;
}

static void bad_setting(reader *r, const char *legal) {
  diag *d = diag_report(r->sink, DIAG_SCHEDULE_VALUE, r->at, "schedule setting `%s` cannot be `%s`", r->key,
                        r->value);
  diag_with_hint(r->sink, d, strchr(legal, '|') ? "it is one of: %s" : "it is %s", legal);
}

static int choose(reader *r, const char *const *words, int n, const char *legal, int otherwise) {
  int k = word_of(r->value, words, n);
  if (k >= 0) return k;
  bad_setting(r, legal);
  return otherwise;
}

static const char *const form_words[] = {"auto", "inline", "store", "scatter", "patch", "window"};
static const char *const layout_words[] = {"soa", "aos"};
static const char *const store_words[] = {"double", "float"};

static schedule_choice *choice_of(reader *r, name text) {
  for (int i = 0; i < r->s->choice.n; i++)
    if (r->s->choice.at[i].text == text) return &r->s->choice.at[i];
  vec_push(r->memory, &r->s->choice, ((schedule_choice){.text = text}));
  return &r->s->choice.at[r->s->choice.n - 1];
}

/* Whether `text` names an equation, or what it is a part of: a block, or the first words of a dotted name. */
static bool covers(const char *text, const char *equation) {
  size_t n = strlen(text);
  return strncmp(equation, text, n) == 0 && (equation[n] == '\0' || equation[n] == '.');
}

static bool names_something(const ir_module *m, const char *text) {
  for (int i = 1; i < m->symbol.n; i++) {
    ir_symbol_kind kind = m->symbol.at[i].kind;
    if ((kind == IR_EQUATION || kind == IR_STATE || kind == IR_GIVEN) && covers(text, m->symbol.at[i].text))
      return true;
  }
  return false;
}

/* The length of `text` without the ending, 0 if it has another one. */
static size_t without(const char *text, const char *ending) {
  size_t n = strlen(text), suffix = strlen(ending);
  return n > suffix && strcmp(text + n - suffix, ending) == 0 ? n - suffix : 0;
}

/* `X.prev`, X as it was when the step began, has no symbol yet. */
static bool is_previous(const reader *r, const char *key) {
  size_t n = without(key, ".prev");
  return n > 0 && names_something(r->module, intern(r->names, key, n));
}

static bool is_setting(const char *key) {
  for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
    if (strcmp(keys[i].name, key) == 0) return true;
  return false;
}

/* A scheme's own names count first, but a quantity called as a setting is leaves it what no quantity can be: `group = 64`. */
static bool set_equation(reader *r) {
  const char *key = r->key;
  size_t layout = without(key, ".layout"), store = without(key, ".store");
  name text = intern(r->names, key, layout ? layout : store ? store : strlen(key));
  if (!names_something(r->module, text) && !is_previous(r, key)) return false;
  if (!layout && !store && is_setting(key) && word_of(r->value, form_words, 6) < 0) return false;
  if (layout) choice_of(r, text)->aos = layout_words[choose(r, layout_words, 2, "soa | aos", 0)];
  else if (store) choice_of(r, text)->store = store_words[choose(r, store_words, 2, "double | float", 0)];
  else {
    bool grid = r->module->on_grid;
    const char *legal = grid ? "inline | store | window" : "inline | store | scatter | patch";
    form f = (form)choose(r, form_words, 6, legal, 0);
    if (grid ? f == FORM_SCATTER || f == FORM_PATCH : f == FORM_WINDOW) bad_setting(r, legal);
    else choice_of(r, text)->form = f;
  }
  return true;
}

static void set_power(reader *r, long least, long most, int *to) {
  char *end;
  long g = strtol(r->value, &end, 10);
  if (*end || g < least || g > most || (g & (g - 1)))
    bad_setting(r, arena_printf(r->memory, "a power of two, %ld to %ld", least, most));
  else *to = (int)g;
}

/* words: what else the setting may be, for the message. */
static void set_number(reader *r, const char *words, long least, long most, int *to) {
  char *end;
  long n = strtol(r->value, &end, 10);
  if (*end || end == r->value || n < least || n > most)
    bad_setting(r, arena_printf(r->memory, "%sa whole number, %ld to %ld", words, least, most));
  else *to = (int)n;
}

static void set_rows(reader *r) {
  schedule *s = r->s;
  s->grid.fit_rows = strcmp(r->value, "auto") == 0;
  if (s->grid.fit_rows) s->grid.rows = MOST_ROWS;
  else set_number(r, "auto | ", 1, 100000, &s->grid.rows);
}

static void set_registers(reader *r) {
  schedule *s = r->s;
  if (strcmp(r->value, "auto") == 0) s->grid.registers = MOST_REGISTERS;
  else if (strcmp(r->value, "off") == 0) s->grid.registers = 0;
  else set_number(r, "auto | off | ", 32, 255, &s->grid.registers);
}

static bool set_grid(reader *r) {
  const char *key = r->key;
  static const char *const windows[] = {"off", "auto"}, *const walls[] = {"calls", "auto", "tables"};
  schedule *s = r->s;
  if (strcmp(key, "grid.walls") == 0) {
    s->grid.walls = (wall_form)choose(r, walls, 3, "auto | tables | calls", (int)s->grid.walls);
    return true;
  }
  if (strcmp(key, "grid.window") == 0) s->grid.window = choose(r, windows, 2, "auto | off", s->grid.window);
  else if (strcmp(key, "grid.tile") == 0) set_power(r, 1, 64, &s->grid.tile);
  else if (strcmp(key, "grid.columns") == 0) set_number(r, "", 16, 1024, &s->grid.columns);
  else if (strcmp(key, "grid.rows") == 0) set_rows(r);
  else if (strcmp(key, "grid.registers") == 0) set_registers(r);
  else if (strcmp(key, "grid.local") == 0) set_number(r, "", 1024, 262144, &s->grid.local_bytes);
  else return false;
  return true;
}

/* A scheme's own names count first: see set_equation. */
static bool set_group_store(reader *r) {
  store_groups *s = &r->s->single;
  bool *to = strcmp(r->key, "geometry.store") == 0 ? &s->geometry
             : strcmp(r->key, "states.store") == 0 ? &s->states
             : strcmp(r->key, "givens.store") == 0 ? &s->givens
             : strcmp(r->key, "fluxes.store") == 0 ? &s->fluxes
                                                   : NULL;
  if (to) *to = choose(r, store_words, 2, "double | float", *to);
  return to != NULL;
}

static const char *all_keys(arena *a) {
  const char *text = "";
  for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
    if (keys[i].name[0] != '<') text = arena_printf(a, "%s%s, ", text, keys[i].name);
  return text;
}

static void unknown_key(reader *r, const char *key, span at) {
  VEC(const char *) all = {0};
  for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
    if (keys[i].name[0] != '<') vec_push(r->memory, &all, keys[i].name);
  for (int i = 1; i < r->module->symbol.n; i++) {
    const char *text = r->module->symbol.at[i].text, *dot = strrchr(text, '.');
    vec_push(r->memory, &all, text);
    if (dot) vec_push(r->memory, &all, arena_strndup(r->memory, text, (size_t)(dot - text)));
  }
  const char *near = nearest_name(key, all.at, all.n);
  diag *d = diag_report(r->sink, DIAG_SCHEDULE_KEY, at, "a schedule has no setting `%s`", key);
  if (near) diag_with_label(r->sink, d, "did you mean `%s`?", near);
  diag_with_hint(r->sink, d, "settings are %sor the name of an equation", all_keys(r->memory));
}

static bool set_mesh(reader *r) {
  const char *key = r->key;
  static const char *const counts[] = {"1", "2", "4", "8", "16", "32"}, *const reads[] = {"as_used", "first"},
                           *const edges[] = {"apart", "lean", "packed", "pairs", "sliced"},
                           *const launches[] = {"apart", "together"};
  schedule *s = r->s;
  if (strcmp(key, "lanes") == 0) s->lanes = 1 << choose(r, counts, 6, "1 | 2 | 4 | 8 | 16 | 32", 0);
  else if (strcmp(key, "reads") == 0) s->reads_first = choose(r, reads, 2, "first | as_used", s->reads_first);
  else if (strcmp(key, "launches") == 0)
    s->together = choose(r, launches, 2, "apart | together", s->together);
  else if (strcmp(key, "edges") == 0)
    s->edges = (edge_form)choose(r, edges, 5, "apart | lean | packed | pairs | sliced", 0);
  else return false;
  return true;
}

static void set(reader *r, const char *key, const char *value, span at) {
  static const char *const selects[] = {"ternary", "delta", "branch"}, *const reduces[] = {"tree", "serial"},
                           *const yes[] = {"no", "yes"}, *const items[] = {"each", "loop"},
                           *const divides[] = {"auto", "plain", "refined"};
  schedule *s = r->s;
  r->key = key, r->value = value, r->at = at;
  if (set_equation(r) || set_mesh(r) || set_grid(r) || set_group_store(r)) return;
  if (strcmp(key, "faces") == 0)
    s->faces = (form)choose(r, form_words, 5, "inline | store | scatter | patch", s->faces);
  else if (strcmp(key, "select") == 0)
    s->select = (select_form)choose(r, selects, 3, "ternary | branch | delta", s->select);
  else if (strcmp(key, "divide") == 0)
    s->divide = (divide_form)choose(r, divides, 3, "auto | plain | refined", s->divide);
  else if (strcmp(key, "layout") == 0) s->aos = choose(r, layout_words, 2, "soa | aos", s->aos);
  else if (strcmp(key, "group") == 0) set_power(r, 16, 1024, &s->group);
  else if (strcmp(key, "items") == 0) s->loop = choose(r, items, 2, "each | loop", s->loop);
  else if (strcmp(key, "reduce") == 0)
    s->reduce = (plan_reduce_form)choose(r, reduces, 2, "tree | serial", s->reduce);
  else if (strcmp(key, "unroll") == 0) s->unroll = choose(r, yes, 2, "yes | no", s->unroll);
  else unknown_key(r, key, at);
}

/* ---- profiles ------------------------------------------------------------------------------------------------------- */

/* name = value, one a line; `--` starts a comment; `device = ...` says for which device it was made, lines with @ how it was measured. */
static int read_line(reader *r, const source_file *f, uint32_t file, uint32_t start, uint32_t end) {
  char *text = section_line(r->memory, f, start, end), *equals = strchr(text, '=');
  if (!*text || *text == '@') return 0;
  span at = {file, start, end};
  if (!equals) {
    diag_report(r->sink, DIAG_SCHEDULE_KEY, at, "a line of a profile reads  name = value");
    return 0;
  }
  char *value = section_trim(equals + 1, equals + 1 + strlen(equals + 1));
  char *key = section_trim(text, equals);
  if (strcmp(key, "device") == 0) return 0;
  set(r, key, value, at);
  return 1;
}

/* Returns how many settings there are. */
static int read_lines(reader *r, const source_file *f, uint32_t file, uint32_t start, uint32_t end) {
  int n = 0;
  while (start < end) {
    uint32_t stop = start;
    while (stop < end && f->text[stop] != '\n') stop++;
    n += read_line(r, f, file, start, stop);
    start = stop + 1;
  }
  return n;
}

/* Whether something was taken: what is said for every scheme, and the section that fits. */
static bool read_profile(reader *r, source_set *sources, const schedule_for *what) {
  uint32_t file;
  const char *path = what->options->profile;
  const section_wanted wanted = {what->options, what->subject, what->text_hash};
  const int error = source_load(sources, path, &file);
  if (error) {
    diag_report(r->sink, DIAG_SCHEDULE_VALUE, (span){0}, "cannot read the profile %s: %s", path,
                strerror(error));
    return false;
  }
  const source_file *f = source_get(sources, file);
  const section_choice c = section_choose(r->memory, f, &wanted);
  const int n = read_lines(r, f, file, 0, c.general_end);
  if (c.found) read_lines(r, f, file, c.start, c.end);
  else if ((c.any || n == 0) && !what->options->check_only) /* which looks at all variants */
    diag_report(r->sink, DIAG_SCHEDULE_IMPOSSIBLE, (span){0}, "no section of the profile %s is taken: %s",
                path, c.why);
  return c.found || n > 0;
}

/* ---- settings of other kinds of schemes ----------------------------------------------------------------------------- */

static bool lives_at(const ir_module *m, ir_place place) {
  for (int i = 1; i < m->symbol.n; i++)
    if (m->symbol.at[i].place == place) return true;
  return false;
}

/* Does it ask for a window, or say what one is like? */
static bool is_about_windows(const char *key, const char *value) {
  if (strncmp(key, "grid.", 5) != 0) return strcmp(value, "window") == 0;
  if (strcmp(key, "grid.window") == 0) return strcmp(value, "off") != 0;
  return strcmp(key, "grid.tile") != 0 && strcmp(key, "grid.walls") != 0;
}

/* What the setting is about, if this scheme has none of it. */
static const char *absent_subject(const reader *r, const char *key, const char *value) {
  const ir_module *m = r->module;
  if (strcmp(key, "grid.local") == 0 && !m->on_grid && lives_at(m, IR_CELLS))
    return r->patches ? NULL : "grids, and patches of meshes";
  if (strncmp(key, "grid.", 5) == 0 && !m->on_grid) return "grids";
  if (m->on_grid && m->dims != 2 && is_about_windows(key, value))
    return "windows, which grids of two axes have";
  if (strcmp(key, "geometry.store") == 0 && m->on_grid) return "meshes: a grid has numbers by line only";
  if (strcmp(key, "reads") == 0)
    return lives_at(m, IR_NODES) || (!m->on_grid && lives_at(m, IR_CELLS)) ? NULL
                                                                           : "nodes, and cells of meshes";
  if (strcmp(key, "lanes") == 0 || strcmp(key, "edges") == 0)
    return lives_at(m, IR_NODES) ? NULL : "quantities at nodes";
  if (strcmp(key, "launches") == 0 && strcmp(value, "apart") != 0) return m->on_grid ? "meshes" : NULL;
  if (strcmp(key, "faces") == 0 || strcmp(key, "unroll") == 0)
    return !m->on_grid && lives_at(m, IR_CELLS) ? NULL : "cells and faces of meshes";
  return NULL;
}

static const char *last_part(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

static bool is_of_profile(const dslc_profiled *p, int setting) {
  return p->path && setting >= p->first && setting < p->first + p->n;
}

static bool asks_for_patches(const dslc_options *options) {
  for (int i = 0; i < options->n_schedule; i++)
    if (strcmp(options->schedule[i].value, "patch") == 0) return true;
  return false;
}

/* A profile is for many schemes; what is said for one run is meant for its own. */
static void set_for_run(reader *r, const char *key, const char *value) {
  const char *subject = absent_subject(r, key, value);
  set(r, key, value, (span){0});
  if (subject)
    diag_report(r->sink, DIAG_SCHEDULE_IMPOSSIBLE, (span){0},
                "schedule setting `%s` changes nothing here: it is about %s", key, subject);
}

schedule schedule_read(arena *a, intern_pool *names, source_set *sources, diag_sink *sink,
                       const schedule_for *what) {
  const dslc_options *options = what->options;
  const ir_module *m = what->module;
  const bool c = options->emit != DSLC_EMIT_OPENCL, cpu = options->cpu || c;
  /* OpenCL's compilers for CPUs vectorise loops over cells, C's do not: there what is not computed is gained */
  const bool vectorises = m->on_grid || (cpu && !c);
  schedule s = {.faces = cpu ? FORM_STORE : FORM_AUTO,
                .select = vectorises ? SELECT_TERNARY : SELECT_BRANCH,
                .group = cpu          ? 512
                         : m->on_grid ? 256
                                      : 128,
                .grid.tile = 8,
                .loop = cpu,
                .reduce = cpu ? PLAN_REDUCE_SERIAL : PLAN_REDUCE_TREE,
                .unroll = 1,
                .lanes = cpu ? 1 : 2,
                .edges = cpu ? EDGES_APART : EDGES_SLICED, /* measured on an H200, meshes of simplices */
                .reads_first = !cpu,
                .grid.walls = cpu ? WALLS_CALLS : WALLS_AUTO,
                .grid.window = true,
                .grid.columns = cpu ? 256 : 128,
                .grid.rows = MOST_ROWS,
                .grid.fit_rows = true,
                .grid.registers = cpu ? 0 : MOST_REGISTERS,
                .grid.local_bytes = 48 << 10};
  reader r = {.s = &s, .memory = a, .names = names, .sink = sink, .module = m};
  if (options->profile && read_profile(&r, sources, what))
    s.profile = arena_printf(a, "%s", last_part(options->profile));
  if (options->sources.profiled.path)
    s.profile = arena_printf(a, "%s", last_part(options->sources.profiled.path));
  r.patches = s.faces == FORM_PATCH || asks_for_patches(options);
  for (int i = 0; i < options->n_schedule; i++) {
    const dslc_setting *o = &options->schedule[i];
    if (is_of_profile(&options->sources.profiled, i)) set(&r, o->name, o->value, (span){0});
    else set_for_run(&r, o->name, o->value);
  }
  if (s.together && s.faces == FORM_AUTO) s.faces = FORM_INLINE; /* what is stored costs a barrier more */
  if (s.lanes > s.group) {
    r.key = "lanes", r.value = arena_printf(a, "%d", s.lanes), r.at = (span){0};
    bad_setting(&r, "at most `group`");
  }
  return s;
}

/* What a choice may be about. */
typedef enum aspect { OF_FORM, OF_LAYOUT, OF_STORE } aspect;

static bool says(const schedule_choice *c, aspect of) {
  return of == OF_FORM ? c->form != FORM_AUTO : of == OF_LAYOUT ? c->aos != NULL : c->store != NULL;
}

bool schedule_covers(const schedule_choice *c, const char *quantity) { return covers(c->text, quantity); }

/* The nearest of the choices that say something about it: what is said of a part counts more than what is said of its block. */
static const schedule_choice *nearest_choice(const schedule *s, const char *equation, aspect of) {
  const schedule_choice *found = NULL;
  for (int i = 0; i < s->choice.n; i++) {
    const schedule_choice *c = &s->choice.at[i];
    if (!says(c, of) || !covers(c->text, equation)) continue;
    if (!found || strlen(c->text) > strlen(found->text)) found = c;
  }
  return found;
}

form schedule_form(const schedule *s, name equation) {
  const schedule_choice *c = nearest_choice(s, equation, OF_FORM);
  return c ? c->form : FORM_AUTO;
}

bool schedule_aos(const schedule *s, name group) {
  const schedule_choice *c = nearest_choice(s, group, OF_LAYOUT);
  return c ? strcmp(c->aos, "aos") == 0 : s->aos;
}

const char *schedule_store(const schedule *s, name text) {
  const schedule_choice *c = nearest_choice(s, text, OF_STORE);
  return c ? c->store : NULL;
}
