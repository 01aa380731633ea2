#include "formats/pvd.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "formats/atomic_file.h"
#include "formats/xml_text.h"

typedef struct pvd_entry {
  double time;
  char *file; /* as it stands in the XML: escaped */
} pvd_entry;

struct pvd {
  char *path;
  pvd_entry *entry;
  size_t n, room;
};

ew_status pvd_create(pvd **out, const char *path, ew_error *err) {
  *out = calloc(1, sizeof **out);
  if (*out) (*out)->path = strdup(path);
  if (*out && (*out)->path) return EW_OK;
  pvd_destroy(out);
  return ew_fail(err, EW_FAIL, "out of memory for the collection '%s'", path);
}

void pvd_destroy(pvd **collection) {
  pvd *p = *collection;
  if (!p) return;
  for (size_t i = 0; i < p->n; i++) free(p->entry[i].file);
  free(p->entry);
  free(p->path);
  free(p);
  *collection = NULL;
}

/* Takes ownership of `file`, also on failure. */
static ew_status append(pvd *p, double time, char *file, ew_error *err) {
  if (file && p->n == p->room) {
    size_t room = p->room ? 2 * p->room : 16;
    pvd_entry *entry = realloc(p->entry, room * sizeof *entry);
    if (entry) {
      p->entry = entry;
      p->room = room;
    }
  }
  if (!file || p->n == p->room) {
    free(file);
    return ew_fail(err, EW_FAIL, "out of memory for the collection '%s'", p->path);
  }
  p->entry[p->n++] = (pvd_entry){time, file};
  return EW_OK;
}

/* The attribute's value in `line`, as a new string, or NULL. `key` is written as in ` key="`. */
static char *attribute(const char *line, const char *key) {
  const char *at = strstr(line, key);
  if (!at) return NULL;
  at += strlen(key);
  const char *end = strchr(at, '"');
  return end ? strndup(at, (size_t)(end - at)) : NULL;
}

static ew_status continue_line(pvd *p, const char *line, double until, ew_error *err) {
  char *time = attribute(line, " timestep=\""), *file = attribute(line, " file=\"");
  ew_status status = EW_OK;
  if (time && file && strtod(time, NULL) <= until) {
    status = append(p, strtod(time, NULL), file, err);
    file = NULL;
  }
  free(time);
  free(file);
  return status;
}

ew_status pvd_continue(pvd *collection, double until, ew_error *err) {
  FILE *in = fopen(collection->path, "r");
  if (!in && errno == ENOENT) return EW_OK;
  if (!in) return ew_fail(err, EW_IO, "cannot read '%s': %s", collection->path, strerror(errno));
  ew_status status = EW_OK;
  char *line = NULL;
  size_t room = 0;
  while (status == EW_OK && getline(&line, &room, in) >= 0)
    if (strstr(line, "<DataSet ")) status = continue_line(collection, line, until, err);
  if (status == EW_OK && ferror(in))
    status = ew_fail(err, EW_IO, "cannot read '%s': %s", collection->path, strerror(errno));
  free(line);
  fclose(in);
  return status;
}

static ew_status rewrite(const pvd *p, ew_error *err) {
  ew_status status;
  atomic_file *out = NULL;
  EW_CHECK(atomic_file_create(&out, p->path, err));
  EW_CHECK(atomic_file_print(out, err,
                             "<?xml version=\"1.0\"?>\n"
                             "<VTKFile type=\"Collection\" version=\"1.0\" byte_order=\"LittleEndian\">\n"
                             "<Collection>\n"));
  for (size_t i = 0; i < p->n; i++)
    EW_CHECK(atomic_file_print(out, err, "<DataSet timestep=\"%.17g\" group=\"\" part=\"0\" file=\"%s\"/>\n",
                               p->entry[i].time, p->entry[i].file));
  EW_CHECK(atomic_file_print(out, err, "</Collection>\n</VTKFile>\n"));
  status = atomic_file_commit(&out, false, err);
cleanup:
  atomic_file_destroy(&out);
  return status;
}

ew_status pvd_add(pvd *collection, double time, const char *file, ew_error *err) {
  ew_status status = append(collection, time, xml_escape(file), err);
  return status == EW_OK ? rewrite(collection, err) : status;
}
