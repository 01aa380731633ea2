/* How generated code names what lies in buffers: `h(i)`, `q_x(L)` through macros over the arguments `h_`,
 * `q_`. */
#include "emit/emit.h"

#include <assert.h>

/* ---- names ---- */

static const char *component_suffix(arena *a, ir_type t, int dims, int k) {
  static const char axis[] = "xyz";
  if (t.n <= 1) return "";
  if (t.rank == IR_VECTOR && t.n <= 3) return arena_printf(a, "_%c", axis[k]);
  if (t.rank == IR_TENSOR && dims <= 3) return arena_printf(a, "_%c%c", axis[k / dims], axis[k % dims]);
  return arena_printf(a, "_%d", k);
}

/* Component k of a symbol: `q_x`; of a tuple of states `U`: `U_q_x`. */
static const char *symbol_suffix(const emitter *e, const ir_symbol *s, int k) {
  int left = k;
  for (int p = 0; p < s->tuple.n_parts; left -= s->tuple.part[p], p++) {
    if (left >= s->tuple.part[p]) continue;
    if (!s->tuple.part_sym[p]) break;
    const ir_symbol *part = ir_symbol_get(e->m, s->tuple.part_sym[p]);
    return arena_printf(e->memory, "_%s%s", part->text,
                        component_suffix(e->memory, part->type, e->m->dims, left));
  }
  return component_suffix(e->memory, s->type, e->m->dims, k);
}

static void name_component(emitter *e, int buffer, int component, const char *text) {
  if (component < 0 || component >= e->p->program->execution.buffer[buffer].width) return;
  access_macro *a = &e->file.access[buffer][component];
  if (!a->name) a->name = name_fresh(e->file.macros, text, "_of");
}

static void name_fluctuation(emitter *e, int buffer, int first, const ir_symbol *s, const char *stem) {
  int n = s->type.n;
  for (int k = 0; k < n; k++) {
    const char *suffix = symbol_suffix(e, s, k);
    name_component(e, buffer, first + k, arena_printf(e->memory, "%s_L%s", stem, suffix));
    name_component(e, buffer, first + n + k, arena_printf(e->memory, "%s_R%s", stem, suffix));
    if (first + n + k >= e->p->program->execution.buffer[buffer].width) continue;
    access_macro *a = &e->file.access[buffer][first + k];
    if (!a->side)
      a->side = name_fresh(e->file.macros, arena_printf(e->memory, "%s_out%s", stem, suffix), "_of");
    a->span = n;
  }
}

static void name_symbol(emitter *e, const ir_symbol *s, const plan_location *at, int level) {
  static const char *const level_suffix[] = {"", "_prev", "_old", "_new", "_old"};
  int buffer = at->buffer[level];
  if (buffer < 0 || buffer >= e->p->program->execution.n_buffers) return;
  const dslc_buffer *b = &e->p->program->execution.buffer[buffer];
  int n = s->type.n * (s->is_fluctuation ? 2 : 1);
  const char *stem = b->width == n ? b->name : arena_printf(e->memory, "%s%s", s->text, level_suffix[level]);
  if (s->is_fluctuation) name_fluctuation(e, buffer, at->first, s, stem);
  for (int k = 0; k < n && !s->is_fluctuation; k++)
    name_component(e, buffer, at->first + k, arena_printf(e->memory, "%s%s", stem, symbol_suffix(e, s, k)));
}

bool access_is_table(const emitter *e, int buffer) {
  return e->p->program->space.faces_per_cell > 0 &&
         (buffer == e->p->mesh.cell_face || buffer == e->p->mesh.cell_across ||
          (e->p->program->space.patch.cells > 0 && buffer == e->p->mesh.patch.side));
}

static void name_buffer(emitter *e, int buffer) {
  const dslc_buffer *b = &e->p->program->execution.buffer[buffer];
  for (int k = 0; k < b->width; k++)
    name_component(e, buffer, k,
                   b->width == 1 || (access_is_table(e, buffer) && k == 0)
                       ? b->name
                       : arena_printf(e->memory, "%s_%d", b->name, k));
}

static bool is_from_symbols(const dslc_buffer *b) {
  return b->kind == DSLC_BUFFER_STATE || b->kind == DSLC_BUFFER_GIVEN || b->kind == DSLC_BUFFER_WORK ||
         b->kind == DSLC_BUFFER_GEOMETRY || b->kind == DSLC_BUFFER_ARGUMENT || b->kind == DSLC_BUFFER_ALIAS;
}

