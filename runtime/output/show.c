#include "output/show.h"

#include <stdio.h>
#include <stdlib.h>

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

void exec_show_name(const exec_run *run, const char *name, char *text, size_t size) {
  exec_component which;
  char words[96] = "", unit[96] = "";
  bool known = name && exec_find_component(run->program, name, &which);
  const dslc_field *field = known ? &run->program->model.field[which.field] : NULL;
  if (known) words_of_comment(field->comment, words, sizeof words);
  if (known && field->unit) words_of_unit(field->unit, unit, sizeof unit);
  snprintf(text, size, "%s%s%s%s%s%s", name, *words ? ", " : "", words, *unit ? " [" : "", unit,
           *unit ? "]" : "");
}

void exec_show_heading(const exec_run *run, char *text, size_t size) {
  char name[256];
  exec_case_name(run->c, name, sizeof name);
  snprintf(text, size, "%s, t = %.6g%s", name, exec_time(run), exec_has_units(run->program) ? " s" : "");
}
