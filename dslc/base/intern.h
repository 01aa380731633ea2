/* Interned names: equal text means equal pointer. */
#ifndef DSLC_BASE_INTERN_H
#define DSLC_BASE_INTERN_H

#include "base/arena.h"

typedef const char *name; /* interned, NUL-terminated */
typedef struct intern_pool intern_pool;

intern_pool *intern_create(arena *a);
name intern(intern_pool *pool, const char *text, size_t n);
name intern_str(intern_pool *pool, const char *text);

/* A map from interned names to pointers, in insertion order. */
typedef struct name_map name_map;
name_map *name_map_create(arena *a);
void *name_map_get(const name_map *m, name key);       /* NULL if absent */
void name_map_put(name_map *m, name key, void *value); /* replaces */
int name_map_size(const name_map *m);
name name_map_key(const name_map *m, int i);
void *name_map_value(const name_map *m, int i);

/* The candidate nearest to `wrong` by edit distance (transpositions count 1), or else the shortest that it is the beginning of, or NULL. */
const char *nearest_name(const char *wrong, const char *const *candidates, int n);

#endif
