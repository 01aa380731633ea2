/* Whether `dslc check` and `dslc build` say the same of a scheme: what one accepts the other does, in each of its variants,
 * schedules and selections of rules. */
#include <string.h>

#include "base/shipped.h"
#include "random.h"

static bool compiles(dslc_options o, bool check, char *why, size_t size) {
  shipped ours;
  dslc_messages *m = NULL;
  dslc_program *program = NULL;
  o.check_only = check;
  o.sources.import_path = shipped_find(&ours, "schemes");
  const bool good = dslc_compile(&o, &program, &m) == 0;
  FILE *f = good ? NULL : fmemopen(why, size, "w");
  if (f) dslc_messages_print(m, f, false), fclose(f);
  dslc_messages_destroy(&m);
  dslc_program_destroy(&program);
  return good;
}

bool check_accepts(const options *o, const subject *s) {
  char path[1200], said[800];
  snprintf(path, sizeof path, "%s/scheme.ew", o->folder);
  const dslc_options with = {.path = path, .dims = s->dims, .n_rules = -1, .n_show = -1};
  return compiles(with, true, said, sizeof said);
}

static bool varies(const char *text) { return strstr(text, "\n  variant way = one | two\n") != NULL; }

static void say_disagree(bool checked, const char *said, const char *other, char *why, size_t size) {
  snprintf(why, size, "`check` %s what `build` %s: %.600s", checked ? "accepts" : "refuses",
           checked ? "refuses" : "builds", checked ? other : said);
}

bool check_agrees(const options *o, const subject *s, char *why, size_t size) {
  static const dslc_setting chosen[] = {{"way", "one"}, {"way", "two"}};
  char path[1200], said[800] = "", other[800] = "";
  snprintf(path, sizeof path, "%s/scheme.ew", o->folder);
  dslc_options with = {.path = path, .dims = s->dims, .n_rules = -1, .n_show = -1};
  const bool checked = compiles(with, true, said, sizeof said);
  bool built = true;
  with.n_variants = varies(s->text);
  for (int i = 0; i <= with.n_variants; i++) {
    with.variant = &chosen[i];
    built = built && compiles(with, false, other, sizeof other);
  }
  if (checked != built) say_disagree(checked, said, other, why, size);
  return checked == built;
}

static dslc_emit target_of(const char *device) {
  if (strcmp(device, "c") == 0) return DSLC_EMIT_C;
  return strcmp(device, "c-openmp") == 0 ? DSLC_EMIT_C_OPENMP : DSLC_EMIT_OPENCL;
}

enum { MOST_RULES = 32 };

/* What the compiler is told for a way, and the lists that are pointed to. */
typedef struct told {
  char path[1200];
  dslc_setting set[VERIFY_SETTINGS];
  const char *rule[MOST_RULES];
  dslc_options options;
} told;

static void tell(const options *o, const trial *t, const dslc_program *scheme, unsigned rules, told *to) {
  static const dslc_setting one = {"way", "one"};
  snprintf(to->path, sizeof to->path, "%s/scheme.ew", o->folder);
  to->options =
      (dslc_options){.path = to->path,
                     .dims = t->dims,
                     .emit = target_of(t->way.device),
                     .n_variants = varies(t->text),
                     .variant = &one,
                     .n_schedule = t->way.n,
                     .schedule = to->set,
                     .cpu = strcmp(t->way.device, "model-gpu") != 0,
                     .periodic = t->setup.periodic[0] || t->setup.periodic[1] || t->setup.periodic[2],
                     .rule = to->rule,
                     .n_show = t->show ? -1 : 0};
  for (int i = 0; i < t->way.n; i++) to->set[i] = (dslc_setting){t->way.set[i].name, t->way.set[i].value};
  for (int i = 0; i < scheme->model.n_rules && i < MOST_RULES; i++)
    if (rules >> i & 1) to->rule[to->options.n_rules++] = scheme->model.rule[i].name;
}

bool check_agrees_so(const options *o, const trial *t, const dslc_program *scheme, unsigned rules, char *why,
                     size_t size) {
  char said[800] = "", other[800] = "";
  told to;
  tell(o, t, scheme, rules, &to);
  const bool checked = compiles(to.options, true, said, sizeof said),
             built = compiles(to.options, false, other, sizeof other);
  if (checked != built) say_disagree(checked, said, other, why, size);
  return checked == built;
}

bool prints_again_so(const options *o, const trial *t, const dslc_program *scheme, const computed *by,
                     char *why, size_t size) {
  shipped ours;
  told to;
  tell(o, t, scheme, ~0u, &to);
  to.options.sources.import_path = shipped_find(&ours, "schemes");
  return prints_again(o, to.options, by, why, size);
}

char *kernels_of(const options *o, const subject *s) {
  char path[1200];
  shipped ours;
  told to;
  dslc_program *scheme = NULL, *built = NULL;
  dslc_messages *m = NULL;
  ew_error err = {0};
  char *source = NULL;
  snprintf(path, sizeof path, "%s/scheme.ew", o->folder);
  if (verify_describe(path, s->dims, NULL, &scheme, &err) == EW_OK) {
    const char *device = s->seed % 2 ? "model" : "model-gpu";
    const trial t = {.text = s->text,
                     .dims = s->dims,
                     .show = true,
                     .way = verify_draw_way(scheme, device, s->seed * 1000)};
    tell(o, &t, scheme, ~0u, &to);
    to.options.sources.import_path = shipped_find(&ours, "schemes");
    if (dslc_compile(&to.options, &built, &m) == 0) source = strdup(built->execution.source);
  }
  dslc_messages_destroy(&m);
  dslc_program_destroy(&built);
  dslc_program_destroy(&scheme);
  return source;
}
