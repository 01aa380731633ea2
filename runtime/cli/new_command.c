/* new and annotations: a case to start from, and what editors need to help with it. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/shipped.h"
#include "cli/shell.h"
#include "dslc.h"
#include "run/run.h"
#include "lua/case_file.h"
#include "lua/quote.h"

/* ---- parts of the skeleton ------------------------------------------------------------------------------------------------- */

/* "  -- [m] water depth; note" or nothing; ends the line. A comment of several lines becomes one: for Lua a carriage return ends one, too, and what
 * stood behind it would run. */
static void end_line(FILE *out, const char *unit, const char *comment, const char *note) {
  if (unit && strcmp(unit, "1") == 0) unit = NULL;
  if (unit || comment || note) fputs("  --", out);
  if (unit) fprintf(out, " [%s]", unit);
  if (comment) fputc(' ', out);
  for (const char *c = comment; c && *c; c++) fputc((unsigned char)*c < ' ' ? ' ' : *c, out);
  if (note) fprintf(out, "%s %s", comment ? ";" : "", note);
  fputc('\n', out);
}

static void print_list(FILE *out, const double *x, int n) {
  if (n != 1) fputs("{ ", out);
  for (int d = 0; d < n; d++) fprintf(out, "%s%.15g", d ? ", " : "", x[d]);
  if (n != 1) fputs(" }", out);
}

/* What stands where the scheme has no default: 1, the unit vector along x, the unit tensor. Zero would make many a scheme
 * stand still or divide by it. Pure numbers that cannot be negative are tame where they are small: a Courant or Knudsen number, 1/Re. */
static double placeholder(const dslc_parameter *q) {
  return q->components == 1 && !q->unit && q->bounds && dslc_within(q->bounds, 0.1) ? 0.1 : 1;
}

static void print_placeholder(FILE *out, int dims, int n, double first) {
  double x[DSLC_MOST_COMPONENTS] = {first};
  for (int d = 1; n == dims * dims && d < dims; d++) x[d * (dims + 1)] = 1;
  print_list(out, x, n);
}

static void print_variants(FILE *out, const dslc_program *p) {
  if (p->model.n_variants == 0) return;
  fputs("  variants = {\n", out);
  for (int i = 0; i < p->model.n_variants; i++) {
    const dslc_variant *v = &p->model.variant[i];
    fprintf(out, "    %s = \"%s\",  --", v->name, v->choice[v->chosen]);
    for (int k = 0; k < v->n_choices; k++) fprintf(out, "%s %s", k ? "," : "", v->choice[k]);
    fputc('\n', out);
  }
  fputs("  },\n", out);
}

/* Parameters with a default are there as comments; the others have to be given. */
static void print_parameters(FILE *out, const dslc_program *p) {
  if (p->model.n_parameters == 0) return;
  double(*value)[DSLC_MOST_COMPONENTS] = calloc((size_t)p->model.n_parameters, sizeof *value);
  bool *set = calloc((size_t)p->model.n_parameters, sizeof *set);
  fputs("  parameters = {\n", out);
  for (int i = 0; i < p->model.n_parameters && value && set; i++) {
    if (p->model.parameter[i].formula) continue;
    value[i][0] = placeholder(&p->model.parameter[i]); /* defaults may depend on what has to be given */
    set[i] = true;
  }
  if (value && set) dslc_parameter_defaults(p, value, set);
  for (int i = 0; i < p->model.n_parameters && value && set; i++) {
    const dslc_parameter *q = &p->model.parameter[i];
    fprintf(out, "    %s%s = ", q->formula ? "-- " : "", q->name);
    if (q->formula) print_list(out, value[i], q->components);
    else print_placeholder(out, p->space.dims, q->components, placeholder(q));
    fputs(",", out);
    end_line(out, q->unit, q->comment, q->formula ? NULL : "has no default: change it");
  }
  fputs("  },\n", out);
  free(value);
  free(set);
}

static const char *coordinates(const dslc_program *p) {
  static const char *const OF[] = {"x", "x, y", "x, y, z"};
  return OF[p->space.dims - 1];
}

/* A hump in the middle of the unit square. */
static void print_hump(FILE *out, const dslc_program *p) {
  const char *square = p->space.dims > 1 ? "((x - 0.5)^2 + (y - 0.5)^2)" : "(x - 0.5)^2";
  fprintf(out, "function(%s) return 1 + 0.1*math.exp(-50*%s) end", coordinates(p), square);
}

