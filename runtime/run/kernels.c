/* The scheme's kernels and the executor's own, built for the run's device. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dslc_kernel.h"
#include "run/internal.h"
#include "exec_cl.h"
#include "exec_host_c.h"

/* ---- a build log in terms of the scheme -------------------------------------------------------------------------- */

/* Reads the line number of a message: "...:LINE:COLUMN: error: ...", as clang, gcc and NVIDIA's compiler have it. */
static int line_in_log(const char *text, const char *end) {
  const char *mark = NULL;
  for (const char *at = text; at + 6 < end && !mark; at++)
    if (strncmp(at, "error", 5) == 0) mark = at;
  for (const char *at = text; mark && at < mark; at++) {
    int line, column, used = 0;
    if (*at == ':' && sscanf(at, ":%d:%d:%n", &line, &column, &used) == 2 && used) return line;
  }
  return 0;
}

/* Scheme lines of the first errors in the log, each once in a row. */
static void map_log(const dslc_program *p, const char *log, char *out, size_t size) {
  size_t used = 0;
  int last = 0, found = 0;
  const char *slash = strrchr(p->identity.path, '/'), *own = slash ? slash + 1 : p->identity.path;
  *out = '\0';
  for (const char *at = log; *at && found < 5;) {
    char place[300];
    const char *end = at + strcspn(at, "\n");
    const int line = line_in_log(at, end),
              scheme_line = line > 0 ? dslc_scheme_place(p, line, place, sizeof place) : 0;
    if (scheme_line > 0 && scheme_line != last && used < size) {
      const bool is_own = strncmp(place, own, strlen(own)) == 0; /* which is told with its folder */
      used += (size_t)snprintf(out + used, size - used, "  %.*s%s (line %d of the generated code)\n",
                               is_own ? (int)(own - p->identity.path) : 0, p->identity.path, place, line);
      last = scheme_line;
      found++;
    }
    at = *end ? end + 1 : end;
  }
}

static ew_status explain_build(exec_run *run, ew_error *err) {
  char lines[1024];
  map_log(run->program, dev_build_log(run->device), lines, sizeof lines);
  return ew_context(err, "the kernels of scheme '%s' do not build%s%sthe driver says",
                    run->program->identity.scheme, *lines ? ":\n" : "; ", lines);
}

/* ---- life ----------------------------------------------------------------------------------------------------------- */

static ew_status create_builtin(exec_run *run, ew_error *err) {
  ew_status status = EW_OK;
  const char *source = dev_get_language(run->device) == DEV_OPENCL_C ? exec_cl : exec_host_c;
  EW_CHECK(dev_program_create(run->device, "exec", source, NULL, &run->builtin.program, err));
  EW_CHECK(dev_kernel_create(run->builtin.program, "exec_copy", &run->builtin.copy, err));
  EW_CHECK(dev_kernel_create(run->builtin.program, "exec_ghosts_f64", &run->builtin.ghosts_f64, err));
  EW_CHECK(dev_kernel_create(run->builtin.program, "exec_ghosts_f32", &run->builtin.ghosts_f32, err));
  EW_CHECK(dev_kernel_create(run->builtin.program, "exec_copies_f64", &run->builtin.copies_f64, err));
  EW_CHECK(dev_kernel_create(run->builtin.program, "exec_copies_f32", &run->builtin.copies_f32, err));
  EW_CHECK(dev_kernel_create(run->builtin.program, "exec_repeat_begin", &run->builtin.repeat_begin, err));
  EW_CHECK(dev_kernel_create(run->builtin.program, "exec_set_gate", &run->builtin.set_gate, err));
  EW_CHECK(dev_kernel_create(run->builtin.program, "exec_gather_f64", &run->builtin.gather_f64, err));
  EW_CHECK(dev_kernel_create(run->builtin.program, "exec_gather_f32", &run->builtin.gather_f32, err));
cleanup:
  return status;
}

static bool has_deep_branches(const dslc_program *p) {
  for (int k = 0; k < p->execution.n_kernels; k++)
    if (p->execution.kernel[k].branches > 0) return true;
  return false;
}

/* "" or the limit on registers that the program asks for and the device's compiler takes, and what keeps clear of a fault. */
static void build_options(const dev_context *device, const dslc_program *p, char *options, size_t size) {
  const dev_info *d = dev_get_info(device);
  const int most = p->execution.registers;
  const dev_fault *fault = dev_known_fault(d);
  const char *deep = fault && fault->deep && has_deep_branches(p) ? fault->deep : "";
  char registers[64] = "";
  if (most > 0 && d->limits_registers)
    snprintf(registers, sizeof registers, "-cl-nv-maxrregcount=%d -D EDGEWISE_REGISTERS_LIMITED", most);
  snprintf(options, size, "%s%s%s", registers, *registers && *deep ? " " : "", deep);
}

const dev_fault *exec_known_fault(const dslc_program *p, const dev_info *d, int *kernel) {
  const dev_fault *fault = dev_known_fault(d);
  for (*kernel = 0; fault && *kernel < p->execution.n_kernels; ++*kernel) {
    const dslc_kernel *k = &p->execution.kernel[*kernel];
    if (k->rows > 0 && !k->loop && fault->windows_by_items) return fault;
    if (k->calls > 0 && fault->inlines_all) return fault;
  }
  return NULL;
}

