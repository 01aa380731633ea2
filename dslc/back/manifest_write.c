/* Writes PATH (JSON) and the kernels beside it, each under a temporary name that then takes the file's
 * place. */
#include "back/manifest.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cJSON.h>

enum { STATUS_FILE = 6, STATUS_FAIL = 1 };

/* ---- structures to JSON ---- */

/* A cJSON call that failed for want of memory leaves a NULL; `ok` collects that. */
static void add_item(cJSON *object, const char *key, cJSON *item, bool *ok) {
  if (!item || !cJSON_AddItemToObject(object, key, item)) {
    cJSON_Delete(item);
    *ok = false;
  }
}

static cJSON *text_item(const char *text) { return text ? cJSON_CreateString(text) : cJSON_CreateNull(); }

/* cJSON prints every number as a double and reads it back to see whether that was enough; most are small whole ones. */
static cJSON *whole(int value) {
  char digits[16];
  snprintf(digits, sizeof digits, "%d", value);
  return cJSON_CreateRaw(digits);
}

static bool is_left_out(const manifest_entry *e, const char *at) {
  if (e->kind == MANIFEST_RARE) return *(const double *)(at + e->at) == 0;
  if (e->kind == MANIFEST_OPTION) return *(const char *const *)(const void *)(at + e->at) == NULL;
  return e->kind == MANIFEST_SELDOM && *(const int *)(at + e->at) == 0;
}

static cJSON *structure(const manifest_type *type, const char *at, bool *ok);

static cJSON *record(const manifest_entry *e, const char *at, bool *ok) {
  return *(const int *)(const void *)at ? structure(e->type, at, ok) : cJSON_CreateNull();
}

static void append(cJSON *array, cJSON *item, bool *ok) {
  if (item && cJSON_AddItemToArray(array, item)) return;
  cJSON_Delete(item);
  *ok = false;
}

static cJSON *list(const manifest_entry *e, const char *at, bool *ok) {
  cJSON *array = cJSON_CreateArray();
  int n = *(const int *)(at + e->count_at);
  const void *items = *(void *const *)(at + e->at);
  for (int i = 0; array && i < n; i++) switch (e->kind) {
    case MANIFEST_INTS: append(array, whole(((const int *)items)[i]), ok); break;
    case MANIFEST_TEXTS: append(array, text_item(((const char *const *)items)[i]), ok); break;
    case MANIFEST_NOTES: append(array, text_item(((const dslc_note *)items)[i].text), ok); break;
    default:
      append(array, structure(e->type, (const char *)items + (size_t)i * e->type->size, ok), ok);
      break;
    }
  return array;
}

/* JSON has no infinities and NaNs: they are words. */
static cJSON *number(double v) {
  if (v != v) return cJSON_CreateString("nan");
  if (v - v != 0) return cJSON_CreateString(v > 0 ? "inf" : "-inf");
  if (v == 0 && signbit(v)) return cJSON_CreateRaw("-0"); /* some versions of the library write 0 */
  const bool is_whole = fabs(v) < 1e9 && v == (int)v;
  return is_whole ? whole((int)v) : cJSON_CreateNumber(v);
}

static cJSON *eight(const double *v, bool *ok) {
  cJSON *array = cJSON_CreateArray();
  for (int i = 0; array && i < 8; i++) append(array, number(v[i]), ok);
  return array;
}

static cJSON *member(const manifest_entry *e, const char *at, bool *ok) {
  const char *here = at + e->at, one[2] = {*here, '\0'};
  switch (e->kind) {
  case MANIFEST_TEXT:
  case MANIFEST_OPTION:
  case MANIFEST_NEEDED: return text_item(*(const char *const *)here);
  case MANIFEST_SELDOM:
  case MANIFEST_INT: return whole(*(const int *)here);
  case MANIFEST_BOOL: return cJSON_CreateBool(*(const bool *)here);
  case MANIFEST_RARE:
  case MANIFEST_NUMBER: return number(*(const double *)here);
  case MANIFEST_CHAR: return cJSON_CreateString(one);
  case MANIFEST_WORD: return cJSON_CreateString(manifest_word(e, *(const int *)here));
  case MANIFEST_EIGHT: return eight((const double *)here, ok);
  case MANIFEST_RECORD: return record(e, here, ok);
  default: return list(e, at, ok);
  }
}

