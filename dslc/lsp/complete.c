/* What may stand at the cursor. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/scheme_files.h"
#include "front/tokens.h"
#include "lsp/server.h"
#include "lsp/words.h"
#include "parser.h"
#include "sema/unit.h"

enum {
  ITEM_FUNCTION = 3,
  ITEM_FIELD = 5,
  ITEM_VARIABLE = 6,
  ITEM_MODULE = 9,
  ITEM_UNIT = 11,
  ITEM_VALUE = 12,
  ITEM_KEYWORD = 14,
  ITEM_MEMBER = 20,
  ITEM_CONSTANT = 21,
  ITEM_TYPE = 25,
  MOST_ITEMS = 500 /* of more the client asks again with the next key */
};

typedef struct completion {
  server *server;
  document *document;
  uint32_t start, end; /* of what is typed */
  int before;          /* index of the token in front of it, -1 */
  cJSON *items;
  int n;
  bool on_grid;
  name_map *seen;
  const char *detail;
  unsigned kinds; /* of symbols: bits 1 << kind; 0: all */
} completion;

/* ---- items ------------------------------------------------------------------------------------------------------------- */

/* The letters typed stand in the name, in their order. */
static bool fits(const completion *c, const char *text) {
  const char *typed = c->document->unit->text.bytes + c->start;
  for (uint32_t i = 0; i < c->end - c->start; i++, text++) {
    while (*text && tolower((unsigned char)*text) != tolower((unsigned char)typed[i])) text++;
    if (!*text) return false;
  }
  return true;
}

static void add(completion *c, const char *text, int kind, char group, const char *detail, const char *doc) {
  if (!text || !*text || !fits(c, text) || c->n > MOST_ITEMS) return;
  name known = intern_str(c->document->unit->names, text);
  if (name_map_get(c->seen, known)) return;
  name_map_put(c->seen, known, (void *)known);
  if (c->n++ == MOST_ITEMS) return;
  cJSON *one = cJSON_CreateObject();
  char order[3] = {group, '\0'};
  cJSON_AddStringToObject(one, "label", text);
  json_integer(one, "kind", kind);
  if (detail) cJSON_AddStringToObject(one, "detail", detail);
  if (doc) cJSON_AddStringToObject(one, "documentation", doc);
  char *sort = malloc(strlen(text) + 2);
  if (sort) {
    strcpy(sort, order);
    strcat(sort, text);
    cJSON_AddStringToObject(one, "sortText", sort);
    free(sort);
  }
  cJSON_AddItemToObject(one, "textEdit", json_edit(c->document->unit, c->start, c->end, text));
  cJSON_AddItemToArray(c->items, one);
}

static void add_words(completion *c, word_kind kind, char group) {
  static const int item[WORD_KIND_COUNT] = {
      [WORD_KEYWORD] = ITEM_KEYWORD,   [WORD_TYPE] = ITEM_TYPE,         [WORD_PLACE] = ITEM_MEMBER,
      [WORD_GEOMETRY] = ITEM_CONSTANT, [WORD_CONSTANT] = ITEM_CONSTANT, [WORD_FUNCTION] = ITEM_FUNCTION,
      [WORD_LETTER] = ITEM_VARIABLE,   [WORD_METHOD] = ITEM_VALUE,      [WORD_SOLVER] = ITEM_VALUE,
      [WORD_OPTION] = ITEM_VALUE,      [WORD_LEVEL] = ITEM_MEMBER};
  int n;
  const word *w = words(&n);
  for (int i = 0; i < n; i++)
    if (w[i].kind == kind && !word_is_elsewhere(&w[i], c->on_grid))
      add(c, w[i].text, item[kind], group, w[i].form ? w[i].form : word_kind_text(kind), w[i].doc);
}

static void add_symbol(void *ctx, const symbol *s) {
  completion *c = ctx;
  bool local = s->kind == SYMBOL_LOCAL || s->kind == SYMBOL_ARGUMENT || s->kind == SYMBOL_LETTER;
  if (c->kinds ? !(c->kinds & 1u << s->kind) : s->kind == SYMBOL_LETTER || s->kind == SYMBOL_BOUNDARY) return;
  if (!fits(c, s->text)) return;
  arena *a = c->document->unit->found;
  int kind = s->kind == SYMBOL_FUNCTION    ? ITEM_FUNCTION
             : local                       ? ITEM_VARIABLE
             : s->kind == SYMBOL_PARAMETER ? ITEM_CONSTANT
                                           : ITEM_FIELD;
  add(c, s->text, kind,
      local                          ? '1'
      : s->home == c->document->unit ? '2'
                                     : '3',
      symbol_summary(a, s, &c->document->facts), symbol_comment(a, s));
}

