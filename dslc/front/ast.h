/* The syntax tree: the scheme as written. Nothing is resolved here; names are interned, spans cover what
 * the user typed. Grammar and wording: docs/language.md. Everything lives in the compilation's arena. */
#ifndef DSLC_FRONT_AST_H
#define DSLC_FRONT_AST_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/diag.h"
#include "base/intern.h"
#include "base/source.h"

/* ---- expressions --------------------------------------------------------------------------------------- */

typedef enum ast_expr_kind {
  AST_NUMBER,    /* number, unit */
  AST_NAME,      /* text: a plain name (letters such as c, L, i are names too) */
  AST_MEMBER,    /* arg[0] . text   (component, part, time level: `F.x`, `u.prev`, `u.2`) */
  AST_INDEX,     /* arg[0] [ arg[1], ... ]; an index may be an AST_RANGE */
  AST_CALL,      /* arg[0] ( arg[1], ... ) */
  AST_RANGE,     /* arg[0] .. arg[1] */
  AST_UNARY,     /* op arg[0] */
  AST_BINARY,    /* arg[0] op arg[1]; chains are left-deep: walk the left spine in a loop, it may be long */
  AST_IF,        /* if arg[0] then arg[1] else arg[2] */
  AST_TUPLE,     /* ( arg[0], arg[1], ... ), two or more */
  AST_REDUCTION, /* reduce, binder, arg[0] */
  AST_ERROR      /* something unreadable that has been reported */
} ast_expr_kind;

typedef enum ast_op {
  AST_ADD,
  AST_SUB,
  AST_MUL,
  AST_DIV,
  AST_POW,
  AST_LT,
  AST_GT,
  AST_LE,
  AST_GE,
  AST_EQ,
  AST_NE,
  AST_AND,
  AST_OR,
  AST_NOT,
  AST_NEG
} ast_op;

typedef enum ast_reduce { AST_SUM, AST_MIN, AST_MAX } ast_reduce;

/* A unit in brackets: a product of names with rational exponents. `[1]` has n == 0. */
typedef struct ast_unit_factor {
  name base;
  int num, den; /* exponent num/den, den > 0 */
  span at;
} ast_unit_factor;

typedef struct ast_unit {
  int n;
  ast_unit_factor *factor;
  span at;
} ast_unit;

typedef struct ast_expr ast_expr;

/* What a reduction runs over.
 *   J near I           NEAR   var J, anchor I
 *   f of c [to d]      OF     var f, anchor c, other d or NULL
 *   c in cells         IN     var c, domain `cells`
 *   f in faces(wall)   IN     var f, domain `faces`, rule `wall`
 *   m in j-1..j        RANGE  var m, lo, hi */
typedef enum ast_binder_kind { AST_NEAR, AST_OF, AST_IN, AST_IN_RANGE } ast_binder_kind;

typedef struct ast_binder {
  ast_binder_kind kind;
  name var, anchor, other, domain, rule;
  ast_expr *lo, *hi;
  span at, var_at, anchor_at, other_at, domain_at, rule_at;
} ast_binder;

struct ast_expr {
  ast_expr_kind kind;
  span at;
  union {
    double number;
    ast_op op;
    ast_reduce reduce;
  };
  name text;
  span text_at; /* of `text`, for a member the part behind the dot */
  bool quoted;  /* a name that needs quotes: of a part of the mesh */
  ast_unit *unit;
  ast_binder *binder;
  int n;
  ast_expr **arg;
  const int
      *axis; /* AST_TUPLE that an `exchange` declares once more: [3] axis k has become axis[k]; else NULL */
  int depth; /* levels of nesting, at most AST_MAX_DEPTH; a left spine of AST_BINARY counts as one level */
};

/* What a walk that recurses everywhere but along left spines may rely on. */
enum { AST_MAX_DEPTH = 200 };

/* ---- names with parts ---------------------------------------------------------------------------------- */

/* A left side: `rho`, `F.x`, `H[I,J]`, `grad_weak(s)`, `momentum.y.hat`. `text` is the whole dotted name. */
typedef struct ast_head {
  name text;
  span at;
  int n_params;
  name *param; /* formal arguments of a parametric equation */
  span *param_at;
  int n_index; /* letters as written; 0 if none */
  name *index;
  span *index_at;
} ast_head;

typedef struct ast_type ast_type;

/* name = expr, or (a, b) = expr */
typedef struct ast_binding {
  int n_names;
  name *names;
  span *names_at;
  ast_expr *value;
  span at;
  const char *tag; /* "(8)" from the trailing comment, or NULL */
  ast_type *type;  /* of one name, or NULL */
  ast_unit *unit;
} ast_binding;

