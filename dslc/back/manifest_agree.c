/* What a program says in one place agrees with what it says in others: fields and arguments with their buffers, buffers that exchange contents
 * with each other, launches with their kernels. What does not would be read beyond its end, or as something else. */
#include "back/manifest.h"
#include "back/text.h"

#include <string.h>

typedef struct agreement {
  const dslc_program *p;
  arena *memory;
  const char *wrong; /* the first fault */
} agreement;

__attribute__((format(printf, 2, 3))) static void say(agreement *c, const char *format, ...) {
  char text[512];
  va_list ap;
  if (c->wrong) return;
  va_start(ap, format);
  vsnprintf(text, sizeof text, format, ap);
  va_end(ap);
  c->wrong = arena_printf(c->memory, "%s", text);
}

static bool is_real(const dslc_buffer *b) { return b->element == DSLC_F64 || b->element == DSLC_F32; }

static bool is_control(const dslc_buffer *b) {
  return b->kind == DSLC_BUFFER_SCALARS || b->kind == DSLC_BUFFER_FLAGS;
}

/* Contents of the one could be those of the other. */
static bool are_alike(const dslc_buffer *a, const dslc_buffer *b) {
  return a->place == b->place && a->element == b->element && a->width == b->width && a->aos == b->aos &&
         (a->hold > 0) == (b->hold > 0);
}

/* ---- buffers, and who names them ------------------------------------------------------------------------------------------ */

/* A state that is one value has its buffers nowhere. */
static bool has_single_values(const dslc_program *p) {
  for (int i = 0; i < p->model.n_fields; i++)
    if (p->model.field[i].place == DSLC_NOWHERE) return true;
  return false;
}

static bool is_computed(const dslc_buffer *b) {
  return b->kind == DSLC_BUFFER_STATE || b->kind == DSLC_BUFFER_WORK || b->kind == DSLC_BUFFER_ALIAS;
}

static void check_buffers(agreement *c) {
  const bool single = has_single_values(c->p);
  for (int i = 0; i < c->p->execution.n_buffers; i++) {
    const dslc_buffer *b = &c->p->execution.buffer[i];
    const bool nowhere = b->place == DSLC_NOWHERE;
    const bool filled = b->kind == DSLC_BUFFER_GIVEN || b->kind == DSLC_BUFFER_ARGUMENT;
    if (is_control(b) && !nowhere) say(c, "buffers[%d].place: scalars and flags are nowhere", i);
    if ((is_computed(b) || filled) && nowhere && !single)
      say(c, "buffers[%d].place: one of its kind is at some place", i);
    if ((is_computed(b) || filled || b->kind == DSLC_BUFFER_PARTIALS) && !is_real(b))
      say(c, "buffers[%d].element: one of its kind is f64 or f32", i);
    if (b->kind == DSLC_BUFFER_ARGUMENT && b->place != (b->hold > 0 ? DSLC_NODES : DSLC_FACES))
      say(c, "buffers[%d].place: an argument is at faces, or, with `hold`, at nodes", i);
    if (b->has_ghosts && !c->p->space.on_grid && b->place != DSLC_CELLS)
      say(c, "buffers[%d].ghosts: only cells have ghosts", i);
  }
}

static void check_fields(agreement *c) {
  static const dslc_buffer_kind kinds[] = {
      [DSLC_STATE] = DSLC_BUFFER_STATE, [DSLC_GIVEN] = DSLC_BUFFER_GIVEN, [DSLC_QUANTITY] = DSLC_BUFFER_WORK};
  for (int i = 0; i < c->p->model.n_fields; i++) {
    const dslc_field *f = &c->p->model.field[i];
    if (f->buffer < 0) continue;
    const dslc_buffer *b = &c->p->execution.buffer[f->buffer];
    if (b->place != f->place) say(c, "fields[%d].place is not that of its buffer, buffers[%d]", i, f->buffer);
    if (b->kind != kinds[f->kind] && f->kind != DSLC_QUANTITY)
      say(c, "fields[%d].buffer is %d: buffers[%d] is of another kind", i, f->buffer, f->buffer);
    if (!is_real(b)) say(c, "fields[%d].buffer is %d: buffers[%d] has integers", i, f->buffer, f->buffer);
  }
}

