#include "load.h"

#include <errno.h>
#include <string.h>

#include "base/scheme_files.h"
#include "sema/declared.h"
#include "sema/extend.h"

/* Each file is read once, however often it is named, and its scheme put together once. */
typedef struct loaded_file {
  const char *path;
  ast_file *file;
  const ast_scheme *scheme; /* as a whole, once it was asked for */
  bool whole, imported;     /* whole: `scheme` is known; imported: its functions are among the imports */
  bool found;               /* the files that it imports have been looked for */
  bool complete;            /* a library: what it imports by name is among its functions */
} loaded_file;

/* ---- files -------------------------------------------------------------------------------------------------------- */

static void cannot_read(loader *l, const char *path, int error) {
  if (error == ENOMEM) arena_fail(l->memory);          /* no fault of the file's */
  uint32_t file = source_add(l->sources, path, "", 0); /* so that the message has a place */
  diag_report(l->sink, DIAG_UNKNOWN_IMPORT, (span){file, 0, 0}, "cannot read %s: %s", path, strerror(error));
}

static loaded_file *add_file(loader *l, const char *path, uint32_t file) {
  loaded_file *f = arena_new(l->memory, loaded_file);
  f->path = path;
  f->file = parse_file(l->memory, l->names, l->sources, file, l->sink);
  vec_push(l->memory, &l->files, f);
  return f;
}

/* The text of a file, or what stands for it. 0, or errno. */
static int load_text(loader *l, const char *path, uint32_t *file) {
  for (int i = 0; i < l->options->sources.n_buffers; i++) {
    const dslc_setting *b = &l->options->sources.buffer[i];
    if (strcmp(b->name, path) != 0) continue;
    *file = source_add(l->sources, path, b->value, (uint32_t)strlen(b->value));
    return 0;
  }
  return source_load(l->sources, path, file);
}

/* The options' file; NULL: it cannot be read. */
static loaded_file *load_first(loader *l) {
  uint32_t file;
  const dslc_options *o = l->options;
  int error = 0;
  if (o->text) file = source_add(l->sources, o->path, o->text, (uint32_t)strlen(o->text));
  else error = load_text(l, o->path, &file);
  if (error) {
    cannot_read(l, o->path, error);
    return NULL;
  }
  return add_file(l, o->path, file);
}

static loaded_file *load_main(loader *l) {
  loaded_file *f = load_first(l);
  if (!f || f->file->scheme || diag_errors(l->sink)) return f;
  diag *d =
      diag_report(l->sink, DIAG_NO_SCHEME, (span){f->file->file, 0, 0}, "%s declares no scheme", f->path);
  diag_with_hint(
      l->sink, d,
      "a scheme reads  scheme name on mesh(2) { ... }; a file of functions alone can only be imported");
  return NULL;
}

/* A file that is loaded, or can be, at this path; NULL: there is none, or it is unread. */
static loaded_file *file_at(loader *l, const char *path) {
  for (int i = 0; i < l->files.n; i++)
    if (strcmp(l->files.at[i]->path, path) == 0) return l->files.at[i];
  uint32_t file;
  const int error = load_text(l, path, &file);
  if (error == 0) return add_file(l, path, file);
  if (error == ENOMEM) arena_fail(l->memory);
  if (error != ENOENT && error != ENOTDIR && error != ENAMETOOLONG)
    l->unread.path = path, l->unread.error = error;
  return NULL;
}

/* NAME.ew beside the file that names it, else in the folders of the options. */
static loaded_file *find_file(loader *l, const char *asking, name text) {
  l->unread.path = NULL;
  const char *const *folder = l->options->sources.import_path;
  loaded_file *f = file_at(l, arena_printf(l->memory, "%s%s.ew", source_folder(l->memory, asking), text));
  for (int i = 0; !f && !l->unread.path && folder && folder[i]; i++)
    f = file_at(l, arena_printf(l->memory, "%s/%s.ew", folder[i], text));
  return f;
}

typedef struct file_names {
  arena *memory;
  VEC(const char *) all;
} file_names;

static void add_name(void *to, const char *stem) {
  file_names *names = to;
  vec_push(names->memory, &names->all, arena_printf(names->memory, "%s", stem));
}

