/* A scheme as two files: one that declares a part, and one that extends it by the rest. Both mean the scheme that was split. */
#include <stdlib.h>
#include <string.h>

#include "mesh/random.h"
#include "random.h"

/* The line before which the first file ends; behind it stands the second. */
static const char BETWEEN[] = "-- file scheme.ew\n";

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

char *split_scheme(const char *text, uint64_t seed) {
  const char *at[512];
  char *split = NULL;
  size_t size;
  int n = find_declarations(text, at, 512);
  uint64_t state = random_seed(seed);
  const char *name = strstr(text, "scheme random "), *rest = name ? name + strlen("scheme random ") : NULL;
  if (!rest || n < 2) return NULL;
  const char *cut = at[1 + random_below(&state, (uint64_t)n - 1)], *step = strstr(text, "\n  step {");
  FILE *out = open_memstream(&split, &size);
  if (!out) return NULL;
  fprintf(out, "%.*sscheme base %.*s}\n%s", (int)(name - text), text, (int)(cut - rest), rest, BETWEEN);
  fprintf(out, "scheme random extends base {\n%s%s",
          step && step + 1 < cut ? "  step { step of base }\n" : "", cut);
  fclose(out);
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
