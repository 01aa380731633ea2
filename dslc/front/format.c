#include "front/format.h"

#include <string.h>

#include "base/writer.h"
#include "front/parse_state.h"
#include "parser.h"

/* A comment further right than this stands behind its line instead of in the paragraph's column. */
enum { WIDEST_COMMENTED = 92, COMMENT_GAP = 2, MOST_ROUNDS = 6 };

/* The column of the trailing comments of the paragraph that begins at line `first`; *end: the line behind
 * it. */
static int comment_column(const line_list *lines, int first, int *end) {
  int column = 0, i = first;
  for (; i < lines->n && (i == first || !lines->at[i].blank_above); i++) {
    const line *l = &lines->at[i];
    if (!l->alone && l->comment >= 0 && l->width <= WIDEST_COMMENTED && l->width > column) column = l->width;
  }
  *end = i;
  return column + COMMENT_GAP;
}

/* `--text` becomes `-- text`; lines of dashes stay. */
static void write_comment(writer *w, const token_list *tokens, const comment *c) {
  const char *text = tokens->text + c->start;
  int n = (int)(c->end - c->start);
  bool apart = n > 2 && text[2] != ' ' && text[2] != '-' && text[2] != '\t';
  if (apart) write_plain(w, "-- ");
  write_slice(w, apart ? text + 2 : text, apart ? n - 2 : n);
}

static void write_pieces(writer *w, const piece_list *pieces, const line *l) {
  write_blanks(w, l->column);
  for (int i = l->first; i < l->end; i++) {
    const piece *p = &pieces->at[i];
    write_blanks(w, i > l->first ? p->gap + p->pad : 0);
    write_slice(w, p->text, p->width);
  }
}

static void write_one_line(writer *w, const piece_list *pieces, const token_list *tokens, const line *l,
                           int column) {
  if (l->blank_above) writer_end_line(w);
  if (l->alone) {
    write_blanks(w, l->column);
  } else {
    write_pieces(w, pieces, l);
    int gap = column > l->width + COMMENT_GAP ? column - l->width : COMMENT_GAP;
    if (l->comment >= 0) write_blanks(w, gap);
  }
  if (l->comment >= 0) write_comment(w, tokens, &tokens->comments.at[l->comment]);
  writer_end_line(w);
}

static char *write_lines(arena *a, const piece_list *pieces, const token_list *tokens,
                         const line_list *lines) {
  writer *w = writer_create(a);
  for (int i = 0, end; i < lines->n; i = end) {
    int column = comment_column(lines, i, &end);
    for (int k = i; k < end; k++) {
      bool nothing = !lines->at[k].alone && pieces->at[lines->at[k].first].kind == TOK_YYEOF;
      if (!nothing) write_one_line(w, pieces, tokens, &lines->at[k], column);
    }
  }
  return (char *)writer_text(w);
}

static char *laid_out(arena *a, const ast_file *tree, const token_list *tokens) {
  piece_list *pieces = format_pieces(a, tree, tokens);
  line_list *lines = format_split(a, pieces, tokens);
  format_align(a, pieces, lines);
  line_list *placed = format_place(a, pieces, lines);
  return format_keep(a, pieces, placed, tokens, write_lines(a, pieces, tokens, placed));
}

/* Reads what was laid out, and lays it out once more; NULL: it cannot be read. */
static char *laid_out_again(arena *a, intern_pool *names, const char *path, const char *text) {
  source_set *sources = source_create(a);
  const uint32_t file = source_add(sources, path, text, (uint32_t)strlen(text));
  diag_sink *sink = diag_create(a, sources);
  token_list *tokens;
  const ast_file *tree = parse_tokens(a, names, sources, file, sink, &tokens);
  return diag_errors(sink) ? NULL : laid_out(a, tree, tokens);
}

/* Breaking a line can change what is aligned with it, so the layout is repeated until it stays as it is: then
 * formatting a formatted file changes nothing. Of a formatted file the first round has shown that already. */
char *format_tree(arena *a, intern_pool *names, const char *path, const ast_file *tree,
                  const token_list *tokens) {
  char *text = laid_out(a, tree, tokens);
  if (strcmp(text, tokens->text) == 0) return text;
  for (int round = 1; round < MOST_ROUNDS; round++) {
    char *next = laid_out_again(a, names, path, text);
    if (next == NULL || strcmp(next, text) == 0) break;
    text = next;
  }
  return text;
}

char *format_file(arena *a, intern_pool *names, const source_set *sources, uint32_t file, diag_sink *sink) {
  token_list *tokens;
  const ast_file *tree = parse_tokens(a, names, sources, file, sink, &tokens);
  return diag_errors(sink) ? NULL : format_tree(a, names, source_get(sources, file)->path, tree, tokens);
}
