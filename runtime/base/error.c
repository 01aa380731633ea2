#include "base/error.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

ew_status ew_fail(ew_error *err, ew_status status, const char *fmt, ...) {
  if (!err) return status;
  va_list ap;
  va_start(ap, fmt);
  vsnprintf(err->text, sizeof err->text, fmt, ap);
  va_end(ap);
  err->status = status;
  return status;
}

ew_status ew_context(ew_error *err, const char *fmt, ...) {
  if (!err) return EW_FAIL;
  char prefix[512];
  va_list ap;
  va_start(ap, fmt);
  vsnprintf(prefix, sizeof prefix, fmt, ap);
  va_end(ap);
  char inner[sizeof err->text];
  memcpy(inner, err->text, sizeof inner);
  snprintf(err->text, sizeof err->text, "%s: %.3500s", prefix, inner);
  return err->status;
}
