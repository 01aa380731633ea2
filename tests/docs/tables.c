#include "tables.h"

#include <glob.h>
#include <stdlib.h>
#include <string.h>

#include "back/manifest.h"
#include "back/source_kinds.h"
#include "base/diag.h"
#include "front/tokens.h"
#include "ir/ir.h"
#include "lsp/words.h"
#include "lua/constructors.h"
#include "schedule/schedule.h"
#include "fences.h"
#include "sema/unit.h"

/* ---- the language -------------------------------------------------------------------------------------------- */

static bool print_words(FILE *out) {
  fputs("> ", out);
  for (int i = 0; i < keyword_count(); i++)
    fprintf(out, "%s`%s`", i == 0 ? "" : i % 12 == 0 ? "\n> " : " ", keyword_name(i));
  fputc('\n', out);
  return true;
}

static bool print_units(FILE *out) {
  int n;
  const char *const *symbol = units_names(&n);
  fputs("> ", out);
  for (int i = 0; i < n; i++) fprintf(out, "%s`%s`", i ? " " : "", symbol[i]);
  fputc('\n', out);
  return true;
}

static const char *unit_rule(ir_op op) {
  if (op == IR_SIGN || op == IR_ATAN2) return op == IR_SIGN ? "`[1]`" : "both equal, gives `[1]`";
  switch (ir_op_get(op)->unit) {
  case IR_UNIT_SAME: return "all equal";
  case IR_UNIT_PRODUCT: return "the product";
  case IR_UNIT_KEEP: return "the argument's";
  case IR_UNIT_ROOT: return "its square root";
  case IR_UNIT_CUBE: return "its cube root";
  case IR_UNIT_NONE: return "needs `[1]`";
  default: return "";
  }
}

static bool print_function(ir_op op, FILE *out) {
  const char *text = ir_op_get(op)->text;
  const word *w = word_find_kind(text, WORD_FUNCTION);
  if (w) {
    fprintf(out, "| `%s` | %s | %s |\n", w->form, w->doc, unit_rule(op));
    return true;
  }
  fprintf(stderr, "dslc/lsp/words.c says nothing about the function %s\n", text);
  return false;
}

static bool print_functions(FILE *out) {
  bool good = true;
  fputs("| function | gives | unit |\n|---|---|---|\n", out);
  for (int op = 0; op < IR_OP_COUNT; op++) {
    ir_op found;
    if (ir_op_find_function(ir_op_get((ir_op)op)->text, &found)) good = print_function(found, out) && good;
  }
  fputs("| `clamp(a, low, high)` | a, kept between low and high | all equal |\n"
        "| `mean(s)` | the mean of both cells of a face, both nodes of an edge | the argument's |\n"
        "| `jump(s)` | their difference: R minus L, J minus I | the argument's |\n"
        "| `is_fixed(u)` | whether a boundary rule's `fix` gives the value of the state u at the node; a "
        "bool | |\n",
        out);
  return good;
}

static bool print_codes(FILE *out) {
  fputs("| code | |\n|---|---|\n", out);
  for (int i = 0; i < DIAG_CODE_COUNT; i++)
    fprintf(out, "| `%s` | %s |\n", diag_code_text((diag_code)i), diag_code_title((diag_code)i));
  return true;
}

/* ---- schedules ------------------------------------------------------------------------------------------------ */

/* `|` ends a cell of a table. */
static void print_cell(const char *text, FILE *out) {
  for (; *text; text++) {
    if (*text == '|') fputc('\\', out);
    fputc(*text, out);
  }
}

static bool print_schedule(FILE *out) {
  int n;
  const schedule_key *key = schedule_keys(&n);
  fputs("| setting | values | |\n|---|---|---|\n", out);
  for (int i = 0; i < n; i++) {
    fprintf(out, "| `%s` | ", key[i].name);
    print_cell(key[i].values, out);
    fputs(" | ", out);
    print_cell(key[i].meaning, out);
    fputs(" |\n", out);
  }
  return true;
}

/* ---- cases ---------------------------------------------------------------------------------------------------- */

