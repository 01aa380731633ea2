/* Section $Elements. */
#include "mesh/gmsh/gmsh_file.h"

#include <stdlib.h>

#include "base/memory.h"

static ew_status check_type(const gmsh_cursor *c, int64_t number, const gmsh_type **type) {
  *type = gmsh_type_of(number);
  if (*type) return EW_OK;
  const char *name = gmsh_higher_order_name(number);
  if (name)
    return gmsh_fail(c,
                     "element type %lld (%s) is of higher order; save with order 1 (Mesh.ElementOrder = 1, "
                     "or gmsh -order 1)",
                     (long long)number, name);
  return gmsh_fail(c,
                   "element type %lld is not known; expected lines, triangles, quadrangles, tetrahedra, "
                   "hexahedra, prisms or pyramids",
                   (long long)number);
}

/* Reads the nodes of one element and keeps it. `size_tags`: node numbers take 8 bytes (4.1), else 4. */
static ew_status read_element(gmsh_file *f, const gmsh_type *type, gmsh_element element, bool size_tags) {
  ew_status status = EW_OK;
  gmsh_cursor *c = &f->cursor;
  ew_error *err = c->err;
  gmsh_elements *e = &f->elements[type->dim];
  EW_CHECK(ew_reserve((void **)&e->element, &e->capacity, e->n + 1, sizeof element, err));
  EW_CHECK(ew_reserve((void **)&e->node, &e->capacity_nodes, e->n_nodes + (size_t)type->n_nodes,
                      sizeof *e->node, err));
  for (int i = 0; i < type->n_nodes; i++) {
    int64_t tag;
    EW_CHECK(size_tags ? gmsh_size(c, "a node of an element", &tag)
                       : gmsh_int(c, "a node of an element", &tag));
    node_id node = gmsh_find_node(&f->nodes, tag);
    if (node < 0)
      return gmsh_fail(c, "%s %lld refers to node %lld, which $Nodes does not list", type->name,
                       (long long)element.tag, (long long)tag);
    e->node[e->n_nodes + (size_t)i] = node;
  }
  if (type->dim == 0) return EW_OK;
  e->n_nodes += (size_t)type->n_nodes;
  e->element[e->n++] = element;
cleanup:
  return status;
}

static ew_status set_group(const gmsh_cursor *c, int64_t tag, gmsh_element *element) {
  if (tag < -INT32_MAX || tag > INT32_MAX)
    return gmsh_fail(c, "physical tag %lld is out of range", (long long)tag);
  element->group = (int32_t)(tag < 0 ? -tag : tag);
  return EW_OK;
}

/* Formats 2.x: the first of an element's tags is its physical group, the others are not needed. */
static ew_status read_tags(gmsh_cursor *c, int64_t n_tags, gmsh_element *element) {
  ew_status status = EW_OK;
  int64_t tag;
  if (n_tags < 1) return EW_OK;
  EW_CHECK(gmsh_int(c, "the physical group of an element", &tag));
  EW_CHECK(set_group(c, tag, element));
  EW_CHECK(gmsh_skip_ints(c, "the tags of an element", n_tags - 1));
cleanup:
  return status;
}

static ew_status check_tag_count(const gmsh_cursor *c, int64_t n_tags) {
  return gmsh_check_count(c, "the number of tags of an element", n_tags, c->binary ? 4 : 2);
}

static ew_status read_text_element(gmsh_file *f) {
  ew_status status = EW_OK;
  gmsh_cursor *c = &f->cursor;
  const gmsh_type *type;
  gmsh_element element = {0};
  int64_t number, n_tags;
  EW_CHECK(gmsh_text_int(c, "the number of an element", &element.tag));
  element.where = gmsh_where(c);
  EW_CHECK(gmsh_text_int(c, "the type of an element", &number));
  EW_CHECK(check_type(c, number, &type));
  element.type = (int32_t)number;
  EW_CHECK(gmsh_text_int(c, "the number of tags of an element", &n_tags));
  EW_CHECK(check_tag_count(c, n_tags));
  EW_CHECK(read_tags(c, n_tags, &element));
  EW_CHECK(read_element(f, type, element, false));
cleanup:
  return status;
}

