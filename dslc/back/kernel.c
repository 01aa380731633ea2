/* The frame around a kernel's body: signature, guards, reductions over a work-group, outputs. In OpenCL an
 * item is a work-item, or one pass of a work-item's loop over its group; in C the entry loops over items, or over blocks of items where a block's partial
 * result is wanted, so that both take the same arguments and combine in the same order whatever the number
 * of threads. */
#include "back/emit.h"

#include <string.h>

bool kernel_has_partials(const plan_kernel *k) {
  for (int i = 0; i < k->output.n; i++)
    if (k->output.at[i].kind == PLAN_PARTIAL) return true;
  return false;
}

static bool is_indirect(const plan_kernel *k) { return k->first || k->coloured; }

static const char *item_name(const emitter *e) { return is_indirect(e->k) ? "item" : "i"; }

/* ---- signature ---- */

const char *kernel_element_type(const dslc_buffer *b) {
  return b->element == DSLC_F64   ? "double"
         : b->element == DSLC_F32 ? "float"
         : b->element == DSLC_U8  ? "unsigned char"
                                  : "int";
}

static bool is_written(const emitter *e, const slot *s) {
  const dslc_buffer *b = &e->p->program->execution.buffer[s->buffer];
  for (int k = 0; k < b->width; k++)
    if (s->written[k]) return true;
  return false;
}

/* `const double *restrict`: a buffer that some launch binds twice must not promise to be the only way to
 * its data. */
static const char *pointer_type(const emitter *e, const slot *s) {
  const dslc_buffer *b = &e->p->program->execution.buffer[s->buffer];
  return arena_printf(e->memory, "%s%s%s *%s", e->d->global, is_written(e, s) ? "" : "const ",
                      kernel_element_type(b), s->aliased ? "" : "restrict ");
}

static const char *scalar_type(dslc_arg_kind kind) {
  return kind == DSLC_ARG_PARAMETER || kind == DSLC_ARG_STAGE || kind == DSLC_ARG_WEIGHT ? "double" : "int";
}

static const char *parameter_text(const emitter *e, const dslc_arg *a) {
  if (a->kind != DSLC_ARG_BUFFER)
    return arena_printf(e->memory, "const %s %s", scalar_type(a->kind), a->name);
  return arena_printf(e->memory, "%s%s", pointer_type(e, &e->slot.at[a->number]), a->name);
}

/* Over the points of a grid groups are tiles: their rows share what they read of the rows above and below. */
static const char *group_shape(const emitter *e) {
  if (e->p->how.loop) return "1, 1, 1";
  if (!slots_over_points(e) || e->p->how.tile <= 1 || e->k->window)
    return arena_printf(e->memory, "%s, 1, 1", e->group_size);
  return arena_printf(e->memory, "%s/%d, %d, 1", e->group_size, e->p->how.tile, e->p->how.tile);
}

static void write_opencl_signature(emitter *e) {
  if (e->k->local_size > 0)
    write_line(e->w,
               e->k->window && e->k->window->limited ? "__kernel SIZED(%s)"
                                                     : "__kernel __attribute__((reqd_work_group_size(%s)))",
               group_shape(e));
  else write_line(e->w, "__kernel");
  write_text(e->w, "void %s(", e->name);
  int margin = writer_column(e->w);
  for (int i = 0; i < e->arg.n; i++) {
    const char *text = parameter_text(e, &e->arg.at[i]);
    if (i > 0 && writer_column(e->w) + (int)strlen(text) > 104)
      write_text(e->w, ",\n%*s%s", margin, "", text);
    else write_text(e->w, "%s%s", i ? ", " : "", text);
  }
  write_line(e->w, ")\n{");
  writer_indent(e->w);
}

static void write_c_signature(emitter *e) {
  write_line(e->w, "void %s(void *const *args, long n)\n{", e->name);
  writer_indent(e->w);
  for (int i = 0; i < e->arg.n; i++) {
    const dslc_arg *a = &e->arg.at[i];
    if (a->kind == DSLC_ARG_BUFFER) write_line(e->w, "%s = args[%d];", parameter_text(e, a), i);
    else write_line(e->w, "%s = *(const %s *)args[%d];", parameter_text(e, a), scalar_type(a->kind), i);
  }
  write_line(e->w, "(void)n;");
}

/* ---- guards and indices ---- */

