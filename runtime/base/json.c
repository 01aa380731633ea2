#include "base/json.h"

#include <errno.h>
#include <stdlib.h>

#include "base/words.h"

ew_status ew_parse_json(const char *text, cJSON **json, ew_error *err) {
  errno = 0; /* malloc sets it, the parser does not */
  *json = cJSON_Parse(text);
  return !*json && errno == ENOMEM ? ew_fail(err, EW_FAIL, "out of memory") : EW_OK;
}

static char *as_utf8(char *text) {
  char *valid = text ? words_as_utf8(text) : NULL;
  cJSON_free(text);
  return valid;
}

char *ew_print_json(const cJSON *json) { return as_utf8(cJSON_Print(json)); }
char *ew_print_json_line(const cJSON *json) { return as_utf8(cJSON_PrintUnformatted(json)); }
