/* Columns: within a paragraph, rows of one class have their `@` and their `=` below each other. */
#include "front/format.h"
#include "parser.h"

/* Two rows are not forced into one column if one is so much longer: a place may stand further off than a
 * `=`. */
enum { WIDE_STEP = 20, NARROW_STEP = 8, MOST_STOPS = 8 };

typedef struct row {
  int line, first; /* the piece at which the row begins */
  item_class class;
  int stop[MOST_STOPS]; /* pieces to be aligned, from left to right, -1: none */
} row;

typedef VEC(row) row_list;

int format_width(const piece_list *pieces, int first, int end) {
  int width = 0;
  for (int i = first; i < end; i++)
    width += pieces->at[i].width + (i > first ? pieces->at[i].gap + pieces->at[i].pad : 0);
  return width;
}

/* The first piece of this kind outside of brackets, in [first, end); -1 if none. */
static int find(const piece_list *pieces, int first, int end, int kind) {
  for (int i = first; i < end; i++)
    if (pieces->at[i].kind == kind && pieces->at[i].round == 0) return i;
  return -1;
}

/* More than one item on the line: it is laid out by its author's eye. */
static bool holds_another(const piece_list *pieces, int first, int end) {
  for (int i = first + 1; i < end; i++)
    if (pieces->at[i].item != ITEM_NONE && pieces->at[i].item != ITEM_LIST_FIRST &&
        pieces->at[i].item != ITEM_LIST_NEXT)
      return true;
  return false;
}

/* Several bindings on a line: each stands below its counterpart on the line before. */
static void stop_at_bindings(const piece_list *pieces, row *r, int end) {
  int n = 0;
  for (int i = r->first + 1; i < end && n < MOST_STOPS; i++)
    if (pieces->at[i].item == ITEM_LIST_NEXT) r->stop[n++] = i;
}

static bool holds_next_binding(const piece_list *pieces, int first, int end) {
  for (int i = first + 1; i < end; i++)
    if (pieces->at[i].item == ITEM_LIST_NEXT) return true;
  return false;
}

static row empty_row(int index, int first, item_class class) {
  row r = {.line = index, .first = first, .class = class};
  for (int i = 0; i < MOST_STOPS; i++) r.stop[i] = -1;
  return r;
}

/* `let a = ...` counts as a row of bindings that begins behind the `let`. */
static row row_of(const piece_list *pieces, const line *l, int index) {
  row r = empty_row(index, l->first, pieces->at[l->first].item);
  int end = l->end;
  if (r.class == ITEM_LET && l->first + 1 < end) r = empty_row(index, l->first + 1, ITEM_LIST_FIRST);
  switch (r.class) {
  case ITEM_FIELD: r.stop[0] = find(pieces, r.first, end, TOK_PLACE); break;
  case ITEM_EQUATION:
    r.stop[0] = find(pieces, r.first, end, TOK_PLACE);
    r.stop[1] = find(pieces, r.first, end, TOK_ASSIGN);
    break;
  case ITEM_BOUNDARY:
    r.stop[0] = find(pieces, r.first, end, TOK_LBRACE);
    if (r.stop[0] >= 0 && pieces->at[r.stop[0]].opens_lines) r.stop[0] = -1;
    break;
  case ITEM_LIST_FIRST:
  case ITEM_LIST_NEXT:
  case ITEM_PARAMETER:
    if (holds_next_binding(pieces, r.first, end)) stop_at_bindings(pieces, &r, end);
    else r.stop[0] = find(pieces, r.first, end, TOK_ASSIGN);
    break;
  case ITEM_VARIANT:
  case ITEM_FUNCTION:
  case ITEM_GLOBAL:
  case ITEM_RULE:
  case ITEM_ASSIGN:
  case ITEM_RESULT:
    if (!holds_another(pieces, r.first, end)) r.stop[0] = find(pieces, r.first, end, TOK_ASSIGN);
    break;
  default: break;
  }
  return r;
}

static bool same_columns(const piece_list *pieces, const row *a, const row *b) {
  return pieces->at[a->stop[0]].item == pieces->at[b->stop[0]].item;
}

static int widest(const piece_list *pieces, const row *rows, int n, int stop) {
  int most = 0;
  for (int i = 0; i < n; i++) {
    if (rows[i].stop[stop] < 0) continue;
    int width = format_width(pieces, rows[i].first, rows[i].stop[stop]);
    if (width > most) most = width;
  }
  return most;
}

static void pad_section(piece_list *pieces, const row *rows, int n, int stop) {
  int most = widest(pieces, rows, n, stop);
  for (int i = 0; i < n; i++)
    if (rows[i].stop[stop] >= 0)
      pieces->at[rows[i].stop[stop]].pad = most - format_width(pieces, rows[i].first, rows[i].stop[stop]);
}

/* Cuts a group where the widths jump, so that one long name does not push all others away, and where rows
 * of one binding and of several meet. */
static void pad_group(piece_list *pieces, const row *rows, int n, int stop) {
  int start = 0, last = -1, last_width = 0;
  for (int i = 0; i < n; i++) {
    if (rows[i].stop[stop] < 0) continue;
    int width = format_width(pieces, rows[i].first, rows[i].stop[stop]);
    int kind = pieces->at[rows[i].stop[stop]].kind;
    int step = kind == TOK_ASSIGN && rows[i].class != ITEM_FUNCTION && rows[i].class != ITEM_EQUATION
                   ? NARROW_STEP
                   : WIDE_STEP;
    bool jump = width > last_width + step || width < last_width - step;
    if (last >= 0 && (jump || !same_columns(pieces, &rows[last], &rows[i]))) {
      pad_section(pieces, rows + start, i - start, stop);
      start = i;
    }
    last = i;
    last_width = width;
  }
  pad_section(pieces, rows + start, n - start, stop);
}

static bool continues_group(const row *group, const row *next) {
  if (next->class == ITEM_LIST_NEXT) return group->class == ITEM_LIST_FIRST || group->class == ITEM_LIST_NEXT;
  return next->class == group->class && next->class != ITEM_LIST_FIRST;
}

static void finish_group(piece_list *pieces, row_list *group) {
  if (group->n == 0) return;
  for (int stop = 0; stop < MOST_STOPS; stop++) pad_group(pieces, group->at, group->n, stop);
  group->n = 0;
}

/* Lines that go on with a row and comments do not end its group; empty lines, braces and other rows do. */
void format_align(arena *a, piece_list *pieces, const line_list *lines) {
  row_list group = {0};
  for (int i = 0; i < lines->n; i++) {
    const line *l = &lines->at[i];
    if (l->blank_above) finish_group(pieces, &group);
    if (l->alone) continue;
    row r = row_of(pieces, l, i);
    bool deeper = group.n > 0 && pieces->at[r.first].brace != pieces->at[group.at[0].first].brace;
    if (r.class == ITEM_NONE && !deeper && pieces->at[r.first].kind != TOK_RBRACE) continue;
    if (group.n > 0 && (deeper || !continues_group(&group.at[0], &r))) finish_group(pieces, &group);
    if (r.class != ITEM_NONE) vec_push(a, &group, r);
  }
  finish_group(pieces, &group);
}
