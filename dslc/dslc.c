/* libdslc: the whole pipeline, from text to program. */
#include "dslc.h"

#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

#include "back/file.h"
#include "base/diag.h"
#include "emit/program.h"
#include "front/ast.h"
#include "tex/tex.h"
#include "kernel/agree.h"
#include "kernel/pass.h"
#include "kernel/resolve.h"
#include "load.h"
#include "lower/lower.h"
#include "pass/pass.h"
#include "reference/program.h"
#include "schedule/steps.h"
#include "sema/sema.h"

struct dslc_messages {
  arena *memory;
  diag_sink *sink; /* NULL: memory ran out before there was one */
  bool out_of_memory;
};

enum { MOST_COMBINATIONS = 4096, MOST_STEPS = 64, STATUS_FAIL = 1, STATUS_INPUT = 3, STATUS_INTERNAL = 70 };

/* One compilation. Everything lives in one arena, which the program keeps; another holds the messages, which outlive both. */
typedef struct compilation {
  arena *memory, *kept;
  arena *whole; /* the one arena, while a combination of variants has one of its own; else NULL */
  intern_pool *names;
  source_set *sources;
  diag_sink *sink;
  const dslc_options *options;
  const ast_file *file;
  loader load;
  const char *text_hash; /* of the scheme's text and imports; NULL before it is asked for */
  jmp_buf recovery;      /* running out of memory comes back here, and a scanner that is at its end */
} compilation;

static void out_of_memory(void *ctx, size_t size) {
  (void)size;
  longjmp(((compilation *)ctx)->recovery, 1);
}

/* ---- passes ---------------------------------------------------------------------------------------------------------- */

/* What every pass makes is looked over in debug builds; it costs a quarter of all checking, so elsewhere only what the last one
 * makes is. */
#ifdef NDEBUG
enum { VERIFIES_EACH = false };
#else
enum { VERIFIES_EACH = true };
#endif

static bool verified(compilation *c, const char *pass, const ir_module *m, bool last) {
  const dslc_options *o = c->options;
  if (o->inspect.dump && o->inspect.dump_after && strcmp(o->inspect.dump_after, pass) == 0)
    ir_print(m, o->inspect.dump);
  const char *broken = VERIFIES_EACH || o->inspect.look_over || last ? ir_verify(m) : NULL;
  if (broken) diag_report(c->sink, DIAG_INTERNAL, (span){0}, "after `%s`: %s", pass, broken);
  return !broken;
}

static const struct pass {
  const char *name;
  ir_module *(*run)(const ir_module *);
} passes[] = {{"quadratic", pass_quadratic},
              {"components", pass_components},
              {"images", pass_images}, /* periodic meshes only */
              {"fold", pass_fold},
              {"strength", pass_strength},
              {"cse", pass_cse},
              {"reciprocal", pass_reciprocal}};
enum { N_PASSES = sizeof passes / sizeof *passes };

static ir_module *run_passes(compilation *c, ir_module *m, select_form select, select_report *selects) {
  if (!verified(c, "sema", m, false)) return NULL;
  for (int i = 0; i < N_PASSES; i++) {
    bool unasked = passes[i].run == pass_images && !c->options->periodic;
    if (!unasked) m = passes[i].run(m);
    if (!verified(c, passes[i].name, m, false)) return NULL;
  }
  m = pass_select(m, select, selects);
  if (!verified(c, "select", m, false)) return NULL;
  m = pass_sweep(m);
  return verified(c, "sweep", m, true) ? m : NULL;
}

/* What the planner needs said as equations. */
static bool run_lowerings(compilation *c, lowering *l) {
  int n;
  const lower_step *steps = lower_steps(&n);
  for (int i = 0; i < n; i++) {
    steps[i].run(l);
    if (!verified(c, steps[i].name, l->m, i + 1 == n)) return false;
  }
  return true;
}

/* ---- kernels --------------------------------------------------------------------------------------------------------- */

/* As they are built, and as they are printed; between these two the passes have names. */
#ifdef EW_DEBUG_BUILD
enum { LOOKS_OVER_KERNELS = true };
#else
enum { LOOKS_OVER_KERNELS = false };
#endif

static const char built_step[] = "built", kernels_step[] = "kernels";

static bool is_asked(const compilation *c, const char *step) {
  const dslc_options *o = c->options;
  return o->inspect.dump && o->inspect.dump_after && strcmp(o->inspect.dump_after, step) == 0;
}

