#include "back/source_kinds.h"

#define AT(place)               (1u << DSLC_##place)
#define LINES                   (AT(XLINE) | AT(YLINE) | AT(ZLINE))
#define GRID_FACES              (AT(XFACES) | AT(YFACES) | AT(ZFACES))
#define GEOMETRY(places, width) DSLC_BUFFER_GEOMETRY, DSLC_F64, places, 0, width, false
#define TABLE(places, has)      DSLC_BUFFER_TOPOLOGY, DSLC_I32, places, has, SOURCE_ONE, false

static const source_kind infos[DSLC_SOURCE_COUNT] =
    {[DSLC_SOURCE_NONE] = {.text = "none"},
     [DSLC_SOURCE_VOLUME] = {"volume", GEOMETRY(AT(CELLS), SOURCE_ONE), "of a cell"},
     [DSLC_SOURCE_SIZE] = {"size", GEOMETRY(AT(CELLS), SOURCE_ONE), "of a cell: volume^(1/D)"},
     [DSLC_SOURCE_AREA] = {"area", DSLC_BUFFER_GEOMETRY, DSLC_F64, AT(FACES) | AT(NODES), 0, SOURCE_ONE, true,
                           "of a face; by rows of a constraint, the node's share of the rule's faces"},
     [DSLC_SOURCE_SHARE] = {"share", GEOMETRY(AT(FACES), SOURCE_ONE),
                            "1; 1/2 of a face of a periodic side, which is there twice"},
     [DSLC_SOURCE_DISTANCE] =
         {"distance", GEOMETRY(AT(FACES), SOURCE_ONE),
          "between the centres of a face's two cells; beyond a boundary, the mirror image's"},
     [DSLC_SOURCE_CENTRE] = {"centre", GEOMETRY(AT(CELLS) | AT(FACES) | AT(NODES), SOURCE_DIMS),
                             "of a cell or face; where a node is"},
     [DSLC_SOURCE_NORMAL] = {"normal", DSLC_BUFFER_GEOMETRY, DSLC_F64, AT(FACES) | AT(NODES), 0, SOURCE_DIMS,
                             true, "of a face, from left to right; by rows of a constraint, outwards"},
     [DSLC_SOURCE_INTEGRAL] =
         {"integral", DSLC_BUFFER_GEOMETRY, DSLC_F64, AT(NODES) | AT(EDGES), DSLC_HAS_FORM, SOURCE_BY_FORM,
          false,
          "of linear elements: `form` `N` at nodes, the others at directed edges from I to J "
          "(`outer(dN,dN)` row by row)"},
     [DSLC_SOURCE_WEIGHTED] = {"weighted integral", DSLC_BUFFER_GEOMETRY, DSLC_F64, AT(NODES) | AT(EDGES),
                               DSLC_HAS_FORM | DSLC_HAS_WEIGHT, SOURCE_BY_FORM, false,
                               "the same with the given `weight`, one number a cell, under the integral"},
     [DSLC_SOURCE_VECTOR] = {"vector", GEOMETRY(AT(EDGES), SOURCE_DIMS), "from I to J the short way"},
     [DSLC_SOURCE_WIDTH] = {"width", GEOMETRY(LINES, SOURCE_ONE),
                            "of the cells along a line of a grid: `dx`, `dy`, `dz`"},
     [DSLC_SOURCE_MIDDLE] = {"middle", GEOMETRY(LINES, SOURCE_ONE),
                             "of the cells along a line of a grid: `xc`, `yc`, `zc`"},
     [DSLC_SOURCE_OWN_MIDDLE] = {"own middle", GEOMETRY(LINES, SOURCE_ONE),
                                 "the same, but behind a periodic side that of the cell on the other side"},
     [DSLC_SOURCE_FACE_LEFT] =
         {"face left", TABLE(AT(FACES), 0),
          "the cell on a face's left side; numbers from the number of cells upwards are ghosts"},
     [DSLC_SOURCE_FACE_RIGHT] = {"face right", TABLE(AT(FACES), 0), "the cell on its right side"},
     [DSLC_SOURCE_CELL_FACE] = {"cell face", DSLC_BUFFER_TOPOLOGY, DSLC_I32, AT(CELLS), 0,
                                SOURCE_FACES_PER_CELL, false,
                                "the faces of a cell: f if the cell is its left side, else -1 - f"},
     [DSLC_SOURCE_CELL_ACROSS] = {"cell across", DSLC_BUFFER_TOPOLOGY, DSLC_I32, AT(CELLS), 0,
                                  SOURCE_FACES_PER_CELL, false, "the cells beyond them, in the same order"},
     [DSLC_SOURCE_CELL_START] =
         {"cell start", TABLE(AT(CELLS), 0),
          "with 0 faces per cell: row starts of the two before, one entry more than cells"},
     [DSLC_SOURCE_COLOUR_FACE] = {"colour face", TABLE(AT(FACES), 0),
                                  "faces sorted by colour; no two of a colour share a cell"},
     [DSLC_SOURCE_RIM_CELL] =
         {"rim cell", TABLE(AT(CELLS), 0),
          "the cells with a face at the boundary, then the cells across the other faces of these"},
     [DSLC_SOURCE_GHOST_CELL] = {"ghost cell", TABLE(AT(CELLS), 0),
                                 "of a periodic ghost the cell that it copies, of others -1"},
     [DSLC_SOURCE_NODE_START] = {"node start", TABLE(AT(NODES), 0),
                                 "row starts of the nodes' edges, one entry more than nodes"},
     [DSLC_SOURCE_EDGE_NODE] =
         {"edge node", TABLE(AT(EDGES), 0),
          "the second node of a directed edge; edges are in the order of their first nodes"},
     [DSLC_SOURCE_EDGE_FROM] = {"edge from", TABLE(AT(EDGES), 0), "the first node"},
     [DSLC_SOURCE_EDGE_TWIN] = {"edge twin", TABLE(AT(EDGES), 0),
                                "the number of the edge in the other direction"},
     [DSLC_SOURCE_EDGE_PAIR] = {"edge pair", TABLE(AT(EDGES), 0),
                                "the number of the edge without direction: the same for both"},
     [DSLC_SOURCE_SLOT_START] =
         {"slot start", TABLE(AT(NODES), DSLC_HAS_LANES),
          "the slot of a node's first edge; slots are laid out for `lanes` work-items a node"},
     [DSLC_SOURCE_SLOT_NODE] = {"slot node", TABLE(AT(EDGES), DSLC_HAS_LANES),
                                "by slot: the second node of its edge"},
     [DSLC_SOURCE_EDGE_SLOT] = {"edge slot", TABLE(AT(EDGES), DSLC_HAS_LANES), "the slot of an edge"},
     [DSLC_SOURCE_ROW_NODE] =
         {"row node", DSLC_BUFFER_TOPOLOGY, DSLC_I32, AT(NODES), 0, SOURCE_ONE, true,
          "of a constraint: the node of every row, -1 where another rule gives the value"},
     [DSLC_SOURCE_CONSTRAINED] =
         {"constrained", TABLE(AT(NODES), DSLC_HAS_FIELD),
          "1 at nodes where some rule gives the value of state `field`; projections do not count"},
     [DSLC_SOURCE_ON_RULE] = {"on rule", TABLE(AT(NODES) | GRID_FACES, DSLC_HAS_RULE),
                              "at nodes: 1 on the faces of `rule`, whatever other rules say there; at faces "
                              "across an axis of a grid: 1 "
                              "or -1 on those of the rule, as the normal points out there"},
     [DSLC_SOURCE_WALL_DISTANCE] = {"wall distance", DSLC_BUFFER_TOPOLOGY, DSLC_U8, AT(CELLS), 0, SOURCE_ONE,
                                    false,
                                    "of a cell of a grid, in cells, from the nearest one that is not active: "
                                    "beyond the box, or in a solid; 255 "
                                    "at most, 0: is such a cell itself"},
     [DSLC_SOURCE_WALL] =
         {"wall", TABLE(GRID_FACES, 0),
          "across an axis of a grid: -1, or, with an active cell on one side only, 64*row + rule"},
     [DSLC_SOURCE_WALL_POINT] = {"wall point", TABLE(AT(NEAR_WALLS), 0), "the entry of a point near walls"},
     [DSLC_SOURCE_WALL_NUMBER] = {"wall number", TABLE(AT(CELLS), 0),
                                  "at every point, its number among those near walls, 0 elsewhere"},
     [DSLC_SOURCE_GIVEN] = {"given", DSLC_BUFFER_GIVEN, DSLC_F64, ~0u, DSLC_HAS_FIELD, SOURCE_OF_FIELD, false,
                            "the given `field` at the time that `ahead` says"},
     [DSLC_SOURCE_PATCH_START] =
         {"patch start", TABLE(AT(CELLS), 0),
          "four entries a patch, and four more: its first cell, its first entries of `patch "
          "ring` and `patch face`, and how many of its faces lie between two cells"},
     [DSLC_SOURCE_PATCH_RING] = {"patch ring", TABLE(AT(CELLS), 0),
                                 "patch by patch, cells of others that share a face with its own"},
     [DSLC_SOURCE_PATCH_FACE] = {"patch face", TABLE(AT(FACES), 0),
                                 "patch by patch, the faces of its cells, those at boundaries last"},
     [DSLC_SOURCE_PATCH_ENDS] =
         {"patch ends", TABLE(AT(FACES), 0),
          "parallel: 65536*right + left, as the patch numbers its cells, then its ring"},
     [DSLC_SOURCE_PATCH_SIDE] = {"patch side", DSLC_BUFFER_TOPOLOGY, DSLC_I32, AT(CELLS), 0,
                                 SOURCE_FACES_PER_CELL, false,
                                 "as `cell face`, with the numbers that the cell's patch gives its faces"}};

