#include <stddef.h>

#include "lua/schema.h"

#define KEYS(array) (array), (int)(sizeof(array) / sizeof *(array))

static const char ORDERS[] = "none|rcm|hilbert|random", FACES[] = "none|sorted|random";

static const key_spec TIME[] = {
    {"stop", KEY_NUMBER, .doc = "the time to reach [s]; needed unless `steps` is given"},
    {"steps", KEY_SIZE, .doc = "stop after so many steps"},
    {"look", KEY_SIZE, .fallback = "16",
     .doc = "the host synchronises with the device every so many steps; unless it is given, seldomer where "
            "they are fast"},
    {"first", KEY_POSITIVE,
     .doc = "the most that the first step may be [s]; it may double from step to step"},
    {"largest", KEY_POSITIVE, .doc = "the most that any step may be [s]"},
    {"step", KEY_POSITIVE,
     .doc =
         "the size of all steps [s], but shortened ones; an error where the scheme's own bound is smaller"},
    {"shorten", KEY_FLAG, .fallback = "true",
     .doc = "shorten steps to meet outputs, the end, and knots of series; otherwise the first step behind "
            "them is taken"},
    {"unfinished", KEY_CHOICE, .fallback = "warn",
     .doc = "what happens when a scheme's `repeat` reaches its limit of passes", .choices = "warn|stop"},
};
const schema SCHEMA_TIME = {"time", "When the run ends.", KEYS(TIME)};

static const key_spec PICTURE[] = {
    {"field", KEY_NAMES, true,
     .doc = "a field, or a component of it: \"h\", \"velocity.x\"; a vector stands for its length; of "
            "several each has a "
            "panel"},
    {"columns", KEY_SIZE, .doc = "of panels; as many as rows if absent"},
    {"name", KEY_TEXT, .doc = "stem of the file names; the field's name if absent"},
    {"title", KEY_TEXT, .doc = "above the picture; name and unit if absent"},
    {"map", KEY_CHOICE, .fallback = "viridis", .doc = "the colours",
     .choices = "viridis|water|terrain|diverging|grey"},
    {"range", KEY_RANGE, .doc = "values at the ends of the colours; those of the field if absent"},
    {"contours", KEY_COUNT, .fallback = "0", .doc = "about so many contour lines"},
    {"cells", KEY_FLAG, .fallback = "false", .doc = "draw the cells' outlines"},
    {"z", KEY_NUMBER, .fallback = "0", .doc = "height of the slice through a 3D mesh [m]"},
    {"surface", KEY_NAMES,
     .doc = "boundaries of a 3D mesh, seen from outside, instead of a slice; values of the cells at them"},
    {"view", KEY_DIRECTION, .fallback = "{-1, -1, 0.5}",
     .doc = "from which direction the surface is seen; z points up"},
    {"mask", KEY_TEXT, .doc = "a field: where it is not above `mask_below`, the terrain is drawn instead"},
    {"mask_below", KEY_NUMBER, .fallback = "0", .doc = "see `mask`"},
    {"terrain", KEY_TEXT, .doc = "a field that shades the land where `mask` says so"},
    {"size", KEY_SIZE, .fallback = "600", .doc = "pixels of the longer side"},
};
const schema SCHEMA_PICTURE = {"picture", "A picture of a field (PNG) at every output.", KEYS(PICTURE)};

static const key_spec PLOT[] = {
    {"field", KEY_NAMES, true, .doc = "the fields along the line"},
    {"from", KEY_POINT, true, .doc = "where the line begins"},
    {"to", KEY_POINT, true, .doc = "where the line ends"},
    {"exact", KEY_FUNCTION, .doc = "a known solution, drawn beside the fields",
     .type = "fun(x: number, y: number, t: number): number"},
    {"name", KEY_TEXT, .doc = "stem of the file names; `plot1` and so on if absent"},
    {"title", KEY_TEXT, .doc = "above the plot"},
    {"range", KEY_RANGE, .doc = "of the vertical axis; from the values if absent"},
    {"samples", KEY_SIZE, .fallback = "400", .doc = "points along the line"},
};
const schema SCHEMA_PLOT = {"plot", "Fields along a straight line (PNG) at every output.", KEYS(PLOT)};

