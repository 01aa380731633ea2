/* Statements and functions to instructions; where each function has its registers. */
#include <stdio.h>
#include <string.h>

#include "kernel/lower.h"

/* ---- Instructions ----------------------------------------------------------------------------------------------------- */

void kir_lower_fail(lowering *x, int line, const char *text) {
  if (x->failed) return;
  x->failed = true;
  x->message->line = line;
  snprintf(x->message->text, sizeof x->message->text, "%s", text);
}

uint32_t kir_emit_with(lowering *x, int op, unsigned extra, kir_reg a, kir_reg b, kir_reg c) {
  const kir_insn insn = {(uint16_t)op, (uint16_t)extra, a, b, c};
  vec_push(x->arena, &x->code->insns, insn);
  vec_push(x->arena, &x->code->lines, x->line);
  return (uint32_t)x->code->insns.n - 1;
}

uint32_t kir_emit(lowering *x, int op, kir_reg a, kir_reg b, kir_reg c) {
  return kir_emit_with(x, op, 0, a, b, c);
}

void kir_here(lowering *x, const kir_labels *labels) {
  for (int i = 0; i < labels->n; i++) x->code->insns.at[labels->at[i]].a = (uint32_t)x->code->insns.n;
}

void kir_jump(lowering *x, int op, kir_labels *to, kir_reg b, kir_reg c) {
  const uint32_t at = kir_emit(x, op, 0, b, c);
  vec_push(x->arena, to, at);
}

static void jump_back(lowering *x, uint32_t to) { kir_emit(x, KIR_OP_JUMP, to, 0, 0); }

kir_reg kir_take(lowering *x, int64_t n) {
  enum { most_registers = 1 << 24 };
  const kir_reg at = x->top;
  if (n > most_registers || x->top + n > most_registers) {
    kir_lower_fail(x, x->line, "more private memory than the model machine gives to an item");
    return at;
  }
  x->top += (uint32_t)n;
  if (x->top > x->limit) x->limit = x->top;
  return at;
}

kir_reg kir_number(lowering *x, kir_slot value) {
  kir_code *c = x->code;
  for (int i = 0; i < c->constants.n; i++)
    if (c->constants.at[i].w == value.w) return kir_constant_bit | (kir_reg)i;
  vec_push(x->arena, &c->constants, value);
  return kir_constant_bit | (kir_reg)(c->constants.n - 1);
}

kir_reg kir_integer(lowering *x, int64_t value) { return kir_number(x, (kir_slot){.l = value}); }

/* ---- Declarations -------------------------------------------------------------------------------------------------------- */

static void set_elements(lowering *x, const kir_variable *v, const kir_expr *values) {
  kir_place place = {.type = v->type->of, .in_memory = true, .at = kir_object_pointer(x, v)};
  for (int i = 0; i < values->n; i++) {
    place.index = kir_integer(x, i);
    kir_store(x, &place, kir_value(x, values->args[i]));
  }
}

static void let(lowering *x, const kir_stmt *s) {
  kir_variable *v = s->variable;
  v->object = 0;
  if (v->space == KIR_LOCAL || v->type->kind == KIR_ARRAY) {
    kir_make_object(x, v);
    const kir_object *o = &x->code->objects.at[v->object - 1];
    if (v->space == KIR_PRIVATE) kir_emit(x, KIR_OP_FORGET, o->slot, (kir_reg)((o->bytes + 7) / 8), 0);
    if (s->value)
      kir_emit(x, KIR_OP_CLEAR, o->slot, (kir_reg)((o->bytes + 7) / 8), 0), set_elements(x, v, s->value);
    return;
  }
  const int n = kir_slots_of(v->type);
  const kir_reg at = kir_take(x, n);
  v->slot = at;
  if (v->takes_address) kir_make_object(x, v);
  if (!s->value) {
    kir_emit(x, KIR_OP_FORGET, at, (kir_reg)n, 0);
    return;
  }
  const uint32_t top = x->top;
  kir_value_to(x, s->value, at);
  x->top = top;
  if (kir_is_tracked(v)) kir_emit(x, KIR_OP_MARK, at, (kir_reg)n, 0);
}

/* ---- Statements ------------------------------------------------------------------------------------------------------------ */

static void lower_stmt(lowering *x, const kir_stmt *s);

static void lower_body(lowering *x, const kir_body *body) {
  const uint32_t top = x->top;
  for (int i = 0; i < body->n && !x->failed; i++) lower_stmt(x, body->at[i]);
  x->top = top;
}

static void evaluate(lowering *x, const kir_expr *e) {
  const uint32_t top = x->top;
  kir_value(x, e);
  x->top = top;
}

