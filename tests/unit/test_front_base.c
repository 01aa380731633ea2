#include "test_front_fixture.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/utf8.h"
#include "base/writer.h"

/* ---- arena --------------------------------------------------------------------------------------------- */

static void arena_gives_zeroed_aligned_memory(void **state) {
  (void)state;
  arena *a = arena_create(give_up, NULL);
  for (size_t size = 0; size < 3000; size += 7) {
    unsigned char *p = arena_alloc(a, size);
    assert_int_equal((uintptr_t)p % 16, 0);
    for (size_t i = 0; i < size; i++) assert_int_equal(p[i], 0);
    memset(p, 0xAB, size);
  }
  assert_true(arena_used(a) > 600000);
  arena_destroy(&a);
  assert_null(a);
  arena_destroy(&a);
}

static void growing_keeps_what_was_there(void **state) {
  (void)state;
  arena *a = arena_create(give_up, NULL);
  VEC(int) v = {0};
  for (int i = 0; i < 100000; i++) {
    vec_push(a, &v, i);
    if (i % 1000 == 0) arena_alloc(a, 1); /* so that some cannot grow in place */
  }
  for (int i = 0; i < v.n; i++) assert_int_equal(v.at[i], i);
  int *p = arena_array(a, int, 4);
  p[3] = 7;
  p = arena_grow(a, p, 4 * sizeof *p, 400000 * sizeof *p);
  assert_int_equal(p[3], 7);
  for (int i = 4; i < 400000; i++) assert_int_equal(p[i], 0);
  arena_destroy(&a);
}

/* Where accesses are checked nothing is handed out again, so that a look at what was given back is found. */
static void what_is_given_back_is_handed_out_again(void **state) {
  (void)state;
  arena *a = arena_create(give_up, NULL);
  unsigned char *p = arena_alloc(a, 5000);
  memset(p, 0xAB, 5000);
  arena_return(a, p, 5000);
  arena_return(a, NULL, 5000);
  const size_t size[] = {2000, 300, 9, 1500, 6000, 128};
  unsigned char *part[6];
  for (int i = 0; i < 6; i++) {
    part[i] = arena_alloc(a, size[i]);
    for (size_t k = 0; k < size[i]; k++) assert_int_equal(part[i][k], 0);
    memset(part[i], i + 1, size[i]);
  }
  for (int i = 0; i < 6; i++)
    for (size_t k = 0; k < size[i]; k++) assert_int_equal(part[i][k], i + 1);
#ifndef __SANITIZE_ADDRESS__
  assert_ptr_equal(part[0], p);
  for (int i = 0; i < 6; i++)
    if (size[i] >= 128 && size[i] < 5000) assert_true(part[i] >= p && part[i] + size[i] <= p + 5008);
#endif
  arena_destroy(&a);
}

static void jump(void *ctx, size_t size) {
  assert_true(size > ((size_t)1 << 60));
  longjmp(*(jmp_buf *)ctx, 1);
}

/* Every key in an editor ends a tree and makes the next: the pages stay, zeroed, and a check that is forked off has none of them to copy. */
static void a_pool_keeps_memory_for_the_next_arena(void **state) {
  (void)state;
  enum { MANY = 300000 };
  arena_pool *pool = arena_pool_create();
  unsigned char *first[2] = {NULL};
  for (int round = 0; round < 3; round++) {
    arena *a = arena_create_in(pool, give_up, NULL);
    unsigned char *small = arena_alloc(a, 100), *large = arena_alloc(a, MANY);
    for (int i = 0; i < MANY; i++) assert_int_equal(large[i], 0);
    assert_int_equal(small[99], 0);
    memset(small, 0xAB, 100);
    memset(large, 0xAB, MANY);
    if (round == 0) first[0] = small, first[1] = large;
    assert_ptr_equal(small, first[0]);
    assert_ptr_equal(large, first[1]);
    arena_destroy(&a);
  }
  arena *a = arena_create_in(pool, give_up, NULL);
  unsigned char *p = arena_alloc(a, MANY);
  pid_t child = fork();
  if (child == 0) {
    signal(SIGSEGV, SIG_DFL);
    _exit(p[MANY / 2]);
  }
  int status;
  waitpid(child, &status, 0);
  assert_true(WIFSIGNALED(status) || WEXITSTATUS(status) != 0); /* by a sanitizer */
  arena_destroy(&a);
  arena_pool_destroy(&pool);
  assert_null(pool);
}

