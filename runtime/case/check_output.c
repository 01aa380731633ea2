/* Names and places in a case's output. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/words.h"
#include "case/files.h"
#include "case/problems.h"
#include "case/sample.h"
#include "drawing/image.h"
#include "output/output.h"
#include "run/internal.h"

static const char *place_text(dslc_place place) {
  switch (place) {
  case DSLC_CELLS: return "cells";
  case DSLC_NODES: return "nodes";
  case DSLC_EDGES:
  case DSLC_XEDGES:
  case DSLC_YEDGES:
  case DSLC_ZEDGES: return "edges";
  case DSLC_CORNERS: return "corners";
  default: return "faces";
  }
}

/* What the scheme calls an integral of the mesh alone is a table of the kernels. */
static bool complain_integral(exec_checker *k, case_where at, const char *user, const char *name) {
  for (int i = 0; i < k->program->execution.n_buffers; i++) {
    const dslc_buffer *b = &k->program->execution.buffer[i];
    if (b->source.kind != DSLC_SOURCE_INTEGRAL || b->place != DSLC_NODES || strcmp(b->name, name) != 0)
      continue;
    exec_complain(k, at,
                  "%s: '%s' is an integral of the mesh alone, no field\n  hint: an equation of the scheme "
                  "shows it, as in  shown @ nodes = 1*%s",
                  user, name, name);
    return true;
  }
  return false;
}

static void unknown_name(exec_checker *k, case_where at, const char *user, const char *name) {
  char hint[512];
  if (complain_integral(k, at, user, name)) return;
  exec_names names = {0};
  for (int i = 0; i < k->program->model.n_equations; i++) {
    const dslc_equation *e = &k->program->model.equation[i];
    if (strcmp(e->name, name) != 0 || exec_can_show(k->program, e->place) || e->place == DSLC_NOWHERE)
      continue;
    exec_complain(k, at, "%s: '%s' lives at %s; only quantities at cells and nodes can be shown", user, name,
                  place_text(e->place));
    return;
  }
  for (int i = 0; i < k->program->model.n_fields; i++)
    exec_names_add(&names, k->program->model.field[i].name);
  exec_complain(k, at, "%s: scheme '%s' has no field '%s'%s", user, k->program->identity.scheme, name,
                exec_suggest(&names, name, hint, sizeof hint));
  exec_names_clear(&names);
}

static const char *components_text(int n) {
  switch (n) {
  case 1: return "it is a scalar";
  case 2: return "there are .x and .y";
  case 3: return "there are .x, .y and .z";
  case 4: return "there are .xx, .xy, .yx and .yy";
  case 9: return "there are .xx to .zz";
  default: return "they are numbered from 1";
  }
}

static void one_value(exec_checker *k, case_where at, const char *user, const char *name) {
  exec_complain(k, at,
                "%s: '%s' is a state of one value, no field\n  hint: a global of the scheme shows it, as in  "
                "shown = %s , "
                "named under `history`",
                user, name, name);
}

/* `whole`: a field with all its components, else one component or a length. */
static void check_field(exec_checker *k, case_where at, const char *user, const char *name, bool whole) {
  if (!name) return;
  exec_component c;
  bool found = exec_find_component(k->program, name, &c);
  if (!found || (whole && c.component >= 0)) {
    if (found)
      exec_complain(k, at, "%s: '%s' is a component; files hold whole fields: '%s'", user, name,
                    k->program->model.field[c.field].name);
    else if (c.field < 0) unknown_name(k, at, user, name);
    else
      exec_complain(k, at, "%s: '%s' has no component '%s'; %s", user, k->program->model.field[c.field].name,
                    strrchr(name, '.') + 1, components_text(k->program->model.field[c.field].components));
    return;
  }
  const dslc_field *f = &k->program->model.field[c.field];
  if (f->place == DSLC_NOWHERE) one_value(k, at, user, f->name);
  else if (!exec_can_show(k->program, f->place))
    exec_complain(k, at, "%s: '%s' lives at %s; only quantities at cells and nodes can be shown", user, name,
                  place_text(f->place));
  else if (f->buffer < 0)
    exec_complain(k, at, "%s: '%s' is not stored by these kernels, which were built without it", user, name);
}

