/* JSON with a member of another kind than its reader expects: still JSON, so that what stands behind the syntax is asked. */
#include <stdlib.h>
#include <string.h>

#include <cJSON.h>

#include "mesh/random.h"
#include "random.h"

static size_t count_members(const cJSON *item) {
  size_t n = 0;
  for (const cJSON *at = item->child; at; at = at->next) n += 1 + count_members(at);
  return n;
}

/* The member of that number in the order of the text, and whose it is. */
static cJSON *find_member(cJSON *item, size_t *number, cJSON **parent) {
  for (cJSON *at = item->child; at; at = at->next) {
    if ((*number)-- == 0) return *parent = item, at;
    cJSON *within = at->child ? find_member(at, number, parent) : NULL;
    if (within) return within;
  }
  return NULL;
}

static cJSON *another_value(uint64_t *state) {
  static const char *const texts[] = {"",         "inf", "-inf", "nan", "no such thing", "$p0.7 + pi true",
                                      "1 2 3 4 ;"};
  static const double numbers[] = {0, -1, 0.5, 3, 1e300, 2147483648.0};
  switch (random_below(state, 6)) {
  case 0: return cJSON_CreateNull();
  case 1: return cJSON_CreateBool((int)random_below(state, 2));
  case 2: return cJSON_CreateArray();
  case 3: return cJSON_CreateObject();
  case 4: return cJSON_CreateNumber(numbers[random_below(state, sizeof numbers / sizeof *numbers)]);
  default: return cJSON_CreateString(texts[random_below(state, sizeof texts / sizeof *texts)]);
  }
}

/* Of the caller; NULL: the text is no JSON with members. */
char *exchange_member(const char *json, uint64_t *state) {
  cJSON *root = cJSON_Parse(json), *parent = NULL;
  const size_t n = root ? count_members(root) : 0;
  size_t number = n ? random_below(state, n) : 0;
  cJSON *member = n ? find_member(root, &number, &parent) : NULL,
        *other = member ? another_value(state) : NULL;
  if (other && member->string) other->string = strdup(member->string);
  char *text = NULL;
  if (other && cJSON_ReplaceItemViaPointer(parent, member, other)) text = cJSON_PrintUnformatted(root);
  cJSON_Delete(root);
  return text;
}
