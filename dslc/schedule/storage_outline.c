/* Where equations live, as an outline: taken from what has been decided, printed, parsed. */
#include "schedule/outline.h"

#include <stdint.h>
#include <string.h>

const char *const outline_words[] = {"state",     "given",    "global",   "argument", "stored", "inlined",
                                     "scattered", "sum",      "constant", "previous", "once",   "constrained",
                                     "ghosts",    "replaced", "placed",   "changes",  "single", NULL};

/* ---- from the planner ---------------------------------------------------------------------------------------------------- */

typedef struct source {
  const problem *p;
  const symbol_use *use;
  const dependence *d;
  const symbol_storage *s;
  int *place;     /* by symbol: in the list, -1 */
  ir_sym *reader; /* by symbol: the last one found to read it */
} source;

static unsigned form_of(const source *f, ir_sym sym) {
  const ir_symbol *q = ir_symbol_get(f->p->from, sym);
  const symbol_storage *s = &f->s[sym];
  const unsigned stored = s->stored ? OUTLINE_STORED : 0;
  switch (q->kind) {
  case IR_STATE: return OUTLINE_STATE;
  case IR_GLOBAL: return OUTLINE_GLOBAL;
  case IR_GIVEN: return OUTLINE_GIVEN | stored;
  case IR_EQUATION: break;
  default: return OUTLINE_ARGUMENT;
  }
  if (!q->root[0]) return OUTLINE_GIVEN | stored;
  const unsigned sum = q->purpose.role == IR_SCATTERED_SUM ? OUTLINE_SUM : 0;
  if (s->scatter) return stored | OUTLINE_SCATTERED | sum;
  return stored ? stored | sum : OUTLINE_INLINED | sum;
}

static unsigned words_of(const source *f, ir_sym sym) {
  const symbol_use *u = &f->use[sym];
  const symbol_storage *s = &f->s[sym];
  unsigned words = form_of(f, sym);
  if (s->fixed) words |= OUTLINE_CONSTANT;
  if (s->prev) words |= OUTLINE_PREVIOUS;
  if (u->once) words |= OUTLINE_ONCE;
  if (u->held) words |= OUTLINE_CONSTRAINED;
  if (u->ghost_rule) words |= OUTLINE_GHOSTS;
  if (u->flux_rule) words |= OUTLINE_REPLACED;
  if (s->placed) words |= OUTLINE_PLACED;
  if (f->d->number[sym] >= 0 && !follows(f->p, sym)) words |= OUTLINE_CHANGES;
  if (s->single) words |= OUTLINE_SINGLE;
  return words;
}

static void add_reads(const source *f, outline_quantity *q, ir_sym sym) {
  const ir_module *m = f->p->from;
  ir_reached all = {0};
  if (ir_symbol_get(m, sym)->kind == IR_EQUATION && ir_symbol_get(m, sym)->root[0])
    all = ir_reach(m, ir_symbol_get(m, sym)->root, 1);
  for (int i = 0; i < all.n; i++) {
    const ir_node *n = ir_get(m, all.at[i]);
    if (n->op != IR_READ || n->read.sym == sym || f->place[n->read.sym] < 0 || f->reader[n->read.sym] == sym)
      continue;
    f->reader[n->read.sym] = sym;
    vec_push(f->p->memory, &q->reads, f->place[n->read.sym]);
  }
}

static bool is_listed(const source *f, ir_sym sym) {
  const ir_symbol_kind kind = ir_symbol_get(f->p->from, sym)->kind;
  return kind == IR_STATE || kind == IR_GIVEN || kind == IR_EQUATION || kind == IR_GLOBAL ||
         f->d->number[sym] >= 0;
}

