/* Runs another program and collects what it prints. */
#ifndef EW_DEVICE_SPAWN_H
#define EW_DEVICE_SPAWN_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "base/error.h"

/* Runs argv[0], looked for in $PATH, with `stdin_path` as its input. *output (owned by the caller,
 * NUL-terminated) receives stdout and stderr together; *exit_code the program's, or 128 + the signal that
 * ended it. EW_FAIL if the program cannot be started; errno says why. Where this process handles SIGINT or SIGTERM, the program runs in a
 * process group of its own: signals to this one's group, as by Ctrl-C, do not reach it, and its work is finished. */
ew_status spawn_capture(char *const argv[], const char *stdin_path, char **output, int *exit_code,
                        ew_error *err);

/* Ends the programs that run in groups of their own, and what these have started. Signal handlers may call it. */
void spawn_end_all(void);

/* Of a process just begun: whether it will get `number` when its parent ends, however that comes about, so that nothing runs on behind a
 * program that was stopped. False: `parent` has ended already. Only what is allowed between fork and exec. */
bool spawn_ends_with(pid_t parent, int number);

/* A file as a word that a program takes for no option: `./-x` for `-x`, into `text` if it has to be another. */
const char *spawn_file(const char *path, char *text, size_t size);

#endif
