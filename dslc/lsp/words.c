#include "lsp/words.h"

#include <stddef.h>
#include <string.h>

static const word all[] = {
    {WORD_KEYWORD, "across", "boundary NAME across x { ... }", "the axis that a rule of a grid is across"},
    {WORD_KEYWORD, "add", "add r = e",
     "a rule's part of an equation at boundary nodes; before `boundary`: lines more for rules of the "
     "extended scheme"},
    {WORD_KEYWORD, "and", NULL, "true if both sides are"},
    {WORD_KEYWORD, "at", "repeat { ... } until e at most n", "how often a repeat may go round"},
    {WORD_KEYWORD, "boundary", "boundary NAME(arguments) { ... }",
     "a kind of boundary: what holds there. A case says where"},
    {WORD_KEYWORD, "by", "integrate u' = r by rk4 over dt",
     "the method of an `integrate`, the solver of a `solve`"},
    {WORD_KEYWORD, "else", NULL, "takes everything to its right"},
    {WORD_KEYWORD, "exchange", "exchange x <-> y, u <-> v { ... }",
     "declares what stands in it, and once more with axes and names exchanged"},
    {WORD_KEYWORD, "extends", "scheme NAME extends BASE { ... }",
     "takes over all that another scheme declares"},
    {WORD_KEYWORD, "fix", "fix s = e", "the value on the boundary, set after every assignment and stage"},
    {WORD_KEYWORD, "flux", "flux q @ faces = e",
     "a quantity at faces that flows from L to R; in a rule: what it is there, positive outwards"},
    {WORD_KEYWORD, "fn", "fn f(a, b) = e",
     "a function of values: sees its arguments, parameters and other functions"},
    {WORD_KEYWORD, "ghost", "ghost s = e", "the value beyond the boundary"},
    {WORD_KEYWORD, "given", "given z @ cells [m]",
     "known when the run starts, one value a place, from the case"},
    {WORD_KEYWORD, "if", "if a then b else c",
     "chooses a value; in a step, with braces: statements of a variant"},
    {WORD_KEYWORD, "import", "import NAME, ... of FILE",
     "functions of another file, or what is named of a scheme"},
    {WORD_KEYWORD, "in", "max(c in cells) e", "over all of a place"},
    {WORD_KEYWORD, "integrate", "integrate u' = r by rk4 over dt",
     "advances ordinary differential equations"},
    {WORD_KEYWORD, "let", "let a = e, (b, c) = e", "names parts of a block or of a rule"},
    {WORD_KEYWORD, "matrix", "matrix K symmetric @ nodes { ... }",
     "a matrix by its entries at edges and nodes"},
    {WORD_KEYWORD, "max", "max(a, b)", "the largest; with a binder: over faces, neighbours or a whole place"},
    {WORD_KEYWORD, "min", "min(a, b)",
     "the smallest; with a binder: over faces, neighbours or a whole place"},
    {WORD_KEYWORD, "most", "at most n", "how often a repeat may go round"},
    {WORD_KEYWORD, "near", "sum(J near I) e", "over the nodes joined to I by an edge"},
    {WORD_KEYWORD, "not", NULL, "true if what follows is not"},
    {WORD_KEYWORD, "of", "sum(f of c) e", "over the faces of the cell; `f of c to d`: d is the cell across"},
    {WORD_KEYWORD, "on", "scheme NAME on mesh(2) { ... }",
     "what a scheme stands on: mesh(2), mesh(3), mesh(D), grid(1) to grid(3)"},
    {WORD_KEYWORD, "or", NULL, "true if one of both sides is"},
    {WORD_KEYWORD, "over", "integrate ... over dt",
     "how far it goes; `over time`: a case may give a function of time"},
    {WORD_KEYWORD, "parameter", "parameter g = 9.81 [m/s^2]",
     "known when the run starts; the case may change it without a new build"},
    {WORD_KEYWORD, "real", "real[n]", "a list of n reals"},
    {WORD_KEYWORD, "repeat", "repeat { ... } until e at most n",
     "iterates within a step until a condition holds"},
    {WORD_KEYWORD, "replace", "replace NAME ...", "takes the place of what the extended scheme declares"},
    {WORD_KEYWORD, "require", "require h >= 0", "must hold after every step, or the run stops"},
    {WORD_KEYWORD, "scheme", "scheme NAME on mesh(2) { ... }",
     "a numerical scheme: equations, boundary rules and a step"},
    {WORD_KEYWORD, "solve", "solve K*u = r by cg(tol = 1e-8)", "a linear system at nodes"},
    {WORD_KEYWORD, "state", "state h @ cells [m]", "what a step changes; without a place: one value"},
    {WORD_KEYWORD, "step", "step { ... }", "what changes in one time step, in which order"},
    {WORD_KEYWORD, "sum", "sum(f of c) e",
     "a sum over faces, neighbours, a range or a whole place; takes what follows up to the next + or -"},
    {WORD_KEYWORD, "symmetric", "matrix K symmetric @ nodes { ... }",
     "the matrix is symmetric, which is proved or tested"},
    {WORD_KEYWORD, "then", "if a then b else c", "the value if the condition holds"},
    {WORD_KEYWORD, "to", "to L = e", "a fluctuation's part for one side; in `f of c to d`: the cell across"},
    {WORD_KEYWORD, "until", "repeat { ... } until e",
     "the condition that ends a repeat; `.old` is the value before the pass"},
    {WORD_KEYWORD, "update", "update h = e", "evaluates all right sides, then assigns"},
    {WORD_KEYWORD, "variant", "variant limiter = minmod | none",
     "known when the scheme is compiled; what is not chosen costs nothing"},
    {WORD_KEYWORD, "where", "e where a = ..., b = ...", "names parts of the formula before it"},

    {WORD_TYPE, "scalar", NULL, "a real number"},
    {WORD_TYPE, "vector", NULL, "as many reals as there are dimensions: u.x, u.y, u.z"},
    {WORD_TYPE, "tensor", NULL, "a square of reals: K.xx, K.xy, ..."},
    {WORD_TYPE, "bool", NULL, "a condition"},
    {WORD_TYPE, "int", NULL, "a whole number: of parameters and arguments of rules only"},

    {WORD_PLACE, "cells", NULL, "the cells of the mesh or grid; index c, on grids i, j, k"},
    {WORD_PLACE, "faces", NULL, "the faces of a mesh; index f, the two cells are L and R"},
    {WORD_PLACE, "nodes", NULL, "the nodes of a mesh; index I"},
    {WORD_PLACE, "edges", NULL, "the edges of the node graph, from I to J"},
    {WORD_PLACE, "xfaces", NULL, "the faces of a grid across x; i, j, k: the low side of that cell"},
    {WORD_PLACE, "yfaces", NULL, "the faces of a grid across y; i, j, k: the low side of that cell"},
    {WORD_PLACE, "zfaces", NULL, "the faces of a grid across z; i, j, k: the low side of that cell"},
    {WORD_PLACE, "corners", NULL, "the corners of a grid; i, j, k: the low corner of that cell"},

    {WORD_GEOMETRY, "volume", NULL, "of a cell: m^D, in 2D an area"},
    {WORD_GEOMETRY, "centre", NULL, "of a cell, face or node: a vector, m"},
    {WORD_GEOMETRY, "size", NULL, "of a cell: volume^(1/D), m"},
    {WORD_GEOMETRY, "area", NULL,
     "of a face: m^(D-1), in 2D a length; in rules at nodes: the node's share of the boundary"},
    {WORD_GEOMETRY, "normal", NULL,
     "of a face: from L to R, of length 1; on boundaries outwards; seen from a cell in sums over its faces: "
     "outwards"},
    {WORD_GEOMETRY, "tangent", NULL, "of a face in 2D: the normal, turned to the left"},
    {WORD_GEOMETRY, "distance", NULL, "of a face: between the centres of L and R, m"},
    {WORD_GEOMETRY, "dx", "dx[i]", "width of a grid's cells along x, m"},
    {WORD_GEOMETRY, "dy", "dy[j]", "width of a grid's cells along y, m"},
    {WORD_GEOMETRY, "dz", "dz[k]", "width of a grid's cells along z, m"},
    {WORD_GEOMETRY, "xc", "xc[i]", "centre of a grid's cells along x, m"},
    {WORD_GEOMETRY, "yc", "yc[j]", "centre of a grid's cells along y, m"},
    {WORD_GEOMETRY, "zc", "zc[k]", "centre of a grid's cells along z, m"},

    {WORD_CONSTANT, "t", NULL, "the time, s"},
    {WORD_CONSTANT, "dt", NULL, "the length of the time step, s: an equation of the scheme"},
    {WORD_CONSTANT, "pi", NULL, "3.14159..."},
    {WORD_CONSTANT, "inf", NULL, "infinity, of any unit"},
    {WORD_CONSTANT, "tiny", NULL, "1e-30, of any unit"},
    {WORD_CONSTANT, "identity", NULL, "the unit tensor"},

    {WORD_FUNCTION, "min", "min(a, b, ...)", "the smallest of 2 to 16"},
    {WORD_FUNCTION, "max", "max(a, b, ...)", "the largest of 2 to 16"},
    {WORD_FUNCTION, "abs", "abs(a)", "the absolute value"},
    {WORD_FUNCTION, "sign", "sign(a)", "-1, 0 or 1"},
    {WORD_FUNCTION, "sqrt", "sqrt(a)", "the square root"},
    {WORD_FUNCTION, "cbrt", "cbrt(a)", "the cube root, also of negative numbers"},
    {WORD_FUNCTION, "exp", "exp(a)", "e to the power a"},
    {WORD_FUNCTION, "log", "log(a)", "the natural logarithm"},
    {WORD_FUNCTION, "sin", "sin(a)", "sine, a in radians"},
    {WORD_FUNCTION, "cos", "cos(a)", "cosine"},
    {WORD_FUNCTION, "tan", "tan(a)", "tangent"},
    {WORD_FUNCTION, "asin", "asin(a)", "arc sine"},
    {WORD_FUNCTION, "acos", "acos(a)", "arc cosine"},
    {WORD_FUNCTION, "atan", "atan(a)", "arc tangent"},
    {WORD_FUNCTION, "atan2", "atan2(y, x)", "the angle of (x, y), from -pi to pi"},
    {WORD_FUNCTION, "sinh", "sinh(a)", "hyperbolic sine"},
    {WORD_FUNCTION, "cosh", "cosh(a)", "hyperbolic cosine"},
    {WORD_FUNCTION, "tanh", "tanh(a)", "hyperbolic tangent"},
    {WORD_FUNCTION, "floor", "floor(a)", "the largest whole number not above a"},
    {WORD_FUNCTION, "dot", "dot(a, b)",
     "contraction: vectors or tensors to a scalar, a tensor and a vector to a vector"},
    {WORD_FUNCTION, "outer", "outer(a, b)", "the tensor a b of two vectors"},
    {WORD_FUNCTION, "cross", "cross(a, b)", "the cross product: a vector in 3D, a scalar in 2D"},
    {WORD_FUNCTION, "trace", "trace(K)", "the sum of a tensor's diagonal"},
    {WORD_FUNCTION, "transpose", "transpose(K)", "the transposed tensor"},
    {WORD_FUNCTION, "norm", "norm(a)", "the length of a vector; of a scalar its absolute value"},
    {WORD_FUNCTION, "clamp", "clamp(a, low, high)", "a, kept between low and high"},
    {WORD_FUNCTION, "mean", "mean(s)", "the mean of both cells of a face, both nodes of an edge"},
    {WORD_FUNCTION, "jump", "jump(s)", "their difference: R minus L, J minus I"},
    {WORD_FUNCTION, "is_fixed", "is_fixed(u)",
     "whether a boundary rule's `fix` gives the value of the state u at the node; a bool"},
    {WORD_FUNCTION, "integral", "integral(dot(dN[I], dN[J]))",
     "a mesh integral of hat functions N and their gradients dN, at nodes or edges"},
    {WORD_FUNCTION, "table", "table(x, (x1, y1), (x2, y2), ...)",
     "linear between the points, constant beyond the first and the last"},
    {WORD_FUNCTION, "region", "region(NAME)",
     "at cells: does the cell belong to the mesh file's group of that name?"},
    {WORD_FUNCTION, "patch", "patch(NAME)", "at faces: does the face lie on that part of the boundary?"},

    {WORD_LETTER, "c", NULL, "the cell"},
    {WORD_LETTER, "f", NULL, "the face"},
    {WORD_LETTER, "L", NULL, "the cell that the normal leaves; at a boundary the one inside"},
    {WORD_LETTER, "R", NULL, "the cell that the normal points to; at a boundary the ghost cell"},
    {WORD_LETTER, "I", NULL, "the node; of an edge the first one"},
    {WORD_LETTER, "J", NULL, "the node at the other end of the edge"},
    {WORD_LETTER, "i", NULL, "the number of the cell along x"},
    {WORD_LETTER, "j", NULL, "the number of the cell along y"},
    {WORD_LETTER, "k", NULL, "the number of the cell along z"},
    {WORD_LETTER, "inner", NULL, "in rules on grids: the nearest point inside, at the quantity's own place"},
    {WORD_LETTER, "mirror", NULL, "in rules on grids: the mirror image of the ghost"},

    {WORD_METHOD, "euler", NULL, "of order 1"},
    {WORD_METHOD, "midpoint", NULL, "of order 2"},
    {WORD_METHOD, "heun", NULL, "of order 2, strong stability preserving"},
    {WORD_METHOD, "ssp_rk2", NULL, "of order 2, strong stability preserving"},
    {WORD_METHOD, "ssp_rk3", NULL, "of order 3, strong stability preserving, Shu and Osher"},
    {WORD_METHOD, "rk4", NULL, "of order 4, the classical method"},

    {WORD_SOLVER, "cg", NULL, "conjugate gradients: symmetric matrices"},
    {WORD_SOLVER, "cg_three_term", NULL,
     "conjugate gradients in the form of one recurrence for the residuals"},
    {WORD_SOLVER, "minres", NULL, "symmetric matrices that need not be positive definite"},
    {WORD_SOLVER, "bicgstab", NULL, "any matrix"},
    {WORD_SOLVER, "gmres", NULL, "any matrix; slower and surer, with 30 vectors more"},

    {WORD_OPTION, "tol", "tol = 1e-8", "the residual relative to the right side at which a solver stops"},
    {WORD_OPTION, "iterations", "iterations = 10000", "the most that a solver makes"},
    {WORD_OPTION, "preconditioner", "preconditioner = multigrid", "jacobi, multigrid, chebyshev or none"},
    {WORD_OPTION, "jacobi", NULL, "preconditioner: the diagonal"},
    {WORD_OPTION, "multigrid", NULL, "preconditioner: algebraic multigrid"},
    {WORD_OPTION, "chebyshev", NULL, "preconditioner: a polynomial of the matrix"},
    {WORD_OPTION, "none", NULL, "no preconditioner"},

    {WORD_LEVEL, "prev", "X.prev", "X with every state in it taken at the start of the step"},
    {WORD_LEVEL, "old", "X.old", "behind `until`: the state at the start of the pass"},
    {WORD_LEVEL, "free", "dt.free", "the step as it would be if no output had to be met"},
};

