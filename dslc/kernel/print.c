/* The program as text that parses back to it: no macros, parentheses only where they count. */
#include <stdio.h>
#include <string.h>

#include "kernel/kernel.h"

/* How tightly things bind: C's levels. */
enum {
  BY_COMMA = 1,
  BY_ASSIGNMENT,
  BY_SELECT,
  BY_OR,
  BY_AND,
  BY_BOR,
  BY_XOR,
  BY_BAND,
  BY_EQUAL,
  BY_ORDER,
  BY_SHIFT,
  BY_SUM,
  BY_PRODUCT,
  BY_PREFIX,
  BY_POSTFIX
};

static const struct {
  const char *text;
  int level;
} ops[] = {[KIR_NONE] = {"", 0},           [KIR_ADD] = {" + ", BY_SUM},    [KIR_SUB] = {" - ", BY_SUM},
           [KIR_MUL] = {"*", BY_PRODUCT},  [KIR_DIV] = {"/", BY_PRODUCT},  [KIR_MOD] = {"%", BY_PRODUCT},
           [KIR_SHL] = {" << ", BY_SHIFT}, [KIR_SHR] = {" >> ", BY_SHIFT}, [KIR_BAND] = {" & ", BY_BAND},
           [KIR_BOR] = {" | ", BY_BOR},    [KIR_XOR] = {" ^ ", BY_XOR},    [KIR_LT] = {" < ", BY_ORDER},
           [KIR_LE] = {" <= ", BY_ORDER},  [KIR_GT] = {" > ", BY_ORDER},   [KIR_GE] = {" >= ", BY_ORDER},
           [KIR_EQ] = {" == ", BY_EQUAL},  [KIR_NE] = {" != ", BY_EQUAL},  [KIR_NEG] = {"-", BY_PREFIX},
           [KIR_COMPL] = {"~", BY_PREFIX}, [KIR_NOT] = {"!", BY_PREFIX}};

static const kir_expr *seen(const kir_expr *e) { /* without what C does unasked */
  while (e->kind == KIR_CAST && e->implicit) e = e->a;
  return e;
}

static int level_of(const kir_expr *e) {
  switch (e->kind) {
  case KIR_COMMA: return BY_COMMA;
  case KIR_ASSIGN: return BY_ASSIGNMENT;
  case KIR_SELECT: return BY_SELECT;
  case KIR_OR: return BY_OR;
  case KIR_AND: return BY_AND;
  case KIR_BINARY: return ops[e->op].level;
  case KIR_UNARY:
  case KIR_CAST:
  case KIR_DEREF:
  case KIR_ADDRESS: return BY_PREFIX;
  case KIR_STEP: return e->postfix ? BY_POSTFIX : BY_PREFIX;
  default: return BY_POSTFIX;
  }
}

static void at_least(kir_program *p, const kir_expr *e, int level, writer *w) {
  e = seen(e);
  const bool enclosed = level_of(e) < level;
  if (enclosed) write_text(w, "(");
  kir_print_expr(p, e, w);
  if (enclosed) write_text(w, ")");
}

static void pair(kir_program *p, const kir_expr *e, int level, const char *text, writer *w) {
  at_least(p, e->a, level, w);
  write_text(w, "%s", text);
  at_least(p, e->b, level + 1, w);
}

static void list(kir_program *p, const kir_expr *e, writer *w) {
  for (int i = 0; i < e->n; i++) {
    if (i) write_text(w, ", ");
    at_least(p, e->args[i], BY_ASSIGNMENT, w);
  }
}

static void print_prefix(kir_program *p, const kir_expr *e, const char *text, writer *w) {
  const kir_expr *a = seen(e->a);
  const bool signs =
      a->kind == KIR_UNARY || (a->kind == KIR_STEP && !a->postfix) || a->kind == KIR_ADDRESS; /* - -a, & &a */
  write_text(w, "%s", text);
  at_least(p, a, signs ? BY_POSTFIX : BY_PREFIX, w);
}

static void print_field(kir_program *p, const kir_expr *e, writer *w) {
  const kir_expr *base = seen(e->a);
  const bool arrow = base->kind == KIR_DEREF;
  at_least(p, arrow ? base->a : base, BY_POSTFIX, w);
  write_text(w, "%s%s", arrow ? "->" : ".", e->a->type->record->fields.at[e->field].name);
}

static void print_select(kir_program *p, const kir_expr *e, writer *w) {
  at_least(p, e->a, BY_OR, w);
  write_text(w, " ? ");
  at_least(p, e->b, BY_ASSIGNMENT, w);
  write_text(w, " : ");
  at_least(p, e->c, BY_SELECT, w);
}

static void print_assign(kir_program *p, const kir_expr *e, writer *w) {
  const char *op = ops[e->op].text;
  at_least(p, e->a, BY_PREFIX, w);
  while (*op == ' ') op++;
  write_text(w, " %.*s= ", (int)strcspn(op, " "), op);
  at_least(p, e->b, BY_ASSIGNMENT, w);
}

