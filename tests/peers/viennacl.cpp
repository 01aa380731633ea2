// ViennaCL over OpenCL, on its default device: conjugate gradients with Jacobi. peer_viennacl SYSTEM TOLERANCE
#define VIENNACL_WITH_OPENCL
#include <viennacl/compressed_matrix.hpp>
#include <viennacl/linalg/cg.hpp>
#include <viennacl/linalg/jacobi_precond.hpp>
#include <viennacl/linalg/norm_2.hpp>
#include <viennacl/linalg/prod.hpp>
#include <viennacl/vector.hpp>

#include <chrono>
#include <vector>

#include "system_file.h"

static double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

int main(int argc, char **argv) {
  if (argc != 3) return 2;
  const system_file s = system_load(argv[1]);
  const double tolerance = atof(argv[2]);
  viennacl::compressed_matrix<double> a(s.rows, s.rows);
  a.set(s.start, s.col, s.value, s.rows, s.rows, s.entries);
  viennacl::vector<double> b(s.rows), x(s.rows), r(s.rows);
  viennacl::copy(s.b, s.b + s.rows, b.begin());

  r = viennacl::linalg::prod(a, b);
  viennacl::backend::finish();
  double begun = now();
  const int products = 20;
  for (int k = 0; k < products; k++) r = viennacl::linalg::prod(a, b);
  viennacl::backend::finish();
  const double spmv = (now() - begun) / products;

  begun = now();
  viennacl::linalg::jacobi_precond<viennacl::compressed_matrix<double>> jacobi(a, viennacl::linalg::jacobi_tag());
  viennacl::backend::finish();
  const double setup = now() - begun;
  x = viennacl::linalg::solve(a, b, viennacl::linalg::cg_tag(tolerance, 3), jacobi); // its kernels are built
  viennacl::backend::finish();
  begun = now();
  viennacl::linalg::cg_tag tag(tolerance, 10000);
  x = viennacl::linalg::solve(a, b, tag, jacobi);
  viennacl::backend::finish();
  const double solve = now() - begun;
  r = viennacl::linalg::prod(a, x);
  r = b - r;
  const double residual = viennacl::linalg::norm_2(r) / viennacl::linalg::norm_2(b);
  printf("ViennaCL-OpenCL jacobi %.9g %.9g %.9g %d %.3g\n", spmv, setup, solve, (int)tag.iters(), residual);
  return 0;
}
