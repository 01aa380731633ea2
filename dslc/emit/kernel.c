/* The frame around a kernel's body: signature, guards, reductions over a work-group, outputs. In OpenCL an
 * item is a work-item, or one pass of a work-item's loop over its group; in C the entry loops over items, or over blocks of items where a block's partial
 * result is wanted, so that both take the same arguments and combine in the same order whatever the number
 * of threads. */
#include "emit/emit.h"

#include <string.h>

bool kernel_has_partials(const plan_kernel *k) {
  for (int i = 0; i < k->output.n; i++)
    if (k->output.at[i].kind == PLAN_PARTIAL) return true;
  return false;
}

static bool is_indirect(const plan_kernel *k) { return k->first || k->coloured; }

static const char *item_name(const emitter *e) { return is_indirect(e->k) ? "item" : "i"; }

/* ---- signature ---- */

/* `const double *restrict`: a buffer that some launch binds twice must not promise to be the only way to
 * its data. */
static const kir_type *pointer_type(const emitter *e, const slot *s) {
  const dslc_buffer *b = &e->p->program->execution.buffer[s->buffer];
  const kir_type *element = kir_scalar(e->b->program, access_kind(b));
  const bool writes = s->account && s->account->written;
  return kir_pointer_to(e->b->program, kir_qualified(e->b->program, element, !writes, false),
                        e->d->opencl ? KIR_GLOBAL : KIR_PRIVATE);
}

static kir_kind scalar_kind(dslc_arg_kind kind) {
  return kind == DSLC_ARG_PARAMETER || kind == DSLC_ARG_STAGE || kind == DSLC_ARG_WEIGHT ? KIR_DOUBLE
                                                                                         : KIR_INT;
}

static const kir_type *argument_type(const emitter *e, const dslc_arg *a) {
  if (a->kind == DSLC_ARG_BUFFER) return pointer_type(e, &e->args.slot.at[a->number]);
  return kir_qualified(e->b->program, kir_scalar(e->b->program, scalar_kind(a->kind)), true, false);
}

static bool is_restrict(const emitter *e, const dslc_arg *a) {
  return a->kind == DSLC_ARG_BUFFER && !e->args.slot.at[a->number].aliased;
}

/* Over the points of a grid groups are tiles: their rows share what they read of the rows above and below. */
static const char *group_shape(const emitter *e) {
  if (e->p->how.loop) return "1, 1, 1";
  if (!arguments_over_points(e) || e->p->how.tile <= 1 || e->k->window)
    return arena_printf(e->memory, "%s, 1, 1", e->own.group_size);
  return arena_printf(e->memory, "%s/%d, %d, 1", e->own.group_size, e->p->how.tile, e->p->how.tile);
}

static void open_opencl(emitter *e, kir_function *f) {
  f->is_kernel = true;
  f->is_sized = e->k->window && e->k->window->limited;
  if (e->k->local_size > 0) f->shape = group_shape(e);
  kir_open_body(e->b);
}

static void add_parameters(emitter *e) {
  for (int i = 0; i < e->args.arg.n; i++) {
    const dslc_arg *a = &e->args.arg.at[i];
    kir_add_parameter(e->b, argument_type(e, a), a->name, is_restrict(e, a));
  }
}

/* One signature for all: what a kernel takes it unpacks. */
static void open_c(emitter *e) {
  const kir_type *nothing = kir_scalar(e->b->program, KIR_VOID);
  const kir_type *pointer =
      kir_qualified(e->b->program, kir_pointer_to(e->b->program, nothing, KIR_PRIVATE), true, false);
  kir_add_parameter(e->b, kir_pointer_to(e->b->program, pointer, KIR_PRIVATE), "args", false);
  kir_add_parameter(e->b, kir_scalar(e->b->program, KIR_LONG), "n", false);
  kir_open_body(e->b);
}

