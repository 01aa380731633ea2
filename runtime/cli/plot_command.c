/* plot: columns of a CSV file, as runs write them, as a line plot. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cli/shell.h"
#include "base/path.h"
#include "drawing/plot.h"
#include "formats/csv_table.h"

static bool is_column(const char *head, const char *name, bool whole) {
  const size_t n = whole ? strlen(head) : strcspn(head, " [");
  return strlen(name) == n && strncmp(head, name, n) == 0;
}

/* By the whole head, "h [m]", or else the name alone, "h". */
static ew_status find_column(const csv_table *t, const char *name, int *column, ew_error *err) {
  int found = 0;
  for (int whole = 1; whole >= 0 && found == 0; whole--)
    for (int i = 0; i < t->n_columns; i++)
      if (is_column(t->name[i], name, whole)) *column = i, found++;
  if (found == 1) return EW_OK;
  char all[512];
  size_t used = 0;
  for (int i = 0; i < t->n_columns && used < sizeof all; i++)
    used += (size_t)snprintf(all + used, sizeof all - used, "%s%s", i ? ", " : "", t->name[i]);
  return ew_fail(err, EW_USAGE,
                 found ? "several columns are called '%s'; there are: %s"
                       : "there is no column '%s'; there are: %s",
                 name, all);
}

static ew_status draw(const cli_call *call, const csv_table *t, const char *path, ew_error *err) {
  ew_status status = EW_OK;
  plot_curve curve[CSV_MOST_COLUMNS];
  const char **wanted = calloc((size_t)call->n_given + 1, sizeof *wanted);
  int n = 0, x = 0, column;
  if (!wanted) EW_CHECK(ew_fail(err, EW_FAIL, "out of memory"));
  int n_wanted = cli_list(call, "y", wanted);
  if (cli_text(call, "x")) EW_CHECK(find_column(t, cli_text(call, "x"), &x, err));
  for (int i = 0; i < n_wanted && n < CSV_MOST_COLUMNS; i++) {
    EW_CHECK(find_column(t, wanted[i], &column, err));
    curve[n++] =
        (plot_curve){.label = t->name[column], .x = t->value[x], .y = t->value[column], .n = t->n_rows};
  }
  for (int i = 0; i < t->n_columns && n_wanted == 0; i++)
    if (i != x)
      curve[n++] = (plot_curve){.label = t->name[i], .x = t->value[x], .y = t->value[i], .n = t->n_rows};
  plot_axes axes = {.title = cli_text(call, "title"),
                    .x_name = t->name[x],
                    .log_x = cli_flag(call, "log-x"),
                    .log_y = cli_flag(call, "log-y"),
                    .curve = curve,
                    .n_curves = n};
  plot_options options = {0};
  EW_CHECK(plot_lines(path, &axes, &options, err));
cleanup:
  free(wanted);
  return status;
}

static int plot(cli_call *call) {
  ew_error err = {0};
  csv_table t = {0};
  char path[EW_PATH];
  const char *file = call->argument[0], *output = cli_text(call, "output");
  size_t stem = strlen(file);
  if (stem > 4 && strcmp(file + stem - 4, ".csv") == 0) stem -= 4;
  snprintf(path, sizeof path, "%.*s.png", (int)stem, file);
  const cli_file files[] = {{"what it shows", file}, {"the plot", output ? output : path}};
  const int apart = cli_files_apart(call, files, 1, 2);
  if (apart != CLI_OK) return apart;
  const int ending = shell_check_ending(call, "png", "the plot is a PNG file");
  if (ending != CLI_OK) return ending;
  FILE *f = fopen(file, "r");
  if (!f) return cli_fail(call, EW_IO, "cannot read '%s': %s", file, strerror(errno));
  ew_status status = csv_table_read(f, &t, &err);
  if (status != EW_OK) ew_context(&err, "%s", file);
  if (status == EW_OK) status = draw(call, &t, output ? output : path, &err);
  fclose(f);
  csv_table_clear(&t);
  if (status != EW_OK) return shell_fail(call, &err);
  fprintf(call->out, "%s\n", output ? output : path);
  return EW_OK;
}

static const cli_option OPTION[] = {
    {"x", 'x', CLI_TEXT, "COLUMN", "the horizontal axis (default: the first column)", NULL},
    {"y", 'y', CLI_LIST, "COLUMN", "a curve (default: all other columns)", NULL},
    {"output", 'o', CLI_TEXT, "FILE.png", "where to write", "file"},
    {"title", 0, CLI_TEXT, "TEXT", "above the plot", NULL},
    {"log-x", 0, CLI_FLAG, NULL, "logarithmic horizontal axis", NULL},
    {"log-y", 0, CLI_FLAG, NULL, "logarithmic vertical axis", NULL}};

const cli_command COMMAND_PLOT = {.name = "plot",
                                  .arguments = "FILE.csv",
                                  .summary = "draw columns of a CSV file: probes, history",
                                  .least = 1,
                                  .most = 1,
                                  .complete = "file",
                                  .options = OPTION,
                                  .n_options = sizeof OPTION / sizeof *OPTION,
                                  .run = plot};
