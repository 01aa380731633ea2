/* Shared by the files of the generator. */
#ifndef EW_RANDOM_GEN_INTERNAL_H
#define EW_RANDOM_GEN_INTERNAL_H

#include "gen.h"

typedef enum family { F_CELLS, F_NODES, F_GRID } family;
typedef enum where {
  W_CELLS,
  W_FACES,
  W_NODES,
  W_EDGES,
  W_XFACES,
  W_YFACES,
  W_ZFACES,
  W_XEDGES, /* of 3D grids */
  W_YEDGES,
  W_ZEDGES,
  W_CORNERS,
  W_GLOBAL,
  W_FN,
  W_FACE_OF_CELL, /* inside a reduction over the faces of a cell */
  W_NEIGHBOUR     /* inside a reduction over the neighbours of a node */
} where;
typedef enum rank { R_SCALAR, R_VECTOR, R_TENSOR, R_LIST, R_BOOL, R_TUPLE } rank;

typedef struct sym {
  char name[24];
  where at;
  rank rank;
  int n; /* of a list */
  bool state, given;
  bool deep;   /* looks at neighbours: its value beyond a boundary does not follow */
  bool across; /* somebody reads it beyond its own point */
  bool odd;    /* at faces: changes sign with the side */
  bool flux;   /* a rule may replace it */
  bool back;   /* looks back: has no .prev */
  bool tuple_of_two;
  bool own_only; /* part of a tuple: read at its own point */
  bool at_face;  /* a state at faces of meshes */
} sym;

enum { MOST_SYMS = 96, MOST_STRINGS = 1 << 15 };

typedef struct gen {
  uint64_t state;
  family family;
  int dim;
  bool letter_d; /* on mesh(D) */
  int *count;
  FILE *out;
  int n_syms;
  sym sym[MOST_SYMS];
  int n_strings;
  char *string[MOST_STRINGS]; /* owned */
  int n_params, n_vector_params, n_fns, n_ops, n_eqs, n_rules, n_variants, n_globals, n_named, n_args,
      n_vector_args;
  bool fn_tuple, fn_vector, has_int, imports, has_matrix, rule_int, rule_let, has_span;
  bool exchange;  /* grid: rules and equations stand in an exchange */
  bool scatter_x; /* while one axis of an exchange is written */
  bool turns; /* grid: ghosts of equations are given by others; `turned`: how often that might have been */
  int turned;
  bool differs;  /* grid: differences across points */
  bool backward; /* dt follows from the start of the last step, too */
  int stillness; /* of 16: by chance, how little moves */
  bool governed; /* dt follows from globals, too, and equations are required */
  bool steady;   /* there is no dt: time stands still */
  bool again;    /* what is updated is updated again, by the next statement */
  bool crowded;  /* grid: few equations, near second walls, of other times and of more integrators than one */
  bool by_span;  /* short schemes: integrates over a global instead of parts of dt */
  bool tiny;     /* short schemes: one equation, one statement */
  bool edge_given; /* nodes: what a case gives at edges, he, stands in equations there */
  bool tabled;     /* a table's points are parameters, tx and ty */
  bool
      bounded; /* parameters and arguments have bounds, integrals regions; `bounds_asked`: how often that might have been */
  int bounds_asked;
  bool staggered;      /* mesh: there are states at faces, uf and af: gen_faces.c */
  bool one;            /* there is a state of one value, one0 */
  int one_asked;       /* how often a formula might have read it */
  const char *suspect; /* at faces, must be refused: see gen_mesh.c; or NULL */
  bool no_memory;
} gen;

typedef struct ctx {
  where at;
  bool rule;      /* inside a boundary rule: @ is the cell inside */
  int axis;       /* of the rule, -1: all */
  bool to_d;      /* W_FACE_OF_CELL: `f of c to d` */
  bool step;      /* inside the step: .prev may be read */
  bool pointwise; /* nothing of other points */
  bool no_sums;
  bool no_globals;
  bool no_index;     /* what an operator takes is a field */
  bool no_equations; /* states and givens alone */
  bool fixes;        /* a rule fixes a state: what it names is of before */
  bool deep, back;   /* found so */
  int n_formals;
} ctx;

/* strings, chance */
const char *fmt(gen *g, const char *format, ...) __attribute__((format(printf, 2, 3)));
void emit(gen *g, const char *format, ...) __attribute__((format(printf, 2, 3)));
int below(gen *g, int n);
bool chance(gen *g, int percent);
bool chance_in(gen *g, int percent, int crowded); /* the second where the scheme is crowded */
void hit(gen *g, construct c);
const char *number(gen *g);
sym *add_sym(gen *g, const char *name, where at, rank r);
const char *where_name(where w);
/* A template with @, # for the two sides and $ before what changes sign, seen from the first or the second side. */
const char *seen_from(gen *g, const char *template, char own, char other, bool swapped);
/* An index from `at` for a symbol: [L], [i,j-1], ... */
const char *read_sym(gen *g, ctx *c, sym *s);
const char *shifted_index(gen *g, const int shift[3]);

/* expressions; `depth` of operators at most */
const char *expr(gen *g, ctx *c, rank r, int depth);
const char *condition(gen *g, ctx *c, int depth);

/* parts of a scheme */
const char *gen_bounds(gen *g); /* behind the name of a parameter or an argument, or nothing */
void gen_declarations(gen *g);
void gen_functions(gen *g);
void gen_mesh_equations(gen *g);
/* At faces, by any expression, what is the same from both sides, and what changes its sign. */
const char *gen_even(gen *g, ctx *c, rank r, int depth);
const char *gen_odd(gen *g, ctx *c, rank r, int depth);
void gen_face_states(gen *g);
void gen_face_statements(gen *g);
void gen_node_equations(gen *g);
where gen_low_point(const gen *g);        /* a corner, in 3D also an edge */
bool gen_on_boundary(where at, int axis); /* of a grid, across the axis: has the place points there? */
void gen_grid_equations(gen *g);
void gen_globals(gen *g);
void gen_mesh_rules(gen *g);
void gen_node_rules(gen *g);
void gen_grid_rules(gen *g);

/* Short schemes: gen_short.c, and the whole of them. */
typedef const char *formula(gen *g, ctx *c);
bool gen_has_start(const sym *s);
sym *gen_short_sym(gen *g, const char *name, where at);
where gen_short_place(gen *g); /* of a grid */
const char *gen_diagonal(gen *g, ctx *c, const sym *s, const char *name);
const char *gen_around(gen *g, ctx *c, const sym *s, const char *name);
bool gen_on_grid(const gen *g);
void gen_short_require(gen *g);
void gen_short_integrals(gen *g); /* M and Lap, which gen_around takes at nodes */
typedef void own_statement(gen *g);
/* Plain, in passes, or at half of the step. Says whether it is in passes. */
bool gen_short_update(gen *g, own_statement *update, const char *until);
void gen_short_step(gen *g, formula *combination, own_statement *own); /* own: may be NULL */
void gen_corner_scheme(gen *g);
void gen_value_scheme(gen *g);
void gen_rank_scheme(gen *g);
void gen_side_scheme(gen *g);
void gen_chain_scheme(gen *g);

void gen_step(gen *g);
where place_of_states(const gen *g);

#endif