/* An expression with its `where` bindings. */
typedef struct ast_body {
  ast_expr *expr;
  int n_where;
  ast_binding *where;
  const char *
      inner_tags; /* equation numbers behind lines of the formula but its last, with `where` of all, e.g. "(12), (13)"; or NULL */
} ast_body;

struct ast_type {
  enum { AST_SCALAR, AST_VECTOR, AST_TENSOR, AST_BOOL, AST_INT, AST_REAL_N } rank;
  int n; /* of real[n] */
  span at;
};

/* `>= 0`: a bound of a parameter, an argument or a given. */
typedef struct ast_bound {
  ast_op op;
  ast_expr *value;
  struct ast_bound *next; /* `and <= 1`, or NULL */
} ast_bound;

typedef struct ast_param {
  name text;
  span at;
  ast_type *type;      /* NULL: scalar */
  ast_unit *unit;      /* NULL: none given */
  ast_bound *bound;    /* NULL: any value will do */
  ast_expr *value;     /* NULL: no default */
  bool over_time;      /* `over time`: a case may give a function of t */
  const char *comment; /* of its line, or of the declaration; or NULL */
} ast_param;

/* ---- declarations -------------------------------------------------------------------------------------- */

typedef enum ast_result_kind {
  AST_RESULT_LET,  /* let a = ..., (b, c) = ... */
  AST_RESULT_NAME, /* speed = ...: read as block.speed */
  AST_RESULT_FLUX, /* flux = ... */
  AST_RESULT_TO_L, /* to L = ... */
  AST_RESULT_TO_R  /* to R = ... */
} ast_result_kind;

typedef struct ast_result {
  ast_result_kind kind;
  name text; /* of AST_RESULT_NAME */
  span at;
  int n_bindings; /* of AST_RESULT_LET */
  ast_binding *bindings;
  ast_body body;
  const char *tag;
} ast_result;

typedef enum ast_rule_kind {
  AST_RULE_LET,
  AST_RULE_GHOST,
  AST_RULE_FIX,
  AST_RULE_FLUX,
  AST_RULE_ADD
} ast_rule_kind;

/* In a scheme that extends another: is something new, in the place of the other's, or added to it? */
typedef enum ast_mode {
  AST_NEW,
  AST_IMPORTED /* from another file, by `import name of FILE` */,
  AST_REPLACES,
  AST_ADDS
} ast_mode;

typedef struct ast_rule {
  ast_rule_kind kind;
  ast_head target;
  ast_body body;
  int n_bindings; /* of AST_RULE_LET */
  ast_binding *bindings;
  ast_mode mode;
  span at;
  const char *tag;
} ast_rule;

typedef struct ast_assign { /* target = body, in update and matrix */
  ast_head target;
  ast_body body;
  span at;
  const char *tag;
} ast_assign;

typedef struct ast_rate { /* u' = expr */
  name state;
  span state_at;
  ast_expr *value;
} ast_rate;

typedef struct ast_option { /* tol = expr of a solver */
  name text;
  span at;
  ast_expr *value;
} ast_option;

typedef enum ast_stmt_kind {
  AST_UPDATE,
  AST_INTEGRATE,
  AST_SOLVE,
  AST_REPEAT,
  AST_STEP_OF,
  AST_CHOICE,
  AST_AT_TIME
} ast_stmt_kind;

typedef struct ast_solve_part {
  name matrix, unknown; /* solve matrix*unknown = rhs by method(options) */
  span matrix_at, unknown_at;
  ast_expr *rhs;
} ast_solve_part;

typedef struct ast_stmt ast_stmt;
struct ast_stmt {
  ast_stmt_kind kind;
  span at;
  const char *tag;
  int n_assign; /* update */
  ast_assign *assign;
  int n_rates; /* integrate */
  ast_rate *rate;
  name method; /* integrate, solve */
  span method_at;
  ast_expr *over; /* integrate: over dt; at a time: t + dt */
  ast_solve_part solve;
  int n_options;
  ast_option *option;
  int n_body; /* repeat; at a time; choice: where `until` holds */
  ast_stmt *body;
  int n_other; /* choice: where it does not */
  ast_stmt *other;
  ast_expr *until, *at_most;
  name base; /* step of: the statements of the scheme that this one extends */
  span base_at;
};

