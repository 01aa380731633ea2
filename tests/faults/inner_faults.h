/* Calls that fail inside one program, a hundred times faster than one process a failure (sweep.c). A program that is linked with inner_faults.c has
 * malloc, calloc, realloc and what else gives memory from here, not where a sanitizer has an allocator of its own; with inner_opencl.c OpenCL's
 * functions, too. */
#ifndef FAULTS_INNER_FAULTS_H
#define FAULTS_INNER_FAULTS_H

#include <stdbool.h>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define INNER_FAULTS_POSSIBLE 0
#elif defined(__has_feature)
#define INNER_FAULTS_POSSIBLE (!__has_feature(address_sanitizer) && !__has_feature(thread_sanitizer))
#else
#define INNER_FAULTS_POSSIBLE 1
#endif

typedef enum inner_kind { INNER_MEMORY, INNER_OPENCL } inner_kind;

/* Which calls are counted, and may fail, from now on; INNER_MEMORY if nobody asks. */
void inner_faults_choose(inner_kind kind);
/* From here on the call with the number `at` fails, from 1; 0: they are only counted. */
void inner_faults_begin(long at);
/* How many there were; none fails any more. */
long inner_faults_end(void);
/* For who stands in for such calls: whether this one has to fail. */
bool inner_fault(inner_kind kind);

/* What is asked again and again; `at` is the number of the call that fails, 0: none. It calls begin(at) and end() around what is to
 * be disturbed. */
typedef void inner_faults_task(void *context, long at);

/* Asks once undisturbed, then with one call failing, of each place in the program that such calls come from the first (all addresses to
 * return to; those of a recursion once), `most` at most, spread evenly. Returns how many. */
long inner_faults_sweep(inner_faults_task *task, void *context, long most);

#endif
