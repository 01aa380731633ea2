/* What is known of a symbol, in words. */
#include <string.h>

#include "lsp/server.h"

const char *symbol_word(symbol_kind kind) {
  static const char *const of[] = {
      [SYMBOL_SCHEME] = "scheme",     [SYMBOL_PARAMETER] = "parameter", [SYMBOL_VARIANT] = "variant",
      [SYMBOL_CHOICE] = "choice",     [SYMBOL_STATE] = "state",         [SYMBOL_GIVEN] = "given",
      [SYMBOL_FUNCTION] = "function", [SYMBOL_EQUATION] = "equation",   [SYMBOL_RESULT] = "equation",
      [SYMBOL_GLOBAL] = "global",     [SYMBOL_MATRIX] = "matrix",       [SYMBOL_BOUNDARY] = "boundary rule",
      [SYMBOL_ARGUMENT] = "argument", [SYMBOL_LOCAL] = "local name",    [SYMBOL_LETTER] = "index"};
  return of[kind];
}

static const char *slice(arena *a, const file_unit *u, span at) {
  if (at.end > u->text.size || at.end <= at.start) return "";
  return arena_strndup(a, u->text.bytes + at.start, at.end - at.start);
}

static const char *type_word(arena *a, const ast_type *t) {
  static const char *const of[] = {[AST_SCALAR] = "scalar",
                                   [AST_VECTOR] = "vector",
                                   [AST_TENSOR] = "tensor",
                                   [AST_BOOL] = "bool",
                                   [AST_INT] = "int"};
  return t->rank == AST_REAL_N ? arena_printf(a, "real[%d]", t->n) : of[t->rank];
}

/* ---- the declaration -------------------------------------------------------------------------------------------------- */

static const char *bounded_text(arena *a, const char *text, const ast_bound *bound) {
  for (const ast_bound *b = bound; b; b = b->next)
    text = arena_printf(a, "%s %s%s %s", text, b == bound ? "" : "and ", ast_op_text(b->op),
                        ast_expr_text(a, b->value));
  return text;
}

static const char *parameter_text(arena *a, const symbol *s, const char *word) {
  const ast_param *p = s->param;
  const char *text = arena_printf(a, "%s%s%s%s", word, *word ? " " : "", s->text,
                                  p->type ? arena_printf(a, " : %s", type_word(a, p->type)) : "");
  if (p->unit) text = arena_printf(a, "%s %s", text, slice(a, s->home, p->unit->at));
  text = bounded_text(a, text, p->bound);
  if (p->value) text = arena_printf(a, "%s = %s", text, slice(a, s->home, p->value->at));
  return p->over_time ? arena_printf(a, "%s over time", text) : text;
}

static const char *field_text(arena *a, const symbol *s, const char *word) {
  const ast_decl *d = s->decl;
  const char *text = arena_printf(a, "%s %s", word, s->text);
  if (d->type) text = arena_printf(a, "%s : %s", text, type_word(a, d->type));
  if (d->place) text = arena_printf(a, "%s @ %s", text, d->place);
  if (d->unit) text = arena_printf(a, "%s %s", text, slice(a, s->home, d->unit->at));
  text = bounded_text(a, text, d->bound);
  return d->over_time ? arena_printf(a, "%s over time", text) : text;
}

/* As its author wrote it; of what is long the beginning. */
static const char *source_text(arena *a, const file_unit *u, span at) {
  enum { MOST_LINES = 8, MOST_BYTES = 900 };
  const char *from = slice(a, u, at);
  size_t n = 0, lines = 0;
  for (; from[n] && n < MOST_BYTES; n++)
    if (from[n] == '\n' && ++lines == MOST_LINES) break;
  return from[n] ? arena_printf(a, "%.*s\n  ...", (int)n, from) : from;
}

const char *symbol_declaration(arena *a, const symbol *s) {
  switch (s->kind) {
  case SYMBOL_PARAMETER: return parameter_text(a, s, "parameter");
  case SYMBOL_ARGUMENT: return s->param ? parameter_text(a, s, "") : s->text;
  case SYMBOL_STATE: return field_text(a, s, "state");
  case SYMBOL_GIVEN: return field_text(a, s, "given");
  case SYMBOL_CHOICE: return s->owner ? arena_printf(a, "%s == %s", s->owner->text, s->text) : s->text;
  case SYMBOL_LOCAL: return s->binding ? source_text(a, s->home, s->binding->at) : s->text;
  case SYMBOL_LETTER: return s->binder ? slice(a, s->home, s->binder->at) : s->text;
  case SYMBOL_RESULT: return source_text(a, s->home, s->result->at);
  case SYMBOL_SCHEME: {
    const ast_scheme *scheme = s->home->file->scheme;
    if (!scheme) return arena_printf(a, "import %s", s->text);
    span at = {0, scheme->at.start, scheme->at.end};
    const char *text = slice(a, s->home, at), *brace = strchr(text, '{');
    return brace ? arena_strndup(a, text, (size_t)(brace - text)) : text;
  }
  default: return s->decl ? source_text(a, s->home, s->decl->at) : s->text;
  }
}