static cJSON *structure(const manifest_type *type, const char *at, bool *ok) {
  cJSON *object = cJSON_CreateObject();
  for (const manifest_entry *e = type->entry; object && e->key; e++) {
    if (!manifest_has(e, at) || is_left_out(e, at)) continue;
    add_item(object, e->key, member(e, at, ok), ok);
  }
  if (!object) *ok = false;
  return object;
}

/* ---- files ---- */

static bool write_all(const char *path, const char *text) {
  FILE *f = fopen(path, "wb");
  if (!f) return false;
  size_t n = strlen(text);
  bool ok = fwrite(text, 1, n, f) == n;
  ok = fflush(f) == 0 && fsync(fileno(f)) == 0 && ok;
  return fclose(f) == 0 && ok;
}

static int replace_file(const char *path, const char *text, char *error, size_t size) {
  char temporary[PATH_MAX + 64];
  int n = snprintf(temporary, sizeof temporary, "%s.%ld.tmp", path, (long)getpid());
  if (n < 0 || (size_t)n >= sizeof temporary) errno = ENAMETOOLONG;
  else if (write_all(temporary, text) && rename(temporary, path) == 0) return 0;
  snprintf(error, size, "cannot write '%s': %s", path, strerror(errno));
  if (n > 0 && (size_t)n < sizeof temporary) remove(temporary);
  return STATUS_FILE;
}

static const char *extension(const dslc_program *p) {
  return strcmp(p->identity.target, "opencl") == 0 ? "cl" : "c";
}

static int write_source(const dslc_program *p, const char *path, char *error, size_t size) {
  const char *slash = strrchr(path, '/');
  int folder = slash ? (int)(slash - path) + 1 : 0;
  char beside[PATH_MAX];
  int n = snprintf(beside, sizeof beside, "%.*s%s.%s", folder, path, p->identity.scheme, extension(p));
  if (n > 0 && (size_t)n < sizeof beside)
    return replace_file(beside, p->execution.source ? p->execution.source : "", error, size);
  snprintf(error, size, "cannot write '%s': the name is too long", path);
  return STATUS_FILE;
}

/* FNV-1a twice, with different starts. */
static void hash_source(const char *source, char hex[33]) {
  uint64_t h[2] = {0xcbf29ce484222325ULL, 0x84222325cbf29ce4ULL};
  for (const unsigned char *c = (const unsigned char *)source; *c; c++)
    for (int k = 0; k < 2; k++) h[k] = (h[k] ^ *c) * 0x100000001b3ULL;
  snprintf(hex, 33, "%016llx%016llx", (unsigned long long)h[0], (unsigned long long)h[1]);
}

const char *manifest_hash(const char *source, arena *a) {
  char hex[33];
  hash_source(source, hex);
  return arena_printf(a, "%s", hex);
}

static char *manifest_text(const dslc_program *p) {
  bool ok = true;
  char source[512], hash[33];
  snprintf(source, sizeof source, "%s.%s", p->identity.scheme, extension(p));
  hash_source(p->execution.source ? p->execution.source : "", hash);
  cJSON *root = structure(&manifest_program, (const char *)p, &ok);
  if (root) add_item(root, "manifest", cJSON_CreateNumber(MANIFEST_VERSION), &ok);
  if (root) add_item(root, "source", cJSON_CreateString(source), &ok);
  if (root) add_item(root, "source hash", cJSON_CreateString(hash), &ok);
  char *text = root && ok ? cJSON_Print(root) : NULL;
  cJSON_Delete(root);
  return text;
}

int dslc_manifest_write(const dslc_program *p, const char *path, char *error, size_t error_size) {
  char *text = manifest_text(p);
  if (!text) {
    snprintf(error, error_size, "cannot write '%s': out of memory", path);
    return STATUS_FAIL;
  }
  int status = write_source(p, path, error, error_size);
  if (status == 0) status = replace_file(path, text, error, error_size);
  free(text);
  return status;
}
