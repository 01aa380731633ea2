/* A scheme as two files: one that declares a part, and one that extends it by the rest, puts some declarations in the place of others,
 * and adds lines to rules. Both mean the scheme that was split. */
#include <stdlib.h>
#include <string.h>

#include "mesh/random.h"
#include "random.h"

/* The line before which the first file ends; behind it stands the second. */
static const char BETWEEN[] = "-- file scheme.ew\n";

typedef struct splitter {
  uint64_t state;
  const char *text;  /* all that is split */
  FILE *base, *more; /* what the second file has to say of the first */
} splitter;

static bool is_declaration(const char *line, int depth) {
  return depth == 1 && line[0] == ' ' && line[1] == ' ' && line[2] != ' ' && line[2] != '}' &&
         line[2] != '\n';
}

/* Where declarations begin, at most `most` of them. */
static int find_declarations(const char *text, const char **at, int most) {
  int n = 0, depth = 0;
  for (const char *line = text; *line; line = strchr(line, '\n') + 1) {
    if (is_declaration(line, depth) && n < most) at[n++] = line;
    size_t length = strcspn(line, "\n");
    for (size_t i = 0; i < length; i++) depth += (line[i] == '{') - (line[i] == '}');
    if (line[length] == '\0') break;
  }
  return n;
}

/* ---- equations --------------------------------------------------------------------------------------------------------- */

static bool starts_with(const char *text, const char *with) { return strncmp(text, with, strlen(with)) == 0; }

/* Of one line: `e3 @ cells = ...`, `flux q1 @ faces = ...`. */
static bool is_equation(const char *at, const char *end) {
  const bool flux = starts_with(at, "  flux q");
  const char *line = strchr(at, '\n'), *place = strstr(at, " @ "), *says = strstr(at, " = ");
  return (flux || (at[2] == 'e' && at[3] >= '0' && at[3] <= '9')) && line && line + 1 == end && place &&
         says && place < says && says < line;
}

/* Whether some rule says what it is on a boundary: `fix e1 = ...`, `flux e1 = ...`. */
static bool is_given_by_rules(const splitter *s, const char *name, int length) {
  static const char *const words[] = {"    fix ", "    flux "};
  for (int k = 0; k < 2; k++)
    for (const char *at = s->text; (at = strstr(at, words[k])) != NULL; at++) {
      const char *said = at + strlen(words[k]);
      if (strncmp(said, name, (size_t)length) == 0 && said[length] == ' ') return true;
    }
  return false;
}

/* By its own formula in the place of another, or by the base's name for it: if no rule speaks of it, which would not speak of the base's. */
static void split_equation(splitter *s, const char *at, const char *end) {
  const int head = (int)(strstr(at, " = ") - at);
  const char *name = starts_with(at, "  flux ") ? at + 7 : at + 2;
  const int length = (int)strcspn(name, " [:");
  if (random_below(&s->state, 2) && !is_given_by_rules(s, name, length)) {
    fprintf(s->base, "%.*s", (int)(end - at), at);
    fprintf(s->more, "  replace %.*s = base.%.*s\n", head - 2, at + 2, length, name);
  } else {
    fprintf(s->base, "%.*s = 0\n", head, at);
    fprintf(s->more, "  replace %.*s", (int)(end - at - 2), at + 2);
  }
}

/* ---- rules --------------------------------------------------------------------------------------------------------------- */

enum { MOST_LINES = 128 };

typedef struct rule_text {
  const char *at, *end, *name, *across; /* " across x", or "" */
  int name_length, across_length;
  const char *line[MOST_LINES + 1]; /* and where the last one ends */
  int n, lets;
} rule_text;

static bool read_rule(rule_text *r, const char *at, const char *end) {
  static const char word[] = "  boundary ";
  const char *line = strchr(at, '\n'), *across = strstr(at, " across ");
  *r = (rule_text){.at = at, .end = end, .name = at + strlen(word), .across = ""};
  if (!starts_with(at, word) || !line) return false;
  r->name_length = (int)strcspn(r->name, "( ");
  if (across && across < line) r->across = across, r->across_length = (int)strcspn(across + 8, " ") + 8;
  for (line++; starts_with(line, "    ") && r->n < MOST_LINES; line = strchr(line, '\n') + 1) {
    r->lets += starts_with(line, "    let ");
    r->line[r->n++] = line;
  }
  r->line[r->n] = line;
  return r->n > r->lets && starts_with(line, "  }\n") && line + 4 <= end;
}

