/* Measuring time: the clock that everything is timed with, and the median of what it gave. */
#ifndef EW_BASE_TIMING_H
#define EW_BASE_TIMING_H

/* Seconds of a clock that only runs forward, from an arbitrary beginning; to the nanosecond where the system has it. */
double ew_seconds(void);

/* The median of x [n], n >= 1; the mean of the two in the middle if n is even. Sorts x, the least first. */
double ew_median(double *x, int n);

#endif
