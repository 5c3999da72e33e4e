#include "text/font.h"

#include <string>

#include <doctest/doctest.h>

#include "text/format.h"

using namespace hearth;

namespace {

/// Amount of ink of a text: the sum of its levels.
int ink(Face face, const char* text) {
  int sum = 0;
  GlyphWalk walk(face, text);
  PlacedGlyph placed;
  while (walk.next(&placed)) {
    GlyphReader reader(placed.glyph);
    for (int y = 0; y < reader.height(); ++y) {
      const uint8_t* row = reader.next_row();
      for (int x = 0; x < reader.width(); ++x) sum += row[x];
    }
  }
  return sum;
}

std::string decimal(int64_t mantissa, int exponent, uint8_t decimals, Sign sign) {
  TextBuilder text;
  add_decimal(&text, {mantissa, static_cast<int8_t>(exponent)}, decimals, sign);
  return text.text();
}

}  // namespace

TEST_CASE("reads UTF-8 by character, and broken bytes one by one") {
  const char* text = "aä€\xf0\x9f\x9a\x80";
  CHECK(next_character(&text) == 'a');
  CHECK(next_character(&text) == 0xe4);
  CHECK(next_character(&text) == 0x20ac);
  CHECK(next_character(&text) == 0x1f680);
  CHECK(next_character(&text) == 0);
  CHECK(next_character(&text) == 0);
  const char* broken = "\xc3(\xff\x80\xe2\x82";
  for (uint32_t expected : {0xfffdu, static_cast<uint32_t>('('), 0xfffdu, 0xfffdu, 0xfffdu, 0xfffdu, 0u})
    CHECK(next_character(&broken) == expected);
}

TEST_CASE("draws a letter with its mark, composed or not") {
  for (Face face : {Face::Small, Face::Medium, Face::Large}) {
    CHECK(ink(face, "ä") > ink(face, "a"));
    CHECK(ink(face, "Ä") > ink(face, "A"));
    CHECK(ink(face, "é") == ink(face, "e\u0301"));
    CHECK(ink(face, "Ž") == ink(face, "Z\u030c"));
    CHECK(text_width(face, "é") == text_width(face, "e"));
    CHECK(ink(face, "ķ") == ink(face, "k"));
    CHECK(ink(face, "ț") == ink(face, "ţ"));
    CHECK(can_draw(face, "€ £ ¥ äöü ÄÖÜ ß éèê ç ñ Łódź Şık"));
    CHECK_FALSE(can_draw(face, "日本"));
    CHECK(text_width(face, "日本") == text_width(face, "??"));
    CHECK(ink(face, "\u0301") > 0);
  }
}

TEST_CASE("keeps every glyph within one line above and half a line below the baseline") {
  for (int k = 0; k <= static_cast<int>(Face::Figures77); ++k) {
    const Face face = static_cast<Face>(k);
    for (const char* text : {"ÁÅŐŽÇĘ@|{}jgq€$;,", "0123456789$%+,-.:£¥’€−₿"}) {
      GlyphWalk walk(face, text);
      PlacedGlyph placed;
      while (walk.next(&placed)) {
        GlyphReader reader(placed.glyph);
        CHECK(reader.top() - placed.raise >= -line_height(face));
        CHECK(reader.top() - placed.raise + reader.height() <= line_height(face) / 2);
      }
    }
  }
}

TEST_CASE("has figures of equal width, and only figures in large sizes") {
  for (const char* digit : {"0", "1", "4", "9"}) CHECK(text_width(Face::Small, digit) == text_width(Face::Small, "8"));
  CHECK(can_draw(Face::Figures66, "−1’234.56%$€£¥"));
  CHECK_FALSE(can_draw(Face::Figures66, "CHF"));
  CHECK(text_width(Face::Figures66, "8") > text_width(Face::Figures55, "8"));
  CHECK(can_draw(Face::Figures77, "−1’234.56 17:42"));
  CHECK_FALSE(can_draw(Face::Figures77, "1%"));
  CHECK_FALSE(can_draw(Face::Figures77, "$1"));
  CHECK(text_width(Face::Figures77, "8") > text_width(Face::Figures66, "8"));
  CHECK(text_width(Face::Small, "") == 0);
  CHECK(text_width(Face::Small, "a\u00a0b") == text_width(Face::Small, "a b"));
  CHECK(text_width(Face::Small, "a\u2011b") == text_width(Face::Small, "a-b"));
  CHECK(line_height(Face::Medium) > cap_height(Face::Medium));
}

TEST_CASE("writes numbers with a minus sign and an apostrophe") {
  CHECK(decimal(123456, -2, 2, Sign::Minus) == "1’234.56");
  CHECK(decimal(123456, -2, 2, Sign::Both) == "+1’234.56");
  CHECK(decimal(-5, -3, 3, Sign::Minus) == "−0.005");
  CHECK(decimal(0, 0, 2, Sign::Both) == "0.00");
  TextBuilder text;
  add_percent(&text, 123);
  add_percent(&text.add(" "), -100050);
  CHECK(std::string(text.text()) == "+1.23% −1’001%");
  text.clear();
  add_amount(&text, {999999, -2}, 2, 10000, Sign::Minus);
  add_amount(&text.add(" "), {1000049, -2}, 2, 10000, Sign::Minus);
  CHECK(std::string(text.text()) == "9’999.99 10’000");
}

TEST_CASE("writes a price with the decimals of its size and kind") {
  CHECK(shown_decimals({12345, -2}, "AAPL") == 2);
  CHECK(shown_decimals({10834, -4}, "EURUSD=X") == 4);
  CHECK(shown_decimals({0, 0}, "EURUSD=X") == 2);
  CHECK(shown_decimals({5, -2}, "X") == 4);
  CHECK(shown_decimals({12, -4}, "X") == 6);
  CHECK(shown_decimals({1234, -11}, "SHIB-USD") == 10);
  CHECK(shown_decimals({1, -20}, "X") == 12);
}

TEST_CASE("fits a text into its width and cuts between characters") {
  TextBuilder text;
  for (int k = 0; k < 40; ++k) text.add("ä€");
  CHECK(text.size() < TextBuilder::kBytes);
  CHECK(can_draw(Face::Small, text.text()));
  size_t count = 0;
  while (text.shorten()) ++count;
  CHECK(count == 38);
  CHECK(std::string(text.add_number(4294967295u).add_two_digits(7).text()) == "429496729507");
}

TEST_CASE("writes currencies and ages") {
  Quote quote = {};
  const auto prefix = [&](const char* currency, bool as_it_is) {
    std::string(currency).copy(quote.currency, kCurrencyBytes - 1);
    quote.currency[std::string(currency).size()] = 0;
    quote.currency_is_prefix = as_it_is;
    TextBuilder text;
    add_currency(&text, quote);
    return std::string(text.text());
  };
  CHECK(prefix("CHF", false) == "CHF");
  CHECK(prefix("EUR", false) == "€");
  CHECK(prefix("kWh ", true) == "kWh");
  CHECK(prefix("", false) == "");
  TextBuilder age;
  add_age(&age, 840);
  CHECK(std::string(age.text()) == "14 min");
}