static void name_parameters(emitter *e) {
  const ir_module *m = e->m;
  for (ir_sym s = 1; s < (ir_sym)m->symbol.n; s++) {
    const ir_symbol *symbol = ir_symbol_get(m, s);
    if (symbol->kind != IR_PARAMETER) continue;
    int number = e->p->location[s].parameter;
    for (int k = 0; k < symbol->type.n; k++) {
      const char *text = arena_printf(e->memory, "%s%s", symbol->text, symbol_suffix(e, symbol, k));
      e->file.parameter[number * DSLC_MOST_COMPONENTS + k] = name_fresh(e->file.names, text, "_v");
    }
  }
}

void access_name_all(emitter *e) {
  const dslc_program *g = e->p->program;
  e->file.buffer_arg = arena_array(e->memory, const char *, g->execution.n_buffers + 1);
  e->file.access = arena_array(e->memory, access_macro *, g->execution.n_buffers + 1);
  e->file.parameter = arena_array(e->memory, const char *, DSLC_MOST_COMPONENTS *(g->model.n_parameters + 1));
  for (int b = 0; b < g->execution.n_buffers; b++)
    e->file.access[b] = arena_array(e->memory, access_macro, g->execution.buffer[b].width + 1);
  name_parameters(e);
  for (int level = IR_NOW; level < IR_LEVEL_COUNT; level++)
    for (ir_sym s = 1; s < (ir_sym)e->m->symbol.n; s++) {
      int b = e->p->location[s].buffer[level];
      if (b >= 0 && b < g->execution.n_buffers && is_from_symbols(&g->execution.buffer[b]))
        name_symbol(e, ir_symbol_get(e->m, s), &e->p->location[s], level);
    }
  e->file.arguments = name_scope_create(e->memory, e->m->names, NULL); /* with their _ they meet no macro */
  for (int b = 0; b < g->execution.n_buffers; b++) {
    name_buffer(e, b);
    const char *stem = name_fresh(e->file.arguments, g->execution.buffer[b].name, "_of");
    e->file.buffer_arg[b] = arena_printf(e->memory, "%s_", stem);
  }
}

/* ---- macros ---- */

static const char *stride_name(const emitter *e, const dslc_buffer *b) {
  return arena_printf(e->memory, "stride_%s", ir_place_text((ir_place)b->place));
}

static const char *soa_index(const emitter *e, const dslc_buffer *b, int component) {
  if (component == 0) return "i";
  if (component == 1) return arena_printf(e->memory, "%s + (i)", stride_name(e, b));
  return arena_printf(e->memory, "%d*%s + (i)", component, stride_name(e, b));
}

static const char *aos_index(const emitter *e, const dslc_buffer *b, int component) {
  if (b->width == 1) return "i";
  if (component == 0) return arena_printf(e->memory, "%d*(i)", b->width);
  return arena_printf(e->memory, "%d*(i) + %d", b->width, component);
}

static void write_macro(emitter *e, int buffer, int component) {
  const dslc_buffer *b = &e->p->program->execution.buffer[buffer];
  const access_macro *a = &e->file.access[buffer][component];
  const char *arg = e->file.buffer_arg[buffer];
  if (access_is_table(e, buffer)) {
    kir_line(e->b, "#define %s(k, i) %s[(k)*%s + (i)]", a->name, arg, stride_name(e, b));
  } else if (b->kind == DSLC_BUFFER_PARTIALS) {
    const char *row = component == 0   ? ""
                      : component == 1 ? "groups + "
                                       : arena_printf(e->memory, "%d*groups + ", component);
    kir_line(e->b, "#define %s(i) %s[%s%s]", a->name, arg, row, component ? "(i)" : "i");
  } else if (a->used) {
    kir_line(e->b, "#define %s(i) %s[%s]", a->name, arg,
             b->aos ? aos_index(e, b, component) : soa_index(e, b, component));
  }
  if (!a->side_used) return;
  const char *choice = arena_printf(e->memory, "((left) ? %d : %d)", component, component + a->span);
  if (b->aos) kir_line(e->b, "#define %s(i, left) %s[%d*(i) + %s]", a->side, arg, b->width, choice);
  else kir_line(e->b, "#define %s(i, left) %s[%s*%s + (i)]", a->side, arg, choice, stride_name(e, b));
}

void access_write_macros(emitter *e) {
  const dslc_program *g = e->p->program;
  bool any = false;
  for (int b = 0; b < g->execution.n_buffers; b++)
    for (int k = 0; k < g->execution.buffer[b].width; k++) {
      if (!e->file.access[b][k].used && !e->file.access[b][k].side_used) continue;
      if (!any) kir_line(e->b, "\n// Fields at an entity.");
      any = true;
      write_macro(e, b, k);
    }
}

