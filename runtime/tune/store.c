/* One JSON file a key: {"key": ..., "settings": {...}}. A file that is none, or another key's, is as good as no file, but told of; one that there is
 * no memory to read is not: what was measured would silently be left aside. */
#include <cJSON.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <xxhash.h>

#include "base/json.h"
#include "device/device.h"
#include "formats/atomic_file.h"
#include "tune/tune.h"

enum { most_bytes = 1 << 16 };

/* False where there is no cache. */
static bool path_of(const char *key, char *path, size_t size) {
  char folder[PATH_MAX];
  if (!dev_cache_dir(folder, sizeof folder) || !*folder) return false;
  unsigned long long hash = XXH3_64bits(key, strlen(key));
  return (size_t)snprintf(path, size, "%s/tune/%016llx.json", folder, hash) < size;
}

static ew_status no_memory(ew_error *err) {
  return ew_fail(err, EW_FAIL, "out of memory for the results of tuning");
}

/* *json stays NULL where there is none; `aside`: or where what is there cannot be read. */
static ew_status read_json(const char *path, cJSON **json, ew_error *aside, ew_error *err) {
  ew_status status = EW_OK;
  errno = 0;
  FILE *file = fopen(path, "rb");
  if (!file && errno == ENOMEM) return no_memory(err);
  if (!file) {
    if (errno != ENOENT) ew_fail(aside, EW_IO, "%s: %s", path, strerror(errno));
    return EW_OK;
  }
  char *text = malloc(most_bytes);
  size_t size = text ? fread(text, 1, most_bytes - 1, file) : 0;
  const int why = ferror(file) ? errno : 0;
  if (text) text[size] = '\0';
  if (!text || ew_parse_json(text, json, err) != EW_OK) status = no_memory(err);
  else if (why) ew_fail(aside, EW_IO, "%s: %s", path, strerror(why));
  else if (!*json) ew_fail(aside, EW_INPUT, "%s is no JSON", path);
  fclose(file);
  free(text);
  return status;
}

static bool read_settings(const cJSON *json, const char *key, tune_setting *settings, int n) {
  const char *stored = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(json, "key"));
  const cJSON *object = cJSON_GetObjectItemCaseSensitive(json, "settings");
  if (!stored || strcmp(stored, key) != 0) return false;
  for (int i = 0; i < n; i++) {
    const cJSON *value = cJSON_GetObjectItemCaseSensitive(object, settings[i].name);
    if (!cJSON_IsNumber(value)) return false;
    settings[i].value = value->valueint;
  }
  return true;
}

ew_status tune_recall(const char *key, tune_setting *settings, int n, bool *found, ew_error *aside,
                      ew_error *err) {
  char path[PATH_MAX];
  cJSON *json = NULL;
  *found = false;
  *aside = (ew_error){0};
  ew_status status = path_of(key, path, sizeof path) ? read_json(path, &json, aside, err) : EW_OK;
  *found = json && read_settings(json, key, settings, n);
  if (json && !*found) ew_fail(aside, EW_INPUT, "%s does not hold the settings of '%s'", path, key);
  cJSON_Delete(json);
  return status;
}

void tune_make_folders(char *path) {
  for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
    *slash = '\0';
    mkdir(path, 0777); /* what cannot be made shows when the file is opened */
    *slash = '/';
  }
}

static char *print_settings(const char *key, const tune_setting *settings, int n) {
  cJSON *json = cJSON_CreateObject();
  bool good = cJSON_AddStringToObject(json, "key", key) != NULL;
  cJSON *object = cJSON_AddObjectToObject(json, "settings");
  for (int i = 0; i < n; i++)
    good = cJSON_AddNumberToObject(object, settings[i].name, settings[i].value) && good;
  char *text = good && object ? ew_print_json(json) : NULL;
  cJSON_Delete(json);
  return text;
}

ew_status tune_remember(const char *key, const tune_setting *settings, int n, ew_error *err) {
  ew_status status = EW_OK;
  char path[PATH_MAX];
  atomic_file *file = NULL;
  if (!path_of(key, path, sizeof path)) return EW_OK;
  char *text = print_settings(key, settings, n);
  if (!text) return no_memory(err);
  tune_make_folders(path);
  EW_CHECK(atomic_file_create(&file, path, err));
  EW_CHECK(atomic_file_print(file, err, "%s\n", text));
  EW_CHECK(atomic_file_commit(&file, false, err));
cleanup:
  atomic_file_destroy(&file);
  free(text);
  return status;
}
