/* What the files of the planner share.
 *
 *   expand.c    equations without a buffer are expanded into their users, accesses composed
 *   buffers.c   buffers, fields, parameters, rules: the program's data
 *   kernels.c   values become planned kernels and launches
 *   patch.c     kernels over patches of a mesh
 *   demand.c    what must be computed before a statement, in which order and in which kernels
 *   ghosts.c    values beyond the boundary
 *   integrate.c Runge-Kutta stages
 *   timed.c     what has lost its value as time goes on
 *   repeat.c    the repeats of a step, and what decides that a pass is the last
 *   walk.c      the walk over the step */
#ifndef DSLC_SCHEDULE_PLANNER_H
#define DSLC_SCHEDULE_PLANNER_H

#include "schedule/storage.h"

/* How the accesses of an expanded equation's body translate into those of its user. */
typedef enum expand_key {
  KEY_HERE,
  KEY_L, /* a cell's equation, read from a face at L, R; */
  KEY_R,
  KEY_D,     /* from a cell's loop at the cell across */
  KEY_FACE,  /* a face's equation in a cell's loop, the cell taken as its L */
  KEY_I,     /* a node's equation at the ends of an edge, */
  KEY_J,     /* or at a neighbour */
  KEY_EDGE,  /* an edge's equation in a node's loop */
  KEY_ADD_L, /* the body of a cell's loop, evaluated at the face for its left cell (scatter) */
  KEY_ADD_R, /* and for its right cell */
  KEY_COUNT,
  KEY_PREV = 16 /* added: every state at the start of the step */
} expand_key;

typedef struct planner planner;

enum { GRID_PAGE = 256 };

/* On grids: how a read within an expanded equation translates. */
typedef struct grid_key {
  int8_t off[3];         /* of the point at which the equation is evaluated */
  uint8_t near;          /* the version near walls, */
  uint8_t from;          /* as seen from a point of this place; */
  uint8_t previous;      /* at the start of the step; */
  uint8_t beyond;        /* at a point beyond a wall; */
  uint8_t before_stages; /* as position.before_stages says, */
  ir_id interval;        /* and position.interval */
} grid_key;

typedef struct grid_memo {
  grid_key key;
  ir_id **page;
} grid_memo;

/* Expansion from planner.from into planner.to. `value` substitutes the components of a state at the own point (updates
 * fused into one kernel); memo tables are per key. */
typedef struct expander {
  planner *pl;
  ir_id **memo[2 * KEY_PREV]; /* by key and node, in pages: an expander of few equations costs little */
  const ir_id **value;        /* by symbol, or NULL */
  bool stage;                 /* t stands for the stage's time */
  bool by_rule;               /* grids: what it reads of the start of the step is of its reader's time, a rule's */
  ir_place place;             /* grids: of the value that is expanded */
  int rule; /* grids: of a formula beyond a wall, whose. Meshes: at whose faces what it says is written out */
  bool anywhere;              /* grids: of a function, which may be called for a point beyond a wall */
  const int *fresh;           /* grids: see function_of_fix */
  double ahead;               /* grids: of what values are fixed to: t stands for t + ahead*dt */
  VEC(grid_memo) grid;
} expander;

/* Of a constraint, by its number. */
typedef struct hold_rows {
  int buffer; /* with the nodes of its rows, -1: none yet */
  bool refused;
} hold_rows;

/* ---- what planning makes ------------------------------------------------------------------------------------------ */

/* Of the program. */
typedef struct program_parts {
  VEC(dslc_buffer) buffer;
  VEC(dslc_field) field;
  VEC(dslc_global) global;
  VEC(dslc_check) check;
  VEC(dslc_section) section;
  VEC(dslc_equation) equation;
  VEC(dslc_note) note;
  VEC(dslc_repeat) repeat_list;
  VEC(dslc_solve) solve;
  VEC(plan_rebind) rebind;
  hold_rows *hold; /* by constraint */
  int edge_record; /* buffer with several quantities for each edge, -1: none */
} program_parts;

/* What kernels have asked for of a symbol. */
typedef struct symbol_result {
  bool asked; /* a fixed global that something reads; of the start of the step: that something shown does */
  bool wants_ghosts; /* fixed, and read beyond the boundary */
  bool moved;        /* from the mesh, at edges: kernels read a copy */
  bool windowed;     /* an update's kernel computes it */
  int kernel;        /* that stores it, -1 */
} symbol_result;

/* Which tables of the mesh's topology some kernel reads. */
typedef struct topology_use {
  bool left_right, cell_face, across, colour, rim, near, pair, slots, first_node, second_node, patches;
} topology_use;

