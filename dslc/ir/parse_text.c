/* The pieces of the printed form: words, numbers, names, references and attributes. */
#include "ir/parse.h"

#include <ctype.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

bool parse_fail(parser *p, const char *fmt, ...) {
  if (p->error != NULL) return false;
  int line = 1;
  for (const char *s = p->start; s < p->at; s++) line += *s == '\n';
  va_list ap;
  va_start(ap, fmt);
  p->error = arena_printf(p->m->memory, "line %d: %s", line, arena_vprintf(p->m->memory, fmt, ap));
  va_end(ap);
  return false;
}

/* ---- words --------------------------------------------------------------------------------------------- */

static void skip_blanks(parser *p) {
  while (*p->at == ' ' || *p->at == '\t' || *p->at == '\r') p->at++;
}

bool parse_at_end(parser *p) {
  skip_blanks(p);
  return *p->at == '\n' || *p->at == '\0';
}

bool parse_end_of_line(parser *p) {
  if (!parse_at_end(p)) return parse_fail(p, "unexpected `%.20s` at the end of the line", p->at);
  while (parse_at_end(p) && *p->at != '\0') p->at++;
  return true;
}

bool parse_accept(parser *p, const char *text) {
  skip_blanks(p);
  size_t n = strlen(text);
  if (strncmp(p->at, text, n) != 0) return false;
  p->at += n;
  return true;
}

bool parse_expect(parser *p, const char *text) {
  if (parse_accept(p, text)) return true;
  return parse_fail(p, "expected `%s` before `%.20s`", text, p->at);
}

word parse_word(parser *p) {
  skip_blanks(p);
  word w = {p->at, 0};
  while (*p->at != '\0' && !isspace((unsigned char)*p->at) && *p->at != '=' && *p->at != '{') p->at++;
  w.n = (size_t)(p->at - w.at);
  return w;
}

bool parse_is(word w, const char *text) { return strlen(text) == w.n && memcmp(text, w.at, w.n) == 0; }

/* Letters and underscores: the words of an enumeration end before '(' or ','. */
static word parse_letters(parser *p) {
  skip_blanks(p);
  word w = {p->at, 0};
  while (isalpha((unsigned char)*p->at) || *p->at == '_') p->at++;
  w.n = (size_t)(p->at - w.at);
  return w;
}

bool parse_enum(parser *p, const ir_words *words, const char *what, int *value) {
  word w = parse_letters(p);
  *value = ir_word_find(words, w.at, w.n);
  return *value >= 0 || parse_fail(p, "unknown %s `%.*s`", what, (int)(w.n < 40 ? w.n : 40), w.at);
}

/* ---- numbers ------------------------------------------------------------------------------------------- */

bool parse_unsigned(parser *p, uint32_t limit, const char *what, uint32_t *value) {
  skip_blanks(p);
  if (!isdigit((unsigned char)*p->at))
    return parse_fail(p, "expected %s, a number, before `%.20s`", what, p->at);
  uint64_t x = 0;
  for (; isdigit((unsigned char)*p->at); p->at++)
    if (x <= UINT32_MAX) x = 10 * x + (uint64_t)(*p->at - '0');
  if (x >= limit) return parse_fail(p, "%s is out of range: it must be less than %u", what, limit);
  *value = (uint32_t)x;
  return true;
}

bool parse_signed(parser *p, int lowest, int highest, int *value) {
  bool negative = parse_accept(p, "-");
  uint32_t x = 0;
  if (!parse_unsigned(p, INT32_MAX, "an integer", &x)) return false;
  *value = negative ? -(int)x : (int)x;
  return (*value >= lowest && *value <= highest) ||
         parse_fail(p, "%d is not within %d and %d", *value, lowest, highest);
}

static bool parse_nan(parser *p, double *value) {
  char *end;
  unsigned long long bits = strtoull(p->at, &end, 16);
  if (end == p->at) return parse_fail(p, "expected the bits of a NaN before `%.20s`", p->at);
  p->at = end;
  memcpy(value, &bits, sizeof *value);
  return parse_expect(p, ")");
}

bool parse_double(parser *p, double *value) {
  if (parse_accept(p, "nan(")) return parse_nan(p, value);
  char *end;
  *value = strtod(p->at, &end);
  if (end == p->at) return parse_fail(p, "expected a number before `%.20s`", p->at);
  p->at = end;
  return true;
}

