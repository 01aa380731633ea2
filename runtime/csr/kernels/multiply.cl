KERNEL(csr_multiply, MATRIX BUFFER(const double, x) BUFFER(double, y))
{
  ROWS_LOCALS;
  FOR_ROWS(row, sum, x, 0) { y[row] = sum + diagonal[row]*x[row]; } END_ROWS
}
END
