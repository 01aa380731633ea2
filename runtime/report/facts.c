/* What run.json says, as text and tables. */
#include <cJSON.h>
#include <math.h>
#include <string.h>

#include "report/html.h"
#include "report/parts.h"

/* Exit codes in words: docs/commands.md. */
/* Of a record that anybody may have written: any number. */
static const char *ending(double code) {
  static const char *const words[] = {[0] = "finished",
                                      [1] = "failed",
                                      [2] = "failed: command line",
                                      [3] = "failed: scheme, case or mesh",
                                      [4] = "failed: a value was not finite or out of its bounds",
                                      [5] = "failed: device",
                                      [6] = "failed: file system",
                                      [7] = "failed: checkpoint",
                                      [8] = "stopped on request; it can be resumed",
                                      [9] = "failed: a linear solver did not converge",
                                      [10] = "failed: another run held the folder"};
  return code >= 0 && code < sizeof words / sizeof *words ? words[(size_t)code] : "failed";
}

static void term(FILE *out, const char *name) {
  fputs("<dt>", out);
  html_text(out, name);
  fputs("</dt><dd>", out);
}

static void put_value(FILE *out, const cJSON *v) {
  if (cJSON_IsString(v)) html_text(out, v->valuestring);
  else if (cJSON_IsNumber(v)) fprintf(out, "%.10g", v->valuedouble);
  else fputs(cJSON_IsBool(v) ? (cJSON_IsTrue(v) ? "yes" : "no") : "–", out);
}

/* One line of a list, if the record has it. */
static void fact(FILE *out, const run_folder *f, const char *name, const char *key) {
  const cJSON *v = run_folder_value(f, key);
  if (!v || cJSON_IsNull(v) || cJSON_IsObject(v)) return;
  term(out, name);
  put_value(out, v);
  fputs("</dd>\n", out);
}

/* A figure of the record as people read it, times `scale`: "403 MB". */
static void figure(FILE *out, const run_folder *f, const char *name, const char *key, double scale,
                   const char *unit) {
  double value = run_folder_number(f, key);
  if (!isfinite(value)) return;
  term(out, name);
  html_figure(out, scale * value);
  fprintf(out, "%s</dd>\n", unit);
}

/* "a = 1, b = 2" of an object of the record, if it has any. */
static void facts_of(FILE *out, const run_folder *f, const char *name, const char *key) {
  const cJSON *all = run_folder_value(f, key), *one = NULL;
  if (!cJSON_IsObject(all) || !all->child) return;
  term(out, name);
  cJSON_ArrayForEach(one, all) {
    if (one != all->child) fputs(", ", out);
    html_text(out, one->string);
    fputs(" = ", out);
    put_value(out, one);
  }
  fputs("</dd>\n", out);
}

static const char *size_key(const run_folder *f) {
  return run_folder_value(f, "grid.cells") ? "grid.cells" : "mesh.cells";
}

/* Of a run that was resumed: the seconds are those of its own part. */
static void own_steps(FILE *out, const run_folder *f) {
  const double before = run_folder_number(f, "resumed.step");
  if (!(before > 0)) return;
  html_number(out, run_folder_number(f, "result.steps") - before);
  fputs(" of them behind the checkpoint from which it was resumed, these ", out);
}

void page_heading(FILE *out, const run_folder *f) {
  double code = run_folder_number(f, "result.exit_code");
  fputs("<header><h1>", out);
  html_text(out, run_folder_text(f, "case.name"));
  fprintf(out, "</h1>\n<p><strong class=\"%s\">%s</strong>: scheme ", code == 0 ? "good" : "bad",
          ending(code));
  html_text(out, run_folder_text(f, "scheme.name"));
  fputs(", ", out);
  html_number(out, run_folder_number(f, size_key(f)));
  fputs(" cells, ", out);
  html_number(out, run_folder_number(f, "result.steps"));
  fputs(" steps to t = ", out);
  html_number(out, run_folder_number(f, "result.t"));
  fputs(" s, ", out);
  own_steps(out, f);
  fputs("in ", out);
  html_figure(out, run_folder_number(f, "wall.total_s"));
  fputs(" s on ", out);
  html_text(out, run_folder_text(f, "device.name"));
  fputs(" (", out);
  html_text(out, run_folder_text(f, "device.platform"));
  fputs(").</p></header>\n", out);
}

