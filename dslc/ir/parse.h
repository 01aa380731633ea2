/* Between parse.c (the structure of the text) and parse_text.c (its pieces). All functions return false after
 * an error; the first one is kept in `error`, with its line. */
#ifndef DSLC_IR_PARSE_H
#define DSLC_IR_PARSE_H

#include "ir/ir_internal.h"

typedef struct parser {
  ir_module *m;
  const char *start, *at; /* NUL-terminated text */
  const char *error;
  name_map *first; /* name -> index of the first symbol that has it, plus 1, as a pointer */
  ir_id *node;     /* number in the text -> node */
  uint32_t n_node; /* numbers in the text are smaller: bounded by its length */
  int depth;       /* of nested statements */
} parser;

/* A piece of the text. */
typedef struct word {
  const char *at;
  size_t n;
} word;

bool parse_fail(parser *p, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

bool parse_at_end(parser *p);                   /* of the line */
bool parse_end_of_line(parser *p);              /* expects it; also skips blank lines */
bool parse_accept(parser *p, const char *text); /* punctuation, if it stands here */
bool parse_expect(parser *p, const char *text);
word parse_word(parser *p); /* up to a blank, '=', '{' or the line's end; n == 0: none */
bool parse_is(word w, const char *text);
bool parse_enum(parser *p, const ir_words *words, const char *what, int *value);
bool parse_unsigned(parser *p, uint32_t limit, const char *what, uint32_t *value); /* < limit */
bool parse_signed(parser *p, int lowest, int highest, int *value);
bool parse_double(parser *p, double *value);
bool parse_name(parser *p, name *text);    /* plain or quoted */
bool parse_symbol(parser *p, ir_sym *sym); /* by name, or name#number */
bool parse_id(parser *p, ir_id *id);       /* %n, defined before */
bool parse_type(parser *p, ir_type *type);

typedef struct symbol_attributes {
  const char *unit, *bounds;
  name form;
  ir_sym of, weight, entry, diagonal, right_side;
  int dims, stored, side, evidence, role, constraint;
  bool flux, fluctuation, symmetric, over_time;
  int n_parts;
  uint8_t part[IR_MOST_PARTS];
  ir_sym part_sym[IR_MOST_PARTS];
} symbol_attributes;

typedef struct statement_attributes {
  name method, preconditioner;
  ir_id over, rhs, until, at_most;
  ir_sym matrix, unknown;
  int turn;
} statement_attributes;

/* Everything that may stand as key=value or as a flag at the end of a line. */
typedef struct attributes {
  symbol_attributes symbol;
  statement_attributes statement;
  const char *tag, *text;
  name hint, axis;
  uint32_t rule;
  double ahead;
  bool add, projection, of_step;
  span at;
} attributes;

/* Up to the end of the line or a '{'. */
bool parse_attributes(parser *p, attributes *a);

#endif
