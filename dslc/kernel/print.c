/* The program as text that parses back to it: no macros, parentheses only where they count. */
#include <stdio.h>
#include <string.h>

#include "kernel/build.h"

static const struct {
  const char *text;
  int level;
} ops[] = {[KIR_NONE] = {"", 0},
           [KIR_ADD] = {" + ", KIR_BY_SUM},
           [KIR_SUB] = {" - ", KIR_BY_SUM},
           [KIR_MUL] = {"*", KIR_BY_PRODUCT},
           [KIR_DIV] = {"/", KIR_BY_PRODUCT},
           [KIR_MOD] = {"%", KIR_BY_PRODUCT},
           [KIR_SHL] = {" << ", KIR_BY_SHIFT},
           [KIR_SHR] = {" >> ", KIR_BY_SHIFT},
           [KIR_BAND] = {" & ", KIR_BY_BAND},
           [KIR_BOR] = {" | ", KIR_BY_BOR},
           [KIR_XOR] = {" ^ ", KIR_BY_XOR},
           [KIR_LT] = {" < ", KIR_BY_ORDER},
           [KIR_LE] = {" <= ", KIR_BY_ORDER},
           [KIR_GT] = {" > ", KIR_BY_ORDER},
           [KIR_GE] = {" >= ", KIR_BY_ORDER},
           [KIR_EQ] = {" == ", KIR_BY_EQUAL},
           [KIR_NE] = {" != ", KIR_BY_EQUAL},
           [KIR_NEG] = {"-", KIR_BY_PREFIX},
           [KIR_COMPL] = {"~", KIR_BY_PREFIX},
           [KIR_NOT] = {"!", KIR_BY_PREFIX},
           [KIR_BOTH] = {" && ", KIR_BY_AND},
           [KIR_EITHER] = {" || ", KIR_BY_OR}};

enum { comment_column = 72, widest_head = 104 };

static const kir_expr *seen(const kir_expr *e) { /* without what C does unasked */
  while (e->kind == KIR_CAST && e->implicit) e = e->a;
  return e;
}

const char *kir_op_text(kir_op op) { return ops[op].text; }

int kir_op_width(kir_op op) {
  const int level = ops[op].level;
  const bool tight = level == KIR_BY_PRODUCT || level == KIR_BY_PREFIX;
  return level == KIR_BY_SUM || level == KIR_BY_BOR || level == KIR_BY_XOR || level == KIR_BY_BAND ? 3
         : tight                                                                                   ? 1
                 : (int)strlen(ops[op].text);
}

int kir_op_level(kir_op op) { return ops[op].level; }

int kir_level(const kir_expr *e) {
  if (e->enclosed) return KIR_BY_POSTFIX;
  switch (e->kind) {
  case KIR_COMMA: return KIR_BY_COMMA;
  case KIR_ASSIGN: return KIR_BY_ASSIGNMENT;
  case KIR_SELECT: return KIR_BY_SELECT;
  case KIR_OR: return KIR_BY_OR;
  case KIR_AND: return KIR_BY_AND;
  case KIR_BINARY: return ops[e->op].level;
  case KIR_CONST: return e->signs ? KIR_BY_PREFIX : KIR_BY_POSTFIX;
  case KIR_UNARY:
  case KIR_CAST:
  case KIR_DEREF:
  case KIR_ADDRESS: return KIR_BY_PREFIX;
  case KIR_STEP: return e->postfix ? KIR_BY_POSTFIX : KIR_BY_PREFIX;
  default: return KIR_BY_POSTFIX;
  }
}

static void at_least(kir_program *p, const kir_expr *e, int level, writer *w) {
  e = seen(e);
  const bool enclosed = kir_level(e) < level;
  if (enclosed) write_plain(w, "(");
  kir_print_expr(p, e, w);
  if (enclosed) write_plain(w, ")");
}

static void pair(kir_program *p, const kir_expr *e, int level, const char *text, writer *w) {
  at_least(p, e->a, level, w);
  write_plain(w, text);
  at_least(p, e->b, level + 1, w);
}

static void list(kir_program *p, const kir_expr *e, writer *w) {
  for (int i = 0; i < e->n; i++) {
    if (i) write_plain(w, ", ");
    at_least(p, e->args[i], KIR_BY_ASSIGNMENT, w);
  }
}

