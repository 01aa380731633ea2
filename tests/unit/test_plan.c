/* The values of a plan: they are printed, and the verifier finds what is wrong with them. */
#include <unistd.h>

#include "test_scheme_fixture.h"

#include "schedule/outline.h"
#include "schedule/steps.h"

static char *dump_of(const char *path, const char *step, const dslc_options *like) {
  dslc_options o = *like;
  o.path = path;
  return dump(&o, step);
}

/* ---- shipped schemes, in several ways --------------------------------------------------------------------------------- */

static const dslc_setting packed[] = {{"edges", "packed"}, {"grid.window", "auto"}},
                          lean[] = {{"edges", "lean"}, {"faces", "store"}, {"grid.walls", "tables"}},
                          patches[] = {{"faces", "patch"}, {"group", "32"}},
                          scatter[] = {{"faces", "scatter"}, {"grid.window", "off"}};

static const dslc_options ways[] = {{.faces_per_cell = 3},
                                    {.cpu = true},
                                    {.periodic = true, .emit = DSLC_EMIT_C},
                                    {.schedule = packed, .n_schedule = 2},
                                    {.schedule = lean, .n_schedule = 3},
                                    {.schedule = patches, .n_schedule = 2},
                                    {.schedule = scatter, .n_schedule = 2}};
enum { WAYS = sizeof ways / sizeof *ways };

static char *printed(const outline *o, const storage_outline *s) {
  char *text = NULL;
  size_t size = 0;
  FILE *out = open_memstream(&text, &size);
  if (o) outline_print(out, o);
  else storage_print(out, s);
  fclose(out);
  return text;
}

/* And what is read back is as sound as what was printed. */
static void reads_back_the_same(const char *text, const char *where) {
  arena *a = arena_create(no_memory, NULL);
  const char *wrong = NULL;
  const bool storage = strncmp(text, "storage", 7) == 0;
  const storage_outline *s = storage ? storage_parse(a, intern_create(a), text, &wrong) : NULL;
  const outline *o = storage ? NULL : outline_parse(a, intern_create(a), text, &wrong);
  if (!wrong) wrong = storage ? storage_verify(s) : tasks_verify(o);
  if (!wrong && o) wrong = launches_verify(o);
  if (wrong) fail_msg("%s: %s", where, wrong);
  char *again = printed(o, s);
  assert_string_equal(again, text);
  free(again);
  arena_destroy(&a);
}

static void plans_of_shipped_schemes_are_sound(void **state) {
  static const char *const step[] = {"storage", "tasks", "launches"}, *const begin[] = {"storage {\n",
                                                                                        "plan on ",
                                                                                        "plan on "};
  glob_t schemes;
  int looked_at = 0;
  (void)state;
  assert_int_equal(glob(EW_SOURCE_DIR "/schemes/*.ew", 0, NULL, &schemes), 0);
  for (size_t i = 0; i < schemes.gl_pathc; i++)
    for (int w = 0; w < WAYS && is_scheme(schemes.gl_pathv[i]); w++, looked_at++) {
      char *text = dump_of(schemes.gl_pathv[i], step[(i + (size_t)w) % 3], &ways[w]);
      assert_memory_equal(text, begin[(i + (size_t)w) % 3], strlen(begin[(i + (size_t)w) % 3]));
      reads_back_the_same(text, schemes.gl_pathv[i]);
      free(text);
    }
  globfree(&schemes);
  assert_true(looked_at > 90);
}

static const char *const plan_step[] = {"storage", "tasks", "launches"};

