/* Parts of the mesh by the names that its file gives them: region(steel) at cells, patch(inlet) at faces. Each is a given field of the
 * scheme, 1 there and 0 elsewhere, whose values the runtime takes from the mesh instead of the case. */
#include <string.h>

#include "sema/internal.h"

bool is_part_of_mesh(name function) {
  return strcmp(function, "region") == 0 || strcmp(function, "patch") == 0;
}

bool is_patch(const ir_symbol *q) {
  return q->kind == IR_GIVEN && q->place == IR_FACES && strncmp(q->text, "patch(", 6) == 0;
}

static bool check_part(sema *s, const ast_expr *call) {
  name function = call->arg[0]->text;
  bool region = *function == 'r';
  if (s->module->on_grid) {
    diag *d = complain(s, DIAG_WRONG_PLACE, call->at, "a grid has no parts with names: `%s` is for meshes",
                       function);
    diag_with_hint(s->sink, d,
                   region ? "say where it is, as in  if xc[i] < 0.5 [m] then ... , or make it a given"
                          : "sides are told apart by their rules: f in xfaces(wall)");
    return false;
  }
  if (call->n == 2 && call->arg[1]->kind == AST_NAME) return true;
  diag *d = complain(s, DIAG_WRONG_ARGUMENT_COUNT, call->at, "`%s` takes one name: that of %s of the mesh",
                     function, region ? "a group of cells" : "a part of the boundary");
  diag_with_hint(s->sink, d,
                 region ? "for example  if region(steel) then 50 else 0.2"
                        : "for example  if patch(inlet) then area else 0");
  return false;
}

static entity *part_of_mesh(sema *s, const ast_expr *call) {
  bool region = *call->arg[0]->text == 'r';
  name text = intern_str(s->names, arena_printf(s->memory, "%s(%s)", call->arg[0]->text, call->arg[1]->text));
  entity *e = name_map_get(s->instances, text);
  if (e) return e;
  e = arena_new(s->memory, entity);
  *e = (entity){.text = text,
                .kind = ENTITY_GIVEN,
                .decl = arena_new(s->memory, ast_decl),
                .at = call->at,
                .progress = DONE,
                .place = region ? IR_CELLS : IR_FACES,
                .type = type_scalar(NULL)};
  ir_symbol sym = {.text = text,
                   .kind = IR_GIVEN,
                   .place = e->place,
                   .type = ir_type_of(e->type),
                   .dims = s->dims,
                   .at = call->at};
  e->sym = ir_symbol_add(s->module, sym);
  name_map_put(s->instances, text, e);
  return e;
}

value lower_part_of_mesh(sema *s, const context *c, const ast_expr *call, const ast_expr *index, span at) {
  if (!check_part(s, call)) return bad_value(at);
  value v = read_entity(s, c, part_of_mesh(s, call), IR_NOW, index, at);
  return v.bad ? v : apply_binary(s, AST_NE, v, number_value(s, 0, at), at);
}
