#include "run/shown.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory_text.h"
#include "case/files.h"
#include "case/sample.h"

static void numbers(FILE *out, const char *before, const double *x, int n) {
  char text[40];
  for (int i = 0; i < n; i++) {
    exec_number_text(x[i], text, sizeof text);
    fprintf(out, "%s%s", i ? ", " : before, text);
  }
}

/* Nothing where they span no range: then the program chooses. */
static void range(FILE *out, const char *before, double low, double high) {
  if (low < high) numbers(out, before, (const double[]){low, high}, 2);
}

/* 0 is the default. */
static void count(FILE *out, const char *before, int n) {
  if (n) fprintf(out, "%s%d", before, n);
}

static void word(FILE *out, const char *before, const char *text) {
  if (text) fprintf(out, "%s%s", before, text);
}

static void words(FILE *out, const char *before, const char *const *text, int n) {
  for (int i = 0; i < n; i++) word(out, i ? ", " : before, text[i]);
}

static void mask(FILE *out, const char *field, double above) {
  if (!field) return;
  word(out, "; mask ", field);
  numbers(out, " below ", &above, 1);
}

static void tell_picture(FILE *out, const case_picture *p) {
  words(out, "", p->field, p->n_fields);
  count(out, "; columns ", p->columns);
  count(out, "; map number ", (int)p->map);
  count(out, "; contours ", p->contours);
  count(out, "; cells ", p->show_cells);
  count(out, "; size ", p->size);
  word(out, "; title ", p->title);
  range(out, "; range ", p->low, p->high);
  numbers(out, "; z = ", &p->z, 1);
  words(out, "; surface ", p->surface, p->n_surfaces);
  if (p->n_surfaces) numbers(out, "; view ", p->view, 3);
  mask(out, p->mask, p->mask_above);
  word(out, "; terrain ", p->terrain);
}

static void tell_plot(FILE *out, const case_plot *p) {
  for (int i = 0; i < p->n_curves; i++) {
    word(out, i ? ", " : "", p->curve[i].field ? p->curve[i].field : "a function");
    word(out, " as ", p->curve[i].label);
  }
  numbers(out, "; from ", p->from, 3);
  numbers(out, "; to ", p->to, 3);
  count(out, "; samples ", p->samples);
  word(out, "; title ", p->title);
  range(out, "; range ", p->low, p->high);
}

static void tell_raster(FILE *out, const case_raster *r, const char *field) {
  word(out, "", field);
  numbers(out, "; size ", &r->size, 1);
  range(out, "; x from, to ", r->x[0], r->x[1]);
  range(out, "; y from, to ", r->y[0], r->y[1]);
  mask(out, r->mask, r->mask_above);
  word(out, "; srs ", r->srs);
}

static void tell_fields(FILE *out, const case_output *o) {
  if (o->n_fields == 0) fputs("states", out);
  words(out, "", o->field, o->n_fields);
  fputs(o->single_precision ? "; single precision" : "; double precision", out);
  word(out, "; elevation ", o->elevation);
}

/* ---- all of them ---------------------------------------------------------------------------------------------------------------- */

typedef struct shown {
  exec_pairs *out;
  int dim;
  memory_text text;
} shown;

static FILE *begin(shown *s) { return memory_text_open(&s->text); }

static ew_status end(shown *s, const char *before, const char *file, ew_error *err) {
  char name[NAME_MAX + 64];
  snprintf(name, sizeof name, "%s" SHOWN_IN "%s", before, file);
  char *text = memory_text_close(&s->text);
  if (!text) return ew_fail(err, EW_FAIL, "out of memory for what '%s' shows", file);
  const ew_status status = exec_pairs_add(s->out, name, text, err);
  free(text);
  return status;
}

static ew_status no_memory(ew_error *err) { return ew_fail(err, EW_FAIL, "out of memory for outputs"); }

/* As messages name all of a kind: "h_NNNN.asc". */
static const char *series_name(const exec_named_file *f, char *name, size_t size) {
  snprintf(name, size, "%s_NNNN.%s", f->stem, f->suffix);
  return name;
}

static ew_status add_probes(shown *s, const case_output *o, const char *before, ew_error *err) {
  for (int i = 0; i < o->n_probes; i++) {
    char name[NAME_MAX + 16];
    FILE *out = begin(s);
    if (!out) return no_memory(err);
    numbers(out, "the point ", o->probe[i].x, s->dim);
    snprintf(name, sizeof name, "%s.csv", o->probe[i].name);
    const ew_status status = end(s, before, name, err);
    if (status != EW_OK) return status;
  }
  return EW_OK;
}

static ew_status add_file(shown *s, const char *before, const exec_named_file *f, ew_error *err) {
  char name[NAME_MAX + 32];
  FILE *out = begin(s);
  if (!out) return no_memory(err);
  if (strcmp(f->kind, "plot") == 0) tell_plot(out, f->of);
  else tell_picture(out, f->of);
  return end(s, before, series_name(f, name, sizeof name), err);
}

static ew_status add_raster(shown *s, const char *before, const ew_case *c, const case_raster *r,
                            ew_error *err) {
  ew_status status = EW_OK;
  for (int k = 0; k < r->n_fields && status == EW_OK; k++) {
    char name[NAME_MAX + 32];
    const exec_named_file f = exec_raster_file(c, r, k);
    FILE *out = f.numbered ? begin(s) : NULL; /* else one file, that each output writes anew */
    if (f.numbered && !out) return no_memory(err);
    if (!out) continue;
    tell_raster(out, r, r->field[k]);
    status = end(s, before, series_name(&f, name, sizeof name), err);
  }
  return status;
}

static ew_status add_rest(shown *s, const char *before, const case_output *o, ew_error *err) {
  ew_status status = EW_OK;
  FILE *out = o->vtu ? begin(s) : NULL;
  if (o->vtu && !out) return no_memory(err);
  if (out) {
    tell_fields(out, o);
    status = end(s, before, "files of fields", err);
  }
  if (status != EW_OK || (o->n_probes == 0 && o->n_history == 0)) return status;
  if (!(out = begin(s))) return no_memory(err);
  if (o->sample > 1) fprintf(out, "a row every %d steps", o->sample);
  else fputs("a row each step", out);
  return end(s, before, SHOWN_ROWS, err);
}

ew_status exec_shown_facts(const ew_case *c, int dim, const char *rows, const char *each, exec_pairs *pairs,
                           ew_error *err) {
  const case_output *o = &c->output;
  shown s = {.out = pairs, .dim = dim};
  ew_status status = add_probes(&s, o, rows, err);
  for (int i = 0; i < o->n_pictures && status == EW_OK; i++) {
    const exec_named_file f = exec_picture_file(o, i);
    status = add_file(&s, each, &f, err);
  }
  for (int i = 0; i < o->n_plots && status == EW_OK; i++) {
    const exec_named_file f = exec_plot_file(o, i);
    status = add_file(&s, each, &f, err);
  }
  for (int i = 0; i < o->n_rasters && status == EW_OK; i++)
    status = add_raster(&s, each, c, &o->raster[i], err);
  return status == EW_OK ? add_rest(&s, each, o, err) : status;
}
