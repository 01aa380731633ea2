#include "formats/pvd.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "formats/atomic_file.h"
#include "formats/xml_text.h"

static const char START[] = "<?xml version=\"1.0\"?>\n"
                            "<VTKFile type=\"Collection\" version=\"1.0\" byte_order=\"LittleEndian\">\n"
                            "<Collection>\n";
static const char END[] = "</Collection>\n</VTKFile>\n";

struct pvd {
  char *path;
  char *text; /* all entries, with END behind them when they are written */
  size_t n, room;
  size_t written; /* of them in the file */
  int fd;         /* of the file, -1: not written yet */
};

ew_status pvd_create(pvd **out, const char *path, ew_error *err) {
  *out = calloc(1, sizeof **out);
  if (*out) (*out)->fd = -1;
  if (*out) (*out)->path = strdup(path);
  if (*out && (*out)->path) return EW_OK;
  pvd_destroy(out);
  return ew_fail(err, EW_FAIL, "out of memory for the collection '%s'", path);
}

void pvd_destroy(pvd **collection) {
  pvd *p = *collection;
  if (!p) return;
  if (p->fd >= 0) close(p->fd);
  free(p->text);
  free(p->path);
  free(p);
  *collection = NULL;
}

static bool reserve(pvd *p, size_t more) {
  size_t room = p->room ? p->room : 4096;
  while (room < p->n + more) room *= 2;
  char *text = room == p->room ? p->text : realloc(p->text, room);
  if (!text) return false;
  p->text = text;
  p->room = room;
  return true;
}

ew_status pvd_note(pvd *p, double time, const char *file, ew_error *err) {
  char *escaped = xml_escape(file), *entry = NULL;
  int n = escaped ? asprintf(&entry, "<DataSet timestep=\"%.17g\" group=\"\" part=\"0\" file=\"%s\"/>\n",
                             time, escaped)
                  : -1;
  free(escaped);
  if (n < 0) return ew_fail(err, EW_FAIL, "out of memory for the collection '%s'", p->path);
  bool good = reserve(p, (size_t)n + sizeof END);
  if (good) memcpy(p->text + p->n, entry, (size_t)n), p->n += (size_t)n;
  free(entry);
  return good ? EW_OK : ew_fail(err, EW_FAIL, "out of memory for the collection '%s'", p->path);
}

static ew_status write_whole(pvd *p, ew_error *err) {
  ew_status status;
  atomic_file *out = NULL;
  if (p->fd >= 0) close(p->fd);
  p->fd = -1;
  EW_CHECK(atomic_file_create(&out, p->path, err));
  EW_CHECK(atomic_file_write(out, START, strlen(START), err));
  EW_CHECK(atomic_file_write(out, p->text, p->n, err));
  EW_CHECK(atomic_file_write(out, END, strlen(END), err));
  EW_CHECK(atomic_file_commit(&out, false, err));
  p->written = p->n;
  p->fd = open(p->path, O_WRONLY | O_NOFOLLOW | O_CLOEXEC); /* without it the next one writes all again */
cleanup:
  atomic_file_destroy(&out);
  return status;
}

/* The file that was written last still has its name. */
static bool is_there(const pvd *p) {
  struct stat mine, there;
  return p->fd >= 0 && fstat(p->fd, &mine) == 0 && lstat(p->path, &there) == 0 &&
         mine.st_ino == there.st_ino && mine.st_dev == there.st_dev &&
         (size_t)mine.st_size == strlen(START) + p->written + strlen(END);
}

static bool write_at(int fd, const char *text, size_t n, off_t at) {
  while (n > 0) {
    ssize_t put = pwrite(fd, text, n, at);
    if (put < 0 && errno == EINTR) continue;
    if (put <= 0) return false;
    text += put;
    n -= (size_t)put;
    at += put;
  }
  return true;
}

static ew_status append(pvd *p, ew_error *err) {
  const off_t at = (off_t)(strlen(START) + p->written);
  memcpy(p->text + p->n, END, strlen(END)); /* reserve left room for it */
  if (write_at(p->fd, p->text + p->written, p->n - p->written + strlen(END), at)) {
    p->written = p->n;
    return EW_OK;
  }
  ew_status status = ew_fail(err, EW_IO, "cannot write '%s': %s", p->path, strerror(errno));
  if (write_at(p->fd, END, strlen(END), at) && ftruncate(p->fd, at + (off_t)strlen(END)) != 0) return status;
  return status;
}

ew_status pvd_write(pvd *p, ew_error *err) { return is_there(p) ? append(p, err) : write_whole(p, err); }

ew_status pvd_add(pvd *p, double time, const char *file, ew_error *err) {
  ew_status status = pvd_note(p, time, file, err);
  return status == EW_OK ? pvd_write(p, err) : status;
}
