#include "watch.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* ---- which calls ------------------------------------------------------------------------------------------------------------ */

typedef enum object { OF_FD, OF_PATH, OF_PATH_AT } object;

typedef struct call {
  int number;
  object of;
  bool needs_room, interruptible, writes, removes;
} call;

static const call CALL[] = {
    {SYS_openat, OF_PATH_AT, true, true, false, false},
    {SYS_read, OF_FD, false, true, false, false},
    {SYS_write, OF_FD, true, true, true, false},
    {SYS_pread64, OF_FD, false, true, false, false},
    {SYS_pwrite64, OF_FD, true, true, true, false},
    {SYS_close, OF_FD, false, false, false, false},
    {SYS_fsync, OF_FD, true, true, false, false},
    {SYS_fdatasync, OF_FD, true, true, false, false},
    {SYS_ftruncate, OF_FD, true, true, false, false},
    {SYS_lseek, OF_FD, false, false, false, false},
    {SYS_renameat2, OF_PATH_AT, true, false, false, false},
    {SYS_renameat, OF_PATH_AT, true, false, false, false},
    {SYS_unlinkat, OF_PATH_AT, false, false, false, true},
    {SYS_mkdirat, OF_PATH_AT, true, false, false, false},
#ifdef SYS_open
    {SYS_open, OF_PATH, true, true, false, false},
    {SYS_rename, OF_PATH, true, false, false, false},
    {SYS_unlink, OF_PATH, false, false, false, true},
    {SYS_mkdir, OF_PATH, true, false, false, false},
#endif
};
enum { WATCH_TAKEN = -2 };
enum { N_CALLS = sizeof CALL / sizeof *CALL };

/* ---- in the child ------------------------------------------------------------------------------------------------------------- */

int watch_begin(volatile int *listener) {
  struct sock_filter code[N_CALLS + 3] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr))};
  for (int i = 0; i < N_CALLS; i++) /* to the last statement, if it is this one */
    code[i + 1] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)CALL[i].number,
                                               (uint8_t)(N_CALLS - i), 0);
  code[N_CALLS + 1] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
  code[N_CALLS + 2] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_USER_NOTIF);
  struct sock_fprog program = {N_CALLS + 3, code};
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return -1;
  *listener = (int)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_NEW_LISTENER, &program);
  if (*listener < 0) return -1;
  while (*listener != WATCH_TAKEN)
    usleep(50); /* it closes when the program begins: the parent has its own by then */
  return 0;
}

/* ---- in the parent ---------------------------------------------------------------------------------------------------------- */

static int take_descriptor(pid_t pid, int fd) {
  int process = (int)syscall(SYS_pidfd_open, pid, 0);
  if (process < 0) return -1;
  int mine = (int)syscall(SYS_pidfd_getfd, process, fd, 0);
  close(process);
  return mine;
}

/* The process that a thread belongs to. */
static pid_t process_of(pid_t thread) {
  char name[64], line[128];
  int pid = thread;
  snprintf(name, sizeof name, "/proc/%d/status", (int)thread);
  FILE *f = fopen(name, "r");
  while (f && fgets(line, sizeof line, f))
    if (sscanf(line, "Tgid: %d", &pid) == 1) break;
  if (f) fclose(f);
  return pid;
}

static ssize_t peek(pid_t pid, uint64_t at, void *to, size_t n) {
  char name[64];
  snprintf(name, sizeof name, "/proc/%d/mem", (int)pid);
  int fd = open(name, O_RDONLY | O_CLOEXEC);
  ssize_t got = fd < 0 ? -1 : pread(fd, to, n, (off_t)at);
  if (fd >= 0) close(fd);
  return got;
}

static const call *find(int number) {
  for (int i = 0; i < N_CALLS; i++)
    if (CALL[i].number == number) return &CALL[i];
  return NULL;
}

