/* replay_TARGET FOLDER...: a fuzz target without a fuzzer, on every file of the folders: seeds, and what once crashed it. */
#include <dirent.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);
/* Targets with mutators of their own call libFuzzer's; nothing is mutated here. */
size_t LLVMFuzzerMutate(uint8_t *bytes, size_t size, size_t most);
size_t LLVMFuzzerMutate(uint8_t *bytes, size_t size, size_t most) {
  (void)bytes, (void)most;
  return size;
}

static int replay_file(const char *path) {
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
  if (bytes) LLVMFuzzerTestOneInput(bytes, n);
  free(bytes);
  return 1;
}

int main(int argc, char **argv) {
  int n = 0;
  for (int i = 1; i < argc; i++) {
    DIR *d = opendir(argv[i]);
    for (const struct dirent *e; d && (e = readdir(d));) {
      char path[PATH_MAX];
      if (e->d_name[0] == '.') continue;
      snprintf(path, sizeof path, "%s/%s", argv[i], e->d_name);
      n += replay_file(path);
    }
    if (d) closedir(d);
  }
  printf("%d files\n", n);
  return n > 0 ? 0 : 2; /* a replay of nothing shows nothing */
}
