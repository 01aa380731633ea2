/* The checkpoints in a run's output folder: the newest, checkpoint.ew, and the one before, checkpoint.old.ew. Internal to the runtime. */
#ifndef EW_RUN_KEEP_H
#define EW_RUN_KEEP_H

#include "output/output.h"

/* Takes the run to the checkpoint that the options name, else to the newest that can be read; a damaged one is named in the messages.
 * `path` receives which. EW_CHECKPOINT: there is none, it belongs to another case, or lies behind the end that the case asks for. */
ew_status exec_keep_resume(exec_run *run, const exec_options *options, char *path, size_t size,
                           exec_resumed *resumed, ew_error *err);

/* Once the files that belong to the present state are complete, saves it as the newest. */
ew_status exec_keep_save(exec_run *run, exec_output *output, char *path, size_t size, ew_error *err);

/* A run that begins anew must not be resumed from what an earlier one left: the newest becomes checkpoint.previous.ew, which
 * `resume --checkpoint` still takes, the one before goes. */
ew_status exec_keep_retire(const ew_case *c, ew_error *err);

#endif
