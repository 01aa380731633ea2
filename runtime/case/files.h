/* The files that a case's outputs write into its folder. Each output names its own here, and nowhere else: so two that would write the same
 * one are found, and the record knows which files are the run's. Internal to the runtime. */
#ifndef EW_CASE_FILES_H
#define EW_CASE_FILES_H

#include <limits.h>

#include "case/case.h"

typedef struct exec_named_file {
  const char *kind, *name; /* for messages: "picture", and which; NULL: there is but one of the kind */
  const void *of;          /* the output of the case */
  char stem[NAME_MAX + 16];
  const char *suffix; /* "png" */
  bool numbered;      /* STEM_0003.png at each output, else STEM.png */
  int place;          /* in the list */
  case_where at;
} exec_named_file;

exec_named_file exec_plot_file(const case_output *o, int index);
exec_named_file exec_picture_file(const case_output *o, int index);
/* Of one of the raster's fields. */
exec_named_file exec_raster_file(const ew_case *c, const case_raster *r, int field);

/* Its name at output `number`, without the folder. */
void exec_file_name(const exec_named_file *f, int number, char *name, size_t size);

/* All files but those of the fields (VTU) and of a failure; the list is the caller's. Errors: EW_FAIL, no memory. */
ew_status exec_files_list(const ew_case *c, exec_named_file **list, int *n, ew_error *err);

/* The next file from *at on that an earlier one of the list overwrites, or would be overwritten by; `other` is the earlier one. NULL: there is no
 * more. The list is to be sorted by exec_files_sort before. */
void exec_files_sort(exec_named_file *list, int n);
const exec_named_file *exec_files_clash(const exec_named_file *list, int n, int *at,
                                        const exec_named_file **other);

#endif
