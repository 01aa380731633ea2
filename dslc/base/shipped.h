/* Where the files lie that come along with the programs: schemes, profiles of devices. They are looked for beside the program or the shared
 * library that this code is part of, so that an installed tree can be moved: `share/edgewise/NAME` in its folder or one of the four above
 * (bin, lib, lib/ARCHITECTURE; the folders of a build tree, where cmake lays links). Else where this was to be installed. */
#ifndef DSLC_SHIPPED_H
#define DSLC_SHIPPED_H

#include <limits.h>

typedef struct shipped {
  char folder[PATH_MAX + 1];
  const char *list[2]; /* the folder, NULL */
} shipped;

/* Fills `s` for "schemes" or the like and returns s->list, as dslc_options.import_path takes it. */
const char *const *shipped_find(shipped *s, const char *name);

#endif
