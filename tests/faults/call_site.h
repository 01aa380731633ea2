/* Where in the program a call comes from, as a number: for programs that let one call of each place fail. */
#ifndef FAULTS_CALL_SITE_H
#define FAULTS_CALL_SITE_H

#include <stdint.h>
#include <unwind.h>

enum { CALL_SITE_FRAMES = 64 };

typedef struct call_stack {
  uintptr_t at[CALL_SITE_FRAMES];
  int n;
} call_stack;

/* Each address once: how deep a recursion is makes no other place of it. */
static _Unwind_Reason_Code call_site_frame(struct _Unwind_Context *c, void *to) {
  call_stack *s = to;
  uintptr_t at = _Unwind_GetIP(c);
  for (int i = 0; i < s->n; i++)
    if (s->at[i] == at) return _URC_NO_REASON;
  s->at[s->n++] = at;
  return s->n < CALL_SITE_FRAMES ? _URC_NO_REASON : _URC_END_OF_STACK;
}

/* May allocate. */
static uint64_t call_site(void) {
  call_stack s = {.n = 0};
  uint64_t hash = 14695981039346656037u;
  _Unwind_Backtrace(call_site_frame, &s);
  for (int i = 0; i < s.n; i++) hash = (hash ^ s.at[i]) * 1099511628211u;
  return hash;
}

#endif
