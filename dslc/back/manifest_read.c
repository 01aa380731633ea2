/* Reads a manifest and the kernels it names. Nothing of it is trusted: types by the schema, numbers by
 * manifest_check. */
#include "back/manifest.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <math.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cJSON.h>

enum { STATUS_INPUT = 3, STATUS_FILE = 6, STATUS_FAIL = 1, MAX_FILE = 1 << 28, MAX_LIST = 1 << 20 };

typedef struct reader {
  arena *memory;
  const char *path;
  char *error;
  size_t error_size;
  cJSON *root;
  char *text, *source; /* of malloc */
  int status;
  jmp_buf recovery;
} reader;

static void out_of_memory(void *ctx, size_t size) {
  reader *r = ctx;
  (void)size;
  r->status = STATUS_FAIL;
  snprintf(r->error, r->error_size, "%s: out of memory", r->path);
  longjmp(r->recovery, 1);
}

__attribute__((noreturn, format(printf, 3, 4))) static void fail(reader *r, int status, const char *fmt,
                                                                 ...) {
  va_list ap;
  va_start(ap, fmt);
  int n = snprintf(r->error, r->error_size, "%s: ", r->path);
  if (n > 0 && (size_t)n < r->error_size) vsnprintf(r->error + n, r->error_size - (size_t)n, fmt, ap);
  va_end(ap);
  r->status = status;
  longjmp(r->recovery, 1);
}

/* ---- files ---- */

/* The whole file in malloc'ed memory, NUL-terminated; NULL with errno set. */
static char *load(const char *path, size_t *size) {
  int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC); /* a pipe is refused, not waited for */
  FILE *f = fd < 0 ? NULL : fdopen(fd, "rb");
  if (fd >= 0 && !f) close(fd);
  if (!f) return NULL;
  char *text = NULL;
  long n = fseek(f, 0, SEEK_END) == 0 ? ftell(f) : -1;
  if (n > MAX_FILE) errno = EFBIG;
  else if (n >= 0 && fseek(f, 0, SEEK_SET) == 0 && (text = malloc((size_t)n + 1))) {
    *size = fread(text, 1, (size_t)n, f);
    text[*size] = '\0';
    if (ferror(f)) {
      free(text);
      text = NULL;
      errno = EIO;
    }
  }
  fclose(f);
  return text;
}

/* ---- JSON to structures ---- */

static void expected(reader *r, const char *where, const char *what) {
  fail(r, STATUS_INPUT, "%s: expected %s", *where ? where : "the file", what);
}

static const char *read_text(reader *r, const cJSON *item, bool needed, const char *where) {
  if (!needed && cJSON_IsNull(item)) return NULL;
  if (!cJSON_IsString(item)) expected(r, where, needed ? "a text" : "a text or null");
  return arena_strndup(r->memory, item->valuestring, strlen(item->valuestring));
}

static double read_number(reader *r, const cJSON *item, const char *where) {
  if (cJSON_IsNumber(item)) return item->valuedouble;
  const char *text = cJSON_IsString(item) ? item->valuestring : "";
  if (strcmp(text, "inf") == 0) return INFINITY;
  if (strcmp(text, "-inf") == 0) return -INFINITY;
  if (strcmp(text, "nan") != 0) expected(r, where, "a number");
  return NAN;
}

static int read_int(reader *r, const cJSON *item, const char *where) {
  if (!cJSON_IsNumber(item) || item->valuedouble != floor(item->valuedouble) ||
      fabs(item->valuedouble) > INT_MAX)
    expected(r, where, "a whole number");
  return (int)item->valuedouble;
}

static int read_word(reader *r, const cJSON *item, const manifest_entry *e, const char *where) {
  const char *all = "", *word;
  for (int i = 0; (word = manifest_word(e, i)) != NULL; i++) {
    if (cJSON_IsString(item) && strcmp(item->valuestring, word) == 0) return i;
    all = arena_printf(r->memory, "%s%s%s", all, i ? ", " : "", word);
  }
  if (!cJSON_IsString(item)) expected(r, where, arena_printf(r->memory, "one of %s", all));
  fail(r, STATUS_INPUT, "%s: '%s' is none of %s", where, item->valuestring, all);
}

static void read_structure(reader *r, const cJSON *object, const manifest_type *type, char *at,
                           const char *where);