/* What a step left is looked over in debug builds, elsewhere where it is asked for: finding what every name stands for takes as long as half
 * of compiling. C11 is not: it unpacks its arguments by casts of pointers. */
static bool looked_over(compilation *c, const char *step, const kir_unit *unit, const dslc_program *g) {
  kir_message message;
  char differences[1000];
  if (!unit || (!LOOKS_OVER_KERNELS && !is_asked(c, step))) return true;
  kir_program *p = kir_resolve(c->memory, unit, "", &message);
  if (!p || kir_verify(p, &message, 1) > 0) {
    diag_report(c->sink, DIAG_INTERNAL, (span){0}, "after `%s`: line %d of the kernels: %s", step,
                message.line, message.text);
    return false;
  }
  if (g && kir_agrees(p, g, differences, sizeof differences) > 0) {
    diag_report(c->sink, DIAG_INTERNAL, (span){0}, "the manifest and the kernels differ:\n%s", differences);
    return false;
  }
  return !is_asked(c, step) || fputs(kir_print(p), c->options->inspect.dump) >= 0;
}

/* Passes over kernels, and their text. False: a pass made a mistake, which is reported. */
static bool finish_kernels(compilation *c, dslc_program *g, kernel_file *f) {
  int n;
  const kir_pass *pass = kir_passes(&n);
  kir_unit *unit = NULL;
  if (f->how.opencl) {
    unit = arena_new(c->memory, kir_unit);
    *unit = (kir_unit){f->kernels, f->n_kernels, f->beginning, NULL};
  }
  bool good = looked_over(c, built_step, unit, NULL);
  for (int i = 0; good && i < n; i++) {
    pass[i].run(f->kernels, &f->how);
    good = looked_over(c, pass[i].name, unit, NULL);
  }
  if (!good) return false;
  g->execution.source = back_print(f, c->memory);
  if (unit) unit->source = g->execution.source;
  g->execution.unit = unit;
  return looked_over(c, kernels_step, unit, g);
}

int dslc_step_names(const char **names, int most) {
  int n = 0, n_lowerings, n_kernel_passes;
  const lower_step *steps = lower_steps(&n_lowerings);
  const char *all[MOST_STEPS] = {"sema"};
  int total = 1;
  for (int i = 0; i < N_PASSES; i++) all[total++] = passes[i].name;
  all[total++] = "select", all[total++] = "sweep";
  for (int i = 0; i < n_lowerings; i++) all[total++] = steps[i].name;
  total += plan_step_names(&all[total]);
  all[total++] = built_step;
  const kir_pass *kernel_pass = kir_passes(&n_kernel_passes);
  for (int i = 0; i < n_kernel_passes; i++) all[total++] = kernel_pass[i].name;
  all[total++] = kernels_step;
  for (; n < total && n < most; n++) names[n] = all[n];
  return total;
}

bool dslc_step_is_kernels(const char *step) {
  int n;
  const kir_pass *pass = kir_passes(&n);
  bool is = strcmp(step, built_step) == 0 || strcmp(step, kernels_step) == 0;
  for (int i = 0; i < n; i++) is = is || strcmp(step, pass[i].name) == 0;
  return is;
}

/* ---- planning ----------------------------------------------------------------------------------------------------------- */

/* No plan: refused, or passes found a mistake of the compiler; the sink says which. */
static plan_result plan_of(compilation *c, ir_module *m, const schedule *s) {
  const plan_result none = {0};
  select_report selects = {0};
  m = run_passes(c, m, s->select, &selects);
  if (!m) return none;
  lowering low = {.m = m,
                  .schedule = s,
                  .rule_used = lower_rules_used(m, c->options),
                  .periodic = c->options->periodic,
                  .n_timed = c->options->n_timed,
                  .timed = c->options->timed};
  if (!run_lowerings(c, &low)) return none;
  return plan_make(c->memory, &low, &selects, c->options, c->sources, c->sink);
}

/* ---- names for what is compiled ----------------------------------------------------------------------------------- */

/* FNV-1a twice with different starts, side by side: each alone waits for its own products. */
static void hash_text(uint64_t h[2], const char *text) {
  const uint64_t prime = 0x100000001b3ULL;
  uint64_t one = h[0], two = h[1];
  for (; *text; text++)
    one = (one ^ (unsigned char)*text) * prime, two = (two ^ (unsigned char)*text) * prime;
  h[0] = (one ^ 0xff) * prime, h[1] = (two ^ 0xff) * prime;
}

