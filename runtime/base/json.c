#include "base/json.h"

#include <errno.h>

ew_status ew_parse_json(const char *text, cJSON **json, ew_error *err) {
  errno = 0; /* malloc sets it, the parser does not */
  *json = cJSON_Parse(text);
  return !*json && errno == ENOMEM ? ew_fail(err, EW_FAIL, "out of memory") : EW_OK;
}