static void print_step(kir_program *p, const kir_expr *e, writer *w) {
  const char *text = e->op == KIR_ADD ? "++" : "--";
  if (!e->postfix) write_text(w, "%s", text);
  at_least(p, e->a, e->postfix ? BY_POSTFIX : BY_PREFIX, w);
  if (e->postfix) write_text(w, "%s", text);
}

static void print_call(kir_program *p, const kir_expr *e, const char *name, writer *w) {
  write_text(w, "%s(", name);
  list(p, e, w);
  write_text(w, ")");
}

void kir_print_expr(kir_program *p, const kir_expr *e, writer *w) {
  e = seen(e);
  switch (e->kind) {
  case KIR_CONST: write_text(w, "%s", e->spelling); break;
  case KIR_VAR: write_text(w, "%s", e->variable->name); break;
  case KIR_UNARY: print_prefix(p, e, ops[e->op].text, w); break;
  case KIR_BINARY: pair(p, e, ops[e->op].level, ops[e->op].text, w); break;
  case KIR_AND: pair(p, e, BY_AND, " && ", w); break;
  case KIR_OR: pair(p, e, BY_OR, " || ", w); break;
  case KIR_COMMA: pair(p, e, BY_COMMA, ", ", w); break;
  case KIR_SELECT: print_select(p, e, w); break;
  case KIR_CAST: print_prefix(p, e, arena_printf(p->arena, "(%s)", kir_type_text(p, e->type)), w); break;
  case KIR_INDEX:
    at_least(p, e->a, BY_POSTFIX, w);
    write_text(w, "[");
    kir_print_expr(p, e->b, w);
    write_text(w, "]");
    break;
  case KIR_DEREF: print_prefix(p, e, "*", w); break;
  case KIR_ADDRESS: print_prefix(p, e, "&", w); break;
  case KIR_FIELD: print_field(p, e, w); break;
  case KIR_CALL: print_call(p, e, e->function->name, w); break;
  case KIR_BUILTIN: print_call(p, e, kir_builtin_name(e->builtin), w); break;
  case KIR_ASSIGN: print_assign(p, e, w); break;
  case KIR_STEP: print_step(p, e, w); break;
  case KIR_LIST:
    write_text(w, "{");
    list(p, e, w);
    write_text(w, "}");
    break;
  }
}

/* ---- Declarations ---------------------------------------------------------------------------------------------------- */

static const char *declared(kir_program *p, const char *name, const kir_type *t, bool is_restrict) {
  if (t->kind == KIR_ARRAY)
    return arena_printf(p->arena, "%s[%lld]", declared(p, name, t->of, false), (long long)t->count);
  const char *type = kir_type_text(p, t);
  const char *gap = t->kind == KIR_POINTER ? "" : " ";
  return arena_printf(p->arena, "%s%s%s%s", type, gap, is_restrict ? "restrict " : "", name);
}

static void print_let(kir_program *p, const kir_stmt *s, writer *w) {
  const kir_variable *v = s->variable;
  const bool local = v->space == KIR_LOCAL;
  write_text(w, "%s%s", local ? "__local " : "", declared(p, v->name, v->type, v->is_restrict));
  if (!s->value) return;
  write_text(w, " = ");
  at_least(p, s->value, BY_ASSIGNMENT, w);
}

/* Further declarations in the head of a loop: of the same type but for the stars. */
static void print_more(kir_program *p, const kir_stmt *s, writer *w) {
  const kir_variable *v = s->variable;
  write_text(w, ", %s%s", v->type->kind == KIR_POINTER ? "*" : "", v->name);
  if (!s->value) return;
  write_text(w, " = ");
  at_least(p, s->value, BY_ASSIGNMENT, w);
}

/* ---- Statements -------------------------------------------------------------------------------------------------------- */

static void print_stmt(kir_program *p, const kir_stmt *s, writer *w);

static void print_body(kir_program *p, const kir_body *body, writer *w) {
  writer_indent(w);
  for (int i = 0; i < body->n; i++) print_stmt(p, body->at[i], w);
  writer_dedent(w);
}

static void print_head(kir_program *p, const char *word, const kir_expr *value, writer *w) {
  write_text(w, "%s (", word);
  kir_print_expr(p, value, w);
  write_line(w, ") {");
}

static void print_for(kir_program *p, const kir_stmt *s, writer *w) {
  write_text(w, "for (");
  for (int i = 0; i < s->first.n; i++) {
    const kir_stmt *first = s->first.at[i];
    if (first->kind == KIR_EVAL) kir_print_expr(p, first->value, w);
    else if (i == 0) print_let(p, first, w);
    else print_more(p, first, w);
  }
  write_text(w, ";");
  if (s->value) write_text(w, " "), kir_print_expr(p, s->value, w);
  write_text(w, ";");
  if (s->step) write_text(w, " "), kir_print_expr(p, s->step, w);
  write_line(w, ") {");
  print_body(p, &s->body, w);
  write_line(w, "}");
}

