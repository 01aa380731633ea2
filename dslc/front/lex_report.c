#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "front/lex_state.h"
#include "parser.h"

static const char *text_at(const lex_state *s, span at) {
  return arena_strndup(s->memory, s->list->text + at.start, at.end - at.start);
}

void lex_foreign_operator(lex_state *s, span at, const char *meant) {
  diag *d = diag_report(s->sink, DIAG_WRONG_OPERATOR, at, "`%s` is not an operator here", text_at(s, at));
  diag_with_label(s->sink, d, "write `%s`", meant);
  diag_with_edit(s->sink, d, meant);
}

void lex_foreign_comment(lex_state *s, span at) {
  bool hash = s->list->text[at.start] == '#';
  uint32_t mark_end = at.start + (hash ? 1 : 2);
  span mark = {at.file, at.start, mark_end};
  diag *d = diag_report(s->sink, DIAG_WRONG_COMMENT, mark, "`%s` does not begin a comment", text_at(s, mark));
  diag_with_label(s->sink, d, "write `--`");
  diag_with_edit(s->sink, d, "--");
}

void lex_conditional(lex_state *s, span at) {
  diag *d = diag_report(s->sink, DIAG_C_CONDITIONAL, at, "`?` does not choose between values");
  diag_with_hint(s->sink, d, "write `if condition then a else b`");
}

void lex_augmented_assignment(lex_state *s, span at) {
  const char *op = text_at(s, at);
  diag *d = diag_report(s->sink, DIAG_WRONG_OPERATOR, at, "`%s` is not an operator here", op);
  diag_with_hint(s->sink, d, "repeat the name: `update u = u %c ...`", op[0]);
}

/* Kernels show names in their comments: no `*` of one that ends, no `\\` that makes the next line part of one. */
static bool can_be_named(const char *text, size_t n) {
  for (size_t i = 0; i < n; i++)
    if ((unsigned char)text[i] < 0x20 || text[i] == 0x7F || strchr("*\\", text[i])) return false;
  return n > 0;
}

bool lex_names_part(lex_state *s, span at) {
  const char *text = s->list->text + at.start;
  const size_t n = at.end - at.start;
  if (s->part != LEX_PART_NAMES) {
    diag *d = diag_report(s->sink, DIAG_STRAY_CHARACTER, at, "there are no strings in a scheme");
    diag_with_hint(s->sink, d,
                   "comments begin with `--`; names stand without quotes, but those of parts of a "
                   "mesh: patch(\"left bank\")");
    return false;
  }
  if (n >= 2 && text[n - 1] == '"' && can_be_named(text + 1, n - 2)) return true;
  const bool open = n < 2 || text[n - 1] != '"';
  diag *d = diag_report(s->sink, DIAG_STRAY_CHARACTER, at,
                        open     ? "the quote that ends the name is missing"
                        : n == 2 ? "a part of the mesh without a name"
                                 : "names of parts hold no `*`, `\\` or control characters");
  if (!open && n > 2) diag_with_hint(s->sink, d, "give the group another name in the mesh");
  return false;
}

void lex_note_part(lex_state *s, int kind, name text) {
  const bool word = kind == TOK_NAME && name_has_parts(text);
  if (s->part == LEX_PART_WORD && kind == TOK_LPAREN) s->part = LEX_PART_NAMES;
  else if (s->part != LEX_PART_NAMES || kind == TOK_RPAREN || kind == TOK_LBRACE || kind == TOK_RBRACE)
    s->part = word ? LEX_PART_WORD : LEX_NO_PART;
}