void page_notes(FILE *out, const run_folder *f) {
  const cJSON *one = NULL, *all = run_folder_value(f, "warnings"), *solves = run_folder_value(f, "solve");
  double cut = run_folder_number(f, "iterations.cut_off");
  fputs("<section id=\"notes\"><h2>Warnings</h2>\n<ul>\n", out);
  int n = 0;
  cJSON_ArrayForEach(one, all) {
    if (!cJSON_IsString(one)) continue;
    n++;
    fputs("<li>", out);
    html_words(out, one->valuestring);
    fputs("</li>\n", out);
  }
  if (cut > 0 && !all)
    n++, fprintf(out, "<li>%.0f repeats were cut off at their limit of passes.</li>\n", cut);
  cJSON_ArrayForEach(one, solves) {
    const cJSON *why = cJSON_GetObjectItemCaseSensitive(one, "ended");
    if (!one->string || !cJSON_IsString(why) || strcmp(why->valuestring, "converged") == 0) continue;
    n++;
    fputs("<li>The last solve for ", out);
    html_text(out, one->string);
    fputs(" ended: ", out);
    html_text(out, why->valuestring);
    fputs("</li>\n", out);
  }
  if (!all && cJSON_IsTrue(run_folder_value(f, "resumed.forced"))) {
    n++;
    fputs("<li>Resumed by force from a checkpoint of another case: ", out);
    html_text(out, run_folder_text(f, "resumed.differences"));
    fputs("</li>\n", out);
  }
  if (n == 0)
    fputs(all ? "<li>none</li>\n" : "<li>none in run.json, which is of a version that kept none</li>\n", out);
  fputs("</ul></section>\n", out);
}

void page_costs(FILE *out, const run_folder *f) {
  const cJSON *one = NULL, *solves = run_folder_value(f, "solve");
  fputs("<section id=\"costs\"><h2>What it took</h2>\n<dl>\n", out);
  if (run_folder_number(f, "resumed.step") > 0) {
    term(out, "Steps of this part, behind the checkpoint");
    html_number(out, run_folder_number(f, "result.steps") - run_folder_number(f, "resumed.step"));
    fputs("</dd>\n", out);
  }
  figure(out, f, "All", "wall.total_s", 1, " s");
  figure(out, f, "Steps", "wall.steps_s", 1, " s");
  figure(out, f, "Compilation of the scheme", "wall.compile_s", 1, " s");
  figure(out, f, "Mesh, buffers, kernels", "wall.create_s", 1, " s");
  figure(out, f, "Cell-steps a second", "rate.cell_steps_per_s", 1e-6, " million");
  figure(out, f, "Iterations a step", "iterations.per_step", 1, "");
  fact(out, f, "Kernel launches", "counts.launches");
  figure(out, f, "Most memory of the device", "memory.device_peak_bytes", 1e-6, " MB");
  figure(out, f, "Most memory of the host", "memory.host_peak_bytes", 1e-6, " MB");
  fputs("</dl>\n", out);
  if (cJSON_IsObject(solves) && solves->child) {
    static const char *const column[] = {"matrix",        "method",     "preconditioner",
                                         "solves",        "iterations", "most_iterations",
                                         "last_residual", "seconds",    "ended"};
    const size_t n = sizeof column / sizeof *column;
    fputs("<div class=\"wide\" tabindex=\"0\"><table><caption>Linear "
          "systems</caption><thead><tr><th>unknown</th>",
          out);
    for (size_t i = 0; i < n; i++) fprintf(out, "<th>%s</th>", column[i]);
    fputs("</tr></thead><tbody>\n", out);
    cJSON_ArrayForEach(one, solves) {
      fputs("<tr><th>", out);
      html_text(out, one->string);
      fputs("</th>", out);
      for (size_t i = 0; i < n; i++) {
        fputs("<td>", out);
        put_value(out, cJSON_GetObjectItemCaseSensitive(one, column[i]));
        fputs("</td>", out);
      }
      fputs("</tr>\n", out);
    }
    fputs("</tbody></table></div>\n", out);
  }
  fputs("</section>\n", out);
}

void page_provenance(FILE *out, const run_folder *f) {
  const char *command = run_folder_text(f, "command");
  fputs("<section id=\"provenance\"><h2>Where it comes from</h2>\n", out);
  if (*command) {
    fputs("<p>Once more:</p>\n<pre tabindex=\"0\"><code>", out);
    html_text(out, command);
    fputs("</code></pre>\n", out);
  }
  fputs("<dl>\n", out);
  fact(out, f, "Case", "case.file");
  fact(out, f, "Scheme", "scheme.path");
  fact(out, f, "Hash of the scheme", "scheme.text_hash");
  facts_of(out, f, "Variants", "scheme.variants");
  fact(out, f, "Schedule", "schedule.profile");
  fact(out, f, "Profile", "schedule.profile_file");
  facts_of(out, f, "Settings of the profile", "schedule.profile_settings");
  facts_of(out, f, "Settings of the schedule", "schedule.settings");
  facts_of(out, f, "What the case gives", "inputs");
  facts_of(out, f, "Mesh", "mesh");
  facts_of(out, f, "Grid", "grid");
  facts_of(out, f, "Device", "device");
  facts_of(out, f, "Versions", "versions");
  facts_of(out, f, "Resumed", "resumed");
  fact(out, f, "Started", "started");
  fputs("</dl></section>\n", out);
}
