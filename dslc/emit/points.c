/* Kernels over the points of a grid. A point whose reach holds no wall takes the plain version, others the one near walls.
 * On GPUs an item is a point; else a row is taken in runs of plain points, which compilers vectorise, and the points
 * between them one by one. */
#include "emit/emit.h"

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
  arguments_begin(e);
  e->k = &e->near;
  place_kernel(e);
  arguments_note_values(e);
  walls_note_kernel(e);
  e->k = k;
  place_kernel(e);
  arguments_note_values(e);
  arguments_note(e, e->p->grid.near);
  arguments_end(e);
}

/* ---- what both versions share ------------------------------------------------------------------------------------ */

static kir_expr *all_out(emitter *e) {
  unsigned places = 0;
  for (int i = 0; i < e->k->output.n; i++) places |= 1u << e->k->output.at[i].place;
  return grid_out_of_all(e, places, kir_name(e->b, "point"));
}

/* What a window writes it does not look at again, unless it reads the same buffer: see points_store_past. */
static void write_store(emitter *e, const plan_output *o, kir_expr *out) {
  kir_expr *element = access_at(e, o->buffer, o->component, "point"), *value = value_of(e, o->value);
  if (out) kir_line(e->b, "if (!(%e)) %e = %e;", out, element, value);
  else kir_assign(e->b, element, KIR_NONE, value);
  kir_stmt *store = out ? e->b->last->body.at[0] : e->b->last;
  if (e->window.march && e->p->program->execution.buffer[o->buffer].element == DSLC_F64)
    vec_push(e->memory, &e->rest.store, store);
}

void points_store_past(emitter *e) {
  for (int i = 0; i < e->rest.store.n; i++) {
    kir_stmt *s = e->rest.store.at[i];
    kir_expr *const arg[] = {s->value->a, s->value->b};
    if (!arguments_reads(e, arg[0]->part.argument - 1, arg[0]->part.component))
      s->value = kir_call(e->b, "write_past", KIR_DOUBLE, arg, 2);
  }
}

static void write_check(emitter *e, const plan_output *o, kir_expr *out, kir_expr *failed) {
  e->file.out->part[PRELUDE_FAIL_CHECK] = true;
  if (failed && !out) {
    kir_line(e->b, "%e = min(%e, %e ? INT_MAX : point);", failed, failed, value_of(e, o->value));
    return;
  }
  kir_expr *holds = kir_unary(e->b, KIR_NOT, value_of(e, o->value));
  if (out) holds = kir_quote(e->b, "!(%e) && %e", out, holds);
  kir_line(e->b, "if (%e) fail_check(%e, %d, point);", holds, kernel_flags(e), o->component);
}

/* What is reduced: `total` are the accumulators, `kept` (runs of a row) arrays for the values. */
static void write_reduced(emitter *e, const plan_output *o, kir_expr *out, kir_expr *total, kir_expr *kept) {
  if (kept) {
    kir_line(e->b, "%e[point - from] = %e;", kept, value_of(e, o->value));
    return;
  }
  if (out) kir_line(e->b, "if (!(%e)) {", out);
  kernel_write_combine(e, o->reduce, total, value_of(e, o->value));
  if (out) kir_line(e->b, "}");
}

static bool is_reduced(const plan_output *o) { return o->kind == PLAN_PARTIAL; }