static void print_prefix(kir_program *p, const kir_expr *e, const char *text, writer *w) {
  const kir_expr *a = seen(e->a);
  const bool signs = (a->kind == KIR_UNARY && a->op == KIR_NEG) || (a->kind == KIR_STEP && !a->postfix) ||
                     a->kind == KIR_ADDRESS; /* - -a, & &a */
  write_plain(w, text);
  at_least(p, a, signs ? KIR_BY_POSTFIX : KIR_BY_PREFIX, w);
}

static void print_field(kir_program *p, const kir_expr *e, writer *w) {
  const kir_expr *base = seen(e->a);
  const bool arrow = base->kind == KIR_DEREF;
  at_least(p, arrow ? base->a : base, KIR_BY_POSTFIX, w);
  write_plain(w, arrow ? "->" : ".");
  write_plain(w, e->spelling ? e->spelling : e->a->type->record->fields.at[e->field].name);
}

static void print_select(kir_program *p, const kir_expr *e, writer *w) {
  at_least(p, e->a, KIR_BY_OR, w);
  write_plain(w, " ? ");
  at_least(p, e->b, KIR_BY_ASSIGNMENT, w);
  write_plain(w, " : ");
  at_least(p, e->c, KIR_BY_SELECT, w);
}

static void print_assign(kir_program *p, const kir_expr *e, writer *w) {
  const char *op = ops[e->op].text;
  at_least(p, e->a, KIR_BY_PREFIX, w);
  while (*op == ' ') op++;
  write_text(w, " %.*s= ", (int)strcspn(op, " "), op);
  at_least(p, e->b, KIR_BY_ASSIGNMENT, w);
}

static void print_step(kir_program *p, const kir_expr *e, writer *w) {
  const char *text = e->op == KIR_ADD ? "++" : "--";
  if (!e->postfix) write_plain(w, text);
  at_least(p, e->a, e->postfix ? KIR_BY_POSTFIX : KIR_BY_PREFIX, w);
  if (e->postfix) write_plain(w, text);
}

static void print_call(kir_program *p, const kir_expr *e, const char *function, writer *w) {
  write_plain(w, function);
  write_plain(w, "(");
  list(p, e, w);
  write_plain(w, ")");
}

static void print_bare(kir_program *p, const kir_expr *e, writer *w) {
  switch (e->kind) {
  case KIR_CONST: write_plain(w, e->spelling); break;
  case KIR_VAR: write_plain(w, e->variable->name); break;
  case KIR_UNARY: print_prefix(p, e, ops[e->op].text, w); break;
  case KIR_BINARY: pair(p, e, ops[e->op].level, ops[e->op].text, w); break;
  case KIR_AND: pair(p, e, KIR_BY_AND, " && ", w); break;
  case KIR_OR: pair(p, e, KIR_BY_OR, " || ", w); break;
  case KIR_COMMA: pair(p, e, KIR_BY_COMMA, ", ", w); break;
  case KIR_SELECT: print_select(p, e, w); break;
  case KIR_CAST: print_prefix(p, e, arena_printf(p->arena, "(%s)", kir_type_text(e->type)), w); break;
  case KIR_INDEX:
    at_least(p, e->a, KIR_BY_POSTFIX, w);
    write_plain(w, "[");
    kir_print_expr(p, e->b, w);
    write_plain(w, "]");
    break;
  case KIR_DEREF: print_prefix(p, e, "*", w); break;
  case KIR_ADDRESS: print_prefix(p, e, "&", w); break;
  case KIR_FIELD: print_field(p, e, w); break;
  case KIR_CALL: print_call(p, e, e->function ? e->function->name : e->spelling, w); break;
  case KIR_ELEMENT: print_call(p, e, e->spelling, w); break;
  case KIR_NAMED: write_plain(w, e->spelling); break;
  case KIR_BUILTIN: print_call(p, e, kir_builtin_name(e->builtin), w); break;
  case KIR_ASSIGN: print_assign(p, e, w); break;
  case KIR_STEP: print_step(p, e, w); break;
  case KIR_LIST:
    write_plain(w, "{");
    list(p, e, w);
    write_plain(w, "}");
    break;
  }
}

void kir_print_expr(kir_program *p, const kir_expr *e, writer *w) {
  e = seen(e);
  for (int i = 0; i < e->enclosed; i++) write_plain(w, "(");
  print_bare(p, e, w);
  for (int i = 0; i < e->enclosed; i++) write_plain(w, ")");
}

