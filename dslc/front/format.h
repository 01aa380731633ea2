/* The formatter's stages; internal to front/. Text goes to pieces (tokens with what the layout knows about
 * them), pieces to lines, lines to text. Only blanks and line breaks change, and brackets that say what a
 * `min` or `max` reaches over. The author's line breaks are kept, as far as they stand where a break may
 * stand. */
#ifndef DSLC_FRONT_FORMAT_H
#define DSLC_FRONT_FORMAT_H

#include "front/ast.h"
#include "front/tokens.h"

enum { FORMAT_WIDTH = 100, FORMAT_INDENT = 2, FORMAT_DEEPEST = 60 };

/* What begins at a piece. Rows of the same class are aligned with each other. */
typedef enum item_class {
  ITEM_NONE,
  ITEM_TOP,   /* import, scheme, a library's function: begin a line of the file */
  ITEM_FIELD, /* state, given */
  ITEM_EQUATION,
  ITEM_PARAMETER,
  ITEM_VARIANT,
  ITEM_FUNCTION,
  ITEM_GLOBAL,
  ITEM_BOUNDARY,
  ITEM_OTHER, /* matrix, exchange, require, step */
  ITEM_RULE,
  ITEM_ASSIGN,
  ITEM_RESULT,
  ITEM_LET,
  ITEM_STATEMENT,
  ITEM_LIST_FIRST, /* the first of the bindings of a `let`, of the parameters of a `parameter` */
  ITEM_LIST_NEXT
} item_class;

typedef struct piece {
  const char *text; /* in the source: `width` bytes */
  int width, kind;
  uint32_t start; /* in the source; of an inserted bracket that of what follows */
  item_class item;
  bool declaration;               /* begins a declaration: always on a line of its own */
  bool user_break;                /* first on its line in the source */
  bool comment_before;            /* a comment stands between it and the piece before */
  bool binary, tight;             /* an operator with two operands; inside index, unit or range brackets */
  bool opens_lines, closes_lines; /* a brace of a block that takes more than one line */
  bool inserted;                  /* by the formatter */
  int match;                      /* of a bracket: the index of its partner, else -1 */
  int round, brace;               /* open round and square brackets, open braces before it */
  int gap;                        /* blanks before it if it is not first on its line */
  int rank;                       /* how well a break stands before it: 1 best, 0 never */
  int pad;                        /* blanks for alignment, besides the gap */
} piece;

typedef VEC(piece) piece_list;

typedef struct line {
  int first, end;          /* pieces; none in a line that is only a comment */
  int comment;             /* index, or -1 */
  bool blank_above, alone; /* alone: only a comment */
  int column, width;
} line;

typedef VEC(line) line_list;

/* format_pieces.c: the pieces of a parsed file. */
piece_list *format_pieces(arena *a, const ast_file *file, const token_list *tokens);

/* format_lines.c: the lines as their author broke them, then, once columns are aligned, where each begins and
 * where those that are too long are broken. */
line_list *format_split(arena *a, piece_list *pieces, const token_list *tokens);
line_list *format_place(arena *a, const piece_list *pieces, const line_list *lines);

/* format_align.c: pads for what stands in columns. */
void format_align(arena *a, piece_list *pieces, const line_list *lines);

/* format_kept.c: `anew` with the paragraphs that their author laid out by hand as they were. */
char *format_keep(arena *a, const piece_list *pieces, const line_list *placed, const token_list *tokens,
                  char *anew);

/* Width of pieces [first, end) on one line, without what stands before the first. */
int format_width(const piece_list *pieces, int first, int end);

#endif
