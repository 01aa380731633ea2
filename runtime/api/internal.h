/* What stands behind an edgewise_run. Internal to runtime/api. */
#ifndef EW_API_INTERNAL_H
#define EW_API_INTERNAL_H

#include <locale.h>
#include <signal.h>
#include <stdio.h>

#include "api/edgewise.h"
#include "fields/view.h"
#include "lua/case_file.h"
#include "run/run.h"

typedef struct api_view {
  struct api_view *next;
  exec_view view;
} api_view;

/* A stream whose lines go to the caller, and while the run is opened also to `kept`. */
typedef struct api_stream {
  struct edgewise_run *run;
  edgewise_kind kind;
  FILE *file;
  char *line; /* not ended yet */
  size_t n, room;
} api_stream;

struct edgewise_run {
  edgewise_say *say;
  void *context;
  api_stream notes, print;
  bool opening;
  char *kept; /* what was noted while the run was opened */
  size_t n_kept;
  locale_t c; /* numbers have points, whatever the program's locale */
  locale_t outside;

  case_file *file;
  exec_life *life; /* NULL: it could not be opened */
  volatile sig_atomic_t stop;
  api_view *views;
  double *point[EDGEWISE_ZEDGES + 1]; /* coordinates that were asked for, where there is no array of them */
  uint8_t *cell_type;
  char folder[EW_PATH];
  ew_error err;
  char *text; /* of the last failure: err.text, and before it what was noted; NULL: err.text alone */
};

/* Every function of the header is between these two, once it has a run; enter forgets the last failure. */
void api_enter(edgewise_run *run);
edgewise_status api_leave(edgewise_run *run, ew_status status);

/* EW_USAGE, with the error set, for a run that could not be opened. */
ew_status api_check(edgewise_run *run);
/* The same for what the caller has to point at; `what`: "edgewise_map: view". */
ew_status api_check_given(edgewise_run *run, const void *pointer, const char *what);
exec_run *api_exec(const edgewise_run *run);

/* streams.c */
ew_status api_stream_open(edgewise_run *run, api_stream *s, edgewise_kind kind);
void api_stream_close(api_stream *s);

/* fields.c: whether a field is mapped: EW_USAGE, and which. */
ew_status api_check_unmapped(edgewise_run *run);
void api_unmap_all(edgewise_run *run);

/* EW_USAGE unless the caller's structure, whose first member is its size, has the `least` bytes of its first version: one whose size is not
 * set would stay as it is. `what`: "edgewise_map: view.size is not set to sizeof(edgewise_view)". */
ew_status api_check_size(edgewise_run *run, const void *structure, size_t least, const char *what);
/* Copies what a caller's structure has room for; its size stays. */
void api_fill(void *to, const void *from, size_t size);

#endif
