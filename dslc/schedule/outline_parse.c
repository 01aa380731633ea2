/* Outlines from text. What is no outline is refused with a line and a reason. */
#include "schedule/outline.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* ---- reading a line ---------------------------------------------------------------------------------------------------- */

void outline_refuse(outline_reader *r, const char *what) {
  if (!r->wrong) r->wrong = arena_printf(r->memory, "line %d: expected %s", r->line, what);
}

bool outline_accept(outline_reader *r, const char *piece) {
  const size_t n = strlen(piece);
  if (r->wrong || strncmp(r->at, piece, n) != 0) return false;
  r->at += n;
  return true;
}

void outline_expect(outline_reader *r, const char *piece) {
  if (!outline_accept(r, piece)) outline_refuse(r, arena_printf(r->memory, "`%s`", piece));
}

bool outline_next_line(outline_reader *r) {
  outline_expect(r, "\n");
  r->line++;
  return !r->wrong && *r->at;
}

static size_t word_length(const outline_reader *r) { return strcspn(r->at, " ,:{}\n"); }

const char *outline_read_word(outline_reader *r) {
  const size_t n = word_length(r);
  if (!n) outline_refuse(r, "a name");
  r->at += n;
  return arena_strndup(r->memory, r->at - n, n);
}

int outline_read_name(outline_reader *r, const outline_names *n) {
  const int place = outline_find(n, r->at, word_length(r));
  if (place < 0) outline_refuse(r, "a name that has been introduced above");
  r->at += word_length(r);
  return place < 0 ? 0 : place;
}

const char *outline_read_until(outline_reader *r, const char *end) {
  const char *stop = strstr(r->at, end), *line = r->at + strcspn(r->at, "\n");
  if (!stop || stop > line) stop = line;
  const char *from = r->at;
  r->at = stop;
  return arena_strndup(r->memory, from, (size_t)(stop - from));
}

static double read_number(outline_reader *r) {
  char *end;
  const double value = strtod(r->at, &end);
  if (end == r->at) outline_refuse(r, "a number");
  r->at = end;
  return value;
}

int outline_read_integer(outline_reader *r) {
  char *end;
  const long value = strtol(r->at, &end, 10);
  if (end == r->at || value < INT32_MIN || value > INT32_MAX) outline_refuse(r, "a whole number");
  r->at = end;
  return (int)value;
}

ir_place outline_read_place(outline_reader *r) {
  if (!outline_accept(r, " @ ")) return IR_NOWHERE;
  const char *text = outline_read_word(r);
  for (int p = 0; p < IR_PLACE_COUNT; p++)
    if (strcmp(ir_place_text((ir_place)p), text) == 0) return (ir_place)p;
  outline_refuse(r, "a location");
  return IR_NOWHERE;
}

/* The next member of a list. */
name outline_introduce(outline_reader *r, outline_names *n) {
  const name text = intern_str(n->pool, outline_read_word(r));
  if (name_map_get(n->of, text)) outline_refuse(r, "another name");
  else name_map_put(n->of, text, (void *)(intptr_t)(name_map_size(n->of) + 1));
  return text;
}

/* ---- what there is --------------------------------------------------------------------------------------------------------- */

static void read_buffer(outline_reader *r, outline *o) {
  outline_buffer b = {.text = outline_introduce(r, &o->names.buffer)};
  b.given = outline_accept(r, " given");
  b.lasting = outline_accept(r, " lasting");
  b.shown = outline_accept(r, " shown");
  b.ghosts = outline_accept(r, " ghosts");
  b.start = outline_accept(r, " start");
  for (bool more = outline_accept(r, " replaced by "); more; more = outline_accept(r, ", "))
    vec_push(r->memory, &b.replaced, outline_read_name(r, &o->names.rule));
  vec_push(r->memory, &o->buffer, b);
}

static void read_entry(outline_reader *r, outline *o) {
  if (outline_accept(r, "  rule ")) {
    const name text = outline_introduce(r, &o->names.rule);
    vec_push(r->memory, &o->rule, ((outline_rule){text, !outline_accept(r, " unused")}));
  } else if (outline_accept(r, "  buffer ")) {
    read_buffer(r, o);
  } else if (outline_accept(r, "  global ")) {
    outline_global g = {.text = outline_introduce(r, &o->names.global)};
    g.known = outline_accept(r, " known");
    g.lasting = outline_accept(r, " lasting");
    vec_push(r->memory, &o->global, g);
  } else if (outline_accept(r, "  function ")) {
    const name text = outline_introduce(r, &o->names.function);
    outline_expect(r, " in table ");
    vec_push(r->memory, &o->function, ((outline_function){text, outline_read_integer(r)}));
  } else {
    outline_refuse(r, "a rule, buffer, global or function");
  }
}

