/* Kernels that march along the rows of a grid. A work-group takes a strip of columns; a pass computes each piece at one row,
 * and what later ones read lies in rings of rows in local memory:
 *
 *   X_kept_[row_1_of_3 - 1]   of a ring of three rows: at the row pass + 1, in the column to the left of the item's own
 *   X_kept(row, col)          the same by row and column of the arrays
 *   X_now                     of a register
 *
 * Without work-items (CPUs) a piece is a loop over the strip's columns, and all rings are private arrays. Functions near walls
 * look values up by their point: they see rings through the struct. */
#include "back/emit.h"

#include <string.h>

typedef struct kept_rows {
  const plan_window *window;
  const char **name; /* by ring */
  bool *touched;     /* by ring: named by the function being written */
  bool *by_row;      /* by ring: somebody looks at it by row and column */
} kept_rows;

static bool each_item(const emitter *e) { return e->d->opencl && !e->p->how.loop; }

/* Without work-items every kept value is an array over the columns. */
static bool in_register(const emitter *e, const plan_ring *r) { return r->in_register && each_item(e); }

/* ---- names ------------------------------------------------------------------------------------------------------ */

void window_name_all(emitter *e) {
  e->window.kept = arena_array(e->memory, kept_rows, e->p->kernel.n + 1);
  for (int i = 0; i < e->p->kernel.n; i++) {
    const plan_window *w = e->p->kernel.at[i].window;
    if (!w) continue;
    kept_rows *k = &e->window.kept[e->window.n_kept++];
    k->window = w;
    k->name = arena_array(e->memory, const char *, w->ring.n + 1);
    k->touched = arena_array(e->memory, bool, w->ring.n + 1);
    k->by_row = arena_array(e->memory, bool, w->ring.n + 1);
    for (int r = 0; r < w->ring.n; r++) {
      const plan_ring *ring = &w->ring.at[r];
      const char *text = e->file.access[ring->buffer][ring->component].name;
      const char *suffix = in_register(e, ring) ? "now" : "kept";
      k->name[r] = name_fresh(e->file.macros, arena_printf(e->memory, "%s_%s", text, suffix), "_w");
    }
  }
}

/* Of the kernel, or of the one that calls the function being written. */
static kept_rows *current(const emitter *e) {
  int number = e->at_wall.function    ? e->at_wall.function->window - 1
               : e->k && e->k->window ? e->k->window->number
                                      : -1;
  for (int i = 0; number >= 0 && i < e->window.n_kept; i++)
    if (e->window.kept[i].window->number == number) return &e->window.kept[i];
  return NULL;
}

static int find_ring(const kept_rows *k, int buffer, int component) {
  for (int r = 0; k && r < k->window->ring.n; r++) {
    const plan_ring *ring = &k->window->ring.at[r];
    if (ring->buffer == buffer && (component < 0 || ring->component == component)) return r;
  }
  return -1;
}

bool window_keeps(const emitter *e, int buffer) { return find_ring(current(e), buffer, -1) >= 0; }

const char *window_element(emitter *e, int buffer, int component, const char *point) {
  kept_rows *k = current(e);
  int r = find_ring(k, buffer, component);
  if (r < 0) return NULL;
  k->touched[r] = k->by_row[r] = true;
  return arena_printf(e->memory, "%s((%s)/pitch_y, (%s)%%pitch_y)", k->name[r], point, point);
}

static const char *shifted(emitter *e, const char *variable, int off) {
  return off ? arena_printf(e->memory, "%s %c %d", variable, off < 0 ? '-' : '+', off < 0 ? -off : off)
             : variable;
}

/* Where the item's column lies in rings of so many rows, at the row pass + `row`: the name of a variable. */
static const char *row_of_ring(emitter *e, int rows, int row) {
  return arena_printf(e->memory, "row_%d_of_%d", (row % rows + rows) % rows, rows);
}

/* An element of a ring, at a row and column relative to the piece's. */
static const char *ring_element(emitter *e, kept_rows *k, int r, int row, int column) {
  const plan_ring *ring = &k->window->ring.at[r];
  if (each_item(e))
    return arena_printf(e->memory, "%s_[%s]", k->name[r],
                        shifted(e, row_of_ring(e, ring->rows, march_row(e) + row), column));
  k->by_row[r] = true;
  return arena_printf(e->memory, "%s(%s, %s)", k->name[r], shifted(e, "row", row), shifted(e, "col", column));
}

const char *window_read(emitter *e, const ir_node *n, int buffer, int component) {
  kept_rows *k = current(e);
  int r = find_ring(k, buffer, component);
  if (in_register(e, &k->window->ring.at[r])) return k->name[r];
  return ring_element(e, k, r, n->read.off[1], n->read.off[0]);
}

