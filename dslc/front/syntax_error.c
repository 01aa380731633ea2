/* What the parser's expectations mean in the user's words. The first pattern that fits is reported; the
 * general message is "expected an expression after `*`, found `)`". */
#include <string.h>

#include "front/syntax_problem.h"

static diag *report(const syntax_problem *p, diag_code code, const char *message) {
  return diag_report(p->ps->sink, code, p->at, "%s", message);
}

/* ---- "expected A, B or C" ------------------------------------------------------------------------------ */

typedef struct phrase {
  const char *item[8];
  int n;
} phrase;

static void add_phrase(phrase *f, const char *item) {
  if (f->n < 8) f->item[f->n++] = item;
}

static void add_word(const syntax_problem *p, phrase *f, const char *word) {
  if (expects(p, word)) add_phrase(f, arena_printf(p->ps->memory, "`%s`", word));
}

/* What begins an item of the list being read. A name does so too, so "a name" is left out beside these. */
static const char *expected_item(const syntax_problem *p) {
  if (expects(p, "parameter")) return "a declaration";
  if (expects(p, "update")) return "a statement";
  if (expects(p, "ghost")) return "a rule";
  if (expects(p, "let")) return "a result";
  if (expects(p, "scheme")) return "`scheme`, `fn` or `import`";
  return NULL;
}

static phrase expectations(const syntax_problem *p) {
  static const char *const marks[] = {"=",  "@",    ":",       "{",     "'",  "<->",  "->", "then", "else",
                                      "by", "over", "at most", "until", "on", "near", "of", "in",   "^"};
  phrase f = {0};
  bool value = expects_expression(p), operation = expects_operator(p);
  const char *item = expected_item(p);
  if (value) add_phrase(&f, "an expression");
  if (operation) add_phrase(&f, "an operator");
  if (item && !operation) add_phrase(&f, item);
  if (expects(p, "a name") && !value && item == NULL) add_phrase(&f, "a name");
  if (expects(p, "a whole number") && !value) add_phrase(&f, "a whole number");
  if (expects(p, "*") && !operation && !value) add_phrase(&f, "`*`");
  for (size_t i = 0; i < sizeof marks / sizeof *marks && !value; i++)
    if (!(operation && strcmp(marks[i], "^") == 0)) add_word(p, &f, marks[i]);
  bool closes = expects(p, ")") || expects(p, "]");
  if (!value && (closes || !operation)) add_word(p, &f, ",");
  add_word(p, &f, ")");
  if (!operation && !value && f.n < 4) add_word(p, &f, "(");
  if (!value) add_word(p, &f, "]");
  if (!operation && !value && item == NULL && f.n < 4) add_word(p, &f, "[");
  if (!value) add_word(p, &f, "}");
  return f;
}

static const char *joined(arena *a, const phrase *f) {
  const char *text = f->n ? f->item[0] : "something else";
  for (int i = 1; i < f->n; i++)
    text = arena_printf(a, "%s%s%s", text, i + 1 < f->n ? ", " : " or ", f->item[i]);
  return text;
}

/* ---- brackets ------------------------------------------------------------------------------------------ */

/* A round or square bracket is open, and what was found can only stand behind its end. */
static void show_opener(const syntax_problem *p, diag *d) {
  const token *open = syntax_innermost_open(p);
  if (open == NULL || open->kind == TOK_LBRACE) return;
  bool closes = found_is(p, TOK_RPAREN) || found_is(p, TOK_RBRACKET) || found_is(p, TOK_RBRACE);
  bool beyond = found_is(p, TOK_LBRACE) || found_is(p, TOK_YYEOF) || p->found->line_start ||
                (closes && p->found->kind != closer_of(open->kind));
  if (beyond) diag_with_span(p->ps->sink, d, span_of(p, open), "this bracket is not closed");
}

/* ---- patterns: each reports and returns true if it fits ------------------------------------------------ */

/* Columns of indentation of the line that a token stands on. */
static int indentation(const syntax_problem *p, const token *t) {
  const char *text = p->ps->list->text;
  uint32_t start = t->start;
  while (start > 0 && text[start - 1] != '\n') start--;
  return (int)strspn(text + start, " \t");
}

