/* inside [-n MOST] [--device SPEC] FOLDER CASE.lua...: runs cases to their ends inside this program, again and again, and lets one allocation fail
 * each time, of each place in the program the first; with files in FOLDER, and without. Each run must end well or say that memory
 * ran out. Prints a line a case. Exit status: 0, 1 where a run says something else, 77 where the allocator is not ours. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "edgewise.h"
#include "inner_faults.h"

typedef struct trial {
  edgewise_options options;
  long codes[128], wrong;
} trial;

/* What programs ask of a run that has ended. */
static edgewise_status look_at(edgewise_run *run) {
  edgewise_field f = {.size = sizeof f};
  edgewise_status status = EDGEWISE_OK;
  const double *volume;
  int64_t n;
  for (int i = 0; i < edgewise_field_count(run) && status == EDGEWISE_OK; i++) {
    status = edgewise_field_at(run, i, &f);
    edgewise_view view = {.size = sizeof view};
    if (status == EDGEWISE_OK && f.role != EDGEWISE_GIVEN && f.location != EDGEWISE_NOWHERE) {
      status = edgewise_map(run, f.name, EDGEWISE_READ, &view);
      if (status == EDGEWISE_OK) status = edgewise_unmap(run, f.name);
    }
  }
  return status == EDGEWISE_OK ? edgewise_volumes(run, &volume, &n) : status;
}

static void ask(void *context, long at) {
  trial *t = context;
  edgewise_run *run = NULL;
  char said[9000] = "out of memory";
  inner_faults_begin(at);
  edgewise_status status = edgewise_open(&t->options, &run);
  if (status == EDGEWISE_OK) status = edgewise_finish(run);
  if (status == EDGEWISE_OK) status = look_at(run);
  inner_faults_end();
  if (run) snprintf(said, sizeof said, "%s", edgewise_message(run));
  edgewise_close(&run);
  t->codes[status & 127]++;
  /* a file that cannot be opened or written for want of memory is an error of the file system */
  bool of_memory = strstr(said, "memory") != NULL;
  if (status == EDGEWISE_OK || (at > 0 && of_memory && (status == EDGEWISE_FAIL || status == EDGEWISE_IO)))
    return;
  t->wrong++;
  printf("%s: allocation %ld: ended with %d: %s\n", t->options.path, at, (int)status, said);
}

static long try_case(const char *path, const char *device, const char *output, long most) {
  trial t = {.options = {.size = sizeof t.options, .path = path, .device = device, .output = output}};
  const long n = inner_faults_sweep(ask, &t, most);
  printf("%-50s %-14s %-10s %6ld places, %ld failures, exit code: runs", path, device,
         output ? "with files" : "no files", n, t.wrong);
  for (int i = 0; i < 128; i++)
    if (t.codes[i]) printf(" %d: %ld", i, t.codes[i]);
  printf("\n");
  fflush(stdout);
  return t.wrong + (n < most && n < 100); /* a case that hardly allocates was not run */
}

int main(int argc, char **argv) {
  const char *device = "c";
  long most = 1 << 20, wrong = 0;
  int at = 1;
  for (; at + 1 < argc && argv[at][0] == '-'; at += 2) {
    if (strcmp(argv[at], "-n") == 0) most = atol(argv[at + 1]);
    else if (strcmp(argv[at], "--device") == 0) device = argv[at + 1];
    else return fprintf(stderr, "inside: there is no option '%s'\n", argv[at]), 2;
  }
  if (at + 1 >= argc)
    return fprintf(stderr, "usage: inside [-n MOST] [--device SPEC] FOLDER CASE.lua...\n"), 2;
  if (!INNER_FAULTS_POSSIBLE) return 77;
  const char *folder = argv[at++];
  for (; at < argc; at++) {
    wrong += try_case(argv[at], device, NULL, most);
    wrong += try_case(argv[at], device, folder, most);
  }
  return wrong > 0;
}
