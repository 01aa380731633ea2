#include "tune/linear.h"

static void print_row(const tune_linear_table *t, const tune_linear_row *r, double triad_gbs, FILE *out) {
  const csr_tuning *g = &r->options.tuning;
  fprintf(out, "%-7s %5d %5d %6d %6d %7d %7d  %-13s", csr_form_name(g->form), 1 << g->group_bits,
          1 << g->rows_bits, g->row_waves, g->vector_waves, g->column_bits, g->kernels,
          csr_method_name(r->options.method));
  if (r->iteration_seconds > 0.0) {
    double rate = t->product_bytes / r->product_seconds * 1e-9;
    fprintf(out, " %10.1f %9.1f", r->product_seconds * 1e6, rate);
    if (triad_gbs > 0.0) fprintf(out, " %6.2f", rate / triad_gbs);
    fprintf(out, " %10.1f", r->iteration_seconds * 1e6);
  }
  fprintf(out, "  %s%s%s\n", tune_verdict_name(r->verdict), r->note[0] ? ": " : "", r->note);
}

void tune_linear_print(const tune_linear_table *t, double triad_gbs, FILE *out) {
  fprintf(out, "%-7s %5s %5s %6s %6s %7s %7s  %-13s %10s %9s%s %10s\n", "form", "items", "rows", "waves",
          "vector", "columns", "kernels", "method", "product us", "GB/s", triad_gbs > 0.0 ? "  triad" : "",
          "us/it");
  for (int i = 0; i < t->n; i++) print_row(t, &t->rows[i], triad_gbs, out);
}
