/* Sections $Entities and $PartitionedEntities of formats 4.x: which physical groups an entity lies in. Boxes
 * and bounding entities are skipped. */
#include "mesh/gmsh/gmsh_file.h"

#include <stdlib.h>

#include "base/memory.h"

static ew_status read_groups(gmsh_cursor *c, gmsh_entity *e) {
  ew_status status = EW_OK;
  int64_t n, tag;
  EW_CHECK(gmsh_size(c, "the number of physical groups of an entity", &n));
  EW_CHECK(gmsh_check_count(c, "the number of physical groups of an entity", n, c->binary ? 4 : 2));
  for (int64_t i = 0; i < n; i++) {
    EW_CHECK(gmsh_int(c, "the tag of a physical group", &tag));
    if (tag < -INT32_MAX || tag > INT32_MAX)
      return gmsh_fail(c, "physical tag %lld is out of range", (long long)tag);
    int32_t group = (int32_t)(tag < 0 ? -tag : tag); /* negative: the group turns the entity round */
    if (i == 0) e->group = group;
    else if (i == 1) e->second_group = group;
  }
cleanup:
  return status;
}

/* Points carry a place in 4.1 and, as all others, a box in 4.0. */
static ew_status read_entity(gmsh_file *f, int dim, bool partitioned, gmsh_entity *e) {
  ew_status status = EW_OK;
  gmsh_cursor *c = &f->cursor;
  int64_t tag, n;
  *e = (gmsh_entity){.dim = dim};
  EW_CHECK(gmsh_int(c, "the tag of an entity", &tag));
  if (tag < -INT32_MAX || tag > INT32_MAX)
    return gmsh_fail(c, "entity tag %lld is out of range", (long long)tag);
  e->tag = (int32_t)tag;
  if (partitioned) {
    EW_CHECK(gmsh_skip_ints(c, "the parent of an entity", 2));
    EW_CHECK(gmsh_size(c, "the number of partitions of an entity", &n));
    EW_CHECK(gmsh_skip_ints(c, "the number of partitions of an entity", n));
  }
  EW_CHECK(gmsh_skip_reals(c, "the box of an entity", dim == 0 && f->version == GMSH_41 ? 3 : 6));
  EW_CHECK(read_groups(c, e));
  if (dim == 0) return EW_OK;
  EW_CHECK(gmsh_size(c, "the number of entities around an entity", &n));
  EW_CHECK(gmsh_skip_ints(c, "the number of entities around an entity", n));
cleanup:
  return status;
}

static ew_status read_list(gmsh_file *f, bool partitioned) {
  ew_status status = EW_OK;
  gmsh_cursor *c = &f->cursor;
  ew_error *err = c->err;
  int64_t n[4];
  for (int dim = 0; dim < 4; dim++) EW_CHECK(gmsh_size(c, "the number of entities", &n[dim]));
  for (int dim = 0; dim < 4; dim++) {
    EW_CHECK(gmsh_check_count(c, "the number of entities", n[dim], c->binary ? 36 : 10));
    for (int64_t i = 0; i < n[dim]; i++) {
      gmsh_entity e;
      EW_CHECK(read_entity(f, dim, partitioned, &e));
      EW_CHECK(ew_reserve((void **)&f->entity, &f->capacity_entities, f->n_entities + 1, sizeof e, err));
      f->entity[f->n_entities++] = e;
    }
  }
cleanup:
  return status;
}

ew_status gmsh_read_entities(gmsh_file *f) {
  ew_status status = EW_OK;
  if (f->cursor.binary) gmsh_skip_line(&f->cursor);
  EW_CHECK(read_list(f, false));
  EW_CHECK(gmsh_end_section(&f->cursor, "Entities"));
cleanup:
  return status;
}

ew_status gmsh_read_partitioned_entities(gmsh_file *f) {
  ew_status status = EW_OK;
  gmsh_cursor *c = &f->cursor;
  int64_t n_partitions, n_ghosts;
  if (c->binary) gmsh_skip_line(c);
  EW_CHECK(gmsh_size(c, "the number of partitions", &n_partitions));
  EW_CHECK(gmsh_size(c, "the number of ghost entities", &n_ghosts));
  EW_CHECK(gmsh_check_count(c, "the number of ghost entities", n_ghosts, c->binary ? 8 : 4));
  EW_CHECK(gmsh_skip_ints(c, "a ghost entity", 2 * n_ghosts));
  EW_CHECK(read_list(f, true));
  EW_CHECK(gmsh_end_section(c, "PartitionedEntities"));
cleanup:
  return status;
}

static int compare_entities(const void *pa, const void *pb) {
  const gmsh_entity *a = pa, *b = pb;
  if (a->dim != b->dim) return a->dim < b->dim ? -1 : 1;
  return (a->tag > b->tag) - (a->tag < b->tag);
}

void gmsh_sort_entities(gmsh_file *f) {
  if (f->n_entities) qsort(f->entity, f->n_entities, sizeof *f->entity, compare_entities);
}

const gmsh_entity *gmsh_find_entity(const gmsh_file *f, int dim, int64_t tag) {
  if (!f->n_entities || tag < INT32_MIN || tag > INT32_MAX) return NULL;
  gmsh_entity wanted = {.dim = dim, .tag = (int32_t)tag};
  return bsearch(&wanted, f->entity, f->n_entities, sizeof wanted, compare_entities);
}
