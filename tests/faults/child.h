/* What the programs of this folder do with other programs. All end the test, with a message, where that fails. */
#ifndef EW_TESTS_FAULTS_CHILD_H
#define EW_TESTS_FAULTS_CHILD_H

#include <sys/types.h>

void die(const char *what); /* with what errno says */
void shell(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
/* Exit status, or minus the signal; -SIGKILL: it did not end in so many seconds. */
int wait_for(pid_t pid, int seconds);

#endif
