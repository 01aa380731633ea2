/* Section $Nodes, and the way from a node's tag to its index. */
#include "mesh/gmsh/gmsh_file.h"

#include <stdlib.h>

#include "base/memory.h"

typedef struct gmsh_tag {
  int64_t tag;
  node_id index;
} gmsh_tag;

void gmsh_nodes_free(gmsh_nodes *nodes) {
  free(nodes->x);
  free(nodes->tag);
  free(nodes->where);
  free(nodes->table);
  free(nodes->sorted);
}

/* Room for n more. */
static ew_status reserve(gmsh_file *f, int64_t more) {
  ew_status status = EW_OK;
  gmsh_nodes *nodes = &f->nodes;
  ew_error *err = f->cursor.err;
  size_t need = nodes->n + (size_t)more;
  if (need > INT32_MAX - 2) return gmsh_fail(&f->cursor, "too many nodes: at most %d", INT32_MAX - 2);
  EW_CHECK(ew_reserve((void **)&nodes->x, &nodes->capacity_x, 3 * need, sizeof *nodes->x, err));
  EW_CHECK(ew_reserve((void **)&nodes->tag, &nodes->capacity_tag, need, sizeof *nodes->tag, err));
  EW_CHECK(ew_reserve((void **)&nodes->where, &nodes->capacity_where, need, sizeof *nodes->where, err));
cleanup:
  return status;
}

static ew_status read_point(gmsh_cursor *c, double *x) {
  ew_status status = EW_OK;
  EW_CHECK(gmsh_real(c, "coordinate x of a node", &x[0]));
  EW_CHECK(gmsh_real(c, "coordinate y of a node", &x[1]));
  EW_CHECK(gmsh_real(c, "coordinate z of a node", &x[2]));
cleanup:
  return status;
}

/* Tag and coordinates together, n times: formats 2.x and 4.0. */
static ew_status read_together(gmsh_file *f, int64_t n, int64_t n_parameters) {
  ew_status status = EW_OK;
  gmsh_cursor *c = &f->cursor;
  gmsh_nodes *nodes = &f->nodes;
  EW_CHECK(gmsh_check_count(c, "the number of nodes", n, c->binary ? 28 : 8));
  EW_CHECK(reserve(f, n));
  for (int64_t i = 0; i < n; i++) {
    EW_CHECK(gmsh_int(c, "the number of a node", &nodes->tag[nodes->n]));
    EW_CHECK(read_point(c, nodes->x + 3 * nodes->n));
    nodes->where[nodes->n++] = gmsh_where(c);
    if (n_parameters) EW_CHECK(gmsh_skip_reals(c, "a parametric coordinate", n_parameters));
  }
cleanup:
  return status;
}

/* First all tags, then all coordinates: format 4.1. */
static ew_status read_apart(gmsh_file *f, int64_t n, int64_t n_parameters) {
  ew_status status = EW_OK;
  gmsh_cursor *c = &f->cursor;
  gmsh_nodes *nodes = &f->nodes;
  EW_CHECK(gmsh_check_count(c, "the number of nodes of a block", n, c->binary ? 32 : 8));
  EW_CHECK(reserve(f, n));
  for (size_t i = nodes->n; i < nodes->n + (size_t)n; i++) {
    EW_CHECK(gmsh_size(c, "the number of a node", &nodes->tag[i]));
    nodes->where[i] = gmsh_where(c);
  }
  for (int64_t i = 0; i < n; i++) {
    EW_CHECK(read_point(c, nodes->x + 3 * nodes->n++));
    if (n_parameters) EW_CHECK(gmsh_skip_reals(c, "a parametric coordinate", n_parameters));
  }
cleanup:
  return status;
}

static ew_status read_block(gmsh_file *f) {
  ew_status status = EW_OK;
  gmsh_cursor *c = &f->cursor;
  int64_t a, b, parametric, n;
  EW_CHECK(gmsh_int(c, "the entity of a block of nodes", &a));
  EW_CHECK(gmsh_int(c, "the entity of a block of nodes", &b));
  EW_CHECK(gmsh_int(c, "the parametric flag of a block", &parametric));
  EW_CHECK(gmsh_size(c, "the number of nodes of a block", &n));
  int64_t dim = f->version == GMSH_41 ? a : b;
  if (dim < 0 || dim > 3)
    return gmsh_fail(c, "the entity of a block has dimension %lld; expected 0 to 3", (long long)dim);
  int64_t n_parameters = parametric ? dim : 0;
  EW_CHECK(f->version == GMSH_41 ? read_apart(f, n, n_parameters) : read_together(f, n, n_parameters));
cleanup:
  return status;
}

