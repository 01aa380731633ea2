/* Makes a failure smaller: lines, balanced runs of tokens and arguments of calls are cut out of the scheme's text, the mesh shrinks,
 * settings go, while the same kind of failure stays. What the compiler does not accept costs a check only. */
#include <stdlib.h>
#include <string.h>

#include "base/timing.h"
#include "pieces.h"
#include "random.h"

typedef struct reducer {
  const options *o;
  trial *t;
  outcome kept;
  char code[VERIFY_TEXT]; /* of a refusal: "error[E0300]"; of a difference the field */
  double least;           /* difference that counts */
  double until;
} reducer;

static bool in_time(const reducer *r) { return ew_seconds() < r->until; }

/* What has to stay: the first word of a failure, of a difference the field. */
static void name_of(outcome kept, const char *why, char code[VERIFY_TEXT]) {
  const char *field = kept == DIFFERS ? strstr(why, " at ") : NULL;
  if (field) snprintf(code, VERIFY_TEXT, "%.*s", (int)strcspn(field + 4, ","), field + 4);
  else snprintf(code, VERIFY_TEXT, "%.12s", why);
}

static bool still_fails(const reducer *r, const trial *t) {
  char why[1024];
  double difference;
  if (judge(r->o, t, &difference, why, sizeof why) != r->kept) return false;
  char code[VERIFY_TEXT];
  name_of(r->kept, why, code);
  return (r->kept != DIFFERS || difference >= r->least) && strcmp(code, r->code) == 0;
}

/* ---- the text ---------------------------------------------------------------------------------------------------------- */

/* Takes the text with [from, to) replaced if the failure stays. */
static bool cut(reducer *r, size_t from, size_t to, const char *instead) {
  char *text = replaced(r->t->text, (token){from, to}, instead);
  if (!text) return false;
  trial t = *r->t;
  t.text = text;
  if (!still_fails(r, &t)) return free(text), false;
  free(r->t->text);
  r->t->text = text;
  return true;
}

static bool cut_lines(reducer *r) {
  bool changed = false;
  size_t from = strcspn(r->t->text, "\n") + 1;
  while (r->t->text[from] && in_time(r)) {
    if (cut(r, from, end_of_line(r->t->text, from), "")) changed = true;
    else from += strcspn(r->t->text + from, "\n") + 1;
    if (from > strlen(r->t->text)) break;
  }
  return changed;
}

/* Runs of tokens of one line, long ones first: away, or a number in their place. */
static bool cut_tokens(reducer *r, size_t line) {
  token t[MOST_TOKENS];
  bool changed = false;
  int n = tokens_of(r->t->text, line, line + strcspn(r->t->text + line, "\n"), t);
  for (int length = n - 1; length > 0; length--)
    for (int a = 0; a + length <= n && in_time(r); a++) {
      if (length > n - 1 || !is_balanced(r->t->text, t, a, a + length)) continue;
      bool away = cut(r, t[a].from, t[a + length - 1].to, "");
      if (!away && (length < 3 || !cut(r, t[a].from, t[a + length - 1].to, "1"))) continue;
      changed = true;
      n = tokens_of(r->t->text, line, line + strcspn(r->t->text + line, "\n"), t);
    }
  return changed;
}

/* f(a, b) or (a) becomes a, or b. */
static bool unwrap(reducer *r, size_t open) {
  const char *text = r->t->text;
  size_t start = open, close = open, from = open + 1;
  int depth = 0;
  while (start > 0 && is_of_word(text[start - 1])) start--;
  for (; text[close] && text[close] != '\n'; close++) {
    depth += (text[close] == '(') - (text[close] == ')');
    if (depth == 0 || (depth == 1 && text[close] == ',')) {
      char part[4096];
      snprintf(part, sizeof part, "%.*s", (int)(close - from), text + from);
      size_t end = close + 1;
      for (int d = depth; d > 0 && text[end] && text[end] != '\n'; end++)
        d += (text[end] == '(') - (text[end] == ')');
      if (cut(r, start, end, part)) return true;
      text = r->t->text;
      from = close + 1;
    }
    if (depth == 0) break;
  }
  return false;
}

