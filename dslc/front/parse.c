#include "front/parse_state.h"
#include "parser.h"

ast_file *parse_tokens(arena *a, intern_pool *names, const source_set *sources, uint32_t file,
                       diag_sink *sink, token_list **tokens) {
  parse_state ps = {.memory = a, .names = names, .sources = sources, .sink = sink, .resumed_at = -1};
  ps.list = lex_file(a, names, sources, file, sink);
  ps.file = arena_new(a, ast_file);
  ps.file->file = file;
  dsl_parse(&ps);
  ast_file *f = ps.file;
  f->n_imports = ps.imports.n;
  f->imports = ps.imports.at;
  f->n_functions = ps.functions.n;
  f->functions = ps.functions.at;
  attach_comments(&ps);
  if (tokens) *tokens = ps.list;
  return ps.file;
}

ast_file *parse_file(arena *a, intern_pool *names, const source_set *sources, uint32_t file,
                     diag_sink *sink) {
  return parse_tokens(a, names, sources, file, sink, NULL);
}