/* ---- names and references ------------------------------------------------------------------------------ */

/* `\x41`, `\"` and `\\`; the opening quote has been read. */
static bool parse_quoted(parser *p, name *text) {
  char *copy = arena_alloc(p->m->memory, strcspn(p->at, "\n") + 1), *to = copy;
  while (*p->at != '"') {
    if (*p->at == '\0' || *p->at == '\n') return parse_fail(p, "a text without its closing quote");
    if (*p->at != '\\') {
      *to++ = *p->at++;
    } else if (p->at[1] == 'x' && isxdigit((unsigned char)p->at[2]) && isxdigit((unsigned char)p->at[3])) {
      *to++ = (char)strtol((char[]){p->at[2], p->at[3], '\0'}, NULL, 16);
      p->at += 4;
    } else if (p->at[1] == '"' || p->at[1] == '\\') {
      *to++ = p->at[1];
      p->at += 2;
    } else {
      return parse_fail(p, "unknown escape `%.2s`", p->at);
    }
  }
  p->at++;
  *text = intern_str(p->m->names, copy);
  return true;
}

bool parse_name(parser *p, name *text) {
  if (parse_accept(p, "\"")) return parse_quoted(p, text);
  const char *from = p->at;
  while (isalnum((unsigned char)*p->at) || *p->at == '_' || *p->at == '.') p->at++;
  if (p->at == from) return parse_fail(p, "expected a name before `%.20s`", p->at);
  *text = intern(p->m->names, from, (size_t)(p->at - from));
  return true;
}

bool parse_symbol(parser *p, ir_sym *sym) {
  name text;
  if (!parse_name(p, &text)) return false;
  if (*p->at == '#') {
    p->at++;
    if (!parse_unsigned(p, (uint32_t)p->m->symbol.n, "a symbol's number", sym)) return false;
    return *sym > 0 || parse_fail(p, "symbols are numbered from 1");
  }
  *sym = (ir_sym)(uintptr_t)name_map_get(p->first, text);
  return *sym > 0 || parse_fail(p, "unknown symbol `%.60s`", text);
}

bool parse_id(parser *p, ir_id *id) {
  uint32_t number;
  if (!parse_expect(p, "%") || !parse_unsigned(p, p->n_node, "a node", &number)) return false;
  *id = p->node[number];
  return *id > 0 || parse_fail(p, "%%%u is used before its definition", number);
}

bool parse_type(parser *p, ir_type *type) {
  int rank;
  if (!parse_enum(p, &ir_rank_words, "rank", &rank)) return false;
  *type = (ir_type){(uint8_t)rank, 1};
  uint32_t n;
  if (!parse_accept(p, "(")) return true;
  if (!parse_unsigned(p, UINT8_MAX + 1, "a component count", &n)) return false;
  type->n = (uint8_t)n;
  return parse_expect(p, ")");
}

/* ---- attributes ---------------------------------------------------------------------------------------- */

typedef enum attribute_kind {
  FLAG,
  REAL,
  NAME,
  ID,
  SYMBOL,
  NUMBER,
  RULE,
  SIDE,
  EVIDENCE,
  ROLE,
  SPAN,
  PARTS
} attribute_kind;

