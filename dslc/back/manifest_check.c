/* Every number in a program that indexes something, or sizes it, lies in range. */
#include "back/manifest.h"
#include "back/source_kinds.h"
#include "back/text.h"

#include <string.h>

typedef struct checker {
  const dslc_program *p;
  arena *memory;
  const char *wrong; /* the first fault */
  const char *where; /* "kernels[2].args[0]" */
} checker;

static void in_range(checker *c, const char *what, int value, int low, int high) {
  if (c->wrong || (value >= low && value <= high)) return;
  if (high < low)
    c->wrong =
        arena_printf(c->memory, "%s.%s is %d, but there is nothing to refer to", c->where, what, value);
  else c->wrong = arena_printf(c->memory, "%s.%s is %d, expected %d to %d", c->where, what, value, low, high);
}

static void demand(checker *c, bool holds, const char *what) {
  if (!c->wrong && !holds) c->wrong = arena_printf(c->memory, "%s: %s", c->where, what);
}

static void at(checker *c, const char *list, int i) {
  if (!c->wrong) c->where = arena_printf(c->memory, "%s[%d]", list, i);
}

static int count_kind(const dslc_program *p, dslc_buffer_kind kind) {
  int n = 0;
  for (int b = 0; b < p->execution.n_buffers; b++) n += p->execution.buffer[b].kind == kind;
  return n;
}

static int scalars_width(const dslc_program *p) {
  for (int b = 0; b < p->execution.n_buffers; b++)
    if (p->execution.buffer[b].kind == DSLC_BUFFER_SCALARS) return p->execution.buffer[b].width;
  return 0;
}

static bool is_identifier(const char *s) {
  const char *at = s;
  while (*at == '_' || text_is_digit(*at) || text_is_letter(*at)) at++;
  return *s && !*at && !text_is_digit(*s);
}

/* A weight is a number for each cell. */
static bool is_weight(const dslc_program *p, const char *weight) {
  for (int i = 0; i < p->model.n_fields; i++) {
    const dslc_field *f = &p->model.field[i];
    if (f->kind == DSLC_GIVEN && f->place == DSLC_CELLS && f->components == 1 && !f->over_time &&
        strcmp(f->name, weight) == 0)
      return true;
  }
  return false;
}

/* Whoever fills the buffer relies on these. */
static void check_source_members(checker *c, const dslc_buffer *b) {
  const dslc_program *p = c->p;
  unsigned has = dslc_source_has(b->source.kind);
  const char *rest = arena_printf(c->memory, "source (%s)", dslc_source_text(b->source.kind));
  if (has & DSLC_HAS_FIELD)
    in_range(c, arena_printf(c->memory, "%s.field", rest), b->source.field, 0, p->model.n_fields - 1);
  if (has & DSLC_HAS_RULE)
    in_range(c, arena_printf(c->memory, "%s.rule", rest), b->source.rule, 0, p->model.n_rules - 1);
  if ((has & DSLC_HAS_LANES) && (b->source.lanes < 1 || DSLC_SLICE % b->source.lanes != 0) && !c->wrong)
    c->wrong = arena_printf(c->memory, "%s.%s.lanes is %d, expected a number that divides %d", c->where, rest,
                            b->source.lanes, DSLC_SLICE);
  if ((has & DSLC_HAS_WEIGHT) && !c->wrong)
    demand(c, is_weight(p, b->source.weight),
           "the weight of an integral is a given at cells, one number each");
  if ((has & DSLC_HAS_FORM) && !c->wrong)
    demand(c, (b->source.form == DSLC_FORM_N) == (b->place == DSLC_NODES),
           "the integral of N is at nodes, those of other forms at edges");
}

