/* A new name for what stands under the cursor, wherever it is named: refused where any name would then mean something else. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "front/tokens.h"
#include "lsp/navigate.h"
#include "lsp/server.h"
#include "sema/internal.h"

/* ---- whether at all -------------------------------------------------------------------------------------------------- */

static bool is_shipped(const server *s, const file_unit *u) {
  for (int i = 0; s->files.shipped && s->files.shipped[i]; i++) {
    size_t n = strlen(s->files.shipped[i]);
    if (strncmp(u->path, s->files.shipped[i], n) == 0 && u->path[n] == '/') return true;
  }
  return false;
}

static bool may_rename(server *s, const occurrence *o, failure *f) {
  const symbol *root = o ? workspace_root(&s->files, o->of) : NULL;
  if (!root) fail(f, RPC_FAILED, "there is no name of this scheme here");
  else if (root->kind == SYMBOL_SCHEME)
    fail(f, RPC_FAILED, "a scheme is found by its file's name: rename the file, then `%s` here", root->text);
  else if (is_shipped(s, root->home) && !root->home->open)
    fail(f, RPC_FAILED, "`%s` is declared in the shipped scheme %s: open that file if it is yours to change",
         root->text, root->home->path);
  else if (strcmp(root->text, "dt") == 0) fail(f, RPC_FAILED, "`dt` is the time step: it has no other name");
  else return true;
  return false;
}

static bool is_plain_name(const char *text, size_t n) {
  if (n == 0 || isdigit((unsigned char)*text)) return false;
  for (size_t i = 0; i < n; i++)
    if (!isalnum((unsigned char)text[i]) && text[i] != '_') return false;
  return true;
}

/* A name, or of equations several with points between them. */
static bool is_new_name(const symbol *root, const char *text, failure *f) {
  bool dots = root->kind == SYMBOL_EQUATION || root->kind == SYMBOL_GLOBAL;
  for (const char *part = text;; part++) {
    size_t n = strcspn(part, ".");
    if (!is_plain_name(part, n))
      fail(f, RPC_FAILED, "`%s` is not a name: letters, digits and _, not a digit first", text);
    else if (part[n] && !dots) fail(f, RPC_FAILED, "names of equations alone may have dots");
    else if (keyword_find(part, n)) fail(f, RPC_FAILED, "`%.*s` is a reserved word", (int)n, part);
    if (f->code) return false;
    part += n;
    if (!*part) break;
  }
  const char *dot = strrchr(text, '.');
  bool level = dot && (strcmp(dot, ".prev") == 0 || strcmp(dot, ".old") == 0);
  if (is_builtin_name(text) || level) fail(f, RPC_FAILED, "`%s` means something by itself", text);
  return !f->code;
}

/* A local name that is known where another one is. */
static const symbol *local_beside(const file_unit *u, const symbol *root, const char *to) {
  for (int i = 0; i < u->locals.n; i++) {
    const symbol *s = u->locals.at[i];
    bool meets = s->scope.start < root->scope.end && root->scope.start < s->scope.end;
    if (meets && strcmp(s->text, to) == 0) return s;
  }
  return NULL;
}

/* The same of any file that sees the name. What else would change its meaning is found afterwards. */
static const symbol *taken_in(server *s, file_unit *u, const symbol *root, const char *to) {
  workspace *w = &s->files;
  bool rule = root->kind == SYMBOL_BOUNDARY;
  const symbol *seen = rule ? workspace_rule(w, u, root->text) : workspace_symbol(w, u, root->text);
  if (!seen || !same_symbol(workspace_root(w, seen), root)) return NULL;
  return rule ? workspace_rule(w, u, to) : workspace_symbol(w, u, to);
}

static bool is_taken(server *s, file_unit *in, const symbol *root, const char *to, failure *f) {
  bool local = root->kind == SYMBOL_ARGUMENT || root->kind == SYMBOL_LOCAL || root->kind == SYMBOL_LETTER;
  bool part = root->kind == SYMBOL_CHOICE || root->kind == SYMBOL_RESULT;
  const symbol *other = local ? local_beside(in, root, to) : NULL;
  for (file_unit *u = s->files.first; u && !local && !part && !other; u = u->next)
    if (u->memory) other = taken_in(s, u, root, to);
  if (!other || same_symbol(workspace_root(&s->files, other), root)) return false;
  fail(f, RPC_FAILED, "`%s` is taken: it is a name of another %s", to, symbol_word(other->kind));
  return true;
}

