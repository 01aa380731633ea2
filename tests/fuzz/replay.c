/* replay_TARGET [-f MOST] FOLDER...: a fuzz target without a fuzzer, on every file of the folders: seeds, and what once crashed it. -f: on each again
 * and again, with one allocation failing, the first of each place in the program that they come from; MOST a file. */
#include <dirent.h>
#include <limits.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "../faults/inner_faults.h"
#include "mutate.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);
/* Targets with mutators of their own call libFuzzer's; nothing is mutated here. */
size_t LLVMFuzzerMutate(uint8_t *bytes, size_t size, size_t most);
size_t LLVMFuzzerMutate(uint8_t *bytes, size_t size, size_t most) {
  (void)bytes, (void)most;
  return size;
}

typedef struct input {
  uint8_t *bytes;
  size_t n;
} input;

static struct {
  bool on;
  jmp_buf left;
} disturbed;

void fuzz_need(bool condition) {
  if (condition) return;
  if (!disturbed.on) abort();
  longjmp(disturbed.left, 1);
}

static void disturb(void *context, long at) {
  const input *i = context;
  disturbed.on = at > 0;
  if (setjmp(disturbed.left) == 0) {
    inner_faults_begin(at);
    LLVMFuzzerTestOneInput(i->bytes, i->n);
  }
  inner_faults_end();
  disturbed.on = false;
}

static int replay_file(const char *path, long most) {
  struct stat info;
  FILE *f = fopen(path, "rb");
  if (!f || fstat(fileno(f), &info) != 0 || !S_ISREG(info.st_mode)) {
    if (f) fclose(f);
    return 0;
  }
  uint8_t *bytes = malloc((size_t)info.st_size + 1);
  size_t n = bytes ? fread(bytes, 1, (size_t)info.st_size, f) : 0;
  fclose(f);
  printf("%s\n", path);
  fflush(stdout); /* the last one is the one that crashed */
  input in = {bytes, n};
  if (bytes) LLVMFuzzerTestOneInput(bytes, n);
  if (bytes && most > 0) printf("%ld allocations failed\n", inner_faults_sweep(disturb, &in, most));
  free(bytes);
  return 1;
}

int main(int argc, char **argv) {
  int n = 0;
  const long most = argc > 2 && strcmp(argv[1], "-f") == 0 ? atol(argv[2]) : 0;
  for (int i = most > 0 ? 3 : 1; i < argc; i++) {
    DIR *d = opendir(argv[i]);
    if (!d) n += replay_file(argv[i], most);
    for (const struct dirent *e; d && (e = readdir(d));) {
      char path[PATH_MAX];
      if (e->d_name[0] == '.') continue;
      snprintf(path, sizeof path, "%s/%s", argv[i], e->d_name);
      n += replay_file(path, most);
    }
    if (d) closedir(d);
  }
  printf("%d files\n", n);
  return n > 0 ? 0 : 2; /* a replay of nothing shows nothing */
}
