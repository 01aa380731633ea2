// Conjugate gradients in single precision, refined in double: what begins and ends a piece of the iterations, which cg.cl has.

KERNEL(cg_narrow, BUFFER(const double, values) BUFFER(real, narrow))
{
  FOR_ITEMS(i, 0) narrow[i] = (real)values[i];
}
END

// The true residual goes on in single precision, for what is to be added to the solution, `x`. The second pair of vectors stays if this
// is a beginning `again`, so that the directions remain conjugate over it.
KERNEL(cg_start, INT(again) BUFFER(const double, residual) BUFFER(const real, diagonal) BUFFER(real, r) BUFFER(real, x)
                 BUFFER(real, p) BUFFER(real, s))
{
  FOR_ITEMS(i, 0) {
#ifdef JACOBI
    r[i] = (real)(residual[i]/diagonal[i]);
#else
    r[i] = (real)residual[i];
    (void)diagonal;
#endif
    x[i] = 0.0f;
    if (!again) p[i] = s[i] = 0.0f;
  }
}
END

KERNEL(cg_add, BUFFER(const real, x) BUFFER(double, solution))
{
  FOR_ITEMS(i, 0) solution[i] += x[i];
}
END
