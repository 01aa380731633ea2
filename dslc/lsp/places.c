#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lsp/server.h"

/* ---- numbers and ranges: as text. cJSON prints numbers as doubles and reads each back to see whether it came out right, and a range is seven
 * of its objects: half of an outline's time. ---- */

enum { DIGITS = 24 };

/* At the end of `digits`. */
static const char *whole_text(long long value, char digits[DIGITS]) {
  unsigned long long rest = value < 0 ? 0ULL - (unsigned long long)value : (unsigned long long)value;
  char *to = digits + DIGITS - 1;
  *to = '\0';
  do *--to = (char)('0' + rest % 10);
  while (rest /= 10);
  if (value < 0) *--to = '-';
  return to;
}

void json_integer(cJSON *object, const char *key, long long value) {
  char digits[DIGITS];
  cJSON_AddRawToObject(object, key, whole_text(value, digits));
}

static char *put_position(char *to, text_position at) {
  char digits[DIGITS];
  to = stpcpy(stpcpy(to, "{\"line\":"), whole_text(at.line, digits));
  return stpcpy(stpcpy(stpcpy(to, ",\"character\":"), whole_text(at.character, digits)), "}");
}

cJSON *json_range(const file_unit *u, uint32_t start, uint32_t end) {
  char text[160], *to = stpcpy(text, "{\"start\":");
  to = put_position(to, text_at(&u->text, start));
  to = put_position(stpcpy(to, ",\"end\":"), text_at(&u->text, end));
  stpcpy(to, "}");
  return cJSON_CreateRaw(text);
}

/* ---- places ---- */

cJSON *json_location(const file_unit *u, uint32_t start, uint32_t end) {
  cJSON *l = cJSON_CreateObject();
  char *uri = uri_of_path(u->path);
  cJSON_AddStringToObject(l, "uri", uri ? uri : "");
  cJSON_AddItemToObject(l, "range", json_range(u, start, end));
  free(uri);
  return l;
}

cJSON *json_edit(const file_unit *u, uint32_t start, uint32_t end, const char *text) {
  cJSON *e = cJSON_CreateObject();
  cJSON_AddItemToObject(e, "range", json_range(u, start, end));
  cJSON_AddStringToObject(e, "newText", text);
  return e;
}

static int whole(const cJSON *number) {
  double x = cJSON_IsNumber(number) ? number->valuedouble : 0;
  return x > 0 && x < 1e9 ? (int)x : 0;
}

uint32_t read_offset(const file_unit *u, const cJSON *position) {
  text_position at = {whole(cJSON_GetObjectItemCaseSensitive(position, "line")),
                      whole(cJSON_GetObjectItemCaseSensitive(position, "character"))};
  return text_offset(&u->text, at);
}

const char *json_text(const cJSON *object, const char *key) {
  const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, key);
  return cJSON_IsString(item) ? item->valuestring : NULL;
}

static int hex(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/* What is no file, as a text that was never saved, keeps its URI as its path. */
char *path_of_uri(const char *uri) {
  if (strncmp(uri, "file://", 7) != 0) return strdup(uri);
  const char *from = uri + 7;
  if (*from != '/') from += strcspn(from, "/"); /* a host */
  char *path = malloc(strlen(from) + 1), *to = path;
  for (; path && *from; to++) {
    int high = *from == '%' ? hex(from[1]) : -1, low = high >= 0 ? hex(from[2]) : -1;
    bool coded = low >= 0 && high * 16 + low != 0;
    *to = coded ? (char)(high * 16 + low) : *from;
    from += coded ? 3 : 1;
  }
  if (path) *to = '\0';
  return path;
}

char *uri_of_path(const char *path) {
  static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/";
  if (*path != '/') return strdup(path);
  char *uri = malloc(3 * strlen(path) + 8), *to = uri;
  if (!uri) return NULL;
  to += sprintf(to, "file://");
  for (; *path; path++) {
    if (strchr(plain, *path)) *to++ = *path;
    else to += sprintf(to, "%%%02X", (unsigned char)*path);
  }
  *to = '\0';
  return uri;
}
