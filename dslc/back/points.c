/* Kernels over the points of a grid. A point whose reach holds no wall takes the plain version, others the one near walls.
 * On GPUs an item is a point; else a row is taken in runs of plain points, which compilers vectorise, and the points
 * between them one by one. */
#include "back/emit.h"

/* ---- collecting ------------------------------------------------------------------------------------------------ */

static plan_kernel near_version(emitter *e) {
  plan_kernel k = *e->k;
  k.output.at = arena_array(e->memory, plan_output, e->k->output.n + 1);
  for (int i = 0; i < k.output.n; i++) {
    k.output.at[i] = e->k->output.at[i];
    k.output.at[i].value = e->k->output.at[i].near;
  }
  return k;
}

void points_prepare(emitter *e) {
  const plan_kernel *k = e->k;
  e->near = near_version(e);
  slots_begin(e);
  e->k = &e->near;
  place_kernel(e);
  slots_note_values(e);
  walls_note_kernel(e);
  slots_forget_traffic(e); /* points near walls are few: the other version counts */
  e->k = k;
  place_kernel(e);
  slots_note_values(e);
  slots_note_index(e, e->p->grid.near);
  slots_end(e);
}

/* ---- what both versions share ------------------------------------------------------------------------------------ */

static const char *all_out(emitter *e) {
  unsigned places = 0;
  for (int i = 0; i < e->k->output.n; i++) places |= 1u << e->k->output.at[i].place;
  return grid_out_of_all(e, places, "point");
}

/* What a window writes it does not look at again, unless it reads the same buffer. */
static void write_store(emitter *e, const plan_output *o, const char *condition) {
  const char *element = access_element(e, o->buffer, o->component, "point"), *value = value_text(e, o->value);
  bool past = e->window.march && !access_slot(e, o->buffer)->read[o->component] &&
              e->p->program->execution.buffer[o->buffer].element == DSLC_F64;
  const char *line = arena_printf(e->memory, past ? "write_past(%s, %s);" : "%s = %s;", element, value);
  if (condition) write_line(e->w, "if (!(%s)) %s", condition, line);
  else write_line(e->w, "%s", line);
}

static void write_check(emitter *e, const plan_output *o, const char *condition, const char *failed) {
  e->file.part[PRELUDE_FAIL_CHECK] = true;
  const char *guard = condition ? arena_printf(e->memory, "!(%s) && ", condition) : "";
  const char *value = value_within(e, o->value, condition ? PREC_UNARY : PREC_OR);
  if (failed && !condition) write_line(e->w, "%s = min(%s, %s ? INT_MAX : point);", failed, failed, value);
  else
    write_line(e->w, "if (%s!%s) fail_check(%s, %d, point);", guard, value_within(e, o->value, PREC_UNARY),
               e->file.buffer_arg[e->p->flags], o->component);
}

/* What is reduced: `total` are the accumulators, `kept` (runs of a row) arrays for the values. */
static void write_reduced(emitter *e, const plan_output *o, const char *out, const char *total,
                          const char *kept) {
  if (kept) {
    write_line(e->w, "%s[point - from] = %s;", kept, value_text(e, o->value));
    return;
  }
  if (out) write_line(e->w, "if (!(%s)) {", out), writer_indent(e->w);
  kernel_write_combine(e, o->reduce, total, value_text(e, o->value));
  if (out) writer_dedent(e->w), write_line(e->w, "}");
}

static bool is_reduced(const plan_output *o) { return o->kind == PLAN_PARTIAL; }

/* Reductions first: a residual may look at the value that a state has had, where the update then writes the new one. */
static void write_outputs(emitter *e, bool asks_out, const char *const *total, const char *const *kept) {
  write_line(e->w, "%s", "");
  kernel_settle_outputs(e);
  for (int reduced = 1; reduced >= 0; reduced--)
    for (int i = 0; i < e->k->output.n; i++) {
      const plan_output *o = &e->k->output.at[i];
      if (is_reduced(o) != (bool)reduced) continue;
      const char *out = asks_out ? grid_out(e, o->place, "point") : NULL;
      if (o->kind == PLAN_STORE) write_store(e, o, out);
      else if (o->kind == PLAN_KEEP) window_write_keep(e, o, out);
      else if (o->kind == PLAN_CHECK) write_check(e, o, out, kept ? kept[i] : NULL);
      else write_reduced(e, o, out, total[i], kept ? kept[i] : NULL);
    }
}

