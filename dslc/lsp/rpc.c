/* Messages of the protocol: "Content-Length: N", an empty line, N bytes of JSON. */
#include <errno.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "lsp/server.h"

enum { LARGEST_MESSAGE = 1 << 28, LARGEST_HEAD = 1 << 14 };

void fail(failure *f, int code, const char *fmt, ...) {
  va_list ap;
  va_start(ap, fmt);
  f->code = code;
  vsnprintf(f->text, sizeof f->text, fmt, ap);
  va_end(ap);
}

/* ---- to the client ------------------------------------------------------------------------------------------------- */

static void write_all(server *s, const char *text, size_t n) {
  while (n > 0 && !s->broken) {
    ssize_t k = write(s->out, text, n);
    if (k < 0 && errno == EAGAIN) poll(&(struct pollfd){.fd = s->out, .events = POLLOUT}, 1, 1000);
    else if (k < 0 && errno != EINTR) s->broken = true;
    if (k > 0) text += k, n -= (size_t)k;
  }
}

void rpc_send(server *s, cJSON *message) {
  char *text = cJSON_PrintUnformatted(message), head[64];
  cJSON_Delete(message);
  if (!text) { /* the client would wait for it */
    s->starved = true;
    return;
  }
  size_t n = strlen(text);
  int h = snprintf(head, sizeof head, "Content-Length: %zu\r\n\r\n", n);
  write_all(s, head, (size_t)h);
  write_all(s, text, n);
  free(text);
}

static cJSON *new_message(void) {
  cJSON *m = cJSON_CreateObject();
  cJSON_AddStringToObject(m, "jsonrpc", "2.0");
  return m;
}

void rpc_notify(server *s, const char *method, cJSON *params) {
  cJSON *m = new_message();
  cJSON_AddStringToObject(m, "method", method);
  cJSON_AddItemToObject(m, "params", params);
  rpc_send(s, m);
}

void rpc_answer(server *s, const cJSON *id, cJSON *result, const failure *f) {
  cJSON *m = new_message();
  cJSON_AddItemToObject(m, "id", id ? cJSON_Duplicate(id, false) : cJSON_CreateNull());
  if (f && f->code) {
    cJSON *error = cJSON_AddObjectToObject(m, "error");
    cJSON_AddNumberToObject(error, "code", f->code);
    cJSON_AddStringToObject(error, "message", f->text);
    cJSON_Delete(result);
  } else cJSON_AddItemToObject(m, "result", result ? result : cJSON_CreateNull());
  rpc_send(s, m);
}

/* ---- from the client ------------------------------------------------------------------------------------------------ */

/* The length that the head states; -1: none that can be. */
static long content_length(const char *head, const char *end) {
  static const char key[] = "content-length:";
  for (const char *line = head; line < end;) {
    if (strncasecmp(line, key, sizeof key - 1) == 0) {
      char *stop;
      errno = 0;
      long n = strtol(line + sizeof key - 1, &stop, 10);
      return errno || n < 0 || n > LARGEST_MESSAGE || stop == line + sizeof key - 1 ? -1 : n;
    }
    const char *next = memchr(line, '\n', (size_t)(end - line));
    if (!next) break;
    line = next + 1;
  }
  return -1;
}

/* A client that changed its mind: what it asked for is answered so, unless it has been answered. */
static bool cancel(server *s, const cJSON *message) {
  const char *method = json_text(message, "method");
  const cJSON *wanted =
      cJSON_GetObjectItemCaseSensitive(cJSON_GetObjectItemCaseSensitive(message, "params"), "id");
  if (!method || strcmp(method, "$/cancelRequest") != 0) return false;
  cJSON *m;
  cJSON_ArrayForEach(m, s->waiting) {
    const cJSON *id = cJSON_GetObjectItemCaseSensitive(m, "id");
    if (!id || !wanted || !cJSON_Compare(id, wanted, true)) continue;
    failure f;
    fail(&f, RPC_CANCELLED, "cancelled");
    rpc_answer(s, id, NULL, &f);
    cJSON_Delete(cJSON_DetachItemViaPointer(s->waiting, m));
    break;
  }
  return true;
}

static void take_message(server *s, const char *text, size_t n) {
  errno = 0; /* malloc sets it, the parser does not */
  cJSON *m = cJSON_ParseWithLength(text, n);
  if (!m && errno == ENOMEM) s->starved = true;
  else if (!cJSON_IsObject(m)) {
    failure f;
    fail(&f, RPC_PARSE, "this is not a JSON object");
    rpc_answer(s, NULL, NULL, &f);
    cJSON_Delete(m);
  } else if (cancel(s, m)) cJSON_Delete(m);
  else cJSON_AddItemToArray(s->waiting, m);
}

/* Whole messages of what was heard. False: this is no head. */
static bool take_messages(server *s) {
  size_t at = 0;
  for (;;) {
    char *head = s->heard + at, *end = memmem(head, s->n_heard - at, "\r\n\r\n", 4);
    if (!end && s->n_heard - at > LARGEST_HEAD) return false;
    if (!end) break;
    long n = content_length(head, end + 2);
    if (n < 0) return false;
    size_t first = (size_t)(end - s->heard) + 4;
    if (s->n_heard - first < (size_t)n) break;
    take_message(s, s->heard + first, (size_t)n);
    at = first + (size_t)n;
  }
  memmove(s->heard, s->heard + at, s->n_heard - at);
  s->n_heard -= at;
  return true;
}

bool rpc_hear(server *s) {
  if (s->room - s->n_heard < 1 << 16) {
    size_t room = s->room ? 2 * s->room : 1 << 17;
    char *bigger = room <= 2 * (size_t)LARGEST_MESSAGE ? realloc(s->heard, room) : NULL;
    if (!bigger) {
      s->starved = true;
      return false;
    }
    s->heard = bigger;
    s->room = room;
  }
  ssize_t n = read(s->in, s->heard + s->n_heard, s->room - s->n_heard);
  if (n < 0 && errno != EINTR && errno != EAGAIN) s->unread = errno;
  if (n < 0) return s->unread == 0;
  if (n == 0) return false;
  s->n_heard += (size_t)n;
  return take_messages(s);
}
