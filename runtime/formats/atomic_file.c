#include "formats/atomic_file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MAX_TEMPORARY_NAMES = 100 };

struct atomic_file {
  char *path, *temporary;
  FILE *stream;
  uint64_t size;
};

static ew_status fail_on(const char *path, int cause, ew_error *err) {
  const char *hint = cause == ENOSPC || cause == EDQUOT ? " (nothing was left at that name; free some space)"
                     : cause == ENOENT                  ? " (does its folder exist?)"
                                                        : "";
  return ew_fail(err, EW_IO, "cannot write '%s': %s%s", path, strerror(cause), hint);
}

/* A rename over a device node would replace it (as root: /dev/null), and one over a link the link. */
static ew_status refuse_special(const char *path, ew_error *err) {
  struct stat info;
  if (lstat(path, &info) != 0 || S_ISREG(info.st_mode)) return EW_OK;
  return ew_fail(err, EW_IO, "cannot write '%s': it is %s, expected a regular file or a new name", path,
                 S_ISDIR(info.st_mode)   ? "a folder"
                 : S_ISLNK(info.st_mode) ? "a symbolic link"
                                         : "a device or pipe");
}

/* mkstemp would give mode 0600; O_EXCL with 0666 respects the user's umask. */
static int open_temporary(atomic_file *file, size_t room) {
  for (int k = 0; k < MAX_TEMPORARY_NAMES; k++) {
    snprintf(file->temporary, room, "%s.tmp-%ld-%d", file->path, (long)getpid(), k);
    int fd = open(file->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (fd >= 0 || errno != EEXIST) return fd;
  }
  return -1;
}

static ew_status open_stream(atomic_file *file, size_t room, ew_error *err) {
  int fd = open_temporary(file, room);
  if (fd < 0) {
    int cause = errno;
    file->temporary[0] = '\0';
    return fail_on(file->path, cause, err);
  }
  file->stream = fdopen(fd, "wb");
  if (file->stream) return EW_OK;
  int cause = errno;
  close(fd);
  return fail_on(file->path, cause, err);
}

ew_status atomic_file_create(atomic_file **out, const char *path, ew_error *err) {
  *out = NULL;
  ew_status status = refuse_special(path, err);
  if (status != EW_OK) return status;
  size_t room = strlen(path) + 64;
  atomic_file *file = calloc(1, sizeof *file);
  if (!file) return ew_fail(err, EW_FAIL, "out of memory while opening '%s'", path);
  file->path = strdup(path);
  file->temporary = calloc(1, room);
  if (!file->path || !file->temporary)
    status = ew_fail(err, EW_FAIL, "out of memory while opening '%s'", path);
  else status = open_stream(file, room, err);
  if (status == EW_OK) *out = file;
  else atomic_file_destroy(&file);
  return status;
}

void atomic_file_destroy(atomic_file **file) {
  atomic_file *f = *file;
  if (!f) return;
  if (f->stream) fclose(f->stream);
  if (f->temporary && f->temporary[0]) unlink(f->temporary);
  free(f->temporary);
  free(f->path);
  free(f);
  *file = NULL;
}

ew_status atomic_file_try(const char *path, ew_error *err) {
  atomic_file *file = NULL;
  const ew_status status = atomic_file_create(&file, path, err);
  atomic_file_destroy(&file);
  return status;
}

ew_status atomic_file_write(atomic_file *file, const void *data, size_t size, ew_error *err) {
  if (size == 0) return EW_OK;
  if (fwrite(data, 1, size, file->stream) != size) return fail_on(file->path, errno, err);
  file->size += size;
  return EW_OK;
}

ew_status atomic_file_print(atomic_file *file, ew_error *err, const char *fmt, ...) {
  va_list args;
  va_start(args, fmt);
  int n = vfprintf(file->stream, fmt, args);
  int cause = errno;
  va_end(args);
  if (n < 0) return fail_on(file->path, cause, err);
  file->size += (uint64_t)n;
  return EW_OK;
}

FILE *atomic_file_stream(atomic_file *file) { return file->stream; }

uint64_t atomic_file_size(const atomic_file *file) { return file->size; }

ew_status atomic_file_patch(atomic_file *file, uint64_t at, const void *data, size_t size, ew_error *err) {
  if (at + size > file->size)
    return ew_fail(err, EW_INTERNAL, "patch of '%s' beyond its end: %llu + %zu > %llu", file->path,
                   (unsigned long long)at, size, (unsigned long long)file->size);
  bool good = fseeko(file->stream, (off_t)at, SEEK_SET) == 0 && fwrite(data, 1, size, file->stream) == size &&
              fseeko(file->stream, 0, SEEK_END) == 0;
  return good ? EW_OK : fail_on(file->path, errno, err);
}

/* Makes the rename itself durable; file systems that cannot sync a folder are no reason to fail. */
static void sync_folder(const char *path) {
  const char *slash = strrchr(path, '/');
  char *folder = !slash ? strdup(".") : slash == path ? strdup("/") : strndup(path, (size_t)(slash - path));
  int fd = folder ? open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
  if (fd >= 0) {
    (void)fsync(fd);
    close(fd);
  }
  free(folder);
}

static int flush_and_close(atomic_file *file, bool sync) {
  int cause = ferror(file->stream) ? EIO : 0; /* of what was printed without a look at the result */
  if (fflush(file->stream) != 0) cause = errno;
  if (!cause && sync && fsync(fileno(file->stream)) != 0) cause = errno;
  if (fclose(file->stream) != 0 && !cause) cause = errno; /* delayed write errors (NFS) show here */
  file->stream = NULL;
  return cause;
}

ew_status atomic_file_sync(atomic_file *file, ew_error *err) {
  if (fflush(file->stream) == 0 && fsync(fileno(file->stream)) == 0) return EW_OK;
  return fail_on(file->path, errno, err);
}

ew_status atomic_file_commit(atomic_file **file, bool sync, ew_error *err) {
  atomic_file *f = *file;
  ew_status status = EW_OK;
  int cause = flush_and_close(f, sync);
  if (!cause && rename(f->temporary, f->path) != 0) cause = errno;
  if (cause) status = fail_on(f->path, cause, err);
  else {
    f->temporary[0] = '\0';
    if (sync) sync_folder(f->path);
  }
  atomic_file_destroy(file);
  return status;
}

/* ---- what killed writers leave ---------------------------------------------------------------------------------------- */

/* NAME.SUFFIX.tmp-PID-NUMBER, as open_temporary calls them. */
static bool is_temporary(const char *name) {
  static const char *const SUFFIX[] = {".vtu", ".vti",  ".vtr", ".pvd", ".png",
                                       ".csv", ".json", ".ew",  ".msh"};
  static const char MARK[] = ".tmp-", DIGITS[] = "0123456789";
  const char *mark = NULL;
  for (const char *at = name; (at = strstr(at, MARK)); at++) mark = at;
  if (!mark) return false;
  const char *pid = mark + strlen(MARK), *end = pid + strspn(pid, DIGITS);
  if (end == pid || *end != '-' || !end[1] || end[1 + strspn(end + 1, DIGITS)]) return false;
  for (size_t i = 0; i < sizeof SUFFIX / sizeof *SUFFIX; i++) {
    size_t n = strlen(SUFFIX[i]);
    if ((size_t)(mark - name) > n && strncmp(mark - n, SUFFIX[i], n) == 0) return true;
  }
  return false;
}

void atomic_clean_folder(const char *folder) {
  DIR *d = opendir(folder);
  struct stat info;
  for (const struct dirent *e; d && (e = readdir(d));)
    if (is_temporary(e->d_name) && fstatat(dirfd(d), e->d_name, &info, AT_SYMLINK_NOFOLLOW) == 0 &&
        S_ISREG(info.st_mode))
      unlinkat(dirfd(d), e->d_name, 0);
  if (d) closedir(d);
}