static void print_expected(const key_spec *key, FILE *out) {
  if (key->kind == KEY_CHOICE) {
    for (const char *c = key->choices; *c; c += strcspn(c, "|"), c += *c == '|')
      fprintf(out, "%s`\"%.*s\"`", c == key->choices ? "" : " ", (int)strcspn(c, "|"), c);
  } else if (key->kind == KEY_GROUP || key->kind == KEY_GROUPS) {
    fprintf(out, "[a table](#keys-of-%s)%s", key->inner->name,
            key->kind == KEY_GROUPS ? ", or a list of them" : "");
  } else {
    print_cell(key_expected(key), out);
  }
}

static bool print_schema(const schema *s, FILE *out) {
  fputs("| key | value | default | |\n|---|---|---|---|\n", out);
  for (int i = 0; i < s->n; i++) {
    const key_spec *key = &s->key[i];
    fprintf(out, "| `%s` | ", key->name);
    print_expected(key, out);
    if (key->required) fputs(" | *needed* | ", out);
    else fprintf(out, key->fallback ? " | `%s` | " : " | | ", key->fallback);
    print_cell(key->doc, out);
    fputs(" |\n", out);
  }
  return true;
}

static const schema *find_schema(const char *wanted) {
  static const schema *const all[] = {
      &SCHEMA_CASE,    &SCHEMA_TIME,  &SCHEMA_OUTPUT,    &SCHEMA_PICTURE, &SCHEMA_PRODUCT, &SCHEMA_RASTER,
      &SCHEMA_SECTION, &SCHEMA_PLOT,  &SCHEMA_RECTANGLE, &SCHEMA_BOX,     &SCHEMA_GMSH,    &SCHEMA_GRID,
      &SCHEMA_SOLID,   &SCHEMA_PATCH, &SCHEMA_SOLVER,    &SCHEMA_TUNING,  &SCHEMA_PIN};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    if (strcmp(all[i]->name, wanted) == 0) return all[i];
  return NULL;
}

/* ---- the manifest --------------------------------------------------------------------------------------------- */

static void print_manifest_kind(const manifest_entry *e, FILE *out) {
  static const char *const kind[] = {[MANIFEST_TEXT] = "text or null",
                                     [MANIFEST_NEEDED] = "text",
                                     [MANIFEST_INT] = "whole number",
                                     [MANIFEST_BOOL] = "true or false",
                                     [MANIFEST_NUMBER] = "number",
                                     [MANIFEST_CHAR] = "a letter or empty",
                                     [MANIFEST_LIST] = "list",
                                     [MANIFEST_INTS] = "whole numbers",
                                     [MANIFEST_TEXTS] = "texts",
                                     [MANIFEST_NOTES] = "texts",
                                     [MANIFEST_OPTION] = "text; left out where there is none",
                                     [MANIFEST_RARE] = "number; left out where 0",
                                     [MANIFEST_SELDOM] = "whole number; left out where 0",
                                     [MANIFEST_EIGHT] = "eight numbers",
                                     [MANIFEST_WORD] = "",
                                     [MANIFEST_RECORD] = "object or null"};
  fputs(kind[e->kind], out);
  for (int i = 0; e->kind == MANIFEST_WORD && manifest_word(e, i); i++)
    fprintf(out, "%s`%s`", i ? " " : "", manifest_word(e, i));
  if (e->only) fputs("; only of the sources that have it", out);
}

/* The entries of one structure, then those of the structures in its lists. */
static void print_manifest_type(const char *path, const manifest_type *t, FILE *out) {
  char inner[128];
  for (const manifest_entry *e = t->entry; e->key; e++) {
    fprintf(out, "| `%s%s` | ", path, e->key);
    print_manifest_kind(e, out);
    fputs(" |\n", out);
  }
  for (const manifest_entry *e = t->entry; e->key; e++) {
    if (e->kind != MANIFEST_LIST && e->kind != MANIFEST_RECORD) continue;
    snprintf(inner, sizeof inner, "%s%s%s.", path, e->key, e->kind == MANIFEST_LIST ? "[]" : "");
    print_manifest_type(inner, e->type, out);
  }
}