/* A program for the interpreter has equations and no operations, among which its repeats would be. */
static bool repeats_nothing(const dslc_program *p) {
  return p->execution.n_kernels > 0 && p->execution.n_repeats == 0;
}

static void check_history(exec_checker *k, const char *name) {
  char hint[512];
  exec_names names = {0};
  if (strcmp(name, "iterations") == 0 && exec_find_global(k->program, name) < 0 &&
      repeats_nothing(k->program)) {
    exec_complain(k, k->c->output.at,
                  "history: 'iterations' counts the passes of a step's `repeat`; scheme '%s' has none",
                  k->program->identity.scheme);
    return;
  }
  if (exec_global_is_left_out(k->program, name))
    exec_complain(k, k->c->output.at,
                  "history: '%s' is not computed by these kernels, which were built without it", name);
  if (exec_has_global(k->program, name)) return;
  int f = exec_find_field(k->program, name);
  if (f >= 0 && k->program->model.field[f].place == DSLC_NOWHERE) {
    one_value(k, k->c->output.at, "history", name);
    return;
  }
  for (int i = 0; i < k->program->model.n_globals; i++)
    exec_names_add(&names, k->program->model.global[i].name);
  exec_complain(k, k->c->output.at, "history: scheme '%s' has no global '%s'%s", k->program->identity.scheme,
                name, exec_suggest(&names, name, hint, sizeof hint));
  exec_names_clear(&names);
}

static void check_surface(exec_checker *k, const case_picture *p) {
  exec_names names = {0};
  char hint[512];
  if (p->n_surfaces == 0) return;
  if (!k->m || k->m->dim != 3) {
    exec_complain(k, p->at, "picture: only boundaries of a mesh in 3D have a surface to be seen");
    return;
  }
  for (int i = 0; i < k->m->n_patches; i++) exec_names_add(&names, k->m->patch[i].name);
  for (int i = 0; i < p->n_surfaces; i++)
    if (mesh_find_patch(k->m, p->surface[i]) < 0)
      exec_complain(k, p->at, "picture: the mesh has no boundary '%s'%s", p->surface[i],
                    exec_suggest(&names, p->surface[i], hint, sizeof hint));
  exec_names_clear(&names);
}

/* One number a node, which VTU files of plane meshes have as its height. */
static void check_elevation(exec_checker *k) {
  const case_output *o = &k->c->output;
  const int dim = exec_domain_dim(k->domain);
  exec_component c;
  check_field(k, o->at, "elevation", o->elevation, false);
  if (!o->elevation) return;
  if (!o->vtu) exec_complain(k, o->at, "elevation: without VTU files, vtu = false, it has no effect");
  else if (dim > 0 && (!k->m || dim != 2))
    exec_complain(k, o->at, "elevation: it lifts the nodes of plane meshes: on this %s it has no effect",
                  exec_domain_word(k->domain));
  if (!exec_find_component(k->program, o->elevation, &c) || c.component >= 0) return;
  const dslc_field *f = &k->program->model.field[c.field];
  if (f->components > 1)
    exec_complain(k, o->at, "elevation: '%s' has %d components; name one of them, %s", f->name, f->components,
                  components_text(f->components));
}

/* A column of a CSV file has one name. */
static void check_history_twice(exec_checker *k) {
  const case_output *o = &k->c->output;
  for (int j = 1; j < o->n_history; j++)
    for (int i = 0; i < j; i++)
      if (strcmp(o->history[i], o->history[j]) == 0)
        exec_complain(k, o->at, "history: '%s' is listed twice: list each global once", o->history[i]);
}