/* ---- parts --------------------------------------------------------------------------------------------------------------- */

const char *symbol_place(const symbol *s) {
  bool placed = s->kind == SYMBOL_STATE || s->kind == SYMBOL_GIVEN || s->kind == SYMBOL_EQUATION ||
                s->kind == SYMBOL_RESULT || s->kind == SYMBOL_MATRIX;
  return placed && s->decl ? s->decl->place : NULL;
}

const char *symbol_comment(arena *a, const symbol *s) {
  (void)a;
  if (s->param && s->param->comment) return s->param->comment;
  if (s->kind == SYMBOL_SCHEME) return s->home->file->scheme ? s->home->file->scheme->comment : NULL;
  bool own = s->kind != SYMBOL_ARGUMENT && s->kind != SYMBOL_LOCAL && s->kind != SYMBOL_LETTER &&
             s->kind != SYMBOL_RESULT && s->kind != SYMBOL_CHOICE;
  return own && s->decl ? s->decl->comment : NULL;
}

const char *symbol_tag(const symbol *s) {
  if (s->kind == SYMBOL_LOCAL) return s->binding ? s->binding->tag : NULL;
  if (s->kind == SYMBOL_RESULT) return s->result->tag;
  bool own = s->kind == SYMBOL_EQUATION || s->kind == SYMBOL_GLOBAL || s->kind == SYMBOL_FUNCTION;
  return own && s->decl ? s->decl->tag : NULL;
}

const cJSON *symbol_facts(const symbol *s, const fact_list *facts) {
  char key[512];
  if (s->kind == SYMBOL_ARGUMENT && s->decl && s->decl->kind == AST_BOUNDARY && s->decl->text)
    snprintf(key, sizeof key, "%s(%s)", s->decl->text, s->text);
  else if (s->kind == SYMBOL_ARGUMENT || s->kind == SYMBOL_LOCAL || s->kind == SYMBOL_LETTER ||
           s->kind == SYMBOL_CHOICE)
    return NULL;
  else if (s->kind == SYMBOL_RESULT && s->owner) {
    const char *dot = strrchr(s->text, '.');
    snprintf(key, sizeof key, "%s.%s", s->owner->text, dot ? dot + 1 : s->text);
  } else snprintf(key, sizeof key, "%s", s->text);
  return facts_find(facts, key);
}

/* Of components the type follows if nothing is said. */
static const char *type_of(arena *a, const symbol *s, const cJSON *fact) {
  const ast_type *t = s->param ? s->param->type : s->decl && s->kind != SYMBOL_LOCAL ? s->decl->type : NULL;
  if (s->kind == SYMBOL_LOCAL && s->binding) t = s->binding->type;
  if (t) return type_word(a, t);
  const cJSON *n = cJSON_GetObjectItemCaseSensitive(fact, "components");
  if (json_text(fact, "type")) return json_text(fact, "type");
  if (!n) return NULL;
  return n->valueint == 1   ? "scalar"
         : n->valueint <= 3 ? "vector"
                            : arena_printf(a, "%d components", n->valueint);
}

static const char *unit_of(arena *a, const symbol *s, const cJSON *fact) {
  const char *known = json_text(fact, "unit");
  const ast_unit *u = s->param                                     ? s->param->unit
                      : s->kind == SYMBOL_LOCAL                    ? (s->binding ? s->binding->unit : NULL)
                      : symbol_place(s) || s->kind == SYMBOL_STATE ? s->decl->unit
                                                                   : NULL;
  if (u) return slice(a, s->home, u->at);
  return known ? arena_printf(a, "[%s]", known) : NULL;
}

const char *symbol_summary(arena *a, const symbol *s, const fact_list *facts) {
  const cJSON *fact = symbol_facts(s, facts);
  const char *text = symbol_word(s->kind), *place = symbol_place(s), *type = NULL, *unit = NULL;
  bool valued = s->kind != SYMBOL_SCHEME && s->kind != SYMBOL_VARIANT && s->kind != SYMBOL_CHOICE &&
                s->kind != SYMBOL_FUNCTION && s->kind != SYMBOL_BOUNDARY && s->kind != SYMBOL_LETTER;
  if (s->decl && s->decl->is_flux && s->kind == SYMBOL_EQUATION) text = "flux";
  if (s->decl && s->decl->is_flux && s->kind == SYMBOL_STATE) text = "state flux";
  if (valued) type = type_of(a, s, fact), unit = unit_of(a, s, fact);
  if (place) text = arena_printf(a, "%s @ %s", text, place);
  if (type) text = arena_printf(a, "%s, %s", text, type);
  return unit ? arena_printf(a, "%s %s", text, unit) : text;
}