/* ---- Declarations ---------------------------------------------------------------------------------------------------- */

static void print_declared(const char *text, const kir_type *t, bool is_restrict, writer *w) {
  const kir_type *of = t->kind == KIR_ARRAY ? t->of : t;
  write_plain(w, kir_type_text(of));
  if (of->kind != KIR_POINTER) write_plain(w, " ");
  if (is_restrict) write_plain(w, "restrict ");
  write_plain(w, text);
}

static int declared_width(const char *text, const kir_type *t, bool is_restrict) {
  const int gap = t->kind == KIR_POINTER ? 0 : 1;
  return (int)strlen(kir_type_text(t)) + gap + (is_restrict ? 9 : 0) + (int)strlen(text);
}

/* A variable's declaration; behind others of one, without what they share. */
static void print_declarator(kir_program *p, const kir_variable *v, bool more, writer *w) {
  const kir_type *t = v->type;
  if (more) {
    write_plain(w, t->kind != KIR_POINTER ? "" : t->is_const ? "*const " : "*");
    write_plain(w, v->name);
  } else print_declared(v->name, t, v->is_restrict, w);
  if (v->count) {
    write_plain(w, "[");
    kir_print_expr(p, v->count, w);
    write_plain(w, "]");
  } else if (t->kind == KIR_ARRAY) write_text(w, "[%lld]", (long long)t->count);
}

/* Further variables of a declaration: of the same type but for the stars. */
static void print_let(kir_program *p, const kir_stmt *s, bool more, writer *w) {
  const kir_variable *v = s->variable;
  if (more) write_plain(w, ", ");
  else if (v->space == KIR_LOCAL) write_plain(w, "__local ");
  print_declarator(p, v, more, w);
  if (!s->value) return;
  write_plain(w, " = ");
  at_least(p, s->value, KIR_BY_ASSIGNMENT, w);
}

/* ---- Statements -------------------------------------------------------------------------------------------------------- */

/* A statement is printed without the end of its last line, as another one may be joined to it. */
static void print_stmt(kir_program *p, kir_stmt *s, bool goes_on, writer *w);

/* What was built learns on which line it stands. */
static void end_line(kir_program *p, kir_stmt *s, const char *remark, writer *w) {
  if (remark) {
    write_plain(w, " // ");
    write_plain(w, remark);
  }
  if (s->note) writer_end_line_with_comment(w, s->note);
  else writer_end_line(w);
  if (p->is_built) s->line = writer_lines(w);
}

/* Empty lines stand between statements; one behind a brace with a comment parts it from what the comment speaks of. */
static bool is_blank_of_use(const kir_body *body, int i, bool behind_comment) {
  if (i == 0 ? !behind_comment : body->at[i - 1]->kind == KIR_BLANK) return false;
  while (i < body->n && body->at[i]->kind == KIR_BLANK) i++;
  return i < body->n;
}

static bool goes_on(const kir_body *body, int i) { return i + 1 < body->n && body->at[i + 1]->joined; }

static bool has_body(const kir_stmt *s) {
  return s->kind == KIR_BLOCK || ((s->kind == KIR_IF || s->kind == KIR_FOR) && s->form != KIR_ON_LINE) ||
         (s->kind >= KIR_WHILE && s->kind <= KIR_SWITCH);
}

static void print_all(kir_program *p, const kir_body *body, bool behind_comment, writer *w) {
  for (int i = 0; i < body->n; i++) {
    kir_stmt *s = body->at[i];
    const bool more = goes_on(body, i);
    if (s->kind == KIR_BLANK && !is_blank_of_use(body, i, behind_comment)) continue;
    if (p->is_built) s->line = writer_lines(w) + 1;
    if (s->joined && s->kind != KIR_LET) write_plain(w, " ");
    print_stmt(p, s, more, w);
    if (!more) end_line(p, has_body(s) ? &(kir_stmt){0} : s, has_body(s) ? NULL : s->remark, w);
  }
}

void kir_print_body(kir_program *p, const kir_body *body, writer *w) { print_all(p, body, false, w); }

/* Behind the head of a statement: its block, up to the brace that closes it. */
static void print_block(kir_program *p, kir_stmt *s, const kir_body *body, writer *w) {
  write_plain(w, "{");
  end_line(p, s, s->remark, w);
  writer_indent(w);
  print_all(p, body, s->remark || s->note, w);
  writer_dedent(w);
  write_plain(w, "}");
}

