#include "front/format.h"
#include "parser.h"

/* ---- blocks: on one line or on several ----------------------------------------------------------------- */

static bool has_break(const piece_list *pieces, int from, int to) {
  for (int i = from; i <= to; i++) {
    const piece *p = &pieces->at[i];
    if (p->user_break || p->comment_before || p->declaration) return true;
  }
  return false;
}

/* Where the line with piece i begins if nothing before it is broken anew. */
static int line_begin(const piece_list *pieces, int i) {
  while (i > 0 && !pieces->at[i].declaration && !(pieces->at[i].user_break && pieces->at[i].rank > 0) &&
         !pieces->at[i - 1].opens_lines)
    i--;
  return i;
}

/* The end of the line that piece i stands on, likewise. */
static int line_end(const piece_list *pieces, int i) {
  for (i++; i < pieces->n; i++) {
    const piece *p = &pieces->at[i];
    if (p->item != ITEM_NONE || p->comment_before || p->user_break || p->kind == TOK_RBRACE) break;
  }
  return i < pieces->n ? i : pieces->n - 1;
}

static bool fits(const piece_list *pieces, int open, int close, int depth) {
  int first = line_begin(pieces, open);
  return depth * FORMAT_INDENT + format_width(pieces, first, line_end(pieces, close)) <= FORMAT_WIDTH;
}

/* From the outside in, so that the depth of the lines is known. An empty block is never broken for
 * nothing. */
static void decide_blocks(piece_list *pieces) {
  int depth = 0;
  for (int i = 0; i < pieces->n; i++) {
    piece *p = &pieces->at[i];
    if (p->kind == TOK_RBRACE && p->closes_lines) depth--;
    if (p->kind != TOK_LBRACE || p->match < 0) continue;
    bool empty = p->match == i + 1 && !pieces->at[i + 1].comment_before;
    p->opens_lines = !empty && (has_break(pieces, i + 1, p->match) || !fits(pieces, i, p->match, depth));
    pieces->at[p->match].closes_lines = p->opens_lines;
    if (p->opens_lines) depth++;
  }
}

/* ---- lines as the author broke them -------------------------------------------------------------------- */

/* A break behind an operator moves before it; one where none may stand is forgotten. */
static void settle_breaks(piece_list *pieces) {
  for (int i = 1; i < pieces->n; i++) {
    piece *p = &pieces->at[i], *before = &pieces->at[i - 1];
    if (!p->user_break || p->comment_before || p->rank > 0) continue;
    p->user_break = false;
    if (before->binary && before->rank > 0) before->user_break = true;
  }
}

static bool begins_line(const piece_list *pieces, int i) {
  const piece *p = &pieces->at[i];
  if (i == 0 || p->declaration || p->comment_before || p->closes_lines || p->kind == TOK_YYEOF) return true;
  const piece *before = &pieces->at[i - 1];
  if (before->opens_lines || (before->closes_lines && p->item != ITEM_NONE)) return true;
  return p->user_break && p->rank > 0;
}

static bool blank_above(const char *text, uint32_t start) {
  int breaks = 0;
  while (start > 0) {
    char c = text[--start];
    if (c == '\n') breaks++;
    else if (c != ' ' && c != '\t' && c != '\r' && c != ';' && c != '\f' && c != '\v') break;
  }
  return breaks > 1;
}

/* Empty lines stay between items and comments, not within a formula, nor at the edges of a block (but for those
 * of declarations). */
static bool keeps_blank(const piece_list *pieces, const line_list *lines, int i) {
  const piece *p = &pieces->at[i];
  if (lines->n == 0 || p->closes_lines) return false;
  bool block_begins = i > 0 && pieces->at[i - 1].opens_lines && !lines->at[lines->n - 1].alone;
  return !block_begins || pieces->at[i - 1].brace == 0 || p->declaration;
}

/* Comments before piece i: the first may trail on the last line, the others stand alone. */
static void add_comments(arena *a, line_list *lines, const piece_list *pieces, int i,
                         const token_list *tokens, int *next) {
  for (; *next < tokens->comments.n; (*next)++) {
    const comment *c = &tokens->comments.at[*next];
    if (pieces->at[i].kind != TOK_YYEOF && c->start > pieces->at[i].start) return;
    if (!c->alone && lines->n > 0 && lines->at[lines->n - 1].comment < 0) {
      lines->at[lines->n - 1].comment = *next;
      continue;
    }
    line l = {.first = i, .end = i, .comment = *next, .alone = true};
    l.blank_above = blank_above(tokens->text, c->start) &&
                    (lines->n > 0 && (keeps_blank(pieces, lines, i) || pieces->at[i].closes_lines));
    vec_push(a, lines, l);
  }
}

line_list *format_split(arena *a, piece_list *pieces, const token_list *tokens) {
  decide_blocks(pieces);
  settle_breaks(pieces);
  line_list *lines = arena_new(a, line_list);
  int next_comment = 0;
  for (int i = 0; i < pieces->n; i++) {
    const piece *p = &pieces->at[i];
    if (p->comment_before) add_comments(a, lines, pieces, i, tokens, &next_comment);
    if (begins_line(pieces, i)) {
      line l = {.first = i, .comment = -1};
      bool item = p->item != ITEM_NONE && p->item != ITEM_LIST_NEXT;
      l.blank_above = item && keeps_blank(pieces, lines, i) && blank_above(tokens->text, p->start);
      vec_push(a, lines, l);
    }
    lines->at[lines->n - 1].end = i + 1;
  }
  return lines;
}

/* ---- columns ------------------------------------------------------------------------------------------- */

