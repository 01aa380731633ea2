/* Runs a program and lets one of its calls to the system fail: those that concern files below a folder are counted. Linux alone:
 * seccomp's notifications. */
#ifndef FAULTS_WATCH_H
#define FAULTS_WATCH_H

#include <stdbool.h>
#include <sys/types.h>

typedef enum watch_fault {
  WATCH_ENOSPC, /* calls that need room fail from the given one on: the disk stays full */
  WATCH_EIO,    /* the given call fails */
  WATCH_EINTR,  /* the given call is interrupted, if it can be */
  WATCH_SHORT   /* the given call, if it writes, writes half */
} watch_fault;

typedef struct watch {
  const char *folder; /* absolute, ends with '/' */
  watch_fault fault;
  long at;       /* from 1; 0: none fails */
  long count;    /* calls so far */
  bool unlinked; /* the call that failed would have removed a file */
} watch;

/* Whether the system lets a program be watched. */
bool watch_possible(void);

/* In the child: the filter; *listener, in memory shared with the parent, becomes the descriptor of the notifications. 0, or -1. */
int watch_begin(volatile int *listener);

/* In the parent: answers the child's calls until it ends or the time [s] is over, when it is killed. Returns its wait status. */
int watch_child(watch *w, pid_t child, volatile int *listener, double seconds);

#endif