static bool print_manifest(FILE *out) {
  fputs("| key | value |\n|---|---|\n", out);
  print_manifest_type("", &manifest_program, out);
  return true;
}

static void print_names(const char *what, unsigned bits, int n, const char *(*text)(int), FILE *out) {
  const char *gap = what;
  for (int i = 0; i < n; i++) {
    if (!(bits & (1u << i))) continue;
    fprintf(out, "%s%s", gap, text(i));
    gap = ", ";
  }
}

static const char *place_name(int i) { return ir_place_text((ir_place)i); }

static const char *member_name(int i) {
  static const char *const text[] = {"`form`", "`field`", "`rule`", "`lanes`"};
  return text[i];
}

/* What buffers are filled with. */
static bool print_sources(FILE *out) {
  fputs("| source | at | what |\n|---|---|---|\n", out);
  for (int i = 1; i < DSLC_SOURCE_COUNT; i++) {
    const source_kind *k = source_kind_get((dslc_source_kind)i);
    fprintf(out, "| `%s`", k->text);
    print_names(" ", k->has, 4, member_name, out);
    fputs(" | ", out);
    if (k->buffer == DSLC_BUFFER_GIVEN) fputs("any place", out);
    else print_names("", k->places, DSLC_PLACE_COUNT, place_name, out);
    fprintf(out, "%s | %s |\n", k->by_row ? "; nodes as the rows of a constraint" : "", k->what);
  }
  return true;
}

/* ---- commands -------------------------------------------------------------------------------------------------- */

/* What the command prints, with the programs found by the PATH. */
static bool print_run(const char *command, FILE *out) {
  char line[256];
  bool any = false;
  FILE *run = popen(command, "r");
  fputs("```text\n", out);
  while (run && fgets(line, sizeof line, run)) {
    any = true;
    fputs(line, out);
  }
  fputs("```\n", out);
  return run && pclose(run) == 0 && any;
}

/* A section of a shipped scheme; a file of functions alone has none. */
static bool print_rules_of(const char *path, FILE *out) {
  char *text = page_read(path), scheme[128], command[160];
  const bool declares = text && (strncmp(text, "scheme ", 7) == 0 || strstr(text, "\nscheme "));
  const bool read = text != NULL;
  free(text);
  if (!declares) return read;
  snprintf(scheme, sizeof scheme, "%s", strrchr(path, '/') + 1);
  scheme[strcspn(scheme, ".")] = '\0';
  snprintf(command, sizeof command, "dslc rules %s", scheme);
  fprintf(out, "\n## %s\n\n", scheme);
  return print_run(command, out);
}

/* Of all shipped schemes, by name: one that is added later is on the page, or the page is behind. */
static bool print_rules(FILE *out) {
  glob_t found;
  bool good = glob(EW_SOURCE_DIR "/schemes/*.ew", 0, NULL, &found) == 0;
  for (size_t i = 0; good && i < found.gl_pathc; i++) good = print_rules_of(found.gl_pathv[i], out);
  globfree(&found);
  return good;
}

/* ---- all ------------------------------------------------------------------------------------------------------- */

bool table_print(const char *wanted, FILE *out) {
  static const struct {
    const char *name;
    bool (*print)(FILE *out);
  } table[] = {{"words", print_words},     {"units", print_units},       {"functions", print_functions},
               {"codes", print_codes},     {"schedule", print_schedule}, {"manifest", print_manifest},
               {"sources", print_sources}, {"rules", print_rules}};
  for (size_t i = 0; i < sizeof table / sizeof *table; i++)
    if (strcmp(table[i].name, wanted) == 0) return table[i].print(out);
  if (strncmp(wanted, "run ", 4) == 0) return print_run(wanted + 4, out);
  const schema *s = find_schema(wanted);
  if (!s) fprintf(stderr, "there is no table `%s`\n", wanted);
  return s && print_schema(s, out);
}
