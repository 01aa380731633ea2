/* Profiles as text. */
#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/regular.h"
#include "formats/atomic_file.h"
#include "profile/profile.h"

enum { MOST_BYTES = 1 << 20 };

typedef enum section { GENERAL, DEVICE, ROOFS, SCHEME } section;

typedef struct reader {
  const char *path;
  int line;
  section in;
  device_profile *to;
  device_profile_entry *entry; /* of the section, in SCHEME */
  ew_error *err;
} reader;

static ew_status refuse(const reader *r, const char *what, const char *found) {
  return ew_fail(r->err, EW_INPUT, "%s:%d: %s, found '%.80s'", r->path, r->line, what, found);
}

/* Copies all of it, or refuses. */
static ew_status take(const reader *r, char *to, size_t size, const char *text) {
  if (strlen(text) >= size) return refuse(r, "expected something shorter", text);
  memcpy(to, text, strlen(text) + 1);
  return EW_OK;
}

/* What is refused is not taken: the caller makes an integer of it. */
static ew_status take_number(const reader *r, double *to, const char *text) {
  char *end;
  const double found = strtod(text, &end);
  if (end == text || !isfinite(found) || found < 0) return refuse(r, "expected a number, 0 or more", text);
  *to = found;
  return EW_OK;
}

/* ---- members by name ---------------------------------------------------------------------------------------------------- */

typedef struct member {
  const char *name;
  char *text; /* one of the three */
  size_t size;
  double *number;
} member;

static ew_status take_member(const reader *r, const member *m, int n, const char *name, const char *value) {
  for (int i = 0; i < n; i++)
    if (strcmp(m[i].name, name) == 0)
      return m[i].text ? take(r, m[i].text, m[i].size, value) : take_number(r, m[i].number, value);
  return refuse(r, "this section has no such line", name);
}

static ew_status take_device(reader *r, const char *name, const char *value) {
  profile_device *d = &r->to->device;
  double units = d->units, local = (double)d->local_bytes, memory = (double)d->memory_bytes;
  const member m[] = {{"name", d->name, sizeof d->name, NULL},
                      {"platform", d->platform, sizeof d->platform, NULL},
                      {"driver", d->driver, sizeof d->driver, NULL},
                      {"kind", d->kind, sizeof d->kind, NULL},
                      {"units", NULL, 0, &units},
                      {"local", NULL, 0, &local},
                      {"memory", NULL, 0, &memory}};
  const ew_status status = take_member(r, m, (int)(sizeof m / sizeof *m), name, value);
  d->units = units < UINT32_MAX ? (uint32_t)units : UINT32_MAX;
  d->local_bytes = local < 1e18 ? (uint64_t)local : 0;
  d->memory_bytes = memory < 1e18 ? (uint64_t)memory : 0;
  return status;
}

static ew_status take_roof(reader *r, const char *name, const char *value) {
  dev_rates *f = &r->to->roofs;
  const member m[] = {
      {"triad", NULL, 0, &f->triad_gbs},  {"cached", NULL, 0, &f->cached_gbs},
      {"copy", NULL, 0, &f->copy_gbs},    {"fma", NULL, 0, &f->fma_gflops},
      {"launch", NULL, 0, &f->launch_us}, {"measured", r->to->probed, sizeof r->to->probed, NULL}};
  return take_member(r, m, (int)(sizeof m / sizeof *m), name, value);
}

static ew_status take_measure(reader *r, const char *name, const char *value) {
  device_profile_entry *e = r->entry;
  double cells = (double)e->of.cells, candidates = e->how.candidates, units = e->how.units;
  const member m[] = {{"text", e->of.text, sizeof e->of.text, NULL},
                      {"with", e->of.with, sizeof e->of.with, NULL},
                      {"cells", NULL, 0, &cells},
                      {"default", NULL, 0, &e->how.default_seconds},
                      {"best", NULL, 0, &e->how.best_seconds},
                      {"gain", NULL, 0, &e->how.gain},
                      {"candidates", NULL, 0, &candidates},
                      {"units", NULL, 0, &units},
                      {"seconds", NULL, 0, &e->how.seconds},
                      {"measured", e->how.date, sizeof e->how.date, NULL},
                      {"driver", e->how.driver, sizeof e->how.driver, NULL},
                      {"version", e->how.version, sizeof e->how.version, NULL}};
  const ew_status status = take_member(r, m, (int)(sizeof m / sizeof *m), name, value);
  e->of.cells = cells < 1e15 ? (int64_t)cells : 0;
  e->how.candidates = candidates < 1e9 ? (int)candidates : 0;
  e->how.units = units < UINT32_MAX ? (uint32_t)units : UINT32_MAX;
  return status;
}