static void unpack_parameters(emitter *e) {
  kir_open_prologue(e->b);
  for (int i = 0; i < e->args.arg.n; i++) {
    const dslc_arg *a = &e->args.arg.at[i];
    kir_expr *value = a->kind == DSLC_ARG_BUFFER           ? kir_quote(e->b, "args[%d]", i)
                      : scalar_kind(a->kind) == KIR_DOUBLE ? kir_quote(e->b, "*(const double *)args[%d]", i)
                                                           : kir_quote(e->b, "*(const int *)args[%d]", i);
    kir_let_typed(e->b, argument_type(e, a), a->name, value);
    e->b->last->variable->is_restrict = is_restrict(e, a);
  }
  kir_line(e->b, "(void)n;");
  kir_close_prologue(e->b);
}

/* ---- guards and indices ---- */

/* Of the repeat with that flag: an entry of the list that begins at `first`. */
static kir_expr *repeat_entry(emitter *e, const char *first, int flag) {
  kir_expr *flags = kernel_flags(e);
  int number = flag - DSLC_FLAG_REPEAT;
  return number == 0 ? kir_quote(e->b, "%e[%s]", flags, first)
                     : kir_quote(e->b, "%e[%s + %d]", flags, first, number);
}

/* The flag that ends a repeat. */
static kir_expr *repeat_flag(emitter *e, int entry) { return repeat_entry(e, "FIRST_REPEAT", entry); }

kir_expr *kernel_flags(emitter *e) {
  e->file.out->part[PRELUDE_FLAGS] = true;
  return access_buffer(e, e->p->flags);
}

kir_expr *kernel_stop_condition(emitter *e) {
  kir_expr *done = kir_quote(e->b, "%e[FLAG_DONE]", kernel_flags(e));
  if (e->k->stop_flag <= 0) return done;
  return kir_binary(e->b, KIR_EITHER, done, repeat_flag(e, e->k->stop_flag - 1));
}

void kernel_write_stop(emitter *e) { kir_line(e->b, "if (%e) return;", kernel_stop_condition(e)); }

static bool loops(const emitter *e) { return e->d->opencl && e->p->how.loop && e->k->place != IR_NOWHERE; }

static void declare_end(emitter *e, const char *text, int table) {
  if (table < 0) return;
  kir_let_typed(e->b, kir_qualified(e->b->program, kir_scalar(e->b->program, KIR_INT), true, false), text,
                NULL);
  const kir_frame *f = &e->b->open.at[e->b->open.n - 1];
  vec_push(e->memory, &e->rest.end, ((end_variable){f->body, e->b->last, table, kir_name(e->b, "i")}));
}

/* The cells of a face, the nodes of an edge. */
static void declare_ends(emitter *e) {
  const plan *p = e->p;
  if (e->k->place == IR_FACES) {
    declare_end(e, "L", p->mesh.face_left);
    declare_end(e, "R", p->mesh.face_right);
  } else if (e->k->place == IR_EDGES) {
    declare_end(e, "from", p->mesh.edge_from);
    declare_end(e, "to", p->mesh.edge_node);
  }
}

static void drop(kir_body *body, const kir_stmt *s) {
  int kept = 0;
  for (int i = 0; i < body->n; i++)
    if (body->at[i] != s) body->at[kept++] = body->at[i];
  body->n = kept;
}

/* Those that something names look their numbers up. */
static void settle_ends(emitter *e) {
  for (int i = 0; i < e->rest.end.n; i++) {
    const end_variable *end = &e->rest.end.at[i];
    if (end->let->variable->is_read) end->let->value = access_element(e, end->table, 0, end->index);
    else drop(end->body, end->let);
  }
}

static void write_entity(emitter *e) {
  const plan *p = e->p;
  if (e->k->rows) {
    kir_line(e->b, "const int row = first + item;");
    kir_line(e->b, "const int i = %e;", access_at(e, e->k->rows - 1, 0, "row"));
    kir_line(e->b, "if (i < 0) %s; // another rule, named before, holds the value there",
             e->d->opencl && !loops(e) ? "return" : "continue");
  } else if (e->k->coloured || e->k->rim)
    kir_line(e->b, "const int i = %e;",
             access_element(e, e->k->rim ? p->mesh.rim_cell : p->mesh.colour_face, 0,
                            kir_quote(e->b, "first + item")));
  else if (e->k->first) kir_line(e->b, "const int i = first + item;");
  declare_ends(e);
}