/* The `{` that is most likely the one without an end: the first whose seeming end stands further left than
 * the line of the `{`. NULL if the indentation tells nothing. */
static const token *suspicious_brace(const syntax_problem *p) {
  VEC(const token *) open = {0};
  for (int i = 0; i < p->ps->current; i++) {
    const token *t = &p->ps->list->tokens.at[i];
    if (t->kind == TOK_LBRACE) vec_push(p->ps->memory, &open, t);
    if (t->kind != TOK_RBRACE || open.n == 0) continue;
    const token *opener = open.at[--open.n];
    if (t->line_start && indentation(p, t) < indentation(p, opener)) return opener;
  }
  return NULL;
}

/* `update u = u -- dt*rate }`: what was meant to be a sign has begun a comment. */
static void show_comment(const syntax_problem *p, diag *d, const token *open) {
  const char *text = p->ps->list->text + open->start, *dashes = strstr(text, "--");
  const char *end = text + strcspn(text, "\n");
  if (dashes == NULL || dashes > end || memchr(dashes, '}', (size_t)(end - dashes)) == NULL) return;
  uint32_t at = open->start + (uint32_t)(dashes - text);
  diag_with_span(p->ps->sink, d, (span){p->ps->list->file, at, open->start + (uint32_t)(end - text)},
                 "`--` begins a comment: the rest of the line is not read");
}

static bool file_ends(const syntax_problem *p) {
  if (!found_is(p, TOK_YYEOF)) return false;
  const token *open = syntax_innermost_open(p);
  const token *suspect = open && open->kind == TOK_LBRACE ? suspicious_brace(p) : NULL;
  if (suspect) open = suspect;
  if (open == NULL) return false;
  const char *bracket = token_text(p->ps->memory, p->ps->list, open);
  diag *d = diag_report(p->ps->sink, DIAG_UNCLOSED, p->at, "the file ends before %s is closed", bracket);
  diag_with_span(p->ps->sink, d, span_of(p, open), "%s opened here", bracket);
  show_comment(p, d, open);
  return true;
}

static bool brace_forgotten(const syntax_problem *p) {
  if (p->ps->list->unclosed <= 0 || !p->found->line_start || expects(p, "parameter")) return false;
  if (!expects(p, "}") || !token_begins_declaration(p->found->kind)) return false;
  const token *open = syntax_innermost_open(p);
  if (open == NULL || open->kind != TOK_LBRACE) return false;
  diag *d = diag_report(p->ps->sink, DIAG_UNCLOSED, p->at, "expected `}` before %s", p->found_text);
  diag_with_span(p->ps->sink, d, span_of(p, open), "`{` opened here");
  return true;
}

/* Inside the brackets of a unit: there, and only there, `*` may follow where `+` may not, or a whole
 * number may begin where another number may not. */
static bool unit_is_wrong(const syntax_problem *p) {
  bool behind_factor = expects(p, "*") && expects(p, "/") && !expects_operator(p);
  bool at_factor =
      expects(p, "a name") && expects(p, "a whole number") && expects(p, "(") && !expects_expression(p);
  bool at_exponent = before_is(p, TOK_CARET) && !expects_expression(p);
  if (!behind_factor && !at_factor && !at_exponent) return false;
  const token *open = syntax_innermost_open(p);
  bool ended =
      found_is(p, TOK_ASSIGN) || found_is(p, TOK_LBRACE) || found_is(p, TOK_RBRACE) || p->found->line_start;
  if (ended && behind_factor && open) {
    diag *d = diag_report(p->ps->sink, DIAG_OPEN_UNIT, span_of(p, open), "this unit is not closed");
    diag_with_label(p->ps->sink, d, "expected `]` before %s", p->found_text);
    return true;
  }
  const char *what = at_exponent ? "an exponent such as `2`, `-1` or `(1/3)`"
                     : at_factor ? "the name of a unit"
                                 : "`*`, `/` or `]`";
  diag *d =
      diag_report(p->ps->sink, DIAG_BAD_UNIT, p->at, "expected %s in a unit, found %s", what, p->found_text);
  diag_with_hint(p->ps->sink, d, "units look like [m/s^2], [kg/(m*s)], [s/m^(1/3)] or [1]");
  return true;
}

