/* Where profiles lie, and which of them is asked. */
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/shipped.h"
#include "profile/profile.h"

/* Letters and digits in small letters, all else as single underscores. Returns the length so far. */
static size_t add_word(char *to, size_t size, size_t n, const char *text) {
  if (n > 0 && n + 1 < size && to[n - 1] != '_') to[n++] = '_';
  for (const char *c = text; *c && n + 1 < size; c++) {
    if (isalnum((unsigned char)*c)) to[n++] = (char)tolower((unsigned char)*c);
    else if (n > 0 && to[n - 1] != '_') to[n++] = '_';
  }
  while (n > 0 && to[n - 1] == '_') n--;
  to[n] = '\0';
  return n;
}

bool profile_folder(char *path, size_t size) {
  const char *own = getenv("EDGEWISE_DATA_DIR"), *xdg = getenv("XDG_DATA_HOME"), *home = getenv("HOME");
  int n = -1;
  if (own && *own) n = snprintf(path, size, "%s/profiles", own);
  else if (xdg && *xdg) n = snprintf(path, size, "%s/edgewise/profiles", xdg);
  else if (home && *home) n = snprintf(path, size, "%s/.local/share/edgewise/profiles", home);
  return n > 0 && (size_t)n < size;
}

bool profile_path(const dev_info *info, char *path, size_t size) {
  char folder[PATH_MAX], name[2 * PROFILE_WORD];
  const size_t n = add_word(name, sizeof name, add_word(name, sizeof name, 0, info->name), info->platform);
  if (!n || !profile_folder(folder, sizeof folder)) return false;
  const int length = snprintf(path, size, "%s/%s.profile", folder, name);
  return length > 0 && (size_t)length < size;
}

/* ---- all of them, the nearest first ------------------------------------------------------------------------------------ */

/* Visits one after the other until `visit` says true. */
typedef bool visitor(void *data, const device_profile *p, const char *path);

static int is_profile(const struct dirent *e) {
  const size_t n = strlen(e->d_name);
  return n >= 9 && strcmp(e->d_name + n - 8, ".profile") == 0;
}

static int by_name(const struct dirent **a, const struct dirent **b) {
  return strcmp((*a)->d_name, (*b)->d_name);
}

/* Files of a folder: the device's own first, then by name, so that it is not the file system that decides which of several is asked. -1: it
 * cannot be read. Freed by free_list. */
static int list_folder(const char *folder, const dev_info *info, struct dirent ***list) {
  char path[PATH_MAX];
  const int n = scandir(folder, list, is_profile, by_name);
  const char *own = n > 0 && profile_path(info, path, sizeof path) ? strrchr(path, '/') + 1 : "";
  for (int i = 0; i < n; i++) {
    struct dirent *e = (*list)[i];
    if (strcmp(e->d_name, own) != 0) continue;
    memmove(*list + 1, *list, (size_t)i * sizeof **list);
    (*list)[0] = e;
  }
  return n;
}

static void free_list(struct dirent **list, int n) {
  for (int i = 0; i < n; i++) free(list[i]);
  if (n >= 0) free(list);
}

static bool visit_fitting(const char *folder, const dev_info *info, profile_fit fit, visitor *visit,
                          void *data) {
  bool done = false;
  struct dirent **list = NULL;
  const int n = list_folder(folder, info, &list);
  for (int i = 0; i < n && !done; i++) {
    char path[PATH_MAX];
    device_profile p;
    if ((size_t)snprintf(path, sizeof path, "%s/%s", folder, list[i]->d_name) >= sizeof path) continue;
    if (profile_read(path, &p, NULL) != EW_OK) continue; /* profile_unread tells of it */
    if (profile_fits(&p, info) == fit) done = visit(data, &p, path);
    profile_clear(&p);
  }
  free_list(list, n);
  return done;
}

static bool visit_all(const dev_info *info, visitor *visit, void *data) {
  char user[PATH_MAX];
  shipped ours;
  if (profile_folder(user, sizeof user) && visit_fitting(user, info, PROFILE_SAME_DEVICE, visit, data))
    return true;
  shipped_find(&ours, "profiles");
  for (int fit = PROFILE_SAME_DEVICE; fit >= PROFILE_SAME_KIND; fit--)
    if (visit_fitting(ours.folder, info, (profile_fit)fit, visit, data)) return true;
  return false;
}

