/* Checkpoints: labels (name = text: hashes, precision, version) and named arrays, each with a CRC-32.
 *
 * File (integers of the writer's byte order, which the fourth word tells):
 *   8 bytes "EWCHKPT\n", u32 version, u32 0x01020304, u64 size of the head,
 *   head: u32 number of labels, {text name, text value}, u32 number of arrays, {text name, u32 type, u64
 * count, u32 crc} with text = u32 length, bytes, u32 crc of all before, then the arrays' bytes in the order
 * of the head, and nothing after. Written atomically and synced. Every fault of a file that is read is
 * EW_CHECKPOINT with the path, what was found and what was expected; a file that cannot be opened is EW_IO.
 */
#ifndef EW_IO_CHECKPOINT_H
#define EW_IO_CHECKPOINT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

typedef struct checkpoint_label {
  const char *name, *value;
} checkpoint_label;

/* One of `real` and `integer` is set, or both NULL with count 0. */
typedef struct checkpoint_array {
  const char *name;
  size_t count;
  const double *real;
  const int32_t *integer;
} checkpoint_array;

typedef struct checkpoint_content {
  const checkpoint_label *label;
  size_t n_labels;
  const checkpoint_array *array;
  size_t n_arrays;
} checkpoint_content;

/* With `before`, the file that stands at `path` takes that name, replacing the one there - once the new one is complete on the disk, so
 * that at every moment one good checkpoint has one of the two names. NULL: it is replaced. */
ew_status checkpoint_write(const char *path, const char *before, const checkpoint_content *c, ew_error *err);

/* A checkpoint that was read and verified. */
typedef struct checkpoint checkpoint;

ew_status checkpoint_read(checkpoint **out, const char *path, ew_error *err);
void checkpoint_destroy(checkpoint **c);

/* The value of a label, owned by the checkpoint, or NULL. */
const char *checkpoint_text(const checkpoint *c, const char *name);

/* Its labels in the order of the file; false beyond the last. */
bool checkpoint_label_at(const checkpoint *c, size_t i, checkpoint_label *out);
/* How many values the array has; 0 if there is none. */
size_t checkpoint_count(const checkpoint *c, const char *name);

/* Refuses the checkpoint unless it has the label with that value; the message shows both. */
ew_status checkpoint_require(const checkpoint *c, const char *name, const char *expected, ew_error *err);

/* Copies the array `name`, which must have `count` values of that type. */
ew_status checkpoint_reals(const checkpoint *c, const char *name, double *to, size_t count, ew_error *err);
ew_status checkpoint_integers(const checkpoint *c, const char *name, int32_t *to, size_t count,
                              ew_error *err);

#endif