static void add_symbols(completion *c, unsigned kinds) {
  c->kinds = kinds;
  unit_visible(&c->server->files, c->document->unit, c->start, add_symbol, c);
}

static void add_units(completion *c) {
  int n;
  const char *const *known = units_names(&n);
  for (int i = 0; i < n; i++) add(c, known[i], ITEM_UNIT, '1', "unit", NULL);
}

static void add_file(void *to, const char *stem) { add(to, stem, ITEM_MODULE, '1', "scheme", NULL); }

static void add_schemes(completion *c) {
  const char *path = c->document->unit->path, *slash = strrchr(path, '/');
  char folder[4096];
  if (slash && slash - path < (long)sizeof folder) {
    memcpy(folder, path, (size_t)(slash - path));
    folder[slash - path] = '\0';
    scheme_files_each(folder, add_file, c);
  }
  for (int i = 0; c->server->files.shipped && c->server->files.shipped[i]; i++)
    scheme_files_each(c->server->files.shipped[i], add_file, c);
}

/* ---- where the cursor is -------------------------------------------------------------------------------------------------- */

static const token *token_at(const completion *c, int i) {
  return i >= 0 && i < c->document->unit->tokens->tokens.n ? &c->document->unit->tokens->tokens.at[i] : NULL;
}

static int kind_at(const completion *c, int i) {
  const token *t = token_at(c, i);
  return t ? t->kind : 0;
}

static bool is_text(const completion *c, int i, const char *text) {
  const token *t = token_at(c, i);
  size_t n = strlen(text);
  return t && t->end - t->start == n && memcmp(c->document->unit->text.bytes + t->start, text, n) == 0;
}

/* The bracket that is open in front of the cursor, -1: none. Braces end the search. */
static int open_bracket(const completion *c) {
  int depth = 0;
  for (int i = c->before; i >= 0 && i > c->before - 4000; i--) {
    int kind = kind_at(c, i);
    if (kind == TOK_RPAREN || kind == TOK_RBRACKET) depth++;
    if (kind == TOK_LBRACE || kind == TOK_RBRACE) return -1;
    if ((kind == TOK_LPAREN || kind == TOK_LBRACKET) && depth-- == 0) return i;
  }
  return -1;
}

/* What stands in brackets behind a number, a place or a parameter is a unit. */
static bool opens_unit(const completion *c, int bracket) {
  int before = kind_at(c, bracket - 1);
  if (before == TOK_INT || before == TOK_NUMBER) return true;
  int of = kind_at(c, bracket - 2);
  return before == TOK_NAME && (of == TOK_PLACE || of == TOK_PARAMETER || of == TOK_STATE);
}

/* `block.`, `BASE.`, `u.` */
static void complete_member(completion *c) {
  const token *t = token_at(c, c->before - 1);
  const file_unit *u = c->document->unit;
  if (!t || t->kind != TOK_NAME) return;
  const char *text = arena_strndup(u->found, u->text.bytes + t->start, t->end - t->start);
  const ast_scheme *own = u->file->scheme;
  if (own && own->base && strcmp(own->base, text) == 0) {
    file_unit *base = workspace_named(&c->server->files, u, own->base);
    c->kinds = 1u << SYMBOL_EQUATION | 1u << SYMBOL_GLOBAL;
    if (base) unit_visible(&c->server->files, base, 0, add_symbol, c);
  }
  size_t n = strlen(text);
  for (int i = 0; i < u->declared.n; i++) {
    const symbol *s = u->declared.at[i];
    if (strncmp(s->text, text, n) != 0 || s->text[n] != '.') continue;
    add(c, s->text + n + 1, ITEM_FIELD, '1', symbol_summary(u->found, s, &c->document->facts), NULL);
  }
  static const char *const component[] = {"x",  "y",  "z",  "xx", "xy", "xz",
                                          "yx", "yy", "yz", "zx", "zy", "zz"};
  add_words(c, WORD_LEVEL, '2');
  for (size_t i = 0; i < sizeof component / sizeof *component; i++)
    add(c, component[i], ITEM_MEMBER, '3', "component", NULL);
}

static bool complete_in_bracket(completion *c) {
  int bracket = open_bracket(c);
  if (bracket < 0) return false;
  if (kind_at(c, bracket) == TOK_LBRACKET) {
    if (opens_unit(c, bracket)) add_units(c);
    else add_symbols(c, 1u << SYMBOL_LETTER), add_words(c, WORD_LETTER, '2');
    return true;
  }
  bool place = is_text(c, bracket - 1, "faces") || is_text(c, bracket - 1, "nodes") ||
               is_text(c, bracket - 1, "xfaces") || is_text(c, bracket - 1, "yfaces") ||
               is_text(c, bracket - 1, "zfaces");
  if (!place || kind_at(c, bracket - 2) != TOK_IN) return false;
  add_symbols(c, 1u << SYMBOL_BOUNDARY);
  return true;
}

