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
  if (apart) write_text(w, "-- %.*s", n - 2, text + 2);
  else write_text(w, "%.*s", n, text);
}

static void write_pieces(writer *w, const piece_list *pieces, const line *l) {
  write_text(w, "%*s", l->column, "");
  for (int i = l->first; i < l->end; i++) {
    const piece *p = &pieces->at[i];
    int gap = i > l->first ? p->gap + p->pad : 0;
    write_text(w, "%*s%s", gap, "", p->text);
  }
}

static void write_one_line(writer *w, const piece_list *pieces, const token_list *tokens, const line *l,
                           int column) {
  if (l->blank_above) write_line(w, "%s", "");
  if (l->alone) {
    write_text(w, "%*s", l->column, "");
  } else {
    write_pieces(w, pieces, l);
    int gap = column > l->width + COMMENT_GAP ? column - l->width : COMMENT_GAP;
    if (l->comment >= 0) write_text(w, "%*s", gap, "");
  }
  if (l->comment >= 0) write_comment(w, tokens, &tokens->comments.at[l->comment]);
  write_line(w, "%s", "");
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

/* One round; NULL if the file has errors. */
static char *laid_out(arena *a, intern_pool *names, const source_set *sources, uint32_t file,
                      diag_sink *sink) {
  token_list *tokens;
  ast_file *tree = parse_tokens(a, names, sources, file, sink, &tokens);
  if (diag_errors(sink)) return NULL;
  piece_list *pieces = format_pieces(a, tree, tokens);
  line_list *lines = format_split(a, pieces, tokens);
  format_align(a, pieces, lines);
  line_list *placed = format_place(a, pieces, lines);
  return format_keep(a, pieces, placed, tokens, write_lines(a, pieces, tokens, placed));
}

/* Breaking a line can change what is aligned with it, so the layout is repeated until it stays as it is: then
 * formatting a formatted file changes nothing. Of a formatted file the first round has shown that already. */
char *format_file(arena *a, intern_pool *names, const source_set *sources, uint32_t file, diag_sink *sink) {
  char *text = laid_out(a, names, sources, file, sink);
  const char *path = source_get(sources, file)->path;
  if (text && strcmp(text, source_get(sources, file)->text) == 0) return text;
  for (int round = 1; text && round < MOST_ROUNDS; round++) {
    source_set *again = source_create(a);
    uint32_t id = source_add(again, path, text, (uint32_t)strlen(text));
    char *next = laid_out(a, names, again, id, diag_create(a, again));
    if (next == NULL || strcmp(next, text) == 0) break;
    text = next;
  }
  return text;
}
