/* Kernels that march along the rows of a grid. A work-group takes a strip of columns; a pass computes each piece at one row,
 * and what later ones read lies in rings of rows in local memory:
 *
 *   X_kept_[row_1_of_3 - 1]   of a ring of three rows: at the row pass + 1, in the column to the left of the item's own
 *   X_kept(row, col)          the same by row and column of the arrays
 *   X_now                     of a register
 *
 * Without work-items (CPUs) a piece is a loop over the strip's columns, and all rings are private arrays. Functions near walls
 * look values up by their point: they see rings through the struct. */
#include "emit/emit.h"

#include <string.h>

typedef struct kept_rows {
  const plan_window *window;
  const char **name; /* by ring */
  bool *by_row;      /* by ring: somebody looks at it by row and column */
} kept_rows;

static bool each_item(const emitter *e) { return e->d->opencl && !e->p->how.loop; }

/* Without work-items every kept value is an array over the columns. */
static bool in_register(const emitter *e, const plan_ring *r) { return r->in_register && each_item(e); }

/* ---- names ------------------------------------------------------------------------------------------------------ */

static void number_windows(emitter *e) {
  for (int i = 0; i < e->p->kernel.n; i++) {
    const plan_window *w = e->p->kernel.at[i].window;
    if (w && w->number >= e->window.n_numbers) e->window.n_numbers = w->number + 1;
  }
  e->window.kept_of = arena_array(e->memory, int, e->window.n_numbers + 1);
}

/* Of a macro, and with a `_` of an array: a state may be called so, too, and is a buffer with that `_`. */
static const char *name_of_rows(emitter *e, const char *text) {
  const char *given = name_fresh(e->file.macros, text, "_w");
  while (name_is_given(e->file.arguments, given)) given = name_fresh(e->file.macros, given, "_w");
  return given;
}

void window_name_all(emitter *e) {
  e->window.kept = arena_array(e->memory, kept_rows, e->p->kernel.n + 1);
  number_windows(e);
  for (int i = 0; i < e->p->kernel.n; i++) {
    const plan_window *w = e->p->kernel.at[i].window;
    if (!w) continue;
    kept_rows *k = &e->window.kept[e->window.n_kept++];
    if (!e->window.kept_of[w->number]) e->window.kept_of[w->number] = e->window.n_kept;
    k->window = w;
    k->name = arena_array(e->memory, const char *, w->ring.n + 1);
    k->by_row = arena_array(e->memory, bool, w->ring.n + 1);
    for (int r = 0; r < w->ring.n; r++) {
      const plan_ring *ring = &w->ring.at[r];
      const char *text = e->file.access[ring->buffer][ring->component].name;
      const char *suffix = in_register(e, ring) ? "now" : "kept";
      k->name[r] = name_of_rows(e, arena_printf(e->memory, "%s_%s", text, suffix));
    }
  }
}

/* Of the kernel, or of the one that calls the function being written. */
static kept_rows *current(const emitter *e) {
  int number = e->at_wall.function    ? e->p->context.at[e->at_wall.function->context].window - 1
               : e->k && e->k->window ? e->k->window->number
                                      : -1;
  const int place = number >= 0 && number < e->window.n_numbers ? e->window.kept_of[number] : 0;
  return place ? &e->window.kept[place - 1] : NULL;
}

static int find_ring(const kept_rows *k, int buffer, int component) {
  for (int r = 0; k && r < k->window->ring.n; r++) {
    const plan_ring *ring = &k->window->ring.at[r];
    if (ring->buffer == buffer && (component < 0 || ring->component == component)) return r;
  }
  return -1;
}

/* Of a ring, by row and column of the arrays. */
static kir_expr *kept_element(emitter *e, const kept_rows *k, int r, kir_expr *row, kir_expr *column) {
  kir_expr *element = kir_element(e->b, k->name[r], KIR_DOUBLE, row, column);
  element->part.component = r;
  return element;
}