/* ---- accumulators ---- */

kir_expr *kernel_neutral(emitter *e, ir_reduce kind) {
  return kir_literal(e->b, KIR_DOUBLE,
                     kind == IR_SUM          ? "0.0"
                     : kind == IR_REDUCE_MIN ? "INFINITY"
                                             : "-INFINITY");
}

void kernel_write_combine(emitter *e, ir_reduce kind, kir_expr *total, kir_expr *value) {
  if (kind == IR_SUM) {
    kir_assign(e->b, total, KIR_ADD, value);
    return;
  }
  e->file.out->part[kind == IR_REDUCE_MIN ? PRELUDE_MIN_OF : PRELUDE_MAX_OF] = true;
  kir_line(e->b, "%e = %s(%e, %e);", total, kind == IR_REDUCE_MIN ? "min_of" : "max_of", total, value);
}

/* ---- outputs ---- */

/* Whether a store may change what another output's expression still has to read. */
static bool stores_interfere(const emitter *e) {
  bool aliased = false, both = false;
  for (int i = 0; i < e->args.slot.n; i++) {
    const slot *s = &e->args.slot.at[i];
    aliased |= s->aliased && s->stored;
    both |= s->read_by_value && s->stored;
  }
  return e->k->output.n > 1 && (aliased || both);
}

static kir_expr *target(emitter *e, const plan_output *o) {
  kir_expr *here = kir_name(e->b, "i");
  if (o->index != PLAN_EDGE_ITSELF)
    return access_element(e, o->buffer, o->component, access_edge(e, o->index, false, here));
  if (e->k->place == IR_NOWHERE) return access_element(e, o->buffer, o->component, kir_whole(e->b, 0));
  if (o->kind == PLAN_ADD_L) return access_at(e, o->buffer, o->component, "L");
  if (o->kind == PLAN_ADD_R || o->kind == PLAN_GHOST) return access_at(e, o->buffer, o->component, "R");
  return access_element(e, o->buffer, o->component, here);
}

/* In a loop the smallest entity is kept and noted behind it: a branch to an atomic would keep it from being
 * vectorised. */
static void write_check(emitter *e, const plan_output *o, kir_expr *failed) {
  e->file.out->part[PRELUDE_FAIL_CHECK] = true;
  if (loops(e)) {
    kir_line(e->b, "%e = min(%e, %e ? INT_MAX : i);", failed, failed, value_of(e, o->value));
    return;
  }
  bool single = e->k->place == IR_NOWHERE;
  kir_line(e->b, "if (!%e) fail_check(%e, %d, %s);", value_within(e, o->value, KIR_BY_PREFIX),
           kernel_flags(e), o->component, single ? "0" : "i");
}

static void write_partial(emitter *e, const plan_output *o, kir_expr *total) {
  kir_expr *value = value_of(e, o->value);
  if (loops(e)) kir_line(e->b, "%e[%s - begin] = %e;", total, item_name(e), value);
  else if (e->d->opencl) kir_assign(e->b, total, KIR_NONE, value);
  else kernel_write_combine(e, o->reduce, total, value);
}

static void write_output(emitter *e, const plan_output *o, kir_expr *total) {
  switch (o->kind) {
  case PLAN_STORE:
  case PLAN_GHOST:
    kir_line(e->b, o->index == PLAN_EDGE_PAIR ? "if (from < to) %e = %e;" : "%e = %e;", target(e, o),
             value_of(e, o->value));
    break;
  case PLAN_ADD_L:
  case PLAN_ADD_R: kir_assign(e->b, target(e, o), KIR_ADD, value_of(e, o->value)); break;
  case PLAN_SCALAR: kir_assign(e->b, access_scalar(e, o->component), KIR_NONE, value_of(e, o->value)); break;
  case PLAN_CHECK: write_check(e, o, total); break;
  case PLAN_TABLE: break; /* see tables.c */
  case PLAN_FACE: break;  /* see patch.c */
  case PLAN_KEEP: window_write_keep(e, o, NULL); break;
  case PLAN_FLAG:
    kir_line(e->b, "%e += 1;", repeat_entry(e, "FIRST_PASSES", o->component));
    kir_line(e->b, "%e = (%e) || %e[FLAG_FAULT];", repeat_flag(e, o->component), value_of(e, o->value),
             kernel_flags(e));
    break;
  case PLAN_PARTIAL: write_partial(e, o, total); break;
  }
}

