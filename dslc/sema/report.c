/* Reporting, and walks over the graph that several checks need. */
#include <stdlib.h>
#include <string.h>

#include "sema/internal.h"

/* ---- messages ------------------------------------------------------------------------------------------------- */

enum { LONGEST_MESSAGE = 600 }; /* names may be as long as the file */

static bool was_reported(const sema *s, diag_code code, span at) {
  for (const diag *d = diag_first(s->sink); d; d = d->next)
    if (d->code == code && d->at.file == at.file && d->at.start == at.start && d->at.end == at.end)
      return true;
  return false;
}

/* An error that only another combination of variants shows than the one by default. */
static void note_variant(sema *s) {
  const char *text = "";
  for (int i = 0; i < s->info->n_variants; i++) {
    const sema_variant *v = &s->info->variant[i];
    if (v->chosen > 0)
      text = arena_printf(s->memory, "%s%s%s = %s", text, *text ? ", " : "", v->text, v->choice[v->chosen]);
  }
  if (*text) diag_with_span(s->sink, s->last, s->scheme->name_at, "found with %s", text);
}

diag *complain(sema *s, diag_code code, span at, const char *fmt, ...) {
  s->last = &s->silent;
  if (s->effort.gave_up || was_reported(s, code, at)) return s->last;
  va_list ap;
  va_start(ap, fmt);
  char *text = arena_vprintf(s->memory, fmt, ap);
  va_end(ap);
  if (strlen(text) > LONGEST_MESSAGE) memcpy(text + LONGEST_MESSAGE - 3, "...", 4);
  s->last = diag_report(s->sink, code, at, "%s", text);
  if (s->options->quiet) note_variant(s);
  bool units = code == DIAG_UNIT_MISMATCH || code == DIAG_NOT_DIFFERENTIAL;
  if (units && s->scheme && s->scheme->dim_letter)
    diag_with_span(s->sink, s->last, s->scheme->name_at, "found with %s = %d", s->scheme->dim_letter,
                   s->dims);
  return s->last;
}

enum { USES_SHOWN = 3 };

static bool may_add(const sema *s) {
  int n = 0;
  for (const diag_label *l = s->last->labels; l; l = l->next) n++;
  return n < USES_SHOWN;
}

void note_use(sema *s, span at, const char *what) {
  if (may_add(s)) diag_with_span(s->sink, s->last, at, "in this use of `%s`", what);
}

void note_reading(sema *s, span at, const char *argument) {
  if (may_add(s)) diag_with_span(s->sink, s->last, at, "it is what `%s` stands for here", argument);
}

void give_up(sema *s, span at, const char *what, const char *hint) {
  diag *d = complain(s, DIAG_TOO_DEEP, at, "%s", what);
  diag_with_hint(s->sink, d, "%s", hint);
  s->effort.gave_up = true;
}

/* ---- walks ------------------------------------------------------------------------------------------------------- */

/* A copy: lists of the graph are shared. */
id_list reached(sema *s, ir_id root) {
  id_list all = {0};
  if (!root) return all;
  ir_reached found = ir_reach(s->module, &root, 1);
  all.at = arena_array(s->memory, ir_id, found.n);
  all.n = all.cap = found.n;
  memcpy(all.at, found.at, (size_t)found.n * sizeof *found.at);
  return all;
}

typedef struct symbol_walk {
  sema *s;
  VEC(ir_sym) todo;
  unsigned char *seen;
  bool globals; /* through them too */
  bool prev;    /* something looks back */
} symbol_walk;

static void walk_value(symbol_walk *w, ir_id root) {
  id_list all = reached(w->s, root);
  for (int i = 0; i < all.n; i++) {
    const ir_node *n = ir_get(w->s->module, all.at[i]);
    if (n->op != IR_READ && n->op != IR_PARAM) continue;
    w->prev = w->prev || (n->op == IR_READ && n->read.level == IR_PREV);
    if (w->seen[n->read.sym]) continue;
    w->seen[n->read.sym] = 1;
    vec_push(w->s->memory, &w->todo, n->read.sym);
  }
}

/* All that is read by what was begun with, directly or by equations. */
static void walk_equations(symbol_walk *w) {
  for (int next = 0; next < w->todo.n; next++) {
    const ir_symbol *q = ir_symbol_get(w->s->module, w->todo.at[next]);
    for (int k = 0; k < 2 && (q->kind == IR_EQUATION || (w->globals && q->kind == IR_GLOBAL)); k++)
      walk_value(w, q->root[k]);
  }
}

static symbol_walk walk_begin(sema *s) {
  return (symbol_walk){.s = s, .seen = arena_array(s->memory, unsigned char, s->module->symbol.n)};
}

bool looks_back(sema *s, ir_sym sym) {
  symbol_walk w = walk_begin(s);
  vec_push(s->memory, &w.todo, sym);
  w.seen[sym] = 1;
  walk_equations(&w);
  return w.prev;
}

bool speaks_of_step(sema *s, ir_id of) {
  symbol_walk w = walk_begin(s);
  bool dt = false;
  w.globals = true;
  walk_value(&w, of);
  walk_equations(&w);
  for (int i = 0; i < w.todo.n && !dt; i++) {
    const char *text = ir_symbol_get(s->module, w.todo.at[i])->text;
    dt = strcmp(text, "dt") == 0 || strncmp(text, "dt.", 3) == 0;
  }
  return dt || w.prev;
}
