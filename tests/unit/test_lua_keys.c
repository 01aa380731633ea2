/* Entries of tables that have no place in them: nothing of a case may be dropped without a word. The schemas say what there is to try. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <lauxlib.h>

#include "lua/constructors.h"
#include "lua/keys.h"

/* What stands in a table beside an entry that is right, and what is said of it. */
typedef struct wrong {
  const char *text, *said;
} wrong;

static const wrong IN_LIST[] = {{"nil, ITEM", "a hole"},
                                {"ITEM, x = 7", "found x = 7"},
                                {"ITEM, [true] = 7", "found [true] = 7"},
                                {"ITEM, [0] = 7", "found [0] = 7"},
                                {"ITEM, [1.5] = 7", "found [1.5] = 7"}};
static const wrong IN_NAMES[] = {{"x = ITEM, 7", "found 7 without one"},
                                 {"x = ITEM, [5] = ITEM", "without one"},
                                 {"x = ITEM, [true] = 7", "found [true] = 7"}};

/* The text with ITEM replaced. */
static void fill_in(const char *text, const char *item, char *to, size_t room) {
  size_t used = 0;
  for (const char *c = text; *c && used + strlen(item) + 1 < room;) {
    const bool here = strncmp(c, "ITEM", 4) == 0;
    if (here) used += (size_t)snprintf(to + used, room - used, "%s", item);
    else to[used++] = *c;
    c += here ? 4 : 1;
  }
  to[used] = '\0';
}

static int n_tried;

/* `key` = { wrong } must be called wrong, by the name of the key. */
static void refuses(const schema *s, const key_spec *key, const wrong *w, const char *item) {
  char inner[512], text[700];
  lua_State *L = luaL_newstate();
  problem_list p = {0};
  const site at = {.function = "case"};
  fill_in(w->text, item, inner, sizeof inner);
  snprintf(text, sizeof text, "return { %s = { %s } }", key->name, inner);
  assert_int_equal(luaL_dostring(L, text), LUA_OK);
  schema_check(L, -1, s, &at, &p);
  bool said = false;
  for (size_t i = 0; i < p.n; i++)
    said = said || (strstr(p.text[i], w->said) && strstr(p.text[i], key->name));
  if (!said) fail_msg("%s: %s is taken", s->name, text);
  problems_clear(&p);
  lua_close(L);
  n_tried++;
}

static void try_key(const schema *s, const key_spec *key) {
  const bool text = key->kind == KEY_NAMES;
  const keys_kind kind = key->kind == KEY_GROUPS ? KEYS_LIST : key_entries(key);
  const char *item = key->kind == KEY_GROUPS ? "{}" : text ? "\"a\"" : "1";
  for (size_t i = 0; kind == KEYS_LIST && i < sizeof IN_LIST / sizeof *IN_LIST; i++)
    refuses(s, key, &IN_LIST[i], item);
  for (size_t i = 0; kind == KEYS_NAMED && i < sizeof IN_NAMES / sizeof *IN_NAMES; i++)
    refuses(s, key, &IN_NAMES[i], item);
  /* lists below: those of a `boundary` have names among them */
  if (kind == KEYS_NAMED) refuses(s, key, &(wrong){"y = { 1, x = 7 }", "found x = 7"}, item);
  if (key->kind == KEY_LIST && key->entries == KEYS_FREE)
    refuses(s, key, &(wrong){"{ 1, x = 7 }", "found x = 7"}, item);
  if (key->kind == KEY_GROUP) refuses(s, key, &(wrong){"7", "found 7 without a name"}, item);
}

static void try_schema(const schema *s) {
  for (int i = 0; i < s->n; i++) {
    try_key(s, &s->key[i]);
    if (s->key[i].inner) try_schema(s->key[i].inner);
  }
}

static void every_key_of_a_schema_refuses_strays(void **state) {
  (void)state;
  for (int i = 0; i < N_CONSTRUCTORS; i++)
    if (CONSTRUCTOR[i].schema) try_schema(CONSTRUCTOR[i].schema);
  assert_true(n_tried > 150);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(every_key_of_a_schema_refuses_strays)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
