/* What is wrong with a case, without a device: as text, or as JSON for editors and scripts. */
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/memory_text.h"
#include "cli/shell.h"
#include "case/paths.h"
#include "formats/run_json.h"
#include "run/run.h"
#include "verify/verify.h"
#include "case/sample.h"

typedef struct findings {
  const cli_call *call;
  bool json;
  const char *file; /* of problems that do not say where they are; NULL: not known */
  long steps;       /* to make with the interpreter, if nothing is wrong */
  size_t n;
} findings;

/* ---- one problem ------------------------------------------------------------------------------------------------------------- */

/* The message behind "case.lua:12: ", whose parts go to `size` (of the file's name) and `line`; all of the text, and 0, if it
 * begins otherwise. */
static const char *split_place(const char *text, size_t *size, long *line) {
  for (const char *colon = strchr(text, ':'); colon; colon = strchr(colon + 1, ':')) {
    char *end;
    if (!isdigit((unsigned char)colon[1])) continue;
    *line = strtol(colon + 1, &end, 10);
    *size = (size_t)(colon - text);
    if (strncmp(end, ": ", 2) == 0) return end + 2;
  }
  *size = 0, *line = 0;
  return text;
}

static void print_json(const findings *f, const char *text) {
  FILE *out = f->call->out;
  size_t size;
  long line;
  const char *message = split_place(text, &size, &line);
  char *own = size ? strndup(text, size) : NULL;
  const char *file = own ? own : f->file;
  fputs(f->n ? ",\n {\"file\": " : "[{\"file\": ", out);
  if (file) shell_print_json(out, file);
  else fputs("null", out);
  if (own) fprintf(out, ", \"line\": %ld, \"message\": ", line);
  else fputs(", \"line\": null, \"message\": ", out);
  shell_print_json(out, message);
  fputc('}', out);
  free(own);
}

static void report(findings *f, const char *text) {
  if (f->json) print_json(f, text);
  else fprintf(f->call->err, "%s\n", text);
  f->n++;
}

/* Reports a failure that is the case's fault; any other is the caller's. */
static ew_status report_failure(findings *f, ew_status status, const ew_error *err) {
  if (status != EW_INPUT && status != EW_IO) return status;
  report(f, err->text);
  return EW_OK;
}

/* ---- the parts of a case ----------------------------------------------------------------------------------------------------- */

/* The program for the device `c`, which needs no driver: it only names the language of the kernels, nothing is run. */
static ew_status compile(const ew_case *c, const exec_domain *domain, FILE *messages, dslc_program **program,
                         ew_error *err) {
  ew_status status = EW_OK;
  dev_context *host = NULL;
  char path[EW_PATH];
  if (!c->build.manifest) EW_CHECK(exec_find_scheme(c, path, sizeof path, err));
  EW_CHECK(dev_context_create("c", &host, err));
  EW_CHECK(exec_program(c, domain, host, messages, program, err));
cleanup:
  dev_context_destroy(&host);
  return status;
}

/* In JSON the compiler's messages, if there are errors among them, are one problem. */
static ew_status check_scheme(findings *f, const ew_case *c, const exec_domain *domain,
                              dslc_program **program, ew_error *err) {
  memory_text said = {0};
  FILE *kept = f->json ? memory_text_open(&said) : NULL;
  ew_status status = compile(c, domain, kept ? kept : f->call->err, program, err);
  char *text = kept ? memory_text_close(&said) : NULL;
  if (status == EW_INPUT && text && *text) {
    report(f, text);
    status = EW_OK;
  } else status = report_failure(f, status, err);
  free(text);
  return status;
}

static void report_all(findings *f, const exec_problems *found) {
  char where[512];
  for (int i = 0; i < found->n; i++) {
    char *text = NULL;
    if (asprintf(&text, "%s%s", exec_where(found->item[i].at, where, sizeof where), found->item[i].text) < 0)
      text = NULL;
    report(f, text ? text : found->item[i].text);
    free(text);
  }
}

/* Is the scheme one of mesh(D)? Not one that has errors. */
static bool has_any_dimension(const ew_case *c) {
  char path[EW_PATH];
  int dims[2] = {0, 0};
  ew_error other = {0};
  if (exec_find_scheme(c, path, sizeof path, &other) != EW_OK) return false;
  for (int i = 0; i < 2; i++) {
    dslc_program *alone = NULL;
    if (verify_describe(path, 2 + i, NULL, &alone, &other) == EW_OK) dims[i] = alone->space.dims;
    dslc_program_destroy(&alone);
  }
  return dims[0] == 2 && dims[1] == 3;
}

