#include "front/format.h"

#include <string.h>

#include "parser.h"

/* ---- items: what the tree says about tokens ------------------------------------------------------------ */

typedef struct marker {
  arena *memory;
  const token_list *tokens;
  piece *pieces; /* one per token */
} marker;

static int token_at(const token_list *list, uint32_t offset) {
  int lo = 0, hi = list->tokens.n - 1;
  while (lo < hi) {
    int mid = lo + (hi - lo) / 2;
    if (list->tokens.at[mid].start < offset) lo = mid + 1;
    else hi = mid;
  }
  return lo;
}

static piece *mark(const marker *m, span at, item_class item) {
  piece *p = &m->pieces[token_at(m->tokens, at.start)];
  p->item = item;
  return p;
}

static void mark_bindings(const marker *m, const ast_binding *b, int n) {
  for (int i = 0; i < n; i++) mark(m, b[i].at, i ? ITEM_LIST_NEXT : ITEM_LIST_FIRST);
}

static void mark_body(const marker *m, const ast_body *body) { mark_bindings(m, body->where, body->n_where); }

static void mark_assigns(const marker *m, const ast_assign *assigns, int n) {
  for (int i = 0; i < n; i++) {
    mark(m, assigns[i].at, ITEM_ASSIGN);
    mark_body(m, &assigns[i].body);
  }
}

static void mark_results(const marker *m, const ast_decl *d) {
  for (int i = 0; i < d->part.block.n; i++) {
    const ast_result *r = &d->part.block.result[i];
    mark(m, r->at, r->kind == AST_RESULT_LET ? ITEM_LET : ITEM_RESULT);
    mark_bindings(m, r->bindings, r->n_bindings);
    mark_body(m, &r->body);
  }
}

static void mark_rules(const marker *m, const ast_decl *d) {
  for (int i = 0; i < d->part.boundary.n_rules; i++) {
    const ast_rule *r = &d->part.boundary.rules[i];
    mark(m, r->at, r->kind == AST_RULE_LET ? ITEM_LET : ITEM_RULE);
    mark_bindings(m, r->bindings, r->n_bindings);
    mark_body(m, &r->body);
  }
}

static bool in_braces(const marker *m, span at) {
  int i = token_at(m->tokens, at.start);
  return i > 0 && m->tokens->tokens.at[i - 1].kind == TOK_LBRACE;
}

static void mark_stmts(const marker *m, const ast_stmt *stmts, int n) {
  for (int i = 0; i < n; i++) {
    const ast_stmt *s = &stmts[i];
    mark(m, s->at, ITEM_STATEMENT);
    if (s->n_assign > 0 && in_braces(m, s->assign[0].at)) mark_assigns(m, s->assign, s->n_assign);
    else if (s->n_assign > 0) mark_body(m, &s->assign[0].body);
    bool braces = s->n_rates > 0 && in_braces(m, s->rate[0].state_at);
    for (int k = 0; k < s->n_rates && braces; k++) mark(m, s->rate[k].state_at, ITEM_ASSIGN);
    mark_stmts(m, s->body, s->n_body);
    bool chain = s->n_other == 1 && !in_braces(m, s->other[0].at); /* else if */
    mark_stmts(m, s->other, s->n_other);
    if (chain) mark(m, s->other[0].at, ITEM_NONE);
  }
}

static item_class class_of(ast_decl_kind kind) {
  switch (kind) {
  case AST_PARAMETER: return ITEM_PARAMETER;
  case AST_VARIANT: return ITEM_VARIANT;
  case AST_STATE:
  case AST_GIVEN: return ITEM_FIELD;
  case AST_FUNCTION: return ITEM_FUNCTION;
  case AST_EQUATION: return ITEM_EQUATION;
  case AST_GLOBAL: return ITEM_GLOBAL;
  case AST_BOUNDARY: return ITEM_BOUNDARY;
  default: return ITEM_OTHER;
  }
}

static void mark_decls(const marker *m, ast_decl *const *decls, int n) {
  for (int i = 0; i < n; i++) {
    const ast_decl *d = decls[i];
    mark(m, d->at, class_of(d->kind))->declaration = true;
    mark_body(m, &d->body);
    for (int k = 0; k < d->n_params && d->kind == AST_PARAMETER; k++)
      mark(m, d->params[k].at, k ? ITEM_LIST_NEXT : ITEM_LIST_FIRST);
    mark_results(m, d);
    mark_assigns(m, d->part.matrix.assign, d->part.matrix.n_assign);
    mark_rules(m, d);
    mark_stmts(m, d->part.step.stmt, d->part.step.n);
    mark_decls(m, d->part.exchange.decls, d->part.exchange.n_decls);
  }
}