/* Behind the head of a condition or a loop. */
static void print_governed(kir_program *p, kir_stmt *s, writer *w) {
  switch (s->form) {
  case KIR_ON_LINE:
    write_plain(w, " ");
    print_stmt(p, s->body.at[0], false, w);
    return;
  case KIR_BELOW:
  case KIR_STACKED:
    end_line(p, s, s->remark, w);
    if (s->form == KIR_BELOW) writer_indent(w);
    print_stmt(p, s->body.at[0], false, w);
    if (s->form == KIR_BELOW) writer_dedent(w);
    return;
  case KIR_BRACED:
  case KIR_FLUSH:
  case KIR_BROKEN: break;
  }
  write_plain(w, " ");
  print_block(p, s, &s->body, w);
}

static void print_head(kir_program *p, const char *word, const kir_expr *value, writer *w) {
  write_plain(w, word);
  write_plain(w, " (");
  kir_print_expr(p, value, w);
  write_plain(w, ")");
}

static void print_for(kir_program *p, kir_stmt *s, writer *w) {
  write_plain(w, "for (");
  for (int i = 0; i < s->first.n; i++) {
    const kir_stmt *first = s->first.at[i];
    if (first->kind == KIR_EVAL) kir_print_expr(p, first->value, w);
    else print_let(p, first, i > 0, w);
  }
  write_plain(w, ";");
  if (s->form == KIR_BROKEN) writer_end_line(w), write_plain(w, "    ");
  if (s->value) write_plain(w, " "), kir_print_expr(p, s->value, w);
  write_plain(w, ";");
  if (s->step) write_plain(w, " "), kir_print_expr(p, s->step, w);
  write_plain(w, ")");
  print_governed(p, s, w);
}

static void print_if(kir_program *p, kir_stmt *s, writer *w) {
  print_head(p, "if", s->value, w);
  print_governed(p, s, w);
  if (!s->has_otherwise) return;
  write_plain(w, " else ");
  kir_stmt *first = s->otherwise.n == 1 ? s->otherwise.at[0] : NULL;
  if (first && first->chained) print_if(p, first, w);
  else print_block(p, &(kir_stmt){0}, &s->otherwise, w);
}

static void print_switch(kir_program *p, kir_stmt *s, writer *w) {
  print_head(p, "switch", s->value, w);
  write_plain(w, " ");
  if (s->form != KIR_FLUSH) {
    print_block(p, s, &s->body, w);
    return;
  }
  write_plain(w, "{");
  end_line(p, s, s->remark, w);
  print_all(p, &s->body, s->remark, w);
  write_plain(w, "}");
}

static void print_ended(kir_program *p, const char *word, const kir_expr *value, const char *end, writer *w) {
  write_plain(w, word);
  if (value) kir_print_expr(p, value, w);
  write_plain(w, end);
}

static void print_barrier(const kir_stmt *s, writer *w) {
  static const char *const memory[] = {"0", "CLK_LOCAL_MEM_FENCE", "CLK_GLOBAL_MEM_FENCE",
                                       "CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE"};
  write_text(w, "%s(%s);", s->kind == KIR_BARRIER ? "barrier" : "mem_fence", memory[s->fences]);
}

static void print_words(const char *word, const char *text, writer *w) {
  write_plain(w, word);
  write_plain(w, text);
}

static void print_stmt(kir_program *p, kir_stmt *s, bool goes_on, writer *w) {
  switch (s->kind) {
  case KIR_BLOCK: print_block(p, s, &s->body, w); break;
  case KIR_LET:
    print_let(p, s, s->joined, w);
    if (!goes_on) write_plain(w, ";");
    break;
  case KIR_EVAL: print_ended(p, "", s->value, ";", w); break;
  case KIR_IF: print_if(p, s, w); break;
  case KIR_FOR: print_for(p, s, w); break;
  case KIR_WHILE:
    print_head(p, "while", s->value, w);
    print_governed(p, s, w);
    break;
  case KIR_SWITCH: print_switch(p, s, w); break;
  case KIR_DO:
    write_plain(w, "do ");
    print_block(p, s, &s->body, w);
    print_ended(p, " while (", s->value, ");", w);
    break;
  case KIR_CASE: print_ended(p, s->value ? "case " : "default", s->value, ":", w); break;
  case KIR_BREAK: write_plain(w, "break;"); break;
  case KIR_CONTINUE: write_plain(w, "continue;"); break;
  case KIR_RETURN: print_ended(p, s->value ? "return " : "return", s->value, ";", w); break;
  case KIR_BARRIER:
  case KIR_FENCE: print_barrier(s, w); break;
  case KIR_PRAGMA: print_words("#pragma ", s->text, w); break;
  case KIR_DEFINE: print_words("#define ", s->text, w); break;
  case KIR_COMMENT: print_words("// ", s->text, w); break;
  case KIR_BLANK: break;
  }
}