/* Scheme, values and boundary rules of a case whose mesh is not made yet. Of a scheme on mesh(D) nothing: a case in three dimensions may ask for
 * what there is not in two. */
static ew_status check_without_mesh(findings *f, const ew_case *c, dslc_program **program, ew_error *err) {
  exec_domain none = {NULL, NULL};
  return has_any_dimension(c) ? EW_OK : check_scheme(f, c, &none, program, err);
}

/* The first steps of the case, equation by equation: the interpreter tells where and from what a value is no longer a number, where a
 * requirement fails, what is read that nobody gave. */
static ew_status make_steps(const findings *f, const ew_case *c, const exec_domain *domain, long steps,
                            ew_error *err) {
  ew_status status = EW_OK;
  dev_context *interpreter = NULL;
  dslc_program *program = NULL;
  exec_run *run = NULL;
  exec_until until = {.t_stop = c->time.stop > 0 ? c->time.stop : INFINITY, .max_steps = steps};
  EW_CHECK(dev_context_create("reference", &interpreter, err));
  FILE *messages = f->json ? f->call->err : NULL; /* as text they have been printed */
  EW_CHECK(exec_program(c, domain, interpreter, messages, &program, err));
  EW_CHECK(exec_create(interpreter, program, domain, c, &run, err));
  if (steps > 0) EW_CHECK(exec_advance(run, &until, err));
  if (!f->json && steps > 0)
    fprintf(f->call->out, "%s: %lld steps on the reference interpreter, to t = %.6g s\n",
            f->call->argument[0], (long long)exec_steps(run), exec_time(run));
cleanup:
  exec_destroy(&run);
  dslc_program_destroy(&program);
  dev_context_destroy(&interpreter);
  return status;
}

/* There is no scheme to take equations from. */
static ew_status refuse_steps(const findings *f, const ew_case *c, ew_error *err) {
  return ew_fail(
      err, EW_INPUT,
      "%s: the case names kernels that are built already, manifest = \"%s\"; the interpreter makes steps "
      "of a scheme's equations\n  hint: name the scheme instead, or `edgewise run` a few steps",
      f->call->argument[0], c->build.manifest);
}

/* With the lines of the case that give the values, where the scheme requires something of values alone. */
static ew_status report_start(findings *f, const ew_case *c, const dslc_program *program,
                              const exec_domain *domain, ew_error *err) {
  exec_problems found = {0};
  ew_error failed = {0};
  const ew_status status = exec_check_required(c, program, domain, err->text, &found, &failed);
  report_all(f, &found);
  if (found.n == 0) report(f, err->text);
  exec_problems_clear(&found);
  if (status != EW_OK) *err = failed;
  return status;
}

/* With no steps to make, what the scheme requires of its start, "h >= 0" for instance, is a problem of the case where it fails. */
static ew_status check_start(findings *f, const ew_case *c, const dslc_program *program,
                             const exec_domain *domain, ew_error *err) {
  enum { MOST_CELLS = 5000000 };
  if (f->steps == 0 && exec_domain_cells(domain) > MOST_CELLS) {
    if (!f->json)
      fputs("note: the case is large: whether its start is what the scheme requires shows when it runs "
            "(--run 1 tries)\n",
            f->call->err);
    return EW_OK;
  }
  ew_status status = make_steps(f, c, domain, f->steps, err);
  if (f->steps > 0 || (status != EW_DIVERGED && status != EW_INPUT)) return status;
  return report_start(f, c, program, domain, err);
}

/* Of large cases how much memory they take. */
static void print_forecast(const findings *f, const dslc_program *program, const exec_domain *domain) {
  double device = exec_forecast(program, domain) / 0x1p30;
  if (device < 0.5 || f->json) return;
  fprintf(f->call->err,
          "note: the case takes about %.1f GiB on its device; up to here, %.1f GiB of this machine\n", device,
          (double)run_json_peak_memory() / 0x1p30);
}

