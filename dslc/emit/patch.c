/* Kernels over the patches of a mesh: see schedule/patch.c. In three parts: what faces read at cells comes into local memory, what cells sum
 * is computed once a face, and each cell sums it in the order of its faces. Without work-items a patch is taken by one, with arrays of its
 * own. Where reads come first, a work-item asks for all that its faces and cells need, numbers before what they lead to, into arrays that
 * become registers, before the first barrier: else each part waits for its own chain of reads. */
#include "emit/emit.h"

/* An array of local memory: a component of a buffer at the patch's cells and around them, or at its faces. */
typedef struct patch_array {
  int buffer, component;
  int span; /* faces: components from what the left cell gets to what the right one gets, which lies behind; else 0 */
  const char *name;
} patch_array;

struct patch_text {
  plan_kernel faces, cells; /* the kernel's outputs of kind PLAN_FACE, and the others */
  VEC(patch_array) at_cells, at_faces;
  VEC(patch_array) ahead; /* what faces read at themselves, asked for before the first barrier */
};

static bool at_faces(const emitter *e) { return e->patch && e->k == &e->patch->faces; }
static bool each_item(const emitter *e) { return e->d->opencl && !e->p->how.loop; }
static bool asks_ahead(const emitter *e) { return each_item(e) && e->p->how.reads_first; }

double patch_passes(const emitter *e) {
  return at_faces(e) ? kir_turns(KIR_OVER_PATCH_FACES, arguments_row_length(e, IR_OVER_FACES)) : 1;
}

/* ---- what lies in local memory ---------------------------------------------------------------------------------------- */

static const patch_array *cell_array(const emitter *e, int buffer, int component) {
  for (int i = 0; i < e->patch->at_cells.n; i++) {
    const patch_array *a = &e->patch->at_cells.at[i];
    if (a->buffer == buffer && a->component == component) return a;
  }
  return NULL;
}

static const patch_array *ahead_array(const emitter *e, int buffer, int component) {
  for (int i = 0; i < e->patch->ahead.n; i++) {
    const patch_array *a = &e->patch->ahead.at[i];
    if (a->buffer == buffer && a->component == component) return a;
  }
  return NULL;
}

static bool lies_at_faces(const emitter *e, int buffer) {
  return buffer >= 0 && buffer != e->p->scalars &&
         e->p->program->execution.buffer[buffer].place == DSLC_FACES;
}

static const patch_array *face_array(const emitter *e, int buffer, int component, bool *right) {
  for (int i = 0; i < e->patch->at_faces.n; i++) {
    const patch_array *a = &e->patch->at_faces.at[i];
    *right = a->span > 0 && component == a->component + a->span;
    if (a->buffer == buffer && (a->component == component || *right)) return a;
  }
  return NULL;
}

bool patch_holds(const emitter *e, const ir_node *n) {
  if (!e->patch || n->op != IR_READ) return false;
  const ir_at at = (ir_at)n->read.at;
  int component;
  const int buffer = arguments_read_buffer(e, n, &component);
  if (at_faces(e))
    return at == IR_AT_L || at == IR_AT_R || (at == IR_AT_HERE && asks_ahead(e) && lies_at_faces(e, buffer));
  return at == IR_AT_OUT || at == IR_AT_F ||
         (at == IR_AT_HERE && buffer >= 0 && cell_array(e, buffer, component) != NULL);
}

void patch_note_read(emitter *e, int buffer, int component) {
  const bool face = lies_at_faces(e, buffer);
  if (!at_faces(e) || (face ? ahead_array : cell_array)(e, buffer, component)) return;
  const patch_array a = {.buffer = buffer, .component = component};
  if (face) vec_push(e->memory, &e->patch->ahead, a);
  else vec_push(e->memory, &e->patch->at_cells, a);
  arguments_note(e, buffer);
}

/* What a fluctuation gives its two cells shares an array, if somebody sees it from both. */
static void add_face_array(emitter *e, const plan_output *o) {
  patch_array a = {.buffer = o->buffer, .component = o->component};
  const access_macro *macro = e->file.access[o->buffer];
  bool right;
  if (face_array(e, o->buffer, o->component, &right)) return;
  if (macro[o->component].side) a.span = macro[o->component].span;
  vec_push(e->memory, &e->patch->at_faces, a);
}

