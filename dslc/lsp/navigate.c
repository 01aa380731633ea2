/* Definition, references, highlights, the outline of a file. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lsp/navigate.h"
#include "lsp/server.h"

/* ---- where a name is declared --------------------------------------------------------------------------------------- */

cJSON *answer_definition(server *s, const cJSON *params, failure *f) {
  uint32_t offset;
  document *d = asked_document(s, params, &offset, f);
  const occurrence *o = d ? unit_occurrence(&s->files, d->unit, offset) : NULL;
  if (!o) return NULL;
  const symbol *to = o->declares ? workspace_root(&s->files, o->of) : o->of;
  return json_location(to->home, to->at.start, to->at.end);
}

/* ---- where it is used -------------------------------------------------------------------------------------------------- */

enum { MOST_FILES = 500 };

/* What imports or extends a file stands beside it, or is open. */
static void load_folder(server *s, const file_unit *u) {
  char path[4096];
  const char *slash = strrchr(u->path, '/');
  int n = 0;
  if (!slash || *u->path != '/') return;
  snprintf(path, sizeof path, "%.*s", (int)(slash - u->path + 1), u->path);
  DIR *folder = opendir(path);
  if (!folder) return;
  for (const struct dirent *e; (e = readdir(folder)) && n < MOST_FILES;) {
    size_t length = strlen(e->d_name);
    if (length < 4 || strcmp(e->d_name + length - 3, ".ew") != 0) continue;
    snprintf(path, sizeof path, "%.*s%s", (int)(slash - u->path + 1), u->path, e->d_name);
    workspace_unit(&s->files, path);
    n++;
  }
  closedir(folder);
}

/* A name known in one declaration alone is nowhere else. */
static bool is_local(const symbol *s) {
  bool of_rule = s->decl && s->decl->kind == AST_BOUNDARY; /* lines that others add may read it */
  return s->kind == SYMBOL_LETTER || ((s->kind == SYMBOL_ARGUMENT || s->kind == SYMBOL_LOCAL) && !of_rule);
}

void each_use(server *s, const symbol *of, use_visit *visit, void *ctx) {
  const symbol *root = workspace_root(&s->files, of);
  if (!is_local(root)) load_folder(s, root->home);
  for (file_unit *u = s->files.first; u; u = u->next) {
    if ((is_local(root) && u != root->home) || !workspace_unit(&s->files, u->path)) continue;
    unit_index(&s->files, u);
    for (int i = 0; i < u->seen.n; i++)
      if (same_symbol(workspace_root(&s->files, u->seen.at[i].of), root)) visit(ctx, u, &u->seen.at[i]);
  }
}

typedef struct list_of_uses {
  cJSON *list;
  const file_unit *only;
  bool declarations;
} list_of_uses;

static void add_use(void *ctx, file_unit *u, const occurrence *o) {
  list_of_uses *l = ctx;
  if (o->declares && !l->declarations) return;
  cJSON_AddItemToArray(l->list, json_location(u, o->start, o->end));
}

cJSON *answer_references(server *s, const cJSON *params, failure *f) {
  uint32_t offset;
  document *d = asked_document(s, params, &offset, f);
  const occurrence *o = d ? unit_occurrence(&s->files, d->unit, offset) : NULL;
  if (!o) return NULL;
  const cJSON *context = cJSON_GetObjectItemCaseSensitive(params, "context");
  list_of_uses l = {.list = cJSON_CreateArray(),
                    .declarations =
                        cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(context, "includeDeclaration"))};
  each_use(s, o->of, add_use, &l);
  return l.list;
}

cJSON *answer_highlight(server *s, const cJSON *params, failure *f) {
  uint32_t offset;
  document *d = asked_document(s, params, &offset, f);
  const occurrence *o = d ? unit_occurrence(&s->files, d->unit, offset) : NULL;
  if (!o) return NULL;
  const symbol *of = o->of;
  cJSON *list = cJSON_CreateArray();
  for (int i = 0; i < d->unit->seen.n; i++) {
    const occurrence *one = &d->unit->seen.at[i];
    if (!same_symbol(one->of, of)) continue;
    cJSON *h = cJSON_CreateObject();
    cJSON_AddItemToObject(h, "range", json_range(d->unit, one->start, one->end));
    cJSON_AddNumberToObject(h, "kind", one->declares ? 3 : 2);
    cJSON_AddItemToArray(list, h);
  }
  return list;
}

/* ---- the outline --------------------------------------------------------------------------------------------------------- */

static int kind_number(symbol_kind kind) {
  static const int of[] = {
      [SYMBOL_SCHEME] = 2,    [SYMBOL_PARAMETER] = 14, [SYMBOL_VARIANT] = 10,  [SYMBOL_CHOICE] = 22,
      [SYMBOL_STATE] = 8,     [SYMBOL_GIVEN] = 7,      [SYMBOL_FUNCTION] = 12, [SYMBOL_EQUATION] = 13,
      [SYMBOL_RESULT] = 13,   [SYMBOL_GLOBAL] = 13,    [SYMBOL_MATRIX] = 18,   [SYMBOL_BOUNDARY] = 11,
      [SYMBOL_ARGUMENT] = 13, [SYMBOL_LOCAL] = 13,     [SYMBOL_LETTER] = 13};
  return of[kind];
}

static cJSON *outline_item(const file_unit *u, const char *text, int kind, const char *detail, span whole,
                           span at) {
  cJSON *one = cJSON_CreateObject();
  if (at.start < whole.start || at.end > whole.end) whole = at;
  cJSON_AddStringToObject(one, "name", text && *text ? text : "?");
  if (detail) cJSON_AddStringToObject(one, "detail", detail);
  json_integer(one, "kind", kind);
  cJSON_AddItemToObject(one, "range", json_range(u, whole.start, whole.end));
  cJSON_AddItemToObject(one, "selectionRange", json_range(u, at.start, at.end));
  return one;
}

static cJSON *add_children(cJSON *of) {
  cJSON *list = cJSON_GetObjectItemCaseSensitive(of, "children");
  return list ? list : cJSON_AddArrayToObject(of, "children");
}

/* Results, choices and arguments stand below what they belong to; other locals are left out. */
static cJSON *outline(document *d) {
  file_unit *u = d->unit;
  const ast_scheme *scheme = u->file->scheme;
  cJSON *list = cJSON_CreateArray(), *top = list, *last = NULL;
  const ast_decl *last_decl = NULL;
  if (scheme && scheme->text) {
    cJSON *s = outline_item(u, scheme->text, kind_number(SYMBOL_SCHEME), NULL, scheme->at, u->self->at);
    cJSON_AddItemToArray(list, s);
    top = add_children(s);
  }
  for (int i = 0; i < u->declared.n; i++) {
    const symbol *s = u->declared.at[i];
    bool below = s->kind == SYMBOL_RESULT || s->kind == SYMBOL_CHOICE || s->kind == SYMBOL_ARGUMENT;
    if (s->kind == SYMBOL_LOCAL || (below && s->decl != last_decl)) continue;
    cJSON *one = outline_item(u, s->text, kind_number(s->kind), symbol_summary(u->memory, s, &d->facts),
                              below || s->param ? s->at : s->decl->at, s->at);
    bool outside = !scheme || s->at.start < scheme->at.start || s->at.start > scheme->at.end;
    cJSON_AddItemToArray(below ? add_children(last) : outside ? list : top, one);
    if (!below) last = one, last_decl = s->decl;
  }
  return list;
}

cJSON *answer_symbols(server *s, const cJSON *params, failure *f) {
  document *d = asked_document(s, params, NULL, f);
  return d ? outline(d) : NULL;
}