/* All values before the first store, where that matters. */
void kernel_settle_outputs(emitter *e) {
  bool first_evaluate = stores_interfere(e);
  for (int i = 0; first_evaluate && i < e->k->output.n; i++) {
    ir_id id = e->k->output.at[i].value;
    const node_state *s = &e->values.node[id];
    bool settled = place_is_trivial(e, id) || s->keep || s->uses > 1 || s->branch;
    if (!settled) value_temporary(e, id);
    e->values.node[id].keep = true;
  }
}

static void write_outputs(emitter *e, kir_expr *const *total) {
  kir_blank(e->b);
  kernel_settle_outputs(e);
  for (int i = 0; i < e->k->output.n; i++) write_output(e, &e->k->output.at[i], total[i]);
  if (e->k->time == PLAN_TIME_NONE) return;
  kir_expr *scalars = access_buffer(e, e->p->scalars), *flags = access_buffer(e, e->p->flags);
  e->file.out->part[PRELUDE_SCALARS] = true;
  bool begin = e->k->time == PLAN_TIME_BEGIN;
  e->file.out->part[begin ? PRELUDE_TIME_BEGIN : PRELUDE_TIME_END] = true;
  if (begin) kir_line(e->b, "time_begin(%e, %e, %d);", scalars, flags, e->k->time_check - 1);
  else kir_line(e->b, "time_end(%e, %e);", scalars, flags);
}

/* ---- reductions over work-groups ---- */

void kernel_write_group_call(emitter *e, ir_reduce kind, kir_expr *total) {
  static const char *const function[] = {"group_sum", "group_min", "group_max"};
  static const prelude_part combine[] = {PRELUDE_SUM_OF, PRELUDE_MIN_OF, PRELUDE_MAX_OF};
  e->file.out->part[PRELUDE_GROUP_SUM + kind] = true;
  e->file.out->part[combine[kind]] = true;
  kir_line(e->b, "%e = %s(%e, scratch, %s);", total, function[kind], total, e->own.group_size);
}

/* One accumulator per partial output; the others have none. */
kir_expr **kernel_declare_totals(emitter *e) {
  kir_expr **total = arena_array(e->memory, kir_expr *, e->k->output.n + 1);
  for (int i = 0; i < e->k->output.n; i++) {
    const plan_output *o = &e->k->output.at[i];
    if (o->kind != PLAN_PARTIAL) continue;
    total[i] = kir_let(e->b, KIR_DOUBLE, name_fresh(e->own.locals, "total", "_v"), NULL);
    e->b->last->value = kernel_neutral(e, o->reduce);
  }
  return total;
}

void kernel_write_partials(emitter *e, kir_expr *const *total) {
  for (int i = 0; i < e->k->output.n; i++) {
    const plan_output *o = &e->k->output.at[i];
    if (o->kind == PLAN_PARTIAL)
      kir_assign(e->b, access_at(e, o->buffer, o->component, "group"), KIR_NONE, total[i]);
  }
}

/* ---- kernels over items ---- */

void kernel_write_item(emitter *e, kir_expr *const *total) {
  write_entity(e);
  body_write(e);
  write_outputs(e, total);
}

static void opencl_items(emitter *e) {
  kir_expr **total = arena_array(e->memory, kir_expr *, e->k->output.n + 1);
  kir_line(e->b, "const int %s = get_global_id(0);", item_name(e));
  kir_line(e->b, "if (%s >= items || %e) return;", item_name(e), kernel_stop_condition(e));
  kernel_write_item(e, total);
}