static void out_of_memory_reaches_the_handler(void **state) {
  (void)state;
  jmp_buf recovery;
  arena *a = arena_create(jump, &recovery);
  if (setjmp(recovery) == 0) {
    arena_alloc(a, SIZE_MAX - 3);
    fail_msg("an impossible allocation succeeded");
  }
  arena_destroy(&a);
}

/* ---- names --------------------------------------------------------------------------------------------- */

static void equal_texts_are_one_name(void **state) {
  (void)state;
  fixture f = fixture_create("", "");
  name first[2000];
  for (int i = 0; i < 2000; i++) first[i] = intern_str(f.names, arena_printf(f.memory, "name%d", i));
  for (int i = 0; i < 2000; i++) {
    char text[32];
    snprintf(text, sizeof text, "name%dtail", i);
    assert_ptr_equal(intern(f.names, text, strlen(text) - 4), first[i]);
  }
  assert_ptr_not_equal(first[1], first[10]);
  fixture_destroy(&f);
}

static void map_keeps_order_and_replaces(void **state) {
  (void)state;
  fixture f = fixture_create("", "");
  name_map *m = name_map_create(f.memory);
  int values[500];
  for (int i = 0; i < 500; i++)
    name_map_put(m, intern_str(f.names, arena_printf(f.memory, "k%d", i)), &values[i]);
  name_map_put(m, intern_str(f.names, "k7"), &values[0]);
  assert_int_equal(name_map_size(m), 500);
  assert_string_equal(name_map_key(m, 7), "k7");
  assert_ptr_equal(name_map_value(m, 7), &values[0]);
  assert_ptr_equal(name_map_get(m, intern_str(f.names, "k499")), &values[499]);
  assert_null(name_map_get(m, intern_str(f.names, "k500")));
  fixture_destroy(&f);
}

static void near_names_are_found(void **state) {
  (void)state;
  const char *const names[] = {"kappa", "volume", "T", "p", "momentum", "rho", NULL};
  assert_string_equal(nearest_name("kapa", names, 7), "kappa");
  assert_string_equal(nearest_name("volmue", names, 7), "volume");
  assert_string_equal(nearest_name("t", names, 7), "T");
  assert_string_equal(nearest_name("Rho", names, 7), "rho");
  assert_null(nearest_name("q", names, 7));
  assert_null(nearest_name("kappa", names, 1)); /* itself is no suggestion */
  assert_null(nearest_name("depth", names, 7));
}

/* ---- sources ------------------------------------------------------------------------------------------- */

static void positions_count_characters(void **state) {
  (void)state;
  fixture f = fixture_create("a.ew", "ab\n\xC3\xA4x\r\n\nlast");
  int line, column, length;
  source_position(f.sources, f.file, 5, &line, &column);
  assert_int_equal(line, 2);
  assert_int_equal(column, 2);
  source_position(f.sources, f.file, 1000, &line, &column);
  assert_int_equal(line, 4);
  assert_int_equal(column, 5);
  const char *text = source_line(f.sources, f.file, 2, &length);
  assert_int_equal(length, 3); /* without the carriage return */
  assert_memory_equal(text, "\xC3\xA4x", 3);
  source_line(f.sources, f.file, 3, &length);
  assert_int_equal(length, 0);
  fixture_destroy(&f);
}