static int list_size(reader *r, const cJSON *item, const char *where) {
  if (!cJSON_IsArray(item)) expected(r, where, "a list");
  int n = cJSON_GetArraySize(item);
  if (n > MAX_LIST) expected(r, where, "a shorter list");
  return n;
}

static void read_list(reader *r, const cJSON *item, const manifest_entry *e, char *at, const char *where) {
  int n = list_size(r, item, where), i = 0;
  size_t size = e->kind == MANIFEST_LIST    ? e->type->size
                : e->kind == MANIFEST_INTS  ? sizeof(int)
                : e->kind == MANIFEST_NOTES ? sizeof(dslc_note)
                                            : sizeof(char *);
  char *items = arena_alloc(r->memory, size * (size_t)(n + 1));
  for (const cJSON *c = item->child; c; c = c->next, i++) {
    char *to = items + size * (size_t)i;
    const char *here = arena_printf(r->memory, "%s[%d]", where, i);
    if (e->kind == MANIFEST_INTS) *(int *)to = read_int(r, c, here);
    else if (e->kind == MANIFEST_TEXTS) *(const char **)to = read_text(r, c, true, here);
    else if (e->kind == MANIFEST_NOTES) *(dslc_note *)to = (dslc_note){.text = read_text(r, c, true, here)};
    else read_structure(r, c, e->type, to, here);
  }
  *(int *)(at + e->count_at) = n;
  *(void **)(at + e->at) = items;
}

static void read_eight(reader *r, const cJSON *item, double *to, const char *where) {
  if (list_size(r, item, where) != 8) expected(r, where, "eight numbers");
  for (const cJSON *c = item->child; c; c = c->next) *to++ = read_number(r, c, where);
}

static void read_member(reader *r, const cJSON *item, const manifest_entry *e, char *at, const char *where) {
  char *to = at + e->at;
  switch (e->kind) {
  case MANIFEST_TEXT:
  case MANIFEST_OPTION:
  case MANIFEST_NEEDED: *(const char **)to = read_text(r, item, e->kind != MANIFEST_TEXT, where); break;
  case MANIFEST_SELDOM:
  case MANIFEST_INT: *(int *)to = read_int(r, item, where); break;
  case MANIFEST_BOOL:
    if (!cJSON_IsBool(item)) expected(r, where, "true or false");
    *(bool *)to = cJSON_IsTrue(item);
    break;
  case MANIFEST_RARE:
  case MANIFEST_NUMBER: *(double *)to = read_number(r, item, where); break;
  case MANIFEST_CHAR: *to = read_text(r, item, true, where)[0]; break;
  case MANIFEST_WORD: *(int *)to = read_word(r, item, e, where); break;
  case MANIFEST_EIGHT: read_eight(r, item, (double *)to, where); break;
  case MANIFEST_RECORD:
    if (!cJSON_IsNull(item)) read_structure(r, item, e->type, to, where);
    break;
  default: read_list(r, item, e, at, where); break;
  }
}

/* The nesting is the schema's, so the recursion is five deep. */
static void read_structure(reader *r, const cJSON *object, const manifest_type *type, char *at,
                           const char *where) {
  if (!cJSON_IsObject(object)) expected(r, where, "an object { ... }");
  for (const manifest_entry *e = type->entry; e->key; e++) {
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, e->key);
    const char *here = arena_printf(r->memory, "%s%s%s", where, *where ? "." : "", e->key);
    const bool seldom = e->kind == MANIFEST_RARE || e->kind == MANIFEST_SELDOM || e->kind == MANIFEST_OPTION;
    if (!manifest_has(e, at) || (!item && seldom)) continue;
    if (!item)
      fail(r, STATUS_INPUT, "'%s' is missing; was the file written by another version of dslc?", here);
    read_member(r, item, e, at, here);
  }
}

/* ---- the file ---- */

