/* What certainly is a slip, and can be seen in the text: names that nobody uses, states that nothing changes, conditions that nothing can make
 * true. Warnings: each is a scheme that runs. */
#include <string.h>

#include "sema/internal.h"

/* ---- names ------------------------------------------------------------------------------------------------------------ */

static bool assigns(const ir_stmt *list, int n, ir_sym state) {
  for (int i = 0; i < n; i++) {
    if (list[i].kind == IR_SOLVE && list[i].unknown == state) return true;
    for (int k = 0; k < list[i].assign.n; k++)
      if (list[i].assign.at[k].target == state) return true;
    if (assigns(list[i].body.at, list[i].body.n, state)) return true;
  }
  return false;
}

static bool is_fixed(const ir_module *m, ir_sym state) {
  for (int r = 1; r < m->rule.n; r++)
    for (int i = 0; i < m->rule.at[r].entry.n; i++)
      if (m->rule.at[r].entry.at[i].kind == IR_FIX && m->rule.at[r].entry.at[i].target == state) return true;
  return false;
}

/* A tuple stands for its members. */
static bool changes(const ir_module *m, ir_sym state) {
  const ir_symbol *q = ir_symbol_get(m, state);
  for (int i = 0; i < q->tuple.n_parts; i++)
    if (changes(m, q->tuple.part[i])) return true;
  return assigns(m->step.at, m->step.n, state) || is_fixed(m, state);
}

static void warn_of_name(sema *s, const entity *e) {
  const bool operator_ = e->kind == ENTITY_EQUATION && e->decl && e->decl->head.n_params > 0;
  const bool callable = e->kind == ENTITY_FUNCTION || operator_;
  const bool worth =
      callable || e->kind == ENTITY_PARAMETER || e->kind == ENTITY_GIVEN || e->kind == ENTITY_VARIANT;
  if (e->kind == ENTITY_STATE && e->sym && !changes(s->module, e->sym)) {
    diag *d = complain(s, DIAG_UNUSED, e->at, "nothing in the step assigns `%s`: it keeps its start values",
                       e->text);
    diag_with_hint(s->sink, d, "an update of it is missing, or it is a `given`");
  }
  if (!worth || e->used) return;
  diag *d = complain(s, DIAG_UNUSED, e->at, "`%s` is declared but never used", e->text);
  if (callable)
    diag_with_hint(s->sink, d, "%s is checked where it is called: this one was not",
                   operator_ ? "an operator" : "a function");
}

/* ---- arguments of rules --------------------------------------------------------------------------------------------------- */

static bool is_argument_of_node(const ir_module *m, ir_id id) {
  for (ir_id i = 1; i < (ir_id)m->node.n; i++) {
    const ir_node *n = ir_get(m, i);
    for (int k = 0; k < n->n_args; k++)
      if (ir_args(m, n)[k] == id) return true;
  }
  return false;
}

static bool is_read(const ir_module *m, ir_id id) {
  for (int r = 1; r < m->rule.n; r++)
    for (int i = 0; i < m->rule.at[r].entry.n; i++)
      if (m->rule.at[r].entry.at[i].root == id) return true;
  return is_argument_of_node(m, id);
}

static void warn_of_arguments(sema *s, uint32_t file) {
  for (int i = 0; i < s->arguments.n; i++) {
    const entity *e = s->arguments.at[i];
    if (e->at.file != file || is_read(s->module, ir_param(s->module, e->sym))) continue;
    diag *d = complain(s, DIAG_UNUSED, e->at, "nothing in rule `%s` reads its argument `%s`", e->decl->text,
                       e->text);
    const bool given = ir_symbol_get(s->module, e->sym)->root[0] == 0; /* by each case: it has no default */
    diag_with_hint(s->sink, d, "%s that uses the rule %s give it, and it does nothing",
                   given ? "each case" : "a case", given ? "has to" : "may");
  }
}

/* ---- conditions ------------------------------------------------------------------------------------------------------------- */

static void warn_of_conditions(sema *s, const ir_stmt *list, int n, uint32_t file) {
  for (int i = 0; i < n; i++) {
    const ir_stmt *st = &list[i];
    warn_of_conditions(s, st->body.at, st->body.n, file);
    if (st->kind != IR_REPEAT || st->at.file != file) continue;
    bool *assigned = arena_array(s->memory, bool, s->module->symbol.n);
    for (ir_sym q = 1; q < (ir_sym)s->module->symbol.n; q++)
      assigned[q] = assigns(st->body.at, st->body.n, q);
    if (ir_depends_on(s->module, st->until, assigned)) continue;
    diag *d = complain(s, DIAG_CONDITION_STAYS, st->at,
                       "nothing that is repeated changes what the condition looks at");
    diag_with_hint(
        s->sink, d,
        "it holds behind the first pass, or never: name what the pass assigns, as in  abs(p - p.old)");
  }
}

/* ---- all ---------------------------------------------------------------------------------------------------------------------- */

/* With variants some names are meant for other choices than the present ones: then nothing is said of them. */
void warn_unused(sema *s, const ast_file *file) {
  warn_of_conditions(s, s->module->step.at, s->module->step.n, file->file);
  for (int i = 0; i < file->scheme->n_decls; i++)
    if (file->scheme->decls[i]->kind == AST_VARIANT) return;
  for (int i = 0; i < name_map_size(s->table.entities); i++) {
    const entity *e = name_map_value(s->table.entities, i);
    if (e->at.file == file->file) warn_of_name(s, e); /* what another file declares is for others too */
  }
  warn_of_arguments(s, file->file);
}
