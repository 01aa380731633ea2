/* What the files of the semantic analysis share. */
#ifndef DSLC_SEMA_INTERNAL_H
#define DSLC_SEMA_INTERNAL_H

#include "dslc.h"
#include "sema/sema.h"
#include "sema/unit.h"

/* ---- values -------------------------------------------------------------------------------------------- */

typedef struct value_type value_type;
struct value_type {
  ir_rank rank;
  int n;            /* components */
  const unit *unit; /* of everything but tuples */
  bool zero;        /* part of a tuple written as 0: takes any rank */
  int n_parts;      /* tuples */
  value_type *part;
  const int *axis; /* tuples in what an `exchange` declares once more: as a vector, its part k is that along axis[k]; else NULL */
};

/* A lowered expression. `bad` values come from reported errors and are silent afterwards. `zero` is the literal 0
 * (or a product with it): it has every rank and unit; `measured`: the unit that was written behind it alone. */
typedef struct value {
  ir_id id;
  value_type type;
  bool bad, zero, measured;
  span at;
} value;

/* ---- names ----------------------------------------------------------------------------------------------- */

typedef enum entity_kind {
  ENTITY_PARAMETER,
  ENTITY_VARIANT,
  ENTITY_STATE,
  ENTITY_GIVEN,
  ENTITY_FUNCTION,
  ENTITY_EQUATION, /* plain, parametric, or one result of a block */
  ENTITY_GLOBAL,
  ENTITY_MATRIX,
  ENTITY_BOUNDARY
} entity_kind;

typedef enum progress { UNTOUCHED, IN_PROGRESS, DONE, FAILED } progress;

typedef struct entity {
  name text;
  entity_kind kind;
  const ast_decl *decl;
  const ast_result *result; /* of a block; NULL: the declaration itself */
  bool has_block;           /* an equation written as a block: all its results are lowered together */
  span at;
  progress progress;
  ir_place place;
  value_type type;
  ir_sym sym; /* 0 for functions, variants, parametric equations, and blocks without a value of their own */
  bool used;
  bool ruled; /* a boundary rule acts on it, so that it is not what its formula says everywhere */
  bool zero;  /* an equation that is 0 in this variant: read as the literal, with any rank and unit */
} entity;

/* Local names: `let`, `where`, arguments of functions (values), arguments of equations (fields), index variables. */
typedef enum binding_kind { BIND_VALUE, BIND_FIELD, BIND_INDEX } binding_kind;

typedef struct binding binding;
struct binding {
  name text;
  binding_kind kind;
  value value;
  const ast_expr *field;
  const binding *field_env;
  int axis, offset; /* BIND_INDEX: which of i, j, k, and how far */
  const binding *next;
};

/* A boundary rule being lowered. */
typedef struct rule_scope {
  const ast_decl *decl;
  uint32_t rule;
  int axis; /* 0, 1, 2 on grids; -1 on meshes */
} rule_scope;

/* Where an expression stands: its place, the indices in scope, the local names. Copied, never changed in place. */
typedef struct context {
  ir_place place;
  name self; /* in a global's reduction: the letter it chose, else NULL: the place's own */
  bool loop; /* inside a reduction over neighbours: `binder` */
  ir_binder binder;
  name loop_var, loop_other;
  bool anchored; /* one end chosen: arguments of mean, jump and of parametric equations; on grids: by an index behind brackets, for all in them that
                  * has none itself */
  ir_at anchor;
  ir_place anchor_place;
  int8_t shift[3]; /* on grids: added to every access */
  bool in_function;
  bool constant;   /* known before the run: defaults, options of solvers */
  bool until;      /* behind `until`: the only place of .old */
  name argument;   /* an operator's, whose field is being read; or NULL */
  bool to_l, to_r; /* what a fluctuation brings to L, to R */
  const rule_scope *rule;
  ir_id
      outward; /* in sums over a rule's faces of a grid: 1 or -1 there, as the normal points along the axis; else 0 */
  const binding *env;
  const ast_binding *later; /* what the same `where` or `let` names further on: not known yet */
  int n_later;
  const char *why; /* "`dt`", "equation `wave`": for messages */
} context;

/* An index in scope. */
typedef struct anchor {
  ir_place place;
  ir_at at;
  const char *letter; /* NULL: cannot be named */
} anchor;

