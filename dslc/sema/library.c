/* Files of functions beside the scheme and among the shipped ones: which of them has a function that a scheme calls and does not import. */
#include <dirent.h>
#include <string.h>

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

static const char *library_in(sema *s, const char *folder, name text) {
  const char *first = NULL; /* by name: the folder's order is no order */
  DIR *d = opendir(*folder ? folder : ".");
  for (const struct dirent *e; d && (e = readdir(d));) {
    const size_t n = strlen(e->d_name);
    if (n < 4 || strcmp(e->d_name + n - 3, ".ew") != 0) continue;
    if (first && strncmp(e->d_name, first, n - 3) > 0) continue;
    if (has_function(s, arena_printf(s->memory, "%s%s%s", folder, *folder ? "/" : "", e->d_name), text))
      first = arena_strndup(s->memory, e->d_name, n - 3);
  }
  if (d) closedir(d);
  return first;
}

void hint_at_library(sema *s, diag *d, name text) {
  const char *const *folder = s->files->import_path;
  const char *library = library_in(s, source_folder(s->memory, s->files->path), text);
  for (int i = 0; !library && folder && folder[i]; i++) library = library_in(s, folder[i], text);
  if (library)
    diag_with_hint(s->sink, d, "`import %s of %s` at the top of the file brings the function of that name",
                   text, library);
}
