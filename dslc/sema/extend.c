/* `scheme NAME extends BASE { ... }`: two syntax trees become one, before anything is analysed, so that nothing behind this file knows of
 * it. Every part keeps the span that it has in its own file. Both come with their `exchange`s expanded: copies have names too. */
#include "sema/extend.h"

#include <string.h>

#include "sema/declared.h"

typedef VEC(ast_decl *) decl_list;
typedef VEC(ast_stmt) stmt_list;
typedef VEC(ast_rule) rule_list;
typedef VEC(ast_param) param_list;
typedef VEC(const char *) text_list;

typedef struct extension {
  arena *memory;
  intern_pool *names;
  diag_sink *sink;
  const ast_scheme *base, *own;
  decl_list out;  /* the base's declarations, changed; NULL where one was taken away */
  bool made;      /* the extending scheme's lines are written by a program */
  bool has_step;  /* the extending scheme has said what its step is */
  name called_as; /* while calls of a replaced function are looked for: what they name then */
  bool called;
} extension;

/* ---- messages ------------------------------------------------------------------------------------------------- */

static diag *report_taken(extension *x, span at, const char *what, name text, span old) {
  diag *d = diag_report(x->sink, DIAG_EXTENSION_TAKEN, at, "%s`%s` is declared in `%s` already", what, text,
                        x->base->text);
  return diag_with_span(x->sink, d, old, "it is declared here");
}

static const char *nearest_of(text_list *all, name text) { return nearest_name(text, all->at, all->n); }

static diag *report_absent(extension *x, span at, const char *what, name text, text_list *all) {
  const char *near = nearest_of(all, text);
  diag *d =
      diag_report(x->sink, DIAG_EXTENSION_ABSENT, at, "scheme `%s` has no %s`%s`", x->base->text, what, text);
  bool name_alone = at.end - at.start == strlen(text); /* and no arguments behind it */
  if (name_alone) diag_did_you_mean(x->sink, d, near);
  else if (near) diag_with_label(x->sink, d, "did you mean `%s`?", near);
  return d;
}

/* ---- what has a name ---------------------------------------------------------------------------------------------- */

static const ast_decl *find_in_base(extension *x, name text, int *which) {
  return find_declared(x->base->decls, x->base->n_decls, text, which);
}

/* `d` without its i-th name; NULL if it has no other. */
static ast_decl *without(extension *x, const ast_decl *d, int i) {
  int n = declared_count(d);
  if (n == 1) return NULL;
  ast_decl *copy = arena_new(x->memory, ast_decl);
  *copy = *d;
  if (d->kind == AST_PARAMETER) {
    copy->params = arena_array(x->memory, ast_param, n);
    copy->n_params = 0;
    for (int k = 0; k < n; k++)
      if (k != i) copy->params[copy->n_params++] = d->params[k];
    return copy;
  }
  copy->names = arena_array(x->memory, name, n);
  copy->names_at = arena_array(x->memory, span, n);
  copy->n_names = 0;
  for (int k = 0; k < n; k++) {
    if (k == i) continue;
    copy->names[copy->n_names] = d->names[k];
    copy->names_at[copy->n_names++] = d->names_at[k];
  }
  return copy;
}

/* Where `text` was declared among what is there so far, now taken away; -1: another name keeps the place. */
static int take_away(extension *x, name text) {
  for (int i = 0; i < x->out.n; i++) {
    int which;
    if (!x->out.at[i] || !find_declared(&x->out.at[i], 1, text, &which)) continue;
    x->out.at[i] = without(x, x->out.at[i], which);
    return x->out.at[i] ? -1 : i;
  }
  return -1;
}

static bool is_of_base(const extension *x, const ast_expr *e, name text) {
  const ast_expr *of = e->kind == AST_MEMBER ? e->arg[0] : NULL;
  size_t n = strcspn(text, ".");
  return of && of->kind == AST_NAME && of->text == x->own->base && strncmp(e->text, text, n) == 0 &&
         e->text[n] == '\0';
}

/* A call names what it calls by one word. */
static void name_called(extension *x, ast_expr *e, name text) {
  if (!x->called_as || e->kind != AST_CALL || !is_of_base(x, e->arg[0], text)) return;
  ast_expr *callee = arena_new(x->memory, ast_expr);
  *callee =
      (ast_expr){.kind = AST_NAME, .at = e->arg[0]->at, .text = x->called_as, .text_at = e->arg[0]->text_at};
  e->arg[0] = callee;
  x->called = true;
}