/* A wrong answer is worse than none, and so is a wait of hours: docs/devices.md. */
static ew_status refuse_known_fault(const exec_run *run, ew_error *err) {
  int kernel;
  const dev_info *d = dev_get_info(run->device);
  const dev_fault *fault = exec_known_fault(run->program, d, &kernel);
  if (!fault) return EW_OK;
  const dslc_kernel *k = &run->program->execution.kernel[kernel];
  if (fault->inlines_all && k->calls > 0)
    return ew_fail(err, EW_DEVICE,
                   "kernel '%s' calls %d functions or more once each is copied to where it is called, as %s "
                   "(driver %s) does: "
                   "its compiler would take minutes to hours.\n"
                   "hint: `--device c-openmp` computes it on the same cores; docs/devices.md tells more",
                   k->name, k->calls, d->platform, d->driver);
  return ew_fail(
      err, EW_DEVICE,
      "kernel '%s' is a window whose work-items share rows, which %s (driver %s) computes wrongly.\n"
      "hint: `--schedule items=loop` or `--schedule grid.window=off`; docs/devices.md tells more",
      k->name, d->platform, d->driver);
}

/* On the model machine, whose task it is to find mistakes: whether what the program says of its kernels is what they do. Programs made
 * by hand, and manifests, need not say it all. */
static ew_status check_account(const exec_run *run, const char *options, ew_error *err) {
  const dslc_program *p = run->program;
  char message[1000] = "";
  if (!dev_get_info(run->device)->model || !p->identity.text_hash) return EW_OK;
  dslc_kernels *kernels = dslc_kernels_of(p, options, message, sizeof message);
  const int differences = kernels ? dslc_kernels_agree(kernels, p, message, sizeof message) : 1;
  const bool no_memory = kernels ? differences < 0 : strcmp(message, "out of memory") == 0;
  dslc_kernels_destroy(&kernels);
  if (no_memory)
    return ew_fail(err, EW_FAIL, "out of memory to look over the kernels of scheme '%s'", p->identity.scheme);
  return differences == 0 ? EW_OK
                          : ew_fail(err, EW_INTERNAL, "scheme '%s': its program and its kernels differ:\n%s",
                                    p->identity.scheme, message);
}

ew_status exec_build(dev_context *device, const dslc_program *p, ew_error *err) {
  char options[96];
  dev_program *kernels = NULL;
  build_options(device, p, options, sizeof options);
  const ew_status status = dev_program_compile(device, p, options, &kernels, err);
  dev_program_destroy(&kernels);
  return status;
}

ew_status exec_kernels_create(exec_run *run, ew_error *err) {
  ew_status status = EW_OK;
  const dslc_program *p = run->program;
  char options[96];
  EW_CHECK(refuse_known_fault(run, err));
  build_options(run->device, p, options, sizeof options);
  run->code.kernel = calloc((size_t)p->execution.n_kernels + 1, sizeof(dev_kernel *));
  run->account.profile.items = calloc((size_t)p->execution.n_kernels + 1, sizeof *run->account.profile.items);
  if (!run->code.kernel || !run->account.profile.items)
    EXEC_LEAVE(err, EW_FAIL, "out of memory for %d kernels", p->execution.n_kernels);
  status = dev_program_compile(run->device, p, options, &run->code.program, err);
  if (status != EW_OK && *dev_build_log(run->device)) return explain_build(run, err);
  if (status == EW_OK) EW_CHECK(check_account(run, options, err));
  for (int k = 0; status == EW_OK && k < p->execution.n_kernels; k++) {
    EW_CHECK(dev_kernel_create(run->code.program, p->execution.kernel[k].name, &run->code.kernel[k], err));
    unsigned takes = dev_kernel_declared_args(run->code.kernel[k]);
    if (takes && takes != (unsigned)p->execution.kernel[k].n_args)
      EXEC_LEAVE(err, p->identity.text_hash ? EW_INTERNAL : EW_INPUT,
                 "kernel '%s' takes %u arguments, its description has %d", p->execution.kernel[k].name, takes,
                 p->execution.kernel[k].n_args);
  }
  if (status == EW_OK) EW_CHECK(create_builtin(run, err));
cleanup:
  return status;
}

void exec_kernels_destroy(exec_run *run) {
  for (int k = 0; run->code.kernel && k < run->program->execution.n_kernels; k++)
    dev_kernel_destroy(&run->code.kernel[k]);
  dev_kernel *own[] = {run->builtin.copy,       run->builtin.ghosts_f64, run->builtin.ghosts_f32,
                       run->builtin.copies_f64, run->builtin.copies_f32, run->builtin.repeat_begin,
                       run->builtin.set_gate,   run->builtin.gather_f64, run->builtin.gather_f32};
  for (size_t i = 0; i < sizeof own / sizeof *own; i++) dev_kernel_destroy(&own[i]);
  dev_program_destroy(&run->code.program);
  dev_program_destroy(&run->builtin.program);
  free(run->code.kernel);
  free(run->account.profile.items);
}
