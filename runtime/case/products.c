#include "case/products.h"
#include "base/memory_text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the extension ----------------------------------------------------------------------------------------------------- */

/* `%` stands for the product's name. A condition's time is found before it is stored, so that it needs no unit. */
static const struct kind {
  const char *formula, *update; /* of p; of p_before beyond p_before = p */
  double start;                 /* of p_before */
  bool peak;                    /* it needs the largest value too */
} KINDS[CASE_N_PRODUCT_KINDS] = {
    [CASE_MAX] = {"if t > 0 then max(%_before, %_now) else %_now", "%", 0, false},
    [CASE_MIN] = {"if t > 0 then min(%_before, %_now) else %_now", "%", 0, false},
    [CASE_WHEN_MAX] = {"if t > 0 and %_most >= %_now then %_before else t", "%", 0, true},
    [CASE_FIRST] = {"if %_before < 0 and %_now then t else %_before", "%", -1, false},
    [CASE_DURATION] = {"%_before", "% + (if %_now then dt else 0)", 0, false},
    [CASE_INTEGRAL] = {"%_before", "% + dt*%_now", 0, false},
    [CASE_MEAN] = {"if t > 0 then %_before/t else %_now", "%_before + dt*%_now", 0, false},
};

static void print_pattern(FILE *out, const char *pattern, const char *name) {
  for (; *pattern; pattern++) {
    if (*pattern == '%') fputs(name, out);
    else fputc(*pattern, out);
  }
}

static void print_product(FILE *out, const case_product *p) {
  const char *place = p->place ? p->place : "cells";
  fprintf(out, "  %s_now @ %s = %s\n", p->name, place, p->formula);
  fprintf(out, "  state %s_before @ %s\n", p->name, place);
  if (KINDS[p->kind].peak) fprintf(out, "  state %s_most @ %s\n", p->name, place);
  fprintf(out, "  %s @ %s = ", p->name, place);
  print_pattern(out, KINDS[p->kind].formula, p->name);
  fputc('\n', out);
}

static void print_update(FILE *out, const case_product *p) {
  fprintf(out, "      %s_before = ", p->name);
  print_pattern(out, KINDS[p->kind].update, p->name);
  fputc('\n', out);
  if (KINDS[p->kind].peak)
    print_pattern(out, "      %_most = if t > 0 then max(%_most, %_now) else %_now\n", p->name);
}

/* Its points stand in the text too, so that a checkpoint knows another line from this one. The given is at most 1 long: that it is clamped
 * changes no number, but says that it has no unit, where the scheme has units. */
static void print_section(FILE *out, const case_section *s) {
  fputs("  -- through", out);
  for (int i = 0; i < s->n_points; i++)
    fprintf(out, " (%.17g, %.17g)", s->point[2 * (size_t)i], s->point[2 * (size_t)i + 1]);
  fputc('\n', out);
  fprintf(out, "  given %s_section : vector @ faces\n", s->name);
  fprintf(out, "  %s_leaves @ cells = sum(f of c to d) area*clamp(dot(normal, %s_section), -2, 2)*(%s)\n",
          s->name, s->name, s->flux);
  fprintf(out, "  %s = sum(c in cells) %s_leaves\n", s->name, s->name);
}

ew_status case_products_text(const ew_case *c, char **text, ew_error *err) {
  memory_text made;
  *text = NULL;
  if (c->added.n_products + c->added.n_sections == 0) return EW_OK;
  FILE *out = memory_text_open(&made);
  if (!out) return ew_fail(err, EW_FAIL, "out of memory for the case's products");
  fputs("scheme products extends base {\n", out);
  for (int i = 0; i < c->added.n_products; i++) print_product(out, &c->added.product[i]);
  for (int i = 0; i < c->added.n_sections; i++) print_section(out, &c->added.section[i]);
  if (c->added.n_products) fputs("  step {\n    update {\n", out);
  for (int i = 0; i < c->added.n_products; i++) print_update(out, &c->added.product[i]);
  if (c->added.n_products) fputs("    }\n    step of base\n  }\n", out);
  fputs("}\n", out);
  *text = memory_text_close(&made);
  return *text ? EW_OK : ew_fail(err, EW_FAIL, "out of memory for the case's products");
}

