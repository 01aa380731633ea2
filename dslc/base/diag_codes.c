#include <string.h>

#include "base/diag_internal.h"

typedef struct code_info {
  const char *text;
  diag_severity severity;
  const char *title, *explanation;
} code_info;

#define LETTER_DIAG_ERROR   "E"
#define LETTER_DIAG_WARNING "W"
#define LETTER_DIAG_NOTE    "N"

static const code_info codes[DIAG_CODE_COUNT] = {
#define DIAG(name, number, severity, title, explanation)                                                     \
  [DIAG_##name] = {LETTER_##severity "0" #number, severity, title, explanation},
#include "base/diag_codes.def"
#undef DIAG
};

const char *diag_code_text(diag_code code) { return codes[code].text; }
diag_severity diag_code_severity(diag_code code) { return codes[code].severity; }
const char *diag_code_title(diag_code code) { return codes[code].title; }
const char *diag_code_explanation(diag_code code) { return codes[code].explanation; }

/* Accepts E0123, e0123, 0123 and 123: who asks has the number from a message. */
bool diag_code_find(const char *text, diag_code *code) {
  const char *digits = text;
  if (*digits && strchr("EWNewn", *digits)) digits++;
  while (*digits == '0') digits++;
  for (int i = 0; i < DIAG_CODE_COUNT; i++) {
    if (strcmp(codes[i].text + 2, digits) != 0) continue;
    *code = (diag_code)i;
    return true;
  }
  return false;
}

const char *diag_severity_word(diag_severity severity) {
  switch (severity) {
  case DIAG_ERROR: return "error";
  case DIAG_WARNING: return "warning";
  case DIAG_NOTE: break;
  }
  return "note";
}
