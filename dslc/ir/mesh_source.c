#include "ir/mesh_source.h"

#include <string.h>

static dslc_source_kind kind_of(const char *text) {
  static const struct {
    const char *text;
    dslc_source_kind kind;
  } table[] = {
      {"volume", DSLC_SOURCE_VOLUME}, {"size", DSLC_SOURCE_SIZE},         {"area", DSLC_SOURCE_AREA},
      {"share", DSLC_SOURCE_SHARE},   {"distance", DSLC_SOURCE_DISTANCE}, {"centre", DSLC_SOURCE_CENTRE},
      {"normal", DSLC_SOURCE_NORMAL}, {"vector", DSLC_SOURCE_VECTOR},     {"dx", DSLC_SOURCE_WIDTH},
      {"dy", DSLC_SOURCE_WIDTH},      {"dz", DSLC_SOURCE_WIDTH},          {"xc", DSLC_SOURCE_MIDDLE},
      {"yc", DSLC_SOURCE_MIDDLE},     {"zc", DSLC_SOURCE_MIDDLE}};
  for (size_t i = 0; i < sizeof table / sizeof *table; i++)
    if (strcmp(table[i].text, text) == 0) return table[i].kind;
  return DSLC_SOURCE_NONE;
}

static dslc_source integral_of(const char *text) {
  for (int f = 0; text && f < DSLC_FORM_COUNT; f++)
    if (strcmp(dslc_form_text((dslc_form)f), text) == 0)
      return (dslc_source){.kind = DSLC_SOURCE_INTEGRAL, .form = (dslc_form)f};
  return (dslc_source){0};
}

/* On a grid a rule may have an entry for each axis: walls carry the one for their own, else the one for any. */
static uint32_t rule_across(const ir_module *m, uint32_t rule, ir_place place) {
  const ir_rule *named = &m->rule.at[rule];
  uint32_t any = rule;
  for (int i = 1; m->on_grid && i < m->rule.n; i++) {
    const ir_rule *r = &m->rule.at[i];
    if (r->text != named->text) continue;
    if (r->axis == "xyz"[place - IR_XFACES]) return (uint32_t)i;
    if (r->axis == 0) any = (uint32_t)i;
  }
  return any;
}

dslc_source ir_mesh_source(const ir_module *m, const ir_symbol *q) {
  if (q->kind == IR_INTEGRAL && q->integral.weight)
    return (dslc_source){.kind = DSLC_SOURCE_WEIGHTED,
                         .form = integral_of(q->integral.form).form,
                         .weight = ir_symbol_get(m, q->integral.weight)->text};
  if (q->kind == IR_INTEGRAL) return integral_of(q->integral.form);
  if (q->purpose.role == IR_OWN_CENTRE) return (dslc_source){.kind = DSLC_SOURCE_OWN_MIDDLE};
  if (q->purpose.role == IR_HELD_MASK) return (dslc_source){.kind = DSLC_SOURCE_CONSTRAINED};
  if (q->purpose.role == IR_RULE_MASK)
    return (dslc_source){.kind = DSLC_SOURCE_ON_RULE, .rule = (int)rule_across(m, q->rule, q->place) - 1};
  return (dslc_source){.kind = kind_of(q->text)};
}