static void check_source(checker *c, const dslc_buffer *b) {
  const source_kind *k = source_kind_get(b->source.kind);
  const char *text = k->text;
  bool filled = b->kind == DSLC_BUFFER_GEOMETRY || b->kind == DSLC_BUFFER_TOPOLOGY ||
                (b->kind == DSLC_BUFFER_GIVEN && b->ahead > 0);
  demand(c, filled == (b->source.kind != DSLC_SOURCE_NONE),
         filled ? "it has no source: nobody knows what to fill it with"
                : "a buffer of its kind has no source");
  if (!filled || c->wrong) return;
  demand(c, b->kind == k->buffer, arena_printf(c->memory, "a buffer of its kind has no source '%s'", text));
  demand(c, (k->places & (1u << b->place)) != 0, arena_printf(c->memory, "its place has no '%s'", text));
  bool rows = k->by_row && b->place == DSLC_NODES; /* what nodes have only as rows of a hold */
  demand(
      c, rows == (b->hold > 0),
      arena_printf(c->memory, "'%s' %s by the rows of a constraint", text, rows ? "lies" : "does not lie"));
  const bool single = b->element == DSLC_F32 && k->element == DSLC_F64;
  demand(c, b->element == k->element || single,
         arena_printf(c->memory, "its element is not that of '%s'", text));
  check_source_members(c, b);
  if (c->wrong) return;
  int width = source_width_of(c->p, &b->source);
  demand(c, b->width == width,
         arena_printf(c->memory, "its width is %d, '%s' has %d", b->width, text, width));
}

static void check_buffers(checker *c) {
  const dslc_program *p = c->p;
  for (int i = 0; i < p->execution.n_buffers && !c->wrong; i++) {
    const dslc_buffer *b = &p->execution.buffer[i];
    at(c, "buffers", i);
    in_range(c, "width", b->width, 1, 65535);
    in_range(c, "hold", b->hold, 0, p->model.n_holds);
    demand(c, b->kind != DSLC_BUFFER_SCALARS || b->element == DSLC_F64, "scalars are f64");
    demand(c, b->kind != DSLC_BUFFER_FLAGS || b->element == DSLC_I32, "flags are i32");
    check_source(c, b);
    if (b->kind != DSLC_BUFFER_ARGUMENT) continue;
    in_range(c, "rule", b->rule, 0, p->model.n_rules - 1);
    if (!c->wrong) in_range(c, "argument", b->argument, 0, p->model.rule[b->rule].n_arguments - 1);
  }
  c->where = "buffers";
  demand(c, count_kind(p, DSLC_BUFFER_SCALARS) == 1, "expected exactly one of kind scalars");
  demand(c, count_kind(p, DSLC_BUFFER_FLAGS) == 1, "expected exactly one of kind flags");
}

static void check_bounds(checker *c, const char *text) {
  dslc_bounds b;
  demand(c, dslc_bounds_read(text, &b), "bounds cannot be read: expected as in \">= 0 and < 1\"");
}

static void check_names(checker *c) {
  const dslc_program *p = c->p;
  for (int i = 0; i < p->model.n_variants; i++) {
    at(c, "variants", i);
    in_range(c, "chosen", p->model.variant[i].chosen, 0, p->model.variant[i].n_choices - 1);
  }
  for (int i = 0; i < p->model.n_parameters; i++) {
    at(c, "parameters", i);
    in_range(c, "components", p->model.parameter[i].components, 1, DSLC_MOST_COMPONENTS);
    check_bounds(c, p->model.parameter[i].bounds);
  }
  for (int i = 0; i < p->model.n_globals; i++) {
    at(c, "globals", i);
    in_range(c, "scalar", p->model.global[i].scalar, 0, scalars_width(p) - 1);
    in_range(c, "show", p->model.global[i].show, -1, p->execution.n_sections - 1);
  }
  for (int i = 1; i < p->model.n_rules; i++)
    for (int k = 0; k < i; k++) {
      at(c, "rules", i);
      demand(c,
             p->model.rule[i].axis != p->model.rule[k].axis ||
                 strcmp(p->model.rule[i].name, p->model.rule[k].name) != 0,
             "a rule of this name and axis is there already");
    }
  for (int i = 0; i < p->model.n_rules; i++)
    for (int k = 0; k < p->model.rule[i].n_arguments; k++) {
      at(c, "rules", i);
      const dslc_argument *a = &p->model.rule[i].argument[k];
      in_range(c, "arguments.components", a->components, 1, DSLC_MOST_COMPONENTS);
      in_range(c, "arguments.buffer", a->buffer, -1, p->execution.n_buffers - 1);
      check_bounds(c, a->bounds);
    }
  for (int i = 0; i < p->execution.n_checks; i++) {
    at(c, "checks", i);
    in_range(c, "field", p->execution.check[i].field, -1, p->model.n_fields - 1);
  }
  for (int i = 0; i < p->model.n_equations; i++) {
    at(c, "equations", i);
    in_range(c, "kernel", p->model.equation[i].kernel, -1, p->execution.n_kernels - 1);
  }
}

