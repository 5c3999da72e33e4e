// Prices without float: an integer mantissa and a power of ten. Same result on every chip.
#pragma once
#include <stddef.h>
#include <stdint.h>

namespace hearth {

/// value = mantissa * 10^exponent, |mantissa| < 10^18, exponent -24..24.
struct Decimal {
  int64_t mantissa;
  int8_t exponent;
};

/// Parses a JSON number (RFC 8259); the text must contain nothing else. Digits past the 18th are rounded half away from
/// zero. False for anything else, and for values too large; values too small become 0.
bool parse_decimal(const char* text, size_t size, Decimal* value);

/// -1, 0, 1 as a is below, equal to (in 17 digits) or above b.
int compare(Decimal a, Decimal b);
inline bool is_zero(Decimal a) { return a.mantissa == 0; }
inline bool is_negative(Decimal a) { return a.mantissa < 0; }

/// Sums lose digits past the 18th; false when the result does not fit.
bool add(Decimal a, Decimal b, Decimal* sum);
bool subtract(Decimal a, Decimal b, Decimal* difference);
bool multiply(Decimal a, Decimal b, Decimal* product);

/// a / b with 15 to 18 digits, the last one cut; false for b = 0 or when the result does not fit.
bool divide(Decimal a, Decimal b, Decimal* quotient);

/// a / b * 10^digits, rounded half away from zero, as an integer; false for b = 0 or a result past int32.
bool ratio(Decimal a, Decimal b, int digits, int32_t* result);

/// (price - base) / |base| in hundredths of a percent: 1.234 % is 123. False for base = 0 or when it does not fit.
bool percent_change(Decimal price, Decimal base, int32_t* hundredths);

/// Mantissa at another exponent, rounded half away from zero; false when it does not fit in 18 digits.
bool rescale(Decimal value, int exponent, int64_t* mantissa);

/// The shortest equal decimal: trailing zeros of the mantissa go into the exponent.
Decimal reduced(Decimal value);

}  // namespace hearth
