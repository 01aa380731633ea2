/* A device without fp64. Its programs are rewritten (dslc_kernel.h): where a kernel has a double, it now has two floats in a long. The host
 * goes on in doubles, and what lies in buffers is made the one of the other on the way. Whether a buffer holds doubles shows when it is
 * first given to a kernel that takes a pointer to some, or its maker says it: until then its bytes are the host's. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device/backend.h"
#include "dslc.h"
#include "dslc_kernel.h"

typedef enum dev_form { FORM_ZEROS, FORM_HOSTS, FORM_PAIRS } dev_form; /* zeros: as it was made */

typedef struct dev_contents {
  dev_form form;
  dev_buffer *buffer;
} dev_contents;

typedef struct dev_double_single {
  const dev_backend *inner;
  dev_backend outer;
} dev_double_single;

static const dev_backend *inner_of(const dev_context *ctx) { return ctx->double_single->inner; }

/* ---- Numbers ---------------------------------------------------------------------------------------------------------------- */

static ew_status fail_range(const char *what, double number, ew_error *err) {
  return ew_fail(err, EW_DEVICE,
                 "%s: %g is beyond the range of single precision, and the device has no fp64 (cl_khr_fp64)",
                 what, number);
}

static ew_status to_pairs(const char *what, void *numbers, uint64_t n, ew_error *err) {
  char *at = numbers;
  for (uint64_t i = 0; i < n; i++, at += sizeof(double)) {
    double number;
    int64_t bits;
    memcpy(&number, at, sizeof number);
    if (!dslc_double_single(number, &bits)) return fail_range(what, number, err);
    memcpy(at, &bits, sizeof bits);
  }
  return EW_OK;
}

static void to_doubles(void *pairs, uint64_t n) {
  char *at = pairs;
  for (uint64_t i = 0; i < n; i++, at += sizeof(double)) {
    int64_t bits;
    memcpy(&bits, at, sizeof bits);
    const double number = dslc_double_single_value(bits);
    memcpy(at, &number, sizeof number);
  }
}

double dev_number(const dev_context *ctx, double number) {
  int64_t bits;
  if (!ctx->double_single) return number;
  dslc_double_single(number, &bits);
  return dslc_double_single_value(bits);
}

/* ---- Buffers ------------------------------------------------------------------------------------------------------------------ */

static ew_status buffer_open(dev_buffer *b, ew_error *err) {
  b->contents = calloc(1, sizeof *b->contents);
  if (!b->contents) return dev_out_of_memory(err, "a buffer");
  b->contents->buffer = b;
  ew_status status = inner_of(b->ctx)->buffer_open(b, err);
  if (status != EW_OK) free(b->contents), b->contents = NULL;
  return status;
}

static void buffer_close(dev_buffer *b) {
  inner_of(b->ctx)->buffer_close(b);
  free(b->contents);
}

void dev_buffer_hold_doubles(dev_buffer *buffer) {
  if (buffer->contents && buffer->contents->form == FORM_ZEROS) buffer->contents->form = FORM_PAIRS;
}

static ew_status whole_numbers(const dev_buffer *b, uint64_t offset, uint64_t bytes, ew_error *err) {
  if (offset % sizeof(double) == 0 && bytes % sizeof(double) == 0) return EW_OK;
  return ew_fail(err, EW_INTERNAL,
                 "buffer '%s' holds doubles: bytes %" PRIu64 " to %" PRIu64 " are parts of some", b->name,
                 offset, offset + bytes);
}

static ew_status write_pairs(dev_buffer *b, uint64_t offset, uint64_t bytes, const void *source,
                             ew_error *err) {
  ew_status status = EW_OK;
  void *pairs = malloc(bytes + 1);
  if (!pairs) return dev_out_of_memory(err, "a copy of numbers");
  memcpy(pairs, source, bytes);
  EW_CHECK(whole_numbers(b, offset, bytes, err));
  EW_CHECK(to_pairs(b->name, pairs, bytes / sizeof(double), err));
  EW_CHECK(inner_of(b->ctx)->write(b, offset, bytes, pairs, NULL, err));
cleanup:
  free(pairs);
  return status;
}

static ew_status buffer_write(dev_buffer *b, uint64_t offset, uint64_t bytes, const void *source,
                              void **pending, ew_error *err) {
  if (b->contents->form == FORM_PAIRS) return write_pairs(b, offset, bytes, source, err);
  b->contents->form = FORM_HOSTS;
  return inner_of(b->ctx)->write(b, offset, bytes, source, pending, err);
}

static ew_status buffer_read(const dev_buffer *b, uint64_t offset, uint64_t bytes, void *target,
                             void **pending, ew_error *err) {
  ew_status status = EW_OK;
  if (b->contents->form != FORM_PAIRS) return inner_of(b->ctx)->read(b, offset, bytes, target, pending, err);
  EW_CHECK(whole_numbers(b, offset, bytes, err));
  EW_CHECK(inner_of(b->ctx)->read(b, offset, bytes, target, NULL, err));
  to_doubles(target, bytes / sizeof(double));
cleanup:
  return status;
}

