/* Defaults of parameters and rule arguments as formulas in reverse Polish notation: printed from the IR
 * when a scheme is compiled, evaluated at the start of a run from the manifest alone. Tokens are separated
 * by blanks: numbers, `pi`, `$name` and `$name.k` for other parameters, and the operators of ops.def by
 * their names (`^ neg sqrt < select`). */
#include "back/back.h"
#include "back/text.h"
#include "dslc.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_STACK = 64, MAX_DEPTH = 60, MAX_FORMULA = 1 << 16 };

/* ---- printing ---- */

typedef struct printer {
  const ir_module *m;
  arena *memory;
  char *text;
  size_t size, room;
  bool failed; /* not a formula, or too large a one */
} printer;

static void put(printer *p, const char *token) {
  size_t n = strlen(token), gap = p->size > 0 && p->text[p->size - 1] != ';' && *token != ';';
  if (p->failed || p->size + n + 2 > MAX_FORMULA) {
    p->failed = true;
    return;
  }
  while (p->size + n + 2 > p->room) {
    p->text = arena_grow(p->memory, p->text, p->room, p->room ? 2 * p->room : 128);
    p->room = p->room ? 2 * p->room : 128;
  }
  if (gap) p->text[p->size++] = ' ';
  memcpy(p->text + p->size, token, n + 1);
  p->size += n;
}

static bool is_printable(ir_op op) {
  if (op >= IR_ADD && op <= IR_SELECT) return true;
  return op == IR_CONST || op == IR_PARAM || op == IR_PART;
}

static void put_parameter(printer *p, const ir_node *n, int component) {
  const ir_symbol *s = ir_symbol_get(p->m, n->read.sym);
  if (s->kind != IR_PARAMETER) p->failed = true;
  else
    put(p, component ? arena_printf(p->memory, "$%s.%d", s->text, component)
                     : arena_printf(p->memory, "$%s", s->text));
}

static void print_component(printer *p, ir_id id, int component, int depth);

/* Component k of a vector or tuple built from parts, or of one read from a parameter. */
static bool print_part(printer *p, const ir_node *n, int component, int depth) {
  const ir_id *arg = ir_args(p->m, n);
  if (n->op == IR_PARAM) {
    put_parameter(p, n, n->read.first + component);
    return true;
  }
  if (n->op == IR_PART) {
    print_component(p, arg[0], n->first + component, depth + 1);
    return true;
  }
  if (n->op != IR_TUPLE) return false;
  for (int a = 0; a < n->n_args; a++) {
    int width = ir_get(p->m, arg[a])->type.n;
    if (component < width) {
      print_component(p, arg[a], component, depth + 1);
      return true;
    }
    component -= width;
  }
  p->failed = true;
  return true;
}

static void print_component(printer *p, ir_id id, int component, int depth) {
  const ir_node *n = ir_get(p->m, id);
  if (depth > MAX_DEPTH) p->failed = true;
  if (p->failed || print_part(p, n, component, depth)) return;
  if (!is_printable((ir_op)n->op)) {
    p->failed = true;
    return;
  }
  if (n->op == IR_CONST) {
    put(p, text_number(p->memory, n->value));
    return;
  }
  for (int a = 0; a < n->n_args;
       a++) { /* of vectors component by component; scalars stand for all components */
    ir_id arg = ir_args(p->m, n)[a];
    print_component(p, arg, ir_get(p->m, arg)->type.n > 1 ? component : 0, depth + 1);
  }
  put(p, ir_op_get((ir_op)n->op)->text);
}

char *back_formula(const ir_module *m, ir_id root, arena *a) {
  printer p = {.m = m, .memory = a};
  int components = ir_get(m, root)->type.n;
  for (int k = 0; k < components; k++) {
    if (k) put(&p, ";");
    print_component(&p, root, k, 0);
  }
  return p.failed ? NULL : p.text;
}

/* ---- evaluating ---- */

typedef struct machine {
  const dslc_program *p;
  const double (*value)[DSLC_MOST_COMPONENTS];
  double stack[MAX_STACK];
  int n;
  bool failed;
} machine;

static void push(machine *s, double v) {
  if (s->n == MAX_STACK) s->failed = true;
  else s->stack[s->n++] = v;
}

static int find_parameter(const dslc_program *p, const char *text, size_t n) {
  for (int i = 0; i < p->model.n_parameters; i++)
    if (strlen(p->model.parameter[i].name) == n && memcmp(p->model.parameter[i].name, text, n) == 0) return i;
  return -1;
}

