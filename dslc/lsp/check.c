#include "lsp/check.h"
#include "base/memory_text.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MOST_SECONDS = 60, MORE_SECONDS = 10, LARGEST_SAID = 1 << 28 };

/* ---- in the process of the check ---------------------------------------------------------------------------------- */

static void say(int to, char kind, const char *text) {
  size_t n = strlen(text);
  char head[32];
  int h = snprintf(head, sizeof head, "%c%zu\n", kind, n);
  const char *part[2] = {head, text};
  const size_t size[2] = {(size_t)h, n};
  for (int i = 0; i < 2; i++)
    for (size_t done = 0; done < size[i];) {
      ssize_t k = write(to, part[i] + done, size[i] - done);
      if (k < 0 && errno != EINTR) return;
      if (k > 0) done += (size_t)k;
    }
}

static int say_messages(int to, const dslc_options *o) {
  dslc_options checked = *o;
  dslc_messages *m = NULL;
  memory_text said;
  checked.check_only = checked.quick = true;
  int status = dslc_compile(&checked, NULL, &m);
  FILE *f = memory_text_open(&said);
  if (f) dslc_messages_print_json(m, f);
  char *text = memory_text_close(&said);
  if (!text) return 1;
  say(to, 'M', text);
  return status;
}

static void say_facts(int to, const dslc_options *o) {
  dslc_program *p = NULL;
  dslc_messages *m = NULL;
  if (dslc_compile(o, &p, &m) != 0) return;
  char *text = facts_text(p);
  if (text) say(to, 'F', text);
}

/* What equations cost is worth less time than what is wrong. */
static void limit_facts(void) {
  struct rusage used;
  getrusage(RUSAGE_SELF, &used);
  rlim_t end = (rlim_t)used.ru_utime.tv_sec + (rlim_t)used.ru_stime.tv_sec + MORE_SECONDS;
  setrlimit(RLIMIT_CPU, &(struct rlimit){end, end});
}

/* It neither reads nor writes what the editor's connection is. What it allocates goes with it, and it goes with the server. */
static void run(int to, pid_t server, const dslc_options *o) {
  int nowhere = open("/dev/null", O_RDWR);
  const struct rlimit most = {MOST_SECONDS, MOST_SECONDS};
  if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0 || getppid() != server) return;
  if (nowhere >= 0) dup2(nowhere, 0), dup2(nowhere, 1);
  setrlimit(RLIMIT_CPU, &most);
  setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
  if (nice(5) == -1) errno = 0;
  if (say_messages(to, o) != 0) return;
  limit_facts();
  say_facts(to, o);
}

/* ---- in the server ------------------------------------------------------------------------------------------------- */

bool check_start(check *c, const dslc_options *o) {
  int ends[2];
  check_stop(c);
  if (pipe2(ends, O_CLOEXEC) != 0) return false;
  const pid_t server = getpid(), process = fork();
  if (process == 0) {
    close(ends[0]);
    run(ends[1], server, o);
    _exit(0); /* what the server has open is not this process's to close */
  }
  close(ends[1]);
  if (process < 0) {
    close(ends[0]);
    return false;
  }
  fcntl(ends[0], F_SETFL, O_NONBLOCK);
  c->process = process;
  c->from = ends[0];
  return true;
}

static int wait_for(pid_t process) {
  int status = 0;
  while (waitpid(process, &status, 0) < 0 && errno == EINTR) continue;
  return WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}

/* Those that are gone; and if there are too many others, the oldest once it is. */
static void bury(check *c) {
  int n = 0;
  for (int i = 0; i < c->n_dying; i++)
    if (waitpid(c->dying[i], NULL, WNOHANG) == 0) c->dying[n++] = c->dying[i];
  c->n_dying = n;
  if (n < MOST_DYING) return;
  wait_for(c->dying[0]);
  memmove(c->dying, c->dying + 1, sizeof *c->dying * (size_t)--c->n_dying);
}

void check_stop(check *c) {
  if (c->process) {
    kill(c->process, SIGKILL);
    close(c->from);
    bury(c);
    c->dying[c->n_dying++] = c->process;
    c->process = 0;
  }
  free(c->said);
  c->said = NULL;
  c->size = c->room = c->taken = 0;
}

void check_free(check *c) {
  check_stop(c);
  while (c->n_dying > 0) wait_for(c->dying[--c->n_dying]);
}

static bool make_room(check *c) {
  if (c->room - c->size > 1 << 12) return true;
  size_t room = c->room ? 2 * c->room : 1 << 16;
  char *bigger = room <= LARGEST_SAID ? realloc(c->said, room) : NULL;
  if (!bigger) return false;
  c->said = bigger;
  c->room = room;
  return true;
}

bool check_read(check *c, int *signal) {
  *signal = 0;
  for (;;) {
    ssize_t n = make_room(c) ? read(c->from, c->said + c->size, c->room - c->size - 1) : 0;
    if (n < 0 && errno == EINTR) continue;
    if (n < 0 && errno == EAGAIN) return true;
    if (n <= 0) break;
    c->size += (size_t)n;
  }
  if (c->said) c->said[c->size] = '\0';
  close(c->from);
  *signal = wait_for(c->process);
  c->process = 0;
  return false;
}

const char *check_part(check *c, char *kind) {
  char *end;
  if (!c->said || c->taken >= c->size) return NULL;
  char *line = memchr(c->said + c->taken, '\n', c->size - c->taken);
  if (!line) return NULL;
  size_t n = strtoul(c->said + c->taken + 1, &end, 10);
  size_t first = (size_t)(line - c->said) + 1;
  if (end != line || c->size - first < n) return NULL;
  *kind = c->said[c->taken];
  c->taken = first + n;
  memmove(c->said + first - 1, c->said + first, n); /* so that the text can end where the next part begins */
  c->said[first - 1 + n] = '\0';
  return c->said + first - 1;
}
