/* The scheme that a case names, or the nearest one. */
#include <string.h>
#include <unistd.h>

#include "base/scheme_files.h"
#include "base/shipped.h"
#include "run/run.h"

ew_status exec_find_scheme(const ew_case *c, char *path, size_t size, ew_error *err) {
  char where[512] = "", near[SCHEME_FILES_NAME];
  shipped ours;
  exec_find_file(c, c->build.scheme, true, path, size);
  if (access(path, R_OK) == 0) return EW_OK;
  if (c->build.at.file) snprintf(where, sizeof where, "%s:%d: ", c->build.at.file, c->build.at.line);
  if (scheme_files_nearest(shipped_find(&ours, "schemes")[0], c->build.scheme, near))
    return ew_fail(err, EW_INPUT, "%sthere is no scheme '%s'; did you mean '%s'?", where, c->build.scheme,
                   near);
  return ew_fail(err, EW_INPUT,
                 "%sthere is no scheme '%s': neither in the case's folder nor among those shipped", where,
                 c->build.scheme);
}
