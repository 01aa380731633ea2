#include "profile/profile.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void profile_clear(device_profile *p) {
  free(p->entry);
  *p = (device_profile){0};
}

profile_device profile_device_of(const dev_info *info) {
  profile_device d = {
      .units = info->compute_units, .local_bytes = info->local_bytes, .memory_bytes = info->memory_bytes};
  snprintf(d.name, sizeof d.name, "%s", info->name);
  snprintf(d.platform, sizeof d.platform, "%s", info->platform);
  snprintf(d.driver, sizeof d.driver, "%s", info->driver);
  snprintf(d.kind, sizeof d.kind, "%s",
           info->type == DEV_GPU    ? "gpu"
           : info->type == DEV_HOST ? "host"
                                    : "cpu");
  return d;
}

/* ---- entries ---------------------------------------------------------------------------------------------------------- */

int profile_dims(const profile_subject *subject) {
  return strstr(subject->domain, "3D") ? 3 : strstr(subject->domain, "2D") ? 2 : 1;
}

void profile_add_own(profile_subject *subject, const char *name, const char *value) {
  const size_t n = strlen(subject->with), room = sizeof subject->with - n;
  const int more = snprintf(subject->with + n, room, "%s%s=%s", n ? " " : "", name, value);
  if (more < 0 || (size_t)more >= room) subject->with[n] = '\0';
}

/* Whether each word of the one is among those of the other. */
static bool holds_words(const char *of, const char *words) {
  for (size_t n; *words; words += n) {
    words += strspn(words, " ");
    n = strcspn(words, " ");
    const char *at = of;
    for (size_t m; *at; at += m) {
      at += strspn(at, " ");
      m = strcspn(at, " ");
      if (m == n && strncmp(at, words, n) == 0) break;
    }
    if (n > 0 && !*at) return false;
  }
  return true;
}

bool profile_same_own(const profile_subject *a, const profile_subject *b) {
  return holds_words(a->with, b->with) && holds_words(b->with, a->with);
}

/* But for size and for settings of the case's own. */
static bool same_scheme(const profile_subject *a, const profile_subject *b) {
  return strcmp(a->scheme, b->scheme) == 0 && strcmp(a->variants, b->variants) == 0 &&
         strcmp(a->domain, b->domain) == 0;
}

static bool same_subject(const profile_subject *a, const profile_subject *b) {
  return same_scheme(a, b) && profile_same_own(a, b);
}

/* How far apart two sizes are, as a factor. */
static double apart(int64_t a, int64_t b) {
  const double x = a > 0 ? (double)a : 1, y = b > 0 ? (double)b : 1;
  return x > y ? x / y : y / x;
}

static bool is_refused(const device_profile *p, const device_profile_entry *e, const profile_subject *subject,
                       const dev_info *info) {
  char why[256];
  profile_refusal(p, e, subject, info, why, sizeof why);
  return *why != '\0';
}

/* What may be used before what may not, then the nearest in size. */
static const device_profile_entry *nearest(const device_profile *p, const profile_subject *subject,
                                           const dev_info *info) {
  const device_profile_entry *best = NULL;
  bool best_refused = false;
  for (int i = 0; i < p->n_entries; i++) {
    const device_profile_entry *e = &p->entry[i];
    if (!same_subject(&e->of, subject)) continue;
    const bool refused = is_refused(p, e, subject, info);
    const bool nearer = best && apart(e->of.cells, subject->cells) < apart(best->of.cells, subject->cells);
    if (best && (refused == best_refused ? !nearer : refused)) continue;
    best = e;
    best_refused = refused;
  }
  return best;
}

const device_profile_entry *profile_find(const device_profile *p, const profile_subject *subject,
                                         const dev_info *info) {
  const device_profile_entry *upon_same = nearest(p, subject, info);
  profile_subject plain = *subject;
  *plain.with = '\0';
  if (upon_same && !is_refused(p, upon_same, subject, info)) return upon_same;
  const device_profile_entry *upon_none = nearest(p, &plain, info);
  return upon_same && (!upon_none || is_refused(p, upon_none, &plain, info)) ? upon_same : upon_none;
}

const device_profile_entry *profile_rival(const device_profile *p, const profile_subject *subject) {
  for (int i = 0; i < p->n_entries; i++)
    if (same_subject(&p->entry[i].of, subject) && apart(p->entry[i].of.cells, subject->cells) < 2)
      return &p->entry[i];
  return NULL;
}

