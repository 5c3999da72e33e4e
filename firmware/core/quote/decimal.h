// Prices without floating point: an integer mantissa and a power of ten, with the same result on every chip.
#pragma once
#include <stddef.h>
#include <stdint.h>

namespace hearth {

/// value = mantissa * 10^exponent, |mantissa| < 10^18, exponent -24..24.
struct Decimal {
  int64_t mantissa;
  int8_t exponent;
};

/// Parses a JSON number (RFC 8259); the text must contain nothing else. Digits beyond the 18th are rounded half away
/// from zero. Returns false for other texts and for values that are too large; values that are too small become 0.
bool parse_decimal(const char* text, size_t size, Decimal* value);

/// Returns -1, 0 or 1 if a is less than, equal to (in 17 digits) or greater than b.
int compare(Decimal a, Decimal b);
inline bool is_zero(Decimal a) { return a.mantissa == 0; }
inline bool is_negative(Decimal a) { return a.mantissa < 0; }

/// Sums lose digits beyond the 18th; returns false if the result does not fit.
bool add(Decimal a, Decimal b, Decimal* sum);
bool subtract(Decimal a, Decimal b, Decimal* difference);
bool multiply(Decimal a, Decimal b, Decimal* product);

/// a / b with 15 to 18 digits, the last one truncated; returns false for b = 0 or if the result does not fit.
bool divide(Decimal a, Decimal b, Decimal* quotient);

/// a / b * 10^digits, rounded half away from zero, as an integer; returns false for b = 0 or if the result exceeds
/// int32.
bool ratio(Decimal a, Decimal b, int digits, int32_t* result);

/// (price - base) / |base| in hundredths of a percent: 1.234 % is 123. Returns false for base = 0 or if it does not
/// fit.
bool percent_change(Decimal price, Decimal base, int32_t* hundredths);

/// The mantissa at another exponent, rounded half away from zero; returns false if it does not fit in 18 digits.
bool rescale(Decimal value, int exponent, int64_t* mantissa);

/// The shortest equal decimal: trailing zeros of the mantissa are moved into the exponent.
Decimal reduced(Decimal value);

}  // namespace hearth
