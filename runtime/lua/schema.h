/* What each constructor of a case accepts. One table per constructor drives the checks, their messages and the annotations
 * for editors. Internal to runtime/lua. */
#ifndef EW_LUA_SCHEMA_H
#define EW_LUA_SCHEMA_H

#include <stdbool.h>

#include <lua.h>

#include "lua/problems.h"
#include "lua/scan.h"

typedef enum key_kind {
  KEY_NUMBER,
  KEY_POSITIVE,
  KEY_COUNT, /* whole, >= 0 */
  KEY_SIZE,  /* whole, >= 1 */
  KEY_FLAG,
  KEY_TEXT,
  KEY_CHOICE,    /* one of `choices` */
  KEY_RANGE,     /* {low, high} */
  KEY_LINE,      /* {from, to} or all grid lines: increasing numbers, at least two */
  KEY_POINT,     /* 1 to 3 numbers, as many as the mesh has dimensions */
  KEY_DIRECTION, /* 2 or 3 numbers */
  KEY_NUMBERS,
  KEY_NAMES, /* a name or a list of names */
  KEY_FUNCTION,
  KEY_MESH,
  KEY_TABLE, /* names given by the scheme, the mesh or the user */
  KEY_LIST,
  KEY_GROUP,  /* a table with the schema `inner` */
  KEY_GROUPS, /* one of them or a list of them; {} is an empty list */
  KEY_ANY
} key_kind;

/* What the entries of a table are called by. */
typedef enum keys_kind {
  KEYS_FREE, /* nobody cares */
  KEYS_LIST, /* numbers from 1 without a hole */
  KEYS_NAMED,
  KEYS_BOTH = KEYS_LIST | KEYS_NAMED
} keys_kind;

typedef struct key_spec {
  const char *name;
  key_kind kind;
  bool required;
  const char *fallback; /* for the documentation; NULL: none */
  const char *doc;
  const char *choices; /* KEY_CHOICE: "none|rcm|hilbert" */
  const char *type;    /* annotation instead of the kind's own, or NULL */
  const struct schema *inner;
  keys_kind entries; /* KEY_LIST: of the tables in it; lists if absent */
} key_spec;

typedef struct schema {
  const char *name; /* as in messages: "mesh.rectangle", "output" */
  const char *doc;
  const key_spec *key;
  int n;
} schema;

extern const schema SCHEMA_CASE, SCHEMA_TIME, SCHEMA_OUTPUT, SCHEMA_PICTURE, SCHEMA_PLOT, SCHEMA_RECTANGLE,
    SCHEMA_BOX, SCHEMA_GMSH, SCHEMA_GRID, SCHEMA_SOLID, SCHEMA_PATCH, SCHEMA_SOLVER, SCHEMA_TUNING,
    SCHEMA_PIN, SCHEMA_PRODUCT, SCHEMA_RASTER, SCHEMA_SECTION;

/* A place in a Lua file: a constructor's call and the way from there to a key. */
enum { SITE_MOST_STEPS = 8 };
typedef struct site {
  const char *file;     /* NULL: unknown */
  const char *function; /* the constructor's last word: "rectangle" */
  int line;             /* of the call */
  scan_step step[SITE_MOST_STEPS];
  int depth;
} site;

site site_key(const site *s, const char *name);
site site_item(const site *s, int index);
/* The line of the key, or of the call where the key was not found. */
int site_line(lua_State *L, const site *s);

/* What the entries of its table are called by; KEYS_FREE if it is none, or has a schema. */
keys_kind key_entries(const key_spec *key);

/* "a number > 0", for messages. */
const char *key_expected(const key_spec *key);
const char *key_annotation(const key_spec *key);

/* Checks keys and types of the table at `index`, nested groups included, and reports every problem. A key with a problem is
 * set to nil, so that readers find only what is well formed. */
void schema_check(lua_State *L, int index, const schema *s, const site *at, problem_list *p);

/* Marks the table at `index` as built by `constructor`, called at level 1. */
void schema_mark(lua_State *L, int index, const char *constructor);
/* The constructor that built the value at `index`, NULL if none did; fills the site (may be NULL). */
const char *schema_mark_of(lua_State *L, int index, site *at);

#endif