/* Schemes that random testing has found: with what no shipped one has. */
static void plans_of_random_schemes_read_back(void **state) {
  static const char *const shipped[] = {EW_SOURCE_DIR "/schemes", NULL};
  glob_t schemes;
  (void)state;
  assert_int_equal(glob(EW_SOURCE_DIR "/tests/random/kept/*/scheme.ew", 0, NULL, &schemes), 0);
  assert_true(schemes.gl_pathc > 50);
  for (size_t i = 0; i < schemes.gl_pathc; i++)
    for (int k = 0; k < 3; k++) {
      dslc_options way = ways[i % WAYS];
      way.sources.import_path = shipped;
      char *text = dump_of(schemes.gl_pathv[i], plan_step[k], &way);
      reads_back_the_same(text, schemes.gl_pathv[i]);
      free(text);
    }
  globfree(&schemes);
}

/* ---- what boundary rules alone look at ----------------------------------------------------------------------------------- */

/* The last cell's neighbours say how it goes on behind a boundary; the step reads `rate`, too. */
static char *going_on(const char *rate) {
  char text[2000];
  snprintf(text, sizeof text,
           "scheme going_on on mesh(2) {\n"
           "  state h @ cells\n"
           "  seen   @ cells = h\n"
           "  known  @ cells = 1\n"
           "  around @ cells = sum(f of c to d) known[d]*(h[d] - h[c])\n"
           "  beside @ cells = sum(f of c to d) around[d]\n"
           "  flux q @ faces = seen[L] - seen[R]\n"
           "  boundary open { ghost h = h[L]  ghost seen = beside[L]  ghost known = 0  ghost around = 0  "
           "flux q = beside[L] }\n"
           "  dt = 0.01\n"
           "  step { update h = h - dt*sum(f of c) q + %s }\n"
           "}\n",
           rate);
  char path[] = "/tmp/ew_going_on_XXXXXX";
  const int file = mkstemp(path);
  assert_true(file >= 0);
  assert_int_equal(write(file, text, strlen(text)), (ssize_t)strlen(text));
  close(file);
  char *dumped = dump_of(path, "launches", &(dslc_options){.faces_per_cell = 3});
  unlink(path);
  return dumped;
}

static int count_of(const char *text, const char *piece) {
  int n = 0;
  for (const char *at = text; (at = strstr(at, piece)); at += strlen(piece)) n++;
  return n;
}

static void what_rules_alone_look_at_is_computed_at_boundaries(void **state) {
  (void)state;
  char *text = going_on("0");
  assert_int_equal(count_of(text, "launch around over wide rim"), 1);
  assert_int_equal(count_of(text, "launch beside over rim"), 1);
  free(text);
}

static void what_the_step_reads_is_computed_everywhere(void **state) {
  (void)state;
  char *text = going_on("0*dt + dt*beside");
  assert_int_equal(count_of(text, "rim"), 0);
  free(text);
}

/* `known` and what lies beyond the boundary of `around` are numbers. Nobody needs a ghost of `seen`: the rule replaces its only reader. */
static void what_no_step_changes_the_setup_writes(void **state) {
  (void)state;
  char *text = going_on("0"), *step = strstr(text, "section step {"),
       *setup = strstr(text, "section setup {");
  assert_true(setup && step > setup);
  *strstr(step, "\n}") = '\0';
  assert_int_equal(count_of(step, "launch known"), 0);
  assert_int_equal(count_of(step, "launch ghosts_open"), 1);
  step[-1] = '\0';
  assert_true(count_of(setup, "launch known") == 1);
  assert_true(count_of(setup, "launch ghosts_open") >= 1);
  free(text);
}

/* ---- candidates ---------------------------------------------------------------------------------------------------- */

static const char convection[] = EW_SOURCE_DIR "/schemes/natural_convection.ew";

static char *candidate_line(const char *text, const char *way) {
  const char *at = strstr(text, way), *end = at ? strchr(at, '\n') : NULL;
  assert_non_null(end);
  return strndup(at, (size_t)(end - at));
}

static double bytes_of(const char *line) {
  const char *at = strstr(line, " # ");
  assert_non_null(at);
  return strtod(at + 3, NULL);
}