typedef enum version {
  PLAIN,
  NEAR_WALLS,
  LOOKED_UP /* near walls, all of it from tables: also where the point is out */
} version;

static void write_version(emitter *e, version v, const char *const *total, const char *const *kept) {
  const plan_kernel *k = e->k;
  name_scope *outer = e->locals;
  e->locals = name_scope_create(e->memory, e->m->names, outer);
  if (v != PLAIN) e->k = &e->near;
  place_kernel(e);
  bool block = v == NEAR_WALLS && e->d->opencl; /* the pragma must stand first in one */
  if (block) {
    write_line(e->w, "{");
    writer_indent(e->w);
    walls_write_exactly(e);
  }
  if (v != PLAIN) walls_write_struct(e);
  body_write(e);
  write_outputs(e, v == NEAR_WALLS, total, kept);
  if (block) {
    writer_dedent(e->w);
    write_line(e->w, "}");
  }
  e->k = k;
  e->locals = outer;
}

const char **points_declare_totals(emitter *e) {
  const char **total = arena_array(e->memory, const char *, e->k->output.n + 1);
  for (int i = 0; i < e->k->output.n; i++) {
    const plan_output *o = &e->k->output.at[i];
    if (o->kind != PLAN_PARTIAL) continue;
    total[i] = name_fresh(e->locals, "total", "_v");
    write_line(e->w, "double %s = %s;", total[i], kernel_neutral(o->reduce));
  }
  return total;
}

void points_write_partials(emitter *e, const char *const *total) {
  for (int i = 0; i < e->k->output.n; i++) {
    const plan_output *o = &e->k->output.at[i];
    if (o->kind == PLAN_PARTIAL)
      write_line(e->w, "%s = %s;", access_element(e, o->buffer, o->component, "group"), total[i]);
  }
}

static const char *near_element(emitter *e, const char *point) {
  return access_element(e, e->p->grid.near, 0, point);
}

/* ---- an item is a point ------------------------------------------------------------------------------------------- */

void points_write_both(emitter *e, const char *const *total) {
  if (e->window.walls_away) {
    write_version(e, PLAIN, total, NULL);
    return;
  }
  const char *near = e->window.march ? march_near(e) : near_element(e, "point");
  write_line(e->w, "if (%s > %d) { // no wall in reach", near, e->k->reach);
  writer_indent(e->w);
  write_version(e, PLAIN, total, NULL);
  writer_dedent(e->w);
  write_line(e->w, "} else if (!(%s)) {", all_out(e));
  writer_indent(e->w);
  write_version(e, NEAR_WALLS, total, NULL);
  writer_dedent(e->w);
  write_line(e->w, "}");
}

static bool all_looked_up(const emitter *e) {
  for (int i = 0; i < e->near.output.n; i++)
    if (!tables_hold(e, e->near.output.at[i].value)) return false;
  return true;
}

/* Without a branch around the plain values: between two barriers their loads then wait together. What they are near walls, or
 * where nobody will look, does no harm; nor does what tables hold of points that are out. Functions are called of an item's own
 * column only: an item behind the last column of use would see what others are writing. */
void points_write_kept(emitter *e) {
  bool all = all_looked_up(e);
  write_version(e, PLAIN, NULL, NULL);
  if (e->window.walls_away) return;
  const char *out = all ? "" : arena_printf(e->memory, " && place == col && !(%s)", all_out(e));
  write_line(e->w, "if (%s <= %d%s) {", march_near(e), e->k->reach, out);
  writer_indent(e->w);
  write_version(e, all ? LOOKED_UP : NEAR_WALLS, NULL, NULL);
  writer_dedent(e->w);
  write_line(e->w, "}");
}

