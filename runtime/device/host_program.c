#include "device/host_internal.h"

#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "device/spawn.h"
#include "device/workplace.h"

/* ---- Command lines ---- */

enum { max_words = 512 };

typedef struct command {
  char *words[max_words + 1]; /* NULL-terminated; point into `text` or to constants */
  size_t count;
  char *text[2]; /* split copies, owned */
} command;

static bool add_word(command *c, const char *word) {
  if (c->count == max_words) return false;
  c->words[c->count++] = (char *)word;
  c->words[c->count] = NULL;
  return true;
}

/* Splits a copy of `text` at blanks and appends the words. */
static bool add_split(command *c, size_t slot, const char *text) {
  char *rest = NULL;
  c->text[slot] = strdup(text);
  if (!c->text[slot]) return false;
  for (char *word = strtok_r(c->text[slot], " \t\n", &rest); word; word = strtok_r(NULL, " \t\n", &rest))
    if (!add_word(c, word)) return false;
  return true;
}

const char *host_compiler(void) {
  const char *cc = getenv("CC");
  return cc && cc[strspn(cc, " \t\n")] ? cc : "cc";
}

static void free_command(command *c) {
  free(c->text[0]);
  free(c->text[1]);
}

/* The source comes through standard input, so that messages and binaries do not depend on a temporary path.
 * The caller's options come last and win. */
static bool compile_command(command *c, const char *options, bool openmp, const char *object) {
  static const char *const flags[] = {"-O3", "-march=native", "-std=c11", "-fPIC", "-shared"};
  bool good = add_split(c, 0, host_compiler());
  for (size_t i = 0; i < sizeof flags / sizeof *flags; i++) good = good && add_word(c, flags[i]);
  if (openmp) good = good && add_word(c, "-fopenmp");
  good = good && add_split(c, 1, options);
  return good && add_word(c, "-o") && add_word(c, object) && add_word(c, "-x") && add_word(c, "c") &&
         add_word(c, "-") && add_word(c, "-lm");
}

ew_status host_compiler_version(char *text, size_t size, ew_error *err) {
  command c = {0};
  char *output = NULL;
  int exit_code = -1; /* not started */
  bool made = add_split(&c, 0, host_compiler()) && add_word(&c, "--version");
  errno = 0;
  ew_status status = made ? spawn_capture(c.words, "/dev/null", &output, &exit_code, err) : EW_FAIL;
  bool no_room = exit_code >= 0 || errno == ENOMEM; /* it started, but what it prints could not be kept */
  if (!made || (no_room && status != EW_OK))
    status = ew_fail(err, EW_FAIL, "out of memory while asking '%s' for its version", host_compiler());
  else if (exit_code != 0)
    status = ew_fail(
        err, EW_DEVICE,
        "devices `c` and `c-openmp` need a C compiler, and '%s --version' does not run.\nhint: install "
        "the Debian package gcc, or set CC",
        host_compiler());
  else snprintf(text, size, "%.*s", (int)strcspn(output, "\n"), output);
  free(output);
  free_command(&c);
  return status;
}

static ew_status write_text(const char *path, const char *text, ew_error *err) {
  FILE *file = fopen(path, "w");
  bool good = file && fputs(text, file) >= 0;
  if (file) good = fclose(file) == 0 && good;
  return good ? EW_OK : ew_fail(err, EW_IO, "cannot write %s: %s", path, strerror(errno));
}

static ew_status compile(const dev_program *program, const dev_build_request *request, const workplace *w,
                         char **log, ew_error *err) {
  command c = {0};
  int exit_code = 0;
  ew_status status = EW_OK;
  if (!compile_command(&c, request->options, program->ctx->info.language == DEV_C_OPENMP, w->object))
    EW_CHECK(ew_fail(err, EW_FAIL, "the C compiler's command line has more than %d words", max_words));
  EW_CHECK(spawn_capture(c.words, w->source, log, &exit_code, err));
  if (exit_code) status = ew_fail(err, EW_DEVICE, "%s: exit status %d", c.words[0], exit_code);
cleanup:
  free_command(&c);
  return status;
}

