/* Tables of what functions near walls compute: where they are looked up, and the kernels that fill them: one function near walls for
 * each part of the launch, at all points near walls. So the work-items of a group compute the same function, and all functions of
 * a launch are under way at once. */
#include "back/emit.h"

#include <string.h>

/* ---- looking up ---------------------------------------------------------------------------------------------- */

bool tables_hold(const emitter *e, ir_id value) {
  int called = value ? plan_called(e->p, value, NULL) : -1;
  return called >= 0 && plan_part_called(e->p, value, called) == PLAN_PART_TABLE;
}

/* The macros that look the function's table up: by a point, and by its number near walls. */
static void name_macros(emitter *e, int function) {
  if (!e->table) {
    e->table = arena_array(e->memory, const char *, e->p->function.n + 1);
    e->table_number = arena_array(e->memory, const char *, e->p->function.n + 1);
  }
  if (e->table[function]) return;
  const char *text = walls_text(e, function);
  e->table[function] = name_fresh(e->file.macros, arena_printf(e->memory, "%s_by_wall", text), "_of");
  e->table_number[function] =
      name_fresh(e->file.macros, arena_printf(e->memory, "%s_number", e->table[function]), "_of");
}

const char *tables_element(emitter *e, int function, const char *point) {
  name_macros(e, function);
  if (e->named.touched) e->named.touched[e->p->grid.tables] = true;
  const char *number = strcmp(point, "point") == 0 ? march_wall_number(e) : NULL;
  if (number) return arena_printf(e->memory, "%s(%s)", e->table_number[function], number);
  access_element(e, e->p->grid.wall_number, 0, point);
  return arena_printf(e->memory, "%s(%s)", e->table[function], point);
}

/* Where a kernel itself looks tables up, it calls nothing for that. */
void tables_note_reads(emitter *e) {
  for (int i = 0; i < e->live.n; i++) {
    int called = plan_called(e->p, e->live.at[i], NULL);
    if (called < 0 || plan_part_called(e->p, e->live.at[i], called) != PLAN_PART_TABLE) continue;
    slot *s = access_slot(e, e->p->grid.tables);
    s->read[e->p->function.at[called].table - 1] = s->read_by_value = true;
    e->uses.stride[DSLC_NEAR_WALLS] = e->p->program->execution.buffer[e->p->grid.tables].width > 1;
    slot *numbers = access_slot(e, e->p->grid.wall_number);
    numbers->read[0] = true;
  }
}

static void write_macro(emitter *e, writer *w, int function) {
  int table = e->p->function.at[function].table - 1;
  const char *first = table == 0   ? ""
                      : table == 1 ? "stride_near_walls + "
                                   : arena_printf(e->memory, "%d*stride_near_walls + ", table);
  write_line(w, "#define %s(n) %s[%sn]", e->table_number[function], e->file.buffer_arg[e->p->grid.tables],
             first);
  write_line(w, "#define %s(i) %s(%s(i))", e->table[function], e->table_number[function],
             e->file.access[e->p->grid.wall_number][0].name);
}

/* Values lie in the order of the points near walls, table after table. */
void tables_write_macros(emitter *e, writer *w) {
  if (!e->table) return;
  write_line(
      w, "\n// What equations are near walls: of a point, from the tables that small kernels have filled.");
  for (int i = 0; i < e->p->function.n; i++)
    if (e->table[i]) write_macro(e, w, i);
}

/* ---- filling --------------------------------------------------------------------------------------------------- */

void tables_prepare(emitter *e) {
  slots_begin(e);
  place_kernel(e);
  slots_note_values(e);
  walls_note_kernel(e);
  slots_note_index(e, e->p->grid.near);
  slots_note_index(e, e->p->grid.wall_point);
  slots_note_index(e, e->p->grid.wall_number);
  slots_end(e);
}

/* Tables whose readers stand close to walls are filled there only: points are in the order of their distances, so whole
 * work-groups have nothing to do. */
static void write_part(emitter *e, int part) {
  const plan_output *o = &e->k->output.at[part];
  const char *distance = access_element(e, e->p->grid.near, 0, "point");
  write_line(e->w, "case %d: if (%s <= %d && !(%s)) %s = %s; break;", part, distance,
             e->p->function.at[o->component].asked - 1, grid_out(e, o->place, "point"),
             tables_element(e, o->component, "point"), walls_call(e, o->value));
}

/* What an item is to do is read while the group's struct is filled. Points are in the order of their distances: those at walls, which
 * take longest, come first, and with all functions. The group's number is told from the item's: with get_group_id, PoCL 3.1 sees that all
 * items of a group take the same case, and cannot build what it then makes of the barrier before. */
void tables_write(emitter *e) {
  int parts = e->k->output.n;
  write_line(e->w, "// A work-group for each function and so many points, first those at walls.");
  write_line(e->w, "const int turn = (int)get_global_id(0)/%s;", e->group_size);
  write_line(e->w, "const int item = turn/%d*%s + (int)get_local_id(0);", parts, e->group_size);
  write_line(e->w, "const bool done = item >= items || %s;", kernel_stop_condition(e));
  write_line(e->w, "const int point = %s;", access_element(e, e->p->grid.wall_point, 0, "done ? 0 : item"));
  walls_write_shared(e);
  write_line(e->w, "if (done) return;");
  write_line(e->w, "switch (turn%%%d) {", parts);
  for (int i = 0; i < parts; i++) write_part(e, i);
  write_line(e->w, "}");
}
