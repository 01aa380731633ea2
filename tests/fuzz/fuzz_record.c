/* Any file as the record of a run, run.json: a page about it, its comparison with itself and with another; and as measurements, for a page about those. */
#include <cJSON.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/path.h"
#include "fuzz_file.h"
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
  const ew_status status = report_compare(a, b, 0, out, &same, &err);
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

static int choose(uint64_t *h, int n) {
  *h ^= *h >> 33;
  *h *= 0xff51afd7ed558ccdULL;
  *h ^= *h >> 29;
  return (int)(*h % (uint64_t)n);
}

static int count(const cJSON *v) {
  int n = 1;
  for (const cJSON *one = v->child; one; one = one->next) n += count(one);
  return n;
}

/* The value that *k values come before, below `v` or itself, and what it is a member of. */
static cJSON *find(cJSON *v, int *k, cJSON **parent) {
  if ((*k)-- == 0) return v;
  for (cJSON *one = v->child; one; one = one->next) {
    cJSON *found = find(one, k, parent);
    if (!found) continue;
    if (found == one) *parent = v;
    return found;
  }
  return NULL;
}

static cJSON *any(cJSON *all, uint64_t *h, cJSON **parent) {
  int k = choose(h, count(all));
  *parent = NULL;
  return find(all, &k, parent);
}

static cJSON *around(cJSON *value, bool in_list) {
  cJSON *one = in_list ? cJSON_CreateArray() : cJSON_CreateObject();
  if (in_list) cJSON_AddItemToArray(one, value);
  else cJSON_AddItemToObject(one, "seconds", value);
  return one;
}

/* A value of the record once more, within a list or an object or alone; or one of another kind. */
static cJSON *another(cJSON *all, uint64_t *h) {
  static const char *const OTHER[] = {"null", "true", "0", "-1", "1e999", "\"\"", "\"`x`<&\"", "[]", "{}"};
  cJSON *parent;
  int kind = choose(h, 4);
  if (kind == 3) return cJSON_Parse(OTHER[choose(h, sizeof OTHER / sizeof *OTHER)]);
  cJSON *copy = cJSON_Duplicate(any(all, h, &parent), true);
  return kind == 2 ? copy : around(copy, kind == 0);
}

static void change(cJSON *all, uint64_t *h) {
  cJSON *parent, *at = any(all, h, &parent), *with = another(all, h);
  if (parent && choose(h, 4)) {
    free(with->string);
    with->string = at->string ? strdup(at->string) : NULL;
    cJSON_ReplaceItemViaPointer(parent, at, with);
  } else if (cJSON_IsArray(at)) cJSON_AddItemToArray(at, with);
  else if (cJSON_IsObject(at)) cJSON_AddItemToObject(at, at->child ? at->child->string : "case", with);
  else cJSON_Delete(with);
}

size_t LLVMFuzzerCustomMutator(uint8_t *bytes, size_t size, size_t most, unsigned seed) {
  uint64_t h = seed * 0x9e3779b97f4a7c15ULL + 1;
  cJSON *all = seed % 4 ? cJSON_ParseWithLength((const char *)bytes, size) : NULL;
  for (int times = 1 + choose(&h, 3); all && times > 0; times--) change(all, &h);
  char *text = all ? cJSON_PrintUnformatted(all) : NULL;
  size_t n = text ? strlen(text) : 0;
  cJSON_Delete(all);
  if (n > 0 && n <= most) memcpy(bytes, text, n);
  else n = LLVMFuzzerMutate(bytes, size, most);
  free(text);
  return n;
}
