/* Line charts as SVG within a page: colours and strokes are classes of the page's style, so that a chart follows light, dark and print. */
#ifndef EW_REPORT_CHART_H
#define EW_REPORT_CHART_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* So many curves have a colour and a dash of their own. */
enum { CHART_STYLES = 7 };

typedef struct chart_curve {
  const char *label; /* in the legend */
  const double *x,
      *y; /* [n]; points that are not finite, or not positive on a logarithmic axis, leave a gap */
  size_t n;
  int style;   /* 0 to CHART_STYLES - 1 */
  bool points; /* measurements, or single points: marks instead of a line */
} chart_curve;

typedef struct chart {
  const char *title, *x_name, *y_name; /* with units, "t [s]" */
  bool log_x, log_y;
  int n;
  const chart_curve *curve;
} chart;

/* Writes an <svg> element with a title for readers of the screen. False, and nothing written: no point can be drawn. */
bool chart_write(FILE *out, const chart *c);

#endif