static void check_names(exec_checker *k) {
  const case_output *o = &k->c->output;
  if (o->single_precision && !o->vtu)
    exec_complain(k, o->at, "single_precision: without VTU files, vtu = false, it has no effect");
  for (int i = 0; i < o->n_fields; i++) check_field(k, o->at, "output", o->field[i], true);
  check_elevation(k);
  for (int i = 0; i < o->n_history; i++) check_history(k, o->history[i]);
  check_history_twice(k);
  for (int i = 0; i < o->n_pictures; i++) {
    const case_picture *p = &o->picture[i];
    for (int j = 0; j < p->n_fields; j++) check_field(k, p->at, "picture", p->field[j], false);
    if (p->mask) check_field(k, p->at, "picture's mask", p->mask, false);
    if (p->terrain) check_field(k, p->at, "picture's terrain", p->terrain, false);
    check_surface(k, p);
    if (p->size > IMAGE_LARGEST_SIDE)
      exec_complain(k, p->at, "picture: a size of %d pixels; expected at most %d", p->size,
                    IMAGE_LARGEST_SIDE);
  }
  for (int i = 0; i < o->n_rasters; i++) {
    for (int j = 0; j < o->raster[i].n_fields; j++)
      check_field(k, o->raster[i].at, "raster", o->raster[i].field[j], false);
    if (o->raster[i].mask) check_field(k, o->raster[i].at, "raster's mask", o->raster[i].mask, false);
  }
  for (int i = 0; i < o->n_plots; i++)
    for (int j = 0; j < o->plot[i].n_curves; j++)
      if (o->plot[i].curve[j].field) check_field(k, o->plot[i].at, "plot", o->plot[i].curve[j].field, false);
  for (int i = 0; i < o->n_probes; i++)
    for (int j = 0; j < o->probe[i].n_fields && (i == 0 || o->probe[i].field != o->probe[i - 1].field); j++)
      check_field(k, o->probe[i].at, "probe", o->probe[i].field[j], false);
}

static void check_times(exec_checker *k) {
  const case_output *o = &k->c->output;
  if (o->every < 0 || !isfinite(o->every))
    exec_complain(k, o->at, "output every %g: a positive time is expected", o->every);
  for (int i = 0; i < o->n_times; i++)
    if (!isfinite(o->time[i]) || o->time[i] < 0 || (i > 0 && o->time[i] <= o->time[i - 1])) {
      char after[40] = "";
      if (i > 0) snprintf(after, sizeof after, " after %g", o->time[i - 1]);
      exec_complain(k, o->times_at, "output: 'times' must increase from 0 on; found %g%s", o->time[i], after);
      return;
    }
}

int exec_times_behind(const ew_case *c, double t, double *first) {
  const case_output *o = &c->output;
  int n = 0;
  for (double last; n < o->n_times && (last = o->time[o->n_times - 1 - n]) > t; n++)
    if (exec_is_same_time(last, t)) break; /* 3*0.1 is no time behind 0.3 */
  if (n > 0) *first = o->time[o->n_times - n];
  return n;
}

void exec_times_note(const ew_case *c, FILE *out) {
  const case_output *o = &c->output;
  const double stop = c->time.stop;
  char where[512];
  double first = 0;
  if (!(stop > 0)) return; /* so many steps: it shows at their end */
  const int n = exec_times_behind(c, stop, &first);
  exec_where(o->at, where, sizeof where);
  if (n > 0)
    fprintf(out,
            "%swarning: output: %d of %d `times` come behind the end of the run at t = %g s, from %g s on\n",
            where, n, o->n_times, stop, first);
  if (o->every > stop && !exec_is_same_time(o->every, stop))
    fprintf(
        out,
        "%swarning: output: `every` is %g s, and the run ends at t = %g s: what it writes is the start and "
        "the end\n",
        where, o->every, stop);
}