static void mark_file(const marker *m, const ast_file *file) {
  mark_decls(m, file->functions, file->n_functions);
  for (int i = 0; i < m->tokens->tokens.n; i++) {
    int kind = m->tokens->tokens.at[i].kind;
    if (kind == TOK_IMPORT || kind == TOK_SCHEME) m->pieces[i].item = ITEM_TOP;
    if (kind == TOK_IMPORT || kind == TOK_SCHEME) m->pieces[i].declaration = true;
  }
  if (file->scheme) mark_decls(m, file->scheme->decls, file->scheme->n_decls);
}

/* ---- brackets round the body of min and max ------------------------------------------------------------ */

static bool opens(int kind) { return kind == TOK_LPAREN || kind == TOK_LBRACKET || kind == TOK_LBRACE; }
static bool closes(int kind) { return kind == TOK_RPAREN || kind == TOK_RBRACKET || kind == TOK_RBRACE; }

static void match_brackets(arena *a, piece_list *pieces) {
  VEC(int) open = {0};
  int round = 0, brace = 0;
  for (int i = 0; i < pieces->n; i++) {
    piece *p = &pieces->at[i];
    p->match = -1;
    if (closes(p->kind) && open.n > 0) {
      p->match = open.at[--open.n];
      pieces->at[p->match].match = i;
      if (p->kind == TOK_RBRACE) brace--;
      else round--;
    }
    p->round = round;
    p->brace = brace;
    if (!opens(p->kind)) continue;
    vec_push(a, &open, i);
    if (p->kind == TOK_LBRACE) brace++;
    else round++;
  }
}

/* The `)` of a reduction's binder, if its `(` is at `open`; else -1. */
static int binder_end(const piece_list *pieces, int open) {
  if (open + 2 >= pieces->n || open == 0 || pieces->at[open - 1].kind != TOK_REDUCE) return -1;
  int word = pieces->at[open + 2].kind;
  bool binder =
      pieces->at[open + 1].kind == TOK_NAME && (word == TOK_NEAR || word == TOK_OF || word == TOK_IN);
  return binder && pieces->at[open].kind == TOK_LPAREN ? pieces->at[open].match : -1;
}

/* The end of a product that begins at `from`: everything up to what binds more loosely. *factors: has it
 * `*` or `/`? */
static int product_end(const piece_list *pieces, int from, bool *factors) {
  *factors = false;
  bool operand = true; /* is an operand expected next? */
  for (int i = from; i < pieces->n; i++) {
    const piece *p = &pieces->at[i];
    int binder = i > from || p->kind == TOK_REDUCE ? binder_end(pieces, i + 1) : -1;
    if (operand && p->kind == TOK_MINUS) continue;
    if (operand && p->kind == TOK_REDUCE && binder > 0) {
      i = binder;
    } else if (operand &&
               (p->kind == TOK_LPAREN || token_ends_expression(p->kind) || p->kind == TOK_REDUCE)) {
      if (p->kind == TOK_LPAREN) i = p->match;
      operand = false;
    } else if (!operand && (p->kind == TOK_STAR || p->kind == TOK_SLASH || p->kind == TOK_CARET)) {
      if (p->kind != TOK_CARET) *factors = true;
      operand = true;
    } else if (!operand && (p->kind == TOK_LPAREN || p->kind == TOK_LBRACKET)) {
      i = p->match;
    } else if (!operand && p->kind == TOK_DOT) {
      i++;
    } else {
      if (operand) *factors = false; /* an `if` or a `not`: its reach needs no help */
      return i;
    }
    if (i < 0) return from;
  }
  return pieces->n;
}

static piece inserted(const piece *like, int kind) {
  piece p = *like;
  p.kind = kind;
  p.text = kind == TOK_LPAREN ? "(" : ")";
  p.width = 1;
  p.inserted = true;
  p.item = ITEM_NONE;
  p.user_break = p.comment_before = p.declaration = false;
  return p;
}

static bool is_word(const piece *p, const char *word) {
  return (size_t)p->width == strlen(word) && memcmp(p->text, word, (size_t)p->width) == 0;
}

/* `max(f of c) area/x` becomes `max(f of c) (area/x)`: the reach of a min or max is easily misread. */
static piece_list *with_reach_brackets(arena *a, piece_list *pieces) {
  bool any = false;
  int *open = arena_array(a, int, pieces->n + 1), *close = arena_array(a, int, pieces->n + 1);
  for (int i = 1; i < pieces->n; i++) {
    int end = binder_end(pieces, i);
    bool factors;
    if (end < 0 || is_word(&pieces->at[i - 1], "sum")) continue;
    int stop = product_end(pieces, end + 1, &factors);
    if (!factors) continue;
    any = true;
    open[end + 1]++;
    close[stop]++;
  }
  if (!any) return pieces;
  piece_list *all = arena_new(a, piece_list);
  for (int i = 0; i < pieces->n; i++) {
    for (int k = 0; k < close[i]; k++) vec_push(a, all, inserted(&pieces->at[i], TOK_RPAREN));
    piece p = pieces->at[i];
    for (int k = 0; k < open[i]; k++) {
      piece bracket = inserted(&p, TOK_LPAREN);
      bracket.user_break = p.user_break;
      bracket.comment_before = p.comment_before;
      p.user_break = p.comment_before = false;
      vec_push(a, all, bracket);
    }
    vec_push(a, all, p);
  }
  return all;
}

