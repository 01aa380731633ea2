/* From kernels to functions that one work-item computes for a work-group of a launch that is not made; and kernels that call them, group by
 * group, with a barrier of all groups between launches. */
#include "kernel/join.h"

#include <stdio.h>
#include <string.h>

#include "dslc.h"
#include "join_cl.h"
#include "kernel/build.h"

_Static_assert(DSLC_FLAG_DONE == 0 && DSLC_FLAG_FAULT == 3, "join.cl knows these entries");

/* ---- what a kernel asks of its launch ------------------------------------------------------------------------------------ */

typedef struct demands {
  bool relies; /* on the size of its work-groups */
  bool
      further; /* it asks for what a function cannot be told: numbers along other axes, or in a function of its own */
  bool callee;
} demands;

static bool is_first_axis(const kir_expr *e) {
  int64_t axis;
  return e->n == 1 && kir_constant(e->args[0], &axis) && axis == 0;
}

static void look_at(kir_expr *e, void *context) {
  demands *d = context;
  if (e->kind != KIR_BUILTIN || e->builtin > KIR_B_NUM_GROUPS) return;
  const bool of_group = e->builtin == KIR_B_LOCAL_ID || e->builtin == KIR_B_LOCAL_SIZE;
  d->relies = d->relies || e->builtin != KIR_B_GLOBAL_ID;
  d->further = d->further || (!of_group && (d->callee || !is_first_axis(e)));
}

static void look_through(kir_function *f, demands *d) {
  kir_each_expr(&f->body->body, look_at, d);
  for (int i = 0; i < f->variables.n; i++) {
    const kir_variable *v = f->variables.at[i];
    d->relies = d->relies || v->space == KIR_LOCAL;
    d->further = d->further || (v->space == KIR_LOCAL && (v->is_parameter || v->type->kind != KIR_ARRAY));
  }
  d->callee = true;
  for (int i = 0; i < f->calls.n; i++)
    if (f->calls.at[i]->body) look_through(f->calls.at[i], d);
}

bool kir_can_join(kir_function *kernel, int *group) {
  demands d = {0};
  *group = 0;
  if (kernel->group[1] > 1 || kernel->group[2] > 1) return false;
  look_through(kernel, &d);
  if (d.relies || kernel->has_barrier) *group = (int)kernel->group[0];
  return !d.further && (*group > 0 || !(d.relies || kernel->has_barrier));
}

/* ---- kernels as functions -------------------------------------------------------------------------------------------------- */

static void name_instead(kir_expr *e, const char *text) {
  e->kind = KIR_NAMED;
  e->spelling = text;
}

static void ask_arguments(kir_expr *e, void *context) {
  arena *a = context;
  if (e->kind != KIR_BUILTIN) return;
  switch (e->builtin) {
  case KIR_B_GLOBAL_ID:
    name_instead(e, arena_printf(a, "%s", "(group_of_launch*(int)get_local_size(0) + (int)get_local_id(0))"));
    break;
  case KIR_B_GROUP_ID: name_instead(e, "group_of_launch"); break;
  case KIR_B_NUM_GROUPS: name_instead(e, "groups_of_launch"); break;
  case KIR_B_GLOBAL_SIZE: name_instead(e, "(groups_of_launch*(int)get_local_size(0))"); break;
  default: break;
  }
}

/* Local arrays are the kernel's to declare; functions are handed them. */
static bool is_local(const kir_variable *v) { return v->space == KIR_LOCAL; }

static void take_local(kir_body *body) {
  int kept = 0;
  for (int i = 0; i < body->n; i++) {
    kir_stmt *s = body->at[i];
    if (s->kind != KIR_LET || !is_local(s->variable)) body->at[kept++] = s;
    else if (i + 1 < body->n && !s->joined) body->at[i + 1]->joined = false;
  }
  body->n = kept;
}

static void print_parameter(const kir_variable *v, const char *before, writer *w) {
  const char *type = kir_type_text(v->type);
  write_text(w, ", %s%s%s%s", type, v->type->kind == KIR_POINTER ? "" : " ", before, v->name);
}

static void print_as_function(kir_program *p, kir_function *f, writer *w) {
  kir_each_expr(&f->body->body, ask_arguments, p->arena);
  write_text(w, "\nstatic inline void %s_of_group(const int group_of_launch, const int groups_of_launch",
             f->name);
  for (int i = 0; i < f->parameters.n; i++) print_parameter(f->parameters.at[i], "", w);
  for (int i = 0; i < f->variables.n; i++) {
    const kir_variable *v = f->variables.at[i];
    if (is_local(v)) write_text(w, ", __local %s *%s", kir_type_text(v->type->of), v->name);
  }
  take_local(&f->body->body);
  write_line(w, "%s", ")");
  write_line(w, "{");
  writer_indent(w);
  kir_print_body(p, &f->body->body, w);
  writer_dedent(w);
  write_line(w, "}");
}