/* Reductions first: a residual may look at the value that a state has had, where the update then writes the new one. */
static void write_outputs(emitter *e, bool asks_out, kir_expr *const *total, kir_expr *const *kept) {
  kir_blank(e->b);
  kernel_settle_outputs(e);
  for (int reduced = 1; reduced >= 0; reduced--)
    for (int i = 0; i < e->k->output.n; i++) {
      const plan_output *o = &e->k->output.at[i];
      if (is_reduced(o) != (bool)reduced) continue;
      kir_expr *out = asks_out ? grid_out_at(e, o->place, "point") : NULL;
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

static void write_version(emitter *e, version v, kir_expr *const *total, kir_expr *const *kept) {
  const plan_kernel *k = e->k;
  name_scope *outer = e->own.locals;
  e->own.locals = name_scope_create(e->memory, e->m->names, outer);
  if (v != PLAIN) e->k = &e->near;
  place_kernel(e);
  bool block = v == NEAR_WALLS && e->d->opencl; /* the pragma must stand first in one */
  if (block) {
    kir_line(e->b, "{");
    walls_write_exactly(e);
  }
  if (v != PLAIN) walls_write_struct(e);
  body_write(e);
  write_outputs(e, v == NEAR_WALLS, total, kept);
  if (block) {
    kir_line(e->b, "}");
  }
  e->k = k;
  e->own.locals = outer;
}

static kir_expr *near_element(emitter *e, const char *point) {
  return access_at(e, e->p->grid.near, 0, point);
}

/* ---- an item is a point ------------------------------------------------------------------------------------------- */

void points_write_both(emitter *e, kir_expr *const *total) {
  if (e->window.walls_away) {
    write_version(e, PLAIN, total, NULL);
    return;
  }
  kir_expr *near = e->window.march ? march_near(e) : near_element(e, "point");
  kir_line(e->b, "if (%e > %d) { // no wall in reach", near, e->k->reach);
  write_version(e, PLAIN, total, NULL);
  kir_line(e->b, "} else if (!(%e)) {", all_out(e));
  write_version(e, NEAR_WALLS, total, NULL);
  kir_line(e->b, "}");
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
  kir_expr *here = kir_quote(e->b, "%e <= %d", march_near(e), e->k->reach);
  if (!all) here = kir_quote(e->b, "%e && place == col && !(%e)", here, all_out(e));
  kir_line(e->b, "if (%e) {", here);
  write_version(e, all ? LOOKED_UP : NEAR_WALLS, NULL, NULL);
  kir_line(e->b, "}");
}

/* Where the point lies in the arrays, as far as anything asks for it. */
static void declare_place(emitter *e) {
  if (e->m->dims > 1) kir_line_if_named(e->b, "const int row = item_y + HALO;");
  if (e->m->dims > 2) kir_line_if_named(e->b, "const int layer = item_z + HALO;");
}

static void write_item(emitter *e) {
  int dims = e->m->dims;
  kir_line(e->b, "const int item_x = get_global_id(0)%s%s;", dims > 1 ? ", item_y = get_global_id(1)" : "",
           dims > 2 ? ", item_z = get_global_id(2)" : "");
  kir_line(e->b, "const int point = origin + item_x%s%s;", dims > 1 ? " + item_y*pitch_y" : "",
           dims > 2 ? " + item_z*pitch_z" : "");
}

static const char *inside(emitter *e) {
  return e->m->dims == 1   ? "item_x < points_x"
         : e->m->dims == 2 ? "item_x < points_x && item_y < points_y"
                           : "item_x < points_x && item_y < points_y && item_z < points_z";
}

void points_write_group(emitter *e, kir_expr *const *total) {
  for (int i = 0; i < e->k->output.n; i++)
    if (e->k->output.at[i].kind == PLAN_PARTIAL)
      kernel_write_group_call(e, e->k->output.at[i].reduce, total[i]);
  kir_line(e->b, "if (get_local_id(0) == 0 && get_local_id(1) == 0 && !done) {");
  if (e->k->window) kir_line(e->b, "const int group = strip + band*strips;");
  else
    kir_line(e->b, "const int group = get_group_id(0) + (int)get_num_groups(0)*(get_group_id(1) + "
                   "(int)get_num_groups(1)*get_group_id(2));");
  kernel_write_partials(e, total);
  kir_line(e->b, "}");
}

static void write_points(emitter *e) {
  bool reduces = kernel_has_partials(e->k);
  if (reduces) kir_line(e->b, "__local double scratch[%s];", e->own.group_size);
  walls_write_shared(e);
  kir_line(e->b, "const bool done = %e;", kernel_stop_condition(e));
  write_item(e);
  kir_line_if_named(e->b, "const int col = item_x + HALO;");
  declare_place(e);
  kir_expr **total = kernel_declare_totals(e);
  if (reduces) kir_line(e->b, "if (%s && !done) {", inside(e));
  else kir_line(e->b, "if (!(%s) || done) return;", inside(e));
  points_write_both(e, total);
  if (reduces) {
    kir_line(e->b, "}\n");
    points_write_group(e, total);
  }
}

/* ---- an item is a row --------------------------------------------------------------------------------------------- */

static kir_expr **declare_kept(emitter *e) {
  kir_expr **kept = arena_array(e->memory, kir_expr *, e->k->output.n + 1);
  for (int i = 0; i < e->k->output.n; i++) {
    plan_output_kind kind = e->k->output.at[i].kind;
    if (kind != PLAN_PARTIAL && !(kind == PLAN_CHECK && e->d->opencl)) continue;
    const char *text = name_fresh(e->own.locals, kind == PLAN_PARTIAL ? "values" : "failed", "_v");
    kir_line(e->b, kind == PLAN_PARTIAL ? "double %s[RUN];" : "int %s = INT_MAX;", text);
    kept[i] = kir_name(e->b, text);
  }
  return kept;
}

static void combine_kept(emitter *e, kir_expr *const *total, kir_expr *const *kept) {
  for (int i = 0; i < e->k->output.n; i++) {
    const plan_output *o = &e->k->output.at[i];
    if (o->kind == PLAN_CHECK && kept[i])
      kir_line(e->b, "if (%e < INT_MAX) fail_check(%e, %d, %e);", kept[i], kernel_flags(e), o->component,
               kept[i]);
    if (o->kind != PLAN_PARTIAL) continue;
    kir_line(e->b, "for (int n = 0; n < to - from; ++n) {");
    kernel_write_combine(e, o->reduce, total[i], kir_quote(e->b, "%e[n]", kept[i]));
    kir_line(e->b, "}");
  }
}

static void write_run(emitter *e, kir_expr *const *total) {
  kir_expr **kept = declare_kept(e);
  if (e->d->opencl) kir_line(e->b, "#pragma clang loop vectorize_width(VECTOR)");
  kir_line(e->b, "for (int point = from; point < to; ++point) {");
  kir_line_if_named(e->b, "const int col = point - before;");
  write_version(e, PLAIN, total, kept);
  kir_line(e->b, "}");
  combine_kept(e, total, kept);
}

static void write_between(emitter *e, kir_expr *const *total) {
  kir_line(e->b, "for (from = to; from < end && %e <= %d; ++from) { // near a wall", near_element(e, "from"),
           e->k->reach);
  kir_line(e->b, "const int point = from;");
  kir_line_if_named(e->b, "const int col = point - before;");
  kir_line(e->b, "if (%e) continue;", all_out(e));
  write_version(e, NEAR_WALLS, total, NULL);
  kir_line(e->b, "}");
}

void points_write_runs(emitter *e, kir_expr *const *total) {
  kir_line(e->b, "for (int from = begin, to; from < end;) {");
  kir_line(e->b, "const int stop = from + RUN < end ? from + RUN : end;");
  kir_line(e->b, "for (to = from; to < stop && %e > %d;) ++to; // no wall in reach", near_element(e, "to"),
           e->k->reach);
  write_run(e, total);
  write_between(e, total);
  kir_line(e->b, "}");
}

static void write_row(emitter *e) {
  int dims = e->m->dims;
  const char *place = arena_printf(e->memory, "%s%s", dims > 1 ? " + item_y*pitch_y" : "",
                                   dims > 2 ? " + item_z*pitch_z" : "");
  kir_line(e->b, "const int begin = origin%s, end = begin + points_x;", place);
  kir_line_if_named(e->b, "const int before = begin - HALO;");
  declare_place(e);
  kir_expr **total = kernel_declare_totals(e);
  points_write_runs(e, total);
  if (kernel_has_partials(e->k)) {
    kir_line(e->b, "const int group = %s;",
             dims == 1   ? "0"
             : dims == 2 ? "item_y"
                         : "item_z*points_y + item_y");
    kernel_write_partials(e, total);
  }
}

static void write_rows(emitter *e) {
  int dims = e->m->dims;
  kir_line(e->b, "if (%e) return;", kernel_stop_condition(e));
  if (e->d->opencl) {
    if (dims > 1)
      kir_line(e->b, "const int item_y = get_global_id(1)%s;", dims > 2 ? ", item_z = get_global_id(2)" : "");
    write_row(e);
    return;
  }
  if (dims > 1 && e->d->openmp)
    kir_line(e->b, "#pragma omp parallel for schedule(static)%s", dims > 2 ? " collapse(2)" : "");
  if (dims > 2) kir_line(e->b, "for (int item_z = 0; item_z < points_z; ++item_z)");
  if (dims > 1) kir_line(e->b, "for (int item_y = 0; item_y < points_y; ++item_y) {");
  write_row(e);
  if (dims > 1) kir_line(e->b, "}");
}

void points_write(emitter *e) {
  if (e->k->window) window_write(e);
  else if (e->d->opencl && !e->p->how.loop) write_points(e);
  else write_rows(e);
}