static const key_spec RASTER[] = {
    {"field", KEY_NAMES, true, .doc = "fields, or components of them, each in a file of its own"},
    {"size", KEY_POSITIVE, true, .doc = "the side of a cell [m]"},
    {"name", KEY_TEXT,
     .doc = "stem of the file names, with the field's name behind it if there are several; the field's name "
            "if absent"},
    {"x", KEY_RANGE, .doc = "from where to where; all of the mesh if absent"},
    {"y", KEY_RANGE, .doc = "the same along y"},
    {"mask", KEY_TEXT, .doc = "a field: where it is not above `mask_below`, there is no data"},
    {"mask_below", KEY_NUMBER, .fallback = "0", .doc = "see `mask`"},
    {"format", KEY_CHOICE, .fallback = "asc",
     .doc = "an ESRI ASCII grid, or a GeoTIFF by way of gdal_translate", .choices = "asc|tif"},
    {"srs", KEY_TEXT, .doc = "the coordinate system that a GeoTIFF names: \"EPSG:25832\""},
};
const schema SCHEMA_RASTER = {"raster", "Fields on a regular grid, at every output.", KEYS(RASTER)};

static const key_spec OUTPUT[] = {
    {"folder", KEY_TEXT, .fallback = "out", .doc = "where files are written, seen from the case's folder"},
    {"every", KEY_POSITIVE, .doc = "time between outputs [s]; start and end only if absent"},
    {"times", KEY_NUMBERS, .doc = "times of outputs [s]"},
    {"fields", KEY_NAMES, .doc = "fields in VTU files; all states and products if absent"},
    {"vtu", KEY_FLAG, .fallback = "true",
     .doc = "write VTU files (of grids VTI or VTR) and a PVD collection for ParaView"},
    {"single_precision", KEY_FLAG, .fallback = "false",
     .doc = "fields in VTU files as 32 bits; places, and a field with values past 3.4e38, stay 64 bits"},
    {"elevation", KEY_TEXT,
     .doc = "a scalar field, or a component, that lifts a 2D mesh's nodes in VTU files"},
    {"picture", KEY_GROUPS, .doc = "one picture or several", .inner = &SCHEMA_PICTURE},
    {"plot", KEY_GROUPS, .doc = "one line plot or several", .inner = &SCHEMA_PLOT},
    {"raster", KEY_GROUPS, .doc = "one raster or several", .inner = &SCHEMA_RASTER},
    {"probes", KEY_TABLE, .doc = "named points, each a CSV file: { gauge = {x, y} }",
     .type = "table<string, number[]>"},
    {"probe_fields", KEY_NAMES,
     .doc =
         "what the probes record, fields or components of them: \"h\", \"velocity.x\", each column once; all "
         "states and products if absent"},
    {"history", KEY_NAMES,
     .doc =
         "globals recorded in history.csv: \"mass\", \"dt\"; \"iterations\": passes of the step's `repeat`"},
    {"sample", KEY_SIZE, .fallback = "1",
     .doc = "probes and history so many steps behind their last row, and at every output"},
    {"checkpoint", KEY_POSITIVE, .doc = "wall time between checkpoints [s]; only when stopped if absent"},
    {"run_json", KEY_FLAG, .fallback = "true", .doc = "write run.json: versions, device, hashes, times"},
};
const schema SCHEMA_OUTPUT = {"output", "What a run writes, where and when.", KEYS(OUTPUT)};

static const char VALUES[] =
    "table<string, number|number[]|EdgewiseRaster|EdgewisePlaces|fun(x: number, y: number): number|number[]>";

static const key_spec TUNING[] = {
    {"form", KEY_CHOICE, .doc = "how the rows of the matrix are dealt to work-items",
     .choices = "loop|paper|lanes|stream|sliced"},
    {"group_bits", KEY_SIZE, .doc = "log2 of the work-items of a group"},
    {"rows_bits", KEY_SIZE, .doc = "log2 of the rows that a group takes at a time"},
    {"kernels", KEY_SIZE,
     .doc = "of an iteration of cg with none or jacobi: 1 or 2; 1 is refused where no system of the scheme "
            "is solved so"},
};
const schema SCHEMA_TUNING = {"tuning", "How matrix products run on the device.", KEYS(TUNING)};

static const key_spec PIN[] = {
    {"field", KEY_TEXT, true, .doc = "the unknown of a system that is open by a constant"},
    {"at", KEY_POINT, true, .doc = "where; the nearest node is taken"},
    {"value", KEY_NUMBER, .fallback = "0", .doc = "what it is there"},
};
const schema SCHEMA_PIN = {"pin", "Which value an unknown has where that no boundary rule says.", KEYS(PIN)};