bool window_keeps(const emitter *e, int buffer) { return find_ring(current(e), buffer, -1) >= 0; }

kir_expr *window_element(emitter *e, int buffer, int component, kir_expr *point) {
  kept_rows *k = current(e);
  int r = find_ring(k, buffer, component);
  if (r < 0) return NULL;
  k->by_row[r] = true;
  return kept_element(e, k, r, kir_quote(e->b, "(%e)/pitch_y", point),
                      kir_quote(e->b, "(%e)%%pitch_y", point));
}

static kir_expr *shifted(emitter *e, kir_expr *x, int off) {
  if (off == 0) return x;
  return kir_binary(e->b, off < 0 ? KIR_SUB : KIR_ADD, x, kir_whole(e->b, off < 0 ? -off : off));
}

static kir_expr *shifted_name(emitter *e, const char *variable, int off) {
  return shifted(e, kir_name(e->b, variable), off);
}

/* Where the item's column lies in rings of so many rows, at the row pass + `row`: the name of a variable. */
static const char *row_of_ring(emitter *e, int rows, int row) {
  return arena_printf(e->memory, "row_%d_of_%d", (row % rows + rows) % rows, rows);
}

/* An element of a ring, at a row and column relative to the piece's. */
static kir_expr *ring_element(emitter *e, kept_rows *k, int r, int row, int column) {
  const plan_ring *ring = &k->window->ring.at[r];
  if (each_item(e))
    return kir_quote(e->b, "%s_[%e]", k->name[r],
                     shifted_name(e, row_of_ring(e, ring->rows, march_row(e) + row), column));
  k->by_row[r] = true;
  return kept_element(e, k, r, shifted_name(e, "row", row), shifted_name(e, "col", column));
}

kir_expr *window_read(emitter *e, const ir_node *n, int buffer, int component) {
  kept_rows *k = current(e);
  int r = find_ring(k, buffer, component);
  if (in_register(e, &k->window->ring.at[r])) return kir_name(e->b, k->name[r]);
  return ring_element(e, k, r, n->read.off[1], n->read.off[0]);
}

void window_write_keep(emitter *e, const plan_output *o, kir_expr *condition) {
  kept_rows *k = current(e);
  int r = find_ring(k, o->buffer, o->component);
  if (r < 0) return;
  kir_expr *to =
      in_register(e, &k->window->ring.at[r]) ? kir_name(e->b, k->name[r]) : ring_element(e, k, r, 0, 0);
  if (condition) kir_line(e->b, "if (!(%e)) %e = %e;", condition, to, value_of(e, o->value));
  else kir_assign(e->b, to, KIR_NONE, value_of(e, o->value));
}

static bool any_by_row(const emitter *e) {
  bool any = false;
  for (int i = 0; i < e->window.n_kept; i++)
    for (int r = 0; r < e->window.kept[i].window->ring.n; r++) any = any || e->window.kept[i].by_row[r];
  return any;
}

void window_write_macros(emitter *e) {
  if (!any_by_row(e)) return;
  kir_line(e->b,
           "\n// Rows that a kernel keeps while it marches along them, by row and column; rows take turns.");
  for (int i = 0; i < e->window.n_kept; i++)
    for (int r = 0; r < e->window.kept[i].window->ring.n; r++) {
      const plan_ring *ring = &e->window.kept[i].window->ring.at[r];
      const char *text = e->window.kept[i].name[r];
      if (in_register(e, ring) || !e->window.kept[i].by_row[r]) continue;
      const plan_window *window = e->window.kept[i].window;
      const char *margin = window->margin ? arena_printf(e->memory, "%d + ", window->margin) : "";
      if (ring->rows == 1) kir_line(e->b, "#define %s(row, col) %s_[%s(col) - kept_col]", text, text, margin);
      else
        kir_line(e->b, "#define %s(row, col) %s_[(int)((unsigned)(row)%%%du)*%d + %s(col) - kept_col]", text,
                 text, ring->rows, window->columns + window->margin, margin);
    }
}