/* ---- names that stand for several ----------------------------------------------------------------------------------------- */

/* Does the dotted name have this part? */
static bool has_part(const char *text, const char *part) {
  const size_t n = strlen(part);
  for (;; text++) {
    const size_t length = strcspn(text, ".");
    if (length == n && memcmp(text, part, n) == 0) return true;
    text += length;
    if (!*text) return false;
  }
}

/* A part that an `exchange` changes, so that there are two of the name, and that the new one has not. */
static bool loses_part(const symbol *root, const char *from, const char *to) {
  const ast_scheme *s = root->home->file->scheme;
  for (int i = 0; strchr(from, '.') && s && i < s->n_decls; i++) {
    const ast_decl *d = s->decls[i];
    if (d->kind != AST_EXCHANGE || root->at.start < d->at.start || root->at.start >= d->at.end) continue;
    for (int k = 0; k < d->part.exchange.n_pairs; k++)
      for (int m = 0; m < 3; m++) {
        const char *part = d->part.exchange.pair[k][m];
        if (part && has_part(from, part) && !has_part(to, part)) return true;
      }
  }
  return false;
}

/* Known at a place of `add boundary a, b` because the rule says it, not the lines that are added. */
static bool is_of_rule(const file_unit *u, const symbol *s, name text, uint32_t at) {
  const bool here = s->home == u && s->at.start >= s->scope.start && s->at.start < s->scope.end;
  return !here && at >= s->scope.start && at < s->scope.end && strcmp(s->text, text) == 0;
}

/* A use that stands for this name in one rule, and for another rule's name in that one. */
static bool is_shared(const file_unit *u, const occurrence *o, const symbol *root) {
  bool own = false, other = false;
  for (int i = 0; i < u->locals.n; i++) {
    const symbol *s = u->locals.at[i];
    if (!is_of_rule(u, s, root->text, o->start)) continue;
    if (same_symbol(s, root)) own = true;
    else other = true;
  }
  return own && other;
}

static bool is_shared_by_rules(server *s, const symbol *root, failure *f) {
  const bool of_rule = root->decl && root->decl->kind == AST_BOUNDARY &&
                       (root->kind == SYMBOL_ARGUMENT || root->kind == SYMBOL_LOCAL);
  for (file_unit *u = s->files.first; of_rule && u; u = u->next)
    for (int i = 0; u->memory && i < u->seen.n; i++) {
      const occurrence *o = &u->seen.at[i];
      if (strcmp(o->of->text, root->text) != 0 || !is_shared(u, o, root)) continue;
      const char *slash = strrchr(u->path, '/');
      fail(f, RPC_FAILED, "line %d of %s reads `%s` of several rules: rename it in each by hand",
           text_at(&u->text, o->start).line + 1, slash ? slash + 1 : u->path, root->text);
      return true;
    }
  return false;
}

/* ---- the edits --------------------------------------------------------------------------------------------------------- */

typedef struct use {
  file_unit *unit;
  uint32_t start, end;
  char *text; /* what takes its place */
  long shift; /* how far it and the uses before it in its file move what stands behind */
} use;

typedef struct renaming {
  server *server;
  use *use;
  int n, room;
  const char *from, *to; /* the text under the cursor, and the new one */
  bool parts;            /* copies of an exchange: the last part of each stays */
  bool differs;          /* a use has another text than the declaration */
  bool memory;           /* ran out */
  const file_unit *last; /* the file that was asked for last, and its uses */
  const use *first;
  int count;
} renaming;

/* `F.y` where `F.x` becomes `G.x`: `G.y`. */
static char *new_text(renaming *r, const char *old, size_t n) {
  size_t length = strlen(r->from);
  if (n == length && memcmp(old, r->from, n) == 0) return strdup(r->to);
  const char *dot = strrchr(r->from, '.'), *new_dot = strrchr(r->to, '.');
  size_t front = dot ? (size_t)(dot - r->from) : 0;
  bool same_last = dot && new_dot && strcmp(dot, new_dot) == 0;
  if (!r->parts || !same_last || n <= front || memcmp(old, r->from, front) != 0 || old[front] != '.') {
    r->differs = true;
    return strdup(r->to);
  }
  size_t kept = (size_t)(new_dot - r->to);
  char *text = malloc(kept + n - front + 1);
  if (!text) return NULL;
  memcpy(text, r->to, kept);
  memcpy(text + kept, old + front, n - front);
  text[kept + n - front] = '\0';
  return text;
}