/* Of the repeat with that flag: an entry of the list that begins at `first`. */
static const char *repeat_entry(emitter *e, const char *first, int flag) {
  const char *flags = e->file.buffer_arg[e->p->flags];
  int number = flag - DSLC_FLAG_REPEAT;
  e->file.part[PRELUDE_FLAGS] = true;
  return number == 0 ? arena_printf(e->memory, "%s[%s]", flags, first)
                     : arena_printf(e->memory, "%s[%s + %d]", flags, first, number);
}

/* The flag that ends a repeat. */
static const char *repeat_flag(emitter *e, int entry) { return repeat_entry(e, "FIRST_REPEAT", entry); }

const char *kernel_stop_condition(emitter *e) {
  const char *flags = e->file.buffer_arg[e->p->flags];
  e->file.part[PRELUDE_FLAGS] = true;
  if (e->k->stop_flag <= 0) return arena_printf(e->memory, "%s[FLAG_DONE]", flags);
  return arena_printf(e->memory, "%s[FLAG_DONE] || %s", flags, repeat_flag(e, e->k->stop_flag - 1));
}

static void write_stop(emitter *e) { write_line(e->w, "if (%s) return;", kernel_stop_condition(e)); }

static bool loops(const emitter *e) { return e->d->opencl && e->p->how.loop && e->k->place != IR_NOWHERE; }

static void write_entity(emitter *e) {
  const plan *p = e->p;
  if (e->k->rows) {
    write_line(e->w, "const int row = first + item;");
    write_line(e->w, "const int i = %s;", access_element(e, e->k->rows - 1, 0, "row"));
    write_line(e->w, "if (i < 0) %s; // another rule, named before, holds the value there",
               e->d->opencl && !loops(e) ? "return" : "continue");
  } else if (e->k->coloured)
    write_line(e->w, "const int i = %s;", access_element(e, p->mesh.colour_face, 0, "first + item"));
  else if (e->k->first) write_line(e->w, "const int i = first + item;");
  if (e->uses.left) write_line(e->w, "const int L = %s;", access_element(e, p->mesh.face_left, 0, "i"));
  if (e->uses.right) write_line(e->w, "const int R = %s;", access_element(e, p->mesh.face_right, 0, "i"));
  if (e->uses.first_node)
    write_line(e->w, "const int from = %s;", access_element(e, p->mesh.edge_from, 0, "i"));
  if (e->uses.second_node)
    write_line(e->w, "const int to = %s;", access_element(e, p->mesh.edge_node, 0, "i"));
}

/* ---- accumulators ---- */

const char *kernel_neutral(ir_reduce kind) {
  return kind == IR_SUM ? "0.0" : kind == IR_REDUCE_MIN ? "INFINITY" : "-INFINITY";
}

void kernel_write_combine(emitter *e, ir_reduce kind, const char *total, const char *value) {
  if (kind == IR_SUM) {
    write_line(e->w, "%s += %s;", total, value);
    return;
  }
  e->file.part[kind == IR_REDUCE_MIN ? PRELUDE_MIN_OF : PRELUDE_MAX_OF] = true;
  write_line(e->w, "%s = %s(%s, %s);", total, kind == IR_REDUCE_MIN ? "min_of" : "max_of", total, value);
}

/* ---- outputs ---- */

/* Whether a store may change what another output's expression still has to read. */
static bool stores_interfere(const emitter *e) {
  bool aliased = false, both = false;
  for (int i = 0; i < e->slot.n; i++) {
    const slot *s = &e->slot.at[i];
    aliased |= s->aliased && is_written(e, s);
    both |= s->read_by_value && is_written(e, s);
  }
  return e->k->output.n > 1 && (aliased || both);
}

static const char *target(emitter *e, const plan_output *o) {
  if (o->index != PLAN_EDGE_ITSELF)
    return access_element(e, o->buffer, o->component, access_edge(e, o->index, "i"));
  const char *index = o->kind == PLAN_ADD_L                            ? "L"
                      : o->kind == PLAN_ADD_R || o->kind == PLAN_GHOST ? "R"
                                                                       : "i";
  return access_element(e, o->buffer, o->component, index);
}

