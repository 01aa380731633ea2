#include "base/regular.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

static int give_up(int fd, int why) {
  close(fd);
  return errno = why, -1;
}

int ew_open_regular(const char *path, int flags, struct stat *info) {
  const int fd = open(path, flags | O_NONBLOCK | O_CLOEXEC, 0666);
  if (fd < 0) {
    if (errno == ENXIO) errno = 0; /* a socket, or a pipe without a reader */
    return -1;
  }
  if (fstat(fd, info) != 0) return give_up(fd, errno);
  return S_ISREG(info->st_mode) ? fd : give_up(fd, 0);
}

FILE *ew_regular_file(const char *path, struct stat *info) {
  const int fd = ew_open_regular(path, O_RDONLY, info);
  FILE *f = fd < 0 ? NULL : fdopen(fd, "rb");
  if (fd >= 0 && !f) give_up(fd, errno);
  return f;
}