/* ---- what functions near walls see ------------------------------------------------------------------------------- */

static const kir_type *ring_type(const emitter *e) {
  const kir_type *element = kir_qualified(e->b->program, kir_scalar(e->b->program, KIR_DOUBLE), true, false);
  return kir_pointer_to(e->b->program, element, each_item(e) ? KIR_LOCAL : KIR_PRIVATE);
}

void window_each_member(emitter *e, window_member *visit) {
  if (e->window.n_kept > 0) visit(e, kir_scalar(e->b->program, KIR_INT), "kept_col");
  for (int i = 0; i < e->window.n_kept; i++)
    for (int r = 0; r < e->window.kept[i].window->ring.n; r++)
      if (!in_register(e, &e->window.kept[i].window->ring.at[r]))
        visit(e, ring_type(e), arena_printf(e->memory, "%s_", e->window.kept[i].name[r]));
}

void window_write_members(emitter *e, const char *walls) {
  const kept_rows *k = current(e);
  if (!k) return;
  kir_line(e->b, "%skept_col = kept_col;", walls);
  for (int r = 0; r < k->window->ring.n; r++)
    if (!in_register(e, &k->window->ring.at[r]))
      kir_line(e->b, "%s%s_ = %s_;", walls, k->name[r], k->name[r]);
}

/* Which rings are named; by their macros, which take a row and a column. */
typedef struct named_rings {
  const kept_rows *kept;
  bool *ring;
} named_rings;

static void note_ring(kir_expr *x, void *context) {
  named_rings *named = context;
  if (x->kind == KIR_ELEMENT && !x->part.argument) named->ring[x->part.component] = true;
}

void window_unpack(emitter *e, const kir_body *body) {
  named_rings named = {.kept = current(e)};
  bool any = false;
  if (!named.kept) return;
  named.ring = arena_array(e->memory, bool, named.kept->window->ring.n + 1);
  kir_each_expr(body, note_ring, &named);
  for (int r = 0; r < named.kept->window->ring.n; r++) {
    const char *text = named.kept->name[r];
    if (!named.ring[r]) continue;
    any = true;
    kir_line(e->b, "%s const double *const %s_ = walls->%s_;", each_item(e) ? "__local" : "", text, text);
  }
  if (any) kir_line(e->b, "const int kept_col = walls->kept_col;");
}

/* ---- pieces ------------------------------------------------------------------------------------------------------- */

/* The kernel with one piece's outputs alone, while that is written. */
typedef struct piece_frame {
  const plan_kernel *whole;
  plan_kernel near, part;
} piece_frame;

static void enter_piece(emitter *e, piece_frame *f, const plan_piece *p) {
  f->whole = e->k;
  f->near = e->near;
  f->part = *e->k;
  f->part.output.at += p->first_output;
  f->part.output.n = p->n_outputs;
  f->part.reach = p->reach;
  e->near.output.at += p->first_output;
  e->near.output.n = p->n_outputs;
  e->k = &f->part;
}

static void leave_piece(emitter *e, const piece_frame *f) {
  e->k = f->whole;
  e->near = f->near;
}

/* Every piece comes to its last row in the last pass; the first ones rest until what they are needed for begins. */
static const char *rests(emitter *e, const plan_window *w, const plan_piece *p) {
  if (w->first_row + p->row >= p->first) return NULL;
  return p->first == p->row ? "pass >= 0" : arena_printf(e->memory, "pass >= %d", p->first - p->row);
}

static kir_expr *row_of_piece(emitter *e, const plan_piece *p) {
  return kir_quote(e->b, "begin_y + %e + HALO", shifted_name(e, "pass", p->row));
}

static int ring_size(const plan_window *w, const plan_ring *r) {
  return r->rows * (w->columns + w->margin) + w->margin;
}

