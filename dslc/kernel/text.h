/* From characters to the tokens that the parser sees: lex.c makes tokens, preprocess.c follows directives and expands macros.
 * Names are symbols, each once, so that keywords, macros and what a scope declares are found without a search. */
#ifndef DSLC_KERNEL_TEXT_H
#define DSLC_KERNEL_TEXT_H

#include "kernel/kernel.h"

typedef enum kir_token_kind {
  TOKEN_END,
  TOKEN_NAME,
  TOKEN_NUMBER,
  TOKEN_STRING,
  TOKEN_PUNCTUATION,
  TOKEN_PRAGMA
} kir_token_kind;

/* Punctuation is told by a number: its characters, the first one lowest. */
#define PUNCT1(a)       ((unsigned)(a))
#define PUNCT2(a, b)    (PUNCT1(a) | (unsigned)(b) << 8)
#define PUNCT3(a, b, c) (PUNCT2(a, b) | (unsigned)(c) << 16)

typedef enum kir_keyword {
  WORD_NONE,
#define WORD(ID, text) WORD_##ID,
#include "kernel/words.def"
#undef WORD
  WORD_COUNT
} kir_keyword;

typedef struct kir_macro kir_macro;
typedef struct kir_symbol kir_symbol;
struct kir_binding;

struct kir_symbol {
  const char *text;
  unsigned length, hash;
  kir_keyword keyword;
  kir_macro *macro;            /* NULL: none */
  struct kir_binding *binding; /* the innermost one, the parser's */
  kir_symbol *next;            /* in its bucket */
};

typedef struct kir_token {
  kir_token_kind kind;
  unsigned punctuation;
  const char *text; /* NUMBER, STRING, PRAGMA: not terminated */
  int length;
  int line;
  bool begins_line;
  bool touches;  /* the token before it: no blank between; tells a function-like macro's definition */
  bool expanded; /* a macro's name within its own expansion: stays */
  kir_symbol *symbol;
} kir_token;

typedef VEC(kir_token) kir_tokens;

struct kir_macro {
  bool has_arguments;
  bool active; /* being expanded */
  int n_parameters;
  kir_symbol **parameters;
  kir_tokens body;
};

typedef struct kir_symbols {
  arena *arena;
  kir_symbol **buckets;
  unsigned n_buckets, count;
} kir_symbols;

kir_symbols *kir_symbols_create(arena *a);
kir_symbol *kir_symbol_get(kir_symbols *s, const char *text, size_t length);

/* All tokens of the text, comments left out, TOKEN_END last. False and a message for a character that begins no token. */
bool kir_lex(kir_symbols *s, const char *text, kir_tokens *tokens, kir_message *message);

/* The same with directives followed and macros expanded. */
bool kir_preprocess(kir_symbols *s, const char *text, const char *options, kir_tokens *out,
                    kir_message *message);

/* As `#define` and the text would: NAME, NAME body, NAME(parameters) body. */
bool kir_define(kir_symbols *s, const char *definition, kir_message *message);

static inline bool kir_is(const kir_token *t, unsigned punctuation) {
  return t->kind == TOKEN_PUNCTUATION && t->punctuation == punctuation;
}

#endif
