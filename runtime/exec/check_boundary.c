/* Boundary rules: names of the mesh and of the case must cover each other, rules and arguments must exist. */
#include <stdlib.h>
#include <string.h>

#include "exec/problems.h"
#include "exec/run.h"

/* ---- rules and arguments ------------------------------------------------------------------------------------------------- */

static const dslc_rule *find_rule(const dslc_program *p, const char *name) {
  for (int r = 0; r < p->n_rules; r++)
    if (strcmp(p->rule[r].name, name) == 0) return &p->rule[r];
  return NULL;
}

static const case_value *find_value(const case_boundary *b, const char *name) {
  for (int i = 0; i < b->n_arguments; i++)
    if (strcmp(b->argument[i].name, name) == 0) return &b->argument[i];
  return NULL;
}

static void unknown_rule(exec_checker *k, const case_boundary *b) {
  char hint[512];
  exec_names names = {0};
  for (int r = 0; r < k->program->n_rules; r++) exec_names_add(&names, k->program->rule[r].name);
  exec_complain(k, b->at, "scheme '%s' has no boundary rule '%s'%s", k->program->scheme, b->rule,
                exec_suggest(&names, b->rule, hint, sizeof hint));
  exec_names_clear(&names);
}

static void unknown_argument(exec_checker *k, const dslc_rule *rule, const case_value *v) {
  char hint[512];
  exec_names names = {0};
  for (int a = 0; a < rule->n_arguments; a++) exec_names_add(&names, rule->argument[a].name);
  if (names.n == 0)
    exec_complain(k, v->at, "boundary rule '%s' takes no arguments: '%s' is given", rule->name, v->name);
  else
    exec_complain(k, v->at, "boundary rule '%s' has no argument '%s'%s", rule->name, v->name,
                  exec_suggest(&names, v->name, hint, sizeof hint));
  exec_names_clear(&names);
}

static void check_argument(exec_checker *k, const dslc_rule *rule, const dslc_argument *a,
                           const case_value *v) {
  bool timed = v->kind == CASE_SERIES || (v->kind == CASE_FUNCTION && v->over_time);
  if (v->kind == CASE_RASTER)
    exec_complain(k, v->at, "argument '%s' of rule '%s' cannot come from a raster", v->name, rule->name);
  else if (v->kind != CASE_FUNCTION && v->n != a->components)
    exec_complain(k, v->at, "argument '%s' of rule '%s' has %d component%s here, the scheme expects %d",
                  v->name, rule->name, v->n, v->n == 1 ? "" : "s", a->components);
  if (timed && !a->over_time)
    exec_complain(
        k, v->at,
        "argument '%s' of rule '%s' depends on time here, but is not declared `over time` in the scheme",
        v->name, rule->name);
}

static void check_arguments(exec_checker *k, const dslc_rule *rule, const case_boundary *b) {
  for (int a = 0; a < rule->n_arguments; a++) {
    const case_value *v = find_value(b, rule->argument[a].name);
    if (v) check_argument(k, rule, &rule->argument[a], v);
    else if (!rule->argument[a].formula)
      exec_complain(k, b->at, "rule '%s' needs its argument '%s'%s%s%s here", rule->name,
                    rule->argument[a].name, rule->argument[a].unit ? " [" : "",
                    rule->argument[a].unit ? rule->argument[a].unit : "", rule->argument[a].unit ? "]" : "");
  }
  for (int i = 0; i < b->n_arguments; i++) {
    bool known = false;
    for (int a = 0; a < rule->n_arguments; a++)
      known |= strcmp(rule->argument[a].name, b->argument[i].name) == 0;
    if (!known) unknown_argument(k, rule, &b->argument[i]);
    else if (find_value(b, b->argument[i].name) != &b->argument[i])
      exec_complain(k, b->argument[i].at, "argument '%s' is given twice", b->argument[i].name);
  }
}

/* ---- names: the mesh's and the case's ---------------------------------------------------------------------------------------- */

