/* rules: which boundary rule does what, from a scheme's own comments and lines. */
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

#include "base/shipped.h"
#include "cli/commands.h"
#include "dslc.h"
#include "lsp/unit.h"

/* ---- one rule -------------------------------------------------------------------------------------------------------- */

static void print_indented(FILE *out, const char *text, const char *margin) {
  while (text && *text) {
    size_t n = strcspn(text, "\n");
    fprintf(out, "%s%.*s\n", margin, (int)n, text);
    text += n + (text[n] == '\n');
  }
}

static void print_arguments(FILE *out, const dslc_rule *r) {
  for (int i = 0; i < r->n_arguments; i++) {
    const dslc_argument *a = &r->argument[i];
    fprintf(out, "%s%s", i ? ", " : "(", a->name);
    if (a->components > 1) fprintf(out, " : %d components", a->components);
    if (a->unit) fprintf(out, " [%s]", a->unit);
    if (a->bounds) fprintf(out, " %s", a->bounds);
    if (a->formula && !strpbrk(a->formula, " ;")) fprintf(out, " = %s", a->formula);
    else if (a->formula) fputs(" = by a formula", out);
  }
  if (r->n_arguments) fputc(')', out);
}

/* The line as its author wrote it, on one line. */
static void print_line(FILE *out, const file_unit *u, span at) {
  fputs("    ", out);
  bool blank = false;
  for (uint32_t i = at.start; i < at.end && i < u->text.size; i++) {
    const char *c = u->text.bytes + i;
    if (c[0] == '-' && c[1] == '-') {
      while (i + 1 < at.end && u->text.bytes[i + 1] != '\n') i++;
      continue;
    }
    bool is_blank = *c == ' ' || *c == '\n' || *c == '\t' || *c == '\r';
    if (is_blank) {
      blank = true;
      continue;
    }
    if (blank) fputc(' ', out);
    blank = false;
    fputc(*c, out);
  }
  fputc('\n', out);
}

static void print_lines(FILE *out, const file_unit *u, const ast_decl *d) {
  for (int i = 0; i < d->part.boundary.n_rules; i++)
    if (d->part.boundary.rules[i].kind != AST_RULE_LET) print_line(out, u, d->part.boundary.rules[i].at);
}

static bool names(const ast_decl *d, const char *rule) {
  for (int i = 0; i < d->n_names; i++)
    if (strcmp(d->names[i], rule) == 0) return true;
  return false;
}

/* Does it say something across the axis? */
static bool is_across(const ast_decl *d, char axis) {
  return !axis || !d->part.boundary.axis || d->part.boundary.axis[0] == axis;
}

/* Where the rule is declared: a name may have one for each axis, in the scheme's file or in one that it extends. */
typedef struct declared_rule {
  file_unit *home;
  const ast_decl *decl;
} declared_rule;

static declared_rule find_declared_rule(workspace *w, const symbol *s, char axis) {
  file_unit *u = s->home;
  for (int depth = 0; u && depth < 8 && u->file->scheme; depth++) {
    const ast_scheme *in = u->file->scheme;
    for (int i = 0; i < in->n_decls; i++) {
      const ast_decl *d = in->decls[i];
      const bool named = d->kind == AST_BOUNDARY && d->text && strcmp(d->text, s->text) == 0;
      if (named && d->mode != AST_ADDS && is_across(d, axis)) return (declared_rule){u, d};
    }
    u = in->base ? workspace_named(w, u, in->base) : NULL;
  }
  return (declared_rule){s->home, s->decl};
}

/* What schemes that extend the rule's own add to it, down to that one. */
static void print_added(FILE *out, workspace *w, file_unit *u, const dslc_rule *r, const file_unit *home) {
  for (int depth = 0; u && depth < 8 && u->file->scheme && u != home; depth++) {
    const ast_scheme *s = u->file->scheme;
    for (int i = 0; i < s->n_decls; i++) {
      const ast_decl *d = s->decls[i];
      if (d->kind == AST_BOUNDARY && d->mode == AST_ADDS && names(d, r->name) && is_across(d, r->axis))
        print_lines(out, u, d);
    }
    u = s->base ? workspace_named(w, u, s->base) : NULL;
  }
}

static void print_rule(FILE *out, workspace *w, file_unit *u, const dslc_rule *r) {
  const symbol *s = workspace_rule(w, u, r->name);
  const declared_rule rule = s ? find_declared_rule(w, s, r->axis) : (declared_rule){0};
  const ast_decl *d = rule.decl;
  fprintf(out, "\n%s", r->name);
  print_arguments(out, r);
  if (r->axis) fprintf(out, " across %c", r->axis);
  fputc('\n', out);
  print_indented(out, r->comment ? r->comment : d ? d->comment : NULL, "  ");
  if (!d) return;
  if (s->exchanged && r->axis && !is_across(d, r->axis)) {
    fprintf(out, "    the same as across %s, with axes and names exchanged\n", d->part.boundary.axis);
    return;
  }
  print_lines(out, rule.home, d);
  print_added(out, w, u, r, rule.home);
}

/* ---- the command -------------------------------------------------------------------------------------------------------- */

static int print_rules(cli_call *call, const dslc_program *p, const char *const *folders, const char *path) {
  jmp_buf recovery;
  workspace w = {.generation = 1, .question = 1, .shipped = folders, .recovery = &recovery};
  if (setjmp(recovery) != 0) {
    workspace_destroy(&w);
    return cli_fail(call, CLI_FAIL, "out of memory");
  }
  file_unit *u = workspace_unit(&w, path);
  int status = CLI_OK;
  fprintf(call->out, "%s: %d boundary rule%s\n", p->identity.scheme, p->model.n_rules,
          p->model.n_rules == 1 ? "" : "s");
  for (int i = 0; u && i < p->model.n_rules; i++) print_rule(call->out, &w, u, &p->model.rule[i]);
  if (w.unread || !u) status = cli_fail(call, DSLC_FILE, "cannot read '%s'", w.unread ? w.unread : path);
  workspace_destroy(&w);
  return status;
}

static int rules(cli_call *call) {
  char path[4096];
  shipped schemes;
  const char *const *folders = shipped_find(&schemes, "schemes");
  if (!find_scheme(*folders, call->argument[0], path, sizeof path))
    return no_scheme(call, *folders, call->argument[0]);
  dslc_options options = {
      .path = path, .emit = DSLC_EMIT_REFERENCE, .n_rules = -1, .sources.import_path = folders};
  dslc_program *program = NULL;
  dslc_messages *messages = NULL;
  int status = dslc_compile(&options, &program, &messages);
  if (status) dslc_messages_print(messages, call->err, cli_colour(call->err));
  dslc_messages_destroy(&messages);
  if (!status) status = print_rules(call, program, folders, path);
  dslc_program_destroy(&program);
  return status;
}

const cli_command COMMAND_RULES = {
    .name = "rules",
    .arguments = "SCHEME[.ew]",
    .summary = "which boundary rule does what, from the scheme's own comments",
    .details = "Of each rule its arguments with their units, what its comment says, and its lines.",
    .least = 1,
    .most = 1,
    .run = rules};