/* Left empty when the file cannot be read: then nothing is cached. */
static void read_file(const char *path, dev_blob *blob) {
  struct stat st;
  FILE *file = fopen(path, "rb");
  if (!file) return;
  if (fstat(fileno(file), &st) == 0 && st.st_size > 0) {
    void *data = malloc((size_t)st.st_size);
    if (data && fread(data, 1, (size_t)st.st_size, file) == (size_t)st.st_size)
      *blob = (dev_blob){data, (size_t)st.st_size};
    else free(data);
  }
  fclose(file);
}

/* OpenMP's worker threads outlive a parallel region and wait inside the OpenMP library: unloading it with the
 * last program would pull the code from under them, so such programs stay until the process ends. */
static void *load_object(const dev_program *program, const char *path) {
  int keep = program->ctx->info.language == DEV_C_OPENMP ? RTLD_NODELETE : 0;
  return dlopen(path, RTLD_NOW | RTLD_LOCAL | keep);
}

ew_status host_build(dev_program *program, const dev_build_request *request, dev_blob *binary, char **log,
                     ew_error *err) {
  ew_status status = EW_OK;
  workplace w;
  if (dev_get_language(program->ctx) == DEV_REFERENCE)
    return ew_fail(err, EW_USAGE, "device `reference` interprets schemes, it has no kernels: take `c`");
  EW_CHECK(workplace_open(&w, err));
  EW_CHECK(write_text(w.source, request->source, err));
  EW_CHECK(compile(program, request, &w, log, err));
  program->handle = load_object(program, w.object);
  if (!program->handle) {
    const char *why = dlerror();
    EW_CHECK(strstr(why, strerror(ENOMEM)) ? dev_out_of_memory(err, "a program")
                                           : ew_fail(err, EW_DEVICE, "dlopen: %s", why));
  }
  read_file(w.object, binary);
cleanup:
  workplace_close(&w);
  return status;
}

bool host_load(dev_program *program, const dev_build_request *request, const dev_blob *binary,
               const char *path) {
  (void)request, (void)binary;
  char absolute[PATH_MAX];
  /* Without a slash dlopen would search the system's folders. */
  if (!realpath(path, absolute)) return false;
  program->handle = load_object(program, absolute);
  return program->handle != NULL;
}

void host_program_close(dev_program *program) { dlclose(program->handle); }

/* ---- Kernels ---- */

typedef void host_entry(void *const *args, long n);

ew_status host_kernel_open(dev_kernel *k, ew_error *err) {
  k->handle = dlsym(k->program->handle, k->name);
  k->max_local = 1;
  if (k->handle) return EW_OK;
  return ew_fail(err, EW_DEVICE, "dlsym: program '%s' has no kernel '%s' on %s", k->program->name, k->name,
                 k->program->ctx->info.name);
}

static ew_status gather_args(dev_kernel *k, ew_error *err) {
  if (!k->gathered) k->gathered = malloc((k->arg_capacity + 1) * sizeof *k->gathered);
  if (!k->gathered) return dev_out_of_memory(err, "kernel arguments");
  for (unsigned i = 0; i < k->arg_count; i++) {
    dev_arg *arg = &k->args[i];
    k->gathered[i] = arg->kind == DEV_ARG_BUFFER ? arg->storage : (void *)&arg->value;
  }
  return EW_OK;
}

ew_status host_launch(dev_kernel *k, const dev_range *range, ew_error *err) {
  dev_context *ctx = k->program->ctx;
  size_t slot = 0;
  host_entry *entry = NULL;
  ew_status status = gather_args(k, err);
  if (status == EW_OK && ctx->profile.on) status = dev_profile_slot(&ctx->profile, k->name, &slot, err);
  if (status != EW_OK) return status;
  memcpy(&entry, &k->handle, sizeof entry); /* ISO C has no cast from an object's to a function's pointer */
  uint64_t start = dev_now_ns();
  entry(k->gathered, (long)range->items);
  if (ctx->profile.on) dev_profile_add(&ctx->profile, slot, dev_now_ns() - start);
  return EW_OK;
}
