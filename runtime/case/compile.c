/* Compiles a case's scheme for its device and mesh. */
#include <stdlib.h>
#include <string.h>

#include "base/shipped.h"
#include "case/problems.h"
#include "case/products.h"
#include "run/internal.h"

/* The number of faces that all cells have, 0 if they differ. */
static int faces_per_cell(const mesh *m) {
  int n = m->n_cells ? m->sides.start[1] - m->sides.start[0] : 0;
  for (cell_id c = 1; c < m->n_cells; c++)
    if (m->sides.start[c + 1] - m->sides.start[c] != n) return 0;
  return n;
}

/* Some 500 cells for each compute unit of a GPU: the work of a step's kernels is less than what launches cost (measured on an H200, where
 * shallow water gains up to 100 000 triangles). */
static bool is_small(const exec_domain *domain, const dev_info *info) {
  enum { CELLS_OF_UNIT = 500 };
  return domain->m && info->concurrent && domain->m->n_cells <= (int64_t)CELLS_OF_UNIT * info->compute_units;
}

/* ---- what the case needs of the scheme ------------------------------------------------------------------------------------ */

static ew_status add_once(exec_names *names, const char *name, ew_error *err) {
  for (int i = 0; i < names->n; i++)
    if (strcmp(names->name[i], name) == 0) return EW_OK;
  return exec_names_add(names, name) ? EW_OK : ew_fail(err, EW_FAIL, "out of memory for the names of a case");
}

/* "q.x" asks for q; "wave.speed" may be a quantity's own name. Both are offered: the compiler takes those it knows. */
static ew_status add_field(exec_names *names, ew_case *texts, const char *name, ew_error *err) {
  if (!name) return EW_OK;
  if (add_once(names, name, err) != EW_OK) return EW_FAIL;
  const char *dot = strrchr(name, '.');
  if (!dot) return EW_OK;
  char *stem = case_alloc(texts, (size_t)(dot - name) + 1, err);
  if (!stem) return EW_FAIL;
  memcpy(stem, name, (size_t)(dot - name));
  return add_once(names, stem, err);
}

static ew_status names_shown(const ew_case *c, exec_names *names, ew_case *texts, ew_error *err) {
  const case_output *o = &c->output;
  ew_status status = EW_OK;
  for (int i = 0; i < c->added.n_shows; i++) EW_CHECK(add_field(names, texts, c->added.show[i], err));
  for (int i = 0; i < c->added.n_products; i++) EW_CHECK(add_once(names, c->added.product[i].name, err));
  for (int i = 0; i < o->n_fields; i++) EW_CHECK(add_field(names, texts, o->field[i], err));
  for (int i = 0; i < o->n_history; i++) EW_CHECK(add_field(names, texts, o->history[i], err));
  EW_CHECK(add_field(names, texts, o->elevation, err));
  for (int i = 0; i < o->n_pictures; i++) {
    for (int j = 0; j < o->picture[i].n_fields; j++)
      EW_CHECK(add_field(names, texts, o->picture[i].field[j], err));
    EW_CHECK(add_field(names, texts, o->picture[i].mask, err));
    EW_CHECK(add_field(names, texts, o->picture[i].terrain, err));
  }
  for (int i = 0; i < o->n_rasters; i++) {
    for (int j = 0; j < o->raster[i].n_fields; j++)
      EW_CHECK(add_field(names, texts, o->raster[i].field[j], err));
    EW_CHECK(add_field(names, texts, o->raster[i].mask, err));
  }
  for (int i = 0; i < o->n_plots; i++)
    for (int j = 0; j < o->plot[i].n_curves; j++)
      EW_CHECK(add_field(names, texts, o->plot[i].curve[j].field, err));
  for (int i = 0; i < o->n_probes; i++)
    for (int j = 0; j < o->probe[i].n_fields; j++)
      EW_CHECK(add_field(names, texts, o->probe[i].field[j], err));
cleanup:
  return status;
}