static void print_fields(FILE *out, const dslc_program *p, dslc_field_kind kind, const char *key) {
  static const double AT_REST[DSLC_MOST_COMPONENTS] = {0};
  bool any = false;
  for (int i = 0; i < p->model.n_fields; i++) {
    const dslc_field *f = &p->model.field[i];
    if (f->kind != kind || strchr(f->name, '(')) continue; /* region(NAME): the mesh says it */
    if (!any) fprintf(out, "  %s = {  -- numbers, functions of place or raster \"file.asc\"\n", key);
    any = true;
    fprintf(out, "    %s = ", f->name);
    bool between =
        f->place >= DSLC_XFACES || f->place == DSLC_NOWHERE; /* on grids: velocities, most of them */
    if (kind == DSLC_STATE && f->components == 1 && !between) print_hump(out, p);
    else if (kind == DSLC_STATE) print_list(out, AT_REST, f->components);
    else print_placeholder(out, p->space.dims, f->components, 1);
    fputs(",", out);
    end_line(out, f->unit, f->comment, kind == DSLC_GIVEN ? "change it" : NULL);
  }
  if (any) fputs("  },\n", out);
}

static int arguments_without_default(const dslc_rule *r) {
  int n = 0;
  for (int i = 0; i < r->n_arguments; i++) n += r->argument[i].formula == NULL;
  return n;
}

static bool holds_across(const dslc_rule *r, int axis) { return !r->axis || r->axis == "xyz"[axis]; }

/* The rule across an axis that asks for least; -1 if there is none. On meshes a rule holds for any direction. */
static int simplest_rule(const dslc_program *p, int axis) {
  int best = -1;
  for (int i = 0; i < p->model.n_rules; i++) {
    if (!holds_across(&p->model.rule[i], axis)) continue;
    if (best < 0 ||
        arguments_without_default(&p->model.rule[i]) < arguments_without_default(&p->model.rule[best]))
      best = i;
  }
  return best;
}

static void print_rule(FILE *out, int dims, const dslc_rule *r, const char *begin, const char *patches) {
  fprintf(out, "    %s{ %s, \"%s\"", begin, patches, r->name);
  for (int i = 0; i < r->n_arguments; i++) {
    if (r->argument[i].formula) continue;
    fprintf(out, ", %s = ", r->argument[i].name);
    print_placeholder(out, dims, r->argument[i].components, 1);
  }
  fputs(" },", out);
  end_line(out, NULL, r->comment, NULL);
}

static const char *const LOW_SIDE[] = {"\"left\"", "\"bottom\"", "\"back\""};
static const char *const BOTH_SIDES[] = {"\"left\", \"right\"", "\"bottom\", \"top\"", "\"back\", \"front\""};

static bool same_rule(const dslc_program *p, int a, int b) {
  return a >= 0 && b >= 0 && strcmp(p->model.rule[a].name, p->model.rule[b].name) == 0;
}

/* The first axis across which a rule of this name holds. */
static int first_axis(const dslc_program *p, int rule) {
  int first = 2;
  for (int i = 0; i < p->model.n_rules; i++)
    for (int axis = 0; axis < first && same_rule(p, i, rule); axis++)
      if (holds_across(&p->model.rule[i], axis)) first = axis;
  return first;
}

/* One entry for all sides of the same rule; sides without any rule are periodic. Versions of a rule across several axes are
 * one rule to a case. */
static void print_boundary(FILE *out, const dslc_program *p) {
  if (p->model.n_rules == 0) return;
  int of[3];
  fputs("  boundary = {\n", out);
  for (int axis = 0; axis < p->space.dims; axis++) {
    of[axis] = simplest_rule(p, axis);
    bool told = of[axis] < 0;
    for (int k = 0; k < axis; k++) told = told || same_rule(p, of[k], of[axis]);
    if (told) continue;
    char sides[128] = "{ ";
    for (int k = axis; k < p->space.dims; k++)
      if (same_rule(p, simplest_rule(p, k), of[axis]))
        snprintf(sides + strlen(sides), sizeof sides - strlen(sides), "%s%s", k > axis ? ", " : "",
                 BOTH_SIDES[k]);
    strcat(sides, " }");
    print_rule(out, p->space.dims, &p->model.rule[of[axis]], "", sides);
  }
  for (int i = 0; i < p->model.n_rules; i++) {
    bool told = false;
    for (int axis = 0; axis < p->space.dims; axis++) told = told || same_rule(p, of[axis], i);
    for (int k = 0; k < i; k++) told = told || same_rule(p, k, i);
    if (!told) print_rule(out, p->space.dims, &p->model.rule[i], "-- ", LOW_SIDE[first_axis(p, i)]);
  }
  fputs("  },\n", out);
}

