/* The loop: what the client says is read, then answered in its order; checks run beside it. */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "lsp/server.h"

/* ---- the beginning and the end ---------------------------------------------------------------------------------------- */

static void add_options(cJSON *c, const char *key, const char *const *text, int n, const char *list) {
  cJSON *o = cJSON_AddObjectToObject(c, key);
  if (list) cJSON_AddItemToObject(o, list, cJSON_CreateStringArray(text, n));
}

static cJSON *answer_initialize(server *s, const cJSON *params, failure *f) {
  static const char *const triggers[] = {".", "@", "["}, *const kinds[] = {"quickfix"};
  (void)params;
  if (s->initialized) {
    fail(f, RPC_INVALID, "the server is initialized");
    return NULL;
  }
  s->initialized = true;
  cJSON *r = cJSON_CreateObject(), *c = cJSON_AddObjectToObject(r, "capabilities");
  cJSON_AddStringToObject(c, "positionEncoding", "utf-16");
  cJSON *sync = cJSON_AddObjectToObject(c, "textDocumentSync");
  cJSON_AddTrueToObject(sync, "openClose");
  cJSON_AddNumberToObject(sync, "change", 2); /* what changed */
  cJSON_AddTrueToObject(sync, "save");
  static const char *const can[] = {"hoverProvider",          "definitionProvider",
                                    "referencesProvider",     "documentHighlightProvider",
                                    "documentSymbolProvider", "documentFormattingProvider"};
  for (size_t i = 0; i < sizeof can / sizeof *can; i++) cJSON_AddTrueToObject(c, can[i]);
  add_options(c, "completionProvider", triggers, 3, "triggerCharacters");
  add_options(c, "codeActionProvider", kinds, 1, "codeActionKinds");
  add_options(c, "renameProvider", NULL, 0, NULL);
  cJSON_AddTrueToObject(cJSON_GetObjectItemCaseSensitive(c, "renameProvider"), "prepareProvider");
  cJSON *info = cJSON_AddObjectToObject(r, "serverInfo");
  cJSON_AddStringToObject(info, "name", "dslc");
  cJSON_AddStringToObject(info, "version", dslc_version());
  return r;
}

static cJSON *answer_shutdown(server *s, const cJSON *params, failure *f) {
  (void)params;
  (void)f;
  s->shut_down = true;
  return NULL;
}

/* ---- what the client says ------------------------------------------------------------------------------------------------ */

static const struct request {
  const char *method;
  answer *answer;
} REQUEST[] = {{"initialize", answer_initialize},
               {"shutdown", answer_shutdown},
               {"textDocument/hover", answer_hover},
               {"textDocument/definition", answer_definition},
               {"textDocument/references", answer_references},
               {"textDocument/documentHighlight", answer_highlight},
               {"textDocument/documentSymbol", answer_symbols},
               {"textDocument/prepareRename", answer_prepare_rename},
               {"textDocument/rename", answer_rename},
               {"textDocument/completion", answer_completion},
               {"textDocument/formatting", answer_format},
               {"textDocument/codeAction", answer_actions}};

static const struct notice {
  const char *method;
  void (*take)(server *s, const cJSON *params);
} NOTICE[] = {{"textDocument/didOpen", did_open},
              {"textDocument/didChange", did_change},
              {"textDocument/didClose", did_close},
              {"textDocument/didSave", did_save}};

static void take_request(server *s, const char *method, const cJSON *id, const cJSON *params) {
  failure f = {0};
  cJSON *result = NULL;
  answer *volatile to = NULL;
  for (size_t i = 0; i < sizeof REQUEST / sizeof *REQUEST; i++)
    if (strcmp(REQUEST[i].method, method) == 0) to = REQUEST[i].answer;
  if (s->shut_down) fail(&f, RPC_INVALID, "the server is shut down");
  else if (!s->initialized && to != answer_initialize) fail(&f, RPC_NOT_INITIALIZED, "initialize first");
  else if (!to) fail(&f, RPC_METHOD, "there is no method %.200s", method);
  else result = to(s, params, &f);
  rpc_answer(s, id, result, &f);
}