static const key_spec SOLVER[] = {
    {"method", KEY_CHOICE, .doc = "for all linear systems; the scheme's if absent",
     .choices = "cg|cg_three_term|minres|bicgstab|gmres"},
    {"preconditioner", KEY_CHOICE, .doc = "what makes the method converge faster; the scheme's if absent",
     .choices = "none|jacobi|chebyshev|multigrid"},
    {"precision", KEY_CHOICE, .fallback = "double",
     .doc = "of the iterations of cg with none or jacobi; mixed: single, refined to the same tolerance",
     .choices = "double|mixed"},
    {"tolerance", KEY_POSITIVE,
     .doc = "of the residual, relative to the right-hand side; the scheme's if absent"},
    {"iterations", KEY_SIZE, .doc = "at most so many; the scheme's number if absent"},
    {"tuning", KEY_GROUP, .doc = "how products run; as stored by tuning, or by rule, if absent",
     .inner = &SCHEMA_TUNING},
    {"pin", KEY_GROUP,
     .doc = "the constant of an unknown that no boundary rule gives; the mean stays what it was if absent",
     .inner = &SCHEMA_PIN},
    {"tune", KEY_POSITIVE,
     .doc = "time to find the fastest way on the first matrix, where no result is stored [s]"},
};
const schema SCHEMA_SOLVER = {"solver", "How linear systems are solved, instead of what the scheme says.",
                              KEYS(SOLVER)};

static const key_spec PRODUCT[] = {
    {"name", KEY_TEXT, true, .doc = "of the field, for files, pictures and probes"},
    {"max", KEY_TEXT,
     .doc = "the largest value so far of a formula of the scheme's language: \"norm(velocity)\""},
    {"min", KEY_TEXT, .doc = "the smallest"},
    {"when_max", KEY_TEXT, .doc = "the time at which it was largest [s]"},
    {"first", KEY_TEXT,
     .doc = "the time at which a condition held first, \"h > 0.05 [m]\" [s]; -1 where it has not"},
    {"duration", KEY_TEXT, .doc = "for how long a condition has held [s]"},
    {"integral", KEY_TEXT, .doc = "over time: the sum of dt times the value at the start of the step"},
    {"mean", KEY_TEXT, .doc = "that, over the time passed"},
    {"at", KEY_CHOICE, .fallback = "cells", .doc = "where the formula is computed",
     .choices = "cells|nodes|xfaces|yfaces|zfaces|corners"},
};
const schema SCHEMA_PRODUCT = {"product", "A quantity that is followed at every point, on the device.",
                               KEYS(PRODUCT)};

static const key_spec SECTION[] = {
    {"name", KEY_TEXT, true, .doc = "of the global, for `history` and run:global"},
    {"points", KEY_LIST, true,
     .doc = "the line's points: { {x, y}, {x, y}, ... }; it counts from its left to its right",
     .type = "number[][]"},
    {"flux", KEY_TEXT, true,
     .doc = "what leaves cell c through a face to cell d, per length: \"hllc.1\", \"dot(q[c], normal) + "
            "roe.1\""},
};
const schema SCHEMA_SECTION = {"section", "A line across a plane mesh, and what flows through it.",
                               KEYS(SECTION)};

static const key_spec CASE[] = {
    {"name", KEY_TEXT, .doc = "for headings; the folder's name if absent"},
    {"scheme", KEY_TEXT, .doc = "a shipped scheme's name, or a path seen from the case's folder"},
    {"variants", KEY_TABLE, .doc = "choices among the scheme's variants: { friction = \"cell\" }",
     .type = "table<string, string>"},
    {"parameters", KEY_TABLE, .doc = "values of the scheme's parameters",
     .type = "table<string, number|number[]>"},
    {"mesh", KEY_MESH, true, .doc = "mesh.rectangle, mesh.box, mesh.gmsh or mesh.grid"},
    {"given", KEY_TABLE, .doc = "the scheme's given fields: numbers, vectors, functions of place, rasters",
     .type = VALUES},
    {"initial", KEY_TABLE,
     .doc = "the states at t = 0: numbers, vectors, functions of place, rasters; of a `state flux` vectors",
     .type = VALUES},
    {"boundary", KEY_LIST,
     .doc = "what holds where: { \"left\", \"wall\" }, { {\"top\", \"bottom\"}, \"inflow\", qn = 2 }",
     .type = "table[]", .entries = KEYS_BOTH},
    {"corner_angle", KEY_POSITIVE, .fallback = "45",
     .doc = "boundary faces that meet at more degrees make an edge or a corner, for rules at nodes"},
    {"solver", KEY_GROUP, .doc = "how linear systems are solved", .inner = &SCHEMA_SOLVER},
    {"time", KEY_GROUP, .doc = "when the run ends", .inner = &SCHEMA_TIME},
    {"products", KEY_GROUPS, .doc = "what is followed at every point: the largest value, the time of arrival",
     .inner = &SCHEMA_PRODUCT},
    {"sections", KEY_GROUPS, .doc = "lines across the mesh, and what flows through them",
     .inner = &SCHEMA_SECTION},
    {"output", KEY_GROUP, .doc = "what is written", .inner = &SCHEMA_OUTPUT},
    {"schedule", KEY_TABLE, .doc = "how equations are evaluated: { roe = \"inline\", select = \"ternary\" }",
     .type = "table<string, string|number>"},
    {"profile", KEY_TEXT, .doc = "a schedule file; \"none\": not even what was tuned"},
    {"manifest", KEY_TEXT,
     .doc = "kernels built before by `dslc build`, instead of compiling the scheme, which is not read"},
    {"device", KEY_TEXT, .doc = "cpu, gpu, c, c-openmp, reference, an index, or a part of a device's name"},
    {"on_step", KEY_FUNCTION, .doc = "called where a row of `output.sample` is due",
     .type = "fun(run: EdgewiseRun)"},
    {"on_output", KEY_FUNCTION, .doc = "called after every output",
     .type = "fun(run: EdgewiseRun, number: integer)"},
    {"on_end", KEY_FUNCTION, .doc = "called when the run is complete", .type = "fun(run: EdgewiseRun)"},
};
const schema SCHEMA_CASE = {"case", "A case: scheme, mesh, values, boundary, time, output.", KEYS(CASE)};