/* Several work-items a node: they share its loops, and the first has the rest. Nothing returns early, since all meet in between:
 * those without a node look at the last one and bring nothing. */
static void opencl_lanes(emitter *e) {
  kir_expr **total = arena_array(e->memory, kir_expr *, e->k->output.n + 1);
  body_write_scratch(e);
  kir_line(e->b, "const int place = get_local_id(0), lane = place%%LANES;");
  kir_line(e->b, "const int node = get_global_id(0)/LANES;");
  kir_line(e->b, "const bool active = node < items && !(%e);", kernel_stop_condition(e));
  kir_line(e->b, "const int i = min(node, items - 1);");
  kernel_write_item(e, total);
  kir_line(e->b, "}");
}

/* All items meet in the group's reduction: those without work bring the neutral element. Nothing returns
 * early here, since PoCL 3 compiles a barrier behind a return wrongly even where all items agree. */
void kernel_open_group(emitter *e) {
  if (kernel_has_partials(e->k)) kir_line(e->b, "__local double scratch[%s];", e->own.group_size);
  kir_line(e->b, "const bool done = %e;", kernel_stop_condition(e));
}

void kernel_close_group(emitter *e, kir_expr *const *total) {
  bool rows = false;
  if (!kernel_has_partials(e->k)) return;
  for (int i = 0; i < e->k->output.n; i++) {
    const plan_output *o = &e->k->output.at[i];
    if (o->kind != PLAN_PARTIAL) continue;
    kernel_write_group_call(e, o->reduce, total[i]);
    rows |= o->component > 0;
  }
  kir_line(e->b, "if (get_local_id(0) == 0 && !done) {");
  if (!e->patch) kir_line(e->b, "const int group = get_group_id(0);");
  if (rows) kir_line(e->b, "const int groups = get_num_groups(0);");
  kernel_write_partials(e, total);
  kir_line(e->b, "}");
}

static void opencl_reduction(emitter *e) {
  kernel_open_group(e);
  kir_line(e->b, "const int %s = get_global_id(0);", item_name(e));
  kir_expr **total = kernel_declare_totals(e);
  kir_line(e->b, "if (%s < items && !done) {", item_name(e));
  kernel_write_item(e, total);
  kir_line(e->b, "}\n");
  kernel_close_group(e, total);
}

/* ---- loops over a group's items, in OpenCL ---- */

/* What the loop leaves for each output, by name: the values to be reduced, or the smallest entity that
 * failed a check. */
kir_expr **kernel_declare_results(emitter *e) {
  kir_expr **result = arena_array(e->memory, kir_expr *, e->k->output.n + 1);
  for (int i = 0; i < e->k->output.n; i++) {
    plan_output_kind kind = e->k->output.at[i].kind;
    if (kind == PLAN_PARTIAL) {
      const char *values = name_fresh(e->own.locals, "values", "_v");
      kir_line(e->b, "double %s[%s];", values, e->own.group_size);
      result[i] = kir_name(e->b, values);
    } else if (kind == PLAN_CHECK) {
      const char *failed = name_fresh(e->own.locals, "failed", "_v");
      kir_line(e->b, "int %s = INT_MAX;", failed);
      result[i] = kir_name(e->b, failed);
    }
  }
  return result;
}

/* Reduced in order, behind the loop: compilers do not vectorise a loop with a minimum that keeps NaNs, nor
 * reorder a sum. */
static void combine_values(emitter *e, const plan_output *o, kir_expr *values) {
  kir_expr *total = kir_let(e->b, KIR_DOUBLE, name_fresh(e->own.locals, "total", "_v"), NULL);
  e->b->last->value = kernel_neutral(e, o->reduce);
  kir_line(e->b, "for (int n = 0; n < end - begin; ++n)");
  kernel_write_combine(e, o->reduce, total, kir_quote(e->b, "%e[n]", values));
  kir_assign(e->b, access_at(e, o->buffer, o->component, "group"), KIR_NONE, total);
}