/* ---- operators, blanks, breaks ------------------------------------------------------------------------- */

static bool is_operator(int kind) {
  switch (kind) {
  case TOK_PLUS:
  case TOK_MINUS:
  case TOK_STAR:
  case TOK_SLASH:
  case TOK_CARET:
  case TOK_LT:
  case TOK_GT:
  case TOK_LE:
  case TOK_GE:
  case TOK_EQ:
  case TOK_NE:
  case TOK_AND:
  case TOK_OR: return true;
  default: return false;
  }
}

/* A bracket in which `+`, `-` and commas stand without blanks: of a unit, an index, a range of a
 * reduction. */
static bool is_tight_bracket(const piece_list *pieces, int i) {
  if (pieces->at[i].kind == TOK_LBRACKET) return true;
  return binder_end(pieces, i) >= 0 && pieces->at[i + 2].kind == TOK_IN;
}

static bool is_unit_bracket(const piece_list *pieces, int i) {
  if (i < 2 || pieces->at[i].kind != TOK_LBRACKET) return false;
  int before = pieces->at[i - 1].kind, earlier = pieces->at[i - 2].kind;
  if (before == TOK_NUMBER || (before == TOK_INT && earlier != TOK_DOT)) return true;
  if (before == TOK_NAME && (earlier == TOK_PLACE || earlier == TOK_COLON)) return true;
  int opener = pieces->at[i - 1].match; /* real[4] [m] */
  if (before == TOK_RBRACKET) return opener > 0 && pieces->at[opener - 1].kind == TOK_REAL;
  return before == TOK_NAME && pieces->at[i - 1].item != ITEM_NONE &&
         pieces->at[i - 1].item >= ITEM_LIST_FIRST;
}

/* `boundary open(p_out [Pa], u : vector [m/s])`: names of arguments stand behind `(` or `,` of a
 * boundary's list. */
static bool is_argument_unit(const piece_list *pieces, int i) {
  if (i < 4 || pieces->at[i].kind != TOK_LBRACKET || pieces->at[i - 1].kind != TOK_NAME) return false;
  int earlier = pieces->at[i - 2].kind;
  if ((earlier != TOK_LPAREN && earlier != TOK_COMMA) || pieces->at[i - 1].round != 1) return false;
  int k = i - 2;
  while (k > 0 && pieces->at[k].round > 0) k--;
  return k >= 2 && pieces->at[k].kind == TOK_LPAREN && pieces->at[k - 2].kind == TOK_BOUNDARY;
}

static void find_operators(piece_list *pieces) {
  bool operand_next = true;
  int tight_until = -1;
  for (int i = 0; i < pieces->n; i++) {
    piece *p = &pieces->at[i];
    if (i > tight_until && is_tight_bracket(pieces, i)) tight_until = p->match;
    else p->tight = i <= tight_until;
    p->binary = is_operator(p->kind) && !operand_next;
    bool closes_binder = p->kind == TOK_RPAREN && p->match >= 0 && binder_end(pieces, p->match) == i;
    operand_next = !(token_ends_expression(p->kind) && !closes_binder);
  }
}

/* Products stand without blanks, unless the author set some or a reduction is an operand. */
static bool is_loose_product(const piece_list *pieces, int i, const char *source) {
  const piece *p = &pieces->at[i], *next = &pieces->at[i + 1];
  if (p->tight) return false;
  if (next->kind == TOK_REDUCE && binder_end(pieces, i + 2) > 0) return true;
  if (p->user_break || p->comment_before) return !next->user_break && source[p->start + 1] == ' ';
  bool before = source[p->start - 1] == ' ' || source[p->start - 1] == '\n';
  return before &&
         (source[p->start + 1] == ' ' || source[p->start + 1] == '\n' || source[p->start + 1] == '\r');
}

static int operator_gap(const piece_list *pieces, int i, const char *source) {
  const piece *p = &pieces->at[i];
  switch (p->kind) {
  case TOK_CARET: return 0;
  case TOK_STAR:
  case TOK_SLASH: return is_loose_product(pieces, i, source);
  case TOK_PLUS:
  case TOK_MINUS: return !p->tight || pieces->at[i + 1].kind == TOK_MINUS;
  default: return 1;
  }
}