/* Does a formula of the extending scheme read BASE.text? */
static bool reads_base(extension *x, ast_expr *e, name text) {
  for (; e; e = e->kind == AST_BINARY ? e->arg[0] : NULL) { /* a chain may be long */
    name_called(x, e, text);
    if (is_of_base(x, e, text)) return true;
    for (int i = e->kind == AST_BINARY; i < e->n; i++)
      if (reads_base(x, e->arg[i], text)) return true;
  }
  return false;
}

static bool bindings_read(extension *x, const ast_binding *b, int n, name text) {
  for (int i = 0; i < n; i++)
    if (reads_base(x, b[i].value, text)) return true;
  return false;
}

static bool body_reads(extension *x, const ast_body *b, name text) {
  return reads_base(x, b->expr, text) || bindings_read(x, b->where, b->n_where, text);
}

static bool stmts_read(extension *x, const ast_stmt *st, int n, name text) {
  for (int i = 0; i < n; i++) {
    for (int k = 0; k < st[i].n_assign; k++)
      if (body_reads(x, &st[i].assign[k].body, text)) return true;
    for (int k = 0; k < st[i].n_rates; k++)
      if (reads_base(x, st[i].rate[k].value, text)) return true;
    if (reads_base(x, st[i].solve.rhs, text) || reads_base(x, st[i].until, text) ||
        reads_base(x, st[i].over, text))
      return true;
    if (stmts_read(x, st[i].body, st[i].n_body, text)) return true;
    if (stmts_read(x, st[i].other, st[i].n_other, text)) return true;
  }
  return false;
}

static bool decl_reads(extension *x, const ast_decl *d, name text) {
  if (body_reads(x, &d->body, text) || stmts_read(x, d->part.step.stmt, d->part.step.n, text)) return true;
  for (int i = 0; i < d->part.block.n; i++)
    if (body_reads(x, &d->part.block.result[i].body, text) ||
        bindings_read(x, d->part.block.result[i].bindings, d->part.block.result[i].n_bindings, text))
      return true;
  for (int i = 0; i < d->part.boundary.n_rules; i++)
    if (body_reads(x, &d->part.boundary.rules[i].body, text) ||
        bindings_read(x, d->part.boundary.rules[i].bindings, d->part.boundary.rules[i].n_bindings, text))
      return true;
  for (int i = 0; i < d->part.matrix.n_assign; i++)
    if (body_reads(x, &d->part.matrix.assign[i].body, text)) return true;
  return false;
}

/* What replaces a formula may read the old one, as BASE.name: it is kept under that name if it does, or if it is called under one without
 * a dot, which nobody else can write. */
static void keep_for_reading(extension *x, const ast_decl *old) {
  if (old->kind != AST_EQUATION && old->kind != AST_GLOBAL && old->kind != AST_FUNCTION) return;
  bool read = false, callable = old->kind == AST_FUNCTION || old->head.n_params > 0;
  name kept =
      intern_str(x->names, callable ? arena_printf(x->memory, "%s of %s", old->head.text, x->own->base)
                                    : arena_printf(x->memory, "%s.%s", x->own->base, old->head.text));
  x->called_as = callable ? kept : NULL;
  x->called = false;
  for (int i = 0; i < x->own->n_decls && !read; i++) read = decl_reads(x, x->own->decls[i], old->head.text);
  if (callable ? !x->called : !read) return;
  ast_decl *copy = arena_new(x->memory, ast_decl);
  *copy = *old;
  copy->head.text = kept;
  if (old->kind == AST_GLOBAL) copy->text = copy->head.text;
  vec_push(x->memory, &x->out, copy);
}

