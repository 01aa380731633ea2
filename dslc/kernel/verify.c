/* What is wrong with kernels and can be known without running them: barriers that some items of a group would not reach, constant
 * indices outside of arrays, local memory and variables that are read and that nobody writes, or not yet (verify_order.c). Types have been looked
 * at before: the parser and resolve.c make no node whose operands do not fit.
 *
 * A value varies if items of a group may have different ones: it is made of an item's number, of what is read at a place that varies, or it
 * is assigned where control varies. A parameter of a function varies if some caller's argument does. Both grow until they stay. Variables
 * are looked at as a whole: what varies anywhere varies everywhere. */
#include <stdarg.h>
#include <stdio.h>

#include "kernel/verify.h"

typedef struct verifier {
  kir_program *program;
  kir_message *messages;
  int n, max;
  const kir_function *function;
  bool changed;    /* something was found to vary that did not yet */
  bool reporting;  /* the last walk */
  bool divergent;  /* control varies here */
  bool left;       /* some items may have returned */
  bool loop_split; /* some items may have left the innermost loop, or this pass of it */
} verifier;

static void tell(verifier *v, int line, const char *fmt, ...) __attribute__((format(printf, 3, 4)));

static void tell(verifier *v, int line, const char *fmt, ...) {
  va_list ap;
  if (!v->reporting) return;
  if (v->n < v->max) {
    kir_message *m = &v->messages[v->n];
    m->line = line;
    va_start(ap, fmt);
    vsnprintf(m->text, sizeof m->text, fmt, ap);
    va_end(ap);
  }
  v->n++;
}

static void set(verifier *v, bool *flag) {
  if (!*flag) v->changed = true;
  *flag = true;
}

/* ---- Expressions ----------------------------------------------------------------------------------------------------- */

static bool walk(verifier *v, const kir_expr *e);

/* The variable that an expression is part of; NULL: it lies behind a pointer. */
static kir_variable *root(const kir_expr *e) {
  for (;;) {
    const bool of_array = e->kind == KIR_INDEX && e->a->kind == KIR_CAST && e->a->a->type->kind == KIR_ARRAY;
    if (e->kind == KIR_VAR) return e->variable;
    if (e->kind == KIR_FIELD) e = e->a;
    else if (of_array) e = e->a->a;
    else return NULL;
  }
}

static void check_index(verifier *v, const kir_expr *e) {
  int64_t index;
  const kir_expr *base = e->a->kind == KIR_CAST ? e->a->a : e->a;
  if (base->type->kind != KIR_ARRAY || !kir_constant(e->b, &index)) return;
  if (index < 0 || index >= base->type->count)
    tell(v, e->line, "element %lld of `%s`, which has %lld", (long long)index,
         root(base) ? root(base)->name : "an array", (long long)base->type->count);
}

/* An assignment to a variable, or to elements of what is the item's own. */
static void assigned(verifier *v, const kir_expr *to, bool varies) {
  kir_variable *variable = root(to);
  if (!variable) return;
  set(v, &variable->is_written);
  if (variable->space == KIR_PRIVATE && (varies || v->divergent)) set(v, &variable->varies);
}

static bool meets(verifier *v, int line, const char *what) {
  const bool bad = v->divergent || v->left || v->loop_split;
  if (bad)
    tell(v, line, "%s that not all items of a group reach: %s", what,
         v->divergent ? "the condition around it varies"
         : v->left    ? "some may have returned"
                      : "some may have left the loop");
  return bad;
}

static bool walk_call(verifier *v, const kir_expr *e) {
  kir_function *f = e->function;
  bool any = false;
  if (f->has_barrier) meets(v, e->line, "a call with a barrier");
  for (int i = 0; i < e->n; i++) {
    const bool varies = walk(v, e->args[i]) || (f->has_barrier && v->divergent);
    if (varies) set(v, &f->parameters.at[i]->varies);
    any = any || varies;
  }
  if (f->uses_items) set(v, &((kir_function *)v->function)->uses_items);
  return f->has_barrier ? f->varies
                        : any || f->uses_items; /* behind a barrier items may agree on what they brought */
}

