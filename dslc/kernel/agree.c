/* Whether what a program says of its kernels is what their text does: arguments, components read and written, loads and stores. The program
 * says what the account of the kernels as they were built found; here the same account is taken of the text, whose macros, passes and
 * conversions lie in between. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "kernel/account.h"
#include "kernel/agree.h"

typedef struct comparison {
  const dslc_program *g;
  kir_program *p;
  const dslc_kernel *kernel;
  const kir_function *function;
  kir_accounts accounts;
  char *messages;
  size_t size, used;
  int n;
} comparison;

static void tell(comparison *c, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

static void tell(comparison *c, const char *fmt, ...) {
  char text[400];
  va_list ap;
  va_start(ap, fmt);
  vsnprintf(text, sizeof text, fmt, ap);
  va_end(ap);
  if (c->used < c->size)
    c->used +=
        (size_t)snprintf(c->messages + c->used, c->size - c->used, "kernel %s: %s\n", c->kernel->name, text);
  c->n++;
}

/* What the first launch binds to a slot; NULL: the kernel is never launched. */
static const dslc_buffer *buffer_of(const comparison *c, int slot) {
  const dslc_program *g = c->g;
  for (int s = 0; s < g->execution.n_sections; s++)
    for (int o = 0; o < g->execution.section[s].n_ops; o++) {
      const dslc_op *op = &g->execution.section[s].op[o];
      if (op->kind == DSLC_OP_LAUNCH && &g->execution.kernel[op->kernel] == c->kernel && slot < op->n_buffers)
        return &g->execution.buffer[op->buffer[slot]];
    }
  return NULL;
}

static double row_length(const comparison *c) {
  if (c->kernel->place == DSLC_NODES) return c->g->space.dims == 3 ? 14 : 6;
  return c->g->space.faces_per_cell > 0 ? c->g->space.faces_per_cell : 6;
}

/* ---- one argument --------------------------------------------------------------------------------------------------- */

static const kir_variable *stride_of(const comparison *c, dslc_place place) {
  for (int i = 0; i < c->kernel->n_args; i++)
    if (c->kernel->arg[i].kind == DSLC_ARG_STRIDE && c->kernel->arg[i].number == (int)place)
      return c->function->parameters.at[i];
  return NULL;
}

static bool is_control(const dslc_buffer *b) {
  return b->kind == DSLC_BUFFER_SCALARS || b->kind == DSLC_BUFFER_FLAGS;
}

static bool is_row_start(const dslc_buffer *b) {
  return b->source.kind == DSLC_SOURCE_CELL_START || b->source.kind == DSLC_SOURCE_NODE_START;
}

static bool is_row_table(const dslc_buffer *b) {
  return b->source.kind == DSLC_SOURCE_CELL_FACE || b->source.kind == DSLC_SOURCE_CELL_ACROSS ||
         b->source.kind == DSLC_SOURCE_PATCH_SIDE;
}

static kir_layout layout_of(const comparison *c, const dslc_arg *a) {
  const dslc_buffer *b = a->kind == DSLC_ARG_BUFFER ? buffer_of(c, a->number) : NULL;
  kir_layout l = {0};
  if (!b || is_control(b) || b->kind == DSLC_BUFFER_PARTIALS || is_row_table(b)) return l;
  l.is_row_start = is_row_start(b);
  l.is_wall_distance = b->source.kind == DSLC_SOURCE_WALL_DISTANCE && c->kernel->place != DSLC_NEAR_WALLS;
  l.width = b->width;
  l.apart = b->width > 1 && !b->aos;
  if (l.apart) l.stride = stride_of(c, b->place);
  return l;
}

static kir_kind kind_of(const dslc_arg *a) {
  switch (a->kind) {
  case DSLC_ARG_BUFFER: return KIR_POINTER;
  case DSLC_ARG_PARAMETER:
  case DSLC_ARG_STAGE:
  case DSLC_ARG_WEIGHT: return KIR_DOUBLE;
  default: return KIR_INT;
  }
}

static bool compare_type(comparison *c, int i) {
  static const kir_kind elements[] = {
      [DSLC_F64] = KIR_DOUBLE, [DSLC_F32] = KIR_FLOAT, [DSLC_I32] = KIR_INT, [DSLC_U8] = KIR_UCHAR};
  const dslc_arg *a = &c->kernel->arg[i];
  const kir_variable *v = c->function->parameters.at[i];
  if (!a->name || strcmp(a->name, v->name) != 0)
    tell(c, "argument %d is `%s` in the text, `%s` in the program", i, v->name, a->name ? a->name : "");
  if (v->type->kind != kind_of(a)) {
    tell(c, "`%s` is of another type", v->name);
    return false;
  }
  const dslc_buffer *b = a->kind == DSLC_ARG_BUFFER ? buffer_of(c, a->number) : NULL;
  if (b && v->type->of->kind != elements[b->element]) tell(c, "`%s` has elements of another type", v->name);
  return true;
}

