/* The language server's parts, which share one state. Protocol: Language Server Protocol 3.17, JSON-RPC 2.0 over two streams. */
#ifndef DSLC_LSP_SERVER_H
#define DSLC_LSP_SERVER_H

#include <cJSON.h>
#include <stdint.h>

#include "lsp/check.h"
#include "lsp/lsp.h"
#include "lsp/unit.h"

typedef struct fact_list { /* what the last check without errors knew, by name */
  cJSON *all;              /* NULL: nothing yet */
  const cJSON **sorted;    /* its children */
  int n;
} fact_list;

typedef struct document { /* what the client has open */
  struct document *next;
  char *uri;
  file_unit *unit;
  cJSON *messages; /* of the last check, as `dslc check --json` gives them, or NULL */
  fact_list facts; /* of the last one without errors */
  bool due;        /* to be checked */
  int64_t due_at;  /* not before this time, ms */
} document;

typedef struct server {
  workspace files;
  workspace trial; /* the texts as a new name would leave them */
  document *documents;
  check check;
  document *checking;
  int in, out;
  char *heard; /* of the client, not yet understood */
  size_t n_heard, room;
  cJSON *waiting; /* messages that are read, in their order */
  bool initialized, shut_down, ended, broken;
  bool starved; /* memory ran out for what is said to the client, or by it */
  int unread;   /* errno of reading what it says; 0: none */
  jmp_buf recovery;
} server;

enum {
  RPC_PARSE = -32700,
  RPC_INVALID = -32600,
  RPC_METHOD = -32601,
  RPC_PARAMS = -32602,
  RPC_INTERNAL = -32603,
  RPC_NOT_INITIALIZED = -32002,
  RPC_CANCELLED = -32800,
  RPC_FAILED = -32803
};

typedef struct failure { /* of a request: code 0: none */
  int code;
  char text[300];
} failure;

void fail(failure *f, int code, const char *fmt, ...) __attribute__((format(printf, 3, 4)));

/* rpc.c */
void rpc_send(server *s, cJSON *message); /* takes it over */
void rpc_notify(server *s, const char *method, cJSON *params);
/* Takes over `result`. */
void rpc_answer(server *s, const cJSON *id, cJSON *result, const failure *f);
/* Reads what there is into `waiting`; false: the client is gone, or what it says is no protocol. */
bool rpc_hear(server *s);

/* places.c: JSON of places in texts, and paths of URIs. */
void json_integer(cJSON *object, const char *key, long long value);
cJSON *json_range(const file_unit *u, uint32_t start, uint32_t end);
cJSON *json_location(const file_unit *u, uint32_t start, uint32_t end);
cJSON *json_edit(const file_unit *u, uint32_t start, uint32_t end, const char *text);
uint32_t read_offset(const file_unit *u, const cJSON *position);
char *path_of_uri(const char *uri); /* free() both */
char *uri_of_path(const char *path);
const char *json_text(const cJSON *object, const char *key); /* NULL if it is no text */

/* documents.c */
document *find_document(server *s, const char *uri);
/* Of a request: its document, parsed, and the offset of its position if it has one. NULL: `f` says why. */
document *asked_document(server *s, const cJSON *params, uint32_t *offset, failure *f);
void did_open(server *s, const cJSON *params);
void did_change(server *s, const cJSON *params);
void did_close(server *s, const cJSON *params);
void did_save(server *s, const cJSON *params);
void close_all(server *s);

/* known.c: takes over `all`, an object by names; without memory nothing is known any more. */
void facts_set(fact_list *f, cJSON *all);
const cJSON *facts_find(const fact_list *f, const char *key); /* or NULL */
void facts_free(fact_list *f);

/* diagnose.c: starting checks, and what they say. */
void check_all_later(server *s, document *changed, int64_t after);
void check_next(server *s);      /* if one is due and none is running */
void check_listen(server *s);    /* the running one has said something */
int check_wait(const server *s); /* ms until one is due, -1: none */

/* describe.c: what is known of a symbol. Texts live in the arena. */
const char *symbol_word(symbol_kind kind);
const char *symbol_declaration(arena *a, const symbol *s); /* as in the source, shortened */
const char *symbol_place(const symbol *s);                 /* NULL: it has none */
const char *symbol_comment(arena *a, const symbol *s);
const char *symbol_tag(const symbol *s);
const char *symbol_summary(arena *a, const symbol *s,
                           const fact_list *facts); /* "state @ cells, vector [m^2/s]" */
const cJSON *symbol_facts(const symbol *s, const fact_list *facts);

/* Answers: each returns its result, NULL for null. */
typedef cJSON *answer(server *s, const cJSON *params, failure *f);
answer answer_hover, answer_definition, answer_references, answer_highlight, answer_symbols,
    answer_prepare_rename, answer_rename, answer_completion, answer_format, answer_actions;

int64_t now_ms(void);

#endif
