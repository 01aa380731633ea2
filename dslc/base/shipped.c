#include "base/shipped.h"

#include <dlfcn.h>
#include <link.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LEVELS = 4 };

/* The file that this code was loaded from. */
static bool find_own_file(char path[PATH_MAX + 1]) {
  Dl_info info;
  struct link_map *map = NULL;
  bool known = dladdr1((void *)(uintptr_t)shipped_find, &info, (void **)&map, RTLD_DL_LINKMAP) != 0 && map;
  if (known && *map->l_name) return realpath(map->l_name, path) != NULL;
  ssize_t n = readlink("/proc/self/exe", path, PATH_MAX); /* the program itself has no name in the map */
  path[n > 0 ? n : 0] = '\0';
  return n > 0;
}

/* The path itself without links, so that messages show where a file really is. */
static bool try_folder(shipped *s, const char *beside, const char *name) {
  char path[PATH_MAX + 1];
  int n = snprintf(path, sizeof path, "%s/share/edgewise/%s", beside, name);
  return n > 0 && n <= PATH_MAX && realpath(path, s->folder) != NULL;
}

const char *const *shipped_find(shipped *s, const char *name) {
  char own[PATH_MAX + 1];
  char *slash = find_own_file(own) ? strrchr(own, '/') : NULL;
  s->list[0] = s->folder, s->list[1] = NULL;
  for (int i = 0; slash && i <= LEVELS; i++, slash = strrchr(own, '/')) {
    *slash = '\0';
    if (try_folder(s, own, name)) return s->list;
  }
  snprintf(s->folder, sizeof s->folder, "%s/%s", EW_INSTALL_DATADIR, name);
  return s->list;
}