static void loading_reports_errno(void **state) {
  (void)state;
  fixture f = fixture_create("", "");
  uint32_t file = 99;
  assert_int_not_equal(source_load(f.sources, "/nonexistent/x.ew", &file), 0);
  assert_int_not_equal(source_load(f.sources, "/", &file), 0);
  assert_int_equal(file, 99);
  fixture_destroy(&f);
}

static void utf8_is_decoded_or_replaced(void **state) {
  (void)state;
  uint32_t c;
  assert_int_equal(utf8_next("\xE2\x89\xA4", 3, &c), 3);
  assert_int_equal(c, 0x2264);
  assert_int_equal(utf8_next("\xC0\x80", 2, &c), 1); /* overlong */
  assert_int_equal(c, 0xFFFD);
  assert_int_equal(utf8_next("\xE2\x89", 2, &c), 1);     /* cut off */
  assert_int_equal(utf8_next("\xED\xA0\x80", 3, &c), 1); /* half a surrogate pair */
  assert_int_equal(utf8_width(0x6F22), 2);
  assert_int_equal(utf8_width(0x301), 0);
  assert_int_equal(utf8_width('a'), 1);
}

/* ---- diagnostics --------------------------------------------------------------------------------------- */

static span span_of(const fixture *f, const char *part) {
  const char *text = source_get(f->sources, f->file)->text;
  const char *found = strstr(text, part);
  assert_non_null(found);
  uint32_t start = (uint32_t)(found - text);
  return (span){f->file, start, start + (uint32_t)strlen(part)};
}

static void text_has_carets_and_notes(void **state) {
  (void)state;
  fixture f = fixture_create(
      "heat.ew", "scheme heat on mesh(2) {\n\tflux q @ faces = kappa*(depth[L] - T[R]) -- \xC3\xBC\n}");
  diag *d = diag_report(f.sink, DIAG_UNKNOWN_NAME, span_of(&f, "depth"), "`%s` is not a name of this scheme",
                        "depth");
  diag_with_label(f.sink, d, "did you mean `T`?");
  diag_with_span(f.sink, d, span_of(&f, "T[R]"), "used here");
  diag_with_span(f.sink, d, span_of(&f, "heat"), "in this scheme");
  diag_with_hint(f.sink, d, "declare it");
  diag_report(f.sink, DIAG_UNUSED, span_of(&f, "scheme"), "first by position");
  assert_string_equal(fixture_messages(&f, false),
                      "warning[W0237]: first by position\n"
                      " --> heat.ew:1:1\n"
                      "  |\n"
                      "1 | scheme heat on mesh(2) {\n"
                      "  | ^^^^^^\n"
                      "\n"
                      "error[E0200]: `depth` is not a name of this scheme\n"
                      " --> heat.ew:2:26\n"
                      "  |\n"
                      "2 |     flux q @ faces = kappa*(depth[L] - T[R]) -- \xC3\xBC\n"
                      "  |                             ^^^^^ did you mean `T`?\n"
                      "  |                                        ---- used here\n"
                      "  = hint: declare it\n"
                      "note: in this scheme\n"
                      " --> heat.ew:1:8\n"
                      "  |\n"
                      "1 | scheme heat on mesh(2) {\n"
                      "  |        ----\n");
  assert_int_equal(diag_errors(f.sink), 1);
  assert_int_equal(diag_warnings(f.sink), 1);
  fixture_destroy(&f);
}

static void carets_stand_below_wide_characters(void **state) {
  (void)state;
  fixture f = fixture_create("w.ew", "\xE6\xBC\xA2\xC3\xA4\x01 x");
  diag_report(f.sink, DIAG_UNUSED, span_of(&f, "x"), "m");
  assert_string_equal(fixture_messages(&f, false), "warning[W0237]: m\n --> w.ew:1:5\n  |\n"
                                                   "1 | \xE6\xBC\xA2\xC3\xA4? x\n"
                                                   "  |      ^\n");
  fixture_destroy(&f);
}

