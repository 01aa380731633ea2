/* random_imports FIRST-LAST: schemes that import functions of files that import others, many of one name. What a formula says is evaluated here, each name
 * as the file means it in which it stands, and held against what the compiler makes of it. Where two imports bring different functions of one name it
 * may refuse, but not take one of them; where no name is there twice it may not refuse. Exit status 1 if it does; the files are printed. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dslc.h"
#include "mesh/random.h"

enum { NAMES = 5, MOST_FILES = 5, MOST_IMPORTS = 4, MOST_CALLS = 2, MOST_SEEN = 64, DEEPEST = 12 };

/* x*scale + calls of others, of the same file those before it. */
typedef struct function {
  bool there;
  int scale, n_calls, call[MOST_CALLS];
} function;

typedef struct import {
  int file;
  bool named[NAMES], whole;
} import;

/* The last one holds the scheme. */
typedef struct file {
  function own[NAMES];
  int n_imports;
import import[MOST_IMPORTS];
} file;

/* A function as a file sees it: brought there by name through some files, whose own functions are meant by what it reads before its own file's. */
typedef struct seen {
  int file, name, n_through, through[MOST_FILES];
} seen;

typedef struct seen_list {
  int n;
  seen at[MOST_SEEN];
} seen_list;

typedef struct maker {
  uint64_t state;
  int n_files;
  file file[MOST_FILES];
  int n_calls, call[3]; /* of the scheme's formula */
} maker;

static int below(maker *m, int n) { return (int)random_below(&m->state, (uint64_t)n); }
static bool chance(maker *m, int percent) { return below(m, 100) < percent; }

/* ---- what a file sees ---------------------------------------------------------------------------------------------------- */

static bool is_same(const seen *a, const seen *b) { return a->file == b->file && a->name == b->name; }

static void add_seen(seen_list *to, const seen *s) {
  for (int i = 0; i < to->n; i++)
    if (is_same(&to->at[i], s) && to->at[i].n_through == s->n_through &&
        memcmp(to->at[i].through, s->through, sizeof s->through) == 0)
      return;
  if (to->n < MOST_SEEN) to->at[to->n++] = *s;
}

static void see(const maker *m, int f, seen_list *to);

static void see_named(const maker *m, int f, const import *from, seen_list *to) {
  seen_list there = {0};
  see(m, from->file, &there);
  for (int i = 0; i < there.n; i++) {
    seen s = there.at[i];
    if (!from->named[s.name] || s.n_through == MOST_FILES) continue;
    memmove(s.through + 1, s.through, sizeof *s.through * (size_t)s.n_through);
    s.through[0] = f, s.n_through++;
    add_seen(to, &s);
  }
}

static void see(const maker *m, int f, seen_list *to) {
  for (int k = 0; k < NAMES; k++)
    if (m->file[f].own[k].there) add_seen(to, &(seen){f, k, 0, {0}});
  for (int i = 0; i < m->file[f].n_imports; i++) {
    const import *from = &m->file[f].import[i];
    if (from->whole) see(m, from->file, to);
    else see_named(m, f, from, to);
  }
}

static bool sees(const maker *m, int f, int name) {
  seen_list all = {0};
  bool found = false;
  see(m, f, &all);
  for (int i = 0; i < all.n; i++) found = found || all.at[i].name == name;
  return found;
}

/* Does any file see two of one name, or has one a name of its own that another has, too? */
static bool names_meet(const maker *m) {
  int owners[NAMES] = {0};
  for (int f = 0; f < m->n_files; f++)
    for (int k = 0; k < NAMES; k++) owners[k] += m->file[f].own[k].there;
  for (int k = 0; k < NAMES; k++)
    if (owners[k] > 1) return true;
  return false;
}

/* ---- values -------------------------------------------------------------------------------------------------------------- */

static double value_of(const maker *m, const seen *s, double x, int depth, bool *unclear);

