/* Manifest files: what is written reads back to the same bytes, and nothing malformed gets through or crashes. Formulas of
 * parameter defaults; the report. */
#include <glob.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "back/back.h"
#include "dslc.h"

/* ---- a program that uses every kind of entry ---- */

static const char *choices[] = {"implicit", "explicit"};
static dslc_variant variants[] = {{.name = "friction", .n_choices = 2, .choice = choices, .chosen = 1}};
static dslc_parameter parameters[] = {
    {.name = "g", .components = 1, .unit = "m/s^2", .comment = "gravity \"\\ \xc3\xa4", .formula = "9.81"},
    {.name = "grav", .components = 2, .formula = "0;$g neg"},
    {.name = "kappa", .components = 1},
    {.name = "half.g", .components = 1, .formula = "$grav.1 abs 2 /"}};
static dslc_field fields[] = {{.name = "h",
                               .kind = DSLC_STATE,
                               .place = DSLC_CELLS,
                               .components = 1,
                               .unit = "m",
                               .buffer = 2,
                               .show = -1},
                              {.name = "z",
                               .kind = DSLC_GIVEN,
                               .place = DSLC_CELLS,
                               .components = 1,
                               .over_time = true,
                               .buffer = -1,
                               .show = -1}};
static dslc_global globals[] = {{.name = "mass", .unit = "m^3", .scalar = 6, .show = -1}};
static dslc_argument arguments[] = {
    {.name = "eta", .components = 1, .formula = "inf", .over_time = true, .buffer = 3}};
static dslc_rule rules[] = {{.name = "level", .axis = 'x', .n_arguments = 1, .argument = arguments},
                            {.name = "wall"}};
static dslc_buffer buffers[] = {
    {.name = "scalars", .kind = DSLC_BUFFER_SCALARS, .element = DSLC_F64, .width = 7},
    {.name = "flags", .kind = DSLC_BUFFER_FLAGS, .element = DSLC_I32, .width = 7},
    {.name = "h",
     .kind = DSLC_BUFFER_STATE,
     .element = DSLC_F64,
     .place = DSLC_CELLS,
     .width = 1,
     .has_ghosts = true},
    {.name = "eta", .kind = DSLC_BUFFER_ARGUMENT, .element = DSLC_F64, .place = DSLC_FACES, .width = 1},
    {.name = "partials", .kind = DSLC_BUFFER_PARTIALS, .element = DSLC_F64, .width = 2},
    {.name = "area",
     .kind = DSLC_BUFFER_GEOMETRY,
     .place = DSLC_FACES,
     .width = 1,
     .source = {DSLC_SOURCE_AREA},
     .aos = true},
    {.name = "mask",
     .kind = DSLC_BUFFER_TOPOLOGY,
     .element = DSLC_I32,
     .place = DSLC_NODES,
     .width = 1,
     .source = {DSLC_SOURCE_CONSTRAINED, .field = 1}},
    {.name = "marks",
     .kind = DSLC_BUFFER_TOPOLOGY,
     .element = DSLC_I32,
     .place = DSLC_NODES,
     .width = 1,
     .source = {DSLC_SOURCE_ON_RULE, .rule = 1}},
    {.name = "slots",
     .kind = DSLC_BUFFER_TOPOLOGY,
     .element = DSLC_I32,
     .place = DSLC_EDGES,
     .width = 1,
     .source = {DSLC_SOURCE_SLOT_NODE, .lanes = 8}},
    {.name = "grad",
     .kind = DSLC_BUFFER_GEOMETRY,
     .place = DSLC_EDGES,
     .width = 4,
     .source = {DSLC_SOURCE_INTEGRAL, .form = DSLC_FORM_OUTER_DN_DN}},
    {.name = "z.late",
     .kind = DSLC_BUFFER_GIVEN,
     .place = DSLC_CELLS,
     .width = 1,
     .source = {DSLC_SOURCE_GIVEN, .field = 1},
     .ahead = 0.5}};