static void parse(reader *r) {
  size_t size = 0;
  r->text = load(r->path, &size);
  if (!r->text) fail(r, STATUS_FILE, "cannot be read: %s", strerror(errno));
  const char *end = NULL;
  errno = 0;
  r->root = cJSON_ParseWithLengthOpts(r->text, size + 1, &end, 1);
  if (!r->root && errno == ENOMEM) out_of_memory(r, 0);
  if (!r->root)
    fail(r, STATUS_INPUT, "not a manifest: no valid JSON at byte %ld", end ? (long)(end - r->text) : 0L);
  const cJSON *version = cJSON_GetObjectItemCaseSensitive(r->root, "manifest");
  if (!cJSON_IsNumber(version)) fail(r, STATUS_INPUT, "not a manifest: the entry 'manifest' is missing");
  if (version->valuedouble != MANIFEST_VERSION)
    fail(r, STATUS_INPUT,
         "manifest format %g, expected %d: it was written by %s dslc. Build the scheme again with this one: "
         "dslc build SCHEME -o FOLDER",
         version->valuedouble, MANIFEST_VERSION,
         version->valuedouble < MANIFEST_VERSION ? "an older" : "a newer");
}

static const char *read_source(reader *r) {
  const char *file = read_text(r, cJSON_GetObjectItemCaseSensitive(r->root, "source"), true, "source");
  if (!*file || strchr(file, '/'))
    fail(r, STATUS_INPUT, "source: expected the name of a file beside the manifest, found '%s'", file);
  const char *slash = strrchr(r->path, '/');
  const char *path = arena_printf(r->memory, "%.*s%s", slash ? (int)(slash - r->path) + 1 : 0, r->path, file);
  size_t size = 0;
  r->source = load(path, &size);
  if (!r->source) fail(r, STATUS_FILE, "its kernels '%s' cannot be read: %s", path, strerror(errno));
  return arena_strndup(r->memory, r->source, size);
}

/* Kernels are those that the manifest was written with, or "any": who tunes them by hand says so. */
static void check_source(reader *r, dslc_program *p) {
  const cJSON *item = cJSON_GetObjectItemCaseSensitive(r->root, "source hash");
  if (!item)
    fail(r, STATUS_INPUT, "'source hash' is missing; was the file written by another version of dslc?");
  const char *expected_hash = read_text(r, item, true, "source hash");
  const char *found = manifest_hash(p->execution.source, r->memory);
  p->identity.changed_by_hand = strcmp(expected_hash, "any") == 0;
  if (p->identity.changed_by_hand) p->identity.hash = found; /* of what is run, for records and checkpoints */
  else if (strcmp(expected_hash, found) != 0)
    fail(r, STATUS_INPUT,
         "its kernels '%s' are not those that it was written with: their hash is %s, expected %s\nhint: "
         "`dslc build` "
         "writes both anew; for kernels that are changed by hand, give \"source hash\": \"any\"",
         cJSON_GetObjectItemCaseSensitive(r->root, "source")->valuestring, found, expected_hash);
}

static dslc_program *read_program(reader *r) {
  parse(r);
  dslc_program *p = arena_new(r->memory, dslc_program);
  read_structure(r, r->root, &manifest_program, (char *)p, "");
  for (int b = 0; b < p->execution.n_buffers; b++)
    if (p->execution.buffer[b].source.kind == DSLC_SOURCE_DISTANCE) p->space.by_distance = true;
  p->execution.source = read_source(r);
  check_source(r, p);
  p->memory = r->memory;
  const char *wrong = manifest_check(p, r->memory);
  if (!wrong) wrong = manifest_agree(p, r->memory);
  if (!wrong) wrong = manifest_match(p, r->memory);
  if (wrong) fail(r, STATUS_INPUT, "%s", wrong);
  return p;
}

int dslc_manifest_read(const char *path, dslc_program **p, char *error, size_t error_size) {
  reader *r = calloc(1, sizeof *r);
  *p = NULL;
  if (!r) {
    snprintf(error, error_size, "%s: out of memory", path);
    return STATUS_FAIL;
  }
  r->path = path;
  r->error = error;
  r->error_size = error_size;
  r->memory = arena_create(out_of_memory, r);
  if (setjmp(r->recovery) != 0) arena_destroy(&r->memory);
  else if (!r->memory) out_of_memory(r, 0);
  else *p = read_program(r);
  cJSON_Delete(r->root);
  free(r->text);
  free(r->source);
  int status = r->status;
  free(r);
  return status;
}

void dslc_program_destroy(dslc_program **p) {
  if (!*p) return;
  arena *memory = (*p)->memory; /* the program itself lives there too */
  *p = NULL;
  arena_destroy(&memory);
}
