/* The report: what the papers' Tables 1 and 2 show, for any scheme. Bytes are per point of a kernel's
 * place. */
#include "dslc.h"

#include <string.h>

static double element_bytes(dslc_element e) { return e == DSLC_F64 ? 8 : 4; }

/* What a launch of the kernel binds to a slot, or -1 if it is never launched. */
static int buffer_of_slot(const dslc_program *p, int kernel, int slot) {
  for (int s = 0; s < p->n_sections; s++)
    for (int o = 0; o < p->section[s].n_ops; o++) {
      const dslc_op *op = &p->section[s].op[o];
      if (op->kind == DSLC_OP_LAUNCH && op->kernel == kernel && slot < op->n_buffers) return op->buffer[slot];
    }
  return -1;
}

/* How many entities of `of` there are per entity of `per`, in a large mesh of simplices or cells with that
 * many faces. */
static double ratio(const dslc_program *p, dslc_place of, dslc_place per) {
  double faces = (p->faces_per_cell > 0 ? p->faces_per_cell : 6) / 2.0, cells = p->dims == 3 ? 5.5 : 2;
  double per_node[DSLC_PLACE_COUNT];
  for (int i = 0; i < DSLC_PLACE_COUNT; i++) per_node[i] = 1;
  per_node[DSLC_CELLS] = cells;
  per_node[DSLC_FACES] = cells * faces;
  per_node[DSLC_EDGES] = p->dims == 3 ? 14 : 6;
  return p->on_grid ? 1 : per_node[of] / per_node[per];
}

typedef struct traffic {
  double compulsory, no_reuse;
} traffic;

/* Compulsory: every component once. Without reuse: every access of every item, elements of 8 bytes. */
static traffic traffic_of(const dslc_program *p, int kernel) {
  const dslc_kernel *k = &p->kernel[kernel];
  traffic t = {0, 8 * (k->loads + k->stores)};
  for (int a = 0; a < k->n_args && k->place != DSLC_NOWHERE; a++) {
    const dslc_arg *g = &k->arg[a];
    int b = g->kind == DSLC_ARG_BUFFER ? buffer_of_slot(p, kernel, g->number) : -1;
    if (b < 0 || p->buffer[b].place == DSLC_NOWHERE) continue;
    const dslc_buffer *buffer = &p->buffer[b];
    t.compulsory +=
        (g->reads + g->writes) * element_bytes(buffer->element) * ratio(p, buffer->place, k->place);
  }
  return t;
}

static const char *place_word(dslc_place place) {
  static const char *const word[DSLC_PLACE_COUNT] = {"one",     "cells",  "faces",  "nodes",
                                                     "edges",   "xfaces", "yfaces", "zfaces",
                                                     "corners", "xline",  "yline",  "zline"};
  return word[place];
}

static void report_kernels(const dslc_program *p, FILE *out) {
  fprintf(out, "%-24s %-7s %9s %9s %7s %7s %9s %9s %9s\n", "kernel", "place", "written", "shared", "loads",
          "stores", "bytes", "no reuse", "flop/B");
  for (int i = 0; i < p->n_kernels; i++) {
    const dslc_kernel *k = &p->kernel[i];
    traffic t = traffic_of(p, i);
    fprintf(out, "%-24s %-7s %9.0f %9.0f %7.0f %7.0f", k->name, place_word(k->place), k->flops_written,
            k->flops, k->loads, k->stores);
    if (t.compulsory > 0)
      fprintf(out, " %9.1f %9.0f %9.2f\n", t.compulsory, t.no_reuse, k->flops / t.compulsory);
    else fprintf(out, " %9s %9s %9s\n", "-", "-", "-");
  }
}

static void report_equations(const dslc_program *p, FILE *out) {
  if (p->n_equations == 0) return;
  fprintf(out, "\n%-24s %-7s %-8s %9s %9s %7s  %s\n", "equation", "place", "form", "written", "shared",
          "loads", "line");
  for (int i = 0; i < p->n_equations; i++) {
    const dslc_equation *e = &p->equation[i];
    fprintf(out, "%-24s %-7s %-8s %9.0f %9.0f %7.0f  %d%s%s\n", e->name, place_word(e->place),
            e->form ? e->form : "-", e->flops_written, e->flops, e->loads, e->line, e->tag ? " " : "",
            e->tag ? e->tag : "");
  }
}

static void report_buffers(const dslc_program *p, FILE *out) {
  double bytes[DSLC_PLACE_COUNT] = {0};
  for (int b = 0; b < p->n_buffers; b++)
    if (p->buffer[b].kind != DSLC_BUFFER_ALIAS && p->buffer[b].kind != DSLC_BUFFER_ARGUMENT)
      bytes[p->buffer[b].place] += p->buffer[b].width * element_bytes(p->buffer[b].element);
  fprintf(out, "\nmemory: ");
  const char *gap = "";
  for (int i = DSLC_CELLS; i < DSLC_PLACE_COUNT; i++)
    if (bytes[i] > 0) {
      fprintf(out, "%s%.0f bytes at each of the %s", gap, bytes[i], place_word((dslc_place)i));
      gap = ", ";
    }
  fprintf(out, "%s\n", *gap ? "" : "none");
}

void dslc_program_report(const dslc_program *p, FILE *out) {
  fprintf(out, "scheme %s, target %s, schedule %s", p->scheme, p->target,
          p->profile ? p->profile : "by rule");
  for (int i = 0; i < p->n_variants; i++)
    fprintf(out, ", %s = %s", p->variant[i].name, p->variant[i].choice[p->variant[i].chosen]);
  fprintf(out, "\n\n");
  report_kernels(p, out);
  report_equations(p, out);
  report_buffers(p, out);
  if (p->n_notes > 0) fprintf(out, "\nschedule\n");
  for (int i = 0; i < p->n_notes; i++) fprintf(out, "  %s\n", p->note[i]);
  fprintf(out, "\nwritten: operations with every use expanded; shared: after common subexpressions; per "
               "point, loops over\n"
               "faces or neighbours counted in full. loads, stores: elements per point as executed. bytes: "
               "compulsory\n"
               "traffic per point, each component once; no reuse: every access from memory. flop/B: shared "
               "per byte.\n");
}