static void check_globals(agreement *c) {
  for (int i = 0; i < c->p->model.n_globals; i++) {
    const int scalar = c->p->model.global[i].scalar;
    if (scalar == DSLC_SCALAR_T_STOP || scalar == DSLC_SCALAR_MOST)
      say(c, "globals[%d].scalar is %d, which the host sets", i, scalar);
  }
}

static void check_rules(agreement *c) {
  for (int i = 0; i < c->p->model.n_rules; i++)
    for (int k = 0; k < c->p->model.rule[i].n_arguments; k++) {
      const int number = c->p->model.rule[i].argument[k].buffer;
      if (number < 0) continue;
      const dslc_buffer *b = &c->p->execution.buffer[number];
      if (b->kind != DSLC_BUFFER_ARGUMENT || b->rule != i || b->argument != k)
        say(c, "rules[%d].arguments[%d].buffer is %d: buffers[%d] is not that argument's", i, k, number,
            number);
    }
  for (int i = 0; i < c->p->execution.n_buffers && !c->wrong; i++) {
    const dslc_buffer *b = &c->p->execution.buffer[i];
    if (b->kind == DSLC_BUFFER_ARGUMENT &&
        b->width != c->p->model.rule[b->rule].argument[b->argument].components)
      say(c, "buffers[%d].width is %d, the argument of the rule has %d components", i, b->width,
          c->p->model.rule[b->rule].argument[b->argument].components);
  }
}

/* ---- kernels -------------------------------------------------------------------------------------------------------------------- */

static bool has_arg(const dslc_kernel *k, dslc_arg_kind kind) {
  for (int a = 0; a < k->n_args; a++)
    if (k->arg[a].kind == kind) return true;
  return false;
}

/* The argument that is slot `number`, or -1. */
static int arg_of_slot(const dslc_kernel *k, int number) {
  for (int a = 0; a < k->n_args; a++)
    if (k->arg[a].kind == DSLC_ARG_BUFFER && k->arg[a].number == number) return a;
  return -1;
}

static void check_slots(agreement *c, int kernel) {
  const dslc_kernel *k = &c->p->execution.kernel[kernel];
  for (int a = 0; a < k->n_args; a++)
    for (int b = 0; b < a; b++)
      if (k->arg[a].kind == k->arg[b].kind && k->arg[a].number == k->arg[b].number &&
          k->arg[a].component == k->arg[b].component)
        say(c, "kernels[%d].args[%d].number is %d, as that of args[%d]", kernel, a, k->arg[a].number, b);
}

static void check_kernels(agreement *c) {
  for (int i = 0; i < c->p->execution.n_kernels; i++) {
    const dslc_kernel *k = &c->p->execution.kernel[i];
    check_slots(c, i);
    if ((k->grid > 0) != has_arg(k, DSLC_ARG_POINTS))
      say(c, "kernels[%d].grid: kernels over a grid have its points, others not", i);
    if ((k->place == DSLC_NOWHERE) == (has_arg(k, DSLC_ARG_ITEMS) || has_arg(k, DSLC_ARG_POINTS)))
      say(c, "kernels[%d].place: a kernel at some place has items, one that is nowhere has none", i);
  }
}

/* ---- what may be touched from where ------------------------------------------------------------------------------------------------ */

static bool is_line(dslc_place p) { return p == DSLC_XLINE || p == DSLC_YLINE || p == DSLC_ZLINE; }
static bool is_of_graph(dslc_place p) { return p == DSLC_NODES || p == DSLC_EDGES; }