static bool walk_builtin(verifier *v, const kir_expr *e) {
  bool any = e->builtin == KIR_B_GLOBAL_ID || e->builtin == KIR_B_LOCAL_ID || e->builtin >= KIR_B_ATOMIC_MIN;
  if (any) set(v, &((kir_function *)v->function)->uses_items);
  for (int i = 0; i < e->n; i++) any = walk(v, e->args[i]) || any;
  if (e->builtin >= KIR_B_ATOMIC_MIN) assigned(v, e->args[0], true);
  return any;
}

/* The second operand of && and ||, and the arms of a choice, are computed by some items only. */
static bool walk_under(verifier *v, bool varies, const kir_expr *e) {
  const bool divergent = v->divergent;
  v->divergent = divergent || varies;
  const bool result = walk(v, e);
  v->divergent = divergent;
  return result;
}

static bool walk_variable(verifier *v, const kir_expr *e) {
  set(v, &e->variable->is_read);
  return e->variable->varies;
}

/* The place of an assignment: its indices are read, the variable is not. */
static bool walk_place(verifier *v, const kir_expr *e) {
  if (e->kind == KIR_VAR) return e->variable->varies;
  if (e->kind == KIR_FIELD) return walk_place(v, e->a);
  if (e->kind == KIR_CAST) return walk_place(v, e->a);
  if (e->kind != KIR_INDEX) return walk(v, e);
  check_index(v, e);
  const bool base = walk_place(v, e->a);
  return walk(v, e->b) || base;
}

static bool walk_assignment(verifier *v, const kir_expr *e) {
  const bool place = e->kind == KIR_STEP || e->op != KIR_NONE ? walk(v, e->a) : walk_place(v, e->a);
  const bool value = e->b ? walk(v, e->b) : false;
  assigned(v, e->a, value || (place && e->a->kind != KIR_VAR));
  return value || place;
}

/* A pointer to a variable: whoever has it may write there. */
static void escapes(verifier *v, const kir_expr *to) {
  kir_variable *variable = root(to);
  if (!variable || variable->type->kind == KIR_POINTER) return;
  set(v, &variable->is_written);
  if (variable->space == KIR_PRIVATE) set(v, &variable->varies);
}

static bool walk_index(verifier *v, const kir_expr *e) {
  const kir_expr *array = e->a->kind == KIR_CAST && e->a->a->type->kind == KIR_ARRAY ? e->a->a : e->a;
  check_index(v, e);
  const bool base = walk(v, array);
  return walk(v, e->b) || base;
}

static bool walk(verifier *v, const kir_expr *e) {
  bool a = false;
  switch (e->kind) {
  case KIR_CONST: return false;
  case KIR_VAR: return walk_variable(v, e);
  case KIR_CALL: return walk_call(v, e);
  case KIR_BUILTIN: return walk_builtin(v, e);
  case KIR_ASSIGN:
  case KIR_STEP: return walk_assignment(v, e);
  case KIR_INDEX: return walk_index(v, e);
  case KIR_ADDRESS: escapes(v, e->a); break;
  case KIR_CAST:
    if (e->a->type->kind == KIR_ARRAY) escapes(v, e->a);
    break;
  case KIR_AND:
  case KIR_OR: a = walk(v, e->a); return walk_under(v, a, e->b) || a;
  case KIR_SELECT: {
    a = walk(v, e->a);
    const bool b = walk_under(v, a, e->b), c = walk_under(v, a, e->c);
    return a || b || c;
  }
  default: break;
  }
  if (e->a) a = walk(v, e->a);
  if (e->b) a = walk(v, e->b) || a;
  for (int i = 0; i < e->n; i++) a = walk(v, e->args[i]) || a;
  return a;
}

/* ---- Statements -------------------------------------------------------------------------------------------------------- */

static void walk_body(verifier *v, const kir_body *body);

static void walk_let(verifier *v, const kir_stmt *s) {
  if (!s->value) return;
  const bool varies = walk(v, s->value);
  if (varies || v->divergent || v->left || v->loop_split) set(v, &s->variable->varies);
  set(v, &s->variable->is_written);
}

