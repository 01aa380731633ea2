/* Formatting, and what messages suggest. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "front/parse_state.h"
#include "lsp/server.h"

/* ---- formatting ---------------------------------------------------------------------------------------------------- */

/* One edit for the lines that change. */
static cJSON *difference(const file_unit *u, const char *formatted) {
  const char *old = u->text.bytes;
  size_t n = u->text.size, m = strlen(formatted), first = 0, last = 0;
  while (first < n && first < m && old[first] == formatted[first]) first++;
  if (first == n && first == m) return NULL;
  while (first > 0 && old[first - 1] != '\n') first--;
  while (last < n - first && last < m - first && old[n - 1 - last] == formatted[m - 1 - last]) last++;
  while (last > 0 && old[n - last - 1] != '\n') last--;
  char *text = strndup(formatted + first, m - first - last);
  cJSON *edit = text ? json_edit(u, (uint32_t)first, (uint32_t)(n - last), text) : NULL;
  free(text);
  return edit;
}

/* Text with errors is left as it is: the messages say what is wrong. */
cJSON *answer_format(server *s, const cJSON *params, failure *f) {
  document *d = asked_document(s, params, NULL, f);
  if (!d) return NULL;
  const file_unit *u = d->unit;
  if (diag_errors(u->sink)) {
    fail(f, RPC_FAILED, "a scheme with errors in its syntax is not laid out anew");
    return NULL;
  }
  const char *formatted =
      format_tree(workspace_question_arena(&s->files), u->names, u->path, u->file, u->tokens);
  cJSON *list = cJSON_CreateArray(), *edit = difference(u, formatted);
  if (edit) cJSON_AddItemToArray(list, edit);
  return list;
}

/* ---- suggestions -------------------------------------------------------------------------------------------------------- */

typedef struct suggestions {
  const document *document;
  cJSON *list;
  const cJSON *message, *diagnostic; /* as the client has it, or NULL */
  uint32_t start, end;
} suggestions;

static void suggest(suggestions *g, const char *text, size_t n) {
  char *with = strndup(text, n), *title = NULL;
  if (with && n && asprintf(&title, "Write `%s`", with) >= 0) {
    cJSON *a = cJSON_CreateObject(), *edits = cJSON_CreateArray();
    cJSON_AddStringToObject(a, "title", title);
    cJSON_AddStringToObject(a, "kind", "quickfix");
    if (g->diagnostic) {
      cJSON *of = cJSON_AddArrayToObject(a, "diagnostics");
      cJSON_AddItemToArray(of, cJSON_Duplicate(g->diagnostic, true));
    }
    cJSON_AddItemToArray(edits, json_edit(g->document->unit, g->start, g->end, with));
    cJSON *changes = cJSON_AddObjectToObject(cJSON_AddObjectToObject(a, "edit"), "changes");
    cJSON_AddItemToObject(changes, g->document->uri, edits);
    cJSON_AddItemToArray(g->list, a);
  }
  free(title);
  free(with);
}

/* "which `h`? Write h[L] or h[R]": each of them, and of faces what the hint says of both. */
static void suggest_indices(suggestions *g) {
  const char *message = json_text(g->message, "message"), *hint = json_text(g->message, "hint");
  const char *at = message ? strstr(message, "Write ") : NULL;
  for (at = at ? at + 6 : NULL; at && *at;) {
    const char *comma = strstr(at, ", "), *word = strstr(at, " or ");
    const char *end = comma && (!word || comma < word) ? comma : word;
    suggest(g, at, end ? (size_t)(end - at) : strlen(at));
    at = end ? end + (end == comma ? 2 : 4) : NULL;
  }
  if (!hint || strncmp(hint, "mean(", 5) != 0) return;
  const char *close = strchr(hint, ')'), *jump = strstr(hint, "jump(");
  if (!close) return;
  suggest(g, hint, (size_t)(close - hint) + 1);
  if (jump && (close = strchr(jump, ')'))) suggest(g, jump, (size_t)(close - jump) + 1);
}

static void suggest_all(suggestions *g) {
  const char *edit = json_text(g->message, "edit"), *code = json_text(g->message, "code");
  if (edit) suggest(g, edit, strlen(edit));
  else if (code && strcmp(code, "E0204") == 0) suggest_indices(g);
}

static uint32_t number(const cJSON *m, const char *key) {
  const cJSON *n = cJSON_GetObjectItemCaseSensitive(m, key);
  return cJSON_IsNumber(n) ? (uint32_t)n->valuedouble : 0;
}

/* The client's own copy of a message, so that it shows the suggestion beside it. */
static const cJSON *diagnostic_at(const file_unit *u, const cJSON *list, uint32_t start, const char *code) {
  const cJSON *one;
  cJSON_ArrayForEach(one, list) {
    const cJSON *range = cJSON_GetObjectItemCaseSensitive(one, "range");
    const char *theirs = json_text(one, "code");
    bool same = theirs && code && strcmp(theirs, code) == 0;
    if (same && read_offset(u, cJSON_GetObjectItemCaseSensitive(range, "start")) == start) return one;
  }
  return NULL;
}

cJSON *answer_actions(server *s, const cJSON *params, failure *f) {
  document *d = asked_document(s, params, NULL, f);
  if (!d) return NULL;
  const cJSON *range = cJSON_GetObjectItemCaseSensitive(params, "range"), *m,
              *context = cJSON_GetObjectItemCaseSensitive(params, "context");
  uint32_t from = read_offset(d->unit, cJSON_GetObjectItemCaseSensitive(range, "start")),
           to = read_offset(d->unit, cJSON_GetObjectItemCaseSensitive(range, "end"));
  suggestions g = {.document = d, .list = cJSON_CreateArray()};
  /* What is known may be of an older text; of this one the messages come first, then what its equations cost. */
  if (d->due || (s->checking == d && s->check.taken == 0)) return g.list;
  cJSON_ArrayForEach(m, d->messages) {
    const char *file = json_text(m, "file");
    g.message = m;
    g.start = number(m, "start"), g.end = number(m, "end");
    if (!file || strcmp(file, d->unit->path) != 0 || g.end < from || g.start > to ||
        g.end > d->unit->text.size)
      continue;
    g.diagnostic = diagnostic_at(d->unit, cJSON_GetObjectItemCaseSensitive(context, "diagnostics"), g.start,
                                 json_text(m, "code"));
    suggest_all(&g);
  }
  return g.list;
}