/* ---- elements ---- */

kir_kind access_kind(const dslc_buffer *b) {
  return b->element == DSLC_F64   ? KIR_DOUBLE
         : b->element == DSLC_F32 ? KIR_FLOAT
         : b->element == DSLC_U8  ? KIR_UCHAR
                                  : KIR_INT;
}

static kir_expr *element(emitter *e, int buffer, int component, const char *macro, kir_expr *index,
                         kir_expr *second) {
  kir_expr *x =
      kir_element(e->b, macro, access_kind(&e->p->program->execution.buffer[buffer]), index, second);
  x->part = (kir_part){.argument = 1 + buffer, .component = component};
  return x;
}

kir_expr *access_element(emitter *e, int buffer, int component, kir_expr *index) {
  kir_expr *kept = window_element(e, buffer, component, index);
  if (kept) return kept;
  e->file.access[buffer][component].used = true;
  return element(e, buffer, component, e->file.access[buffer][component].name, index, NULL);
}

kir_expr *access_at(emitter *e, int buffer, int component, const char *index) {
  return access_element(e, buffer, component, kir_name(e->b, index));
}

kir_expr *access_table(emitter *e, int buffer, kir_expr *entry, kir_expr *index) {
  e->file.access[buffer][0].used = true;
  return element(e, buffer, 0, e->file.access[buffer][0].name, entry, index);
}

/* What is computed is computed in double precision, however it lies in memory. */
kir_expr *access_widened(emitter *e, kir_expr *x) {
  const bool single = x->kind == KIR_ELEMENT && x->type->kind == KIR_FLOAT;
  return single ? kir_cast(e->b, kir_scalar(e->b->program, KIR_DOUBLE), x) : x;
}

/* Arguments are declared behind what names them, when it is known which there are. */
static kir_expr *argument(emitter *e, const char *text, const kir_type *type, int number) {
  kir_expr *x = kir_name(e->b, text);
  if (x->kind == KIR_NAMED) x->type = type;
  x->part.argument = 1 + number;
  return x;
}

kir_expr *access_buffer(emitter *e, int buffer) {
  const kir_type *element = kir_scalar(e->b->program, access_kind(&e->p->program->execution.buffer[buffer]));
  return argument(e, e->file.buffer_arg[buffer],
                  kir_pointer_to(e->b->program, element, e->d->opencl ? KIR_GLOBAL : KIR_PRIVATE), buffer);
}

/* Where a buffer has the numbers of an edge: loops over neighbours know their slot. */
kir_expr *access_edge(emitter *e, plan_edge_index index, bool in_loop, kir_expr *edge) {
  if (index == PLAN_EDGE_SLOT)
    return in_loop ? kir_name(e->b, "slot") : access_element(e, e->p->mesh.edge_slot, 0, edge);
  return index == PLAN_EDGE_PAIR ? access_element(e, e->p->mesh.edge_pair, 0, edge) : edge;
}

/* The index variable of a point that a READ names. */
static const char *index_of(const emitter *e, ir_at at) {
  switch (at) {
  case IR_AT_L: return "L";
  case IR_AT_R: return "R";
  case IR_AT_F:
  case IR_AT_OUT: return "f";
  case IR_AT_D: return "d";
  case IR_AT_I: return e->k->place == IR_NODES ? "i" : "from";
  case IR_AT_J: return e->k->place == IR_NODES ? "j" : "to";
  case IR_AT_E: return "e";
  default: assert(at == IR_AT_HERE); return "i";
  }
}

kir_expr *access_scalar(emitter *e, int entry) {
  static const char *const fixed[] = {"TIME_NOW",  "TIME_STEP",      "TIME_STOP",
                                      "TIME_NEXT", "TIME_STEP_FREE", "TIME_STEP_MOST"};
  e->file.out->part[PRELUDE_SCALARS] = true;
  kir_expr *scalars = access_buffer(e, e->p->scalars);
  if (entry < DSLC_SCALAR_GLOBALS) return kir_quote(e->b, "%e[%s]", scalars, fixed[entry]);
  return kir_quote(e->b, "%e[FIRST_GLOBAL + %d]", scalars, entry - DSLC_SCALAR_GLOBALS);
}

