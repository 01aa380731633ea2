#include <stdbool.h>
#include <stdlib.h>

#include "formats/atomic_file.h"
#include "report/html.h"
#include "report/parts.h"
#include "page_css.h"
#include "page_js.h"

static void write_head(FILE *out, const char *title) {
  fputs("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n<meta name=\"viewport\" "
        "content=\"width=device-width, initial-scale=1\">\n"
        /* Nothing may be asked of a network, whatever a case's text holds. */
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; img-src data:; style-src "
        "'unsafe-inline'; script-src "
        "'unsafe-inline'\">\n<link rel=\"icon\" href=\"data:,\">\n<title>",
        out);
  html_text(out, title);
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

static ew_status write_page(FILE *out, const page *p, ew_error *err) {
  write_head(out, p->title);
  const ew_status status = p->write(out, p->data, err);
  fprintf(out, "</main>\n<script>\n%s</script>\n</body></html>\n", page_js);
  return status;
}

ew_status page_save(const page *p, ew_error *err) {
  ew_status status = EW_OK;
  atomic_file *file = NULL;
  EW_CHECK(atomic_file_create(&file, p->path, err));
  EW_CHECK(write_page(atomic_file_stream(file), p, err));
  EW_CHECK(atomic_file_commit(&file, false, err));
cleanup:
  atomic_file_destroy(&file);
  return status;
}

/* ---- of a run ------------------------------------------------------------------------------------------------------ */

typedef struct run_page {
  const run_folder *folder;
  const report_options *options;
  FILE *said;
} run_page;

static ew_status write_run(FILE *out, const void *data, ew_error *err) {
  ew_status status = EW_OK;
  const run_page *p = data;
  page_heading(out, p->folder);
  write_nav(out, p->folder);
  page_notes(out, p->folder);
  EW_CHECK(page_pictures(out, p->folder, p->options, p->said, err));
  EW_CHECK(page_curves(out, p->folder, p->options, p->said, err));
  page_costs(out, p->folder);
  page_kernels(out, p->folder);
  page_provenance(out, p->folder);
cleanup:
  return status;
}

ew_status report_write(const report_options *options, FILE *said, ew_error *err) {
  run_folder f;
  ew_status status = run_folder_open(&f, options->folder, err);
  if (status != EW_OK) return status;
  const run_page data = {&f, options, said};
  status = page_save(&(page){options->path, run_folder_text(&f, "case.name"), write_run, &data}, err);
  run_folder_close(&f);
  return status;
}
