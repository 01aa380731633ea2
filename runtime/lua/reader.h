/* Reading a checked table into plain data. Internal to runtime/lua.
 *
 * Readers run under host_call: for want of memory they raise an error, and what they have allocated belongs to the case. */
#ifndef EW_LUA_READER_H
#define EW_LUA_READER_H

#include <lua.h>

#include "case/case.h"
#include "lua/problems.h"
#include "lua/schema.h"

typedef struct reader {
  lua_State *L;
  ew_case *c;
  problem_list *p;
  bool quiet; /* say nothing about what is absent */
} reader;

/* The case table at `index` into r->c. */
void read_case(reader *r, int index);

/* Its parts; the value to read is at `index`. */
void read_mesh(reader *r, int index);
void read_grid(reader *r, int index, const site *at);
void read_output(reader *r, int index, const site *at);
/* `products` and `sections` of the case table at `index`. */
void read_products(reader *r, int index, const site *at);

/* Fills kind and data of a value (number, vector, function, raster, series). False, with a problem, for anything else. */
bool read_numbers_only(reader *r, int index, const char *owner, const site *at,
                       case_value *out); /* a number or a list */
bool read_value(reader *r, int index, const char *owner, const site *at, case_value *out);
/* The same of values that constructors of read_place.c mark. */
bool read_mesh_data(reader *r, int index, case_value *out);
bool read_level(reader *r, int index, const char *owner, const site *at, case_value *out);
bool read_regions(reader *r, int index, const char *owner, const site *at, case_value *out);
bool read_polygons(reader *r, int index, const char *owner, const site *at, case_value *out);
/* A series of a CSV file: the table at `index` has `file`. */
bool read_series_file(reader *r, int index, const char *owner, const site *at, case_value *out);
/* The value's function may say true or false instead of 1 or 0. */
void read_truth(case_value *v);
/* A Lua function of place and time as the callback of `out`, which lives as long as the case. False, with a problem. */
bool read_function(reader *r, int index, const char *owner, const site *at, case_value *out);

/* Fields of the table at `index`; what is absent leaves the target as it is. */
void read_number(reader *r, int index, const char *key, double *to);
void read_int(reader *r, int index, const char *key, int *to);
void read_flag(reader *r, int index, const char *key, bool *to);
void read_text(reader *r, int index, const char *key, const char **to);
/* Two numbers. */
void read_pair(reader *r, int index, const char *key, double *a, double *b);
/* One group or a list of them, as schema_check left it. */
typedef void reader_group(reader *r, int index, const site *at);
void read_groups(reader *r, int index, const char *key, const site *at, reader_group *read);
/* A name or a list of names. */
void read_names(reader *r, int index, const char *key, const char ***to, int *n);
/* A list of numbers, in the case's memory. */
void read_numbers(reader *r, int index, const char *key, const double **to, int *n);
/* Pushes the field and tells whether it is there; pops nothing. */
bool read_push(reader *r, int index, const char *key);

/* The string at `index`, as the case's own. */
const char *reader_text(reader *r, int index);
void *reader_append(reader *r, void *array, int *n, size_t size);
void *reader_alloc(reader *r, size_t size);
case_where reader_where(reader *r, const site *at);

/* Visits the string keys of the table at `index` in alphabetical order, the value on the top of the stack. */
typedef void reader_visit(reader *r, const char *key, const site *at, void *context);
void reader_each(reader *r, int index, const site *at, reader_visit *visit, void *context);

#endif