/* ---- the kernels that are made ------------------------------------------------------------------------------------------------ */

static bool are_of_one_type(const kir_variable *array, const kir_type *of) {
  return strcmp(kir_type_text(array->type->of), kir_type_text(of)) == 0;
}

/* Launches follow each other: an array of one serves the next one, too. The number of a variable among the function's local arrays of its
 * type; the array of a function with such a number, or NULL. */
static int number_of(const kir_function *f, int variable) {
  int n = 0;
  for (int i = 0; i < variable; i++)
    if (is_local(f->variables.at[i]))
      n += are_of_one_type(f->variables.at[i], f->variables.at[variable]->type->of);
  return n;
}

static const kir_variable *array_of(const kir_function *f, const kir_type *of, int number) {
  for (int i = 0; i < f->variables.n; i++) {
    const kir_variable *v = f->variables.at[i];
    if (is_local(v) && are_of_one_type(v, of) && number-- == 0) return v;
  }
  return NULL;
}

/* The length that serves all of `n` functions; 0 where the array is one of an earlier function than number k. */
static int64_t shared_length(const kir_function *const *f, int n, int k, const kir_type *of, int number) {
  int64_t length = 0;
  for (int i = 0; i < n; i++) {
    const kir_variable *v = array_of(f[i], of, number);
    if (v && i < k) return 0;
    if (v && v->type->count > length) length = v->type->count;
  }
  return length;
}

static void print_name(const kir_type *of, int number, writer *w) {
  write_text(w, "shared_%s_%d", kir_type_text(of), number);
}

/* Their declarations; returns the bytes that they take. `w` NULL: nothing is written. */
static int64_t print_local(const kir_function *const *f, int n, writer *w) {
  int64_t bytes = 0;
  for (int k = 0; k < n; k++)
    for (int i = 0; i < f[k]->variables.n; i++) {
      if (!is_local(f[k]->variables.at[i])) continue;
      const kir_type *of = f[k]->variables.at[i]->type->of;
      const int number = number_of(f[k], i);
      const int64_t length = shared_length(f, n, k, of, number);
      bytes += (length * kir_size(of) + 7) / 8 * 8;
      if (!w || length == 0) continue;
      write_text(w, "__local %s ", kir_type_text(of));
      print_name(of, number, w);
      write_line(w, "[%lld];", (long long)length);
    }
  return bytes;
}

enum { SEATS = 2 }; /* ints of join.cl */

int64_t kir_join_local(const kir_function *const *kernel, int n) {
  return SEATS * (int64_t)sizeof(int32_t) + print_local(kernel, n, NULL);
}

static bool has_local(const kir_function *f) {
  for (int i = 0; i < f->variables.n; i++)
    if (is_local(f->variables.at[i])) return true;
  return false;
}

/* What the functions of one launch are handed. `member`: of its parameters, or NULL. */
typedef struct turn_of {
  const kir_function *f;
  int turn, n_numbers;
  const dslc_member_argument *member;
} turn_of;

static void print_argument(const turn_of *t, int i, writer *w) {
  const dslc_member_argument *m = t->member ? &t->member[i] : NULL;
  if (m && m->number) {
    write_text(w, ", number[member*%d + %d]", t->n_numbers, m->number - 1);
    return;
  }
  write_text(w, ", of%d_%s", t->turn, t->f->parameters.at[i]->name);
  if (m && m->apart) write_text(w, " + (long)member*%lld", (long long)m->apart);
}

static void print_call_of(const turn_of *t, writer *w) {
  const kir_function *f = t->f;
  write_text(w, "%s_of_group(group, launch_%d", f->name, t->turn);
  for (int i = 0; i < f->parameters.n; i++) print_argument(t, i, w);
  for (int i = 0; i < f->variables.n; i++) {
    const kir_variable *v = f->variables.at[i];
    if (!is_local(v)) continue;
    write_text(w, ", ");
    print_name(v->type->of, number_of(f, i), w);
  }
  write_line(w, ");");
}