/* On the line that declares a parameter. */
static bool declares_parameter(const syntax_problem *p) {
  for (int i = p->ps->current - 1; i >= 0; i--) {
    const token *t = &p->ps->list->tokens.at[i];
    if (t->kind == TOK_PARAMETER || t->line_start) return t->kind == TOK_PARAMETER;
  }
  return false;
}

static bool chain_of_comparisons(const syntax_problem *p) {
  if (!is_comparison(p->found->kind) || !expects_operator(p) || expects(p, "<")) return false;
  diag *d = report(p, DIAG_COMPARISON_CHAIN, "comparisons cannot be chained");
  diag_with_hint(p->ps->sink, d,
                 declares_parameter(p) ? "bounds stand before the default: `a >= 0 and <= 1 = 0.5`"
                                       : "join two comparisons with `and`: `a < b and b < c`");
  return true;
}

static bool assignment_in_formula(const syntax_problem *p) {
  if (!found_is(p, TOK_ASSIGN) || !expects_operator(p)) return false;
  diag *d = report(p, DIAG_ASSIGN_IN_EXPRESSION, "`=` inside a formula");
  diag_with_label(p->ps->sink, d, "to compare, write `==`");
  if (expects(p, "==")) diag_with_edit(p->ps->sink, d, "==");
  return true;
}

static bool then_or_else_missing(const syntax_problem *p) {
  if (!expects_operator(p)) return false;
  if (expects(p, "then")) {
    diag *d = diag_report(p->ps->sink, DIAG_MISSING_THEN, p->at,
                          "expected `then` after the condition, found %s", p->found_text);
    diag_with_hint(p->ps->sink, d, "write `if condition then a else b`");
    return true;
  }
  if (!expects(p, "else")) return false;
  diag *d = diag_report(p->ps->sink, DIAG_MISSING_ELSE, p->at, "expected `else`, found %s", p->found_text);
  diag_with_hint(p->ps->sink, d,
                 "`if` is an expression and needs a value in both cases: `if c then a else b`");
  return true;
}

static bool component_missing(const syntax_problem *p) {
  if (!found_is(p, TOK_RPAREN) || !before_is(p, TOK_COMMA) || !expects_expression(p)) return false;
  diag *d = report(p, DIAG_TUPLE_OF_ONE, "expected another component after `,`, found `)`");
  diag_with_hint(p->ps->sink, d, "a tuple has two or more components: `(h, q)`");
  return true;
}

static bool statement_outside_step(const syntax_problem *p) {
  if (!token_begins_statement(p->found->kind) || !(expects(p, "parameter") || expects(p, "scheme")))
    return false;
  diag *d =
      diag_report(p->ps->sink, DIAG_STATEMENT_OUTSIDE_STEP, p->at, "%s outside the step", p->found_text);
  diag_with_hint(p->ps->sink, d, "statements stand in `step { ... }`");
  return true;
}

static const char *hint_outside_scheme(const syntax_problem *p) {
  const token *import = token_from(p, -2);
  if (p->ps->file->scheme) return "is there a `}` too many?";
  if (import && import->kind == TOK_IMPORT && found_is(p, TOK_NAME) && strcmp(p->found->text, "from") == 0)
    return arena_printf(p->ps->memory, "write `import %s of FILE`", p->before->text);
  if (found_is(p, TOK_PARAMETER))
    return "write `scheme NAME on mesh(D) { ... }`; a file that others import holds functions only, "
           "parameters are arguments of these";
  return "write `scheme NAME on mesh(D) { ... }`";
}

static bool outside_scheme(const syntax_problem *p) {
  if (!expects(p, "scheme") || expects(p, "parameter")) return false;
  bool declaration =
      token_begins_declaration(p->found->kind) || found_is(p, TOK_RBRACE) || found_is(p, TOK_NAME);
  if (!declaration) return false;
  if (p->ps->outside_reported) return true;
  p->ps->outside_reported = true;
  diag *d = diag_report(p->ps->sink, DIAG_OUTSIDE_SCHEME, p->at, "%s outside the braces of a scheme",
                        p->found_text);
  if (p->ps->file->scheme)
    diag_with_span(p->ps->sink, d, p->ps->file->scheme->name_at, "this scheme has ended before");
  diag_with_hint(p->ps->sink, d, "%s", hint_outside_scheme(p));
  return true;
}