static void add_use(void *ctx, file_unit *u, const occurrence *o) {
  renaming *r = ctx;
  if (r->n == r->room) {
    int room = r->room ? 2 * r->room : 64;
    use *bigger = realloc(r->use, sizeof *bigger * (size_t)room);
    if (!bigger) {
      r->memory = true;
      return;
    }
    r->use = bigger;
    r->room = room;
  }
  char *text = new_text(r, u->text.bytes + o->start, o->end - o->start);
  if (!text) {
    r->memory = true;
    return;
  }
  long before = r->n && r->use[r->n - 1].unit == u ? r->use[r->n - 1].shift : 0;
  long grows = (long)strlen(text) - (long)(o->end - o->start);
  r->use[r->n++] = (use){u, o->start, o->end, text, before + grows};
}

static void free_uses(renaming *r) {
  for (int i = 0; i < r->n; i++) free(r->use[i].text);
  free(r->use);
}

/* ---- afterwards every name means what it meant --------------------------------------------------------------------------- */

/* The uses in a file: they stand together, in its order. */
static const use *uses_in(renaming *r, const file_unit *u, int *n) {
  if (r->last != u) {
    int first = 0, end;
    while (first < r->n && r->use[first].unit != u) first++;
    for (end = first; end < r->n && r->use[end].unit == u;) end++;
    r->last = u, r->first = r->use + first, r->count = end - first;
  }
  *n = r->count;
  return r->first;
}

/* A place in a text once the uses before it are replaced. */
static uint32_t moved(const use *all, int n, uint32_t at) {
  int lo = 0, hi = n;
  while (lo < hi) {
    int mid = lo + (hi - lo) / 2;
    if (all[mid].start < at) lo = mid + 1;
    else hi = mid;
  }
  return (uint32_t)((long)at + (lo > 0 ? all[lo - 1].shift : 0));
}

static file_unit *open_one(renaming *r, workspace *trial, const file_unit *u) {
  int n;
  const use *all = uses_in(r, u, &n);
  size_t size = (size_t)((long)u->text.size + (n ? all[n - 1].shift : 0));
  char *bytes = malloc(size + 1), *to = bytes;
  uint32_t from = 0;
  for (int i = 0; bytes && i < n; i++) {
    memcpy(to, u->text.bytes + from, all[i].start - from);
    to = stpcpy(to + (all[i].start - from), all[i].text);
    from = all[i].end;
  }
  if (bytes) memcpy(to, u->text.bytes + from, u->text.size - from);
  file_unit *t = bytes ? workspace_open(trial, u->path, bytes, size) : NULL;
  free(bytes);
  return t;
}

static bool open_renamed(renaming *r, workspace *trial) {
  for (const file_unit *u = r->server->files.first; u; u = u->next)
    if (u->memory && !open_one(r, trial, u)) return false;
  return true;
}

/* Where a symbol is declared, once the uses in that file are replaced. */
static uint32_t moved_home(renaming *r, const symbol *s) {
  int n;
  const use *all = uses_in(r, s->home, &n);
  return moved(all, n, s->at.start);
}

static bool same_meaning(renaming *r, workspace *trial, file_unit *u, failure *f) {
  file_unit *t = workspace_unit(trial, u->path);
  if (!t) return false;
  unit_index(&r->server->files, u);
  unit_index(trial, t);
  int n;
  const use *all = NULL;
  for (int i = 0; i < u->seen.n || i < t->seen.n; i++) {
    const occurrence *a = i < u->seen.n ? &u->seen.at[i] : NULL, *b = i < t->seen.n ? &t->seen.at[i] : NULL;
    const symbol *was = a ? workspace_root(&r->server->files, a->of) : NULL,
                 *is = b ? workspace_root(trial, b->of) : NULL;
    all = uses_in(r, u, &n);
    bool same = was && is && strcmp(was->home->path, is->home->path) == 0 &&
                moved_home(r, was) == is->at.start && moved(all, n, a->start) == b->start;
    if (same) continue;
    const char *slash = strrchr(u->path, '/');
    int line = a ? text_at(&u->text, a->start).line : text_at(&t->text, b->start).line;
    fail(f, RPC_FAILED, "with `%s` a name in line %d of %s would mean something else: choose another", r->to,
         line + 1, slash ? slash + 1 : u->path);
    return false;
  }
  return true;
}

