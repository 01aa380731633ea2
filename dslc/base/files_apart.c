/* Whether two paths of a command line are one file. */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "options.h"

/* Of a file that is not there yet: the folder that it will be in. False: there is none. */
static bool stat_folder(const char *path, struct stat *info, const char **name) {
  const char *slash = strrchr(path, '/');
  char *folder = slash == path ? strdup("/") : slash ? strndup(path, (size_t)(slash - path)) : strdup(".");
  const bool good = folder && stat(folder, info) == 0;
  free(folder);
  *name = slash ? slash + 1 : path;
  return good;
}

static bool is_same(const struct stat *a, const struct stat *b) {
  return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

/* Devices and pipes hold nothing that could be replaced. */
bool cli_same_file(const char *a, const char *b) {
  struct stat x, y;
  const char *one, *two;
  const bool first = stat(a, &x) == 0, second = stat(b, &y) == 0;
  if (first && second) return is_same(&x, &y) && S_ISREG(x.st_mode);
  if (first || second) return false;
  return stat_folder(a, &x, &one) && stat_folder(b, &y, &two) && is_same(&x, &y) && strcmp(one, two) == 0;
}

int cli_files_apart(const cli_call *call, const cli_file *file, int n_read, int n) {
  for (int i = n_read; i < n; i++)
    for (int k = 0; k < i && file[i].path; k++)
      if (file[k].path && cli_same_file(file[i].path, file[k].path))
        return cli_fail(call, CLI_USAGE, "%s would be written over %s: both are '%s'; give it another name",
                        file[i].what, file[k].what, file[i].path);
  return CLI_OK;
}
