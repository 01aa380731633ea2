#include "base/arena.h"

#include <stdalign.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/asan_interface.h>
#endif

/* Chunks come from calloc, so fresh memory is zero already; the first is small, later ones grow so that a big
 * compilation needs few of them. */
enum { FIRST_CHUNK = 16 * 1024, LARGEST_CHUNK = 4 * 1024 * 1024, PAGE = 4096 };

typedef struct chunk {
  struct chunk *older;
  size_t size, used;
  alignas(max_align_t) unsigned char bytes[];
} chunk;

/* What was given back lists itself, by the number of bits of its size. Less than LEAST_SPARE is not worth it. */
enum { LEAST_SPARE = 128, SIZE_BITS = 64, MOST_TRIED = 4 };

typedef struct spare {
  struct spare *next;
  size_t size;
} spare;

struct arena_pool {
  chunk *left; /* by arenas that are gone; zero behind what they used */
};

struct arena {
  arena_pool *pool; /* or NULL */
  chunk *newest;
  size_t next_size, total;
  uint64_t has_spare; /* a bit for each list that is not empty */
  spare *spare[SIZE_BITS];
  void (*on_out_of_memory)(void *ctx, size_t size);
  void *ctx;
};

static size_t rounded(size_t size) { return (size + alignof(max_align_t) - 1) & ~(alignof(max_align_t) - 1); }

/* ---- chunks that stay ----------------------------------------------------------------------------------------- */

arena_pool *arena_pool_create(void) { return calloc(1, sizeof(arena_pool)); }

/* Whole pages are forked or not. */
static void keep_from_forks(chunk *c, bool keep) {
#ifdef MADV_DONTFORK
  madvise(c, sizeof *c + c->size, keep ? MADV_DONTFORK : MADV_DOFORK);
#else
  (void)c, (void)keep;
#endif
}

void arena_pool_destroy(arena_pool **p) {
  if (p == NULL || *p == NULL) return;
  for (chunk *c = (*p)->left; c != NULL;) {
    chunk *older = c->older;
    keep_from_forks(c, false);
    free(c);
    c = older;
  }
  free(*p);
  *p = NULL;
}

static void give_chunk(arena_pool *p, chunk *c) {
#ifdef __SANITIZE_ADDRESS__
  __asan_unpoison_memory_region(c->bytes, c->size);
#endif
  c->older = p->left;
  p->left = c;
}

/* The smallest that is large enough, zeroed, or NULL. */
static chunk *left_chunk(arena_pool *p, size_t need) {
  chunk **best = NULL;
  for (chunk **at = &p->left; *at; at = &(*at)->older)
    if ((*at)->size >= need && (!best || (*at)->size < (*best)->size)) best = at;
  if (!best) return NULL;
  chunk *c = *best;
  *best = c->older;
  memset(c->bytes, 0, c->used);
  c->used = 0;
  return c;
}

/* NULL: no memory. */
static chunk *pool_chunk(arena_pool *p, size_t need) {
  chunk *c = left_chunk(p, need);
  if (c) return c;
  const size_t size = (sizeof *c + need + PAGE - 1) / PAGE * PAGE;
  c = aligned_alloc(PAGE, size);
  if (!c) return NULL;
  memset(c, 0, size);
  c->size = size - sizeof *c;
  keep_from_forks(c, true);
  return c;
}

/* ---- arenas --------------------------------------------------------------------------------------------------- */

arena *arena_create_in(arena_pool *pool, void (*on_out_of_memory)(void *ctx, size_t size), void *ctx) {
  arena *a = calloc(1, sizeof *a);
  if (a == NULL) return NULL;
  a->pool = pool;
  a->next_size = FIRST_CHUNK;
  a->on_out_of_memory = on_out_of_memory;
  a->ctx = ctx;
  return a;
}

arena *arena_create(void (*on_out_of_memory)(void *ctx, size_t size), void *ctx) {
  return arena_create_in(NULL, on_out_of_memory, ctx);
}