static const char *home_of(int kind) {
  switch (kind) {
  case TOK_GHOST:
  case TOK_FIX:
  case TOK_ADD: return "rules stand in `boundary NAME { ... }`";
  case TOK_LET: return "`let` stands in an equation's block, `name @ place { let ... }`, or in a boundary";
  case TOK_TO: return "`to L =` and `to R =` stand in the block of an equation at faces";
  case TOK_IMPORT: return "imports stand at the top of the file, before `scheme`";
  case TOK_SCHEME: return "a scheme stands at the top of a file, not in another one";
  case TOK_REPLACE:
    return "`replace` stands before a declaration, or a line of `add boundary NAME { ... }`; statements are "
           "replaced "
           "together: `replace step { ... }`";
  default: return NULL;
  }
}

static bool misplaced(const syntax_problem *p) {
  if (expected_item(p) == NULL || (expects_operator(p) && !p->found->line_start)) return false;
  const char *home = home_of(p->found->kind);
  if (home == NULL && token_begins_declaration(p->found->kind))
    home = "declarations stand directly in the scheme's braces";
  if (home == NULL && token_begins_statement(p->found->kind)) home = "statements stand in `step { ... }`";
  if (home == NULL) return false;
  diag *d = diag_report(p->ps->sink, DIAG_MISPLACED, p->at, "%s does not belong here", p->found_text);
  diag_with_hint(p->ps->sink, d, "%s", home);
  return true;
}

static bool update_missing(const syntax_problem *p) {
  if (!expects(p, "update") || !found_is(p, TOK_NAME)) return false;
  static const char *const loops[] = {"for", "while", "do", "loop", "foreach"};
  diag *d = diag_report(p->ps->sink, DIAG_SYNTAX, p->at, "expected a statement, found %s", p->found_text);
  for (size_t i = 0; i < sizeof loops / sizeof *loops; i++)
    if (strcmp(p->found->text, loops[i]) == 0) {
      diag_with_hint(p->ps->sink, d,
                     "there are no loops over cells: what stands in a step holds for all of them; `repeat { "
                     "... } until ...` iterates");
      return true;
    }
  static const char *const chains[] = {"elseif", "elif", "elsif"};
  for (size_t i = 0; i < sizeof chains / sizeof *chains; i++)
    if (strcmp(p->found->text, chains[i]) == 0) {
      diag_with_hint(p->ps->sink, d, "two words: `else if way == other { ... }`");
      return true;
    }
  diag_with_hint(p->ps->sink, d, "an assignment in a step begins with `update`: `update %s = ...`",
                 p->found->text);
  return true;
}

/* `min(c) volume`: a reduction over what? Its brackets end two tokens ago. */
static bool is_reduction_of_one_name(const syntax_problem *p) {
  const token *close = token_from(p, -2), *inside = token_from(p, -3), *open = token_from(p, -4),
              *word = token_from(p, -5);
  if (!close || !inside || !open || !word || close->kind != TOK_RPAREN || open->kind != TOK_LPAREN)
    return false;
  return inside->kind == TOK_NAME && word->kind == TOK_REDUCE;
}

/* `a b`: the second name began a new item for the parser, and only what follows it does not fit. */
static bool operator_missing(const syntax_problem *p) {
  const token *first = token_from(p, -2);
  if (!before_is(p, TOK_NAME) || p->before->line_start || first == NULL ||
      !token_ends_expression(first->kind))
    return false;
  if (!(expects(p, "=") && expects(p, ".")) || expects_operator(p)) return false;
  diag *d =
      diag_report(p->ps->sink, DIAG_SYNTAX, span_of(p, p->before), "expected an operator between %s and %s",
                  token_text(p->ps->memory, p->ps->list, first), p->before_text);
  if (is_reduction_of_one_name(p))
    diag_with_hint(p->ps->sink, d,
                   "a reduction says in its brackets what it runs over: `c in cells`, `f of c`, `J near I`");
  else diag_with_hint(p->ps->sink, d, "a product needs its `*`");
  return true;
}

