/* Where reading goes on after an error: at the next item of the list that was being read. */
#include "front/parse_state.h"
#include "parser.h"

static const token *token_at(const parse_state *ps, int i) { return &ps->list->tokens.at[i]; }

/* A name that is first on its line, behind something that ends a formula: nothing but a new item can begin
 * so, since two values never stand side by side. */
static bool begins_with_name(const parse_state *ps, int i) {
  const token *t = token_at(ps, i);
  if (t->kind != TOK_NAME || !t->line_start) return false;
  if (i == 0) return true;
  int before = token_at(ps, i - 1)->kind;
  return token_ends_expression(before) || before == TOK_RBRACE || before == TOK_LBRACE;
}

/* A statement or a rule on a line of its own: it is misplaced among declarations, and that is worth
 * saying. */
static bool begins_stray_item(const parse_state *ps, int i) {
  const token *t = token_at(ps, i);
  return t->line_start && (token_begins_statement(t->kind) || token_begins_rule(t->kind));
}

static bool begins_item(const parse_state *ps, list_kind list, int i) {
  int kind = token_at(ps, i)->kind;
  switch (list) {
  case LIST_FILE: return kind == TOK_SCHEME || kind == TOK_IMPORT || kind == TOK_FN;
  case LIST_DECLS:
    return token_begins_declaration(kind) || begins_with_name(ps, i) || begins_stray_item(ps, i);
  case LIST_RESULTS: return kind == TOK_LET || kind == TOK_TO || kind == TOK_FLUX || begins_with_name(ps, i);
  case LIST_RULES: return token_begins_rule(kind);
  case LIST_ASSIGNS: return begins_with_name(ps, i);
  case LIST_STMTS: return token_begins_statement(kind);
  }
  return false;
}

/* A declaration at the start of a line inside another's braces, in a file with more `{` than `}`. */
static bool shows_missing_brace(const parse_state *ps, list_kind list, int i) {
  const token *t = token_at(ps, i);
  if (list == LIST_FILE || list == LIST_DECLS || ps->list->unclosed <= 0) return false;
  if (t->kind == TOK_FLUX || !t->line_start) return false;
  return token_begins_declaration(t->kind);
}

/* The first token from `i` on where the list may go on or end; whole blocks are passed over. */
static int find_resumption(const parse_state *ps, list_kind list, int i) {
  int depth = 0;
  for (int first = i;; i++) {
    const token *t = token_at(ps, i);
    if (t->kind == TOK_YYEOF) return i;
    if (t->kind == TOK_LBRACE) depth++;
    if (t->kind == TOK_RBRACE && depth-- == 0 && list != LIST_FILE) return i;
    if (depth < 0) depth = 0;
    if (depth == 0 && t->kind == TOK_RBRACE && i != first) return i + 1;
    if (depth > 0 || i == ps->resumed_at) continue;
    bool reported =
        i == first && list == LIST_DECLS && !token_begins_declaration(t->kind) && begins_stray_item(ps, i);
    if (reported) continue;
    bool fresh = i != first || t->line_start;
    if (fresh && (begins_item(ps, list, i) || shows_missing_brace(ps, list, i))) return i;
  }
}

static int depth_at(const parse_state *ps, int end) {
  int depth = 0;
  for (int i = 0; i < end; i++) {
    int kind = token_at(ps, i)->kind;
    depth += (kind == TOK_LBRACE) - (kind == TOK_RBRACE);
  }
  return depth > 0 ? depth : 0;
}

bool recover(parse_state *ps, list_kind list) {
  if (ps->resumed_at >= ps->list->tokens.n - 1) return false;
  int i = find_resumption(ps, list, ps->current);
  if (token_at(ps, i)->kind == TOK_YYEOF) {
    i = ps->list->tokens.n - 1;
    ps->close_braces = list == LIST_FILE ? 0 : ps->list->unclosed > 0 ? ps->list->unclosed : 0;
  } else if (shows_missing_brace(ps, list, i)) {
    ps->close_braces = 1;
    ps->list->unclosed--;
  }
  ps->next = i;
  ps->resumed_at = i;
  ps->bracket_depth = depth_at(ps, i);
  return true;
}
