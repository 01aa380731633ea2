/* Work in a process of its own: a driver that crashes or hangs ends it, and nothing else. */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/timing.h"
#include "device/spawn.h"
#include "tune/schedule_internal.h"

static bool put(int fd, const void *data, size_t size) {
  for (const char *at = data; size;) {
    const ssize_t n = write(fd, at, size);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    at += n, size -= (size_t)n;
  }
  return true;
}

static void child(tune_work *work, void *data, int fd, void *result, size_t size) {
  ew_error err = {0};
  const ew_status status = work(data, result, &err);
  const bool sent = put(fd, &status, sizeof status) && put(fd, &err, sizeof err) && put(fd, result, size);
  _exit(sent ? 0 : 1); /* drivers' own exit handlers are what hangs */
}

/* False: no more came before the time was up, or the child has ended. */
static bool get(int fd, void *data, size_t size, double until, bool *late) {
  for (char *at = data; size;) {
    const double left = until - ew_seconds();
    struct pollfd p = {.fd = fd, .events = POLLIN};
    if (left <= 0) return *late = true, false;
    const int ready = poll(&p, 1, left > 1e6 ? 1000000000 : (int)(left * 1e3) + 1);
    if (ready < 0 && errno != EINTR) return false;
    if (ready <= 0) continue;
    const ssize_t n = read(fd, at, size);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    at += n, size -= (size_t)n;
  }
  return true;
}

static ew_status ended(pid_t pid, bool late, double patience, ew_error *err) {
  int how = 0;
  if (late) kill(pid, SIGKILL);
  while (waitpid(pid, &how, 0) < 0 && errno == EINTR) {
  }
  if (late) return ew_fail(err, EW_DEVICE, "still at work after %.0f s: ended", patience);
  if (WIFSIGNALED(how)) return ew_fail(err, EW_DEVICE, "the process died: %s", strsignal(WTERMSIG(how)));
  return ew_fail(err, EW_DEVICE, "the process ended without a result, with status %d", WEXITSTATUS(how));
}

ew_status tune_process_start(tune_work *work, void *data, void *result, size_t size, tune_process *out,
                             ew_error *err) {
  int fd[2];
  if (pipe(fd) != 0) return ew_fail(err, EW_FAIL, "no pipe to another process: %s", strerror(errno));
  fflush(NULL);
  const double begun = ew_seconds();
  const pid_t parent = getpid(), pid = fork();
  if (pid == 0) {
    if (!spawn_ends_with(parent, SIGKILL)) _exit(1); /* which no driver holds back */
    close(fd[0]);
    child(work, data, fd[1], result, size);
  }
  const int why = errno;
  close(fd[1]);
  *out = (tune_process){pid, fd[0], begun};
  if (pid > 0) return EW_OK;
  close(fd[0]);
  return ew_fail(err, EW_FAIL, "no other process can be started: %s", strerror(why));
}

ew_status tune_process_finish(tune_process p, double until, void *result, size_t size, ew_error *err) {
  bool late = false;
  ew_status status = EW_OK;
  ew_error theirs = {0};
  const bool whole = get(p.fd, &status, sizeof status, until, &late) &&
                     get(p.fd, &theirs, sizeof theirs, until, &late) && get(p.fd, result, size, until, &late);
  close(p.fd);
  if (!whole) return ended(p.pid, late, until - p.begun, err);
  while (waitpid(p.pid, NULL, 0) < 0 && errno == EINTR) {
  }
  if (status != EW_OK && err) *err = theirs;
  return status;
}

ew_status tune_in_process(tune_work *work, void *data, double patience, void *result, size_t size,
                          ew_error *err) {
  tune_process p;
  const ew_status status = tune_process_start(work, data, result, size, &p, err);
  return status == EW_OK ? tune_process_finish(p, p.begun + patience, result, size, err) : status;
}