static void write_scalar(emitter *e, const plan_output *o) {
  static const char *const fixed[] = {"TIME_NOW", "TIME_STEP", "TIME_STOP", "TIME_NEXT", "TIME_STEP_FREE"};
  const char *value = value_text(e, o->value), *arg = e->file.buffer_arg[e->p->scalars];
  e->file.part[PRELUDE_SCALARS] = true;
  if (o->component < DSLC_SCALAR_GLOBALS) write_line(e->w, "%s[%s] = %s;", arg, fixed[o->component], value);
  else write_line(e->w, "%s[FIRST_GLOBAL + %d] = %s;", arg, o->component - DSLC_SCALAR_GLOBALS, value);
}

/* In a loop the smallest entity is kept and noted behind it: a branch to an atomic would keep it from being
 * vectorised. */
static void write_check(emitter *e, const plan_output *o, const char *failed) {
  e->file.part[PRELUDE_FAIL_CHECK] = true;
  if (loops(e)) {
    write_line(e->w, "%s = min(%s, %s ? INT_MAX : i);", failed, failed, value_within(e, o->value, PREC_OR));
    return;
  }
  bool single = e->k->place == IR_NOWHERE;
  write_line(e->w, "if (!%s) fail_check(%s, %d, %s);", value_within(e, o->value, PREC_UNARY),
             e->file.buffer_arg[e->p->flags], o->component, single ? "0" : "i");
}

static void write_output(emitter *e, const plan_output *o, const char *total) {
  const char *value = value_text(e, o->value);
  switch (o->kind) {
  case PLAN_STORE:
  case PLAN_GHOST:
    write_line(e->w, "%s%s = %s;", o->index == PLAN_EDGE_PAIR ? "if (from < to) " : "", target(e, o), value);
    break;
  case PLAN_ADD_L:
  case PLAN_ADD_R: write_line(e->w, "%s += %s;", target(e, o), value); break;
  case PLAN_SCALAR: write_scalar(e, o); break;
  case PLAN_CHECK: write_check(e, o, total); break;
  case PLAN_TABLE: break; /* see tables.c */
  case PLAN_KEEP: window_write_keep(e, o, NULL); break;
  case PLAN_FLAG:
    write_line(e->w, "%s += 1;", repeat_entry(e, "FIRST_PASSES", o->component));
    write_line(e->w, "%s = (%s) || %s[FLAG_FAULT];", repeat_flag(e, o->component), value,
               e->file.buffer_arg[e->p->flags]);
    break;
  case PLAN_PARTIAL:
    if (loops(e)) write_line(e->w, "%s[%s - begin] = %s;", total, item_name(e), value);
    else if (e->d->opencl) write_line(e->w, "%s = %s;", total, value);
    else kernel_write_combine(e, o->reduce, total, value);
    break;
  }
}

/* All values before the first store, where that matters. */
void kernel_settle_outputs(emitter *e) {
  bool first_evaluate = stores_interfere(e);
  for (int i = 0; first_evaluate && i < e->k->output.n; i++) {
    ir_id id = e->k->output.at[i].value;
    const node_state *s = &e->node[id];
    bool settled = place_is_trivial(e, id) || s->keep || s->uses > 1 || s->branch;
    if (!settled) value_temporary(e, id);
    e->node[id].keep = true;
  }
}

static void write_outputs(emitter *e, const char *const *total) {
  write_line(e->w, "%s", "");
  kernel_settle_outputs(e);
  for (int i = 0; i < e->k->output.n; i++) write_output(e, &e->k->output.at[i], total[i]);
  const char *scalars = e->file.buffer_arg[e->p->scalars], *flags = e->file.buffer_arg[e->p->flags];
  if (e->k->time == PLAN_TIME_NONE) return;
  e->file.part[PRELUDE_SCALARS] = true;
  bool begin = e->k->time == PLAN_TIME_BEGIN;
  e->file.part[begin ? PRELUDE_TIME_BEGIN : PRELUDE_TIME_END] = true;
  if (begin) write_line(e->w, "time_begin(%s, %s, %d);", scalars, flags, e->k->time_check - 1);
  else write_line(e->w, "time_end(%s, %s);", scalars, flags);
}

/* ---- reductions over work-groups ---- */