static void the_cheaper_candidate_is_kept(void **state) {
  (void)state;
  char *text = dump_of(convection, "tasks", &(dslc_options){0});
  char *window = candidate_line(text, "candidate for T: a window computes"),
       *stored = candidate_line(text, "candidate for T: kernels before it store");
  assert_non_null(strstr(window, "; kept"));
  assert_non_null(strstr(stored, "; dropped"));
  assert_true(bytes_of(window) < bytes_of(stored));
  assert_non_null(strstr(text, "  keeps rows of p_new\n"));
  free(window), free(stored), free(text);
}

/* A window that does not fit leaves nothing behind: kernels and launches are those of a schedule that never had one. */
static void a_dropped_candidate_leaves_no_trace(void **state) {
  static const dslc_setting small[] = {{"grid.local", "1024"}}, plain[] = {{"grid.window", "off"},
                                                                           {"free.x", "store"},
                                                                           {"free.y", "store"},
                                                                           {"p_new", "store"}};
  const dslc_options with = {.schedule = small, .n_schedule = 1},
                     without = {.schedule = plain, .n_schedule = 4};
  (void)state;
  char *tasks = dump_of(convection, "tasks", &with);
  char *window = candidate_line(tasks, "candidate for T: a window computes");
  assert_non_null(
      strstr(window, "; dropped: 5 rows of 32 columns take 1624 bytes of local memory, more than 1024"));
  assert_null(strstr(tasks, "  keeps rows of"));
  char *a = dump_of(convection, "launches", &with), *b = dump_of(convection, "launches", &without);
  assert_string_equal(strstr(a, "section setup"), strstr(b, "section setup"));
  free(tasks), free(window), free(a), free(b);
}

/* ---- a plan that was right -------------------------------------------------------------------------------------------- */

static const char HEAT[] = "scheme heat_of_ghosts on mesh(2) {\n"
                           "  state T @ cells\n"
                           "  flux q @ faces = (T[L] - T[R])/distance\n"
                           "  dt = 0.1\n"
                           "  step { update T = T - dt/volume*sum(f of c) area*q }\n"
                           "  boundary wall { ghost T = 2 - T[L] }\n"
                           "  boundary insulated { flux q = 0 }\n"
                           "}\n";

typedef struct planned {
  arena *memory;
  diag_sink *sink;
  dslc_options options;
  schedule schedule;
  lowering low;
  problem in;
  const symbol_use *use;
  const dependence *dependence;
  symbol_storage *storage;
  launches l;
} planned;

static const char *written(const char *text) {
  static char path[1024];
  const char *folder = getenv("TMPDIR");
  snprintf(path, sizeof path, "%s/test_plan_%d.ew", folder && *folder ? folder : "/tmp", rand());
  FILE *f = fopen(path, "w");
  assert_non_null(f);
  fputs(text, f);
  fclose(f);
  return path;
}

/* From the equations as the last lowering leaves them. */
static void plan_heat(planned *p) {
  static const dslc_setting stored = {"faces", "store"};
  const dslc_options options = {.schedule = &stored, .n_schedule = 1, .n_rules = -1, .n_show = -1};
  const char *path = written(HEAT), *error = NULL;
  char *text = dump_of(path, "residuals", &options);
  remove(path);
  p->options = options;
  p->memory = arena_create(no_memory, NULL);
  source_set *sources = source_create(p->memory);
  source_add(sources, "heat.ew", HEAT, (uint32_t)strlen(HEAT)); /* messages and kernels name its lines */
  p->sink = diag_create(p->memory, sources);
  ir_module *m = ir_parse(p->memory, intern_create(p->memory), text, &error);
  if (!m) fail_msg("%s", error);
  free(text);
  p->schedule = schedule_read(p->memory, m->names, sources, p->sink, &(schedule_for){&p->options, m, "", ""});
  p->low = (lowering){
      .m = m, .schedule = &p->schedule, .rule_used = lower_rules_used(m, &p->options), .faces = FORM_STORE};
  p->in = problem_of(p->memory, &p->low, &p->options, sources, p->sink);
  p->use = uses_find(&p->in);
  p->dependence = dependence_find(&p->in, p->use);
  const symbol_storage *made = storage_decide(&p->in, p->use, p->dependence);
  p->storage = arena_array(p->memory, symbol_storage, m->symbol.n);
  memcpy(p->storage, made, sizeof *made * (size_t)m->symbol.n);
  const select_report none = {0};
  plan_result r = plan_make(p->memory, &p->low, &none, &p->options, sources, p->sink);
  assert_non_null(r.plan);
  p->l = (launches){.in = &p->in,
                    .use = p->use,
                    .storage = p->storage,
                    .plan = r.plan,
                    .program = r.plan->program,
                    .rebind = r.rebind,
                    .n_rebinds = r.n_rebinds};
}

