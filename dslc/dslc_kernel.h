/* libdslc: programs of kernels as the model machine runs them, item by item, with no compiler of C in between.
 *
 * The text is what dslc emits, or any that keeps to the same part of OpenCL C (docs/kernels.md). A machine executes a launch group after group
 * in a random order, and within a group each item, in a random order, up to the next barrier. Arithmetic is IEEE 754's, nothing is
 * contracted. What a device would not notice is reported as a fault:
 *
 *   race        two items use the same word, at least one of them writes, and nothing orders them (barriers order items of a
 *               group, for the memory that they name; nothing orders groups of a launch). Equal values are a race too, unless written
 *               through a pointer to volatile; atomics among themselves are none.
 *   unset       what nobody wrote is read: private variables, local memory, words of a buffer
 *   outside     of a buffer, of an array, or through a pointer to nothing
 *   barrier     reached by some items of a group only, or by different ways
 *   arithmetic  of integers: overflow, division by zero, shifts by too much, conversions that do not fit
 *
 * Objects belong to their creator and are used by one thread at a time. A memory outlives the launches that use it. */
#ifndef DSLC_KERNEL_H
#define DSLC_KERNEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct dslc_kernels dslc_kernels; /* a program */
typedef struct dslc_memory dslc_memory;   /* a buffer */
typedef struct dslc_machine dslc_machine;

/* ---- Programs ----------------------------------------------------------------------------------------------------- */

/* `options` as for a compiler, of which -D counts. NULL and a message with the line if the text is outside the subset, or if memory ran
 * out. */
dslc_kernels *dslc_kernels_parse(const char *text, const char *options, char *message, size_t size);
/* The kernels of a compiled program, which must outlive them: as they were built, if it is of this process; else of its text. */
struct dslc_program;
dslc_kernels *dslc_kernels_of(const struct dslc_program *program, const char *options, char *message,
                              size_t size);
/* The program for a device without doubles: they are double-single numbers, each two floats of which the second is what the first lacks (some 48
 * bits instead of 53, and the range of a float), and what is computed with them is calls of functions. They lie in longs, as dslc_double_single
 * makes them. NULL and a message as above. */
dslc_kernels *dslc_kernels_double_single(const char *text, const char *options, char *message, size_t size);
/* What a parameter was before. */
typedef enum dslc_words {
  DSLC_WORDS_OTHER,
  DSLC_WORDS_DOUBLE, /* a double, or a pointer to some */
  DSLC_WORDS_LONG    /* a pointer to longs: what is moved by whole words, whatever it holds */
} dslc_words;
dslc_words dslc_kernels_words(const dslc_kernels *program, int kernel, int position);
/* A number as such a program has it, and back. False: it is beyond the range of a float, and the largest one is taken; it stands for the
 * largest double, too, which says that there is no bound. What is smaller than the smallest is 0. */
bool dslc_double_single(double number, int64_t *bits);
double dslc_double_single_value(int64_t bits);
void dslc_kernels_destroy(dslc_kernels **program); /* NULL, or pointing to NULL: nothing to do */

/* What can be found wrong without running it, one message a line, as many as fit; the number of them. */
int dslc_kernels_verify(dslc_kernels *program, char *messages, size_t size);

/* Whether what a compiled program says of its kernels - arguments, components read and written, loads and stores - is what they
 * do. The number of differences; messages, one a line, as many as fit. -1: out of memory. */
int dslc_kernels_agree(dslc_kernels *program, const struct dslc_program *with, char *messages, size_t size);

/* The program as text without macros, which parses back to it; belongs to the program. NULL: out of memory. */
const char *dslc_kernels_text(dslc_kernels *program);

int dslc_kernels_count(const dslc_kernels *program);
const char *dslc_kernels_name(const dslc_kernels *program, int kernel);
int dslc_kernels_find(const dslc_kernels *program, const char *name); /* -1: none */

typedef struct dslc_kernel_info {
  size_t group[3]; /* reqd_work_group_size; 0s: any */
  int n_parameters;
  uint64_t local_bytes, private_bytes; /* of a group, of an item */
} dslc_kernel_info;

/* Makes a kernel ready to run, if it is not. False and a message for one that the machine has no room for. */
bool dslc_kernels_open(dslc_kernels *program, int kernel, dslc_kernel_info *info, char *message, size_t size);

/* ---- Several launches as one ---------------------------------------------------------------------------------------- */

/* Launches one after the other, several times. The kernel that is made computes what they would, with a barrier of all work-groups between
 * them; so all groups of its launch must be under way at once, or it must be one. Its arguments: int, how many groups it is launched with; int,
 * how many times; a buffer of three ints, 0 at first, of which the third says that a group gave up waiting for others; the program's flags;
 * then for each launch: int, its number of groups, and the kernel's own arguments. A kernel `join_test` comes with them, see join.cl.
 *
 * Of the members of an ensemble, which do the same side by side with other numbers: as many groups for each. Then `how many times` is a
 * buffer of ints, one a member, and so are the three ints, DSLC_MEMBER_GATE apart, and the flags; behind these a buffer of doubles, `n_numbers` a
 * member. */