static ew_status take_setting(reader *r, const char *name, const char *value) {
  profile_setting *set = r->in == SCHEME ? r->entry->set : r->to->general;
  int *n = r->in == SCHEME ? &r->entry->n : &r->to->n_general;
  if (*n == PROFILE_SETTINGS) return refuse(r, "expected fewer settings", name);
  const ew_status status = take(r, set[*n].name, sizeof set->name, name);
  return status == EW_OK ? take(r, set[(*n)++].value, sizeof set->value, value) : status;
}

/* ---- lines ---------------------------------------------------------------------------------------------------------------- */

static char *trim(char *text) {
  while (isspace((unsigned char)*text)) text++;
  for (char *end = text + strlen(text); end > text && isspace((unsigned char)end[-1]);) *--end = '\0';
  return text;
}

/* NAME VARIANT=CHOICE ... on DOMAIN */
static ew_status open_scheme(reader *r, char *text) {
  device_profile_entry e = {0};
  ew_status status = EW_OK;
  char *on = strstr(text, " on ");
  if (!on) return refuse(r, "expected  [scheme NAME on mesh 2D 3]", text);
  *on = '\0';
  EW_CHECK(take(r, e.of.domain, sizeof e.of.domain, trim(on + 4)));
  char *variants = strchr(text, ' ');
  if (variants) *variants++ = '\0';
  EW_CHECK(take(r, e.of.scheme, sizeof e.of.scheme, text));
  EW_CHECK(take(r, e.of.variants, sizeof e.of.variants, variants ? trim(variants) : ""));
  if (r->to->n_entries == PROFILE_ENTRIES) return refuse(r, "expected fewer sections", text);
  device_profile_entry *more = realloc(r->to->entry, sizeof *more * (size_t)(r->to->n_entries + 1));
  if (!more) return ew_fail(r->err, EW_FAIL, "out of memory for %s", r->path);
  r->to->entry = more;
  r->entry = &more[r->to->n_entries++];
  *r->entry = e;
  r->in = SCHEME;
cleanup:
  return status;
}

static ew_status open_section(reader *r, char *text) {
  char *end = strchr(text, ']');
  if (!end || end[1]) return refuse(r, "expected  [section]", text);
  *end = '\0';
  text = trim(text + 1);
  if (strcmp(text, "device") == 0) return r->in = DEVICE, EW_OK;
  if (strcmp(text, "roofs") == 0) return r->in = ROOFS, EW_OK;
  if (strncmp(text, "scheme ", 7) == 0) return open_scheme(r, trim(text + 7));
  return refuse(r, "a section is [device], [roofs] or [scheme NAME on ...]", text);
}

static ew_status read_line(reader *r, char *line) {
  char *comment = strstr(line, "--");
  if (comment) *comment = '\0';
  char *text = trim(line), *equals = strchr(text, '=');
  if (!*text) return EW_OK;
  if (*text == '[') return open_section(r, text);
  if (!equals) return refuse(r, "a line of a profile reads  name = value", text);
  *equals = '\0';
  const char *value = trim(equals + 1), *name = trim(text);
  if (r->in == DEVICE) return take_device(r, name, value);
  if (r->in == ROOFS) return take_roof(r, name, value);
  if (r->in == SCHEME && *name == '@') return take_measure(r, name + 1, value);
  if (r->in == GENERAL && strcmp(name, "device") == 0)
    return take(r, r->to->device.name, sizeof r->to->device.name, value);
  return take_setting(r, name, value);
}

static ew_status read_lines(reader *r, char *text) {
  ew_status status = EW_OK;
  for (char *next; text && status == EW_OK; text = next) {
    next = strchr(text, '\n');
    if (next) *next++ = '\0';
    r->line++;
    status = read_line(r, text);
  }
  return status;
}

/* A regular file of at most MOST_BYTES as text; the caller frees it. */
static ew_status load(const char *path, char **out, ew_error *err) {
  struct stat info;
  FILE *f = ew_regular_file(path, &info);
  if (!f && errno != 0) return ew_fail(err, EW_IO, "%s: %s", path, strerror(errno));
  const bool small = f && info.st_size <= MOST_BYTES;
  if (f && !small) fclose(f);
  if (!small)
    return ew_fail(err, EW_INPUT, "%s is no profile: expected a file of at most %d bytes", path, MOST_BYTES);
  char *text = malloc((size_t)info.st_size + 1);
  const size_t n = text ? fread(text, 1, (size_t)info.st_size, f) : 0;
  const bool failed = ferror(f) != 0;
  fclose(f);
  if (!text) return ew_fail(err, EW_FAIL, "out of memory to read %s", path);
  text[n] = '\0';
  if (!failed && !memchr(text, '\0', n)) return *out = text, EW_OK;
  free(text);
  return failed ? ew_fail(err, EW_IO, "%s cannot be read", path)
                : ew_fail(err, EW_INPUT, "%s is no profile: it holds a zero byte", path);
}

