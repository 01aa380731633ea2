/* What the checkpoint's writer and reader agree on. */
#ifndef EW_IO_CHECKPOINT_FORMAT_H
#define EW_IO_CHECKPOINT_FORMAT_H

#include <stdint.h>

#define CHECKPOINT_MAGIC      "EWCHKPT\n"
#define CHECKPOINT_VERSION    1u
#define CHECKPOINT_BYTE_ORDER 0x01020304u

typedef enum checkpoint_type { CHECKPOINT_REAL = 0, CHECKPOINT_INTEGER = 1 } checkpoint_type;

typedef struct checkpoint_start {
  char magic[8];
  uint32_t version, byte_order;
  uint64_t head_size; /* bytes between this struct and the head's CRC */
} checkpoint_start;

_Static_assert(sizeof(checkpoint_start) == 24, "the start of a checkpoint has no padding");

#endif