/* Where the point lies in the arrays, as far as the code behind offset `at` asks for it. */
static void declare_place(emitter *e, size_t at) {
  writer_declare(e->w, at, "layer", "const int layer = item_z + HALO;");
  writer_declare(e->w, at, "row", "const int row = item_y + HALO;");
}

static void write_item(emitter *e) {
  int dims = e->m->dims;
  write_line(e->w, "const int item_x = get_global_id(0)%s%s;", dims > 1 ? ", item_y = get_global_id(1)" : "",
             dims > 2 ? ", item_z = get_global_id(2)" : "");
  write_line(e->w, "const int point = origin + item_x%s%s;", dims > 1 ? " + item_y*pitch_y" : "",
             dims > 2 ? " + item_z*pitch_z" : "");
}

static const char *inside(emitter *e) {
  return e->m->dims == 1   ? "item_x < points_x"
         : e->m->dims == 2 ? "item_x < points_x && item_y < points_y"
                           : "item_x < points_x && item_y < points_y && item_z < points_z";
}

void points_write_group(emitter *e, const char *const *total) {
  for (int i = 0; i < e->k->output.n; i++)
    if (e->k->output.at[i].kind == PLAN_PARTIAL)
      kernel_write_group_call(e, e->k->output.at[i].reduce, total[i]);
  write_line(e->w, "if (get_local_id(0) == 0 && get_local_id(1) == 0 && !done) {");
  writer_indent(e->w);
  if (e->k->window) write_line(e->w, "const int group = strip + band*strips;");
  else
    write_line(e->w, "const int group = get_group_id(0) + (int)get_num_groups(0)*(get_group_id(1) + "
                     "(int)get_num_groups(1)*get_group_id(2));");
  points_write_partials(e, total);
  writer_dedent(e->w);
  write_line(e->w, "}");
}

static void write_points(emitter *e) {
  bool reduces = kernel_has_partials(e->k);
  if (reduces) write_line(e->w, "__local double scratch[%s];", e->group_size);
  walls_write_shared(e);
  write_line(e->w, "const bool done = %s;", kernel_stop_condition(e));
  write_item(e);
  const size_t at = writer_size(e->w);
  const char **total = points_declare_totals(e);
  if (reduces) write_line(e->w, "if (%s && !done) {", inside(e)), writer_indent(e->w);
  else write_line(e->w, "if (!(%s) || done) return;", inside(e));
  points_write_both(e, total);
  if (reduces) {
    writer_dedent(e->w);
    write_line(e->w, "}\n");
    points_write_group(e, total);
  }
  declare_place(e, at);
  writer_declare(e->w, at, "col", "const int col = item_x + HALO;");
}

/* ---- an item is a row --------------------------------------------------------------------------------------------- */

static const char **declare_kept(emitter *e) {
  const char **kept = arena_array(e->memory, const char *, e->k->output.n + 1);
  for (int i = 0; i < e->k->output.n; i++) {
    plan_output_kind kind = e->k->output.at[i].kind;
    if (kind == PLAN_PARTIAL) {
      kept[i] = name_fresh(e->locals, "values", "_v");
      write_line(e->w, "double %s[RUN];", kept[i]);
    } else if (kind == PLAN_CHECK && e->d->opencl) {
      kept[i] = name_fresh(e->locals, "failed", "_v");
      write_line(e->w, "int %s = INT_MAX;", kept[i]);
    }
  }
  return kept;
}

static void combine_kept(emitter *e, const char *const *total, const char *const *kept) {
  for (int i = 0; i < e->k->output.n; i++) {
    const plan_output *o = &e->k->output.at[i];
    if (o->kind == PLAN_CHECK && kept[i])
      write_line(e->w, "if (%s < INT_MAX) fail_check(%s, %d, %s);", kept[i], e->file.buffer_arg[e->p->flags],
                 o->component, kept[i]);
    if (o->kind != PLAN_PARTIAL) continue;
    write_line(e->w, "for (int n = 0; n < to - from; ++n) {");
    writer_indent(e->w);
    kernel_write_combine(e, o->reduce, total[i], arena_printf(e->memory, "%s[n]", kept[i]));
    writer_dedent(e->w);
    write_line(e->w, "}");
  }
}

