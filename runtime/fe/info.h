/* Figures of a mesh's node graph, for people. */
#ifndef EW_FE_INFO_H
#define EW_FE_INFO_H

#include <stdio.h>

#include "fe/fe.h"

typedef struct fe_info {
  int32_t n_unknowns, n_edges; /* directed */
  int32_t least_neighbours, most_neighbours;
  int32_t bandwidth, bandwidth_rcm;
  int32_t n_obtuse; /* edges with a positive entry of the Laplacian */
  int32_t n_parts;
} fe_info;

/* EW_INPUT: cells that are no simplices. */
ew_status fe_info_create(const mesh *m, fe_info *out, ew_error *err);
void fe_info_print(const fe_info *info, FILE *out);

#endif