static void complete_any(completion *c) {
  add_words(c, WORD_GEOMETRY, '4'); /* first, as the scheme may have very many names */
  add_words(c, WORD_CONSTANT, '4');
  add_words(c, WORD_FUNCTION, '5');
  add_words(c, WORD_KEYWORD, '6');
  add_symbols(c, 0);
}

/* By what stands in front; false: anything may stand here. */
static bool complete_behind(completion *c) {
  const unsigned letters = 1u << SYMBOL_LETTER;
  switch (kind_at(c, c->before)) {
  case TOK_PLACE: add_words(c, WORD_PLACE, '1'); return true;
  case TOK_DOT: complete_member(c); return true;
  case TOK_COLON: add_words(c, WORD_TYPE, '1'), add(c, "real", ITEM_TYPE, '1', "real[n]", NULL); return true;
  case TOK_BY: add_words(c, WORD_METHOD, '1'), add_words(c, WORD_SOLVER, '2'); return true;
  case TOK_ACROSS:
    for (int i = 0; i < 3; i++) add(c, (const char *[]){"x", "y", "z"}[i], ITEM_MEMBER, '1', "axis", NULL);
    return true;
  case TOK_ON:
    add(c, "mesh", ITEM_MEMBER, '1', "mesh(2)", NULL), add(c, "grid", ITEM_MEMBER, '1', "grid(2)", NULL);
    return true;
  case TOK_IN: add_words(c, WORD_PLACE, '1'); return true;
  case TOK_EXTENDS:
  case TOK_IMPORT: add_schemes(c); return true;
  case TOK_TO:
  case TOK_NEAR: add_symbols(c, letters), add_words(c, WORD_LETTER, '2'); return true;
  case TOK_OF:
    if (open_bracket(c) < 0) add_schemes(c);
    else add_symbols(c, letters), add_words(c, WORD_LETTER, '2');
    return true;
  case TOK_UPDATE:
  case TOK_INTEGRATE: add_symbols(c, 1u << SYMBOL_STATE | 1u << SYMBOL_EQUATION); return true;
  case TOK_SOLVE: add_symbols(c, 1u << SYMBOL_MATRIX); return true;
  case TOK_GHOST:
  case TOK_FIX:
    add_symbols(c, 1u << SYMBOL_STATE | 1u << SYMBOL_EQUATION | 1u << SYMBOL_GIVEN | 1u << SYMBOL_RESULT);
    return true;
  case TOK_BOUNDARY: add_symbols(c, 1u << SYMBOL_BOUNDARY); return true;
  default: return false;
  }
}

static bool in_comment(const file_unit *u, uint32_t offset) {
  for (int i = 0; i < u->tokens->comments.n && u->tokens->comments.at[i].start < offset; i++)
    if (offset <= u->tokens->comments.at[i].end) return true;
  return false;
}

static int token_before(const file_unit *u, uint32_t offset) {
  int lo = 0, hi = u->tokens->tokens.n;
  while (lo < hi) {
    int mid = lo + (hi - lo) / 2;
    if (u->tokens->tokens.at[mid].end > offset) hi = mid;
    else lo = mid + 1;
  }
  while (lo > 0 && u->tokens->tokens.at[lo - 1].kind == TOK_YYEOF) lo--;
  return lo - 1;
}

static bool stands_on_grid(server *s, const file_unit *u) {
  for (int i = 0; i < 8 && u && u->file->scheme && u->file->scheme->base; i++)
    u = workspace_named(&s->files, u, u->file->scheme->base);
  return u && u->file->scheme && u->file->scheme->on_grid;
}

cJSON *answer_completion(server *s, const cJSON *params, failure *f) {
  uint32_t offset;
  document *d = asked_document(s, params, &offset, f);
  if (!d) return NULL;
  unit_index(&s->files, d->unit);
  completion c = {.server = s, .document = d, .start = offset, .end = offset, .items = cJSON_CreateArray()};
  cJSON *list = cJSON_CreateObject();
  cJSON_AddItemToObject(list, "items", c.items);
  if (in_comment(d->unit, offset)) return list;
  const char *bytes = d->unit->text.bytes;
  while (c.start > 0 && (isalnum((unsigned char)bytes[c.start - 1]) || bytes[c.start - 1] == '_')) c.start--;
  if (isdigit((unsigned char)bytes[c.start])) return list;
  c.before = token_before(d->unit, c.start);
  c.on_grid = stands_on_grid(s, d->unit);
  c.seen = name_map_create(d->unit->found);
  if (!complete_behind(&c) && !complete_in_bracket(&c)) complete_any(&c);
  cJSON_AddBoolToObject(list, "isIncomplete", c.n > MOST_ITEMS);
  return list;
}
