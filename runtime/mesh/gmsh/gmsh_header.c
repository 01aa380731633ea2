/* Sections $MeshFormat and $PhysicalNames. */
#include "mesh/gmsh/gmsh_file.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

static ew_status set_version(gmsh_file *f, double version) {
  if (version >= 2 && version < 2.3) f->version = GMSH_2;
  else if (version == 4.0) f->version = GMSH_40;
  else if (version == 4.1) f->version = GMSH_41;
  else
    return gmsh_fail(
        &f->cursor,
        "Gmsh format %g is not known; save as 2.2, 4.0 or 4.1 (gmsh -format msh41, or File > Export)",
        version);
  return EW_OK;
}

/* The int 1 that binary files start with shows their byte order. */
static ew_status read_byte_order(gmsh_cursor *c) {
  ew_status status = EW_OK;
  int64_t one;
  gmsh_skip_line(c);
  EW_CHECK(gmsh_int(c, "the integer 1 that shows the byte order", &one));
  if (one == 1) return EW_OK;
  if (one != 0x01000000)
    return gmsh_fail(c, "the integer that shows the byte order is %lld; expected 1", (long long)one);
  c->swap = true;
cleanup:
  return status;
}

ew_status gmsh_read_format(gmsh_file *f) {
  ew_status status = EW_OK;
  gmsh_cursor *c = &f->cursor;
  double version;
  int64_t binary, data_size;
  if (f->has_format) return gmsh_fail(c, "a second $MeshFormat");
  EW_CHECK(gmsh_text_real(c, "the version of the format", &version));
  EW_CHECK(set_version(f, version));
  EW_CHECK(gmsh_text_int(c, "the file type (0 ASCII, 1 binary)", &binary));
  EW_CHECK(gmsh_text_int(c, "the size of a real number", &data_size));
  if (binary != 0 && binary != 1)
    return gmsh_fail(c, "the file type is %lld; expected 0 (ASCII) or 1 (binary)", (long long)binary);
  if (data_size != 8) return gmsh_fail(c, "real numbers of %lld bytes; expected 8", (long long)data_size);
  c->binary = binary == 1;
  if (c->binary) EW_CHECK(read_byte_order(c));
  EW_CHECK(gmsh_end_section(c, "MeshFormat"));
  f->has_format = true;
cleanup:
  return status;
}

/* "DIM TAG "NAME"", as text in every kind of file. */
static ew_status read_name(gmsh_file *f) {
  ew_status status = EW_OK;
  gmsh_cursor *c = &f->cursor;
  ew_error *err = c->err;
  int64_t dim, tag;
  char text[256];
  EW_CHECK(gmsh_text_int(c, "the dimension of a physical group", &dim));
  EW_CHECK(gmsh_text_int(c, "the tag of a physical group", &tag));
  EW_CHECK(gmsh_text_quoted(c, "the name of a physical group", text, sizeof text));
  if (dim < 0 || dim > 3)
    return gmsh_fail(c, "physical group \"%s\" has dimension %lld; expected 0 to 3", text, (long long)dim);
  if (tag < 1 || tag > INT32_MAX)
    return gmsh_fail(c, "physical group \"%s\" has tag %lld; expected 1 or more", text, (long long)tag);
  if (!*text) return EW_OK; /* as good as no name */
  EW_CHECK(ew_reserve((void **)&f->group, &f->capacity_groups, f->n_groups + 1, sizeof *f->group, err));
  gmsh_group group = {(int)dim, (int32_t)tag, ew_copy_text(text, err)};
  if (!group.name) return EW_FAIL;
  f->group[f->n_groups++] = group;
cleanup:
  return status;
}

ew_status gmsh_read_names(gmsh_file *f) {
  ew_status status = EW_OK;
  gmsh_cursor *c = &f->cursor;
  int64_t n;
  EW_CHECK(gmsh_text_int(c, "the number of physical names", &n));
  EW_CHECK(gmsh_check_count(c, "the number of physical names", n, 6));
  for (int64_t i = 0; i < n; i++) EW_CHECK(read_name(f));
  EW_CHECK(gmsh_end_section(c, "PhysicalNames"));
cleanup:
  return status;
}
