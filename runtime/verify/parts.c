/* Parts of a mesh that a scheme asks for by name: region(steel), patch(inlet), distance_to(wall,hull). */
#include <stdio.h>
#include <string.h>

#include "fields/parts.h"
#include "verify/internal.h"

static const char *const usual[VERIFY_SIDES] = {"left", "right", "bottom", "top", "back", "front"};

/* The names in the brackets of region(steel) or distance_to(wall,"left bank"); false: the field is no such part. */
static bool names_in(const dslc_field *f, const char *function, char list[EXEC_PART_NAME]) {
  const size_t n = strlen(function);
  return strncmp(f->name, function, n) == 0 && f->name[n] == '(' && exec_part_of_mesh(f, list);
}

static int find_side(const verify_parts *parts, const char *name) {
  for (int i = 0; i < VERIFY_SIDES; i++)
    if (strcmp(parts->side[i], name) == 0) return i;
  return -1;
}

/* A longer name is left out: no part of the mesh has it. */
static bool is_short(const char *name) { return strlen(name) < VERIFY_TEXT; }

/* The first of the sides of a plane that nobody has asked for takes the name. */
static void rename_side(verify_parts *parts, const char *name) {
  for (int i = 0; i < 4; i++) {
    if (parts->named[i] || !is_short(name)) continue;
    memcpy(parts->side[i], name, strlen(name) + 1);
    parts->named[i] = parts->own = true;
    return;
  }
}

static void add_group(verify_parts *parts, const char *name) {
  if (strcmp(name, "all") == 0 || parts->n_groups == VERIFY_GROUPS || !is_short(name)) return;
  memcpy(parts->group[parts->n_groups++], name, strlen(name) + 1);
  parts->own = true;
}

/* Names of parts of the boundary: those that sides have anyway are noted in the first pass, the others take a side in the second. */
static void find_patches(verify_parts *out, const char *names, bool usual_names) {
  char name[EXEC_PART_NAME];
  for (const char *rest = exec_next_part(names, name); rest; rest = exec_next_part(rest, name)) {
    const int side = find_side(out, name);
    if (side >= 0) out->named[side] = true;
    else if (!usual_names) rename_side(out, name);
  }
}

void verify_find_parts(const dslc_program *p, verify_parts *out) {
  char list[EXEC_PART_NAME], name[EXEC_PART_NAME];
  *out = (verify_parts){0};
  for (int i = 0; i < VERIFY_SIDES; i++) snprintf(out->side[i], sizeof out->side[i], "%s", usual[i]);
  for (int pass = 0; pass < 2; pass++) /* the usual names first */
    for (int i = 0; i < p->model.n_fields; i++) {
      const dslc_field *f = &p->model.field[i];
      if (f->kind != DSLC_GIVEN) continue;
      if (pass == 0 && names_in(f, "region", list) && exec_next_part(list, name)) add_group(out, name);
      if (names_in(f, "patch", list) || names_in(f, "distance_to", list)) find_patches(out, list, pass == 0);
    }
}

bool verify_names_parts(const dslc_program *p) {
  verify_parts parts;
  verify_find_parts(p, &parts);
  return parts.own;
}