/* What the host wrote so far becomes pairs. */
static ew_status settle(dev_contents *c, ew_error *err) {
  ew_status status = EW_OK;
  dev_buffer *b = c->buffer;
  void *numbers = NULL;
  if (c->form == FORM_HOSTS && b->bytes) {
    if (!(numbers = malloc(b->bytes))) return dev_out_of_memory(err, "a copy of numbers");
    EW_CHECK(inner_of(b->ctx)->read(b, 0, b->bytes, numbers, NULL, err));
    EW_CHECK(to_pairs(b->name, numbers, b->bytes / sizeof(double), err));
    EW_CHECK(inner_of(b->ctx)->write(b, 0, b->bytes, numbers, NULL, err));
  }
  c->form = FORM_PAIRS;
cleanup:
  free(numbers);
  return status;
}

static ew_status buffer_copy(dev_buffer *target, uint64_t target_offset, const dev_buffer *source,
                             uint64_t source_offset, uint64_t bytes, ew_error *err) {
  ew_status status = EW_OK;
  if (source->contents->form == FORM_PAIRS) EW_CHECK(settle(target->contents, err));
  else if (target->contents->form == FORM_PAIRS) EW_CHECK(settle(source->contents, err));
  else target->contents->form = FORM_HOSTS;
  EW_CHECK(inner_of(target->ctx)->copy(target, target_offset, source, source_offset, bytes, err));
cleanup:
  return status;
}

static bool is_zero(const unsigned char *pattern, size_t n) {
  while (n && !pattern[n - 1]) n--;
  return n == 0;
}

static ew_status buffer_fill(dev_buffer *b, uint64_t offset, uint64_t bytes, const void *pattern, size_t n,
                             ew_error *err) {
  ew_status status = EW_OK;
  unsigned char pairs[16];
  memcpy(pairs, pattern, n);
  if (b->contents->form == FORM_PAIRS && !is_zero(pairs, n)) {
    EW_CHECK(whole_numbers(b, offset, n, err));
    EW_CHECK(to_pairs(b->name, pairs, n / sizeof(double), err));
  }
  if (b->contents->form == FORM_ZEROS) b->contents->form = FORM_HOSTS;
  EW_CHECK(inner_of(b->ctx)->fill(b, offset, bytes, pairs, n, err));
cleanup:
  return status;
}

/* ---- Programs ------------------------------------------------------------------------------------------------------------------- */

/* Nothing may be contracted: what a sum or a product lacks is computed from the rounded one. */
static const char beginning[] = "#pragma OPENCL FP_CONTRACT OFF\n";

static ew_status rewrite(dev_program *program, const dev_build_request *request, char **text, char **log,
                         ew_error *err) {
  char message[600];
  dslc_kernels *k = dslc_kernels_double_single(request->source, request->options, message, sizeof message);
  const char *made = k ? dslc_kernels_text(k) : NULL;
  *text = made ? malloc(sizeof beginning + strlen(made)) : NULL;
  if (!*text) {
    if (log) *log = strdup(k ? "out of memory" : message);
    dslc_kernels_destroy(&k);
    return ew_fail(err, EW_DEVICE, "it has no double-single form, and the device has no fp64 (cl_khr_fp64)");
  }
  sprintf(*text, "%s%s", beginning, made);
  program->rewritten = k;
  return EW_OK;
}

static dev_build_request with(const dev_build_request *request, const char *text) {
  dev_build_request r = *request;
  r.source = text;
  r.compiled = NULL;
  return r;
}

static ew_status build(dev_program *program, const dev_build_request *request, dev_blob *binary, char **log,
                       ew_error *err) {
  char *text = NULL;
  ew_status status = rewrite(program, request, &text, log, err);
  if (status != EW_OK) return status;
  const dev_build_request made = with(request, text);
  status = inner_of(program->ctx)->build(program, &made, binary, log, err);
  if (status != EW_OK) dslc_kernels_destroy(&program->rewritten);
  free(text);
  return status;
}

static bool load(dev_program *program, const dev_build_request *request, const dev_blob *binary,
                 const char *path) {
  char *text = NULL;
  if (rewrite(program, request, &text, NULL, NULL) != EW_OK) return false;
  const dev_build_request made = with(request, text);
  const bool good = inner_of(program->ctx)->load(program, &made, binary, path);
  if (!good) dslc_kernels_destroy(&program->rewritten);
  free(text);
  return good;
}

static void program_close(dev_program *program) {
  inner_of(program->ctx)->program_close(program);
  dslc_kernels_destroy(&program->rewritten);
}