static void branch(lowering *x, const kir_expr *e, bool when, kir_labels *to) {
  const uint32_t top = x->top;
  x->line = e->line;
  kir_branch(x, e, when, to);
  x->top = top;
}

static void lower_if(lowering *x, const kir_stmt *s) {
  kir_labels otherwise = {0}, end = {0};
  branch(x, s->value, false, &otherwise);
  lower_body(x, &s->body);
  if (s->has_otherwise) kir_jump(x, KIR_OP_JUMP, &end, 0, 0);
  kir_here(x, &otherwise);
  if (s->has_otherwise) lower_body(x, &s->otherwise);
  kir_here(x, &end);
}

static void lower_loop(lowering *x, const kir_stmt *s) {
  kir_target target = {.outer = x->target};
  const uint32_t top = x->top;
  for (int i = 0; i < s->first.n; i++) lower_stmt(x, s->first.at[i]);
  const uint32_t begin = (uint32_t)x->code->insns.n;
  if (s->kind != KIR_DO && s->value) branch(x, s->value, false, &target.breaks);
  x->target = &target;
  lower_body(x, &s->body);
  x->target = target.outer;
  kir_here(x, &target.continues);
  x->line = s->line;
  if (s->step) evaluate(x, s->step);
  if (s->kind == KIR_DO) branch(x, s->value, false, &target.breaks);
  jump_back(x, begin);
  kir_here(x, &target.breaks);
  x->top = top;
}

static void dispatch(lowering *x, const kir_stmt *s, kir_labels *cases, kir_labels *end) {
  const uint32_t top = x->top;
  const kir_reg value = kir_value(x, s->value);
  int otherwise = -1;
  for (int i = 0; i < s->body.n; i++) {
    const kir_stmt *at = s->body.at[i];
    int64_t number;
    if (at->kind != KIR_CASE) continue;
    if (at->value && kir_constant(at->value, &number))
      kir_jump(x, KIR_OP_IF_EQ_L, &cases[i], value, kir_integer(x, number));
    else otherwise = i;
  }
  kir_jump(x, KIR_OP_JUMP, otherwise >= 0 ? &cases[otherwise] : end, 0, 0);
  x->top = top;
}

static void lower_switch(lowering *x, const kir_stmt *s) {
  kir_target target = {.outer = x->target, .is_switch = true};
  kir_labels *cases = arena_array(x->arena, kir_labels, s->body.n + 1);
  const uint32_t top = x->top;
  dispatch(x, s, cases, &target.breaks);
  x->target = &target;
  for (int i = 0; i < s->body.n; i++) {
    if (s->body.at[i]->kind == KIR_CASE) kir_here(x, &cases[i]);
    else lower_stmt(x, s->body.at[i]);
  }
  x->target = target.outer;
  kir_here(x, &target.breaks);
  x->top = top;
}

static void lower_return(lowering *x, const kir_stmt *s) {
  if (x->function->is_kernel) {
    kir_emit(x, KIR_OP_EXIT, 0, 0, 0);
    return;
  }
  const uint32_t top = x->top;
  if (s->value) kir_value_to(x, s->value, x->base + kir_result_offset());
  kir_emit(x, KIR_OP_RETURN, 0, x->base, 0);
  x->top = top;
}

static void lower_jump(lowering *x, bool is_break) {
  kir_target *t = x->target;
  while (t && !is_break && t->is_switch) t = t->outer;
  if (t) kir_jump(x, KIR_OP_JUMP, is_break ? &t->breaks : &t->continues, 0, 0);
}

static void lower_stmt(lowering *x, const kir_stmt *s) {
  x->line = s->line;
  switch (s->kind) {
  case KIR_BLOCK: lower_body(x, &s->body); break;
  case KIR_LET: let(x, s); break;
  case KIR_EVAL: evaluate(x, s->value); break;
  case KIR_IF: lower_if(x, s); break;
  case KIR_FOR:
  case KIR_WHILE:
  case KIR_DO: lower_loop(x, s); break;
  case KIR_SWITCH: lower_switch(x, s); break;
  case KIR_CASE:
    kir_lower_fail(x, s->line, "`case` within a statement of its `switch` is outside the subset");
    break;
  case KIR_BREAK: lower_jump(x, true); break;
  case KIR_CONTINUE: lower_jump(x, false); break;
  case KIR_RETURN: lower_return(x, s); break;
  case KIR_BARRIER:
    x->code->has_barrier = true;
    kir_emit_with(x, KIR_OP_BARRIER, (unsigned)s->fences, 0, 0, 0);
    break;
  case KIR_FENCE:
  case KIR_PRAGMA:
  case KIR_COMMENT:
  case KIR_BLANK:
  case KIR_DEFINE: break;
  }
}

/* ---- Functions ---------------------------------------------------------------------------------------------------------------- */