/* Such text would go into JSON, XML and pictures. */
static void check_text(exec_checker *k, case_where at, const char *user, const char *text) {
  if (!text || words_are_utf8(text)) return;
  char *shown = words_as_utf8(text);
  exec_complain(k, at,
                "%s: '%s' is not UTF-8: save the case's file as UTF-8, or write such a letter as \\u{e9}",
                user, shown ? shown : "");
  free(shown);
}

/* Names become files of the output folder. */
static void check_file_name(exec_checker *k, case_where at, const char *user, const char *name) {
  if (!name) return;
  if (!words_are_utf8(name)) {
    check_text(k, at, user, name);
    return;
  }
  bool good = *name && !strchr(name, '/') && strlen(name) < 200;
  for (const unsigned char *c = (const unsigned char *)name; *c; c++) good = good && *c >= ' ' && *c != 0x7f;
  if (!good)
    exec_complain(
        k, at,
        "%s: '%s' cannot name a file in the output folder: it must have no '/' and nothing that cannot be "
        "printed, and less than 200 characters",
        user, name);
}

static void check_texts(exec_checker *k) {
  const case_output *o = &k->c->output;
  check_text(k, k->c->at, "name", k->c->name);
  for (int i = 0; i < o->n_pictures; i++)
    check_text(k, o->picture[i].at, "picture: title", o->picture[i].title);
  for (int i = 0; i < o->n_plots; i++) {
    check_text(k, o->plot[i].at, "plot: title", o->plot[i].title);
    for (int j = 0; j < o->plot[i].n_curves; j++)
      check_text(k, o->plot[i].at, "plot: label", o->plot[i].curve[j].label);
  }
}

static void check_file_names(exec_checker *k) {
  const case_output *o = &k->c->output;
  for (int i = 0; i < o->n_pictures; i++) check_file_name(k, o->picture[i].at, "picture", o->picture[i].name);
  for (int i = 0; i < o->n_plots; i++) check_file_name(k, o->plot[i].at, "plot", o->plot[i].name);
  for (int i = 0; i < o->n_probes; i++) check_file_name(k, o->probe[i].at, "probe", o->probe[i].name);
  for (int i = 0; i < o->n_rasters; i++) check_file_name(k, o->raster[i].at, "raster", o->raster[i].name);
}

static const char *user_text(const exec_named_file *f, char *text, size_t size) {
  if (strcmp(f->kind, f->stem) != 0 || f->name)
    snprintf(text, size, "%s '%s'", f->kind, f->name ? f->name : f->stem);
  else snprintf(text, size, "`%s`", f->kind);
  return text;
}

static void complain_clash(exec_checker *k, const exec_named_file *a, const exec_named_file *b) {
  char one[NAME_MAX + 32], two[NAME_MAX + 32], file[NAME_MAX + 32];
  exec_file_name(a->numbered ? b : a, 0, file, sizeof file);
  if (a->of == b->of) {
    exec_complain(k, b->at, "%s would write %s twice: list each field once", user_text(b, two, sizeof two),
                  file);
    return;
  }
  exec_complain(k, b->at, "%s and %s (line %d) would both write %s: give one of them another name%s",
                user_text(b, two, sizeof two), user_text(a, one, sizeof one), a->at.line, file,
                strcmp(a->suffix, "csv") == 0 ? "" : ", `name = ...`");
}

/* What comes second would replace what the first has written. */
static void check_clashes(exec_checker *k) {
  exec_named_file *file = NULL;
  const exec_named_file *one, *other;
  int n = 0, at = 0;
  ew_status status = exec_files_list(k->c, &file, &n, k->err);
  if (status == EW_OK) exec_files_sort(file, n);
  while (status == EW_OK && (one = exec_files_clash(file, n, &at, &other))) complain_clash(k, other, one);
  if (k->status == EW_OK) k->status = status;
  free(file);
}

void exec_check_output(exec_checker *k) {
  check_times(k);
  check_texts(k);
  check_file_names(k);
  check_clashes(k);
  if (k->program) check_names(k);
  if (exec_domain_dim(k->domain)) exec_check_places(k);
}
