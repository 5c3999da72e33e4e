#include "quote/decimal.h"

namespace hearth {
namespace {

constexpr uint64_t kLimit = 1000000000000000000ull;  // mantissas stay below 10^18
constexpr int kMaxExponent = 24;

uint64_t magnitude(int64_t value) {
  return value < 0 ? 0 - static_cast<uint64_t>(value) : static_cast<uint64_t>(value);
}
int64_t with_sign(uint64_t value, bool negative) {
  return negative ? -static_cast<int64_t>(value) : static_cast<int64_t>(value);
}

/// value / 10^digits, rounded half away from zero.
uint64_t drop_digits(uint64_t value, int digits) {
  if (digits > 19) return 0;
  uint64_t last = 0;
  for (; digits > 0; digits--) {
    last = value % 10;
    value /= 10;
  }
  return value + (last >= 5 ? 1 : 0);
}

/// Normalizes a magnitude and an exponent into range; returns false if the value is too large.
bool fit(uint64_t value, int exponent, bool negative, Decimal* result) {
  int drop = 0;
  for (uint64_t rest = value; rest >= kLimit; rest /= 10) drop++;
  if (exponent + drop < -kMaxExponent) drop = -kMaxExponent - exponent;
  if (drop > 0) {
    value = drop_digits(value, drop);
    exponent += drop;
    if (value >= kLimit) {
      value /= 10;
      exponent++;
    }
  }
  while (exponent > kMaxExponent && value != 0 && value < kLimit / 10) {
    value *= 10;
    exponent--;
  }
  if (value == 0) {
    exponent = 0;
    negative = false;
  }
  if (exponent > kMaxExponent) return false;
  *result = Decimal{with_sign(value, negative), static_cast<int8_t>(exponent)};
  return true;
}

/// Converts both to one exponent; digits of the smaller value beyond the 18th are rounded away.
int align(Decimal* a, Decimal* b) {
  if (a->mantissa == 0) a->exponent = b->exponent;
  if (b->mantissa == 0) b->exponent = a->exponent;
  Decimal* large = a->exponent >= b->exponent ? a : b;
  Decimal* small = large == a ? b : a;
  while (large->exponent > small->exponent && magnitude(large->mantissa) < kLimit / 10) {
    large->mantissa *= 10;
    large->exponent = static_cast<int8_t>(large->exponent - 1);
  }
  const int drop = large->exponent - small->exponent;
  small->mantissa = with_sign(drop_digits(magnitude(small->mantissa), drop), small->mantissa < 0);
  small->exponent = large->exponent;
  return large->exponent;
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }

}  // namespace

bool parse_decimal(const char* text, size_t size, Decimal* value) {
  size_t at = 0;
  const bool negative = at < size && text[at] == '-';
  if (negative) at++;
  if (at >= size || !is_digit(text[at])) return false;
  if (text[at] == '0' && at + 1 < size && is_digit(text[at + 1])) return false;
  uint64_t mantissa = 0;
  int32_t exponent = 0;
  bool fraction = false;
  char first_lost = 0;
  for (; at < size && (is_digit(text[at]) || (text[at] == '.' && !fraction)); at++) {
    if (text[at] == '.') {
      fraction = true;
      if (at + 1 >= size || !is_digit(text[at + 1])) return false;
      continue;
    }
    if (mantissa < kLimit / 10) {
      mantissa = mantissa * 10 + static_cast<uint64_t>(text[at] - '0');
      if (fraction) exponent--;
    } else {
      if (first_lost == 0) first_lost = text[at];
      if (!fraction) exponent++;
    }
    if (exponent > 10000 || exponent < -10000) return false;
  }
  if (first_lost >= '5') mantissa++;
  if (at < size && (text[at] == 'e' || text[at] == 'E')) {
    at++;
    bool minus = false;
    if (at < size && (text[at] == '+' || text[at] == '-')) minus = text[at++] == '-';
    if (at >= size || !is_digit(text[at])) return false;
    int32_t power = 0;
    for (; at < size && is_digit(text[at]); at++) {
      if (power < 10000) power = power * 10 + (text[at] - '0');
    }
    exponent += minus ? -power : power;
  }
  if (at != size) return false;
  return fit(mantissa, exponent, negative, value);
}

int compare(Decimal a, Decimal b) {
  if (a.mantissa == 0 || b.mantissa == 0 || (a.mantissa < 0) != (b.mantissa < 0))
    return a.mantissa < b.mantissa ? -1 : a.mantissa > b.mantissa ? 1 : 0;
  align(&a, &b);
  return a.mantissa < b.mantissa ? -1 : a.mantissa > b.mantissa ? 1 : 0;
}

bool add(Decimal a, Decimal b, Decimal* sum) {
  const int exponent = align(&a, &b);
  const int64_t total = a.mantissa + b.mantissa;  // both below 10^18
  return fit(magnitude(total), exponent, total < 0, sum);
}

bool subtract(Decimal a, Decimal b, Decimal* difference) {
  b.mantissa = -b.mantissa;
  return add(a, b, difference);
}

bool multiply(Decimal a, Decimal b, Decimal* product) {
  const uint64_t x = magnitude(a.mantissa);
  const uint64_t y = magnitude(b.mantissa);
  const uint64_t low = (x & 0xffffffffu) * (y & 0xffffffffu);
  const uint64_t cross = (x >> 32) * (y & 0xffffffffu) + (low >> 32);
  const uint64_t other = (x & 0xffffffffu) * (y >> 32) + (cross & 0xffffffffu);
  uint64_t high = (x >> 32) * (y >> 32) + (cross >> 32) + (other >> 32);
  uint64_t rest = (other << 32) | (low & 0xffffffffu);
  int exponent = a.exponent + b.exponent;
  uint32_t last = 0;
  while (high != 0) {  // 128-bit division by ten in 32-bit steps
    const uint64_t h0 = high / 10;
    uint64_t carry = high % 10;
    carry = (carry << 32) | (rest >> 32);
    const uint64_t r1 = carry / 10;
    carry = ((carry % 10) << 32) | (rest & 0xffffffffu);
    last = static_cast<uint32_t>(carry % 10);
    rest = (r1 << 32) | (carry / 10);
    high = h0;
    exponent++;
  }
  if (rest < kLimit && last >= 5) rest++;
  return fit(rest, exponent, (a.mantissa < 0) != (b.mantissa < 0), product);
}

bool divide(Decimal a, Decimal b, Decimal* quotient) {
  if (b.mantissa == 0) return false;
  const uint64_t divisor = magnitude(b.mantissa);
  uint64_t result = magnitude(a.mantissa) / divisor;
  uint64_t rest = magnitude(a.mantissa) % divisor;
  int exponent = a.exponent - b.exponent;
  while (rest != 0 && result < kLimit / 10) {
    rest *= 10;
    result = result * 10 + rest / divisor;
    rest %= divisor;
    if (--exponent < -2 * kMaxExponent) break;
  }
  return fit(result, exponent, (a.mantissa < 0) != (b.mantissa < 0), quotient);
}

bool ratio(Decimal a, Decimal b, int digits, int32_t* result) {
  if (b.mantissa == 0) return false;
  if (a.mantissa == 0) {
    *result = 0;
    return true;
  }
  const bool negative = (a.mantissa < 0) != (b.mantissa < 0);
  align(&a, &b);
  if (b.mantissa == 0) return false;  // b is more than 10^18 times smaller
  const uint64_t divisor = magnitude(b.mantissa);
  uint64_t quotient = magnitude(a.mantissa) / divisor;
  uint64_t rest = magnitude(a.mantissa) % divisor;
  for (; digits > 0; digits--) {
    if (quotient > 0x7fffffffu) return false;
    rest *= 10;  // divisor < 10^18, so this stays below 2^64
    quotient = quotient * 10 + rest / divisor;
    rest %= divisor;
  }
  if (rest >= divisor - rest) quotient++;
  if (quotient > 0x7fffffffu) return false;
  *result = negative ? -static_cast<int32_t>(quotient) : static_cast<int32_t>(quotient);
  return true;
}

bool percent_change(Decimal price, Decimal base, int32_t* hundredths) {
  Decimal difference;
  if (!subtract(price, base, &difference)) return false;
  if (base.mantissa < 0) base.mantissa = -base.mantissa;
  return ratio(difference, base, 4, hundredths);
}

bool rescale(Decimal value, int exponent, int64_t* mantissa) {
  uint64_t digits = magnitude(value.mantissa);
  int from = value.exponent;
  for (; from > exponent && digits != 0; from--) {
    if (digits >= kLimit / 10) return false;
    digits *= 10;
  }
  if (from < exponent) digits = drop_digits(digits, exponent - from);
  *mantissa = with_sign(digits, value.mantissa < 0);
  return true;
}

Decimal reduced(Decimal value) {
  if (value.mantissa == 0) return Decimal{0, 0};
  while (value.mantissa % 10 == 0 && value.exponent < kMaxExponent) {
    value.mantissa /= 10;
    value.exponent = static_cast<int8_t>(value.exponent + 1);
  }
  return value;
}

}  // namespace hearth