static ew_status read_blocks(gmsh_file *f) {
  ew_status status = EW_OK;
  gmsh_cursor *c = &f->cursor;
  int64_t n_blocks, n, ignored;
  if (c->binary) gmsh_skip_line(c);
  EW_CHECK(gmsh_size(c, "the number of blocks of nodes", &n_blocks));
  EW_CHECK(gmsh_size(c, "the number of nodes", &n));
  EW_CHECK(gmsh_check_count(c, "the number of nodes", n, 8));
  for (int i = 0; f->version == GMSH_41 && i < 2; i++)
    EW_CHECK(gmsh_size(c, "the range of node numbers", &ignored));
  EW_CHECK(gmsh_check_count(c, "the number of blocks of nodes", n_blocks, 8));
  for (int64_t i = 0; i < n_blocks; i++) EW_CHECK(read_block(f));
  if ((int64_t)f->nodes.n != n)
    return gmsh_fail(c, "%lld nodes are announced, but the blocks hold %zu", (long long)n, f->nodes.n);
cleanup:
  return status;
}

static ew_status read_list(gmsh_file *f) {
  ew_status status = EW_OK;
  gmsh_cursor *c = &f->cursor;
  int64_t n;
  EW_CHECK(gmsh_text_int(c, "the number of nodes", &n));
  if (c->binary) gmsh_skip_line(c);
  EW_CHECK(read_together(f, n, 0));
cleanup:
  return status;
}

static ew_status repeated(gmsh_file *f, size_t first, size_t second) {
  const gmsh_nodes *nodes = &f->nodes;
  size_t later = first > second ? first : second;
  ew_fail(f->cursor.err, EW_INPUT, "node %lld is listed twice; node numbers must differ",
          (long long)nodes->tag[later]);
  gmsh_context(&f->cursor, nodes->where[later]);
  return EW_INPUT;
}

static int compare_tags(const void *pa, const void *pb) {
  const gmsh_tag *a = pa, *b = pb;
  if (a->tag != b->tag) return a->tag < b->tag ? -1 : 1;
  return (a->index > b->index) - (a->index < b->index);
}

static ew_status index_sparse(gmsh_file *f) {
  ew_status status = EW_OK;
  ew_error *err = f->cursor.err;
  gmsh_nodes *nodes = &f->nodes;
  EW_CHECK(EW_NEW(nodes->sorted, nodes->n));
  for (size_t i = 0; i < nodes->n; i++) nodes->sorted[i] = (gmsh_tag){nodes->tag[i], (node_id)i};
  qsort(nodes->sorted, nodes->n, sizeof *nodes->sorted, compare_tags);
  for (size_t i = 1; i < nodes->n; i++)
    if (nodes->sorted[i].tag == nodes->sorted[i - 1].tag)
      return repeated(f, (size_t)nodes->sorted[i].index, (size_t)nodes->sorted[i - 1].index);
cleanup:
  return status;
}

static ew_status index_dense(gmsh_file *f) {
  ew_status status = EW_OK;
  ew_error *err = f->cursor.err;
  gmsh_nodes *nodes = &f->nodes;
  EW_CHECK(EW_NEW(nodes->table, nodes->table_size));
  for (int64_t i = 0; i < nodes->table_size; i++) nodes->table[i] = -1;
  for (size_t i = 0; i < nodes->n; i++) {
    node_id *place = &nodes->table[nodes->tag[i] - nodes->first_tag];
    if (*place >= 0) return repeated(f, (size_t)*place, i);
    *place = (node_id)i;
  }
cleanup:
  return status;
}

static ew_status index_tags(gmsh_file *f) {
  gmsh_nodes *nodes = &f->nodes;
  int64_t low = INT64_MAX, high = INT64_MIN;
  for (size_t i = 0; i < nodes->n; i++) {
    if (nodes->tag[i] < low) low = nodes->tag[i];
    if (nodes->tag[i] > high) high = nodes->tag[i];
  }
  uint64_t span = (uint64_t)high - (uint64_t)low;
  if (!nodes->n || span / 4 > nodes->n) return index_sparse(f);
  nodes->first_tag = low;
  nodes->table_size = (int64_t)span + 1;
  return index_dense(f);
}

node_id gmsh_find_node(const gmsh_nodes *nodes, int64_t tag) {
  if (nodes->table) {
    int64_t high = nodes->first_tag + (nodes->table_size - 1);
    return tag < nodes->first_tag || tag > high ? -1 : nodes->table[tag - nodes->first_tag];
  }
  if (!nodes->n) return -1;
  size_t low = 0, high = nodes->n;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (nodes->sorted[middle].tag < tag) low = middle + 1;
    else high = middle;
  }
  return low < nodes->n && nodes->sorted[low].tag == tag ? nodes->sorted[low].index : -1;
}

ew_status gmsh_read_nodes(gmsh_file *f) {
  ew_status status = EW_OK;
  if (f->nodes.read) return gmsh_fail(&f->cursor, "a second $Nodes");
  f->nodes.read = true;
  EW_CHECK(f->version == GMSH_2 ? read_list(f) : read_blocks(f));
  EW_CHECK(gmsh_end_section(&f->cursor, "Nodes"));
  EW_CHECK(index_tags(f));
cleanup:
  return status;
}
