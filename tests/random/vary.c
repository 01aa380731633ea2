/* A scheme like another one: some of its parts take the place of others, lines move, come twice or are left out, words become others of their
 * kind; parts and lines of a second scheme come in, if there is one. Of each change it is asked whether `check` takes it; what it refuses is taken back. So schemes come about that the generator would never
 * write, however far from each other what they combine stands in it: whatever it holds fixed, a change may touch. */
#include <stdlib.h>
#include <string.h>

#include "mesh/random.h"
#include "pieces.h"
#include "random.h"

typedef struct chooser {
  const char *text, *second; /* second: where parts and lines may come from, too, or NULL */
  uint64_t *state;
} chooser;

static size_t any_below(chooser c, size_t n) { return (size_t)random_below(c.state, n); }

/* Where the next part or line comes from. */
static chooser source(chooser c) {
  if (c.second && any_below(c, 3) == 0) c.text = c.second;
  return c;
}

static char *part_text(const char *text, token at) { return strndup(text + at.from, at.to - at.from); }

/* ---- lines --------------------------------------------------------------------------------------------------------------- */

enum { MOST_LINES = 400 };

/* Where lines begin, behind the first, which names the scheme. */
static int lines_of(const char *text, size_t *begin) {
  int n = 0;
  for (size_t at = strcspn(text, "\n"); text[at] && text[at + 1] && n < MOST_LINES;
       at += 1 + strcspn(text + at + 1, "\n"))
    begin[n++] = at + 1;
  return n;
}

static token any_line(chooser c) {
  size_t begin[MOST_LINES];
  const int n = lines_of(c.text, begin);
  if (n == 0) return (token){0, 0};
  const size_t at = begin[any_below(c, (size_t)n)];
  return (token){at, end_of_line(c.text, at)};
}

static char *leave_out(chooser c) { return replaced(c.text, any_line(c), ""); }

static char *copy_line(chooser c) {
  const chooser by = source(c);
  const token from = any_line(by), to = any_line(c);
  char *line = part_text(by.text, from),
       *made = line ? replaced(c.text, (token){to.from, to.from}, line) : NULL;
  free(line);
  return made;
}

static char *move_line(chooser c) {
  const token from = any_line(c);
  char *line = part_text(c.text, from), *rest = line ? replaced(c.text, from, "") : NULL, *made = NULL;
  if (rest) {
    const token to = any_line((chooser){rest, NULL, c.state});
    made = replaced(rest, (token){to.from, to.from}, line);
  }
  free(line), free(rest);
  return made;
}

static char *enclose_line(chooser c) {
  static const char *const ways[][2] = {{"    repeat {\n", "    } until t > -1 at most 2\n"},
                                        {"    repeat {\n", "    } until s0 > 99 at most 2\n"},
                                        {"    at t + dt {\n", "    }\n"},
                                        {"    at t + dt/2 {\n", "    }\n"},
                                        {"    at t + 0.3*dt {\n", "    }\n"}};
  const token at = any_line(c);
  const size_t k = any_below(c, sizeof ways / sizeof *ways);
  char *line = part_text(c.text, at), *all = NULL, *made = NULL;
  const size_t n = line ? strlen(ways[k][0]) + strlen(line) + strlen(ways[k][1]) + 1 : 0;
  if (line && (all = malloc(n))) {
    strcpy(all, ways[k][0]), strcat(all, line), strcat(all, ways[k][1]);
    made = replaced(c.text, at, all);
  }
  free(line), free(all);
  return made;
}

/* ---- parts of formulas ------------------------------------------------------------------------------------------------------ */

static bool closes(const char *text, const token *t, int n, int open, int *close) {
  for (int b = open + 1; b <= n; b++)
    if (is_balanced(text, t, open, b)) return *close = b, true;
  return false;
}

