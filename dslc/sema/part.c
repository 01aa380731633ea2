/* Parts of the mesh by the names that its file gives them: region(steel) at cells, patch(inlet) at faces, distance_to(wall, inlet) at cells
 * and nodes. Each is a given field of the scheme, whose values the runtime takes from the mesh instead of the case: 1 in such a part and 0
 * elsewhere, or the distance to the nearest. */
#include <string.h>

#include "front/tokens.h"
#include "sema/internal.h"

static bool is_distance(name function) { return strcmp(function, "distance_to") == 0; }

bool is_part_of_mesh(name function) { return name_has_parts(function); }

static bool all_are_names(const ast_expr *call) {
  for (int i = 1; i < call->n; i++)
    if (call->arg[i]->kind != AST_NAME) return false;
  return call->n > 1;
}

enum { MOST_NAMES = 400 }; /* characters of them: what the runtime takes */

static bool names_fit(sema *s, const ast_expr *call) {
  size_t length = 0;
  for (int i = 1; i < call->n; i++) length += strlen(call->arg[i]->text) + 1;
  if (length <= MOST_NAMES) return true;
  diag *d = complain(s, DIAG_WRONG_ARGUMENT_COUNT, call->at,
                     "the names are longer than %d characters together", MOST_NAMES);
  diag_with_hint(
      s->sink, d,
      "of two distances the smaller one is the distance to both: min(distance_to(a), distance_to(b))");
  return false;
}

bool is_region(const ir_symbol *q) {
  return q->kind == IR_GIVEN && q->place == IR_CELLS && strncmp(q->text, "region(", 7) == 0;
}

static bool check_part(sema *s, const ast_expr *call) {
  name function = call->arg[0]->text;
  bool region = *function == 'r';
  if (s->module->on_grid) {
    diag *d = complain(s, DIAG_WRONG_PLACE, call->at, "a grid has no parts with names: `%s` is for meshes",
                       function);
    diag_with_hint(s->sink, d,
                   is_distance(function)
                       ? "`given to_wall @ cells [m]`: the case says it, as a function of place"
                   : region ? "say where it is, as in  if xc[i] < 0.5 [m] then ... , or make it a given"
                            : "sides are told apart by their rules: f in xfaces(wall)");
    return false;
  }
  if (is_distance(function)) {
    if (all_are_names(call)) return names_fit(s, call);
    diag *d = complain(s, DIAG_WRONG_ARGUMENT_COUNT, call->at,
                       "`distance_to` takes names: those of parts of the mesh's boundary");
    diag_with_hint(s->sink, d, "for example  distance_to(wall)  or  distance_to(wall, inlet)");
    return false;
  }
  if (call->n == 2 && call->arg[1]->kind == AST_NAME && names_fit(s, call)) return true;
  diag *d = complain(s, DIAG_WRONG_ARGUMENT_COUNT, call->at, "`%s` takes one name: that of %s of the mesh",
                     function, region ? "a group of cells" : "a part of the boundary");
  diag_with_hint(s->sink, d,
                 region ? "for example  if region(steel) then 50 else 0.2 , or  region(\"left bank\")"
                        : "for example  if patch(inlet) then area else 0 , or  patch(\"2nd inlet\")");
  return false;
}

/* `distance_to(wall,"left bank")`; at nodes a quantity of its own. */
static name text_of_part(sema *s, const ast_expr *call, ir_place place) {
  const char *text = arena_printf(s->memory, "%s(", call->arg[0]->text);
  for (int i = 1; i < call->n; i++)
    text = arena_printf(s->memory, "%s%s%s", text, i > 1 ? "," : "", ast_name_text(s->memory, call->arg[i]));
  return intern_str(s->names, arena_printf(s->memory, "%s)%s", text, place == IR_NODES ? "@nodes" : ""));
}

/* Distances live at cells and at nodes: at a face those of its cells are meant, at an edge those of its nodes. */
static ir_place place_of_part(const context *c, name function) {
  if (!is_distance(function)) return *function == 'r' ? IR_CELLS : IR_FACES;
  return c->place == IR_NODES || c->place == IR_EDGES ? IR_NODES : IR_CELLS;
}

static entity *part_of_mesh(sema *s, const context *c, const ast_expr *call) {
  const bool distance = is_distance(call->arg[0]->text);
  const ir_place place = place_of_part(c, call->arg[0]->text);
  const unit *metre = NULL;
  name text = text_of_part(s, call, place);
  entity *e = name_map_get(s->table.instances, text);
  if (e) return e;
  units_named(s->unit.units, "m", &metre);
  e = arena_new(s->memory, entity);
  *e = (entity){.text = text,
                .kind = ENTITY_GIVEN,
                .decl = arena_new(s->memory, ast_decl),
                .at = call->at,
                .progress = DONE,
                .place = place,
                .type = type_scalar(distance ? metre : NULL)};
  ir_symbol sym = {.text = text,
                   .kind = IR_GIVEN,
                   .place = e->place,
                   .type = ir_type_of(e->type),
                   .dims = s->dims,
                   .at = call->at};
  e->sym = ir_symbol_add(s->module, sym);
  name_map_put(s->table.instances, text, e);
  return e;
}

ir_sym field_of_mesh(sema *s, name text, span at) {
  const ir_sym known = ir_symbol_find(s->module, text);
  ir_symbol sym = {
      .text = text, .kind = IR_GIVEN, .place = IR_CELLS, .type = ir_scalar(), .dims = s->dims, .at = at};
  return known ? known : ir_symbol_add(s->module, sym);
}

value lower_part_of_mesh(sema *s, const context *c, const ast_expr *call, const ast_expr *index, span at) {
  if (!check_part(s, call)) return bad_value(at);
  value v = read_entity(s, c, part_of_mesh(s, c, call), IR_NOW, index, at);
  return v.bad || is_distance(call->arg[0]->text) ? v
                                                  : apply_binary(s, AST_NE, v, number_value(s, 0, at), at);
}