storage_outline *storage_outline_of(const problem *p, const symbol_use *use, const dependence *d,
                                    const symbol_storage *s) {
  storage_outline *o = arena_new(p->memory, storage_outline);
  const int n = p->from->symbol.n;
  const source f = {p, use, d, s, arena_array(p->memory, int, n), arena_array(p->memory, ir_sym, n)};
  int listed = 0;
  o->memory = p->memory;
  o->names = outline_names_create(p->memory, p->names);
  for (int k = 1; k < n; k++) f.place[k] = is_listed(&f, (ir_sym)k) ? listed++ : -1;
  for (int k = 1; k < n; k++) {
    if (f.place[k] < 0) continue;
    const ir_symbol *symbol = ir_symbol_get(p->from, (ir_sym)k);
    outline_quantity q = {
        .text = outline_name(&o->names, symbol->text), .place = symbol->place, .why = s[k].why};
    q.words = words_of(&f, (ir_sym)k);
    add_reads(&f, &q, (ir_sym)k);
    for (int i = 0; i < d->changing.n; i++)
      if (set_has(d->on[k], i)) vec_push(p->memory, &q.on, f.place[d->changing.at[i]]);
    vec_push(p->memory, &o->quantity, q);
  }
  return o;
}

/* ---- text -------------------------------------------------------------------------------------------------------------------- */

static void print_list(FILE *out, const storage_outline *o, const char *before, const int *place, int n) {
  for (int i = 0; i < n; i++) fprintf(out, "%s%s", i ? ", " : before, o->quantity.at[place[i]].text);
}

void storage_print(FILE *out, const storage_outline *o) {
  fputs("storage {\n", out);
  for (int k = 0; k < o->quantity.n; k++) {
    const outline_quantity *q = &o->quantity.at[k];
    fprintf(out, "  %s", q->text);
    if (q->place != IR_NOWHERE) fprintf(out, " @ %s", ir_place_text(q->place));
    for (int w = 0; outline_words[w]; w++)
      if (q->words & 1u << w) fprintf(out, " %s", outline_words[w]);
    print_list(out, o, " reads ", q->reads.at, q->reads.n);
    print_list(out, o, " depends on ", q->on.at, q->on.n);
    if (q->why) fprintf(out, ": %s", q->why);
    fputc('\n', out);
  }
  fputs("}\n", out);
}

static void read_words(outline_reader *r, outline_quantity *q) {
  for (int w = 0; outline_words[w]; w++)
    if (outline_accept(r, arena_printf(r->memory, " %s", outline_words[w]))) q->words |= 1u << w;
}

static outline_places read_list(outline_reader *r, const storage_outline *o, const char *before) {
  outline_places list = {0};
  for (; outline_accept(r, before); before = ", ")
    vec_push(r->memory, &list, outline_read_name(r, &o->names));
  return list;
}

/* Lists name what may stand below: they are read once all names are known. */
static void read_quantities(outline_reader *r, storage_outline *o, bool names_only) {
  int k = 0;
  outline_expect(r, "storage {");
  while (outline_next_line(r) && !outline_accept(r, "}")) {
    outline_quantity q = {0};
    outline_expect(r, "  ");
    if (names_only) {
      outline_introduce(r, &o->names);
      outline_read_until(r, "\n");
      continue;
    }
    q.text = name_map_key(o->names.of, k++);
    outline_read_word(r);
    q.place = outline_read_place(r);
    read_words(r, &q);
    q.reads = read_list(r, o, " reads ");
    q.on = read_list(r, o, " depends on ");
    if (outline_accept(r, ": ")) q.why = outline_read_until(r, "\n");
    vec_push(r->memory, &o->quantity, q);
  }
  outline_next_line(r);
  if (*r->at) outline_refuse(r, "the end of the text");
}

storage_outline *storage_parse(arena *a, intern_pool *pool, const char *text, const char **wrong) {
  storage_outline *o = arena_new(a, storage_outline);
  outline_reader names = {.memory = a, .at = text, .line = 1}, all = names;
  o->memory = a;
  o->names = outline_names_create(a, pool);
  read_quantities(&names, o, true);
  if (!names.wrong) read_quantities(&all, o, false);
  *wrong = names.wrong ? names.wrong : all.wrong;
  return *wrong ? NULL : o;
}