static bool is_in_reach(const dslc_program *p, const dslc_kernel *k, const dslc_buffer *b) {
  if (is_control(b) || b->kind == DSLC_BUFFER_PARTIALS) return true;
  if (k->place == DSLC_NOWHERE || b->place == DSLC_NOWHERE) return b->place == DSLC_NOWHERE;
  if (is_line(k->place)) return b->place == k->place;
  return p->space.on_grid || is_of_graph(k->place) == is_of_graph(b->place);
}

/* Items of cells and edges write at their own place, unless they share what they write in patches. */
static bool is_written_there(const dslc_program *p, const dslc_kernel *k, const dslc_buffer *b) {
  const bool own = (k->place == DSLC_CELLS && !p->space.on_grid && k->patches == 0) ||
                   k->place == DSLC_EDGES || k->place == DSLC_NEAR_WALLS;
  return !own || b->place == k->place || is_control(b) || b->kind == DSLC_BUFFER_PARTIALS;
}

/* ---- launches ------------------------------------------------------------------------------------------------------------------------ */

/* Letters and digits of a name, small or capital as they are; false: it has others than ASCII's. */
static bool reduce(const char *word, char *to, size_t room) {
  size_t n = 0;
  for (; *word; word++) {
    if ((unsigned char)*word > 126 || n + 1 == room) return false;
    if (text_is_letter(*word) || text_is_digit(*word)) to[n++] = *word;
  }
  to[n] = '\0';
  return true;
}

/* "held_Tw_2_" is the argument of "held.Tw": what cannot be an identifier is left out, and what was taken has a number or a word behind. Values
 * that are computed take turns in a kernel's argument: "u.stage1" and "u" in that of "u_old", by what is before the dot. */
static bool is_named_after(const char *arg, const dslc_buffer *of) {
  const bool turns =
      of->kind == DSLC_BUFFER_STATE || of->kind == DSLC_BUFFER_WORK || of->kind == DSLC_BUFFER_GIVEN;
  char a[256], b[256], stem[256];
  int length = 0;
  while (of->name[length] && !(turns && of->name[length] == '.')) length++;
  snprintf(stem, sizeof stem, "%.*s", length, of->name);
  if (!arg || !reduce(arg, a, sizeof a) || !reduce(stem, b, sizeof b)) return true;
  const size_t n = strlen(b);
  const bool set_apart =
      *a == 's' && strncmp(a + 1, b, n) == 0; /* "s_get_x_": a word that OpenCL could have */
  if (!set_apart && strncmp(a, b, n) != 0) return false;
  const char *rest = a + n + set_apart;
  if (strncmp(rest, "of", 2) == 0) rest += 2;
  while (text_is_digit(*rest)) rest++;
  return turns || !*rest;
}

typedef struct place_of_op {
  int section, op;
} place_of_op;

static void check_bound(agreement *c, place_of_op at, const dslc_op *op, int slot, const int *first) {
  const dslc_kernel *k = &c->p->execution.kernel[op->kernel];
  const int number = op->buffer[slot], arg = arg_of_slot(k, slot);
  const dslc_buffer *b = &c->p->execution.buffer[number];
  const char *what = NULL;
  if (arg < 0) return;
  const bool ruled = op->subset == DSLC_RULE && b->kind == DSLC_BUFFER_ARGUMENT && b->rule != op->rule;
  if (b->kind == DSLC_BUFFER_ALIAS) what = "it is an alias, which has no contents";
  else if (!is_in_reach(c->p, k, b)) what = "the kernel's items are not at its place";
  else if (k->arg[arg].writes > 0 && !is_written_there(c->p, k, b))
    what = "the kernel does not write at its place";
  else if (!is_named_after(k->arg[arg].name, b)) what = "it is not the buffer that the argument names";
  else if (ruled || (op->subset == DSLC_HOLD && b->hold > 0 && b->hold != 1 + op->rule))
    what = "it is of another rule than the launch's";
  else if (!are_alike(b, &c->p->execution.buffer[*first]))
    what = "another launch has one of another place, element or width there";
  if (what)
    say(c, "sections[%d].ops[%d].buffers[%d] is %d, '%s', for kernels[%d].args[%d], '%s': %s", at.section,
        at.op, slot, number, b->name, op->kernel, arg, k->arg[arg].name ? k->arg[arg].name : "", what);
}

