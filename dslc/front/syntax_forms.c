/* How constructs of the language are written, for those who wrote them otherwise: hints of syntax errors. */
#include "front/syntax_problem.h"

/* The innermost bracket still open before the error: back from it, skipping what is closed. NULL if none. */
const token *syntax_innermost_open(const syntax_problem *p) {
  int closed = 0;
  for (int i = p->ps->current - 1; i >= 0; i--) {
    const token *t = &p->ps->list->tokens.at[i];
    bool closes = t->kind == TOK_RPAREN || t->kind == TOK_RBRACKET || t->kind == TOK_RBRACE;
    if (closes) closed++;
    else if (closer_of(t->kind) && closed-- == 0) return t;
  }
  return NULL;
}

/* Is the error inside a statement that began with this word? */
static bool within(const syntax_problem *p, int word) {
  for (int i = p->ps->current - 1; i >= 0; i--) {
    int kind = p->ps->list->tokens.at[i].kind;
    if (token_begins_statement(kind)) return kind == word;
  }
  return false;
}

/* `total [m^3] = ...` */
static bool unit_of_equation(const syntax_problem *p) {
  const token *open = syntax_innermost_open(p);
  if (open == NULL || open->kind != TOK_LBRACKET || open == p->ps->list->tokens.at) return false;
  const bool declared = open[-1].kind == TOK_NAME && open[-1].line_start;
  return declared && (found_is(p, TOK_CARET) || found_is(p, TOK_SLASH) || found_is(p, TOK_STAR));
}

/* `state c @ cells >= 0`, with or without a unit before the bound. */
static bool bounds_of_state(const syntax_problem *p) {
  const token *t = p->found;
  if (!is_comparison(t->kind)) return false;
  while (t > p->ps->list->tokens.at && !t->line_start) t--;
  return t->kind == TOK_STATE;
}

/* The line that begins a scheme. */
static const char *form_of_scheme(const syntax_problem *p) {
  const token *word = token_from(p, -2);
  const bool begins = expects(p, "on") && word && word->kind == TOK_SCHEME;
  if (begins && found_is(p, TOK_NAME) && strncmp(p->found->text, "ext", 3) == 0)
    return "write `scheme NAME extends OTHER { ... }` for one that stands on another";
  if (begins) return "write `scheme NAME on mesh(2) { ... }`, or `on grid(2)`";
  if (expects(p, "{") && word && word->kind == TOK_EXTENDS)
    return "write `scheme NAME extends OTHER { ... }`: it extends one scheme, which may extend a third, and "
           "stands on what that stands on";
  if (expects(p, "{") && found_is(p, TOK_EXTENDS))
    return "write `scheme NAME extends OTHER { ... }`: it stands on what the other stands on";
  if (before_is(p, TOK_NAME) && expects(p, "(") && strncmp(p->before->text, "mesh", 4) == 0)
    return "say of how many dimensions: `mesh(2)`, `mesh(3)`, or `mesh(D)` for both";
  if (before_is(p, TOK_NAME) && expects(p, "(") && strncmp(p->before->text, "grid", 4) == 0)
    return "say of how many dimensions: `grid(1)`, `grid(2)` or `grid(3)`";
  return NULL;
}

static const char *form_of_declaration(const syntax_problem *p) {
  if (expects(p, "ghost") && found_is(p, TOK_NAME))
    return "a rule begins with `ghost`, `fix`, `flux` or `add`, and says of which quantity: `ghost u = ...`";
  if (before_is(p, TOK_NAME) && found_is(p, TOK_NAME) && expects(p, ":") && expects(p, "@"))
    return "the type stands behind the name: `u : vector @ cells`";
  const token *first = token_from(p, -3);
  if (before_is(p, TOK_COLON) && found_is(p, TOK_LPAREN) && first && first->kind == TOK_STATE)
    return "a state is one number, a `vector` or a `real[n]`; what has several parts is declared one by one, "
           "each with its unit: `state h @ cells [m]`";
  if (before_is(p, TOK_RBRACKET) && found_is(p, TOK_PLACE))
    return "the unit stands behind the place: `h @ cells [m]`";
  if (before_is(p, TOK_FLUX) && found_is(p, TOK_PLACE))
    return "`flux` is a word of the language and cannot be a name; `state flux u @ faces` is a state that "
           "points from L to R";
  const token *across = token_from(p, -2);
  if (found_is(p, TOK_LPAREN) && across && across->kind == TOK_ACROSS)
    return "arguments stand behind the rule's name: `boundary NAME(ARGUMENT) across x { ... }`";
  if (bounds_of_state(p))
    return "a state has no bounds: what holds after every step is a line of its own, `require c >= 0`";
  if (unit_of_equation(p))
    return "an equation and a global have no unit of their own: it follows from their formula";
  return NULL;
}

/* `h at (1, 2)`: a value was meant, not the block of statements that `at` begins. */
static bool value_at_point(const syntax_problem *p) {
  for (int i = -1; token_from(p, i) && token_from(p, i)->kind != TOK_LBRACE; i--)
    if (token_from(p, i)->kind == TOK_AT) return expects(p, "{") && !token_from(p, i)->line_start;
  return false;
}

/* What is updated: a quantity, as a whole, everywhere. */
static const char *form_of_update(const syntax_problem *p) {
  if (before_is(p, TOK_NAME) && found_is(p, TOK_PLACE))
    return "an update is of all points of its quantity; what holds at a boundary is a rule: `boundary NAME { "
           "ghost u = ... }`, or `fix u = ...`";
  if (before_is(p, TOK_NAME) && found_is(p, TOK_COMMA))
    return "several states are updated at once as a tuple: `U @ cells = (a, b)`, `update U = (..., ...)`; of "
           "updates one after the other each sees those before it";
  if (before_is(p, TOK_LBRACKET) && found_is(p, TOK_INT))
    return "an update is of a whole quantity: all elements of a real[n] at once, or a state for each";
  return NULL;
}

static const char *form_of_statement(const syntax_problem *p) {
  if (within(p, TOK_UPDATE) && !expects_operator(p) && form_of_update(p)) return form_of_update(p);
  if (before_is(p, TOK_REPEAT) && found_is(p, TOK_INT))
    return "write `repeat { ... } until CONDITION at most N`: how often it is made, at most, stands at its "
           "end";
  if (value_at_point(p))
    return "`at t + dt { ... }` holds statements; formulas read cells, faces and nodes, values at a point of "
           "space are probes of a case";
  if (found_is(p, TOK_THEN) && expects(p, "{"))
    return "statements are chosen by a variant, with braces: `if friction == cell { ... } else { ... }`";
  if (found_is(p, TOK_WHERE))
    return "`where` stands at the end of an equation or an assignment, outside of all brackets: "
           "`u = a*b where a = ..., b = ...`";
  if (expects(p, "until")) return "write `repeat { ... } until CONDITION at most 50`";
  bool solve = within(p, TOK_SOLVE), integrate = within(p, TOK_INTEGRATE);
  if (solve && (expects(p, "by") || expects(p, "*"))) return "write `solve A*x = b by cg(tol = 1e-8)`";
  if (integrate && (expects(p, "by") || expects(p, "over")))
    return "write `integrate u' = rate by rk4 over dt`";
  return NULL;
}

const char *syntax_form(const syntax_problem *p) {
  const char *form = form_of_declaration(p);
  if (!form) form = form_of_scheme(p);
  return form ? form : form_of_statement(p);
}
