/* Comments that belong to something: `-- (14)` behind an equation is its tag; lines above a declaration, or else
 * the words behind it, describe it. */
#include <ctype.h>
#include <string.h>

#include "front/parse_state.h"

/* ---- what a tag looks like ----------------------------------------------------------------------------- */

/* Length of an equation number in brackets at s: (14), (10.48), (A1), (12a); 0 if it is something else. */
static size_t number_length(const char *s, size_t n) {
  if (n < 3 || s[0] != '(') return 0;
  size_t i = 1;
  if (isupper((unsigned char)s[i])) i++;
  if (i >= n || !isdigit((unsigned char)s[i])) return 0;
  while (i < n && (isalnum((unsigned char)s[i]) || s[i] == '.' || s[i] == '\'')) i++;
  return i < n && s[i] == ')' ? i + 1 : 0;
}

/* Between two numbers: a comma, a dash or `and`, with blanks round it. */
static size_t separator_length(const char *s, size_t n) {
  size_t i = 0;
  while (i < n && s[i] == ' ') i++;
  if (i < n && (s[i] == ',' || s[i] == '-')) i++;
  else if (n - i > 3 && strncmp(s + i, "and", 3) == 0) i += 3;
  else return 0;
  while (i < n && s[i] == ' ') i++;
  return i;
}

/* Where the equation numbers of a comment begin and end: both the same if it does not begin with a number. */
static void find_numbers(const parse_state *ps, const comment *c, size_t *from, size_t *end) {
  const char *s = ps->list->text + c->start;
  size_t n = c->end - c->start;
  for (*from = 2; *from < n && s[*from] == ' ';) ++*from;
  *end = *from + number_length(s + *from, n - *from);
  while (*end > *from) {
    size_t gap = separator_length(s + *end, n - *end);
    size_t next = gap ? number_length(s + *end + gap, n - *end - gap) : 0;
    if (next == 0) return;
    *end += gap + next;
  }
}

/* "(12), (13)" of the comment "-- (12), (13): text"; NULL if it does not begin with a number. */
static const char *tag_of(const parse_state *ps, const comment *c) {
  size_t from, end;
  find_numbers(ps, c, &from, &end);
  return end > from ? arena_strndup(ps->memory, ps->list->text + c->start + from, end - from) : NULL;
}

/* "text" of the same comment; NULL if nothing follows the numbers. */
static const char *words_of(const parse_state *ps, const comment *c) {
  const char *s = ps->list->text + c->start;
  size_t from, end, n = c->end - c->start;
  find_numbers(ps, c, &from, &end);
  end += strspn(s + end, end > from ? " ,:;-" : " ");
  while (n > end && isspace((unsigned char)s[n - 1])) n--;
  return n > end ? arena_strndup(ps->memory, s + end, n - end) : NULL;
}

/* ---- which comment ------------------------------------------------------------------------------------- */

/* Index of the first comment at or behind an offset. */
static int first_comment(const parse_state *ps, uint32_t offset) {
  int lo = 0, hi = ps->list->comments.n;
  while (lo < hi) {
    int mid = lo + (hi - lo) / 2;
    if (ps->list->comments.at[mid].start < offset) lo = mid + 1;
    else hi = mid;
  }
  return lo;
}

/* Only blanks and a comma on the same line between them: the comment stands directly behind. */
static bool directly_behind(const parse_state *ps, uint32_t end, const comment *c) {
  return end + strspn(ps->list->text + end, " \t\r,;") == c->start;
}

/* The tag directly behind `end`, or else inside [start, end) if `inside` is set. */
static const char *find_tag(const parse_state *ps, uint32_t start, uint32_t end, bool inside) {
  int i = first_comment(ps, end);
  if (i < ps->list->comments.n) {
    const comment *c = &ps->list->comments.at[i];
    const char *tag = directly_behind(ps, end, c) ? tag_of(ps, c) : NULL;
    if (tag) return tag;
  }
  for (i = first_comment(ps, start);
       inside && i < ps->list->comments.n && ps->list->comments.at[i].start < end; i++) {
    const char *tag = tag_of(ps, &ps->list->comments.at[i]);
    if (tag) return tag;
  }
  return NULL;
}

/* All tags inside [start, end); NULL if there is none. */
static const char *tags_inside(const parse_state *ps, uint32_t start, uint32_t end) {
  const char *all = NULL;
  for (int i = first_comment(ps, start); i < ps->list->comments.n && ps->list->comments.at[i].start < end;
       i++) {
    const char *tag = tag_of(ps, &ps->list->comments.at[i]);
    if (tag) all = all ? arena_printf(ps->memory, "%s, %s", all, tag) : tag;
  }
  return all;
}

static const char *tag_at(const parse_state *ps, span at) { return find_tag(ps, at.start, at.end, true); }

/* Of something with a block: the tag on the line of its `{`, or behind its end. */
static const char *tag_of_block(const parse_state *ps, span at) {
  const char *brace = memchr(ps->list->text + at.start, '{', at.end - at.start);
  if (brace == NULL) return tag_at(ps, at);
  const char *tag = find_tag(ps, at.start, (uint32_t)(brace - ps->list->text) + 1, true);
  return tag ? tag : find_tag(ps, at.start, at.end, false);
}