/* By a number, where a list has its entry: a search through few of many things need not clear an array for all of them. A place holds only if
 * the entry there has that number. */
typedef struct places {
  int *at, room;
} places;

/* Room for numbers below n. */
int *places_for(arena *a, places *p, int n);

/* Of searches, one at a time; branches share them. */
typedef struct wall_places {
  places view, function;
} wall_places;

/* Grids: functions near walls while they are made, and their tables. */
typedef struct walls_state {
  VEC(int) across;    /* functions that are seen along several axes, not yet looked at */
  int functions_open; /* being made: they refer to each other */
  VEC(int) filled;    /* functions whose tables hold what they compute now */
  VEC(int) together;  /* what has been so at one time, -1 behind each such list */
  wall_places *places;
  char *beyond;   /* by symbol: across which axes its own formula may hold beyond a wall, see starts.c; NULL: nobody has asked */
  char starts_asked; /* does anything need starts.c: 1 yes, 2 no; 0: nobody has asked */
  ir_sym endless; /* met again and again by a search for what windows read; 0: none */
} walls_state;

/* ---- where planning is in the step ----------------------------------------------------------------------------------- */

/* Of a symbol, at this point of the section. */
typedef struct symbol_state {
  bool valid, ghosts_valid;
  bool ghosts_open;   /* are about to be made, others with them */
  bool ghosts_asking; /* what they are made of is asked for: who asks for them now leads in a circle */
  int at_boundary; /* of what patches compute: valid at the faces of boundaries; at cells: 1 in the rim, 2 beside it, too */
  bool here;   /* computed in the kernel being built: expanded at the user's own point */
  bool asking; /* what it reads is being asked for */
} symbol_state;

/* What a rule says of a quantity at its faces. */
typedef struct rule_turn {
  ir_sym sym;
  int rule;
} rule_turn;

/* Said before another one though it follows from that, by what it reads; turn.sym 0: none. */
typedef struct forced_turn {
  rule_turn turn, before;
  ir_sym by;
} forced_turn;

typedef struct position {
  VEC(dslc_op) op;     /* of the section being built */
  int current;         /* its number */
  const ir_stmt *list; /* the statements being planned */
  int n_list;
  VEC(plan_rebind) binding; /* in force: launches bind these buffers differently (section, op unused) */
  double stage_at;          /* when launches take place, in steps from the step's start, or in intervals */
  ir_id interval;           /* what an integrator goes over where that is no plain part of dt, else 0 */
  double fix_at;            /* grids: when the values being assigned hold, in steps from the step's start */
  bool dt_asked;            /* by the step's first demand */
  bool before_stages; /* grids: what is expanded is of the start of the step, whatever stage asks for dt */
  bool *checked;      /* by requirement */
  int repeats;        /* so far */
  int windows;        /* updates looked at for one so far */
  VEC(rule_turn) to_say;   /* meshes: of what has been computed at all faces, what rules have not said yet */
  forced_turn forced;      /* meshes: the first such one */
} position;

/* The repeat being planned. */
typedef struct repeat_pass {
  const ir_stmt *st;       /* or NULL */
  int stop_flag;           /* its flag + 1, or 0 */
  const bool *residual_in; /* by residual: its condition reads it */
  int *residual_op;        /* by residual: operation that computes its partials, -1 */
  int *
      pass_start; /* by state: buffer with the value at the start of the pass, where a copy is needed; else -1 */
} repeat_pass;

/* The walk over the step: what it reads, all made before; what it makes; where it is. */
struct planner {
  arena *memory;
  const problem *in;
  ir_module *from, *to;
  const symbol_use *use; /* by symbol */
  const dependence *dependence;
  const symbol_storage *storage; /* by symbol; within a window its own */
  plan *plan;
  dslc_program *program;
  program_parts *made;
  symbol_result *found; /* by symbol */
  topology_use mesh;
  walls_state walls;
  symbol_state *now; /* by symbol */
  position at;
  repeat_pass pass;
  struct window_plan *window; /* of the update being planned, or NULL */
  expander shared;
};

/* ---- branch.c ------------------------------------------------------------------------------------------------ */
/* The walk as it stands, to go on from without changing `pl`: for expanding and fixing values, and what that makes. */
planner *planner_branch(const planner *pl);
/* The walk goes on without this one, a branch or what one was made of: the arrays that branches do not share are given back. */
void planner_forget(planner *gone);

/* `subject`: what it is about, or NULL. */
void note(planner *pl, const char *subject, const char *fmt, ...) __attribute__((format(printf, 3, 4)));

