#include "output/output.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "case/paths.h"
#include "case/products.h"
#include "drawing/cell_field.h"
#include "formats/pvd.h"
#include "formats/vtu.h"

struct exec_output {
  exec_run *run;
  char name[256]; /* of the case: the stem of its files */
  pvd *collection;
  exec_writer *writer;
  exec_series *series;
  exec_locator *locator;
  int synced; /* outputs whose files are on the disk */
  char pvd_path[EW_PATH], picture[EW_PATH];
};

/* ---- one VTU file, or VTI, VTR of a grid ---------------------------------------------------------------------------------------------- */

typedef struct snapshot {
  const mesh *m; /* or a grid */
  const grid *g;
  char path[EW_PATH], name[300]; /* the file; as the collection names it */
  pvd *collection;               /* borrowed, or NULL */
  vtu_array *array;              /* their `real` is owned */
  size_t n;
  double *elevation;
  vtu_options options;
} snapshot;

static void snapshot_destroy(void *data) {
  snapshot *s = data;
  for (size_t i = 0; s->array && i < s->n; i++) free((double *)s->array[i].real);
  free(s->array);
  free(s->elevation);
  free(s);
}

static ew_status snapshot_write(void *data, ew_error *err) {
  snapshot *s = data;
  ew_status status = EW_OK;
  s->options.elevation = s->elevation;
  if (s->g) EW_CHECK(exec_grid_write(s->path, s->g, s->array, s->n, &s->options, err));
  else EW_CHECK(vtu_write(s->path, s->m, s->array, s->n, &s->options, err));
  if (s->collection) EW_CHECK(pvd_add(s->collection, s->options.time, s->name, err));
cleanup:
  return status;
}

static ew_status snapshot_add(exec_run *run, snapshot *s, const dslc_field *f, ew_error *err) {
  bool at_nodes = f->place == DSLC_NODES;
  size_t count = (size_t)(at_nodes ? run->m->n_nodes : run->points.n_cells) * (size_t)f->components;
  double *values = malloc((count + 1) * sizeof *values);
  if (!values) return ew_fail(err, EW_FAIL, "out of memory to write '%s'", f->name);
  s->array[s->n++] = (vtu_array){.name = f->name,
                                 .place = at_nodes ? VTU_NODES : VTU_CELLS,
                                 .components = f->components,
                                 .real = values};
  return at_nodes ? exec_read(run, f->name, values, err) : exec_read_cells(run, f->name, values, err);
}

static ew_status lift_nodes(exec_run *run, snapshot *s, ew_error *err) {
  ew_status status = EW_OK;
  exec_component which;
  double *cells = NULL;
  s->elevation = malloc(((size_t)run->m->n_nodes + 1) * sizeof *s->elevation);
  if (!s->elevation) EXEC_LEAVE(err, EW_FAIL, "out of memory for the elevation");
  if (!exec_find_component(run->program, run->c->output.elevation, &which))
    EXEC_LEAVE(err, EW_INPUT, "elevation: there is no field '%s'", run->c->output.elevation);
  if (run->program->model.field[which.field].place == DSLC_NODES)
    return exec_read_component(run, which, s->elevation, err);
  cells = malloc(((size_t)run->m->n_cells + 1) * sizeof *cells);
  if (!cells) EXEC_LEAVE(err, EW_FAIL, "out of memory for the elevation");
  EW_CHECK(exec_read_component(run, which, cells, err));
  EW_CHECK(field_at_nodes(run->m, cells, NULL, s->elevation, err));
cleanup:
  free(cells);
  return status;
}

static bool is_shown(const exec_run *run, const dslc_field *f, bool failed) {
  const case_output *o = &run->c->output;
  if (!exec_can_show(run->program, f->place) || f->buffer < 0) return false;
  if (failed) return f->kind != DSLC_QUANTITY; /* what is computed from them may not be trusted */
  for (int i = 0; i < o->n_fields; i++)
    if (strcmp(o->field[i], f->name) == 0) return true;
  if (o->n_fields > 0) return false;
  return case_shows_unasked(run->c, f->name, f->kind == DSLC_STATE);
}

