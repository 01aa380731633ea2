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
  char prefix[4096 + 512];
  va_list ap;
  va_start(ap, fmt);
  vsnprintf(prefix, sizeof prefix, fmt, ap);
  va_end(ap);
  size_t room = sizeof err->text - 1, before = strlen(prefix) + 2, inner = strlen(err->text);
  if (inner > room - before) inner = room - before;
  memmove(err->text + before, err->text, inner);
  memcpy(err->text, prefix, before - 2);
  memcpy(err->text + before - 2, ": ", 2);
  err->text[before + inner] = '\0';
  return err->status;
}
