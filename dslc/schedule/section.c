#include "schedule/section.h"

#include <ctype.h>
#include <string.h>

char *section_trim(char *text, char *end) {
  while (text < end && isspace((unsigned char)*text)) text++;
  while (end > text && isspace((unsigned char)end[-1])) end--;
  *end = '\0';
  return text;
}

char *section_line(arena *a, const source_file *f, uint32_t start, uint32_t end) {
  char *line = arena_strndup(a, f->text + start, end - start), *comment = strstr(line, "--");
  if (comment) *comment = '\0';
  return section_trim(line, line + strlen(line));
}

/* ---- one section --------------------------------------------------------------------------------------------------------- */

typedef enum match { OF_ANOTHER, OF_SCHEME, BUT_FACES, BUT_TEXT, BUT_OWN, FITS, FITS_BEST } match;

typedef struct section {
  const char *subject, *text, *with; /* text, with: "" if they are not said */
  uint32_t start;
} section;

static bool is_among(const dslc_setting *s, const char *words) {
  const size_t n = strlen(s->name), m = strlen(s->value);
  for (const char *at = words; (at = strstr(at, s->name)); at += n)
    if ((at == words || at[-1] == ' ') && at[n] == '=' && strncmp(at + n + 1, s->value, m) == 0 &&
        (at[n + 1 + m] == ' ' || at[n + 1 + m] == '\0'))
      return true;
  return false;
}

static int count_words(const char *text) {
  int n = 0;
  for (const char *c = text; *c; c++) n += *c != ' ' && (c == text || c[-1] == ' ');
  return n;
}

/* In any order. */
static bool is_upon_own(const char *with, const dslc_options *o) {
  for (int i = 0; i < o->n_schedule; i++)
    if (!is_among(&o->schedule[i], with)) return false;
  return count_words(with) == o->n_schedule;
}

/* But for the number of a cell's faces, which nobody gave. */
static bool is_but_for_faces(const char *subject, const char *wanted) {
  const size_t n = strlen(wanted);
  return n > 3 && strcmp(wanted + n - 3, "D 0") == 0 && strncmp(subject, wanted, n - 1) == 0;
}

static match match_section(const section *s, const section_wanted *w) {
  const size_t name = strcspn(w->subject, " ");
  if (strncmp(s->subject, w->subject, name) != 0 || s->subject[name] != ' ') return OF_ANOTHER;
  if (strcmp(s->subject, w->subject) != 0)
    return is_but_for_faces(s->subject, w->subject) ? BUT_FACES : OF_SCHEME;
  if (*s->text && strcmp(s->text, w->text_hash) != 0) return BUT_TEXT;
  if (is_upon_own(s->with, w->options)) return FITS_BEST;
  return *s->with ? BUT_OWN : FITS;
}

/* ---- all of them -------------------------------------------------------------------------------------------------------------- */

typedef struct chooser {
  arena *memory;
  const section_wanted *wanted;
  section_choice out;
  section open, best;
  match is;         /* of the best */
  const char *kind; /* of the device, "" if it is not said */
  bool in_scheme, in_device;
} chooser;

static void close_section(chooser *c, uint32_t end) {
  if (!c->in_scheme) return;
  const match is = match_section(&c->open, c->wanted);
  c->in_scheme = false;
  if (is <= c->is) return;
  c->is = is;
  c->best = c->open;
  c->out.start = c->open.start;
  c->out.end = end;
}

static void open_section(chooser *c, char *head, uint32_t start, uint32_t next) {
  static const char word[] = "[scheme ";
  close_section(c, start);
  c->in_device = strcmp(head, "[device]") == 0;
  c->in_scheme = strncmp(head, word, sizeof word - 1) == 0;
  if (!c->in_scheme) return;
  c->out.any = true;
  char *end = strchr(head, ']');
  char *subject = head + sizeof word - 1;
  c->open = (section){section_trim(subject, end ? end : head + strlen(head)), "", "", next};
}

static void read_setting(chooser *c, char *line) {
  char *equals = strchr(line, '=');
  if (!equals) return;
  char *value = section_trim(equals + 1, equals + 1 + strlen(equals + 1));
  const char *name = section_trim(line, equals);
  if (c->in_device && strcmp(name, "kind") == 0) c->kind = value;
  if (c->in_scheme && strcmp(name, "@text") == 0) c->open.text = value;
  if (c->in_scheme && strcmp(name, "@with") == 0) c->open.with = value;
}

static const char *kind_wanted(const dslc_options *o) {
  return o->emit != DSLC_EMIT_OPENCL ? "host" : o->cpu ? "cpu" : "gpu";
}

static const char *why_not(chooser *c) {
  const char *subject = c->wanted->subject, *kind = kind_wanted(c->wanted->options);
  switch (c->is) {
  case BUT_FACES:
    return arena_printf(c->memory, "it has [scheme %s], and --faces-per-cell is not given", c->best.subject);
  case BUT_TEXT: return "the scheme was changed since it was tuned; `edgewise tune` measures anew";
  case BUT_OWN: return arena_printf(c->memory, "it was measured with other settings: %s", c->best.with);
  case FITS:
  case FITS_BEST:
    return arena_printf(c->memory, "it is of another kind of device: '%s', and this is for '%s'", c->kind,
                        kind);
  case OF_ANOTHER:
  case OF_SCHEME: break;
  }
  return arena_printf(c->memory, "it has nothing for scheme %s", subject);
}

section_choice section_choose(arena *a, const source_file *f, const section_wanted *wanted) {
  chooser c = {.memory = a, .wanted = wanted, .kind = "", .out.general_end = f->size};
  bool first = true;
  for (uint32_t start = 0; start < f->size;) {
    uint32_t end = start;
    while (end < f->size && f->text[end] != '\n') end++;
    const uint32_t next = end < f->size ? end + 1 : end;
    char *line = section_line(a, f, start, end);
    if (*line == '[') {
      if (first) c.out.general_end = start;
      first = false;
      open_section(&c, line, start, next);
    } else read_setting(&c, line);
    start = end + 1;
  }
  close_section(&c, f->size);
  const bool foreign = *c.kind && strcmp(c.kind, kind_wanted(wanted->options)) != 0;
  c.out.found = c.is >= FITS && !foreign;
  if (!c.out.found) c.out.start = c.out.end = 0, c.out.why = why_not(&c);
  return c.out;
}