/* What may have been meant; NULL: no file there has such a name. */
static const char *nearest_file(loader *l, const char *asking, name text) {
  const char *const *folder = l->options->sources.import_path;
  file_names names = {.memory = l->memory};
  scheme_files_each(source_folder(l->memory, asking), add_name, &names);
  for (int i = 0; folder && folder[i]; i++) scheme_files_each(folder[i], add_name, &names);
  return nearest_name(text, names.all.at, names.all.n);
}

/* `find_file` found none. */
static void report_no_file(loader *l, diag_code code, span at, const char *what, const char *asking,
                           name text) {
  if (l->unread.path) {
    diag_report(l->sink, code, at, "cannot %s `%s`: %s cannot be read: %s", what, text, l->unread.path,
                strerror(l->unread.error));
    return;
  }
  diag *d = diag_report(l->sink, code, at, "cannot %s `%s`: there is no %s%s.ew", what, text,
                        source_folder(l->memory, asking), text);
  const char *near = nearest_file(l, asking, text);
  if (near) diag_with_hint(l->sink, d, "did you mean `%s`?", near);
  else
    diag_with_hint(l->sink, d,
                   code == DIAG_EXTENSION_BASE
                       ? "the extended scheme's file lies beside this one, or among the shipped schemes"
                       : "an imported file lies beside the scheme, or among the shipped schemes");
}

/* ---- imports ------------------------------------------------------------------------------------------------------- */

static const ast_scheme *whole_scheme(loader *l, loaded_file *f);

static bool report_scheme(loader *l, const ast_import *wanted, const ast_scheme *scheme) {
  diag *d = diag_report(l->sink, DIAG_IMPORTED_SCHEME, wanted->at,
                        "`%s` is a scheme: say what of it is imported", wanted->file);
  diag_with_span(l->sink, d, scheme->name_at, "the scheme is declared here");
  diag_with_hint(l->sink, d,
                 "import NAME, NAME of %s  brings functions and equations; scheme NAME extends %s { ... } "
                 "takes over all",
                 wanted->file, wanted->file);
  return false;
}

static bool load_imports(loader *l, loaded_file *f, bool seen);

/* seen: by the scheme itself, not by one that it extends, or of which it imports names. */
static bool load_import(loader *l, const char *asking, const ast_import *wanted, bool seen) {
  loaded_file *f = find_file(l, asking, wanted->file);
  if (!f) {
    report_no_file(l, DIAG_UNKNOWN_IMPORT, wanted->at, "import", asking, wanted->file);
    return false;
  }
  if (wanted->n_names) return load_imports(l, f, false);
  if (f->file->scheme) return report_scheme(l, wanted, f->file->scheme);
  if (!seen) return load_imports(l, f, false);
  if (f->imported) return true;
  f->imported = true;
  vec_push(l->memory, &l->imports, f->file);
  return load_imports(l, f, true);
}

/* Imports of imports too. */
static bool load_imports(loader *l, loaded_file *f, bool seen) {
  bool good = true;
  if (f->found && !seen) return true;
  f->found = true;
  for (int i = 0; i < f->file->n_imports; i++)
    good = load_import(l, f->path, &f->file->imports[i], seen) && good;
  return good;
}

static void complete_library(loader *l, loaded_file *f);

/* The functions that a file sees: its own, and those of the files that it imports as a whole. */
typedef struct function_list {
  VEC(ast_decl *) decl;
  VEC(loaded_file *) file;
} function_list;

static void add_functions(loader *l, loaded_file *f, function_list *to) {
  for (int i = 0; i < to->file.n; i++)
    if (to->file.at[i] == f) return;
  vec_push(l->memory, &to->file, f);
  complete_library(l, f);
  for (int i = 0; i < f->file->n_functions; i++) vec_push(l->memory, &to->decl, f->file->functions[i]);
  for (int i = 0; i < f->file->n_imports; i++) {
    const ast_import *wanted = &f->file->imports[i];
    loaded_file *from = wanted->n_names ? NULL : find_file(l, f->path, wanted->file);
    if (from && !from->file->scheme) add_functions(l, from, to);
  }
}

/* What can be imported of a file: the functions that it sees, and its scheme's declarations. */
static import_source source_of(loader *l, loaded_file *f, name text) {
  const ast_scheme *s = f->file->scheme ? whole_scheme(l, f) : NULL;
  function_list all = {0};
  add_functions(l, f, &all);
  for (int i = 0; s && i < s->n_decls; i++) vec_push(l->memory, &all.decl, s->decls[i]);
  return (import_source){text, all.decl.at, all.decl.n};
}

