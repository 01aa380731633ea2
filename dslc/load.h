/* From files to one tree: the scheme, the scheme that it extends, and what it imports. */
#ifndef DSLC_LOAD_H
#define DSLC_LOAD_H

#include "dslc.h"
#include "front/ast.h"

typedef struct loader {
  arena *memory;
  intern_pool *names;
  source_set *sources;
  diag_sink *sink;
  const dslc_options *options;

  VEC(const ast_file *) imports; /* the files whose functions the scheme sees */
  VEC(struct loaded_file *) files;
  struct {
    const char *path; /* of the file that was looked for last, if it is there and cannot be read; else NULL */
    int error;
  } unread;
  VEC(name) making; /* paths, from the scheme down to the one that is being put together */
} loader;

/* The file of the options as it is written, scheme or library, that of the scheme which it extends, and so on: `*n` of them. Functions that come from
 * other files are in `imports`, those of the chain too. NULL: there are errors. */
const ast_file *const *load_chain(loader *l, int *n);

/* The file of the options with its scheme as a whole: extended, names imported. NULL: there are errors. */
const ast_file *load_scheme(loader *l);

#endif