/* What one item computes alone has no barriers. */
static void print_loop(const turn_of *t, const char *first, const char *end, const char *stride, writer *w) {
  const kir_function *f = t->f;
  write_line(w, "for (int group = %s; group < %s; group += %s) {", first, end, stride);
  writer_indent(w);
  if (f->group[0] == 1) write_text(w, "if (get_local_id(0) == 0) ");
  print_call_of(t, w);
  if (has_local(f)) write_line(w, "barrier(CLK_LOCAL_MEM_FENCE);");
  writer_dedent(w);
  write_line(w, "}");
}

/* A launch of one group: the one that comes last computes it, before the others go on. */
static void print_alone(kir_program *p, const turn_of *t, bool begins, bool ends, writer *w) {
  if (begins) write_line(w, "comes_last(gate, groups, seat);");
  else write_line(w, "barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);");
  print_loop(t, "0", arena_printf(p->arena, "seat[0]*launch_%d", t->turn), "1", w);
  if (ends) write_line(w, "others_follow(gate, flags, seat);");
}

static void print_turn(kir_program *p, const turn_of *t, writer *w) {
  print_loop(t, "own", arena_printf(p->arena, "launch_%d", t->turn), "groups", w);
}

/* From step to step the last turn comes before the first one. */
static void print_turns(kir_program *p, const dslc_join *j, writer *w) {
  const dslc_member_argument *member = j->member;
  for (int k = 0; k < j->n; k++) {
    const turn_of t = {kir_find_kernel(p, j->kernel[k]), k, j->n_numbers, member};
    const bool after = k > 0 && j->alone[k - 1], before = k + 1 < j->n && j->alone[k + 1];
    if (j->alone[k]) print_alone(p, &t, !after, !before, w);
    else {
      if (k > 0 && !after) write_line(w, "all_groups(gate, flags, groups);");
      print_turn(p, &t, w);
    }
    if (member) member += t.f->parameters.n;
  }
  if (!j->alone[j->n - 1]) write_line(w, "if (step + 1 < steps) all_groups(gate, flags, groups);");
}

static void print_join(kir_program *p, const dslc_join *j, writer *w) {
  char before[24];
  write_line(w, "\n__kernel __attribute__((reqd_work_group_size(%d, 1, 1)))", j->group);
  write_text(w, "void %s(const int groups, %s, volatile __global int *gate, volatile __global int *flags%s",
             j->name, j->member ? "__global const int *steps_of" : "const int steps",
             j->member ? ", __global const double *number" : "");
  for (int k = 0; k < j->n; k++) {
    const kir_function *f = kir_find_kernel(p, j->kernel[k]);
    write_text(w, ",\n    const int launch_%d", k);
    snprintf(before, sizeof before, "of%d_", k);
    for (int i = 0; i < f->parameters.n; i++) print_parameter(f->parameters.at[i], before, w);
  }
  write_line(w, ")");
  write_line(w, "{");
  writer_indent(w);
  write_line(w, "__local int seat[%d];", SEATS);
  const kir_function **kernel = arena_array(p->arena, const kir_function *, (size_t)j->n);
  for (int k = 0; k < j->n; k++) kernel[k] = kir_find_kernel(p, j->kernel[k]);
  print_local(kernel, j->n, w);
  if (j->member) {
    write_line(w, "const int member = get_group_id(0)/groups, own = get_group_id(0) - member*groups;");
    write_line(w, "const int steps = steps_of[member];");
    write_line(w, "gate += %d*member;", DSLC_MEMBER_GATE);
    write_line(w, "flags += (long)member*%lld;", (long long)j->flags_apart);
  } else write_line(w, "const int own = get_group_id(0);");
  write_line(w, "for (int step = 0; step < steps; ++step) {");
  writer_indent(w);
  print_turns(p, j, w);
  writer_dedent(w);
  write_line(w, "}");
  writer_dedent(w);
  write_line(w, "}");
}

static bool takes_part(const kir_function *f, const dslc_join *joins, int n) {
  for (int j = 0; j < n; j++)
    for (int k = 0; k < joins[j].n; k++)
      if (strcmp(joins[j].kernel[k], f->name) == 0) return true;
  return false;
}

const char *kir_join(kir_program *p, const dslc_join *joins, int n) {
  writer *w = writer_create(p->arena);
  write_line(w, "#define JOIN_GROUP %d", joins[0].group);
  write_plain(w, join_cl);
  for (int i = 0; i < p->functions.n; i++)
    if (p->functions.at[i]->is_kernel && takes_part(p->functions.at[i], joins, n))
      print_as_function(p, p->functions.at[i], w);
  for (int j = 0; j < n; j++) print_join(p, &joins[j], w);
  return writer_text(w);
}