static void write_run(emitter *e, const char *const *total) {
  const char **kept = declare_kept(e);
  if (e->d->opencl) write_line(e->w, "#pragma clang loop vectorize_width(VECTOR)");
  write_line(e->w, "for (int point = from; point < to; ++point) {");
  writer_indent(e->w);
  const size_t at = writer_size(e->w);
  write_version(e, PLAIN, total, kept);
  writer_declare(e->w, at, "col", "const int col = point - before;");
  writer_dedent(e->w);
  write_line(e->w, "}");
  combine_kept(e, total, kept);
}

static void write_between(emitter *e, const char *const *total) {
  write_line(e->w, "for (from = to; from < end && %s <= %d; ++from) { // near a wall",
             near_element(e, "from"), e->k->reach);
  writer_indent(e->w);
  write_line(e->w, "const int point = from;");
  const size_t at = writer_size(e->w);
  write_line(e->w, "if (%s) continue;", all_out(e));
  write_version(e, NEAR_WALLS, total, NULL);
  writer_declare(e->w, at, "col", "const int col = point - before;");
  writer_dedent(e->w);
  write_line(e->w, "}");
}

void points_write_runs(emitter *e, const char *const *total) {
  write_line(e->w, "for (int from = begin, to; from < end;) {");
  writer_indent(e->w);
  write_line(e->w, "const int stop = from + RUN < end ? from + RUN : end;");
  write_line(e->w, "for (to = from; to < stop && %s > %d;) ++to; // no wall in reach", near_element(e, "to"),
             e->k->reach);
  write_run(e, total);
  write_between(e, total);
  writer_dedent(e->w);
  write_line(e->w, "}");
}

static void write_row(emitter *e) {
  int dims = e->m->dims;
  const char *place = arena_printf(e->memory, "%s%s", dims > 1 ? " + item_y*pitch_y" : "",
                                   dims > 2 ? " + item_z*pitch_z" : "");
  write_line(e->w, "const int begin = origin%s, end = begin + points_x;", place);
  const size_t at = writer_size(e->w);
  const char **total = points_declare_totals(e);
  points_write_runs(e, total);
  if (kernel_has_partials(e->k)) {
    write_line(e->w, "const int group = %s;",
               dims == 1   ? "0"
               : dims == 2 ? "item_y"
                           : "item_z*points_y + item_y");
    points_write_partials(e, total);
  }
  declare_place(e, at);
  writer_declare(e->w, at, "before", "const int before = begin - HALO;");
}

static void write_rows(emitter *e) {
  int dims = e->m->dims;
  write_line(e->w, "if (%s) return;", kernel_stop_condition(e));
  if (e->d->opencl) {
    if (dims > 1)
      write_line(e->w, "const int item_y = get_global_id(1)%s;",
                 dims > 2 ? ", item_z = get_global_id(2)" : "");
    write_row(e);
    return;
  }
  if (dims > 1 && e->d->openmp)
    write_line(e->w, "#pragma omp parallel for schedule(static)%s", dims > 2 ? " collapse(2)" : "");
  if (dims > 2) write_line(e->w, "for (int item_z = 0; item_z < points_z; ++item_z)");
  if (dims > 1) write_line(e->w, "for (int item_y = 0; item_y < points_y; ++item_y) {"), writer_indent(e->w);
  write_row(e);
  if (dims > 1) writer_dedent(e->w), write_line(e->w, "}");
}

void points_write(emitter *e) {
  if (e->k->window) window_write(e);
  else if (e->d->opencl && !e->p->how.loop) write_points(e);
  else write_rows(e);
}
