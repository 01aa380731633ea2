#include "device/backend.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "device/cache.h"
#include "dslc.h"

bool dev_program_from_cache(const dev_program *program) { return program->from_cache; }

const char *dev_build_log(const dev_context *ctx) { return ctx->build_log ? ctx->build_log : ""; }

const char *dev_build_source_path(const dev_context *ctx) {
  return ctx->build_source_path ? ctx->build_source_path : "";
}

/* Writes the source where a person can look at it; "" in the context if no file could be written. */
static void dump_source(dev_context *ctx, const char *source) {
  const char *dir = getenv("TMPDIR"), *suffix = ctx->info.language == DEV_OPENCL_C ? ".cl" : ".c";
  char path[PATH_MAX];
  if (!dir || !*dir) dir = "/tmp";
  if ((size_t)snprintf(path, sizeof path, "%s/edgewise-failed-XXXXXX%s", dir, suffix) >= sizeof path) return;
  int fd = mkstemps(path, (int)strlen(suffix));
  if (fd < 0) return;
  FILE *file = fdopen(fd, "w");
  if (!file) {
    close(fd);
    return;
  }
  bool good = fputs(source, file) >= 0;
  good = fclose(file) == 0 && good;
  if (good) ctx->build_source_path = strdup(path);
}

static ew_status fail_build(dev_context *ctx, const dev_build_request *request, ew_error *err) {
  ew_error inner = *err;
  if (ctx->info.language == DEV_REFERENCE)
    return inner.status; /* of any program: there is nothing to look at */
  dump_source(ctx, request->source);
  const char *path = dev_build_source_path(ctx);
  return ew_fail(
      err, inner.status,
      "program '%s' does not build on %s (%s).\n%.500s\nsource: %s\noptions: %.600s\nlog:\n%.2000s",
      request->name, ctx->info.name, ctx->info.platform, inner.text, *path ? path : "(not written)",
      *request->options ? request->options : "(none)", dev_build_log(ctx));
}

static ew_status build_and_store(dev_program *program, const dev_build_request *request,
                                 const dev_cache_key *key, ew_error *err) {
  dev_context *ctx = program->ctx;
  dev_blob binary = {0};
  ew_status status = ctx->backend->build(program, request, &binary, &ctx->build_log, err);
  if (status == EW_OK) {
    cache_store(key, &binary);
    ctx->stats.programs_built++;
  } else {
    status = fail_build(ctx, request, err);
  }
  free(binary.data);
  return status;
}

static bool load_cached(dev_program *program, const dev_build_request *request, const dev_cache_key *key) {
  char path[PATH_MAX];
  dev_blob binary = {0};
  if (!cache_load(key, &binary, path, sizeof path)) return false;
  program->from_cache = program->ctx->backend->load(program, request, &binary, path);
  free(binary.data);
  if (program->from_cache) program->ctx->stats.programs_cached++;
  return program->from_cache;
}

static void forget_last_build(dev_context *ctx) {
  free(ctx->build_log);
  free(ctx->build_source_path);
  ctx->build_log = ctx->build_source_path = NULL;
}

static ew_status create(dev_context *ctx, dev_build_request request, dev_program **out, ew_error *err) {
  ew_error scratch = {EW_OK, ""};
  uint64_t start = dev_now_ns();
  if (!request.options) request.options = "";
  request.target = ctx->target ? ctx->target : "";
  dev_program *program = calloc(1, sizeof *program);
  if (!program) return dev_out_of_memory(err, "a program");
  program->ctx = ctx;
  program->references = 1;
  snprintf(program->name, sizeof program->name, "%s", request.name);
  forget_last_build(ctx);
  dev_cache_key key = cache_key(&ctx->info, &request);
  ew_status status = EW_OK;
  if (!load_cached(program, &request, &key))
    status = build_and_store(program, &request, &key, err ? err : &scratch);
  ctx->stats.build_ns += dev_now_ns() - start;
  if (status != EW_OK) return free(program), status;
  *out = program;
  return EW_OK;
}

ew_status dev_program_create(dev_context *ctx, const char *name, const char *source, const char *options,
                             dev_program **out, ew_error *err) {
  const dev_build_request request = {.name = name, .source = source, .options = options};
  return create(ctx, request, out, err);
}

ew_status dev_program_compile(dev_context *ctx, const dslc_program *compiled, const char *options,
                              dev_program **out, ew_error *err) {
  const dev_build_request request = {.name = compiled->identity.scheme,
                                     .source = compiled->execution.source,
                                     .options = options,
                                     .compiled = compiled};
  return create(ctx, request, out, err);
}

void dev_program_destroy(dev_program **program) {
  if (!program || !*program) return;
  dev_program *p = *program;
  *program = NULL;
  if (--p->references) return;
  p->ctx->backend->program_close(p);
  free(p);
}
