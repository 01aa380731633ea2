/* What the compiler prints of a scheme on its way, what it writes and what it says reads back to the same: after any step, equations, plan or
 * kernels; the manifest; a profile with a way's settings; and a report can be made. What is slightly wrong is refused, or means something. One
 * step of a way, drawn by its seed. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "../fuzz/json_members.h"
#include "dslc_kernel.h"
#include "ir/ir.h"
#include "kernel/kernel.h"
#include "mesh/random.h"
#include "random.h"
#include "schedule/outline.h"

static void no_memory(void *context, size_t size) {
  (void)context;
  fprintf(stderr, "random_schemes: out of memory for %zu bytes\n", size);
  abort();
}

/* Of one way. */
typedef struct asked {
  const options *o;
  const dslc_options *with;
  const computed *by;
  const dslc_program *p;
  uint64_t *state; /* of chance */
  char *why;
  size_t size;
} asked;

/* ---- one text ------------------------------------------------------------------------------------------------------------------------ */

/* A text that is read and printed again; NULL and what is wrong with it. */
typedef const char *reader(arena *a, const char *text, FILE *again);

static const char *read_equations(arena *a, const char *text, FILE *again) {
  const char *wrong = NULL;
  const ir_module *m = ir_parse(a, intern_create(a), text, &wrong);
  if (m) wrong = ir_verify(m);
  if (m && !wrong) ir_print(m, again);
  return wrong;
}

static const char *read_storage(arena *a, const char *text, FILE *again) {
  const char *wrong = NULL;
  const storage_outline *o = storage_parse(a, intern_create(a), text, &wrong);
  if (o) storage_print(again, o), wrong = storage_verify(o);
  return wrong;
}

static const char *read_plan(arena *a, const char *text, FILE *again) {
  const char *wrong = NULL;
  const outline *o = outline_parse(a, intern_create(a), text, &wrong);
  if (!o) return wrong;
  outline_print(again, o);
  wrong = tasks_verify(o);
  return wrong ? wrong : launches_verify(o);
}

static const char *read_kernels(arena *a, const char *text, FILE *again) {
  kir_message message = {0};
  kir_program *p = kir_parse(a, text, "", &message);
  if (p && kir_verify(p, &message, 1) == 0) return fputs(kir_print(p), again), NULL;
  return arena_printf(a, "line %d: %s", message.line, message.text);
}

static reader *reader_of(const char *step) {
  if (dslc_step_is_kernels(step)) return read_kernels;
  if (strcmp(step, "storage") == 0) return read_storage;
  return strcmp(step, "tasks") == 0 || strcmp(step, "launches") == 0 ? read_plan : read_equations;
}

/* NULL: it is none, and `why` says so. The caller frees it. */
static char *printed_again(reader *read, const char *text, char *why, size_t size) {
  arena *a = arena_create(no_memory, NULL);
  char *again = NULL;
  size_t length;
  FILE *out = open_memstream(&again, &length);
  const char *wrong = read(a, text, out);
  fclose(out);
  if (wrong) snprintf(why, size, "%.400s", wrong), free(again), again = NULL;
  arena_destroy(&a);
  return again;
}

static bool is_same_again(const asked *q, reader *read, const char *text) {
  char wrong[500] = "it reads back to something else",
       *again = printed_again(read, text, wrong, sizeof wrong);
  const bool same = again && strcmp(again, text) == 0;
  if (!same) snprintf(q->why, q->size, "what is printed after `%s`: %s", q->with->inspect.dump_after, wrong);
  free(again);
  return same;
}

/* Where a text that is slightly wrong can be read, what is printed of it can be, too. */
static bool is_refused_or_means(const asked *q, reader *read, const char *text) {
  char ignored[500], *wrong = mutate(text, q->state);
  char *again = wrong ? printed_again(read, wrong, ignored, sizeof ignored) : NULL;
  const bool good = !again || is_same_again(q, read, again);
  free(wrong), free(again);
  return good;
}

/* ---- what is made at last ------------------------------------------------------------------------------------------------------------ */

static bool reports(const asked *q) {
  char *text = NULL;
  size_t length = 0;
  FILE *out = open_memstream(&text, &length);
  dslc_program_report(q->p, out);
  fclose(out);
  const bool good = length > 100 && strstr(text, q->p->identity.scheme);
  if (!good) snprintf(q->why, q->size, "the report says nothing");
  free(text);
  return good;
}