static int planned_heat(void **state) {
  planned *p = calloc(1, sizeof *p);
  plan_heat(p);
  return *state = p, 0;
}

static int forget(void **state) {
  planned *p = *state;
  arena_destroy(&p->memory);
  free(p);
  return 0;
}

static const char *wrong_storage(planned *p) {
  return storage_verify(storage_outline_of(&p->in, p->use, p->dependence, p->storage));
}

static const char *wrong_tasks(planned *p) { return tasks_verify(outline_of_tasks(&p->l)); }

static const char *wrong_launches(planned *p) { return launches_verify(outline_of_launches(&p->l)); }

/* The operation of the step that launches a kernel whose name begins so. */
static dslc_op *launch_of(planned *p, const char *kernel) {
  const dslc_section *step = &p->l.program->execution.section[DSLC_SECTION_STEP];
  for (int i = 0; i < step->n_ops; i++)
    if (step->op[i].kind == DSLC_OP_LAUNCH &&
        strncmp(p->l.plan->kernel.at[step->op[i].kernel].text, kernel, strlen(kernel)) == 0)
      return &step->op[i];
  fail_msg("no launch of %s", kernel);
  return NULL;
}

static void finds(const char *wrong, const char *piece) {
  if (!wrong) fail_msg("nothing is found wrong; expected: %s", piece);
  if (!strstr(wrong, piece)) fail_msg("found: %s; expected: %s", wrong, piece);
}

/* In its place something that makes nothing. */
static void leave_out(planned *p, dslc_op *op) {
  *op = (dslc_op){.kind = DSLC_OP_LAUNCH, .kernel = launch_of(p, "end_step")->kernel, .groups_of = -1};
}

static void what_is_right_is_right(void **state) {
  planned *p = *state;
  assert_null(wrong_storage(p));
  assert_null(wrong_tasks(p));
  assert_null(wrong_launches(p));
}

static void an_equation_that_nobody_decided_on(void **state) {
  planned *p = *state;
  p->storage[ir_symbol_find(p->in.from, intern_str(p->in.names, "q"))].why = NULL;
  finds(wrong_storage(p), "nobody has decided where `q` lives");
}

static void a_value_computed_once_that_changes(void **state) {
  planned *p = *state;
  p->storage[ir_symbol_find(p->in.from, intern_str(p->in.names, "q"))].fixed = true;
  finds(wrong_storage(p), "`q` is computed once, though it changes");
}

static void a_launch_that_is_missing(void **state) {
  planned *p = *state;
  leave_out(p, launch_of(p, "q"));
  leave_out(p, launch_of(p, "q_insulated"));
  finds(wrong_launches(p), "reads `q`, which nothing has made");
}

static void a_rule_that_does_not_say_its_flux(void **state) {
  planned *p = *state;
  leave_out(p, launch_of(p, "q_insulated"));
  finds(wrong_launches(p), "reads `q` before `insulated` says what it is at its faces");
}

