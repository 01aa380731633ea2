/* libFuzzer target: any bytes as a scheme. Beyond not crashing: what is accepted must format to something
 * that is accepted, means the same, and stays as it is when formatted again. */
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "tex/tex.h"
#include "../unit/test_front_tree.h"

static void leave(void *recovery, size_t size) {
  (void)size;
  longjmp(*(jmp_buf *)recovery, 1);
}

static void fail(const char *what, const char *before, const char *after) {
  fprintf(stderr, "%s\n---- before\n%s\n---- after\n%s\n", what, before, after);
  abort();
}

static void check_expr_text(arena *a, intern_pool *names, const ast_file *tree) {
  for (int i = 0; tree->scheme && i < tree->scheme->n_decls; i++) {
    const ast_decl *d = tree->scheme->decls[i];
    if (d->kind != AST_GLOBAL || d->body.n_where) continue;
    const char *expr = ast_expr_text(a, d->body.expr);
    const char *text = arena_printf(a, "scheme s on mesh(2) { x = %s }", expr);
    source_set *sources = source_create(a);
    uint32_t file = source_add(sources, "text", text, (uint32_t)strlen(text));
    diag_sink *sink = diag_create(a, sources);
    const ast_file *again = parse_file(a, names, sources, file, sink);
    bool same = again->scheme && again->scheme->n_decls == 1 &&
                same_expr(d->body.expr, again->scheme->decls[0]->body.expr);
    if (diag_errors(sink) || !same) fail("the text of an expression means something else", expr, text);
  }
}

/* What it extends or imports may not be there: then a message says so. */
static void check_tex(arena *a, const char *text) {
  const dslc_options options = {.path = "fuzz.ew", .text = text};
  source_set *sources = source_create(a);
  loader l = {.memory = a,
              .names = intern_create(a),
              .sources = sources,
              .sink = diag_create(a, sources),
              .options = &options};
  if (!tex_document(&l) && diag_errors(l.sink) == 0)
    fail("a scheme that was parsed is not typeset", text, "");
}

static void try_scheme(arena *a, const char *text, size_t size) {
  intern_pool *names = intern_create(a);
  source_set *sources = source_create(a);
  uint32_t first = source_add(sources, "fuzz.ew", text, (uint32_t)size);
  text = source_get(sources, first)->text; /* NUL-terminated */
  diag_sink *sink = diag_create(a, sources);
  const ast_file *tree = parse_file(a, names, sources, first, sink);
  FILE *nowhere = fopen("/dev/null", "w");
  if (nowhere) {
    diag_print_text(sink, nowhere, true);
    diag_print_json(sink, nowhere);
    fclose(nowhere);
  }
  if (diag_errors(sink)) return;
  const char *formatted = format_file(a, names, sources, first, diag_create(a, sources));
  if (formatted == NULL) fail("a scheme that was parsed is not formatted", text, "");
  check_expr_text(a, names, tree);
  check_tex(a, text);
  uint32_t second = source_add(sources, "formatted.ew", formatted, (uint32_t)strlen(formatted));
  diag_sink *again = diag_create(a, sources);
  const ast_file *tree_again = parse_file(a, names, sources, second, again);
  if (diag_errors(again)) fail("a formatted scheme is not accepted", text, formatted);
  if (!same_file(tree, tree_again)) fail("a formatted scheme means something else", text, formatted);
  const char *twice = format_file(a, names, sources, second, diag_create(a, sources));
  if (twice == NULL || strcmp(twice, formatted) != 0)
    fail("formatting twice changes the text", formatted, twice ? twice : "");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  jmp_buf recovery;
  arena *a = arena_create(leave, &recovery);
  if (a == NULL) return 0;
  if (setjmp(recovery) == 0) try_scheme(a, (const char *)data, size);
  arena_destroy(&a);
  return 0;
}