/* In the first passes, and near walls, what is not used in the end is made of rows that nobody has written: they are to hold
 * numbers, for compilers may do what they like where a value is not set. */
static void declare_rings(emitter *e, const char *space) {
  const kept_rows *k = current(e);
  for (int r = 0; r < k->window->ring.n; r++) {
    const plan_ring *ring = &k->window->ring.at[r];
    if (in_register(e, ring)) continue;
    const char *cleared = *space ? "" : " = {0.0}"; /* local memory is cleared by all items: clear_rings */
    kir_line(e->b, "%sdouble %s_[%d]%s;", space, k->name[r], ring_size(k->window, ring), cleared);
  }
}

/* ---- an item is a column -------------------------------------------------------------------------------------------- */

static void open_pass(emitter *e, const plan_window *w) {
  kir_line(e->b, "for (int pass = %d; pass < last_pass; ++pass) {", w->first_row);
}

static void close_block(emitter *e) { kir_line(e->b, "}"); }

/* Does the piece write nothing but rings and registers, of what no other group writes? Then all items compute it, also those whose
 * columns nobody looks at. */
static bool for_all_columns(emitter *e, const plan_piece *p) {
  piece_frame f;
  enter_piece(e, &f, p);
  place_kernel(e);
  march_set_row(e, p->row);
  bool all = !march_note_piece(e);
  for (int i = 0; i < e->k->output.n; i++) all = all && e->k->output.at[i].kind == PLAN_KEEP;
  leave_piece(e, &f);
  return all;
}

/* Behind a condition for the columns, if what it writes others see; for the rows, if it rests in the first passes. */
static void write_column(emitter *e, const plan_window *w, const plan_piece *p, bool all,
                         kir_expr *const *total) {
  /* PoCL 3.1 loses stores behind a barrier that stands between two such conditions on all items. */
  const char *rest = all && e->p->how.cpu ? NULL : rests(e, w, p);
  const char *low = p->lo < w->halo_lo ? arena_printf(e->memory, "column >= %d && ", -p->lo) : "";
  if (p->barrier) kir_line(e->b, "barrier(CLK_LOCAL_MEM_FENCE);");
  if (!all)
    kir_line(e->b, "if (%s%s%scolumn < %e) {", rest ? rest : "", rest ? " && " : "", low,
             shifted_name(e, "strip_width", p->hi));
  else if (rest) kir_line(e->b, "if (%s) {", rest);
  else kir_line(e->b, "{");
  kir_line_if_named(e->b, "const int row = %e;", row_of_piece(e, p));
  kir_line_if_named(e->b, "const int point = origin + col - HALO + (row - HALO)*pitch_y;");
  march_set_row(e, p->row);
  piece_frame f;
  enter_piece(e, &f, p);
  if (all) points_write_kept(e);
  else points_write_both(e, total + p->first_output);
  leave_piece(e, &f);
  close_block(e);
}

static void clear_rings(emitter *e) {
  const kept_rows *k = current(e);
  e->file.out->part[PRELUDE_CLEAR_ROWS] = true;
  for (int r = 0; r < k->window->ring.n; r++)
    if (!in_register(e, &k->window->ring.at[r]))
      kir_line(e->b, "clear_rows(%s_, %d);", k->name[r], ring_size(k->window, &k->window->ring.at[r]));
  kir_line(e->b, "barrier(CLK_LOCAL_MEM_FENCE);");
}

/* The rows at which pieces are computed, from the subdomain's first, and from that of its last pass. */
static int lowest_row(const plan_window *w) {
  int row = 0;
  for (int i = 0; i < w->piece.n; i++)
    if (w->piece.at[i].first < row) row = w->piece.at[i].first;
  return row;
}

static int highest_row(const plan_window *w) {
  int row = 0;
  for (int i = 0; i < w->piece.n; i++)
    if (w->piece.at[i].row > row) row = w->piece.at[i].row;
  return row;
}

