/* The kernel IR: text to program and back, and what is refused. */
#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "dslc.h"
#include "kernel/agree.h"
#include "kernel/kernel.h"

static void out_of_memory(void *ctx, size_t size) {
  (void)ctx;
  fail_msg("out of memory for %zu bytes", size);
}

static arena *memory(void) { return arena_create(out_of_memory, NULL); }

static char *read_file(const char *path) {
  FILE *in = fopen(path, "rb");
  if (!in) fail_msg("cannot open %s", path);
  fseek(in, 0, SEEK_END);
  size_t n = (size_t)ftell(in);
  rewind(in);
  char *text = calloc(1, n + 1);
  assert_non_null(text);
  assert_int_equal(fread(text, 1, n, in), n);
  fclose(in);
  return text;
}

/* ---- Round trips ------------------------------------------------------------------------------------------------------- */

/* Number of functions, statements and expressions: what a printer that leaves things out would change. */
typedef struct census {
  int functions, statements, lets, barriers, stores, types;
} census;

static void count_body(const kir_body *body, census *c);

static void count_stmt(const kir_stmt *s, census *c) {
  c->statements++;
  c->lets += s->kind == KIR_LET;
  c->barriers += s->kind == KIR_BARRIER;
  c->stores += s->kind == KIR_EVAL && s->value->kind == KIR_ASSIGN;
  count_body(&s->first, c);
  count_body(&s->body, c);
  count_body(&s->otherwise, c);
}

static void count_body(const kir_body *body, census *c) {
  for (int i = 0; i < body->n; i++) count_stmt(body->at[i], c);
}

static census count(const kir_program *p) {
  census c = {.functions = p->functions.n, .types = p->structs.n + p->enumerators.n};
  for (int i = 0; i < p->functions.n; i++) count_stmt(p->functions.at[i]->body, &c);
  return c;
}

static void round_trip(const char *what, const char *text, const char *options) {
  arena *a = memory();
  kir_message message;
  kir_program *first = kir_parse(a, text, options, &message);
  if (!first) fail_msg("%s:%d: %s", what, message.line, message.text);
  kir_message found;
  if (kir_verify(first, &found, 1)) fail_msg("%s:%d: %s", what, found.line, found.text);
  const char *once = kir_print(first);
  kir_program *second = kir_parse(a, once, NULL, &message);
  if (!second) fail_msg("%s, printed, line %d: %s\n%s", what, message.line, message.text, once);
  assert_string_equal(kir_print(second), once);
  const census x = count(first), y = count(second);
  assert_memory_equal(&x, &y, sizeof x);
  arena_destroy(&a);
}

static void folder_round_trips(const char *folder, int at_least) {
  char path[512];
  int files = 0;
  snprintf(path, sizeof path, "%s/%s", EW_SOURCE_DIR, folder);
  DIR *dir = opendir(path);
  assert_non_null(dir);
  for (struct dirent *e = readdir(dir); e; e = readdir(dir)) {
    const size_t n = strlen(e->d_name);
    if (n < 4 || strcmp(e->d_name + n - 3, ".cl") != 0) continue;
    snprintf(path, sizeof path, "%s/%s/%s", EW_SOURCE_DIR, folder, e->d_name);
    char *text = read_file(path);
    round_trip(path, text, "");
    free(text);
    files++;
  }
  closedir(dir);
  assert_in_range(files, at_least, 1000);
}

static void shipped_kernels_read_back(void **state) {
  (void)state;
  folder_round_trips("generated/gpu", 16);
  folder_round_trips("generated/cpu", 16);
  folder_round_trips("tests/golden/kernels", 3);
  folder_round_trips("runtime/run/kernels", 1);
}

static void joined_round_trips(const char *const *files, const char *options) {
  arena *a = memory();
  char *text = arena_strndup(a, "", 0);
  for (; *files; files++) {
    char *part = read_file(arena_printf(a, "%s/runtime/csr/kernels/%s", EW_SOURCE_DIR, *files));
    text = arena_printf(a, "%s%s", text, part);
    free(part);
  }
  round_trip(options, text, options);
  arena_destroy(&a);
}

