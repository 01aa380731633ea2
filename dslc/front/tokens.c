#include "front/tokens.h"

#include <stdlib.h>
#include <string.h>

#include "parser.h"

typedef struct keyword {
  const char *text;
  int kind;
} keyword;

/* In alphabetical order. */
static const keyword keywords[] = {
    {"across", TOK_ACROSS},
    {"add", TOK_ADD},
    {"and", TOK_AND},
    {"at", TOK_AT},
    {"boundary", TOK_BOUNDARY},
    {"by", TOK_BY},
    {"else", TOK_ELSE},
    {"exchange", TOK_EXCHANGE},
    {"extends", TOK_EXTENDS},
    {"fix", TOK_FIX},
    {"flux", TOK_FLUX},
    {"fn", TOK_FN},
    {"ghost", TOK_GHOST},
    {"given", TOK_GIVEN},
    {"if", TOK_IF},
    {"import", TOK_IMPORT},
    {"in", TOK_IN},
    {"integrate", TOK_INTEGRATE},
    {"let", TOK_LET},
    {"matrix", TOK_MATRIX},
    {"max", TOK_REDUCE},
    {"min", TOK_REDUCE},
    {"most", TOK_MOST},
    {"near", TOK_NEAR},
    {"not", TOK_NOT},
    {"of", TOK_OF},
    {"on", TOK_ON},
    {"or", TOK_OR},
    {"over", TOK_OVER},
    {"parameter", TOK_PARAMETER},
    {"real", TOK_REAL},
    {"repeat", TOK_REPEAT},
    {"replace", TOK_REPLACE},
    {"require", TOK_REQUIRE},
    {"scheme", TOK_SCHEME},
    {"solve", TOK_SOLVE},
    {"state", TOK_STATE},
    {"step", TOK_STEP},
    {"sum", TOK_REDUCE},
    {"symmetric", TOK_SYMMETRIC},
    {"then", TOK_THEN},
    {"to", TOK_TO},
    {"until", TOK_UNTIL},
    {"update", TOK_UPDATE},
    {"variant", TOK_VARIANT},
    {"where", TOK_WHERE},
};

int keyword_count(void) { return (int)(sizeof keywords / sizeof *keywords); }
const char *keyword_name(int i) { return keywords[i].text; }

int keyword_find(const char *text, size_t n) {
  int lo = 0, hi = keyword_count() - 1;
  while (lo <= hi) {
    int mid = (lo + hi) / 2;
    int order = strncmp(text, keywords[mid].text, n);
    if (order == 0 && keywords[mid].text[n] != '\0') order = -1;
    if (order == 0) return keywords[mid].kind;
    if (order < 0) hi = mid - 1;
    else lo = mid + 1;
  }
  return 0;
}

bool name_is_plain(const char *text) {
  const char *s = text;
  while ((*s >= 'a' && *s <= 'z') || (*s >= 'A' && *s <= 'Z') || *s == '_' ||
         (s > text && *s >= '0' && *s <= '9'))
    s++;
  return s > text && *s == '\0' && !keyword_find(text, strlen(text));
}

const char *const names_with_parts[NAMES_WITH_PARTS] = {"region", "patch", "distance_to"};

bool name_has_parts(const char *text) {
  for (int i = 0; i < NAMES_WITH_PARTS; i++)
    if (strcmp(text, names_with_parts[i]) == 0) return true;
  return false;
}

bool token_is_keyword(int kind) {
  for (int i = 0; i < keyword_count(); i++)
    if (keywords[i].kind == kind) return true;
  return false;
}

const char *token_text(arena *a, const token_list *list, const token *t) {
  if (t->kind == TOK_YYEOF) return "the end of the file";
  return arena_printf(a, "`%.*s`", (int)(t->end - t->start), list->text + t->start);
}

bool token_ends_expression(int kind) {
  switch (kind) {
  case TOK_NAME:
  case TOK_QUOTED:
  case TOK_INT:
  case TOK_NUMBER:
  case TOK_RPAREN:
  case TOK_RBRACKET: return true;
  default: return false;
  }
}

bool token_begins_declaration(int kind) {
  switch (kind) {
  case TOK_PARAMETER:
  case TOK_VARIANT:
  case TOK_STATE:
  case TOK_GIVEN:
  case TOK_FN:
  case TOK_FLUX:
  case TOK_MATRIX:
  case TOK_BOUNDARY:
  case TOK_EXCHANGE:
  case TOK_REQUIRE:
  case TOK_REPLACE:
  case TOK_STEP: return true;
  default: return false;
  }
}

bool token_begins_statement(int kind) {
  return kind == TOK_UPDATE || kind == TOK_INTEGRATE || kind == TOK_SOLVE || kind == TOK_REPEAT;
}

bool token_begins_rule(int kind) {
  return kind == TOK_GHOST || kind == TOK_FIX || kind == TOK_FLUX || kind == TOK_ADD || kind == TOK_LET ||
         kind == TOK_REPLACE;
}
