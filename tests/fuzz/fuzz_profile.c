/* Any file as the profile of a device: read, and what was read is written, read and written the same again. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz_file.h"
#include "mutate.h"
#include "profile/profile.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static void require(bool condition) {
  if (!condition) abort();
}

static char *read_all(const char *path) {
  FILE *f = fopen(path, "rb");
  char *text = calloc(1, 1 << 20);
  fuzz_need(f && text);
  fuzz_need(fread(text, 1, (1 << 20) - 1, f) > 0);
  fclose(f);
  return text;
}

/* Every number of it is written so that it comes back. */
static void go_round(const device_profile *p) {
  ew_error err = {0};
  device_profile again = {0};
  const char *path = fuzz_file("again.profile", "", 0);
  fuzz_need(path != NULL);
  if (profile_write(p, path, &err) != EW_OK) return;
  char *first = read_all(path);
  ew_status status = profile_read(path, &again, &err);
  require(status == EW_OK || status == EW_FAIL || status == EW_IO);
  fuzz_need(status == EW_OK && profile_write(&again, path, &err) == EW_OK);
  char *second = read_all(path);
  require(strcmp(first, second) == 0);
  free(first);
  free(second);
  profile_clear(&again);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  ew_error err = {0};
  device_profile p = {0};
  const char *path = fuzz_file("some.profile", bytes, size);
  if (!path) return 0;
  if (profile_read(path, &p, &err) == EW_OK) go_round(&p);
  else require(err.text[0] != '\0' && err.status != EW_INTERNAL);
  profile_clear(&p);
  return 0;
}
