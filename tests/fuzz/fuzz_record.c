/* Any file as the record of a run, run.json: a page about it, its comparison with itself and with another; and as measurements, for a page about those. */
#include <cJSON.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/path.h"
#include "fuzz_file.h"
#include "json_members.h"
#include "mutate.h"
#include "report/report.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);
size_t LLVMFuzzerMutate(uint8_t *bytes, size_t size, size_t most);
size_t LLVMFuzzerCustomMutator(uint8_t *bytes, size_t size, size_t most, unsigned seed);

static void require(bool condition) {
  if (!condition) abort();
}

/* A report fails for what was read, or for want of memory: nothing else stands in its way here. */
static void require_reason(ew_status status, const ew_error *err) {
  require(status == EW_OK || err->text[0] != '\0');
  require(status == EW_OK || status == EW_INPUT || status == EW_FAIL || status == EW_IO);
}

static void compare(const char *a, const char *b, ew_status expected) {
  ew_error err = {0};
  char *text = NULL;
  size_t n = 0;
  int same = -1;
  FILE *out = open_memstream(&text, &n);
  fuzz_need(out != NULL);
  const ew_status status = report_compare(a, b, (report_agreement){0}, out, &same, &err);
  fclose(out);
  free(text);
  require_reason(status, &err);
  fuzz_need(status == expected);
  require(status != EW_OK || same == 0 || same == 1);
}

static void folder_of(const char *path, char *folder, size_t size) {
  snprintf(folder, size, "%.*s", (int)(strrchr(path, '/') - path), path);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  ew_error err = {0};
  char folder[EW_PATH];
  const char *path = fuzz_file("run.json", bytes, size), *page = fuzz_file("page.html", "", 0);
  if (!path || !page) return 0;
  folder_of(path, folder, sizeof folder);
  const report_options options = {.folder = folder, .path = page};
  const ew_status status = report_write(&options, NULL, &err);
  require_reason(status, &err);
  compare(folder, folder, status);
  err = (ew_error){0};
  require_reason(report_bench(path, page, &err), &err);
  return 0;
}

/* ---- mutants that are still JSON ----------------------------------------------------------------------------------------- */

size_t LLVMFuzzerCustomMutator(uint8_t *bytes, size_t size, size_t most, unsigned seed) {
  uint64_t h = seed * 0x9e3779b97f4a7c15ULL + 1;
  cJSON *all = seed % 4 ? cJSON_ParseWithLength((const char *)bytes, size) : NULL;
  for (int times = 1 + (int)(seed / 4 % 3); all && times > 0; times--) json_change(all, &h);
  char *text = all ? cJSON_PrintUnformatted(all) : NULL;
  size_t n = text ? strlen(text) : 0;
  cJSON_Delete(all);
  if (n > 0 && n <= most) memcpy(bytes, text, n);
  else n = LLVMFuzzerMutate(bytes, size, most);
  free(text);
  return n;
}
