/* One arena per compilation: memory is freed with it. Arrays that are used for a while only and are as long as the scheme is large, in loops
 * over its statements, are given back: the arena hands them out again. Allocation failure inside an arena jumps to the compilation's
 * recovery point, so callers need no checks. */
#ifndef DSLC_BASE_ARENA_H
#define DSLC_BASE_ARENA_H

#include <stdarg.h>
#include <stddef.h>

typedef struct arena arena;

/* `on_out_of_memory(ctx, size)` must not return (the driver longjmps to its recovery point). */
arena *arena_create(void (*on_out_of_memory)(void *ctx, size_t size), void *ctx);
void arena_destroy(arena **a);

/* Where arenas take their memory that come and go with every question: what one leaves the next finds, so that no page is asked for twice.
 * A process that is forked off does not have it: else each page would be copied when it is next written. */
typedef struct arena_pool arena_pool;
arena_pool *arena_pool_create(void);     /* NULL: no memory */
void arena_pool_destroy(arena_pool **p); /* its arenas are gone */
arena *arena_create_in(arena_pool *p, void (*on_out_of_memory)(void *ctx, size_t size), void *ctx);

void *arena_alloc(arena *a, size_t size);                                /* zeroed, aligned for any type */
void *arena_grow(arena *a, void *old, size_t old_size, size_t new_size); /* copies; the rest is zeroed */
/* Nobody looks at these `size` bytes any more, all of those that were asked for there. NULL: nothing. */
void arena_return(arena *a, const void *p, size_t size);
char *arena_strndup(arena *a, const char *s, size_t n);
char *arena_printf(arena *a, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
char *arena_vprintf(arena *a, const char *fmt, va_list ap);
size_t arena_used(const arena *a);
_Noreturn void arena_fail(arena *a); /* memory ran out elsewhere: as if it had here */

#define arena_new(a, type)          ((type *)arena_alloc((a), sizeof(type)))
#define arena_array(a, type, n)     ((type *)arena_alloc((a), sizeof(type) * (size_t)(n)))
#define arena_return_array(a, p, n) arena_return((a), (p), sizeof *(p) * (size_t)(n))

/* A growing array in an arena: declare with VEC(type), push with vec_push. */
#define VEC(type)                                                                                            \
  struct {                                                                                                   \
    type *at;                                                                                                \
    int n, cap;                                                                                              \
  }
#define vec_push(a, v, value)                                                                                \
  do {                                                                                                       \
    if ((v)->n == (v)->cap) {                                                                                \
      int cap_ = (v)->cap ? 2 * (v)->cap : 8;                                                                \
      (v)->at = arena_grow((a), (v)->at, sizeof *(v)->at * (size_t)(v)->n, sizeof *(v)->at * (size_t)cap_);  \
      (v)->cap = cap_;                                                                                       \
    }                                                                                                        \
    (v)->at[(v)->n++] = (value);                                                                             \
  } while (0)

#endif
