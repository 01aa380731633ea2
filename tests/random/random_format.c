/* random_format FIRST-LAST SCHEMES: `dslc fmt` on random schemes, as they were generated and with their blanks drawn anew. What it wrote it leaves alone,
 * and it changes no meaning: the equations of both texts, printed after the compiler's first step, are the same. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dslc.h"
#include "gen.h"

static const char *import_path[2]; /* the shipped schemes */
static int refused;

static int fault(uint64_t seed, const char *what, const char *text) {
  fprintf(stderr, "seed %llu: %s\n%s\n", (unsigned long long)seed, what, text);
  return 1;
}

/* Removes "at=0:39-41", where a thing stands in the text: that is what a layout changes. */
static void forget_places(char *ir) {
  char *to = ir;
  for (const char *c = ir; *c;) {
    if (strncmp(c, " at=", 4) == 0) c += 1 + strcspn(c + 1, " \n");
    else *to++ = *c++;
  }
  *to = '\0';
}

/* The IR behind the step in which all names have their meaning; where the scheme is refused, as some random
 * ones are meant to be, how often. The caller frees it. */
static char *meaning(const char *text, int dims) {
  char *ir = NULL;
  size_t size = 0;
  const char *step = NULL;
  dslc_step_names(&step, 1);
  FILE *dump = open_memstream(&ir, &size);
  if (!dump) return NULL;
  dslc_messages *m = NULL;
  dslc_program *p = NULL;
  dslc_options options = {.path = "random.ew",
                          .text = text,
                          .dims = dims,
                          .sources.import_path = import_path,
                          .inspect.dump_after = step,
                          .inspect.dump = dump,
                          .check_only = true};
  int code = dslc_compile(&options, &p, &m);
  fclose(dump);
  int errors = dslc_messages_errors(m);
  dslc_messages_destroy(&m);
  dslc_program_destroy(&p);
  if (code == 0 && ir) forget_places(ir);
  if (code == 0) return ir;
  free(ir);
  refused++;
  return asprintf(&ir, "exit status %d, %d errors", code, errors) < 0 ? NULL : ir;
}

/* The text with some of its blanks doubled and its lines' beginnings moved; what stands in comments stays. */
static char *disturbed(const char *text, uint64_t seed) {
  char *out = malloc(4 * strlen(text) + 1), *to = out;
  bool comment = false;
  uint64_t state = seed * 2862933555777941757u + 3037000493u;
  for (const char *c = text; out && *c; c++) {
    if (*c == '\n') comment = false;
    if (c[0] == '-' && c[1] == '-') comment = true;
    *to++ = *c;
    state = state * 6364136223846793005u + 1442695040888963407u;
    int more = comment || (*c != ' ' && *c != '\n') ? 0 : (int)(state >> 62);
    while (more-- > 0) *to++ = ' ';
  }
  if (out) *to = '\0';
  return out;
}

static int check(uint64_t seed, const char *text, int dims) {
  dslc_messages *m = NULL;
  char *once = dslc_format("random.ew", text, &m), *twice = NULL, *before = NULL, *after = NULL;
  dslc_messages_destroy(&m);
  int wrong = once ? 0 : fault(seed, "dslc fmt refuses", text);
  if (once) twice = dslc_format("random.ew", once, &m);
  dslc_messages_destroy(&m);
  if (once && (!twice || strcmp(once, twice) != 0))
    wrong += fault(seed, "dslc fmt changes what it wrote", once);
  if (once) before = meaning(text, dims), after = meaning(once, dims);
  if (once && (!before || !after || strcmp(before, after) != 0))
    wrong += fault(seed, "dslc fmt changes the meaning of", text);
  free(once);
  free(twice);
  free(before);
  free(after);
  return wrong;
}

int main(int argc, char **argv) {
  unsigned long long first, last;
  int wrong = 0, changed = 0, crowded = 0, in_cycles = 0;
  if (argc != 3 || sscanf(argv[1], "%llu-%llu", &first, &last) != 2)
    return fprintf(stderr, "random_format FIRST-LAST SCHEMES\n"), 2;
  import_path[0] = argv[2];
  for (unsigned long long seed = first; seed <= last; seed++) {
    int dims = 0, count[CONSTRUCTS] = {0};
    char *text = gen_scheme(seed, &dims, count), *other = text ? disturbed(text, seed) : NULL;
    if (!other) return fprintf(stderr, "out of memory\n"), 1;
    const int before = refused;
    wrong += check(seed, text, dims) + check(seed, other, dims);
    /* A third to a half of these lead in cycles: they have a bound of their own. */
    if (count[C_CROWDED] || count[C_CORNERS] || count[C_CHAINS])
      crowded++, in_cycles += refused - before, refused = before;
    changed += strcmp(text, other) != 0;
    free(text);
    free(other);
  }
  printf("%llu schemes, %d of them disturbed, %d of %llu texts refused, %d of %d of those that crowd at "
         "walls or are short: %d faults\n",
         last - first + 1, changed, refused, 4 * (last - first + 1 - (unsigned)crowded), in_cycles,
         4 * crowded, wrong);
  return wrong > 0 || refused > ((int)(last - first + 1) - crowded) / 2 || in_cycles > 2 * crowded;
}
