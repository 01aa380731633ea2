/* Files of functions beside the scheme and among the shipped ones: which of them has a function that a scheme calls and does not import. */
#include <string.h>

#include "base/scheme_files.h"
#include "sema/internal.h"

static bool has_function(sema *s, const char *path, name text) {
  source_set *sources = source_create(s->memory);
  uint32_t number;
  if (source_load(sources, path, &number)) return false;
  if (!strstr(source_get(sources, number)->text, arena_printf(s->memory, "fn %s(", text))) return false;
  const ast_file *file = parse_file(s->memory, s->names, sources, number, diag_create(s->memory, sources));
  bool has = false;
  for (int i = 0; !file->scheme && i < file->n_functions; i++)
    has = has || file->functions[i]->head.text == text;
  return has;
}

typedef struct library_search {
  sema *s;
  const char *folder, *found; /* found: the first by name */
  name text;
} library_search;

static void try_library(void *to, const char *stem) {
  library_search *l = to;
  arena *a = l->s->memory;
  if (!l->found &&
      has_function(l->s, arena_printf(a, "%s%s%s.ew", l->folder, *l->folder ? "/" : "", stem), l->text))
    l->found = arena_printf(a, "%s", stem);
}

static const char *library_in(sema *s, const char *folder, name text) {
  library_search l = {.s = s, .folder = folder, .text = text};
  scheme_files_each(folder, try_library, &l);
  return l.found;
}

void hint_at_library(sema *s, diag *d, name text) {
  const char *const *folder = s->files->import_path;
  const char *library = library_in(s, source_folder(s->memory, s->files->path), text);
  for (int i = 0; !library && folder && folder[i]; i++) library = library_in(s, folder[i], text);
  if (library)
    diag_with_hint(s->sink, d, "`import %s of %s` at the top of the file brings the function of that name",
                   text, library);
}