void window_write_keep(emitter *e, const plan_output *o, const char *condition) {
  kept_rows *k = current(e);
  int r = find_ring(k, o->buffer, o->component);
  if (r < 0) return;
  const char *to = in_register(e, &k->window->ring.at[r]) ? k->name[r] : ring_element(e, k, r, 0, 0);
  const char *line = arena_printf(e->memory, "%s = %s;", to, value_text(e, o->value));
  if (condition) write_line(e->w, "if (!(%s)) %s", condition, line);
  else write_line(e->w, "%s", line);
}

static bool any_by_row(const emitter *e) {
  bool any = false;
  for (int i = 0; i < e->window.n_kept; i++)
    for (int r = 0; r < e->window.kept[i].window->ring.n; r++) any = any || e->window.kept[i].by_row[r];
  return any;
}

void window_write_macros(emitter *e, writer *w) {
  if (!any_by_row(e)) return;
  write_line(
      w, "\n// Rows that a kernel keeps while it marches along them, by row and column; rows take turns.");
  for (int i = 0; i < e->window.n_kept; i++)
    for (int r = 0; r < e->window.kept[i].window->ring.n; r++) {
      const plan_ring *ring = &e->window.kept[i].window->ring.at[r];
      const char *text = e->window.kept[i].name[r];
      if (in_register(e, ring) || !e->window.kept[i].by_row[r]) continue;
      const plan_window *window = e->window.kept[i].window;
      const char *margin = window->margin ? arena_printf(e->memory, "%d + ", window->margin) : "";
      if (ring->rows == 1) write_line(w, "#define %s(row, col) %s_[%s(col) - kept_col]", text, text, margin);
      else
        write_line(w, "#define %s(row, col) %s_[(int)((unsigned)(row)%%%du)*%d + %s(col) - kept_col]", text,
                   text, ring->rows, window->columns + window->margin, margin);
    }
}

/* ---- what functions near walls see ------------------------------------------------------------------------------- */

static const char *ring_type(const emitter *e) {
  return each_item(e) ? "__local const double *" : "const double *";
}

void window_each_member(emitter *e, window_member *visit) {
  if (e->window.n_kept > 0) visit(e, "int ", "kept_col");
  for (int i = 0; i < e->window.n_kept; i++)
    for (int r = 0; r < e->window.kept[i].window->ring.n; r++)
      if (!in_register(e, &e->window.kept[i].window->ring.at[r]))
        visit(e, ring_type(e), arena_printf(e->memory, "%s_", e->window.kept[i].name[r]));
}

void window_write_members(emitter *e, const char *walls) {
  const kept_rows *k = current(e);
  if (!k) return;
  write_line(e->w, "%skept_col = kept_col;", walls);
  for (int r = 0; r < k->window->ring.n; r++)
    if (!in_register(e, &k->window->ring.at[r]))
      write_line(e->w, "%s%s_ = %s_;", walls, k->name[r], k->name[r]);
}

void window_write_touched(emitter *e) {
  const kept_rows *k = current(e);
  bool any = false;
  for (int r = 0; k && r < k->window->ring.n; r++) {
    if (!k->touched[r]) continue;
    any = true;
    write_line(e->w, "%sconst %s_ = walls->%s_;", ring_type(e), k->name[r], k->name[r]);
  }
  if (any) write_line(e->w, "const int kept_col = walls->kept_col;");
}

void window_clear_touched(emitter *e) {
  for (int i = 0; i < e->window.n_kept; i++)
    memset(e->window.kept[i].touched, 0,
           sizeof *e->window.kept[i].touched * (size_t)e->window.kept[i].window->ring.n);
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

static const char *declared_row(emitter *e, const plan_piece *p) {
  return arena_printf(e->memory, "const int row = begin_y + %s + HALO;", shifted(e, "pass", p->row));
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
    write_line(e->w, "%sdouble %s_[%d]%s;", space, k->name[r], ring_size(k->window, ring), cleared);
  }
}

/* ---- an item is a column -------------------------------------------------------------------------------------------- */

static void open_pass(emitter *e, const plan_window *w) {
  write_line(e->w, "for (int pass = %d; pass < last_pass; ++pass) {", w->first_row);
  writer_indent(e->w);
}