enum { N_BUFFERS = sizeof buffers / sizeof *buffers };
static dslc_arg args0[] = {
    {.kind = DSLC_ARG_ITEMS, .name = "items"},
    {.kind = DSLC_ARG_STRIDE, .number = DSLC_CELLS, .name = "stride_cells"},
    {.kind = DSLC_ARG_PARAMETER, .number = 1, .component = 1, .name = "grav_y"},
    {.kind = DSLC_ARG_WEIGHT, .component = 7, .name = "weight_7"},
    {.kind = DSLC_ARG_BUFFER, .number = 0, .name = "h_", .reads = 1, .writes = 1.0 / 3},
    {.kind = DSLC_ARG_BUFFER, .number = 1, .name = "partials_", .writes = 2},
    {.kind = DSLC_ARG_FIRST, .name = "first"}};
static dslc_arg args1[] = {{.kind = DSLC_ARG_GROUPS, .name = "groups"},
                           {.kind = DSLC_ARG_BUFFER, .number = 0, .name = "partials_"}};
static dslc_kernel kernels[] = {{.name = "update",
                                 .place = DSLC_FACES,
                                 .n_args = 7,
                                 .arg = args0,
                                 .local_size = 64,
                                 .cost.flops = 12.5,
                                 .cost.flops_written = 1e15,
                                 .cost.loads = 3,
                                 .cost.stores = 2,
                                 .line = 12,
                                 .what = "roe (8)-(13)"},
                                {.name = "finish",
                                 .place = DSLC_NOWHERE,
                                 .n_args = 2,
                                 .arg = args1,
                                 .local_size = 32,
                                 .one_group = true}};
static int bound0[] = {2, 4}, bound1[] = {4};
static dslc_op ops[] = {
    {.kind = DSLC_OP_LAUNCH,
     .kernel = 0,
     .subset = DSLC_RULE,
     .rule = 1,
     .n_buffers = 2,
     .buffer = bound0,
     .groups_of = -1,
     .stage = 0.1,
     .weight = {0.1, -0.0, 1e-300, 1.0 / 3, 2, 3, 4, INFINITY}},
    {.kind = DSLC_OP_LAUNCH, .kernel = 1, .n_buffers = 1, .buffer = bound1, .groups_of = 0},
    {.kind = DSLC_OP_SWAP, .a = 2, .b = 10, .groups_of = -1},
    {.kind = DSLC_OP_REPEAT, .a = 6, .count = 3, .limit = 500, .groups_of = -1}};
static dslc_section sections[] = {{.name = "setup"}, {.name = "step", .n_ops = 4, .op = ops}};
static dslc_check checks[] = {{.text = "h >= 0", .place = DSLC_CELLS, .field = 0, .line = 3, .column = 5},
                              {.text = "dt > 0", .field = -1}};
static dslc_equation equations[] = {{.name = "roe",
                                     .tag = "(14)",
                                     .place = DSLC_FACES,
                                     .line = 9,
                                     .kernel = 0,
                                     .flops_written = 300,
                                     .flops = 120,
                                     .loads = 7,
                                     .form = "store"}};
static const dslc_note notes[] = {{"roe: store, cells sum it over their faces", 3}};

static dslc_program sample(void) {
  return (dslc_program){.identity.scheme = "sample",
                        .identity.path = "schemes/sample.ew",
                        .identity.target = "opencl",
                        .identity.profile = "default (GPU)",
                        .identity.hash = "0123456789abcdef0123456789abcdef",
                        .space.dims = 2,
                        .space.faces_per_cell = 3,
                        .execution.source = "// sample.ew:12\nkernel text;\n\n",
                        .model.n_variants = 1,
                        .model.variant = variants,
                        .model.n_parameters = 4,
                        .model.parameter = parameters,
                        .model.n_fields = 2,
                        .model.field = fields,
                        .model.n_globals = 1,
                        .model.global = globals,
                        .model.n_rules = 2,
                        .model.rule = rules,
                        .execution.n_buffers = N_BUFFERS,
                        .execution.buffer = buffers,
                        .execution.n_kernels = 2,
                        .execution.kernel = kernels,
                        .execution.n_sections = 2,
                        .execution.section = sections,
                        .execution.n_checks = 2,
                        .execution.check = checks,
                        .model.n_equations = 1,
                        .model.equation = equations,
                        .n_notes = 1,
                        .note = notes};
}

/* ---- files ---- */

static const char path[] = "test_manifest.json", source_path[] = "sample.cl";

static char *slurp(const char *file) {
  FILE *f = fopen(file, "rb");
  if (!f) fail_msg("%s is missing", file);
  char *text = calloc(1, 1 << 16);
  assert_non_null(text);
  assert_true(fread(text, 1, (1 << 16) - 1, f) > 0);
  fclose(f);
  return text;
}