void kernel_write_group_call(emitter *e, ir_reduce kind, const char *total) {
  static const char *const function[] = {"group_sum", "group_min", "group_max"};
  static const prelude_part combine[] = {PRELUDE_SUM_OF, PRELUDE_MIN_OF, PRELUDE_MAX_OF};
  e->file.part[PRELUDE_GROUP_SUM + kind] = true;
  e->file.part[combine[kind]] = true;
  write_line(e->w, "%s = %s(%s, scratch, %s);", total, function[kind], total, e->group_size);
}

/* One accumulator per partial output; the others have none. */
static const char **declare_totals(emitter *e) {
  const char **total = arena_array(e->memory, const char *, e->k->output.n + 1);
  for (int i = 0; i < e->k->output.n; i++) {
    const plan_output *o = &e->k->output.at[i];
    if (o->kind != PLAN_PARTIAL) continue;
    total[i] = name_fresh(e->locals, "total", "_v");
    write_line(e->w, "double %s = %s;", total[i], kernel_neutral(o->reduce));
  }
  return total;
}

static void write_partials(emitter *e, const char *const *total) {
  for (int i = 0; i < e->k->output.n; i++) {
    const plan_output *o = &e->k->output.at[i];
    if (o->kind == PLAN_PARTIAL)
      write_line(e->w, "%s = %s;", access_element(e, o->buffer, o->component, "group"), total[i]);
  }
}

/* ---- kernels over items ---- */

static void write_item(emitter *e, const char *const *total) {
  write_entity(e);
  body_write(e);
  write_outputs(e, total);
}

static void opencl_items(emitter *e) {
  const char **total = arena_array(e->memory, const char *, e->k->output.n + 1);
  write_line(e->w, "const int %s = get_global_id(0);", item_name(e));
  write_line(e->w, "if (%s >= items || %s) return;", item_name(e), kernel_stop_condition(e));
  write_item(e, total);
}

/* Several work-items a node: they share its loops, and the first has the rest. Nothing returns early, since all meet in between:
 * those without a node look at the last one and bring nothing. */
static void opencl_lanes(emitter *e) {
  const char **total = arena_array(e->memory, const char *, e->k->output.n + 1);
  body_write_scratch(e);
  write_line(e->w, "const int place = get_local_id(0), lane = place%%LANES;");
  write_line(e->w, "const int node = get_global_id(0)/LANES;");
  write_line(e->w, "const bool active = node < items && !(%s);", kernel_stop_condition(e));
  write_line(e->w, "const int i = min(node, items - 1);");
  write_item(e, total);
  writer_dedent(e->w);
  write_line(e->w, "}");
}

/* All items meet in the group's reduction: those without work bring the neutral element. Nothing returns
 * early here, since PoCL 3 compiles a barrier behind a return wrongly even where all items agree. */
static void opencl_reduction(emitter *e) {
  write_line(e->w, "__local double scratch[%s];", e->group_size);
  write_line(e->w, "const bool done = %s;", kernel_stop_condition(e));
  write_line(e->w, "const int %s = get_global_id(0);", item_name(e));
  const char **total = declare_totals(e);
  write_line(e->w, "if (%s < items && !done) {", item_name(e));
  writer_indent(e->w);
  write_item(e, total);
  writer_dedent(e->w);
  write_line(e->w, "}\n");
  bool rows = false;
  for (int i = 0; i < e->k->output.n; i++) {
    const plan_output *o = &e->k->output.at[i];
    if (o->kind != PLAN_PARTIAL) continue;
    kernel_write_group_call(e, o->reduce, total[i]);
    rows |= o->component > 0;
  }
  write_line(e->w, "if (get_local_id(0) == 0 && !done) {");
  writer_indent(e->w);
  write_line(e->w, "const int group = get_group_id(0);");
  if (rows) write_line(e->w, "const int groups = get_num_groups(0);");
  write_partials(e, total);
  writer_dedent(e->w);
  write_line(e->w, "}");
}

/* ---- loops over a group's items, in OpenCL ---- */

/* What the loop leaves for each output, by name: the values to be reduced, or the smallest entity that
 * failed a check. */
static const char **declare_results(emitter *e) {
  const char **result = arena_array(e->memory, const char *, e->k->output.n + 1);
  for (int i = 0; i < e->k->output.n; i++) {
    plan_output_kind kind = e->k->output.at[i].kind;
    if (kind == PLAN_PARTIAL) {
      result[i] = name_fresh(e->locals, "values", "_v");
      write_line(e->w, "double %s[%s];", result[i], e->group_size);
    } else if (kind == PLAN_CHECK) {
      result[i] = name_fresh(e->locals, "failed", "_v");
      write_line(e->w, "int %s = INT_MAX;", result[i]);
    }
  }
  return result;
}