/* What is said of an equation is so: what faces add into their cells is launched colour by colour. */
static bool does_as_reported(const asked *q) {
  bool coloured = false;
  for (int s = 0; s < q->p->execution.n_sections; s++)
    for (int i = 0; i < q->p->execution.section[s].n_ops; i++)
      coloured = coloured || (q->p->execution.section[s].op[i].kind == DSLC_OP_LAUNCH &&
                              q->p->execution.section[s].op[i].subset == DSLC_COLOUR);
  for (int i = 0; i < q->p->model.n_equations; i++) {
    const dslc_equation *e = &q->p->model.equation[i];
    const bool scatters = strcmp(e->form, "scatter") == 0, stores = strcmp(e->form, "store") == 0;
    if ((scatters && !coloured) || (!stores && e->kernel >= 0 && strcmp(e->form, "inline") == 0)) {
      snprintf(q->why, q->size, "`%s` is said to be %s, and is not", e->name, e->form);
      return false;
    }
  }
  return true;
}

typedef struct files {
  char manifest[1200], source[1300];
} files;

static files files_of(const options *o, const dslc_program *p) {
  files f;
  snprintf(f.manifest, sizeof f.manifest, "%s/manifest.json", o->folder);
  snprintf(f.source, sizeof f.source, "%s/%s.%s", o->folder, p->identity.scheme,
           p->identity.target[0] == 'o' ? "cl" : "c");
  return f;
}

/* Written, read and written again: the same file, which the caller frees; NULL and why not. */
static char *manifest_of(const asked *q, const files *f) {
  char error[500] = "it is another one then";
  dslc_program *read = NULL;
  bool good = dslc_manifest_write(q->p, f->manifest, error, sizeof error) == 0;
  char *first = good ? read_whole(f->manifest) : NULL;
  good = good && dslc_manifest_read(f->manifest, &read, error, sizeof error) == 0 &&
         dslc_manifest_write(read, f->manifest, error, sizeof error) == 0;
  char *second = good ? read_whole(f->manifest) : NULL;
  if (!second || strcmp(first, second) != 0)
    snprintf(q->why, q->size, "the manifest when it has been read: %.300s", error), free(first), first = NULL;
  free(second);
  dslc_program_destroy(&read);
  return first;
}

/* It is refused, or means something. */
static void read_wrong(const asked *q, const files *f, const char *wrong) {
  char error[500];
  dslc_program *read = NULL;
  if (wrong && save_text(q->o->folder, "manifest.json", wrong) &&
      dslc_manifest_read(f->manifest, &read, error, sizeof error) == 0)
    dslc_manifest_write(read, f->manifest, error, sizeof error);
  dslc_program_destroy(&read);
}

/* Still JSON; the caller frees it. */
static char *with_another_member(const char *manifest, uint64_t *state) {
  cJSON *all = cJSON_Parse(manifest);
  if (all) json_change(all, state);
  char *text = all ? cJSON_PrintUnformatted(all) : NULL;
  cJSON_Delete(all);
  return text;
}

static bool keeps_manifest(const asked *q) {
  const files f = files_of(q->o, q->p);
  char *text = manifest_of(q, &f);
  for (int k = 0; text && k < 4; k++) {
    char *wrong = k ? with_another_member(text, q->state) : mutate(text, q->state);
    read_wrong(q, &f, wrong);
    free(wrong);
  }
  unlink(f.manifest), unlink(f.source);
  free(text);
  return text != NULL;
}

/* A driver's messages lead to the scheme: what is said of the lines of kernels that name one. */
static bool leads_to_scheme(const asked *q) {
  static const char mark[] = "// scheme.ew:";
  char place[80];
  int line = 1;
  for (const char *p = q->p->execution.source; *p && line < 400; line++) {
    const char *end = p + strcspn(p, "\n"), *named = strstr(p, mark);
    if (named && named < end &&
        dslc_scheme_place(q->p, line, place, sizeof place) != atoi(named + sizeof mark - 1)) {
      snprintf(q->why, q->size, "line %d of the kernels leads to another line of the scheme", line);
      return false;
    }
    p = end + (*end == '\n');
  }
  return true;
}

/* The kernels that were built are those of their text. */
static bool are_of_text(const asked *q) {
  char message[500] = "they differ";
  dslc_kernels *built = dslc_kernels_of(q->p, "", message, sizeof message),
               *read = built ? dslc_kernels_parse(q->p->execution.source, "", message, sizeof message) : NULL;
  const bool same = read && strcmp(dslc_kernels_text(built), dslc_kernels_text(read)) == 0;
  if (!same) snprintf(q->why, q->size, "the kernels that were built and their text: %.300s", message);
  dslc_kernels_destroy(&built);
  dslc_kernels_destroy(&read);
  return same;
}

