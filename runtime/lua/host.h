/* The Lua state of a case file: a small, safe set of libraries, strict globals, tracebacks. Internal to runtime/lua.
 *
 * Everything that may raise a Lua error runs under host_call; C resources belong to the case_file or sit in userdata. */
#ifndef EW_LUA_HOST_H
#define EW_LUA_HOST_H

#include <lauxlib.h>
#include <lua.h>

#include "lua/case_file.h"
#include "lua/scan.h"

typedef struct lua_host {
  lua_State *L;
  case_file_options options;
  char *path, *folder; /* of the case file; the folder as given, "." if none */
  bool ran;            /* run() or linear.* was called: the script needs no case */
  int captured;        /* reference of the case that run() would have run, if options.run is NULL */
  bool declared;       /* arguments was called */
  bool ended;          /* host_end was called */
  bool run_stopped;    /* `stop` is what run() said */
  ew_error stop;       /* of a stop that was asked for from outside, once the script has met it; else EW_OK */
} lua_host;

ew_status host_create(const case_file_options *options, lua_host **out, ew_error *err);
void host_destroy(lua_host **host);
lua_host *host_of(lua_State *L);
/* The folder as cases have it: "" if the file was named without one. */
const char *host_case_folder(const lua_host *h);

/* Loads the case file's text and calls it; leaves its one result on the stack. */
ew_status host_run_file(lua_host *h, ew_error *err);

/* lua_pcall with traceback; an error becomes a status and a text with the place and the traceback. */
ew_status host_call(lua_host *h, int n_arguments, int n_results, ew_error *err);

/* Says whether Lua runs from now on (case_file_options.in_lua); returns what was said before. */
bool host_enter(const lua_host *h, bool lua);

/* Raises an error that carries a status through Lua (and through the user's pcall). Does not return. */
int host_raise(lua_State *L, ew_status status, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
/* The same from an ew_error. */
int host_raise_error(lua_State *L, const ew_error *err);
/* Once a stop was asked for from outside, ends the script with EW_STOPPED, whatever it catches; does not return then. `err`: what run() says
 * of it, such as where its checkpoint is, or NULL. */
void host_look_for_stop(lua_State *L, const ew_error *err);
/* Ends the script as if it had returned nothing, whatever it catches. Does not return. */
int host_end(lua_State *L);

/* File and line of the caller at `level` (1: who called the C function). The text is Lua's. */
const char *host_where(lua_State *L, int level, int *line);

/* The text of a file that was loaded ("case.lua"), or NULL. */
const char *host_text(lua_State *L, const char *file);

/* Makes reads of unknown keys of the table at `index` errors: "NAME has no 'x'; did you mean 'y'?"; NAME NULL: globals. */
void host_make_strict(lua_State *L, int index, const char *name);

/* The key of the table at `index` that is nearest to `wrong`, or NULL; valid while the table is unchanged. */
const char *host_nearest_key(lua_State *L, int index, const char *wrong);

/* Sorts names: Lua's order of keys differs from run to run. */
void host_sort(const char **name, int n);

/* A table without any key. */
bool host_is_empty(lua_State *L, int index);

/* How a Lua function names its parameters: one called `t` or `time` gets the time, the others x, y, z in turn; so none of these names may
 * stand where another one's number is given. */
enum { HOST_MOST_PARAMETERS = 4 };
typedef struct host_shape {
  int n;
  int time_at; /* which parameter is t, from 0; -1: none */
  bool third;  /* there is a third coordinate, and it is not called z */
  char astray; /* a parameter of the name x, y or z that would get another coordinate; 0: none */
  char gets;   /* which one */
} host_shape;

enum { HOST_SHAPE_TEXT = 32 };

/* The shape of the function on the top of the stack; false: parameters cannot be told apart, as it takes `...` or too many. */
bool host_read_shape(lua_State *L, host_shape *out);
/* "function(x, y, z, t)": what to write instead of a function with a parameter astray, where places have so many axes. */
const char *host_shape_text(const host_shape *shape, int axes, char text[HOST_SHAPE_TEXT]);

/* An argument of a function that scripts call, or an error that names both: "run:at: y must be a number; found nothing". */
double host_number(lua_State *L, int index, const char *function, const char *argument);
const char *host_word(lua_State *L, int index, const char *function, const char *argument);

/* "the string \"ten\"", "a table", "nil", for messages; pushes the text. */
const char *host_describe(lua_State *L, int index);

#endif
