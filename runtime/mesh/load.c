#include "mesh/load.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include "base/memory.h"
#include "base/regular.h"
#include "base/words.h"

#define CHUNK ((size_t)1 << 20)
/* Meshes and matrices shrink three to twenty times; deflate can reach 1032. */
#define MOST_INFLATED   100
#define ALWAYS_INFLATED ((uint64_t)64 << 20)

static ew_status read_failed(gzFile file, const char *path, ew_error *err) {
  int code;
  const char *why = gzerror(file, &code);
  const char *what = strstr(why, ": "); /* behind zlib's name of the file, "<fd:3>" */
  if (code == Z_BUF_ERROR || code == Z_DATA_ERROR)
    return ew_fail(err, EW_INPUT, "%s: the compressed file is cut off or damaged: %s", path,
                   what ? what + 2 : why);
  if (code == Z_MEM_ERROR) return ew_fail(err, EW_FAIL, "%s: cannot be read: out of memory", path);
  if (code == Z_ERRNO) why = strerror(errno);
  return ew_fail(err, EW_IO, "%s: cannot be read: %s", path, why);
}

/* What a file may become in memory: a device has no end, and a few megabytes of gzip can become as many gigabytes. */
static uint64_t limit_of(const struct stat *info) {
  const uint64_t limit = (uint64_t)info->st_size * MOST_INFLATED;
  return limit < ALWAYS_INFLATED ? ALWAYS_INFLATED : limit;
}

static ew_status open_archive(const char *path, gzFile *file, uint64_t *limit, ew_error *err) {
  struct stat info;
  const int fd = ew_open_regular(path, O_RDONLY, &info);
  if (fd < 0 && errno == 0)
    return ew_fail(err, EW_INPUT, "%s: is no regular file; a file with a mesh or a matrix is expected", path);
  if (fd < 0) return ew_fail(err, EW_IO, "%s: cannot be opened: %s", path, strerror(errno));
  *limit = limit_of(&info);
  *file = gzdopen(fd, "rb");
  if (*file) return EW_OK;
  close(fd);
  return ew_fail(err, EW_FAIL, "%s: cannot be opened: out of memory", path);
}

static ew_status read_all(gzFile file, const char *path, uint64_t limit, char **bytes, size_t *size,
                          ew_error *err) {
  ew_status status = EW_OK;
  size_t capacity = 0;
  for (int got = 1; got > 0; *size += (size_t)got) {
    EW_CHECK(ew_reserve((void **)bytes, &capacity, *size + CHUNK, 1, err));
    got = gzread(file, *bytes + *size, (unsigned)CHUNK);
    int code = Z_OK;
    if (got == 0) gzerror(file, &code); /* a compressed file that ends early */
    if (got < 0 || (code != Z_OK && code != Z_STREAM_END)) return read_failed(file, path, err);
    if (*size + (size_t)got > limit)
      return ew_fail(
          err, EW_INPUT,
          "%s: becomes more than %d times as large when it is unpacked, which is no mesh or matrix\nhint: "
          "unpack it with gunzip and look at it",
          path, MOST_INFLATED);
  }
cleanup:
  return status;
}

static void drop_mark(char *bytes, size_t *size) {
  const size_t mark = words_mark(bytes, *size);
  *size -= mark;
  if (mark > 0) memmove(bytes, bytes + mark, *size);
}

ew_status mesh_load_file(const char *path, char **bytes, size_t *size, ew_error *err) {
  *bytes = NULL;
  *size = 0;
  uint64_t limit = 0;
  gzFile file = NULL;
  ew_status status = open_archive(path, &file, &limit, err);
  if (status != EW_OK) return status;
  status = read_all(file, path, limit, bytes, size, err);
  gzclose_r(file);
  if (status == EW_OK) drop_mark(*bytes, size);
  else {
    free(*bytes);
    *bytes = NULL;
  }
  return status;
}
