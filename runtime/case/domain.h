/* What a scheme runs on: an unstructured mesh, or a grid. */
#ifndef EW_EXEC_DOMAIN_H
#define EW_EXEC_DOMAIN_H

#include <stdio.h>

#include "case/case.h"
#include "grid/grid.h"
#include "mesh/mesh.h"

/* One of the two, the other is NULL; owned by whoever filled it. */
typedef struct exec_domain {
  mesh *m;
  grid *g;
} exec_domain;

/* The case's mesh, in its order and with patches grouped by rule, or its grid. */
ew_status exec_domain_create(const ew_case *c, exec_domain *out, ew_error *err);
void exec_domain_clear(exec_domain *d);

/* 0 if there is neither mesh nor grid. */
int exec_domain_dim(const exec_domain *d);
cell_id exec_domain_cells(const exec_domain *d);

/* The corners of the box around it; 0 along axes that it has not. */
void exec_domain_box(const exec_domain *d, double low[3], double high[3]);

/* Whether it continues at its other side, in any direction. */
bool exec_domain_is_periodic(const exec_domain *d);

/* "mesh" or "grid", for messages. */
const char *exec_domain_word(const exec_domain *d);

/* Bytes of one number in a buffer. */
size_t exec_element_size(dslc_element e);
/* Entries of a place in the program's buffers, ghosts and halos included, to a few percent. */
double exec_entries(const dslc_program *p, const exec_domain *d, dslc_place place);
/* Bytes that the program's buffers take on a device, to a few percent. */
double exec_forecast(const dslc_program *p, const exec_domain *d);

/* What is allowed but may not be meant, one warning a line. */
void exec_domain_notes(const ew_case *c, const exec_domain *d, FILE *out);

/* The same of a scheme that takes differences over `distance` on a mesh where these do not converge. */
void exec_distance_note(const ew_case *c, const exec_domain *d, const dslc_program *p, FILE *out);

/* Warns of times of output behind the run's end, which nobody will see. */
void exec_times_note(const ew_case *c, FILE *out);
/* Says of which series the run takes the last value for longer than they are. */
void exec_series_note(const ew_case *c, FILE *out);
/* How many of the case's output times lie behind t by more than rounding, and the first of them. */
int exec_times_behind(const ew_case *c, double t, double *first);

/* Finds the cells that hold points. It borrows the domain. */
typedef struct exec_locator exec_locator;
ew_status exec_locator_create(const exec_domain *d, exec_locator **out, ew_error *err);
void exec_locator_destroy(exec_locator **locator);
/* -1: the point x ([dim]) lies outside, or in a solid. */
cell_id exec_locate(const exec_locator *locator, const double *x);

/* A point of the domain: its cell, and what each of the cell's nodes weighs in a linear function's value there. */
typedef struct exec_spot {
  cell_id cell;
  double weight[4];
} exec_spot;
/* Cell -1 (see exec_locate) gives a spot of cell -1. Cells that are no simplices have no weights. */
exec_spot exec_spot_at(const exec_domain *d, cell_id cell, const double *x);

#endif