ew_status profile_put(device_profile *p, const device_profile_entry *entry, ew_error *err) {
  const device_profile_entry *rival = profile_rival(p, &entry->of);
  if (rival) return p->entry[rival - p->entry] = *entry, EW_OK;
  if (p->n_entries == PROFILE_ENTRIES)
    return ew_fail(err, EW_INPUT, "a profile has at most %d entries of schemes", PROFILE_ENTRIES);
  device_profile_entry *more = realloc(p->entry, sizeof *more * (size_t)(p->n_entries + 1));
  if (!more) return ew_fail(err, EW_FAIL, "out of memory for a profile");
  p->entry = more;
  more[p->n_entries++] = *entry;
  return EW_OK;
}

/* ---- merging ------------------------------------------------------------------------------------------------------------ */

static bool same_device(const profile_device *a, const profile_device *b) {
  return strcmp(a->name, b->name) == 0 && strcmp(a->platform, b->platform) == 0;
}

/* Dates are ISO 8601, so their order is that of their letters. */
static bool is_later(const char *a, const char *b) { return strcmp(a, b) > 0; }

static ew_status merge_entry(device_profile *into, const device_profile_entry *e, int *taken, ew_error *err) {
  const device_profile_entry *known = profile_rival(into, &e->of);
  if (known && !is_later(e->how.date, known->how.date)) return EW_OK;
  ++*taken;
  return profile_put(into, e, err);
}

static bool says_for_all(const device_profile *p, const char *name) {
  for (int i = 0; i < p->n_general; i++)
    if (strcmp(p->general[i].name, name) == 0) return true;
  return false;
}

static ew_status merge_general(device_profile *into, const device_profile *from, ew_error *err) {
  for (int i = 0; i < from->n_general; i++) {
    if (says_for_all(into, from->general[i].name)) continue;
    if (into->n_general == PROFILE_SETTINGS)
      return ew_fail(err, EW_INPUT, "a profile has at most %d settings for all schemes", PROFILE_SETTINGS);
    into->general[into->n_general++] = from->general[i];
  }
  return EW_OK;
}

ew_status profile_merge(device_profile *into, const device_profile *from, int *taken, ew_error *err) {
  ew_status status = EW_OK;
  *taken = 0;
  if (!same_device(&into->device, &from->device))
    return ew_fail(err, EW_INPUT, "profiles of two devices cannot be merged: '%s' (%s) and '%s' (%s)",
                   into->device.name, into->device.platform, from->device.name, from->device.platform);
  if (is_later(from->probed, into->probed)) {
    into->roofs = from->roofs;
    into->device = from->device;
    memcpy(into->probed, from->probed, sizeof into->probed);
  }
  status = merge_general(into, from, err);
  for (int i = 0; i < from->n_entries && status == EW_OK; i++)
    status = merge_entry(into, &from->entry[i], taken, err);
  return status;
}

/* ---- may it be used? ---------------------------------------------------------------------------------------------------- */

profile_fit profile_fits(const device_profile *p, const dev_info *info) {
  const profile_device d = profile_device_of(info);
  if (strcmp(p->device.kind, d.kind) != 0) return PROFILE_FOREIGN;
  if (!*p->device.platform) return PROFILE_SAME_KIND;
  if (strcmp(p->device.platform, d.platform) != 0) return PROFILE_FOREIGN;
  return strcmp(p->device.name, d.name) == 0 ? PROFILE_SAME_DEVICE : PROFILE_SAME_PLATFORM;
}

enum { MOST_APART = 16 }; /* between the size measured and the size asked for */

void profile_refusal(const device_profile *p, const device_profile_entry *e, const profile_subject *subject,
                     const dev_info *info, char *text, size_t size) {
  *text = '\0';
  if (*e->of.text && *subject->text && strcmp(e->of.text, subject->text) != 0)
    snprintf(text, size, "the scheme was changed since it was tuned");
  else if (e->of.cells == 0)
    snprintf(text, size, "its section does not say on how many cells it was tuned: @cells = %lld",
             (long long)subject->cells);
  else if (apart(e->of.cells, subject->cells) > MOST_APART)
    snprintf(text, size, "it was tuned on %lld cells, and this case has %lld", (long long)e->of.cells,
             (long long)subject->cells);
  else if (profile_fits(p, info) == PROFILE_SAME_DEVICE && e->how.units == 0)
    snprintf(text, size, "its section does not say how many compute units the device had: @units = %u",
             info->compute_units);
  else if (profile_fits(p, info) == PROFILE_SAME_DEVICE && e->how.units != info->compute_units)
    snprintf(text, size, "the device had %u compute units, and has %u now", e->how.units,
             info->compute_units);
}