/* ---- previous.c ------------------------------------------------------------------------------------------------ */
void copy_previous(planner *pl,
                   bool shown_only); /* of states; shown_only: what is shown before the first step */
void demand_previous(planner *pl, bool shown_only); /* of equations */
void keep_start_values(planner *pl);                /* before anything is planned that may look back */
void keep_for_dt(planner *pl);                      /* of the first step, where the setup computes it */
void plan_start_values(planner *pl);                /* what rules give before the first step */

/* ---- expand.c ------------------------------------------------------------------------------------------------ */
ir_id root_component(const ir_module *m, ir_id root, int k);
ir_id expand(expander *x, ir_id id, expand_key key);
ir_id expand_own(expander *x, ir_sym sym, int part, int k);
ir_id expand_param(expander *x, const ir_node *n, expand_key key);
/* Kernels that say what lies beyond serve every stage; those that dt follows from, or what is copied before it, are of the start of the step. */
bool sees_stages(const planner *pl);
expander expander_create(planner *pl);

/* ---- buffers.c ------------------------------------------------------------------------------------------------ */
void make_tables(planner *pl); /* scalars, flags, parameters, rules, variants, globals */
/* Whether buffers that stand for each other, or change places, have elements of one type; else a report. */
bool precision_agrees(const planner *pl);
int buffer_add(planner *pl, dslc_buffer b);
int buffer_of(planner *pl, ir_sym sym, ir_level level); /* created on first use */
void make_fields(planner *pl);
int field_of(const planner *pl, ir_sym sym); /* its number in the program, -1: nobody can show it */
void make_topology(planner *pl);
const char *line_text(planner *pl, span at, int *line, int *column);
const char *other_file(planner *pl, span at);               /* where that stands, NULL: in the scheme's own */
void kernel_from(planner *pl, plan_kernel *k, span at);     /* the line that it is made of */
int check_add(planner *pl, const char *text, ir_place place, int field, span at);

/* ---- kernels.c ------------------------------------------------------------------------------------------------ */
void section_begin(planner *pl, const char *text);
void section_end(planner *pl);
plan_kernel kernel_begin(planner *pl, const char *text, ir_place place, ir_sym about);
void kernel_choose_finish(const planner *pl,
                          plan_kernel *k); /* one item, or one group that finishes reductions */
void kernel_output(planner *pl, plan_kernel *k, plan_output_kind kind, int buffer, int component,
                   ir_id value);
int shared_lanes(const planner *pl); /* work-items of a node, of kernels that can share it */
/* Brings what the kernel reads up to date, ghosts too; other kernels may be launched for that. */
void kernel_prepare(planner *pl, plan_kernel *k, dslc_subset subset);
/* Adds the kernel, or finds its twin, and launches it. */
int kernel_launch_prepared(planner *pl, plan_kernel k, dslc_subset subset, int rule, int groups_of);
int kernel_launch(planner *pl, plan_kernel k, dslc_subset subset, int rule, int groups_of);
void op_add(planner *pl, dslc_op op);

/* ---- patch.c ------------------------------------------------------------------------------------------------------ */
/* Does a cell sum this over its faces where its patch may compute it? */
bool patch_can_compute(const planner *pl, const ir_node *n);
/* Does it say of the state anything but at the own cell? */
bool patch_reads_state(planner *pl, ir_id id, ir_sym state);
/* What the kernel's cells sum over their faces becomes part of it where that can be; else faces' kernels store it, launched first. */
void patch_kernel(planner *pl, plan_kernel *k, dslc_subset subset);
dslc_patch patch_limits(const planner *pl);

/* ---- demand.c ------------------------------------------------------------------------------------------------- */
void demand(planner *pl, const ir_id *values, int n);         /* all that these values read becomes valid */
void demand_at_rule(planner *pl, const ir_id *values, int n); /* read at the faces of a rule */
void demand_symbol(planner *pl, ir_sym sym);
/* Does dt follow from t, itself or by what rules say of what it follows from? */
bool dt_follows_from_time(const planner *pl);
/* Are there functions near walls that see the time of a stage, and so ask for dt? */
bool stages_near_walls(const planner *pl);
void demand_symbols(planner *pl, const ir_sym *syms, int n); /* in common kernels where that can be */
void invalidate(planner *pl, ir_sym state);                  /* the state has changed */
void invalidate_all(planner *pl);

/* ---- rule_turns.c --------------------------------------------------------------------------------------------- */
/* On meshes: what rules make of these, which a kernel has just computed. */
void launch_rules(planner *pl, const ir_sym *syms, int n);

