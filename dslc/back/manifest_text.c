/* Kernels' arguments as the manifest lists them and as the kernels' text has them. A text that is written in another way than dslc's is not
 * looked at, nor are names where the manifest takes any text: who changes kernels by hand may name things anew. */
#include "back/manifest.h"
#include "back/text.h"
#include "ir/ir.h"

#include <string.h>

/* An argument of a function, within the text. */
typedef struct text_arg {
  bool pointer;
  int element; /* of what it points to, or the number's: of dslc_element; -1: another type */
  const char *name;
  int length;
} text_arg;

typedef struct text_reader {
  const dslc_program *p;
  arena *memory;
  const char *wrong;
} text_reader;

static bool is_word(char ch) { return ch == '_' || text_is_letter(ch) || text_is_digit(ch); }

/* ---- tokens: words, with numbers, and single characters ---------------------------------------------------------------- */

typedef struct token {
  const char *at;
  int length; /* 0: the end */
} token;

static const char *skip(const char *at) {
  for (;; at++) {
    const bool line = at[0] == '/' && at[1] == '/', block = at[0] == '/' && at[1] == '*';
    if (line)
      while (at[1] && at[1] != '\n') at++;
    else if (block)
      for (at += 2; at[1] && !(at[0] == '*' && at[1] == '/');) at++;
    if (block && at[1]) at++;
    if (!line && !block && *at != ' ' && *at != '\n' && *at != '\t') return at;
    if (!*at) return at;
  }
}

static token next(const token *t) {
  token n = {skip(t->at + t->length), 0};
  while (is_word(n.at[n.length])) n.length++;
  if (n.length == 0 && *n.at) n.length = 1;
  return n;
}

static bool is_text(const token *t, const char *text) {
  return (size_t)t->length == strlen(text) && memcmp(t->at, text, (size_t)t->length) == 0;
}

/* ---- arguments -------------------------------------------------------------------------------------------------------------- */

/* What was read of a declaration: "const int items", "__global double *restrict T_". The last word is the name. */
typedef struct declaration {
  bool pointer;
  int element;
  token last;
} declaration;

static const declaration nothing = {.element = -1};

static void add_token(declaration *d, const token *t) {
  if (is_text(t, "*")) d->pointer = true;
  if (!is_word(*t->at)) return;
  if (is_text(t, "double")) d->element = DSLC_F64;
  else if (is_text(t, "float")) d->element = DSLC_F32;
  else if (is_text(t, "int")) d->element = DSLC_I32;
  else if (is_text(t, "char") || is_text(t, "uchar")) d->element = DSLC_U8;
  d->last = *t;
}

static text_arg arg_of(const declaration *d) {
  return (text_arg){d->pointer, d->element, d->last.at, d->last.length};
}

/* OpenCL C, from "(" to ")". How many there are, of which `room` are kept. */
static int read_list(token *t, text_arg *to, int room) {
  int n = 0;
  declaration d = nothing;
  while (t->length > 0 && !is_text(t, ")")) {
    *t = next(t);
    const bool end = is_text(t, ",") || is_text(t, ")");
    if (!end) add_token(&d, t);
    else if (d.last.length > 0 && n++ < room) to[n - 1] = arg_of(&d);
    if (end) d = nothing;
  }
  return n;
}

/* The number behind "args[", which is at `t`; -1: another text. */
static int index_of(const token *t) {
  token n = next(t);
  int number = 0;
  if (!is_text(t, "args") || !is_text(&n, "[")) return -1;
  n = next(&n);
  for (int i = 0; i < n.length; i++) {
    if (!text_is_digit(n.at[i]) || number > 10000) return -1;
    number = 10 * number + (n.at[i] - '0');
  }
  return number;
}

/* C, behind "{": "const double *restrict T_ = args[3];", "const int items = *(const int *)args[0];", in this order. */
static int read_locals(token *t, text_arg *to, int room) {
  int n = 0;
  declaration d = nothing;
  bool value = false;
  for (int depth = 1; t->length > 0 && depth > 0;) {
    *t = next(t);
    depth += is_text(t, "{") - is_text(t, "}");
    if (is_text(t, ";") || is_text(t, "{") || is_text(t, "}")) d = nothing, value = false;
    else if (is_text(t, "=")) value = true;
    else if (!value) add_token(&d, t);
    else if (index_of(t) == n && n++ < room) to[n - 1] = arg_of(&d);
  }
  return n;
}

/* ---- what is held against it ---------------------------------------------------------------------------------------- */

static int number_element(dslc_arg_kind kind) {
  return kind == DSLC_ARG_PARAMETER || kind == DSLC_ARG_STAGE || kind == DSLC_ARG_WEIGHT ? DSLC_F64
                                                                                         : DSLC_I32;
}

/* How dslc names an argument of a kind, as far as that says which one it is; NULL: as the scheme does. */
static const char *name_of(const text_reader *r, const dslc_arg *a) {
  switch (a->kind) {
  case DSLC_ARG_ITEMS: return "items";
  case DSLC_ARG_FIRST: return "first";
  case DSLC_ARG_STRIDE: return arena_printf(r->memory, "stride_%s", ir_place_text((ir_place)a->number));
  case DSLC_ARG_STAGE: return "stage";
  case DSLC_ARG_WEIGHT: return arena_printf(r->memory, "weight_%d", a->component);
  case DSLC_ARG_GROUPS: return "groups";
  case DSLC_ARG_POINTS: return arena_printf(r->memory, "points_%c", 'x' + a->number);
  case DSLC_ARG_PITCH: return arena_printf(r->memory, "pitch_%c", 'x' + a->number);
  case DSLC_ARG_ORIGIN: return "origin";
  case DSLC_ARG_HALO: return "halo";
  case DSLC_ARG_ROWS: return "rows";
  default: return NULL;
  }
}

