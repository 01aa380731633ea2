#include "formats/csv.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/line.h"
#include "base/memory_text.h"
#include "base/regular.h"
#include "base/words.h"

/* What is kept back: whole rows, so that who follows the file sees whole ones. Of a number no more than so many characters. */
enum { KEPT = 1 << 14, LONGEST_NUMBER = 25 };

struct csv {
  char *path;
  FILE *stream;
  size_t n_columns;
  uint64_t size, written; /* with the rows that are kept back, and without */
  char kept[KEPT];
};

static ew_status fail_on(const char *path, ew_error *err) {
  const char *why = errno == ELOOP    ? "it is a symbolic link, expected a regular file or a new name"
                    : errno == EEXIST ? "it is no regular file"
                                      : strerror(errno);
  return ew_fail(err, EW_IO, "cannot write '%s': %s", path, why);
}

/* RFC 4180: a field with a comma, a quote or a line end is quoted, its quotes doubled. So is one that begins as a byte order mark does, which
 * would be taken for the file's. */
static void print_field(FILE *out, const csv_column *column) {
  const char *unit = column->unit ? column->unit : "";
  const char *part[] = {column->name, *unit ? " [" : "", unit, *unit ? "]" : ""};
  bool quoted = strpbrk(column->name, ",\"\r\n") || strpbrk(unit, ",\"\r\n") ||
                words_mark(column->name, strlen(column->name)) > 0 ||
                words_utf16(column->name, strlen(column->name));
  if (quoted) fputc('"', out);
  for (int i = 0; i < 4; i++)
    for (const char *p = part[i]; *p; p++) {
      if (*p == '"') fputc('"', out);
      fputc(*p, out);
    }
  if (quoted) fputc('"', out);
}

/* The header line, with its line end, as a new string; NULL without memory. */
static char *header_text(const csv_column *column, size_t n_columns) {
  memory_text header;
  FILE *out = memory_text_open(&header);
  if (!out) return NULL;
  for (size_t i = 0; i < n_columns; i++) {
    if (i) fputc(',', out);
    print_field(out, &column[i]);
  }
  fputc('\n', out);
  return memory_text_close(&header);
}

/* Nothing that stands under that name is written into: a link's target, another name of the same file, a pipe. */
static int open_new(const char *path) {
  struct stat info;
  if (lstat(path, &info) == 0 && !S_ISREG(info.st_mode))
    return errno = S_ISLNK(info.st_mode) ? ELOOP : EEXIST, -1;
  if (unlink(path) != 0 && errno != ENOENT) return -1;
  return open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
}

/* Takes ownership of the descriptor, also on failure. */
static ew_status open_csv(csv **out, const char *path, int fd, size_t n_columns, ew_error *err) {
  csv *file = calloc(1, sizeof *file);
  ew_status status = EW_OK;
  if (file) file->path = strdup(path);
  if (!file || !file->path) status = ew_fail(err, EW_FAIL, "out of memory while opening '%s'", path);
  else if (!(file->stream = fdopen(fd, "w"))) status = fail_on(path, err);
  else setvbuf(file->stream, file->kept, _IOFBF, KEPT);
  if (status == EW_OK) {
    file->n_columns = n_columns;
    *out = file;
    return EW_OK;
  }
  csv_destroy(&file);
  close(fd);
  return status;
}

ew_status csv_create(csv **out, const char *path, const csv_column *column, size_t n_columns, ew_error *err) {
  *out = NULL;
  char *header = header_text(column, n_columns);
  if (!header) return ew_fail(err, EW_FAIL, "out of memory while opening '%s'", path);
  int fd = open_new(path);
  ew_status status = fd < 0 ? fail_on(path, err) : open_csv(out, path, fd, n_columns, err);
  if (status == EW_OK && (fputs(header, (*out)->stream) < 0 || fflush((*out)->stream) != 0)) {
    status = fail_on(path, err);
    csv_destroy(out);
  }
  if (status == EW_OK) (*out)->size = (*out)->written = strlen(header);
  free(header);
  return status;
}

