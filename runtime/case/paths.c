#include "case/paths.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/shipped.h"
#include "base/words.h"
#include "run/run.h"

/* A folder of the scheme's name is no scheme. */
static bool exists(const char *path) {
  struct stat s;
  return stat(path, &s) == 0 && !S_ISDIR(s.st_mode) && access(path, R_OK) == 0;
}

/* A case run from its own folder has the folder "". False if the path is too long: it is cut off where no call takes it (base/path.h). */
static bool join(char *path, size_t size, const char *folder, const char *name) {
  bool alone = !folder || !*folder || name[0] == '/';
  int n = alone ? snprintf(path, size, "%s", name) : snprintf(path, size, "%s/%s", folder, name);
  return n >= 0 && (size_t)n < size;
}

void exec_find_file(const ew_case *c, const char *name, bool is_scheme, char *path, size_t size) {
  static const char *const suffix[] = {"", ".ew"};
  join(path, size, c->folder, name);
  if (exists(path) || name[0] == '/' || !is_scheme) return;
  shipped ours;
  shipped_find(&ours, "schemes");
  for (int i = 0; i < 2; i++)
    for (size_t s = 0; s < 2; s++) {
      char file[EW_PATH], candidate[EW_PATH];
      const char *folder = i == 0 ? c->folder : ours.folder;
      snprintf(file, sizeof file, "%s%s", name, suffix[s]);
      if (!join(candidate, sizeof candidate, folder, file) || !exists(candidate)) continue;
      snprintf(path, size, "%s", candidate);
      return;
    }
}

void exec_output_folder(const ew_case *c, char *path, size_t size) {
  if (c->output.folder) snprintf(path, size, "%s", c->output.folder);
  else join(path, size, c->folder, "out");
}

void exec_output_file(const ew_case *c, const char *name, char *path, size_t size) {
  char folder[EW_PATH];
  exec_output_folder(c, folder, sizeof folder);
  join(path, size, folder, name);
}

static ew_status make_one(const char *path, ew_error *err) {
  struct stat s;
  if (mkdir(path, 0777) == 0) return EW_OK;
  if (errno != EEXIST) return ew_fail(err, EW_IO, "%s: cannot be made: %s", path, strerror(errno));
  if (stat(path, &s) == 0 && !S_ISDIR(s.st_mode))
    return ew_fail(err, EW_IO, "%s: cannot be made a folder: there is a file of that name", path);
  return EW_OK;
}

ew_status exec_make_folder(const char *path, ew_error *err) {
  ew_status status = EW_OK;
  char part[EW_PATH];
  snprintf(part, sizeof part, "%s", path);
  for (char *slash = part + 1; *slash; slash++) {
    if (*slash != '/') continue;
    *slash = '\0';
    EW_CHECK(make_one(part, err));
    *slash = '/';
  }
  EW_CHECK(make_one(part, err));
cleanup:
  return status;
}

/* The last part of the folder's path, owned by the caller; NULL: it cannot be told. */
static char *folder_name(const char *folder) {
  char *path = folder ? realpath(*folder ? folder : ".", NULL) : NULL;
  char *name = path ? strdup(strrchr(path, '/') + 1) : NULL;
  free(path);
  return name;
}

/* So that a number and a suffix fit behind it. */
enum { LONGEST_NAME = 200 };

/* It becomes a file's name, and a word of XML and JSON: what cannot be printed must not be in it, nor what is no UTF-8, as a folder's name may
 * be. Cut between characters. */
static void clean_name(char *name) {
  if (strlen(name) > LONGEST_NAME) {
    size_t n = LONGEST_NAME;
    while (n > 0 && ((unsigned char)name[n] & 0xc0) == 0x80) n--;
    name[n] = '\0';
  }
  for (size_t n; *name; name += n > 0 ? n : 1) {
    n = words_character(name);
    if (n == 0 || *name == '/' || (n == 1 && *name <= ' ') || *name == 0x7f) *name = '_';
  }
}

void exec_case_name(const ew_case *c, char *name, size_t size) {
  char *found = c->name ? NULL : folder_name(c->folder);
  const char *text = c->name ? c->name : found;
  snprintf(name, size, "%s", text && *text ? text : "case");
  free(found);
  clean_name(name);
}
