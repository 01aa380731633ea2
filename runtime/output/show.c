#include "output/show.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/words.h"
#include "case/paths.h"

/* The means over the cells of values at their nodes. */
static void cell_means(const mesh *m, const double *node, double *cell) {
  for (cell_id c = 0; c < m->n_cells; c++) {
    int32_t first = m->cell_start[c], end = m->cell_start[c + 1];
    cell[c] = 0;
    for (int32_t k = first; k < end; k++) cell[c] += node[m->cell_node[k]] / (end - first);
  }
}

void exec_shown_clear(exec_shown *s) {
  free(s->cell);
  free(s->node);
}

ew_status exec_show_read(exec_run *run, const char *name, exec_shown *s, ew_error *err) {
  ew_status status = EW_OK;
  exec_component which;
  if (!name) return EW_OK;
  if (!exec_find_component(run->program, name, &which))
    return ew_fail(err, EW_INPUT, "there is no field '%s'", name);
  bool at_nodes = run->m && run->program->model.field[which.field].place == DSLC_NODES;
  s->cell = calloc((size_t)run->points.n_cells + 1, sizeof *s->cell);
  if (at_nodes) s->node = calloc((size_t)run->m->n_nodes + 1, sizeof *s->node);
  if (!s->cell || (at_nodes && !s->node)) EXEC_LEAVE(err, EW_FAIL, "out of memory to show '%s'", name);
  EW_CHECK(exec_read_component(run, which, at_nodes ? s->node : s->cell, err));
  if (at_nodes) cell_means(run->m, s->node, s->cell);
cleanup:
  return status;
}

bool exec_has_units(const dslc_program *p) {
  for (int i = 0; i < p->model.n_fields; i++)
    if (p->model.field[i].unit) return true;
  return false;
}

static const dslc_field *field_of(const dslc_program *p, const char *name) {
  exec_component which;
  return name && exec_find_component(p, name, &which) ? &p->model.field[which.field] : NULL;
}

void exec_show_name(const dslc_program *p, const char *name, char *text, size_t size) {
  char words[96] = "", unit[96] = "";
  const dslc_field *field = field_of(p, name);
  if (field) words_of_comment(field->comment, words, sizeof words);
  if (field && field->unit) words_of_unit(field->unit, unit, sizeof unit);
  snprintf(text, size, "%s%s%s%s%s%s", name, *words ? ", " : "", words, *unit ? " [" : "", unit,
           *unit ? "]" : "");
}

/* "" of what has none. */
static const char *unit_of(const dslc_program *p, const char *name) {
  const dslc_field *field = field_of(p, name);
  return field && field->unit ? field->unit : "";
}

/* How many fields the plot shows, and whether they differ in unit; `first` is one of them, or NULL. */
static int count_fields(const dslc_program *p, const case_plot *plot, const char **first, bool *differ) {
  int n = 0;
  *first = NULL, *differ = false;
  for (int i = 0; i < plot->n_curves; i++) {
    const char *name = plot->curve[i].field;
    if (!name) continue;
    if (n++ == 0) *first = name;
    *differ = *differ || strcmp(unit_of(p, *first), unit_of(p, name)) != 0;
  }
  return n;
}

void exec_show_axis(const dslc_program *p, const case_plot *plot, char *text, size_t size) {
  const char *first;
  char unit[96] = "";
  bool differ;
  const int n = count_fields(p, plot, &first, &differ);
  *text = '\0';
  if (n == 1) exec_show_name(p, first, text, size);
  if (n <= 1 || differ) return;
  words_of_unit(unit_of(p, first), unit, sizeof unit);
  if (*unit) snprintf(text, size, "[%s]", unit);
}

void exec_show_curve(const dslc_program *p, const case_plot *plot, int curve, char *text, size_t size) {
  const case_curve *c = &plot->curve[curve];
  const char *first;
  char unit[96] = "";
  bool differ;
  count_fields(p, plot, &first, &differ);
  if (c->field && differ) words_of_unit(unit_of(p, c->field), unit, sizeof unit);
  snprintf(text, size, "%s%s%s%s", c->label ? c->label : c->field, *unit ? " [" : "", unit, *unit ? "]" : "");
}

void exec_show_heading(const exec_run *run, char *text, size_t size) {
  char name[256];
  exec_case_name(run->c, name, sizeof name);
  snprintf(text, size, "%s, t = %.6g%s", name, exec_time(run), exec_has_units(run->program) ? " s" : "");
}
