#include <math.h>
#include <stdbool.h>

#include "base/path.h"
#include "report/html.h"
#include "report/parts.h"

enum { DEFAULT_FRAMES = 40 };

static void write_when(FILE *out, const run_folder *f, int number) {
  double t = number < f->n_times ? f->time[number] : NAN;
  if (isfinite(t)) fprintf(out, "t = %.6g s", t);
  else fprintf(out, "output %d", number);
}

/* The k-th of `shown` out of n, the first and the last among them. */
static int chosen(int k, int shown, int n) {
  return shown < 2 ? n - 1 : (int)((long long)k * (n - 1) / (shown - 1));
}

static ew_status write_frame(FILE *out, const run_folder *f, const folder_series *s, int number, bool last,
                             ew_error *err) {
  char path[EW_PATH];
  snprintf(path, sizeof path, "%s/%s_%04d.png", f->path, s->name, number);
  fprintf(out, "<img%s alt=\"", last ? "" : " hidden");
  html_text(out, s->name);
  fputs(", ", out);
  write_when(out, f, number);
  fputs("\" data-when=\"", out);
  write_when(out, f, number);
  fputs("\" src=\"", out);
  ew_status status = html_data(out, "image/png", path, err);
  fputs("\">\n", out);
  return status;
}

static ew_status write_series(FILE *out, const run_folder *f, const folder_series *s, int most, FILE *said,
                              ew_error *err) {
  ew_status status = EW_OK;
  int shown = s->n < most ? s->n : most;
  char name[256];
  run_folder_name(f, s->name, name, sizeof name);
  fputs("<figure class=\"series\"><figcaption>", out);
  html_text(out, name);
  fputs(": <output>", out);
  write_when(out, f, s->number[s->n - 1]);
  fputs("</output></figcaption>\n", out);
  for (int k = 0; status == EW_OK && k < shown; k++)
    status = write_frame(out, f, s, s->number[chosen(k, shown, s->n)], k == shown - 1, err);
  if (shown > 1) {
    fprintf(out, "<input type=\"range\" min=\"0\" max=\"%d\" value=\"%d\" aria-label=\"time of the picture ",
            shown - 1, shown - 1);
    html_text(out, s->name);
    fputs("\">\n", out);
  }
  if (shown < s->n) {
    fprintf(out, "<p class=\"quiet\">%d of %d pictures; all are in the folder of the run.</p>\n", shown,
            s->n);
    if (said)
      fprintf(said, "note: of '%s' the page holds %d of %d pictures; --frames takes more\n", s->name, shown,
              s->n);
  }
  fputs("</figure>\n", out);
  return status;
}

ew_status page_pictures(FILE *out, const run_folder *f, const report_options *options, FILE *said,
                        ew_error *err) {
  ew_status status = EW_OK;
  if (f->n_series == 0) return EW_OK;
  fputs("<section id=\"pictures\"><h2>Pictures</h2>\n<div class=\"pictures\">\n", out);
  for (int i = 0; status == EW_OK && i < f->n_series; i++)
    status = write_series(out, f, &f->series[i], options->frames > 0 ? options->frames : DEFAULT_FRAMES, said,
                          err);
  fputs("</div></section>\n", out);
  return status;
}