static void spill(const char *file, const char *text, size_t n) {
  FILE *f = fopen(file, "wb");
  assert_non_null(f);
  assert_int_equal(fwrite(text, 1, n, f), n);
  fclose(f);
}

static char *written(const dslc_program *p) {
  char error[512] = "";
  if (dslc_manifest_write(p, path, error, sizeof error) != 0) fail_msg("%s", error);
  return slurp(path);
}

static int clean(void **state) {
  (void)state;
  remove(path);
  remove(source_path);
  return 0;
}

static void test_round_trip(void **state) {
  (void)state;
  dslc_program p = sample(), *read = NULL;
  char error[512] = "";
  char *once = written(&p);
  if (dslc_manifest_read(path, &read, error, sizeof error) != 0) fail_msg("%s", error);
  assert_string_equal(read->execution.source, p.execution.source);
  char *twice = written(read);
  assert_string_equal(once, twice);
  const dslc_op *op = &read->execution.section[1].op[0];
  assert_memory_equal(op->weight, ops[0].weight,
                      sizeof op->weight); /* to the last bit, infinity and -0 too */
  assert_true(read->execution.kernel[0].arg[4].writes == 1.0 / 3);
  assert_string_equal(read->model.parameter[0].comment, parameters[0].comment);
  assert_null(read->model.parameter[2].formula);
  assert_int_equal(read->model.rule[0].axis, 'x');
  assert_int_equal(read->model.rule[1].axis, 0);
  char place[80];
  assert_int_equal(dslc_scheme_place(read, 2, place, sizeof place), 12);
  assert_non_null(strstr(place, ".ew:12"));
  dslc_program_destroy(&read);
  assert_null(read);
  dslc_program_destroy(&read);
  free(once);
  free(twice);
}

static void test_shipped(void **state) {
  (void)state;
  glob_t found;
  assert_int_equal(glob(EW_SOURCE_DIR "/generated/*/*.json", 0, NULL, &found), 0);
  assert_true(found.gl_pathc >= 20);
  for (size_t i = 0; i < found.gl_pathc; i++) {
    dslc_program *read = NULL;
    char error[512] = "";
    if (dslc_manifest_read(found.gl_pathv[i], &read, error, sizeof error) != 0) fail_msg("%s", error);
    dslc_program_destroy(&read);
  }
  globfree(&found);
}

/* Replaces the first `what` in the manifest and expects the message to hold `message`. */
static void expect(const char *what, const char *with, const char *message) {
  dslc_program p = sample(), *read = NULL;
  char error[512] = "", *text = written(&p), *at = strstr(text, what);
  if (!at) fail_msg("'%s' is not in the manifest", what);
  char *changed = calloc(1, 1 << 17);
  assert_non_null(changed);
  int n = snprintf(changed, 1 << 17, "%.*s%s%s", (int)(at - text), text, with, at + strlen(what));
  spill(path, changed, (size_t)n);
  int status = dslc_manifest_read(path, &read, error, sizeof error);
  if (status != 3 || read) fail_msg("status %d for %s", status, with);
  if (!strstr(error, message)) fail_msg("'%s' is not in: %s", message, error);
  assert_non_null(strstr(error, path));
  free(text);
  free(changed);
}

