/* Meshes made by the gmsh command from a .geo file. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "device/spawn.h"
#include "run/run.h"
#include "case/paths.h"

enum { MOST_NUMBERS = 64, FIXED_WORDS = 12 };

static const char *base_name(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

/* Numbers given to the recipe are part of the file's name, so that changing one makes a new mesh. */
static void mesh_name(const ew_case *c, char *name, size_t size) {
  const char *base = base_name(c->mesh.path);
  size_t stem = strcspn(base, "."), used = (size_t)snprintf(name, size, "%.*s", (int)stem, base);
  for (int i = 0; i < c->mesh.n_numbers && used < size; i++)
    used +=
        (size_t)snprintf(name + used, size - used, "_%s%s", c->mesh.number[i].name, c->mesh.number[i].value);
  if (used < size) snprintf(name + used, size - used, ".msh");
}

static bool is_newer(const char *file, const char *than) {
  struct stat a, b;
  if (stat(file, &a) != 0 || stat(than, &b) != 0) return false;
  return a.st_mtim.tv_sec > b.st_mtim.tv_sec ||
         (a.st_mtim.tv_sec == b.st_mtim.tv_sec && a.st_mtim.tv_nsec >= b.st_mtim.tv_nsec);
}

/* The lines with which gmsh reports errors; its chatter is long. */
static void pick_errors(const char *log, char *out, size_t size) {
  size_t used = 0;
  *out = '\0';
  for (const char *at = log; *at;) {
    size_t n = strcspn(at, "\n");
    if (n > 5 && strncmp(at, "Error", 5) == 0 && used < size)
      used += (size_t)snprintf(out + used, size - used, "\n  %.*s", (int)n, at);
    at += n + (at[n] == '\n');
  }
}

static ew_status call_gmsh(const ew_case *c, const char *recipe, const char *target, ew_error *err) {
  const char *words[FIXED_WORDS + 3 * MOST_NUMBERS] = {"gmsh", recipe, "-format", "msh41", "-bin",
                                                       "-nt",  "1",    "-o",      target,  "-save"};
  int n = 9, exit_code = 0;
  char *log = NULL, errors[2048];
  /* what dimension to mesh in is the recipe's business if it says `Mesh N;`, else volumes before surfaces */
  words[n++] = "-3";
  for (int i = 0; i < c->mesh.n_numbers && i < MOST_NUMBERS; i++) {
    words[n++] = "-setnumber";
    words[n++] = c->mesh.number[i].name;
    words[n++] = c->mesh.number[i].value;
  }
  ew_status status = spawn_capture((char *const *)words, "/dev/null", &log, &exit_code, err);
  if (status != EW_OK)
    ew_context(err, "%s: the mesh is made by gmsh, which cannot be run (Debian: apt-get install gmsh)",
               recipe);
  else if (exit_code != 0) {
    pick_errors(log, errors, sizeof errors);
    status = ew_fail(err, EW_INPUT, "%s: gmsh made no mesh (exit status %d)%s", recipe, exit_code, errors);
  }
  free(log);
  return status;
}

/* ---- numbers that a recipe does not know ------------------------------------------------------------------------------- */

static ew_status read_recipe(const char *recipe, size_t size, char **text, ew_error *err) {
  FILE *f = fopen(recipe, "rb");
  *text = calloc(size + 1, 1);
  ew_status status = EW_OK;
  if (!*text) status = ew_fail(err, EW_FAIL, "out of memory for %s", recipe);
  else if (!f || fread(*text, 1, size, f) != size) status = ew_fail(err, EW_IO, "%s: cannot be read", recipe);
  if (f) fclose(f);
  return status;
}

static bool is_of_word(char c) { return isalnum((unsigned char)c) || c == '_'; }

static bool has_word(const char *text, const char *word) {
  size_t n = strlen(word);
  for (const char *at = text; (at = strstr(at, word)); at += n)
    if ((at == text || !is_of_word(at[-1])) && !is_of_word(at[n])) return true;
  return false;
}

/* Gmsh takes any number, and one that nothing reads changes nothing. A recipe that reads other files may use it there. */
static ew_status check_numbers(const ew_case *c, const char *recipe, size_t size, ew_error *err) {
  char *text = NULL;
  ew_status status;
  EW_CHECK(read_recipe(recipe, size, &text, err));
  if (has_word(text, "Include") || has_word(text, "Merge")) goto cleanup;
  for (int i = 0; i < c->mesh.n_numbers && status == EW_OK; i++)
    if (!has_word(text, c->mesh.number[i].name))
      status = ew_fail(err, EW_INPUT,
                       "%s: the recipe has no number '%s'\nhint: it takes those that it declares: "
                       "DefineConstant[ %s = ... ];",
                       recipe, c->mesh.number[i].name, c->mesh.number[i].name);
cleanup:
  free(text);
  return status;
}

/* ---- the mesh ---------------------------------------------------------------------------------------------------------- */

ew_status exec_mesh_recipe(const ew_case *c, char *mesh_file, size_t size, ew_error *err) {
  ew_status status = EW_OK;
  char recipe[EW_PATH], name[NAME_MAX + 1], folder[EW_PATH], making[EW_PATH];
  struct stat st;
  exec_find_file(c, c->mesh.path, false, recipe, sizeof recipe);
  mesh_name(c, name, sizeof name);
  exec_output_file(c, name, mesh_file, size);
  if (stat(recipe, &st) != 0) return ew_fail(err, EW_IO, "%s: there is no such file", recipe);
  EW_CHECK(check_numbers(c, recipe, (size_t)st.st_size, err));
  if (is_newer(mesh_file, recipe)) return EW_OK;
  exec_output_folder(c, folder, sizeof folder);
  EW_CHECK(exec_make_folder(folder, err));
  /* a mesh that was interrupted must not be taken for a finished one */
  snprintf(making, sizeof making, "%s.tmp-%ld-0", mesh_file, (long)getpid());
  status = call_gmsh(c, recipe, making, err);
  if (status != EW_OK) {
    remove(making);
    return status;
  }
  if (rename(making, mesh_file) != 0)
    status = ew_fail(err, EW_INPUT, "%s: gmsh ran but wrote no mesh", recipe);
cleanup:
  return status;
}