/* For what stands in the pass. */
static void declare_row(emitter *e, const plan_window *w, int rows, int row) {
  const char *margin = w->margin ? arena_printf(e->memory, "%d + ", w->margin) : "";
  const char *variable = row_of_ring(e, rows, row);
  if (rows == 1) {
    kir_line_if_named(e->b, "const int %s = %s(int)get_local_id(0); // in kept rows", variable, margin);
    return;
  }
  kir_expr *turn = kir_quote(e->b, "begin_y + %e + HALO", shifted_name(e, "pass", row));
  kir_line_if_named(e->b,
                    "const int %s = (int)((unsigned)(%e)%%%du)*%d + %s(int)get_local_id(0); // in kept rows",
                    variable, turn, rows, w->columns + w->margin, margin);
}

static void declare_rows(emitter *e, const plan_window *w) {
  int most = 1;
  for (int r = 0; r < w->ring.n; r++)
    if (w->ring.at[r].rows > most) most = w->ring.at[r].rows;
  for (int rows = 1; rows <= most; rows++)
    for (int row = 0; row < rows; row++) declare_row(e, w, rows, row);
}

/* The passes of a subdomain with walls in reach, or of one without. */
static void write_march(emitter *e, const plan_window *w, const bool *all, kir_expr *const *total,
                        bool walls_away) {
  const kept_rows *k = current(e);
  name_scope *outer = e->own.locals;
  e->own.locals = name_scope_create(e->memory, e->m->names, outer);
  e->window.walls_away = walls_away;
  march_open(e, w->first_row);
  open_pass(e, w);
  march_enter(e);
  declare_rows(e, w);
  for (int r = 0; r < w->ring.n; r++)
    if (in_register(e, &w->ring.at[r])) kir_line(e->b, "double %s = 0.0;", k->name[r]);
  for (int i = 0; i < w->piece.n; i++) write_column(e, w, &w->piece.at[i], all[i], total);
  if (w->closing) kir_line(e->b, "barrier(CLK_LOCAL_MEM_FENCE);");
  close_block(e);
  e->window.walls_away = false;
  e->own.locals = outer;
}

static void write_items(emitter *e, const plan_window *w) {
  declare_rings(e, "__local ");
  if (kernel_has_partials(e->k)) kir_line(e->b, "__local double scratch[%s];", e->own.group_size);
  kir_line(e->b, "const bool done = %e;", kernel_stop_condition(e));
  int written = w->columns - w->halo_lo - w->halo_hi;
  e->file.out->part[PRELUDE_OUTERMOST] = true;
  kir_line(e->b, "const int strips = get_num_groups(0), bands = get_num_groups(1);");
  kir_line(e->b, "const int turn = get_group_id(0) + strips*get_group_id(1);");
  kir_line(e->b, "const int strip = outermost(turn/bands, strips), band = outermost(turn%%bands, bands);");
  kir_line(e->b, "const int begin_x = strip*%d, begin_y = band*rows;", written);
  kir_line(e->b,
           "const int strip_width = min(%d, points_x - begin_x), last_pass = done ? %d : min(rows, "
           "points_y - begin_y);",
           written, w->first_row);
  kir_line(e->b, "const int column = (int)get_local_id(0) - %d; // of the strip", w->halo_lo);
  kir_line(
      e->b,
      "const int kept_col = begin_x + HALO - %d, place = kept_col + (int)get_local_id(0); // in kept rows",
      w->halo_lo);
  kir_line(e->b, "const int col = min(place, begin_x + HALO + %e); // none behind the last that is of use",
           shifted_name(e, "strip_width", w->halo_hi - 1));
  walls_write_shared(e);
  kir_expr **total = kernel_declare_totals(e);
  march_begin(e);
  bool *all = arena_array(e->memory, bool, w->piece.n + 1);
  for (int i = 0; i < w->piece.n; i++) all[i] = for_all_columns(e, &w->piece.at[i]);
  kir_line(e->b, "__local int walls_in_reach;");
  kir_line(e->b, "if (get_local_id(0) == 0) walls_in_reach = 0;");
  clear_rings(e);
  march_look_for_walls(e, lowest_row(w), highest_row(w));
  kir_line(e->b, "barrier(CLK_LOCAL_MEM_FENCE);");
  kir_line(e->b, "if (walls_in_reach) {");
  write_march(e, w, all, total, false);
  kir_line(e->b, "} else {");
  write_march(e, w, all, total, true);
  close_block(e);
  march_end(e);
  if (kernel_has_partials(e->k)) points_write_group(e, total);
}