static void close_block(emitter *e) {
  writer_dedent(e->w);
  write_line(e->w, "}");
}

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
                         const char *const *total) {
  /* PoCL 3.1 loses stores behind a barrier that stands between two such conditions on all items. */
  const char *rest = all && e->p->how.cpu ? NULL : rests(e, w, p);
  const char *low = p->lo < w->halo_lo ? arena_printf(e->memory, "column >= %d && ", -p->lo) : "";
  if (p->barrier) write_line(e->w, "barrier(CLK_LOCAL_MEM_FENCE);");
  if (!all)
    write_line(e->w, "if (%s%s%scolumn < %s) {", rest ? rest : "", rest ? " && " : "", low,
               shifted(e, "strip_width", p->hi));
  else if (rest) write_line(e->w, "if (%s) {", rest);
  else write_line(e->w, "{");
  writer_indent(e->w);
  const size_t at = writer_size(e->w);
  march_set_row(e, p->row);
  piece_frame f;
  enter_piece(e, &f, p);
  if (all) points_write_kept(e);
  else points_write_both(e, total + p->first_output);
  leave_piece(e, &f);
  writer_declare(e->w, at, "point", "const int point = origin + col - HALO + (row - HALO)*pitch_y;");
  writer_declare(e->w, at, "row", "%s", declared_row(e, p));
  close_block(e);
}

