/* `import name, ... of FILE`: declarations of another file join a scheme, and with them what their formulas read, as far as the scheme
 * does not declare that itself. Fields do not come along: a scheme says itself what it stores. */
#include <string.h>

#include "sema/declared.h"
#include "sema/extend.h"

typedef struct importer {
  arena *memory;
  intern_pool *names;
  diag_sink *sink;
  const import_request *asked;
  const ast_scheme *scheme;
  const import_source *from, *seen;
  VEC(ast_decl *) out;
  VEC(ast_decl *) todo; /* taken, not looked through */
  VEC(name) local;      /* bound where we look */
  VEC(name) missing;    /* what was reported */
  VEC(span) same;       /* what is there already, and was looked through */
  name wanted;          /* what is being followed, and where it is asked for */
  span wanted_at;
} importer;

static bool is_importable(const importer *m, const ast_decl *d) {
  if (m->asked->library) return d->kind == AST_FUNCTION;
  return d->kind == AST_FUNCTION || d->kind == AST_EQUATION || d->kind == AST_GLOBAL ||
         d->kind == AST_PARAMETER || d->kind == AST_VARIANT;
}

static const ast_decl *find_here(const importer *m, name text, int *which) {
  const ast_decl *d = find_declared(m->scheme->decls, m->scheme->n_decls, text, which);
  if (!d) d = find_declared(m->out.at, m->out.n, text, which);
  return d ? d : find_declared(m->seen->decls, m->seen->n_decls, text, which);
}

/* Of several parameters in one declaration only the one that is asked for. */
static ast_decl *only(importer *m, const ast_decl *d, int which) {
  ast_decl *copy = arena_new(m->memory, ast_decl);
  *copy = *d;
  copy->mode = AST_IMPORTED;
  if (d->kind == AST_PARAMETER) copy->params = &d->params[which], copy->n_params = 1;
  return copy;
}

static void take(importer *m, const ast_decl *d, int which) {
  ast_decl *copy = only(m, d, which);
  vec_push(m->memory, &m->out, copy);
  vec_push(m->memory, &m->todo, copy);
}

/* The very same is there already. What it reads may be another one as this file means it, which is reported. */
static void look_through(importer *m, const ast_decl *d, int which) {
  const span at = declared_span(d, which);
  for (int i = 0; i < m->same.n; i++)
    if (is_same_place(m->same.at[i], at)) return;
  vec_push(m->memory, &m->same, at);
  vec_push(m->memory, &m->todo, only(m, d, which));
}

/* What cannot come along is said once. */
static bool is_first_report(importer *m, name text) {
  for (int i = 0; i < m->missing.n; i++)
    if (m->missing.at[i] == text) return false;
  vec_push(m->memory, &m->missing, text);
  return true;
}

static void check_once(importer *m, name text, span first) {
  for (int i = 0; i < m->from->n_decls; i++)
    for (int k = 0; k < declared_count(m->from->decls[i]); k++) {
      const span at = declared_span(m->from->decls[i], k);
      if (declared_name(m->from->decls[i], k) != text || is_same_place(at, first)) continue;
      if (!is_first_report(m, text)) return;
      diag *g = diag_report(m->sink, DIAG_DUPLICATE_NAME, at, "`%s` is declared twice", text);
      diag_with_span(m->sink, g, first, "it was declared here");
      return;
    }
}

/* Of what the file has twice neither is meant. */
static const ast_decl *find_source(importer *m, name text, int *which) {
  const ast_decl *d = find_declared(m->from->decls, m->from->n_decls, text, which);
  if (d) check_once(m, text, declared_span(d, *which));
  return d;
}

static void report_field(importer *m, const ast_decl *d, int which, span at) {
  name text = declared_name(d, which);
  if (!is_first_report(m, text)) return;
  const bool library = m->asked->library;
  diag *g =
      diag_report(m->sink, DIAG_IMPORTED_SCHEME, m->wanted_at, "`%s` of `%s` reads the %s `%s`, which %s",
                  m->wanted, m->from->text, declared_word(d), text,
                  library ? "a file of functions cannot have" : "this scheme does not declare");
  diag_with_span(m->sink, g, at, "it is read here");
  diag_with_span(m->sink, g, declared_span(d, which), "and declared here");
  if (library)
    diag_with_hint(m->sink, g, "import `%s` of `%s` where the scheme is", m->wanted, m->from->text);
  else
    diag_with_hint(m->sink, g,
                   "declare `%s` in this scheme; `scheme NAME extends %s` takes over all that it declares",
                   text, m->from->text);
}