/* ---- collecting --------------------------------------------------------------------------------------------------------- */

static void split(emitter *e) {
  const plan_kernel *k = e->k;
  struct patch_text *t = e->patch = arena_new(e->memory, struct patch_text);
  int n = 0;
  while (n < k->output.n && k->output.at[n].kind != PLAN_FACE) n++;
  t->faces = t->cells = *k;
  t->cells.output.n = n;
  t->faces.output.at += n;
  t->faces.output.n -= n;
  t->faces.place = IR_FACES;
  for (int i = 0; i < t->faces.output.n; i++) add_face_array(e, &t->faces.output.at[i]);
}

void patch_prepare(emitter *e) {
  const plan_kernel *k = e->k;
  split(e);
  arguments_begin(e);
  e->k = &e->patch->faces;
  place_kernel(e);
  arguments_note_values(e);
  arguments_note(e, e->p->mesh.patch.start);
  arguments_note(e, e->p->mesh.patch.face);
  if (e->patch->at_cells.n > 0) arguments_note(e, e->p->mesh.patch.ring);
  if (e->patch->at_cells.n > 0) arguments_note(e, e->p->mesh.patch.ends);
  for (int i = 0; i < e->k->output.n; i++) arguments_note(e, e->k->output.at[i].buffer);
  e->k = &e->patch->cells;
  place_kernel(e);
  arguments_note_values(e);
  e->k = k;
  arguments_end(e);
}

/* ---- reads -------------------------------------------------------------------------------------------------------------- */

kir_expr *patch_read(emitter *e, const ir_node *n, int buffer, int component) {
  bool right;
  const ir_at at = (ir_at)n->read.at;
  if (at_faces(e) && at == IR_AT_HERE)
    return kir_quote(e->b, "%s[turn]", ahead_array(e, buffer, component)->name);
  if (at_faces(e))
    return kir_quote(e->b, "%s[%s]", cell_array(e, buffer, component)->name, at == IR_AT_L ? "L" : "R");
  if (at == IR_AT_HERE) return kir_quote(e->b, "%s[i - begin]", cell_array(e, buffer, component)->name);
  const patch_array *a = face_array(e, buffer, component, &right);
  if (at == IR_AT_OUT && a->span > 0) return kir_quote(e->b, "%s[left ? f : PATCH_FACES + f]", a->name);
  return kir_quote(e->b, right ? "%s[PATCH_FACES + f]" : "%s[f]", a->name);
}

/* ---- the parts ---------------------------------------------------------------------------------------------------------- */

static const char *array_stem(const emitter *e, const patch_array *a) {
  const access_macro *macro = &e->file.access[a->buffer][a->component];
  return arena_printf(e->memory, "%s_near", a->span > 0 ? macro->side : macro->name);
}

static void declare_arrays(emitter *e) {
  const char *local = each_item(e) ? "__local " : "";
  for (int i = 0; i < e->patch->at_cells.n; i++) {
    patch_array *a = &e->patch->at_cells.at[i];
    a->name = name_fresh(e->own.locals, array_stem(e, a), "_v");
    kir_line(e->b, "%sdouble %s[PATCH_CELLS];", local, a->name);
  }
  for (int i = 0; i < e->patch->at_faces.n; i++) {
    patch_array *a = &e->patch->at_faces.at[i];
    a->name = name_fresh(e->own.locals, array_stem(e, a), "_v");
    kir_line(e->b, a->span > 0 ? "%sdouble %s[2*PATCH_FACES];" : "%sdouble %s[PATCH_FACES];", local, a->name);
  }
}

static kir_expr *start(emitter *e, int entry) {
  kir_expr *at = entry ? kir_quote(e->b, "4*group + %d", entry) : kir_quote(e->b, "4*group");
  return access_element(e, e->p->mesh.patch.start, 0, at);
}

