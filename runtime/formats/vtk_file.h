/* The part that all of VTK's XML files share: the frame, the data arrays as one appended raw section of
 * zlib-compressed blocks with UInt64 headers, and the output's time. Format: "VTK XML Formats",
 * kitware.github.io/vtk-examples.
 *
 * Use: create, text and arrays in the order of the format (their data is only remembered, so it must live
 * until commit), commit. Data passes through one block's buffer; nothing of an array's size is allocated. */
#ifndef EW_IO_VTK_FILE_H
#define EW_IO_VTK_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

typedef enum vtk_type { VTK_U8, VTK_I32, VTK_F32, VTK_F64 } vtk_type;

/* One array: `count` points of `from` components each in memory, `to` in the file; the missing ones are taken
 * from `last` (one double a point, the last component) or are 0. */
typedef struct vtk_source {
  const char *name; /* NULL: an array without a name */
  const void *data; /* [count * from] of in_memory */
  vtk_type in_memory, in_file;
  int from, to; /* from <= to */
  size_t count;
  const double *last; /* [count] or NULL */
} vtk_source;

typedef struct vtk_file vtk_file;

/* Opens the grid's element `kind` ("UnstructuredGrid", ...; a literal) with its attributes ("" or `
 * WholeExtent="..."`) and writes the field data TimeValue = time [s]. */
ew_status vtk_file_create(vtk_file **out, const char *path, const char *kind, const char *attributes,
                          double time, ew_error *err);
void vtk_file_destroy(vtk_file **file);

ew_status vtk_file_text(vtk_file *file, ew_error *err, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

/* Writes the DataArray element now and the data at commit. */
ew_status vtk_file_array(vtk_file *file, const vtk_source *source, ew_error *err);

/* Closes the grid's element, writes the data and gives the file its name. Destroys the handle, also on
 * failure. */
ew_status vtk_file_commit(vtk_file **file, bool sync, ew_error *err);

#endif
