/* Indices on grids: offsets from the point where an expression is evaluated, and what is said of those that do not fit. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sema/internal.h"

enum { MAX_OFFSET = 30 }; /* sums of a few of them fit the int8_t of an access */

static int axis_of_letter(name letter) {
  if (strlen(letter) != 1 || *letter < 'i' || *letter > 'k') return -1;
  return *letter - 'i';
}

bool lower_offset(sema *s, const context *c, const ast_expr *e, int *axis, int *offset) {
  if (e->kind == AST_NAME) {
    for (const binding *b = c->env; b; b = b->next)
      if (b->text == e->text && b->kind == BIND_INDEX) {
        *axis = b->axis;
        *offset = b->offset;
        return true;
      }
    *axis = axis_of_letter(e->text);
    *offset = 0;
    if (*axis >= 0 && *axis < s->dims) return true;
  }
  if (e->kind == AST_BINARY && (e->op == AST_ADD || e->op == AST_SUB) && e->arg[1]->kind == AST_NUMBER &&
      lower_offset(s, c, e->arg[0], axis, offset)) {
    double k = e->arg[1]->number;
    bool whole = k == floor(k) && k <= MAX_OFFSET;
    if (whole) *offset += e->op == AST_ADD ? (int)k : -(int)k;
    if (whole && abs(*offset) <= MAX_OFFSET) return true;
  }
  diag *d = complain(s, DIAG_UNKNOWN_INDEX, e->at, "an index of a grid is %s, plus or minus a whole number",
                     s->dims == 1   ? "i"
                     : s->dims == 2 ? "i or j"
                                    : "i, j or k");
  bool far = e->kind == AST_BINARY && e->arg[1]->kind == AST_NUMBER;
  if (far) diag_with_hint(s->sink, d, "a scheme reaches at most %d cells far", MAX_OFFSET);
  else if (e->kind == AST_NUMBER && s->dims == 1)
    diag_with_hint(s->sink, d, "an element of a real[n] stands behind the point, as in f[i][%g]", e->number);
  else if (e->kind == AST_BINARY)
    diag_with_hint(s->sink, d,
                   "between the cells i-1 and i lies the face i: what lives there is declared at xfaces");
  return false;
}

static int line_axis(ir_place p) { return p == IR_XLINE ? 0 : p == IR_YLINE ? 1 : p == IR_ZLINE ? 2 : -1; }

/* Does column data of `axis` (dx, xc) fit a point of `place` without being moved? Yes where the point is centred in x. */
static bool line_fits(ir_place place, int axis) {
  return place == IR_CELLS || (place >= IR_XFACES && place <= IR_CORNERS && !ir_place_on_faces(place, axis));
}

int lowest_place(uint32_t places) {
  int p = 0;
  while (!(places >> p & 1)) p++;
  return p;
}

static bool index_in_rule(sema *s, const index_request *r, ir_place place, chosen_index *out) {
  const name what = r->what;
  const ast_expr *index = r->index;
  out->place = place;
  out->at = IR_AT_INNER;
  if (!index) {
    if (line_axis(place) >= 0) return true;
    diag *d = complain(s, DIAG_AMBIGUOUS_NAME, r->at,
                       "which `%s`? In a boundary rule of a grid there are two", what);
    diag_with_hint(s->sink, d,
                   "write %s[inner] (nearest point inside) or %s[mirror] (mirror image of the ghost)", what,
                   what);
    return false;
  }
  if (index->n == 2 && index->arg[1]->kind == AST_NAME) {
    if (strcmp(index->arg[1]->text, "inner") == 0) return true;
    out->at = IR_AT_MIRROR;
    if (strcmp(index->arg[1]->text, "mirror") == 0) return true;
  }
  complain(s, DIAG_UNKNOWN_INDEX, index->at,
           "in a boundary rule of a grid the indices are [inner] and [mirror]");
  return false;
}

static const char *letter_of(ir_place place) {
  return place == IR_CELLS ? "c" : place == IR_FACES ? "f" : place == IR_NODES ? "I" : "p";
}

