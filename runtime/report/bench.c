/* What `edgewise bench --json` printed, as a page: the figures of each measurement, its lists as tables, its kernels below the roofs. */
#include <cJSON.h>
#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "report/html.h"
#include "report/parts.h"
#include "base/line.h"

enum { MOST_COLUMNS = 40, MOST_LEVELS = 4 };

/* ---- reading ------------------------------------------------------------------------------------------------------- */

static ew_status read_line(cJSON *all, const char *line, const char *path, int number, ew_error *err) {
  cJSON *one;
  ew_status status = ew_parse_json(line, &one, err);
  if (status != EW_OK) return status;
  if (!cJSON_IsObject(one)) {
    cJSON_Delete(one);
    return ew_fail(err, EW_INPUT,
                   "%s:%d: this is no measurement\nhint: `edgewise bench NAME --json` prints one a line",
                   path, number);
  }
  cJSON_AddItemToArray(all, one);
  return EW_OK;
}

static ew_status read_file(const char *path, cJSON *all, ew_error *err) {
  ew_status status = EW_OK;
  char *line = NULL;
  size_t room = 0;
  int number = 0;
  FILE *in = fopen(path, "r");
  if (!in) return ew_fail(err, EW_IO, "%s: %s", path, strerror(errno));
  while (ew_next_line(&line, &room, in) >= 0) {
    number++;
    if (line[strspn(line, " \t\r\n")]) EW_CHECK(read_line(all, line, path, number, err));
  }
  if (errno == ENOMEM) EW_CHECK(ew_fail(err, EW_FAIL, "%s: out of memory", path));
  if (errno == EFBIG)
    EW_CHECK(ew_fail(err, EW_INPUT, "%s:%d: a line of more than 16 MiB is no measurement", path, number + 1));
  if (ferror(in)) EW_CHECK(ew_fail(err, EW_IO, "%s: %s", path, strerror(errno)));
  if (cJSON_GetArraySize(all) == 0) EW_CHECK(ew_fail(err, EW_INPUT, "%s holds no measurement", path));
cleanup:
  free(line);
  fclose(in);
  return status;
}

/* ---- words and numbers --------------------------------------------------------------------------------------------- */

static const cJSON *field(const cJSON *of, const char *key) {
  return cJSON_GetObjectItemCaseSensitive(of, key);
}

static const char *text_of(const cJSON *of, const char *key) {
  const char *text = cJSON_GetStringValue(field(of, key));
  return text ? text : "";
}

static bool is_plain(const cJSON *v) { return cJSON_IsNumber(v) || cJSON_IsString(v) || cJSON_IsBool(v); }

static void write_key(FILE *out, const char *key) {
  for (; *key; key++) {
    const char one[2] = {*key == '_' ? ' ' : *key, '\0'};
    html_text(out, one);
  }
}

static void write_plain(FILE *out, const cJSON *v) {
  if (cJSON_IsNumber(v)) html_number(out, v->valuedouble);
  else if (cJSON_IsString(v)) html_text(out, v->valuestring);
  else if (cJSON_IsBool(v)) fputs(cJSON_IsTrue(v) ? "yes" : "no", out);
}

/* ---- the roofs ------------------------------------------------------------------------------------------------------ */

/* Of a device, from the first measurement that says them; NAN. */
static double roof(const cJSON *all, const char *device, const char *key) {
  const cJSON *one = NULL;
  cJSON_ArrayForEach(one, all) {
    const cJSON *rate = field(field(one, "rates"), key);
    if (cJSON_IsNumber(rate) && strcmp(text_of(one, "device"), device) == 0) return rate->valuedouble;
  }
  return NAN;
}

/* ---- tables ---------------------------------------------------------------------------------------------------------- */

/* The keys of plain values in any object of the list, in the order of their first appearance. */
static int find_columns(const cJSON *list, const char *column[MOST_COLUMNS]) {
  const cJSON *row = NULL, *v = NULL;
  int n = 0;
  cJSON_ArrayForEach(row, list) cJSON_ArrayForEach(v, row) {
    int at = 0;
    while (at < n && strcmp(column[at], v->string) != 0) at++;
    if (at == n && n < MOST_COLUMNS && is_plain(v)) column[n++] = v->string;
  }
  return n;
}

static bool is_text(const cJSON *list, const char *key) {
  const cJSON *row = NULL;
  cJSON_ArrayForEach(row, list) if (field(row, key)) return !cJSON_IsNumber(field(row, key));
  return true;
}