/* ---- The program --------------------------------------------------------------------------------------------------------- */

static void print_parameters(const kir_function *f, bool wraps, writer *w) {
  const int margin = writer_column(w);
  for (int i = 0; i < f->parameters.n; i++) {
    const kir_variable *v = f->parameters.at[i];
    const int width = declared_width(v->name, v->type, v->is_restrict);
    if (i > 0 && wraps && writer_column(w) + width > widest_head) write_text(w, ",\n%*s", margin, "");
    else if (i > 0) write_plain(w, ", ");
    print_declared(v->name, v->type, v->is_restrict, w);
  }
}

static void print_kernel_head(const kir_function *f, writer *w) {
  if (f->shape && f->is_sized) write_line(w, "__kernel SIZED(%s)", f->shape);
  else if (f->shape) write_line(w, "__kernel __attribute__((reqd_work_group_size(%s)))", f->shape);
  else write_line(w, "__kernel");
}

static void print_head_of(const kir_function *f, writer *w) {
  if (f->is_static || f->is_inline) write_plain(w, "static ");
  if (f->is_inline) write_plain(w, "inline ");
  if (f->noinline) write_plain(w, "__attribute__((noinline)) ");
  print_declared(f->name, f->type, false, w);
  write_plain(w, "(");
}

void kir_print_function(kir_program *p, kir_function *f, writer *w) {
  writer_set_comment(w, "//", "", comment_column + f->margin);
  writer_end_line(w);
  print_all(p, &f->head, false, w);
  if (f->is_kernel) print_kernel_head(f, w);
  print_head_of(f, w);
  print_parameters(f, f->is_kernel, w);
  write_line(w, f->is_prototype ? ");" : ")");
  f->line = writer_lines(w);
  if (f->is_prototype) return;
  print_block(p, f->body, &f->body->body, w);
  writer_end_line(w);
}

static void print_function(kir_program *p, const kir_function *f, writer *w) {
  write_line(w, "%s", "");
  if (f->is_kernel) write_text(w, "__kernel ");
  if (f->group[0])
    write_text(w, "__attribute__((reqd_work_group_size(%lld, %lld, %lld))) ", (long long)f->group[0],
               (long long)f->group[1], (long long)f->group[2]);
  print_head_of(f, w);
  print_parameters(f, false, w);
  write_line(w, ")");
  print_stmt(p, f->body, false, w);
  writer_end_line(w);
}

static void print_enumerators(const kir_program *p, writer *w) {
  int64_t expected = 0;
  for (int i = 0; i < p->enumerators.n; i++) {
    const kir_enumerator *e = &p->enumerators.at[i];
    const bool last = i + 1 == p->enumerators.n || p->enumerators.at[i + 1].first;
    if (e->first) write_plain(w, "enum { "), expected = 0;
    write_text(w, "%s", e->name);
    if (e->value != expected) write_text(w, " = %lld", (long long)e->value);
    expected = e->value + 1;
    if (last) write_line(w, " };");
    else write_plain(w, ", ");
  }
}

void kir_print_struct(const kir_struct *s, writer *w) {
  write_line(w, "typedef struct %s {", s->name);
  writer_indent(w);
  for (int i = 0; i < s->fields.n; i++) {
    print_declared(s->fields.at[i].name, s->fields.at[i].type, false, w);
    write_line(w, ";");
  }
  writer_dedent(w);
  write_line(w, "} %s;", s->name);
}

const char *kir_print(kir_program *p) {
  writer *w = writer_create(p->arena);
  write_line(w, "#pragma OPENCL EXTENSION cl_khr_fp64 : enable");
  print_enumerators(p, w);
  for (int i = 0; i < p->structs.n; i++) kir_print_struct(p->structs.at[i], w);
  for (int i = 0; i < p->functions.n; i++) print_function(p, p->functions.at[i], w);
  return writer_text(w);
}