static bool is_over_time(const token *t) {
  return t && t->kind == TOK_NAME && !t->line_start &&
         (strcmp(t->text, "overtime") == 0 || strcmp(t->text, "over_time") == 0 ||
          strcmp(t->text, "overTime") == 0);
}

/* `overtime`: two words, which say of a given that its values follow time. */
static bool over_time_in_one_word(const syntax_problem *p) {
  const token *word = is_over_time(p->found) ? p->found : is_over_time(p->before) ? p->before : NULL;
  const token *declares = word;
  while (declares && declares > p->ps->list->tokens.at && !token_begins_declaration(declares->kind))
    declares--;
  if (!word || declares->kind != TOK_GIVEN) return false;
  diag *d = diag_report(p->ps->sink, DIAG_SYNTAX, span_of(p, word), "expected an operator, found %s",
                        token_text(p->ps->memory, p->ps->list, word));
  diag_with_hint(p->ps->sink, d, "two words: `given rain @ cells [m/s] over time`");
  return true;
}

/* `|a|` */
static bool bars(const syntax_problem *p) {
  if (!found_is(p, TOK_BAR) || !(expects_expression(p) || expects_operator(p))) return false;
  diag *d = report(p, DIAG_SYNTAX, "`|` stands between the choices of a variant alone");
  diag_with_hint(p->ps->sink, d, "the absolute value is written abs(a), the length of a vector norm(a)");
  return true;
}

/* `(K*w).y`: only a name has parts. */
static bool part_of_formula(const syntax_problem *p) {
  if (!found_is(p, TOK_DOT) || !expects_operator(p) || p->before == NULL) return false;
  diag *d = report(p, DIAG_SYNTAX, "only a name has parts, not a formula");
  diag_with_hint(p->ps->sink, d, "name the formula: `v.y where v = ...`");
  return true;
}

/* An `@` inside a formula: most often the line before ends with an operator and so has swallowed this
 * name. */
static bool place_in_formula(const syntax_problem *p) {
  if (!found_is(p, TOK_PLACE) || !expects_operator(p)) return false;
  int i = p->ps->current;
  while (i > 0 && !p->ps->list->tokens.at[i].line_start) i--;
  const token *last = i > 0 ? &p->ps->list->tokens.at[i - 1] : NULL;
  if (last == NULL || token_ends_expression(last->kind)) return false;
  diag *d = report(p, DIAG_SYNTAX, "a place inside a formula");
  diag_with_span(p->ps->sink, d, span_of(p, last), "the formula of the line before goes on here");
  return true;
}

static bool rate_without_prime(const syntax_problem *p) {
  if (!expects(p, "'") || !before_is(p, TOK_NAME)) return false;
  diag *d = diag_report(p->ps->sink, DIAG_SYNTAX, p->at, "expected `'` after %s, found %s", p->before_text,
                        p->found_text);
  diag_with_hint(p->ps->sink, d, "integrate a rate of change: `integrate %s' = rate by rk4 over dt`",
                 found_is(p, TOK_ASSIGN) ? p->before->text : "u");
  return true;
}

static bool initial_value(const syntax_problem *p) {
  if (!found_is(p, TOK_ASSIGN) || expected_item(p) == NULL || expects_operator(p)) return false;
  diag *d = diag_report(p->ps->sink, DIAG_SYNTAX, p->at, "a state or a given takes no value here");
  diag_with_hint(p->ps->sink, d,
                 "its values come from the case; an equation is written `name @ place = formula`");
  return true;
}

/* `param g = 1`: a name that is no declaration's word, before another name. */
static bool unknown_declaration(const syntax_problem *p) {
  if (!before_is(p, TOK_NAME) || !found_is(p, TOK_NAME) || !expects(p, "@") || !expects(p, "=")) return false;
  if (p->found->line_start) return false;
  static const char *const words[] = {"parameter", "variant",  "state",    "given",   "fn",  "flux",
                                      "matrix",    "boundary", "exchange", "require", "step"};
  diag *d = diag_report(p->ps->sink, DIAG_UNKNOWN_DECLARATION, span_of(p, p->before),
                        "unknown declaration %s", p->before_text);
  const char *near = nearest_name(p->before->text, words, sizeof words / sizeof *words);
  if (near == NULL && strncmp(p->before->text, "param", 5) == 0) near = "parameter";
  diag_did_you_mean(p->ps->sink, d, near);
  diag_with_hint(p->ps->sink, d, "an equation is written `name @ place = formula`");
  return true;
}

