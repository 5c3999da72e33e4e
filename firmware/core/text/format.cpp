#include "text/format.h"

#include <string.h>

#include "rom.h"

namespace hearth {
namespace {

constexpr uint8_t kMostDecimals = 12;

Decimal magnitude(Decimal value) { return value.mantissa < 0 ? Decimal{-value.mantissa, value.exponent} : value; }

/// Adds a number formatted by quote/format.h.
void add_printed(TextBuilder* text, const char* number) {
  char one[2] = {};
  for (; *number; ++number) {
    one[0] = *number;
    text->add(*number == '-' ? "−" : *number == '\'' ? "’" : one);
  }
}

}  // namespace

TextBuilder& TextBuilder::add(const char* text) { return add_bytes(text, text_size(text)); }

TextBuilder& TextBuilder::add_bytes(const char* text, size_t more) {
  if (size_ + more >= kBytes) {
    more = kBytes - 1 - size_;
    while (more > 0 && (static_cast<uint8_t>(text_byte(text + more)) & 0xc0) == 0x80) --more;
  }
  for (size_t i = 0; i < more; ++i) bytes_[size_ + i] = text_byte(text + i);
  size_ += more;
  bytes_[size_] = 0;
  return *this;
}

TextBuilder& TextBuilder::add_number(uint32_t value) {
  char digits[11] = {};
  size_t at = sizeof digits - 1;
  do {
    digits[--at] = static_cast<char>('0' + value % 10);
    value /= 10;
  } while (value);
  return add(digits + at);
}

TextBuilder& TextBuilder::add_two_digits(uint32_t value) { return add(value < 10 ? "0" : "").add_number(value); }

void TextBuilder::clear() {
  size_ = 0;
  bytes_[0] = 0;
}

bool TextBuilder::shorten() {
  if (size_ == 0) return false;
  do {
    --size_;
  } while (size_ > 0 && (static_cast<uint8_t>(bytes_[size_]) & 0xc0) == 0x80);
  bytes_[size_] = 0;
  return true;
}

uint8_t shown_decimals(Decimal price, const char* symbol) {
  const Decimal value = magnitude(price);
  const size_t length = strlen(symbol);
  uint8_t decimals = price_decimals(price);
  if (decimals == 2 && length > 2 && strcmp(symbol + length - 2, "=X") == 0 && !is_zero(price)) return 4;
  while (decimals >= 6 && decimals < kMostDecimals && compare(value, {100, static_cast<int8_t>(-decimals)}) < 0)
    ++decimals;
  return decimals;
}

void add_decimal(TextBuilder* text, Decimal value, uint8_t decimals, Sign sign) {
  char number[kFormatBytes];
  format_change(value, decimals, number);
  add_printed(text, sign == Sign::Minus && number[0] == '+' ? number + 1 : number);
}

void add_amount(TextBuilder* text, Decimal value, uint8_t decimals, int64_t whole_from, Sign sign) {
  add_decimal(text, value, compare(magnitude(value), {whole_from, 0}) < 0 ? decimals : uint8_t{0}, sign);
}

void add_percent(TextBuilder* text, int32_t hundredths) {
  constexpr int32_t kMany = 100000;
  if (hundredths < kMany && hundredths > -kMany) {
    char number[kFormatBytes];
    format_percent(hundredths, number);
    return add_printed(text, number);
  }
  add_decimal(text, {hundredths, -2}, 0, Sign::Both);
  text->add("%");
}

void add_currency(TextBuilder* text, const Quote& quote) {
  char prefix[kFormatBytes];
  text->add(currency_prefix(quote, prefix));
  while (text->size() > 0 && text->text()[text->size() - 1] == ' ') text->shorten();
}

void add_age(TextBuilder* text, uint32_t seconds) {
  char age[kFormatBytes];
  format_age(seconds, age);
  text->add(age);
}

}  // namespace hearth
