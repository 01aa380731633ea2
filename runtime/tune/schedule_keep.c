/* What tuning found: kept in the user's profile of the device, printed, and as JSON for whoever wants to study it. */
#include <cJSON.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/json.h"
#include "formats/atomic_file.h"
#include "run/leave.h"
#include "tune/schedule_internal.h"

static void write_date(char *text, size_t size) {
  const time_t now = time(NULL);
  struct tm utc;
  strftime(text, size, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &utc));
}

/* ---- the profile ------------------------------------------------------------------------------------------------------------- */

/* Whoever reads, changes and writes a profile does it alone: the lock is a file beside it. -1: none could be made. */
static int lock_profile(const char *path) {
  char name[PATH_MAX];
  if ((size_t)snprintf(name, sizeof name, "%s.lock", path) >= sizeof name) return -1;
  const int fd = open(name, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666);
  if (fd >= 0) flock(fd, LOCK_EX);
  return fd;
}

/* A profile that cannot be read is not overwritten: a person may have edited it. */
static ew_status open_profile(const char *path, device_profile *p, ew_error *err) {
  *p = (device_profile){0};
  if (access(path, F_OK) != 0) return EW_OK;
  const ew_status status = profile_read(path, p, err);
  return status == EW_OK ? EW_OK : ew_context(err, "nothing is stored");
}

typedef ew_status change(device_profile *p, const void *data, ew_error *err);

static ew_status change_profile(const dev_info *info, change *how, const void *data, char *path, size_t size,
                                ew_error *err) {
  ew_status status;
  device_profile p = {0};
  *path = '\0';
  if (!profile_path(info, path, size)) return EW_OK;
  tune_make_folders(path);
  const int lock = lock_profile(path);
  EW_CHECK(open_profile(path, &p, err));
  EW_CHECK(how(&p, data, err));
  EW_CHECK(profile_write(&p, path, err));
cleanup:
  if (lock >= 0) close(lock);
  profile_clear(&p);
  return status;
}

ew_status tune_keep_try(const dev_info *info, ew_error *err) {
  char path[EW_PATH];
  device_profile p;
  if (!profile_path(info, path, sizeof path)) return EW_OK;
  tune_make_folders(path);
  const ew_status status = open_profile(path, &p, err);
  profile_clear(&p);
  return status == EW_OK ? atomic_file_try(path, err) : status;
}

static void take_roofs(device_profile *p, const dev_info *info, const dev_rates *rates) {
  p->device = profile_device_of(info);
  p->roofs = *rates;
  write_date(p->probed, sizeof p->probed);
}

typedef struct keeping {
  const tune_schedule_table *table;
  bool again;
  tune_kept *out;
} keeping;

/* Whether what the profile knows is worth more; of how many candidates it was the best. */
static bool is_known_better(const device_profile *p, const keeping *k, int *candidates) {
  const tune_schedule_table *t = k->table;
  const device_profile_entry *known = profile_rival(p, &t->subject);
  char stale[256] = "";
  *candidates = known ? known->how.candidates : 0;
  if (t->whole) return false;
  if (t->candidates == 0) return true;
  if (!known || k->again || strcmp(known->how.driver, t->info.driver) != 0) return false;
  profile_refusal(p, known, &t->subject, &t->info, stale, sizeof stale);
  return !*stale && t->candidates < known->how.candidates;
}

static device_profile_entry entry_of(const tune_schedule_table *t) {
  const tune_trial *best = &t->trial[t->best];
  device_profile_entry e = {.of = t->subject,
                            .n = best->n,
                            .how = {.gain = best->gain,
                                    .default_seconds = best->default_seconds,
                                    .best_seconds = best->seconds,
                                    .candidates = t->candidates,
                                    .units = t->info.compute_units,
                                    .seconds = t->seconds}};
  write_date(e.how.date, sizeof e.how.date);
  snprintf(e.how.driver, sizeof e.how.driver, "%s", t->info.driver);
  snprintf(e.how.version, sizeof e.how.version, "%s", EW_VERSION);
  memcpy(e.set, best->set, sizeof e.set);
  return e;
}

static ew_status put_entry(device_profile *p, const void *data, ew_error *err) {
  const keeping *k = data;
  const tune_schedule_table *t = k->table;
  const device_profile_entry e = entry_of(t);
  k->out->stored = !is_known_better(p, k, &k->out->candidates);
  take_roofs(p, &t->info, &t->rates);
  return k->out->stored ? profile_put(p, &e, err) : EW_OK;
}

ew_status tune_schedule_keep(const tune_schedule_table *table, bool again, tune_kept *out, ew_error *err) {
  const keeping k = {table, again, out};
  *out = (tune_kept){0};
  return change_profile(&table->info, put_entry, &k, out->path, sizeof out->path, err);
}

