/* Kernels that fill tables: one function near walls for each part of the launch, at all points near walls. So the work-items of
 * a group mostly compute the same function, and all functions of a launch are under way at once. */
#include "back/emit.h"

void tables_prepare(emitter *e) {
  slots_begin(e);
  place_kernel(e);
  slots_note_values(e);
  walls_note_kernel(e);
  slots_note_index(e, e->p->near);
  slots_note_index(e, e->p->wall_point);
  slots_note_index(e, e->p->wall_number);
  slots_end(e);
}

static void write_part(emitter *e, int part) {
  const plan_output *o = &e->k->output.at[part];
  write_line(e->w, "case %d: if (!(%s)) %s = %s; break;", part, grid_out(e, o->place, "point"),
             walls_table(e, o->value, "point"), walls_call(e, o->value));
}

void tables_write(emitter *e) {
  int parts = e->k->output.n;
  write_line(e->w, "const int item = get_global_id(0);");
  write_line(e->w, "if (item >= %d*items || %s) return;", parts, kernel_stop_condition(e));
  write_line(e->w, "const int part = item/items, point = %s;",
             access_element(e, e->p->wall_point, 0, "item - part*items"));
  walls_write_struct(e);
  write_line(e->w, "switch (part) {");
  for (int i = 0; i < parts; i++) write_part(e, i);
  write_line(e->w, "}");
}
