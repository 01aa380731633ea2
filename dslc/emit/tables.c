/* Tables of what functions near walls compute: where they are looked up, and the kernels that fill them: one function near walls for
 * each part of the launch, at all points near walls. So the work-items of a group compute the same function, and all functions of
 * a launch are under way at once. */
#include "emit/emit.h"

/* ---- looking up ---------------------------------------------------------------------------------------------- */

bool tables_hold(const emitter *e, ir_id value) {
  int called = value ? plan_called(e->p, value, NULL) : -1;
  return called >= 0 && plan_part_called(e->p, value, called) == PLAN_PART_TABLE;
}

/* The macros that look the function's table up: by a point, and by its number near walls. */
static void name_macros(emitter *e, int function) {
  if (!e->tables.by_point) {
    e->tables.by_point = arena_array(e->memory, const char *, e->p->function.n + 1);
    e->tables.by_number = arena_array(e->memory, const char *, e->p->function.n + 1);
  }
  if (e->tables.by_point[function]) return;
  const char *text = walls_text(e, function);
  e->tables.by_point[function] =
      name_fresh(e->file.macros, arena_printf(e->memory, "%s_by_wall", text), "_of");
  e->tables.by_number[function] =
      name_fresh(e->file.macros, arena_printf(e->memory, "%s_number", e->tables.by_point[function]), "_of");
}

static bool is_point(const emitter *e, const kir_expr *x) {
  return x->kind == KIR_VAR && x->variable == kir_name(e->b, "point")->variable;
}

kir_expr *tables_element(emitter *e, int function, kir_expr *point) {
  name_macros(e, function);
  kir_expr *number = is_point(e, point) ? march_wall_number(e) : NULL;
  if (!number) e->file.access[e->p->grid.wall_number][0].used = true; /* the macro looks it up */
  kir_expr *found = kir_element(e->b, (number ? e->tables.by_number : e->tables.by_point)[function],
                                KIR_DOUBLE, number ? number : point, NULL);
  found->part = (kir_part){.argument = 1 + e->p->grid.tables,
                           .component = e->p->function.at[function].table - 1,
                           .index = number ? 0 : 1 + e->p->grid.wall_number};
  return found;
}

/* Where a kernel itself looks tables up, it calls nothing for that. */
void tables_note_reads(emitter *e) {
  for (int i = 0; i < e->values.live.n; i++) {
    int called = plan_called(e->p, e->values.live.at[i], NULL);
    if (called < 0 || plan_part_called(e->p, e->values.live.at[i], called) != PLAN_PART_TABLE) continue;
    arguments_note(e, e->p->grid.tables)->read_by_value = true;
    arguments_note(e, e->p->grid.wall_number);
  }
}

static void write_macro(emitter *e, int function) {
  int table = e->p->function.at[function].table - 1;
  const char *first = table == 0   ? ""
                      : table == 1 ? "stride_near_walls + "
                                   : arena_printf(e->memory, "%d*stride_near_walls + ", table);
  kir_line(e->b, "#define %s(n) %s[%sn]", e->tables.by_number[function],
           e->file.buffer_arg[e->p->grid.tables], first);
  kir_line(e->b, "#define %s(i) %s(%s(i))", e->tables.by_point[function], e->tables.by_number[function],
           e->file.access[e->p->grid.wall_number][0].name);
}

/* Values lie in the order of the points near walls, table after table. */
void tables_write_macros(emitter *e) {
  if (!e->tables.by_point) return;
  kir_line(e->b,
           "\n// What equations are near walls: of a point, from the tables that small kernels have filled.");
  for (int i = 0; i < e->p->function.n; i++)
    if (e->tables.by_point[i]) write_macro(e, i);
}

/* ---- filling --------------------------------------------------------------------------------------------------- */

void tables_prepare(emitter *e) {
  arguments_begin(e);
  place_kernel(e);
  arguments_note_values(e);
  walls_note_kernel(e);
  arguments_note(e, e->p->grid.near);
  arguments_note(e, e->p->grid.wall_point);
  arguments_note(e, e->p->grid.wall_number);
  arguments_end(e);
}

/* Tables whose readers stand close to walls are filled there only: points are in the order of their distances, so whole
 * work-groups have nothing to do. */
static void write_part(emitter *e, int part) {
  const plan_output *o = &e->k->output.at[part];
  kir_expr *point = kir_name(e->b, "point"), *distance = access_element(e, e->p->grid.near, 0, point);
  kir_line(e->b, "case %d: if (%e <= %d && !(%e)) %e = %e; break;", part, distance,
           e->p->function.at[o->component].asked - 1, grid_out(e, o->place, point),
           tables_element(e, o->component, point), walls_call(e, o->value));
}

/* What an item is to do is read while the group's struct is filled. Points are in the order of their distances: those at walls, which
 * take longest, come first, and with all functions. The group's number is told from the item's: with get_group_id, PoCL 3.1 sees that all
 * items of a group take the same case, and cannot build what it then makes of the barrier before. */
void tables_write(emitter *e) {
  int parts = e->k->output.n;
  kir_line(e->b, "// A work-group for each function and so many points, first those at walls.");
  kir_line(e->b, "const int turn = (int)get_global_id(0)/%s;", e->own.group_size);
  kir_line(e->b, "const int item = turn/%d*%s + (int)get_local_id(0);", parts, e->own.group_size);
  kir_line(e->b, "const bool done = item >= items || %e;", kernel_stop_condition(e));
  kir_line(e->b, "const int point = %e;",
           access_element(e, e->p->grid.wall_point, 0, kir_quote(e->b, "done ? 0 : item")));
  walls_write_shared(e);
  kir_line(e->b, "if (done) return;");
  kir_line(e->b, "switch (turn%%%d) {", parts);
  for (int i = 0; i < parts; i++) write_part(e, i);
  kir_line(e->b, "}");
}
