/* What an item of a windowed kernel reads of its own column: what several pieces or rows of a formula ask for is loaded once.
 *
 *   T_row_m1, T_row_0, T_row_1   a field at the rows pass - 1, pass, pass + 1
 *   dx_col_m1, dx_col_0          an array along x, the same in all passes
 *
 * Loads stand at the head of a pass, far from where their values are waited for: also those of what is read but once. Here every pass
 * loads all rows; pass_march.c hands them down from one pass to the next. */
#include "emit/emit.h"

#include <stdlib.h>

/* A component that is read in this column at rows lo to hi of a pass; or, along x, at one column beside it. */
typedef struct marched {
  int buffer, component, lo, hi;
  bool along_x, beside; /* beside: others look at this column too */
  const char **name;    /* of the variables, from lo on; known once all is collected */
} marched;

/* A component that is read at other columns. */
typedef struct looked_at {
  int buffer, component;
} looked_at;

struct march {
  VEC(marched) at;
  VEC(looked_at) beside;
  int row;         /* of the piece being written */
  int reach;       /* the farthest of all pieces */
  kir_march *said; /* of the march being written, for pass_march.c */
};

static bool is_real(const emitter *e, int buffer) {
  const dslc_element element = e->p->program->execution.buffer[buffer].element;
  return element == DSLC_F32 || element == DSLC_F64;
}

static const char *variable_name(const marched *m, int n) { return m->name[n - m->lo]; }

static kir_expr *variable(const emitter *e, const marched *m, int n) {
  return kir_name(e->b, variable_name(m, n));
}

/* Where a read of the piece looks: a row, or of arrays along x a column; false: neither. */
static bool place_of(const emitter *e, const ir_node *n, int piece_row, bool *along_x, int *at) {
  if (n->op != IR_READ || n->read.at == IR_AT_INNER || n->read.at == IR_AT_MIRROR) return false;
  ir_place place = ir_symbol_get(e->m, n->read.sym)->place;
  *along_x = place == IR_XLINE;
  *at = *along_x ? n->read.off[0] : piece_row + n->read.off[1];
  return *along_x || (place < IR_XLINE && place >= IR_CELLS && n->read.off[0] == 0);
}

static marched *find(const emitter *e, int buffer, int component, bool along_x, int column) {
  for (int i = 0; e->window.march && i < e->window.march->at.n; i++) {
    marched *m = &e->window.march->at.at[i];
    if (m->buffer == buffer && m->component == component && (!along_x || m->lo == column)) return m;
  }
  return NULL;
}

/* The variable that holds it; NULL: none does. */
static kir_expr *held(const emitter *e, int buffer, int component, bool along_x, int at) {
  const marched *m = find(e, buffer, component, along_x, at);
  return m && at >= m->lo && at <= m->hi ? variable(e, m, at) : NULL;
}

static void note(emitter *e, int buffer, int component, bool along_x, int at) {
  marched *m = find(e, buffer, component, along_x, at);
  if (!m) {
    marched new = {.buffer = buffer, .component = component, .lo = at, .hi = at, .along_x = along_x};
    vec_push(e->memory, &e->window.march->at, new);
    m = &e->window.march->at.at[e->window.march->at.n - 1];
  }
  if (at < m->lo) m->lo = at;
  if (at > m->hi) m->hi = at;
}

/* ---- collecting ------------------------------------------------------------------------------------------------- */

/* Of the values placed last. What the kernel itself writes, at this point and no other, other groups' items must not touch: it is
 * left where it is, and true comes back. */
bool march_note_piece(emitter *e) {
  const int row = e->window.march->row;
  bool shy = false;
  note(e, e->p->grid.near, 0, false, row);
  for (int i = 0; i < e->near.output.n; i++)
    if (tables_hold(e, e->near.output.at[i].value)) note(e, e->p->grid.wall_number, 0, false, row);
  if (e->k->reach > e->window.march->reach) e->window.march->reach = e->k->reach;
  for (int i = 0; i < e->values.live.n; i++) {
    const ir_node *n = ir_get(e->m, e->values.live.at[i]);
    bool along_x;
    int at, component, buffer = arguments_read_buffer(e, n, &component);
    if (buffer < 0 || buffer == e->p->scalars || window_keeps(e, buffer)) continue;
    if (plan_called(e->p, e->values.live.at[i], e->at_wall.function) >= 0) continue;
    if (e->file.access[buffer][component].stored_by == 1 + e->own.number) {
      shy = true;
      continue;
    }
    if (!is_real(e, buffer)) continue;
    if (place_of(e, n, row, &along_x, &at)) note(e, buffer, component, along_x, at);
    else vec_push(e->memory, &e->window.march->beside, ((looked_at){buffer, component}));
  }
  return shy;
}

void march_begin(emitter *e) { e->window.march = arena_new(e->memory, struct march); }

void march_end(emitter *e) { e->window.march = NULL; }

/* ---- reading ---------------------------------------------------------------------------------------------------- */

void march_set_row(emitter *e, int row) { e->window.march->row = row; }

int march_row(const emitter *e) { return e->window.march->row; }

kir_expr *march_read(emitter *e, const ir_node *n, int buffer, int component) {
  bool along_x;
  int at;
  if (!e->window.march || !place_of(e, n, e->window.march->row, &along_x, &at)) return NULL;
  return held(e, buffer, component, along_x, at);
}

