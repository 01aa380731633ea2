/* Meshes made by the gmsh command from a .geo file. */
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include <xxhash.h>

#include "device/spawn.h"
#include "run/leave.h"
#include "run/run.h"
#include "case/paths.h"

/* What every mesh is made with. What dimension to mesh in is the recipe's business if it says `Mesh N;`, else volumes before surfaces. */
static const char *const OPTIONS[] = {"-format", "msh41", "-bin", "-nt", "1", "-save", "-3"};
enum { N_OPTIONS = sizeof OPTIONS / sizeof *OPTIONS, OTHER_WORDS = 6 };

/* The lines with which gmsh reports errors; its chatter is long. */
static void pick_errors(const char *log, char *out, size_t size) {
  size_t used = 0;
  *out = '\0';
  for (const char *at = log; *at;) {
    size_t n = strcspn(at, "\n");
    if (n > 5 && strncmp(at, "Error", 5) == 0 && used < size)
      used += (size_t)snprintf(out + used, size - used, "\n  %.*s", (int)n, at);
    at += n + (at[n] == '\n');
  }
}

/* One call of gmsh. */
typedef struct gmsh_call {
  const ew_case *c;
  const char *recipe;
  const char *probe;  /* a file behind the recipe, or NULL */
  const char *target; /* NULL: nothing is made, what is read is only computed */
  double times;       /* as large as the case's are the numbers */
} gmsh_call;

/* Of what gmsh says, for the caller to free. */
static ew_status call_gmsh(const gmsh_call *g, char **log, ew_error *err) {
  enum { NUMBER = 40 };
  char file[EW_PATH], probe[EW_PATH], made[EW_PATH], errors[2048];
  int n = 0, exit_code = 0;
  const size_t numbers = (size_t)g->c->mesh.n_numbers;
  const char **words = calloc(OTHER_WORDS + N_OPTIONS + 3 * numbers, sizeof *words);
  char(*text)[NUMBER] = calloc(numbers + 1, sizeof *text);
  ew_status status = EW_OK;
  *log = NULL;
  if (!words || !text) EXEC_LEAVE(err, EW_FAIL, "out of memory for %s", g->recipe);
  words[n++] = "gmsh";
  words[n++] = spawn_file(g->recipe, file, sizeof file);
  if (g->probe) words[n++] = spawn_file(g->probe, probe, sizeof probe);
  if (g->target) words[n++] = "-o", words[n++] = spawn_file(g->target, made, sizeof made);
  else words[n++] = "-parse_and_exit";
  for (int i = 0; g->target && i < N_OPTIONS; i++) words[n++] = OPTIONS[i];
  for (size_t i = 0; i < numbers; i++) {
    const case_setting *s = &g->c->mesh.number[i];
    snprintf(text[i], NUMBER, "%.17g", strtod(s->value, NULL) * g->times);
    words[n++] = "-setnumber";
    words[n++] = s->name;
    words[n++] = g->times == 1 ? s->value : text[i];
  }
  status = spawn_capture((char *const *)words, "/dev/null", log, &exit_code, err);
  if (status != EW_OK)
    ew_context(err, "%s: the mesh is made by gmsh, which cannot be run (Debian: apt-get install gmsh)",
               g->recipe);
  else if (exit_code != 0) {
    pick_errors(*log, errors, sizeof errors);
    status = ew_fail(err, EW_INPUT, "%s: gmsh made no mesh (exit status %d)%s", g->recipe, exit_code, errors);
  }
cleanup:
  free(text);
  free(words);
  return status;
}

/* ---- the text of a recipe ---------------------------------------------------------------------------------------------- */

static ew_status read_recipe(const char *recipe, size_t size, char **text, ew_error *err) {
  FILE *f = fopen(recipe, "rb");
  *text = calloc(size + 1, 1);
  ew_status status = EW_OK;
  if (!*text) status = ew_fail(err, EW_FAIL, "out of memory for %s", recipe);
  else if (!f || fread(*text, 1, size, f) != size) status = ew_fail(err, EW_IO, "%s: cannot be read", recipe);
  if (f) fclose(f);
  return status;
}

static bool is_of_word(char c) { return isalnum((unsigned char)c) || c == '_'; }

/* By these a recipe reads another file. */
static const char *const READS[] = {"Include", "Merge", "MergeFile", "ShapeFromFile", NULL};