/* A name for what was compiled, not a defence. `more` may be NULL. */
static const char *hash_of(compilation *c, const char *more) {
  uint64_t h[2] = {0xcbf29ce484222325ULL, 0x84222325cbf29ce4ULL};
  for (int i = 0; i < source_count(c->sources); i++) hash_text(h, source_get(c->sources, (uint32_t)i)->text);
  if (more) hash_text(h, more), hash_text(h, dslc_version());
  return arena_printf(c->memory, "%016llx%016llx", (unsigned long long)h[0], (unsigned long long)h[1]);
}

/* ---- schedules ----------------------------------------------------------------------------------------------------------- */

/* What sections of profiles are about: the scheme, its variants and its domain; 0 faces of a cell: that is open. */
static const char *subject_of(compilation *c, const ir_module *m, const sema_info *info) {
  const char *text = m->scheme;
  for (int i = 0; i < info->n_variants; i++)
    text = arena_printf(c->memory, "%s %s=%s", text, info->variant[i].text,
                        info->variant[i].choice[info->variant[i].chosen]);
  text = arena_printf(c->memory, "%s on %s %dD", text, m->on_grid ? "grid" : "mesh", m->dims);
  return m->on_grid ? text : arena_printf(c->memory, "%s %d", text, c->options->faces_per_cell);
}

static schedule read_schedule(compilation *c, const ir_module *m, const sema_info *info) {
  if (!c->text_hash) c->text_hash = hash_of(c, NULL); /* before the schedule's file is among the sources */
  if (m->on_grid && c->options->faces_per_cell)
    diag_report(c->sink, DIAG_SCHEDULE_IMPOSSIBLE, (span){0},
                "`--faces-per-cell` changes nothing here: it is about meshes");
  else if (c->options->faces_per_cell && c->options->faces_per_cell <= m->dims)
    diag_report(c->sink, DIAG_SCHEDULE_IMPOSSIBLE, (span){0},
                "`--faces-per-cell %d` is of no mesh here: cells of %d dimensions have %d faces or more",
                c->options->faces_per_cell, m->dims, m->dims + 1);
  const schedule_for what = {c->options, m, subject_of(c, m, info), c->text_hash};
  return schedule_read(c->memory, c->names, c->sources, c->sink, &what);
}

/* ---- checking ----------------------------------------------------------------------------------------------------------- */

static void plan_as_built(compilation *c, ir_module *m, const sema_info *info) {
  int errors = diag_errors(c->sink);
  schedule s = read_schedule(c, m, info);
  if (diag_errors(c->sink) == errors) plan_of(c, m, &s);
}

/* What it warns of, the first combination has been warned of, too. */
static bool can_be_built(compilation *c, ir_module *m, const sema_info *info) {
  diag_sink *sink = c->sink;
  c->sink = diag_create(c->memory, c->sources);
  plan_as_built(c, m, info);
  const bool good = diag_errors(c->sink) == 0;
  c->sink = sink;
  return good;
}

/* What is checked can be built: each combination is planned as for a build; in editors only the first one, of the others all that can
 * be seen without. */
static void check_plan(compilation *c, ir_module *m, const sema_info *info, bool first) {
  if (!first && c->options->quick) schedule_can_plan(m, c->sink);
  else if (first || !can_be_built(c, m, info)) plan_as_built(c, m, info);
}

static ir_module *analyse(compilation *c, const sema_options *o, sema_info *info) {
  const sema_files files = {c->file, c->load.imports.at, c->load.imports.n,
                            c->options->path, c->options->sources.import_path};
  ir_module *m = sema_analyse(c->memory, c->names, &files, o, c->sink, info);
  return m && schedule_rules_end(m, c->sink) ? m : NULL;
}

static void check_combination(compilation *c, int dims, int number, bool quiet) {
  sema_options o = {.dims = dims, .periodic = c->options->periodic, .quiet = quiet};
  sema_info info;
  if (c->options->n_variants)
    o.n_variants = c->options->n_variants, o.variant = (const sema_setting *)c->options->variant;
  else sema_variant_combination(c->file, number, c->memory, &o);
  ir_module *m = analyse(c, &o, &info);
  if (m) check_plan(c, m, &info, !o.quiet);
}

/* Of thousands each leaves nothing behind. */
static void check_another(compilation *c, int dims, int number) {
  arena *own = arena_create(out_of_memory, c), *whole = c->memory;
  if (own) c->whole = whole, c->memory = own;
  check_combination(c, dims, number, true);
  if (own) arena_destroy(&c->memory), c->memory = whole, c->whole = NULL;
}

