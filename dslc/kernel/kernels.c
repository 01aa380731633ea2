/* Programs as the public header has them. Memory that runs out inside an arena ends the call that asked for it. */
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dslc.h"
#include "double_single_cl.h"
#include "kernel/agree.h"
#include "kernel/double_single.h"
#include "kernel/join.h"
#include "kernel/kernels.h"
#include "kernel/resolve.h"

struct dslc_kernels {
  arena *arena;
  kir_program *program;
  int n;
  const kir_function **kernel;
  kir_code **code;
  jmp_buf *recovery;
};

static void out_of_memory(void *ctx, size_t size) {
  dslc_kernels *p = ctx;
  (void)size;
  longjmp(*p->recovery, 1);
}

static void list_kernels(dslc_kernels *k) {
  const kir_program *p = k->program;
  k->kernel = arena_array(k->arena, const kir_function *, p->functions.n + 1);
  k->code = arena_array(k->arena, kir_code *, p->functions.n + 1);
  for (int i = 0; i < p->functions.n; i++)
    if (p->functions.at[i]->is_kernel) k->kernel[k->n++] = p->functions.at[i];
}

/* What kernels are made of: of what was built, or of a text. */
typedef struct origin {
  const kir_unit *unit; /* or NULL */
  const char *text, *options;
  bool double_single;
} origin;

/* Behind the functions that take the place of the operations of doubles. */
static kir_program *read_double_single(dslc_kernels *k, const origin *from, kir_message *found) {
  const char *text = arena_printf(k->arena, "%s\n%s", double_single_cl, from->text);
  kir_program *p = kir_parse(k->arena, text, from->options, found);
  return p && kir_make_double_single(p, found) ? p : NULL;
}

static bool read(dslc_kernels *k, const origin *from, char *message, size_t size) {
  kir_message found = {0};
  if (from->double_single) k->program = read_double_single(k, from, &found);
  else if (from->unit) k->program = kir_resolve(k->arena, from->unit, from->options, &found);
  else k->program = kir_parse(k->arena, from->text, from->options, &found);
  if (k->program) list_kernels(k);
  else snprintf(message, size, "line %d: %s", found.line, found.text);
  return k->program != NULL;
}

static dslc_kernels *make(const origin *from, char *message, size_t size) {
  jmp_buf recovery;
  dslc_kernels *volatile k = calloc(1, sizeof *k);
  snprintf(message, size, "out of memory");
  if (!k) return NULL;
  k->recovery = &recovery;
  if (setjmp(recovery) == 0) {
    k->arena = arena_create(out_of_memory, k);
    if (k->arena && read(k, from, message, size)) {
      k->recovery = NULL;
      return k;
    }
  }
  dslc_kernels *failed = k;
  dslc_kernels_destroy(&failed);
  return NULL;
}

dslc_kernels *dslc_kernels_parse(const char *text, const char *options, char *message, size_t size) {
  return make(&(origin){.text = text, .options = options}, message, size);
}

dslc_kernels *dslc_kernels_of(const struct dslc_program *program, const char *options, char *message,
                              size_t size) {
  const origin from = {
      .unit = program->execution.unit, .text = program->execution.source, .options = options};
  return make(&from, message, size);
}

dslc_kernels *dslc_kernels_double_single(const char *text, const char *options, char *message, size_t size) {
  return make(&(origin){.text = text, .options = options, .double_single = true}, message, size);
}

dslc_words dslc_kernels_words(const dslc_kernels *program, int kernel, int position) {
  const kir_function *f = program->kernel[kernel];
  return position < f->parameters.n ? (dslc_words)f->parameters.at[position]->words : DSLC_WORDS_OTHER;
}

void dslc_kernels_destroy(dslc_kernels **program) {
  if (!program || !*program) return;
  if ((*program)->arena) arena_destroy(&(*program)->arena);
  free(*program);
  *program = NULL;
}

int dslc_kernels_count(const dslc_kernels *program) { return program->n; }
const char *dslc_kernels_name(const dslc_kernels *program, int kernel) {
  return program->kernel[kernel]->name;
}
const kir_code *kir_code_of(const dslc_kernels *program, int kernel) {
  return kernel >= 0 && kernel < program->n ? program->code[kernel] : NULL;
}

int dslc_kernels_find(const dslc_kernels *program, const char *name) {
  for (int i = 0; i < program->n; i++)
    if (strcmp(program->kernel[i]->name, name) == 0) return i;
  return -1;
}

const char *dslc_kernels_text(dslc_kernels *program) {
  jmp_buf recovery;
  const char *text = NULL;
  program->recovery = &recovery;
  if (setjmp(recovery) == 0) text = kir_print(program->program);
  program->recovery = NULL;
  return text;
}

bool dslc_kernels_can_join(const dslc_kernels *program, int kernel, int *group) {
  return kir_can_join((kir_function *)program->kernel[kernel], group);
}

uint64_t dslc_kernels_join_local(const dslc_kernels *program, const int *kernel, int n) {
  const kir_function *of[DSLC_JOIN_MOST];
  for (int i = 0; i < n; i++) of[i] = program->kernel[kernel[i]];
  return (uint64_t)kir_join_local(of, n);
}

const char *dslc_kernels_join(dslc_kernels *program, const dslc_join *joins, int n) {
  jmp_buf recovery;
  const char *text = NULL;
  program->recovery = &recovery;
  if (setjmp(recovery) == 0) text = kir_join(program->program, joins, n);
  program->recovery = NULL;
  return text;
}

int dslc_kernels_verify(dslc_kernels *program, char *messages, size_t size) {
  enum { most = 20 };
  kir_message found[most];
  const int n = kir_verify(program->program, found, most);
  size_t used = 0;
  if (size) messages[0] = '\0';
  for (int i = 0; i < n && i < most && used < size; i++)
    used += (size_t)snprintf(messages + used, size - used, "line %d: %s\n", found[i].line, found[i].text);
  return n;
}

int dslc_kernels_agree(dslc_kernels *program, const struct dslc_program *with, char *messages, size_t size) {
  jmp_buf recovery;
  volatile int n = -1;
  snprintf(messages, size, "out of memory");
  program->recovery = &recovery;
  if (setjmp(recovery) == 0) n = kir_agrees(program->program, with, messages, size);
  program->recovery = NULL;
  return n;
}

static bool lower(dslc_kernels *p, int kernel, char *message, size_t size) {
  kir_message found = {0};
  if (!p->code[kernel]) p->code[kernel] = kir_lower(p->program, p->kernel[kernel], &found);
  if (!p->code[kernel]) snprintf(message, size, "line %d: %s", found.line, found.text);
  return p->code[kernel] != NULL;
}

bool dslc_kernels_open(dslc_kernels *program, int kernel, dslc_kernel_info *info, char *message,
                       size_t size) {
  jmp_buf recovery;
  volatile bool good = false;
  snprintf(message, size, "out of memory");
  program->recovery = &recovery;
  if (setjmp(recovery) == 0) good = lower(program, kernel, message, size);
  program->recovery = NULL;
  if (!good) return false;
  const kir_code *c = program->code[kernel];
  *info = (dslc_kernel_info){.n_parameters = c->kernel->parameters.n,
                             .local_bytes = (uint64_t)c->local_bytes,
                             .private_bytes = 8 * (uint64_t)c->n_slots};
  for (int d = 0; d < 3; d++) info->group[d] = (size_t)c->kernel->group[d];
  return true;
}
