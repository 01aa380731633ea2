/* PETSc: conjugate gradients with Jacobi, and with GAMG. mpirun -n 2 peer_petsc SYSTEM TOLERANCE REPEATS */
#include <petscksp.h>

#include "system_file.h"

#define CHECK(call)                                                                                          \
  do {                                                                                                       \
    if ((call) != 0) MPI_Abort(PETSC_COMM_WORLD, 1);                                                         \
  } while (0)

typedef struct problem {
  Mat a;
  Vec b, x, r;
  double tolerance;
  int repeats;
} problem;

/* This rank's rows, a contiguous part of them all. */
static void make_problem(const system_file *s, problem *p) {
  PetscInt begin, end, rows = PETSC_DECIDE, all = s->rows;
  CHECK(PetscSplitOwnership(PETSC_COMM_WORLD, &rows, &all));
  CHECK(MPI_Scan(&rows, &end, 1, MPIU_INT, MPI_SUM, PETSC_COMM_WORLD));
  begin = end - rows;
  PetscInt *start = malloc(((size_t)rows + 1) * sizeof *start);
  for (PetscInt i = 0; i <= rows; i++) start[i] = s->start[begin + i] - s->start[begin];
  const PetscInt *col = s->col + s->start[begin];
  CHECK(MatCreateMPIAIJWithArrays(PETSC_COMM_WORLD, rows, rows, all, all, start, col,
                                  s->value + s->start[begin], &p->a));
  CHECK(MatCreateVecs(p->a, &p->x, &p->b));
  CHECK(VecDuplicate(p->b, &p->r));
  for (PetscInt i = begin; i < end; i++) CHECK(VecSetValue(p->b, i, s->b[i], INSERT_VALUES));
  CHECK(VecAssemblyBegin(p->b));
  CHECK(VecAssemblyEnd(p->b));
  free(start);
}

static double now(void) {
  CHECK(MPI_Barrier(PETSC_COMM_WORLD));
  return MPI_Wtime();
}

static double time_products(problem *p) {
  double begun = now();
  for (int k = 0; k < SYSTEM_PRODUCTS; k++) CHECK(MatMult(p->a, p->b, p->r));
  return (now() - begun) / SYSTEM_PRODUCTS;
}

static KSP make_solver(problem *p, PCType type) {
  KSP ksp;
  PC pc;
  CHECK(KSPCreate(PETSC_COMM_WORLD, &ksp));
  CHECK(KSPSetOperators(ksp, p->a, p->a));
  CHECK(KSPSetType(ksp, KSPCG));
  CHECK(KSPSetNormType(ksp, KSP_NORM_UNPRECONDITIONED));
  CHECK(KSPSetTolerances(ksp, p->tolerance, PETSC_DEFAULT, PETSC_DEFAULT, 10000));
  CHECK(KSPGetPC(ksp, &pc));
  CHECK(PCSetType(pc, type));
  CHECK(KSPSetFromOptions(ksp));
  return ksp;
}

/* A solver made, set up and used once. */
static void solve_once(problem *p, PCType type, double *setup, double *solve, PetscInt *iterations) {
  KSP ksp = make_solver(p, type);
  double begun = now();
  CHECK(KSPSetUp(ksp));
  CHECK(KSPSetUpOnBlocks(ksp));
  *setup = now() - begun;
  CHECK(VecSet(p->x, 0));
  begun = now();
  CHECK(KSPSolve(ksp, p->b, p->x));
  *solve = now() - begun;
  CHECK(KSPGetIterationNumber(ksp, iterations));
  CHECK(KSPDestroy(&ksp));
}

static double relative_residual(problem *p) {
  PetscReal residual, size;
  CHECK(MatMult(p->a, p->x, p->r));
  CHECK(VecAYPX(p->r, -1, p->b));
  CHECK(VecNorm(p->r, NORM_2, &residual));
  CHECK(VecNorm(p->b, NORM_2, &size));
  return (double)(residual / size);
}

static void measure(problem *p, const char *name, PCType type) {
  double spmv[SYSTEM_MOST_REPEATS + 1], setup[SYSTEM_MOST_REPEATS + 1], solve[SYSTEM_MOST_REPEATS + 1];
  PetscInt iterations = 0;
  for (int k = 0; k <= p->repeats; k++) {
    spmv[k] = time_products(p);
    solve_once(p, type, &setup[k], &solve[k], &iterations);
  }
  CHECK(PetscPrintf(PETSC_COMM_WORLD, "PETSc-2-ranks %s %.9g %.9g %.9g %d %.3g\n", name,
                    system_median(spmv, p->repeats), system_median(setup, p->repeats),
                    system_median(solve, p->repeats), (int)iterations, relative_residual(p)));
}

int main(int argc, char **argv) {
  problem p;
  if (argc < 4) return 2;
  CHECK(PetscInitialize(&argc, &argv, NULL, NULL));
  const system_file s = system_load(argv[1]);
  p.tolerance = atof(argv[2]);
  p.repeats = system_repeats(argv[3]);
  make_problem(&s, &p);
  measure(&p, "jacobi", PCJACOBI);
  measure(&p, "multigrid", PCGAMG);
  CHECK(PetscFinalize());
  return 0;
}