static void test_malformed(void **state) {
  (void)state;
  expect("{", "", "no valid JSON at byte");
  expect("\"manifest\":\t5", "\"manifest\":\t1", "format 1, expected 5: it was written by an older dslc");
  expect("\"manifest\":\t5", "\"manifest\":\t1", "Build the scheme again with this one: dslc build SCHEME");
  expect("\"manifest\":\t5", "\"manifest\":\t6", "format 6, expected 5: it was written by a newer dslc");
  expect("\"manifest\"", "\"other\"", "'manifest' is missing");
  expect("\"dims\":\t2", "\"dims\":\t\"2\"", "dims: expected a whole number");
  expect("\"dims\":\t2", "\"dims\":\t2.5", "dims: expected a whole number");
  expect("\"dims\":\t2", "\"dims\":\t7", "dims is 7, expected 1 to 3");
  expect("\"dims\":\t2", "\"dims\":\t1e300", "dims: expected a whole number");
  expect("\"dims\"", "\"dim\"", "'dims' is missing");
  expect("\"kind\":\t\"scalars\"", "\"kind\":\t\"scalar\"",
         "buffers[0].kind: 'scalar' is none of state, given");
  expect("\"target\":\t\"opencl\"", "\"target\":\t\"cuda\"", "none of opencl, c, c-openmp");
  expect("\"on grid\":\tfalse", "\"on grid\":\t0", "on grid: expected true or false");
  expect("\"scheme\":\t\"sample\"", "\"scheme\":\tnull", "scheme: expected a text");
  expect("\"name\":\t\"h\"", "\"name\":\t7", "fields[0].name: expected a text");
  expect("\"chosen\":\t1", "\"chosen\":\t2", "variants[0].chosen is 2, expected 0 to 1");
  expect("\"components\":\t2", "\"components\":\t65", "parameters[1].components is 65");
  expect("\"buffer\":\t2", "\"buffer\":\t11", "fields[0].buffer is 11, expected -1 to 10");
  expect("\"scalar\":\t6", "\"scalar\":\t7", "globals[0].scalar is 7, expected 0 to 6");
  expect("\"width\":\t7", "\"width\":\t0", "buffers[0].width is 0");
  expect("\"kind\":\t\"flags\"", "\"kind\":\t\"work\"", "exactly one of kind flags");
  expect("\"name\":\t\"update\"", "\"name\":\t\"up date\"", "kernels[0]: its name is no identifier");
  expect("\"component\":\t7", "\"component\":\t8", "kernels[0].args[3].component is 8, expected 0 to 7");
  expect("\"local size\":\t32", "\"local size\":\t0", "one group needs a local size");
  expect("\"kernel\":\t1", "\"kernel\":\t2", "sections[1].ops[1].kernel is 2, expected 0 to 1");
  expect("[2, 4]", "[2]", "sections[1].ops[0]: the number of buffers");
  expect("[2, 4]", "[2, 11]", "sections[1].ops[0].buffers is 11");
  expect("\"groups of\":\t0", "\"groups of\":\t-1", "sections[1].ops[1].groups of is -1");
  expect("\"groups of\":\t0", "\"groups of\":\t2", "sections[1].ops[1].groups of");
  expect("\"rule\":\t1,", "\"rule\":\t2,", "ops[0].rule is 2");
  expect("\"count\":\t3", "\"count\":\t30", "ops[3].count is 30");
  expect("\"source\":\t\"sample.cl\"", "\"source\":\t\"../sample.cl\"",
         "source: expected the name of a file");
  expect("\"source hash\":\t\"", "\"source hash\":\t\"0", "are not those that it was written with");
  expect("\"source hash\"", "\"hash\"", "'source hash' is missing");
  expect("\"weights\":\t[0.1, ", "\"weights\":\t[", "weights: expected eight numbers");
}

/* What one part says of another. */
static void test_disagreeing(void **state) {
  (void)state;
  expect("\"place\":\t\"cells\"", "\"place\":\t\"faces\"",
         "fields[0].place is not that of its buffer, buffers[2]");
  expect("\"buffer\":\t2", "\"buffer\":\t3", "fields[0].place is not that of its buffer, buffers[3]");
  expect("\"buffer\":\t3", "\"buffer\":\t2",
         "rules[0].arguments[0].buffer is 2: buffers[2] is not that argument's");
  expect("\"scalar\":\t6", "\"scalar\":\t2", "globals[0].scalar is 2, which the host sets");
  expect("[2, 4]", "[3, 4]", "sections[1].ops[0].buffers[0] is 3, 'eta', for kernels[0].args[4], 'h_'");
  expect("[2, 4]", "[2, 2]", "sections[1].ops[0].buffers[1] is 2, 'h', for kernels[0].args[5], 'partials_'");
  expect("\"b\":\t10", "\"b\":\t4",
         "sections[1].ops[2].b is 4: buffers[4] is of another place, element or width");
  expect("\"subset\":\t\"rule\"", "\"subset\":\t\"owned\"",
         "sections[1].ops[0].subset: kernels[0] has a first item");
  expect("\"place\":\t\"faces\",\n\t\t\t\"args\"", "\"place\":\t\"nowhere\", \"args\"", "kernels[0].place");
}