/* ---- those that cannot be read ----------------------------------------------------------------------------------------- */

/* "" if it can, or is of another device. */
static void say_unread(const char *path, const dev_info *info, char *text, size_t size) {
  ew_error err = {0};
  device_profile p;
  if (profile_read(path, &p, &err) == EW_OK && !*p.device.kind)
    ew_fail(&err, EW_INPUT, "%s does not say in [device] of which kind its device is", path);
  const bool foreign = *p.device.kind && profile_fits(&p, info) == PROFILE_FOREIGN;
  profile_clear(&p);
  snprintf(text, size, "%.*s", (int)size - 1, foreign ? "" : err.text);
}

/* Returns how many; `text` is what is said of the first. */
static int count_unread(const char *folder, const dev_info *info, char *text, size_t size) {
  int count = 0;
  struct dirent **list = NULL;
  const int n = list_folder(folder, info, &list);
  if (n < 0 && errno != ENOENT) {
    snprintf(text, size, "%s: %s", folder, strerror(errno));
    return 1;
  }
  for (int i = 0; i < n; i++) {
    char path[PATH_MAX], said[EW_PATH + 512];
    if ((size_t)snprintf(path, sizeof path, "%s/%s", folder, list[i]->d_name) >= sizeof path) continue;
    say_unread(path, info, said, sizeof said);
    if (*said && count++ == 0) snprintf(text, size, "%s", said);
  }
  free_list(list, n);
  return count;
}

void profile_unread(const dev_info *info, char *text, size_t size) {
  char user[PATH_MAX], more[64];
  shipped ours;
  *text = '\0';
  int n = profile_folder(user, sizeof user) ? count_unread(user, info, text, size) : 0;
  shipped_find(&ours, "profiles");
  if (n == 0) n = count_unread(ours.folder, info, text, size);
  snprintf(more, sizeof more, ", and %d more", n - 1);
  const size_t used = strlen(text);
  if (n > 1) snprintf(text + used, size - used, "%s", more);
}

/* ---- the user's of one device ------------------------------------------------------------------------------------------ */

static bool add_path(void *data, const device_profile *p, const char *path) {
  profile_files *f = data;
  (void)p;
  if (f->n > 0 && strcmp(f->path[0], path) == 0) return false;
  if (f->n < PROFILE_FILES) snprintf(f->path[f->n++], sizeof f->path[0], "%s", path);
  return f->n == PROFILE_FILES;
}

void profile_list(const dev_info *info, profile_files *out) {
  char folder[PATH_MAX];
  out->n = 0;
  if (profile_path(info, out->path[0], sizeof out->path[0])) out->n = access(out->path[0], F_OK) == 0;
  if (profile_folder(folder, sizeof folder)) visit_fitting(folder, info, PROFILE_SAME_DEVICE, add_path, out);
}

/* ---- questions ------------------------------------------------------------------------------------------------------------ */

typedef struct search {
  const dev_info *info;
  const profile_subject *subject;
  profile_found *out;
} search;

/* What a profile was measured on, unless that is this very device, or any. */
static const char *other_name(const device_profile *p, const dev_info *info) {
  return strcmp(p->device.name, info->name) == 0 ? "" : p->device.name;
}

static bool take_entry(void *data, const device_profile *p, const char *path) {
  const search *s = data;
  char refusal[256];
  const device_profile_entry *e = profile_find(p, s->subject, s->info);
  if (!e) return false;
  profile_refusal(p, e, s->subject, s->info, refusal, sizeof refusal);
  if (*refusal) {
    if (!*s->out->why) snprintf(s->out->why, sizeof s->out->why, "%s: %s", path, refusal);
    return false;
  }
  s->out->entry = *e;
  s->out->as_measured = profile_same_own(&e->of, s->subject);
  snprintf(s->out->device, sizeof s->out->device, "%s", other_name(p, s->info));
  snprintf(s->out->path, sizeof s->out->path, "%s", path);
  *s->out->why = '\0';
  return true;
}