/* The value of a name in a file; unclear where it may be one of two. */
static double value_in(const maker *m, int f, int name, double x, const seen *reader, int depth,
                       bool *unclear) {
  seen_list all = {0};
  double value = NAN;
  if (m->file[f].own[name].there) add_seen(&all, &(seen){f, name, 0, {0}}); /* hides the others */
  else see(m, f, &all);
  for (int i = 0; i < all.n; i++) {
    seen s = all.at[i];
    if (s.name != name) continue;
    if (reader && reader->n_through + s.n_through <= MOST_FILES) {
      memmove(s.through + reader->n_through, s.through, sizeof *s.through * (size_t)s.n_through);
      memcpy(s.through, reader->through, sizeof *s.through * (size_t)reader->n_through);
      s.n_through += reader->n_through;
    }
    const double one = value_of(m, &s, x, depth, unclear);
    *unclear = *unclear || (!isnan(value) && one != value);
    value = one;
  }
  return value;
}

static double value_of(const maker *m, const seen *s, double x, int depth, bool *unclear) {
  const function *fn = &m->file[s->file].own[s->name];
  double sum = fn->scale * x;
  if (*unclear || depth > DEEPEST) return *unclear = true, 0;
  for (int i = 0; i < fn->n_calls; i++) {
    const int name = fn->call[i];
    int through = 0;
    while (through < s->n_through && !m->file[s->through[through]].own[name].there) through++;
    if (through < s->n_through) /* the importing file declares it itself */
      sum += value_of(m, &(seen){s->through[through], name, 0, {0}}, x + 1, depth + 1, unclear);
    else sum += value_in(m, s->file, name, x + 1, s, depth + 1, unclear);
  }
  return sum;
}

static double value_of_scheme(const maker *m, bool *unclear) {
  double sum = 0;
  for (int i = 0; i < m->n_calls; i++)
    sum += value_in(m, m->n_files - 1, m->call[i], i + 2, NULL, 0, unclear);
  return sum;
}

/* ---- making ---------------------------------------------------------------------------------------------------------------- */

static void make_imports(maker *m, int f) {
  file *made = &m->file[f];
  for (int n = f ? 1 + below(m, MOST_IMPORTS) : 0; n > 0; n--) {
    import *one = &made->import[made->n_imports];
    *one = (import){.file = below(m, f), .whole = chance(m, 50)};
    bool any = one->whole;
    for (int k = 0; k < NAMES && !one->whole; k++) {
      one->named[k] = chance(m, 50) && sees(m, one->file, k);
      any = any || one->named[k];
    }
    made->n_imports += any;
  }
}

static void make_functions(maker *m, int f, bool apart) {
  for (int k = 0; k < NAMES; k++) {
    function made = {.there = apart ? below(m, m->n_files) == f : chance(m, 40), .scale = 1 + below(m, 9)};
    for (int before = 0; apart && before < f; before++)
      if (m->file[before].own[k].there) made.there = false;
    for (int n = below(m, MOST_CALLS + 1); made.there && n > 0; n--) {
      const int name = below(m, NAMES);
      const bool own = m->file[f].own[name].there;
      if (name != k && (own ? name < k : sees(m, f, name))) made.call[made.n_calls++] = name;
    }
    m->file[f].own[k] = made;
  }
}

/* Half of them without a name that is there twice. A scheme's own functions come into view as they are made: a call of what another file has may
 * become one of its own, which then goes in a circle; such ones are made again. */
static void make(maker *m, uint64_t seed) {
  *m = (maker){.state = random_seed(seed)};
  m->n_files = 2 + below(m, MOST_FILES - 1);
  const bool apart = chance(m, 50);
  for (int f = 0; f < m->n_files; f++) make_imports(m, f), make_functions(m, f, apart);
  for (int tries = 0; tries < 20 && m->n_calls < 3; tries++) {
    const int name = below(m, NAMES);
    if (sees(m, m->n_files - 1, name)) m->call[m->n_calls++] = name;
  }
}

static void write_file(const maker *m, int f, FILE *out) {
  const file *made = &m->file[f];
  for (int i = 0; i < made->n_imports; i++) {
    const import *from = &made->import[i];
    const char *before = "import ";
    for (int k = 0; k < NAMES && !from->whole; k++)
      if (from->named[k]) fprintf(out, "%sf%d", before, k), before = ", ";
    fprintf(out, from->whole ? "import file%d\n" : " of file%d\n", from->file);
  }
  for (int k = 0; k < NAMES; k++) {
    if (!made->own[k].there) continue;
    fprintf(out, "fn f%d(x) = %d*x", k, made->own[k].scale);
    for (int i = 0; i < made->own[k].n_calls; i++) fprintf(out, " + f%d(x + 1)", made->own[k].call[i]);
    fputc('\n', out);
  }
  if (f < m->n_files - 1) return;
  fprintf(out, "scheme random on mesh(2) {\n  parameter p = 0");
  for (int i = 0; i < m->n_calls; i++) fprintf(out, " + f%d(%d)", m->call[i], i + 2);
  fprintf(out, "\n  state s @ cells\n  boundary any { }\n  dt = 1\n  step { update s = p*s }\n}\n");
}

