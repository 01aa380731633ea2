/* The report: what the papers' Tables 1 and 2 show, for any scheme. Bytes are per point of a kernel's
 * place, in the summary per cell (per node of schemes at nodes). */
#include "dslc.h"

#include <string.h>

#include "back/source_kinds.h"

/* A launch of the kernel, or NULL if it is never launched. */
static const dslc_op *launch_of(const dslc_program *p, int kernel) {
  for (int s = 0; s < p->execution.n_sections; s++)
    for (int o = 0; o < p->execution.section[s].n_ops; o++) {
      const dslc_op *op = &p->execution.section[s].op[o];
      if (op->kind == DSLC_OP_LAUNCH && op->kernel == kernel) return op;
    }
  return NULL;
}

/* How many entities of `of` there are per entity of `per`, in a large mesh of simplices or cells with that
 * many faces. */
static double ratio(const dslc_program *p, dslc_place of, dslc_place per) {
  double faces = (p->space.faces_per_cell > 0 ? p->space.faces_per_cell : 6) / 2.0,
         cells = p->space.dims == 3 ? 5.5 : 2;
  double per_node[DSLC_PLACE_COUNT];
  for (int i = 0; i < DSLC_PLACE_COUNT; i++) per_node[i] = 1;
  per_node[DSLC_CELLS] = cells;
  per_node[DSLC_FACES] = cells * faces;
  per_node[DSLC_EDGES] = p->space.dims == 3 ? 14 : 6;
  bool few = (of >= DSLC_XLINE) >
             (per >= DSLC_XLINE); /* along an axis, near walls: beside points they do not count */
  return p->space.on_grid ? !few : per_node[of] / per_node[per];
}

/* One value a work-group; windows write one for each subdomain, of some thousand points. */
static double partials_per_item(const dslc_kernel *k) {
  if (k->rows > 0) return 0;
  return k->local_size > 0 && !k->one_group ? 1.0 / k->local_size : 1;
}

/* Entries of the buffer for each item of a launch: faces at the boundary have a cell and a ghost of their own. */
static double entries(const dslc_program *p, const dslc_op *launch, const dslc_buffer *b) {
  const dslc_kernel *k = &p->execution.kernel[launch->kernel];
  if (b->kind == DSLC_BUFFER_PARTIALS) return partials_per_item(k);
  const bool boundary = launch->subset == DSLC_RULE || launch->subset == DSLC_BOUNDARY;
  if (boundary && k->place == DSLC_FACES && b->place == DSLC_CELLS) return 1;
  return ratio(p, b->place, k->place);
}

typedef struct traffic {
  double compulsory, no_reuse; /* bytes */
  double stores;               /* elements */
} traffic;

/* Compulsory: every component once. Without reuse: every access of every item; a manifest does not tell their sizes. */
static traffic traffic_of(const dslc_program *p, int kernel) {
  const dslc_kernel *k = &p->execution.kernel[kernel];
  const dslc_op *launch = launch_of(p, kernel);
  traffic t = {.stores = k->cost.stores, .no_reuse = k->cost.bytes};
  if (k->cost.bytes == 0) t.no_reuse = 8 * (k->cost.loads + k->cost.stores);
  for (int a = 0; launch && a < k->n_args && k->place != DSLC_NOWHERE; a++) {
    const dslc_arg *g = &k->arg[a];
    if (g->kind != DSLC_ARG_BUFFER || g->number >= launch->n_buffers) continue;
    const dslc_buffer *b = &p->execution.buffer[launch->buffer[g->number]];
    if (b->place == DSLC_NOWHERE) continue;
    const double bytes = element_bytes(b->element), n = entries(p, launch, b);
    t.compulsory += (g->reads + g->writes) * bytes * n;
    if (b->kind != DSLC_BUFFER_PARTIALS) continue;
    t.no_reuse -= g->writes * bytes * (1 - n);
    t.stores -= g->writes * (1 - n);
  }
  return t;
}

static const char *place_word(dslc_place place) {
  static const char *const word[DSLC_PLACE_COUNT] = {
      "one",     "cells",   "faces",           "nodes",           "edges",
      "xfaces",  "yfaces",  "zfaces",          "xedges",          "yedges",
      "zedges",  "corners", "indices along x", "indices along y", "indices along z",
      "by walls"};
  return word[place];
}

static void report_kernels(const dslc_program *p, FILE *out) {
  fprintf(out, "%-24s %-7s %9s %9s %7s %7s %9s %9s %9s\n", "kernel", "place", "written", "shared", "loads",
          "stores", "bytes", "no reuse", "flop/B");
  for (int i = 0; i < p->execution.n_kernels; i++) {
    const dslc_kernel *k = &p->execution.kernel[i];
    traffic t = traffic_of(p, i);
    fprintf(out, "%-24s %-7s %9.0f %9.0f %7.0f %7.0f", k->name, place_word(k->place), k->cost.flops_written,
            k->cost.flops, k->cost.loads, t.stores);
    if (t.compulsory > 0)
      fprintf(out, " %9.1f %9.0f %9.2f\n", t.compulsory, t.no_reuse, k->cost.flops / t.compulsory);
    else fprintf(out, " %9s %9s %9s\n", "-", "-", "-");
  }
}