static const key_spec RECTANGLE[] = {
    {"x", KEY_LINE, true, .doc = "{from, to}, cut into nx blocks; or all grid lines"},
    {"y", KEY_LINE, true, .doc = "{from, to}, cut into ny blocks; or all grid lines"},
    {"nx", KEY_SIZE, .doc = "blocks along x; needed unless x lists the grid lines"},
    {"ny", KEY_SIZE, .doc = "blocks along y; needed unless y lists the grid lines"},
    {"cells", KEY_CHOICE, .fallback = "triangles", .doc = "two triangles a block, or one quadrangle",
     .choices = "triangles|quads"},
    {"pattern", KEY_CHOICE, .fallback = "right", .doc = "the diagonals of the blocks",
     .choices = "right|alternating"},
    {"jitter", KEY_NUMBER, .fallback = "0",
     .doc = "moves interior nodes by up to this part of the spacing, at most 0.45"},
    {"seed", KEY_COUNT, .fallback = "0", .doc = "of the jitter and of random orders"},
    {"periodic", KEY_CHOICE, .doc = "directions in which the mesh continues at its other side",
     .choices = "x|y|xy"},
    {"order", KEY_CHOICE, .fallback = "rcm", .doc = "numbering of the cells", .choices = ORDERS},
    {"faces", KEY_CHOICE, .fallback = "sorted", .doc = "numbering of the faces", .choices = FACES},
    {"nodes", KEY_CHOICE, .fallback = "rcm", .doc = "numbering of the nodes, in schemes on nodes",
     .choices = ORDERS},
};
const schema SCHEMA_RECTANGLE = {"mesh.rectangle", "A rectangle; its boundary: left, right, bottom, top.",
                                 KEYS(RECTANGLE)};

static const key_spec BOX[] = {
    {"x", KEY_LINE, true, .doc = "{from, to}, cut into nx blocks; or all grid lines"},
    {"y", KEY_LINE, true, .doc = "the same along y"},
    {"z", KEY_LINE, true, .doc = "the same along z"},
    {"nx", KEY_SIZE, .doc = "blocks along x; needed unless x lists the grid lines"},
    {"ny", KEY_SIZE, .doc = "blocks along y"},
    {"nz", KEY_SIZE, .doc = "blocks along z"},
    {"cells", KEY_CHOICE, .fallback = "tetrahedra", .doc = "six tetrahedra a block, or one hexahedron",
     .choices = "tetrahedra|hexahedra"},
    {"jitter", KEY_NUMBER, .fallback = "0",
     .doc = "moves interior nodes by up to this part of the spacing, at most 0.45"},
    {"seed", KEY_COUNT, .fallback = "0", .doc = "of the jitter and of random orders"},
    {"periodic", KEY_CHOICE, .doc = "directions in which the mesh continues at its other side",
     .choices = "x|y|z|xy|xz|yz|xyz"},
    {"order", KEY_CHOICE, .fallback = "rcm", .doc = "numbering of the cells", .choices = ORDERS},
    {"faces", KEY_CHOICE, .fallback = "sorted", .doc = "numbering of the faces", .choices = FACES},
    {"nodes", KEY_CHOICE, .fallback = "rcm", .doc = "numbering of the nodes, in schemes on nodes",
     .choices = ORDERS},
};
const schema SCHEMA_BOX = {"mesh.box", "A box; its boundary: left, right, bottom, top, back, front.",
                           KEYS(BOX)};