typedef enum ast_decl_kind {
  AST_PARAMETER, /* params[0..n_params) */
  AST_VARIANT,   /* text, variant */
  AST_STATE,     /* names, type, place (NULL: one value), unit */
  AST_GIVEN,     /* same with a place; bound, over_time */
  AST_FUNCTION,  /* head (text + formals), body */
  AST_EQUATION,  /* head, type, place, unit; is_flux; body, or a block */
  AST_GLOBAL,    /* head, body: one value, no place */
  AST_MATRIX,    /* text, place, matrix */
  AST_BOUNDARY,  /* text, params, boundary; that adds to others: names */
  AST_EXCHANGE,  /* exchange */
  AST_REQUIRE,   /* body.expr */
  AST_STEP       /* step */
} ast_decl_kind;

typedef struct ast_decl ast_decl;

/* What one kind of declaration has besides. */
typedef struct ast_variant_part {
  int n;
  name *choice;
  span *at;
} ast_variant_part;

typedef struct ast_block_part { /* of an equation; n == 0: it has a body */
  int n;
  ast_result *result;
} ast_block_part;

typedef struct ast_matrix_part {
  bool symmetric;
  int n_assign;
  ast_assign *assign;
} ast_matrix_part;

typedef struct ast_boundary_part {
  name axis;
  span axis_at;
  int n_rules;
  ast_rule *rules;
} ast_boundary_part;

typedef struct ast_exchange_part {
  int n_pairs; /* a <-> b, ... ; 3D cycles a -> b -> c have three names per pair */
  name (*pair)[3];
  span (*pair_at)[3];
  int n_decls;
  ast_decl **decls;
} ast_exchange_part;

typedef struct ast_step_part {
  int n;
  ast_stmt *stmt;
} ast_step_part;

/* Of one kind of declaration each. */
typedef struct ast_parts {
  ast_variant_part variant;
  ast_block_part block;
  ast_matrix_part matrix;
  ast_boundary_part boundary;
  ast_exchange_part exchange;
  ast_step_part step;
} ast_parts;

struct ast_decl {
  ast_decl_kind kind;
  ast_mode mode;
  span at;      /* the whole declaration */
  span name_at; /* its name */
  name text;
  const char *tag;     /* equation numbers of the trailing comment, e.g. "(14)" or "(12), (13)" */
  const char *comment; /* `--` lines directly above, without the dashes, or else behind it; or NULL */

  int n_params;
  ast_param *params;

  int n_names;
  name *names;
  span *names_at;
  ast_type *type;
  name place;
  span place_at;
  ast_unit *unit;
  ast_bound *bound; /* of givens; NULL: any value will do */
  bool over_time;

  ast_head head;
  bool is_flux;
  ast_body body;
  ast_parts part;
};

typedef struct ast_scheme {
  name text;
  span at, name_at;
  bool on_grid;    /* on grid(...), else on mesh(...) */
  int dim;         /* 0: a letter such as D, any dimension */
  name dim_letter; /* if dim == 0 */
  bool exchanged;  /* declarations of an `exchange` are there with their copies */
  name base;       /* the scheme that this one extends, which says what it stands on; or NULL */
  span base_at;
  int n_decls;
  ast_decl **decls;
  const char *comment; /* `--` lines directly above `scheme`, without the dashes, or NULL */
} ast_scheme;

/* import NAME, or import name, ... of NAME */
typedef struct ast_import {
  name file;
  span at;
  int n_names; /* 0: all functions of a file that holds nothing else */
  name *names;
  span *names_at;
} ast_import;

typedef struct ast_file {
  uint32_t file;
  int n_imports;
  ast_import *imports;
  ast_scheme *scheme; /* NULL in a library of functions */
  int n_functions;
  ast_decl **functions;
} ast_file;

/* ---- front end ----------------------------------------------------------------------------------------- */

/* Parses one file; syntax errors go to the sink, and the tree holds what could be read (never NULL). */
ast_file *parse_file(arena *a, intern_pool *names, const source_set *sources, uint32_t file, diag_sink *sink);

/* Canonical text of an expression (no comments), as in messages and in instance names. */
const char *ast_op_text(ast_op op);
const char *ast_expr_text(arena *a, const ast_expr *e);
const char *ast_name_text(arena *a, const ast_expr *e); /* of a name; in quotes where they are needed */

/* The formatter behind `dslc fmt`: canonical layout that keeps comments; returns NULL if the file has
 * errors. */
char *format_file(arena *a, intern_pool *names, const source_set *sources, uint32_t file, diag_sink *sink);

#endif