/* Reduced in order, behind the loop: compilers do not vectorise a loop with a minimum that keeps NaNs, nor
 * reorder a sum. */
static void combine_values(emitter *e, const plan_output *o, const char *values) {
  const char *total = name_fresh(e->locals, "total", "_v");
  write_line(e->w, "double %s = %s;", total, kernel_neutral(o->reduce));
  write_line(e->w, "for (int n = 0; n < end - begin; ++n)");
  writer_indent(e->w);
  kernel_write_combine(e, o->reduce, total, arena_printf(e->memory, "%s[n]", values));
  writer_dedent(e->w);
  write_line(e->w, "%s = %s;", access_element(e, o->buffer, o->component, "group"), total);
}

static void write_results(emitter *e, const char *const *result) {
  bool rows = false;
  for (int i = 0; i < e->k->output.n; i++)
    rows |= e->k->output.at[i].kind == PLAN_PARTIAL && e->k->output.at[i].component > 0;
  if (rows) write_line(e->w, "const int groups = get_num_groups(0);");
  for (int i = 0; i < e->k->output.n; i++) {
    const plan_output *o = &e->k->output.at[i];
    if (o->kind == PLAN_PARTIAL) combine_values(e, o, result[i]);
    if (o->kind == PLAN_CHECK)
      write_line(e->w, "if (%s < INT_MAX) fail_check(%s, %d, %s);", result[i],
                 e->file.buffer_arg[e->p->flags], o->component, result[i]);
  }
}

/* Faces that add into cells cannot be vectorised, nor loops of unknown length. */
static bool vectorises(const emitter *e) {
  for (int i = 0; i < e->k->output.n; i++)
    if (e->k->output.at[i].kind == PLAN_ADD_L || e->k->output.at[i].kind == PLAN_ADD_R) return false;
  return e->loop.n == 0 || (e->p->program->space.faces_per_cell > 0 && e->k->place == IR_CELLS);
}

static void opencl_loop(emitter *e) {
  const char *item = item_name(e);
  write_stop(e);
  write_line(e->w, "const int group = get_global_id(0);");
  write_line(e->w, "const int begin = group*%s;", e->group_size);
  write_line(e->w, "const int end = min(begin + %s, items);", e->group_size);
  const char **result = declare_results(e);
  if (vectorises(e)) write_line(e->w, "#pragma clang loop vectorize_width(VECTOR)");
  write_line(e->w, "for (int %s = begin; %s < end; ++%s) {", item, item, item);
  writer_indent(e->w);
  write_item(e, result);
  writer_dedent(e->w);
  write_line(e->w, "}\n");
  write_results(e, result);
}

/* ---- loops over all items, in C ---- */

static void write_parallel(emitter *e) {
  if (e->d->openmp) write_line(e->w, "#pragma omp parallel for schedule(static)");
}

static void c_items(emitter *e) {
  const char **total = arena_array(e->memory, const char *, e->k->output.n + 1);
  write_stop(e);
  write_parallel(e);
  write_line(e->w, "for (int %s = 0; %s < items; ++%s) {", item_name(e), item_name(e), item_name(e));
  writer_indent(e->w);
  write_item(e, total);
  writer_dedent(e->w);
  write_line(e->w, "}");
}

static void c_reduction(emitter *e) {
  const char *item = item_name(e);
  write_stop(e);
  write_line(e->w, "const int groups = (items + %s - 1)/%s;", e->group_size, e->group_size);
  write_parallel(e);
  write_line(e->w, "for (int group = 0; group < groups; ++group) {");
  writer_indent(e->w);
  write_line(e->w, "const int end = group + 1 < groups ? (group + 1)*%s : items;", e->group_size);
  const char **total = declare_totals(e);
  write_line(e->w, "for (int %s = group*%s; %s < end; ++%s) {", item, e->group_size, item, item);
  writer_indent(e->w);
  write_item(e, total);
  writer_dedent(e->w);
  write_line(e->w, "}");
  write_partials(e, total);
  writer_dedent(e->w);
  write_line(e->w, "}");
}