/* Check asks no driver: a name that is none of the words for kinds of devices may be of one, or of none. */
static void note_device(const findings *f, const ew_case *c) {
  static const char *const words[] = {"cpu", "gpu", "c", "c-openmp", "reference", "model", "model-gpu"};
  const char *name = c->build.device;
  bool known = !name || strspn(name, "0123456789") == strlen(name);
  for (size_t i = 0; i < sizeof words / sizeof *words; i++) known = known || strcasecmp(name, words[i]) == 0;
  if (!known && !f->json)
    fprintf(f->call->err,
            "note: whether there is a device '%s' shows when the case runs: check asks no driver\n", name);
}

/* Everything that can be known without a device: mesh, scheme, and whether the case fits them. `err` holds a failure that
 * is not one of the case's own. */
static ew_status check_parts(findings *f, const ew_case *c, ew_error *err) {
  ew_status status = EW_OK;
  exec_domain domain = {NULL, NULL};
  dslc_program *program = NULL;
  exec_problems found = {0};
  bool has_mesh = c->mesh.kind != CASE_MESH_NONE;
  if (c->mesh.kind == CASE_MESH_RECIPE && !c->mesh.trusted) {
    status = exec_recipe_inspect(c, &has_mesh, err);
    has_mesh = has_mesh && status == EW_OK;
    bool fine = status == EW_OK;
    EW_CHECK(report_failure(f, status, err));
    if (fine && !has_mesh && !f->json)
      fprintf(f->call->err, "note: gmsh makes the mesh when the case runs; what depends on it is not checked "
                            "(--trust-recipes makes it now)\n");
  }
  if (has_mesh) EW_CHECK(report_failure(f, exec_domain_create(c, &domain, err), err));
  if (!f->json) {
    exec_domain_notes(c, &domain, f->call->err);
    exec_times_note(c, f->call->err);
    exec_series_note(c, f->call->err);
  }
  note_device(f, c);
  if (exec_domain_dim(&domain) && (c->build.scheme || c->build.manifest))
    EW_CHECK(check_scheme(f, c, &domain, &program, err));
  if (!has_mesh && c->mesh.kind == CASE_MESH_RECIPE && c->build.scheme && !c->build.manifest)
    EW_CHECK(check_without_mesh(f, c, &program, err));
  if (program && has_mesh) print_forecast(f, program, &domain);
  EW_CHECK(exec_check(c, program, &domain, &found, err));
  if (f->n == 0 && found.n == 0 && program && has_mesh)
    EW_CHECK(exec_check_values(c, program, &domain, &found, err));
  report_all(f, &found);
  if (f->n == 0 && !f->json && program) exec_distance_note(c, &domain, program, f->call->err);
  if (c->build.manifest && f->steps > 0) EW_CHECK(refuse_steps(f, c, err));
  if (f->n == 0 && program && has_mesh && !c->build.manifest)
    EW_CHECK(check_start(f, c, program, &domain, err));
cleanup:
  exec_problems_clear(&found);
  dslc_program_destroy(&program);
  exec_domain_clear(&domain);
  return status;
}

/* ---- the whole --------------------------------------------------------------------------------------------------------------- */

int shell_check_failed(const cli_call *call, bool json, const ew_error *err) {
  findings f = {.call = call, .json = json, .file = call->argument[0]};
  if (!json) return shell_fail(call, err);
  report(&f, err->text);
  fputs("]\n", call->out);
  return (int)err->status;
}

int shell_check(const cli_call *call, case_file *file, bool json, long steps) {
  findings f = {.call = call, .json = json, .steps = steps};
  ew_error err = {0};
  const problem_list *own = case_file_problems(file);
  for (size_t i = 0; i < own->n; i++) report(&f, own->text[i]);
  const ew_case *c = case_file_get(file); /* none in scripts of linear systems alone */
  ew_status status = c ? check_parts(&f, c, &err) : EW_OK;
  if (json && status != EW_OK) report(&f, err.text);
  if (json) fputs(f.n ? "]\n" : "[]\n", call->out);
  if (json && status != EW_OK) return (int)status;
  if (status != EW_OK) return shell_fail(call, &err);
  if (f.n == 0 && !json) fprintf(call->out, "%s: no problems\n", call->argument[0]);
  if (f.n == 0 || json) return f.n ? EW_INPUT : EW_OK;
  return cli_fail(call, EW_INPUT, "%zu problem%s in %s", f.n, f.n == 1 ? "" : "s", call->argument[0]);
}