static void check_subset(agreement *c, place_of_op at, const dslc_op *op) {
  const dslc_kernel *k = &c->p->execution.kernel[op->kernel];
  const dslc_subset s = op->subset;
  const bool rule = s == DSLC_RULE || s == DSLC_INTERIOR || s == DSLC_COLOUR || s == DSLC_BOUNDARY;
  if (has_arg(k, DSLC_ARG_FIRST) != (s != DSLC_OWNED && s != DSLC_INTERIOR) && s != DSLC_INTERIOR)
    say(c, "sections[%d].ops[%d].subset: kernels[%d] %s a first item", at.section, at.op, op->kernel,
        s == DSLC_OWNED ? "has" : "has not");
  if ((rule && k->place != DSLC_FACES) || (s == DSLC_HOLD && k->place != DSLC_NODES))
    say(c, "sections[%d].ops[%d].subset: kernels[%d] is over another place", at.section, at.op, op->kernel);
}

/* first[slots]: of each slot of each kernel the buffer of its first launch, -1 before. */
static void check_launch(agreement *c, place_of_op at, const dslc_op *op, int **first) {
  check_subset(c, at, op);
  for (int s = 0; s < op->n_buffers && !c->wrong; s++) {
    int *known = &first[op->kernel][s];
    if (*known < 0) *known = op->buffer[s];
    check_bound(c, at, op, s, known);
  }
}

static void check_pair(agreement *c, place_of_op at, const dslc_op *op) {
  const dslc_buffer *b = c->p->execution.buffer;
  if (!are_alike(&b[op->a], &b[op->b]))
    say(c, "sections[%d].ops[%d].b is %d: buffers[%d] is of another place, element or width than buffers[%d]",
        at.section, at.op, op->b, op->b, op->a);
}

static void check_ghosts(agreement *c, place_of_op at, const dslc_op *op) {
  const dslc_buffer *b = &c->p->execution.buffer[op->a];
  const bool points = b->place != DSLC_NOWHERE && b->place != DSLC_NEAR_WALLS && !is_line(b->place);
  if (!is_real(b) || (c->p->space.on_grid ? !points : b->place != DSLC_CELLS || !b->has_ghosts))
    say(c, "sections[%d].ops[%d].a is %d: buffers[%d] has no ghosts", at.section, at.op, op->a, op->a);
}

static int **slots_of(agreement *c) {
  const int n = c->p->execution.n_kernels;
  int **first = arena_array(c->memory, int *, n + 1);
  for (int k = 0; k < n; k++) {
    const int args = c->p->execution.kernel[k].n_args;
    first[k] = arena_array(c->memory, int, args + 1);
    for (int s = 0; s < args; s++) first[k][s] = -1;
  }
  return first;
}

static void check_sections(agreement *c) {
  int **first = slots_of(c);
  for (int s = 0; s < c->p->execution.n_sections; s++)
    for (int o = 0; o < c->p->execution.section[s].n_ops && !c->wrong; o++) {
      const dslc_op *op = &c->p->execution.section[s].op[o];
      const place_of_op at = {s, o};
      if (op->kind == DSLC_OP_LAUNCH) check_launch(c, at, op, first);
      if (op->kind == DSLC_OP_SWAP || op->kind == DSLC_OP_COPY) check_pair(c, at, op);
      if (op->kind == DSLC_OP_GHOSTS) check_ghosts(c, at, op);
    }
}

const char *manifest_agree(const dslc_program *p, arena *a) {
  agreement c = {.p = p, .memory = a};
  check_buffers(&c);
  check_fields(&c);
  check_globals(&c);
  check_rules(&c);
  check_kernels(&c);
  if (!c.wrong) check_sections(&c);
  return c.wrong;
}