/* The length of the one that begins at `at`; 0: none does. */
static size_t reading_word(const char *text, const char *at) {
  if (at > text && is_of_word(at[-1])) return 0;
  for (int i = 0; READS[i]; i++) {
    const size_t n = strlen(READS[i]);
    if (strncmp(at, READS[i], n) == 0 && !is_of_word(at[n])) return n;
  }
  return 0;
}

/* The file whose name stands behind such a word, as gmsh looks for it: seen from the one that names it. False: no name is written there. */
static bool named_file(const char *recipe, const char *at, char *path, size_t size) {
  at += strspn(at, " \t\r\n(");
  if (*at != '"' && *at != '\'') return false;
  const char *slash = at[1] == '/' ? NULL : strrchr(recipe, '/');
  const char end[] = {*at, '\0'};
  snprintf(path, size, "%.*s%.*s", slash ? (int)(slash - recipe) + 1 : 0, recipe, (int)strcspn(at + 1, end),
           at + 1);
  return true;
}

/* Where the text in quotes of either kind ends that begins at `at`, as gmsh reads it: no character in it is another's end. NULL: nowhere, and gmsh
 * takes all that follows for the text. `at` itself: none begins there. */
static const char *end_of_text(const char *at) {
  return *at == '"' || *at == '\'' ? strchr(at + 1, *at) : at;
}

/* Comments become blanks; texts in quotes stay. */
static void blank_comments(char *text) {
  for (char *at = text; *at; at++) {
    const char *last = end_of_text(at);
    if (!last) return;
    if (last > at) {
      at += last - at;
    } else if (at[0] == '/' && at[1] == '/') {
      while (*at && *at != '\n') *at++ = ' ';
      if (!*at) return;
    } else if (at[0] == '/' && at[1] == '*') {
      char *end = strstr(at + 2, "*/");
      for (; *at && (!end || at < end + 2); at++) *at = ' ';
      at--;
    }
  }
}

/* ---- what a recipe may do ---------------------------------------------------------------------------------------------- */

/* Gmsh's language can run programs and write files. These words do, or take texts made while it runs that could. */
static const char *const FORBIDDEN[] = {"SystemCall",
                                        "NonBlockingSystemCall",
                                        "System",
                                        "OnelabRun",
                                        "CreateDir",
                                        "Save",
                                        "Print",
                                        "Plugin",
                                        "Solver",
                                        "Parse",
                                        "NameToString",
                                        "Background_Program",
                                        NULL};

/* `Printf("...") > "file"` writes; the word stands at `at`. */
static bool writes(const char *at) {
  for (; at && *at && *at != ';'; at = end_of_text(at), at += at != NULL)
    if (*at == '>') return true;
  return false;
}

/* Include and Merge take a text that names a file beside the recipe, or below. */
static bool stays_inside(const char *at) {
  at += strspn(at, " \t\r\n");
  if (*at != '"') return false;
  size_t n = strcspn(at + 1, "\"");
  bool up = false;
  for (size_t i = 1; i < n; i++) up |= at[i] == '.' && at[i + 1] == '.';
  return at[1] != '/' && !up && at[1 + n] == '"';
}

static bool ends_with(const char *name, size_t n, const char *const *end) {
  for (int i = 0; end[i]; i++) {
    const size_t m = strlen(end[i]);
    if (n > m && strncasecmp(name + n - m, end[i], m) == 0) return true;
  }
  return false;
}

/* Gmsh chooses by the end of a file's name what it does with it: files of these formats it reads, and what it reads of them runs nothing. */
static bool is_other_format(const char *name, size_t n) {
  static const char *const END[] = {".step", ".stp", ".brep", ".iges", ".igs", ".stl",
                                    ".med",  ".vtk", ".cgns", ".unv",  NULL};
  return ends_with(name, n, END);
}

/* Those too, and files that it reads as recipes. What ends in .py or .m, or in what a user's settings say, it runs. */
static bool is_read(const char *name, size_t n) {
  static const char *const END[] = {".geo", ".msh", ".pos", NULL};
  return is_other_format(name, n) || ends_with(name, n, END);
}

/* The file that a word such as Merge names. */
static bool names_a_program(const char *at) {
  const char *name = strchr(at, '"') + 1;
  return !is_read(name, strcspn(name, "\""));
}

