/* Values as pictures and plots show them. Internal to the runtime. */
#ifndef EW_EXEC_SHOW_H
#define EW_EXEC_SHOW_H

#include "run/internal.h"
#include "output/writer.h"

/* Values at the cells; of a field at nodes also those, else `node` is NULL. */
typedef struct exec_shown {
  double *cell, *node;
} exec_shown;

/* Reads a component of a field; name NULL: nothing. */
ew_status exec_show_read(exec_run *run, const char *name, exec_shown *s, ew_error *err);
void exec_shown_clear(exec_shown *s);

/* Whether the scheme has units: without, axes and times have none either. */
bool exec_has_units(const dslc_program *p);
/* "q.x, unit discharge [m²/s]": words are those of the scheme's comment. */
void exec_show_name(const dslc_program *p, const char *name, char *text, size_t size);
/* What stands at the vertical axis of a plot: of one field what exec_show_name says, of several the unit that they share, "[m]", or nothing. */
void exec_show_axis(const dslc_program *p, const case_plot *plot, char *text, size_t size);
/* A curve in the legend: the field, with its unit where the axis does not tell it. */
void exec_show_curve(const dslc_program *p, const case_plot *plot, int curve, char *text, size_t size);
/* "dam_break, t = 3 s" */
void exec_show_heading(const exec_run *run, char *text, size_t size);

/* Reads what a picture shows at the present time and adds the writer's job for it. */
ew_status exec_picture_add(exec_run *run, const case_picture *p, const char *path, exec_writer *writer,
                           ew_error *err);

#endif