static const char *const forms[DSLC_FORM_COUNT] = {[DSLC_FORM_N] = "N",
                                                   [DSLC_FORM_N_DN] = "N*dN",
                                                   [DSLC_FORM_DN_N] = "dN*N",
                                                   [DSLC_FORM_N_N] = "N*N",
                                                   [DSLC_FORM_DOT_DN_DN] = "dot(dN,dN)",
                                                   [DSLC_FORM_OUTER_DN_DN] = "outer(dN,dN)"};

const source_kind *source_kind_get(dslc_source_kind kind) {
  return (unsigned)kind < DSLC_SOURCE_COUNT ? &infos[kind] : NULL;
}

unsigned dslc_source_has(dslc_source_kind kind) {
  const source_kind *info = source_kind_get(kind);
  return info ? info->has : 0;
}

const char *dslc_source_text(dslc_source_kind kind) {
  const source_kind *info = source_kind_get(kind);
  return info ? info->text : NULL;
}

const char *dslc_form_text(dslc_form form) { return (unsigned)form < DSLC_FORM_COUNT ? forms[form] : NULL; }

static int form_components(int dims, dslc_form form) {
  switch (form) {
  case DSLC_FORM_N_DN:
  case DSLC_FORM_DN_N: return dims;
  case DSLC_FORM_OUTER_DN_DN: return dims * dims;
  default: return 1;
  }
}

int source_width_of(const dslc_program *p, const dslc_source *s) {
  switch (infos[s->kind].width) {
  case SOURCE_DIMS: return p->space.dims;
  case SOURCE_BY_FORM: return form_components(p->space.dims, s->form);
  case SOURCE_FACES_PER_CELL: return p->space.faces_per_cell ? p->space.faces_per_cell : 1;
  case SOURCE_OF_FIELD: return p->model.field[s->field].components;
  default: return 1;
  }
}

double element_bytes(dslc_element e) { return e == DSLC_F64 ? 8 : e == DSLC_U8 ? 1 : 4; }