static void linear_solvers_read_back(void **state) {
  (void)state;
  static const char *const forms[] = {
      "-DWORKGROUP_SIZE_BITS=0 -DROWS_PER_WORKGROUP_BITS=0 -DFORM_LOOP -DEXPLICIT",
      "-DWORKGROUP_SIZE_BITS=6 -DROWS_PER_WORKGROUP_BITS=5 -DFORM_LANES -DJACOBI -DMERGED -DNARROW",
      "-DWORKGROUP_SIZE_BITS=6 -DROWS_PER_WORKGROUP_BITS=5 -DFORM_STREAM -DSTREAM_ENTRIES=300",
      "-DWORKGROUP_SIZE_BITS=6 -DROWS_PER_WORKGROUP_BITS=5 -DFORM_PAPER",
      "-DWORKGROUP_SIZE_BITS=6 -DROWS_PER_WORKGROUP_BITS=6 -DFORM_SLICED -DSLICE_BITS=5 -DSORTED"};
  for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
    joined_round_trips(
        (const char *const[]){"dialect.cl", "form.cl", "state.inc", "look.cl", "solve.cl", "cg.cl", NULL},
        forms[i]);
    char single[200];
    snprintf(single, sizeof single, "%s -DSINGLE", forms[i]);
    joined_round_trips(
        (const char *const[]){"dialect.cl", "form.cl", "state.inc", "look.cl", "single.cl", "cg.cl", NULL},
        single);
    joined_round_trips((const char *const[]){"dialect.cl", "form.cl", "state.inc", "look.cl", "solve.cl",
                                             "bicgstab.cl", NULL},
                       forms[i]);
    joined_round_trips(
        (const char *const[]){"dialect.cl", "form.cl", "state.inc", "look.cl", "solve.cl", "minres.cl", NULL},
        forms[i]);
    joined_round_trips(
        (const char *const[]){"dialect.cl", "form.cl", "state.inc", "look.cl", "solve.cl", "gmres.cl", NULL},
        forms[i]);
  }
  for (int lanes = 0; lanes <= 2; lanes += 2) {
    char options[100];
    snprintf(options, sizeof options,
             "-DWORKGROUP_SIZE_BITS=%d -DROWS_PER_WORKGROUP_BITS=7 -DSLICE_BITS=5 -DLANES_BITS=%d",
             lanes ? 7 : 0, lanes);
    joined_round_trips((const char *const[]){"dialect.cl", "multigrid.cl", NULL}, options);
  }
}

static int differences(const dslc_program *g, char *messages, size_t size) {
  arena *a = memory();
  kir_message message;
  kir_program *p = kir_parse(a, g->execution.source, "", &message);
  if (!p) fail_msg("line %d: %s", message.line, message.text);
  const int n = kir_agrees(p, g, messages, size);
  arena_destroy(&a);
  return n;
}

static void agrees(const char *what, const dslc_program *g) {
  char messages[2000];
  if (differences(g, messages, sizeof messages) != 0) fail_msg("%s: %s", what, messages);
}

static bool scheme_round_trips(const char *path, const dslc_setting *settings, int n_settings, bool cpu) {
  dslc_program *program = NULL;
  dslc_messages *messages = NULL;
  const dslc_options options = {
      .path = path, .n_rules = -1, .n_show = -1, .n_schedule = n_settings, .schedule = settings, .cpu = cpu};
  const bool compiled = dslc_compile(&options, &program, &messages) == 0;
  if (compiled) {
    round_trip(path, program->execution.source, "");
    agrees(path, program);
  }
  dslc_messages_destroy(&messages);
  dslc_program_destroy(&program);
  return compiled;
}

