/* The parser's working state and the tree's constructors; seen by parser.y and the files that serve it. */
#ifndef DSLC_FRONT_PARSE_STATE_H
#define DSLC_FRONT_PARSE_STATE_H

#include "front/ast.h"
#include "front/tokens.h"

typedef VEC(ast_expr *) expr_list;
typedef VEC(ast_param) param_list;
typedef VEC(ast_binding) binding_list;
typedef VEC(ast_result) result_list;
typedef VEC(ast_rule) rule_list;
typedef VEC(ast_assign) assign_list;
typedef VEC(ast_rate) rate_list;
typedef VEC(ast_option) option_list;
typedef VEC(ast_stmt) stmt_list;
typedef VEC(ast_decl *) decl_list;

typedef struct name_list {
  VEC(name) names;
  VEC(span) at;
} name_list;

typedef struct swap {
  name names[3]; /* a <-> b has two, a -> b -> c three */
  span at[3];
} swap;
typedef VEC(swap) swap_list;

/* What is being read when an error is met: decides where reading goes on. */
typedef enum list_kind {
  LIST_FILE,
  LIST_DECLS,
  LIST_RESULTS,
  LIST_RULES,
  LIST_ASSIGNS,
  LIST_STMTS
} list_kind;

typedef struct parse_state {
  arena *memory;
  intern_pool *names;
  const source_set *sources;
  diag_sink *sink;
  token_list *list;
  ast_file *file;
  VEC(ast_import) imports;
  decl_list functions;
  int current;           /* index of the token that the parser got last */
  int next;              /* of the one it gets next */
  int resumed_at;        /* where reading went on after the last error, -1 at first */
  int close_braces;      /* `}` to be fed before anything else: the user forgot them */
  int bracket_depth;     /* of the tokens fed */
  bool nesting_reported; /* deep nesting: once per file too */
  bool outside_reported; /* a declaration outside the scheme: once per file */
} parse_state;

/* ---- errors: syntax_error.c, recover.c ----------------------------------------------------------------- */

/* `expected`: the parser's names of all tokens that could have stood here. */
void report_syntax_error(parse_state *ps, const char *const *expected, int n_expected);
void report_nesting(parse_state *ps, span at);
void report_repeated_part(parse_state *ps, span at, const char *part);

/* Moves on to where the next item of the list may begin. False at the end of the file: give up. */
bool recover(parse_state *ps, list_kind list);

/* ---- constructors: build.c ----------------------------------------------------------------------------- */

ast_expr *build_number(parse_state *ps, span at, double value, ast_unit *unit);
ast_expr *build_error(parse_state *ps, span at);
ast_expr *build_name(parse_state *ps, span at, name text);
ast_expr *build_quoted(parse_state *ps, span at, name text); /* of a part of the mesh */
ast_expr *build_member(parse_state *ps, span at, ast_expr *of, name text, span text_at);
ast_expr *build_member_number(parse_state *ps, span at, ast_expr *of, span text_at);
ast_expr *build_list(parse_state *ps, ast_expr_kind kind, span at, ast_expr *first, const expr_list *rest);
ast_bound *build_bound(parse_state *ps, ast_op op, ast_expr *value);
ast_expr *build_unary(parse_state *ps, span at, ast_op op, ast_expr *arg);
ast_expr *build_binary(parse_state *ps, span at, ast_op op, ast_expr *left, ast_expr *right);
ast_expr *build_range(parse_state *ps, span at, ast_expr *lo, ast_expr *hi);
ast_expr *build_if(parse_state *ps, span at, ast_expr *condition, ast_expr *yes, ast_expr *no);
ast_expr *build_reduction(parse_state *ps, span at, name word, ast_binder *binder, ast_expr *body);

ast_binder *build_binder(parse_state *ps, ast_binder_kind kind, span at, name var, span var_at);
void binder_set_domain(parse_state *ps, ast_binder *b, const ast_expr *domain);

ast_unit *unit_factor(parse_state *ps, span at, name base);
ast_unit *unit_one(parse_state *ps, span at, double value);
ast_unit *unit_product(parse_state *ps, ast_unit *a, ast_unit *b, int sign, span at);
ast_unit *unit_power(parse_state *ps, ast_unit *u, double num, double den, span at);

ast_type *build_type(parse_state *ps, span at, name word);
ast_type *build_real_n(parse_state *ps, span at, double n);
void check_over_time(parse_state *ps, span at, name word);

name_list *list_of_name(parse_state *ps, name_list *list, name text, span at);
ast_head *build_head(parse_state *ps, span at, const char *text, const name_list *params,
                     const name_list *index);
name dotted(parse_state *ps, name front, name part);

ast_binding *build_binding(parse_state *ps, const name_list *names, ast_expr *value, span at);
ast_stmt *build_choice(parse_state *ps, ast_expr *condition, const stmt_list *body);
ast_rule *build_rule(parse_state *ps, ast_rule_kind kind, const ast_assign *assign);
ast_result_kind side_of(parse_state *ps, span at, name letter); /* of `to L`, `to R` */

ast_decl *build_decl(parse_state *ps, ast_decl_kind kind, span at, name text, span name_at);
void decl_set_names(ast_decl *d, const name_list *names);
void decl_set_rules(ast_decl *d, const param_list *params, const name_list *axis, const rule_list *rules);
void decl_set_swaps(parse_state *ps, ast_decl *d, const swap_list *swaps);

ast_scheme *build_scheme(parse_state *ps, span at, name text, span name_at, name kind, span kind_at);
void scheme_set_dimension(parse_state *ps, ast_scheme *s, span at, name letter, double number);
ast_scheme *build_extension(parse_state *ps, span at, name text, span name_at, name base, span base_at);
void file_add_scheme(parse_state *ps, ast_scheme *s);
void file_add_import(parse_state *ps, name file, span at, const name_list *names);

/* ---- after parsing: tags.c ----------------------------------------------------------------------------- */

/* Hands comments to what they belong to: equation numbers behind it, lines above it. */
void attach_comments(parse_state *ps);

/* ---- parse.c ------------------------------------------------------------------------------------------- */

/* parse_file for callers that also want the tokens. */
ast_file *parse_tokens(arena *a, intern_pool *names, const source_set *sources, uint32_t file,
                       diag_sink *sink, token_list **tokens);
/* format_file of a tree without errors that is there already. */
char *format_tree(arena *a, intern_pool *names, const char *path, const ast_file *tree,
                  const token_list *tokens);

#endif
