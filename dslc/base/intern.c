#include "base/intern.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* Both tables: open addressing with linear probing, a power of two of slots, at most half full. */
enum { FIRST_SLOTS = 64 };

/* ---- pool ---------------------------------------------------------------------------------------------- */

typedef struct pool_slot {
  name text; /* NULL: free */
  size_t size;
  uint64_t hash;
} pool_slot;

struct intern_pool {
  arena *memory;
  pool_slot *slots;
  size_t n_slots, used;
};

/* FNV-1a, 64 bit. */
static uint64_t hash_text(const char *text, size_t n) {
  uint64_t h = 14695981039346656037u;
  for (size_t i = 0; i < n; i++) h = (h ^ (unsigned char)text[i]) * 1099511628211u;
  return h ^ h >> 32;
}

intern_pool *intern_create(arena *a) {
  intern_pool *p = arena_new(a, intern_pool);
  p->memory = a;
  p->n_slots = FIRST_SLOTS;
  p->slots = arena_array(a, pool_slot, FIRST_SLOTS);
  return p;
}

static pool_slot *find_text(pool_slot *slots, size_t n_slots, const char *text, size_t n, uint64_t hash) {
  size_t i = hash & (n_slots - 1);
  for (;; i = (i + 1) & (n_slots - 1)) {
    pool_slot *s = &slots[i];
    if (s->text == NULL) return s;
    if (s->hash == hash && s->size == n && memcmp(s->text, text, n) == 0) return s;
  }
}

static void grow_pool(intern_pool *p) {
  size_t n_slots = 2 * p->n_slots;
  pool_slot *slots = arena_array(p->memory, pool_slot, n_slots);
  for (size_t i = 0; i < p->n_slots; i++) {
    const pool_slot *s = &p->slots[i];
    if (s->text != NULL) *find_text(slots, n_slots, s->text, s->size, s->hash) = *s;
  }
  arena_return_array(p->memory, p->slots, p->n_slots);
  p->slots = slots;
  p->n_slots = n_slots;
}

name intern(intern_pool *pool, const char *text, size_t n) {
  uint64_t hash = hash_text(text, n);
  pool_slot *s = find_text(pool->slots, pool->n_slots, text, n, hash);
  if (s->text != NULL) return s->text;
  name copy = arena_strndup(pool->memory, text, n);
  *s = (pool_slot){copy, n, hash};
  if (2 * ++pool->used > pool->n_slots) grow_pool(pool);
  return copy;
}

name intern_str(intern_pool *pool, const char *text) { return intern(pool, text, strlen(text)); }

/* ---- map ----------------------------------------------------------------------------------------------- */

typedef struct map_entry {
  name key;
  void *value;
} map_entry;

struct name_map {
  arena *memory;
  VEC(map_entry) entries; /* in insertion order */
  int *slots;             /* 1 + index into entries, 0: free */
  size_t n_slots;
};

name_map *name_map_create(arena *a) {
  name_map *m = arena_new(a, name_map);
  m->memory = a;
  m->n_slots = FIRST_SLOTS;
  m->slots = arena_array(a, int, FIRST_SLOTS);
  return m;
}

/* Names are pointers to aligned memory: multiply (Fibonacci hashing) and take the upper bits. */
static size_t hash_pointer(const void *p) {
  return (size_t)(((uint64_t)(uintptr_t)p * 11400714819323198485u) >> 24);
}

static int *find_slot(const name_map *m, name key) {
  size_t i = hash_pointer(key) & (m->n_slots - 1);
  while (m->slots[i] != 0 && m->entries.at[m->slots[i] - 1].key != key) i = (i + 1) & (m->n_slots - 1);
  return &m->slots[i];
}

static void grow_map(name_map *m) {
  arena_return_array(m->memory, m->slots, m->n_slots);
  m->n_slots *= 2;
  m->slots = arena_array(m->memory, int, m->n_slots);
  for (int i = 0; i < m->entries.n; i++) *find_slot(m, m->entries.at[i].key) = i + 1;
}

void *name_map_get(const name_map *m, name key) {
  int i = *find_slot(m, key);
  return i ? m->entries.at[i - 1].value : NULL;
}

void name_map_put(name_map *m, name key, void *value) {
  int *slot = find_slot(m, key);
  if (*slot) {
    m->entries.at[*slot - 1].value = value;
    return;
  }
  vec_push(m->memory, &m->entries, ((map_entry){key, value}));
  *slot = m->entries.n;
  if (2 * (size_t)m->entries.n > m->n_slots) grow_map(m);
}

int name_map_size(const name_map *m) { return m->entries.n; }
name name_map_key(const name_map *m, int i) { return m->entries.at[i].key; }
void *name_map_value(const name_map *m, int i) { return m->entries.at[i].value; }

/* ---- did you mean -------------------------------------------------------------------------------------- */

enum { LONGEST_NAME = 63, EDIT = 2, CASE_CHANGE = 1 };

static int change_cost(char a, char b) {
  if (a == b) return 0;
  return tolower((unsigned char)a) == tolower((unsigned char)b) ? CASE_CHANGE : EDIT;
}

static int smaller(int a, int b) { return a < b ? a : b; }

/* Optimal string alignment distance; an edit costs 2, a change of case 1, so `t` is nearer to `T` than to
 * `p`. */
static int distance(const char *a, int na, const char *b, int nb) {
  int row[3][LONGEST_NAME + 1];
  int *before = row[0], *last = row[1], *now = row[2];
  for (int j = 0; j <= nb; j++) last[j] = EDIT * j;
  for (int i = 1; i <= na; i++) {
    now[0] = EDIT * i;
    for (int j = 1; j <= nb; j++) {
      int d = last[j - 1] + change_cost(a[i - 1], b[j - 1]);
      d = smaller(d, smaller(last[j], now[j - 1]) + EDIT);
      bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      now[j] = swapped ? smaller(d, before[j - 2] + EDIT) : d;
    }
    int *free_row = before;
    before = last;
    last = now;
    now = free_row;
  }
  return last[nb];
}

/* What still counts as a slip: case only for one letter, one edit up to four letters, then a third of
 * them. */
static int tolerance(int n) { return n <= 1 ? CASE_CHANGE : n <= 4 ? EDIT : EDIT * ((n + 1) / 3); }

/* The shortest one that begins with `wrong`, which somebody cut short: `dist`, `vol`; of three letters at least. */
static const char *written_out(const char *wrong, size_t length, const char *const *candidates, int n) {
  const char *best = NULL;
  for (int i = 0; i < n && length >= 3; i++) {
    const char *c = candidates[i];
    if (c == NULL || strncmp(c, wrong, length) != 0 || strlen(c) == length) continue;
    if (best == NULL || strlen(c) < strlen(best)) best = c;
  }
  return best;
}

const char *nearest_name(const char *wrong, const char *const *candidates, int n) {
  size_t length = strlen(wrong);
  if (length > LONGEST_NAME) return NULL;
  const char *best = NULL;
  int best_distance = tolerance((int)length) + 1;
  for (int i = 0; i < n; i++) {
    if (candidates[i] == NULL || strlen(candidates[i]) > LONGEST_NAME) continue;
    int d = distance(wrong, (int)length, candidates[i], (int)strlen(candidates[i]));
    if (d == 0 || d >= best_distance) continue;
    best = candidates[i];
    best_distance = d;
  }
  return best ? best : written_out(wrong, length, candidates, n);
}
