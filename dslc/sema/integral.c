/* Integrals over the mesh of linear shape functions, `integral(dot(dN[I], dN[J]))`, and with a coefficient at cells under the integral:
 * a given, which becomes the weight of the integral, or a formula of regions and parameters. That has one value in each region, so the
 * integral is the sum of the values times the integrals over the regions, and over what lies in none of them: nothing is subtracted. */
#include <ctype.h>
#include <string.h>

#include "sema/internal.h"

enum { MOST_FACTORS = 16, MOST_REGIONS = 16 };

typedef struct integral_form {
  const char *text; /* as written, without blanks */
  const char *form;
  ir_place place;
  ir_rank rank;
  int metres; /* unit m^(D + metres) */
} integral_form;

static const integral_form integral_forms[] = {
    {"integral(N[I])", "N", IR_NODES, IR_SCALAR, 0},
    {"integral(N[I]*dN[J])", "N*dN", IR_EDGES, IR_VECTOR, -1},
    {"integral(dN[J]*N[I])", "N*dN", IR_EDGES, IR_VECTOR, -1},
    {"integral(dN[I]*N[J])", "dN*N", IR_EDGES, IR_VECTOR, -1},
    {"integral(N[J]*dN[I])", "dN*N", IR_EDGES, IR_VECTOR, -1},
    {"integral(N[I]*N[J])", "N*N", IR_EDGES, IR_SCALAR, 0},
    {"integral(outer(dN[I],dN[J]))", "outer(dN,dN)", IR_EDGES, IR_TENSOR, -2},
    {"integral(dot(dN[I],dN[J]))", "dot(dN,dN)", IR_EDGES, IR_SCALAR, -2},
};

bool is_mesh_integral(const ast_body *b) {
  const ast_expr *e = b->expr;
  return e && e->kind == AST_CALL && e->arg[0]->kind == AST_NAME && strcmp(e->arg[0]->text, "integral") == 0;
}

static const char *without_blanks(arena *a, const char *text) {
  char *out = arena_strndup(a, text, strlen(text)), *to = out;
  for (const char *p = text; *p; p++)
    if (!isspace((unsigned char)*p)) *to++ = *p;
  *to = '\0';
  return out;
}

static const integral_form *find_form(const char *text, ir_place place) {
  for (size_t i = 0; i < sizeof integral_forms / sizeof *integral_forms; i++)
    if (strcmp(integral_forms[i].text, text) == 0 && integral_forms[i].place == place)
      return &integral_forms[i];
  return NULL;
}

/* ---- what stands in the brackets ---------------------------------------------------------------------------------------- */

typedef struct integrand {
  const integral_form *form;
  int n; /* factors in front of the form: the coefficient */
  const ast_expr *factor[MOST_FACTORS];
} integrand;

/* The factors of a product, from the left; 0: too many. */
static int factors_of(const ast_expr *e, const ast_expr **out) {
  int n = 1;
  for (const ast_expr *l = e; l->kind == AST_BINARY && l->op == AST_MUL; l = l->arg[0]) n++;
  if (n > MOST_FACTORS) return 0;
  for (int i = n - 1; i > 0; i--, e = e->arg[0]) out[i] = e->arg[1];
  out[0] = e;
  return n;
}

/* The last factors, one or two, are the form. */
static bool read_integrand(sema *s, const ast_expr *body, ir_place place, integrand *out) {
  if (body->n != 2) return false;
  const int n = factors_of(body->arg[1], out->factor);
  for (int last = 2; last > 0; last--) {
    if (n < last) continue;
    const char *text = "integral(";
    for (int i = n - last; i < n; i++)
      text = arena_printf(s->memory, "%s%s%s", text, i > n - last ? "*" : "",
                          ast_expr_text(s->memory, out->factor[i]));
    out->form = find_form(without_blanks(s->memory, arena_printf(s->memory, "%s)", text)), place);
    out->n = n - last;
    if (out->form) return true;
  }
  return false;
}

