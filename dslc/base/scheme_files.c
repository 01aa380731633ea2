#include "base/scheme_files.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>

#include "base/intern.h"

static int is_scheme(const struct dirent *e) {
  const size_t n = strlen(e->d_name);
  return n > 3 && strcmp(e->d_name + n - 3, ".ew") == 0;
}

static int by_name(const struct dirent **a, const struct dirent **b) {
  return strcmp((*a)->d_name, (*b)->d_name); /* in any locale */
}

void scheme_files_each(const char *folder, void (*each)(void *to, const char *stem), void *to) {
  struct dirent **entry;
  const int n = scandir(*folder ? folder : ".", &entry, is_scheme, by_name);
  for (int i = 0; i < n; i++) {
    entry[i]->d_name[strlen(entry[i]->d_name) - 3] = '\0';
    each(to, entry[i]->d_name);
    free(entry[i]);
  }
  if (n >= 0) free(entry);
}

enum { MOST_SCHEMES = 128 };

typedef struct scheme_names {
  int n;
  char name[MOST_SCHEMES][SCHEME_FILES_NAME];
} scheme_names;

static void add_scheme(void *to, const char *stem) {
  scheme_names *names = to;
  if (names->n < MOST_SCHEMES && strlen(stem) < SCHEME_FILES_NAME) strcpy(names->name[names->n++], stem);
}

bool scheme_files_nearest(const char *folder, const char *wrong, char near[SCHEME_FILES_NAME]) {
  scheme_names names = {.n = 0};
  const char *known[MOST_SCHEMES];
  scheme_files_each(folder, add_scheme, &names);
  for (int i = 0; i < names.n; i++) known[i] = names.name[i];
  const char *found = nearest_name(wrong, known, names.n);
  if (found) strcpy(near, found);
  return found != NULL;
}