/* Behind a default, if there is one. */
static dslc_setting *settings(const case_setting *from, int n, const dslc_setting *before) {
  dslc_setting *out = calloc((size_t)n + 2, sizeof *out);
  if (out && before) out[0] = *before;
  for (int i = 0; out && i < n; i++) out[i + (before != NULL)] = (dslc_setting){from[i].name, from[i].value};
  return out;
}

/* Rules in use; on a grid by the axes across which their boundaries have faces: `outlet/x`. */
static ew_status names_of_rules(const ew_case *c, const exec_domain *domain, exec_names *rules,
                                ew_case *texts, ew_error *err) {
  for (int b = 0; b < c->n_boundaries; b++) {
    const case_boundary *on = &c->boundary[b];
    if (!domain->g && add_once(rules, on->rule, err) != EW_OK) return EW_FAIL;
    for (int i = 0; domain->g && i < on->n_names; i++) {
      int at = grid_find_boundary(domain->g, on->name[i]);
      for (int a = 0; at >= 0 && a < domain->g->dim; a++) {
        if (domain->g->boundary[at].n_walls[a] == 0) continue;
        char text[256];
        snprintf(text, sizeof text, "%s/%c", on->rule, "xyz"[a]);
        const char *kept = case_text(texts, text, err);
        if (!kept || add_once(rules, kept, err) != EW_OK) return EW_FAIL;
      }
    }
  }
  return EW_OK;
}

/* Arguments over time: "inflow.discharge". */
static ew_status names_over_time(const ew_case *c, exec_names *timed, ew_case *texts, ew_error *err) {
  for (int b = 0; b < c->n_boundaries; b++)
    for (int a = 0; a < c->boundary[b].n_arguments; a++) {
      char text[512];
      if (!case_value_changes(&c->boundary[b].argument[a])) continue;
      snprintf(text, sizeof text, "%s.%s", c->boundary[b].rule, c->boundary[b].argument[a].name);
      const char *kept = case_text(texts, text, err);
      if (!kept || add_once(timed, kept, err) != EW_OK) return EW_FAIL;
    }
  return EW_OK;
}

/* ---- what a profile knows of it ------------------------------------------------------------------------------------------ */

void exec_subject(const dslc_program *p, const exec_domain *domain, profile_subject *out) {
  size_t n = 0;
  *out = (profile_subject){.cells = exec_domain_cells(domain)};
  snprintf(out->scheme, sizeof out->scheme, "%s", p->identity.scheme);
  snprintf(out->text, sizeof out->text, "%s", p->identity.text_hash ? p->identity.text_hash : "");
  for (int i = 0; i < p->model.n_variants && n < sizeof out->variants; i++)
    n += (size_t)snprintf(out->variants + n, sizeof out->variants - n, "%s%s=%s", i ? " " : "",
                          p->model.variant[i].name, p->model.variant[i].choice[p->model.variant[i].chosen]);
  if (domain->g) snprintf(out->domain, sizeof out->domain, "grid %dD", exec_domain_dim(domain));
  else
    snprintf(out->domain, sizeof out->domain, "mesh %dD %d", exec_domain_dim(domain),
             domain->m ? faces_per_cell(domain->m) : 0);
}

/* What is later wins: defaults that the mesh suggests, the profile's, the case's own. The caller frees the array; its texts are those of
 * `f`. */
static dslc_setting *joined(const profile_found *f, const dslc_setting *own, int n, int defaults) {
  const int of_profile = f->n_general + f->entry.n;
  dslc_setting *all = calloc((size_t)(of_profile + n) + 1, sizeof *all), *to = all ? all + defaults : NULL;
  for (int i = 0; all && i < n; i++) all[i < defaults ? i : of_profile + i] = own[i];
  for (int i = 0; to && i < f->n_general; i++)
    *to++ = (dslc_setting){f->general[i].name, f->general[i].value};
  for (int i = 0; to && i < f->entry.n; i++)
    *to++ = (dslc_setting){f->entry.set[i].name, f->entry.set[i].value};
  return all;
}