/* Relative names count: programs are started in a folder below. */
static bool concerns(const watch *w, const call *c, const struct seccomp_notif *r) {
  char link[64], path[PATH_MAX] = "";
  if (c->of == OF_FD) {
    snprintf(link, sizeof link, "/proc/%d/fd/%d", (int)r->pid, (int)r->data.args[0]);
    if (readlink(link, path, sizeof path - 1) < 0) return false;
  } else {
    uint64_t at = r->data.args[c->of == OF_PATH_AT];
    for (size_t n = 0; n + 256 < sizeof path && !memchr(path, '\0', n); n += 256)
      if (peek((pid_t)r->pid, at + n, path + n, 256) <= 0) break;
    if (path[0] && path[0] != '/') return true;
  }
  return strncmp(path, w->folder, strlen(w->folder)) == 0;
}

/* What a disk that is full refuses: opening only where it creates. */
static bool has_no_room(const call *c, const struct seccomp_notif *r) {
  bool opens = c->of != OF_FD && c->interruptible;
  return c->needs_room && (!opens || (r->data.args[1 + (c->of == OF_PATH_AT)] & O_CREAT));
}

/* Half of what is to be written, in the child's place: how much it was. */
static ssize_t write_half(const struct seccomp_notif *r) {
  size_t n = (size_t)r->data.args[2] / 2;
  char *bytes = malloc(n + 1);
  int fd = take_descriptor(process_of((pid_t)r->pid), (int)r->data.args[0]);
  ssize_t done = -1;
  if (bytes && fd >= 0 && n > 0 && peek((pid_t)r->pid, r->data.args[1], bytes, n) == (ssize_t)n)
    done = r->data.nr == SYS_write ? write(fd, bytes, n) : pwrite(fd, bytes, n, (off_t)r->data.args[3]);
  if (fd >= 0) close(fd);
  free(bytes);
  return done;
}

static void answer(watch *w, const struct seccomp_notif *r, struct seccomp_notif_resp *a) {
  const call *c = find(r->data.nr);
  *a = (struct seccomp_notif_resp){.id = r->id, .flags = SECCOMP_USER_NOTIF_FLAG_CONTINUE};
  if (!c || !concerns(w, c, r)) return;
  long n = ++w->count;
  if (w->at == 0 || n < w->at || (n > w->at && w->fault != WATCH_ENOSPC)) return;
  int error = 0;
  if (w->fault == WATCH_ENOSPC && has_no_room(c, r)) error = ENOSPC;
  if (w->fault == WATCH_EIO) error = EIO;
  if (w->fault == WATCH_EINTR && c->interruptible) error = EINTR;
  ssize_t half = w->fault == WATCH_SHORT && c->writes ? write_half(r) : -1;
  if (half < 0 && !error) return;
  w->unlinked = w->unlinked || c->removes;
  a->flags = 0;
  a->error = -error;
  a->val = error ? 0 : half;
}

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

int watch_child(watch *w, pid_t child, volatile int *listener, double seconds) {
  int state = 0, fd = -1;
  for (double end = now() + seconds; waitpid(child, &state, WNOHANG) == 0;) {
    if (now() > end) kill(child, SIGKILL);
    if (fd < 0) {
      if (*listener >= 0 && (fd = take_descriptor(child, *listener)) >= 0) *listener = WATCH_TAKEN;
      usleep(50);
      continue;
    }
    struct pollfd p = {.fd = fd, .events = POLLIN};
    if (poll(&p, 1, 20) <= 0 || !(p.revents & POLLIN)) {
      if (p.revents & POLLHUP) usleep(200);
      continue;
    }
    struct seccomp_notif r = {0};
    struct seccomp_notif_resp a;
    if (ioctl(fd, SECCOMP_IOCTL_NOTIF_RECV, &r) != 0) continue;
    answer(w, &r, &a);
    ioctl(fd, SECCOMP_IOCTL_NOTIF_SEND, &a);
  }
  if (fd >= 0) close(fd);
  return state;
}

bool watch_possible(void) {
  volatile int *listener =
      mmap(NULL, sizeof *listener, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (listener == MAP_FAILED) return false;
  *listener = -1;
  pid_t pid = fork();
  if (pid == 0) _exit(watch_begin(listener) == 0 ? 0 : 1);
  watch w = {.folder = "/nowhere/"};
  bool possible = pid > 0 && watch_child(&w, pid, listener, 5) == 0;
  munmap((void *)listener, sizeof *listener);
  return possible;
}