/* ---- kernels of one item, or of one group that finishes reductions ---- */

/* All in one loop, so that their loads wait together. */
static void read_partials(emitter *e) {
  const bool items = e->d->opencl && !e->p->how.loop;
  for (int i = 0; i < e->k->partial.n; i++) {
    const plan_partial *p = &e->k->partial.at[i];
    name hint = e->m->origin.at[p->node].hint;
    e->node[p->node].text = name_fresh(e->locals, hint ? hint : "total", "_v");
    e->node[p->node].precedence = PREC_PRIMARY;
    write_line(e->w, "double %s = %s;", e->node[p->node].text, kernel_neutral(p->reduce));
  }
  if (items) write_line(e->w, "for (int n = item; n < groups; n += %s) {", e->group_size);
  else write_line(e->w, "for (int n = 0; n < groups; ++n) {");
  writer_indent(e->w);
  for (int i = 0; i < e->k->partial.n; i++) {
    const plan_partial *p = &e->k->partial.at[i];
    const char *element = access_element(e, p->buffer, p->component, "n");
    kernel_write_combine(e, p->reduce, e->node[p->node].text, element);
  }
  writer_dedent(e->w);
  write_line(e->w, "}");
  for (int i = 0; items && i < e->k->partial.n; i++)
    kernel_write_group_call(e, e->k->partial.at[i].reduce, e->node[e->k->partial.at[i].node].text);
}

static void opencl_finish(emitter *e, const char *const *total) {
  write_line(e->w, "__local double scratch[%s];", e->group_size);
  write_line(e->w, "const bool done = %s;", kernel_stop_condition(e));
  write_line(e->w, "const int item = get_local_id(0);");
  read_partials(e);
  write_line(e->w, "barrier(CLK_GLOBAL_MEM_FENCE); // all have read the flags");
  write_line(e->w, "if (item == 0 && !done) {");
  writer_indent(e->w);
  body_write(e);
  write_outputs(e, total);
  writer_dedent(e->w);
  write_line(e->w, "}");
}

static void write_single(emitter *e) {
  const char **total = arena_array(e->memory, const char *, e->k->output.n + 1);
  bool finishes = e->k->partial.n > 0;
  if (finishes && e->d->opencl && !e->p->how.loop) {
    opencl_finish(e, total);
    return;
  }
  write_stop(e);
  if (e->d->opencl) write_line(e->w, "if (get_global_id(0) > 0) return;");
  if (finishes) read_partials(e);
  body_write(e);
  write_outputs(e, total);
}

/* ---- all ---- */

static const char *base_name(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

static void write_comment(emitter *e) {
  write_line(e->w, "\n// %.*s", 76,
             "----------------------------------------------------------------------------");
  const char *what = e->k->what ? e->k->what : "", *path = e->p->program->identity.path;
  if (path && e->k->line > 0) e->last_note = arena_printf(e->memory, "%s:%d", base_name(path), e->k->line);
  if (path && e->k->line > 0) write_line(e->w, "// %s%s%s", what, *what ? ", from " : "", e->last_note);
  else if (*what) write_line(e->w, "// %s", what);
}

static void choose_group_size(emitter *e) {
  e->group_size = "GROUP";
  if (e->p->how.loop && e->k->place == IR_NOWHERE) return;
  if (e->k->local_size == e->file.common_group || e->k->local_size <= 0) return;
  e->group_size = arena_printf(e->memory, "GROUP_%s", e->name);
  write_line(e->w, "#define %s %d", e->group_size, e->k->local_size);
}

void kernel_write(emitter *e) {
  e->locals = name_scope_create(e->memory, e->m->names, e->file.names);
  write_comment(e);
  choose_group_size(e);
  if (e->d->opencl) write_opencl_signature(e);
  else write_c_signature(e);
  bool reduction = kernel_has_partials(e->k);
  if (e->k->fills) tables_write(e);
  else if (slots_over_points(e)) points_write(e);
  else if (e->k->place == IR_NOWHERE) write_single(e);
  else if (loops(e)) opencl_loop(e);
  else if (e->d->opencl && e->k->lanes > 1) opencl_lanes(e);
  else if (e->d->opencl) (reduction ? opencl_reduction : opencl_items)(e);
  else (reduction ? c_reduction : c_items)(e);
  writer_dedent(e->w);
  write_line(e->w, "}");
}