static void say_profile(const profile_found *f, FILE *messages) {
  const device_profile_entry *e = &f->entry;
  const bool two_files = f->n_general > 0 && strcmp(f->path, f->general_path) != 0;
  if (!messages) return;
  fprintf(messages, "profile %s:", two_files ? f->general_path : f->path);
  for (int i = 0; i < f->n_general; i++) fprintf(messages, " %s=%s", f->general[i].name, f->general[i].value);
  if (two_files) fprintf(messages, "\nprofile %s:", f->path);
  for (int i = 0; i < e->n; i++) fprintf(messages, " %s=%s", e->set[i].name, e->set[i].value);
  if (e->n + (two_files ? 0 : f->n_general) == 0)
    fputs(" the default schedule, which tuning found to be the best", messages);
  else if (e->n > 0 && e->how.gain > 0 && f->n_general == 0 && f->as_measured)
    fprintf(messages, " (%.2f times as fast as %s on %lld cells%s%s)", e->how.gain,
            *e->of.with ? "the case's own settings alone" : "the default", (long long)e->of.cells,
            *f->device ? ", on " : "", f->device);
  fputc('\n', messages);
}

static ew_status call_compiler(const dslc_options *options, const ew_case *c, FILE *messages,
                               dslc_program **out, ew_error *err);

/* What settings are looked for. */
typedef struct asked {
  const char *named; /* the file to ask, or NULL: those that are found */
  const exec_domain *domain;
  const dev_info *info;
  FILE *messages;
} asked;

/* Whose settings a run goes without, and nobody would know. */
static void warn_unread(const asked *a) {
  char text[EW_PATH + 512];
  if (a->named || !a->messages) return;
  profile_unread(a->info, text, sizeof text);
  if (*text)
    fprintf(a->messages, "warning: no settings are taken from a profile that cannot be read: %s\n", text);
}

/* The first of the options' settings may be ours, for a small mesh; all others are the case's own. */
static ew_status find_settings(const asked *a, const dslc_program *p, const dslc_options *options,
                               profile_found *f, bool *found, ew_error *err) {
  profile_subject subject;
  *f = (profile_found){0};
  *found = false;
  if (!a->named && !profile_knows(a->info, p->identity.scheme)) return EW_OK;
  exec_subject(p, a->domain, &subject);
  for (int i = is_small(a->domain, a->info); i < options->n_schedule; i++)
    profile_add_own(&subject, options->schedule[i].name, options->schedule[i].value);
  if (a->named) return profile_look_into(a->named, a->info, &subject, f, found, err);
  *found = profile_look_up(a->info, &subject, f);
  return EW_OK;
}

/* Compiled by rule, the program says which scheme it is; if a profile knows that one, it is compiled again. */
static ew_status take_profile(const dslc_options *options, const asked *a, dslc_program **out,
                              ew_error *err) {
  profile_found f;
  bool found;
  FILE *messages = a->messages;
  warn_unread(a);
  ew_status status = find_settings(a, *out, options, &f, &found, err);
  if (status != EW_OK) return status;
  if (*f.why && messages)
    fprintf(messages, "note: settings in a profile are not used: %s; `edgewise tune` measures anew\n", f.why);
  if (!found) return EW_OK;
  say_profile(&f, messages);
  const int n = f.n_general + f.entry.n, first = is_small(a->domain, a->info);
  if (n == 0) return EW_OK;
  dslc_options tuned = *options;
  dslc_setting *all = joined(&f, options->schedule, options->n_schedule, first);
  if (!all) return ew_fail(err, EW_FAIL, "out of memory to compile %s", options->path);
  tuned.schedule = all;
  tuned.n_schedule = options->n_schedule + n;
  tuned.sources.profiled = (dslc_profiled){f.path, first, n};
  dslc_program_destroy(out);
  status = call_compiler(&tuned, NULL, messages, out, err);
  if (status != EW_OK) ew_context(err, "with the settings of %s", f.path);
  free(all);
  return status;
}

/* ---- the two ways to a program ------------------------------------------------------------------------------------------------ */

static dslc_emit language(const dev_info *info) {
  switch (info->language) {
  case DEV_C: return DSLC_EMIT_C;
  case DEV_C_OPENMP: return DSLC_EMIT_C_OPENMP;
  case DEV_REFERENCE: return DSLC_EMIT_REFERENCE;
  case DEV_OPENCL_C: break;
  }
  return DSLC_EMIT_OPENCL;
}