/* `scheme on mesh(2)`: the name was left out. */
static bool scheme_name_missing(const syntax_problem *p) {
  if (!before_is(p, TOK_SCHEME) || !expects(p, "a name")) return false;
  diag *d =
      diag_report(p->ps->sink, DIAG_SYNTAX, p->at, "expected a name after `scheme`, found %s", p->found_text);
  diag_with_hint(p->ps->sink, d, "write `scheme NAME on mesh(D) { ... }`");
  return true;
}

/* The word before the name whose parameter, or whose rule's arguments, are being read; NULL: something else is. */
static const token *parameter_read(const syntax_problem *p) {
  const token *open = syntax_innermost_open(p);
  if (open && open->kind == TOK_LPAREN && open - p->ps->list->tokens.at >= 2 && open[-2].kind == TOK_BOUNDARY)
    return &open[-2];
  for (int i = p->ps->current - 1; i >= 0; i--)
    if (token_begins_declaration(p->ps->list->tokens.at[i].kind))
      return p->ps->list->tokens.at[i].kind == TOK_PARAMETER ? &p->ps->list->tokens.at[i] : NULL;
  return NULL;
}

/* `argmax(c in cells) h`, `count(f of c) ...`: a name, not a reduction, runs over an index. */
static bool unknown_reduction(const syntax_problem *p) {
  const token *open = token_from(p, -2), *word = token_from(p, -3), *first = token_from(p, -4);
  if (first && (first->kind == TOK_BOUNDARY || first->kind == TOK_FN)) return false; /* its arguments */
  const bool index = found_is(p, TOK_IN) || found_is(p, TOK_OF) || found_is(p, TOK_NEAR);
  if (!index || !before_is(p, TOK_NAME) || !open || open->kind != TOK_LPAREN || !word ||
      word->kind != TOK_NAME)
    return false;
  diag *d = diag_report(p->ps->sink, DIAG_SYNTAX, span_of(p, word),
                        "`%s` is no reduction: these are `sum`, `min` and `max`", word->text);
  diag_with_hint(p->ps->sink, d,
                 "how many there are is the sum of 1, as in  sum(c in cells) (if h > 1 then 1 else 0)");
  return true;
}

/* `parameter kappa [m^2/s] in (0, 100] = 0.1` */
static bool bounds_by_in(const syntax_problem *p) {
  if (!found_is(p, TOK_IN) || !parameter_read(p)) return false;
  diag *d = report(p, DIAG_SYNTAX, "bounds are comparisons with numbers, not `in`");
  diag_with_hint(p->ps->sink, d,
                 "they stand behind the unit, before the default: `kappa [m^2/s] > 0 and <= 100 = 0.1`");
  return true;
}

/* `min(c in cells: h)` and `min(c in cells, h)` */
static bool reduced_inside(const syntax_problem *p) {
  const token *open = syntax_innermost_open(p);
  if (!(found_is(p, TOK_COLON) || found_is(p, TOK_COMMA)) || open == NULL || open->kind != TOK_LPAREN)
    return false;
  if (open == p->ps->list->tokens.at || open[-1].kind != TOK_REDUCE || !expects(p, ")")) return false;
  if (open[1].kind != TOK_NAME || !(open[2].kind == TOK_IN || open[2].kind == TOK_OF)) return false;
  const char *word = token_text(p->ps->memory, p->ps->list, &open[-1]);
  diag *d = report(p, DIAG_SYNTAX,
                   arena_printf(p->ps->memory, "the bracket of %s holds only over what it goes", word));
  const char *head = p->ps->list->text + open[-1].start;
  diag_with_hint(p->ps->sink, d, "the formula stands behind the bracket: `%.*s) ...`",
                 (int)(p->found->start - open[-1].start), head);
  return true;
}

