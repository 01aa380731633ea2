/* Checkpoints: what is written reads back bit for bit, and whatever happened to a file is told, never a
 * crash. */
#include "test_io_fixture.h"

#include "formats/checkpoint.h"

static const checkpoint_label LABEL[] = {{"mesh", "abc"}, {"scheme", "xyz"}};
static const double REAL[] = {0.1, -0.0, 1e308};
static const int32_t INTEGER[] = {-1, 7};
static const checkpoint_array ARRAY[] = {
    {"h", 3, REAL, NULL}, {"step", 2, NULL, INTEGER}, {"none", 0, NULL, NULL}};
static const checkpoint_content SMALL = {LABEL, 2, ARRAY, 3};

static void write_small(const char *path) {
  ew_error err = {0};
  assert_int_equal(checkpoint_write(path, NULL, &SMALL, &err), EW_OK);
}

static void reads_back_bit_for_bit(void **state) {
  (void)state;
  ew_error err = {0};
  checkpoint *c = NULL;
  double real[3];
  int32_t integer[2];
  write_small("a.ckpt");
  assert_int_equal(checkpoint_read(&c, "a.ckpt", &err), EW_OK);
  assert_string_equal(checkpoint_text(c, "scheme"), "xyz");
  assert_null(checkpoint_text(c, "other"));
  assert_int_equal(checkpoint_reals(c, "h", real, 3, &err), EW_OK);
  assert_memory_equal(real, REAL, sizeof real);
  assert_int_equal(checkpoint_integers(c, "step", integer, 2, &err), EW_OK);
  assert_memory_equal(integer, INTEGER, sizeof integer);
  assert_int_equal(checkpoint_reals(c, "none", NULL, 0, &err), EW_OK);
  checkpoint_destroy(&c);
  assert_null(c);
  checkpoint_destroy(&c);
}

static void a_mismatch_shows_both_values(void **state) {
  (void)state;
  ew_error err = {0};
  checkpoint *c = NULL;
  double real[4];
  write_small("m.ckpt");
  assert_int_equal(checkpoint_read(&c, "m.ckpt", &err), EW_OK);
  assert_int_equal(checkpoint_require(c, "mesh", "abc", &err), EW_OK);
  assert_int_equal(checkpoint_require(c, "mesh", "other", &err), EW_CHECKPOINT);
  assert_string_equal(err.text, "the checkpoint 'm.ckpt' does not fit this run: mesh\n"
                                "  checkpoint: abc\n  this run:   other");
  assert_int_equal(checkpoint_require(c, "precision", "double", &err), EW_CHECKPOINT);
  assert_non_null(strstr(err.text, "checkpoint: (none)"));
  assert_int_equal(checkpoint_reals(c, "h", real, 4, &err), EW_CHECKPOINT);
  assert_non_null(strstr(err.text, "checkpoint: 3 real values\n  this run:   4 real values"));
  assert_int_equal(checkpoint_reals(c, "step", real, 2, &err), EW_CHECKPOINT);
  assert_non_null(strstr(err.text, "checkpoint: 2 integer values\n  this run:   2 real values"));
  assert_int_equal(checkpoint_reals(c, "u", real, 2, &err), EW_CHECKPOINT);
  assert_non_null(strstr(err.text, "has no array 'u'"));
  checkpoint_destroy(&c);
}

static void every_truncation_is_refused(void **state) {
  (void)state;
  size_t size;
  write_small("t.ckpt");
  char *bytes = slurp("t.ckpt", &size);
  for (size_t n = 0; n < size; n++) {
    ew_error err = {0};
    checkpoint *c = NULL;
    spill("cut.ckpt", bytes, n);
    assert_int_equal(checkpoint_read(&c, "cut.ckpt", &err), EW_CHECKPOINT);
    assert_null(c);
    assert_non_null(strstr(err.text, "cut.ckpt"));
  }
  free(bytes);
}

static void every_changed_byte_is_refused(void **state) {
  (void)state;
  size_t size;
  write_small("f.ckpt");
  char *bytes = slurp("f.ckpt", &size);
  for (size_t i = 0; i < size; i++)
    for (int bit = 0; bit < 8; bit += 7) {
      checkpoint *c = NULL;
      bytes[i] ^= (char)(1 << bit);
      spill("flip.ckpt", bytes, size);
      assert_int_equal(checkpoint_read(&c, "flip.ckpt", NULL), EW_CHECKPOINT);
      bytes[i] ^= (char)(1 << bit);
    }
  free(bytes);
}

static void trailing_bytes_are_refused(void **state) {
  (void)state;
  ew_error err = {0};
  checkpoint *c = NULL;
  write_small("l.ckpt");
  FILE *out = fopen("l.ckpt", "ab");
  fputc(0, out);
  fclose(out);
  assert_int_equal(checkpoint_read(&c, "l.ckpt", &err), EW_CHECKPOINT);
  assert_non_null(strstr(err.text, "data after its end"));
}

static void other_versions_and_machines_are_named(void **state) {
  (void)state;
  ew_error err = {0};
  checkpoint *c = NULL;
  size_t size;
  write_small("v.ckpt");
  char *bytes = slurp("v.ckpt", &size);
  bytes[8] = 9;
  spill("v.ckpt", bytes, size);
  assert_int_equal(checkpoint_read(&c, "v.ckpt", &err), EW_CHECKPOINT);
  assert_non_null(strstr(err.text, "format version 9, this program reads version 1"));
  memcpy(bytes + 12, "\x01\x02\x03\x04", 4);
  spill("v.ckpt", bytes, size);
  assert_int_equal(checkpoint_read(&c, "v.ckpt", &err), EW_CHECKPOINT);
  assert_non_null(strstr(err.text, "mark 0x04030201, this machine expects 0x01020304"));
  free(bytes);
}

static void missing_files_and_folders_are_io_errors(void **state) {
  (void)state;
  ew_error err = {0};
  checkpoint *c = NULL;
  assert_int_equal(checkpoint_read(&c, "nowhere.ckpt", &err), EW_IO);
  assert_non_null(strstr(err.text, "nowhere.ckpt': No such file"));
  assert_int_equal(checkpoint_read(&c, ".", &err), EW_IO);
  assert_int_equal(checkpoint_write("nowhere/a.ckpt", NULL, &SMALL, &err), EW_IO);
  assert_non_null(strstr(err.text, "does its folder exist?"));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(reads_back_bit_for_bit),
      cmocka_unit_test(a_mismatch_shows_both_values),
      cmocka_unit_test(every_truncation_is_refused),
      cmocka_unit_test(every_changed_byte_is_refused),
      cmocka_unit_test(trailing_bytes_are_refused),
      cmocka_unit_test(other_versions_and_machines_are_named),
      cmocka_unit_test(missing_files_and_folders_are_io_errors),
  };
  return cmocka_run_group_tests_name("io_checkpoint", tests, enter_scratch, leave_scratch);
}
