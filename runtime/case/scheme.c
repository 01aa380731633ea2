/* The scheme that a case names, or the nearest one. */
#include <dirent.h>
#include <string.h>
#include <unistd.h>

#include "base/shipped.h"
#include "options.h"
#include "run/run.h"

enum { MOST_SCHEMES = 128, NAME_BYTES = 64 };

/* The names of the schemes in a folder, without ".ew". Returns how many. */
static int list_schemes(const char *folder, char name[][NAME_BYTES]) {
  DIR *d = opendir(folder);
  int n = 0;
  if (!d) return 0;
  for (const struct dirent *e = readdir(d); e && n < MOST_SCHEMES; e = readdir(d)) {
    size_t length = strlen(e->d_name);
    if (length <= 3 || length - 3 >= NAME_BYTES || strcmp(e->d_name + length - 3, ".ew") != 0) continue;
    memcpy(name[n], e->d_name, length - 3);
    name[n++][length - 3] = '\0';
  }
  closedir(d);
  return n;
}

static const char *nearest_scheme(const char *wrong, char name[][NAME_BYTES]) {
  const char *known[MOST_SCHEMES];
  shipped ours;
  int n = list_schemes(shipped_find(&ours, "schemes")[0], name);
  for (int i = 0; i < n; i++) known[i] = name[i];
  return cli_nearest(wrong, known, n);
}

ew_status exec_find_scheme(const ew_case *c, char *path, size_t size, ew_error *err) {
  char where[512] = "", name[MOST_SCHEMES][NAME_BYTES];
  exec_find_file(c, c->build.scheme, true, path, size);
  if (access(path, R_OK) == 0) return EW_OK;
  if (c->build.at.file) snprintf(where, sizeof where, "%s:%d: ", c->build.at.file, c->build.at.line);
  const char *near = nearest_scheme(c->build.scheme, name);
  if (near)
    return ew_fail(err, EW_INPUT, "%sthere is no scheme '%s'; did you mean '%s'?", where, c->build.scheme,
                   near);
  return ew_fail(err, EW_INPUT,
                 "%sthere is no scheme '%s': neither in the case's folder nor among those shipped", where,
                 c->build.scheme);
}