typedef struct cursor {
  arena *memory;
  const piece_list *pieces;
  int *column;   /* of each piece placed */
  VEC(int) open; /* round and square brackets not yet closed */
  int depth;     /* blocks that take lines and are open */
  int formula;   /* first piece of the formula that goes on, -1: none */
  int list;      /* first binding of the list that goes on, -1 */
} cursor;

static int indent_of(const cursor *c) { return c->depth * FORMAT_INDENT; }

static bool begins_formula(const piece_list *pieces, int i) {
  int before = i > 0 ? pieces->at[i - 1].kind : TOK_YYEOF;
  if (before == TOK_UNTIL || before == TOK_REQUIRE) return true;
  return before == TOK_ASSIGN && pieces->at[i - 1].round == 0;
}

/* Where a line that goes on with something begins: behind the open bracket, below the list's or the formula's
 * beginning; what would begin too far to the right begins near the margin. */
static int continuation_column(const cursor *c, int i) {
  const piece *p = &c->pieces->at[i];
  int near_margin = indent_of(c) + 2 * FORMAT_INDENT, column = near_margin;
  if (c->open.n > 0) column = c->column[c->open.at[c->open.n - 1]] + 1;
  else if (p->item == ITEM_LIST_NEXT && c->list >= 0) column = c->column[c->list];
  else if (p->kind == TOK_WHERE || p->kind == TOK_BY || p->kind == TOK_AT) column = near_margin;
  else if (c->formula >= 0 && c->formula != i) column = c->column[c->formula];
  return column > FORMAT_DEEPEST ? near_margin : column;
}

/* The other statements of a condition stand where it does. */
static bool is_other_block(const piece_list *pieces, int i) {
  return i > 0 && pieces->at[i].kind == TOK_ELSE && pieces->at[i - 1].kind == TOK_RBRACE;
}

static int line_column(const cursor *c, int i) {
  const piece *p = &c->pieces->at[i];
  if (p->closes_lines) return indent_of(c) - FORMAT_INDENT;
  bool item = p->item != ITEM_NONE && p->item != ITEM_LIST_NEXT && p->item != ITEM_LIST_FIRST;
  return item || is_other_block(c->pieces, i) || p->kind == TOK_YYEOF ? indent_of(c)
                                                                      : continuation_column(c, i);
}

static void place_piece(cursor *c, int i, int column) {
  const piece *p = &c->pieces->at[i];
  c->column[i] = column;
  if (p->item != ITEM_NONE) c->formula = -1;
  if (p->item != ITEM_NONE && p->item != ITEM_LIST_NEXT) c->list = p->item == ITEM_LIST_FIRST ? i : -1;
  if (begins_formula(c->pieces, i)) c->formula = i;
  if (p->opens_lines) c->depth++;
  if (p->closes_lines) c->depth--;
  if (p->kind == TOK_LPAREN || p->kind == TOK_LBRACKET) vec_push(c->memory, &c->open, i);
  if ((p->kind == TOK_RPAREN || p->kind == TOK_RBRACKET) && c->open.n > 0) c->open.n--;
}

/* Where [first, end) must be broken to fit: the loosest place that does, the last of these; `end` if all
 * fits. */
static int find_break(const piece_list *pieces, int first, int end, int column) {
  int best = end, best_rank = 0, at = column;
  for (int i = first; i < end; i++) {
    const piece *p = &pieces->at[i];
    if (i > first) at += p->gap + p->pad;
    bool allowed = i > first && p->rank > 0 && at > column + FORMAT_INDENT;
    at += p->width;
    if (at > FORMAT_WIDTH && best < end) return best;
    if (allowed && (best == end || p->rank <= best_rank)) {
      best = i;
      best_rank = p->rank;
    }
    if (at > FORMAT_WIDTH && best < end) return best;
  }
  return end;
}

static line placed_line(cursor *c, const line *from, int first, int end, int column) {
  line l = *from;
  l.first = first;
  l.end = end;
  l.column = column;
  int at = column;
  for (int i = first; i < end; i++) {
    const piece *p = &c->pieces->at[i];
    if (i > first) at += p->gap + p->pad;
    place_piece(c, i, at);
    at += p->width;
  }
  l.width = at;
  return l;
}

/* One of the author's lines as one or more; the comment trails on the last. */
static void place_line(cursor *c, line_list *out, const line *l) {
  for (int first = l->first; first < l->end;) {
    int column = line_column(c, first);
    int end = find_break(c->pieces, first, l->end, column);
    line part = placed_line(c, l, first, end, column);
    if (first != l->first) part.blank_above = false;
    if (end < l->end) part.comment = -1;
    vec_push(c->memory, out, part);
    first = end;
  }
}

/* Comments alone stand where the next line begins; before the end of a block, where its items stand. */
static void place_comments(const cursor *c, line_list *out, int from, int to, int next) {
  int column = c->pieces->at[next].closes_lines ? indent_of(c) : line_column(c, next);
  for (int i = from; i < to; i++) out->at[i].column = out->at[i].width = column;
}

line_list *format_place(arena *a, const piece_list *pieces, const line_list *lines) {
  cursor c = {.memory = a, .pieces = pieces, .formula = -1, .list = -1};
  c.column = arena_array(a, int, pieces->n);
  line_list *out = arena_new(a, line_list);
  int waiting = 0; /* comment lines at the end of `out` without a column */
  for (int i = 0; i < lines->n; i++) {
    const line *l = &lines->at[i];
    if (l->alone) {
      vec_push(a, out, *l);
      waiting++;
      continue;
    }
    place_comments(&c, out, out->n - waiting, out->n, l->first);
    waiting = 0;
    place_line(&c, out, l);
  }
  return out;
}
