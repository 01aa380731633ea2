#include <stdlib.h>

#include "formats/atomic_file.h"
#include "report/html.h"
#include "report/parts.h"
#include "page_css.h"
#include "page_js.h"

static void write_head(FILE *out, const run_folder *f) {
  fputs("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n<meta name=\"viewport\" "
        "content=\"width=device-width, initial-scale=1\">\n"
        /* Nothing may be asked of a network, whatever a case's text holds. */
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; img-src data:; style-src "
        "'unsafe-inline'; script-src "
        "'unsafe-inline'\">\n<link rel=\"icon\" href=\"data:,\">\n<title>",
        out);
  html_text(out, run_folder_text(f, "case.name"));
  fprintf(out, "</title>\n<style>\n%s</style></head>\n<body>\n", page_css);
}

static void write_nav(FILE *out, const run_folder *f) {
  fputs("<nav aria-label=\"parts of this page\"><a href=\"#notes\">Warnings</a>", out);
  if (f->n_series > 0) fputs("<a href=\"#pictures\">Pictures</a>", out);
  if (f->n_csv > 0) fputs("<a href=\"#curves\">Histories</a>", out);
  fputs("<a href=\"#costs\">Costs</a><a href=\"#kernels\">Kernels</a><a "
        "href=\"#provenance\">Provenance</a></nav>\n<main>\n",
        out);
}

static ew_status write_page(FILE *out, const run_folder *f, const report_options *options, FILE *said,
                            ew_error *err) {
  ew_status status = EW_OK;
  write_head(out, f);
  page_heading(out, f);
  write_nav(out, f);
  page_notes(out, f);
  EW_CHECK(page_pictures(out, f, options, said, err));
  EW_CHECK(page_curves(out, f, options, err));
  page_costs(out, f);
  page_kernels(out, f);
  page_provenance(out, f);
  fprintf(out, "</main>\n<script>\n%s</script>\n</body></html>\n", page_js);
cleanup:
  return status;
}

static ew_status save(const char *path, const char *text, size_t size, ew_error *err) {
  ew_status status = EW_OK;
  atomic_file *file = NULL;
  EW_CHECK(atomic_file_create(&file, path, err));
  EW_CHECK(atomic_file_write(file, text, size, err));
  EW_CHECK(atomic_file_commit(&file, false, err));
cleanup:
  atomic_file_destroy(&file);
  return status;
}

ew_status report_write(const report_options *options, FILE *said, ew_error *err) {
  run_folder f;
  char *text = NULL;
  size_t size = 0;
  ew_status status = run_folder_open(&f, options->folder, err);
  if (status != EW_OK) return status;
  FILE *out = open_memstream(&text, &size);
  if (!out) status = ew_fail(err, EW_FAIL, "out of memory");
  if (status == EW_OK) status = write_page(out, &f, options, said, err);
  if (out && (fflush(out) != 0 || ferror(out)) && status == EW_OK)
    status = ew_fail(err, EW_FAIL, "out of memory for the page");
  if (out && fclose(out) != 0 && status == EW_OK)
    status = ew_fail(err, EW_FAIL, "out of memory for the page");
  if (status == EW_OK) status = save(options->path, text, size, err);
  free(text);
  run_folder_close(&f);
  return status;
}
