#include "run/identity.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory_text.h"
#include "base/words.h"
#include "dslc_reference.h"
#include "run/internal.h"
#include "run/over_time.h"
#include "run/shown.h"

/* Facts stand among a checkpoint's labels with this in front; values over time with both. Behind the last what the answer does not depend on. */
#define FACT      "= "
#define EACH      "~ "
#define PARAMETER "parameter "
#define STORED    " stored in"
#define NOW       "at the time of the checkpoint: "

static ew_status add(exec_run *run, const char *name, const char *value, ew_error *err) {
  return exec_pairs_add(&run->identity.facts, name, value ? value : "by the scheme", err);
}

static ew_status add_number(exec_run *run, const char *name, double value, ew_error *err) {
  char text[40];
  exec_number_text(value, text, sizeof text);
  return add(run, name, text, err);
}

/* ---- what the case and the scheme say ----------------------------------------------------------------------------------- */

static ew_status add_scheme(exec_run *run, ew_error *err) {
  ew_status status = EW_OK;
  const dslc_program *p = run->program;
  EW_CHECK(add(run, "scheme", p->identity.scheme, err));
  EW_CHECK(
      add(run, "scheme's text, hash", p->identity.text_hash ? p->identity.text_hash : p->identity.hash, err));
  for (int i = 0; i < p->model.n_variants; i++) {
    char name[128];
    snprintf(name, sizeof name, "variant %s", p->model.variant[i].name);
    EW_CHECK(add(run, name, p->model.variant[i].choice[p->model.variant[i].chosen], err));
  }
  EW_CHECK(add(run, "mesh hash", run->mesh_hash, err));
cleanup:
  return status;
}

/* Work buffers are those of stored equations, and of states at other times, which are as these are. */
static const char *stored_word(const dslc_buffer *b) {
  switch (b->kind) {
  case DSLC_BUFFER_STATE:
  case DSLC_BUFFER_GIVEN: return b->name;
  case DSLC_BUFFER_GEOMETRY: return "geometry";
  default: return "equations";
  }
}

/* Nothing where all is double. */
static ew_status add_storage(exec_run *run, ew_error *err) {
  const dslc_program *p = run->program;
  char name[256];
  for (int i = 0; i < p->execution.n_buffers; i++) {
    const dslc_buffer *b = &p->execution.buffer[i];
    if (b->element != DSLC_F32) continue;
    snprintf(name, sizeof name, "%s" STORED, stored_word(b));
    if (exec_pairs_find(&run->identity.facts, name)) continue;
    ew_status status = add(run, name, "single precision", err);
    if (status != EW_OK) return status;
  }
  return EW_OK;
}

static ew_status add_parameters(exec_run *run, ew_error *err) {
  for (int i = 0; i < run->program->model.n_parameters; i++) {
    const dslc_parameter *p = &run->program->model.parameter[i];
    char name[128], text[DSLC_MOST_COMPONENTS * 26] = "";
    size_t used = 0;
    for (int d = 0; d < p->components && d < DSLC_MOST_COMPONENTS; d++) {
      if (d) used += (size_t)snprintf(text + used, sizeof text - used, ", ");
      exec_number_text(run->parameter[i][d], text + used, sizeof text - used);
      used += strlen(text + used);
    }
    snprintf(name, sizeof name, PARAMETER "%s", p->name);
    ew_status status = add(run, name, text, err);
    if (status != EW_OK) return status;
  }
  return EW_OK;
}

static ew_status add_boundaries(exec_run *run, ew_error *err) {
  for (int e = 0; e < run->c->n_boundaries; e++)
    for (int i = 0; i < run->c->boundary[e].n_names; i++) {
      char name[256];
      snprintf(name, sizeof name, "boundary \"%s\"", run->c->boundary[e].name[i]);
      ew_status status = add(run, name, run->c->boundary[e].rule, err);
      if (status != EW_OK) return status;
    }
  return EW_OK;
}

static ew_status add_solver(exec_run *run, ew_error *err) {
  ew_status status = EW_OK;
  const case_solver *s = &run->c->solver;
  if (run->program->execution.n_solves == 0 && !dslc_reference_solves(run->program, NULL)) return EW_OK;
  EW_CHECK(add(run, "solver.method", s->method, err));
  EW_CHECK(add(run, "solver.preconditioner", s->preconditioner, err));
  if (s->precision) EW_CHECK(add(run, "solver.precision", s->precision, err));
  EW_CHECK(add_number(run, "solver.tolerance", s->tolerance, err));
  EW_CHECK(add_number(run, "solver.iterations", s->iterations, err));
  if (!s->pin.field) return EW_OK;
  EW_CHECK(add(run, "solver.pin.field", s->pin.field, err));
  EW_CHECK(add_number(run, "solver.pin.value", s->pin.value, err));
  for (int d = 0; d < s->pin.n; d++) EW_CHECK(add_number(run, "solver.pin.at", s->pin.at[d], err));
cleanup:
  return status;
}

