/* Work in a process of its own: a driver that crashes or hangs ends it, and nothing else. */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/timing.h"
#include "device/spawn.h"
#include "tune/schedule_internal.h"

static bool put(int fd, const void *data, size_t size) {
  for (const char *at = data; size;) {
    const ssize_t n = send(fd, at, size, MSG_NOSIGNAL); /* whoever would read it may have ended */
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    at += n, size -= (size_t)n;
  }
  return true;
}

/* What the tuner does at a signal is not for its children: they, and the compilers that they start, end by it. */
static void forget_handlers(void) {
  static const int number[] = {SIGINT, SIGTERM, SIGALRM};
  for (size_t i = 0; i < sizeof number / sizeof *number; i++) signal(number[i], SIG_DFL);
}

static bool put_answer(int fd, ew_status status, const ew_error *err, const void *result, size_t size) {
  return put(fd, &status, sizeof status) && put(fd, err, sizeof *err) && put(fd, result, size);
}

/* What a child does; it returns when nothing more is asked. */
typedef bool child_life(void *data, int fd);

typedef struct single {
  tune_work *work;
  void *data, *result;
  size_t size;
} single;

static bool do_once(void *data, int fd) {
  const single *s = data;
  ew_error err = {0};
  const ew_status status = s->work(s->data, s->result, &err);
  return put_answer(fd, status, &err, s->result, s->size);
}

static bool take(int fd, void *data, size_t size) {
  for (char *at = data; size;) {
    const ssize_t n = read(fd, at, size);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    at += n, size -= (size_t)n;
  }
  return true;
}

static bool do_as_asked(void *data, int fd) {
  const tune_service *s = data;
  void *kept = NULL, *request = malloc(s->request_size), *result = malloc(s->result_size);
  if (!request || !result) return false;
  while (take(fd, request, s->request_size)) {
    ew_error err = {0};
    memset(result, 0, s->result_size);
    const ew_status status = s->answer(s->data, &kept, request, result, &err);
    if (!put_answer(fd, status, &err, result, s->result_size)) return false;
  }
  return true;
}

/* What became of waiting for a child. */
typedef enum answer { ANSWER_WHOLE, ANSWER_NONE, ANSWER_LATE, ANSWER_STOPPED } answer;

static bool asks_to_stop(const tune_patience *p) { return p->stop && *p->stop; }

/* ANSWER_NONE: the child has ended. */
static answer get(int fd, void *data, size_t size, double begun, const tune_patience *patience) {
  static const double SLICE = 0.1; /* s: a signal that comes just before poll() does not wake it */
  for (char *at = data; size;) {
    const double left = begun + patience->seconds - ew_seconds();
    struct pollfd p = {.fd = fd, .events = POLLIN};
    if (asks_to_stop(patience)) return ANSWER_STOPPED;
    if (left <= 0) return ANSWER_LATE;
    const int ready = poll(&p, 1, (int)(1e3 * (left < SLICE ? left : SLICE)) + 1);
    if (ready < 0 && errno != EINTR) return ANSWER_NONE;
    if (ready <= 0) continue;
    const ssize_t n = read(fd, at, size);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return asks_to_stop(patience) ? ANSWER_STOPPED : ANSWER_NONE; /* by the same signal */
    at += n, size -= (size_t)n;
  }
  return ANSWER_WHOLE;
}

static ew_status ended(pid_t pid, answer came, double patience, ew_error *err) {
  int how = 0;
  if (came != ANSWER_NONE) kill(pid, SIGKILL);
  while (waitpid(pid, &how, 0) < 0 && errno == EINTR) {
  }
  if (came == ANSWER_STOPPED) return ew_fail(err, EW_STOPPED, "stopped on request");
  if (came == ANSWER_LATE) return ew_fail(err, EW_DEVICE, "still at work after %.0f s: ended", patience);
  if (WIFSIGNALED(how)) return ew_fail(err, EW_DEVICE, "the process died: %s", strsignal(WTERMSIG(how)));
  return ew_fail(err, EW_DEVICE, "the process ended without a result, with status %d", WEXITSTATUS(how));
}

