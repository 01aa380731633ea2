/* JSON that somebody wrote to a file. */
#ifndef EW_BASE_JSON_H
#define EW_BASE_JSON_H

#include <cJSON.h>

#include "base/error.h"

/* *json: what the text says, or NULL where it is no JSON. Fails only where memory ran out, which the parser itself does not tell apart. */
ew_status ew_parse_json(const char *text, cJSON **json, ew_error *err);

/* As text, which is UTF-8 whatever the strings hold, and the caller's to be freed; NULL without memory. */
char *ew_print_json(const cJSON *json);
char *ew_print_json_line(const cJSON *json);

#endif
