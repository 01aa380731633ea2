// Double-single numbers: the sum of two floats, of which the second is what the first lacks, some 48 bits of a double's 53 and the range of a
// float. Dekker, "A floating-point technique for extending the available precision", Numer. Math. 18 (1971), 224-242; Hida, Li and Bailey,
// "Algorithms for quad-double precision floating point arithmetic", ARITH-15 (2001). Both lie in a long, the first in its upper half, so that what
// holds a double holds one. What is not finite has 0 as its second part. Functions of the second half are written in doubles: they are rewritten
// as all that follows them is (double_single.c).

static inline float ds_high(const long x) { return as_float((int)(x >> 32)); }
static inline float ds_low(const long x) { return as_float((int)(((x & 4294967295L) ^ 2147483648L) - 2147483648L)); }
static inline long ds_of(const float high, const float low) { return (long)as_int(high)*4294967296L + ((long)as_int(low) & 4294967295L); }

// high + low, where |high| >= |low| or high is 0.
static inline long ds_quick(const float high, const float low)
{
  const float sum = high + low;
  const float rest = low - (sum - high);
  return ds_of(sum, sum - sum == 0.0f ? rest : 0.0f);
}

static inline long ds_from_float(const float x) { return ds_of(x, 0.0f); }
static inline long ds_from_int(const int x)
{
  return ds_quick((float)(x/256)*256.0f, (float)(x%256));
}
static inline long ds_from_long(const long x)
{
  const float high = (float)(x/1099511627776L)*1099511627776.0f;
  const long below = x%1099511627776L;
  const float middle = (float)(below/65536)*65536.0f, low = (float)(below%65536);
  const float sum = high + middle;
  const float rest = middle - (sum - high);
  return ds_quick(sum, rest + low);
}
static inline float ds_to_float(const long x) { return ds_high(x); }
// Towards 0.
static inline long ds_to_long(const long x)
{
  const float high = ds_high(x), low = ds_low(x);
  const float whole = high < 0.0f ? ceil(high) : floor(high);
  const float part = whole != high ? 0.0f : high < 0.0f ? ceil(low) : floor(low);
  return (long)whole + (long)part;
}

static inline long ds_neg(const long x) { return ds_of(-ds_high(x), -ds_low(x)); }
static inline long ds_fabs(const long x) { return as_int(ds_high(x)) < 0 ? ds_neg(x) : x; }

static inline int ds_lt(const long a, const long b)
{
  return ds_high(a) < ds_high(b) || (ds_high(a) == ds_high(b) && ds_low(a) < ds_low(b));
}
static inline int ds_le(const long a, const long b)
{
  return ds_high(a) < ds_high(b) || (ds_high(a) == ds_high(b) && ds_low(a) <= ds_low(b));
}
static inline int ds_eq(const long a, const long b) { return ds_high(a) == ds_high(b) && ds_low(a) == ds_low(b); }
static inline int ds_ne(const long a, const long b) { return !ds_eq(a, b); }

static inline long ds_add(const long a, const long b)
{
  const float sum = ds_high(a) + ds_high(b);
  const float of_b = sum - ds_high(a);
  const float rest = (ds_high(a) - (sum - of_b)) + (ds_high(b) - of_b);
  const float low = ds_low(a) + ds_low(b);
  const float low_of_b = low - ds_low(a);
  const float low_rest = (ds_low(a) - (low - low_of_b)) + (ds_low(b) - low_of_b);
  const float once = rest + low;
  const float high = sum + once;
  const float twice = once - (high - sum);
  return sum - sum == 0.0f ? ds_quick(high, twice + low_rest) : ds_of(sum, 0.0f);
}
static inline long ds_sub(const long a, const long b) { return ds_add(a, ds_neg(b)); }

static inline long ds_mul(const long a, const long b)
{
  const float product = ds_high(a)*ds_high(b);
  const float rest = fma(ds_high(a), ds_high(b), -product);
  const float across = fma(ds_high(a), ds_low(b), ds_low(a)*ds_high(b));
  return product - product == 0.0f ? ds_quick(product, rest + across) : ds_of(product, 0.0f);
}

