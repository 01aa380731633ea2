/* Files as the editor's questions need them: parsed, with every name's meaning. Nothing is analysed here: what a name stands for follows
 * from scopes alone, so it is known for text that is half written, too.
 *
 * A workspace owns its units, a unit its tree, symbols and occurrences: they live in its arena until its text changes. Memory that runs
 * out jumps to workspace.recovery. */
#ifndef DSLC_LSP_UNIT_H
#define DSLC_LSP_UNIT_H

#include <setjmp.h>
#include <time.h>

#include "front/ast.h"
#include "front/tokens.h"
#include "lsp/text.h"

typedef enum symbol_kind {
  SYMBOL_SCHEME, /* a file, by its scheme or as a library */
  SYMBOL_PARAMETER,
  SYMBOL_VARIANT,
  SYMBOL_CHOICE,
  SYMBOL_STATE,
  SYMBOL_GIVEN,
  SYMBOL_FUNCTION,
  SYMBOL_EQUATION,
  SYMBOL_RESULT, /* of a block */
  SYMBOL_GLOBAL,
  SYMBOL_MATRIX,
  SYMBOL_BOUNDARY,
  SYMBOL_ARGUMENT, /* of a function, an operator, a boundary rule */
  SYMBOL_LOCAL,    /* let, where */
  SYMBOL_LETTER    /* of a reduction */
} symbol_kind;

typedef struct file_unit file_unit;

typedef struct symbol {
  symbol_kind kind;
  name text; /* as it is read: of a result with its block's name */
  span at;   /* of the name where it is declared */
  file_unit *home;
  const ast_decl *decl; /* the declaration that it is or belongs to; NULL: of a file */
  const ast_param *param;
  const ast_binding *binding;
  const ast_result *result;
  const ast_binder *binder;
  const struct symbol *owner; /* of a result its block, of a choice its variant */
  span scope;                 /* of arguments, locals and letters: where they are known */
  bool exchanged;             /* stands in an `exchange`, so that it is there under other names too */
} symbol;

typedef struct occurrence {
  uint32_t start, end;
  const symbol *of;
  bool declares;
} occurrence;

struct file_unit {
  struct file_unit *next;
  char *path;
  text_buffer text;
  bool open; /* in the editor: its text is the client's, not the file's */
  long version;
  unsigned long checked;   /* the question at which it was last looked for; 0: never */
  bool missing;            /* then */
  struct timespec changed; /* of the file */
  /* of the text; NULL until it is asked for */
  arena *memory;
  intern_pool *names;
  source_set *sources;
  diag_sink *sink;
  const ast_file *file;
  token_list *tokens;
  symbol *self;
  name_map *symbols, *rules; /* by name: what the file declares, and its boundary rules */
  VEC(symbol *) declared;    /* in the order of the text, rules and their locals too */
  /* of the texts of all files that it reads, too; in an arena of their own */
  arena *found;
  VEC(occurrence) seen; /* by position */
  VEC(const symbol *) locals;
  unsigned long indexed; /* the workspace's generation at which they were found */
};

typedef struct workspace {
  file_unit *first;
  unsigned long generation;   /* changes with every text */
  unsigned long question;     /* files are looked at once for each */
  const char *const *shipped; /* folders of schemes, NULL-terminated */
  const char *unread;         /* a file that is there and could not be read; NULL: none */
  jmp_buf *recovery;          /* where it goes when memory runs out */
  arena_pool *pool;           /* of all its arenas; not its own */
  arena *question_memory;     /* of what is needed for one question; NULL: nothing yet */
} workspace;

void workspace_destroy(workspace *w);
void workspace_no_memory(void *w, size_t size); /* to the recovery point */
/* An arena that ends with its owner, and one that ends with the question. Never NULL. */
arena *workspace_arena(workspace *w);
arena *workspace_question_arena(workspace *w);

/* Before each of the client's questions: files that are not open are read again if they have changed. */
void workspace_ask(workspace *w);

/* The unit of a path, parsed; NULL: there is no such file. It stays the same until the next question. */
file_unit *workspace_unit(workspace *w, const char *path);
file_unit *workspace_find(workspace *w, const char *path); /* only if it is there already; not parsed */
/* The client's text from now on; NULL: no memory. */
file_unit *workspace_open(workspace *w, const char *path, const char *bytes, size_t size);
void workspace_changed(workspace *w, file_unit *u); /* its text was changed */
void workspace_close(workspace *w, file_unit *u);   /* the file's text counts again */
/* NAME.ew beside the unit, or among the shipped schemes; NULL if there is none. */
file_unit *workspace_named(workspace *w, const file_unit *u, const char *text);

/* What a name without scope stands for in a unit: its own, imported, of the scheme that it extends. NULL: nothing known. */
const symbol *workspace_symbol(workspace *w, file_unit *u, const char *text);
const symbol *workspace_rule(workspace *w, file_unit *u, const char *text);
/* Of a declaration that replaces another: that one, however far down. */
const symbol *workspace_root(workspace *w, const symbol *s);

/* declare.c, index.c: fill in the unit. */
void unit_declare(file_unit *u);
void unit_index(workspace *w, file_unit *u);
/* The bytes of a name that begins at `at`: heads have arguments and indices behind it. */
span name_span(const file_unit *u, span at, const char *text);
symbol *unit_symbol(file_unit *u, arena *a, symbol_kind kind, name text, span at, const ast_decl *d);
/* What is declared at an offset, or NULL. */
symbol *unit_declared(const file_unit *u, uint32_t start);
bool same_symbol(const symbol *a, const symbol *b);

/* The occurrence at or directly before an offset, or NULL. */
const occurrence *unit_occurrence(workspace *w, file_unit *u, uint32_t offset);

/* Calls `visit` with the names that can be read at an offset: locals first, then the scheme's, then what it takes over. */
typedef void symbol_visit(void *ctx, const symbol *s);
void unit_visible(workspace *w, file_unit *u, uint32_t offset, symbol_visit *visit, void *ctx);

#endif
