#include <doctest/doctest.h>
#include <string.h>

#include <initializer_list>

#include "quote/decimal.h"

using namespace hearth;

static Decimal dec(const char* text) {
  Decimal value{};
  REQUIRE(parse_decimal(text, strlen(text), &value));
  return value;
}
static bool is(Decimal value, int64_t mantissa, int exponent) {
  return value.mantissa == mantissa && value.exponent == exponent;
}
static int32_t percent(const char* price, const char* base) {
  int32_t result = 0;
  REQUIRE(percent_change(dec(price), dec(base), &result));
  return result;
}

TEST_CASE("reads numbers exactly") {
  CHECK(is(dec("0"), 0, 0));
  CHECK(is(dec("-0.0"), 0, 0));
  CHECK(is(dec("234.56"), 23456, -2));
  CHECK(is(dec("-1.50"), -150, -2));
  CHECK(is(dec("1e9"), 1, 9));
  CHECK(is(dec("1.25E+3"), 125, 1));
  CHECK(is(dec("2.5e-7"), 25, -8));
  CHECK(is(dec("234.55999755859375"), 23455999755859375, -14));
  CHECK(is(dec("123456789012345678"), 123456789012345678, 0));
  CHECK(is(dec("1234567890123456785"), 123456789012345679, 1));
  CHECK(is(dec("9999999999999999999"), 100000000000000000, 2));
  CHECK(is(dec("0.1234567890123456784"), 123456789012345678, -18));
  CHECK(is(dec("1e-400"), 0, 0));
  CHECK(is(dec("0e999999"), 0, 0));
  CHECK(is(dec("1e40"), 10000000000000000, 24));
}

TEST_CASE("rejects anything but a JSON number") {
  Decimal value{};
  for (const char* text : {"", "-", "+1", "01", "-012", ".5", "1.", "1.e3", "1e", "1e+", "--1", "1.2.3", "0x10", "NaN",
                           "Infinity", "1 ", " 1", "1e400", "1,5"}) {
    CAPTURE(text);
    CHECK_FALSE(parse_decimal(text, strlen(text), &value));
  }
}

TEST_CASE("adds, subtracts and multiplies") {
  Decimal value{};
  CHECK((add(dec("0.1"), dec("0.2"), &value) && is(value, 3, -1)));
  CHECK((subtract(dec("100"), dec("99.99"), &value) && compare(value, dec("0.01")) == 0));
  CHECK((add(dec("1e24"), dec("1e-24"), &value) && compare(value, dec("1e24")) == 0));
  CHECK((multiply(dec("1234.5"), dec("-2"), &value) && compare(value, dec("-2469")) == 0));
  CHECK((multiply(dec("123456789012345678"), dec("123456789012345678"), &value) && is(value, 152415787532388365, 17)));
  CHECK((multiply(dec("999999999999999999"), dec("999999999999999999"), &value) && is(value, 999999999999999998, 18)));
  CHECK_FALSE(multiply(dec("1e30"), dec("1e30"), &value));
}

TEST_CASE("compares numbers") {
  CHECK(compare(dec("1"), dec("1.000")) == 0);
  CHECK(compare(dec("-1"), dec("1")) == -1);
  CHECK(compare(dec("1e-9"), dec("0")) == 1);
  CHECK(compare(dec("-2"), dec("-1")) == -1);
  CHECK(compare(dec("1e24"), dec("999999999999999999")) == 1);
}

TEST_CASE("rounds percent half away from zero") {
  CHECK(percent("101", "100") == 100);
  CHECK(percent("99", "100") == -100);
  CHECK(percent("100.005", "100") == 1);
  CHECK(percent("100.00499999", "100") == 0);
  CHECK(percent("99.995", "100") == -1);
  CHECK(percent("0", "100") == -10000);
  CHECK(percent("1e9", "999999999") == 0);
  CHECK(percent("-37.63", "18.27") == -30597);
  CHECK(percent("-1", "-2") == 5000);
  CHECK(percent("2e-20", "1e-20") == 10000);
  int32_t result = 0;
  CHECK_FALSE(percent_change(dec("1"), dec("0"), &result));
  CHECK_FALSE(percent_change(dec("1e9"), dec("1e-9"), &result));
}

TEST_CASE("converts exponents") {
  int64_t mantissa = 0;
  CHECK((rescale(dec("1.005"), -2, &mantissa) && mantissa == 101));
  CHECK((rescale(dec("-1.005"), -2, &mantissa) && mantissa == -101));
  CHECK((rescale(dec("1e9"), -2, &mantissa) && mantissa == 100000000000));
  CHECK((rescale(dec("1e-24"), 24, &mantissa) && mantissa == 0));
  CHECK_FALSE(rescale(dec("1e17"), -2, &mantissa));
  CHECK(is(reduced(dec("1200.00")), 12, 2));
  CHECK(is(reduced(dec("0.000")), 0, 0));
}