static void spans_of_several_lines_and_of_nothing(void **state) {
  (void)state;
  fixture f = fixture_create("m.ew", "abc def\nghi");
  diag_report(f.sink, DIAG_UNUSED, (span){f.file, 4, 11}, "two lines");
  diag_report(f.sink, DIAG_UNUSED, (span){f.file, 11, 11}, "the end");
  assert_string_equal(fixture_messages(&f, false),
                      "warning[W0237]: two lines\n --> m.ew:1:5\n  |\n1 | abc def\n  |     ^^^\n\n"
                      "warning[W0237]: the end\n --> m.ew:2:4\n  |\n2 | ghi\n  |    ^\n");
  fixture_destroy(&f);
}

static void long_lines_are_cut_round_the_span(void **state) {
  (void)state;
  char text[2001];
  memset(text, 'a', 2000);
  text[2000] = '\0';
  text[1500] = 'b';
  fixture f = fixture_create("l.ew", text);
  diag_report(f.sink, DIAG_UNUSED, (span){f.file, 1500, 1501}, "m");
  const char *out = fixture_messages(&f, false);
  const char *line = strstr(out, "1 | ...aaa"), *marks = strstr(out, "\n  |   ");
  assert_non_null(line);
  assert_non_null(marks);
  assert_int_equal(strchr(line, 'b') - line, strchr(marks + 1, '^') - (marks + 1));
  assert_true(strlen(out) < 600);
  fixture_destroy(&f);
}

static void json_is_escaped(void **state) {
  (void)state;
  fixture f = fixture_create("a\"b.ew", "x y\n");
  assert_string_equal(fixture_messages(&f, true), "[]\n");
  diag *d = diag_report(f.sink, DIAG_UNKNOWN_NAME, span_of(&f, "y"), "tab\there \xFF");
  diag_with_edit(f.sink, d, "z");
  diag_with_span(f.sink, d, span_of(&f, "x"), "note");
  assert_string_equal(
      fixture_messages(&f, true),
      "[\n  {\"file\": \"a\\\"b.ew\", \"line\": 1, \"column\": 3, \"end_line\": 1, \"end_column\": 4, "
      "\"start\": 2, \"end\": 3, \"code\": \"E0200\", \"severity\": \"error\", \"title\": \"not a name of "
      "this "
      "scheme\", \"message\": \"tab\\there \\ufffd\", \"edit\": \"z\", \"notes\": [{\"file\": \"a\\\"b.ew\", "
      "\"line\": 1, \"column\": 1, \"end_line\": 1, \"end_column\": 2, \"start\": 0, \"end\": 1, "
      "\"message\": "
      "\"note\"}]}\n]\n");
  fixture_destroy(&f);
}

static void errors_beyond_the_limit_are_counted(void **state) {
  (void)state;
  fixture f = fixture_create("a.ew", "x");
  for (int i = 0; i < 250; i++) {
    diag *d = diag_report(f.sink, DIAG_UNKNOWN_NAME, (span){f.file, 0, 1}, "%d", i);
    assert_non_null(diag_with_hint(f.sink, d, "h"));
  }
  assert_int_equal(diag_errors(f.sink), 250);
  int kept = 0;
  for (const diag *d = diag_first(f.sink); d; d = d->next) kept++;
  assert_int_equal(kept, 200);
  assert_non_null(strstr(fixture_messages(&f, false), "... and 50 more errors\n"));
  fixture_destroy(&f);
}

static void codes_have_pages(void **state) {
  (void)state;
  diag_code code;
  assert_true(diag_code_find("E0203", &code));
  assert_int_equal(code, DIAG_WRONG_PLACE);
  assert_true(diag_code_find("110", &code));
  assert_int_equal(code, DIAG_COMMENT_TRAP);
  assert_string_equal(diag_code_text(code), "W0110");
  assert_false(diag_code_find("E9999", &code));
  assert_false(diag_code_find("", &code));
  for (int i = 0; i < DIAG_CODE_COUNT; i++) {
    assert_true(diag_code_find(diag_code_text((diag_code)i), &code));
    assert_int_equal(code, i); /* no number twice */
    assert_true(strlen(diag_code_title((diag_code)i)) > 5);
    assert_true(strlen(diag_code_explanation((diag_code)i)) > 60);
  }
}