/* Steps are shortened to meet the times of output. */
static ew_status add_times(exec_run *run, ew_error *err) {
  ew_status status = EW_OK;
  const case_output *o = &run->c->output;
  uint64_t hash = EXEC_HASH_BEGIN;
  char text[96];
  for (int i = 0; i < o->n_times; i++) hash = exec_hash_number(hash, o->time[i]);
  EW_CHECK(add_number(run, "time.first", run->c->time.first_step, err));
  EW_CHECK(add_number(run, "time.largest", run->c->time.largest_step, err));
  EW_CHECK(add_number(run, "time.step", run->c->time.fixed_step, err));
  EW_CHECK(add(run, "time.shorten", run->c->time.whole_steps ? "false" : "true", err));
  EW_CHECK(add_number(run, "output.every", o->every, err));
  snprintf(text, sizeof text, "%d numbers (hash %016llx)", o->n_times, (unsigned long long)hash);
  EW_CHECK(add(run, "output.times", text, err));
cleanup:
  return status;
}

ew_status exec_identity_begin(exec_run *run, ew_error *err) {
  ew_status status = EW_OK;
  EW_CHECK(add_scheme(run, err));
  EW_CHECK(add_storage(run, err));
  EW_CHECK(add_parameters(run, err));
  EW_CHECK(add_boundaries(run, err));
  if (run->nodes.fe) EW_CHECK(add_number(run, "corner_angle", run->c->corner_angle, err));
  EW_CHECK(add_solver(run, err));
  EW_CHECK(add_times(run, err));
cleanup:
  return status;
}

/* ---- values -------------------------------------------------------------------------------------------------------------- */

/* While recording. A name that is noted already stays. */
static ew_status note(exec_run *run, const char *name, const exec_sampler *s, ew_error *err) {
  char full[560], text[160];
  if (!run->identity.recording) return EW_OK;
  snprintf(full, sizeof full, "%s%s", run->identity.when, name);
  if (exec_pairs_find(&run->identity.facts, full)) return EW_OK;
  exec_sampler_tell(s, text, sizeof text);
  return add(run, full, text, err);
}

static void argument_name(const char *before, const exec_argument_at *at, char *out, size_t size) {
  char across[] = " across x", held[140] = "";
  across[sizeof across - 2] = at->axis;
  if (at->hold) snprintf(held, sizeof held, ", %s %s", at->hold->add ? "add" : "fix", at->hold->target);
  snprintf(out, size, "%sboundary \"%s\"%s%s: %s", before, at->boundary, at->axis ? across : "", held,
           at->argument);
}

ew_status exec_identity_field(exec_run *run, const dslc_field *f, const exec_sampler *s, ew_error *err) {
  char name[512];
  snprintf(name, sizeof name, "%s %s", f->kind == DSLC_STATE ? "initial" : "given", f->name);
  return note(run, name, s, err);
}

ew_status exec_identity_argument(exec_run *run, const exec_argument_at *at, const exec_sampler *s,
                                 ew_error *err) {
  char name[512];
  argument_name("", at, name, sizeof name);
  return note(run, name, s, err);
}

/* What a program reads at no place says so, and so must what it reads in no kernel. */
#define UNREAD "nowhere"

static ew_status add_unread(exec_pairs *out, const char *name, ew_error *err) {
  return exec_pairs_find(out, name) ? EW_OK : exec_pairs_add(out, name, UNREAD, err);
}

/* Of one entry of the case, where the rule with its name acts. */
static ew_status add_unread_arguments(const case_boundary *entry, const dslc_rule *rule,
                                      const dslc_hold *hold, exec_pairs *out, ew_error *err) {
  char name[560];
  ew_status status = EW_OK;
  for (int i = 0; i < entry->n_names; i++)
    for (int a = 0; a < entry->n_arguments && status == EW_OK; a++) {
      const exec_argument_at at = {entry->name[i], entry->argument[a].name, rule->axis, hold};
      argument_name(FACT, &at, name, sizeof name);
      status = add_unread(out, name, err);
    }
  return status;
}