/* Patches: numbers that local memory and local numbers are made for. */
static void test_malformed_patches(void **state) {
  (void)state;
  expect("\"halo\"", "\"patch cells\":\t2000, \"halo\"", "patch cells is 2000, expected 0 to 1024");
  expect("\"halo\"", "\"patch cells\":\t64, \"halo\"", "patch ring is 0, expected 1 to 16384");
  expect("\"halo\"", "\"patch cells\":\t64, \"patch ring\":\t9, \"halo\"", "patch faces is 0, expected 1");
  expect("\"halo\"", "\"patch faces\":\t1.5, \"halo\"", "patch faces: expected a whole number");
  expect("\"flops\"", "\"patches\":\t1, \"flops\"", "kernels are over patches, which have no limits");
}

/* What buffers are filled with: no kind that the runtime does not know, no number outside, nothing missing, and buffers that fit. */
static void test_malformed_sources(void **state) {
  (void)state;
  expect("\"kind\":\t\"slot node\"", "\"kind\":\t\"slot_node:8\"",
         "buffers[8].source.kind: 'slot_node:8' is none of none, volume");
  expect("\"kind\":\t\"slot node\"", "\"kind\":\t7", "buffers[8].source.kind: expected one of none, volume");
  expect("\"lanes\":\t8", "\"lanes\":\t0",
         "source (slot node).lanes is 0, expected a number that divides 32");
  expect("\"lanes\":\t8", "\"lanes\":\t3", "source (slot node).lanes is 3");
  expect("\"lanes\":\t8", "\"lanes\":\t-8", "source (slot node).lanes is -8");
  expect("\"lanes\":\t8", "\"lanes\":\t2147483647", "source (slot node).lanes is 2147483647");
  expect("\"lanes\":\t8", "\"lanes\":\t1e99", "buffers[8].source.lanes: expected a whole number");
  expect("\"lanes\":\t8", "\"lane\":\t8", "'buffers[8].source.lanes' is missing");
  expect("\"kind\":\t\"constrained\",\n\t\t\t\t\"field\":\t1", "\"kind\":\t\"constrained\",\"field\":2",
         "buffers[6].source (constrained).field is 2, expected 0 to 1");
  expect("\"kind\":\t\"constrained\",\n\t\t\t\t\"field\":\t1", "\"kind\":\t\"constrained\"",
         "'buffers[6].source.field' is missing");
  expect("\"kind\":\t\"on rule\",\n\t\t\t\t\"rule\":\t1", "\"kind\":\t\"on rule\",\"rule\":2",
         "buffers[7].source (on rule).rule is 2, expected 0 to 1");
  expect("\"kind\":\t\"on rule\",\n\t\t\t\t\"rule\":\t1", "\"kind\":\t\"on rule\",\"rule\":-1",
         "buffers[7].source (on rule).rule is -1");
  expect("outer(dN,dN)", "outer(dN, dN)", "buffers[9].source.form: 'outer(dN, dN)' is none of N, N*dN");
  expect("outer(dN,dN)", "N", "buffers[9]: the integral of N is at nodes");
  expect("outer(dN,dN)", "N*N", "buffers[9]: its width is 4, 'integral' has 1");
  expect("\"kind\":\t\"area\"", "\"kind\":\t\"volume\"", "buffers[5]: its place has no 'volume'");
  expect("\"kind\":\t\"area\"", "\"kind\":\t\"row node\"",
         "buffers[5]: a buffer of its kind has no source 'row node'");
  expect("\"kind\":\t\"area\"", "\"kind\":\t\"none\"", "buffers[5]: it has no source");
  expect("\"source\":\t{\n\t\t\t\t\"kind\":\t\"area\"\n\t\t\t}", "\"source\":\tnull",
         "buffers[5]: it has no source");
  expect("\"source\":\tnull", "\"source\":\t{\"kind\": \"volume\"}",
         "buffers[0]: a buffer of its kind has no source");
  expect("\"source\":\tnull", "\"source\":\t\"volume\"", "buffers[0].source: expected an object");
  expect("\"hold\":\t0", "\"hold\":\t1", "buffers[0].hold is 1, expected 0 to 0");
  expect("\"ahead\":\t0.5", "\"ahead\":\t0", "buffers[10]: a buffer of its kind has no source");
}

