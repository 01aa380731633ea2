/* walk_guide PROGRAMS SCRATCH PAGE...: does what a page tells its reader to do, in the empty folder SCRATCH/PAGE.
 *
 *   ```lua file=case.lua     (any language) is written to that file
 *   ```sh                    is run by bash, with the folder PROGRAMS in front of the PATH; `exit=3`: must end with that status;
 *                            `needs=gmsh`: is left out, with what its output shows, where that command is missing
 *   ```text output           must be what the commands before printed on stdout and stderr; `...` stands for any text
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fences.h"

typedef struct walk {
  const char *page;
  char folder[512];
  char *output; /* of the last commands, NULL: none yet, or left out */
  int commands;
} walk;

static int failure(const walk *w, const fence *f, const char *what, const char *detail) {
  fprintf(stderr, "%s:%d: %s\n%s", w->page, f->line, what, detail ? detail : "");
  return 1;
}

/* ---- files and commands ------------------------------------------------------------------------------------------- */

static bool write_text(const char *path, const char *text) {
  FILE *f = fopen(path, "wb");
  bool good = f && fputs(text, f) >= 0;
  good = f && fclose(f) == 0 && good;
  if (!good) perror(path);
  return good;
}

static bool write_file(const walk *w, const fence *f, const char *name) {
  char path[1200];
  snprintf(path, sizeof path, "%s/%s", w->folder, name);
  for (char *slash = path + strlen(w->folder) + 1; (slash = strchr(slash, '/')); *slash++ = '/') {
    *slash = '\0';
    if (mkdir(path, 0777) != 0 && errno != EEXIST) return false;
  }
  return write_text(path, f->text);
}

static int shell(const char *command) {
  int status = system(command);
  return status >= 0 && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static bool has_command(const char *name) {
  char command[200];
  snprintf(command, sizeof command, "command -v %s >/dev/null", name);
  return shell(command) == 0;
}

static int run_commands(walk *w, const fence *f) {
  char word[32], script[1200], command[4096], output[1200];
  int wanted = fence_value(f, "exit", word, sizeof word) ? atoi(word) : 0;
  free(w->output);
  w->output = NULL;
  if (fence_value(f, "needs", word, sizeof word) && !has_command(word)) {
    printf("%s:%d: left out, %s is not installed\n", w->page, f->line, word);
    return 0;
  }
  snprintf(script, sizeof script, "%s/.commands", w->folder);
  snprintf(output, sizeof output, "%s/.output", w->folder);
  if (!write_text(script, f->text)) return 1;
  snprintf(command, sizeof command, "cd '%s' && bash -e .commands >.output 2>&1 </dev/null", w->folder);
  int status = shell(command);
  w->output = page_read(output);
  w->commands++;
  if (status == wanted) return 0;
  fprintf(stderr, "%s:%d: these commands ended with %d, not %d\n%s", w->page, f->line, status, wanted,
          w->output ? w->output : "");
  return 1;
}

/* ---- what they print ------------------------------------------------------------------------------------------------ */

/* Whether `text` is `pattern`, in which `...` stands for any text. */
static bool matches(const char *pattern, const char *text) {
  const char *dots = strstr(pattern, "...");
  size_t n = dots ? (size_t)(dots - pattern) : strlen(pattern);
  if (strncmp(pattern, text, n) != 0) return false;
  if (!dots) return text[n] == '\0';
  for (text += n;; text++) {
    if (matches(dots + 3, text)) return true;
    if (*text == '\0') return false;
  }
}

static int check_output(const walk *w, const fence *f) {
  if (!w->output || matches(f->text, w->output)) return 0;
  return failure(w, f, "the commands before print something else:", w->output);
}

/* ---- pages ------------------------------------------------------------------------------------------------------------ */

static int take_block(walk *w, const fence *f) {
  char name[256];
  if (fence_value(f, "file", name, sizeof name))
    return write_file(w, f, name) ? 0 : failure(w, f, "cannot write this file", NULL);
  if (fence_is(f, "sh")) return run_commands(w, f);
  if (fence_is(f, "text") && fence_has(f, "output")) return check_output(w, f);
  return 0;
}

/* Kernels built by an earlier walk may stay; what it tuned would be printed otherwise. */
static bool make_folder(walk *w, const char *scratch) {
  char command[1200];
  const char *slash = strrchr(w->page, '/');
  snprintf(w->folder, sizeof w->folder, "%s/%s", scratch, slash ? slash + 1 : w->page);
  char *dot = strrchr(w->folder, '.');
  if (dot) *dot = '\0';
  snprintf(command, sizeof command,
           "rm -rf '%s' \"${EDGEWISE_CACHE_DIR:-$PWD/none}/tune\" "
           "\"${EDGEWISE_DATA_DIR:-$PWD/none}/profiles\" && mkdir -p '%s'",
           w->folder, w->folder);
  return shell(command) == 0;
}

static int walk_page(const char *page, const char *scratch) {
  walk w = {.page = page};
  fences blocks;
  int bad = 0;
  if (!fences_read(page, &blocks) || !make_folder(&w, scratch)) return 1;
  for (int i = 0; i < blocks.n && !bad; i++) bad = take_block(&w, &blocks.at[i]);
  printf("%s: %d blocks of commands run%s\n", page, w.commands, bad ? ", then it failed" : "");
  free(w.output);
  fences_destroy(&blocks);
  return bad;
}

static bool prepend_path(const char *programs) {
  char path[8192];
  const char *old = getenv("PATH");
  snprintf(path, sizeof path, "%s:%s", programs, old ? old : "/usr/bin:/bin");
  return setenv("PATH", path, 1) == 0;
}

int main(int argc, char **argv) {
  int bad = 0;
  if (argc < 4 || !prepend_path(argv[1])) {
    fprintf(stderr, "usage: walk_guide PROGRAMS SCRATCH PAGE...\n");
    return 2;
  }
  for (int i = 3; i < argc; i++) bad += walk_page(argv[i], argv[2]);
  return bad > 0;
}
