/* The document: what there is, with units and words; equations; boundary rules; a step. */
#include <string.h>

#include "tex/tex.h"

static const char PREAMBLE[] = "\\documentclass[10pt]{article}\n"
                               "\\usepackage[utf8]{inputenc}\n"
                               "\\usepackage[T1]{fontenc}\n"
                               "\\usepackage[a4paper,margin=2cm]{geometry}\n"
                               "\\usepackage{amsmath}\n"
                               "\\usepackage{longtable}\n"
                               "\\setlength{\\parindent}{0pt}\n"
                               "\\allowdisplaybreaks\n";

/* One file's part. */
typedef struct document {
  tex t;
  const ast_scheme *scheme;
  const ast_file *const *over; /* [n_over], those that extend it, the outermost first */
  int n_over;
  const char *rows, *equations, *rules, *step; /* what is written so far */
} document;

static void add(document *d, const char **to, const char *text) {
  *to = arena_printf(d->t.memory, "%s%s", *to, text);
}

static const char *words(const document *d, const char *comment) {
  return comment ? tex_text(&d->t, comment) : "";
}

/* How a declaration of a scheme that extends this one changes what is called so: AST_NEW: not at all. */
static ast_mode change_of(const ast_decl *x, name text) {
  ast_mode found = AST_NEW;
  for (int i = 0; i < x->n_names; i++)
    if (x->names[i] == text) return x->mode;
  for (int i = 0; x->kind == AST_PARAMETER && i < x->n_params; i++)
    if (x->params[i].text == text) return x->mode;
  for (int i = 0; x->kind == AST_EXCHANGE && found == AST_NEW && i < x->part.exchange.n_decls; i++)
    found = change_of(x->part.exchange.decls[i], text);
  return x->text == text || x->head.text == text ? x->mode : found;
}

/* "in bath another takes its place", where one of those that extend it says so; "". */
static const char *changed(const document *d, name text) {
  const char *out = "";
  for (int i = 0; text && i < d->n_over; i++) {
    const ast_scheme *s = d->over[i]->scheme;
    ast_mode how = AST_NEW;
    for (int k = 0; how == AST_NEW && k < s->n_decls; k++) how = change_of(s->decls[k], text);
    const char *said =
        how == AST_REPLACES ? "in \\texttt{%s} another takes its place" : "\\texttt{%s} adds to it";
    if (how != AST_NEW)
      out = tex_join(&d->t, out, "; ", arena_printf(d->t.memory, said, tex_text(&d->t, s->text)));
  }
  return out;
}

/* The words of a declaration, and whether another one holds. */
static const char *remarks(const document *d, const char *comment, name text) {
  const char *change = changed(d, text);
  return tex_join(&d->t, words(d, comment), *change ? "; " : "", change);
}

/* ---- the table ---------------------------------------------------------------------------------------------------------------- */

static void add_row(document *d, const char *symbol, const char *what, const ast_unit *unit,
                    const char *text) {
  const char *in = unit && unit->n ? arena_printf(d->t.memory, "$%s$", tex_unit(&d->t, unit)) : "";
  add(d, &d->rows, arena_printf(d->t.memory, "%s & %s & %s & %s \\\\\n", symbol, what, in, text));
}

static const char *in_math(const document *d, const char *symbol) {
  return arena_printf(d->t.memory, "$%s$", tex_name(&d->t, symbol));
}

static const char *bounds_text(const tex *t, const ast_bound *b) {
  const char *text = "";
  for (int n = 0; b; b = b->next, n++) {
    const char *op = b->op == AST_GE ? "\\ge" : b->op == AST_LE ? "\\le" : ast_op_text(b->op);
    text = arena_printf(t->memory, "%s%s %s %s", text, n ? ",\\ " : "", op, tex_expr(t, b->value, TEX_ANY));
  }
  return text;
}

/* The bounds of a name before what is said of it. */
static const char *bounded(const document *d, name text, const ast_bound *bound, const char *said) {
  if (!bound) return said;
  return arena_printf(d->t.memory, "$%s%s$%s%s", tex_name(&d->t, text), bounds_text(&d->t, bound),
                      *said ? "; " : "", said);
}