static value no_such_integral(sema *s, const entity *e) {
  const ast_expr *body = e->decl->body.expr;
  diag *d =
      complain(s, DIAG_NOT_CALLABLE, body->at, "this integral does not exist at %s", ir_place_text(e->place));
  diag_with_hint(s->sink, d,
                 "at nodes: integral(N[I]); at edges: integral(N[I]*dN[J]), integral(dN[I]*N[J]), "
                 "integral(N[I]*N[J]), integral(outer(dN[I], dN[J])), integral(dot(dN[I], dN[J])); with a "
                 "coefficient of cells "
                 "in front: integral(k*dot(dN[I], dN[J])); one at nodes stands outside, as its mean at "
                 "edges: mean(k)*L");
  return bad_value(body->at);
}

/* ---- integrals -------------------------------------------------------------------------------------------------------------- */

static value_type type_of_form(sema *s, const integral_form *f) {
  const unit *m = NULL;
  units_named(s->unit.units, "m", &m);
  const int n = f->rank == IR_TENSOR ? s->dims * s->dims : f->rank == IR_VECTOR ? s->dims : 1;
  return type_of(f->rank, n, units_power(s->unit.units, m, s->dims + f->metres, 1));
}

static ir_sym add_integral(sema *s, const entity *e, const integral_form *f, name text, ir_sym weight) {
  ir_symbol sym = {.text = text,
                   .kind = IR_INTEGRAL,
                   .place = e->place,
                   .type = ir_type_of(type_of_form(s, f)),
                   .dims = s->dims,
                   .at = e->at,
                   .tag = e->decl->tag,
                   .integral.form = intern_str(s->names, f->form),
                   .integral.weight = weight};
  return ir_symbol_add(s->module, sym);
}

/* One of the integrals of which `e` is made, with its weight. */
static value weighted(sema *s, const entity *e, const integral_form *f, const char *suffix, ir_sym weight) {
  name text = intern_str(s->names, arena_printf(s->memory, "%s.%s", e->text, suffix));
  const ir_sym sym = add_integral(s, e, f, text, weight);
  return (value){
      .id = ir_read(s->module, sym, IR_NOW, IR_AT_HERE, NULL), .type = type_of_form(s, f), .at = e->at};
}

/* ---- the coefficient -------------------------------------------------------------------------------------------------------- */

typedef struct coefficient {
  sema *s;
  const entity *of;
  int n_regions;
  ir_sym region[MOST_REGIONS];
  ir_sym inside; /* the region whose value is wanted; 0: of none */
  ir_id *known;  /* by node, for that region */
  int n_known;
  ir_sym strange; /* what it reads beside regions and parameters */
} coefficient;

static void note_region(coefficient *k, ir_sym sym) {
  for (int i = 0; i < k->n_regions; i++)
    if (k->region[i] == sym) return;
  if (k->n_regions < MOST_REGIONS) k->region[k->n_regions++] = sym;
  else k->strange = sym;
}

static ir_id in_region(coefficient *k, ir_id id);

static ir_id leaf_in_region(coefficient *k, ir_id id, const ir_node *n) {
  const ir_symbol *q = ir_symbol_get(k->s->module, n->read.sym);
  const bool here = n->op == IR_PARAM || (n->read.at == IR_AT_HERE && n->read.level == IR_NOW);
  if (q->kind == IR_PARAMETER) return id;
  if (here && is_region(q)) {
    note_region(k, n->read.sym);
    return ir_const(k->s->module, n->read.sym == k->inside);
  }
  if (here && q->kind == IR_EQUATION && q->place == IR_CELLS && q->root[0]) return in_region(k, q->root[0]);
  k->strange = n->read.sym;
  return id;
}

/* The value there: as deep as formulas are nested, see MAX_DEPTH of expr.c. */
static ir_id in_region(coefficient *k, ir_id id) {
  ir_module *m = k->s->module;
  if (id < (ir_id)k->n_known && k->known[id]) return k->known[id];
  const ir_node n = *ir_get(m, id);
  ir_id result = id, args[IR_MOST_ARGS];
  if (n.op == IR_READ || n.op == IR_PARAM) result = leaf_in_region(k, id, &n);
  else if (n.n_args > 0) {
    for (int i = 0; i < n.n_args; i++) args[i] = ir_args(m, &n)[i]; /* the pool may move */
    for (int i = 0; i < n.n_args; i++) args[i] = in_region(k, args[i]);
    result = ir_rebuild(m, &n, args);
  }
  if (id < (ir_id)k->n_known) k->known[id] = result;
  return result;
}