static void test_missing_files(void **state) {
  (void)state;
  dslc_program p = sample(), *read = NULL;
  char error[512] = "";
  assert_int_equal(dslc_manifest_read("no such file", &read, error, sizeof error), 6);
  assert_non_null(strstr(error, "no such file: cannot be read"));
  free(written(&p));
  remove(source_path);
  assert_int_equal(dslc_manifest_read(path, &read, error, sizeof error), 6);
  assert_non_null(strstr(error, "sample.cl"));
  assert_int_equal(dslc_manifest_write(&p, "no/such/folder/m.json", error, sizeof error), 6);
  assert_non_null(strstr(error, "No such file"));
}

/* Cut anywhere, or with any byte changed, a manifest is read or refused. */
static void test_damage(void **state) {
  (void)state;
  dslc_program p = sample(), *read = NULL;
  char error[512], *text = written(&p);
  size_t n = strlen(text);
  uint32_t seed = 1;
  for (size_t cut = 0; cut < n; cut += 7) {
    spill(path, text, cut);
    assert_int_not_equal(dslc_manifest_read(path, &read, error, sizeof error), 0);
    assert_null(read);
  }
  for (int i = 0; i < 3000; i++) {
    seed = seed * 1664525u + 1013904223u;
    size_t at = (seed >> 8) % n;
    char was = text[at];
    text[at] = "0129-e\"[]{},:x\\"[(seed >> 4) % 15];
    spill(path, text, n);
    int status = dslc_manifest_read(path, &read, error, sizeof error);
    assert_true(status == 0 || status == 3 || status == 6);
    assert_true((status == 0) == (read != NULL));
    dslc_program_destroy(&read);
    text[at] = was;
  }
  free(text);
}

/* ---- formulas ---- */

static void test_defaults(void **state) {
  (void)state;
  dslc_program p = sample();
  double value[4][DSLC_MOST_COMPONENTS] = {{0}};
  bool set[4] = {false};
  assert_int_equal(dslc_parameter_defaults(&p, value, set), 2); /* kappa has none */
  set[2] = true;
  assert_int_equal(dslc_parameter_defaults(&p, value, set), -1);
  assert_true(value[0][0] == 9.81 && value[1][0] == 0 && value[1][1] == -9.81 && value[3][0] == 9.81 / 2);
  bool again[4] = {true, false, true, false};
  value[0][0] = 2;
  assert_int_equal(dslc_parameter_defaults(&p, value, again), -1);
  assert_true(value[1][1] == -2 && value[3][0] == 1);
}

static double formula(const char *text) {
  dslc_program p = sample();
  double value[4][DSLC_MOST_COMPONENTS] = {{2}, {3, 4}, {5}, {6}}, out;
  dslc_formula(&p, text, (const double(*)[DSLC_MOST_COMPONENTS])value, 1, &out);
  return out;
}

static void test_formulas(void **state) {
  (void)state;
  assert_true(formula("5 pi sqrt * 16 / $g *") == 5 * sqrt(M_PI) / 16 * 2);
  assert_true(formula("$grav.1 $grav -") == 1);
  assert_true(formula("$half.g 2 ^ 1 min 3 max neg abs") == 3);
  assert_true(formula("1 2 < 7 8 select") == 7);
  assert_true(formula("-1e-3 cbrt") == cbrt(-1e-3));
  assert_float_equal(formula("-8 0.3333333333333333 ^"), -2, 1e-15); /* a cube root, as in kernels */
  static const char *const bad[] = {"",   "1 2", "+",      "1 +", "$nobody", "$grav.9 x", "1 2 frobnicate",
                                    "1x", "$",   "nan 1 +"};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) assert_true(isnan(formula(bad[i])));
  char deep[2000] = "";
  for (int i = 0; i < 500; i++) strcat(deep, "1 ");
  assert_true(isnan(formula(deep)));
}

static void no_memory(void *ctx, size_t size) {
  (void)ctx;
  (void)size;
  abort();
}

static ir_id parameter_node(ir_module *m, const char *text, ir_type type) {
  return ir_param(
      m,
      ir_symbol_add(m, (ir_symbol){.text = intern_str(m->names, text), .kind = IR_PARAMETER, .type = type}));
}

