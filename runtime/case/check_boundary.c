/* Boundary rules: names of the mesh and of the case must cover each other, rules and arguments must exist. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory_text.h"
#include "fields/on_grid.h"
#include "case/problems.h"
#include "case/sample.h"
#include "mesh/build.h"

/* ---- rules and arguments ------------------------------------------------------------------------------------------------- */

/* The next rule of that name behind `after` (NULL: the first): a grid's rule may have a version for each axis. */
static const dslc_rule *next_rule(const dslc_program *p, const char *name, const dslc_rule *after) {
  for (const dslc_rule *r = after ? after + 1 : p->model.rule; r < p->model.rule + p->model.n_rules; r++)
    if (strcmp(r->name, name) == 0) return r;
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
  for (int r = 0; r < k->program->model.n_rules; r++) {
    const dslc_rule *rule = &k->program->model.rule[r];
    if (next_rule(k->program, rule->name, NULL) == rule) exec_names_add(&names, rule->name);
  }
  exec_complain(k, b->at, "scheme '%s' has no boundary rule '%s'%s", k->program->identity.scheme, b->rule,
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

static void out_of_bounds(exec_checker *k, const case_boundary *b, const dslc_argument *a,
                          const case_value *v, double value, const char *when) {
  exec_complain(k, v->at, "'%s' is %.6g%s: rule '%s' on \"%s\" needs %s %s", v->name, value, when, b->rule,
                b->n_names ? b->name[0] : "", a->name, a->bounds);
}

/* Numbers, and all entries of a series: functions are asked where and when they are needed. */
static void check_bounds(exec_checker *k, const case_boundary *b, const dslc_argument *a,
                         const case_value *v) {
  char when[64];
  if (!a->bounds || v->n != 1) return;
  if (v->kind == CASE_NUMBERS && !dslc_within(a->bounds, v->number[0]))
    out_of_bounds(k, b, a, v, v->number[0], "");
  for (int i = 0; v->kind == CASE_SERIES && i < v->n_times; i++) {
    if (dslc_within(a->bounds, v->series[i])) continue;
    snprintf(when, sizeof when, " at t = %.6g s", v->time[i]);
    out_of_bounds(k, b, a, v, v->series[i], when);
    return;
  }
}

static void check_argument(exec_checker *k, const dslc_rule *rule, const dslc_argument *a,
                           const case_value *v) {
  char what[160];
  snprintf(what, sizeof what, "rule '%s':", rule->name);
  exec_check_source(k, what, v);
  if (exec_value_components(v, a->components) != a->components)
    exec_complain(k, v->at, "argument '%s' of rule '%s' has %d component%s here, the scheme expects %d",
                  v->name, rule->name, v->n, v->n == 1 ? "" : "s", a->components);
  if (case_value_changes(v) && !a->over_time)
    exec_complain(
        k, v->at,
        "argument '%s' of rule '%s' depends on time here, but is not declared `over time` in the scheme",
        v->name, rule->name);
}

static bool has_argument(const dslc_rule *rule, const char *name) {
  for (int a = 0; a < rule->n_arguments; a++)
    if (strcmp(rule->argument[a].name, name) == 0) return true;
  return false;
}

/* Whether a version before this one, or any with `last` NULL, takes the argument. */
static bool takes_argument(const dslc_program *p, const char *rule, const dslc_rule *last, const char *name) {
  for (const dslc_rule *r = next_rule(p, rule, NULL); r && r != last; r = next_rule(p, rule, r))
    if (has_argument(r, name)) return true;
  return false;
}

/* Each argument once, however many versions of the rule take it. */
static void check_arguments(exec_checker *k, const dslc_rule *rule, const case_boundary *b) {
  for (int a = 0; a < rule->n_arguments; a++) {
    if (takes_argument(k->program, rule->name, rule, rule->argument[a].name)) continue;
    const case_value *v = find_value(b, rule->argument[a].name);
    if (v) check_argument(k, rule, &rule->argument[a], v), check_bounds(k, b, &rule->argument[a], v);
    else if (!rule->argument[a].formula)
      exec_complain(k, b->at, "rule '%s' needs its argument '%s'%s%s%s here", rule->name,
                    rule->argument[a].name, rule->argument[a].unit ? " [" : "",
                    rule->argument[a].unit ? rule->argument[a].unit : "", rule->argument[a].unit ? "]" : "");
  }
}

static void check_given(exec_checker *k, const dslc_rule *rule, const case_boundary *b) {
  for (int i = 0; i < b->n_arguments; i++) {
    if (!takes_argument(k->program, rule->name, NULL, b->argument[i].name))
      unknown_argument(k, rule, &b->argument[i]);
    else if (find_value(b, b->argument[i].name) != &b->argument[i])
      exec_complain(k, b->argument[i].at, "argument '%s' is given twice", b->argument[i].name);
  }
}

/* A rule that sums over its own faces takes entries with arguments of their own for one. */
static void check_alone(exec_checker *k, const dslc_rule *first, int entry) {
  const case_boundary *b = &k->c->boundary[entry];
  bool sums = false;
  for (const dslc_rule *r = first; r; r = next_rule(k->program, b->rule, r))
    sums = sums || (r->sums_itself && r->n_arguments > 0);
  for (int i = 0; sums && i < entry; i++) {
    if (strcmp(k->c->boundary[i].rule, b->rule) != 0) continue;
    exec_complain(k, b->at,
                  "rule '%s' sums over all faces that obey it, so it takes one entry, and line %d has one: "
                  "name both boundaries there, or give "
                  "each a rule of its own in a scheme that extends '%s'",
                  b->rule, k->c->boundary[i].at.line, k->program->identity.scheme);
    return;
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

/* What mesh and grid have alike: names of parts of the boundary. */
typedef struct named {
  const char *name;
  long long faces;
  bool periodic;
} named;

enum { SIDES = 6 };

static bool is_side_of(const grid *g, int side) { return side / 2 < g->dim && g->axis[side / 2].periodic; }

/* The caller frees the list; sides that a grid has not because an axis is periodic are in it. */
static named *list_names(const exec_domain *d, int *n) {
  *n = 0;
  named *list = calloc((size_t)(d->m ? d->m->n_patches : d->g->n_boundaries + SIDES) + 1, sizeof *list);
  for (int p = 0; list && d->m && p < d->m->n_patches; p++)
    list[(*n)++] = (named){d->m->patch[p].name, d->m->patch[p].count, d->m->patch[p].periodic};
  for (int s = 0; list && d->g && s < SIDES; s++)
    if (is_side_of(d->g, s)) list[(*n)++] = (named){grid_side_name(s), 0, true};
  for (int b = 0; list && d->g && b < d->g->n_boundaries; b++) {
    const int64_t *walls = d->g->boundary[b].n_walls;
    list[(*n)++] = (named){d->g->boundary[b].name, walls[0] + walls[1] + walls[2], false};
  }
  return list;
}

static const named *find_name(const named *list, int n, const char *name) {
  for (int i = 0; i < n; i++)
    if (strcmp(list[i].name, name) == 0) return &list[i];
  return NULL;
}

static bool needs_rule(const named *p) { return !p->periodic && p->faces > 0; }

static bool names_match(const ew_case *c, const named *list, int n) {
  int times;
  for (int p = 0; p < n; p++) {
    int b = entry_of(c, list[p].name, &times);
    if ((b < 0 && needs_rule(&list[p])) || (b >= 0 && list[p].periodic) || times > 1) return false;
  }
  for (int b = 0; b < c->n_boundaries; b++)
    for (int i = 0; i < c->boundary[b].n_names; i++)
      if (!find_name(list, n, c->boundary[b].name[i])) return false;
  return true;
}

static void domain_row(FILE *out, const ew_case *c, const named *p) {
  char left[128], right[128] = "-";
  int times, b = entry_of(c, p->name, &times);
  snprintf(left, sizeof left, "%s (%lld faces%s)", p->name, p->faces, p->periodic ? ", periodic" : "");
  if (b >= 0) snprintf(right, sizeof right, "%s -> %s", p->name, c->boundary[b].rule);
  const char *note = times > 1                ? "named more than once"
                     : b >= 0 && p->periodic  ? "periodic: takes no rule"
                     : b < 0 && needs_rule(p) ? "has no rule"
                                              : "";
  if (*note) fprintf(out, "\n  %-34s %-34s %s", left, right, note);
  else fprintf(out, "\n  %-34s %s", left, right);
}

static void case_row(FILE *out, const exec_checker *k, const exec_names *known, const case_boundary *b,
                     const char *name) {
  char right[128], hint[512];
  const mesh *m = k->domain->m;
  const char *why = m ? mesh_why_no_patch(m, name) : NULL;
  snprintf(right, sizeof right, "%s -> %s", name, b->rule);
  const char *near = exec_suggest(known, name, hint, sizeof hint);
  fprintf(out, "\n  %-34s %-34s ", "-", right);
  if (why) fprintf(out, "no boundary, but %s", why);
  else fprintf(out, "not in the %s%s", exec_domain_word(k->domain), strstr(near, "did you mean") ? near : "");
}

/* Where the faces lie that nobody named. */
static void explain_unnamed(FILE *out, const mesh *m) {
  char place[96];
  const int p = m ? mesh_find_patch(m, "unnamed") : -1;
  if (p < 0) return;
  const double *x = m->face_centre + (size_t)m->dim * (size_t)m->patch[p].first;
  fprintf(out, "\n  \"unnamed\" are faces of the boundary in no physical group, as at %s",
          mesh_point_text(m->dim, x, place));
}

static void print_table(exec_checker *k, const named *list, int n, FILE *out) {
  exec_names known = {0};
  const char *word = exec_domain_word(k->domain);
  for (int p = 0; p < n; p++) exec_names_add(&known, list[p].name);
  fprintf(out, "boundary names of %s and case do not match:\n  in the %-27s %s", word, word, "in the case");
  for (int p = 0; p < n; p++) domain_row(out, k->c, &list[p]);
  for (int b = 0; b < k->c->n_boundaries; b++)
    for (int i = 0; i < k->c->boundary[b].n_names; i++)
      if (!find_name(list, n, k->c->boundary[b].name[i]))
        case_row(out, k, &known, &k->c->boundary[b], k->c->boundary[b].name[i]);
  explain_unnamed(out, k->domain->m);
  exec_names_clear(&known);
}

static void complain_names(exec_checker *k, const named *list, int n) {
  memory_text table;
  FILE *out = memory_text_open(&table);
  case_where at = k->c->n_boundaries ? k->c->boundary[0].at : (case_where){k->c->file, 0};
  if (out) print_table(k, list, n, out);
  char *text = memory_text_close(&table);
  exec_complain(k, at, "%s", text ? text : "boundary names do not match");
  free(text);
}

static void check_names(exec_checker *k) {
  int n;
  named *list = list_names(k->domain, &n);
  if (list && !names_match(k->c, list, n)) complain_names(k, list, n);
  free(list);
}

/* ---- grids: rules across an axis --------------------------------------------------------------------------------------------- */

/* A rule is needed only for the directions in which the boundary has faces. */
static void check_directions(exec_checker *k, const grid_boundary *boundary) {
  int times, b = entry_of(k->c, boundary->name, &times);
  const char *rule = b >= 0 ? k->c->boundary[b].rule : NULL;
  if (!rule || !next_rule(k->program, rule, NULL)) return;
  for (int d = 0; d < 3; d++)
    if (boundary->n_walls[d] > 0 && exec_grid_rule(k->program, rule, d) < 0)
      exec_complain(
          k, k->c->boundary[b].at,
          "\"%s\" has %lld faces across %c, for which scheme '%s' has no rule '%s': the scheme needs "
          "`boundary %s across %c`",
          boundary->name, (long long)boundary->n_walls[d], "xyz"[d], k -> program -> identity.scheme, rule,
          rule, "xyz"[d]);
}

/* Walls that face each other at a distance of one cell: see `apart` of dslc_rule. */
typedef struct facing {
  exec_checker *k;
  const dslc_rule **rule; /* by boundary of the grid: what holds on its walls across the axis, or NULL */
  bool told;
} facing;

static bool keeps_apart(const dslc_rule *r, int axis) {
  return r && r->apart && strchr(r->apart, "xyz"[axis]);
}

static void check_gap(void *ctx, const grid_wall *below, const grid_wall *above) {
  facing *f = ctx;
  const grid *g = f->k->domain->g;
  const dslc_rule *low = f->rule[below->boundary], *high = f->rule[above->boundary];
  double x[3];
  char place[96];
  if (f->told || !(keeps_apart(low, below->axis) || keeps_apart(high, below->axis))) return;
  const dslc_rule *r = keeps_apart(low, below->axis) ? low : high;
  grid_wall_centre(g, below, x);
  f->told = true;
  exec_complain(f->k, f->k->c->boundary[0].at,
                "one cell lies between the walls \"%s\" and \"%s\" across %c at %s, and rule '%s' fixes a "
                "state there to what lies on the other: what is assigned there reads beyond the wall what "
                "no rule gives; make it two cells, or let the rule give it by `ghost`",
                g->boundary[below->boundary].name, g->boundary[above->boundary].name, "xyz"[below->axis],
                mesh_point_text(g->dim, x, place), r -> name);
}

static const dslc_rule *rule_across(const exec_checker *k, int boundary, int axis) {
  int times, b = entry_of(k->c, k->domain->g->boundary[boundary].name, &times);
  const int rule = b >= 0 ? exec_grid_rule(k->program, k->c->boundary[b].rule, axis) : -1;
  return rule >= 0 ? &k->program->model.rule[rule] : NULL;
}

static void check_facing(exec_checker *k) {
  const grid *g = k->domain->g;
  facing f = {k, calloc((size_t)g->n_boundaries + 1, sizeof *f.rule), false};
  ew_error err = {0};
  for (int axis = 0; axis < g->dim && f.rule; axis++) {
    bool any = false;
    for (int b = 0; b < g->n_boundaries; b++) {
      f.rule[b] = rule_across(k, b, axis);
      any = any || keeps_apart(f.rule[b], axis);
    }
    if (any && grid_each_gap(g, axis, check_gap, &f, &err) != EW_OK)
      exec_complain(k, k->c->boundary[0].at, "%s", err.text);
  }
  free(f.rule);
}

void exec_check_boundaries(exec_checker *k) {
  for (int b = 0; k->program && b < k->c->n_boundaries; b++) {
    const case_boundary *entry = &k->c->boundary[b];
    const dslc_rule *first = next_rule(k->program, entry->rule, NULL);
    for (const dslc_rule *r = first; r; r = next_rule(k->program, entry->rule, r))
      check_arguments(k, r, entry);
    if (first) check_given(k, first, entry), check_alone(k, first, b);
    else unknown_rule(k, entry);
  }
  if (exec_domain_dim(k->domain)) check_names(k);
  for (int b = 0; k->program && k->domain->g && b < k->domain->g->n_boundaries; b++)
    check_directions(k, &k->domain->g->boundary[b]);
  if (k->program && k->domain->g && k->c->n_boundaries) check_facing(k);
}