static void say_how_many(compilation *c, int checked, double all) {
  if (checked < all && !c->options->quick)
    diag_report(c->sink, DIAG_COMBINATIONS, c->file->scheme->name_at,
                "of %.0f combinations of variants %d were checked, with each choice at least once", all,
                checked);
}

/* Every combination of variants that the options leave open, up to some thousands, in each number of dimensions that they leave open. */
static void check_all(compilation *c) {
  const ast_scheme *scheme = c->file->scheme;
  const sema_combinations of =
      c->options->n_variants ? (sema_combinations){.all = 1} : sema_variant_combinations(c->file);
  const int n = of.all < MOST_COMBINATIONS ? (int)of.all : MOST_COMBINATIONS;
  const int last = c->options->quick && of.first > 0 ? of.first : of.first + n;
  const bool any_dims = scheme->dim == 0 && c->options->dims == 0;
  for (int dims = any_dims ? 2 : c->options->dims; dims <= (any_dims ? 3 : c->options->dims); dims++)
    for (int i = 0; i < last && diag_errors(c->sink) == 0; i++) {
      if (i > 0 || (any_dims && dims > 2)) check_another(c, dims, i);
      else check_combination(c, dims, i, false);
    }
  if (diag_errors(c->sink) == 0) say_how_many(c, n, of.all);
}

/* ---- building ------------------------------------------------------------------------------------------------------------- */

static void describe_addition(const compilation *c, dslc_program *g, const ir_module *m) {
  for (int i = 0; c->options->sources.addition && i < g->model.n_fields; i++) {
    dslc_field *f = &g->model.field[i];
    for (ir_sym q = 1; q < (ir_sym)m->symbol.n; q++)
      if (ir_symbol_get(m, q)->kind == IR_EQUATION && strcmp(ir_symbol_get(m, q)->text, f->name) == 0)
        ir_reads_last_step(m, q, &f->looks_back, &f->reads_dt);
  }
}

static void describe_profile(compilation *c, dslc_identity *to) {
  const dslc_profiled *p = &c->options->sources.profiled;
  if (!p->path) return;
  dslc_setting *all = arena_array(c->memory, dslc_setting, p->n + 1);
  for (int i = 0; i < p->n; i++) {
    const dslc_setting *from = &c->options->schedule[p->first + i];
    all[i] =
        (dslc_setting){arena_printf(c->memory, "%s", from->name), arena_printf(c->memory, "%s", from->value)};
  }
  to->profile_path = arena_printf(c->memory, "%s", p->path);
  to->n_profiled = p->n;
  to->profiled = all;
}

static void describe(compilation *c, dslc_program *g, const ir_module *m, const sema_info *info,
                     const char *profile) {
  static const char *const targets[] = {"opencl", "c", "c-openmp", "reference"};
  g->identity.scheme = m->scheme;
  g->identity.path = arena_printf(c->memory, "%s", c->options->path);
  g->identity.target = targets[c->options->emit];
  g->identity.profile = profile                                                   ? profile
                        : c->options->cpu || c->options->emit != DSLC_EMIT_OPENCL ? "default (CPU)"
                                                                                  : "default (GPU)";
  describe_profile(c, &g->identity);
  g->space.dims = m->dims;
  g->space.on_grid = m->on_grid;
  g->space.periodic = c->options->periodic;
  g->space.by_distance = ir_step_reads(m, "distance");
  g->model.shows_start = ir_shows_start(m, c->options->show, c->options->n_show);
  g->model.n_variants = info->n_variants;
  g->model.variant = arena_array(c->memory, dslc_variant, info->n_variants + 1);
  for (int i = 0; i < info->n_variants; i++)
    g->model.variant[i] = (dslc_variant){.name = info->variant[i].text,
                                         .n_choices = info->variant[i].n_choices,
                                         .choice = info->variant[i].choice,
                                         .chosen = info->variant[i].chosen};
  describe_addition(c, g, m);
}

/* What the scheme says above a declaration, or behind it. The last of several declarations of a name counts. */
typedef struct comments {
  intern_pool *names;
  name_map *rule, *field, *parameter;
} comments;