/* ---- the summary: a step, a pass of a repeat ---- */

/* What the summary counts per: cells, or nodes where nothing lies at cells. */
static dslc_place base_place(const dslc_program *p) {
  for (int i = 0; i < p->model.n_fields; i++)
    if (p->model.field[i].kind == DSLC_STATE && p->model.field[i].place == DSLC_NODES) return DSLC_NODES;
  return DSLC_CELLS;
}

typedef struct share { /* of a step: its operations, or those of a pass */
  int launches, solves;
  double written, shared, bytes;
} share;

/* Boundaries and points near walls are few. */
static void add_launch(const dslc_program *p, const dslc_op *op, share *to) {
  const dslc_kernel *k = &p->execution.kernel[op->kernel];
  to->launches++;
  if (k->place == DSLC_NOWHERE || k->place == DSLC_NEAR_WALLS || op->subset == DSLC_RULE ||
      op->subset == DSLC_HOLD || op->subset == DSLC_BOUNDARY || dslc_is_rim(op->subset))
    return;
  double points = ratio(p, k->place, base_place(p));
  to->written += points * k->cost.flops_written;
  to->shared += points * k->cost.flops;
  to->bytes += points * traffic_of(p, op->kernel).compulsory;
}

/* Operations [from, to) without those of repeats among them. */
static share share_of(const dslc_program *p, const dslc_section *s, int from, int to) {
  share sum = {0};
  for (int i = from; i < to; i++) {
    const dslc_op *op = &s->op[i];
    if (op->kind == DSLC_OP_LAUNCH) add_launch(p, op, &sum);
    if (op->kind == DSLC_OP_SOLVE) sum.solves++;
    if (op->kind == DSLC_OP_REPEAT && op->b > i) i = op->b + op->count - 1;
  }
  return sum;
}

static void report_share(const char *what, share s, FILE *out) {
  fprintf(out, "%-24s %8d %8.0f %9.0f %9.1f", what, s.launches, s.written, s.shared, s.bytes);
  if (s.bytes > 0) fprintf(out, " %9.2f", s.shared / s.bytes);
  if (s.solves > 0) fprintf(out, "  and %d linear system%s", s.solves, s.solves > 1 ? "s" : "");
  fprintf(out, "\n");
}

static void report_step(const dslc_program *p, FILE *out) {
  if (p->execution.n_sections <= DSLC_SECTION_STEP) return;
  const dslc_section *s = &p->execution.section[DSLC_SECTION_STEP];
  bool repeats = false;
  for (int i = 0; i < s->n_ops; i++) repeats |= s->op[i].kind == DSLC_OP_REPEAT;
  const char *per = base_place(p) == DSLC_NODES ? "per node" : "per cell";
  fprintf(out, "\n%-24s %8s %8s %9s %9s %9s\n", per, "launches", "written", "shared", "bytes", "flop/B");
  report_share(repeats ? "a step, beside its repeat" : "a step", share_of(p, s, 0, s->n_ops), out);
  for (int i = 0; i < s->n_ops; i++)
    if (s->op[i].kind == DSLC_OP_REPEAT)
      report_share("a pass of the repeat", share_of(p, s, s->op[i].b, s->op[i].b + s->op[i].count), out);
}

/* ---- equations, memory, notes ---- */

static void report_equations(const dslc_program *p, FILE *out) {
  if (p->model.n_equations == 0) return;
  fprintf(out, "\n%-24s %-7s %-8s %9s %9s %7s  %s\n", "equation", "place", "form", "written", "shared",
          "loads", "line");
  for (int i = 0; i < p->model.n_equations; i++) {
    const dslc_equation *e = &p->model.equation[i];
    const char *slash = e->file ? strrchr(e->file, '/') : NULL, *file = slash ? slash + 1 : e->file;
    fprintf(out, "%-24s %-7s %-8s %9.0f %9.0f %7.0f  %s%s%d%s%s\n", e->name, place_word(e->place),
            e->form ? e->form : "-", e->flops_written, e->flops, e->loads, file ? file : "", file ? ":" : "",
            e->line, e->tag ? " " : "", e->tag ? e->tag : "");
  }
}

/* Not what is there once a work-group, or for the few nodes that a rule holds. */
static bool is_in_memory(const dslc_buffer *b) {
  return b->kind != DSLC_BUFFER_ALIAS && b->kind != DSLC_BUFFER_ARGUMENT && b->kind != DSLC_BUFFER_PARTIALS &&
         b->hold == 0;
}