/* How many tokens before what was found the name of a part of the mesh begins: 1 at `bank` of region(left bank); -1: none does. */
static int part_begins(const syntax_problem *p) {
  int own = -1; /* tokens of the same name, which a comma ends */
  for (int steps = 0;; steps++) {
    const token *t = token_from(p, -steps - 1), *call = token_from(p, -steps - 2);
    if (!t || !call) return -1;
    if (own < 0 && (t->kind == TOK_COMMA || t->kind == TOK_LPAREN)) own = steps;
    if (t->kind == TOK_LPAREN) return call->kind == TOK_NAME && name_has_parts(call->text) ? own : -1;
    const bool part_of_name = t->kind == TOK_NAME || t->kind == TOK_INT || t->kind == TOK_MINUS;
    if (!part_of_name && t->kind != TOK_COMMA && t->kind != TOK_QUOTED && !token_is_keyword(t->kind))
      return -1;
  }
}

/* `region(left bank)`, `patch(in)`: what the mesh's file calls so is no name of the language. */
static bool part_without_quotes(const syntax_problem *p) {
  const int steps = part_begins(p);
  const bool word = token_is_keyword(p->found->kind);
  if (steps < 0 || (!word && !found_is(p, TOK_NAME) && !found_is(p, TOK_INT))) return false;
  const token *first = token_from(p, -steps), *last = p->found;
  for (int i = 1; token_from(p, i)->kind == TOK_NAME || token_is_keyword(token_from(p, i)->kind); i++)
    last = token_from(p, i);
  const char *text = p->ps->list->text + first->start;
  const span at = {p->ps->list->file, first->start, last->end};
  diag *d = diag_report(p->ps->sink, word && steps == 0 ? DIAG_RESERVED_WORD : DIAG_SYNTAX, at,
                        "what is no name of the language stands in quotes as the name of a part of the mesh");
  diag_with_hint(p->ps->sink, d, "write `\"%.*s\"`", (int)(last->end - first->start), text);
  return true;
}

/* `update { if WAY == one { ... } }` */
static bool choice_inside_statement(const syntax_problem *p) {
  const token *open = syntax_innermost_open(p);
  if (!found_is(p, TOK_IF) || !p->found->line_start || !open || open->kind != TOK_LBRACE ||
      open == p->ps->list->tokens.at)
    return false;
  if (open[-1].kind != TOK_UPDATE && open[-1].kind != TOK_INTEGRATE) return false;
  diag *d = report(p, DIAG_SYNTAX, "`if` stands around whole statements, not among the assignments of one");
  diag_with_hint(
      p->ps->sink, d,
      "write `if WAY == one { update s = ... }`, or choose a value: `s = if WAY == one then a else b`");
  return true;
}

static bool reserved_as_name(const syntax_problem *p) {
  bool word = token_is_keyword(p->found->kind);
  if (!word || !(expects(p, "a name") || expects_expression(p))) return false;
  if (p->found->line_start &&
      (token_begins_declaration(p->found->kind) || token_begins_statement(p->found->kind)))
    return false;
  if (expects_expression(p) && (found_is(p, TOK_THEN) || found_is(p, TOK_ELSE) || p->found->line_start))
    return false;
  const char *kind = found_is(p, TOK_REDUCE) ? "a built-in function" : "a reserved word";
  diag *d = diag_report(p->ps->sink, DIAG_RESERVED_WORD, p->at, "%s is %s and cannot be a name",
                        p->found_text, kind);
  if (before_is(p, TOK_COLON) && found_is(p, TOK_MATRIX))
    diag_with_hint(p->ps->sink, d, "a type of rows and columns is `tensor`");
  else if (p->found->text)
    diag_with_hint(p->ps->sink, d, "choose another name, for example `%s_`", p->found->text);
  return true;
}

/* `given a.x @ xfaces` */
static bool dot_in_name(const syntax_problem *p) {
  if (!found_is(p, TOK_DOT) || !before_is(p, TOK_NAME) || !expects(p, "@") || expects(p, "=")) return false;
  diag *d = report(p, DIAG_SYNTAX, "a state or a given has no dot in its name");
  diag_with_hint(p->ps->sink, d,
                 "only equations may: `u.x @ xfaces = ...`; pair other names in the exchange: `ux <-> uy`");
  return true;
}