static void print_grid(FILE *out, const dslc_program *p) {
  fputs("  mesh = mesh.grid {", out);
  for (int axis = 0; axis < p->space.dims; axis++)
    fprintf(out, "%s %c = {0, 1}, n%c = arg.n", axis ? "," : "", "xyz"[axis], "xyz"[axis]);
  char periodic[4] = "";
  for (int axis = 0; axis < p->space.dims; axis++)
    if (simplest_rule(p, axis) < 0) strncat(periodic, &"xyz"[axis], 1);
  if (*periodic) fprintf(out, ", periodic = \"%s\"", periodic);
  fputs(" },\n", out);
}

/* Where no side has a rule, all are periodic. Lines between centres are normal to the faces where the scheme takes differences along them. */
static void print_mesh(FILE *out, const dslc_program *p) {
  const bool closed = p->model.n_rules > 0;
  if (p->space.on_grid) {
    print_grid(out, p);
    return;
  }
  if (p->space.dims == 3)
    fprintf(
        out,
        "  mesh = mesh.box { x = {0, 1}, y = {0, 1}, z = {0, 1}, nx = arg.n, ny = arg.n, nz = arg.n%s%s },\n",
        p->space.by_distance ? ", cells = \"hexahedra\"" : "", closed ? "" : ", periodic = \"xyz\"");
  else
    fprintf(out,
            "  mesh = mesh.rectangle { x = {0, 1}, y = {0, 1}, nx = arg.n, ny = arg.n, pattern = "
            "\"alternating\"%s },\n",
            closed ? "" : ", periodic = \"xy\"");
}

/* Of a line a plot, of anything else a picture. */
static void print_output(FILE *out, const dslc_program *p, const char *field) {
  fputs(exec_advances(p)
            ? "  time = { stop = 0.1 },  -- s\n  output = { every = 0.02,"
            : "  time = { steps = 1 },  -- the scheme has no dt: time stands still\n  output = {",
        out);
  if (p->space.dims == 1) fprintf(out, " plot = { field = \"%s\", from = {0, 0}, to = {1, 0} } },\n", field);
  else fprintf(out, " picture = { field = \"%s\" } },\n", field);
}

static const char *first_state(const dslc_program *p) {
  for (int i = 0; i < p->model.n_fields; i++)
    if (p->model.field[i].kind == DSLC_STATE && p->model.field[i].place != DSLC_NOWHERE)
      return p->model.field[i].name;
  return NULL;
}

static void print_case(FILE *out, const dslc_program *p, const char *name, const char *scheme) {
  fprintf(out,
          "-- %s: a case of the scheme %s.\n"
          "--   edgewise check %s/case.lua      what is wrong with it\n"
          "--   edgewise run %s/case.lua        run it; the pictures go to %s/out\n"
          "local arg = arguments { n = %d }  -- edgewise run -D n=80 ... refines the mesh\n\n"
          "return case {\n  scheme = ",
          name, p->identity.scheme, name, name, name, p->space.dims == 3 ? 12 : 40);
  lua_quote(out, scheme);
  fputs(",\n", out);
  print_variants(out, p);
  print_mesh(out, p);
  print_parameters(out, p);
  print_fields(out, p, DSLC_GIVEN, "given");
  print_fields(out, p, DSLC_STATE, "initial");
  print_boundary(out, p);
  print_output(out, p, first_state(p) ? first_state(p) : "");
  fputs("}\n", out);
}

/* ---- files ------------------------------------------------------------------------------------------------------------------- */

/* A new file; never over an old one. */
static ew_status create_file(FILE **f, const char *path, ew_error *err) {
  *f = fopen(path, "wx");
  return *f ? EW_OK : ew_fail(err, EW_IO, "cannot write '%s': %s", path, strerror(errno));
}

static ew_status close_file(FILE *f, const char *path, ew_error *err) {
  bool failed = ferror(f) != 0;
  failed = fclose(f) != 0 || failed;
  if (failed) unlink(path); /* half of it is worse than none */
  return failed ? ew_fail(err, EW_IO, "cannot write '%s': %s", path, strerror(errno)) : EW_OK;
}

/* It stands in comments of the case. */
static ew_status check_name(const char *name, ew_error *err) {
  for (const unsigned char *c = (const unsigned char *)name; *c; c++)
    if (*c < ' ')
      return ew_fail(err, EW_USAGE,
                     "the name of a case has characters that no line of text holds; choose another one");
  return EW_OK;
}