static void report_nothing_to_replace(extension *x, const ast_decl *d, int i) {
  text_list all = {0};
  for (int k = 0; k < x->base->n_decls; k++)
    for (int j = 0; j < declared_count(x->base->decls[k]); j++)
      vec_push(x->memory, &all, declared_name(x->base->decls[k], j));
  name text = declared_name(d, i);
  diag *g = report_absent(x, declared_span(d, i), "", text, &all);
  const char *dot = strrchr(text, '.');
  int which;
  const ast_decl *block = dot ? find_in_base(x, intern(x->names, text, (size_t)(dot - text)), &which) : NULL;
  if (block)
    diag_with_hint(x->sink, g, "a part is replaced with its block: replace %s @ %s { ... }", block->head.text,
                   block->place);
  else diag_with_hint(x->sink, g, "what is new stands without `replace`");
}

/* Names that are new, or all in the place of the base's. */
static void take_named(extension *x, ast_decl *d) {
  int n = declared_count(d), place = -1;
  for (int i = 0; i < n; i++) {
    int which;
    name text = declared_name(d, i);
    const ast_decl *old = find_in_base(x, text, &which);
    if (old && d->mode <= AST_IMPORTED) {
      diag *g = report_taken(x, declared_span(d, i), "", text, declared_span(old, which));
      diag_with_hint(
          x->sink, g,
          x->made ? "choose another name"
                  : "to put this one in its place, write `replace` before it; else choose another name");
    } else if (!old && d->mode == AST_REPLACES) report_nothing_to_replace(x, d, i);
    if (!old || d->mode != AST_REPLACES) continue;
    int at = take_away(x, text);
    if (place < 0) place = at;
    keep_for_reading(x, old);
  }
  if (place >= 0) x->out.at[place] = d;
  else vec_push(x->memory, &x->out, d);
}

/* ---- boundary rules ---------------------------------------------------------------------------------------------------- */

static bool is_rule(const ast_decl *d, name text, name axis) {
  return d && d->kind == AST_BOUNDARY && d->text == text &&
         (!axis || !d->part.boundary.axis || d->part.boundary.axis == axis);
}

static int find_rule(extension *x, name text, name axis) {
  for (int i = 0; i < x->out.n; i++)
    if (is_rule(x->out.at[i], text, axis)) return i;
  return -1;
}

static diag *report_no_rule(extension *x, span at, name text) {
  text_list all = {0};
  for (int i = 0; i < x->base->n_decls; i++)
    if (x->base->decls[i]->kind == AST_BOUNDARY) vec_push(x->memory, &all, x->base->decls[i]->text);
  diag *d = report_absent(x, at, "boundary rule ", text, &all);
  return diag_with_hint(x->sink, d, "a new rule is written  boundary %s { ... }", text);
}

static void replace_rule(extension *x, ast_decl *d) {
  int at = find_rule(x, d->text, d->part.boundary.axis);
  if (at < 0) {
    report_no_rule(x, d->name_at, d->text);
    return;
  }
  for (int i = at; i < x->out.n; i++)
    if (is_rule(x->out.at[i], d->text, d->part.boundary.axis)) x->out.at[i] = NULL;
  x->out.at[at] = d;
}

/* The line of the base's rule that one with `replace` stands for; -1 (reported): there is none. */
static int replaced_line(extension *x, const ast_decl *old, const ast_rule *r) {
  for (int i = 0; i < old->part.boundary.n_rules; i++)
    if (old->part.boundary.rules[i].kind == r->kind && r->kind != AST_RULE_LET &&
        old->part.boundary.rules[i].target.text == r->target.text)
      return i;
  diag *d = diag_report(x->sink, DIAG_EXTENSION_ABSENT, r->at,
                        "rule `%s` of `%s` has nothing that this replaces", old->text, x->base->text);
  diag_with_span(x->sink, d, old->name_at, "the rule");
  diag_with_hint(x->sink, d,
                 "what is new stands without `replace`; a `let` of the same name needs none either");
  return -1;
}

