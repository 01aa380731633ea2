/* Whether `dslc check` and `dslc build` say the same of a scheme: what one accepts the other does, in each of its variants. */
#include <string.h>

#include "base/shipped.h"
#include "random.h"

static bool compiles(const char *path, int dims, const char *way, bool check, char *why, size_t size) {
  shipped ours;
  const dslc_setting chosen = {"way", way};
  const dslc_options o = {.path = path,
                          .dims = dims,
                          .n_variants = way ? 1 : 0,
                          .variant = &chosen,
                          .n_rules = -1,
                          .n_show = -1,
                          .check_only = check,
                          .import_path = shipped_find(&ours, "schemes")};
  dslc_messages *m = NULL;
  dslc_program *program = NULL;
  const bool good = dslc_compile(&o, &program, &m) == 0;
  FILE *f = good ? NULL : fmemopen(why, size, "w");
  if (f) dslc_messages_print(m, f, false), fclose(f);
  dslc_messages_destroy(&m);
  dslc_program_destroy(&program);
  return good;
}

bool check_agrees(const options *o, const subject *s, char *why, size_t size) {
  static const char *const ways[] = {"one", "two"};
  char path[1200], said[800] = "", other[800] = "";
  snprintf(path, sizeof path, "%s/scheme.ew", o->folder);
  const bool varies = strstr(s->text, "\n  variant way = one | two\n") != NULL;
  const bool checked = compiles(path, s->dims, NULL, true, said, sizeof said);
  bool built = true;
  for (int i = 0; i < (varies ? 2 : 1); i++)
    built = built && compiles(path, s->dims, varies ? ways[i] : NULL, false, other, sizeof other);
  if (checked != built)
    snprintf(why, size, "`check` %s what `build` %s: %.600s", checked ? "accepts" : "refuses",
             built ? "builds" : "refuses", checked ? other : said);
  return checked == built;
}
