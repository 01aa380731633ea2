/* Texts that are slightly wrong: what the compiler prints and reads, with some words left out, doubled, exchanged, or put in. Whatever reads such a
 * text refuses it, or prints it to a text that it reads to the same; and the model machine runs kernels of such a text with any arguments to an end,
 * twice to the same faults. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "dslc_kernel.h"
#include "mesh/random.h"
#include "random.h"

/* ---- one text ------------------------------------------------------------------------------------------------------------------------ */

typedef struct piece {
  const char *at;
  size_t n;
} piece;

/* The word or mark behind the blanks at p. */
static piece piece_at(const char *p) {
  while (isspace((unsigned char)*p)) p++;
  size_t n = 0;
  while (isalnum((unsigned char)p[n]) || p[n] == '_' || (n && p[n] == '.')) n++;
  return (piece){p, n ? n : *p != '\0'};
}

static piece any_piece(const char *text, uint64_t *state) {
  const char *p = text + random_below(state, strlen(text) + 1);
  while (p > text && (isalnum((unsigned char)p[-1]) || p[-1] == '_')) p--;
  return piece_at(p);
}

static piece any_of(const char *const *words, size_t n, uint64_t *state) {
  const char *word = words[random_below(state, n)];
  return (piece){word, strlen(word)};
}

/* Of a text of words with blanks between them. */
static piece any_short(const char *words, uint64_t *state) {
  size_t n = 1;
  for (const char *p = words; *p; p++) n += *p == ' ';
  for (size_t skip = random_below(state, n); skip > 0; skip--) words = strchr(words, ' ') + 1;
  return (piece){words, strcspn(words, " ")};
}

static piece any_word(uint64_t *state) {
  static const char words[] =
      "0 1 -1 2147483648 1e400 9 1u 0x7fffffffL 0.5f ( ) { } [ ] ; , . = + * & ? : ~ ! ++ -- -> @ "
      "/* \" ' x t i nan null inf cells faces else do return; break; continue;";
  static const char *const statements[] = {"#define x",
                                           "#if 1\n",
                                           "\n#else\n",
                                           "\n#endif\n",
                                           "barrier(CLK_LOCAL_MEM_FENCE);",
                                           "mem_fence(CLK_GLOBAL_MEM_FENCE);",
                                           "if (get_local_id(0) < 3)",
                                           "if (get_local_id(0) < 3) return;",
                                           "while (i < 7)",
                                           "for (;;)",
                                           "switch (i) { case 1: default: ; }",
                                           "{ int a[3]; a[i] = 1; }",
                                           "{ long n = 1; n <<= i; n = n/(n - 1); }",
                                           "{ double a[2] = {1, 2}; a[i & 1] += i; }",
                                           "{ int n; n += 1; }",
                                           "{ uint n = 1; n = n % (n - 1); --n; }",
                                           "{ bool b = !i; b = b ? 0 : 1; }",
                                           "{ __local int *p = 0; *p = 1; }",
                                           "{ int n = (int)1e300; ++n; }",
                                           "{ int n = 2147483647; n++; }",
                                           "{ long n = (long)i*i - 3; n = n >> 70; n = ~n ^ 5 | 3 & n; }"};
  if (random_below(state, 2)) return any_short(words, state);
  return any_of(statements, sizeof statements / sizeof *statements, state);
}

static piece next_of(const char *p, const char *const *words, size_t n) {
  for (; *p; p++)
    for (size_t i = 0; i < n; i++)
      if (strncmp(p, words[i], strlen(words[i])) == 0) return (piece){p, strlen(words[i])};
  return (piece){p, 0};
}

static char *exchanged(const char *text, piece old, piece new) {
  char *made = NULL;
  const int n =
      asprintf(&made, "%.*s %.*s %s", (int)(old.at - text), text, (int)new.n, new.at, old.at + old.n);
  return n < 0 ? NULL : made;
}