static ew_status put_roofs(device_profile *p, const void *data, ew_error *err) {
  (void)err;
  const tune_schedule_table *t = data;
  take_roofs(p, &t->info, &t->rates);
  return EW_OK;
}

ew_status tune_probe_keep(const dev_info *info, const dev_rates *rates, char *path, size_t size,
                          ew_error *err) {
  const tune_schedule_table t = {.info = *info, .rates = *rates};
  return change_profile(info, put_roofs, &t, path, size, err);
}

typedef struct merging {
  const device_profile *from;
  int *taken;
} merging;

static ew_status merge(device_profile *p, const void *data, ew_error *err) {
  const merging *m = data;
  if (!*p->device.name) p->device = m->from->device;
  return profile_merge(p, m->from, m->taken, err);
}

ew_status tune_merge_into_user(const dev_info *info, const device_profile *from, tune_merged *out,
                               ew_error *err) {
  const merging m = {from, &out->taken};
  return change_profile(info, merge, &m, out->path, sizeof out->path, err);
}

/* ---- tables -------------------------------------------------------------------------------------------------------------------- */

static void print_settings(const tune_trial *r, FILE *out) {
  if (r->n == 0) fputs(" default", out);
  for (int i = 0; i < r->n; i++) fprintf(out, " %s=%s", r->set[i].name, r->set[i].value);
}

void tune_schedule_print(const tune_schedule_table *t, FILE *out) {
  fprintf(out, "%9s %9s %7s %-8s settings\n", "predicted", "ms a step", "times", "");
  for (int i = 0; i < t->n; i++) {
    const tune_trial *r = &t->trial[i];
    fprintf(out, "%9.4g %9.4g %7.3f %-8s", 1e3 * r->predicted, 1e3 * r->seconds, r->gain,
            tune_verdict_name(r->verdict));
    print_settings(r, out);
    fprintf(out, "%s%s\n", *r->note ? "  -- " : "", r->note);
  }
}

static cJSON *trial_json(const tune_trial *r) {
  cJSON *o = cJSON_CreateObject(), *set = cJSON_AddObjectToObject(o, "settings");
  for (int i = 0; i < r->n; i++) cJSON_AddStringToObject(set, r->set[i].name, r->set[i].value);
  cJSON_AddNumberToObject(o, "predicted_seconds", r->predicted);
  cJSON_AddNumberToObject(o, "seconds", r->seconds);
  cJSON_AddNumberToObject(o, "default_seconds", r->default_seconds);
  cJSON_AddNumberToObject(o, "times_as_fast", r->gain);
  cJSON_AddStringToObject(o, "verdict", tune_verdict_name(r->verdict));
  if (*r->note) cJSON_AddStringToObject(o, "note", r->note);
  return o;
}

static cJSON *table_json(const tune_schedule_table *t) {
  char date[32];
  write_date(date, sizeof date);
  cJSON *o = cJSON_CreateObject();
  cJSON_AddStringToObject(o, "device", t->info.name);
  cJSON_AddStringToObject(o, "platform", t->info.platform);
  cJSON_AddStringToObject(o, "driver", t->info.driver);
  cJSON_AddStringToObject(o, "scheme", t->subject.scheme);
  cJSON_AddStringToObject(o, "variants", t->subject.variants);
  cJSON_AddStringToObject(o, "domain", t->subject.domain);
  cJSON_AddNumberToObject(o, "cells", (double)t->subject.cells);
  cJSON_AddStringToObject(o, "date", date);
  cJSON_AddNumberToObject(o, "triad_gbs", t->rates.triad_gbs);
  cJSON_AddNumberToObject(o, "fma_gflops", t->rates.fma_gflops);
  cJSON_AddNumberToObject(o, "launch_us", t->rates.launch_us);
  cJSON_AddNumberToObject(o, "best", t->best);
  cJSON *list = cJSON_AddArrayToObject(o, "trials");
  for (int i = 0; list && i < t->n; i++) cJSON_AddItemToArray(list, trial_json(&t->trial[i]));
  return o;
}

ew_status tune_schedule_write_json(const tune_schedule_table *table, const char *path, ew_error *err) {
  ew_status status = EW_OK;
  atomic_file *file = NULL;
  cJSON *json = table_json(table);
  char *text = ew_print_json(json);
  if (!text) EXEC_LEAVE(err, EW_FAIL, "out of memory for %s", path);
  EW_CHECK(atomic_file_create(&file, path, err));
  EW_CHECK(atomic_file_print(file, err, "%s\n", text));
  EW_CHECK(atomic_file_commit(&file, false, err));
cleanup:
  atomic_file_destroy(&file);
  free(text);
  cJSON_Delete(json);
  return status;
}