static void report_buffers(const dslc_program *p, FILE *out) {
  double bytes[DSLC_PLACE_COUNT] = {0};
  for (int b = 0; b < p->execution.n_buffers; b++)
    if (is_in_memory(&p->execution.buffer[b]))
      bytes[p->execution.buffer[b].place] +=
          p->execution.buffer[b].width * element_bytes(p->execution.buffer[b].element);
  fprintf(out, "\nmemory: ");
  const char *gap = "";
  for (int i = DSLC_CELLS; i < DSLC_PLACE_COUNT; i++)
    if (bytes[i] > 0) {
      fprintf(out, "%s%.0f bytes at each of the %s", gap, bytes[i],
              i == DSLC_NEAR_WALLS ? "points near walls" : place_word((dslc_place)i));
      gap = ", ";
    }
  double all = 0;
  for (int i = DSLC_CELLS; i < DSLC_XLINE; i++) all += bytes[i] * ratio(p, (dslc_place)i, base_place(p));
  if (*gap) fprintf(out, "; about %.0f a %s in all\n", all, base_place(p) == DSLC_NODES ? "node" : "cell");
  else fprintf(out, "none\n");
}

static bool is_level(const dslc_program *p, int buffer) { /* of one named before it: h.new */
  const char *name = p->execution.buffer[buffer].name;
  for (int i = 0; i < buffer; i++) {
    const char *other = p->execution.buffer[i].name;
    const size_t n = strlen(other);
    if (p->execution.buffer[i].element == DSLC_F32 && strncmp(name, other, n) == 0 && name[n] == '.')
      return true;
  }
  return false;
}

/* What lies in memory in single precision. */
static void report_single(const dslc_program *p, FILE *out) {
  double saved = 0;
  const char *before = "in single precision: ";
  for (int b = 0; b < p->execution.n_buffers; b++) {
    const dslc_buffer *of = &p->execution.buffer[b];
    if (of->element != DSLC_F32) continue;
    if (of->kind != DSLC_BUFFER_ALIAS) saved += 4 * of->width * ratio(p, of->place, base_place(p));
    if (is_level(p, b)) continue;
    fprintf(out, "%s%s", before, of->name);
    before = ", ";
  }
  if (saved > 0)
    fprintf(out,
            "; %.0f bytes a %s less than in double. `edgewise verify` measures what that costs in digits\n",
            saved, base_place(p) == DSLC_NODES ? "node" : "cell");
}

/* What a note says, behind its subject: ": store, it is expensive" of "NAME: store, it is expensive". */
static const char *verdict_of(dslc_note note) { return note.text + note.subject; }

static bool same_verdict(const dslc_program *p, int i, int k) {
  return strcmp(verdict_of(p->note[i]), verdict_of(p->note[k])) == 0;
}

/* One line for all subjects of the same verdict; kernels in several versions bring the same note several times. */
static void report_notes(const dslc_program *p, FILE *out) {
  if (p->n_notes > 0) fprintf(out, "\nschedule\n");
  for (int i = 0; i < p->n_notes; i++) {
    bool again = false;
    for (int k = 0; k < i && !again; k++) again = same_verdict(p, i, k);
    if (again) continue;
    const char *gap = "  ";
    for (int k = i; k < p->n_notes; k++) {
      bool twice = !same_verdict(p, i, k);
      for (int j = i; j < k && !twice; j++) twice = strcmp(p->note[j].text, p->note[k].text) == 0;
      if (twice) continue;
      fprintf(out, "%s%.*s", gap, p->note[k].subject, p->note[k].text);
      gap = ", ";
    }
    fprintf(out, "%s\n", verdict_of(p->note[i]));
  }
}

void dslc_program_report(const dslc_program *p, FILE *out) {
  fprintf(out, "scheme %s, target %s, schedule %s", p->identity.scheme, p->identity.target,
          p->identity.profile ? p->identity.profile : "by rule");
  for (int i = 0; i < p->model.n_variants; i++)
    fprintf(out, ", %s = %s", p->model.variant[i].name,
            p->model.variant[i].choice[p->model.variant[i].chosen]);
  fprintf(out, "\n\n");
  report_kernels(p, out);
  report_step(p, out);
  report_equations(p, out);
  report_buffers(p, out);
  report_single(p, out);
  report_notes(p, out);
  fprintf(out, "\nwritten: operations with every use expanded; shared: after common subexpressions; per "
               "point, loops over\n"
               "faces or neighbours counted in full. loads, stores: elements per point as executed; an "
               "equation's loads:\n"
               "what its formula reads, in loops once. bytes: compulsory traffic per point, each component "
               "once; no reuse:\n"
               "every access from memory. flop/B: shared per byte.\n");
}
