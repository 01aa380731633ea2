/* The parts of a report's page, in the order in which they stand there. Each writes nothing where the run has nothing of the kind. */
#ifndef EW_REPORT_PARTS_H
#define EW_REPORT_PARTS_H

#include <stdio.h>

#include "report/folder.h"
#include "report/report.h"

/* A page, saved atomically: its head with the style, what `write` writes of `data`, the script, the end. */
typedef struct page {
  const char *path, *title;
  ew_status (*write)(FILE *out, const void *data, ew_error *err);
  const void *data;
} page;
ew_status page_save(const page *p, ew_error *err);

/* A table of kernels [triad: GB/s, peak: Gflop/s; NAN: not known] and where they lie below the roofs; returns how many there are. */
int page_roofline(FILE *out, const struct cJSON *kernels, double triad, double peak);

void page_heading(FILE *out, const run_folder *f);
/* Warnings, how it ended, what it was resumed from. */
void page_notes(FILE *out, const run_folder *f);
/* Series of pictures, each with a slider over the outputs' times. */
ew_status page_pictures(FILE *out, const run_folder *f, const report_options *options, FILE *said,
                        ew_error *err);
/* Histories and probes, the columns of one unit in one chart, measurements beside them. `said`: see report_write. */
ew_status page_curves(FILE *out, const run_folder *f, const report_options *options, FILE *said,
                      ew_error *err);
/* Linear solvers, what the run took, its kernels with a roofline if they were measured. */
void page_costs(FILE *out, const run_folder *f);
void page_kernels(FILE *out, const run_folder *f);
/* What ran on what, and the command that does it again. */
void page_provenance(FILE *out, const run_folder *f);

#endif