/* What begins with token i: a word, with what stands behind it in brackets, or brackets. */
static bool part_at(const char *text, const token *t, int n, int i, token *part) {
  const char first = text[t[i].from];
  int end = i + 1;
  if (first == '(') {
    if (!closes(text, t, n, i, &end)) return false;
  } else if (!is_of_word(first)) return false;
  while (end < n && t[end].from == t[end - 1].to && strchr("([", text[t[end].from]))
    if (!closes(text, t, n, end, &end)) return false;
  return *part = (token){t[i].from, t[end - 1].to}, true;
}

static bool any_part(chooser c, token *part) {
  for (int tries = 0; tries < 20; tries++) {
    token t[MOST_TOKENS];
    const token line = any_line(c);
    const int n = tokens_of(c.text, line.from, line.from + strcspn(c.text + line.from, "\n"), t);
    if (n > 0 && part_at(c.text, t, n, (int)any_below(c, (size_t)n), part)) return true;
  }
  return false;
}

static char *put_part(chooser c) {
  const chooser by = source(c);
  token to, from;
  if (!any_part(c, &to) || !any_part(by, &from)) return NULL;
  char *what = part_text(by.text, from), *made = what ? replaced(c.text, to, what) : NULL;
  free(what);
  return made;
}

/* `%` stands for the part. */
static char *wrap_part(chooser c) {
  static const char *const forms[] = {"t",
                                      "dt",
                                      "dt.free",
                                      "0",
                                      "1",
                                      "sin(t)",
                                      "sin(3*t + %)",
                                      "%.prev",
                                      "%.prev",
                                      "%.old",
                                      "(% + 0.1*t)",
                                      "(%*dt)",
                                      "(% + 0.1*dt.free)",
                                      "min(%, 0.3017)",
                                      "max(%, 0.1017)",
                                      "abs(%)",
                                      "(0.5*%)",
                                      "(-%)",
                                      "(%)^2",
                                      "%[L]",
                                      "%[R]",
                                      "%[inner]",
                                      "%[mirror]",
                                      "mean(%)",
                                      "jump(%)",
                                      "%[c]",
                                      "%[d]",
                                      "%[J]",
                                      "%[I]",
                                      "%[i+1]",
                                      "%[i-1,j]",
                                      "%[i,j+1]",
                                      "%[i-2,j]",
                                      "%[i+1,j-1]",
                                      "%[i,j,k+1]",
                                      "%.x",
                                      "%.y",
                                      "dt/3",
                                      "0.31*dt",
                                      "(if t > 0.04 then % else 0.2)",
                                      "(if % > 0.2017 then % else 0.1)",
                                      "(0.1*g0)",
                                      "(0.1*g1)",
                                      "(0.1*g2)",
                                      "(max(c in cells) %)",
                                      "(0.1*sum(c in cells) %)",
                                      "(min(I in nodes) %)",
                                      "(% + s0)",
                                      "(% + 0.1*s0.prev)",
                                      "(0.1*sum(f of c) %)",
                                      "(0.1*sum(f of c to d) %[d])",
                                      "(0.1*sum(J near I) %[J])",
                                      "(s0)'",
                                      "one0"};
  token at;
  if (!any_part(c, &at)) return NULL;
  const char *form = forms[any_below(c, sizeof forms / sizeof *forms)];
  char *part = part_text(c.text, at), *what = NULL, *made = NULL;
  size_t size = 0;
  FILE *f = part ? open_memstream(&what, &size) : NULL;
  if (f) {
    for (const char *p = form; *p; p++)
      if (*p == '%') fputs(part, f);
      else fputc(*p, f);
    fclose(f);
    made = what ? replaced(c.text, at, what) : NULL;
  }
  free(part), free(what);
  return made;
}

/* ---- words ------------------------------------------------------------------------------------------------------------------- */

