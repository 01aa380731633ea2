/* What stands under the cursor. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory_text.h"
#include "front/tokens.h"
#include "ir/ir.h"
#include "lsp/server.h"
#include "lsp/words.h"
#include "parser.h"
#include "sema/unit.h"

static cJSON *hover_of(const file_unit *u, uint32_t start, uint32_t end, const char *text) {
  cJSON *h = cJSON_CreateObject(), *contents = cJSON_AddObjectToObject(h, "contents");
  cJSON_AddStringToObject(contents, "kind", "markdown");
  cJSON_AddStringToObject(contents, "value", text);
  cJSON_AddItemToObject(h, "range", json_range(u, start, end));
  return h;
}

/* What somebody wrote, in Markdown: a star begins no emphasis, a bracket no element. */
static void print_words(FILE *f, const char *text) {
  for (; *text; text++) {
    if (strchr("*<", *text)) fputc('\\', f);
    fputc(*text, f);
  }
}

static double number(const cJSON *fact, const char *key) {
  const cJSON *n = cJSON_GetObjectItemCaseSensitive(fact, key);
  return cJSON_IsNumber(n) ? n->valuedouble : 0;
}

/* Where its value lives, why, and what it costs at one point. */
static void print_cost(FILE *f, const cJSON *fact) {
  const char *form = json_text(fact, "form");
  if (!form) return;
  const char *said = strcmp(form, "store") == 0     ? "stored"
                     : strcmp(form, "inline") == 0  ? "inlined into its readers"
                     : strcmp(form, "scatter") == 0 ? "scattered"
                     : strcmp(form, "global") == 0  ? "one value"
                                                    : form;
  fprintf(f, "\n\n%s: %g operations (%g as written), %g loads", said, number(fact, "flops"),
          number(fact, "written"), number(fact, "loads"));
  const cJSON *why;
  cJSON_ArrayForEach(why, cJSON_GetObjectItemCaseSensitive(fact, "why"))
      fprintf(f, "\n- %s", why->valuestring ? why->valuestring : "");
}

static cJSON *hover_symbol(arena *a, const document *d, const occurrence *o) {
  const symbol *s = o->of;
  memory_text said;
  FILE *f = memory_text_open(&said);
  if (!f) return NULL;
  const char *about = symbol_comment(a, s), *tag = symbol_tag(s);
  fprintf(f, "```edgewise\n%s\n```\n`%s`", symbol_declaration(a, s), symbol_summary(a, s, &d->facts));
  if (tag) fprintf(f, ", equation %s", tag);
  if (s->home != d->unit) {
    const char *slash = strrchr(s->home->path, '/');
    fprintf(f, ", of `%s`", slash ? slash + 1 : s->home->path);
  }
  if (about) {
    fputs("\n\n", f);
    print_words(f, about);
  }
  print_cost(f, symbol_facts(s, &d->facts));
  char *text = memory_text_close(&said);
  cJSON *h = text ? hover_of(d->unit, o->start, o->end, text) : NULL;
  free(text);
  return h;
}

static const token *token_around(const file_unit *u, uint32_t offset) {
  int lo = 0, hi = u->tokens->tokens.n;
  while (lo < hi) {
    int mid = lo + (hi - lo) / 2;
    if (u->tokens->tokens.at[mid].start > offset) hi = mid;
    else lo = mid + 1;
  }
  const token *t = lo > 0 ? &u->tokens->tokens.at[lo - 1] : NULL;
  return t && offset <= t->end && t->end > t->start ? t : NULL;
}

/* `max` in front of a bracket with a binder is a word, else a function: both are said by the form. */
static cJSON *hover_word(arena *a, const file_unit *u, uint32_t offset) {
  const token *t = token_around(u, offset);
  if (!t || (t->kind != TOK_NAME && !token_is_keyword(t->kind))) return NULL;
  const char *text = arena_strndup(a, u->text.bytes + t->start, t->end - t->start);
  const word *w = token_is_keyword(t->kind) ? word_find_kind(text, WORD_KEYWORD) : word_find(text);
  const ast_scheme *scheme = u->file->scheme;
  if (!w && scheme && scheme->dim_letter && strcmp(scheme->dim_letter, text) == 0)
    return hover_of(u, t->start, t->end, "the number of dimensions of this scheme");
  if (!w) return NULL;
  return hover_of(u, t->start, t->end,
                  arena_printf(a, "```edgewise\n%s\n```\n%s: %s", w->form ? w->form : w->text,
                               word_kind_text(w->kind), w->doc));
}

cJSON *answer_hover(server *s, const cJSON *params, failure *f) {
  uint32_t offset;
  document *d = asked_document(s, params, &offset, f);
  if (!d) return NULL;
  const occurrence *o = unit_occurrence(&s->files, d->unit, offset);
  return o ? hover_symbol(d->unit->found, d, o) : hover_word(d->unit->found, d->unit, offset);
}
