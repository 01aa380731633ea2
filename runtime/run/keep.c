#include "run/keep.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "case/paths.h"

static const char NEWEST[] = "checkpoint.ew", BEFORE[] = "checkpoint.old.ew",
                  PREVIOUS[] = "checkpoint.previous.ew", DAMAGED[] = "checkpoint.damaged.ew",
                  RECORD[] = "run.json", RECORD_BEFORE[] = "run.previous.json";

/* ---- resuming -------------------------------------------------------------------------------------------------------- */

/* It must not take the place of the good one before when the next is saved. */
static void put_away(const ew_case *c, const char *path) {
  char damaged[EW_PATH];
  exec_output_file(c, DAMAGED, damaged, sizeof damaged);
  rename(path, damaged);
}

/* The older one is tried where the newest is missing, which a kill may have left so, or damaged. */
static ew_status read_newest(exec_run *run, FILE *messages, char *path, size_t size, exec_resumed *resumed,
                             ew_error *err) {
  char before[EW_PATH];
  ew_error other = {0};
  exec_output_file(run->c, NEWEST, path, size);
  exec_output_file(run->c, BEFORE, before, sizeof before);
  bool newest = access(path, F_OK) == 0, old = access(before, F_OK) == 0;
  if (!newest && !old)
    return ew_fail(err, EW_CHECKPOINT,
                   "there is nothing to resume: %s does not exist\n  a run leaves a checkpoint when it is "
                   "stopped, and every `output.checkpoint` seconds where that is set; one that ends by "
                   "itself, at `stop` or after `steps`, leaves no other",
                   path);
  ew_status status = newest ? exec_checkpoint_read(run, path, resumed, err) : EW_CHECKPOINT;
  if (status == EW_FAIL) return status; /* no fault of the file's: memory ran out */
  if ((newest && status == EW_OK) || resumed->readable || !old) return status;
  if (newest && exec_checkpoint_read(run, before, resumed, &other) != EW_OK && !resumed->readable)
    return status; /* neither can be read: the newest one's fault is what counts */
  if (!newest) exec_checkpoint_read(run, before, resumed, &other);
  if (newest && messages)
    fprintf(messages, "warning: %s\n  the one before is taken: %s\n", err->text, before);
  if (newest) put_away(run->c, path);
  snprintf(path, size, "%s", before);
  return other.status == EW_OK ? EW_OK : ew_fail(err, other.status, "%s", other.text);
}

static ew_status check_end(const exec_run *run, const char *path, ew_error *err) {
  const ew_case *c = run->c;
  if (c->time.stop > 0 && exec_time(run) > c->time.stop)
    return ew_fail(err, EW_CHECKPOINT,
                   "the checkpoint '%s' lies behind the end of this run\n  checkpoint: t = %.9g\n"
                   "  this run:   stops at t = %.9g",
                   path, exec_time(run), c->time.stop);
  if (c->time.max_steps > 0 && exec_steps(run) > c->time.max_steps)
    return ew_fail(err, EW_CHECKPOINT,
                   "the checkpoint '%s' lies behind the end of this run\n  checkpoint: step %lld\n"
                   "  this run:   stops after step %lld",
                   path, (long long)exec_steps(run), (long long)c->time.max_steps);
  return EW_OK;
}

bool exec_has_checkpoint(const ew_case *c) {
  char newest[EW_PATH], before[EW_PATH];
  exec_output_file(c, NEWEST, newest, sizeof newest);
  exec_output_file(c, BEFORE, before, sizeof before);
  return access(newest, F_OK) == 0 || access(before, F_OK) == 0;
}

ew_status exec_keep_resume(exec_run *run, const exec_options *options, char *path, size_t size,
                           exec_resumed *resumed, ew_error *err) {
  ew_status status = EW_OK;
  FILE *messages = options->messages;
  *resumed = (exec_resumed){.force = options->force};
  if (options->checkpoint) {
    snprintf(path, size, "%s", options->checkpoint);
    EW_CHECK(exec_checkpoint_read(run, path, resumed, err));
  } else EW_CHECK(read_newest(run, messages, path, size, resumed, err));
  EW_CHECK(check_end(run, path, err));
  if (resumed->differences && *resumed->differences && messages)
    fprintf(messages, "warning: forced: the checkpoint '%s' belongs to another case:%s\n", path,
            resumed->differences);
  if (resumed->lacks && messages)
    fprintf(
        messages,
        "warning: the checkpoint '%s' does not hold '%s': until the next step is made, what is shown of the "
        "start of the last one (X.prev) is that of the first\n",
        path, resumed->lacks);
  if (resumed->changes && *resumed->changes && messages)
    fprintf(messages, "warning: from the checkpoint '%s' on outputs show something else:%s\n", path,
            resumed->changes);
  if (resumed->knows_no_times && messages)
    fprintf(
        messages,
        "warning: the checkpoint '%s' is of an earlier version, which did not note the rows of series and "
        "what functions of time give behind it: whether they are the same is not known\n",
        path);
  if (messages && !options->quiet)
    fprintf(messages, "resumed from %s at t = %.6g s, step %lld\n", path, exec_time(run),
            (long long)exec_steps(run));
cleanup:
  return status;
}

/* ---- saving ---------------------------------------------------------------------------------------------------------- */

ew_status exec_keep_save(exec_run *run, exec_output *output, char *path, size_t size, ew_error *err) {
  ew_status status = EW_OK;
  char before[EW_PATH];
  exec_output_file(run->c, NEWEST, path, size);
  exec_output_file(run->c, BEFORE, before, sizeof before);
  EW_CHECK(exec_output_mark(output, err));
  EW_CHECK(exec_checkpoint_write(run, path, before, err));
cleanup:
  return status;
}

static ew_status retire(const ew_case *c, const char *name, const char *to, ew_error *err) {
  char path[EW_PATH], previous[EW_PATH];
  exec_output_file(c, name, path, sizeof path);
  exec_output_file(c, to, previous, sizeof previous);
  if (rename(path, previous) == 0 || errno == ENOENT) return EW_OK;
  return ew_fail(err, EW_IO, "cannot rename '%s': %s", path, strerror(errno));
}

ew_status exec_keep_retire(const ew_case *c, ew_error *err) {
  ew_status status = EW_OK;
  char path[EW_PATH];
  EW_CHECK(retire(c, NEWEST, PREVIOUS, err));
  EW_CHECK(retire(c, RECORD, RECORD_BEFORE, err));
  exec_output_file(c, BEFORE, path, sizeof path);
  if (unlink(path) != 0 && errno != ENOENT)
    EXEC_LEAVE(err, EW_IO, "cannot remove '%s': %s", path, strerror(errno));
cleanup:
  return status;
}
