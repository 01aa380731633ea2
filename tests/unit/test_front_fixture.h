/* A compilation of one text, for the tests of the front end. */
#ifndef TEST_FRONT_FIXTURE_H
#define TEST_FRONT_FIXTURE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "front/ast.h"

typedef struct fixture {
  arena *memory;
  intern_pool *names;
  source_set *sources;
  diag_sink *sink;
  uint32_t file;
} fixture;

static inline void give_up(void *ctx, size_t size) {
  (void)ctx;
  fail_msg("no memory for %zu bytes", size);
  abort();
}

static inline fixture fixture_create(const char *path, const char *text) {
  fixture f = {.memory = arena_create(give_up, NULL)};
  assert_non_null(f.memory);
  f.names = intern_create(f.memory);
  f.sources = source_create(f.memory);
  f.sink = diag_create(f.memory, f.sources);
  f.file = source_add(f.sources, path, text, (uint32_t)strlen(text));
  return f;
}

static inline void fixture_destroy(fixture *f) { arena_destroy(&f->memory); }

static inline ast_file *fixture_parse(fixture *f) {
  return parse_file(f->memory, f->names, f->sources, f->file, f->sink);
}

/* All diagnostics as text, or as JSON. */
static inline const char *fixture_messages(fixture *f, bool json) {
  char *text = NULL;
  size_t size = 0;
  FILE *out = open_memstream(&text, &size);
  assert_non_null(out);
  if (json) diag_print_json(f->sink, out);
  else diag_print_text(f->sink, out, false);
  fclose(out);
  const char *copy = arena_strndup(f->memory, text, size);
  free(text);
  return copy;
}

/* A scheme on mesh(2) around some declarations; must parse. */
static inline ast_file *fixture_scheme(fixture *f, const char *declarations) {
  *f = fixture_create("test.ew", "");
  const char *text = arena_printf(f->memory, "scheme s on mesh(2) {\n%s\n}\n", declarations);
  f->file = source_add(f->sources, "test.ew", text, (uint32_t)strlen(text));
  ast_file *tree = fixture_parse(f);
  if (diag_errors(f->sink)) fail_msg("%s", fixture_messages(f, false));
  assert_non_null(tree->scheme);
  return tree;
}

#endif
