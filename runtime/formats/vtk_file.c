#include "formats/vtk_file.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "formats/atomic_file.h"
#include "formats/xml_text.h"

enum {
  BLOCK_BYTES = 32768,
  PACKED_BYTES = BLOCK_BYTES + BLOCK_BYTES / 1000 + 64, /* zlib's bound for incompressible data */
  OFFSET_FIELD = 31                                     /* offset="18446744073709551615" and some spaces */
};

/* The time a run waits for output counts more than the last few per cent of its size. */
static const int COMPRESSION = Z_BEST_SPEED;

typedef struct pending {
  vtk_source source;
  uint64_t offset_at; /* where the array's offset attribute is to be filled in */
} pending;

struct vtk_file {
  atomic_file *out;
  const char *kind;
  pending *array;
  size_t n_arrays;
  unsigned char block[BLOCK_BYTES], packed[PACKED_BYTES];
};

static const char *const TYPE_NAME[] = {"UInt8", "Int32", "Float32", "Float64"};
static const size_t TYPE_BYTES[] = {1, 4, 4, 8};

static bool little_endian(void) {
  const uint16_t one = 1;
  unsigned char first;
  memcpy(&first, &one, 1);
  return first == 1;
}

static ew_status print_start(vtk_file *file, const char *attributes, double time, ew_error *err) {
  return atomic_file_print(
      file->out, err,
      "<?xml version=\"1.0\"?>\n"
      "<VTKFile type=\"%s\" version=\"1.0\" byte_order=\"%s\" header_type=\"UInt64\" "
      "compressor=\"vtkZLibDataCompressor\">\n"
      "<%s%s>\n"
      "<FieldData>\n"
      "<DataArray type=\"Float64\" Name=\"TimeValue\" NumberOfTuples=\"1\" format=\"ascii\">"
      "%.17g</DataArray>\n"
      "</FieldData>\n",
      file->kind, little_endian() ? "LittleEndian" : "BigEndian", file->kind, attributes, time);
}

ew_status vtk_file_create(vtk_file **out, const char *path, const char *kind, const char *attributes,
                          double time, ew_error *err) {
  ew_status status;
  vtk_file *file = *out = calloc(1, sizeof **out);
  if (!file) return ew_fail(err, EW_FAIL, "out of memory while opening '%s'", path);
  file->kind = kind;
  EW_CHECK(atomic_file_create(&file->out, path, err));
  EW_CHECK(print_start(file, attributes, time, err));
cleanup:
  if (status != EW_OK) vtk_file_destroy(out);
  return status;
}

void vtk_file_destroy(vtk_file **file) {
  if (!*file) return;
  atomic_file_destroy(&(*file)->out);
  free((*file)->array);
  free(*file);
  *file = NULL;
}

ew_status vtk_file_text(vtk_file *file, ew_error *err, const char *fmt, ...) {
  char text[1024];
  va_list args;
  va_start(args, fmt);
  int n = vsnprintf(text, sizeof text, fmt, args);
  va_end(args);
  if (n < 0 || (size_t)n >= sizeof text) return ew_fail(err, EW_INTERNAL, "VTK markup longer than a line");
  return atomic_file_write(file->out, text, (size_t)n, err);
}

static ew_status remember(vtk_file *file, const vtk_source *source, ew_error *err) {
  pending *array = realloc(file->array, (file->n_arrays + 1) * sizeof *array);
  if (!array) return ew_fail(err, EW_FAIL, "out of memory for the output's list of arrays");
  file->array = array;
  array[file->n_arrays++] = (pending){*source, atomic_file_size(file->out)};
  return EW_OK;
}

ew_status vtk_file_array(vtk_file *file, const vtk_source *source, ew_error *err) {
  ew_status status;
  char *name = xml_escape(source->name ? source->name : "");
  if (!name) return ew_fail(err, EW_FAIL, "out of memory for the name of an output array");
  EW_CHECK(atomic_file_print(file->out, err, "<DataArray type=\"%s\"", TYPE_NAME[source->in_file]));
  if (source->name) EW_CHECK(atomic_file_print(file->out, err, " Name=\"%s\"", name));
  EW_CHECK(atomic_file_print(file->out, err, " NumberOfComponents=\"%d\" format=\"appended\" ", source->to));
  EW_CHECK(remember(file, source, err));
  EW_CHECK(atomic_file_print(file->out, err, "%*s/>\n", OFFSET_FIELD, ""));
cleanup:
  free(name);
  return status;
}

static double value_in_memory(const vtk_source *s, size_t i) {
  switch (s->in_memory) {
  case VTK_U8: return ((const uint8_t *)s->data)[i];
  case VTK_I32: return ((const int32_t *)s->data)[i];
  case VTK_F32: return ((const float *)s->data)[i];
  case VTK_F64: return ((const double *)s->data)[i];
  }
  return 0;
}

