/* Starting checks, and publishing what they say. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "lsp/server.h"
#include "base/memory_text.h"

enum { MOST_BUFFERS = 1000, MOST_RELATED = 20 };

int64_t now_ms(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

/* ---- when ---------------------------------------------------------------------------------------------------------- */

/* The others may import or extend what was changed. */
void check_all_later(server *s, document *changed, int64_t after) {
  check_stop(&s->check);
  s->checking = NULL;
  int64_t now = now_ms();
  for (document *d = s->documents; d; d = d->next) {
    d->due = true;
    d->due_at = now + after + (d == changed ? 0 : 1);
  }
}

static document *next_due(const server *s) {
  document *first = NULL;
  for (document *d = s->documents; d; d = d->next)
    if (d->due && (!first || d->due_at < first->due_at)) first = d;
  return first;
}

int check_wait(const server *s) {
  const document *d = s->check.process ? NULL : next_due(s);
  int64_t left = d ? d->due_at - now_ms() : -1;
  return !d ? -1 : left > 0 ? (int)left : 0;
}

static void publish(server *s, document *d);

void check_next(server *s) {
  document *d = s->check.process ? NULL : next_due(s);
  if (!d || d->due_at > now_ms()) return;
  int n = 0;
  dslc_setting buffer[MOST_BUFFERS];
  for (const document *o = s->documents; o && n < MOST_BUFFERS; o = o->next)
    buffer[n++] = (dslc_setting){o->unit->path, o->unit->text.bytes};
  dslc_options options = {.path = d->unit->path,
                          .text = d->unit->text.bytes,
                          .sources.n_buffers = n,
                          .sources.buffer = buffer,
                          .n_rules = -1,
                          .n_show = 0,
                          .sources.import_path = s->files.shipped};
  d->due = false;
  if (check_start(&s->check, &options)) s->checking = d;
}

/* ---- what was said --------------------------------------------------------------------------------------------------- */

static int severity_of(const cJSON *m) {
  const char *word = json_text(m, "severity");
  return !word || strcmp(word, "error") == 0 ? 1 : strcmp(word, "warning") == 0 ? 2 : 3;
}

static uint32_t byte_of(const cJSON *m, const char *key) {
  const cJSON *n = cJSON_GetObjectItemCaseSensitive(m, key);
  return cJSON_IsNumber(n) && n->valuedouble > 0 ? (uint32_t)n->valuedouble : 0;
}

static cJSON *full_text(const cJSON *m, const char *where) {
  const char *message = json_text(m, "message"), *label = json_text(m, "label"), *hint = json_text(m, "hint");
  memory_text said;
  FILE *f = memory_text_open(&said);
  if (!f) return NULL;
  if (where) fprintf(f, "%s: ", where);
  fputs(message ? message : "", f);
  if (label) fprintf(f, " (%s)", label);
  if (hint) fprintf(f, "\nhint: %s", hint);
  char *text = memory_text_close(&said);
  cJSON *out = text ? cJSON_CreateString(text) : NULL;
  free(text);
  return out;
}

/* A place in any file that was read. */
static cJSON *location_of(server *s, const cJSON *m) {
  const char *path = json_text(m, "file");
  file_unit *u = path ? workspace_unit(&s->files, path) : NULL;
  return u ? json_location(u, byte_of(m, "start"), byte_of(m, "end")) : NULL;
}

static void add_related(server *s, cJSON *list, const cJSON *m, const char *said) {
  cJSON *at = location_of(s, m);
  if (!at || cJSON_GetArraySize(list) >= MOST_RELATED) {
    cJSON_Delete(at);
    return;
  }
  cJSON *one = cJSON_CreateObject();
  cJSON_AddItemToObject(one, "location", at);
  cJSON_AddStringToObject(one, "message", said ? said : "");
  cJSON_AddItemToArray(list, one);
}

/* Where a file names the one that a message is about: what it extends or imports. */
static span naming(const file_unit *u, const char *path) {
  const ast_scheme *scheme = u->file ? u->file->scheme : NULL;
  const char *slash = strrchr(path, '/'), *file = slash ? slash + 1 : path;
  size_t n = strcspn(file, ".");
  for (int i = 0; u->file && i < u->file->n_imports; i++) {
    const ast_import *one = &u->file->imports[i];
    if (strlen(one->file) == n && strncmp(one->file, file, n) == 0) return one->at;
  }
  if (scheme && scheme->base) return scheme->base_at;
  return (span){0, 0, 0};
}

