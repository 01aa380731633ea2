/* The fuzz target of the whole compiler without a fuzzer: all schemes of some folders as they are, then `n` mutants of them, which
 * the seed determines.
 *   build_some N SEED FOLDER...     each must be compiled or refused; a mutant that is neither is printed by the target itself */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz_build.h"

enum { MOST_FILES = 2000, LARGEST = 20000 };

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

typedef struct file {
  unsigned char *text;
  size_t size;
} file;

static int read_folder(const char *folder, file *out, int n) {
  DIR *dir = opendir(folder);
  for (struct dirent *d; dir && (d = readdir(dir)) && n < MOST_FILES;) {
    char path[1000];
    size_t length = strlen(d->d_name);
    if (length < 4 || strcmp(d->d_name + length - 3, ".ew") != 0) continue;
    snprintf(path, sizeof path, "%s/%s", folder, d->d_name);
    FILE *in = fopen(path, "rb");
    file f = {.text = malloc(LARGEST)};
    if (in && f.text) f.size = fread(f.text, 1, LARGEST, in);
    if (in) fclose(in);
    out[n++] = f;
  }
  if (dir) closedir(dir);
  return n;
}

int main(int argc, char **argv) {
  static file all[MOST_FILES];
  int n = 0, mutants = argc > 3 ? atoi(argv[1]) : -1;
  uint64_t seed = argc > 3 ? strtoull(argv[2], NULL, 10) : 0;
  for (int i = 3; i < argc; i++) n = read_folder(argv[i], all, n);
  if (mutants < 0 || n == 0) {
    fputs("usage: build_some N SEED FOLDER...\n", stderr);
    return 2;
  }
  int failed = 0;
  for (int i = 0; i < n; i++) failed += LLVMFuzzerTestOneInput(all[i].text, all[i].size) != 0;
  unsigned char *text = malloc(LARGEST);
  for (int i = 0; text && i < mutants; i++) {
    uint64_t key = seed * 1000003u + (uint64_t)i;
    const file *f = &all[(key * 0x9e3779b97f4a7c15ULL >> 20) % (uint64_t)n];
    memcpy(text, f->text, f->size);
    size_t size = mutate_scheme(text, f->size, LARGEST, key);
    failed += LLVMFuzzerTestOneInput(text, size) != 0;
  }
  printf("%d schemes and %d mutants, %d with another status than 0 or 3\n", n, mutants, failed);
  for (int i = 0; i < n; i++) free(all[i].text);
  free(text);
  return failed ? 1 : 0;
}
