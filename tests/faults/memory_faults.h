/* Allocations that fail inside one program, thousands of times faster than one process a failure (sweep.c). A program that is linked with this has
 * malloc, calloc, realloc and what else gives memory from here. Not where a sanitizer has an allocator of its own. */
#ifndef FAULTS_MEMORY_FAULTS_H
#define FAULTS_MEMORY_FAULTS_H

#include <stdbool.h>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define MEMORY_FAULTS_POSSIBLE 0
#elif defined(__has_feature)
#define MEMORY_FAULTS_POSSIBLE (!__has_feature(address_sanitizer) && !__has_feature(thread_sanitizer))
#else
#define MEMORY_FAULTS_POSSIBLE 1
#endif

/* From here on the allocation with the number `at` fails, from 1; 0: they are only counted. */
void memory_faults_begin(long at);
/* How many there were; none fails any more. */
long memory_faults_end(void);

/* What is asked again and again; `at` is the number of the allocation that fails, 0: none. It calls begin(at) and end() around what is to
 * be disturbed. */
typedef void memory_faults_task(void *context, long at);

/* Asks once undisturbed, then with one allocation failing, of each place in the program that allocations come from the first (all addresses to
 * return to; those of a recursion once), `most` at most, spread evenly. Returns how many. */
long memory_faults_sweep(memory_faults_task *task, void *context, long most);

#endif
