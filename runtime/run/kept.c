/* Which buffers a checkpoint holds: states; and of what a step makes that which is read behind it, where something that is shown looks back to
 * its start (`X.prev`). The next step makes the latter anew. All other work buffers are computed where they are asked for, geometry and
 * givens come from the mesh and the case. */
#include <stdlib.h>
#include <string.h>

#include "run/internal.h"

/* By buffer, within a section: what its operations so far have written, and what they read that they had not. */
typedef struct section_use {
  bool *written, *asked;
} section_use;

static void use_launch(const dslc_program *p, const dslc_op *op, section_use *u) {
  const dslc_kernel *k = &p->execution.kernel[op->kernel];
  for (int pass = 0; pass < 2; pass++) /* a kernel reads what was there before it */
    for (int a = 0; a < k->n_args; a++) {
      const dslc_arg *arg = &k->arg[a];
      if (arg->kind != DSLC_ARG_BUFFER || arg->number < 0 || arg->number >= op->n_buffers) continue;
      const int b = op->buffer[arg->number];
      if (pass == 0) u->asked[b] |= !u->written[b] && (arg->reads > 0 || arg->writes == 0);
      else u->written[b] |= arg->writes > 0;
    }
}

static void use_section(const dslc_program *p, const dslc_section *s, section_use *u) {
  for (int i = 0; i < s->n_ops; i++) {
    const dslc_op *op = &s->op[i];
    if (op->kind == DSLC_OP_LAUNCH) use_launch(p, op, u);
    if (op->kind == DSLC_OP_COPY || op->kind == DSLC_OP_GHOSTS) u->asked[op->a] |= !u->written[op->a];
    if (op->kind == DSLC_OP_COPY || op->kind == DSLC_OP_SWAP) u->written[op->b] = true;
    if (op->kind == DSLC_OP_SWAP) u->written[op->a] = true;
  }
}

static bool use_begin(section_use *u, int n) {
  u->written = calloc((size_t)n + 1, sizeof *u->written);
  u->asked = calloc((size_t)n + 1, sizeof *u->asked);
  return u->written && u->asked;
}

static void use_end(section_use *u) {
  free(u->written);
  free(u->asked);
}

static void keep_what_is_shown(const dslc_program *p, section_use *step, section_use *show, bool *kept) {
  const int n = p->execution.n_buffers;
  if (p->execution.n_sections > DSLC_SECTION_STEP)
    use_section(p, &p->execution.section[DSLC_SECTION_STEP], step);
  for (int s = DSLC_SECTION_STEP + 1; s < p->execution.n_sections; s++) {
    memset(show->written, 0, (size_t)n * sizeof *show->written);
    memset(show->asked, 0, (size_t)n * sizeof *show->asked);
    use_section(p, &p->execution.section[s], show);
    for (int b = 0; b < n; b++)
      kept[b] |= show->asked[b] && step->written[b] && p->execution.buffer[b].kind == DSLC_BUFFER_WORK;
  }
}

bool *exec_kept(const dslc_program *p) {
  const int n = p->execution.n_buffers;
  section_use step = {0}, show = {0};
  bool *kept = calloc((size_t)n + 1, sizeof *kept);
  const bool begun = use_begin(&step, n) && use_begin(&show, n);
  for (int b = 0; kept && b < n; b++) kept[b] = p->execution.buffer[b].kind == DSLC_BUFFER_STATE;
  if (kept && begun) keep_what_is_shown(p, &step, &show, kept);
  else free(kept), kept = NULL;
  use_end(&step);
  use_end(&show);
  return kept;
}