enum { DSLC_JOIN_MOST = 256 }; /* launches of one */
enum { DSLC_MEMBER_GATE = 32 }; /* groups of different members do not wait on one cache line */

typedef struct dslc_member_argument {
  int64_t apart; /* elements from a member's buffer to that of the next; 0: one for all */
  int number;    /* 1 + which of the member's numbers stands for it; 0: what the launch says */
} dslc_member_argument;

typedef struct dslc_join {
  const char *name;          /* of the kernel that is made */
  int n;                     /* launches, at most DSLC_JOIN_MOST */
  const char *const *kernel; /* [n] that exist in the program and can be joined; one may be launched several times */
  const bool *alone;         /* [n] launches of one group */
  int group;                 /* items of its work-groups, and of those of the launches */
  const dslc_member_argument *member; /* [arguments of all launches]; NULL: not of an ensemble */
  int n_numbers;
  int64_t flags_apart;
} dslc_join;

/* Can a launch of the kernel be a part of a join? *group: the items of a work-group that it relies on; 0: any will do. */
bool dslc_kernels_can_join(const dslc_kernels *program, int kernel, int *group);
/* Bytes of local memory that a join of these kernels, at most DSLC_JOIN_MOST of them, takes: those of its launches share their arrays. */
uint64_t dslc_kernels_join_local(const dslc_kernels *program, const int *kernel, int n);
/* The text of the kernels made, to stand behind that of the program; belongs to the program, which is good for nothing else afterwards.
 * NULL: out of memory. */
const char *dslc_kernels_join(dslc_kernels *program, const dslc_join *joins, int n);

/* ---- Memory --------------------------------------------------------------------------------------------------------- */

/* Zeros; every word counts as unset until it is written or marked. NULL: out of memory. */
dslc_memory *dslc_memory_create(const char *name, uint64_t bytes);
/* A range of another, which must outlive it; `offset` is a multiple of 8. NULL: out of memory. */
dslc_memory *dslc_memory_part(const dslc_memory *whole, uint64_t offset, uint64_t bytes);
void dslc_memory_destroy(dslc_memory **memory);
void *dslc_memory_data(dslc_memory *memory);
/* Bytes and what is known of them; the ranges do not overlap. */
void dslc_memory_copy(dslc_memory *to, uint64_t to_offset, const dslc_memory *from, uint64_t from_offset,
                      uint64_t bytes);
/* The bytes count as written from now on. */
void dslc_memory_mark(dslc_memory *memory, uint64_t offset, uint64_t bytes);

/* ---- Launches --------------------------------------------------------------------------------------------------------- */

typedef struct dslc_machine_options {
  uint64_t seed;       /* of the order of groups and items; 0: their numbers' order */
  uint64_t loop_limit; /* passes through loops of a launch, beyond which it counts as endless; 0: 1e10 */
  int max_faults;      /* kept of a launch; 0: 20 */
} dslc_machine_options;

dslc_machine *dslc_machine_create(const dslc_machine_options *options); /* NULL: out of memory */
void dslc_machine_destroy(dslc_machine **machine);

typedef enum dslc_launch_argument_kind {
  DSLC_ARGUMENT_MEMORY,
  DSLC_ARGUMENT_LOCAL,
  DSLC_ARGUMENT_I32,
  DSLC_ARGUMENT_I64,
  DSLC_ARGUMENT_F64
} dslc_launch_argument_kind;

typedef struct dslc_launch_argument {
  dslc_launch_argument_kind kind;
  dslc_memory *memory;
  uint64_t local_bytes;
  int32_t i32;
  int64_t i64;
  double f64;
} dslc_launch_argument;

typedef struct dslc_launch_range {
  unsigned dims;
  size_t global[3], local[3]; /* local: all 0: the machine's choice; else global is a multiple */
} dslc_launch_range;

typedef enum dslc_fault_kind {
  DSLC_FAULT_RACE,
  DSLC_FAULT_UNSET,
  DSLC_FAULT_OUTSIDE,
  DSLC_FAULT_BARRIER,
  DSLC_FAULT_ARITHMETIC,
  DSLC_FAULT_ENDLESS,
  DSLC_FAULT_USE /* of the machine: arguments, ranges, memory */
} dslc_fault_kind;

typedef struct dslc_fault {
  dslc_fault_kind kind;
  int line;              /* of the text; 0: none */
  uint64_t times;        /* found at this instruction */
  char scheme_line[128]; /* "heat.ew:8", or "" */
  char text[700];        /* a sentence: what, where, by which items; then the line of text */
} dslc_fault;

/* Runs a kernel that is open. Returns the number of places where faults were found; a fault of memory outside or at a barrier ends
 * the launch. -1: there was no memory to run it. */
int dslc_machine_launch(dslc_machine *machine, dslc_kernels *program, int kernel,
                        const dslc_launch_argument *argument, int n_arguments,
                        const dslc_launch_range *range);
/* Of the last launch, at most max_faults; valid until the next one. */
const dslc_fault *dslc_machine_faults(const dslc_machine *machine, int *n);
/* Instructions executed by this machine so far. */
uint64_t dslc_machine_steps(const dslc_machine *machine);

#endif