/* Reads what the file `name` of the output folder will hold. */
static ew_status snapshot_take(exec_run *run, const char *name, bool failed, snapshot **out, ew_error *err) {
  ew_status status = EW_OK;
  const dslc_program *p = run->program;
  const case_output *o = &run->c->output;
  snapshot *s = *out = calloc(1, sizeof *s);
  if (!s) return ew_fail(err, EW_FAIL, "out of memory to write %s", name);
  s->m = run->m;
  s->g = run->g;
  s->options = (vtu_options){.time = exec_time(run), .single_precision = o->single_precision};
  snprintf(s->name, sizeof s->name, "%s", name);
  exec_output_file(run->c, name, s->path, sizeof s->path);
  s->array = calloc((size_t)p->model.n_fields + 1, sizeof *s->array);
  if (!s->array) EXEC_LEAVE(err, EW_FAIL, "out of memory to write %s", name);
  for (int i = 0; i < p->model.n_fields; i++)
    if (is_shown(run, &p->model.field[i], failed)) EW_CHECK(snapshot_add(run, s, &p->model.field[i], err));
  if (o->elevation && run->m && run->m->dim == 2 && !failed) EW_CHECK(lift_nodes(run, s, err));
cleanup:
  if (status != EW_OK) snapshot_destroy(s), s = NULL;
  *out = s;
  return status;
}

static const char *suffix(const exec_run *run) { return run->g ? exec_grid_suffix(run->g) : "vtu"; }

/* ---- life --------------------------------------------------------------------------------------------------------------- */

static void snapshot_name(const exec_output *o, int number, char *name, size_t size) {
  snprintf(name, size, "%s_%04d.%s", o->name, number, suffix(o->run));
}

/* A run that is resumed writes the collection as it was at the checkpoint. */
static ew_status open_collection(exec_output *o, bool resume, ew_error *err) {
  ew_status status = EW_OK;
  char name[300];
  if (!o->run->c->output.vtu) return EW_OK;
  snprintf(name, sizeof name, "%s.pvd", o->name);
  exec_output_file(o->run->c, name, o->pvd_path, sizeof o->pvd_path);
  EW_CHECK(pvd_create(&o->collection, o->pvd_path, err));
  for (int k = 0; resume && k < o->run->files.outputs; k++) {
    snapshot_name(o, k, name, sizeof name);
    EW_CHECK(pvd_note(o->collection, o->run->files.output_time[k], name, err));
  }
  if (resume && o->run->files.outputs > 0) EW_CHECK(pvd_write(o->collection, err));
cleanup:
  return status;
}

ew_status exec_output_create(exec_run *run, bool resume, exec_output **out, ew_error *err) {
  ew_status status = EW_OK;
  exec_output *o = calloc(1, sizeof *o);
  if (!o) return ew_fail(err, EW_FAIL, "out of memory for output");
  o->run = run;
  o->synced = run->files.outputs;
  exec_case_name(run->c, o->name, sizeof o->name);
  EW_CHECK(exec_writer_create(&o->writer, err));
  EW_CHECK(open_collection(o, resume, err));
  EW_CHECK(exec_rasters_start(run, err));
  if (run->c->output.n_probes || run->c->output.n_plots || run->c->output.n_rasters)
    EW_CHECK(exec_locator_create(&run->domain, &o->locator, err));
  EW_CHECK(exec_series_create(run, o->locator, resume, &o->series, err));
cleanup:
  if (status != EW_OK) exec_output_destroy(&o);
  *out = o;
  return status;
}

void exec_output_destroy(exec_output **o) {
  if (!o || !*o) return;
  exec_writer_destroy(&(*o)->writer); /* its jobs use what follows */
  pvd_destroy(&(*o)->collection);
  exec_series_destroy(&(*o)->series);
  exec_locator_destroy(&(*o)->locator);
  free(*o);
  *o = NULL;
}