/* ---- a barrier less ------------------------------------------------------------------------------------------------------------------ */

/* The kernels without one of their barriers, or with one that orders other memory; the caller frees them. NULL: there is none. */
static char *without_barrier(const char *source, uint64_t *state) {
  static const char word[] = "barrier(CLK_";
  char *made = NULL;
  int n = 0;
  for (const char *p = source; (p = strstr(p, word)); p += sizeof word) n++;
  if (n == 0) return NULL;
  const char *p = strstr(source, word);
  for (int skip = (int)random_below(state, (uint64_t)n); skip > 0; skip--) p = strstr(p + 1, word);
  const char *behind = strchr(p, ';'), *other = p[sizeof word - 1] == 'L' ? "GLOBAL" : "LOCAL";
  if (!behind) return NULL;
  const char *memory = random_below(state, 3) ? NULL : other;
  const int written =
      memory ? asprintf(&made, "%.*sbarrier(CLK_%s_MEM_FENCE)%s", (int)(p - source), source, memory, behind)
             : asprintf(&made, "%.*s%s", (int)(p - source), source, behind);
  return written < 0 ? NULL : made;
}

/* What the case is when a manifest with these kernels is run. */
static ew_status run_text(const asked *q, const files *f, const char *source, verify_result *result,
                          ew_error *err) {
  static const char word[] = "\"source hash\":\t\"";
  ew_case *c = q->by->c;
  char *manifest = read_whole(f->manifest), *hash = manifest ? strstr(manifest, word) : NULL;
  FILE *out = hash ? fopen(f->manifest, "w") : NULL;
  if (out) {
    const char *behind = strchr(hash + sizeof word - 1, '"');
    fprintf(out, "%.*s%sany%s", (int)(hash - manifest), manifest, word, behind);
    fclose(out);
  }
  free(manifest);
  out = out ? fopen(f->source, "w") : NULL;
  if (!out) return ew_fail(err, EW_IO, "cannot write %s", f->source);
  fputs(source, out);
  fclose(out);
  const char *kept = c->build.manifest;
  verify_way way = *q->by->way;
  way.n = 0, way.by_manifest = false, way.resumed = VERIFY_NOT_RESUMED; /* the settings are in the kernels */
  c->build.manifest = f->manifest;
  const ew_status status = verify_run(c, &way, NULL, result, err);
  c->build.manifest = kept;
  return status;
}

/* Items race where a barrier is missing, and the model machine says so, or what is computed is the same without it. */
static bool notes_missing_barrier(const asked *q) {
  const files f = files_of(q->o, q->p);
  ew_error err = {0};
  verify_result whole = {0}, less = {0};
  char *source = without_barrier(q->p->execution.source, q->state);
  bool good = true;
  const bool on_model =
      strncmp(q->by->way->device, "model", 5) == 0; /* no other device says that items race */
  if (on_model && source && dslc_manifest_write(q->p, f.manifest, q->why, q->size) == 0 &&
      run_text(q, &f, q->p->execution.source, &whole, &err) == EW_OK &&
      run_text(q, &f, source, &less, &err) == EW_OK)
    good = verify_compare(&whole, &less, 1).most == 0 || whole.diverged || less.diverged;
  if (!good) snprintf(q->why, q->size, "a missing barrier goes unnoticed, and the result is another one");
  unlink(f.manifest), unlink(f.source);
  verify_result_clear(&whole);
  verify_result_clear(&less);
  free(source);
  return good;
}

/* ---- settings ------------------------------------------------------------------------------------------------------------------------ */

static int compile_plainly(const dslc_options *with, dslc_program **p) {
  dslc_messages *m = NULL;
  dslc_options o = *with;
  o.inspect.dump_after = NULL, o.inspect.dump = NULL;
  const int status = dslc_compile(&o, p, &m);
  dslc_messages_destroy(&m);
  return status;
}

/* As `edgewise tune` writes them, among lines that count for nothing. The caller frees it. */
static char *profile_of(const dslc_options *with, const dslc_program *p) {
  char *text = NULL;
  size_t size;
  FILE *out = open_memstream(&text, &size);
  fprintf(out, "device = some\n-- a remark\n[scheme other on grid 1D]\nselect = none\n[scheme %s",
          p->identity.scheme);
  for (int i = 0; i < p->model.n_variants; i++)
    fprintf(out, " %s=%s", p->model.variant[i].name, p->model.variant[i].choice[p->model.variant[i].chosen]);
  fprintf(out, " on %s %dD", p->space.on_grid ? "grid" : "mesh", p->space.dims);
  if (!p->space.on_grid) fprintf(out, " %d", with->faces_per_cell);
  fputs("]\n@ measured\n", out);
  for (int i = 0; i < with->n_schedule; i++)
    fprintf(out, "%s = %s -- chosen\n", with->schedule[i].name, with->schedule[i].value);
  fclose(out);
  return text;
}