static void note_comments(const comments *to, const ast_decl *d) {
  if (d->kind == AST_BOUNDARY) name_map_put(to->rule, intern_str(to->names, d->text), (void *)d->comment);
  if (d->kind == AST_EQUATION)
    name_map_put(to->field, intern_str(to->names, d->head.text), (void *)d->comment);
  for (int i = 0; i < d->n_names && d->kind != AST_EQUATION; i++)
    name_map_put(to->field, intern_str(to->names, d->names[i]), (void *)d->comment);
  for (int i = 0; i < d->n_params && d->kind == AST_PARAMETER; i++)
    name_map_put(to->parameter, intern_str(to->names, d->params[i].text), (void *)d->params[i].comment);
}

static const char *comment_on(const comments *c, const name_map *kind, const char *text) {
  return name_map_get(kind, intern_str(c->names, text));
}

/* Shown beside the name in cases and reports. */
static void add_comments(compilation *c, dslc_program *g) {
  arena *a = c->memory;
  const comments said = {c->names, name_map_create(a), name_map_create(a), name_map_create(a)};
  for (int i = 0; i < c->file->scheme->n_decls; i++) note_comments(&said, c->file->scheme->decls[i]);
  for (int i = 0; i < g->model.n_rules; i++)
    g->model.rule[i].comment = comment_on(&said, said.rule, g->model.rule[i].name);
  for (int i = 0; i < g->model.n_fields; i++)
    g->model.field[i].comment = comment_on(&said, said.field, g->model.field[i].name);
  for (int i = 0; i < g->model.n_parameters; i++)
    g->model.parameter[i].comment = comment_on(&said, said.parameter, g->model.parameter[i].name);
}

/* The equations as the analysis leaves them: what they mean must not depend on any pass. */
static dslc_program *interpreted(compilation *c, ir_module *m, const sema_info *info) {
  if (!verified(c, "sema", m, true)) return NULL;
  dslc_program *g = ref_program(c->memory, m, c->sources, c->options);
  describe(c, g, m, info, "none");
  add_comments(c, g);
  g->identity.hash = hash_of(c, "reference");
  g->memory = c->memory;
  return g;
}

static dslc_program *build(compilation *c) {
  sema_options o = {.dims = c->options->dims,
                    .periodic = c->options->periodic,
                    .n_variants = c->options->n_variants,
                    .variant = (const sema_setting *)c->options->variant};
  sema_info info;
  const char *text_hash = c->text_hash = hash_of(c, NULL);
  ir_module *m = analyse(c, &o, &info);
  if (!m) return NULL;
  if (c->options->emit == DSLC_EMIT_REFERENCE) {
    dslc_program *g = interpreted(c, m, &info);
    if (g) g->identity.text_hash = text_hash;
    return g;
  }
  int errors = diag_errors(c->sink);
  schedule s = read_schedule(c, m, &info);
  if (diag_errors(c->sink) > errors) return NULL;
  plan_result r = plan_of(c, m, &s);
  if (!r.plan) return NULL;
  dslc_program *g = r.plan->program;
  describe(c, g, m, &info, s.profile);
  add_comments(c, g);
  kernel_file *file = emit_program(r.plan, c->options->emit, r.rebind, r.n_rebinds);
  if (!finish_kernels(c, g, file)) return NULL;
  g->identity.hash = hash_of(c, g->execution.source);
  g->identity.text_hash = text_hash;
  g->memory = c->memory;
  return g;
}

/* ---- the driver --------------------------------------------------------------------------------------------------------------- */

static dslc_program *compile(compilation *c) {
  c->names = intern_create(c->memory);
  c->load = (loader){
      .memory = c->memory, .names = c->names, .sources = c->sources, .sink = c->sink, .options = c->options};
  c->file = load_scheme(&c->load);
  if (!c->file) return NULL;
  if (!c->options->check_only) return build(c);
  check_all(c);
  return NULL;
}

/* A compilation and its messages with an arena each, still empty; NULL if there is no memory for them. */
static compilation *compilation_create(const dslc_options *options, dslc_messages **messages) {
  compilation *c = calloc(1, sizeof *c);
  dslc_messages *m = *messages = calloc(1, sizeof *m);
  if (c) c->options = options, c->memory = arena_create(out_of_memory, c);
  if (c && m) c->kept = m->memory = arena_create(out_of_memory, c);
  if (c && c->memory && c->kept) return c;
  if (m) m->out_of_memory = true;
  if (c) arena_destroy(&c->memory);
  free(c);
  return NULL;
}

/* Within the recovery point: what it makes, it makes in the arenas. */
static void open_messages(compilation *c, dslc_messages *m) {
  c->sources = source_create(c->kept);
  c->sink = m->sink = diag_create(c->kept, c->sources);
}

