/* The kernel IR: what the kernels of a program do, as plain data. Its textual form is the part of OpenCL C that dslc writes and the
 * runtime's own kernels keep to: scalars, pointers with an address space, arrays of one dimension, structs of scalars and pointers,
 * functions without recursion; no vectors, no unions, no goto, no casts of pointers.
 *
 *   templates and constructors (build.h) --> kir_function --kir_print_function--> text          (dslc's emitter)
 *   text --kir_parse--> kir_program --kir_print--> text          (the second text parses to the same program)
 *                            |
 *                            +--kir_lower (code.h): instructions of the model machine, which runs them (machine.h)
 *
 * Every expression is typed; conversions that C makes unasked are nodes of their own (`implicit`). Every node carries the line of the
 * text it came from; what a macro expands to counts to the line that names the macro. All of a program lives in its arena. */
#ifndef DSLC_KERNEL_KERNEL_H
#define DSLC_KERNEL_KERNEL_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/writer.h"

/* ---- Types ------------------------------------------------------------------------------------------------ */

typedef enum kir_kind { /* integers in the order of their rank */
                        KIR_VOID,
                        KIR_BOOL,
                        KIR_CHAR,
                        KIR_UCHAR,
                        KIR_SHORT,
                        KIR_USHORT,
                        KIR_INT,
                        KIR_UINT,
                        KIR_LONG,
                        KIR_ULONG, /* also size_t */
                        KIR_FLOAT,
                        KIR_DOUBLE,
                        KIR_STRUCT,
                        KIR_POINTER,
                        KIR_ARRAY
} kir_kind;

typedef enum kir_space { KIR_PRIVATE, KIR_LOCAL, KIR_GLOBAL, KIR_CONSTANT } kir_space;

typedef struct kir_type kir_type;
typedef struct kir_struct kir_struct;

struct kir_type { /* equal types are equal pointers within a program */
  kir_kind kind;
  kir_space space; /* POINTER, ARRAY: where the elements lie */
  bool is_const;   /* of this very type: in a pointer's target, not to be written through the pointer */
  bool is_volatile;
  const kir_type *of; /* POINTER, ARRAY */
  int64_t count;      /* ARRAY */
  kir_struct *record; /* STRUCT */
  const char *text;   /* see kir_type_text */
};

typedef struct kir_field {
  const char *name;
  const kir_type *type; /* a scalar or a pointer */
} kir_field;

struct kir_struct {
  const char *name; /* of the typedef */
  VEC(kir_field) fields;
  int line;
};

/* ---- Expressions ------------------------------------------------------------------------------------------ */

typedef struct kir_function kir_function;
typedef struct kir_expr kir_expr;
typedef struct kir_stmt kir_stmt;

/* What account.c has found a variable to hold: how near the next wall is, or whether one is near at all. */
typedef enum kir_wall_value { KIR_WALL_NOTHING, KIR_WALL_DISTANCE, KIR_WALL_FLAG } kir_wall_value;

typedef struct kir_variable {
  const char *name;
  const kir_type *type;
  kir_space space;  /* PRIVATE, or LOCAL: shared by a work-group */
  bool is_restrict; /* a pointer's */
  bool is_parameter;
  bool is_neighbour;  /* of what was built: the number of a neighbour, which had to be looked up */
  bool takes_address; /* of a scalar: somewhere & is applied to it */
  bool assigned;      /* somewhere behind its declaration */
  bool initialised;   /* by its declaration, or a parameter */
  int words;          /* of a parameter, for double_single.c: dslc_words */
  bool varies, is_read,
      is_written; /* for verify.c and passes: over the items of a group; anywhere. Of what is being built, is_read: it
                                       has been named */
  int line;
  kir_expr *count; /* of an array that was built: as it is to be printed, e.g. 2*GROUP */
  int64_t slot;    /* for lower.c: its register, ... */
  int object;      /* ... and, from 1, the object it is; 0: none */
  struct kir_variable *
      twin; /* for resolve.c: what it is in the program that is made; for pass_constants.c: what stands for it */
  int let; /* for account.c: 1 + its place among what is known of the kernel's variables; -1 - number: an argument; 0: nothing */
  kir_wall_value walls; /* for account.c */
  bool handed_down;     /* of what was built: from pass to pass of a march, see kir_march */
} kir_variable;

