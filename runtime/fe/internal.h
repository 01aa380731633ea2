/* Steps of fe_create. Internal to runtime/fe. */
#ifndef EW_FE_INTERNAL_H
#define EW_FE_INTERNAL_H

#include "fe/fe.h"

/* Numbers of items are rounded up to whole work-groups in 32 bits. */
enum { FE_MOST_EDGES = INT32_MAX - (1 << 16) };

/* Fills n, dof, node. */
ew_status fe_identify(fe_space *s, ew_error *err);
/* Fills around, corner, start, next. */
ew_status fe_connect(fe_space *s, ew_error *err);
/* Gives the dofs other numbers: old_of_new [n]. What fe_connect fills is out of date then. */
ew_status fe_renumber(fe_space *s, const int32_t *old_of_new, ew_error *err);

/* Of two nodes that lie on each other: which one's place is that of both, however they are numbered. */
bool fe_lies_lower(const mesh *m, node_id a, node_id b);

#endif
