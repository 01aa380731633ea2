/* The manifest's schema: one table per structure of dslc.h, from which writer and reader derive. */
#ifndef DSLC_BACK_MANIFEST_H
#define DSLC_BACK_MANIFEST_H

#include "base/arena.h"
#include "dslc.h"

typedef enum manifest_kind {
  MANIFEST_TEXT,   /* const char *, null for NULL */
  MANIFEST_NEEDED, /* const char * that must not be NULL */
  MANIFEST_INT,
  MANIFEST_BOOL,
  MANIFEST_NUMBER, /* double */
  MANIFEST_OPTION, /* const char *, left out where it is NULL */
  MANIFEST_RARE,   /* double, left out where it is 0 */
  MANIFEST_SELDOM, /* int, the same */
  MANIFEST_CHAR,   /* "" for 0 */
  MANIFEST_WORD,   /* an enum by the words for its values */
  MANIFEST_LIST,   /* count (int) and pointer to structures */
  MANIFEST_INTS,   /* count and pointer */
  MANIFEST_TEXTS,  /* count and pointer */
  MANIFEST_NOTES,  /* count and pointer: their texts */
  MANIFEST_EIGHT,  /* double[8] */
  MANIFEST_RECORD  /* one structure in place; null where its first member, an int, is 0 */
} manifest_kind;

typedef struct manifest_entry {
  const char *key;
  manifest_kind kind;
  size_t at, count_at;
  const struct manifest_type *type; /* MANIFEST_LIST, MANIFEST_RECORD */
  const char *const *word;          /* MANIFEST_WORD, NULL-terminated; or, where that is NULL, by `text` */
  const char *(*text)(int);
  unsigned only; /* not 0: bits DSLC_HAS_..., of sources that have them alone */
} manifest_entry;

/* Of the format; files of another one are refused. 2: the sources of buffers are structures. */
enum { MANIFEST_VERSION = 5 };

typedef struct manifest_type {
  size_t size;
  const manifest_entry *entry; /* ends with a NULL key */
} manifest_type;

extern const manifest_type manifest_program;

/* 32 hex digits of the kernels' text, in the arena's memory: they tell that a text is another one, not that somebody made it look alike. */
const char *manifest_hash(const char *source, arena *a);

/* MANIFEST_WORD: the word for a value, counted from 0; NULL behind the last one. */
const char *manifest_word(const manifest_entry *e, int value);
/* Whether the structure at `at`, of which the entries before `e` are known, has this one. */
bool manifest_has(const manifest_entry *e, const char *at);

/* NULL, or what is wrong with a program's numbers: "kernels[2].args[0].number is 7, expected 0 to 4". */
const char *manifest_check(const dslc_program *p, arena *a);
/* The same of what its parts say of each other, and of what the kernels' text says; where manifest_check has found nothing. */
const char *manifest_agree(const dslc_program *p, arena *a);
const char *manifest_match(const dslc_program *p, arena *a);

#endif
