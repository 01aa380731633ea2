#include <stdio.h>
#include <string.h>

#include "lua/case_file.h"
#include "lua/constructors.h"
#include "lua/linear.h"

/* "mesh.rectangle" -> "EdgewiseMeshRectangle" */
static void class_name(const char *name, char *to, size_t room) {
  size_t n = (size_t)snprintf(to, room, "Edgewise");
  bool capital = true;
  for (; *name && n + 1 < room; name++) {
    if (*name == '.' || *name == '_') {
      capital = true;
      continue;
    }
    to[n++] = capital && *name >= 'a' && *name <= 'z' ? (char)(*name - 'a' + 'A') : *name;
    capital = false;
  }
  to[n] = '\0';
}

static void print_type(const key_spec *key, FILE *out) {
  char name[64];
  if (key->kind == KEY_GROUP || key->kind == KEY_GROUPS) {
    class_name(key->inner->name, name, sizeof name);
    fprintf(out, key->kind == KEY_GROUPS ? "%s|%s[]" : "%s", name, name);
  } else if (key->kind == KEY_CHOICE) {
    for (const char *c = key->choices; *c; c += strcspn(c, "|"), c += *c == '|')
      fprintf(out, "%s\"%.*s\"", c == key->choices ? "" : "|", (int)strcspn(c, "|"), c);
  } else {
    fputs(key_annotation(key), out);
  }
}

static void print_class(const schema *s, FILE *out) {
  char name[64];
  for (int i = 0; i < s->n; i++)
    if (s->key[i].inner) print_class(s->key[i].inner, out);
  class_name(s->name, name, sizeof name);
  fprintf(out, "---%s\n---@class %s\n", s->doc, name);
  for (int i = 0; i < s->n; i++) {
    const key_spec *key = &s->key[i];
    fprintf(out, "---@field %s%s ", key->name, key->required ? "" : "?");
    print_type(key, out);
    fprintf(out, " %s", key->doc);
    if (key->fallback) fprintf(out, " (default %s)", key->fallback);
    fputc('\n', out);
  }
  fputc('\n', out);
}

static const char *result_of(const char *name) {
  if (strncmp(name, "mesh.", 5) == 0) return "EdgewiseMesh";
  if (strcmp(name, "raster") == 0) return "EdgewiseRaster";
  if (strcmp(name, "level") == 0 || strncmp(name, "by_", 3) == 0 || strcmp(name, "mesh_data") == 0)
    return "EdgewisePlaces";
  if (strcmp(name, "arguments") == 0) return "table<string, any>";
  return strcmp(name, "series") == 0 ? "EdgewiseSeries" : "EdgewiseCase";
}

static void print_function(const constructor *c, FILE *out) {
  char type[64];
  if (c->schema) class_name(c->schema->name, type, sizeof type);
  fprintf(out, "---%s\n---@param what %s\n---@return %s\nfunction %s(what) end\n\n",
          c->schema ? c->schema->doc : c->doc, c->schema ? type : c->type, result_of(c->name), c->name);
}

static const char HEAD[] = "---@meta\n-- What a case file may use, for the Lua language server. Written by "
                           "`edgewise annotations`.\n\n"
                           "---@class EdgewiseMesh\n---@class EdgewiseRaster\n---@class EdgewiseSeries\n"
                           "---@class EdgewisePlaces\n\n"
                           "---A mesh for `case`.\nmesh = {}\n\n";

static const char RUN[] =
    "---A run as hooks see it, and as run() returns it. Fields are named as in output: \"h\", \"q.x\"; a "
    "vector stands for its\n"
    "---length where a number is needed.\n"
    "---@class EdgewiseRun\n"
    "---@field t number time [s]\n"
    "---@field dt number the last step's size [s]\n"
    "---@field step integer steps done\n"
    "---@field cells integer number of cells\n"
    "---@field seconds? number wall time of the loop; only of a run that is over\n"
    "local Run = {}\n"
    "---A global of the scheme: \"mass\", \"dt\".\n---@param name string\n---@return number\nfunction "
    "Run:global(name) end\n"
    "---A field at a probe of `output.probes`.\n---@param probe string\n---@param field string\n---@return "
    "number\n"
    "function Run:probe(probe, field) end\n"
    "---A field in the cell that holds a point; only inside of hooks.\n---@param field string\n---@param x "
    "number\n"
    "---@param y number\n---@param z? number\n---@return number\nfunction Run:at(field, x, y, z) end\n"
    "---@param field string\n---@return number\nfunction Run:min(field) end\n"
    "---@param field string\n---@return number\nfunction Run:max(field) end\n"
    "---The sum over all cells.\n---@param field string\n---@return number\nfunction Run:sum(field) end\n"
    "---The sum of volume times value.\n---@param field string\n---@return number\nfunction "
    "Run:integral(field) end\n"
    "---The mean over the domain of |field - exact|, exact taken at the cells' centres.\n---@param field "
    "string\n"
    "---@param exact? number|fun(x: number, y: number, t: number): number\n---@return number\nfunction "
    "Run:l1(field, exact) end\n"
    "---The root of the mean of (field - exact)^2.\n---@param field string\n"
    "---@param exact? number|fun(x: number, y: number, t: number): number\n---@return number\nfunction "
    "Run:l2(field, exact) end\n"
    "---The largest |field - exact|.\n---@param field string\n"
    "---@param exact? number|fun(x: number, y: number, t: number): number\n---@return number\n"
    "function Run:linf(field, exact) end\n"
    "---A copy of a whole field, cell by cell: slow, for small meshes and last steps.\n---@param field "
    "string\n"
    "---@return number[]|number[][]\nfunction Run:field(field) end\n"
    "---The cells' centres, in the order of field().\n---@return number[][]\nfunction Run:centres() end\n"
    "---The cells' volumes, in the order of field().\n---@return number[]\nfunction Run:volumes() end\n"
    "---The nodes' places, in the order of field() for fields at nodes.\n---@return number[][]\nfunction "
    "Run:nodes() end\n"
    "---Each node's share of its cells' volumes.\n---@return number[]\nfunction Run:node_volumes() end\n"
    "---Ends the run after this hook, as Ctrl-C does: with a checkpoint and exit status 8.\nfunction "
    "Run:stop() end\n"
    "---Fails the run with a message if the condition holds.\n---@param condition any\n---@param message? "
    "string\n"
    "function Run:error_if(condition, message) end\n\n"
    "---Runs a case now: for scripts that run several.\n---@param what EdgewiseCase\n---@return EdgewiseRun\n"
    "function run(what) end\n";

void case_file_annotations(FILE *out) {
  fputs(HEAD, out);
  for (int i = 0; i < N_CONSTRUCTORS; i++) {
    if (CONSTRUCTOR[i].schema) print_class(CONSTRUCTOR[i].schema, out);
    print_function(&CONSTRUCTOR[i], out);
  }
  fputs(RUN, out);
  linear_annotations(out);
}