static void schedules_read_back(void **state) {
  (void)state;
  static const dslc_setting settings[][4] = {
      {{"faces", "scatter"}, {"layout", "aos"}, {"select", "delta"}, {"reduce", "serial"}},
      {{"faces", "patch"}, {"group", "32"}, {"select", "branch"}, {"items", "loop"}},
      {{"faces", "inline"}, {"items", "each"}, {"grid.window", "off"}, {"grid.walls", "calls"}},
      {{"grid.window", "auto"}, {"grid.walls", "tables"}, {"group", "64"}, {"items", "each"}},
      {{"edges", "packed"}, {"lanes", "8"}, {"reads", "as_used"}, {"select", "branch"}},
      {{"edges", "pairs"}, {"items", "loop"}, {"unroll", "no"}, {"grid.tile", "1"}}};
  int compiled = 0;
  static const char *const schemes[] = {"heat", "shallow_water", "edge_navier_stokes",
                                        "mac",  "maxwell_yee",   "cahn_hilliard"};
  for (size_t s = 0; s < sizeof schemes / sizeof *schemes; s++)
    for (size_t k = 0; k < sizeof settings / sizeof *settings; k++) {
      char path[512];
      snprintf(path, sizeof path, "%s/schemes/%s.ew", EW_SOURCE_DIR, schemes[s]);
      compiled += scheme_round_trips(path, settings[k], 4, k == 5);
    }
  assert_in_range(compiled, 22, 36); /* some settings do not go with some schemes */
}

/* ---- What programs say of their kernels ------------------------------------------------------------------------------------- */

static dslc_program *compile_with(const char *text, const dslc_setting *setting, int n_settings) {
  dslc_program *program = NULL;
  dslc_messages *messages = NULL;
  const dslc_options options = {.path = "small.ew",
                                .text = text,
                                .n_rules = -1,
                                .n_show = -1,
                                .faces_per_cell = 3,
                                .schedule = setting,
                                .n_schedule = n_settings};
  const int status = dslc_compile(&options, &program, &messages);
  if (status != 0) dslc_messages_print(messages, stderr, false);
  assert_int_equal(status, 0);
  dslc_messages_destroy(&messages);
  return program;
}

static dslc_program *compile_text(const char *text) { return compile_with(text, NULL, 0); }

static dslc_kernel *kernel_named(const dslc_program *g, const char *name) {
  for (int i = 0; i < g->execution.n_kernels; i++)
    if (strcmp(g->execution.kernel[i].name, name) == 0) return &g->execution.kernel[i];
  fail_msg("no kernel %s", name);
  return NULL;
}

static dslc_arg *argument_named(dslc_kernel *k, const char *name) {
  for (int i = 0; i < k->n_args; i++)
    if (strcmp(k->arg[i].name, name) == 0) return &k->arg[i];
  fail_msg("no argument %s", name);
  return NULL;
}

static void differs(const dslc_program *g, const char *expected) {
  char messages[2000];
  assert_int_equal(differences(g, messages, sizeof messages), 1);
  assert_string_equal(messages, expected);
}

/* Whatever the program says wrongly is found, by kernel and argument. */
static void what_a_program_says_wrongly_is_found(void **state) {
  (void)state;
  dslc_program *g = compile_text(
      "scheme small on mesh(2) {\n  state h @ cells\n  state q : vector @ cells\n  parameter k = 2\n"
      "  flux f @ faces = k*(h[L] - h[R])/distance\n  dt = 1e-3\n"
      "  step { update h = h - dt/volume*sum(f of c) area*f  update q = q*0.5 }\n}\n");
  agrees("small", g);
  dslc_kernel *k = kernel_named(g, "update_h"), kept = *k;
  dslc_arg *q = argument_named(k, "q_"), was = *q;
  q->reads = 1;
  differs(g, "kernel update_h: `q_`: 2 components are read, not 1\n");
  *q = was, q->writes = 0;
  differs(g, "kernel update_h: `q_`: 2 components are written, not 0\n");
  *q = was, q->name = "p_";
  differs(g, "kernel update_h: argument 10 is `q_` in the text, `p_` in the program\n");
  *q = was, k->cost.loads += 1;
  differs(g, "kernel update_h: an item loads 19 elements, not 20\n");
  *k = kept, k->cost.stores = 1;
  differs(g, "kernel update_h: an item stores 3 elements, not 1\n");
  *k = kept, k->n_args -= 1;
  differs(g, "kernel update_h: it has 13 arguments in the text, 12 in the program\n");
  *k = kept;
  argument_named(k, "flags_")->reads = 1;
  differs(g, "kernel update_h: `flags_` counts as traffic\n");
  dslc_program_destroy(&g);
}