static void clear_rings(emitter *e) {
  const kept_rows *k = current(e);
  e->file.part[PRELUDE_CLEAR_ROWS] = true;
  for (int r = 0; r < k->window->ring.n; r++)
    if (!in_register(e, &k->window->ring.at[r]))
      write_line(e->w, "clear_rows(%s_, %d);", k->name[r], ring_size(k->window, &k->window->ring.at[r]));
  write_line(e->w, "barrier(CLK_LOCAL_MEM_FENCE);");
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

/* For what stands in the pass behind offset `at` of the text. */
static void declare_row(emitter *e, const plan_window *w, size_t at, int rows, int row) {
  const char *variable = row_of_ring(e, rows, row), *turn = "";
  const char *margin = w->margin ? arena_printf(e->memory, "%d + ", w->margin) : "";
  if (rows > 1)
    turn = arena_printf(e->memory, "(int)((unsigned)(begin_y + %s + HALO)%%%du)*%d + ",
                        shifted(e, "pass", row), rows, w->columns + w->margin);
  writer_declare(e->w, at, variable, "const int %s = %s%s(int)get_local_id(0); // in kept rows", variable,
                 turn, margin);
}

static void declare_rows(emitter *e, const plan_window *w, size_t at) {
  int most = 1;
  for (int r = 0; r < w->ring.n; r++)
    if (w->ring.at[r].rows > most) most = w->ring.at[r].rows;
  for (int rows = most; rows > 0; rows--)
    for (int row = rows - 1; row >= 0; row--) declare_row(e, w, at, rows, row);
}

/* The passes of a subdomain with walls in reach, or of one without. */
static void write_march(emitter *e, const plan_window *w, const bool *all, const char *const *total,
                        bool walls_away) {
  const kept_rows *k = current(e);
  name_scope *outer = e->locals;
  e->locals = name_scope_create(e->memory, e->m->names, outer);
  e->window.walls_away = walls_away;
  march_open(e, w->first_row);
  open_pass(e, w);
  march_enter(e);
  const size_t at = writer_size(e->w);
  for (int r = 0; r < w->ring.n; r++)
    if (in_register(e, &w->ring.at[r])) write_line(e->w, "double %s = 0.0;", k->name[r]);
  for (int i = 0; i < w->piece.n; i++) write_column(e, w, &w->piece.at[i], all[i], total);
  declare_rows(e, w, at);
  march_leave(e);
  if (w->closing) write_line(e->w, "barrier(CLK_LOCAL_MEM_FENCE);");
  close_block(e);
  e->window.walls_away = false;
  e->locals = outer;
}

static void write_items(emitter *e, const plan_window *w) {
  declare_rings(e, "__local ");
  if (kernel_has_partials(e->k)) write_line(e->w, "__local double scratch[%s];", e->group_size);
  write_line(e->w, "const bool done = %s;", kernel_stop_condition(e));
  int written = w->columns - w->halo_lo - w->halo_hi;
  e->file.part[PRELUDE_OUTERMOST] = true;
  write_line(e->w, "const int strips = get_num_groups(0), bands = get_num_groups(1);");
  write_line(e->w, "const int turn = get_group_id(0) + strips*get_group_id(1);");
  write_line(e->w, "const int strip = outermost(turn/bands, strips), band = outermost(turn%%bands, bands);");
  write_line(e->w, "const int begin_x = strip*%d, begin_y = band*rows;", written);
  write_line(e->w,
             "const int strip_width = min(%d, points_x - begin_x), last_pass = done ? %d : min(rows, "
             "points_y - begin_y);",
             written, w->first_row);
  write_line(e->w, "const int column = (int)get_local_id(0) - %d; // of the strip", w->halo_lo);
  write_line(
      e->w,
      "const int kept_col = begin_x + HALO - %d, place = kept_col + (int)get_local_id(0); // in kept rows",
      w->halo_lo);
  write_line(e->w, "const int col = min(place, begin_x + HALO + %s); // none behind the last that is of use",
             shifted(e, "strip_width", w->halo_hi - 1));
  walls_write_shared(e);
  const char **total = points_declare_totals(e);
  march_begin(e);
  constants_begin(e);
  bool *all = arena_array(e->memory, bool, w->piece.n + 1);
  for (int i = 0; i < w->piece.n; i++) all[i] = for_all_columns(e, &w->piece.at[i]);
  write_line(e->w, "__local int walls_in_reach;");
  write_line(e->w, "if (get_local_id(0) == 0) walls_in_reach = 0;");
  clear_rings(e);
  march_look_for_walls(e, lowest_row(w), highest_row(w));
  constants_write(e);
  write_line(e->w, "barrier(CLK_LOCAL_MEM_FENCE);");
  write_line(e->w, "if (walls_in_reach) {");
  writer_indent(e->w);
  write_march(e, w, all, total, false);
  writer_dedent(e->w);
  write_line(e->w, "} else {");
  writer_indent(e->w);
  write_march(e, w, all, total, true);
  close_block(e);
  constants_end(e);
  march_end(e);
  if (kernel_has_partials(e->k)) points_write_group(e, total);
}

/* ---- an item is a subdomain ------------------------------------------------------------------------------------------ */

static void write_columns(emitter *e, const plan_window *w, const plan_piece *p, const char *const *total) {
  const char *rest = rests(e, w, p);
  if (rest) write_line(e->w, "if (%s) {", rest);
  else write_line(e->w, "{");
  writer_indent(e->w);
  write_line(e->w, "%s", declared_row(e, p));
  const size_t at = writer_size(e->w);
  const char *middle = "origin + (row - HALO)*pitch_y + begin_x";
  write_line(e->w, "const int begin = %s, end = %s + strip_width;", shifted(e, middle, -p->lo),
             shifted(e, middle, p->hi));
  piece_frame f;
  enter_piece(e, &f, p);
  points_write_runs(e, total + p->first_output);
  leave_piece(e, &f);
  writer_declare(e->w, at, "before", "const int before = origin - HALO + (row - HALO)*pitch_y;");
  close_block(e);
}

static void write_subdomain(emitter *e, const plan_window *w) {
  int written = w->columns - w->halo_lo - w->halo_hi;
  declare_rings(e, "");
  write_line(e->w, "const int begin_x = strip*%d, begin_y = band*rows;", written);
  write_line(e->w, "const int strip_width = points_x - begin_x < %d ? points_x - begin_x : %d;", written,
             written);
  write_line(e->w, "const int last_pass = points_y - begin_y < rows ? points_y - begin_y : rows;");
  write_line(e->w, "const int kept_col = begin_x + HALO - %d;", w->halo_lo);
  write_line(e->w, "(void)kept_col;"); /* where it is used it is named by macros */
  const char **total = points_declare_totals(e);
  open_pass(e, w);
  for (int i = 0; i < w->piece.n; i++) write_columns(e, w, &w->piece.at[i], total);
  close_block(e);
  if (!kernel_has_partials(e->k)) return;
  write_line(e->w, "const int group = strip + band*strips;");
  points_write_partials(e, total);
}

static void write_subdomains(emitter *e, const plan_window *w) {
  int written = w->columns - w->halo_lo - w->halo_hi;
  write_line(e->w, "if (%s) return;", kernel_stop_condition(e));
  const size_t at = writer_size(e->w);
  if (e->d->opencl) {
    write_line(e->w, "const int strip = get_global_id(0), band = get_global_id(1);");
    write_subdomain(e, w);
    writer_declare(e->w, at, "strips", "const int strips = (points_x + %d)/%d;", written - 1, written);
    return;
  }
  write_line(e->w, "const int strips = (points_x + %d)/%d;", written - 1, written);
  write_line(e->w, "const int bands = (points_y + rows - 1)/rows;");
  if (e->d->openmp) write_line(e->w, "#pragma omp parallel for schedule(static) collapse(2)");
  write_line(e->w, "for (int band = 0; band < bands; ++band)");
  write_line(e->w, "for (int strip = 0; strip < strips; ++strip) {");
  writer_indent(e->w);
  write_subdomain(e, w);
  close_block(e);
}

void window_write(emitter *e) {
  if (each_item(e)) write_items(e, e->k->window);
  else write_subdomains(e, e->k->window);
}
