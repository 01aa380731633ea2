#include "formats/geotiff.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "base/path.h"
#include "device/spawn.h"

static const char COMMAND[] = "gdal_translate";

bool geotiff_is_name(const char *path) {
  const char *dot = strrchr(path, '.');
  return dot && (strcasecmp(dot, ".tif") == 0 || strcasecmp(dot, ".tiff") == 0);
}

/* The first line of what a program said. */
static void cut_line(char *text) { text[strcspn(text, "\n")] = '\0'; }

static ew_status call(const char *const *words, const char *about, ew_error *err) {
  char *said = NULL;
  int code = 0;
  ew_status status = spawn_capture((char *const *)words, "/dev/null", &said, &code, err);
  if (status != EW_OK && errno == ENOENT) err->status = status = EW_IO; /* as a file that is not there */
  if (status != EW_OK)
    ew_context(err,
               "%s: GeoTIFF is read and written by GDAL's %s, which cannot be run (Debian: apt-get install "
               "gdal-bin); "
               "ESRI ASCII grids (.asc) need no program",
               about, COMMAND);
  else if (code != 0) {
    cut_line(said);
    status = ew_fail(err, EW_INPUT, "%s: %s failed (exit status %d): %s", about, COMMAND, code, said);
  }
  free(said);
  return status;
}

ew_status geotiff_find_command(ew_error *err) {
  const char *words[] = {COMMAND, "--version", NULL};
  return call(words, "output", err);
}

ew_status geotiff_to_grid(const char *path, char *grid, size_t size, ew_error *err) {
  const char *folder = getenv("TMPDIR");
  snprintf(grid, size, "%s/edgewise-XXXXXX.asc", folder && *folder ? folder : "/tmp");
  int fd = mkstemps(grid, 4);
  if (fd < 0) return ew_fail(err, EW_IO, "%s: no temporary file %s can be made for its values", path, grid);
  close(fd);
  char file[EW_PATH];
  const char *words[] = {COMMAND,    "-q",
                         "-if",      "GTiff",
                         "-of",      "AAIGrid",
                         "-b",       "1",
                         "--config", "GDAL_PAM_ENABLED",
                         "NO",       spawn_file(path, file, sizeof file),
                         grid,       NULL};
  ew_status status = call(words, path, err);
  if (status != EW_OK) unlink(grid);
  char beside[EW_PATH]; /* the coordinate system, which GDAL writes into a file of its own */
  snprintf(beside, sizeof beside, "%.*s.prj", (int)strlen(grid) - 4, grid);
  unlink(beside);
  return status;
}

ew_status geotiff_from_grid(const char *grid, const char *srs, const char *path, ew_error *err) {
  char making[EW_PATH], from[EW_PATH], to[EW_PATH];
  snprintf(making, sizeof making, "%s.tmp-%ld-0", path, (long)getpid());
  const char *words[20] = {COMMAND, "-q", "-of", "GTiff", "-ot", "Float64", "--config", "GDAL_PAM_ENABLED",
                           "NO"};
  int n = 9;
  if (srs) words[n++] = "-a_srs", words[n++] = srs;
  words[n++] = spawn_file(grid, from, sizeof from);
  words[n++] = spawn_file(making, to, sizeof to);
  ew_status status = call(words, path, err);
  if (status == EW_OK && rename(making, path) != 0)
    status = ew_fail(err, EW_IO, "%s: %s wrote nothing", path, COMMAND);
  if (status != EW_OK) unlink(making);
  unlink(grid);
  return status;
}
