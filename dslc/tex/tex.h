/* A scheme as LaTeX (amsmath), from its formatted syntax tree. Everything lives in the arena; texts are never changed once made. */
#ifndef DSLC_TEX_TEX_H
#define DSLC_TEX_TEX_H

#include "load.h"

/* The whole document of the loader's file: the scheme, those that it extends, the functions that it imports. NULL with messages if there are errors. */
char *tex_document(loader *l);

/* ---- internal ---------------------------------------------------------------------------------------------------------- */

typedef struct tex {
  arena *memory;
  VEC(name) vectors; /* names that are declared vectors or tensors: set bold */
  VEC(name) bases;   /* schemes whose replaced equations are called BASE.name */
} tex;

/* What binds how strongly, loosest first; TEX_ATOM needs no brackets anywhere. */
typedef enum tex_level {
  TEX_ANY,
  TEX_OR,
  TEX_AND,
  TEX_NOT,
  TEX_COMPARE,
  TEX_SUM,
  TEX_PRODUCT,
  TEX_POWER,
  TEX_ATOM
} tex_level;

/* Plain words, also those of comments: what LaTeX would take for commands is put as it stands; `h` between backticks is set as code. */
const char *tex_text(const tex *t, const char *text);
const char *tex_name(const tex *t, const char *word);  /* with parts: "F.x", "h_dry" */
const char *tex_unit(const tex *t, const ast_unit *u); /* in math; NULL: nothing */
const char *tex_number(const tex *t, double number);
const char *tex_operator(ast_op op);

tex_level tex_level_of(const ast_expr *e);
tex_level tex_level_of_op(ast_op op);
/* What a reduction runs over, below its sign; `above` is what stands above it, or NULL. */
const char *tex_binder(const tex *t, const ast_binder *b, const char **above);
const char *tex_reduction_sign(const tex *t, const ast_expr *e);
/* How a function of the language is set: NULL for others, among them those of schemes. */
const char *tex_function(const char *word);
bool tex_sets_two(const char *set); /* "%s\\cdot %s" */
const char *tex_set_two(const tex *t, const char *set, const char *a, const char *b);

/* What the right factor of a product must bind as, so that no more stands behind a reduction's sign than it takes. */
tex_level tex_factor_least(const ast_expr *right, bool last);

/* On one line, with brackets if it binds less strongly than that. */
const char *tex_expr(const tex *t, const ast_expr *e, tex_level at_least);
/* About how many letters wide the line is. */
double tex_width(const ast_expr *e);

/* Broken over lines where one would be wider than `room`. At the top the first line is on the line of what stands in front. */
const char *tex_lines(const tex *t, const ast_expr *e, double room, bool top);

/* A list of texts with something between them. */
const char *tex_join(const tex *t, const char *a, const char *between, const char *b);

/* "left = body", its `where` and its number. */
typedef struct tex_equation {
  const char *left, *sign; /* "=" */
  const ast_body *body;
  const char *tag;
} tex_equation;
const char *tex_display(const tex *t, const tex_equation *e);
const char *tex_declaration(const tex *t,
                            const ast_decl *d); /* equations, functions, globals, matrices, requirements */
const char *tex_boundary(const tex *t, const ast_decl *d);
const char *tex_step(const tex *t, const ast_step_part *s);

#endif