static bool unwrap_all(reducer *r) {
  bool changed = false;
  for (size_t i = 0; r->t->text[i] && in_time(r); i++)
    if (r->t->text[i] == '(' && unwrap(r, i)) changed = true;
  return changed;
}

static bool cut_inside_lines(reducer *r) {
  bool changed = false;
  for (size_t from = strcspn(r->t->text, "\n") + 1; from < strlen(r->t->text) && in_time(r);) {
    if (cut_tokens(r, from)) changed = true;
    if (from >= strlen(r->t->text)) break;
    from += strcspn(r->t->text + from, "\n") + 1;
  }
  return changed;
}

/* ---- the case and the schedule --------------------------------------------------------------------------------------- */

static bool take(reducer *r, const trial *t) {
  if (!still_fails(r, t)) return false;
  *r->t = *t;
  return true;
}

static void shrink_mesh(reducer *r) {
  for (int a = 0; a < r->t->setup.dim; a++)
    for (int n = 1; n < r->t->setup.n[a] && in_time(r); n++) {
      trial t = *r->t;
      t.setup.n[a] = n;
      for (int b = 0; b < t.setup.n_solids; b++)
        if (t.setup.solid[b].high[a] > n) t.setup.n_solids = 0;
      if (take(r, &t)) break;
    }
}

static void simplify_setup(reducer *r) {
  for (int k = 0; k < 17 && in_time(r); k++) {
    trial t = *r->t;
    if (k == 0) t.setup.n_solids = 0;
    if (k == 1) memset(t.setup.periodic, 0, sizeof t.setup.periodic);
    if (k == 2) t.setup.jitter = 0;
    if (k == 3) t.setup.uneven = false;
    if (k == 4) t.setup.plain = true;
    if (k == 5) t.setup.steps = 1;
    if (k == 6) t.setup.cells = VERIFY_BLOCKS;
    if (k == 7) t.setup.cells = VERIFY_SIMPLICES;
    if (k == 8) t.show = false;
    if (k == 9) memset(t.setup.rule, 0, sizeof t.setup.rule), t.setup.solid_rule = 0;
    if (k == 10) t.setup.spacing = 1;
    if (k == 11) t.way.cells = t.way.nodes = MESH_CELLS_AS_IS, t.way.faces = MESH_FACES_AS_IS;
    if (k == 12) t.way.by_manifest = t.way.built_ahead = false;
    if (k == 13) t.way.resumed = VERIFY_NOT_RESUMED;
    if (k == 14 && t.way.resumed) t.way.resumed = VERIFY_RESUMED;
    if (k == 15) t.setup.all_parameters = false;
    if (k == 16) t.setup.zeros = false;
    if (memcmp(&t, r->t, sizeof t) != 0) take(r, &t);
  }
  shrink_mesh(r);
}

static void drop_settings(reducer *r) {
  for (int i = 0; i < r->t->way.n && in_time(r);) {
    trial t = *r->t;
    t.way.n--;
    memmove(&t.way.set[i], &t.way.set[i + 1], sizeof *t.way.set * (size_t)(t.way.n - i));
    if (!take(r, &t)) i++;
  }
}

void reduce(const options *o, trial *t, outcome kept, double seconds) {
  char why[1024];
  reducer r = {.o = o, .t = t, .kept = kept, .until = ew_seconds() + seconds};
  double difference;
  if (judge(o, t, &difference, why, sizeof why) != kept) return;
  name_of(kept, why, r.code);
  r.least = difference > 1e-6 ? 1e-7 : o->tolerance;
  cut_lines(&r);
  simplify_setup(&r);
  drop_settings(&r);
  for (bool changed = true; changed && in_time(&r);) {
    changed = cut_lines(&r);
    changed = unwrap_all(&r) || changed;
    changed = cut_inside_lines(&r) || changed;
  }
  simplify_setup(&r);
  drop_settings(&r);
}
