#include "formats/run_json.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include <cJSON.h>

#include "base/json.h"
#include "formats/atomic_file.h"

struct run_json {
  cJSON *root;
  char *bad_key; /* the first key that could not be set, or NULL */
  bool out_of_memory;
};

ew_status run_json_create(run_json **out, ew_error *err) {
  *out = calloc(1, sizeof **out);
  if (*out) (*out)->root = cJSON_CreateObject();
  if (*out && (*out)->root) return EW_OK;
  run_json_destroy(out);
  return ew_fail(err, EW_FAIL, "out of memory for the run's record");
}

void run_json_destroy(run_json **record) {
  if (!*record) return;
  cJSON_Delete((*record)->root);
  free((*record)->bad_key);
  free(*record);
  *record = NULL;
}

/* The object `name` (up to its dot) of `parent`, made if it is not there; NULL if that is a plain value. */
static cJSON *enter(cJSON *parent, const char *name, size_t length) {
  char *key = strndup(name, length);
  if (!key) return NULL;
  cJSON *child = cJSON_GetObjectItemCaseSensitive(parent, key);
  if (!child) child = cJSON_AddObjectToObject(parent, key);
  free(key);
  return cJSON_IsObject(child) ? child : NULL;
}

static bool put(cJSON *object, const char *key, cJSON *value) {
  const cJSON *old = cJSON_GetObjectItemCaseSensitive(object, key); /* k and K are two names */
  if (cJSON_IsObject(old)) return false;
  if (old) return cJSON_ReplaceItemInObjectCaseSensitive(object, key, value);
  return cJSON_AddItemToObject(object, key, value);
}

/* Whether a key cannot be set because a plain value lies on the way to it, or an object at its end. */
static bool is_taken(const cJSON *object, const char *key) {
  for (const char *dot; (dot = strchr(key, '.')); key = dot + 1) {
    const cJSON *child = object->child;
    while (child && !(strncmp(child->string, key, (size_t)(dot - key)) == 0 && !child->string[dot - key]))
      child = child->next;
    if (!child) return false;
    if (!cJSON_IsObject(child)) return true;
    object = child;
  }
  return cJSON_IsObject(cJSON_GetObjectItemCaseSensitive(object, key));
}

/* The object that the keys up to the last dot lead to; NULL if there can be none. *name: what stands behind that. */
static cJSON *enter_all(run_json *record, const char *key, const char **name) {
  cJSON *object = record->root;
  *name = key;
  for (const char *dot; object && (dot = strchr(*name, '.')); *name = dot + 1)
    object = enter(object, *name, (size_t)(dot - *name));
  return object;
}

/* Takes ownership of `value`; NULL means that its creation found no memory. */
static void set(run_json *record, const char *key, cJSON *value) {
  const char *name;
  cJSON *object = enter_all(record, key, &name);
  if (object && value && put(object, name, value)) return;
  cJSON_Delete(value);
  if (!record->bad_key) record->bad_key = strdup(key);
  /* what is there already is no object, or no value: else it was memory that failed */
  if (!is_taken(record->root, key) || !record->bad_key) record->out_of_memory = true;
}

void run_json_text(run_json *record, const char *key, const char *value) {
  set(record, key, value ? cJSON_CreateString(value) : cJSON_CreateNull());
}

void run_json_named_text(run_json *record, const char *key, const char *name, const char *value) {
  const char *last;
  cJSON *object = enter_all(record, key, &last), *text = cJSON_CreateString(value);
  if (object) object = enter(object, last, strlen(last));
  if (object && text && put(object, name, text)) return;
  cJSON_Delete(text);
  record->out_of_memory = true; /* nothing else lies at such keys */
}

void run_json_real(run_json *record, const char *key, double value) {
  set(record, key, isfinite(value) ? cJSON_CreateNumber(value) : cJSON_CreateNull());
}

void run_json_integer(run_json *record, const char *key, int64_t value) {
  char digits[32]; /* as text: cJSON's numbers are doubles, which end at 2^53 */
  snprintf(digits, sizeof digits, "%" PRId64, value);
  set(record, key, cJSON_CreateRaw(digits));
}

void run_json_bool(run_json *record, const char *key, bool value) {
  set(record, key, cJSON_CreateBool(value));
}

void run_json_list(run_json *record, const char *key) { set(record, key, cJSON_CreateArray()); }

void run_json_item(run_json *record, const char *key, const char *value) {
  cJSON *list = cJSON_GetObjectItemCaseSensitive(record->root, key), *item = cJSON_CreateString(value);
  if (item && cJSON_IsArray(list) && cJSON_AddItemToArray(list, item)) return;
  cJSON_Delete(item);
  record->out_of_memory = true;
}

ew_status run_json_write(const run_json *record, const char *path, ew_error *err) {
  ew_status status;
  atomic_file *out = NULL;
  if (record->out_of_memory) return ew_fail(err, EW_FAIL, "out of memory for '%s'", path);
  if (record->bad_key)
    return ew_fail(err, EW_INTERNAL, "cannot write '%s': key '%s' could not be set", path, record->bad_key);
  char *text = ew_print_json(record->root);
  if (!text) return ew_fail(err, EW_FAIL, "out of memory while writing '%s'", path);
  EW_CHECK(atomic_file_create(&out, path, err));
  EW_CHECK(atomic_file_write(out, text, strlen(text), err));
  EW_CHECK(atomic_file_write(out, "\n", 1, err));
  status = atomic_file_commit(&out, false, err);
cleanup:
  atomic_file_destroy(&out);
  free(text);
  return status;
}

int64_t run_json_peak_memory(void) {
  struct rusage usage;
  if (getrusage(RUSAGE_SELF, &usage) != 0) return 0;
  return (int64_t)usage.ru_maxrss * 1024; /* Linux counts KiB */
}