static void read_head(outline_reader *r, outline *o) {
  outline_expect(r, "plan on ");
  o->on_grid = outline_accept(r, "grid");
  if (!o->on_grid) outline_expect(r, "mesh");
  o->periodic = outline_accept(r, ", periodic");
  outline_expect(r, " {");
  while (outline_next_line(r) && !outline_accept(r, "}")) read_entry(r, o);
}

/* ---- tasks ------------------------------------------------------------------------------------------------------------------- */

static void read_read(outline_reader *r, const outline *o, task *t) {
  if (outline_accept(r, "the global ")) {
    vec_push(r->memory, &t->scalar_read, outline_read_name(r, &o->names.global));
    return;
  }
  task_read read = {.buffer = outline_read_name(r, &o->names.buffer)};
  read.elsewhere = outline_accept(r, " at other points");
  read.beyond = outline_accept(r, " and ghosts");
  read.boundary = outline_accept(r, " at boundaries");
  vec_push(r->memory, &t->read, read);
}

static void read_write(outline_reader *r, const outline *o, task *t) {
  int verb = PLAN_PARTIAL;
  outline_expect(r, "  ");
  while (verb > 0 && !outline_accept(r, outline_verbs[verb])) verb--; /* one begins as the first does */
  if (verb == 0 && !outline_accept(r, outline_verbs[verb])) outline_refuse(r, "what the task does");
  outline_expect(r, " ");
  task_write w = {.kind = (plan_output_kind)verb, .buffer = outline_read_name(r, &o->names.buffer)};
  outline_expect(r, " component ");
  w.component = outline_read_integer(r);
  vec_push(r->memory, &t->write, w);
}

static void read_doing(outline_reader *r, const outline *o, task *t) {
  if (outline_accept(r, "  reads ")) {
    read_read(r, o, t);
  } else if (outline_accept(r, "  looks up ")) {
    vec_push(r->memory, &t->table_read, outline_read_name(r, &o->names.function));
    outline_expect(r, " near walls");
  } else if (outline_accept(r, "  keeps rows of ")) {
    vec_push(r->memory, &t->keep, outline_read_name(r, &o->names.buffer));
  } else if (outline_accept(r, "  fills the table of ")) {
    vec_push(r->memory, &t->table_written, outline_read_name(r, &o->names.function));
    outline_expect(r, " near walls");
  } else if (outline_accept(r, "  computes the global ")) {
    vec_push(r->memory, &t->scalar_written, outline_read_name(r, &o->names.global));
  } else {
    read_write(r, o, t);
  }
}

static void read_task(outline_reader *r, outline *o) {
  outline_task k = {.text = outline_introduce(r, &o->names.task)};
  k.place = outline_read_place(r);
  outline_expect(r, " {");
  if (outline_accept(r, " # ")) k.what = outline_read_until(r, "\n");
  while (outline_next_line(r) && !outline_accept(r, "}")) read_doing(r, o, &k.does);
  vec_push(r->memory, &o->task, k);
}

static void read_candidate(outline_reader *r, outline *o) {
  plan_candidate c = {.update = outline_read_until(r, ": "), .way = "a window computes"};
  outline_expect(r, ": ");
  if (!outline_accept(r, c.way)) outline_expect(r, c.way = "kernels before it store");
  outline_expect(r, " ");
  c.equations = outline_read_until(r, " # ");
  outline_expect(r, " # ");
  c.cost.bytes = read_number(r);
  outline_expect(r, " bytes, ");
  c.cost.operations = read_number(r);
  outline_expect(r, " operations a point, at most ");
  c.cost.launches = outline_read_integer(r);
  outline_expect(r, c.cost.launches == 1 ? " launch; " : " launches; ");
  c.kept = outline_accept(r, "kept");
  if (!c.kept) outline_expect(r, "dropped");
  if (outline_accept(r, ": ")) c.why_not = outline_read_until(r, "\n");
  vec_push(r->memory, &o->candidate, c);
}

/* ---- launches ---------------------------------------------------------------------------------------------------------------- */