static void ghosts_that_are_missing(void **state) {
  planned *p = *state;
  leave_out(p, launch_of(p, "ghosts_wall"));
  finds(wrong_launches(p), "reads ghosts of `T`, which are not made");
}

static void ghosts_of_what_was_before(void **state) {
  planned *p = *state;
  dslc_op *ghosts = launch_of(p, "ghosts_insulated"), *update = launch_of(p, "update_T"), first = *ghosts;
  *ghosts = *update, *update = first;
  assert_non_null(wrong_launches(p));
}

static void an_entry_that_is_written_twice(void **state) {
  planned *p = *state;
  plan_kernel *k = &p->l.plan->kernel.at[launch_of(p, "q")->kernel];
  plan_output again = k->output.at[0];
  vec_push(p->memory, &k->output, again);
  finds(wrong_tasks(p), "writes component 0 of `q` twice");
}

static void a_kernel_that_disturbs_its_neighbours(void **state) {
  planned *p = *state;
  plan_kernel *k = &p->l.plan->kernel.at[launch_of(p, "update_T")->kernel];
  for (int i = 0; i < k->output.n; i++)
    if (k->output.at[i].kind == PLAN_STORE)
      k->output.at[i].buffer =
          p->l.plan->location[ir_symbol_find(p->in.from, intern_str(p->in.names, "q"))].buffer[IR_NOW];
  finds(wrong_tasks(p), "writes `q`, which it reads at other points");
}

/* ---- plans as text ---------------------------------------------------------------------------------------------------------- */

/* `from`, which stands in it, is left out of the text, or replaced. */
static char *changed(const char *text, const char *from, const char *to) {
  const char *at = strstr(text, from);
  if (!at) fail_msg("no `%s`", from);
  char *made = malloc(strlen(text) + strlen(to) + 1);
  sprintf(made, "%.*s%s%s", (int)(at - text), text, to, at + strlen(from));
  return made;
}

/* What the verifier says of a plan that is only a text. */
static void text_is_wrong(const char *step, const char *from, const char *to, const char *why) {
  const char *path = written(HEAT), *wrong = NULL;
  char *text = dump_of(path, step, &(dslc_options){.faces_per_cell = 3}), *worse = changed(text, from, to);
  arena *a = arena_create(no_memory, NULL);
  remove(path);
  if (strcmp(step, "storage") == 0) {
    const storage_outline *o = storage_parse(a, intern_create(a), worse, &wrong);
    if (o) wrong = storage_verify(o);
  } else {
    const outline *o = outline_parse(a, intern_create(a), worse, &wrong);
    if (o) wrong = tasks_verify(o);
    if (o && !wrong) wrong = launches_verify(o);
  }
  finds(wrong, why);
  arena_destroy(&a);
  free(text), free(worse);
}

static void texts_are_looked_over_too(void **state) {
  (void)state;
  text_is_wrong("storage", "stored replaced", "stored constant replaced",
                "`q` is computed once, though it changes");
  text_is_wrong("storage", ": cells sum", "\n# cells sum", "line 4: expected");
  text_is_wrong("launches", "launch ghosts_wall over rule wall", "periodic ghosts of T",
                "reads ghosts of `T`");
  text_is_wrong("launches", "  buffer volume given lasting shown", "  buffer volume",
                "reads `volume`, which nothing");
  text_is_wrong("launches", "  reads T at other points", "  reads q at other points", "");
  text_is_wrong("launches", "  stores q component 0", "  stores q component 0\n  stores q component 0",
                "twice");
}

static void texts_that_are_no_plan_are_refused(void **state) {
  (void)state;
  text_is_wrong("launches", "plan on mesh", "plan on mush", "line 1: expected `mesh`");
  text_is_wrong("launches", "  buffer T given", "  buffet T given",
                "expected a rule, buffer, global or function");
  text_is_wrong("launches", "  buffer T given", "  buffer T given\n  buffer T", "expected another name");
  text_is_wrong("launches", "over rule wall", "over rule well", "a name that has been introduced above");
  text_is_wrong("launches", "  0 launch", "  7 launch", "expected `  0 `");
  text_is_wrong("launches", "  reads T", "  leads T", "expected what the task does");
  text_is_wrong("storage", "@ cells", "@ sells", "expected a location");
}

