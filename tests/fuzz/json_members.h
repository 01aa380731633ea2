#ifndef EW_FUZZ_JSON_MEMBERS_H
#define EW_FUZZ_JSON_MEMBERS_H

#include <cJSON.h>
#include <stdint.h>

/* Puts another value in the place of one, or adds one: of another kind, or one of the text itself, alone, in a list or in an object. `chance` goes on. */
void json_change(cJSON *all, uint64_t *chance);

#endif
