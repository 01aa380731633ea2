/* Reports of runs: one page of HTML that holds everything, and what two runs differ in.
 *
 * A run's folder is read only: run.json, CSV files of histories and probes, pictures, the times in its .pvd file. Errors: EW_IO for
 * files, EW_INPUT for a folder that holds no run, EW_FAIL without memory. */
#ifndef EW_REPORT_REPORT_H
#define EW_REPORT_REPORT_H

#include <stdio.h>

#include "base/error.h"

typedef struct report_options {
  const char *folder; /* of the run */
  const char *path;   /* of the page */
  int n_beside;
  const char *const *
      beside; /* CSV files of measurements, drawn as points where a run's file has columns of the same name */
  int frames; /* the most pictures of a series that the page takes, evenly chosen; 0: 40 */
} report_options;

/* Writes the page, atomically. It asks for no other file and no network. `said` [FILE]: what was left out; may be NULL. */
ew_status report_write(const report_options *options, FILE *said, ew_error *err);

/* A page about measurements: `path` holds what `edgewise bench --json` printed, an object a line, of one device or several. EW_INPUT,
 * with the line, for what is none. */
ew_status report_bench(const char *path, const char *page_path, ew_error *err);

/* Numbers count as the same whose difference is at most `absolute`, or at most `relative` times the largest value of their column or field. */
typedef struct report_agreement {
  double relative, absolute;
} report_agreement;

/* Prints what the runs in two folders differ in: settings, numbers of the histories, fields of outputs of the same name. *same: nothing that
 * decides the answer differs. */
ew_status report_compare(const char *a, const char *b, report_agreement within, FILE *out, int *same,
                         ew_error *err);

#endif