static cJSON *diagnostic_of(server *s, const document *d, const cJSON *m) {
  const char *file = json_text(m, "file"), *code = json_text(m, "code");
  bool own = !file || strcmp(file, d->unit->path) == 0;
  uint32_t start = byte_of(m, "start"), end = byte_of(m, "end");
  char where[300];
  if (!own) {
    span at = naming(d->unit, file);
    const char *slash = strrchr(file, '/');
    snprintf(where, sizeof where, "%s:%d", slash ? slash + 1 : file, (int)byte_of(m, "line"));
    start = at.start, end = at.end;
  }
  cJSON *out = cJSON_CreateObject(), *related = cJSON_CreateArray();
  cJSON_AddItemToObject(out, "range", json_range(d->unit, start, end));
  cJSON_AddNumberToObject(out, "severity", severity_of(m));
  if (code) cJSON_AddStringToObject(out, "code", code);
  cJSON_AddStringToObject(out, "source", "dslc");
  cJSON_AddItemToObject(out, "message", full_text(m, own ? NULL : where));
  if (code && strcmp(code, "W0237") == 0) /* not used: shown faded */
    cJSON_AddItemToObject(out, "tags", cJSON_CreateIntArray((int[]){1}, 1));
  if (!own) add_related(s, related, m, json_text(m, "message"));
  const cJSON *note;
  cJSON_ArrayForEach(note, cJSON_GetObjectItemCaseSensitive(m, "notes"))
      add_related(s, related, note, json_text(note, "message"));
  if (cJSON_GetArraySize(related)) cJSON_AddItemToObject(out, "relatedInformation", related);
  else cJSON_Delete(related);
  return out;
}

/* A file of functions alone is no mistake. */
static bool is_library_message(const document *d, const cJSON *m) {
  const char *code = json_text(m, "code");
  return code && strcmp(code, "E0229") == 0 && d->unit->file && d->unit->file->n_functions > 0;
}

static void publish(server *s, document *d) {
  cJSON *params = cJSON_CreateObject(), *list = cJSON_CreateArray();
  const cJSON *m;
  workspace_unit(&s->files, d->unit->path);
  cJSON_ArrayForEach(m, d->messages) if (!is_library_message(d, m))
      cJSON_AddItemToArray(list, diagnostic_of(s, d, m));
  cJSON_AddStringToObject(params, "uri", d->uri);
  cJSON_AddNumberToObject(params, "version", (double)d->unit->version);
  cJSON_AddItemToObject(params, "diagnostics", list);
  rpc_notify(s, "textDocument/publishDiagnostics", params);
}

/* The compiler's own fault: said at the top of the file, and the server goes on. */
static void report_fault(server *s, document *d, int number) {
  char text[300];
  snprintf(text, sizeof text,
           number == SIGXCPU || number == SIGKILL ? "checking this scheme took too long and was stopped"
                                                  : "checking this scheme ended by signal %d (%s): a defect "
                                                    "of dslc, please report it with the scheme",
           number, strsignal(number));
  cJSON *m = cJSON_CreateObject();
  cJSON_AddStringToObject(m, "severity", "error");
  cJSON_AddStringToObject(m, "message", text);
  cJSON_Delete(d->messages);
  d->messages = cJSON_CreateArray();
  cJSON_AddItemToArray(d->messages, m);
  publish(s, d);
}

static bool take_part(document *d, char kind, const char *text) {
  cJSON *value = cJSON_Parse(text);
  if (!value) return false;
  if (kind == 'M') {
    cJSON_Delete(d->messages);
    d->messages = value;
  } else facts_set(&d->facts, value);
  return kind == 'M';
}

void check_listen(server *s) {
  int number;
  char kind;
  document *d = s->checking;
  bool goes_on = check_read(&s->check, &number);
  bool said = s->check.taken > 0;
  for (const char *text; (text = check_part(&s->check, &kind)); said = true)
    if (take_part(d, kind, text)) publish(s, d);
  if (goes_on) return;
  if (!said) report_fault(s, d, number);
  check_stop(&s->check);
  s->checking = NULL;
}
