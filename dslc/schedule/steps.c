/* Planning, step by step: the table of all steps, each with the value that it belongs to. */
#include <string.h>

#include "schedule/grid.h"
#include "schedule/nodes.h"
#include "schedule/outline.h"
#include "schedule/steps.h"

/* ---- the walk's beginning and end -------------------------------------------------------------------------------------------- */

static void publish(planner *pl) {
  dslc_program *g = pl->program;
  g->execution.n_buffers = pl->made->buffer.n, g->execution.buffer = pl->made->buffer.at;
  g->model.n_fields = pl->made->field.n, g->model.field = pl->made->field.at;
  g->model.n_globals = pl->made->global.n, g->model.global = pl->made->global.at;
  g->execution.together = pl->in->schedule->together;
  g->execution.n_checks = pl->made->check.n, g->execution.check = pl->made->check.at;
  g->execution.n_solves = pl->made->solve.n, g->execution.solve = pl->made->solve.at;
  g->execution.n_repeats = pl->made->repeat_list.n, g->execution.repeat = pl->made->repeat_list.at;
  publish_holds(pl);
  g->execution.n_sections = pl->made->section.n, g->execution.section = pl->made->section.at;
  g->model.n_equations = pl->made->equation.n, g->model.equation = pl->made->equation.at;
  g->n_notes = pl->made->note.n, g->note = pl->made->note.at;
}

static plan *make_shell(planner *pl) {
  plan *p = arena_new(pl->memory, plan);
  p->memory = pl->memory;
  p->module = pl->to;
  p->program = pl->program;
  p->how.select = pl->in->schedule->select;
  p->how.divide = pl->in->schedule->divide;
  p->how.cpu = pl->in->options->cpu;
  p->how.reduce = pl->in->schedule->reduce;
  p->how.loop = pl->in->schedule->loop;
  p->how.reads_first =
      pl->in->schedule->reads_first && !p->how.loop && pl->in->options->emit == DSLC_EMIT_OPENCL;
  p->how.tile = pl->from->dims > 1 ? pl->in->schedule->grid.tile : 1;
  p->how.unroll = pl->in->schedule->unroll ? pl->in->options->faces_per_cell : 0;
  p->sources = pl->in->sources;
  p->grid.tables = p->grid.wall_point = p->grid.wall_number = -1;
  vec_push(p->memory, &p->context, ((plan_context){0}));
  return p;
}

/* Equations first, then kernels: what decides where an equation lives has not seen a kernel. */
static planner planner_of(const problem *in, const symbol_use *use, const dependence *d,
                          const symbol_storage *storage) {
  arena *a = in->memory;
  const ir_module *m = in->from;
  planner pl = {.memory = a, .in = in, .from = in->from, .use = use, .dependence = d, .storage = storage};
  pl.walls.places = arena_new(a, wall_places);
  pl.to = ir_create_like(m);
  pl.program = arena_new(a, dslc_program);
  pl.program->space.faces_per_cell = in->options->faces_per_cell;
  pl.plan = make_shell(&pl);
  pl.made = arena_new(a, program_parts);
  pl.made->edge_record = -1;
  pl.made->hold = arena_array(a, hold_rows, m->constraint.n + 1);
  for (int i = 0; i < m->constraint.n; i++) pl.made->hold[i].buffer = -1;
  for (int i = 0; i < in->low->note.n; i++) vec_push(a, &pl.made->note, in->low->note.at[i]);
  pl.now = arena_array(a, symbol_state, m->symbol.n);
  pl.found = arena_array(a, symbol_result, m->symbol.n);
  for (int s = 1; s < m->symbol.n; s++) pl.found[s].kernel = -1;
  return pl;
}

/* ---- steps ----------------------------------------------------------------------------------------------------------------- */

/* What the steps have made so far: each reads what stands above what it makes. */
typedef struct planning {
  problem in;
  const select_report *selects;
  const symbol_use *use;
  const dependence *dependence;
  const symbol_storage *storage;
  const storage_outline
      *asked; /* to be printed once it is certain that planning does not begin anew; NULL: none */
  planner pl;
} planning;

static bool find_uses(planning *g) { return g->use = uses_find(&g->in), true; }

static bool find_dependence(planning *g) {
  g->dependence = dependence_find(&g->in, g->use);
  return g->dependence != NULL;
}

static bool decide(planning *g) { return g->storage = storage_decide(&g->in, g->use, g->dependence), true; }

/* The program's data, as far as no kernel has a say in it. */
static bool make_data(planning *g) {
  planner *pl = &g->pl;
  *pl = planner_of(&g->in, g->use, g->dependence, g->storage);
  pl->shared = expander_create(pl);
  make_tables(pl);
  if (g->in.stage) pl->plan->location[g->in.stage].launch = PLAN_LAUNCH_STAGE;
  make_fields(pl);
  return true;
}

static bool make_tasks(planning *g) {
  if (!starts_are_known(&g->pl)) return false;
  plan_sections(&g->pl);
  publish(&g->pl);
  return *g->in.circle == 0;
}

