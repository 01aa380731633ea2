/* One run a folder: a locked file, run.lock, in the output folder, which goes with the run. The lock is the system's (flock), so that it
 * ends with the process however that ends; what is written in the file is only said to who comes second. */
#ifndef EW_RUN_LOCK_H
#define EW_RUN_LOCK_H

#include <stdio.h>

#include "base/error.h"

typedef struct exec_lock {
  char *path; /* NULL: nothing is locked */
  int fd;
} exec_lock;

/* EW_BUSY: another run has the folder; the message says which process, on which machine, since when. Where the file system knows no
 * locks, a warning goes to `messages` (or NULL), and the run goes on without. Where that process is gone, what it had begun is waited for, some two
 * seconds. */
ew_status exec_lock_take(const char *folder, FILE *messages, exec_lock *out, ew_error *err);
void exec_lock_release(exec_lock *lock);

#endif