static ew_status add_unread_entry(const dslc_model *m, const case_boundary *entry, exec_pairs *out,
                                  ew_error *err) {
  ew_status status = EW_OK;
  for (int r = 0; r < m->n_rules; r++) {
    if (strcmp(m->rule[r].name, entry->rule) != 0) continue;
    EW_CHECK(add_unread_arguments(entry, &m->rule[r], NULL, out, err));
    for (int h = 0; h < m->n_holds; h++)
      if (m->hold[h].rule == r) EW_CHECK(add_unread_arguments(entry, &m->rule[r], &m->hold[h], out, err));
  }
cleanup:
  return status;
}

static ew_status add_all_unread(const exec_run *run, exec_pairs *out, ew_error *err) {
  ew_status status = EW_OK;
  const ew_case *c = run->c;
  for (int g = 0; g < c->values.n_givens; g++) {
    char name[560];
    snprintf(name, sizeof name, FACT "given %s", c->values.given[g].name);
    EW_CHECK(add_unread(out, name, err));
  }
  for (int e = 0; e < c->n_boundaries; e++)
    EW_CHECK(add_unread_entry(&run->program->model, &c->boundary[e], out, err));
cleanup:
  return status;
}

static ew_status copy_facts(const exec_pairs *facts, exec_pairs *out, ew_error *err) {
  ew_status status = EW_OK;
  for (int i = 0; i < facts->n && status == EW_OK; i++) {
    char name[560];
    snprintf(name, sizeof name, FACT "%s", facts->item[i].name);
    status = exec_pairs_add(out, name, facts->item[i].value, err);
  }
  return status;
}

ew_status exec_identity_now(exec_run *run, const double *moment, int n, exec_pairs *out, ew_error *err) {
  exec_pairs *facts = &run->identity.facts;
  const int known = facts->n;
  run->identity.recording = true;
  run->identity.when = NOW;
  ew_status status = exec_timed_all(run, err);
  run->identity.recording = false;
  if (status == EW_OK) status = copy_facts(facts, out, err);
  exec_pairs_cut(facts, known);
  if (status == EW_OK) status = add_all_unread(run, out, err);
  if (status == EW_OK) status = exec_shown_facts(run->c, run->dim, FACT, EACH, out, err);
  return status == EW_OK && n > 0 ? exec_over_time_facts(run, moment, n, FACT, out, err) : status;
}

/* ---- for the record ----------------------------------------------------------------------------------------------------------- */

/* Of "T stored in" that of "T", of all else 0. */
static size_t length_before_stored(const char *name) {
  const size_t n = strlen(name), end = strlen(STORED);
  return n > end && strcmp(name + n - end, STORED) == 0 ? n - end : 0;
}

ew_status exec_identity_single(const exec_run *run, exec_pairs *out, ew_error *err) {
  ew_status status = EW_OK;
  for (int i = 0; i < run->identity.facts.n && status == EW_OK; i++) {
    char name[256];
    const char *fact = run->identity.facts.item[i].name;
    const size_t n = length_before_stored(fact);
    if (n == 0 || n >= sizeof name) continue;
    snprintf(name, sizeof name, "%.*s", (int)n, fact);
    status = exec_pairs_add(out, name, "stored", err);
  }
  return status;
}

/* What the record has elsewhere, or what is up to the schedule. */
static bool is_input(const char *name) {
  static const char *const parts[] = {PARAMETER,      "boundary ", "initial ", "given ",
                                      "corner_angle", "time.",     "output."};
  if (length_before_stored(name)) return false;
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
    if (strncmp(name, parts[i], strlen(parts[i])) == 0) return true;
  return false;
}

/* Moments at which another run of the case is asked, too: a time that steps came to is not met again but for rounding. */
static double recorded_end(const exec_run *run) {
  char text[32];
  if (run->c->time.stop > 0) return run->c->time.stop;
  snprintf(text, sizeof text, "%.3g", exec_time(run));
  return strtod(text, NULL);
}

ew_status exec_identity_inputs(exec_run *run, exec_pairs *out, ew_error *err) {
  double moment[OVER_TIME_MOMENTS];
  exec_pairs all = {0};
  ew_status status = copy_facts(&run->identity.facts, &all, err);
  if (status == EW_OK) status = add_all_unread(run, &all, err);
  exec_over_time_moments(0, recorded_end(run), moment);
  if (status == EW_OK) status = exec_over_time_facts(run, moment, OVER_TIME_MOMENTS, FACT, &all, err);
  for (int i = 0; i < all.n && status == EW_OK; i++)
    if (is_input(all.item[i].name + strlen(FACT)))
      status = exec_pairs_add(out, all.item[i].name + strlen(FACT), all.item[i].value, err);
  exec_pairs_clear(&all);
  return status;
}