/* Value number i of the file. A double holds every 8- and 32-bit integer exactly. */
static double value_in_file(const vtk_source *s, size_t i) {
  size_t point = i / (size_t)s->to, component = i % (size_t)s->to;
  if (component < (size_t)s->from) return value_in_memory(s, point * (size_t)s->from + component);
  return s->last && component + 1 == (size_t)s->to ? s->last[point] : 0.0;
}

static void store(unsigned char *to, vtk_type type, double value) {
  uint8_t u8;
  int32_t i32;
  float f32;
  switch (type) {
  case VTK_U8: u8 = (uint8_t)value, memcpy(to, &u8, sizeof u8); break;
  case VTK_I32: i32 = (int32_t)value, memcpy(to, &i32, sizeof i32); break;
  case VTK_F32: f32 = (float)value, memcpy(to, &f32, sizeof f32); break;
  case VTK_F64: memcpy(to, &value, sizeof value); break;
  }
}

/* The bytes of the file's values [first, first + n): in place where the memory has that form, else by
 * conversion. */
static const void *block_bytes(vtk_file *file, const vtk_source *s, size_t first, size_t n) {
  size_t bytes = TYPE_BYTES[s->in_file];
  if (s->in_memory == s->in_file && s->from == s->to) return (const unsigned char *)s->data + first * bytes;
  for (size_t i = 0; i < n; i++) store(file->block + i * bytes, s->in_file, value_in_file(s, first + i));
  return file->block;
}

static ew_status write_block(vtk_file *file, const vtk_source *s, size_t first, size_t n,
                             uint64_t *packed_size, ew_error *err) {
  uLongf size = PACKED_BYTES;
  const void *bytes = block_bytes(file, s, first, n);
  int rc = compress2(file->packed, &size, bytes, (uLong)(n * TYPE_BYTES[s->in_file]), COMPRESSION);
  if (rc != Z_OK) return ew_fail(err, EW_FAIL, "zlib could not compress output: %s", zError(rc));
  *packed_size = size;
  return atomic_file_write(file->out, file->packed, size, err);
}

/* [blocks, bytes of a block, bytes of a last partial block or 0, compressed bytes of each...], then the
 * blocks. */
static ew_status write_array(vtk_file *file, const vtk_source *s, ew_error *err) {
  size_t in_block = BLOCK_BYTES / TYPE_BYTES[s->in_file], n_values = s->count * (size_t)s->to;
  size_t n_blocks = (n_values + in_block - 1) / in_block, header_size = (3 + n_blocks) * sizeof(uint64_t);
  uint64_t *header = calloc(3 + n_blocks, sizeof *header), at = atomic_file_size(file->out);
  ew_status status;
  if (!header) return ew_fail(err, EW_FAIL, "out of memory for the output's block sizes");
  header[0] = n_blocks;
  header[1] = BLOCK_BYTES;
  header[2] = n_values % in_block * TYPE_BYTES[s->in_file];
  EW_CHECK(atomic_file_write(file->out, header, header_size, err));
  for (size_t b = 0; b < n_blocks; b++) {
    size_t first = b * in_block, n = n_values - first < in_block ? n_values - first : in_block;
    EW_CHECK(write_block(file, s, first, n, &header[3 + b], err));
  }
  status = atomic_file_patch(file->out, at, header, header_size, err);
cleanup:
  free(header);
  return status;
}

static ew_status patch_offset(vtk_file *file, const pending *array, uint64_t offset, ew_error *err) {
  char text[OFFSET_FIELD + 1];
  int n = snprintf(text, sizeof text, "offset=\"%llu\"", (unsigned long long)offset);
  return atomic_file_patch(file->out, array->offset_at, text, (size_t)n, err);
}

ew_status vtk_file_commit(vtk_file **file, bool sync, ew_error *err) {
  vtk_file *f = *file;
  ew_status status;
  EW_CHECK(atomic_file_print(f->out, err, "</%s>\n<AppendedData encoding=\"raw\">\n_", f->kind));
  uint64_t start = atomic_file_size(f->out);
  for (size_t i = 0; i < f->n_arrays; i++) {
    EW_CHECK(patch_offset(f, &f->array[i], atomic_file_size(f->out) - start, err));
    EW_CHECK(write_array(f, &f->array[i].source, err));
  }
  EW_CHECK(atomic_file_print(f->out, err, "\n</AppendedData>\n</VTKFile>\n"));
  status = atomic_file_commit(&f->out, sync, err);
cleanup:
  vtk_file_destroy(file);
  return status;
}
