#include "case/problems.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "case/sample.h"

static exec_problem *grow(exec_problems *p) {
  if ((p->n & (p->n - 1)) == 0) { /* capacity: the power of two at or above n */
    exec_problem *grown = realloc(p->item, (p->n ? 2 * (size_t)p->n : 1) * sizeof *grown);
    if (!grown) return NULL;
    p->item = grown;
  }
  return &p->item[p->n];
}

void exec_complain(exec_checker *k, case_where at, const char *fmt, ...) {
  char *text = NULL;
  va_list args;
  va_start(args, fmt);
  if (vasprintf(&text, fmt, args) < 0) text = NULL;
  va_end(args);
  exec_problem *p = text ? grow(k->problems) : NULL;
  if (!p) {
    free(text);
    if (k->status == EW_OK) k->status = ew_fail(k->err, EW_FAIL, "out of memory for the problems of a case");
    return;
  }
  *p = (exec_problem){at, text};
  k->problems->n++;
}

bool exec_is_problem(exec_checker *k, const ew_error *err) {
  if (err->status == EW_INPUT || err->status == EW_IO) return true;
  if (k->status == EW_OK) k->status = ew_fail(k->err, err->status, "%s", err->text);
  return false;
}

void exec_problems_clear(exec_problems *problems) {
  for (int i = 0; i < problems->n; i++) free(problems->item[i].text);
  free(problems->item);
  *problems = (exec_problems){0};
}

void exec_problems_print(const exec_problems *problems, FILE *out) {
  char where[512];
  for (int i = 0; i < problems->n; i++)
    fprintf(out, "%s%s\n", exec_where(problems->item[i].at, where, sizeof where), problems->item[i].text);
}

/* ---- names ------------------------------------------------------------------------------------------------------------ */

bool exec_names_add(exec_names *names, const char *name) {
  if (names->n == names->capacity) {
    int capacity = names->capacity ? 2 * names->capacity : 16;
    const char **grown = realloc(names->name, (size_t)capacity * sizeof *grown);
    if (!grown) return false;
    names->name = grown;
    names->capacity = capacity;
  }
  names->name[names->n++] = name;
  return true;
}

void exec_names_clear(exec_names *names) {
  free(names->name);
  *names = (exec_names){0};
}

static int smaller(int a, int b) { return a < b ? a : b; }

enum { LONGEST = 48, FAR = 1000 };

/* Levenshtein's distance with neighbours exchanged counting once; long names are not compared. */
static int distance(const char *a, const char *b) {
  int n = (int)strlen(a), m = (int)strlen(b), row[3][LONGEST + 1];
  if (n > LONGEST || m > LONGEST) return FAR;
  for (int j = 0; j <= m; j++) row[0][j] = j;
  for (int i = 1; i <= n; i++) {
    int *now = row[i % 3], *last = row[(i + 2) % 3], *before = row[(i + 1) % 3];
    now[0] = i;
    for (int j = 1; j <= m; j++) {
      now[j] = smaller(smaller(last[j] + 1, now[j - 1] + 1), last[j - 1] + (a[i - 1] != b[j - 1]));
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        now[j] = smaller(now[j], before[j - 2] + 1);
    }
  }
  return row[n % 3][m];
}

static void list(const exec_names *names, char *text, size_t size) {
  size_t used = (size_t)snprintf(text, size, "; there %s ", names->n == 1 ? "is" : "are");
  for (int i = 0; i < names->n && used < size; i++)
    used += (size_t)snprintf(text + used, size - used, "%s'%s'", i ? ", " : "", names->name[i]);
}

const char *exec_suggest(const exec_names *names, const char *wrong, char *text, size_t size) {
  int best = -1, least = FAR;
  for (int i = 0; i < names->n; i++) {
    int d = distance(wrong, names->name[i]);
    if (d < least) least = d, best = i;
  }
  *text = '\0';
  if (best >= 0 && least <= 1 + (int)strlen(wrong) / 3)
    snprintf(text, size, "; did you mean '%s'?", names->name[best]);
  else if (names->n > 0 && names->n <= 12) list(names, text, size);
  return text;
}