/* ---- comparing ------------------------------------------------------------------------------------------------------------ */

static bool counts(const char *name, bool at_start) {
  return strncmp(name, FACT, strlen(FACT)) == 0 &&
         (!at_start || strncmp(name + strlen(FACT), NOW, strlen(NOW)) != 0);
}

/* What one of the two has not read, as a value of a boundary's entry: whether a program has to is up to its schedule. What is missing
 * altogether may stand for a default. */
static bool is_unread(const exec_pairs *run, const checkpoint *saved, const char *name) {
  char at_start[560];
  const char *of_time = name + strlen(FACT);
  if (strncmp(of_time, NOW, strlen(NOW)) == 0) of_time += strlen(NOW);
  snprintf(at_start, sizeof at_start, FACT "%s", of_time);
  const char *now = exec_pairs_find(run, at_start), *then = checkpoint_text(saved, at_start);
  return (now && strcmp(now, UNREAD) == 0) || (then && strcmp(then, UNREAD) == 0);
}

/* A file that only one of the two has begins or ends at the checkpoint. */
static bool is_of_one_alone(const char *name, const char *then, const char *now) {
  return (!then || !now) && strncmp(name, FACT SHOWN_IN, strlen(FACT SHOWN_IN)) == 0;
}

/* Of a parameter by its default: the interpreter computes the formula as it is written, other programs as their passes leave it. */
static const double rounding = 1e-12;

static bool agree(const char *name, const char *then, const char *now) {
  const bool parameter = strncmp(name, FACT PARAMETER, strlen(FACT PARAMETER)) == 0;
  return then && words_agree(then, now, parameter ? rounding : 0);
}

static void tell(FILE *out, const char *name, const char *saved, const char *now) {
  const size_t n = strlen(name), m = strlen(OVER_TIME);
  const char *none = n > m && strcmp(name + n - m, OVER_TIME) == 0 ? "(nothing over time)" : "(none)";
  fprintf(out, "\n  %s\n    checkpoint: %s\n    this run:   %s", name + strlen(FACT), saved ? saved : none,
          now ? now : none);
}

char *exec_identity_differences(const exec_pairs *run, const checkpoint *saved, bool at_start) {
  memory_text text;
  FILE *out = memory_text_open(&text);
  if (!out) return NULL;
  for (int i = 0; i < run->n; i++) {
    const exec_pair *f = &run->item[i];
    const char *then = checkpoint_text(saved, f->name);
    if (counts(f->name, at_start) && !agree(f->name, then, f->value) && !is_unread(run, saved, f->name) &&
        !is_of_one_alone(f->name, then, f->value))
      tell(out, f->name, then, f->value);
  }
  checkpoint_label l;
  for (size_t i = 0; checkpoint_label_at(saved, i, &l); i++)
    if (counts(l.name, at_start) && !exec_pairs_find(run, l.name) && !is_unread(run, saved, l.name) &&
        !is_of_one_alone(l.name, l.value, NULL))
      tell(out, l.name, l.value, NULL);
  return memory_text_close(&text);
}

/* Of files of rows, exec_output_gaps tells. */
static bool is_of_files(const char *name) {
  return strncmp(name, EACH, strlen(EACH)) == 0 && strcmp(name, EACH SHOWN_IN SHOWN_ROWS) != 0;
}

char *exec_identity_changes(const exec_pairs *run, const checkpoint *saved) {
  memory_text text;
  FILE *out = memory_text_open(&text);
  if (!out) return NULL;
  for (int i = 0; i < run->n; i++) {
    const exec_pair *f = &run->item[i];
    const char *then = checkpoint_text(saved, f->name);
    if (strncmp(f->name, EACH, strlen(EACH)) == 0 && then && strcmp(then, f->value) != 0)
      tell(out, f->name, then, f->value);
  }
  checkpoint_label l;
  for (size_t i = 0; checkpoint_label_at(saved, i, &l); i++)
    if (is_of_files(l.name) && !exec_pairs_find(run, l.name))
      tell(out, l.name, l.value, "not asked for any more");
  return memory_text_close(&text);
}