/* What an entry does not say itself: it was measured on the device as the file has it, which a later probe may change. */
static void keep_units(device_profile *p) {
  for (int i = 0; i < p->n_entries; i++)
    if (p->entry[i].how.units == 0) p->entry[i].how.units = p->device.units;
}

ew_status profile_read(const char *path, device_profile *out, ew_error *err) {
  char *text = NULL;
  *out = (device_profile){0};
  ew_status status = load(path, &text, err);
  reader r = {.path = path, .to = out, .err = err};
  if (status == EW_OK) status = read_lines(&r, text);
  keep_units(out);
  const profile_device device = out->device;
  if (status != EW_OK) profile_clear(out);
  out->device = device;
  free(text);
  return status;
}

/* ---- writing ---------------------------------------------------------------------------------------------------------------- */

static ew_status write_roofs(const device_profile *p, atomic_file *f, ew_error *err) {
  ew_status status;
  const dev_rates *r = &p->roofs;
  EW_CHECK(atomic_file_print(f, err, "\n[roofs]\ntriad    = %.6g GB/s\n", r->triad_gbs));
  if (r->cached_gbs > 0) EW_CHECK(atomic_file_print(f, err, "cached   = %.6g GB/s\n", r->cached_gbs));
  EW_CHECK(atomic_file_print(
      f, err, "copy     = %.6g GB/s\nfma      = %.6g Gflop/s\nlaunch   = %.6g us\nmeasured = %s\n",
      r->copy_gbs, r->fma_gflops, r->launch_us, p->probed));
cleanup:
  return status;
}

static ew_status write_head(const device_profile *p, atomic_file *f, ew_error *err) {
  ew_status status;
  const profile_device *d = &p->device;
  EW_CHECK(atomic_file_print(
      f, err,
      "-- A profile of Edgewise: `edgewise probe` and `edgewise tune` write it. Settings may be "
      "edited; lines with @ say how\n-- they were measured. docs/tuning.md tells more.\n"));
  for (int i = 0; i < p->n_general; i++)
    EW_CHECK(atomic_file_print(f, err, "%s = %s\n", p->general[i].name, p->general[i].value));
  EW_CHECK(atomic_file_print(f, err,
                             "\n[device]\nname     = %s\nplatform = %s\ndriver   = %s\nkind     = %s\n",
                             d->name, d->platform, d->driver, d->kind));
  EW_CHECK(atomic_file_print(f, err, "units    = %u\nlocal    = %llu\nmemory   = %llu\n", d->units,
                             (unsigned long long)d->local_bytes, (unsigned long long)d->memory_bytes));
  if (p->roofs.triad_gbs > 0) EW_CHECK(write_roofs(p, f, err));
cleanup:
  return status;
}

static ew_status write_entry(const device_profile_entry *e, atomic_file *f, ew_error *err) {
  ew_status status;
  EW_CHECK(atomic_file_print(f, err, "\n[scheme %s%s%s on %s]\n@text       = %s\n@cells      = %lld\n",
                             e->of.scheme, *e->of.variants ? " " : "", e->of.variants, e->of.domain,
                             e->of.text, (long long)e->of.cells));
  if (*e->of.with) EW_CHECK(atomic_file_print(f, err, "@with       = %s\n", e->of.with));
  EW_CHECK(atomic_file_print(f, err,
                             "@default    = %.4g s a step\n@best       = %.4g s a step\n@gain       = %.4g\n",
                             e->how.default_seconds, e->how.best_seconds, e->how.gain));
  EW_CHECK(atomic_file_print(f, err, "@candidates = %d\n@seconds    = %.1f\n@measured   = %s\n",
                             e->how.candidates, e->how.seconds, e->how.date));
  if (e->how.units) EW_CHECK(atomic_file_print(f, err, "@units      = %u\n", e->how.units));
  EW_CHECK(atomic_file_print(f, err, "@driver     = %s\n@version    = %s\n", e->how.driver, e->how.version));
  for (int i = 0; i < e->n; i++)
    EW_CHECK(atomic_file_print(f, err, "%s = %s\n", e->set[i].name, e->set[i].value));
cleanup:
  return status;
}

ew_status profile_write(const device_profile *p, const char *path, ew_error *err) {
  ew_status status;
  atomic_file *f = NULL;
  EW_CHECK(atomic_file_create(&f, path, err));
  EW_CHECK(write_head(p, f, err));
  for (int i = 0; i < p->n_entries; i++) EW_CHECK(write_entry(&p->entry[i], f, err));
  EW_CHECK(atomic_file_commit(&f, false, err));
cleanup:
  atomic_file_destroy(&f);
  return status;
}