static bool is_being_made(const loader *l, const loaded_file *f) {
  for (int i = 0; i < l->making.n; i++)
    if (l->making.at[i] == f->path) return true;
  return false;
}

static void report_import_circle(loader *l, const loaded_file *f, const ast_import *wanted) {
  diag *d = diag_report(l->sink, DIAG_IMPORTED_SCHEME, wanted->at,
                        "`%s` cannot give names to `%s`, which it is made of itself", wanted->file,
                        f->file->scheme ? f->file->scheme->text : f->path);
  diag_with_hint(l->sink, d, "put what both need into a third file");
}

/* The file of the scheme that this one's extends; NULL: none, or it cannot be found. */
static loaded_file *base_of(loader *l, const loaded_file *f) {
  const ast_scheme *s = f->file->scheme;
  return s && s->base ? find_file(l, f->path, s->base) : NULL;
}

typedef VEC(uint32_t) file_list;

/* Those whose declarations are the scheme's own. */
static file_list own_files(loader *l, const loaded_file *f) {
  file_list all = {0};
  for (; f && all.n <= l->files.n; f = base_of(l, f)) vec_push(l->memory, &all, f->file->file);
  return all;
}

static const ast_scheme *with_imported_names(loader *l, loaded_file *f, const ast_scheme *scheme) {
  function_list seen = {0};
  const file_list own = own_files(l, f);
  add_functions(l, f, &seen);
  for (int i = 0; i < f->file->n_imports; i++) {
    const ast_import *wanted = &f->file->imports[i];
    loaded_file *from = wanted->n_names ? find_file(l, f->path, wanted->file) : NULL;
    if (from && is_being_made(l, from)) report_import_circle(l, f, wanted);
    if (!from || is_being_made(l, from)) continue;
    const import_source source = source_of(l, from, wanted->file),
                        here = {f->path, seen.decl.at, seen.decl.n};
    const import_request request = {scheme, !f->file->scheme, wanted, &source, &here, own.at, own.n};
    scheme = import_names(l->memory, l->names, &request, l->sink);
  }
  return scheme;
}

/* What a file of functions imports by name is among its functions then. */
static void complete_library(loader *l, loaded_file *f) {
  bool names = false;
  for (int i = 0; i < f->file->n_imports; i++) names = names || f->file->imports[i].n_names > 0;
  if (f->complete || f->file->scheme || !names) return;
  f->complete = true;
  vec_push(l->memory, &l->making, f->path);
  const ast_scheme own = {.decls = f->file->functions, .n_decls = f->file->n_functions};
  const ast_scheme *all = with_imported_names(l, f, &own);
  f->file->functions = all->decls, f->file->n_functions = all->n_decls;
  l->making.n--;
}

/* ---- the scheme that is extended ------------------------------------------------------------------------------------ */

static loaded_file *find_base(loader *l, const loaded_file *f, const ast_scheme *own) {
  loaded_file *base = find_file(l, f->path, own->base);
  if (!base) {
    report_no_file(l, DIAG_EXTENSION_BASE, own->base_at, "extend", f->path, own->base);
    return NULL;
  }
  if (!base->file->scheme) {
    diag *d = diag_report(l->sink, DIAG_EXTENSION_BASE, own->base_at,
                          "cannot extend `%s`: %s declares no scheme", own->base, base->path);
    diag_with_hint(l->sink, d, "a file of functions is imported: import %s", own->base);
    return NULL;
  }
  if (!is_being_made(l, base)) return base;
  diag *d =
      diag_report(l->sink, DIAG_EXTENSION_BASE, own->base_at, "scheme `%s` would extend itself", own->text);
  diag_with_span(l->sink, d, base->file->scheme->name_at, "`%s` is this scheme", own->base);
  diag_with_hint(l->sink, d,
                 "a scheme beside this file comes before a shipped one: give the file another name");
  return NULL;
}

static bool declares(const ast_scheme *s, const ast_decl *d) {
  for (int i = 0; i < s->n_decls; i++)
    if (s->decls[i]->kind == AST_FUNCTION && is_same_place(s->decls[i]->name_at, d->name_at)) return true;
  return false;
}

