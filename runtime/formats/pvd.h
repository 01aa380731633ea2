/* ParaView collections: the list of a run's VTU files with their times. The file is rewritten as a whole,
 * atomically, after each output, so that ParaView can open it while the run goes on. */
#ifndef EW_IO_PVD_H
#define EW_IO_PVD_H

#include "base/error.h"

typedef struct pvd pvd;

/* `path`: of the .pvd file (copied). Writes nothing yet. Owned by the caller. */
ew_status pvd_create(pvd **out, const char *path, ew_error *err);
void pvd_destroy(pvd **collection);

/* Reads the entries of an existing collection with a time <= `until` [s], for a run that is resumed; a file
 * that does not exist counts as empty. Only collections that this module wrote are understood. */
ew_status pvd_continue(pvd *collection, double until, ew_error *err);

/* Appends `file` (its path as seen from the collection's folder) at `time` [s] and rewrites the collection.
 */
ew_status pvd_add(pvd *collection, double time, const char *file, ew_error *err);

#endif