static void check_buffer_of(checker *c, const char *what, int buffer, dslc_place place) {
  in_range(c, what, buffer, 0, c->p->execution.n_buffers - 1);
  if (c->wrong) return;
  const dslc_buffer *b = &c->p->execution.buffer[buffer];
  demand(c, b->place == place && b->width == 1 && b->element == DSLC_F64,
         arena_printf(c->memory, "%s names a buffer of another place, width or element", what));
}

static void check_systems(checker *c) {
  const dslc_program *p = c->p;
  for (int i = 0; i < p->model.n_holds && !c->wrong; i++) {
    at(c, "holds", i);
    in_range(c, "rule", p->model.hold[i].rule, 0, p->model.n_rules - 1);
    in_range(c, "field", p->model.hold[i].field, -1, p->model.n_fields - 1);
  }
  for (int i = 0; i < p->execution.n_solves && !c->wrong; i++) {
    const dslc_solve *s = &p->execution.solve[i];
    at(c, "solves", i);
    in_range(c, "field", s->field, 0, p->model.n_fields - 1);
    check_buffer_of(c, "off", s->off, DSLC_EDGES);
    check_buffer_of(c, "diagonal", s->diagonal, DSLC_NODES);
    check_buffer_of(c, "rhs", s->rhs, DSLC_NODES);
    check_buffer_of(c, "solution", s->solution, DSLC_NODES);
  }
}

static void check_repeats(checker *c) {
  const dslc_program *p = c->p;
  for (int i = 0; i < p->execution.n_repeats && !c->wrong; i++) {
    at(c, "repeats", i);
    for (int k = 0; k < p->execution.repeat[i].n_residuals; k++)
      in_range(c, "residuals", p->execution.repeat[i].residual[k], 0, scalars_width(p) - 1);
  }
}

static void check_fields(checker *c) {
  const dslc_program *p = c->p;
  for (int i = 0; i < p->model.n_fields && !c->wrong; i++) {
    const dslc_field *f = &p->model.field[i];
    at(c, "fields", i);
    in_range(c, "components", f->components, 1, DSLC_MOST_COMPONENTS);
    in_range(c, "buffer", f->buffer, -1, p->execution.n_buffers - 1);
    in_range(c, "show", f->show, -1, p->execution.n_sections - 1);
    check_bounds(c, f->bounds);
    in_range(c, "flux", f->flux, 0, 1);
    demand(c,
           !f->flux ||
               (f->kind == DSLC_STATE && f->place == DSLC_FACES && f->components == 1 && !p->space.on_grid),
           "flux: only a state at the faces of a mesh, one number each, points from L to R");
    if (!c->wrong && f->buffer >= 0)
      in_range(c, "first", f->first, 0, p->execution.buffer[f->buffer].width - f->components);
  }
}

static int count_slots(const dslc_kernel *k) {
  int n = 0;
  for (int a = 0; a < k->n_args; a++) n += k->arg[a].kind == DSLC_ARG_BUFFER;
  return n;
}

static void check_arg(checker *c, const dslc_kernel *k, const dslc_arg *a) {
  const dslc_program *p = c->p;
  switch (a->kind) {
  case DSLC_ARG_BUFFER: in_range(c, "number", a->number, 0, count_slots(k) - 1); break;
  case DSLC_ARG_STRIDE: in_range(c, "number", a->number, 1, DSLC_PLACE_COUNT - 1); break;
  case DSLC_ARG_PARAMETER:
    in_range(c, "number", a->number, 0, p->model.n_parameters - 1);
    if (!c->wrong) in_range(c, "component", a->component, 0, p->model.parameter[a->number].components - 1);
    break;
  case DSLC_ARG_WEIGHT: in_range(c, "component", a->component, 0, 7); break;
  case DSLC_ARG_POINTS:
  case DSLC_ARG_PITCH:
    demand(c, p->space.on_grid, "only kernels on grids have points and pitches");
    in_range(c, "number", a->number, 0, 2);
    break;
  default: break;
  }
}