/* ---- an item is a subdomain ------------------------------------------------------------------------------------------ */

static void write_columns(emitter *e, const plan_window *w, const plan_piece *p, kir_expr *const *total) {
  const char *rest = rests(e, w, p);
  if (rest) kir_line(e->b, "if (%s) {", rest);
  else kir_line(e->b, "{");
  kir_line(e->b, "const int row = %e;", row_of_piece(e, p));
  kir_line_if_named(e->b, "const int before = origin - HALO + (row - HALO)*pitch_y;");
  kir_expr *middle = kir_quote(e->b, "origin + (row - HALO)*pitch_y + begin_x");
  kir_line(e->b, "const int begin = %e, end = %e + strip_width;", shifted(e, middle, -p->lo),
           shifted(e, middle, p->hi));
  piece_frame f;
  enter_piece(e, &f, p);
  points_write_runs(e, total + p->first_output);
  leave_piece(e, &f);
  close_block(e);
}

static void write_subdomain(emitter *e, const plan_window *w) {
  int written = w->columns - w->halo_lo - w->halo_hi;
  declare_rings(e, "");
  kir_line(e->b, "const int begin_x = strip*%d, begin_y = band*rows;", written);
  kir_line(e->b, "const int strip_width = points_x - begin_x < %d ? points_x - begin_x : %d;", written,
           written);
  kir_line(e->b, "const int last_pass = points_y - begin_y < rows ? points_y - begin_y : rows;");
  kir_line(e->b, "const int kept_col = begin_x + HALO - %d;", w->halo_lo);
  kir_line(e->b, "(void)kept_col;"); /* where it is used it is named by macros */
  kir_expr **total = kernel_declare_totals(e);
  open_pass(e, w);
  for (int i = 0; i < w->piece.n; i++) write_columns(e, w, &w->piece.at[i], total);
  close_block(e);
  if (!kernel_has_partials(e->k)) return;
  kir_line(e->b, "const int group = strip + band*strips;");
  kernel_write_partials(e, total);
}

static void write_subdomains(emitter *e, const plan_window *w) {
  int written = w->columns - w->halo_lo - w->halo_hi;
  kir_line(e->b, "if (%e) return;", kernel_stop_condition(e));
  if (e->d->opencl) {
    kir_line_if_named(e->b, "const int strips = (points_x + %d)/%d;", written - 1, written);
    kir_line(e->b, "const int strip = get_global_id(0), band = get_global_id(1);");
    write_subdomain(e, w);
    return;
  }
  kir_line(e->b, "const int strips = (points_x + %d)/%d;", written - 1, written);
  kir_line(e->b, "const int bands = (points_y + rows - 1)/rows;");
  if (e->d->openmp) kir_line(e->b, "#pragma omp parallel for schedule(static) collapse(2)");
  kir_line(e->b, "for (int band = 0; band < bands; ++band)");
  kir_line(e->b, "for (int strip = 0; strip < strips; ++strip) {");
  write_subdomain(e, w);
  close_block(e);
}

void window_write(emitter *e) {
  if (each_item(e)) write_items(e, e->k->window);
  else write_subdomains(e, e->k->window);
}