static inline long ds_div(const long a, const long b)
{
  const float first = ds_high(a)/ds_high(b);
  const long left = ds_sub(a, ds_mul(ds_from_float(first), b));
  const float second = ds_high(left)/ds_high(b);
  const float third = ds_high(ds_sub(left, ds_mul(ds_from_float(second), b)))/ds_high(b);
  const int is_plain = first - first == 0.0f && ds_high(b) - ds_high(b) == 0.0f && first != 0.0f;
  return is_plain ? ds_add(ds_quick(first, second), ds_from_float(third)) : ds_of(first, 0.0f);
}

static inline long ds_sqrt(const long x)
{
  const float root = sqrt(ds_high(x));
  const long left = ds_sub(x, ds_mul(ds_from_float(root), ds_from_float(root)));
  return root > 0.0f && root - root == 0.0f ? ds_quick(root, ds_high(left)/(2.0f*root)) : ds_of(root, 0.0f);
}

static inline long ds_floor(const long x)
{
  const float whole = floor(ds_high(x));
  return whole == ds_high(x) ? ds_quick(whole, floor(ds_low(x))) : ds_of(whole, 0.0f);
}
static inline long ds_ceil(const long x) { return ds_neg(ds_floor(ds_neg(x))); }
static inline long ds_rint(const long x)
{
  const float whole = rint(ds_high(x)), below = floor(ds_high(x)), part = ds_high(x) - below;
  const float tied = ds_low(x) > 0.0f ? below + 1.0f : ds_low(x) < 0.0f ? below : whole;
  return whole == ds_high(x) ? ds_quick(whole, rint(ds_low(x))) : ds_of(part == 0.5f ? tied : whole, 0.0f);
}

static inline int ds_isnan(const long x) { return ds_high(x) != ds_high(x); }
static inline int ds_isfinite(const long x) { return ds_high(x) - ds_high(x) == 0.0f; }
static inline int ds_isinf(const long x) { return !ds_isnan(x) && !ds_isfinite(x); }
static inline long ds_fmin(const long a, const long b) { return ds_isnan(a) || ds_lt(b, a) ? b : a; }
static inline long ds_fmax(const long a, const long b) { return ds_isnan(a) || ds_lt(a, b) ? b : a; }

// 2^n, for n from -126 to 127.
static inline float ds_power_of_2(const int n) { return as_float((n + 127)*8388608); }

// The bits of the double, and back; numbers below 1e-37 count as 0.
static inline long ds_as_long(const long x)
{
  const int high = as_int(ds_high(x)) & 2147483647, exponent = high/8388608 - 127;
  if (exponent < -122) return ds_high(x) < 0.0f ? (-9223372036854775807L - 1) : 0;
  if (exponent > 127) return ((long)(exponent + 896) & 2047)*4503599627370496L;
  const float sign = ds_high(x) < 0.0f ? -1.0f : 1.0f;
  // In units of 2^(exponent - 52): of the first part a multiple of 2^29, of the second less than 2^29.
  const int steps = 52 - exponent;
  const float low = sign*ds_low(x)*ds_power_of_2(steps/2)*ds_power_of_2(steps - steps/2);
  long mantissa = (long)((high & 8388607) + 8388608)*536870912L + (long)rint(low);
  int of_two = exponent;
  if (mantissa < 4503599627370496L) { // the second part is negative, the first a power of 2
    mantissa = mantissa*2;
    of_two = of_two - 1;
  }
  const long bits = (long)(of_two + 1023)*4503599627370496L + (mantissa - 4503599627370496L);
  return sign < 0.0f ? bits + (-9223372036854775807L - 1) : bits;
}
static inline long ds_as_double(const long bits)
{
  const long size = bits & 9223372036854775807L;
  const int exponent = (int)(size/4503599627370496L) - 1023;
  const long mantissa = size%4503599627370496L + 4503599627370496L;
  const float sign = bits < 0 ? -1.0f : 1.0f;
  if (exponent < -126) return ds_of(sign*0.0f, 0.0f);
  if (exponent > 127) return ds_of(size > 9218868437227405312L ? NAN : sign*INFINITY, 0.0f);
  const float scale = sign*ds_power_of_2(exponent > -100 ? exponent : exponent + 24), again = exponent > -100 ? 1.0f : ds_power_of_2(-24);
  const float high = (float)(mantissa/536870912)*ds_power_of_2(-23)*scale*again;
  const float low = (float)(mantissa%536870912)*ds_power_of_2(-52)*scale*again;
  return ds_quick(high, low);
}