static value value_in(coefficient *k, value v, ir_sym inside) {
  k->inside = inside;
  k->n_known = k->s->module->node.n;
  k->known = arena_array(k->s->memory, ir_id, k->n_known);
  v.id = in_region(k, v.id);
  return v;
}

static value refuse_coefficient(coefficient *k, value v) {
  sema *s = k->s;
  diag *d = complain(s, DIAG_NOT_CONSTANT, v.at,
                     "the coefficient in the integral `%s` reads `%s`; it is made of regions, parameters and "
                     "numbers, or is a given at cells",
                     k->of->text, ir_symbol_get(s->module, k->strange)->text);
  diag_with_hint(s->sink, d,
                 "for example  integral((if region(steel) then 50 else 1)*dot(dN[I], dN[J])); what changes "
                 "in a run, or lives at nodes, "
                 "stands outside as a mean at edges: mean(k)*L");
  return bad_value(v.at);
}

/* Where in no region that the coefficient asks for. */
static ir_sym rest_of(coefficient *k) {
  const char *list = "";
  for (int i = 0; i < k->n_regions; i++) {
    const char *text = ir_symbol_get(k->s->module, k->region[i])->text + strlen("region(");
    list = arena_printf(k->s->memory, "%s%s%.*s", list, i ? "," : "", (int)strlen(text) - 1, text);
  }
  return field_of_mesh(k->s, intern_str(k->s->names, arena_printf(k->s->memory, "outside(%s)", list)),
                       k->of->at);
}

static value by_regions(coefficient *k, value v, const integral_form *f) {
  sema *s = k->s;
  value rest = value_in(k, v, 0), sum;
  if (k->strange) return refuse_coefficient(k, v);
  if (k->n_regions == 0) return apply_binary(s, AST_MUL, v, weighted(s, k->of, f, "plain", 0), k->of->at);
  sum = apply_binary(s, AST_MUL, rest, weighted(s, k->of, f, "outside", rest_of(k)), k->of->at);
  for (int i = 0; i < k->n_regions; i++) {
    value part = weighted(s, k->of, f, arena_printf(s->memory, "region%d", i + 1), k->region[i]);
    sum = apply_binary(s, AST_ADD, sum,
                       apply_binary(s, AST_MUL, value_in(k, v, k->region[i]), part, k->of->at), k->of->at);
  }
  return sum;
}

/* A given at cells, alone: it is the weight. */
static bool is_given(sema *s, value v, ir_sym *sym) {
  const ir_node *n = ir_get(s->module, v.id);
  if (n->op != IR_READ || n->read.at != IR_AT_HERE) return false;
  const ir_symbol *q = ir_symbol_get(s->module, n->read.sym);
  *sym = n->read.sym;
  return q->kind == IR_GIVEN && q->place == IR_CELLS && q->type.n == 1 && !q->over_time;
}

static value with_coefficient(sema *s, const entity *e, const integrand *in) {
  const char *why = arena_printf(s->memory, "the coefficient in the integral `%s`", e->text);
  context c = context_at(IR_CELLS, why);
  value v = lower_expr(s, &c, in->factor[0]);
  for (int i = 1; i < in->n && !v.bad; i++) {
    value next = lower_expr(s, &c, in->factor[i]);
    v = apply_binary(s, AST_MUL, v, next, span_join(v.at, next.at));
  }
  if (v.bad || !require_scalar(s, v, why)) return bad_value(e->at);
  coefficient k = {.s = s, .of = e};
  ir_sym weight;
  if (!is_given(s, v, &weight)) return by_regions(&k, v, in->form);
  value one = number_value(s, 1, v.at); /* carries the unit */
  one.type = v.type;
  return apply_binary(s, AST_MUL, one, weighted(s, e, in->form, "weighted", weight), e->at);
}

value lower_mesh_integral(sema *s, entity *e, bool *plain) {
  integrand in = {0};
  *plain = false;
  if (!read_integrand(s, e->decl->body.expr, e->place, &in)) return no_such_integral(s, e);
  if (in.n > 0) return with_coefficient(s, e, &in);
  e->type = type_of_form(s, in.form);
  e->sym = add_integral(s, e, in.form, e->text, 0);
  *plain = true;
  return bad_value(e->at);
}