/* The functions that its file sees are the scheme's, too, so that they can be replaced; but for those that every file sees. */
static const ast_scheme *with_functions(loader *l, loaded_file *f, const ast_scheme *s) {
  VEC(ast_decl *) all = {0};
  function_list seen = {0};
  add_functions(l, f, &seen);
  for (int i = 0; i < seen.file.n; i++)
    for (int k = 0; !seen.file.at[i]->imported && k < seen.file.at[i]->file->n_functions; k++)
      if (!declares(s, seen.file.at[i]->file->functions[k]))
        vec_push(l->memory, &all, seen.file.at[i]->file->functions[k]);
  for (int i = 0; i < s->n_decls; i++) vec_push(l->memory, &all, s->decls[i]);
  ast_scheme *more = arena_new(l->memory, ast_scheme);
  *more = *s;
  more->decls = all.at, more->n_decls = all.n;
  return more;
}

static const ast_scheme *extended(loader *l, loaded_file *f, const ast_scheme *own) {
  loaded_file *base = find_base(l, f, own);
  if (!base) return own;
  load_imports(l, base, false);
  const ast_scheme *all = with_functions(l, base, whole_scheme(l, base));
  if (diag_errors(l->sink)) return own; /* of a scheme with mistakes nothing can be said */
  return extend_scheme(l->memory, l->names, all, own, false, l->sink);
}

static const ast_scheme *whole_scheme(loader *l, loaded_file *f) {
  if (f->whole) return f->scheme;
  vec_push(l->memory, &l->making, f->path);
  const ast_scheme *s = expand_exchange(l->memory, l->names, f->file->scheme, l->sink);
  if (s->base) s = extended(l, f, s);
  else check_no_extension(s, l->sink);
  f->scheme = with_imported_names(l, f, s);
  l->making.n--;
  f->whole = true;
  return f->scheme;
}

/* ---- the whole ------------------------------------------------------------------------------------------------------- */

/* The file's scheme with what the options add to it. It goes on under its own name. */
static const ast_scheme *with_addition(loader *l, loaded_file *f) {
  const dslc_options *o = l->options;
  const ast_scheme *base = whole_scheme(l, f);
  if (!o->sources.addition || diag_errors(l->sink)) return base;
  uint32_t file = source_add(l->sources, o->sources.addition_path, o->sources.addition,
                             (uint32_t)strlen(o->sources.addition));
  loaded_file *added = add_file(l, o->sources.addition_path, file);
  if (!added->file->scheme || diag_errors(l->sink)) return base;
  const ast_scheme *own = expand_exchange(l->memory, l->names, added->file->scheme, l->sink);
  const ast_scheme *all = extend_scheme(l->memory, l->names, base, own, true, l->sink);
  ast_scheme *named = arena_new(l->memory, ast_scheme);
  *named = *all;
  named->text = base->text;
  return named;
}

const ast_file *load_scheme(loader *l) {
  loaded_file *f = load_main(l);
  if (!f || !load_imports(l, f, true) || diag_errors(l->sink)) return NULL;
  f->imported = true;
  ast_file *whole = arena_new(l->memory, ast_file);
  *whole = *f->file;
  whole->scheme = (ast_scheme *)with_addition(l, f);
  return diag_errors(l->sink) ? NULL : whole;
}

/* The files of a scheme that is put together, as they are written; what they import as a whole is among the imports then. */
static const ast_file *const *chain_from(loader *l, loaded_file *f, int *n) {
  VEC(const ast_file *) chain = {0};
  function_list seen = {0};
  for (; f; f = base_of(l, f)) {
    vec_push(l->memory, &chain, f->file);
    f->imported = true; /* its own functions are no import */
    add_functions(l, f, &seen);
  }
  for (int i = 0; i < seen.file.n; i++)
    if (!seen.file.at[i]->imported) vec_push(l->memory, &l->imports, seen.file.at[i]->file);
  *n = chain.n;
  return chain.at;
}

const ast_file *const *load_chain(loader *l, int *n) {
  loaded_file *f = load_first(l);
  if (!f || diag_errors(l->sink)) return NULL;
  if (load_imports(l, f, true) && f->file->scheme) whole_scheme(l, f);
  return diag_errors(l->sink) ? NULL : chain_from(l, f, n);
}