static const struct attribute {
  const char *key;
  attribute_kind kind;
  size_t offset;
} table[] = {
    {"unit", NAME, offsetof(attributes, symbol.unit)},
    {"bounds", NAME, offsetof(attributes, symbol.bounds)},
    {"tag", NAME, offsetof(attributes, tag)},
    {"text", NAME, offsetof(attributes, text)},
    {"name", NAME, offsetof(attributes, hint)},
    {"form", NAME, offsetof(attributes, symbol.form)},
    {"by", NAME, offsetof(attributes, statement.method)},
    {"preconditioner", NAME, offsetof(attributes, statement.preconditioner)},
    {"axis", NAME, offsetof(attributes, axis)},
    {"over", ID, offsetof(attributes, statement.over)},
    {"rhs", ID, offsetof(attributes, statement.rhs)},
    {"until", ID, offsetof(attributes, statement.until)},
    {"at_most", ID, offsetof(attributes, statement.at_most)},
    {"matrix", SYMBOL, offsetof(attributes, statement.matrix)},
    {"unknown", SYMBOL, offsetof(attributes, statement.unknown)},
    {"of", SYMBOL, offsetof(attributes, symbol.of)},
    {"weight", SYMBOL, offsetof(attributes, symbol.weight)},
    {"entry", SYMBOL, offsetof(attributes, symbol.entry)},
    {"diagonal", SYMBOL, offsetof(attributes, symbol.diagonal)},
    {"right_side", SYMBOL, offsetof(attributes, symbol.right_side)},
    {"role", ROLE, offsetof(attributes, symbol.role)},
    {"turn", NUMBER, offsetof(attributes, statement.turn)},
    {"constraint", NUMBER, offsetof(attributes, symbol.constraint)},
    {"ahead", REAL, offsetof(attributes, ahead)},
    {"add", FLAG, offsetof(attributes, add)},
    {"projection", FLAG, offsetof(attributes, projection)},
    {"of_step", FLAG, offsetof(attributes, of_step)},
    {"rule", RULE, offsetof(attributes, rule)},
    {"dims", NUMBER, offsetof(attributes, symbol.dims)},
    {"stored", NUMBER, offsetof(attributes, symbol.stored)},
    {"side", SIDE, offsetof(attributes, symbol.side)},
    {"evidence", EVIDENCE, offsetof(attributes, symbol.evidence)},
    {"flux", FLAG, offsetof(attributes, symbol.flux)},
    {"fluctuation", FLAG, offsetof(attributes, symbol.fluctuation)},
    {"symmetric", FLAG, offsetof(attributes, symbol.symmetric)},
    {"over_time", FLAG, offsetof(attributes, symbol.over_time)},
    {"at", SPAN, offsetof(attributes, at)},
    {"parts", PARTS, 0},
};

static bool parse_span(parser *p, span *at) {
  return parse_unsigned(p, UINT32_MAX, "a file", &at->file) && parse_expect(p, ":") &&
         parse_unsigned(p, UINT32_MAX, "an offset", &at->start) && parse_expect(p, "-") &&
         parse_unsigned(p, UINT32_MAX, "an offset", &at->end);
}

static bool parse_parts(parser *p, attributes *a) {
  do {
    uint32_t n, sym;
    if (a->symbol.n_parts == IR_MOST_PARTS) return parse_fail(p, "more than %d parts", IR_MOST_PARTS);
    if (!parse_unsigned(p, UINT8_MAX + 1, "a component count", &n) || !parse_expect(p, ":")) return false;
    if (!parse_unsigned(p, UINT32_MAX, "a symbol's number", &sym)) return false;
    a->symbol.part[a->symbol.n_parts] = (uint8_t)n;
    a->symbol.part_sym[a->symbol.n_parts++] = sym;
  } while (parse_accept(p, ","));
  return true;
}

static bool parse_value(parser *p, attributes *a, const struct attribute *t) {
  void *to = (char *)a + t->offset;
  switch (t->kind) {
  case NAME: return parse_name(p, to);
  case ID: return parse_id(p, to);
  case SYMBOL: return parse_symbol(p, to);
  case RULE: return parse_unsigned(p, INT32_MAX, "a rule", to);
  case NUMBER: return parse_signed(p, -INT32_MAX, INT32_MAX, to);
  case SIDE: return parse_enum(p, &ir_side_words, "side", to);
  case EVIDENCE: return parse_enum(p, &ir_evidence_words, "evidence", to);
  case ROLE: return parse_enum(p, &ir_role_words, "role", to);
  case REAL: return parse_double(p, to);
  case SPAN: return parse_span(p, to);
  case PARTS: return parse_parts(p, a);
  case FLAG: break;
  }
  return false;
}

bool parse_attributes(parser *p, attributes *a) {
  *a = (attributes){0};
  while (!parse_at_end(p) && *p->at != '{') {
    word w = parse_word(p);
    const struct attribute *t = table, *end = table + sizeof table / sizeof *table;
    while (t < end && !parse_is(w, t->key)) t++;
    if (t == end) return parse_fail(p, "unknown attribute `%.*s`", (int)(w.n < 40 ? w.n : 40), w.at);
    if (t->kind == FLAG) *(bool *)((char *)a + t->offset) = true;
    else if (!parse_expect(p, "=") || !parse_value(p, a, t)) return false;
  }
  return true;
}