/* The first two lines say where it comes from. */
static const char *code_of(const dslc_program *p) {
  const char *first = strchr(p->execution.source, '\n'), *second = first ? strchr(first + 1, '\n') : NULL;
  return second ? second : "";
}

static bool is_same_by_profile(const asked *q) {
  char path[1200], *text = profile_of(q->with, q->p);
  dslc_program *other = NULL;
  dslc_options by_file = *q->with;
  snprintf(path, sizeof path, "%s/profile.txt", q->o->folder);
  by_file.profile = path, by_file.n_schedule = 0;
  const bool same = save_text(q->o->folder, "profile.txt", text) && compile_plainly(&by_file, &other) == 0 &&
                    strcmp(code_of(q->p), code_of(other)) == 0;
  if (!same) snprintf(q->why, q->size, "with its settings in a profile it is not the same program");
  unlink(path);
  free(text);
  dslc_program_destroy(&other);
  return same;
}

/* A setting that is slightly wrong is refused, or one of the others. */
static bool refuses_settings(const asked *q) {
  dslc_setting set[VERIFY_SETTINGS + 1];
  dslc_options o = *q->with;
  dslc_program *p = NULL;
  if (o.n_schedule == 0) return true;
  memcpy(set, o.schedule, sizeof *set * (size_t)o.n_schedule);
  dslc_setting *one = &set[random_below(q->state, (uint64_t)o.n_schedule)];
  const bool value = random_below(q->state, 2);
  char *wrong = mutate(value ? one->value : one->name, q->state);
  if (!wrong) return true;
  if (value) one->value = wrong;
  else one->name = wrong;
  o.schedule = set;
  const int status = compile_plainly(&o, &p);
  if (status != 0 && status != 3)
    snprintf(q->why, q->size, "the setting %s = %s ends with status %d", one->name, one->value, status);
  dslc_program_destroy(&p);
  free(wrong);
  return status == 0 || status == 3;
}

/* ---- one step of a way --------------------------------------------------------------------------------------------------------------- */

enum { MOST_STEPS_DRAWN = 64 };

/* What is printed, and one of the other questions by chance: each costs as much as compiling. */
static bool stands(const asked *q, const char *text) {
  const char *step = q->with->inspect.dump_after;
  reader *read = reader_of(step);
  const bool nothing = *text == '\0' && !q->with->periodic && strcmp(step, "images") == 0,
             opencl = q->with->emit == DSLC_EMIT_OPENCL;
  if (!reports(q) || !does_as_reported(q)) return false;
  if (!nothing && !is_same_again(q, read, text)) return false;
  if (!nothing && !is_refused_or_means(q, read, text)) return false;
  switch (random_below(q->state, 6)) {
  case 0: return keeps_manifest(q);
  case 1: return is_same_by_profile(q);
  case 2: return refuses_settings(q);
  case 3: return leads_to_scheme(q) && (!opencl || are_of_text(q));
  case 4: return !opencl || notes_missing_barrier(q);
  default: return !opencl || launches_end(q->p, q->state, q->why, q->size);
  }
}

bool prints_again(const options *o, dslc_options with, const computed *by, char *why, size_t size) {
  const char *step[MOST_STEPS_DRAWN];
  const int n = dslc_step_names(step, MOST_STEPS_DRAWN);
  uint64_t state = random_seed(by->seed ^ 0x5e7);
  char *text = NULL;
  size_t length;
  dslc_messages *m = NULL;
  dslc_program *p = NULL;
  with.inspect.dump_after = step[random_below(&state, (uint64_t)n)];
  if (dslc_step_is_kernels(with.inspect.dump_after)) with.emit = DSLC_EMIT_OPENCL;
  with.inspect.dump = open_memstream(&text, &length);
  const bool refused = dslc_compile(&with, &p, &m) != 0;
  fclose(with.inspect.dump);
  const asked q = {o, &with, by, p, &state, why, size};
  const bool good = refused || stands(&q, text);
  free(text);
  dslc_messages_destroy(&m);
  dslc_program_destroy(&p);
  return good;
}