/* A run of elements with one type and one number of tags; returns how many it held. */
static ew_status read_binary_run(gmsh_file *f, int64_t *n_run) {
  ew_status status = EW_OK;
  gmsh_cursor *c = &f->cursor;
  const gmsh_type *type;
  int64_t number, n_tags;
  EW_CHECK(gmsh_int(c, "the type of a run of elements", &number));
  EW_CHECK(check_type(c, number, &type));
  EW_CHECK(gmsh_int(c, "the number of elements of a run", n_run));
  EW_CHECK(gmsh_int(c, "the number of tags of an element", &n_tags));
  EW_CHECK(check_tag_count(c, n_tags));
  EW_CHECK(gmsh_check_count(c, "the number of elements of a run", *n_run,
                            4 * (size_t)(1 + n_tags + type->n_nodes)));
  for (int64_t i = 0; i < *n_run; i++) {
    gmsh_element element = {.type = (int32_t)number, .where = gmsh_where(c)};
    EW_CHECK(gmsh_int(c, "the number of an element", &element.tag));
    EW_CHECK(read_tags(c, n_tags, &element));
    EW_CHECK(read_element(f, type, element, false));
  }
cleanup:
  return status;
}

static ew_status read_list(gmsh_file *f) {
  ew_status status = EW_OK;
  gmsh_cursor *c = &f->cursor;
  int64_t n, n_run = 1;
  EW_CHECK(gmsh_text_int(c, "the number of elements", &n));
  if (c->binary) gmsh_skip_line(c);
  EW_CHECK(gmsh_check_count(c, "the number of elements", n, 8));
  for (int64_t done = 0; done < n; done += n_run) {
    EW_CHECK(c->binary ? read_binary_run(f, &n_run) : read_text_element(f));
    if (n_run < 1 || done + n_run > n)
      return gmsh_fail(c, "a run of %lld elements where %lld are left", (long long)n_run,
                       (long long)(n - done));
  }
cleanup:
  return status;
}

/* Formats 4.x: a block of elements of one type on one entity. */
static ew_status read_block(gmsh_file *f, int64_t *n) {
  ew_status status = EW_OK;
  gmsh_cursor *c = &f->cursor;
  const gmsh_type *type;
  int64_t a, b, number;
  bool wide = f->version == GMSH_41;
  EW_CHECK(gmsh_int(c, "the entity of a block of elements", &a));
  EW_CHECK(gmsh_int(c, "the entity of a block of elements", &b));
  EW_CHECK(gmsh_int(c, "the type of a block of elements", &number));
  EW_CHECK(check_type(c, number, &type));
  EW_CHECK(gmsh_size(c, "the number of elements of a block", n));
  size_t item = (size_t)(1 + type->n_nodes) * (!c->binary ? 2 : wide ? 8 : 4);
  EW_CHECK(gmsh_check_count(c, "the number of elements of a block", *n, item));
  const gmsh_entity *entity = gmsh_find_entity(f, type->dim, wide ? b : a);
  gmsh_element element = {.type = (int32_t)number,
                          .group = entity ? entity->group : 0,
                          .second_group = entity ? entity->second_group : 0};
  for (int64_t i = 0; i < *n; i++) {
    if (c->binary) element.where = gmsh_where(c);
    EW_CHECK(wide ? gmsh_size(c, "the number of an element", &element.tag)
                  : gmsh_int(c, "the number of an element", &element.tag));
    element.where = c->binary ? element.where : gmsh_where(c);
    EW_CHECK(read_element(f, type, element, wide));
  }
cleanup:
  return status;
}

static ew_status read_blocks(gmsh_file *f) {
  ew_status status = EW_OK;
  gmsh_cursor *c = &f->cursor;
  int64_t n_blocks, n, n_block, total = 0, ignored;
  if (c->binary) gmsh_skip_line(c);
  EW_CHECK(gmsh_size(c, "the number of blocks of elements", &n_blocks));
  EW_CHECK(gmsh_size(c, "the number of elements", &n));
  EW_CHECK(gmsh_check_count(c, "the number of elements", n, 4));
  for (int i = 0; f->version == GMSH_41 && i < 2; i++)
    EW_CHECK(gmsh_size(c, "the range of element numbers", &ignored));
  EW_CHECK(gmsh_check_count(c, "the number of blocks of elements", n_blocks, 8));
  gmsh_sort_entities(f);
  for (int64_t i = 0; i < n_blocks; i++, total += n_block) EW_CHECK(read_block(f, &n_block));
  if (total != n)
    return gmsh_fail(c, "%lld elements are announced, but the blocks hold %lld", (long long)n,
                     (long long)total);
cleanup:
  return status;
}

ew_status gmsh_read_elements(gmsh_file *f) {
  ew_status status = EW_OK;
  if (f->has_elements) return gmsh_fail(&f->cursor, "a second $Elements");
  if (!f->nodes.read) return gmsh_fail(&f->cursor, "$Elements comes before $Nodes");
  f->has_elements = true;
  EW_CHECK(f->version == GMSH_2 ? read_list(f) : read_blocks(f));
  EW_CHECK(gmsh_end_section(&f->cursor, "Elements"));
cleanup:
  return status;
}
