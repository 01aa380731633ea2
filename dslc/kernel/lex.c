/* Characters to tokens. */
#include <stdio.h>
#include <string.h>

#include "kernel/text.h"

/* ---- Symbols ---------------------------------------------------------------------------------------------- */

static const struct {
  const char *text;
  kir_keyword id;
} words[] = {
#define WORD(ID, text) {text, WORD_##ID},
#include "kernel/words.def"
#undef WORD
    {"kernel", WORD_KERNEL},     {"global", WORD_GLOBAL},       {"local", WORD_LOCAL},
    {"constant", WORD_CONSTANT}, {"__restrict", WORD_RESTRICT}, {"__inline", WORD_INLINE},
};

static unsigned hash_of(const char *text, size_t length) {
  unsigned h = 2166136261u;
  for (size_t i = 0; i < length; i++) h = (h ^ (unsigned char)text[i]) * 16777619u;
  return h;
}

static void rehash(kir_symbols *s) {
  unsigned n = s->n_buckets ? 4 * s->n_buckets : 1024;
  kir_symbol **buckets = arena_array(s->arena, kir_symbol *, n);
  for (unsigned b = 0; b < s->n_buckets; b++)
    for (kir_symbol *at = s->buckets[b], *next = NULL; at; at = next) {
      next = at->next;
      at->next = buckets[at->hash & (n - 1)];
      buckets[at->hash & (n - 1)] = at;
    }
  s->buckets = buckets;
  s->n_buckets = n;
}

kir_symbol *kir_symbol_get(kir_symbols *s, const char *text, size_t length) {
  unsigned h = hash_of(text, length);
  for (kir_symbol *at = s->buckets[h & (s->n_buckets - 1)]; at; at = at->next)
    if (at->hash == h && at->length == length && memcmp(at->text, text, length) == 0) return at;
  if (s->count++ > s->n_buckets) rehash(s);
  kir_symbol *made = arena_new(s->arena, kir_symbol);
  *made = (kir_symbol){.text = arena_strndup(s->arena, text, length), .length = (unsigned)length, .hash = h};
  made->next = s->buckets[h & (s->n_buckets - 1)];
  s->buckets[h & (s->n_buckets - 1)] = made;
  return made;
}

kir_symbols *kir_symbols_create(arena *a) {
  kir_symbols *s = arena_new(a, kir_symbols);
  s->arena = a;
  rehash(s);
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    kir_symbol_get(s, words[i].text, strlen(words[i].text))->keyword = words[i].id;
  return s;
}

/* ---- Tokens ------------------------------------------------------------------------------------------------- */

typedef struct lexer {
  kir_symbols *symbols;
  kir_tokens *tokens;
  const char *at;
  int line;
  bool begins_line, touches;
  kir_message *message;
} lexer;

static bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
static bool is_digit(char c) { return c >= '0' && c <= '9'; }

/* Blanks, comments and continued lines; false for a comment that does not end. */
static bool skip_blanks(lexer *x) {
  for (;; x->touches = false) {
    const char c = *x->at;
    if (c == '\n') x->line++, x->begins_line = true, x->at++;
    else if (c == ' ' || c == '\t' || c == '\r') x->at++;
    else if (c == '\\' && x->at[1] == '\n') x->line++, x->at += 2;
    else if (c == '/' && x->at[1] == '/') x->at += strcspn(x->at, "\n");
    else if (c == '/' && x->at[1] == '*') {
      const char *end = strstr(x->at + 2, "*/");
      if (!end) return false;
      for (; x->at < end + 2; x->at++) x->line += *x->at == '\n';
    } else return true;
  }
}

static void add(lexer *x, kir_token_kind kind, size_t length) {
  kir_token t = {.kind = kind,
                 .text = x->at,
                 .length = (int)length,
                 .line = x->line,
                 .begins_line = x->begins_line,
                 .touches = x->touches};
  if (kind == TOKEN_NAME) t.symbol = kir_symbol_get(x->symbols, x->at, length);
  if (kind == TOKEN_PUNCTUATION)
    for (size_t i = length; i-- > 0;) t.punctuation = t.punctuation << 8 | (unsigned char)x->at[i];
  vec_push(x->symbols->arena, x->tokens, t);
  x->at += length;
  x->begins_line = false;
  x->touches = true;
}

/* C's preprocessing numbers: digits, letters, points, and signs behind an exponent's letter. */
static size_t number_length(const char *s) {
  size_t n = 1;
  for (;; n++) {
    const char c = s[n], before = s[n - 1];
    const bool hexadecimal = s[0] == '0' && (s[1] == 'x' || s[1] == 'X');
    const bool exponent = hexadecimal ? before == 'p' || before == 'P' : before == 'e' || before == 'E';
    if (!is_letter(c) && !is_digit(c) && c != '.' && !((c == '+' || c == '-') && exponent)) return n;
  }
}

static size_t punctuation_length(const char *s) {
  static const char *const longer[] = {"<<=", ">>=", "...", "->", "++", "--", "<<", ">>",
                                       "<=",  ">=",  "==",  "!=", "&&", "||", "+=", "-=",
                                       "*=",  "/=",  "%=",  "&=", "|=", "^=", "##"};
  for (size_t i = 0; i < sizeof longer / sizeof *longer; i++)
    if (strncmp(s, longer[i], strlen(longer[i])) == 0) return strlen(longer[i]);
  return strchr("+-*/%<>=!&|^~?:;,.()[]{}#", *s) ? 1 : 0;
}

static size_t name_length(const char *s) {
  size_t n = 1;
  while (is_letter(s[n]) || is_digit(s[n])) n++;
  return n;
}

static size_t string_length(const char *s) {
  size_t n = 1;
  while (s[n] && s[n] != '"' && s[n] != '\n') n += s[n] == '\\' && s[n + 1] ? 2 : 1;
  return s[n] == '"' ? n + 1 : 0;
}

static bool fail(lexer *x, const char *what) {
  x->message->line = x->line;
  snprintf(x->message->text, sizeof x->message->text, "%s", what);
  return false;
}

static bool next(lexer *x) {
  const char c = *x->at;
  if (is_letter(c)) return add(x, TOKEN_NAME, name_length(x->at)), true;
  if (is_digit(c) || (c == '.' && is_digit(x->at[1])))
    return add(x, TOKEN_NUMBER, number_length(x->at)), true;
  if (c == '"') {
    const size_t n = string_length(x->at);
    return n ? (add(x, TOKEN_STRING, n), true) : fail(x, "a string that does not end in its line");
  }
  const size_t n = punctuation_length(x->at);
  if (n) return add(x, TOKEN_PUNCTUATION, n), true;
  char text[80];
  snprintf(text, sizeof text, "a character that begins nothing: `%.1s`, number %d", x->at, (unsigned char)c);
  return fail(x, text);
}

bool kir_lex(kir_symbols *s, const char *text, kir_tokens *tokens, kir_message *message) {
  lexer x = {.symbols = s, .tokens = tokens, .at = text, .line = 1, .begins_line = true, .message = message};
  for (;;) {
    if (!skip_blanks(&x)) return fail(&x, "a comment that does not end");
    if (!*x.at) break;
    if (!next(&x)) return false;
  }
  x.begins_line = true;
  add(&x, TOKEN_END, 0);
  return true;
}
