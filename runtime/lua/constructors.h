/* The globals of a case file: case, mesh.*, raster, series, arguments. They only mark their tables with the place of the
 * call; what is inside is checked and read when the case is complete. Internal to runtime/lua. */
#ifndef EW_LUA_CONSTRUCTORS_H
#define EW_LUA_CONSTRUCTORS_H

#include <lua.h>

#include "lua/schema.h"

typedef struct constructor {
  const char *name;       /* "mesh.rectangle" */
  const schema *schema;   /* NULL: takes something else than named keys */
  const char *type, *doc; /* of its argument, for annotations, where there is no schema */
} constructor;

enum { N_CONSTRUCTORS = 12 };
extern const constructor CONSTRUCTOR[N_CONSTRUCTORS];

void constructors_open(lua_State *L);

#endif