/* The entry that names a boundary; -1: none. `times`: how often it is named. */
static int entry_of(const ew_case *c, const char *name, int *times) {
  int found = -1;
  *times = 0;
  for (int b = 0; b < c->n_boundaries; b++)
    for (int i = 0; i < c->boundary[b].n_names; i++) {
      if (strcmp(c->boundary[b].name[i], name) != 0) continue;
      if (found < 0) found = b;
      ++*times;
    }
  return found;
}

static bool needs_rule(const mesh_patch *p) { return !p->periodic && p->count > 0; }

static bool names_match(const ew_case *c, const mesh *m) {
  int times;
  for (int p = 0; p < m->n_patches; p++) {
    int b = entry_of(c, m->patch[p].name, &times);
    if ((b < 0 && needs_rule(&m->patch[p])) || (b >= 0 && m->patch[p].periodic) || times > 1) return false;
  }
  for (int b = 0; b < c->n_boundaries; b++)
    for (int i = 0; i < c->boundary[b].n_names; i++)
      if (mesh_find_patch(m, c->boundary[b].name[i]) < 0) return false;
  return true;
}

static void mesh_row(FILE *out, const ew_case *c, const mesh_patch *p) {
  char left[128], right[128] = "-";
  int times, b = entry_of(c, p->name, &times);
  snprintf(left, sizeof left, "%s (%d faces%s)", p->name, p->count, p->periodic ? ", periodic" : "");
  if (b >= 0) snprintf(right, sizeof right, "%s -> %s", p->name, c->boundary[b].rule);
  const char *note = times > 1                ? "named more than once"
                     : b >= 0 && p->periodic  ? "periodic: takes no rule"
                     : b < 0 && needs_rule(p) ? "has no rule"
                                              : "";
  if (*note) fprintf(out, "\n  %-34s %-34s %s", left, right, note);
  else fprintf(out, "\n  %-34s %s", left, right);
}

static void case_row(FILE *out, const exec_names *patches, const case_boundary *b, const char *name) {
  char right[128], hint[512];
  snprintf(right, sizeof right, "%s -> %s", name, b->rule);
  const char *near = exec_suggest(patches, name, hint, sizeof hint);
  fprintf(out, "\n  %-34s %-34s not in the mesh%s", "-", right, strstr(near, "did you mean") ? near : "");
}

static void print_table(exec_checker *k, FILE *out) {
  exec_names patches = {0};
  for (int p = 0; p < k->m->n_patches; p++) exec_names_add(&patches, k->m->patch[p].name);
  fprintf(out, "boundary names of mesh and case do not match:\n  %-34s %s", "in the mesh", "in the case");
  for (int p = 0; p < k->m->n_patches; p++) mesh_row(out, k->c, &k->m->patch[p]);
  for (int b = 0; b < k->c->n_boundaries; b++)
    for (int i = 0; i < k->c->boundary[b].n_names; i++)
      if (mesh_find_patch(k->m, k->c->boundary[b].name[i]) < 0)
        case_row(out, &patches, &k->c->boundary[b], k->c->boundary[b].name[i]);
  exec_names_clear(&patches);
}

static void complain_names(exec_checker *k) {
  char *text = NULL;
  size_t size = 0;
  FILE *out = open_memstream(&text, &size);
  case_where at = k->c->n_boundaries ? k->c->boundary[0].at : (case_where){k->c->file, 0};
  if (out) {
    print_table(k, out);
    fclose(out);
  }
  exec_complain(k, at, "%s", text ? text : "boundary names of mesh and case do not match");
  free(text);
}

void exec_check_boundaries(exec_checker *k) {
  for (int b = 0; k->program && b < k->c->n_boundaries; b++) {
    const dslc_rule *rule = find_rule(k->program, k->c->boundary[b].rule);
    if (rule) check_arguments(k, rule, &k->c->boundary[b]);
    else unknown_rule(k, &k->c->boundary[b]);
  }
  if (k->m && !names_match(k->c, k->m)) complain_names(k);
}
