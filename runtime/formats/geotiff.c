#include "formats/geotiff.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "base/json.h"
#include "base/path.h"
#include "device/spawn.h"

static const char COMMAND[] = "gdal_translate", TELLER[] = "gdalinfo";

bool geotiff_is_name(const char *path) {
  const char *dot = strrchr(path, '.');
  return dot && (strcasecmp(dot, ".tif") == 0 || strcasecmp(dot, ".tiff") == 0);
}

/* The first line of what a program said. */
static void cut_line(char *text) { text[strcspn(text, "\n")] = '\0'; }

/* *said, unless NULL: what it printed, the caller's. */
static ew_status call(const char *const *words, const char *about, char **all, ew_error *err) {
  char *said = NULL;
  int code = 0;
  ew_status status = spawn_capture((char *const *)words, "/dev/null", &said, &code, err);
  if (status != EW_OK && errno == ENOENT) err->status = status = EW_IO; /* as a file that is not there */
  if (status != EW_OK)
    ew_context(err,
               "%s: GeoTIFF is read and written by GDAL's %s, which cannot be run (Debian: apt-get install "
               "gdal-bin); "
               "ESRI ASCII grids (.asc) need no program",
               about, words[0]);
  else if (code != 0) {
    cut_line(said);
    status = ew_fail(err, EW_INPUT, "%s: %s failed (exit status %d): %s", about, words[0], code, said);
  }
  if (all && status == EW_OK) *all = said;
  else free(said);
  return status;
}

ew_status geotiff_find_command(ew_error *err) {
  const char *words[] = {COMMAND, "--version", NULL};
  return call(words, "output", NULL, err);
}

static double number_of(const cJSON *object, const char *name, double otherwise) {
  const cJSON *n = cJSON_GetObjectItem(object, name);
  return cJSON_IsNumber(n) ? n->valuedouble : otherwise;
}

/* Does the band have values everywhere but where there is its `nodata`? */
static bool is_whole(const cJSON *band) {
  const cJSON *flags = cJSON_GetObjectItem(cJSON_GetObjectItem(band, "mask"), "flags");
  const char *first = cJSON_GetStringValue(cJSON_GetArrayItem(flags, 0));
  return !flags || (first && (strcmp(first, "ALL_VALID") == 0 || strcmp(first, "NODATA") == 0));
}

/* What an ESRI grid cannot hold, and GDAL would leave out without a word. */
static ew_status refuse_left_out(const char *path, const cJSON *info, ew_error *err) {
  const cJSON *at = cJSON_GetObjectItem(info, "geoTransform"),
              *band = cJSON_GetArrayItem(cJSON_GetObjectItem(info, "bands"), 0),
              *type = cJSON_GetObjectItem(band, "type");
  for (int k = 2; k <= 4; k += 2) {
    const cJSON *turn = cJSON_GetArrayItem(at, k);
    if (cJSON_IsNumber(turn) && turn->valuedouble != 0)
      return ew_fail(err, EW_INPUT,
                     "%s: the raster is rotated: turn it first, as by  gdalwarp IN.tif OUT.tif", path);
  }
  const double scale = number_of(band, "scale", 1), offset = number_of(band, "offset", 0);
  if (scale != 1 || offset != 0)
    return ew_fail(err, EW_INPUT,
                   "%s: its values are %.9g times what is stored, plus %.9g: store them as they are, as by  "
                   "gdal_translate -unscale -ot Float64 IN.tif OUT.tif",
                   path, scale, offset);
  if (!is_whole(band))
    return ew_fail(err, EW_INPUT,
                   "%s: a mask hides some of its values: put a number of its own there, as by  gdalwarp "
                   "-dstnodata -9999 IN.tif OUT.tif",
                   path);
  if (cJSON_IsString(type) && type->valuestring[0] == 'C')
    return ew_fail(err, EW_INPUT, "%s: its values are complex numbers", path);
  return EW_OK;
}

static ew_status look_at(const char *path, const char *file, ew_error *err) {
  const char *words[] = {TELLER, "-json", "-if", "GTiff", "-nomd", "--config", "GDAL_PAM_ENABLED",
                         "NO",   file,    NULL};
  cJSON *info = NULL;
  char *said = NULL;
  ew_status status = EW_OK;
  EW_CHECK(call(words, path, &said, err));
  const char *begin = strchr(said, '{'); /* behind warnings */
  EW_CHECK(ew_parse_json(begin ? begin : said, &info, err));
  if (info) status = refuse_left_out(path, info, err);
  else status = ew_fail(err, EW_INPUT, "%s: %s did not say what is in it", path, TELLER);
cleanup:
  cJSON_Delete(info);
  free(said);
  return status;
}

ew_status geotiff_to_grid(const char *path, char *grid, size_t size, ew_error *err) {
  char text[EW_PATH];
  const char *file = spawn_file(path, text, sizeof text);
  const ew_status seen = look_at(path, file, err);
  if (seen != EW_OK) return seen;
  const char *folder = getenv("TMPDIR");
  snprintf(grid, size, "%s/edgewise-XXXXXX.asc", folder && *folder ? folder : "/tmp");
  int fd = mkstemps(grid, 4);
  if (fd < 0) return ew_fail(err, EW_IO, "%s: no temporary file %s can be made for its values", path, grid);
  close(fd);
  const char *words[] = {COMMAND,   "-q", "-if", "GTiff",    "-of",
                         "AAIGrid", "-b", "1",   "--config", "GDAL_PAM_ENABLED",
                         "NO",      file, grid,  NULL};
  ew_status status = call(words, path, NULL, err);
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
  ew_status status = call(words, path, NULL, err);
  if (status == EW_OK && rename(making, path) != 0)
    status = ew_fail(err, EW_IO, "%s: %s wrote nothing", path, COMMAND);
  if (status != EW_OK) unlink(making);
  unlink(grid);
  return status;
}