void lex_stray(lex_state *s, span at) {
  const char *text = s->list->text + at.start;
  uint32_t c;
  size_t n = utf8_next(text, at.end - at.start, &c);
  if (c == 0xFFFD || c < 0x20 || (c >= 0x7F && c < 0xA0)) {
    span byte = {at.file, at.start, at.start + 1};
    diag_report(s->sink, DIAG_STRAY_CHARACTER, byte, "byte 0x%02X means nothing here", (unsigned char)*text);
    return;
  }
  span one = {at.file, at.start, at.start + (uint32_t)n};
  diag *d = diag_report(s->sink, DIAG_STRAY_CHARACTER, one, "the character `%s` means nothing here",
                        text_at(s, one));
  if (c >= 0x80) diag_with_hint(s->sink, d, "names consist of the letters A to Z, digits and `_`");
}

/* `.5` becomes `0.5`, `5.` becomes `5.0`, `5.e3` becomes `5.0e3`. */
void lex_number_side(lex_state *s, span at) {
  const char *text = text_at(s, at);
  const char *point = strchr(text, '.');
  const char *edit = point == text
                         ? arena_printf(s->memory, "0%s", text)
                         : arena_printf(s->memory, "%.*s.0%s", (int)(point - text), text, point + 1);
  diag *d = diag_report(s->sink, DIAG_BAD_NUMBER, at, "a number needs digits on both sides of its point");
  diag_with_label(s->sink, d, "write `%s`", edit);
  diag_with_edit(s->sink, d, edit);
}

void lex_number_tail(lex_state *s, span at, size_t length) {
  const char *text = text_at(s, at);
  const char *tail = text + length;
  bool exponent = (*tail == 'e' || *tail == 'E') && tail[1] == '\0';
  if (exponent) {
    diag *d = diag_report(s->sink, DIAG_BAD_NUMBER, at, "the exponent of `%s` has no digits", text);
    diag_with_label(s->sink, d, "write for example `%s3`", text);
    return;
  }
  diag *d =
      diag_report(s->sink, DIAG_BAD_NUMBER, at, "a name sticks to the number `%.*s`", (int)length, text);
  diag_with_label(s->sink, d, "write `%.*s*%s` for a product", (int)length, text, tail);
  diag_with_edit(s->sink, d, arena_printf(s->memory, "%.*s*%s", (int)length, text, tail));
}

double lex_number(lex_state *s, span at) {
  double value = strtod(text_at(s, at), NULL);
  if (!isinf(value)) return value;
  diag *d = diag_report(s->sink, DIAG_BAD_NUMBER, at, "this number is too large");
  diag_with_hint(s->sink, d, "the largest is about 1.8e308; `inf` is larger than any number");
  return 1;
}

static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

/* `a--b`: dashes that touch operands on both sides were hardly meant as a comment. */
static void warn_of_trap(lex_state *s, span at) {
  const char *text = s->list->text;
  bool after_operand = s->previous_end == at.start && token_ends_expression(s->previous);
  char next = text[at.start + 2]; /* the text ends with a NUL */
  if (!after_operand || next == '\0' || next == '\n' || next == '-' || is_blank(next)) return;
  span mark = {at.file, at.start, at.start + 2};
  diag *d = diag_report(s->sink, DIAG_COMMENT_TRAP, mark,
                        "`--` begins a comment: the rest of the line is not read");
  diag_with_hint(s->sink, d, "for a difference write `- -`, for a comment leave a blank before it");
}

void lex_fatal(lex_state *s, const char *message) {
  diag_report(s->sink, DIAG_INTERNAL, (span){s->list->file, s->offset, s->offset}, "%s", message);
  arena_fail(s->memory);
}

/* Comments are kept as text, which ends at a zero byte: whatever stands behind one would be lost in `dslc fmt`. */
void lex_comment(lex_state *s, span at) {
  const char *text = s->list->text, *zero = memchr(text + at.start, '\0', at.end - at.start);
  if (zero) lex_stray(s, (span){at.file, (uint32_t)(zero - text), (uint32_t)(zero - text) + 1});
  warn_of_trap(s, at);
  while (at.end > at.start + 2 && is_blank(s->list->text[at.end - 1])) at.end--;
  vec_push(s->memory, &s->list->comments, ((comment){at.start, at.end, s->line_start}));
}