void arena_destroy(arena **a) {
  if (a == NULL || *a == NULL) return;
  arena_pool *pool = (*a)->pool;
  for (chunk *c = (*a)->newest; c != NULL;) {
    chunk *older = c->older;
    if (pool) give_chunk(pool, c);
    else free(c);
    c = older;
  }
  free(*a);
  *a = NULL;
}

/* The handler leaves by a longjmp; one that returns against its contract is a bug nothing can be saved from. */
_Noreturn static void fail(arena *a, size_t need) {
  if (a->on_out_of_memory) a->on_out_of_memory(a->ctx, need);
  abort();
}

void arena_fail(arena *a) { fail(a, 0); }

/* Never returns NULL. */
static chunk *add_chunk(arena *a, size_t need) {
  size_t size = need > a->next_size ? need : a->next_size;
  chunk *c = NULL;
  if (size <= SIZE_MAX - sizeof *c - PAGE)
    c = a->pool ? pool_chunk(a->pool, size) : calloc(1, sizeof *c + size);
  if (c == NULL) fail(a, need);
  if (!a->pool) c->size = size;
  c->older = a->newest;
  a->newest = c;
  if (a->next_size < LARGEST_CHUNK) a->next_size *= 2;
  return c;
}

static int bits_of(size_t size) { return SIZE_BITS - 1 - __builtin_clzll(size); }

static void add_spare(arena *a, void *p, size_t size) {
  const int bits = bits_of(size);
  spare *s = p;
  *s = (spare){a->spare[bits], size};
  a->spare[bits] = s;
  a->has_spare |= UINT64_C(1) << bits;
}

static void *take(arena *a, int bits, spare **from, size_t need) {
  spare *s = *from;
  const size_t rest = s->size - need;
  *from = s->next;
  if (!a->spare[bits]) a->has_spare &= ~(UINT64_C(1) << bits);
  if (rest >= LEAST_SPARE) add_spare(a, (unsigned char *)s + need, rest);
  return memset(s, 0, need);
}

/* The first of those tried in its own list that is large enough, else any of a list of larger ones. */
static void *take_spare(arena *a, size_t need) {
  const int bits = bits_of(need);
  spare **s = &a->spare[bits];
  for (int i = 0; i < MOST_TRIED && *s; i++, s = &(*s)->next)
    if ((*s)->size >= need) return take(a, bits, s, need);
  const uint64_t larger = a->has_spare & (~UINT64_C(0) << bits << 1);
  const int next = larger ? __builtin_ctzll(larger) : 0;
  return larger ? take(a, next, &a->spare[next], need) : NULL;
}

/* Where accesses are checked, what was given back is never to be touched again. */
void arena_return(arena *a, const void *p, size_t size) {
  if (!p || rounded(size) < LEAST_SPARE) return;
#ifdef __SANITIZE_ADDRESS__
  (void)a;
  __asan_poison_memory_region(p, rounded(size));
#else
  add_spare(a, (void *)p, rounded(size));
#endif
}

void *arena_alloc(arena *a, size_t size) {
  size_t need = rounded(size ? size : 1);
  if (need < size) need = SIZE_MAX; /* wrapped around: let the handler see an impossible request */
  void *again = a->has_spare && need >= LEAST_SPARE ? take_spare(a, need) : NULL;
  if (again) return again;
  chunk *c = a->newest;
  if (c == NULL || c->size - c->used < need) c = add_chunk(a, need);
  void *p = c->bytes + c->used;
  c->used += need;
  a->total += need;
  return p;
}

/* True if `old` is the last thing in the newest chunk and could be lengthened where it is. */
static bool grow_in_place(arena *a, unsigned char *old, size_t have, size_t need) {
  chunk *c = a->newest;
  if (c == NULL || old < c->bytes || old + have != c->bytes + c->used) return false;
  if (need < have || need - have > c->size - c->used) return false;
  c->used += need - have;
  a->total += need - have;
  return true;
}