enum { MAX_COMPONENTS = DSLC_MOST_COMPONENTS }; /* of one value: tuples, lists */

/* How much has been lowered. */
typedef struct sema_effort {
  int depth;
  long visits;  /* expressions lowered, functions and ranges expanded */
  bool gave_up; /* too deep or too large: reported, nothing more is lowered */
} sema_effort;

typedef struct sema_units {
  unit_system *units;
  bool check_units;
  span units_at; /* what is being compared: from here units of undeclared names are inferred */
} sema_units;

/* By name. */
typedef struct sema_tables {
  name_map *misplaced; /* declared at places that do not exist: reported once, there */
  name_map *entities;  /* name -> entity */
  name_map *instances; /* "grad_weak(p)" -> entity */
  name_map *builtins;  /* "centre@cells" -> entity */
} sema_tables;

typedef struct sema {
  arena *memory;
  intern_pool *names;
  diag_sink *sink;
  const sema_files *files;
  ir_module *module;
  const ast_scheme *scheme;
  const sema_options *options;
  sema_info *info;
  sema_units unit;
  int dims;
  bool has_exchange; /* declarations are there twice, with axes and names exchanged */
  sema_tables table;
  VEC(entity *) arguments; /* of rules, for their units */
  VEC(entity *) stack;     /* being lowered: for cycles */
  sema_effort effort;
  bool dt_reported;
  struct side_samples *samples;
  VEC(double) numbers;       /* by node: the value of a formula of numbers alone, else NaN */
  name_map *positive;        /* what a `require` says is > 0 */
  VEC(unsigned char) finite; /* by symbol: can its value be infinite or a NaN? see finite.c */
  diag *last;                /* the diagnostic reported last */
  diag silent;               /* what complain returns when it says nothing */
} sema;

/* ---- messages ------------------------------------------------------------------------------------------------- */

/* Reports, unless the same code was reported for the same span: one mistake is told once, however often a function, an
 * exchange or a set of variants makes the compiler look at it. Never NULL. */
diag *complain(sema *s, diag_code code, span at, const char *fmt, ...) __attribute__((format(printf, 4, 5)));
/* Adds to the last message where the function or operator is used that it is about; the innermost few are enough. */
void note_use(sema *s, span at, const char *what);
/* The same where an operator reads the field that it was given: the message is about the field, the slip may be there. */
void note_reading(sema *s, span at, const char *argument);
/* Too much of something: said once, and nothing is lowered afterwards. */
void give_up(sema *s, span at, const char *what, const char *hint);

/* ---- walks over the graph ---------------------------------------------------------------------------------------- */

typedef VEC(ir_id) id_list;
/* The nodes that `root` needs, itself included, in increasing order. */
id_list reached(sema *s, ir_id root);
/* Does the value of an equation depend on the start of the step? */
bool looks_back(sema *s, ir_sym sym);
/* Whether a value reads dt or looks back, itself or through equations and globals. */
bool speaks_of_step(sema *s, ir_id of);

/* ---- values: value.c ----------------------------------------------------------------------------------------- */

value bad_value(span at);
value scalar_value(sema *s, ir_id id, const unit *u, span at);
value number_value(sema *s, double x, span at); /* without unit */
value_type type_scalar(const unit *u);
value_type type_of(ir_rank rank, int n, const unit *u);
ir_type ir_type_of(value_type t);
const char *type_text(sema *s, value_type t);
const char *unit_of(sema *s, value_type t); /* text of the unit, tuples too */

/* Gives `v` the rank of `t` where the language lets it: the literal 0 has every rank, and (a, b) is a vector where one is
 * expected. Else returns it unchanged. */
value adapt(sema *s, value v, value_type t);
/* Ranks (and tuple shapes) equal? Units are equated too when ranks agree; both complain. `what` names the operation. */
bool require_same(sema *s, value a, value b, span at, const char *what);
/* Has `v` the rank and unit `t` of what was declared at `declared`? */
bool require_fits(sema *s, value v, value_type t, span declared, const char *what);
/* Equal ranks and units? Says nothing; equates units as require_same does. */
bool values_agree(sema *s, value a, value b);
bool require_unit(sema *s, value v, const unit *u, const char *what);
/* Says so if a unit is written for a condition. */
bool is_unit_of_condition(sema *s, value v, const ast_unit *written, const char *of);
bool require_bool(sema *s, value v, const char *what);
bool require_scalar(sema *s, value v, const char *what);
/* The value of a constant expression, if `v` is one. */
bool constant_value(sema *s, value v, double *x);

