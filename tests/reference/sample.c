#include "sample.h"

#include <math.h>
#include <stdlib.h>

sample *sample_create(rectangle_spec spec) {
  sample *s = calloc(1, sizeof *s);
  if (!s) return NULL;
  s->params = sw_default_params();
  s->params.threads = 1; /* small meshes: threads would only wait for one another */
  s->mesh = rectangle_create(spec);
  s->n = s->mesh ? s->mesh->mesh.n_cells : 0;
  size_t n = (size_t)s->n;
  s->h = s->mesh ? calloc(5 * n, sizeof *s->h) : NULL;
  if (!s->h) {
    sample_destroy(&s);
    return NULL;
  }
  s->qx = s->h + n;
  s->qy = s->qx + n;
  s->z = s->qy + n;
  s->manning = s->z + n;
  return s;
}

void sample_destroy(sample **p) {
  sample *s = *p;
  *p = NULL;
  if (!s) return;
  sw_destroy(&s->solver);
  rectangle_destroy(&s->mesh);
  free(s->h);
  free(s);
}

static exact_state at(const sample *s, int32_t c, sample_field field, const void *context) {
  return field(s->mesh->centre[2 * c], s->mesh->centre[2 * c + 1], context);
}

void sample_fill(sample *s, sample_field field, const void *context, double manning) {
  for (int32_t c = 0; c < s->n; c++) {
    exact_state e = at(s, c, field, context);
    s->h[c] = e.h;
    s->qx[c] = e.h * e.u;
    s->qy[c] = e.h * e.v;
    s->z[c] = e.z;
    s->manning[c] = manning;
  }
}

bool sample_start(sample *s) {
  sw_destroy(&s->solver);
  if (!sw_create(&s->solver, &s->mesh->mesh, &s->params, s->mesh->boundary)) return false;
  sw_set_state(s->solver, s->h, s->qx, s->qy, s->z, s->manning);
  return true;
}

void sample_fetch(sample *s) { sw_get_state(s->solver, s->h, s->qx, s->qy); }

double sample_depth_error(sample *s, sample_field exact, const void *context) {
  double error = 0, total = 0;
  sample_fetch(s);
  for (int32_t c = 0; c < s->n; c++) {
    double h = at(s, c, exact, context).h;
    error += s->mesh->area[c] * fabs(s->h[c] - h);
    total += s->mesh->area[c];
  }
  return error / total;
}

double sample_max_discharge(sample *s) {
  double q = 0;
  sample_fetch(s);
  for (int32_t c = 0; c < s->n; c++) q = fmax(q, hypot(s->qx[c], s->qy[c]));
  return q;
}

double sample_min_depth(sample *s) {
  double h = INFINITY;
  sample_fetch(s);
  for (int32_t c = 0; c < s->n; c++) h = fmin(h, s->h[c]);
  return h;
}