static void walk_branches(verifier *v, const kir_stmt *s) {
  const bool divergent = v->divergent;
  v->divergent = walk(v, s->value) || divergent;
  walk_body(v, &s->body);
  walk_body(v, &s->otherwise);
  v->divergent = divergent;
}

/* Whether a loop's items part ways is known behind its body only: it is walked until nothing more is found to vary. */
static void walk_loop(verifier *v, const kir_stmt *s) {
  const bool divergent = v->divergent, split = v->loop_split;
  for (int i = 0; i < s->first.n; i++)
    if (s->first.at[i]->kind == KIR_LET) walk_let(v, s->first.at[i]);
    else walk(v, s->first.at[i]->value);
  v->loop_split = s->parts;
  v->divergent = (s->value && walk(v, s->value)) || divergent;
  walk_body(v, &s->body);
  if (s->step) walk(v, s->step);
  v->divergent = divergent;
  if (v->loop_split) set(v, &((kir_stmt *)s)->parts);
  v->loop_split = split;
}

static void walk_switch(verifier *v, const kir_stmt *s) {
  const bool split = v->loop_split; /* `break` leaves the switch alone */
  walk_branches(v, s);
  v->loop_split = split;
}

static void walk_return(verifier *v, const kir_stmt *s) {
  const bool varies = s->value && walk(v, s->value);
  const bool alone = v->divergent || v->left || v->loop_split;
  if (varies || alone) set(v, &((kir_function *)v->function)->varies);
  if (alone) v->left = true;
}

static void walk_stmt(verifier *v, const kir_stmt *s) {
  switch (s->kind) {
  case KIR_BLOCK: walk_body(v, &s->body); break;
  case KIR_LET: walk_let(v, s); break;
  case KIR_EVAL: walk(v, s->value); break;
  case KIR_IF: walk_branches(v, s); break;
  case KIR_FOR:
  case KIR_WHILE:
  case KIR_DO: walk_loop(v, s); break;
  case KIR_SWITCH: walk_switch(v, s); break;
  case KIR_BREAK:
  case KIR_CONTINUE: v->loop_split = v->loop_split || v->divergent; break;
  case KIR_RETURN: walk_return(v, s); break;
  case KIR_BARRIER: meets(v, s->line, "a barrier"); break;
  case KIR_CASE:
  case KIR_FENCE:
  case KIR_PRAGMA:
  case KIR_COMMENT:
  case KIR_BLANK:
  case KIR_DEFINE: break;
  }
}

static void walk_body(verifier *v, const kir_body *body) {
  for (int i = 0; i < body->n; i++) walk_stmt(v, body->at[i]);
}

/* ---- Functions ----------------------------------------------------------------------------------------------------------- */

static void check_variables(verifier *v, const kir_function *f) {
  for (int i = 0; i < f->variables.n; i++) {
    const kir_variable *variable = f->variables.at[i];
    const bool unset = variable->is_read && !variable->is_written && !variable->initialised;
    if (unset) tell(v, variable->line, "`%s` is read and never written", variable->name);
  }
}

static void tell_unset(void *context, int line, const char *name) {
  tell(context, line, "`%s` is read before it is written", name);
}

static void walk_function(verifier *v, kir_function *f) {
  v->function = f;
  v->divergent = v->left = v->loop_split = false;
  walk_body(v, &f->body->body);
  if (v->reporting) check_variables(v, f), kir_find_unset(v->program, f, tell_unset, v);
}

static void walk_all(verifier *v) { /* callers first: what they hand over varies, or not */
  for (int i = v->program->functions.n; i-- > 0;) walk_function(v, v->program->functions.at[i]);
}

int kir_verify(kir_program *p, kir_message *messages, int max) {
  verifier v = {.program = p, .messages = messages, .max = max};
  do {
    v.changed = false;
    walk_all(&v);
  } while (v.changed);
  v.reporting = true;
  walk_all(&v);
  return v.n;
}
