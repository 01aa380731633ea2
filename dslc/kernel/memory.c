/* Buffers, and the account of who used which word when: what makes a race. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernel/machine.h"

dslc_memory *dslc_memory_create(const char *name, uint64_t bytes) {
  dslc_memory *m = calloc(1, sizeof *m);
  if (!m) return NULL;
  snprintf(m->name, sizeof m->name, "%s", name);
  m->bytes = bytes;
  m->data = calloc(1, bytes + 8);
  m->set = calloc(1, bytes / 4 + 2);
  if (!m->data || !m->set) dslc_memory_destroy(&m);
  return m;
}

dslc_memory *dslc_memory_part(const dslc_memory *whole, uint64_t offset, uint64_t bytes) {
  dslc_memory *m = calloc(1, sizeof *m);
  if (!m) return NULL;
  *m = (dslc_memory){
      .bytes = bytes, .data = whole->data + offset, .set = whole->set + offset / 4, .is_part = true};
  memcpy(m->name, whole->name, sizeof m->name);
  return m;
}

void dslc_memory_destroy(dslc_memory **memory) {
  if (!memory || !*memory) return;
  if (!(*memory)->is_part) free((*memory)->data), free((*memory)->set);
  free((*memory)->records);
  free(*memory);
  *memory = NULL;
}

void *dslc_memory_data(dslc_memory *memory) { return memory->data; }

void dslc_memory_mark(dslc_memory *memory, uint64_t offset, uint64_t bytes) {
  if (bytes == 0 || offset >= memory->bytes) return;
  const uint64_t end = bytes > memory->bytes - offset ? memory->bytes : offset + bytes;
  memset(memory->set + offset / 4, 1, (end + 3) / 4 - offset / 4);
}

void dslc_memory_copy(dslc_memory *to, uint64_t to_offset, const dslc_memory *from, uint64_t from_offset,
                      uint64_t bytes) {
  memcpy(to->data + to_offset, from->data + from_offset, bytes);
  for (uint64_t i = 0; i < bytes; i += 4) to->set[(to_offset + i) / 4] = from->set[(from_offset + i) / 4];
}

bool kir_memory_prepare(dslc_memory *memory, int shift, uint32_t epoch) {
  const size_t n = (size_t)(memory->bytes >> shift) + 1;
  if (memory->records && memory->shift == shift && memory->epoch == epoch) return true;
  free(memory->records);
  memory->records = calloc(n, sizeof *memory->records);
  memory->shift = shift;
  memory->epoch = epoch;
  return memory->records != NULL;
}

/* ---- Races ---------------------------------------------------------------------------------------------------------- */

static void race(dslc_machine *m, const kir_region *r, int64_t offset, uint32_t at, const char *what,
                 uint32_t other) {
  const kir_finding f = {.kind = DSLC_FAULT_RACE,
                         .at = at,
                         .what = what,
                         .region = r,
                         .offset = offset,
                         .item = m->range.item,
                         .other = other & KIR_ITEM,
                         .has_other = (other & KIR_ITEM) != KIR_ITEM && (other & KIR_ITEM) != m->range.item};
  kir_found(m, &f);
}

/* What was noted before `start` was another launch's, or, of local memory, another group's. */
static kir_phase start_of(const dslc_machine *m, const kir_region *r) {
  return r->mode == KIR_MODE_LOCAL ? m->clock.group_start : m->clock.launch_start;
}

static kir_phase now_of(const dslc_machine *m, const kir_region *r) {
  return r->mode == KIR_MODE_LOCAL ? m->clock.local_phase : m->clock.global_phase;
}

/* Whether nothing orders what was done in a phase of this launch before what is done now. */
static bool unordered(const dslc_machine *m, kir_phase then, kir_phase now) {
  return then < m->clock.group_start || then == now;
}

void kir_note_read(dslc_machine *m, const kir_region *r, int64_t offset, uint32_t at) {
  kir_record *record = &r->records[offset >> r->shift];
  const kir_phase start = start_of(m, r), now = now_of(m, r);
  const bool written = record->written >= start && (record->writer & KIR_ITEM) != m->range.item;
  if (written && unordered(m, record->written, now))
    race(m, r, offset, at, "a race: read of what is written by", record->writer);
  if (record->read < start) record->reader = m->range.item;
  else if (record->read < m->clock.group_start) record->reader = m->range.item | KIR_FOREIGN;
  else if (record->read < now) record->reader = m->range.item | (record->reader & KIR_FOREIGN);
  else if ((record->reader & KIR_ITEM) != m->range.item) record->reader |= KIR_MANY;
  record->read = now;
}

static bool read_by_others(const dslc_machine *m, const kir_record *record, kir_phase start, kir_phase now) {
  if (record->read < start) return false;
  if ((record->reader & KIR_FOREIGN) || record->read < m->clock.group_start) return true;
  return record->read == now && ((record->reader & KIR_MANY) || (record->reader & KIR_ITEM) != m->range.item);
}

void kir_note_write(dslc_machine *m, const kir_region *r, int64_t offset, uint32_t at, bool atomic,
                    bool equal) {
  kir_record *record = &r->records[offset >> r->shift];
  const kir_phase start = start_of(m, r), now = now_of(m, r);
  const bool written = record->written >= start && (record->writer & KIR_ITEM) != m->range.item;
  const bool both_atomic = atomic && (record->writer & KIR_ATOMIC);
  if (written && !equal && !both_atomic && unordered(m, record->written, now))
    race(m, r, offset, at, "a race: write of what is written by", record->writer);
  if (read_by_others(m, record, start, now))
    race(m, r, offset, at, "a race: write of what is read by", record->reader);
  record->writer = (written && both_atomic ? KIR_ITEM : m->range.item) | (atomic ? KIR_ATOMIC : 0u);
  record->written = now;
}
