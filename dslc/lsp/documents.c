/* What the client has open. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lsp/server.h"

enum { TYPING_MS = 80 }; /* a check begins when the client has been silent for so long */

document *find_document(server *s, const char *uri) {
  char *path = uri ? path_of_uri(uri) : NULL;
  document *found = NULL;
  for (document *d = s->documents; d && path && !found; d = d->next)
    if (strcmp(d->unit->path, path) == 0) found = d;
  free(path);
  return found;
}

static const cJSON *text_document(const cJSON *params) {
  return cJSON_GetObjectItemCaseSensitive(params, "textDocument");
}

document *asked_document(server *s, const cJSON *params, uint32_t *offset, failure *f) {
  const char *uri = json_text(text_document(params), "uri");
  document *d = find_document(s, uri);
  if (!uri) fail(f, RPC_PARAMS, "textDocument.uri is missing");
  else if (!d) fail(f, RPC_PARAMS, "%s is not open", uri);
  if (!d) return NULL;
  const cJSON *position = cJSON_GetObjectItemCaseSensitive(params, "position");
  if (offset && !position) {
    fail(f, RPC_PARAMS, "position is missing");
    return NULL;
  }
  if (offset) *offset = read_offset(d->unit, position);
  if (!workspace_unit(&s->files, d->unit->path)) {
    fail(f, RPC_INTERNAL, "out of memory");
    return NULL;
  }
  return d;
}

static long version_of(const cJSON *params) {
  const cJSON *v = cJSON_GetObjectItemCaseSensitive(text_document(params), "version");
  double x = cJSON_IsNumber(v) ? v->valuedouble : 0;
  return fabs(x) < 1e15 ? (long)x : 0;
}

static document *add_document(server *s, const char *uri, const char *text) {
  char *path = path_of_uri(uri);
  document *d = calloc(1, sizeof *d);
  if (d) d->uri = strdup(uri);
  if (d && d->uri && path) d->unit = workspace_open(&s->files, path, text, strlen(text));
  free(path);
  if (!d || !d->unit) {
    if (d) free(d->uri);
    free(d);
    return NULL;
  }
  d->next = s->documents;
  s->documents = d;
  return d;
}

void did_open(server *s, const cJSON *params) {
  const char *uri = json_text(text_document(params), "uri"), *text = json_text(text_document(params), "text");
  if (!uri || !text) return;
  document *d = find_document(s, uri);
  if (d) {
    if (text_set(&d->unit->text, text, strlen(text))) workspace_changed(&s->files, d->unit);
  } else d = add_document(s, uri, text);
  if (!d) return;
  d->unit->version = version_of(params);
  check_all_later(s, d, 0);
}

static void apply(file_unit *u, const cJSON *change) {
  const char *text = json_text(change, "text");
  const cJSON *range = cJSON_GetObjectItemCaseSensitive(change, "range");
  if (!text) return;
  if (!range) {
    text_set(&u->text, text, strlen(text));
    return;
  }
  uint32_t from = read_offset(u, cJSON_GetObjectItemCaseSensitive(range, "start")),
           to = read_offset(u, cJSON_GetObjectItemCaseSensitive(range, "end"));
  text_replace(&u->text, from, to, text);
}

void did_change(server *s, const cJSON *params) {
  document *d = find_document(s, json_text(text_document(params), "uri"));
  const cJSON *change;
  if (!d) return;
  cJSON_ArrayForEach(change, cJSON_GetObjectItemCaseSensitive(params, "contentChanges"))
      apply(d->unit, change);
  d->unit->version = version_of(params);
  workspace_changed(&s->files, d->unit);
  check_all_later(s, d, TYPING_MS);
}

void did_save(server *s, const cJSON *params) {
  document *d = find_document(s, json_text(text_document(params), "uri"));
  if (d) check_all_later(s, d, 0);
}

static void remove_document(server *s, document *d) {
  for (document **at = &s->documents; *at; at = &(*at)->next)
    if (*at == d) {
      *at = d->next;
      break;
    }
  if (s->checking == d) {
    check_stop(&s->check);
    s->checking = NULL;
  }
  workspace_close(&s->files, d->unit);
  cJSON_Delete(d->messages);
  facts_free(&d->facts);
  free(d->uri);
  free(d);
}

void did_close(server *s, const cJSON *params) {
  document *d = find_document(s, json_text(text_document(params), "uri"));
  if (!d) return;
  cJSON *none = cJSON_CreateObject();
  cJSON_AddStringToObject(none, "uri", d->uri);
  cJSON_AddArrayToObject(none, "diagnostics");
  rpc_notify(s, "textDocument/publishDiagnostics", none);
  remove_document(s, d);
  check_all_later(s, NULL, 0);
}

void close_all(server *s) {
  while (s->documents) remove_document(s, s->documents);
}