/* What stands in mean(...), jump(...) or in an operator's brackets is taken at one end. */
static void report_at_end(sema *s, const context *c, name what, ir_place place, span at) {
  diag *d = complain(s, DIAG_WRONG_PLACE, at,
                     "`%s` lives at %s, but what stands in these brackets is taken at single %s", what,
                     ir_place_text(place), ir_place_text(c->anchor_place));
  const bool nodal = place == IR_NODES || place == IR_EDGES;
  if (nodal != (c->anchor_place == IR_NODES))
    diag_with_hint(s->sink, d,
                   "no value moves from %s to %s by itself; schemes use cells and faces, or nodes and edges",
                   ir_place_text(place), ir_place_text(c->place));
  else
    diag_with_hint(s->sink, d, "write `%s` outside of mean(...) or jump(...), as in dot(mean(q), normal)",
                   what);
}

void report_no_index(sema *s, const context *c, name what, ir_place place, span at) {
  if (c->constant) {
    diag *d =
        complain(s, DIAG_NOT_CONSTANT, at, "%s needs `%s`, which is not known before the run", c->why, what);
    diag_with_hint(s->sink, d, "use numbers and other parameters");
    return;
  }
  if (c->anchored) {
    report_at_end(s, c, what, place, at);
    return;
  }
  bool nowhere = c->place == IR_NOWHERE;
  diag *d = complain(s, DIAG_WRONG_PLACE, at, "`%s` lives at %s, but %s is evaluated %s%s", what,
                     ir_place_text(place), c->why ? c->why : "this",
                     nowhere ? "once, without a place" : "at ", nowhere ? "" : ir_place_text(c->place));
  if (c->place == IR_CELLS && strncmp(what, "patch(", 6) == 0)
    diag_with_hint(s->sink, d, "ask at the faces of the cell: sum(f of c) (if %s then area else 0)", what);
  else if (c->place == IR_CELLS && place == IR_FACES)
    diag_with_hint(s->sink, d, "sum over the faces of the cell: sum(f of c) ... %s", what);
  else if (c->place == IR_NODES && place == IR_EDGES)
    diag_with_hint(s->sink, d, "sum over the neighbours of the node: sum(J near I) ... %s", what);
  else if (nowhere)
    diag_with_hint(s->sink, d,
                   "reduce over the %s: max(%s in %s) %s, or min, or sum; a reduction ends at the next + or "
                   "-, unless in brackets",
                   ir_place_text(place), letter_of(place), ir_place_text(place), what);
  else
    diag_with_hint(s->sink, d,
                   "no value moves from %s to %s by itself; schemes use cells and faces, or nodes and edges",
                   ir_place_text(place), ir_place_text(c->place));
}

/* What brackets at a point of `here` may hold for a value of `place`: the point's own indices, and `moved` half a cell back
 * or ahead along each axis on which the places differ. */
static const char *example_index(const sema *s, ir_place here, ir_place place, bool moved, char out[24]) {
  size_t n = 0;
  for (int axis = 0; axis < s->dims; axis++) {
    int shift = moved ? line_fits(here, axis) - line_fits(place, axis) : 0;
    n += (size_t)snprintf(out + n, 24 - n, "%s%c%s", axis ? "," : "", "ijk"[axis],
                          shift > 0   ? "+1"
                          : shift < 0 ? "-1"
                                      : "");
  }
  return out;
}

/* A quantity elsewhere, named without saying which of its points. */
static void report_no_choice(sema *s, const context *c, name what, ir_place place, span at) {
  const char *why = c->why ? c->why : "this";
  char own[24], other[24];
  diag *d = complain(s, DIAG_WRONG_PLACE, at, "`%s` lives at %s, but %s is evaluated at %s", what,
                     ir_place_text(place), why, ir_place_text(c->place));
  bool faces = place >= IR_XFACES && place <= IR_ZFACES && c->place >= IR_XFACES && c->place <= IR_ZFACES;
  const char *unpaired =
      faces && s->has_exchange && !strchr(what, '.')
          ? "; in an `exchange` a name stays as it is unless it ends in .x, .y or is paired"
          : "";
  diag_with_hint(s->sink, d, "say which neighbour: for example %s[%s] or %s[%s]%s", what,
                 example_index(s, c->place, place, false, own), what,
                 example_index(s, c->place, place, true, other), unpaired);
}

