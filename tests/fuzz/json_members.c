/* JSON that stays JSON while its members change, so that what stands behind the syntax is asked. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "json_members.h"

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

/* A value of the text once more, within a list or an object or alone; or one of another kind. */
static cJSON *another(cJSON *all, uint64_t *h) {
  static const char *const OTHER[] = {"null",       "true",    "0",    "-1",        "0.5",
                                      "2147483648", "1e999",   "\"\"", "\"`x`<&\"", "\"inf\"",
                                      "\"-inf\"",   "\"nan\"", "[]",   "{}"};
  cJSON *parent;
  int kind = choose(h, 4);
  if (kind == 3) return cJSON_Parse(OTHER[choose(h, sizeof OTHER / sizeof *OTHER)]);
  cJSON *copy = cJSON_Duplicate(any(all, h, &parent), true);
  return kind == 2 ? copy : around(copy, kind == 0);
}

/* A text of words, as formulas are: one of them left out, twice, or another one. NULL: it is no text, or there is no memory. */
static cJSON *reworded(const cJSON *at, uint64_t *h) {
  static const char *const OTHER[] = {"", "+", "sqrt", "if", "1e999", "$x.9", "$u.0", "?", "true", "nan"};
  const char *text = cJSON_IsString(at) ? at->valuestring : NULL;
  const size_t n = text ? strlen(text) : 0;
  char *made = n ? malloc(2 * n + 16) : NULL;
  if (!made) return NULL;
  size_t from = (size_t)choose(h, (int)n), to = from;
  while (from > 0 && text[from - 1] != ' ') from--;
  while (to < n && text[to] != ' ') to++;
  const char *instead = OTHER[choose(h, sizeof OTHER / sizeof *OTHER)];
  if (choose(h, 3)) sprintf(made, "%.*s%s%s", (int)from, text, instead, text + to);
  else sprintf(made, "%.*s %.*s%s", (int)to, text, (int)(to - from), text + from, text + to);
  cJSON *with = cJSON_CreateString(made);
  free(made);
  return with;
}

void json_change(cJSON *all, uint64_t *h) {
  cJSON *parent, *at = any(all, h, &parent), *with = choose(h, 2) ? reworded(at, h) : NULL;
  if (!with) with = another(all, h);
  if (parent && choose(h, 4)) {
    free(with->string);
    with->string = at->string ? strdup(at->string) : NULL;
    cJSON_ReplaceItemViaPointer(parent, at, with);
  } else if (cJSON_IsArray(at)) cJSON_AddItemToArray(at, with);
  else if (cJSON_IsObject(at)) cJSON_AddItemToObject(at, at->child ? at->child->string : "case", with);
  else cJSON_Delete(with);
}