static int count_true(const bool *flag, int n) {
  int count = 0;
  for (int i = 0; flag && i < n; i++) count += flag[i];
  return count;
}

static void compare_traffic(comparison *c, const dslc_arg *a, const kir_layout *l, const kir_account *t) {
  const dslc_buffer *b = buffer_of(c, a->number);
  if (!b || is_control(b)) {
    if (a->reads != 0 || a->writes != 0) tell(c, "`%s` counts as traffic", a->name);
    return;
  }
  if (t->unclear) tell(c, "`%s`: an index does not tell its component", a->name);
  else if (l->width) {
    const int reads = count_true(t->component_read, l->width),
              writes = count_true(t->component_written, l->width);
    const bool few =
        c->kernel->patches && a->reads < reads; /* what patches read at boundaries only, and their sizes */
    if (a->reads != reads && !few) tell(c, "`%s`: %d components are read, not %g", a->name, reads, a->reads);
    if (a->writes != writes) tell(c, "`%s`: %d components are written, not %g", a->name, writes, a->writes);
  } else if (is_row_table(b) && a->reads != (t->read_here ? row_length(c) : 0))
    tell(c, "`%s`: %g entries are read of a row, not %g", a->name, t->read_here ? row_length(c) : 0,
         a->reads);
}

static void compare_argument(comparison *c, int i, const kir_layout *l) {
  const dslc_arg *a = &c->kernel->arg[i];
  const kir_account none = {0}, *found = kir_account_of(&c->accounts, i), *t = found ? found : &none;
  if (!compare_type(c, i)) return;
  if (kind_of(a) == KIR_INT) return; /* sizes and pitches come in sets */
  if (!t->read && !t->written) tell(c, "`%s` is never used", a->name);
  if (a->kind != DSLC_ARG_BUFFER) return;
  const kir_type *of = c->function->parameters.at[i]->type->of;
  if (!of->is_const && !t->written) tell(c, "`%s` is not const, and nothing writes it", a->name);
  compare_traffic(c, a, l, t);
}

/* ---- one kernel ----------------------------------------------------------------------------------------------------------- */

static void compare_sums(comparison *c) {
  double loads = 0, stores = 0;
  /* A text does not tell what its loops run over: what a window keeps is loaded once a row, or once a subdomain; what a patch keeps once a
   * cell or face. */
  if (c->kernel->rows > 0 || c->kernel->patches) return;
  for (int i = 0; i < c->kernel->n_args; i++) {
    const dslc_buffer *b =
        c->kernel->arg[i].kind == DSLC_ARG_BUFFER ? buffer_of(c, c->kernel->arg[i].number) : NULL;
    if (!b || is_control(b)) continue;
    const kir_account *t = kir_account_of(&c->accounts, i);
    if (t && b->kind != DSLC_BUFFER_PARTIALS) loads += t->loads; /* few */
    if (t) stores += t->stores;
  }
  if (loads != c->kernel->cost.loads)
    tell(c, "an item loads %g elements, not %g", loads, c->kernel->cost.loads);
  if (stores != c->kernel->cost.stores)
    tell(c, "an item stores %g elements, not %g", stores, c->kernel->cost.stores);
}

static void compare_kernel(comparison *c) {
  c->function = kir_find_kernel(c->p, c->kernel->name);
  const int n = c->kernel->n_args;
  if (!c->function) {
    tell(c, "it is not in the text");
    return;
  }
  if (c->function->parameters.n != n) {
    tell(c, "it has %d arguments in the text, %d in the program", c->function->parameters.n, n);
    return;
  }
  kir_layout *layout = arena_array(c->p->arena, kir_layout, n + 1);
  for (int i = 0; i < n; i++) layout[i] = layout_of(c, &c->kernel->arg[i]);
  c->accounts = (kir_accounts){.memory = c->p->arena,
                               .layout = layout,
                               .place = arena_array(c->p->arena, int, n + 1),
                               .row_length = row_length(c),
                               .items = c->kernel->parts > 0 ? c->kernel->parts : 1};
  kir_take_account(c->p, c->function, &c->accounts);
  for (int i = 0; i < n; i++) compare_argument(c, i, &layout[i]);
  compare_sums(c);
}

int kir_agrees(kir_program *p, const dslc_program *g, char *messages, size_t size) {
  comparison c = {.g = g, .p = p, .messages = messages, .size = size};
  if (size) messages[0] = '\0';
  for (int i = 0; i < g->execution.n_kernels; i++) {
    c.kernel = &g->execution.kernel[i];
    compare_kernel(&c);
  }
  return c.n;
}
