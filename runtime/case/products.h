/* What a case has followed while it runs - greatest depths, times of arrival, discharges through sections - as an extension of its
 * scheme, which the compiler checks, places and computes like any other part of it. So a product needs no kernel of its own and no
 * transfer, works for every scheme, and checkpoints hold it. Internal to the runtime.
 *
 * Per product p of the formula e:  p_now = e;  a state p_before, of all states up to the last step's start;  p, of both. The step begins
 * with p_before = p. A section s gets a given s_section at faces, the equation s_leaves and the global s. */
#ifndef EW_CASE_PRODUCTS_H
#define EW_CASE_PRODUCTS_H

#include "case/case.h"
#include "mesh/mesh.h"

/* Adds the values that those states and givens have at the start to the case. To be called once, when the case is read. */
ew_status case_products_values(ew_case *c, ew_error *err);

/* The text of the extension; NULL: there is nothing to add. The caller frees it. */
ew_status case_products_text(const ew_case *c, char **text, ew_error *err);

/* Which item of the case the text's line comes from, as `product 'deepest'`, and where it stands there; NULL: from none. */
const char *case_products_owner(const ew_case *c, const char *text, int line, char *owner, size_t size, case_where *at);

/* Is the field a state that only serves a product? Files do not show it unless it is asked for. */
bool case_is_inner_state(const ew_case *c, const char *field);
bool case_is_product(const ew_case *c, const char *field);
/* Is it in files and probes where no field is named? Products are, and states but those. */
bool case_shows_unasked(const ew_case *c, const char *field, bool is_state);

/* Vectors [n_faces * width] at the faces, along the normal: half of it at each face whose cells' centres the line parts, against it where
 * the line is crossed the other way, all of it at the boundary. The sum over all cells and their faces of (outward flux) * (outward normal
 * . vector) is then what crosses the line, to rounding errors, however coarse the mesh. A centre on the line belongs to one side of all of it:
 * where the line is straight to its left. Returns how many faces it crosses. */
face_id case_section_fill(const case_section *s, const mesh *m, size_t width, double *values);

#endif