/* ---- writer -------------------------------------------------------------------------------------------- */

static void writer_indents_lines(void **state) {
  (void)state;
  fixture f = fixture_create("", "");
  writer *w = writer_create(f.memory);
  write_line(w, "for (%s) {", "i");
  writer_indent(w);
  write_text(w, "a = ");
  assert_int_equal(writer_column(w), 6);
  write_text(w, "1;\n\nb = 2;\n");
  write_line(w, "%s", "");
  write_line(w, "c;\nd;");
  writer_dedent(w);
  writer_dedent(w);
  write_line(w, "}");
  assert_string_equal(writer_text(w), "for (i) {\n  a = 1;\n\n  b = 2;\n\n  c;\n  d;\n}\n");
  assert_int_equal(writer_size(w), strlen(writer_text(w)));
  fixture_destroy(&f);
}

static void end_with(writer *w, const char *text, const char *comment) {
  write_plain(w, text);
  writer_end_line_with_comment(w, comment);
}

static void writer_places_comments(void **state) {
  (void)state;
  fixture f = fixture_create("", "");
  writer *w = writer_create(f.memory);
  writer_set_comment(w, "//", "", 12);
  end_with(w, "x = 1;", "(1)");
  writer_indent(w);
  write_plain(w, "y");
  write_plain(w, " = 2;");
  writer_end_line(w);
  writer_end_line(w);
  end_with(w, "a_long_line = 3;", "long");
  end_with(w, "b = 4;", "fits");
  writer_dedent(w);
  writer_set_comment(w, "/*", "*/", 12);
  end_with(w, "z;", "(2)");
  assert_string_equal(writer_text(w), "x = 1;      // (1)\n  y = 2;\n\n  // long\n  a_long_line = 3;\n"
                                      "  b = 4;    // fits\nz;          /* (2) */\n");
  fixture_destroy(&f);
}

static void writer_grows(void **state) {
  (void)state;
  fixture f = fixture_create("", "");
  writer *w = writer_create(f.memory);
  for (int i = 0; i < 20000; i++) write_line(w, "line %05d", i);
  assert_int_equal(writer_size(w), 20000 * 11);
  assert_memory_equal(writer_text(w) + 19999 * 11, "line 19999\n", 12);
  fixture_destroy(&f);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(arena_gives_zeroed_aligned_memory),
      cmocka_unit_test(growing_keeps_what_was_there),
      cmocka_unit_test(what_is_given_back_is_handed_out_again),
      cmocka_unit_test(a_pool_keeps_memory_for_the_next_arena),
      cmocka_unit_test(out_of_memory_reaches_the_handler),
      cmocka_unit_test(equal_texts_are_one_name),
      cmocka_unit_test(map_keeps_order_and_replaces),
      cmocka_unit_test(near_names_are_found),
      cmocka_unit_test(positions_count_characters),
      cmocka_unit_test(loading_reports_errno),
      cmocka_unit_test(utf8_is_decoded_or_replaced),
      cmocka_unit_test(text_has_carets_and_notes),
      cmocka_unit_test(carets_stand_below_wide_characters),
      cmocka_unit_test(spans_of_several_lines_and_of_nothing),
      cmocka_unit_test(long_lines_are_cut_round_the_span),
      cmocka_unit_test(json_is_escaped),
      cmocka_unit_test(errors_beyond_the_limit_are_counted),
      cmocka_unit_test(codes_have_pages),
      cmocka_unit_test(writer_indents_lines),
      cmocka_unit_test(writer_places_comments),
      cmocka_unit_test(writer_grows),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