static ew_status make_folder(const char *path, ew_error *err) {
  if (mkdir(path, 0777) == 0) return EW_OK;
  if (errno == EEXIST) return ew_fail(err, EW_USAGE, "'%s' is there already; choose another name", path);
  return ew_fail(err, EW_IO, "cannot make the folder '%s': %s", path, strerror(errno));
}

static ew_status write_case(const dslc_program *p, const char *name, const char *scheme, ew_error *err) {
  ew_status status = EW_OK;
  char path[EW_PATH];
  FILE *f;
  snprintf(path, sizeof path, "%s/case.lua", name);
  EW_CHECK(create_file(&f, path, err));
  print_case(f, p, name, scheme);
  status = close_file(f, path, err);
cleanup:
  return status;
}

/* .luarc.json points the Lua language server at .edgewise/library.lua. */
static ew_status write_editor_files(const char *name, ew_error *err) {
  ew_status status = EW_OK;
  char path[EW_PATH];
  FILE *f;
  snprintf(path, sizeof path, "%s/.luarc.json", name);
  EW_CHECK(create_file(&f, path, err));
  fputs("{ \"runtime.version\": \"Lua 5.4\", \"workspace.library\": [\".edgewise\"] }\n", f);
  EW_CHECK(close_file(f, path, err));
  snprintf(path, sizeof path, "%s/.edgewise", name);
  EW_CHECK(make_folder(path, err));
  snprintf(path, sizeof path, "%s/.edgewise/library.lua", name);
  EW_CHECK(create_file(&f, path, err));
  case_file_annotations(f);
  status = close_file(f, path, err);
cleanup:
  return status;
}

/* ---- commands ----------------------------------------------------------------------------------------------------------------- */

static int compile(const cli_call *call, const char *scheme, dslc_program **program) {
  const ew_case here = {.folder = ".", .build.scheme = scheme};
  ew_error err = {0};
  char path[EW_PATH];
  if (exec_find_scheme(&here, path, sizeof path, &err) != EW_OK) return shell_fail(call, &err);
  shipped ours;
  dslc_options options = {.path = path,
                          .emit = DSLC_EMIT_C,
                          .n_rules = -1,
                          .n_show = -1,
                          .sources.import_path = shipped_find(&ours, "schemes")};
  dslc_messages *messages = NULL;
  int status = dslc_compile(&options, program, &messages);
  dslc_messages_print(messages, call->err, cli_colour(call->err));
  dslc_messages_destroy(&messages);
  return status;
}

static int new_case(cli_call *call) {
  ew_error err = {0};
  const char *name = call->argument[0], *scheme = cli_text(call, "scheme");
  if (!scheme) scheme = "shallow_water";
  dslc_program *program = NULL;
  int code = compile(call, scheme, &program);
  if (code) return code;
  /* A path to a scheme is kept valid from the new folder. */
  const bool is_path = strchr(scheme, '/') || strstr(scheme, ".ew");
  char *absolute = is_path ? realpath(scheme, NULL) : NULL;
  ew_status status = EW_OK;
  if (is_path && !absolute && errno == ENOMEM)
    status = ew_fail(&err, EW_FAIL, "out of memory for the path of '%s'", scheme);
  if (status == EW_OK) status = check_name(name, &err);
  if (status == EW_OK) status = make_folder(name, &err);
  if (status == EW_OK) status = write_case(program, name, absolute ? absolute : scheme, &err);
  if (status == EW_OK) status = write_editor_files(name, &err);
  free(absolute);
  dslc_program_destroy(&program);
  if (status != EW_OK) return shell_fail(call, &err);
  fprintf(call->out, "%s/case.lua\n", name);
  return EW_OK;
}

static int annotations(cli_call *call) {
  case_file_annotations(call->out);
  return EW_OK;
}

static const cli_option NEW_OPTION[] = {
    {"scheme", 's', CLI_TEXT, "NAME", "a shipped scheme or a .ew file (default: shallow_water)", "file"}};

const cli_command COMMAND_NEW = {.name = "new",
                                 .arguments = "NAME",
                                 .summary = "start a case: a folder with a commented case file",
                                 .details =
                                     "The fields, parameters and boundary rules are those of the scheme.",
                                 .least = 1,
                                 .most = 1,
                                 .options = NEW_OPTION,
                                 .n_options = 1,
                                 .run = new_case};

const cli_command COMMAND_ANNOTATIONS = {.name = "annotations",
                                         .summary =
                                             "print the case file's vocabulary for the Lua language server",
                                         .run = annotations};