typedef enum kir_expr_kind {
  KIR_CONST,
  KIR_VAR,
  KIR_UNARY,  /* op: - ~ ! */
  KIR_BINARY, /* op; both operands of one type but for shifts and pointer + integer */
  KIR_AND,    /* && of two bools or integers, the second only where it counts */
  KIR_OR,
  KIR_SELECT, /* a ? b : c */
  KIR_CAST,
  KIR_INDEX,   /* a[b]; a: pointer or array */
  KIR_DEREF,   /* *a */
  KIR_FIELD,   /* a.field; p->field is FIELD of DEREF */
  KIR_ADDRESS, /* &a */
  KIR_CALL,
  KIR_BUILTIN,
  KIR_ASSIGN, /* a = b, or a op= b with op; the value is a's new one */
  KIR_STEP,   /* ++a, --a, a++, a--: op + or -, postfix */
  KIR_COMMA,
  KIR_LIST, /* { ... } of a struct, or of an array: elements behind the last one given are 0 */
  /* Only in what is built (build.h); the parser sees what the file's macros make of them. */
  KIR_ELEMENT, /* spelling(args): a component of a buffer, at an index, through the file's macro of that name */
  KIR_NAMED    /* a constant by its name: a macro, or an enumerator of the prelude */
} kir_expr_kind;

typedef enum kir_op {
  KIR_NONE,
  KIR_ADD,
  KIR_SUB,
  KIR_MUL,
  KIR_DIV,
  KIR_MOD,
  KIR_SHL,
  KIR_SHR,
  KIR_BAND,
  KIR_BOR,
  KIR_XOR,
  KIR_LT,
  KIR_LE,
  KIR_GT,
  KIR_GE,
  KIR_EQ,
  KIR_NE,
  KIR_NEG,
  KIR_COMPL,
  KIR_NOT,
  KIR_BOTH, /* the parser's, for && and || */
  KIR_EITHER
} kir_op;

/* What an expression that was built names of a kernel's arguments, by its maker's numbers: an ELEMENT a component, NAMED and VAR the
 * argument itself. */
typedef struct kir_part {
  int argument; /* 1 + its number, 0: of none */
  int component;
  int apart; /* ELEMENT: it may also stand for the component that lies so many behind */
  int index; /* ELEMENT: 1 + the argument in which its macro looks its index up, 0: none */
} kir_part;

struct kir_expr {
  kir_expr_kind kind;
  kir_op op;
  bool implicit; /* CAST: C makes it unasked */
  bool postfix;  /* STEP */
  int line;
  int field;   /* FIELD */
  int builtin; /* BUILTIN: kir_builtin_id */
  int n;       /* CALL, BUILTIN, LIST */
  int depth;   /* of the tree */
  int width;   /* of what was built: characters */
  kir_part part;
  int enclosed; /* of what was built: in so many parentheses whatever stands around it */
  bool signs;   /* of what was built: begins with a minus */
  const kir_type *type;
  kir_expr *a, *b, *c;
  kir_expr **args;
  kir_variable *variable;
  kir_function *function;
  const char *
      spelling; /* CONST, ELEMENT, NAMED (interned): as it is to be printed; CALL without a function: what is called;
                           FIELD of what is no known struct: the member */
  union {
    int64_t i;
    double f;
  } value; /* CONST; FLOAT and DOUBLE: f */
};

/* ---- Statements -------------------------------------------------------------------------------------------- */

typedef enum kir_stmt_kind {
  KIR_BLOCK,
  KIR_LET,  /* a declaration, with `value` or without */
  KIR_EVAL, /* an expression for what it does */
  KIR_IF,
  KIR_FOR, /* body.at: of the loop; first: declarations or an EVAL */
  KIR_WHILE,
  KIR_DO,
  KIR_SWITCH, /* body: cases and statements, as they stand */
  KIR_CASE,   /* value NULL: default */
  KIR_BREAK,
  KIR_CONTINUE,
  KIR_RETURN,
  KIR_BARRIER,
  KIR_FENCE, /* orders an item's own accesses: nothing to do here */
  KIR_PRAGMA,
  KIR_COMMENT, /* a line of its own */
  KIR_BLANK,   /* an empty line, but at the ends of a block and beside another one */
  KIR_DEFINE   /* #define text */
} kir_stmt_kind;