static void add_parameters(document *d, const ast_decl *p) {
  for (int i = 0; i < p->n_params; i++) {
    const ast_param *one = &p->params[i];
    const char *text = remarks(d, one->comment, one->text);
    if (one->value)
      text = arena_printf(d->t.memory, "$%s$%s%s", tex_lines(&d->t, one->value, 36, true), *text ? "; " : "",
                          text);
    add_row(d, in_math(d, one->text), "parameter", one->unit, bounded(d, one->text, one->bound, text));
  }
}

static void add_variant(document *d, const ast_decl *v) {
  const char *choices = "", *text = remarks(d, v->comment, v->text);
  for (int i = 0; i < v->part.variant.n; i++)
    choices = tex_join(&d->t, choices, ", ", tex_text(&d->t, v->part.variant.choice[i]));
  add_row(d, in_math(d, v->text), "variant", NULL,
          arena_printf(d->t.memory, "%s%s%s", choices, *text ? "; " : "", text));
}

static void add_fields(document *d, const ast_decl *f) {
  const char *kind = f->is_flux ? "state, flux" : f->kind == AST_STATE ? "state" : "given";
  const char *where = f->place ? arena_printf(d->t.memory, "%s, %s%s", kind, tex_text(&d->t, f->place),
                                              f->over_time ? ", over time" : "")
                               : arena_printf(d->t.memory, "%s, one value", kind);
  for (int i = 0; i < f->n_names; i++)
    add_row(d, in_math(d, f->names[i]), where, f->unit,
            bounded(d, f->names[i], f->bound, remarks(d, f->comment, f->names[i])));
}

/* ---- vectors -------------------------------------------------------------------------------------------------------------------- */

/* Parameters, or arguments of a rule. */
static void note_vector_arguments(tex *t, const ast_decl *x) {
  for (int k = 0; k < x->n_params; k++)
    if (x->params[k].type && x->params[k].type->rank == AST_VECTOR)
      vec_push(t->memory, &t->vectors, x->params[k].text);
}

static void note_vectors(tex *t, ast_decl *const *decl, int n) {
  for (int i = 0; i < n; i++) {
    const ast_decl *x = decl[i];
    const bool many = x->type && (x->type->rank == AST_VECTOR || x->type->rank == AST_TENSOR);
    for (int k = 0; many && k < x->n_names; k++) vec_push(t->memory, &t->vectors, x->names[k]);
    if (many && x->kind == AST_EQUATION) vec_push(t->memory, &t->vectors, x->head.text);
    if (x->kind == AST_PARAMETER) note_vector_arguments(t, x);
    if (x->kind == AST_EXCHANGE) note_vectors(t, x->part.exchange.decls, x->part.exchange.n_decls);
  }
}

/* ---- equations and rules -------------------------------------------------------------------------------------------------------- */

static const char *mode_words(const document *d, const ast_decl *x) {
  if (x->mode == AST_NEW || !d->scheme || !d->scheme->base) return "";
  return arena_printf(d->t.memory,
                      x->mode == AST_REPLACES ? "In the place of that of \\texttt{%s}: "
                                              : "Added to that of \\texttt{%s}: ",
                      tex_text(&d->t, d->scheme->base));
}

/* What stands in front: where it lives, in which unit, what its comment says. */
static void add_equation(document *d, const ast_decl *x) {
  const char *at = x->place ? arena_printf(d->t.memory, "\\textit{%s%s}",
                                           x->kind == AST_MATRIX ? "matrix, "
                                           : x->is_flux          ? "flux, "
                                                                 : "",
                                           tex_text(&d->t, x->place))
                            : "";
  if (x->unit && x->unit->n) at = arena_printf(d->t.memory, "%s $[%s]$", at, tex_unit(&d->t, x->unit));
  const char *text = remarks(d, x->comment, x->head.text ? x->head.text : x->text), *mode = mode_words(d, x);
  const char *lead = arena_printf(d->t.memory, "%s%s%s%s", mode, at, *at && *text ? ": " : "", text);
  add(d, &d->equations,
      arena_printf(d->t.memory, "%s%s%s", lead, *lead ? "\n" : "", tex_declaration(&d->t, x)));
}