static void check_grid_kernel(checker *c, const dslc_kernel *k) {
  in_range(c, "grid", k->grid, 0, c->p->space.on_grid ? c->p->space.dims : 0);
  if (k->grid == 0) {
    demand(c, k->overlap == 0 && k->rows == 0, "only kernels over a grid have windows");
    return;
  }
  for (int d = 0; d < 2; d++) in_range(c, "tile", k->tile[d], k->loop ? 0 : 1, 65536);
  in_range(c, "rows", k->rows, 0, 1 << 24);
  in_range(c, "overlap", k->overlap, 0, k->tile[0] > 0 ? k->tile[0] - 1 : 65536);
}

/* Local numbers of faces and cells are made for the limits, and text relies on groups of that size. */
static void check_patches(checker *c, const dslc_kernel *k) {
  in_range(c, "patches", k->patches, 0, 1);
  if (k->patches == 0) return;
  demand(c, !c->p->space.on_grid && k->place == DSLC_CELLS,
         "only kernels over the cells of a mesh have patches");
  demand(c, c->p->space.patch.cells > 0 && k->local_size == c->p->space.patch.cells,
         "its local size is not the most cells of a patch");
  demand(c, k->lanes < 2 && k->parts < 2 && !k->one_group, "a kernel over patches has no lanes or parts");
}

static bool has_patches(const dslc_program *p) {
  for (int i = 0; i < p->execution.n_kernels; i++)
    if (p->execution.kernel[i].patches) return true;
  return false;
}

static bool is_of_patches(dslc_source_kind kind) {
  return kind >= DSLC_SOURCE_PATCH_START && kind <= DSLC_SOURCE_PATCH_SIDE;
}

/* All cells of a patch with its ring must have a number below 65536, twice in an int. */
static void check_patch_limits(checker *c) {
  const dslc_patch *l = &c->p->space.patch;
  in_range(c, "patch cells", l->cells, 0, 1024);
  in_range(c, "patch ring", l->ring, l->cells > 0 ? 1 : 0, 16384);
  in_range(c, "patch faces", l->faces, l->cells > 0 ? 1 : 0, 32767);
  demand(c, l->cells == 0 || !c->p->space.on_grid, "only meshes have patches");
  demand(c, l->cells > 0 || !has_patches(c->p), "kernels are over patches, which have no limits");
  for (int i = 0; i < c->p->execution.n_buffers && !c->wrong; i++)
    if (is_of_patches(c->p->execution.buffer[i].source.kind)) {
      at(c, "buffers", i);
      demand(c, l->cells > 0, "it is of patches, which have no limits");
    }
}

static void check_kernels(checker *c) {
  for (int i = 0; i < c->p->execution.n_kernels && !c->wrong; i++) {
    const dslc_kernel *k = &c->p->execution.kernel[i];
    at(c, "kernels", i);
    const char *kernel = c->where;
    demand(c, is_identifier(k->name), "its name is no identifier");
    in_range(c, "local size", k->local_size, 0, 65536);
    demand(c, !k->one_group || k->local_size > 0, "one group needs a local size");
    demand(c, !k->loop || k->local_size > 0, "a loop needs a local size");
    demand(c, k->parts < 2 || k->local_size > 0, "parts need a local size");
    check_grid_kernel(c, k);
    check_patches(c, k);
    in_range(c, "lanes", k->lanes, 0, 1024);
    in_range(c, "parts", k->parts, 0, 65536);
    in_range(c, "calls", k->calls, 0, 1000000000);
    in_range(c, "branches", k->branches, 0, 65536);
    demand(c, k->lanes < 2 || (k->local_size > 0 && k->local_size % k->lanes == 0),
           "its local size is no multiple of its lanes");
    for (int a = 0; a < k->n_args && !c->wrong; a++) {
      at(c, arena_printf(c->memory, "%s.args", kernel), a);
      check_arg(c, k, &k->arg[a]);
    }
  }
}

static bool counts_groups(const dslc_kernel *k) {
  for (int a = 0; a < k->n_args; a++)
    if (k->arg[a].kind == DSLC_ARG_GROUPS) return true;
  return false;
}

