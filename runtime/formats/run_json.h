/* The run's record, run.json: what ran, on what, how long. A dot in a key makes an object: "device.name".
 * Keys keep the order of their first use; a key set twice takes the last value. Setting keeps the first
 * failure (no memory, a key that is a value and an object), which run_json_write then reports. */
#ifndef EW_IO_RUN_JSON_H
#define EW_IO_RUN_JSON_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

typedef struct run_json run_json;

ew_status run_json_create(run_json **out, ew_error *err);
void run_json_destroy(run_json **record);

/* `value` NULL gives null. */
void run_json_text(run_json *record, const char *key, const char *value);
/* `name` of the object at `key`, as it is: names of users may have dots. */
void run_json_named_text(run_json *record, const char *key, const char *name, const char *value);
/* A number that is not finite gives null: JSON has none. */
void run_json_real(run_json *record, const char *key, double value);
void run_json_integer(run_json *record, const char *key, int64_t value);
void run_json_bool(run_json *record, const char *key, bool value);
/* An empty list, and one more text in it. */
void run_json_list(run_json *record, const char *key);
void run_json_item(run_json *record, const char *key, const char *value);

/* Writes the record to `path`, atomically. */
ew_status run_json_write(const run_json *record, const char *path, ew_error *err);

/* The most memory this process has used so far, in bytes; 0 where the system does not tell. */
int64_t run_json_peak_memory(void);

#endif