/* ---- what the compiler says -------------------------------------------------------------------------------------------------- */

typedef struct tally {
  int made, right, refused, unclear, wrong;
} tally;

/* Of sums and products, in reverse Polish notation; NaN: it holds something else. */
static double computed(const char *formula) {
  double stack[64];
  int n = 0;
  for (const char *at = formula; *at;) {
    char *end;
    const double number = strtod(at, &end);
    const bool is_number = end != at;
    if (is_number && n < 64) stack[n++] = number;
    else if (!is_number && n > 1 && (*at == '+' || *at == '*'))
      n--, stack[n - 1] = *at == '+' ? stack[n - 1] + stack[n] : stack[n - 1] * stack[n],
                     end = (char *)at + 1;
    else return NAN;
    at = end + strspn(end, " ");
  }
  return n == 1 ? stack[0] : NAN;
}

/* The parameter's default, or NaN: it was refused. */
static double compiled(const maker *m, char text[MOST_FILES][4096], FILE *say) {
  dslc_setting buffer[MOST_FILES];
  char name[MOST_FILES][16];
  for (int f = 0; f < m->n_files; f++) {
    snprintf(name[f], sizeof name[f], "file%d.ew", f);
    buffer[f] = (dslc_setting){name[f], text[f]};
  }
  dslc_program *program = NULL;
  dslc_messages *messages = NULL;
  dslc_compile(&(dslc_options){.path = name[m->n_files - 1],
                               .emit = DSLC_EMIT_REFERENCE,
                               .n_rules = -1,
                               .sources = {.n_buffers = m->n_files, .buffer = buffer}},
               &program, &messages);
  const double value = program ? computed(program->model.parameter[0].formula) : NAN;
  if (!program && say) dslc_messages_print(messages, say, false);
  dslc_program_destroy(&program);
  dslc_messages_destroy(&messages);
  return value;
}

static void try_seed(uint64_t seed, tally *t) {
  static char text[MOST_FILES][4096];
  maker m;
  bool unclear = false;
  make(&m, seed);
  if (m.n_calls == 0) return;
  for (int f = 0; f < m.n_files; f++) {
    memset(text[f], 0, sizeof text[f]);
    FILE *out = fmemopen(text[f], sizeof text[f], "w");
    write_file(&m, f, out);
    fclose(out);
  }
  const double value = value_of_scheme(&m, &unclear), made = compiled(&m, text, NULL);
  const bool refused = isnan(made), meet = names_meet(&m);
  t->made++, t->refused += refused, t->unclear += unclear;
  const bool good = refused ? meet : !unclear && made == value;
  t->right += good && !refused;
  if (good) return;
  t->wrong++;
  printf("seed %" PRIu64 ": %s %.17g, and %s%.17g\n", seed,
         refused ? "refused, but no name is there twice:" : "the compiler says", made,
         unclear ? "it may mean another one than " : "the files mean ", value);
  for (int f = 0; f < m.n_files; f++) printf("-- file%d.ew\n%s", f, text[f]);
  if (refused) compiled(&m, text, stdout);
}

int main(int argc, char **argv) {
  uint64_t first = 1, last = 1000;
  tally t = {0};
  if (argc != 2 || sscanf(argv[1], "%" SCNu64 "-%" SCNu64, &first, &last) != 2)
    return fprintf(stderr, "usage: random_imports FIRST-LAST\n"), 2;
  for (uint64_t seed = first; seed <= last && t.wrong < 5; seed++) try_seed(seed, &t);
  printf("%d made, %d right, %d refused (of %d the meaning is not clear), %d wrong\n", t.made, t.right,
         t.refused, t.unclear, t.wrong);
  return t.wrong > 0 || t.right == 0;
}
