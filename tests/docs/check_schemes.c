/* check_schemes FOLDER PAGE...: every block marked `ew` of the pages is compiled.
 *
 *   ```ew                      a whole file, which is checked and built
 *   ```ew fragment-of=NAME     declarations, put into FOLDER/NAME.ew at its line `-- fragment`
 *   ```ew check                is checked; building it must fail, or the page claims too little
 *   ```ew fails=E0203          must fail with this error, and with no other
 *   ```ew library              a file of functions: only checked for its syntax
 *   ```text message            behind a block that fails: what the compiler prints, to the letter
 *
 * `file=NAME.ew` names the file in messages, `dims=3` fixes the dimensions; blocks of languages other than these are skipped. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dslc.h"
#include "fences.h"

static const char *const IMPORT_PATH[] = {EW_SOURCE_DIR "/schemes", NULL};

typedef struct subject {
  const fences *page;
  const fence *block;
  const char *name; /* of the file, in messages */
  char *text;
  bool check, library;
  char fails[16]; /* the error expected, "" if none */
  int dims;
} subject;

static int failure(const subject *s, const char *what, const char *detail) {
  fprintf(stderr, "%s:%d: %s\n%s", s->page->page, s->block->line, what, detail ? detail : "");
  return 1;
}

/* ---- the text that is compiled ------------------------------------------------------------------------------- */

static char *insert_fragment(const char *folder, const char *skeleton, const char *fragment) {
  char path[1024];
  snprintf(path, sizeof path, "%s/%s.ew", folder, skeleton);
  char *frame = page_read(path), *mark = frame ? strstr(frame, "-- fragment\n") : NULL, *text = NULL;
  if (frame && !mark) fprintf(stderr, "%s has no line `-- fragment`\n", path);
  if (mark) {
    *mark = '\0';
    if (asprintf(&text, "%s\n%s%s", frame, fragment, mark + strlen("-- fragment\n")) < 0) text = NULL;
  }
  free(frame);
  return text;
}

static bool take_text(const char *folder, subject *s, char *room, size_t size) {
  const char *skeleton = fence_value(s->block, "fragment-of", room, size);
  s->text = skeleton ? insert_fragment(folder, skeleton, s->block->text) : strdup(s->block->text);
  return s->text != NULL;
}

/* ---- compiling ------------------------------------------------------------------------------------------------ */

/* Status of dslc_compile; `*printed` are its messages. */
static int compile(const subject *s, bool check_only, int dims, char **printed, int *warnings) {
  dslc_options o = {.path = s->name,
                    .text = s->text,
                    .dims = dims,
                    .n_rules = -1,
                    .n_show = -1,
                    .sources.import_path = IMPORT_PATH,
                    .check_only = check_only};
  dslc_program *program = NULL;
  dslc_messages *messages = NULL;
  size_t size;
  int status = dslc_compile(&o, &program, &messages);
  FILE *to = open_memstream(printed, &size);
  dslc_messages_print(messages, to, false);
  fclose(to);
  *warnings = dslc_messages_warnings(messages);
  dslc_messages_destroy(&messages);
  dslc_program_destroy(&program);
  return status;
}

static int check_failing(const subject *s, const char *printed, int status) {
  char first[40];
  snprintf(first, sizeof first, "error[%s]", s->fails);
  if (status != 3) return failure(s, "this must fail, but the compiler accepts it", NULL);
  int n = 0, other = 0;
  for (const char *p = printed; (p = strstr(p, "error[")); p++) {
    n++;
    other += strncmp(p, first, strlen(first)) != 0;
  }
  return n > 0 && other == 0 ? 0 : failure(s, "this fails in another way than the page says:", printed);
}

static int build(const subject *s, int dims) {
  char *printed = NULL;
  int warnings, bad = 0, status = compile(s, false, dims, &printed, &warnings);
  if (s->check && status == 0)
    bad = failure(s, "marked `check`, but this version can build it: say so", NULL);
  if (!s->check && status != 0) bad = failure(s, "this checks, but cannot be built:", printed);
  free(printed);
  return bad;
}

static bool any_dims(const char *text) { return strstr(text, "mesh(D)") != NULL; }

/* A library has no scheme; a scheme that imports nothing else stands in for its user. */
static bool wrap_library(subject *s) {
  static const char user[] =
      "\nscheme user on mesh(2) {\n  state s @ cells\n  dt = 1\n  step { update s = s }\n}\n";
  char *whole = NULL;
  if (asprintf(&whole, "%s%s", s->text, user) < 0) return false;
  free(s->text);
  s->text = whole;
  return true;
}

static int check(subject *s, char **printed) {
  int warnings;
  if (s->library && !wrap_library(s)) return failure(s, "out of memory", NULL);
  int status = compile(s, true, s->dims, printed, &warnings);
  if (s->fails[0]) return check_failing(s, *printed, status);
  if (status != 0) return failure(s, "the compiler refuses this:", *printed);
  if (s->library) return 0;
  int bad = build(s, s->dims);
  if (!s->dims && any_dims(s->text)) bad |= build(s, 3);
  return bad;
}

/* The message printed in the page behind the block, if there is one. */
static int check_message(const subject *s, const fence *next, const char *printed) {
  if (!next || !fence_is(next, "text") || !fence_has(next, "message")) return 0;
  if (strcmp(next->text, printed) == 0) return 0;
  return failure(s, "the page shows another message; the compiler prints:", printed);
}

static int check_block(const char *folder, const fences *page, int k) {
  char skeleton[64], name[64], dims[8];
  subject s = {.page = page, .block = &page->at[k], .name = "example.ew"};
  char *printed = NULL;
  s.check = fence_has(s.block, "check");
  s.library = fence_has(s.block, "library");
  if (fence_value(s.block, "file", name, sizeof name)) s.name = name;
  if (fence_value(s.block, "dims", dims, sizeof dims)) s.dims = atoi(dims);
  fence_value(s.block, "fails", s.fails, sizeof s.fails);
  if (!take_text(folder, &s, skeleton, sizeof skeleton))
    return failure(&s, "cannot make a scheme of this", NULL);
  int bad = check(&s, &printed);
  if (!bad) bad = check_message(&s, k + 1 < page->n ? &page->at[k + 1] : NULL, printed);
  free(printed);
  free(s.text);
  return bad;
}

int main(int argc, char **argv) {
  int bad = 0, checked = 0;
  for (int i = 2; i < argc; i++) {
    fences page;
    if (!fences_read(argv[i], &page)) return 1;
    for (int k = 0; k < page.n; k++)
      if (fence_is(&page.at[k], "ew")) {
        bad += check_block(argv[1], &page, k);
        checked++;
      }
    fences_destroy(&page);
  }
  printf("%d blocks checked, %d of them wrong\n", checked, bad);
  return bad || checked == 0;
}