static ew_status add_vtu(exec_output *o, ew_error *err) {
  char name[300];
  snapshot *s = NULL;
  snapshot_name(o, o->run->files.outputs, name, sizeof name);
  ew_status status = snapshot_take(o->run, name, false, &s, err);
  if (!s) return status;
  s->collection = o->collection;
  return exec_writer_add(o->writer, (exec_job){snapshot_write, snapshot_destroy, s}, err);
}

ew_status exec_output_write(exec_output *o, ew_error *err) {
  ew_status status = EW_OK;
  EW_CHECK(exec_writer_wait(o->writer, err));
  if (o->collection) EW_CHECK(add_vtu(o, err));
  EW_CHECK(exec_figures_add(o->run, o->locator, o->writer, o->picture, sizeof o->picture, err));
  EW_CHECK(exec_rasters_add(o->run, o->locator, o->writer, err));
  exec_writer_start(o->writer);
  EW_CHECK(exec_count_output(o->run, err));
cleanup:
  return status;
}

/* ---- what a checkpoint may rely on ---------------------------------------------------------------------------------------- */

/* The path of file `index` of an output; false: it has no more. */
static bool file_of_output(const exec_output *o, int number, int index, char *path, size_t size) {
  char name[300];
  if (o->collection) index--;
  const case_output *all = &o->run->c->output;
  if (index >= all->n_plots + all->n_pictures)
    return exec_raster_path(o->run, index - all->n_plots - all->n_pictures, number, path, size);
  if (index >= 0) return exec_figure_path(o->run, index, number, path, size);
  snapshot_name(o, number, name, sizeof name);
  exec_output_file(o->run->c, name, path, size);
  return true;
}

static ew_status sync_file(const char *path, ew_error *err) {
  int fd = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (fd < 0)
    return ew_fail(err, EW_IO, "'%s' was written, but is not there any more: %s", path, strerror(errno));
  bool good = fsync(fd) == 0 || errno == EINVAL; /* some file systems have nothing to bring anywhere */
  if (!good) ew_fail(err, EW_IO, "cannot write '%s': %s", path, strerror(errno));
  close(fd);
  return good ? EW_OK : EW_IO;
}

ew_status exec_output_mark(exec_output *o, ew_error *err) {
  ew_status status = EW_OK;
  char path[EW_PATH];
  EW_CHECK(exec_writer_wait(o->writer, err));
  for (; o->synced < o->run->files.outputs; o->synced++)
    for (int i = 0; file_of_output(o, o->synced, i, path, sizeof path); i++) EW_CHECK(sync_file(path, err));
  EW_CHECK(exec_series_mark(o->series, err));
cleanup:
  return status;
}

int exec_output_missing(const exec_output *o, char *first, size_t size) {
  char path[EW_PATH];
  int n = 0;
  for (int k = 0; k < o->run->files.outputs; k++)
    for (int i = 0; file_of_output(o, k, i, path, sizeof path); i++)
      if (access(path, F_OK) != 0 && n++ == 0) snprintf(first, size, "%s", path);
  return n;
}

const exec_gaps *exec_output_gaps(const exec_output *o) { return exec_series_gaps(o->series); }

ew_status exec_output_finish(exec_output *o, ew_error *err) {
  ew_status status = EW_OK;
  EW_CHECK(exec_series_finish(o->series, err));
  EW_CHECK(exec_series_flush(o->series, err));
  EW_CHECK(exec_writer_wait(o->writer, err));
cleanup:
  return status;
}

ew_status exec_output_sample(exec_output *o, ew_error *err) { return exec_series_row(o->series, err); }

ew_status exec_output_failed(exec_run *run, char *path, size_t size, ew_error *err) {
  snapshot *s = NULL;
  char name[16];
  snprintf(name, sizeof name, "failed.%s", suffix(run));
  ew_status status = snapshot_take(run, name, true, &s, err);
  if (!s) return status;
  snprintf(path, size, "%s", s->path);
  status = snapshot_write(s, err);
  snapshot_destroy(s);
  return status;
}

const char *exec_output_pvd(const exec_output *o) { return o->pvd_path; }
const char *exec_output_picture(const exec_output *o) { return o->picture; }
