/* The same scheme with units: some states, givens and a parameter have one, time and geometry have theirs. What is read is divided by one of
 * its unit, what is assigned multiplied: both mean the scheme without. */
#include <stdlib.h>
#include <string.h>

#include "random.h"

enum { MOST_NAMES = 16 };

typedef struct united {
  FILE *out;
  const char *dims; /* as exponents: "2", "3" or "D" */
  int n;
  struct {
    char name[8];
    const char *unit;
  } of[MOST_NAMES];
} united;

static bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
static bool starts(const char *at, const char *with) { return strncmp(at, with, strlen(with)) == 0; }

static bool is_name(const char *at, size_t length, const char *name) {
  return strlen(name) == length && strncmp(at, name, length) == 0;
}

/* ---- who has a unit --------------------------------------------------------------------------------------------------- */

/* Read as a list, as in s1[i-2..i+1,j]. */
static bool is_sliced(const char *text, const char *name, size_t length) {
  for (const char *at = text; (at = strstr(at, name)); at += length) {
    const char *end = at[length] == '[' ? strchr(at, ']') : NULL, *range = end ? strstr(at, "..") : NULL;
    if (range && range < end) return true;
  }
  return false;
}

/* What an exchange puts in each other's place has one unit, or none. */
static bool is_exchanged_and_sliced(const char *text, const char *name) {
  return name[0] == 'u' && strstr(text, "\n  exchange ") &&
         (is_sliced(text, "u0", 2) || is_sliced(text, "u1", 2));
}

static void give(united *u, const char *text, const char *at, const char *unit) {
  char name[8] = "";
  const size_t length = strcspn(at, " \n");
  if (u->n == MOST_NAMES || length + 1 > sizeof name) return;
  memcpy(name, at, length);
  if (is_sliced(text, name, length) || is_exchanged_and_sliced(text, name)) return;
  memcpy(u->of[u->n].name, name, sizeof name);
  u->of[u->n++].unit = unit;
}

/* Not the first state, which many formulas name; nor lists, nor states at faces, which several statements at once assign. */
static void give_units(united *u, const char *text) {
  for (const char *line = text; *line; line += strcspn(line, "\n") + 1) {
    const char *end = strchr(line, '\n'), *list = strstr(line, "real[");
    if (!end) return;
    const char *faces = strstr(line, "@ faces");
    const bool plain = (!list || list > end) && (!starts(line, "  state ") || !faces || faces > end);
    if (starts(line, "  state ") && plain && !starts(line, "  state s0") && !starts(line, "  state one0"))
      give(u, text, line + 8, line[8] == 'v' ? "[m/s]" : "[K]");
    if (starts(line, "  given ") && plain) give(u, text, line + 8, "[Pa/m]");
    if (starts(line, "  parameter p0")) give(u, text, line + 12, "[kg]");
  }
}

static const char *unit_of(const united *u, const char *at, size_t length) {
  for (int i = 0; i < u->n; i++)
    if (is_name(at, length, u->of[i].name)) return u->of[i].unit;
  return NULL;
}

/* ---- formulas ------------------------------------------------------------------------------------------------------------ */

/* The exponent of a metre; NULL: no length. */
static const char *power_of(const united *u, const char *at, size_t length) {
  static const char *const lines[] = {"dx", "dy",       "dz",   "xc",     "yc",
                                      "zc", "distance", "size", "centre", "distance_to"};
  if (is_name(at, length, "volume")) return u->dims;
  if (is_name(at, length, "area")) return u->dims[0] == 'D' ? "(D - 1)" : u->dims[0] == '2' ? "1" : "2";
  for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
    if (is_name(at, length, lines[i])) return "1";
  return NULL;
}

/* Where what is read ends: its level, its index, a component of it. */
static const char *end_of_read(const char *at) {
  for (;;) {
    if (*at == '[') at = strchr(at, ']') + 1;
    else if (*at == '.' && is_letter(at[1])) at += 1 + strspn(at + 1, "abcdefghijklmnopqrstuvwxyz");
    else return at;
  }
}

static const char *write_name(const united *u, const char *at, const char *limit) {
  size_t length = 0;
  while (at + length < limit && is_in_name(at[length])) length++;
  const char *unit = unit_of(u, at, length), *power = power_of(u, at, length), *end = at + length;
  const bool time = is_name(at, length, "t") || is_name(at, length, "dt");
  if (is_name(at, length, "distance_to")) end = strchr(at, ')') + 1;
  if (unit || power || time) end = end_of_read(end);
  const int n = (int)(end - at);
  if (unit) fprintf(u->out, "(%.*s/(1 %s))", n, at, unit);
  else if (power) fprintf(u->out, "(%.*s/(1 [m])^%s)", n, at, power);
  else if (time) fprintf(u->out, "(%.*s/(1 [s]))", n, at);
  else fprintf(u->out, "%.*s", n, at);
  return end;
}

static void write_formula(const united *u, const char *at, const char *end) {
  while (at < end) {
    const bool number = *at >= '0' && *at <= '9', part = *at == '.' || *at == '[';
    if (is_letter(*at)) at = write_name(u, at, end);
    else if (number || (part && *at == '.')) do
        fputc(*at++, u->out);
      while (at < end && (is_in_name(*at) || *at == '.'));
    else fputc(*at++, u->out);
  }
}

/* ---- lines ------------------------------------------------------------------------------------------------------------------ */