static bool is_name(const text_arg *t, const char *word) {
  return (size_t)t->length == strlen(word) && strncmp(t->name, word, (size_t)t->length) == 0;
}

/* "k", "k_v", "w_x": begins as the parameter does, where that has no letters of other alphabets and no `_` that names of the text leave out. */
static bool is_of_parameter(const text_reader *r, const dslc_arg *a, const text_arg *t) {
  const dslc_parameter *p = &r->p->model.parameter[a->number];
  size_t n = 0;
  for (; p->name[n] && p->name[n] != '.'; n++) {
    const char next = p->name[n + 1];
    if (!is_word(p->name[n]) || (p->name[n] == '_' && (next == '_' || next == '.' || !next))) return true;
  }
  const int apart = t->length > 2 && strncmp(t->name, "s_", 2) == 0 ? 2 : 0; /* "s_get_x" of "get_x" */
  const bool own = (size_t)t->length >= n && strncmp(t->name, p->name, n) == 0;
  if (!own && ((size_t)(t->length - apart) < n || strncmp(t->name + apart, p->name, n) != 0)) return false;
  const char last = t->name[t->length - 1], before = t->length > 1 ? t->name[t->length - 2] : 0;
  return p->components < 2 || p->components > 3 || before != '_' || last < 'x' || last > 'z' ||
         last - 'x' == a->component;
}

/* Which member says what `name_of` is made of. */
static const char *member_of(dslc_arg_kind kind) {
  switch (kind) {
  case DSLC_ARG_WEIGHT: return "component";
  case DSLC_ARG_STRIDE:
  case DSLC_ARG_POINTS:
  case DSLC_ARG_PITCH: return "number";
  default: return "kind";
  }
}

static void check_arg(text_reader *r, int kernel, int number, const text_arg *t) {
  const dslc_arg *a = &r->p->execution.kernel[kernel].arg[number];
  const bool buffer = a->kind == DSLC_ARG_BUFFER;
  const char *word = name_of(r, a), *member = NULL;
  if (t->element < 0 || r->wrong) return;
  if (buffer != t->pointer || (!buffer && t->element != number_element(a->kind))) member = "kind";
  else if (r->p->identity.changed_by_hand) return;
  else if (a->name && !is_name(t, a->name)) member = "name";
  else if (word && !is_name(t, word)) member = member_of(a->kind);
  else if (a->kind == DSLC_ARG_PARAMETER && !is_of_parameter(r, a, t)) member = "number";
  if (member)
    r->wrong = arena_printf(
        r->memory, "kernels[%d].args[%d].%s is not that of `%.*s`, which the kernels' text has there", kernel,
        number, member, t->length, t->name);
}

/* Elements of what launches bind. */
static void check_elements(text_reader *r, int kernel, const text_arg *t) {
  static const char *const texts[] = {"f64", "f32", "i32", "u8"};
  const dslc_kernel *k = &r->p->execution.kernel[kernel];
  for (int s = 0; s < r->p->execution.n_sections; s++)
    for (int o = 0; o < r->p->execution.section[s].n_ops; o++) {
      const dslc_op *op = &r->p->execution.section[s].op[o];
      for (int a = 0; op->kind == DSLC_OP_LAUNCH && op->kernel == kernel && a < k->n_args && !r->wrong; a++) {
        if (k->arg[a].kind != DSLC_ARG_BUFFER || t[a].element < 0) continue;
        const int number = op->buffer[k->arg[a].number];
        const dslc_buffer *b = &r->p->execution.buffer[number];
        if ((int)b->element != t[a].element)
          r->wrong = arena_printf(
              r->memory,
              "buffers[%d].element is %s, sections[%d].ops[%d] has '%s' where kernels[%d] reads %s", number,
              texts[b->element], s, o, b->name, kernel, texts[t[a].element]);
      }
    }
}

static void check_function(text_reader *r, int kernel, token *t) {
  const dslc_kernel *k = &r->p->execution.kernel[kernel];
  const bool opencl = r->p->identity.target[0] == 'o';
  text_arg *arg = arena_array(r->memory, text_arg, k->n_args + 1);
  token body = *t;
  int n = read_list(&body, arg, opencl ? k->n_args : 0);
  body = next(&body);
  if (!is_text(&body, "{")) return; /* it is only declared */
  if (!opencl) n = read_locals(&body, arg, k->n_args);
  *t = body;
  if (n != k->n_args)
    r->wrong = arena_printf(r->memory, "kernels[%d].args has %d, the kernels' text %d", kernel, k->n_args, n);
  for (int a = 0; a < k->n_args && !r->wrong; a++) check_arg(r, kernel, a, &arg[a]);
  if (!r->wrong) check_elements(r, kernel, arg);
}

static int kernel_of(const dslc_program *p, const token *called) {
  for (int i = 0; i < p->execution.n_kernels; i++)
    if (is_text(called, p->execution.kernel[i].name)) return i;
  return -1;
}

const char *manifest_match(const dslc_program *p, arena *a) {
  text_reader r = {.p = p, .memory = a};
  for (token t = {p->execution.source, 0}; !r.wrong;) {
    t = next(&t);
    if (t.length == 0) break;
    if (!is_text(&t, "void")) continue;
    const token called = next(&t);
    const int kernel = kernel_of(p, &called);
    t = next(&called);
    if (kernel >= 0 && is_text(&t, "(")) check_function(&r, kernel, &t);
  }
  return r.wrong;
}