/* Of the nearest that says something for all schemes. */
static bool take_general(void *data, const device_profile *p, const char *path) {
  const search *s = data;
  if (p->n_general == 0) return false;
  s->out->n_general = p->n_general;
  memcpy(s->out->general, p->general, sizeof p->general);
  snprintf(s->out->general_path, sizeof s->out->general_path, "%s", path);
  return true;
}

bool profile_look_up(const dev_info *info, const profile_subject *subject, profile_found *out) {
  search s = {info, subject, out};
  *out = (profile_found){0};
  const bool general = visit_all(info, take_general, &s), entry = visit_all(info, take_entry, &s);
  if (general && !entry) snprintf(out->path, sizeof out->path, "%s", out->general_path);
  return general || entry;
}

static bool knows_upon_others(const device_profile *p, const profile_subject *subject, const dev_info *info) {
  for (int i = 0; i < p->n_entries; i++) {
    profile_subject same = *subject;
    memcpy(same.with, p->entry[i].of.with, sizeof same.with);
    if (profile_find(p, &same, info)) return true;
  }
  return false;
}

/* Why nothing in a section of this file is taken, "" if something is. */
static void file_refusal(const device_profile *p, const device_profile_entry *e,
                         const profile_subject *subject, const dev_info *info, char *text, size_t size) {
  if (!e)
    snprintf(text, size, "it has nothing for scheme %s%s%s on %s%s", subject->scheme,
             *subject->variants ? " " : "", subject->variants, subject->domain,
             knows_upon_others(p, subject, info)
                 ? " but what was measured with other settings of a case's own"
                 : "");
  else if (*p->device.kind && profile_fits(p, info) == PROFILE_FOREIGN)
    snprintf(text, size, "it is of another device: %s (%s, %s)", p->device.name, p->device.platform,
             p->device.kind);
  else profile_refusal(p, e, subject, info, text, size);
}

ew_status profile_look_into(const char *path, const dev_info *info, const profile_subject *subject,
                            profile_found *out, bool *found, ew_error *err) {
  device_profile p;
  char refusal[512];
  const ew_status status = profile_read(path, &p, err);
  if (status != EW_OK) return status;
  const device_profile_entry *e = profile_find(&p, subject, info);
  *out = (profile_found){.n_general = p.n_general};
  memcpy(out->general, p.general, sizeof out->general);
  snprintf(out->path, sizeof out->path, "%s", path);
  snprintf(out->general_path, sizeof out->general_path, "%s", path);
  file_refusal(&p, e, subject, info, refusal, sizeof refusal);
  if (*refusal && (p.n_entries > 0 || p.n_general == 0))
    snprintf(out->why, sizeof out->why, "%s: %s", path, refusal);
  if (!*refusal) {
    out->entry = *e;
    out->as_measured = profile_same_own(&e->of, subject);
    snprintf(out->device, sizeof out->device, "%s", other_name(&p, info));
  }
  *found = !*refusal || p.n_general > 0;
  profile_clear(&p);
  return EW_OK;
}

typedef struct entries {
  profile_entry_visitor *visit;
  void *data;
} entries;

static bool visit_entries(void *data, const device_profile *p, const char *path) {
  const entries *e = data;
  (void)path;
  for (int i = 0; i < p->n_entries; i++)
    if (e->visit(e->data, &p->entry[i])) return true;
  return false;
}

void profile_visit_entries(const dev_info *info, profile_entry_visitor *visit, void *data) {
  entries e = {visit, data};
  visit_all(info, visit_entries, &e);
}

static bool names_scheme(void *data, const device_profile *p, const char *path) {
  (void)path;
  if (p->n_general > 0) return true;
  for (int i = 0; i < p->n_entries; i++)
    if (strcmp(p->entry[i].of.scheme, data) == 0) return true;
  return false;
}

bool profile_knows(const dev_info *info, const char *scheme) {
  char name[PROFILE_WORD];
  if (strlen(scheme) >= sizeof name) return false;
  memcpy(name, scheme, strlen(scheme) + 1);
  return visit_all(info, names_scheme, name);
}