static void take_notice(server *s, const char *method, const cJSON *params) {
  if (strcmp(method, "exit") == 0) s->ended = true;
  if (!s->initialized || s->shut_down) return;
  for (size_t i = 0; i < sizeof NOTICE / sizeof *NOTICE; i++)
    if (strcmp(NOTICE[i].method, method) == 0) NOTICE[i].take(s, params);
}

static void out_of_memory(server *s, const cJSON *id) {
  failure f;
  workspace_destroy(&s->trial);
  fail(&f, RPC_INTERNAL, "out of memory");
  if (id) rpc_answer(s, id, NULL, &f);
}

static void take_message(server *s, const cJSON *m) {
  const char *method = json_text(m, "method");
  const cJSON *id = cJSON_GetObjectItemCaseSensitive(m, "id"),
              *params = cJSON_GetObjectItemCaseSensitive(m, "params");
  if (!method) { /* an answer to what the server never asks */
    failure f;
    fail(&f, RPC_INVALID, "a message without method");
    if (id && !cJSON_HasObjectItem(m, "result") && !cJSON_HasObjectItem(m, "error"))
      rpc_answer(s, id, NULL, &f);
    return;
  }
  if (setjmp(s->recovery) != 0) {
    out_of_memory(s, id);
    return;
  }
  workspace_ask(&s->files);
  if (id) take_request(s, method, id, params);
  else take_notice(s, method, params);
}

/* ---- the loop ---------------------------------------------------------------------------------------------------------------- */

static void listen_to_check(server *s) {
  if (setjmp(s->recovery) != 0) return;
  workspace_ask(&s->files);
  check_listen(s);
}

/* Waits for the client or a check. False: the client is gone. */
static bool wait_and_hear(server *s) {
  struct pollfd from[2] = {{.fd = s->in, .events = POLLIN},
                           {.fd = s->check.process ? s->check.from : -1, .events = POLLIN}};
  bool busy = cJSON_GetArraySize(s->waiting) > 0;
  if (poll(from, 2, busy ? 0 : check_wait(s)) < 0) return errno == EINTR;
  if (from[0].revents && !rpc_hear(s)) return false;
  if (from[1].revents && !busy) listen_to_check(s);
  return true;
}

static void serve(server *s) {
  while (!s->ended && !s->broken && !s->starved && wait_and_hear(s)) {
    cJSON *m = cJSON_DetachItemFromArray(s->waiting, 0);
    if (m) take_message(s, m);
    else check_next(s);
    cJSON_Delete(m);
  }
  for (cJSON *m; !s->ended && !s->broken && !s->starved &&
                 (m = cJSON_DetachItemFromArray(s->waiting, 0));) { /* said before the end */
    take_message(s, m);
    cJSON_Delete(m);
  }
}

lsp_end lsp_serve(int in, int out, const char *const *shipped) {
  server s = {.in = in, .out = out, .files = {.generation = 1, .shipped = shipped}};
  s.waiting = cJSON_CreateArray();
  s.files.pool = arena_pool_create();
  s.files.recovery = &s.recovery;
  struct sigaction ignore = {.sa_handler = SIG_IGN}, old;
  sigaction(SIGPIPE, &ignore, &old);
  if (s.waiting && s.files.pool) serve(&s);
  else s.starved = true;
  close_all(&s);
  check_free(&s.check);
  workspace_destroy(&s.files);
  workspace_destroy(&s.trial);
  arena_pool_destroy(&s.files.pool);
  cJSON_Delete(s.waiting);
  free(s.heard);
  sigaction(SIGPIPE, &old, NULL);
  errno = s.unread;
  return s.starved ? LSP_NO_MEMORY : s.unread ? LSP_UNREAD : s.ended && s.shut_down ? LSP_ENDED : LSP_GONE;
}
