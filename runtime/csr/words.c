/* The words by which users choose methods and preconditioners. */
#include <stdio.h>
#include <string.h>

#include "csr/precondition.h"
#include "options.h"

/* In the order of csr_method, csr_preconditioner. */
static const char *const METHOD[] = {"cg", "cg_three_term", "bicgstab", "minres", "gmres"};
static const char *const PRECISION[] = {"double", "mixed"};
static const char *const PRECONDITIONER[] = {"none", "jacobi", "chebyshev", "multigrid"};
enum {
  N_PRECISIONS = sizeof PRECISION / sizeof *PRECISION,
  N_METHODS = sizeof METHOD / sizeof *METHOD,
  N_PRECONDITIONERS = sizeof PRECONDITIONER / sizeof *PRECONDITIONER
};

const char *csr_end_name(csr_end end) {
  static const char *const NAME[] = {"nothing to do", "converged",      "limit",   "stagnated", "breakdown",
                                     "indefinite",    "preconditioner", "outside", "not finite"};
  return (unsigned)end < sizeof NAME / sizeof *NAME ? NAME[end] : NULL;
}

const char *csr_method_name(csr_method method) {
  return (unsigned)method < N_METHODS ? METHOD[method] : NULL;
}

const char *csr_preconditioner_name(csr_preconditioner which) {
  return (unsigned)which < N_PRECONDITIONERS ? PRECONDITIONER[which] : NULL;
}

/* The place of `word` in the list; n if it is not there. */
static ew_status find(const char *what, const char *word, const char *const *list, int n, int *out,
                      ew_error *err) {
  char all[128] = "";
  for (*out = 0; *out < n; ++*out) {
    if (strcmp(word, list[*out]) == 0) return EW_OK;
    size_t used = strlen(all);
    snprintf(all + used, sizeof all - used, "%s%s", *out ? ", " : "", list[*out]);
  }
  const char *near = cli_nearest(word, list, n);
  if (near) return ew_fail(err, EW_INPUT, "there is no %s '%s'; did you mean '%s'?", what, word, near);
  return ew_fail(err, EW_INPUT, "there is no %s '%s'; there are: %s", what, word, all);
}

ew_status csr_method_find(const char *word, csr_method *out, ew_error *err) {
  int found;
  ew_status status = find("method", word, METHOD, N_METHODS, &found, err);
  if (status == EW_OK) *out = (csr_method)found;
  return status;
}

ew_status csr_preconditioner_find(const char *word, csr_preconditioner *out, ew_error *err) {
  int found;
  ew_status status = find("preconditioner", word, PRECONDITIONER, N_PRECONDITIONERS, &found, err);
  if (status == EW_OK) *out = (csr_preconditioner)found;
  return status;
}

ew_status csr_precision_find(const char *word, bool *mixed, ew_error *err) {
  int found;
  ew_status status = find("precision", word, PRECISION, N_PRECISIONS, &found, err);
  if (status == EW_OK) *mixed = found == 1;
  return status;
}

const char *csr_precision_name(bool mixed) { return PRECISION[mixed]; }