static ew_status refuse(const char *recipe, const char *word, const char *why, ew_error *err) {
  return ew_fail(err, EW_INPUT,
                 "%s: '%s' %s, which a mesh does not need\nhint: read the recipe; if you trust it, say "
                 "--trust-recipes",
                 recipe, word, why);
}

static ew_status check_word(const char *recipe, const char *at, size_t n, ew_error *err) {
  static const char *const PRINTS[] = {"Printf", "Warning", "Error", NULL};
  char word[64];
  if (n >= sizeof word) return EW_OK;
  snprintf(word, sizeof word, "%.*s", (int)n, at);
  for (int i = 0; FORBIDDEN[i]; i++)
    if (strcmp(word, FORBIDDEN[i]) == 0) return refuse(recipe, word, "can run programs or write files", err);
  if (n > 8 && strcmp(word + n - 8, "FileName") == 0)
    return refuse(recipe, word, "names a file to write", err);
  for (int i = 0; READS[i]; i++)
    if (strcmp(word, READS[i]) == 0 && !stays_inside(at + n))
      return refuse(recipe, word, "names a file that does not lie beside the recipe, or below", err);
  for (int i = 1; READS[i]; i++) /* Include takes its file for a recipe, whatever its name */
    if (strcmp(word, READS[i]) == 0 && names_a_program(at + n))
      return refuse(recipe, word, "names a file that gmsh might run", err);
  for (int i = 0; PRINTS[i]; i++)
    if (strcmp(word, PRINTS[i]) == 0 && writes(at + n)) return refuse(recipe, word, "writes a file", err);
  return EW_OK;
}

/* Of a longer text gmsh reads the rest as statements, as it does of one that does not end. */
static ew_status check_quoted(const char *recipe, const char *at, const char *end, ew_error *err) {
  enum { LONGEST = 1000 };
  if (end && end - at <= LONGEST) return EW_OK;
  const int shown = (int)strcspn(at, "\r\n");
  return ew_fail(err, EW_INPUT, "%s: the text that begins with %.*s %s", recipe, shown < 20 ? shown : 20, at,
                 end ? "is longer than 1000 characters" : "does not end");
}

static ew_status check_text(const char *recipe, const char *text, ew_error *err) {
  ew_status status = EW_OK;
  for (const char *at = text, *end; status == EW_OK && *at; at = end + 1) {
    size_t n = 0;
    while (is_of_word(at[n])) n++;
    end = n > 0 ? at + n - 1 : end_of_text(at); /* a text is no word */
    status = n > 0 ? check_word(recipe, at, n, err) : check_quoted(recipe, at, end, err);
  }
  return status;
}

/* `included`: by Include, which takes any file for a recipe. */
static ew_status inspect(const char *recipe, bool included, int depth, ew_error *err);

/* What is included is read like the recipe itself, as gmsh would: seen from the file that names it. */
static ew_status inspect_included(const char *recipe, const char *text, int depth, ew_error *err) {
  for (const char *at = text; *at; at++) {
    const size_t n = reading_word(text, at);
    char path[EW_PATH];
    if (n == 0 || !named_file(recipe, at + n, path, sizeof path)) continue;
    struct stat st;
    if (stat(path, &st) != 0) continue; /* gmsh will say so */
    ew_status status = inspect(path, *at == 'I', depth + 1, err);
    if (status != EW_OK) return status;
  }
  return EW_OK;
}

static ew_status inspect(const char *recipe, bool included, int depth, ew_error *err) {
  enum { DEEPEST = 16 };
  struct stat st;
  char *text = NULL;
  ew_status status = EW_OK;
  if (depth > DEEPEST) return ew_fail(err, EW_INPUT, "%s: files include each other too deeply", recipe);
  if (stat(recipe, &st) != 0) return ew_fail(err, EW_IO, "%s: there is no such file", recipe);
  if (!S_ISREG(st.st_mode)) return ew_fail(err, EW_INPUT, "%s: is no regular file", recipe);
  if (!included && is_other_format(recipe, strlen(recipe))) return EW_OK;
  EW_CHECK(read_recipe(recipe, (size_t)st.st_size, &text, err));
  if (!included && strncmp(text, "$MeshFormat", 11) == 0) goto cleanup;
  if (strlen(text) != (size_t)st.st_size) /* behind it, gmsh would read on */
    EXEC_LEAVE(err, EW_INPUT, "%s: holds a zero byte; it is no recipe", recipe);
  blank_comments(text);
  EW_CHECK(check_text(recipe, text, err));
  EW_CHECK(inspect_included(recipe, text, depth, err));
cleanup:
  free(text);
  return status;
}