value apply_unary(sema *s, ast_op op, value a, span at);
value apply_binary(sema *s, ast_op op, value a, value b, span at);
value apply_select(sema *s, value c, value a, value b, span at);
value apply_function(sema *s, ir_op op, const value *args, int n, span at);
value apply_component(sema *s, value v, name part, span at); /* .x .y .1 */
value apply_element(sema *s, value v, int k, span at);       /* f[2] of a list */
value make_tuple(sema *s, const value *parts, int n, span at);
value make_list(sema *s, const value *parts, int n, span at);

/* ---- numbers that are not finite: finite.c ----------------------------------------------------------------------- */

value checked_number(sema *s, value v); /* refuses formulas of numbers alone that have no finite value */
void note_requirements(sema *s, const ast_expr *condition);
value checked_literal(sema *s, value v, double x);
value refuse_division(sema *s, span at);
bool known_number(const sema *s, value v, double *x); /* a formula of numbers alone */
bool is_surely_finite(sema *s, value v);
bool cannot_vanish(sema *s, value v); /* a number that is not 0, a size of the mesh */

/* ---- names and indices: names.c, index.c ---------------------------------------------------------------------- */

/* Enters a name; NULL (reported) if it is taken or reserved. */
entity *declare(sema *s, name text, entity_kind kind, const ast_decl *decl, span at);
void declare_all(sema *s);
void warn_hiding(sema *s, name text, span at); /* a local name that is also a built-in quantity here */
/* Equations, globals and matrices, those that others need first. */
void lower_all(sema *s);
void declare_rules(sema *s);
entity *find_entity(sema *s, name text);
void report_wrong_kind(sema *s, const entity *e,
                       span at); /* a function, variant or operator where a value is needed */
void report_unknown(sema *s, name text, span at, const context *c);
void hint_at_library(sema *s, diag *d, name text); /* library.c: where it could be imported from */
bool find_place(sema *s, name text, span at, ir_place *place);
const unit *lower_unit(sema *s, const ast_unit *u); /* NULL-safe: no unit written gives a fresh unknown */
value_type declared_type(sema *s, const ast_type *t, const unit *u);
void refuse_whole(sema *s, name text, const ast_type *t); /* int is a type of parameters and arguments */
int variant_choice(sema *s, const entity *e);

int anchors_of(const context *c, anchor out[6]);
const char *scope_text(sema *s, const context *c); /* "c, and f inside the sum": for messages */
/* The value of a quantity: bare, or at the index expressions `index` (NULL: bare). */
value read_entity(sema *s, const context *c, entity *e, ir_level level, const ast_expr *index, span at);
int ranged_index(const ast_expr *index); /* which of its arguments is a range; 0: none */
value lower_slice(sema *s, const context *c, const ast_expr *e); /* grids: what is indexed by a range */
/* Geometry that is 0 but for the points of a set: 1 at nodes where a rule's `fix` gives a state's value (IR_HELD_MASK) or that
 * obey a rule (IR_RULE_MASK); at faces of a grid that obey a rule the outward normal's component along the axis. `set` is the
 * symbol's name, "held:STATE" or "on:RULE", and means nothing. */
ir_sym place_mask(sema *s, const char *set, ir_symbol mask); /* with its place, role, `of` or `rule` */
value read_builtin(sema *s, const context *c, name text, const ast_expr *index, span at, bool *is_builtin);
bool is_builtin_name(name text);
const char *const *builtin_names(int *n);
/* Chooses an index for a quantity that lives at one of `places` (bits 1 << ir_place): the only fitting anchor, or the one
 * written in `index` (an AST_INDEX node, or NULL). */
typedef struct chosen_index {
  ir_place place;
  ir_at at;
  int8_t off[3];
} chosen_index;
typedef struct index_request {
  name what;
  uint32_t places;
  const ast_expr *index; /* AST_INDEX or NULL */
  span at;
} index_request;
bool choose_index(sema *s, const context *c, const index_request *r, chosen_index *out);
/* Of grids: index_grid.c. */
bool index_on_grid(sema *s, const context *c, const index_request *r, chosen_index *out);
/* (2*a)[i+1, j]: how far from the point of `c` all in the brackets is read. */
bool index_of_brackets(sema *s, const context *c, const ast_expr *e, int8_t shift[3]);
int lowest_place(uint32_t places);
void report_no_index(sema *s, const context *c, name what, ir_place place, span at);