static void begin_addition(const splitter *s, const rule_text *r) {
  fprintf(s->more, "  add boundary %.*s%.*s {\n", r->name_length, r->name, r->across_length, r->across);
}

/* The first lines in one file, the rest in the other. */
static void add_lines(splitter *s, const rule_text *r) {
  const char *cut = r->line[r->lets + (int)random_below(&s->state, (uint64_t)(r->n - r->lets))];
  fprintf(s->base, "%.*s  }\n", (int)(cut - r->at), r->at);
  begin_addition(s, r);
  fprintf(s->more, "%.*s", (int)(r->end - cut), cut);
}

/* A line that says something else first. */
static void replace_line(splitter *s, const rule_text *r) {
  const int k = r->lets + (int)random_below(&s->state, (uint64_t)(r->n - r->lets));
  const char *line = r->line[k], *next = r->line[k + 1], *says = strstr(line, " = ");
  fprintf(s->base, "%.*s = 0\n%.*s", (int)(says - r->at), r->at, (int)(r->end - next), next);
  begin_addition(s, r);
  fprintf(s->more, "    replace %.*s  }\n", (int)(next - line - 4), line + 4);
}

static void replace_rule(splitter *s, const rule_text *r) {
  fprintf(s->base, "%.*s  }\n", (int)(r->line[0] - r->at), r->at);
  fprintf(s->more, "  replace %.*s", (int)(r->end - r->at - 2), r->at + 2);
}

/* ---- the whole ------------------------------------------------------------------------------------------------------------ */

static void split_declaration(splitter *s, const char *at, const char *end) {
  rule_text r;
  const int what = (int)random_below(&s->state, 4);
  if (is_equation(at, end) && what == 0) split_equation(s, at, end);
  else if (!read_rule(&r, at, end) || what == 3) fprintf(s->base, "%.*s", (int)(end - at), at);
  else if (what == 0) add_lines(s, &r);
  else if (what == 1) replace_line(s, &r);
  else replace_rule(s, &r);
}

char *split_scheme(const char *text, uint64_t seed) {
  const char *at[512];
  char *split = NULL, *base = NULL, *more = NULL;
  size_t size, base_size, more_size;
  const int n = find_declarations(text, at, 512);
  splitter s = {.state = random_seed(seed), .text = text};
  const char *name = strstr(text, "scheme random "), *rest = name ? name + strlen("scheme random ") : NULL;
  if (!rest || n < 2) return NULL;
  int last = 1 + (int)random_below(&s.state, (uint64_t)n - 1);
  if (random_below(&s.state, 2)) last = n - 1; /* so that rules are split, too */
  const char *cut = at[last], *step = strstr(text, "\n  step {");
  s.base = open_memstream(&base, &base_size);
  s.more = open_memstream(&more, &more_size);
  for (int i = 0; s.base && s.more && i < last; i++) split_declaration(&s, at[i], at[i + 1]);
  if (s.base) fclose(s.base);
  if (s.more) fclose(s.more);
  FILE *out = base && more ? open_memstream(&split, &size) : NULL;
  if (out) {
    fprintf(out, "%.*sscheme base %.*s%s}\n%s", (int)(name - text), text, (int)(at[0] - rest), rest, base,
            BETWEEN);
    fprintf(out, "scheme random extends base {\n%s%s%s",
            step && step + 1 < cut ? "  step { step of base }\n" : "", more, cut);
    fclose(out);
  }
  free(base), free(more);
  return split;
}

bool save_scheme(const char *folder, const char *text) {
  const char *second = strstr(text, BETWEEN);
  if (!second) return save_text(folder, "scheme.ew", text);
  char *first = strndup(text, (size_t)(second - text));
  bool good = first && save_text(folder, "base.ew", first) && save_text(folder, "scheme.ew", second);
  free(first);
  return good;
}

/* `first` is what lies in base.ew, or NULL. */
char *join_schemes(char *first, char *second) {
  char *text = NULL;
  if (!first || !second) return free(first), second;
  if (asprintf(&text, "%s%s", first, second) < 0) text = NULL;
  free(first), free(second);
  return text;
}
