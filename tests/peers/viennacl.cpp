// ViennaCL over OpenCL, on its default device: conjugate gradients with Jacobi. peer_viennacl SYSTEM TOLERANCE REPEATS
#define VIENNACL_WITH_OPENCL
#include <viennacl/compressed_matrix.hpp>
#include <viennacl/linalg/cg.hpp>
#include <viennacl/linalg/jacobi_precond.hpp>
#include <viennacl/linalg/norm_2.hpp>
#include <viennacl/linalg/prod.hpp>
#include <viennacl/vector.hpp>

#include <chrono>

#include "system_file.h"

static double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

using matrix = viennacl::compressed_matrix<double>;
using vector = viennacl::vector<double>;
using jacobi = viennacl::linalg::jacobi_precond<matrix>;

static double time_products(const matrix &a, const vector &b, vector &r) {
  const double begun = now();
  for (int k = 0; k < SYSTEM_PRODUCTS; k++) r = viennacl::linalg::prod(a, b);
  viennacl::backend::finish();
  return (now() - begun) / SYSTEM_PRODUCTS;
}

int main(int argc, char **argv) {
  if (argc != 4) return 2;
  const system_file s = system_load(argv[1]);
  const double tolerance = atof(argv[2]);
  const int repeats = system_repeats(argv[3]);
  matrix a(s.rows, s.rows);
  a.set(s.start, s.col, s.value, s.rows, s.rows, s.entries);
  vector b(s.rows), x(s.rows), r(s.rows);
  viennacl::copy(s.b, s.b + s.rows, b.begin());
  viennacl::linalg::cg_tag tag(tolerance, 10000);
  double spmv[SYSTEM_MOST_REPEATS + 1], setup[SYSTEM_MOST_REPEATS + 1], solve[SYSTEM_MOST_REPEATS + 1];
  for (int k = 0; k <= repeats; k++) {
    spmv[k] = time_products(a, b, r);
    double begun = now();
    const jacobi preconditioner(a, viennacl::linalg::jacobi_tag());
    viennacl::backend::finish();
    setup[k] = now() - begun;
    begun = now();
    x = viennacl::linalg::solve(a, b, tag, preconditioner);
    viennacl::backend::finish();
    solve[k] = now() - begun;
  }
  r = viennacl::linalg::prod(a, x);
  r = b - r;
  const double residual = viennacl::linalg::norm_2(r) / viennacl::linalg::norm_2(b);
  printf("ViennaCL-OpenCL jacobi %.9g %.9g %.9g %d %.3g\n", system_median(spmv, repeats),
         system_median(setup, repeats), system_median(solve, repeats), (int)tag.iters(), residual);
  return 0;
}
