/* The model machine's inside: regions of memory with an account of who used what, and one launch. */
#ifndef DSLC_KERNEL_MACHINE_H
#define DSLC_KERNEL_MACHINE_H

#include "dslc_kernel.h"
#include "kernel/code.h"

/* Time is counted in phases: a new one begins with each group and behind each barrier. What was noted in an earlier launch, or for local
 * memory in an earlier group, is older than where those began, so nothing needs clearing. */
typedef uint32_t kir_phase;

typedef struct kir_record { /* of one word */
  kir_phase written, read;
  uint32_t writer, reader; /* items, with the bits below */
} kir_record;

#define KIR_ITEM    0x1fffffffu /* number within the launch; all ones: several */
#define KIR_ATOMIC  0x80000000u /* of a writer: by an atomic */
#define KIR_MANY    0x40000000u /* of a reader: others in the same phase, too */
#define KIR_FOREIGN 0x20000000u /* others of an earlier group of this launch, too */

struct dslc_memory {
  char name[64];
  uint64_t bytes;
  uint8_t *data;
  uint8_t *set; /* for every four bytes */
  kir_record *records;
  int shift; /* of a record's bytes */
  uint32_t epoch;
  bool is_part; /* bytes and what is known of them are another's */
};

typedef enum kir_mode {
  KIR_MODE_NOTHING,
  KIR_MODE_PRIVATE,
  KIR_MODE_LOCAL,
  KIR_MODE_READ,
  KIR_MODE_SHARED
} kir_mode;

typedef struct kir_region {
  kir_mode mode; /* READ: a buffer that no argument of the launch may write; SHARED: another one */
  int shift;
  uint64_t bytes;
  uint8_t *base;
  uint8_t *set;
  kir_record *records;
  uint32_t slot; /* PRIVATE */
  const char *name;
  dslc_memory *memory;
} kir_region;

typedef struct kir_finding { /* a fault as it is found */
  dslc_fault_kind kind;
  uint32_t at; /* the instruction */
  const char *what;
  const char *name;         /* of a variable, or NULL */
  const kir_region *region; /* or NULL */
  int64_t offset;
  uint32_t item, other;
  bool has_other;
  uint64_t times;
  uint32_t caller[16]; /* instructions behind the calls that led there, innermost first */
  int n_callers;
} kir_finding;

typedef struct kir_item {
  kir_slot *slots;
  uint8_t *shadow; /* whether they are set; two for each */
  uint32_t at;     /* the next instruction; KIR_DONE */
} kir_item;

enum { kir_max_findings = 64 };
#define KIR_DONE    0xffffffffu
#define KIR_STOPPED 0xfffffffeu

/* When what is noted took place. */
typedef struct kir_clock {
  uint32_t epoch;
  kir_phase phase, launch_start, group_start, local_phase, global_phase;
} kir_clock;

/* What a launch runs over, and which item runs. */
typedef struct kir_launch_range {
  size_t size[3], local[3], groups[3], group[3], local_id[3];
  uint32_t item; /* the running one's number */
} kir_launch_range;

/* The items of a group, and their variables. */
typedef struct kir_pool {
  kir_item *items;
  kir_slot *slots;
  uint8_t *shadow;
  size_t item_capacity, slot_capacity;
  uint32_t *order; /* of groups, then of items */
  size_t order_capacity;
} kir_pool;

typedef struct kir_group_memory {
  uint8_t *at;
  kir_record *records;
  uint64_t capacity;
} kir_group_memory;

typedef struct kir_trouble {
  kir_finding findings[kir_max_findings];
  int n_findings;
  bool stopped;
  dslc_fault *faults;
  int n_faults;
} kir_trouble;

struct dslc_machine {
  dslc_machine_options options;
  uint64_t random, steps, loops;
  const kir_code *code; /* of the launch */
  kir_region *regions;
  int n_regions, region_capacity;
  const struct kir_item *running;
  kir_clock clock;
  kir_launch_range range;
  kir_pool pool;
  kir_group_memory group_memory;
  kir_trouble trouble;
};

/* Runs an item from where it is to a barrier or its end. */
void kir_run(dslc_machine *m, kir_item *item);

/* Notes a fault; true: the launch cannot go on. */
bool kir_found(dslc_machine *m, const kir_finding *f);
/* From what was found to messages. */
void kir_report(dslc_machine *m);
void kir_report_use(dslc_machine *m, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* What an access of the running item to a word of a region means. `equal`: the same value is written through a volatile pointer. */
void kir_note_read(dslc_machine *m, const kir_region *r, int64_t offset, uint32_t at);
void kir_note_write(dslc_machine *m, const kir_region *r, int64_t offset, uint32_t at, bool atomic,
                    bool equal);

bool kir_memory_prepare(dslc_memory *memory, int shift, uint32_t epoch);

#endif