static ew_status inspect_recipe(const char *recipe, ew_error *err) {
  if (is_read(recipe, strlen(recipe))) return inspect(recipe, false, 0, err);
  return ew_fail(err, EW_INPUT,
                 "%s: gmsh might run a file of this name; recipes end in .geo\nhint: if you trust it, say "
                 "--trust-recipes",
                 recipe);
}

/* ---- what a mesh is made from ---------------------------------------------------------------------------------------------- */

/* The recipe, what it reads, what these read and so on, each once. */
typedef struct sources {
  char **path;
  int n;
} sources;

static ew_status add_source(sources *s, const char *path, ew_error *err) {
  for (int i = 0; i < s->n; i++)
    if (strcmp(s->path[i], path) == 0) return EW_OK;
  char **more = realloc(s->path, ((size_t)s->n + 1) * sizeof *more);
  if (more) s->path = more;
  char *own = more ? strdup(path) : NULL;
  if (!own) return ew_fail(err, EW_FAIL, "out of memory for %s", path);
  s->path[s->n++] = own;
  return EW_OK;
}

/* Names that a trusted recipe puts together while it runs are not seen. */
static ew_status add_named(sources *s, const char *recipe, const char *text, ew_error *err) {
  ew_status status = EW_OK;
  for (const char *at = text; *at; at++) {
    const size_t n = reading_word(text, at);
    char path[EW_PATH];
    if (n > 0 && named_file(recipe, at + n, path, sizeof path)) EW_CHECK(add_source(s, path, err));
  }
cleanup:
  return status;
}

static XXH64_hash_t hash_text(const char *text, XXH64_hash_t h) { return XXH64(text, strlen(text) + 1, h); }

/* One that is not there counts as such: gmsh may do without it, until it is there. */
static ew_status hash_source(sources *s, int which, XXH64_hash_t *h, ew_error *err) {
  ew_status status = EW_OK;
  struct stat st;
  char *text = NULL;
  const bool is_there = stat(s->path[which], &st) == 0 && S_ISREG(st.st_mode);
  const int64_t length = is_there ? (int64_t)st.st_size : -1;
  *h = XXH64(&length, sizeof length, *h);
  if (!is_there) return EW_OK;
  EW_CHECK(read_recipe(s->path[which], (size_t)length, &text, err));
  *h = XXH64(text, (size_t)length, *h);
  blank_comments(text);
  EW_CHECK(add_named(s, s->path[which], text, err));
cleanup:
  free(text);
  return status;
}

static ew_status hash_mesh(const ew_case *c, const char *recipe, XXH64_hash_t *out, ew_error *err) {
  ew_status status = EW_OK;
  sources s = {NULL, 0};
  XXH64_hash_t h = 0;
  for (int i = 0; i < N_OPTIONS; i++) h = hash_text(OPTIONS[i], h);
  for (int i = 0; i < c->mesh.n_numbers; i++)
    h = hash_text(c->mesh.number[i].value, hash_text(c->mesh.number[i].name, h));
  EW_CHECK(add_source(&s, recipe, err));
  for (int i = 0; i < s.n; i++) EW_CHECK(hash_source(&s, i, &h, err));
  *out = h;
cleanup:
  for (int i = 0; i < s.n; i++) free(s.path[i]);
  free(s.path);
  return status;
}

/* What a person tells meshes by: the recipe's name and numbers, as far as there is room. */
static void label(const ew_case *c, char *out, size_t size) {
  const char *slash = strrchr(c->mesh.path, '/'), *base = slash ? slash + 1 : c->mesh.path;
  const char *end = strrchr(base, '.');
  size_t used = end && end > base ? (size_t)(end - base) : strlen(base);
  if (used >= size) used = size - 1;
  while (used > 0 && ((unsigned char)base[used] & 0xc0) == 0x80) used--; /* between characters of UTF-8 */
  snprintf(out, size, "%.*s", (int)used, base);
  for (int i = 0; i < c->mesh.n_numbers; i++) {
    const case_setting *s = &c->mesh.number[i];
    if (used + 1 + strlen(s->name) + strlen(s->value) >= size) break;
    used += (size_t)snprintf(out + used, size - used, "_%s%s", s->name, s->value);
  }
  for (char *at = out; *at; at++)
    if (*at == '/') *at = '_'; /* numbers of gmsh may stand in groups */
}