/* Where the run is over, a patch of no cells. */
static void declare_sizes(emitter *e) {
  const bool each = each_item(e);
  kir_line(e->b, "const int begin = %e;", start(e, 0));
  kir_line(e->b, each ? "const int end = done ? begin : %e;" : "const int end = %e;", start(e, 4));
  kir_line(e->b, "const int first_face = %e;", start(e, 2));
  kir_line_if_named(e->b, "const int first_ring = %e;", start(e, 1));
  kir_line_if_named(e->b,
                    each ? "const int n_near = done ? 0 : end - begin + %e - first_ring;"
                         : "const int n_near = end - begin + %e - first_ring;",
                    start(e, 5));
  kir_line(e->b, each ? "const int n_inner = done ? 0 : %e;" : "const int n_inner = %e;", start(e, 3));
  kir_line(e->b,
           each ? "const int n_faces = done ? 0 : %e - first_face;" : "const int n_faces = %e - first_face;",
           start(e, 6));
}

static void open_loop(emitter *e, const char *from, const char *to) {
  const char *first = *from ? arena_printf(e->memory, "%s + item", from) : "item";
  if (each_item(e)) kir_line(e->b, "for (int at = %s; at < %s; at += %s) {", first, to, e->own.group_size);
  else kir_line(e->b, "for (int at = %s; at < %s; ++at) {", *from ? from : "0", to);
}

static void meet(emitter *e) {
  if (each_item(e)) kir_line(e->b, "barrier(CLK_LOCAL_MEM_FENCE);");
}

static kir_expr *of_patch_face(emitter *e, int table) {
  return access_element(e, table, 0, kir_quote(e->b, "first_face + at"));
}

static void write_loads(emitter *e) {
  const int ring = e->p->mesh.patch.ring;
  if (e->patch->at_cells.n == 0) return;
  open_loop(e, "", "n_near");
  kir_line(e->b, "const int i = at < end - begin ? begin + at : %e;",
           access_element(e, ring, 0, kir_quote(e->b, "first_ring + (at - (end - begin))")));
  for (int i = 0; i < e->patch->at_cells.n; i++) {
    const patch_array *a = &e->patch->at_cells.at[i];
    kir_line(e->b, "%s[at] = %e;", a->name, access_at(e, a->buffer, a->component, "i"));
  }
  kir_line(e->b, "}");
  meet(e);
}

/* ---- asking ahead ------------------------------------------------------------------------------------------------------ */

/* Turns that a work-group needs for all cells of a patch and around it, or for its faces. */
static int turns_for(const emitter *e, int most) {
  const int group = e->p->program->space.patch.cells;
  return (most + group - 1) / group;
}

static void open_turns(emitter *e, int turns, const char *end, kir_range over) {
  kir_line(e->b, "#pragma unroll");
  kir_line(e->b, "for (int turn = 0; turn < %d; ++turn) {", turns);
  e->b->last->over = over;
  kir_line(e->b, "const int at = item + turn*%s;", e->own.group_size);
  kir_line(e->b, "if (at < %s) {", end);
}

static void close_turns(emitter *e) {
  kir_line(e->b, "}");
  kir_line(e->b, "}");
}

static const char *declare_ahead(emitter *e, const char *type, const char *stem, int turns) {
  const char *given = name_fresh(e->own.locals, arena_printf(e->memory, "%s_ahead", stem), "_v");
  kir_line(e->b, "%s %s[%d];", type, given, turns);
  return given;
}

static int face_turns(const emitter *e) { return turns_for(e, e->p->program->space.patch.faces); }

static int near_turns(const emitter *e) {
  return turns_for(e, e->p->program->space.patch.cells + e->p->program->space.patch.ring);
}

static void ask_for_numbers(emitter *e) {
  const bool cells = e->patch->at_cells.n > 0, faces = e->patch->ahead.n > 0;
  if (faces) kir_line(e->b, "int face_ahead[%d];", face_turns(e));
  if (cells) kir_line(e->b, "int ends_ahead[%d];", face_turns(e));
  if (!faces && !cells) return;
  open_turns(e, face_turns(e), "n_inner", KIR_OVER_PATCH_FACES);
  if (faces) kir_line(e->b, "face_ahead[turn] = %e;", of_patch_face(e, e->p->mesh.patch.face));
  if (cells) kir_line(e->b, "ends_ahead[turn] = %e;", of_patch_face(e, e->p->mesh.patch.ends));
  close_turns(e);
}