/* `$name` or `$name.k`; names may hold dots themselves. */
static int parse_parameter(const dslc_program *p, const char *token, size_t n, int *component) {
  *component = 0;
  int found = find_parameter(p, token + 1, n - 1);
  size_t dot = n - 1;
  while (dot > 1 && token[dot] >= '0' && token[dot] <= '9') dot--;
  if (found >= 0 || dot < 2 || token[dot] != '.' || dot + 1 == n || n - dot > 3) return found;
  for (size_t i = dot + 1; i < n; i++) *component = 10 * *component + token[i] - '0';
  return *component < DSLC_MOST_COMPONENTS ? find_parameter(p, token + 1, dot - 1) : -1;
}

static bool find_operator(const char *token, size_t n, ir_op *op) {
  for (int i = IR_ADD; i <= IR_SELECT; i++) {
    const char *text = ir_op_get((ir_op)i)->text;
    if (strlen(text) != n || memcmp(text, token, n) != 0) continue;
    *op = (ir_op)i;
    return true;
  }
  return false;
}

static void apply(machine *s, ir_op op) {
  int arity = ir_op_get(op)->arity;
  if (s->n < arity) {
    s->failed = true;
    return;
  }
  s->n -= arity;
  push(s, ir_apply(op, s->stack + s->n)); /* as in kernels */
}

static void step(machine *s, const char *token, size_t n) {
  char number[64], *end = number;
  ir_op op;
  int component, parameter = *token == '$' ? parse_parameter(s->p, token, n, &component) : -1;
  if (parameter >= 0) push(s, s->value[parameter][component]);
  else if (*token == '$') s->failed = true;
  else if (n == 2 && memcmp(token, "pi", 2) == 0) push(s, M_PI);
  else if (n == 4 && memcmp(token, "true", 4) == 0) push(s, 1);
  else if (n == 5 && memcmp(token, "false", 5) == 0) push(s, 0);
  else if (find_operator(token, n, &op)) apply(s, op);
  else if (n < sizeof number) {
    memcpy(number, token, n);
    number[n] = '\0';
    push(s, strtod(number, &end));
    if (end == number || *end) s->failed = true;
  } else s->failed = true;
}

/* Up to the next blank, or the end of the component. */
static size_t token_length(const char *at) {
  size_t n = 0;
  while (at[n] && at[n] != ' ' && at[n] != ';') n++;
  return n;
}

static double evaluate(machine *s, const char *formula, size_t size) {
  for (size_t at = 0; at < size;) {
    size_t n = token_length(formula + at);
    if (n > size - at) n = size - at;
    if (n > 0) step(s, formula + at, n);
    at += n + 1;
  }
  return s->failed || s->n != 1 ? NAN : s->stack[0];
}

void dslc_formula(const dslc_program *p, const char *formula, const double (*value)[DSLC_MOST_COMPONENTS],
                  int components, double *out) {
  const char *at = formula ? formula : "";
  for (int k = 0; k < components; k++) {
    const char *end = strchr(at, ';');
    machine s = {.p = p, .value = value};
    out[k] = evaluate(&s, at, end ? (size_t)(end - at) : strlen(at));
    if (end) at = end + 1; /* one component given for several: it stands for all */
  }
}

/* ---- defaults ---- */

static bool is_ready(const dslc_program *p, const char *formula, const bool *set) {
  for (const char *at = strchr(formula, '$'); at; at = strchr(at + 1, '$')) {
    int component, i = parse_parameter(p, at, token_length(at), &component);
    if (i >= 0 && !set[i]) return false;
  }
  return true;
}

/* Formulas may use parameters declared later: passes are made until nothing changes. */
int dslc_parameter_defaults(const dslc_program *p, double (*value)[DSLC_MOST_COMPONENTS], bool *set) {
  for (bool changed = true; changed;) {
    changed = false;
    for (int i = 0; i < p->model.n_parameters; i++) {
      const dslc_parameter *q = &p->model.parameter[i];
      if (set[i] || !q->formula || !is_ready(p, q->formula, set)) continue;
      dslc_formula(p, q->formula, (const double(*)[DSLC_MOST_COMPONENTS])value, q->components, value[i]);
      set[i] = changed = true;
    }
  }
  for (int i = 0; i < p->model.n_parameters; i++)
    if (!set[i]) return i;
  return -1;
}
