#include "rectangle.h"

#include <math.h>
#include <stdlib.h>

typedef struct point {
  double x, y;
} point;

/* A pseudo-random number in [-1, 1) that depends on k alone. */
static double noise(uint64_t k) {
  k = (k + 0x9e3779b97f4a7c15u) * 0xbf58476d1ce4e5b9u;
  k = (k ^ (k >> 29)) * 0x94d049bb133111ebu;
  return (double)((k ^ (k >> 32)) >> 11) * 0x1p-52 - 1.0;
}

static point node(const rectangle_spec *s, int i, int j) {
  double dx = (s->x1 - s->x0) / s->nx, dy = (s->y1 - s->y0) / s->ny;
  bool inner = i > 0 && j > 0 && i < s->nx && j < s->ny;
  uint64_t k = 2 * ((uint64_t)j * (uint64_t)(s->nx + 1) + (uint64_t)i);
  double ex = inner ? s->jitter * noise(k) : 0, ey = inner ? s->jitter * noise(k + 1) : 0;
  return (point){s->x0 + dx * (i + ex), s->y0 + dy * (j + ey)};
}

/* Does the square's diagonal run from its corner b to d rather than from a to c? */
static bool flipped(const rectangle_spec *s, int i, int j) { return s->alternate && (i + j) % 2; }

/* The triangle of square (i, j) that holds the square's given side. */
static int32_t triangle_at(const rectangle_spec *s, int i, int j, rectangle_side side) {
  bool low = side == RECTANGLE_BOTTOM || side == (flipped(s, i, j) ? RECTANGLE_LEFT : RECTANGLE_RIGHT);
  return 2 * (j * s->nx + i) + (low ? 0 : 1);
}

/* The face from p to q has its left cell on the left hand of that walk. */
static void put_face(rectangle *r, int32_t f, int32_t left, int32_t right, point p, point q) {
  double dx = q.x - p.x, dy = q.y - p.y, l = hypot(dx, dy);
  r->left[f] = left;
  r->right[f] = right;
  r->normal[2 * f] = dy / l;
  r->normal[2 * f + 1] = -dx / l;
  r->length[f] = l;
}

static void put_cell(rectangle *r, int32_t c, point a, point b, point d) {
  r->area[c] = 0.5 * ((b.x - a.x) * (d.y - a.y) - (b.y - a.y) * (d.x - a.x));
  r->centre[2 * c] = (a.x + b.x + d.x) / 3;
  r->centre[2 * c + 1] = (a.y + b.y + d.y) / 3;
}

/* The cells of a square and the inner faces it owns: its diagonal, its right and its top side. */
static int32_t put_square(rectangle *r, const rectangle_spec *s, int i, int j, int32_t f) {
  point a = node(s, i, j), b = node(s, i + 1, j), c = node(s, i + 1, j + 1), d = node(s, i, j + 1);
  int32_t low = 2 * (j * s->nx + i), high = low + 1;
  bool flip = flipped(s, i, j);
  put_cell(r, low, a, b, flip ? d : c);
  put_cell(r, high, flip ? b : a, c, d);
  put_face(r, f++, low, high, flip ? b : c, flip ? d : a);
  if (i + 1 < s->nx)
    put_face(r, f++, triangle_at(s, i, j, RECTANGLE_RIGHT), triangle_at(s, i + 1, j, RECTANGLE_LEFT), b, c);
  if (j + 1 < s->ny)
    put_face(r, f++, triangle_at(s, i, j, RECTANGLE_TOP), triangle_at(s, i, j + 1, RECTANGLE_BOTTOM), c, d);
  return f;
}

static void put_boundary(rectangle *r, const rectangle_spec *s, int32_t f) {
  int nx = s->nx, ny = s->ny;
  for (int j = 0; j < ny; j++)
    put_face(r, f++, triangle_at(s, 0, j, RECTANGLE_LEFT), -1, node(s, 0, j + 1), node(s, 0, j));
  for (int j = 0; j < ny; j++)
    put_face(r, f++, triangle_at(s, nx - 1, j, RECTANGLE_RIGHT), -1, node(s, nx, j), node(s, nx, j + 1));
  for (int i = 0; i < nx; i++)
    put_face(r, f++, triangle_at(s, i, 0, RECTANGLE_BOTTOM), -1, node(s, i, 0), node(s, i + 1, 0));
  for (int i = 0; i < nx; i++)
    put_face(r, f++, triangle_at(s, i, ny - 1, RECTANGLE_TOP), -1, node(s, i + 1, ny), node(s, i, ny));
}

static bool allocate(rectangle *r, int32_t cells, int32_t faces, int32_t boundary) {
  size_t f = (size_t)faces, c = (size_t)cells;
  r->left = malloc(f * sizeof *r->left);
  r->right = malloc(f * sizeof *r->right);
  r->normal = malloc(2 * f * sizeof *r->normal);
  r->length = malloc(f * sizeof *r->length);
  r->area = malloc(c * sizeof *r->area);
  r->centre = malloc(2 * c * sizeof *r->centre);
  r->boundary = calloc((size_t)boundary, sizeof *r->boundary);
  return r->left && r->right && r->normal && r->length && r->area && r->centre && r->boundary;
}

rectangle *rectangle_create(rectangle_spec s) {
  int32_t cells = 2 * s.nx * s.ny, outer = 2 * (s.nx + s.ny), faces = (3 * cells + outer) / 2;
  rectangle *r = calloc(1, sizeof *r);
  if (r && !allocate(r, cells, faces, outer)) rectangle_destroy(&r);
  if (!r) return NULL;
  r->nx = s.nx;
  r->ny = s.ny;
  int32_t f = 0;
  for (int j = 0; j < s.ny; j++)
    for (int i = 0; i < s.nx; i++) f = put_square(r, &s, i, j, f);
  put_boundary(r, &s, f);
  r->mesh = (sw_mesh){cells, faces, f, r->left, r->right, r->normal, r->length, r->area, r->centre};
  return r;
}

void rectangle_destroy(rectangle **p) {
  rectangle *r = *p;
  *p = NULL;
  if (!r) return;
  free(r->left);
  free(r->right);
  free(r->normal);
  free(r->length);
  free(r->area);
  free(r->centre);
  free(r->boundary);
  free(r);
}

void rectangle_set_side(rectangle *r, rectangle_side side, sw_boundary b) {
  const int first[] = {0, r->ny, 2 * r->ny, 2 * r->ny + r->nx};
  int count = side <= RECTANGLE_RIGHT ? r->ny : r->nx;
  for (int i = 0; i < count; i++) r->boundary[first[side] + i] = b;
}
