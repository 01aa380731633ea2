#!/usr/bin/env python3
"""Iterations of edgewise's multigrid beside those of pyamg's smoothed aggregation, both before conjugate gradients.

  pyamg_compare.py EDGEWISE      without pyamg, scipy: status 77, skipped

Systems: the five-point Laplacian on 100 x 100 cells, scaled by random diagonals (D A D), and with jumps of its coefficient; linear triangles
with jumps. pyamg's as it comes, and with its couplings chosen as here (symmetric, 0.08), which jumps ask for. Fails where edgewise takes more
than 3 times the fewer of both or does not converge. A tolerance is 1e-8, or 30 times what rounding
leaves of the residual of an exact solution where that is more; systems that are rounding alone (more than 1e-3) are left out.
"""
import json
import subprocess
import sys
import tempfile

try:
    import numpy as np
    import pyamg
    import scipy.io
    import scipy.sparse as sp
    from scipy.sparse.linalg import cg, spsolve
except ImportError as missing:
    print("skipped:", missing)
    sys.exit(77)

N = 100
Y, X = np.mgrid[0 : N + 1, 0 : N + 1]


def volumes(kappa):
    """Two-point fluxes between cells, values given outside."""
    at = np.arange(N * N).reshape(N, N)
    row, col, value, diagonal = [], [], [], np.zeros(N * N)
    for a, b, ka, kb in (
        (at[:-1], at[1:], kappa[:-1], kappa[1:]),
        (at[:, :-1], at[:, 1:], kappa[:, :-1], kappa[:, 1:]),
    ):
        a, b, h = a.ravel(), b.ravel(), (2 * ka * kb / (ka + kb)).ravel()
        row += [a, b]
        col += [b, a]
        value += [-h, -h]
        np.add.at(diagonal, a, h)
        np.add.at(diagonal, b, h)
    for edge, k in ((at[0], kappa[0]), (at[-1], kappa[-1]), (at[:, 0], kappa[:, 0]), (at[:, -1], kappa[:, -1])):
        np.add.at(diagonal, edge, 2 * k)
    off = sp.coo_matrix((np.concatenate(value), (np.concatenate(row), np.concatenate(col))), shape=(N * N, N * N))
    return (off + sp.diags_array(diagonal)).tocsr()


def triangles(kappa):
    """Squares cut in two, values given on the boundary."""
    m = N + 2
    at = np.arange(m * m).reshape(m, m)
    a, b, c, d = (s.ravel() for s in (at[:-1, :-1], at[1:, :-1], at[:-1, 1:], at[1:, 1:]))
    k = kappa.ravel() / 2
    row, col, value = [], [], []
    for p, q in ((a, b), (a, c), (d, b), (d, c)):
        row += [p, q, p, q]
        col += [q, p, p, q]
        value += [-k, -k, k, k]
    whole = sp.coo_matrix((np.concatenate(value), (np.concatenate(row), np.concatenate(col)))).tocsr()
    inside = at[1:-1, 1:-1].ravel()
    return whole[inside][:, inside]


def systems():
    random = np.random.default_rng(1)
    x, y = X[:N, :N], Y[:N, :N]
    plain = volumes(np.ones((N, N)))
    yield "A", plain, np.ones(N * N)
    for width in (0.5, 1, 2, 3):
        d = 10 ** random.uniform(-width, width, N * N)
        yield f"D A D, width {width}", sp.diags_array(d) @ plain @ sp.diags_array(d), np.ones(N * N)
    for jump in (1e6, 1e12):
        squares = (x // 10 % 2 == 1) & (y // 10 % 2 == 1)
        for name, kappa in (
            ("one half", np.where(x < N / 2, 1, jump)),
            ("layers", np.where(y % 20 < 3, jump, 1.0)),
            ("holes", np.where(squares, 1 / jump, 1.0)),
            ("inclusions", np.where(squares, jump, 1.0)),
            ("chequers", np.where((x // 10 + y // 10) % 2 == 1, jump, 1.0)),
            ("each cell by chance", jump ** random.uniform(-0.5, 0.5, (N, N))),
        ):
            yield f"{name}, {jump:.0e}", volumes(kappa), np.ones(N * N)
        kappa = np.where((X // 10 % 2 == 1) & (Y // 10 % 2 == 1), jump, 1.0)
        yield f"triangles, {jump:.0e}", triangles(kappa), np.ones(N * N)


def reachable(a, b):
    exact = spsolve(a.tocsc(), b)
    return max(1e-8, 30 * 2.2e-16 * np.linalg.norm(abs(a) @ abs(exact)) / np.linalg.norm(b))


def by_pyamg(a, b, tolerance, **options):
    made = [0]

    def count(_):
        made[0] += 1

    precondition = pyamg.smoothed_aggregation_solver(a, **options).aspreconditioner()
    _, info = cg(a, b, rtol=tolerance, maxiter=1000, M=precondition, callback=count)
    return made[0] if info == 0 else None


def by_edgewise(program, a, b, tolerance):
    with tempfile.TemporaryDirectory() as folder:
        matrix, rhs = folder + "/a.mtx", folder + "/b.mtx"
        scipy.io.mmwrite(matrix, a, symmetry="general", precision=17)
        scipy.io.mmwrite(rhs, b.reshape(-1, 1), precision=17)
        command = [program, "solve", matrix, "-b", rhs, "-d", "c", "-t", str(tolerance), "--json"]
        command += ["-m", "cg", "-p", "multigrid"]
        done = subprocess.run(command, capture_output=True, text=True)
    return json.loads(done.stdout)["iterations"] if done.returncode == 0 else None


def main():
    failed = False
    print(f"{'system':28} {'tolerance':>9} {'edgewise':>9} {'pyamg ' + pyamg.__version__:>12} {'0.08':>6}")
    for name, a, b in systems():
        a = a.tocsr()
        tolerance = reachable(a, b)
        if tolerance > 1e-3:
            print(f"{name:28} {tolerance:9.0e} beyond rounding")
            continue
        ours = by_edgewise(sys.argv[1], a, b, tolerance)
        plain = by_pyamg(a, b, tolerance)
        chosen = by_pyamg(a, b, tolerance, strength=("symmetric", {"theta": 0.08}))
        fewest = min(n for n in (plain, chosen, 1000) if n)
        bad = (plain or chosen) and (ours is None or ours > 3 * fewest)
        failed |= bool(bad)
        counts = f"{ours or 'none':>9} {plain or 'none':>12} {chosen or 'none':>6}"
        print(f"{name:28} {tolerance:9.0e} {counts}{' FAIL' if bad else ''}", flush=True)
    return 1 if failed else 0


sys.exit(main())