/* What another import has brought along is not what this file means. */
static void report_other(importer *m, const ast_decl *here, int i, const ast_decl *d, int which, span at) {
  name text = declared_name(d, which);
  if (!is_first_report(m, text)) return;
  diag *g = diag_report(m->sink, DIAG_IMPORTED_SCHEME, m->wanted_at,
                        "`%s` of `%s` reads `%s`, but another import brings a `%s` of its own", m->wanted,
                        m->from->text, text, text);
  diag_with_span(m->sink, g, at, "it is read here");
  diag_with_span(m->sink, g, declared_span(d, which), "this one is meant");
  diag_with_span(m->sink, g, declared_span(here, i), "and this one is there");
  if (here->mode == AST_IMPORTED)
    diag_with_hint(
        m->sink, g,
        "call one of the two otherwise in its file; or declare `%s` in this scheme: then both read that",
        text);
  else
    diag_with_hint(m->sink, g,
                   "call one of the two otherwise in its file; or import by name what is needed of the file "
                   "that brings the other one");
}

/* Declared by the scheme itself, rather than brought by another import? */
static bool is_own(const importer *m, const ast_decl *d, int which) {
  for (int i = 0; i < m->asked->n_own; i++)
    if (declared_span(d, which).file == m->asked->own[i]) return true;
  return false;
}

/* ---- what a formula reads ----------------------------------------------------------------------------------------- */

static bool is_local(const importer *m, name text) {
  for (int i = 0; i < m->local.n; i++)
    if (m->local.at[i] == text) return true;
  return false;
}

static const char *dotted_text(importer *m, const ast_expr *e) {
  if (e->kind == AST_NAME) return e->text;
  const char *front = e->kind == AST_MEMBER ? dotted_text(m, e->arg[0]) : NULL;
  return front ? arena_printf(m->memory, "%s.%s", front, e->text) : NULL;
}

/* The longest part of a dotted name that is declared, as when it is lowered; a block's result is its block. */
static void follow_name(importer *m, const char *text, span at) {
  size_t n = strlen(text), head = strcspn(text, ".");
  if (is_local(m, intern(m->names, text, head))) return;
  while (n > 0) {
    name part = intern(m->names, text, n);
    int which, i;
    const ast_decl *d = find_source(m, part, &which), *here = find_here(m, part, &i);
    const bool same = here && d && is_same_place(declared_span(here, i), declared_span(d, which));
    if (same) look_through(m, d, which);
    else if (here && d && !is_own(m, here, i)) report_other(m, here, i, d, which, at);
    if (here) return;
    if (d && is_importable(m, d)) take(m, d, which);
    else if (d) report_field(m, d, which, at);
    if (d) return;
    while (n > 0 && text[--n] != '.') continue;
  }
}

static void follow(importer *m, const ast_expr *e);

static void follow_one(importer *m, const ast_expr *e) {
  const char *text = e->kind == AST_NAME || e->kind == AST_MEMBER ? dotted_text(m, e) : NULL;
  if (text) {
    follow_name(m, text, e->at);
    return;
  }
  int end = e->kind == AST_INDEX ? 1 : e->n; /* in brackets stand letters */
  for (int i = e->kind == AST_BINARY; i < end; i++) follow(m, e->arg[i]);
}

static void follow(importer *m, const ast_expr *e) {
  for (; e; e = e->kind == AST_BINARY ? e->arg[0] : NULL) follow_one(m, e);
}

static void follow_bindings(importer *m, const ast_binding *b, int n) {
  for (int i = 0; i < n; i++) {
    follow(m, b[i].value);
    for (int k = 0; k < b[i].n_names; k++) vec_push(m->memory, &m->local, b[i].names[k]);
  }
}