/* ---- rule_waits.c --------------------------------------------------------------------------------------------- */
/* What a rule says of a quantity at its faces, or of that of which it is the value at the start of the step; NULL: nothing. */
const ir_rule_entry *flux_entry(const planner *pl, int rule, ir_sym sym);
/* The first in the list of what rules are still to say that must be said before; -1: none. `in_place`: as far as what the rule itself says of
 * quantities at its faces, and beyond them, is written out where it reads them. */
int waits_for(const planner *pl, rule_turn turn, bool in_place);
/* It is said before that other one in the list for which it waits. */
void note_forced(planner *pl, rule_turn turn, int other);
void refuse_forced(const planner *pl); /* no order was left, and the plan is not sound */

/* ---- ghosts.c -------------------------------------------------------------------------------------------------- */
void refresh_ghosts(planner *pl, const ir_sym *syms, int n);
/* Does an equation beyond the boundary follow from what lies there, where no rule says what it is? */
bool follows_beyond(const planner *pl, ir_sym sym);
void refuse_circle(planner *pl, ir_sym sym); /* what lies beyond of it follows from itself */

/* ---- integrate.c -------------------------------------------------------------------------------------------------- */
void plan_integrate(planner *pl, const ir_stmt *st, int index);
/* Launches take place at `when` from here on, and what was computed at another time has lost its value. */
void move_time(planner *pl, double when);

/* ---- timed.c ------------------------------------------------------------------------------------------------------ */
void invalidate_timed(planner *pl); /* launches take place at another time from here on */

/* ---- walk.c ---------------------------------------------------------------------------------------------------------- */

/* New values of states, to be written by one kernel per place. */
typedef struct pending {
  ir_sym target;
  int n;
  ir_id *value; /* [n] */
  bool swapped; /* written apart, as the old value is still asked for: decided before the first kernel is launched */
} pending;
typedef VEC(pending) pending_list;

void attach_finite(planner *pl, plan_kernel *k, const pending *p); /* a check of its new values */
/* On meshes a statement's states at several places have a kernel each: makes the ghosts that all of them read, which may follow, by a rule,
 * from what the first of them replaces. */
void refresh_for_all(planner *pl, const pending_list *all);
/* Writes the values, with the checks that can be made now; `next` is the first statement behind. */
/* `when` in the step the new values hold, for what rules give: 1 its end. */
void launch_update(planner *pl, pending_list *all, int next, double when, span at);
pending_list expand_update(planner *pl, expander *x, const ir_stmt *st); /* what it assigns, without fixes */
/* On grids: what boundary rules fix the values to. They hold `at` steps from the step's start. */
void fix_pending(planner *pl, pending_list *all, double at);
void plan_statements(planner *pl, const ir_stmt *list, int n);
void enter_moment(planner *pl, double moment, double outside, bool stage);
void plan_sections(planner *pl); /* all of them */
bool is_shown(const planner *pl, const char *text); /* is the quantity to be looked at after steps? */
/* Are states there assigned by the kernel of a place? On a grid all are together; one value has a kernel of its own. */
bool launched_at(const planner *pl, ir_place target, ir_place place);
bool any_held(const planner *pl,
              const pending_list *all); /* does a rule give one of their values behind the update? */
/* Do these values, expanded with the pending ones, still look at what is being replaced? */
bool sees_old(planner *pl, pending_list *all, ir_id value, ir_id plain);

/* ---- requirements.c ------------------------------------------------------------------------------------------- */
/* Those that the kernel of an update can judge on the new values, with which `x` expands; `next` is the first statement behind. */
void attach_requirements(planner *pl, plan_kernel *k, expander *x, pending_list *all, int next);
void require_at_start(planner *pl); /* those that are not of a step */
void require_at_end(planner *pl);  /* those that no update could judge: kernels at the end of the step */

/* ---- report.c -------------------------------------------------------------------------------------------------------- */
void add_report(planner *pl);
void note_selects(planner *pl, const select_report *r);

/* ---- repeat.c -------------------------------------------------------------------------------------------------------- */
void plan_repeat(planner *pl, const ir_stmt *st);
void attach_residuals(planner *pl, plan_kernel *k, expander *x, pending_list *all);
/* Does one that is not attached to the update's kernel compare with what the state was before it? */
bool residuals_need_old(planner *pl, ir_place place, expander *x, pending_list *all, ir_sym state);
void refresh_for_residuals(planner *pl, const pending_list *all);
void residuals_launched(planner *pl, int op); /* that kernel is operation number op of the section */

#endif
