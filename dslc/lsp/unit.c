#include "lsp/unit.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "front/parse_state.h"

enum { LARGEST_READ = 16 << 20, DEEPEST = 32 };

/* ---- memory ---------------------------------------------------------------------------------------------------- */

void workspace_no_memory(void *ctx, size_t size) {
  (void)size;
  longjmp(*((workspace *)ctx)->recovery, 1);
}

static void forget(file_unit *u) {
  arena_destroy(&u->memory);
  arena_destroy(&u->found);
  u->names = NULL, u->sources = NULL, u->sink = NULL, u->file = NULL, u->tokens = NULL, u->self = NULL;
  u->symbols = u->rules = NULL;
  u->declared.at = NULL, u->declared.n = u->declared.cap = 0;
  u->seen.at = NULL, u->seen.n = u->seen.cap = 0;
  u->locals.at = NULL, u->locals.n = u->locals.cap = 0;
  u->indexed = 0;
}

static void destroy(file_unit *u) {
  forget(u);
  text_free(&u->text);
  free(u->path);
  free(u);
}

void workspace_destroy(workspace *w) {
  while (w->first) {
    file_unit *u = w->first;
    w->first = u->next;
    destroy(u);
  }
  arena_destroy(&w->question_memory);
}

arena *workspace_arena(workspace *w) {
  arena *a = arena_create_in(w->pool, workspace_no_memory, w);
  if (!a) workspace_no_memory(w, 0);
  return a;
}

arena *workspace_question_arena(workspace *w) {
  if (!w->question_memory) w->question_memory = workspace_arena(w);
  return w->question_memory;
}

/* ---- texts ----------------------------------------------------------------------------------------------------- */

file_unit *workspace_find(workspace *w, const char *path) {
  for (file_unit *u = w->first; u; u = u->next)
    if (strcmp(u->path, path) == 0) return u;
  return NULL;
}

static file_unit *add(workspace *w, const char *path) {
  file_unit *u = calloc(1, sizeof *u);
  if (u) u->path = strdup(path);
  if (!u || !u->path || !text_set(&u->text, "", 0)) {
    if (u) destroy(u);
    workspace_no_memory(w, 0);
    return NULL;
  }
  u->next = w->first;
  w->first = u;
  return u;
}

void workspace_changed(workspace *w, file_unit *u) {
  forget(u);
  w->generation++;
}

file_unit *workspace_open(workspace *w, const char *path, const char *bytes, size_t size) {
  file_unit *u = workspace_find(w, path);
  if (!u) u = add(w, path);
  if (!u || !text_set(&u->text, bytes, size)) return NULL;
  u->open = true;
  u->checked = w->question;
  workspace_changed(w, u);
  return u;
}

void workspace_close(workspace *w, file_unit *u) {
  u->open = false;
  u->checked = 1, u->missing = true; /* until it is looked for */
  workspace_changed(w, u);
}

typedef enum reading { READ, NOT_READ, NO_MEMORY } reading;

static reading read_file(file_unit *u, const struct stat *now) {
  errno = 0;
  FILE *f = fopen(u->path, "rb");
  if (!f) return errno == ENOMEM ? NO_MEMORY : NOT_READ;
  char *bytes = malloc((size_t)now->st_size + 1);
  size_t n = bytes ? fread(bytes, 1, (size_t)now->st_size, f) : 0;
  bool failed = ferror(f) != 0, set = bytes && !failed && text_set(&u->text, bytes, n);
  fclose(f);
  free(bytes);
  u->changed = now->st_mtim;
  return failed ? NOT_READ : set ? READ : NO_MEMORY;
}

/* Once a question: the file's text, read again if it is another one. */
static void refresh(workspace *w, file_unit *u) {
  struct stat now;
  bool known = u->checked > 0, was_missing = u->missing;
  if (u->open || u->checked == w->question) return;
  u->checked = w->question;
  u->missing = stat(u->path, &now) != 0 || !S_ISREG(now.st_mode) || now.st_size > LARGEST_READ;
  bool same = !u->missing && known && !was_missing && u->changed.tv_sec == now.st_mtim.tv_sec &&
              u->changed.tv_nsec == now.st_mtim.tv_nsec && u->text.size == (uint64_t)now.st_size;
  if (same || (u->missing && was_missing)) return;
  reading how = u->missing ? READ : read_file(u, &now);
  u->missing = u->missing || how != READ;
  if (how == NOT_READ) w->unread = u->path;
  forget(u);
  if (how == NO_MEMORY) workspace_no_memory(w, 0);
  if (known) w->generation++; /* of what is new nobody has asked for a name */
}

void workspace_ask(workspace *w) {
  w->question++;
  arena_destroy(&w->question_memory);
  for (file_unit *u = w->first; u; u = u->next) refresh(w, u);
}

/* ---- parsing ---------------------------------------------------------------------------------------------------- */