static bool is_internal(const dslc_messages *m) {
  for (const diag *d = m->sink ? diag_first(m->sink) : NULL; d; d = d->next)
    if (d->code == DIAG_INTERNAL) return true;
  return false;
}

int dslc_compile(const dslc_options *options, dslc_program **program, dslc_messages **messages) {
  if (program) *program = NULL;
  compilation *c = compilation_create(options, messages);
  if (!c) return STATUS_FAIL;
  dslc_messages *m = *messages;
  dslc_program *volatile g = NULL;
  if (setjmp(c->recovery) == 0) {
    open_messages(c, m);
    g = compile(c);
  } else m->out_of_memory = !is_internal(m);
  if (c->whole) arena_destroy(&c->memory), c->memory = c->whole;
  int errors = dslc_messages_errors(m);
  if (g && program && !errors) *program = g;
  else arena_destroy(&c->memory);
  free(c);
  if (m->out_of_memory) return STATUS_FAIL;
  return is_internal(m) ? STATUS_INTERNAL : errors ? STATUS_INPUT : 0;
}

/* ---- messages -------------------------------------------------------------------------------------------------------------------- */

bool dslc_messages_cut_short(const dslc_messages *m) { return !m || m->out_of_memory; }

int dslc_messages_errors(const dslc_messages *m) {
  return (m && m->sink ? diag_errors(m->sink) : 0) + dslc_messages_cut_short(m);
}

const char *dslc_messages_error_in(const dslc_messages *m, const char *path, int *line) {
  const diag *d = m && m->sink ? diag_error_in(m->sink, path, line) : NULL;
  return d ? d->message : NULL;
}

int dslc_messages_warnings(const dslc_messages *m) { return m && m->sink ? diag_warnings(m->sink) : 0; }

void dslc_messages_print(const dslc_messages *m, FILE *out, bool colour) {
  if (m && m->sink) diag_print_text(m->sink, out, colour);
  if (dslc_messages_cut_short(m)) fputs("error: out of memory\n", out);
}

void dslc_messages_print_json(const dslc_messages *m, FILE *out) {
  if (!dslc_messages_cut_short(m)) diag_print_json(m->sink, out);
  else fputs("[{\"severity\": \"error\", \"message\": \"out of memory\"}]\n", out);
}

void dslc_messages_destroy(dslc_messages **m) {
  if (!m || !*m) return;
  arena_destroy(&(*m)->memory);
  free(*m);
  *m = NULL;
}

const char *dslc_explain(const char *code, const char **title) {
  diag_code c;
  if (!diag_code_find(code, &c)) return NULL;
  if (title) *title = diag_code_title(c);
  return diag_code_explanation(c);
}

/* What the options' text becomes when it is parsed; NULL if it has errors. */
typedef char *rewriter(loader *l);

static char *rewrite(const dslc_options *options, rewriter *how, dslc_messages **messages) {
  compilation *c = compilation_create(options, messages);
  if (!c) return NULL;
  dslc_messages *m = *messages;
  char *volatile copy = NULL;
  if (setjmp(c->recovery) == 0) {
    open_messages(c, m);
    c->load = (loader){.memory = c->memory,
                       .names = intern_create(c->memory),
                       .sources = c->sources,
                       .sink = m->sink,
                       .options = options};
    const char *out = how(&c->load);
    copy = out ? strdup(out) : NULL;
    m->out_of_memory = out && !copy;
  } else m->out_of_memory = !is_internal(m);
  arena_destroy(&c->memory);
  free(c);
  return copy;
}

static char *formatted(loader *l) {
  const dslc_options *o = l->options;
  uint32_t file = source_add(l->sources, o->path, o->text, (uint32_t)strlen(o->text));
  return format_file(l->memory, l->names, l->sources, file, l->sink);
}

char *dslc_format(const char *path, const char *text, dslc_messages **messages) {
  const dslc_options options = {.path = path, .text = text};
  return rewrite(&options, formatted, messages);
}

char *dslc_tex(const dslc_options *options, dslc_messages **messages) {
  return rewrite(options, tex_document, messages);
}

double dslc_step_slack(double t_stop, double dt) {
  const double sums = t_stop / dt;
  return dt * fmin(fmax(DBL_EPSILON * sums * sums, 1e-6), 1e-3);
}

const char *dslc_version(void) { return EW_VERSION; }