/* A rule with more lines and arguments. The new ones come last and see all that the base's name. */
static ast_decl *amended_rule(extension *x, const ast_decl *old, const ast_decl *more) {
  rule_list lines = {0};
  param_list params = {0};
  bool *gone = arena_array(x->memory, bool, old->part.boundary.n_rules + 1);
  for (int i = 0; i < more->part.boundary.n_rules; i++) {
    int at = more->part.boundary.rules[i].mode == AST_REPLACES
                 ? replaced_line(x, old, &more->part.boundary.rules[i])
                 : -1;
    if (at >= 0) gone[at] = true;
  }
  for (int i = 0; i < old->part.boundary.n_rules; i++)
    if (!gone[i]) vec_push(x->memory, &lines, old->part.boundary.rules[i]);
  for (int i = 0; i < more->part.boundary.n_rules; i++)
    vec_push(x->memory, &lines, more->part.boundary.rules[i]);
  for (int i = 0; i < old->n_params; i++) vec_push(x->memory, &params, old->params[i]);
  for (int i = 0; i < more->n_params; i++) vec_push(x->memory, &params, more->params[i]);
  ast_decl *copy = arena_new(x->memory, ast_decl);
  *copy = *old;
  copy->part.boundary.rules = lines.at, copy->part.boundary.n_rules = lines.n;
  copy->params = params.at, copy->n_params = params.n;
  return copy;
}

static void add_to_rules(extension *x, const ast_decl *d) {
  for (int k = 0; k < d->n_names; k++) {
    if (find_rule(x, d->names[k], d->part.boundary.axis) < 0) report_no_rule(x, d->names_at[k], d->names[k]);
    for (int i = 0; i < x->out.n; i++)
      if (is_rule(x->out.at[i], d->names[k], d->part.boundary.axis))
        x->out.at[i] = amended_rule(x, x->out.at[i], d);
  }
}

static void take_rule(extension *x, ast_decl *d) {
  if (d->mode == AST_ADDS) {
    add_to_rules(x, d);
    return;
  }
  if (d->mode == AST_REPLACES) {
    replace_rule(x, d);
    return;
  }
  for (int i = 0; i < x->base->n_decls; i++) {
    if (!is_rule(x->base->decls[i], d->text, d->part.boundary.axis)) continue;
    diag *g = report_taken(x, d->name_at, "boundary rule ", d->text, x->base->decls[i]->name_at);
    diag_with_hint(x->sink, g,
                   "`add boundary %s { ... }` adds to it, `replace boundary %s { ... }` takes its place",
                   d->text, d->text);
    return;
  }
  vec_push(x->memory, &x->out, d);
}

/* ---- the step ------------------------------------------------------------------------------------------------------------- */

static const ast_decl *step_of(const ast_scheme *s) {
  for (int i = 0; i < s->n_decls; i++)
    if (s->decls[i]->kind == AST_STEP) return s->decls[i];
  return NULL;
}

/* Statements with the base's in the place of every `step of BASE`. Returns how many of these there were. */
static int splice(extension *x, const ast_stmt *st, int n, stmt_list *out) {
  const ast_decl *base = step_of(x->base);
  int count = 0;
  for (int i = 0; i < n; i++) {
    if (st[i].kind != AST_STEP_OF) {
      ast_stmt one = st[i];
      stmt_list body = {0}, other = {0};
      count += splice(x, one.body, one.n_body, &body);
      count += splice(x, one.other, one.n_other, &other);
      one.body = body.at, one.n_body = body.n;
      one.other = other.at, one.n_other = other.n;
      vec_push(x->memory, out, one);
      continue;
    }
    count++;
    for (int k = 0; base && k < base->part.step.n; k++) vec_push(x->memory, out, base->part.step.stmt[k]);
    if (st[i].base == x->own->base && base) continue;
    diag *d =
        diag_report(x->sink, DIAG_EXTENSION_ABSENT, st[i].base_at,
                    base ? "scheme `%s` does not extend `%s`" : "scheme `%s` extends `%s`, which has no step",
                    x->own->text, st[i].base);
    if (base) diag_with_hint(x->sink, d, "write  step of %s", x->own->base);
  }
  return count;
}

static void take_step(extension *x, const ast_decl *d) {
  const ast_decl *old = step_of(x->base);
  stmt_list all = {0};
  int spliced = splice(x, d->part.step.stmt, d->part.step.n, &all);
  if (old && !x->has_step && !spliced && d->mode == AST_NEW) {
    diag *g = diag_report(x->sink, DIAG_EXTENSION_TAKEN, d->at,
                          "`%s` has a step already, and this one leaves it out", x->base->text);
    diag_with_span(x->sink, g, old->at, "it is declared here");
    diag_with_hint(
        x->sink, g,
        "`step of %s` among the statements stands for all of its; `replace step { ... }` drops them",
        x->own->base);
  }
  ast_decl *copy = arena_new(x->memory, ast_decl);
  *copy = *d;
  copy->part.step.stmt = all.at, copy->part.step.n = all.n;
  for (int i = 0; i < x->out.n && !x->has_step; i++)
    if (x->out.at[i] && x->out.at[i]->kind == AST_STEP) x->out.at[i] = NULL;
  x->has_step = true; /* a second one is refused where steps are */
  vec_push(x->memory, &x->out, copy);
}