static void place_parameters(lowering *x, const kir_function *f) {
  kir_take(x, kir_parameter_offset(f));
  x->code->parameter = f->is_kernel ? x->top : x->code->parameter;
  for (int i = 0; i < f->parameters.n; i++) {
    kir_variable *v = f->parameters.at[i];
    const int n = kir_slots_of(v->type);
    v->slot = kir_take(x, n);
    v->object = 0;
    if (v->takes_address) kir_make_object(x, v);
    if (kir_is_tracked(v)) kir_emit(x, KIR_OP_MARK, (kir_reg)v->slot, (kir_reg)n, 0);
  }
}

static void lower_function(lowering *x, const kir_function *f, uint32_t base) {
  kir_frame frame = {.function = f, .begin = (uint32_t)x->code->insns.n, .base = base};
  x->function = f;
  x->base = x->top = x->limit = base;
  x->line = f->line;
  place_parameters(x, f);
  lower_body(x, &f->body->body);
  x->line = f->end_line;
  if (f->is_kernel) kir_emit(x, KIR_OP_EXIT, 0, 0, 0);
  else if (f->type->kind == KIR_VOID) kir_emit(x, KIR_OP_RETURN, 0, base, 0);
  else kir_emit(x, KIR_OP_NO_VALUE, 0, 0, 0);
  frame.end = (uint32_t)x->code->insns.n;
  frame.limit = x->limit;
  vec_push(x->arena, &x->code->frames, frame);
}

static bool calls(const kir_function *f, const kir_function *callee) {
  for (int i = 0; i < f->calls.n; i++)
    if (f->calls.at[i] == callee) return true;
  return false;
}

/* Behind the registers of all that call it; 0: nothing does. */
static uint32_t base_of(const lowering *x, const kir_function *f) {
  uint32_t base = 0;
  for (int i = 0; i < x->code->frames.n; i++)
    if (calls(x->code->frames.at[i].function, f) && x->code->frames.at[i].limit > base)
      base = x->code->frames.at[i].limit;
  return base;
}

static const kir_frame *frame_of(const kir_code *c, const kir_function *f) {
  for (int i = 0; i < c->frames.n; i++)
    if (c->frames.at[i].function == f) return &c->frames.at[i];
  return NULL;
}

static void resolve_calls(lowering *x) {
  for (int i = 0; i < x->patches.n; i++) {
    const kir_patch *p = &x->patches.at[i];
    const kir_frame *frame = frame_of(x->code, p->callee);
    kir_insn *insn = &x->code->insns.at[p->insn];
    if (p->field == 'a') insn->a += frame->base;
    if (p->field == 'b') insn->b += frame->base;
    if (p->field == 'j') insn->a = frame->begin, insn->b = frame->base;
  }
}

static void resolve_constants(kir_code *c) {
  uint32_t limit = 0;
  for (int i = 0; i < c->frames.n; i++)
    if (c->frames.at[i].limit > limit) limit = c->frames.at[i].limit;
  for (int i = 0; i < c->insns.n; i++) {
    uint32_t *const fields[] = {&c->insns.at[i].a, &c->insns.at[i].b, &c->insns.at[i].c};
    for (int k = 0; k < 3; k++)
      if (*fields[k] & kir_constant_bit) *fields[k] = limit + (*fields[k] & ~kir_constant_bit);
  }
  c->first_constant = limit;
  c->n_slots = limit + (uint32_t)c->constants.n;
}

/* Functions stand behind those that they call: from the kernel upwards, each comes after all that call it. */
static void lower_all(lowering *x, const kir_function *kernel) {
  const kir_program *p = x->program;
  int at = p->functions.n;
  while (at > 0 && p->functions.at[at - 1] != kernel) at--;
  lower_function(x, kernel, 0);
  for (at -= 2; at >= 0 && !x->failed; at--) {
    const uint32_t base = base_of(x, p->functions.at[at]);
    if (base > 0) lower_function(x, p->functions.at[at], base);
  }
}

kir_code *kir_lower(kir_program *p, const kir_function *kernel, kir_message *message) {
  kir_code *code = arena_new(p->arena, kir_code);
  *code = (kir_code){.program = p, .kernel = kernel};
  *message = (kir_message){0};
  lowering x = {.arena = p->arena, .program = p, .code = code, .message = message};
  lower_all(&x, kernel);
  if (x.failed) return NULL;
  resolve_calls(&x);
  resolve_constants(code);
  return code;
}

const char *kir_opcode_name(int op) {
  static const char *const names[] = {
#define OP(ID) #ID,
#include "kernel/opcodes.def"
#undef OP
  };
  return op >= 0 && op < KIR_OP_COUNT ? names[op] : "?";
}
