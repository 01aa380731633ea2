// The values of a sliced form from those in CSR order; source -1: filling.
KERNEL(sliced_values, BUFFER(const int, source) BUFFER(const double, off) BUFFER(double, value))
{
  FOR_ITEMS(i, 0) value[i] = source[i] < 0 ? 0.0 : off[source[i]];
}
END