/* How a statement is laid out; the parser takes what is plainest. */
typedef enum kir_form {
  KIR_BRACED,
  KIR_ON_LINE, /* IF, FOR: what it governs stands on its own line, without braces */
  KIR_BELOW,   /* on the next one, indented */
  KIR_STACKED, /* on the next one, not indented: a loop right within a loop */
  KIR_FLUSH,   /* SWITCH: its cases are not indented */
  KIR_BROKEN   /* FOR: a line break in its head, behind the declarations */
} kir_form;

/* What a loop of what was built runs over. */
typedef enum kir_range {
  KIR_OVER_ANY,
  KIR_OVER_FACES,
  KIR_OVER_NEIGHBOURS,
  KIR_OVER_ROWS,
  KIR_OVER_PATCH_FACES,
  KIR_OVER_PATCH_CELLS, /* and those around them: counted once */
  KIR_OVER_RIM          /* the few at the mesh's boundary */
} kir_range;

/* What a march along rows (KIR_OVER_ROWS) loads at the head of a pass: a field at some rows, by declarations from the lowest row to the
 * highest, one after the other. Where `shared`, other items look at this column, too. */
typedef struct kir_rows {
  VEC(kir_stmt *) load;
  bool shared;
} kir_rows;

/* The point of an item's column in a pass, in the one before the first, in the next one and the one behind that. All rows of a field but
 * the highest one are there from the pass before: pass_march.c sees to it. */
typedef struct kir_march {
  kir_variable *here, *before, *next, *after_next;
  VEC(kir_rows) field;
} kir_march;

enum { KIR_FENCE_LOCAL = 1, KIR_FENCE_GLOBAL = 2 };

typedef VEC(kir_stmt *) kir_body;

struct kir_stmt {
  kir_stmt_kind kind;
  int line;
  int fences;                /* BARRIER, FENCE */
  const char *text;          /* PRAGMA, DEFINE: behind the word; COMMENT */
  const char *note, *remark; /* where it comes from, in the column of comments; a comment right behind it */
  kir_form form;
  kir_range over;         /* FOR */
  const kir_march *march; /* FOR, until pass_march.c has been */
  bool joined;            /* stands on the line of the one before it; LET: in its declaration */
  bool chained;           /* IF, alone in another one's `otherwise`: else if */
  bool if_named;          /* LET: left out by pass_unused.c where nothing behind it names the variable */
  kir_variable *variable;
  kir_expr *value; /* LET, EVAL, IF, loops: the condition; SWITCH, CASE, RETURN */
  kir_expr *step;  /* FOR */
  kir_body first;  /* FOR */
  kir_body body;
  kir_body otherwise; /* IF */
  bool has_otherwise;
  bool parts; /* for verify.c: a loop that items of a group leave at different times */
};

/* ---- Programs ---------------------------------------------------------------------------------------------- */

struct kir_function {
  const char *name;
  const kir_type *type; /* of the result */
  bool is_kernel;
  bool is_inline; /* static inline, as dslc writes its helpers */
  bool is_static, noinline;
  bool is_prototype;
  bool is_sized; /* its work-groups' size by the file's macro SIZED instead of the attribute */
  const char
      *shape;    /* of what was built: the size of its work-groups as it is to be printed, e.g. GROUP, 1, 1 */
  kir_body head; /* of what was built: comments and definitions before it */
  const char
      *undeclared;  /* of what was built: a name in lower case that stands for no variable; NULL: all do */
  int margin;       /* of what was built: its comments stand so much further right */
  int64_t group[3]; /* reqd_work_group_size, or zeros */
  int line, end_line;
  VEC(kir_variable *) parameters;
  VEC(kir_variable *) variables; /* parameters, then all others, in the order of their declarations */
  VEC(kir_function *) calls;     /* each once */
  kir_stmt *body;                /* a BLOCK */
  bool has_barrier;              /* itself, or what it calls */
  bool varies,
      uses_items; /* for verify.c: its result over the items of a group; numbers of items, or atomics */
};