/* The line's first word is `word`, or begins with it and `_`. */
static bool belongs(const char *line, const char *word) {
  const size_t n = strlen(word);
  line += strspn(line, " ");
  if (strncmp(line, "given ", 6) == 0 || strncmp(line, "state ", 6) == 0) line += 6;
  return strncmp(line, word, n) == 0 && (line[n] == ' ' || line[n] == '_');
}

static const char *line_of(const char *text, int number) {
  for (; number > 1 && text; number--) {
    text = strchr(text, '\n');
    if (text) text++;
  }
  return text;
}

const char *case_products_owner(const ew_case *c, const char *text, int line, char *owner, size_t size,
                                case_where *at) {
  const char *found = line_of(text, line), *best = NULL;
  for (int i = 0; found && i < c->added.n_products; i++) {
    const case_product *p = &c->added.product[i];
    if (!belongs(found, p->name) || (best && strlen(best) > strlen(p->name))) continue;
    best = p->name, *at = p->at;
    snprintf(owner, size, "product '%s'", best);
  }
  for (int i = 0; found && i < c->added.n_sections; i++) {
    const case_section *s = &c->added.section[i];
    if (!belongs(found, s->name) || (best && strlen(best) > strlen(s->name))) continue;
    best = s->name, *at = s->at;
    snprintf(owner, size, "section '%s'", best);
  }
  return best ? owner : NULL;
}

/* ---- what it starts with ------------------------------------------------------------------------------------------------ */

/* Its name, with the suffix behind it. */
static ew_status add_value(ew_case *c, case_value **to, int *n, const case_value *value, const char *suffix,
                           ew_error *err) {
  char text[256];
  snprintf(text, sizeof text, "%s_%s", value->name, suffix);
  case_value *added = case_append(c, to, n, sizeof *added, err);
  if (!added) return EW_FAIL;
  *added = *value;
  added->name = case_text(c, text, err);
  return added->name ? EW_OK : EW_FAIL;
}

ew_status case_products_values(ew_case *c, ew_error *err) {
  ew_status status = EW_OK;
  for (int i = 0; i < c->added.n_products; i++) {
    const case_product *p = &c->added.product[i];
    case_value start = {
        .name = p->name, .kind = CASE_NUMBERS, .n = 1, .number = {KINDS[p->kind].start}, .at = p->at};
    EW_CHECK(add_value(c, &c->values.initial, &c->values.n_initial, &start, "before", err));
    start.number[0] = 0;
    if (KINDS[p->kind].peak)
      EW_CHECK(add_value(c, &c->values.initial, &c->values.n_initial, &start, "most", err));
  }
  for (int i = 0; i < c->added.n_sections; i++) {
    const case_section *s = &c->added.section[i];
    case_value line = {.name = s->name, .kind = CASE_SECTION, .n = 2, .section = s, .at = s->at};
    EW_CHECK(add_value(c, &c->values.given, &c->values.n_givens, &line, "section", err));
  }
cleanup:
  return status;
}

/* ---- names ---------------------------------------------------------------------------------------------------------------- */

static bool is_part(const char *field, const char *name, const char *suffix) {
  size_t n = strlen(name);
  return strncmp(field, name, n) == 0 && strcmp(field + n, suffix) == 0;
}

bool case_is_inner_state(const ew_case *c, const char *field) {
  for (int i = 0; i < c->added.n_products; i++)
    if (is_part(field, c->added.product[i].name, "_before") ||
        is_part(field, c->added.product[i].name, "_most"))
      return true;
  return false;
}

bool case_is_product(const ew_case *c, const char *field) {
  for (int i = 0; i < c->added.n_products; i++)
    if (strcmp(field, c->added.product[i].name) == 0) return true;
  return false;
}

bool case_shows_unasked(const ew_case *c, const char *field, bool is_state) {
  return case_is_product(c, field) || (is_state && !case_is_inner_state(c, field));
}