void kernel_write_results(emitter *e, kir_expr *const *result) {
  bool rows = false;
  for (int i = 0; i < e->k->output.n; i++)
    rows |= e->k->output.at[i].kind == PLAN_PARTIAL && e->k->output.at[i].component > 0;
  if (rows) kir_line(e->b, "const int groups = get_num_groups(0);");
  for (int i = 0; i < e->k->output.n; i++) {
    const plan_output *o = &e->k->output.at[i];
    if (o->kind == PLAN_PARTIAL) combine_values(e, o, result[i]);
    if (o->kind == PLAN_CHECK)
      kir_line(e->b, "if (%e < INT_MAX) fail_check(%e, %d, %e);", result[i], kernel_flags(e), o->component,
               result[i]);
  }
}

/* Faces that add into cells cannot be vectorised, nor loops of unknown length. */
static bool vectorises(const emitter *e) {
  for (int i = 0; i < e->k->output.n; i++)
    if (e->k->output.at[i].kind == PLAN_ADD_L || e->k->output.at[i].kind == PLAN_ADD_R) return false;
  return e->values.loop.n == 0 || (e->p->program->space.faces_per_cell > 0 && e->k->place == IR_CELLS);
}

static void opencl_loop(emitter *e) {
  const char *item = item_name(e);
  kernel_write_stop(e);
  kir_line(e->b, "const int group = get_global_id(0);");
  kir_line(e->b, "const int begin = group*%s;", e->own.group_size);
  kir_line(e->b, "const int end = min(begin + %s, items);", e->own.group_size);
  kir_expr **result = kernel_declare_results(e);
  if (vectorises(e)) kir_line(e->b, "#pragma clang loop vectorize_width(VECTOR)");
  kir_line(e->b, "for (int %s = begin; %s < end; ++%s) {", item, item, item);
  kernel_write_item(e, result);
  kir_line(e->b, "}\n");
  kernel_write_results(e, result);
}

/* ---- loops over all items, in C ---- */

static void write_parallel(emitter *e) {
  if (e->d->openmp) kir_line(e->b, "#pragma omp parallel for schedule(static)");
}

static void c_items(emitter *e) {
  kir_expr **total = arena_array(e->memory, kir_expr *, e->k->output.n + 1);
  kernel_write_stop(e);
  write_parallel(e);
  kir_line(e->b, "for (int %s = 0; %s < items; ++%s) {", item_name(e), item_name(e), item_name(e));
  kernel_write_item(e, total);
  kir_line(e->b, "}");
}

static void c_reduction(emitter *e) {
  const char *item = item_name(e);
  kernel_write_stop(e);
  kir_line(e->b, "const int groups = (items + %s - 1)/%s;", e->own.group_size, e->own.group_size);
  write_parallel(e);
  kir_line(e->b, "for (int group = 0; group < groups; ++group) {");
  kir_line(e->b, "const int end = group + 1 < groups ? (group + 1)*%s : items;", e->own.group_size);
  kir_expr **total = kernel_declare_totals(e);
  kir_line(e->b, "for (int %s = group*%s; %s < end; ++%s) {", item, e->own.group_size, item, item);
  kernel_write_item(e, total);
  kir_line(e->b, "}");
  kernel_write_partials(e, total);
  kir_line(e->b, "}");
}

/* ---- kernels of one item, or of one group that finishes reductions ---- */

/* All in one loop, so that their loads wait together. */
static void read_partials(emitter *e) {
  const bool items = e->d->opencl && !e->p->how.loop;
  for (int i = 0; i < e->k->partial.n; i++) {
    const plan_partial *p = &e->k->partial.at[i];
    name hint = e->m->origin.at[p->node].hint;
    e->values.node[p->node].value =
        kir_let(e->b, KIR_DOUBLE, name_fresh(e->own.locals, hint ? hint : "total", "_v"), NULL);
    e->b->last->value = kernel_neutral(e, p->reduce);
  }
  if (items) kir_line(e->b, "#pragma unroll 8"); /* as many numbers are asked for at once */
  if (items) kir_line(e->b, "for (int n = item; n < groups; n += %s) {", e->own.group_size);
  else kir_line(e->b, "for (int n = 0; n < groups; ++n) {");
  for (int i = 0; i < e->k->partial.n; i++) {
    const plan_partial *p = &e->k->partial.at[i];
    kernel_write_combine(e, p->reduce, e->values.node[p->node].value,
                         access_at(e, p->buffer, p->component, "n"));
  }
  kir_line(e->b, "}");
  for (int i = 0; items && i < e->k->partial.n; i++)
    kernel_write_group_call(e, e->k->partial.at[i].reduce, e->values.node[e->k->partial.at[i].node].value);
}

