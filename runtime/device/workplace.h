/* A folder among the temporary files in which one program is built. It is locked as long as it is in use, so that folders which killed
 * programs left behind can be told, and go when the next one is opened. */
#ifndef EW_DEVICE_WORKPLACE_H
#define EW_DEVICE_WORKPLACE_H

#include <limits.h>

#include "base/error.h"

typedef struct workplace {
  char dir[PATH_MAX], source[PATH_MAX + 16], object[PATH_MAX + 16];
  int lock;
} workplace;

/* EW_IO where $TMPDIR (or /tmp) cannot be written. */
ew_status workplace_open(workplace *w, ew_error *err);
/* Also of one that could not be opened. */
void workplace_close(workplace *w);

#endif