static void follow_body(importer *m, const ast_body *b) {
  int bound = m->local.n;
  follow_bindings(m, b->where, b->n_where);
  follow(m, b->expr);
  m->local.n = bound;
}

static void follow_decl(importer *m, const ast_decl *d) {
  m->local.n = 0;
  for (int i = 0; i < d->head.n_params; i++) vec_push(m->memory, &m->local, d->head.param[i]);
  for (int i = 0; i < d->part.block.n; i++) {
    follow_bindings(m, d->part.block.result[i].bindings, d->part.block.result[i].n_bindings);
    follow_body(m, &d->part.block.result[i].body);
    if (d->part.block.result[i].text) vec_push(m->memory, &m->local, d->part.block.result[i].text);
  }
  follow_body(m, &d->body);
  for (int i = 0; d->kind == AST_PARAMETER && i < d->n_params; i++) follow(m, d->params[i].value);
}

/* ---- the whole ---------------------------------------------------------------------------------------------------- */

static void report_unknown_import(importer *m, name text, span at) {
  VEC(const char *) all = {0};
  for (int i = 0; i < m->from->n_decls; i++)
    for (int k = 0; k < declared_count(m->from->decls[i]); k++)
      vec_push(m->memory, &all, declared_name(m->from->decls[i], k));
  const char *near = nearest_name(text, all.at, all.n);
  diag *d = diag_report(m->sink, DIAG_UNKNOWN_IMPORT, at, "cannot import `%s`: `%s` does not declare it",
                        text, m->from->text);
  diag_did_you_mean(m->sink, d, near);
}

static void report_not_importable(importer *m, const ast_decl *d, int which, name text, span at) {
  const bool library = m->asked->library;
  diag *g = diag_report(m->sink, DIAG_IMPORTED_SCHEME, at, "cannot import `%s`%s: it is %s %s of `%s`", text,
                        library ? " into a file of functions" : "",
                        d->kind == AST_EQUATION || d->kind == AST_EXCHANGE ? "an" : "a", declared_word(d),
                        m->from->text);
  diag_with_span(m->sink, g, declared_span(d, which), "it is declared here");
  if (library) diag_with_hint(m->sink, g, "import it where the scheme is");
  else
    diag_with_hint(m->sink, g,
                   "functions, equations, globals, parameters and variants can be imported; `scheme NAME "
                   "extends %s` takes over all",
                   m->from->text);
}

/* Is the very same there already, by this import or another one? */
static bool is_there(const importer *m, const ast_decl *d, int which, name text) {
  int i;
  const ast_decl *here = find_here(m, text, &i);
  return here && is_same_place(declared_span(here, i), declared_span(d, which));
}

static void want(importer *m, name text, span at) {
  int which;
  const ast_decl *d = find_source(m, text, &which);
  m->wanted = text;
  m->wanted_at = at;
  if (!d) report_unknown_import(m, text, at);
  else if (!is_importable(m, d)) report_not_importable(m, d, which, text, at);
  else if (is_there(m, d, which, text)) look_through(m, d, which);
  else take(m, d, which);
  while (m->todo.n > 0) follow_decl(m, m->todo.at[--m->todo.n]);
}

const ast_scheme *import_names(arena *a, intern_pool *names, const import_request *r, diag_sink *sink) {
  const ast_scheme *scheme = r->scheme;
  importer m = {.memory = a,
                .names = names,
                .sink = sink,
                .asked = r,
                .scheme = scheme,
                .from = r->from,
                .seen = r->seen};
  for (int i = 0; i < r->wanted->n_names; i++) want(&m, r->wanted->names[i], r->wanted->names_at[i]);
  ast_scheme *all = arena_new(a, ast_scheme);
  *all = *scheme;
  all->n_decls = scheme->n_decls + m.out.n;
  all->decls = arena_array(a, ast_decl *, all->n_decls + 1);
  if (m.out.n) memcpy(all->decls, m.out.at, sizeof *all->decls * (size_t)m.out.n);
  if (scheme->n_decls)
    memcpy(all->decls + m.out.n, scheme->decls, sizeof *all->decls * (size_t)scheme->n_decls);
  return all;
}