typedef struct kir_enumerator {
  const char *name;
  int64_t value;
  bool first; /* of its enumeration */
} kir_enumerator;

typedef struct kir_program {
  arena *arena;
  bool is_built;      /* by build.h: printing it sets the lines of its statements */
  const char *source; /* the text, NUL-terminated */
  VEC(kir_type *) types;
  const kir_type *scalar[KIR_DOUBLE + 1]; /* those asked for so far */
  VEC(kir_struct *) structs;
  VEC(kir_enumerator) enumerators;
  VEC(kir_function *) functions; /* a function stands behind all that it calls */
} kir_program;

/* ---- What the language has built in (builtins.def) ---------------------------------------------------------- */

typedef enum kir_builtin_id {
#define BUILTIN(ID, name, signature) KIR_B_##ID,
#include "kernel/builtins.def"
#undef BUILTIN
  KIR_B_COUNT
} kir_builtin_id;

/* Name and signature: the result's letter, then the arguments': d double, f float, i int, l long, u uint, z size_t, b bool; g: floating, all g
 * alike; n: integers, all n alike; a: either, all a alike; p: pointer to int or uint, global or local. */
const char *kir_builtin_name(int id);
const char *kir_builtin_signature(int id);

/* ---- Types, made and asked ---------------------------------------------------------------------------------- */

const kir_type *kir_scalar(kir_program *p, kir_kind kind);
const kir_type *kir_make_type(kir_program *p, const kir_type *like);
const kir_type *kir_qualified(kir_program *p, const kir_type *t, bool is_const, bool is_volatile);
const kir_type *kir_bare(kir_program *p, const kir_type *t); /* without const and volatile */
const kir_type *kir_pointer_to(kir_program *p, const kir_type *of, kir_space space);
bool kir_is_integer(const kir_type *t); /* bool included */
bool kir_is_floating(const kir_type *t);
bool kir_is_scalar(const kir_type *t); /* integers and floating ones */
/* Bytes of one element in memory; structs: 8 for each field. */
int64_t kir_size(const kir_type *t);
/* e.g. `__global const double *`; declarations of arrays want the name in the middle. */
const char *kir_type_text(const kir_type *t);
void kir_name_struct(kir_program *p, kir_struct *s, const char *text);

/* ---- Text ---------------------------------------------------------------------------------------------------- */

typedef struct kir_message {
  int line;
  char text[400];
} kir_message;

/* `options` as of a compiler's command line: -D NAME, -DNAME=VALUE; others are passed over. NULL and a message if the text is not of the
 * subset. `a` must outlive the program. */
kir_program *kir_parse(arena *a, const char *text, const char *options, kir_message *message);

/* The value of an expression of integers that are constants. */
bool kir_constant(const kir_expr *e, int64_t *value);

/* The program without macros, one declaration after the other. */
const char *kir_print(kir_program *p);
void kir_print_expr(kir_program *p, const kir_expr *e, writer *w);
/* Statements alone. */
void kir_print_body(kir_program *p, const kir_body *body, writer *w);
void kir_print_struct(const kir_struct *s, writer *w);
/* One function as a generated file shows it: with its head, comments and blank lines. */
void kir_print_function(kir_program *p, kir_function *f, writer *w);

const kir_function *kir_find_kernel(const kir_program *p, const char *name);

/* Where a line of the text comes from, by the comments there: "heat.ew:8", or "" if none says so. */
void kir_scheme_line(const kir_program *p, int line, char *text, int size);
/* The line itself, without blanks around. */
void kir_text_line(const kir_program *p, int line, char *text, int size);

/* ---- Checks -------------------------------------------------------------------------------------------- */

/* What is wrong with the program and can be known without running it: the number of messages, of which the first `max` are given. */
int kir_verify(kir_program *p, kir_message *messages, int max);

#endif
