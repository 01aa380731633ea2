/* Where a search begins: whole schedules, since the settings that matter most only pay together. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tune/schedule_internal.h"

/* What was found to be the fastest, or nearly, of some scheme on some device: PoCL, Intel's CPU runtime, an H200. */
static const char *const cells[] = {"items=each select=branch faces=inline",
                                    "items=each select=branch faces=store",
                                    "items=loop select=branch faces=inline",
                                    "items=each select=branch faces=patch"},
                         *const nodes[] = {"items=each lanes=1 edges=sliced reads=first",
                                           "items=loop lanes=1 edges=lean reads=as_used",
                                           "items=each lanes=1 edges=apart reads=as_used"},
                         *const grids[] = {
                             "grid.window=auto items=loop", "grid.window=auto items=each grid.walls=tables",
                             "grid.window=off items=each", "grid.window=off items=loop select=branch"};

/* "NAME=VALUE NAME=VALUE" */
static void read_words(const char *text, tune_trial *out) {
  *out = (tune_trial){0};
  for (size_t n; *text && out->n < PROFILE_SETTINGS; text += n + (text[n] == ' ')) {
    profile_setting *s = &out->set[out->n++];
    const size_t name = strcspn(text, "=");
    n = strcspn(text, " ");
    snprintf(s->name, sizeof s->name, "%.*s", (int)name, text);
    snprintf(s->value, sizeof s->value, "%.*s", (int)(n - name - 1), text + name + 1);
  }
}

typedef struct starts {
  const tune_session *of;
  tune_trial *at;
  int n, most;
} starts;

static bool is_a_move(const tune_session *t, const char *name) {
  for (int i = 0; i < t->n; i++)
    if (strcmp(t->move[i].name, name) == 0) return true;
  return false;
}

/* Of what another scheme was found to want, that which this one has too. */
static bool take_known(void *data, const device_profile_entry *e) {
  starts *s = data;
  tune_trial *t = &s->at[s->n];
  const size_t kind = strcspn(e->of.domain, " ");
  if (strncmp(e->of.domain, s->of->out->subject.domain, kind + 1) != 0) return false;
  *t = (tune_trial){0};
  for (int i = 0; i < e->n; i++)
    if (is_a_move(s->of, e->set[i].name)) t->set[t->n++] = e->set[i];
  s->n += t->n > 0;
  return s->n == s->most;
}

int tune_starts(const tune_session *t, tune_trial *start, int most) {
  static const struct {
    const char *const *at;
    int n;
  } own[] = {{cells, sizeof cells / sizeof *cells},
             {nodes, sizeof nodes / sizeof *nodes},
             {grids, sizeof grids / sizeof *grids}};
  starts s = {t, start, 0, most / 2};
  profile_visit_entries(&t->out->info, take_known, &s);
  for (int i = 0; i < own[t->on].n && s.n < most; i++) read_words(own[t->on].at[i], &start[s.n++]);
  return s.n;
}