static kir_expr *read_parameter(emitter *e, const ir_node *n) {
  const plan_location *at = &e->p->location[n->read.sym];
  const kir_type *number = kir_scalar(e->b->program, KIR_DOUBLE);
  const int parameter = at->parameter * DSLC_MOST_COMPONENTS + n->read.first,
            weight = at->first + n->read.first;
  if (ir_symbol_get(e->m, n->read.sym)->kind == IR_PARAMETER)
    return argument(e, e->file.parameter[parameter], number, arguments_parameter(e, parameter));
  if (at->launch == PLAN_LAUNCH_STAGE) return argument(e, "stage", number, arguments_stage(e));
  if (at->launch == PLAN_LAUNCH_WEIGHT)
    return argument(e, arena_printf(e->memory, "weight_%d", weight), number, arguments_weight(e, weight));
  return access_scalar(e, at->scalar + n->read.first);
}

/* The face's value as the cell sees it: an odd one changes sign, of a fluctuation the cell has its own
 * part. */
static kir_expr *read_outward(emitter *e, const ir_node *n, int buffer, int component) {
  const ir_symbol *s = ir_symbol_get(e->m, n->read.sym);
  access_macro *a = &e->file.access[buffer][component];
  kir_expr *f = kir_name(e->b, "f");
  if (e->patch && s->is_fluctuation) return patch_read(e, n, buffer, component);
  if (s->is_fluctuation && a->side) {
    a->side_used = true;
    kir_expr *x = element(e, buffer, component, a->side, f, kir_name(e->b, "left"));
    x->part.apart = a->span; /* each face is seen from both its cells */
    return access_widened(e, x);
  }
  kir_expr *value = e->patch ? patch_read(e, n, buffer, component)
                             : access_widened(e, access_element(e, buffer, component, f));
  if (!s->is_flux && s->side != IR_ODD) return value;
  return kir_binary(e->b, KIR_MUL, kir_name(e->b, "outward"), value);
}

static kir_expr *read_on_mesh(emitter *e, const ir_node *n, int buffer, int component) {
  if (n->read.at == IR_AT_OUT) return read_outward(e, n, buffer, component);
  if (patch_holds(e, n)) return patch_read(e, n, buffer, component);
  const dslc_buffer *b = &e->p->program->execution.buffer[buffer];
  if (b->hold) return access_at(e, buffer, component, "row");
  if (b->kind == DSLC_BUFFER_ARGUMENT) return access_at(e, buffer, component, "item");
  kir_expr *point = kir_name(e->b, index_of(e, n->read.at));
  return access_element(e, buffer, component,
                        access_edge(e, e->p->location[n->read.sym].index, n->read.at == IR_AT_E, point));
}

/* A state that lives nowhere. */
static bool is_one_value(const emitter *e, int buffer) {
  const dslc_buffer *b = &e->p->program->execution.buffer[buffer];
  return b->kind == DSLC_BUFFER_STATE && b->place == DSLC_NOWHERE;
}

static kir_expr *read_value(emitter *e, ir_id id) {
  const ir_node *n = ir_get(e->m, id);
  if (n->op == IR_SIGN_OUT) return kir_name(e->b, "outward");
  kir_expr *called = e->p->program->space.on_grid ? walls_call(e, id) : NULL;
  if (called) return called;
  int component, buffer = arguments_read_buffer(e, n, &component);
  if (buffer < 0 || buffer == e->p->scalars) return read_parameter(e, n);
  if (is_one_value(e, buffer)) return access_element(e, buffer, component, kir_whole(e->b, 0));
  if (window_keeps(e, buffer) && !e->at_wall.function) return window_read(e, n, buffer, component);
  kir_expr *marched = march_read(e, n, buffer, component);
  if (marched) return marched;
  if (n->op == IR_PARAM && e->at_wall.faces > 1) return walls_mean_argument(e, buffer, component);
  if (e->p->program->space.on_grid) return access_element(e, buffer, component, grid_index(e, n));
  return read_on_mesh(e, n, buffer, component);
}

kir_expr *access_read(emitter *e, ir_id id) { return access_widened(e, read_value(e, id)); }

const char *access_temporary_name(emitter *e, ir_id id) {
  const ir_node *n = ir_get(e->m, id);
  int component, buffer = arguments_read_buffer(e, n, &component);
  if (buffer < 0 || buffer == e->p->scalars) {
    const ir_symbol *s = ir_symbol_get(e->m, n->read.sym);
    return arena_printf(e->memory, "%s%s", s->text, symbol_suffix(e, s, n->read.first));
  }
  const access_macro *a = &e->file.access[buffer][component];
  if (e->p->program->space.on_grid) return a->name;
  if (n->read.at == IR_AT_OUT) return a->side ? a->side : arena_printf(e->memory, "%s_out", a->name);
  return arena_printf(e->memory, "%s_%s", a->name, index_of(e, n->read.at));
}