/* An operator for another one, or a type: what is made so can mostly be read. */
static char *changed_kind(const char *text, uint64_t *state) {
  static const char *const operators[] = {" + ",  " - ",  "*",    "/",    " < ", " > ",  " <= ", " >= ",
                                          " == ", " != ", " && ", " || ", " = ", " += ", " << ", " >> ",
                                          " & ",  " | ",  " ^ ",  "%",    ", ",  " ? "},
                           *const types[] = {"double ",   "int ",     "long ",  "uint ",     "ulong ",
                                             "bool ",     "float ",   "uchar ", "short ",    "const ",
                                             "__global ", "__local ", "char ",  "volatile ", "size_t "};
  const bool type = random_below(state, 3) == 0;
  const char *const *words = type ? types : operators;
  const size_t n = type ? sizeof types / sizeof *types : sizeof operators / sizeof *operators;
  const piece old = next_of(text + random_below(state, strlen(text) + 1), words, n);
  return exchanged(text, old, any_of(words, n, state));
}

/* The caller frees it. */
static char *changed_once(const char *text, uint64_t *state) {
  const unsigned how = (unsigned)random_below(state, 10);
  if (how >= 6) return changed_kind(text, state);
  const piece old = any_piece(text, state), word = any_word(state), none = {"", 0};
  if (how == 0) return exchanged(text, old, none);
  if (how == 1) return exchanged(text, old, any_piece(text, state));
  if (how == 2) return exchanged(text, old, word);
  return exchanged(text, (piece){old.at, 0}, how == 3 ? old : word);
}

char *mutate(const char *text, uint64_t *state) {
  char *made = changed_once(text, state);
  if (made && random_below(state, 3) == 0) {
    char *again = changed_once(made, state);
    free(made);
    made = again;
  }
  return made;
}

static const char *const snippets[] = {
#define SNIPPET(text) text,
#include "snippets.def"
#undef SNIPPET
};

/* With statements of another kind where the kernel begins; the caller frees it. NULL: it is not there, or there is no memory. */
static char *with_snippet(const char *source, const char *kernel, uint64_t *state) {
  const char *begin = NULL;
  char *made = NULL, name[200];
  snprintf(name, sizeof name, "void %s(", kernel);
  if ((begin = strstr(source, name))) begin = strstr(begin, "\n{\n");
  const char *text = snippets[random_below(state, sizeof snippets / sizeof *snippets)];
  if (!begin || asprintf(&made, "%.*s%s%s", (int)(begin + 3 - source), source, text, begin + 3) < 0)
    return NULL;
  return made;
}

/* ---- kernels with any arguments ------------------------------------------------------------------------------------------------------ */

enum { MOST_ARGUMENTS_DRAWN = 128, MOST_WORDS = 400 };

typedef struct launch {
  dslc_launch_argument argument[MOST_ARGUMENTS_DRAWN];
  int n;
  dslc_launch_range range;
} launch;

static dslc_launch_argument any_memory(uint64_t *state) {
  const uint64_t words = 1 + random_below(state, MOST_WORDS);
  dslc_launch_argument a = {.kind = DSLC_ARGUMENT_MEMORY, .memory = dslc_memory_create("some", 8 * words)};
  if (a.memory && random_below(state, 4)) dslc_memory_mark(a.memory, 0, 8 * words);
  return a;
}

static dslc_launch_argument any_argument(const dslc_arg *arg, uint64_t *state) {
  if (random_below(state, 90) == 0)
    return (dslc_launch_argument){.kind = DSLC_ARGUMENT_LOCAL, .local_bytes = random_below(state, 9)};
  switch (random_below(state, 90) ? arg->kind : DSLC_ARG_STAGE) {
  case DSLC_ARG_BUFFER: return any_memory(state);
  case DSLC_ARG_PARAMETER:
  case DSLC_ARG_STAGE:
  case DSLC_ARG_WEIGHT:
    return (dslc_launch_argument){.kind = DSLC_ARGUMENT_F64, .f64 = 0.25 * (double)random_below(state, 9)};
  default:
    return (dslc_launch_argument){.kind = DSLC_ARGUMENT_I32, .i32 = (int32_t)random_below(state, 41) - 1};
  }
}

