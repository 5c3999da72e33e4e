// Numbers and ages as drawn on the screens: those of quote/format.h with a typographic minus and apostrophe, in texts
// that can grow.
#pragma once
#include "quote/format.h"

namespace hearth {

/// A text of limited size in the caller's memory, truncated between characters.
class TextBuilder {
 public:
  static constexpr size_t kBytes = 96;
  TextBuilder() { bytes_[0] = 0; }
  TextBuilder& add(const char* text);
  TextBuilder& add_bytes(const char* text, size_t size);
  TextBuilder& add_number(uint32_t value);
  /// At least two digits.
  TextBuilder& add_two_digits(uint32_t value);
  const char* text() const { return bytes_; }
  size_t size() const { return size_; }
  void clear();
  /// Removes the last character; returns false if there is none.
  bool shorten();

 private:
  size_t size_ = 0;
  char bytes_[kBytes];
};

enum class Sign : uint8_t { Minus, Both };  ///< only "−", or "+" too

/// Decimals on the price page: `price_decimals`, four for currency pairs ("EURUSD=X"), and below 0.0001 as many as are
/// needed to show three digits.
uint8_t shown_decimals(Decimal price, const char* symbol);

/// "−1’234.50", "1.23e21".
void add_decimal(TextBuilder* text, Decimal value, uint8_t decimals, Sign sign);

/// Money with `decimals`, but without decimals from `whole_from`, where they would only take space.
void add_amount(TextBuilder* text, Decimal value, uint8_t decimals, int64_t whole_from, Sign sign);

/// 123 is "+1.23%"; from 1000 % without decimals.
void add_percent(TextBuilder* text, int32_t hundredths);

/// The prefix of a price, without a trailing space.
void add_currency(TextBuilder* text, const Quote& quote);

void add_age(TextBuilder* text, uint32_t seconds);

}  // namespace hearth