/* Behind the name of what a word declares. */
static bool is_declared_by(const syntax_problem *p, int word) {
  const token *at = token_from(p, -2);
  return at && at->kind == word;
}

static bool place_missing(const syntax_problem *p) {
  bool same_line = found_is(p, TOK_NAME) && !p->found->line_start;
  if (!expects(p, "@") || expects(p, "=") || same_line) return false;
  diag *d = diag_report(p->ps->sink, DIAG_MISSING_PLACE, p->at, "expected `@` and a place, found %s",
                        p->found_text);
  const char *more =
      expects(p, "[") && expects(p, ",") ? "; a state of one value has a unit or a type instead" : "";
  if (is_declared_by(p, TOK_GIVEN) && found_is(p, TOK_LBRACKET))
    more = "; one number of the case is a parameter";
  if (is_declared_by(p, TOK_GIVEN) && is_comparison(p->found->kind))
    more = ", and its bounds behind that: `@ cells >= 0`";
  diag_with_hint(p->ps->sink, d, "say where it lives, for example `%s @ %s`%s",
                 before_is(p, TOK_NAME) ? p->before->text : "h",
                 is_declared_by(p, TOK_FLUX) ? "faces" : "cells", more);
  return true;
}

static void general(const syntax_problem *p) {
  phrase f = expectations(p);
  const char *what = joined(p->ps->memory, &f);
  const char *after = p->before ? arena_printf(p->ps->memory, " after %s", p->before_text) : "";
  diag *d =
      diag_report(p->ps->sink, DIAG_SYNTAX, p->at, "expected %s%s, found %s", what, after, p->found_text);
  show_opener(p, d);
  const char *form = syntax_form(p);
  if (form) diag_with_hint(p->ps->sink, d, "%s", form);
}

void report_syntax_error(parse_state *ps, const char *const *expected, int n_expected) {
  static bool (*const patterns[])(const syntax_problem *) = {bars,
                                                             part_without_quotes,
                                                             over_time_in_one_word,
                                                             unit_is_wrong,
                                                             file_ends,
                                                             brace_forgotten,
                                                             chain_of_comparisons,
                                                             assignment_in_formula,
                                                             then_or_else_missing,
                                                             component_missing,
                                                             statement_outside_step,
                                                             outside_scheme,
                                                             misplaced,
                                                             update_missing,
                                                             unknown_declaration,
                                                             operator_missing,
                                                             place_in_formula,
                                                             part_of_formula,
                                                             rate_without_prime,
                                                             initial_value,
                                                             scheme_name_missing,
                                                             unknown_reduction,
                                                             bounds_by_in,
                                                             reduced_inside,
                                                             choice_inside_statement,
                                                             reserved_as_name,
                                                             dot_in_name,
                                                             place_missing};
  syntax_problem p = {.ps = ps, .expected = expected, .n_expected = n_expected};
  p.found = &ps->list->tokens.at[ps->current];
  p.before = token_from(&p, -1);
  p.at = span_of(&p, p.found);
  if (p.found->kind == TOK_YYEOF && ps->resumed_at == ps->list->tokens.n - 1) return;
  p.found_text = token_text(ps->memory, ps->list, p.found);
  p.before_text = p.before ? token_text(ps->memory, ps->list, p.before) : "";
  for (size_t i = 0; i < sizeof patterns / sizeof *patterns; i++)
    if (patterns[i](&p)) return;
  general(&p);
}

void report_nesting(parse_state *ps, span at) {
  if (ps->nesting_reported) return;
  ps->nesting_reported = true;
  span start = {at.file, at.start, at.end - at.start > 60 ? at.start + 60 : at.end};
  diag *d = diag_report(ps->sink, DIAG_NESTING, start, "nested more than %d levels deep", AST_MAX_DEPTH);
  diag_with_hint(ps->sink, d, "give parts names with `let` or `where`");
}

void report_repeated_part(parse_state *ps, span at, const char *part) {
  diag_report(ps->sink, DIAG_REPEATED_PART, at, "a second %s for one parameter", part);
}
