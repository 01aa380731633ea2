/* Types: each once in a program, so that equal types are equal pointers. */
#include "kernel/kernel.h"

static bool same(const kir_type *a, const kir_type *b) {
  return a->kind == b->kind && a->space == b->space && a->is_const == b->is_const &&
         a->is_volatile == b->is_volatile && a->of == b->of && a->count == b->count && a->record == b->record;
}

static const char *spell(kir_program *p, const kir_type *t);

const kir_type *kir_make_type(kir_program *p, const kir_type *like) {
  for (int i = 0; i < p->types.n; i++)
    if (same(p->types.at[i], like)) return p->types.at[i];
  kir_type *made = arena_new(p->arena, kir_type);
  *made = *like;
  made->text = NULL;
  made->text = spell(p, made);
  vec_push(p->arena, &p->types, made);
  return made;
}

const kir_type *kir_scalar(kir_program *p, kir_kind kind) {
  if (!p->scalar[kind]) p->scalar[kind] = kir_make_type(p, &(kir_type){.kind = kind});
  return p->scalar[kind];
}

const kir_type *kir_qualified(kir_program *p, const kir_type *t, bool is_const, bool is_volatile) {
  if (t->is_const == is_const && t->is_volatile == is_volatile) return t;
  kir_type like = *t;
  like.is_const = is_const;
  like.is_volatile = is_volatile;
  return kir_make_type(p, &like);
}

const kir_type *kir_bare(kir_program *p, const kir_type *t) { return kir_qualified(p, t, false, false); }

const kir_type *kir_pointer_to(kir_program *p, const kir_type *of, kir_space space) {
  return kir_make_type(p, &(kir_type){.kind = KIR_POINTER, .space = space, .of = of});
}

bool kir_is_integer(const kir_type *t) { return t->kind >= KIR_BOOL && t->kind <= KIR_ULONG; }
bool kir_is_floating(const kir_type *t) { return t->kind == KIR_FLOAT || t->kind == KIR_DOUBLE; }
bool kir_is_scalar(const kir_type *t) { return kir_is_integer(t) || kir_is_floating(t); }

int64_t kir_size(const kir_type *t) {
  switch (t->kind) {
  case KIR_VOID: return 0;
  case KIR_BOOL:
  case KIR_CHAR:
  case KIR_UCHAR: return 1;
  case KIR_SHORT:
  case KIR_USHORT: return 2;
  case KIR_INT:
  case KIR_UINT:
  case KIR_FLOAT: return 4;
  case KIR_LONG:
  case KIR_ULONG:
  case KIR_DOUBLE:
  case KIR_POINTER: return 8;
  case KIR_STRUCT: return 8 * (int64_t)t->record->fields.n;
  case KIR_ARRAY: return t->count * kir_size(t->of);
  }
  return 0;
}

static const char *kind_text(const kir_type *t) {
  static const char *const names[] = {"void", "bool",     "char", "unsigned char", "short", "ushort",
                                      "int",  "unsigned", "long", "size_t",        "float", "double"};
  return t->kind == KIR_STRUCT ? t->record->name : names[t->kind];
}

static const char *space_text(kir_space space) {
  switch (space) {
  case KIR_LOCAL: return "__local ";
  case KIR_GLOBAL: return "__global ";
  case KIR_CONSTANT: return "__constant ";
  case KIR_PRIVATE: break;
  }
  return "";
}

static const char *spell(kir_program *p, const kir_type *t) {
  const char *is_volatile = t->is_volatile ? "volatile " : "", *is_const = t->is_const ? "const " : "";
  if (t->kind == KIR_ARRAY)
    return arena_printf(p->arena, "%s%s[%lld]", space_text(t->space), kir_type_text(t->of),
                        (long long)t->count);
  if (t->kind != KIR_POINTER) return arena_printf(p->arena, "%s%s%s", is_volatile, is_const, kind_text(t));
  const bool to_pointer = t->of->kind == KIR_POINTER;
  return arena_printf(p->arena, "%s%s%s*%s", to_pointer ? "" : space_text(t->space), kir_type_text(t->of),
                      to_pointer ? "" : " ", t->is_const ? "const " : "");
}

const char *kir_type_text(const kir_type *t) { return t->text; }

/* Its types were made before its name was known. */
void kir_name_struct(kir_program *p, kir_struct *s, const char *text) {
  s->name = text;
  for (int i = 0; i < p->types.n; i++)
    if (p->types.at[i]->record == s) p->types.at[i]->text = spell(p, p->types.at[i]);
}
