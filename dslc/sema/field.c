#include "sema/field.h"

#include <math.h>

/* The largest primes below 2^31 but 2^31 - 1, in which 2 has the order 31, so that 2^31 would be 1. */
static const uint64_t prime[FIELD_LANES] = {2147483629, 2147483587, 2147483579, 2147483563};

#define EACH_LANE for (int i = 0; i < FIELD_LANES; i++)

/* x modulo p = 2^31 - c, for x < 2^63 and c < 2^7, where 2^31 is c: after two rounds x < 2^31 + 2^15. Division would take most of the
 * time of a proof. */
static uint64_t modulo(uint64_t x, uint64_t p) {
  const uint64_t low = 0x7fffffff, c = low + 1 - p;
  x = (x >> 31) * c + (x & low);
  x = (x >> 31) * c + (x & low);
  return x >= p ? x - p : x;
}

static uint64_t power(uint64_t base, uint64_t exponent, uint64_t p) {
  uint64_t result = 1;
  for (; exponent; exponent >>= 1, base = modulo(base * base, p))
    if (exponent & 1) result = modulo(result * base, p);
  return result;
}

field field_whole(int n) {
  field r;
  EACH_LANE r.lane[i] = (uint32_t)(((int64_t)n % (int64_t)prime[i] + (int64_t)prime[i]) % (int64_t)prime[i]);
  return r;
}

field field_number(double x) {
  int exponent;
  if (fabs(x) < 1e9 && x == (int)x) return field_whole((int)x);
  int64_t mantissa = (int64_t)ldexp(frexp(fabs(x), &exponent), 53);
  field r;
  exponent -= 53;
  EACH_LANE {
    uint64_t two = exponent < 0 ? (prime[i] + 1) / 2 : 2; /* or its inverse */
    uint64_t scale = power(two, (uint64_t)(exponent < 0 ? -exponent : exponent), prime[i]);
    r.lane[i] = (uint32_t)modulo(modulo((uint64_t)mantissa, prime[i]) * scale, prime[i]);
  }
  return x < 0 ? field_neg(r) : r;
}

static uint64_t mix(uint64_t x) {
  x ^= x >> 33;
  x *= 0xff51afd7ed558ccdULL;
  x ^= x >> 33;
  x *= 0xc4ceb9fe1a85ec53ULL;
  return x ^ x >> 33;
}

field field_random(uint64_t key) {
  field r;
  EACH_LANE r.lane[i] =
      (uint32_t)(mix(key * 0x9e3779b97f4a7c15ULL + (uint64_t)i * 0x632be59bd9b4e019ULL + 1) % prime[i]);
  return r;
}

field field_add(field a, field b) {
  EACH_LANE a.lane[i] = (uint32_t)modulo((uint64_t)a.lane[i] + b.lane[i], prime[i]);
  return a;
}

field field_neg(field a) {
  EACH_LANE a.lane[i] = a.lane[i] ? (uint32_t)(prime[i] - a.lane[i]) : 0;
  return a;
}

field field_sub(field a, field b) { return field_add(a, field_neg(b)); }

field field_mul(field a, field b) {
  EACH_LANE a.lane[i] = (uint32_t)modulo((uint64_t)a.lane[i] * b.lane[i], prime[i]);
  return a;
}

field field_div(field a, field b) {
  EACH_LANE b.lane[i] = (uint32_t)power(b.lane[i], prime[i] - 2, prime[i]);
  return field_mul(a, b);
}

bool field_equal(field a, field b) {
  EACH_LANE if (a.lane[i] != b.lane[i]) return false;
  return true;
}

bool field_is_zero(field a) { return field_equal(a, field_whole(0)); }

bool field_invertible(field a) {
  EACH_LANE if (a.lane[i] == 0) return false;
  return true;
}

bool field_is_upper(field a) {
  EACH_LANE if (a.lane[i] != 0) return a.lane[i] > prime[i] / 2;
  return false;
}

uint64_t field_hash(uint64_t key, field a) {
  EACH_LANE key = mix(key ^ (a.lane[i] + 0x9e3779b97f4a7c15ULL + (key << 6)));
  return key;
}
