/* Multigrid's hierarchy made on the device, for devices with wide work-groups: the host's part is to queue kernels and to make room.
 * Internal to runtime/csr.
 *
 * Levels are those of hierarchy.h but for their aggregates: the host goes through rows in their order, which is the best packing and one
 * row after the other. Here aggregates are founded by rows at least three couplings apart, all at once, by ranks as if by chance (Bell,
 * Dalton, Olson, SIAM J. Sci. Comput. 34 (2012) C123-C152); that alone packs loosely and costs two iterations in ten, so that a second
 * pass founds more where two in five of a row's couplings are left (after Kelley, Rajamanickam, arXiv:2204.02934). Ranks that
 * follow the rows' order pack as the host does, in hundreds of rounds instead of eight; they were tried, and dropped.
 * Bits   The same on every device and in every run. */
#ifndef EW_CSR_SETUP_H
#define EW_CSR_SETUP_H

#include "csr/device_rows.h"

typedef struct setup_level {
  mg_device_matrix matrix; /* of the finest level: the caller's, unless it is scaled */
  mg_device_rows
      own; /* what `matrix` shows on coarser levels; of a finest one that is scaled the values alone */
  dev_buffer *diagonal; /* the same */
  dev_buffer
      *reach; /* of each entry: its column if it interpolates, else less than 0, INT32_MIN where it is 0 */
  dev_buffer *aggregate;                      /* of each row, or -1 */
  mg_device_rows prolong, restrict_, product; /* P, P', A P; none on the last level */
  dev_buffer *from;                           /* the entry of P that an entry of P' is */
} setup_level;

typedef struct setup {
  mg_device *device;
  int n_levels;
  setup_level level[MG_MOST_LEVELS];
  dev_buffer *scaling; /* v of the finest level, or NULL: ones */
  double scale;        /* see cycle_parts */
} setup;

/* Whether the device's set-up is this one; else it is the host's. */
bool setup_serves(const dev_context *device);

/* `group_bits`: cycle_group_bits, or for tests another. */
ew_status setup_create(dev_context *device, int group_bits, setup **out, ew_error *err);
void setup_destroy(setup **s);

/* Levels for the matrix's values of now, which they do not outlive. */
ew_status setup_make(setup *s, const csr_matrix *matrix, ew_error *err);

/* The same aggregates and patterns with values of now: what setup_make would give with them. *kept false: an entry is not 0 any more
 * where the pattern was made without it, and levels have to be made anew. */
ew_status setup_refresh(setup *s, const csr_matrix *matrix, bool *kept, ew_error *err);

/* The levels as the cycle takes them, and their values, into parts that are there. */
ew_status setup_parts(setup *s, cycle_parts *out, ew_error *err);
ew_status setup_values(setup *s, cycle_parts *parts, ew_error *err);

#endif
