/* States at the faces of meshes: one that points from L to R, one that does not. */
#include "gen_internal.h"

void gen_face_states(gen *g) {
  hit(g, C_STATE_FACES), hit(g, C_STATE_FLUX);
  emit(g, "  state flux uf @ faces\n  state af @ faces\n");
  sym *u = add_sym(g, "uf", W_FACES, R_SCALAR);
  u->odd = u->at_face = true;
  add_sym(g, "af", W_FACES, R_SCALAR)->at_face = true;
}

static void advance_all(gen *g, ctx *c) {
  hit(g, C_INTEGRATE_FACES);
  emit(g, "    integrate uf' = %s, ", gen_odd(g, c, R_SCALAR, 2));
  if (chance(g, 50)) emit(g, "af' = -0.3*af + 0.1*(%s), ", gen_even(g, c, R_SCALAR, 1));
  emit(g, "s0' = -0.2/volume*sum(f of c) area*uf*mean(s0) by %s over dt\n",
       chance(g, 50)   ? "ssp_rk3"
       : chance(g, 50) ? "heun"
                       : "rk4");
}

static void iterate(gen *g, ctx *c) {
  hit(g, C_REPEAT_FACES);
  emit(g,
       "    repeat {\n      update uf = 0.7*uf + 0.2*(%s)\n    } until max(f in faces) abs(uf - uf.old) < "
       "0.00317 at most %d\n",
       gen_odd(g, c, R_SCALAR, 1), 1 + below(g, 3));
}

static void assign_at_once(gen *g, ctx *c) {
  hit(g, C_UPDATE_BLOCK);
  emit(g, "    update {\n      uf = 0.8*uf + 0.2*(%s)\n", gen_odd(g, c, R_SCALAR, 1));
  emit(g,
       "      s0 = s0 - 0.1*dt/volume*sum(f of c) area*uf*(0.3 + af)\n      af = 0.7*af + 0.3*(%s)\n    }\n",
       gen_even(g, c, R_SCALAR, 2));
}

void gen_face_statements(gen *g) {
  ctx in_step = {.at = W_FACES, .axis = -1, .step = true}, in_rate = {.at = W_FACES, .axis = -1};
  const int k = below(g, 5);
  hit(g, C_UPDATE_FACES);
  if (k < 2) emit(g, "    update uf = 0.8*uf + 0.2*(%s)\n", gen_odd(g, &in_step, R_SCALAR, 2));
  else if (k == 2) advance_all(g, &in_rate);
  else if (k == 3) iterate(g, &in_step);
  else assign_at_once(g, &in_step);
  if (k != 4) emit(g, "    update af = 0.7*af + 0.3*(%s)\n", gen_even(g, &in_step, R_SCALAR, 2));
  if (k % 2) emit(g, "    update s0 = s0 - 0.1*dt/volume*sum(f of c) area*uf*mean(s0)\n");
}