static const char **ask_for_cells(emitter *e) {
  const int n = e->patch->at_cells.n;
  const char **given = arena_array(e->memory, const char *, n + 1);
  for (int i = 0; i < n; i++)
    given[i] = declare_ahead(e, "double", e->patch->at_cells.at[i].name, near_turns(e));
  open_turns(e, near_turns(e), "n_near", KIR_OVER_PATCH_CELLS);
  kir_line(e->b, "const int i = at < end - begin ? begin + at : %e;",
           access_element(e, e->p->mesh.patch.ring, 0, kir_quote(e->b, "first_ring + (at - (end - begin))")));
  for (int i = 0; i < n; i++) {
    const patch_array *a = &e->patch->at_cells.at[i];
    kir_line(e->b, "%s[turn] = %e;", given[i], access_at(e, a->buffer, a->component, "i"));
  }
  close_turns(e);
  return given;
}

static void ask_for_faces(emitter *e) {
  for (int i = 0; i < e->patch->ahead.n; i++) {
    patch_array *a = &e->patch->ahead.at[i];
    a->name = declare_ahead(e, "double", e->file.access[a->buffer][a->component].name, face_turns(e));
  }
  if (e->patch->ahead.n == 0) return;
  open_turns(e, face_turns(e), "n_inner", KIR_OVER_PATCH_FACES);
  kir_line(e->b, "const int i = face_ahead[turn];");
  for (int i = 0; i < e->patch->ahead.n; i++) {
    const patch_array *a = &e->patch->ahead.at[i];
    kir_line(e->b, "%s[turn] = %e;", a->name, access_at(e, a->buffer, a->component, "i"));
  }
  close_turns(e);
}

static void ask_ahead(emitter *e) {
  const bool cells = e->patch->at_cells.n > 0;
  ask_for_numbers(e);
  const char **given = cells ? ask_for_cells(e) : NULL;
  ask_for_faces(e);
  if (!cells) return;
  open_turns(e, near_turns(e), "n_near", KIR_OVER_PATCH_CELLS);
  for (int i = 0; i < e->patch->at_cells.n; i++)
    kir_line(e->b, "%s[at] = %s[turn];", e->patch->at_cells.at[i].name, given[i]);
  close_turns(e);
  meet(e);
}

/* ---- the parts, one after the other --------------------------------------------------------------------------------------- */

static void put_face(emitter *e, const plan_output *o, kir_expr *value) {
  bool right;
  const patch_array *a = face_array(e, o->buffer, o->component, &right);
  kir_line(e->b, right ? "%s[PATCH_FACES + at] = %e;" : "%s[at] = %e;", a->name, value);
}

static void open_faces(emitter *e) {
  const bool ahead = asks_ahead(e), cells = e->patch->at_cells.n > 0;
  if (e->d->opencl && e->p->how.loop) kir_line(e->b, "#pragma clang loop vectorize_width(VECTOR)");
  if (ahead) open_turns(e, face_turns(e), "n_inner", KIR_OVER_PATCH_FACES);
  else {
    open_loop(e, "", "n_inner");
    e->b->last->over = KIR_OVER_PATCH_FACES;
    kir_line_if_named(e->b, "const int i = %e;", of_patch_face(e, e->p->mesh.patch.face));
  }
  if (!cells) return;
  if (ahead) kir_line(e->b, "const int ends = ends_ahead[turn];");
  else kir_line(e->b, "const int ends = %e;", of_patch_face(e, e->p->mesh.patch.ends));
  kir_line_if_named(e->b, "const int L = ends & 65535;");
  kir_line_if_named(e->b, "const int R = ends >> 16;");
}