static ew_status refuse(const char *path, const char *found, const char *expected, ew_error *err) {
  return ew_fail(err, EW_CHECKPOINT,
                 "cannot continue '%s': it is not what the run before the checkpoint wrote\n  found:    %s\n"
                 "  expected: %.*s\n"
                 "hint: move the file away, and rows before the checkpoint with it; or run anew",
                 path, found, (int)strcspn(expected, "\n"), expected);
}

static ew_status no_line(FILE *in, const char *path, const char *header, ew_error *err) {
  if (feof(in)) return refuse(path, "an empty file", header, err);
  if (errno == ENOMEM) return ew_fail(err, EW_FAIL, "out of memory while reading '%s'", path);
  return ew_fail(err, EW_IO, "cannot read '%s': %s", path, strerror(errno));
}

/* The rows of after the checkpoint go, among them half a line that a kill may have left. */
static ew_status check_and_cut(FILE *in, const struct stat *info, const char *path, const char *header,
                               uint64_t size, ew_error *err) {
  ew_status status = EW_OK;
  char found[96], expected[64], *line = NULL;
  size_t room = 0;
  snprintf(found, sizeof found, "%lld bytes", (long long)info->st_size);
  snprintf(expected, sizeof expected, "at least %llu bytes", (unsigned long long)size);
  if (ew_next_line(&line, &room, in) < 0) status = no_line(in, path, header, err);
  else if (strcmp(line, header) != 0)
    line[strcspn(line, "\r\n")] = '\0', status = refuse(path, line, header, err);
  else if ((uint64_t)info->st_size < size) status = refuse(path, found, expected, err);
  else if (size < strlen(header) || fseeko(in, (off_t)size - 1, SEEK_SET) != 0 || fgetc(in) != '\n')
    status = refuse(path, "no end of a line there", expected, err);
  else if (ftruncate(fileno(in), (off_t)size) != 0) status = fail_on(path, err);
  free(line);
  return status;
}

ew_status csv_continue(csv **out, const char *path, const csv_column *column, size_t n_columns, uint64_t size,
                       ew_error *err) {
  *out = NULL;
  struct stat info;
  int fd = ew_open_regular(path, O_RDWR | O_APPEND | O_NOFOLLOW, &info);
  if (fd < 0 && errno == ENOENT) return csv_create(out, path, column, n_columns, err);
  if (fd < 0) return errno ? fail_on(path, err) : refuse(path, "no file", "a file", err);
  FILE *in = fdopen(dup(fd), "r+");
  char *header = header_text(column, n_columns);
  ew_status status = header && in ? check_and_cut(in, &info, path, header, size, err)
                                  : ew_fail(err, EW_FAIL, "out of memory while opening '%s'", path);
  if (in) fclose(in);
  free(header);
  if (status != EW_OK) return close(fd), status;
  status = open_csv(out, path, fd, n_columns, err);
  if (status == EW_OK) (*out)->size = (*out)->written = size;
  return status;
}

ew_status csv_row(csv *file, const double *value, ew_error *err) {
  bool room = file->size - file->written + file->n_columns * LONGEST_NUMBER + 1 <= KEPT;
  ew_status status = room ? EW_OK : csv_flush(file, err);
  if (status != EW_OK) return status;
  for (size_t i = 0; i < file->n_columns; i++) {
    int n = fprintf(file->stream, "%s%.17g", i ? "," : "", value[i]);
    if (n < 0) return fail_on(file->path, err);
    file->size += (uint64_t)n;
  }
  if (fputc('\n', file->stream) == EOF) return fail_on(file->path, err);
  file->size++;
  return EW_OK;
}

ew_status csv_flush(csv *file, ew_error *err) {
  if (file->written == file->size) return EW_OK;
  if (fflush(file->stream) != 0) return fail_on(file->path, err);
  file->written = file->size;
  return EW_OK;
}

uint64_t csv_size(const csv *file) { return file->size; }

ew_status csv_sync(csv *file, ew_error *err) {
  ew_status status = csv_flush(file, err);
  if (status != EW_OK) return status;
  return fsync(fileno(file->stream)) == 0 || errno == EINVAL ? EW_OK : fail_on(file->path, err);
}

void csv_destroy(csv **file) {
  csv *f = *file;
  if (!f) return;
  if (f->stream) fclose(f->stream); /* who wants to know whether all could be written flushes before */
  free(f->path);
  free(f);
  *file = NULL;
}