static const char *rule_argument(const document *d, const ast_param *p) {
  const char *unit =
      p->unit && p->unit->n ? arena_printf(d->t.memory, "\\ [%s]", tex_unit(&d->t, p->unit)) : "";
  const char *value = p->value ? arena_printf(d->t.memory, " = %s", tex_expr(&d->t, p->value, TEX_ANY)) : "";
  return arena_printf(d->t.memory, "$%s%s%s%s$%s", tex_name(&d->t, p->text), unit,
                      bounds_text(&d->t, p->bound), value, p->over_time ? " over time" : "");
}

static void add_rule(document *d, const ast_decl *x, const char *exchanged) {
  const int vectors = d->t.vectors.n; /* those that all know */
  const char *names = x->text && x->n_names == 0 ? tex_text(&d->t, x->text) : "", *arguments = "";
  for (int i = 0; i < x->n_names; i++) names = tex_join(&d->t, names, ", ", tex_text(&d->t, x->names[i]));
  note_vector_arguments(&d->t, x);
  for (int i = 0; i < x->n_params; i++)
    arguments = tex_join(&d->t, arguments, ", ", rule_argument(d, &x->params[i]));
  if (*arguments) names = arena_printf(d->t.memory, "%s(%s)", names, arguments);
  if (x->part.boundary.axis)
    names = arena_printf(d->t.memory, "%s across $%s$", names, tex_text(&d->t, x->part.boundary.axis));
  add(d, &d->rules,
      arena_printf(d->t.memory, "\\subsection*{%s}\n%s%s\n%s%s", names, mode_words(d, x),
                   remarks(d, x->comment, x->text), tex_boundary(&d->t, x), exchanged));
  d->t.vectors.n = vectors;
}

static void add_declaration(document *d, const ast_decl *x, const char *exchanged);

static const char *pairs(const document *d, const ast_exchange_part *x) {
  const char *out = "";
  for (int i = 0; i < x->n_pairs; i++) {
    const char *a = tex_name(&d->t, x->pair[i][0]), *b = tex_name(&d->t, x->pair[i][1]);
    const char *pair = x->pair[i][2] ? arena_printf(d->t.memory, "$%s \\to %s \\to %s$", a, b,
                                                    tex_name(&d->t, x->pair[i][2]))
                                     : arena_printf(d->t.memory, "$%s \\leftrightarrow %s$", a, b);
    out = tex_join(&d->t, out, ", ", pair);
  }
  return out;
}

static void add_exchange(document *d, const ast_decl *x) {
  const char *said =
      arena_printf(d->t.memory, "The same holds with %s exchanged.\n\n", pairs(d, &x->part.exchange));
  const char *before = d->equations;
  if (x->comment) add(d, &d->equations, arena_printf(d->t.memory, "\n%s\n\n", words(d, x->comment)));
  const char *with_comment = d->equations;
  for (int i = 0; i < x->part.exchange.n_decls; i++) add_declaration(d, x->part.exchange.decls[i], said);
  if (d->equations == with_comment) d->equations = before;
  else add(d, &d->equations, said);
}

static void add_declaration(document *d, const ast_decl *x, const char *exchanged) {
  switch (x->kind) {
  case AST_PARAMETER: add_parameters(d, x); break;
  case AST_VARIANT: add_variant(d, x); break;
  case AST_STATE:
  case AST_GIVEN: add_fields(d, x); break;
  case AST_BOUNDARY: add_rule(d, x, exchanged); break;
  case AST_EXCHANGE: add_exchange(d, x); break;
  case AST_STEP: add(d, &d->step, tex_step(&d->t, &x->part.step)); break;
  default: add_equation(d, x); break;
  }
}

/* ---- the whole -------------------------------------------------------------------------------------------------------------------- */

