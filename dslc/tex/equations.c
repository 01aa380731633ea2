/* Declarations as displayed equations. */
#include <string.h>

#include "tex/tex.h"

static const double ROOM = 84; /* letters in a line */

/* ---- one equation -------------------------------------------------------------------------------------------------------------- */

/* "(12), (13)" -> "12, 13": \tag sets brackets of its own. */
static const char *number_of(const tex *t, const char *tag) {
  char *out = arena_alloc(t->memory, strlen(tag) + 1);
  size_t n = 0;
  for (; *tag; tag++)
    if (*tag != '(' && *tag != ')') out[n++] = *tag;
  return tex_text(t, out);
}

static const char *display(const tex *t, const char *left, const char *right, const char *tag) {
  const char *number = tag ? arena_printf(t->memory, "\n\\tag{%s}", number_of(t, tag)) : "";
  return arena_printf(t->memory, "\\begin{equation*}\n%s%s%s\n\\end{equation*}\n", left, right, number);
}

static const char *bound_names(const tex *t, const ast_binding *b) {
  const char *out = "";
  for (int i = 0; i < b->n_names; i++) out = tex_join(t, out, ",\\ ", tex_name(t, b->names[i]));
  return b->n_names > 1 ? arena_printf(t->memory, "\\left(%s\\right)", out) : out;
}

static const char *binding(const tex *t, const ast_binding *b) {
  const char *left = arena_printf(t->memory, "%s = ", bound_names(t, b));
  return display(t, left, tex_lines(t, b->value, ROOM - 8, true), b->tag);
}

static const char *bindings(const tex *t, const ast_binding *b, int n) {
  const char *out = "";
  for (int i = 0; i < n; i++) out = arena_printf(t->memory, "%s%s", out, binding(t, &b[i]));
  return out;
}

/* The numbers of a formula's inner lines before the one at its end. What stands behind a last `where` is of that, then. */
static const char *all_numbers(const tex *t, const tex_equation *e) {
  const char *inner = e->body->inner_tags;
  if (!inner || !e->tag) return inner ? inner : e->tag;
  return e->body->n_where > 0 || strstr(inner, e->tag) ? inner
                                                       : arena_printf(t->memory, "%s, %s", inner, e->tag);
}

const char *tex_display(const tex *t, const tex_equation *e) {
  const char *left = arena_printf(t->memory, "%s %s ", e->left, e->sign);
  const char *out = display(t, left, tex_lines(t, e->body->expr, ROOM - 8, true), all_numbers(t, e));
  if (e->body->n_where == 0) return out;
  return arena_printf(t->memory, "%swhere\n%s", out, bindings(t, e->body->where, e->body->n_where));
}

static const char *head(const tex *t, const ast_head *h) {
  const char *out = tex_name(t, h->text), *list = "";
  for (int i = 0; i < h->n_index; i++) list = tex_join(t, list, ",", tex_name(t, h->index[i]));
  if (*list) out = arena_printf(t->memory, "{%s}_{%s}", out, list);
  list = "";
  for (int i = 0; i < h->n_params; i++) list = tex_join(t, list, ", ", tex_name(t, h->param[i]));
  return *list ? arena_printf(t->memory, "%s\\left(%s\\right)", out, list) : out;
}

static const char *assignment(const tex *t, const ast_assign *a, const char *sign) {
  const tex_equation e = {head(t, &a->target), sign, &a->body, a->tag};
  return tex_display(t, &e);
}

/* ---- declarations ------------------------------------------------------------------------------------------------------------------ */

/* Of an equation of several results: what goes to the left, to the right, or is a flux, besides names. */
static const char *result_left(const tex *t, const char *of, const ast_result *r) {
  switch (r->kind) {
  case AST_RESULT_TO_L: return arena_printf(t->memory, "{%s}^{\\text{to }L}", of);
  case AST_RESULT_TO_R: return arena_printf(t->memory, "{%s}^{\\text{to }R}", of);
  case AST_RESULT_FLUX: return of;
  default: return arena_printf(t->memory, "{%s}_{%s}", of, tex_name(t, r->text));
  }
}

