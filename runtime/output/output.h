/* What a run writes while it goes on. Internal to the runtime.
 *
 *   output.c   VTU files and their collection; grid_output.c: VTI or VTR files of grids
 *   figures.c  line plots; pictures.c; sheet.c: grids as pictures see them
 *   writer.c   the thread that writes files while the next steps run
 *   series.c   probes and history
 *   record.c   run.json
 *   life.c     the case from start to end */
#ifndef EW_EXEC_OUTPUT_H
#define EW_EXEC_OUTPUT_H

#include "run/internal.h"
#include "run/warnings.h"
#include "output/writer.h"
#include "formats/vtu.h"

typedef struct exec_output exec_output;

/* Opens collection and series in the case's output folder, which exists. With `resume`, what was written up to the
 * run's present time is kept. */
ew_status exec_output_create(exec_run *run, bool resume, exec_output **out, ew_error *err);
void exec_output_destroy(exec_output **o);

/* Reads what the files of the present time need and starts to write them; they are numbered by run->files.outputs, which
 * counts up. A failure to write is reported by the next call, or by finish. */
ew_status exec_output_write(exec_output *o, ew_error *err);
/* Until all files are written. */
ew_status exec_output_finish(exec_output *o, ew_error *err);
/* The same, brings all files since the last mark to the disk, and notes in run->files.series how long those are that grow: then a checkpoint
 * may say that they are there. */
ew_status exec_output_mark(exec_output *o, ew_error *err);
/* How many files of outputs before the present time are not in the folder; the path of the first. */
int exec_output_missing(const exec_output *o, char *first, size_t size);
/* Files of rows that a run which goes on has no rows for, of before the checkpoint or of behind it; the path of the first of each. */
typedef struct exec_gaps {
  int begin, end; /* how many begin at the checkpoint, though the run did not; end there */
  char first_begin[EW_PATH], first_end[EW_PATH];
} exec_gaps;
const exec_gaps *exec_output_gaps(const exec_output *o);
/* One row of every probe and of the history, unless the present step has one. */
ew_status exec_output_sample(exec_output *o, ew_error *err);
/* States and givens of a run that failed: failed.vtu. */
ew_status exec_output_failed(exec_run *run, char *path, size_t size, ew_error *err);

/* The residuals of the last solve of each system: failed_residuals.csv. */
ew_status exec_output_residuals(exec_run *run, char *path, size_t size, ew_error *err);

/* Paths of the collection and the last picture, "" if there are none. */
const char *exec_output_pvd(const exec_output *o);
const char *exec_output_picture(const exec_output *o);

/* ---- grids ---------------------------------------------------------------------------------------------------- */

/* "vti" of an image file if all cells have one size along each axis, else "vtr". */
const char *exec_grid_suffix(const grid *g);
ew_status exec_grid_write(const char *path, const grid *g, const vtu_array *array, size_t n,
                          const vtu_options *options, ew_error *err);

/* ---- parts ---------------------------------------------------------------------------------------------------- */

/* Reads what the pictures and plots of the present time show and adds the writer's jobs for them. `first` receives the
 * path of the first picture, or else plot, if there is one. */
ew_status exec_figures_add(exec_run *run, const exec_locator *locator, exec_writer *writer, char *first,
                           size_t size, ew_error *err);

/* The path of figure `index` of an output; false: it has no more. */
bool exec_figure_path(const exec_run *run, int index, int number, char *path, size_t size);

/* Rasters: the same, of rasters. exec_rasters_start: are the programs there that they need? */
ew_status exec_rasters_start(const exec_run *run, ew_error *err);
ew_status exec_rasters_add(exec_run *run, const exec_locator *locator, exec_writer *writer, ew_error *err);
bool exec_raster_path(const exec_run *run, int index, int number, char *path, size_t size);
/* From where to where a raster goes: x[0] to x[1], y[0] to y[1]. */
void exec_raster_extent(const case_raster *r, const exec_domain *d, double x[2], double y[2]);
/* How many cells it has along an extent. */
double exec_raster_cells(const case_raster *r, const double extent[2]);

/* Plots: how many points the line has, and point `i` of it. */
int exec_plot_points(const case_plot *p);
void exec_plot_point(const case_plot *p, int i, double x[3]);

typedef struct exec_series exec_series;
ew_status exec_series_create(exec_run *run, const exec_locator *locator, bool resume, exec_series **out,
                             ew_error *err);
void exec_series_destroy(exec_series **s);
/* A row, unless run->files.sampled says that the step has one. */
ew_status exec_series_row(exec_series *s, ew_error *err);
/* Prints the rows of samples that were taken and are not printed yet; writes them if nothing was written for a second. */
ew_status exec_series_finish(exec_series *s, ew_error *err);
/* Writes what is printed. */
ew_status exec_series_flush(exec_series *s, ew_error *err);
/* Brings the rows to the disk and notes the files' sizes in run->files.series. */
ew_status exec_series_mark(exec_series *s, ew_error *err);
const exec_gaps *exec_series_gaps(const exec_series *s);

typedef struct exec_times {
  double compile, create, loop, total; /* s of wall time */
} exec_times;
/* What a run went on from. */
typedef struct exec_origin {
  const char *path;        /* of the checkpoint; "": it began anew */
  const char *differences; /* see exec_resumed */
  double t;
  int64_t step;
} exec_origin;
/* What run.json says beside what the run knows itself. */
typedef struct exec_record {
  const exec_times *times;
  const exec_origin *origin;
  const exec_options *options;
  const exec_profile *kernels; /* measured, or NULL */
  dev_rates roofs;             /* with them */
  exec_counters counters;      /* of the run itself: what measures the roofs takes more, as in the next two */
  dev_stats stats;
  int64_t host_peak; /* bytes */
  const exec_warnings *warnings;
  ew_status result;
} exec_record;
ew_status exec_record_write(exec_run *run, const exec_record *record, ew_error *err);

#endif