/* Its name tells from what it is made, so that a mesh of other sources is never taken for it, whatever their dates. */
static ew_status mesh_path(const ew_case *c, const char *recipe, char *mesh_file, size_t size,
                           ew_error *err) {
  char name[NAME_MAX + 1], text[128];
  XXH64_hash_t h = 0;
  const ew_status status = hash_mesh(c, recipe, &h, err);
  if (status != EW_OK) return status;
  label(c, text, sizeof text);
  snprintf(name, sizeof name, "%s.%016llx.msh", text, (unsigned long long)h);
  exec_output_file(c, name, mesh_file, size);
  return EW_OK;
}

static bool is_made(const char *mesh_file) {
  struct stat st;
  return stat(mesh_file, &st) == 0;
}

ew_status exec_recipe_inspect(const ew_case *c, bool *made, ew_error *err) {
  ew_status status = EW_OK;
  char recipe[EW_PATH], mesh_file[EW_PATH];
  *made = false;
  exec_find_file(c, c->mesh.path, false, recipe, sizeof recipe);
  if (!c->mesh.trusted) EW_CHECK(inspect_recipe(recipe, err));
  EW_CHECK(mesh_path(c, recipe, mesh_file, sizeof mesh_file, err));
  *made = is_made(mesh_file);
cleanup:
  return status;
}

/* ---- numbers that a recipe does not take --------------------------------------------------------------------------------- */

static bool has_word(const char *text, const char *word) {
  size_t n = strlen(word);
  for (const char *at = text; (at = strstr(at, word)); at += n)
    if ((at == text || !is_of_word(at[-1])) && !is_of_word(at[n])) return true;
  return false;
}

/* Whether a word such as Include stands there without a name in quotes: it may read anything. */
static bool reads_unseen(const char *recipe, const char *text) {
  for (const char *at = text; *at; at++) {
    const size_t n = reading_word(text, at);
    char path[EW_PATH];
    if (n > 0 && !named_file(recipe, at + n, path, sizeof path)) return true;
  }
  return false;
}

/* Is the number named in what a recipe is, comments aside? */
static ew_status is_named(sources *s, const char *name, bool *named, ew_error *err) {
  ew_status status = EW_OK;
  for (int i = 0; i < s->n && status == EW_OK && !*named; i++) {
    struct stat st;
    char *text = NULL;
    if (stat(s->path[i], &st) != 0 || !S_ISREG(st.st_mode)) continue;
    status = read_recipe(s->path[i], (size_t)st.st_size, &text, err);
    if (status == EW_OK) {
      blank_comments(text);
      *named = has_word(text, name) || reads_unseen(s->path[i], text);
      status = add_named(s, s->path[i], text, err);
    }
    free(text);
  }
  return status;
}

static ew_status no_number(const char *recipe, const case_setting *n, const char *why, ew_error *err) {
  return ew_fail(err, EW_INPUT,
                 "%s: the recipe %s\nhint: it takes those that it declares: DefineConstant[ %s = ... ];",
                 recipe, why, n->name);
}

/* Gmsh takes any number, and one that nothing reads changes nothing. */
static ew_status check_named(const ew_case *c, const char *recipe, ew_error *err) {
  ew_status status = EW_OK;
  char why[256];
  for (int i = 0; i < c->mesh.n_numbers && status == EW_OK; i++) {
    const case_setting *n = &c->mesh.number[i];
    sources s = {NULL, 0};
    bool named = false;
    status = add_source(&s, recipe, err);
    if (status == EW_OK) status = is_named(&s, n->name, &named, err);
    for (int k = 0; k < s.n; k++) free(s.path[k]);
    free(s.path);
    snprintf(why, sizeof why, "has no number '%s'", n->name);
    if (status == EW_OK && !named) status = no_number(recipe, n, why, err);
  }
  return status;
}

/* Numbers in groups have other names in the recipe. */
static bool is_name(const char *text) {
  for (const char *at = text; *at; at++)
    if (!is_of_word(*at)) return false;
  return *text && !isdigit((unsigned char)*text);
}