kir_expr *march_near(emitter *e) { return held(e, e->p->grid.near, 0, false, e->window.march->row); }

kir_expr *march_wall_number(emitter *e) {
  return e->window.march ? held(e, e->p->grid.wall_number, 0, false, e->window.march->row) : NULL;
}

/* Notes for the work-group whether a wall is in reach of any piece at any of its points. */
void march_look_for_walls(emitter *e, int lowest, int highest) {
  kir_expr *point = kir_quote(e->b, "origin + col - HALO + (begin_y + row)*pitch_y");
  kir_line(e->b, "int nearest = INT_MAX; // wall, to what this item computes");
  kir_line(e->b, "for (int row = %d; row < last_pass + %d; ++row) nearest = min(nearest, (int)%e);", lowest,
           highest, access_element(e, e->p->grid.near, 0, point));
  kir_line(e->b, "if (nearest <= %d) atomic_max(&walls_in_reach, 1);", e->window.march->reach);
}

/* ---- writing ---------------------------------------------------------------------------------------------------- */

/* Is it read in the march being written? */
static bool in_passes(const emitter *e, const marched *m) {
  bool of_walls = m->buffer == e->p->grid.near || m->buffer == e->p->grid.wall_number;
  return !m->along_x && !(of_walls && e->window.walls_away);
}

static const char *type_of(const emitter *e, const marched *m) {
  return is_real(e, m->buffer) ? "double" : "int";
}

/* The number near walls of a point is asked for there only. */
static kir_expr *element(emitter *e, const marched *m, int row) {
  kir_expr *point = grid_shifted(e, kir_name(e->b, "above"), (const int8_t[3]){0, (int8_t)row, 0});
  kir_expr *there = access_element(e, m->buffer, m->component, point);
  if (m->buffer != e->p->grid.wall_number) return there;
  return kir_quote(e->b, "%e <= %d ? %e : 0", held(e, e->p->grid.near, 0, false, row), e->window.march->reach,
                   there);
}

static void find_looked_at(emitter *e) {
  for (int i = 0; i < e->window.march->beside.n; i++)
    for (int k = 0; k < e->window.march->at.n; k++) {
      marched *m = &e->window.march->at.at[k];
      const looked_at *b = &e->window.march->beside.at[i];
      m->beside |= m->buffer == b->buffer && m->component == b->component;
    }
}

static void name_variables(emitter *e) {
  for (int i = 0; i < e->window.march->at.n; i++) {
    marched *m = &e->window.march->at.at[i];
    const char *stem = e->file.access[m->buffer][m->component].name, *line = m->along_x ? "col" : "row";
    m->name = arena_array(e->memory, const char *, m->hi - m->lo + 1);
    for (int n = m->lo; n <= m->hi; n++) {
      const char *text = arena_printf(e->memory, "%s_%s_%s%d", stem, line, n < 0 ? "m" : "", abs(n));
      m->name[n - m->lo] = name_fresh(e->own.locals, text, "_v");
    }
  }
}

static void write_column_values(emitter *e) {
  for (int i = 0; i < e->window.march->at.n; i++) {
    const marched *m = &e->window.march->at.at[i];
    if (!m->along_x) continue;
    kir_expr *at = grid_shifted(e, kir_name(e->b, "col"), (const int8_t[3]){(int8_t)m->lo, 0, 0});
    kir_line(e->b, "const double %s = %e;", variable_name(m, m->lo),
             access_element(e, m->buffer, m->component, at));
  }
}

/* Before the first pass. */
void march_open(emitter *e, int first_row) {
  name_variables(e);
  find_looked_at(e);
  e->window.march->said = arena_new(e->memory, kir_march);
  kir_line_if_named(
      e->b,
      "const int below = origin + col - HALO + (begin_y + %d)*pitch_y; // the point of this column in "
      "the pass before the first",
      first_row - 1);
  e->window.march->said->before = e->b->last->variable;
  write_column_values(e);
}

static void write_rows(emitter *e, const marched *m) {
  kir_rows rows = {.shared = m->beside};
  for (int row = m->lo; row <= m->hi; row++) {
    kir_line(e->b, "const %s %s = %e;", type_of(e, m), variable_name(m, row), element(e, m, row));
    e->b->last->variable->handed_down = row < m->hi;
    vec_push(e->memory, &rows.load, e->b->last);
  }
  vec_push(e->memory, &e->window.march->said->field, rows);
}

static kir_variable *write_point(emitter *e, const char *text, int passes) {
  const char *pitch = passes == 1 ? "" : arena_printf(e->memory, "%d*", passes);
  kir_line_if_named(e->b, "const int %s = above + (pass + %d < last_pass ? %spitch_y : 0);", text, passes,
                    pitch);
  return e->b->last->variable;
}

/* At the head of a pass, whose loop has just been opened. */
void march_enter(emitter *e) {
  kir_march *said = e->window.march->said;
  e->b->last->over = KIR_OVER_ROWS;
  e->b->last->march = said;
  kir_line(e->b, "const int above = origin + col - HALO + (begin_y + pass)*pitch_y;");
  said->here = e->b->last->variable;
  for (int i = 0; i < e->window.march->at.n; i++)
    if (in_passes(e, &e->window.march->at.at[i])) write_rows(e, &e->window.march->at.at[i]);
  said->next = write_point(e, "next", 1);
  said->after_next = write_point(e, "after_next", 2);
  e->file.out->part[PRELUDE_STREAM] = true;
}