static launch any_launch(const dslc_kernel *k, const dslc_kernel_info *info, uint64_t *state) {
  launch l = {.n = k->n_args < MOST_ARGUMENTS_DRAWN ? k->n_args : MOST_ARGUMENTS_DRAWN};
  if (random_below(state, 40) == 0) l.n /= 2;
  for (int i = 0; i < l.n; i++) l.argument[i] = any_argument(&k->arg[i], state);
  l.range.dims = k->grid ? (unsigned)k->grid : 1;
  for (unsigned a = 0; a < l.range.dims; a++) {
    l.range.local[a] = info->group[a];
    l.range.global[a] = (info->group[a] ? info->group[a] : 4) * (1 + random_below(state, 2));
    if (random_below(state, 40) == 0) l.range.global[a] += 1 + (random_below(state, 2) << 40);
    if (random_below(state, 40) == 0) l.range.local[a] = 3;
  }
  return l;
}

static void clear_launch(launch *l) {
  for (int i = 0; i < l->n; i++)
    if (l->argument[i].kind == DSLC_ARGUMENT_MEMORY) dslc_memory_destroy(&l->argument[i].memory);
}

/* What the machine finds, as text: the caller frees it. */
static char *faults_of(dslc_kernels *kernels, const dslc_kernel *k, int number, uint64_t seed) {
  const dslc_machine_options how = {.seed = seed, .loop_limit = 2000};
  dslc_machine *machine = dslc_machine_create(&how);
  dslc_kernel_info info;
  char message[500], *text = NULL;
  size_t size;
  int n = 0;
  FILE *out = open_memstream(&text, &size);
  if (dslc_kernels_open(kernels, number, &info, message, sizeof message)) {
    uint64_t state = random_seed(seed);
    launch l = any_launch(k, &info, &state);
    fprintf(out, "%d\n", dslc_machine_launch(machine, kernels, number, l.argument, l.n, &l.range));
    const dslc_fault *fault = dslc_machine_faults(machine, &n);
    for (int i = 0; i < n; i++) fprintf(out, "%s\n", fault[i].text);
    clear_launch(&l);
  } else fputs(message, out);
  fclose(out);
  dslc_machine_destroy(&machine);
  return text;
}

/* Twice from one seed. */
static bool ends_alike(const char *source, const dslc_kernel *k, uint64_t seed, char *why, size_t size) {
  char message[500];
  dslc_kernels *kernels = dslc_kernels_parse(source, "", message, sizeof message);
  const int number = kernels ? dslc_kernels_find(kernels, k->name) : -1;
  bool same = true;
  if (number >= 0) {
    char *one = faults_of(kernels, k, number, seed), *two = faults_of(kernels, k, number, seed);
    same = one && two && strcmp(one, two) == 0;
    if (!same)
      snprintf(why, size, "kernel `%s` does not run to the same faults twice: %.200s", k->name,
               one ? one : "");
    free(one), free(two);
  }
  dslc_kernels_destroy(&kernels);
  return same;
}

bool launches_end(const dslc_program *p, uint64_t *state, char *why, size_t size) {
  if (p->execution.n_kernels == 0) return true;
  const dslc_kernel *k = &p->execution.kernel[random_below(state, (uint64_t)p->execution.n_kernels)];
  const char *source = p->execution.source;
  char *made[] = {mutate(source, state), with_snippet(source, k->name, state),
                  with_snippet(source, k->name, state)};
  bool good = ends_alike(source, k, random_next(state), why, size);
  for (int i = 0; i < 3; i++) {
    good = good && (!made[i] || ends_alike(made[i], k, random_next(state), why, size));
    free(made[i]);
  }
  return good;
}
