/* Finds the line of a key in the text of a Lua file: Lua itself only knows where a constructor was called. Works on any
 * text; where it cannot find the key (a table built elsewhere), it says 0 and the caller falls back to the call's line. */
#ifndef EW_LUA_SCAN_H
#define EW_LUA_SCAN_H

/* One step down a table: a key, or (name NULL) a position counted from 1. */
typedef struct scan_step {
  const char *name;
  int index;
} scan_step;

/* The line of the field reached by `path` in the table given to the first call of `function` ("rectangle") at or after
 * `from_line`; the line of the deepest field found on the way if the path ends in something else than a table; 0 if none. */
int scan_find(const char *text, const char *function, int from_line, const scan_step *path, int depth);

#endif