static bool add_topology(planning *g) { return make_topology(&g->pl), true; }

static bool finish_walls(planning *g) {
  if (g->in.from->on_grid) finish_grid(&g->pl), window_finish(&g->pl), check_across(&g->pl), find_cycles(&g->pl);
  return true;
}

static bool finish_launches(planning *g) {
  add_report(&g->pl);
  note_selects(&g->pl, g->selects);
  publish(&g->pl);
  return precision_agrees(&g->pl);
}

/* The last step of each stage has its name: then the value is complete, and looked over. */
typedef enum stage_value { STORAGE, TASKS, LAUNCHES } stage_value;

static const struct plan_step {
  const char *name;
  stage_value stage;
  bool (*run)(planning *g); /* false: reported */
} steps[] = {{"uses", STORAGE, find_uses},      {"dependence", STORAGE, find_dependence},
             {"storage", STORAGE, decide},      {"data", TASKS, make_data},
             {"tasks", TASKS, make_tasks},      {"topology", LAUNCHES, add_topology},
             {"walls", LAUNCHES, finish_walls}, {"launches", LAUNCHES, finish_launches}};
enum { N_STEPS = sizeof steps / sizeof *steps };

static bool is_complete(int step) {
  return step + 1 == N_STEPS || steps[step + 1].stage != steps[step].stage;
}

int plan_step_names(const char **names) {
  int n = 0;
  for (int i = 0; i < N_STEPS; i++)
    if (is_complete(i)) names[n++] = steps[i].name;
  return n;
}

static launches launches_of(const planning *g) {
  return (launches){.in = &g->in,
                    .use = g->use,
                    .storage = g->storage,
                    .plan = g->pl.plan,
                    .program = g->pl.program,
                    .rebind = g->pl.made->rebind.at,
                    .n_rebinds = g->pl.made->rebind.n};
}

/* What is wrong with the value, or NULL. */
static const char *look_at_storage(planning *g, bool asked) {
  const storage_outline *o = storage_outline_of(&g->in, g->use, g->dependence, g->storage);
  if (asked) g->asked = o;
  return storage_verify(o);
}

/* It is printed to `out`, if that is not NULL. */
static const char *look_at_kernels(const planning *g, stage_value stage, FILE *out) {
  const launches l = launches_of(g);
  const outline *o = stage == TASKS ? outline_of_tasks(&l) : outline_of_launches(&l);
  if (out) outline_print(out, o);
  const char *wrong = tasks_verify(o);
  return wrong ? wrong : launches_verify(o);
}

/* What every step makes is looked over in debug builds and where it is asked for, what the last one makes always: a kernel that reads what another
 * work-item writes must not get out. */
#ifdef EW_DEBUG_BUILD
enum { VERIFIES_EACH = true };
#else
enum { VERIFIES_EACH = false };
#endif

static bool looked_over(planning *g, int step) {
  const dslc_options *o = g->in.options;
  bool asked =
      o->inspect.dump && o->inspect.dump_after && strcmp(o->inspect.dump_after, steps[step].name) == 0;
  if (!is_complete(step)) return true;
  if (!asked && !VERIFIES_EACH && !o->inspect.look_over && step + 1 < N_STEPS) return true;
  FILE *out = asked ? o->inspect.dump : NULL;
  const stage_value stage = steps[step].stage;
  const char *wrong = stage == STORAGE ? look_at_storage(g, asked) : look_at_kernels(g, stage, out);
  if (wrong && stage == LAUNCHES && g->pl.at.forced.turn.sym) refuse_forced(&g->pl);
  else if (wrong)
    diag_report(g->in.sink, DIAG_INTERNAL, (span){0}, "after `%s`: %s", steps[step].name, wrong);
  return !wrong;
}

static bool run_steps(planning *g, int errors) {
  for (int i = 0; i < N_STEPS; i++) {
    if (!steps[i].run(g)) return false;
    bool good = diag_errors(g->in.sink) == errors; /* what was refused is not looked at */
    if (good && !looked_over(g, i)) return false;
  }
  return diag_errors(g->in.sink) == errors;
}

plan_result plan_make(arena *a, const lowering *low, const select_report *selects,
                      const dslc_options *options, const source_set *sources, diag_sink *sink) {
  const plan_result none = {0};
  const int errors = diag_errors(sink);
  if (!schedule_can_plan(low->m, sink)) return none;
  const problem in = problem_of(a, low, options, sources, sink);
  for (;;) {
    planning g = {.in = in, .selects = selects};
    const bool good = run_steps(&g, errors), anew = !good && *in.circle && diag_errors(sink) == errors;
    if (g.asked && !anew) storage_print(options->inspect.dump, g.asked);
    if (good) return (plan_result){g.pl.plan, g.pl.made->rebind.at, g.pl.made->rebind.n};
    if (!anew) return none;
    in.circular[*in.circle] = true;
    *in.circle = 0;
  }
}