static bool parse(workspace *w, file_unit *u) {
  if (u->memory) return true;
  u->memory = workspace_arena(w);
  u->names = intern_create(u->memory);
  u->sources = source_create(u->memory);
  u->sink = diag_create(u->memory, u->sources);
  uint32_t file = source_add(u->sources, u->path, u->text.bytes, (uint32_t)strlen(u->text.bytes));
  token_list *tokens;
  const ast_file *tree = parse_tokens(u->memory, u->names, u->sources, file, u->sink, &tokens);
  u->tokens = tokens;
  u->file = tree;
  unit_declare(u);
  return true;
}

file_unit *workspace_unit(workspace *w, const char *path) {
  file_unit *u = workspace_find(w, path);
  if (!u) u = add(w, path);
  if (u) refresh(w, u);
  if (!u || (u->missing && !u->open)) return NULL;
  if (u->memory && !u->self) forget(u); /* memory ran out half-way */
  return parse(w, u) ? u : NULL;
}

file_unit *workspace_named(workspace *w, const file_unit *u, const char *text) {
  char path[4096];
  const char *slash = strrchr(u->path, '/');
  snprintf(path, sizeof path, "%.*s%s.ew", slash ? (int)(slash - u->path + 1) : 0, u->path, text);
  file_unit *found = workspace_unit(w, path);
  for (int i = 0; !found && w->shipped && w->shipped[i]; i++) {
    snprintf(path, sizeof path, "%s/%s.ew", w->shipped[i], text);
    found = workspace_unit(w, path);
  }
  return found;
}

/* ---- names across files ------------------------------------------------------------------------------------------- */

typedef const symbol *lookup(workspace *w, file_unit *u, const char *text, bool functions, int depth);

static const symbol *find_rule(workspace *w, file_unit *u, const char *text, bool functions, int depth);
static const symbol *find_symbol(workspace *w, file_unit *u, const char *text, bool functions, int depth);

static const symbol *in_base(workspace *w, file_unit *u, const char *text, int depth, lookup *find) {
  if (!u->file->scheme || !u->file->scheme->base || depth >= DEEPEST) return NULL;
  file_unit *base = workspace_named(w, u, u->file->scheme->base);
  return base && base != u ? find(w, base, text, false, depth + 1) : NULL;
}

static const symbol *find_symbol(workspace *w, file_unit *u, const char *text, bool functions, int depth) {
  const symbol *s = name_map_get(u->symbols, intern_str(u->names, text));
  if (s && (!functions || s->kind == SYMBOL_FUNCTION)) return s;
  for (int i = 0; i < u->file->n_imports && depth < DEEPEST; i++) {
    const ast_import *from = &u->file->imports[i];
    file_unit *other = workspace_named(w, u, from->file);
    s = other && other != u ? find_symbol(w, other, text, from->n_names == 0, depth + 1) : NULL;
    if (s) return s;
  }
  return in_base(w, u, text, depth, find_symbol);
}

static const symbol *find_rule(workspace *w, file_unit *u, const char *text, bool functions, int depth) {
  (void)functions;
  const symbol *s = name_map_get(u->rules, intern_str(u->names, text));
  return s ? s : in_base(w, u, text, depth, find_rule);
}

const symbol *workspace_symbol(workspace *w, file_unit *u, const char *text) {
  return find_symbol(w, u, text, false, 0);
}

const symbol *workspace_rule(workspace *w, file_unit *u, const char *text) {
  return find_rule(w, u, text, false, 0);
}

const symbol *workspace_root(workspace *w, const symbol *s) {
  for (int i = 0; i < DEEPEST && s->decl && s->decl->mode == AST_REPLACES; i++) {
    bool plain = s->kind != SYMBOL_ARGUMENT && s->kind != SYMBOL_LOCAL && s->kind != SYMBOL_LETTER;
    const symbol *below =
        plain ? in_base(w, s->home, s->text, 0, s->kind == SYMBOL_BOUNDARY ? find_rule : find_symbol) : NULL;
    if (!below) return s;
    s = below;
  }
  return s;
}

bool same_symbol(const symbol *a, const symbol *b) {
  return a->home == b->home && a->at.start == b->at.start;
}

/* ---- occurrences --------------------------------------------------------------------------------------------------- */

const occurrence *unit_occurrence(workspace *w, file_unit *u, uint32_t offset) {
  unit_index(w, u);
  int lo = 0, hi = u->seen.n;
  while (lo < hi) { /* the first that begins behind the offset */
    int mid = lo + (hi - lo) / 2;
    if (u->seen.at[mid].start > offset) hi = mid;
    else lo = mid + 1;
  }
  for (int i = lo - 1; i >= 0 && i >= lo - 2; i--)
    if (offset <= u->seen.at[i].end) return &u->seen.at[i];
  return NULL;
}