/* Kernels of a manifest are in the language they were made for; C with and without OpenMP is one. */
static bool can_run(const dslc_program *p, const dev_context *device) {
  if (dev_get_language(device) == DEV_REFERENCE) return false; /* a manifest has kernels, but no equations */
  bool opencl = !p->identity.target || strcmp(p->identity.target, "opencl") == 0;
  return opencl == (dev_get_language(device) == DEV_OPENCL_C);
}

static ew_status load(const ew_case *c, const dev_context *device, FILE *messages, dslc_program **out,
                      ew_error *err) {
  char path[EW_PATH], why[1024] = "";
  exec_find_file(c, c->build.manifest, false, path, sizeof path);
  int code = dslc_manifest_read(path, out, why, sizeof why);
  if (code != 0)
    return ew_fail(err, code == 6 ? EW_IO : code == 1 ? EW_FAIL : EW_INPUT, "%s", *why ? why : path);
  if ((*out)->identity.changed_by_hand && messages)
    fprintf(
        messages,
        "note: %s takes any kernels (\"source hash\": \"any\"): they are not compared with those that dslc "
        "wrote\n",
        path);
  if (can_run(*out, device)) return EW_OK;
  ew_status status = ew_fail(err, EW_INPUT, "%s holds kernels for target '%s', which device '%s' cannot run",
                             path, (*out)->identity.target, dev_name(device));
  dslc_program_destroy(out);
  return status;
}

/* A product or a section of the case is at fault, not the scheme. */
static bool blame_case(const dslc_options *options, const dslc_messages *m, const ew_case *c, ew_error *err) {
  char owner[160];
  int line;
  case_where at;
  const char *text =
      options->sources.addition ? dslc_messages_error_in(m, options->sources.addition_path, &line) : NULL;
  if (!text || !case_products_owner(c, options->sources.addition, line, owner, sizeof owner, &at))
    return false;
  ew_fail(err, EW_INPUT, "%s:%d: %s: %s", at.file ? at.file : "the case", at.line, owner, text);
  return true;
}

/* Where nobody reads the compiler's messages, as in tuning, ours has the first of them. */
static ew_status refuse_scheme(const dslc_options *options, const dslc_messages *m, ew_status status,
                               bool shown, ew_error *err) {
  const int errors = dslc_messages_errors(m);
  int line = 0;
  const char *first = shown ? NULL : dslc_messages_error_in(m, options->path, &line);
  char where[32] = "";
  if (first && line > 0) snprintf(where, sizeof where, " line %d:", line);
  return ew_fail(err, status, "%s: %d error%s in the scheme or its schedule%s%s%s%s", options->path, errors,
                 errors == 1 ? "" : "s", first ? ":" : "", where, first ? " " : "", first ? first : "");
}

static ew_status call_compiler(const dslc_options *options, const ew_case *c, FILE *messages,
                               dslc_program **out, ew_error *err) {
  dslc_messages *m = NULL;
  ew_status status = EW_OK;
  const int code = dslc_compile(options, out, &m);
  if (messages) dslc_messages_print(m, messages, false);
  if (code == 1) status = ew_fail(err, EW_FAIL, "out of memory to compile %s", options->path);
  else if (code == 3 && c && blame_case(options, m, c, err)) status = EW_INPUT;
  else if (code != 0)
    status = refuse_scheme(options, m, code == 70 ? EW_INTERNAL : EW_INPUT, messages != NULL, err);
  dslc_messages_destroy(&m);
  return status;
}

/* Whether the case names one; its path. */
static bool find_profile(const ew_case *c, char path[EW_PATH]) {
  const bool named = c->build.profile && strcmp(c->build.profile, "none") != 0;
  if (named) exec_find_file(c, c->build.profile, false, path, EW_PATH);
  return named;
}

/* What the compiler is told of a case besides its options; owned. */
typedef struct told {
  ew_case *texts; /* owner of names */
  exec_names shown, rules, timed;
  dslc_setting *variant, *schedule;
  char *addition; /* statements of the case */
  char path[EW_PATH], profile[EW_PATH], addition_path[EW_PATH];
} told;

