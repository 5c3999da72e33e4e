#include "quote/format.h"

#include <string.h>

#include "io/text_out.h"
#include "io/utf8.h"

namespace hearth {
namespace {

constexpr Decimal kOne{1, 0};
constexpr Decimal kHundredth{1, -2};
constexpr Decimal kScientific{1, 15};

Decimal absolute(Decimal value) {
  if (value.mantissa < 0) value.mantissa = -value.mantissa;
  return value;
}

void scientific(Decimal value, TextOut& out) {
  int exponent = value.exponent;
  while (value.mantissa > 999 || value.mantissa < -999) {
    const int64_t next = value.mantissa / 10;
    value.mantissa =
        value.mantissa > 9999 || value.mantissa < -9999 ? next : (value.mantissa + (value.mantissa < 0 ? -5 : 5)) / 10;
    exponent++;
  }
  while (value.mantissa > -100 && value.mantissa < 100 && value.mantissa != 0) {
    value.mantissa *= 10;
    exponent--;
  }
  const uint32_t digits = static_cast<uint32_t>(absolute(value).mantissa);
  if (value.mantissa < 0) out.character('-');
  out.number(digits / 100).character('.').two(static_cast<uint8_t>(digits % 100)).character('e').number(exponent + 2);
}

void fixed(Decimal value, uint8_t decimals, bool sign, TextOut& out) {
  int64_t scaled = 0;
  if (compare(absolute(value), kScientific) >= 0 || !rescale(value, -decimals, &scaled)) {
    if (sign && value.mantissa > 0) out.character('+');
    scientific(value, out);
    return;
  }
  if (scaled < 0) out.character('-');
  if (scaled > 0 && sign) out.character('+');
  uint64_t rest = static_cast<uint64_t>(scaled < 0 ? -scaled : scaled);
  char digits[20];
  uint8_t count = 0;
  while (rest != 0 || count <= decimals) {
    digits[count++] = static_cast<char>('0' + rest % 10);
    rest /= 10;
  }
  while (count > 0) {
    count--;
    out.character(digits[count]);
    if (count == decimals && decimals > 0) out.character('.');
    if (count > decimals && (count - decimals) % 3 == 0) out.character('\'');
  }
}

}  // namespace

uint8_t price_decimals(Decimal price) {
  price = absolute(price);
  if (is_zero(price) || compare(price, kOne) >= 0) return 2;
  return compare(price, kHundredth) >= 0 ? 4 : 6;
}

void format_price(Decimal price, char* out) {
  BufferSink buffer(out, kFormatBytes);
  TextOut text(buffer);
  fixed(price, price_decimals(price), false, text);
}

void format_change(Decimal change, uint8_t decimals, char* out) {
  BufferSink buffer(out, kFormatBytes);
  TextOut text(buffer);
  fixed(change, decimals, true, text);
}

void format_percent(int32_t hundredths, char* out) {
  BufferSink buffer(out, kFormatBytes);
  TextOut text(buffer);
  fixed(Decimal{hundredths, -2}, 2, true, text);
  text.character('%');
}

void format_age(uint32_t seconds, char* out) {
  BufferSink buffer(out, kFormatBytes);
  TextOut text(buffer);
  if (seconds < 60) {
    text.number(seconds).text(" s");
  } else if (seconds < 3600) {
    text.number(seconds / 60).text(" min");
  } else if (seconds < 86400) {
    text.number(seconds / 3600).text(" h");
  } else {
    text.number(seconds / 86400).text(" d");
  }
}

const char* currency_prefix(const Quote& quote, char* out) {
  if (quote.currency_is_prefix) return quote.currency;
  static const char* const kSigns[][2] = {{"USD", "$"}, {"EUR", "€"}, {"GBP", "£"}, {"JPY", "¥"},
                                          {"CNY", "¥"}, {"ILS", "₪"}, {"ZAR", "R"}};
  for (const auto& sign : kSigns) {
    if (strcmp(quote.currency, sign[0]) == 0) return sign[1];
  }
  copy_text(out, kFormatBytes, quote.currency, kCurrencyBytes);
  if (out[0] != 0) strcat(out, " ");
  return out;
}

const char* reason_code(Reason reason) {
  static const char* const kCodes[] = {
      "",           "not_yet",        "not_configured", "no_network",     "no_address",  "no_connection",
      "tls_failed", "certificate",    "too_slow",       "rate_limited",   "http_status", "bad_answer",
      "too_large",  "unknown_symbol", "no_price",       "source_says_no", "low_memory"};
  return kCodes[static_cast<uint8_t>(reason)];
}

}  // namespace hearth