/* A file that has gmsh say what the numbers are where the recipe ends. */
static ew_status write_probe(const ew_case *c, const char *path, ew_error *err) {
  FILE *f = fopen(path, "w");
  for (int i = 0; f && i < c->mesh.n_numbers; i++) {
    const char *name = c->mesh.number[i].name;
    if (is_name(name))
      fprintf(f, "If (Exists(%s))\n  Printf(\"edgewise number %d: %%.17g\", %s);\nEndIf\n", name, i, name);
  }
  if (f && fclose(f) == 0) return EW_OK;
  return ew_fail(err, EW_IO, "%s: cannot be written", path);
}

/* NaN: gmsh did not say. */
static double said(const char *log, int number) {
  char begin[48];
  const size_t n = (size_t)snprintf(begin, sizeof begin, "edgewise number %d: ", number);
  const char *at = log ? strstr(log, begin) : NULL;
  return at ? strtod(at + n, NULL) : NAN;
}

/* Whether number i was `as` in the end also where the numbers of the case are larger and smaller: then it is the recipe's own. */
static bool stays(const gmsh_call *made, int i, double as) {
  static const double times[] = {16, 1.0 / 16};
  bool same = true;
  for (int k = 0; same && k < 2; k++) {
    gmsh_call other = *made;
    char *log = NULL;
    ew_error ignored = {0};
    other.target = NULL, other.times = times[k];
    same = call_gmsh(&other, &log, &ignored) == EW_OK && said(log, i) == as;
    free(log);
  }
  return same;
}

/* `log`: of the mesh. A number that the recipe assigns is what it says, not what the case does. */
static ew_status check_taken(const gmsh_call *made, const char *log, ew_error *err) {
  for (int i = 0; i < made->c->mesh.n_numbers; i++) {
    const case_setting *n = &made->c->mesh.number[i];
    const double wanted = strtod(n->value, NULL), is = said(log, i);
    char why[256];
    if (isnan(is) || fabs(is - wanted) <= 1e-12 * fabs(wanted) || !stays(made, i, is)) continue;
    snprintf(why, sizeof why, "says itself that '%.100s' is %.6g, whatever the case says", n->name, is);
    return no_number(made->recipe, n, why, err);
  }
  return EW_OK;
}

/* ---- the mesh ---------------------------------------------------------------------------------------------------------- */

static ew_status make_mesh(const ew_case *c, const char *recipe, const char *target, ew_error *err) {
  ew_status status = EW_OK;
  char probe[EW_PATH], *log = NULL;
  gmsh_call g = {.c = c, .recipe = recipe, .target = target, .times = 1};
  const size_t n = strlen(target); /* ends with -0 */
  if (c->mesh.n_numbers > 0) {
    snprintf(probe, sizeof probe, "%.*s1", (int)n - 1, target);
    g.probe = probe;
    EW_CHECK(write_probe(c, probe, err));
  }
  EW_CHECK(call_gmsh(&g, &log, err));
  EW_CHECK(check_taken(&g, log, err));
cleanup:
  if (g.probe) remove(probe);
  free(log);
  return status;
}

ew_status exec_mesh_recipe(const ew_case *c, char *mesh_file, size_t size, ew_error *err) {
  ew_status status = EW_OK;
  char recipe[EW_PATH], folder[EW_PATH], making[EW_PATH];
  struct stat st;
  exec_find_file(c, c->mesh.path, false, recipe, sizeof recipe);
  if (stat(recipe, &st) != 0) return ew_fail(err, EW_IO, "%s: there is no such file", recipe);
  EW_CHECK(check_named(c, recipe, err));
  EW_CHECK(mesh_path(c, recipe, mesh_file, size, err));
  if (is_made(mesh_file)) return EW_OK;
  if (!c->mesh.trusted) EW_CHECK(inspect_recipe(recipe, err));
  exec_output_folder(c, folder, sizeof folder);
  EW_CHECK(exec_make_folder(folder, err));
  /* a mesh that was interrupted must not be taken for a finished one */
  snprintf(making, sizeof making, "%s.tmp-%ld-0", mesh_file, (long)getpid());
  status = make_mesh(c, recipe, making, err);
  if (status != EW_OK) {
    remove(making);
    return status;
  }
  if (rename(making, mesh_file) != 0)
    status = ew_fail(err, EW_INPUT, "%s: gmsh ran but wrote no mesh", recipe);
cleanup:
  return status;
}