const word *words(int *n) {
  *n = (int)(sizeof all / sizeof *all);
  return all;
}

const word *word_find_kind(const char *text, word_kind kind) {
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    if (all[i].kind == kind && strcmp(all[i].text, text) == 0) return &all[i];
  return NULL;
}

const word *word_find(const char *text) {
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    if (strcmp(all[i].text, text) == 0) return &all[i];
  return NULL;
}

bool word_is_elsewhere(const word *w, bool on_grid) {
  static const char *const mesh[] = {"faces", "nodes", "edges",   "volume",   "centre",
                                     "size",  "area",  "tangent", "distance", "c",
                                     "f",     "L",     "R",       "I",        "J"};
  static const char *const grid[] = {"xfaces", "yfaces", "zfaces", "corners", "dx", "dy",    "dz",    "xc",
                                     "yc",     "zc",     "i",      "j",       "k",  "inner", "mirror"};
  if (w->kind != WORD_PLACE && w->kind != WORD_GEOMETRY && w->kind != WORD_LETTER) return false;
  const char *const *other = on_grid ? mesh : grid;
  _Static_assert(sizeof mesh == sizeof grid, "one loop goes over either");
  for (size_t i = 0; i < sizeof mesh / sizeof *mesh; i++)
    if (strcmp(other[i], w->text) == 0) return true;
  return false;
}

const char *word_kind_text(word_kind kind) {
  static const char *const of[] = {
      [WORD_KEYWORD] = "keyword",   [WORD_TYPE] = "type",         [WORD_PLACE] = "place",
      [WORD_GEOMETRY] = "geometry", [WORD_CONSTANT] = "constant", [WORD_FUNCTION] = "function",
      [WORD_LETTER] = "index",      [WORD_METHOD] = "method",     [WORD_SOLVER] = "solver",
      [WORD_OPTION] = "option",     [WORD_LEVEL] = "time level"};
  return of[kind];
}
