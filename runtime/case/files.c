#include "case/files.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "case/products.h"

/* ---- one file ------------------------------------------------------------------------------------------------------------ */

exec_named_file exec_plot_file(const case_output *o, int index) {
  const case_plot *p = &o->plot[index];
  exec_named_file f = {
      .kind = "plot", .name = p->name, .of = p, .suffix = "png", .numbered = true, .at = p->at};
  if (p->name) snprintf(f.stem, sizeof f.stem, "%s", p->name);
  else snprintf(f.stem, sizeof f.stem, "plot%d", index + 1);
  return f;
}

exec_named_file exec_picture_file(const case_output *o, int index) {
  const case_picture *p = &o->picture[index];
  exec_named_file f = {.kind = "picture", .of = p, .suffix = "png", .numbered = true, .at = p->at};
  f.name = p->name ? p->name : p->field[0];
  snprintf(f.stem, sizeof f.stem, "%s", f.name);
  return f;
}

/* What is followed while the run goes on has one file, which each output writes anew. */
exec_named_file exec_raster_file(const ew_case *c, const case_raster *r, int field) {
  exec_named_file f = {.kind = "raster", .of = r, .suffix = r->geotiff ? "tif" : "asc", .at = r->at};
  f.name = r->name ? r->name : r->field[field];
  f.numbered = !case_is_product(c, r->field[field]);
  if (r->name && r->n_fields > 1) snprintf(f.stem, sizeof f.stem, "%s_%s", r->name, r->field[field]);
  else snprintf(f.stem, sizeof f.stem, "%s", f.name);
  return f;
}

static exec_named_file csv_file(const char *kind, const char *name, const void *of, case_where at) {
  exec_named_file f = {.kind = kind, .name = name, .of = of, .suffix = "csv", .at = at};
  snprintf(f.stem, sizeof f.stem, "%s", name ? name : kind);
  return f;
}

void exec_file_name(const exec_named_file *f, int number, char *name, size_t size) {
  if (f->numbered) snprintf(name, size, "%s_%04d.%s", f->stem, number, f->suffix);
  else snprintf(name, size, "%s.%s", f->stem, f->suffix);
}

/* ---- all of them ---------------------------------------------------------------------------------------------------------- */

ew_status exec_files_list(const ew_case *c, exec_named_file **list, int *n, ew_error *err) {
  const case_output *o = &c->output;
  size_t all = (size_t)o->n_plots + (size_t)o->n_pictures + (size_t)o->n_probes + 1;
  for (int i = 0; i < o->n_rasters; i++) all += (size_t)o->raster[i].n_fields;
  exec_named_file *f = *list = calloc(all, sizeof *f);
  if (!f) return ew_fail(err, EW_FAIL, "out of memory for the names of outputs");
  for (int i = 0; i < o->n_plots; i++) *f++ = exec_plot_file(o, i);
  for (int i = 0; i < o->n_pictures; i++) *f++ = exec_picture_file(o, i);
  for (int i = 0; i < o->n_rasters; i++)
    for (int k = 0; k < o->raster[i].n_fields; k++) *f++ = exec_raster_file(c, &o->raster[i], k);
  if (o->n_history > 0) *f++ = csv_file("history", NULL, o->history, o->at);
  for (int i = 0; i < o->n_probes; i++)
    *f++ = csv_file("probe", o->probe[i].name, &o->probe[i], o->probe[i].at);
  *n = (int)(f - *list);
  for (int i = 0; i < *n; i++) (*list)[i].place = i;
  return EW_OK;
}

/* ---- two of one name ------------------------------------------------------------------------------------------------------- */

/* Of STEM.png: how much of the stem stands before a number as outputs have it, "_0012"; all of it where there is none. */
static size_t before_number(const char *stem) {
  size_t all = strlen(stem), n = all;
  while (n > 0 && isdigit((unsigned char)stem[n - 1])) n--;
  return all - n >= 4 && n > 1 && stem[n - 1] == '_' ? n - 1 : all;
}

/* 0: they may be one file, or are two with numbers of their own, of the same series. */
static int compare_series(const exec_named_file *x, const exec_named_file *y) {
  const size_t m = strlen(x->stem), n = strlen(y->stem);
  const size_t a = x->numbered ? m : before_number(x->stem), b = y->numbered ? n : before_number(y->stem);
  const int alone = (!x->numbered && a == m) - (!y->numbered && b == n);
  int order = strcmp(x->suffix, y->suffix);
  if (!order) order = alone;
  if (!order) order = strncmp(x->stem, y->stem, a < b ? a : b);
  return order ? order : (a > b) - (a < b);
}

/* Those that could be one come together, numbered ones first, the others by their whole names. */
static int by_name(const void *a, const void *b) {
  const exec_named_file *x = a, *y = b;
  int order = compare_series(x, y);
  if (!order) order = y->numbered - x->numbered;
  if (!order) order = strcmp(x->stem, y->stem);
  return order ? order : x->place - y->place;
}

void exec_files_sort(exec_named_file *list, int n) {
  if (n > 1) qsort(list, (size_t)n, sizeof *list, by_name);
}

const exec_named_file *exec_files_clash(const exec_named_file *list, int n, int *at,
                                        const exec_named_file **other) {
  for (; *at < n; ++*at) {
    if (*at == 0) continue;
    const exec_named_file *one = &list[*at], *before = one - 1;
    if (compare_series(before, one) != 0) continue;
    if (!before->numbered && strcmp(before->stem, one->stem) != 0) continue;
    ++*at;
    *other = before;
    return one;
  }
  return NULL;
}
