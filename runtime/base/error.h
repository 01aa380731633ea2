/* Errors of the runtime travel as values: every function that can fail returns an ew_status and fills an
 * ew_error. The numbers are the exit codes of the shells (docs/conventions), so a status is never translated. */
#ifndef EW_BASE_ERROR_H
#define EW_BASE_ERROR_H

typedef enum ew_status {
  EW_OK = 0,
  EW_FAIL = 1,          /* other failure */
  EW_USAGE = 2,         /* command line */
  EW_INPUT = 3,         /* scheme, case or mesh */
  EW_DIVERGED = 4,      /* solution not finite, or a declared bound violated */
  EW_DEVICE = 5,        /* OpenCL or device */
  EW_IO = 6,            /* file system */
  EW_CHECKPOINT = 7,    /* checkpoint unusable or mismatched */
  EW_STOPPED = 8,       /* stopped on request, can be resumed */
  EW_NOT_CONVERGED = 9, /* linear solver */
  EW_BUSY = 10,         /* another run writes into the output folder */
  EW_INTERNAL = 70
} ew_status;

/* The message of the innermost failure, with what outer calls added in front of it. */
typedef struct ew_error {
  ew_status status;
  char text[8192]; /* room for a path and what is said about it */
} ew_error;

/* Sets the message and returns `status`. `err` may be NULL. */
ew_status ew_fail(ew_error *err, ew_status status, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

/* Puts "prefix: " in front of the message; returns the status it already has. */
ew_status ew_context(ew_error *err, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Leaves the enclosing function through its `cleanup:` label; needs a local `ew_status status`. */
#define EW_CHECK(call)                                                                                       \
  do {                                                                                                       \
    status = (call);                                                                                         \
    if (status != EW_OK) goto cleanup;                                                                       \
  } while (0)

#endif