/* What is printed from the IR evaluates to the IR's value. */
static void test_printed_formulas(void **state) {
  (void)state;
  arena *a = arena_create(no_memory, NULL);
  ir_module *m = ir_create(a, intern_create(a));
  m->dims = 2;
  ir_id g = parameter_node(m, "g", ir_scalar()), grav = parameter_node(m, "grav", ir_vector(m));
  ir_id sum = ir_binary(m, IR_SUB, ir_unary(m, IR_NEG, g), ir_binary(m, IR_POW, g, ir_const(m, 1.0 / 3)));
  const char *text = back_formula(m, sum, a);
  assert_string_equal(text, "$g neg $g 0.3333333333333333 ^ -");
  assert_true(formula(text) == -2.0 - pow(2, 1.0 / 3));
  ir_id pair[] = {sum, ir_part(m, grav, 1, ir_scalar())};
  ir_id vector = ir_make(m, IR_TUPLE, ir_vector(m), 2, pair);
  assert_string_equal(back_formula(m, vector, a), "$g neg $g 0.3333333333333333 ^ -;$grav.1");
  ir_id scaled = ir_binary(m, IR_MUL, g, grav);
  assert_string_equal(back_formula(m, scaled, a), "$g $grav *;$g $grav.1 *");
  ir_symbol t = {.text = intern_str(m->names, "t"), .kind = IR_TIME, .type = ir_scalar()};
  assert_null(back_formula(m, ir_binary(m, IR_ADD, g, ir_param(m, ir_symbol_add(m, t))), a));
  ir_id doubled = g;
  for (int i = 0; i < 40; i++)
    doubled = ir_binary(m, IR_ADD, doubled, doubled); /* 2^40 uses: refused, at once */
  assert_null(back_formula(m, doubled, a));
  arena_destroy(&a);
}

/* ---- report ---- */

static char *report_of(const dslc_program *p) {
  char *text = NULL;
  size_t size = 0;
  FILE *out = open_memstream(&text, &size);
  assert_non_null(out);
  dslc_program_report(p, out);
  fclose(out);
  return text;
}

static void test_report(void **state) {
  (void)state;
  dslc_program p = sample();
  char *text = report_of(&p);
  assert_non_null(strstr(text, "friction = explicit"));
  assert_non_null(strstr(text, "roe: store, cells sum it over their faces"));
  assert_non_null(
      strstr(text, "roe                      faces   store          300       120       7  9 (14)"));
  assert_non_null(strstr(text, "update                   faces"));
  assert_non_null(strstr(
      text,
      "10.7        40      1.17")); /* (1 + 1/3) doubles; 5 accesses, whose sizes a manifest does not tell; 12.5 operations */
  free(text);
}

/* A step of two kernels and a repeat of one; a kernel over a boundary is a launch, but no work. */
static void test_report_sums(void **state) {
  (void)state;
  dslc_program p = sample();
  dslc_kernel kernel[2] = {kernels[0], kernels[1]};
  kernel[0].place = DSLC_CELLS, kernel[0].cost.flops_written = 30;
  dslc_op launch = ops[0], inside = ops[0], end = ops[1];
  launch.subset = DSLC_OWNED;
  dslc_op op[] = {launch, inside, {.kind = DSLC_OP_REPEAT, .b = 3, .count = 2, .limit = 9},
                  launch, launch, end};
  dslc_section section[] = {sections[0], {.name = "step", .n_ops = 6, .op = op}};
  const dslc_note note[] = {
      {"a: inline, cheap", 1}, {"whole", 0}, {"b: inline, cheap", 1}, {"a: inline, cheap", 1}};
  p.execution.kernel = kernel, p.execution.section = section, p.note = note, p.n_notes = 4;
  char *text = report_of(&p);
  assert_non_null(strstr(text, "a step, beside its repeat        3       30        12      10.7      1.17"));
  assert_non_null(strstr(text, "a pass of the repeat            2       60        25      21.3      1.17"));
  assert_non_null(strstr(text, "schedule\n  a, b: inline, cheap\n  whole\n"));
  free(text);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_teardown(test_round_trip, clean),
      cmocka_unit_test(test_shipped),
      cmocka_unit_test_teardown(test_malformed, clean),
      cmocka_unit_test_teardown(test_disagreeing, clean),
      cmocka_unit_test_teardown(test_malformed_patches, clean),
      cmocka_unit_test_teardown(test_malformed_sources, clean),
      cmocka_unit_test_teardown(test_missing_files, clean),
      cmocka_unit_test_teardown(test_damage, clean),
      cmocka_unit_test(test_defaults),
      cmocka_unit_test(test_formulas),
      cmocka_unit_test(test_printed_formulas),
      cmocka_unit_test(test_report),
      cmocka_unit_test(test_report_sums),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