static void print_if(kir_program *p, const kir_stmt *s, writer *w) {
  print_head(p, "if", s->value, w);
  print_body(p, &s->body, w);
  if (s->has_otherwise) {
    write_line(w, "} else {");
    print_body(p, &s->otherwise, w);
  }
  write_line(w, "}");
}

static void print_ended(kir_program *p, const char *word, const kir_expr *value, const char *end, writer *w) {
  write_text(w, "%s", word);
  if (value) kir_print_expr(p, value, w);
  write_line(w, "%s", end);
}

static void print_barrier(const kir_stmt *s, writer *w) {
  static const char *const memory[] = {"0", "CLK_LOCAL_MEM_FENCE", "CLK_GLOBAL_MEM_FENCE",
                                       "CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE"};
  write_line(w, "%s(%s);", s->kind == KIR_BARRIER ? "barrier" : "mem_fence", memory[s->fences]);
}

static void print_loop(kir_program *p, const char *word, const kir_stmt *s, writer *w) {
  print_head(p, word, s->value, w);
  print_body(p, &s->body, w);
  write_line(w, "}");
}

static void print_stmt(kir_program *p, const kir_stmt *s, writer *w) {
  switch (s->kind) {
  case KIR_BLOCK:
    write_line(w, "{");
    print_body(p, &s->body, w);
    write_line(w, "}");
    break;
  case KIR_LET:
    print_let(p, s, w);
    write_line(w, ";");
    break;
  case KIR_EVAL: print_ended(p, "", s->value, ";", w); break;
  case KIR_IF: print_if(p, s, w); break;
  case KIR_FOR: print_for(p, s, w); break;
  case KIR_WHILE: print_loop(p, "while", s, w); break;
  case KIR_SWITCH: print_loop(p, "switch", s, w); break;
  case KIR_DO:
    write_line(w, "do {");
    print_body(p, &s->body, w);
    print_ended(p, "} while (", s->value, ");", w);
    break;
  case KIR_CASE: print_ended(p, s->value ? "case " : "default", s->value, ":", w); break;
  case KIR_BREAK: write_line(w, "break;"); break;
  case KIR_CONTINUE: write_line(w, "continue;"); break;
  case KIR_RETURN: print_ended(p, s->value ? "return " : "return", s->value, ";", w); break;
  case KIR_BARRIER:
  case KIR_FENCE: print_barrier(s, w); break;
  case KIR_PRAGMA: write_line(w, "#pragma %s", s->text); break;
  }
}

/* ---- The program --------------------------------------------------------------------------------------------------------- */

static void print_function(kir_program *p, const kir_function *f, writer *w) {
  write_line(w, "%s", "");
  if (f->is_kernel) write_text(w, "__kernel ");
  if (f->is_inline) write_text(w, "static inline ");
  if (f->noinline) write_text(w, "__attribute__((noinline)) ");
  if (f->group[0])
    write_text(w, "__attribute__((reqd_work_group_size(%lld, %lld, %lld))) ", (long long)f->group[0],
               (long long)f->group[1], (long long)f->group[2]);
  write_text(w, "%s(", declared(p, f->name, f->type, false));
  for (int i = 0; i < f->parameters.n; i++) {
    const kir_variable *v = f->parameters.at[i];
    write_text(w, "%s%s", i ? ", " : "", declared(p, v->name, v->type, v->is_restrict));
  }
  write_line(w, ")");
  print_stmt(p, f->body, w);
}

static void print_enumerators(const kir_program *p, writer *w) {
  int64_t expected = 0;
  for (int i = 0; i < p->enumerators.n; i++) {
    const kir_enumerator *e = &p->enumerators.at[i];
    const bool last = i + 1 == p->enumerators.n || p->enumerators.at[i + 1].first;
    if (e->first) write_text(w, "enum { "), expected = 0;
    write_text(w, "%s", e->name);
    if (e->value != expected) write_text(w, " = %lld", (long long)e->value);
    expected = e->value + 1;
    if (last) write_line(w, " };");
    else write_text(w, ", ");
  }
}

static void print_struct(kir_program *p, const kir_struct *s, writer *w) {
  write_line(w, "typedef struct {");
  writer_indent(w);
  for (int i = 0; i < s->fields.n; i++)
    write_line(w, "%s;", declared(p, s->fields.at[i].name, s->fields.at[i].type, false));
  writer_dedent(w);
  write_line(w, "} %s;", s->name);
}

const char *kir_print(kir_program *p) {
  writer *w = writer_create(p->arena);
  write_line(w, "#pragma OPENCL EXTENSION cl_khr_fp64 : enable");
  print_enumerators(p, w);
  for (int i = 0; i < p->structs.n; i++) print_struct(p, p->structs.at[i], w);
  for (int i = 0; i < p->functions.n; i++) print_function(p, p->functions.at[i], w);
  return writer_text(w);
}
