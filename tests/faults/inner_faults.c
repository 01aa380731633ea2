#include "inner_faults.h"

#include <errno.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "call_site.h"

enum { MOST_CALLS = 1 << 18 };

static struct {
  atomic_bool on;
  inner_kind kind;
  long at;
  atomic_long count;
  bool places; /* wanted in `place` */
  uint64_t place[MOST_CALLS];
} fault;

void inner_faults_choose(inner_kind kind) { fault.kind = kind; }

void inner_faults_begin(long at) {
  fault.at = at;
  atomic_store(&fault.count, 0);
  atomic_store(&fault.on, true);
}

long inner_faults_end(void) {
  atomic_store(&fault.on, false);
  return atomic_load(&fault.count);
}

bool inner_fault(inner_kind kind) {
  if (kind != fault.kind || !atomic_load(&fault.on)) return false;
  long n = atomic_fetch_add(&fault.count, 1) + 1;
  if (fault.places && n <= MOST_CALLS) {
    atomic_store(&fault.on, false); /* looking for it may allocate */
    fault.place[n - 1] = call_site();
    atomic_store(&fault.on, true);
  }
  return n == fault.at;
}

/* ---- the allocator ----------------------------------------------------------------------------------------------------------- */

#if INNER_FAULTS_POSSIBLE
extern void *__libc_malloc(size_t), *__libc_calloc(size_t, size_t), *__libc_realloc(void *, size_t),
    *__libc_memalign(size_t, size_t);

static bool fails(void) {
  const bool so = inner_fault(INNER_MEMORY);
  if (so) errno = ENOMEM;
  return so;
}

#define GIVEN __attribute__((visibility("default")))
GIVEN void *malloc(size_t n) { return fails() ? NULL : __libc_malloc(n); }
GIVEN void *calloc(size_t n, size_t size) { return fails() ? NULL : __libc_calloc(n, size); }
GIVEN void *realloc(void *old, size_t n) { return fails() ? NULL : __libc_realloc(old, n); }
GIVEN void *aligned_alloc(size_t to, size_t n) { return fails() ? NULL : __libc_memalign(to, n); }
GIVEN int posix_memalign(void **out, size_t to, size_t n) {
  if (fails()) return ENOMEM;
  *out = __libc_memalign(to, n);
  return *out ? 0 : ENOMEM;
}
#endif

/* ---- sweeping ---------------------------------------------------------------------------------------------------------------- */

typedef struct call {
  uint64_t place;
  long number;
} call;

static int by_place(const void *a, const void *b) {
  const call *x = a, *y = b;
  return x->place != y->place ? (x->place > y->place) - (x->place < y->place)
                              : (x->number > y->number) - (x->number < y->number);
}

/* The first call of each place, in no order. */
static long choose(call *c, long total) {
  long n = 0;
  for (long i = 0; i < total; i++) c[i] = (call){fault.place[i], i + 1};
  qsort(c, (size_t)total, sizeof *c, by_place);
  for (long i = 0; i < total; i++)
    if (i == 0 || c[i].place != c[i - 1].place) c[n++] = c[i];
  return n;
}

long inner_faults_sweep(inner_faults_task *task, void *context, long most) {
  if (!INNER_FAULTS_POSSIBLE) return 0;
  fault.places = true;
  task(context, 0);
  fault.places = false;
  long total = atomic_load(&fault.count);
  if (total > MOST_CALLS) total = MOST_CALLS;
  call *c = calloc((size_t)total + 1, sizeof *c);
  if (!c) abort();
  const long n = choose(c, total), tried = n < most ? n : most;
  for (long i = 0; i < tried; i++) task(context, c[i * n / tried].number);
  free(c);
  return tried;
}