// ---- Written in doubles ------------------------------------------------------------------------------------------------------------------

static inline double ds_fma(const double a, const double b, const double c) { return a*b + c; }

// x*2^n, for n from -252 to 254.
static inline double ds_scaled(const double x, const int n)
{
  const int half = n/2;
  return x*(double)ds_power_of_2(half)*(double)ds_power_of_2(n - half);
}

// exp(x) - 1 for |x| < 0.05.
static inline double ds_expm1_small(const double x)
{
  double sum = 1.0/40320.0;
  sum = sum*x + 1.0/5040.0;
  sum = sum*x + 1.0/720.0;
  sum = sum*x + 1.0/120.0;
  sum = sum*x + 1.0/24.0;
  sum = sum*x + 1.0/6.0;
  sum = sum*x + 0.5;
  return (sum*x + 1.0)*x;
}

static inline double ds_exp(const double x)
{
  const float near = (float)x;
  if (!(near > -87.0f)) return near == near ? 0.0 : x;
  if (near > 88.72f) return INFINITY;
  const float n = rint(near*1.44269504f);
  // ln 2 in parts, of which the first two times n are floats.
  const double part = (((x - (double)(n*0.693115234f)) - (double)(n*3.19443643e-05f)) - (double)n*1.82063600581969e-09)*0.125;
  double grown = ds_expm1_small(part);
  grown = grown*(grown + 2.0);
  grown = grown*(grown + 2.0);
  grown = grown*(grown + 2.0);
  return ds_scaled(grown + 1.0, (int)n);
}

static inline double ds_log(const double x)
{
  const float near = (float)x;
  if (!(near > 0.0f) || isinf(near)) return (double)log(near);
  // Of a number near 1, by Newton's method.
  const int n = (as_int(near) & 2147483647)/8388608 - 127;
  const double part = n > 120 ? ds_scaled(x*0.0625, 4 - n) : ds_scaled(x, -n);
  double root = (double)log((float)part);
  root = root + (part*ds_exp(-root) - 1.0);
  root = root + (part*ds_exp(-root) - 1.0);
  return root + (double)n*0.6931471805599453;
}

// The sine, and the cosine, of what is left of x behind multiples of a quarter of a turn.
static inline double ds_sine_near(const double x)
{
  const double square = x*x;
  double sum = 1.0/355687428096000.0;
  sum = sum*square - 1.0/1307674368000.0;
  sum = sum*square + 1.0/6227020800.0;
  sum = sum*square - 1.0/39916800.0;
  sum = sum*square + 1.0/362880.0;
  sum = sum*square - 1.0/5040.0;
  sum = sum*square + 1.0/120.0;
  sum = sum*square - 1.0/6.0;
  return x + x*square*sum;
}
static inline double ds_cosine_near(const double x)
{
  const double square = x*x;
  double sum = 1.0/20922789888000.0;
  sum = sum*square - 1.0/87178291200.0;
  sum = sum*square + 1.0/479001600.0;
  sum = sum*square - 1.0/3628800.0;
  sum = sum*square + 1.0/40320.0;
  sum = sum*square - 1.0/720.0;
  sum = sum*square + 1.0/24.0;
  return 1.0 - 0.5*square + square*square*sum;
}
// sin(x + shift/4 of a turn), to all digits for |x| up to some 1e4, and to fewer beyond.
static inline double ds_turned(const double x, const int shift)
{
  const float near = (float)x;
  if (!(near - near == 0.0f)) return NAN;
  const float n = rint(near*0.636619772f);
  const double left = ((x - (double)n*1.5703125) - (double)n*0.000483512878417969) - (double)n*3.13916473e-07 - (double)n*5.39030295e-15;
  const int turn = ((int)fmod(n, 4.0f) + shift + 4)%4;
  const double value = turn%2 ? ds_cosine_near(left) : ds_sine_near(left);
  return turn > 1 ? -value : value;
}
static inline double ds_sin(const double x) { return ds_turned(x, 0); }
static inline double ds_cos(const double x) { return ds_turned(x, 1); }
static inline double ds_tan(const double x) { return ds_turned(x, 0)/ds_turned(x, 1); }