/* ---- grids ------------------------------------------------------------------------------------------------------------------ */

static const char SEEN_TWICE[] = "scheme seen_twice on grid(2) {\n"
                                 "  state s @ cells\n  state v @ cells\n  state u @ cells\n"
                                 "  along @ cells = sin(s[i+1,j])\n"
                                 "  far   @ cells = sin(s[i+1,j+1])\n"
                                 "  dt = 0.1\n"
                                 "  step {\n"
                                 "    update v = 0.5*v + 0.1*along\n"
                                 "    update s = 0.5*s + 0.1*far\n"
                                 "  }\n"
                                 "  boundary w { ghost s = v[inner]  ghost v = u[inner]  ghost u = 1 }\n"
                                 "}\n";

/* Behind a corner v is asked for its ghost, and so u is read. Along one axis it is not, though both kernels call the function of s. */
static void what_is_seen_across_two_axes_is_not_read_along_one(void **state) {
  const dslc_setting stored[] = {{"along", "store"}, {"far", "store"}, {"grid.walls", "calls"}};
  const dslc_options way = {.periodic = true, .schedule = stored, .n_schedule = 3};
  const char *path = written(SEEN_TWICE);
  (void)state;
  char *text = dump_of(path, "launches", &way);
  const char *step = strstr(text, "section step {"), *far = step ? strstr(step, "launch far over all") : NULL,
             *along = step ? strstr(step, "launch along over all") : NULL,
             *ghosts = step ? strstr(step, "periodic ghosts of u") : NULL;
  assert_true(along && ghosts && far && along < ghosts && ghosts < far);
  remove(path);
  free(text);
}

#define SPOILED(test) cmocka_unit_test_setup_teardown(test, planned_heat, forget)

/* test_plan SCHEME.ew...: of these alone, in all ways. */
static int look_at_files(char **file) {
  for (; *file; file++)
    for (int k = 0; k < 3 * WAYS; k++) {
      char *text = dump_of(*file, plan_step[k % 3], &ways[k / 3]);
      reads_back_the_same(text, *file);
      free(text);
    }
  return 0;
}

int main(int argc, char **argv) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(plans_of_shipped_schemes_are_sound),
      cmocka_unit_test(plans_of_random_schemes_read_back),
      cmocka_unit_test(what_rules_alone_look_at_is_computed_at_boundaries),
      cmocka_unit_test(what_the_step_reads_is_computed_everywhere),
      cmocka_unit_test(what_no_step_changes_the_setup_writes),
      cmocka_unit_test(the_cheaper_candidate_is_kept),
      cmocka_unit_test(a_dropped_candidate_leaves_no_trace),
      SPOILED(what_is_right_is_right),
      SPOILED(an_equation_that_nobody_decided_on),
      SPOILED(a_value_computed_once_that_changes),
      SPOILED(a_launch_that_is_missing),
      SPOILED(a_rule_that_does_not_say_its_flux),
      SPOILED(ghosts_that_are_missing),
      SPOILED(ghosts_of_what_was_before),
      SPOILED(an_entry_that_is_written_twice),
      SPOILED(a_kernel_that_disturbs_its_neighbours),
      cmocka_unit_test(texts_are_looked_over_too),
      cmocka_unit_test(texts_that_are_no_plan_are_refused),
      cmocka_unit_test(what_is_seen_across_two_axes_is_not_read_along_one),
  };
  return argc > 1 ? look_at_files(argv + 1) : cmocka_run_group_tests(tests, NULL, NULL);
}