/* A cell of a patch loads h, the ends of (3 + 1/4)/2 faces, and its three sides; what faces are called only those at the boundary ask. */
static void what_a_patch_loads_is_counted_by_its_cells(void **state) {
  (void)state;
  const dslc_setting patch = {"faces", "patch"};
  dslc_program *g = compile_with(
      "scheme small on mesh(2) {\n  state h @ cells\n  flux f @ faces = h[L] - h[R]\n  dt = 1e-3\n"
      "  step { update h = h - dt*sum(f of c) f }\n}\n",
      &patch, 1);
  agrees("small", g);
  dslc_kernel *k = kernel_named(g, "update_h");
  assert_true(k->patches);
  assert_float_equal(k->cost.loads, 1 + 1.625 + 3, 0);
  assert_float_equal(k->cost.stores, 1, 0);
  assert_float_equal(argument_named(k, "h_")->reads, 1, 0);
  assert_float_equal(argument_named(k, "patch_side_")->reads, 3, 0);
  assert_float_equal(argument_named(k, "patch_face_")->reads, 0, 0);
  assert_float_equal(argument_named(k, "patch_start_")->reads, 0, 0);
  dslc_program_destroy(&g);
}

/* A point near walls has four items, one for each function of mac's: each loads its point's number and where the value goes; two look at
 * 1 + 4 distances from walls, two at 1 + 2. */
static void what_tables_near_walls_load_is_counted_by_points(void **state) {
  (void)state;
  char path[512];
  dslc_program *program = NULL;
  dslc_messages *messages = NULL;
  snprintf(path, sizeof path, "%s/schemes/mac.ew", EW_SOURCE_DIR);
  const dslc_options options = {.path = path, .n_rules = -1, .n_show = -1};
  assert_int_equal(dslc_compile(&options, &program, &messages), 0);
  const dslc_kernel *k = kernel_named(program, "near_walls");
  assert_int_equal(k->parts, 4);
  assert_float_equal(k->cost.loads, 4 * (1 + 1) + 2 * (1 + 4) + 2 * (1 + 2), 0);
  assert_float_equal(k->cost.stores, 4, 0);
  dslc_messages_destroy(&messages);
  dslc_program_destroy(&program);
}

/* ---- What is refused ------------------------------------------------------------------------------------------------------ */

static void refuse(const char *text, int line, const char *expected) {
  arena *a = memory();
  kir_message message;
  kir_program *p = kir_parse(a, text, "", &message);
  if (p) fail_msg("parsed: %s", text);
  assert_string_equal(message.text, expected);
  assert_int_equal(message.line, line);
  arena_destroy(&a);
}

static void what_is_outside_is_refused_with_its_line(void **state) {
  (void)state;
  refuse("__kernel void k(__global double *a)\n{\n  b[0] = 1.0;\n}\n", 3, "`b` is not declared");
  refuse("__kernel void k(__global const double *a) { a[0] = 1.0; }", 1, "what is assigned to is constant");
  refuse("__kernel void k(__global double *a) {\n  const int i = 0;\n  const int i = 1; }", 3,
         "`i` is declared twice");
  refuse("__kernel void k(__global double *a) { double4 x; }", 1, "`double4` is not declared");
  refuse("__kernel void k(__global double *a) { goto end; }", 1, "`goto` is not declared");
  refuse("__kernel void k(__global int *a) { a = (__global int *)a; }", 1,
         "a cast of __global int * to __global int * is outside the subset");
  refuse("__kernel void k(__global int *a) { a[0.5] = 1; }", 1,
         "an index of type double into __global int *");
  refuse("__kernel void k(__global int *a) { barrier(0); }", 1, "a barrier of no memory");
  refuse("__kernel void k(__global int *a) { double x = a; }", 1,
         "an initial value: __global int * is given, double is wanted");
  refuse("void f(__local double *x) {}\n__kernel void k(__global double *a) { f(a); }", 2,
         "f: __global double * is given, __local double * is wanted");
  refuse("double f(const double x) { return f(x); }", 1, "f is called before it is defined");
  refuse("void f(const double x) { __local int y; }", 1, "__local variables are a kernel's");
  refuse("int x;", 1, "`x`: variables outside of functions are outside the subset");
  refuse("#define F(a, b) a\n__kernel void k(__global double *a) { a[0] = F(1.0); }", 2,
         "a macro is given fewer arguments than it has");
  refuse("#include <x>\n", 1, "a directive outside the subset: #include");
  refuse("#if 1\n__kernel void k(__global double *a) {}\n", 3, "an #if without its #endif");
  refuse("__kernel void k(__global double *a) { a[0] = 1.0 }", 1,
         "`;` is expected behind a statement, not `}`");
  refuse("__kernel void k(__global double *a) {", 1, "an expression is expected, not ``");
  refuse("/* begins", 1, "a comment that does not end");
  refuse("@", 1, "a character that begins nothing: `@`, number 64");
}