static bool is_call_bracket(const piece_list *pieces, int i) {
  const piece *before = &pieces->at[i - 1];
  if (before->kind == TOK_NAME || before->kind == TOK_REDUCE || before->kind == TOK_RBRACKET) return true;
  if (before->kind == TOK_INT) return true; /* u.2(...) */
  return before->kind == TOK_RPAREN && !(before->match >= 0 && binder_end(pieces, before->match) == i - 1);
}

/* Blanks between piece i and the one before it. */
static int gap_before(const piece_list *pieces, int i, const char *source) {
  const piece *p = &pieces->at[i], *before = &pieces->at[i - 1];
  if (p->item != ITEM_NONE && before->kind != TOK_LBRACE && p->item != ITEM_LIST_FIRST) return 2;
  if (p->kind == TOK_LBRACKET) return is_unit_bracket(pieces, i) || is_argument_unit(pieces, i);
  if (before->kind == TOK_LPAREN || before->kind == TOK_LBRACKET) return 0;
  if (p->kind == TOK_LPAREN && is_call_bracket(pieces, i)) return 0;
  if (before->binary) return operator_gap(pieces, i - 1, source);
  if (p->binary) return operator_gap(pieces, i, source);
  switch (p->kind) {
  case TOK_RPAREN:
  case TOK_RBRACKET:
  case TOK_COMMA:
  case TOK_DOT:
  case TOK_DOTDOT:
  case TOK_PRIME: return 0;
  default: break;
  }
  if (before->kind == TOK_COMMA) return !p->tight;
  if (before->kind == TOK_MINUS) return p->kind == TOK_MINUS; /* never `--`, which begins a comment */
  return before->kind != TOK_DOT && before->kind != TOK_DOTDOT && before->kind != TOK_CARET;
}

/* Breaks stand before operators and words, behind commas and `=`; deeper in brackets is worse. */
static int rank_before(const piece_list *pieces, int i) {
  const piece *p = &pieces->at[i], *before = &pieces->at[i - 1];
  int depth = 1 + 16 * p->round;
  if (p->tight || p->kind == TOK_LBRACE || p->kind == TOK_RBRACE || before->kind == TOK_LBRACE) return 0;
  if (p->item == ITEM_LIST_FIRST || before->kind == TOK_LPAREN || p->kind == TOK_CARET) return 0;
  if (p->item != ITEM_NONE || p->kind == TOK_WHERE) return depth;
  if (p->kind == TOK_BY || p->kind == TOK_UNTIL || (p->kind == TOK_AT && p->round == 0)) return depth + 1;
  if (p->kind == TOK_ELSE) return depth + 2;
  if (p->kind == TOK_THEN) return depth + 3;
  if (before->kind == TOK_COMMA && p->round > 0) return depth + 3;
  if (before->kind == TOK_ASSIGN) return depth + 14;
  if (!p->binary) return 0;
  switch (p->kind) {
  case TOK_OR: return depth + 4;
  case TOK_AND: return depth + 5;
  case TOK_PLUS:
  case TOK_MINUS: return depth + 8;
  case TOK_STAR:
  case TOK_SLASH: return depth + 12;
  default: return depth + 6;
  }
}

/* ---- all together -------------------------------------------------------------------------------------- */

static bool comment_between(const token_list *list, int *next, uint32_t end) {
  bool any = false;
  while (*next < list->comments.n && list->comments.at[*next].start < end) {
    (*next)++;
    any = true;
  }
  return any;
}

/* The last piece is the end of the file: comments before it need a place to stand. */
static piece_list *pieces_of(arena *a, const token_list *list) {
  piece_list *pieces = arena_new(a, piece_list);
  pieces->cap = list->tokens.n;
  pieces->at = arena_array(a, piece, pieces->cap);
  int next_comment = 0;
  for (int i = 0; i < list->tokens.n; i++) {
    const token *t = &list->tokens.at[i];
    piece p = {.kind = t->kind, .width = (int)(t->end - t->start), .start = t->start, .match = -1};
    p.text = list->text + t->start;
    p.user_break = t->line_start;
    p.comment_before = comment_between(list, &next_comment, t->start);
    vec_push(a, pieces, p);
  }
  return pieces;
}

piece_list *format_pieces(arena *a, const ast_file *file, const token_list *tokens) {
  piece_list *pieces = pieces_of(a, tokens);
  marker m = {a, tokens, pieces->at};
  mark_file(&m, file);
  match_brackets(a, pieces);
  pieces = with_reach_brackets(a, pieces);
  match_brackets(a, pieces);
  find_operators(pieces);
  for (int i = 1; i < pieces->n; i++) {
    pieces->at[i].gap = gap_before(pieces, i, tokens->text);
    pieces->at[i].rank = rank_before(pieces, i);
  }
  return pieces;
}
