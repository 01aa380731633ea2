/* Files and folders of a case. Internal to the runtime. */
#ifndef EW_EXEC_PATHS_H
#define EW_EXEC_PATHS_H

#include "case/case.h"

/* The folder that output goes to, and below it a file. */
void exec_output_folder(const ew_case *c, char *path, size_t size);
void exec_output_file(const ew_case *c, const char *name, char *path, size_t size);

/* Makes the folder and those above it. Errors: EW_IO. */
ew_status exec_make_folder(const char *path, ew_error *err);

/* The case's name, else its folder's: the stem of output files. */
void exec_case_name(const ew_case *c, char *name, size_t size);

/* Without running anything: refuses (EW_INPUT) what could run programs or write files, and tells whether the mesh is there already. */
ew_status exec_recipe_inspect(const ew_case *c, bool *made, ew_error *err);
/* The mesh file of a .geo recipe, made by gmsh into the output folder, after an inspection, unless one is there that was made from the same:
 * recipe, files that it reads, numbers. Errors: EW_INPUT with gmsh's own message, EW_FAIL if gmsh cannot be started. */
ew_status exec_mesh_recipe(const ew_case *c, char *mesh_file, size_t size, ew_error *err);

#endif