/* Neither overflows the stack. */
static void depth_is_bounded(void **state) {
  (void)state;
  enum { depth = 100000 };
  char *text = calloc(1, depth + 100), *at = text;
  at = stpcpy(at, "__kernel void k(__global double *a) { a[0] = ");
  memset(at, '(', depth);
  refuse(text, 1, "more than 400 constructs within each other");
  for (int i = 0; i < depth; i += 2) memcpy(at + i, "1+", 2);
  refuse(text, 1, "an expression of more than 4000 levels");
  free(text);
}

static void macros_expand_as_in_c(void **state) {
  (void)state;
  arena *a = memory();
  kir_message message;
  kir_program *p = kir_parse(
      a,
      "#define at(i) at_[2*(i) + K]\n#define TWICE(x) x, x\n#define PICK(a, b) b\n#define JOIN(i) last_##i\n"
      "#if defined X && !defined(Y) && K > 2*3\n"
      "__kernel void k(__global int *at_) { const int at = 1, JOIN(at) = 2;\n at(at + JOIN(at)) = PICK((1, "
      "2), at(0)); }\n"
      "#else\n#error\n#endif\n",
      "-D X -DK=7", &message);
  if (!p) fail_msg("line %d: %s", message.line, message.text);
  assert_non_null(strstr(kir_print(p), "at_[2*(at + last_at) + 7] = at_[2*0 + 7];"));
  arena_destroy(&a);
}

/* ---- What the verifier says -------------------------------------------------------------------------------------------------- */

static void says(const char *body, const char *expected) {
  arena *a = memory();
  kir_message message, found[4];
  const char *text =
      arena_printf(a,
                   "void meet(const int i) { barrier(CLK_LOCAL_MEM_FENCE); }\n"
                   "__kernel void k(__global double *a, __global const int *flags, const int n)\n{\n%s\n}\n",
                   body);
  kir_program *p = kir_parse(a, text, "", &message);
  if (!p) fail_msg("line %d: %s\n%s", message.line, message.text, text);
  const int n = kir_verify(p, found, 4);
  if (n != (*expected != '\0')) fail_msg("%d messages: %s\n%s", n, n ? found[0].text : "", text);
  if (n) assert_string_equal(found[0].text, expected);
  arena_destroy(&a);
}

static void the_verifier_knows_what_varies(void **state) {
  (void)state;
  const char *around = "a barrier that not all items of a group reach: the condition around it varies";
  const char *returned = "a barrier that not all items of a group reach: some may have returned";
  const char *loop = "a barrier that not all items of a group reach: some may have left the loop";
  says("if (get_local_id(0) > 3) barrier(CLK_LOCAL_MEM_FENCE);", around);
  says("if (get_group_id(0) > 3 && n > 2) barrier(CLK_LOCAL_MEM_FENCE);", "");
  says("const int i = get_global_id(0);\nif (i >= n) return;\nbarrier(CLK_LOCAL_MEM_FENCE);", returned);
  says("if (flags[0]) return;\nbarrier(CLK_LOCAL_MEM_FENCE);", "");
  says("const int i = get_global_id(0);\nif (flags[i]) return;\nbarrier(CLK_LOCAL_MEM_FENCE);", returned);
  says("const int i = get_global_id(0);\nint k = 0;\nif (i > 3) k = 1;\nfor (int j = k; j < n; ++j) "
       "barrier(CLK_LOCAL_MEM_FENCE);",
       around);
  says("for (int j = 0; j < n; ++j) { barrier(CLK_LOCAL_MEM_FENCE);\nif (a[get_local_id(0)] > 0.0) break; }",
       loop);
  says("for (int j = 0; j < n; ++j) { if (a[get_local_id(0)] > 0.0) continue;\na[j] = 0.0; "
       "}\nbarrier(CLK_LOCAL_MEM_FENCE);",
       "");
  says("if (a[get_local_id(0)] > 0.0) meet(1);",
       "a call with a barrier that not all items of a group reach: the condition around it varies");
  says("__local int any;\nif (get_local_id(0) == 0) any = "
       "0;\nbarrier(CLK_LOCAL_MEM_FENCE);\natomic_max(&any, 1);\n"
       "barrier(CLK_LOCAL_MEM_FENCE);\nif (any) barrier(CLK_LOCAL_MEM_FENCE);",
       "");
}

