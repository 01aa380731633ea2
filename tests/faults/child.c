#include "child.h"

#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

void die(const char *what) {
  perror(what);
  exit(1);
}

void shell(const char *fmt, ...) {
  char text[6 * PATH_MAX];
  va_list ap;
  va_start(ap, fmt);
  vsnprintf(text, sizeof text, fmt, ap);
  va_end(ap);
  if (system(text) != 0) {
    fprintf(stderr, "failed: %s\n", text);
    exit(1);
  }
}

int wait_for(pid_t pid, int seconds) {
  int state;
  for (long i = 0; i < seconds * 500L; i++) {
    pid_t ended = waitpid(pid, &state, WNOHANG);
    if (ended == pid) return WIFEXITED(state) ? WEXITSTATUS(state) : -WTERMSIG(state);
    if (ended < 0) die("waitpid");
    usleep(2000);
  }
  kill(pid, SIGKILL);
  if (waitpid(pid, &state, 0) != pid) die("waitpid");
  return -SIGKILL;
}