/* Words of a kind, each with a blank behind it. */
static const char *const kinds[] = {"fix ghost flux add fix ",
                                    "sum min max ",
                                    "euler midpoint heun ssp_rk2 ssp_rk3 rk4 ",
                                    "cells faces nodes edges ",
                                    "cells xfaces yfaces zfaces corners xedges yedges zedges ",
                                    "L R ",
                                    "c d ",
                                    "I J ",
                                    "inner mirror ",
                                    "x y z ",
                                    "i j k ",
                                    "prev old ",
                                    "and or ",
                                    "xfaces yfaces cells corners ",
                                    "scalar vector tensor ",
                                    "r0 r1 r2 ",
                                    "s0 s1 v0 u0 u1 ",
                                    "e0 e1 e2 e3 e4 ",
                                    "q0 q1 q2 ",
                                    "g0 g1 g2 ",
                                    "h0 h1 ",
                                    "p0 p1 a0 a1 "};

static const char *in_kind(const char *kind, const char *word, size_t n) {
  for (const char *p = kind; *p; p += strcspn(p, " ") + 1)
    if (strcspn(p, " ") == n && strncmp(p, word, n) == 0) return p;
  return NULL;
}

static char *other_of(chooser c, const char *kind) {
  size_t n = 0;
  for (const char *p = kind; *p; p++) n += *p == ' ';
  const char *word = kind;
  for (size_t k = any_below(c, n); k > 0; k--) word += strcspn(word, " ") + 1;
  return strndup(word, strcspn(word, " "));
}

static char *exchange_word(chooser c) {
  const size_t n_kinds = sizeof kinds / sizeof *kinds;
  for (int tries = 0; tries < 40; tries++) {
    token t[MOST_TOKENS];
    const token line = any_line(c);
    const int n = tokens_of(c.text, line.from, line.from + strcspn(c.text + line.from, "\n"), t);
    const size_t first = any_below(c, n_kinds);
    const token at = n > 0 ? t[any_below(c, (size_t)n)] : (token){0, 0};
    for (size_t k = 0; n > 0 && k < n_kinds; k++) {
      const char *kind = kinds[(first + k) % n_kinds];
      if (!in_kind(kind, c.text + at.from, at.to - at.from)) continue;
      char *word = other_of(c, kind), *made = word ? replaced(c.text, at, word) : NULL;
      free(word);
      return made;
    }
  }
  return NULL;
}

/* ---- the whole ------------------------------------------------------------------------------------------------------------- */

static char *change(chooser c) {
  static char *(*const changes[])(chooser) = {put_part,  put_part,      put_part,      wrap_part,
                                              wrap_part, exchange_word, exchange_word, copy_line,
                                              move_line, move_line,     leave_out,     enclose_line};
  return changes[any_below(c, sizeof changes / sizeof *changes)](c);
}

static int times(const char *text, const char *word) {
  int n = 0;
  for (const char *p = strstr(text, word); p; p = strstr(p + 1, word)) n++;
  return n;
}

/* A repeat has a thousand passes where nothing is said of it; one in another, a million. */
static bool may_take_long(const char *text) { return times(text, "repeat {") > times(text, "at most") + 1; }

static bool is_taken(const options *o, const subject *s, const char *text) {
  if (may_take_long(text)) return false;
  subject like = *s;
  like.text = (char *)text;
  return save_scheme(o->folder, text) && check_accepts(o, &like);
}

enum { TRIES = 12 }; /* for each change that is taken, on average */

char *vary_scheme(const options *o, const subject *s) {
  uint64_t state = random_seed(s->seed ^ 0x7a91ULL);
  const int wanted = 1 + (int)random_below(&state, (uint64_t)o->vary);
  char *text = strdup(s->text);
  for (int tries = 0, taken = 0; text && tries < TRIES * wanted && taken < wanted; tries++) {
    char *other = change((chooser){text, s->second, &state});
    if (!other || strcmp(other, text) == 0 || !is_taken(o, s, other)) {
      free(other);
      continue;
    }
    free(text);
    text = other;
    taken++;
  }
  return text;
}