static void told_clear(told *s) {
  free(s->addition);
  free(s->variant);
  free(s->schedule);
  exec_names_clear(&s->shown);
  exec_names_clear(&s->rules);
  exec_names_clear(&s->timed);
  case_destroy(&s->texts);
}

static ew_status tell(const ew_case *c, const exec_domain *domain, bool small, told *s, ew_error *err) {
  static const dslc_setting together = {"launches", "together"};
  ew_status status = EW_OK;
  s->variant = settings(c->build.variant, c->build.n_variants, NULL);
  s->schedule = settings(c->build.schedule, c->build.n_schedule, small ? &together : NULL);
  exec_find_file(c, c->build.scheme, true, s->path, sizeof s->path);
  EW_CHECK(case_create(&s->texts, err));
  EW_CHECK(names_shown(c, &s->shown, s->texts, err));
  EW_CHECK(names_of_rules(c, domain, &s->rules, s->texts, err));
  EW_CHECK(names_over_time(c, &s->timed, s->texts, err));
  EW_CHECK(case_products_text(c, &s->addition, err));
  snprintf(s->addition_path, sizeof s->addition_path, "products of %s", c->file ? c->file : "the case");
  if (!s->variant || !s->schedule) EXEC_LEAVE(err, EW_FAIL, "out of memory to compile %s", s->path);
cleanup:
  return status;
}

ew_status exec_compile(const ew_case *c, const exec_domain *domain, const dev_info *info, FILE *messages,
                       dslc_program **out, ew_error *err) {
  ew_status status = EW_OK;
  told s = {0};
  shipped ours;
  const bool named = find_profile(c, s.profile);
  const bool small = is_small(domain, info);
  const asked profile = {named ? s.profile : NULL, domain, info, messages};
  EW_CHECK(tell(c, domain, small, &s, err));
  const bool ahead = c->build.ahead && s.timed.n == 0; /* `dslc build` knows of no case whose values vary */
  dslc_options options = {.path = s.path,
                          .sources.addition = s.addition,
                          .sources.addition_path = s.addition_path,
                          .sources.import_path = shipped_find(&ours, "schemes"),
                          .dims = exec_domain_dim(domain),
                          .emit = language(info),
                          .n_variants = c->build.n_variants,
                          .variant = s.variant,
                          .n_schedule = c->build.n_schedule + small,
                          .schedule = s.schedule,
                          .cpu = info->type == DEV_CPU || info->type == DEV_HOST,
                          .inspect.look_over = info->model,
                          .faces_per_cell = domain->m ? faces_per_cell(domain->m) : 0,
                          .periodic = ahead || exec_domain_is_periodic(domain),
                          .n_rules = ahead ? -1 : s.rules.n,
                          .rule = s.rules.name,
                          .n_show = ahead ? -1 : s.shown.n,
                          .show = s.shown.name,
                          .n_timed = s.timed.n,
                          .timed = s.timed.name};
  EW_CHECK(call_compiler(&options, c, messages, out, err));
  if ((named || (!c->build.profile && !c->build.by_rule)) && info->language != DEV_REFERENCE)
    EW_CHECK(take_profile(&options, &profile, out, err));
cleanup:
  told_clear(&s);
  return status;
}

ew_status exec_program(const ew_case *c, const exec_domain *domain, dev_context *device, FILE *messages,
                       dslc_program **out, ew_error *err) {
  if (c->build.manifest) return load(c, device, messages, out, err);
  if (!c->build.scheme) return ew_fail(err, EW_INPUT, "the case names no scheme");
  return exec_compile(c, domain, dev_get_info(device), messages, out, err);
}

void exec_bound_passes(dslc_program *p, int most) {
  for (int s = 0; s < p->execution.n_sections; s++)
    for (int i = 0; i < p->execution.section[s].n_ops; i++) {
      dslc_op *op = &p->execution.section[s].op[i];
      if (op->kind == DSLC_OP_REPEAT && most > 0 && op->limit > most) op->limit = most;
    }
}
