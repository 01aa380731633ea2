/* What the lowerings share. */
#include "lower/lower.h"

#include <stdarg.h>
#include <string.h>

const lower_step *lower_steps(int *n) {
  static const lower_step steps[] = {{"idle_ghosts", lower_idle_ghosts},
                                     {"neighbours", lower_neighbours},
                                     {"integrators", lower_integrators},
                                     {"timed", lower_timed},
                                     {"constraints", lower_constraints},
                                     {"systems", lower_systems},
                                     {"seam_centres", lower_seam_centres},
                                     {"own_centres", lower_own_centres},
                                     {"seen_starts", lower_seen_starts},
                                     {"step_starts", lower_step_starts},
                                     {"row_starts", lower_row_starts},
                                     {"sources", lower_sources},
                                     {"invariants", lower_invariants},
                                     {"reciprocals", lower_reciprocals},
                                     {"sums", lower_sums},
                                     {"residuals", lower_residuals}};
  *n = (int)(sizeof steps / sizeof *steps);
  return steps;
}

void lower_note(lowering *l, const char *fmt, ...) {
  va_list ap;
  va_start(ap, fmt);
  const char *text = arena_vprintf(l->m->memory, fmt, ap);
  va_end(ap);
  vec_push(l->m->memory, &l->note, (dslc_note){.text = text});
}

bool lower_has_rule(const lowering *l, ir_sym sym, ir_rule_kind kind) {
  return ir_used_rule_says(l->m, l->rule_used, sym, kind);
}

name lower_fresh_name(ir_module *m, const char *text) {
  name wanted = intern_str(m->names, text);
  for (int n = 2; ir_symbol_find(m, wanted); n++)
    wanted = intern_str(m->names, arena_printf(m->memory, "%s%d", text, n));
  return wanted;
}

int lower_count(const ir_module *m) {
  int n = 0;
  for (int s = 1; s < m->symbol.n; s++) n += ir_role_is_stored(m->symbol.at[s].purpose.role);
  return n;
}

ir_sym lower_time(const ir_module *m) {
  ir_sym time = 0;
  for (int s = 1; s < m->symbol.n; s++)
    if (m->symbol.at[s].kind == IR_TIME && m->symbol.at[s].purpose.role == IR_AS_WRITTEN) time = (ir_sym)s;
  return time;
}

ir_sym lower_stage_time(const ir_module *m) {
  for (int s = 1; s < m->symbol.n; s++)
    if (m->symbol.at[s].purpose.role == IR_STAGE_TIME) return (ir_sym)s;
  return 0;
}

void lower_need_stage_time(ir_module *m) {
  if (lower_stage_time(m)) return;
  ir_symbol s = {.text = intern_str(m->names, "stage"),
                 .kind = IR_TIME,
                 .type = ir_scalar(),
                 .purpose.role = IR_STAGE_TIME,
                 .purpose.of = lower_time(m)};
  ir_symbol_add(m, s);
}

bool ir_is_constrained(const ir_module *m, ir_sym target, bool values_only) {
  for (int i = 0; i < m->constraint.n; i++) {
    const ir_constraint *c = &m->constraint.at[i];
    if (c->target == target && !(values_only && (c->projection || c->add))) return true;
  }
  return false;
}

bool ir_is_projected(const ir_module *m, ir_sym target) {
  for (int i = 0; i < m->constraint.n; i++)
    if (m->constraint.at[i].target == target && m->constraint.at[i].projection) return true;
  return false;
}

/* `outlet`, or `outlet/x`: what it is across x. */
static bool names_rule(const char *text, const ir_rule *r) {
  size_t n = strlen(r->text);
  if (strncmp(text, r->text, n) != 0) return false;
  return !text[n] || (text[n] == '/' && (!r->axis || text[n + 1] == r->axis));
}

const bool *lower_rules_used(const ir_module *m, const dslc_options *o) {
  bool *used = arena_array(m->memory, bool, m->rule.n + 1);
  for (int r = 1; r < m->rule.n; r++) {
    used[r] = o->n_rules < 0;
    for (int i = 0; i < o->n_rules; i++) used[r] = used[r] || names_rule(o->rule[i], &m->rule.at[r]);
  }
  return used;
}
