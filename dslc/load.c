#include "load.h"

#include <errno.h>
#include <string.h>

#include "sema/extend.h"

/* Each file is read once, however often it is named, and its scheme put together once. */
typedef struct loaded_file {
  const char *path;
  ast_file *file;
  const ast_scheme *scheme; /* as a whole, once it was asked for */
  bool whole, imported;     /* whole: `scheme` is known; imported: its functions are among the imports */
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

/* The folder of `path` with the trailing slash, "" if it has none. */
static const char *folder_of(arena *a, const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? arena_strndup(a, path, (size_t)(slash - path + 1)) : "";
}

/* A file that is loaded, or can be, at this path; NULL: there is none. */
static loaded_file *file_at(loader *l, const char *path) {
  for (int i = 0; i < l->files.n; i++)
    if (strcmp(l->files.at[i]->path, path) == 0) return l->files.at[i];
  uint32_t file;
  return load_text(l, path, &file) == 0 ? add_file(l, path, file) : NULL;
}

/* NAME.ew beside the file that names it, else in the folders of the options. */
static loaded_file *find_file(loader *l, const char *asking, name text) {
  const char *const *folder = l->options->sources.import_path;
  loaded_file *f = file_at(l, arena_printf(l->memory, "%s%s.ew", folder_of(l->memory, asking), text));
  for (int i = 0; !f && folder && folder[i]; i++)
    f = file_at(l, arena_printf(l->memory, "%s/%s.ew", folder[i], text));
  return f;
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

static bool load_imports(loader *l, loaded_file *f);

static bool load_import(loader *l, const char *asking, const ast_import *wanted) {
  loaded_file *f = find_file(l, asking, wanted->file);
  if (!f) {
    diag *d = diag_report(l->sink, DIAG_UNKNOWN_IMPORT, wanted->at, "cannot import `%s`: there is no %s%s.ew",
                          wanted->file, folder_of(l->memory, asking), wanted->file);
    diag_with_hint(l->sink, d, "an imported file lies beside the scheme, or among the shipped schemes");
    return false;
  }
  if (wanted->n_names) return load_imports(l, f);
  if (f->file->scheme) return report_scheme(l, wanted, f->file->scheme);
  if (f->imported) return true;
  f->imported = true;
  vec_push(l->memory, &l->imports, f->file);
  return load_imports(l, f);
}

/* Imports of imports too. */
static bool load_imports(loader *l, loaded_file *f) {
  bool good = true;
  for (int i = 0; i < f->file->n_imports; i++) good = load_import(l, f->path, &f->file->imports[i]) && good;
  return good;
}

/* What a file declares: its functions, and its scheme's declarations. */
static import_source source_of(loader *l, loaded_file *f, name text) {
  const ast_scheme *s = f->file->scheme ? whole_scheme(l, f) : NULL;
  int n = f->file->n_functions, more = s ? s->n_decls : 0;
  ast_decl **all = arena_array(l->memory, ast_decl *, n + more + 1);
  if (n) memcpy(all, f->file->functions, sizeof *all * (size_t)n);
  if (more) memcpy(all + n, s->decls, sizeof *all * (size_t)more);
  return (import_source){text, all, n + more};
}

static const ast_scheme *with_imported_names(loader *l, const loaded_file *f, const ast_scheme *scheme) {
  for (int i = 0; i < f->file->n_imports; i++) {
    const ast_import *wanted = &f->file->imports[i];
    loaded_file *from = wanted->n_names ? find_file(l, f->path, wanted->file) : NULL;
    if (!from) continue;
    import_source source = source_of(l, from, wanted->file);
    scheme = import_names(l->memory, l->names, scheme, wanted, &source, l->sink);
  }
  return scheme;
}

/* ---- the scheme that is extended ------------------------------------------------------------------------------------ */

static loaded_file *find_base(loader *l, const loaded_file *f, const ast_scheme *own) {
  loaded_file *base = find_file(l, f->path, own->base);
  if (!base) {
    diag *d =
        diag_report(l->sink, DIAG_EXTENSION_BASE, own->base_at, "cannot extend `%s`: there is no %s%s.ew",
                    own->base, folder_of(l->memory, f->path), own->base);
    diag_with_hint(l->sink, d,
                   "the extended scheme's file lies beside this one, or among the shipped schemes");
    return NULL;
  }
  if (!base->file->scheme) {
    diag *d = diag_report(l->sink, DIAG_EXTENSION_BASE, own->base_at,
                          "cannot extend `%s`: %s declares no scheme", own->base, base->path);
    diag_with_hint(l->sink, d, "a file of functions is imported: import %s", own->base);
    return NULL;
  }
  for (int i = 0; i < l->extending.n; i++) {
    if (strcmp(l->extending.at[i], base->path) != 0) continue;
    diag *d =
        diag_report(l->sink, DIAG_EXTENSION_BASE, own->base_at, "scheme `%s` would extend itself", own->text);
    diag_with_span(l->sink, d, base->file->scheme->name_at, "`%s` is this scheme", own->base);
    diag_with_hint(l->sink, d,
                   "a scheme beside this file comes before a shipped one: give the file another name");
    return NULL;
  }
  return base;
}

static const ast_scheme *extended(loader *l, loaded_file *f, const ast_scheme *own) {
  loaded_file *base = find_base(l, f, own);
  if (!base) return own;
  if (!base->imported) {
    base->imported = true;
    vec_push(l->memory, &l->imports, base->file);
    load_imports(l, base);
  }
  const ast_scheme *all = whole_scheme(l, base);
  if (diag_errors(l->sink)) return own; /* of a scheme with mistakes nothing can be said */
  return extend_scheme(l->memory, l->names, all, own, l->sink);
}

static const ast_scheme *whole_scheme(loader *l, loaded_file *f) {
  if (f->whole) return f->scheme;
  vec_push(l->memory, &l->extending, f->path);
  const ast_scheme *s = expand_exchange(l->memory, l->names, f->file->scheme, l->sink);
  if (s->base) s = extended(l, f, s);
  else check_no_extension(s, l->sink);
  l->extending.n--;
  f->whole = true;
  return f->scheme = with_imported_names(l, f, s);
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
  const ast_scheme *all = extend_scheme(l->memory, l->names, base, own, l->sink);
  ast_scheme *named = arena_new(l->memory, ast_scheme);
  *named = *all;
  named->text = base->text;
  return named;
}

const ast_file *load_scheme(loader *l) {
  loaded_file *f = load_main(l);
  if (!f || !load_imports(l, f) || diag_errors(l->sink)) return NULL;
  f->imported = true;
  ast_file *whole = arena_new(l->memory, ast_file);
  *whole = *f->file;
  whole->scheme = (ast_scheme *)with_addition(l, f);
  return diag_errors(l->sink) ? NULL : whole;
}

/* The files of a scheme that is put together, as they are written. */
static const ast_file *const *chain_from(loader *l, loaded_file *f, int *n) {
  VEC(const ast_file *) chain = {0};
  while (f) {
    const ast_scheme *s = f->file->scheme;
    vec_push(l->memory, &chain, f->file);
    f = s && s->base ? find_file(l, f->path, s->base) : NULL;
  }
  *n = chain.n;
  return chain.at;
}

const ast_file *const *load_chain(loader *l, int *n) {
  loaded_file *f = load_first(l);
  if (!f || diag_errors(l->sink)) return NULL;
  f->imported = true; /* its own functions are no import */
  if (load_imports(l, f) && f->file->scheme) whole_scheme(l, f);
  return diag_errors(l->sink) ? NULL : chain_from(l, f, n);
}
