#include "device/spawn.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

/* Reads to the end; NULL if memory runs out. */
static char *read_to_end(int fd) {
  size_t size = 0, capacity = 4096;
  char *text = malloc(capacity);
  while (text) {
    ssize_t got = read(fd, text + size, capacity - size - 1);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) break;
    size += (size_t)got;
    if (capacity - size > 1) continue;
    char *larger = realloc(text, capacity *= 2);
    if (!larger) free(text);
    text = larger;
  }
  if (text) text[size] = '\0';
  return text;
}

static int wait_for(pid_t pid) {
  int state = 0;
  while (waitpid(pid, &state, 0) < 0)
    if (errno != EINTR) return 127;
  return WIFEXITED(state) ? WEXITSTATUS(state) : 128 + WTERMSIG(state);
}

bool spawn_ends_with(pid_t parent, int number) {
  return prctl(PR_SET_PDEATHSIG, number) == 0 && getppid() == parent;
}

/* ---- groups of their own --------------------------------------------------------------------------------------------- */

enum { MOST_GROUPS = 128 }; /* more than there are threads that start programs */

/* Those that run: a signal's handler has no other way to know them. 0: none. */
static _Atomic pid_t groups[MOST_GROUPS];

/* What the terminal or a queue sends to the whole group is then for this process to decide upon. */
static bool handles(int number) {
  struct sigaction now;
  return sigaction(number, NULL, &now) == 0 && now.sa_handler != SIG_DFL && now.sa_handler != SIG_IGN;
}

static void keep_group(pid_t pid) {
  for (int i = 0; i < MOST_GROUPS; i++) {
    pid_t none = 0;
    if (atomic_compare_exchange_strong(&groups[i], &none, pid)) return;
  }
}

static void forget_group(pid_t pid) {
  for (int i = 0; i < MOST_GROUPS; i++) {
    pid_t is = pid;
    if (atomic_compare_exchange_strong(&groups[i], &is, 0)) return;
  }
}

void spawn_end_all(void) {
  for (int i = 0; i < MOST_GROUPS; i++) {
    const pid_t pid = atomic_load(&groups[i]);
    if (pid > 0) kill(-pid, SIGTERM);
  }
}

/* ---- a program --------------------------------------------------------------------------------------------------------- */

/* In the child: only what is allowed between fork and exec. Does not return; what went wrong goes to `report`. */
static void become(char *const argv[], const char *stdin_path, int output, pid_t parent, int report) {
  if (handles(SIGINT) || handles(SIGTERM)) setpgid(0, 0);
  const int input = open(stdin_path, O_RDONLY);
  if (spawn_ends_with(parent, SIGTERM) && input >= 0 && dup2(input, STDIN_FILENO) >= 0 &&
      dup2(output, STDOUT_FILENO) >= 0 && dup2(output, STDERR_FILENO) >= 0)
    execvp(argv[0], argv);
  const int code = errno;
  if (write(report, &code, sizeof code) < 0) _exit(126);
  _exit(127);
}

/* 0, or the errno of what failed: a pipe that closes when the program begins tells. */
static int start(char *const argv[], const char *stdin_path, int output, pid_t *pid) {
  int report[2], code = 0;
  const pid_t parent = getpid();
  if (pipe2(report, O_CLOEXEC) != 0) return errno;
  *pid = fork();
  if (*pid == 0) become(argv, stdin_path, output, parent, report[1]);
  if (*pid < 0) code = errno;
  close(report[1]);
  while (*pid > 0 && read(report[0], &code, sizeof code) < 0 && errno == EINTR) continue;
  close(report[0]);
  if (code && *pid > 0) wait_for(*pid);
  return code;
}

ew_status spawn_capture(char *const argv[], const char *stdin_path, char **output, int *exit_code,
                        ew_error *err) {
  int ends[2];
  pid_t pid = 0;
  if (pipe2(ends, O_CLOEXEC) != 0)
    return ew_fail(err, EW_FAIL, "cannot start '%s': %s", argv[0], strerror(errno));
  int code = start(argv, stdin_path, ends[1], &pid);
  close(ends[1]); /* the child's copy is the last one, so its end is our end of file */
  if (code) {
    close(ends[0]);
    ew_fail(err, EW_FAIL, "cannot start '%s': %s", argv[0], strerror(code));
    errno = code;
    return EW_FAIL;
  }
  const bool apart = getpgid(pid) == pid;
  if (apart) keep_group(pid);
  *output = read_to_end(ends[0]);
  close(ends[0]);
  if (apart) forget_group(pid); /* before its number may be another's */
  *exit_code = wait_for(pid);
  return *output ? EW_OK : ew_fail(err, EW_FAIL, "out of memory reading the output of '%s'", argv[0]);
}

const char *spawn_file(const char *path, char *text, size_t size) {
  if (*path != '-') return path;
  snprintf(text, size, "./%s", path);
  return text;
}
