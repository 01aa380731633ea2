/* For tests that compile schemes and look at what is made on the way. */
#ifndef TEST_SCHEME_FIXTURE_H
#define TEST_SCHEME_FIXTURE_H

#include <glob.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "dslc.h"

static inline void no_memory(void *ctx, size_t size) {
  (void)ctx, (void)size;
  fail_msg("out of memory");
}

/* A library is none. */
static inline bool is_scheme(const char *path) {
  FILE *f = fopen(path, "r");
  char line[512];
  bool scheme = false;
  while (f && fgets(line, sizeof line, f)) scheme = scheme || strncmp(line, "scheme ", 7) == 0;
  if (f) fclose(f);
  return scheme;
}

/* What is printed after a step of a compilation with all rules and quantities, which goes well; the caller frees it. */
static inline char *dump(const dslc_options *like, const char *step) {
  char *text = NULL;
  size_t size = 0;
  FILE *out = open_memstream(&text, &size);
  dslc_options o = *like;
  o.n_rules = o.n_show = -1, o.inspect.dump_after = step, o.inspect.dump = out;
  dslc_program *program = NULL;
  dslc_messages *messages = NULL;
  const int status = dslc_compile(&o, &program, &messages);
  fclose(out);
  if (status) dslc_messages_print(messages, stderr, false);
  assert_int_equal(status, 0);
  dslc_program_destroy(&program);
  dslc_messages_destroy(&messages);
  return text;
}

#endif