static const char *result(const tex *t, const char *of, const ast_result *r) {
  if (r->kind == AST_RESULT_LET) return bindings(t, r->bindings, r->n_bindings);
  const tex_equation e = {result_left(t, of, r), "=", &r->body, r->tag};
  return tex_display(t, &e);
}

static const char *results(const tex *t, const ast_decl *d) {
  const char *out = "", *of = tex_name(t, d->head.text);
  for (int i = 0; i < d->part.block.n; i++)
    out = arena_printf(t->memory, "%s%s", out, result(t, of, &d->part.block.result[i]));
  return out;
}

static const char *matrix(const tex *t, const ast_decl *d) {
  const char *out = "";
  for (int i = 0; i < d->part.matrix.n_assign; i++)
    out = arena_printf(t->memory, "%s%s", out, assignment(t, &d->part.matrix.assign[i], "="));
  return out;
}

const char *tex_declaration(const tex *t, const ast_decl *d) {
  tex_equation e = {"", "=", &d->body, d->tag};
  switch (d->kind) {
  case AST_MATRIX: return matrix(t, d);
  case AST_REQUIRE:
    return display(t, "\\text{required: } ", tex_lines(t, d->body.expr, ROOM - 10, true), d->tag);
  case AST_EQUATION:
    if (d->part.block.n > 0) return results(t, d);
    break;
  default: break;
  }
  if (!d->body.expr) return "nothing yet\n"; /* `{ }`: parsed, and refused later */
  e.left = head(t, &d->head);
  return tex_display(t, &e);
}

/* ---- boundary rules ---------------------------------------------------------------------------------------------------------------- */

static const char *rule_left(const tex *t, const ast_rule *r) {
  const char *target = head(t, &r->target);
  switch (r->kind) {
  case AST_RULE_GHOST: return arena_printf(t->memory, "{%s}^{\\text{ghost}}", target);
  case AST_RULE_FLUX: return arena_printf(t->memory, "{%s}^{\\text{boundary}}", target);
  default: return target;
  }
}

static const char *rule(const tex *t, const ast_rule *r) {
  if (r->kind == AST_RULE_LET) return bindings(t, r->bindings, r->n_bindings);
  const bool adds = r->kind == AST_RULE_ADD;
  const tex_equation e = {adds ? "" : rule_left(t, r), adds ? "" : "=", &r->body, r->tag};
  if (!adds) return tex_display(t, &e);
  return arena_printf(t->memory, "to $%s$ is added\n%s", head(t, &r->target), tex_display(t, &e));
}

const char *tex_boundary(const tex *t, const ast_decl *d) {
  const char *out = "";
  for (int i = 0; i < d->part.boundary.n_rules; i++)
    out = arena_printf(t->memory, "%s%s", out, rule(t, &d->part.boundary.rules[i]));
  return *out ? out : "nothing is prescribed\n";
}

/* ---- the step ------------------------------------------------------------------------------------------------------------------------ */

static const char *statements(const tex *t, const ast_stmt *s, int n);

static const char *options(const tex *t, const ast_stmt *s) {
  const char *out = "";
  for (int i = 0; i < s->n_options; i++)
    out = tex_join(t, out, ", ",
                   arena_printf(t->memory, "%s $%s$", tex_text(t, s->option[i].text),
                                tex_expr(t, s->option[i].value, TEX_ANY)));
  return *out ? arena_printf(t->memory, " (%s)", out) : "";
}

static const char *solve(const tex *t, const ast_stmt *s) {
  const char *left =
      arena_printf(t->memory, "%s\\,%s = ", tex_name(t, s->solve.matrix), tex_name(t, s->solve.unknown));
  return arena_printf(t->memory, "solve by %s%s\n%s",
                      s->method ? tex_text(t, s->method) : "the default method", options(t, s),
                      display(t, left, tex_lines(t, s->solve.rhs, ROOM - 10, true), s->tag));
}