static void check_launch(checker *c, const dslc_section *s, const dslc_op *op) {
  const dslc_program *p = c->p;
  in_range(c, "kernel", op->kernel, 0, p->execution.n_kernels - 1);
  if (c->wrong) return;
  const dslc_kernel *k = &p->execution.kernel[op->kernel];
  demand(c, op->n_buffers == count_slots(k), "the number of buffers is not that of the kernel's slots");
  for (int b = 0; b < op->n_buffers; b++)
    in_range(c, "buffers", op->buffer[b], 0, p->execution.n_buffers - 1);
  if (op->subset == DSLC_RULE) in_range(c, "rule", op->rule, 0, p->model.n_rules - 1);
  demand(c, k->patches == 0 || op->subset == DSLC_OWNED, "a kernel over patches takes all of them");
  demand(c, op->subset != DSLC_BOUNDARY || (k->place == DSLC_FACES && !p->space.on_grid),
         "only kernels over the faces of a mesh are launched at boundaries");
  demand(c, !dslc_is_rim(op->subset) || (k->place == DSLC_CELLS && !p->space.on_grid),
         "only kernels over the cells of a mesh are launched in the cells at boundaries");
  if (op->subset == DSLC_HOLD) in_range(c, "rule", op->rule, 0, p->model.n_holds - 1);
  in_range(c, "groups of", op->groups_of, counts_groups(k) ? 0 : -1, s->n_ops - 1);
  if (c->wrong || op->groups_of < 0) return;
  const dslc_op *writer = &s->op[op->groups_of];
  in_range(c, "groups of (its kernel)", writer->kind == DSLC_OP_LAUNCH ? writer->kernel : -1, 0,
           p->execution.n_kernels - 1);
  if (!c->wrong)
    demand(c, p->execution.kernel[writer->kernel].local_size > 0,
           "'groups of' names a launch without a local size");
}

static void check_op(checker *c, const dslc_section *s, const dslc_op *op) {
  int last = c->p->execution.n_buffers - 1;
  switch (op->kind) {
  case DSLC_OP_LAUNCH: check_launch(c, s, op); break;
  case DSLC_OP_SWAP:
  case DSLC_OP_COPY:
    in_range(c, "a", op->a, 0, last);
    in_range(c, "b", op->b, 0, last);
    break;
  case DSLC_OP_GHOSTS: in_range(c, "a", op->a, 0, last); break;
  case DSLC_OP_REPEAT:
    in_range(c, "a", op->a, DSLC_FLAG_REPEAT, DSLC_FLAG_REPEAT + DSLC_REPEATS - 1);
    in_range(c, "b", op->b, 0, s->n_ops);
    in_range(c, "count", op->count, 0, c->wrong ? 0 : s->n_ops - op->b);
    in_range(c, "limit", op->limit, 0, 1 << 30);
    break;
  case DSLC_OP_SOLVE: in_range(c, "a", op->a, 0, c->p->execution.n_solves - 1); break;
  }
}

static void check_sections(checker *c) {
  const dslc_program *p = c->p;
  c->where = "sections";
  demand(c, p->execution.n_sections > DSLC_SECTION_STEP, "expected at least 'setup' and 'step'");
  for (int i = 0; i < p->execution.n_sections && !c->wrong; i++)
    for (int o = 0; o < p->execution.section[i].n_ops && !c->wrong; o++) {
      at(c, arena_printf(c->memory, "sections[%d].ops", i), o);
      check_op(c, &p->execution.section[i], &p->execution.section[i].op[o]);
    }
}

const char *manifest_check(const dslc_program *p, arena *a) {
  checker c = {.p = p, .memory = a, .where = "the program"};
  in_range(&c, "dims", p->space.dims, 1, 3);
  in_range(&c, "faces per cell", p->space.faces_per_cell, 0, DSLC_MOST_FACES);
  in_range(&c, "halo", p->space.halo, 0, 255);
  in_range(&c, "band", p->space.band, 0, 255);
  in_range(&c, "registers", p->execution.registers, 0, 65536);
  demand(&c,
         strcmp(p->identity.target, "opencl") == 0 || strcmp(p->identity.target, "c") == 0 ||
             strcmp(p->identity.target, "c-openmp") == 0,
         "the target is none of opencl, c, c-openmp");
  demand(&c, !strchr(p->identity.scheme, '/') && *p->identity.scheme, "the scheme's name cannot name a file");
  check_buffers(&c);
  check_names(&c);
  check_fields(&c);
  check_systems(&c);
  check_repeats(&c);
  check_patch_limits(&c);
  check_kernels(&c);
  check_sections(&c);
  return c.wrong;
}