static void read_launch(outline_reader *r, const outline *o, outline_op *op) {
  int subset = 0;
  op->task = outline_read_name(r, &o->names.task);
  outline_expect(r, " over ");
  while (outline_subsets[subset] && !outline_accept(r, outline_subsets[subset])) subset++;
  if (!outline_subsets[subset]) outline_refuse(r, "a part of the points");
  op->subset = (dslc_subset)subset;
  if (op->subset == DSLC_RULE) {
    outline_expect(r, " ");
    op->rule = outline_read_name(r, &o->names.rule);
  } else if (op->subset == DSLC_HOLD) {
    outline_expect(r, " of constraint ");
    op->rule = outline_read_integer(r);
  }
  if (outline_accept(r, " at ")) op->stage = read_number(r);
  if (outline_accept(r, " reading the partials of ")) op->groups_of = outline_read_integer(r);
}

static void read_two(outline_reader *r, const outline *o, outline_op *op, const char *between) {
  op->a = outline_read_name(r, &o->names.buffer);
  outline_expect(r, between);
  op->b = outline_read_name(r, &o->names.buffer);
}

static void read_solve(outline_reader *r, const outline *o, outline_op *op) {
  op->unknown = outline_read_until(r, " with ");
  outline_expect(r, " with ");
  for (int i = 0; i < 4; i++) {
    if (i) outline_expect(r, ", ");
    op->solve[i] = outline_read_name(r, &o->names.buffer);
  }
}

static void read_repeat(outline_reader *r, outline_op *op) {
  op->count = outline_read_integer(r);
  outline_expect(r, " at most ");
  op->limit = outline_read_integer(r);
  outline_expect(r, " times");
  if (op->count < 0) outline_refuse(r, "a number of operations");
}

static void read_op(outline_reader *r, outline *o, outline_section *s) {
  static const char *const word[] = {[DSLC_OP_LAUNCH] = "launch ",
                                     [DSLC_OP_SWAP] = "swap ",
                                     [DSLC_OP_COPY] = "copy ",
                                     [DSLC_OP_GHOSTS] = "periodic ghosts of ",
                                     [DSLC_OP_REPEAT] = "repeat the next ",
                                     [DSLC_OP_SOLVE] = "solve for "};
  const int n_words = sizeof word / sizeof *word;
  outline_op op = {.groups_of = -1};
  int kind = 0;
  outline_expect(r, arena_printf(r->memory, "  %d ", s->op.n));
  while (kind < n_words && !outline_accept(r, word[kind])) kind++;
  op.kind = (dslc_op_kind)kind;
  switch (kind) {
  case DSLC_OP_LAUNCH: read_launch(r, o, &op); break;
  case DSLC_OP_SWAP: read_two(r, o, &op, ", "); break;
  case DSLC_OP_COPY: read_two(r, o, &op, " to "); break;
  case DSLC_OP_GHOSTS: op.a = outline_read_name(r, &o->names.buffer); break;
  case DSLC_OP_REPEAT: read_repeat(r, &op); break;
  case DSLC_OP_SOLVE: read_solve(r, o, &op); break;
  default: outline_refuse(r, "an operation");
  }
  while (outline_accept(r, ", ")) {
    outline_bound b = {.from = outline_read_name(r, &o->names.buffer)};
    outline_expect(r, " is ");
    b.to = outline_read_name(r, &o->names.buffer);
    vec_push(r->memory, &op.bound, b);
  }
  vec_push(r->memory, &s->op, op);
}

static void read_section(outline_reader *r, outline *o) {
  outline_section s = {.text = outline_read_until(r, " {")};
  outline_expect(r, " {");
  while (outline_next_line(r) && !outline_accept(r, "}")) read_op(r, o, &s);
  for (int i = 0; i < s.op.n; i++)
    if (s.op.at[i].kind == DSLC_OP_REPEAT && s.op.at[i].count > s.op.n - 1 - i)
      outline_refuse(r, "as many operations as are repeated");
  vec_push(r->memory, &o->section, s);
}

outline *outline_parse(arena *a, intern_pool *pool, const char *text, const char **wrong) {
  outline *o = outline_create(a, pool);
  outline_reader r = {.memory = a, .at = text, .line = 1};
  read_head(&r, o);
  while (!r.wrong && outline_next_line(&r)) {
    if (outline_accept(&r, "task ")) read_task(&r, o);
    else if (outline_accept(&r, "candidate for ")) read_candidate(&r, o);
    else if (outline_accept(&r, "section ")) read_section(&r, o);
    else outline_refuse(&r, "a task, a candidate or a section");
  }
  *wrong = r.wrong;
  return r.wrong ? NULL : o;
}
