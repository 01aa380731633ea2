/* Loaded before a program (LD_PRELOAD): its allocations or its OpenCL calls are counted from the beginning of main to its end, and the
 * one with the number that is asked for fails. FAULTS_KIND: memory or opencl; FAULTS_AT: from 1, 0 only counts; FAULTS_STAY: later
 * ones fail, too; FAULTS_PROGRAM: its file name, so that the programs it starts are left alone; FAULTS_COUNT: the file that the number of
 * calls goes to; FAULTS_SITES: the file that says where each of them comes from, a number of 64 bits a call. */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "call_site.h"

static struct {
  atomic_bool on;
  bool memory, opencl, stay;
  long at;
  atomic_long count;
  uint64_t *site; /* of each call; NULL unless asked for */
} fault;

/* ---- where a call comes from --------------------------------------------------------------------------------------------- */

enum { MOST_CALLS = 1 << 20 };
static uint64_t sites[MOST_CALLS];

static bool fails(bool kind) {
  if (!kind || !atomic_load(&fault.on)) return false;
  long n = atomic_fetch_add(&fault.count, 1) + 1;
  if (fault.site && n <= MOST_CALLS) {
    atomic_store(&fault.on, false); /* looking for it may allocate */
    fault.site[n - 1] = call_site();
    atomic_store(&fault.on, true);
  }
  return fault.at > 0 && (n == fault.at || (fault.stay && n > fault.at));
}

/* ---- memory ---------------------------------------------------------------------------------------------------------------- */

extern void *__libc_malloc(size_t), *__libc_calloc(size_t, size_t), *__libc_realloc(void *, size_t),
    *__libc_memalign(size_t, size_t);

static void *none(void) {
  errno = ENOMEM;
  return NULL;
}

void *malloc(size_t n) { return fails(fault.memory) ? none() : __libc_malloc(n); }
void *calloc(size_t n, size_t size) { return fails(fault.memory) ? none() : __libc_calloc(n, size); }
void *realloc(void *old, size_t n) { return fails(fault.memory) ? none() : __libc_realloc(old, n); }
void *aligned_alloc(size_t to, size_t n) { return fails(fault.memory) ? none() : __libc_memalign(to, n); }
int posix_memalign(void **out, size_t to, size_t n) {
  if (fails(fault.memory)) return ENOMEM;
  *out = __libc_memalign(to, n);
  return *out ? 0 : ENOMEM;
}

/* ---- OpenCL --------------------------------------------------------------------------------------------------------------------- */

static bool opencl_fails(void) { return fails(fault.opencl); }
#include "opencl_calls.h"

/* ---- main ----------------------------------------------------------------------------------------------------------------------- */

typedef int main_function(int, char **, char **);
static main_function *real_main;

static void save(const char *path, const void *bytes, size_t n) {
  int fd = path ? open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666) : -1;
  if (fd < 0) return;
  if (write(fd, bytes, n) != (ssize_t)n) _exit(98);
  close(fd);
}

static void save_count(void) {
  char text[32];
  long count = atomic_load(&fault.count);
  int n = snprintf(text, sizeof text, "%ld\n", count);
  save(getenv("FAULTS_COUNT"), text, (size_t)n);
  if (fault.site)
    save(getenv("FAULTS_SITES"), sites, sizeof *sites * (size_t)(count < MOST_CALLS ? count : MOST_CALLS));
}

static int counted_main(int argc, char **argv, char **environment) {
  const char *kind = getenv("FAULTS_KIND"), *at = getenv("FAULTS_AT"), *program = getenv("FAULTS_PROGRAM");
  bool wanted = program && strcmp(program, program_invocation_short_name) == 0;
  if (!wanted || !kind) return real_main(argc, argv, environment);
  fault.memory = strcmp(kind, "memory") == 0;
  fault.opencl = strcmp(kind, "opencl") == 0;
  fault.stay = getenv("FAULTS_STAY") != NULL;
  fault.at = at ? strtol(at, NULL, 10) : 0;
  fault.site = getenv("FAULTS_SITES") ? sites : NULL;
  atomic_store(&fault.on, true);
  int status = real_main(argc, argv, environment);
  fflush(NULL);
  atomic_store(&fault.on, false);
  save_count();
  return status;
}

int __libc_start_main(main_function *, int, char **, void (*)(void), void (*)(void), void (*)(void), void *);
int __libc_start_main(main_function *start, int argc, char **argv, void (*init)(void), void (*fini)(void),
                      void (*rtld_fini)(void), void *stack_end) {
  int (*real)(main_function *, int, char **, void (*)(void), void (*)(void), void (*)(void), void *);
  *(void **)&real = find("__libc_start_main");
  real_main = start;
  return real(counted_main, argc, argv, init, fini, rtld_fini, stack_end);
}