/* What varies along a line only, asked for between two of its cells. */
static void report_between(sema *s, const context *c, name what, int line, span at) {
  const char *letter = &"i\0j\0k"[2 * line], *why = c->why ? c->why : "this";
  diag *d = complain(s, DIAG_WRONG_PLACE, at,
                     "`%s` belongs to cells, but %s is evaluated at %s, between two of them", what, why,
                     ir_place_text(c->place));
  diag_with_hint(s->sink, d, "say which: %s[%s] or %s[%s-1]", what, letter, what, letter);
}

static bool bare_on_grid(sema *s, const context *c, name what, ir_place place, span at) {
  int line = line_axis(place);
  if (place == c->place || (line >= 0 && line_fits(c->place, line))) return true;
  if (c->place == IR_NOWHERE || c->constant) report_no_index(s, c, what, place, at);
  else if (c->anchored) return true;
  else if (line >= 0) report_between(s, c, what, line, at);
  else report_no_choice(s, c, what, place, at);
  return false;
}

static void report_count(sema *s, name what, ir_place place, const ast_expr *index, int want) {
  int line = line_axis(place);
  if (line >= 0)
    complain(s, DIAG_INDEX_BRACKETS, index->at, "`%s` varies along %c only and takes 1 index, %c, not %d",
             what, 'x' + line, 'i' + line, index->n - 1);
  else {
    diag *d = complain(s, DIAG_INDEX_BRACKETS, index->at, "`%s` lives at %s and takes %d %s, not %d", what,
                       ir_place_text(place), want, want == 1 ? "index" : "indices", index->n - 1);
    if (index->n == 2 && index->arg[1]->kind == AST_NUMBER)
      diag_with_hint(s->sink, d, "an element of a real[n] stands behind the point: %s[i,j%s][%g]", what,
                     want == 2 ? "" : ",k", index->arg[1]->number);
  }
}

/* Adds the k-th written index, which is to run along `expected`, to the shift. */
static bool add_offset(sema *s, const context *c, const index_request *r, int k, int expected,
                       chosen_index *out) {
  const ast_expr *written = r->index->arg[1 + k];
  int axis, offset;
  if (!lower_offset(s, c, written, &axis, &offset)) return false;
  if (axis != expected) {
    complain(s, DIAG_UNKNOWN_INDEX, written->at, "index %d of `%s` runs along %c, but this is %c", k + 1,
             r->what, 'x' + expected, 'x' + axis);
    return false;
  }
  int sum = out->off[axis] + offset;
  if (abs(sum) > MAX_OFFSET) {
    complain(s, DIAG_UNKNOWN_INDEX, written->at,
             "with the shifts of the fields around it this reaches %d cells far; at "
             "most %d are possible",
             abs(sum), MAX_OFFSET);
    return false;
  }
  out->off[axis] = (int8_t)sum;
  return true;
}

bool index_on_grid(sema *s, const context *c, const index_request *r, chosen_index *out) {
  const ir_place place = (ir_place)lowest_place(r->places);
  int line = line_axis(place), want = line >= 0 ? 1 : s->dims;
  *out = (chosen_index){.place = place, .at = IR_AT_SHIFT};
  if (c->rule) return index_in_rule(s, r, place, out);
  for (int k = 0; k < 3; k++) out->off[k] = c->shift[k];
  if (!r->index) return bare_on_grid(s, c, r->what, place, r->at);
  if (r->index->n - 1 != want) {
    report_count(s, r->what, place, r->index, want);
    return false;
  }
  for (int k = 0; k < want; k++)
    if (!add_offset(s, c, r, k, line >= 0 ? line : k, out)) return false;
  return true;
}

bool index_of_brackets(sema *s, const context *c, const ast_expr *e, int8_t shift[3]) {
  const index_request r = {ast_expr_text(s->memory, e->arg[0]), 0, e, e->at};
  chosen_index k = {.off = {c->shift[0], c->shift[1], c->shift[2]}};
  if (e->n - 1 != s->dims) {
    complain(s, DIAG_INDEX_BRACKETS, e->at, "what stands in brackets takes %d %s here, in the order of axes",
             s->dims, s->dims == 1 ? "index" : "indices");
    return false;
  }
  for (int i = 0; i < s->dims; i++)
    if (!add_offset(s, c, &r, i, i, &k)) return false;
  memcpy(shift, k.off, sizeof k.off);
  return true;
}