/* The texts of comments first..last without their dashes, a line each. */
static const char *joined_comments(const parse_state *ps, int first, int last) {
  const comment *all = ps->list->comments.at;
  char *text = arena_alloc(ps->memory, all[last].end - all[first].start + 1), *to = text;
  for (int i = first; i <= last; i++) {
    uint32_t from = all[i].start;
    while (from < all[i].end && ps->list->text[from] == '-') from++;
    if (from < all[i].end && ps->list->text[from] == ' ') from++;
    if (i > first) *to++ = '\n';
    memcpy(to, ps->list->text + from, all[i].end - from);
    to += all[i].end - from;
  }
  return text;
}

/* The comments that stand alone on the lines directly above, as one text. */
static const char *comment_above(const parse_state *ps, uint32_t start) {
  int line, column, last = first_comment(ps, start) - 1, first = last + 1;
  source_position(ps->sources, ps->list->file, start, &line, &column);
  for (int i = last; i >= 0 && ps->list->comments.at[i].alone; i--) {
    int at;
    source_position(ps->sources, ps->list->file, ps->list->comments.at[i].start, &at, &column);
    if (at != line - 1 - (last - i)) break;
    first = i;
  }
  return first > last ? NULL : joined_comments(ps, first, last);
}

/* The words of the comment that ends the line of `offset`, whatever stands between. */
static const char *comment_on_line(const parse_state *ps, uint32_t offset) {
  int i = first_comment(ps, offset);
  if (i == ps->list->comments.n) return NULL;
  const comment *c = &ps->list->comments.at[i];
  return memchr(ps->list->text + offset, '\n', c->start - offset) ? NULL : words_of(ps, c);
}

/* A comment above describes all that is declared; behind it, each line what it names. */
static void describe(const parse_state *ps, ast_decl *d) {
  d->comment = comment_above(ps, d->at.start);
  for (int i = 0; i < d->n_params; i++) {
    const char *own = comment_on_line(ps, d->params[i].at.start);
    d->params[i].comment = own ? own : d->comment;
  }
  bool at_end = d->kind == AST_EQUATION || d->kind == AST_GLOBAL;
  if (!d->comment) d->comment = comment_on_line(ps, at_end ? d->at.end : d->name_at.start);
}

/* ---- the walk ------------------------------------------------------------------------------------------ */

static void tag_bindings(const parse_state *ps, ast_binding *bindings, int n) {
  for (int i = 0; i < n; i++) bindings[i].tag = tag_at(ps, bindings[i].at);
}

static void tag_body(const parse_state *ps, ast_body *body) {
  if (body->expr)
    body->inner_tags = tags_inside(ps, body->expr->at.start,
                                   body->n_where > 0 ? body->where[0].at.start : body->expr->at.end);
  tag_bindings(ps, body->where, body->n_where);
}

static void tag_assigns(const parse_state *ps, ast_assign *assigns, int n) {
  for (int i = 0; i < n; i++) {
    assigns[i].tag = tag_at(ps, assigns[i].at);
    tag_body(ps, &assigns[i].body);
  }
}

static void tag_results(const parse_state *ps, ast_result *results, int n) {
  for (int i = 0; i < n; i++) {
    results[i].tag = tag_at(ps, results[i].at);
    tag_bindings(ps, results[i].bindings, results[i].n_bindings);
    tag_body(ps, &results[i].body);
  }
}

static void tag_rules(const parse_state *ps, ast_rule *rules, int n) {
  for (int i = 0; i < n; i++) {
    rules[i].tag = tag_at(ps, rules[i].at);
    tag_bindings(ps, rules[i].bindings, rules[i].n_bindings);
    tag_body(ps, &rules[i].body);
  }
}

static void tag_stmts(const parse_state *ps, ast_stmt *stmts, int n) {
  for (int i = 0; i < n; i++) {
    stmts[i].tag = tag_of_block(ps, stmts[i].at);
    tag_assigns(ps, stmts[i].assign, stmts[i].n_assign);
    tag_stmts(ps, stmts[i].body, stmts[i].n_body);
    tag_stmts(ps, stmts[i].other, stmts[i].n_other);
  }
}

static void tag_decls(const parse_state *ps, ast_decl **decls, int n) {
  for (int i = 0; i < n; i++) {
    ast_decl *d = decls[i];
    d->tag = tag_of_block(ps, d->at);
    describe(ps, d);
    tag_body(ps, &d->body);
    tag_results(ps, d->part.block.result, d->part.block.n);
    tag_assigns(ps, d->part.matrix.assign, d->part.matrix.n_assign);
    tag_rules(ps, d->part.boundary.rules, d->part.boundary.n_rules);
    tag_stmts(ps, d->part.step.stmt, d->part.step.n);
    tag_decls(ps, d->part.exchange.decls, d->part.exchange.n_decls);
  }
}

void attach_comments(parse_state *ps) {
  ast_file *f = ps->file;
  tag_decls(ps, f->functions, f->n_functions);
  if (f->scheme == NULL) return;
  f->scheme->comment = comment_above(ps, f->scheme->at.start);
  tag_decls(ps, f->scheme->decls, f->scheme->n_decls);
}
