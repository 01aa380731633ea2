/* Streams into memory: each of the allocations behind one fails in turn, the C library's too, and what is made of the stream is whole or is
 * refused. Not in builds whose sanitizer has an allocator of its own. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/memory_text.h"
#include "formats/checkpoint.h"

#if defined(__has_feature)
#define HAS_OWN_ALLOCATOR (__has_feature(address_sanitizer) || __has_feature(thread_sanitizer))
#elif defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define HAS_OWN_ALLOCATOR 1
#else
#define HAS_OWN_ALLOCATOR 0
#endif

static long fail_at, asked; /* fail_at 0: none fails */

#if !HAS_OWN_ALLOCATOR
extern void *__libc_malloc(size_t), *__libc_calloc(size_t, size_t), *__libc_realloc(void *, size_t);

static int fails(void) { return fail_at > 0 && ++asked == fail_at; }

__attribute__((visibility("default"))) void *malloc(size_t n) { return fails() ? NULL : __libc_malloc(n); }
__attribute__((visibility("default"))) void *calloc(size_t n, size_t size) {
  return fails() ? NULL : __libc_calloc(n, size);
}
__attribute__((visibility("default"))) void *realloc(void *old, size_t n) {
  return fails() ? NULL : __libc_realloc(old, n);
}
#endif

enum { LINES = 500, MOST = 100 };

static void begin(long at) {
  asked = 0;
  fail_at = at;
}

static bool ended(void) {
  bool reached = asked >= fail_at;
  fail_at = 0;
  return reached;
}

/* A piece may be lost and those behind it find memory again: they stand where nobody expects them. */
static void a_text_is_whole_or_none(void **state) {
  (void)state;
  long refused = 0, at = 1;
  for (bool reached = true; reached && at < MOST; at++) {
    memory_text t;
    begin(at);
    FILE *f = memory_text_open(&t);
    for (int i = 0; f && i < LINES; i++) fprintf(f, "%060d\n", i);
    char *text = memory_text_close(&t);
    reached = ended();
    if (text) assert_int_equal(strlen(text), 61 * LINES);
    if (text) assert_int_equal(t.size, 61 * LINES);
    assert_true(reached || text);
    refused += !text;
    free(text);
  }
  assert_in_range(at, 4, MOST - 1);
  assert_true(refused >= 2);
}

static void an_empty_text_is_a_text(void **state) {
  (void)state;
  memory_text t;
  assert_non_null(memory_text_open(&t));
  char *text = memory_text_close(&t);
  assert_string_equal(text, "");
  free(text);
  assert_null(memory_text_close(&t)); /* ended already */
}

/* Its head is longer than what the C library takes at first. */
static void a_checkpoint_is_whole_or_not_written(void **state) {
  (void)state;
  static checkpoint_label label[LINES];
  static char name[LINES][16];
  long at = 1, written = 0, refused = 0;
  for (int i = 0; i < LINES; i++) {
    snprintf(name[i], sizeof name[i], "label %d", i);
    label[i] = (checkpoint_label){name[i], "a value that is as long as those of many a case's givens"};
  }
  const checkpoint_content content = {label, LINES, NULL, 0};
  for (bool reached = true; reached && at < MOST; at++) {
    ew_error err = {0};
    checkpoint *c = NULL;
    remove("many.ckpt");
    begin(at);
    ew_status status = checkpoint_write("many.ckpt", NULL, &content, &err);
    reached = ended();
    refused += status != EW_OK;
    if (status != EW_OK) continue;
    written++;
    assert_int_equal(checkpoint_read(&c, "many.ckpt", &err), EW_OK);
    for (int i = 0; i < LINES; i++) assert_string_equal(checkpoint_text(c, name[i]), label[i].value);
    checkpoint_destroy(&c);
  }
  assert_true(written >= 1 && refused >= 2);
}

int main(void) {
  if (HAS_OWN_ALLOCATOR) return 77;
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_text_is_whole_or_none),
      cmocka_unit_test(an_empty_text_is_a_text),
      cmocka_unit_test(a_checkpoint_is_whole_or_not_written),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