// A float's angle, turned by what it lacks.
static inline double ds_atan2(const double y, const double x)
{
  const float near = atan2((float)y, (float)x);
  const float size = fmax(fabs((float)y), fabs((float)x));
  if (!(size > 0.0f) || isinf(size) || near != near) return (double)near;
  const double v = y/(double)size, u = x/(double)size, s = ds_turned((double)near, 0), c = ds_turned((double)near, 1);
  return (double)near + (v*c - u*s)/(u*c + v*s);
}
static inline double ds_atan(const double x) { return ds_atan2(x, 1.0); }
static inline double ds_asin(const double x) { return ds_atan2(x, sqrt((1.0 - x)*(1.0 + x))); }
static inline double ds_acos(const double x) { return ds_atan2(sqrt((1.0 - x)*(1.0 + x)), x); }

static inline double ds_sinh(const double x)
{
  const double square = x*x, grown = ds_exp(fabs(x));
  double sum = 1.0/6227020800.0;
  sum = sum*square + 1.0/39916800.0;
  sum = sum*square + 1.0/362880.0;
  sum = sum*square + 1.0/5040.0;
  sum = sum*square + 1.0/120.0;
  sum = sum*square + 1.0/6.0;
  const double far = 0.5*(grown - 1.0/grown);
  return fabs(x) < 0.3 ? x + x*square*sum : x < 0.0 ? -far : far;
}
static inline double ds_cosh(const double x)
{
  const double grown = ds_exp(fabs(x));
  return 0.5*(grown + 1.0/grown);
}
static inline double ds_tanh(const double x)
{
  if (fabs(x) > 20.0) return x < 0.0 ? -1.0 : 1.0;
  return ds_sinh(x)/ds_cosh(x);
}

static inline double ds_cbrt(const double x)
{
  const float near = cbrt((float)x);
  if (near == 0.0f || !(near - near == 0.0f)) return (double)near;
  const double root = (double)near;
  return root - (root - x/(root*root))*(1.0/3.0);
}

static inline double ds_power(const double base, const int n)
{
  double power = 1.0, square = base;
  for (int left = n; left > 0; left = left/2) {
    if (left%2) power = power*square;
    square = square*square;
  }
  return power;
}
static inline double ds_pow(const double base, const double exponent)
{
  const float near = pow((float)base, (float)exponent);
  const double size = fabs(exponent);
  const bool is_whole = floor(exponent) == exponent;
  if (exponent == 0.0 || base == 1.0) return 1.0;
  if (!(near - near == 0.0f) || near == 0.0f) return (double)near; // as a float has it: beyond its range, or no number
  if (is_whole && size <= 64.0) return exponent < 0.0 ? 1.0/ds_power(base, (int)size) : ds_power(base, (int)size);
  const double power = ds_exp(exponent*ds_log(fabs(base)));
  return near < 0.0f ? -power : power;
}

static inline double ds_fmod(const double a, const double b)
{
  const double size = fabs(b), of_a = fabs(a), near = of_a - floor(of_a/size)*size;
  const double rest = near < 0.0 ? near + size : near >= size ? near - size : near;
  return a < 0.0 ? -rest : rest;
}
static inline double ds_hypot(const double a, const double b)
{
  const double larger = fmax(fabs(a), fabs(b)), smaller = fmin(fabs(a), fabs(b));
  if (larger == 0.0 || !isfinite(larger)) return larger;
  const double ratio = smaller/larger;
  return larger*sqrt(1.0 + ratio*ratio);
}