static void write_times(const united *u, const char *at, const char *end, const char *unit) {
  fputc('(', u->out);
  write_formula(u, at, end);
  fprintf(u->out, ")*(1 %s)", unit);
}

/* integrate a' = ..., b' = ... by METHOD over ... */
static void write_integrate(const united *u, const char *line, const char *end) {
  const char *by = strstr(line, " by "), *at = strstr(line, "integrate ") + 10;
  fprintf(u->out, "%.*s", (int)(at - line), line);
  while (at < by) {
    const size_t length = strcspn(at, "'");
    const char *says = strstr(at, " = ") + 3, *more = strstr(says, "' = "), *next = by;
    if (more && more < by)
      for (next = more; !starts(next, ", "); next--) {
      }
    const char *unit = unit_of(u, at, length);
    fprintf(u->out, "%.*s", (int)(says - at), at);
    write_times(u, says, next, !unit ? "[1/s]" : strcmp(unit, "[K]") == 0 ? "[K/s]" : "[m/s^2]");
    if (next < by) fputs(", ", u->out), next += 2;
    at = next;
  }
  const char *over = strstr(by, " over ") + strlen(" over ");
  const bool is_number = over + strspn(over, "0123456789.") == end;
  fprintf(u->out, "%.*s%s", (int)(end - by), by, is_number ? " [s]" : "");
}

/* What a line declares or assigns, up to its formula: `ghost s1 = `; its unit, or NULL. */
static const char *formula_of(const united *u, const char *line, const char *end, const char **unit) {
  static const char *const heads[] = {"    update ", "    ghost ", "    fix ",
                                      "      ",      "  dt = ",    "  span = "};
  const char *says = strstr(line, " = ");
  *unit = NULL;
  for (size_t i = 0; says && says < end && i < sizeof heads / sizeof *heads; i++) {
    const char *name = line + strlen(heads[i]);
    const bool time = i > 3;
    if (!starts(line, heads[i]) || (!time && unit_of(u, name, (size_t)(says - name)) == NULL)) continue;
    *unit = time ? "[s]" : unit_of(u, name, (size_t)(says - name));
    return says + 3;
  }
  return NULL;
}

static bool is_kept(const char *line) {
  static const char *const heads[] = {"import ",   "scheme ",     "  variant ", "  exchange ",
                                      "    at t ", "  boundary ", "  step {"};
  for (size_t i = 0; i < sizeof heads / sizeof *heads; i++)
    if (starts(line, heads[i])) return true;
  return false;
}

/* Bounds, whose numbers have the unit too; other words as they are. */
static void write_bounds(const united *u, const char *at, const char *end, const char *unit) {
  while (at < end) {
    const size_t number = strspn(at, "-0123456789.");
    if (number) fprintf(u->out, "%.*s %s", (int)number, at, unit);
    else fputc(*at, u->out);
    at += number ? number : 1;
  }
}

static void write_declared(const united *u, const char *line, const char *end) {
  const char *name = strchr(line + 2, ' ') + 1, *unit = unit_of(u, name, strcspn(name, " \n"));
  const char *time = strstr(line, " over time"), *until = time && time < end ? time : end;
  const char *bounds = line + strcspn(line, "<>\n");
  if (bounds < until) until = bounds - 1; /* the blank before it */
  fprintf(u->out, "%.*s", (int)(until - line), line);
  if (!unit) fprintf(u->out, "%.*s", (int)(end - until), until);
  else fprintf(u->out, " %s", unit), write_bounds(u, until, end, unit);
}

static void write_line(const united *u, const char *line, const char *end) {
  const char *unit, *formula = formula_of(u, line, end, &unit);
  const bool declared =
      starts(line, "  state ") || starts(line, "  given ") || starts(line, "  parameter p0");
  if (declared) write_declared(u, line, end);
  else if (starts(line, "    at t + dt { "))
    fprintf(u->out, "    at t + dt { update s0 = 0.9*s0 + 0.01*sin(t/(1 [s])) }");
  else if (is_kept(line)) fprintf(u->out, "%.*s", (int)(end - line), line);
  else if (starts(line, "    integrate ")) write_integrate(u, line, end);
  else if (formula) {
    fprintf(u->out, "%.*s", (int)(formula - line), line);
    write_times(u, formula, end, unit);
  } else {
    const char *says = strstr(line, " = "); /* what stands before is a name and its place */
    const bool named = says && says < end && (line[2] != ' ' || starts(line, "    let "));
    if (named) fprintf(u->out, "%.*s", (int)(says - line), line), line = says;
    write_formula(u, line, end);
  }
}

/* NULL: it holds what has units of its own here, integrals of elements, operators, tuples, or is to be refused. */
char *unite_scheme(const char *text, int dims) {
  static const char *const others[] = {"op0(", "@ nodes", "U @ cells", "far", "rs @ faces"};
  char *made = NULL;
  size_t size;
  united u = {.dims = strstr(text, "on mesh(D)") ? "D" : dims == 2 ? "2" : "3"};
  for (size_t i = 0; i < sizeof others / sizeof *others; i++)
    if (strstr(text, others[i])) return NULL;
  give_units(&u, text);
  u.out = u.n ? open_memstream(&made, &size) : NULL;
  if (!u.out) return NULL;
  for (const char *line = text, *end; *line; line = end + 1) {
    end = line + strcspn(line, "\n");
    write_line(&u, line, end);
    fputc('\n', u.out);
    if (!*end) break;
  }
  fclose(u.out);
  return made;
}
