/* What the files show that a run goes on with behind a checkpoint, in words that tell one from another. Internal to the runtime. */
#ifndef EW_RUN_SHOWN_H
#define EW_RUN_SHOWN_H

#include "case/case.h"
#include "run/pairs.h"

/* In front of names of files whose rows have one meaning from the first to the last. */
#define SHOWN_IN "shown in "
/* Behind it, of all files of rows. */
#define SHOWN_ROWS "probes and history"

/* Adds to `out` where probes are, which rows of a file have to agree in: names behind `rows`; and how pictures, plots, rasters and files of
 * fields are made, of which each output has its own: names behind `each`. */
ew_status exec_shown_facts(const ew_case *c, int dim, const char *rows, const char *each, exec_pairs *out,
                           ew_error *err);

#endif
