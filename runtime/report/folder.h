/* What a run left in its folder. */
#ifndef EW_REPORT_FOLDER_H
#define EW_REPORT_FOLDER_H

#include <stddef.h>
#include <stdio.h>

#include "base/error.h"

struct cJSON;

/* Pictures NAME_0000.png, NAME_0001.png, ... in their order. */
typedef struct folder_series {
  char *name;
  int n;
  int *number; /* [n] of the outputs, ascending */
} folder_series;

typedef struct run_folder {
  const char *path;     /* not owned */
  struct cJSON *record; /* run.json */
  int n_csv;
  char **csv; /* file names, sorted */
  int n_series;
  folder_series *series; /* sorted by name */
  int n_times;
  double *time; /* [s] by number of output, NAN where the .pvd file tells none */
  int n_grids;
  char **grid; /* names of .vtu and .vti files, sorted */
  int n_rasters;
  char **raster; /* names of .asc and .tif files, sorted */
} run_folder;

/* EW_INPUT: there is no run.json, or it is none. */
ew_status run_folder_open(run_folder *out, const char *path, ew_error *err);
void run_folder_close(run_folder *f);

/* A file of the folder, to be read; NULL with the error set. It must be a regular one: nobody may ever write into a pipe. */
FILE *folder_file(const char *path, ew_error *err);

/* The value of a dotted key, "device.name", or NULL. Keys whose parts hold dots themselves cannot be asked for. */
const struct cJSON *run_folder_value(const run_folder *f, const char *key);
const char *run_folder_text(const run_folder *f, const char *key); /* "" if it is not there */
double run_folder_number(const run_folder *f, const char *key);    /* NAN if it is not there */

/* A column's or series' name, "q.x [m^2/s]", as people read it: "q.x, unit discharge [m²/s]", with the words that run.json keeps of the scheme. */
void run_folder_name(const run_folder *f, const char *name, char *text, size_t size);

#endif
