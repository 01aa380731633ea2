#include "simple_ts_situations.h"

#include <math.h>

/* ---- pieces ------------------------------------------------------------------------------------------------------ */

static ts_boundary wall(double u, double v, double T) { return (ts_boundary){TS_WALL, {u, v}, 0, T}; }
static ts_boundary inlet(double u, double v) { return (ts_boundary){TS_INLET, {u, v}, 1.1, 1.05}; }
static ts_boundary reservoir(double p, double T) {
  return (ts_boundary){.kind = TS_RESERVOIR, .p = p, .T = T};
}
static const ts_boundary outlet = {.kind = TS_OUTLET}, periodic = {.kind = TS_PERIODIC};

static void sides(situation *s, ts_boundary left, ts_boundary right, ts_boundary bottom, ts_boundary top) {
  s->c.side[0] = left;
  s->c.side[1] = right;
  s->c.side[2] = bottom;
  s->c.side[3] = top;
}

static void cells(situation *s, int nx, int ny) {
  s->c.n[0] = nx;
  s->c.n[1] = ny;
  for (int k = 0; k < SITUATION_CELLS; k++) s->d[0][k] = .1, s->d[1][k] = .08;
}

static void uneven(situation *s) {
  for (int k = 0; k < SITUATION_CELLS; k++) {
    s->d[0][k] *= 1 + .3 * sin(1.7 * k);
    s->d[1][k] *= 1 + .2 * cos(2.3 * k);
  }
}

static void solid(situation *s, int x0, int x1, int y0, int y1, ts_boundary w) {
  s->solid[s->c.n_solids++] = (ts_solid){{x0, y0}, {x1, y1}, w};
}

/* ---- situations ---------------------------------------------------------------------------------------------------- */

static void closed_box(situation *s) {
  cells(s, 13, 11);
  uneven(s);
  sides(s, wall(0, .3, 1.2), wall(0, -.2, .9), wall(.2, 0, 1), wall(.4, 0, 1.1));
}

/* Walls that give way and push: gas is blown through a box. */
static void blown_box(situation *s) {
  cells(s, 9, 14);
  sides(s, wall(.2, .3, 1.2), wall(.1, -.2, .9), wall(.2, -.1, 1), wall(.4, .1, 1.1));
}

/* Two squares with two cells between them. */
static void channel_with_squares(situation *s) {
  cells(s, 31, 17);
  sides(s, inlet(.4, .1), outlet, wall(.4, 0, 1), wall(.3, 0, 1.1));
  solid(s, 8, 12, 3, 7, wall(0, 0, .9));
  solid(s, 8, 12, 9, 13, wall(.1, -.1, 1.1));
}

/* The same turned; streams from the other end. */
static void shaft_with_squares(situation *s) {
  cells(s, 17, 29);
  sides(s, wall(0, -.4, 1), wall(0, -.3, 1.1), outlet, inlet(.1, -.4));
  solid(s, 3, 7, 8, 12, wall(0, 0, .9));
  solid(s, 9, 13, 8, 12, wall(.1, -.1, 1.1));
}

static void uneven_channel(situation *s) {
  cells(s, 19, 10);
  uneven(s);
  sides(s, inlet(.4, .1), outlet, wall(.4, 0, 1), wall(.3, 0, 1.1));
}

static void between_reservoirs(situation *s) {
  cells(s, 21, 13);
  sides(s, reservoir(1.1, .95), reservoir(.9, 1.05), wall(.1, 0, 1), wall(-.1, 0, 1.1));
  solid(s, 6, 9, 0, 4, wall(0, 0, 1.2));
  solid(s, 12, 14, 8, 13, wall(0, 0, .8));
}

static void reservoirs_above(situation *s) {
  cells(s, 12, 15);
  uneven(s);
  sides(s, wall(0, .1, 1), wall(0, .2, 1.1), reservoir(1.1, .95), reservoir(.9, 1.05));
}

/* A solid in a corner, one that two walls of different kind meet, one in the gas. */
static void corners(situation *s) {
  cells(s, 18, 16);
  sides(s, wall(0, .3, 1.2), outlet, wall(.2, 0, 1), inlet(.1, -.3));
  solid(s, 0, 4, 0, 5, wall(0, 0, .9));
  solid(s, 9, 11, 7, 10, wall(0, 0, 1.3));
}

static void periodic_channel(situation *s) {
  cells(s, 14, 12);
  sides(s, periodic, periodic, wall(.5, 0, 1), wall(-.3, 0, 1.2));
  solid(s, 12, 14, 4, 7, wall(.1, 0, .9));
}

static void periodic_both(situation *s) {
  cells(s, 15, 13);
  sides(s, periodic, periodic, periodic, periodic);
  solid(s, 0, 3, 5, 8, wall(.1, .05, .9));
}

/* Wide and high enough for subdomains of a window without a wall in reach. */
static void wide_channel(situation *s) {
  cells(s, 90, 25);
  sides(s, inlet(.4, .1), outlet, wall(.4, 0, 1), wall(.3, 0, 1.1));
  solid(s, 20, 24, 9, 13, wall(0, 0, .9));
}

typedef void maker(situation *s);
static const struct {
  const char *name;
  maker *make;
} makers[] = {{"closed box", closed_box},
              {"blown box", blown_box},
              {"channel with squares", channel_with_squares},
              {"shaft with squares", shaft_with_squares},
              {"uneven channel", uneven_channel},
              {"between reservoirs", between_reservoirs},
              {"reservoirs above", reservoirs_above},
              {"corners", corners},
              {"periodic channel", periodic_channel},
              {"periodic both ways", periodic_both},
              {"wide channel", wide_channel}};

int situation_count(void) { return (int)(sizeof makers / sizeof *makers); }

void situation_make(int number, situation *out) {
  *out = (situation){.name = makers[number].name, .dt = .004, .c = {.params = ts_gas(.05)}};
  makers[number].make(out);
  for (int a = 0; a < 2; a++) {
    double *face = out->face[a];
    for (int i = 0; i < out->c.n[a]; i++) face[i + 1] = face[i] + out->d[a][i];
    for (int i = 0; i < out->c.n[a]; i++) out->d[a][i] = face[i + 1] - face[i];
    out->c.d[a] = out->d[a];
  }
  out->c.solid = out->solid;
}

/* ---- values -------------------------------------------------------------------------------------------------------- */

static double wave(double x, double y, int k) { return sin(3 * x + k) * cos(4 * y - 2 * k); }

void situation_fill(const situation *s, const ts_fields *f) {
  int nx = s->c.n[0], ny = s->c.n[1];
  for (int j = 0; j <= ny; j++)
    for (int i = 0; i <= nx; i++) {
      double x = .1 * i, y = .08 * j;
      if (j < ny) f->u[j * (nx + 1) + i] = .2 + .3 * wave(x, y, 2);
      if (i < nx) f->v[j * nx + i] = .3 * wave(x, y, 3);
      if (i == nx || j == ny) continue;
      f->p[j * nx + i] = 1 + .1 * wave(x, y, 0);
      f->T[j * nx + i] = 1 + .1 * wave(x, y, 1);
    }
}
