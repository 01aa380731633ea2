/* Paragraphs that their author laid out by hand stay as they are. A formula reads best in the columns that its author saw: so what
 * is between two empty lines is left alone if nothing in it is careless: items begin where they should, names and operators have
 * the blanks that they need, and where there are more of them, something in another line of the paragraph begins or ends in the
 * same column. Else the paragraph is laid out anew. Either way the next round finds it as it is. */
#include <string.h>

#include "front/format.h"
#include "parser.h"

enum { WIDEST_KEPT = 140 };

/* A line of the source, without its end, and the pieces that stand on it. */
typedef struct source_row {
  const char *text;
  int length, first, end;
  int comment; /* where a comment begins, or `length` */
} source_row;

typedef VEC(source_row) row_list;

typedef struct keeper {
  const char *text;
  const piece_list *pieces;
  const int *column; /* of pieces that begin a line when laid out anew, else -1 */
  row_list rows;
} keeper;

static void split_rows(arena *a, keeper *k, const token_list *tokens) {
  int next = 0, note = 0;
  for (const char *at = k->text; *at;) {
    const char *end = strchr(at, '\n');
    source_row r = {.text = at, .length = end ? (int)(end - at) : (int)strlen(at)};
    uint32_t stop = (uint32_t)(at - k->text) + (uint32_t)r.length;
    r.first = next;
    while (next < k->pieces->n && k->pieces->at[next].start < stop && k->pieces->at[next].width > 0) next++;
    r.end = next;
    r.comment = r.length;
    for (; note < tokens->comments.n && tokens->comments.at[note].start < stop; note++)
      if (r.comment == r.length)
        r.comment = (int)(tokens->comments.at[note].start - (uint32_t)(at - k->text));
    vec_push(a, &k->rows, r);
    at = end ? end + 1 : at + r.length;
  }
}

static bool is_empty(const source_row *r) {
  for (int i = 0; i < r->length; i++)
    if (!strchr(" \t\r;\f\v", r->text[i])) return false;
  return true;
}

static int column_of(const keeper *k, const source_row *r, int i) {
  return (int)(k->pieces->at[i].start - (uint32_t)(r->text - k->text));
}

/* Does something in another row of the paragraph begin or end in this column? */
static bool is_column(const keeper *k, int from, int to, const source_row *own, int column) {
  for (int i = from; i < to; i++) {
    const source_row *r = &k->rows.at[i];
    bool top = r->first < r->end && k->pieces->at[r->first].item == ITEM_TOP;
    if (r == own || top) continue;
    if (r->comment < r->length && r->comment == column) return true;
    for (int p = r->first; p < r->end; p++) {
      int begin = column_of(k, r, p);
      if (begin == column || begin + k->pieces->at[p].width == column) return true;
    }
  }
  return false;
}

/* A blank or none: around products, and on the inside of brackets. */
static bool is_free(const piece *before, const piece *own) {
  bool product = own->kind == TOK_STAR || own->kind == TOK_SLASH || before->kind == TOK_STAR ||
                 before->kind == TOK_SLASH;
  return product || before->kind == TOK_LPAREN || own->kind == TOK_RPAREN;
}

/* The blanks before a piece: as many as always, or more for a column. */
static bool gap_is_good(const keeper *k, int from, int to, const source_row *r, int p, int before) {
  const piece *own = &k->pieces->at[p], *last = &k->pieces->at[before];
  int column = column_of(k, r, p), gap = column - column_of(k, r, before) - last->width, wanted = 0;
  for (int i = before + 1; i <= p; i++) wanted += k->pieces->at[i].gap;
  if (gap == wanted || (gap <= 1 && is_free(last, own))) return true;
  if (own->item != ITEM_NONE && wanted == 2 && (gap == 1 || gap > 2))
    return true; /* several items on a line */
  return gap > wanted && is_column(k, from, to, r, column);
}

static bool row_is_good(const keeper *k, int from, int to, const source_row *r) {
  if (r->comment > WIDEST_KEPT || memchr(r->text, '\t', (size_t)r->length)) return false;
  if (r->length > 0 && strchr(r->comment < r->length ? " \r" : " \r;", r->text[r->length - 1])) return false;
  if (r->comment < r->length && strncmp(r->text + r->comment, "-- ", 3) != 0) return false;
  int last = -1;
  for (int p = r->first; p < r->end; p++) {
    const piece *own = &k->pieces->at[p];
    if (own->inserted) continue;
    if (last < 0 && own->item != ITEM_NONE && own->item != ITEM_LIST_NEXT &&
        k->column[p] != column_of(k, r, p))
      return false;
    if (last < 0 && own->closes_lines && k->column[p] != column_of(k, r, p)) return false;
    if (last >= 0 && own->declaration) return false;
    if (last >= 0 && !gap_is_good(k, from, to, r, p, last)) return false;
    last = p;
  }
  if (last < 0 || r->comment == r->length) return true;
  return r->comment >= column_of(k, r, last) + k->pieces->at[last].width + 2;
}

/* The end of the paragraph that begins at or behind row *from, which moves to its first row. */
static int paragraph(const keeper *k, int *from) {
  while (*from < k->rows.n && is_empty(&k->rows.at[*from])) (*from)++;
  int to = *from;
  while (to < k->rows.n && !is_empty(&k->rows.at[to])) to++;
  return to;
}

static const char *next_paragraph(const char **at, int *length) {
  while (**at == '\n') (*at)++;
  const char *begin = *at, *end = strstr(begin, "\n\n");
  *length = end ? (int)(end - begin) : (int)strlen(begin);
  if (!end && *length > 0 && begin[*length - 1] == '\n') (*length)--;
  *at = begin + *length;
  return begin;
}

static int count_paragraphs(const char *text) {
  int n = 0, length;
  while (next_paragraph(&text, &length), length > 0) n++;
  return n;
}

static int count_source_paragraphs(const keeper *k) {
  int n = 0;
  for (int from = 0, to; (to = paragraph(k, &from)) > from; from = to) n++;
  return n;
}

char *format_keep(arena *a, const piece_list *pieces, const line_list *placed, const token_list *tokens,
                  char *anew) {
  int *column = arena_array(a, int, pieces->n + 1);
  for (int i = 0; i < pieces->n; i++) column[i] = -1;
  for (int i = 0; i < placed->n; i++)
    if (!placed->at[i].alone) column[placed->at[i].first] = placed->at[i].column;
  keeper k = {.text = tokens->text, .pieces = pieces, .column = column};
  split_rows(a, &k, tokens);
  if (count_source_paragraphs(&k) != count_paragraphs(anew)) return anew;
  char *out = arena_alloc(a, strlen(k.text) + strlen(anew) + (size_t)k.rows.n + 2), *end = out;
  const char *at = anew;
  for (int from = 0, to; (to = paragraph(&k, &from)) > from; from = to) {
    int length;
    const char *text = next_paragraph(&at, &length);
    bool kept = true;
    for (int i = from; i < to && kept; i++) kept = row_is_good(&k, from, to, &k.rows.at[i]);
    if (kept) {
      text = k.rows.at[from].text;
      length = (int)(k.rows.at[to - 1].text - text) + k.rows.at[to - 1].length;
    }
    if (end > out) *end++ = '\n';
    memcpy(end, text, (size_t)length);
    end += length;
    *end++ = '\n';
  }
  return out;
}
