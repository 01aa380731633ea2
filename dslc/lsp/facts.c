/* What the compiler found out about a scheme's names, as JSON: name -> { unit, components, type, form, why, flops, written, loads }. */
#include <cJSON.h>
#include <stdio.h>
#include <string.h>

#include "lsp/check.h"

static cJSON *fact_of(cJSON *all, const char *name) {
  cJSON *one = cJSON_GetObjectItemCaseSensitive(all, name);
  return one ? one : cJSON_AddObjectToObject(all, name);
}

static void add_unit(cJSON *one, const char *unit, int components) {
  if (unit && !cJSON_HasObjectItem(one, "unit")) cJSON_AddStringToObject(one, "unit", unit);
  if (components > 0 && !cJSON_HasObjectItem(one, "components"))
    cJSON_AddNumberToObject(one, "components", components);
}

/* "a, b: store, cells sum it over their faces" is about a and b. */
static void add_notes(cJSON *all, const dslc_program *p) {
  for (int i = 0; i < p->n_notes; i++) {
    const char *note = p->note[i].text, *end = note + p->note[i].subject;
    for (const char *at = note; at < end; at += strspn(at, ", ")) {
      char name[256];
      size_t n = strcspn(at, ",:");
      if (n == 0 || n >= sizeof name || memchr(at, ' ', n)) break;
      snprintf(name, sizeof name, "%.*s", (int)n, at);
      at += n;
      cJSON *one = cJSON_GetObjectItemCaseSensitive(all, name), *why = cJSON_GetObjectItem(one, "why");
      if (one && !why) why = cJSON_AddArrayToObject(one, "why");
      if (why) cJSON_AddItemToArray(why, cJSON_CreateString(end + 2));
    }
  }
}

char *facts_text(const dslc_program *p) {
  cJSON *all = cJSON_CreateObject();
  const dslc_model *m = &p->model;
  for (int i = 0; i < m->n_parameters; i++)
    add_unit(fact_of(all, m->parameter[i].name), m->parameter[i].unit, m->parameter[i].components);
  for (int i = 0; i < m->n_fields; i++)
    add_unit(fact_of(all, m->field[i].name), m->field[i].unit, m->field[i].components);
  for (int i = 0; i < m->n_globals; i++) add_unit(fact_of(all, m->global[i].name), m->global[i].unit, 1);
  for (int i = 0; i < m->n_rules; i++)
    for (int k = 0; k < m->rule[i].n_arguments; k++) {
      char name[512];
      snprintf(name, sizeof name, "%s(%s)", m->rule[i].name, m->rule[i].argument[k].name);
      add_unit(fact_of(all, name), m->rule[i].argument[k].unit, m->rule[i].argument[k].components);
    }
  for (int i = 0; i < m->n_equations; i++) {
    const dslc_equation *e = &m->equation[i];
    if (e->made) continue;
    cJSON *one = fact_of(all, e->name);
    add_unit(one, e->unit, 0);
    if (e->type) cJSON_AddStringToObject(one, "type", e->type);
    cJSON_AddStringToObject(one, "form", e->form);
    cJSON_AddNumberToObject(one, "flops", e->flops);
    cJSON_AddNumberToObject(one, "written", e->flops_written);
    cJSON_AddNumberToObject(one, "loads", e->loads);
  }
  add_notes(all, p);
  char *text = cJSON_PrintUnformatted(all);
  cJSON_Delete(all);
  return text;
}
