/* ParaView collections: the list of a run's VTU files with their times. An output adds its entry in place of the end of the file, and the
 * end behind it, in one write, so that ParaView can open the file while the run goes on and the work does not grow with the number of
 * outputs. The first entry of a run, and one that follows after somebody else replaced the file, writes it as a whole, atomically. */
#ifndef EW_IO_PVD_H
#define EW_IO_PVD_H

#include "base/error.h"

typedef struct pvd pvd;

/* `path`: of the .pvd file (copied). Writes nothing yet. Owned by the caller. */
ew_status pvd_create(pvd **out, const char *path, ew_error *err);
void pvd_destroy(pvd **collection);

/* Notes `file` (its path as seen from the collection's folder) at `time` [s], for the next write: the entries of a run that is resumed. */
ew_status pvd_note(pvd *collection, double time, const char *file, ew_error *err);
/* Writes what was noted. */
ew_status pvd_write(pvd *collection, ew_error *err);

/* Both. */
ew_status pvd_add(pvd *collection, double time, const char *file, ew_error *err);

#endif