static void write_inner_faces(emitter *e) {
  name_scope *outer = e->own.locals;
  const plan_kernel *k = e->k;
  e->own.locals = name_scope_create(e->memory, e->m->names, outer);
  e->k = &e->patch->faces;
  place_kernel(e);
  open_faces(e);
  body_write(e);
  kir_blank(e->b);
  for (int i = 0; i < e->k->output.n; i++)
    put_face(e, &e->k->output.at[i], value_of(e, e->k->output.at[i].value));
  if (asks_ahead(e)) close_turns(e);
  else kir_line(e->b, "}");
  e->k = k;
  e->own.locals = outer;
}

static void write_boundary_faces(emitter *e) {
  const plan_kernel *k = &e->patch->faces;
  open_loop(e, "n_inner", "n_faces");
  e->b->last->over = KIR_OVER_RIM;
  kir_line(e->b, "const int i = %e;", of_patch_face(e, e->p->mesh.patch.face));
  for (int i = 0; i < k->output.n; i++)
    put_face(e, &k->output.at[i], access_at(e, k->output.at[i].buffer, k->output.at[i].component, "i"));
  kir_line(e->b, "}");
  meet(e);
}

static void write_faces(emitter *e) {
  declare_sizes(e);
  if (asks_ahead(e)) ask_ahead(e);
  else write_loads(e);
  write_inner_faces(e);
  write_boundary_faces(e);
}

/* ---- all ---------------------------------------------------------------------------------------------------------------- */

static void write_cells(emitter *e, kir_expr *const *total) {
  const plan_kernel *k = e->k;
  e->k = &e->patch->cells;
  place_kernel(e);
  kernel_write_item(e, total);
  e->k = k;
}

static void each_patch(emitter *e) {
  kernel_open_group(e);
  kir_line(e->b, "const int item = get_local_id(0), group = get_group_id(0);");
  declare_arrays(e);
  write_faces(e);
  kir_expr **total = kernel_declare_totals(e);
  kir_line(e->b, "const int i = begin + item;");
  kir_line(e->b, "if (i < end) {");
  write_cells(e, total);
  kir_line(e->b, "}\n");
  kernel_close_group(e, total);
}

/* Of one patch, by one item: the faces, then the cells. */
static void write_patch(emitter *e, kir_expr **declare(emitter *e), const char *end,
                        void write(emitter *e, kir_expr *const *value)) {
  declare_arrays(e);
  write_faces(e);
  kir_expr **value = declare(e);
  kir_line(e->b, "for (int i = begin; i < end; ++i) {");
  write_cells(e, value);
  kir_line(e->b, end);
  write(e, value);
}

static void loop_patch(emitter *e) {
  kernel_write_stop(e);
  kir_line(e->b, "const int group = get_global_id(0);");
  write_patch(e, kernel_declare_results, "}\n", kernel_write_results);
}

/* Partials in several arrays, which lie `groups` apart. */
static bool has_rows(const plan_kernel *k) {
  for (int i = 0; i < k->output.n; i++)
    if (k->output.at[i].kind == PLAN_PARTIAL && k->output.at[i].component > 0) return true;
  return false;
}

static void c_patches(emitter *e) {
  kernel_write_stop(e);
  if (has_rows(e->k)) kir_line(e->b, "const int groups = items;");
  if (e->d->openmp) kir_line(e->b, "#pragma omp parallel for schedule(static)");
  kir_line(e->b, "for (int group = 0; group < items; ++group) {");
  write_patch(e, kernel_declare_totals, "}", kernel_write_partials);
  kir_line(e->b, "}");
}

void patch_write(emitter *e) {
  if (each_item(e)) each_patch(e);
  else (e->d->opencl ? loop_patch : c_patches)(e);
}

/* ---- cost --------------------------------------------------------------------------------------------------------------- */

void patch_fill_cost(emitter *e, dslc_kernel *out) {
  const plan_kernel *k = e->k;
  const double length = arguments_row_length(e, IR_OVER_FACES);
  const ir_cost cells = emit_cost_of(e, &e->patch->cells, length),
                faces = emit_cost_of(e, &e->patch->faces, length);
  e->k = &e->patch->faces;
  const double passes = patch_passes(e);
  e->k = k;
  out->cost.flops = cells.shared + passes * faces.shared;
  out->cost.slow = cells.slow + passes * faces.slow;
  out->cost.flops_written = cells.written + passes * faces.written;
}
