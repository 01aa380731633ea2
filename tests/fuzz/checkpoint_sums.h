/* Checkpoints that were changed get sums that fit, as far as their bytes can be read: else each would end there. */
#ifndef CHECKPOINT_SUMS_H
#define CHECKPOINT_SUMS_H

#include <stddef.h>
#include <stdint.h>

void checkpoint_mend_sums(uint8_t *bytes, size_t size);

#endif