static void the_verifier_knows_what_is_never_written(void **state) {
  (void)state;
  says("__local double s[4];\na[0] = s[1];", "`s` is read and never written");
  says("__local double s[4];\ns[get_local_id(0)] = 1.0;\na[0] = s[4];", "element 4 of `s`, which has 4");
  says("double x;\na[0] = x;", "`x` is read and never written");
  says("double x;\nx = a[1];\na[0] = x;", "");
  says("double x[2];\nx[-1] = 1.0;", "element -1 of `x`, which has 2");
}

static void the_verifier_knows_what_is_not_written_yet(void **state) {
  (void)state;
  const char *shared = "`s` is read before it is written", *own = "`x` is read before it is written";
  says("__local double s[64];\na[0] = s[0];\nbarrier(CLK_LOCAL_MEM_FENCE);\ns[get_local_id(0)] = 1.0;",
       shared);
  says("__local double s[64];\nif (get_local_id(0) == 0) s[0] = 1.0;\nbarrier(CLK_LOCAL_MEM_FENCE);\na[0] = "
       "s[0];",
       "");
  says("__local double s[64];\nfor (int i = 0; i < n; ++i) {\na[i] += "
       "s[i];\nbarrier(CLK_LOCAL_MEM_FENCE);\ns[i] = "
       "1.0;\nbarrier(CLK_LOCAL_MEM_FENCE);\n}",
       shared);
  says("__local int s;\nif (s > 0) return;\ns = 1;", shared);
  says("double x;\nif (n > 2) x = 1.0;\na[0] = x;", own);
  says("double x;\nif (n > 2) x = 1.0; else x = 2.0;\na[0] = x;", "");
  says("double x;\nif (n > 2) x = 1.0; else return;\na[0] = x;", "");
  says("double x;\nfor (int i = 0; i < n; ++i) x = a[i];\na[0] = x;", own);
  says("for (int i = 0; i < n; ++i) {\ndouble x;\nif (i > 0) a[i] = x;\nx = a[i];\n}", own);
  says("double x;\nswitch (n) {\ncase 0: x = 1.0; break;\ncase 1: a[1] = x;\n}", own);
  says("double x;\nx += 1.0;\na[0] = x;", own);
  says("double x;\na[0] = n > 2 && (x = 1.0) > 0.0 ? x : 0.0;", own);
  says("double x[3];\nfor (int i = 0; i < n; ++i) x[i] = 1.0;\na[0] = x[1];", "");
  says("double x[3];\na[0] = x[1];\nx[1] = 1.0;", own);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(shipped_kernels_read_back),
      cmocka_unit_test(linear_solvers_read_back),
      cmocka_unit_test(schedules_read_back),
      cmocka_unit_test(what_a_program_says_wrongly_is_found),
      cmocka_unit_test(what_a_patch_loads_is_counted_by_its_cells),
      cmocka_unit_test(what_tables_near_walls_load_is_counted_by_points),
      cmocka_unit_test(what_is_outside_is_refused_with_its_line),
      cmocka_unit_test(depth_is_bounded),
      cmocka_unit_test(macros_expand_as_in_c),
      cmocka_unit_test(the_verifier_knows_what_varies),
      cmocka_unit_test(the_verifier_knows_what_is_never_written),
      cmocka_unit_test(the_verifier_knows_what_is_not_written_yet),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