static void opencl_finish(emitter *e, kir_expr *const *total) {
  kir_line(e->b, "__local double scratch[%s];", e->own.group_size);
  kir_line(e->b, "const bool done = %e;", kernel_stop_condition(e));
  kir_line(e->b, "const int item = get_local_id(0);");
  read_partials(e);
  kir_line(e->b, "barrier(CLK_GLOBAL_MEM_FENCE); // all have read the flags");
  kir_line(e->b, "if (item == 0 && !done) {");
  body_write(e);
  write_outputs(e, total);
  kir_line(e->b, "}");
}

static void write_single(emitter *e) {
  kir_expr **total = arena_array(e->memory, kir_expr *, e->k->output.n + 1);
  bool finishes = e->k->partial.n > 0;
  if (finishes && e->d->opencl && !e->p->how.loop) {
    opencl_finish(e, total);
    return;
  }
  kernel_write_stop(e);
  if (e->d->opencl) kir_line(e->b, "if (get_global_id(0) > 0) return;");
  if (finishes) read_partials(e);
  body_write(e);
  write_outputs(e, total);
}

/* ---- all ---- */

static void write_comment(emitter *e) {
  kir_line(e->b, "\n// ----------------------------------------------------------------------------");
  const char *what = e->k->what ? e->k->what : "", *own = e->p->program->identity.path,
             *path = own && e->k->file ? e->k->file : own;
  if (path && e->k->line > 0)
    e->own.last_note = arena_printf(e->memory, "%s:%d", source_name_in_comment(e->memory, path), e->k->line);
  if (path && e->k->line > 0) kir_line(e->b, "// %s%s%s", what, *what ? ", from " : "", e->own.last_note);
  else if (*what) kir_line(e->b, "// %s", what);
}

static void choose_group_size(emitter *e) {
  e->own.group_size = "GROUP";
  if (e->p->how.loop && e->k->place == IR_NOWHERE) return;
  if (e->k->local_size == e->file.common_group || e->k->local_size <= 0) return;
  e->own.group_size = arena_printf(e->memory, "GROUP_%s", e->own.name);
  kir_line(e->b, "#define %s %d", e->own.group_size, e->k->local_size);
}

/* All that the kernel names is there: what it touches decides what it is given. */
static void close_kernel(emitter *e) {
  settle_ends(e);
  arguments_take_account(e);
  points_store_past(e);
  if (e->d->opencl) add_parameters(e);
  else unpack_parameters(e);
  walls_write_members(e);
  kir_close_function(e->b);
}

void kernel_write(emitter *e) {
  e->rest.end.n = e->rest.members.n = e->rest.store.n = 0;
  e->own.locals = name_scope_create(e->memory, e->m->names, e->file.names);
  kir_function *f = kir_open_function(e->b, e->own.name, KIR_VOID);
  write_comment(e);
  choose_group_size(e);
  if (e->d->opencl) open_opencl(e, f);
  else open_c(e);
  bool reduction = kernel_has_partials(e->k);
  if (e->k->fills) tables_write(e);
  else if (arguments_over_points(e)) points_write(e);
  else if (e->patch) patch_write(e);
  else if (e->k->place == IR_NOWHERE) write_single(e);
  else if (loops(e)) opencl_loop(e);
  else if (e->d->opencl && e->k->lanes > 1) opencl_lanes(e);
  else if (e->d->opencl) (reduction ? opencl_reduction : opencl_items)(e);
  else (reduction ? c_reduction : c_items)(e);
  close_kernel(e);
}