void *arena_grow(arena *a, void *old, size_t old_size, size_t new_size) {
  if (old == NULL || old_size == 0) return arena_alloc(a, new_size);
  if (new_size <= old_size) return old;
  if (grow_in_place(a, old, rounded(old_size), rounded(new_size))) return old;
  void *p = arena_alloc(a, new_size);
  memcpy(p, old, old_size);
  return p;
}

char *arena_strndup(arena *a, const char *s, size_t n) {
  char *copy = arena_alloc(a, n + 1);
  memcpy(copy, s, n);
  return copy;
}

/* ---- formatted text ------------------------------------------------------------------------------------------ */

/* Texts of words and whole numbers are most that is formatted: vsnprintf on them was a third of all compiling. */
enum { MOST_PIECES = 24, DIGITS = 12 };

typedef struct piece {
  const char *text;
  size_t n;
} piece;

/* In decimal at the end of `digits`. */
static piece whole_number(int value, char digits[DIGITS]) {
  unsigned rest = value < 0 ? 0U - (unsigned)value : (unsigned)value;
  char *to = digits + DIGITS;
  do *--to = (char)('0' + rest % 10);
  while (rest /= 10);
  if (value < 0) *--to = '-';
  return (piece){to, (size_t)(digits + DIGITS - to)};
}

/* What a format of %s, %d and %c gives: the texts between, and the conversions. 0: there is something else in it, or too much. */
static int split(const char *fmt, va_list *ap, piece *pieces, char (*digits)[DIGITS]) {
  int n = 0;
  for (;; fmt += 2) {
    const char *begin = fmt;
    while (*fmt && *fmt != '%') fmt++;
    if (fmt > begin) pieces[n++] = (piece){begin, (size_t)(fmt - begin)};
    if (!*fmt) return n;
    if (n + 2 > MOST_PIECES) return 0;
    if (fmt[1] == 's') {
      const char *word = va_arg(*ap, const char *);
      if (!word) return 0;
      pieces[n++] = (piece){word, strlen(word)};
    } else if (fmt[1] == 'd') {
      pieces[n] = whole_number(va_arg(*ap, int), digits[n]), n++;
    } else if (fmt[1] == 'c') {
      digits[n][0] = (char)va_arg(*ap, int);
      pieces[n] = (piece){digits[n], 1}, n++;
    } else return 0;
  }
}

static char *join(arena *a, const piece *pieces, int n) {
  size_t size = 1;
  for (int i = 0; i < n; i++) size += pieces[i].n;
  char *text = arena_alloc(a, size), *to = text; /* zero: so it ends */
  for (int i = 0; i < n; i++) {
    memcpy(to, pieces[i].text, pieces[i].n);
    to += pieces[i].n;
  }
  return text;
}

char *arena_vprintf(arena *a, const char *fmt, va_list ap) {
  piece pieces[MOST_PIECES];
  char brief[160], digits[MOST_PIECES][DIGITS];
  va_list plain, again;
  va_copy(plain, ap);
  int parts = split(fmt, &plain, pieces, digits);
  va_end(plain);
  if (parts) return join(a, pieces, parts);
  va_copy(again, ap);
  int n = vsnprintf(brief, sizeof brief, fmt, ap);
  char *text = arena_alloc(a, n < 0 ? 1 : (size_t)n + 1);
  if (n >= (int)sizeof brief) vsnprintf(text, (size_t)n + 1, fmt, again);
  else if (n > 0) memcpy(text, brief, (size_t)n + 1);
  va_end(again);
  return text;
}

char *arena_printf(arena *a, const char *fmt, ...) {
  va_list ap;
  va_start(ap, fmt);
  char *text = arena_vprintf(a, fmt, ap);
  va_end(ap);
  return text;
}

size_t arena_used(const arena *a) { return a->total; }