static const key_spec GMSH[] = {
    {"file", KEY_TEXT,
     .doc = "a .msh file (2.2, 4.0, 4.1, text or binary, also .gz), seen from the case's folder"},
    {"recipe", KEY_TEXT, .doc = "a .geo file, meshed by the gmsh command before the run"},
    {"size", KEY_POSITIVE, .doc = "for a recipe: sets its number `size`"},
    {"numbers", KEY_TABLE, .doc = "for a recipe: sets its numbers (DefineConstant) by name",
     .type = "table<string, number>"},
    {"periodic", KEY_LIST, .doc = "pairs of patches that continue each other: { {\"left\", \"right\"} }",
     .type = "string[][]"},
    {"seed", KEY_COUNT, .fallback = "0", .doc = "of random orders"},
    {"order", KEY_CHOICE, .fallback = "rcm", .doc = "numbering of the cells", .choices = ORDERS},
    {"faces", KEY_CHOICE, .fallback = "sorted", .doc = "numbering of the faces", .choices = FACES},
    {"nodes", KEY_CHOICE, .fallback = "rcm", .doc = "numbering of the nodes, in schemes on nodes",
     .choices = ORDERS},
};
const schema SCHEMA_GMSH = {"mesh.gmsh", "A mesh from Gmsh; its boundary: the physical groups of the file.",
                            KEYS(GMSH)};

static const key_spec SOLID[] = {
    {"name", KEY_TEXT, .fallback = "solid", .doc = "of its surface, for `boundary`; solids may share one"},
    {"x", KEY_RANGE, .doc = "from where to where; all of the grid if absent"},
    {"y", KEY_RANGE, .doc = "the same along y"},
    {"z", KEY_RANGE, .doc = "the same along z"},
};
const schema SCHEMA_SOLID = {"solid", "A box of solid cells: those with their centres in it.", KEYS(SOLID)};

static const key_spec PATCH[] = {
    {"name", KEY_TEXT, true, .doc = "for `boundary`; patches may share one"},
    {"side", KEY_CHOICE, true, .doc = "the side that it is a part of",
     .choices = "left|right|bottom|top|back|front"},
    {"x", KEY_RANGE, .doc = "from where to where along the side; all of it if absent"},
    {"y", KEY_RANGE, .doc = "the same along y"},
    {"z", KEY_RANGE, .doc = "the same along z"},
};
const schema SCHEMA_PATCH = {
    "patch", "A part of a side with a name of its own: faces with their centres in it.", KEYS(PATCH)};

static const key_spec GRID[] = {
    {"x", KEY_LINE, true, .doc = "{from, to}, cut into nx cells; or the places of all faces"},
    {"y", KEY_LINE, .doc = "the same along y; without it the grid is a line"},
    {"z", KEY_LINE, .doc = "the same along z; without it the grid is plane"},
    {"nx", KEY_SIZE, .doc = "cells along x; needed unless x lists the faces"},
    {"ny", KEY_SIZE, .doc = "cells along y"},
    {"nz", KEY_SIZE, .doc = "cells along z"},
    {"ratio", KEY_TABLE, .doc = "each cell is so many times as wide as the one before: { y = 1.05 }",
     .type = "table<string, number>"},
    {"tanh", KEY_TABLE, .doc = "finer towards both ends, the more the larger: { y = 2 }",
     .type = "table<string, number>"},
    {"periodic", KEY_CHOICE, .doc = "axes along which the grid continues at its other side",
     .choices = "x|y|z|xy|xz|yz|xyz"},
    {"solids", KEY_GROUPS, .doc = "boxes of solid cells, one or several", .inner = &SCHEMA_SOLID},
    {"mask", KEY_ANY,
     .doc = "more solid cells, of the boundary \"mask\": a function of place that says true or false, "
            "or a raster, solid where it is above 0.5",
     .type = "EdgewiseRaster|fun(x: number, y: number): boolean"},
    {"patches", KEY_GROUPS, .doc = "parts of sides with names of their own", .inner = &SCHEMA_PATCH},
};
const schema SCHEMA_GRID = {"mesh.grid",
                            "A structured grid of one to three axes; its boundary: left, right, bottom, top, "
                            "back, front, patches and solids.",
                            KEYS(GRID)};
