/* Names and units in words. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/words.h"

static void comments_give_their_first_clause(void **state) {
  static const char *const pair[][2] = {
      {"water depth", "water depth"},
      {"water depth; never negative", "water depth"},
      {"taken up so far", "taken up so far"},
      {"Manning's roughness (5)", "Manning's roughness"},
      {"pressure. Over density", "pressure"},
      {"of 2.5 m", "of 2.5 m"},
      {"(2)", ""},
      {"", ""},
      {NULL, ""},
      {"below this depth a cell has no velocity of its own and takes that of others", ""}};
  char text[100];
  (void)state;
  for (size_t i = 0; i < sizeof pair / sizeof *pair; i++) {
    words_of_comment(pair[i][0], text, sizeof text);
    assert_string_equal(text, pair[i][1]);
  }
}

static void lists_of_numbers_agree(void **state) {
  static const struct {
    const char *a, *b;
    double within;
    bool agree;
  } pair[] = {{"", "", 0, true},
              {"wall", "wall", 0, true},
              {"wall", "inflow", 1, false},
              {"1", "1.0000000000001", 1e-12, true},
              {"1", "1.0000000000001", 0, false},
              {"1, 2", "1, 2.0000000000001", 1e-12, true},
              {"1, 2", "1", 1e-12, false},
              {"1, 2", "1, 3", 1e-12, false},
              {"1", "1 m", 1e-12, false},
              {"0", "1e-300", 1e-12, false},
              {"-1", "1", 1e-12, false},
              {"nan", "nan", 0, true},
              {"nan", "1", 1, false},
              {"", "1", 1, false}};
  (void)state;
  for (size_t i = 0; i < sizeof pair / sizeof *pair; i++)
    if (words_agree(pair[i].a, pair[i].b, pair[i].within) != pair[i].agree)
      fail_msg("'%s' and '%s' within %g", pair[i].a, pair[i].b, pair[i].within);
}

static void powers_are_raised(void **state) {
  static const char *const pair[][2] = {{"m^2/s", "m²/s"},
                                        {"s^-1", "s⁻¹"},
                                        {"kg*m^10", "kg*m¹⁰"},
                                        {"s/m^(1/3)", "s/m^(1/3)"},
                                        {"m^0.5", "m^0.5"},
                                        {"m^", "m^"},
                                        {"", ""}};
  char text[32], small[3];
  (void)state;
  for (size_t i = 0; i < sizeof pair / sizeof *pair; i++) {
    words_of_unit(pair[i][0], text, sizeof text);
    assert_string_equal(text, pair[i][1]);
  }
  words_of_unit("m^2", small, sizeof small); /* no room for two bytes behind it */
  assert_string_equal(small, "m");
}

static void the_mark_is_three_bytes(void **state) {
  (void)state;
  assert_int_equal(words_mark("\xef\xbb\xbft,Q", 6), 3);
  assert_int_equal(words_mark("\xef\xbb\xbf", 2), 0);
  assert_int_equal(words_mark("t,Q", 3), 0);
}

static void bytes_that_are_no_utf8_are_replaced(void **state) {
  static const char *const pair[][2] = {{"", ""},
                                        {"caf\u00e9 \u6c34 \U0001f30a", "caf\u00e9 \u6c34 \U0001f30a"},
                                        {"caf\xe9", "caf?"},  /* Latin-1 */
                                        {"\xe9t\xe9", "?t?"}, /* an end that is no tail */
                                        {"\xc0\xaf", "??"},   /* longer than needed */
                                        {"\xe0\x80\xaf", "???"},
                                        {"\xed\xa0\x80", "???"},      /* half a pair */
                                        {"\xf4\x90\x80\x80", "????"}, /* past the last one */
                                        {"\xef\xbf\xbe", "???"},      /* none, says XML */
                                        {"\xf8\x88\x80\x80\x80", "?????"},
                                        {"\xe6\xb0", "??"}};
  (void)state;
  for (size_t i = 0; i < sizeof pair / sizeof *pair; i++) {
    char *text = words_as_utf8(pair[i][0]), shown[64] = "", *to = shown;
    for (const char *at = text; *at;) {
      const bool unknown = strncmp(at, WORDS_UNKNOWN, 3) == 0;
      *to++ = unknown ? '?' : *at;
      at += unknown ? 3 : 1;
    }
    assert_string_equal(shown, pair[i][1]);
    assert_true(words_are_utf8(text));
    assert_int_equal(words_are_utf8(pair[i][0]), strcmp(pair[i][0], pair[i][1]) == 0);
    free(text);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(comments_give_their_first_clause), cmocka_unit_test(powers_are_raised),
      cmocka_unit_test(lists_of_numbers_agree), cmocka_unit_test(bytes_that_are_no_utf8_are_replaced),
      cmocka_unit_test(the_mark_is_three_bytes)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