static void write_table(FILE *out, const cJSON *list) {
  const char *column[MOST_COLUMNS];
  const int n = find_columns(list, column);
  const cJSON *row = NULL;
  fputs("<div class=\"wide\" tabindex=\"0\"><table><caption>", out);
  write_key(out, list->string);
  fputs("</caption>\n<thead><tr>", out);
  for (int i = 0; i < n; i++) {
    fputs(is_text(list, column[i]) ? "<th class=\"text\">" : "<th>", out);
    write_key(out, column[i]);
    fputs("</th>", out);
  }
  fputs("</tr></thead><tbody>\n", out);
  cJSON_ArrayForEach(row, list) {
    fputs("<tr>", out);
    for (int i = 0; i < n; i++) {
      const cJSON *v = field(row, column[i]);
      fputs(i == 0 ? "<th>" : cJSON_IsNumber(v) ? "<td>" : "<td class=\"text\">", out);
      write_plain(out, v);
      fputs(i == 0 ? "</th>" : "</td>", out);
    }
    fputs("</tr>\n", out);
  }
  fputs("</tbody></table></div>\n", out);
}

static void write_facts(FILE *out, const cJSON *of) {
  const cJSON *v = NULL, *part = NULL;
  fputs("<dl>\n", out);
  cJSON_ArrayForEach(v, of) {
    if (is_plain(v)) {
      fputs("<dt>", out);
      write_key(out, v->string);
      fputs("</dt><dd>", out);
      write_plain(out, v);
      fputs("</dd>\n", out);
    }
    if (cJSON_IsObject(v)) cJSON_ArrayForEach(part, v) {
        fputs("<dt>", out);
        write_key(out, part->string);
        fputs("</dt><dd>", out);
        write_plain(out, part);
        fputs("</dd>\n", out);
      }
  }
  fputs("</dl>\n", out);
}

/* ---- the page --------------------------------------------------------------------------------------------------------- */

/* What a measurement is called by. */
static const char *name_of(const cJSON *of) {
  return *text_of(of, "bench") ? text_of(of, "bench") : text_of(of, "name");
}

/* Of objects alone: what else a file holds is passed over. */
static bool is_list(const cJSON *v) {
  if (!cJSON_IsArray(v) || !v->child) return false;
  for (const cJSON *one = v->child; one; one = one->next)
    if (!cJSON_IsObject(one)) return false;
  return true;
}

/* Of a part that has lists of its own: its first plain value. */
static void write_part_name(FILE *out, const cJSON *part) {
  const cJSON *first = part->child, *list = part->child;
  while (first && !is_plain(first)) first = first->next;
  while (list && !is_list(list)) list = list->next;
  if (!first || !list) return;
  fputs("<h3>", out);
  write_key(out, first->string);
  fputs(": ", out);
  write_plain(out, first);
  fputs("</h3>\n", out);
}

/* The lists of a measurement, and of the parts that these list. */
static void write_lists(FILE *out, const cJSON *all, const cJSON *of, int level) {
  const cJSON *list = NULL, *part = NULL;
  const char *device = text_of(of, "device");
  cJSON_ArrayForEach(list, of) {
    if (!is_list(list)) continue;
    if (strcmp(list->string, "kernels") == 0) {
      page_roofline(out, list, roof(all, device, "triad_gbs"), roof(all, device, "fma_gflops"));
      continue;
    }
    write_table(out, list);
    cJSON_ArrayForEach(part, list) {
      if (level == MOST_LEVELS) break;
      write_part_name(out, part);
      write_lists(out, all, part, level + 1);
    }
  }
}

static ew_status write_page(FILE *out, const void *data, ew_error *err) {
  const cJSON *all = data, *one = NULL;
  (void)err;
  fputs("<header><h1>Measurements</h1>\n<p>Medians, by <code>edgewise bench</code>; <code>ratio</code> is "
        "how many times as fast as what it is raced against.</p></header>\n<main>\n",
        out);
  cJSON_ArrayForEach(one, all) {
    fputs("<section><h2>", out);
    html_text(out, name_of(one));
    if (*text_of(one, "device")) fputs(" on ", out), html_text(out, text_of(one, "device"));
    fputs("</h2>\n", out);
    write_facts(out, one);
    write_lists(out, all, one, 0);
    fputs("</section>\n", out);
  }
  return EW_OK;
}

ew_status report_bench(const char *path, const char *page_path, ew_error *err) {
  cJSON *all = cJSON_CreateArray();
  if (!all) return ew_fail(err, EW_FAIL, "out of memory");
  ew_status status = read_file(path, all, err);
  if (status == EW_OK) status = page_save(&(page){page_path, "Measurements", write_page, all}, err);
  cJSON_Delete(all);
  return status;
}