static const char *integrate(const tex *t, const ast_stmt *s) {
  const char *out =
      arena_printf(t->memory, "integrate by %s over $%s$\n", s->method ? tex_text(t, s->method) : "?",
                   s->over ? tex_expr(t, s->over, TEX_ANY) : "");
  for (int i = 0; i < s->n_rates; i++) {
    const char *left = arena_printf(t->memory, "\\dot{%s} = ", tex_name(t, s->rate[i].state));
    out = arena_printf(
        t->memory, "%s%s", out,
        display(t, left, tex_lines(t, s->rate[i].value, ROOM - 8, true), i == 0 ? s->tag : NULL));
  }
  return out;
}

static const char *listed(const tex *t, const ast_stmt *s, int n) {
  return n > 0 ? arena_printf(t->memory, "\\begin{itemize}\n%s\\end{itemize}\n", statements(t, s, n)) : "";
}

/* A condition in the line, or where it is long in lines of its own. */
static const char *condition(const tex *t, const ast_expr *e) {
  if (tex_width(e) < 40) return arena_printf(t->memory, " $%s$", tex_expr(t, e, TEX_ANY));
  return arena_printf(t->memory, "\n%s", display(t, "", tex_lines(t, e, ROOM - 4, true), NULL));
}

static const char *repeat(const tex *t, const ast_stmt *s) {
  const char *until = s->until ? arena_printf(t->memory, " until%s", condition(t, s->until)) : "";
  const char *most =
      s->at_most ? arena_printf(t->memory, ", at most $%s$ times", tex_expr(t, s->at_most, TEX_ANY)) : "";
  return arena_printf(t->memory, "repeat%s%s:\n%s", most, until, listed(t, s->body, s->n_body));
}

static const char *choice(const tex *t, const ast_stmt *s) {
  const char *other =
      s->n_other ? arena_printf(t->memory, "otherwise:\n%s", listed(t, s->other, s->n_other)) : "";
  return arena_printf(t->memory, "if%s:\n%s%s", condition(t, s->until), listed(t, s->body, s->n_body), other);
}

static const char *update(const tex *t, const ast_stmt *s) {
  const char *out = "";
  for (int i = 0; i < s->n_assign; i++) {
    ast_assign a = s->assign[i];
    if (!a.tag && i == 0) a.tag = s->tag;
    out = arena_printf(t->memory, "%s%s", out, assignment(t, &a, "\\leftarrow"));
  }
  return arena_printf(t->memory, "set%s\n%s", s->n_assign > 1 ? " all at once" : "", out);
}

static const char *statement(const tex *t, const ast_stmt *s) {
  switch (s->kind) {
  case AST_UPDATE: return update(t, s);
  case AST_INTEGRATE: return integrate(t, s);
  case AST_SOLVE: return solve(t, s);
  case AST_REPEAT: return repeat(t, s);
  case AST_CHOICE: return choice(t, s);
  case AST_STEP_OF: return arena_printf(t->memory, "the step of \\texttt{%s}\n", tex_text(t, s->base));
  case AST_AT_TIME:
    return arena_printf(t->memory, "with what depends on time taken at $%s$:\n%s",
                        s->over ? tex_expr(t, s->over, TEX_ANY) : "t", listed(t, s->body, s->n_body));
  }
  return "";
}

static const char *statements(const tex *t, const ast_stmt *s, int n) {
  const char *out = "";
  for (int i = 0; i < n; i++) out = arena_printf(t->memory, "%s\\item %s", out, statement(t, &s[i]));
  return out;
}

const char *tex_step(const tex *t, const ast_step_part *s) {
  return s->n > 0 ? arena_printf(t->memory, "\\begin{enumerate}\n%s\\end{enumerate}\n",
                                 statements(t, s->stmt, s->n))
                  : "";
}