/* ---- words that mean something in extensions only ------------------------------------------------------------------------- */

static void refuse_word(diag_sink *sink, const ast_scheme *s, span at, const char *word) {
  diag *d = diag_report(sink, DIAG_EXTENSION_WORD, at, "%s belongs to a scheme that extends another", word);
  if (!s->base) diag_with_hint(sink, d, "such a scheme begins  scheme %s extends NAME { ... }", s->text);
  else diag_with_hint(sink, d, "`replace` stands before a line of `add boundary NAME { ... }`");
}

static span first_word(const ast_decl *d, const char *word) {
  return (span){d->at.file, d->at.start, d->at.start + (uint32_t)strlen(word)};
}

static void refuse_lines(diag_sink *sink, const ast_scheme *s, const ast_decl *d) {
  for (int i = 0; i < d->part.boundary.n_rules && (!s->base || d->mode != AST_ADDS); i++)
    if (d->part.boundary.rules[i].mode == AST_REPLACES)
      refuse_word(sink, s, d->part.boundary.rules[i].at, "`replace` in a rule");
}

static void refuse_steps(diag_sink *sink, const ast_scheme *s, const ast_stmt *st, int n) {
  for (int i = 0; i < n; i++) {
    if (st[i].kind == AST_STEP_OF) refuse_word(sink, s, st[i].at, "`step of`");
    refuse_steps(sink, s, st[i].body, st[i].n_body);
    refuse_steps(sink, s, st[i].other, st[i].n_other);
  }
}

void check_no_extension(const ast_scheme *s, diag_sink *sink) {
  for (int i = 0; i < s->n_decls; i++) {
    const ast_decl *d = s->decls[i];
    if (d->mode == AST_REPLACES) refuse_word(sink, s, first_word(d, "replace"), "`replace`");
    if (d->mode == AST_ADDS) refuse_word(sink, s, first_word(d, "add"), "`add boundary`");
    refuse_lines(sink, s, d);
    refuse_steps(sink, s, d->part.step.stmt, d->part.step.n);
  }
}

/* ---- the whole ------------------------------------------------------------------------------------------------------------ */

static void take_nameless(extension *x, ast_decl *d) {
  if (d->mode == AST_REPLACES) {
    diag *g = diag_report(x->sink, DIAG_EXTENSION_WORD, d->at,
                          "a requirement has no name: nothing says which one this replaces");
    diag_with_hint(x->sink, g, "`require` adds one; those of `%s` go on to hold", x->base->text);
  }
  vec_push(x->memory, &x->out, d);
}

static void take_decl(extension *x, ast_decl *d) {
  refuse_lines(x->sink, x->own, d);
  switch (d->kind) {
  case AST_BOUNDARY: take_rule(x, d); break;
  case AST_STEP: take_step(x, d); break;
  case AST_REQUIRE: take_nameless(x, d); break;
  default: take_named(x, d);
  }
}

const ast_scheme *extend_scheme(arena *a, intern_pool *names, const ast_scheme *base, const ast_scheme *own,
                                bool made, diag_sink *sink) {
  extension x = {.memory = a, .names = names, .sink = sink, .base = base, .own = own, .made = made};
  for (int i = 0; i < base->n_decls; i++) vec_push(a, &x.out, base->decls[i]);
  for (int i = 0; i < own->n_decls; i++) take_decl(&x, own->decls[i]);
  ast_scheme *all = arena_new(a, ast_scheme);
  *all = *own;
  all->on_grid = base->on_grid;
  all->dim = base->dim;
  all->dim_letter = base->dim_letter;
  all->exchanged = base->exchanged || own->exchanged;
  all->n_decls = 0;
  all->decls = arena_array(a, ast_decl *, x.out.n + 1);
  for (int i = 0; i < x.out.n; i++)
    if (x.out.at[i]) all->decls[all->n_decls++] = x.out.at[i];
  return all;
}
