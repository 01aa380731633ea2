/* Semantic analysis: from the syntax tree to the IR. Names, places, indices, ranks, units, time levels, sides of
 * fluxes, boundary rules and their completeness are checked here; functions, operators' arguments, variants, `exchange`
 * and slices are expanded here. What remains is a module of equations (ir/ir.h). */
#ifndef DSLC_SEMA_SEMA_H
#define DSLC_SEMA_SEMA_H

#include "base/diag.h"
#include "front/ast.h"
#include "ir/ir.h"

typedef struct sema_setting { /* variant = choice */
  const char *name, *value;
} sema_setting;

typedef struct sema_options {
  int dims; /* for `on mesh(D)` and `on grid(D)` */
  int n_variants;
  const sema_setting *variant;
  bool periodic; /* the mesh has periodic sides */
  bool quiet;    /* no warnings and notes: they were given for another combination of variants */
} sema_options;

typedef struct sema_variant { /* as declared, with what was chosen */
  name text;
  int n_choices;
  name *choice;
  int chosen;
} sema_variant;

/* What the IR does not hold but users and the manifest want to see. */
typedef struct sema_info {
  int n_variants;
  sema_variant *variant;
  bool has_units;
} sema_info;

/* A file whose scheme is a whole (load.h), and the imported files, of which the functions count. */
typedef struct sema_files {
  const ast_file *file;
  const ast_file *const *imports;
  int n_imports;
  const char *path;               /* the scheme's file: imported ones lie beside it */
  const char *const *import_path; /* or in these folders, ended by NULL; or NULL */
} sema_files;

/* Returns NULL if there were errors (reported to the sink). */
ir_module *sema_analyse(arena *a, intern_pool *names, const sema_files *files, const sema_options *options,
                        diag_sink *sink, sema_info *info);

/* Combinations of variants in a scheme, and the choices of one of them: for checking all. */
typedef struct sema_combinations {
  double all;         /* there may be more than an int holds */
  int first, at_once; /* some of them come first, so that each choice occurs: numbers 0 to first - 1; all begin at `first` */
} sema_combinations;
sema_combinations sema_variant_combinations(const ast_file *file);
void sema_variant_combination(const ast_file *file, int index, arena *a, sema_options *options);

#endif
