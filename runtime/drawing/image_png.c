#include <setjmp.h>
#include <stdio.h>

#include <png.h>

#include "formats/atomic_file.h"
#include "drawing/image.h"

/* What libpng's callbacks need; it leaves by longjmp, so nothing is freed between png_create and png_destroy.
 */
typedef struct sink {
  atomic_file *out;
  ew_status status;
  ew_error *err;
} sink;

static void on_write(png_structp png, png_bytep data, png_size_t size) {
  sink *s = png_get_io_ptr(png);
  s->status = atomic_file_write(s->out, data, size, s->err);
  if (s->status != EW_OK) png_error(png, "write failed");
}

static void on_flush(png_structp png) { (void)png; }

static void on_error(png_structp png, png_const_charp message) {
  sink *s = png_get_error_ptr(png);
  if (s->status == EW_OK) s->status = ew_fail(s->err, EW_FAIL, "libpng: %s", message);
  png_longjmp(png, 1);
}

static void on_warning(png_structp png, png_const_charp message) { (void)png, (void)message; }

static void encode(png_structp png, png_infop info, const image *im) {
  png_set_IHDR(png, info, (png_uint_32)im->width, (png_uint_32)im->height, 8, PNG_COLOR_TYPE_RGB,
               PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
  png_set_sRGB(png, info, PNG_sRGB_INTENT_PERCEPTUAL);
  png_write_info(png, info);
  for (int j = 0; j < im->height; j++)
    png_write_row(png, (png_const_bytep)&im->pixel[(size_t)j * (size_t)im->width]);
  png_write_end(png, info);
}

static ew_status write_png(const image *im, sink *s) {
  png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, s, on_error, on_warning);
  png_infop info = png ? png_create_info_struct(png) : NULL;
  if (!info) {
    png_destroy_write_struct(&png, NULL);
    return ew_fail(s->err, EW_FAIL, "out of memory while writing a picture");
  }
  if (setjmp(png_jmpbuf(png)) == 0) {
    png_set_write_fn(png, s, on_write, on_flush);
    encode(png, info, im);
  }
  png_destroy_write_struct(&png, &info);
  return s->status;
}

ew_status image_write_png(const image *im, const char *path, ew_error *err) {
  ew_status status;
  sink s = {.status = EW_OK, .err = err};
  EW_CHECK(atomic_file_create(&s.out, path, err));
  EW_CHECK(write_png(im, &s));
  status = atomic_file_commit(&s.out, false, err);
cleanup:
  atomic_file_destroy(&s.out);
  return status;
}