/* ---- expressions: expr.c, call.c ---------------------------------------------------------------------------------- */

value lower_expr(sema *s, const context *c, const ast_expr *e);
value lower_element(sema *s, value v, const ast_expr *index); /* of a real[n]; reported where it has none */
value lower_body(sema *s, const context *c, const ast_body *b);
const binding *bind_all(sema *s, const context *c, const ast_binding *b, int n); /* extends c->env */
const binding *bind_value(sema *s, const binding *env, name text, value v);
value lower_call(sema *s, const context *c, const ast_expr *e);
/* region(NAME), patch(NAME), where the scheme does not call something of its own so: part.c. `index` may be NULL. */
bool is_part_of_mesh(name function);
bool is_region(const ir_symbol *q); /* 1 in cells of a part of the mesh, 0 in all others */
value lower_part_of_mesh(sema *s, const context *c, const ast_expr *call, const ast_expr *index, span at);
/* A given of the scheme that the mesh fills, by its whole name, as outside(steel,copper); scalar, at cells. */
ir_sym field_of_mesh(sema *s, name text, span at);
bool is_mesh_integral(const ast_body *b); /* integral.c */
/* Of an equation that is one: `plain`, it has become a symbol itself; else the value of one with a coefficient. */
value lower_mesh_integral(sema *s, entity *e, bool *plain);
value lower_table(sema *s, const context *c, const ast_expr *e); /* table.c */
value lower_reduction(sema *s, const context *c, const ast_expr *e);
bool lower_offset(sema *s, const context *c, const ast_expr *e, int *axis, int *offset); /* i-2 */

/* ---- equations: equation.c, side.c ------------------------------------------------------------------------------------ */

bool ensure(sema *s, entity *e,
            span at); /* lowers an equation on demand; false if it failed or is circular */
entity *instantiate(sema *s, entity *e, const ast_expr *call, const context *c);
void infer_side(sema *s, ir_sym sym, span at);
void report_flux_place(sema *s, ir_place place, span at);
/* Does `body`, which is "reduced over" or "required at" all faces or edges, depend on which end is L (or I)? Reported. */
bool depends_on_numbering(sema *s, ir_id body, ir_place place, const char *what, span at);
/* What a step assigns to a state at faces must turn with it when L and R are exchanged, or stay as it does. */
void require_side(sema *s, ir_id body, const ir_symbol *state, span at);
bool is_symmetric(sema *s, ir_sym matrix); /* H[I,J] == H[J,I] */
/* `what` was seen at n points, at a number not known (-1), or at none (0), and not proved, for what `proof` (or NULL) lacks: a
 * warning. */
struct side_proof;
void warn_sampled(sema *s, span at, const char *what, int n, const struct side_proof *proof);
void check_letters(sema *s, const ast_head *h, ir_place place); /* those a left side may repeat */
context context_at(ir_place place, const char *why);

/* ---- slips that are warned of: unused.c ------------------------------------------------------------------------------------ */

void warn_unused(sema *s, const ast_file *file);

/* ---- rules and the step: boundary.c, step.c, exchange.c ------------------------------------------------------------------ */

void lower_boundaries(sema *s);
void check_completeness(sema *s);
void lower_requires(sema *s);
/* Whether a requirement of that text is there already. */
bool is_required(const sema *s, const char *text);
void lower_step(sema *s);
bool require_symmetric(sema *s, entity *matrix, span at, const char *why);
/* A default of a parameter or of a rule's argument: its root, 0 if there is none or it was refused. */
ir_id lower_default(sema *s, const ast_param *p, value_type t);
/* Bounds of a parameter or of a rule's argument as text, see dslc_within; NULL: none. `root` is its default. */
const char *not_constant(sema *s, ir_id root); /* what it needs beside parameters, which is not known before the run, or NULL */
const char *lower_bounds(sema *s, const ast_param *p, value_type t, ir_id root);
void check_default_cycles(sema *s);

#endif
