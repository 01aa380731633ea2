/* The kernels of a run that was measured (`edgewise run --profile`): a table, and how near the device's roofs each comes.
 * Source of the picture: Williams, Waterman, Patterson, Roofline, CACM 52 (2009). */
#include <cJSON.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "report/chart.h"
#include "report/html.h"
#include "report/parts.h"

enum { MOST_KERNELS = 200 };

typedef struct kernel_row {
  const char *name, *what;
  double launches, seconds, bytes, flops;
} kernel_row;

static double number_of(const cJSON *of, const char *key) {
  const cJSON *v = cJSON_GetObjectItemCaseSensitive(of, key);
  return cJSON_IsNumber(v) ? v->valuedouble : NAN;
}

/* Objects by the kernels' names, or a list of objects with names. */
static int read_rows(const cJSON *all, kernel_row *row, double *seconds) {
  const cJSON *one = NULL;
  int n = 0;
  *seconds = 0;
  cJSON_ArrayForEach(one, all) {
    const cJSON *what = cJSON_GetObjectItemCaseSensitive(one, "computes");
    if (!cJSON_IsObject(one) || n == MOST_KERNELS) continue;
    const char *name = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(one, "name"));
    row[n] = (kernel_row){.name = one->string ? one->string
                                  : name      ? name
                                              : "",
                          .what = cJSON_IsString(what) ? what->valuestring : "",
                          .launches = number_of(one, "launches"),
                          .seconds = number_of(one, "seconds"),
                          .bytes = number_of(one, "bytes"),
                          .flops = number_of(one, "flops")};
    if (isfinite(row[n].seconds)) *seconds += row[n].seconds;
    n++;
  }
  return n;
}

static void cell(FILE *out, double value) {
  fputs("<td>", out);
  html_figure(out, value);
  fputs("</td>", out);
}

static void write_table(FILE *out, const kernel_row *row, int n, double seconds, double triad) {
  fputs("<div class=\"wide\" tabindex=\"0\"><table><caption>Kernels, as measured; bytes: compulsory "
        "traffic</caption>\n<thead><tr><th>kernel</th>"
        "<th>launches</th><th>ms</th><th>%</th><th>GB/s</th><th>of triad</th><th>GFlop/s</th><th "
        "class=\"text\">computes</th></tr></thead>"
        "<tbody>\n",
        out);
  for (int i = 0; i < n; i++) {
    double gbs = 1e-9 * row[i].bytes / row[i].seconds;
    fputs("<tr><th>", out);
    html_text(out, row[i].name);
    fputs("</th>", out);
    cell(out, row[i].launches);
    cell(out, 1e3 * row[i].seconds);
    cell(out, 100 * row[i].seconds / seconds);
    cell(out, gbs);
    cell(out, triad > 0 ? gbs / triad : NAN);
    cell(out, 1e-9 * row[i].flops / row[i].seconds);
    fputs("<td class=\"text\">", out);
    html_words(out, row[i].what);
    fputs("</td></tr>\n", out);
  }
  fputs("</tbody></table></div>\n", out);
}

/* Points at flops a byte and Gflop/s; the roof from the intensity where memory ends it to where arithmetic does. */
static void write_roofs(FILE *out, const kernel_row *row, int n, double triad, double peak) {
  chart_curve curve[CHART_STYLES + 1];
  double x[CHART_STYLES], y[CHART_STYLES], roof_x[3], roof_y[3];
  int shown = 0;
  double low = INFINITY, high = 0;
  for (int i = 0; i < n && shown < CHART_STYLES - 1; i++) {
    if (!(row[i].flops > 0) || !(row[i].bytes > 0) || !(row[i].seconds > 0)) continue;
    x[shown] = row[i].flops / row[i].bytes;
    y[shown] = 1e-9 * row[i].flops / row[i].seconds;
    low = fmin(low, x[shown]);
    high = fmax(high, x[shown]);
    curve[shown + 1] = (chart_curve){row[i].name, &x[shown], &y[shown], 1, shown + 1, true};
    shown++;
  }
  if (shown == 0 || !(triad > 0) || !(peak > 0)) return;
  double ridge = peak / triad;
  roof_x[0] = fmin(low, ridge) / 2;
  roof_x[1] = ridge;
  roof_x[2] = fmax(high, ridge) * 2;
  for (int i = 0; i < 3; i++) roof_y[i] = fmin(peak, roof_x[i] * triad);
  curve[0] =
      (chart_curve){"the device's roofs, measured: triad, fused multiply-adds", roof_x, roof_y, 3, 0, false};
  chart c = {"Roofline of the kernels", "flop/B", "Gflop/s", true, true, shown + 1, curve};
  chart_write(out, &c);
}

int page_roofline(FILE *out, const cJSON *kernels, double triad, double peak) {
  kernel_row row[MOST_KERNELS];
  double seconds;
  const int n = read_rows(kernels, row, &seconds);
  if (n == 0) return 0;
  write_table(out, row, n, seconds, triad);
  write_roofs(out, row, n, triad, peak);
  return n;
}

void page_kernels(FILE *out, const run_folder *f) {
  fputs("<section id=\"kernels\"><h2>Kernels</h2>\n", out);
  if (page_roofline(out, run_folder_value(f, "kernels"), run_folder_number(f, "roofs.triad_gbs"),
                    run_folder_number(f, "roofs.fma_gflops")) == 0)
    fputs("<p class=\"quiet\">Not measured: <code>edgewise run --profile</code> does.</p>\n", out);
  fputs("</section>\n", out);
}
