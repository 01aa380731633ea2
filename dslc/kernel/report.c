/* From what the machine found to sentences. */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernel/machine.h"

static const kir_frame *frame_at(const kir_code *code, uint32_t at) {
  for (int i = 1; i < code->frames.n; i++) /* the first is the kernel's, which nobody calls */
    if (at >= code->frames.at[i].begin && at < code->frames.at[i].end) return &code->frames.at[i];
  return NULL;
}

/* Which calls led there: functions do not call themselves, so each has one place for where it returns to. */
static void note_callers(const dslc_machine *m, kir_finding *f) {
  const int most = (int)(sizeof f->caller / sizeof *f->caller);
  uint32_t at = f->at;
  for (const kir_frame *in = frame_at(m->code, at); in && m->running && f->n_callers < most;
       in = frame_at(m->code, at)) {
    at = m->running->slots[in->base].u - 1;
    f->caller[f->n_callers++] = at;
  }
}

bool kir_found(dslc_machine *m, const kir_finding *f) {
  const bool fatal =
      f->kind == DSLC_FAULT_OUTSIDE || f->kind == DSLC_FAULT_BARRIER || f->kind == DSLC_FAULT_ENDLESS;
  if (fatal) m->trouble.stopped = true;
  for (int i = 0; i < m->trouble.n_findings; i++) {
    kir_finding *old = &m->trouble.findings[i];
    if (old->at == f->at && old->kind == f->kind) return old->times++, fatal;
  }
  if (m->trouble.n_findings == kir_max_findings) return fatal;
  kir_finding *found = &m->trouble.findings[m->trouble.n_findings++];
  *found = *f;
  found->times = 1;
  note_callers(m, found);
  return fatal;
}

/* "item (3, 0, 0) of group (1, 0, 0)" */
static void name_item(const dslc_machine *m, uint32_t number, char *text, size_t size) {
  size_t id[3];
  size_t rest = number;
  const size_t in_group = m->range.local[0] * m->range.local[1] * m->range.local[2];
  size_t inside = rest % in_group, group = rest / in_group;
  for (int d = 0; d < 3; d++) {
    id[d] = group % m->range.groups[d] * m->range.local[d] + inside % m->range.local[d];
    group /= m->range.groups[d];
    inside /= m->range.local[d];
  }
  snprintf(text, size, "item (%zu, %zu, %zu)", id[0], id[1], id[2]);
}

/* "word 12 of `u_`, which has 12 of 8 bytes" */
static void name_word(const kir_finding *f, char *text, size_t size) {
  text[0] = '\0';
  if (f->name) snprintf(text, size, " `%s`", f->name);
  if (!f->region) return;
  const kir_region *r = f->region;
  if (r->mode == KIR_MODE_NOTHING) {
    snprintf(text, size, " through a pointer to nothing");
    return;
  }
  const int64_t word = (int64_t)1 << r->shift;
  const char *of = r->memory && strcmp(r->memory->name, r->name) != 0 ? r->memory->name : "";
  snprintf(text, size, " element %" PRId64 " of `%s`%s%s%s, which has %" PRIu64 " of %" PRId64 " bytes",
           f->offset / word, r->name, *of ? " (buffer `" : "", of, *of ? "`)" : "", r->bytes / (uint64_t)word,
           word);
}

/* ", called in line 12, in line 34" */
static void name_callers(const dslc_machine *m, const kir_finding *f, char *text, size_t size) {
  size_t n = 0;
  text[0] = '\0';
  for (int i = 0; i < f->n_callers && n < size; i++)
    n += (size_t)snprintf(text + n, size - n, "%s in line %d", i ? "," : ", called",
                          m->code->lines.at[f->caller[i]]);
}

static void tell(const dslc_machine *m, const kir_finding *f, dslc_fault *out) {
  char by[80], other[80] = "", word[300], line[200], callers[200];
  const kir_program *p = m->code->program;
  out->kind = f->kind;
  out->times = f->times;
  out->line = m->code->lines.at[f->at];
  kir_scheme_line(p, out->line, out->scheme_line, sizeof out->scheme_line);
  kir_text_line(p, out->line, line, sizeof line);
  name_item(m, f->item, by, sizeof by);
  name_word(f, word, sizeof word);
  name_callers(m, f, callers, sizeof callers);
  if (f->kind == DSLC_FAULT_RACE && f->has_other) name_item(m, f->other, other, sizeof other);
  else if (f->kind == DSLC_FAULT_RACE) snprintf(other, sizeof other, "other items");
  snprintf(out->text, sizeof out->text, "kernel '%s', line %d%s%s%s: %s%s%s%s%s, by %s%s%s\n  %s",
           m->code->kernel->name, out->line, *out->scheme_line ? " (" : "", out->scheme_line,
           *out->scheme_line ? ")" : "", f->what, *other ? " " : "", other, *word ? ":" : "", word, by,
           f->times > 1 ? ", and again" : "", callers, line);
}

static dslc_fault *more(dslc_machine *m) {
  const int most = m->options.max_faults;
  if (!m->trouble.faults) m->trouble.faults = calloc((size_t)most, sizeof *m->trouble.faults);
  if (!m->trouble.faults || m->trouble.n_faults == most) return NULL;
  dslc_fault *f = &m->trouble.faults[m->trouble.n_faults++];
  *f = (dslc_fault){.times = 1};
  return f;
}

void kir_report(dslc_machine *m) {
  for (int i = 0; i < m->trouble.n_findings; i++) {
    dslc_fault *f = more(m);
    if (f) tell(m, &m->trouble.findings[i], f);
  }
}

void kir_report_use(dslc_machine *m, const char *fmt, ...) {
  dslc_fault *f = more(m);
  va_list ap;
  m->trouble.stopped = true;
  if (!f) return;
  f->kind = DSLC_FAULT_USE;
  va_start(ap, fmt);
  vsnprintf(f->text, sizeof f->text, fmt, ap);
  va_end(ap);
}

const dslc_fault *dslc_machine_faults(const dslc_machine *machine, int *n) {
  *n = machine->trouble.n_faults;
  return machine->trouble.faults;
}
