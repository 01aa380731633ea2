/* The values of a plan as they are printed, read back and looked over: nothing but names and numbers, so that a text of them says the
 * same as the plan that they were taken from. What is printed for --dump-after is parsed to the same (tests/unit/test_dump.c).
 *
 *   outline.c          from a plan
 *   outline_print.c    to text
 *   outline_parse.c    from text
 *   storage_outline.c  all of that for where equations live
 *   plan_verify.c      is it sound? */
#ifndef DSLC_SCHEDULE_OUTLINE_H
#define DSLC_SCHEDULE_OUTLINE_H

#include "schedule/tasks.h"

/* ---- names ------------------------------------------------------------------------------------------------------------- */

/* Of the members of a list: no two the same, without blanks and marks of the text around them. */
typedef struct outline_names {
  arena *memory;
  intern_pool *pool;
  name_map *of;
} outline_names;

outline_names outline_names_create(arena *a, intern_pool *pool);
name outline_name(outline_names *n, const char *text); /* of the next member: made different if need be */
int outline_find(const outline_names *n, const char *text, size_t length); /* its place, -1: there is none */

/* ---- where equations live ------------------------------------------------------------------------------------------------ */

/* Words of a quantity, as bits, in the order of the text. */
enum {
  OUTLINE_STATE = 1 << 0,
  OUTLINE_GIVEN = 1 << 1,
  OUTLINE_GLOBAL = 1 << 2,
  OUTLINE_ARGUMENT = 1 << 3, /* of a rule, or time: no value of its own in the scheme */
  OUTLINE_STORED = 1 << 4,
  OUTLINE_INLINED = 1 << 5,
  OUTLINE_SCATTERED = 1 << 6, /* faces add it up */
  OUTLINE_SUM = 1 << 7,       /* made to be added up */
  OUTLINE_CONSTANT = 1 << 8,  /* computed once */
  OUTLINE_PREVIOUS = 1 << 9,  /* its value at the start of the step is kept */
  OUTLINE_ONCE = 1 << 10,     /* computed when a step begins */
  OUTLINE_CONSTRAINED = 1 << 11,
  OUTLINE_GHOSTS = 1 << 12,
  OUTLINE_REPLACED = 1 << 13,
  OUTLINE_PLACED = 1 << 14,  /* it reads where its point lies */
  OUTLINE_CHANGES = 1 << 15, /* by itself, not only with what it depends on */
  OUTLINE_SINGLE = 1 << 16   /* its numbers lie in memory in single precision */
};
enum { OUTLINE_NO_FORMULA = OUTLINE_STATE | OUTLINE_GIVEN | OUTLINE_GLOBAL | OUTLINE_ARGUMENT };

typedef VEC(int) outline_places;

typedef struct outline_quantity {
  name text;
  ir_place place;
  unsigned words;
  outline_places reads, on; /* places of what it reads, and of what it depends on, in the list */
  const char *why;          /* it lives so; NULL: nobody has decided */
} outline_quantity;

typedef struct storage_outline {
  arena *memory;
  outline_names names;
  VEC(outline_quantity) quantity;
} storage_outline;

storage_outline *storage_outline_of(const problem *p, const symbol_use *use, const dependence *d,
                                    const symbol_storage *s);
void storage_print(FILE *out, const storage_outline *o);
/* NULL and a message: it is none. */
storage_outline *storage_parse(arena *a, intern_pool *pool, const char *text, const char **wrong);
const char *storage_verify(const storage_outline *o); /* NULL, or what is wrong */

/* ---- tasks and launches ---------------------------------------------------------------------------------------------------- */

typedef struct outline_rule {
  name text;
  bool used;
} outline_rule;

/* What is there of a buffer when a section begins. */
typedef struct outline_buffer {
  name text;
  bool given; /* by the case, the mesh or the runtime */
  bool lasting,
      shown;   /* what the setup makes lasts; what is shown behind a step finds it as the step began */
  bool ghosts; /* what the setup writes beyond boundaries lasts */
  bool start;  /* it holds what another was when the step began */
  outline_places replaced; /* rules that say what is there at their faces */
} outline_buffer;

typedef struct outline_global {
  name text;
  bool known;   /* no equation says it */
  bool lasting; /* what the setup computes lasts */
} outline_global;

typedef struct outline_function {
  name text;
  int table; /* see plan_function */
} outline_function;

typedef struct outline_task {
  name text;
  ir_place place;
  const char *what;
  task does; /* by places in the lists of the outline */
} outline_task;

typedef struct outline_bound {
  int from, to;
} outline_bound;

typedef struct outline_op {
  dslc_op_kind kind;
  int task;
  dslc_subset subset;
  int rule;                 /* or rows of a constraint */
  double stage;             /* the launch takes place so far in the step */
  int groups_of;            /* it reads the partials of this operation, -1 */
  VEC(outline_bound) bound; /* other buffers than the task names */
  int a, b;                 /* swap, copy, ghosts: buffers */
  int count, limit;         /* repeat: the next ones, at most so often */
  const char *unknown;      /* solve */
  int solve[4];             /* its buffers: off, diagonal, right-hand side, solution */
} outline_op;

typedef struct outline_section {
  const char *text;
  VEC(outline_op) op;
} outline_section;

typedef struct outline {
  arena *memory;
  bool on_grid, periodic;
  struct {
    outline_names rule, buffer, global, function, task;
  } names;
  VEC(outline_rule) rule;
  VEC(outline_buffer) buffer;
  VEC(outline_global) global; /* entries of the scalars from DSLC_SCALAR_GLOBALS on */
  VEC(outline_function) function;
  VEC(outline_task) task;
  VEC(plan_candidate) candidate;
  VEC(outline_section) section;
} outline;

outline *outline_create(arena *a, intern_pool *pool);
outline *outline_of_tasks(const launches *l);    /* no sections */
outline *outline_of_launches(const launches *l); /* no candidates */
void outline_print(FILE *out, const outline *o);
outline *outline_parse(arena *a, intern_pool *pool, const char *text, const char **wrong);

/* NULL, or what is wrong: text in the outline's arena. */
const char *tasks_verify(const outline *o); /* no kernel writes one entry twice, or what it reads elsewhere */
const char *launches_verify(const outline *o); /* whatever is read has been made */

/* ---- what printer and parser share ------------------------------------------------------------------------------------------ */

extern const char *const outline_words[]; /* of a quantity, NULL behind the last */
extern const char *const outline_verbs[]; /* by plan_output_kind, to PLAN_PARTIAL */
extern const char *const outline_subsets[];

/* A text, read line by line. */
typedef struct outline_reader {
  arena *memory;
  const char *at, *wrong; /* NULL so far */
  int line;
} outline_reader;

bool outline_accept(outline_reader *r, const char *piece); /* it stands here, and has been read */
void outline_expect(outline_reader *r, const char *piece);
bool outline_next_line(outline_reader *r); /* behind the end of one: false at the end of the text */
int outline_read_name(outline_reader *r, const outline_names *n);   /* 0 and a message: there is none such */
const char *outline_read_word(outline_reader *r);                   /* to the next blank or mark */
const char *outline_read_until(outline_reader *r, const char *end); /* or the line's end */
int outline_read_integer(outline_reader *r);
name outline_introduce(outline_reader *r, outline_names *n); /* the next member of a list */
ir_place outline_read_place(outline_reader *r);              /* ` @ cells`, or nothing */
void outline_refuse(outline_reader *r, const char *what);

#endif
