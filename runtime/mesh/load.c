#include "mesh/load.h"

#include <errno.h>
#include <string.h>
#include <zlib.h>

#include "base/memory.h"

#define CHUNK ((size_t)1 << 20)

static ew_status read_failed(gzFile file, const char *path, ew_error *err) {
  int code;
  const char *why = gzerror(file, &code);
  if (code == Z_ERRNO) why = strerror(errno);
  return ew_fail(err, EW_IO, "%s: cannot be read: %s", path, why);
}

static ew_status read_all(gzFile file, const char *path, char **bytes, size_t *size, ew_error *err) {
  ew_status status = EW_OK;
  size_t capacity = 0;
  for (int got = 1; got > 0; *size += (size_t)got) {
    EW_CHECK(ew_reserve((void **)bytes, &capacity, *size + CHUNK, 1, err));
    got = gzread(file, *bytes + *size, (unsigned)CHUNK);
    int code = Z_OK;
    if (got == 0) gzerror(file, &code); /* a compressed file that ends early */
    if (got < 0 || (code != Z_OK && code != Z_STREAM_END)) return read_failed(file, path, err);
  }
cleanup:
  return status;
}

ew_status mesh_load_file(const char *path, char **bytes, size_t *size, ew_error *err) {
  *bytes = NULL;
  *size = 0;
  errno = 0;
  gzFile file = gzopen(path, "rb");
  if (!file)
    return ew_fail(err, EW_IO, "%s: cannot be opened: %s", path, errno ? strerror(errno) : "out of memory");
  ew_status status = read_all(file, path, bytes, size, err);
  gzclose_r(file);
  if (status != EW_OK) {
    free(*bytes);
    *bytes = NULL;
  }
  return status;
}