static bool is_safe(renaming *r, failure *f) {
  workspace *trial = &r->server->trial;
  workspace_destroy(trial);
  *trial = (workspace){.generation = 1,
                       .question = 1,
                       .shipped = r->server->files.shipped,
                       .recovery = &r->server->recovery,
                       .pool = r->server->files.pool};
  bool good = open_renamed(r, trial);
  if (!good) fail(f, RPC_INTERNAL, "out of memory");
  for (file_unit *u = r->server->files.first; u && good; u = u->next)
    good = !u->memory || same_meaning(r, trial, u, f);
  workspace_destroy(trial);
  return good && !f->code;
}

/* ---- the answer -------------------------------------------------------------------------------------------------------- */

static cJSON *edits_of(const renaming *r) {
  cJSON *edit = cJSON_CreateObject(), *changes = cJSON_AddObjectToObject(edit, "changes");
  for (int i = 0; i < r->n; i++) {
    const use *one = &r->use[i];
    char *uri = uri_of_path(one->unit->path);
    for (const document *d = r->server->documents; d; d = d->next)
      if (d->unit == one->unit && uri) free(uri), uri = strdup(d->uri);
    if (!uri) continue;
    cJSON *list = cJSON_GetObjectItemCaseSensitive(changes, uri);
    if (!list) list = cJSON_AddArrayToObject(changes, uri);
    cJSON_AddItemToArray(list, json_edit(one->unit, one->start, one->end, one->text));
    free(uri);
  }
  return edit;
}

static void mention_cases(server *s, const symbol *root) {
  bool named = root->kind == SYMBOL_PARAMETER || root->kind == SYMBOL_VARIANT ||
               root->kind == SYMBOL_CHOICE || root->kind == SYMBOL_STATE || root->kind == SYMBOL_GIVEN ||
               root->kind == SYMBOL_BOUNDARY || root->kind == SYMBOL_EQUATION ||
               root->kind == SYMBOL_GLOBAL || root->kind == SYMBOL_ARGUMENT;
  if (!named || (root->kind == SYMBOL_ARGUMENT && !root->param)) return;
  cJSON *m = cJSON_CreateObject();
  cJSON_AddNumberToObject(m, "type", 3);
  cJSON_AddStringToObject(m, "message", "Cases (Lua files) and profiles that name this are not changed.");
  rpc_notify(s, "window/showMessage", m);
}

cJSON *answer_prepare_rename(server *s, const cJSON *params, failure *f) {
  uint32_t offset;
  document *d = asked_document(s, params, &offset, f);
  const occurrence *o = d ? unit_occurrence(&s->files, d->unit, offset) : NULL;
  return d && may_rename(s, o, f) ? json_range(d->unit, o->start, o->end) : NULL;
}

cJSON *answer_rename(server *s, const cJSON *params, failure *f) {
  uint32_t offset;
  document *d = asked_document(s, params, &offset, f);
  const char *to = json_text(params, "newName");
  const occurrence *o = d ? unit_occurrence(&s->files, d->unit, offset) : NULL;
  if (d && !to) fail(f, RPC_PARAMS, "newName is missing");
  if (!d || !to || !may_rename(s, o, f)) return NULL;
  const symbol *root = workspace_root(&s->files, o->of);
  renaming r = {.server = s, .to = to, .parts = root->exchanged};
  if (!is_new_name(root, to, f)) return NULL;
  char *from = strndup(d->unit->text.bytes + o->start, o->end - o->start);
  r.from = from ? from : "";
  each_use(s, o->of, add_use, &r);
  if (!from || r.memory) fail(f, RPC_INTERNAL, "out of memory");
  else if (r.differs || loses_part(root, r.from, to))
    fail(f, RPC_FAILED,
         "`%s` stands in an `exchange` that makes other names of it: rename `F.x` to `G.x`, other names by "
         "hand",
         r.from);
  cJSON *edit =
      !f->code && !is_taken(s, d->unit, root, to, f) && !is_shared_by_rules(s, root, f) && is_safe(&r, f)
          ? edits_of(&r)
          : NULL;
  if (edit) mention_cases(s, root);
  free_uses(&r);
  free(from);
  return edit;
}