/* ---- in the parent ------------------------------------------------------------------------------------------------------- */

static ew_status begin(child_life *life, void *data, tune_process *out, ew_error *err) {
  int fd[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fd) != 0)
    return ew_fail(err, EW_FAIL, "no connection to another process: %s", strerror(errno));
  fflush(NULL);
  const double begun = ew_seconds();
  const pid_t parent = getpid(), pid = fork();
  if (pid == 0) {
    if (!spawn_ends_with(parent, SIGKILL)) _exit(1); /* which no driver holds back */
    forget_handlers();
    close(fd[0]);
    _exit(life(data, fd[1]) ? 0 : 1); /* drivers' own exit handlers are what hangs */
  }
  const int why = errno;
  close(fd[1]);
  *out = (tune_process){pid, fd[0], begun};
  if (pid > 0) return EW_OK;
  close(fd[0]);
  return ew_fail(err, EW_FAIL, "no other process can be started: %s", strerror(why));
}

static answer get_answer(const tune_process *p, const tune_patience *patience, void *result, size_t size,
                         ew_status *status, ew_error *theirs) {
  const struct {
    void *data;
    size_t size;
  } part[] = {{status, sizeof *status}, {theirs, sizeof *theirs}, {result, size}};
  answer came = ANSWER_WHOLE;
  for (size_t i = 0; came == ANSWER_WHOLE && i < sizeof part / sizeof *part; i++)
    came = get(p->fd, part[i].data, part[i].size, p->begun, patience);
  return came;
}

static void wait_for(pid_t pid) {
  while (waitpid(pid, NULL, 0) < 0 && errno == EINTR) {
  }
}

ew_status tune_process_start(tune_work *work, void *data, void *result, size_t size, tune_process *out,
                             ew_error *err) {
  single s = {work, data, result, size};
  return begin(do_once, &s, out, err);
}

ew_status tune_process_finish(tune_process p, tune_patience patience, void *result, size_t size,
                              ew_error *err) {
  ew_status status = EW_OK;
  ew_error theirs = {0};
  const answer came = get_answer(&p, &patience, result, size, &status, &theirs);
  close(p.fd);
  if (came != ANSWER_WHOLE) return ended(p.pid, came, patience.seconds, err);
  wait_for(p.pid);
  if (status != EW_OK && err) *err = theirs;
  return status;
}

ew_status tune_in_process(tune_work *work, void *data, tune_patience patience, void *result, size_t size,
                          ew_error *err) {
  tune_process p;
  const ew_status status = tune_process_start(work, data, result, size, &p, err);
  return status == EW_OK ? tune_process_finish(p, patience, result, size, err) : status;
}

/* ---- a process for several requests ---------------------------------------------------------------------------------- */

ew_status tune_ask(tune_worker *w, const tune_service *service, const void *request, tune_patience patience,
                   void *result, ew_error *err) {
  ew_status status = EW_OK;
  ew_error theirs = {0};
  if (!w->runs) status = begin(do_as_asked, (void *)service, &w->process, err);
  if (status != EW_OK) return status;
  w->runs = true;
  w->process.begun = ew_seconds();
  answer came = asks_to_stop(&patience) ? ANSWER_STOPPED : ANSWER_NONE;
  if (came == ANSWER_NONE && put(w->process.fd, request, service->request_size))
    came = get_answer(&w->process, &patience, result, service->result_size, &status, &theirs);
  if (came != ANSWER_WHOLE) {
    close(w->process.fd);
    w->runs = false;
    w->answered = 0;
    return ended(w->process.pid, came, patience.seconds, err);
  }
  w->answered++;
  if (status != EW_OK && err) *err = theirs;
  return status;
}

void tune_dismiss(tune_worker *w) {
  if (!w->runs) return;
  close(w->process.fd);
  kill(w->process.pid, SIGKILL); /* a driver may hang at its end */
  wait_for(w->process.pid);
  *w = (tune_worker){0};
}