static const char *stands_on(const document *d) {
  const ast_scheme *s = d->scheme;
  if (s->base)
    return arena_printf(d->t.memory,
                        "Extends \\texttt{%s}, which stands behind it: what is not here is as it is there.",
                        tex_text(&d->t, s->base));
  if (s->dim == 0) return "On meshes of any dimension.";
  return arena_printf(d->t.memory, "On a %s in %d dimension%s.", s->on_grid ? "grid" : "mesh", s->dim,
                      s->dim == 1 ? "" : "s");
}

/* "Takes a, b from c.": what is imported by name. */
static const char *taken(const document *d, const ast_file *f) {
  const char *out = "";
  for (int i = 0; i < f->n_imports; i++) {
    const char *names = "";
    for (int k = 0; k < f->imports[i].n_names; k++)
      names = tex_join(&d->t, names, ", ", in_math(d, f->imports[i].names[k]));
    if (*names)
      out = arena_printf(d->t.memory, "%s Takes %s from \\texttt{%s}.", out, names,
                         tex_text(&d->t, f->imports[i].file));
  }
  return out;
}

static const char *section(const document *d, const char *title, const char *text) {
  return *text ? arena_printf(d->t.memory, "\n\\section*{%s}\n%s", title, text) : "";
}

static const char *part(const document *d, const char *title, const char *comment, const char *on) {
  const char *table = *d->rows ? arena_printf(d->t.memory,
                                              "\\begin{longtable}{@{}l l l p{8cm}@{}}\nsymbol & what & unit "
                                              "& \\\\\n\\hline\n%s\\end{longtable}\n",
                                              d->rows)
                               : "";
  return arena_printf(d->t.memory, "\\section*{\\texttt{%s}}\n%s\n\n%s\n%s%s%s%s", tex_text(&d->t, title),
                      comment, on, section(d, "Quantities", table), section(d, "Equations", d->equations),
                      section(d, "Boundary rules", d->rules), section(d, "A step", d->step));
}

/* The part of the chain's file number `i`. */
static const char *scheme_part(const tex *t, const ast_file *const *chain, int i) {
  const ast_file *f = chain[i];
  document d = {.t = *t,
                .scheme = f->scheme,
                .over = chain,
                .n_over = i,
                .rows = "",
                .equations = "",
                .rules = "",
                .step = ""};
  for (int k = 0; k < f->n_functions; k++) add_equation(&d, f->functions[k]);
  if (!f->scheme) return part(&d, "functions", "", "A library of functions.");
  for (int k = 0; k < f->scheme->n_decls; k++) add_declaration(&d, f->scheme->decls[k], "");
  return part(&d, f->scheme->text, words(&d, f->scheme->comment),
              arena_printf(t->memory, "%s%s", stands_on(&d), taken(&d, f)));
}

/* The functions of the libraries that the chain imports. */
static const char *library_part(const tex *t, const loader *l) {
  document d = {.t = *t, .rows = "", .equations = "", .rules = "", .step = ""};
  for (int i = 0; i < l->imports.n; i++)
    for (int k = 0; !l->imports.at[i]->scheme && k < l->imports.at[i]->n_functions; k++)
      add_equation(&d, l->imports.at[i]->functions[k]);
  return section(&d, "Functions that are imported", d.equations);
}

char *tex_document(loader *l) {
  int n;
  const ast_file *const *chain = load_chain(l, &n);
  if (!chain) return NULL;
  tex t = {.memory = l->memory};
  for (int i = n - 1; i >= 0 && chain[i]->scheme; i--) {
    note_vectors(&t, chain[i]->scheme->decls, chain[i]->scheme->n_decls);
    if (i > 0) vec_push(t.memory, &t.bases, chain[i]->scheme->text);
  }
  const char *out = arena_printf(t.memory, "%s\\begin{document}\n", PREAMBLE);
  for (int i = 0; i < n; i++)
    out = arena_printf(t.memory, "%s%s%s", out, i > 0 ? "\n\\clearpage\n" : "", scheme_part(&t, chain, i));
  return arena_printf(t.memory, "%s%s\n\\end{document}\n", out, library_part(&t, l));
}