/* ---- Kernels ---------------------------------------------------------------------------------------------------------------------- */

static ew_status kernel_open(dev_kernel *k, ew_error *err) {
  k->number = dslc_kernels_find(k->program->rewritten, k->name);
  return inner_of(k->program->ctx)->kernel_open(k, err);
}

static dslc_words words_of(const dev_kernel *k, unsigned position) {
  return k->number < 0 ? DSLC_WORDS_OTHER
                       : dslc_kernels_words(k->program->rewritten, k->number, (int)position);
}

/* A number by value; a buffer of whole numbers that was given for a pointer to doubles. */
static ew_status set_arg(dev_kernel *k, unsigned position, const dev_arg *arg, ew_error *err) {
  ew_status status = EW_OK;
  dev_arg made = *arg;
  const bool doubles = words_of(k, position) == DSLC_WORDS_DOUBLE && arg->kind == DEV_ARG_BUFFER;
  if (arg->kind == DEV_ARG_F64) {
    made.kind = DEV_ARG_I64;
    if (!dslc_double_single(arg->value.f64, &made.value.i64)) return fail_range(k->name, arg->value.f64, err);
  }
  if (doubles && arg->contents->buffer->bytes % sizeof(double) == 0) EW_CHECK(settle(arg->contents, err));
  EW_CHECK(inner_of(k->program->ctx)->set_arg(k, position, &made, err));
cleanup:
  return status;
}

/* Of a kernel that moves whole words: what it reads and writes is alike. */
static ew_status make_alike(const dev_kernel *k, ew_error *err) {
  ew_status status = EW_OK;
  bool pairs = false;
  for (int turn = 0; turn < 2; turn++)
    for (unsigned i = 0; i < k->arg_count; i++) {
      dev_contents *c = k->args[i].kind == DEV_ARG_BUFFER ? k->args[i].contents : NULL;
      if (!c || words_of(k, i) != DSLC_WORDS_LONG) continue;
      if (turn == 0) pairs = pairs || c->form == FORM_PAIRS;
      else if (pairs) EW_CHECK(settle(c, err));
      else c->form = FORM_HOSTS;
    }
cleanup:
  return status;
}

/* The model machine takes the arguments at the launch, as they were set. */
static ew_status launch(dev_kernel *k, const dev_range *range, ew_error *err) {
  ew_status status = make_alike(k, err);
  if (status != EW_OK) return status;
  dev_arg *kept = malloc((k->arg_count + 1) * sizeof *kept);
  if (!kept) return dev_out_of_memory(err, "kernel arguments");
  memcpy(kept, k->args, k->arg_count * sizeof *kept);
  for (unsigned i = 0; i < k->arg_count; i++)
    if (kept[i].kind == DEV_ARG_F64) {
      k->args[i].kind = DEV_ARG_I64;
      dslc_double_single(kept[i].value.f64, &k->args[i].value.i64);
    }
  status = inner_of(k->program->ctx)->launch(k, range, err);
  memcpy(k->args, kept, k->arg_count * sizeof *kept);
  free(kept);
  return status;
}

/* ---- The context -------------------------------------------------------------------------------------------------------------------- */

static void close_context(dev_context *ctx) {
  inner_of(ctx)->close(ctx);
  free(ctx->double_single);
}

/* Binaries of the two kinds lie in one cache. */
static ew_status mark_target(dev_context *ctx, ew_error *err) {
  const char *old = ctx->target ? ctx->target : "";
  char *made = malloc(strlen(old) + sizeof " double-single " + strlen(dslc_version()));
  if (!made) return dev_out_of_memory(err, "a device context");
  sprintf(made, "%s double-single %s", old, dslc_version());
  free(ctx->target);
  ctx->target = made;
  return EW_OK;
}

ew_status double_single_open(dev_context *ctx, ew_error *err) {
  ew_status status = mark_target(ctx, err);
  dev_double_single *d = status == EW_OK ? calloc(1, sizeof *d) : NULL;
  if (!d) return status == EW_OK ? dev_out_of_memory(err, "a device context") : status;
  d->inner = ctx->backend;
  d->outer = *ctx->backend;
  d->outer.close = close_context;
  d->outer.buffer_open = buffer_open;
  d->outer.buffer_close = buffer_close;
  d->outer.buffer_part = NULL;
  d->outer.write = buffer_write;
  d->outer.read = buffer_read;
  d->outer.map = NULL;
  d->outer.copy = buffer_copy;
  d->outer.fill = buffer_fill;
  d->outer.build = build;
  d->outer.load = load;
  d->outer.program_close = program_close;
  d->outer.kernel_open = kernel_open;
  d->outer.set_arg = set_arg;
  d->outer.launch = launch;
  ctx->double_single = d;
  ctx->backend = &d->outer;
  return EW_OK;
}
