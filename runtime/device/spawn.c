#include "device/spawn.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
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

static int start(char *const argv[], const char *stdin_path, int output, pid_t *pid) {
  posix_spawn_file_actions_t actions;
  int code = posix_spawn_file_actions_init(&actions);
  if (code) return code;
  code = posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, stdin_path, O_RDONLY, 0);
  if (!code) code = posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
  if (!code) code = posix_spawn_file_actions_adddup2(&actions, output, STDERR_FILENO);
  if (!code) code = posix_spawnp(pid, argv[0], &actions, NULL, argv, environ);
  posix_spawn_file_actions_destroy(&actions);
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
    return ew_fail(err, EW_FAIL, "cannot start '%s': %s", argv[0], strerror(code));
  }
  *output = read_to_end(ends[0]);
  close(ends[0]);
  *exit_code = wait_for(pid);
  return *output ? EW_OK : ew_fail(err, EW_FAIL, "out of memory reading the output of '%s'", argv[0]);
}
